#!/usr/bin/env python3
# Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds what `evaluate` left of right solutions to what must be so: PASSED, every
stage but `performance` passed, some wgmma and TMA instructions executed and
confirmed, no verdict refuted, no time.

usage: check_solutions.py RESULTS
"""

import json
import pathlib
import sys

results = pathlib.Path(sys.argv[1])
wrong = 0
records = [
    json.loads(line)
    for line in (results / "results.jsonl").read_text(encoding="utf-8").splitlines()
]
for record in records:
    problems = []
    report = json.loads((results / record["report"]).read_text(encoding="utf-8"))
    if record["status"] != "PASSED":
        problems.append(f"{record['status']}: {record.get('reason')}")
    for name, verdict in record["stages"].items():
        wanted = "unsupported" if name == "performance" else "passed"
        if verdict != wanted:
            problems.append(f"stage {name}: {verdict}")
    if report.get("crosscheck", {}).get("refuted", 1):
        problems.append("a verdict is refuted")
    confirmed = {
        target["opcode"]
        for entry in report["entries"]
        if entry["assumptions"]["launch"]
        for target in entry["targets"]
        if target.get("agreement") == "confirmed"
        and target.get("executed", {}).get("threads", 0) > 0
    }
    for opcode in ("wgmma.mma_async", "cp.async.bulk.tensor"):
        if opcode not in confirmed:
            problems.append(f"no {opcode} is confirmed")
    if "performance" in report or "speedup" in record or "latency_ms" in record:
        problems.append("an emulator was timed")
    print(f"{record['name']}: {record['status']}"
          + "".join(f"; WRONG: {text}" for text in problems))  # fmt: skip
    wrong += bool(problems)
sys.exit(1 if wrong or not records else 0)
