//===- Compare.cpp - Whether two outcomes are the same --------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Element by element. Distances in units in the last place are differences of
// the bits, taken as integers with a sign.
//
//===----------------------------------------------------------------------===//

#include "Compare.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::differential;

namespace {
/// Exponent and fraction bits.
struct Layout {
  unsigned exponent, fraction;
};
} // namespace

static Layout layoutOf(Format format) {
  switch (format) {
  case Format::F16:
    return {5, 10};
  case Format::BF16:
    return {8, 7};
  case Format::F64:
    return {11, 52};
  case Format::F32:
  case Format::Bits:
    break;
  }
  return {8, 23};
}

unsigned differential::bytesOf(Format format) {
  if (format == Format::F16 || format == Format::BF16)
    return 2;
  return format == Format::F64 ? 8 : 4;
}

double differential::valueOf(Format format, uint64_t bits) {
  Layout layout = layoutOf(format);
  int bias = (1 << (layout.exponent - 1)) - 1;
  uint64_t fraction = bits & ((uint64_t(1) << layout.fraction) - 1);
  unsigned top = (1u << layout.exponent) - 1;
  unsigned exponent = unsigned(bits >> layout.fraction) & top;
  bool isNegative = bits >> (layout.exponent + layout.fraction) & 1;
  double value;
  if (exponent == top)
    value = fraction ? std::nan("") : HUGE_VAL;
  else if (exponent == 0)
    value = std::ldexp(double(fraction), 1 - bias - int(layout.fraction));
  else
    value = std::ldexp(double(fraction | uint64_t(1) << layout.fraction),
                       int(exponent) - bias - int(layout.fraction));
  return isNegative ? -value : value;
}

double differential::ulpsBetween(Format format, uint64_t a, uint64_t b) {
  Layout layout = layoutOf(format);
  uint64_t sign = uint64_t(1) << (layout.exponent + layout.fraction);
  auto order = [&](uint64_t bits) {
    auto magnitude = double(bits & (sign - 1));
    return bits & sign ? -magnitude : magnitude;
  };
  // Neighbours of 64 bits are no doubles.
  if ((a & sign) == (b & sign))
    return double(a > b ? a - b : b - a);
  return std::fabs(order(a) - order(b));
}

static uint64_t readElement(const std::vector<uint8_t> &bytes, size_t at,
                            unsigned size) {
  uint64_t value = 0;
  std::memcpy(&value, bytes.data() + at,
              std::min<size_t>(size, bytes.size() - at));
  return value;
}

static std::string elementText(Format format, uint64_t bits, unsigned size) {
  std::string text;
  raw_string_ostream os(text);
  os << format_hex(bits, 2 * size + 2);
  if (format != Format::Bits)
    os << " (" << llvm::format("%.9g", valueOf(format, bits)) << ")";
  return text;
}

/// Where an element lies, with the inputs of its thread if they are known.
static std::string placeText(const Case &testCase, unsigned output,
                             unsigned outputs, size_t at) {
  std::string text;
  raw_string_ostream os(text);
  const PerThread &perThread = testCase.perThread;
  if (!perThread.threads) {
    if (outputs > 1)
      os << "output " << output << " ";
    os << "byte " << at;
    return text;
  }
  size_t array = 0, start = 0;
  while (array + 1 < perThread.outputBytes.size() &&
         at >= start + size_t(perThread.threads) * perThread.outputBytes[array])
    start += size_t(perThread.threads) * perThread.outputBytes[array++];
  size_t thread = (at - start) / perThread.outputBytes[array];
  os << "thread " << thread;
  if (perThread.outputBytes.size() > 1)
    os << " result " << array;
  if (size_t byte = (at - start) % perThread.outputBytes[array])
    os << " byte " << byte;
  os << " of";
  const std::vector<uint8_t> &input = testCase.buffers[0].bytes;
  for (size_t i = 0; i < perThread.inputBytes; i += 8)
    os << " "
       << format_hex(readElement(input, thread * perThread.inputBytes + i,
                                 std::min<size_t>(8, perThread.inputBytes - i)),
                     18);
  return text;
}

namespace {
class Comparer {
public:
  Comparer(const Case &testCase, unsigned messages)
      : testCase(testCase), tolerance(testCase.tolerance), messages(messages) {}

  void compareOutput(unsigned output, unsigned outputs,
                     const std::vector<uint8_t> &expected,
                     const std::vector<uint8_t> &actual);

  Comparison result;

private:
  /// Whether one element may stand for the other; notes how far they differ.
  bool isWithin(uint64_t expected, uint64_t actual);

  const Case &testCase;
  const Tolerance &tolerance;
  unsigned messages;
};
} // namespace

bool Comparer::isWithin(uint64_t expected, uint64_t actual) {
  if (tolerance.format == Format::Bits)
    return false;
  double x = valueOf(tolerance.format, expected);
  double y = valueOf(tolerance.format, actual);
  if (std::isnan(x) || std::isnan(y))
    return std::isnan(x) && std::isnan(y);
  if (std::isinf(x) || std::isinf(y))
    return x == y;
  double difference = std::fabs(x - y);
  result.absolute = std::max(result.absolute, difference);
  if (difference <= tolerance.absolute)
    return true;
  double relative = difference / std::max(std::fabs(x), std::fabs(y));
  double ulps = ulpsBetween(tolerance.format, expected, actual);
  result.relative = std::max(result.relative, relative);
  result.ulps = std::max(result.ulps, ulps);
  return relative <= tolerance.relative || ulps <= tolerance.ulps;
}

void Comparer::compareOutput(unsigned output, unsigned outputs,
                             const std::vector<uint8_t> &expected,
                             const std::vector<uint8_t> &actual) {
  unsigned size = bytesOf(tolerance.format);
  // Arrays of several widths are compared by the least of them.
  const std::vector<uint32_t> &widths = testCase.perThread.outputBytes;
  if (tolerance.format == Format::Bits && !widths.empty())
    size = std::min(*std::min_element(widths.begin(), widths.end()), 8u);
  for (size_t at = 0; at < expected.size(); at += size) {
    ++result.elements;
    uint64_t x = readElement(expected, at, size);
    uint64_t y = readElement(actual, at, size);
    if (x == y)
      continue;
    if (isWithin(x, y)) {
      if (result.result == Comparison::Exact)
        result.result = Comparison::Within;
      continue;
    }
    result.result = Comparison::Different;
    if (result.different++ < messages)
      result.messages.push_back(
          placeText(testCase, output, outputs, at) + ": recorded " +
          elementText(tolerance.format, x, size) + ", emulator " +
          elementText(tolerance.format, y, size));
  }
}

static Comparison makeDifferent(const std::string &message) {
  Comparison result;
  result.result = Comparison::Different;
  result.messages.push_back(message);
  return result;
}

/// Whether the machine refused what the kernel does, and not the tool the case.
static bool isRefused(StringRef error) {
  return error.starts_with("the kernel: ") ||
         error.starts_with("the tensor map: ") || error.starts_with("fault: ");
}

Comparison differential::compare(const Case &testCase,
                                 const RecordedCase &recorded,
                                 const Outcome &emulated, unsigned messages) {
  if (digestOf(testCase) != recorded.kernelDigest)
    return makeDifferent("the case is not the one that was recorded");
  const Outcome &expected = recorded.outcome;
  if (isRefused(expected.error) && isRefused(emulated.error))
    return {};
  if (!expected.error.empty() || !emulated.error.empty())
    return makeDifferent(
        "recorded: " + (expected.error.empty() ? "completed" : expected.error) +
        "; emulator: " +
        (emulated.error.empty() ? "completed" : emulated.error));
  if (recorded.digest) {
    uint64_t digest = digestOf(emulated.outputs);
    if (digest == *recorded.digest)
      return {};
    return makeDifferent("hash of the outputs: recorded " +
                         hexText(*recorded.digest) + ", emulator " +
                         hexText(digest));
  }
  if (expected.outputs.size() != emulated.outputs.size())
    return makeDifferent("number of outputs: recorded " +
                         std::to_string(expected.outputs.size()) +
                         ", emulator " +
                         std::to_string(emulated.outputs.size()));
  Comparer comparer(testCase, messages);
  for (size_t i = 0; i < expected.outputs.size(); ++i) {
    if (expected.outputs[i].size() != emulated.outputs[i].size())
      return makeDifferent(
          "bytes of output " + std::to_string(i) + ": recorded " +
          std::to_string(expected.outputs[i].size()) + ", emulator " +
          std::to_string(emulated.outputs[i].size()));
    comparer.compareOutput(i, expected.outputs.size(), expected.outputs[i],
                           emulated.outputs[i]);
  }
  if (comparer.result.different)
    comparer.result.messages.push_back(
        std::to_string(comparer.result.different) + " of " +
        std::to_string(comparer.result.elements) + " elements differ");
  return comparer.result;
}
