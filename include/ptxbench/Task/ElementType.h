//===- ElementType.h - Element types of tensors --------------- -*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The element types of FlashInfer-Trace definitions and exact conversions.
// Encoding rounds to nearest, ties to even, in one step from double: going
// through float first would round twice.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_TASK_ELEMENTTYPE_H
#define PTXBENCH_TASK_ELEMENTTYPE_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace ptxbench {

enum class ElementType {
  Float64,
  Float32,
  Float16,
  BFloat16,
  Float8E4M3, ///< "float8_e4m3fn": no infinity, one NaN per sign.
  Float8E5M2,
  Int64,
  Int32,
  Int16,
  Int8,
  UInt8,
  Bool,
};

/// "bfloat16", "float8_e4m3fn", ... as definitions spell them.
const char *stringifyElementType(ElementType type);
std::optional<ElementType> symbolizeElementType(llvm::StringRef name);

/// Size of an element in bytes.
unsigned sizeOf(ElementType type);
bool isFloat(ElementType type);

/// The value of an element whose bits are the low bits of `bits`. Exact for
/// all types but 64-bit integers beyond 2^53.
double decode(ElementType type, uint64_t bits);

/// The bits of the element nearest to `value`. Floating point: ties to even;
/// too large becomes infinity, or NaN where the type has none; NaN becomes
/// the quiet NaN with a clear sign. Integers: ties to even, clamped to the
/// range, NaN becomes 0; Bool: 0 only for 0.
uint64_t encode(ElementType type, double value);

/// Fast paths of the two common types.
float bfloat16ToFloat(uint16_t bits);
uint16_t floatToBFloat16(float value);
float float16ToFloat(uint16_t bits);
uint16_t floatToFloat16(float value);

/// Reads and writes element `index` of an array.
uint64_t loadBits(ElementType type, const uint8_t *data, uint64_t index);
void storeBits(ElementType type, uint8_t *data, uint64_t index, uint64_t bits);

/// Decodes elements `first` to `first + count - 1` of an array.
void decodeMany(ElementType type, const uint8_t *data, uint64_t first,
                uint64_t count, double *out);

/// A NaN that no arithmetic produces, to fill outputs with before a run, so
/// that elements nobody wrote can be told. Absent for types without NaN.
std::optional<uint64_t> poisonBits(ElementType type);

} // namespace ptxbench

#endif // PTXBENCH_TASK_ELEMENTTYPE_H
