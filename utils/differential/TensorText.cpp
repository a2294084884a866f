//===- TensorText.cpp - Kernels around tensor copies ----------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One mbarrier has a phase for each box that is loaded; all threads meet
// between phases, so that none is two behind. Stores wait for each other, so
// that overlapping boxes have an order.
//
//===----------------------------------------------------------------------===//

#include "TensorText.h"
#include "ReductionOperands.h"

#include <algorithm>

using namespace ptxbench;
using namespace ptxbench::differential;

namespace {
struct TypeInfo {
  const char *name;
  unsigned bytes;
};
} // namespace

static const TypeInfo &infoOf(TensorType type) {
  static const TypeInfo infos[] = {
      {"u8", 1},      {"u16", 2},  {"u32", 4},     {"s32", 4}, {"u64", 8},
      {"s64", 8},     {"f16", 2},  {"f32", 4},     {"f64", 8}, {"bf16", 2},
      {"f32_ftz", 4}, {"tf32", 4}, {"tf32_ftz", 4}};
  return infos[type];
}
const char *differential::nameOf(TensorType type) { return infoOf(type).name; }
unsigned differential::bytesOf(TensorType type) { return infoOf(type).bytes; }

std::vector<uint64_t> differential::stridesOf(const TensorSpec &spec) {
  if (!spec.strides.empty())
    return spec.strides;
  std::vector<uint64_t> strides;
  uint64_t align = spec.interleave == 2 ? 32 : 16;
  uint64_t stride = bytesOf(spec.type) * spec.dims[0];
  // A slice of interleaved channels has 16 or 32 bytes.
  if (spec.interleave)
    stride = align;
  for (unsigned i = 1; i < spec.dims.size(); ++i) {
    stride = (stride + align - 1) / align * align;
    strides.push_back(stride);
    stride *= spec.dims[i];
  }
  return strides;
}

uint32_t differential::boxBytesOf(const TensorSpec &spec) {
  uint32_t bytes = bytesOf(spec.type);
  if (spec.isIm2col())
    return bytes * spec.channels * spec.pixels;
  for (unsigned i = 0; i < spec.box.size(); ++i) {
    // The first step means something with an interleave only.
    uint32_t step =
        spec.steps.empty() || (i == 0 && !spec.interleave) ? 1 : spec.steps[i];
    bytes *= (spec.box[i] + step - 1) / step;
  }
  return bytes;
}

uint32_t differential::boxPitchOf(const TensorSpec &spec) {
  // A line that is shorter than the span of the swizzle takes all of it.
  uint32_t line =
      bytesOf(spec.type) * (spec.isIm2col() ? spec.channels : spec.box[0]);
  uint32_t lines = boxBytesOf(spec) / line;
  uint32_t span = spec.swizzle ? 16u << spec.swizzle : 0;
  return (lines * std::max(line, span) + 1023) / 1024 * 1024;
}

uint64_t differential::tensorBytesOf(const TensorSpec &spec) {
  uint64_t bytes = bytesOf(spec.type) * spec.dims[0];
  if (spec.interleave)
    bytes = 16 * spec.interleave;
  std::vector<uint64_t> strides = stridesOf(spec);
  for (unsigned i = 1; i < spec.dims.size(); ++i)
    bytes += (spec.dims[i] - 1) * strides[i - 1];
  return bytes;
}

static void fillRequest(const TensorSpec &spec,
                        emulator::TensorRequest &request) {
  request.tensorDataType = spec.type;
  request.tensorRank = spec.dims.size();
  request.globalAddress = spec.offset;
  std::copy(spec.dims.begin(), spec.dims.end(), request.globalDim.begin());
  std::vector<uint64_t> strides = stridesOf(spec);
  std::copy(strides.begin(), strides.end(), request.globalStrides.begin());
  std::copy(spec.steps.begin(), spec.steps.end(),
            request.elementStrides.begin());
  request.interleave = spec.interleave;
  request.swizzle = spec.swizzle;
  request.l2Promotion = spec.promotion;
  request.oobFill = spec.fill;
}

TensorMapParam differential::mapOf(const TensorSpec &spec, unsigned buffer) {
  if (spec.isIm2col()) {
    emulator::Im2colRequest request;
    fillRequest(spec, request);
    std::copy(spec.lower.begin(), spec.lower.end(),
              request.pixelBoxLowerCorner.begin());
    std::copy(spec.upper.begin(), spec.upper.end(),
              request.pixelBoxUpperCorner.begin());
    request.channelsPerPixel = spec.channels;
    request.pixelsPerColumn = spec.pixels;
    return {buffer, request};
  }
  emulator::TiledRequest request;
  fillRequest(spec, request);
  std::copy(spec.box.begin(), spec.box.end(), request.boxDim.begin());
  return {buffer, request};
}

std::string differential::loadOpcode(const TensorSpec &spec,
                                     const std::string &mods) {
  return subst("cp.async.bulk.tensor.$0d.$1.global$2"
               ".mbarrier::complete_tx::bytes$3$4",
               {unsigned(spec.dims.size()),
                spec.isCTA ? "shared::cta" : "shared::cluster",
                spec.isIm2col()    ? ".im2col"
                : spec.swizzle % 2 ? ""
                                   : ".tile",
                mods, spec.hint});
}

std::string differential::addressOf(KernelText &kernel, const std::string &map,
                                    const std::vector<int> &place) {
  for (unsigned i = 0; i < place.size(); ++i)
    kernel.add("  mov.b32 %r$0, $1;\n", {80 + i, place[i]});
  return subst("[$0, $1]", {map, vectorOf("%r", 80, place.size())});
}

static std::vector<uint8_t> drawTensor(const TensorSpec &spec, uint64_t bytes,
                                       Random &draw) {
  std::vector<uint8_t> input;
  // Elements near where .tf32 and .ftz look closely, and any others.
  if (spec.type >= TensorF32Ftz) {
    static const uint32_t corners[] = {
        0x00000001, 0x807fffff, 0x00800000, 0x3f800fff, 0x3f801000, 0x3f801001,
        0x3f802fff, 0x3f803000, 0xbf803001, 0x7f7fffff, 0x7f800000, 0xff800000,
        0x7f800001, 0x7fc00000, 0xffc12345, 0x007fffff, 0x007ff000, 0x80000000};
    for (uint64_t i = 0; i < bytes; i += 4)
      appendWord(input, i % 3 ? corners[draw.below(std::size(corners))]
                              : uint32_t(draw.next()));
    return input;
  }
  appendElements(input, Element::U8, Fill::Bits, bytes, draw);
  return input;
}

static std::vector<int> placeOf(const TensorSpec &spec, unsigned index) {
  std::vector<int> place = spec.places[index];
  if (!spec.isUnaligned)
    place[0] &= -int(16 / bytesOf(spec.type));
  return place;
}

static const char *familyOf(const TensorSpec &spec) {
  return spec.isOpen ? "tensor-open" : "tensor";
}

void differential::addTensorLoads(std::vector<Case> &cases,
                                  const TensorSpec &spec) {
  std::string name = "tensor_load." + spec.name;
  Random draw(name);
  uint32_t bytes = boxBytesOf(spec), pitch = boxPitchOf(spec);
  KernelText kernel(64, spec.tileOffset + pitch * unsigned(spec.places.size()) +
                            128);
  kernel.mapAddress("%d0", 0);
  if (!spec.hint.empty())
    kernel.add("  createpolicy.fractional.L2::evict_first.b64 %d2, "
               "0f3F800000;\n");
  kernel.patternTile();
  kernel.barriers({1});
  for (unsigned i = 0; i < spec.places.size(); ++i) {
    std::string address = addressOf(kernel, "%d0", placeOf(spec, i));
    std::string offsets;
    if (spec.isIm2col()) {
      offsets = ", {";
      for (unsigned j = 0; j + 2 < spec.dims.size(); ++j) {
        kernel.add("  mov.b16 %h$0, $1;\n", {j, spec.offsets[i][j]});
        offsets += subst(j ? ", %h$0" : "%h$0", {j});
      }
      offsets += "}";
    }
    kernel.add("  @%first mbarrier.arrive.expect_tx.shared::cta.b64 _, "
               "[%bar0], $0;\n"
               "  @%first $1 [%tile+$2], $3, [%bar0]$4$5;\n",
               {bytes, loadOpcode(spec), spec.tileOffset + pitch * i, address,
                offsets, spec.hint.empty() ? "" : ", %d2"});
    kernel.wait("%bar0", std::to_string(i % 2));
    kernel.add("  bar.sync 0;\n");
  }
  kernel.dumpTile(kernel.tileBytes);
  Case one = makeCase(
      name, familyOf(spec), kernel,
      drawTensor(spec, (spec.offset + tensorBytesOf(spec) + 15) / 16 * 16,
                 draw));
  one.params.push_back(mapOf(spec, 0));
  cases.push_back(std::move(one));
}

void differential::addTensorStores(std::vector<Case> &cases,
                                   const TensorSpec &spec,
                                   const std::string &op) {
  std::string name =
      (op.empty() ? "tensor_store." : "tensor_reduce." + op + ".") + spec.name;
  Random draw(name);
  uint32_t pitch = boxPitchOf(spec);
  uint32_t tileBytes = spec.tileOffset + pitch * unsigned(spec.places.size());
  uint64_t memoryBytes =
      (spec.offset + tensorBytesOf(spec) + 127) / 128 * 128 + 128;
  std::vector<uint8_t> tile, old;
  if (op.empty()) {
    tile = drawTensor(spec, tileBytes, draw);
    old = drawTensor(spec, memoryBytes, draw);
  } else {
    // Whatever meets: the special values in turns.
    std::vector<uint8_t> first, second;
    drawOperands(nameOf(spec.type), 8 * bytesOf(spec.type), draw, first,
                 second);
    while (tile.size() < tileBytes)
      tile.insert(tile.end(), first.begin(), first.end());
    while (old.size() < memoryBytes)
      old.insert(old.end(), second.begin(), second.end());
    tile.resize(tileBytes);
    old.resize(memoryBytes);
  }
  KernelText kernel(64, tileBytes);
  kernel.more = 1;
  kernel.mapAddress("%d0", 0);
  if (!spec.hint.empty())
    kernel.add("  createpolicy.fractional.L2::evict_first.b64 %d2, "
               "0f3F800000;\n");
  kernel.loadTile(tileBytes);
  kernel.fenceTile();
  for (unsigned i = 0; i < spec.places.size(); ++i) {
    std::string address = addressOf(kernel, "%d0", placeOf(spec, i));
    kernel.add("  @%first cp.$0async.bulk.tensor.$1d.global.shared::cta$2$3"
               ".bulk_group$4 $5, [%tile+$6]$7;\n"
               "  cp.async.bulk.commit_group;\n"
               "  cp.async.bulk.wait_group 0;\n",
               {op.empty() ? "" : "reduce.", unsigned(spec.dims.size()),
                op.empty() ? "" : "." + op,
                spec.isIm2col()    ? ".im2col_no_offs"
                : spec.swizzle % 2 ? ""
                                   : ".tile",
                spec.hint, address, spec.tileOffset + pitch * i,
                spec.hint.empty() ? "" : ", %d2"});
  }
  Case one = makeCase(name, familyOf(spec), kernel, std::move(tile));
  one.buffers.push_back({std::move(old), true});
  one.params.push_back(BufferParam{2, 0});
  one.params.push_back(mapOf(spec, 2));
  cases.push_back(std::move(one));
}
