//===- TensorText.h - Kernels around tensor copies --------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tensor map with the places at which boxes are loaded, stored or reduced.
// Shared memory is filled with a pattern before, and is a result as the copies
// leave it; so is the memory around a tensor that is stored to.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_UTILS_DIFFERENTIAL_TENSORTEXT_H
#define PTXBENCH_UTILS_DIFFERENTIAL_TENSORTEXT_H

#include "MatrixText.h"

namespace ptxbench::differential {

/// Numbers of CUtensorMapDataType.
enum TensorType : unsigned {
  TensorU8,
  TensorU16,
  TensorU32,
  TensorS32,
  TensorU64,
  TensorS64,
  TensorF16,
  TensorF32,
  TensorF64,
  TensorBF16,
  TensorF32Ftz,
  TensorTF32,
  TensorTF32Ftz,
  TensorTypes
};
const char *nameOf(TensorType type);
unsigned bytesOf(TensorType type);

struct TensorSpec {
  std::string name;
  TensorType type = TensorU16;
  std::vector<uint64_t> dims;
  /// Elements that a box spans; in im2col mode empty.
  std::vector<uint32_t> box;
  /// Where boxes are. The first coordinate is rounded down to a multiple of 16
  /// bytes, without which an H200 faults, unless `isUnaligned`.
  std::vector<std::vector<int>> places;
  bool isUnaligned = false;
  /// In bytes, of the second dimension and the following; empty: elements lie
  /// next to each other, rows at multiples of 16 bytes.
  std::vector<uint64_t> strides;
  /// Every so manieth element is loaded; empty: each.
  std::vector<uint32_t> steps;
  unsigned swizzle = 0, interleave = 0, fill = 0, promotion = 0;
  /// Of the tensor in its buffer, of the first box in the tile.
  uint64_t offset = 0;
  uint32_t tileOffset = 0;
  /// In im2col mode.
  std::vector<int> lower, upper;
  uint32_t channels = 0, pixels = 0;
  /// Of im2col mode, one for each place.
  std::vector<std::vector<int>> offsets;
  /// Behind the opcode: ".tile", "" and more.
  std::string hint;
  bool isCTA = false;
  /// What the ISA leaves open, or forbids: the family has a name of its own.
  bool isOpen = false;

  bool isIm2col() const { return channels != 0; }
};

std::vector<uint64_t> stridesOf(const TensorSpec &spec);
/// What a copy of a box completes.
uint32_t boxBytesOf(const TensorSpec &spec);
/// Bytes between boxes in the tile.
uint32_t boxPitchOf(const TensorSpec &spec);
/// The bytes from the first to the last element.
uint64_t tensorBytesOf(const TensorSpec &spec);
TensorMapParam mapOf(const TensorSpec &spec, unsigned buffer);
/// "cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::...".
std::string loadOpcode(const TensorSpec &spec, const std::string &mods = "");
/// "[%d0, {1, 2}]" in registers that `kernel` sets to `place`.
std::string addressOf(KernelText &kernel, const std::string &map,
                      const std::vector<int> &place);

/// Loads a box at each place, behind each other.
void addTensorLoads(std::vector<Case> &cases, const TensorSpec &spec);
/// Stores boxes, or reduces with `op`, one after the other.
void addTensorStores(std::vector<Case> &cases, const TensorSpec &spec,
                     const std::string &op = "");

/// Cases that addTensorCases has, too.
void addTileLoads(std::vector<Case> &cases);
void addTileStores(std::vector<Case> &cases);
void addIm2colCases(std::vector<Case> &cases);
void addInterleavedCases(std::vector<Case> &cases);
void addTensorMapCases(std::vector<Case> &cases);

} // namespace ptxbench::differential

#endif // PTXBENCH_UTILS_DIFFERENTIAL_TENSORTEXT_H
