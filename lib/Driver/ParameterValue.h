//===- ParameterValue.h - Numbers as bytes of a parameter -------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bytes that a number takes as a kernel parameter of a PTX type.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_DRIVER_PARAMETERVALUE_H
#define PTXBENCH_LIB_DRIVER_PARAMETERVALUE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <vector>

namespace ptxbench {

/// Size in bytes of a PTX type ("u32", "b64", "f16"); 0 for one that no
/// parameter has.
uint64_t parameterTypeBytes(llvm::StringRef type);

/// A number in little-endian bytes of a type: decimal or 0x… for integers
/// (negative ones in two's complement), decimal for f32 and f64. Fails if the
/// number does not fit.
llvm::Expected<std::vector<uint8_t>> encodeParameter(llvm::StringRef value,
                                                     llvm::StringRef type);

} // namespace ptxbench

#endif // PTXBENCH_LIB_DRIVER_PARAMETERVALUE_H
