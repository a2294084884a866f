#!/usr/bin/env python3
# Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a file of samples for the task tiny_gemm, one of each kind.

usage: write_samples.py CANDIDATE.cu SAMPLES.jsonl
"""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    code = file.read()


# The kernel, and host code that exports another name.
kernel, host = code.split("static void run(")
host = "static void run(" + host.replace("FUNC(run, run)", "FUNC(dots, run)").replace(
    "static_cast<int>(a.size(0))", "rowsOf(a.size(0))"
)


def completion(turn, text):
    return {"task_id": "tiny_gemm", "trajectory_id": "a", "turn": turn,
            "completion": text}


def fenced(text, define=None):
    if define:
        text = f"#define {define}\n" + text
    return f"First try:\n```cuda\nint x;\n```\nBetter:\n```cuda\n{text}```\n"


samples = [
    completion(1, "I cannot do that."),
    completion(2, fenced("this is no C++\n")),
    completion(3, fenced(code.replace("tvm::ffi::TensorView c) {",
                                      'tvm::ffi::TensorView c) {\n'
                                      '  std::puts("PASSED");', 1)
                         .replace("#include", "#include <cstdio>\n#include", 1),
                         "WRONG")),
    completion(4, fenced(code, "DEAD")),
    completion(5, fenced(code)),
    {"name": "dots", "definition": "tiny_gemm", "author": "someone",
     "spec": {"language": "cuda", "target_hardware": ["H100"],
              "entry_point": "src/dots.cu::dots", "dependencies": [],
              "destination_passing_style": True, "binding": "tvm-ffi"},
     "sources": [{"path": "lib/code.cuh", "content": kernel},
                 {"path": "src/helper.cpp",
                  "content": "int rowsOf(long rows) { return int(rows); }\n"},
                 {"path": "src/dots.cu",
                  "content": '#include "../lib/code.cuh"\n'
                             "int rowsOf(long rows);\n" + host}]},
]
with open(sys.argv[2], "w", encoding="utf-8") as file:
    for sample in samples:
        file.write(json.dumps(sample) + "\n")
