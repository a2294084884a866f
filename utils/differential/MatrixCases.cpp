//===- MatrixCases.cpp - Cases of matrix instructions of a warp -----------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `mma` with every shape and type, dense and sparse; ldmatrix, stmatrix and
// movmatrix. Whole numbers are small, so that all sums are exact and all bits
// are compared; of other numbers the documented bound is.
//
// Fragments are random words: whatever element a lane holds, the product is
// another one if the emulator takes it for a different element.
//
//===----------------------------------------------------------------------===//

#include "MatrixText.h"

using namespace ptxbench;
using namespace ptxbench::differential;

namespace {

struct MmaSpec {
  unsigned m, k;
  Element a, b, d, c;
  /// "row.col"; behind the layouts, behind the types.
  std::string layout = "row.col", mods, op;
  /// ".sp" or ".sp::ordered_metadata"; then who gives the metadata.
  std::string sparse;
  unsigned selector = 0;
  /// Places need not increase, which only some of the ISA's words forbid.
  bool anyOrder = false;
  Fill fill = Fill::Small;
};

} // namespace

static bool isHalf(Element element) { return element == Element::F16; }

static std::string nameOf(const MmaSpec &spec) {
  std::string name = "mma";
  if (!spec.sparse.empty())
    name += spec.sparse == ".sp" ? ".sp" : ".sp_ordered";
  name += subst(".m$0n8k$1.$2$3.$4.$5.$6.$7$8",
                {spec.m, spec.k, spec.layout, spec.mods, nameOf(spec.d),
                 nameOf(spec.a), nameOf(spec.b), nameOf(spec.c), spec.op});
  if (!spec.sparse.empty())
    name +=
        (spec.anyOrder ? ".any_order.f" : ".f") + std::to_string(spec.selector);
  return name + "." + nameOf(spec.fill);
}

/// One `mma` of one warp. Registers of f64 are pairs of words.
static void addMma(std::vector<Case> &cases, const MmaSpec &spec) {
  bool isDouble = spec.a == Element::F64;
  bool isInteger = spec.d == Element::S32;
  std::string name = nameOf(spec);
  Random draw(name);
  unsigned storedK = spec.sparse.empty() ? spec.k : spec.k / 2;
  bool quads = spec.m == 8 && spec.k == 4 && !isDouble;
  // The four products of m8n8k4 share the warp: each lane has 4 elements of A
  // and B and 8 of C and D.
  unsigned words = isDouble ? 2 : 1;
  unsigned countA = quads ? 2 : spec.m * storedK * bitsOf(spec.a) / 1024;
  unsigned countB = quads ? 2 : 8 * spec.k * bitsOf(spec.b) / 1024;
  auto countOf = [&](Element element) {
    unsigned elements = quads ? 8 : spec.m * 8 / 32;
    return isHalf(element) ? elements / 2 : isDouble ? elements * 2 : elements;
  };
  unsigned countC = countOf(spec.c), countD = countOf(spec.d);

  std::vector<uint8_t> input;
  auto fragment = [&](Element element, Fill fill, unsigned count) {
    appendElements(input, element, fill, count * 1024 / bitsOf(element), draw);
  };
  fragment(spec.a, spec.fill, countA);
  fragment(spec.b, spec.fill == Fill::Subnormal ? Fill::Small : spec.fill,
           countB);
  if (isInteger) {
    // Near the limits where saturation is to be seen.
    for (unsigned i = 0; i < 32 * countC; ++i)
      appendWord(input, spec.fill == Fill::Small
                            ? draw.below(200)
                            : uint32_t(draw.next() & 1
                                           ? 0x7fffffff - draw.below(999)
                                           : 0x80000000 + draw.below(999)));
  } else if (spec.fill == Fill::Subnormal) {
    input.resize(input.size() + 128 * countC);
  } else {
    fragment(spec.c == Element::TF32 ? Element::F32 : spec.c, spec.fill,
             countC);
  }
  uint32_t metadataAt = input.size();
  for (unsigned lane = 0; lane < 32; ++lane)
    appendWord(input, drawMetadata(spec.a, draw, spec.anyOrder));

  KernelText kernel(32);
  auto load = [&](const std::string &stem, const std::string &wide,
                  unsigned count, uint32_t at) {
    kernel.loadWords(stem, 0, count, at);
    for (unsigned i = 0; isDouble && i < count / 2; ++i)
      kernel.add("  mov.b64 $0$1, {$2$3, $2$4};\n",
                 {wide, i, stem, 2 * i, 2 * i + 1});
  };
  kernel.declarations = "  .reg .b32 %a<64>, %b<64>, %c<64>, %e<2>;\n"
                        "  .reg .f64 %wa<16>, %wb<16>, %wc<16>;\n";
  load("%a", "%wa", countA, 0);
  load("%b", "%wb", countB, 128 * countA);
  load("%c", "%wc", countC, 128 * (countA + countB));
  kernel.loadWords("%e", 0, 1, metadataAt);
  std::string types = subst("$0.$1.$2.$3", {nameOf(spec.d), nameOf(spec.a),
                                            nameOf(spec.b), nameOf(spec.c)});
  auto list = [&](const std::string &stem, const std::string &wide,
                  unsigned count) {
    return isDouble ? vectorOf(wide, 0, count / words)
                    : vectorOf(stem, 0, count);
  };
  std::string stemD = spec.d == Element::F32 ? "%f" : "%acc";
  std::string stemC = "%c";
  if (spec.c == Element::F32) {
    stemC = "%g";
    kernel.declarations += "  .reg .f32 %g<16>;\n";
    for (unsigned i = 0; i < countC; ++i)
      kernel.add("  mov.b32 %g$0, %c$0;\n", {i});
  }
  kernel.add("  mma$0.sync.aligned.m$1n8k$2.$3$4.$5$6 $7, $8, $9, ",
             {spec.sparse, spec.m, spec.k, spec.layout, spec.mods, types,
              spec.op, list(stemD, "%x", countD), list("%a", "%wa", countA),
              list("%b", "%wb", countB)});
  kernel.add("$0$1;\n",
             {list(stemC, "%wc", countC),
              spec.sparse.empty() ? std::string()
                                  : subst(", %e0, $0", {spec.selector})});
  for (unsigned i = 0; i < countD / words; ++i) {
    if (isDouble)
      kernel.keepWide("%x" + std::to_string(i));
    else
      kernel.keep(stemD + std::to_string(i));
  }
  // Two lanes of four give metadata of m16n8k32, and ptxas takes four; an H200
  // takes those for illegal instructions.
  bool isOpen = spec.anyOrder ||
                (spec.k == 32 && spec.selector > 1 && !spec.sparse.empty());
  Tolerance tolerance;
  if (!isInteger && !isDouble &&
      (spec.fill == Fill::Full || spec.fill == Fill::Wide))
    tolerance = sumTolerance(spec.a, spec.d, spec.k,
                             (spec.k * magnitudeOf(spec.fill) + 1) *
                                 magnitudeOf(spec.fill));
  cases.push_back(makeCase(name, isOpen ? "mma-open" : "mma", kernel,
                           std::move(input), tolerance));
}

static void addFloatMma(std::vector<Case> &cases, MmaSpec spec) {
  for (Fill fill :
       {Fill::Small, Fill::Full, Fill::Wide, Fill::Special, Fill::Subnormal}) {
    // Halves of a wide range overflow.
    if (fill == Fill::Wide && isHalf(spec.d))
      continue;
    spec.fill = fill;
    addMma(cases, spec);
  }
}

static void addDenseFloat(std::vector<Case> &cases) {
  constexpr Element f16 = Element::F16, f32 = Element::F32,
                    bf16 = Element::BF16, tf32 = Element::TF32,
                    f64 = Element::F64;
  for (unsigned k : {8u, 16u}) {
    addFloatMma(cases, {16, k, f16, f16, f32, f32});
    addFloatMma(cases, {16, k, f16, f16, f16, f16});
    addFloatMma(cases, {16, k, bf16, bf16, f32, f32});
    addFloatMma(cases, {16, k / 2, tf32, tf32, f32, f32});
  }
  for (const char *layout : {"row.row", "row.col", "col.row", "col.col"})
    for (auto [d, c] :
         {std::pair(f32, f32), std::pair(f16, f16), std::pair(f32, f16)})
      for (Fill fill : {Fill::Small, Fill::Full}) {
        MmaSpec spec{8, 4, f16, f16, d, c, layout};
        spec.fill = fill;
        addMma(cases, spec);
      }
  for (Element a : {Element::E4M3, Element::E5M2})
    for (Element b : {Element::E4M3, Element::E5M2})
      for (unsigned k : {16u, 32u})
        for (Element d : {f32, f16})
          addFloatMma(cases, {16, k, a, b, d, d});
  for (const char *rounding : {"", ".rn", ".rz", ".rm", ".rp"})
    for (auto [m, k] : {std::pair(8u, 4u), std::pair(16u, 4u),
                        std::pair(16u, 8u), std::pair(16u, 16u)})
      for (Fill fill : {Fill::Full, Fill::Special}) {
        MmaSpec spec{m, k, f64, f64, f64, f64, "row.col", rounding};
        spec.fill = fill;
        addMma(cases, spec);
      }
}

static void addIntegers(std::vector<Case> &cases, MmaSpec spec, Element one,
                        Element other) {
  for (Element a : {one, other})
    for (Element b : {one, other})
      for (const char *saturation : {"", ".satfinite"}) {
        spec.a = a;
        spec.b = b;
        spec.mods = saturation;
        spec.fill = *saturation ? Fill::Full : Fill::Small;
        addMma(cases, spec);
        if (*saturation)
          continue;
        spec.fill = Fill::Full;
        addMma(cases, spec);
      }
}

static void addDenseIntegers(std::vector<Case> &cases) {
  constexpr Element s32 = Element::S32;
  for (auto [m, k] :
       {std::pair(8u, 16u), std::pair(16u, 16u), std::pair(16u, 32u)}) {
    addIntegers(cases, {m, k, s32, s32, s32, s32}, Element::S8, Element::U8);
    addIntegers(cases, {m, 2 * k, s32, s32, s32, s32}, Element::S4,
                Element::U4);
    for (const char *op : {".xor.popc", ".and.popc"})
      addMma(cases,
             {m, 8 * k, Element::B1, Element::B1, s32, s32, "row.col", "", op});
  }
}

static void addSparse(std::vector<Case> &cases) {
  constexpr Element f16 = Element::F16, f32 = Element::F32,
                    bf16 = Element::BF16, tf32 = Element::TF32,
                    s32 = Element::S32;
  for (const char *sparse : {".sp", ".sp::ordered_metadata"}) {
    auto addFloats = [&](unsigned k, Element a, Element d, unsigned selectors) {
      for (unsigned selector = 0; selector < selectors; ++selector) {
        MmaSpec spec{16, k, a, a, d, d};
        spec.sparse = sparse;
        spec.selector = selector;
        addMma(cases, spec);
        if (selector || *sparse == 0)
          continue;
        spec.fill = Fill::Full;
        addMma(cases, spec);
      }
    };
    for (unsigned k : {16u, 32u}) {
      MmaSpec spec{16, k, f16, f16, f32, f32};
      spec.sparse = sparse;
      spec.anyOrder = true;
      addMma(cases, spec);
      spec = {16, 2 * k, Element::S8, Element::S8, s32, s32};
      spec.sparse = sparse;
      spec.anyOrder = true;
      addMma(cases, spec);
    }
    addFloats(16, f16, f32, 4);
    addFloats(16, f16, f16, 4);
    // Two give metadata; ptxas takes four.
    addFloats(32, f16, f32, 4);
    addFloats(32, f16, f16, 2);
    addFloats(16, bf16, f32, 4);
    addFloats(32, bf16, f32, 2);
    addFloats(8, tf32, f32, 4);
    addFloats(16, tf32, f32, 2);
    for (auto [k, selectors] : {std::pair(32u, 2u), std::pair(64u, 1u)})
      for (unsigned selector = 0; selector < selectors; ++selector) {
        MmaSpec spec{16, k, s32, s32, s32, s32};
        spec.sparse = sparse;
        spec.selector = selector;
        addIntegers(cases, spec, Element::S8, Element::U8);
        spec.k = 2 * k;
        addIntegers(cases, spec, Element::S4, Element::U4);
      }
    for (Element a : {Element::E4M3, Element::E5M2})
      for (Element b : {Element::E4M3, Element::E5M2})
        for (Fill fill : {Fill::Small, Fill::Full}) {
          MmaSpec spec{16, 64, a, b, f32, f32};
          spec.sparse = sparse;
          spec.fill = fill;
          addMma(cases, spec);
        }
  }
}

//===----------------------------------------------------------------------===//
// Moves of matrices
//===----------------------------------------------------------------------===//

/// %r80: the address of a row for each lane, in an order that is no stride.
static constexpr const char *rowAddresses = "  mul.lo.s32 %r80, %t, 11;\n"
                                            "  add.s32 %r80, %r80, 5;\n"
                                            "  and.b32 %r80, %r80, 63;\n"
                                            "  shl.b32 %r80, %r80, 4;\n"
                                            "  add.s32 %r80, %r80, %tile;\n";

static void addMoves(std::vector<Case> &cases) {
  auto tile = [](const std::string &name, std::vector<uint8_t> &input) {
    Random draw(name);
    appendElements(input, Element::U8, Fill::Bits, 2048, draw);
  };
  for (const char *space : {".shared", ".shared::cta", ""})
    for (unsigned count : {1u, 2u, 4u})
      for (const char *transposed : {"", ".trans"}) {
        std::string mods =
            subst(".sync.aligned.m8n8.x$0$1$2.b16", {count, transposed, space});
        std::string tag = subst(
            ".x$0$1$2", {count, transposed, *space ? space + 1 : "generic"});
        for (char &c : tag)
          c = c == ':' ? '_' : c;
        std::string list = vectorOf("%r", 0, count);
        auto start = [&](KernelText &kernel) {
          kernel.loadTile(2048);
          kernel.add("  bar.sync 0;\n");
          kernel.add(rowAddresses);
          if (*space)
            kernel.add("  cvt.u64.u32 %d0, %r80;\n  mov.b32 %r81, %r80;\n");
          else
            kernel.add("  cvt.u64.u32 %d0, %r80;\n"
                       "  cvta.shared.u64 %d0, %d0;\n");
        };
        std::vector<uint8_t> input;
        KernelText load(32, 2048);
        start(load);
        load.add("  ldmatrix$0 $1, [%d0];\n", {mods, list});
        load.keepAll("%r", count);
        tile("ldmatrix" + tag, input);
        cases.push_back(makeCase("ldmatrix" + tag, "matrix-move", load, input));

        KernelText store(32, 2048);
        start(store);
        for (unsigned i = 0; i < count; ++i)
          store.add("  mad.lo.s32 %r$0, %t, 0x1234567, $1;\n",
                    {i, 0x10203 * (i + 1)});
        store.add("  stmatrix$0 [%d0], $1;\n  bar.sync 0;\n", {mods, list});
        store.dumpTile(2048);
        cases.push_back(
            makeCase("stmatrix" + tag, "matrix-move", store, input));
      }
  KernelText move(32);
  std::vector<uint8_t> input;
  tile("movmatrix", input);
  move.loadWords("%r", 0, 1, 0)
      .add("  movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r0;\n")
      .keep("%r1");
  cases.push_back(makeCase("movmatrix", "matrix-move", move, input));
}

void differential::addMatrixCases(std::vector<Case> &cases) {
  addDenseFloat(cases);
  addDenseIntegers(cases);
  addSparse(cases);
  addMoves(cases);
  addWmmaCases(cases);
}
