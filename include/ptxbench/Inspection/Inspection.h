//===- Inspection.h - What a candidate must not use -------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A candidate writes its own kernels. Two looks at it before it runs: at the
// names in its source, without comments, and at what its library imports, which
// sees through macros and aliases. Neither sees what is looked up by a computed
// name at run time; a finding of the kind Lookup says that such a thing is
// possible.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_INSPECTION_INSPECTION_H
#define PTXBENCH_INSPECTION_INSPECTION_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace ptxbench {

struct InspectionFinding {
  enum Kind : uint8_t {
    /// A library that computes what the task asks for, or compiles code.
    Library,
    /// Another process, the network, the memory of other processes.
    System,
    /// A way to reach anything by name: dlopen, dlsym, cuModuleLoadData. Right
    /// candidates have it, too (cuTensorMapEncodeTiled is found by one).
    Lookup,
  } kind = Library;
  /// The name that was found: "cublasGemmEx", "libcudnn.so.9".
  std::string name;
  /// Of the source, 1-based; 0: in the library.
  unsigned line = 0;

  /// Whether it decides.
  bool isBanned() const { return kind != Lookup; }
};

/// "banned-library", "banned-system-call", "run-time-lookup".
const char *ruleOf(InspectionFinding::Kind kind);
/// A sentence: "calls cublasGemmEx, which is of cuBLAS".
std::string describe(const InspectionFinding &finding);

/// The library ("cuBLAS") that a file is of which a candidate must not use;
/// empty for other files.
llvm::StringRef bannedLibrary(llvm::StringRef file);

/// The findings in CUDA C++ text, one for each name, in the order of the text.
/// Identifiers outside of comments and literals, names of included files, and
/// names of shared libraries in string literals.
std::vector<InspectionFinding> inspectSource(llvm::StringRef text);

/// The findings among the libraries and symbols that a shared library (ELF,
/// x86-64 or AArch64) needs. Fails for what is none.
llvm::Expected<std::vector<InspectionFinding>>
inspectLibrary(llvm::StringRef path);

} // namespace ptxbench

#endif // PTXBENCH_INSPECTION_INSPECTION_H
