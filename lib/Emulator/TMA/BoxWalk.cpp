//===- BoxWalk.cpp - Operands and data of tensor copies -------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What has to hold for the operands of a tensor copy, from "Restriction on
// Tensor Copy instructions" and the sections of the two modes, and what a load
// writes: elements as they are, elements that the type of the map converts on
// the way, and the fill.
//
//===----------------------------------------------------------------------===//

#include "BoxWalk.h"
#include "../Numerics/Convert.h"
#include "Errors.h"

#include "llvm/Support/ErrorHandling.h"

#include <cstring>

using namespace ptxbench;
using namespace ptxbench::emulator;
using llvm::Error;

/// Shared memory that a CTA of sm_90 can have.
static constexpr uint64_t maxSharedBytes = 227 * 1024;

uint64_t emulator::boxBytes(const TensorMap &map) {
  uint64_t elements = 1;
  if (map.mode == TensorMap::Mode::Im2col)
    elements = uint64_t(map.channelsPerPixel) * map.pixelsPerColumn;
  else
    for (unsigned i = 0; i < map.rank; ++i)
      elements *= detail::boxElements(map, i);
  return elements * elementBytes(map.elementType);
}

uint32_t emulator::boxRowBytes(const TensorMap &map) {
  uint32_t elements = map.mode == TensorMap::Mode::Im2col
                          ? map.channelsPerPixel
                          : detail::boxElements(map, 0);
  return elements * elementBytes(map.elementType);
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

static Error checkMode(const TensorMap &map, TensorAccess access,
                       TensorLoadMode mode) {
  bool load = access == TensorAccess::Load;
  bool wantsTiled = false;
  switch (mode) {
  case TensorLoadMode::Tile:
    wantsTiled = true;
    break;
  case TensorLoadMode::Im2col:
    if (!load)
      return formatError(".im2col: expected a load, a store takes "
                         ".im2col_no_offs");
    break;
  case TensorLoadMode::Im2colNoOffs:
    if (load)
      return formatError(".im2col_no_offs: expected a store, a load takes "
                         ".im2col");
    break;
  case TensorLoadMode::Im2colW:
  case TensorLoadMode::Im2colW128:
    return formatError(".im2col::w: needs sm_100");
  case TensorLoadMode::TileGather4:
  case TensorLoadMode::TileScatter4:
    return formatError(".tile::gather4 and .tile::scatter4: need sm_100");
  }
  if (wantsTiled != (map.mode == TensorMap::Mode::Tiled))
    return formatError("tensorMap: expected a map of {0} mode",
                       wantsTiled ? "tiled" : "im2col");
  return Error::success();
}

/// Offsets of im2col mode have 16, 8 and 5 bits for 1, 2 and 3 dimensions.
static Error checkIm2colOperands(const TensorMap &map, TensorAccess access,
                                 const TensorCoordinates &coordinates) {
  static const uint32_t limits[] = {0xffff, 0xff, 0x1f};
  unsigned spatial = map.spatialRank();
  for (unsigned i = 0; i < spatial; ++i) {
    int64_t low = map.lowerCorner[i];
    int64_t high = int64_t(map.globalDim[i + 1]) - 1 + map.upperCorner[i];
    int64_t at = coordinates.at[i + 1];
    if (at < low || at > high)
      return formatError("tensorCoords[{0}]: expected a place in the bounding "
                         "box, {1} to {2}, but got {3}",
                         i + 1, low, high, at);
    if (coordinates.offsets[i] > limits[spatial - 1])
      return formatError("im2colOffsets[{0}]: expected at most {1} but got {2}",
                         i, limits[spatial - 1], coordinates.offsets[i]);
    if (access == TensorAccess::Load)
      continue;
    if (coordinates.offsets[i])
      return formatError("im2colOffsets[{0}]: a store has none but got {1}", i,
                         coordinates.offsets[i]);
    if (low < 0)
      return formatError("pixelBoxLowerCorner[{0}]: expected at least 0 for a "
                         "store but got {1}",
                         i, low);
    if (map.upperCorner[i] > 0)
      return formatError("pixelBoxUpperCorner[{0}]: expected at most 0 for a "
                         "store but got {1}",
                         i, map.upperCorner[i]);
  }
  return Error::success();
}

Error emulator::checkTensorAccess(const TensorMap &map, TensorAccess access,
                                  TensorLoadMode mode, unsigned rank,
                                  const TensorCoordinates &coordinates,
                                  uint32_t sharedAddress) {
  if (Error failure = checkMode(map, access, mode))
    return failure;
  if (Error failure = map.verify())
    return failure;
  if (rank != map.rank)
    return formatError("tensorMap: expected a map of rank {0} but got one of "
                       "rank {1}",
                       rank, map.rank);
  if (map.interleave != TensorInterleave::None)
    return formatError("tensorMap: copies with an interleave are not emulated, "
                       "the ISA does not say where the slices are");
  if (sharedAddress % tensorSharedAlignment)
    return formatError("shared memory operand: expected a multiple of {0} but "
                       "got {1:x}",
                       tensorSharedAlignment, sharedAddress);
  // No rule of the ISA; an H200 takes it for an illegal instruction.
  int64_t inner = int64_t(coordinates.at[0]) * elementBytes(map.elementType);
  if (inner % 16)
    return formatError(
        "tensorCoords[0]: expected a multiple of 16 bytes, as an "
        "H200 does, but got {0}",
        inner);
  if (boxBytes(map) > maxSharedBytes)
    return formatError("tensorMap: expected a box of at most {0} bytes, which "
                       "fits shared memory, but got {1}",
                       maxSharedBytes, boxBytes(map));
  if (access != TensorAccess::Load) {
    if (map.swizzle == TensorSwizzle::Bytes128Atom32Flip8)
      return formatError("tensorMap: expected a load for a swizzle that flips "
                         "8 bytes");
    for (unsigned i = 0; i < rank; ++i)
      if (coordinates.at[i] < 0)
        return formatError("tensorCoords[{0}]: expected at least 0 for a store "
                           "but got {1}",
                           i, coordinates.at[i]);
  }
  if (map.mode == TensorMap::Mode::Im2col)
    return checkIm2colOperands(map, access, coordinates);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

/// "Out of Boundary Access". The ISA does not give the bits of the special NaN;
/// an H200 fills with 0x7ff7 throughout, whatever the type.
uint64_t emulator::fillBits(const TensorMap &map) {
  if (map.fill == TensorFill::Zero)
    return 0;
  return kOutOfBoundsNaN * uint64_t(0x0001000100010001);
}

void detail::fillRun(const TensorMap &map, uint8_t *shared, uint32_t bytes) {
  uint64_t bits = fillBits(map);
  if (!bits) {
    std::memset(shared, 0, bytes);
    return;
  }
  unsigned size = elementBytes(map.elementType);
  for (uint32_t i = 0; i < bytes; i += size)
    std::memcpy(shared + i, &bits, size);
}

void detail::convertRun(TensorElementType type, uint8_t *shared,
                        const uint8_t *global, uint32_t bytes) {
  for (uint32_t i = 0; i < bytes; i += 4) {
    uint32_t bits;
    std::memcpy(&bits, global + i, 4);
    bits = cvtTF32<Rounding::RN, /*RELU=*/false, /*SATFINITE=*/false>(
        asFloat(bits));
    // What is rounded to the least normal number is none to flush.
    if (type == TensorElementType::TF32Ftz)
      bits = bitsOf(flush</*FTZ=*/true>(asFloat(bits)));
    std::memcpy(shared + i, &bits, 4);
  }
}
