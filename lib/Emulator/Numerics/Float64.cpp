//===- Float64.cpp - f64 rounded in a direction ---------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An operand is a sign and a significand of 53 bits times a power of two. Each
// operation forms its result as an integer of up to 127 bits, of which the last
// one says whether anything nonzero was shifted out below it ("jammed"), and
// one function rounds that integer to f64.
//
//===----------------------------------------------------------------------===//

#include "Float64.h"
#include <algorithm>

using namespace ptxbench::emulator;

namespace {

__extension__ typedef unsigned __int128 UInt128;

constexpr uint64_t kSign = 1ull << 63;
constexpr uint64_t kInfinity = 0x7ff0000000000000;

/// A finite value: significand * 2^exponent. A nonzero significand has 53 bits.
struct Unpacked {
  bool negative;
  int exponent;
  uint64_t significand;
};

Unpacked unpack(double value) {
  uint64_t bits = bitsOf(value);
  uint64_t fraction = bits & 0x000fffffffffffff;
  int biased = static_cast<int>(bits >> 52 & 0x7ff);
  bool negative = bits >> 63;
  if (biased != 0)
    return {negative, biased - 1075, fraction | 1ull << 52};
  if (fraction == 0)
    return {negative, 0, 0};
  int shift = __builtin_clzll(fraction) - 11;
  return {negative, -1074 - shift, fraction << shift};
}

/// Shifts right; a bit that falls out leaves a trace in the last one.
UInt128 shiftJam(UInt128 value, int count) {
  if (count <= 0)
    return value;
  if (count > 127)
    return value != 0;
  UInt128 kept = value >> count;
  return kept | ((kept << count) != value);
}

int bitWidth(UInt128 value) {
  uint64_t high = static_cast<uint64_t>(value >> 64);
  uint64_t low = static_cast<uint64_t>(value);
  if (high)
    return 128 - __builtin_clzll(high);
  return low ? 64 - __builtin_clzll(low) : 0;
}

/// Whether a magnitude between two neighbours goes to the one farther from
/// zero. `rest` are the bits below the last kept one, of which `half` is the
/// first.
bool roundsAway(bool negative, bool odd, UInt128 rest, UInt128 half,
                Rounding rounding) {
  switch (rounding) {
  case Rounding::RN:
    return rest > half || (rest == half && odd);
  case Rounding::RNA:
    return rest >= half;
  case Rounding::RZ:
    return false;
  case Rounding::RM:
    return negative && rest != 0;
  case Rounding::RP:
    return !negative && rest != 0;
  }
  return false;
}

/// Rounds significand * 2^exponent, of at least 55 bits if it is inexact.
double pack(bool negative, UInt128 significand, int exponent,
            Rounding rounding) {
  uint64_t sign = negative ? kSign : 0;
  if (significand == 0)
    return asDouble(sign);
  // The last bit that is kept: the 53rd, or the last of the subnormals.
  int drop = bitWidth(significand) - 53;
  if (exponent + drop < -1074)
    drop = -1074 - exponent;
  uint64_t kept;
  if (drop <= 0) {
    kept = static_cast<uint64_t>(significand << -drop);
  } else {
    // Leave two bits below the last one: half a unit, and the rest of them.
    UInt128 cut = shiftJam(significand, drop - 2);
    UInt128 rest = drop >= 2 ? cut & 3 : (cut & 1) << 1;
    kept = static_cast<uint64_t>(drop >= 2 ? cut >> 2 : cut >> 1);
    kept += roundsAway(negative, kept & 1, rest, 2, rounding);
  }
  int last = exponent + drop; // The weight of the last kept bit.
  // A significand with its 53rd bit set adds one to the exponent field.
  int64_t field = kept >> 52 ? last + 1074 : 0;
  uint64_t bits = (static_cast<uint64_t>(field < 0 ? 0 : field) << 52) + kept;
  if (field < 2047 && bits < kInfinity)
    return asDouble(sign | bits);
  bool toInfinity = roundsAway(negative, true, 3, 2, rounding);
  return asDouble(sign | (toInfinity ? kInfinity : kInfinity - 1));
}

bool isFinite(double value) { return (bitsOf(value) & ~kSign) < kInfinity; }

} // namespace

double ptxbench::emulator::fmaF64Directed(double a, double b, double c,
                                          Rounding rounding) {
  // NaNs and infinities are exact.
  if (!isFinite(a) || !isFinite(b) || !isFinite(c)) {
    // An overflow of finite factors must not become an infinity that a NaN or
    // an infinite addend meets.
    if (isFinite(a) && isFinite(b))
      return c + 0.0;
    return __builtin_fma(a, b, c);
  }
  Unpacked x = unpack(a), y = unpack(b), z = unpack(c);
  UInt128 product = static_cast<UInt128>(x.significand) * y.significand;
  bool productNegative = x.negative != y.negative;
  int productExponent = x.exponent + y.exponent;
  if (product == 0 && z.significand == 0) {
    bool negative =
        productNegative == z.negative ? z.negative : rounding == Rounding::RM;
    return asDouble(negative ? kSign : 0);
  }
  if (product == 0)
    return c;
  if (z.significand == 0)
    return pack(productNegative, product, productExponent, rounding);
  // Both start near bit 125, so that what cancels was not shifted out.
  product <<= 20, productExponent -= 20;
  UInt128 addend = static_cast<UInt128>(z.significand) << 73;
  int addendExponent = z.exponent - 73;
  int exponent = std::max(productExponent, addendExponent);
  product = shiftJam(product, exponent - productExponent);
  addend = shiftJam(addend, exponent - addendExponent);
  if (productNegative == z.negative)
    return pack(productNegative, product + addend, exponent, rounding);
  if (product == addend)
    return asDouble(rounding == Rounding::RM ? kSign : 0);
  if (product > addend)
    return pack(productNegative, product - addend, exponent, rounding);
  return pack(z.negative, addend - product, exponent, rounding);
}

double ptxbench::emulator::addF64Directed(double a, double b,
                                          Rounding rounding) {
  if (!isFinite(a) || !isFinite(b))
    return a + b;
  return fmaF64Directed(a, 1.0, b, rounding);
}

double ptxbench::emulator::mulF64Directed(double a, double b,
                                          Rounding rounding) {
  if (!isFinite(a) || !isFinite(b))
    return a * b;
  // A zero of the product's sign leaves the product as it is.
  double zero = asDouble((bitsOf(a) ^ bitsOf(b)) & kSign);
  return fmaF64Directed(a, b, zero, rounding);
}

double ptxbench::emulator::divF64Directed(double a, double b,
                                          Rounding rounding) {
  if (!isFinite(a) || !isFinite(b) || a == 0 || b == 0)
    return a / b;
  Unpacked x = unpack(a), y = unpack(b);
  UInt128 dividend = static_cast<UInt128>(x.significand) << 64;
  UInt128 quotient = dividend / y.significand;
  bool inexact = dividend % y.significand != 0;
  return pack(x.negative != y.negative, quotient << 1 | inexact,
              x.exponent - 65 - y.exponent, rounding);
}

double ptxbench::emulator::sqrtF64Directed(double a, Rounding rounding) {
  if (!isFinite(a) || a == 0 || bitsOf(a) >> 63)
    return __builtin_sqrt(a);
  Unpacked x = unpack(a);
  // An even exponent, and 125 or 126 bits under the root.
  int shift = x.exponent & 1 ? 73 : 72;
  UInt128 radicand = static_cast<UInt128>(x.significand) << shift;
  UInt128 root = 0, rest = radicand;
  // Digit by digit: (root + bit)^2 <= radicand.
  for (int bit = 62; bit >= 0; --bit) {
    UInt128 trial = (root << (bit + 1)) + (static_cast<UInt128>(1) << 2 * bit);
    if (trial > rest)
      continue;
    rest -= trial;
    root |= static_cast<UInt128>(1) << bit;
  }
  return pack(false, root << 1 | (rest != 0), (x.exponent - shift) / 2 - 1,
              rounding);
}
