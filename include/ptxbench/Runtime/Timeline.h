//===- Timeline.h - What a device did in which call -------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The device's work comes as records with times; the host's calls of the driver
// come with the window that was open when they were made. Both have a
// correlation number, so work belongs to the call that asked for it, whatever
// its stream or thread and whenever it ran. A window reaches from before a call
// to behind a synchronisation of the whole device; the time of a call is from
// the beginning of its first work to the end of its last.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_RUNTIME_TIMELINE_H
#define PTXBENCH_RUNTIME_TIMELINE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ptxbench {

/// On whose behalf the driver was called.
enum class WorkOwner { Candidate, Baseline, Tool };
llvm::StringRef stringifyWorkOwner(WorkOwner owner);

/// One record. Times are nanoseconds of one clock.
struct DeviceWork {
  enum class Kind { Kernel, Copy, Fill };
  Kind kind = Kind::Kernel;
  uint64_t begin = 0, end = 0;
  uint32_t correlation = 0;
  /// Of a kernel.
  std::string name;
};

/// A call of the driver.
struct DriverCall {
  uint32_t correlation = 0;
  WorkOwner owner = WorkOwner::Candidate;
  /// The window that was open.
  std::optional<unsigned> window;
  /// A kernel launch that succeeded, and so must have left a record.
  bool launched = false;
};

/// One call of the candidate or the baseline, in nanoseconds of the records'
/// clock.
struct CallWindow {
  WorkOwner owner = WorkOwner::Candidate;
  uint64_t begin = 0;
  /// The call came back.
  uint64_t returned = 0;
  /// The device had nothing left to do.
  uint64_t end = 0;
};

/// What happened in one window.
struct WindowTime {
  /// From the beginning of the first work to the end of the last.
  double spanMs = 0;
  /// Time in which at least one piece of work ran.
  double busyMs = 0;
  /// How long the call kept the host.
  double hostMs = 0;
  /// How long the device was waited for after the end of the last work, and
  /// after the call had come back; without work of the tool's own, which copies
  /// outputs behind a call.
  double tailMs = 0;
  unsigned kernels = 0, copies = 0, fills = 0;
  /// Mangled names of the kernels.
  std::set<std::string> names;

  unsigned works() const { return kernels + copies + fills; }
};

/// Something that a candidate must not do, by name.
struct Violation {
  /// "WORK_OUTSIDE_CALL".
  std::string code;
  std::string message;
};
llvm::json::Value toJSON(const Violation &violation);
bool fromJSON(const llvm::json::Value &value, Violation &violation,
              llvm::json::Path path);

struct TimelineResult {
  /// For each window.
  std::vector<WindowTime> windows;
  std::vector<WorkOwner> owners;
  /// Work of the candidate that no window of its own has.
  std::optional<Violation> violation;
};

/// Sorts work into windows. An error: records are missing.
llvm::Expected<TimelineResult> sortTimeline(llvm::ArrayRef<DeviceWork> works,
                                            llvm::ArrayRef<DriverCall> calls,
                                            llvm::ArrayRef<CallWindow> windows);

/// Looks at the windows of timed calls of the candidate: each must have given
/// the device work, and all of it must be on record.
std::optional<Violation> checkWindows(llvm::ArrayRef<WindowTime> windows);

/// Whether what was timed is what was traced: `timed` are the different sets of
/// kernels that timed calls ran, `traced` those of the traced call.
std::optional<Violation>
compareKernels(llvm::ArrayRef<std::set<std::string>> timed,
               const std::set<std::string> &traced);

} // namespace ptxbench

#endif // PTXBENCH_RUNTIME_TIMELINE_H
