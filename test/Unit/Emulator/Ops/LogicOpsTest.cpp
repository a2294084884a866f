//===- LogicOpsTest.cpp - Logic, shifts, permutations ---------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bit by bit.
//
//===----------------------------------------------------------------------===//

#include "LaneCheck.h"

using namespace ptxbench;
using namespace ptxbench::emulator;

using U32 = uint32_t;
using U64 = uint64_t;

template <class T> static void checkLogic() {
  std::string width = std::to_string(8 * sizeof(T));
  static constexpr unsigned bits = 8 * sizeof(T);
  using S = std::make_signed_t<T>;
  checkLanes<T, T, T>("and.b" + width + " %d, %a, %b;",
                      [](T a, T b) { return T(a & b); });
  checkLanes<T, T, T>("or.b" + width + " %d, %a, %b;",
                      [](T a, T b) { return T(a | b); });
  checkLanes<T, T, T>("xor.b" + width + " %d, %a, %b;",
                      [](T a, T b) { return T(a ^ b); });
  checkLanes<T, T>("not.b" + width + " %d, %a;", [](T a) { return T(~a); });
  checkLanes<T, T>("cnot.b" + width + " %d, %a;",
                   [](T a) { return T(a == 0); });
  // Amounts are clamped to the width.
  checkLanes<T, T, U32>("shl.b" + width + " %d, %a, %b;", [](T a, U32 b) {
    for (U32 i = 0; i < std::min(b, bits); ++i)
      a = T(a * 2);
    return a;
  });
  for (const char *type : {"u", "b"})
    checkLanes<T, T, U32>("shr." + (type + width) + " %d, %a, %b;",
                          [](T a, U32 b) {
                            for (U32 i = 0; i < std::min(b, bits); ++i)
                              a = T(a / 2);
                            return a;
                          });
  checkLanes<S, S, U32>("shr.s" + width + " %d, %a, %b;", [](S a, U32 b) {
    for (U32 i = 0; i < std::min(b, bits); ++i)
      a = S(a >> 1);
    return a;
  });
}

TEST(LogicOpsTest, Bits16) { checkLogic<uint16_t>(); }
TEST(LogicOpsTest, Bits32) { checkLogic<uint32_t>(); }
TEST(LogicOpsTest, Bits64) { checkLogic<uint64_t>(); }

TEST(LogicOpsTest, Predicates) {
  std::string set = "setp.lt.u32 %p1, %a, %b;\nsetp.lt.u32 %p2, %b, %c;\n"
                    "setp.ne.u32 %p3, %d, %d;\n";
  std::string get = "\nselp.b32 %d, 1, 2, %p3;";
  auto check = [&](const std::string &text, auto f) {
    checkLanes<U32, U32, U32, U32>(set + text + get, [=](U32 a, U32 b, U32 c) {
      return f(a < b, b < c) ? 1u : 2u;
    });
  };
  check("and.pred %p3, %p1, %p2;", [](bool a, bool b) { return a && b; });
  check("or.pred %p3, %p1, %p2;", [](bool a, bool b) { return a || b; });
  check("xor.pred %p3, %p1, %p2;", [](bool a, bool b) { return a != b; });
  check("not.pred %p3, %p1;", [](bool a, bool) { return !a; });
  check("and.pred %p3, !%p1, %p2;", [](bool a, bool b) { return !a && b; });
  check("or.pred %p3, %p1, !%p2;", [](bool a, bool b) { return a || !b; });
}

/// Bit i of the table is the result of the bits of i, `a` the highest.
static U32 lookUp(U32 a, U32 b, U32 c, U32 table) {
  U32 d = 0;
  for (unsigned i = 0; i < 32; ++i) {
    U32 index = (a >> i & 1) * 4 + (b >> i & 1) * 2 + (c >> i & 1);
    d |= (table >> index & 1) << i;
  }
  return d;
}

TEST(LogicOpsTest, Lop3) {
  for (U32 table : {0x00u, 0x80u, 0x96u, 0xe8u, 0xeau, 0x1du, 0xffu})
    checkLanes<U32, U32, U32, U32>(
        "lop3.b32 %d, %a, %b, %c, " + std::to_string(table) + ";",
        [=](U32 a, U32 b, U32 c) { return lookUp(a, b, c, table); }, 512);
}

TEST(LogicOpsTest, Lop3WithPredicate) {
  // The predicate alone, and together with the result.
  std::string get = "\nselp.b32 %d, 1, 2, %p2;";
  auto set = [](U32 a, U32 e) { return a < e; };
  for (bool isAnd : {true, false})
    for (bool negated : {false, true}) {
      std::string head = isAnd ? "lop3.and.b32 " : "lop3.or.b32 ";
      std::string q = negated ? "!%p1;" : "%p1;";
      auto p = [=](U32 a, U32 b, U32 c, U32 e) {
        bool isSet = (a & b & c) != 0, other = set(a, e) != negated;
        return isAnd ? isSet && other : isSet || other;
      };
      checkLanes<U32, U32, U32, U32, U32>(
          "setp.lt.u32 %p1, %a, %e;\n" + head + "_|%p2, %a, %b, %c, 0x80, " +
              q + get,
          [=](U32 a, U32 b, U32 c, U32 e) { return p(a, b, c, e) ? 1u : 2u; });
      checkLanes<U32, U32, U32, U32, U32>(
          "setp.lt.u32 %p1, %a, %e;\n" + head + "%r1|%p2, %a, %b, %c, 0x80, " +
              q + "\nselp.b32 %d, %r1, %a, %p2;",
          [=](U32 a, U32 b, U32 c, U32 e) {
            return p(a, b, c, e) ? a & b & c : a;
          });
    }
}

TEST(LogicOpsTest, Funnels) {
  for (bool wrap : {false, true})
    for (bool left : {false, true})
      checkLanes<U32, U32, U32, U32>(
          std::string("shf.") + (left ? "l." : "r.") +
              (wrap ? "wrap" : "clamp") + ".b32 %d, %a, %b, %c;",
          [=](U32 a, U32 b, U32 c) {
            U32 n = wrap ? c & 31 : std::min(c, 32u);
            if (left)
              return n == 32 ? a : n == 0 ? b : b << n | a >> (32 - n);
            return n == 32 ? b : n == 0 ? a : b << (32 - n) | a >> n;
          });
}

TEST(LogicOpsTest, Permutations) {
  auto byteAt = [](U32 a, U32 b, U32 i) {
    return i < 4 ? a >> 8 * i & 0xff : b >> 8 * (i - 4) & 0xff;
  };
  checkLanes<U32, U32, U32, U32>("prmt.b32 %d, %a, %b, %c;",
                                 [=](U32 a, U32 b, U32 c) {
                                   U32 d = 0;
                                   for (unsigned i = 0; i < 4; ++i) {
                                     U32 selector = c >> 4 * i & 15;
                                     U32 byte = byteAt(a, b, selector & 7);
                                     if (selector & 8)
                                       byte = byte & 0x80 ? 0xff : 0;
                                     d |= byte << 8 * i;
                                   }
                                   return d;
                                 });
  // The tables of the ISA: bytes from the lowest up, for c = 0 to 3.
  struct Mode {
    const char *name;
    uint8_t bytes[4][4];
  };
  static constexpr Mode modes[] = {
      {"f4e", {{0, 1, 2, 3}, {1, 2, 3, 4}, {2, 3, 4, 5}, {3, 4, 5, 6}}},
      {"b4e", {{0, 7, 6, 5}, {1, 0, 7, 6}, {2, 1, 0, 7}, {3, 2, 1, 0}}},
      {"rc8", {{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}}},
      {"ecl", {{0, 1, 2, 3}, {1, 1, 2, 3}, {2, 2, 2, 3}, {3, 3, 3, 3}}},
      {"ecr", {{0, 0, 0, 0}, {0, 1, 1, 1}, {0, 1, 2, 2}, {0, 1, 2, 3}}},
      {"rc16", {{0, 1, 0, 1}, {2, 3, 2, 3}, {0, 1, 0, 1}, {2, 3, 2, 3}}},
  };
  for (const Mode &mode : modes)
    checkLanes<U32, U32, U32, U32>(
        std::string("prmt.b32.") + mode.name + " %d, %a, %b, %c;",
        [&](U32 a, U32 b, U32 c) {
          U32 d = 0;
          for (unsigned i = 0; i < 4; ++i)
            d |= byteAt(a, b, mode.bytes[c & 3][i]) << 8 * i;
          return d;
        });
}
