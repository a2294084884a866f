//===- CheckTestUtils.h - Kernels that break a rule ------------- -*- C++ -*-=//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a kernel with checks under many schedules and says what was found.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_TEST_UNIT_EMULATOR_CHECKTESTUTILS_H
#define PTXBENCH_TEST_UNIT_EMULATOR_CHECKTESTUTILS_H

#include "Ops/BulkTestUtils.h"
#include "llvm/ADT/STLExtras.h"

namespace ptxbench::emulator {

using Ids = std::vector<std::string>;

/// How a kernel is launched.
struct CheckedLaunch {
  Dim3 grid{1, 1, 1}, block{64, 1, 1}, cluster{1, 1, 1};
};

/// A kernel with some registers filled:
///   %r1 the address of `buffer`, 16384 bytes of shared memory
///   %r2 that of `bars`, room for eight mbarriers
///   %r3 %tid.x, %r4 %ctaid.x, %r5 %cluster_ctarank
///   %r0 0
///   %d1 8192 zeroed bytes of global memory
///   %d2 a tensor map of its first 4096: 32 x 32 words, in boxes of 32 x 8
///   %d0 a word of global memory that is 0
///   %p1 warp 0, %p2 thread 0, %p3 rank 0 in the cluster, %p4 CTA 0
inline std::string checkedKernel(const std::string &body) {
  return R"(
.visible .entry k(.param .u64 global, .param .align 64 .b8 map[128]) {
  .reg .b32 %r<32>; .reg .b64 %d<16>; .reg .pred %p<16>; .reg .f32 %f<16>;
  .shared .align 1024 .b8 buffer[16384];
  .shared .align 8 .b8 bars[64];
  ld.param.u64 %d1, [global];
  add.s64 %d0, %d1, 8128;
  mov.b64 %d2, map;
  mov.u32 %r0, 0;
  mov.u32 %r1, buffer;
  mov.u32 %r2, bars;
  mov.u32 %r3, %tid.x;
  mov.u32 %r4, %ctaid.x;
  mov.u32 %r5, %cluster_ctarank;
  setp.lt.s32 %p1, %r3, 32;
  setp.eq.s32 %p2, %r3, 0;
  setp.eq.s32 %p3, %r5, 0;
  setp.eq.s32 %p4, %r4, 0;
)" + body +
         "\nEnd:\n  ret;\n}\n";
}

/// `first` is executed by warp 0, `second` by warp 1, `both` by all between.
inline std::string twoWarps(const std::string &first, const std::string &both,
                            const std::string &second) {
  return checkedKernel("@!%p1 bra Both;\n" + first + "\nBoth:\n" + both +
                       "\n@%p1 bra End;\n" + second);
}

/// All ids and the outcome under one schedule.
struct CheckedOutcome {
  Ids ids;
  LaunchOutcome outcome;

  bool has(const std::string &id) const { return llvm::is_contained(ids, id); }
};

/// Calls `use(schedule, outcome)` for 23 schedules. The kernels move shared
/// memory that nobody filled; that this is found is the subject of other tests.
template <class Use>
void forEachSchedule(const std::string &text, const CheckedLaunch &how,
                     Use use) {
  TestMachine machine(text);
  machine.options.checks = true;
  machine.options.maxInstructions = 1 << 20;
  machine.config.cluster = how.cluster;
  char *global = machine.allocate<char>(8192);
  MapArgument map = makeMap(global, TensorElementType::U32, {32, 32}, {32, 8});
  for (const Schedule &schedule : allSchedules(20)) {
    machine.options.schedule = schedule;
    std::fill_n(global, 8192, 0);
    CheckedOutcome result;
    result.outcome = machine.launch(how.grid, how.block, global, map);
    llvm::erase_if(result.outcome.findings, [](const Finding &finding) {
      return finding.id == "undefined-value";
    });
    for (const Finding &finding : result.outcome.findings) {
      EXPECT_NE(finding.line, 0u);
      if (!result.has(finding.id))
        result.ids.push_back(finding.id);
    }
    use(schedule, result);
  }
}

/// Under every schedule one of `ids` is found, with both lines (but of
/// peer-not-started and of faults), and nothing else.
inline void expectFound(const std::string &text, const Ids &ids,
                        const CheckedLaunch &how = {}) {
  forEachSchedule(
      text, how, [&](const Schedule &schedule, const CheckedOutcome &result) {
        EXPECT_FALSE(result.ids.empty())
            << nameOf(schedule) << ": " << result.outcome.reason << text;
        for (const Finding &finding : result.outcome.findings)
          EXPECT_TRUE(llvm::is_contained(ids, finding.id))
              << nameOf(schedule) << ": " << finding.id << " in "
              << finding.line << ": " << finding.message << text;
        if (result.outcome.status != LaunchStatus::Completed)
          return;
        for (const Finding &finding : result.outcome.findings)
          EXPECT_EQ(finding.otherLine == 0, finding.id == "peer-not-started")
              << finding.id;
      });
}

/// Nothing is found and the launch completes.
inline void expectClean(const std::string &text,
                        const CheckedLaunch &how = {}) {
  forEachSchedule(
      text, how, [&](const Schedule &schedule, const CheckedOutcome &result) {
        EXPECT_EQ(result.outcome.status, LaunchStatus::Completed)
            << nameOf(schedule) << ": " << result.outcome.reason << text;
        for (const Finding &finding : result.outcome.findings)
          ADD_FAILURE() << nameOf(schedule) << ": " << finding.id << " in "
                        << finding.line << ": " << finding.message << text;
      });
}

/// A body with `FIX` in it: found without the fix, clean with it.
inline void expectRule(const std::string &body, const std::string &fix,
                       const Ids &ids, const CheckedLaunch &how = {}) {
  ASSERT_NE(body.find("FIX"), std::string::npos);
  expectFound(checkedKernel(replaced(body, "FIX", "")), ids, how);
  expectClean(checkedKernel(replaced(body, "FIX", fix)), how);
}

/// Waits for a phase of the mbarrier at `address`; `label` is one of its own.
inline std::string waitFor(const std::string &address,
                           const std::string &parity,
                           const std::string &label) {
  return label + ":\n  mbarrier.try_wait.parity.shared::cta.b64 %p9, [" +
         address + "], " + parity + ";\n  @!%p9 bra " + label + ";\n";
}

} // namespace ptxbench::emulator

#endif // PTXBENCH_TEST_UNIT_EMULATOR_CHECKTESTUTILS_H
