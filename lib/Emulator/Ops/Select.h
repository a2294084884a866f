//===- Select.h - From modifiers to template arguments ----------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of Numerics take modifiers and types as template arguments;
// an instruction has them as values. A selection calls a generic function with
// objects whose types are the arguments.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_OPS_SELECT_H
#define PTXBENCH_LIB_EMULATOR_OPS_SELECT_H

#include "../Numerics/FloatBits.h"
#include "InstDesc.h"
#include "Lanes.h"

#include <type_traits>

namespace ptxbench::emulator {

template <Rounding R>
using RoundingConstant = std::integral_constant<Rounding, R>;

/// .rn, .rz, .rm, .rp and the roundings to integers of the same directions;
/// without one to nearest.
inline Rounding roundingOf(const InstDesc &desc) {
  if (desc.has(Mod::rz) || desc.has(Mod::rzi))
    return Rounding::RZ;
  if (desc.has(Mod::rm) || desc.has(Mod::rmi))
    return Rounding::RM;
  if (desc.has(Mod::rp) || desc.has(Mod::rpi))
    return Rounding::RP;
  if (desc.has(Mod::rna))
    return Rounding::RNA;
  return Rounding::RN;
}

/// `f(constant)` with std::true_type or std::false_type.
template <class F> auto withFlag(bool flag, F f) {
  return flag ? f(std::true_type()) : f(std::false_type());
}
/// `f(constant)` with the RoundingConstant of one of four directions.
template <class F> auto withRounding(Rounding rounding, F f) {
  switch (rounding) {
  case Rounding::RZ:
    return f(RoundingConstant<Rounding::RZ>());
  case Rounding::RM:
    return f(RoundingConstant<Rounding::RM>());
  case Rounding::RP:
    return f(RoundingConstant<Rounding::RP>());
  default:
    return f(RoundingConstant<Rounding::RN>());
  }
}
/// `f(T())` with the integer of that width and sign; a null handler for others.
template <class F> Handler withInteger(DataType type, F f) {
  bool isSigned = type.kind == TypeKind::Signed;
  switch (type.packed ? 0 : type.width) {
  case 16:
    return isSigned ? f(int16_t()) : f(uint16_t());
  case 32:
    return isSigned ? f(int32_t()) : f(uint32_t());
  case 64:
    return isSigned ? f(int64_t()) : f(uint64_t());
  }
  return nullptr;
}
/// The same with unsigned integers, for what is the same for both.
template <class F> Handler withUnsigned(DataType type, F f) {
  switch (type.packed ? 0 : type.width) {
  case 16:
    return f(uint16_t());
  case 32:
    return f(uint32_t());
  case 64:
    return f(uint64_t());
  }
  return nullptr;
}

/// The handler of F, which rounds as R: to nearest is plain host arithmetic and
/// becomes vectors, directed rounding does not.
template <Rounding R, auto F> Handler roundedLanes() {
  if constexpr (R == Rounding::RN)
    return lanes<F>();
  else
    return activeLanes<F>();
}

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_OPS_SELECT_H
