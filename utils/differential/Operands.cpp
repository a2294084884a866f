//===- Operands.cpp - Numbers that are hard to get right ------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A format with an exponent is drawn by its fields.
//
//===----------------------------------------------------------------------===//

#include "Operands.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <map>

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::differential;

Random::Random(StringRef name) : state(xxh3_64bits(name)) {}

// SplitMix64, by Sebastiano Vigna.
uint64_t Random::next() {
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

Kind differential::kindOfType(StringRef spelling) {
  if (spelling == "pred")
    return {Kind::Predicate, 1};
  if (spelling == "f16" || spelling == "f16x2")
    return {Kind::F16, 16, spelling.ends_with("x2") ? 2u : 1u};
  if (spelling == "bf16" || spelling == "bf16x2")
    return {Kind::BF16, 16, spelling.ends_with("x2") ? 2u : 1u};
  if (spelling == "f32" || spelling == "tf32")
    return {Kind::F32, 32};
  if (spelling == "f64")
    return {Kind::F64, 64};
  if (spelling == "u16x2" || spelling == "s16x2")
    return {Kind::Integer, 16, 2};
  if (spelling.starts_with("e") || spelling.starts_with("ue"))
    return {Kind::Code, 16};
  unsigned bits = 0;
  if (spelling.drop_front().getAsInteger(10, bits))
    bits = 32;
  return {Kind::Integer, std::max(bits, 16u)};
}

uint64_t differential::bitsOf(Kind::Base base, double value) {
  if (base == Kind::F64)
    return bit_cast<uint64_t>(value);
  return bit_cast<uint32_t>(static_cast<float>(value));
}

//===----------------------------------------------------------------------===//
// Fields of floating-point formats
//===----------------------------------------------------------------------===//

namespace {
struct Fields {
  unsigned exponent, fraction;

  int bias() const { return (1 << (exponent - 1)) - 1; }
  unsigned top() const { return (1u << exponent) - 1; }
  uint64_t fractionMask() const { return (uint64_t(1) << fraction) - 1; }
  uint64_t make(bool isNegative, unsigned field, uint64_t bits) const {
    return uint64_t(isNegative) << (exponent + fraction) |
           uint64_t(field) << fraction | (bits & fractionMask());
  }
};
} // namespace

static Fields fieldsOf(Kind::Base base) {
  switch (base) {
  case Kind::F16:
    return {5, 10};
  case Kind::BF16:
    return {8, 7};
  case Kind::F64:
    return {11, 52};
  default:
    return {8, 23};
  }
}

static uint64_t maskOf(unsigned bits) {
  return bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
}

static std::vector<uint64_t> makeEdges(const Kind &kind) {
  std::vector<uint64_t> edges;
  if (kind.base == Kind::Predicate)
    return {0, 1};
  if (kind.base <= Kind::Code) {
    uint64_t mask = maskOf(kind.bits), sign = uint64_t(1) << (kind.bits - 1);
    for (uint64_t value : {uint64_t(0),
                           uint64_t(1),
                           uint64_t(2),
                           uint64_t(3),
                           ~uint64_t(0),
                           ~uint64_t(1),
                           sign,
                           sign - 1,
                           sign + 1,
                           sign - 2,
                           uint64_t(0x5555555555555555),
                           uint64_t(0xaaaaaaaaaaaaaaaa),
                           uint64_t(7),
                           uint64_t(8),
                           uint64_t(15),
                           uint64_t(16),
                           uint64_t(31),
                           uint64_t(32),
                           uint64_t(33),
                           uint64_t(63),
                           uint64_t(64),
                           uint64_t(0x7f),
                           uint64_t(0x80),
                           uint64_t(0xff),
                           uint64_t(0x7fff),
                           uint64_t(0x8000),
                           uint64_t(0xffff),
                           uint64_t(0xff00ff00ff00ff00),
                           uint64_t(0xffffffffff800000),
                           uint64_t(0x7fffff),
                           uint64_t(0x0123456789abcdef)})
      if (llvm::find(edges, value & mask) == edges.end())
        edges.push_back(value & mask);
    return edges;
  }
  Fields fields = fieldsOf(kind.base);
  unsigned top = fields.top(), one = unsigned(fields.bias());
  uint64_t all = fields.fractionMask(), half = (all >> 1) + 1;
  // Zeros, subnormals, the least normal ones, numbers around one, the largest,
  // infinities, quiet and signalling NaNs.
  const std::pair<unsigned, uint64_t> magnitudes[] = {
      {0, 0},       {0, 1},      {0, all},       {0, half},      {1, 0},
      {1, 1},       {one, 0},    {one, 1},       {one - 1, all}, {one - 1, 0},
      {one + 1, 0}, {one, half}, {top - 1, all}, {top - 1, 0},   {top, 0},
      {top, half},  {top, 1}};
  for (const auto &magnitude : magnitudes)
    for (bool isNegative : {false, true})
      edges.push_back(
          fields.make(isNegative, magnitude.first, magnitude.second));
  edges.push_back(fields.make(false, top, all));
  return edges;
}

const std::vector<uint64_t> &differential::edgesOf(const Kind &kind) {
  static std::map<unsigned, std::vector<uint64_t>> made;
  std::vector<uint64_t> &edges = made[unsigned(kind.base) << 8 | kind.bits];
  if (edges.empty())
    edges = makeEdges(kind);
  return edges;
}

static uint64_t randomInteger(unsigned bits, Random &random) {
  uint64_t value = random.next(), mask = maskOf(bits);
  switch (random.below(4)) {
  case 0:
    return value & mask;
  case 1:
    return (value & mask) >> random.below(bits);
  case 2:
    return ~((value & mask) >> random.below(bits)) & mask;
  default:
    return ((uint64_t(1) << random.below(bits)) + random.below(3) - 1) & mask;
  }
}

/// A fraction of which few bits are set, or that lies at or near the middle
/// between two numbers of a narrower format.
static uint64_t randomFraction(unsigned bits, Random &random) {
  uint64_t value = random.next() & maskOf(bits);
  unsigned kept = unsigned(random.below(bits + 1));
  uint64_t tail = maskOf(bits) >> kept;
  switch (random.below(5)) {
  case 0:
    return value;
  case 1:
    return value & ~tail;
  case 2:
    return value | tail;
  case 3: // Halfway.
    return (value & ~tail) | ((tail >> 1) + (tail != 0));
  default: // Beside it.
    return ((value & ~tail) | ((tail >> 1) + (tail != 0))) + random.below(3) -
           1;
  }
}

static uint64_t randomFloat(Kind::Base base, Random &random) {
  Fields fields = fieldsOf(base);
  int bias = fields.bias(), top = int(fields.top());
  int exponent = 0;
  switch (random.below(6)) {
  case 0:
    exponent = int(random.below(fields.top() + 1));
    break;
  case 1: // Close to one.
    exponent = bias + int(random.below(7)) - 3;
    break;
  case 2: // Of the size of integers.
    exponent = bias + int(random.below(67)) - 2;
    break;
  case 3: { // At the ends of other formats.
    static constexpr int ends[] = {15,  16,  -14, -15,  -24,  -25,  8,    7,
                                   -6,  -9,  -10, -126, -127, -149, -133, 127,
                                   128, -16, 31,  32,   63,   64,   5,    -17};
    exponent = bias + ends[random.below(std::size(ends))];
    break;
  }
  case 4: // Small and large.
    exponent =
        random.oneIn(2) ? int(random.below(4)) : top - int(random.below(4));
    break;
  default:
    exponent = bias + int(random.below(61)) - 30;
  }
  exponent = std::clamp(exponent, 0, top);
  return fields.make(random.oneIn(2), unsigned(exponent),
                     randomFraction(fields.fraction, random));
}

uint64_t OperandSource::element(const Kind &kind, uint64_t previous,
                                bool hasPrevious) {
  uint64_t mask = maskOf(kind.bits);
  if (kind.base == Kind::Predicate)
    return random.below(2);
  if (random.oneIn(8))
    return random.pick(ArrayRef<uint64_t>(edgesOf(kind)));
  if (hasPrevious && random.oneIn(4)) {
    // Near the operand before it, or near its opposite.
    uint64_t near = previous + random.below(5) - 2;
    if (kind.base > Kind::Code)
      near ^= uint64_t(random.below(2)) << (kind.bits - 1);
    else if (random.oneIn(2))
      near = uint64_t(0) - near;
    return near & mask;
  }
  if (kind.base <= Kind::Code)
    return randomInteger(kind.bits, random);
  if (random.oneIn(8))
    return random.next() & mask;
  return randomFloat(kind.base, random);
}

void OperandSource::fill(size_t index, size_t count,
                         MutableArrayRef<uint64_t> values) {
  // As many pairs of edges as fill half of the threads at most.
  const std::vector<uint64_t> &first = edgesOf(kinds[0]);
  size_t pairs = first.size();
  if (kinds.size() > 1)
    pairs *= edgesOf(kinds[1]).size();
  bool isEdge = index < pairs && index < count - count / 4;
  for (size_t k = 0; k < kinds.size(); ++k) {
    const Kind &kind = kinds[k];
    uint64_t value = 0;
    for (unsigned lane = 0; lane < kind.lanes; ++lane) {
      uint64_t part;
      uint64_t previous =
          k ? values[k - 1] >> (lane * kind.bits % 64) & maskOf(kind.bits) : 0;
      if (isEdge && k < 2) {
        const std::vector<uint64_t> &edges = edgesOf(kind);
        size_t at = k == 0 && kinds.size() > 1
                        ? index / edgesOf(kinds[1]).size()
                        : index;
        // The other half has others.
        part = edges[(at + lane * 7) % edges.size()];
      } else {
        part = element(kind, previous, k > 0 && kinds[k - 1].bits == kind.bits);
      }
      value |= part << (lane * kind.bits);
    }
    values[k] = value;
  }
}
