#!/usr/bin/env python3
# Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes completions for the task tiny_gemm.

usage: write_evaluation_samples.py CANDIDATE.cu SAMPLES.jsonl KIND...

A KIND is `good`; `fault`, whose first launch writes where no memory is, so that every
later call of its process fails; `wrong5`, which is right but for five rows; `refused`,
which no compiler takes.
"""

import json
import sys


def make(kind, code):
    if kind == "refused":
        return "this is no C++\n"
    loop = "  for (int row = 0; row < rows"
    row = "dataA + 4 * row"
    if code.count(loop) != 1 or code.count(row) != 1:
        raise SystemExit("the candidate is not the one that is changed here")
    if kind == "fault":
        return code.replace(loop, "  dataC = nullptr;\n" + loop)
    if kind == "wrong5":
        return code.replace(row, "dataA + 4 * (rows == 5 ? 0 : row)")
    if kind == "good":
        return code
    raise SystemExit(f"unknown kind '{kind}'")


with open(sys.argv[1], encoding="utf-8") as file:
    candidate = file.read()
with open(sys.argv[2], "w", encoding="utf-8") as file:
    for turn, name in enumerate(sys.argv[3:], 1):
        text = f"```cuda:{name}.cu\n{make(name, candidate)}```\n"
        file.write(json.dumps({"task_id": "tiny_gemm", "trajectory_id": name,
                               "turn": turn, "completion": text}) + "\n")
