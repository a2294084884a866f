//===- Panels.cpp - Operands laid out for the products --------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lines are expanded to plain numbers along K, then spread to the lanes (A) or
// transposed (B).
//
//===----------------------------------------------------------------------===//

#include "Panels.h"
#include "HostKernels.h"
#include "Transpose.h"
#include <cassert>

using namespace ptxbench::emulator;

namespace {

/// Converts the elements of a line, which is whole chunks of 16 bytes.
template <typename Storage, typename Out, typename Convert>
inline void expand(const uint32_t *words, unsigned count, Out *out,
                   Convert convert) {
  constexpr unsigned chunk = 16 / sizeof(Storage);
  for (unsigned first = 0; first != count; first += chunk, words += 4) {
    // A number of elements that is known vectorises.
    Storage part[chunk];
    std::memcpy(part, words, sizeof part);
    for (unsigned i = 0; i != chunk; ++i)
      out[first + i] = convert(part[i]);
  }
}

/// Converts `count` elements of lines that follow each other.
void expandFloats(Element element, const uint32_t *words, unsigned count,
                  float *out) {
  const HostKernels &kernels = hostKernels();
  switch (element) {
  case Element::F16:
    return kernels.half(words, count, out);
  case Element::BF16:
    return kernels.bfloat(words, count, out);
  case Element::TF32:
    return kernels.tf32(words, count, out);
  case Element::E4M3:
    return kernels.e4m3(words, count, out);
  case Element::E5M2:
    return kernels.e5m2(words, count, out);
  default:
    assert(false && "not a floating-point element of a float panel");
  }
}

void flipSigns(float *values, unsigned count) {
  for (unsigned i = 0; i != count; ++i)
    values[i] = -values[i];
}

void expandIntegers(Element element, const uint32_t *words, unsigned count,
                    int16_t *out) {
  switch (element) {
  case Element::S8:
    return expand<int8_t>(words, count, out,
                          [](int8_t value) { return int16_t(value); });
  case Element::U8:
    return expand<uint8_t>(words, count, out,
                           [](uint8_t value) { return int16_t(value); });
  case Element::S4:
    for (unsigned i = 0; i != count; ++i)
      out[i] = int32_t(words[i / 8] << (28 - i % 8 * 4)) >> 28;
    return;
  case Element::U4:
    for (unsigned i = 0; i != count; ++i)
      out[i] = words[i / 8] >> i % 8 * 4 & 15;
    return;
  default:
    assert(false && "not an integer element");
  }
}

/// Elements of a line, and of one of floating-point ones.
constexpr unsigned maxElements = 128;
constexpr unsigned maxFloats = 64;

unsigned elementsOf(Element element, const PackedLines &lines) {
  unsigned count = lines.words * 32 / bitsOf(element);
  assert(count <= maxElements);
  return count;
}

/// Gives the four lanes of a row `value`.
template <typename T>
inline void spread(T (&lanes)[laneCount], unsigned row, T value) {
  typedef T Four __attribute__((vector_size(4 * sizeof(T))));
  Four four = {value, value, value, value};
  std::memcpy(lanes + row * 4, &four, sizeof four);
}

/// Writes element i of each of four lines, which are `step` apart, to
/// `target + i * stride`, for four elements.
inline void transposeLines(const void *lines, unsigned step, void *target,
                           unsigned stride) {
  FourWords line[4];
  for (unsigned i = 0; i != 4; ++i)
    std::memcpy(&line[i], static_cast<const char *>(lines) + i * step * 4,
                sizeof line[i]);
  transposeFour(line, target, stride);
}

/// Where the kept elements of one row of a sparse A stand: `out[i]` is the
/// place along K of element i. PTX ISA, "Sparse matrix storage": of four
/// elements two are kept, of two tf32 elements one, and of four pairs of
/// integers of 4 bits two.
void positions(Element element, uint64_t metadata, unsigned count,
               unsigned *out) {
  for (unsigned i = 0; i != count; ++i) {
    if (element == Element::TF32) {
      // 0b0100 is the first, 0b1110 the second of the two.
      out[i] = i * 2 + (metadata >> i * 4 >> 1 & 1);
      continue;
    }
    unsigned pair = element == Element::S4 || element == Element::U4 ? 2 : 1;
    unsigned unit = i / pair;
    unsigned place = unit / 2 * 4 + (metadata >> unit * 2 & 3);
    out[i] = place * pair + i % pair;
  }
}

} // namespace

void ptxbench::emulator::unpackRows(Element element, const PackedLines &lines,
                                    bool negate, FloatRows &out) {
  out.k = elementsOf(element, lines);
  out.sparse = false;
  alignas(64) float values[16 * maxFloats];
  expandFloats(element, lines.word, lines.lines * out.k, values);
  if (negate)
    flipSigns(values, lines.lines * out.k);
  for (unsigned row = 0; row != lines.lines; ++row)
    for (unsigned k = 0; k != out.k; ++k)
      spread(out.value[k][row / 8], row % 8, values[row * out.k + k]);
}

void ptxbench::emulator::unpackSparseRows(Element element,
                                          const PackedLines &lines,
                                          const RowMetadata &metadata,
                                          bool negate, FloatRows &out) {
  unsigned kept = elementsOf(element, lines);
  out.k = kept * 2;
  out.sparse = true;
  std::memset(out.mask, 0, sizeof out.mask);
  std::memset(out.value, 0, sizeof out.value[0] * out.k);
  alignas(64) float values[16 * maxFloats];
  expandFloats(element, lines.word, lines.lines * kept, values);
  if (negate)
    flipSigns(values, lines.lines * kept);
  for (unsigned row = 0; row != lines.lines; ++row) {
    unsigned places[maxElements];
    positions(element, metadata[row], kept, places);
    for (unsigned i = 0; i != kept; ++i) {
      spread(out.value[places[i]][row / 8], row % 8, values[row * kept + i]);
      out.mask[places[i]][row / 8] |= 0xfu << row % 8 * 4;
    }
  }
}

void ptxbench::emulator::unpackColumns(Element element,
                                       const PackedLines &lines,
                                       FloatColumns &out) {
  unsigned count = elementsOf(element, lines);
  out.reset(count, lines.lines);
  for (unsigned block = 0; block != lines.lines; block += 8) {
    alignas(64) float values[8 * maxFloats];
    expandFloats(element, lines.line(block), 8 * count, values);
    for (unsigned k = 0; k != count; k += 4) {
      // The even columns, then the odd ones.
      float *target = out.value.data() + k * out.n + block;
      transposeLines(values + k, 2 * count, target, out.n);
      transposeLines(values + count + k, 2 * count, target + 4, out.n);
    }
  }
}

static uint32_t pairOf(const int16_t *values, unsigned index) {
  return uint16_t(values[index * 2]) | uint32_t(uint16_t(values[index * 2 + 1]))
                                           << 16;
}

void ptxbench::emulator::unpackIntegerRows(Element element,
                                           const PackedLines &lines,
                                           IntegerRows &out) {
  out.k = elementsOf(element, lines) / 2;
  out.sparse = false;
  for (unsigned row = 0; row != lines.lines; ++row) {
    int16_t values[maxElements];
    expandIntegers(element, lines.line(row), out.k * 2, values);
    for (unsigned k = 0; k != out.k; ++k)
      spread(out.value[k][row / 8], row % 8, pairOf(values, k));
  }
}

void ptxbench::emulator::unpackSparseIntegerRows(Element element,
                                                 const PackedLines &lines,
                                                 const RowMetadata &metadata,
                                                 IntegerRows &out) {
  unsigned kept = elementsOf(element, lines);
  out.k = kept;
  out.sparse = false;
  for (unsigned row = 0; row != lines.lines; ++row) {
    int16_t values[maxElements];
    int16_t dense[maxElements] = {};
    unsigned places[maxElements];
    expandIntegers(element, lines.line(row), kept, values);
    positions(element, metadata[row], kept, places);
    for (unsigned i = 0; i != kept; ++i)
      dense[places[i]] = values[i];
    for (unsigned k = 0; k != out.k; ++k)
      spread(out.value[k][row / 8], row % 8, pairOf(dense, k));
  }
}

void ptxbench::emulator::unpackIntegerColumns(Element element,
                                              const PackedLines &lines,
                                              IntegerColumns &out) {
  unsigned count = elementsOf(element, lines);
  out.reset(count / 2, lines.lines);
  for (unsigned column = 0; column != lines.lines; ++column) {
    int16_t values[maxElements];
    expandIntegers(element, lines.line(column), count, values);
    for (unsigned k = 0; k != out.k; ++k)
      out.value[k * out.n + IntegerColumns::slot(column)] = pairOf(values, k);
  }
}

void ptxbench::emulator::unpackBitRows(const PackedLines &lines, BitRows &out) {
  out.k = lines.words;
  out.sparse = false;
  for (unsigned row = 0; row != lines.lines; ++row)
    for (unsigned k = 0; k != out.k; ++k)
      spread(out.value[k][row / 8], row % 8, lines.line(row)[k]);
}

void ptxbench::emulator::unpackBitColumns(const PackedLines &lines,
                                          BitColumns &out) {
  out.reset(lines.words, lines.lines);
  for (unsigned column = 0; column != lines.lines; ++column)
    for (unsigned k = 0; k != out.k; ++k)
      out.value[k * out.n + BitColumns::slot(column)] = lines.line(column)[k];
}

void ptxbench::emulator::unpackDoubleRows(const double *const *registers,
                                          unsigned rows, unsigned k,
                                          DoubleRows &out) {
  out.k = k;
  out.sparse = false;
  for (unsigned index = 0; index != rows * k / laneCount; ++index)
    for (unsigned lane = 0; lane != laneCount; ++lane) {
      Place place = placeInA(Element::F64, rows, lane, index);
      spread(out.value[place.column][place.row / 8], place.row % 8,
             registers[index][lane]);
    }
}

void ptxbench::emulator::unpackDoubleColumns(const double *const *registers,
                                             unsigned k, DoubleColumns &out) {
  out.reset(k, 8);
  for (unsigned index = 0; index != k / 4; ++index)
    for (unsigned lane = 0; lane != laneCount; ++lane) {
      Place place = placeInB(Element::F64, lane, index);
      out.value[place.row * 8 + DoubleColumns::slot(place.column)] =
          registers[index][lane];
    }
}
