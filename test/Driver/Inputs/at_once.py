#!/usr/bin/env python3
# Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command several times at once.

usage: at_once.py TIMES STATUS COMMAND ARGUMENT...

`{}` in an argument becomes the number of the run, from 1. Exit status 0 if each
ended with STATUS.
"""

import subprocess
import sys

times, status, command = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
runs = [
    subprocess.Popen([part.replace("{}", str(i)) for part in command])
    for i in range(1, times + 1)
]
got = [run.wait() for run in runs]
if got != [status] * times:
    sys.exit(f"at_once.py: expected exit status {status} but got {got}")
