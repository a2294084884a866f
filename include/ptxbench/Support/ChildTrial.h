//===- ChildTrial.h - Work that may end its process -------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parsers and passes of MLIR and LLVM run in a tool's own process, where `nvcc`
// is a process of its own. What a file brings them to must not end the tool
// without a word: it is done by a child first.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_SUPPORT_CHILDTRIAL_H
#define PTXBENCH_SUPPORT_CHILDTRIAL_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace ptxbench {

/// Does `body` in a copy of this process, which has no other thread, for at
/// most so many seconds of time and so much memory as a compiler may take. Says
/// how that ended unless it is known to have come to its end: "signal 11
/// (Segmentation fault)", "killed after 60.0 s". Where no process is to be had
/// it is not tried.
std::optional<std::string> tryInChild(llvm::function_ref<void()> body,
                                      double seconds);

/// What tools say of a module that they did not come to an end with, before
/// what tryInChild() gave.
constexpr llvm::StringLiteral trialFailed =
    "MLIR and LLVM do not come to an end with the module: ";

} // namespace ptxbench

#endif // PTXBENCH_SUPPORT_CHILDTRIAL_H
