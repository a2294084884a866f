//===- AtomicTest.cpp - Tests of atomic operations ------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every operation and type against a fold on the host, in global and shared
// memory and by several host threads.
//
//===----------------------------------------------------------------------===//

#include "EmulatorTestUtils.h"
#include "llvm/ADT/APFloat.h"

#include <functional>

using namespace ptxbench;
using namespace ptxbench::emulator;

namespace {

using Fold = std::function<uint64_t(uint64_t old, uint64_t b)>;
struct Case {
  const char *op, *type;
  unsigned bytes;
  Fold fold;
};

uint64_t inc(uint64_t old, uint64_t b) { return old >= b ? 0 : old + 1; }
uint64_t dec(uint64_t old, uint64_t b) {
  return old == 0 || old > b ? b : old - 1;
}

const Case cases[] = {
    {"add", "u32", 4, [](uint64_t a, uint64_t b) { return a + b; }},
    {"add", "s32", 4, [](uint64_t a, uint64_t b) { return a + b; }},
    {"add", "u64", 8, [](uint64_t a, uint64_t b) { return a + b; }},
    {"and", "b32", 4, [](uint64_t a, uint64_t b) { return a & b; }},
    {"and", "b64", 8, [](uint64_t a, uint64_t b) { return a & b; }},
    {"or", "b32", 4, [](uint64_t a, uint64_t b) { return a | b; }},
    {"or", "b64", 8, [](uint64_t a, uint64_t b) { return a | b; }},
    {"xor", "b32", 4, [](uint64_t a, uint64_t b) { return a ^ b; }},
    {"xor", "b64", 8, [](uint64_t a, uint64_t b) { return a ^ b; }},
    {"exch", "b32", 4, [](uint64_t, uint64_t b) { return b; }},
    {"exch", "b64", 8, [](uint64_t, uint64_t b) { return b; }},
    {"min", "u32", 4, [](uint64_t a, uint64_t b) { return a < b ? a : b; }},
    {"max", "u32", 4, [](uint64_t a, uint64_t b) { return a > b ? a : b; }},
    {"min", "s32", 4,
     [](uint64_t a, uint64_t b) { return int32_t(a) < int32_t(b) ? a : b; }},
    {"max", "s32", 4,
     [](uint64_t a, uint64_t b) { return int32_t(a) > int32_t(b) ? a : b; }},
    {"min", "u64", 8, [](uint64_t a, uint64_t b) { return a < b ? a : b; }},
    {"max", "u64", 8, [](uint64_t a, uint64_t b) { return a > b ? a : b; }},
    {"min", "s64", 8,
     [](uint64_t a, uint64_t b) { return int64_t(a) < int64_t(b) ? a : b; }},
    {"max", "s64", 8,
     [](uint64_t a, uint64_t b) { return int64_t(a) > int64_t(b) ? a : b; }},
    {"inc", "u32", 4, inc},
    {"dec", "u32", 4, dec},
};

uint64_t truncate(uint64_t value, unsigned bytes) {
  return bytes == 8 ? value : value & 0xffffffff;
}

/// Operands: small for inc and dec, so that they come round.
std::vector<uint64_t> operandsOf(const Case &c, unsigned threads) {
  std::vector<uint64_t> values(threads);
  uint64_t state = 99;
  for (uint64_t &value : values) {
    state = state * 6364136223846793005 + 1442695040888963407;
    bool isSmall = c.op[0] == 'i' || c.op[0] == 'd';
    value = isSmall ? 3 + state % 2 : truncate(state ^ state >> 32, c.bytes);
  }
  return values;
}

std::string load(const Case &c) {
  return std::string("ld.global.b") + (c.bytes == 8 ? "64 %d0" : "32 %r0") +
         ", [%in+8];\n";
}
std::string reg(const Case &c, unsigned number) {
  return (c.bytes == 8 ? "%d" : "%r") + std::to_string(number);
}

uint64_t read(const uint64_t *place, unsigned bytes) {
  uint64_t value = 0;
  std::memcpy(&value, place, bytes);
  return value;
}

} // namespace

TEST(AtomicTest, Global) {
  for (const Case &c : cases)
    for (unsigned threads : {32u, 11u}) {
      // All threads work on one place: the values they see are those of a fold
      // in the order of the lanes.
      std::vector<uint64_t> operands = operandsOf(c, threads), in(2 * threads);
      for (unsigned t = 0; t < threads; ++t)
        in[2 * t + 1] = operands[t];
      uint64_t initial = 2;
      for (bool generic : {false, true}) {
        TestMachine machine(threadKernel(
            load(c) + "atom" + (generic ? "" : ".global") + "." + c.op + "." +
                c.type + " " + reg(c, 1) + ", [g], " + reg(c, 0) +
                ";\nst.global.b" + std::to_string(8 * c.bytes) + " [%out], " +
                reg(c, 1) + ";",
            4, 3,
            ".global .align 8 .b64 g = " + std::to_string(initial) + ";"));
        uint64_t *device = machine.upload(in);
        uint64_t *out = machine.allocate<uint64_t>(threads);
        LaunchOutcome outcome = machine.launch({1}, {threads}, device, out);
        ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
        uint64_t value = initial;
        for (unsigned t = 0; t < threads; ++t) {
          EXPECT_EQ(read(out + t, c.bytes), value) << c.op << c.type << t;
          value = truncate(c.fold(value, operands[t]), c.bytes);
        }
        auto place = reinterpret_cast<uint64_t *>(
            machine.module->variable("g")->address);
        EXPECT_EQ(read(place, c.bytes), value);
        EXPECT_EQ(read(place, 8) - read(place, c.bytes), 0u);
      }
    }
}

TEST(AtomicTest, SharedAndRed) {
  for (const Case &c : cases) {
    bool isRed = std::string(c.op) != "exch";
    std::vector<uint64_t> operands = operandsOf(c, 32), in(64);
    for (unsigned t = 0; t < 32; ++t)
      in[2 * t + 1] = operands[t];
    for (std::string space : {"shared", "shared::cta", "shared::cluster"}) {
      TestMachine machine(threadKernel(
          load(c) + "st.shared.b64 [s], 0;\nmov.u32 %r9, s;\n" +
              (isRed ? "red." : "atom.") + "relaxed.cta." + space + "." + c.op +
              "." + c.type + (isRed ? " [%r9], " : " _, [%r9], ") + reg(c, 0) +
              ";\nld.shared.b64 %d2, [s];\nst.global.b64 [%out], %d2;",
          4, 3, ".shared .align 8 .b64 s;"));
      uint64_t *device = machine.upload(in);
      uint64_t *out = machine.allocate<uint64_t>(32);
      LaunchOutcome outcome = machine.launch({1}, {32}, device, out);
      ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
      uint64_t value = 0;
      for (unsigned t = 0; t < 32; ++t)
        value = truncate(c.fold(value, operands[t]), c.bytes);
      EXPECT_EQ(out[0], value) << c.op << c.type;
    }
  }
}

TEST(AtomicTest, Cas) {
  // Lane i replaces i by i + 1, if it is there.
  struct {
    const char *type, *from, *to;
    unsigned bytes;
  } widths[] = {
      {"b16", "mov.b32 {%h0, %h9}, %t;", "mov.b32 {%h1, %h9}, %r8;", 2},
      {"b32", "mov.b32 %r0, %t;", "mov.b32 %r1, %r8;", 4},
      {"b64", "mov.b64 %d0, {%t, 0};", "mov.b64 %d1, {%r8, 0};", 8},
      {"b128", "mov.b64 %d0, {%t, 0}; mov.b128 %q0, {%d0, %d0};",
       "mov.b64 %d1, {%r8, 0}; mov.b128 %q1, {%d1, %d1};", 16},
  };
  for (const auto &w : widths)
    for (bool shared : {false, true}) {
      std::string r = w.bytes == 2   ? "%h"
                      : w.bytes == 4 ? "%r"
                      : w.bytes == 8 ? "%d"
                                     : "%q";
      std::string type = w.type, space = shared ? "shared" : "global";
      TestMachine machine(
          threadKernel("add.s32 %r8, %t, 1;\nsetp.lt.s32 %p0, %t, 20;\n"
                       "@!%p0 add.s32 %r8, %r8, 100;\n" +
                           std::string(w.from) + w.to + "\natom." + space +
                           ".cas." + type + " " + r + "2, [m], " + r + "0, " +
                           r + "1;\nst.global." + type + " [%out], " + r + "2;",
                       0, 4, "." + space + " .align 16 .b8 m[16];"));
      uint8_t *out = machine.allocate<uint8_t>(32 * 16);
      LaunchOutcome outcome = machine.launch({1}, {32}, out, out);
      ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
      for (unsigned t = 0; t < 32; ++t)
        for (unsigned half = 0; half < w.bytes; half += 8) {
          uint64_t old = 0;
          std::memcpy(&old, out + 16 * t + half, std::min(w.bytes, 8u));
          EXPECT_EQ(old, t <= 20 ? t : 121) << type << space << t;
        }
    }
}

TEST(AtomicTest, Exch128) {
  TestMachine machine(threadKernel(
      "ld.global.b128 %q0, [%in];\natom.global.exch.b128 %q1, [m], %q0;\n"
      "st.global.b128 [%out], %q1;",
      4, 4, ".global .align 16 .b8 m[16];"));
  std::vector<uint64_t> in(64);
  for (unsigned i = 0; i < 64; ++i)
    in[i] = 1000 + i;
  uint64_t *out = machine.allocate<uint64_t>(64);
  LaunchOutcome outcome = machine.launch({1}, {32}, machine.upload(in), out);
  ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
  for (unsigned i = 0; i < 64; ++i)
    EXPECT_EQ(out[i], i < 2 ? 0 : in[i - 2]);
}

namespace {

/// What an operation on floating-point numbers gives, by APFloat.
uint64_t foldFloat(const std::string &op, const llvm::fltSemantics &semantics,
                   uint64_t a, uint64_t b) {
  unsigned bits = llvm::APFloat::semanticsSizeInBits(semantics);
  llvm::APFloat x(semantics, llvm::APInt(bits, a)),
      y(semantics, llvm::APInt(bits, b));
  if (op == "add") {
    x.add(y, llvm::APFloat::rmNearestTiesToEven);
    if (x.isNaN() && bits < 64)
      return bits == 32 ? 0x7fffffff : 0x7fff;
    return x.bitcastToAPInt().getZExtValue();
  }
  if (x.isNaN() || y.isNaN())
    return x.isNaN() && y.isNaN() ? 0x7fff : x.isNaN() ? b : a;
  bool yIsLess = y < x || (x.isZero() && y.isZero() && y.isNegative());
  return yIsLess == (op == "min") ? b : a;
}

/// Bits of numbers of all kinds: subnormal, zero, infinite, NaN among them.
std::vector<uint64_t> someFloats(unsigned bits, unsigned mantissa,
                                 unsigned count) {
  std::vector<uint64_t> values;
  uint64_t state = bits + count, infinity = (1ull << (bits - 1)) - 1;
  infinity &= ~((1ull << mantissa) - 1);
  for (unsigned i = 0; i < count; ++i) {
    state = state * 6364136223846793005 + 1442695040888963407;
    uint64_t value = state ^ state >> 29;
    if (i % 5 < 3) // Near one, so that sums do not only copy.
      value = (value & ((4ull << mantissa) - 1)) |
              (infinity / 2 & ~((8ull << mantissa) - 1)) |
              (value & 1ull << (bits - 1));
    else if (i % 5 == 3) // Subnormal.
      value &= 1ull << (bits - 1) | ((1ull << mantissa) - 1);
    values.push_back(bits == 64 ? value : value & ((1ull << bits) - 1));
  }
  values[3] = 1ull << (bits - 1);
  values[7] = infinity;
  values[8] = infinity | 1;
  return values;
}

struct FloatCase {
  const char *type;
  unsigned bits, mantissa;
  const llvm::fltSemantics &semantics;
};
const FloatCase floatCases[] = {
    {"f32", 32, 23, llvm::APFloat::IEEEsingle()},
    {"f64", 64, 52, llvm::APFloat::IEEEdouble()},
    {"f16", 16, 10, llvm::APFloat::IEEEhalf()},
    {"bf16", 16, 7, llvm::APFloat::BFloat()},
};

std::string vectorOf(const std::string &kind, unsigned first, unsigned count) {
  std::string text;
  for (unsigned i = 0; i < count; ++i)
    text += (i ? ", %" : "{%") + kind + std::to_string(first + i);
  return text + "}";
}

} // namespace

TEST(AtomicTest, FloatSums) {
  for (const FloatCase &c : floatCases)
    for (bool shared : {false, true})
      for (bool pair : {false, true}) {
        if (pair && c.bits != 16)
          continue;
        // Each thread adds to a place of its own.
        unsigned lanes = pair ? 2 : 1, bytes = c.bits / 8 * lanes;
        std::string r = (bytes == 8 ? "%d" : bytes == 4 ? "%r" : "%h");
        std::string b = ".b" + std::to_string(8 * bytes);
        std::string space = shared ? "shared" : "global";
        std::string type = c.type + std::string(pair ? "x2" : "");
        std::string body = "ld.global" + b + " " + r + "0, [%in];\nld.global" +
                           b + " " + r + "1, [%in+8];\n" +
                           (shared ? "shl.b32 %r9, %t, 4; mov.u32 %r8, m;\n"
                                     "add.s32 %r9, %r9, %r8;\n"
                                   : "mov.u64 %d9, %out;\n");
        std::string place = shared ? "[%r9]" : "[%d9]";
        body += "st." + space + b + " " + place + ", " + r + "0;\natom." +
                space + ".add" + (c.bits == 16 ? ".noftz." : ".") + type + " " +
                r + "2, " + place + ", " + r + "1;\nld." + space + b + " " + r +
                "3, " + place + ";\nst.global" + b + " [%out], " + r +
                "3;\nst.global" + b + " [%out+8], " + r + "2;";
        TestMachine machine(threadKernel(
            body, 4, 4, shared ? ".shared .align 16 .b8 m[4096];" : ""));
        constexpr unsigned threads = 128;
        auto values = someFloats(c.bits, c.mantissa, 2 * threads * lanes);
        std::vector<uint8_t> in(threads * 16);
        for (unsigned t = 0; t < threads; ++t)
          for (unsigned k = 0; k < 2 * lanes; ++k)
            std::memcpy(in.data() + 16 * t + k / lanes * 8 +
                            k % lanes * c.bits / 8,
                        &values[2 * lanes * t + k], c.bits / 8);
        uint8_t *out = machine.allocate<uint8_t>(threads * 16);
        LaunchOutcome outcome =
            machine.launch({1}, {threads}, machine.upload(in), out);
        ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
        // In global memory f32 has no subnormals.
        auto flush = [&](uint64_t value) {
          bool flushes = c.bits == 32 && !shared;
          return flushes && !(value & 0x7f800000) ? value & 0x80000000 : value;
        };
        for (unsigned t = 0; t < threads; ++t)
          for (unsigned k = 0; k < lanes; ++k) {
            uint64_t a = values[2 * lanes * t + k],
                     b = values[2 * lanes * t + lanes + k], sum = 0, old = 0;
            std::memcpy(&sum, out + 16 * t + k * c.bits / 8, c.bits / 8);
            std::memcpy(&old, out + 16 * t + 8 + k * c.bits / 8, c.bits / 8);
            EXPECT_EQ(old, a);
            uint64_t expected =
                flush(foldFloat("add", c.semantics, flush(a), flush(b)));
            llvm::APFloat number(c.semantics, llvm::APInt(c.bits, expected));
            // Which NaN of f64 it is depends on the operands.
            if (c.bits == 64 && number.isNaN()) {
              EXPECT_TRUE(sum << 1 > 0xffe0000000000000) << std::hex << sum;
            } else {
              EXPECT_EQ(sum, expected)
                  << type << space << std::hex << " " << a << " + " << b;
            }
          }
      }
}

TEST(AtomicTest, Vectors) {
  struct VectorCase {
    const char *type, *op;
    unsigned count, bits, parts;
    const llvm::fltSemantics &semantics;
  };
  std::vector<VectorCase> vectors;
  for (unsigned count : {2u, 4u})
    vectors.push_back(
        {"f32", "add", count, 32, 1, llvm::APFloat::IEEEsingle()});
  for (const char *op : {"add", "min", "max"}) {
    for (unsigned count : {2u, 4u, 8u}) {
      vectors.push_back({"f16", op, count, 16, 1, llvm::APFloat::IEEEhalf()});
      vectors.push_back({"bf16", op, count, 16, 1, llvm::APFloat::BFloat()});
    }
    for (unsigned count : {2u, 4u}) {
      vectors.push_back({"f16x2", op, count, 32, 2, llvm::APFloat::IEEEhalf()});
      vectors.push_back({"bf16x2", op, count, 32, 2, llvm::APFloat::BFloat()});
    }
  }
  for (const VectorCase &c : vectors)
    for (std::string form : {"atom", "sink", "red"}) {
      unsigned partBits = c.bits / c.parts, bytes = c.count * c.bits / 8;
      std::string kind = c.bits == 32 ? "r" : "h",
                  b = ".b" + std::to_string(c.bits),
                  v = ".v" + std::to_string(c.count),
                  values = vectorOf(kind, 0, c.count),
                  results = vectorOf(kind, 8, c.count);
      std::string body = "ld.global" + v + b + " " + values + ", [%in];\n" +
                         (form == "red" ? "red" : "atom") + ".global." + c.op +
                         (c.bits == 32 && c.parts == 1 ? "" : ".noftz") + v +
                         "." + c.type + " " +
                         (form == "red"    ? ""
                          : form == "sink" ? "_, "
                                           : results + ", ") +
                         "[%out], " + values + ";\n";
      if (form == "atom")
        body += "st.global" + v + b + " [%out+16], " + results + ";";
      TestMachine machine(threadKernel(body, 4, 5));
      constexpr unsigned threads = 32;
      unsigned mantissa = c.bits == 32 && c.parts == 1 ? 23
                          : c.type[0] == 'b'           ? 7
                                                       : 10;
      unsigned parts = c.count * c.parts;
      auto a = someFloats(partBits, mantissa, threads * parts);
      auto d = someFloats(partBits, mantissa, threads * parts + 9);
      std::vector<uint8_t> in(threads * 16), old(threads * 32);
      for (unsigned t = 0; t < threads; ++t)
        for (unsigned k = 0; k < parts; ++k) {
          std::memcpy(in.data() + 16 * t + k * partBits / 8, &a[t * parts + k],
                      partBits / 8);
          std::memcpy(old.data() + 32 * t + k * partBits / 8, &d[t * parts + k],
                      partBits / 8);
        }
      uint8_t *out = machine.upload(old);
      LaunchOutcome outcome =
          machine.launch({1}, {threads}, machine.upload(in), out);
      ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
      auto flush = [&](uint64_t value) {
        bool flushes = partBits == 32 && !(value & 0x7f800000);
        return flushes ? value & 0x80000000 : value;
      };
      for (unsigned t = 0; t < threads; ++t) {
        for (unsigned k = 0; k < parts; ++k) {
          uint64_t result = 0, x = d[t * parts + k], y = a[t * parts + k];
          std::memcpy(&result, out + 32 * t + k * partBits / 8, partBits / 8);
          EXPECT_EQ(result,
                    flush(foldFloat(c.op, c.semantics, flush(x), flush(y))))
              << c.op << v << c.type << std::hex << " " << x << ", " << y;
        }
        if (form == "atom") {
          EXPECT_EQ(std::memcmp(out + 32 * t + 16, old.data() + 32 * t, bytes),
                    0);
        }
      }
    }
}

TEST(AtomicTest, HostThreads) {
  // CTAs on several host threads lose no sum and no compare-and-swap.
  TestMachine machine(threadKernel(R"(
  mov.u32 %r0, 0;
Loop:
  red.global.add.u32 [sum], 3;
  ld.relaxed.gpu.global.b128 %q0, [wide];
Again:
  mov.b128 {%d0, %d1}, %q0;
  add.s64 %d2, %d0, 1;
  add.s64 %d3, %d1, 2;
  mov.b128 %q1, {%d2, %d3};
  atom.global.cas.b128 %q2, [wide], %q0, %q1;
  mov.b128 {%d4, %d5}, %q2;
  sub.s64 %d6, %d4, %d0;
  mov.b64 {%r1, %r2}, %d6;
  setp.lt.s32 %p0, %r1, 0; 
  mov.b128 %q0, %q2;
  @%p0 bra Again;
  sub.s32 %r1, 0, %r1;
  setp.lt.s32 %p0, %r1, 0; 
  @%p0 bra Again;
  add.s32 %r0, %r0, 1;
  setp.lt.s32 %p1, %r0, 20;
  @%p1 bra Loop;
)",
                                   0, 0,
                                   ".global .align 4 .b32 sum;\n"
                                   ".global .align 16 .b8 wide[16];"));
  machine.options.hostThreads = 4;
  LaunchOutcome outcome = machine.launch({16}, {64}, uint64_t(0), uint64_t(0));
  ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
  auto word = [&](llvm::StringRef name) {
    return reinterpret_cast<const uint64_t *>(
        machine.module->variable(name)->address);
  };
  EXPECT_EQ(uint32_t(*word("sum")), 16u * 64 * 20 * 3);
  EXPECT_EQ(word("wide")[0], 16u * 64 * 20);
  EXPECT_EQ(word("wide")[1], 2u * 16 * 64 * 20);
}

TEST(AtomicTest, RedAsync) {
  for (Schedule::Kind kind : {Schedule::Eager, Schedule::Lazy}) {
    TestMachine machine(threadKernel(R"(
  setp.lt.s32 %p0, %t, 1;
  @%p0 st.shared.b32 [s], 1000;
  @%p0 mbarrier.init.shared.b64 [bar], 1;
  @%p0 mbarrier.arrive.expect_tx.shared.b64 _, [bar], 128;
  bar.sync 0;
  mov.u32 %r1, s;
  mov.u32 %r2, bar;
  red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32
      [%r1], %t, [%r2];
Wait:
  mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0;
  @!%p2 bra Wait;
  ld.shared.b32 %r3, [s];
  st.global.b32 [%out], %r3;
)",
                                     0, 2,
                                     ".shared .align 4 .b32 s;\n"
                                     ".shared .align 8 .b64 bar;"));
    uint32_t *out = machine.allocate<uint32_t>(32);
    machine.options.schedule.kind = kind;
    LaunchOutcome outcome = machine.launch({1}, {32}, out, out);
    ASSERT_EQ(outcome.status, LaunchStatus::Completed) << outcome.reason;
    for (unsigned t = 0; t < 32; ++t)
      EXPECT_EQ(out[t], 1000u + 31 * 32 / 2);
  }
}

TEST(AtomicTest, Faults) {
  auto faultOf = [](const std::string &body, uint64_t offset) {
    TestMachine machine(threadKernel(body, 3, 3));
    uint64_t *array = machine.upload(std::vector<uint64_t>(32));
    LaunchOutcome outcome = machine.launch(
        {1}, {32}, uint64_t(0), reinterpret_cast<uint64_t>(array) + offset);
    return outcome.findings.empty() ? std::string() : outcome.findings[0].id;
  };
  EXPECT_EQ(faultOf("red.global.add.u64 [%out], 1;", 0), "");
  EXPECT_EQ(faultOf("red.global.add.u64 [%out], 1;", 8), "out-of-bounds");
  EXPECT_EQ(faultOf("red.global.add.u64 [%out], 1;", 4), "misaligned");
  EXPECT_EQ(faultOf("atom.global.cas.b32 %r0, [%out], 0, 1;", 2), "misaligned");
}
