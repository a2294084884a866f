//===- EmulatorTestUtils.h - Kernels from text, run and looked at -*- C++ -*-=//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A device with one module made from PTX text.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_TEST_UNIT_EMULATOR_EMULATORTESTUTILS_H
#define PTXBENCH_TEST_UNIT_EMULATOR_EMULATORTESTUTILS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "ptxbench/Emulator/Emulator.h"
#include "gtest/gtest.h"

#include <cstring>
#include <string>
#include <vector>

namespace ptxbench::emulator {

class TestMachine {
public:
  /// Loads `text`, in front of which `.version`, `.target` and
  /// `.address_size` are put unless it begins with `.version`. Errors are
  /// failures of the test.
  explicit TestMachine(const std::string &text);

  /// An array in the memory of the device.
  template <class T> T *allocate(size_t count) {
    return reinterpret_cast<T *>(device->allocate(count * sizeof(T)));
  }
  template <class T> T *upload(const std::vector<T> &values) {
    T *array = allocate<T>(values.size());
    std::copy(values.begin(), values.end(), array);
    return array;
  }

  /// Launches the only (or that) kernel with arguments that lie as C++ lays
  /// out a struct.
  template <class... Args>
  LaunchOutcome launch(Dim3 grid, Dim3 block, Args... args) {
    config.grid = grid;
    config.block = block;
    config.params.clear();
    (append(args), ...);
    return module->launch(kernel.empty() ? module->kernels().front() : kernel,
                          config, options);
  }

  LaunchConfig config;
  EmulatorOptions options;
  std::string kernel;
  std::unique_ptr<Device> device;
  std::unique_ptr<LoadedModule> module;

private:
  template <class T> void append(T value) {
    size_t offset =
        (config.params.size() + alignof(T) - 1) / alignof(T) * alignof(T);
    config.params.resize(offset + sizeof(T));
    std::memcpy(config.params.data() + offset, &value, sizeof(T));
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> op;
};

/// A kernel `k(in, out)` with `body`, where %in and %out are the thread's parts
/// (of 2 to the `inShift` and `outShift` bytes, by %tid.x) of the two arrays,
/// %t is %tid.x, and %p, %h, %r, %d, %q are registers of 1 to 128 bits, %b of
/// 8, numbered from 0. `module` stands before the kernel.
std::string threadKernel(const std::string &body, unsigned inShift,
                         unsigned outShift, const std::string &module = "");

/// The counts of the instructions of a line, summed.
InstructionCount countsOfLine(const LaunchOutcome &outcome, unsigned line);

} // namespace ptxbench::emulator

#endif // PTXBENCH_TEST_UNIT_EMULATOR_EMULATORTESTUTILS_H
