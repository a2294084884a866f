//===- Names.h - Names that a candidate must not use ------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lists, and how a name is looked up in them.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_INSPECTION_NAMES_H
#define PTXBENCH_LIB_INSPECTION_NAMES_H

#include "ptxbench/Inspection/Inspection.h"

#include <optional>

namespace ptxbench {

/// The kind of a function or type, if it is one of the lists'.
std::optional<InspectionFinding::Kind> kindOfSymbol(llvm::StringRef name);
/// Whether the file of a library or a header is one of those: "cublas_v2.h",
/// "libcudnn.so.9".
bool isLibraryFile(llvm::StringRef name);
/// "cuBLAS", for a symbol or a file; empty if it is of none.
llvm::StringRef libraryOf(llvm::StringRef name);

} // namespace ptxbench

#endif // PTXBENCH_LIB_INSPECTION_NAMES_H
