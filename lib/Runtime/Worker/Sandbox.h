//===- Sandbox.h - Where candidates run ----------------------- -*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two walls. From outside: bubblewrap or, without it, plain namespaces give a
// process no network, no file system to write to but one folder, and no other
// processes to see, no devices but those it needs, and no way to set the
// machine. From inside: before it opens the candidate's library, a worker
// limits itself and gives up the rights of the superuser and the system calls
// that start processes, reach into others, speak to the network or change the
// machine.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_RUNTIME_WORKER_SANDBOX_H
#define PTXBENCH_LIB_RUNTIME_WORKER_SANDBOX_H

#include "ptxbench/Runtime/Run.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ptxbench {

struct SandboxOptions {
  /// The folder that can be written to.
  std::string folder;
  /// Files and folders that can be read though the folder they are in (a home,
  /// a folder for temporary files) is hidden.
  std::vector<std::string> readable;
  /// Whether NVIDIA's devices are there.
  bool gpu = false;
  /// Whether a process of the superuser keeps its rights, for counters of the
  /// device that a driver gives to nobody else.
  bool privileged = false;
};

struct Sandbox {
  /// What a command line begins with; empty: there is no sandbox. It ends with
  /// exit code 128 + n where signal n ended the command.
  std::vector<std::string> prefix;
  /// "bubblewrap", "namespaces"; empty: none.
  std::string kind;
  /// Why it is not bubblewrap.
  std::string reason;
};

/// What a worker of `executable` reads: its own folders, the candidate, inputs
/// in files, and the libraries that the environment names.
std::vector<std::string> readablePaths(const RunRequest &request,
                                       llvm::StringRef executable);

/// What a candidate sees of our environment: where things are, what sets CUDA
/// and this tool, and nothing that might be a secret. `folder` is its home.
std::vector<std::string> candidateEnvironment(llvm::StringRef folder);

/// The best sandbox that can be had here: each is tried.
Sandbox makeSandbox(const SandboxOptions &options);

/// A sentence for people where it is less than bubblewrap; else empty.
std::string describe(const Sandbox &sandbox);

/// The command lines that are tried, with the name of each.
std::vector<Sandbox> sandboxCandidates(const SandboxOptions &options);

/// Limits of this process: address space (not in a build with sanitizers), size
/// of a file, no core dumps.
void limitResources(uint64_t addressBytes, uint64_t fileBytes);
/// The same for a process that uses CUDA, whose address space is as large as
/// all memory there is: what it may write to is limited.
void limitDeviceProcess(uint64_t dataBytes, uint64_t fileBytes);

/// Gives up the rights (capabilities) of the superuser, or all but those by
/// which a driver gives counters of the device. For threads that this one
/// starts, so before there are others.
llvm::Error dropRights(bool keepCounters);

/// Gives up to open the memory of processes that have not done so, and to move
/// files from folder to folder, for threads that this one starts. Kernels that
/// cannot (Linux before 5.13) leave it to who owns them.
llvm::Error leaveOtherMemory();

/// Gives up, for all threads of this process, to start processes, to reach into
/// others, to open sockets, to change what is mounted, who may use a file, or
/// the machine: such calls fail with EPERM. An error: the kernel has no such
/// filters.
llvm::Error denySystemCalls();

} // namespace ptxbench

#endif // PTXBENCH_LIB_RUNTIME_WORKER_SANDBOX_H
