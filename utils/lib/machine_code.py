"""Assembles PTX with ptxas and compares what came out, section by section.

For the scripts that ask whether a PTX text written by our tools is the same
program as the one they read: `test/Target/PTX/roundtrip.py` and
`utils/benchmarks/faithfulness.py`.
"""

import os
import re
import struct
import subprocess

# What a program is at run time: code, constants, data, what the driver is told
# about each kernel; and what a debugger is told of the source. What it is told of
# the PTX text (`.nv_debug*`) changes with the text.
COMPARED = (".text", ".debug_", ".nv.constant", ".nv.global", ".nv.info", ".nv.shared",
            ".rel.text", ".rela.text", ".rel.nv.", ".rela.nv.", ".rel.debug_",
            ".rela.debug_")

# Section types that take no room in the file: ELF's own, and those for global,
# local, shared and reserved shared memory of relocatable cubins.
NO_BITS = (8, 0x70000007, 0x70000008, 0x7000000A, 0x70000015)


def run(command, timeout=None):
    """Runs a command; returns its message if it fails, else None."""
    name = os.path.basename(command[0])
    try:
        done = subprocess.run(command, capture_output=True, text=True,
                              errors="replace", timeout=timeout)
    except subprocess.TimeoutExpired:
        return f"{name} took more than {timeout} s"
    if done.returncode == 0:
        return None
    message = (done.stderr + done.stdout).strip()
    return f"{name} failed ({done.returncode}): " + message[:2000]


def sections(path, prefixes=(".text",)):
    """Sections of a 64-bit ELF file by name: their contents, or the size alone of
    those that take no room in the file."""
    with open(path, "rb") as file:
        data = file.read()
    table, = struct.unpack_from("<Q", data, 0x28)
    entry_size, count, names_index = struct.unpack_from("<HHH", data, 0x3A)

    def header(index):
        name, kind, _, _, offset, size = struct.unpack_from(
            "<IIQQQQ", data, table + entry_size * index)
        return name, kind, offset, size

    _, _, names, _ = header(names_index)
    found = {}
    for index in range(count):
        name, kind, offset, size = header(index)
        start = names + name
        spelled = data[start:data.index(b"\0", start)].decode()
        if spelled.startswith(prefixes):
            found[spelled] = (size.to_bytes(8, "little") if kind in NO_BITS
                              else data[offset:offset + size])
    return found


def differences(before, after):
    """A line for each section that is not the same in both."""
    for name in sorted(before.keys() | after.keys()):
        a, b = before.get(name), after.get(name)
        if a is None or b is None:
            yield f"{name} is only in the {'second' if a is None else 'first'}"
        elif a != b:
            first = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y),
                         min(len(a), len(b)))
            yield (f"{name} differs at byte {first} "
                   f"({len(a)} bytes before, {len(b)} after)")


class Assembler:
    """A ptxas, and how it wants to be called for a PTX text."""

    def __init__(self, ptxas="ptxas"):
        self.ptxas = ptxas
        shown = subprocess.run([ptxas, "--version"], capture_output=True,
                               text=True, check=True).stdout
        release = re.search(r"V(\d+\.\d+\.\d+)", shown)
        self.version = release[1] if release else "of unknown version"
        usage = subprocess.run([ptxas, "--help"], capture_output=True,
                               text=True, check=True).stdout
        self.archs = set(re.findall(r"'(sm_\w+)'", usage))

    def options(self, text):
        """The options for a text: the architecture that `.target` names, or the
        oldest that this ptxas has for one before its time; code for a debugger if
        `.target` says so, source lines if there are any. None without
        `.target`."""
        target = re.search(r"^\s*\.target\s+(sm_\w+)([^\n]*)", text, re.M)
        if not target:
            return None
        arch = target[1]
        number = re.fullmatch(r"sm_(\d+)", arch)
        if number and arch not in self.archs:
            newer = [int(known[3:]) for known in self.archs
                     if known[3:].isdigit() and int(known[3:]) > int(number[1])]
            arch = f"sm_{min(newer)}" if newer else arch
        # What it was called until ptxas 13.0.
        arch = re.sub(r"^sm_101(?=[af]?$)", "sm_110", arch)
        if "debug" in target[2]:
            return ["-arch=" + arch, "-g"]
        has_lines = re.search(r"^\s*\.loc\s", text, re.M)
        return ["-arch=" + arch] + (["-lineinfo"] if has_lines else [])

    def assemble(self, ptx, cubin, options, timeout=None):
        """Assembles a file; returns the message if that fails, else None."""
        return run([self.ptxas, *options, ptx, "-o", cubin], timeout)
