//===- WgmmaAccumulation.cpp - Cases of how sums are rounded --------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ISA leaves the order and the rounding of the sums of `wgmma` and `mma`
// open. Here each row of A times each column of B is a sum that tells something
// about them: large addends that cancel next to small ones say how many bits
// below the largest one are kept, wide ranges and long fractions say where an
// instruction begins anew. Results are kept whole, so that a recording can be
// held against any model.
//
//===----------------------------------------------------------------------===//

#include "WgmmaText.h"

#include <cmath>
#include <cstring>

using namespace ptxbench;
using namespace ptxbench::differential;

namespace {

/// Ways of choosing the elements of a row of A, of a column of B, and C.
enum class Sums : uint8_t {
  /// One large addend, its opposite, and small ones of one bit.
  Cancel,
  /// The same, where the large one is in C.
  CancelC,
  /// One large and many equal small addends.
  OneLarge,
  /// Signs alternate, magnitudes are near each other.
  Alternate,
  /// All bits, exponents over the range of the type.
  Range,
  /// All bits, exponents within four.
  Near,
};

constexpr const char *sumNames[] = {"cancel",    "cancel_c", "one_large",
                                    "alternate", "range",    "near"};

struct Ranges {
  /// Exponents of the type's elements that products of two and their sums
  /// may have in f32.
  int low, high;
  unsigned fractionBits;
};

} // namespace

static Ranges rangesOf(Element element) {
  switch (element) {
  case Element::F16:
    return {-14, 14, 10};
  case Element::E4M3:
    return {-6, 7, 3};
  case Element::E5M2:
    return {-14, 14, 2};
  case Element::BF16:
    return {-16, 16, 7};
  default:
    return {-16, 16, 10};
  }
}

static double power(int exponent) { return std::ldexp(1, exponent); }

static double drawFraction(unsigned bits, Random &draw) {
  return 1 + double(draw.below(1u << bits)) / (1u << bits);
}
static double drawSign(Random &draw) { return draw.next() & 1 ? -1 : 1; }

/// The elements of one row of A.
static std::vector<double> drawRow(Sums sums, Element element, unsigned k,
                                   Random &draw) {
  Ranges ranges = rangesOf(element);
  std::vector<double> row(k);
  int range = ranges.high - ranges.low;
  switch (sums) {
  case Sums::Cancel:
  case Sums::OneLarge: {
    unsigned first = draw.below(k), second = draw.below(k);
    int small = ranges.low + int(draw.below(range));
    unsigned few = sums == Sums::Cancel ? 1 + draw.below(3) : k;
    for (unsigned i = 0; i < few; ++i)
      row[sums == Sums::Cancel ? draw.below(k) : i] = power(small);
    row[first] = power(ranges.high);
    if (sums == Sums::Cancel && second != first)
      row[second] = -row[first];
    break;
  }
  case Sums::CancelC: {
    int small = ranges.low + int(draw.below(range));
    for (unsigned i = 0, few = 1 + draw.below(3); i < few; ++i)
      row[draw.below(k)] = power(small) * drawSign(draw);
    row[draw.below(k)] = -power(ranges.high);
    break;
  }
  case Sums::Alternate:
    for (unsigned i = 0; i < k; ++i)
      row[i] = drawFraction(ranges.fractionBits, draw) * (i % 2 ? -1 : 1);
    break;
  case Sums::Range:
    for (double &value : row)
      value = drawFraction(ranges.fractionBits, draw) * drawSign(draw) *
              power(ranges.low + int(draw.below(range)));
    break;
  case Sums::Near:
    for (double &value : row)
      value = drawFraction(ranges.fractionBits, draw) * drawSign(draw) *
              power(int(draw.below(4)) - 2);
    break;
  }
  return row;
}

/// The elements of a column of B.
static std::vector<double> drawColumn(Sums sums, Element element, unsigned k,
                                      unsigned column, Random &draw) {
  std::vector<double> values(k, 1);
  Ranges ranges = rangesOf(element);
  for (double &value : values) {
    if (sums == Sums::Range || sums == Sums::Near || sums == Sums::Alternate)
      value = drawFraction(ranges.fractionBits, draw);
    else if (column % 2)
      // Some addends are smaller still; the large ones still cancel if both
      // are or neither is.
      value = draw.below(4) ? 1 : power(-3);
  }
  return values;
}

static double drawAddend(Sums sums, Element element, bool isHalf,
                         Random &draw) {
  Ranges ranges = rangesOf(element);
  // Sums of halves stay below 2^16.
  int high = isHalf ? std::min(ranges.high, 14) : ranges.high;
  switch (sums) {
  case Sums::Cancel:
  case Sums::OneLarge:
    return draw.next() & 1 ? 0 : power(ranges.low + int(draw.below(8)));
  case Sums::CancelC:
    return power(high);
  case Sums::Range:
    return drawFraction(isHalf ? 10 : 23, draw) * drawSign(draw) *
           power(int(draw.below(high + 8)) - 8);
  default:
    return drawFraction(isHalf ? 10 : 23, draw) * drawSign(draw) *
           power(int(draw.below(6)) - 3);
  }
}

/// 64 rows by 8 columns; lines of 16 bytes lie next to each other, eight are an
/// atom, atoms along K are 128 bytes apart.
static void addSums(std::vector<Case> &cases, Element element, Element d,
                    Sums sums) {
  WgmmaSpec spec;
  spec.n = 8;
  spec.a = spec.b = element;
  spec.d = d;
  unsigned bits = bitsOf(element), k = depthOf(spec);
  std::string name = subst("wgmma_sums.$0.$1.$2", {nameOf(d), nameOf(element),
                                                   sumNames[unsigned(sums)]});
  Random draw(name);
  bool isHalf = d == Element::F16;

  auto place = [&](unsigned line, unsigned index) {
    unsigned byte = index * bits / 8;
    return line / 8 * 256 + byte / 16 * 128 + line % 8 * 16 + byte % 16;
  };
  constexpr uint32_t bytesA = 64 * 32, bytesB = 8 * 32;
  std::vector<uint8_t> input(bytesA + bytesB);
  auto put = [&](uint32_t at, Element element, double value) {
    uint64_t word = encodeElement(element, value);
    std::memcpy(&input[at], &word, bitsOf(element) / 8);
  };
  std::vector<std::vector<double>> rows, columns;
  for (unsigned i = 0; i < 64; ++i)
    rows.push_back(drawRow(sums, element, k, draw));
  for (unsigned i = 0; i < 8; ++i)
    columns.push_back(drawColumn(sums, element, k, i, draw));
  for (unsigned i = 0; i < k; ++i) {
    for (unsigned row = 0; row < 64; ++row)
      put(place(row, i), element, rows[row][i]);
    for (unsigned column = 0; column < 8; ++column)
      put(bytesA + place(column, i), element, columns[column][i]);
  }
  double largest = 0;
  for (const std::vector<double> &row : rows)
    for (const std::vector<double> &column : columns) {
      double sum = 0;
      for (unsigned i = 0; i < k; ++i)
        sum += std::fabs(row[i] * column[i]);
      largest = std::max(largest, sum);
    }
  double largestAddend = 0;
  for (unsigned i = 0; i < 512; ++i) {
    double addend = drawAddend(sums, element, isHalf, draw);
    largestAddend = std::max(largestAddend, std::fabs(addend));
    uint32_t word = isHalf ? 0 : uint32_t(encodeElement(Element::F32, addend));
    if (isHalf) {
      if (i % 2)
        continue;
      word = uint32_t(encodeElement(Element::F16, addend));
      word |= uint32_t(encodeElement(Element::F16,
                                     drawAddend(sums, element, isHalf, draw)))
              << 16;
    }
    appendWord(input, word);
  }

  KernelText kernel(128, bytesA + bytesB);
  kernel.loadTile(bytesA + bytesB);
  unsigned count = accumulatorCount(spec);
  kernel.loadWords("%acc", 0, count, bytesA + bytesB);
  if (!isHalf)
    for (unsigned i = 0; i < count; ++i)
      kernel.add("  mov.b32 %f$0, %acc$0;\n", {i});
  SharedLayout layout{0, 128, 256};
  makeDescriptor(kernel, "%d0", layout, 0);
  makeDescriptor(kernel, "%d1", layout, bytesA);
  kernel.fenceTile();
  kernel.add("  wgmma.fence.sync.aligned;\n"
             "  $0 $1, %d0, %d1, 1, 1, 1$2;\n"
             "  wgmma.commit_group.sync.aligned;\n"
             "  wgmma.wait_group.sync.aligned 0;\n",
             {opcodeOf(spec), vectorOf(accumulatorStem(spec), 0, count),
              bits == 16 ? ", 0, 0" : ""});
  kernel.keepAll(accumulatorStem(spec), count);
  cases.push_back(
      makeCase(name, "wgmma-sums", kernel, std::move(input),
               sumTolerance(element, d, k, largest + largestAddend)));
}

void differential::addAccumulationCases(std::vector<Case> &cases) {
  for (Sums sums : {Sums::Cancel, Sums::CancelC, Sums::OneLarge,
                    Sums::Alternate, Sums::Range, Sums::Near}) {
    for (Element element : {Element::F16, Element::BF16, Element::TF32,
                            Element::E4M3, Element::E5M2})
      addSums(cases, element, Element::F32, sums);
    // Only these stay in the range of f16.
    if (sums == Sums::Alternate || sums == Sums::Near)
      for (Element element : {Element::F16, Element::E4M3, Element::E5M2})
        addSums(cases, element, Element::F16, sums);
  }
}
