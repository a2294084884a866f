#!/usr/bin/env python3
# Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares recorded executions with what arithmetic says.

usage: check_counts.py FOLDER NAME...

FOLDER holds NAME.report.json and NAME.trace.json. The formulas are those of
tasks/gemm/gemm_n7168_k5120/README.md: with T CTAs and 80 k-steps, the counts of
each PTX line, by warps and by threads. A count of None is not compared (it
depends on timing, or the machine code counts something else).
"""

import json
import pathlib
import sys

K_STEPS = 5120 // 64
CONSUMER_WARPS = 8


def ceil_div(a, b):
    return -(-a // b)


def expected(opcode, mnemonic, tiles, multicast):
    """(how many lines there are, warps, threads) of one opcode."""
    steps = tiles * K_STEPS
    all_steps = steps * CONSUMER_WARPS
    if opcode == "wgmma.mma_async":
        return 4, all_steps, 32 * all_steps
    if opcode == "cp.async.bulk.tensor":
        if ".global.shared::cta" in mnemonic:
            return 4, 2 * tiles, 2 * tiles
        return 2, steps, steps
    if opcode == "stmatrix":
        return 16, 8 * tiles, 32 * 8 * tiles
    if opcode == "mbarrier.init":
        return 8, tiles, tiles
    if opcode == "mbarrier.arrive.expect_tx":
        return 1, steps, steps
    if opcode == "mbarrier.arrive" and "expect_tx" in mnemonic:
        return 1, steps, steps
    if opcode == "mbarrier.arrive":
        # Predicated: issued in the last k-step, too, with no thread on.
        lanes = 2 if multicast else 1
        return 1, all_steps, lanes * (all_steps - tiles * CONSUMER_WARPS)
    if opcode == "setmaxnreg" and ".dec" in mnemonic:
        return 1, 4 * tiles, 32 * 4 * tiles
    if opcode.startswith("barrier.cluster"):
        return 2, 12 * tiles, 32 * 12 * tiles
    return None


def check(folder, name):
    report = json.loads((folder / f"{name}.report.json").read_text())
    trace = json.loads((folder / f"{name}.trace.json").read_text())
    rows = report["dynamic"]["workload"]["axes"]["M"]
    multicast = "cluster" in name
    tiles = 56 * ceil_div(rows, 256) if multicast else 28 * ceil_div(rows, 128)
    (kernel,) = trace["kernels"]
    (launch,) = kernel["launches"]
    assert launch["grid"] == [tiles, 1, 1], launch["grid"]
    assert launch["count"] == 1, launch["count"]
    verdicts = {
        (target["line"], target["column"]): target
        for target in report["entries"][0]["targets"]
    }
    lines, wrong = {}, 0
    for target in kernel["targets"]:
        verdict = verdicts[(target["line"], target["column"])]
        opcode, mnemonic = verdict["opcode"], verdict["mnemonic"]
        wanted = expected(opcode, mnemonic, tiles, multicast)
        if wanted is None:
            continue
        key = (opcode, wanted)
        lines[key] = lines.get(key, 0) + 1
        got = target["executed"]["warps"], target["executed"]["threads"]
        if got != wanted[1:]:
            wrong += 1
            print(f"{name}: line {target['line']} {mnemonic}: "
                  f"expected {wanted[1:]} but counted {got}")
    for (opcode, wanted), count in lines.items():
        if count != wanted[0]:
            wrong += 1
            print(f"{name}: expected {wanted[0]} lines of {opcode} but got {count}")
    opcodes = {opcode for opcode, _ in lines}
    for opcode in ("wgmma.mma_async", "cp.async.bulk.tensor"):
        if opcode not in opcodes:
            wrong += 1
            print(f"{name}: no line of {opcode}")
    print(f"{name}: M={rows}, {tiles} CTAs, {sum(lines.values())} lines checked, "
          f"{wrong} wrong")
    return wrong


def main(folder, *names):
    return 1 if sum(check(pathlib.Path(folder), name) for name in names) else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
