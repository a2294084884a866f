//===- Helpers.h - Parts of models ------------------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the integer operations of arith and llvm, which differ in their names
// only, are described, and which parts make up the registration.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_ANALYSIS_OPMODELS_HELPERS_H
#define PTXBENCH_LIB_ANALYSIS_OPMODELS_HELPERS_H

#include "mlir/IR/DialectRegistry.h"
#include "ptxbench/Analysis/OpModels.h"

namespace ptxbench {

/// An operand of an operation as a source: the number, where a constant defines
/// it.
ptx::RangeSource getSource(mlir::Operation *op, unsigned operand);

/// Describes a computation on operands of one integer type, which the result
/// has, too, except for comparisons. Returns false for other types.
bool describeInteger(OpModel &model, mlir::Operation *op, ptx::RangeKind kind,
                     bool isSigned = false);
/// `predicate` is one of LLVM's ten, in their order, as all dialects number
/// them.
bool describeCompare(OpModel &model, mlir::Operation *op, uint64_t predicate);
/// Extensions and truncations.
bool describeConversion(OpModel &model, mlir::Operation *op, bool isSigned);
bool describeSelect(OpModel &model, mlir::Operation *op);
bool describeConstant(OpModel &model, mlir::Operation *op,
                      mlir::Attribute value);
/// A read of a special register of 32 bits, zero-extended to the result.
bool describeSpecialRegister(OpModel &model, mlir::Operation *op,
                             llvm::StringRef name);
/// The PTX instruction that the operation becomes, by its opcode and the
/// modifiers that choose its family.
bool describeTarget(OpModel &model, llvm::StringRef opcode, bool isAligned,
                    llvm::ArrayRef<Mod> mods = {});
/// Whether the amount of a shift, its second operand, may be the width or more.
bool mayShiftTooFar(mlir::Operation *op);
/// Whether the operand is a constant with its lower 32 bits set.
bool isFullMask(mlir::Value mask);

/// What a kernel says of its launches by the attributes of nvvm and gpu; a
/// gpu.func has some of its own besides.
KernelModel readLaunchSizes(mlir::Operation *kernel, bool isGPUFunc);
/// OpModelInterface::checkLaunch() of a gpu.launch_func.
std::string checkLaunchSizes(mlir::Operation *launch);

void registerArithModels(mlir::DialectRegistry &registry);
void registerGPUModels(mlir::DialectRegistry &registry);
void registerLLVMModels(mlir::DialectRegistry &registry);
void registerNVVMModels(mlir::DialectRegistry &registry);
void registerTerminatorModels(mlir::DialectRegistry &registry);

} // namespace ptxbench

#endif // PTXBENCH_LIB_ANALYSIS_OPMODELS_HELPERS_H
