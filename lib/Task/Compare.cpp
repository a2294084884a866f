//===- Compare.cpp - Outputs against a reference --------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The elements are cut into chunks of a fixed size whose sums are added in
// order: threads change the time, not the result.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Task/Compare.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <limits>
#include <thread>

using namespace ptxbench;
using llvm::StringRef;

namespace {
/// What one chunk contributes.
struct Partial {
  uint64_t mismatched = 0, unwritten = 0, nonFinite = 0, referenceNaN = 0;
  double maxAbsolute = 0, maxRelative = 0, errorSquares = 0, squares = 0;
  std::optional<Comparison::Mismatch> first;
};
constexpr uint64_t chunkSize = 1 << 18;
} // namespace

static Partial compareChunk(const TensorView &candidate,
                            const TensorView &reference,
                            const Tolerance &tolerance, uint64_t begin,
                            uint64_t end) {
  Partial result;
  std::optional<uint64_t> poison = poisonBits(candidate.type);
  auto failed = [&](uint64_t index, double got, double expected) {
    ++result.mismatched;
    if (!result.first)
      result.first = Comparison::Mismatch{index, got, expected};
  };
  constexpr uint64_t blockSize = 1024;
  double gots[blockSize], expecteds[blockSize];
  for (uint64_t i = begin, block = 0; i != end; ++i, ++block) {
    if (block % blockSize == 0) {
      block = 0;
      uint64_t count = std::min(blockSize, end - i);
      decodeMany(candidate.type, candidate.bytes.data(), i, count, gots);
      decodeMany(reference.type, reference.bytes.data(), i, count, expecteds);
    }
    double got = gots[block], expected = expecteds[block];
    if (!std::isfinite(got) || !std::isfinite(expected)) {
      uint64_t bits = loadBits(candidate.type, candidate.bytes.data(), i);
      // The poison is a NaN, so only here can it be met.
      if (poison && bits == *poison) {
        ++result.unwritten;
        failed(i, got, expected);
        continue;
      }
      if (std::isnan(expected) && !tolerance.nanMatches) {
        ++result.referenceNaN;
        continue;
      }
      bool same = std::isnan(expected) ? std::isnan(got) : got == expected;
      // A right value may be too large for the type of the output.
      if (!same && std::isinf(got) && std::isfinite(expected))
        same = encode(candidate.type, expected) == bits;
      if (!same) {
        ++result.nonFinite;
        failed(i, got, expected);
      }
      continue;
    }
    double absolute = std::fabs(got - expected);
    double relative = absolute / (std::fabs(expected) + 1e-8);
    result.maxAbsolute = std::max(result.maxAbsolute, absolute);
    result.maxRelative = std::max(result.maxRelative, relative);
    result.errorSquares += absolute * absolute;
    result.squares += expected * expected;
    if (absolute > tolerance.atol && relative > tolerance.rtol)
      failed(i, got, expected);
  }
  return result;
}

static std::string numberText(double value) {
  char buffer[40];
  std::snprintf(buffer, sizeof(buffer), "%.6g", value);
  return buffer;
}

/// The sentence for the report; empty if nothing is wrong.
static std::string explain(const Comparison &it, const Tolerance &tolerance) {
  std::string first;
  if (it.first)
    first = llvm::formatv(
                "; the first that is wrong is element {0}: {1} instead of {2}",
                it.first->index, numberText(it.first->got),
                numberText(it.first->expected))
                .str();
  if (it.unwritten)
    return llvm::formatv("{0} of {1} elements were never written{2}",
                         it.unwritten, it.elements, first)
        .str();
  if (it.nonFinite)
    return llvm::formatv("{0} of {1} elements are NaN or infinite where the "
                         "reference is not, or the other way round{2}",
                         it.nonFinite, it.elements, first)
        .str();
  if (it.matchedRatio < tolerance.requiredMatchedRatio)
    return llvm::formatv(
               "{0} of {1} elements differ by more than {2} absolute and {3} "
               "relative; required is that {4} % match{5}",
               it.mismatched, it.elements, numberText(tolerance.atol),
               numberText(tolerance.rtol),
               numberText(tolerance.requiredMatchedRatio * 100), first)
        .str();
  if (!(it.relativeL2 <= tolerance.maxRelativeL2))
    return llvm::formatv("the relative error of the whole output is {0}, the "
                         "limit {1}",
                         numberText(it.relativeL2),
                         numberText(tolerance.maxRelativeL2))
        .str();
  if (it.referenceNaN)
    return llvm::formatv("the reference has {0} NaN among {1} elements: the "
                         "output cannot be judged",
                         it.referenceNaN, it.elements)
        .str();
  return "";
}

llvm::Expected<Comparison> ptxbench::compareOutputs(const TensorView &candidate,
                                                    const TensorView &reference,
                                                    const Tolerance &tolerance,
                                                    unsigned threads) {
  for (const TensorView *view : {&candidate, &reference})
    if (view->bytes.size() % sizeOf(view->type))
      return llvm::createStringError(
          "expected a multiple of " + std::to_string(sizeOf(view->type)) +
          " bytes but got " + std::to_string(view->bytes.size()));
  if (reference.type != ElementType::Float32 &&
      reference.type != ElementType::Float64 &&
      reference.type != candidate.type)
    return llvm::createStringError(
        std::string("expected a reference of float32, float64 or ") +
        stringifyElementType(candidate.type) + " but got " +
        stringifyElementType(reference.type));
  if (candidate.count() != reference.count())
    return llvm::createStringError(
        "expected " + std::to_string(reference.count()) + " elements but got " +
        std::to_string(candidate.count()));
  if (candidate.count() == 0)
    return llvm::createStringError("expected at least one element to compare");

  Comparison result;
  result.elements = candidate.count();
  uint64_t chunks = (result.elements + chunkSize - 1) / chunkSize;
  std::vector<Partial> partials(chunks);
  std::atomic<uint64_t> next{0};
  auto work = [&] {
    for (uint64_t chunk; (chunk = next++) < chunks;)
      partials[chunk] =
          compareChunk(candidate, reference, tolerance, chunk * chunkSize,
                       std::min(result.elements, (chunk + 1) * chunkSize));
  };
  std::vector<std::thread> workers;
  for (uint64_t i = 1; i < std::min<uint64_t>(threads, chunks); ++i)
    workers.emplace_back(work);
  work();
  for (std::thread &worker : workers)
    worker.join();

  double errorSquares = 0, squares = 0;
  for (const Partial &partial : partials) {
    result.mismatched += partial.mismatched;
    result.unwritten += partial.unwritten;
    result.nonFinite += partial.nonFinite;
    result.referenceNaN += partial.referenceNaN;
    result.maxAbsoluteError =
        std::max(result.maxAbsoluteError, partial.maxAbsolute);
    result.maxRelativeError =
        std::max(result.maxRelativeError, partial.maxRelative);
    errorSquares += partial.errorSquares;
    squares += partial.squares;
    if (!result.first)
      result.first = partial.first;
  }
  // What is no number is as far off as can be.
  if (result.unwritten || result.nonFinite)
    result.relativeL2 = result.maxAbsoluteError = result.maxRelativeError =
        std::numeric_limits<double>::infinity();
  else if (squares > 0)
    result.relativeL2 = std::sqrt(errorSquares / squares);
  else
    result.relativeL2 =
        errorSquares > 0 ? std::numeric_limits<double>::infinity() : 0;
  // An element that cannot be judged has not matched.
  result.matchedRatio =
      static_cast<double>(result.elements - result.mismatched -
                          result.referenceNaN) /
      static_cast<double>(result.elements);

  bool wrong = result.unwritten || result.nonFinite ||
               static_cast<double>(result.elements - result.mismatched) /
                       static_cast<double>(result.elements) <
                   tolerance.requiredMatchedRatio ||
               !(result.relativeL2 <= tolerance.maxRelativeL2);
  result.verdict = wrong                 ? Comparison::Verdict::Mismatched
                   : result.referenceNaN ? Comparison::Verdict::Undecided
                                         : Comparison::Verdict::Matched;
  if (result.verdict == Comparison::Verdict::Undecided) {
    Comparison judged = result;
    judged.matchedRatio = 1;
    result.reason = explain(judged, tolerance);
  } else if (wrong) {
    result.reason = explain(result, tolerance);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Report
//===----------------------------------------------------------------------===//

OutputCorrectness ptxbench::toReport(StringRef name,
                                     const Comparison &comparison) {
  OutputCorrectness output;
  output.name = name.str();
  output.passed = comparison.passed();
  output.maxAbsoluteError = comparison.maxAbsoluteError;
  output.maxRelativeError = comparison.maxRelativeError;
  output.relativeL2 = comparison.relativeL2;
  output.matchedRatio = comparison.matchedRatio;
  output.elements = comparison.elements;
  output.mismatched = comparison.mismatched;
  output.unwritten = comparison.unwritten;
  output.nonFinite = comparison.nonFinite;
  output.reason = comparison.reason;
  return output;
}

/// Keeps the larger (or the smaller) of two numbers that may be absent. NaN is
/// the worst of all.
static void keepWorst(std::optional<double> &total, std::optional<double> value,
                      bool largerIsWorse = true) {
  if (!value || (total && std::isnan(*total)))
    return;
  if (!total || std::isnan(*value) ||
      (largerIsWorse ? *value > *total : *value < *total))
    total = value;
}

template <typename A, typename B>
static void keepWorstNumbers(A &total, const B &value) {
  keepWorst(total.maxAbsoluteError, value.maxAbsoluteError);
  keepWorst(total.maxRelativeError, value.maxRelativeError);
  keepWorst(total.relativeL2, value.relativeL2);
  keepWorst(total.matchedRatio, value.matchedRatio, /*largerIsWorse=*/false);
}

void ptxbench::addTrial(Correctness &total,
                        const std::vector<OutputCorrectness> &outputs,
                        const Tolerance &tolerance) {
  uint64_t trial = total.trials.value_or(0) + 1;
  bool firstTrial = trial == 1;
  // No output is no pass.
  bool passed = !outputs.empty();
  if (outputs.empty() && total.reason.empty())
    total.reason = "there is no output to judge";
  total.trials = trial;
  total.atol = tolerance.atol;
  total.rtol = tolerance.rtol;
  total.requiredMatchedRatio = tolerance.requiredMatchedRatio;
  total.maxRelativeL2 = tolerance.maxRelativeL2;
  for (const OutputCorrectness &output : outputs) {
    passed &= output.passed;
    keepWorstNumbers(total, output);
    if (!output.passed && total.reason.empty())
      total.reason = "trial " + std::to_string(trial) + ", output " +
                     output.name + ": " + output.reason;
    auto it = std::find_if(total.outputs.begin(), total.outputs.end(),
                           [&](const OutputCorrectness &known) {
                             return known.name == output.name;
                           });
    if (it == total.outputs.end()) {
      total.outputs.push_back(output);
      continue;
    }
    keepWorstNumbers(*it, output);
    auto most = [](std::optional<uint64_t> &kept,
                   std::optional<uint64_t> value) {
      if (value && (!kept || *value > *kept))
        kept = value;
    };
    most(it->mismatched, output.mismatched);
    most(it->unwritten, output.unwritten);
    most(it->nonFinite, output.nonFinite);
    it->passed &= output.passed;
    if (it->reason.empty())
      it->reason = output.reason;
  }
  total.passed = passed && (firstTrial || total.passed);
}
