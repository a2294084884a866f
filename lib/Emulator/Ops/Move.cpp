//===- Move.cpp - Moving data between registers -------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA "mov": of one register, packing and unpacking of vectors.
//
//===----------------------------------------------------------------------===//

#include "Control.h"
#include "InstDesc.h"
#include "Lanes.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

bool ptxbench::emulator::selectMove(const InstDesc &desc, Inst &inst,
                                    OwnExtra &) {
  if (desc.opcode != Opcode::mov || !useRows(desc, inst))
    return false;
  if (desc.operands[0].bits == desc.operands[1].bits)
    inst.handler = getCopyHandler(desc.operands[0].bits);
  return inst.handler;
}
