# Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs candidates on a GPU and prints what is said of each.

usage: run_negative.py RUNNER TASK FOLDER OUT NAME...

A line `NAME: STATUS: REASON` for each. Exit status: 0; 1 if a run left no
report.
"""

import json
import subprocess
import sys


def main():
    runner, task, folder, out, *names = sys.argv[1:]
    for name in names:
        report = f"{out}.{name}.json"
        subprocess.run(
            [runner, "run", f"{folder}/{name}.cu", f"--task={task}"]
            + ["--backend=cuda", "--format=json", "-o", report]
        )
        try:
            with open(report) as file:
                result = json.load(file)
        except OSError as error:
            print(f"{name}: {error}")
            return 1
        print(f"{name}: {result['status']}: {result.get('reason', '')}")
    return 0


sys.exit(main())
