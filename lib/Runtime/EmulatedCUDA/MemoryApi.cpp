//===- MemoryApi.cpp - Functions for memory -------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A device address is a host address: copies are those of the host, after the
// ranges have been looked at. Host memory of the runtime's own is memory of the
// device, so that kernels reach it, too; other host memory they do not.
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulated;

namespace {

/// Row by row.
cudaError_t copyRows(Runtime &runtime, void *to, size_t toPitch,
                     const void *from, size_t fromPitch, size_t width,
                     size_t height, cudaMemcpyKind kind, const char *what) {
  if (width > toPitch || width > fromPitch)
    return runtime.fail(cudaErrorInvalidPitchValue);
  for (size_t row = 0; row < height; ++row)
    if (cudaError_t error =
            runtime.copy(static_cast<char *>(to) + row * toPitch,
                         static_cast<const char *>(from) + row * fromPitch,
                         width, kind, what))
      return error;
  return cudaSuccess;
}

/// The place of `offset` in a variable that has `bytes` more.
cudaError_t placeIn(Runtime &runtime, const void *symbol, size_t bytes,
                    size_t offset, void *&place) {
  Variable *variable = runtime.findVariable(symbol);
  if (!variable)
    return runtime.fail(cudaErrorInvalidSymbol);
  uint64_t address, size;
  if (cudaError_t error = runtime.addressOf(*variable, address, size))
    return error;
  if (offset > size || bytes > size - offset)
    return runtime.fail(cudaErrorInvalidValue,
                        Twine(bytes) + " bytes at " + Twine(offset) + " of '" +
                            variable->name + "', which has " + Twine(size));
  place = reinterpret_cast<void *>(address + offset);
  return cudaSuccess;
}

} // namespace

extern "C" {

//===----------------------------------------------------------------------===//
// Allocation
//===----------------------------------------------------------------------===//

cudaError_t cudaMalloc(void **address, size_t bytes) {
  PTXBENCH_ENTER(runtime);
  return runtime.allocate(address, bytes, cudaMemoryTypeDevice);
}

cudaError_t cudaMallocAsync(void **address, size_t bytes, cudaStream_t stream) {
  PTXBENCH_ENTER(runtime);
  if (!runtime.isStream(stream))
    return runtime.fail(cudaErrorInvalidResourceHandle);
  return runtime.allocate(address, bytes, cudaMemoryTypeDevice);
}

cudaError_t cudaMallocFromPoolAsync(void **address, size_t bytes, cudaMemPool_t,
                                    cudaStream_t stream) {
  return cudaMallocAsync(address, bytes, stream);
}

cudaError_t cudaMallocPitch(void **address, size_t *pitch, size_t width,
                            size_t height) {
  PTXBENCH_ENTER(runtime);
  if (!pitch)
    return runtime.fail(cudaErrorInvalidValue);
  // Neither the pitch nor the product wraps around to something small.
  if (width > ~uint64_t(0) - 511 ||
      (height && alignTo(width, 512) > ~uint64_t(0) / height))
    return runtime.fail(cudaErrorMemoryAllocation, Twine(height) + " rows of " +
                                                       Twine(width) +
                                                       " bytes are asked for");
  *pitch = alignTo(width, 512);
  return runtime.allocate(address, *pitch * height, cudaMemoryTypeDevice);
}

cudaError_t cudaMallocManaged(void **address, size_t bytes, unsigned flags) {
  PTXBENCH_ENTER(runtime);
  return runtime.allocate(address, bytes, cudaMemoryTypeManaged, flags);
}

cudaError_t cudaMallocHost(void **address, size_t bytes) {
  PTXBENCH_ENTER(runtime);
  return runtime.allocate(address, bytes, cudaMemoryTypeHost);
}

cudaError_t cudaHostAlloc(void **address, size_t bytes, unsigned flags) {
  PTXBENCH_ENTER(runtime);
  return runtime.allocate(address, bytes, cudaMemoryTypeHost, flags);
}

cudaError_t cudaFree(void *address) {
  PTXBENCH_ENTER(runtime);
  // The usual way to make the context.
  if (!runtime.device())
    return cudaErrorInitializationError;
  return runtime.release(address, "cudaFree");
}

cudaError_t cudaFreeAsync(void *address, cudaStream_t stream) {
  PTXBENCH_ENTER(runtime);
  if (!runtime.isStream(stream))
    return runtime.fail(cudaErrorInvalidResourceHandle);
  return runtime.release(address, "cudaFreeAsync");
}

cudaError_t cudaFreeHost(void *address) {
  PTXBENCH_ENTER(runtime);
  return runtime.release(address, "cudaFreeHost");
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned) {
  PTXBENCH_ENTER(runtime);
  auto found = runtime.find(host);
  if (!device || !found || found->second.type != cudaMemoryTypeHost)
    return runtime.fail(cudaErrorInvalidValue);
  *device = host;
  return cudaSuccess;
}

cudaError_t cudaHostGetFlags(unsigned *flags, void *host) {
  PTXBENCH_ENTER(runtime);
  auto found = runtime.find(host);
  if (!flags || !found || found->second.type != cudaMemoryTypeHost)
    return runtime.fail(cudaErrorInvalidValue);
  *flags = found->second.flags;
  return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *free, size_t *total) {
  PTXBENCH_ENTER(runtime);
  if (!free || !total)
    return runtime.fail(cudaErrorInvalidValue);
  *total = runtime.memoryBytes();
  *free = *total - runtime.usedBytes();
  return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes,
                                     const void *address) {
  PTXBENCH_ENTER(runtime);
  if (!attributes)
    return runtime.fail(cudaErrorInvalidValue);
  *attributes = {};
  attributes->device = -2; // cudaInvalidDeviceId
  attributes->type = cudaMemoryTypeUnregistered;
  auto *pointer = const_cast<void *>(address);
  auto found = runtime.find(address);
  if (!found) {
    // Variables are no allocations.
    if (runtime.device() &&
        runtime.device()->contains(reinterpret_cast<uint64_t>(address), 1)) {
      attributes->type = cudaMemoryTypeDevice;
      attributes->device = 0;
      attributes->devicePointer = pointer;
    } else {
      attributes->hostPointer = pointer;
    }
    return cudaSuccess;
  }
  attributes->device = 0;
  attributes->type = found->second.type;
  attributes->devicePointer = pointer;
  if (found->second.type != cudaMemoryTypeDevice)
    attributes->hostPointer = pointer;
  return cudaSuccess;
}

//===----------------------------------------------------------------------===//
// Copies and fills
//===----------------------------------------------------------------------===//

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes,
                       cudaMemcpyKind kind) {
  PTXBENCH_ENTER(runtime);
  return runtime.copy(to, from, bytes, kind, "cudaMemcpy");
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes,
                            cudaMemcpyKind kind, cudaStream_t stream) {
  PTXBENCH_ENTER(runtime);
  if (!runtime.isStream(stream))
    return runtime.fail(cudaErrorInvalidResourceHandle);
  return runtime.copy(to, from, bytes, kind, "cudaMemcpyAsync");
}

cudaError_t cudaMemcpy2D(void *to, size_t toPitch, const void *from,
                         size_t fromPitch, size_t width, size_t height,
                         cudaMemcpyKind kind) {
  PTXBENCH_ENTER(runtime);
  return copyRows(runtime, to, toPitch, from, fromPitch, width, height, kind,
                  "cudaMemcpy2D");
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t toPitch, const void *from,
                              size_t fromPitch, size_t width, size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream) {
  PTXBENCH_ENTER(runtime);
  if (!runtime.isStream(stream))
    return runtime.fail(cudaErrorInvalidResourceHandle);
  return copyRows(runtime, to, toPitch, from, fromPitch, width, height, kind,
                  "cudaMemcpy2DAsync");
}

cudaError_t cudaMemcpyPeer(void *to, int toDevice, const void *from,
                           int fromDevice, size_t bytes) {
  PTXBENCH_ENTER(runtime);
  if (toDevice != 0 || fromDevice != 0)
    return runtime.fail(cudaErrorInvalidDevice);
  return runtime.copy(to, from, bytes, cudaMemcpyDeviceToDevice,
                      "cudaMemcpyPeer");
}

cudaError_t cudaMemset(void *at, int byte, size_t bytes) {
  PTXBENCH_ENTER(runtime);
  return runtime.set(at, byte, bytes, "cudaMemset");
}

cudaError_t cudaMemsetAsync(void *at, int byte, size_t bytes,
                            cudaStream_t stream) {
  PTXBENCH_ENTER(runtime);
  if (!runtime.isStream(stream))
    return runtime.fail(cudaErrorInvalidResourceHandle);
  return runtime.set(at, byte, bytes, "cudaMemsetAsync");
}

cudaError_t cudaMemset2D(void *at, size_t pitch, int byte, size_t width,
                         size_t height) {
  PTXBENCH_ENTER(runtime);
  if (width > pitch)
    return runtime.fail(cudaErrorInvalidPitchValue);
  for (size_t row = 0; row < height; ++row)
    if (cudaError_t error = runtime.set(static_cast<char *>(at) + row * pitch,
                                        byte, width, "cudaMemset2D"))
      return error;
  return cudaSuccess;
}

cudaError_t cudaMemset2DAsync(void *at, size_t pitch, int byte, size_t width,
                              size_t height, cudaStream_t) {
  return cudaMemset2D(at, pitch, byte, width, height);
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from,
                               size_t bytes, size_t offset,
                               cudaMemcpyKind kind) {
  PTXBENCH_ENTER(runtime);
  void *place;
  if (cudaError_t error = placeIn(runtime, symbol, bytes, offset, place))
    return error;
  return runtime.copy(place, from, bytes, kind, "cudaMemcpyToSymbol");
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from,
                                    size_t bytes, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t) {
  return cudaMemcpyToSymbol(symbol, from, bytes, offset, kind);
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes,
                                 size_t offset, cudaMemcpyKind kind) {
  PTXBENCH_ENTER(runtime);
  void *place;
  if (cudaError_t error = placeIn(runtime, symbol, bytes, offset, place))
    return error;
  return runtime.copy(to, place, bytes, kind, "cudaMemcpyFromSymbol");
}

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol,
                                      size_t bytes, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t) {
  return cudaMemcpyFromSymbol(to, symbol, bytes, offset, kind);
}

cudaError_t cudaGetSymbolAddress(void **address, const void *symbol) {
  PTXBENCH_ENTER(runtime);
  if (!address)
    return runtime.fail(cudaErrorInvalidValue);
  return placeIn(runtime, symbol, 0, 0, *address);
}

cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol) {
  PTXBENCH_ENTER(runtime);
  Variable *variable = runtime.findVariable(symbol);
  if (!variable)
    return runtime.fail(cudaErrorInvalidSymbol);
  uint64_t address, size;
  if (cudaError_t error = runtime.addressOf(*variable, address, size))
    return error;
  *bytes = size;
  return cudaSuccess;
}

//===----------------------------------------------------------------------===//
// Pools: there is one, and it keeps nothing
//===----------------------------------------------------------------------===//

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
  PTXBENCH_ENTER(runtime);
  if (device != 0)
    return runtime.fail(cudaErrorInvalidDevice);
  if (!pool)
    return runtime.fail(cudaErrorInvalidValue);
  *pool = reinterpret_cast<cudaMemPool_t>(&runtime);
  return cudaSuccess;
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) {
  return cudaDeviceGetDefaultMemPool(pool, device);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr,
                                    void *) {
  PTXBENCH_ENTER(runtime);
  return reinterpret_cast<void *>(pool) == &runtime
             ? cudaSuccess
             : runtime.fail(cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
  return cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold,
                                 nullptr);
}

} // extern "C"
