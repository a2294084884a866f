//===- TensorCases.cpp - Cases of tiled tensor copies ---------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Types, ranks, swizzles, steps, strides and fills, each with boxes inside, on
// each border and outside of the tensor.
//
//===----------------------------------------------------------------------===//

#include "TensorText.h"

using namespace ptxbench;
using namespace ptxbench::differential;

static bool isFloat(TensorType type) { return type >= TensorF16; }

/// 100 columns of 16 rows, in boxes of 32 bytes by 5; rows are padded.
static TensorSpec matrixOf(TensorType type, std::string name) {
  TensorSpec spec;
  spec.name = std::move(name);
  spec.type = type;
  unsigned line = 32 / bytesOf(type);
  spec.dims = {100, 16};
  spec.box = {line, 5};
  int last = 100;
  spec.places = {{0, 0},   {7, 3},  {-3, -2},   {last - 3, 14},
                 {-40, 0}, {5, 16}, {last, -5}, {3, -1}};
  return spec;
}

static void addTypes(std::vector<Case> &cases) {
  for (unsigned type = 0; type < TensorTypes; ++type)
    for (unsigned fill = 0; fill < (isFloat(TensorType(type)) ? 2u : 1u);
         ++fill) {
      TensorSpec spec = matrixOf(TensorType(type), "");
      spec.name = subst("$0.$1", {nameOf(spec.type), fill ? "nan" : "zero"});
      spec.fill = fill;
      for (unsigned swizzle : {0u, 1u, 3u}) {
        spec.swizzle = swizzle;
        TensorSpec other = spec;
        other.name += subst(".s$0", {swizzle});
        other.isCTA = swizzle == 1;
        other.offset = 64 * swizzle;
        addTensorLoads(cases, other);
      }
    }
  for (unsigned promotion : {1u, 2u, 3u}) {
    TensorSpec spec = matrixOf(TensorF32, subst("promotion$0", {promotion}));
    spec.promotion = promotion;
    spec.hint = ".L2::cache_hint";
    addTensorLoads(cases, spec);
  }
}

static void addRanks(std::vector<Case> &cases) {
  for (TensorType type : {TensorU8, TensorBF16, TensorF64})
    for (unsigned rank = 1; rank <= 5; ++rank) {
      TensorSpec spec;
      spec.type = type;
      spec.name = subst("rank$0.$1", {rank, nameOf(type)});
      spec.dims = {40, 7, 5, 4, 3};
      spec.box = {16, 3, 2, 3, 2};
      spec.places = {{0, 0, 0, 0, 0},  {3, 2, 1, 1, 1},   {-1, -1, 0, 0, 0},
                     {30, 5, 4, 3, 2}, {8, 6, -1, 2, -1}, {8, 2, 1, 1, 3},
                     {8, 1, 1, -3, 0}, {39, 6, 4, 3, 2}};
      spec.dims.resize(rank);
      spec.box.resize(rank);
      for (std::vector<int> &place : spec.places)
        place.resize(rank);
      if (bytesOf(type) == 8)
        spec.places.resize(5);
      for (unsigned swizzle : {0u, 3u}) {
        if (swizzle && bytesOf(type) == 8)
          spec.swizzle = 3;
        TensorSpec other = spec;
        other.swizzle = swizzle;
        other.name += subst(".s$0", {swizzle});
        addTensorLoads(cases, other);
      }
      spec.places = {{0, 0, 0, 0, 0}, {20, 4, 3, 1, 1}, {39, 6, 4, 3, 2}};
      for (std::vector<int> &place : spec.places)
        place.resize(rank);
      addTensorStores(cases, spec);
    }
}

/// Lines of 16 bytes to the span, boxes at multiples of 128 bytes.
static void addSwizzles(std::vector<Case> &cases) {
  for (unsigned swizzle : {1u, 2u, 3u})
    for (unsigned line = 16; line <= 16u << swizzle; line += 16)
      for (unsigned tileOffset : {0u, 128u, 640u}) {
        if (tileOffset == 640 && line % 32)
          continue;
        TensorSpec spec;
        spec.name = subst("swizzle$0.line$1.at$2", {swizzle, line, tileOffset});
        spec.dims = {200, 30};
        spec.box = {line / 2, 20};
        spec.places = {{0, 0}, {17, 3}, {-5, 20}, {180, -4}};
        spec.swizzle = swizzle;
        spec.tileOffset = tileOffset;
        addTensorLoads(cases, spec);
        spec.places = {{0, 0}, {180, 20}};
        addTensorStores(cases, spec);
      }
  // A row is one box, and boxes that are higher than the pattern.
  for (unsigned swizzle : {1u, 2u, 3u})
    for (unsigned rows : {1u, 7u, 64u}) {
      TensorSpec spec;
      spec.name = subst("swizzle$0.rows$1", {swizzle, rows});
      spec.type = TensorU32;
      spec.dims = {36, 70};
      spec.box = {4u << swizzle, rows};
      spec.places = {{0, 0}, {4, 9}, {30, 40}};
      spec.swizzle = swizzle;
      addTensorLoads(cases, spec);
    }
}

static void addSteps(std::vector<Case> &cases) {
  struct Steps {
    const char *name;
    std::vector<uint32_t> steps, box;
  };
  const Steps all[] = {{"1_2", {1, 2}, {16, 8}},  {"1_3", {1, 3}, {16, 8}},
                       {"1_8", {1, 8}, {16, 20}}, {"2_1", {2, 1}, {16, 8}},
                       {"3_3", {3, 3}, {24, 7}},  {"1_5", {1, 5}, {16, 3}}};
  for (const Steps &steps : all)
    for (unsigned swizzle : {0u, 3u}) {
      TensorSpec spec;
      spec.name = subst("steps$0.s$1", {steps.name, swizzle});
      spec.dims = {50, 40};
      spec.box = steps.box;
      spec.steps = steps.steps;
      spec.swizzle = swizzle;
      spec.places = {{0, 0}, {3, 5}, {-2, -3}, {45, 33}, {10, 39}, {0, -1}};
      addTensorLoads(cases, spec);
      spec.places = {{0, 0}, {45, 33}};
      addTensorStores(cases, spec);
    }
  TensorSpec spec;
  spec.name = "steps1_2_3_4";
  spec.type = TensorF32;
  spec.dims = {12, 9, 8, 9};
  spec.box = {8, 6, 5, 9};
  spec.steps = {1, 2, 3, 4};
  spec.fill = 1;
  spec.places = {{0, 0, 0, 0}, {5, 2, 2, -3}, {-1, -1, -1, -1}, {1, 1, 4, 2}};
  addTensorLoads(cases, spec);
}

/// Strides that are no packed tensor's.
static void addStrides(std::vector<Case> &cases) {
  struct Strides {
    const char *name;
    std::vector<uint64_t> strides;
  };
  const Strides all[] = {{"zero", {0, 0}},        {"zero_row", {0, 512}},
                         {"zero_plane", {64, 0}}, {"overlapping", {16, 48}},
                         {"permuted", {512, 64}}, {"padded", {208, 4096}},
                         {"equal", {64, 64}}};
  for (const Strides &strides : all) {
    TensorSpec spec;
    spec.name = subst("strides_$0", {strides.name});
    spec.dims = {32, 8, 8};
    spec.box = {16, 4, 3};
    spec.strides = strides.strides;
    spec.places = {{0, 0, 0}, {8, 3, 4}, {20, -1, 6}, {-5, 6, -2}};
    addTensorLoads(cases, spec);
  }
}

/// Boxes that are larger than the tensor, and tensors of one element.
static void addSizes(std::vector<Case> &cases) {
  TensorSpec spec;
  spec.name = "larger";
  spec.type = TensorU8;
  spec.dims = {5, 3};
  spec.box = {64, 8};
  spec.places = {{0, 0}, {-20, -3}, {4, 2}, {1 << 30, 0}, {-(1 << 30), 0}};
  addTensorLoads(cases, spec);
  spec.name = "one";
  spec.dims = {1, 1};
  spec.box = {16, 1};
  addTensorLoads(cases, spec);
  spec.name = "full_box";
  spec.type = TensorU8;
  spec.dims = {300, 40};
  spec.box = {256, 32};
  spec.places = {{0, 0}, {100, 20}};
  addTensorLoads(cases, spec);
  spec.name = "line_256";
  spec.type = TensorF64;
  spec.box = {256, 4};
  spec.places = {{0, 0}, {100, 38}};
  addTensorLoads(cases, spec);
}

static void addMulticasts(std::vector<Case> &cases) {
  struct Multicast {
    unsigned ctas, issuer, mask;
  };
  for (const Multicast &multicast :
       {Multicast{2, 0, 3}, Multicast{2, 1, 1}, Multicast{4, 1, 13},
        Multicast{4, 2, 8}, Multicast{8, 7, 0x5b}})
    for (const char *hint : {"", ".L2::cache_hint"}) {
      TensorSpec spec = matrixOf(TensorBF16, "");
      spec.swizzle = 2;
      spec.box = {24, 5};
      std::string name = subst("tensor_multicast.of$0.by$1.mask$2$3",
                               {multicast.ctas, multicast.issuer,
                                multicast.mask, *hint ? ".hint" : ""});
      uint32_t bytes = boxBytesOf(spec);
      KernelText kernel(32, 1024);
      kernel.ctas = multicast.ctas;
      kernel.mapAddress("%d0", 0);
      kernel.patternTile();
      kernel.barriers({1}, true);
      if (*hint)
        kernel.add("  createpolicy.fractional.L2::evict_last.b64 %d2, "
                   "0f3F800000;\n");
      kernel.add("  mov.b32 %r0, $0;\n"
                 "  shr.u32 %r1, %r0, %cta;\n"
                 "  and.b32 %r1, %r1, 1;\n"
                 "  mul.lo.s32 %r1, %r1, $1;\n"
                 "  @%first mbarrier.arrive.expect_tx.shared::cta.b64 _, "
                 "[%bar0], %r1;\n"
                 "  cvt.u16.u32 %h0, %r0;\n"
                 "  setp.eq.and.u32 %p0, %cta, $2, %first;\n",
                 {multicast.mask, bytes, multicast.issuer});
      std::string address = addressOf(kernel, "%d0", {88, -2});
      spec.hint = hint;
      kernel.add("  @%p0 $0 [%tile+128], $1, [%bar0], %h0$2;\n",
                 {loadOpcode(spec, ".multicast::cluster"), address,
                  *hint ? ", %d2" : ""});
      kernel.wait("%bar0", "0");
      kernel.dumpTile(1024);
      kernel.clusterSync();
      Random draw(name);
      std::vector<uint8_t> input;
      appendElements(input, Element::U8, Fill::Bits, tensorBytesOf(spec), draw);
      Case one = makeCase(name, "tensor", kernel, std::move(input));
      one.params.push_back(mapOf(spec, 0));
      cases.push_back(std::move(one));
    }
}

void differential::addTileLoads(std::vector<Case> &cases) {
  addTypes(cases);
  addRanks(cases);
  addSwizzles(cases);
  addSteps(cases);
  addStrides(cases);
  addSizes(cases);
  addMulticasts(cases);
  TensorSpec spec = matrixOf(TensorF16, "prefetch");
  KernelText kernel(32);
  kernel.mapAddress("%d0", 0);
  std::string address = addressOf(kernel, "%d0", {-4, 10});
  kernel.add("  @%first prefetch.tensormap [%d0];\n"
             "  @%first cp.async.bulk.prefetch.tensor.2d.L2.global.tile $0;\n"
             "  ld.global.b32 %r0, [%in+4];\n",
             {address});
  kernel.keep("%r0");
  Random draw("tensor_prefetch");
  std::vector<uint8_t> input;
  appendElements(input, Element::U8, Fill::Bits, tensorBytesOf(spec), draw);
  Case one = makeCase("tensor_prefetch", "tensor", kernel, std::move(input));
  one.params.push_back(mapOf(spec, 0));
  cases.push_back(std::move(one));
}

//===----------------------------------------------------------------------===//
// Stores and reductions
//===----------------------------------------------------------------------===//

void differential::addTileStores(std::vector<Case> &cases) {
  for (unsigned type = 0; type < TensorTypes; ++type)
    for (unsigned swizzle : {0u, 2u}) {
      TensorSpec spec = matrixOf(TensorType(type), "");
      spec.name = subst("$0.s$1", {nameOf(spec.type), swizzle});
      spec.swizzle = swizzle;
      spec.places = {{0, 0}, {98, 3}, {20, 14}, {99, 15}, {40, 8}};
      if (swizzle)
        spec.hint = ".L2::cache_hint";
      addTensorStores(cases, spec);
    }
  // An H200 takes these for illegal instructions.
  for (int first : {1, 7, -3}) {
    TensorSpec spec = matrixOf(TensorU16, subst("unaligned$0", {first & 15}));
    spec.isUnaligned = spec.isOpen = true;
    spec.places = {{first, 2}};
    addTensorLoads(cases, spec);
    addTensorStores(cases, spec);
  }
  // Boxes that begin outside.
  for (bool below : {false, true}) {
    TensorSpec spec = matrixOf(TensorU16, below ? "below" : "beyond");
    spec.isOpen = below;
    if (below)
      spec.places = {{-3, 2}, {20, -2}, {-1, -1}, {-16, 0}};
    else
      spec.places = {{100, 2}, {20, 16}, {500, 500}, {90, 15}};
    addTensorStores(cases, spec);
  }
  struct Reduction {
    const char *op;
    std::vector<TensorType> types;
  };
  const Reduction reductions[] = {
      {"add",
       {TensorU32, TensorS32, TensorU64, TensorF16, TensorF32, TensorF64,
        TensorBF16}},
      {"min",
       {TensorU32, TensorS32, TensorU64, TensorS64, TensorF16, TensorBF16}},
      {"max",
       {TensorU32, TensorS32, TensorU64, TensorS64, TensorF16, TensorBF16}},
      {"inc", {TensorU32}},
      {"dec", {TensorU32}},
      {"and", {TensorU32, TensorS32, TensorU64, TensorS64}},
      {"or", {TensorU32, TensorS32, TensorU64, TensorS64}},
      {"xor", {TensorU32, TensorS32, TensorU64, TensorS64}}};
  for (const Reduction &reduction : reductions)
    for (TensorType type : reduction.types)
      for (unsigned swizzle : {0u, 1u}) {
        TensorSpec spec;
        spec.type = type;
        spec.isOpen = type == TensorF64;
        spec.name = subst("$0.s$1", {nameOf(type), swizzle});
        spec.dims = {40, 24};
        spec.box = {32 / bytesOf(type), 20};
        spec.swizzle = swizzle;
        spec.places = {{0, 0}, {1, 2}, {36, 10}, {8, 4}};
        addTensorStores(cases, spec, reduction.op);
      }
}

void differential::addTensorCases(std::vector<Case> &cases) {
  addTileLoads(cases);
  addTileStores(cases);
  addIm2colCases(cases);
  addInterleavedCases(cases);
  addTensorMapCases(cases);
}
