#!/usr/bin/env python3
# Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Analyses the PTX of recorded runs anew and compares with what executed.

usage: recheck_ptx.py RUNNER RECORDS PTX SCRATCH

For each NAME.trace.json in RECORDS: the PTX file of the candidate is analysed
under the recorded launches, and the verdicts are checked against the trace.
Prints one line for each; exit status 1 if the text is another one, or a command
does not end with 0.
"""

import hashlib
import json
import pathlib
import subprocess
import sys


def main(runner, records, ptx, scratch):
    records, ptx, scratch = map(pathlib.Path, (records, ptx, scratch))
    scratch.mkdir(parents=True, exist_ok=True)
    wrong = False
    for trace in sorted(records.glob("*.trace.json")):
        name = trace.name.removesuffix(".trace.json")
        recorded = json.loads((records / f"{name}.report.json").read_text())
        text = ptx / (pathlib.Path(recorded["module"]["path"]).stem + ".ptx")
        digest = hashlib.sha256(text.read_bytes()).hexdigest()
        same = digest == recorded["module"]["sha256"]
        fresh, checked = scratch / f"{name}.json", scratch / f"{name}.out.json"
        status = subprocess.call(
            [runner, "analyze", text, f"--launch-from={trace}"]
            + ["--format=json", "-o", fresh]
        )
        status = status or subprocess.call(
            [runner, "crosscheck", fresh, trace, "--format=json", "-o", checked]
        )
        totals = {}
        if status == 0:
            totals = json.loads(checked.read_text()).get("crosscheck", {})
        print(
            f"{name}: {'same' if same else 'OTHER'} text, exit {status}, "
            f"{totals.get('confirmed', 0)} confirmed, "
            f"{totals.get('refuted', 0)} refuted"
        )
        wrong |= not same or status != 0
    return wrong


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
