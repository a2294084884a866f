//===- Wmma.cpp - wmma ----------------------------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA "wmma.load", "wmma.store", "wmma.mma". Where a fragment has its
// elements is ours to say (Matrix/WMMA.h).
//
//===----------------------------------------------------------------------===//

#include "../Matrix/WMMA.h"
#include "../Checks/UndefinedValues.h"
#include "../Matrix/Products.h"
#include "MatrixOps.h"
#include "MemoryAccess.h"

#include <algorithm>
#include <cstring>

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

/// The most that a fragment has.
static constexpr unsigned maxRegisters = 16;

namespace {
struct WmmaMoveExtra : InstExtra {
  WmmaMoveExtra(WMMAFragment fragment, unsigned bits)
      : fragment(fragment), bits(bits) {}

  WMMAFragment fragment;
  /// Of an element; of a register.
  unsigned bits, registerBits = 32;
  bool rowMajor = true;
  RowSlots slots;
};
/// ops behind the address.
enum { StrideSlot = 1 };
} // namespace

/// Calls `use(register, byte of its row, bytes in memory, how many)` for each
/// element of a fragment; elements of less than a byte go by bytes, which are
/// contiguous in both places. False after a fault.
template <class Use>
static bool forEachElement(Warp &warp, const Inst &inst, AccessKind kind,
                           Use use) {
  const auto &extra = static_cast<const WmmaMoveExtra &>(*inst.extra);
  const WMMAFragment &fragment = extra.fragment;
  unsigned contiguous = extra.rowMajor ? fragment.columns() : fragment.rows();
  unsigned bits = std::max(8u, extra.bits), perPiece = bits / extra.bits;
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    uint64_t stride = inst.ops[StrideSlot] == noSlot
                          ? contiguous
                          : row<uint32_t>(warp, inst.ops[StrideSlot])[lane];
    uint64_t address = laneAddress(warp, inst, lane);
    for (unsigned reg = 0; reg < extra.slots.size(); ++reg)
      for (unsigned i = 0; i < extra.registerBits / bits; ++i) {
        uint64_t element = WMMAFragment::offset(
            fragment.place(lane, reg, i * perPiece), stride, extra.rowMajor);
        char *bytes = resolve(warp, inst, lane, Space(inst.flags[0]),
                              address + element * extra.bits / 8, bits / 8);
        if (!bytes)
          return false;
        watch(warp, inst, lane, kind, bytes, bits / 8);
        use(reg, (lane * extra.registerBits + i * bits) / 8, bytes, bits / 8);
      }
  }
  return true;
}

static Step executeLoad(Warp &warp, const Inst &inst, LaneMask &mask) {
  Step step;
  if (!isWholeWarp(warp, inst, mask, step))
    return step;
  const auto &extra = static_cast<const WmmaMoveExtra &>(*inst.extra);
  // The registers may be those of the address and of the stride.
  char values[maxRegisters][rowBytes(64)];
  char undefined[maxRegisters][rowBytes(64)];
  bool watches = watchesUndefined(warp);
  if (!forEachElement(
          warp, inst, AccessKind::Read,
          [&](unsigned reg, unsigned at, const char *bytes, unsigned size) {
            std::memcpy(values[reg] + at, bytes, size);
            if (watches)
              readUndefined(warp, bytes, undefined[reg] + at, size);
          }))
    return Step::Ended;
  for (auto [value, slot] : zip(values, extra.slots))
    std::memcpy(row(warp, slot), value, rowBytes(extra.registerBits));
  if (watches)
    for (auto [bits, slot] : zip(undefined, extra.slots)) {
      std::memcpy(undefinedResult(warp, slot), bits,
                  rowBytes(extra.registerBits));
      originOf(*warp.frame, slot) = warp.launch->program->sourceOf(inst).line;
    }
  return Step::Next;
}

/// Goes with the store of one element.
static void storeUndefined(Warp &warp, const Inst &inst,
                           const WmmaMoveExtra &extra, unsigned reg,
                           unsigned at, const char *bytes, unsigned size) {
  Slot slot = extra.slots[reg];
  const char *bits = undefinedRow(warp, slot) + at;
  if (!writeUndefined(warp, bytes, bits, size) &&
      std::any_of(bits, bits + size, [](char byte) { return byte != 0; }))
    reportUndefined(warp, inst, at / (extra.registerBits / 8),
                    "a value that goes to global memory",
                    originOf(*warp.frame, slot));
}

static Step executeStore(Warp &warp, const Inst &inst, LaneMask &mask) {
  Step step;
  if (!isWholeWarp(warp, inst, mask, step))
    return step;
  bool watches = watchesUndefined(warp);
  const auto &extra = static_cast<const WmmaMoveExtra &>(*inst.extra);
  if (!forEachElement(
          warp, inst, AccessKind::Write,
          [&](unsigned reg, unsigned at, char *bytes, unsigned size) {
            std::memcpy(bytes, row(warp, extra.slots[reg]) + at, size);
            if (watches)
              storeUndefined(warp, inst, extra, reg, at, bytes, size);
          }))
    return Step::Ended;
  ++warp.cta->cluster->progress;
  return Step::Next;
}

static bool selectTransfer(const InstDesc &desc, Inst &inst, OwnExtra &own) {
  std::optional<MatrixShape> shape = shapeOf(desc);
  std::optional<Mod> part = desc.slot("part");
  std::optional<DataType> type = desc.slotType("t");
  const OperandDesc *address = desc.find("p"), *registers = desc.find("r");
  if (!shape || !part || !type || !address || !registers ||
      !useAddress(desc, *address, inst))
    return false;
  WMMAShape dimensions{shape->m, shape->n, shape->k};
  std::unique_ptr<WmmaMoveExtra> extra;
  if (*part == Mod::a || *part == Mod::b) {
    std::optional<Element> element = elementOf(desc, "t");
    if (!element)
      return false;
    WMMAPart which = *part == Mod::a ? WMMAPart::A : WMMAPart::B;
    extra = std::make_unique<WmmaMoveExtra>(
        WMMAFragment(dimensions, which, *element), bitsOf(*element));
  } else {
    extra = std::make_unique<WmmaMoveExtra>(
        WMMAFragment(dimensions, type->width), type->width);
  }
  extra->registerBits = extra->bits == 64 ? 64 : 32;
  extra->rowMajor = desc.has(Mod::row);
  if (!useVector(*registers, extra->registerBits, extra->slots) ||
      extra->slots.size() != extra->fragment.registers() ||
      extra->slots.size() > maxRegisters)
    return false;
  if (const OperandDesc *stride = desc.find("stride")) {
    if (!stride->isRow() || stride->bits != 32)
      return false;
    inst.ops[StrideSlot] = stride->slot;
  }
  inst.control = desc.opcode == Opcode::wmma_load ? executeLoad : executeStore;
  inst.extra = extra.get();
  own.push_back(std::move(extra));
  return true;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

namespace {
struct WmmaExtra : InstExtra {
  Element a = Element::F16, b = Element::F16;
  WMMAShape shape{};
  /// Widths of the elements of D and C.
  unsigned dBits = 32, cBits = 32;
  bool saturate = false;
  BitOperation operation = BitOperation::And;
  ProductRounding rounding = ProductRounding::Nearest;
  ProductSlots slots;
};

/// The accumulators while they are computed: a row for each element.
template <class T> struct Accumulators {
  T values[maxRegisters][warpSize];
  T *rows[maxRegisters];

  Accumulators() {
    for (unsigned i = 0; i < maxRegisters; ++i)
      rows[i] = values[i];
  }
  /// From registers of an element each.
  void load(Warp &warp, ArrayRef<Slot> slots) {
    for (auto [value, slot] : zip(values, slots))
      std::memcpy(value, row(warp, slot), sizeof(value));
  }
  void store(Warp &warp, ArrayRef<Slot> slots) const {
    for (auto [value, slot] : zip(values, slots))
      std::memcpy(row(warp, slot), value, sizeof(value));
  }
};
} // namespace

/// Registers of f16 hold two elements.
static void loadHalves(Warp &warp, ArrayRef<Slot> slots,
                       Accumulators<float> &to) {
  for (auto [i, slot] : enumerate(slots))
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      uint32_t pair = row<uint32_t>(warp, slot)[lane];
      to.values[2 * i][lane] = floatOfHalf(pair & 0xffff);
      to.values[2 * i + 1][lane] = floatOfHalf(pair >> 16);
    }
}
static void storeHalves(Warp &warp, ArrayRef<Slot> slots,
                        const Accumulators<float> &from) {
  for (auto [i, slot] : enumerate(slots))
    for (unsigned lane = 0; lane < warpSize; ++lane)
      row<uint32_t>(warp, slot)[lane] =
          halfOfFloat(from.values[2 * i][lane]) |
          uint32_t(halfOfFloat(from.values[2 * i + 1][lane])) << 16;
}

static bool isFloat(Element element) {
  return element == Element::F16 || element == Element::BF16 ||
         element == Element::TF32;
}

/// Multiplies the pieces of A, one after the other, with all columns of B.
template <class Multiply>
static void forEachPiece(Warp &warp, const WmmaExtra &extra,
                         Multiply multiplyPiece) {
  WMMAFragment a(extra.shape, WMMAPart::A, extra.a);
  WMMAFragment d(extra.shape, 32);
  RowPointers<const uint32_t> registers(warp, extra.slots.a);
  for (unsigned piece = 0; piece < a.pieces(); ++piece) {
    PackedLines rows;
    packWMMARows(a, extra.a, registers.data(), piece, rows);
    multiplyPiece(rows, ProductShape{a.pieceSize(), true},
                  piece * d.registersPerPiece());
  }
}

static Step executeProduct(Warp &warp, const Inst &inst, LaneMask &mask) {
  Step step;
  if (!isWholeWarp(warp, inst, mask, step))
    return step;
  const auto &extra = static_cast<const WmmaExtra &>(*inst.extra);
  PackedLines columns;
  packWMMAColumns(WMMAFragment(extra.shape, WMMAPart::B, extra.b), extra.b,
                  RowPointers<const uint32_t>(warp, extra.slots.b).data(),
                  columns);
  if (isFloat(extra.a)) {
    FloatColumns b;
    unpackColumns(extra.b, columns, b);
    Accumulators<float> sums;
    if (extra.cBits == 16)
      loadHalves(warp, extra.slots.c, sums);
    else
      sums.load(warp, extra.slots.c);
    forEachPiece(
        warp, extra,
        [&](const PackedLines &rows, ProductShape shape, unsigned first) {
          FloatRows a;
          unpackRows(extra.a, rows, false, a);
          multiply(a, b, shape, sums.rows + first);
        });
    if (extra.dBits == 16)
      storeHalves(warp, extra.slots.d, sums);
    else
      sums.store(warp, extra.slots.d);
    return Step::Next;
  }
  Accumulators<int32_t> sums;
  sums.load(warp, extra.slots.c);
  if (extra.a == Element::B1) {
    BitColumns b;
    unpackBitColumns(columns, b);
    forEachPiece(
        warp, extra,
        [&](const PackedLines &rows, ProductShape shape, unsigned first) {
          BitRows a;
          unpackBitRows(rows, a);
          multiplyBits(a, b, shape, extra.operation, sums.rows + first);
        });
  } else {
    IntegerColumns b;
    unpackIntegerColumns(extra.b, columns, b);
    forEachPiece(
        warp, extra,
        [&](const PackedLines &rows, ProductShape shape, unsigned first) {
          IntegerRows a;
          unpackIntegerRows(extra.a, rows, a);
          multiply(a, b, shape, extra.saturate, sums.rows + first);
        });
  }
  sums.store(warp, extra.slots.d);
  return Step::Next;
}

/// m8n8k4 of f64, whose fragments are those of mma.
static Step executeDoubles(Warp &warp, const Inst &inst, LaneMask &mask) {
  Step step;
  if (!isWholeWarp(warp, inst, mask, step))
    return step;
  const auto &extra = static_cast<const WmmaExtra &>(*inst.extra);
  multiplyDoubles(warp, extra.slots, extra.shape.m, extra.shape.k,
                  extra.rounding);
  return Step::Next;
}

static bool selectProduct(const InstDesc &desc, Inst &inst, OwnExtra &own) {
  std::optional<MatrixShape> shape = shapeOf(desc);
  std::optional<DataType> d = desc.slotType("d"), c = desc.slotType("c");
  if (!shape || !d || !c)
    return false;
  auto extra = std::make_unique<WmmaExtra>();
  extra->shape = {shape->m, shape->n, shape->k};
  // Fragments of f16 do not say their type a second time.
  extra->a = elementOf(desc, "a").value_or(Element::F16);
  extra->b = elementOf(desc, "b").value_or(Element::F16);
  extra->dBits = d->width;
  extra->cBits = c->width;
  extra->saturate = desc.has(Mod::satfinite);
  // Of f16 it is what versions before 6.5 had, and clamped to finite values.
  if (extra->saturate && isFloat(extra->a))
    return false;
  extra->operation =
      desc.has(Mod::xor_) ? BitOperation::Xor : BitOperation::And;
  extra->rounding = productRounding(desc);
  unsigned bits = extra->a == Element::F64 ? 64 : 32;
  if (!extra->slots.use(desc, bits) || extra->slots.d.size() > maxRegisters ||
      extra->slots.c.size() > maxRegisters)
    return false;
  inst.control = extra->a == Element::F64 ? executeDoubles : executeProduct;
  inst.extra = extra.get();
  own.push_back(std::move(extra));
  return true;
}

bool ptxbench::emulator::selectWmma(const InstDesc &desc, Inst &inst,
                                    OwnExtra &own) {
  switch (desc.opcode) {
  case Opcode::wmma_load:
  case Opcode::wmma_store:
    return selectTransfer(desc, inst, own);
  case Opcode::wmma_mma:
    return selectProduct(desc, inst, own);
  default:
    return false;
  }
}
