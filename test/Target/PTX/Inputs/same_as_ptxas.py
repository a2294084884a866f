#!/usr/bin/env python3
"""Compares what is accepted with what ptxas accepts.

usage: same_as_ptxas.py PTXAS FILE

Each line of FILE is a statement, with `+` in front if it is to be accepted and
`-` if not; `#` starts a comment. Exit status: 0 if ptxas and ptxbench-translate
both do so for every line.
"""

import os
import subprocess
import sys
import tempfile

MODULE = """.version 9.0
.target {target}
.address_size 64
.global .b32 g;
.visible .entry k(.param .u64 p)
{{
 .reg .b32 %r<9>;
 .reg .b64 %rd<5>;
 {body}
 ret;
}}
"""


def accepts(command):
    done = subprocess.run(command, capture_output=True, timeout=60)
    return done.returncode == 0


def main():
    ptxas, listing = sys.argv[1:]
    wrong = lines = 0
    with tempfile.TemporaryDirectory() as work:
        source = os.path.join(work, "k.ptx")
        with open(listing, encoding="utf-8") as file:
            for line in file.read().splitlines():
                if not line or line.startswith("#"):
                    continue
                lines += 1
                sign, body = line[0], line[1:].strip()
                target = "sm_90a"
                if body.startswith("target "):
                    target, body = body.split()[1], ""
                with open(source, "w", encoding="utf-8") as out:
                    out.write(MODULE.format(target=target, body=body))
                theirs = accepts([ptxas, "-arch=sm_90a", source, "-o",
                                  os.path.join(work, "k.cubin")])
                ours = accepts(["ptxbench-translate", "--import-ptx", source])
                if theirs != (sign == "+") or ours != theirs:
                    wrong += 1
                    print(f"{line}: ptxas: {theirs}, ours: {ours}")
    print(f"{lines} lines, {wrong} wrong")
    return 1 if wrong or not lines else 0


if __name__ == "__main__":
    sys.exit(main())
