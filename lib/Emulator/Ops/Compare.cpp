//===- Compare.cpp - Comparison and selection ---------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA "Comparison and Selection Instructions".
//
//===----------------------------------------------------------------------===//

#include "InstDesc.h"
#include "Lanes.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

namespace {
template <class T> struct Lt {
  static PTXBENCH_INLINE bool apply(T a, T b) { return a < b; }
};
} // namespace

/// ops: the result, a, b.
template <class Op, class T>
static void setp(Warp &warp, const Inst &inst, LaneMask mask) {
  setPredicate(warp, inst.ops[0], testLanes<Op, 1, T, T>(warp, inst), mask);
}

bool ptxbench::emulator::selectCompare(const InstDesc &desc, Inst &inst,
                                       OwnExtra &) {
  if (desc.opcode != Opcode::setp || !useRows(desc, inst))
    return false;
  if (desc.has(Mod::lt) && desc.has(Mod::s32) && desc.mods.size() == 2)
    inst.handler = setp<Lt<int32_t>, int32_t>;
  return inst.handler;
}
