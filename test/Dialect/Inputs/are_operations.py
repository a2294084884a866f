#!/usr/bin/env python3
"""Says which operations that docs/Counterparts.md names no dialect has.

Usage: are_operations.py COUNTERPARTS.md [OPERATION...]

Each name is given to ptxbench-opt without operands, in MLIR's generic form. An
operation that is known is refused, or is printed in its own form; one that is not
is printed as it was given. Exit status: 0 if all of the file's operations are
known, else 1.
"""

import re
import subprocess
import sys


def is_known(name):
    generic = f'"{name}"() : () -> ()'
    result = subprocess.run(["ptxbench-opt", "-"], input=generic, text=True,
                            capture_output=True)
    return result.returncode != 0 or generic not in result.stdout


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        names = re.findall(r"^\| `((?:nvvm|nvgpu|gpu)\.[^`]*)` \|", file.read(),
                           re.MULTILINE)
    unknown = [name for name in names if not is_known(name)]
    for name in unknown + [name for name in sys.argv[2:] if not is_known(name)]:
        print("no dialect has", name)
    print(len(names) - len(unknown), "operations are known")
    return 1 if unknown or not names else 0


if __name__ == "__main__":
    sys.exit(main())
