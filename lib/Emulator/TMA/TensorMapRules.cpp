//===- TensorMapRules.cpp - What a tensor map must obey -------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules that cuda.h states for cuTensorMapEncodeTiled and
// cuTensorMapEncodeIm2col, each as an error that names the argument, in the
// order in which they stand there. That a stride covers the dimension below it
// is how cuda.h computes strides, not a rule: permuted and overlapping tensors
// are in use.
//
//===----------------------------------------------------------------------===//

#include "Errors.h"
#include "ptxbench/Emulator/TensorMap.h"

using namespace ptxbench;
using namespace ptxbench::emulator;
using llvm::Error;
using llvm::Expected;

static Error checkRange(const char *name, unsigned index, int64_t value,
                        int64_t least, int64_t most) {
  if (value >= least && value <= most)
    return Error::success();
  return formatError("{0}[{1}]: expected {2} to {3} but got {4}", name, index,
                     least, most, value);
}

static Error checkRange(const char *name, uint64_t value, uint64_t least,
                        uint64_t most) {
  if (value >= least && value <= most)
    return Error::success();
  return formatError("{0}: expected {1} to {2} but got {3}", name, least, most,
                     value);
}

//===----------------------------------------------------------------------===//
// Rules of both modes
//===----------------------------------------------------------------------===//

static Error checkGlobal(const TensorMap &map) {
  unsigned alignment = map.interleave == TensorInterleave::Bytes32 ? 32 : 16;
  const char *why = alignment == 32 ? " with an interleave of 32 bytes" : "";
  if (map.globalAddress % alignment)
    return formatError(
        "globalAddress: expected a multiple of {0}{1} but got {2:x}", alignment,
        why, map.globalAddress);
  for (unsigned i = 0; i < map.rank; ++i)
    if (Error failure =
            checkRange("globalDim", i, map.globalDim[i], 1, int64_t(1) << 32))
      return failure;
  for (unsigned i = 0; i + 1 < map.rank; ++i) {
    uint64_t stride = map.globalStrides[i];
    if (stride % alignment)
      return formatError(
          "globalStrides[{0}]: expected a multiple of {1}{2} but got "
          "{3}",
          i, alignment, why, stride);
    if (stride >> 40)
      return formatError(
          "globalStrides[{0}]: expected less than 2^40 but got {1}", i, stride);
  }
  return Error::success();
}

/// The first stride is unused without an interleave.
static Error checkElementStrides(const TensorMap &map) {
  unsigned first = map.interleave == TensorInterleave::None ? 1 : 0;
  for (unsigned i = first; i < map.rank; ++i)
    if (Error failure =
            checkRange("elementStrides", i, map.elementStrides[i], 1, 8))
      return failure;
  return Error::success();
}

/// `inner` elements, given by the argument `name`, lie next to each other in
/// shared memory.
static Error checkInner(const TensorMap &map, const char *name,
                        uint64_t inner) {
  uint64_t bytes = inner * elementBytes(map.elementType);
  if (map.interleave == TensorInterleave::None) {
    if (bytes % 16)
      return formatError("{0}: expected a multiple of 16 bytes but got {1}",
                         name, bytes);
    unsigned span = swizzleSpan(map.swizzle);
    if (span && bytes > span)
      return formatError(
          "{0}: expected at most the {1} bytes of the swizzle but got "
          "{2}",
          name, span, bytes);
  }
  if (map.interleave == TensorInterleave::Bytes32 &&
      map.swizzle != TensorSwizzle::Bytes32)
    return formatError("swizzle: expected the swizzle of 32 bytes, which an "
                       "interleave of 32 bytes needs");
  return Error::success();
}

static Error checkFill(const TensorMap &map) {
  if (map.fill == TensorFill::NaN && !isFloatingPoint(map.elementType))
    return formatError(
        "oobFill: expected a floating-point type for a fill with NaN");
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Rules of one mode
//===----------------------------------------------------------------------===//

static Error checkTiled(const TensorMap &map) {
  for (unsigned i = 0; i < map.rank; ++i)
    if (Error failure = checkRange("boxDim", i, map.boxDim[i], 1, 256))
      return failure;
  return checkInner(map, "boxDim[0]", map.boxDim[0]);
}

static Error checkIm2col(const TensorMap &map) {
  // Signed numbers of 16, 8 and 5 bits for 1, 2 and 3 dimensions.
  const int limits[] = {32768, 128, 16};
  unsigned spatial = map.spatialRank();
  int limit = limits[spatial - 1];
  for (unsigned i = 0; i < spatial; ++i) {
    if (Error failure = checkRange("pixelBoxLowerCorner", i, map.lowerCorner[i],
                                   -limit, limit - 1))
      return failure;
    if (Error failure = checkRange("pixelBoxUpperCorner", i, map.upperCorner[i],
                                   -limit, limit - 1))
      return failure;
    int64_t extent =
        int64_t(map.globalDim[i + 1]) + map.upperCorner[i] - map.lowerCorner[i];
    if (extent < 1)
      return formatError(
          "pixelBoxUpperCorner[{0}]: expected a bounding box with "
          "pixels in it but its extent is {1}",
          i, extent);
  }
  if (Error failure =
          checkRange("channelsPerPixel", map.channelsPerPixel, 1, 256))
    return failure;
  if (Error failure =
          checkRange("pixelsPerColumn", map.pixelsPerColumn, 1, 1024))
    return failure;
  return checkInner(map, "channelsPerPixel", map.channelsPerPixel);
}

Error TensorMap::verify() const {
  bool tiled = mode == Mode::Tiled;
  bool interleaved = interleave != TensorInterleave::None;
  unsigned least = tiled && !interleaved ? 1 : 3;
  if (Error failure = checkRange("tensorRank", rank, least, maxTensorRank))
    return failure;
  if (Error failure = checkGlobal(*this))
    return failure;
  if (Error failure = tiled ? checkTiled(*this) : checkIm2col(*this))
    return failure;
  if (Error failure = checkElementStrides(*this))
    return failure;
  return checkFill(*this);
}

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

/// The types in the order of CUtensorMapDataType.
static constexpr TensorElementType driverTypes[] = {
    TensorElementType::U8,     TensorElementType::U16,
    TensorElementType::U32,    TensorElementType::S32,
    TensorElementType::U64,    TensorElementType::S64,
    TensorElementType::F16,    TensorElementType::F32,
    TensorElementType::F64,    TensorElementType::BF16,
    TensorElementType::F32Ftz, TensorElementType::TF32,
    TensorElementType::TF32Ftz};
/// CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B, the last of the packed types.
static constexpr unsigned lastDriverType = 15;

/// What is left for a request besides the rules of `verify`.
static Error checkRequest(const TensorRequest &request) {
  if (request.tensorMapAddress % tensorMapAlignment)
    return formatError("tensorMap: expected an address that is a multiple of "
                       "{0} but got {1:x}",
                       tensorMapAlignment, request.tensorMapAddress);
  const struct {
    const char *name;
    uint32_t value, most;
  } enumerators[] = {{"tensorDataType", request.tensorDataType, lastDriverType},
                     {"interleave", request.interleave, 2},
                     {"swizzle", request.swizzle, 6},
                     {"l2Promotion", request.l2Promotion, 3},
                     {"oobFill", request.oobFill, 1}};
  for (const auto &enumerator : enumerators)
    if (Error failure =
            checkRange(enumerator.name, enumerator.value, 0, enumerator.most))
      return failure;
  if (request.tensorDataType >= std::size(driverTypes))
    return formatError("tensorDataType: {0} is a packed type, which sm_90 does "
                       "not have",
                       request.tensorDataType);
  if (request.swizzle > unsigned(TensorSwizzle::Bytes128) &&
      request.computeCapability < 100)
    return formatError("swizzle: {0} has an atom of 32 or 64 bytes, which "
                       "needs compute capability 10.0 but got {1}.{2}",
                       request.swizzle, request.computeCapability / 10,
                       request.computeCapability % 10);
  return Error::success();
}

/// The common part of a map from a request that `checkRequest` passed.
static TensorMap readRequest(const TensorRequest &request,
                             TensorMap::Mode mode) {
  TensorMap map;
  map.mode = mode;
  map.elementType = driverTypes[request.tensorDataType];
  map.interleave = TensorInterleave(request.interleave);
  map.swizzle = TensorSwizzle(request.swizzle);
  map.fill = TensorFill(request.oobFill);
  map.l2Promotion = uint8_t(request.l2Promotion);
  map.rank = request.tensorRank;
  map.globalAddress = request.globalAddress;
  map.globalDim = request.globalDim;
  map.globalStrides = request.globalStrides;
  map.elementStrides = request.elementStrides;
  return map;
}

/// What lies above the rank, and a stride that is not used, is not checked; so
/// it must not reach the bytes of the map either.
static void dropUnused(TensorMap &map) {
  if (map.interleave == TensorInterleave::None)
    map.elementStrides[0] = 1;
  for (unsigned i = map.rank; i < maxTensorRank; ++i) {
    map.globalDim[i] = 0;
    map.boxDim[i] = 0;
    map.elementStrides[i] = 1;
    map.globalStrides[i - 1] = 0;
  }
  unsigned spatial = map.mode == TensorMap::Mode::Im2col ? map.rank - 2 : 0;
  for (unsigned i = spatial; i < 3; ++i)
    map.lowerCorner[i] = map.upperCorner[i] = 0;
}

/// The map, if it obeys the rules.
static Expected<TensorMap> finish(TensorMap map) {
  if (Error failure = map.verify())
    return Expected<TensorMap>(std::move(failure));
  dropUnused(map);
  return map;
}

Expected<TensorMap> emulator::encodeTiled(const TiledRequest &request) {
  if (Error failure = checkRequest(request))
    return Expected<TensorMap>(std::move(failure));
  TensorMap map = readRequest(request, TensorMap::Mode::Tiled);
  map.boxDim = request.boxDim;
  return finish(map);
}

Expected<TensorMap> emulator::encodeIm2col(const Im2colRequest &request) {
  if (Error failure = checkRequest(request))
    return Expected<TensorMap>(std::move(failure));
  TensorMap map = readRequest(request, TensorMap::Mode::Im2col);
  map.lowerCorner = request.pixelBoxLowerCorner;
  map.upperCorner = request.pixelBoxUpperCorner;
  map.channelsPerPixel = request.channelsPerPixel;
  map.pixelsPerColumn = request.pixelsPerColumn;
  return finish(map);
}
