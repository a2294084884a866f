//===- Backend.cpp - The anchor of the backend interface ------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Out-of-line pieces of the interface that belong to no one backend.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Runtime/Backend.h"

ptxbench::Backend::~Backend() = default;
