//===- Inspection.h - What a candidate must not use -------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A candidate writes its own kernels. Three looks at it before it runs, each at
// what cannot be innocent:
//
//   the headers that its sources include, other files of its own among them;
//   what its library imports, which sees through macros, aliases and pointers;
//   strings of the library that are, from end to end, the file name of a
//   library or (where names can be looked up) a function of one.
//
// A name in a comment, in a message or of something of the candidate's own
// decides nothing. Not seen is what a name computed at run time finds: that is
// for those who look at what was loaded and whose kernels ran.
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
    /// Another process, the network, the memory of other processes. A sandbox
    /// keeps candidates from it; the name alone is worth a warning.
    System,
    /// A way to reach anything by name: dlopen, dlsym, cuModuleLoadData. Right
    /// candidates have it, too (cuTensorMapEncodeTiled is found by one).
    Lookup,
    /// A file of somebody else's that was compiled into it.
    Foreign,
  } kind = Library;
  /// The name that was found: "cublasGemmEx", "libcudnn.so.9".
  std::string name;
  /// Of the source, 1-based; 0: in the library.
  unsigned line = 0;
  /// The source, if it is not the one that was asked for: "lib/blas.cuh".
  std::string file;
  /// Whether it alone is reason enough to refuse the candidate. Else it is a
  /// place where something is named.
  bool decides = false;
};

/// "banned-library", "system-call", "run-time-lookup", "foreign-file".
const char *ruleOf(InspectionFinding::Kind kind);
/// A sentence without its subject: "uses cublasGemmEx of cuBLAS, which the task
/// does not allow".
std::string describe(const InspectionFinding &finding);

/// The library ("cuBLAS") that a file is of which a candidate must not use;
/// empty for other files.
llvm::StringRef bannedLibrary(llvm::StringRef file);

/// The findings in CUDA C++ text, one for each name, in the order of the text:
/// headers, which decide; identifiers outside of comments and literals, and
/// file names in literals, which do not. What `#if 0` hides is passed over.
std::vector<InspectionFinding> inspectSource(llvm::StringRef text);

/// The same of a file and of all that it includes with quotes and that is
/// there. Fails if the file cannot be read.
llvm::Expected<std::vector<InspectionFinding>>
inspectSourceFile(llvm::StringRef path);

/// The findings among the libraries and symbols that a shared library (ELF,
/// 64 bits) needs and among its strings. Libraries decide. Fails for what is no
/// such file.
llvm::Expected<std::vector<InspectionFinding>>
inspectLibrary(llvm::StringRef path);

} // namespace ptxbench

#endif // PTXBENCH_INSPECTION_INSPECTION_H
