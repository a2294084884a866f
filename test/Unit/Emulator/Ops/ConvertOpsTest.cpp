//===- ConvertOpsTest.cpp - Conversions -----------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Against 113-bit floats and the host's roundings, with registers as wide as
// the types and wider.
//
//===----------------------------------------------------------------------===//

#include "FloatReference.h"
#include "LaneCheck.h"

using namespace ptxbench;
using namespace ptxbench::emulator;
using namespace ptxbench::emulator::test;

__extension__ typedef __int128 Int128;
using U16 = uint16_t;
using U32 = uint32_t;
using U64 = uint64_t;

namespace {

template <class T> std::string typeName() {
  return (std::is_signed_v<T> ? "s" : "u") + std::to_string(8 * sizeof(T));
}
/// The narrowest register that holds T.
template <class T>
using RegisterOf =
    std::conditional_t<sizeof(T) == 8, U64,
                       std::conditional_t<sizeof(T) == 4, U32, U16>>;

template <class F> void forEachInteger(F f) {
  f(uint8_t());
  f(U16());
  f(U32());
  f(U64());
  f(int8_t());
  f(int16_t());
  f(int32_t());
  f(int64_t());
}

template <class To> To clampTo(Int128 value) {
  using Limits = std::numeric_limits<To>;
  return value < Int128(Limits::min())   ? Limits::min()
         : value > Int128(Limits::max()) ? Limits::max()
                                         : To(value);
}

/// A register of type D that holds `value`: extended as its type is.
template <class D, class T> D inRegister(T value) {
  return D(std::conditional_t<std::is_signed_v<T>, int64_t, U64>(value));
}

const char *integralNames[] = {"rni", "rzi", "rmi", "rpi"};

} // namespace

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

template <class To, class From, class D, class S>
static void checkIntegers(bool sat) {
  checkLanes<D, S>(
      std::string("cvt") + (sat ? ".sat" : "") + "." + typeName<To>() + "." +
          typeName<From>() + " %d, %a;",
      [=](S a) {
        From from = From(a);
        return inRegister<D>(sat ? clampTo<To>(from) : To(from));
      },
      256);
}

TEST(ConvertOpsTest, Integers) {
  forEachInteger([](auto to) {
    forEachInteger([](auto from) {
      using To = decltype(to);
      using From = decltype(from);
      checkIntegers<To, From, RegisterOf<To>, RegisterOf<From>>(false);
      checkIntegers<To, From, U64, U64>(false);
      // .sat exists where the value may not fit.
      bool fits = std::numeric_limits<To>::min() <= Int128(0) &&
                  Int128(std::numeric_limits<From>::min()) >=
                      Int128(std::numeric_limits<To>::min()) &&
                  Int128(std::numeric_limits<From>::max()) <=
                      Int128(std::numeric_limits<To>::max());
      if (fits)
        return;
      checkIntegers<To, From, RegisterOf<To>, RegisterOf<From>>(true);
      checkIntegers<To, From, U64, U64>(true);
    });
  });
}

TEST(ConvertOpsTest, Constants) {
  checkLanes<U32>("cvt.u32.u8 %d, 300;", [] { return 44u; });
  checkLanes<U16>("cvt.rn.f16.f32 %d, 0f3f800000;", [] { return U16(0x3c00); });
  checkLanes<U64>("cvt.s64.s32 %d, -2;", [] { return ~U64(1); });
  // A special register is 32 bits wide.
  checkLanes<U64>("cvt.u64.u16 %d, %ntid.x;", [] { return U64(64); });
}

TEST(ConvertOpsTest, Pack) {
  using S = int32_t;
  auto clamp = [](S value, int bits, bool isSigned) {
    int64_t low = isSigned ? -(int64_t(1) << (bits - 1)) : 0;
    int64_t high = (int64_t(1) << (isSigned ? bits - 1 : bits)) - 1;
    return U32(std::clamp<int64_t>(value, low, high)) & ((1u << bits) - 1);
  };
  for (bool isSigned : {false, true}) {
    std::string sign = isSigned ? "s" : "u";
    checkLanes<U32, S, S>(
        "cvt.pack.sat." + sign + "16.s32 %d, %a, %b;", [&](S a, S b) {
          return clamp(a, 16, isSigned) << 16 | clamp(b, 16, isSigned);
        });
    for (int bits : {2, 4, 8})
      checkLanes<U32, S, S, U32>("cvt.pack.sat." + sign + std::to_string(bits) +
                                     ".s32.b32 %d, %a, %b, %c;",
                                 [&](S a, S b, U32 c) {
                                   return c << 2 * bits |
                                          clamp(a, bits, isSigned) << bits |
                                          clamp(b, bits, isSigned);
                                 });
  }
}

//===----------------------------------------------------------------------===//
// Between integers and floats
//===----------------------------------------------------------------------===//

/// What a NaN becomes.
template <class To> static To integerOfNaN(bool from64) {
  if (!from64 && sizeof(To) < 8)
    return 0;
  return To(U64(1) << (8 * sizeof(To) - 1));
}

template <class To, class S, class F>
static void checkToInteger(const std::string &type, F value, bool from64,
                           const std::string &mods = "") {
  using D = RegisterOf<To>;
  for (unsigned i = 0; i < 4; ++i)
    checkLanes<D, S>(
        std::string("cvt.") + integralNames[i] + mods + "." + typeName<To>() +
            "." + type + " %d, %a;",
        [&](S a) {
          double x = value(a);
          if (std::isnan(x))
            return inRegister<D>(integerOfNaN<To>(from64));
          double whole = underRounding<double>(
              roundingNames[i].rounding,
              [](double v, double, double) { return std::nearbyint(v); }, x);
          whole = std::clamp(whole, -1e25, 1e25);
          return inRegister<D>(clampTo<To>(Int128(whole)));
        },
        512);
}

TEST(ConvertOpsTest, FloatToInteger) {
  forEachInteger([](auto to) {
    using To = decltype(to);
    checkToInteger<To, U32>(
        "f32", [](U32 a) { return double(f32(a)); }, false);
    checkToInteger<To, U32>(
        "f32", [](U32 a) { return double(f32(flushed(true, a))); }, false,
        ".ftz");
    checkToInteger<To, U64>(
        "f64", [](U64 a) { return f64(a); }, true);
    checkToInteger<To, U64>(
        "f64", [](U64 a) { return f64(a); }, true, ".sat");
    checkToInteger<To, U16>(
        "f16", [](U16 a) { return formatF16.value(a); }, false);
    if constexpr (sizeof(To) > 1)
      checkToInteger<To, U16>(
          "bf16", [](U16 a) { return formatBF16.value(a); }, false);
  });
}

/// The bits of an integer in a format whose exponents suffice.
static U64 encode(Int128 value, int fraction, int bias, int signBit,
                  Rounding rounding) {
  if (value == 0)
    return 0;
  U64 code = roundReference(Wide(value), 0, fraction, bias, rounding);
  return code | (value < 0 ? U64(1) << signBit : 0);
}

TEST(ConvertOpsTest, IntegerToFloat) {
  for (const RoundingName &mode : roundingNames)
    forEachInteger([&](auto from) {
      using From = decltype(from);
      using S = RegisterOf<From>;
      auto name = [&](const std::string &to) {
        return std::string("cvt.") + mode.name + to + "." + typeName<From>() +
               " %d, %a;";
      };
      checkLanes<U32, S>(
          name(".f32"),
          [&](S a) { return U32(encode(From(a), 23, 127, 31, mode.rounding)); },
          512);
      checkLanes<U64, S>(
          name(".f64"),
          [&](S a) { return encode(From(a), 52, 1023, 63, mode.rounding); },
          512);
      checkLanes<U16, S>(
          name(".f16"),
          [&](S a) { return formatF16.round(Wide(From(a)), mode.rounding); },
          512);
      checkLanes<U32, S>(
          name(".sat.f32"), [&](S a) { return From(a) > 0 ? 0x3f800000u : 0u; },
          512);
      if constexpr (sizeof(From) > 1)
        checkLanes<U16, S>(
            name(".bf16"),
            [&](S a) { return formatBF16.round(Wide(From(a)), mode.rounding); },
            512);
    });
}

//===----------------------------------------------------------------------===//
// Between floats
//===----------------------------------------------------------------------===//

/// A number in one of the formats of 16 bits.
static U16 encode16(const Format16 &format, double value, Rounding rounding) {
  U16 sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value))
    return 0x7fff;
  if (std::isinf(value))
    return U16(format.infinity() | sign);
  return format.round(Wide(value), rounding, sign);
}

TEST(ConvertOpsTest, Narrowing) {
  for (const RoundingName &mode : roundingNames) {
    std::string head = std::string("cvt.") + mode.name;
    for (bool ftz : {false, true})
      for (bool sat : {false, true})
        // A NaN keeps its payload.
        checkLanes<U32, U64>(
            head + (ftz ? ".ftz" : "") + (sat ? ".sat" : "") +
                ".f32.f64 %d, %a;",
            [&](U64 a) {
              double x = f64(a);
              if (std::isnan(x))
                return sat ? 0
                           : U32(a >> 32 & 0x80000000) | 0x7fc00000 |
                                 U32(a >> 29 & 0x3fffff);
              return resultF32(underRounding<double>(
                                   mode.rounding,
                                   [](double v, double, double) {
                                     volatile float narrow = float(v);
                                     return double(narrow);
                                   },
                                   x),
                               ftz, sat);
            });
    for (bool isF16 : {true, false}) {
      const Format16 &format = isF16 ? formatF16 : formatBF16;
      std::string to = isF16 ? ".f16" : ".bf16";
      checkLanes<U16, U32>(head + to + ".f32 %d, %a;", [&](U32 a) {
        return encode16(format, f32(a), mode.rounding);
      });
      // To f16 .ftz has no effect, as on an H200.
      checkLanes<U16, U32>(head + ".ftz" + to + ".f32 %d, %a;", [&](U32 a) {
        return encode16(format, f32(flushed(!isF16, a)), mode.rounding);
      });
      // A NaN keeps its sign and the upper bits of its payload.
      checkLanes<U16, U64>(head + to + ".f64 %d, %a;", [&](U64 a) {
        if (std::isnan(f64(a)))
          return U16((a >> 48 & 0x8000) | (isF16 ? 0x7e00 : 0x7fc0) |
                     (isF16 ? a >> 42 & 0x1ff : a >> 45 & 0x3f));
        return encode16(format, f64(a), mode.rounding);
      });
    }
    // Into a register that is wider.
    checkLanes<U32, U32>(head + ".f16.f32 %d, %a;", [&](U32 a) {
      return U32(encode16(formatF16, f32(a), mode.rounding));
    });
    checkLanes<U16, U16>(head + ".bf16.f16 %d, %a;", [&](U16 a) {
      return encode16(formatBF16, formatF16.value(a), mode.rounding);
    });
    checkLanes<U16, U16>(head + ".f16.bf16 %d, %a;", [&](U16 a) {
      return encode16(formatF16, formatBF16.value(a), mode.rounding);
    });
  }
}

/// cvt of f32 to 16 bits with .relu and .satfinite.
static U16 narrow(bool isF16, U32 a, Rounding rounding, bool relu,
                  bool satfinite) {
  const Format16 &format = isF16 ? formatF16 : formatBF16;
  U16 code = encode16(format, f32(a), rounding);
  if (satfinite && format.isInfinite(code))
    --code;
  return relu ? format.relu(code) : code;
}

TEST(ConvertOpsTest, ReluAndSatfinite) {
  for (unsigned i : {0u, 1u})
    for (bool isF16 : {true, false})
      for (bool relu : {false, true})
        for (bool satfinite : {false, true}) {
          std::string head = std::string("cvt.") + roundingNames[i].name +
                             (relu ? ".relu" : "") +
                             (satfinite ? ".satfinite" : "") +
                             (isF16 ? ".f16" : ".bf16");
          auto one = [=](U32 a) {
            return narrow(isF16, a, roundingNames[i].rounding, relu, satfinite);
          };
          checkLanes<U16, U32>(head + ".f32 %d, %a;", one);
          checkLanes<U32, U32, U32>(
              head + "x2.f32 %d, %a, %b;",
              [=](U32 a, U32 b) { return U32(one(a)) << 16 | one(b); });
        }
}

TEST(ConvertOpsTest, Widening) {
  // f16 is added to zero, bf16 shifted: only of the former NaNs are canonical.
  auto f16ToF32 = [](U16 a) {
    return resultF32(float(formatF16.value(a)), false, false);
  };
  checkLanes<U32, U16>("cvt.f32.f16 %d, %a;", f16ToF32);
  checkLanes<U32, U32>("cvt.f32.f16 %d, %a;",
                       [&](U32 a) { return f16ToF32(U16(a)); });
  checkLanes<U32, U16>("cvt.sat.f32.f16 %d, %a;", [](U16 a) {
    return resultF32(float(formatF16.value(a)), false, true);
  });
  checkLanes<U32, U16>("cvt.f32.bf16 %d, %a;",
                       [](U16 a) { return U32(a) << 16; });
  auto widened = [](double value) { return llvm::bit_cast<U64>(value); };
  auto zeroNaN = std::string("\ntestp.notanumber.f64 %p1, %d;\n") +
                 "selp.b64 %d, 0, %d, %p1;";
  for (bool ftz : {false, true})
    checkLanes<U64, U32>(std::string("cvt") + (ftz ? ".ftz" : "") +
                             ".f64.f32 %d, %a;" + zeroNaN,
                         [=](U32 a) {
                           double x = f32(flushed(ftz, a));
                           return std::isnan(x) ? 0 : widened(x);
                         });
  checkLanes<U64, U16>("cvt.f64.f16 %d, %a;" + zeroNaN, [=](U16 a) {
    double x = formatF16.value(a);
    return std::isnan(x) ? 0 : widened(x);
  });
  checkLanes<U64, U16>("cvt.f64.bf16 %d, %a;" + zeroNaN, [=](U16 a) {
    double x = formatBF16.value(a);
    return std::isnan(x) ? 0 : widened(x);
  });
}

TEST(ConvertOpsTest, ToIntegralValues) {
  auto integral = [](double value, Rounding rounding) {
    return underRounding<double>(
        rounding, [](double v, double, double) { return std::nearbyint(v); },
        value);
  };
  for (unsigned i = 0; i < 4; ++i) {
    Rounding rounding = roundingNames[i].rounding;
    std::string head = std::string("cvt.") + integralNames[i];
    for (bool ftz : {false, true})
      for (bool sat : {false, true})
        checkLanes<U32, U32>(head + (ftz ? ".ftz" : "") + (sat ? ".sat" : "") +
                                 ".f32.f32 %d, %a;",
                             [&](U32 a) {
                               double whole =
                                   integral(f32(flushed(ftz, a)), rounding);
                               return resultF32(float(whole), false, sat);
                             });
    checkLanes<U64, U64>(head + ".sat.f64.f64 %d, %a;", [&](U64 a) -> U64 {
      double whole = integral(f64(a), rounding);
      return whole > 0 ? 0x3ff0000000000000 : 0;
    });
    checkLanes<U16, U16>(head + ".f16.f16 %d, %a;", [&](U16 a) {
      return encode16(formatF16, integral(formatF16.value(a), rounding),
                      Rounding::RN);
    });
    checkLanes<U16, U16>(head + ".bf16.bf16 %d, %a;", [&](U16 a) {
      return encode16(formatBF16, integral(formatBF16.value(a), rounding),
                      Rounding::RN);
    });
  }
  checkLanes<U32, U32>("cvt.f32.f32 %d, %a;", [](U32 a) { return a; });
  checkLanes<U32, U32>("cvt.sat.f32.f32 %d, %a;",
                       [](U32 a) { return resultF32(f32(a), false, true); });
  checkLanes<U32, U32>("cvt.ftz.f32.f32 %d, %a;",
                       [](U32 a) { return resultF32(f32(a), true, false); });
}

//===----------------------------------------------------------------------===//
// tf32 and fp8
//===----------------------------------------------------------------------===//

TEST(ConvertOpsTest, TF32) {
  for (unsigned i : {0u, 1u})
    for (bool relu : {false, true})
      checkLanes<U32, U32>(std::string("cvt.") + roundingNames[i].name +
                               (relu ? ".relu" : "") + ".tf32.f32 %d, %a;",
                           [=](U32 a) -> U32 {
                             if (std::isnan(f32(a)))
                               return 0x7fffe000;
                             if (relu && a >> 31)
                               return 0;
                             // Bits and values have one order, and a carry goes
                             // on to infinity.
                             U32 cut = a & ~0x1fffu, lost = a & 0x1fff;
                             bool up = i == 0 &&
                                       (lost > 0x1000 ||
                                        (lost == 0x1000 && (a & 0x2000) != 0));
                             return up ? cut + 0x2000 : cut;
                           });
  checkLanes<U32, U32>("cvt.rna.tf32.f32 %d, %a;", [](U32 a) -> U32 {
    bool number = std::isfinite(f32(a));
    return (number && (a & 0x1000) ? a + 0x2000 : a) & ~0x1fffu;
  });
}

namespace {
struct Format8 {
  const char *name;
  int fraction, bias;
  U32 largest, firstNaN;

  /// .rn.satfinite{.relu} of a number of f32.
  U32 encode(double value, bool relu) const {
    if (std::isnan(value))
      return 0x7f;
    bool negative = std::signbit(value);
    if (relu && negative)
      return 0;
    U64 code = 0;
    if (value != 0)
      code = std::isinf(value)
                 ? largest
                 : roundReference(Wide(std::clamp(value, -1e30, 1e30)), 0,
                                  fraction, bias, Rounding::RN);
    return U32(std::min<U64>(code, largest)) | (negative ? 0x80 : 0);
  }
  double decode(U32 code) const {
    U32 magnitude = code & 0x7f;
    double sign = code & 0x80 ? -1 : 1;
    if (magnitude >= firstNaN)
      return std::numeric_limits<double>::quiet_NaN();
    if (magnitude > largest)
      return sign * std::numeric_limits<double>::infinity();
    int exponent = int(magnitude >> fraction);
    double part = magnitude & ((1u << fraction) - 1);
    if (exponent)
      part += 1u << fraction;
    return sign * std::ldexp(part, std::max(exponent, 1) - bias - fraction);
  }
};
constexpr Format8 formats8[] = {{"e4m3x2", 3, 7, 0x7e, 0x7f},
                                {"e5m2x2", 2, 15, 0x7b, 0x7d}};
} // namespace

TEST(ConvertOpsTest, FP8) {
  for (const Format8 &format : formats8)
    for (bool relu : {false, true}) {
      std::string mods = relu ? ".relu." : ".";
      checkLanes<U16, U32, U32>("cvt.rn.satfinite" + mods + format.name +
                                    ".f32 %d, %a, %b;",
                                [&](U32 a, U32 b) {
                                  return U16(format.encode(f32(a), relu) << 8 |
                                             format.encode(f32(b), relu));
                                });
      checkLanes<U16, U32>(
          "cvt.rn.satfinite" + mods + format.name + ".f16x2 %d, %a;",
          [&](U32 a) {
            return U16(format.encode(formatF16.value(a >> 16), relu) << 8 |
                       format.encode(formatF16.value(a & 0xffff), relu));
          });
      checkLanes<U32, U16>(
          "cvt.rn" + mods + "f16x2." + format.name + " %d, %a;", [&](U16 a) {
            auto half = [&](U32 code) -> U32 {
              U16 bits = encode16(formatF16, format.decode(code), Rounding::RN);
              return relu ? formatF16.relu(bits) : bits;
            };
            return half(a >> 8) << 16 | half(a & 0xff);
          });
    }
}
