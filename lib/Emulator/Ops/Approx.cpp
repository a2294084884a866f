//===- Approx.cpp - Quotients, roots and transcendental functions ---------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA "Floating-Point Instructions": div, rcp, sqrt, rounded and
// approximate; rsqrt, sin, cos, lg2, ex2, tanh.
//
//===----------------------------------------------------------------------===//

#include "../Numerics/Approx.h"
#include "InstDesc.h"
#include "Lanes.h"
#include "Select.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

/// div, rcp and sqrt that are rounded.
static Handler selectRoundedF32(const InstDesc &desc) {
  return withRounding(roundingOf(desc), [&](auto rounding) {
    return withFlag(desc.has(Mod::ftz), [&](auto ftz) -> Handler {
      constexpr Rounding r = rounding;
      switch (desc.opcode) {
      case Opcode::div:
        return roundedLanes<r, divF32<r, ftz>>();
      case Opcode::rcp:
        return roundedLanes<r, rcpF32<r, ftz>>();
      case Opcode::sqrt:
        return roundedLanes<r, sqrtF32<r, ftz>>();
      default:
        return nullptr;
      }
    });
  });
}

static Handler selectApproxF32(const InstDesc &desc) {
  return withFlag(desc.has(Mod::ftz), [&](auto ftz) -> Handler {
    switch (desc.opcode) {
    case Opcode::div:
      return desc.has(Mod::full) ? lanes<divFullF32<ftz>>()
                                 : lanes<divApproxF32<ftz>>();
    case Opcode::rcp:
      return lanes<rcpApproxF32<ftz>>();
    case Opcode::sqrt:
      return lanes<sqrtApproxF32<ftz>>();
    case Opcode::rsqrt:
      return lanes<rsqrtApproxF32<ftz>>();
    case Opcode::sin:
      return lanes<sinApproxF32<ftz>>();
    case Opcode::cos:
      return lanes<cosApproxF32<ftz>>();
    case Opcode::lg2:
      return lanes<lg2ApproxF32<ftz>>();
    case Opcode::ex2:
      return lanes<ex2ApproxF32<ftz>>();
    case Opcode::tanh:
      return ftz ? nullptr : lanes<tanhApproxF32>();
    default:
      return nullptr;
    }
  });
}

/// `rcp.rnd.f64` is the same with .ftz; ptxas makes the same code of it.
static Handler selectF64(const InstDesc &desc) {
  if (desc.has(Mod::approx)) {
    bool ftz = desc.has(Mod::ftz);
    if (desc.opcode == Opcode::rcp)
      return ftz ? lanes<rcpApproxF64>() : nullptr;
    if (desc.opcode == Opcode::rsqrt)
      return ftz ? lanes<rsqrtApproxFtzF64>() : lanes<rsqrtApproxF64>();
    return nullptr;
  }
  return withRounding(roundingOf(desc), [&](auto rounding) -> Handler {
    constexpr Rounding r = rounding;
    switch (desc.opcode) {
    case Opcode::div:
      return roundedLanes<r, divF64<r>>();
    case Opcode::rcp:
      return roundedLanes<r, rcpF64<r>>();
    case Opcode::sqrt:
      return roundedLanes<r, sqrtF64<r>>();
    default:
      return nullptr;
    }
  });
}

bool ptxbench::emulator::selectApprox(const InstDesc &desc, Inst &inst,
                                      OwnExtra &) {
  Handler handler = nullptr;
  if (desc.has(Mod::f64))
    handler = selectF64(desc);
  else if (desc.has(Mod::f32))
    handler = desc.has(Mod::approx) || desc.has(Mod::full)
                  ? selectApproxF32(desc)
                  : selectRoundedF32(desc);
  if (!handler || !useTypedRows(desc, inst))
    return false;
  inst.handler = handler;
  return true;
}
