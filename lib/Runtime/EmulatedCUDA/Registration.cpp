//===- Registration.cpp - What nvcc's host code calls ---------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registration of device code by static constructors, and launches by the
// <<<>>> syntax: the configuration is pushed, then popped by the stub of the
// kernel, which launches.
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"

using namespace ptxbench;
using namespace ptxbench::emulated;

namespace {

/// What `__cudaRegisterFatBinary` is given. Version 1 is a fat binary, version
/// 2 one that the device linker made of `parts`.
struct FatBinaryWrapper {
  uint32_t mark, version;
  const void *data;
  void *parts;
};
constexpr uint32_t wrapperMark = 0x466243b1;

struct CallConfiguration {
  dim3 grid, block;
  size_t sharedBytes;
  cudaStream_t stream;
};
thread_local std::vector<CallConfiguration> configurations;

} // namespace

extern "C" {

void **__cudaRegisterFatBinary(void *fatBinary) {
  Runtime &runtime = Runtime::get();
  std::lock_guard<std::recursive_mutex> guard(runtime.lock);
  auto *wrapper = static_cast<FatBinaryWrapper *>(fatBinary);
  if (wrapper->mark != wrapperMark)
    say("device code is registered in a form that is not known");
  Module *module = runtime.addModule(wrapper->data);
  module->inParts = wrapper->version == 2;
  return reinterpret_cast<void **>(module);
}

void __cudaRegisterFatBinaryEnd(void **) {}

/// Modules stay: at the end of a process somebody may still ask for a trace.
void __cudaUnregisterFatBinary(void **) {}

void __cudaRegisterFunction(void **handle, const char *hostFunction, char *,
                            const char *deviceName, int, uint3 *, uint3 *,
                            dim3 *, dim3 *, int *) {
  Runtime &runtime = Runtime::get();
  std::lock_guard<std::recursive_mutex> guard(runtime.lock);
  runtime.addKernel(reinterpret_cast<Module *>(handle), hostFunction,
                    deviceName);
}

void __cudaRegisterVar(void **handle, char *host, char *,
                       const char *deviceName, int, size_t bytes, int, int) {
  Runtime &runtime = Runtime::get();
  std::lock_guard<std::recursive_mutex> guard(runtime.lock);
  runtime.addVariable(reinterpret_cast<Module *>(handle), host, deviceName,
                      bytes, nullptr);
}

void __cudaRegisterManagedVar(void **handle, void **host, char *,
                              const char *deviceName, int, size_t bytes, int,
                              int) {
  Runtime &runtime = Runtime::get();
  std::lock_guard<std::recursive_mutex> guard(runtime.lock);
  runtime.addVariable(reinterpret_cast<Module *>(handle), host, deviceName,
                      bytes, host);
}

void __cudaRegisterHostVar(void **, const char *name, char *, size_t) {
  say(llvm::Twine("the device cannot reach host variable '") + name + "'");
}

char __cudaInitModule(void **handle) {
  Runtime &runtime = Runtime::get();
  std::lock_guard<std::recursive_mutex> guard(runtime.lock);
  return runtime.load(*reinterpret_cast<Module *>(handle)) == cudaSuccess;
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t sharedBytes,
                                     cudaStream_t stream) {
  configurations.push_back({grid, block, sharedBytes, stream});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block,
                                       size_t *sharedBytes, void *stream) {
  if (configurations.empty())
    return cudaErrorMissingConfiguration;
  CallConfiguration &top = configurations.back();
  *grid = top.grid;
  *block = top.block;
  *sharedBytes = top.sharedBytes;
  *static_cast<cudaStream_t *>(stream) = top.stream;
  configurations.pop_back();
  return cudaSuccess;
}

cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *function) {
  Runtime &runtime = Runtime::get();
  std::lock_guard<std::recursive_mutex> guard(runtime.lock);
  Kernel *found = runtime.findKernel(function);
  if (!found)
    return runtime.fail(cudaErrorInvalidDeviceFunction);
  *kernel = reinterpret_cast<cudaKernel_t>(found);
  return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block,
                               void **arguments, size_t sharedBytes,
                               cudaStream_t stream) {
  return cudaLaunchKernel(kernel, grid, block, arguments, sharedBytes, stream);
}

} // extern "C"
