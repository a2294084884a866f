//===- Api.h - The CUDA libraries as tables of functions --------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each library is opened at run time into a table that its symbol list
// declares. Tables are filled once and never closed.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_RUNTIME_CUDA_API_H
#define PTXBENCH_LIB_RUNTIME_CUDA_API_H

#include "../Worker/Worker.h"
#include "ptxbench/Support/DynamicLibrary.h"
#include "llvm/Support/Error.h"

#include <cublasLt.h>
#include <cuda.h>

#include <string>

namespace ptxbench {

struct DriverApi {
#define PTXBENCH_SYMBOL(name) decltype(&::name) name = nullptr;
#define PTXBENCH_OPTIONAL_SYMBOL(name) decltype(&::name) name = nullptr;
#include "DriverSymbols.def"

  DynamicLibrary library;

  static llvm::Expected<const DriverApi *> get();

  /// Success, or the error by name with what was being done.
  llvm::Error check(CUresult result, const llvm::Twine &what) const;
};

struct CublasLtApi {
#define PTXBENCH_SYMBOL(name) decltype(&::name) name = nullptr;
#include "CublasLtSymbols.def"

  DynamicLibrary library;

  static llvm::Expected<const CublasLtApi *> get(const Toolchain &toolchain);

  llvm::Error check(cublasStatus_t status, const llvm::Twine &what) const;
  /// "13.1.0".
  std::string version() const;
};

/// The file name under which this release of the toolkit has `name`:
/// "libcupti.so.13" for "cupti".
std::string cudaSoname(llvm::StringRef name);
/// "13.0" for 13000.
std::string cudaVersionText(int version);

} // namespace ptxbench

#endif // PTXBENCH_LIB_RUNTIME_CUDA_API_H
