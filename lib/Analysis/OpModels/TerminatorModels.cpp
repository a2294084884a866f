//===- TerminatorModels.cpp - Ends of blocks of other dialects ------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TerminatorOpInterface for branches, switches and returns. A switch has no
// guard: any of its successors may be taken.
//
//===----------------------------------------------------------------------===//

#include "Helpers.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "ptxbench/Dialect/PTX/IR/PTXDialect.h"

using namespace mlir;
using ptxbench::ptx::TerminatorOpInterface;
using ptxbench::ptx::ThreadEnd;

namespace ptxbench {

namespace {

template <typename OpTy>
struct BranchModel
    : TerminatorOpInterface::ExternalModel<BranchModel<OpTy>, OpTy> {
  Value getGuardPredicate(Operation *) const { return {}; }
  bool isGuardNegated(Operation *) const { return false; }
  bool isTakenSuccessor(Operation *, unsigned) const { return true; }
  std::optional<ThreadEnd> getThreadEnd(Operation *) const {
    return std::nullopt;
  }
};

template <typename OpTy>
struct ConditionModel
    : TerminatorOpInterface::ExternalModel<ConditionModel<OpTy>, OpTy> {
  Value getGuardPredicate(Operation *op) const {
    return cast<OpTy>(op).getCondition();
  }
  bool isGuardNegated(Operation *) const { return false; }
  bool isTakenSuccessor(Operation *, unsigned index) const {
    return index == 0;
  }
  std::optional<ThreadEnd> getThreadEnd(Operation *) const {
    return std::nullopt;
  }
};

template <typename OpTy, ThreadEnd end>
struct EndModel
    : TerminatorOpInterface::ExternalModel<EndModel<OpTy, end>, OpTy> {
  Value getGuardPredicate(Operation *) const { return {}; }
  bool isGuardNegated(Operation *) const { return false; }
  bool isTakenSuccessor(Operation *, unsigned) const { return false; }
  std::optional<ThreadEnd> getThreadEnd(Operation *) const { return end; }
};

} // namespace

void registerTerminatorModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, cf::ControlFlowDialect *) {
    cf::BranchOp::attachInterface<BranchModel<cf::BranchOp>>(*context);
    cf::CondBranchOp::attachInterface<ConditionModel<cf::CondBranchOp>>(
        *context);
    cf::SwitchOp::attachInterface<BranchModel<cf::SwitchOp>>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, func::FuncDialect *) {
    func::ReturnOp::attachInterface<EndModel<func::ReturnOp, ThreadEnd::Ret>>(
        *context);
  });
  registry.addExtension(+[](MLIRContext *context, gpu::GPUDialect *) {
    gpu::ReturnOp::attachInterface<EndModel<gpu::ReturnOp, ThreadEnd::Ret>>(
        *context);
  });
  registry.addExtension(+[](MLIRContext *context, LLVM::LLVMDialect *) {
    LLVM::BrOp::attachInterface<BranchModel<LLVM::BrOp>>(*context);
    LLVM::CondBrOp::attachInterface<ConditionModel<LLVM::CondBrOp>>(*context);
    LLVM::SwitchOp::attachInterface<BranchModel<LLVM::SwitchOp>>(*context);
    LLVM::ReturnOp::attachInterface<EndModel<LLVM::ReturnOp, ThreadEnd::Ret>>(
        *context);
    // Nothing is promised of a program that comes there.
    LLVM::UnreachableOp::attachInterface<
        EndModel<LLVM::UnreachableOp, ThreadEnd::Trap>>(*context);
  });
}

} // namespace ptxbench
