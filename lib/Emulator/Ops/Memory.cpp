//===- Memory.cpp - Loads and stores ------------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA "ld", "st".
//
//===----------------------------------------------------------------------===//

#include "InstDesc.h"
#include "MemoryAccess.h"
#include "llvm/ADT/bit.h"

#include <cstring>

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

/// ops: address, value; imm: offset; flags[0]: space, flags[1]: whether the
/// address has 32 bits.
template <class T>
static void load(Warp &warp, const Inst &inst, LaneMask mask) {
  T *d = row<T>(warp, inst.ops[1]);
  forEachAddress(warp, inst, mask, sizeof(T), [&](unsigned lane, char *bytes) {
    std::memcpy(d + lane, bytes, sizeof(T));
  });
}

template <class T>
static void store(Warp &warp, const Inst &inst, LaneMask mask) {
  const T *s = row<T>(warp, inst.ops[1]);
  forEachAddress(warp, inst, mask, sizeof(T), [&](unsigned lane, char *bytes) {
    std::memcpy(bytes, s + lane, sizeof(T));
  });
  ++warp.cta->cluster->progress;
}

bool ptxbench::emulator::selectMemory(const InstDesc &desc, Inst &inst,
                                      OwnExtra &) {
  bool isLoad = desc.opcode == Opcode::ld;
  if (!isLoad && desc.opcode != Opcode::st)
    return false;
  const OperandDesc &address = desc.operands[isLoad ? 1 : 0];
  const OperandDesc &value = desc.operands[isLoad ? 0 : 1];
  if (address.kind != OperandDesc::Address || !value.isRow() ||
      value.bits != value.type.width)
    return false;
  if (!useAddress(desc, address, inst))
    return false;
  inst.ops[1] = value.slot;
  switch (value.bits) {
  case 8:
    inst.handler = isLoad ? load<uint8_t> : store<uint8_t>;
    break;
  case 16:
    inst.handler = isLoad ? load<uint16_t> : store<uint16_t>;
    break;
  case 32:
    inst.handler = isLoad ? load<uint32_t> : store<uint32_t>;
    break;
  case 64:
    inst.handler = isLoad ? load<uint64_t> : store<uint64_t>;
    break;
  }
  return inst.handler;
}
