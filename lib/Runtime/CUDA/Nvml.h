//===- Nvml.h - Clocks of the device ----------------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Read where NVML is there; what cannot be read stays absent. Nothing is ever
// set.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_RUNTIME_CUDA_NVML_H
#define PTXBENCH_LIB_RUNTIME_CUDA_NVML_H

#include "ptxbench/Runtime/Run.h"

#include <string>

namespace ptxbench {

class Nvml {
public:
  /// Opens NVML for the device at `pciBusId`. Never fails: without NVML
  /// readings are empty.
  explicit Nvml(const std::string &pciBusId);

  ClockReading read() const;
  /// "580.159.04"; empty if not known.
  std::string driverVersion() const;

private:
  struct Api {
#define PTXBENCH_NVML(name, result, parameters)                                \
  result(*name) parameters = nullptr;
#include "NvmlSymbols.def"
  };
  Api api;
  void *device = nullptr;
  bool initialised = false;
};

} // namespace ptxbench

#endif // PTXBENCH_LIB_RUNTIME_CUDA_NVML_H
