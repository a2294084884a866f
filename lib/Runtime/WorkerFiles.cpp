//===- WorkerFiles.cpp - What a worker left behind ------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Read when the worker has ended, and with it every thread of the candidate.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Runtime/WorkerFiles.h"
#include "ptxbench/Support/PlainFile.h"
#include "ptxbench/Support/RemoveFolder.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;
using namespace ptxbench;

std::string ptxbench::hashOfFile(StringRef bytes) {
  BLAKE3 hash;
  hash.update(bytes);
  return toHex(hash.final(), /*LowerCase=*/true);
}

WorkerFile ptxbench::readWorkerFile(StringRef path, uint64_t maxBytes,
                                    const ProtocolReader &events) {
  WorkerFile file;
  StringRef name = sys::path::filename(path);
  std::optional<StringRef> hash = events.fileHash(name);
  if (!hash) {
    if (isAnythingThere(path)) {
      file.state = WorkerFile::State::Forged;
      file.problem = ("the candidate made '" + name + "'").str();
    } else {
      file.problem = ("'" + name + "' is not there").str();
    }
    return file;
  }
  file.state = WorkerFile::State::Forged;
  file.problem =
      ("'" + name + "' is not what it was when it was written").str();
  Expected<std::unique_ptr<MemoryBuffer>> bytes = readPlainFile(path, maxBytes);
  if (!bytes) {
    file.problem += ": " + toString(bytes.takeError());
    return file;
  }
  if (hashOfFile((*bytes)->getBuffer()) != *hash)
    return file;
  file.state = WorkerFile::State::Good;
  file.problem.clear();
  file.bytes = std::move(*bytes);
  return file;
}

bool ptxbench::checkOutputFiles(const RunRequest &request, unsigned calls,
                                const ProtocolReader &events,
                                RunResult &result) {
  for (unsigned call = 0; call < calls; ++call)
    for (unsigned i = 0; i < request.tensors.size(); ++i) {
      const ArgumentSpec &tensor = request.tensors[i];
      if (tensor.role != TensorRole::Output)
        continue;
      WorkerFile file =
          readWorkerFile(outputFile(request, call, i), tensor.bytes(), events);
      bool isWhole = file.state == WorkerFile::State::Good &&
                     file.bytes->getBufferSize() == tensor.bytes();
      if (isWhole)
        continue;
      std::string which =
          "output '" + tensor.name + "' of call " + std::to_string(call);
      result.stage = stages::Candidate.str();
      if (file.state == WorkerFile::State::Forged) {
        result.status = RunStatus::Rejected;
        result.code = "FORGED_OUTPUT";
        result.reason = which + ": " + file.problem;
      } else {
        result.status = RunStatus::RuntimeError;
        result.code = "NO_OUTPUT";
        result.reason =
            "the run was reported as done but " + which + " is not there";
      }
      return false;
    }
  // What a baseline wrote may be missing.
  for (unsigned i = 0; request.timing.enabled && i < request.tensors.size();
       ++i) {
    const ArgumentSpec &tensor = request.tensors[i];
    if (tensor.role != TensorRole::Output)
      continue;
    WorkerFile file =
        readWorkerFile(baselineFile(request, i), tensor.bytes(), events);
    if (file.state != WorkerFile::State::Forged)
      continue;
    result.stage = stages::Candidate.str();
    result.status = RunStatus::Rejected;
    result.code = "FORGED_OUTPUT";
    result.reason =
        "the baseline's output '" + tensor.name + "': " + file.problem;
    return false;
  }
  return true;
}

/// Gives back what a file takes up beyond its size, which can be asked for
/// (fallocate) though the size has a limit.
static void trim(StringRef path) {
  int fd = -1;
  if (sys::fs::openFileForWrite(path, fd, sys::fs::CD_OpenExisting,
                                sys::fs::OF_None))
    return;
  struct stat status;
  constexpr uint64_t blockBytes = 512, slack = 1 << 20;
  if (::fstat(fd, &status) == 0 && uint64_t(status.st_blocks) * blockBytes >
                                       uint64_t(status.st_size) + slack)
    (void)!::ftruncate(fd, status.st_size);
  ::close(fd);
}

Error ptxbench::keepWorkerFiles(const RunRequest &request,
                                const ProtocolReader &events) {
  StringSet<> outputs;
  for (unsigned i = 0; i < request.tensors.size(); ++i) {
    if (request.tensors[i].role != TensorRole::Output)
      continue;
    for (unsigned call = 0; call < judgedCalls(request); ++call)
      outputs.insert(sys::path::filename(outputFile(request, call, i)));
    outputs.insert(sys::path::filename(baselineFile(request, i)));
  }
  return emptyFolder(request.workDir, [&](StringRef name) {
    SmallString<256> path(request.workDir);
    sys::path::append(path, name);
    if (!events.fileHash(name))
      return false;
    if (!outputs.contains(name) &&
        readWorkerFile(path, maxWorkerFileBytes, events).state !=
            WorkerFile::State::Good)
      return false;
    trim(path);
    return true;
  });
}

void ptxbench::rejectTrace(RunResult &result, StringRef code,
                           const std::string &problem) {
  result.traceNotes.push_back("no trace: " + problem);
  switch (result.status) {
  case RunStatus::Passed:
  case RunStatus::NotJudged:
  case RunStatus::IncorrectNumerical:
    break;
  default:
    return;
  }
  result.status = RunStatus::Rejected;
  result.stage = stages::Candidate.str();
  result.code = code.str();
  result.reason = "the trace cannot be believed: " + problem;
}
