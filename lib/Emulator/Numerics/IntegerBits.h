//===- IntegerBits.h - Shifts, bit fields, permutations ---------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA 9.0: the bit fields of "Integer Arithmetic Instructions", and "Logic
// and Shift Instructions" with prmt and shf of "Data Movement". Positions and
// lengths may have any value; what C++ leaves undefined is decided before the
// shift.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_NUMERICS_INTEGERBITS_H
#define PTXBENCH_LIB_EMULATOR_NUMERICS_INTEGERBITS_H

#include "LaneFunction.h"
#include <cstdint>
#include <type_traits>

namespace ptxbench::emulator {

/// What becomes of a shift or a width beyond 31: clamped to 32, or taken
/// modulo 32.
enum class Beyond { Clamp, Wrap };

template <Beyond B> PTXBENCH_LANE uint32_t shiftAmount(uint32_t amount) {
  if constexpr (B == Beyond::Wrap)
    return amount & 31;
  return amount < 32 ? amount : 32;
}

/// shl of 16, 32 or 64 bits: amounts of the width or more give zero.
template <class T> PTXBENCH_LANE T shiftLeft(T a, uint32_t amount) {
  static_assert(std::is_unsigned_v<T>, "shl is of untyped bits");
  constexpr uint32_t kWidth = 8 * sizeof(T);
  return static_cast<T>(
      amount < kWidth ? static_cast<uint64_t>(a) << (amount & 63) : 0);
}
/// shr: zeros come in, or for a signed T copies of the sign; amounts are
/// clamped to the width.
template <class T> PTXBENCH_LANE T shiftRight(T a, uint32_t amount) {
  constexpr uint32_t kWidth = 8 * sizeof(T);
  if constexpr (std::is_signed_v<T>)
    return static_cast<T>(a >> (amount < kWidth ? amount : kWidth - 1));
  return static_cast<T>(amount < kWidth ? a >> (amount & (kWidth - 1)) : 0);
}

/// shf.l: the upper word of {high, low} shifted to the left.
template <Beyond B>
PTXBENCH_LANE uint32_t funnelLeft(uint32_t low, uint32_t high,
                                  uint32_t amount) {
  uint64_t both = static_cast<uint64_t>(high) << 32 | low;
  return static_cast<uint32_t>(both << shiftAmount<B>(amount) >> 32);
}
/// shf.r: the lower word of {high, low} shifted to the right.
template <Beyond B>
PTXBENCH_LANE uint32_t funnelRight(uint32_t low, uint32_t high,
                                   uint32_t amount) {
  uint64_t both = static_cast<uint64_t>(high) << 32 | low;
  return static_cast<uint32_t>(both >> shiftAmount<B>(amount));
}

//===----------------------------------------------------------------------===//
// Bit fields
//===----------------------------------------------------------------------===//

/// The low `length` bits set; all from the width on.
template <class T> PTXBENCH_LANE T lowMask(uint32_t length) {
  return static_cast<T>(shiftLeft<T>(1, length) - 1);
}

/// Of a position or a length eight bits count for fields of 32 bits; for those
/// of 64, of which ptxas makes shifts, all do.
template <class T> PTXBENCH_LANE uint32_t fieldOperand(uint32_t value) {
  return sizeof(T) == 8 ? value : value & 0xff;
}

/// bfe.{u,s}{32,64}: a field at `position`, extended. Bits beyond the last one
/// are zeros, or copies of the sign.
template <class T>
PTXBENCH_LANE T bitFieldExtract(T a, uint32_t position, uint32_t length) {
  constexpr uint32_t kWidth = 8 * sizeof(T);
  using U = std::make_unsigned_t<T>;
  T shifted = shiftRight<T>(a, fieldOperand<T>(position));
  length = fieldOperand<T>(length);
  if constexpr (!std::is_signed_v<T>)
    return shifted & lowMask<U>(length);
  // To the top and down again, with the sign.
  uint32_t spare = kWidth - (length < kWidth ? length : kWidth);
  U top = shiftLeft<U>(static_cast<U>(shifted), spare);
  return length == 0 ? 0 : static_cast<T>(top) >> spare % kWidth;
}

/// bfi.b{32,64}: `b` with a field of it replaced by the low bits of `a`.
template <class T>
PTXBENCH_LANE T bitFieldInsert(T a, T b, uint32_t position, uint32_t length) {
  position = fieldOperand<T>(position);
  T mask = shiftLeft<T>(lowMask<T>(fieldOperand<T>(length)), position);
  return static_cast<T>((shiftLeft<T>(a, position) & mask) | (b & ~mask));
}

/// clz.b{32,64}: the width for zero.
PTXBENCH_LANE uint32_t countLeadingZeros(uint32_t a) {
  return a ? static_cast<uint32_t>(__builtin_clz(a)) : 32;
}
PTXBENCH_LANE uint32_t countLeadingZeros(uint64_t a) {
  return a ? static_cast<uint32_t>(__builtin_clzll(a)) : 64;
}
/// popc.b{32,64}.
PTXBENCH_LANE uint32_t popCount(uint32_t a) {
  return static_cast<uint32_t>(__builtin_popcount(a));
}
PTXBENCH_LANE uint32_t popCount(uint64_t a) {
  return static_cast<uint32_t>(__builtin_popcountll(a));
}

/// brev.b{32,64}.
PTXBENCH_LANE uint32_t reverseBits(uint32_t a) {
  a = (a >> 1 & 0x55555555) | (a & 0x55555555) << 1;
  a = (a >> 2 & 0x33333333) | (a & 0x33333333) << 2;
  a = (a >> 4 & 0x0f0f0f0f) | (a & 0x0f0f0f0f) << 4;
  return __builtin_bswap32(a);
}
PTXBENCH_LANE uint64_t reverseBits(uint64_t a) {
  return static_cast<uint64_t>(reverseBits(static_cast<uint32_t>(a))) << 32 |
         reverseBits(static_cast<uint32_t>(a >> 32));
}

/// bfind{.shiftamt}: the position of the highest bit that is not a copy of the
/// sign (of the highest one if T is unsigned), or the shift that brings it to
/// the top; all ones if there is none.
template <bool ShiftAmount, class T> PTXBENCH_LANE uint32_t bitFind(T a) {
  using U = std::make_unsigned_t<T>;
  U bits = static_cast<U>(a < 0 ? ~a : a);
  constexpr uint32_t kTop = 8 * sizeof(T) - 1;
  uint32_t leading = countLeadingZeros(bits);
  uint32_t found = ShiftAmount ? leading : kTop - leading;
  return bits ? found : 0xffffffff;
}

/// fns.b32: the position of the |offset|-th set bit of `mask`, counted from
/// bit `base` on, upward for a positive offset and downward for a negative
/// one; for 0 bit `base` itself has to be set. All ones if there is none. The
/// least offset, which has no magnitude, gives 0 on an H200.
PTXBENCH_LANE uint32_t findNthSet(uint32_t mask, uint32_t base,
                                  int32_t offset) {
  constexpr uint32_t kNone = 0xffffffff;
  if (offset == 0)
    return base < 32 && mask >> base & 1 ? base : kNone;
  if (offset == INT32_MIN)
    return 0;
  bool down = offset < 0;
  uint32_t count =
      down ? 0u - static_cast<uint32_t>(offset) : static_cast<uint32_t>(offset);
  if (down)
    mask = reverseBits(mask), base = 31 - base;
  mask &= shiftLeft<uint32_t>(0xffffffff, base);
  if (count > popCount(mask))
    return kNone;
  for (; count > 1; --count)
    mask &= mask - 1;
  uint32_t position = static_cast<uint32_t>(__builtin_ctz(mask));
  return down ? 31 - position : position;
}

/// szext.{clamp,wrap}.{u32,s32}: the low `width` bits, extended.
template <Beyond B, class T> PTXBENCH_LANE T extend(T a, uint32_t width) {
  return bitFieldExtract<T>(a, 0, shiftAmount<B>(width));
}

/// bmsk.{clamp,wrap}.b32: `width` ones from bit `position` on.
template <Beyond B>
PTXBENCH_LANE uint32_t bitMask(uint32_t position, uint32_t width) {
  return shiftLeft<uint32_t>(lowMask<uint32_t>(shiftAmount<B>(width)),
                             shiftAmount<B>(position));
}

//===----------------------------------------------------------------------===//
// Logic and bytes
//===----------------------------------------------------------------------===//

/// lop3.b32: bit i of `table` is the result where the bits of a, b and c are
/// those of i, `a` the highest.
PTXBENCH_LANE uint32_t lop3(uint32_t a, uint32_t b, uint32_t c, uint8_t table) {
  uint32_t result = 0;
  for (unsigned i = 0; i < 8; ++i) {
    uint32_t term = (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
    result |= term & (table >> i & 1 ? 0xffffffff : 0);
  }
  return result;
}

/// cnot: 1 for zero, else 0.
template <class T> PTXBENCH_LANE T logicalNot(T a) { return a == 0; }

/// Modes of prmt.
enum class Permute {
  Index, ///< The generic form: a selector of four nibbles.
  F4E,   ///< Forward four extract.
  B4E,   ///< Backward four extract.
  RC8,   ///< Replicate a byte.
  ECL,   ///< Edge clamp left.
  ECR,   ///< Edge clamp right.
  RC16,  ///< Replicate a half.
};

/// The selector of the generic form that a mode stands for.
template <Permute P> PTXBENCH_LANE uint32_t permuteSelector(uint32_t c) {
  uint32_t n = c & 3;
  if constexpr (P == Permute::F4E)
    return 0x3210 + 0x1111 * n;
  if constexpr (P == Permute::B4E) {
    constexpr uint16_t kTable[] = {0x5670, 0x6701, 0x7012, 0x0123};
    return kTable[n];
  }
  if constexpr (P == Permute::RC8)
    return 0x1111 * n;
  if constexpr (P == Permute::ECL) {
    constexpr uint16_t kTable[] = {0x3210, 0x3211, 0x3222, 0x3333};
    return kTable[n];
  }
  if constexpr (P == Permute::ECR) {
    constexpr uint16_t kTable[] = {0x0000, 0x1110, 0x2210, 0x3210};
    return kTable[n];
  }
  if constexpr (P == Permute::RC16)
    return n & 1 ? 0x3232 : 0x1010;
  return c;
}

/// prmt.b32{.mode}: bytes of {b, a} by selector; bit 3 of a nibble asks for
/// copies of the byte's sign (of generic selectors only).
template <Permute P>
PTXBENCH_LANE uint32_t permute(uint32_t a, uint32_t b, uint32_t c) {
  uint64_t bytes = static_cast<uint64_t>(b) << 32 | a;
  uint32_t selector = permuteSelector<P>(c), result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    uint32_t nibble = selector >> 4 * i & 15;
    uint32_t byte = static_cast<uint32_t>(bytes >> 8 * (nibble & 7)) & 0xff;
    uint32_t sign = byte & 0x80 ? 0xff : 0;
    result |= (nibble & 8 ? sign : byte) << 8 * i;
  }
  return result;
}

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_NUMERICS_INTEGERBITS_H
