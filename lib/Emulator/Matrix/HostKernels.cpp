//===- HostKernels.cpp - Inner loops, for the vectors of the host ---------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One text of the loops, HostKernels.inc, for three kinds of vectors of the
// host; which one is chosen when the first product is asked for. Fused
// multiply-adds are written out, so that neither the choice nor the flags of
// the compiler change a result.
//
//===----------------------------------------------------------------------===//

#include "HostKernels.h"
#include "../Numerics/Float64.h"
#include "Products.h"
#include <atomic>
#include <cassert>
#include <cmath>

#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__)
#define HAS_X86_VECTORS 1
#include <immintrin.h>
#else
#define HAS_X86_VECTORS 0
#endif

#if defined(__clang__)
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

using namespace ptxbench::emulator;

namespace {

namespace portable {
#define KERNEL
constexpr unsigned laneWidth = 4;
constexpr unsigned groupStep = 1;
typedef float Floats __attribute__((vector_size(16)));
typedef uint32_t Words __attribute__((vector_size(16)));

inline Floats repeat(const float *from) {
  return Floats{from[0], from[1], from[2], from[3]};
}
inline Words repeat(const uint32_t *from) {
  return Words{from[0], from[1], from[2], from[3]};
}
inline Floats fma(Floats a, Floats b, Floats c) {
  for (unsigned i = 0; i != laneWidth; ++i)
    c[i] = std::fma(a[i], b[i], c[i]);
  return c;
}
inline Floats fmaWhere(uint32_t mask, Floats a, Floats b, Floats c) {
  for (unsigned i = 0; i != laneWidth; ++i)
    if (mask >> i & 1)
      c[i] = std::fma(a[i], b[i], c[i]);
  return c;
}
inline Words pairProduct(Words a, Words b) {
  Words result;
  for (unsigned i = 0; i != laneWidth; ++i)
    result[i] = int16_t(a[i]) * int16_t(b[i]) +
                int16_t(a[i] >> 16) * int16_t(b[i] >> 16);
  return result;
}
inline Floats canonical(Floats value) {
  for (unsigned i = 0; i != laneWidth; ++i)
    if (std::isnan(value[i]))
      value[i] = floatOfBits(canonicalNaN);
  return value;
}
#include "HostKernels.inc"
#undef KERNEL
} // namespace portable

#if HAS_X86_VECTORS
namespace avx2 {
#define KERNEL __attribute__((target("avx2,fma")))
constexpr unsigned laneWidth = 8;
constexpr unsigned groupStep = 1;
typedef float Floats __attribute__((vector_size(32)));
typedef uint32_t Words __attribute__((vector_size(32)));

KERNEL inline Floats repeat(const float *from) {
  return Floats(_mm256_broadcast_ps(reinterpret_cast<const __m128 *>(from)));
}
KERNEL inline Words repeat(const uint32_t *from) {
  return Words(_mm256_broadcastsi128_si256(
      _mm_loadu_si128(reinterpret_cast<const __m128i *>(from))));
}
KERNEL inline Floats fma(Floats a, Floats b, Floats c) {
  return Floats(_mm256_fmadd_ps(__m256(a), __m256(b), __m256(c)));
}
KERNEL inline Floats fmaWhere(uint32_t mask, Floats a, Floats b, Floats c) {
  // Each lane's bit moved to its sign, which the blend looks at.
  __m256i bits =
      _mm256_sllv_epi32(_mm256_set1_epi32(int32_t(mask)),
                        _mm256_setr_epi32(31, 30, 29, 28, 27, 26, 25, 24));
  return Floats(_mm256_blendv_ps(__m256(c), __m256(fma(a, b, c)),
                                 _mm256_castsi256_ps(bits)));
}
KERNEL inline Words pairProduct(Words a, Words b) {
  return Words(_mm256_madd_epi16(__m256i(a), __m256i(b)));
}
KERNEL inline Floats canonical(Floats value) {
  __m256 nan = _mm256_cmp_ps(__m256(value), __m256(value), _CMP_UNORD_Q);
  return Floats(_mm256_blendv_ps(
      __m256(value),
      _mm256_castsi256_ps(_mm256_set1_epi32(int32_t(canonicalNaN))), nan));
}
#include "HostKernels.inc"
#undef KERNEL
} // namespace avx2

namespace avx512 {
#define KERNEL __attribute__((target("avx512f,avx512bw,fma")))
constexpr unsigned laneWidth = 16;
constexpr unsigned groupStep = 4;
typedef float Floats __attribute__((vector_size(64)));
typedef uint32_t Words __attribute__((vector_size(64)));

KERNEL inline Floats repeat(const float *from) {
  // Without a mask GCC 12 warns of the undefined operand that it makes.
  return Floats(
      _mm512_maskz_broadcast_f32x4(__mmask16(-1), _mm_loadu_ps(from)));
}
KERNEL inline Words repeat(const uint32_t *from) {
  return Words(_mm512_maskz_broadcast_i32x4(
      __mmask16(-1), _mm_loadu_si128(reinterpret_cast<const __m128i *>(from))));
}
KERNEL inline Floats fma(Floats a, Floats b, Floats c) {
  return Floats(_mm512_fmadd_ps(__m512(a), __m512(b), __m512(c)));
}
KERNEL inline Floats fmaWhere(uint32_t mask, Floats a, Floats b, Floats c) {
  return Floats(
      _mm512_mask3_fmadd_ps(__m512(a), __m512(b), __m512(c), __mmask16(mask)));
}
KERNEL inline Words pairProduct(Words a, Words b) {
  return Words(_mm512_madd_epi16(__m512i(a), __m512i(b)));
}
KERNEL inline Floats canonical(Floats value) {
  __mmask16 nan =
      _mm512_cmp_ps_mask(__m512(value), __m512(value), _CMP_UNORD_Q);
  return Floats(_mm512_mask_mov_ps(
      __m512(value), nan,
      _mm512_castsi512_ps(_mm512_set1_epi32(int32_t(canonicalNaN)))));
}
#include "HostKernels.inc"
#undef KERNEL
} // namespace avx512
#endif // HAS_X86_VECTORS

const HostKernels &kernelsOf(HostVectors vectors) {
#if HAS_X86_VECTORS
  switch (vectors) {
  case HostVectors::AVX512:
    return avx512::kernels;
  case HostVectors::AVX2:
    return avx2::kernels;
  case HostVectors::Portable:
    break;
  }
#endif
  return portable::kernels;
}

std::atomic<const HostKernels *> &chosenKernels() {
  static std::atomic<const HostKernels *> chosen =
      &kernelsOf(widestHostVectors());
  return chosen;
}

} // namespace

HostVectors ptxbench::emulator::widestHostVectors() {
#if HAS_X86_VECTORS
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw"))
    return HostVectors::AVX512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return HostVectors::AVX2;
#endif
  return HostVectors::Portable;
}

void ptxbench::emulator::useHostVectors(HostVectors vectors) {
  assert(vectors <= widestHostVectors() && "this host has no such vectors");
  chosenKernels() = &kernelsOf(vectors);
}

const HostKernels &ptxbench::emulator::hostKernels() {
  return *chosenKernels().load(std::memory_order_relaxed);
}
