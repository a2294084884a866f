//===- Reduction.cpp - Reductions of bulk and tensor copies ---------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two loops, one with plain accesses and one with compare and exchange, are
// instantiated for each operation, which are those of `red`. The tables of
// combinations are those of the sections "cp.reduce.async.bulk" and
// "cp.reduce.async.bulk.tensor".
//
//===----------------------------------------------------------------------===//

#include "Reduction.h"
#include "../Numerics/AtomicOps.h"
#include "Errors.h"

#include "llvm/Support/ErrorHandling.h"

#include <cstring>

using namespace ptxbench;
using namespace ptxbench::emulator;
using llvm::Expected;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

template <class Op>
static void reducePlain(uint8_t *destination, const uint8_t *source,
                        size_t bytes) {
  using T = typename Op::Type;
  for (size_t i = 0; i < bytes; i += sizeof(T)) {
    T a, b;
    std::memcpy(&a, destination + i, sizeof(T));
    std::memcpy(&b, source + i, sizeof(T));
    a = Op::apply(a, b);
    std::memcpy(destination + i, &a, sizeof(T));
  }
}

/// Replaces the elements in one aligned word of memory, all at once. The host
/// is little-endian.
template <class Word, class Op>
static void exchangeWord(uint8_t *destination, const uint8_t *source) {
  using T = typename Op::Type;
  typedef Word __attribute__((may_alias)) Memory;
  auto *to = reinterpret_cast<Memory *>(destination);
  Word from, next;
  std::memcpy(&from, source, sizeof(Word));
  Word old = __atomic_load_n(to, __ATOMIC_RELAXED);
  do {
    next = 0;
    for (unsigned i = 0; i < 8 * sizeof(Word); i += 8 * sizeof(T))
      next |= Word(Op::apply(T(old >> i), T(from >> i))) << i;
  } while (!__atomic_compare_exchange_n(to, &old, next, true, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED));
}

/// Takes several small elements at a time where they are in one word: one
/// exchange costs more than the operations.
template <class Op>
static void reduceAtomic(uint8_t *destination, const uint8_t *source,
                         size_t bytes) {
  using T = typename Op::Type;
  uintptr_t address = reinterpret_cast<uintptr_t>(destination);
  if (address % sizeof(T))
    return reducePlain<Op>(destination, source, bytes);
  size_t i = 0;
  for (; i < bytes && (address + i) % 8; i += sizeof(T))
    exchangeWord<T, Op>(destination + i, source + i);
  for (; i + 8 <= bytes; i += 8)
    exchangeWord<uint64_t, Op>(destination + i, source + i);
  for (; i < bytes; i += sizeof(T))
    exchangeWord<T, Op>(destination + i, source + i);
}

template <class Op> static Reduction choose(ReductionFlavour flavour) {
  return flavour == ReductionFlavour::Atomic ? reduceAtomic<Op>
                                             : reducePlain<Op>;
}

//===----------------------------------------------------------------------===//
// Selection
//===----------------------------------------------------------------------===//

unsigned emulator::reductionBytes(ReductionType type) {
  switch (type) {
  case ReductionType::F16:
  case ReductionType::BF16:
    return 2;
  case ReductionType::B32:
  case ReductionType::U32:
  case ReductionType::S32:
  case ReductionType::F32:
    return 4;
  case ReductionType::B64:
  case ReductionType::U64:
  case ReductionType::S64:
  case ReductionType::F64:
    return 8;
  }
  llvm_unreachable("not a type of reductions");
}

static const char *name(ReductionOp op) {
  static const char *const names[] = {"add", "min", "max", "inc",
                                      "dec", "and", "or",  "xor"};
  return names[unsigned(op)];
}

static const char *name(ReductionType type) {
  static const char *const names[] = {"b32", "b64", "u32",  "s32", "u64",
                                      "s64", "f16", "bf16", "f32", "f64"};
  return names[unsigned(type)];
}

static Reduction chooseAdd(ReductionType type, ReductionFlavour flavour) {
  switch (type) {
  case ReductionType::U32:
  case ReductionType::S32:
    return choose<AtomicAdd<uint32_t>>(flavour);
  case ReductionType::U64:
    return choose<AtomicAdd<uint64_t>>(flavour);
  case ReductionType::F16:
    return choose<AtomicAdd16<F16>>(flavour);
  case ReductionType::BF16:
    return choose<AtomicAdd16<BF16>>(flavour);
  case ReductionType::F32:
    return choose<AtomicAddF32</*FTZ=*/true>>(flavour);
  case ReductionType::F64:
    return choose<AtomicAddF64>(flavour);
  default:
    return nullptr;
  }
}

template <template <class> class OfInteger, template <class> class OfHalf>
static Reduction chooseMinMax(ReductionType type, ReductionFlavour flavour) {
  switch (type) {
  case ReductionType::U32:
    return choose<OfInteger<uint32_t>>(flavour);
  case ReductionType::S32:
    return choose<OfInteger<int32_t>>(flavour);
  case ReductionType::U64:
    return choose<OfInteger<uint64_t>>(flavour);
  case ReductionType::S64:
    return choose<OfInteger<int64_t>>(flavour);
  case ReductionType::F16:
    return choose<OfHalf<F16>>(flavour);
  case ReductionType::BF16:
    return choose<OfHalf<BF16>>(flavour);
  default:
    return nullptr;
  }
}

template <template <class> class Op>
static Reduction chooseBitwise(ReductionType type, ReductionFlavour flavour) {
  if (type == ReductionType::B32)
    return choose<Op<uint32_t>>(flavour);
  if (type == ReductionType::B64)
    return choose<Op<uint64_t>>(flavour);
  return nullptr;
}

/// The table of global memory, which has each combination of the others.
static Reduction chooseOp(ReductionOp op, ReductionType type,
                          ReductionFlavour flavour) {
  switch (op) {
  case ReductionOp::Add:
    return chooseAdd(type, flavour);
  case ReductionOp::Min:
    return chooseMinMax<AtomicMin, AtomicMin16>(type, flavour);
  case ReductionOp::Max:
    return chooseMinMax<AtomicMax, AtomicMax16>(type, flavour);
  case ReductionOp::Inc:
    return type == ReductionType::U32 ? choose<AtomicInc>(flavour) : nullptr;
  case ReductionOp::Dec:
    return type == ReductionType::U32 ? choose<AtomicDec>(flavour) : nullptr;
  case ReductionOp::And:
    return chooseBitwise<AtomicAnd>(type, flavour);
  case ReductionOp::Or:
    return chooseBitwise<AtomicOr>(type, flavour);
  case ReductionOp::Xor:
    return chooseBitwise<AtomicXor>(type, flavour);
  }
  llvm_unreachable("not a reduction");
}

/// What the table of `target` lacks of that of global memory.
static bool isMissing(ReductionOp op, ReductionType type,
                      ReductionTarget target) {
  switch (target) {
  case ReductionTarget::Global:
    return false;
  case ReductionTarget::Tensor:
    return type == ReductionType::F64;
  case ReductionTarget::SharedCluster:
    if (op == ReductionOp::Add && type == ReductionType::U64)
      return false;
    return type != ReductionType::U32 && type != ReductionType::S32 &&
           type != ReductionType::B32;
  }
  llvm_unreachable("not a target of reductions");
}

Expected<Reduction> emulator::selectReduction(ReductionOp op,
                                              ReductionType type,
                                              ReductionTarget target,
                                              ReductionFlavour flavour) {
  static const char *const targets[] = {"shared memory", "global memory",
                                        "a tensor"};
  Reduction reduction = chooseOp(op, type, flavour);
  if (!reduction || isMissing(op, type, target))
    return formatError(".{0}: expected a type that can be reduced into {1} but "
                       "got .{2}",
                       name(op), targets[unsigned(target)], name(type));
  return reduction;
}

Expected<ReductionType> emulator::tensorReductionType(ReductionOp op,
                                                      TensorElementType type) {
  bool bitwise =
      op == ReductionOp::And || op == ReductionOp::Or || op == ReductionOp::Xor;
  switch (type) {
  case TensorElementType::U32:
    return bitwise ? ReductionType::B32 : ReductionType::U32;
  case TensorElementType::S32:
    return bitwise ? ReductionType::B32 : ReductionType::S32;
  case TensorElementType::U64:
    return bitwise ? ReductionType::B64 : ReductionType::U64;
  case TensorElementType::S64:
    return bitwise ? ReductionType::B64 : ReductionType::S64;
  case TensorElementType::F16:
    return ReductionType::F16;
  case TensorElementType::BF16:
    return ReductionType::BF16;
  case TensorElementType::F32:
    return ReductionType::F32;
  case TensorElementType::F64:
    return ReductionType::F64;
  case TensorElementType::U8:
  case TensorElementType::U16:
  case TensorElementType::F32Ftz:
  case TensorElementType::TF32:
  case TensorElementType::TF32Ftz:
    break;
  }
  return formatError(".{0}: the element type {1} of the tensor map has no "
                     "reductions",
                     name(op), unsigned(type));
}
