//===- Machines.h - Where cases run -----------------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A case on the emulator of this process, or on the GPU that the driver has.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_UTILS_DIFFERENTIAL_MACHINES_H
#define PTXBENCH_UTILS_DIFFERENTIAL_MACHINES_H

#include "Modules.h"
#include "ptxbench/Emulator/Emulator.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace ptxbench::differential {

struct Outcome {
  /// Empty if the launch completed; else what became of it.
  std::string error;
  /// The bytes of the buffers that are outputs.
  std::vector<std::vector<uint8_t>> outputs;
};

/// Runs the cases of a module on the emulator. `checkCounts`: an outcome is an
/// error if the executions that the emulator reports of a counted line are not
/// those that the kernel counted.
std::vector<Outcome> runOnEmulator(const Module &module,
                                   const emulator::EmulatorOptions &options,
                                   bool checkCounts);

/// What ran the cases.
struct MachineInfo {
  std::string name, driver;
};

/// Runs the modules on the GPU, from cubins named after them in `folder`, in
/// processes of their own: one that faults, or takes longer than
/// `secondsPerCase`, ends, and the next one goes on behind it. Calls `use` with
/// each case and its outcome in their order.
llvm::Error
runOnGpu(llvm::ArrayRef<Module> modules, const std::string &folder,
         unsigned secondsPerCase,
         llvm::function_ref<void(const MachineInfo &)> begin,
         llvm::function_ref<void(const Case &, const Outcome &)> use);

} // namespace ptxbench::differential

#endif // PTXBENCH_UTILS_DIFFERENTIAL_MACHINES_H
