//===- Device.cpp - One device with its context, stream and tensors -------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The stream is a blocking one: work that a candidate puts on the legacy
// default stream is ordered with it.
//
//===----------------------------------------------------------------------===//

#include "Device.h"

#include <vector>

using namespace llvm;
using namespace ptxbench;

DeviceBuffer &DeviceBuffer::operator=(DeviceBuffer &&other) {
  std::swap(api, other.api);
  std::swap(base, other.base);
  std::swap(bytes, other.bytes);
  return *this;
}

DeviceBuffer::~DeviceBuffer() {
  if (base)
    api->cuMemFree_v2(base);
}

int Device::attribute(CUdevice_attribute attribute) const {
  int value = 0;
  driver.cuDeviceGetAttribute(&value, attribute, device);
  return value;
}

Expected<std::unique_ptr<Device>> Device::open(int ordinal) {
  Expected<const DriverApi *> api = DriverApi::get();
  if (!api)
    return api.takeError();
  const DriverApi &driver = **api;
  if (Error error = driver.check(driver.cuInit(0), "cuInit"))
    return std::move(error);
  int count = 0;
  if (Error error =
          driver.check(driver.cuDeviceGetCount(&count), "cuDeviceGetCount"))
    return std::move(error);
  if (ordinal < 0 || ordinal >= count)
    return makeFailure("NO_DEVICE", "expected a device below " + Twine(count) +
                                        " but got " + Twine(ordinal));
  std::unique_ptr<Device> result(new Device(driver));
  result->index = ordinal;
  if (Error error = driver.check(driver.cuDeviceGet(&result->device, ordinal),
                                 "cuDeviceGet"))
    return std::move(error);
  if (Error error = driver.check(
          driver.cuDevicePrimaryCtxRetain(&result->ctx, result->device),
          "cuDevicePrimaryCtxRetain"))
    return std::move(error);
  if (Error error =
          driver.check(driver.cuCtxSetCurrent(result->ctx), "cuCtxSetCurrent"))
    return std::move(error);
  if (Error error = driver.check(
          driver.cuStreamCreate(&result->mainStream, CU_STREAM_DEFAULT),
          "cuStreamCreate"))
    return std::move(error);
  result->l2 = uint64_t(result->attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE));
  return std::move(result);
}

std::string Device::pciBusId() const {
  char text[64] = {};
  if (driver.cuDeviceGetPCIBusId(text, sizeof(text) - 1, device) !=
      CUDA_SUCCESS)
    return "";
  return text;
}

DeviceFacts Device::facts() const {
  DeviceFacts facts;
  facts.computeMajor = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  facts.computeMinor = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  facts.multiprocessors = attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  facts.clockKHz = attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
  facts.memoryClockKHz = attribute(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
  facts.memoryBusBits = attribute(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
  facts.l2Bytes = l2;
  return facts;
}

std::map<std::string, std::string> Device::describe() const {
  std::map<std::string, std::string> facts;
  char name[256] = {};
  if (driver.cuDeviceGetName(name, sizeof(name) - 1, device) == CUDA_SUCCESS)
    facts["device"] = name;
  facts["compute_capability"] =
      std::to_string(attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)) +
      "." +
      std::to_string(attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
  facts["multiprocessors"] =
      std::to_string(attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT));
  int version = 0;
  if (driver.cuDriverGetVersion(&version) == CUDA_SUCCESS)
    facts["cuda"] = cudaVersionText(version);
  return facts;
}

Expected<DeviceBuffer> Device::allocate(uint64_t bytes,
                                        const Twine &what) const {
  DeviceBuffer buffer;
  if (Error error = driver.check(driver.cuMemAlloc_v2(&buffer.base, bytes),
                                 "cannot allocate " + Twine(bytes) +
                                     " bytes of device memory for " + what))
    return std::move(error);
  buffer.api = &driver;
  buffer.bytes = bytes;
  return std::move(buffer);
}

Error Device::upload(CUdeviceptr to, ArrayRef<uint8_t> from) const {
  return driver.check(driver.cuMemcpyHtoD_v2(to, from.data(), from.size()),
                      "copy to the device");
}

Error Device::download(MutableArrayRef<uint8_t> to, CUdeviceptr from) const {
  return driver.check(driver.cuMemcpyDtoH_v2(to.data(), from, to.size()),
                      "copy from the device");
}

Error Device::fill(CUdeviceptr at, uint8_t byte, uint64_t bytes) const {
  return driver.check(driver.cuMemsetD8Async(at, byte, bytes, mainStream),
                      "fill device memory");
}

Error Device::poison(CUdeviceptr at, ElementType type, uint64_t count) const {
  std::optional<uint64_t> bits = poisonBits(type);
  unsigned size = sizeOf(type);
  const char *what = "fill an output";
  if (!bits || size == 1)
    return fill(at, bits ? uint8_t(*bits) : 0xa5, count * size);
  if (size == 2)
    return driver.check(
        driver.cuMemsetD16Async(at, uint16_t(*bits), count, mainStream), what);
  // Wider elements are columns of words.
  for (unsigned word = 0; word < size / 4; ++word)
    if (Error error = driver.check(
            driver.cuMemsetD2D32Async(at + 4 * word, size,
                                      uint32_t(*bits >> (32 * word)), 1, count,
                                      mainStream),
            what))
      return error;
  return Error::success();
}

Error Device::synchronize(const Twine &what) const {
  return driver.check(driver.cuCtxSynchronize(), what);
}

Expected<GuardedTensor> GuardedTensor::allocate(const Device &device,
                                                const ArgumentSpec &spec) {
  GuardedTensor result;
  result.tensor = spec;
  uint64_t bytes = spec.bytes();
  Expected<DeviceBuffer> buffer =
      device.allocate(bytes + 2 * guardBytes, "tensor '" + spec.name + "'");
  if (!buffer)
    return buffer.takeError();
  result.buffer = std::move(*buffer);
  if (Error error =
          device.fill(result.buffer.address(), guardByte, result.buffer.size()))
    return std::move(error);
  return std::move(result);
}

Error GuardedTensor::checkGuards(const Device &device) const {
  std::vector<uint8_t> bytes(guardBytes);
  const std::pair<const char *, CUdeviceptr> guards[] = {
      {"before", buffer.address()}, {"behind", data() + tensor.bytes()}};
  for (auto [side, address] : guards) {
    if (Error error = device.download(bytes, address))
      return error;
    uint64_t wrong = 0;
    for (uint8_t byte : bytes)
      wrong += byte != guardByte;
    if (wrong)
      return makeFailure("GUARD_OVERWRITTEN",
                         Twine(wrong) + " of the " + Twine(guardBytes) +
                             " guard bytes " + side + " tensor '" +
                             tensor.name + "' were overwritten");
  }
  return Error::success();
}
