//===- NamedBarrier.cpp - Barriers of CTAs and clusters -------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arrivals and completion.
//
//===----------------------------------------------------------------------===//

#include "NamedBarrier.h"

using namespace ptxbench::emulator;

void NamedBarrier::arrive(unsigned index, LaneMask arriving, uint32_t count,
                          const Inst &inst) {
  if (lanes.size() <= index)
    lanes.resize(index + 1);
  again += __builtin_popcount(lanes[index] & arriving);
  lanes[index] |= arriving;
  expected = count;
  if (!used)
    first = &inst;
  used = true;
}

void NamedBarrier::complete() {
  lanes.assign(lanes.size(), 0);
  used = false;
  again = expected = 0;
  first = nullptr;
  ++generation;
  lastReduction = reduction;
  reduction = BarrierReduction();
}
