//===- CompareOpsTest.cpp - Comparison and selection ----------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All operators and types against the host's comparisons; both results,
// combined with a predicate and not.
//
//===----------------------------------------------------------------------===//

#include "FloatReference.h"
#include "LaneCheck.h"

using namespace ptxbench;
using namespace ptxbench::emulator;
using namespace ptxbench::emulator::test;

using U16 = uint16_t;
using U32 = uint32_t;
using U64 = uint64_t;

namespace {

/// Whether `x op y` holds; with a NaN the operators ending in u do, and nan.
template <class T> bool holds(llvm::StringRef op, T x, T y) {
  if (op == "num")
    return x == x && y == y;
  if (op == "nan")
    return x != x || y != y;
  if (x != x || y != y)
    return op.size() == 3 && op.back() == 'u';
  if (op == "eq" || op == "equ")
    return x == y;
  if (op == "ne" || op == "neu")
    return x != y;
  if (op == "lt" || op == "ltu" || op == "lo")
    return x < y;
  if (op == "le" || op == "leu" || op == "ls")
    return x <= y;
  if (op == "gt" || op == "gtu" || op == "hi")
    return x > y;
  EXPECT_TRUE(op == "ge" || op == "geu" || op == "hs") << op.str();
  return x >= y;
}

constexpr const char *equalOps[] = {"eq", "ne"};
constexpr const char *signedOps[] = {"eq", "ne", "lt", "le", "gt", "ge"};
constexpr const char *unsignedOps[] = {"eq", "ne", "lt", "le", "gt",
                                       "ge", "lo", "ls", "hi", "hs"};
constexpr const char *floatOps[] = {"eq",  "ne",  "lt",  "le",  "gt",
                                    "ge",  "equ", "neu", "ltu", "leu",
                                    "gtu", "geu", "num", "nan"};

/// How a predicate is combined: an operator, its spelling, the negation.
struct Combination {
  const char *op;
  bool negated;
  bool apply(bool t, bool c) const {
    c = c != negated;
    return op[0] == 'a' ? t && c : op[0] == 'o' ? t || c : t != c;
  }
};
constexpr Combination combinations[] = {
    {"and", false}, {"and", true}, {"or", false}, {"xor", true}};

/// Calls `check(mods, value, op)` with each type of the forms, as they are
/// written; `value` makes a number of the operand's bits.
template <class F> void forEachType(F check) {
  auto all = [&](llvm::ArrayRef<const char *> ops, const std::string &type,
                 auto bits, auto value, const std::string &mods = "") {
    for (const char *op : ops)
      check(std::string(op), mods, type, bits, value);
  };
  all(equalOps, "b16", U16(), [](U16 a) { return a; });
  all(equalOps, "b32", U32(), [](U32 a) { return a; });
  all(equalOps, "b64", U64(), [](U64 a) { return a; });
  all(unsignedOps, "u16", U16(), [](U16 a) { return a; });
  all(unsignedOps, "u32", U32(), [](U32 a) { return a; });
  all(unsignedOps, "u64", U64(), [](U64 a) { return a; });
  all(signedOps, "s16", U16(), [](U16 a) { return int16_t(a); });
  all(signedOps, "s32", U32(), [](U32 a) { return int32_t(a); });
  all(signedOps, "s64", U64(), [](U64 a) { return int64_t(a); });
  all(floatOps, "f32", U32(), [](U32 a) { return f32(a); });
  all(
      floatOps, "f32", U32(), [](U32 a) { return f32(flushed(true, a)); },
      ".ftz");
  all(floatOps, "f64", U64(), [](U64 a) { return f64(a); });
  all(floatOps, "f16", U16(), [](U16 a) { return formatF16.value(a); });
  all(
      floatOps, "f16", U16(),
      [](U16 a) { return formatF16.value(formatF16.flushed(true, a)); },
      ".ftz");
  all(floatOps, "bf16", U16(), [](U16 a) { return formatBF16.value(a); });
}

} // namespace

TEST(CompareOpsTest, Setp) {
  forEachType([](const std::string &op, const std::string &mods,
                 const std::string &type, auto bits, auto value) {
    using T = decltype(bits);
    // Half as many operands that are equal.
    std::string head = "setp." + op;
    bool isHalf = type == "f16" || type == "bf16";
    if (isHalf) {
      checkLanes<U32, T, T>(
          head + mods + "." + type + " %p1, %a, %b;\nselp.u32 %d, 1, 2, %p1;",
          [&](T a, T b) { return holds(op, value(a), value(b)) ? 1u : 2u; },
          512);
      return;
    }
    checkLanes<U32, T, T>(
        head + mods + "." + type +
            " %p1|%p2, %a, %b;\nselp.u32 %r1, 1, 0, %p1;\n"
            "selp.u32 %r2, 2, 0, %p2;\nadd.u32 %d, %r1, %r2;",
        [&](T a, T b) { return holds(op, value(a), value(b)) ? 1u : 2u; }, 512);
    checkLanes<U32, T>(
        head + mods + "." + type + " %p1, %a, %a;\nselp.u32 %d, 1, 2, %p1;",
        [&](T a) { return holds(op, value(a), value(a)) ? 1u : 2u; }, 512);
  });
}

TEST(CompareOpsTest, SetpCombined) {
  for (const Combination &combination : combinations)
    for (const char *op : {"lt", "geu"})
      checkLanes<U32, U32, U32, U32, U32>(
          "setp.lt.u32 %p3, %c, %e;\n" +
              (std::string("setp.") + op + "." + combination.op +
               ".f32 %p1|%p2, ") +
              "%a, %b, " + (combination.negated ? "!" : "") +
              "%p3;\nselp.u32 %r1, 1, 0, %p1;\nselp.u32 %r2, 2, 0, %p2;\n"
              "add.u32 %d, %r1, %r2;",
          [&](U32 a, U32 b, U32 c, U32 e) {
            bool t = holds(op, f32(a), f32(b));
            return U32(combination.apply(t, c < e)) +
                   2 * U32(combination.apply(!t, c < e));
          });
  // The predicate that is combined is a result as well, and a result is `_`.
  checkLanes<U32, U32, U32, U32>(
      "setp.lt.u32 %p1, %b, %c;\nsetp.lt.and.u32 %p1|%p2, %a, %b, %p1;\n"
      "selp.u32 %r1, 1, 0, %p1;\nselp.u32 %r2, 2, 0, %p2;\n"
      "add.u32 %d, %r1, %r2;",
      [](U32 a, U32 b, U32 c) { return b < c ? (a < b ? 1u : 2u) : 0u; });
  checkLanes<U32, U32, U32>(
      "setp.lt.u32 %p1|_, %a, %b;\nselp.u32 %d, 1, 2, %p1;",
      [](U32 a, U32 b) { return a < b ? 1u : 2u; });
}

TEST(CompareOpsTest, Constants) {
  checkLanes<U32, U32>(
      "setp.lt.and.u32 %p1, %a, 16, 1;\nselp.u32 %d, 7, 9, %p1;",
      [](U32 a) { return a < 16 ? 7u : 9u; });
  checkLanes<U32, U32>(
      "setp.gt.f32 %p1, 0f3f800000, %a;\n"
      "selp.f32 %d, 0f40000000, 0f40400000, %p1;",
      [](U32 a) { return 1.0f > f32(a) ? 0x40000000u : 0x40400000u; });
  checkLanes<U64, U64>("setp.le.s64 %p1, %a, -5;\nselp.b64 %d, %a, -1, %p1;",
                       [](U64 a) { return int64_t(a) <= -5 ? a : ~U64(0); });
}

TEST(CompareOpsTest, SetpPairs) {
  for (bool isF16 : {true, false})
    for (bool ftz : {false, true})
      for (const char *op : floatOps) {
        if (!isF16 && ftz)
          continue;
        const Format16 &format = isF16 ? formatF16 : formatBF16;
        auto value = [&](U32 bits) {
          return format.value(format.flushed(ftz, bits));
        };
        std::string text = (std::string("setp.") + op + ".xor") +
                           (ftz ? ".ftz" : "") + (isF16 ? ".f16x2" : ".bf16x2");
        checkLanes<U32, U32, U32, U32>(
            "setp.lt.u32 %p3, %a, %c;\n" + text +
                " %p1|%p2, %a, %b, %p3;\nselp.u32 %r1, 1, 0, %p1;\n"
                "selp.u32 %r2, 2, 0, %p2;\nadd.u32 %d, %r1, %r2;",
            [&](U32 a, U32 b, U32 c) {
              bool low = holds(op, value(a & 0xffff), value(b & 0xffff));
              bool high = holds(op, value(a >> 16), value(b >> 16));
              return U32(low != (a < c)) + 2 * U32(high != (a < c));
            },
            512);
      }
}

TEST(CompareOpsTest, Set) {
  forEachType([](const std::string &op, const std::string &mods,
                 const std::string &type, auto bits, auto value) {
    using T = decltype(bits);
    auto check = [&](const std::string &result, auto zero, auto one) {
      using D = decltype(zero);
      checkLanes<D, T, T>(
          "set." + op + mods + "." + result + "." + type + " %d, %a, %b;",
          [&](T a, T b) { return holds(op, value(a), value(b)) ? D(one) : 0; },
          256);
    };
    bool isHalf = type == "f16" || type == "bf16";
    check("u32", U32(), 0xffffffff);
    check("s32", U32(), 0xffffffff);
    if (isHalf)
      check("u16", U16(), 0xffff);
    else
      check("f32", U32(), 0x3f800000);
    if (type != "bf16")
      check("f16", U16(), 0x3c00);
    if (mods.empty())
      check("bf16", U16(), 0x3f80);
  });
  checkLanes<U32, U32, U32, U32>(
      "setp.lt.u32 %p1, %b, %c;\nset.gt.or.f32.s32 %d, %a, %b, !%p1;",
      [](U32 a, U32 b, U32 c) {
        return int32_t(a) > int32_t(b) || b >= c ? 0x3f800000u : 0u;
      });
}

TEST(CompareOpsTest, SetPairs) {
  for (bool isF16 : {true, false})
    for (const char *op : {"lt", "neu"})
      for (bool isNumber : {false, true}) {
        const Format16 &format = isF16 ? formatF16 : formatBF16;
        std::string type = isF16 ? ".f16x2" : ".bf16x2";
        U32 one = isNumber ? format.one() : 0xffff;
        checkLanes<U32, U32, U32>(
            std::string("set.") + op + (isNumber ? type : ".u32") + type +
                " %d, %a, %b;",
            [&](U32 a, U32 b) {
              U32 low =
                  holds(op, format.value(a & 0xffff), format.value(b & 0xffff));
              U32 high =
                  holds(op, format.value(a >> 16), format.value(b >> 16));
              return high * (one << 16) | low * one;
            });
      }
}

template <class T> static void checkSelection(const std::string &type) {
  checkLanes<T, T, T, U32, U32>(
      "setp.lt.u32 %p1, %c, %e;\nselp." + type + " %d, %a, %b, %p1;",
      [](T a, T b, U32 c, U32 e) { return c < e ? a : b; });
  checkLanes<T, T, T, U32>(
      "slct." + type + ".s32 %d, %a, %b, %c;",
      [](T a, T b, U32 c) { return int32_t(c) >= 0 ? a : b; });
  for (bool ftz : {false, true})
    checkLanes<T, T, T, U32>(
        std::string("slct") + (ftz ? ".ftz." : ".") + type +
            ".f32 %d, %a, %b, %c;",
        [=](T a, T b, U32 c) { return f32(flushed(ftz, c)) >= 0 ? a : b; });
}

TEST(CompareOpsTest, Selection) {
  for (const char *type : {"b16", "u16", "s16"})
    checkSelection<U16>(type);
  for (const char *type : {"b32", "u32", "s32", "f32"})
    checkSelection<U32>(type);
  for (const char *type : {"b64", "u64", "s64", "f64"})
    checkSelection<U64>(type);
}
