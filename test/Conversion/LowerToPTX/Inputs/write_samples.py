#!/usr/bin/env python3
# Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes samples whose code is MLIR or LLVM IR.

usage: write_samples.py FOLDER SAMPLES

FOLDER has gemm.mlir and dot.ll with their launches. The samples: both as the
completion of a model, one that has no PTX, and both as a solution, the second
for an older target.
"""

import json
import sys
from pathlib import Path

folder = Path(sys.argv[1])
gemm, gemm_launch, dot, dot_launch = (
    (folder / name).read_text(encoding="utf-8")
    for name in ("gemm.mlir", "gemm.launch.json", "dot.ll", "dot.launch.json"))


def completion(task, language, code, launches):
    return {"task_id": task, "completion":
            f"Here it is.\n```{language}\n{code}```\n```json\n{launches}```\n"}


def solution(task, language, name, code, launches):
    stem = name.split(".")[0]
    return {"name": f"{task} in {language}", "definition": task, "author": "test",
            "spec": {"language": language, "target_hardware": ["H200"],
                     "entry_point": f"{name}::run"},
            "sources": [{"path": f"{stem}.launch.json", "content": launches},
                        {"path": name, "content": code}]}


samples = [
    completion("tile_gemm", "mlir", gemm, gemm_launch),
    completion("tiny_gemm", "llvm", dot, dot_launch),
    completion("tile_gemm", "mlir", gemm.replace("gpu.barrier", "gpu.barier"),
               gemm_launch),
    solution("tile_gemm", "mlir", "gemm.mlir", gemm, gemm_launch),
    solution("tiny_gemm", "llvm", "dot.ll", dot.replace("sm_90a", "sm_80"),
             dot_launch),
]
Path(sys.argv[2]).write_text(
    "".join(json.dumps(sample) + "\n" for sample in samples), encoding="utf-8")
