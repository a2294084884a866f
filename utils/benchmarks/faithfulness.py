#!/usr/bin/env python3
"""Measures how many PTX files come back from our tools as the same machine code.

Each file (folders: every `*.ptx` below) is read and written again by
`ptxbench-translate --import-ptx --export-ptx`; ptxas assembles the original and what
was written, with the same options: the architecture of `.target`, -O3 (--level),
-lineinfo if there are `.loc`, -g for `.target …, debug`, and -c for a file with device
functions, or one that ptxas takes only so. (Without -c it drops functions that no
kernel calls.) All sections must be the same byte by byte that hold code, constants,
data, relocations, kernel information, and what a debugger is told of the source. Each
file that fails is printed with its first message, then the counts.

ptxas compiles some kernels to one of two codes, by chance. Where a section differs,
the original is assembled again (--repeat), and each section must be as one of those
that ptxas made of the original; these files are counted apart.

A file that ptxas refuses as it stands says nothing about us and is only counted,
with how many of those our tools take.

Exit status: 0 if every file is identical; 1 if one is not; 2 if a tool or file is
not there.
"""

import argparse
import concurrent.futures
import os
import re
import shutil
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "lib"))
from machine_code import COMPARED, Assembler, differences, run, sections

STEPS = ("refused by ptxas", "not imported", "not assembled", "not identical",
         "identical")


class Outcome:
    """What became of one file."""

    def __init__(self, path):
        self.path = path
        self.step = "identical"
        self.message = ""
        self.imported = False
        self.varies = False
        self.import_seconds = self.ptxas_seconds = 0.0
        self.bytes = os.path.getsize(path)


def find(paths):
    """All PTX files among files and below folders."""
    for path in paths:
        if not os.path.isdir(path):
            yield path
        for folder, _, names in sorted(os.walk(path)):
            for name in sorted(names):
                if name.endswith(".ptx"):
                    yield os.path.join(folder, name)


def has_device_functions(text):
    """Whether there are functions that ptxas drops if no kernel calls them."""
    return re.search(r"^[^/\n]*(?<!\.extern )\.func\b", text, re.M) is not None


def first_error(message):
    """The line of a message to show: the first that is no warning."""
    lines = message.splitlines()
    return next((line for line in lines if re.search(r"error|fatal", line)), lines[0])


def compare(outcome, args, assembler, work):
    """Fills in the step that the file got to."""
    again, before, after = (os.path.join(work, name) for name in
                            ("again.ptx", "before.cubin", "after.cubin"))
    start = time.perf_counter()
    message = run([args.translate, "--import-ptx", "--export-ptx", outcome.path,
                   "-o", again], args.timeout)
    outcome.import_seconds = time.perf_counter() - start
    outcome.imported = message is None

    with open(outcome.path, encoding="utf-8", errors="replace") as file:
        text = file.read()
    options = assembler.options(text)
    if options is None:
        outcome.step, outcome.message = "refused by ptxas", "no .target directive"
        return
    options.append(f"-O{0 if '-g' in options else args.level}")
    modes = [["-c"], []] if has_device_functions(text) else [[], ["-c"]]
    for mode in modes:
        start = time.perf_counter()
        refusal = assembler.assemble(outcome.path, before, options + mode,
                                     args.timeout)
        outcome.ptxas_seconds = time.perf_counter() - start
        if refusal is None:
            break
        outcome.message = outcome.message or refusal
    if refusal is not None:
        outcome.step = "refused by ptxas"
        return
    if message is not None:
        outcome.step, outcome.message = "not imported", message
        return
    outcome.message = assembler.assemble(again, after, options + mode,
                                         args.timeout) or ""
    if outcome.message:
        outcome.step = "not assembled"
        return
    ours = sections(after, COMPARED)
    theirs = sections(before, COMPARED)
    outcome.message = "; ".join(differences(theirs, ours))
    if not outcome.message:
        return
    outcome.step = "not identical"
    # Some kernels ptxas compiles to one of two codes, by chance: each section has
    # to be as one of those that it made of the original.
    once_more = before + ".again"
    for _ in range(args.repeat):
        if assembler.assemble(outcome.path, once_more, options + mode,
                              args.timeout):
            return
        for name, contents in sections(once_more, COMPARED).items():
            if contents != theirs.get(name):
                outcome.varies = True
                if contents == ours.get(name):
                    theirs[name] = contents
        outcome.message = "; ".join(differences(theirs, ours))
        if not outcome.message:
            outcome.step = "identical"
            return


def check(path, args, assembler):
    outcome = Outcome(path)
    with tempfile.TemporaryDirectory() as work:
        compare(outcome, args, assembler, work)
        if args.keep and outcome.step in ("not assembled", "not identical"):
            kept = os.path.join(args.keep, re.sub(r"[^\w.-]", "_", path.strip("/")))
            shutil.copytree(work, kept, dirs_exist_ok=True)
    return outcome


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("paths", nargs="+", metavar="FILE_OR_FOLDER")
    parser.add_argument("--translate", default="ptxbench-translate",
                        help="for example build/bin/ptxbench-translate")
    parser.add_argument("--ptxas", default="ptxas")
    parser.add_argument("--level", type=int, default=3, choices=range(4),
                        help="how far ptxas optimises (default 3)")
    parser.add_argument("--repeat", type=int, default=24,
                        help="how often a file that differs is assembled once "
                        "more, since ptxas may differ from itself (default 24)")
    parser.add_argument("--jobs", type=int, default=1,
                        help="files at a time (default 1)")
    parser.add_argument("--timeout", type=float, default=600,
                        help="seconds for one call of a tool (default 600)")
    parser.add_argument("--refused", action="store_true",
                        help="also print the files that ptxas refuses")
    parser.add_argument("--keep", metavar="FOLDER",
                        help="where to leave the text and cubins of failures")
    args = parser.parse_args()
    files = list(dict.fromkeys(find(args.paths)))
    absent = [tool for tool in (args.translate, args.ptxas)
              if not shutil.which(tool)]
    absent += [path for path in files if not os.path.isfile(path)]
    if absent or not files:
        print("faithfulness.py: " + (f"{absent[0]} is not there" if absent else
                                     "no PTX files given"), file=sys.stderr)
        return 2

    assembler = Assembler(args.ptxas)
    outcomes = []
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for outcome in pool.map(lambda path: check(path, args, assembler), files):
            outcomes.append(outcome)
            shown = outcome.step != "identical" and (
                args.refused or outcome.step != "refused by ptxas")
            if shown:
                took = ", though we take it" if outcome.imported else ""
                print(f"{outcome.path}: {outcome.step}"
                      f"{took if outcome.step == 'refused by ptxas' else ''}: "
                      f"{first_error(outcome.message)}", flush=True)

    counts = {step: sum(o.step == step for o in outcomes) for step in STEPS}
    taken = [o for o in outcomes if o.step != "refused by ptxas"]
    refused = [o for o in outcomes if o.step == "refused by ptxas"]
    megabytes = sum(o.bytes for o in taken) / 1e6
    ours = sum(o.import_seconds for o in taken)
    peer = sum(o.ptxas_seconds for o in taken)
    assembled = counts["identical"] + counts["not identical"]
    print(f"files:      {len(outcomes):6}, of which ptxas takes {len(taken)} "
          f"({megabytes:.1f} MB)")
    if refused:
        print(f"refused:    {len(refused):6} by ptxas, of which we take "
              f"{sum(o.imported for o in refused)}")
    print(f"imported:   {len(taken) - counts['not imported']:6}")
    print(f"assembled:  {assembled:6}")
    chance = sum(o.varies and o.step == "identical" for o in outcomes)
    print(f"identical:  {counts['identical']:6}"
          + (f", {chance} of them to one of the codes that ptxas gives the original "
             "by chance" if chance else ""))
    print(f"time:       {ours:8.1f} s to import and export, {peer:.1f} s for ptxas "
          "on the originals")
    print(f"{counts['identical']} of {len(taken)} identical to ptxas "
          f"{assembler.version} on the original")
    return 0 if taken and counts["identical"] == len(taken) else 1


if __name__ == "__main__":
    sys.exit(main())
