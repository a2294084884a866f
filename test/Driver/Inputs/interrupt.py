#!/usr/bin/env python3
# Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Interrupts a command that has begun to run a candidate.

usage: interrupt.py SIGNAL FOLDER COMMAND ARGUMENT...

FOLDER is made anew and is where the command makes temporary files. As soon as a folder
for a run is in it the command gets SIGNAL (a name such as SIGTERM). It must end by
that signal, FOLDER must then be empty, and no process may be left that has its name
in its command line or environment.

Exit status: 0 so it was; 1 not.
"""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time


def left_over(name):
    """Command lines of processes that have to do with a folder."""
    found = []
    for process in pathlib.Path("/proc").iterdir():
        if not process.name.isdigit() or int(process.name) == os.getpid():
            continue
        try:
            line = (process / "cmdline").read_bytes()
            told = line + (process / "environ").read_bytes()
        except OSError:
            continue
        if line and name.encode() in told:
            found.append(line.replace(b"\0", b" ").decode(errors="replace"))
    return found


def main():
    number = signal.Signals[sys.argv[1]]
    folder = pathlib.Path(sys.argv[2])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    command = subprocess.Popen(
        sys.argv[3:], env=dict(os.environ, TMPDIR=str(folder)),
        stdout=subprocess.DEVNULL)  # fmt: skip
    end = time.monotonic() + 300
    while not any(folder.glob("**/ptxbench-run-*")):
        if command.poll() is not None or time.monotonic() > end:
            print(f"it did not come so far: {command.poll()}")
            return 1
        time.sleep(0.02)
    time.sleep(1)
    command.send_signal(number)
    try:
        status = command.wait(60)
    except subprocess.TimeoutExpired:
        command.kill()
        print("it did not end")
        return 1
    left = [str(path) for path in folder.iterdir()]
    # A process that was killed is there for a moment.
    end = time.monotonic() + 10
    while (running := left_over(str(folder))) and time.monotonic() < end:
        time.sleep(0.1)
    print(f"status {status}, left {left}, running {running}")
    return 0 if status == -number and not left and not running else 1


if __name__ == "__main__":
    sys.exit(main())
