//===- FunctionDecoder.h - The body of one function -------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the decoding of an entry and of a function body share.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_DECODE_FUNCTIONDECODER_H
#define PTXBENCH_LIB_EMULATOR_DECODE_FUNCTIONDECODER_H

#include "../Program.h"
#include "ModuleImage.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

#include <map>

namespace ptxbench::emulator {

struct DecodeContext {
  const ModuleImage *image = nullptr;
  std::unique_ptr<Program> program;
  /// Whether instructions get steps that follow undefined values.
  bool checks = false;
  /// Offsets of shared variables at module level, and of those in functions.
  llvm::StringMap<uint32_t> shared;
  llvm::DenseMap<mlir::Operation *, uint32_t> localShared;
  /// Addresses of the entry's parameters.
  llvm::StringMap<uint64_t> entryParams;
  /// Rows of constants by width and value.
  std::map<std::pair<unsigned, uint64_t>, Slot> constants;

  /// The row of a constant; `bits` 1: a predicate.
  Slot getConstant(unsigned bits, uint64_t value);
};

/// Decodes an entry or function as number `index` of the program.
llvm::Error decodeFunction(DecodeContext &context, mlir::Operation *function,
                           unsigned index);

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_DECODE_FUNCTIONDECODER_H
