//===- TimedOutputs.h - What the timed calls wrote --------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reference judges one of the timed calls. The others are held against the
// baseline, which computes the same from the same inputs: on the device, since
// the outputs of all calls are too much to keep. Of two results that are both
// within a limit of the truth, one is within twice the limit of the other, so
// what is farther from a baseline that is right is wrong.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_RUNTIME_TIMEDOUTPUTS_H
#define PTXBENCH_RUNTIME_TIMEDOUTPUTS_H

#include "ptxbench/Runtime/Run.h"

namespace ptxbench {

/// One output of one timed call, as counted on the device.
struct TimedOutput {
  unsigned call = 0;
  std::string name;
  /// Whether a baseline's output was there to compare with.
  bool compared = false;
  /// Elements that still hold the poison; elements that are farther from the
  /// baseline than `limits` allow, or not finite where it is; the first of
  /// either.
  uint64_t unwritten = 0, wrong = 0;
  std::optional<uint64_t> first;
  /// Over the elements that are finite on both sides: the squares of the
  /// differences and of the baseline, added up.
  double errorSquares = 0, squares = 0;
};
llvm::json::Value toJSON(const TimedOutput &output);
bool fromJSON(const llvm::json::Value &value, TimedOutput &output,
              llvm::json::Path path);

/// What the kernel below calls a type: 0 float32, 1 float16, 2 bfloat16, 3
/// float8_e4m3fn, 4 float8_e5m2. None: it does not read it.
std::optional<uint32_t> formatOnDevice(ElementType type);

/// How far an output may be from the baseline's, with room for rounding: 2.25
/// times what is allowed against the reference.
Tolerance limitsToBaseline(const Tolerance &tolerance);

/// What the kernel writes for an output: eight bytes each, zero before. The
/// first index is stored as its complement, 0 for none.
struct TimedCounts {
  uint64_t unwritten = 0, wrong = 0, firstComplement = 0;
  double errorSquares = 0, squares = 0;
};

/// In PTX: the entry `count_output` of the addresses of an output and of the
/// baseline's (0: none), the number of elements, the address of TimedCounts,
/// formatOnDevice(), the poison, `atol` and `rtol` as float32. Any grid of one
/// dimension.
extern const char *const countOutputKernel;

/// The first output of a timed call that is wrong, with the reason. Without
/// `baselineHolds` only what was not written counts. An error: `outputs` are
/// not those of all timed calls.
llvm::Expected<std::optional<OutputCheck>>
findWrongCall(const RunRequest &request, llvm::ArrayRef<TimedOutput> outputs,
              bool baselineHolds);

} // namespace ptxbench

#endif // PTXBENCH_RUNTIME_TIMEDOUTPUTS_H
