//===- ReferenceDevice.cpp - A GPU that computes references ---------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block has 256 threads: as many along x as there are iterations, the rest
// along y. Kernels step by the grid, so its limits do not limit them.
//
//===----------------------------------------------------------------------===//

#include "ReferenceDevice.h"
#include "DeviceCalls.h"
#include "ptxbench/Support/DynamicLibrary.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MathExtras.h"

#include <map>

using namespace ptxbench;
using llvm::StringRef;
using llvm::Twine;

ReferenceDevice::~ReferenceDevice() = default;

namespace {

struct Driver {
#define PTXBENCH_DRIVER(name, parameters) int(*name) parameters = nullptr;
#include "DriverSymbols.def"

  llvm::Error open();
  std::string errorName(int code) const {
    const char *name = nullptr;
    cuGetErrorName(code, &name);
    return name ? name : "CUDA error " + std::to_string(code);
  }
  llvm::Error check(int code, const Twine &what) const {
    if (code == 0)
      return llvm::Error::success();
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   what + ": " + errorName(code));
  }
};

// From cuda.h.
constexpr int attributeMajor = 75, attributeMinor = 76;
constexpr int errorOutOfMemory = 2, errorIllegalAddress = 700,
              errorAssert = 710;
constexpr unsigned streamNonBlocking = 1;

/// What a thread has on a device.
struct Queue {
  void *stream = nullptr;
  /// Sizes of all blocks, and those that are free.
  llvm::DenseMap<uint64_t, uint64_t> sizes;
  std::multimap<uint64_t, uint64_t> unused;
};

class CudaReferenceDevice : public ReferenceDevice {
public:
  llvm::Error open(int ordinal);

  StringRef name() const override { return deviceName; }
  StringRef chip() const override { return chipName; }
  llvm::Error load(const DeviceCode &code) override;
  uint64_t allocate(uint64_t bytes) override;
  void release(uint64_t address) override;
  void write(uint64_t to, const void *from, uint64_t bytes) override;
  void read(void *to, uint64_t from, uint64_t bytes) override;
  void launch(int64_t kernel, int64_t x, int64_t y, int64_t z,
              void **parameters) override;

private:
  Queue &queue();
  /// Ends the process if that is an error.
  void require(int code, const char *what);

  Driver driver;
  void *context = nullptr;
  std::string deviceName, chipName;
  std::vector<void *> functions;
};

} // namespace

llvm::Error Driver::open() {
  llvm::Expected<DynamicLibrary> library =
      DynamicLibrary::open("the CUDA driver", {"libcuda.so.1", "libcuda.so"});
  if (!library)
    return library.takeError();
#define PTXBENCH_DRIVER(name, parameters)                                      \
  if (llvm::Error error = library->lookUp(#name, name))                        \
    return error;
#include "DriverSymbols.def"
  return llvm::Error::success();
}

llvm::Error CudaReferenceDevice::open(int ordinal) {
  if (llvm::Error error = driver.open())
    return error;
  int count = 0, device = 0, major = 0, minor = 0;
  if (llvm::Error error = driver.check(driver.cuInit(0), "cuInit"))
    return error;
  if (llvm::Error error =
          driver.check(driver.cuDeviceGetCount(&count), "cuDeviceGetCount"))
    return error;
  if (ordinal < 0 || ordinal >= count)
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "expected a device below " + Twine(count) +
                                       " but got " + Twine(ordinal));
  if (llvm::Error error =
          driver.check(driver.cuDeviceGet(&device, ordinal), "cuDeviceGet"))
    return error;
  char text[256] = {};
  if (driver.cuDeviceGetName(text, sizeof(text) - 1, device) == 0)
    deviceName = text;
  for (auto [to, attribute] :
       {std::pair(&major, attributeMajor), std::pair(&minor, attributeMinor)})
    if (llvm::Error error =
            driver.check(driver.cuDeviceGetAttribute(to, attribute, device),
                         "cuDeviceGetAttribute"))
      return error;
  chipName = "sm_" + std::to_string(10 * major + minor);
  if (llvm::Error error =
          driver.check(driver.cuDevicePrimaryCtxRetain(&context, device),
                       "cuDevicePrimaryCtxRetain"))
    return error;
  return driver.check(driver.cuCtxSetCurrent(context), "cuCtxSetCurrent");
}

llvm::Error CudaReferenceDevice::load(const DeviceCode &code) {
  if (code.kernels.empty())
    return llvm::Error::success();
  void *module = nullptr;
  if (llvm::Error error =
          driver.check(driver.cuModuleLoadData(&module, code.ptx.c_str()),
                       "cannot load the kernels of the reference"))
    return error;
  for (const std::string &name : code.kernels) {
    functions.push_back(nullptr);
    if (llvm::Error error = driver.check(
            driver.cuModuleGetFunction(&functions.back(), module, name.c_str()),
            "cannot find '" + name + "' in the reference's kernels"))
      return error;
  }
  return llvm::Error::success();
}

void CudaReferenceDevice::require(int code, const char *what) {
  if (code == 0)
    return;
  bool wrong = code == errorIllegalAddress || code == errorAssert;
  endReference("error: " +
                   (code == errorAssert
                        ? "a check of the reference failed on the device"
                    : wrong ? "the reference accessed memory of the device "
                              "that is not there"
                    : code == errorOutOfMemory
                        ? "the reference needs more memory than the device has"
                        : std::string(what) + " failed on the device") +
                   ": " + driver.errorName(code) + "\n",
               wrong ? referenceFailed : referenceTooLarge);
}

Queue &CudaReferenceDevice::queue() {
  static thread_local Queue queue;
  if (!queue.stream) {
    require(driver.cuCtxSetCurrent(context), "cuCtxSetCurrent");
    require(driver.cuStreamCreate(&queue.stream, streamNonBlocking),
            "cuStreamCreate");
  }
  return queue;
}

uint64_t CudaReferenceDevice::allocate(uint64_t bytes) {
  Queue &mine = queue();
  uint64_t size = llvm::alignTo(std::max<uint64_t>(1, bytes), 512);
  uint64_t address = 0;
  // A block of up to twice the size will do.
  auto found = mine.unused.lower_bound(size);
  if (found != mine.unused.end() && found->first <= 2 * size) {
    address = found->second;
    mine.unused.erase(found);
  } else {
    int code = driver.cuMemAlloc_v2(&address, size);
    if (code == errorOutOfMemory && !mine.unused.empty()) {
      require(driver.cuStreamSynchronize(mine.stream), "a kernel");
      for (auto [unusedSize, block] : mine.unused) {
        driver.cuMemFree_v2(block);
        mine.sizes.erase(block);
      }
      mine.unused.clear();
      code = driver.cuMemAlloc_v2(&address, size);
    }
    require(code, "cuMemAlloc");
    mine.sizes[address] = size;
  }
  // All bits set are a NaN.
  require(driver.cuMemsetD8Async(address, 0xff, size, mine.stream),
          "cuMemsetD8Async");
  return address;
}

void CudaReferenceDevice::release(uint64_t address) {
  Queue &mine = queue();
  auto size = mine.sizes.find(address);
  if (size != mine.sizes.end())
    mine.unused.emplace(size->second, address);
}

void CudaReferenceDevice::write(uint64_t to, const void *from, uint64_t bytes) {
  void *stream = queue().stream;
  require(driver.cuMemcpyHtoDAsync_v2(to, from, bytes, stream), "a copy");
  // The memory of the host is the caller's again.
  require(driver.cuStreamSynchronize(stream), "a kernel");
}

void CudaReferenceDevice::read(void *to, uint64_t from, uint64_t bytes) {
  void *stream = queue().stream;
  require(driver.cuMemcpyDtoHAsync_v2(to, from, bytes, stream), "a copy");
  require(driver.cuStreamSynchronize(stream), "a kernel");
}

void CudaReferenceDevice::launch(int64_t kernel, int64_t x, int64_t y,
                                 int64_t z, void **parameters) {
  if (x <= 0 || y <= 0 || z <= 0)
    return;
  constexpr int64_t threads = threadsOfBlock, limitX = 0x7fffffff,
                    limitYZ = 65535;
  int64_t blockX = std::min(x, threads);
  int64_t blockY = std::min(y, threads / blockX);
  auto gridX =
      unsigned(std::min(llvm::divideCeil(x, blockX), uint64_t(limitX)));
  auto gridY =
      unsigned(std::min(llvm::divideCeil(y, blockY), uint64_t(limitYZ)));
  auto gridZ = unsigned(std::min(z, limitYZ));
  require(driver.cuLaunchKernel(functions[size_t(kernel)], gridX, gridY, gridZ,
                                unsigned(blockX), unsigned(blockY), 1,
                                /*sharedBytes=*/0, queue().stream, parameters,
                                /*extra=*/nullptr),
          "a launch");
}

llvm::Expected<std::unique_ptr<ReferenceDevice>>
ReferenceDevice::open(int ordinal) {
  auto device = std::make_unique<CudaReferenceDevice>();
  if (llvm::Error error = device->open(ordinal))
    return llvm::Expected<std::unique_ptr<ReferenceDevice>>(std::move(error));
  return std::unique_ptr<ReferenceDevice>(std::move(device));
}
