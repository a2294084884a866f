//===- Instructions.h - Instructions of any dialect -------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One face for the instructions of the ptx dialect and for what other dialects
// say of their operations (OpModels.h). The rest of the analysis asks here what
// an operation is; only what no other dialect has (parameters in memory, carry
// flags) is asked of InstOpInterface directly.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_ANALYSIS_REACHABILITY_INSTRUCTIONS_H
#define PTXBENCH_LIB_ANALYSIS_REACHABILITY_INSTRUCTIONS_H

#include "ptxbench/Analysis/OpModels.h"
#include "ptxbench/Dialect/PTX/IR/PTXOps.h"

namespace ptxbench::reachability {

class AnyInst {
public:
  explicit AnyInst(mlir::Operation *op);

  /// What is neither an instruction of the ptx dialect nor of another one: its
  /// terminators, directives, and `ptx.undef`.
  bool isNone() const { return !ptx && !model; }
  ptx::InstOpInterface getPTX() const { return ptx; }
  const OpModel *getModel() const { return model ? &*model : nullptr; }

  mlir::Value getGuard() const;
  bool isCall() const;
  bool isConvergent() const;
  /// Whether the lanes of a warp execute it together, so that executions can
  /// be counted by warps. `fullMask`: its last operand is a mask of all lanes.
  bool isIssuedOnce(bool fullMask) const;
  Family getFamily() const;
  /// Whether it is kept whatever its results are for: it is a target, calls,
  /// or executes for several threads together.
  bool isAlwaysKept() const;
  /// Whether the results depend on the operands in a way that matters here.
  bool followsOperands() const;
  /// Whether equal operands give equal results, and a fact about the result
  /// stays true: no state, no floating-point number (its instructions may be
  /// contracted differently from place to place).
  bool isExpression() const;
  ptx::RangeInst decodeRange() const;
  std::string getOpcode() const;
  std::string getMnemonic() const;

private:
  mlir::Operation *op;
  ptx::InstOpInterface ptx;
  std::optional<OpModel> model;
};

/// Whether its results may be another value at each use.
bool isUndefined(mlir::Operation *op);
/// Whether it is a kernel, and what it says of its launches.
bool isKernel(mlir::Operation *op);
KernelModel getKernel(mlir::Operation *op);
/// Whether it is a function with a body that is no kernel.
bool isDeviceFunction(mlir::Operation *op);
/// The sizes of a kernel's parameters in bytes, 0 where it is not known.
llvm::SmallVector<uint64_t> getParameterSizes(mlir::Operation *kernel);

} // namespace ptxbench::reachability

#endif // PTXBENCH_LIB_ANALYSIS_REACHABILITY_INSTRUCTIONS_H
