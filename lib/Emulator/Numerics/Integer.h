//===- Integer.h - Integer arithmetic ---------------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA 9.0, sections "Integer Arithmetic Instructions" and "Extended-
// Precision Integer Arithmetic Instructions": what is more than one operator of
// C++. T is the type of the instruction, with its sign. Sums and products wrap:
// they are formed in unsigned types.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_NUMERICS_INTEGER_H
#define PTXBENCH_LIB_EMULATOR_NUMERICS_INTEGER_H

#include "LaneFunction.h"
#include <cstdint>
#include <limits>
#include <type_traits>

namespace ptxbench::emulator {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UInt128;

/// The type of twice the width and the same sign.
template <class T> struct Wider;
template <> struct Wider<uint16_t> { using Type = uint32_t; };
template <> struct Wider<int16_t> { using Type = int32_t; };
template <> struct Wider<uint32_t> { using Type = uint64_t; };
template <> struct Wider<int32_t> { using Type = int64_t; };
template <> struct Wider<uint64_t> { using Type = UInt128; };
template <> struct Wider<int64_t> { using Type = Int128; };
template <class T> using WiderOf = typename Wider<T>::Type;

/// Sum, difference and product that wrap. The unsigned types are at least
/// `unsigned`, so that no promotion to a signed type can overflow.
template <class T>
using WrapType = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
template <class T> PTXBENCH_LANE T wrapAdd(T a, T b) {
  return static_cast<T>(static_cast<WrapType<T>>(a) +
                        static_cast<WrapType<T>>(b));
}
template <class T> PTXBENCH_LANE T wrapSub(T a, T b) {
  return static_cast<T>(static_cast<WrapType<T>>(a) -
                        static_cast<WrapType<T>>(b));
}
/// mul.lo.
template <class T> PTXBENCH_LANE T mulLo(T a, T b) {
  return static_cast<T>(static_cast<WrapType<T>>(a) *
                        static_cast<WrapType<T>>(b));
}
/// mul.wide, of 16 and 32 bits in PTX.
template <class T> PTXBENCH_LANE WiderOf<T> mulWide(T a, T b) {
  return static_cast<WiderOf<T>>(a) * static_cast<WiderOf<T>>(b);
}
/// mul.hi.
template <class T> PTXBENCH_LANE T mulHi(T a, T b) {
  return static_cast<T>(mulWide(a, b) >> (8 * sizeof(T)));
}

/// add.sat.s32 and sub.sat.s32: clamped, not wrapped.
PTXBENCH_LANE int32_t clampToS32(int64_t value) {
  constexpr int64_t kMin = std::numeric_limits<int32_t>::min();
  constexpr int64_t kMax = std::numeric_limits<int32_t>::max();
  return static_cast<int32_t>(value < kMin   ? kMin
                              : value > kMax ? kMax
                                             : value);
}
PTXBENCH_LANE int32_t addSatS32(int32_t a, int32_t b) {
  return clampToS32(static_cast<int64_t>(a) + b);
}
PTXBENCH_LANE int32_t subSatS32(int32_t a, int32_t b) {
  return clampToS32(static_cast<int64_t>(a) - b);
}
/// mad.hi.sat.s32.
PTXBENCH_LANE int32_t madHiSatS32(int32_t a, int32_t b, int32_t c) {
  return addSatS32(mulHi(a, b), c);
}

//===----------------------------------------------------------------------===//
// Products of 24 bits
//===----------------------------------------------------------------------===//

/// The product of the low 24 bits, extended as T; 48 bits of it count.
template <class T> PTXBENCH_LANE WiderOf<T> product24(T a, T b) {
  static_assert(sizeof(T) == 4, "mul24 has 32-bit operands");
  // To the top, and down again with the sign of the type.
  auto low = [](T value) {
    return static_cast<T>(static_cast<uint32_t>(value) << 8) >> 8;
  };
  return mulWide<T>(low(a), low(b));
}
/// mul24.lo: bits 31 to 0 of the product.
template <class T> PTXBENCH_LANE T mul24Lo(T a, T b) {
  return static_cast<T>(product24(a, b));
}
/// mul24.hi: bits 47 to 16 of the product.
template <class T> PTXBENCH_LANE T mul24Hi(T a, T b) {
  return static_cast<T>(product24(a, b) >> 16);
}
/// mad24.hi.sat.s32.
PTXBENCH_LANE int32_t mad24HiSatS32(int32_t a, int32_t b, int32_t c) {
  return addSatS32(mul24Hi(a, b), c);
}

//===----------------------------------------------------------------------===//
// Division
//===----------------------------------------------------------------------===//

/// div. A division by zero gives all ones; the one quotient that does not fit
/// wraps to the dividend.
template <class T> PTXBENCH_LANE T divInteger(T a, T b) {
  constexpr T kOnes = static_cast<T>(~static_cast<T>(0));
  T divisor = b == 0 ? 1 : b;
  if constexpr (sizeof(T) < 8) {
    // In double no quotient of 32 bits comes near enough to the next integer
    // to be rounded to it.
    double quotient = static_cast<double>(a) / static_cast<double>(divisor);
    return b == 0 ? kOnes : static_cast<T>(static_cast<int64_t>(quotient));
  }
  if constexpr (std::is_signed_v<T>)
    if (b == -1)
      return wrapSub<T>(0, a);
  return b == 0 ? kOnes : static_cast<T>(a / divisor);
}
/// rem. The code that ptxas makes for it gives all ones for a remainder by
/// zero as well, in all widths.
template <class T> PTXBENCH_LANE T remInteger(T a, T b) {
  T rest = wrapSub<T>(a, mulLo<T>(divInteger(a, b), b));
  return b == 0 ? static_cast<T>(~static_cast<T>(0)) : rest;
}

//===----------------------------------------------------------------------===//
// Absolute values and differences
//===----------------------------------------------------------------------===//

/// abs; the least value stays as it is.
template <class T> PTXBENCH_LANE T absInteger(T a) {
  return a < 0 ? wrapSub<T>(0, a) : a;
}
/// sad: c + |a - b|, the difference taken without overflow.
template <class T> PTXBENCH_LANE T sad(T a, T b, T c) {
  return wrapAdd<T>(c, a < b ? wrapSub(b, a) : wrapSub(a, b));
}
/// min/max.relu.s32 and of each half of s16x2: negative results become zero.
template <class T> PTXBENCH_LANE T reluInteger(T a) { return a < 0 ? T(0) : a; }

//===----------------------------------------------------------------------===//
// Carry chains. T is unsigned; the signed forms are the same.
//===----------------------------------------------------------------------===//

/// A result and what CC.CF becomes.
template <class T> struct WithCarry {
  T value;
  bool carry;
};

/// add.cc with carry = false, addc{.cc} with the carry that came in.
template <class T> PTXBENCH_LANE WithCarry<T> addCarry(T a, T b, bool carry) {
  static_assert(std::is_unsigned_v<T>, "carries are of unsigned sums");
  T partial = static_cast<T>(a + b), sum = static_cast<T>(partial + carry);
  return {sum, partial < a || sum < partial};
}
/// sub.cc with carry = true, subc{.cc} with the carry that came in. The ISA
/// speaks of a borrow, but what CC.CF holds is its opposite, the carry of
/// a + ~b + 1: so it is where a chain mixes sub.cc with addc, or add.cc with
/// subc.
template <class T> PTXBENCH_LANE WithCarry<T> subCarry(T a, T b, bool carry) {
  return addCarry<T>(a, static_cast<T>(~b), carry);
}
/// mad.lo.cc and madc.lo{.cc}.
template <class T>
PTXBENCH_LANE WithCarry<T> madLoCarry(T a, T b, T c, bool carry) {
  return addCarry<T>(mulLo<T>(a, b), c, carry);
}
/// mad.hi.cc and madc.hi{.cc}. The product has the sign of T; T may be signed
/// here.
template <class T>
PTXBENCH_LANE WithCarry<std::make_unsigned_t<T>> madHiCarry(T a, T b, T c,
                                                            bool carry) {
  using U = std::make_unsigned_t<T>;
  return addCarry<U>(static_cast<U>(mulHi<T>(a, b)), static_cast<U>(c), carry);
}

//===----------------------------------------------------------------------===//
// Dot products
//===----------------------------------------------------------------------===//

/// Byte `index` of a word, extended as signed or not.
template <bool Signed>
PTXBENCH_LANE int32_t byteOf(uint32_t word, unsigned index) {
  uint32_t byte = word >> 8 * index & 0xff;
  return Signed ? static_cast<int8_t>(byte) : static_cast<int32_t>(byte);
}
template <bool Signed>
PTXBENCH_LANE int32_t halfOf(uint32_t word, unsigned index) {
  uint32_t half = word >> 16 * index & 0xffff;
  return Signed ? static_cast<int16_t>(half) : static_cast<int32_t>(half);
}

/// dp4a.atype.btype: c + the products of the four bytes; it wraps.
template <bool SignedA, bool SignedB>
PTXBENCH_LANE uint32_t dp4a(uint32_t a, uint32_t b, uint32_t c) {
  for (unsigned i = 0; i < 4; ++i)
    c += static_cast<uint32_t>(byteOf<SignedA>(a, i) * byteOf<SignedB>(b, i));
  return c;
}
/// dp2a.{lo,hi}.atype.btype: c + the halves of `a` times two bytes of `b`.
template <bool High, bool SignedA, bool SignedB>
PTXBENCH_LANE uint32_t dp2a(uint32_t a, uint32_t b, uint32_t c) {
  for (unsigned i = 0; i < 2; ++i)
    c += static_cast<uint32_t>(halfOf<SignedA>(a, i) *
                               byteOf<SignedB>(b, i + (High ? 2 : 0)));
  return c;
}

/// Applies a function of T, of 16 bits, to both halves of packed operands.
template <class T, class Function>
PTXBENCH_LANE uint32_t mapHalves(Function function, uint32_t a, uint32_t b) {
  uint16_t low =
      static_cast<uint16_t>(function(static_cast<T>(a), static_cast<T>(b)));
  uint16_t high = static_cast<uint16_t>(
      function(static_cast<T>(a >> 16), static_cast<T>(b >> 16)));
  return static_cast<uint32_t>(high) << 16 | low;
}

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_NUMERICS_INTEGER_H
