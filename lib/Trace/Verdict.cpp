//===- Verdict.cpp - Spellings of the verdict enums -----------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One spelling for each enumerator, used in JSON and in text, and the way back.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Trace/Verdict.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ErrorHandling.h"

using namespace ptxbench;

const char *ptxbench::stringifyReach(Reach reach) {
  switch (reach) {
  case Reach::Never:
    return "never";
  case Reach::All:
    return "all";
  case Reach::Some:
    return "some";
  case Reach::Maybe:
    return "maybe";
  }
  llvm_unreachable("not a reach");
}

std::optional<Reach> ptxbench::symbolizeReach(const std::string &text) {
  return llvm::StringSwitch<std::optional<Reach>>(text)
      .Case("never", Reach::Never)
      .Case("all", Reach::All)
      .Case("some", Reach::Some)
      .Case("maybe", Reach::Maybe)
      .Default(std::nullopt);
}

const char *ptxbench::stringifyScope(Scope scope) {
  switch (scope) {
  case Scope::CTA:
    return "cta";
  case Scope::Cluster:
    return "cluster";
  case Scope::Grid:
    return "grid";
  }
  llvm_unreachable("not a scope");
}

std::optional<Scope> ptxbench::symbolizeScope(const std::string &text) {
  return llvm::StringSwitch<std::optional<Scope>>(text)
      .Case("cta", Scope::CTA)
      .Case("cluster", Scope::Cluster)
      .Case("grid", Scope::Grid)
      .Default(std::nullopt);
}
