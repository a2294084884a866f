//===- Backend.h - Where a candidate can be run -----------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One interface for everything that can execute a candidate. A backend never
// crashes or hangs because its candidate does: that is a result.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_RUNTIME_BACKEND_H
#define PTXBENCH_RUNTIME_BACKEND_H

#include "ptxbench/Runtime/Run.h"
#include "llvm/ADT/StringRef.h"

#include <map>
#include <memory>
#include <string>

namespace ptxbench {

struct Usability {
  bool usable = false;
  /// Why not; empty if it is.
  std::string reason;
};

class Backend {
public:
  virtual ~Backend();

  /// "cuda", "emulator", "null".
  virtual llvm::StringRef name() const = 0;
  /// Whether it can run anything here. Asked once, then remembered.
  virtual Usability isUsable() = 0;
  /// Device and versions; empty if it is not usable.
  virtual std::map<std::string, std::string> versions() = 0;
  /// Runs, judges, times and traces. Whatever happens becomes a result.
  virtual RunResult run(const RunRequest &request) = 0;
};

/// A backend for machines without a device: never usable, every run is NOT_RUN
/// with `reason`.
std::unique_ptr<Backend> createNullBackend(std::string reason);

/// CUDA devices, by worker processes: `executable` is started again with
/// `workerArgument` as its first argument and has to call runtimeWorkerMain.
std::unique_ptr<Backend> createCudaBackend(std::string executable);

/// How the emulator runs; what is empty or false is left to the environment
/// (docs/Emulator.md).
struct EmulatorSettings {
  /// Name or file of a device model.
  std::string deviceModel;
  /// "eager", "lazy", "random:SEED", "adversarial:SEED".
  std::string schedule;
  /// Whether misuse is looked for.
  bool checks = false;
};

/// An emulated device, by a worker process as above that runs the candidate on
/// the emulated CUDA runtime, in a sandbox where there is one. Numbers are
/// judged by a reference on the CPU; nothing is timed.
std::unique_ptr<Backend> createEmulatorBackend(std::string executable,
                                               EmulatorSettings settings = {});

/// The hidden subcommand by which the executable becomes a worker.
inline constexpr llvm::StringLiteral workerArgument = "__worker";

/// The main function of a worker; `argv[1]` is `workerArgument`. Returns an
/// exit status if it cannot begin; a job, once begun, ends the process itself.
int runtimeWorkerMain(int argc, char **argv);

} // namespace ptxbench

#endif // PTXBENCH_RUNTIME_BACKEND_H
