//===- Launch.cpp - Kernel launches on the emulated device ----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the runtime refuses before a launch, the launch, and what its end means
// to the program: an end other than the normal one is an error that stays.
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"

#include <cstring>

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulated;

cudaError_t Runtime::info(Kernel &kernel, emulator::KernelInfo &info) {
  if (cudaError_t error = load(*kernel.module))
    return error;
  Expected<emulator::KernelInfo> found =
      kernel.module->code->loaded().kernelInfo(kernel.name);
  if (!found)
    return fail(cudaErrorInvalidDeviceFunction, toString(found.takeError()));
  info = std::move(*found);
  return cudaSuccess;
}

uint64_t Runtime::maxDynamicShared(const Kernel &kernel,
                                   const emulator::KernelInfo &info) const {
  if (kernel.maxDynamicShared >= 0)
    return uint64_t(kernel.maxDynamicShared);
  uint64_t most = uint64_t(deviceModel.attribute("MaxSharedMemoryPerBlock"));
  return most - std::min<uint64_t>(most, info.sharedBytes);
}

cudaError_t Runtime::addAttribute(LaunchShape &shape, unsigned id,
                                  const cudaLaunchAttributeValue &value) {
  switch (id) {
  case cudaLaunchAttributeClusterDimension:
    shape.cluster =
        dim3(value.clusterDim.x, value.clusterDim.y, value.clusterDim.z);
    return cudaSuccess;
  case cudaLaunchAttributeCooperative:
    shape.isCooperative = value.cooperative != 0;
    return cudaSuccess;
  // Launches are in order, one after the other: overlap, priorities and
  // windows of the cache make no difference.
  case cudaLaunchAttributeIgnore:
  case cudaLaunchAttributeAccessPolicyWindow:
  case cudaLaunchAttributeSynchronizationPolicy:
  case cudaLaunchAttributeClusterSchedulingPolicyPreference:
  case cudaLaunchAttributeProgrammaticStreamSerialization:
  case cudaLaunchAttributePriority:
  case cudaLaunchAttributeMemSyncDomainMap:
  case cudaLaunchAttributeMemSyncDomain:
  case cudaLaunchAttributePreferredClusterDimension:
  case cudaLaunchAttributePreferredSharedMemoryCarveout:
    return cudaSuccess;
  default:
    return failUnsupported("the launch attribute number " + Twine(id) +
                           " is not emulated");
  }
}

cudaError_t Runtime::residentCTAs(Kernel &kernel, uint64_t threads,
                                  uint64_t dynamicShared, uint64_t &count) {
  emulator::KernelInfo needs;
  if (cudaError_t error = info(kernel, needs))
    return error;
  auto limit = [&](StringRef name) {
    return uint64_t(deviceModel.attribute(name));
  };
  if (threads == 0)
    return fail(cudaErrorInvalidValue);
  count = 0;
  if (threads > limit("MaxThreadsPerBlock") || threads > needs.maxThreads)
    return cudaSuccess;
  uint64_t shared = alignTo(needs.sharedBytes + dynamicShared +
                                limit("ReservedSharedMemoryPerBlock"),
                            128);
  if (shared > limit("MaxSharedMemoryPerBlockOptin") +
                   limit("ReservedSharedMemoryPerBlock"))
    return cudaSuccess;
  count = std::min({limit("MaxBlocksPerMultiprocessor"),
                    limit("MaxThreadsPerMultiProcessor") /
                        alignTo(threads, limit("WarpSize")),
                    shared ? limit("MaxSharedMemoryPerMultiprocessor") / shared
                           : ~uint64_t(0)});
  return cudaSuccess;
}

static Dim3 toDim3(const dim3 &dim) { return {dim.x, dim.y, dim.z}; }

/// The error that a kernel's end leaves.
static cudaError_t errorOf(const emulator::LaunchOutcome &outcome) {
  switch (outcome.status) {
  case emulator::LaunchStatus::Completed:
    return cudaSuccess;
  case emulator::LaunchStatus::Fault:
    if (!outcome.findings.empty()) {
      StringRef id = outcome.findings.front().id;
      if (id == "assert")
        return cudaErrorAssert;
      if (id.contains("misaligned"))
        return cudaErrorMisalignedAddress;
      if (id.contains("bounds") || id.contains("address") ||
          id.contains("freed"))
        return cudaErrorIllegalAddress;
    }
    return cudaErrorLaunchFailure;
  case emulator::LaunchStatus::Deadlock:
  case emulator::LaunchStatus::TooLong:
    return cudaErrorLaunchTimeout;
  case emulator::LaunchStatus::Unsupported:
    return cudaErrorNotSupported;
  case emulator::LaunchStatus::Invalid:
    return cudaErrorInvalidConfiguration;
  }
  return cudaErrorUnknown;
}

cudaError_t Runtime::launch(Kernel &kernel, const LaunchShape &shape,
                            void **arguments) {
  emulator::KernelInfo needs;
  if (cudaError_t error = info(kernel, needs))
    return error;
  std::vector<uint8_t> params(needs.paramBytes);
  for (size_t i = 0; i < needs.params.size(); ++i) {
    if (!arguments || !arguments[i])
      return fail(cudaErrorInvalidValue,
                  "'" + kernel.name + "' is launched without parameter " +
                      Twine(i));
    std::memcpy(params.data() + needs.params[i].offset, arguments[i],
                needs.params[i].bytes);
  }
  return launch(kernel, shape, std::move(params));
}

cudaError_t Runtime::launch(Kernel &kernel, const LaunchShape &shape,
                            std::vector<uint8_t> params) {
  emulator::KernelInfo needs;
  if (cudaError_t error = info(kernel, needs))
    return error;
  uint64_t allowed = maxDynamicShared(kernel, needs);
  if (shape.dynamicShared > allowed)
    return fail(
        cudaErrorInvalidValue,
        "'" + kernel.name + "' is launched with " + Twine(shape.dynamicShared) +
            " bytes of dynamic shared memory; it may have " + Twine(allowed) +
            " (cudaFuncAttributeMaxDynamicSharedMemorySize)");
  emulator::LaunchConfig config;
  config.grid = toDim3(shape.grid);
  config.block = toDim3(shape.block);
  if (shape.cluster)
    config.cluster = toDim3(*shape.cluster);
  else if (needs.requiredCluster)
    config.cluster = *needs.requiredCluster;
  if (config.cluster.volume() > 8 && !kernel.nonPortableCluster)
    return fail(cudaErrorInvalidClusterSize,
                "'" + kernel.name + "' is launched with clusters of " +
                    Twine(config.cluster.volume()) +
                    " CTAs; more than 8 need "
                    "cudaFuncAttributeNonPortableClusterSizeAllowed");
  config.dynamicSharedBytes = uint32_t(shape.dynamicShared);
  config.params = std::move(params);
  if (shape.isCooperative) {
    uint64_t count;
    if (cudaError_t error = residentCTAs(kernel, config.block.volume(),
                                         shape.dynamicShared, count))
      return error;
    if (config.grid.volume() >
        count * uint64_t(deviceModel.attribute("MultiProcessorCount")))
      return fail(cudaErrorCooperativeLaunchTooLarge,
                  "'" + kernel.name + "' is launched with " +
                      Twine(config.grid.volume()) +
                      " CTAs that are to be on the device at once; " +
                      Twine(count) + " fit onto a multiprocessor");
    if (!gridWorkspace) {
      constexpr size_t bytes = 2 * sizeof(uint32_t);
      if (!(gridWorkspace = emulatedDevice->allocate(bytes)))
        return fail(cudaErrorMemoryAllocation);
      std::memset(reinterpret_cast<void *>(gridWorkspace), 0, bytes);
    }
    config.gridWorkspace = gridWorkspace;
  }

  noteWork("a launch of '" + kernel.name + "'");
  Access access(*this);
  emulator::LaunchOutcome outcome =
      kernel.module->code->loaded().launch(kernel.name, config, options);
  // The first finding of a launch that failed is part of how it ended.
  bool failed = outcome.status != emulator::LaunchStatus::Completed;
  for (const emulator::Finding &finding :
       ArrayRef(outcome.findings)
           .drop_front(failed && !outcome.findings.empty()))
    say("'" + kernel.name + "': " + describe(finding));
  if (outcome.status == emulator::LaunchStatus::Invalid)
    return fail(cudaErrorInvalidConfiguration,
                "'" + kernel.name + "': " + outcome.reason);
  trace.add(*kernel.module->code,
            {kernel.name, config.grid, config.block, config.cluster,
             config.dynamicSharedBytes, config.params},
            outcome);
  if (!failed)
    return cudaSuccess;
  stickyError = errorOf(outcome);
  faultKind = stringifyLaunchStatus(outcome.status).str();
  faultText = "'" + kernel.name + "': " +
              (outcome.findings.empty() ? faultKind + ": " + outcome.reason
                                        : describe(outcome.findings.front()));
  say(faultText);
  // The launch itself was right; whoever asks next is told.
  return cudaSuccess;
}
