#!/usr/bin/env python3
"""Measures how long a tool takes to start, next to a peer in the same run.

Prints the median wall time of `TOOL --version` and `PEER --version` and their
ratio. The two are run alternately, so that both see the same machine. Exit
status: 0; 1 if a tool fails; 2 if one is not there.
"""

import argparse
import shutil
import statistics
import subprocess
import sys
import time


def measure(tool):
    start = time.perf_counter()
    done = subprocess.run([tool, "--version"], stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True)
    elapsed = time.perf_counter() - start
    if done.returncode != 0:
        sys.exit(f"startup.py: {tool} --version failed: {done.stderr.strip()}")
    return elapsed


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tool", help="for example build/bin/ptxbench-opt")
    parser.add_argument("--peer", default="mlir-opt-22")
    parser.add_argument("--runs", type=int, default=50)
    args = parser.parse_args()
    tools = [args.tool, args.peer]
    for tool in tools:
        if not shutil.which(tool):
            print(f"startup.py: {tool} is not there", file=sys.stderr)
            return 2
    times = {tool: [] for tool in tools}
    for tool in tools:
        measure(tool)  # once for the page cache
    for _ in range(args.runs):
        for tool in tools:
            times[tool].append(measure(tool))
    medians = [statistics.median(times[tool]) for tool in tools]
    for tool, median in zip(tools, medians):
        print(f"{tool} --version: median of {args.runs}: {median * 1e3:.1f} ms, "
              f"fastest {min(times[tool]) * 1e3:.1f} ms")
    print(f"ratio to the peer: {medians[0] / medians[1]:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
