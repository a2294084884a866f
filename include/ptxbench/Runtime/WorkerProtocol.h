//===- WorkerProtocol.h - How a worker process reports ----------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A candidate runs in a child process that may crash, hang or print anything.
// It reports on a pipe of its own in lines of JSON:
//
//   {"event":"stage","name":"candidate"}            before the stage begins
//   {"event":"result","key":"timing","value":{...}}  a finding
//   {"event":"failure","code":"...","message":"..."} it gives up
//   {"event":"file","name":"...","blake3":"..."}     it wrote a file
//   {"event":"done"}                                 all was done
//
// so that the parent knows at which stage it ended, however it ended. Lines
// that are not of this form are counted and otherwise ignored.
//
// The candidate has the pipe, too. So each line begins with a tag: a hash of
// the line, of its number and of a secret that the parent drew for this worker.
// The secret comes in the file with the request, which is gone before the
// candidate is opened; it is never on the pipe, and neither among the arguments
// nor in the environment. What a candidate writes has no such tag, and a line
// that it keeps back makes those after it worthless.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_RUNTIME_WORKERPROTOCOL_H
#define PTXBENCH_RUNTIME_WORKERPROTOCOL_H

#include "ptxbench/Runtime/Run.h"
#include "ptxbench/Support/Subprocess.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace ptxbench {

/// The stages of workers. "load" is the first in which code of the candidate
/// runs: whatever happens from then on is the candidate's doing.
namespace stages {
inline constexpr llvm::StringLiteral Init = "init";
inline constexpr llvm::StringLiteral Load = "load";
inline constexpr llvm::StringLiteral Inputs = "inputs";
inline constexpr llvm::StringLiteral Candidate = "candidate";
inline constexpr llvm::StringLiteral Baseline = "baseline";
inline constexpr llvm::StringLiteral Timing = "timing";
inline constexpr llvm::StringLiteral Reference = "reference";
inline constexpr llvm::StringLiteral Compare = "compare";
inline constexpr llvm::StringLiteral SassMetrics = "sass-metrics";
} // namespace stages

/// Whether code of the candidate runs in a job of a worker.
bool opensCandidate(llvm::StringRef job);

/// Whether a stage is charged to the candidate's time limit.
bool isCandidateStage(llvm::StringRef stage);

/// Writes the events of a worker. Every event is one write.
class ProtocolWriter {
public:
  /// `fd` is closed on exec from now on.
  explicit ProtocolWriter(int fd, std::string secret = "");

  void stage(llvm::StringRef name);
  void result(llvm::StringRef key, llvm::json::Value value);
  /// `code` may be empty.
  void failure(llvm::StringRef code, llvm::StringRef message);
  /// What a file that the worker writes holds, whatever becomes of it.
  void file(llvm::StringRef name, llvm::StringRef bytes);
  void done();

private:
  void send(llvm::json::Object event);
  int fd;
  std::string secret;
  uint64_t sent = 0;
};

/// Reads the events, split anywhere.
class ProtocolReader {
public:
  struct Failure {
    std::string code, message;
  };

  /// With a secret, lines without the tag that it makes are broken.
  explicit ProtocolReader(std::string secret = "")
      : secret(std::move(secret)) {}

  void feed(llvm::StringRef bytes);
  /// The end of the stream: an unfinished line counts as broken.
  void finish();

  /// The last stage that was announced; empty before the first.
  llvm::StringRef stage() const;
  /// When it was announced.
  std::chrono::steady_clock::time_point stageStart() const { return started; }
  /// All stages with the seconds each took so far, in order.
  std::vector<StageTime> stageTimes() const;
  /// Whether code of the candidate may have run.
  bool candidateLoaded() const { return loaded; }
  bool isDone() const { return done; }
  const std::optional<Failure> &failure() const { return failed; }
  /// The last value under `key`, null if there is none.
  const llvm::json::Value *result(llvm::StringRef key) const;
  /// The hash of a file as it was written; none: the worker wrote no such file.
  std::optional<llvm::StringRef> fileHash(llvm::StringRef name) const;
  /// Lines that were not events.
  uint64_t brokenLines() const { return broken; }

private:
  void line(llvm::StringRef text);

  std::string secret;
  /// Lines with a right tag so far.
  uint64_t authentic = 0;
  std::string pending;
  bool skipping = false;
  std::vector<std::pair<std::string, std::chrono::steady_clock::time_point>>
      announced;
  std::chrono::steady_clock::time_point started =
      std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point ended;
  bool loaded = false, done = false, closed = false;
  std::optional<Failure> failed;
  llvm::StringMap<llvm::json::Value> results;
  llvm::StringMap<std::string> files;
  uint64_t broken = 0;
};

struct WorkerLimits {
  /// Seconds for one stage: of the candidate's, of ours.
  double candidateSeconds = 60, machineSeconds = 300;
  /// The worker's process is the child of a sandbox that ends with exit code
  /// 128 + n where signal n ended the worker.
  bool signalsAsExitCodes = false;
  /// See writeWorkerRequest; empty: lines have no tags.
  std::string secret;
};

/// Writes the request for a worker to a new file `path`, with a secret that is
/// drawn for its pipe and returned.
llvm::Expected<std::string> writeWorkerRequest(const RunRequest &request,
                                               llvm::StringRef path);
/// The two parts of such a file.
std::pair<llvm::StringRef, llvm::StringRef>
splitWorkerRequest(llvm::StringRef text);

/// How a worker ended.
struct WorkerOutcome {
  /// None: it did all that was asked.
  std::optional<RunStatus> problem;
  std::string stage, code, reason;
  ProtocolReader events;
  /// What it printed on its standard streams.
  std::string log;
};

/// The descriptor under which a worker finds the pipe.
inline constexpr int workerDescriptor = 3;

/// Runs a worker to its end. `process` says what to start; its monitor is set
/// here.
WorkerOutcome superviseWorker(SubprocessOptions process,
                              const WorkerLimits &limits);

/// Judges an end from what was reported and how the process ended. Fills
/// `problem`, `stage`, `code` and `reason`.
void classifyEnd(const SubprocessResult &process, const WorkerLimits &limits,
                 WorkerOutcome &outcome);

} // namespace ptxbench

#endif // PTXBENCH_RUNTIME_WORKERPROTOCOL_H
