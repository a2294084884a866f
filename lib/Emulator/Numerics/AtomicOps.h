//===- AtomicOps.h - What atomic operations do to a value -------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA "atom", "red" and the reductions of bulk copies: the operations as
// functions of the old value and the operands. T is the type of the bits in
// memory.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_NUMERICS_ATOMICOPS_H
#define PTXBENCH_LIB_EMULATOR_NUMERICS_ATOMICOPS_H

#include "Float64.h"
#include "Half.h"

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace ptxbench::emulator {

template <class T> struct AtomicAnd {
  using Type = T;
  static T apply(T old, T b) { return old & b; }
};
template <class T> struct AtomicOr {
  using Type = T;
  static T apply(T old, T b) { return old | b; }
};
template <class T> struct AtomicXor {
  using Type = T;
  static T apply(T old, T b) { return old ^ b; }
};
template <class T> struct AtomicExch {
  using Type = T;
  static T apply(T, T b) { return b; }
};
template <class T> struct AtomicAdd {
  using Type = T;
  static T apply(T old, T b) { return old + b; }
};
/// Up to b, and from there to 0.
struct AtomicInc {
  using Type = uint32_t;
  static uint32_t apply(uint32_t old, uint32_t b) {
    return old >= b ? 0 : old + 1;
  }
};
/// Down to 0, and from there (and from beyond b) to b.
struct AtomicDec {
  using Type = uint32_t;
  static uint32_t apply(uint32_t old, uint32_t b) {
    return old == 0 || old > b ? b : old - 1;
  }
};
/// Of integers; S says whether they have signs.
template <class S> struct AtomicMin {
  using Type = std::make_unsigned_t<S>;
  static Type apply(Type old, Type b) { return std::min(S(old), S(b)); }
};
template <class S> struct AtomicMax {
  using Type = std::make_unsigned_t<S>;
  static Type apply(Type old, Type b) { return std::max(S(old), S(b)); }
};

//===----------------------------------------------------------------------===//
// Floating point
//===----------------------------------------------------------------------===//

/// Sums round to the nearest even. In global memory subnormal inputs and
/// results become zeros of their sign; shared memory has them.
template <bool FTZ> struct AtomicAddF32 {
  using Type = uint32_t;
  static uint32_t apply(uint32_t old, uint32_t b) {
    return bitsOf(
        addF32<Rounding::RN, FTZ, /*SAT=*/false>(asFloat(old), asFloat(b)));
  }
};
struct AtomicAddF64 {
  using Type = uint64_t;
  static uint64_t apply(uint64_t old, uint64_t b) {
    return bitsOf(addF64<Rounding::RN>(asDouble(old), asDouble(b)));
  }
};

/// `.noftz` of f16 and bf16: F is the format.
template <class F> struct AtomicAdd16 {
  using Type = uint16_t;
  static uint16_t apply(uint16_t old, uint16_t b) {
    return add16<F, /*FTZ=*/false, Clamp16::None>(old, b);
  }
};
template <class F> struct AtomicMin16 {
  using Type = uint16_t;
  static uint16_t apply(uint16_t old, uint16_t b) {
    return minMax16<F, /*Max=*/false, /*FTZ=*/false, /*NaN=*/false,
                    /*XorSignAbs=*/false>(old, b);
  }
};
template <class F> struct AtomicMax16 {
  using Type = uint16_t;
  static uint16_t apply(uint16_t old, uint16_t b) {
    return minMax16<F, /*Max=*/true, /*FTZ=*/false, /*NaN=*/false,
                    /*XorSignAbs=*/false>(old, b);
  }
};
/// An operation on both halves of a packed value.
template <class Half> struct AtomicPair {
  using Type = uint32_t;
  static uint32_t apply(uint32_t old, uint32_t b) {
    return mapPair(Half::apply, old, b);
  }
};

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_NUMERICS_ATOMICOPS_H
