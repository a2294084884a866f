#!/usr/bin/env python3
# Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kills an evaluation (SIGKILL) each time that a record was written, starts it
again, and looks whether every sample was done once and no record was lost.

usage: kill_and_resume.py KILLS RESULTS COMMAND...

COMMAND is the evaluation, whose results go to the folder RESULTS. Prints how many
records each start found. Exit status 1 if something was lost or done twice.
"""

import json
import pathlib
import subprocess
import sys
import time


def records(path):
    """The whole lines of a file that may just be written."""
    if not path.exists():
        return []
    text = path.read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines(True) if line.endswith("\n")]


def main(kills, results, *command):
    path = pathlib.Path(results) / "results.jsonl"
    for _ in range(int(kills)):
        before = records(path)
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 300
        while len(records(path)) == len(before) and process.poll() is None:
            if time.monotonic() > deadline:
                print("no record in 300 s")
                return 1
            time.sleep(0.02)
        process.kill()
        process.wait()
        after = records(path)
        if after[: len(before)] != before:
            print("a record has changed")
            return 1
        print(f"killed with {len(after)} records", flush=True)
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        print(f"the last start ended with {done.returncode}")
        return 1
    before, after = after, records(path)
    if after[: len(before)] != before:
        print("a record has changed")
        return 1
    keys = [record["key"] for record in after]
    if len(set(keys)) != len(keys):
        print(f"a sample was done twice: {keys}")
        return 1
    indices = sorted(record["index"] for record in after)
    if indices != list(range(len(indices))):
        print(f"a sample is missing: {indices}")
        return 1
    print(f"{len(after)} records, each sample once")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
