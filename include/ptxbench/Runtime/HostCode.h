//===- HostCode.h - Candidates whose host code is LLVM IR -------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What Conversion/LowerHost.h makes of a module is compiled by LLVM's JIT in
// the worker process. The compiler is large, so only the program
// `ptxbench-host` has it; backends start that in the place of the runner.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_RUNTIME_HOSTCODE_H
#define PTXBENCH_RUNTIME_HOSTCODE_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace ptxbench {

/// The program that runs such candidates, beside `executable`.
std::string hostProgram(llvm::StringRef executable);

/// The program that runs a candidate's library, of those beside `executable`.
std::string workerProgram(llvm::StringRef executable, llvm::StringRef library);

/// How a worker knows them: by the ending of the library's name.
inline constexpr llvm::StringLiteral hostCodeEnding = ".bc";

/// Workers of this process take such candidates.
void enableHostCode();

} // namespace ptxbench

#endif // PTXBENCH_RUNTIME_HOSTCODE_H
