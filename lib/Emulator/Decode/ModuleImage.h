//===- ModuleImage.h - The variables of a loaded module ---------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `.global` and `.const` variables of a module with addresses and initial
// values, and the numbers that stand for addresses of its functions.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_DECODE_MODULEIMAGE_H
#define PTXBENCH_LIB_EMULATOR_DECODE_MODULEIMAGE_H

#include "../Memory/GlobalMemory.h"
#include "ptxbench/Dialect/PTX/IR/PTXOps.h"
#include "ptxbench/Emulator/Emulator.h"
#include "llvm/ADT/StringMap.h"

#include <memory>
#include <vector>

namespace ptxbench::emulator {

/// Bytes to which a variable or parameter is aligned.
uint64_t alignmentOf(ptx::VarAttr var);

class ModuleImage {
public:
  /// Allocates and initialises the variables. Fails for those that the
  /// emulator has none of (textures) and for external ones.
  static llvm::Expected<std::unique_ptr<ModuleImage>>
  create(mlir::ModuleOp module, GlobalMemory &memory);
  ~ModuleImage();

  /// Variables in `.global` and `.const`.
  llvm::StringMap<LoadedModule::Variable> variables;
  /// Addresses and sizes of those in `.const`.
  std::vector<std::pair<uint64_t, uint64_t>> constVariables;
  /// Variables in `.shared` at module level, in text order.
  std::vector<ptx::VarOp> shared;
  /// The `.func`s with a body; the number of one is its index + 1.
  std::vector<ptx::FuncOp> functions;
  llvm::StringMap<unsigned> functionNumbers;

private:
  explicit ModuleImage(GlobalMemory &memory) : memory(memory) {}
  llvm::Error place(ptx::VarOp var);
  llvm::Error initialise(ptx::VarOp var);

  GlobalMemory &memory;
  std::vector<uint64_t> allocations;
};

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_DECODE_MODULEIMAGE_H
