//===- PtxModule.h - Device code on the emulated device ------- -*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX text, imported and loaded. Also which of its instructions are target
// instructions, by place, since a trace counts those.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_RUNTIME_EMULATEDCUDA_PTXMODULE_H
#define PTXBENCH_LIB_RUNTIME_EMULATEDCUDA_PTXMODULE_H

#include "ptxbench/Emulator/Emulator.h"
#include "llvm/ADT/ArrayRef.h"

#include <memory>
#include <string>

namespace ptxbench::emulated {

class PtxModule {
public:
  virtual ~PtxModule();

  /// Imports and loads; an error has every diagnostic of the text.
  static llvm::Expected<std::unique_ptr<PtxModule>>
  create(std::string text, emulator::Device &device);

  virtual emulator::LoadedModule &loaded() = 0;
  /// Of the text, in hex.
  virtual const std::string &sha256() const = 0;
  virtual bool isTarget(unsigned line, unsigned column) const = 0;
};

/// The PTX that a device of `computeCapability` (90) runs: that of the fat
/// binary, or of the text, that begins at `image`. An error says why there is
/// none.
llvm::Expected<std::string> selectPtx(const void *image,
                                      unsigned computeCapability);

} // namespace ptxbench::emulated

#endif // PTXBENCH_LIB_RUNTIME_EMULATEDCUDA_PTXMODULE_H
