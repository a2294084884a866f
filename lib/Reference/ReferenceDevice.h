//===- ReferenceDevice.h - A GPU that computes references -------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The driver is opened at run time. Each thread has a stream of its own, and
// keeps the memory that it released: what one operation leaves, the next one on
// the stream may use. What goes wrong ends the process, as everything at the
// run time of a reference does.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_REFERENCE_REFERENCEDEVICE_H
#define PTXBENCH_LIB_REFERENCE_REFERENCEDEVICE_H

#include "ReferenceFile.h"
#include "llvm/Support/Error.h"

#include <memory>

namespace ptxbench {

class ReferenceDevice {
public:
  virtual ~ReferenceDevice();

  static llvm::Expected<std::unique_ptr<ReferenceDevice>> open(int ordinal);

  /// "NVIDIA H200".
  virtual llvm::StringRef name() const = 0;
  /// "sm_90".
  virtual llvm::StringRef chip() const = 0;
  /// Loads the kernels that launch() numbers.
  virtual llvm::Error load(const DeviceCode &code) = 0;

  // What follows is on the stream of the calling thread.

  /// The memory is NaN.
  virtual uint64_t allocate(uint64_t bytes) = 0;
  virtual void release(uint64_t address) = 0;
  virtual void write(uint64_t to, const void *from, uint64_t bytes) = 0;
  /// Waits for all before it.
  virtual void read(void *to, uint64_t from, uint64_t bytes) = 0;
  virtual void launch(int64_t kernel, int64_t x, int64_t y, int64_t z,
                      void **parameters) = 0;
};

/// Ends the process with a message. Only what is allowed in a signal handler.
[[noreturn]] void endReference(llvm::StringRef message, int status);

} // namespace ptxbench

#endif // PTXBENCH_LIB_REFERENCE_REFERENCEDEVICE_H
