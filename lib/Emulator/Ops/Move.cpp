//===- Move.cpp - Moving data between registers, addresses ----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA "mov", "cvta", "isspacep", "mapa", "getctarank". The first element of
// a packed vector is the lowest part.
//
//===----------------------------------------------------------------------===//

#include "Control.h"
#include "InstDesc.h"
#include "Lanes.h"

#include <array>

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

using Wide = unsigned __int128;

//===----------------------------------------------------------------------===//
// mov
//===----------------------------------------------------------------------===//

namespace {
template <class D, class S> struct Resize {
  static PTXBENCH_INLINE D apply(S value) { return D(value); }
};
} // namespace

static void copyNegated(Warp &warp, const Inst &inst, LaneMask mask) {
  setPredicate(warp, inst.ops[0], ~predicate(warp, inst.ops[1]), mask);
}

/// ops: the result, N elements.
template <class T, class D, unsigned N>
PTXBENCH_VECTOR_CLONES static void pack(Warp &warp, const Inst &inst,
                                        LaneMask mask) {
  D *d = row<D>(warp, inst.ops[0]);
  const T *s[N];
  for (unsigned k = 0; k < N; ++k)
    s[k] = row<const T>(warp, inst.ops[1 + k]);
  PTXBENCH_LANE_LOOP
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    D value = 0;
    for (unsigned k = 0; k < N; ++k)
      value |= D(s[k][lane]) << (8 * sizeof(T) * k);
    d[lane] = mask >> lane & 1 ? value : d[lane];
  }
}

/// ops: the source, N elements, of which some may be `_`.
template <class T, class S, unsigned N>
PTXBENCH_VECTOR_CLONES static void unpack(Warp &warp, const Inst &inst,
                                          LaneMask mask) {
  const S *s = row<const S>(warp, inst.ops[0]);
  for (unsigned k = 0; k < N; ++k) {
    if (inst.ops[1 + k] == noSlot)
      continue;
    T *d = row<T>(warp, inst.ops[1 + k]);
    PTXBENCH_LANE_LOOP
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      T value = T(s[lane] >> (8 * sizeof(T) * k));
      d[lane] = mask >> lane & 1 ? value : d[lane];
    }
  }
}

/// ops: N results, of which some may be `_`, N sources. All sources are read
/// before any result is written.
template <class T, unsigned N>
static void moveVector(Warp &warp, const Inst &inst, LaneMask mask) {
  std::array<std::array<T, warpSize>, N> values;
  for (unsigned k = 0; k < N; ++k)
    std::copy_n(row<const T>(warp, inst.ops[N + k]), warpSize,
                values[k].begin());
  for (unsigned k = 0; k < N; ++k) {
    if (inst.ops[k] == noSlot)
      continue;
    T *d = row<T>(warp, inst.ops[k]);
    for (unsigned lane = 0; lane < warpSize; ++lane)
      d[lane] = mask >> lane & 1 ? values[k][lane] : d[lane];
  }
}

static Handler getResizeHandler(unsigned to, unsigned from) {
  switch (to << 8 | from) {
  case 16 << 8 | 32:
    return mapLanes<Resize<uint16_t, uint32_t>, uint16_t, uint32_t>;
  case 16 << 8 | 64:
    return mapLanes<Resize<uint16_t, uint64_t>, uint16_t, uint64_t>;
  case 32 << 8 | 64:
    return mapLanes<Resize<uint32_t, uint64_t>, uint32_t, uint64_t>;
  case 64 << 8 | 32:
    return mapLanes<Resize<uint64_t, uint32_t>, uint64_t, uint32_t>;
  default:
    return nullptr;
  }
}

static Handler getPackHandler(unsigned element, unsigned count) {
  switch (element << 8 | count) {
  case 8 << 8 | 2:
    return pack<uint8_t, uint16_t, 2>;
  case 8 << 8 | 4:
    return pack<uint8_t, uint32_t, 4>;
  case 16 << 8 | 2:
    return pack<uint16_t, uint32_t, 2>;
  case 16 << 8 | 4:
    return pack<uint16_t, uint64_t, 4>;
  case 32 << 8 | 2:
    return pack<uint32_t, uint64_t, 2>;
  case 64 << 8 | 2:
    return pack<uint64_t, Wide, 2>;
  default:
    return nullptr;
  }
}

static Handler getUnpackHandler(unsigned element, unsigned count) {
  switch (element << 8 | count) {
  case 8 << 8 | 2:
    return unpack<uint8_t, uint16_t, 2>;
  case 8 << 8 | 4:
    return unpack<uint8_t, uint32_t, 4>;
  case 16 << 8 | 2:
    return unpack<uint16_t, uint32_t, 2>;
  case 16 << 8 | 4:
    return unpack<uint16_t, uint64_t, 4>;
  case 32 << 8 | 2:
    return unpack<uint32_t, uint64_t, 2>;
  case 64 << 8 | 2:
    return unpack<uint64_t, Wide, 2>;
  default:
    return nullptr;
  }
}

static Handler getMoveVectorHandler(unsigned bits, unsigned count) {
  switch (bits << 8 | count) {
  case 16 << 8 | 2:
    return moveVector<uint16_t, 2>;
  case 16 << 8 | 4:
    return moveVector<uint16_t, 4>;
  case 32 << 8 | 2:
    return moveVector<uint32_t, 2>;
  case 32 << 8 | 4:
    return moveVector<uint32_t, 4>;
  case 64 << 8 | 2:
    return moveVector<uint64_t, 2>;
  default:
    return nullptr;
  }
}

/// Puts the elements of a vector into ops from `first` on; false if one is no
/// row of `bits`.
static bool useElements(const OperandDesc &vector, unsigned bits, Inst &inst,
                        unsigned first) {
  if (first + vector.children.size() > std::size(inst.ops))
    return false;
  for (const OperandDesc &element : vector.children) {
    if (element.kind != OperandDesc::Sink &&
        (!element.isRow() || element.bits != bits))
      return false;
    inst.ops[first++] = element.slot;
  }
  return true;
}

/// The width of the elements of a vector, of which one is a row.
static unsigned elementBits(const OperandDesc &vector) {
  for (const OperandDesc &element : vector.children)
    if (element.isRow())
      return element.bits;
  return 0;
}

static bool selectMov(const InstDesc &desc, Inst &inst) {
  // One element in braces is the element.
  auto unbraced = [](const OperandDesc &operand) -> const OperandDesc & {
    bool one =
        operand.kind == OperandDesc::Vector && operand.children.size() == 1;
    return one ? operand.children[0] : operand;
  };
  const OperandDesc &d = unbraced(desc.operands[0]);
  const OperandDesc &a = unbraced(desc.operands[1]);
  bool toVector = d.kind == OperandDesc::Vector;
  bool fromVector = a.kind == OperandDesc::Vector;
  if (!(toVector || d.isRow()) || !(fromVector || a.isRow()) || a.minus)
    return false;
  if (toVector && fromVector) {
    unsigned bits = elementBits(a), count = a.children.size();
    inst.handler = getMoveVectorHandler(bits, count);
    return inst.handler && d.children.size() == count &&
           useElements(d, bits, inst, 0) && useElements(a, bits, inst, count);
  }
  if (fromVector) {
    unsigned bits = elementBits(a), count = a.children.size();
    inst.handler = getPackHandler(bits, count);
    inst.ops[0] = d.slot;
    return inst.handler && d.bits == bits * count &&
           useElements(a, bits, inst, 1);
  }
  if (toVector) {
    unsigned count = d.children.size(), bits = a.bits / count;
    inst.handler = getUnpackHandler(bits, count);
    inst.ops[0] = a.slot;
    return inst.handler && useElements(d, bits, inst, 1);
  }
  inst.ops[0] = d.slot;
  inst.ops[1] = a.slot;
  if (d.bits == a.bits)
    inst.handler = a.negated ? copyNegated : getCopyHandler(d.bits);
  else
    // A special register of another width.
    inst.handler = getResizeHandler(d.bits, a.bits);
  return inst.handler && (!a.negated || d.bits == 1);
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

namespace {

template <uint64_t Window> struct ToGeneric {
  static PTXBENCH_INLINE uint64_t apply(uint64_t a) { return a + Window; }
};
template <uint64_t Window> struct FromGeneric {
  static PTXBENCH_INLINE uint64_t apply(uint64_t a) { return a - Window; }
};

/// The address of the same variable in the CTA of that rank. The rank lies in
/// the same bits of addresses of `.shared` and of generic ones. Ranks that no
/// cluster has stay such.
template <class T> struct MapToRank {
  static PTXBENCH_INLINE T apply(T a, uint32_t rank) {
    rank = rank < 0xff ? rank : 0xff;
    return (a & ~(T(0xff) << sharedRankShift)) | T(rank) << sharedRankShift;
  }
};
template <class T> struct RankOf {
  static PTXBENCH_INLINE uint32_t apply(T a) {
    return uint32_t(a) >> sharedRankShift;
  }
};

} // namespace

static bool selectCvta(const InstDesc &desc, Inst &inst) {
  // Generic addresses have 64 bits.
  if (!useRows(desc, inst) || desc.operands[0].bits != 64 ||
      desc.operands[1].bits != 64)
    return false;
  bool fromGeneric = desc.has(Mod::to);
  if (desc.has(Mod::shared) || desc.has(Mod::shared__cta) ||
      desc.has(Mod::shared__cluster))
    inst.handler = fromGeneric
                       ? mapLanes<FromGeneric<sharedWindow>, uint64_t, uint64_t>
                       : mapLanes<ToGeneric<sharedWindow>, uint64_t, uint64_t>;
  else if (desc.has(Mod::local))
    inst.handler = fromGeneric
                       ? mapLanes<FromGeneric<localWindow>, uint64_t, uint64_t>
                       : mapLanes<ToGeneric<localWindow>, uint64_t, uint64_t>;
  else
    // `.global`, `.const` and parameters of entries.
    inst.handler = getCopyHandler(64);
  return true;
}

template <class Test>
static void testAddresses(Warp &warp, const Inst &inst, LaneMask mask,
                          Test test) {
  const uint64_t *a = row<const uint64_t>(warp, inst.ops[1]);
  LaneMask result = 0;
  for (unsigned lane = 0; lane < warpSize; ++lane)
    result |= LaneMask(test(a[lane])) << lane;
  setPredicate(warp, inst.ops[0], result, mask);
}

static void isSharedCta(Warp &warp, const Inst &inst, LaneMask mask) {
  uint64_t first = sharedWindow + sharedAddress(*warp.cta, 0);
  testAddresses(warp, inst, mask, [=](uint64_t a) {
    return a - first < uint64_t(1) << sharedRankShift;
  });
}
static void isSharedCluster(Warp &warp, const Inst &inst, LaneMask mask) {
  uint64_t bytes = uint64_t(warp.cta->cluster->ctas.size()) << sharedRankShift;
  testAddresses(warp, inst, mask,
                [=](uint64_t a) { return a - sharedWindow < bytes; });
}
static void isLocal(Warp &warp, const Inst &inst, LaneMask mask) {
  testAddresses(warp, inst, mask,
                [](uint64_t a) { return isInWindow(localWindow, a); });
}
/// The window of parameters is part of that of global memory.
static void isGlobal(Warp &warp, const Inst &inst, LaneMask mask) {
  testAddresses(warp, inst, mask, [](uint64_t a) {
    return !isInWindow(localWindow, a) && !isInWindow(sharedWindow, a);
  });
}
static void isParam(Warp &warp, const Inst &inst, LaneMask mask) {
  const Program &program = *warp.launch->program;
  uint64_t first = program.paramAddress, bytes = program.paramBytes;
  testAddresses(warp, inst, mask,
                [=](uint64_t a) { return a - first < bytes; });
}

static bool selectIsspacep(const InstDesc &desc, Inst &inst) {
  if (!useRows(desc, inst) || desc.operands[1].bits != 64)
    return false;
  if (desc.has(Mod::shared) || desc.has(Mod::shared__cta))
    inst.handler = isSharedCta;
  else if (desc.has(Mod::shared__cluster))
    inst.handler = isSharedCluster;
  else if (desc.has(Mod::local))
    inst.handler = isLocal;
  else if (desc.has(Mod::global))
    inst.handler = isGlobal;
  else if (desc.has(Mod::param) || desc.has(Mod::param__entry))
    inst.handler = isParam;
  return inst.handler;
}

bool ptxbench::emulator::selectMove(const InstDesc &desc, Inst &inst,
                                    OwnExtra &) {
  auto bitsOf = [&](unsigned i) { return desc.operands[i].bits; };
  switch (desc.opcode) {
  case Opcode::mov:
    return selectMov(desc, inst);
  case Opcode::cvta:
    return selectCvta(desc, inst);
  case Opcode::isspacep:
    return selectIsspacep(desc, inst);
  case Opcode::mapa:
    if (!useRows(desc, inst) || bitsOf(0) != bitsOf(1))
      return false;
    inst.handler =
        bitsOf(0) == 32
            ? mapLanes<MapToRank<uint32_t>, uint32_t, uint32_t, uint32_t>
            : mapLanes<MapToRank<uint64_t>, uint64_t, uint64_t, uint32_t>;
    return true;
  case Opcode::getctarank:
    if (!useRows(desc, inst))
      return false;
    inst.handler = bitsOf(1) == 32
                       ? mapLanes<RankOf<uint32_t>, uint32_t, uint32_t>
                       : mapLanes<RankOf<uint64_t>, uint32_t, uint64_t>;
    return true;
  default:
    return false;
  }
}
