//===- RegisterPool.h - setmaxnreg ------------------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The registers of warps, of which only `setmaxnreg` knows that there is an
// end.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_OPS_REGISTERPOOL_H
#define PTXBENCH_LIB_EMULATOR_OPS_REGISTERPOOL_H

#include "../Machine/Machine.h"

namespace ptxbench::emulator {

/// With how many registers per thread a kernel starts whose directives allow
/// `allowed` (0: they do not say); 0 if no `setmaxnreg` counts. The assembler
/// gives it no more than it asks for.
uint32_t registersAtLaunch(const Program &program, uint32_t allowed);
/// Gives a warp the registers of its start.
void startRegisters(Warp &warp);
/// Reports warps that did not execute what their warpgroup did.
void checkRegistersAtEnd(Cta &cta);

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_OPS_REGISTERPOOL_H
