#!/usr/bin/env python3
"""Asks every tool of a folder for its version.

Usage: version_of_tools.py FOLDER

Each must answer `--version` with status 0 and two lines first: the version of
ptxbench-mlir, and that of LLVM; the same ones for all. Writes one line for each
program. Exit status: 0; 1 if an answer is another one, or there is no program.
"""

import os
import re
import subprocess
import sys

EXPECTED = re.compile(r"ptxbench-mlir \d+\.\d+\.\d+\nLLVM/MLIR 22\.\d+\.\d+\n")


def main():
    folder = sys.argv[1]
    answers = set()
    ok = True
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        # A benchmark is no part of an ordinary build, so it may be an old one.
        if not name.startswith(("ptxbench-", "mlir-")) or name.endswith(
            "-benchmark"
        ):
            continue
        done = subprocess.run(
            [path, "--version"], capture_output=True, text=True, timeout=60
        )
        answer = EXPECTED.match(done.stdout)
        if done.returncode or not answer:
            print(f"{name}: status {done.returncode}: {done.stdout!r} "
                  f"{done.stderr!r}")
            ok = False
        else:
            print(f"{name}: {' '.join(answer.group().split())}")
            answers.add(answer.group())
    if len(answers) != 1:
        print(f"expected one version of all tools but got {len(answers)}")
        ok = False
    sys.exit(not ok)


if __name__ == "__main__":
    main()
