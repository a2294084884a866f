#!/usr/bin/env python3
"""Runs MLIR's own examples for sm_90 and prints what came of each.

    utils/upstream_examples.py LLVM-PROJECT [--backend=emulator] [--only=gemm]

LLVM-PROJECT is a checkout of llvm-project, of the release that this project is
built with (22). Each .mlir file below
mlir/test/Integration/GPU/CUDA/sm90 is a program: it is lowered, its kernels are
analysed, it runs by `mlir-ptxbench-runner run`, and what executed is held
against the verdicts. An example whose kernel is made by the transform dialect is
brought through mlir-opt first. The table has, of each example:

  verdicts   target instructions by verdict, for any launch
  status     of the run; the reason follows below the table where it failed
  executed   target instructions that did
  agreement  confirmed / refuted / undecided / unobservable verdicts, over all
             launches
  output     whether FileCheck finds what the example says it prints

Exit status: 0 all passed and none refuted, 1 not so, 2 bad usage.
"""

import argparse
import collections
import json
import os
import shutil
import subprocess
import sys
import tempfile

FOLDER = "mlir/test/Integration/GPU/CUDA/sm90"


def find_tool(name, given=None):
    """A tool of LLVM: as given, as Debian installs it, or on PATH."""
    for path in (given, f"/usr/lib/llvm-22/bin/{name}", shutil.which(name)):
        if path and os.access(path, os.X_OK):
            return path
    return None


def prepare(path, text, folder, mlir_opt):
    """The file to run; what is wrong instead if there is none."""
    if "transform.named_sequence" not in text:
        return path, ""
    if not mlir_opt:
        return None, "needs mlir-opt for its transform script"
    out = os.path.join(folder, os.path.basename(path))
    done = subprocess.run(
        [mlir_opt, path, "-transform-interpreter",
         "-test-transform-dialect-erase-schedule", "-o", out],
        capture_output=True, text=True)
    return (out, "") if done.returncode == 0 else (None, done.stderr.strip())


def check_output(path, text, printed, filecheck):
    """What FileCheck says of the output: yes, no, or why it was not asked."""
    if "CHECK:" not in text:
        return "none expected"
    if not filecheck:
        return "not checked"
    done = subprocess.run([filecheck, path, "--allow-empty"], input=printed,
                          capture_output=True, text=True)
    return "as expected" if done.returncode == 0 else "DIFFERS"


def summarise(report):
    """The columns of the table that a report has."""
    verdicts = collections.Counter()
    executed = total = 0
    agreement = collections.Counter()
    seen = set()
    for entry in report.get("entries", []):
        is_launch = bool(entry.get("assumptions", {}).get("launch"))
        for target in entry["targets"]:
            word = target.get("agreement", "")
            if word:
                agreement[word.split("-")[0]] += 1
            if is_launch:
                continue
            verdicts[target["reach"]] += 1
            total += 1
            if target.get("executed", {}).get("threads", 0) or \
                    target.get("executed", {}).get("warps", 0):
                executed += 1
            seen.add(target["family"])
    order = ["all", "some", "maybe", "never"]
    return {
        "families": " ".join(sorted(seen)) or "-",
        "verdicts": ", ".join(f"{verdicts[w]} {w}" for w in order
                              if verdicts[w]) or "-",
        "executed": f"{executed} of {total}" if total else "-",
        "agreement": "/".join(str(agreement[w]) for w in
                              ("confirmed", "refuted", "undecided",
                               "unobservable")),
    }


def run(path, name, options, folder):
    """One row, and what failed in a sentence."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    row = {"example": name, "families": "-", "verdicts": "-", "status": "-",
           "executed": "-", "agreement": "-", "output": "-"}
    source, wrong = prepare(path, text, folder, options.mlir_opt)
    if not source:
        row["status"] = "NOT_PREPARED"
        return row, wrong
    result = os.path.join(folder, name.replace("/", "_") + ".json")
    command = [options.runner, "run", source, "--format=json", "-o", result,
               f"--timeout={options.timeout}"]
    if options.backend:
        command.append(f"--backend={options.backend}")
    done = subprocess.run(command, capture_output=True, text=True)
    try:
        with open(result, encoding="utf-8") as file:
            report = json.load(file)
    except OSError:
        row["status"] = f"exit status {done.returncode}"
        return row, done.stderr.strip()
    row.update(summarise(report))
    row["status"] = report["status"]
    dynamic = report.get("dynamic", {})
    row["output"] = check_output(path, text, dynamic.get("printed", ""),
                                 options.filecheck)
    if options.keep:
        shutil.copy(result, options.keep)
    failed = report["status"] != "PASSED" or row["output"] == "DIFFERS"
    return row, report.get("reason", "") if failed else ""


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", help="a checkout of llvm-project")
    parser.add_argument("--runner", help="mlir-ptxbench-runner")
    parser.add_argument("--backend", default="",
                        help="cuda or emulator; default: as the runner chooses")
    parser.add_argument("--only", default="", help="examples with this in "
                                                   "their name")
    parser.add_argument("--timeout", type=float, default=120)
    parser.add_argument("--mlir-opt", help="mlir-opt of LLVM 22")
    parser.add_argument("--filecheck", help="FileCheck")
    parser.add_argument("--keep", help="a folder for the reports")
    options = parser.parse_args()
    root = os.path.join(options.folder, FOLDER)
    if not os.path.isdir(root):
        parser.error(f"'{options.folder}' has no folder {FOLDER}")
    if not options.runner:
        here = os.path.dirname(os.path.abspath(__file__))
        options.runner = os.path.join(here, "..", "build", "bin",
                                      "mlir-ptxbench-runner")
    if not os.access(options.runner, os.X_OK):
        parser.error(f"cannot start '{options.runner}' (--runner)")
    options.mlir_opt = find_tool("mlir-opt", options.mlir_opt)
    options.filecheck = find_tool("FileCheck", options.filecheck)
    if options.keep:
        try:
            os.makedirs(options.keep, exist_ok=True)
        except OSError as error:
            parser.error(f"cannot make the folder '{options.keep}': "
                         f"{error.strerror}")

    names = sorted(
        os.path.relpath(os.path.join(folder, name), root)
        for folder, _, files in os.walk(root) for name in files
        if name.endswith(".mlir") and options.only in name)
    if not names:
        parser.error(f"no example in {root}")
    rows, reasons = [], []
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            row, reason = run(os.path.join(root, name), name, options, folder)
            rows.append(row)
            if reason:
                reasons.append((name, reason))
    columns = list(rows[0])
    print("| " + " | ".join(columns) + " |")
    print("|" + "---|" * len(columns))
    for row in rows:
        print("| " + " | ".join(row[column] for column in columns) + " |")
    for name, reason in reasons:
        print(f"\n{name}: {reason}")
    good = all(row["status"] == "PASSED" and row["output"] != "DIFFERS" and
               row["agreement"].split("/")[1] == "0" for row in rows)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
