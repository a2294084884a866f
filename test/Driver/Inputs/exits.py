#!/usr/bin/env python3
# Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command that must end with one exit status.

usage: exits.py STATUS COMMAND ARGUMENT...

Standard output and error are the command's; exit status 0 if it ended with
STATUS, 1 if not.
"""

import subprocess
import sys

status = subprocess.run(sys.argv[2:]).returncode
if status != int(sys.argv[1]):
    print(
        f"exits.py: expected exit status {sys.argv[1]} but got {status}: "
        f"{' '.join(sys.argv[2:])}",
        file=sys.stderr,
    )
    sys.exit(1)
