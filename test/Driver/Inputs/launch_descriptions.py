#!/usr/bin/env python3
# Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a candidate in PTX under descriptions of launches that are wrong, and
holds what is said of each against what must be said.

usage: launch_descriptions.py FOLDER TASK

FOLDER has dot.ptx and its dot.launch.json. Exit status 0 if all is as expected.
"""

import copy
import json
import pathlib
import subprocess
import sys

folder, task = pathlib.Path(sys.argv[1]), sys.argv[2]
good = json.loads((folder / "dot.launch.json").read_text(encoding="utf-8"))

RANGE = "expected a number from {} to {} but got {}"
VALUES = "a number, an axis of the task, '(', ceildiv, min or max"


def box(*extents):
    return {"tensor_map": {"tensor": "A", "box": list(extents)}}


# What is refused before it runs: the field of the launch, its value, the place
# behind "launches[0]." and the message.
REFUSED = [
    # Decimal, and nothing else.
    ("block", ["0200"], "block[0]", "a decimal number without leading zeros but "
     "got '0200' at column 1"),
    ("block", ["0128"], "block[0]", "leading zeros but got '0128'"),
    ("block", ["1 + 0x10"], "block[0]", "leading zeros but got '0x10' at column 5"),
    ("block", ["1u"], "block[0]", "leading zeros but got '1u'"),
    ("grid", ["9223372036854775808"], "grid[0]", "expected a number below 2^63"),
    # Each dimension has its limit.
    ("grid", [4294967297, "M"], "grid[0]", RANGE.format(1, 2147483647, 4294967297)),
    ("grid", [0], "grid[0]", RANGE.format(1, 2147483647, 0)),
    ("grid", [-1], "grid[0]", RANGE.format(1, 2147483647, -1)),
    ("grid", ["N", 65536], "grid[1]", RANGE.format(1, 65535, 65536)),
    ("grid", [1, 1, "65535 + 1"], "grid[2]", RANGE.format(1, 65535, 65536)),
    # A constant axis is known, too.
    ("grid", ["N - 3"], "grid[0]", RANGE.format(1, 2147483647, 0)),
    ("block", [1025], "block[0]", RANGE.format(1, 1024, 1025)),
    ("block", [1, 1, 65], "block[2]", RANGE.format(1, 64, 65)),
    ("block", [32, 33], "block", "expected at most 1024 threads in a block but got "
     "1056"),
    ("cluster", [9], "cluster[0]", RANGE.format(1, 8, 9)),
    ("cluster", [4, 4], "cluster", "expected at most 8 blocks in a cluster but got "
     "16"),
    ("dynamic_shared_bytes", -1, "dynamic_shared_bytes",
     RANGE.format(0, 2147483647, -1)),
    ("dynamic_shared_bytes", 4294967296, "dynamic_shared_bytes",
     RANGE.format(0, 2147483647, 4294967296)),
    ("block", [1.5], "block[0]", "expected a whole number of 64 bits"),
    ("block", [None], "block[0]", "expected a string but got null"),
    ("block", [], "block", "expected 1 to 3 extents but got 0"),
    ("block", [1, 1, 1, 1], "block", "expected 1 to 3 extents but got 4"),
    # Arithmetic that has no result.
    ("grid", ["1 / (N - 3)"], "grid[0]", "divides by zero"),
    ("grid", ["9223372036854775807 + 1"], "grid[0]", "does not fit in 64 bits"),
    ("grid", ["3037000500 * 3037000500"], "grid[0]", "does not fit in 64 bits"),
    # What would not compile.
    ("grid", ["min(1)", "M"], "grid[0]", "expected min(A, B), with two arguments, "
     "but got ')' at column 6"),
    ("grid", ["max(1, 2, 3)"], "grid[0]", "expected max(A, B), with two arguments, "
     "but got ',' at column 9"),
    ("grid", ["ceildiv()"], "grid[0]", f"expected {VALUES} but got ')'"),
    ("grid", ["min"], "grid[0]", "expected '(' behind it but got the end"),
    ("grid", ["pow(2, 3)"], "grid[0]", f"expected {VALUES} but got 'pow'"),
    ("grid", ["axis0"], "grid[0]", f"expected {VALUES} but got 'axis0'"),
    ("grid", ["M M"], "grid[0]", "expected an operator but got 'M' at column 3"),
    ("grid", ["M)"], "grid[0]", "expected an operator but got ')'"),
    ("grid", ["(M"], "grid[0]", "expected ')' but got the end of \"(M\""),
    ("grid", ["M, 1"], "grid[0]", "expected an operator but got ','"),
    ("grid", ["-M"], "grid[0]", f"expected {VALUES} but got '-'"),
    ("grid", [""], "grid[0]", f"expected {VALUES} but got the end of \"\""),
    ("grid", ["M\n;"], "grid[0]", "expected an operator but got ';' at column 3 of "
     '"M\\n;"'),
    ("grid", ["(" * 65 + "1" + ")" * 65], "grid[0]", "nested at most 64 deep"),
    ("grid", ["M" + "+1" * 300], "grid[0]", "expected at most 256 operators"),
    ("grid", ["1" + " " * 5000], "grid[0]", "at most 4096 characters but got 5001"),
    ("entry", "", "entry", "expected the name of an entry but got ''"),
    ("entry", 'dot"', "entry", "expected the name of an entry but got 'dot\"'"),
    ("entry", "f" * 200000, "entry", "at most 4096 characters but got 200000"),
    # Parameters.
    ("params", [{"value": 256, "type": "u8"}], "params[0].value",
     RANGE.format(0, 255, 256)),
    ("params", [{"value": 4294967296, "type": "s32"}], "params[0].value",
     RANGE.format(-2147483648, 2147483647, 4294967296)),
    ("params", [{"value": 1.5, "type": "s32"}], "params[0].value",
     "expected a whole number of 64 bits"),
    ("params", [{"value": 1, "type": "int"}], "params[0]",
     "expected a type such as s32"),
    ("params", [box(1, 257)], "params[0].tensor_map.box[1]", RANGE.format(1, 256, 257)),
    ("params", [box(1)], "params[0].tensor_map.box",
     "expected an extent for each of 2 dimensions but got 1"),
    ("params", [{"value": 1, "type": "s32"}] * 20000, "params[", "larger than 1 MiB"),
    # What the entry takes.
    ("entry", "dott", "entry", "expected an entry of the candidate, which has 'dot', "
     "but got 'dott'; did you mean 'dot'?"),
    ("params", good["launches"][0]["params"][:-1], "params",
     "expected the 5 parameters of 'dot' but got 4"),
    ("params", good["launches"][0]["params"] * 2, "params",
     "expected the 5 parameters of 'dot' but got 10"),
    ("params", [*good["launches"][0]["params"][:-1], {"value": 4, "type": "s64"}],
     "params[4]", "expected a value of 4 bytes, which parameter 4 of 'dot' (.u32) has, "
     "but one of the type s64 has 8"),
    ("params", [box(1, 4), *good["launches"][0]["params"][1:]], "params[0]",
     "expected a value of 8 bytes, which parameter 0 of 'dot' (.u64) has, but a tensor "
     "map has 128"),
    ("params", [*good["launches"][0]["params"][:3], {"tensor": "A"},
                good["launches"][0]["params"][4]], "params[3]",
     "but the address of a tensor has 8"),
]  # fmt: skip

# What is found when it runs, by the description's place.
FAILS = [
    ("block", ["1024 * M"], "block[0]", RANGE.format(1, 1024, 2048)),
    ("grid", ["N", "M / (M - 2)"], "grid[1]",
     "expected a number but the expression divides by zero"),
]  # fmt: skip

# What is right: it computes the same.
RIGHT = [("grid", ["min(N, max(3, 1)) % 4", "M * 65535 / 65535 + M - M - 0"])]


def run(field, value):
    description = copy.deepcopy(good)
    description["launches"][0][field] = value
    (folder / "dot.launch.json").write_text(json.dumps(description, indent=1))
    done = subprocess.run(
        ["mlir-ptxbench-runner", "run", folder / "dot.ptx", f"--task={task}",
         "--backend=emulator", "--workload=small", "--sanitize=none",
         "--format=json"],
        capture_output=True, text=True,
    )  # fmt: skip
    report = json.loads(done.stdout) if done.stdout else {}
    return done.returncode, report.get("status"), done.stderr, report.get("reason", "")


wrong = 0


def expect(field, value, holds, got):
    global wrong
    if not holds:
        wrong += 1
        print(f"{field} = {json.dumps(value)[:80]}: {got}")


for field, value, place, message in REFUSED:
    status, verdict, said, _ = run(field, value)
    where = f": launches[0].{place}" + ("" if place[-1] == "[" else ": ")
    holds = status == 2 and verdict is None and message in said
    holds = holds and "dot.launch.json:" in said and where in said
    expect(field, value, holds, (status, said[:400]))
for field, value, place, message in FAILS:
    status, verdict, said, reason = run(field, value)
    holds = status == 1 and verdict == "RUNTIME_ERROR" and message in reason
    holds = holds and f": launches[0].{place}: " in reason
    expect(field, value, holds, (status, verdict, reason, said[:400]))
for field, value in RIGHT:
    status, verdict, said, reason = run(field, value)
    expect(field, value, verdict == "PASSED", (status, verdict, reason, said[:400]))
print(f"{wrong} are wrong" if wrong else "all as expected")
sys.exit(1 if wrong else 0)
