//===- WmmaCases.cpp - Cases of wmma --------------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A, B and C are loaded from memory, multiplied, and D is stored: how fragments
// lie in registers isn't specified, so nothing looks at them. Rows and columns
// are further apart than they are long.
//
//===----------------------------------------------------------------------===//

#include "MatrixText.h"

using namespace ptxbench;
using namespace ptxbench::differential;

namespace {

struct WmmaSpec {
  unsigned m, n, k;
  Element element, c, d;
  /// Registers of A and B, and behind the types.
  unsigned countA, countB;
  std::string op;
};

constexpr uint32_t offsetB = 8192, offsetC = 16384, offsetD = 24576,
                   tileBytes = 32768;

} // namespace

static std::string typesOf(const WmmaSpec &spec) {
  if (spec.element == Element::F16)
    return subst("$0.$1", {nameOf(spec.d), nameOf(spec.c)});
  return subst("$0.$1.$1.$2",
               {nameOf(spec.d), nameOf(spec.element), nameOf(spec.c)});
}

static unsigned registersOf(const WmmaSpec &spec, Element accumulator) {
  unsigned elements = spec.m * spec.n / 32;
  return accumulator == Element::F16 ? elements / 2 : elements;
}

static std::string stemOf(Element element, const char *integer) {
  return element == Element::F32   ? "%f"
         : element == Element::F64 ? "%x"
                                   : integer;
}

/// `space` is that of A and B: ".shared", ".global" or "" for both, generic.
static void addWmma(std::vector<Case> &cases, const WmmaSpec &spec,
                    const std::string &rowA, const std::string &rowB,
                    const std::string &rowC, Fill fill,
                    const std::string &space, const std::string &mods = "") {
  std::string shape = subst("m$0n$1k$2", {spec.m, spec.n, spec.k});
  std::string name =
      subst("wmma.$0.$1.$2.$3.$4$5$6$7.$8",
            {shape, rowA, rowB, rowC, typesOf(spec), spec.op, mods,
             space.empty() ? ".generic" : space, nameOf(fill)});
  Random draw(name);
  std::vector<uint8_t> input;
  unsigned bits = bitsOf(spec.element);
  appendElements(input, spec.element, fill, offsetC * 8 / bits, draw);
  if (spec.c == Element::S32)
    for (unsigned i = 0; i < (offsetD - offsetC) / 4; ++i)
      for (unsigned byte = 0; byte < 4; ++byte)
        input.push_back(fill == Fill::Small ? byte ? 0 : draw.below(200)
                        : byte == 3 ? (draw.next() & 1 ? 0x7f : 0x80)
                                            : (input.back() & 0x80 ? 0xff : 0));
  else
    appendElements(input, spec.c, fill,
                   (offsetD - offsetC) * 8 / bitsOf(spec.c), draw);

  KernelText kernel(32, tileBytes);
  kernel.patternTile();
  kernel.add("  bar.sync 0;\n");
  kernel.loadTile(input.size());
  kernel.add("  bar.sync 0;\n");
  // Strides in elements, of multiples of 16 bytes.
  auto strideOf = [&](unsigned length, unsigned bits) {
    return length + 128 / bits;
  };
  unsigned strideA = strideOf(rowA == "row" ? spec.k : spec.m, bits);
  unsigned strideB = strideOf(rowB == "row" ? spec.n : spec.k, bits);
  unsigned accumulatorLine = rowC == "row" ? spec.n : spec.m;
  unsigned strideC = strideOf(accumulatorLine, bitsOf(spec.c));
  auto address = [&](const std::string &reg, uint32_t offset) {
    if (space == ".global")
      kernel.add("  add.s64 $0, %in, $1;\n", {reg, offset});
    else
      kernel.add("  cvt.u64.u32 $0, %tile;\n  add.s64 $0, $0, $1;\n",
                 {reg, offset});
    if (space.empty())
      kernel.add("  cvta.shared.u64 $0, $0;\n", {reg});
  };
  address("%d0", 0);
  address("%d1", offsetB);
  kernel.declarations = "  .reg .b32 %a<8>, %b<8>, %c<8>;\n"
                        "  .reg .f64 %va, %vb;\n";
  bool isDouble = spec.element == Element::F64;
  std::string a = isDouble ? "{%va}" : vectorOf("%a", 0, spec.countA);
  std::string b = isDouble ? "{%vb}" : vectorOf("%b", 0, spec.countB);
  std::string c = vectorOf(stemOf(spec.c, "%c"), spec.c == spec.d ? 0 : 20,
                           registersOf(spec, spec.c));
  if (spec.c == Element::F16)
    c = vectorOf("%c", 0, registersOf(spec, spec.c));
  std::string d =
      vectorOf(stemOf(spec.d, "%acc"), 0, registersOf(spec, spec.d));
  auto load = [&](const char *part, const std::string &layout,
                  const char *element, const std::string &list,
                  const std::string &at, unsigned stride,
                  const std::string &space) {
    kernel.add("  wmma.load.$0.sync.aligned.$1.$2$3.$4 $5, [$6], $7;\n",
               {part, layout, shape, space, element, list, at, stride});
  };
  load("a", rowA, nameOf(spec.element), a, "%d0", strideA, space);
  load("b", rowB, nameOf(spec.element), b, "%d1", strideB, space);
  kernel.add("  cvt.u64.u32 %d2, %tile;\n");
  load("c", rowC, nameOf(spec.c), c, "%d2+" + std::to_string(offsetC), strideC,
       ".shared");
  kernel.add(
      "  wmma.mma$0.sync.aligned.$1.$2.$3.$4",
      {bits == 1 ? spec.op : std::string(), rowA, rowB, shape, typesOf(spec)});
  kernel.add("$0 $1, $2, $3, $4;\n", {mods, d, a, b, c});
  // D is packed where only it is kept, else it has gaps.
  Tolerance tolerance;
  bool bounded = fill == Fill::Full && isFloat(spec.element) && !isDouble;
  unsigned strideD =
      bounded ? accumulatorLine : strideOf(accumulatorLine, bitsOf(spec.d));
  kernel.add("  wmma.store.d.sync.aligned.$0.$1.shared.$2 [%d2+$3], $4, $5;\n"
             "  bar.sync 0;\n",
             {rowC, shape, nameOf(spec.d), offsetD, d, strideD});
  if (bounded) {
    tolerance = sumTolerance(spec.element, spec.d, spec.k, spec.k + 1);
    kernel.dumpTile(spec.m * spec.n * bitsOf(spec.d) / 8, offsetD);
  } else {
    kernel.dumpTile(tileBytes - offsetD, offsetD);
  }
  cases.push_back(makeCase(name, "wmma", kernel, std::move(input), tolerance));
}

void differential::addWmmaCases(std::vector<Case> &cases) {
  constexpr Element f16 = Element::F16, f32 = Element::F32, s32 = Element::S32;
  auto addLayouts = [&](const WmmaSpec &spec, std::vector<Fill> fills,
                        const std::string &mods = "") {
    unsigned which = 0;
    for (const char *rowA : {"row", "col"})
      for (const char *rowB : {"row", "col"})
        for (Fill fill : fills) {
          static const char *const spaces[] = {".shared", ".global", ""};
          const char *rowC = which / 2 % 2 ? "col" : "row";
          addWmma(cases, spec, rowA, rowB, rowC, fill, spaces[which++ % 3],
                  mods);
        }
  };
  struct Shape {
    unsigned m, n;
  };
  for (Shape shape : {Shape{16, 16}, Shape{8, 32}, Shape{32, 8}}) {
    unsigned m = shape.m, n = shape.n;
    for (auto [c, d] : {std::pair(f32, f32), std::pair(f16, f16),
                        std::pair(f16, f32), std::pair(f32, f16)})
      addLayouts({m, n, 16, f16, c, d, 8, 8, ""}, {Fill::Small, Fill::Full});
    addLayouts({m, n, 16, Element::BF16, f32, f32, m / 4, n / 4, ""},
               {Fill::Small, Fill::Full});
    for (Element integer : {Element::S8, Element::U8}) {
      addLayouts({m, n, 16, integer, s32, s32, m / 8, n / 8, ""},
                 {Fill::Small});
      addLayouts({m, n, 16, integer, s32, s32, m / 8, n / 8, ""}, {Fill::Full},
                 ".satfinite");
    }
  }
  addLayouts({16, 16, 8, Element::TF32, f32, f32, 4, 4, ""},
             {Fill::Small, Fill::Full});
  addLayouts({8, 8, 4, Element::F64, Element::F64, Element::F64, 1, 1, ""},
             {Fill::Small, Fill::Full});
  for (Element integer : {Element::S4, Element::U4})
    for (const char *mods : {"", ".satfinite"})
      addWmma(cases, {8, 8, 32, integer, s32, s32, 1, 1, ""}, "row", "col",
              "row", Fill::Full, ".shared", mods);
  for (const char *op : {".xor.popc", ".and.popc"})
    for (const char *row : {"row", "col"})
      addWmma(cases, {8, 8, 128, Element::B1, s32, s32, 1, 1, op}, "row", "col",
              row, Fill::Small, ".global");
}
