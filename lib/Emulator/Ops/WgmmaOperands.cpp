//===- WgmmaOperands.cpp - The product of one warp of wgmma ---------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA "Asynchronous Warpgroup Level Matrix Multiply-Accumulate
// Instructions"; the layouts and numbers are those of Matrix.
//
//===----------------------------------------------------------------------===//

#include "WgmmaOperands.h"
#include "../Checks/RaceChecker.h"
#include "../Checks/UndefinedMatrix.h"
#include "../Checks/UndefinedValues.h"
#include "../Matrix/Products.h"
#include "../Matrix/Sparsity.h"
#include "llvm/ADT/StringExtras.h"

#include <cstring>

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

namespace {

/// The columns of one B, unpacked.
struct UnpackedColumns {
  uint64_t descriptor = 0;
  Element element = Element::F16;
  Major major = Major::K;
  PackedLines lines;
  FloatColumns floats;
  /// Integers and single bits.
  IntegerColumns words;

  bool isOf(uint64_t otherDescriptor, const WgmmaExtra &extra,
            const PackedLines &gathered) const {
    return descriptor == otherDescriptor && element == extra.b &&
           major == extra.majorB && lines.lines == gathered.lines &&
           lines.words == gathered.words &&
           std::memcmp(lines.word, gathered.word,
                       sizeof(uint32_t) * lines.lines * lines.words) == 0;
  }
};

/// What a host thread keeps between products.
class Workplace {
public:
  PackedLines rows, columns;
  FloatRows floatRows;
  IntegerRows integerRows;
  BitRows bitRows;

  /// B from what `columns` holds.
  const UnpackedColumns &unpack(uint64_t descriptor, const WgmmaExtra &extra) {
    uint64_t hash = descriptor * 0x9e3779b97f4a7c15;
    std::unique_ptr<UnpackedColumns> &place = kept[hash >> 59];
    if (!place)
      place = std::make_unique<UnpackedColumns>();
    if (place->isOf(descriptor, extra, columns))
      return *place;
    place->descriptor = descriptor;
    place->element = extra.b;
    place->major = extra.majorB;
    place->lines.lines = columns.lines;
    place->lines.words = columns.words;
    std::memcpy(place->lines.word, columns.word,
                sizeof(uint32_t) * columns.lines * columns.words);
    switch (extra.accumulator) {
    case WgmmaExtra::Float:
    case WgmmaExtra::Half:
      unpackColumns(extra.b, columns, place->floats);
      break;
    case WgmmaExtra::Integer:
      unpackIntegerColumns(extra.b, columns, place->words);
      break;
    case WgmmaExtra::Bit:
      unpackBitColumns(columns, place->words);
      break;
    }
    return *place;
  }

private:
  std::unique_ptr<UnpackedColumns> kept[32];
};

/// The rows of registers in the frame that issued the instruction.
template <class T> struct FrameRows {
  FrameRows(char *rows, ArrayRef<Slot> slots) {
    for (Slot slot : slots)
      pointers.push_back(reinterpret_cast<T *>(rows + slotOffset(slot)));
  }
  SmallVector<T *, 128> pointers;
};

} // namespace

void WgmmaPart::multiply() {
  if (done)
    return;
  done = true;
  static thread_local std::unique_ptr<Workplace> workplace;
  if (!workplace)
    workplace = std::make_unique<Workplace>();
  Workplace &work = *workplace;

  SharedWindow window{
      reinterpret_cast<const uint8_t *>(warp->cta->shared.data()),
      uint32_t(warp->cta->shared.size()), warp->cta->sharedBegin};
  auto gather = [&](char operand, uint64_t descriptor, Element element,
                    Major major, unsigned firstLine, PackedLines &lines) {
    SharedMatrix matrix(SharedDescriptor::decode(descriptor), element, major);
    std::optional<uint32_t> outside =
        packShared(matrix, firstLine, window, lines);
    if (outside)
      fault(*warp, *inst, 0, "out-of-bounds",
            "the descriptor of " + Twine(operand) + " names shared address 0x" +
                utohexstr(*outside, true) + ", but the CTA has 0x" +
                utohexstr(window.begin, true) + " to 0x" +
                utohexstr(window.size - 1, true));
    return !outside;
  };

  work.rows.reset(16, extra->a, extra->sparse ? extra->k / 2 : extra->k);
  if (!extra->aRegisters.empty())
    packRows(FrameRows<const uint32_t>(rows, extra->aRegisters).pointers.data(),
             16, work.rows);
  else if (!gather('A', descriptorA, extra->a, extra->majorA,
                   firstRowOfWarp(warp->index), work.rows))
    return;
  work.columns.reset(extra->n, extra->b, extra->k);
  if (!gather('B', descriptorB, extra->b, extra->majorB, 0, work.columns))
    return;
  const UnpackedColumns &columns = work.unpack(descriptorB, *extra);

  if (watchesUndefined(*warp))
    followUndefined();

  RowMetadata places;
  if (extra->sparse)
    gatherMetadata(extra->a, extra->k, extra->selector, metadata, places);
  ProductShape shape{16, accumulate};
  switch (extra->accumulator) {
  case WgmmaExtra::Float:
  case WgmmaExtra::Half:
    if (extra->sparse)
      unpackSparseRows(extra->a, work.rows, places, extra->negate,
                       work.floatRows);
    else
      unpackRows(extra->a, work.rows, extra->negate, work.floatRows);
    if (extra->accumulator == WgmmaExtra::Float)
      emulator::multiply(work.floatRows, columns.floats, shape,
                         FrameRows<float>(rows, extra->d).pointers.data());
    else
      multiplyToHalf(work.floatRows, columns.floats, shape,
                     FrameRows<uint32_t>(rows, extra->d).pointers.data());
    break;
  case WgmmaExtra::Integer:
    if (extra->sparse)
      unpackSparseIntegerRows(extra->a, work.rows, places, work.integerRows);
    else
      unpackIntegerRows(extra->a, work.rows, work.integerRows);
    emulator::multiply(work.integerRows, columns.words, shape, extra->saturate,
                       FrameRows<int32_t>(rows, extra->d).pointers.data());
    break;
  case WgmmaExtra::Bit:
    unpackBitRows(work.rows, work.bitRows);
    multiplyBits(work.bitRows, columns.words, shape, BitOperation::And,
                 FrameRows<int32_t>(rows, extra->d).pointers.data());
    break;
  }
}

/// From the rows of A and the columns of B, as the product gathers them.
void WgmmaPart::followUndefined() const {
  const std::vector<char> &shared = warp->cta->sharedUndefined;
  SharedWindow window{reinterpret_cast<const uint8_t *>(shared.data()),
                      uint32_t(shared.size())};
  char *undefined = frame->undefined.data();
  static thread_local PackedLines lines;
  auto gather = [&](uint64_t descriptor, Element element, Major major,
                    unsigned firstLine) {
    packShared(
        SharedMatrix(SharedDescriptor::decode(descriptor), element, major),
        firstLine, window, lines);
    return undefinedLines(lines);
  };
  lines.reset(16, extra->a, extra->sparse ? extra->k / 2 : extra->k);
  LineSet a;
  if (extra->aRegisters.empty()) {
    a = gather(descriptorA, extra->a, extra->majorA,
               firstRowOfWarp(warp->index));
  } else {
    packRows(
        FrameRows<const uint32_t>(undefined, extra->aRegisters).pointers.data(),
        16, lines);
    a = undefinedLines(lines);
  }
  lines.reset(extra->n, extra->b, extra->k);
  LineSet b = gather(descriptorB, extra->b, extra->majorB, 0);
  FrameRows<uint32_t> d(undefined, extra->d);
  if (!accumulate)
    for (uint32_t *row : d.pointers)
      std::memset(row, 0, rowBytes(32));
  if (a.none() && b.none())
    return;
  bool isHalf = extra->accumulator == WgmmaExtra::Half;
  for (unsigned i = 0; i < d.pointers.size() * (isHalf ? 2 : 1); ++i)
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      Place place = placeInD(16, lane, i);
      if (!a[place.row] && !b[place.column])
        continue;
      if (isHalf)
        d.pointers[i / 2][lane] |= 0xffffu << i % 2 * 16;
      else
        d.pointers[i][lane] = ~0u;
    }
  for (Slot slot : extra->d)
    originOf(*frame, slot) = warp->launch->program->sourceOf(*inst).line;
}

void WgmmaPart::watch(RaceChecker &races, AsyncStamp stamp) const {
  std::vector<char> &shared = warp->cta->shared;
  SmallVector<const char *, 0> chunks;
  auto watch = [&](uint64_t descriptor, Element element, Major major,
                   unsigned firstLine, unsigned lines, unsigned k) {
    SharedMatrix matrix(SharedDescriptor::decode(descriptor), element, major);
    matrix.forEachChunk(firstLine, lines, k, [&](uint32_t address) {
      // What is out of bounds is a fault when it is read.
      if (address + 16 <= shared.size())
        chunks.push_back(shared.data() + address);
    });
  };
  if (extra->aRegisters.empty())
    watch(descriptorA, extra->a, extra->majorA, firstRowOfWarp(warp->index), 16,
          extra->sparse ? extra->k / 2 : extra->k);
  watch(descriptorB, extra->b, extra->majorB, 0, extra->n, extra->k);
  races.asyncAccess(*warp, *inst, 0, {stamp}, chunks, 16);
}
