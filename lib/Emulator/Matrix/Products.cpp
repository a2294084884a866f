//===- Products.cpp - D = A * B + D on a warp's registers -----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Jobs for the kernels of the host (HostKernels.h), which do the work.
//
//===----------------------------------------------------------------------===//

#include "Products.h"
#include "HostKernels.h"
#include <cassert>
#include <cfenv>

using namespace ptxbench::emulator;

namespace {

/// The host rounds as asked while one of these lives.
class RoundingScope {
public:
  explicit RoundingScope(ProductRounding rounding) : old(std::fegetround()) {
    constexpr int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD,
                             FE_UPWARD};
    int wanted = modes[unsigned(rounding)];
    changed = wanted != old;
    if (changed)
      std::fesetround(wanted);
  }
  ~RoundingScope() {
    if (changed)
      std::fesetround(old);
  }

private:
  int old;
  bool changed;
};

} // namespace

void ptxbench::emulator::multiply(const FloatRows &a, const FloatColumns &b,
                                  ProductShape shape, float *const *d) {
  assert(a.k == b.k);
  hostKernels().floats({a.value[0][0], a.mask[0], b.value.data(), d, a.k, b.n,
                        shape.rows / 8, a.sparse, shape.accumulate});
}

void ptxbench::emulator::multiplyToHalf(const FloatRows &a,
                                        const FloatColumns &b,
                                        ProductShape shape,
                                        uint32_t *const *d) {
  constexpr unsigned maxRegisters = 128;
  unsigned registers = shape.rows * b.n / laneCount;
  assert(registers <= maxRegisters);
  alignas(64) float wide[maxRegisters][laneCount];
  float *rows[maxRegisters] = {};
  for (unsigned i = 0; i != registers; ++i)
    rows[i] = wide[i];
  const HostKernels &kernels = hostKernels();
  if (shape.accumulate)
    for (unsigned i = 0; i != registers; i += 2)
      kernels.widen(d[i / 2], wide[i], wide[i + 1]);
  multiply(a, b, shape, rows);
  for (unsigned i = 0; i != registers; i += 2)
    kernels.narrow(wide[i], wide[i + 1], d[i / 2]);
}

void ptxbench::emulator::multiply(const IntegerRows &a, const IntegerColumns &b,
                                  ProductShape shape, bool saturate,
                                  int32_t *const *d) {
  assert(a.k == b.k);
  hostKernels().pairs({a.value[0][0], b.value.data(), d, a.k, b.n,
                       shape.rows / 8, shape.accumulate, saturate});
}

void ptxbench::emulator::multiplyBits(const BitRows &a, const BitColumns &b,
                                      ProductShape shape,
                                      BitOperation operation,
                                      int32_t *const *d) {
  assert(a.k == b.k);
  WordJob job = {a.value[0][0],  b.value.data(),   d,    a.k, b.n,
                 shape.rows / 8, shape.accumulate, false};
  if (operation == BitOperation::And)
    hostKernels().andBits(job);
  else
    hostKernels().xorBits(job);
}

void ptxbench::emulator::multiply(const DoubleRows &a, const DoubleColumns &b,
                                  ProductShape shape, ProductRounding rounding,
                                  double *const *d) {
  assert(a.k == b.k && b.n == 8);
  RoundingScope scope(rounding);
  hostKernels().doubles({a.value[0][0], b.value.data(), d, a.k, b.n,
                         shape.rows / 8, shape.accumulate});
}
