//===- Convert.h - Between nvvm and PTX -------------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One operation at a time, in both directions, and what both need of values:
// elements of structs and vectors, casts that keep the bits.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_CONVERSION_NVVM_CONVERT_H
#define PTXBENCH_LIB_CONVERSION_NVVM_CONVERT_H

#include "MatchText.h"
#include "mlir/IR/Builders.h"

namespace ptxbench::nvvm {

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// The types of the registers that a value is in: those of a struct, of a
/// vector of i32 or f32, or its own.
llvm::SmallVector<mlir::Type> getParts(mlir::Type type);

/// One of them.
mlir::Value getPart(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::Value value, unsigned part);

/// A value of parts; of the struct or vector that they were taken from, if they
/// are all of one.
mlir::Value joinParts(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Type type, llvm::ArrayRef<mlir::Value> parts);

/// Whether registers of the two are equally wide.
bool haveSameBits(mlir::Type a, mlir::Type b);

/// The same bits as another type; null if they are too few or too many. A
/// pointer to shared or tensor memory is 32 bits or more.
mlir::Value castBits(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value value, mlir::Type type);

/// Takes away what was taken apart and put together again, casts there and
/// back, and the parts and constants that nothing uses.
void simplifyValues(mlir::Operation *root);

/// What a text calls a type: "i32", and "4xi8" a vector. And the type that has
/// such a name.
std::string getTypeWord(mlir::Type type);
mlir::Type getTypeOfWord(mlir::MLIRContext *context, llvm::StringRef word);

/// The constraint of a value's register, 0: it has none. `type` becomes the
/// type that LLVM has to see.
char getRegisterOf(mlir::Type &type);

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// The `ptx.inline` of an operation, in front of it, and its results as those
/// of the operation. Null, and `reason` says why, if there is none.
ptx::InlineOp writeInline(const Conversion &conversion, mlir::Operation *op,
                          llvm::SmallVectorImpl<mlir::Value> &results,
                          std::string &reason);

/// Where values of a body come from.
struct BodyValues {
  /// What a value of the body is outside.
  llvm::function_ref<mlir::Value(mlir::Value)> lookup;
  KnownValues known;
};

/// An operation for an instruction, with what its results are outside; of the
/// records that have other statements around it, if `isWhole`. Null, and
/// `reason` says why, if there is none.
mlir::Operation *readInstruction(
    mlir::OpBuilder &builder, ptx::InstOpInterface inst, bool isWhole,
    const BodyValues &values,
    llvm::SmallVectorImpl<std::pair<mlir::Value, mlir::Value>> &results,
    std::string &reason);

/// The same for what stands between such instructions and is LLVM's as well:
/// moves of registers, `setp` and `cvt` of integers, `selp`. False if the
/// instruction is another.
bool readGlue(
    mlir::OpBuilder &builder, ptx::InstOpInterface inst,
    const BodyValues &values,
    llvm::SmallVectorImpl<std::pair<mlir::Value, mlir::Value>> &results);

} // namespace ptxbench::nvvm

#endif // PTXBENCH_LIB_CONVERSION_NVVM_CONVERT_H
