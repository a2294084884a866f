//===- DeviceApi.cpp - Devices and errors ---------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the device says of itself is that of its model; the layout of
// cudaDeviceProp is that of the headers this was compiled with.
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"

#include <cstring>
#include <cuda_profiler_api.h>

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulated;

namespace {

cudaError_t checkOrdinal(Runtime &runtime, int device) {
  return device == 0 ? cudaSuccess : runtime.fail(cudaErrorInvalidDevice);
}

void describe(const DeviceModel &model, cudaDeviceProp &prop) {
  std::memset(&prop, 0, sizeof(prop));
  auto get = [&](StringRef name) { return int(model.attribute(name)); };
  std::strncpy(prop.name, model.name().c_str(), sizeof(prop.name) - 1);
  prop.totalGlobalMem = model.memoryBytes();
  prop.sharedMemPerBlock = size_t(get("MaxSharedMemoryPerBlock"));
  prop.regsPerBlock = get("MaxRegistersPerBlock");
  prop.warpSize = get("WarpSize");
  prop.memPitch = size_t(get("MaxPitch"));
  prop.maxThreadsPerBlock = get("MaxThreadsPerBlock");
  prop.maxThreadsDim[0] = get("MaxBlockDimX");
  prop.maxThreadsDim[1] = get("MaxBlockDimY");
  prop.maxThreadsDim[2] = get("MaxBlockDimZ");
  prop.maxGridSize[0] = get("MaxGridDimX");
  prop.maxGridSize[1] = get("MaxGridDimY");
  prop.maxGridSize[2] = get("MaxGridDimZ");
  prop.totalConstMem = size_t(get("TotalConstantMemory"));
  prop.major = get("ComputeCapabilityMajor");
  prop.minor = get("ComputeCapabilityMinor");
  prop.textureAlignment = size_t(get("TextureAlignment"));
  prop.texturePitchAlignment = size_t(get("TexturePitchAlignment"));
  prop.multiProcessorCount = get("MultiProcessorCount");
  prop.integrated = get("Integrated");
  prop.canMapHostMemory = get("CanMapHostMemory");
  prop.maxTexture1D = get("MaxTexture1DWidth");
  prop.maxTexture2D[0] = get("MaxTexture2DWidth");
  prop.maxTexture2D[1] = get("MaxTexture2DHeight");
  prop.maxTexture3D[0] = get("MaxTexture3DWidth");
  prop.maxTexture3D[1] = get("MaxTexture3DHeight");
  prop.maxTexture3D[2] = get("MaxTexture3DDepth");
  prop.surfaceAlignment = size_t(get("SurfaceAlignment"));
  prop.concurrentKernels = get("ConcurrentKernels");
  prop.ECCEnabled = get("EccEnabled");
  prop.pciBusID = get("PciBusId");
  prop.pciDeviceID = get("PciDeviceId");
  prop.pciDomainID = get("PciDomainId");
  prop.tccDriver = get("TccDriver");
  prop.asyncEngineCount = get("AsyncEngineCount");
  prop.unifiedAddressing = get("UnifiedAddressing");
  prop.memoryBusWidth = get("GlobalMemoryBusWidth");
  prop.l2CacheSize = get("L2CacheSize");
  prop.persistingL2CacheMaxSize = get("MaxPersistingL2CacheSize");
  prop.maxThreadsPerMultiProcessor = get("MaxThreadsPerMultiProcessor");
  prop.streamPrioritiesSupported = get("StreamPrioritiesSupported");
  prop.globalL1CacheSupported = get("GlobalL1CacheSupported");
  prop.localL1CacheSupported = get("LocalL1CacheSupported");
  prop.sharedMemPerMultiprocessor =
      size_t(get("MaxSharedMemoryPerMultiprocessor"));
  prop.regsPerMultiprocessor = get("MaxRegistersPerMultiprocessor");
  prop.managedMemory = get("ManagedMemory");
  prop.concurrentManagedAccess = get("ConcurrentManagedAccess");
  prop.computePreemptionSupported = get("ComputePreemptionSupported");
  prop.cooperativeLaunch = get("CooperativeLaunch");
  prop.sharedMemPerBlockOptin = size_t(get("MaxSharedMemoryPerBlockOptin"));
  prop.directManagedMemAccessFromHost = get("DirectManagedMemAccessFromHost");
  prop.maxBlocksPerMultiProcessor = get("MaxBlocksPerMultiprocessor");
  prop.accessPolicyMaxWindowSize = get("MaxAccessPolicyWindowSize");
  prop.reservedSharedMemPerBlock = size_t(get("ReservedSharedMemoryPerBlock"));
  prop.memoryPoolsSupported = get("MemoryPoolsSupported");
#if CUDART_VERSION >= 12000
  prop.clusterLaunch = get("ClusterLaunch");
#endif
#if CUDART_VERSION < 13000
  prop.clockRate = get("ClockRate");
  prop.memoryClockRate = get("MemoryClockRate");
  prop.singleToDoublePrecisionPerfRatio =
      get("SingleToDoublePrecisionPerfRatio");
#endif
}

} // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int *count) {
  PTXBENCH_ENTER(runtime);
  if (!count)
    return runtime.fail(cudaErrorInvalidValue);
  if (!runtime.device())
    return cudaErrorInitializationError;
  *count = 1;
  return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device) {
  PTXBENCH_ENTER(runtime);
  if (!device)
    return runtime.fail(cudaErrorInvalidValue);
  *device = 0;
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) {
  PTXBENCH_ENTER(runtime);
  return checkOrdinal(runtime, device);
}

cudaError_t cudaInitDevice(int device, unsigned, unsigned) {
  return cudaSetDevice(device);
}

cudaError_t cudaSetDeviceFlags(unsigned) { return cudaSuccess; }

cudaError_t cudaGetDeviceFlags(unsigned *flags) {
  *flags = cudaDeviceScheduleAuto;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *prop, int device) {
  PTXBENCH_ENTER(runtime);
  if (!prop)
    return runtime.fail(cudaErrorInvalidValue);
  if (cudaError_t error = checkOrdinal(runtime, device))
    return error;
  if (!runtime.device())
    return cudaErrorInitializationError;
  describe(runtime.model(), *prop);
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute,
                                   int device) {
  PTXBENCH_ENTER(runtime);
  if (!value)
    return runtime.fail(cudaErrorInvalidValue);
  if (cudaError_t error = checkOrdinal(runtime, device))
    return error;
  for (const EnumName &known : attributeNames())
    if (known.value == int(attribute)) {
      *value = int(runtime.model().attribute(known.name));
      return cudaSuccess;
    }
  return runtime.fail(cudaErrorInvalidValue);
}

cudaError_t cudaDeviceSynchronize() {
  PTXBENCH_ENTER(runtime);
  return runtime.device() ? cudaSuccess : cudaErrorInitializationError;
}

/// The context goes, and with it its allocations.
cudaError_t cudaDeviceReset() {
  PTXBENCH_ENTER(runtime);
  runtime.releaseAll();
  return cudaSuccess;
}

cudaError_t cudaDeviceSetLimit(cudaLimit, size_t) { return cudaSuccess; }

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *config) {
  *config = cudaFuncCachePreferNone;
  return cudaSuccess;
}

cudaError_t cudaCtxResetPersistingL2Cache() { return cudaSuccess; }

cudaError_t cudaProfilerStart() { return cudaSuccess; }

cudaError_t cudaProfilerStop() { return cudaSuccess; }

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  if (least)
    *least = 0;
  if (greatest)
    *greatest = -5;
  return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int, int) {
  *can = 0;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char *text, int bytes, int device) {
  PTXBENCH_ENTER(runtime);
  if (cudaError_t error = checkOrdinal(runtime, device))
    return error;
  if (!text || bytes < 13)
    return runtime.fail(cudaErrorInvalidValue);
  std::strcpy(text, "0000:00:00.0");
  return cudaSuccess;
}

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                            cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

cudaError_t cudaRuntimeGetVersion(int *version) {
  if (!version)
    return cudaErrorInvalidValue;
  *version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *version) {
  return cudaRuntimeGetVersion(version);
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

cudaError_t cudaGetLastError() {
  Runtime &runtime = Runtime::get();
  std::lock_guard<std::recursive_mutex> guard(runtime.lock);
  return runtime.lastError(/*clear=*/true);
}

cudaError_t cudaPeekAtLastError() {
  Runtime &runtime = Runtime::get();
  std::lock_guard<std::recursive_mutex> guard(runtime.lock);
  return runtime.lastError(/*clear=*/false);
}

const char *cudaGetErrorName(cudaError_t error) {
  for (const EnumName &known : errorNames())
    if (known.value == int(error))
      return known.name;
  return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error) {
  return describeError(int(error));
}

} // extern "C"
