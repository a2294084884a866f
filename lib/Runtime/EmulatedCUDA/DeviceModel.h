//===- DeviceModel.h - What an emulated device says of itself - -*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A device model is a file of data: a name, the size of the memory, and the
// attributes under the names that the CUDA runtime gives them
// (cudaDevAttr<name>). An attribute that the file does not have is 0.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_RUNTIME_EMULATEDCUDA_DEVICEMODEL_H
#define PTXBENCH_LIB_RUNTIME_EMULATEDCUDA_DEVICEMODEL_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <map>
#include <string>

namespace ptxbench::emulated {

class DeviceModel {
public:
  /// Reads a model. `path` names the text in errors.
  static llvm::Expected<DeviceModel> parse(llvm::StringRef json,
                                           llvm::StringRef path);
  /// Reads the model `name`, a file "<name>.json" in `folder`, or a path of a
  /// file where it has a slash.
  static llvm::Expected<DeviceModel> load(llvm::StringRef name,
                                          llvm::StringRef folder);

  const std::string &name() const { return deviceName; }
  uint64_t memoryBytes() const { return memory; }
  /// The attribute cudaDevAttr<name>; 0 if the file does not have it.
  int64_t attribute(llvm::StringRef name) const;
  /// Ten times the major plus the minor compute capability.
  unsigned computeCapability() const;

private:
  std::string deviceName;
  uint64_t memory = 0;
  std::map<std::string, int64_t> attributes;
};

} // namespace ptxbench::emulated

#endif // PTXBENCH_LIB_RUNTIME_EMULATEDCUDA_DEVICEMODEL_H
