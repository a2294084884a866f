//===- Runtime.cpp - State of the emulated CUDA runtime -------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The device and its memory, modules, errors. Launches are in Launch.cpp.
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"
#include "Control.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulated;

void emulated::say(const Twine &text) {
  std::string line = ("ptxbench emulator: " + text + "\n").str();
  // One write: programs print from several threads.
  std::fwrite(line.data(), 1, line.size(), stderr);
}

std::string emulated::libraryFolder() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<const void *>(&emulated::libraryFolder), &info))
    return ".";
  return sys::path::parent_path(info.dli_fname).str();
}

cudaError_t emulated::unavailable(const char *function) {
  Runtime &runtime = Runtime::get();
  std::lock_guard<std::recursive_mutex> guard(runtime.lock);
  return runtime.failUnsupported(Twine(function) +
                                 " is not available on the emulator");
}

namespace ptxbench::emulated {
/// For Stubs.cpp, which cannot see CUDA's headers.
int unavailableByName(const char *function);
} // namespace ptxbench::emulated

int emulated::unavailableByName(const char *function) {
  return unavailable(function);
}

Runtime &Runtime::get() {
  // Never destroyed: other libraries' destructors still call in.
  static Runtime *runtime = new Runtime();
  return *runtime;
}

static std::string variableOf(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

/// Reads a number from the environment into `number`.
void Runtime::readNumber(const char *name, uint64_t &number) {
  std::string text = variableOf(name);
  if (!text.empty() && StringRef(text).getAsInteger(10, number))
    setupError = (Twine(name) + " takes a number but is '" + text + "'").str();
}

Runtime::Runtime() {
  std::string name = variableOf("PTXBENCH_EMULATOR_DEVICE");
  Expected<DeviceModel> loaded = DeviceModel::load(
      name.empty() ? "h200" : name, libraryFolder() + "/devices");
  if (loaded)
    deviceModel = std::move(*loaded);
  else
    setupError = toString(loaded.takeError());
  memory = deviceModel.memoryBytes();
  readEnvironment();
}

void Runtime::readEnvironment() {
  uint64_t limit = memory, threads = 0, checks = 0;
  readNumber("PTXBENCH_EMULATOR_MEMORY", limit);
  memory = std::min(memory, limit);
  readNumber("PTXBENCH_EMULATOR_THREADS", threads);
  options.hostThreads = unsigned(threads);
  readNumber("PTXBENCH_EMULATOR_MAX_INSTRUCTIONS", options.maxInstructions);
  readNumber("PTXBENCH_EMULATOR_CHECKS", checks);
  options.checks = checks != 0;
  std::string schedule = variableOf("PTXBENCH_EMULATOR_SCHEDULE");
  auto [kind, seed] = StringRef(schedule).split(':');
  using Schedule = emulator::Schedule;
  static constexpr std::pair<StringLiteral, Schedule::Kind> kinds[] = {
      {"", Schedule::Eager},
      {"eager", Schedule::Eager},
      {"lazy", Schedule::Lazy},
      {"random", Schedule::Random},
      {"adversarial", Schedule::Adversarial}};
  bool known = seed.empty() || !seed.getAsInteger(10, options.schedule.seed);
  bool found = false;
  for (auto [text, value] : kinds)
    if (text == kind) {
      options.schedule.kind = value;
      found = true;
    }
  if (!known || !found)
    setupError = "PTXBENCH_EMULATOR_SCHEDULE takes eager, lazy, random:SEED or "
                 "adversarial:SEED but is '" +
                 schedule + "'";
  if (!variableOf("PTXBENCH_EMULATOR_TRACE").empty())
    std::atexit([] {
      Runtime &runtime = Runtime::get();
      std::lock_guard<std::recursive_mutex> guard(runtime.lock);
      if (Error error = runtime.trace.write(
              variableOf("PTXBENCH_EMULATOR_TRACE"), runtime.model().name()))
        say(toString(std::move(error)));
    });
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

/// As in CUDA every host thread has a last error of its own.
static thread_local cudaError_t threadError = cudaSuccess;

cudaError_t Runtime::fail(cudaError_t code, const Twine &text) {
  threadError = code;
  std::string sentence = text.str();
  if (!sentence.empty())
    say(sentence);
  return code;
}

cudaError_t Runtime::failUnsupported(const Twine &text) {
  std::string sentence = text.str();
  if (faultText.empty()) {
    faultText = sentence;
    faultKind =
        stringifyLaunchStatus(emulator::LaunchStatus::Unsupported).str();
  }
  return fail(cudaErrorNotSupported, sentence);
}

cudaError_t Runtime::lastError(bool clear) {
  if (stickyError != cudaSuccess)
    return stickyError;
  cudaError_t error = threadError;
  if (clear)
    threadError = cudaSuccess;
  return error;
}

//===----------------------------------------------------------------------===//
// Device
//===----------------------------------------------------------------------===//

emulator::Device *Runtime::device() {
  if (emulatedDevice)
    return emulatedDevice.get();
  if (!setupError.empty()) {
    fail(cudaErrorInitializationError, setupError);
    return nullptr;
  }
  // The runtime's own needs (parameters, variables) come on top.
  Expected<std::unique_ptr<emulator::Device>> made =
      emulator::createDevice(memory + (uint64_t(1) << 30));
  if (!made) {
    fail(cudaErrorInitializationError, toString(made.takeError()));
    return nullptr;
  }
  emulatedDevice = std::move(*made);
  return emulatedDevice.get();
}

/// Allocations have pages of their own.
static void protect(uint64_t address, uint64_t bytes, bool accessible) {
  ::mprotect(reinterpret_cast<void *>(address), bytes,
             accessible ? PROT_READ | PROT_WRITE : PROT_NONE);
}

/// Of an allocation, how much is filled: a workspace of gigabytes of which
/// little is used takes little memory.
constexpr uint64_t filledBytes = uint64_t(256) << 20;

cudaError_t Runtime::allocate(void **address, uint64_t bytes,
                              cudaMemoryType type, unsigned flags) {
  if (!address)
    return fail(cudaErrorInvalidValue);
  *address = nullptr;
  if (bytes == 0)
    return cudaSuccess;
  if (!device())
    return cudaErrorInitializationError;
  uint64_t place = 0;
  if (bytes <= memory - std::min(used, memory))
    place = emulatedDevice->allocate(bytes);
  if (!place)
    return fail(cudaErrorMemoryAllocation,
                "out of memory: " + Twine(bytes) + " bytes are asked for and " +
                    Twine(memory - std::min(used, memory)) + " of " +
                    Twine(memory) + " are left");
  // What nobody has written is a NaN of each type that has one, not zero.
  std::memset(reinterpret_cast<void *>(place), 0xff,
              std::min(bytes, filledBytes));
  used += bytes;
  allocations[place] = {bytes, type, flags};
  if (phase == Phase::InCall && !accesses && type == cudaMemoryTypeDevice)
    protect(place, bytes, false);
  *address = reinterpret_cast<void *>(place);
  return cudaSuccess;
}

cudaError_t Runtime::release(void *address, const char *function) {
  if (!address)
    return cudaSuccess;
  auto it = allocations.find(reinterpret_cast<uint64_t>(address));
  if (it == allocations.end())
    return fail(cudaErrorInvalidValue,
                Twine(function) + ": no allocation begins at 0x" +
                    utohexstr(reinterpret_cast<uint64_t>(address)));
  used -= it->second.bytes;
  allocations.erase(it);
  emulatedDevice->release(reinterpret_cast<uint64_t>(address));
  return cudaSuccess;
}

void Runtime::releaseAll() {
  while (!allocations.empty())
    release(reinterpret_cast<void *>(allocations.begin()->first),
            "cudaDeviceReset");
}

std::optional<std::pair<uint64_t, Allocation>>
Runtime::find(const void *address) {
  uint64_t place = reinterpret_cast<uint64_t>(address);
  auto it = allocations.upper_bound(place);
  if (it == allocations.begin())
    return std::nullopt;
  --it;
  if (place >= it->first + it->second.bytes)
    return std::nullopt;
  return *it;
}

cudaError_t Runtime::checkDevice(const void *address, size_t bytes,
                                 const char *what, const char *side) {
  if (!device())
    return cudaErrorInitializationError;
  if (emulatedDevice->contains(reinterpret_cast<uint64_t>(address), bytes))
    return cudaSuccess;
  return fail(cudaErrorInvalidValue,
              Twine(what) + ": the " + Twine(bytes) + " bytes of the " + side +
                  " at 0x" + utohexstr(reinterpret_cast<uint64_t>(address)) +
                  " are not all of one allocation of the device");
}

cudaError_t Runtime::copy(void *to, const void *from, size_t bytes,
                          cudaMemcpyKind kind, const char *what) {
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
    return fail(cudaErrorInvalidMemcpyDirection);
  if (bytes == 0)
    return cudaSuccess;
  if (!to || !from)
    return fail(cudaErrorInvalidValue, Twine(what) + ": a null pointer");
  bool toDevice =
      kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  bool fromDevice =
      kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  // What lies in an allocation must lie in it as a whole, whatever the kind.
  if (toDevice || find(to))
    if (cudaError_t error = checkDevice(to, bytes, what, "destination"))
      return error;
  if (fromDevice || find(from))
    if (cudaError_t error = checkDevice(from, bytes, what, "source"))
      return error;
  noteWork(Twine(what) + " of " + Twine(bytes) + " bytes");
  Access access(*this);
  std::memmove(to, from, bytes);
  return cudaSuccess;
}

cudaError_t Runtime::set(void *at, int byte, size_t bytes, const char *what) {
  if (bytes == 0)
    return cudaSuccess;
  if (cudaError_t error = checkDevice(at, bytes, what, "destination"))
    return error;
  noteWork(Twine(what) + " of " + Twine(bytes) + " bytes");
  Access access(*this);
  std::memset(at, byte, bytes);
  return cudaSuccess;
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

Module *Runtime::addModule(const void *image) {
  modules.push_back(std::make_unique<Module>());
  modules.back()->image = image;
  return modules.back().get();
}

bool Runtime::isModule(const void *handle) const {
  return any_of(modules,
                [&](const auto &module) { return module.get() == handle; });
}

void Runtime::addKernel(Module *module, const void *hostFunction,
                        const char *name) {
  std::unique_ptr<Kernel> &kernel = module->kernels[name];
  if (!kernel) {
    kernel = std::make_unique<Kernel>();
    kernel->module = module;
    kernel->name = name;
    kernels.insert(kernel.get());
  }
  if (hostFunction)
    hostFunctions[hostFunction] = kernel.get();
}

void Runtime::addVariable(Module *module, const void *host, const char *name,
                          size_t bytes, void **managed) {
  auto variable = std::make_unique<Variable>();
  variable->module = module;
  variable->name = name;
  variable->bytes = bytes;
  variable->managed = managed;
  if (managed)
    module->managed.push_back(variable.get());
  variables[host] = std::move(variable);
}

cudaError_t Runtime::load(Module &module) {
  if (module.code)
    return cudaSuccess;
  if (module.refusal != cudaSuccess)
    return fail(module.refusal);
  if (!device())
    return cudaErrorInitializationError;
  auto refuse = [&](cudaError_t code, Error error) {
    module.refusal = code;
    return fail(code, toString(std::move(error)));
  };
  if (module.inParts)
    return refuse(cudaErrorNoKernelImageForDevice,
                  createStringError(inconvertibleErrorCode(),
                                    "device code that was compiled in parts "
                                    "(-rdc=true) is linked as machine code, "
                                    "which cannot be emulated"));
  Expected<std::string> text =
      selectPtx(module.image, deviceModel.computeCapability());
  if (!text)
    return refuse(cudaErrorNoKernelImageForDevice, text.takeError());
  Expected<std::unique_ptr<PtxModule>> code =
      PtxModule::create(std::move(*text), *emulatedDevice);
  if (!code)
    return refuse(cudaErrorInvalidPtx, code.takeError());
  module.code = std::move(*code);
  for (Variable *variable : module.managed) {
    uint64_t address, bytes;
    if (cudaError_t error = addressOf(*variable, address, bytes))
      return error;
    *variable->managed = reinterpret_cast<void *>(address);
  }
  return cudaSuccess;
}

Kernel *Runtime::findKernel(const void *function) {
  auto it = hostFunctions.find(function);
  if (it != hostFunctions.end())
    return it->second;
  if (kernels.count(function))
    return static_cast<Kernel *>(const_cast<void *>(function));
  return nullptr;
}

Kernel *Runtime::findKernel(Module &module, StringRef name) {
  if (load(module))
    return nullptr;
  if (!is_contained(module.code->loaded().kernels(), name))
    return nullptr;
  addKernel(&module, nullptr, name.str().c_str());
  return module.kernels[name].get();
}

Variable *Runtime::findVariable(const void *host) {
  auto it = variables.find(host);
  return it == variables.end() ? nullptr : it->second.get();
}

cudaError_t Runtime::addressOf(Variable &variable, uint64_t &address,
                               uint64_t &bytes) {
  if (cudaError_t error = load(*variable.module))
    return error;
  auto found = variable.module->code->loaded().variable(variable.name);
  if (!found)
    return fail(cudaErrorInvalidSymbol,
                "the device code has no variable '" + variable.name + "'");
  address = found->address;
  bytes = found->bytes;
  return cudaSuccess;
}

bool Runtime::isStream(cudaStream_t stream) const {
  return stream == nullptr || stream == cudaStreamLegacy ||
         stream == cudaStreamPerThread ||
         streams.count(reinterpret_cast<Stream *>(stream));
}

//===----------------------------------------------------------------------===//
// The worker's side
//===----------------------------------------------------------------------===//

void Runtime::setAccessible(bool accessible) {
  if (phase != Phase::InCall)
    return;
  for (const auto &[address, allocation] : allocations)
    if (allocation.isOfDeviceOnly())
      protect(address, allocation.bytes, accessible);
}

/// The addresses of allocations, from the first to the last; for the handler.
static std::atomic<uint64_t> firstAddress, lastAddress;

/// Says what host code did that is ended by SIGSEGV, if it was that; only calls
/// what a signal handler may.
static void explainFault(int signal, siginfo_t *info, void *) {
  static constexpr char text[] =
      "ptxbench emulator: host code accesses memory of the device\n";
  // The access is repeated, without a handler.
  ::signal(signal, SIG_DFL);
  auto address = reinterpret_cast<uint64_t>(info->si_addr);
  if (address >= firstAddress && address < lastAddress)
    (void)!::write(STDERR_FILENO, text, sizeof(text) - 1);
}

void Runtime::beginCall() {
  trace.clear();
  phase = Phase::InCall;
  // What was not emulated in an earlier call, and did not end it, is no reason
  // of what happens in this one.
  if (stickyError == cudaSuccess)
    faultText = faultKind = "";
  setAccessible(false);
  if (!allocations.empty()) {
    firstAddress = allocations.begin()->first;
    lastAddress =
        allocations.rbegin()->first + allocations.rbegin()->second.bytes;
  }
  struct sigaction action = {};
  action.sa_sigaction = &explainFault;
  action.sa_flags = SA_SIGINFO;
  ::sigaction(SIGSEGV, &action, nullptr);
}

void Runtime::endCall() {
  setAccessible(true);
  phase = Phase::BetweenCalls;
}

void Runtime::noteWork(const Twine &what) {
  if (phase != Phase::BetweenCalls || !strayText.empty())
    return;
  strayText = what.str();
  say(strayText + " outside of a call");
}

/// Calls a function with the runtime, which is locked. A text stays where it is
/// until the next one is asked for.
template <typename Function> static auto withRuntime(Function function) {
  Runtime &runtime = Runtime::get();
  std::lock_guard<std::recursive_mutex> guard(runtime.lock);
  return function(runtime);
}

static const char *traceOf(unsigned module) {
  static std::string text;
  return withRuntime([&](Runtime &runtime) {
    text = module < runtime.trace.modules()
               ? runtime.trace.text(module, runtime.model().name())
               : "";
    return text.c_str();
  });
}

extern "C" PtxbenchEmulatorControl ptxbenchEmulatorControl;

extern "C" const Control *ptxbenchEmulatorControl() {
  static constexpr Control control = {
      [] { withRuntime([](Runtime &runtime) { runtime.beginCall(); }); },
      [] { withRuntime([](Runtime &runtime) { runtime.endCall(); }); },
      [] {
        return withRuntime(
            [](Runtime &runtime) { return unsigned(runtime.trace.modules()); });
      },
      &traceOf,
      [] {
        return withRuntime(
            [](Runtime &runtime) { return runtime.strayWork().c_str(); });
      },
      [] {
        return withRuntime(
            [](Runtime &runtime) { return runtime.fault().c_str(); });
      },
      [] {
        return withRuntime(
            [](Runtime &runtime) { return runtime.faultStatus().c_str(); });
      }};
  return withRuntime([](Runtime &runtime) {
    return std::exchange(runtime.isControlled, true) ? nullptr : &control;
  });
}
