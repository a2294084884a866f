//===- UndefinedMemory.cpp - Undefined bits in memory ---------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loads, stores and atomic operations: registers and memory exchange their
// undefined bits byte by byte. Global memory is defined, and what goes there
// has to be.
//
//===----------------------------------------------------------------------===//

#include "../Ops/MemoryAccess.h"
#include "UndefinedStep.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

/// The places of the lanes; false after a fault, which the instruction itself
/// will have again.
static bool find(Warp &warp, const UndefinedStep &step, LaneMask mask,
                 LaneBytes &places) {
  return locate(warp, step.inst, mask, AccessKind::Deferred,
                step.bytes * step.count, places);
}

//===----------------------------------------------------------------------===//
// ld
//===----------------------------------------------------------------------===//

/// Whether the undefined ones of `bytes` at `place` are where a C structure may
/// have padding: in front of an aligned place of the 16 bytes around, and fewer
/// than what is aligned so. Structures are copied with it.
static bool isPadding(Warp &warp, const char *place, unsigned bytes) {
  constexpr unsigned block = 16;
  unsigned at = reinterpret_cast<uintptr_t>(place) % block;
  for (unsigned begin = 0; begin < bytes; begin += block) {
    unsigned end = std::min(at + bytes - begin, block);
    for (unsigned i = 0, run = 0; i <= block; ++i) {
      // What is behind the memory is nobody's, either.
      const char *bits =
          i < block ? undefinedBytes(warp, place + begin - at + i) : nullptr;
      if (i < block && (!bits || *bits)) {
        ++run;
        continue;
      }
      bool isAccessed = run && i > at && i - run < end;
      if (isAccessed && (run == block || i % PowerOf2Ceil(run + 1)))
        return false;
      run = 0;
    }
  }
  return true;
}

/// Results: the elements.
static void load(Warp &warp, const UndefinedStep &step, LaneMask mask) {
  LaneBytes places;
  if (!find(warp, step, mask, places))
    return;
  LaneMask dirty = 0;
  const char *at[warpSize];
  for (LaneMask rest = mask & ~places.global; rest; rest &= rest - 1) {
    unsigned lane = countr_zero(rest);
    at[lane] = undefinedBytes(warp, places.at[lane]);
    ArrayRef<char> bytes(at[lane], at[lane] ? step.bytes * step.count : 0);
    if (any_of(bytes, [](char bits) { return bits != 0; }))
      dirty |= LaneMask(1) << lane;
  }
  for (const StepRow &result : step.results)
    define(warp, result, mask & ~dirty);
  if (!dirty)
    return;
  LaneMask padding = 0;
  for (LaneMask rest = dirty; rest; rest &= rest - 1) {
    unsigned lane = countr_zero(rest);
    if (isPadding(warp, places.at[lane], step.bytes * step.count))
      padding |= LaneMask(1) << lane;
  }
  bool isSigned = step.type.kind == TypeKind::Signed;
  for (unsigned i = 0; i < step.count; ++i) {
    const StepRow &result = step.results[i];
    if (result.slot == noSlot)
      continue;
    bool any = false;
    for (LaneMask rest = dirty; rest; rest &= rest - 1) {
      unsigned lane = countr_zero(rest);
      const char *bytes = at[lane] + i * step.bytes;
      if (step.bytes == 16) {
        std::memcpy(undefinedResult(warp, result.slot) + lane * 16, bytes, 16);
        any = true;
        continue;
      }
      uint64_t bits = 0;
      std::memcpy(&bits, bytes, step.bytes);
      any |= bits != 0;
      if (isSigned)
        bits = SignExtend64(bits, step.bytes * 8);
      setUndefined(warp, result, lane, bits);
    }
    if (any)
      setOrigin(warp, step, result, {}, padding);
  }
}

//===----------------------------------------------------------------------===//
// st
//===----------------------------------------------------------------------===//

/// The bits of a stored element that are undefined.
static uint64_t storedBits(const Warp &warp, const UndefinedStep &step,
                           const StepRow &source, unsigned lane) {
  uint64_t bits = undefinedBitsOf(warp, source, lane);
  return step.bytes < 8 ? bits & maskTrailingOnes<uint64_t>(step.bytes * 8)
                        : bits;
}

/// Sources go to global memory in `lanes`.
static void checkStored(Warp &warp, const UndefinedStep &step, LaneMask lanes) {
  for (const StepRow &source : step.sources) {
    LaneMask dirty = 0;
    LaneMask undefined = undefinedLanes(warp, source) & lanes;
    if (undefined && source.bits != 1)
      undefined &= ~paddingOf(*warp.frame, source.slot);
    for (LaneMask rest = undefined; rest; rest &= rest - 1) {
      unsigned lane = countr_zero(rest);
      if (source.bits > 64 || storedBits(warp, step, source, lane))
        dirty |= LaneMask(1) << lane;
    }
    if (!dirty)
      continue;
    reportUndefined(warp, step.inst, countr_zero(dirty),
                    "a value that goes to global memory",
                    originOf(*warp.frame, source.slot));
    define(warp, source, dirty);
  }
}

/// Sources: the elements.
static void store(Warp &warp, const UndefinedStep &step, LaneMask mask) {
  LaneBytes places;
  if (!find(warp, step, mask, places))
    return;
  // What warps tell each other by strong accesses may have parts that nobody
  // looks at.
  bool isWeak =
      MemoryOrder::unpack(step.inst.flags[orderFlag]).scope == Scope::None;
  if (LaneMask global = mask & places.global; global && isWeak)
    checkStored(warp, step, global);
  for (LaneMask rest = mask & ~places.global; rest; rest &= rest - 1) {
    unsigned lane = countr_zero(rest);
    char *at = undefinedBytes(warp, places.at[lane]);
    if (!at)
      continue;
    for (unsigned i = 0; i < step.count; ++i, at += step.bytes) {
      const StepRow &source = step.sources[i];
      // `_`: the bytes stay.
      if (source.slot == noSlot)
        continue;
      std::memcpy(at,
                  undefinedRow(warp, source.slot) + lane * (source.bits / 8),
                  step.bytes);
    }
  }
}

//===----------------------------------------------------------------------===//
// atom, red
//===----------------------------------------------------------------------===//

/// The undefined bits of a value in memory after an operation with another.
static uint64_t combined(const UndefinedStep &step, uint64_t memory,
                         uint64_t operand) {
  switch (step.comparison) {
  case Mod::exch:
    return operand;
  case Mod::and_:
  case Mod::or_:
  case Mod::xor_:
    return memory | operand;
  default:
    return memory | operand ? ~uint64_t(0) : 0;
  }
}

/// Results: the old values, or none; sources: the operands; of `cas` also what
/// is stored.
static void combine(Warp &warp, const UndefinedStep &step, LaneMask mask) {
  LaneBytes places;
  if (!find(warp, step, mask, places))
    return;
  if (LaneMask global = mask & places.global)
    checkStored(warp, step, global);
  for (const StepRow &result : step.results)
    define(warp, result, mask & places.global);
  unsigned size = step.bytes;
  // Lanes follow one another.
  for (LaneMask rest = mask & ~places.global; rest; rest &= rest - 1) {
    unsigned lane = countr_zero(rest);
    char *at = undefinedBytes(warp, places.at[lane]);
    for (unsigned i = 0; i < step.count; ++i) {
      uint64_t old = 0, operand = undefinedBitsOf(warp, step.sources[i], lane);
      if (at)
        std::memcpy(&old, at + i * size, std::min(size, 8u));
      uint64_t now = combined(step, old, operand);
      // Of `cas` either value may stay.
      if (step.sources.size() > step.count)
        now |= undefinedBitsOf(warp, step.sources[step.count], lane);
      if (at) {
        std::memcpy(at + i * size, &now, std::min(size, 8u));
        if (size > 8)
          std::memset(at + i * size + 8, now ? 0xff : 0, size - 8);
      }
      if (i >= step.results.size())
        continue;
      setUndefined(warp, step.results[i], lane, old);
      if (old)
        setOrigin(warp, step, step.results[i]);
    }
  }
}

//===----------------------------------------------------------------------===//
// mbarrier.init
//===----------------------------------------------------------------------===//

static void initialise(Warp &warp, const UndefinedStep &step, LaneMask mask) {
  LaneBytes places;
  if (!find(warp, step, mask, places))
    return;
  for (LaneMask rest = mask; rest; rest &= rest - 1)
    defineShared(*warp.cta->cluster, places.at[countr_zero(rest)], step.bytes);
}

//===----------------------------------------------------------------------===//
// Selection
//===----------------------------------------------------------------------===//

static ArrayRef<OperandDesc> elementsOf(const OperandDesc &value) {
  if (value.kind == OperandDesc::Vector)
    return value.children;
  return value;
}

static bool useElements(const OperandDesc &value, UndefinedStep &step,
                        SmallVectorImpl<StepRow> &rows) {
  ArrayRef<OperandDesc> elements = elementsOf(value);
  for (const OperandDesc &element : elements) {
    rows.push_back(stepRow(element));
    if (element.isRow() || !step.type.width)
      step.type = element.type;
  }
  step.count = elements.size();
  step.bytes = step.type.width / 8;
  return step.bytes != 0;
}

static bool useAtomic(const InstDesc &desc, UndefinedStep &step) {
  const OperandDesc *b = desc.find("b"), *c = desc.find("c"),
                    *d = desc.find("d");
  if (!b || !useElements(*b, step, step.sources))
    return false;
  if (c)
    step.sources.push_back(stepRow(*c));
  if (d)
    for (const OperandDesc &element : elementsOf(*d))
      step.results.push_back(stepRow(element));
  for (Mod mod : {Mod::exch, Mod::and_, Mod::or_, Mod::xor_})
    if (desc.has(mod))
      step.comparison = mod;
  step.before = combine;
  return true;
}

bool ptxbench::emulator::useUndefinedMemory(const InstDesc &desc,
                                            UndefinedStep &step) {
  switch (desc.opcode) {
  case Opcode::ld:
  case Opcode::ldu:
    step.before = load;
    return useElements(desc.operands[0], step, step.results);
  case Opcode::st:
    step.before = store;
    return useElements(desc.operands[1], step, step.sources);
  case Opcode::atom:
  case Opcode::red:
    return useAtomic(desc, step);
  case Opcode::mbarrier_init:
    step.bytes = 8;
    step.count = 1;
    step.before = initialise;
    return true;
  default:
    return false;
  }
}
