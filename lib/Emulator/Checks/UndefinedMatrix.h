//===- UndefinedMatrix.h - Undefined rows and columns --------- -*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which rows of A and columns of B have an undefined element.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_CHECKS_UNDEFINEDMATRIX_H
#define PTXBENCH_LIB_EMULATOR_CHECKS_UNDEFINEDMATRIX_H

#include "../Matrix/Panels.h"

#include <bitset>

namespace ptxbench::emulator {

using LineSet = std::bitset<PackedLines::maxLines>;

/// Of lines that have been gathered from undefined bits.
LineSet undefinedLines(const PackedLines &lines);

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_CHECKS_UNDEFINEDMATRIX_H
