//===- Atomic.cpp - Atomic operations on memory ---------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA "atom", "red", "red.async". The lanes of a warp follow one another.
// In global memory an operation is one of the host where several host threads
// run clusters; shared memory belongs to one of them. Orders and
// scopes ask for no more than that.
//
//===----------------------------------------------------------------------===//

#include "../Checks/RaceChecker.h"
#include "../Checks/UndefinedValues.h"
#include "../Numerics/AtomicOps.h"
#include "InstDesc.h"
#include "Lanes.h"
#include "MBarrier.h"
#include "MemoryAccess.h"
#include "llvm/ADT/bit.h"

#include <cstring>
#include <mutex>

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

using Wide = unsigned __int128;

namespace {
/// Slots of Inst::ops behind the address, where there is no vector.
enum { ResultSlot = 1, BSlot = 2, CSlot = 3 };

/// Results (noSlot where there are none) and values of a vector.
struct VectorExtra : InstExtra {
  SmallVector<Slot, 8> results, values;
};
} // namespace

//===----------------------------------------------------------------------===//
// One value in memory
//===----------------------------------------------------------------------===//

template <class T> static T readValue(const char *place) {
  T value;
  std::memcpy(&value, place, sizeof(T));
  return value;
}

/// Replaces `expected` by `value`; if something else is there, that becomes
/// `expected`.
template <class T>
static bool compareExchange(char *place, T &expected, T value) {
  return __atomic_compare_exchange_n(reinterpret_cast<T *>(place), &expected,
                                     value, false, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST);
}

#if defined(__x86_64__)
__attribute__((target("cx16"))) static bool
compareExchange(char *place, Wide &expected, Wide value) {
  Wide found = __sync_val_compare_and_swap(reinterpret_cast<Wide *>(place),
                                           expected, value);
  bool done = found == expected;
  expected = found;
  return done;
}
#else
/// Hosts without such an instruction: atomic among operations of 128 bits.
static bool compareExchange(char *place, Wide &expected, Wide value) {
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  Wide found = readValue<Wide>(place);
  bool done = found == expected;
  if (done)
    std::memcpy(place, &value, sizeof(value));
  expected = found;
  return done;
}
#endif

/// Replaces the value by `next(value)` and returns the old one; `changed` says
/// whether they differ.
template <class T, class Next>
static T replace(char *place, bool isContended, LaneMask lane,
                 LaneMask &changed, Next next) {
  T old = readValue<T>(place);
  if (!isContended) {
    T value = next(old);
    std::memcpy(place, &value, sizeof(T));
    changed |= old != value ? lane : 0;
    return old;
  }
  // What was read may be torn or old; the exchange says what is there.
  for (;;) {
    T value = next(old), expected = old;
    if (compareExchange(place, expected, value)) {
      changed |= old != value ? lane : 0;
      return old;
    }
    old = expected;
  }
}

/// The lanes whose bytes other host threads may use at the same time.
static LaneMask contendedLanes(const Warp &warp, const LaneBytes &bytes) {
  return warp.launch->options->hostThreads == 1 ? 0 : bytes.global;
}

/// Waiting threads look at changes only: who spins on an operation that changes
/// nothing makes no progress. Nor is it a write that could race.
static void noteChange(Warp &warp, const Inst &inst, LaneMask mask,
                       LaneMask changed, const LaneBytes &places,
                       uint32_t bytes) {
  if (changed)
    ++warp.cta->cluster->progress;
  RaceChecker *races = warp.cta->cluster->races.get();
  if (!races)
    return;
  watchLanes(*races, warp, inst, mask & changed, AccessKind::AtomicChange,
             bytes, places);
  watchLanes(*races, warp, inst, mask & ~changed, AccessKind::AtomicSame, bytes,
             places);
}

//===----------------------------------------------------------------------===//
// atom, red
//===----------------------------------------------------------------------===//

/// SharedOp is what differs in shared memory.
template <class Op, class SharedOp = Op>
static void executeAtomic(Warp &warp, const Inst &inst, LaneMask mask) {
  using T = typename Op::Type;
  LaneBytes bytes;
  if (!locate(warp, inst, mask, AccessKind::Atomic, sizeof(T), bytes) ||
      !isWritable(warp, inst, mask, bytes))
    return;
  T *d = inst.ops[ResultSlot] == noSlot ? nullptr
                                        : row<T>(warp, inst.ops[ResultSlot]);
  const T *b = row<const T>(warp, inst.ops[BSlot]);
  LaneMask contended = contendedLanes(warp, bytes);
  LaneMask changed = 0;
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    unsigned lane = countr_zero(rest);
    T operand = b[lane];
    bool isGlobal = bytes.global >> lane & 1;
    T old = replace<T>(bytes.at[lane], contended >> lane & 1, 1u << lane,
                       changed, [=](T old) {
                         return isGlobal ? Op::apply(old, operand)
                                         : SharedOp::apply(old, operand);
                       });
    if (d)
      d[lane] = old;
  }
  noteChange(warp, inst, mask, changed, bytes, sizeof(T));
}

template <class T>
static void executeCas(Warp &warp, const Inst &inst, LaneMask mask) {
  LaneBytes bytes;
  if (!locate(warp, inst, mask, AccessKind::Atomic, sizeof(T), bytes) ||
      !isWritable(warp, inst, mask, bytes))
    return;
  T *d = inst.ops[ResultSlot] == noSlot ? nullptr
                                        : row<T>(warp, inst.ops[ResultSlot]);
  const T *b = row<const T>(warp, inst.ops[BSlot]);
  const T *c = row<const T>(warp, inst.ops[CSlot]);
  LaneMask contended = contendedLanes(warp, bytes);
  LaneMask changed = 0;
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    unsigned lane = countr_zero(rest);
    T compared = b[lane], value = c[lane];
    T old =
        replace<T>(bytes.at[lane], contended >> lane & 1, 1u << lane, changed,
                   [=](T old) { return old == compared ? value : old; });
    if (d)
      d[lane] = old;
  }
  noteChange(warp, inst, mask, changed, bytes, sizeof(T));
}

/// Each element is an operation of its own.
template <class Op>
static void executeVector(Warp &warp, const Inst &inst, LaneMask mask) {
  using T = typename Op::Type;
  const auto &extra = static_cast<const VectorExtra &>(*inst.extra);
  unsigned count = extra.values.size();
  LaneBytes bytes;
  if (!locate(warp, inst, mask, AccessKind::Atomic, sizeof(T) * count, bytes) ||
      !isWritable(warp, inst, mask, bytes))
    return;
  LaneMask contended = contendedLanes(warp, bytes);
  LaneMask changed = 0;
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    unsigned lane = countr_zero(rest);
    for (unsigned k = 0; k < count; ++k) {
      T operand = row<const T>(warp, extra.values[k])[lane];
      T old = replace<T>(bytes.at[lane] + k * sizeof(T), contended >> lane & 1,
                         1u << lane, changed,
                         [=](T old) { return Op::apply(old, operand); });
      if (extra.results[k] != noSlot)
        row<T>(warp, extra.results[k])[lane] = old;
    }
  }
  noteChange(warp, inst, mask, changed, bytes, sizeof(T) * count);
}

//===----------------------------------------------------------------------===//
// red.async
//===----------------------------------------------------------------------===//

/// Behind the address: that of the mbarrier, with two flags.
enum { BarrierSlot = 1, BarrierFlags = 2 };

/// Each lane's operation completes on its own and tells the mbarrier so.
template <class Op>
static void executeAsync(Warp &warp, const Inst &inst, LaneMask mask) {
  using T = typename Op::Type;
  LaneBytes places;
  if (!locate(warp, inst, mask, AccessKind::Deferred, sizeof(T), places))
    return;
  if (places.global & mask)
    return fault(warp, inst, countr_zero(places.global & mask), "state-space",
                 "the destination of red.async is not in shared memory");
  const T *b = row<const T>(warp, inst.ops[BSlot]);
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    unsigned lane = countr_zero(rest);
    char *barrier =
        resolve(warp, inst, lane, Space(inst.flags[BarrierFlags]),
                secondAddress(warp, inst, lane, BarrierSlot, BarrierFlags), 8);
    if (!barrier)
      return;
    AsyncOp op;
    op.what = "red.async";
    op.line = warp.launch->program->sourceOf(inst).line;
    AsyncStamp stamp =
        beginAsync(warp, inst, lane, barrier, places.at[lane], sizeof(T));
    bool isUndefined = watchesUndefined(warp) &&
                       undefinedRow<T>(warp, inst.ops[BSlot])[lane] != 0;
    op.complete = [&warp, &inst, lane, barrier, value = b[lane], isUndefined,
                   place = places.at[lane], stamp] {
      T result = Op::apply(readValue<T>(place), value);
      std::memcpy(place, &result, sizeof(T));
      if (isUndefined)
        std::memset(undefinedBytes(warp, place), 0xff, sizeof(T));
      completeAsync(warp, inst, lane, barrier, stamp, sizeof(T));
    };
    warp.cta->cluster->async.issue(std::move(op));
  }
}

//===----------------------------------------------------------------------===//
// Selection
//===----------------------------------------------------------------------===//

namespace {
/// How an instruction applies an operation.
template <class Op> struct Scalar {
  static constexpr Handler handler = executeAtomic<Op>;
};
template <class Op> struct Vector {
  static constexpr Handler handler = executeVector<Op>;
};
template <class Op> struct Async {
  static constexpr Handler handler = executeAsync<Op>;
};
} // namespace

/// The handler of an operation on integers or bits.
template <template <class> class How>
static Handler ofInteger(const InstDesc &desc, DataType type) {
  bool is64 = type.width == 64, isSigned = type.kind == TypeKind::Signed;
  if (type.width != 32 && type.width != 64)
    return nullptr;
  if (desc.has(Mod::and_))
    return is64 ? How<AtomicAnd<uint64_t>>::handler
                : How<AtomicAnd<uint32_t>>::handler;
  if (desc.has(Mod::or_))
    return is64 ? How<AtomicOr<uint64_t>>::handler
                : How<AtomicOr<uint32_t>>::handler;
  if (desc.has(Mod::xor_))
    return is64 ? How<AtomicXor<uint64_t>>::handler
                : How<AtomicXor<uint32_t>>::handler;
  if (desc.has(Mod::add))
    return is64 ? How<AtomicAdd<uint64_t>>::handler
                : How<AtomicAdd<uint32_t>>::handler;
  if (desc.has(Mod::exch))
    return is64 ? How<AtomicExch<uint64_t>>::handler
                : How<AtomicExch<uint32_t>>::handler;
  if (desc.has(Mod::inc))
    return is64 ? nullptr : How<AtomicInc>::handler;
  if (desc.has(Mod::dec))
    return is64 ? nullptr : How<AtomicDec>::handler;
  if (desc.has(Mod::min)) {
    if (isSigned)
      return is64 ? How<AtomicMin<int64_t>>::handler
                  : How<AtomicMin<int32_t>>::handler;
    return is64 ? How<AtomicMin<uint64_t>>::handler
                : How<AtomicMin<uint32_t>>::handler;
  }
  if (desc.has(Mod::max)) {
    if (isSigned)
      return is64 ? How<AtomicMax<int64_t>>::handler
                  : How<AtomicMax<int32_t>>::handler;
    return is64 ? How<AtomicMax<uint64_t>>::handler
                : How<AtomicMax<uint32_t>>::handler;
  }
  return nullptr;
}

static Handler ofCas(unsigned bits) {
  switch (bits) {
  case 16:
    return executeCas<uint16_t>;
  case 32:
    return executeCas<uint32_t>;
  case 64:
    return executeCas<uint64_t>;
  case 128:
    return executeCas<Wide>;
  default:
    return nullptr;
  }
}

/// The handler of an operation on f16 or bf16, F, or pairs of it.
template <template <class> class How, class F>
static Handler of16(const InstDesc &desc, bool isPair) {
  if (desc.has(Mod::add))
    return isPair ? How<AtomicPair<AtomicAdd16<F>>>::handler
                  : How<AtomicAdd16<F>>::handler;
  if (desc.has(Mod::min))
    return isPair ? How<AtomicPair<AtomicMin16<F>>>::handler
                  : How<AtomicMin16<F>>::handler;
  if (desc.has(Mod::max))
    return isPair ? How<AtomicPair<AtomicMax16<F>>>::handler
                  : How<AtomicMax16<F>>::handler;
  return nullptr;
}

template <template <class> class How>
static Handler ofHalf(const InstDesc &desc) {
  if (desc.has(Mod::f16) || desc.has(Mod::f16x2))
    return of16<How, F16>(desc, desc.has(Mod::f16x2));
  if (desc.has(Mod::bf16) || desc.has(Mod::bf16x2))
    return of16<How, BF16>(desc, desc.has(Mod::bf16x2));
  return nullptr;
}

static bool selectScalar(const InstDesc &desc, Inst &inst) {
  const OperandDesc *d = desc.find("d"), *b = desc.find("b"),
                    *c = desc.find("c");
  DataType type = b->type;
  auto use = [&](const OperandDesc &operand, unsigned slot) {
    inst.ops[slot] = operand.slot;
    return operand.isRow() && operand.bits == type.width;
  };
  if (!use(*b, BSlot) || (c && !use(*c, CSlot)) ||
      (d && d->kind != OperandDesc::Sink && !use(*d, ResultSlot)))
    return false;
  if (desc.has(Mod::cas))
    inst.handler = ofCas(type.width);
  else if (type.width == 128)
    inst.handler =
        desc.has(Mod::exch) ? executeAtomic<AtomicExch<Wide>> : nullptr;
  else if (desc.has(Mod::f32) && desc.has(Mod::add))
    inst.handler = executeAtomic<AtomicAddF32<true>, AtomicAddF32<false>>;
  else if (desc.has(Mod::f64) && desc.has(Mod::add))
    inst.handler = executeAtomic<AtomicAddF64, SharedAtomicAddF64>;
  else if (type.kind == TypeKind::Float)
    inst.handler = ofHalf<Scalar>(desc);
  else
    inst.handler = ofInteger<Scalar>(desc, type);
  return inst.handler;
}

/// Vectors are floating-point values in global memory.
static bool selectVector(const InstDesc &desc, Inst &inst, OwnExtra &own) {
  const OperandDesc &values = *desc.find("b");
  unsigned width = values.children.front().type.width;
  auto extra = std::make_unique<VectorExtra>();
  for (const OperandDesc &value : values.children) {
    extra->values.push_back(value.slot);
    if (!value.isRow() || value.bits != width)
      return false;
  }
  if (desc.opcode == Opcode::atom &&
      desc.operands[0].kind == OperandDesc::Vector)
    for (const OperandDesc &result : desc.operands[0].children) {
      extra->results.push_back(result.slot);
      if (result.kind != OperandDesc::Sink &&
          (!result.isRow() || result.bits != width))
        return false;
    }
  extra->results.resize(extra->values.size(), noSlot);
  if (desc.has(Mod::f32))
    inst.handler =
        desc.has(Mod::add) ? executeVector<AtomicAddF32<true>> : nullptr;
  else
    inst.handler = ofHalf<Vector>(desc);
  inst.extra = extra.get();
  own.push_back(std::move(extra));
  return inst.handler;
}

static bool selectAsync(const InstDesc &desc, Inst &inst) {
  const OperandDesc *barrier = desc.find("mbar"), *b = desc.find("b");
  // The forms for global memory are of later machines.
  if (!barrier || !b->isRow() || b->bits != b->type.width ||
      !useSecondAddress(desc, *barrier, inst, BarrierSlot, BarrierFlags))
    return false;
  inst.ops[BSlot] = b->slot;
  inst.handler = ofInteger<Async>(desc, b->type);
  return inst.handler;
}

/// Who counts itself with a relaxed operation and finds that all others have
/// done so goes on without a fence in many programs: it acquires.
static MemoryOrder orderOf(const InstDesc &desc) {
  MemoryOrder order = memoryOrderOf(desc, Scope::Gpu);
  order.acquires |= desc.opcode == Opcode::atom;
  return order;
}

bool ptxbench::emulator::selectAtomic(const InstDesc &desc, Inst &inst,
                                      OwnExtra &own) {
  switch (desc.opcode) {
  case Opcode::atom:
  case Opcode::red:
    if (!useAddress(desc, *desc.find("a"), inst))
      return false;
    inst.flags[orderFlag] = orderOf(desc).pack();
    return desc.find("b")->kind == OperandDesc::Vector
               ? selectVector(desc, inst, own)
               : selectScalar(desc, inst);
  case Opcode::red_async:
    return useAddress(desc, *desc.find("a"), inst) && selectAsync(desc, inst);
  default:
    return false;
  }
}
