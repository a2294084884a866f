//===- Errors.h - Errors with a formatted text ------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An error from a format of `llvm::formatv` and its arguments.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_TMA_ERRORS_H
#define PTXBENCH_LIB_EMULATOR_TMA_ERRORS_H

#include "llvm/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"

namespace ptxbench::emulator {

template <class... Args>
llvm::Error formatError(const char *format, Args &&...args) {
  return llvm::createStringError(
      llvm::inconvertibleErrorCode(),
      llvm::formatv(format, std::forward<Args>(args)...).str());
}

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_TMA_ERRORS_H
