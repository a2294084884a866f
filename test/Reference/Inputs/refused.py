#!/usr/bin/env python3
# Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs ptxbench-reference on the task of Inputs/sum with a reference of its own.

usage: refused.py STATUS TASK REFERENCE X [OPTION...]

Prints what it says, and the outputs: name, type, shape, elements. Exit status 0
if it ended with STATUS, 1 if not.
"""

import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile

status, task, reference, x, *options = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
    shutil.copy(os.path.join(task, "definition.json"), folder)
    # By its own name in messages.
    definition = os.path.join(folder, "definition.json")
    with open(definition, encoding="utf-8") as file:
        content = json.load(file)
    content["ptxbench"] = {"reference": os.path.basename(reference)}
    shutil.copy(reference, folder)
    with open(definition, "w", encoding="utf-8") as file:
        json.dump(content, file)
    files = {name: os.path.join(folder, name) for name in "YZ"}
    done = subprocess.run(
        ["ptxbench-reference", folder, "--axis=N=1", f"--input=X={x}",
         "--scalar=factor=2", "--threads=1",
         *(f"--output={name}={path}" for name, path in files.items()), *options],
        capture_output=True, text=True,
    )  # fmt: skip
    print(done.stderr, end="")
    if done.returncode == 0:
        for name, output in sorted(json.loads(done.stdout)["outputs"].items()):
            with open(files[name], "rb") as file:
                data = file.read()
            size = 8 if output["type"] == "float64" else 4
            numbers = struct.unpack(f"<{len(data) // size}{'d' if size == 8 else 'f'}", data)
            print(name, output["type"], output["shape"], *numbers)
if done.returncode != int(status):
    print(f"expected exit status {status} but got {done.returncode}", file=sys.stderr)
    sys.exit(1)
