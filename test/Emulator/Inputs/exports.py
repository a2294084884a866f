#!/usr/bin/env python3
# Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what the toolkit's libcudart exports with what the emulated one does.

usage: exports.py NVCC FOLDER

Takes the real library from the folders beside nvcc. Exit status: 0 where the
emulated one exports all of it, or where there is no real one to compare with;
1 otherwise, with the missing names.
"""

import glob
import os
import subprocess
import sys


def exports(path):
    text = subprocess.run(
        ["nm", "-D", "--with-symbol-versions", path],
        capture_output=True, text=True, check=True,
    ).stdout
    lines = (line.split() for line in text.splitlines())
    return {parts[2] for parts in lines
            if len(parts) == 3 and parts[1] in ("T", "W", "V")}


def main():
    root = os.path.dirname(os.path.dirname(os.path.realpath(sys.argv[1])))
    real = [path for folder in ("lib64", "lib", "targets/x86_64-linux/lib")
            for path in glob.glob(os.path.join(root, folder, "libcudart.so.*"))]
    if not real:
        print("no libcudart to compare with")
        return 0
    mine, = glob.glob(os.path.join(sys.argv[2], "libcudart.so.*"))
    wanted = {name for name in exports(real[0]) if "cuda" in name}
    missing = sorted(wanted - exports(mine))
    for name in missing:
        print("missing:", name)
    print(len(wanted), "functions compared")
    return 1 if missing or not wanted else 0


if __name__ == "__main__":
    sys.exit(main())
