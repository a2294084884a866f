//===- FloatReference.h - What float instructions have to give --*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values are their bits. The modifiers .ftz, .sat and the NaNs of results, and
// the two formats of 16 bits as 113-bit floats and back.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_TEST_UNIT_EMULATOR_OPS_FLOATREFERENCE_H
#define PTXBENCH_TEST_UNIT_EMULATOR_OPS_FLOATREFERENCE_H

#include "../Numerics/NumericsTestUtils.h"

namespace ptxbench::emulator::test {

struct RoundingName {
  const char *name;
  Rounding rounding;
};
inline constexpr RoundingName roundingNames[] = {
    {"rn", Rounding::RN},
    {"rz", Rounding::RZ},
    {"rm", Rounding::RM},
    {"rp", Rounding::RP},
};

inline float f32(uint32_t bits) { return llvm::bit_cast<float>(bits); }
inline double f64(uint64_t bits) { return llvm::bit_cast<double>(bits); }

/// A zero of the sign for a subnormal.
inline uint32_t flushed(bool ftz, uint32_t bits) {
  return ftz && std::fpclassify(f32(bits)) == FP_SUBNORMAL ? bits & 0x80000000
                                                           : bits;
}
/// The bits of a result.
inline uint32_t resultF32(float value, bool ftz, bool sat) {
  uint32_t bits = flushed(ftz, llvm::bit_cast<uint32_t>(value));
  if (sat)
    return value > 0 ? (value > 1 ? 0x3f800000 : bits) : 0;
  return std::isnan(value) ? 0x7fffffff : bits;
}

/// A format of 16 bits with infinities.
struct Format16 {
  int exponentBits, fractionBits;

  int bias() const { return (1 << (exponentBits - 1)) - 1; }
  uint32_t infinity() const {
    return ((1u << exponentBits) - 1) << fractionBits;
  }
  uint32_t one() const { return uint32_t(bias()) << fractionBits; }
  bool isNaN(uint32_t bits) const { return (bits & 0x7fff) > infinity(); }
  bool isInfinite(uint32_t bits) const { return (bits & 0x7fff) == infinity(); }
  bool isSubnormal(uint32_t bits) const {
    return (bits & 0x7fff) && (bits & 0x7fff) < 1u << fractionBits;
  }
  /// Of any bits; exact.
  double value(uint32_t bits) const {
    double sign = bits & 0x8000 ? -1 : 1;
    uint32_t magnitude = bits & 0x7fff;
    if (magnitude > infinity())
      return std::numeric_limits<double>::quiet_NaN();
    if (magnitude == infinity())
      return sign * std::numeric_limits<double>::infinity();
    int exponent = int(magnitude >> fractionBits);
    double fraction = magnitude & ((1u << fractionBits) - 1);
    if (exponent)
      fraction += 1u << fractionBits;
    return sign *
           std::ldexp(fraction, std::max(exponent, 1) - bias() - fractionBits);
  }
  /// The finite `value` rounded; `zero` is what an exact zero is, `rest` the
  /// sign of what `value` lacks.
  uint16_t round(Wide value, Rounding rounding, uint16_t zero = 0,
                 int rest = 0) const {
    if (value == 0)
      return zero;
    bool negative = value < 0;
    // Whatever lies far outside rounds as its neighbour does.
    Wide most = powerOfTwo(300), least = powerOfTwo(-300);
    Wide magnitude = negative ? -value : value;
    magnitude = magnitude > most ? most : magnitude < least ? least : magnitude;
    uint64_t code = roundReference(negative ? -magnitude : magnitude, rest,
                                   fractionBits, bias(), rounding);
    if (code >= infinity()) {
      bool stays = rounding == Rounding::RZ ||
                   rounding == (negative ? Rounding::RP : Rounding::RM);
      code = infinity() - (stays ? 1 : 0);
    }
    return uint16_t(code | (negative ? 0x8000 : 0));
  }
  /// a * b + c, or another NaN or infinity that doubles give as well.
  uint16_t fma(uint32_t a, uint32_t b, uint32_t c) const {
    double approximate = value(a) * value(b) + value(c);
    if (std::isnan(approximate))
      return 0x7fff;
    if (std::isinf(approximate))
      return uint16_t(infinity() | (approximate < 0 ? 0x8000 : 0));
    uint16_t zero = std::signbit(approximate) ? 0x8000 : 0;
    // The sum of a product and a number may have more than 113 bits.
    Wide product = Wide(value(a)) * Wide(value(b)), addend = value(c);
    Wide sum = product + addend, part = sum - product;
    Wide error = (product - (sum - part)) + (addend - part);
    return round(sum, Rounding::RN, zero, error > 0 ? 1 : error < 0 ? -1 : 0);
  }
  uint32_t flushed(bool ftz, uint32_t bits) const {
    return ftz && isSubnormal(bits) ? bits & 0x8000 : bits & 0xffff;
  }
  uint16_t saturated(uint16_t bits) const {
    if (isNaN(bits) || bits & 0x8000)
      return 0;
    return bits > one() ? one() : bits;
  }
  uint16_t relu(uint16_t bits) const {
    return isNaN(bits) ? 0x7fff : bits & 0x8000 ? 0 : bits;
  }
};

inline constexpr Format16 formatF16{5, 10}, formatBF16{8, 7};

} // namespace ptxbench::emulator::test

#endif // PTXBENCH_TEST_UNIT_EMULATOR_OPS_FLOATREFERENCE_H
