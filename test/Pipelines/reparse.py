#!/usr/bin/env python3
"""Prints pipelines and has them read again.

Usage: reparse.py OPT FILE PASSES...

For each PASSES, OPT runs builtin.module(PASSES) on FILE and prints the pipeline
that it made of it; then it has to read that, and to print the same. Writes how
many there were. Exit status: 0; 1 with a line for each that is not the same.
"""

import re
import subprocess
import sys


def dump(opt, file, pipeline):
    """The pipeline as OPT prints it, or what it says instead."""
    done = subprocess.run(
        [opt, file, "--dump-pass-pipeline", "-o", "/dev/null",
         f"--pass-pipeline={pipeline}"],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    found = re.search(r"^(builtin\.module\(.*?\n\))\n", done.stderr, re.S | re.M)
    if not found:
        return None, done.stderr
    return re.sub(r"\n\s*", "", found.group(1)), ""


def main():
    opt, file = sys.argv[1:3]
    faults = 0
    for passes in sys.argv[3:]:
        first, said = dump(opt, file, f"builtin.module({passes})")
        second, said = dump(opt, file, first) if first else (None, said)
        if first is None or first != second:
            faults += 1
            print(f"{passes}:\n  {first}\n  {second}\n  {said}")
    print(f"{len(sys.argv) - 3} pipelines")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
