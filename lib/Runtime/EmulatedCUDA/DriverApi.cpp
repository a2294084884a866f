//===- DriverApi.cpp - The driver's interface, as far as it is needed -----===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same device, kernels and streams under the names of the driver: the error
// codes of the runtime and of the driver have the same numbers. One table says
// what cuGetProcAddress and cudaGetDriverEntryPoint find.
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"
#include "llvm/ADT/StringExtras.h"

#include <cstring>
#include <cuda.h>

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulated;

/// The two enumerations have the same values, but the runtime has some more.
static CUresult toDriver(cudaError_t error) {
  for (const EnumName &known : driverErrorNames())
    if (known.value == int(error))
      return CUresult(int(error));
  return CUDA_ERROR_INVALID_VALUE;
}

static cudaStream_t toRuntime(CUstream stream) {
  return reinterpret_cast<cudaStream_t>(stream);
}

/// The one context there is.
static CUcontext theContext() {
  return reinterpret_cast<CUcontext>(&Runtime::get());
}

#define ENTER(runtime)                                                         \
  Runtime &runtime = Runtime::get();                                           \
  std::lock_guard<std::recursive_mutex> guard(runtime.lock);                   \
  if (runtime.sticky() != cudaSuccess)                                         \
  return toDriver(runtime.sticky())

extern "C" {

//===----------------------------------------------------------------------===//
// Devices and contexts
//===----------------------------------------------------------------------===//

CUresult cuInit(unsigned) {
  ENTER(runtime);
  return runtime.device() ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

CUresult cuDriverGetVersion(int *version) {
  *version = CUDA_VERSION;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count) {
  return toDriver(cudaGetDeviceCount(count));
}

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  *device = 0;
  return toDriver(cudaSetDevice(ordinal));
}

CUresult cuDeviceGetName(char *name, int bytes, CUdevice) {
  ENTER(runtime);
  if (!name || bytes <= 0)
    return CUDA_ERROR_INVALID_VALUE;
  std::strncpy(name, runtime.model().name().c_str(), size_t(bytes));
  name[bytes - 1] = 0;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute,
                              CUdevice device) {
  return toDriver(
      cudaDeviceGetAttribute(value, cudaDeviceAttr(int(attribute)), device));
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice) {
  ENTER(runtime);
  *bytes = runtime.model().memoryBytes();
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice) {
  *context = theContext();
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease(CUdevice) { return CUDA_SUCCESS; }

CUresult cuDevicePrimaryCtxGetState(CUdevice, unsigned *flags, int *active) {
  *flags = 0;
  *active = 1;
  return CUDA_SUCCESS;
}

/// Every context is the one there is, and outlives its end.
CUresult cuCtxCreate(CUcontext *context, CUctxCreateParams *, unsigned,
                     CUdevice device) {
  ENTER(runtime);
  if (!context)
    return CUDA_ERROR_INVALID_VALUE;
  if (device != 0)
    return CUDA_ERROR_INVALID_DEVICE;
  *context = theContext();
  return CUDA_SUCCESS;
}

CUresult cuCtxDestroy(CUcontext context) {
  return context == theContext() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuCtxGetCurrent(CUcontext *context) {
  *context = theContext();
  return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context) {
  return !context || context == theContext() ? CUDA_SUCCESS
                                             : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuCtxPushCurrent(CUcontext context) {
  return cuCtxSetCurrent(context);
}

CUresult cuCtxPopCurrent(CUcontext *context) {
  return context ? cuCtxGetCurrent(context) : CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *device) {
  *device = 0;
  return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize() { return toDriver(cudaDeviceSynchronize()); }

CUresult cuGetErrorName(CUresult error, const char **name) {
  for (const EnumName &known : driverErrorNames())
    if (known.value == int(error)) {
      *name = known.name;
      return CUDA_SUCCESS;
    }
  *name = nullptr;
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char **text) {
  *text = describeError(int(error));
  return CUDA_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

CUresult cuMemAlloc(CUdeviceptr *address, size_t bytes) {
  // The driver, unlike the runtime, refuses an allocation of nothing.
  if (bytes == 0)
    return CUDA_ERROR_INVALID_VALUE;
  return toDriver(cudaMalloc(reinterpret_cast<void **>(address), bytes));
}

CUresult cuMemFree(CUdeviceptr address) {
  return toDriver(cudaFree(reinterpret_cast<void *>(address)));
}

CUresult cuMemAllocManaged(CUdeviceptr *address, size_t bytes, unsigned flags) {
  if (bytes == 0)
    return CUDA_ERROR_INVALID_VALUE;
  return toDriver(
      cudaMallocManaged(reinterpret_cast<void **>(address), bytes, flags));
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr *address, void *memory,
                                   unsigned flags) {
  return toDriver(cudaHostGetDevicePointer(reinterpret_cast<void **>(address),
                                           memory, flags));
}

CUresult cuMemGetInfo(size_t *free, size_t *total) {
  return toDriver(cudaMemGetInfo(free, total));
}

CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes) {
  return toDriver(cudaMemcpy(reinterpret_cast<void *>(to), from, bytes,
                             cudaMemcpyHostToDevice));
}

CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes) {
  return toDriver(cudaMemcpy(to, reinterpret_cast<void *>(from), bytes,
                             cudaMemcpyDeviceToHost));
}

CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return toDriver(cudaMemcpy(reinterpret_cast<void *>(to),
                             reinterpret_cast<void *>(from), bytes,
                             cudaMemcpyDeviceToDevice));
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t bytes,
                           CUstream stream) {
  return toDriver(cudaMemcpyAsync(reinterpret_cast<void *>(to), from, bytes,
                                  cudaMemcpyHostToDevice, toRuntime(stream)));
}

CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes,
                           CUstream stream) {
  return toDriver(cudaMemcpyAsync(to, reinterpret_cast<void *>(from), bytes,
                                  cudaMemcpyDeviceToHost, toRuntime(stream)));
}

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return toDriver(cudaMemcpy(reinterpret_cast<void *>(to),
                             reinterpret_cast<void *>(from), bytes,
                             cudaMemcpyDefault));
}

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes,
                       CUstream stream) {
  return toDriver(cudaMemcpyAsync(reinterpret_cast<void *>(to),
                                  reinterpret_cast<void *>(from), bytes,
                                  cudaMemcpyDefault, toRuntime(stream)));
}

CUresult cuMemsetD8(CUdeviceptr at, unsigned char byte, size_t bytes) {
  return toDriver(cudaMemset(reinterpret_cast<void *>(at), byte, bytes));
}

CUresult cuMemsetD8Async(CUdeviceptr at, unsigned char byte, size_t bytes,
                         CUstream) {
  return cuMemsetD8(at, byte, bytes);
}

CUresult cuMemsetD16(CUdeviceptr at, unsigned short word, size_t count) {
  ENTER(runtime);
  auto *words = reinterpret_cast<unsigned short *>(at);
  if (cudaError_t error = runtime.checkDevice(
          words, count * sizeof(unsigned short), "cuMemsetD16", "destination"))
    return toDriver(error);
  runtime.noteWork(Twine("cuMemsetD16 of ") + Twine(count) + " elements");
  Runtime::Access access(runtime);
  std::fill_n(words, count, word);
  return CUDA_SUCCESS;
}

CUresult cuMemsetD16Async(CUdeviceptr at, unsigned short word, size_t count,
                          CUstream) {
  return cuMemsetD16(at, word, count);
}

CUresult cuMemsetD32(CUdeviceptr at, unsigned word, size_t count) {
  ENTER(runtime);
  auto *words = reinterpret_cast<unsigned *>(at);
  if (cudaError_t error = runtime.checkDevice(words, count * sizeof(unsigned),
                                              "cuMemsetD32", "destination"))
    return toDriver(error);
  runtime.noteWork(Twine("cuMemsetD32 of ") + Twine(count) + " elements");
  Runtime::Access access(runtime);
  std::fill_n(words, count, word);
  return CUDA_SUCCESS;
}

CUresult cuMemsetD32Async(CUdeviceptr at, unsigned word, size_t count,
                          CUstream) {
  return cuMemsetD32(at, word, count);
}

//===----------------------------------------------------------------------===//
// Modules and launches
//===----------------------------------------------------------------------===//

CUresult cuModuleLoadData(CUmodule *module, const void *image) {
  ENTER(runtime);
  if (!module || !image)
    return CUDA_ERROR_INVALID_VALUE;
  // An image may be wrapped as nvcc's host code has it.
  static constexpr uint32_t wrapperMark = 0x466243b1;
  const auto *words = static_cast<const uint32_t *>(image);
  const void *data = image;
  if (words[0] == wrapperMark)
    std::memcpy(&data, words + 2, sizeof(data));
  Module *made = runtime.addModule(data);
  if (cudaError_t error = runtime.load(*made))
    return toDriver(error);
  *module = reinterpret_cast<CUmodule>(made);
  return CUDA_SUCCESS;
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned,
                            CUjit_option *, void **) {
  return cuModuleLoadData(module, image);
}

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image) {
  return cuModuleLoadData(module, image);
}

CUresult cuModuleUnload(CUmodule module) {
  ENTER(runtime);
  return runtime.isModule(module) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module,
                             const char *name) {
  ENTER(runtime);
  if (!runtime.isModule(module))
    return CUDA_ERROR_INVALID_HANDLE;
  Kernel *kernel =
      runtime.findKernel(*reinterpret_cast<Module *>(module), name);
  if (!kernel)
    return CUDA_ERROR_NOT_FOUND;
  *function = reinterpret_cast<CUfunction>(kernel);
  return CUDA_SUCCESS;
}

CUresult cuModuleGetGlobal(CUdeviceptr *address, size_t *bytes, CUmodule module,
                           const char *name) {
  ENTER(runtime);
  if (!runtime.isModule(module))
    return CUDA_ERROR_INVALID_HANDLE;
  auto found =
      reinterpret_cast<Module *>(module)->code->loaded().variable(name);
  if (!found)
    return CUDA_ERROR_NOT_FOUND;
  if (address)
    *address = found->address;
  if (bytes)
    *bytes = found->bytes;
  return CUDA_SUCCESS;
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute which,
                            int value) {
  return toDriver(
      cudaFuncSetAttribute(function, cudaFuncAttribute(int(which)), value));
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute which,
                            CUfunction function) {
  cudaFuncAttributes attributes;
  if (cudaError_t error = cudaFuncGetAttributes(&attributes, function))
    return toDriver(error);
  switch (which) {
  case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    *value = attributes.maxThreadsPerBlock;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
    *value = int(attributes.sharedSizeBytes);
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
    *value = int(attributes.localSizeBytes);
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
    *value = attributes.maxDynamicSharedSizeBytes;
    return CUDA_SUCCESS;
  case CU_FUNC_ATTRIBUTE_PTX_VERSION:
  case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
    *value = attributes.ptxVersion;
    return CUDA_SUCCESS;
  default:
    *value = 0;
    return CUDA_SUCCESS;
  }
}

/// `arguments` or, in their place, the packed parameters of `extra`.
static CUresult launchFunction(CUfunction function, const LaunchShape &shape,
                               CUstream stream, void **arguments,
                               void **extra) {
  ENTER(runtime);
  Kernel *kernel = runtime.findKernel(function);
  if (!kernel || !runtime.isStream(toRuntime(stream)))
    return CUDA_ERROR_INVALID_HANDLE;
  if (arguments || !extra)
    return toDriver(runtime.launch(*kernel, shape, arguments));
  const void *packed = nullptr;
  size_t bytes = 0;
  for (; *extra != CU_LAUNCH_PARAM_END; extra += 2)
    if (extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER)
      packed = extra[1];
    else if (extra[0] == CU_LAUNCH_PARAM_BUFFER_SIZE)
      bytes = *static_cast<size_t *>(extra[1]);
    else
      return CUDA_ERROR_INVALID_VALUE;
  const auto *begin = static_cast<const uint8_t *>(packed);
  return toDriver(runtime.launch(*kernel, shape,
                                 std::vector<uint8_t>(begin, begin + bytes)));
}

CUresult cuLaunchKernel(CUfunction function, unsigned gridX, unsigned gridY,
                        unsigned gridZ, unsigned blockX, unsigned blockY,
                        unsigned blockZ, unsigned sharedBytes, CUstream stream,
                        void **arguments, void **extra) {
  return launchFunction(function,
                        {dim3(gridX, gridY, gridZ),
                         dim3(blockX, blockY, blockZ), sharedBytes,
                         std::nullopt},
                        stream, arguments, extra);
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned gridX,
                                   unsigned gridY, unsigned gridZ,
                                   unsigned blockX, unsigned blockY,
                                   unsigned blockZ, unsigned sharedBytes,
                                   CUstream stream, void **arguments) {
  return launchFunction(function,
                        {dim3(gridX, gridY, gridZ),
                         dim3(blockX, blockY, blockZ), sharedBytes,
                         std::nullopt, /*isCooperative=*/true},
                        stream, arguments, nullptr);
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function,
                          void **arguments, void **extra) {
  if (!config || (config->numAttrs && !config->attrs))
    return CUDA_ERROR_INVALID_VALUE;
  LaunchShape shape{
      dim3(config->gridDimX, config->gridDimY, config->gridDimZ),
      dim3(config->blockDimX, config->blockDimY, config->blockDimZ),
      config->sharedMemBytes, std::nullopt};
  ENTER(runtime);
  for (const CUlaunchAttribute &attribute :
       ArrayRef(config->attrs, config->numAttrs)) {
    // The two interfaces number and lay out attributes alike.
    cudaLaunchAttributeValue value;
    static_assert(sizeof(value) == sizeof(attribute.value));
    std::memcpy(&value, &attribute.value, sizeof(value));
    if (cudaError_t error = runtime.addAttribute(shape, attribute.id, value))
      return toDriver(error);
  }
  return launchFunction(function, shape, config->hStream, arguments, extra);
}

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
  return toDriver(cudaStreamCreateWithFlags(
      reinterpret_cast<cudaStream_t *>(stream), flags));
}

CUresult cuStreamDestroy(CUstream stream) {
  return toDriver(cudaStreamDestroy(toRuntime(stream)));
}

CUresult cuStreamSynchronize(CUstream stream) {
  return toDriver(cudaStreamSynchronize(toRuntime(stream)));
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  return toDriver(cudaStreamWaitEvent(
      toRuntime(stream), reinterpret_cast<cudaEvent_t>(event), flags));
}

CUresult cuEventCreate(CUevent *event, unsigned flags) {
  return toDriver(
      cudaEventCreateWithFlags(reinterpret_cast<cudaEvent_t *>(event), flags));
}

CUresult cuEventDestroy(CUevent event) {
  return toDriver(cudaEventDestroy(reinterpret_cast<cudaEvent_t>(event)));
}

CUresult cuEventRecord(CUevent event, CUstream stream) {
  return toDriver(
      cudaEventRecord(reinterpret_cast<cudaEvent_t>(event), toRuntime(stream)));
}

CUresult cuEventSynchronize(CUevent event) {
  return toDriver(cudaEventSynchronize(reinterpret_cast<cudaEvent_t>(event)));
}

CUresult cuEventElapsedTime(float *ms, CUevent start, CUevent end) {
  return toDriver(cudaEventElapsedTime(ms, reinterpret_cast<cudaEvent_t>(start),
                                       reinterpret_cast<cudaEvent_t>(end)));
}

} // extern "C"

//===----------------------------------------------------------------------===//
// Looking up functions by name
//===----------------------------------------------------------------------===//

/// By the names without a version.
static void *findDriverFunction(StringRef name) {
  static const std::pair<StringLiteral, void *> functions[] = {
#define FUNCTION(name) {#name, reinterpret_cast<void *>(&name)}
      FUNCTION(cuInit),
      FUNCTION(cuDriverGetVersion),
      FUNCTION(cuDeviceGetCount),
      FUNCTION(cuDeviceGet),
      FUNCTION(cuDeviceGetName),
      FUNCTION(cuDeviceGetAttribute),
      FUNCTION(cuDevicePrimaryCtxRetain),
      FUNCTION(cuDevicePrimaryCtxGetState),
      FUNCTION(cuCtxGetCurrent),
      FUNCTION(cuCtxSetCurrent),
      FUNCTION(cuCtxGetDevice),
      FUNCTION(cuCtxSynchronize),
      FUNCTION(cuGetErrorName),
      FUNCTION(cuGetErrorString),
      FUNCTION(cuMemsetD8Async),
      FUNCTION(cuMemAllocManaged),
      FUNCTION(cuMemcpy),
      FUNCTION(cuMemcpyAsync),
      FUNCTION(cuMemsetD16Async),
      FUNCTION(cuMemsetD32Async),
      FUNCTION(cuStreamWaitEvent),
      FUNCTION(cuModuleLoadData),
      FUNCTION(cuModuleLoadDataEx),
      FUNCTION(cuModuleLoadFatBinary),
      FUNCTION(cuModuleUnload),
      FUNCTION(cuModuleGetFunction),
      FUNCTION(cuFuncSetAttribute),
      FUNCTION(cuFuncGetAttribute),
      FUNCTION(cuLaunchKernel),
      FUNCTION(cuLaunchKernelEx),
      FUNCTION(cuLaunchCooperativeKernel),
      FUNCTION(cuStreamCreate),
      FUNCTION(cuStreamSynchronize),
      FUNCTION(cuEventCreate),
      FUNCTION(cuEventRecord),
      FUNCTION(cuEventSynchronize),
      FUNCTION(cuTensorMapEncodeTiled),
      FUNCTION(cuTensorMapEncodeIm2col),
      FUNCTION(cuTensorMapReplaceAddress),
#undef FUNCTION
// Macros of cuda.h that append a version.
#define FUNCTION(name, text) {text, reinterpret_cast<void *>(&name)}
      FUNCTION(cuDeviceTotalMem, "cuDeviceTotalMem"),
      FUNCTION(cuDevicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease"),
      FUNCTION(cuCtxCreate, "cuCtxCreate"),
      FUNCTION(cuCtxDestroy, "cuCtxDestroy"),
      FUNCTION(cuCtxPushCurrent, "cuCtxPushCurrent"),
      FUNCTION(cuCtxPopCurrent, "cuCtxPopCurrent"),
      FUNCTION(cuMemAlloc, "cuMemAlloc"),
      FUNCTION(cuMemFree, "cuMemFree"),
      FUNCTION(cuMemGetInfo, "cuMemGetInfo"),
      FUNCTION(cuMemHostGetDevicePointer, "cuMemHostGetDevicePointer"),
      FUNCTION(cuMemsetD16, "cuMemsetD16"),
      FUNCTION(cuMemcpyHtoD, "cuMemcpyHtoD"),
      FUNCTION(cuMemcpyDtoH, "cuMemcpyDtoH"),
      FUNCTION(cuMemcpyDtoD, "cuMemcpyDtoD"),
      FUNCTION(cuMemcpyHtoDAsync, "cuMemcpyHtoDAsync"),
      FUNCTION(cuMemcpyDtoHAsync, "cuMemcpyDtoHAsync"),
      FUNCTION(cuMemsetD8, "cuMemsetD8"),
      FUNCTION(cuMemsetD32, "cuMemsetD32"),
      FUNCTION(cuModuleGetGlobal, "cuModuleGetGlobal"),
      FUNCTION(cuStreamDestroy, "cuStreamDestroy"),
      FUNCTION(cuEventDestroy, "cuEventDestroy"),
      FUNCTION(cuEventElapsedTime, "cuEventElapsedTime"),
#undef FUNCTION
  };
  for (const auto &[known, function] : functions)
    if (name == known)
      return function;
  return nullptr;
}

extern "C" {

CUresult cuGetProcAddress(const char *symbol, void **function, int, cuuint64_t,
                          CUdriverProcAddressQueryResult *status) {
  if (!symbol || !function)
    return CUDA_ERROR_INVALID_VALUE;
  *function = findDriverFunction(symbol);
  if (status)
    *status = *function ? CU_GET_PROC_ADDRESS_SUCCESS
                        : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  if (*function)
    return CUDA_SUCCESS;
  say(Twine(symbol) + " is not available on the emulator");
  return CUDA_ERROR_NOT_FOUND;
}

cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **function,
                                    unsigned long long,
                                    cudaDriverEntryPointQueryResult *status) {
  PTXBENCH_ENTER(runtime);
  if (!symbol || !function)
    return runtime.fail(cudaErrorInvalidValue);
  *function = findDriverFunction(symbol);
  if (status)
    *status = *function ? cudaDriverEntryPointSuccess
                        : cudaDriverEntryPointSymbolNotFound;
  if (*function)
    return cudaSuccess;
  say(Twine(symbol) + " is not available on the emulator");
  return status ? cudaSuccess : runtime.fail(cudaErrorSymbolNotFound);
}

cudaError_t
cudaGetDriverEntryPointByVersion(const char *symbol, void **function, unsigned,
                                 unsigned long long flags,
                                 cudaDriverEntryPointQueryResult *status) {
  return cudaGetDriverEntryPoint(symbol, function, flags, status);
}

} // extern "C"
