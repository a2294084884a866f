//===- WgmmaText.cpp - Kernels around wgmma -------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel: fill the tile and the registers, fence, one product for each
// step, commit, wait, write D. Of results within a tolerance only two registers
// of each thread are kept, since recordings have them as they are.
//
//===----------------------------------------------------------------------===//

#include "WgmmaText.h"

using namespace ptxbench;
using namespace ptxbench::differential;

unsigned differential::depthOf(const WgmmaSpec &spec) {
  return 256 / bitsOf(spec.a) * (spec.sparse ? 2 : 1);
}

std::string differential::opcodeOf(const WgmmaSpec &spec) {
  return subst("wgmma.mma_async$0.sync.aligned.m64n$1k$2$3.$4.$5.$6$7",
               {spec.sparse ? ".sp" : "", spec.n, depthOf(spec),
                spec.saturated ? ".satfinite" : "", nameOf(spec.d),
                nameOf(spec.a), nameOf(spec.b),
                spec.a == Element::B1 ? ".and.popc" : ""});
}

std::string differential::accumulatorStem(const WgmmaSpec &spec) {
  return spec.d == Element::F32 ? "%f" : "%acc";
}

unsigned differential::accumulatorCount(const WgmmaSpec &spec) {
  return spec.n / (spec.d == Element::F16 ? 4 : 2);
}

void differential::makeDescriptor(KernelText &kernel, const std::string &reg,
                                  const SharedLayout &layout, uint32_t base) {
  kernel.add("  add.s32 %n0, %tile, $1;\n"
             "  shr.u32 %n0, %n0, 4;\n"
             "  and.b32 %n0, %n0, 0x3fff;\n"
             "  cvt.u64.u32 $0, %n0;\n"
             "  or.b64 $0, $0, $2;\n",
             {reg, base + layout.offset, layout.bits()});
}

void differential::startAccumulators(KernelText &kernel,
                                     const WgmmaSpec &spec) {
  bool isHalf = spec.d == Element::F16;
  for (unsigned i = 0; i < accumulatorCount(spec); ++i) {
    kernel.add("  mad.lo.s32 %n0, %t, 5, $0;\n"
               "  and.b32 %n0, %n0, 31;\n"
               "  sub.s32 %n0, %n0, 9;\n",
               {7 * i});
    if (spec.d == Element::F32)
      kernel.add("  cvt.rn.f32.s32 %f$0, %n0;\n", {i});
    else if (isHalf)
      kernel.add("  cvt.rn.f16.s32 %h0, %n0;\n"
                 "  add.s32 %n0, %n0, 3;\n"
                 "  cvt.rn.f16.s32 %h1, %n0;\n"
                 "  mov.b32 %acc$0, {%h0, %h1};\n",
                 {i});
    else if (spec.saturated)
      kernel.add("  shl.b32 %n0, %n0, 12;\n"
                 "  add.s32 %acc$0, %n0, 0x7fff0000;\n",
                 {i});
    else
      kernel.add("  mov.b32 %acc$0, %n0;\n", {i});
  }
}

/// Between the accumulators and the end.
static std::string operandsOf(const WgmmaSpec &spec, const std::string &a,
                              const std::string &b, const std::string &scaleD) {
  std::string text = subst("$0, $1, ", {a, b});
  if (spec.sparse)
    text += subst("%e0, $0, ", {spec.selector});
  text += scaleD;
  if (isFloat(spec.a))
    text += subst(", $0, $1", {spec.scaleA, spec.scaleB});
  if (bitsOf(spec.a) == 16) {
    if (!spec.registersA)
      text += subst(", $0", {spec.transA});
    text += subst(", $0", {spec.transB});
  }
  return text;
}

void differential::addWgmma(std::vector<Case> &cases, const WgmmaSpec &spec) {
  std::string name =
      subst("wgmma$0.n$1.$2.$3.$4.$5.$6",
            {spec.sparse ? ".sp" : "", spec.n, nameOf(spec.d), nameOf(spec.a),
             nameOf(spec.b), spec.name, nameOf(spec.fill)});
  Random draw(name);
  unsigned threads = 128 * spec.warpgroups;
  std::vector<uint8_t> input;
  appendElements(input, spec.a, spec.fill, wgmmaBytesA * 8 / bitsOf(spec.a),
                 draw);
  appendElements(input, spec.b,
                 spec.fill == Fill::Subnormal ? Fill::Small : spec.fill,
                 wgmmaBytesB * 8 / bitsOf(spec.b), draw);
  uint32_t registersAt = input.size();
  appendElements(input, spec.a, spec.fill, threads * 4 * 32 / bitsOf(spec.a),
                 draw);
  uint32_t metadataAt = input.size();
  for (unsigned i = 0; i < threads; ++i)
    appendWord(input, drawMetadata(spec.a, draw, spec.anyOrder));

  KernelText kernel(threads, wgmmaBytesA + wgmmaBytesB);
  kernel.declarations = "  .reg .b32 %a<4>, %e<1>;\n";
  kernel.loadTile(kernel.tileBytes);
  if (spec.registersA)
    kernel.loadWords("%a", 0, 4, registersAt);
  if (spec.sparse)
    kernel.loadWords("%e", 0, 1, metadataAt);
  kernel.add("  setp.ge.s32 %p0, %t, 0;\n  setp.lt.s32 %p1, %t, 0;\n");
  makeDescriptor(kernel, "%d0", spec.layoutA, 0);
  makeDescriptor(kernel, "%d1", spec.layoutB, wgmmaBytesA);
  // Each warpgroup has rows of its own.
  if (spec.warpgroups > 1)
    kernel.add("  shr.u32 %n0, %t, 7;\n"
               "  mul.wide.u32 %d2, %n0, 256;\n"
               "  add.s64 %d0, %d0, %d2;\n");
  startAccumulators(kernel, spec);
  kernel.fenceTile();
  kernel.add("  wgmma.fence.sync.aligned;\n");
  std::string stem = accumulatorStem(spec);
  std::string d = vectorOf(stem, 0, accumulatorCount(spec));
  bool isFirst = true;
  for (auto [stepA, stepB] : spec.steps) {
    kernel.add("  add.s64 %d3, %d0, $0;\n  add.s64 %d4, %d1, $1;\n",
               {stepA / 16, stepB / 16});
    kernel.add("  $0 $1, $2;\n",
               {opcodeOf(spec), d,
                operandsOf(spec, spec.registersA ? vectorOf("%a", 0, 4) : "%d3",
                           "%d4", isFirst ? spec.scaleD : "%p0")});
    isFirst = false;
  }
  kernel.add("  wgmma.commit_group.sync.aligned;\n"
             "  wgmma.wait_group.sync.aligned 0;\n");
  Tolerance tolerance;
  if (isFloat(spec.a) && (spec.fill == Fill::Full || spec.fill == Fill::Wide)) {
    double magnitude = magnitudeOf(spec.fill);
    unsigned k = depthOf(spec) * unsigned(spec.steps.size());
    tolerance = sumTolerance(spec.a, spec.d, k, k * magnitude * magnitude + 31);
    kernel.keep(stem + "0")
        .keep(stem + std::to_string(accumulatorCount(spec) - 1));
  } else {
    kernel.keepAll(stem, accumulatorCount(spec));
  }
  cases.push_back(
      makeCase(name, spec.anyOrder || spec.isOpen ? "wgmma-open" : "wgmma",
               kernel, std::move(input), tolerance));
}
