//===- Emulator.cpp - Speed of the emulator -------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two programs on one host thread, each next to the same in C++ as this
// compiler makes it, with the ratio of the two; both must give the same
// numbers. Each also with checks (EmulatorOptions::checks), which must find
// nothing.
//
//   loop   seven instructions (fma, xor, shl, add, add, setp, bra), in million
//          thread-instructions per second; in C++ one "thread" after the other
//   wgmma  tiles of 64 rows, 64 or 256 columns and K = 64 in bf16, four wgmma
//          and a wait in a loop, in GFLOP per second; in C++ three loops
//
//   ptxbench-emulator-benchmark [--iterations=N] [--tiles=N]
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Emulator/Emulator.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "ptxbench/Dialect/PTX/IR/PTXDialect.h"
#include "ptxbench/Support/Version.h"
#include "ptxbench/Target/PTX/Import.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBufferRef.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstring>
#include <ctime>

using namespace ptxbench;
using namespace ptxbench::emulator;
namespace cl = llvm::cl;

static cl::opt<uint32_t> iterations("iterations", cl::init(1000000),
                                    cl::desc("rounds of the loop"));
static cl::opt<uint32_t> tiles("tiles", cl::init(500),
                               cl::desc("tiles of wgmma, at most 100000"));

static constexpr const char *loopText = R"(.version 8.0
.target sm_90a
.address_size 64
.visible .entry loop(.param .u64 out, .param .u32 n) {
  .reg .b32 %r<8>; .reg .f32 %f<4>; .reg .b64 %d<4>; .reg .pred %p;
  ld.param.u64 %d1, [out];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %tid.x;
  mov.u32 %r3, 0;
  mov.b32 %f1, 0f3F800000;
  mov.b32 %f2, 0f3F7FFFFF;
Loop:
  fma.rn.f32 %f1, %f1, %f2, 0f3F000000;
  xor.b32 %r2, %r2, %r3;
  shl.b32 %r4, %r2, 1;
  add.s32 %r2, %r4, %r3;
  add.s32 %r3, %r3, 1;
  setp.lt.s32 %p, %r3, %r1;
  @%p bra Loop;
  mov.b32 %r5, %f1;
  add.s32 %r2, %r2, %r5;
  st.global.u32 [%d1], %r2;
  ret;
})";

/// Time of the process, which is one thread: others on the machine do not
/// count.
static double now() { return double(std::clock()) / CLOCKS_PER_SEC; }

/// One thread of the loop.
static uint32_t hostLoop(uint32_t tid, uint32_t n) {
  float f = 1, g = std::nextafter(1.0f, 0.0f);
  uint32_t r = tid;
  for (uint32_t i = 0; i < n; ++i) {
    f = std::fma(f, g, 0.5f);
    r ^= i;
    r = (r << 1) + i;
  }
  uint32_t bits;
  std::memcpy(&bits, &f, sizeof(bits));
  return r + bits;
}

/// Tiles of A and B, K-major; small whole numbers, so that every order of
/// additions gives the same.
struct TileOperands {
  static constexpr unsigned rows = 64, k = 64;

  explicit TileOperands(unsigned columns)
      : columns(columns), a(rows * k), b(columns * k) {
    uint32_t state = 1;
    for (std::vector<uint16_t> *values : {&a, &b})
      for (uint16_t &value : *values) {
        static constexpr uint16_t numbers[] = {0, 0x3f80, 0xbf80, 0x4000};
        state = state * 1664525 + 1013904223;
        value = numbers[state >> 30];
      }
  }
  /// As shared memory has it with swizzling over 128 bytes: A, then B.
  std::vector<uint16_t> sharedImage() const {
    std::vector<uint16_t> image;
    for (const std::vector<uint16_t> *values : {&a, &b})
      for (size_t i = 0; i < values->size(); ++i) {
        size_t line = i / k, chunk = i % k / 8;
        image.push_back((*values)[line * k + (chunk ^ line % 8) * 8 + i % 8]);
      }
    return image;
  }

  unsigned columns;
  std::vector<uint16_t> a, b;
};

/// D += A * B.
static void hostTile(const TileOperands &tile, std::vector<float> &d) {
  auto toFloat = [](uint16_t bits) {
    uint32_t word = uint32_t(bits) << 16;
    float value;
    std::memcpy(&value, &word, 4);
    return value;
  };
  constexpr unsigned k = TileOperands::k;
  for (unsigned row = 0; row < TileOperands::rows; ++row)
    for (unsigned column = 0; column < tile.columns; ++column) {
      float sum = d[row * tile.columns + column];
      for (unsigned i = 0; i < k; ++i)
        sum += toFloat(tile.a[row * k + i]) * toFloat(tile.b[column * k + i]);
      d[row * tile.columns + column] = sum;
    }
}

/// A kernel of one warpgroup; each thread writes its registers of D to 512
/// bytes of its own.
static std::string tileText(unsigned columns) {
  std::string d = "{";
  for (unsigned i = 0; i < columns / 2; ++i)
    d += (i ? ", %f" : "%f") + std::to_string(i);
  d += "}";
  std::string bytes = std::to_string((64 + columns) * 128);
  std::string text = R"(.version 8.0
.target sm_90a
.address_size 64
.visible .entry tiles(.param .u64 image, .param .u64 out, .param .u64 a, .param .u64 b, .param .u32 n) {
  .reg .b32 %r<8>; .reg .f32 %f<128>; .reg .b64 %d<8>, %a<4>, %b<4>;
  .reg .pred %p, %q;
  .shared .align 1024 .b8 tile[)" +
                     bytes + R"(];
  .local .align 8 .b32 wide[2];
  ld.param.u64 %d1, [image];
  ld.param.u64 %d2, [out];
  ld.param.u64 %a0, [a];
  ld.param.u64 %b0, [b];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %tid.x;
  shl.b32 %r2, %r2, 9;
  mov.u32 %r3, 0;
  st.local.u32 [wide], %r2;
  st.local.u32 [wide+4], %r3;
  ld.local.u64 %d3, [wide];
  add.s64 %d2, %d2, %d3;
  mov.u32 %r4, tile;
  mov.u32 %r5, %tid.x;
  setp.ne.s32 %p, %r5, 0;
  @%p bra Filled;
Copy:
  ld.global.u64 %d3, [%d1];
  st.shared.u64 [%r4], %d3;
  add.s64 %d1, %d1, 8;
  add.s32 %r4, %r4, 8;
  add.s32 %r3, %r3, 8;
  setp.lt.s32 %p, %r3, )" +
                     bytes + R"(;
  @%p bra Copy;
  fence.proxy.async;
Filled:
  bar.sync 0;
  mov.u32 %r3, 0;
)";
  // 16 elements along K are 32 bytes.
  for (unsigned i = 1; i < 4; ++i)
    for (const char *base : {"%a", "%b"})
      text += std::string("  add.s64 ") + base + std::to_string(i) + ", " +
              base + "0, " + std::to_string(2 * i) + ";\n";
  text += "  setp.lt.s32 %q, 0, 0;\nLoop:\n"
          "  wgmma.fence.sync.aligned;\n";
  for (unsigned i = 0; i < 4; ++i)
    text += "  wgmma.mma_async.sync.aligned.m64n" + std::to_string(columns) +
            "k16.f32.bf16.bf16 " + d + ", %a" + std::to_string(i) + ", %b" +
            std::to_string(i) + (i ? ", 1" : ", %q") + ", 1, 1, 0, 0;\n";
  text += R"(  wgmma.commit_group.sync.aligned;
  wgmma.wait_group.sync.aligned 0;
  setp.lt.s32 %q, 0, 1;
  add.s32 %r3, %r3, 1;
  setp.lt.s32 %p, %r3, %r1;
  @%p bra Loop;
)";
  for (unsigned i = 0; i < columns / 2; ++i)
    text += "  st.global.f32 [%d2+" + std::to_string(4 * i) + "], %f" +
            std::to_string(i) + ";\n";
  return text + "  ret;\n}\n";
}

/// A kernel on a device of its own.
class Kernel {
public:
  bool load(const std::string &text) {
    context.loadDialect<ptx::PTXDialect>();
    op = importPTX(llvm::MemoryBufferRef(text, "benchmark.ptx"), &context);
    auto made = createDevice(uint64_t(1) << 30);
    if (!op || !made) {
      llvm::errs() << "error: cannot set up the emulator\n";
      return false;
    }
    device = std::move(*made);
    auto loaded = device->load(*op);
    if (!loaded) {
      llvm::errs() << "error: " << llvm::toString(loaded.takeError()) << "\n";
      return false;
    }
    module = std::move(*loaded);
    return true;
  }
  /// Seconds; 0 after an error. Parameters lie where they are aligned.
  double run(uint32_t threads, llvm::ArrayRef<uint64_t> addresses, uint32_t n,
             bool checks) {
    LaunchConfig config;
    EmulatorOptions options;
    options.checks = checks;
    config.block = {threads};
    config.params.resize(8 * addresses.size() + 4);
    std::memcpy(config.params.data(), addresses.data(), 8 * addresses.size());
    std::memcpy(config.params.data() + 8 * addresses.size(), &n, 4);
    double start = now();
    LaunchOutcome outcome =
        module->launch(module->kernels().front(), config, options);
    double seconds = now() - start;
    if (outcome.status == LaunchStatus::Completed && outcome.findings.empty())
      return seconds;
    llvm::errs() << "error: "
                 << (outcome.findings.empty() ? outcome.reason
                                              : outcome.findings[0].message)
                 << "\n";
    return 0;
  }
  template <class T> T *allocate(size_t count) {
    return reinterpret_cast<T *>(device->allocate(count * sizeof(T)));
  }

private:
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> op;
  std::unique_ptr<Device> device;
  std::unique_ptr<LoadedModule> module;
};

/// What stands behind the name of a measurement.
static const char *nameOf(bool checks) { return checks ? " with checks" : ""; }

static bool measureLoop(bool checks) {
  Kernel kernel;
  if (!kernel.load(loopText))
    return false;
  uint32_t *out = kernel.allocate<uint32_t>(1);
  uint32_t n = iterations;
  double emulated =
      kernel.run(32, {reinterpret_cast<uint64_t>(out)}, n, checks);
  if (!emulated)
    return false;
  double start = now();
  uint32_t last = 0;
  for (uint32_t tid = 0; tid < 32; ++tid)
    last = hostLoop(tid, n);
  double host = now() - start;
  // All lanes write to one place, in order: the last one's value stays.
  if (*out != last) {
    llvm::errs() << "error: the loop gives " << *out << ", not " << last
                 << "\n";
    return false;
  }
  double count = 7.0 * 32 * n / 1e6;
  llvm::outs() << "loop" << nameOf(checks) << ": "
               << llvm::format("%.0f", count / emulated)
               << " million thread-instructions/s; the same loop in C++: "
               << llvm::format("%.0f", count / host) << "; ratio "
               << llvm::format("%.2f", host / emulated) << "\n";
  return true;
}

static bool measureWgmma(unsigned columns, bool checks) {
  TileOperands tile(columns);
  Kernel kernel;
  if (!kernel.load(tileText(columns)))
    return false;
  std::vector<uint16_t> image = tile.sharedImage();
  uint16_t *in = kernel.allocate<uint16_t>(image.size());
  float *out = kernel.allocate<float>(128 * 128);
  std::copy(image.begin(), image.end(), in);
  // Static shared memory begins behind the 1024 bytes that are reserved. Eight
  // lines are 1024 bytes; swizzling over 128.
  auto descriptor = [](uint64_t address) {
    return address >> 4 | uint64_t(1024 >> 4) << 32 | uint64_t(1) << 62;
  };
  uint32_t n = std::min<uint32_t>(tiles, 100000);
  double emulated = kernel.run(128,
                               {reinterpret_cast<uint64_t>(in),
                                reinterpret_cast<uint64_t>(out),
                                descriptor(1024), descriptor(1024 + 64 * 128)},
                               n, checks);
  if (!emulated)
    return false;
  std::vector<float> d(64 * columns);
  double start = now();
  for (uint32_t i = 0; i < n; ++i)
    hostTile(tile, d);
  double host = now() - start;
  for (unsigned thread = 0; thread < 128; ++thread)
    for (unsigned i = 0; i < columns / 2; ++i) {
      unsigned row = thread / 32 * 16 + thread % 32 / 4 + 8 * (i / 2 % 2);
      unsigned column = i / 4 * 8 + thread % 4 * 2 + i % 2;
      float value = out[thread * 128 + i];
      if (value == d[row * columns + column])
        continue;
      llvm::errs() << "error: row " << row << ", column " << column << " is "
                   << value << ", not " << d[row * columns + column] << "\n";
      return false;
    }
  double operations = 2.0 * 64 * 64 * columns * n / 1e9;
  llvm::outs() << "wgmma m64n" << columns << "k16" << nameOf(checks) << ": "
               << llvm::format("%.1f", operations / emulated)
               << " GFLOP/s; the same product in C++: "
               << llvm::format("%.2f", operations / host) << "; ratio "
               << llvm::format("%.1f", host / emulated) << "\n";
  return true;
}

int main(int argc, char **argv) {
  setVersionPrinter();
  cl::ParseCommandLineOptions(argc, argv, "speed of the emulator\n");
  for (bool checks : {false, true})
    if (!measureLoop(checks) || !measureWgmma(64, checks) ||
        !measureWgmma(256, checks))
      return 1;
}
