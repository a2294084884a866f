//===- Baseline.h - What a candidate can be compared with -------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The names that a definition may give as its `baseline`: operations of vendor
// libraries, each with the tensors that it takes, in order. Whether a library
// is there turns out when it is run.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_TASK_BASELINE_H
#define PTXBENCH_TASK_BASELINE_H

#include "ptxbench/Task/ElementType.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace ptxbench {

enum class BaselineOperation {
  /// C = A·Bᵀ of bfloat16, float16 or float32.
  Gemm,
  /// D = A·Bᵀ of float8_e4m3fn with a factor for each 128 elements of a row of
  /// A and for each 128×128 block of B.
  Fp8Gemm,
  /// Attention scaled by 1/√D, with the logarithm of the sum of exponentials.
  AttentionForward,
  AttentionBackward,
  /// The same of float8_e4m3fn, with one factor for each of Q, K and V.
  Fp8AttentionForward,
};

struct BaselineInfo {
  /// "cudnn_attention_forward".
  llvm::StringLiteral name;
  BaselineOperation operation;
  /// Row i of attention sees columns 0 to i.
  bool causal;
};

/// All of them.
llvm::ArrayRef<BaselineInfo> baselines();
/// The one of that name; null if there is none.
const BaselineInfo *findBaseline(llvm::StringRef name);
/// "cublaslt_gemm_nt, ... and ...".
std::string baselineNames();

/// A tensor of a call, as a baseline has to know it.
struct BaselineTensor {
  std::string name;
  ElementType type = ElementType::Float32;
  bool isOutput = false, isScalar = false;
  /// Numbers, or names of extents that have no value yet.
  std::vector<std::string> shape;
};

/// What keeps a baseline from computing the outputs from the inputs of such a
/// call: the rule, then what differs. Empty if nothing does.
std::string checkBaseline(const BaselineInfo &baseline,
                          llvm::ArrayRef<BaselineTensor> tensors);

struct Definition;
/// The tensors of a definition, with the extents that are constant as numbers.
std::vector<BaselineTensor> baselineTensors(const Definition &definition);

} // namespace ptxbench

#endif // PTXBENCH_TASK_BASELINE_H
