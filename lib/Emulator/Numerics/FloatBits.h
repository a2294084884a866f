//===- FloatBits.h - Bits of floating-point values --------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the arithmetic of all formats shares: roundings, canonical NaNs, the
// modifiers .ftz and .sat, and the step from a value rounded to nearest to one
// rounded in a direction.
//
// The host always rounds to nearest even; its control word is never touched. A
// directed rounding takes the nearest result and the sign of what it lost (an
// error-free transformation gives that sign exactly) and steps by one unit.
// Everything here is branch-free, with selections on integers, so that a loop
// over the lanes of a warp becomes vector code.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_NUMERICS_FLOATBITS_H
#define PTXBENCH_LIB_EMULATOR_NUMERICS_FLOATBITS_H

#include "LaneFunction.h"
#include "llvm/ADT/bit.h"
#include <cmath>
#include <cstdint>

namespace ptxbench::emulator {

/// Roundings of the ISA ("Floating Point Instructions", "cvt"). The integer
/// roundings .rni/.rzi/.rmi/.rpi are RN/RZ/RM/RP of the value to an integer.
enum class Rounding {
  RN,  ///< to nearest, ties to even
  RZ,  ///< toward zero
  RM,  ///< toward negative infinity
  RP,  ///< toward positive infinity
  RNA, ///< to nearest, ties away from zero
};

/// The NaN that arithmetic on f32 gives, whatever the payloads of its inputs.
constexpr uint32_t kNaN32 = 0x7fffffff;
/// The NaN that arithmetic on f16 and bf16 gives.
constexpr uint16_t kNaN16 = 0x7fff;
/// The NaN of an invalid operation on f64; a NaN operand keeps its payload.
constexpr uint64_t kNaN64 = 0xfff8000000000000;

PTXBENCH_LANE uint32_t bitsOf(float value) {
  return llvm::bit_cast<uint32_t>(value);
}
PTXBENCH_LANE uint64_t bitsOf(double value) {
  return llvm::bit_cast<uint64_t>(value);
}
PTXBENCH_LANE float asFloat(uint32_t bits) {
  return llvm::bit_cast<float>(bits);
}
PTXBENCH_LANE double asDouble(uint64_t bits) {
  return llvm::bit_cast<double>(bits);
}

PTXBENCH_LANE bool isNaN32(uint32_t bits) {
  return (bits & 0x7fffffff) > 0x7f800000;
}
PTXBENCH_LANE bool isNaN64(uint64_t bits) {
  return (bits & 0x7fffffffffffffff) > 0x7ff0000000000000;
}

/// `value` with a NaN replaced by the canonical one.
PTXBENCH_LANE float canonical(float value) {
  uint32_t bits = bitsOf(value);
  return asFloat(isNaN32(bits) ? kNaN32 : bits);
}

/// .ftz: a subnormal becomes a zero of its sign.
template <bool FTZ> PTXBENCH_LANE float flush(float value) {
  if constexpr (!FTZ)
    return value;
  uint32_t bits = bitsOf(value);
  return asFloat((bits & 0x7f800000) == 0 ? bits & 0x80000000 : bits);
}

/// .sat: clamped to [0.0, 1.0]; a NaN and -0.0 become +0.0.
PTXBENCH_LANE float saturate(float value) {
  uint32_t bits = bitsOf(value);
  // Positive values and their bits have one order.
  bool positive = bits <= 0x7f800000;
  uint32_t clamped = bits < 0x3f800000 ? bits : 0x3f800000;
  return asFloat(positive ? clamped : 0);
}
PTXBENCH_LANE double saturate(double value) {
  uint64_t bits = bitsOf(value);
  bool positive = bits <= 0x7ff0000000000000;
  uint64_t clamped = bits < 0x3ff0000000000000 ? bits : 0x3ff0000000000000;
  return asDouble(positive ? clamped : 0);
}

/// The end of each f32 operation: output flush, saturation, canonical NaN.
template <bool FTZ, bool SAT> PTXBENCH_LANE float finish(float value) {
  if constexpr (SAT)
    return saturate(flush<FTZ>(value));
  return canonical(flush<FTZ>(value));
}

//===----------------------------------------------------------------------===//
// Error-free transformations
//===----------------------------------------------------------------------===//

/// A sum rounded to nearest and what was lost, exactly: sum + error == a + b.
struct ExactSum {
  double sum, error;
};

/// Holds unless the sum overflows; never the case for widened floats.
PTXBENCH_LANE ExactSum twoSum(double a, double b) {
  double sum = a + b;
  double partOfB = sum - a;
  double partOfA = sum - partOfB;
  return {sum, (a - partOfA) + (b - partOfB)};
}

/// The next f32 in the direction R, given `nearest`, the exact value rounded
/// to nearest, and `lost`, whose sign is that of exact value - nearest. A NaN
/// in `lost` (of infinities) steps nowhere.
template <Rounding R> PTXBENCH_LANE float directed(float nearest, double lost) {
  if constexpr (R == Rounding::RN)
    return nearest;
  uint32_t bits = bitsOf(nearest);
  uint32_t negative = bits >> 31;
  uint32_t above = lost < 0; // The exact value is below `nearest`.
  uint32_t below = lost > 0;
  if constexpr (R == Rounding::RZ)
    return asFloat(bits - (negative ? below : above));
  if constexpr (R == Rounding::RM)
    return asFloat(bits + (negative ? above : 0u - above));
  return asFloat(bits + (negative ? 0u - below : below));
}

/// Rounds a sum of two doubles to f32 in the direction R.
template <Rounding R> PTXBENCH_LANE float roundSum(ExactSum exact) {
  float nearest = static_cast<float>(exact.sum);
  // Exact, and at least one unit of `sum` if not zero, so `error`, half a unit
  // at most, decides only where it is zero.
  double lost = exact.sum - static_cast<double>(nearest);
  return directed<R>(nearest, lost != 0 ? lost : exact.error);
}

/// Rounds sum + error to a double "to odd": the value is cut toward zero and
/// its last bit says that something was cut. A further rounding to a format of
/// at most 51 bits then gives what rounding the exact value would.
PTXBENCH_LANE double roundToOdd(ExactSum exact) {
  uint64_t bits = bitsOf(exact.sum);
  uint64_t inexact = exact.error != 0;
  uint64_t signs = bits ^ bitsOf(exact.error);
  bits -= inexact & (signs >> 63);
  // What infinities make of the error is a NaN; they stay as they are.
  bool finite = (bitsOf(exact.sum) & 0x7ff0000000000000) != 0x7ff0000000000000;
  return asDouble(finite ? bits | inexact : bitsOf(exact.sum));
}

/// The same from double to float.
PTXBENCH_LANE float roundToOdd(double value) {
  float nearest = static_cast<float>(value);
  uint32_t bits = bitsOf(nearest);
  double magnitude = std::fabs(value);
  double rounded = std::fabs(static_cast<double>(nearest));
  uint32_t inexact = rounded != magnitude;
  uint32_t tooLarge = rounded > magnitude;
  uint32_t cut = (bits - tooLarge) | inexact;
  return asFloat(isNaN32(bits) ? bits : cut);
}

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_NUMERICS_FLOATBITS_H
