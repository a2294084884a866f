//===- MatrixMove.cpp - ldmatrix, stmatrix, movmatrix ---------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA "ldmatrix", "stmatrix", "movmatrix" of 8 x 8 elements of 16 bits.
//
//===----------------------------------------------------------------------===//

#include "../Matrix/MatrixMove.h"
#include "../Checks/UndefinedValues.h"
#include "MatrixOps.h"
#include "MemoryAccess.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

/// ops behind the address: the matrices.
static constexpr unsigned firstMatrix = 1;
/// Of Inst::flags behind those of the address.
enum { Transposed = 2, Count = 3 };

static constexpr unsigned rowOfMatrixBytes = sizeof(MatrixRows) / 8;

/// The lanes that have addresses.
static LaneMask addressLanes(const Inst &inst) {
  return maskTrailingOnes<uint32_t>(addressLane(inst.flags[Count], 0));
}

static Step executeLoad(Warp &warp, const Inst &inst, LaneMask &mask) {
  Step step;
  if (!isWholeWarp(warp, inst, mask, step))
    return step;
  // The registers may be that of the address.
  MatrixRows matrices[4], undefined[4];
  LaneMask lanes = addressLanes(inst), read = 0;
  bool watches = watchesUndefined(warp);
  forEachAddress(
      warp, inst, lanes, rowOfMatrixBytes, [&](unsigned lane, char *bytes) {
        watch(warp, inst, lane, AccessKind::Read, bytes, rowOfMatrixBytes);
        std::memcpy(matrices[lane / 8][lane % 8], bytes, rowOfMatrixBytes);
        if (watches)
          readUndefined(warp, bytes, undefined[lane / 8][lane % 8],
                        rowOfMatrixBytes);
        read |= 1u << lane;
      });
  if (read != lanes)
    return Step::Ended;
  for (unsigned i = 0; i < inst.flags[Count]; ++i)
    distributeMatrix(matrices[i], inst.flags[Transposed],
                     row<uint32_t>(warp, inst.ops[firstMatrix + i]));
  for (unsigned i = 0; watches && i < inst.flags[Count]; ++i) {
    Slot slot = inst.ops[firstMatrix + i];
    distributeMatrix(undefined[i], inst.flags[Transposed],
                     undefinedResult<uint32_t>(warp, slot));
    originOf(*warp.frame, slot) = warp.launch->program->sourceOf(inst).line;
  }
  return Step::Next;
}

static Step executeStore(Warp &warp, const Inst &inst, LaneMask &mask) {
  Step step;
  if (!isWholeWarp(warp, inst, mask, step))
    return step;
  MatrixRows matrices[4], undefined[4];
  bool watches = watchesUndefined(warp);
  for (unsigned i = 0; i < inst.flags[Count]; ++i) {
    Slot slot = inst.ops[firstMatrix + i];
    collectMatrix(row<const uint32_t>(warp, slot), inst.flags[Transposed],
                  matrices[i]);
    if (watches)
      collectMatrix(undefinedRow<uint32_t>(warp, slot), inst.flags[Transposed],
                    undefined[i]);
  }
  forEachAddress(
      warp, inst, addressLanes(inst), rowOfMatrixBytes,
      [&](unsigned lane, char *bytes) {
        watch(warp, inst, lane, AccessKind::Write, bytes, rowOfMatrixBytes);
        std::memcpy(bytes, matrices[lane / 8][lane % 8], rowOfMatrixBytes);
        if (watches)
          writeUndefined(warp, bytes, undefined[lane / 8][lane % 8],
                         rowOfMatrixBytes);
      });
  ++warp.cta->cluster->progress;
  return Step::Next;
}

static Step executeTranspose(Warp &warp, const Inst &inst, LaneMask &mask) {
  Step step;
  if (!isWholeWarp(warp, inst, mask, step))
    return step;
  uint32_t from[warpSize];
  std::memcpy(from, row(warp, inst.ops[1]), sizeof(from));
  transposeMatrix(from, row<uint32_t>(warp, inst.ops[0]));
  return Step::Next;
}

bool ptxbench::emulator::selectMatrixMove(const InstDesc &desc, Inst &inst,
                                          OwnExtra &) {
  if (desc.opcode == Opcode::movmatrix) {
    inst.control = executeTranspose;
    return desc.operands.size() == 2 && desc.operands[0].bits == 32 &&
           desc.operands[1].bits == 32 && useRows(desc, inst);
  }
  bool isLoad = desc.opcode == Opcode::ldmatrix;
  if (!isLoad && desc.opcode != Opcode::stmatrix)
    return false;
  std::optional<MatrixShape> shape = shapeOf(desc);
  const OperandDesc *address = desc.find("p"), *registers = desc.find("r");
  RowSlots slots;
  // Other shapes came after sm_90.
  if (!shape || shape->m != 8 || shape->n != 8 || !address || !registers ||
      !useAddress(desc, *address, inst) || !useVector(*registers, 32, slots) ||
      slots.empty() || slots.size() > 4)
    return false;
  llvm::copy(slots, inst.ops + firstMatrix);
  inst.flags[Transposed] = desc.has(Mod::trans);
  inst.flags[Count] = slots.size();
  inst.control = isLoad ? executeLoad : executeStore;
  return true;
}
