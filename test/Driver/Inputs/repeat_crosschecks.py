#!/usr/bin/env python3
# Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Repeats the cross-check of every recorded run.

usage: repeat_crosschecks.py RUNNER FOLDER SCRATCH

For each NAME.report.json in FOLDER with a NAME.trace.json: what the run added
to the verdicts (executions, machine code, agreements, totals) is taken out of
the report, `RUNNER crosscheck` adds it again from the trace, and both must be
the same. Prints one line for each; exit status 1 if one differs.
"""

import copy
import json
import pathlib
import subprocess
import sys

ADDED = ("executed", "sass", "agreement", "agreement_reason")


def strip(report):
    report = copy.deepcopy(report)
    report.pop("crosscheck", None)
    for entry in report["entries"]:
        entry.pop("launches", None)
        for target in entry["targets"]:
            for key in ADDED:
                target.pop(key, None)
    return report


def added(report):
    """What a cross-check adds: to each target, and in sum."""
    targets = [
        [target["line"], target["column"], {key: target.get(key) for key in ADDED}]
        for entry in report["entries"]
        for target in entry["targets"]
    ]
    launches = [entry.get("launches") for entry in report["entries"]]
    return targets, launches, report.get("crosscheck")


def agree(repeated, recorded):
    """Whether both are the same, but for why a prediction and a count were not
    compared: a recorded report may be older than that sentence."""
    for new, old in zip(repeated[0], recorded[0]):
        reason, before = new[2]["agreement_reason"], old[2]["agreement_reason"]
        if reason and "the predicted" not in (before or ""):
            reason = reason.split("the predicted")[0].rstrip("; ")
            new[2]["agreement_reason"] = reason or None
    return repeated == recorded


def main(runner, folder, scratch):
    folder, scratch = pathlib.Path(folder), pathlib.Path(scratch)
    scratch.mkdir(parents=True, exist_ok=True)
    status = 0
    for trace in sorted(folder.glob("*.trace.json")):
        name = trace.name.removesuffix(".trace.json")
        recorded = json.loads((folder / f"{name}.report.json").read_text())
        bare, again = scratch / f"{name}.bare.json", scratch / f"{name}.json"
        bare.write_text(json.dumps(strip(recorded)))
        done = subprocess.run(
            [runner, "crosscheck", bare, trace, "--format=json", "-o", again]
        )
        repeated = json.loads(again.read_text()) if again.exists() else None
        same = repeated is not None and agree(added(repeated), added(recorded))
        totals = recorded.get("crosscheck", {"confirmed": 0, "refuted": 0})
        print(
            f"{name}: exit {done.returncode}, {'same' if same else 'DIFFERENT'}, "
            f"{totals['confirmed']} confirmed, {totals['refuted']} refuted"
        )
        status |= not same or done.returncode != 0
    return status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
