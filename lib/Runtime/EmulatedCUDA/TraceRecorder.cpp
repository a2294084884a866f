//===- TraceRecorder.cpp - What launches on the emulator did --------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The instructions of a kernel come in the same order from every launch.
//
//===----------------------------------------------------------------------===//

#include "TraceRecorder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulated;

/// What is wrong, without the place.
static std::string messageOf(const emulator::Finding &finding) {
  if (StringRef(finding.message).starts_with(finding.id))
    return finding.message;
  return finding.id + ": " + finding.message;
}

/// "thread (0, 0, 0) of CTA (1, 0, 0)".
static std::string partyOf(const emulator::Finding &finding) {
  auto place = [](const emulator::Finding::Place &at) {
    return "(" + std::to_string(at.x) + ", " + std::to_string(at.y) + ", " +
           std::to_string(at.z) + ")";
  };
  return "thread " + place(finding.thread) + " of CTA " + place(finding.cta);
}

std::string emulated::describe(const emulator::Finding &finding) {
  std::string text = messageOf(finding);
  if (finding.line) {
    text += ", at line " + std::to_string(finding.line);
    // A compiler's library has one instruction a line.
    if (finding.column > 1)
      text += ", column " + std::to_string(finding.column);
    text += " of the PTX";
  }
  if (finding.otherLine)
    text += ", with line " + std::to_string(finding.otherLine);
  return text + ", by " + partyOf(finding);
}

/// Whether two messages are the same but for numbers, such as addresses.
static bool isAlike(StringRef a, StringRef b) {
  auto isWord = [](char c) { return isAlnum(c) || c == '_'; };
  while (!a.empty() && !b.empty()) {
    StringRef x = a.take_while(isWord), y = b.take_while(isWord);
    bool numbers = !x.empty() && !y.empty() && isDigit(x[0]) && isDigit(y[0]);
    if (x.empty() && y.empty()) {
      x = a.take_front();
      y = b.take_front();
    }
    if (x != y && !numbers)
      return false;
    a = a.drop_front(x.size());
    b = b.drop_front(y.size());
  }
  return a.empty() && b.empty();
}

/// Adds what a launch did to what is known of its kernel: what another launch,
/// or another thread of it, does at the same place is said once.
static void addFinding(std::vector<TraceFinding> &known, size_t most,
                       const std::string &kernel,
                       const emulator::Finding &finding,
                       SmallSet<size_t, 8> &seen) {
  std::string text = messageOf(finding);
  auto same = find_if(known, [&](const TraceFinding &other) {
    return other.kernel == kernel && other.line == finding.line &&
           other.otherLine == finding.otherLine && isAlike(other.message, text);
  });
  if (same == known.end()) {
    if (known.size() >= most)
      return;
    seen.insert(known.size());
    known.push_back({kernel, finding.id, std::move(text), finding.line,
                     finding.column, finding.otherLine, partyOf(finding)});
  } else if (seen.insert(same - known.begin()).second) {
    ++same->launches;
  }
}

/// Different launches of a kernel that are counted apart.
static constexpr unsigned maxLaunchKinds = 64;
/// Findings that a trace has room for.
static constexpr size_t maxFindings = 1000;

static bool isSameLaunch(const LaunchRecord &a, const LaunchRecord &b) {
  return a.kernel == b.kernel && a.grid == b.grid && a.block == b.block &&
         a.cluster == b.cluster &&
         a.dynamicSharedBytes == b.dynamicSharedBytes && a.params == b.params;
}

void TraceRecorder::add(const PtxModule &module, const LaunchRecord &launch,
                        const emulator::LaunchOutcome &outcome) {
  Trace *trace = nullptr;
  for (Trace &known : traces)
    if (known.ptxSha256 == module.sha256())
      trace = &known;
  if (!trace) {
    trace = &traces.emplace_back();
    trace->source = "emulator";
    trace->ptxSha256 = module.sha256();
  }
  // Launches that differ are counted apart, so that what is said of one can be
  // checked; of a kernel with very many the last ones together.
  KernelTrace *kernel = nullptr, *last = nullptr;
  unsigned known = 0;
  for (KernelTrace &candidate : trace->kernels) {
    if (candidate.name != launch.kernel)
      continue;
    ++known;
    last = &candidate;
    if (candidate.launches.size() == 1 &&
        isSameLaunch(candidate.launches.front(), launch))
      kernel = &candidate;
  }
  if (kernel) {
    ++kernel->launches.front().count;
  } else if (known < maxLaunchKinds) {
    kernel = &trace->kernels.emplace_back();
    kernel->name = launch.kernel;
    kernel->launches.push_back(launch);
  } else {
    kernel = last;
    if (isSameLaunch(kernel->launches.back(), launch))
      ++kernel->launches.back().count;
    else
      kernel->launches.push_back(launch);
  }
  kernel->aborted |= outcome.status != emulator::LaunchStatus::Completed;
  SmallSet<size_t, 8> seen;
  for (const emulator::Finding &finding : outcome.findings)
    addFinding(trace->findings, maxFindings, launch.kernel, finding, seen);

  size_t next = 0;
  for (const emulator::InstructionCount &count : outcome.counts) {
    if (!module.isTarget(count.line, count.column))
      continue;
    if (next == kernel->targets.size()) {
      TargetCount &target = kernel->targets.emplace_back();
      target.line = count.line;
      target.column = count.column;
      target.opcode = count.opcode.str();
      target.executed = ExecutionCount{0, 0};
      target.warpsExact = target.threadsExact = true;
    }
    ExecutionCount &executed = *kernel->targets[next++].executed;
    *executed.warps += count.warps;
    *executed.threads += count.threads;
  }
}

std::string TraceRecorder::text(size_t module,
                                const std::string &device) const {
  Trace trace = traces[module];
  trace.environment["device"] = device + " (emulated)";
  std::string text;
  raw_string_ostream(text) << toJSON(trace) << "\n";
  return text;
}

Error TraceRecorder::write(const std::string &path,
                           const std::string &device) const {
  for (size_t i = 0; i < traces.size(); ++i) {
    std::string file = i ? path + "." + std::to_string(i) : path;
    std::error_code code;
    raw_fd_ostream os(file, code);
    if (!code) {
      os << text(i, device);
      os.close();
      code = os.error();
      os.clear_error();
    }
    if (code)
      return createStringError(code, "cannot write '" + file +
                                         "': " + code.message());
  }
  return Error::success();
}
