"""Says which kernels of two files differ.

usage: compare.py KIND WANT GOT [--but KERNEL...]
       compare.py sass WANT GOT CUOBJDUMP NVDISASM [--but KERNEL...]

KIND is mlir (without the empty assembly that keeps memory in order), ptx (the
names of registers do not matter) or sass: the
instructions of two cubins, where neither registers, moves between them and from
parameters nor order matter, since ptxas chooses all anew for another text. The
kernels behind --but must differ.
Exit status: 0, or 1 where kernels differ that should not, or do not that
should.
"""

import collections
import os
import re
import subprocess
import sys

HEADS = {
    "mlir": re.compile(r"\s*llvm\.func @(\w+)"),
    "ptx": re.compile(r"\.visible \.entry (\w+)"),
    "sass": re.compile(r"\s*Function : (\w+)"),
}
INSTRUCTION = re.compile(r"\s+/\*[0-9a-f]{4,}\*/\s+(?:@\S+ )?(\S+?);? ")

ORDER = 'llvm.inline_asm has_side_effects "", "~{memory}"'
MOVES = {"NOP", "MOV", "UMOV", "LDC", "LDCU", "ULDC"}


def split(kind, text):
    """The lines of each kernel."""
    kernels, current = {}, None
    for line in text.splitlines():
        head = HEADS[kind].match(line)
        if head:
            current = kernels.setdefault(head.group(1), [])
            # Names of arguments and the like.
            line = line[head.end():]
        if current is not None and line.strip():
            current.append(line)
    return kernels


def normalize(kind, lines):
    if kind == "sass":
        found = (INSTRUCTION.match(line) for line in lines)
        names = collections.Counter(m.group(1) for m in found if m)
        for name in list(names):
            if name.split(".")[0] in MOVES or name == "IMAD.MOV.U32":
                del names[name]
        return sorted(names.items())
    if kind == "mlir":
        return [line for line in lines if ORDER not in line]
    # Registers by the order in which they are first used, none declared.
    numbers = {}
    return [
        re.sub(r"%(?:r|rd|rs|p|f|fd|rq)\d+",
               lambda m: f"%{numbers.setdefault(m.group(), len(numbers))}",
               line)
        for line in lines
        if ".reg" not in line and not line.lstrip().startswith("//")
    ]


def read(kind, path, tools):
    if kind != "sass":
        with open(path, encoding="utf-8") as file:
            return file.read()
    environment = dict(os.environ)
    environment["PATH"] = (os.path.dirname(tools[1]) + os.pathsep +
                           environment["PATH"])
    return subprocess.run([tools[0], "-sass", path], env=environment,
                          capture_output=True, text=True, check=True).stdout


def main():
    arguments = sys.argv[1:]
    but = []
    if "--but" in arguments:
        at = arguments.index("--but")
        but = arguments[at + 1:]
        arguments = arguments[:at]
    if len(arguments) < 3 or arguments[0] not in HEADS:
        sys.stderr.write(__doc__)
        return 2
    kind, tools = arguments[0], arguments[3:]
    want, got = (split(kind, read(kind, path, tools))
                 for path in arguments[1:3])
    status = 0
    if want.keys() != got.keys() or not want:
        print("not the same kernels:", *sorted(want.keys() ^ got.keys()))
        status = 1
    for name in sorted(want.keys() & got.keys()):
        a, b = (normalize(kind, x[name]) for x in (want, got))
        if (a == b) == (name not in but):
            continue
        status = 1
        print(f"{name}: {'the same' if a == b else 'differs'}")
        for line in a:
            if line not in b:
                print("  -", line)
        for line in b:
            if line not in a:
                print("  +", line)
    print(f"{len(want)} kernels compared, {len(but)} of them differ")
    return status


if __name__ == "__main__":
    sys.exit(main())
