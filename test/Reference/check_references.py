#!/usr/bin/env python3
# Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds every reference in MLIR to formulas in plain Python.

usage: check_references.py TASKS LIB [--break FUNCTION=FROM=TO] [--device=DEVICE]

For one task of each function of tasks/*/_reference/*.mlir, with small extents:
ptxbench-reference computes the outputs from random inputs, whole and as a sample,
and so does LIB/task_formulas.py. The definitions of all tasks must name a function
that is checked so. --break replaces text in a copy of the reference: then the
comparison must find it.

Exit status: 0 all agree; 1 with a line for each that does not.
"""

import argparse
import glob
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

# (task, axes that are const there, axes of the workload)
CASES = {
    "gemm": ("gemm/gemm_n128_k2048", {"N": 5, "K": 19}, {"M": 7}),
    "fp8_gemm_nt_1d2d": (
        "gemm/fp8_gemm_nt_1d2d_n32768_k512",
        {"N": 256, "K": 256, "blocks_n": 2, "blocks_k": 2},
        {"M": 3},
    ),
    "forward": ("mha/mha_with_lse_d96", {"D": 20}, {"B": 2, "H": 3, "S": 37}),
    "forward_causal": (
        "mha/mha_with_lse_d64_causal", {"D": 8}, {"B": 2, "H": 2, "S": 34},
    ),
    "fp8_forward": (
        "mha/fp8_mha_with_lse_d64", {"D": 12}, {"B": 1, "H": 2, "S": 18},
    ),
    "fp8_forward_causal": (
        "mha/fp8_mha_with_lse_d256_causal", {"D": 4}, {"B": 2, "H": 1, "S": 33},
    ),
    "backward": ("mha/mha_bwd_d128", {"D": 9}, {"B": 2, "H": 2, "S": 19}),
    "backward_causal": (
        "mha/mha_bwd_d96_causal", {"D": 8}, {"B": 1, "H": 3, "S": 35},
    ),
}  # fmt: skip


class Case:
    """One task with small extents, its inputs and what must come out."""

    def __init__(self, function, options, formulas, folder):
        self.formulas, self.folder = formulas, folder
        self.device = options.device
        task, const, axes = CASES[function]
        path = os.path.join(options.tasks, task, "definition.json")
        with open(path, encoding="utf-8") as file:
            self.definition = json.load(file)
        for axis, value in const.items():
            self.definition["axes"][axis]["value"] = value
        reference = self.definition["ptxbench"]["reference"]
        assert reference["function"] == function, (reference, function)
        source = os.path.join(os.path.dirname(path), reference["file"])
        with open(source, encoding="utf-8") as file:
            text = file.read()
        if options.broken and options.broken.split("=")[0] == function:
            _, old, new = options.broken.split("=")
            assert old in text, old
            text = text.replace(old, new)
        reference["file"] = "reference.mlir"
        with open(os.path.join(folder, "reference.mlir"), "w", encoding="utf-8") as file:
            file.write(text)
        with open(os.path.join(folder, "definition.json"), "w", encoding="utf-8") as file:
            json.dump(self.definition, file)
        self.axes = dict(axes)
        self.extents = {**const, **axes, "one": 1}
        self.independent = self.definition["ptxbench"]["independent_axes"]

    def count(self, tensor):
        total = 1
        for axis in tensor["shape"]:
            total *= self.extents[axis]
        return total

    def path(self, name):
        return os.path.join(self.folder, name + ".bin")

    def run_tool(self, *arguments):
        command = ["ptxbench-reference", self.folder, *arguments]
        command.append(f"--device={self.device}")
        command += [f"--axis={axis}={value}" for axis, value in self.axes.items()]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"exit status {done.returncode}: {done.stderr}")
        return json.loads(done.stdout)

    def read(self, name, dtype):
        with open(self.path(name), "rb") as file:
            return self.formulas.from_bytes(file.read(), dtype)

    def make_inputs(self, source):
        computed = self.definition["ptxbench"].get("computed_inputs", {})
        self.inputs = {}
        for name, tensor in self.definition["inputs"].items():
            if name in computed.get("outputs", []):
                continue
            scale = name.startswith("descale") or name.startswith("SF")
            values = [
                source.uniform(0.5, 2) if scale else source.gauss(0, 1)
                for _ in range(self.count(tensor))
            ]
            data = self.formulas.to_bytes(values, tensor["dtype"])
            with open(self.path(name), "wb") as file:
                file.write(data)
            self.inputs[name] = self.formulas.from_bytes(data, tensor["dtype"])
        if not computed:
            return
        self.run_tool(
            "--computed-inputs",
            *(f"--input={name}={self.path(name)}" for name in computed["inputs"]),
            *(f"--output={name}={self.path(name)}" for name in computed["outputs"]),
        )
        for name in computed["outputs"]:
            dtype = self.definition["inputs"][name]["dtype"]
            self.inputs[name] = self.read(name, dtype)

    def outputs(self, only=()):
        names = self.definition["outputs"]
        answer = self.run_tool(
            *(f"--input={name}={self.path(name)}" for name in self.inputs),
            *(f"--output={name}={self.path(name)}" for name in names),
            *(f"--only={axis}={text}" for axis, text in only),
        )
        return {
            name: self.read(name, answer["outputs"][name]["type"]) for name in names
        }


def expected(case, formulas, function):
    """The outputs by the formulas; O and LSE where they are inputs, too."""
    x, extents = case.inputs, case.extents
    if function == "gemm":
        return {"C": formulas.gemm(x["A"], x["B"], extents["K"])}
    if function == "fp8_gemm_nt_1d2d":
        return {
            "D": formulas.fp8_gemm_1d2d(
                x["A"], x["SF_A"], x["B"], x["SF_B"], extents["K"]
            )
        }
    d, length = extents["D"], extents["S"]
    causal = function.endswith("_causal")
    backward = function.startswith("backward")
    names = ["dQ", "dK", "dV", "O", "LSE"] if backward else ["O", "LSE"]
    result = {name: [] for name in names}
    for head in range(extents["B"] * extents["H"]):

        def part(name, scale=1.0):
            width = length * (1 if name == "LSE" else d)
            values = x[name][head * width : (head + 1) * width]
            return [value * scale for value in values]

        scales = [x.get(f"descale_{name}", [1.0])[0] for name in "qkv"]
        q, k, v = (part(name, s) for name, s in zip("QKV", scales))
        o, lse = formulas.forward(q, k, v, d, causal)
        result["O"] += o
        result["LSE"] += lse
        if backward:
            gradients = formulas.backward(
                q, k, v, part("O"), part("dO"), part("LSE"), d, causal
            )
            for name, values in zip(("dQ", "dK", "dV"), gradients):
                result[name] += values
    return result


def differ(got, wanted, limit):
    """A text on the first difference; empty if there is none."""
    if len(got) != len(wanted):
        return f"{len(got)} elements instead of {len(wanted)}"
    for i, (x, y) in enumerate(zip(got, wanted)):
        if not abs(x - y) <= limit * (1 + abs(y)):
            return f"element {i} is {x} instead of {y}"
    return ""


def check(function, options, formulas):
    with tempfile.TemporaryDirectory() as folder:
        case = Case(function, options, formulas, folder)
        case.make_inputs(random.Random(function))
        wanted = expected(case, formulas, function)
        got = case.outputs()
        for name, values in got.items():
            if text := differ(values, wanted[name], 1e-11):
                yield f"{function}, output {name}: {text}"
        # O and LSE as inputs: the same, rounded to bfloat16 and float32.
        for name, limit in (("O", 2.0**-8), ("LSE", 2.0**-23)):
            if name in case.inputs:
                if text := differ(case.inputs[name], wanted[name], limit):
                    yield f"{function}, computed input {name}: {text}"
        # The last index of each axis, and for two or more the first.
        only, indices = [], {}
        for axis in case.independent:
            last = case.extents[axis] - 1
            indices[axis] = sorted({0, last}) if axis in ("M", "H") else [last]
            only.append((axis, ",".join(map(str, indices[axis]))))
        for name, values in case.outputs(only).items():
            shape = case.definition["outputs"][name]["shape"]
            kept = [got[name][i] for i in places(shape, case.extents, indices)]
            if text := differ(values, kept, 0):
                yield f"{function}, a sample of output {name}: {text}"


def places(shape, extents, indices):
    """Where the elements of a sample are in the whole."""
    found = [0]
    for axis in shape:
        here = indices.get(axis, range(extents[axis]))
        found = [at * extents[axis] + i for at in found for i in here]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tasks")
    parser.add_argument("lib")
    parser.add_argument("--break", dest="broken", metavar="FUNCTION=FROM=TO")
    parser.add_argument("--device", default="cpu")
    options = parser.parse_args()
    sys.path.insert(0, options.lib)
    import task_formulas

    wrong = []
    if not shutil.which("ptxbench-reference"):
        wrong.append("there is no ptxbench-reference on PATH")
    functions = [options.broken.split("=")[0]] if options.broken else CASES
    for function in functions if not wrong else []:
        wrong += check(function, options, task_formulas)
        print(f"{function}: checked")
    for path in glob.glob(os.path.join(options.tasks, "*", "*", "definition.json")):
        with open(path, encoding="utf-8") as file:
            definition = json.load(file)
        reference = definition["ptxbench"].get("reference", {})
        if reference.get("function") not in CASES:
            wrong.append(f"{path}: no case for its reference {reference}")
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
