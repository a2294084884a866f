//===- EvaluateProgress.h - How far an evaluation is ------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lines on the standard error, for people and logs: when a sample begins, and
// when a stage of it takes long. The process of a sample writes the name of
// each stage that begins to a pipe.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_DRIVER_EVALUATEPROGRESS_H
#define PTXBENCH_LIB_DRIVER_EVALUATEPROGRESS_H

#include "ptxbench/Evaluation/Record.h"
#include "ptxbench/Support/Subprocess.h"

#include <mutex>

namespace ptxbench {

/// What the samples of an evaluation share.
struct Progress {
  Progress(size_t samples, bool quiet, double patience)
      : samples(samples), quiet(quiet), patience(patience) {}

  /// Lines of several threads do not mix.
  std::mutex mutex;
  size_t samples;
  bool quiet;
  /// Seconds after which a stage is named.
  double patience;
};

/// What people know a sample by: "task, trajectory, turn 2, name", as far as it
/// has them.
std::string nameSample(const Sample &sample);
std::string nameSample(const Record &record);

/// One sample while it runs.
class StageWatch : public SubprocessMonitor {
public:
  /// Says that the sample begins, as number `number` from 1.
  StageWatch(Progress &progress, const Sample &sample, size_t number);

  int channelDescriptor() const override;
  void onChannel(llvm::StringRef bytes) override;
  void onWait() override;

private:
  void say(const llvm::Twine &text);

  Progress &progress;
  std::string name;
  /// The beginning of a line that has no end yet.
  std::string partial;
  /// Empty: none, or it was named.
  std::string stage;
  std::chrono::steady_clock::time_point since;
};

} // namespace ptxbench

#endif // PTXBENCH_LIB_DRIVER_EVALUATEPROGRESS_H
