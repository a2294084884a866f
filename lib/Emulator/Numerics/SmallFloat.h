//===- SmallFloat.h - Floats of eight bits and less -------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA 9.0, section "cvt", and "Alternate Floating-Point Data Formats":
// e4m3, e5m2, e2m3, e3m2, e2m1 and the scale factor ue8m0. Conversions into
// them are .satfinite: what is too large becomes the largest number of its
// sign. A NaN becomes the format's NaN, or its largest number where it has
// none.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_NUMERICS_SMALLFLOAT_H
#define PTXBENCH_LIB_EMULATOR_NUMERICS_SMALLFLOAT_H

#include "Half.h"

namespace ptxbench::emulator {

/// A format of 1 + E + M bits. `Largest` is the code of its largest number,
/// `NaN` the code that a NaN becomes.
template <int E, int M, int B, uint8_t Largest, uint8_t NaN> struct SmallFloat {
  static constexpr int kExponentBits = E, kFractionBits = M, kBias = B;
  static constexpr uint8_t kSign = 1 << (E + M);
  static constexpr uint8_t kLargest = Largest, kNaN = NaN;
  /// Whether codes above the largest number exist, and what they are.
  static constexpr bool kHasNaN = Largest < kSign - 1;
  static constexpr bool kHasInfinity = kHasNaN && (NaN - Largest) > 1;
};

/// fp8: no infinity, one NaN of each sign; up to 448.
using E4M3 = SmallFloat<4, 3, 7, 0x7e, 0x7f>;
/// fp8 with infinities and NaNs, the upper half of f16; up to 57344.
using E5M2 = SmallFloat<5, 2, 15, 0x7b, 0x7f>;
/// fp6 of numbers only; up to 7.5.
using E2M3 = SmallFloat<2, 3, 1, 0x1f, 0x1f>;
/// fp6 of numbers only; up to 28.
using E3M2 = SmallFloat<3, 2, 3, 0x1f, 0x1f>;
/// fp4 of numbers only; up to 6.
using E2M1 = SmallFloat<2, 1, 1, 0x07, 0x07>;

/// The f32 of a code; upper bits beside it are ignored. A NaN is canonical.
template <class F> PTXBENCH_LANE float widenSmall(uint8_t code) {
  uint32_t magnitude = code & (F::kSign - 1);
  uint32_t sign = code & F::kSign ? 0x80000000 : 0;
  // The product changes the bias, and makes normal what was subnormal.
  float scaled = asFloat(magnitude << (23 - F::kFractionBits)) *
                 asFloat((254u - F::kBias) << 23);
  uint32_t bits = bitsOf(scaled) | sign;
  if constexpr (F::kHasInfinity)
    bits = magnitude == F::kLargest + 1u ? 0x7f800000 | sign : bits;
  if constexpr (F::kHasNaN)
    bits =
        magnitude > F::kLargest + (F::kHasInfinity ? 1u : 0u) ? kNaN32 : bits;
  return asFloat(bits);
}

/// The code of an f32, .rn.satfinite{.relu}.
template <class F, bool RELU> PTXBENCH_LANE uint8_t narrowSmall(float value) {
  uint32_t bits = bitsOf(value);
  uint32_t code =
      roundFloat<F::kExponentBits, F::kFractionBits, Rounding::RN, F::kBias>(
          bits);
  code = code < F::kLargest ? code : F::kLargest;
  if constexpr (RELU)
    code = bits >> 31 ? 0 : code;
  else
    code |= bits >> 31 ? F::kSign : 0;
  return static_cast<uint8_t>(isNaN32(bits) ? F::kNaN : code);
}

/// Where the two codes of a pair lie: a byte each, but fp4 packs into one.
template <class F> constexpr unsigned pairShift() {
  return F::kSign == 8 ? 4 : 8;
}

/// cvt.rn.satfinite{.relu}.fx2.f32 d, a, b: `a` in the upper part.
template <class F, bool RELU>
PTXBENCH_LANE uint16_t cvtF32ToSmallPair(float a, float b) {
  uint32_t high = narrowSmall<F, RELU>(a), low = narrowSmall<F, RELU>(b);
  return static_cast<uint16_t>(high << pairShift<F>() | low);
}
/// cvt.rn.satfinite{.relu}.fx2.f16x2.
template <class F, bool RELU>
PTXBENCH_LANE uint16_t cvtF16PairToSmall(uint32_t a) {
  return cvtF32ToSmallPair<F, RELU>(F16::widen(static_cast<uint16_t>(a >> 16)),
                                    F16::widen(static_cast<uint16_t>(a)));
}
/// cvt.rn{.relu}.f16x2.fx2, exact.
template <class F, bool RELU>
PTXBENCH_LANE uint32_t cvtSmallPairToF16(uint16_t a) {
  constexpr Clamp16 kClamp = RELU ? Clamp16::Relu : Clamp16::None;
  auto half = [](uint32_t code) -> uint32_t {
    float value =
        widenSmall<F>(static_cast<uint8_t>(code & (2 * F::kSign - 1)));
    return clamp16<F16, kClamp>(F16::narrow(value));
  };
  return half(a >> pairShift<F>()) << 16 | half(a);
}

//===----------------------------------------------------------------------===//
// Stochastic rounding
//===----------------------------------------------------------------------===//

/// As roundFloat, with .rs: the part that is lost, as a fraction of a unit, is
/// the chance to go away from zero. `random` is a fraction of 2^32; a unit is
/// added where the sum of both fractions reaches one.
template <class F>
PTXBENCH_LANE uint32_t roundFloatStochastic(uint32_t bits, uint32_t random) {
  uint32_t down =
      roundFloat<F::kExponentBits, F::kFractionBits, Rounding::RZ, F::kBias>(
          bits);
  uint32_t biased = bits >> 23 & 0xff;
  uint64_t significand = (bits & 0x7fffff) | (biased ? 0x800000u : 0u);
  int exponent = static_cast<int>(biased ? biased : 1) - 127 + F::kBias;
  int shift = 23 - F::kFractionBits + (exponent < 1 ? 1 - exponent : 0);
  // The lost part in units of 2^-32; what lies below can't reach one.
  uint64_t lost;
  if (shift <= 32)
    lost = (significand & ((1ull << shift) - 1)) << (32 - shift);
  else
    lost = shift - 32 < 64 ? significand >> (shift - 32) : 0;
  return down + static_cast<uint32_t>((lost + random) >> 32);
}

//===----------------------------------------------------------------------===//
// ue8m0
//===----------------------------------------------------------------------===//

/// A power of two, 2^(code - 127); 0xff is NaN.
constexpr uint8_t kNaNUE8M0 = 0xff;

/// cvt.{rz,rp}{.satfinite}.ue8m0x2.f32, one element. The sign is dropped. An
/// infinity becomes NaN, or with .satfinite the largest power.
template <Rounding R, bool SATFINITE>
PTXBENCH_LANE uint8_t narrowUE8M0(float value) {
  uint32_t magnitude = bitsOf(value) & 0x7fffffff;
  uint32_t code = magnitude >> 23;
  if constexpr (R == Rounding::RP) {
    // Code 0 is 2^-127, a subnormal of f32.
    bool inexact = (magnitude & 0x7fffff) != 0 && magnitude > 0x00400000;
    code += inexact && magnitude < 0x7f800000 ? 1 : 0;
  }
  if constexpr (SATFINITE)
    code -= code == 0xff && magnitude <= 0x7f800000;
  return static_cast<uint8_t>(code);
}
/// cvt.{rz,rp}{.satfinite}.ue8m0x2.f32 d, a, b: `a` in the upper byte.
template <Rounding R, bool SATFINITE>
PTXBENCH_LANE uint16_t cvtF32ToUE8M0Pair(float a, float b) {
  uint32_t high = narrowUE8M0<R, SATFINITE>(a);
  return static_cast<uint16_t>(high << 8 | narrowUE8M0<R, SATFINITE>(b));
}
/// cvt.{rz,rp}{.satfinite}.ue8m0x2.bf16x2.
template <Rounding R, bool SATFINITE>
PTXBENCH_LANE uint16_t cvtBF16PairToUE8M0(uint32_t a) {
  return cvtF32ToUE8M0Pair<R, SATFINITE>(
      BF16::widen(static_cast<uint16_t>(a >> 16)),
      BF16::widen(static_cast<uint16_t>(a)));
}
/// The bf16 of a ue8m0 code, exact.
PTXBENCH_LANE uint16_t widenUE8M0(uint8_t code) {
  uint16_t number = code ? static_cast<uint16_t>(code << 7) : 0x0040;
  return code == kNaNUE8M0 ? kNaN16 : number;
}
/// cvt.rn.bf16x2.ue8m0x2.
PTXBENCH_LANE uint32_t cvtUE8M0PairToBF16(uint16_t a) {
  uint32_t high = widenUE8M0(static_cast<uint8_t>(a >> 8));
  return high << 16 | widenUE8M0(static_cast<uint8_t>(a));
}
/// A value times a scale factor, as the block-scaled products use it.
PTXBENCH_LANE float scaleByUE8M0(float value, uint8_t scale) {
  return canonical(value * BF16::widen(widenUE8M0(scale)));
}

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_NUMERICS_SMALLFLOAT_H
