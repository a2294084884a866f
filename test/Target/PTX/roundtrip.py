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
import re
import struct
import subprocess
import sys
import tempfile


def text_sections(path):
    """The contents of all `.text*` sections of a 64-bit ELF file, by name."""
    with open(path, "rb") as file:
        data = file.read()
    table, = struct.unpack_from("<Q", data, 0x28)
    entry_size, count, names_index = struct.unpack_from("<HHH", data, 0x3A)

    def header(index):
        name, kind, _, _, offset, size = struct.unpack_from(
            "<IIQQQQ", data, table + entry_size * index)
        return name, kind, offset, size

    _, _, names, _ = header(names_index)
    sections = {}
    for index in range(count):
        name, kind, offset, size = header(index)
        start = names + name
        spelled = data[start:data.index(b"\0", start)].decode()
        if spelled.startswith(".text") and kind == 1:
            sections[spelled] = data[offset:offset + size]
    return sections


def run(command):
    """Runs a command; returns its message if it fails, else None."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 0:
        return None
    message = (done.stderr + done.stdout).strip()
    return f"{os.path.basename(command[0])} failed ({done.returncode}): " \
           + message[:2000]


def differences(before, after):
    for name in sorted(before.keys() | after.keys()):
        a, b = before.get(name), after.get(name)
        if a is None or b is None:
            yield f"{name} is only in the {'second' if a is None else 'first'}"
        elif a != b:
            first = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y),
                         min(len(a), len(b)))
            yield (f"{name} differs at byte {first} "
                   f"({len(a)} bytes before, {len(b)} after)")


def check(path, args, work):
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
    with open(path, encoding="utf-8", errors="replace") as file:
        arch = re.search(r"^\s*\.target\s+(sm_\w+)", file.read(), re.M)
    if not arch:
        return ["no .target directive"]
    cubins = [os.path.join(work, name) for name in ("before.cubin", "after.cubin")]
    for text, cubin in zip((path, again), cubins):
        commands.append([args.ptxas, "-arch=" + arch[1], *args.ptxas_flag,
                         text, "-o", cubin])
    for command in commands:
        message = run(command)
        if message:
            return [message]
    if args.assemble_only:
        return []
    # Every value has its own register back, or the import took a value for one
    # that its register no longer holds.
    with open(again, encoding="utf-8") as file:
        if not args.passes and "%fresh_" in file.read():
            return ["a value did not get its register back"]
    before, after = map(text_sections, cubins)
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
    failed = False
    for path in args.files:
        with tempfile.TemporaryDirectory() as work:
            complaints = check(path, args, work)
        failed |= bool(complaints)
        for complaint in complaints:
            print(f"{path}: {complaint}")
        if not complaints:
            print(f"{path}: "
                  + ("assembles" if args.assemble_only else "identical"))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
