//===- MoveCases.cpp - Moves, addresses and special registers -------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mov in all its shapes, cvta and isspacep, and what the special registers say
// of grids of several shapes.
//
//===----------------------------------------------------------------------===//

#include "ThreadKernel.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::differential;

static void addCase(std::vector<Case> &cases, RecordKernel kernel) {
  kernel.family = "move";
  cases.push_back(kernel.make());
}

/// Scalars and vectors of each type.
static void addPlainMoves(std::vector<Case> &cases) {
  struct Type {
    const char *name, *prefix;
    unsigned bytes;
  };
  static constexpr Type types[] = {
      {"b16", "h", 2}, {"b32", "r", 4}, {"b64", "d", 8}, {"u16", "h", 2},
      {"u32", "r", 4}, {"u64", "d", 8}, {"s16", "h", 2}, {"s32", "r", 4},
      {"s64", "d", 8}, {"f32", "r", 4}, {"f64", "d", 8}, {"b128", "q", 16}};
  for (const Type &type : types)
    for (unsigned count : {1, 2, 4}) {
      bool exists = count == 1 || (count == 2 && type.bytes < 16) ||
                    (count == 4 && type.bytes < 8);
      if (!exists)
        continue;
      std::string vector = count == 1 ? "" : ".v" + number(count);
      std::string t = type.name;
      RecordKernel kernel;
      kernel.name = "mov" + vector + "." + t;
      kernel.inputBytes = kernel.outputBytes = type.bytes * count;
      kernel.body = "  ld.global" + vector + "." + t + " " +
                    operandOf(type.prefix, count) + ", [%in];\n  mov" + vector +
                    "." + t + " " + operandOf(type.prefix, count, 4) + ", " +
                    operandOf(type.prefix, count) + ";\n  st.global" + vector +
                    "." + t + " [%out], " + operandOf(type.prefix, count, 4) +
                    ";\n";
      addCase(cases, kernel);
    }
}

/// A register made of parts, and taken apart; parts change places.
static void addPacking(std::vector<Case> &cases) {
  struct Shape {
    const char *whole, *wholePrefix, *part, *partPrefix;
    unsigned bytes, count;
  };
  static constexpr Shape shapes[] = {
      {"b16", "h", "b8", "b", 2, 2},  {"b32", "r", "b16", "h", 4, 2},
      {"b32", "r", "b8", "b", 4, 4},  {"b64", "d", "b32", "r", 8, 2},
      {"b64", "d", "b16", "h", 8, 4}, {"b128", "q", "b64", "d", 16, 2}};
  for (const Shape &shape : shapes) {
    RecordKernel kernel;
    std::string w = shape.whole, p = shape.part;
    kernel.name = "mov." + w + "-of-" + p;
    kernel.inputBytes = kernel.outputBytes = shape.bytes;
    std::string reversed = "{";
    for (unsigned i = shape.count; i--;)
      reversed +=
          "%" + std::string(shape.partPrefix) + number(i) + (i ? ", " : "}");
    kernel.body = "  ld.global." + w + " %" + shape.wholePrefix +
                  "8, [%in];\n  mov." + w + " " +
                  operandOf(shape.partPrefix, shape.count) + ", %" +
                  shape.wholePrefix + "8;\n  mov." + w + " %" +
                  shape.wholePrefix + "9, " + reversed + ";\n  st.global." + w +
                  " [%out], %" + shape.wholePrefix + "9;\n";
    addCase(cases, kernel);
    if (shape.bytes == 16)
      continue;
    // One part is dropped.
    kernel.name += "-sink";
    std::string parts = "{_";
    for (unsigned i = 1; i < shape.count; ++i)
      parts += ", %" + std::string(shape.partPrefix) + number(i);
    kernel.body = "  ld.global." + w + " %" + shape.wholePrefix +
                  "8, [%in];\n  mov." + w + " " + parts + "}, %" +
                  shape.wholePrefix + "8;\n  st.global." + p + " [%out], %" +
                  shape.partPrefix + number(shape.count - 1) + ";\n";
    addCase(cases, kernel);
  }
}

/// Generic addresses of each space: there and back, loads through them, and
/// what isspacep says.
static void addAddresses(std::vector<Case> &cases) {
  struct Place {
    const char *name, *globals, *declaration, *symbol;
  };
  static constexpr Place places[] = {
      {"global", ".global .align 8 .b32 @g[4] = {1, 2, 3, 4};\n", "", "@g"},
      {"const", ".const .align 8 .b32 @c[4] = {5, 6, 7, 8};\n", "", "@c"},
      {"shared", "", "  .shared .align 8 .b32 s[4];\n", "s"},
      {"shared::cta", "", "  .shared .align 8 .b32 s[4];\n", "s"},
      {"shared::cluster", "", "  .shared .align 8 .b32 s[4];\n", "s"},
      {"local", "", "  .local .align 8 .b32 l[4];\n", "l"},
      {"param", "", "", "in"}};
  for (const Place &place : places) {
    StringRef name = place.name;
    std::string suffix = nameOf(name);
    std::string generic = std::string(place.declaration) + "  mov.u64 %d0, " +
                          place.symbol + ";\n  cvta." + place.name +
                          ".u64 %d1, %d0;\n";
    bool isWritable = name.starts_with("shared") || name == "local";
    RecordKernel kernel;
    kernel.name = "cvta." + suffix;
    kernel.inputBytes = 8;
    kernel.outputBytes = 16;
    // All of a CTA store the same.
    kernel.threads = 32;
    kernel.globals = place.globals;
    kernel.body = generic +
                  (isWritable ? "  mov.u32 %r2, 77;\n  st." + name.str() +
                                    ".u32 [%d0+8], %r2;\n"
                              : std::string()) +
                  "  cvta.to." + place.name +
                  ".u64 %d2, %d1;\n"
                  "  sub.u64 %d3, %d2, %d0;\n  st.global.u64 [%out], %d3;\n";
    kernel.body +=
        name == "param" ? "  mov.u32 %r3, 0;\n" : "  ld.u32 %r3, [%d1+8];\n";
    kernel.body += "  st.global.u32 [%out+8], %r3;\n"
                   "  st.global.u32 [%out+12], %r3;\n";
    addCase(cases, kernel);

    for (const char *asked : {"global", "shared", "shared::cta",
                              "shared::cluster", "local", "param", "const"}) {
      kernel.name = "isspacep." + nameOf(asked) + "-of-" + suffix;
      kernel.outputBytes = 4;
      kernel.body = generic + "  isspacep." + asked +
                    " %p0, %d1;\n  selp.u32 %r0, 1, 0, %p0;\n"
                    "  st.global.u32 [%out], %r0;\n";
      addCase(cases, kernel);
    }
  }
}

/// Special registers whose values a launch fixes.
static void addSpecialRegisters(std::vector<Case> &cases) {
  static constexpr const char *registers[] = {"%tid.x",
                                              "%tid.y",
                                              "%tid.z",
                                              "%ntid.x",
                                              "%ntid.y",
                                              "%ntid.z",
                                              "%ctaid.x",
                                              "%ctaid.y",
                                              "%ctaid.z",
                                              "%nctaid.x",
                                              "%nctaid.y",
                                              "%nctaid.z",
                                              "%laneid",
                                              "%lanemask_eq",
                                              "%lanemask_le",
                                              "%lanemask_lt",
                                              "%lanemask_ge",
                                              "%lanemask_gt",
                                              "%clusterid.x",
                                              "%clusterid.y",
                                              "%clusterid.z",
                                              "%nclusterid.x",
                                              "%nclusterid.y",
                                              "%nclusterid.z",
                                              "%cluster_ctaid.x",
                                              "%cluster_ctaid.y",
                                              "%cluster_ctaid.z",
                                              "%cluster_nctaid.x",
                                              "%cluster_nctaid.y",
                                              "%cluster_nctaid.z",
                                              "%cluster_ctarank",
                                              "%cluster_nctarank",
                                              "%dynamic_smem_size"};
  struct Shape {
    Dim3 grid, block, cluster;
    uint32_t shared;
  };
  static const Shape shapes[] = {
      {{1}, {1}, {1}, 0},
      {{3}, {70}, {1}, 16},
      {{2, 3, 2}, {5, 7, 3}, {1}, 1000},
      {{1, 5, 1}, {1, 33, 2}, {1}, 1024},
      {{4, 2, 1}, {32}, {2, 1, 1}, 256},
      {{4, 4, 2}, {4, 4, 4}, {2, 2, 2}, 0},
      {{6, 3, 1}, {40}, {1, 3, 1}, 64},
  };
  unsigned index = 0;
  for (const Shape &shape : shapes) {
    Case testCase;
    testCase.name = "special-registers-" + number(index++);
    testCase.family = "move";
    testCase.grid = shape.grid;
    testCase.block = shape.block;
    testCase.cluster = shape.cluster;
    testCase.dynamicSharedBytes = shape.shared;
    uint64_t threads = shape.grid.volume() * shape.block.volume();
    size_t stride = 4 * (std::size(registers) + 1);
    testCase.text =
        ".entry @kernel(.param .u64 out) {\n"
        "  .reg .b32 %r<8>; .reg .b64 %d<4>; .reg .pred %p;\n"
        "  ld.param.u64 %d0, [out];\n"
        "  mov.u32 %r0, %ctaid.z;\n  mov.u32 %r1, %nctaid.y;\n"
        "  mov.u32 %r2, %ctaid.y;\n  mad.lo.u32 %r0, %r0, %r1, %r2;\n"
        "  mov.u32 %r1, %nctaid.x;\n  mov.u32 %r2, %ctaid.x;\n"
        "  mad.lo.u32 %r0, %r0, %r1, %r2;\n"
        "  mov.u32 %r1, %ntid.z;\n  mov.u32 %r2, %tid.z;\n"
        "  mad.lo.u32 %r0, %r0, %r1, %r2;\n"
        "  mov.u32 %r1, %ntid.y;\n  mov.u32 %r2, %tid.y;\n"
        "  mad.lo.u32 %r0, %r0, %r1, %r2;\n"
        "  mov.u32 %r1, %ntid.x;\n  mov.u32 %r2, %tid.x;\n"
        "  mad.lo.u32 %r0, %r0, %r1, %r2;\n"
        "  mad.wide.u32 %d0, %r0, " +
        number(stride) + ", %d0;\n";
    for (size_t i = 0; i < std::size(registers); ++i)
      testCase.text += "  mov.u32 %r3, " + std::string(registers[i]) +
                       ";\n  st.global.u32 [%d0+" + number(4 * i) + "], %r3;\n";
    testCase.text += "  mov.pred %p, %is_explicit_cluster;\n"
                     "  selp.u32 %r3, 1, 0, %p;\n  st.global.u32 [%d0+" +
                     number(stride - 4) + "], %r3;\n  ret;\n}\n";
    testCase.buffers = {{std::vector<uint8_t>(threads * stride, 0xcc), true}};
    testCase.params = {BufferParam{0, 0}};
    cases.push_back(std::move(testCase));
  }
}

void differential::addMoveCases(std::vector<Case> &cases) {
  addPlainMoves(cases);
  addPacking(cases);
  addAddresses(cases);
  addSpecialRegisters(cases);
}
