//===- Products.h - D = A * B + D on a warp's registers ---------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The products of wgmma, mma and wmma, one warp at a time: the registers of D
// are added to in place. Registers are in the order of the fragment (see
// Fragments.h), which is the same for every number of columns.
//
// Floating point: products are exact, and each is added to the f32 accumulator
// with one rounding to nearest even, in the order of K; the result doesn't
// depend on the host. f16 accumulators are widened, added to in f32, and
// rounded once. A NaN is returned as 0x7fffffff (f16: 0x7fff). How far the
// hardware is from that, docs/Emulator.md says. Integers and single bits are
// exact, f64 is fma after fma.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_MATRIX_PRODUCTS_H
#define PTXBENCH_LIB_EMULATOR_MATRIX_PRODUCTS_H

#include "Panels.h"

namespace ptxbench::emulator {

/// Which instructions of the host a product uses; all give the same bits.
enum class HostVectors : uint8_t { Portable, AVX2, AVX512 };

/// The widest that this host has.
HostVectors widestHostVectors();
/// Has products use `vectors` (which this host must have) from here on; for
/// tests and measurements.
void useHostVectors(HostVectors vectors);

/// How the rows of D are stored and whether D is read.
struct ProductShape {
  /// 8 or 16.
  unsigned rows = 16;
  /// scale-d: without it the old D doesn't count.
  bool accumulate = true;
};

/// Rounding of an f64 product.
enum class ProductRounding : uint8_t { Nearest, Zero, Down, Up };

/// The operation of a product of single bits, before bits are counted.
enum class BitOperation : uint8_t { And, Xor };

/// f32 accumulators: `d` has rows * n / 32 registers of 32 lanes.
void multiply(const FloatRows &a, const FloatColumns &b, ProductShape shape,
              float *const *d);
/// f16 accumulators: `d` has rows * n / 64 registers, two elements in each.
void multiplyToHalf(const FloatRows &a, const FloatColumns &b,
                    ProductShape shape, uint32_t *const *d);
/// s32 accumulators; with `saturate` (.satfinite) the sum is clamped, else it
/// wraps.
void multiply(const IntegerRows &a, const IntegerColumns &b, ProductShape shape,
              bool saturate, int32_t *const *d);
/// Single bits.
void multiplyBits(const BitRows &a, const BitColumns &b, ProductShape shape,
                  BitOperation operation, int32_t *const *d);
/// f64.
void multiply(const DoubleRows &a, const DoubleColumns &b, ProductShape shape,
              ProductRounding rounding, double *const *d);

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_MATRIX_PRODUCTS_H
