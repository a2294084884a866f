#!/usr/bin/env python3
"""Holds what baselines compute on a GPU to the references of the tasks.

  check_baselines.py TASKS FOLDER TASK[:WORKLOAD]...

For each task (family/name; the workload is `small` if none is named): lets
ptxbench-baselines run on fresh inputs, gives the same inputs to
ptxbench-reference, and compares every output by the relative L2 error that the
task allows. Prints a line for each.

Exit status: 0; 1 where something differs or does not run.
"""

import array
import json
import math
import os
import struct
import subprocess
import sys


def fp8(bits):
    """The value of a float8_e4m3fn."""
    exponent, mantissa = bits >> 3 & 15, bits & 7
    if exponent == 15 and mantissa == 7:
        return math.nan
    value = mantissa / 8 * 2.0**-6 if exponent == 0 else (
        (1 + mantissa / 8) * 2.0 ** (exponent - 7))
    return -value if bits & 128 else value


FP8 = [fp8(bits) for bits in range(256)]


def read(path, dtype):
    with open(path, "rb") as file:
        data = file.read()
    if dtype == "float8_e4m3fn":
        return [FP8[byte] for byte in data]
    if dtype == "bfloat16":
        halves = array.array("H", data)
        return list(struct.unpack(
            f"{len(halves)}f",
            b"".join(struct.pack("HH", 0, half) for half in halves)))
    return array.array({"float32": "f", "float64": "d"}[dtype], data).tolist()


def relative_l2(got, wanted):
    if len(got) != len(wanted) or not all(map(math.isfinite, got)):
        return math.inf
    off = math.fsum((a - b) ** 2 for a, b in zip(got, wanted))
    return math.sqrt(off / math.fsum(b * b for b in wanted))


def run(*command):
    """The standard output."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")
    return done.stdout


def check(tasks, folder, task, selector):
    """The lines on one task, and whether all is right."""
    path = os.path.join(tasks, task)
    with open(os.path.join(path, "definition.json"), encoding="utf-8") as file:
        definition = json.load(file)
    extension = definition["ptxbench"]
    uuid = extension.get("small_workload")
    with open(os.path.join(path, "workloads.jsonl"), encoding="utf-8") as file:
        workloads = [json.loads(line)["workload"] for line in file]
    if selector == "small":
        fits = lambda it: it["uuid"] == uuid
    else:
        wanted = dict(pair.split("=") for pair in selector.split(","))
        fits = lambda it: all(
            str(it["axes"][axis]) == value for axis, value in wanted.items())
    axes = [it for it in workloads if fits(it)][0]["axes"]

    def place(name, suffix="bin"):
        return os.path.join(folder, f"{name}.{suffix}")

    baseline = ["ptxbench-baselines", path, f"--workload={selector}",
                f"--save={folder}"]
    reference = ["ptxbench-reference", path]
    reference += [f"--axis={axis}={value}" for axis, value in axes.items()]
    out = run(*baseline)
    computed = extension.get("computed_inputs")
    if computed:
        run(*reference, "--computed-inputs",
            *(f"--input={name}={place(name)}" for name in computed["inputs"]),
            *(f"--output={name}={place(name)}" for name in computed["outputs"]))
        out = run(*baseline)
    print(f"{task} {selector}:{out.splitlines()[0].split(',', 1)[1]}")
    run(
        *reference,
        *(f"--input={name}={place(name)}" for name in definition["inputs"]),
        *(f"--output={name}={place(name, 'reference')}"
          for name in definition["outputs"]))
    right = True
    for name, spec in definition["outputs"].items():
        limit = extension["tolerance"]["max_relative_l2"]
        limit = extension.get("output_tolerance", {}).get(name, {}).get(
            "max_relative_l2", limit)
        got = read(place(name), spec["dtype"])
        size = os.path.getsize(place(name, "reference"))
        wanted = read(place(name, "reference"),
                      "float64" if size == 8 * len(got) else "float32")
        error = relative_l2(got, wanted)
        right &= error <= limit
        print(f"  {name}: {'right' if error <= limit else 'WRONG'}, relative L2 "
              f"error {error:.3g} (limit {limit:g})")
    return right


def main():
    if len(sys.argv) < 4:
        print(__doc__, file=sys.stderr)
        return 2
    tasks, folder = sys.argv[1:3]
    right = True
    for number, item in enumerate(sys.argv[3:]):
        task, _, selector = item.partition(":")
        own = os.path.join(folder, str(number))
        os.makedirs(own)
        try:
            right &= check(tasks, own, task, selector or "small")
        except (RuntimeError, subprocess.TimeoutExpired) as problem:
            right = False
            print(f"{task} {selector}: does not run: {problem}")
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
