//===- TraceRecorder.h - What launches on the emulator did ---- -*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Adds up the counts of launches that are alike, and keeps the launches and the
// findings, for one trace of each module.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_RUNTIME_EMULATEDCUDA_TRACERECORDER_H
#define PTXBENCH_LIB_RUNTIME_EMULATEDCUDA_TRACERECORDER_H

#include "PtxModule.h"
#include "ptxbench/Trace/Trace.h"

#include <map>
#include <string>
#include <vector>

namespace ptxbench::emulated {

/// The place and what it is about.
std::string describe(const emulator::Finding &finding);

class TraceRecorder {
public:
  void add(const PtxModule &module, const LaunchRecord &launch,
           const emulator::LaunchOutcome &outcome);
  /// Forgets everything.
  void clear() { traces.clear(); }
  bool empty() const { return traces.empty(); }
  /// Modules of which something was launched.
  size_t modules() const { return traces.size(); }
  /// The trace of such a module, in the order of their first launches, as JSON.
  /// `device` names it.
  std::string text(size_t module, const std::string &device) const;
  /// Writes the trace of the module that was launched first to `path`, those
  /// of others to `path`.1, `path`.2, ... `device` names it.
  llvm::Error write(const std::string &path, const std::string &device) const;

private:
  std::vector<Trace> traces;
};

} // namespace ptxbench::emulated

#endif // PTXBENCH_LIB_RUNTIME_EMULATEDCUDA_TRACERECORDER_H
