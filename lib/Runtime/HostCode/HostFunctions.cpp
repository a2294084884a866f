//===- HostFunctions.cpp - The table of what host code calls --------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Made from HostFunctions.def. Only addresses are taken here, so each function
// is declared without its type.
//
//===----------------------------------------------------------------------===//

#include "HostFunctions.h"

#include <cstring>
#include <dlfcn.h>

using namespace ptxbench::hostCode;

extern "C" {
#define PTXBENCH_HOST_FUNCTION(name) void name();
#define PTXBENCH_LIBC_FUNCTION(name)
#include "ptxbench/Conversion/HostFunctions.def"
}

static void leaveAborted() { leave("ABORTED", "the host code called abort()"); }

llvm::ArrayRef<HostFunction> ptxbench::hostCode::functions() {
  static const std::vector<HostFunction> table = [] {
    std::vector<HostFunction> made = {
#define PTXBENCH_HOST_FUNCTION(name) {#name, reinterpret_cast<void *>(&name)},
#define PTXBENCH_LIBC_FUNCTION(name) {#name, ::dlsym(RTLD_DEFAULT, #name)},
#include "ptxbench/Conversion/HostFunctions.def"
    };
    for (HostFunction &function : made)
      if (std::strcmp(function.name, "abort") == 0)
        function.address = reinterpret_cast<void *>(&leaveAborted);
    return made;
  }();
  return table;
}
