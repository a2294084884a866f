//===- WgmmaCases.cpp - Cases of wgmma ------------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Types and shapes, then layouts of shared memory, then what the other operands
// say. Layouts are tried with small whole numbers, of which all bits are
// compared.
//
//===----------------------------------------------------------------------===//

#include "WgmmaText.h"

using namespace ptxbench;
using namespace ptxbench::differential;

namespace {

struct TypeSpec {
  Element a, b, d;
};

constexpr TypeSpec floatTypes[] = {
    {Element::F16, Element::F16, Element::F32},
    {Element::F16, Element::F16, Element::F16},
    {Element::BF16, Element::BF16, Element::F32},
    {Element::TF32, Element::TF32, Element::F32},
    {Element::E4M3, Element::E4M3, Element::F32},
    {Element::E4M3, Element::E5M2, Element::F32},
    {Element::E5M2, Element::E4M3, Element::F32},
    {Element::E5M2, Element::E5M2, Element::F32},
    {Element::E4M3, Element::E4M3, Element::F16},
    {Element::E4M3, Element::E5M2, Element::F16},
    {Element::E5M2, Element::E4M3, Element::F16},
    {Element::E5M2, Element::E5M2, Element::F16}};
constexpr TypeSpec integerTypes[] = {{Element::S8, Element::S8, Element::S32},
                                     {Element::U8, Element::U8, Element::S32},
                                     {Element::S8, Element::U8, Element::S32},
                                     {Element::U8, Element::S8, Element::S32}};
constexpr TypeSpec bitType = {Element::B1, Element::B1, Element::S32};

/// Swizzles over 128, 64 and 32 bytes; lines next to each other.
SharedLayout swizzled(unsigned swizzle) {
  return {swizzle, 16, 8 * 256u >> swizzle};
}

} // namespace

static WgmmaSpec specOf(const TypeSpec &types, std::string name,
                        unsigned n = 64) {
  WgmmaSpec spec;
  spec.name = std::move(name);
  spec.n = n;
  spec.a = types.a;
  spec.b = types.b;
  spec.d = types.d;
  spec.layoutA = swizzled(1);
  spec.layoutB = swizzled(1);
  return spec;
}

/// Every n of one type, some of the others.
static void addShapes(std::vector<Case> &cases) {
  for (unsigned n = 8; n <= 256; n += 8)
    addWgmma(cases, specOf(floatTypes[2], "shape", n));
  for (const TypeSpec &types : floatTypes)
    for (unsigned n : {8u, 24u, 104u, 136u, 200u, 256u})
      if (types.a != Element::BF16)
        addWgmma(cases, specOf(types, "shape", n));
  for (unsigned n = 8; n <= 256; n += n < 32 ? 8 : 16)
    addWgmma(cases, specOf(integerTypes[0], "shape", n));
  for (unsigned n : {8u, 24u, 48u, 144u, 240u, 256u}) {
    for (const TypeSpec &types : integerTypes)
      if (types.a != Element::S8 || types.b != Element::S8)
        addWgmma(cases, specOf(types, "shape", n));
    addWgmma(cases, specOf(bitType, "shape", n));
  }
}

/// Numbers that are not small and whole.
static void addFills(std::vector<Case> &cases) {
  for (const TypeSpec &types : floatTypes)
    for (Fill fill : {Fill::Full, Fill::Wide, Fill::Special, Fill::Subnormal}) {
      if (fill == Fill::Wide && types.d == Element::F16)
        continue;
      WgmmaSpec spec = specOf(types, "fill");
      spec.fill = fill;
      // Nothing hides a subnormal product.
      if (fill == Fill::Subnormal)
        spec.scaleD = "%p1";
      addWgmma(cases, spec);
      spec.name = "fill.steps";
      spec.steps = {{0, 0}, {32, 32}, {64, 64}, {96, 96}};
      addWgmma(cases, spec);
      spec.name = "fill.registers";
      spec.steps.resize(2);
      spec.registersA = true;
      addWgmma(cases, spec);
    }
  for (const TypeSpec &types : integerTypes)
    for (bool saturated : {false, true})
      for (bool registersA : {false, true}) {
        WgmmaSpec spec = specOf(types, "fill");
        if (registersA)
          spec.name += ".registers";
        if (saturated)
          spec.name += ".satfinite";
        spec.fill = Fill::Full;
        spec.saturated = saturated;
        spec.registersA = registersA;
        spec.steps = {{0, 0}, {32, 32}, {64, 64}, {96, 96}};
        addWgmma(cases, spec);
      }
  WgmmaSpec spec = specOf(bitType, "fill.steps");
  spec.steps = {{0, 0}, {32, 32}, {64, 64}, {96, 96}};
  addWgmma(cases, spec);
  // The low 13 bits of tf32 are not looked at.
  spec = specOf(floatTypes[3], "any");
  spec.fill = Fill::Bits;
  spec.isOpen = true;
  addWgmma(cases, spec);
  for (unsigned type : {0u, 2u, 4u, 7u}) {
    spec = specOf(floatTypes[type], "any");
    spec.fill = Fill::Bits;
    spec.isOpen = true;
    addWgmma(cases, spec);
  }
}

/// Scale-d, negations, A in registers, several warpgroups.
static void addOperands(std::vector<Case> &cases) {
  for (const TypeSpec &types : floatTypes) {
    for (const char *scaleD : {"0", "1", "%p0", "%p1"}) {
      WgmmaSpec spec = specOf(types, "scale_d_", 32);
      spec.name += scaleD[0] == '%' ? scaleD + 1 : scaleD;
      spec.scaleD = scaleD;
      addWgmma(cases, spec);
    }
    for (int scaleA : {1, -1})
      for (int scaleB : {1, -1})
        for (bool registersA : {false, true}) {
          WgmmaSpec spec =
              specOf(types, registersA ? "registers" : "shared", 40);
          spec.name += scaleA < 0 ? ".negative" : ".positive";
          spec.name += scaleB < 0 ? "_negative" : "_positive";
          spec.scaleA = scaleA;
          spec.scaleB = scaleB;
          spec.registersA = registersA;
          addWgmma(cases, spec);
        }
    // -0 and NaNs under a negation.
    WgmmaSpec spec = specOf(types, "negative", 16);
    spec.scaleA = -1;
    spec.scaleD = "%p1";
    spec.fill = Fill::Special;
    addWgmma(cases, spec);
    spec = specOf(types, "warpgroups", 64);
    spec.warpgroups = 2;
    addWgmma(cases, spec);
  }
  for (const TypeSpec &types : integerTypes)
    for (const char *scaleD : {"%p0", "%p1"})
      for (bool registersA : {false, true}) {
        WgmmaSpec spec = specOf(types, registersA ? "registers" : "shared", 32);
        spec.name += scaleD[2] == '0' ? ".add" : ".set";
        spec.scaleD = scaleD;
        spec.registersA = registersA;
        addWgmma(cases, spec);
      }
  for (bool registersA : {false, true}) {
    WgmmaSpec spec =
        specOf(bitType, registersA ? "registers.set" : "shared.set", 96);
    spec.scaleD = "%p1";
    spec.registersA = registersA;
    addWgmma(cases, spec);
  }
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

static const char *nameOfSwizzle(unsigned swizzle) {
  static const char *names[] = {"none", "s128", "s64", "s32"};
  return names[swizzle];
}

static std::string nameOf(const SharedLayout &layout) {
  return subst("$0_l$1_s$2_b$3_o$4",
               {nameOfSwizzle(layout.swizzle), layout.leading, layout.stride,
                layout.base, layout.offset});
}

/// Layouts whose lines along K lie next to each other.
static std::vector<SharedLayout> layoutsAlongK() {
  // Leading and stride say where 8 lines of 16 bytes lie.
  std::vector<SharedLayout> layouts = {
      {0, 128, 256},  {0, 1024, 128}, {0, 144, 304}, {0, 16, 512},
      {0, 4096, 272}, {0, 0, 128},    {0, 128, 0},   {0, 128, 256, 0, 16}};
  for (unsigned swizzle : {1u, 2u, 3u}) {
    uint32_t width = 256 >> swizzle, stride = 8 * width;
    // The leading offset is not used.
    for (uint32_t leading : {0u, 16u, 4096u})
      layouts.push_back({swizzle, leading, stride});
    // Repetitions further apart, and such that the pattern does not repeat.
    for (uint32_t more : {256u, 16u, 128u, 80u})
      layouts.push_back({swizzle, 16, stride + more});
    // A step along K, inside the atom; then lines inside the atom, whose
    // pattern begins at an address that is no multiple of its size.
    for (uint32_t offset = 16; offset < width; offset += 16)
      layouts.push_back({swizzle, 16, stride, 0, offset});
    for (unsigned base : {0u, 1u, 3u, 7u})
      for (uint32_t line : {1u, 2u, 5u})
        layouts.push_back({swizzle, 16, stride, base, line * width});
    layouts.push_back({swizzle, 16, stride, 5, 0});
    layouts.push_back({swizzle, 16, stride, 2, 3 * width + 16});
  }
  return layouts;
}

/// Layouts in which columns of A or rows of B lie next to each other.
static std::vector<SharedLayout> layoutsAcrossK() {
  std::vector<SharedLayout> layouts = {
      {0, 128, 256}, {0, 256, 128}, {0, 1024, 128},      {0, 128, 1024},
      {0, 144, 304}, {0, 16, 512},  {0, 128, 256, 0, 16}};
  for (unsigned swizzle : {1u, 2u, 3u}) {
    uint32_t width = 256 >> swizzle, atom = 8 * width;
    for (auto [leading, stride] :
         {std::pair(atom, 2 * atom), std::pair(2 * atom, atom),
          std::pair(4 * atom, atom), std::pair(atom, atom),
          std::pair(atom + 128, atom + 64), std::pair(0u, atom),
          std::pair(atom, 0u)})
      layouts.push_back({swizzle, leading, stride});
    for (uint32_t offset : {16u, 2 * width, 5 * width, atom})
      layouts.push_back({swizzle, 2 * atom, atom, 0, offset});
    layouts.push_back({swizzle, 2 * atom, atom, 2, 2 * width});
  }
  return layouts;
}

static void addLayouts(std::vector<Case> &cases) {
  auto add = [&](const TypeSpec &types, const SharedLayout &layout, bool ofA,
                 bool acrossK, unsigned n) {
    WgmmaSpec spec =
        specOf(types,
               subst("layout_$0$1_$2",
                     {ofA ? "a" : "b", acrossK ? "_mn" : "", nameOf(layout)}),
               n);
    (ofA ? spec.layoutA : spec.layoutB) = layout;
    (ofA ? spec.transA : spec.transB) = acrossK;
    addWgmma(cases, spec);
  };
  for (bool ofA : {true, false})
    for (const SharedLayout &layout : layoutsAlongK()) {
      add(floatTypes[0], layout, ofA, false, ofA ? 8 : 96);
      // The same bytes as elements of another size.
      if (layout.offset && !layout.base)
        for (const TypeSpec &types :
             {floatTypes[3], floatTypes[4], integerTypes[0], bitType})
          add(types, layout, ofA, false, ofA ? 8 : 48);
    }
  for (bool ofA : {true, false})
    for (const SharedLayout &layout : layoutsAcrossK())
      for (unsigned type : {0u, 2u})
        add(floatTypes[type], layout, ofA, true,
            ofA         ? 16
            : type == 0 ? 128
                        : 72);
  // Both across K, and A in registers with B across K.
  for (unsigned swizzle : {0u, 1u, 2u, 3u})
    for (unsigned type : {0u, 1u, 2u})
      for (unsigned n : {8u, 40u, 192u}) {
        uint32_t atom = swizzle ? 2048 >> swizzle : 128;
        WgmmaSpec spec = specOf(
            floatTypes[type], subst("across_$0", {nameOfSwizzle(swizzle)}), n);
        spec.layoutA = {swizzle, 2 * atom, atom};
        spec.layoutB = {swizzle, 2 * atom, atom};
        spec.transA = spec.transB = 1;
        addWgmma(cases, spec);
        spec.name += ".registers";
        spec.registersA = true;
        addWgmma(cases, spec);
      }
}

//===----------------------------------------------------------------------===//
// Sparse A
//===----------------------------------------------------------------------===//

static void addSparse(std::vector<Case> &cases) {
  auto addTypes = [&](const TypeSpec &types) {
    // Of 8 bits all lanes give metadata.
    unsigned selectors = bitsOf(types.a) == 8 ? 1 : 2;
    for (unsigned selector = 0; selector < selectors; ++selector)
      for (bool registersA : {false, true}) {
        WgmmaSpec spec = specOf(types, subst("f$0", {selector}), 64);
        if (registersA)
          spec.name += ".registers";
        spec.sparse = true;
        spec.selector = selector;
        spec.registersA = registersA;
        addWgmma(cases, spec);
      }
    for (unsigned swizzle : {0u, 1u, 2u, 3u}) {
      WgmmaSpec spec = specOf(types, subst("$0", {nameOfSwizzle(swizzle)}), 24);
      spec.sparse = true;
      spec.layoutA = spec.layoutB =
          swizzle ? swizzled(swizzle) : SharedLayout{0, 128, 512};
      addWgmma(cases, spec);
      if (bitsOf(types.a) != 16)
        continue;
      spec.name += ".across";
      uint32_t atom = swizzle ? 2048 >> swizzle : 128;
      spec.layoutA = {swizzle, 2 * atom, atom};
      spec.layoutB = {swizzle, 4 * atom, atom};
      spec.transA = spec.transB = 1;
      addWgmma(cases, spec);
    }
    for (unsigned n : {8u, 240u, 256u}) {
      WgmmaSpec spec = specOf(types, "shape", n);
      spec.sparse = true;
      addWgmma(cases, spec);
    }
    WgmmaSpec spec = specOf(types, "any_order", 16);
    spec.sparse = spec.anyOrder = true;
    addWgmma(cases, spec);
    spec = specOf(types, "steps", 96);
    spec.sparse = true;
    spec.fill = Fill::Full;
    spec.steps = {{0, 0}, {32, 64}};
    addWgmma(cases, spec);
  };
  for (const TypeSpec &types : floatTypes)
    addTypes(types);
  for (const TypeSpec &types : integerTypes)
    addTypes(types);
}

/// Groups of products on two sets of accumulators; what is waited for is
/// written to the results before the rest is done.
static void addGroups(std::vector<Case> &cases) {
  struct Groups {
    const char *name;
    /// a, b: a product on the first, second accumulators; c: commit; digits:
    /// wait for all but so many groups; A, B: keep accumulators.
    const char *order;
  };
  const Groups all[] = {
      {"two", "acbc1A0B"},           {"alternate", "abcabc0AB"},
      {"late", "acbcac2b1c0AB"},     {"empty", "cac1c1A0bc0B"},
      {"reuse", "acbc1Aac0AB"},      {"same", "aac0Aabc0AB"},
      {"keep_one", "aacbbc1Aac1B0A"}};
  for (const Groups &groups : all)
    for (unsigned n : {8u, 64u}) {
      std::string name = subst("wgmma_groups.$0.n$1", {groups.name, n});
      WgmmaSpec spec = specOf(floatTypes[2], "", n);
      unsigned count = accumulatorCount(spec);
      Random draw(name);
      std::vector<uint8_t> input;
      appendElements(input, spec.a, Fill::Small,
                     (wgmmaBytesA + wgmmaBytesB) / 2, draw);
      KernelText kernel(128, wgmmaBytesA + wgmmaBytesB);
      kernel.loadTile(kernel.tileBytes);
      makeDescriptor(kernel, "%d0", spec.layoutA, 0);
      makeDescriptor(kernel, "%d1", spec.layoutB, wgmmaBytesA);
      kernel.declarations = "  .reg .f32 %g<64>;\n";
      for (unsigned i = 0; i < count; ++i)
        kernel.add("  mov.b32 %f$0, 0f40400000;\n"
                   "  mov.b32 %g$0, 0fC0000000;\n",
                   {i});
      kernel.fenceTile();
      kernel.add("  wgmma.fence.sync.aligned;\n");
      unsigned products = 0;
      for (char c : std::string(groups.order)) {
        bool isFirst = c == 'a' || c == 'A';
        if (c == 'a' || c == 'b')
          kernel.add("  add.s64 %d3, %d1, $0;\n"
                     "  $1 $2, %d0, %d3, 1, 1, $3, 0, 0;\n",
                     {2 * (products++ % 4), opcodeOf(spec),
                      vectorOf(isFirst ? "%f" : "%g", 0, count),
                      products % 3 ? 1 : -1});
        else if (c == 'A' || c == 'B')
          kernel.keepAll(isFirst ? "%f" : "%g", count)
              .add("  wgmma.fence.sync.aligned;\n");
        else if (c == 'c')
          kernel.add("  wgmma.commit_group.sync.aligned;\n");
        else
          kernel.add("  wgmma.wait_group.sync.aligned $0;\n", {c - '0'});
      }
      cases.push_back(makeCase(name, "wgmma", kernel, std::move(input)));
    }
}

void differential::addWgmmaCases(std::vector<Case> &cases) {
  addShapes(cases);
  addFills(cases);
  addOperands(cases);
  addGroups(cases);
  addLayouts(cases);
  addSparse(cases);
  addAccumulationCases(cases);
}
