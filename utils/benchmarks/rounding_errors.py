#!/usr/bin/env python3
"""How far a right kernel is from the exact result: what tolerances rest on.

For one head of attention and a product, in plain Python: inputs as the tasks
draw them, the exact result, and that of a kernel which rounds where kernels do -
the weights between the two products, and the output. Printed is the relative L2
error of each output, and the part of the elements that fail at atol = rtol =
0.01. See docs/Tasks.md, "Tolerances".

Exit status: 0; 2 bad usage.
"""

import argparse
import math
import os
import random
import sys

sys.path.insert(
    0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "lib")
)
import task_formulas as formulas  # noqa: E402


def compare(got, exact):
    """(relative L2 error, part of the elements that match)."""
    errors = math.fsum((x - y) ** 2 for x, y in zip(got, exact))
    squares = math.fsum(y * y for y in exact)
    failed = sum(
        abs(x - y) > 0.01 and abs(x - y) / (abs(y) + 1e-8) > 0.01
        for x, y in zip(got, exact)
    )
    return math.sqrt(errors / squares), 1 - failed / len(exact)


def show(label, got, exact):
    error, matched = compare(got, exact)
    print(f"  {label:34} {error:9.2e} {100 * matched:8.3f} %")


def draw(source, count, rounded, outliers=False):
    values = []
    for _ in range(count):
        x = source.gauss(0, 1)
        if outliers and source.random() < 0.001:
            x += source.gauss(0, 10)
        values.append(rounded(x))
    return values


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--length", type=int, default=128)
    parser.add_argument("--dimension", type=int, default=64)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    length, d = options.length, options.dimension
    source = random.Random(options.seed)
    bf16, fp8 = formulas.bfloat16, formulas.e4m3
    same = [("P exact", lambda x: x), ("P in bf16", bf16), ("P in fp8", fp8)]

    k = 256
    a, b = draw(source, 16 * k, bf16), draw(source, 16 * k, bf16)
    exact = formulas.gemm(a, b, k)
    print(f"gemm 16 x 16 x {k}, C in bf16")
    show("inputs in bf16", [bf16(x) for x in exact], exact)
    low = formulas.gemm([fp8(x) for x in a], [fp8(x) for x in b], k)
    show("inputs in fp8", [bf16(x) for x in low], exact)

    for causal in (False, True):
        print(f"forward, S = {length}, D = {d}, causal {causal}, O in bf16")
        q, k, v = (draw(source, length * d, bf16) for _ in range(3))
        exact, _ = formulas.forward(q, k, v, d, causal)
        for label, rounded in same:
            got, _ = formulas.forward(q, k, v, d, causal, rounded)
            show(label, [bf16(x) for x in got], exact)

    def clamped(x):
        return fp8(max(-2.0, min(2.0, x)))

    print(f"fp8 forward, S = {length}, D = {d}, causal False, O in fp8")
    q, k, v = (draw(source, length * d, clamped) for _ in range(3))
    exact, _ = formulas.forward(q, k, v, d, False)
    for label, rounded in same[1:]:
        got, _ = formulas.forward(q, k, v, d, False, rounded)
        show(label, [fp8(x) for x in got], exact)

    for causal in (False, True):
        print(f"backward, S = {length}, D = {d}, causal {causal}, in bf16")
        q, k, v, do = (draw(source, length * d, bf16, True) for _ in range(4))
        o, lse = formulas.forward(q, k, v, d, causal)
        o, lse = [bf16(x) for x in o], [formulas.float32(x) for x in lse]
        exact = formulas.backward(q, k, v, o, do, lse, d, causal)
        for label, rounded in same[1:]:
            label = label.replace("P", "P and dS")
            got = formulas.backward(q, k, v, o, do, lse, d, causal, rounded)
            for name, mine, wanted in zip(("dQ", "dK", "dV"), got, exact):
                show(f"{label}: {name}", [bf16(x) for x in mine], wanted)
    return 0


if __name__ == "__main__":
    sys.exit(main())
