//===- Device.h - A device, its context, stream and tensors -----*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory comes from plain allocations of the driver API. Every tensor lies
// between two guards whose bytes are checked after a call.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_RUNTIME_CUDA_DEVICE_H
#define PTXBENCH_LIB_RUNTIME_CUDA_DEVICE_H

#include "Api.h"
#include "ptxbench/Runtime/Roofline.h"
#include "ptxbench/Runtime/Run.h"
#include "llvm/ADT/ArrayRef.h"

#include <map>
#include <memory>

namespace ptxbench {

class Device;

/// Device memory that is freed with its owner.
class DeviceBuffer {
public:
  DeviceBuffer() = default;
  DeviceBuffer(DeviceBuffer &&other) { *this = std::move(other); }
  DeviceBuffer &operator=(DeviceBuffer &&other);
  ~DeviceBuffer();

  CUdeviceptr address() const { return base; }
  uint64_t size() const { return bytes; }

private:
  friend class Device;
  const DriverApi *api = nullptr;
  CUdeviceptr base = 0;
  uint64_t bytes = 0;
};

class Device {
public:
  /// Opens the device, makes its primary context current, makes a stream.
  static llvm::Expected<std::unique_ptr<Device>> open(int ordinal);

  const DriverApi &api() const { return driver; }
  CUcontext context() const { return ctx; }
  CUstream stream() const { return mainStream; }
  int ordinal() const { return index; }
  /// Size of the L2 cache in bytes.
  uint64_t l2Bytes() const { return l2; }
  /// What bounds its speed.
  DeviceFacts facts() const;
  /// "00000000:0A:00.0"; empty if not known.
  std::string pciBusId() const;
  /// "device", "compute_capability", "multiprocessors", "cuda".
  std::map<std::string, std::string> describe() const;

  llvm::Expected<DeviceBuffer> allocate(uint64_t bytes,
                                        const llvm::Twine &what) const;
  llvm::Error upload(CUdeviceptr to, llvm::ArrayRef<uint8_t> from) const;
  llvm::Error download(llvm::MutableArrayRef<uint8_t> to,
                       CUdeviceptr from) const;
  /// Puts the filling on the stream.
  llvm::Error fill(CUdeviceptr at, uint8_t byte, uint64_t bytes) const;
  /// Puts on the stream the filling of `count` elements with the pattern that
  /// no result has (see fillPoison).
  llvm::Error poison(CUdeviceptr at, ElementType type, uint64_t count) const;
  /// Waits for all work of the context, whatever its stream.
  llvm::Error synchronize(const llvm::Twine &what) const;

private:
  explicit Device(const DriverApi &driver) : driver(driver) {}
  int attribute(CUdevice_attribute attribute) const;

  const DriverApi &driver;
  int index = 0;
  CUdevice device = 0;
  CUcontext ctx = nullptr;
  CUstream mainStream = nullptr;
  uint64_t l2 = 0;
};

/// The memory of one tensor between two guards.
class GuardedTensor {
public:
  static llvm::Expected<GuardedTensor> allocate(const Device &device,
                                                const ArgumentSpec &spec);

  const ArgumentSpec &spec() const { return tensor; }
  CUdeviceptr data() const { return buffer.address() + guardBytes; }
  /// An error that says how many guard bytes were overwritten, if any.
  llvm::Error checkGuards(const Device &device) const;

private:
  static constexpr uint64_t guardBytes = uint64_t(64) << 10;
  static constexpr uint8_t guardByte = 0xa5;

  ArgumentSpec tensor;
  DeviceBuffer buffer;
};

} // namespace ptxbench

#endif // PTXBENCH_LIB_RUNTIME_CUDA_DEVICE_H
