#!/usr/bin/env python3
# Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs candidates of the GEMM task and judges what the runner says of them.

usage: run_candidates.py RUNNER TASK SCRATCH

TASK is the folder of the task. Each solution must pass with confirmed target
instructions; each negative candidate must get the status that expected.json
names, with the exit status that belongs to it and never a refuted verdict. Two
of the runs are made at the same time. Reports and traces are left in SCRATCH.
Prints one line for each; exit status 1 if something is not as it should be.
"""

import json
import pathlib
import subprocess
import sys

EXIT = {"PASSED": 0, "NOT_RUN": 3, "REFUTED": 3}
WORKLOAD = "M=200"


class Run:
    def __init__(self, runner, task, scratch, file):
        self.name = file.stem
        self.report_path = scratch / f"{self.name}.report.json"
        self.trace_path = scratch / f"{self.name}.trace.json"
        for path in (self.report_path, self.trace_path):
            path.unlink(missing_ok=True)
        self.process = subprocess.Popen(
            [runner, "run", file, "--task", task, "--workload", WORKLOAD]
            + ["--calls=5", "--timeout=15", "--format=json"]
            + ["-o", self.report_path, "--trace", self.trace_path]
        )

    def finish(self, wanted):
        status = self.process.wait()
        problems = []
        report = {"status": "no report"}
        if self.report_path.exists():
            report = json.loads(self.report_path.read_text(encoding="utf-8"))
        if report["status"] != wanted:
            problems.append(f"expected {wanted}: {report.get('reason')}")
        if status != EXIT.get(wanted, 1):
            problems.append(f"exit status {status}")
        totals = report.get("crosscheck", {"confirmed": 0, "refuted": 0})
        if totals["refuted"]:
            problems.append(f"{totals['refuted']} refuted")
        if wanted == "PASSED":
            for key in ("correctness", "performance"):
                if key not in report:
                    problems.append(f"no {key}")
            mma = [
                target
                for entry in report.get("entries", [])
                if entry["assumptions"]["launch"]
                for target in entry["targets"]
                if target["opcode"] in ("wgmma.mma_async", "cp.async.bulk.tensor")
            ]
            if not mma or any(t["agreement"] != "confirmed" for t in mma):
                problems.append("a target instruction is not confirmed")
        if wanted in ("RUNTIME_ERROR", "TIMEOUT"):
            # What comes behind the stage that failed is skipped.
            verdicts = [stage["verdict"] for stage in report["stages"]]
            while verdicts and verdicts[-1] == "skipped":
                verdicts.pop()
            if verdicts[-1:] != ["failed"]:
                problems.append(f"the stages end with {verdicts}")
        print(
            f"{self.name}: {report['status']}, exit {status}, "
            f"{totals['confirmed']} confirmed"
            + "".join(f"; WRONG: {problem}" for problem in problems),
            flush=True,
        )
        return bool(problems)


def main(runner, task, scratch):
    task, scratch = pathlib.Path(task), pathlib.Path(scratch)
    scratch.mkdir(parents=True, exist_ok=True)
    expected = json.loads((task / "negative/expected.json").read_text())
    wanted = {task / "negative" / name: status for name, status in expected.items()}
    solutions = sorted((task / "solutions").glob("*.cu"))
    wrong = False
    # The two at once: each must keep to its own files.
    runs = [Run(runner, task, scratch, file) for file in solutions]
    for run in runs:
        wrong |= run.finish("PASSED")
    for file, status in wanted.items():
        wrong |= Run(runner, task, scratch, file).finish(status)
    return wrong


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
