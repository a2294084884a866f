//===- Float.cpp - Floating-point arithmetic ----------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA "Floating Point Instructions".
//
//===----------------------------------------------------------------------===//

#include "InstDesc.h"
#include "Lanes.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

namespace {
struct FmaF32 {
  static PTXBENCH_INLINE float apply(float a, float b, float c) {
    return __builtin_fmaf(a, b, c);
  }
};
} // namespace

bool ptxbench::emulator::selectFloat(const InstDesc &desc, Inst &inst,
                                     OwnExtra &) {
  if (desc.operands.empty() || !useRows(desc, inst))
    return false;
  if (desc.opcode == Opcode::fma && desc.has(Mod::rn) && desc.has(Mod::f32) &&
      desc.mods.size() == 2)
    inst.handler = mapLanes<FmaF32, float, float, float, float>;
  return inst.handler;
}
