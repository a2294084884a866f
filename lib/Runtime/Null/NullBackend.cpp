//===- NullBackend.cpp - A backend that runs nothing ----------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stands in where no device is, so that every caller has a backend and every
// report says why nothing was run.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Runtime/Backend.h"

using namespace llvm;
using namespace ptxbench;

namespace {

class NullBackend : public Backend {
public:
  explicit NullBackend(std::string reason) : reason(std::move(reason)) {}

  StringRef name() const override { return "null"; }
  Usability isUsable() override { return {false, reason}; }
  std::map<std::string, std::string> versions() override { return {}; }
  RunResult run(const RunRequest &request) override {
    RunResult result;
    result.status = RunStatus::NotRun;
    result.reason = reason;
    if (request.trace.enabled())
      result.traceNotes.push_back(reason);
    return result;
  }

private:
  std::string reason;
};

} // namespace

std::unique_ptr<Backend> ptxbench::createNullBackend(std::string reason) {
  return std::make_unique<NullBackend>(std::move(reason));
}
