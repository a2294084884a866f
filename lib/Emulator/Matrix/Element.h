//===- Element.h - Element types of matrix operands -------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The element types that the matrix instructions up to sm_90 multiply, and the
// exact conversion of each floating-point one to float. The conversions are
// branch-free so that loops over them vectorise.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_MATRIX_ELEMENT_H
#define PTXBENCH_LIB_EMULATOR_MATRIX_ELEMENT_H

#include <cstdint>
#include <cstring>

namespace ptxbench::emulator {

enum class Element : uint8_t {
  F16,
  BF16,
  TF32,
  F64,
  E4M3,
  E5M2,
  S8,
  U8,
  S4,
  U4,
  B1
};

/// Bits that one element takes in registers and in shared memory.
constexpr unsigned bitsOf(Element element) {
  switch (element) {
  case Element::F16:
  case Element::BF16:
    return 16;
  case Element::TF32:
    return 32;
  case Element::F64:
    return 64;
  case Element::E4M3:
  case Element::E5M2:
  case Element::S8:
  case Element::U8:
    return 8;
  case Element::S4:
  case Element::U4:
    return 4;
  case Element::B1:
    return 1;
  }
  return 0;
}

inline float floatOfBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

inline uint32_t bitsOfFloat(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// The NaN that the tensor cores return in f32; its f16 form is 0x7fff.
constexpr uint32_t canonicalNaN = 0x7fffffff;

/// The pattern of the number whose exponent is `bias` less than one of f32.
/// Numbers below the normal ones (of exponent zero) are given the lowest
/// exponent, and what it adds is taken away again: hosts are slow on f32
/// numbers below their normal ones.
inline uint32_t rebias(uint32_t magnitude, uint32_t bias) {
  uint32_t unit = (bias + 1) << 23;
  uint32_t small =
      bitsOfFloat(floatOfBits(magnitude + unit) - floatOfBits(unit));
  return magnitude < 0x00800000 ? small : magnitude + (bias << 23);
}

inline float floatOfHalf(uint16_t half) {
  uint32_t magnitude = uint32_t(half & 0x7fff) << 13;
  uint32_t bits =
      magnitude >= 0x0f800000 ? magnitude | 0x7f800000 : rebias(magnitude, 112);
  return floatOfBits(bits | uint32_t(half & 0x8000) << 16);
}

/// To nearest even; too large a value becomes an infinity, a NaN 0x7fff.
inline uint16_t halfOfFloat(float value) {
  uint32_t bits = bitsOfFloat(value);
  uint32_t magnitude = bits & 0x7fffffff;
  // Below 2^-14 the addition of 0.5 rounds to multiples of 2^-24.
  uint32_t small =
      bitsOfFloat(floatOfBits(magnitude) + 0.5f) - bitsOfFloat(0.5f);
  uint32_t normal = (magnitude + 0xc8000fffu + ((magnitude >> 13) & 1)) >> 13;
  uint32_t half = magnitude < 0x38800000 ? small : normal;
  half = magnitude >= 0x47800000 ? 0x7c00 : half;
  bool nan = magnitude > 0x7f800000;
  half = nan ? 0x7fff : half | (bits >> 16 & 0x8000);
  return uint16_t(half);
}

inline float floatOfBFloat(uint16_t bits) {
  return floatOfBits(uint32_t(bits) << 16);
}

/// The low 13 bits of a tf32 operand don't count.
inline float floatOfTF32(uint32_t bits) {
  return floatOfBits(bits & 0xffffe000);
}

/// e5m2 is f16 without the low byte.
inline float floatOfE5M2(uint8_t bits) {
  return floatOfHalf(uint16_t(bits) << 8);
}

/// e4m3 has no infinities; all ones below the sign is NaN.
inline float floatOfE4M3(uint8_t bits) {
  uint32_t magnitude = uint32_t(bits & 0x7f) << 20;
  uint32_t result =
      magnitude == 0x07f00000 ? canonicalNaN : rebias(magnitude, 120);
  return floatOfBits(result | uint32_t(bits & 0x80) << 24);
}

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_MATRIX_ELEMENT_H
