#!/usr/bin/env python3
"""Measures how fast PTX files are parsed, imported and analysed.

For each file: MB/s of lexing, matching and checking to a syntax tree, of import
to IR and of export (CPU time of one thread in ptxbench-frontend-benchmark, best
of --runs); then wall time and peak memory of `mlir-ptxbench-runner analyze
--no-ptxas`, from the start of the process to the report, and of `ptxas -O3` on
the same file, one after the other, best of --tool-runs, and their ratios. With
--grow, the same kernels are also measured two, four and eight times over, which
shows whether time grows with the size. Exit status: 0; 1 if a tool refuses a
file; 2 if one is not there.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time


def measure(command):
    """Wall seconds and peak memory in MB of a command."""
    start = time.perf_counter()
    with tempfile.TemporaryFile("w+", errors="replace") as messages:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL,
                                   stderr=messages)
        _, status, usage = os.wait4(process.pid, 0)
        elapsed = time.perf_counter() - start
        if os.waitstatus_to_exitcode(status) != 0:
            messages.seek(0)
            sys.exit(f"frontend.py: {command[0]} failed: "
                     f"{messages.read().strip()[:1000]}")
    return elapsed, usage.ru_maxrss / 1024


def phases(args, path):
    """Bytes, instructions and the seconds of each phase."""
    output = subprocess.run([args.program, f"--runs={args.runs}", path],
                            capture_output=True, text=True)
    if output.returncode != 0:
        sys.exit(f"frontend.py: {args.program} failed: {output.stderr[:1000]}")
    rows = dict(line.split(" ", 1) for line in output.stdout.splitlines())
    return {name: float(text) for name, text in rows.items() if name != "file"}


def report_phases(found):
    """One line a phase."""
    megabytes = found["bytes"] / 1e6
    for name in ("parse", "import", "export"):
        print(f"  {name + ':':12}{megabytes / found[name]:8.1f} MB/s"
              f"{found[name]:9.3f} s")
    print(f"  {'analysis:':12}{'':13}{found['analyze']:9.3f} s  (without import)")


def grow(path, folder, times):
    """The file with its functions `times` over, under new names."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    # What is defined once stays; kernels and functions are told apart by a
    # number behind their names, variables by one behind theirs.
    names = set(re.findall(r"^\s*(?:\.(?:visible|weak|extern) )*\.(?:entry|func)"
                           r"\s*(?:\([^)]*\)\s*)?([\w$]+)", text, re.M))
    names |= set(re.findall(r"^(?:\.\w+ )*\.(?:global|shared|const)[^;=]*?"
                            r"([\w$]+)(?:\[[^\n;=]*\])?\s*(?:=|;)", text, re.M))
    head = re.search(r"\.address_size\s+\d+", text).end()
    body = text[head:]
    section = re.search(r"^\s*\.section", body, re.M)
    if section:
        body = body[:section.start()]
    pattern = re.compile(r"[\w$]+")
    grown = os.path.join(folder, f"grown{times}.ptx")
    with open(grown, "w", encoding="utf-8") as file:
        file.write(text[:head])
        for i in range(times):
            file.write(body if i == 0 else pattern.sub(
                lambda m: m[0] + f"_{i}" if m[0] in names else m[0],
                re.sub(r"^\s*\.file.*$", "", body, flags=re.M)))
    return grown


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--build", default="build", help="the build tree")
    parser.add_argument("--ptxas", default="ptxas")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--tool-runs", type=int, default=2)
    parser.add_argument("--grow", action="store_true")
    args = parser.parse_args()
    args.program = os.path.join(args.build, "bin", "ptxbench-frontend-benchmark")
    runner = os.path.join(args.build, "bin", "mlir-ptxbench-runner")
    for tool in (args.program, runner, args.ptxas):
        if not shutil.which(tool):
            print(f"frontend.py: {tool} is not there (ninja "
                  "ptxbench-frontend-benchmark)", file=sys.stderr)
            return 2
    for path in args.files:
        found = phases(args, path)
        print(f"{path}: {found['bytes'] / 1e6:.2f} MB, "
              f"{int(found['instructions'])} instructions")
        report_phases(found)
        with open(path, encoding="utf-8") as file:
            arch = re.search(r"^\s*\.target\s+(sm_\w+)", file.read(), re.M)
        commands = {
            "analyze": [runner, "analyze", "--no-ptxas", path, "-o", os.devnull],
            "ptxas": [args.ptxas, "-O3", "-arch=" + arch[1], path, "-o",
                      os.devnull],
        }
        best = {name: min(measure(command) for _ in range(args.tool_runs))
                for name, command in commands.items()}
        for name, (seconds, memory) in best.items():
            print(f"  {name + ':':12}{'':13}{seconds:9.3f} s {memory:8.0f} MB")
        print("  analyze takes {:.1%} of the time and {:.1%} of the memory of "
              "ptxas -O3".format(*(a / b for a, b in zip(*best.values()))))
        if args.grow:
            with tempfile.TemporaryDirectory() as folder:
                for times in (2, 4, 8):
                    grown = grow(path, folder, times)
                    found = phases(args, grown)
                    print(f"  {times} times over, {found['bytes'] / 1e6:.1f} MB:",
                          *(f"{name} {found['bytes'] / 1e6 / found[name]:.1f} MB/s"
                            for name in ("parse", "import", "analyze")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
