//===- Hooks.h - What no record can say -------------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names that begin with `~`, and the types of the elements of lists: both
// follow from attributes of matrix operations.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_CONVERSION_NVVM_HOOKS_H
#define PTXBENCH_LIB_CONVERSION_NVVM_HOOKS_H

#include "Records.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace ptxbench::nvvm {

/// The word of a computed name; empty if the operation has none.
std::string getComputedWord(mlir::Operation *op, llvm::StringRef name);

/// The words that a computed name may have; none: any number.
llvm::ArrayRef<EnumCase> getComputedWords(llvm::StringRef name);

/// How many elements of a list each of several places gets.
llvm::SmallVector<unsigned> getListSplit(const Conversion &conversion,
                                         mlir::Operation *op,
                                         llvm::StringRef name);

/// The type of an element in the `place`-th list of that name, for attributes
/// (and computed words) as `getWord` knows them; null: i32.
mlir::Type
getElementType(const Conversion &conversion, mlir::MLIRContext *context,
               llvm::StringRef name, unsigned place,
               llvm::function_ref<llvm::StringRef(llvm::StringRef)> getWord);

/// What becomes another program if an instruction becomes the operation: a
/// reason, or "". `isVolatile`: the text around it is.
std::string getLoss(mlir::Operation *op, bool isVolatile);

/// Whether LLVM moves accesses to memory over the operation where the text,
/// which has `~{memory}` if `clobbersMemory`, keeps them in order, or takes two
/// of the operation for one.
bool losesMemoryOrder(mlir::Operation *op, bool clobbersMemory);

} // namespace ptxbench::nvvm

#endif // PTXBENCH_LIB_CONVERSION_NVVM_HOOKS_H
