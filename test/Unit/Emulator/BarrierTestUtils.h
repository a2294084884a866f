//===- BarrierTestUtils.h - Kernels that wait ------------------- -*- C++ -*-=//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel that breaks a rule beside its repaired twin, both under many
// schedules with checks.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_TEST_UNIT_EMULATOR_BARRIERTESTUTILS_H
#define PTXBENCH_TEST_UNIT_EMULATOR_BARRIERTESTUTILS_H

#include "Ops/BulkTestUtils.h"

namespace ptxbench::emulator {

/// How kernels are launched; `directives` stand behind the parameters.
struct WaitingLaunch {
  Dim3 grid{1, 1, 1}, block{64, 1, 1}, cluster{1, 1, 1};
  std::string directives;
  std::string module;
  uint32_t hostThreads = 1;
};

/// A kernel with some registers filled:
///   %r1 the address of `buffer`, 8192 bytes of shared memory
///   %r2 that of `bars`, room for eight mbarriers
///   %r3 %tid.x, %r4 the warp, %r5 the lane, %r6 %cluster_ctarank
///   %d1 8192 zeroed bytes of global memory
///   %p1 warp 0, %p2 thread 0, %p3 lane 0
inline std::string waitingKernel(const std::string &body,
                                 const WaitingLaunch &how = {}) {
  return how.module + R"(
.visible .entry k(.param .u64 global) )" +
         how.directives + R"( {
  .reg .b32 %r<64>; .reg .b64 %d<16>; .reg .pred %p<16>; .reg .f32 %f<80>;
  .shared .align 1024 .b8 buffer[8192];
  .shared .align 8 .b8 bars[64];
  .local .align 8 .b8 spill[64];
  ld.param.u64 %d1, [global];
  mov.u32 %r1, buffer;
  mov.u32 %r2, bars;
  mov.u32 %r3, %tid.x;
  shr.u32 %r4, %r3, 5;
  and.b32 %r5, %r3, 31;
  mov.u32 %r6, %cluster_ctarank;
  setp.eq.u32 %p1, %r4, 0;
  setp.eq.u32 %p2, %r3, 0;
  setp.eq.u32 %p3, %r5, 0;
)" + body +
         "\nEnd:\n  ret;\n}\n";
}

/// Calls `use(schedule, outcome, global memory)` for eager, lazy, adversarial
/// and `seeds` random schedules.
template <class Use>
void forEachSchedule(const std::string &text, const WaitingLaunch &how, Use use,
                     unsigned seeds = 20) {
  TestMachine machine(text);
  machine.options.checks = how.hostThreads == 1;
  machine.options.hostThreads = how.hostThreads;
  machine.options.maxInstructions = 1 << 26;
  machine.config.cluster = how.cluster;
  char *global = machine.allocate<char>(8192);
  for (const Schedule &schedule : allSchedules(seeds)) {
    machine.options.schedule = schedule;
    std::fill_n(global, 8192, 0);
    LaunchOutcome outcome = machine.launch(how.grid, how.block, global);
    use(schedule, outcome, global);
  }
}

inline const Finding *findingOf(const LaunchOutcome &outcome,
                                const std::string &id) {
  for (const Finding &finding : outcome.findings)
    if (finding.id == id)
      return &finding;
  return nullptr;
}

inline std::string allFindings(const LaunchOutcome &outcome) {
  std::string text = stringifyLaunchStatus(outcome.status).str() + ": " +
                     outcome.reason + "\n";
  for (const Finding &finding : outcome.findings)
    text += finding.id + " in " + std::to_string(finding.line) + "/" +
            std::to_string(finding.otherLine) + ": " + finding.message + "\n";
  return text;
}

/// `id` is found under every schedule, in the line of the comment `BAD` and
/// with that of `OTHER`, if there are any, and with that message.
inline void expectFound(const std::string &body, const std::string &id,
                        const WaitingLaunch &how = {},
                        const std::string &message = "") {
  std::string text = waitingKernel(body, how);
  forEachSchedule(text, how,
                  [&](const Schedule &schedule, const LaunchOutcome &outcome,
                      const char *) {
                    unsigned line = lineOf(text, "BAD");
                    unsigned other = lineOf(text, "OTHER");
                    bool found = false;
                    for (const Finding &finding : outcome.findings)
                      found |=
                          finding.id == id && finding.line != 0 &&
                          (!line || finding.line == line) &&
                          (!other || finding.otherLine == other) &&
                          finding.message.find(message) != std::string::npos;
                    EXPECT_TRUE(found) << nameOf(schedule) << ": " << id << "; "
                                       << allFindings(outcome) << text;
                  });
}

/// Nothing is found and the launch completes.
inline void expectClean(const std::string &body,
                        const WaitingLaunch &how = {}) {
  std::string text = waitingKernel(body, how);
  forEachSchedule(text, how,
                  [&](const Schedule &schedule, const LaunchOutcome &outcome,
                      const char *) {
                    EXPECT_EQ(outcome.status, LaunchStatus::Completed)
                        << nameOf(schedule) << ": " << allFindings(outcome)
                        << text;
                    EXPECT_TRUE(outcome.findings.empty())
                        << nameOf(schedule) << ": " << allFindings(outcome)
                        << text;
                  });
}

/// `body` with `wrong` for FIX is found, with `right` it is clean.
inline void expectRule(const std::string &body, const std::string &wrong,
                       const std::string &right, const std::string &id,
                       const WaitingLaunch &how = {},
                       const std::string &message = "") {
  ASSERT_NE(body.find("FIX"), std::string::npos);
  expectFound(replaced(body, "FIX", wrong), id, how, message);
  expectClean(replaced(body, "FIX", right), how);
}

/// Waits for a phase of the mbarrier at `address`; `label` is one of its own.
inline std::string waitFor(const std::string &address,
                           const std::string &parity, const std::string &label,
                           const std::string &comment = "") {
  return label + ":\n  mbarrier.try_wait.parity.shared::cta.b64 %p9, [" +
         address + "], " + parity + "; //" + comment + "\n  @!%p9 bra " +
         label + ";\n";
}

/// One thread makes the first `number` mbarriers with that count.
inline std::string makeBarriers(const std::string &count, unsigned number = 1) {
  std::string text;
  for (unsigned i = 0; i < number; ++i)
    text += "  @%p2 mbarrier.init.shared.b64 [%r2+" + std::to_string(8 * i) +
            "], " + count + ";\n";
  return text + "  bar.sync 0;\n";
}

} // namespace ptxbench::emulator

#endif // PTXBENCH_TEST_UNIT_EMULATOR_BARRIERTESTUTILS_H
