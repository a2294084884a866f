//===- Origin.h - Whose kernels a candidate launched ------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A candidate is to launch kernels that it wrote. Where the driver was given a
// module from (the memory of which file), which machine code it then loaded,
// and which kernels were launched out of which module are recorded as they
// happen; whether that is allowed is decided here, from the machine code that
// the compiler made of the candidate.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_RUNTIME_ORIGIN_H
#define PTXBENCH_RUNTIME_ORIGIN_H

#include "ptxbench/Runtime/Timeline.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace ptxbench {

/// A module or library of kernels as the driver was given it.
struct ModuleOrigin {
  WorkOwner owner = WorkOwner::Candidate;
  /// The file in whose memory the image lies or that was named; empty: an image
  /// that was made at run time.
  std::string file;
  /// The file is the candidate's library, or the same bytes are in it.
  bool own = false;
  /// PTX, for the driver to compile.
  bool text = false;
};

/// Machine code that the driver loaded.
struct LoadedCode {
  WorkOwner owner = WorkOwner::Candidate;
  std::string sha256;
  uint64_t bytes = 0;
};

/// A kernel and how often it was launched, or captured for a graph.
struct LaunchedKernel {
  WorkOwner owner = WorkOwner::Candidate;
  std::string name;
  /// An index of a module; none: never seen.
  std::optional<unsigned> module;
  uint64_t launches = 0;
};

struct OriginRecords {
  std::vector<ModuleOrigin> modules;
  std::vector<LoadedCode> code;
  std::vector<LaunchedKernel> kernels;
  /// Kernels that ran for the candidate without a launch that was seen: nodes
  /// that were put into a graph by hand.
  std::vector<std::string> unseenKernels;
  /// Files of libraries that came into the process with the candidate.
  std::vector<std::string> libraries;
};

/// What the compiler made of the candidate.
struct CompiledCode {
  /// The machine code; empty: not known, and not compared.
  llvm::StringRef cubin;
  /// Whether it is handed to the driver from memory of no file, as by code that
  /// was compiled in the process that runs it. Then no other may be loaded.
  bool fromMemory = false;
};

/// Says what of it a candidate must not do: "BANNED_LIBRARY",
/// "FOREIGN_KERNEL", "GENERATED_KERNEL". `bannedLibrary` gives the name of the
/// library that a file is of ("cuBLAS"), empty if it is allowed.
std::optional<Violation> judgeOrigins(
    const OriginRecords &records, const CompiledCode &compiled,
    llvm::function_ref<llvm::StringRef(llvm::StringRef)> bannedLibrary);

llvm::json::Value toJSON(const OriginRecords &records);
bool fromJSON(const llvm::json::Value &value, OriginRecords &records,
              llvm::json::Path path);

} // namespace ptxbench

#endif // PTXBENCH_RUNTIME_ORIGIN_H
