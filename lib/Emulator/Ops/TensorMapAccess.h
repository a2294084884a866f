//===- TensorMapAccess.h - Reading tensor maps ------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operand `tensorMap` of tensor copies: a generic address of a map in
// `.param`, `.const` or `.global` memory.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_OPS_TENSORMAPACCESS_H
#define PTXBENCH_LIB_EMULATOR_OPS_TENSORMAPACCESS_H

#include "BulkOperands.h"
#include "ptxbench/Emulator/TensorMap.h"

namespace ptxbench::emulator {

/// The 128 bytes of a map at a generic address; null after a fault.
const uint8_t *findTensorMap(const Issuer &issuer, uint64_t address);
/// The map there; false after a fault.
bool readTensorMap(const Issuer &issuer, uint64_t address, TensorMap &map);

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_OPS_TENSORMAPACCESS_H
