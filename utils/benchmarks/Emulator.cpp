//===- Emulator.cpp - Speed of the emulator -------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a loop of seven instructions (fma, xor, shl, add, add, setp, bra) on one
// host thread and prints million thread-instructions per second, next to the
// same loop in C++ as this compiler makes it (scalar, one "thread" after the
// other), and the ratio of the two.
//
//   ptxbench-emulator-benchmark [--iterations=N]
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Emulator/Emulator.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "ptxbench/Dialect/PTX/IR/PTXDialect.h"
#include "ptxbench/Target/PTX/Import.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBufferRef.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <cmath>
#include <cstring>

using namespace ptxbench;
using namespace ptxbench::emulator;
namespace cl = llvm::cl;

static cl::opt<uint32_t> iterations("iterations", cl::init(1000000),
                                    cl::desc("rounds of the loop"));

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

static double now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

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

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv, "speed of the emulator\n");
  mlir::MLIRContext context;
  context.loadDialect<ptx::PTXDialect>();
  auto op = importPTX(llvm::MemoryBufferRef(loopText, "loop.ptx"), &context);
  auto device = createDevice(uint64_t(1) << 30);
  if (!op || !device) {
    llvm::errs() << "error: cannot set up the emulator\n";
    return 1;
  }
  auto module = (*device)->load(*op);
  if (!module) {
    llvm::errs() << "error: " << llvm::toString(module.takeError()) << "\n";
    return 1;
  }
  LaunchConfig config;
  config.block = {32};
  uint64_t out = (*device)->allocate(4);
  uint32_t n = iterations;
  config.params.resize(12);
  std::memcpy(config.params.data(), &out, 8);
  std::memcpy(config.params.data() + 8, &n, 4);

  double start = now();
  LaunchOutcome outcome = (*module)->launch("loop", config, {});
  double emulated = now() - start;
  if (outcome.status != LaunchStatus::Completed) {
    llvm::errs() << "error: " << outcome.reason << "\n";
    return 1;
  }
  start = now();
  uint32_t last = 0;
  for (uint32_t tid = 0; tid < 32; ++tid)
    last = hostLoop(tid, n);
  double host = now() - start;
  // All lanes write to one place, in order: the last one's value stays.
  uint32_t value;
  std::memcpy(&value, reinterpret_cast<void *>(out), 4);
  if (value != last) {
    llvm::errs() << "error: the loop gives " << value << ", not " << last
                 << "\n";
    return 1;
  }
  double count = 7.0 * 32 * n / 1e6;
  llvm::outs() << "loop: " << llvm::format("%.0f", count / emulated)
               << " million thread-instructions/s; the same loop in C++: "
               << llvm::format("%.0f", count / host) << "; ratio "
               << llvm::format("%.2f", host / emulated) << "\n";
  return 0;
}
