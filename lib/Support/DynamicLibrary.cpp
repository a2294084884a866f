//===- DynamicLibrary.cpp - Libraries opened at run time ------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thin layer over dlopen that collects the reasons of all failed attempts.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Support/DynamicLibrary.h"

#include <dlfcn.h>
#include <link.h>

using namespace llvm;
using namespace ptxbench;

Expected<DynamicLibrary>
DynamicLibrary::open(StringRef what, ArrayRef<std::string> names, bool global) {
  std::string reasons;
  for (const std::string &name : names) {
    ::dlerror();
    void *handle =
        ::dlopen(name.c_str(), RTLD_NOW | (global ? RTLD_GLOBAL : RTLD_LOCAL));
    if (handle) {
      DynamicLibrary library;
      library.handle = handle;
      library.label = what.str();
      library.openedPath = name;
      struct link_map *map = nullptr;
      if (::dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && map && map->l_name &&
          *map->l_name)
        library.openedPath = map->l_name;
      return library;
    }
    const char *reason = ::dlerror();
    if (!reasons.empty())
      reasons += "; ";
    reasons += reason ? reason : name;
  }
  return createStringError(inconvertibleErrorCode(),
                           what + " cannot be opened: " + reasons);
}

void *DynamicLibrary::find(const char *name) const {
  return handle ? ::dlsym(handle, name) : nullptr;
}

Expected<void *> DynamicLibrary::get(const char *name) const {
  if (void *address = find(name))
    return address;
  return createStringError(inconvertibleErrorCode(),
                           label + " (" + openedPath + ") has no symbol '" +
                               name + "': it is older than this program needs");
}
