//===- Integer.cpp - Integer arithmetic and logic -----------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA "Integer Arithmetic Instructions", "Logic and Shift Instructions".
//
//===----------------------------------------------------------------------===//

#include "InstDesc.h"
#include "Lanes.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

namespace {

template <class T> struct Add {
  static PTXBENCH_INLINE T apply(T a, T b) { return a + b; }
};
template <class T> struct Sub {
  static PTXBENCH_INLINE T apply(T a, T b) { return a - b; }
};
template <class T> struct And {
  static PTXBENCH_INLINE T apply(T a, T b) { return a & b; }
};
template <class T> struct Or {
  static PTXBENCH_INLINE T apply(T a, T b) { return a | b; }
};
template <class T> struct Xor {
  static PTXBENCH_INLINE T apply(T a, T b) { return a ^ b; }
};
/// Amounts beyond the width count as the width.
template <class T> struct Shl {
  static PTXBENCH_INLINE T apply(T a, uint32_t amount) {
    constexpr unsigned bits = 8 * sizeof(T);
    return amount < bits ? T(a << (amount & (bits - 1))) : T(0);
  }
};

} // namespace

/// A handler by the width of unsigned numbers.
template <template <class> class Op> static Handler ofTwo(unsigned bits) {
  switch (bits) {
  case 16:
    return mapLanes<Op<uint16_t>, uint16_t, uint16_t, uint16_t>;
  case 32:
    return mapLanes<Op<uint32_t>, uint32_t, uint32_t, uint32_t>;
  case 64:
    return mapLanes<Op<uint64_t>, uint64_t, uint64_t, uint64_t>;
  }
  return nullptr;
}

static Handler ofShl(unsigned bits) {
  switch (bits) {
  case 16:
    return mapLanes<Shl<uint16_t>, uint16_t, uint16_t, uint32_t>;
  case 32:
    return mapLanes<Shl<uint32_t>, uint32_t, uint32_t, uint32_t>;
  case 64:
    return mapLanes<Shl<uint64_t>, uint64_t, uint64_t, uint32_t>;
  }
  return nullptr;
}

bool ptxbench::emulator::selectInteger(const InstDesc &desc, Inst &inst,
                                       OwnExtra &) {
  if (desc.operands.empty() || !useRows(desc, inst))
    return false;
  DataType type = desc.operands[0].type;
  if (type.kind == TypeKind::Float || type.packed || desc.has(Mod::sat))
    return false;
  switch (desc.opcode) {
  case Opcode::add:
    inst.handler = ofTwo<Add>(type.width);
    break;
  case Opcode::sub:
    inst.handler = ofTwo<Sub>(type.width);
    break;
  case Opcode::and_:
    inst.handler = ofTwo<And>(type.width);
    break;
  case Opcode::or_:
    inst.handler = ofTwo<Or>(type.width);
    break;
  case Opcode::xor_:
    inst.handler = ofTwo<Xor>(type.width);
    break;
  case Opcode::shl:
    inst.handler = ofShl(type.width);
    break;
  default:
    break;
  }
  return inst.handler;
}
