#!/usr/bin/env python3
"""Checks the files of an installed package.

Usage: check_package.py PREFIX SOURCE BUILD

  * what an installed header includes of ours is installed, too;
  * headers are those of public folders;
  * no CMake file and no header names the source or the build folder;
  * no target names a static library of LLVM: a program that uses the package
    has the shared one.

Exit status: 0; 1 with a line for each fault.
"""

import os
import re
import sys

INCLUDE = re.compile(r'^#include "(ptxbench/[^"]+)"', re.M)
LINKS = re.compile(r'INTERFACE_LINK_LIBRARIES "([^"]*)"')
# Those of the tools alone.
PRIVATE = {"Driver", "Evaluation", "Inspection", "Reference", "Runtime", "Task"}


def files_below(folder):
    for where, _, names in os.walk(folder):
        for name in names:
            yield os.path.relpath(os.path.join(where, name), folder)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def main():
    prefix, source, build = sys.argv[1:]
    faults = []
    include = os.path.join(prefix, "include")
    names = sorted(files_below(include))
    if not names:
        faults.append("no header is installed")
    for name in names:
        text = read(os.path.join(include, name))
        if name.split(os.sep)[1] in PRIVATE:
            faults.append(f"{name} is not public")
        for needed in INCLUDE.findall(text):
            if needed not in names:
                faults.append(f"{name} includes {needed}, which is missing")
    cmake = os.path.join(prefix, "lib", "cmake", "PTXBench")
    for path in [os.path.join(include, name) for name in names] + [
        os.path.join(cmake, name) for name in files_below(cmake)
    ]:
        for folder in (source, build):
            if folder in read(path).replace(prefix, ""):
                faults.append(f"{path} names {folder}")
    links = LINKS.findall(read(os.path.join(cmake, "PTXBenchTargets.cmake")))
    if not any("LLVM" in libraries.split(";") for libraries in links):
        faults.append("no target of the package links LLVM")
    for library in sorted({name for all_of_one in links for name in all_of_one.split(";")}):
        if re.match(r".*\bLLVM\w", library):
            faults.append(f"a target of the package links {library}")
    for fault in faults:
        print(fault)
    print(f"{len(names)} headers, {len(faults)} faults")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
