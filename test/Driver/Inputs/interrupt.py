#!/usr/bin/env python3
# Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sends a signal to a program when a file is there.

usage: interrupt.py FOLDER PATTERN SIGNAL COMMAND...

FOLDER is made anew, as that of temporary files. Once a file of that PATTERN is in it the
COMMAND gets SIGTERM or SIGINT (`TERM`, `INT`). Exit status 0 if it ends by that and
leaves nothing in FOLDER, 1 with a message if not.
"""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

folder, pattern, name, *command = sys.argv[1:]
shutil.rmtree(folder, ignore_errors=True)
os.makedirs(folder)
number = getattr(signal, "SIG" + name)
# Whoever started this may ignore it, and a program that is started would, too.
signal.signal(number, signal.SIG_DFL)
process = subprocess.Popen(command, env={**os.environ, "TMPDIR": folder},
                           stdout=subprocess.DEVNULL)
end = time.monotonic() + 300
while not any(pathlib.Path(folder).glob(pattern)):
    if process.poll() is not None or time.monotonic() > end:
        process.kill()
        sys.exit(f"it made no '{pattern}' (status {process.wait()})")
    time.sleep(0.01)
process.send_signal(number)
try:
    status = process.wait(60)
except subprocess.TimeoutExpired:
    process.kill()
    sys.exit(f"it goes on after {name}")
left = os.listdir(folder)
if status != -number or left:
    sys.exit(f"status {status}, left: {left}")
