//===- Device.cpp - Devices, modules, launches --------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The public interface, put together from memory, decoder and machine.
//
//===----------------------------------------------------------------------===//

#include "Decode/Decoder.h"
#include "Machine/Machine.h"
#include "ptxbench/Emulator/Emulator.h"

#include <cstring>

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

LoadedModule::~LoadedModule() = default;
Device::~Device() = default;

StringRef ptxbench::emulator::stringifyLaunchStatus(LaunchStatus status) {
  switch (status) {
  case LaunchStatus::Completed:
    return "completed";
  case LaunchStatus::Fault:
    return "fault";
  case LaunchStatus::Deadlock:
    return "deadlock";
  case LaunchStatus::TooLong:
    return "too-long";
  case LaunchStatus::Unsupported:
    return "unsupported";
  case LaunchStatus::Invalid:
    return "invalid";
  }
  return "";
}

namespace {

/// Shared memory of a CTA, its reserved beginning included, on sm_90.
constexpr uint64_t maxSharedBytes = 228 * 1024;

class ModuleOnDevice : public LoadedModule {
public:
  ModuleOnDevice(mlir::ModuleOp module, GlobalMemory &memory,
                 std::unique_ptr<ModuleImage> image)
      : module(module), memory(memory), image(std::move(image)) {}
  ~ModuleOnDevice() override {
    for (auto &programs : decoded)
      for (auto &kernel : programs)
        memory.release(kernel.second->paramAddress);
  }

  std::vector<std::string> kernels() const override {
    std::vector<std::string> names;
    for (auto entry : mlir::ModuleOp(module).getOps<ptx::EntryOp>())
      if (!entry.isExternal())
        names.push_back(entry.getSymName().str());
    return names;
  }

  Expected<KernelInfo> kernelInfo(StringRef name) override {
    ptx::EntryOp entry = find(name);
    if (!entry)
      return noSuchKernel(name);
    Expected<Program *> program = decode(entry, /*checks=*/false);
    if (!program)
      return program.takeError();
    KernelInfo info = layOutParams(entry);
    info.sharedBytes = (*program)->sharedBytes - reservedSharedBytes;
    info.localBytes = (*program)->functions.front().localBytes;
    return info;
  }

  std::optional<Variable> variable(StringRef name) const override {
    auto it = image->variables.find(name);
    if (it == image->variables.end())
      return std::nullopt;
    return it->second;
  }

  LaunchOutcome launch(StringRef kernel, const LaunchConfig &config,
                       const EmulatorOptions &options) override {
    LaunchOutcome outcome;
    auto invalid = [&](std::string reason) {
      outcome.status = LaunchStatus::Invalid;
      outcome.reason = std::move(reason);
      return outcome;
    };
    ptx::EntryOp entry = find(kernel);
    if (!entry)
      return invalid(toString(noSuchKernel(kernel)));
    Expected<Program *> program = decode(entry, options.checks);
    if (!program)
      return invalid(toString(program.takeError()));
    std::string wrong = check(entry, **program, config);
    if (!wrong.empty())
      return invalid(std::move(wrong));
    std::memcpy(reinterpret_cast<char *>((*program)->paramAddress),
                config.params.data(), config.params.size());

    Launch launch;
    launch.program = *program;
    launch.config = &config;
    launch.options = &options;
    launch.memory = &memory;
    launch.gridId = ++launches;
    std::vector<ExecutionCounter> counters;
    runGrid(launch, counters);
    outcome.status = launch.status;
    outcome.reason = std::move(launch.reason);
    outcome.findings = std::move(launch.findings);
    for (size_t i = 1; i < counters.size(); ++i) {
      const SourceInst &source = (*program)->sources[i];
      outcome.counts.push_back({source.line, source.column, source.name,
                                counters[i].warps, counters[i].threads});
    }
    return outcome;
  }

private:
  ptx::EntryOp find(StringRef name) {
    for (auto entry : module.getOps<ptx::EntryOp>())
      if (entry.getSymName() == name && !entry.isExternal())
        return entry;
    return {};
  }
  static Error noSuchKernel(StringRef name) {
    return createStringError(inconvertibleErrorCode(),
                             "the module has no entry '" + name + "'");
  }

  /// `checks`: with what looks for undefined values.
  Expected<Program *> decode(ptx::EntryOp entry, bool checks) {
    StringMap<std::unique_ptr<Program>> &decoded = this->decoded[checks];
    std::unique_ptr<Program> &known = decoded[entry.getSymName()];
    if (known)
      return known.get();
    uint64_t params = memory.allocate(layOutParams(entry).paramBytes,
                                      /*readOnly=*/true);
    auto fail = [&](Error error) {
      memory.release(params);
      decoded.erase(entry.getSymName());
      return error;
    };
    if (!params)
      return fail(createStringError(inconvertibleErrorCode(),
                                    "no memory is left for parameters"));
    Expected<std::unique_ptr<Program>> program =
        decodeEntry(entry, *image, params, checks);
    if (!program)
      return fail(program.takeError());
    known = std::move(*program);
    return known.get();
  }

  /// What is wrong with a launch; empty: nothing.
  std::string check(ptx::EntryOp entry, const Program &program,
                    const LaunchConfig &config) {
    KernelInfo info = layOutParams(entry);
    auto text = [](const Dim3 &dim) {
      return std::to_string(dim.x) + " x " + std::to_string(dim.y) + " x " +
             std::to_string(dim.z);
    };
    auto isEmpty = [](const Dim3 &dim) {
      return dim.x == 0 || dim.y == 0 || dim.z == 0;
    };
    const Dim3 &grid = config.grid, &block = config.block,
               &cluster = config.cluster;
    if (isEmpty(grid) || grid.x > 0x7fffffff || grid.y > 65535 ||
        grid.z > 65535)
      return "a grid of " + text(grid) +
             " CTAs; it has 1 to 2147483647 x 65535 x 65535";
    if (isEmpty(block) || block.x > 1024 || block.y > 1024 || block.z > 64 ||
        block.volume() > info.maxThreads)
      return "a CTA of " + text(block) +
             " threads; it has at most 1024 x "
             "1024 x 64 and " +
             std::to_string(info.maxThreads) + " in all";
    if (info.requiredBlock && *info.requiredBlock != block)
      return "a CTA of " + text(block) + " threads, but .reqntid says " +
             text(*info.requiredBlock);
    if (isEmpty(cluster) || cluster.volume() > 16 || grid.x % cluster.x ||
        grid.y % cluster.y || grid.z % cluster.z)
      return "clusters of " + text(cluster) + " CTAs in a grid of " +
             text(grid) + "; they have at most 16 and divide the grid";
    if (info.requiredCluster && *info.requiredCluster != cluster)
      return "clusters of " + text(cluster) +
             " CTAs, but .reqnctapercluster says " +
             text(*info.requiredCluster);
    uint64_t shared = uint64_t(program.sharedBytes) + config.dynamicSharedBytes;
    if (shared > maxSharedBytes)
      return std::to_string(shared) + " bytes of shared memory, " +
             std::to_string(reservedSharedBytes) +
             " reserved ones included; there are " +
             std::to_string(maxSharedBytes);
    if (config.params.size() != program.paramBytes)
      return std::to_string(config.params.size()) + " bytes of parameters; '" +
             entry.getSymName().str() + "' has " +
             std::to_string(program.paramBytes);
    return "";
  }

  mlir::ModuleOp module;
  GlobalMemory &memory;
  std::unique_ptr<ModuleImage> image;
  /// Without and with checks.
  StringMap<std::unique_ptr<Program>> decoded[2];
  uint64_t launches = 0;
};

class CpuDevice : public Device {
public:
  explicit CpuDevice(std::unique_ptr<GlobalMemory> memory)
      : memory(std::move(memory)) {}

  uint64_t allocate(uint64_t bytes) override { return memory->allocate(bytes); }
  bool release(uint64_t address) override { return memory->release(address); }
  bool contains(uint64_t address, uint64_t bytes) const override {
    AddressRange cache;
    return address + bytes >= address &&
           memory->contains(address, address + bytes, cache);
  }
  Expected<std::unique_ptr<LoadedModule>> load(mlir::ModuleOp module) override {
    Expected<std::unique_ptr<ModuleImage>> image =
        ModuleImage::create(module, *memory);
    if (!image)
      return image.takeError();
    return std::make_unique<ModuleOnDevice>(module, *memory, std::move(*image));
  }

private:
  std::unique_ptr<GlobalMemory> memory;
};

} // namespace

Expected<std::unique_ptr<Device>>
ptxbench::emulator::createDevice(uint64_t memoryBytes) {
  Expected<std::unique_ptr<GlobalMemory>> memory =
      GlobalMemory::create(memoryBytes);
  if (!memory)
    return memory.takeError();
  return std::make_unique<CpuDevice>(std::move(*memory));
}
