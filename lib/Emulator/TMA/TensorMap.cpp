//===- TensorMap.cpp - Tensor maps as bytes -------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The 128 bytes of a tensor map, little-endian, in one table of offsets that
// encoding, decoding and tensormap.replace share. A mark at the start and one
// at the end tell a map from other bytes and from one copied in part; bytes
// without a meaning are zero and are checked to be.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Emulator/TensorMap.h"
#include "Errors.h"

#include "llvm/Support/ErrorHandling.h"

#include <cstring>

using namespace ptxbench;
using namespace ptxbench::emulator;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;

namespace {
/// A field of one or more equal parts.
struct Slot {
  unsigned offset;
  unsigned bytes;
  unsigned count = 1;

  unsigned end() const { return offset + bytes * count; }
};
} // namespace

static constexpr char startMark[] = {'T', 'M', 'A', 'P'};
static constexpr char endMark[] = {'P', 'A', 'M', 'T'};

static constexpr Slot modeSlot = {4, 1};
static constexpr Slot typeSlot = {5, 1};
static constexpr Slot interleaveSlot = {6, 1};
static constexpr Slot swizzleSlot = {7, 1};
static constexpr Slot fillSlot = {8, 1};
static constexpr Slot promotionSlot = {9, 1};
/// One less than the rank, as in the operand of tensormap.replace.
static constexpr Slot rankSlot = {10, 1};
static constexpr Slot strideOfElementsSlot = {11, 1, maxTensorRank};
static constexpr Slot addressSlot = {16, 8};
/// A dimension is at most 2^32, a stride less than 2^40.
static constexpr Slot dimSlot = {24, 5, maxTensorRank};
static constexpr Slot strideSlot = {49, 5, maxTensorRank - 1};
static constexpr Slot boxSlot = {70, 2, maxTensorRank};
static constexpr Slot lowerSlot = {80, 2, 3};
static constexpr Slot upperSlot = {86, 2, 3};
static constexpr Slot channelsSlot = {92, 2};
static constexpr Slot pixelsSlot = {94, 2};
static constexpr Slot endSlot = {124, 4};

static uint64_t get(const uint8_t *map, Slot slot, unsigned index = 0) {
  const uint8_t *from = map + slot.offset + index * slot.bytes;
  uint64_t value = 0;
  for (unsigned i = slot.bytes; i-- > 0;)
    value = value << 8 | from[i];
  return value;
}

static void put(uint8_t *map, Slot slot, unsigned index, uint64_t value) {
  uint8_t *to = map + slot.offset + index * slot.bytes;
  for (unsigned i = 0; i < slot.bytes; ++i)
    to[i] = uint8_t(value >> 8 * i);
}

static bool fits(Slot slot, uint64_t value) {
  return slot.bytes == 8 || value >> 8 * slot.bytes == 0;
}

unsigned emulator::elementBytes(TensorElementType type) {
  switch (type) {
  case TensorElementType::U8:
    return 1;
  case TensorElementType::U16:
  case TensorElementType::F16:
  case TensorElementType::BF16:
    return 2;
  case TensorElementType::U32:
  case TensorElementType::S32:
  case TensorElementType::F32:
  case TensorElementType::F32Ftz:
  case TensorElementType::TF32:
  case TensorElementType::TF32Ftz:
    return 4;
  case TensorElementType::U64:
  case TensorElementType::S64:
  case TensorElementType::F64:
    return 8;
  }
  llvm_unreachable("not an element type");
}

bool emulator::isFloatingPoint(TensorElementType type) {
  return type >= TensorElementType::F16;
}

unsigned emulator::swizzleSpan(TensorSwizzle swizzle) {
  switch (swizzle) {
  case TensorSwizzle::None:
    return 0;
  case TensorSwizzle::Bytes32:
    return 32;
  case TensorSwizzle::Bytes64:
    return 64;
  case TensorSwizzle::Bytes128:
  case TensorSwizzle::Bytes128Atom32:
  case TensorSwizzle::Bytes128Atom32Flip8:
  case TensorSwizzle::Bytes128Atom64:
    return 128;
  }
  llvm_unreachable("not a swizzle");
}

std::array<uint8_t, tensorMapBytes> TensorMap::encode() const {
  std::array<uint8_t, tensorMapBytes> bytes{};
  uint8_t *map = bytes.data();
  std::memcpy(map, startMark, sizeof(startMark));
  std::memcpy(map + endSlot.offset, endMark, sizeof(endMark));
  put(map, modeSlot, 0, uint64_t(mode));
  put(map, typeSlot, 0, uint64_t(elementType));
  put(map, interleaveSlot, 0, uint64_t(interleave));
  put(map, swizzleSlot, 0, uint64_t(swizzle));
  put(map, fillSlot, 0, uint64_t(fill));
  put(map, promotionSlot, 0, l2Promotion);
  put(map, rankSlot, 0, rank - 1);
  put(map, addressSlot, 0, globalAddress);
  for (unsigned i = 0; i < maxTensorRank; ++i) {
    put(map, dimSlot, i, globalDim[i]);
    put(map, boxSlot, i, boxDim[i]);
    put(map, strideOfElementsSlot, i, elementStrides[i]);
  }
  for (unsigned i = 0; i < maxTensorRank - 1; ++i)
    put(map, strideSlot, i, globalStrides[i]);
  for (unsigned i = 0; i < 3; ++i) {
    put(map, lowerSlot, i, uint64_t(lowerCorner[i]));
    put(map, upperSlot, i, uint64_t(upperCorner[i]));
  }
  put(map, channelsSlot, 0, channelsPerPixel);
  put(map, pixelsSlot, 0, pixelsPerColumn);
  return bytes;
}

/// Checks all that no sequence of replacements can bring about.
static Error checkForm(ArrayRef<uint8_t> bytes) {
  if (bytes.size() != tensorMapBytes)
    return formatError("a tensor map has {0} bytes but got {1}", tensorMapBytes,
                       bytes.size());
  const uint8_t *map = bytes.data();
  if (std::memcmp(map, startMark, sizeof(startMark)))
    return formatError("these bytes are not a tensor map: no mark at byte 0");
  if (std::memcmp(map + endSlot.offset, endMark, sizeof(endMark)))
    return formatError(
        "these bytes are not a whole tensor map: no mark at byte {0}",
        endSlot.offset);
  const std::pair<Slot, uint64_t> largest[] = {
      {modeSlot, uint64_t(TensorMap::Mode::Im2col)},
      {typeSlot, uint64_t(TensorElementType::TF32Ftz)},
      {interleaveSlot, uint64_t(TensorInterleave::Bytes32)},
      {swizzleSlot, uint64_t(TensorSwizzle::Bytes128Atom64)},
      {fillSlot, uint64_t(TensorFill::NaN)},
      {promotionSlot, 3},
      {rankSlot, maxTensorRank - 1}};
  for (const auto &[slot, limit] : largest)
    if (get(map, slot) > limit)
      return formatError(
          "these bytes are not a tensor map: byte {0} is {1}, at "
          "most {2} has a meaning",
          slot.offset, get(map, slot), limit);
  const std::pair<unsigned, unsigned> unused[] = {
      {strideSlot.end(), boxSlot.offset}, {pixelsSlot.end(), endSlot.offset}};
  for (const auto &[from, to] : unused)
    for (unsigned i = from; i < to; ++i)
      if (map[i])
        return formatError(
            "these bytes are not a tensor map: byte {0} is {1}, not 0", i,
            unsigned(map[i]));
  return Error::success();
}

Expected<TensorMap> TensorMap::decode(ArrayRef<uint8_t> bytes) {
  if (Error failure = checkForm(bytes))
    return Expected<TensorMap>(std::move(failure));
  const uint8_t *map = bytes.data();
  TensorMap result;
  result.mode = Mode(get(map, modeSlot));
  result.elementType = TensorElementType(get(map, typeSlot));
  result.interleave = TensorInterleave(get(map, interleaveSlot));
  result.swizzle = TensorSwizzle(get(map, swizzleSlot));
  result.fill = TensorFill(get(map, fillSlot));
  result.l2Promotion = uint8_t(get(map, promotionSlot));
  result.rank = uint32_t(get(map, rankSlot) + 1);
  result.globalAddress = get(map, addressSlot);
  for (unsigned i = 0; i < maxTensorRank; ++i) {
    result.globalDim[i] = get(map, dimSlot, i);
    result.boxDim[i] = uint32_t(get(map, boxSlot, i));
    result.elementStrides[i] = uint32_t(get(map, strideOfElementsSlot, i));
  }
  for (unsigned i = 0; i < maxTensorRank - 1; ++i)
    result.globalStrides[i] = get(map, strideSlot, i);
  for (unsigned i = 0; i < 3; ++i) {
    result.lowerCorner[i] = int16_t(get(map, lowerSlot, i));
    result.upperCorner[i] = int16_t(get(map, upperSlot, i));
  }
  result.channelsPerPixel = uint32_t(get(map, channelsSlot));
  result.pixelsPerColumn = uint32_t(get(map, pixelsSlot));
  return result;
}

namespace {
/// How tensormap.replace writes a field.
struct FieldForm {
  const char *name;
  Slot slot;
  /// The largest value with a meaning, or 0 for what the slot holds.
  uint64_t largest;
};
} // namespace

/// "Data Movement and Conversion Instructions: tensormap.replace", with the
/// values of its table of `new_val` that sm_90a has.
static FieldForm fieldForm(TensorMapField field) {
  switch (field) {
  case TensorMapField::GlobalAddress:
    return {"global_address", addressSlot, 0};
  case TensorMapField::Rank:
    return {"rank", rankSlot, maxTensorRank - 1};
  case TensorMapField::BoxDim:
    return {"box_dim", boxSlot, 0};
  case TensorMapField::GlobalDim:
    return {"global_dim", dimSlot, 0};
  case TensorMapField::GlobalStride:
    return {"global_stride", strideSlot, 0};
  case TensorMapField::ElementStride:
    return {"element_stride", strideOfElementsSlot, 0};
  case TensorMapField::ElementType:
    return {"elemtype", typeSlot, uint64_t(TensorElementType::TF32Ftz)};
  case TensorMapField::InterleaveLayout:
    return {"interleave_layout", interleaveSlot,
            uint64_t(TensorInterleave::Bytes32)};
  case TensorMapField::SwizzleMode:
    return {"swizzle_mode", swizzleSlot, uint64_t(TensorSwizzle::Bytes128)};
  case TensorMapField::FillMode:
    return {"fill_mode", fillSlot, uint64_t(TensorFill::NaN)};
  }
  llvm_unreachable("not a field of a tensor map");
}

Error emulator::replaceField(llvm::MutableArrayRef<uint8_t> bytes,
                             TensorMapField field, unsigned ordinal,
                             uint64_t value) {
  if (Error failure = checkForm(bytes))
    return failure;
  FieldForm form = fieldForm(field);
  if (get(bytes.data(), modeSlot) != uint64_t(TensorMap::Mode::Tiled))
    return formatError(
        "tensormap.replace.tile.{0}: expected a tensor map of tiled "
        "mode but got one of im2col mode",
        form.name);
  if (form.slot.count == 1)
    ordinal = 0;
  if (ordinal >= form.slot.count)
    return formatError(
        "tensormap.replace.tile.{0}: expected an ordinal of at most "
        "{1} but got {2}",
        form.name, form.slot.count - 1, ordinal);
  uint64_t largest = form.largest;
  if (!largest)
    largest = ~uint64_t(0) >> (64 - 8 * form.slot.bytes);
  if (value > largest || !fits(form.slot, value))
    return formatError(
        "tensormap.replace.tile.{0}: expected at most {1} but got {2}",
        form.name, largest, value);
  put(bytes.data(), form.slot, ordinal, value);
  return Error::success();
}
