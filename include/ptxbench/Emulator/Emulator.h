//===- Emulator.h - The PTX machine on a CPU --------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A device that executes modules of the `ptx` dialect. Memory of the device is
// memory of the process: a device address is a host address, so that host code
// may read and write what it has allocated between launches. A kernel cannot
// reach any other memory of the process.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_EMULATOR_EMULATOR_H
#define PTXBENCH_EMULATOR_EMULATOR_H

#include "ptxbench/Trace/Launch.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace ptxbench::emulator {

/// When asynchronous operations complete.
struct Schedule {
  enum Kind : uint8_t {
    /// Where they are issued.
    Eager,
    /// When nothing else can go on.
    Lazy,
    /// At places drawn from `seed`.
    Random,
    /// As late as possible and in the least convenient order.
    Adversarial,
  } kind = Eager;
  uint64_t seed = 0;
};

struct EmulatorOptions {
  Schedule schedule;
  /// Whether misuse is looked for, which one host thread does. Accesses outside
  /// of allocations are always found.
  bool checks = false;
  /// Host threads that execute CTAs; 0: as many as the machine has.
  unsigned hostThreads = 1;
  /// A launch that executes more warp-level instructions than this ends with
  /// LaunchStatus::TooLong; 0: no limit.
  uint64_t maxInstructions = 0;
};

/// Something that a launch did which PTX does not allow.
struct Finding {
  /// A stable name: "out-of-bounds".
  std::string id;
  std::string message;
  /// Place in the PTX text, 1-based; 0: unknown.
  unsigned line = 0, column = 0;
  /// The line of the other party, where there is one.
  unsigned otherLine = 0;
  struct Place {
    uint32_t x = 0, y = 0, z = 0;
  };
  /// Indices of the CTA in the grid and of the thread in the CTA.
  Place cta, thread;
};

enum class LaunchStatus : uint8_t {
  Completed,
  /// `trap`, or an access or an instruction that ends the launch.
  Fault,
  /// Every thread waits for another one.
  Deadlock,
  TooLong,
  /// An instruction that the emulator does not execute.
  Unsupported,
  /// The launch itself is wrong: no such kernel, sizes out of range.
  Invalid,
};
/// "completed", "fault", "deadlock", "too-long", "unsupported", "invalid".
llvm::StringRef stringifyLaunchStatus(LaunchStatus status);

/// Executions of one PTX instruction in one launch.
struct InstructionCount {
  unsigned line = 0, column = 0;
  /// Opcode without modifiers.
  llvm::StringRef opcode;
  /// By warps with at least one lane whose guard was true; by such lanes.
  uint64_t warps = 0, threads = 0;
};

struct LaunchOutcome {
  LaunchStatus status = LaunchStatus::Completed;
  /// One sentence; empty if it completed.
  std::string reason;
  /// The first is the one that ended the launch, if one did.
  std::vector<Finding> findings;
  /// Every instruction of the kernel and of what it calls, in text order.
  std::vector<InstructionCount> counts;
};

struct LaunchConfig {
  Dim3 grid, block, cluster;
  uint32_t dynamicSharedBytes = 0;
  /// Of a cooperative launch: the address that %envreg1 (high half) and
  /// %envreg2 hold. There cooperative groups have two zeroed words for a whole
  /// grid to meet at.
  uint64_t gridWorkspace = 0;
  /// The bytes of the parameter space of the entry.
  std::vector<uint8_t> params;
};

/// What a kernel needs, as `cudaFuncGetAttributes` says.
struct KernelInfo {
  /// Bytes of the parameter space, and the offset and size of each parameter.
  uint32_t paramBytes = 0;
  struct Param {
    uint32_t offset = 0, bytes = 0;
  };
  std::vector<Param> params;
  /// Static shared memory and local memory per thread in bytes.
  uint32_t sharedBytes = 0, localBytes = 0;
  std::optional<Dim3> requiredBlock, requiredCluster;
  uint32_t maxThreads = 1024;
};

/// A module loaded onto a device: its variables have addresses.
class LoadedModule {
public:
  virtual ~LoadedModule();

  /// The entries, in text order.
  virtual std::vector<std::string> kernels() const = 0;
  /// Fails for a name that is no entry of the module.
  virtual llvm::Expected<KernelInfo> kernelInfo(llvm::StringRef name) = 0;
  /// Address and size in bytes of a `.global` or `.const` variable.
  struct Variable {
    uint64_t address = 0, bytes = 0;
  };
  virtual std::optional<Variable> variable(llvm::StringRef name) const = 0;
  /// Executes a kernel to its end. Whatever happens becomes the outcome.
  virtual LaunchOutcome launch(llvm::StringRef kernel,
                               const LaunchConfig &config,
                               const EmulatorOptions &options) = 0;
};

/// The memory of a device and what is loaded onto it. Not thread-safe.
class Device {
public:
  virtual ~Device();

  /// `bytes` of global memory, aligned to 512; 0 if there is no more.
  virtual uint64_t allocate(uint64_t bytes) = 0;
  /// False if no allocation begins at `address`.
  virtual bool release(uint64_t address) = 0;
  /// Whether all of `bytes` at `address` are of one allocation or variable.
  virtual bool contains(uint64_t address, uint64_t bytes) const = 0;

  /// Takes a verified module of the `ptx` dialect, which must outlive the
  /// result. Fails for what the emulator cannot load.
  virtual llvm::Expected<std::unique_ptr<LoadedModule>>
  load(mlir::ModuleOp module) = 0;
};

/// A device with `memoryBytes` of global memory, taken from the process only
/// as it is used.
llvm::Expected<std::unique_ptr<Device>> createDevice(uint64_t memoryBytes);

} // namespace ptxbench::emulator

#endif // PTXBENCH_EMULATOR_EMULATOR_H
