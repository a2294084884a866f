//===- Samples.cpp - Reports that the tests share -------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The launch is 264 CTAs of 384 threads, two consumer warpgroups and one
// producer thread.
//
//===----------------------------------------------------------------------===//

#include "Samples.h"
#include "ptxbench/Report/ReportIO.h"

using namespace ptxbench;

static TargetResult makeTarget(const char *family, const char *opcode,
                               const char *mnemonic, unsigned line) {
  TargetResult target;
  target.verdict.family = family;
  target.verdict.opcode = opcode;
  target.verdict.mnemonic = mnemonic;
  target.verdict.line = line;
  target.verdict.column = 2;
  target.verdict.inlineAsm = 3;
  target.verdict.source = "kernel.cu:" + std::to_string(line / 2) + ":7";
  return target;
}

static EntryResult makeEntry(bool dead) {
  EntryResult entry;
  entry.name = "gemm";
  for (unsigned line : {214u, 217u, 220u, 223u}) {
    TargetResult target = makeTarget(
        "wgmma", "wgmma.mma_async",
        "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16", line);
    target.verdict.reach = dead ? Reach::Never : Reach::Some;
    if (dead) {
      target.verdict.reason = "line 212 guard %tid.x > 1023 is always false";
      target.verdict.predicted = Prediction{{0, 0}, {0, 0}};
    } else {
      target.verdict.scope = Scope::CTA;
      target.verdict.reason = "line 212 branches on %tid.x / 128, which is 1 "
                              "or 2 for threads 128 to 383";
      target.verdict.predicted = Prediction{{2112, 67584}, {8, 256}};
    }
    entry.targets.push_back(target);
  }
  for (unsigned line : {88u, 97u}) {
    TargetResult target = makeTarget(
        "tma", "cp.async.bulk.tensor",
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::"
        "bytes",
        line);
    target.verdict.reach = Reach::Some;
    target.verdict.scope = Scope::CTA;
    target.verdict.reason = "line 80 lets exactly thread 0 of each CTA pass";
    entry.targets.push_back(target);
  }
  TargetResult loop =
      makeTarget("mbarrier", "mbarrier.try_wait",
                 "mbarrier.try_wait.parity.shared::cta.b64", 140);
  loop.verdict.reason = "line 139 depends on the value loaded at line 131";
  entry.targets.push_back(loop);
  return entry;
}

static void observe(EntryResult &entry, bool dead) {
  for (TargetResult &target : entry.targets) {
    bool wgmma = target.verdict.family == "wgmma";
    bool tma = target.verdict.family == "tma";
    target.sass =
        SassPlace{SassState::Present, {0x10ull * target.verdict.line}, ""};
    ExecutionCount count{264, 264};
    if (wgmma)
      count = dead ? ExecutionCount{0, 0} : ExecutionCount{2112, 67584};
    target.executed = ExecutedInfo{count, "cupti"};
    target.agreement = wgmma || tma ? "confirmed" : "undecided-executed";
    if (!wgmma && !tma) {
      target.sass = SassPlace{SassState::Unobservable, {}, "two rows merged"};
      target.executed.reset();
      target.agreement = "unobservable";
      target.agreementReason = "two rows merged";
    }
  }
  LaunchRecord launch;
  launch.kernel = "gemm";
  launch.grid = {264, 1, 1};
  launch.block = {384, 1, 1};
  launch.dynamicSharedBytes = 200704;
  launch.params = std::vector<uint8_t>{0, 1, 0xfe, 0xff};
  entry.launches.push_back(launch);
  entry.assumptions.grid = launch.grid;
  entry.assumptions.block = launch.block;
  entry.assumptions.params.push_back({1, 8, {0, 0x20, 0, 0}});
}

Report test::staticReport(bool dead) {
  Report report;
  report.module = {"kernel.cu", "9.0", "sm_90a",
                   "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f"
                   "00a08"};
  report.entries.push_back(makeEntry(dead));
  PtxasInfo ptxas;
  ptxas.version = "13.0.88";
  ptxas.accepted = true;
  ptxas.diagnostics.push_back({Severity::Warning, "C7510", 214,
                               "wgmma pipeline crossing function boundary"});
  PtxasResources resources;
  resources.entry = "gemm";
  resources.registers = 168;
  resources.barriers = 1;
  resources.stack = 0;
  resources.spillStores = 0;
  resources.spillLoads = 0;
  resources.smem = 1024;
  resources.cmem = 400;
  resources.lmem = 0;
  ptxas.resources.push_back(resources);
  report.ptxas = ptxas;
  return report;
}

static Report makeRun(bool dead) {
  Report report = test::staticReport(dead);
  EntryResult launched = makeEntry(dead);
  observe(launched, dead);
  report.entries.push_back(launched);
  report.crosscheck = countAgreements(report.entries);
  DynamicInfo dynamic;
  dynamic.backend = "cuda";
  dynamic.device = "NVIDIA H200";
  dynamic.versions = {{"cuda", "13.0"}, {"driver", "580.159"}};
  dynamic.task = "gemm_n7168_k5120";
  dynamic.workload = "4a0d5c0e";
  dynamic.axes = {{"M", 8192}};
  dynamic.otherWorkloads = {
      {"7d1e", {{"M", 1}}, Status::Passed, "", 1e-7, 2e-6},
      {"9a00",
       {{"M", 64}},
       Status::IncorrectNumerical,
       "trial 0 is wrong",
       0.5,
       std::nullopt}};
  dynamic.requiredFamilies = {"wgmma", "tma"};
  dynamic.seed = 7;
  dynamic.notes = {"inputs were regenerated for each trial"};
  report.dynamic = dynamic;
  report.diagnostics.push_back({"wgmma-missing-fence", Severity::Warning, 213,
                                2, "registers are written before the fence",
                                "put wgmma.fence.sync.aligned before line "
                                "214"});
  report.diagnostics.back().launches = 6;
  Correctness numbers;
  numbers.passed = true;
  numbers.maxAbsoluteError = 0.25;
  numbers.maxRelativeError = 0.0078;
  numbers.relativeL2 = 0.0017;
  numbers.matchedRatio = 1.0;
  numbers.atol = 0.01;
  numbers.rtol = 0.01;
  numbers.requiredMatchedRatio = 1.0;
  numbers.maxRelativeL2 = 0.02;
  numbers.trials = 3;
  numbers.reference = "fp64 on 64 sampled rows";
  OutputCorrectness output;
  output.name = "C";
  output.passed = true;
  output.maxAbsoluteError = 0.25;
  output.maxRelativeError = 0.0078;
  output.relativeL2 = 0.0017;
  output.matchedRatio = 1.0;
  output.elements = 58720256;
  output.mismatched = 0;
  output.unwritten = 0;
  output.nonFinite = 0;
  numbers.outputs.push_back(output);
  report.correctness = numbers;
  report.machineCode = {std::string(64, 'c'),
                        {{"gmma", {4, dead ? 0u : 8192u}},
                         {"tcgen", {0, std::nullopt}},
                         {"tma", {2, 64}}}};
  Performance time;
  time.latencyMs = 0.8;
  time.baselineMs = 0.74;
  time.baseline = "cuBLASLt 13.1";
  time.speedupFactor = 0.925;
  time.spread = TimeSpread{0.79, 0.798, 0.803, 0.83};
  time.baselineSpread = TimeSpread{0.73, 0.739, 0.742, 0.76};
  time.runs = 150;
  time.warmups = 10;
  time.flops = 601295421440.0;
  time.method = "cupti-activity";
  time.warnings = {"the clock was lowered by the power limit in 3 runs"};
  report.performance = time;
  report.stages = {{"compile", StageVerdict::Passed, 1.98, "ptxas info"},
                   {"run", StageVerdict::Passed, 0.43, ""}};
  report.status = dead ? Status::TargetNotExecuted : Status::Passed;
  if (dead)
    report.reason = "wgmma is required and executed 0 times";
  return report;
}

Report test::liveReport() { return makeRun(false); }
Report test::deadReport() { return makeRun(true); }

std::string test::textOf(const Report &report, bool color) {
  std::string text;
  llvm::raw_string_ostream os(text);
  writeText(report, os, color);
  return text;
}

std::string test::jsonOf(const Report &report) {
  std::string text;
  llvm::raw_string_ostream os(text);
  writeJSON(report, os);
  return text;
}

std::string test::htmlOf(const Report &report) {
  std::string text;
  llvm::raw_string_ostream os(text);
  writeHTML(report, os);
  return text;
}
