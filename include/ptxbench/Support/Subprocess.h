//===- Subprocess.h - Running a program under limits ------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program is started from an argument vector (never through a shell), in a
// session of its own without a terminal, with an empty standard input. Its
// output is kept up to a bound, and whoever outlives the wall-clock limit is
// killed together with all that it started. How it ended is data, not an error:
// an error means that it could not be started at all.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_SUPPORT_SUBPROCESS_H
#define PTXBENCH_SUPPORT_SUBPROCESS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/Error.h"

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ptxbench {

/// Watches one run of a program: reads what the program writes into the channel
/// (a pipe apart from its standard streams) and may set a deadline that moves.
class SubprocessMonitor {
public:
  virtual ~SubprocessMonitor();

  /// The number of the file descriptor under which the program finds the
  /// writing end of the channel; -1: no channel.
  virtual int channelDescriptor() const { return -1; }
  /// The next bytes of the channel, split anywhere.
  virtual void onChannel(llvm::StringRef bytes) {}
  /// Called while the program runs, several times a second.
  virtual void onWait() {}
  /// The moment at which the program is killed; none: only the time limit of
  /// the options counts. Asked again after every read.
  virtual std::optional<std::chrono::steady_clock::time_point> deadline() {
    return std::nullopt;
  }
};

struct SubprocessOptions {
  /// The program and its arguments. A program without a slash is looked for on
  /// PATH.
  std::vector<std::string> argv;
  /// Variables set in addition to the inherited environment (or in place of
  /// inherited ones).
  std::vector<std::pair<std::string, std::string>> setEnv;
  /// The whole environment ("NAME=value") in place of the inherited one.
  std::optional<std::vector<std::string>> env;
  /// Working directory; empty: the caller's.
  std::string cwd;
  /// Wall-clock limit in seconds; 0: none.
  double timeoutSeconds = 0;
  /// How many bytes of each standard stream are kept: the first half and the
  /// last half of this.
  size_t maxOutputBytes = size_t(1) << 20;
  SubprocessMonitor *monitor = nullptr;
};

struct SubprocessResult {
  enum class End { Exited, Signaled, TimedOut };
  End end = End::Exited;
  /// Valid for Exited.
  int exitCode = 0;
  /// Valid for Signaled.
  int signal = 0;
  /// Wall-clock seconds from start to end.
  double seconds = 0;
  /// Standard output and error. Where bytes were dropped a line says how many.
  std::string out, err;

  bool succeeded() const { return end == End::Exited && exitCode == 0; }
  /// "exit code 3", "signal 11 (Segmentation fault)", "killed after 60.0 s".
  std::string describeEnd() const;
};

/// Runs the program to its end. Errors: no such program, no such directory,
/// no process or pipe to be had.
llvm::Expected<SubprocessResult>
runSubprocess(const SubprocessOptions &options);

/// Before a child is started: whoever ignores SIGCHLD is never told how one
/// ended, and what ignores signals hands that down to the programs it starts.
void heedChildren();

/// Whether a limit on a process's addresses is one on its memory: sanitizers
/// reserve more of them than there is memory.
constexpr bool canLimitAddresses = !LLVM_ADDRESS_SANITIZER_BUILD &&
                                   !LLVM_THREAD_SANITIZER_BUILD &&
                                   !LLVM_MEMORY_SANITIZER_BUILD;

/// Keeps other processes of the same user from opening the memory of this one,
/// and debuggers but the superuser's from attaching.
void closeMemory();

} // namespace ptxbench

#endif // PTXBENCH_SUPPORT_SUBPROCESS_H
