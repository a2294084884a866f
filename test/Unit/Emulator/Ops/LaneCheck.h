//===- LaneCheck.h - Instructions against the host's arithmetic -*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a few instructions in a kernel, one lane per set of operands, and
// compares each result with a function of the test. They run three times: in
// all lanes, under a guard that some lanes have, and in a branch that some
// lanes take. Lanes that do not execute them must keep what they had.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_TEST_UNIT_EMULATOR_OPS_LANECHECK_H
#define PTXBENCH_TEST_UNIT_EMULATOR_OPS_LANECHECK_H

#include "../EmulatorTestUtils.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"

#include <functional>
#include <random>
#include <sstream>
#include <tuple>

namespace ptxbench::emulator {

/// Operands that are likely to be edges: small numbers, ends of ranges, powers
/// of two and their neighbours, infinities and NaNs, and any bits.
template <class T> T interestingOperand(std::mt19937_64 &random) {
  uint64_t bits = random();
  unsigned width = 8 * sizeof(T), place = random() % width;
  switch (random() % 8) {
  case 0:
    bits = random() % 72;
    break;
  case 1:
    bits = 0 - random() % 72;
    break;
  case 2:
    bits = (uint64_t(1) << place) + random() % 3 - 1;
    break;
  case 3:
    bits = ~((uint64_t(1) << place) + random() % 3 - 1);
    break;
  case 4: {
    // Near the numbers that floats have at the ends of their exponents.
    static constexpr uint64_t edges16[] = {0x7c00, 0x7f80, 0x3c00, 0x3f80,
                                           0x0400, 0x0080, 0x7ff7, 0x7bff};
    static constexpr uint64_t edges32[] = {0x7f800000, 0x3f800000, 0x00800000,
                                           0x4f000000, 0x7f7fffff, 0x477fe000,
                                           0x38800000, 0x4f800000};
    static constexpr uint64_t edges64[] = {
        0x7ff0000000000000, 0x3ff0000000000000, 0x0010000000000000,
        0x41e0000000000000, 0x43e0000000000000, 0x47efffffe0000000,
        0x43f0000000000000, 0x7fefffffffffffff};
    unsigned which = random() % 8;
    bits = width == 64                   ? edges64[which]
           : width == 16 || random() % 2 ? edges16[which] * 0x10001
                                         : edges32[which];
    bits += random() % 3 - 1;
    bits ^= (random() & 1) << (width - 1);
    break;
  }
  case 5:
    // Floats of moderate size, so that sums and products are none of the
    // extremes.
    if (width == 32)
      bits = llvm::bit_cast<uint32_t>(float(int32_t(bits)) / 65536.0f);
    if (width == 64)
      bits = llvm::bit_cast<uint64_t>(double(int64_t(bits)) / 4294967296.0);
    break;
  default:
    break;
  }
  T value;
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}

/// The bits of a result in hexadecimal.
template <class T> std::string hex(T value) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  return "0x" + llvm::utohexstr(bits, true);
}

/// Which of the instructions are not executed, and where.
enum class LaneMode { All, Guarded, Branch };

/// One run. `text` are instructions, one a line, that read %a, %b, %c, %e and
/// write %d; each begins with `@%g ` under a guard. There are also %p1…%p7,
/// %h1…, %r1…, %u1… of 1, 16, 32 and 64 bits.
template <class D, class... S>
void checkLanesIn(LaneMode mode, const std::string &text,
                  const std::function<D(S...)> &expected, unsigned count) {
  static constexpr const char *names[] = {"%a", "%b", "%c", "%e"};
  static_assert(sizeof...(S) <= 4, "four operands at most");
  auto bits = [](size_t bytes) { return std::to_string(8 * bytes); };
  constexpr size_t sizes[] = {sizeof(S)..., 0};
  std::string params = ".param .u64 out, .param .u64 guards", loads;
  std::string regs = ".reg .b" + bits(sizeof(D)) + " %d;\n";
  for (size_t i = 0; i < sizeof...(S); ++i) {
    std::string number = std::to_string(i), type = ".b" + bits(sizes[i]);
    params += ", .param .u64 in" + number;
    regs += ".reg " + type + " " + names[i] + ";\n";
    loads += "ld.param.u64 %x2, [in" + number + "];\n" +
             "mul.wide.u32 %x3, %i, " + std::to_string(sizes[i]) + ";\n" +
             "add.u64 %x2, %x2, %x3;\nld.global" + type + " " + names[i] +
             ", [%x2];\n";
  }
  std::string body;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    body += (mode == LaneMode::Guarded ? "@%g " : "") + line + "\n";
  if (mode == LaneMode::Branch)
    body = "@!%g bra Skip;\n" + body + "Skip:\n";
  TestMachine machine(
      ".visible .entry k(" + params + ") {\n" + regs +
      ".reg .b32 %i, %n, %r<8>;\n.reg .b64 %x<4>, %u<8>;\n"
      ".reg .b16 %h<8>;\n.reg .pred %g, %p<8>;\n"
      "mov.u32 %i, %tid.x;\nmov.u32 %n, %ctaid.x;\nshl.b32 %n, %n, 6;\n"
      "add.u32 %i, %i, %n;\nmul.wide.u32 %x3, %i, 4;\n"
      "ld.param.u64 %x2, [guards];\nadd.u64 %x2, %x2, %x3;\n"
      "ld.global.u32 %n, [%x2];\nsetp.ne.u32 %g, %n, 0;\n"
      "ld.param.u64 %x1, [out];\nmul.wide.u32 %x3, %i, " +
      std::to_string(sizeof(D)) + ";\nadd.u64 %x1, %x1, %x3;\nld.global.b" +
      bits(sizeof(D)) + " %d, [%x1];\n" + loads + body + "st.global.b" +
      bits(sizeof(D)) + " [%x1], %d;\nret;\n}\n");

  std::mt19937_64 random(std::hash<std::string>()(text) + unsigned(mode));
  std::tuple<std::vector<S>...> operands{std::vector<S>(count)...};
  std::vector<uint32_t> guards(count, 1);
  std::vector<D> before(count);
  for (unsigned i = 0; i < count; ++i) {
    std::apply(
        [&](auto &...vector) {
          ((vector[i] = interestingOperand<S>(random)), ...);
        },
        operands);
    before[i] = interestingOperand<D>(random);
    if (mode != LaneMode::All)
      guards[i] = random() % 3 == 0;
  }
  D *out = machine.upload(before);
  LaunchOutcome outcome = std::apply(
      [&](auto &...vector) {
        return machine.launch({count / 64}, {64}, out, machine.upload(guards),
                              machine.upload(vector)...);
      },
      operands);
  ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason << "\n"
                                                     << text;
  for (unsigned i = 0, failures = 0; i < count && failures < 4; ++i) {
    D wanted =
        guards[i]
            ? std::apply(
                  [&](auto &...vector) -> D { return expected(vector[i]...); },
                  operands)
            : before[i];
    if (std::memcmp(&wanted, &out[i], sizeof(D)) == 0)
      continue;
    ++failures;
    std::string list;
    std::apply([&](auto &...vector) { ((list += " " + hex(vector[i])), ...); },
               operands);
    ADD_FAILURE() << text << (guards[i] ? "" : "\nin an idle lane") << "\nof"
                  << list << "\n  is " << hex(out[i]) << "\n  not "
                  << hex(wanted);
  }
}

/// Checks `text`, which reads %a, %b, … of types S... and writes %d of type D,
/// against `expected(a, b, …)`.
template <class D, class... S, class F>
void checkLanes(const std::string &text, F expected, unsigned count = 2048) {
  std::function<D(S...)> function = expected;
  for (LaneMode mode : {LaneMode::All, LaneMode::Guarded, LaneMode::Branch})
    checkLanesIn<D, S...>(mode, text, function, count);
}

} // namespace ptxbench::emulator

#endif // PTXBENCH_TEST_UNIT_EMULATOR_OPS_LANECHECK_H
