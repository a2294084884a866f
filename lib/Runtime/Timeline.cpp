//===- Timeline.cpp - What a device did in which call ---------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nothing here knows where records come from. Clocks of device and host are
// brought to one by the profiler to within some microseconds, so that a time is
// compared with the end of a window with a slack, and decides only where no
// call is known.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Runtime/Timeline.h"
#include "ptxbench/Runtime/Run.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace llvm;
using namespace ptxbench;

/// How far the clocks of device and host may be apart.
static constexpr uint64_t clockSlack = 50000;

/// A synchronisation comes back some ten microseconds after the last work. What
/// takes longer in the middle of many calls was work without a record.
static constexpr double maxTailMs = 0.1;

StringRef ptxbench::stringifyWorkOwner(WorkOwner owner) {
  switch (owner) {
  case WorkOwner::Candidate:
    return "candidate";
  case WorkOwner::Baseline:
    return "baseline";
  case WorkOwner::Tool:
    return "tool";
  }
  llvm_unreachable("unknown owner");
}

json::Value ptxbench::toJSON(const Violation &violation) {
  return json::Object{{"code", json::fixUTF8(violation.code)},
                      {"message", json::fixUTF8(violation.message)}};
}

bool ptxbench::fromJSON(const json::Value &value, Violation &violation,
                        json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("code", violation.code) &&
         map.map("message", violation.message);
}

static double toMs(uint64_t from, uint64_t to) {
  return to > from ? double(to - from) / 1e6 : 0;
}

static std::string describe(const DeviceWork &work) {
  std::string text;
  raw_string_ostream os(text);
  switch (work.kind) {
  case DeviceWork::Kind::Kernel:
    os << "kernel '" << work.name << "'";
    break;
  case DeviceWork::Kind::Copy:
    os << "a copy";
    break;
  case DeviceWork::Kind::Fill:
    os << "a fill";
    break;
  }
  os << " of " << format("%.3f", toMs(work.begin, work.end)) << " ms";
  return text;
}

/// The window whose time a piece of work began in.
static std::optional<unsigned> windowAt(ArrayRef<CallWindow> windows,
                                        uint64_t time) {
  // Windows follow each other.
  const CallWindow *next = std::upper_bound(
      windows.begin(), windows.end(), time,
      [](uint64_t t, const CallWindow &window) { return t < window.begin; });
  if (next == windows.begin() || time > std::prev(next)->end)
    return std::nullopt;
  return unsigned(std::prev(next) - windows.begin());
}

namespace {

class Sorter {
public:
  Sorter(ArrayRef<DriverCall> calls, ArrayRef<CallWindow> windows)
      : windows(windows), parts(windows.size()), own(windows.size()) {
    for (const DriverCall &call : calls)
      byCorrelation[call.correlation] = &call;
    result.windows.resize(windows.size());
  }

  void add(const DeviceWork &work);
  /// Launches of the candidate, on record or not, while no window was open.
  void findLaunchesOutside();
  TimelineResult finish();
  /// Launches in windows without a record.
  uint64_t countMissing() const;
  uint64_t countLaunches() const;

private:
  void violate(const Twine &message);

  ArrayRef<CallWindow> windows;
  DenseMap<uint32_t, const DriverCall *> byCorrelation;
  DenseMap<uint32_t, bool> seen;
  /// The work of each window as intervals.
  std::vector<std::vector<std::pair<uint64_t, uint64_t>>> parts;
  /// That of the tool itself.
  std::vector<std::vector<std::pair<uint64_t, uint64_t>>> own;
  TimelineResult result;
  unsigned outside = 0;
};

void Sorter::violate(const Twine &message) {
  if (!outside++)
    result.violation = Violation{"WORK_OUTSIDE_CALL", message.str()};
}

void Sorter::add(const DeviceWork &work) {
  seen[work.correlation] = true;
  const DriverCall *call = byCorrelation.lookup(work.correlation);
  if (call && call->owner == WorkOwner::Tool) {
    if (call->window)
      own[*call->window].emplace_back(work.begin,
                                      std::max(work.begin, work.end));
    return;
  }
  WorkOwner owner = call ? call->owner : WorkOwner::Candidate;
  std::optional<unsigned> index =
      call ? call->window : windowAt(windows, work.begin);
  if (!call && index)
    owner = windows[*index].owner;
  if (!index || windows[*index].owner != owner) {
    // What the baseline does outside of its windows is ours.
    if (owner == WorkOwner::Candidate)
      violate(describe(work) +
              (index ? " was asked for during a call of the baseline"
                     : " was asked for outside of every call"));
    return;
  }
  if (owner == WorkOwner::Candidate &&
      work.end > windows[*index].end + clockSlack)
    violate(describe(work) + " ended after the device was waited for");
  parts[*index].emplace_back(work.begin, std::max(work.begin, work.end));
  WindowTime &window = result.windows[*index];
  ++(work.kind == DeviceWork::Kind::Kernel ? window.kernels
     : work.kind == DeviceWork::Kind::Copy ? window.copies
                                           : window.fills);
  if (work.kind == DeviceWork::Kind::Kernel)
    window.names.insert(work.name);
}

void Sorter::findLaunchesOutside() {
  for (const auto &[correlation, call] : byCorrelation)
    if (call->launched && !call->window && !seen.count(correlation) &&
        call->owner == WorkOwner::Candidate)
      violate("a kernel was launched outside of every call");
}

uint64_t Sorter::countLaunches() const {
  return uint64_t(count_if(byCorrelation, [](const auto &entry) {
    return entry.second->launched && entry.second->window;
  }));
}

uint64_t Sorter::countMissing() const {
  return uint64_t(count_if(byCorrelation, [&](const auto &entry) {
    return entry.second->launched && entry.second->window &&
           !seen.count(entry.first);
  }));
}

TimelineResult Sorter::finish() {
  for (auto [index, intervals] : enumerate(parts)) {
    const CallWindow &window = windows[index];
    WindowTime &time = result.windows[index];
    result.owners.push_back(window.owner);
    time.hostMs = toMs(window.begin, window.returned);
    uint64_t last = window.returned;
    if (!intervals.empty()) {
      std::sort(intervals.begin(), intervals.end());
      uint64_t reached = intervals.front().first;
      for (auto [begin, end] : intervals) {
        time.busyMs += toMs(std::max(begin, reached), end);
        reached = std::max(reached, end);
      }
      time.spanMs = toMs(intervals.front().first, reached);
      last = std::max(last, reached);
    }
    time.tailMs = toMs(last, window.end);
    std::sort(own[index].begin(), own[index].end());
    for (auto [begin, end] : own[index]) {
      begin = std::max(begin, last);
      end = std::min(end, window.end);
      if (begin >= end)
        continue;
      time.tailMs -= toMs(begin, end);
      last = end;
    }
  }
  if (outside > 1)
    result.violation->message +=
        "; " + std::to_string(outside - 1) + " more of this kind";
  return std::move(result);
}

} // namespace

Expected<TimelineResult> ptxbench::sortTimeline(ArrayRef<DeviceWork> works,
                                                ArrayRef<DriverCall> calls,
                                                ArrayRef<CallWindow> windows) {
  Sorter sorter(calls, windows);
  for (const DeviceWork &work : works)
    sorter.add(work);
  // Work of another thread may not have ended when records were collected.
  sorter.findLaunchesOutside();
  uint64_t missing = sorter.countMissing(), launches = sorter.countLaunches();
  TimelineResult result = sorter.finish();
  if (missing && !result.violation)
    return createStringError(inconvertibleErrorCode(),
                             "the profiler recorded no work for " +
                                 Twine(missing) + " of " + Twine(launches) +
                                 " kernel launches");
  return result;
}

std::optional<Violation> ptxbench::checkWindows(ArrayRef<WindowTime> windows) {
  if (windows.empty())
    return std::nullopt;
  size_t idle =
      size_t(count_if(windows, [](const WindowTime &w) { return !w.works(); }));
  if (idle)
    return Violation{"NO_DEVICE_WORK",
                     std::to_string(idle) + " of " +
                         std::to_string(windows.size()) +
                         " timed calls gave the device nothing to do"};
  TimeSamples spans, tails;
  for (const WindowTime &window : windows) {
    spans.ms.push_back(window.spanMs);
    tails.ms.push_back(window.tailMs);
  }
  double span = *spans.median(), tail = *tails.median();
  if (tail <= maxTailMs)
    return std::nullopt;
  std::string text;
  raw_string_ostream os(text);
  os << "the device went on for " << format("%.3f", tail)
     << " ms (median) after the last work on record, of calls of "
     << format("%.3f", span)
     << " ms: kernels that kernels launch, for one, have no record";
  return Violation{"UNRECORDED_WORK", text};
}

std::optional<Violation>
ptxbench::compareKernels(ArrayRef<std::set<std::string>> timed,
                         const std::set<std::string> &traced) {
  auto shown = [](const std::set<std::string> &names) {
    return names.empty() ? "none" : "'" + join(names, "', '") + "'";
  };
  for (const std::set<std::string> &names : timed)
    if (names != traced)
      return Violation{"OTHER_KERNELS",
                       "the traced call ran other kernels (" + shown(traced) +
                           ") than a timed call (" + shown(names) +
                           "): what executed is not what was timed"};
  return std::nullopt;
}
