#!/usr/bin/env python3
"""Compares the machine code of PTX files before and after a round trip.

Each file goes through `ptxbench-translate --import-ptx` and `--export-ptx`, or,
with --passes, through `ptxbench-opt` between them, or, with --format, through
`ptxbench-translate --format-ptx`. Both texts are assembled with ptxas, and all
`.text*` sections of the two cubins are compared byte by byte. Without --passes, no
value may have left its register.

Exit status: 0 if all files are the same; 1 if a section differs or a tool
refused a file; the output names the file, the section and the first byte.
"""

import argparse
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "..", "..", "utils", "lib"))
from machine_code import Assembler, differences, run, sections


def check(path, args, assembler, work):
    """The complaints about one file."""
    mlir = os.path.join(work, "module.mlir")
    again = os.path.join(work, "again.ptx")
    if args.format:
        commands = [[args.translate, "--format-ptx", "--verify-roundtrip", path,
                     "-o", again]]
    else:
        commands = [[args.translate, "--import-ptx", path, "-o", mlir]]
        if args.passes:
            commands.append([args.opt, mlir, "-o", mlir + ".opt",
                             *args.passes.split()])
            mlir += ".opt"
        commands.append([args.translate, "--export-ptx", mlir, "-o", again])
    for command in commands:
        message = run(command)
        if message:
            return [message]
    with open(path, encoding="utf-8", errors="replace") as file:
        options = assembler.options(file.read())
    if options is None:
        return ["no .target directive"]
    cubins = [os.path.join(work, name) for name in ("before.cubin", "after.cubin")]
    for text, cubin in zip((path, again), cubins):
        message = assembler.assemble(text, cubin, options + args.ptxas_flag)
        if message:
            return [message]
    if args.assemble_only:
        return []
    # Every value has its own register back, or the import took a value for one
    # that its register no longer holds.
    with open(again, encoding="utf-8") as file:
        if not args.passes and "%fresh_" in file.read():
            return ["a value did not get its register back"]
    before, after = map(sections, cubins)
    if not before:
        return ["the cubin has no .text section"]
    return list(differences(before, after))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--ptxas", default="ptxas")
    parser.add_argument("--translate", default="ptxbench-translate")
    parser.add_argument("--opt", default="ptxbench-opt")
    parser.add_argument("--passes", default="",
                        help="options of ptxbench-opt, in one argument")
    parser.add_argument("--format", action="store_true",
                        help="write the canonical form instead")
    parser.add_argument("--assemble-only", action="store_true",
                        help="do not compare: passes change the code")
    parser.add_argument("--ptxas-flag", action="append", default=[])
    args = parser.parse_args()
    assembler = Assembler(args.ptxas)
    failed = False
    for path in args.files:
        with tempfile.TemporaryDirectory() as work:
            complaints = check(path, args, assembler, work)
        failed |= bool(complaints)
        for complaint in complaints:
            print(f"{path}: {complaint}")
        if not complaints:
            print(f"{path}: "
                  + ("assembles" if args.assemble_only else "identical"))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
