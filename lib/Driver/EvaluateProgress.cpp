//===- EvaluateProgress.cpp - How far an evaluation is --------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain lines. Names are those of a file of samples, so that no character of
// them is let through that moves a cursor.
//
//===----------------------------------------------------------------------===//

#include "EvaluateProgress.h"
#include "ptxbench/Runtime/WorkerProtocol.h"
#include "ptxbench/Support/Printable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace ptxbench {

/// A name of a stage is shorter than that.
static constexpr size_t longestLine = 200;

template <typename T> static std::string nameAny(const T &sample) {
  std::string text = sample.task;
  if (sample.trajectory)
    text += ", " + *sample.trajectory;
  if (sample.turn)
    text += ", turn " + std::to_string(*sample.turn);
  if (!sample.name.empty())
    text += ", " + sample.name;
  return toPrintable(text);
}

std::string nameSample(const Sample &sample) { return nameAny(sample); }
std::string nameSample(const Record &record) { return nameAny(record); }

StageWatch::StageWatch(Progress &progress, const Sample &sample, size_t number)
    : progress(progress) {
  name = "[" + std::to_string(number) + "/" + std::to_string(progress.samples) +
         "] " + nameSample(sample);
  say(" begins");
}

int StageWatch::channelDescriptor() const { return workerDescriptor; }

void StageWatch::say(const Twine &text) {
  if (progress.quiet)
    return;
  std::lock_guard<std::mutex> lock(progress.mutex);
  errs() << name << text << '\n';
}

void StageWatch::onChannel(StringRef bytes) {
  for (char c : bytes) {
    if (c != '\n') {
      if (isPrint(c) && partial.size() < longestLine)
        partial += c;
      continue;
    }
    stage = std::move(partial);
    partial.clear();
    since = std::chrono::steady_clock::now();
    // What is not to be waited for is told before the next one begins.
    onWait();
  }
}

void StageWatch::onWait() {
  std::chrono::duration<double> past = std::chrono::steady_clock::now() - since;
  if (stage.empty() || past.count() < progress.patience)
    return;
  if (progress.patience > 0)
    say(formatv(": stage '{0}' takes more than {1} s", stage, progress.patience)
            .str());
  else
    say(": stage '" + stage + "'");
  stage.clear();
}

} // namespace ptxbench
