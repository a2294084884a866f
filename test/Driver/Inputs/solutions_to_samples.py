#!/usr/bin/env python3
# Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a file of samples, in the form of FlashInfer-Trace's solutions, from all
tasks/*/*/solutions/*.cu.

usage: solutions_to_samples.py TASKS SAMPLES.jsonl
"""

import json
import pathlib
import sys

tasks, samples = map(pathlib.Path, sys.argv[1:])
files = sorted(tasks.glob("*/*/solutions/*.cu"))
if not files:
    sys.exit(f"{tasks}: no solutions")
with open(samples, "w", encoding="utf-8") as out:
    for file in files:
        task = file.parent.parent.name
        solution = {
            "name": f"{task}/{file.stem}",
            "definition": task,
            "author": "ptxbench-mlir",
            "spec": {
                "language": "cuda",
                "target_hardware": ["NVIDIA H200"],
                "entry_point": "kernel.cu::run",
                "dependencies": [],
                "destination_passing_style": True,
                "binding": "tvm-ffi",
            },
            "sources": [{"path": "kernel.cu",
                         "content": file.read_text(encoding="utf-8")}],
        }  # fmt: skip
        out.write(json.dumps(solution) + "\n")
