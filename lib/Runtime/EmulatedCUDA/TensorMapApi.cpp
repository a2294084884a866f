//===- TensorMapApi.cpp - cuTensorMap* ------------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hands the arguments to the emulator's own tensor maps.
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"
#include "ptxbench/Emulator/TensorMap.h"

#include <cstring>
#include <cuda.h>

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulated;

namespace {

/// What both encoders take. False where an array or the rank cannot be read.
bool take(emulator::TensorRequest &request, CUtensorMap *map,
          CUtensorMapDataType type, cuuint32_t rank, void *address,
          const cuuint64_t *dims, const cuuint64_t *strides,
          const cuuint32_t *elementStrides, CUtensorMapInterleave interleave,
          CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
          CUtensorMapFloatOOBfill fill) {
  request.tensorMapAddress = reinterpret_cast<uint64_t>(map);
  request.tensorDataType = uint32_t(type);
  request.tensorRank = rank;
  request.globalAddress = reinterpret_cast<uint64_t>(address);
  request.interleave = uint32_t(interleave);
  request.swizzle = uint32_t(swizzle);
  request.l2Promotion = uint32_t(promotion);
  request.oobFill = uint32_t(fill);
  request.computeCapability = Runtime::get().model().computeCapability();
  if (rank == 0 || rank > emulator::maxTensorRank || !map || !dims ||
      (rank > 1 && !strides) || !elementStrides)
    return false;
  std::copy_n(dims, rank, request.globalDim.begin());
  if (rank > 1)
    std::copy_n(strides, rank - 1, request.globalStrides.begin());
  std::copy_n(elementStrides, rank, request.elementStrides.begin());
  return true;
}

CUresult finish(CUtensorMap *map, Expected<emulator::TensorMap> encoded,
                const char *function) {
  if (!encoded) {
    say(Twine(function) + ": " + toString(encoded.takeError()));
    return CUDA_ERROR_INVALID_VALUE;
  }
  auto bytes = encoded->encode();
  static_assert(sizeof(CUtensorMap) == emulator::tensorMapBytes);
  std::memcpy(map, bytes.data(), bytes.size());
  return CUDA_SUCCESS;
}

CUresult refuseArguments(const char *function) {
  say(Twine(function) + ": expected a rank from 1 to 5 and arrays of it");
  return CUDA_ERROR_INVALID_VALUE;
}

} // namespace

extern "C" {

CUresult cuTensorMapEncodeTiled(
    CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address,
    const cuuint64_t *dims, const cuuint64_t *strides, const cuuint32_t *box,
    const cuuint32_t *elementStrides, CUtensorMapInterleave interleave,
    CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
    CUtensorMapFloatOOBfill fill) {
  emulator::TiledRequest request;
  if (!take(request, map, type, rank, address, dims, strides, elementStrides,
            interleave, swizzle, promotion, fill) ||
      !box)
    return refuseArguments("cuTensorMapEncodeTiled");
  std::copy_n(box, rank, request.boxDim.begin());
  return finish(map, emulator::encodeTiled(request), "cuTensorMapEncodeTiled");
}

CUresult cuTensorMapEncodeIm2col(
    CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address,
    const cuuint64_t *dims, const cuuint64_t *strides, const int *lower,
    const int *upper, cuuint32_t channels, cuuint32_t pixels,
    const cuuint32_t *elementStrides, CUtensorMapInterleave interleave,
    CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
    CUtensorMapFloatOOBfill fill) {
  emulator::Im2colRequest request;
  if (!take(request, map, type, rank, address, dims, strides, elementStrides,
            interleave, swizzle, promotion, fill) ||
      rank < 3 || !lower || !upper)
    return refuseArguments("cuTensorMapEncodeIm2col");
  std::copy_n(lower, rank - 2, request.pixelBoxLowerCorner.begin());
  std::copy_n(upper, rank - 2, request.pixelBoxUpperCorner.begin());
  request.channelsPerPixel = channels;
  request.pixelsPerColumn = pixels;
  return finish(map, emulator::encodeIm2col(request),
                "cuTensorMapEncodeIm2col");
}

CUresult cuTensorMapReplaceAddress(CUtensorMap *map, void *address) {
  if (!map)
    return refuseArguments("cuTensorMapReplaceAddress");
  Expected<emulator::TensorMap> decoded = emulator::TensorMap::decode(
      ArrayRef(reinterpret_cast<const uint8_t *>(map), sizeof(*map)));
  if (decoded) {
    decoded->globalAddress = reinterpret_cast<uint64_t>(address);
    if (Error error = decoded->verify())
      return finish(map, std::move(error), "cuTensorMapReplaceAddress");
  }
  return finish(map, std::move(decoded), "cuTensorMapReplaceAddress");
}

} // extern "C"
