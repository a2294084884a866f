//===- TensorModeCases.cpp - im2col, interleaves, changed maps ------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the ISA says least about: where the pixels of im2col mode lie, and the
// slices of interleaved tensors. How many bytes an interleaved copy completes
// is tried out: of some counts the one is found for which a phase ends.
//
//===----------------------------------------------------------------------===//

#include "TensorText.h"

#include <algorithm>

using namespace ptxbench;
using namespace ptxbench::differential;

//===----------------------------------------------------------------------===//
// im2col
//===----------------------------------------------------------------------===//

void differential::addIm2colCases(std::vector<Case> &cases) {
  auto base = [](std::string name, unsigned rank, TensorType type) {
    TensorSpec spec;
    spec.name = "im2col." + std::move(name) + "." + nameOf(type);
    spec.type = type;
    // C, W, H, D, N.
    spec.dims = {24, 7, 6, 5, 3};
    if (rank < 5)
      spec.dims.erase(spec.dims.begin() + rank - 1, spec.dims.end() - 1);
    spec.channels = 16;
    spec.pixels = 10;
    spec.lower.assign(rank - 2, 0);
    spec.upper.assign(rank - 2, 0);
    return spec;
  };
  auto place = [](TensorSpec &spec, std::vector<int> at,
                  std::vector<int> offset) {
    spec.places.push_back(std::move(at));
    spec.offsets.push_back(std::move(offset));
  };
  for (TensorType type : {TensorU16, TensorF32})
    for (unsigned swizzle : {0u, 1u, 3u}) {
      if (swizzle == 1 && type == TensorF32)
        continue;
      std::string tail = subst(".s$0", {swizzle});
      // No corner: every pixel of the tensor.
      TensorSpec spec = base("3d.whole", 3, type);
      spec.name += tail;
      spec.swizzle = swizzle;
      place(spec, {0, 0, 0}, {0});
      place(spec, {8, 2, 1}, {0});
      place(spec, {-4, 0, 2}, {0});
      place(spec, {20, 6, 0}, {2});
      place(spec, {0, 5, 2}, {1});
      place(spec, {0, 0, -1}, {0});
      addTensorLoads(cases, spec);
      // A filter of three pixels with padding: the box is smaller.
      spec = base("3d.filter", 3, type);
      spec.name += tail;
      spec.swizzle = swizzle;
      spec.lower = {-1};
      spec.upper = {-1};
      place(spec, {0, -1, 0}, {0});
      place(spec, {0, -1, 0}, {1});
      place(spec, {8, 3, 1}, {2});
      place(spec, {0, 5, 2}, {2});
      addTensorLoads(cases, spec);

      spec = base("4d.filter", 4, type);
      spec.name += tail;
      spec.swizzle = swizzle;
      spec.lower = {-1, -2};
      spec.upper = {-1, -1};
      place(spec, {0, -1, -2, 0}, {0, 0});
      place(spec, {0, -1, -2, 0}, {2, 1});
      place(spec, {8, 4, 4, 0}, {1, 2});
      place(spec, {0, 2, 3, 2}, {0, 2});
      addTensorLoads(cases, spec);
      spec = base("4d.dilated", 4, type);
      spec.name += tail;
      spec.swizzle = swizzle;
      spec.lower = {0, 0};
      spec.upper = {-4, -2};
      spec.pixels = 24;
      place(spec, {0, 0, 0, 0}, {0, 0});
      place(spec, {0, 0, 0, 0}, {4, 2});
      place(spec, {4, 1, 3, 1}, {2, 1});
      addTensorLoads(cases, spec);

      spec = base("5d.filter", 5, type);
      spec.name += tail;
      spec.swizzle = swizzle;
      spec.lower = {-1, -1, 0};
      spec.upper = {-1, -1, -2};
      place(spec, {0, -1, -1, 0, 0}, {0, 0, 0});
      place(spec, {0, 2, 3, 1, 1}, {1, 2, 0});
      place(spec, {8, 5, 4, 2, 2}, {2, 1, 2});
      addTensorLoads(cases, spec);
    }
  // Steps, a positive upper corner, a fill with NaN, few and many pixels.
  for (unsigned pixels : {1u, 3u, 40u}) {
    TensorSpec spec = base(subst("4d.pixels$0", {pixels}), 4, TensorF16);
    spec.pixels = pixels;
    spec.channels = 8;
    spec.upper = {1, 2};
    spec.fill = 1;
    place(spec, {0, 0, 0, 0}, {0, 0});
    place(spec, {20, 7, 7, 2}, {0, 0});
    addTensorLoads(cases, spec);
  }
  for (unsigned step : {2u, 3u}) {
    TensorSpec spec = base(subst("4d.steps$0", {step}), 4, TensorU16);
    spec.steps = {1, step, 2, 1};
    spec.lower = {-1, 0};
    spec.upper = {-1, -1};
    place(spec, {0, -1, 0, 0}, {0, 0});
    place(spec, {0, -1, 0, 0}, {1, 1});
    place(spec, {0, 1, 2, 1}, {2, 0});
    addTensorLoads(cases, spec);
    spec.name += ".n";
    spec.steps = {1, step, 1, 2};
    addTensorLoads(cases, spec);
  }
  // A base pixel that is not in the bounding box.
  TensorSpec spec = base("4d.outside", 4, TensorU16);
  spec.isOpen = true;
  spec.lower = {1, 1};
  spec.upper = {-1, -1};
  place(spec, {0, 0, 0, 0}, {0, 0});
  addTensorLoads(cases, spec);

  for (unsigned rank : {3u, 4u, 5u})
    for (unsigned swizzle : {0u, 2u}) {
      TensorSpec spec =
          base(subst("$0d.s$1", {rank, swizzle}), rank, TensorU16);
      spec.swizzle = swizzle;
      std::vector<int> first(rank), second(rank, 2), third(rank, 1);
      spec.places = {first, second, third};
      second[rank - 1] = 1;
      third[0] = 16;
      spec.places = {first, second, third};
      addTensorStores(cases, spec);
      spec.type = TensorU32;
      spec.channels = 8;
      addTensorStores(cases, spec, "add");
    }
  TensorSpec small = base("4d.corner", 4, TensorU16);
  small.lower = {1, 1};
  small.upper = {-2, 0};
  small.places = {{0, 1, 1, 0}, {8, 3, 4, 1}};
  addTensorStores(cases, small);
}

//===----------------------------------------------------------------------===//
// Interleaved tensors
//===----------------------------------------------------------------------===//

/// One box, for which the bytes that a phase needs are looked for. Elements
/// are numbered, so that a recording in full says where each one went.
static void addInterleaved(std::vector<Case> &cases, const TensorSpec &spec) {
  std::string name = "tensor_interleave." + spec.name;
  uint32_t slice = 16 * spec.interleave, bytes = boxBytesOf(spec);
  std::vector<uint32_t> candidates = {bytes, bytes / bytesOf(spec.type) * slice,
                                      slice, 2 * slice};
  uint32_t rows = bytes / (bytesOf(spec.type) *
                           (spec.isIm2col() ? spec.channels : spec.box[0]));
  uint32_t channels = spec.isIm2col() ? spec.channels : spec.box[0];
  uint32_t lineBytes = channels * bytesOf(spec.type);
  candidates.push_back(rows * slice);
  candidates.push_back((lineBytes + slice - 1) / slice * slice * rows);
  std::sort(candidates.begin(), candidates.end());
  candidates.erase(std::unique(candidates.begin(), candidates.end()),
                   candidates.end());
  KernelText kernel(64, 32768);
  kernel.mapAddress("%d0", 0);
  kernel.patternTile();
  kernel.barriers({1, 1, 1, 1, 1, 1});
  std::string address = addressOf(kernel, "%d0", spec.places[0]);
  std::string offsets;
  if (spec.isIm2col()) {
    offsets = ", {";
    for (unsigned j = 0; j + 2 < spec.dims.size(); ++j) {
      kernel.add("  mov.b16 %h$0, $1;\n", {j, spec.offsets[0][j]});
      offsets += subst(j ? ", %h$0" : "%h$0", {j});
    }
    offsets += "}";
  }
  for (unsigned i = 0; i < candidates.size(); ++i) {
    std::string loop = kernel.label("Try"), done = kernel.label("Tried");
    kernel.add(
        "  @%first mbarrier.arrive.expect_tx.shared::cta.b64 _, "
        "[%bar$0], $1;\n"
        "  @%first $2 [%tile], $3, [%bar$0]$4;\n"
        "  mov.b32 %n15, 0;\n"
        "$5:\n"
        ".pragma \"nounroll\";\n"
        "  mbarrier.test_wait.parity.shared::cta.b64 %p1, [%bar$0], 0;\n"
        "  @%p1 bra $6;\n",
        {i, candidates[i], loadOpcode(spec), address, offsets, loop, done});
    kernel.add("  nanosleep.u32 1000;\n"
               "  add.s32 %n15, %n15, 1;\n"
               "  setp.lt.u32 %p2, %n15, 200;\n"
               "  @%p2 bra $0;\n"
               "$1:\n"
               "  bar.sync 0;\n",
               {loop, done});
    kernel.keepPredicate("%p1");
  }
  kernel.add("  bar.sync 0;\n");
  kernel.dumpTile(32768);
  std::vector<uint8_t> input(tensorBytesOf(spec));
  for (size_t i = 0; i + 1 < input.size(); i += 2) {
    input[i] = uint8_t(i / 2);
    input[i + 1] = uint8_t(i / 2 >> 8);
  }
  Case one = makeCase(name, "tensor-open", kernel, std::move(input));
  one.params.push_back(mapOf(spec, 0));
  cases.push_back(std::move(one));
}

void differential::addInterleavedCases(std::vector<Case> &cases) {
  for (unsigned interleave : {1u, 2u})
    for (unsigned rank : {3u, 4u, 5u})
      for (TensorType type : {TensorU8, TensorU16, TensorF32}) {
        if (type != TensorU16 && rank != 4)
          continue;
        TensorSpec spec;
        spec.interleave = interleave;
        // 32 bytes need their swizzle.
        spec.swizzle = interleave == 2 ? 1 : 0;
        spec.type = type;
        unsigned slice = 16 * interleave / bytesOf(type);
        spec.dims = {slice, 9, 7, 5, 4};
        spec.dims.resize(rank);
        auto add = [&](const char *name, std::vector<uint32_t> box,
                       std::vector<int> at) {
          TensorSpec one = spec;
          one.name = subst("$0.$1d.$2.$3",
                           {slice * bytesOf(type), rank, nameOf(type), name});
          box.resize(rank);
          at.resize(rank);
          one.box = box;
          one.places = {at};
          addInterleaved(cases, one);
        };
        add("whole", {slice, 9, 4, 3, 2}, {0, 0, 0, 0, 0});
        add("part", {slice, 4, 3, 2, 2}, {0, 2, 1, 1, 1});
        add("outside", {slice, 4, 3, 2, 2}, {0, -1, 5, 4, 3});
        add("channels", {slice / 2, 4, 3, 2, 2}, {0, 2, 1, 1, 1});
        // More channels than a slice has, over the slices of the tensor.
        spec.dims[0] = 4 * slice;
        add("slices", {2 * slice, 4, 3, 2, 2}, {0, 2, 1, 1, 1});
        add("second", {slice, 4, 3, 2, 2}, {int(slice), 2, 1, 1, 1});
      }
  for (unsigned interleave : {1u, 2u}) {
    TensorSpec spec;
    spec.interleave = interleave;
    spec.swizzle = interleave == 2 ? 1 : 0;
    spec.name = subst("$0.im2col", {16 * interleave});
    spec.dims = {8 * interleave, 7, 6, 4, 3};
    spec.channels = 8 * interleave;
    spec.pixels = 12;
    spec.lower = {-1, -1, 0};
    spec.upper = {-1, -1, 0};
    spec.places = {{0, -1, 0, 1, 1}};
    spec.offsets = {{1, 2, 0}};
    addInterleaved(cases, spec);
  }
}

//===----------------------------------------------------------------------===//
// Maps that a kernel changes
//===----------------------------------------------------------------------===//

/// Copies the map of `before` to shared memory, replaces fields, copies it to
/// global memory and loads the boxes of `after`.
static void addReplaced(std::vector<Case> &cases, const std::string &name,
                        const TensorSpec &before, const TensorSpec &after,
                        const std::vector<std::string> &fields, bool inShared) {
  uint32_t bytes = boxBytesOf(after), pitch = boxPitchOf(after);
  KernelText kernel(32, pitch * unsigned(after.places.size()) + 128);
  kernel.more = 1;
  kernel.declarations = "  .shared .align 128 .b8 changed[128];\n"
                        "  .reg .b32 %changed;\n";
  kernel.patternTile();
  kernel.mapAddress("%d0", 0);
  kernel.add("  mov.u32 %changed, changed;\n"
             "  mul.wide.u32 %d1, %t, 4;\n"
             "  add.s64 %d2, %d1, %d0;\n"
             "  ld.b32 %r0, [%d2];\n"
             "  mul.lo.s32 %r1, %t, 4;\n"
             "  add.s32 %r1, %r1, %changed;\n"
             "  add.s64 %d3, %more0, %d1;\n");
  kernel.add(inShared ? "  st.shared.b32 [%r1], %r0;\n"
                      : "  st.global.b32 [%d3], %r0;\n");
  kernel.barriers({1});
  for (const std::string &field : fields)
    kernel.add("  @%first tensormap.replace.tile.$0;\n",
               {subst(field, {inShared ? "shared::cta.b1024" : "global.b1024",
                              inShared ? "%changed" : "%more0"})});
  kernel.add("  bar.warp.sync 0xffffffff;\n");
  if (inShared)
    kernel.add("  tensormap.cp_fenceproxy.global.shared::cta"
               ".tensormap::generic.release.gpu.sync.aligned [%more0], "
               "[%changed], 128;\n");
  else
    kernel.add("  fence.proxy.tensormap::generic.release.gpu;\n");
  kernel.add("  fence.proxy.tensormap::generic.acquire.gpu [%more0], 128;\n");
  for (unsigned i = 0; i < after.places.size(); ++i) {
    std::string address = addressOf(kernel, "%more0", after.places[i]);
    kernel.add("  @%first mbarrier.arrive.expect_tx.shared::cta.b64 _, "
               "[%bar0], $0;\n"
               "  @%first $1 [%tile+$2], $3, [%bar0];\n",
               {bytes, loadOpcode(after), pitch * i, address});
    kernel.wait("%bar0", std::to_string(i % 2));
    kernel.add("  bar.sync 0;\n");
  }
  kernel.dumpTile(kernel.tileBytes);
  Random draw(name);
  std::vector<uint8_t> input;
  appendElements(input, Element::U8, Fill::Bits, 16384, draw);
  Case one = makeCase("tensormap." + name + (inShared ? ".shared" : ".global"),
                      "tensor", kernel, std::move(input));
  // Its bytes are the machine's.
  one.buffers.push_back({std::vector<uint8_t>(128), false});
  one.params.push_back(BufferParam{2, 0});
  one.params.push_back(mapOf(before, 0));
  cases.push_back(std::move(one));
}

void differential::addTensorMapCases(std::vector<Case> &cases) {
  TensorSpec before;
  before.type = TensorU16;
  before.dims = {50, 20};
  before.box = {16, 6};
  before.places = {{0, 0}, {16, 3}, {48, 17}, {-16, -2}};
  for (bool inShared : {true, false}) {
    auto add = [&](const std::string &name, const TensorSpec &after,
                   const std::vector<std::string> &fields) {
      addReplaced(cases, name, before, after, fields, inShared);
    };
    add("same", before, {});
    TensorSpec after = before;
    after.box = {32, 3};
    add("box_dim", after,
        {"box_dim.$0.b32 [$1], 0, 32", "box_dim.$0.b32 [$1], 1, 3"});
    after = before;
    after.dims = {47, 18};
    after.strides = stridesOf(before);
    add("global_dim", after,
        {"global_dim.$0.b32 [$1], 0, 47", "global_dim.$0.b32 [$1], 1, 18"});
    after = before;
    after.strides = {208};
    add("global_stride", after, {"global_stride.$0.b64 [$1], 0, 208"});
    after = before;
    after.steps = {1, 2};
    add("element_stride", after, {"element_stride.$0.b32 [$1], 1, 2"});
    after = before;
    after.type = TensorF16;
    after.fill = 1;
    add("fill_mode", after,
        {"elemtype.$0.b32 [$1], 6", "fill_mode.$0.b32 [$1], 1"});
    after = before;
    after.type = TensorU8;
    add("elemtype", after, {"elemtype.$0.b32 [$1], 0"});
    for (unsigned swizzle : {1u, 2u, 3u}) {
      after = before;
      after.swizzle = swizzle;
      add(subst("swizzle_mode$0", {swizzle}), after,
          {"swizzle_mode.$0.b32 [$1], " + std::to_string(swizzle)});
    }
    // The rank counts from 0.
    after = before;
    after.dims = {50};
    after.box = {16};
    after.places = {{0}, {48}, {-16}};
    add("rank", after, {"rank.$0.b32 [$1], 0"});
    after = before;
    after.dims = {50, 20, 4};
    after.box = {16, 6, 2};
    after.strides = {112, 2240};
    after.places = {{0, 0, 0}, {48, 4, 3}, {-16, -1, -1}};
    add("rank_more", after,
        {"rank.$0.b32 [$1], 2", "global_dim.$0.b32 [$1], 2, 4",
         "box_dim.$0.b32 [$1], 2, 2", "global_stride.$0.b64 [$1], 1, 2240",
         "element_stride.$0.b32 [$1], 2, 1"});
    add("global_address", before, {"global_address.$0.b64 [$1], %in"});
  }
}
