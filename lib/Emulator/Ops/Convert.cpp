//===- Convert.cpp - cvt and cvt.pack -------------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA "cvt", "cvt.pack". A register may be wider than its type ("Operand
// Size Exceeding Instruction-Type Size"): of a source the low bits count, a
// result is extended as its type is. Both are steps like the conversion itself.
//
//===----------------------------------------------------------------------===//

#include "../Numerics/Convert.h"
#include "../Numerics/SmallFloat.h"
#include "ConvertRows.h"
#include "Select.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

namespace {
struct ConvertExtra : InstExtra {
  RowSteps steps;
};
struct alignas(64) RowSpace {
  char bytes[rowBytes(64)];
};
} // namespace

template <class T>
PTXBENCH_VECTOR_CLONES static void blend(const void *from, T *d,
                                         LaneMask mask) {
  const T *value = static_cast<const T *>(from);
  PTXBENCH_LANE_LOOP
  for (unsigned lane = 0; lane < warpSize; ++lane)
    d[lane] = mask >> lane & 1 ? value[lane] : d[lane];
}

/// ops: d, a; T has the width of d's row.
template <class T>
static void executeSteps(Warp &warp, const Inst &inst, LaneMask mask) {
  const auto &steps = static_cast<const ConvertExtra &>(*inst.extra).steps;
  RowSpace space[2];
  const void *from = row(warp, inst.ops[1]);
  unsigned next = 0;
  for (RowStep step : steps) {
    step(from, space[next].bytes);
    from = space[next].bytes;
    next ^= 1;
  }
  blend<T>(from, row<T>(warp, inst.ops[0]), mask);
}

static Handler stepsHandler(unsigned bits) {
  switch (bits) {
  case 8:
    return executeSteps<uint8_t>;
  case 16:
    return executeSteps<uint16_t>;
  case 32:
    return executeSteps<uint32_t>;
  case 64:
    return executeSteps<uint64_t>;
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Float to float
//===----------------------------------------------------------------------===//

namespace {

PTXBENCH_LANE float flushF32(float a) { return flush<true>(a); }
PTXBENCH_LANE float canonicalF32(float a) { return canonical(a); }
PTXBENCH_LANE float saturateF32(float a) { return saturate(a); }
PTXBENCH_LANE double saturateF64(double a) { return saturate(a); }
template <Rounding R, bool Ftz> PTXBENCH_LANE float integralF32(float a) {
  return cvtF32Integral<R, Ftz, false>(a);
}
/// A NaN becomes canonical: the hardware adds zero.
template <class T> PTXBENCH_LANE uint16_t canonical16(uint16_t a) {
  return isNaN16<T>(a) ? kNaN16 : a;
}

/// A cvt between two floats.
struct FloatConversion {
  const InstDesc &desc;
  RowSteps &steps;
  bool ftz = desc.has(Mod::ftz), sat = desc.has(Mod::sat);
  bool relu = desc.has(Mod::relu), satfinite = desc.has(Mod::satfinite);
  Rounding rounding = roundingOf(desc);
  /// To an integral value.
  bool isIntegral = desc.has(Mod::rni) || desc.has(Mod::rzi) ||
                    desc.has(Mod::rmi) || desc.has(Mod::rpi);

  bool add(RowStep step) {
    steps.push_back(step);
    return step;
  }

  /// What `.sat` and `.relu` do at the end; `.relu` is only for 16 bits.
  bool saturateF32Result() { return !sat || add(step<saturateF32>()); }
  bool saturateF64Result() { return !sat || add(step<saturateF64>()); }
  template <class T> bool clampResult() {
    if (sat)
      return add(step<clamp16<T, Clamp16::Sat>>());
    return !relu || add(step<clamp16<T, Clamp16::Relu>>());
  }

  bool f32ToF32() {
    if (isIntegral)
      return add(withRounding(rounding,
                              [&](auto r) {
                                constexpr Rounding R = decltype(r)::value;
                                return ftz ? step<integralF32<R, true>>()
                                           : step<integralF32<R, false>>();
                              })) &&
             saturateF32Result();
    // Without any modifier it is a move.
    if (ftz)
      add(step<flushF32>()), add(step<canonicalF32>());
    return saturateF32Result();
  }
  bool f64ToF64() {
    if (isIntegral)
      add(withRounding(rounding, [](auto r) {
        return step<cvtF64Integral<decltype(r)::value, false>>();
      }));
    return saturateF64Result();
  }
  template <class T> bool sameHalf() {
    if (isIntegral)
      add(withRounding(rounding, [](auto r) {
        return step<cvt16Integral<T, decltype(r)::value, false>>();
      }));
    else
      add(step<canonical16<T>>());
    return clampResult<T>();
  }

  bool f64ToF32() {
    add(withRounding(rounding, [](auto r) {
      return step<cvtF64ToF32<decltype(r)::value, false, false>>();
    }));
    if (ftz)
      add(step<flushF32>());
    return saturateF32Result();
  }
  bool f32ToF64() {
    return add(ftz ? step<cvtF32ToF64<true, false>>()
                   : step<cvtF32ToF64<false, false>>()) &&
           saturateF64Result();
  }
  template <class T> bool f32ToHalf() {
    // To f16 the hardware rounds subnormals, too.
    if (ftz && std::is_same_v<T, BF16>)
      add(step<flushF32>());
    add(withRounding(rounding, [&](auto r) {
      constexpr Rounding R = decltype(r)::value;
      return satfinite ? step<cvtF32To16<T, R, false, Clamp16::None, true>>()
                       : step<cvtF32To16<T, R, false, Clamp16::None, false>>();
    }));
    return clampResult<T>();
  }
  template <class T> bool f64ToHalf() {
    add(withRounding(rounding, [](auto r) {
      return step<cvtF64To16<T, decltype(r)::value, false>>();
    }));
    return clampResult<T>();
  }
  template <class T> bool halfToF64() {
    return add(step<cvt16ToF64<T, false>>()) && saturateF64Result();
  }
  template <class From, class To> bool halfToHalf() {
    add(withRounding(rounding, [](auto r) {
      return step<cvt16To16<From, To, decltype(r)::value, false>>();
    }));
    return clampResult<To>();
  }
  bool f16ToF32() {
    return add(ftz ? step<cvtF16ToF32<true, false>>()
                   : step<cvtF16ToF32<false, false>>()) &&
           saturateF32Result();
  }
  bool bf16ToF32() {
    return add(ftz ? step<cvtBF16ToF32<true>>()
                   : step<cvtBF16ToF32<false>>()) &&
           saturateF32Result();
  }

  bool run(Mod from, Mod to) {
    if (relu && to != Mod::f16 && to != Mod::bf16)
      return false;
    switch (from) {
    case Mod::f32:
      return to == Mod::f32    ? f32ToF32()
             : to == Mod::f64  ? f32ToF64()
             : to == Mod::f16  ? f32ToHalf<F16>()
             : to == Mod::bf16 ? f32ToHalf<BF16>()
                               : false;
    case Mod::f64:
      return to == Mod::f32    ? f64ToF32()
             : to == Mod::f64  ? f64ToF64()
             : to == Mod::f16  ? f64ToHalf<F16>()
             : to == Mod::bf16 ? f64ToHalf<BF16>()
                               : false;
    case Mod::f16:
      return to == Mod::f32    ? f16ToF32()
             : to == Mod::f64  ? halfToF64<F16>()
             : to == Mod::f16  ? sameHalf<F16>()
             : to == Mod::bf16 ? halfToHalf<F16, BF16>()
                               : false;
    case Mod::bf16:
      return to == Mod::f32    ? bf16ToF32()
             : to == Mod::f64  ? halfToF64<BF16>()
             : to == Mod::f16  ? halfToHalf<BF16, F16>()
             : to == Mod::bf16 ? sameHalf<BF16>()
                               : false;
    default:
      return false;
    }
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Formats of their own and pairs
//===----------------------------------------------------------------------===//

template <class T> static Handler selectPairOf(const InstDesc &desc) {
  Rounding rounding = roundingOf(desc);
  if (rounding != Rounding::RN && rounding != Rounding::RZ)
    return nullptr;
  return withFlag(rounding == Rounding::RZ, [&](auto rz) {
    return withFlag(desc.has(Mod::relu), [&](auto relu) {
      return withFlag(desc.has(Mod::satfinite), [&](auto satfinite) {
        constexpr Rounding r = rz ? Rounding::RZ : Rounding::RN;
        return lanes<cvtF32ToPair<T, r, relu, satfinite>>();
      });
    });
  });
}

static Handler selectTF32(const InstDesc &desc) {
  bool satfinite = desc.has(Mod::satfinite), relu = desc.has(Mod::relu);
  switch (roundingOf(desc)) {
  case Rounding::RNA:
    if (relu)
      return nullptr;
    return satfinite ? lanes<cvtTF32<Rounding::RNA, false, true>>()
                     : lanes<cvtTF32<Rounding::RNA, false, false>>();
  case Rounding::RN:
    if (satfinite)
      return nullptr;
    return relu ? lanes<cvtTF32<Rounding::RN, true, false>>()
                : lanes<cvtTF32<Rounding::RN, false, false>>();
  case Rounding::RZ:
    if (satfinite)
      return nullptr;
    return relu ? lanes<cvtTF32<Rounding::RZ, true, false>>()
                : lanes<cvtTF32<Rounding::RZ, false, false>>();
  default:
    return nullptr;
  }
}

template <class F> static Handler selectToFp8(const InstDesc &desc, Mod from) {
  return withFlag(desc.has(Mod::relu), [&](auto relu) -> Handler {
    if (from == Mod::f32)
      return lanes<cvtF32ToSmallPair<F, relu>>();
    return from == Mod::f16x2 ? lanes<cvtF16PairToSmall<F, relu>>() : nullptr;
  });
}
template <class F> static Handler selectFromFp8(const InstDesc &desc) {
  return withFlag(desc.has(Mod::relu), [](auto relu) {
    return lanes<cvtSmallPairToF16<F, relu>>();
  });
}

/// The forms whose registers are as wide as their types.
static Handler selectPacked(const InstDesc &desc, Mod from, Mod to) {
  switch (to) {
  case Mod::tf32:
    return from == Mod::f32 ? selectTF32(desc) : nullptr;
  case Mod::e4m3x2:
    return selectToFp8<E4M3>(desc, from);
  case Mod::e5m2x2:
    return selectToFp8<E5M2>(desc, from);
  case Mod::bf16x2:
    return from == Mod::f32 ? selectPairOf<BF16>(desc) : nullptr;
  case Mod::f16x2:
    return from == Mod::f32      ? selectPairOf<F16>(desc)
           : from == Mod::e4m3x2 ? selectFromFp8<E4M3>(desc)
           : from == Mod::e5m2x2 ? selectFromFp8<E5M2>(desc)
                                 : nullptr;
  default:
    return nullptr;
  }
}

static Handler selectPack(const InstDesc &desc) {
  if (desc.has(Mod::u16))
    return lanes<cvtPack16<false>>();
  if (desc.has(Mod::s16))
    return lanes<cvtPack16<true>>();
  if (desc.has(Mod::u8))
    return lanes<cvtPack<8, false>>();
  if (desc.has(Mod::s8))
    return lanes<cvtPack<8, true>>();
  if (desc.has(Mod::u4))
    return lanes<cvtPack<4, false>>();
  if (desc.has(Mod::s4))
    return lanes<cvtPack<4, true>>();
  if (desc.has(Mod::u2))
    return lanes<cvtPack<2, false>>();
  if (desc.has(Mod::s2))
    return lanes<cvtPack<2, true>>();
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Selection
//===----------------------------------------------------------------------===//

static bool isInteger(DataType type) {
  return type.kind == TypeKind::Signed || type.kind == TypeKind::Unsigned;
}

/// The type of a register of which the low bits count.
static DataType bitsType(unsigned width) {
  DataType type;
  type.kind = TypeKind::Unsigned;
  type.width = width;
  return type;
}

static bool selectScalar(const InstDesc &desc, Inst &inst, OwnExtra &own,
                         Mod from, Mod to) {
  DataType fromType = *getModType(from), toType = *getModType(to);
  if (desc.operands.size() != 2 || !useRows(desc, inst))
    return false;
  const OperandDesc &d = desc.operands[0], &a = desc.operands[1];
  if (d.bits < toType.width || a.bits < fromType.width || a.minus)
    return false;
  auto extra = std::make_unique<ConvertExtra>();
  RowSteps &steps = extra->steps;
  if (a.bits > fromType.width)
    steps.push_back(resizeStep(bitsType(a.bits), fromType.width));
  bool fromInteger = isInteger(fromType), toInteger = isInteger(toType);
  bool known = fromInteger && toInteger
                   ? integerSteps(desc, fromType, toType, steps)
               : fromInteger ? integerToFloatSteps(desc, fromType, to, steps)
               : toInteger   ? floatToIntegerSteps(desc, from, toType, steps)
                             : FloatConversion{desc, steps}.run(from, to);
  if (!known)
    return false;
  if (d.bits > toType.width)
    steps.push_back(
        resizeStep(toInteger ? toType : bitsType(toType.width), d.bits));
  if (is_contained(steps, nullptr))
    return false;
  inst.handler = stepsHandler(d.bits);
  inst.extra = extra.get();
  own.push_back(std::move(extra));
  return inst.handler;
}

bool ptxbench::emulator::selectConvert(const InstDesc &desc, Inst &inst,
                                       OwnExtra &own) {
  Handler handler = nullptr;
  if (desc.opcode == Opcode::cvt_pack) {
    handler = selectPack(desc);
  } else if (desc.opcode == Opcode::cvt) {
    std::optional<Mod> to = desc.slot("d"), from = desc.slot("s");
    if (!to || !from)
      return false;
    if (selectScalar(desc, inst, own, *from, *to))
      return true;
    handler = selectPacked(desc, *from, *to);
  }
  if (!handler || !useTypedRows(desc, inst))
    return false;
  inst.handler = handler;
  return true;
}
