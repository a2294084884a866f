//===- Mutator.h - Changes of PTX text --------------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Changes of lines, statements and tokens that leave much of a text valid, so
// that what is behind the lexer is reached. They are for libFuzzer and for the
// programs that do without it.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_TOOLS_FUZZING_MUTATOR_H
#define PTXBENCH_TOOLS_FUZZING_MUTATOR_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace ptxbench::fuzzing {

/// One to three changes of a text. The same seed makes the same ones.
std::string mutate(llvm::StringRef text, uint64_t seed);

/// Puts statements of `other` into `text`.
std::string crossOver(llvm::StringRef text, llvm::StringRef other,
                      uint64_t seed);

} // namespace ptxbench::fuzzing

#endif // PTXBENCH_TOOLS_FUZZING_MUTATOR_H
