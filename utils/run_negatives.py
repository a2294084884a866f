#!/usr/bin/env python3
# Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the candidates of negative/ and holds what is said of them against what
negative/expected.json says.

usage: run_negatives.py OUT [--backend=emulator|cuda] [--runner=FILE] [--jobs=N]
                        [--filter=REGEX] [--manifest=FILE]

Only candidates that show on the backend are run (by default on a GPU, `cuda`).
Each must get its status, a reason that fits, the exit status 1, and no refuted
verdict. OUT gets the reports and `table.txt`, which is printed, too: a line for
each candidate and the number of those that are as expected.

Exit status: 0 all as expected; 1 not; 2 bad usage.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
NEGATIVE = ROOT / "negative"
MANIFEST = NEGATIVE / "expected.json"
# A candidate may take its own time limit several times over (sanitizer, calls,
# trace); beyond this the runner itself hangs.
RUN_SECONDS = 900


def text_of(report):
    """All in which a reason may stand."""
    parts = [report.get("reason", "")]
    parts += [d.get("message", "") for d in report.get("diagnostics", [])]
    parts += [
        output.get("reason", "")
        for output in report.get("correctness", {}).get("outputs", [])
    ]
    return "\n".join(parts)


def run(entry, options, number):
    backend = options.backend
    expected = {key: entry[key] for key in ("status", "reason")}
    expected.update(entry.get(backend, {}))
    report_path = options.out / f"{number:02d}.json"
    report_path.unlink(missing_ok=True)
    command = [
        options.runner, "run", NEGATIVE / entry["file"], "--task", entry["task"],
        "--tasks", ROOT / "tasks", f"--backend={backend}", "--format=json",
        "-o", report_path, "--calls=10",
    ]  # fmt: skip
    workload = entry.get("workload", {}).get(backend)
    if workload:
        command.append(f"--workload={workload}")
    # What the emulator would find is what most candidates are not about.
    if backend == "emulator" and not entry.get("sanitize"):
        command.append("--sanitize=none")
    command += entry.get("arguments", [])
    begin = time.monotonic()
    try:
        done = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, errors="replace", timeout=RUN_SECONDS,
        )  # fmt: skip
        status, output = done.returncode, done.stdout
    except subprocess.TimeoutExpired:
        status, output = -1, f"the runner did not end in {RUN_SECONDS} s"
    seconds = time.monotonic() - begin
    report = {"status": "no report", "reason": output.strip()}
    if report_path.exists():
        report = json.loads(report_path.read_text(encoding="utf-8"))
    wrong = []
    if report["status"] != expected["status"]:
        wrong.append(f"expected {expected['status']}")
    if not re.search(expected["reason"], text_of(report)):
        wrong.append(f"the reason does not match /{expected['reason']}/")
    if status != 1:
        wrong.append(f"exit status {status}")
    if report.get("crosscheck", {}).get("refuted"):
        wrong.append("a verdict is refuted")
    return entry, report, wrong, seconds


def check_entry(entry):
    """Raises ValueError with what is missing of a candidate, or wrong."""
    if not isinstance(entry, dict):
        raise ValueError(f"expected an object but got {json.dumps(entry)}")
    name = entry.get("file", json.dumps(entry))
    kinds = {"file": str, "task": str, "scenario": str, "on": list,
             "status": str, "reason": str}  # fmt: skip
    for key, kind in kinds.items():
        if not isinstance(entry.get(key), kind):
            raise ValueError(f"{name}: expected a {kind.__name__} as '{key}'")
    for where in (entry, *(entry.get(b, {}) for b in ("cuda", "emulator"))):
        try:
            re.compile(where.get("reason", ""))
        except (re.error, TypeError) as error:
            raise ValueError(f"{name}: 'reason' is no regular expression: {error}")


def regular_expression(text):
    try:
        return re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"no regular expression: {error}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n")[0],
        epilog="\n".join(__doc__.split("\n")[1:]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("out", type=pathlib.Path, help="folder for reports")
    parser.add_argument("--backend", default="cuda", choices=["cuda", "emulator"])
    parser.add_argument(
        "--runner", default=ROOT / "build/bin/mlir-ptxbench-runner"
    )
    parser.add_argument("--jobs", type=int, help="default: 1 on a GPU, else all cores")
    parser.add_argument("--filter", default="", type=regular_expression,
                        help="a regular expression for files")  # fmt: skip
    parser.add_argument("--manifest", type=pathlib.Path, default=MANIFEST)
    options = parser.parse_args()
    if options.jobs is None:
        options.jobs = 1 if options.backend == "cuda" else os.cpu_count()
    if options.jobs < 1:
        parser.error("--jobs takes a number above 0")
    if not os.access(options.runner, os.X_OK):
        parser.error(f"cannot start '{options.runner}' (--runner)")
    try:
        options.out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        print(f"run_negatives.py: cannot make the folder '{options.out}': "
              f"{error.strerror}", file=sys.stderr)  # fmt: skip
        return 2
    try:
        text = options.manifest.read_text(encoding="utf-8")
        entries = json.loads(text)["candidates"]
        for entry in entries:
            check_entry(entry)
    except (OSError, ValueError, KeyError, TypeError) as error:
        print(f"run_negatives.py: cannot read the candidates of "
              f"'{options.manifest}': {error}", file=sys.stderr)  # fmt: skip
        return 2
    known = {NEGATIVE / entry["file"] for entry in entries}
    strangers = set()
    if options.manifest == MANIFEST:
        strangers = set(NEGATIVE.glob("*/*.cu")) - known
    for path in sorted(strangers):
        print(f"WRONG: {path} is not in {options.manifest}")
    entries = [
        entry
        for entry in entries
        if options.backend in entry["on"] and options.filter.search(entry["file"])
    ]
    if not entries:
        print("no candidate was chosen")
        return 2

    failures, lines = len(strangers), []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = pool.map(lambda pair: run(pair[1], options, pair[0]),
                           enumerate(entries))
        for entry, report, wrong, seconds in results:
            failures += bool(wrong)
            first = report.get("reason", "").split("\n")[0]
            line = (
                f"{entry['file']:36} {report['status']:20} {seconds:6.1f} s  "
                f"{entry['scenario']}: {first}"
            )
            line += "".join(f"\n    WRONG: {text}" for text in wrong)
            lines.append(line)
            print(line, flush=True)
    total = len(entries) + len(strangers)
    last = f"{total - failures} of {total} as expected"
    print(last)
    lines.append(last)
    (options.out / "table.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
