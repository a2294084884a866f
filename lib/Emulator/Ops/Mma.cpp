//===- Mma.cpp - mma ------------------------------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA "mma", "mma.sp", in the shapes up to sm_90. A and B are unpacked and
// C is copied before D is written, since D may be any of their registers.
//
//===----------------------------------------------------------------------===//

#include "../Matrix/Products.h"
#include "../Matrix/QuadPair.h"
#include "../Matrix/Sparsity.h"
#include "MatrixOps.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

namespace {
struct MmaExtra : InstExtra {
  Element a = Element::F16, b = Element::F16;
  MatrixShape shape;
  /// Of D and C.
  bool half = false;
  bool saturate = false;
  BitOperation operation = BitOperation::And;
  ProductRounding rounding = ProductRounding::Nearest;
  bool sparse = false;
  unsigned selector = 0;
  QuadPairForm quadPair;
  ProductSlots slots;
};
} // namespace

static void multiplyFloats(Warp &warp, const Inst &inst, const MmaExtra &extra,
                           const PackedLines &rows,
                           const PackedLines &columns) {
  FloatRows a;
  FloatColumns b;
  if (extra.sparse) {
    RowMetadata metadata;
    gatherMetadata(extra.a, extra.shape.k, extra.selector,
                   row<uint32_t>(warp, inst.ops[0]), metadata);
    unpackSparseRows(extra.a, rows, metadata, false, a);
  } else {
    unpackRows(extra.a, rows, false, a);
  }
  unpackColumns(extra.b, columns, b);
  copyAccumulators<uint32_t>(warp, extra.slots);
  ProductShape shape{extra.shape.m, true};
  if (extra.half)
    multiplyToHalf(a, b, shape,
                   RowPointers<uint32_t>(warp, extra.slots.d).data());
  else
    multiply(a, b, shape, RowPointers<float>(warp, extra.slots.d).data());
}

static void multiplyIntegers(Warp &warp, const Inst &inst,
                             const MmaExtra &extra, const PackedLines &rows,
                             const PackedLines &columns) {
  IntegerRows a;
  IntegerColumns b;
  if (extra.sparse) {
    RowMetadata metadata;
    gatherMetadata(extra.a, extra.shape.k, extra.selector,
                   row<uint32_t>(warp, inst.ops[0]), metadata);
    unpackSparseIntegerRows(extra.a, rows, metadata, a);
  } else {
    unpackIntegerRows(extra.a, rows, a);
  }
  unpackIntegerColumns(extra.b, columns, b);
  copyAccumulators<uint32_t>(warp, extra.slots);
  multiply(a, b, {extra.shape.m, true}, extra.saturate,
           RowPointers<int32_t>(warp, extra.slots.d).data());
}

static void multiplyBits(Warp &warp, const MmaExtra &extra,
                         const PackedLines &rows, const PackedLines &columns) {
  BitRows a;
  BitColumns b;
  unpackBitRows(rows, a);
  unpackBitColumns(columns, b);
  copyAccumulators<uint32_t>(warp, extra.slots);
  multiplyBits(a, b, {extra.shape.m, true}, extra.operation,
               RowPointers<int32_t>(warp, extra.slots.d).data());
}

static Step executeMma(Warp &warp, const Inst &inst, LaneMask &mask) {
  Step step;
  if (!isWholeWarp(warp, inst, mask, step))
    return step;
  const auto &extra = static_cast<const MmaExtra &>(*inst.extra);
  PackedLines rows, columns;
  rows.reset(extra.shape.m, extra.a,
             extra.sparse ? extra.shape.k / 2 : extra.shape.k);
  packRows(RowPointers<const uint32_t>(warp, extra.slots.a).data(),
           extra.shape.m, rows);
  columns.reset(8, extra.b, extra.shape.k);
  packColumns(RowPointers<const uint32_t>(warp, extra.slots.b).data(), 0,
              columns);
  if (extra.a == Element::B1)
    multiplyBits(warp, extra, rows, columns);
  else if (bitsOf(extra.a) <= 8 && extra.a != Element::E4M3 &&
           extra.a != Element::E5M2)
    multiplyIntegers(warp, inst, extra, rows, columns);
  else
    multiplyFloats(warp, inst, extra, rows, columns);
  return Step::Next;
}

static Step executeDoubles(Warp &warp, const Inst &inst, LaneMask &mask) {
  Step step;
  if (!isWholeWarp(warp, inst, mask, step))
    return step;
  const auto &extra = static_cast<const MmaExtra &>(*inst.extra);
  multiplyDoubles(warp, extra.slots, extra.shape.m, extra.shape.k,
                  extra.rounding);
  return Step::Next;
}

/// mma.m8n8k4 of f16: no other mma has layouts, or C and D of two types.
static Step executeQuadPairs(Warp &warp, const Inst &inst, LaneMask &mask) {
  Step step;
  if (!isWholeWarp(warp, inst, mask, step))
    return step;
  const auto &extra = static_cast<const MmaExtra &>(*inst.extra);
  multiplyQuadPairs(extra.quadPair,
                    RowPointers<const uint32_t>(warp, extra.slots.a).data(),
                    RowPointers<const uint32_t>(warp, extra.slots.b).data(),
                    RowPointers<const uint32_t>(warp, extra.slots.c).data(),
                    RowPointers<uint32_t>(warp, extra.slots.d).data());
  return Step::Next;
}

/// Whether the modifiers at both ends of the layouts are `.row`.
static bool isFirstRow(const InstDesc &desc) {
  for (Mod mod : desc.mods)
    if (mod == Mod::row || mod == Mod::col)
      return mod == Mod::row;
  return true;
}
static bool isLastRow(const InstDesc &desc) {
  for (Mod mod : reverse(desc.mods))
    if (mod == Mod::row || mod == Mod::col)
      return mod == Mod::row;
  return false;
}

bool ptxbench::emulator::selectMma(const InstDesc &desc, Inst &inst,
                                   OwnExtra &own) {
  if (desc.opcode != Opcode::mma)
    return false;
  // Scaled blocks and the kinds came after sm_90.
  if (desc.slot("kind"))
    return false;
  std::optional<MatrixShape> shape = shapeOf(desc);
  std::optional<Element> a = elementOf(desc, "a"), b = elementOf(desc, "b");
  std::optional<Mod> d = desc.slot("d"), c = desc.slot("c");
  if (!shape || !a || !b || !d || !c)
    return false;
  auto extra = std::make_unique<MmaExtra>();
  extra->shape = *shape;
  extra->a = *a;
  extra->b = *b;
  extra->half = *d == Mod::f16;
  extra->saturate = desc.has(Mod::satfinite);
  extra->operation =
      desc.has(Mod::xor_) ? BitOperation::Xor : BitOperation::And;
  extra->rounding = productRounding(desc);
  unsigned bits = *a == Element::F64 ? 64 : 32;
  if (!extra->slots.use(desc, bits))
    return false;
  if (const OperandDesc *metadata = desc.find("e")) {
    RowSlots slots;
    const OperandDesc *selector = desc.find("f");
    if (!useVector(*metadata, 32, slots) || slots.size() != 1 || !selector)
      return false;
    extra->sparse = true;
    extra->selector = selector->value;
    inst.ops[0] = slots[0];
  }
  inst.control = executeMma;
  if (*a == Element::F64) {
    inst.control = executeDoubles;
  } else if (shape->m == 8 && shape->k == 4) {
    extra->quadPair.rowMajorA = isFirstRow(desc);
    extra->quadPair.rowMajorB = isLastRow(desc);
    extra->quadPair.halfC = *c == Mod::f16;
    extra->quadPair.halfD = *d == Mod::f16;
    inst.control = executeQuadPairs;
  } else if (*d != *c) {
    return false;
  }
  inst.extra = extra.get();
  own.push_back(std::move(extra));
  return true;
}
