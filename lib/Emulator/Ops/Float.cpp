//===- Float.cpp - Arithmetic on f32 and f64 ------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA "Floating-Point Instructions": sums, products, extrema, signs and
// tests of f32 and f64. Rounded to nearest they are vector code; the other
// roundings, rare in kernels, are done for active lanes only.
//
//===----------------------------------------------------------------------===//

#include "../Numerics/Float64.h"
#include "InstDesc.h"
#include "Lanes.h"
#include "Select.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

//===----------------------------------------------------------------------===//
// f32
//===----------------------------------------------------------------------===//

static Handler selectSumF32(const InstDesc &desc) {
  return withRounding(roundingOf(desc), [&](auto rounding) {
    return withFlag(desc.has(Mod::ftz), [&](auto ftz) {
      return withFlag(desc.has(Mod::sat), [&](auto sat) -> Handler {
        constexpr Rounding r = rounding;
        switch (desc.opcode) {
        case Opcode::add:
          return roundedLanes<r, addF32<r, ftz, sat>>();
        case Opcode::sub:
          return roundedLanes<r, subF32<r, ftz, sat>>();
        case Opcode::mul:
          return roundedLanes<r, mulF32<r, ftz, sat>>();
        default:
          return roundedLanes<r, fmaF32<r, ftz, sat>>();
        }
      });
    });
  });
}

static Handler selectExtremumF32(const InstDesc &desc) {
  bool isXorSign = desc.has(Mod::xorsign);
  if (desc.has(Mod::abs) != isXorSign || desc.operands.size() != 3)
    return nullptr;
  return withFlag(desc.opcode == Opcode::max, [&](auto isMax) {
    return withFlag(desc.has(Mod::ftz), [&](auto ftz) {
      return withFlag(desc.has(Mod::NaN), [&](auto nan) {
        if (isXorSign)
          return activeLanes<minMaxF32<isMax, ftz, nan, true>>();
        return lanes<minMaxF32<isMax, ftz, nan, false>>();
      });
    });
  });
}

static Handler selectF32(const InstDesc &desc) {
  bool ftz = desc.has(Mod::ftz);
  switch (desc.opcode) {
  case Opcode::add:
  case Opcode::sub:
  case Opcode::mul:
  case Opcode::fma:
  case Opcode::mad:
    return selectSumF32(desc);
  case Opcode::min:
  case Opcode::max:
    return selectExtremumF32(desc);
  case Opcode::abs:
    return ftz ? lanes<absF32<true>>() : lanes<absF32<false>>();
  case Opcode::neg:
    return ftz ? lanes<negF32<true>>() : lanes<negF32<false>>();
  case Opcode::copysign:
    return lanes<copysignF32>();
  default:
    return nullptr;
  }
}

//===----------------------------------------------------------------------===//
// f64
//===----------------------------------------------------------------------===//

static Handler selectSumF64(const InstDesc &desc) {
  return withRounding(roundingOf(desc), [&](auto rounding) -> Handler {
    constexpr Rounding r = rounding;
    switch (desc.opcode) {
    case Opcode::add:
      return roundedLanes<r, addF64<r>>();
    case Opcode::sub:
      return roundedLanes<r, subF64<r>>();
    case Opcode::mul:
      return roundedLanes<r, mulF64<r>>();
    default:
      return roundedLanes<r, fmaF64<r>>();
    }
  });
}

static Handler selectF64(const InstDesc &desc) {
  switch (desc.opcode) {
  case Opcode::add:
  case Opcode::sub:
  case Opcode::mul:
  case Opcode::fma:
  case Opcode::mad:
    return selectSumF64(desc);
  case Opcode::min:
    return lanes<minF64>();
  case Opcode::max:
    return lanes<maxF64>();
  case Opcode::abs:
    return lanes<absF64>();
  case Opcode::neg:
    return lanes<negF64>();
  case Opcode::copysign:
    return lanes<copysignF64>();
  default:
    return nullptr;
  }
}

//===----------------------------------------------------------------------===//
// testp
//===----------------------------------------------------------------------===//

/// ops: the predicate, the number.
template <auto F, class T>
static void executeTest(Warp &warp, const Inst &inst, LaneMask mask) {
  LaneMask result = testRows<FunctionOp<F>, T>(row<const T>(warp, inst.ops[1]));
  setPredicate(warp, inst.ops[0], result, mask);
}

template <FloatTest T> static Handler testOf(bool is64) {
  return is64 ? executeTest<testpF64<T>, double>
              : executeTest<testpF32<T>, float>;
}

/// Without a property ptxas takes testp, too, but the ISA gives it no meaning.
static Handler selectTest(const InstDesc &desc, bool is64) {
  if (desc.has(Mod::finite))
    return testOf<FloatTest::Finite>(is64);
  if (desc.has(Mod::infinite))
    return testOf<FloatTest::Infinite>(is64);
  if (desc.has(Mod::number))
    return testOf<FloatTest::Number>(is64);
  if (desc.has(Mod::notanumber))
    return testOf<FloatTest::NotANumber>(is64);
  if (desc.has(Mod::normal))
    return testOf<FloatTest::Normal>(is64);
  if (desc.has(Mod::subnormal))
    return testOf<FloatTest::Subnormal>(is64);
  return nullptr;
}

bool ptxbench::emulator::selectFloat(const InstDesc &desc, Inst &inst,
                                     OwnExtra &) {
  // In mixed precision operands have another type; sm_90 has none of it.
  std::optional<DataType> type = desc.slotType("t");
  if (!type || type->kind != TypeKind::Float || type->packed ||
      type->alternate || desc.slotType("s"))
    return false;
  bool is64 = type->width == 64;
  if (!is64 && type->width != 32)
    return false;
  Handler handler = desc.opcode == Opcode::testp ? selectTest(desc, is64)
                    : is64                       ? selectF64(desc)
                                                 : selectF32(desc);
  if (!handler || !useTypedRows(desc, inst))
    return false;
  inst.handler = handler;
  return true;
}
