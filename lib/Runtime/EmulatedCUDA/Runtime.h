//===- Runtime.h - State of the emulated CUDA runtime --------- -*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What all functions of the runtime and driver interface share: the device,
// modules with their kernels and variables, allocations, streams and events,
// errors, and the trace. There is one device, and every operation has ended
// when its call returns, so that the order of a stream is that of the program.
//
// Set by the environment: PTXBENCH_EMULATOR_DEVICE (the model),
// PTXBENCH_EMULATOR_MEMORY (bytes, if fewer than the model has),
// PTXBENCH_EMULATOR_SCHEDULE (eager, lazy, random:SEED, adversarial:SEED),
// PTXBENCH_EMULATOR_CHECKS (1), PTXBENCH_EMULATOR_THREADS,
// PTXBENCH_EMULATOR_MAX_INSTRUCTIONS (of one launch), PTXBENCH_EMULATOR_TRACE
// (the file for the trace at the end of the process).
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_RUNTIME_EMULATEDCUDA_RUNTIME_H
#define PTXBENCH_LIB_RUNTIME_EMULATEDCUDA_RUNTIME_H

#include "DeviceModel.h"
#include "PtxModule.h"
#include "TraceRecorder.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"

#include <cuda_runtime_api.h>

#include <chrono>
#include <map>
#include <mutex>
#include <set>
#include <vector>

namespace ptxbench::emulated {

struct Module;

/// An entry of a module; what CUfunction, cudaFunction_t and cudaKernel_t point
/// to.
struct Kernel {
  Module *module = nullptr;
  std::string name;
  /// As cudaFuncSetAttribute left them.
  int maxDynamicShared = -1, carveout = -1;
  bool nonPortableCluster = false;
};

/// A `__device__`, `__constant__` or `__managed__` variable.
struct Variable {
  Module *module = nullptr;
  std::string name;
  size_t bytes = 0;
  /// Where the host keeps the address of a managed variable.
  void **managed = nullptr;
};

/// Device code that was registered. It is imported when it is first needed.
struct Module {
  const void *image = nullptr;
  /// Compiled in parts (-rdc=true) and linked as machine code; the PTX of the
  /// parts was not linked.
  bool inParts = false;
  std::unique_ptr<PtxModule> code;
  /// Why there is none; success: it was not tried.
  cudaError_t refusal = cudaSuccess;
  /// Kernels of the host's functions and of lookups by name.
  llvm::StringMap<std::unique_ptr<Kernel>> kernels;
  std::vector<Variable *> managed;
};

struct Stream {
  unsigned flags = 0;
  int priority = 0;
  unsigned long long id = 0;
};

struct Event {
  unsigned flags = 0;
  std::optional<std::chrono::steady_clock::time_point> recorded;
};

struct Allocation {
  uint64_t bytes = 0;
  cudaMemoryType type = cudaMemoryTypeDevice;
  unsigned flags = 0;

  bool isOfDeviceOnly() const { return type == cudaMemoryTypeDevice; }
};

struct LaunchShape {
  dim3 grid, block;
  size_t dynamicShared = 0;
  std::optional<dim3> cluster;
  /// All CTAs are on the device at once and may wait for each other.
  bool isCooperative = false;
};

class Runtime {
public:
  static Runtime &get();

  /// Held by every function of the interface. Recursive: host functions in
  /// streams may call back.
  std::recursive_mutex lock;

  //===--------------------------------------------------------------------===//
  // Errors
  //===--------------------------------------------------------------------===//

  /// Keeps the error for cudaGetLastError. With a text, says it on the
  /// standard error.
  cudaError_t fail(cudaError_t code, const llvm::Twine &text = "");
  /// What CUDA has and the emulator has not.
  cudaError_t failUnsupported(const llvm::Twine &text);
  /// An error that the context is left with for good; success: none.
  cudaError_t sticky() const { return stickyError; }
  cudaError_t lastError(bool clear);
  /// What the launch that failed did, else the first thing asked for that is
  /// not emulated; empty: nothing.
  const std::string &fault() const { return faultText; }
  const std::string &faultStatus() const { return faultKind; }

  //===--------------------------------------------------------------------===//
  // Device
  //===--------------------------------------------------------------------===//

  /// Null where the device cannot be made; `fail` was called.
  emulator::Device *device();
  const DeviceModel &model() const { return deviceModel; }
  uint64_t usedBytes() const { return used; }
  uint64_t memoryBytes() const { return memory; }

  cudaError_t allocate(void **address, uint64_t bytes, cudaMemoryType type,
                       unsigned flags = 0);
  cudaError_t release(void *address, const char *function);
  void releaseAll();
  /// The allocation that `address` lies in, with its beginning.
  std::optional<std::pair<uint64_t, Allocation>> find(const void *address);
  /// Copies; `what` names the function. Both sides are checked as far as they
  /// are memory of the device.
  cudaError_t copy(void *to, const void *from, size_t bytes,
                   cudaMemcpyKind kind, const char *what);
  cudaError_t set(void *at, int byte, size_t bytes, const char *what);
  /// Whether device memory is all of one allocation; fails if not.
  cudaError_t checkDevice(const void *address, size_t bytes, const char *what,
                          const char *side);

  //===--------------------------------------------------------------------===//
  // Modules
  //===--------------------------------------------------------------------===//

  Module *addModule(const void *image);
  void addKernel(Module *module, const void *hostFunction, const char *name);
  void addVariable(Module *module, const void *host, const char *name,
                   size_t bytes, void **managed);
  bool isModule(const void *handle) const;
  /// Imports the module if need be.
  cudaError_t load(Module &module);
  /// A kernel by a host function or a handle.
  Kernel *findKernel(const void *function);
  /// A kernel by name; null if the loaded module has none.
  Kernel *findKernel(Module &module, llvm::StringRef name);
  Variable *findVariable(const void *host);
  cudaError_t addressOf(Variable &variable, uint64_t &address, uint64_t &bytes);

  /// Loads its module and asks it.
  cudaError_t info(Kernel &kernel, emulator::KernelInfo &info);
  /// The most dynamic shared memory it may be launched with.
  uint64_t maxDynamicShared(const Kernel &kernel,
                            const emulator::KernelInfo &info) const;
  /// What an attribute of a launch asks for.
  cudaError_t addAttribute(LaunchShape &shape, unsigned id,
                           const cudaLaunchAttributeValue &value);
  /// CTAs of `threads` threads that fit onto one multiprocessor.
  cudaError_t residentCTAs(Kernel &kernel, uint64_t threads,
                           uint64_t dynamicShared, uint64_t &count);
  /// Runs a kernel. `arguments` has a pointer for each parameter.
  cudaError_t launch(Kernel &kernel, const LaunchShape &shape,
                     void **arguments);
  /// Runs a kernel with the bytes of its parameter space.
  cudaError_t launch(Kernel &kernel, const LaunchShape &shape,
                     std::vector<uint8_t> params);

  //===--------------------------------------------------------------------===//
  // Streams and events
  //===--------------------------------------------------------------------===//

  /// The three handles without an object are streams, too.
  bool isStream(cudaStream_t stream) const;
  std::set<Stream *> streams;
  std::set<Event *> events;
  unsigned long long nextStreamId = 1;

  TraceRecorder trace;

  //===--------------------------------------------------------------------===//
  // Calls of a candidate (Control.h)
  //===--------------------------------------------------------------------===//

  /// Whether a worker has what it controls this with.
  bool isControlled = false;
  void beginCall();
  void endCall();
  /// Launches, copies and fills say what they are: work that is asked for
  /// between two calls, or behind the last one, is kept.
  void noteWork(const llvm::Twine &what);
  const std::string &strayWork() const { return strayText; }

  /// While it lives the memory of the device can be accessed. Within a call of
  /// a candidate it cannot otherwise: host code that does is ended by SIGSEGV,
  /// as it would be beside a device. (Pinned and managed memory is the host's,
  /// too.) For who holds the lock.
  class Access {
  public:
    explicit Access(Runtime &runtime) : runtime(runtime) {
      if (runtime.accesses++ == 0)
        runtime.setAccessible(true);
    }
    ~Access() {
      if (--runtime.accesses == 0)
        runtime.setAccessible(false);
    }
    Access(const Access &) = delete;

  private:
    Runtime &runtime;
  };

private:
  Runtime();
  void readEnvironment();
  void readNumber(const char *name, uint64_t &number);

  DeviceModel deviceModel;
  /// What is wrong with the device model or the environment: every call fails.
  std::string setupError;
  uint64_t memory = 0, used = 0;
  emulator::EmulatorOptions options;
  std::unique_ptr<emulator::Device> emulatedDevice;
  std::map<uint64_t, Allocation> allocations;
  std::vector<std::unique_ptr<Module>> modules;
  std::map<const void *, Kernel *> hostFunctions;
  std::set<const void *> kernels;
  std::map<const void *, std::unique_ptr<Variable>> variables;
  /// Where the CTAs of a cooperative launch meet; 0 before the first.
  uint64_t gridWorkspace = 0;
  cudaError_t stickyError = cudaSuccess;
  std::string faultText, faultKind;
  /// What is asked for before the first call belongs to setting up.
  enum class Phase { SetUp, InCall, BetweenCalls };
  Phase phase = Phase::SetUp;
  std::string strayText;
  void setAccessible(bool accessible);
  unsigned accesses = 0;
};

/// "ptxbench emulator: <text>" on the standard error.
void say(const llvm::Twine &text);
/// For a function of CUDA that the emulator does not have.
cudaError_t unavailable(const char *function);
/// The folder of this library.
std::string libraryFolder();

/// Names and values of an enumeration of CUDA's, from its headers.
struct EnumName {
  int value;
  const char *name;
};
llvm::ArrayRef<EnumName> errorNames();
llvm::ArrayRef<EnumName> driverErrorNames();
/// Without "cudaDevAttr".
llvm::ArrayRef<EnumName> attributeNames();
/// A sentence for an error.
const char *describeError(int code);

} // namespace ptxbench::emulated

/// The beginning of a function of the interface: takes the lock, and leaves
/// with the error that the context is left with.
#define PTXBENCH_ENTER(runtime)                                                \
  ::ptxbench::emulated::Runtime &runtime =                                     \
      ::ptxbench::emulated::Runtime::get();                                    \
  std::lock_guard<std::recursive_mutex> guard(runtime.lock);                   \
  if (runtime.sticky() != cudaSuccess)                                         \
  return runtime.sticky()

#endif // PTXBENCH_LIB_RUNTIME_EMULATEDCUDA_RUNTIME_H
