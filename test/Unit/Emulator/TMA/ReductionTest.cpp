//===- TMAReductionTest.cpp - Tests of bulk reductions --------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which combinations exist, what each operation gives, rounding against the
// nearest of all numbers of a format, and both flavours against each other and
// under threads.
//
//===----------------------------------------------------------------------===//

#include "TMA/Reduction.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <random>
#include <set>
#include <thread>

using namespace ptxbench::emulator;

using Op = ReductionOp;
using Type = ReductionType;
using Target = ReductionTarget;
using Flavour = ReductionFlavour;

static const Op allOps[] = {Op::Add, Op::Min, Op::Max, Op::Inc,
                            Op::Dec, Op::And, Op::Or,  Op::Xor};
static const Type allTypes[] = {Type::B32, Type::B64, Type::U32, Type::S32,
                                Type::U64, Type::S64, Type::F16, Type::BF16,
                                Type::F32, Type::F64};

/// The function, or null where the target has no such combination.
static Reduction find(Op op, Type type, Target target = Target::Global,
                      Flavour flavour = Flavour::Plain) {
  llvm::Expected<Reduction> reduction =
      selectReduction(op, type, target, flavour);
  if (reduction)
    return *reduction;
  llvm::consumeError(reduction.takeError());
  return nullptr;
}

/// The result for one element of `T`, of both flavours.
template <class T> static T reduce(Op op, Type type, T to, T from) {
  EXPECT_EQ(reductionBytes(type), sizeof(T));
  T results[2];
  for (Flavour flavour : {Flavour::Plain, Flavour::Atomic}) {
    T &result = results[flavour == Flavour::Atomic];
    result = to;
    find(op, type, Target::Global,
         flavour)(reinterpret_cast<uint8_t *>(&result),
                  reinterpret_cast<const uint8_t *>(&from), sizeof(T));
  }
  EXPECT_EQ(results[0], results[1]);
  return results[0];
}

TEST(TMAReductionTest, TableOfCombinations) {
  const std::set<Type> bits = {Type::B32, Type::B64}, counts = {Type::U32};
  const std::set<Type> sums = {Type::U32, Type::S32, Type::U64, Type::F32,
                               Type::F64, Type::F16, Type::BF16};
  const std::set<Type> order = {Type::U32, Type::S32, Type::U64,
                                Type::S64, Type::F16, Type::BF16};
  for (Op op : allOps) {
    bool minMax = op == Op::Min || op == Op::Max;
    bool count = op == Op::Inc || op == Op::Dec;
    const std::set<Type> &global = op == Op::Add ? sums
                                   : minMax      ? order
                                   : count       ? counts
                                                 : bits;
    std::set<Type> shared =
        op == Op::Add ? std::set<Type>{Type::U32, Type::S32, Type::U64}
        : minMax      ? std::set<Type>{Type::U32, Type::S32}
        : count       ? counts
                      : std::set<Type>{Type::B32};
    for (Type type : allTypes) {
      EXPECT_EQ(find(op, type) != nullptr, global.count(type) == 1);
      EXPECT_EQ(find(op, type, Target::Tensor) != nullptr,
                global.count(type) == 1);
      EXPECT_EQ(find(op, type, Target::SharedCluster) != nullptr,
                shared.count(type) == 1);
    }
  }
  EXPECT_EQ(llvm::toString(selectReduction(Op::Add, Type::S64, Target::Global,
                                           Flavour::Plain)
                               .takeError()),
            ".add: expected a type that can be reduced into global memory but "
            "got .s64");
}

TEST(TMAReductionTest, TypesOfTensors) {
  auto type = [](Op op, TensorElementType element) -> int {
    llvm::Expected<ReductionType> found = tensorReductionType(op, element);
    if (found)
      return int(*found);
    llvm::consumeError(found.takeError());
    return -1;
  };
  EXPECT_EQ(type(Op::Add, TensorElementType::S32), int(Type::S32));
  EXPECT_EQ(type(Op::Xor, TensorElementType::S32), int(Type::B32));
  EXPECT_EQ(type(Op::And, TensorElementType::U64), int(Type::B64));
  EXPECT_EQ(type(Op::Add, TensorElementType::BF16), int(Type::BF16));
  EXPECT_EQ(type(Op::Add, TensorElementType::U8), -1);
  EXPECT_EQ(type(Op::Add, TensorElementType::TF32), -1);
}

TEST(TMAReductionTest, Integers) {
  EXPECT_EQ(reduce<uint32_t>(Op::Add, Type::U32, 0xfffffffe, 5), 3u);
  EXPECT_EQ(reduce<uint64_t>(Op::Add, Type::U64, ~uint64_t(0), 2), 1u);
  EXPECT_EQ(reduce<uint32_t>(Op::Min, Type::U32, 0x80000000, 1), 1u);
  EXPECT_EQ(reduce<uint32_t>(Op::Min, Type::S32, 0x80000000, 1), 0x80000000);
  EXPECT_EQ(reduce<uint32_t>(Op::Max, Type::S32, 0x80000000, 1), 1u);
  EXPECT_EQ(reduce<uint64_t>(Op::Max, Type::U64, 1, ~uint64_t(0)),
            ~uint64_t(0));
  EXPECT_EQ(reduce<uint64_t>(Op::Max, Type::S64, 1, ~uint64_t(0)), 1u);
  EXPECT_EQ(reduce<uint32_t>(Op::And, Type::B32, 0xff00ff00, 0x0ff00ff0),
            0x0f000f00u);
  EXPECT_EQ(reduce<uint64_t>(Op::Or, Type::B64, 0xf000000000000000, 1),
            0xf000000000000001);
  EXPECT_EQ(reduce<uint32_t>(Op::Xor, Type::B32, 0xffff, 0xff), 0xff00u);
  // In [0, source], also from outside.
  EXPECT_EQ(reduce<uint32_t>(Op::Inc, Type::U32, 3, 5), 4u);
  EXPECT_EQ(reduce<uint32_t>(Op::Inc, Type::U32, 5, 5), 0u);
  EXPECT_EQ(reduce<uint32_t>(Op::Inc, Type::U32, 9, 5), 0u);
  EXPECT_EQ(reduce<uint32_t>(Op::Dec, Type::U32, 3, 5), 2u);
  EXPECT_EQ(reduce<uint32_t>(Op::Dec, Type::U32, 0, 5), 5u);
  EXPECT_EQ(reduce<uint32_t>(Op::Dec, Type::U32, 9, 5), 5u);
}

//===----------------------------------------------------------------------===//
// Floating point
//===----------------------------------------------------------------------===//

namespace {
/// A format of 16 bits from its definition.
struct Format {
  int exponentBits, fractionBits;

  double value(uint16_t bits) const {
    int exponent = bits >> fractionBits & ((1 << exponentBits) - 1);
    int fraction = bits & ((1 << fractionBits) - 1);
    int bias = (1 << (exponentBits - 1)) - 1;
    double magnitude = exponent ? std::ldexp((1 << fractionBits) + fraction,
                                             exponent - bias - fractionBits)
                                : std::ldexp(fraction, 1 - bias - fractionBits);
    return bits & 0x8000 ? -magnitude : magnitude;
  }
  uint16_t infinity() const {
    return uint16_t(((1 << exponentBits) - 1) << fractionBits);
  }

  /// The nearest number of the format, found among all of them; of two the
  /// even one. What would be the next after the largest is infinity.
  uint16_t nearest(double exact) const {
    double magnitude = std::fabs(exact);
    unsigned low = 0, high = infinity();
    while (high - low > 1) {
      unsigned middle = (low + high) / 2;
      (value(uint16_t(middle)) <= magnitude ? low : high) = middle;
    }
    double below = magnitude - value(uint16_t(low));
    double above = value(uint16_t(high)) - magnitude;
    bool up = above < below || (above == below && low % 2);
    return uint16_t((up ? high : low) | (std::signbit(exact) ? 0x8000 : 0));
  }
};
} // namespace

static const Format half = {5, 10}, brain = {8, 7};

/// Sums of doubles are exact for .f16, and for .bf16 close enough in exponent.
static void expectSums(const Format &format, Type type, unsigned seed) {
  std::mt19937 random(seed);
  for (unsigned i = 0; i < 200000; ++i) {
    uint16_t a = uint16_t(random()), b = uint16_t(random());
    // Half of the pairs with close exponents, where rounding happens.
    if (i % 2)
      b = uint16_t((a & 0x7fff & ~((1 << format.fractionBits) - 1)) ^
                   (random() & 0x83ff));
    if ((a & 0x7fff) >= format.infinity() || (b & 0x7fff) >= format.infinity())
      continue;
    double sum = format.value(a) + format.value(b);
    ASSERT_EQ(reduce<uint16_t>(Op::Add, type, a, b), format.nearest(sum))
        << std::hex << a << " + " << b;
  }
}

TEST(TMAReductionTest, SumsOfSmallFloats) {
  expectSums(half, Type::F16, 1);
  expectSums(brain, Type::BF16, 2);
}

TEST(TMAReductionTest, SpecialSmallFloats) {
  auto add = [](Type type, uint16_t a, uint16_t b) {
    return reduce<uint16_t>(Op::Add, type, a, b);
  };
  EXPECT_EQ(add(Type::F16, 0x7bff, 0x7bff), 0x7c00);
  EXPECT_EQ(add(Type::F16, 0x7c00, 0xfc00), 0x7fff);
  EXPECT_EQ(add(Type::F16, 0x7c00, 0x3c00), 0x7c00);
  EXPECT_EQ(add(Type::F16, 0x7d01, 0x3c00), 0x7fff);
  EXPECT_EQ(add(Type::F16, 0x0001, 0x0001), 0x0002); // subnormals stay
  EXPECT_EQ(add(Type::F16, 0x8000, 0x8000), 0x8000);
  EXPECT_EQ(add(Type::F16, 0x8000, 0x0000), 0x0000);
  EXPECT_EQ(add(Type::BF16, 0x0001, 0x0001), 0x0002);
  EXPECT_EQ(add(Type::BF16, 0x7f7f, 0x7f7f), 0x7f80);
  EXPECT_EQ(add(Type::BF16, 0x7f81, 0x0000), 0x7fff);
  auto min = [](uint16_t a, uint16_t b) {
    return reduce<uint16_t>(Op::Min, Type::F16, a, b);
  };
  auto max = [](uint16_t a, uint16_t b) {
    return reduce<uint16_t>(Op::Max, Type::F16, a, b);
  };
  EXPECT_EQ(min(0x3c00, 0xbc00), 0xbc00);
  EXPECT_EQ(max(0x3c00, 0xbc00), 0x3c00);
  EXPECT_EQ(min(0xc000, 0xbc00), 0xc000);
  EXPECT_EQ(max(0xc000, 0xbc00), 0xbc00);
  EXPECT_EQ(min(0x0000, 0x8000), 0x8000);
  EXPECT_EQ(max(0x8000, 0x0000), 0x0000);
  EXPECT_EQ(min(0x7e00, 0x3c00), 0x3c00);
  EXPECT_EQ(max(0x3c00, 0xfe00), 0x3c00);
  EXPECT_EQ(max(0xfe00, 0x7e00), 0x7fff);
  EXPECT_EQ(reduce<uint16_t>(Op::Max, Type::BF16, 0x7f80, 0x7f81), 0x7f80);
}

TEST(TMAReductionTest, SumsOfFloats) {
  auto add = [](uint32_t a, uint32_t b) {
    return reduce<uint32_t>(Op::Add, Type::F32, a, b);
  };
  EXPECT_EQ(add(0x3f800000, 0x40000000), 0x40400000u);
  EXPECT_EQ(add(0x3f800000, 0x33800000), 0x3f800000u); // a tie, to even
  // Subnormal inputs and results stay.
  EXPECT_EQ(add(0x00000001, 0x00800000), 0x00800001u);
  EXPECT_EQ(add(0x807fffff, 0x80000000), 0x807fffffu);
  EXPECT_EQ(add(0x00800001, 0x80800000), 0x00000001u);
  EXPECT_EQ(add(0x80800001, 0x00800000), 0x80000001u);
  EXPECT_EQ(add(0x7f800000, 0xff800000), 0x7fffffffu);
  EXPECT_EQ(reduce<uint64_t>(Op::Add, Type::F64, 1, 1), 2u);
  EXPECT_EQ(reduce<uint64_t>(Op::Add, Type::F64, 0x3ff0000000000000,
                             0x3ff0000000000000),
            0x4000000000000000u);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

TEST(TMAReductionTest, ReducesElementByElement) {
  for (Op op : allOps)
    for (Type type : allTypes) {
      Reduction plain = find(op, type);
      if (!plain)
        continue;
      std::mt19937 random(unsigned(type) * 8 + unsigned(op));
      alignas(16) uint8_t to[64], source[64], expected[64];
      for (unsigned i = 0; i < 64; ++i) {
        expected[i] = to[i] = uint8_t(random());
        source[i] = uint8_t(random());
      }
      unsigned size = reductionBytes(type);
      // The first and the last 16 bytes stay.
      for (unsigned i = 16; i < 48; i += size)
        plain(expected + i, source + i, size);
      // From each element of a word on, so far as 16 bytes and some.
      unsigned from = 16 + size * (random() % (8 / size));
      Reduction atomic = find(op, type, Target::Global, Flavour::Atomic);
      atomic(to + 16, source + 16, from - 16);
      atomic(to + from, source + from, 16 + size);
      from += 16 + size;
      atomic(to + from, source + from, 48 - from);
      EXPECT_EQ(std::memcmp(to, expected, 64), 0);
      // Misaligned, where the host has no atomics.
      uint8_t shifted[65];
      std::memcpy(shifted + 1, source, 64);
      find(op, type, Target::Global, Flavour::Atomic)(shifted + 1, to, 16);
      plain(source, to, 16);
      EXPECT_EQ(std::memcmp(shifted + 1, source, 64), 0);
    }
}

template <class T>
static void expectSumOfThreads(Type type, T one, T expected) {
  alignas(16) T to[16] = {}, source[16];
  std::fill(source, source + 16, one);
  Reduction add = find(Op::Add, type, Target::Global, Flavour::Atomic);
  auto work = [&] {
    for (unsigned i = 0; i < 500; ++i)
      add(reinterpret_cast<uint8_t *>(to),
          reinterpret_cast<const uint8_t *>(source), sizeof(to));
  };
  std::thread threads[] = {std::thread(work), std::thread(work),
                           std::thread(work), std::thread(work)};
  for (std::thread &thread : threads)
    thread.join();
  for (T sum : to)
    EXPECT_EQ(sum, expected);
}

TEST(TMAReductionTest, AtomicAgainstOtherThreads) {
  expectSumOfThreads<uint32_t>(Type::U32, 3, 6000);
  expectSumOfThreads<uint64_t>(Type::U64, uint64_t(1) << 32,
                               uint64_t(2000) << 32);
  expectSumOfThreads<uint16_t>(Type::F16, 0x3c00, 0x67d0); // 1.0, 2000.0
  expectSumOfThreads<uint32_t>(Type::F32, 0x3f800000, 0x44fa0000);
}
