//===- IntegerTest.cpp - Integer instructions against plain forms ---------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reference works in 128-bit integers, or bit by bit as the ISA's pseudo
// code does. Operands are small, large, or of any number of bits; shift amounts
// and positions go beyond the width.
//
//===----------------------------------------------------------------------===//

#include "Numerics/Integer.h"
#include "Numerics/IntegerBits.h"
#include "gtest/gtest.h"
#include <random>

using namespace ptxbench::emulator;

namespace {

constexpr int kSamples = 100000;

struct Random {
  std::mt19937_64 engine{20250211};
  template <class T> T value() {
    uint64_t bits = engine() >> engine() % 64;
    if (engine() % 4 == 0)
      bits = (1ull << engine() % 64) + engine() % 3 - 1;
    return static_cast<T>(engine() % 2 ? bits : 0 - bits);
  }
  /// A position, a length or a shift amount.
  uint32_t amount() {
    return static_cast<uint32_t>(engine() % 8 ? engine() % 70 : engine());
  }
};

template <class Test> void forEachType(Test test) {
  test(uint16_t()), test(uint32_t()), test(uint64_t());
  test(int16_t()), test(int32_t()), test(int64_t());
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

TEST(Integer, ProductsQuotientsDifferences) {
  Random random;
  forEachType([&](auto zero) {
    using T = decltype(zero);
    using U = std::make_unsigned_t<T>;
    for (int i = 0; i < kSamples; ++i) {
      T a = random.value<T>(), b = random.value<T>(), c = random.value<T>();
      WiderOf<T> product = WiderOf<T>(a) * WiderOf<T>(b);
      ASSERT_EQ(mulLo(a, b), static_cast<T>(product));
      ASSERT_EQ(mulHi(a, b), static_cast<T>(product >> 8 * sizeof(T)));
      ASSERT_EQ(wrapAdd(a, b), static_cast<T>(static_cast<U>(a) + U(b)));
      Int128 distance = Int128(a) - Int128(b);
      distance = distance < 0 ? -distance : distance;
      ASSERT_EQ(sad(a, b, c), static_cast<T>(Int128(c) + distance));
      ASSERT_EQ(absInteger(a), static_cast<T>(a < 0 ? -Int128(a) : a));
      if (b != 0) {
        ASSERT_EQ(divInteger(a, b), static_cast<T>(Int128(a) / Int128(b)));
        ASSERT_EQ(remInteger(a, b), static_cast<T>(Int128(a) % Int128(b)));
      }
      ASSERT_EQ(divInteger<T>(a, 0), static_cast<T>(-1));
      ASSERT_EQ(remInteger<T>(a, 0), static_cast<T>(-1));
    }
    T least = std::numeric_limits<T>::min();
    EXPECT_EQ(divInteger<T>(least, static_cast<T>(-1)), least);
  });
  EXPECT_EQ(mulHi<int32_t>(-1, -1), 0);
  EXPECT_EQ(mulHi<uint32_t>(0xffffffff, 0xffffffff), 0xfffffffeu);
  EXPECT_EQ(mulWide<int16_t>(-1, 2), -2);
  EXPECT_EQ(mulWide<uint16_t>(0xffff, 2), 0x1fffeu);
  EXPECT_EQ(reluInteger(-3), 0);
  EXPECT_EQ(reluInteger(3), 3);
}

TEST(Integer, SaturatesS32) {
  EXPECT_EQ(addSatS32(INT32_MAX, 1), INT32_MAX);
  EXPECT_EQ(addSatS32(INT32_MIN, -1), INT32_MIN);
  EXPECT_EQ(subSatS32(INT32_MIN, 1), INT32_MIN);
  EXPECT_EQ(subSatS32(5, 7), -2);
  EXPECT_EQ(madHiSatS32(INT32_MAX, INT32_MAX, INT32_MAX), INT32_MAX);
  EXPECT_EQ(madHiSatS32(1 << 16, 1 << 16, 4), 5);
  EXPECT_EQ(mad24HiSatS32(0x7fffff, 0x7fffff, INT32_MAX), INT32_MAX);
}

TEST(Integer, ProductsOf24Bits) {
  Random random;
  for (int i = 0; i < kSamples; ++i) {
    uint32_t a = random.value<uint32_t>(), b = random.value<uint32_t>();
    uint64_t product = uint64_t(a % (1 << 24)) * (b % (1 << 24));
    ASSERT_EQ(mul24Lo(a, b), static_cast<uint32_t>(product));
    ASSERT_EQ(mul24Hi(a, b), static_cast<uint32_t>(product >> 16));
    auto low = [](uint32_t value) {
      int64_t rest = value % (1 << 24);
      return rest >= 1 << 23 ? rest - (1 << 24) : rest;
    };
    int64_t signedProduct = low(a) * low(b);
    int32_t x = static_cast<int32_t>(a), y = static_cast<int32_t>(b);
    ASSERT_EQ(mul24Lo(x, y), static_cast<int32_t>(signedProduct));
    ASSERT_EQ(mul24Hi(x, y), static_cast<int32_t>(signedProduct >> 16));
  }
}

/// Numbers of four words, as kernels form them from carries.
TEST(Integer, CarryChains) {
  Random random;
  for (int i = 0; i < kSamples; ++i) {
    UInt128 a =
        UInt128(random.value<uint64_t>()) << 64 | random.value<uint64_t>();
    UInt128 b =
        UInt128(random.value<uint64_t>()) << 64 | random.value<uint64_t>();
    UInt128 sum = 0, difference = 0;
    bool carry = false, noBorrow = true;
    for (int word = 0; word < 4; ++word) {
      uint32_t x = static_cast<uint32_t>(a >> 32 * word);
      uint32_t y = static_cast<uint32_t>(b >> 32 * word);
      WithCarry<uint32_t> added = addCarry(x, y, carry);
      WithCarry<uint32_t> subtracted = subCarry(x, y, noBorrow);
      sum |= UInt128(added.value) << 32 * word, carry = added.carry;
      difference |= UInt128(subtracted.value) << 32 * word;
      noBorrow = subtracted.carry;
    }
    ASSERT_TRUE(sum == UInt128(a + b) && carry == (UInt128(a + b) < a));
    ASSERT_TRUE(difference == UInt128(a - b) && noBorrow == (a >= b));
    // A product of two words each, plus two words: never more than four.
    uint64_t x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
    WithCarry<uint64_t> low = madLoCarry<uint64_t>(x, y, x, false);
    WithCarry<uint64_t> high = madHiCarry<uint64_t>(x, y, 0, low.carry);
    ASSERT_TRUE((UInt128(high.value) << 64 | low.value) == UInt128(x) * y + x);
    ASSERT_FALSE(high.carry);
  }
  EXPECT_TRUE(addCarry<uint32_t>(0xffffffff, 0, true).carry);
  EXPECT_TRUE(addCarry<uint32_t>(0xffffffff, 0xffffffff, true).carry);
  EXPECT_FALSE(addCarry<uint32_t>(0xffffffff, 0, false).carry);
  EXPECT_FALSE(subCarry<uint32_t>(0, 0xffffffff, false).carry);
  EXPECT_FALSE(subCarry<uint32_t>(0, 1, true).carry);
  EXPECT_TRUE(subCarry<uint32_t>(0, 0, true).carry);
  // sub.cc 0, 1 and then addc 5, 1: no carry comes in.
  bool carry = subCarry<uint32_t>(0, 1, true).carry;
  EXPECT_EQ(addCarry<uint32_t>(5, 1, carry).value, 6u);
  // add.cc 0, 1 and then subc 5, 1: the missing carry is a borrow.
  carry = addCarry<uint32_t>(0, 1, false).carry;
  EXPECT_EQ(subCarry<uint32_t>(5, 1, carry).value, 3u);
  EXPECT_EQ(madHiCarry<int32_t>(-1, 1, 0, false).value, 0xffffffffu);
  EXPECT_EQ(madHiCarry<uint32_t>(0xffffffff, 1, 0, false).value, 0u);
}

TEST(Integer, DotProducts) {
  EXPECT_EQ((dp4a<true, true>(0xff02fe03, 0x01010101, 10)), 12u);
  EXPECT_EQ((dp4a<false, true>(0xff000000, 0xff000000, 0)),
            static_cast<uint32_t>(-255));
  EXPECT_EQ((dp4a<false, false>(0xffffffff, 0xffffffff, 1)), 260101u);
  EXPECT_EQ((dp2a<false, true, false>(0xffff0002, 0x0605ff03, 0)),
            static_cast<uint32_t>(-255 + 6));
  EXPECT_EQ((dp2a<true, true, false>(0xffff0002, 0x0605ff03, 0)),
            static_cast<uint32_t>(-6 + 10));
  auto most = [](int16_t a, int16_t b) { return a > b ? a : b; };
  EXPECT_EQ((mapHalves<int16_t>(most, 0x8000ffff, 0x00017fff)), 0x00017fffu);
}

//===----------------------------------------------------------------------===//
// Shifts and fields
//===----------------------------------------------------------------------===//

TEST(IntegerBits, Shifts) {
  Random random;
  forEachType([&](auto zero) {
    using T = decltype(zero);
    using U = std::make_unsigned_t<T>;
    constexpr uint32_t kWidth = 8 * sizeof(T);
    for (int i = 0; i < kSamples / 4; ++i) {
      T a = random.value<T>();
      uint32_t n = random.amount(), clamped = std::min(n, kWidth);
      U left = static_cast<U>(UInt128(static_cast<U>(a)) << clamped);
      T right = static_cast<T>(Int128(a) >> clamped);
      ASSERT_EQ(shiftLeft<U>(a, n), left);
      ASSERT_EQ(shiftRight<T>(a, n), right) << +a << " by " << n;
    }
  });
  EXPECT_EQ(shiftRight<int32_t>(-8, 100), -1);
  EXPECT_EQ(shiftRight<uint32_t>(0x80000000, 32), 0u);
  EXPECT_EQ(shiftLeft<uint32_t>(1, 0xffffffff), 0u);
  EXPECT_EQ((funnelLeft<Beyond::Wrap>(0x80000001, 0x12345678, 33)),
            0x2468acf1u);
  EXPECT_EQ((funnelLeft<Beyond::Clamp>(0x80000001, 0x12345678, 33)),
            0x80000001u);
  EXPECT_EQ((funnelRight<Beyond::Wrap>(0x80000001, 0x12345679, 33)),
            0xc0000000u);
  EXPECT_EQ((funnelRight<Beyond::Clamp>(0x80000001, 0x12345679, 33)),
            0x12345679u);
  EXPECT_EQ((funnelLeft<Beyond::Wrap>(7, 9, 32)), 9u);
}

template <class T> T extractReference(T a, uint32_t position, uint32_t length) {
  constexpr uint32_t kTop = 8 * sizeof(T) - 1;
  if (sizeof(T) == 4)
    position &= 0xff, length &= 0xff;
  position = std::min(position, 1000u), length = std::min(length, 1000u);
  bool sign = false;
  if (std::is_signed_v<T> && length != 0)
    sign = a >> std::min(position + length - 1, kTop) & 1;
  std::make_unsigned_t<T> result = 0, one = 1;
  for (uint32_t i = 0; i <= kTop; ++i) {
    bool bit =
        i < length && position + i <= kTop ? a >> (position + i) & 1 : sign;
    result |= bit ? one << i : 0;
  }
  return static_cast<T>(result);
}

TEST(IntegerBits, Fields) {
  Random random;
  forEachType([&](auto zero) {
    using T = decltype(zero);
    using U = std::make_unsigned_t<T>;
    if constexpr (sizeof(T) >= 4) {
      for (int i = 0; i < kSamples / 4; ++i) {
        T a = random.value<T>();
        U x = random.value<U>(), y = random.value<U>(), inserted = y;
        uint32_t position = random.amount(), length = random.amount();
        ASSERT_EQ(bitFieldExtract(a, position, length),
                  extractReference(a, position, length))
            << a << ' ' << position << ' ' << length;
        uint32_t counted = sizeof(T) == 4 ? 0xff : 0xffffffff;
        for (uint32_t bit = 0; bit < (length & counted); ++bit) {
          uint64_t to = uint64_t(position & counted) + bit;
          if (to >= 8 * sizeof(T))
            break;
          inserted &= ~(U(1) << to);
          inserted |= (x >> bit & 1) << to;
        }
        ASSERT_EQ(bitFieldInsert<U>(x, y, position, length), inserted);
      }
    }
  });
  EXPECT_EQ(bitFieldExtract<int32_t>(-1, 4, 0), 0);
  // As on an H200: eight bits count of fields of 32 bits, all of 64.
  EXPECT_EQ(bitFieldExtract<uint32_t>(0xabcd, 0x104, 0x208), 0xbcu);
  EXPECT_EQ(bitFieldExtract<uint64_t>(0xabcd, 0x104, 8), 0u);
  EXPECT_EQ(bitFieldExtract<int64_t>(-2, 0x80000000, 0x100), -1);
  EXPECT_EQ(bitFieldInsert<uint64_t>(0xab, ~0ull, 0x100, 8), ~0ull);
  EXPECT_EQ(bitFieldInsert<uint64_t>(0xab, ~0ull, 8, 0x100), 0xabffull);
  EXPECT_EQ(bitFieldExtract<int32_t>(INT32_MIN, 40, 3), -1);
  EXPECT_EQ(bitFieldExtract<uint32_t>(0x80000000, 40, 3), 0u);
  EXPECT_EQ((extend<Beyond::Wrap, int32_t>(0x1ff, 9)), -1);
  EXPECT_EQ((extend<Beyond::Wrap, uint32_t>(0x1ff, 9)), 0x1ffu);
  EXPECT_EQ((extend<Beyond::Wrap, int32_t>(-1, 32)), 0);
  EXPECT_EQ((extend<Beyond::Clamp, int32_t>(-7, 32)), -7);
  EXPECT_EQ((extend<Beyond::Clamp, uint32_t>(5, 0x100)), 5u);
  EXPECT_EQ((bitMask<Beyond::Clamp>(4, 8)), 0xff0u);
  EXPECT_EQ((bitMask<Beyond::Clamp>(4, 40)), 0xfffffff0u);
  EXPECT_EQ((bitMask<Beyond::Clamp>(32, 4)), 0u);
  EXPECT_EQ((bitMask<Beyond::Wrap>(36, 40)), 0xff0u);
  EXPECT_EQ((bitMask<Beyond::Wrap>(0, 32)), 0u);
}

TEST(IntegerBits, CountsAndSearches) {
  Random random;
  for (int i = 0; i < kSamples; ++i) {
    uint64_t a = random.value<uint64_t>();
    uint32_t low = static_cast<uint32_t>(a);
    uint64_t reversed = 0;
    uint32_t count = 0, highest = 0xffffffff, lowHighest = 0xffffffff;
    for (int bit = 0; bit < 64; ++bit) {
      if (!(a >> bit & 1))
        continue;
      reversed |= 1ull << (63 - bit);
      ++count, highest = bit;
      lowHighest = bit < 32 ? bit : lowHighest;
    }
    ASSERT_EQ(reverseBits(a), reversed);
    ASSERT_EQ(reverseBits(low), static_cast<uint32_t>(reversed >> 32));
    ASSERT_EQ(popCount(a), count);
    ASSERT_EQ(popCount(low) + popCount(static_cast<uint32_t>(a >> 32)), count);
    ASSERT_EQ(countLeadingZeros(a), 63 - highest);
    ASSERT_EQ(countLeadingZeros(low), 31 - lowHighest);
    ASSERT_EQ((bitFind<false>(a)), highest);
    ASSERT_EQ((bitFind<false>(low)), lowHighest);
    ASSERT_EQ((bitFind<true>(low)), low ? 31 - lowHighest : 0xffffffff);
    ASSERT_EQ((bitFind<false>(static_cast<int64_t>(~a))),
              a >> 63 ? (bitFind<false>(~a)) : highest);
  }
  EXPECT_EQ((bitFind<false>(int32_t(-1))), 0xffffffffu);
  EXPECT_EQ((bitFind<false>(int32_t(-2))), 0u);
  EXPECT_EQ((bitFind<true>(int32_t(-2))), 31u);
}

/// The pseudo code of the ISA, walking bit by bit.
uint32_t findReference(uint32_t mask, uint32_t base, int32_t offset) {
  if (offset == 0)
    return base < 32 && mask >> base & 1 ? base : 0xffffffff;
  int64_t position = base, step = offset > 0 ? 1 : -1;
  int64_t count = std::abs(static_cast<int64_t>(offset));
  for (; position >= 0 && position < 32; position += step)
    if (mask >> position & 1 && --count == 0)
      return static_cast<uint32_t>(position);
  return 0xffffffff;
}

TEST(IntegerBits, FindNthSet) {
  Random random;
  for (int i = 0; i < kSamples; ++i) {
    uint32_t mask = random.value<uint32_t>(), base = random.engine() % 32;
    int32_t offset = static_cast<int32_t>(random.engine() % 21) - 10;
    ASSERT_EQ(findNthSet(mask, base, offset), findReference(mask, base, offset))
        << std::hex << mask << ' ' << base << ' ' << std::dec << offset;
  }
  EXPECT_EQ(findNthSet(0b101100, 2, 0), 2u);
  EXPECT_EQ(findNthSet(0b101100, 1, 0), 0xffffffffu);
  EXPECT_EQ(findNthSet(0b101100, 0, 2), 3u);
  EXPECT_EQ(findNthSet(0b101100, 31, -1), 5u);
  EXPECT_EQ(findNthSet(0b101100, 31, -4), 0xffffffffu);
  EXPECT_EQ(findNthSet(0b101100, 31, INT32_MIN), 0u) << "as on an H200";
}

//===----------------------------------------------------------------------===//
// Logic and bytes
//===----------------------------------------------------------------------===//

TEST(IntegerBits, Lop3) {
  Random random;
  for (unsigned table = 0; table < 256; ++table) {
    for (int i = 0; i < 50; ++i) {
      uint32_t a = random.value<uint32_t>(), b = random.value<uint32_t>();
      uint32_t c = random.value<uint32_t>(), expected = 0;
      for (int bit = 0; bit < 32; ++bit) {
        unsigned index =
            (a >> bit & 1) << 2 | (b >> bit & 1) << 1 | (c >> bit & 1);
        expected |= (table >> index & 1) << bit;
      }
      ASSERT_EQ(lop3(a, b, c, table), expected) << table;
    }
  }
  // The tables of the ISA's examples.
  EXPECT_EQ(lop3(0xff00ff00, 0xf0f0f0f0, 0xcccccccc, 0x80), 0xc000c000u);
  EXPECT_EQ(lop3(5, 6, 12, 0xf0 & 0xcc & 0xaa), 5u & 6u & 12u);
  EXPECT_EQ(lop3(5, 6, 12, 0xf0 ^ 0xcc ^ 0xaa), 5u ^ 6u ^ 12u);
  EXPECT_EQ(lop3(5, 6, 12, (0xf0 | 0xcc) & ~0xaa), (5u | 6u) & ~12u);
  EXPECT_EQ(logicalNot(0u), 1u);
  EXPECT_EQ(logicalNot(7u), 0u);
}

TEST(IntegerBits, Permutes) {
  uint32_t a = 0x83020100, b = 0x87060584;
  auto generic = [&](uint32_t c) { return permute<Permute::Index>(a, b, c); };
  EXPECT_EQ(generic(0x3210), a);
  EXPECT_EQ(generic(0x7654), b);
  EXPECT_EQ(generic(0x0246), 0x00028406u);
  EXPECT_EQ(generic(0xb9fc), 0xff00ffffu);
  EXPECT_EQ(generic(0xffff3210), a);
  // The table of the ISA, modes by selectors.
  uint32_t x = 0x03020100, y = 0x07060504;
  const uint32_t f4e[] = {0x03020100, 0x04030201, 0x05040302, 0x06050403};
  const uint32_t b4e[] = {0x05060700, 0x06070001, 0x07000102, 0x00010203};
  const uint32_t rc8[] = {0x00000000, 0x01010101, 0x02020202, 0x03030303};
  const uint32_t ecl[] = {0x03020100, 0x03020101, 0x03020202, 0x03030303};
  const uint32_t ecr[] = {0x00000000, 0x01010100, 0x02020100, 0x03020100};
  const uint32_t rc16[] = {0x01000100, 0x03020302, 0x01000100, 0x03020302};
  for (uint32_t n = 0; n < 8; ++n) {
    EXPECT_EQ(permute<Permute::F4E>(x, y, n), f4e[n & 3]);
    EXPECT_EQ(permute<Permute::B4E>(x, y, n), b4e[n & 3]);
    EXPECT_EQ(permute<Permute::RC8>(x, y, n), rc8[n & 3]);
    EXPECT_EQ(permute<Permute::ECL>(x, y, n), ecl[n & 3]);
    EXPECT_EQ(permute<Permute::ECR>(x, y, n), ecr[n & 3]);
    EXPECT_EQ(permute<Permute::RC16>(x, y, n), rc16[n & 3]);
  }
}

} // namespace
