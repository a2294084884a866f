//===- HalfOpsTest.cpp - f16 and bf16 -------------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Against 113-bit floats, alone and in pairs.
//
//===----------------------------------------------------------------------===//

#include "FloatReference.h"
#include "LaneCheck.h"

using namespace ptxbench;
using namespace ptxbench::emulator;
using namespace ptxbench::emulator::test;

using U16 = uint16_t;
using U32 = uint32_t;

/// `operands`: "%a, %b"; `f` is of as many 16-bit values, of types S...
template <class... S, class F>
static void checkHalf(const std::string &mnemonic, bool isF16,
                      const std::string &operands, F f) {
  std::string type = isF16 ? ".f16" : ".bf16";
  checkLanes<U16, S...>(mnemonic + type + " %d, " + operands + ";", f, 1024);
  checkLanes<U32, decltype(U32(S()))...>(
      mnemonic + type + "x2 %d, " + operands + ";",
      [&](auto... packed) {
        U32 low = f(U16(packed)...), high = f(U16(packed >> 16)...);
        return high << 16 | low;
      },
      1024);
}

TEST(HalfOpsTest, Sums) {
  for (bool isF16 : {true, false})
    for (bool ftz : {false, true})
      for (bool sat : {false, true}) {
        if (!isF16 && (ftz || sat))
          continue;
        const Format16 &format = isF16 ? formatF16 : formatBF16;
        std::string mods = std::string(ftz ? ".ftz" : "") + (sat ? ".sat" : "");
        auto finish = [=](U16 bits) {
          bits = format.flushed(ftz, bits);
          return sat ? format.saturated(bits) : bits;
        };
        auto in = [=](U16 bits) { return format.flushed(ftz, bits); };
        checkHalf<U16, U16>("add" + mods, isF16, "%a, %b", [=](U16 a, U16 b) {
          return finish(format.fma(in(a), format.one(), in(b)));
        });
        checkHalf<U16, U16>(
            "sub.rn" + mods, isF16, "%a, %b", [=](U16 a, U16 b) {
              return finish(format.fma(in(a), format.one(), in(b) ^ 0x8000));
            });
        // A product's zero has its sign, so that -0.0 is added to it.
        checkHalf<U16, U16>("mul" + mods, isF16, "%a, %b", [=](U16 a, U16 b) {
          U16 zero = (a ^ b) & 0x8000;
          return finish(format.fma(in(a), in(b), zero));
        });
      }
}

TEST(HalfOpsTest, Fma) {
  for (bool isF16 : {true, false})
    for (const char *mods : {"", ".ftz", ".sat", ".relu", ".ftz.sat",
                             ".ftz.relu", ".oob", ".oob.relu"}) {
      llvm::StringRef list(mods);
      bool ftz = list.contains("ftz"), sat = list.contains("sat");
      bool relu = list.contains("relu"), oob = list.contains("oob");
      if (!isF16 && (ftz || sat))
        continue;
      const Format16 &format = isF16 ? formatF16 : formatBF16;
      checkHalf<U16, U16, U16>(
          std::string("fma.rn") + mods, isF16, "%a, %b, %c",
          [=](U16 a, U16 b, U16 c) -> U16 {
            if (oob && ((a & 0x7fff) == 0x7ff7 || (b & 0x7fff) == 0x7ff7))
              return 0;
            U16 result = format.flushed(
                ftz, format.fma(format.flushed(ftz, a), format.flushed(ftz, b),
                                format.flushed(ftz, c)));
            return sat    ? format.saturated(result)
                   : relu ? format.relu(result)
                          : result;
          });
    }
}

TEST(HalfOpsTest, ExtremaAndSigns) {
  for (bool isF16 : {true, false})
    for (bool ftz : {false, true}) {
      if (!isF16 && ftz)
        continue;
      const Format16 &format = isF16 ? formatF16 : formatBF16;
      std::string flush = ftz ? ".ftz" : "";
      checkHalf<U16>("abs" + flush, isF16, "%a", [=](U16 a) -> U16 {
        return format.isNaN(a) ? 0x7fff : format.flushed(ftz, a) & 0x7fff;
      });
      checkHalf<U16>("neg" + flush, isF16, "%a", [=](U16 a) -> U16 {
        return format.isNaN(a) ? 0x7fff : format.flushed(ftz, a) ^ 0x8000;
      });
      for (bool isMax : {false, true})
        for (bool nan : {false, true})
          for (bool xorsign : {false, true})
            checkHalf<U16, U16>(
                (isMax ? "max" : "min") + flush + (nan ? ".NaN" : "") +
                    (xorsign ? ".xorsign.abs" : ""),
                isF16, "%a, %b", [=](U16 a, U16 b) -> U16 {
                  a = format.flushed(ftz, a), b = format.flushed(ftz, b);
                  U16 sign = (a ^ b) & 0x8000;
                  if (xorsign)
                    a &= 0x7fff, b &= 0x7fff;
                  double x = format.value(a), y = format.value(b);
                  bool anyNaN = std::isnan(x) || std::isnan(y);
                  if (nan ? anyNaN : std::isnan(x) && std::isnan(y))
                    return 0x7fff;
                  U16 result;
                  if (anyNaN)
                    result = std::isnan(x) ? b : a;
                  else if (x == y)
                    result = isMax ? a & b : a | b;
                  else
                    result = (x < y) == isMax ? b : a;
                  return xorsign ? result | sign : result;
                });
    }
}

TEST(HalfOpsTest, Functions) {
  auto rounded = [](const Format16 &format, double value, U16 zero) -> U16 {
    if (std::isinf(value))
      return format.infinity();
    return format.round(Wide(value), Rounding::RN, zero);
  };
  checkHalf<U16>("ex2.approx", true, "%a", [=](U16 a) -> U16 {
    double x = formatF16.value(a);
    return std::isnan(x) ? 0x7fff : rounded(formatF16, std::exp2(x), 0);
  });
  checkHalf<U16>("ex2.approx.ftz", false, "%a", [=](U16 a) -> U16 {
    double x = formatBF16.value(a);
    if (std::isnan(x))
      return 0x7fff;
    return formatBF16.flushed(true, rounded(formatBF16, std::exp2(x), 0));
  });
  for (bool isF16 : {true, false})
    checkHalf<U16>("tanh.approx", isF16, "%a", [=](U16 a) -> U16 {
      const Format16 &format = isF16 ? formatF16 : formatBF16;
      double x = format.value(a);
      return std::isnan(x) ? 0x7fff : rounded(format, std::tanh(x), a & 0x8000);
    });
}
