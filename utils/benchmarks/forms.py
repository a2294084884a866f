#!/usr/bin/env python3
"""Which inline-asm forms of CUDA's and CUTLASS's headers we take, next to ptxas.

Every `asm` statement of the toolkit's cuda::ptx headers and, with --cutlass, of
the folders cute/arch and cutlass/arch of CUTLASS becomes a kernel for each
architecture, with registers of the kinds its constraints ask for. ptxas and
ptxbench-translate say whether they take it; where they differ, the form is
listed with what was said. Exit status: 0 if they agree everywhere; 1 if not; 2
if a tool or a folder is not there.
"""

import argparse
import concurrent.futures
import glob
import os
import sys
import tempfile

import asm_forms
import oracle

ARCHITECTURES = ("sm_80", "sm_90", "sm_90a", "sm_100a", "sm_100f", "sm_103a",
                 "sm_103f", "sm_120a", "sm_120f")


def collect(folders):
    """The forms of all headers below the folders."""
    forms = []
    for folder in folders:
        for path in sorted(glob.glob(os.path.join(folder, "**", "*.h*"),
                                     recursive=True)):
            with open(path, encoding="utf-8", errors="replace") as file:
                forms += asm_forms.find_forms(file.read(),
                                              os.path.basename(path))
    return forms


def include_folder(ptxas):
    """The toolkit's include folder, beside ptxas."""
    return os.path.join(os.path.dirname(os.path.dirname(
        os.path.realpath(ptxas))), "include")


def compare(task):
    """(body, ptxas's message, our message) of each body of a batch."""
    tools, arch, bodies, work = task

    def make_text(kept):
        return asm_forms.module(arch, [body if i in kept else ""
                                       for i, body in enumerate(bodies)])

    said = [oracle.Tool(name, command, work).refused(
        make_text, len(bodies), arch, asm_forms.FIRST_LINE)
        for name, command in zip(("ptxas", "ours"), tools)]
    return [(said[0].get(i), said[1].get(i)) for i in range(len(bodies))]


def measure(name, forms, tools, args, work, pool):
    """Prints the table of one set of forms; returns how many disagree."""
    broken = [form for form in forms if form.problem]
    for form in broken:
        print(f"  not tried: {form.file}:{form.line}: {form.problem}")
    forms = [form for form in forms if not form.problem]
    # Each text once; a form agrees if all its variants do.
    bodies = list(dict.fromkeys(
        body for form in forms for body in form.variants()))
    accepted, disputed = set(), set()
    print(f"{name}: {len(forms)} forms, {len(bodies)} different texts")
    for arch in args.arch or ARCHITECTURES:
        batches = [bodies[i:i + args.batch]
                   for i in range(0, len(bodies), args.batch)]
        results = pool.map(
            compare, [(tools, arch, batch, work) for batch in batches])
        verdicts = dict(zip(bodies, (v for batch in results for v in batch)))
        taken = [f for f in forms
                 if any(verdicts[b][0] is None for b in f.variants())]
        wrong = [f for f in forms
                 if any((verdicts[b][0] is None) != (verdicts[b][1] is None)
                        for b in f.variants())]
        accepted.update(id(f) for f in taken)
        disputed.update(id(f) for f in wrong)
        print(f"  {arch:8} ptxas takes {len(taken):5} of {len(forms)}, "
              f"we agree on {len(forms) - len(wrong):5}: "
              f"{100 * (1 - len(wrong) / max(1, len(forms))):.2f} %", flush=True)
        for form in wrong:
            for body in form.variants():
                theirs, ours = verdicts[body]
                if (theirs is None) == (ours is None):
                    continue
                print(f"    {'refused' if ours else 'taken'} by us alone: "
                      f"{form.file}:{form.line}: {body[-args.width:]}\n"
                      f"      {ours or theirs}")
                break
    print(f"  in all   {len(accepted)} of {len(forms)} are taken by ptxas for "
          f"some architecture; the verdicts differ on {len(disputed)}")
    return len(disputed) + len(broken)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--translate", default="ptxbench-translate",
                        help="for example build/bin/ptxbench-translate")
    parser.add_argument("--ptxas", default="ptxas")
    parser.add_argument("--include", help="the toolkit's include folder "
                        "(default: the one beside ptxas)")
    parser.add_argument("--cutlass", help="the include folder of CUTLASS")
    parser.add_argument("--skip-toolkit", action="store_true",
                        help="only the forms of CUTLASS")
    parser.add_argument("--arch", action="append",
                        help=f"default: {' '.join(ARCHITECTURES)}")
    parser.add_argument("--batch", type=int, default=250,
                        help="forms a file (default 250)")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--width", type=int, default=140,
                        help="how much of a form to show (default 140)")
    args = parser.parse_args()
    tools = oracle.find_tools(args.ptxas, args.translate)
    if not tools:
        return 2
    include = args.include or include_folder(tools[0])
    sets = []
    if not args.skip_toolkit:
        sets.append(("cuda::ptx", [os.path.join(include,
                                                asm_forms.TOOLKIT_HEADERS)]))
    if args.cutlass:
        sets.append(("CUTLASS", [os.path.join(args.cutlass, "cute", "arch"),
                                 os.path.join(args.cutlass, "cutlass",
                                              "arch")]))
    print(f"peer: ptxas {oracle.version_of(tools[0])}")
    differ = 0
    with tempfile.TemporaryDirectory() as work, \
            concurrent.futures.ProcessPoolExecutor(args.jobs) as pool:
        for name, folders in sets:
            forms = collect(folders)
            if not forms:
                print(f"forms.py: no asm in {' '.join(folders)}",
                      file=sys.stderr)
                return 2
            differ += measure(name, forms, tools, args, work, pool)
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
