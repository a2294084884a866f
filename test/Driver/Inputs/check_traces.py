#!/usr/bin/env python3
# Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks traces by the rules with which FlashInfer-Bench loads them.

usage: check_traces.py TRACES.jsonl [--statuses=STATUS,STATUS,...]

Every line is a trace object: non-empty names, a workload with non-negative axes
and inputs of the three kinds, an evaluation with one of its seven statuses, an
environment whose hardware is named, a timestamp, and the blocks `correctness` and
`performance` exactly where its status has them. With --statuses the statuses of
the lines must be these, in order.

Exit status: 0 all fit, 1 one does not (each violation is printed).
"""

import json
import math
import sys

STATUSES = {
    # status: (has correctness, has performance)
    "PASSED": (True, True),
    "INCORRECT_NUMERICAL": (True, False),
    "INCORRECT_SHAPE": (False, False),
    "INCORRECT_DTYPE": (False, False),
    "RUNTIME_ERROR": (False, False),
    "COMPILE_ERROR": (False, False),
    "TIMEOUT": (False, False),
}


class Violation(Exception):
    pass


def need(condition, text):
    if not condition:
        raise Violation(text)


def is_text(value):
    return isinstance(value, str) and value != ""


def number(value):
    """A JSON number, or one of the strings that stand for what JSON lacks."""
    if isinstance(value, str):
        need(value in ("NaN", "Infinity", "-Infinity"), f"no number: {value}")
        return float(value.replace("Infinity", "inf"))
    need(isinstance(value, (int, float)) and not isinstance(value, bool),
         f"no number: {value}")  # fmt: skip
    return float(value)


def check_workload(workload):
    need(isinstance(workload, dict), "workload is no object")
    need(is_text(workload.get("uuid")), "workload.uuid")
    for name, value in workload["axes"].items():
        need(type(value) is int and value >= 0, f"workload.axes.{name}")
    for name, source in workload["inputs"].items():
        kind = source.get("type")
        if kind == "scalar":
            need(isinstance(source.get("value"), (int, float, bool)),
                 f"workload.inputs.{name}.value")  # fmt: skip
        elif kind == "safetensors":
            need(is_text(source.get("path")), f"workload.inputs.{name}.path")
            need(is_text(source.get("tensor_key")), f"workload.inputs.{name}.tensor_key")
        else:
            need(kind == "random", f"workload.inputs.{name}.type")


def check_evaluation(evaluation):
    status = evaluation.get("status")
    need(status in STATUSES, f"evaluation.status: {status}")
    environment = evaluation["environment"]
    need(is_text(environment.get("hardware")), "environment.hardware")
    need(all(isinstance(version, str) for version in environment["libs"].values()),
         "environment.libs")  # fmt: skip
    need(is_text(evaluation.get("timestamp")), "evaluation.timestamp")
    need(isinstance(evaluation.get("log", ""), str), "evaluation.log")
    for key, wanted in zip(("correctness", "performance"), STATUSES[status]):
        need((evaluation.get(key) is not None) == wanted,
             f"{status} {'without' if wanted else 'with'} {key}")  # fmt: skip
    if evaluation.get("correctness"):
        need(environment["hardware"] != "none", "environment.hardware of what ran")
        for key in ("max_relative_error", "max_absolute_error"):
            value = number(evaluation["correctness"][key])
            need(math.isnan(value) or value >= 0, f"correctness.{key}")
    if evaluation.get("performance"):
        for key in ("latency_ms", "reference_latency_ms", "speedup_factor"):
            need(number(evaluation["performance"][key]) >= 0, f"performance.{key}")


def check(line):
    trace = json.loads(line)
    need(is_text(trace.get("definition")), "definition")
    check_workload(trace.get("workload"))
    need(is_text(trace.get("solution")), "solution")
    check_evaluation(trace["evaluation"])
    return trace["evaluation"]["status"]


def main(path, *options):
    wrong, statuses = 0, []
    with open(path, encoding="utf-8") as file:
        for place, line in enumerate(file, 1):
            try:
                statuses.append(check(line))
            except (Violation, KeyError, AttributeError, ValueError) as error:
                print(f"{path}:{place}: {type(error).__name__}: {error}")
                wrong += 1
    for option in options:
        wanted = option.removeprefix("--statuses=").split(",")
        if statuses != wanted:
            print(f"{path}: expected {wanted} but got {statuses}")
            wrong += 1
    print(f"{len(statuses)} traces, {wrong} violations")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
