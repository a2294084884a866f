//===- Reduction.cpp - Reductions of bulk and tensor copies ---------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An operation is a struct of a static function on the bits of two elements;
// two loops, one with plain accesses and one with compare and exchange, are
// instantiated for each. The tables of combinations are those of
// the sections "cp.reduce.async.bulk" and "cp.reduce.async.bulk.tensor".
//
//===----------------------------------------------------------------------===//

#include "Reduction.h"
#include "Errors.h"

#include "llvm/Support/ErrorHandling.h"

#include <cmath>
#include <cstring>

using namespace ptxbench;
using namespace ptxbench::emulator;
using llvm::Expected;

//===----------------------------------------------------------------------===//
// Floating-point elements
//===----------------------------------------------------------------------===//

template <class To, class From> static To bitCast(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof(to));
  return to;
}

namespace {
/// .f16, to and from .f32; back to nearest even.
struct Half {
  static constexpr uint32_t infinity = 0x7c00;

  static float decode(uint32_t bits) {
    // The exponent is too small by the difference of the two biases, 112; the
    // product also makes numbers of subnormals.
    uint32_t magnitude = (bits & 0x7fff) << 13;
    uint32_t scaled = bitCast<uint32_t>(bitCast<float>(magnitude) * 0x1p112f);
    if (magnitude >= infinity << 13)
      scaled |= 0x7f800000;
    return bitCast<float>(scaled | (bits & 0x8000) << 16);
  }

  static uint32_t encode(float value) {
    uint32_t bits = bitCast<uint32_t>(value);
    uint32_t sign = bits >> 16 & 0x8000;
    bits &= 0x7fffffff;
    if (bits > 0x7f800000)
      return 0x7fff;
    if (bits >= 0x477ff000) // halfway from the largest number to the next
      return sign | infinity;
    if (bits < 0x38800000) // 0.5 has the last place of a subnormal
      return sign | (bitCast<uint32_t>(bitCast<float>(bits) + 0.5f) -
                     bitCast<uint32_t>(0.5f));
    return sign | (bits - (112u << 23) + 0xfff + (bits >> 13 & 1)) >> 13;
  }
};

/// .bf16, to and from .f32; back to nearest even.
struct Brain {
  static constexpr uint32_t infinity = 0x7f80;

  static float decode(uint32_t bits) { return bitCast<float>(bits << 16); }

  static uint32_t encode(float value) {
    uint32_t bits = bitCast<uint32_t>(value);
    if ((bits & 0x7fffffff) > 0x7f800000)
      return 0x7fff;
    return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  }
};

/// `.add.noftz`: rounds to nearest even and keeps subnormals. A sum that is
/// rounded to the 24 bits of a float first rounds to the same: the formats have
/// at most 11.
template <class Format> struct AddSmall {
  static uint16_t apply(uint16_t a, uint16_t b) {
    return uint16_t(Format::encode(Format::decode(a) + Format::decode(b)));
  }
};

/// Like the instructions min and max: a NaN loses against a number, and -0 is
/// less than +0.
template <class Format, bool max> struct MinMaxSmall {
  static uint16_t apply(uint16_t a, uint16_t b) {
    if (isNaN(a))
      return isNaN(b) ? 0x7fff : b;
    if (isNaN(b))
      return a;
    bool less = key(a) < key(b);
    return less == max ? b : a;
  }

private:
  static bool isNaN(uint16_t bits) {
    return (bits & 0x7fff) > Format::infinity;
  }
  /// In the order of the numbers.
  static int key(uint16_t bits) {
    return bits & 0x8000 ? -1 - (bits & 0x7fff) : bits;
  }
};

/// `.add.f32` flushes subnormal inputs and results to zeros of their sign.
struct AddF32 {
  static uint32_t apply(uint32_t a, uint32_t b) {
    float sum = bitCast<float>(flush(a)) + bitCast<float>(flush(b));
    return std::isnan(sum) ? 0x7fffffff : flush(bitCast<uint32_t>(sum));
  }

private:
  static uint32_t flush(uint32_t bits) {
    return bits & 0x7f800000 ? bits : bits & 0x80000000;
  }
};

struct AddF64 {
  static uint64_t apply(uint64_t a, uint64_t b) {
    double sum = bitCast<double>(a) + bitCast<double>(b);
    return std::isnan(sum) ? 0x7fffffffffffffff : bitCast<uint64_t>(sum);
  }
};

//===----------------------------------------------------------------------===//
// Integer elements
//===----------------------------------------------------------------------===//

template <class T> struct Add {
  static T apply(T a, T b) { return a + b; }
};
template <class T> struct And {
  static T apply(T a, T b) { return a & b; }
};
template <class T> struct Or {
  static T apply(T a, T b) { return a | b; }
};
template <class T> struct Xor {
  static T apply(T a, T b) { return a ^ b; }
};
/// Compares as `As`, of the size of `T`.
template <class T, class As> struct Min {
  static T apply(T a, T b) { return As(b) < As(a) ? b : a; }
};
template <class T, class As> struct Max {
  static T apply(T a, T b) { return As(a) < As(b) ? b : a; }
};
/// Counts up from 0 to the source and starts again.
struct Inc {
  static uint32_t apply(uint32_t a, uint32_t b) { return a >= b ? 0 : a + 1; }
};
/// Counts down from the source to 0 and starts again.
struct Dec {
  static uint32_t apply(uint32_t a, uint32_t b) {
    return a == 0 || a > b ? b : a - 1;
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

template <class T, class Op>
static void reducePlain(uint8_t *destination, const uint8_t *source,
                        size_t bytes) {
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
template <class Word, class T, class Op>
static void exchangeWord(uint8_t *destination, const uint8_t *source) {
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
template <class T, class Op>
static void reduceAtomic(uint8_t *destination, const uint8_t *source,
                         size_t bytes) {
  uintptr_t address = reinterpret_cast<uintptr_t>(destination);
  if (address % sizeof(T))
    return reducePlain<T, Op>(destination, source, bytes);
  size_t i = 0;
  for (; i < bytes && (address + i) % 8; i += sizeof(T))
    exchangeWord<T, T, Op>(destination + i, source + i);
  for (; i + 8 <= bytes; i += 8)
    exchangeWord<uint64_t, T, Op>(destination + i, source + i);
  for (; i < bytes; i += sizeof(T))
    exchangeWord<T, T, Op>(destination + i, source + i);
}

template <class T, class Op> static Reduction choose(ReductionFlavour flavour) {
  return flavour == ReductionFlavour::Atomic ? reduceAtomic<T, Op>
                                             : reducePlain<T, Op>;
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
    return choose<uint32_t, Add<uint32_t>>(flavour);
  case ReductionType::U64:
    return choose<uint64_t, Add<uint64_t>>(flavour);
  case ReductionType::F16:
    return choose<uint16_t, AddSmall<Half>>(flavour);
  case ReductionType::BF16:
    return choose<uint16_t, AddSmall<Brain>>(flavour);
  case ReductionType::F32:
    return choose<uint32_t, AddF32>(flavour);
  case ReductionType::F64:
    return choose<uint64_t, AddF64>(flavour);
  default:
    return nullptr;
  }
}

template <template <class, class> class Op, bool max>
static Reduction chooseMinMax(ReductionType type, ReductionFlavour flavour) {
  switch (type) {
  case ReductionType::U32:
    return choose<uint32_t, Op<uint32_t, uint32_t>>(flavour);
  case ReductionType::S32:
    return choose<uint32_t, Op<uint32_t, int32_t>>(flavour);
  case ReductionType::U64:
    return choose<uint64_t, Op<uint64_t, uint64_t>>(flavour);
  case ReductionType::S64:
    return choose<uint64_t, Op<uint64_t, int64_t>>(flavour);
  case ReductionType::F16:
    return choose<uint16_t, MinMaxSmall<Half, max>>(flavour);
  case ReductionType::BF16:
    return choose<uint16_t, MinMaxSmall<Brain, max>>(flavour);
  default:
    return nullptr;
  }
}

template <template <class> class Op>
static Reduction chooseBitwise(ReductionType type, ReductionFlavour flavour) {
  if (type == ReductionType::B32)
    return choose<uint32_t, Op<uint32_t>>(flavour);
  if (type == ReductionType::B64)
    return choose<uint64_t, Op<uint64_t>>(flavour);
  return nullptr;
}

/// The table of global memory, which has each combination of the others.
static Reduction chooseOp(ReductionOp op, ReductionType type,
                          ReductionFlavour flavour) {
  switch (op) {
  case ReductionOp::Add:
    return chooseAdd(type, flavour);
  case ReductionOp::Min:
    return chooseMinMax<Min, false>(type, flavour);
  case ReductionOp::Max:
    return chooseMinMax<Max, true>(type, flavour);
  case ReductionOp::Inc:
    return type == ReductionType::U32 ? choose<uint32_t, Inc>(flavour)
                                      : nullptr;
  case ReductionOp::Dec:
    return type == ReductionType::U32 ? choose<uint32_t, Dec>(flavour)
                                      : nullptr;
  case ReductionOp::And:
    return chooseBitwise<And>(type, flavour);
  case ReductionOp::Or:
    return chooseBitwise<Or>(type, flavour);
  case ReductionOp::Xor:
    return chooseBitwise<Xor>(type, flavour);
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
