#!/usr/bin/env python3
"""Measures how fast a PTX file is imported, next to ptxas on the same file.

Prints wall time, MB/s and peak memory of `ptxbench-translate --import-ptx` (it
parses, checks, builds SSA and prints MLIR), of both directions, and of ptxas.
ptxas compiles, so it is no equal; it says what a user waits for anyway. Exit
status: 0; 1 if a tool refuses the file; 2 if one is not there.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import time


def measure(command):
    """Wall seconds and peak memory in MB of a command."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True)
    message = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    elapsed = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"parse.py: {command[0]} failed: {message.strip()[:1000]}")
    return elapsed, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file")
    parser.add_argument("--translate", default="ptxbench-translate",
                        help="for example build/bin/ptxbench-translate")
    parser.add_argument("--ptxas", default="ptxas")
    parser.add_argument("--runs", type=int, default=3)
    args = parser.parse_args()
    with open(args.file, encoding="utf-8", errors="replace") as file:
        arch = re.search(r"^\s*\.target\s+(sm_\w+)", file.read(), re.M)
    megabytes = os.path.getsize(args.file) / 1e6
    commands = [
        ("import", [args.translate, "--import-ptx", args.file]),
        ("import and export",
         [args.translate, "--import-ptx", "--export-ptx", args.file]),
    ]
    if not shutil.which(args.translate):
        print(f"parse.py: {args.translate} is not there", file=sys.stderr)
        return 2
    if shutil.which(args.ptxas) and arch:
        commands.append(("ptxas", [args.ptxas, "-arch=" + arch[1], args.file,
                                   "-o", os.devnull]))
    else:
        print(f"parse.py: {args.ptxas} is not there: measured without it")
    print(f"{args.file}: {megabytes:.2f} MB, best of {args.runs}")
    best = {}
    for name, command in commands:
        seconds, memory = min(measure(command) for _ in range(args.runs))
        best[name] = seconds
        print(f"{name + ':':20}{seconds:8.3f} s {megabytes / seconds:8.1f} MB/s "
              f"{memory:8.0f} MB")
    if "ptxas" in best:
        print(f"import takes {best['import'] / best['ptxas']:.2f} of the time "
              "of ptxas")
    return 0


if __name__ == "__main__":
    sys.exit(main())
