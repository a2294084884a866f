//===- Memcheck.cpp - A candidate under compute-sanitizer -----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tool writes its log to a file, so that what the candidate prints is not
// taken for it; a candidate that writes to that file can hide what was found
// from this stage, and changes nothing for those behind it. Lines of the log
// begin with "=========". Errors that the CUDA runtime returned are left to who
// calls the candidate. Tool and candidate run in the candidate's sandbox.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Runtime/Memcheck.h"
#include "Sandbox.h"
#include "ptxbench/Runtime/Backend.h"
#include "ptxbench/Runtime/WorkerFiles.h"
#include "ptxbench/Support/PlainFile.h"
#include "ptxbench/Support/TemporaryFolder.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace ptxbench;

std::optional<MemcheckLog> ptxbench::parseMemcheckLog(StringRef text) {
  MemcheckLog log;
  bool whole = false;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    if (!line.consume_front("========= "))
      continue;
    line = line.rtrim();
    if (line.consume_front("ERROR SUMMARY: ")) {
      whole = !line.split(' ').first.getAsInteger(10, log.errors);
      continue;
    }
    // Blocks begin without indentation; what explains them is indented.
    if (line.starts_with(" ")) {
      if (line.trim().starts_with("at ") && !log.first.empty() &&
          !StringRef(log.first).contains(" at "))
        log.first += " " + line.trim().str();
      continue;
    }
    if (log.first.empty() && !line.starts_with("COMPUTE-SANITIZER") &&
        !line.starts_with("Target application") &&
        !line.starts_with("LEAK SUMMARY"))
      log.first = line.str();
  }
  if (!whole)
    return std::nullopt;
  return log;
}

MemcheckResult ptxbench::runMemcheck(StringRef executable, StringRef tool,
                                     const RunRequest &original) {
  MemcheckResult result;
  TemporaryFolder folder;
  if (std::error_code code = folder.create("", "ptxbench-memcheck")) {
    result.summary = "cannot make a folder to work in: " + code.message();
    return result;
  }
  RunRequest request = original;
  request.workDir = folder.path().str();
  request.timing.enabled = false;
  request.judgedCall.reset();
  SmallString<128> file(folder.path()), logFile(folder.path());
  sys::path::append(file, "request.json");
  sys::path::append(logFile, "memcheck.log");
  Expected<std::string> secret = writeWorkerRequest(request, file);
  if (!secret) {
    result.summary = toString(secret.takeError());
    return result;
  }
  SandboxOptions where;
  where.folder = request.workDir;
  where.readable = readablePaths(request, executable);
  where.readable.push_back(
      sys::path::parent_path(sys::path::parent_path(tool)).str());
  where.gpu = true;
  Sandbox sandbox = makeSandbox(where);
  SubprocessOptions process;
  process.argv = sandbox.prefix;
  process.env = candidateEnvironment(request.workDir);
  append_range(process.argv,
               ArrayRef<std::string>{
                   tool.str(), "--tool", "memcheck", "--report-api-errors",
                   "no", "--error-exitcode=86", "--print-limit=20",
                   "--log-file", logFile.str().str(), executable.str(),
                   workerArgument.str(), "memcheck", file.str().str()});
  WorkerLimits limits{request.candidateSeconds, request.machineSeconds,
                      /*signalsAsExitCodes=*/!sandbox.prefix.empty(), *secret};
  process.timeoutSeconds = request.candidateSeconds + request.machineSeconds;
  WorkerOutcome outcome = superviseWorker(std::move(process), limits);
  result.log = outcome.log;
  std::optional<MemcheckLog> log;
  Expected<std::unique_ptr<MemoryBuffer>> text =
      readPlainFile(logFile, maxWorkerFileBytes);
  if (!text) {
    consumeError(text.takeError());
  } else {
    log = parseMemcheckLog((*text)->getBuffer());
    if (log && log->errors)
      result.log = (*text)->getBuffer().str();
  }
  if (log && log->errors) {
    result.end = MemcheckResult::End::Errors;
    result.summary = log->first;
    if (log->errors > 1)
      result.summary += " (" + std::to_string(log->errors) + " errors)";
    return result;
  }
  if (!outcome.problem && log) {
    result.end = MemcheckResult::End::Clean;
    result.summary = "nothing found";
    return result;
  }
  // A worker that reached the candidate was started.
  bool began = outcome.stage == stages::Candidate;
  result.end =
      began ? MemcheckResult::End::NotEnded : MemcheckResult::End::NotStarted;
  result.summary =
      outcome.problem ? outcome.reason : "compute-sanitizer left no whole log";
  if (!began)
    result.summary = "compute-sanitizer does not work here: " + result.summary;
  return result;
}
