#!/usr/bin/env python3
"""Compares the passes and pipelines of ptxbench-opt with those of a page.

Usage: documented.py HELP PAGE

HELP is what `ptxbench-opt --help` writes, PAGE has rows that begin with
"| `-NAME` |" (a pass) or "| `NAME` |" (a pipeline). Of interest are names with
ptx in them; the others are upstream's. Writes the names that both have. Exit
status: 0; 1 with a line for each that only one has.
"""

import re
import sys


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        registered = set(
            re.findall(r"^ {4,}--([a-z0-9-]*ptx[a-z0-9-]*) ", file.read(), re.M)
        )
    with open(sys.argv[2], encoding="utf-8") as file:
        page = file.read()
    # The tables of the section on ptxbench-opt.
    section = page.split("\n## ptxbench-opt\n")[1].split("\n## ")[0]
    documented = set(
        re.findall(r"^\| `-?([a-z0-9-]*ptx[a-z0-9-]*)` \|", section, re.M)
    )
    for name in sorted(registered & documented):
        print(name)
    for name in sorted(registered - documented):
        print(f"{name} is not in the page")
    for name in sorted(documented - registered):
        print(f"{name} is no pass and no pipeline")
    sys.exit(registered != documented)


if __name__ == "__main__":
    main()
