//===- UndefinedTestUtils.h - Kernels with undefined values -----*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Launches kernels under all schedules and says what was found.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_TEST_UNIT_EMULATOR_UNDEFINEDTESTUTILS_H
#define PTXBENCH_TEST_UNIT_EMULATOR_UNDEFINEDTESTUTILS_H

#include "Ops/BulkTestUtils.h"

namespace ptxbench::emulator {

/// The line of a finding, and that of the origin.
struct Use {
  unsigned line, origin;
  bool operator==(const Use &other) const {
    return line == other.line && origin == other.origin;
  }
};
inline std::ostream &operator<<(std::ostream &out, const Use &use) {
  return out << use.line << " from " << use.origin;
}

inline constexpr unsigned outBytes = 1 << 16;

/// Launches the only kernel, whose parameter is zeroed global memory. The
/// findings must not depend on the schedule.
inline std::vector<Use> usesOf(const std::string &text, unsigned threads,
                               Dim3 cluster = {1}) {
  std::vector<Schedule> schedules = allSchedules();
  std::vector<Use> first;
  for (const Schedule &schedule : schedules) {
    TestMachine machine(text);
    machine.options.checks = true;
    machine.options.schedule = schedule;
    machine.config.cluster = cluster;
    char *out = machine.allocate<char>(outBytes);
    std::memset(out, 0, outBytes);
    LaunchOutcome outcome = machine.launch(cluster, {threads}, out);
    EXPECT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
    std::vector<Use> uses;
    for (const Finding &finding : outcome.findings) {
      EXPECT_EQ(finding.id, "undefined-value") << finding.message;
      uses.push_back({finding.line, finding.otherLine});
    }
    if (&schedule == &schedules.front())
      first = uses;
    else
      EXPECT_EQ(uses, first) << nameOf(schedule);
  }
  return first;
}

/// A kernel with `body` from line 16 on. %r0 is the lane and %d0 its 16 bytes
/// of global memory, %d1 all of that; %r1 the address of the lane's 16 bytes
/// of shared memory, %r2 of an mbarrier of one arrival. Nobody writes %u, %uh,
/// %ud, %up, %uf, %uq, nor the memory; %p0 is true, %p1 is false.
inline constexpr unsigned firstLine = 16;
inline std::string kernel(const std::string &body,
                          const std::string &module = "") {
  return ".version 9.0\n.target sm_90a\n.address_size 64\n" + module +
         R"(
.visible .entry k(.param .u64 global) {
  .reg .b32 %r<30>, %u; .reg .b64 %d<20>, %ud; .reg .b16 %h<20>, %uh;
  .reg .pred %p<10>, %up; .reg .f32 %f<20>, %uf; .reg .b128 %q<4>, %uq;
  .shared .align 128 .b8 buffer[4096]; .shared .align 8 .b64 barrier;
  .local .align 16 .b8 memory[64];
  ld.param.u64 %d1, [global]; mov.u32 %r0, %tid.x;
  mad.wide.u32 %d0, %r0, 16, %d1; mov.u32 %r1, buffer;
  mad.lo.u32 %r1, %r0, 16, %r1; mov.u32 %r2, barrier;
  setp.eq.u32 %p0, 0, 0; setp.ne.u32 %p1, 0, 0; setp.eq.u32 %p2, %r0, 0;
  @%p2 mbarrier.init.shared.b64 [%r2], 1;
  bar.sync 0;
)" + body +
         "\n  ret;\n}\n";
}

inline std::vector<Use> usesIn(const std::string &body,
                               const std::string &module = "") {
  // Every line of `module` would move those of the body.
  EXPECT_EQ(module.find('\n'), std::string::npos);
  return usesOf(kernel(body, module), 32);
}

using Uses = std::vector<Use>;
/// A value that no instruction wrote is used in the first line of the body.
inline const Uses directly{{firstLine, 0}};
/// The second line uses what the first one made of an undefined value.
inline const Uses derived{{firstLine + 1, firstLine}};
inline const Uses none;

/// That `value`, a 32-bit register, is undefined (its line is the second one)
/// or not after `body`, which is one line.
inline void expectUndefined(const std::string &body, const std::string &value) {
  EXPECT_EQ(usesIn(body + "\nst.global.b32 [%d0], " + value + ";"), derived)
      << body;
}
inline void expectDefined(const std::string &body, const std::string &value) {
  EXPECT_EQ(usesIn(body + "\nst.global.b32 [%d0], " + value + ";"), none)
      << body;
}
/// The bits of %r9 after `body` that are undefined are those of `mask`, which
/// are not all.
inline void expectBits(const std::string &body, uint32_t mask) {
  std::string use = body + " and.b32 %r9, %r9, ";
  expectDefined(use + std::to_string(~mask) + ";", "%r9");
  for (uint32_t rest = mask; rest; rest &= rest - 1)
    expectUndefined(use + std::to_string(rest & -rest) + ";", "%r9");
}

} // namespace ptxbench::emulator

#endif // PTXBENCH_TEST_UNIT_EMULATOR_UNDEFINEDTESTUTILS_H
