#!/usr/bin/env python3
# Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Starts an evaluation and kills (SIGKILL) the process of its first `run`.

usage: kill_run.py COMMAND...

Ends with the exit status of the evaluation, or with 99 where there was no such
process.
"""

import os
import pathlib
import signal
import subprocess
import sys
import time


def runs(parent):
    """The children of a process that are a `run`."""
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            after = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            arguments = (entry / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue  # It has ended.
        if int(after[1]) == parent and arguments[1:2] == [b"run"]:
            yield int(entry.name)


def main(*command):
    process = subprocess.Popen(command)
    while process.poll() is None:
        for child in runs(process.pid):
            os.kill(child, signal.SIGKILL)
            return process.wait()
        time.sleep(0.005)
    print("there was no run to kill")
    return 99


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
