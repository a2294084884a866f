//===- HostFunctions.h - What host code calls -------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled host code cannot return errors: where a call fails, the function
// that was called keeps what happened and jumps back to who began the call.
// Frames in between are compiled code, which has nothing to clean up.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_RUNTIME_HOSTCODE_HOSTFUNCTIONS_H
#define PTXBENCH_LIB_RUNTIME_HOSTCODE_HOSTFUNCTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ptxbench::hostCode {

/// A function by the name that host code has for it.
struct HostFunction {
  const char *name;
  void *address;
};
llvm::ArrayRef<HostFunction> functions();

/// How the functions work; there is one device for a process.
struct Settings {
  int device = 0;
  /// All work goes to `stream`, in order; else each stream is one of its own.
  bool isOneStream = false;
  void *stream = nullptr;
  /// By the number of ptxbenchPlace.
  std::vector<std::string> places;
};
void configure(Settings settings);

/// Opens the driver and makes its context current.
llvm::Error openDriver();

/// Runs compiled code. What one of the functions came upon is the error, with
/// the place of the call.
llvm::Error guard(llvm::function_ref<void()> code);

/// Leaves the compiled code with an error. `code` may be empty.
[[noreturn]] void leave(const char *code, const char *message);

} // namespace ptxbench::hostCode

#endif // PTXBENCH_LIB_RUNTIME_HOSTCODE_HOSTFUNCTIONS_H
