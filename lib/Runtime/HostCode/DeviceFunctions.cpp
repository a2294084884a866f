//===- DeviceFunctions.cpp - The runner's functions for devices -----------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions mgpu*, with the types that upstream's lowering of the gpu and
// nvgpu dialects gives them, over the driver: that of a GPU or the emulated
// one, whichever the process finds. No error is passed over.
//
// A descriptor of TMA lives in device memory. One that is made again, as in
// each call with the same tensors, is the same place: it is neither copied nor
// allocated anew.
//
//===----------------------------------------------------------------------===//

#include "../Worker/Worker.h"
#include "HostFunctions.h"
#include "ptxbench/Support/DynamicLibrary.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <array>
#include <csetjmp>
#include <cstring>
#include <limits>
#include <map>

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::hostCode;

namespace {

struct Driver {
#define PTXBENCH_DRIVER(name, parameters) int(*name) parameters = nullptr;
#include "DriverSymbols.def"

  Error open();
  bool isOpen = false;
};

Error Driver::open() {
  Expected<DynamicLibrary> library =
      DynamicLibrary::open("the CUDA driver", {"libcuda.so.1", "libcuda.so"});
  if (!library)
    return library.takeError();
#define PTXBENCH_DRIVER(name, parameters)                                      \
  if (Error error = library->lookUp(#name, name))                              \
    return error;
#include "DriverSymbols.def"
  isOpen = true;
  return Error::success();
}

// From cuda.h.
constexpr unsigned streamNonBlocking = 1, eventDisableTiming = 2,
                   attachGlobal = 1;
constexpr int attributeDynamicShared = 8, attributeNonPortableCluster = 14,
              launchClusterDimension = 4;
constexpr unsigned portableCluster = 8, largestRank = 5;

struct LaunchAttribute {
  int id;
  char padding[4];
  union {
    unsigned dimension[3];
    char bytes[64];
  };
};
struct LaunchConfig {
  unsigned grid[3], block[3], sharedBytes;
  void *stream;
  LaunchAttribute *attributes;
  unsigned attributeCount;
};

struct alignas(128) TensorMap {
  std::array<char, 128> bytes;
};

/// A ranked memref as the lowering lays it out.
struct Descriptor {
  char *allocated, *aligned;
  int64_t offset;
  /// Extents, then strides.
  int64_t numbers[];
};

struct Vector {
  void *allocated, *aligned;
  int64_t offset, extent, stride;
};

Driver driver;
Settings settings;
int currentPlace = -1;
std::map<std::array<char, 128>, uint64_t> tensorMaps;

std::jmp_buf *wayOut = nullptr;
std::string failureCode, failureMessage;

/// Leaves if a call of the driver failed.
void require(int code, const char *what) {
  if (code == 0)
    return;
  const char *name = nullptr, *text = nullptr;
  driver.cuGetErrorName(code, &name);
  driver.cuGetErrorString(code, &text);
  char message[512];
  std::snprintf(message, sizeof(message), "%s: %s", what,
                text ? text : "unknown error");
  leave(name ? name : "CUDA_ERROR", message);
}

/// An extent of a launch.
unsigned extent(intptr_t value, const char *what) {
  if (value > 0 && value <= std::numeric_limits<int32_t>::max())
    return unsigned(value);
  char message[128];
  std::snprintf(
      message, sizeof(message),
      "expected an extent of the %s from 1 to 2147483647 but got %lld", what,
      static_cast<long long>(value));
  leave("", message);
}

void allowShared(void *function, int32_t bytes) {
  if (bytes < 0) {
    char message[128];
    std::snprintf(message, sizeof(message),
                  "expected bytes of dynamic shared memory from 0 on but got "
                  "%d",
                  bytes);
    leave("", message);
  }
  if (bytes)
    require(driver.cuFuncSetAttribute(function, attributeDynamicShared, bytes),
            "cannot launch with so much dynamic shared memory");
}

/// Bytes of an element by the number of its type.
uint64_t elementBytes(int64_t type) {
  static constexpr uint64_t bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
  if (type < 0 || type >= int64_t(std::size(bytes)))
    leave("", "the tensor map has an unknown type of elements");
  return bytes[type];
}

/// The place of a tensor map in device memory.
void *onDevice(const TensorMap &map) {
  auto [entry, isNew] = tensorMaps.try_emplace(map.bytes, 0);
  if (!isNew)
    return reinterpret_cast<void *>(entry->second);
  uint64_t address = 0;
  require(driver.cuMemAlloc_v2(&address, sizeof(map.bytes)),
          "cannot allocate a tensor map");
  require(driver.cuMemcpyHtoD_v2(address, map.bytes.data(), sizeof(map.bytes)),
          "cannot copy a tensor map");
  entry->second = address;
  return reinterpret_cast<void *>(address);
}

uint64_t bytesOf(int64_t rank, const Descriptor *memref, int64_t elementSize) {
  uint64_t bytes = uint64_t(elementSize);
  for (int64_t axis = 0; axis < rank; ++axis)
    bytes *= uint64_t(memref->numbers[axis]);
  return bytes;
}

uint64_t address(void *pointer) { return reinterpret_cast<uint64_t>(pointer); }

} // namespace

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

void hostCode::configure(Settings given) { settings = std::move(given); }

Error hostCode::openDriver() {
  if (driver.isOpen)
    return Error::success();
  if (Error error = driver.open())
    return error;
  return guard([] {
    int device = 0;
    void *context = nullptr;
    require(driver.cuInit(0), "cuInit");
    require(driver.cuDeviceGet(&device, settings.device), "cuDeviceGet");
    require(driver.cuDevicePrimaryCtxRetain(&context, device),
            "cannot make a context");
    require(driver.cuCtxSetCurrent(context), "cuCtxSetCurrent");
  });
}

Error hostCode::guard(function_ref<void()> code) {
  std::jmp_buf here;
  std::jmp_buf *outer = wayOut;
  if (setjmp(here) == 0) {
    wayOut = &here;
    code();
    wayOut = outer;
    return Error::success();
  }
  wayOut = outer;
  std::string place;
  if (currentPlace >= 0 && size_t(currentPlace) < settings.places.size())
    place = settings.places[size_t(currentPlace)];
  return make_error<RuntimeFailure>(failureCode, failureMessage, place);
}

void hostCode::leave(const char *code, const char *message) {
  if (!wayOut) {
    // Of a thread of its own, or behind the end of the call.
    std::fprintf(stderr, "error: %s: %s\n", code, message);
    std::abort();
  }
  failureCode = code;
  failureMessage = message;
  std::longjmp(*wayOut, 1);
}

//===----------------------------------------------------------------------===//
// The functions
//===----------------------------------------------------------------------===//

extern "C" {

void ptxbenchPlace(int32_t number) { currentPlace = number; }

void *mgpuModuleLoad(void *image, size_t) {
  void *module = nullptr;
  require(driver.cuModuleLoadData(&module, image),
          "the driver does not load the kernels");
  return module;
}

void *mgpuModuleLoadJIT(void *text, int) { return mgpuModuleLoad(text, 0); }

void mgpuModuleUnload(void *module) {
  require(driver.cuModuleUnload(module), "cuModuleUnload");
}

void *mgpuModuleGetFunction(void *module, const char *name) {
  void *function = nullptr;
  char what[256];
  std::snprintf(what, sizeof(what), "cannot find the kernel '%s'", name);
  require(driver.cuModuleGetFunction(&function, module, name), what);
  return function;
}

void mgpuLaunchKernel(void *function, intptr_t gridX, intptr_t gridY,
                      intptr_t gridZ, intptr_t blockX, intptr_t blockY,
                      intptr_t blockZ, int32_t sharedBytes, void *stream,
                      void **parameters, void **extra, size_t) {
  allowShared(function, sharedBytes);
  require(driver.cuLaunchKernel(
              function, extent(gridX, "grid"), extent(gridY, "grid"),
              extent(gridZ, "grid"), extent(blockX, "block"),
              extent(blockY, "block"), extent(blockZ, "block"),
              unsigned(sharedBytes), stream, parameters, extra),
          "cannot launch the kernel");
}

void mgpuLaunchClusterKernel(void *function, intptr_t clusterX,
                             intptr_t clusterY, intptr_t clusterZ,
                             intptr_t gridX, intptr_t gridY, intptr_t gridZ,
                             intptr_t blockX, intptr_t blockY, intptr_t blockZ,
                             int32_t sharedBytes, void *stream,
                             void **parameters, void **extra) {
  LaunchAttribute cluster = {};
  cluster.id = launchClusterDimension;
  cluster.dimension[0] = extent(clusterX, "cluster");
  cluster.dimension[1] = extent(clusterY, "cluster");
  cluster.dimension[2] = extent(clusterZ, "cluster");
  LaunchConfig config = {};
  config.grid[0] = extent(gridX, "grid");
  config.grid[1] = extent(gridY, "grid");
  config.grid[2] = extent(gridZ, "grid");
  config.block[0] = extent(blockX, "block");
  config.block[1] = extent(blockY, "block");
  config.block[2] = extent(blockZ, "block");
  config.sharedBytes = unsigned(sharedBytes);
  config.stream = stream;
  config.attributes = &cluster;
  config.attributeCount = 1;
  allowShared(function, sharedBytes);
  if (uint64_t(cluster.dimension[0]) * cluster.dimension[1] *
          cluster.dimension[2] >
      portableCluster)
    require(driver.cuFuncSetAttribute(function, attributeNonPortableCluster, 1),
            "cannot launch with clusters of that size");
  require(driver.cuLaunchKernelEx(&config, function, parameters, extra),
          "cannot launch the kernel");
}

void *mgpuStreamCreate() {
  if (settings.isOneStream)
    return settings.stream;
  void *stream = nullptr;
  require(driver.cuStreamCreate(&stream, streamNonBlocking), "cuStreamCreate");
  return stream;
}

void mgpuStreamDestroy(void *stream) {
  if (!settings.isOneStream)
    require(driver.cuStreamDestroy_v2(stream), "cuStreamDestroy");
}

void mgpuStreamSynchronize(void *stream) {
  require(driver.cuStreamSynchronize(stream), "while it was waited for work");
}

void mgpuStreamWaitEvent(void *stream, void *event) {
  require(driver.cuStreamWaitEvent(stream, event, /*flags=*/0),
          "cuStreamWaitEvent");
}

void *mgpuEventCreate() {
  void *event = nullptr;
  require(driver.cuEventCreate(&event, eventDisableTiming), "cuEventCreate");
  return event;
}

void mgpuEventDestroy(void *event) {
  require(driver.cuEventDestroy_v2(event), "cuEventDestroy");
}

void mgpuEventSynchronize(void *event) {
  require(driver.cuEventSynchronize(event), "while it was waited for work");
}

void mgpuEventRecord(void *event, void *stream) {
  require(driver.cuEventRecord(event, stream), "cuEventRecord");
}

void *mgpuMemAlloc(uint64_t bytes, void *, bool isHostShared) {
  if (bytes == 0)
    return nullptr;
  uint64_t at = 0;
  require(isHostShared ? driver.cuMemAllocManaged(&at, bytes, attachGlobal)
                       : driver.cuMemAlloc_v2(&at, bytes),
          "cannot allocate device memory");
  return reinterpret_cast<void *>(at);
}

void mgpuMemFree(void *pointer, void *) {
  if (pointer)
    require(driver.cuMemFree_v2(address(pointer)),
            "cannot release device memory");
}

void mgpuMemcpy(void *to, void *from, size_t bytes, void *stream) {
  if (bytes)
    require(driver.cuMemcpyAsync(address(to), address(from), bytes, stream),
            "cannot copy");
}

void mgpuMemset16(void *at, uint16_t value, size_t count, void *stream) {
  if (count)
    require(driver.cuMemsetD16Async(address(at), value, count, stream),
            "cannot fill");
}

void mgpuMemset32(void *at, uint32_t value, size_t count, void *stream) {
  if (count)
    require(driver.cuMemsetD32Async(address(at), value, count, stream),
            "cannot fill");
}

void mgpuMemHostRegister(void *memory, uint64_t bytes) {
  require(driver.cuMemHostRegister_v2(memory, bytes, /*flags=*/0),
          "cannot register memory of the host");
}

void mgpuMemHostRegisterMemRef(int64_t rank, void *memref,
                               int64_t elementSize) {
  auto *descriptor = static_cast<Descriptor *>(memref);
  mgpuMemHostRegister(descriptor->aligned + descriptor->offset * elementSize,
                      bytesOf(rank, descriptor, elementSize));
}

void mgpuMemHostUnregister(void *memory) {
  require(driver.cuMemHostUnregister(memory),
          "cannot release memory of the host");
}

void mgpuMemHostUnregisterMemRef(int64_t, void *memref, int64_t elementSize) {
  auto *descriptor = static_cast<Descriptor *>(memref);
  mgpuMemHostUnregister(descriptor->aligned + descriptor->offset * elementSize);
}

static void mapToDevice(Vector *result, const Vector *host) {
  uint64_t at = 0;
  require(driver.cuMemHostGetDevicePointer_v2(&at, host->aligned, /*flags=*/0),
          "the memory of the host is not registered");
  *result = *host;
  result->allocated = result->aligned = reinterpret_cast<void *>(at);
}

Vector mgpuMemGetDeviceMemRef1dFloat(void *allocated, void *aligned,
                                     int64_t offset, int64_t extent,
                                     int64_t stride) {
  Vector host = {allocated, aligned, offset, extent, stride}, result;
  mapToDevice(&result, &host);
  return result;
}

Vector mgpuMemGetDeviceMemRef1dInt32(void *allocated, void *aligned,
                                     int64_t offset, int64_t extent,
                                     int64_t stride) {
  return mgpuMemGetDeviceMemRef1dFloat(allocated, aligned, offset, extent,
                                       stride);
}

void _mlir_ciface_mgpuMemGetDeviceMemRef1dFloat(Vector *result, Vector *host) {
  mapToDevice(result, host);
}

void _mlir_ciface_mgpuMemGetDeviceMemRef1dInt32(Vector *result, Vector *host) {
  mapToDevice(result, host);
}

void mgpuSetDefaultDevice(int32_t device) {
  if (device == settings.device)
    return;
  char message[96];
  std::snprintf(message, sizeof(message), "expected device %d but got %d",
                settings.device, device);
  leave("", message);
}

void mgpuTensorMapEncodeTiled(void *map, int32_t type, uint32_t rank,
                              void *address, const uint64_t *extents,
                              const uint64_t *strides, const uint32_t *box,
                              const uint32_t *steps, int32_t interleave,
                              int32_t swizzle, int32_t promotion,
                              int32_t fill) {
  require(driver.cuTensorMapEncodeTiled(map, type, rank, address, extents,
                                        strides, box, steps, interleave,
                                        swizzle, promotion, fill),
          "the driver refuses the tensor map");
}

void *mgpuTensorMapEncodeTiledMemref(int64_t rank, void *memref, int64_t type,
                                     int64_t interleave, int64_t swizzle,
                                     int64_t promotion, int64_t fill,
                                     int64_t *box) {
  if (rank < 1 || rank > int64_t(largestRank))
    leave("", "a tensor map is of a memref of rank 1 to 5");
  auto *descriptor = static_cast<Descriptor *>(memref);
  const int64_t *memrefStrides = descriptor->numbers + rank;
  if (memrefStrides[rank - 1] != 1)
    leave("", "a tensor map is of a memref whose elements are contiguous along "
              "the last dimension");
  uint64_t bytes = elementBytes(type);
  // The driver counts dimensions from the innermost.
  uint64_t extents[largestRank], strides[largestRank];
  uint32_t boxes[largestRank], steps[largestRank] = {1, 1, 1, 1, 1};
  for (int64_t i = 0; i < rank; ++i) {
    int64_t axis = rank - 1 - i;
    extents[i] = uint64_t(descriptor->numbers[axis]);
    boxes[i] = uint32_t(box[axis]);
    if (i > 0)
      strides[i - 1] = uint64_t(memrefStrides[axis]) * bytes;
  }
  TensorMap map;
  mgpuTensorMapEncodeTiled(&map, int32_t(type), uint32_t(rank),
                           descriptor->aligned +
                               descriptor->offset * int64_t(bytes),
                           extents, strides, boxes, steps, int32_t(interleave),
                           int32_t(swizzle), int32_t(promotion), int32_t(fill));
  return onDevice(map);
}

} // extern "C"
