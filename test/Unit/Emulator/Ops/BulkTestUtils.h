//===- BulkTestUtils.h - What tests of bulk copies share --------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Schedules, tensor maps as arguments of kernels, and expectations about
// outcomes with lines of the kernel's text.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_TEST_UNIT_EMULATOR_OPS_BULKTESTUTILS_H
#define PTXBENCH_TEST_UNIT_EMULATOR_OPS_BULKTESTUTILS_H

#include "../EmulatorTestUtils.h"
#include "ptxbench/Emulator/TensorMap.h"

#include <algorithm>

namespace ptxbench::emulator {

/// Every kind of schedule; the random one with some seeds.
inline std::vector<Schedule> allSchedules(unsigned seeds = 4) {
  std::vector<Schedule> schedules = {
      {Schedule::Eager, 0}, {Schedule::Lazy, 0}, {Schedule::Adversarial, 0}};
  for (unsigned seed = 1; seed <= seeds; ++seed)
    schedules.push_back({Schedule::Random, seed});
  return schedules;
}
inline std::string nameOf(const Schedule &schedule) {
  static constexpr const char *names[] = {"eager", "lazy", "random ",
                                          "adversarial"};
  return names[schedule.kind] + (schedule.kind == Schedule::Random
                                     ? std::to_string(schedule.seed)
                                     : "");
}

/// A parameter `.align 64 .b8 map[128]`.
struct alignas(64) MapArgument {
  std::array<uint8_t, tensorMapBytes> bytes{};

  MapArgument() = default;
  MapArgument(const TensorMap &map) : bytes(map.encode()) {}
};

/// A tiled map of a packed tensor; failures are those of the test.
inline TensorMap makeMap(const void *address, TensorElementType type,
                         std::vector<uint64_t> dims, std::vector<uint32_t> box,
                         TensorSwizzle swizzle = TensorSwizzle::None) {
  TensorMap map;
  map.elementType = type;
  map.swizzle = swizzle;
  map.rank = dims.size();
  map.globalAddress = reinterpret_cast<uint64_t>(address);
  std::copy(dims.begin(), dims.end(), map.globalDim.begin());
  std::copy(box.begin(), box.end(), map.boxDim.begin());
  map.elementStrides = {1, 1, 1, 1, 1};
  uint64_t stride = elementBytes(type);
  for (unsigned i = 0; i + 1 < map.rank; ++i)
    map.globalStrides[i] = stride *= dims[i];
  if (llvm::Error error = map.verify())
    ADD_FAILURE() << llvm::toString(std::move(error));
  return map;
}

/// The line of a kernel at which `piece` stands first; TestMachine puts three
/// lines in front.
inline unsigned lineOf(const std::string &text, const std::string &piece) {
  size_t at = text.find(piece);
  if (at == std::string::npos)
    return 0;
  return 4 + std::count(text.begin(), text.begin() + at, '\n');
}

inline std::string replaced(std::string text, const std::string &from,
                            const std::string &to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos;
       at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

/// Whether the launch ended with that fault, in the line of `piece`.
inline ::testing::AssertionResult isFault(const LaunchOutcome &outcome,
                                          const std::string &text,
                                          const std::string &piece,
                                          const std::string &id,
                                          const std::string &message) {
  if (outcome.status != LaunchStatus::Fault || outcome.findings.empty())
    return ::testing::AssertionFailure()
           << stringifyLaunchStatus(outcome.status).str() << ": "
           << outcome.reason;
  const Finding &finding = outcome.findings.front();
  if (finding.id != id || finding.line != lineOf(text, piece) ||
      finding.message.find(message) == std::string::npos)
    return ::testing::AssertionFailure()
           << "line " << finding.line << ", " << finding.id << ": "
           << finding.message;
  return ::testing::AssertionSuccess();
}

} // namespace ptxbench::emulator

#endif // PTXBENCH_TEST_UNIT_EMULATOR_OPS_BULKTESTUTILS_H
