#!/usr/bin/env python3
"""How long the emulator takes for a GEMM, next to the same product in C++.

The solution wgmma_tma of the task gemm_n7168_k5120 is taken with other N and K
(its constants) and run by mlir-ptxbench-runner on the emulator; the time is that
of the candidate's call, without compiling and judging. The peer is a product of
bf16 matrices with f32 sums, three loops in C++ by the host's compiler, on as many
threads. With --checks the run is repeated while misuse is looked for. Exit
status: 0; 1 if a run does not pass; 2 if a tool or a file is not there.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

TASK = "gemm_n7168_k5120"

PEER = r"""
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>
static float widen(uint16_t bits) {
  uint32_t wide = uint32_t(bits) << 16;
  float value;
  std::memcpy(&value, &wide, sizeof(value));
  return value;
}
int main(int, char **argv) {
  int m = std::atoi(argv[1]), n = std::atoi(argv[2]), k = std::atoi(argv[3]);
  int threads = std::atoi(argv[4]);
  std::vector<uint16_t> a(size_t(m) * k), b(size_t(n) * k);
  std::vector<float> c(size_t(m) * n);
  for (size_t i = 0; i < a.size(); ++i)
    a[i] = 0x3f80 + i % 64;
  for (size_t i = 0; i < b.size(); ++i)
    b[i] = 0xbf80 + i % 32;
  auto begin = std::chrono::steady_clock::now();
  std::vector<std::thread> workers;
  for (int t = 0; t < threads; ++t)
    workers.emplace_back([&, t] {
      for (int i = t; i < m; i += threads)
        for (int j = 0; j < n; ++j) {
          float sum = 0;
          for (int l = 0; l < k; ++l)
            sum += widen(a[size_t(i) * k + l]) * widen(b[size_t(j) * k + l]);
          c[size_t(i) * n + j] = sum;
        }
    });
  for (std::thread &worker : workers)
    worker.join();
  std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
  std::fprintf(stderr, "%g\n", c[c.size() / 2]);
  std::printf("%g\n", time.count());
}
"""


def write_task(folder, root, m, n, k):
    """The task and the solution at this size; returns the path of the latter."""
    source = os.path.join(root, "tasks", "gemm", TASK)
    name = f"gemm_n{n}_k{k}"
    with open(os.path.join(source, "definition.json"), encoding="utf-8") as file:
        definition = json.load(file)
    definition["name"] = name
    definition["axes"]["N"]["value"] = n
    definition["axes"]["K"]["value"] = k
    uuid = definition["ptxbench"]["headline_workload"]
    reference = definition["ptxbench"]["reference"]
    shutil.copy(os.path.join(source, reference["file"]), folder)
    reference["file"] = os.path.basename(reference["file"])
    with open(os.path.join(folder, "definition.json"), "w",
              encoding="utf-8") as file:
        json.dump(definition, file)
    workload = {"uuid": uuid, "axes": {"M": m},
                "inputs": {"A": {"type": "random"}, "B": {"type": "random"}},
                "ptxbench": {"size": "full"}}
    with open(os.path.join(folder, "workloads.jsonl"), "w",
              encoding="utf-8") as file:
        json.dump({"definition": name, "workload": workload, "solution": None,
                   "evaluation": None}, file)
    with open(os.path.join(source, "solutions", "wgmma_tma.cu"),
              encoding="utf-8") as file:
        text = file.read()
    for constant, value in (("kN", n), ("kK", k)):
        text, count = re.subn(rf"(constexpr int {constant} = )\d+;",
                              rf"\g<1>{value};", text)
        if count != 1:
            sys.exit(f"the solution has no constant {constant}")
    candidate = os.path.join(folder, "candidate.cu")
    with open(candidate, "w", encoding="utf-8") as file:
        file.write(text)
    return candidate


def emulate(runner, candidate, folder, timeout, options):
    """(seconds of the candidate's call, status)."""
    report = os.path.join(folder, "report.json")
    subprocess.run([runner, "run", candidate, "--task", folder,
                    "--backend=emulator", f"--timeout={timeout}",
                    "--format=json", "-o", report, *options], check=False)
    with open(report, encoding="utf-8") as file:
        data = json.load(file)
    times = [stage["seconds"] for stage in data["stages"]
             if stage["name"] == "emulate/candidate"]
    return (times[0] if times else float("nan")), data["status"]


def main():
    root = os.path.dirname(os.path.dirname(os.path.dirname(
        os.path.abspath(__file__))))
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--runner", default="build/bin/mlir-ptxbench-runner")
    parser.add_argument("--size", default="1024x1024x1024", metavar="MxNxK",
                        help="N a multiple of 256, K of 64")
    parser.add_argument("--checks", action="store_true",
                        help="also with --checks=all")
    parser.add_argument("--timeout", type=int, default=3600)
    args = parser.parse_args()
    match = re.fullmatch(r"(\d+)x(\d+)x(\d+)", args.size)
    if not match:
        parser.error("--size wants three numbers: 1024x1024x1024")
    m, n, k = map(int, match.groups())
    if m < 1 or n < 1 or k < 1 or n % 256 or k % 64:
        parser.error("--size wants N a multiple of 256 and K of 64")
    compiler = shutil.which("c++")
    if not os.access(args.runner, os.X_OK) or not compiler:
        print("the runner or a C++ compiler is not there", file=sys.stderr)
        return 2

    threads = os.cpu_count() or 1
    gflop = 2e-9 * m * n * k
    with tempfile.TemporaryDirectory() as folder:
        candidate = write_task(folder, root, m, n, k)
        peer = os.path.join(folder, "peer")
        with open(peer + ".cpp", "w", encoding="utf-8") as file:
            file.write(PEER)
        subprocess.run([compiler, "-std=c++17", "-O3", "-march=native",
                        "-ffast-math", "-pthread", peer + ".cpp", "-o", peer],
                       check=True)
        expected = float(subprocess.run(
            [peer, str(m), str(n), str(k), str(threads)], check=True,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout)
        print(f"{m}x{n}x{k}, {gflop:.2f} GFLOP, {threads} threads")
        print(f"three loops in C++ (-O3 -march=native -ffast-math): "
              f"{expected:.3f} s, {gflop / expected:.1f} GFLOP/s")
        good = True
        for checks in ("none", "all") if args.checks else ("none",):
            seconds, status = emulate(args.runner, candidate, folder,
                                      args.timeout, [f"--checks={checks}"])
            good &= status == "PASSED"
            print(f"emulator, --checks={checks}: {seconds:.3f} s, "
                  f"{gflop / seconds:.1f} GFLOP/s, {status}; "
                  f"{seconds / expected:.2f} times the time of the loops")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
