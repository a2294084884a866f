//===- Memory.cpp - Loads and stores ------------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA "ld", "ld.global.nc", "ldu", "st", "st.async". Caches and their hints
// have no effect. Accesses with an order or scope, and volatile
// ones, are accesses of the host of that order, element by element; the others
// are plain copies.
//
//===----------------------------------------------------------------------===//

#include "../Checks/RaceChecker.h"
#include "../Checks/UndefinedValues.h"
#include "InstDesc.h"
#include "Lanes.h"
#include "MBarrier.h"
#include "MemoryAccess.h"
#include "llvm/ADT/bit.h"

#include <algorithm>
#include <array>
#include <cstring>

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

using Wide = unsigned __int128;

namespace {
/// Slots of Inst::ops: the elements begin behind the address.
enum { FirstElement = 1 };
/// Of Inst::flags behind those of the address: whether the access is one of an
/// order; the number of elements.
enum { Strong = 2, Count = 3 };

/// The elements of vectors of more than four.
struct ElementsExtra : InstExtra {
  SmallVector<Slot, 8> slots;
};
} // namespace

static Slot elementSlot(const Inst &inst, unsigned index) {
  if (inst.extra)
    return static_cast<const ElementsExtra *>(inst.extra)->slots[index];
  return inst.ops[FirstElement + index];
}

static AccessKind readKind(const Inst &inst) {
  return inst.flags[Strong] ? AccessKind::StrongRead : AccessKind::Read;
}

/// The lanes whose elements are there already: `isSame(k, lane)`.
template <class IsSame>
static LaneMask sameLanes(LaneMask mask, unsigned count, IsSame isSame) {
  LaneMask same = 0;
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    unsigned lane = countr_zero(rest);
    bool all = true;
    for (unsigned k = 0; k < count; ++k)
      all &= isSame(k, lane);
    same |= LaneMask(all) << lane;
  }
  return same;
}

/// Checks a store before it is done where misuse is looked for. What is there
/// already is no race.
template <class IsSame>
static void watchStore(Warp &warp, const Inst &inst, LaneMask mask,
                       const LaneBytes &places, uint32_t bytes, unsigned count,
                       IsSame isSame) {
  RaceChecker *races = warp.cta->cluster->races.get();
  if (!races)
    return;
  LaneMask same = sameLanes(mask, count, isSame);
  auto watch = [&](LaneMask lanes, AccessKind weak, AccessKind strong) {
    if (lanes)
      watchLanes(*races, warp, inst, lanes, inst.flags[Strong] ? strong : weak,
                 bytes, places);
  };
  watch(mask & ~same, AccessKind::Write, AccessKind::StrongWrite);
  watch(same, AccessKind::SameWrite, AccessKind::StrongSameWrite);
}

template <class T> static PTXBENCH_INLINE T readElement(const char *place) {
  T value;
  if constexpr (sizeof(T) <= sizeof(uint64_t))
    value =
        __atomic_load_n(reinterpret_cast<const T *>(place), __ATOMIC_ACQUIRE);
  else
    std::memcpy(&value, place, sizeof(T));
  return value;
}
template <class T>
static PTXBENCH_INLINE void writeElement(char *place, T value) {
  if constexpr (sizeof(T) <= sizeof(uint64_t))
    __atomic_store_n(reinterpret_cast<T *>(place), value, __ATOMIC_RELEASE);
  else
    std::memcpy(place, &value, sizeof(T));
}

//===----------------------------------------------------------------------===//
// Elements as wide as their registers
//===----------------------------------------------------------------------===//

/// Writes the lanes of `mask`.
template <class T>
static PTXBENCH_INLINE void blend(T *d, const T *values, LaneMask mask) {
  PTXBENCH_LANE_LOOP
  for (unsigned lane = 0; lane < warpSize; ++lane)
    d[lane] = mask >> lane & 1 ? values[lane] : d[lane];
}

template <class T, unsigned N>
PTXBENCH_VECTOR_CLONES static void load(Warp &warp, const Inst &inst,
                                        LaneMask mask) {
  LaneBytes bytes;
  bool isStrong = inst.flags[Strong];
  if (!locate(warp, inst, mask, readKind(inst), sizeof(T) * N, bytes, isStrong))
    return;
  T *d[N];
  for (unsigned k = 0; k < N; ++k) {
    Slot slot = elementSlot(inst, k);
    d[k] = slot == noSlot ? nullptr : row<T>(warp, slot);
  }
  if (bytes.pattern == LaneBytes::Consecutive && !isStrong) {
    const T *s = reinterpret_cast<const T *>(bytes.begin);
    for (unsigned k = 0; k < N; ++k)
      if (d[k])
        PTXBENCH_LANE_LOOP
    for (unsigned lane = 0; lane < warpSize; ++lane)
      d[k][lane] = s[lane * N + k];
    return;
  }
  alignas(64) T values[N][warpSize];
  if (bytes.pattern == LaneBytes::Uniform && !isStrong) {
    for (unsigned k = 0; k < N; ++k)
      std::fill_n(values[k], warpSize,
                  readElement<T>(bytes.begin + k * sizeof(T)));
  } else {
    // What idle lanes read is there, too.
    for (unsigned lane = 0; lane < warpSize; ++lane)
      for (unsigned k = 0; k < N; ++k)
        values[k][lane] = readElement<T>(bytes.at[lane] + k * sizeof(T));
  }
  for (unsigned k = 0; k < N; ++k)
    if (d[k])
      blend(d[k], values[k], mask);
}

/// Counts a store; where it is asked for (Cluster::exactStores), one that
/// changes a byte.
template <class IsSame>
static PTXBENCH_INLINE void countStore(Warp &warp, LaneMask mask,
                                       const LaneBytes &bytes, unsigned count,
                                       IsSame isSame) {
  Cluster &cluster = *warp.cta->cluster;
  if (bytes.isLocal)
    ++cluster.localStores;
  else if (LLVM_LIKELY(!cluster.exactStores))
    ++cluster.stores;
  else
    cluster.progress += sameLanes(mask, count, isSame) != mask;
}

template <class T, unsigned N>
PTXBENCH_VECTOR_CLONES static void store(Warp &warp, const Inst &inst,
                                         LaneMask mask) {
  LaneBytes bytes;
  bool isStrong = inst.flags[Strong];
  const T *s[N];
  bool all = true;
  for (unsigned k = 0; k < N; ++k) {
    Slot slot = elementSlot(inst, k);
    s[k] = slot == noSlot ? nullptr : row<const T>(warp, slot);
    all &= s[k] != nullptr;
  }
  if (!locate(warp, inst, mask, AccessKind::Deferred, sizeof(T) * N, bytes,
              isStrong || !all || warp.cta->cluster->exactStores) ||
      !isWritable(warp, inst, mask, bytes))
    return;
  auto isSame = [&](unsigned k, unsigned lane) {
    return !s[k] ||
           s[k][lane] == readElement<T>(bytes.at[lane] + k * sizeof(T));
  };
  watchStore(warp, inst, mask, bytes, sizeof(T) * N, N, isSame);
  countStore(warp, mask, bytes, N, isSame);
  T *d = reinterpret_cast<T *>(bytes.begin);
  if (bytes.pattern == LaneBytes::Consecutive && all && !isStrong) {
    PTXBENCH_LANE_LOOP
    for (unsigned lane = 0; lane < warpSize; ++lane)
      for (unsigned k = 0; k < N; ++k)
        d[lane * N + k] = s[k][lane];
    return;
  }
  if (bytes.pattern == LaneBytes::Uniform && all && !isStrong) {
    // Of lanes that write to one place the last one wins.
    unsigned last = warpSize - 1 - countl_zero(mask);
    for (unsigned k = 0; k < N; ++k)
      d[k] = s[k][last];
    return;
  }
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    unsigned lane = countr_zero(rest);
    for (unsigned k = 0; k < N; ++k)
      if (s[k])
        writeElement<T>(bytes.at[lane] + k * sizeof(T), s[k][lane]);
  }
}

//===----------------------------------------------------------------------===//
// Elements in wider registers
//===----------------------------------------------------------------------===//

/// PTX ISA "Operand Size Exceeding Instruction-Type Size": T is signed where
/// the sign is extended.
template <class T, class D>
PTXBENCH_VECTOR_CLONES static void loadExtended(Warp &warp, const Inst &inst,
                                                LaneMask mask) {
  LaneBytes bytes;
  unsigned count = inst.flags[Count];
  if (!locate(warp, inst, mask, readKind(inst), sizeof(T) * count, bytes))
    return;
  for (unsigned k = 0; k < count; ++k) {
    if (elementSlot(inst, k) == noSlot)
      continue;
    alignas(64) D values[warpSize];
    for (unsigned lane = 0; lane < warpSize; ++lane)
      values[lane] = D(readElement<T>(bytes.at[lane] + k * sizeof(T)));
    blend(row<D>(warp, elementSlot(inst, k)), values, mask);
  }
}

template <class T, class S>
static void storeTruncated(Warp &warp, const Inst &inst, LaneMask mask) {
  LaneBytes bytes;
  unsigned count = inst.flags[Count];
  if (!locate(warp, inst, mask, AccessKind::Deferred, sizeof(T) * count,
              bytes) ||
      !isWritable(warp, inst, mask, bytes))
    return;
  auto isSame = [&](unsigned k, unsigned lane) {
    Slot slot = elementSlot(inst, k);
    return slot == noSlot || T(row<const S>(warp, slot)[lane]) ==
                                 readElement<T>(bytes.at[lane] + k * sizeof(T));
  };
  watchStore(warp, inst, mask, bytes, sizeof(T) * count, count, isSame);
  countStore(warp, mask, bytes, count, isSame);
  // Lane by lane: where lanes write to one place the last one wins as a whole.
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    unsigned lane = countr_zero(rest);
    for (unsigned k = 0; k < count; ++k)
      if (elementSlot(inst, k) != noSlot)
        writeElement<T>(bytes.at[lane] + k * sizeof(T),
                        T(row<const S>(warp, elementSlot(inst, k))[lane]));
  }
}

//===----------------------------------------------------------------------===//
// Selection of ld and st
//===----------------------------------------------------------------------===//

template <class T> static Handler ofCount(bool isLoad, unsigned count) {
  switch (count) {
  case 1:
    return isLoad ? load<T, 1> : store<T, 1>;
  case 2:
    return isLoad ? load<T, 2> : store<T, 2>;
  case 4:
    return isLoad ? load<T, 4> : store<T, 4>;
  case 8:
    return isLoad ? load<T, 8> : store<T, 8>;
  default:
    return nullptr;
  }
}

static Handler getHandler(bool isLoad, unsigned bits, unsigned count) {
  switch (bits) {
  case 8:
    return ofCount<uint8_t>(isLoad, count);
  case 16:
    return ofCount<uint16_t>(isLoad, count);
  case 32:
    return ofCount<uint32_t>(isLoad, count);
  case 64:
    return ofCount<uint64_t>(isLoad, count);
  case 128:
    if (count == 1)
      return isLoad ? load<Wide, 1> : store<Wide, 1>;
    return nullptr;
  default:
    return nullptr;
  }
}

template <class U, class S, class D>
static Handler ofExtension(bool isLoad, bool isSigned) {
  if (!isLoad)
    return storeTruncated<U, D>;
  return isSigned ? loadExtended<S, D> : loadExtended<U, D>;
}

/// For elements of `bits` in registers of `registerBits`.
static Handler getWideHandler(bool isLoad, unsigned bits, unsigned registerBits,
                              bool isSigned) {
  switch (bits << 8 | registerBits) {
  case 8 << 8 | 16:
    return ofExtension<uint8_t, int8_t, uint16_t>(isLoad, isSigned);
  case 8 << 8 | 32:
    return ofExtension<uint8_t, int8_t, uint32_t>(isLoad, isSigned);
  case 8 << 8 | 64:
    return ofExtension<uint8_t, int8_t, uint64_t>(isLoad, isSigned);
  case 16 << 8 | 32:
    return ofExtension<uint16_t, int16_t, uint32_t>(isLoad, isSigned);
  case 16 << 8 | 64:
    return ofExtension<uint16_t, int16_t, uint64_t>(isLoad, isSigned);
  case 32 << 8 | 64:
    return ofExtension<uint32_t, int32_t, uint64_t>(isLoad, isSigned);
  default:
    return nullptr;
  }
}

/// The elements of a value: those of a vector, or itself.
static ArrayRef<OperandDesc> elementsOf(const OperandDesc &value) {
  if (value.kind == OperandDesc::Vector)
    return value.children;
  return value;
}

/// Puts the elements behind the address; `bits` becomes the width of their
/// registers. False if they have no rows of one width.
static bool useElements(ArrayRef<OperandDesc> elements, Inst &inst,
                        OwnExtra &own, unsigned &bits) {
  bits = 0;
  SmallVector<Slot, 8> slots;
  for (const OperandDesc &element : elements) {
    slots.push_back(element.slot);
    if (element.kind == OperandDesc::Sink)
      continue;
    if (!element.isRow() || (bits && element.bits != bits))
      return false;
    bits = element.bits;
  }
  if (slots.size() + FirstElement > std::size(inst.ops)) {
    auto extra = std::make_unique<ElementsExtra>();
    extra->slots = slots;
    inst.extra = extra.get();
    own.push_back(std::move(extra));
  } else {
    std::copy(slots.begin(), slots.end(), inst.ops + FirstElement);
  }
  inst.flags[Count] = slots.size();
  return true;
}

static bool selectAccess(const InstDesc &desc, bool isLoad, Inst &inst,
                         OwnExtra &own) {
  const OperandDesc &address = desc.operands[isLoad ? 1 : 0];
  const OperandDesc &value = desc.operands[isLoad ? 0 : 1];
  ArrayRef<OperandDesc> elements = elementsOf(value);
  DataType type = elements.front().type;
  for (const OperandDesc &element : elements)
    if (element.isRow())
      type = element.type;
  unsigned bits;
  if (address.kind != OperandDesc::Address ||
      !useAddress(desc, address, inst) ||
      !useElements(elements, inst, own, bits))
    return false;
  // Nothing but sinks.
  if (!bits)
    bits = type.width;
  inst.flags[Strong] = desc.has(Mod::volatile_) || desc.has(Mod::relaxed) ||
                       desc.has(Mod::acquire) || desc.has(Mod::release) ||
                       desc.has(Mod::mmio);
  if (inst.flags[Strong])
    inst.flags[orderFlag] = memoryOrderOf(desc, Scope::Gpu).pack();
  inst.handler = bits == type.width
                     ? getHandler(isLoad, bits, elements.size())
                     : getWideHandler(isLoad, type.width, bits,
                                      type.kind == TypeKind::Signed);
  return inst.handler;
}

//===----------------------------------------------------------------------===//
// st.async
//===----------------------------------------------------------------------===//

namespace {
/// ops of `st.async` behind the address: that of the mbarrier, the elements.
enum { BarrierSlot = 1, FirstAsyncElement = 2 };
/// Of Inst::flags: of the mbarrier's address (two); bytes of an element.
enum { BarrierFlags = 4, AsyncBytes = 6 };
} // namespace

/// Each lane's store completes on its own and tells the mbarrier so.
static void executeStAsync(Warp &warp, const Inst &inst, LaneMask mask) {
  unsigned count = inst.flags[Count], bytes = inst.flags[AsyncBytes];
  LaneBytes places;
  if (!locate(warp, inst, mask, AccessKind::Deferred, count * bytes, places))
    return;
  if (places.global & mask)
    return fault(warp, inst, countr_zero(places.global & mask), "state-space",
                 "the destination of st.async is not in shared memory");
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    unsigned lane = countr_zero(rest);
    char *barrier =
        resolve(warp, inst, lane, Space(inst.flags[BarrierFlags]),
                secondAddress(warp, inst, lane, BarrierSlot, BarrierFlags), 8);
    if (!barrier)
      return;
    AsyncStamp stamp =
        beginAsync(warp, inst, lane, barrier, places.at[lane], count * bytes);
    std::array<char, 16> value, undefined;
    for (unsigned k = 0; k < count; ++k) {
      Slot slot = inst.ops[FirstAsyncElement + k];
      std::memcpy(value.data() + k * bytes, row(warp, slot) + lane * bytes,
                  bytes);
      if (watchesUndefined(warp))
        std::memcpy(undefined.data() + k * bytes,
                    undefinedRow(warp, slot) + lane * bytes, bytes);
    }
    AsyncOp op;
    op.what = "st.async";
    op.line = warp.launch->program->sourceOf(inst).line;
    op.complete = [&warp, &inst, lane, barrier, value, undefined,
                   place = places.at[lane], size = count * bytes, stamp] {
      std::memcpy(place, value.data(), size);
      if (watchesUndefined(warp))
        writeUndefined(warp, place, undefined.data(), size);
      completeAsync(warp, inst, lane, barrier, stamp, size);
    };
    warp.cta->cluster->async.issue(std::move(op));
  }
}

static bool selectStAsync(const InstDesc &desc, Inst &inst) {
  const OperandDesc *barrier = desc.find("mbar");
  // The forms for global memory are of later machines.
  if (!barrier || !useAddress(desc, *desc.find("a"), inst) ||
      !useSecondAddress(desc, *barrier, inst, BarrierSlot, BarrierFlags))
    return false;
  ArrayRef<OperandDesc> elements = elementsOf(*desc.find("b"));
  inst.flags[Count] = elements.size();
  inst.flags[AsyncBytes] = elements.front().type.width / 8;
  unsigned slot = FirstAsyncElement;
  for (const OperandDesc &element : elements) {
    if (!element.isRow() || element.bits != element.type.width)
      return false;
    inst.ops[slot++] = element.slot;
  }
  inst.handler = executeStAsync;
  return true;
}

bool ptxbench::emulator::selectMemory(const InstDesc &desc, Inst &inst,
                                      OwnExtra &own) {
  switch (desc.opcode) {
  case Opcode::ld:
  case Opcode::ldu:
    return selectAccess(desc, true, inst, own);
  case Opcode::st:
    return selectAccess(desc, false, inst, own);
  case Opcode::st_async:
    return selectStAsync(desc, inst);
  default:
    return false;
  }
}
