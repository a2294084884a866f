//===- LaunchApi.cpp - Functions that launch or describe kernels ----------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cudaLaunch*, cudaFunc*, cudaOccupancy*. Registers are those of machine code,
// which is not looked at here, so that they limit no occupancy.
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulated;

namespace {

/// The kernel of a function, or the error for there being none.
cudaError_t kernelOf(Runtime &runtime, const void *function, Kernel *&kernel) {
  kernel = runtime.findKernel(function);
  return kernel ? cudaSuccess : runtime.fail(cudaErrorInvalidDeviceFunction);
}

cudaError_t launchOn(Runtime &runtime, const void *function,
                     const LaunchShape &shape, void **arguments,
                     cudaStream_t stream) {
  if (!runtime.isStream(stream))
    return runtime.fail(cudaErrorInvalidResourceHandle,
                        "a kernel is launched into a stream that is none");
  Kernel *kernel;
  if (cudaError_t error = kernelOf(runtime, function, kernel))
    return error;
  return runtime.launch(*kernel, shape, arguments);
}

} // namespace

extern "C" {

cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block,
                             void **arguments, size_t sharedBytes,
                             cudaStream_t stream) {
  PTXBENCH_ENTER(runtime);
  return launchOn(runtime, function, {grid, block, sharedBytes, std::nullopt},
                  arguments, stream);
}

cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid,
                                        dim3 block, void **arguments,
                                        size_t sharedBytes,
                                        cudaStream_t stream) {
  PTXBENCH_ENTER(runtime);
  return launchOn(runtime, function,
                  {grid, block, sharedBytes, std::nullopt,
                   /*isCooperative=*/true},
                  arguments, stream);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config,
                                const void *function, void **arguments) {
  PTXBENCH_ENTER(runtime);
  if (!config || (config->numAttrs && !config->attrs))
    return runtime.fail(cudaErrorInvalidValue);
  LaunchShape shape{config->gridDim, config->blockDim, config->dynamicSmemBytes,
                    std::nullopt};
  for (const cudaLaunchAttribute &attribute :
       ArrayRef(config->attrs, config->numAttrs))
    if (cudaError_t error =
            runtime.addAttribute(shape, attribute.id, attribute.val))
      return error;
  return launchOn(runtime, function, shape, arguments, config->stream);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

cudaError_t cudaFuncSetAttribute(const void *function, cudaFuncAttribute which,
                                 int value) {
  PTXBENCH_ENTER(runtime);
  Kernel *kernel;
  if (cudaError_t error = kernelOf(runtime, function, kernel))
    return error;
  emulator::KernelInfo info;
  switch (which) {
  case cudaFuncAttributeMaxDynamicSharedMemorySize: {
    if (cudaError_t error = runtime.info(*kernel, info))
      return error;
    int64_t most = runtime.model().attribute("MaxSharedMemoryPerBlockOptin") -
                   int64_t(info.sharedBytes);
    if (value < 0 || value > most)
      return runtime.fail(cudaErrorInvalidValue,
                          "'" + kernel->name + "' cannot have " + Twine(value) +
                              " bytes of dynamic shared memory; at most " +
                              Twine(most));
    kernel->maxDynamicShared = value;
    return cudaSuccess;
  }
  case cudaFuncAttributePreferredSharedMemoryCarveout:
    if (value < -1 || value > 100)
      return runtime.fail(cudaErrorInvalidValue);
    kernel->carveout = value;
    return cudaSuccess;
  case cudaFuncAttributeNonPortableClusterSizeAllowed:
    kernel->nonPortableCluster = value != 0;
    return cudaSuccess;
  case cudaFuncAttributeClusterSchedulingPolicyPreference:
    return cudaSuccess;
  default:
    return runtime.fail(cudaErrorInvalidValue);
  }
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes,
                                  const void *function) {
  PTXBENCH_ENTER(runtime);
  Kernel *kernel;
  if (cudaError_t error = kernelOf(runtime, function, kernel))
    return error;
  emulator::KernelInfo info;
  if (cudaError_t error = runtime.info(*kernel, info))
    return error;
  if (!attributes)
    return runtime.fail(cudaErrorInvalidValue);
  *attributes = {};
  attributes->sharedSizeBytes = info.sharedBytes;
  attributes->localSizeBytes = info.localBytes;
  attributes->maxThreadsPerBlock = int(info.maxThreads);
  attributes->ptxVersion = int(runtime.model().computeCapability());
  attributes->binaryVersion = int(runtime.model().computeCapability());
  attributes->maxDynamicSharedSizeBytes =
      int(runtime.maxDynamicShared(*kernel, info));
  attributes->preferredShmemCarveout = kernel->carveout;
  attributes->nonPortableClusterSizeAllowed = kernel->nonPortableCluster;
  if (info.requiredCluster) {
    attributes->clusterDimMustBeSet = 1;
    attributes->requiredClusterWidth = int(info.requiredCluster->x);
    attributes->requiredClusterHeight = int(info.requiredCluster->y);
    attributes->requiredClusterDepth = int(info.requiredCluster->z);
  }
  return cudaSuccess;
}

cudaError_t cudaFuncSetCacheConfig(const void *function, cudaFuncCache) {
  PTXBENCH_ENTER(runtime);
  Kernel *kernel;
  return kernelOf(runtime, function, kernel);
}

cudaError_t cudaFuncGetName(const char **name, const void *function) {
  PTXBENCH_ENTER(runtime);
  Kernel *kernel;
  if (cudaError_t error = kernelOf(runtime, function, kernel))
    return error;
  if (!name)
    return runtime.fail(cudaErrorInvalidValue);
  *name = kernel->name.c_str();
  return cudaSuccess;
}

cudaError_t cudaFuncGetParamInfo(const void *function, size_t index,
                                 size_t *offset, size_t *bytes) {
  PTXBENCH_ENTER(runtime);
  Kernel *kernel;
  if (cudaError_t error = kernelOf(runtime, function, kernel))
    return error;
  emulator::KernelInfo info;
  if (cudaError_t error = runtime.info(*kernel, info))
    return error;
  if (index >= info.params.size() || !offset)
    return runtime.fail(cudaErrorInvalidValue);
  *offset = info.params[index].offset;
  if (bytes)
    *bytes = info.params[index].bytes;
  return cudaSuccess;
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t *result, const void *function) {
  PTXBENCH_ENTER(runtime);
  Kernel *kernel;
  if (cudaError_t error = kernelOf(runtime, function, kernel))
    return error;
  *result = reinterpret_cast<cudaFunction_t>(kernel);
  return cudaSuccess;
}

cudaError_t cudaGetKernel(cudaKernel_t *result, const void *function) {
  PTXBENCH_ENTER(runtime);
  Kernel *kernel;
  if (cudaError_t error = kernelOf(runtime, function, kernel))
    return error;
  *result = reinterpret_cast<cudaKernel_t>(kernel);
  return cudaSuccess;
}

//===----------------------------------------------------------------------===//
// Occupancy
//===----------------------------------------------------------------------===//

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *count, const void *function, int threads, size_t dynamicShared,
    unsigned) {
  PTXBENCH_ENTER(runtime);
  Kernel *kernel;
  if (cudaError_t error = kernelOf(runtime, function, kernel))
    return error;
  if (!count || threads <= 0)
    return runtime.fail(cudaErrorInvalidValue);
  uint64_t resident;
  if (cudaError_t error = runtime.residentCTAs(*kernel, uint64_t(threads),
                                               dynamicShared, resident))
    return error;
  *count = int(resident);
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(
    int *count, const void *function, int threads, size_t dynamicShared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      count, function, threads, dynamicShared, 0);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes,
                                                      const void *function,
                                                      int ctas, int threads) {
  PTXBENCH_ENTER(runtime);
  Kernel *kernel;
  if (cudaError_t error = kernelOf(runtime, function, kernel))
    return error;
  emulator::KernelInfo info;
  if (cudaError_t error = runtime.info(*kernel, info))
    return error;
  if (!bytes || ctas <= 0 || threads <= 0)
    return runtime.fail(cudaErrorInvalidValue);
  const DeviceModel &model = runtime.model();
  int64_t each =
      model.attribute("MaxSharedMemoryPerMultiprocessor") / ctas / 128 * 128 -
      model.attribute("ReservedSharedMemoryPerBlock") - info.sharedBytes;
  int64_t most = model.attribute("MaxSharedMemoryPerBlockOptin") -
                 int64_t(info.sharedBytes);
  *bytes = size_t(std::max<int64_t>(0, std::min(each, most)));
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveClusters(int *count, const void *function,
                                           const cudaLaunchConfig_t *config) {
  PTXBENCH_ENTER(runtime);
  Kernel *kernel;
  if (cudaError_t error = kernelOf(runtime, function, kernel))
    return error;
  if (!count || !config)
    return runtime.fail(cudaErrorInvalidValue);
  uint64_t clusterCTAs = 1, resident;
  for (unsigned i = 0; i < config->numAttrs; ++i)
    if (config->attrs[i].id == cudaLaunchAttributeClusterDimension) {
      const auto &cluster = config->attrs[i].val.clusterDim;
      clusterCTAs = uint64_t(cluster.x) * cluster.y * cluster.z;
    }
  const dim3 &block = config->blockDim;
  if (cudaError_t error =
          runtime.residentCTAs(*kernel, uint64_t(block.x) * block.y * block.z,
                               config->dynamicSmemBytes, resident))
    return error;
  if (clusterCTAs == 0)
    return runtime.fail(cudaErrorInvalidClusterSize);
  *count = int(resident *
               uint64_t(runtime.model().attribute("MultiProcessorCount")) /
               clusterCTAs);
  return cudaSuccess;
}

cudaError_t
cudaOccupancyMaxPotentialClusterSize(int *size, const void *function,
                                     const cudaLaunchConfig_t *config) {
  PTXBENCH_ENTER(runtime);
  Kernel *kernel;
  if (cudaError_t error = kernelOf(runtime, function, kernel))
    return error;
  if (!size || !config)
    return runtime.fail(cudaErrorInvalidValue);
  *size = kernel->nonPortableCluster ? 16 : 8;
  return cudaSuccess;
}

} // extern "C"
