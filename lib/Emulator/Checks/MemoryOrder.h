//===- MemoryOrder.h - Orders and scopes of accesses ---------- -*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA "Operation Types", "Scope": what the modifiers of an instruction say
// about the order of other accesses. It fits in one byte of Inst::flags.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_CHECKS_MEMORYORDER_H
#define PTXBENCH_LIB_EMULATOR_CHECKS_MEMORYORDER_H

#include "Shadow.h"

namespace ptxbench::emulator {

struct MemoryOrder {
  /// Scope::None: a weak access.
  Scope scope = Scope::None;
  bool acquires = false, releases = false;

  uint8_t pack() const {
    return uint8_t(scope) | uint8_t(acquires) << 2 | uint8_t(releases) << 3;
  }
  static MemoryOrder unpack(uint8_t packed) {
    return {Scope(packed & 3), bool(packed & 4), bool(packed & 8)};
  }
};

/// Which of Inst::flags holds it, in instructions that have one.
constexpr unsigned orderFlag = 4;

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_CHECKS_MEMORYORDER_H
