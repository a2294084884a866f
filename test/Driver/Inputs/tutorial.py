#!/usr/bin/env python3
"""Runs the commands of a page and compares what they print with what it shows.

    tutorial.py PAGE SOURCE TOOLS

Each ```sh block of PAGE is run by bash in a fresh folder that has the `tasks` of
SOURCE and the tools of TOOLS as build/bin, one after the other. A block without a
language right behind it is its output, standard output and errors together: all
its lines have to be there in this order, one right behind the other where no line
of three dots stands between, and three dots within a line stand for anything. The
last line `exit status: N` of the output says how the commands end; without it, with 0.

Exit status: 0 all is as shown, 1 something is not; it is said what.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile


def read_blocks(page):
    """(line number, commands, shown output or None, exit status)."""
    with open(page, encoding="utf-8") as file:
        lines = file.read().split("\n")
    fences = []
    inside = None
    for number, line in enumerate(lines):
        if inside is None and line.startswith("```"):
            inside = (line[3:].strip(), number)
        elif inside is not None and line == "```":
            language, begin = inside
            fences.append((language, begin, number,
                           lines[begin + 1:number]))
            inside = None
    blocks = []
    for at, (language, begin, end, text) in enumerate(fences):
        if language != "sh":
            continue
        shown, status = None, 0
        if at + 1 < len(fences) and fences[at + 1][0] == "":
            between = [line for line in lines[end + 1:fences[at + 1][1]]
                       if line.strip()]
            if not between:
                shown = fences[at + 1][3]
        if shown and shown[-1].startswith("exit status: "):
            status = int(shown.pop().split(": ")[1])
        blocks.append((begin + 1, "\n".join(text), shown, status))
    return blocks


def matches(pattern, line):
    parts = [re.escape(part) for part in pattern.rstrip().split("...")]
    return re.fullmatch(".*".join(parts), line.rstrip()) is not None


def compare(shown, printed):
    """What is wrong; empty if nothing is."""
    lines = printed.split("\n")
    at, is_free = 0, True
    for pattern in shown:
        if pattern.strip() == "...":
            is_free = True
            continue
        candidates = range(at, len(lines)) if is_free else range(
            at, min(at + 1, len(lines)))
        found = next((i for i in candidates if matches(pattern, lines[i])),
                     None)
        if found is None:
            return f"'{pattern}' is not what follows in the output"
        at, is_free = found + 1, False
    return ""


def main():
    page, source, tools = sys.argv[1:4]
    blocks = read_blocks(page)
    if len(blocks) < 3 or not any(shown for _, _, shown, _ in blocks):
        print(f"{page}: expected commands, and what they print")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(os.path.join(source, "tasks"),
                        os.path.join(folder, "tasks"), symlinks=True)
        os.makedirs(os.path.join(folder, "build"))
        os.symlink(os.path.abspath(tools), os.path.join(folder, "build",
                                                        "bin"))
        for line, commands, shown, status in blocks:
            done = subprocess.run(["bash", "-c", commands], cwd=folder,
                                  stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True)
            wrong = compare(shown, done.stdout) if shown else ""
            if not wrong and done.returncode != status:
                wrong = (f"expected exit status {status} but got "
                         f"{done.returncode}")
            if wrong:
                print(f"{page}:{line}: {wrong}\n--- output\n{done.stdout}")
                return 1
    print(f"{len(blocks)} blocks ran, "
          f"{sum(bool(b[2]) for b in blocks)} outputs are as shown")
    return 0


if __name__ == "__main__":
    sys.exit(main())
