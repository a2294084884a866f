//===- BoxWalk.h - Boxes of tensors as runs of bytes ------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What cp.async.bulk.tensor and cp.reduce.async.bulk.tensor move: the box of a
// tensor map at given coordinates, as runs of bytes that are contiguous both in
// global and in shared memory, in the order of the shared memory before the
// swizzle. Runs are as long as the two layouts allow. Each byte of the box is
// in exactly one run; a run out of bounds has no global address and is a fill
// for a load and nothing for a store.
//
// In tiled mode ("Tiled Mode") the box is walked dimension by dimension. In
// im2col mode ("Im2col mode") the pixels are walked from the base that the
// coordinates give, through the bounding box, W first and N last, back to the
// lower corner where a dimension is through; the offsets are added to each
// pixel.
//
// Rows of a box follow each other without a gap, but under a swizzle each
// begins a span of its own: an H200 leaves what is behind a shorter row alone.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_TMA_BOXWALK_H
#define PTXBENCH_LIB_EMULATOR_TMA_BOXWALK_H

#include "Swizzle.h"

#include <algorithm>
#include <cstring>

namespace ptxbench::emulator {

/// The coordinates of a tensor instruction, innermost dimension first, and its
/// im2col offsets along W, H, D.
struct TensorCoordinates {
  std::array<int32_t, maxTensorRank> at{};
  std::array<uint16_t, 3> offsets{};
};

/// The ways a tensor instruction uses a map.
enum class TensorAccess : uint8_t {
  Load,     ///< global to shared, also prefetch
  Store,    ///< shared to global
  Reduction ///< shared to global, with an operation
};

/// The qualifier `.load_mode`.
enum class TensorLoadMode : uint8_t {
  Tile,
  Im2col,
  Im2colNoOffs,
  Im2colW,
  Im2colW128,
  TileGather4,
  TileScatter4
};

/// A contiguous piece of a box.
struct TensorRun {
  /// Meaningless out of bounds.
  uint64_t globalAddress;
  /// After the swizzle.
  uint32_t sharedAddress;
  uint32_t bytes;
  bool inBounds;
};

/// Alignment of the shared-memory operand of a tensor instruction.
constexpr uint32_t tensorSharedAlignment = 128;

/// Checks the map and the operands of an instruction with `.dim` of `rank`;
/// `forEachRun` takes only what passes. The error names the operand.
llvm::Error checkTensorAccess(const TensorMap &map, TensorAccess access,
                              TensorLoadMode mode, unsigned rank,
                              const TensorCoordinates &coordinates,
                              uint32_t sharedAddress);

/// Bytes of the box in shared memory, those out of bounds included: what
/// complete-tx counts, per destination CTA, and an mbarrier has to expect.
uint64_t boxBytes(const TensorMap &map);
/// Bytes of a row of the box, and from one row to the next in shared memory.
uint32_t boxRowBytes(const TensorMap &map);
inline uint32_t boxRowPitch(const TensorMap &map) {
  return std::max<uint32_t>(boxRowBytes(map), swizzleSpan(map.swizzle));
}

/// Copies the bytes of a run, which under a swizzle are few multiples of 16.
inline void copyRun(uint8_t *to, const uint8_t *from, uint32_t bytes) {
  if (bytes % 16 || bytes > sharedLineBytes) {
    std::memcpy(to, from, bytes);
    return;
  }
  for (uint32_t i = 0; i < bytes; i += 16)
    std::memcpy(to + i, from + i, 16);
}

/// True if a load changes elements on their way: `.tf32` rounds. An H200 leaves
/// `.f32.ftz` as it is.
inline bool convertsOnLoad(TensorElementType type) {
  return type >= TensorElementType::TF32;
}

namespace detail {
void convertRun(TensorElementType type, uint8_t *shared, const uint8_t *global,
                uint32_t bytes);
void fillRun(const TensorMap &map, uint8_t *shared, uint32_t bytes);
} // namespace detail

/// Carries a run out for a load: copies `global`, converted as the element type
/// wants it, or fills. `shared` and `global` are the run's two places; `global`
/// is unused out of bounds.
inline void loadRun(const TensorMap &map, const TensorRun &run, uint8_t *shared,
                    const uint8_t *global) {
  if (!run.inBounds)
    detail::fillRun(map, shared, run.bytes);
  else if (convertsOnLoad(map.elementType))
    detail::convertRun(map.elementType, shared, global, run.bytes);
  else
    copyRun(shared, global, run.bytes);
}

/// Bits of an element out of bounds.
uint64_t fillBits(const TensorMap &map);

namespace detail {

/// Joins what is contiguous, splits at what the swizzle exchanges.
template <class F> class RunWriter {
public:
  RunWriter(TensorSwizzle swizzle, F &run) : pattern(swizzle), run(run) {}

  /// `shared` is before the swizzle.
  void write(uint64_t global, uint32_t shared, uint32_t bytes, bool inBounds) {
    uint32_t span = pattern.spanBytes();
    if (!span)
      return join({global, shared, bytes, inBounds});
    while (bytes) {
      uint32_t exchange = pattern.exchange(shared);
      uint32_t piece = exchange ? exchange & -exchange : sharedLineBytes;
      uint32_t step = std::min(bytes, piece - (shared & (piece - 1)));
      if (!inBounds && !(shared & (span - 1)) && bytes >= span) {
        // The permutation of a fill is the same fill.
        step = bytes & ~(span - 1);
        exchange = 0;
      }
      join({global, shared ^ exchange, step, inBounds});
      global += step;
      shared += step;
      bytes -= step;
    }
  }

  void finish() {
    if (pending.bytes)
      run(static_cast<const TensorRun &>(pending));
    pending.bytes = 0;
  }

private:
  void join(const TensorRun &next) {
    if (pending.inBounds == next.inBounds &&
        pending.sharedAddress + pending.bytes == next.sharedAddress &&
        (!next.inBounds ||
         pending.globalAddress + pending.bytes == next.globalAddress)) {
      pending.bytes += next.bytes;
      return;
    }
    finish();
    pending = next;
  }

  SwizzlePattern pattern;
  F &run;
  TensorRun pending = {0, 0, 0, false};
};

/// The innermost dimension of a box: how many bytes lie before, in and behind
/// the tensor, and where the first byte of the box would be.
struct InnerExtent {
  uint32_t before, inside, behind;
  int64_t offset;

  InnerExtent(const TensorMap &map, int64_t first, uint32_t elements) {
    uint32_t size = elementBytes(map.elementType);
    int64_t dim = int64_t(map.globalDim[0]);
    int64_t low = std::clamp<int64_t>(-first, 0, elements);
    int64_t high = std::clamp<int64_t>(dim - first, low, elements);
    before = uint32_t(low) * size;
    inside = uint32_t(high - low) * size;
    behind = (elements - uint32_t(high)) * size;
    offset = first * int64_t(size);
  }

  uint32_t bytes() const { return before + inside + behind; }

  /// Writes one row whose element 0 is at `row`.
  template <class W>
  void write(W &writer, uint64_t row, uint32_t shared) const {
    if (before)
      writer.write(0, shared, before, false);
    if (inside)
      writer.write(row + uint64_t(offset) + before, shared + before, inside,
                   true);
    if (behind)
      writer.write(0, shared + before + inside, behind, false);
  }
};

/// "Traversal-Stride": elements that a box has along dimension `i`. The first
/// dimension has no stride without an interleave.
inline uint32_t boxElements(const TensorMap &map, unsigned i) {
  if (i == 0)
    return map.boxDim[0];
  return (map.boxDim[i] + map.elementStrides[i] - 1) / map.elementStrides[i];
}

template <class W>
void walkTile(const TensorMap &map, const TensorCoordinates &coordinates,
              uint32_t shared, W &writer) {
  InnerExtent inner(map, coordinates.at[0], boxElements(map, 0));
  uint32_t rowBytes = inner.bytes();
  // Dimensions above the rank have one element, which is in bounds.
  std::array<uint32_t, maxTensorRank> count{1, 1, 1, 1, 1};
  std::array<int64_t, maxTensorRank> at{}, step{}, dim{1, 1, 1, 1, 1};
  std::array<uint64_t, maxTensorRank> stride{};
  for (unsigned i = 1; i < map.rank; ++i) {
    count[i] = boxElements(map, i);
    at[i] = coordinates.at[i];
    step[i] = map.elementStrides[i];
    dim[i] = int64_t(map.globalDim[i]);
    stride[i] = map.globalStrides[i - 1];
  }
  uint32_t pitch = boxRowPitch(map), slabBytes = count[1] * pitch;
  for (uint32_t i4 = 0; i4 < count[4]; ++i4) {
    int64_t c4 = at[4] + i4 * step[4];
    bool in4 = c4 >= 0 && c4 < dim[4];
    for (uint32_t i3 = 0; i3 < count[3]; ++i3) {
      int64_t c3 = at[3] + i3 * step[3];
      bool in3 = in4 && c3 >= 0 && c3 < dim[3];
      for (uint32_t i2 = 0; i2 < count[2]; ++i2, shared += slabBytes) {
        int64_t c2 = at[2] + i2 * step[2];
        bool in2 = in3 && c2 >= 0 && c2 < dim[2] && inner.inside;
        if (!in2 && pitch == rowBytes) {
          writer.write(0, shared, slabBytes, false);
          continue;
        }
        uint64_t slab = map.globalAddress + uint64_t(c2) * stride[2] +
                        uint64_t(c3) * stride[3] + uint64_t(c4) * stride[4];
        uint32_t row = shared;
        for (uint32_t i1 = 0; i1 < count[1]; ++i1, row += pitch) {
          int64_t c1 = at[1] + i1 * step[1];
          if (in2 && c1 >= 0 && c1 < dim[1])
            inner.write(writer, slab + uint64_t(c1) * stride[1], row);
          else
            writer.write(0, row, rowBytes, false);
        }
      }
    }
  }
}

template <class W>
void walkIm2col(const TensorMap &map, const TensorCoordinates &coordinates,
                uint32_t shared, W &writer) {
  InnerExtent inner(map, coordinates.at[0], map.channelsPerPixel);
  uint32_t rowBytes = inner.bytes(), pitch = boxRowPitch(map);
  unsigned spatial = map.spatialRank();
  // W, H, D and at last N, whose box has no end.
  std::array<int64_t, 4> at{}, lower{}, upper{};
  for (unsigned i = 0; i < spatial; ++i) {
    at[i] = coordinates.at[i + 1];
    lower[i] = map.lowerCorner[i];
    upper[i] = int64_t(map.globalDim[i + 1]) - 1 + map.upperCorner[i];
  }
  at[spatial] = coordinates.at[spatial + 1];
  for (uint32_t i = 0; i < map.pixelsPerColumn; ++i, shared += pitch) {
    uint64_t row = map.globalAddress;
    bool inBounds = inner.inside != 0;
    for (unsigned d = 0; d <= spatial; ++d) {
      int64_t c = at[d] + (d < spatial ? coordinates.offsets[d] : 0);
      inBounds &= c >= 0 && c < int64_t(map.globalDim[d + 1]);
      row += uint64_t(c) * map.globalStrides[d];
    }
    if (inBounds)
      inner.write(writer, row, shared);
    else
      writer.write(0, shared, rowBytes, false);
    unsigned d = 0;
    for (; d < spatial; ++d) {
      at[d] += map.elementStrides[d + 1];
      if (at[d] <= upper[d])
        break;
      at[d] = lower[d];
    }
    if (d == spatial)
      at[spatial] += map.elementStrides[spatial + 1];
  }
}

} // namespace detail

/// Calls `run` with each `TensorRun` of the box; `checkTensorAccess` must have
/// passed.
template <class F>
void forEachRun(const TensorMap &map, const TensorCoordinates &coordinates,
                uint32_t sharedAddress, F run) {
  detail::RunWriter<F> writer(map.swizzle, run);
  if (map.mode == TensorMap::Mode::Tiled)
    detail::walkTile(map, coordinates, sharedAddress, writer);
  else
    detail::walkIm2col(map, coordinates, sharedAddress, writer);
  writer.finish();
}

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_TMA_BOXWALK_H
