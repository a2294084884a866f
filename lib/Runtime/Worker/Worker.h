//===- Worker.h - What the jobs of workers share -------------- -*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Failures with a name, the context of a job, and the jobs of each backend by
// name.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_RUNTIME_WORKER_WORKER_H
#define PTXBENCH_LIB_RUNTIME_WORKER_WORKER_H

#include "ptxbench/Runtime/WorkerProtocol.h"
#include "ptxbench/Support/Toolchain.h"
#include "llvm/Support/Error.h"

#include <string>

namespace ptxbench {

/// A failure that has a name of its own ("CUDA_ERROR_ILLEGAL_ADDRESS").
class RuntimeFailure : public llvm::ErrorInfo<RuntimeFailure> {
public:
  static char ID;

  RuntimeFailure(std::string code, std::string message, std::string place = "")
      : code(std::move(code)), message(std::move(message)),
        place(std::move(place)) {}
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

  /// The message, behind the place if there is one.
  std::string describe() const;

  std::string code, message;
  /// The operation of the candidate's source that failed, as
  /// "gemm.mlir:12:3: gpu.launch"; empty if it is not known.
  std::string place;
};

llvm::Error makeFailure(const llvm::Twine &code, const llvm::Twine &message,
                        const llvm::Twine &place = "");

/// Tells the parent what is in `bytes`, then writes them to a new file `path`:
/// from then on the candidate may do with it what it likes.
llvm::Error saveFile(ProtocolWriter &out, llvm::StringRef path,
                     llvm::ArrayRef<uint8_t> bytes);

/// A number that nobody can know before. An error: the system gives none.
llvm::Expected<uint32_t> drawNumber();

struct WorkerContext {
  RunRequest request;
  Toolchain toolchain;
  ProtocolWriter &out;
};

using WorkerJob = llvm::Error (*)(WorkerContext &);
/// The job of that name; null if the backend has none or was not built.
WorkerJob findCudaJob(llvm::StringRef name);
WorkerJob findEmulatorJob(llvm::StringRef name);

} // namespace ptxbench

#endif // PTXBENCH_LIB_RUNTIME_WORKER_WORKER_H
