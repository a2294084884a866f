//===- Names.cpp - Names that a candidate must not use --------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By prefixes for libraries, whose names all begin alike, and by whole names
// for functions of the system.
//
//===----------------------------------------------------------------------===//

#include "Names.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace ptxbench;

namespace {
struct LibraryPrefix {
  StringLiteral prefix, library;
};
} // namespace

static constexpr LibraryPrefix libraries[] = {
    {"cublasLt", "cuBLASLt"},
    {"cublasXt", "cuBLASXt"},
    {"cublas", "cuBLAS"},
    {"cudnn", "cuDNN"},
    {"nvrtc", "NVRTC"},
    {"nvJitLink", "nvJitLink"},
    {"nvPTXCompiler", "nvPTXCompiler"},
    {"cusparseLt", "cuSPARSELt"},
    {"cusparse", "cuSPARSE"},
    {"cusolver", "cuSOLVER"},
    {"cutensor", "cuTENSOR"},
    {"nvvmCompile", "libNVVM"},
};

/// Functions that start processes, speak to the network or reach into others.
static constexpr StringLiteral systemCalls[] = {"accept",
                                                "bind",
                                                "clone3",
                                                "connect",
                                                "execl",
                                                "execle",
                                                "execlp",
                                                "execv",
                                                "execve",
                                                "execvp",
                                                "execvpe",
                                                "fexecve",
                                                "fork",
                                                "forkpty",
                                                "kill",
                                                "memfd_create",
                                                "pidfd_open",
                                                "popen",
                                                "posix_spawn",
                                                "posix_spawnp",
                                                "process_vm_readv",
                                                "process_vm_writev",
                                                "ptrace",
                                                "socket",
                                                "socketpair",
                                                "syscall",
                                                "system",
                                                "tgkill",
                                                "unshare",
                                                "vfork"};

static constexpr StringLiteral lookups[] = {"cudaGetDriverEntryPoint",
                                            "cudaGetDriverEntryPointByVersion",
                                            "cudaLibraryLoadData",
                                            "cudaLibraryLoadFromFile",
                                            "cuGetProcAddress",
                                            "cuGetProcAddress_v2",
                                            "cuLibraryLoadData",
                                            "cuLibraryLoadFromFile",
                                            "cuLinkCreate",
                                            "cuLinkCreate_v2",
                                            "cuModuleLoad",
                                            "cuModuleLoadData",
                                            "cuModuleLoadDataEx",
                                            "cuModuleLoadFatBinary",
                                            "dl_iterate_phdr",
                                            "dlmopen",
                                            "dlopen",
                                            "dlsym",
                                            "dlvsym"};

static const LibraryPrefix *findPrefix(StringRef name) {
  for (const LibraryPrefix &one : libraries) {
    if (!name.starts_with(one.prefix))
      continue;
    StringRef rest = name.drop_front(one.prefix.size());
    // "cublas_v2.h", "cublasGemmEx", "cublas.so.13", "cublas".
    if (rest.empty() || !(rest.front() >= 'a' && rest.front() <= 'z'))
      return &one;
  }
  return nullptr;
}

std::optional<InspectionFinding::Kind> ptxbench::kindOfSymbol(StringRef name) {
  if (findPrefix(name))
    return InspectionFinding::Library;
  if (is_contained(systemCalls, name))
    return InspectionFinding::System;
  if (is_contained(lookups, name))
    return InspectionFinding::Lookup;
  return std::nullopt;
}

bool ptxbench::isLibraryFile(StringRef name) {
  if (name.contains('/'))
    name = name.rsplit('/').second;
  name.consume_front("lib");
  // Files are spelt in lower case: libnvJitLink is the exception.
  return findPrefix(name) || name.starts_with("nvptxcompiler") ||
         name.starts_with("nvvm.so");
}

StringRef ptxbench::libraryOf(StringRef name) {
  if (name.contains('/'))
    name = name.rsplit('/').second;
  name.consume_front("lib");
  const LibraryPrefix *found = findPrefix(name);
  return found ? StringRef(found->library) : "";
}

StringRef ptxbench::bannedLibrary(StringRef file) {
  if (!isLibraryFile(file))
    return "";
  StringRef library = libraryOf(file);
  return library.empty() ? StringRef("a compiler") : library;
}
