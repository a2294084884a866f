#!/usr/bin/env python3
# Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the report and the trace of two_shapes.cu, graph.cu, two_kernels.cu
or launches_nothing.cu.

usage: check_launches.py shapes|graph|kernels|nothing REPORT TRACE
"""

import json
import sys

DEPENDENTS, WAIT = "griddepcontrol.launch_dependents", "griddepcontrol.wait"


def agreements(report):
    """{(grid or None, mnemonic): (reach, agreement, reason)}"""
    result = {}
    for entry in report["entries"]:
        launch = entry["assumptions"]["launch"]
        grid = launch["grid"][0] if launch else None
        for target in entry["targets"]:
            result[grid, target["mnemonic"]] = (
                target["reach"],
                target.get("agreement"),
                target.get("agreement_reason", ""),
            )
    return result


def expect(got, *wanted):
    reach, agreement, part = wanted
    assert got[:2] == (reach, agreement) and part in got[2], (got, wanted)


def main(case, report_path, trace_path):
    with open(report_path, encoding="utf-8") as file:
        report = json.load(file)
    with open(trace_path, encoding="utf-8") as file:
        trace = json.load(file)
    assert report["status"] == "INCORRECT_NUMERICAL", report["status"]
    if case == "nothing":
        assert trace["kernels"] == [], trace["kernels"]
        expect(agreements(report)[None, DEPENDENTS], "all", "unobservable",
               "kernel was not launched")  # fmt: skip
        return
    if case == "kernels":
        counts = {
            entry["name"]: entry["targets"][0].get("executed", {}).get("warps")
            for entry in report["entries"]
        }
        # Two launches of two CTAs of two warps; three CTAs of one; one.
        assert counts == {"first": 8, "second": 3, "aligned": 1, "idle": None}
        aligned = [
            (entry["targets"][0]["reach"], entry["targets"][0]["agreement"])
            for entry in report["entries"]
            if entry["name"] == "aligned" and entry["assumptions"]["launch"]
        ]
        assert aligned == [("all", "confirmed")], aligned
        assert all(kernel["launches_complete"] for kernel in trace["kernels"])
        return
    (kernel,) = trace["kernels"]
    assert kernel["launches_complete"] == (case == "shapes")
    got = agreements(report)
    expect(got[None, DEPENDENTS], "all", "confirmed", "")
    expect(got[None, WAIT], "maybe", "undecided-executed", "")
    other = (
        "the trace has a launch with grid"
        if case == "shapes"
        else "the trace does not record every launch"
    )
    second = 3 if case == "shapes" else 5
    expect(got[2, DEPENDENTS], "all", "unobservable", other)
    expect(got[second, DEPENDENTS], "all", "unobservable", other)
    expect(got[2, WAIT], "never", "unobservable", other)
    expect(got[second, WAIT], "all", "unobservable", other)
    executed = {
        target["line"]: target["executed"]
        for target in report["entries"][0]["targets"]
    }
    counts = sorted(count["warps"] for count in executed.values())
    # Two warps of two CTAs, and one of each of the others.
    assert counts == ([3, 7] if case == "shapes" else [10, 14]), counts


if __name__ == "__main__":
    main(*sys.argv[1:])
