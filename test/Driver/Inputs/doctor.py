#!/usr/bin/env python3
# Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a changed copy of a recorded report or trace.

usage: doctor.py HOW IN OUT

HOW: run-one       the first target of a trace executed by one warp
     stop-one      the first wgmma.mma_async of a trace executed by none
     count-more    one warp more at the first wgmma.mma_async of a trace
     other-text    the trace is of another PTX text
     other-kernel  the first kernel of a trace has another name
     other-params  the parameters of the launches in a trace are others
     unrecorded    the trace does not know all launches
     cut           the first half of the file
     minus-one     a negative count in a trace
     unknown-key   a key too much in a trace
"""

import json
import pathlib
import sys


def change(how, trace):
    kernel = trace["kernels"][0]
    mma = [t for t in kernel["targets"] if t["opcode"] == "wgmma.mma_async"]
    if how == "run-one":
        kernel["targets"][0]["executed"] = {"warps": 1, "threads": 32}
    elif how == "stop-one":
        mma[0]["executed"] = {"warps": 0, "threads": 0}
    elif how == "count-more":
        mma[0]["executed"]["warps"] += 1
    elif how == "other-text":
        trace["ptx_sha256"] = "0" * 64
    elif how == "other-kernel":
        kernel["name"] = "another"
    elif how == "other-params":
        for launch in kernel["launches"]:
            launch["params"] = "ff" * (len(launch["params"]) // 2)
    elif how == "unrecorded":
        kernel["launches_complete"] = False
    elif how == "minus-one":
        kernel["sass"][0]["warps"] = -1
    elif how == "unknown-key":
        kernel["luck"] = 7
    else:
        sys.exit(f"doctor.py: no change is called '{how}'")


def main(how, source, target):
    text = pathlib.Path(source).read_text(encoding="utf-8")
    if how == "cut":
        text = text[: len(text) // 2]
    else:
        document = json.loads(text)
        change(how, document)
        text = json.dumps(document)
    pathlib.Path(target).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
