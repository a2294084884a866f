//===- UndefinedMatrix.cpp - Undefined bits of matrix products ------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An element of D is undefined if one of its row of A is, or of its column of
// B, or the element it is added to: programs compute with tiles of which they
// have filled only a part, and drop the rest. Rows and columns are gathered
// from undefined bits as they are from numbers. wgmma, whose operands are read
// later, does this when it is computed.
//
//===----------------------------------------------------------------------===//

#include "UndefinedMatrix.h"
#include "../Matrix/MatrixMove.h"
#include "../Matrix/QuadPair.h"
#include "../Matrix/WMMA.h"
#include "../Ops/MatrixOps.h"
#include "UndefinedStep.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

LineSet ptxbench::emulator::undefinedLines(const PackedLines &lines) {
  LineSet set;
  for (unsigned line = 0; line < lines.lines; ++line)
    for (unsigned word = 0; word < lines.words; ++word)
      if (lines.line(line)[word])
        set.set(line);
  return set;
}

//===----------------------------------------------------------------------===//
// mma, wmma.mma
//===----------------------------------------------------------------------===//

namespace {
struct ProductExtra : InstExtra {
  enum Kind : uint8_t { Fragments, Doubles, QuadPairs, Wmma } kind = Fragments;
  Element a = Element::F16, b = Element::F16;
  MatrixShape shape;
  /// Bits of an element of D and C.
  unsigned dBits = 32, cBits = 32;
  bool sparse = false;
  QuadPairForm quadPair;
  RowSlots dSlots, aSlots, bSlots, cSlots;
};

/// The undefined bits of registers.
struct UndefinedRows {
  UndefinedRows(const Warp &warp, ArrayRef<Slot> slots) {
    for (Slot slot : slots)
      rows.push_back(undefinedRow<uint32_t>(warp, slot));
  }
  SmallVector<const uint32_t *, 16> rows;
};

/// Rows of A and columns of B that are not defined; of four products of quad
/// pairs each has its own.
struct UndefinedLines {
  LineSet rows[4], columns[4];

  bool any() const {
    for (unsigned i = 0; i < 4; ++i)
      if (rows[i].any() || columns[i].any())
        return true;
    return false;
  }
};
} // namespace

static bool isUndefined(const UndefinedRows &registers, unsigned lane,
                        unsigned bits, unsigned index) {
  if (bits == 64)
    return registers.rows[index][2 * lane] |
           registers.rows[index][2 * lane + 1];
  unsigned per = 32 / bits;
  uint32_t mask = maskTrailingOnes<uint32_t>(bits);
  return registers.rows[index / per][lane] >> index % per * bits & mask;
}

/// Of f64, and of quad pairs: element by element.
template <class PlaceA, class PlaceB>
static void gather(const UndefinedRows &a, const UndefinedRows &b,
                   unsigned bits, unsigned countA, unsigned countB,
                   bool quadPairs, PlaceA placeA, PlaceB placeB,
                   UndefinedLines &lines) {
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    unsigned product = quadPairs ? quadPairOf(lane) : 0;
    for (unsigned i = 0; i < countA; ++i)
      if (isUndefined(a, lane, bits, i))
        lines.rows[product].set(placeA(lane, i).row);
    for (unsigned i = 0; i < countB; ++i)
      if (isUndefined(b, lane, bits, i))
        lines.columns[product].set(placeB(lane, i).column);
  }
}

static void findLines(const Warp &warp, const ProductExtra &extra,
                      UndefinedLines &lines) {
  UndefinedRows a(warp, extra.aSlots), b(warp, extra.bSlots);
  switch (extra.kind) {
  case ProductExtra::Doubles:
    return gather(
        a, b, 64, extra.aSlots.size(), extra.bSlots.size(), false,
        [&](unsigned lane, unsigned i) {
          return placeInA(Element::F64, extra.shape.m, lane, i);
        },
        [](unsigned lane, unsigned i) {
          return placeInB(Element::F64, lane, i);
        },
        lines);
  case ProductExtra::QuadPairs:
    return gather(
        a, b, 16, 4, 4, true,
        [&](unsigned lane, unsigned i) {
          return placeInQuadPairA(extra.quadPair.rowMajorA, lane, i);
        },
        [&](unsigned lane, unsigned i) {
          return placeInQuadPairB(extra.quadPair.rowMajorB, lane, i);
        },
        lines);
  case ProductExtra::Fragments: {
    PackedLines packed;
    packed.reset(extra.shape.m, extra.a,
                 extra.sparse ? extra.shape.k / 2 : extra.shape.k);
    packRows(a.rows.data(), extra.shape.m, packed);
    lines.rows[0] = undefinedLines(packed);
    packed.reset(8, extra.b, extra.shape.k);
    packColumns(b.rows.data(), 0, packed);
    lines.columns[0] = undefinedLines(packed);
    return;
  }
  case ProductExtra::Wmma: {
    WMMAShape shape{extra.shape.m, extra.shape.n, extra.shape.k};
    WMMAFragment fragment(shape, WMMAPart::A, extra.a);
    PackedLines packed;
    for (unsigned piece = 0; piece < fragment.pieces(); ++piece) {
      packWMMARows(fragment, extra.a, a.rows.data(), piece, packed);
      lines.rows[0] |= undefinedLines(packed) << piece * fragment.pieceSize();
    }
    packWMMAColumns(WMMAFragment(shape, WMMAPart::B, extra.b), extra.b,
                    b.rows.data(), packed);
    lines.columns[0] = undefinedLines(packed);
    return;
  }
  }
}

static Place placeOfResult(const ProductExtra &extra, unsigned lane,
                           unsigned index) {
  switch (extra.kind) {
  case ProductExtra::QuadPairs:
    return placeInQuadPairD(extra.quadPair.halfD, lane, index);
  case ProductExtra::Wmma: {
    WMMAShape shape{extra.shape.m, extra.shape.n, extra.shape.k};
    WMMAFragment fragment(shape, extra.dBits);
    unsigned per = fragment.perRegister();
    return fragment.place(lane, index / per, index % per);
  }
  default:
    return placeInD(extra.shape.m, lane, index);
  }
}

/// Calls `use(index, place)` for the elements of D that a lane has.
template <class Use>
static void forEachElement(const ProductExtra &extra, unsigned lane, Use use) {
  unsigned per = extra.dBits == 16 ? 2 : 1;
  for (unsigned i = 0; i < extra.dSlots.size() * per; ++i)
    use(i, placeOfResult(extra, lane, i));
}

static bool anyUndefined(const Warp &warp, ArrayRef<Slot> slots,
                         unsigned bits) {
  return any_of(slots, [&](Slot slot) {
    return undefinedLanes(warp, {slot, uint8_t(bits)}) != 0;
  });
}

/// Undefined elements of C by their places.
static std::vector<Place> findAccumulators(const Warp &warp,
                                           const ProductExtra &extra,
                                           unsigned product) {
  std::vector<Place> places;
  UndefinedRows c(warp, extra.cSlots);
  ProductExtra asD;
  asD.kind = extra.kind;
  asD.shape = extra.shape;
  asD.dBits = extra.cBits;
  asD.quadPair = extra.quadPair;
  asD.quadPair.halfD = extra.quadPair.halfC;
  asD.dSlots = extra.cSlots;
  for (unsigned lane = 0; lane < warpSize; ++lane)
    if (extra.kind != ProductExtra::QuadPairs || quadPairOf(lane) == product)
      forEachElement(asD, lane, [&](unsigned index, Place place) {
        if (isUndefined(c, lane, extra.cBits, index))
          places.push_back(place);
      });
  return places;
}

static void multiply(Warp &warp, const UndefinedStep &step, LaneMask,
                     const StepSaved &) {
  const auto &extra = static_cast<const ProductExtra &>(*step.matrix);
  unsigned bits = extra.kind == ProductExtra::Doubles ? 64 : 32;
  UndefinedLines lines;
  // Metadata are the first source.
  bool unknown = !step.sources.empty() && undefinedLanes(warp, step.sources[0]);
  bool fromC = anyUndefined(warp, extra.cSlots, bits);
  if (anyUndefined(warp, extra.aSlots, bits) ||
      anyUndefined(warp, extra.bSlots, bits))
    findLines(warp, extra, lines);
  if (!unknown && !fromC && !lines.any()) {
    for (Slot slot : extra.dSlots)
      define(warp, {slot, uint8_t(bits)}, ~LaneMask(0));
    return;
  }
  std::vector<Place> accumulators[4];
  if (fromC)
    for (unsigned product = 0; product < 4; ++product)
      if (product == 0 || extra.kind == ProductExtra::QuadPairs)
        accumulators[product] = findAccumulators(warp, extra, product);
  for (Slot slot : extra.dSlots)
    define(warp, {slot, uint8_t(bits)}, ~LaneMask(0));
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    unsigned product =
        extra.kind == ProductExtra::QuadPairs ? quadPairOf(lane) : 0;
    forEachElement(extra, lane, [&](unsigned index, Place place) {
      if (!unknown && !lines.rows[product][place.row] &&
          !lines.columns[product][place.column] &&
          !is_contained(accumulators[product], place))
        return;
      unsigned per = extra.dBits == 16 ? 2 : 1;
      StepRow row{extra.dSlots[index / per], uint8_t(bits)};
      uint64_t element =
          extra.dBits == 16 ? uint64_t(0xffff) << index % 2 * 16 : ~uint64_t(0);
      setUndefined(warp, row, lane, undefinedBitsOf(warp, row, lane) | element);
    });
  }
  for (Slot slot : extra.dSlots)
    setOrigin(warp, step, {slot, uint8_t(bits)});
}

/// Whether the modifiers at both ends of the layouts are `.row`.
static void findLayouts(const InstDesc &desc, QuadPairForm &form) {
  SmallVector<Mod, 2> layouts;
  for (Mod mod : desc.mods)
    if (mod == Mod::row || mod == Mod::col)
      layouts.push_back(mod);
  form.rowMajorA = layouts.empty() || layouts.front() == Mod::row;
  form.rowMajorB = !layouts.empty() && layouts.back() == Mod::row;
}

static bool useProduct(const InstDesc &desc, UndefinedStep &step) {
  std::optional<MatrixShape> shape = shapeOf(desc);
  std::optional<DataType> d = desc.slotType("d"), c = desc.slotType("c");
  if (!shape || !d || !c)
    return false;
  bool isWmma = desc.opcode == Opcode::wmma_mma;
  auto extra = std::make_unique<ProductExtra>();
  extra->shape = *shape;
  extra->a = elementOf(desc, "a").value_or(Element::F16);
  extra->b = elementOf(desc, "b").value_or(Element::F16);
  extra->dBits = d->width;
  extra->cBits = c->width;
  bool isDouble = extra->a == Element::F64;
  extra->kind = isDouble                         ? ProductExtra::Doubles
                : isWmma                         ? ProductExtra::Wmma
                : shape->m == 8 && shape->k == 4 ? ProductExtra::QuadPairs
                                                 : ProductExtra::Fragments;
  findLayouts(desc, extra->quadPair);
  extra->quadPair.halfC = extra->cBits == 16;
  extra->quadPair.halfD = extra->dBits == 16;
  std::pair<const char *, RowSlots *> operands[] = {{"d", &extra->dSlots},
                                                    {"a", &extra->aSlots},
                                                    {"b", &extra->bSlots},
                                                    {"c", &extra->cSlots}};
  for (auto [name, slots] : operands) {
    const OperandDesc *operand = desc.find(name);
    if (!operand || !useVector(*operand, isDouble ? 64 : 32, *slots))
      return false;
  }
  if (const OperandDesc *metadata = desc.find("e")) {
    extra->sparse = true;
    step.sources.push_back(stepRow(metadata->kind == OperandDesc::Vector
                                       ? metadata->children.front()
                                       : *metadata));
  }
  step.after = multiply;
  step.matrix = std::move(extra);
  return true;
}

//===----------------------------------------------------------------------===//
// movmatrix
//===----------------------------------------------------------------------===//

static void transpose(Warp &warp, const UndefinedStep &step, LaneMask,
                      const StepSaved &) {
  uint32_t from[warpSize];
  std::memcpy(from, undefinedRow(warp, step.sources[0].slot), sizeof(from));
  transposeMatrix(from, undefinedResult<uint32_t>(warp, step.results[0].slot));
  setOrigin(warp, step, step.results[0], step.sources[0]);
}

bool ptxbench::emulator::useUndefinedMatrix(const InstDesc &desc,
                                            UndefinedStep &step) {
  switch (desc.opcode) {
  case Opcode::mma:
  case Opcode::wmma_mma:
    return useProduct(desc, step);
  case Opcode::movmatrix:
    step.results.push_back(stepRow(desc.operands[0]));
    step.sources.push_back(stepRow(desc.operands[1]));
    step.after = transpose;
    return true;
  // Their handlers move the undefined bits along.
  case Opcode::ldmatrix:
  case Opcode::stmatrix:
  case Opcode::wmma_load:
  case Opcode::wmma_store:
  case Opcode::wgmma_mma_async:
    return true;
  default:
    return false;
  }
}
