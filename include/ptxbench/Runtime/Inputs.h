//===- Inputs.h - The inputs of a call --------------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inputs are a function of the request and the number of the call alone, so
// that the process that runs a candidate and the process that judges it make
// the same ones.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_RUNTIME_INPUTS_H
#define PTXBENCH_RUNTIME_INPUTS_H

#include "ptxbench/Runtime/Run.h"
#include "llvm/ADT/ArrayRef.h"

#include <cstdint>

namespace ptxbench {

/// The byte at which a tensor is cut for a rotation by `rotation` rows: the
/// rotated tensor is the part from there on, then the part before.
uint64_t rotationCut(const ArgumentSpec &tensor, uint64_t rotation);

/// The sign bits in each word of four bytes; 0 for types without signs.
uint32_t signBits(ElementType type);

/// Turns around the signs of half of the elements: in word number i those whose
/// sign bits are set in a hash of i ^ signs.
void turnSigns(ElementType type, uint32_t signs,
               llvm::MutableArrayRef<uint8_t> bytes);

/// The same in PTX: the entry `turn_signs` of the address, the number of words,
/// `signs` and signBits(), a thread for each word.
extern const char *const turnSignsKernel;

/// Fills `bytes` (tensor.bytes() of them) with the drawn input of a call.
void generateCallInput(const ArgumentSpec &tensor, CallInputs inputs,
                       llvm::MutableArrayRef<uint8_t> bytes);

/// Fills `bytes` with input number `index` of a call, wherever it comes from. A
/// scalar has one element. Errors: a file that cannot be read, or that is too
/// short.
llvm::Error makeCallInput(const RunRequest &request, CallInputs inputs,
                          unsigned index, llvm::MutableArrayRef<uint8_t> bytes);

/// How many threads work on host data.
unsigned hostThreads();

} // namespace ptxbench

#endif // PTXBENCH_RUNTIME_INPUTS_H
