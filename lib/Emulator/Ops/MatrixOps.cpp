//===- MatrixOps.cpp - What the matrix instructions share -----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA "Matrix Shape", "Matrix Data-types", and the qualifier `.aligned`.
//
//===----------------------------------------------------------------------===//

#include "MatrixOps.h"
#include "llvm/ADT/bit.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

std::optional<MatrixShape> ptxbench::emulator::shapeOf(const InstDesc &desc) {
  std::optional<Mod> mod = desc.slot("shape");
  if (!mod)
    return std::nullopt;
  StringRef text = stringifyMod(*mod);
  MatrixShape shape;
  if (!text.consume_front("m") || text.consumeInteger(10, shape.m) ||
      !text.consume_front("n") || text.consumeInteger(10, shape.n))
    return std::nullopt;
  if (text.empty())
    return shape;
  if (!text.consume_front("k") || text.getAsInteger(10, shape.k))
    return std::nullopt;
  return shape;
}

std::optional<Element> ptxbench::emulator::elementOf(const InstDesc &desc,
                                                     StringRef name) {
  std::optional<Mod> mod = desc.slot(name);
  if (!mod)
    return std::nullopt;
  switch (*mod) {
  case Mod::f16:
    return Element::F16;
  case Mod::bf16:
    return Element::BF16;
  case Mod::tf32:
    return Element::TF32;
  case Mod::f64:
    return Element::F64;
  case Mod::e4m3:
    return Element::E4M3;
  case Mod::e5m2:
    return Element::E5M2;
  case Mod::s8:
    return Element::S8;
  case Mod::u8:
    return Element::U8;
  case Mod::s4:
    return Element::S4;
  case Mod::u4:
    return Element::U4;
  case Mod::b1:
    return Element::B1;
  default:
    return std::nullopt;
  }
}

ProductRounding ptxbench::emulator::productRounding(const InstDesc &desc) {
  if (desc.has(Mod::rz))
    return ProductRounding::Zero;
  if (desc.has(Mod::rm))
    return ProductRounding::Down;
  if (desc.has(Mod::rp))
    return ProductRounding::Up;
  return ProductRounding::Nearest;
}

bool ptxbench::emulator::useVector(const OperandDesc &operand, unsigned bits,
                                   RowSlots &slots) {
  auto use = [&](const OperandDesc &element) {
    if (!element.isRow() || element.bits != bits)
      return false;
    slots.push_back(element.slot);
    return true;
  };
  if (operand.kind == OperandDesc::Vector)
    return all_of(operand.children, use);
  return use(operand);
}

bool ProductSlots::use(const InstDesc &desc, unsigned bits) {
  auto use = [&](StringRef name, RowSlots &slots) {
    const OperandDesc *operand = desc.find(name);
    return operand && useVector(*operand, bits, slots);
  };
  return use("d", d) && use("a", a) && use("b", b) && use("c", c);
}

void ptxbench::emulator::multiplyDoubles(Warp &warp, const ProductSlots &slots,
                                         unsigned m, unsigned k,
                                         ProductRounding rounding) {
  DoubleRows a;
  DoubleColumns b;
  unpackDoubleRows(RowPointers<const double>(warp, slots.a).data(), m, k, a);
  unpackDoubleColumns(RowPointers<const double>(warp, slots.b).data(), k, b);
  copyAccumulators<uint64_t>(warp, slots);
  multiply(a, b, {m, true}, rounding,
           RowPointers<double>(warp, slots.d).data());
}

bool ptxbench::emulator::isWholeWarp(Warp &warp, const Inst &inst,
                                     LaneMask mask, Step &step) {
  step = Step::Ended;
  const SourceInst &source = warp.launch->program->sourceOf(inst);
  auto refuse = [&](LaneMask here, const Twine &why) {
    fault(warp, inst, countr_zero(here), "partial-warp",
          source.name +
              " is executed by all 32 threads of a warp together, "
              "but " +
              why);
    return false;
  };
  if (!mask) {
    step = Step::Next;
    return false;
  }
  if (warp.threads != ~LaneMask(0))
    return refuse(mask, "this warp has only " + Twine(popcount(warp.threads)));
  if (warp.exited)
    return refuse(mask, Twine(popcount(warp.exited)) + " have ended");
  if (mask != warp.active)
    return refuse(mask, "the guard is false in " +
                            Twine(popcount(warp.active & ~mask)));
  if (!converge(warp, warp.running())) {
    step = Step::Retry;
    return false;
  }
  return true;
}
