#!/usr/bin/env python3
"""Runs the solutions of the headline tasks at their full size and prints a table.

    utils/run_solutions.py OUT [--runs=2] [--only=TEXT] [argument of `run`...]

needs a GPU of the tasks' architecture and the CUDA toolkit; it works in a built
tree and in a folder that `run_device_tests.sh --pack` made. Each solution is run
--runs times, each a whole evaluation in a process of its own, in turns: the runs
of one solution are not neighbours. OUT keeps the reports (TASK.RUN.json). The
table, in Markdown, has for each solution the status, the families that were
confirmed, the medians of the first run with the baseline's, their ratio in each
run, and how far the runs are apart.

Exit status: 0 all passed; 1 one did not; 2 something is missing.
"""

import argparse
import json
import os
import subprocess
import sys
import time

HEADLINE = [
    ("gemm_n7168_k5120", "gemm", "wgmma_tma_cluster.cu"),
    ("mha_with_lse_d128", "mha", "wgmma_tma.cu"),
    ("mha_with_lse_d128_causal", "mha", "wgmma_tma.cu"),
    ("mha_bwd_d128", "mha", "wgmma_tma.cu"),
    ("mha_bwd_d128_causal", "mha", "wgmma_tma.cu"),
]
HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def find_runner():
    """The runner of a packed folder, or of a built tree."""
    build = os.environ.get("PTXBENCH_BUILD_DIR", os.path.join(HERE, "build"))
    for folder in (os.path.join(HERE, "bin"), os.path.join(build, "bin")):
        path = os.path.join(folder, "mlir-ptxbench-runner")
        if os.access(path, os.X_OK):
            return path
    sys.exit("run_solutions.py: there is no mlir-ptxbench-runner: build first")


def evaluate(runner, solution, task, report, extra):
    """One whole evaluation: the report, and its wall time in seconds."""
    begin = time.monotonic()
    done = subprocess.run(
        [runner, "run", solution, f"--task={task}", "--backend=cuda",
         "--format=json", "-o", report, *extra],
        cwd=HERE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        encoding="utf-8", errors="replace", check=False)
    seconds = time.monotonic() - begin
    try:
        with open(report, encoding="utf-8") as file:
            return json.load(file), seconds
    except (OSError, ValueError):
        print(f"{task}: no report, exit status {done.returncode}: "
              f"{done.stdout.strip()[-500:]}", file=sys.stderr)
        return None, seconds


def families(report):
    """How many instructions of the required families were confirmed."""
    counts = {}
    for name in report.get("dynamic", {}).get("required_families", []):
        lines = {}
        for entry in report["entries"]:
            for target in entry["targets"]:
                if target["family"] == name:
                    place = (entry["name"], target["line"], target["column"])
                    lines.setdefault(place, set()).add(target.get("agreement"))
        confirmed = sum("confirmed" in seen for seen in lines.values())
        counts[name] = f"{name} {confirmed}/{len(lines)}"
    return ", ".join(counts.values()) or "none required"


def number(value, digits):
    return "-" if value is None else f"{value:.{digits}f}"


def row(task, reports, seconds):
    """A line of the table."""
    first = reports[0]
    if first is None:
        return f"| {task} | no report | | | | | | |"
    times = [(r or {}).get("performance", {}) for r in reports]
    latencies = [t.get("latency_ms") for t in times]
    known = [x for x in latencies if x is not None]
    apart = (f"{100 * (max(known) / min(known) - 1):.2f} %"
             if len(known) > 1 else "-")
    ratios = " / ".join(number(t.get("speedup_factor"), 3) for t in times)
    status = " / ".join(r["status"] if r else "no report" for r in reports)
    if len({r["status"] if r else None for r in reports}) == 1:
        status = first["status"]
    return (f"| {task} | {status} | {families(first)} | "
            f"{number(latencies[0], 4)} | {number(times[0].get('baseline_ms'), 4)} | "
            f"{ratios} | {apart} | {min(seconds):.1f} |")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", metavar="OUT", help="folder of the reports")
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--only", default="", help="tasks with this in the name")
    options, extra = parser.parse_known_args()
    if options.runs < 1:
        parser.error("--runs takes a number above 0")
    try:
        os.makedirs(options.out, exist_ok=True)
    except OSError as error:
        print(f"run_solutions.py: cannot make the folder '{options.out}': "
              f"{error.strerror}", file=sys.stderr)
        return 2
    runner = find_runner()
    out = os.path.abspath(options.out)

    chosen = [h for h in HEADLINE if options.only in h[0]]
    reports = {task: [] for task, _, _ in chosen}
    seconds = {task: [] for task, _, _ in chosen}
    for run in range(options.runs):
        for task, family, name in chosen:
            solution = f"tasks/{family}/{task}/solutions/{name}"
            if not os.path.exists(os.path.join(HERE, solution)):
                sys.exit(f"run_solutions.py: there is no {solution}")
            report, wall = evaluate(runner, solution, task,
                                    os.path.join(out, f"{task}.{run}.json"),
                                    extra)
            print(f"{task}, run {run}: "
                  f"{report['status'] if report else 'no report'}, {wall:.1f} s",
                  file=sys.stderr, flush=True)
            reports[task].append(report)
            seconds[task].append(wall)

    device = next((r["dynamic"].get("device") for rs in reports.values()
                   for r in rs if r and "dynamic" in r), "no device")
    print(f"{device}; {options.runs} runs each\n")
    print("| task | status | confirmed | ms | baseline ms | baseline / ours, "
          "each run | runs apart | evaluation s |")
    print("|---|---|---|---|---|---|---|---|")
    for task, _, _ in chosen:
        print(row(task, reports[task], seconds[task]))
    for task, _, _ in chosen:
        for run, report in enumerate(reports[task]):
            if report and report["status"] != "PASSED":
                print(f"\n{task}, run {run}: {report.get('reason', '')}")
    passed = all(r and r["status"] == "PASSED"
                 for rs in reports.values() for r in rs)
    return 0 if passed and chosen else 1


if __name__ == "__main__":
    sys.exit(main())
