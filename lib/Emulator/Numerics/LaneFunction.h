//===- LaneFunction.h - Functions of one lane -------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the functions of this folder are declared. They compute one lane and are
// called in loops over the 32 lanes of a warp, which become vector code only if
// nothing in them stays a call; and what is inlined is compiled for the
// instruction set of the loop, as a clone for another target needs it.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_NUMERICS_LANEFUNCTION_H
#define PTXBENCH_LIB_EMULATOR_NUMERICS_LANEFUNCTION_H

#if defined(__GNUC__)
#define PTXBENCH_LANE inline __attribute__((always_inline))
#else
#define PTXBENCH_LANE inline
#endif

#endif // PTXBENCH_LIB_EMULATOR_NUMERICS_LANEFUNCTION_H
