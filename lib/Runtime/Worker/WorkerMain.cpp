//===- WorkerMain.cpp - The main function of a worker ---------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `<program> __worker <job> <request.json>`, with the pipe of the protocol as
// descriptor 3. The file is removed once it is read. A worker that opens a
// candidate gives up its rights first of all, before a driver makes threads,
// which would keep them. A worker ends by _exit:
// what a candidate registered to run at the end of the process cannot change
// what was reported.
//
//===----------------------------------------------------------------------===//

#include "Sandbox.h"
#include "Worker.h"
#include "ptxbench/Runtime/Backend.h"
#include "ptxbench/Support/PlainFile.h"
#include "ptxbench/Support/Subprocess.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>
#include <fcntl.h>
#include <unistd.h>

using namespace llvm;
using namespace ptxbench;

static constexpr uint64_t maxRequestBytes = uint64_t(64) << 20;

static int refuse(const Twine &message) {
  errs() << "worker: " << message << "\n";
  return 2;
}

int ptxbench::runtimeWorkerMain(int argc, char **argv) {
  if (argc != 4)
    return refuse("expected a job and a request file");
  WorkerJob job = findCudaJob(argv[2]);
  if (!job)
    job = findEmulatorJob(argv[2]);
  if (!job)
    return refuse("unknown job '" + Twine(argv[2]) + "'");
  // Out of the way of a candidate that closes or writes low descriptors.
  int fd = ::fcntl(workerDescriptor, F_DUPFD_CLOEXEC, 100);
  if (fd < 0)
    return refuse("expected the protocol's pipe as descriptor " +
                  Twine(workerDescriptor));
  ::close(workerDescriptor);
  if (opensCandidate(argv[2])) {
    if (Error error = leaveOtherMemory())
      return refuse(toString(std::move(error)));
    if (Error error =
            dropRights(/*keepCounters=*/StringRef(argv[2]) == "trace"))
      return refuse(toString(std::move(error)));
  } else {
    closeMemory();
  }

  Expected<std::unique_ptr<MemoryBuffer>> file =
      readPlainFile(argv[3], maxRequestBytes);
  if (!file)
    return refuse(toString(file.takeError()));
  // Seeds, names of files and the secret are not for the candidate to read.
  if (std::error_code code = sys::fs::remove(argv[3]))
    return refuse("cannot remove '" + Twine(argv[3]) + "': " + code.message());
  auto [secret, text] = splitWorkerRequest((*file)->getBuffer());
  ProtocolWriter out(fd, secret.str());
  Expected<RunRequest> request = parseRunRequest(text, argv[3]);
  ::explicit_bzero(const_cast<char *>((*file)->getBufferStart()),
                   (*file)->getBufferSize());
  file->reset();
  if (!request) {
    out.failure("", toString(request.takeError()));
    return 2;
  }
  ToolchainOptions options;
  options.cudaPath = request->cudaPath;
  options.tvmFfiPath = request->tvmFfiPath;
  options.executable = "/proc/self/exe";
  WorkerContext context{std::move(*request), Toolchain(options), out};
  int code = 0;
  handleAllErrors(
      job(context),
      [&](const RuntimeFailure &failure) {
        out.failure(failure.code, failure.describe());
        code = 1;
      },
      [&](const ErrorInfoBase &error) {
        out.failure("", error.message());
        code = 1;
      });
  if (code == 0)
    out.done();
  outs().flush();
  ::fflush(nullptr);
  ::_exit(code);
}
