//===- TensorMap.h - Tensor maps of the emulator ----------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tensor map ("Tensor-map" in the PTX ISA) as a struct, and as the 128
// bytes that a program carries around. The hardware's bytes are opaque, so
// these are our own: a program that copies a map as a whole, or changes it by
// tensormap.replace, cannot tell. Requests have the arguments of
// cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col, with the numbers of
// cuda.h, and are refused by the rules that cuda.h states for them.
//
// A map may break a rule between two tensormap.replace; so replacing checks
// only what the field can hold, and `verify` is for whoever uses the map.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_EMULATOR_TENSORMAP_H
#define PTXBENCH_EMULATOR_TENSORMAP_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <array>
#include <cstdint>

namespace ptxbench::emulator {

/// Bytes of a tensor map in memory, and the alignment they need.
constexpr unsigned tensorMapBytes = 128;
constexpr unsigned tensorMapAlignment = 64;
constexpr unsigned maxTensorRank = 5;

/// Types of the elements of a tensor, in the order of `.elemtype` of
/// tensormap.replace (which is not the order of CUtensorMapDataType). The
/// packed types of less than a byte do not exist on sm_90.
enum class TensorElementType : uint8_t {
  U8,
  U16,
  U32,
  S32,
  U64,
  S64,
  F16,
  F32,
  F32Ftz,
  F64,
  BF16,
  TF32,
  TF32Ftz
};

/// Bytes of an element: 1, 2, 4 or 8.
unsigned elementBytes(TensorElementType type);
/// True for the types that the fill with NaN is defined for.
bool isFloatingPoint(TensorElementType type);

enum class TensorInterleave : uint8_t { None, Bytes16, Bytes32 };

/// "Swizzling Modes" with their atomicity, in the order of
/// CUtensorMapSwizzle; the first four are also `.swizzle_mode`.
enum class TensorSwizzle : uint8_t {
  None,
  Bytes32,
  Bytes64,
  Bytes128,
  Bytes128Atom32,
  Bytes128Atom32Flip8,
  Bytes128Atom64
};

/// Bytes within which a swizzle moves data; 0 without one.
unsigned swizzleSpan(TensorSwizzle swizzle);

enum class TensorFill : uint8_t { Zero, NaN };

/// A tensor map. Arrays go from the innermost dimension outward.
struct TensorMap {
  enum class Mode : uint8_t { Tiled, Im2col };

  Mode mode = Mode::Tiled;
  TensorElementType elementType = TensorElementType::U8;
  TensorInterleave interleave = TensorInterleave::None;
  TensorSwizzle swizzle = TensorSwizzle::None;
  TensorFill fill = TensorFill::Zero;
  /// A hint to the caches, kept and otherwise unused: 0..3.
  uint8_t l2Promotion = 0;
  uint32_t rank = 1;
  uint64_t globalAddress = 0;
  /// Elements along each dimension.
  std::array<uint64_t, maxTensorRank> globalDim{};
  /// Bytes from one element to the next along dimensions 1, 2, ...
  std::array<uint64_t, maxTensorRank - 1> globalStrides{};
  /// Tiled mode: elements that the box spans along each dimension.
  std::array<uint32_t, maxTensorRank> boxDim{};
  std::array<uint32_t, maxTensorRank> elementStrides{};
  /// Im2col mode: the corners of the bounding box along W, H, D, and the
  /// elements along C and along the unrolled N, D, H, W.
  std::array<int32_t, 3> lowerCorner{};
  std::array<int32_t, 3> upperCorner{};
  uint32_t channelsPerPixel = 0;
  uint32_t pixelsPerColumn = 0;

  /// Dimensions of the bounding box in im2col mode.
  unsigned spatialRank() const { return rank - 2; }

  /// What the encoding functions refuse, as an error that names the field.
  llvm::Error verify() const;

  std::array<uint8_t, tensorMapBytes> encode() const;
  /// Fails where the bytes are not those of `encode`.
  static llvm::Expected<TensorMap> decode(llvm::ArrayRef<uint8_t> bytes);
};

/// What both encoding functions take; enumerators are those of cuda.h.
struct TensorRequest {
  /// Where the map is to be written.
  uint64_t tensorMapAddress = 0;
  uint32_t tensorDataType = 0;
  uint32_t tensorRank = 1;
  uint64_t globalAddress = 0;
  std::array<uint64_t, maxTensorRank> globalDim{};
  std::array<uint64_t, maxTensorRank - 1> globalStrides{};
  std::array<uint32_t, maxTensorRank> elementStrides{1, 1, 1, 1, 1};
  uint32_t interleave = 0;
  uint32_t swizzle = 0;
  uint32_t l2Promotion = 0;
  uint32_t oobFill = 0;
  /// Ten times the compute capability of the device: swizzles with atoms of
  /// 32 and 64 bytes came with 100.
  unsigned computeCapability = 90;
};

/// The arguments of cuTensorMapEncodeTiled.
struct TiledRequest : TensorRequest {
  std::array<uint32_t, maxTensorRank> boxDim{};
};

/// The arguments of cuTensorMapEncodeIm2col.
struct Im2colRequest : TensorRequest {
  std::array<int32_t, 3> pixelBoxLowerCorner{};
  std::array<int32_t, 3> pixelBoxUpperCorner{};
  uint32_t channelsPerPixel = 0;
  uint32_t pixelsPerColumn = 0;
};

llvm::Expected<TensorMap> encodeTiled(const TiledRequest &request);
llvm::Expected<TensorMap> encodeIm2col(const Im2colRequest &request);

/// The fields of tensormap.replace on sm_90a.
enum class TensorMapField : uint8_t {
  GlobalAddress,
  Rank,
  BoxDim,
  GlobalDim,
  GlobalStride,
  ElementStride,
  ElementType,
  InterleaveLayout,
  SwizzleMode,
  FillMode
};

/// `tensormap.replace.tile.field`: writes `value` into the encoded map
/// `bytes`. `ordinal` is the operand `ord` where the field has one, else
/// unused. Fails, and changes nothing, where the bytes are no tiled map or
/// the field cannot hold the value.
llvm::Error replaceField(llvm::MutableArrayRef<uint8_t> bytes,
                         TensorMapField field, unsigned ordinal,
                         uint64_t value);

} // namespace ptxbench::emulator

#endif // PTXBENCH_EMULATOR_TENSORMAP_H
