//===- OpModels.h - What analyses ask of other dialects ---------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The analysis of reachability asks instructions of the ptx dialect through
// InstOpInterface. A dialect that has target instructions, computes guards, or
// has kernels, answers the same questions through OpModelInterface; its
// terminators implement TerminatorOpInterface. registerOpModels() says it all
// for upstream's dialects.
//
// What no model describes is taken for an operation that goes on to the next
// one, and whose results may be anything.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_ANALYSIS_OPMODELS_H
#define PTXBENCH_ANALYSIS_OPMODELS_H

#include "mlir/IR/DialectInterface.h"
#include "ptxbench/Dialect/PTX/IR/InstOpRanges.h"
#include "ptxbench/Trace/Launch.h"

#include <string>

namespace ptxbench {

/// An operation as the analysis sees it.
struct OpModel {
  enum Role : uint8_t {
    Plain,
    /// Its results may differ from use to use.
    Undefined,
    /// elect.sync with a mask of all lanes.
    Elect,
    /// shfl.sync.idx of source 0 of `range` from the lane `lane`, with a mask
    /// of all lanes.
    Shuffle,
    /// A call of the function `callee`; of anything, where it is empty.
    Call,
  } role = Plain;
  /// What the results are; sources name operands of the operation.
  ptx::RangeInst range;
  /// The operation does something only where it is true; its results are
  /// unknown elsewhere.
  mlir::Value guard;
  /// The results depend on the operands and attributes alone.
  bool isPure = false;
  /// The lanes of a warp execute it together.
  bool isConvergent = false;
  /// A convergent one that is issued once for all of them (`.aligned`).
  bool isAligned = false;
  unsigned lane = 0;
  llvm::StringRef callee;
  /// The family it counts for, and the PTX instruction that it becomes.
  Family family = Family::None;
  std::string opcode;
};

/// What a kernel says about its launches.
struct KernelModel {
  /// Met exactly, or by the number of threads only.
  std::optional<Dim3> block, maxBlock;
  std::optional<Dim3> cluster, grid;
  /// How the dialect spells them ("known_block_size").
  std::string blockName, maxBlockName, clusterName, gridName;
  /// What it says that no launch fits, or that `ptxas` refuses together; empty
  /// if nothing. Two sizes that differ are none of those above.
  std::string contradiction;
};

class OpModelInterface : public mlir::DialectInterface::Base<OpModelInterface> {
public:
  OpModelInterface(mlir::Dialect *dialect) : Base(dialect) {}

  /// Fills `model`; returns false for what it does not know.
  virtual bool describe(mlir::Operation *op, OpModel &model) const {
    return false;
  }
  /// None if the operation is no kernel.
  virtual std::optional<KernelModel> describeKernel(mlir::Operation *op) const {
    return std::nullopt;
  }
  /// What a launch does that its kernel says no launch does; empty if nothing,
  /// or if the operation is no launch.
  virtual std::string checkLaunch(mlir::Operation *op) const { return ""; }
  /// Turns structured control flow of the dialect below `root` into branches.
  virtual llvm::LogicalResult flatten(mlir::Operation *root) const {
    return llvm::success();
  }
};

/// The model of an operation of another dialect; none if its dialect has no
/// models or does not know it.
std::optional<OpModel> getOpModel(mlir::Operation *op);
/// None if it is no kernel of another dialect.
std::optional<KernelModel> getKernelModel(mlir::Operation *op);
/// Reports kernels below `root` that contradict themselves, and warns of
/// launches that are others than their kernels say.
llvm::LogicalResult checkLaunches(mlir::Operation *root);

/// The models of arith, cf, func, gpu, llvm, nvgpu, nvvm and scf, for as long
/// as these dialects are loaded.
void registerOpModels(mlir::DialectRegistry &registry);

} // namespace ptxbench

#endif // PTXBENCH_ANALYSIS_OPMODELS_H
