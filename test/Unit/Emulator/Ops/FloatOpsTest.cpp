//===- FloatOpsTest.cpp - f32 and f64 -------------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rounded operations against the host under fesetround; approximate ones
// against the host's library within the bounds of docs/Emulator.md.
//
//===----------------------------------------------------------------------===//

#include "FloatReference.h"
#include "LaneCheck.h"

using namespace ptxbench;
using namespace ptxbench::emulator;
using namespace ptxbench::emulator::test;

using U32 = uint32_t;
using U64 = uint64_t;

/// The modifiers .ftz and .sat as they are written.
static std::string modifiers(bool ftz, bool sat) {
  return std::string(ftz ? ".ftz" : "") + (sat ? ".sat" : "");
}

TEST(FloatOpsTest, F32) {
  for (const RoundingName &mode : roundingNames)
    for (bool ftz : {false, true})
      for (bool sat : {false, true}) {
        auto check = [&](const std::string &name, auto operation) {
          checkLanes<U32, U32, U32, U32>(
              name + "." + mode.name + modifiers(ftz, sat) + ".f32 %d, %a, %b" +
                  (name == "fma" || name == "mad" ? ", %c;" : ";"),
              [&](U32 a, U32 b, U32 c) {
                float result = underRounding<float>(
                    mode.rounding, operation, f32(flushed(ftz, a)),
                    f32(flushed(ftz, b)), f32(flushed(ftz, c)));
                return resultF32(result, ftz, sat);
              },
              1024);
        };
        check("add", [](float a, float b, float) { return a + b; });
        check("sub", [](float a, float b, float) { return a - b; });
        check("mul", [](float a, float b, float) { return a * b; });
        auto fma = [](float a, float b, float c) { return std::fma(a, b, c); };
        check("fma", fma);
        check("mad", fma);
      }
}

TEST(FloatOpsTest, DefaultRounding) {
  checkLanes<U32, U32, U32>("add.f32 %d, %a, %b;", [](U32 a, U32 b) {
    return resultF32(f32(a) + f32(b), false, false);
  });
  checkLanes<U32, U32>("mul.f32 %d, %a, 0f40400000;", [](U32 a) {
    return resultF32(f32(a) * 3.0f, false, false);
  });
  checkLanes<U64, U64>("sub.f64 %d, %a, 0d3ff8000000000000;", [](U64 a) {
    double result = f64(a) - 1.5;
    return std::isnan(result) ? a | 0x0008000000000000
                              : llvm::bit_cast<U64>(result);
  });
}

TEST(FloatOpsTest, QuotientsAndRoots) {
  for (const RoundingName &mode : roundingNames)
    for (bool ftz : {false, true}) {
      std::string suffix =
          std::string(".") + mode.name + modifiers(ftz, false) + ".f32 %d, ";
      auto check = [&](const std::string &text, auto operation) {
        checkLanes<U32, U32, U32>(
            text,
            [&](U32 a, U32 b) {
              float result = underRounding<float>(mode.rounding, operation,
                                                  f32(flushed(ftz, a)),
                                                  f32(flushed(ftz, b)));
              return resultF32(result, ftz, false);
            },
            1024);
      };
      check("div" + suffix + "%a, %b;",
            [](float a, float b, float) { return a / b; });
      check("rcp" + suffix + "%a;",
            [](float a, float, float) { return 1.0f / a; });
      check("sqrt" + suffix + "%a;",
            [](float a, float, float) { return std::sqrt(a); });
    }
}

TEST(FloatOpsTest, F64) {
  for (const RoundingName &mode : roundingNames) {
    auto check = [&](const std::string &name, const std::string &operands,
                     auto operation) {
      checkLanes<U64, U64, U64, U64>(
          // Which NaN comes of two is tried elsewhere: here all become one.
          name + "." + mode.name + ".f64 %d, " + operands +
              ";\ntestp.notanumber.f64 %p1, %d;\nselp.b64 %d, 0, %d, %p1;",
          [&](U64 a, U64 b, U64 c) {
            double result = underRounding<double>(mode.rounding, operation,
                                                  f64(a), f64(b), f64(c));
            return std::isnan(result) ? 0 : llvm::bit_cast<U64>(result);
          },
          1024);
    };
    check("add", "%a, %b", [](double a, double b, double) { return a + b; });
    check("sub", "%a, %b", [](double a, double b, double) { return a - b; });
    check("mul", "%a, %b", [](double a, double b, double) { return a * b; });
    check("div", "%a, %b", [](double a, double b, double) { return a / b; });
    check("rcp", "%a", [](double a, double, double) { return 1.0 / a; });
    check("sqrt", "%a", [](double a, double, double) { return std::sqrt(a); });
    auto fma = [](double a, double b, double c) { return std::fma(a, b, c); };
    check("fma", "%a, %b, %c", fma);
    check("mad", "%a, %b, %c", fma);
  }
}

TEST(FloatOpsTest, ExtremaF32) {
  for (bool isMax : {false, true})
    for (bool ftz : {false, true})
      for (bool nan : {false, true})
        for (bool xorsign : {false, true})
          checkLanes<U32, U32, U32>(
              std::string(isMax ? "max" : "min") + (ftz ? ".ftz" : "") +
                  (nan ? ".NaN" : "") + (xorsign ? ".xorsign.abs" : "") +
                  ".f32 %d, %a, %b;",
              [&](U32 a, U32 b) -> U32 {
                a = flushed(ftz, a), b = flushed(ftz, b);
                U32 sign = (a ^ b) & 0x80000000;
                if (xorsign)
                  a &= 0x7fffffff, b &= 0x7fffffff;
                float x = f32(a), y = f32(b);
                bool anyNaN = std::isnan(x) || std::isnan(y);
                if (nan ? anyNaN : std::isnan(x) && std::isnan(y))
                  return 0x7fffffff;
                U32 result;
                if (anyNaN)
                  result = std::isnan(x) ? b : a;
                else if (x == y) // The negative zero is the lesser one.
                  result = isMax ? a & b : a | b;
                else
                  result = (x < y) == isMax ? b : a;
                return xorsign ? result | sign : result;
              },
              1024);
}

TEST(FloatOpsTest, ExtremaF64) {
  for (bool isMax : {false, true})
    checkLanes<U64, U64, U64>(
        (isMax ? "max" : "min") + std::string(".f64 %d, %a, %b;\n") +
            "testp.notanumber.f64 %p1, %d;\nselp.b64 %d, 0, %d, %p1;",
        [&](U64 a, U64 b) -> U64 {
          double x = f64(a), y = f64(b);
          if (std::isnan(x))
            return std::isnan(y) ? 0 : b;
          if (std::isnan(y))
            return a;
          if (x == y)
            return isMax ? a & b : a | b;
          return (x < y) == isMax ? b : a;
        });
}

TEST(FloatOpsTest, Signs) {
  auto canonical = [](U32 a) { return std::isnan(f32(a)) ? 0x7fffffff : a; };
  for (bool ftz : {false, true}) {
    std::string type = modifiers(ftz, false) + ".f32 %d, %a;";
    checkLanes<U32, U32>("abs" + type, [&](U32 a) {
      return canonical(flushed(ftz, a) & 0x7fffffff);
    });
    checkLanes<U32, U32>("neg" + type, [&](U32 a) {
      return canonical(flushed(ftz, a) ^ 0x80000000);
    });
  }
  constexpr U64 sign = U64(1) << 63, quiet = U64(1) << 51;
  checkLanes<U64, U64>("abs.f64 %d, %a;", [=](U64 a) {
    return std::isnan(f64(a)) ? a | quiet : a & ~sign;
  });
  checkLanes<U64, U64>("neg.f64 %d, %a;", [=](U64 a) {
    return std::isnan(f64(a)) ? a | quiet : a ^ sign;
  });
  checkLanes<U32, U32, U32>("copysign.f32 %d, %a, %b;", [](U32 a, U32 b) {
    return (a & 0x80000000) | (b & 0x7fffffff);
  });
  checkLanes<U64, U64, U64>("copysign.f64 %d, %a, %b;", [=](U64 a, U64 b) {
    return (a & sign) | (b & ~sign);
  });
}

TEST(FloatOpsTest, Testp) {
  struct Property {
    const char *name;
    bool (*holds)(int kind);
  };
  static constexpr Property properties[] = {
      {"finite",
       [](int kind) { return kind != FP_INFINITE && kind != FP_NAN; }},
      {"infinite", [](int kind) { return kind == FP_INFINITE; }},
      {"number", [](int kind) { return kind != FP_NAN; }},
      {"notanumber", [](int kind) { return kind == FP_NAN; }},
      {"normal", [](int kind) { return kind == FP_NORMAL || kind == FP_ZERO; }},
      {"subnormal", [](int kind) { return kind == FP_SUBNORMAL; }},
  };
  for (const Property &property : properties) {
    std::string head = std::string("testp.") + property.name;
    std::string get = "\nselp.u32 %d, 1, 0, %p1;";
    checkLanes<U32, U32>(head + ".f32 %p1, %a;" + get, [&](U32 a) {
      return U32(property.holds(std::fpclassify(f32(a))));
    });
    checkLanes<U32, U64>(head + ".f64 %p1, %a;" + get, [&](U64 a) {
      return U32(property.holds(std::fpclassify(f64(a))));
    });
  }
}

//===----------------------------------------------------------------------===//
// Approximate functions
//===----------------------------------------------------------------------===//

/// Runs `text` on numbers between two bounds and compares with a function of
/// double; `bound` is the error that is allowed of a result.
template <class T, class F, class Bound>
static void checkNear(const std::string &text, double from, double to, F exact,
                      Bound bound) {
  using Bits = std::conditional_t<sizeof(T) == 4, U32, U64>;
  std::string type = sizeof(T) == 4 ? "f32" : "f64";
  std::string shift = sizeof(T) == 4 ? "2" : "3";
  TestMachine machine(".visible .entry k(.param .u64 in, .param .u64 out) {\n"
                      ".reg .b32 %i;\n.reg .b64 %x<4>;\n.reg ." +
                      type +
                      " %a, %d;\n"
                      "mov.u32 %i, %tid.x;\nmul.wide.u32 %x1, %i, " +
                      std::to_string(sizeof(T)) +
                      ";\nld.param.u64 %x2, [in];\nadd.u64 %x2, %x2, %x1;\n"
                      "ld.global." +
                      type + " %a, [%x2];\n" + text +
                      "\nld.param.u64 %x2, [out];\nadd.u64 %x2, %x2, %x1;\n"
                      "st.global." +
                      type + " [%x2], %d;\nret;\n}\n");
  constexpr unsigned count = 1024;
  std::vector<T> values(count);
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> spread(from, to);
  for (T &value : values)
    value = T(spread(random));
  T *in = machine.upload(values), *out = machine.allocate<T>(count);
  LaunchOutcome outcome = machine.launch({1}, {count}, in, out);
  ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
  for (unsigned i = 0; i < count; ++i) {
    double wanted = exact(double(values[i]));
    EXPECT_LE(std::fabs(double(out[i]) - wanted), bound(wanted))
        << text << " of " << hex(llvm::bit_cast<Bits>(values[i]));
  }
}

TEST(FloatOpsTest, ApproximateFunctions) {
  auto relative = [](int exponent) {
    return [=](double value) {
      return std::ldexp(std::fabs(value), exponent) + 1e-37;
    };
  };
  auto absolute = [](double error) { return [=](double) { return error; }; };
  for (const char *ftz : {"", ".ftz"}) {
    std::string f32 = std::string(ftz) + ".f32 %d, %a;";
    checkNear<float>(
        "rcp.approx" + f32, 0.01, 1e6, [](double x) { return 1 / x; },
        relative(-22));
    checkNear<float>(
        "sqrt.approx" + f32, 0, 1e6, [](double x) { return std::sqrt(x); },
        relative(-22));
    checkNear<float>(
        "rsqrt.approx" + f32, 1e-3, 1e6,
        [](double x) { return 1 / std::sqrt(x); }, relative(-22));
    checkNear<float>(
        "sin.approx" + f32, -3.1, 3.1, [](double x) { return std::sin(x); },
        absolute(1e-6));
    checkNear<float>(
        "cos.approx" + f32, -3.1, 3.1, [](double x) { return std::cos(x); },
        absolute(1e-6));
    checkNear<float>(
        "lg2.approx" + f32, 1e-3, 1e6, [](double x) { return std::log2(x); },
        absolute(2e-6));
    checkNear<float>(
        "ex2.approx" + f32, -60, 60, [](double x) { return std::exp2(x); },
        relative(-22));
    for (const char *kind : {".approx", ".full"})
      checkNear<float>(
          std::string("div") + kind + ftz + ".f32 %d, 0f40400000, %a;", 0.01,
          1e6, [](double x) { return 3 / x; }, relative(-21));
  }
  checkNear<float>(
      "tanh.approx.f32 %d, %a;", -4, 4, [](double x) { return std::tanh(x); },
      relative(-11));
  checkNear<double>(
      "rcp.approx.ftz.f64 %d, %a;", 0.01, 1e6, [](double x) { return 1 / x; },
      relative(-19));
  checkNear<double>(
      "rsqrt.approx.f64 %d, %a;", 0.01, 1e6,
      [](double x) { return 1 / std::sqrt(x); }, relative(-51));
  checkNear<double>(
      "rsqrt.approx.ftz.f64 %d, %a;", 0.01, 1e6,
      [](double x) { return 1 / std::sqrt(x); }, relative(-19));
}

TEST(FloatOpsTest, ApproximateSpecialValues) {
  TestMachine machine(R"(
.visible .entry k(.param .u64 out) {
  .reg .f32 %f<12>; .reg .b64 %d1; .reg .f32 %zero;
  ld.param.u64 %d1, [out];
  ld.global.f32 %zero, [%d1];
  rcp.approx.f32 %f1, %zero;
  lg2.approx.f32 %f2, %zero;
  ex2.approx.f32 %f3, %f2;
  sqrt.approx.f32 %f4, %f2;
  tanh.approx.f32 %f5, %f1;
  rcp.approx.ftz.f32 %f6, 0f00000001;
  rcp.approx.f32 %f7, 0f00400000;
  st.global.f32 [%d1], %f1;
  st.global.f32 [%d1+4], %f2;
  st.global.f32 [%d1+8], %f3;
  st.global.f32 [%d1+12], %f4;
  st.global.f32 [%d1+16], %f5;
  st.global.f32 [%d1+20], %f6;
  st.global.f32 [%d1+24], %f7;
  ret;
}
)");
  U32 *out = machine.upload<U32>(std::vector<U32>(8));
  ASSERT_EQ(machine.launch({1}, {1}, out).status, LaunchStatus::Completed);
  static constexpr U32 wanted[] = {0x7f800000, 0xff800000, 0,
                                   0x7fffffff, 0x3f800000, 0x7f800000,
                                   0x7f000000};
  for (unsigned i = 0; i < std::size(wanted); ++i)
    EXPECT_EQ(out[i], wanted[i]) << i;
}
