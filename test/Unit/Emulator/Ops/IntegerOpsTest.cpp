//===- IntegerOpsTest.cpp - Integer arithmetic and bits -------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each form against C++ on wider integers, or the ISA's pseudo code.
//
//===----------------------------------------------------------------------===//

#include "LaneCheck.h"

using namespace ptxbench;
using namespace ptxbench::emulator;

namespace {

__extension__ typedef __int128 Int128;

template <class T> std::string typeName() {
  return (std::is_signed_v<T> ? "s" : "u") + std::to_string(8 * sizeof(T));
}

/// Calls `f(T())` for the six types.
template <class F> void forEachInteger(F f) {
  f(uint16_t());
  f(uint32_t());
  f(uint64_t());
  f(int16_t());
  f(int32_t());
  f(int64_t());
}

int32_t clampedS32(Int128 value) {
  return value > INT32_MAX   ? INT32_MAX
         : value < INT32_MIN ? INT32_MIN
                             : int32_t(value);
}

} // namespace

TEST(IntegerOpsTest, SumsAndProducts) {
  forEachInteger([](auto t) {
    using T = decltype(t);
    std::string name = typeName<T>();
    constexpr unsigned width = 8 * sizeof(T);
    checkLanes<T, T, T>("add." + name + " %d, %a, %b;",
                        [](T a, T b) { return T(Int128(a) + b); });
    checkLanes<T, T, T>("sub." + name + " %d, %a, %b;",
                        [](T a, T b) { return T(Int128(a) - b); });
    checkLanes<T, T, T>("mul.lo." + name + " %d, %a, %b;", [](T a, T b) {
      return T(static_cast<unsigned __int128>(a) * b);
    });
    auto high = [](T a, T b) {
      // Of unsigned 64 bits the product needs all 128.
      if constexpr (std::is_signed_v<T>)
        return T((Int128(a) * b) >> width);
      else
        return T((static_cast<unsigned __int128>(a) * b) >> width);
    };
    checkLanes<T, T, T>("mul.hi." + name + " %d, %a, %b;", high);
    checkLanes<T, T, T, T>(
        "mad.hi." + name + " %d, %a, %b, %c;",
        [&](T a, T b, T c) { return T(Int128(high(a, b)) + c); });
    checkLanes<T, T, T, T>(
        "mad.lo." + name + " %d, %a, %b, %c;", [](T a, T b, T c) {
          return T(static_cast<unsigned __int128>(a) * b + c);
        });
    checkLanes<T, T, T, T>(
        "sad." + name + " %d, %a, %b, %c;", [](T a, T b, T c) {
          return T(c + (Int128(a) < b ? Int128(b) - a : Int128(a) - b));
        });
    if constexpr (sizeof(T) < 8) {
      using W = std::conditional_t<
          sizeof(T) == 4,
          std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>,
          std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>>;
      checkLanes<W, T, T>("mul.wide." + name + " %d, %a, %b;",
                          [](T a, T b) { return W(Int128(a) * b); });
      checkLanes<W, T, T, W>(
          "mad.wide." + name + " %d, %a, %b, %c;",
          [](T a, T b, W c) { return W(Int128(a) * b + c); });
    }
  });
}

TEST(IntegerOpsTest, Saturation) {
  using T = int32_t;
  checkLanes<T, T, T>("add.sat.s32 %d, %a, %b;",
                      [](T a, T b) { return clampedS32(Int128(a) + b); });
  checkLanes<T, T, T>("sub.sat.s32 %d, %a, %b;",
                      [](T a, T b) { return clampedS32(Int128(a) - b); });
  checkLanes<T, T, T, T>("mad.hi.sat.s32 %d, %a, %b, %c;", [](T a, T b, T c) {
    return clampedS32((Int128(a) * b >> 32) + c);
  });
}

TEST(IntegerOpsTest, ImmediateOperands) {
  checkLanes<uint64_t, uint64_t>("add.u64 %d, %a, -3;",
                                 [](uint64_t a) { return a - 3; });
  checkLanes<int16_t, int16_t>("mul.lo.s16 %d, %a, -7;",
                               [](int16_t a) { return int16_t(a * -7); });
  checkLanes<uint32_t>("sub.u32 %d, 5, 9;", [] { return uint32_t(-4); });
}

TEST(IntegerOpsTest, SameRegister) {
  checkLanes<uint32_t, uint32_t>("mov.u32 %d, %a;\nmul.lo.u32 %d, %d, %d;",
                                 [](uint32_t a) { return a * a; });
}

TEST(IntegerOpsTest, Products24) {
  auto product = [](auto a, auto b) {
    if constexpr (std::is_signed_v<decltype(a)>)
      return int64_t(a << 8 >> 8) * (b << 8 >> 8);
    else
      return uint64_t(a & 0xffffff) * (b & 0xffffff);
  };
  using S = int32_t;
  using U = uint32_t;
  checkLanes<S, S, S>("mul24.lo.s32 %d, %a, %b;",
                      [&](S a, S b) { return S(product(a, b)); });
  checkLanes<U, U, U>("mul24.lo.u32 %d, %a, %b;",
                      [&](U a, U b) { return U(product(a, b)); });
  checkLanes<S, S, S>("mul24.hi.s32 %d, %a, %b;",
                      [&](S a, S b) { return S(product(a, b) >> 16); });
  checkLanes<U, U, U>("mul24.hi.u32 %d, %a, %b;",
                      [&](U a, U b) { return U(product(a, b) >> 16); });
  checkLanes<S, S, S, S>(
      "mad24.hi.sat.s32 %d, %a, %b, %c;", [&](S a, S b, S c) {
        return clampedS32(Int128(S(product(a, b) >> 16)) + c);
      });
  checkLanes<U, U, U, U>("mad24.lo.u32 %d, %a, %b, %c;",
                         [&](U a, U b, U c) { return U(product(a, b)) + c; });
}

TEST(IntegerOpsTest, Quotients) {
  forEachInteger([](auto t) {
    using T = decltype(t);
    std::string name = typeName<T>();
    // A division by zero has no result that the ISA names.
    checkLanes<T, T, T>("or.b" + std::to_string(8 * sizeof(T)) +
                            " %b, %b, 1;\ndiv." + name + " %d, %a, %b;",
                        [](T a, T b) { return T(Int128(a) / T(b | 1)); });
    checkLanes<T, T, T>("or.b" + std::to_string(8 * sizeof(T)) +
                            " %b, %b, 1;\nrem." + name + " %d, %a, %b;",
                        [](T a, T b) { return T(Int128(a) % T(b | 1)); });
  });
}

TEST(IntegerOpsTest, Extrema) {
  forEachInteger([](auto t) {
    using T = decltype(t);
    checkLanes<T, T, T>("min." + typeName<T>() + " %d, %a, %b;",
                        [](T a, T b) { return a < b ? a : b; });
    checkLanes<T, T, T>("max." + typeName<T>() + " %d, %a, %b;",
                        [](T a, T b) { return a < b ? b : a; });
    if constexpr (std::is_signed_v<T>) {
      checkLanes<T, T>("abs." + typeName<T>() + " %d, %a;",
                       [](T a) { return T(a < 0 ? -Int128(a) : Int128(a)); });
      checkLanes<T, T>("neg." + typeName<T>() + " %d, %a;",
                       [](T a) { return T(-Int128(a)); });
    }
  });
  using S = int32_t;
  checkLanes<S, S, S>("min.relu.s32 %d, %a, %b;",
                      [](S a, S b) { return std::max(std::min(a, b), 0); });
  checkLanes<S, S, S>("max.relu.s32 %d, %a, %b;",
                      [](S a, S b) { return std::max(std::max(a, b), 0); });
}

/// f on the halves, as integers of T.
template <class T, class F> static auto onHalves(F f) {
  return [f](uint32_t a, uint32_t b) {
    uint32_t low = uint16_t(f(T(a), T(b)));
    uint32_t high = uint16_t(f(T(a >> 16), T(b >> 16)));
    return high << 16 | low;
  };
}

TEST(IntegerOpsTest, Pairs) {
  using U = uint32_t;
  auto add = [](int a, int b) { return a + b; };
  auto min = [](int a, int b) { return std::min(a, b); };
  auto max = [](int a, int b) { return std::max(a, b); };
  auto relu = [=](int a, int b) { return std::max(0, min(a, b)); };
  checkLanes<U, U, U>("add.u16x2 %d, %a, %b;", onHalves<uint16_t>(add));
  checkLanes<U, U, U>("add.s16x2 %d, %a, %b;", onHalves<int16_t>(add));
  checkLanes<U, U, U>("min.u16x2 %d, %a, %b;", onHalves<uint16_t>(min));
  checkLanes<U, U, U>("max.u16x2 %d, %a, %b;", onHalves<uint16_t>(max));
  checkLanes<U, U, U>("min.s16x2 %d, %a, %b;", onHalves<int16_t>(min));
  checkLanes<U, U, U>("max.s16x2 %d, %a, %b;", onHalves<int16_t>(max));
  checkLanes<U, U, U>("min.relu.s16x2 %d, %a, %b;", onHalves<int16_t>(relu));
}

TEST(IntegerOpsTest, DotProducts) {
  using U = uint32_t;
  auto byte = [](bool isSigned, U a, unsigned i) {
    return isSigned ? int(int8_t(a >> 8 * i)) : int(uint8_t(a >> 8 * i));
  };
  auto word = [](bool isSigned, U a, unsigned i) {
    return isSigned ? int(int16_t(a >> 16 * i)) : int(uint16_t(a >> 16 * i));
  };
  for (bool sa : {false, true})
    for (bool sb : {false, true}) {
      std::string types =
          std::string(sa ? ".s32" : ".u32") + (sb ? ".s32" : ".u32");
      checkLanes<U, U, U, U>("dp4a" + types + " %d, %a, %b, %c;",
                             [&](U a, U b, U c) {
                               int64_t sum = c;
                               for (unsigned i = 0; i < 4; ++i)
                                 sum += byte(sa, a, i) * byte(sb, b, i);
                               return U(sum);
                             });
      for (unsigned high : {0u, 1u})
        checkLanes<U, U, U, U>(
            (high ? "dp2a.hi" : "dp2a.lo") + types + " %d, %a, %b, %c;",
            [&](U a, U b, U c) {
              int64_t sum = c;
              for (unsigned i = 0; i < 2; ++i)
                sum += int64_t(word(sa, a, i)) * byte(sb, b, i + 2 * high);
              return U(sum);
            });
    }
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

template <class T> static void checkBits() {
  std::string width = std::to_string(8 * sizeof(T));
  constexpr unsigned bits = 8 * sizeof(T);
  using S = std::make_signed_t<T>;
  checkLanes<uint32_t, T>("popc.b" + width + " %d, %a;", [](T a) {
    uint32_t count = 0;
    for (unsigned i = 0; i < bits; ++i)
      count += a >> i & 1;
    return count;
  });
  checkLanes<uint32_t, T>("clz.b" + width + " %d, %a;", [](T a) {
    uint32_t count = 0;
    while (count < bits && !(a >> (bits - 1 - count) & 1))
      ++count;
    return count;
  });
  checkLanes<T, T>("brev.b" + width + " %d, %a;", [](T a) {
    T result = 0;
    for (unsigned i = 0; i < bits; ++i)
      result |= (a >> i & 1) << (bits - 1 - i);
    return result;
  });
  auto find = [](bool isSigned, bool amount, T a) {
    if (isSigned && S(a) < 0)
      a = ~a;
    for (int i = bits - 1; i >= 0; --i)
      if (a >> i & 1)
        return amount ? bits - 1 - i : uint32_t(i);
    return ~uint32_t(0);
  };
  for (bool isSigned : {false, true})
    for (bool amount : {false, true})
      checkLanes<uint32_t, T>(std::string("bfind") +
                                  (amount ? ".shiftamt." : ".") +
                                  (isSigned ? "s" : "u") + width + " %d, %a;",
                              [&](T a) { return find(isSigned, amount, a); });
  // The pseudo code of the ISA, but that of 64-bit fields all bits of position
  // and length count, as on the hardware.
  auto part = [](uint32_t a) -> uint64_t { return bits == 64 ? a : a & 0xff; };
  auto extract = [part](bool isSigned, T a, uint32_t b, uint32_t c) {
    uint64_t pos = part(b), len = part(c);
    T sign;
    if (!isSigned || len == 0)
      sign = 0;
    else
      sign = a >> std::min<uint64_t>(pos + len - 1, bits - 1) & 1;
    T d = 0;
    for (unsigned i = 0; i < bits; ++i) {
      T bit = i < len && pos + i < bits ? a >> (pos + i) & 1 : sign;
      d |= bit << i;
    }
    return d;
  };
  for (bool isSigned : {false, true})
    checkLanes<T, T, uint32_t, uint32_t>(std::string("bfe.") +
                                             (isSigned ? "s" : "u") + width +
                                             " %d, %a, %b, %c;",
                                         [&](T a, uint32_t b, uint32_t c) {
                                           return extract(isSigned, a, b, c);
                                         });
  checkLanes<T, T, T, uint32_t, uint32_t>(
      "bfi.b" + width + " %d, %a, %b, %c, %e;",
      [part](T a, T b, uint32_t c, uint32_t d) {
        uint64_t pos = part(c), len = part(d);
        T f = b;
        for (unsigned i = 0; i < len && pos + i < bits; ++i) {
          T bit = i < bits ? a >> i & 1 : 0;
          f = (f & ~(T(1) << (pos + i))) | bit << (pos + i);
        }
        return f;
      });
}

TEST(IntegerOpsTest, Bits32) { checkBits<uint32_t>(); }
TEST(IntegerOpsTest, Bits64) { checkBits<uint64_t>(); }

TEST(IntegerOpsTest, MasksAndExtensions) {
  using U = uint32_t;
  for (bool wrap : {false, true}) {
    auto amount = [=](U a) { return wrap ? a & 31 : std::min(a, 32u); };
    std::string mode = wrap ? ".wrap" : ".clamp";
    checkLanes<U, U, U>("bmsk" + mode + ".b32 %d, %a, %b;", [&](U a, U b) {
      uint64_t ones = (uint64_t(1) << amount(b)) - 1;
      return U(ones << amount(a));
    });
    checkLanes<U, U, U>("szext" + mode + ".u32 %d, %a, %b;", [&](U a, U b) {
      return U(a & ((uint64_t(1) << amount(b)) - 1));
    });
    checkLanes<U, U, U>("szext" + mode + ".s32 %d, %a, %b;", [&](U a, U b) {
      unsigned n = amount(b);
      return n ? U(int64_t(uint64_t(a) << (64 - n)) >> (64 - n)) : 0;
    });
  }
}

TEST(IntegerOpsTest, FindNthSet) {
  // The pseudo code of the ISA.
  checkLanes<uint32_t, uint32_t, uint32_t, int32_t>(
      "and.b32 %b, %b, 31;\nfns.b32 %d, %a, %b, %c;",
      [](uint32_t mask, uint32_t base, int32_t offset) {
        base &= 31;
        uint32_t d = 0xffffffff;
        // As an H200 has it.
        if (offset == INT32_MIN)
          return 0u;
        if (offset == 0)
          return mask >> base & 1 ? base : d;
        int64_t pos = base, count = std::abs(int64_t(offset)) - 1;
        int inc = offset > 0 ? 1 : -1;
        while (pos >= 0 && pos < 32) {
          if (mask >> pos & 1) {
            if (count == 0)
              return uint32_t(pos);
            --count;
          }
          pos += inc;
        }
        return d;
      });
}
