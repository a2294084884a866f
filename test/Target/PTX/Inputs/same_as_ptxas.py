#!/usr/bin/env python3
"""Compares what is accepted with what ptxas accepts.

usage: same_as_ptxas.py PTXAS FILE...

Each line of a FILE is a statement, or a module if it has a function or a
`.version`, with `+` in front if it is to be accepted and `-` if not;
`[sm_100a 8.6]` behind the sign gives target and version, `#` starts a comment.
Exit status: 0 if ptxas and ptxbench-translate both do so for every line.
"""

import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

HEADER = """.version {version}
.target {target}
.address_size 64
"""
KERNEL = """.global .b32 g;
.visible .entry k(.param .u64 p0)
{
 .reg .pred %p<4>;
 .reg .b16 %h<4>;
 .reg .b32 %r<9>;
 .reg .f32 %f<4>;
 .reg .b64 %rd<9>;
 .reg .f64 %fd<4>;
 BODY
 ret;
}
"""


def accepts(command):
    done = subprocess.run(command, capture_output=True, timeout=60)
    return done.returncode == 0


def judge(ptxas, work, index, line):
    """What ptxas and we say of a line."""
    text = line[1:].strip()
    target, version = "sm_90a", "9.0"
    options = re.match(r"\[(\S+) (\S+)\]", text)
    if options:
        target, version = options.groups()
        text = text[options.end():].strip()
    arch = target
    if text.startswith("target "):
        target, text = text.split()[1], ""
    if ".version" in text:
        named = re.search(r"\.target (sm_\w+)", text)
        arch = named[1] if named else arch
    else:
        if not re.search(r"\.(entry|func)\b", text):
            text = KERNEL.replace("BODY", text)
        text = HEADER.format(version=version, target=target) + text
    # An architecture of its own time is not one that ptxas makes code for.
    if re.fullmatch(r"sm_([1-6]?\d|7[0-4])", arch):
        arch = "sm_75"
    # It has a new name since PTX 9.0.
    arch = arch.replace("sm_101", "sm_110")
    source = os.path.join(work, f"k{index}.ptx")
    with open(source, "w", encoding="utf-8") as out:
        out.write(text + "\n")
    theirs = accepts([ptxas, "-O0", f"-arch={arch}", source, "-o",
                      os.devnull])
    ours = accepts(["ptxbench-translate", "--import-ptx", source])
    os.remove(source)
    return theirs, ours


def main():
    ptxas, *listings = sys.argv[1:]
    lines = []
    for listing in listings:
        with open(listing, encoding="utf-8") as file:
            lines += [line for line in file.read().splitlines()
                      if line and not line.startswith("#")]
    wrong = 0
    with tempfile.TemporaryDirectory() as work, \
            concurrent.futures.ThreadPoolExecutor(2) as pool:
        verdicts = pool.map(lambda item: judge(ptxas, work, *item),
                            enumerate(lines))
        for line, (theirs, ours) in zip(lines, verdicts):
            if theirs != (line[0] == "+") or ours != theirs:
                wrong += 1
                print(f"{line}: ptxas: {theirs}, ours: {ours}")
    print(f"{len(lines)} lines, {wrong} wrong")
    return 1 if wrong or not lines else 0


if __name__ == "__main__":
    sys.exit(main())
