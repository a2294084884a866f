//===- Unavailable.cpp - A build without cudnn-frontend -------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stands in for Attention.cpp where its headers were not there at build time.
//
//===----------------------------------------------------------------------===//

#include "Attention.h"

using namespace ptxbench::cudnn;

bool ptxbench::cudnn::isBuilt() { return false; }

Attention::~Attention() = default;

std::string ptxbench::cudnn::version(void * /*library*/) { return ""; }

std::unique_ptr<Attention>
Attention::create(void * /*library*/, const std::string & /*runtime*/,
                  void * /*stream*/, const AttentionProblem & /*problem*/,
                  std::string &error) {
  error = "built without cudnn-frontend";
  return nullptr;
}
