//===- JSONMap.h - Maps as JSON objects -------------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's JSON has no way from a map to an object.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EVALUATION_JSONMAP_H
#define PTXBENCH_LIB_EVALUATION_JSONMAP_H

#include "llvm/Support/JSON.h"

#include <map>
#include <string>

namespace ptxbench {

template <class T>
llvm::json::Object toObject(const std::map<std::string, T> &map) {
  llvm::json::Object object;
  for (const auto &[key, value] : map)
    object[key] = value;
  return object;
}

} // namespace ptxbench

#endif // PTXBENCH_LIB_EVALUATION_JSONMAP_H
