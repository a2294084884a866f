//===- wgmma_tma.cu - causal attention backward with wgmma and TMA --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gradients of attention in bf16 with f32 accumulation, head dimension 128,
// sm_90a. With P = exp(Q * K^T / sqrt(128) - LSE) where the key is not past the
// query, else 0, and dS = P o (dO * V^T - delta), delta = rowsum(dO o O):
//
//   dV = P^T * dO    dK = dS^T * Q / sqrt(128)    dQ = dS * K / sqrt(128)
//
// Three kernels:
//
//   mhaBwdCausalPrepare  delta, the LSE in base 2, zeros where dQ is added up
//   mhaBwdCausal         the five products, one CTA per processor
//   mhaBwdCausalFinish   dQ from f32 to bf16
//
// A tile of mhaBwdCausal is a block of 128 keys of a head; a CTA begins with the
// tile of its number and takes further ones from a counter. A tile goes through
// the queries from its first key on, 64 in a step. The 384 threads have three
// roles, by warpgroup:
//
//   warpgroup 0     producer: one thread of its warp 0 issues the TMA loads
//   warpgroups 1, 2 consumers: 64 keys each
//
// In a step a consumer computes, with its keys as rows and queries as columns,
//
//   S^T = K * Q^T, dP^T = V * dO^T   64 x 64 each, operands in shared memory
//   dV += P^T * dO, dK += dS^T * Q   64 x 128 each; P^T and dS^T stay in the
//                                    registers where S^T and dP^T were
//   dQ^T = K^T * dS^T                64 of the 128 columns, over all 128 keys:
//                                    both consumers write their dS to shared
//                                    memory, transposed by stmatrix
//
// dK and dV stay in registers for the whole tile. dQ goes through shared memory
// to f32 sums in global memory (cp.reduce.async.bulk), in the order of the
// accumulators, which mhaBwdCausalFinish undoes. The order of these additions,
// and so the last bits of dQ, differ from run to run. Blocks of four heads take
// turns, so that long tiles come first and short ones last.
//
// What overlaps: dK and dQ of a step run while S of the next one is started, dP
// while S becomes P, dV while dP becomes dS. At the top of the loop no wgmma is
// in flight, and dP takes the registers of dQ: otherwise ptxas has too few
// registers and lets each wgmma wait for the one before.
//
// Barriers (the ring of Q and dO has two stages):
//
//   fullKV      1 arrival (the producer's expect_tx) + 65536 bytes; the number
//               of the tile is there, too, and a negative one is the end
//   emptyKV     8 arrivals: one of each consumer warp
//   fullQ[s]    1 arrival + 16384 bytes of Q and 256 of the LSE
//   fullDO[s]   1 arrival + 16384 bytes of dO and 256 of delta
//   emptyQ[s], emptyDO[s]   8 arrivals
//
// Any S >= 1 works. TMA fills rows past S with zeros and does not store them;
// queries past S have an LSE of infinity, so that P is zero, and keys past S
// are masked.
//
// How often the target instructions execute
// -----------------------------------------
// With T = B * H * ceil(S / 128) tiles and X steps of all tiles, the sum of
// ceil(S / 64) - 2 * block over all blocks of all heads, counted in warps over
// all lines:
//
//   instruction                                    warps
//   wgmma m64n64k16, S and dP                      2 * 8 * 8 * X
//   wgmma m64n64k16, dQ                            8 * 8 * (X + T)
//   wgmma m64n128k16, dV                           4 * 8 * X
//   wgmma m64n128k16, dK                           4 * 8 * (X + T)
//   cp.async.bulk.tensor load of K, V              4 * T
//   cp.async.bulk.tensor load of Q, dO             4 * X
//   cp.async.bulk load of LSE, delta               2 * X
//   cp.async.bulk.tensor store of dK, dV           8 * T
//   stmatrix x4 .trans (dS)                        4 * 8 * X
//   stmatrix x4 (dK, dV)                           16 * 8 * T
//   cp.reduce.async.bulk (dQ)                      2 * X
//
// The first step of a tile has no step before it: its dK and dQ products are of
// zeros and without use, so that all steps are alike. TMA and bulk instructions
// have one active thread per warp.
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <climits>
#include <cstdint>
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <mutex>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>

namespace {

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

constexpr bool kCausal = true;

constexpr int kHead = 128;   // D
constexpr int kKeys = 128;   // Keys of a CTA.
constexpr int kQueries = 64; // Queries of a step.
constexpr int kStages = 2;

constexpr int kHalf = 64; // Columns of a box: 128 bytes, a row of the swizzle.
constexpr int kWarpgroupKeys = 64;
constexpr int kThreads = 384;
/// What each thread has until setmaxnreg: 384 * 168 of the 65,536 registers.
constexpr int kRegistersAtEntry = 168;
constexpr int kConsumerThreads = 256;
constexpr int kConsumerWarps = 8;

/// Accumulators per thread of a 64 x kQueries product.
constexpr int kScores = kQueries / 2;

constexpr uint32_t kBytesKeys = kKeys * kHead * 2;
constexpr uint32_t kBytesKeysHalf = kBytesKeys / 2;
constexpr uint32_t kBytesQueries = kQueries * kHead * 2;
constexpr uint32_t kBytesQueriesHalf = kBytesQueries / 2;
constexpr uint32_t kBytesRows = kQueries * 4;
constexpr uint32_t kBytesDS = kKeys * kQueries * 2;

// Offsets in shared memory. Each consumer warpgroup stages its rows of dV and
// of dK in a place of its own; that of dV is for its half of dQ, too.
constexpr uint32_t kBytesStaging = kWarpgroupKeys * kHead * 2;
constexpr uint32_t kOffsetK = 0;
constexpr uint32_t kOffsetV = kOffsetK + kBytesKeys;
constexpr uint32_t kOffsetQ = kOffsetV + kBytesKeys;
constexpr uint32_t kOffsetDO = kOffsetQ + kStages * kBytesQueries;
constexpr uint32_t kOffsetDS = kOffsetDO + kStages * kBytesQueries;
constexpr uint32_t kOffsetStaging = kOffsetDS + 2 * kBytesDS;
constexpr uint32_t kOffsetLse = kOffsetStaging + 4 * kBytesStaging;
constexpr uint32_t kOffsetDelta = kOffsetLse + kStages * kBytesRows;
constexpr uint32_t kOffsetFullKV = kOffsetDelta + kStages * kBytesRows;
constexpr uint32_t kOffsetEmptyKV = kOffsetFullKV + 8;
constexpr uint32_t kOffsetFullQ = kOffsetEmptyKV + 8;
constexpr uint32_t kOffsetEmptyQ = kOffsetFullQ + 8 * kStages;
constexpr uint32_t kOffsetFullDO = kOffsetEmptyQ + 8 * kStages;
constexpr uint32_t kOffsetEmptyDO = kOffsetFullDO + 8 * kStages;
constexpr uint32_t kOffsetTile = kOffsetEmptyDO + 8 * kStages;
constexpr uint32_t kSharedBytes = kOffsetTile + 8;

static_assert(kSharedBytes <= 232448, "shared memory of a CTA");
static_assert(kQueries % 16 == 0, "a k-step of wgmma is 16 queries");

constexpr float kLog2E = 1.4426950408889634f;
constexpr float kScale = 0.08838834764831845f; // 1 / sqrt(128)
constexpr float kScaleLog2 = kScale * kLog2E;

//===----------------------------------------------------------------------===//
// PTX
//===----------------------------------------------------------------------===//

/// True in exactly one lane of the warp, which must be converged.
__device__ __forceinline__ bool electLane() {
  uint32_t elected;
  asm volatile("{\n\t"
               ".reg .pred p;\n\t"
               "elect.sync _|p, 0xffffffff;\n\t"
               "selp.u32 %0, 1, 0, p;\n\t"
               "}"
               : "=r"(elected));
  return elected != 0;
}

__device__ __forceinline__ void initBarrier(uint32_t barrier, uint32_t count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;"
               :
               : "r"(barrier), "r"(count)
               : "memory");
}

__device__ __forceinline__ void fenceBarrierInit() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

__device__ __forceinline__ void expectBytes(uint32_t barrier, uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
               :
               : "r"(barrier), "r"(bytes)
               : "memory");
}

__device__ __forceinline__ void arrive(uint32_t barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];"
               :
               : "r"(barrier)
               : "memory");
}

/// Waits until the phase of parity `parity` of `barrier` is complete.
__device__ __forceinline__ void waitBarrier(uint32_t barrier, uint32_t parity) {
  uint32_t done;
  do {
    asm volatile("{\n\t"
                 ".reg .pred p;\n\t"
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\t"
                 "selp.u32 %0, 1, 0, p;\n\t"
                 "}"
                 : "=r"(done)
                 : "r"(barrier), "r"(parity)
                 : "memory");
  } while (!done);
}

/// Loads the box at (column, row, head); what lies past the last row is zero.
__device__ __forceinline__ void loadTile(uint32_t destination,
                                         const CUtensorMap *map,
                                         uint32_t barrier, int column, int row,
                                         int head) {
  asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile"
               ".mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5}], [%2];"
               :
               : "r"(destination), "l"(map), "r"(barrier), "r"(column),
                 "r"(row), "r"(head)
               : "memory");
}

__device__ __forceinline__ void
loadRows(uint32_t destination, const float *source, uint32_t barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier"
               "::complete_tx::bytes [%0], [%1], %2, [%3];"
               :
               : "r"(destination), "l"(source), "n"(kBytesRows), "r"(barrier)
               : "memory");
}

/// Stores the rows of the box at (column, row, head) that are there.
__device__ __forceinline__ void storeTile(const CUtensorMap *map,
                                          uint32_t source, int column, int row,
                                          int head) {
  asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group "
               "[%0, {%2, %3, %4}], [%1];"
               :
               : "l"(map), "r"(source), "r"(column), "r"(row), "r"(head)
               : "memory");
}

__device__ __forceinline__ void commitStores() {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

/// Waits until the stores have read their sources.
__device__ __forceinline__ void waitStoresRead() {
  asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}

/// Makes this thread's ordinary writes to shared memory visible to TMA and
/// wgmma.
__device__ __forceinline__ void fenceAsyncProxy() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

__device__ __forceinline__ void fenceWgmma() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

__device__ __forceinline__ void commitWgmma() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

template <int Registers> __device__ __forceinline__ void shrinkRegisters() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(Registers));
}

template <int Registers> __device__ __forceinline__ void growRegisters() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(Registers));
}

/// Rendezvous of the 128 threads of one consumer warpgroup.
__device__ __forceinline__ void syncWarpgroup(uint32_t consumer) {
  asm volatile("bar.sync %0, 128;" ::"r"(2 + consumer) : "memory");
}

/// Rendezvous of both consumer warpgroups.
__device__ __forceinline__ void syncConsumers() {
  asm volatile("bar.sync 1, %0;" ::"n"(kConsumerThreads) : "memory");
}

__device__ __forceinline__ void storeMatrices(uint32_t address, uint32_t m0,
                                              uint32_t m1, uint32_t m2,
                                              uint32_t m3) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, "
               "%4};"
               :
               : "r"(address), "r"(m0), "r"(m1), "r"(m2), "r"(m3)
               : "memory");
}

__device__ __forceinline__ void
storeMatricesTransposed(uint32_t address, uint32_t m0, uint32_t m1, uint32_t m2,
                        uint32_t m3) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, "
               "%3, %4};"
               :
               : "r"(address), "r"(m0), "r"(m1), "r"(m2), "r"(m3)
               : "memory");
}

__device__ __forceinline__ float2 loadPair(uint32_t address) {
  float2 pair;
  asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];"
               : "=f"(pair.x), "=f"(pair.y)
               : "r"(address)
               : "memory");
  return pair;
}

__device__ __forceinline__ void storeTileNumber(uint32_t address, int head,
                                                int keyBlock) {
  asm volatile("st.shared.v2.s32 [%0], {%1, %2};"
               :
               : "r"(address), "r"(head), "r"(keyBlock)
               : "memory");
}

__device__ __forceinline__ int2 loadTileNumber(uint32_t address) {
  int2 tile;
  asm volatile("ld.shared.v2.s32 {%0, %1}, [%2];"
               : "=r"(tile.x), "=r"(tile.y)
               : "r"(address)
               : "memory");
  return tile;
}

__device__ __forceinline__ void storeFour(uint32_t address, float a, float b,
                                          float c, float d) {
  asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};"
               :
               : "r"(address), "f"(a), "f"(b), "f"(c), "f"(d)
               : "memory");
}

/// Adds `bytes` of floats to global memory.
__device__ __forceinline__ void addBulk(float *address, uint32_t source,
                                        uint32_t bytes) {
  asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 "
               "[%0], [%1], %2;"
               :
               : "l"(address), "r"(source), "r"(bytes)
               : "memory");
}

__device__ __forceinline__ float exp2Approximate(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

__device__ __forceinline__ uint32_t pack(float low, float high) {
  __nv_bfloat162 value = __floats2bfloat162_rn(low, high);
  return reinterpret_cast<uint32_t &>(value);
}

/// The shared-memory descriptor of an operand with the 128-byte swizzle, whose
/// groups of 8 lines follow each other at 1024 bytes. A line is 64 elements of
/// K (K-major) or of M or N (the other way round); in the latter case `leading`
/// is the distance in bytes from 64 elements of M or N to the next.
__device__ __forceinline__ uint64_t operandDescriptor(uint32_t address,
                                                      uint32_t leading = 16) {
  return static_cast<uint64_t>((address & 0x3ffff) >> 4) |
         (static_cast<uint64_t>(leading >> 4) << 16) |
         (uint64_t{1024 >> 4} << 32) | (uint64_t{1} << 62);
}

// clang-format off
#define ACC_8(I)                                                               \
  "+f"(acc[I]), "+f"(acc[I + 1]), "+f"(acc[I + 2]), "+f"(acc[I + 3]),          \
  "+f"(acc[I + 4]), "+f"(acc[I + 5]), "+f"(acc[I + 6]), "+f"(acc[I + 7])
#define NEW_8(I)                                                               \
  "=f"(acc[I]), "=f"(acc[I + 1]), "=f"(acc[I + 2]), "=f"(acc[I + 3]),          \
  "=f"(acc[I + 4]), "=f"(acc[I + 5]), "=f"(acc[I + 6]), "=f"(acc[I + 7])
#define ACC_32(I) ACC_8(I), ACC_8(I + 8), ACC_8(I + 16), ACC_8(I + 24)
#define NEW_32(I) NEW_8(I), NEW_8(I + 8), NEW_8(I + 16), NEW_8(I + 24)
#define ACC_QUERIES ACC_32(0)
#define NEW_QUERIES NEW_32(0)

/// acc[64 x kQueries] = A[64 x 16] * B[kQueries x 16]^T. A is K-major, or
/// M-major if `Transposed`; B is K-major. acc need not have been defined.
template <bool Transposed>
__device__ __forceinline__ void multiplyToQueries(float (&acc)[kScores],
                                                  uint64_t a, uint64_t b) {
  asm volatile(
      "{\n\t"
      ".reg .pred accumulate;\n\t"
      "setp.ne.u32 accumulate, 0, 0;\n\t"
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, "
      "%8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, "
      "%24, %25, %26, %27, %28, %29, %30, %31}, "
      "%32, %33, accumulate, 1, 1, %34, 0;\n\t"
      "}"
      : NEW_QUERIES
      : "l"(a), "l"(b), "n"(Transposed ? 1 : 0));
}

/// The same, added to acc.
template <bool Transposed>
__device__ __forceinline__ void addToQueries(float (&acc)[kScores], uint64_t a,
                                             uint64_t b) {
  asm volatile(
      "{\n\t"
      ".reg .pred accumulate;\n\t"
      "setp.eq.u32 accumulate, 0, 0;\n\t"
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, "
      "%8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, "
      "%24, %25, %26, %27, %28, %29, %30, %31}, "
      "%32, %33, accumulate, 1, 1, %34, 0;\n\t"
      "}"
      : ACC_QUERIES
      : "l"(a), "l"(b), "n"(Transposed ? 1 : 0));
}

/// acc[64 x 128] += A[64 x 16] * B[16 x 128], A in registers, B N-major.
__device__ __forceinline__ void multiplyToHead(float (&acc)[64], uint32_t a0,
                                               uint32_t a1, uint32_t a2,
                                               uint32_t a3, uint64_t b) {
  asm volatile(
      "{\n\t"
      ".reg .pred accumulate;\n\t"
      "setp.eq.u32 accumulate, 0, 0;\n\t"
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, "
      "%8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, "
      "%24, %25, %26, %27, %28, %29, %30, %31, "
      "%32, %33, %34, %35, %36, %37, %38, %39, "
      "%40, %41, %42, %43, %44, %45, %46, %47, "
      "%48, %49, %50, %51, %52, %53, %54, %55, "
      "%56, %57, %58, %59, %60, %61, %62, %63}, "
      "{%64, %65, %66, %67}, %68, accumulate, 1, 1, 1;\n\t"
      "}"
      : ACC_32(0), ACC_32(32)
      : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "l"(b));
}

/// Waits until all groups but the last `Pending` ones are complete. The
/// accumulators are operands, so that the compiler reads none of them earlier.
template <int Pending> __device__ __forceinline__ void waitWgmma() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(Pending) : "memory");
}

template <int Pending>
__device__ __forceinline__ void waitWgmma(float (&acc)[kScores]) {
  asm volatile("wgmma.wait_group.sync.aligned %32;"
               : ACC_QUERIES
               : "n"(Pending)
               : "memory");
}

__device__ __forceinline__ void waitWgmmaHead(float (&acc)[64]) {
  asm volatile("wgmma.wait_group.sync.aligned 0;"
               : ACC_32(0), ACC_32(32)
               :
               : "memory");
}
#undef NEW_QUERIES
#undef ACC_QUERIES
#undef NEW_32
#undef NEW_8
#undef ACC_32
#undef ACC_8
// clang-format on

//===----------------------------------------------------------------------===//
// Products of a step
//===----------------------------------------------------------------------===//

/// acc[64 keys x kQueries] = A[64 x 128] * B[kQueries x 128]^T.
__device__ __forceinline__ void startScores(float (&acc)[kScores],
                                            uint32_t rowsA, uint32_t rowsB) {
  uint64_t a = operandDescriptor(rowsA);
  uint64_t b = operandDescriptor(rowsB);
  fenceWgmma();
  // 16 columns are 32 bytes, two units of the descriptor's address.
  multiplyToQueries<false>(acc, a, b);
#pragma unroll
  for (int k = 1; k < 8; ++k)
    addToQueries<false>(acc, a + 2 * (k & 3) + (k >> 2) * (kBytesKeysHalf >> 4),
                        b + 2 * (k & 3) + (k >> 2) * (kBytesQueriesHalf >> 4));
  commitWgmma();
}

/// acc[64 keys x 128] += A[64 x kQueries] * B[kQueries x 128], or some of its
/// k-steps.
template <int First = 0, int End = kQueries / 16>
__device__ __forceinline__ void startGradient(float (&acc)[64],
                                              const uint32_t (&a)[kScores / 2],
                                              uint32_t rowsB) {
  uint64_t b = operandDescriptor(rowsB, kBytesQueriesHalf);
  fenceWgmma();
#pragma unroll
  for (int k = First; k < End; ++k)
    multiplyToHead(acc, a[4 * k], a[4 * k + 1], a[4 * k + 2], a[4 * k + 3],
                   b + k * (2048 >> 4));
  commitWgmma();
}

/// acc[64 columns x kQueries] = K[128 keys x 64]^T * dS[kQueries x 128 keys]^T.
__device__ __forceinline__ void startDQ(float (&acc)[kScores],
                                        uint32_t columnsK, uint32_t dS) {
  uint64_t a = operandDescriptor(columnsK);
  uint64_t b = operandDescriptor(dS);
  fenceWgmma();
  multiplyToQueries<true>(acc, a, b);
#pragma unroll
  for (int k = 1; k < 8; ++k)
    addToQueries<true>(acc, a + k * (2048 >> 4),
                       b + 2 * (k & 3) + (k >> 2) * ((kBytesDS / 2) >> 4));
  commitWgmma();
}

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

/// What all CTAs work on.
struct Problem {
  float *sums;        // dQ in f32.
  const float *lse;   // In base 2, padded to whole blocks.
  const float *delta; // sum(dO * O), padded, too.
  unsigned *nextTile;
  int heads;  // B * H
  int length; // S
  int blocks; // Blocks of queries of a head.
  int keyBlocks;
  int tiles; // heads * keyBlocks
};

/// Key blocks in turn take the heads of a group, so that causal tiles, of which
/// the first are the longest, end in short ones.
constexpr int kGroup = kCausal ? 4 : 1;

/// The head and the key block of a tile.
__device__ __forceinline__ int2 findTile(const Problem &problem, int tile) {
  int group = tile / (kGroup * problem.keyBlocks);
  int heads = min(kGroup, problem.heads - group * kGroup);
  int inGroup = tile - group * kGroup * problem.keyBlocks;
  return make_int2(group * kGroup + inGroup % heads, inGroup / heads);
}

/// The blocks of queries that a tile goes through, from `first` on.
struct Steps {
  int first, count, blocks;

  __device__ __forceinline__ Steps(const Problem &problem, int keyBlock)
      : blocks(problem.blocks) {
    if (kCausal) {
      first = keyBlock * kKeys / kQueries;
      count = blocks - first;
    } else {
      // CTAs of the same head begin in different places, so that they don't add
      // to the same sums at the same time.
      first = static_cast<int>(static_cast<int64_t>(keyBlock) * blocks /
                               problem.keyBlocks);
      count = blocks;
    }
  }

  __device__ __forceinline__ int block(int step) const {
    int block = first + step;
    return !kCausal && block >= blocks ? block - blocks : block;
  }
};

/// One thread of the CTA: loads K and V of each tile and keeps the rings of Q
/// and dO filled.
__device__ __forceinline__ void
produce(uint32_t shared, const CUtensorMap *mapQ, const CUtensorMap *mapK,
        const CUtensorMap *mapV, const CUtensorMap *mapDO,
        const Problem &problem) {
  uint32_t count = 0; // Steps of all tiles.
  // The first tile is the CTA's own number, which is below that of tiles.
  int next = blockIdx.x;
  uint32_t round = 0;
#pragma unroll 1
  do {
    // The phase before the first one counts as complete: the first round does
    // not wait.
    waitBarrier(shared + kOffsetEmptyKV, (round & 1) ^ 1);
    int2 tile = findTile(problem, next);
    int head = tile.x;

    storeTileNumber(shared + kOffsetTile, tile.x, tile.y);
    expectBytes(shared + kOffsetFullKV, 2 * kBytesKeys);
#pragma unroll
    for (int half = 0; half < 2; ++half)
      loadTile(shared + kOffsetK + half * kBytesKeysHalf, mapK,
               shared + kOffsetFullKV, half * kHalf, tile.y * kKeys, head);
#pragma unroll
    for (int half = 0; half < 2; ++half)
      loadTile(shared + kOffsetV + half * kBytesKeysHalf, mapV,
               shared + kOffsetFullKV, half * kHalf, tile.y * kKeys, head);

    Steps steps(problem, tile.y);
    int64_t rows = static_cast<int64_t>(head) * problem.blocks * kQueries;
#pragma unroll 1
    for (int step = 0; step < steps.count; ++step, ++count) {
      uint32_t stage = count & (kStages - 1);
      uint32_t parity = (count / kStages) & 1;
      int row = steps.block(step) * kQueries;
      uint32_t full = shared + kOffsetFullQ + 8 * stage;
      uint32_t slot = shared + kOffsetQ + stage * kBytesQueries;
      waitBarrier(shared + kOffsetEmptyQ + 8 * stage, parity ^ 1);
      expectBytes(full, kBytesQueries + kBytesRows);
      loadTile(slot, mapQ, full, 0, row, head);
      loadTile(slot + kBytesQueriesHalf, mapQ, full, kHalf, row, head);
      loadRows(shared + kOffsetLse + stage * kBytesRows,
               problem.lse + rows + row, full);

      full = shared + kOffsetFullDO + 8 * stage;
      slot = shared + kOffsetDO + stage * kBytesQueries;
      waitBarrier(shared + kOffsetEmptyDO + 8 * stage, parity ^ 1);
      expectBytes(full, kBytesQueries + kBytesRows);
      loadTile(slot, mapDO, full, 0, row, head);
      loadTile(slot + kBytesQueriesHalf, mapDO, full, kHalf, row, head);
      loadRows(shared + kOffsetDelta + stage * kBytesRows,
               problem.delta + rows + row, full);
    }
    next = gridDim.x + atomicAdd(problem.nextTile, 1);
    ++round;
  } while (next < problem.tiles);
  waitBarrier(shared + kOffsetEmptyKV, (round & 1) ^ 1);
  storeTileNumber(shared + kOffsetTile, -1, 0);
  arrive(shared + kOffsetFullKV);
}

/// Writes 64 x 128 accumulators as bf16 to `rows`, swizzled as the tensor maps
/// say, in two boxes of 64 columns.
__device__ __forceinline__ void stageRows(const float (&acc)[64], float scale,
                                          uint32_t rows) {
  uint32_t lane = threadIdx.x & 31;
  uint32_t warp = (threadIdx.x >> 5) & 3;
  // stmatrix x4 writes 16 rows x 16 columns; lane l gives the address of row
  // l % 8 of matrix l / 8: rows 0-7, rows 8-15, then the next 8 columns.
  uint32_t row = 16 * warp + (lane & 15);
#pragma unroll
  for (int half = 0; half < 2; ++half) {
#pragma unroll
    for (int pair = 0; pair < 4; ++pair) {
      uint32_t packed[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        int index = 32 * half + 8 * pair + 2 * i;
        packed[i] = pack(acc[index] * scale, acc[index + 1] * scale);
      }
      uint32_t chunk = (2 * pair + (lane >> 4)) ^ (row & 7);
      storeMatrices(rows + half * (kBytesStaging / 2) + 128 * row + 16 * chunk,
                    packed[0], packed[1], packed[2], packed[3]);
    }
  }
}

/// The 128 threads of consumer warpgroup `consumer` (0 or 1).
__device__ __forceinline__ void
consume(uint32_t shared, const CUtensorMap *mapDK, const CUtensorMap *mapDV,
        const Problem &problem, uint32_t consumer) {
  uint32_t thread = threadIdx.x & 127;
  uint32_t lane = threadIdx.x & 31;
  uint32_t warp = (threadIdx.x >> 5) & 3;
  uint32_t rowsK = shared + kOffsetK + consumer * kWarpgroupKeys * 128;
  uint32_t rowsV = shared + kOffsetV + consumer * kWarpgroupKeys * 128;
  uint32_t columnsK = shared + kOffsetK + consumer * kBytesKeysHalf;
  uint32_t staging = shared + kOffsetStaging + consumer * 2 * kBytesStaging;

  // This thread's keys are keyInTile and keyInTile + 8, its queries in a step
  // 8 g + 2 (lane % 4) and the next, for each g below kQueries / 8.
  int keyInTile = consumer * kWarpgroupKeys + 16 * warp + lane / 4;
  uint32_t pairOffset = 8 * (lane & 3);

  // dS is stored transposed, a row per query, this warpgroup's keys in one half
  // of 64. stmatrix x4 writes 16 queries x 16 keys: matrix l / 8 has the keys
  // 0-7 or 8-15 (bit 0) of the queries 0-7 or 8-15 (bit 1).
  uint32_t queryInStep = (lane & 7) + 8 * (lane >> 4);
  uint32_t chunk = (2 * warp + ((lane >> 3) & 1)) ^ (lane & 7);
  uint32_t storeDS = consumer * (kBytesDS / 2) + 128 * queryInStep + 16 * chunk;

  uint32_t count = 0; // Steps of all tiles.
  // As the producer has it.
  int2 tile = findTile(problem, blockIdx.x);
  uint32_t round = 0;
  waitBarrier(shared + kOffsetFullKV, 0);
#pragma unroll 1
  do {
    Steps steps(problem, tile.y);
    int keysLeft = problem.length - tile.y * kKeys;
    float *sums =
        problem.sums +
        static_cast<int64_t>(tile.x) * problem.blocks * (kQueries * kHead) +
        consumer * (kQueries * kHead / 2);

    // Adds what the accumulators `dQ` hold to the sums of the block of `step`.
    auto addDQ = [&](const float(&dQ)[kScores], int step) {
      float *sumsOfBlock =
          sums + static_cast<int64_t>(steps.block(step)) * (kQueries * kHead);
      if (warp == 0)
        waitStoresRead();
      syncWarpgroup(consumer);
#pragma unroll
      for (int g = 0; g < kQueries / 8; ++g)
        storeFour(staging + 2048 * g + 16 * thread, dQ[4 * g], dQ[4 * g + 1],
                  dQ[4 * g + 2], dQ[4 * g + 3]);
      fenceAsyncProxy();
      syncWarpgroup(consumer);
      if (thread == 0) {
        addBulk(sumsOfBlock, staging, kQueries * kHead * 2);
        commitStores();
      }
    };

    // The Q and dO of a stage may be overwritten. Each warp speaks for itself,
    // since wait_group covers only the warp that executes it.
    auto release = [&](uint32_t stage) {
      if (lane == 0) {
        arrive(shared + kOffsetEmptyQ + 8 * stage);
        arrive(shared + kOffsetEmptyDO + 8 * stage);
      }
    };

    float dK[64], dV[64];
#pragma unroll
    for (int i = 0; i < 64; ++i)
      dK[i] = dV[i] = 0.0f;
    uint32_t dS[kScores / 2];
#pragma unroll
    for (int i = 0; i < kScores / 2; ++i)
      dS[i] = 0;

#pragma unroll 1
    for (int step = 0; step < steps.count; ++step, ++count) {
      uint32_t stage = count & (kStages - 1);
      uint32_t parity = (count / kStages) & 1;
      uint32_t tileQ = shared + kOffsetQ + stage * kBytesQueries;
      uint32_t tileDO = shared + kOffsetDO + stage * kBytesQueries;
      uint32_t bufferDS = shared + kOffsetDS + stage * kBytesDS;

      // dK and dQ of the step before. The first step has none: it multiplies
      // zeros by V for dK and throws dQ away, so that all steps have the same
      // wgmmas. A V that is not finite makes all dS of this tile NaN anyway.
      startGradient(dK, dS,
                    step > 0 ? shared + kOffsetQ + (stage ^ 1) * kBytesQueries
                             : shared + kOffsetV);
      // Both halves of dS are there, and both warpgroups are done with the dQ
      // before, so that this step may overwrite the other buffer.
      syncConsumers();
      // dP takes the place of dQ: there are not enough registers for both.
      float scores[kScores], other[kScores];
      float(&dQ)[kScores] = other;
      float(&dP)[kScores] = other;
      startDQ(dQ, columnsK, shared + kOffsetDS + (stage ^ 1) * kBytesDS);
      // This frees the registers of dS.
      waitWgmma<1>();
      waitBarrier(shared + kOffsetFullQ + 8 * stage, parity);
      startScores(scores, rowsK, tileQ);
      waitWgmma<1>(dQ);
      if (step > 0) {
        release(stage ^ 1);
        addDQ(dQ, step - 1);
      }
      waitBarrier(shared + kOffsetFullDO + 8 * stage, parity);
      startScores(dP, rowsV, tileDO);

      uint32_t rowsLse = shared + kOffsetLse + stage * kBytesRows + pairOffset;
      float2 lses[kQueries / 8];
#pragma unroll
      for (int g = 0; g < kQueries / 8; ++g)
        lses[g] = loadPair(rowsLse + 32 * g);
      waitWgmma<1>(scores);
      int firstQuery = steps.block(step) * kQueries - tile.y * kKeys;
      bool masked = keysLeft < kKeys || (kCausal && firstQuery < kKeys - 1);
      uint32_t p[kScores / 2];
      // In two halves, so that dV begins earlier.
#pragma unroll
      for (int part = 0; part < 2; ++part) {
        constexpr int kGroups = kQueries / 16;
#pragma unroll
        for (int g = part * kGroups; g < (part + 1) * kGroups; ++g) {
          float2 lse = lses[g];
          scores[4 * g] =
              exp2Approximate(fmaf(scores[4 * g], kScaleLog2, -lse.x));
          scores[4 * g + 1] =
              exp2Approximate(fmaf(scores[4 * g + 1], kScaleLog2, -lse.y));
          scores[4 * g + 2] =
              exp2Approximate(fmaf(scores[4 * g + 2], kScaleLog2, -lse.x));
          scores[4 * g + 3] =
              exp2Approximate(fmaf(scores[4 * g + 3], kScaleLog2, -lse.y));
        }
        // Keys that a query does not see: past it, or past the last one.
        if (masked) {
#pragma unroll
          for (int i = 4 * part * kGroups; i < 4 * (part + 1) * kGroups; ++i) {
            int key = keyInTile + ((i & 2) ? 8 : 0);
            int query = firstQuery + 8 * (i / 4) + 2 * (lane & 3) + (i & 1);
            if (key >= keysLeft || (kCausal && key > query))
              scores[i] = 0.0f;
          }
        }
#pragma unroll
        for (int i = 2 * part * kGroups; i < 2 * (part + 1) * kGroups; ++i)
          p[i] = pack(scores[2 * i], scores[2 * i + 1]);
        if (part == 0)
          startGradient<0, kQueries / 32>(dV, p, tileDO);
        else
          startGradient<kQueries / 32, kQueries / 16>(dV, p, tileDO);
      }

      uint32_t rowsDelta =
          shared + kOffsetDelta + stage * kBytesRows + pairOffset;
      waitWgmma<2>(dP);
#pragma unroll
      for (int g = 0; g < kQueries / 8; ++g) {
        float2 delta = loadPair(rowsDelta + 32 * g);
        dS[2 * g] = pack(scores[4 * g] * (dP[4 * g] - delta.x),
                         scores[4 * g + 1] * (dP[4 * g + 1] - delta.y));
        dS[2 * g + 1] = pack(scores[4 * g + 2] * (dP[4 * g + 2] - delta.x),
                             scores[4 * g + 3] * (dP[4 * g + 3] - delta.y));
      }
#pragma unroll
      for (int k = 0; k < kQueries / 16; ++k)
        storeMatricesTransposed(bufferDS + storeDS + 2048 * k, dS[4 * k],
                                dS[4 * k + 1], dS[4 * k + 2], dS[4 * k + 3]);
      fenceAsyncProxy();
      waitWgmmaHead(dV);
    }

    uint32_t last = (count - 1) & (kStages - 1);
    float dQ[kScores];
    startGradient(dK, dS, shared + kOffsetQ + last * kBytesQueries);
    syncConsumers();
    startDQ(dQ, columnsK, shared + kOffsetDS + last * kBytesDS);
    waitWgmma<0>(dQ);
    release(last);
    if (lane == 0)
      arrive(shared + kOffsetEmptyKV);
    addDQ(dQ, steps.count - 1);
    waitWgmmaHead(dK);

    // The last addition and the stores of the tile before have read their
    // source.
    if (thread == 0)
      waitStoresRead();
    syncWarpgroup(consumer);
    stageRows(dV, 1.0f, staging);
    stageRows(dK, kScale, staging + kBytesStaging);
    // Writer's fence, then rendezvous, then the TMA store.
    fenceAsyncProxy();
    syncWarpgroup(consumer);
    if (thread == 0) {
      int row = tile.y * kKeys + consumer * kWarpgroupKeys;
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        storeTile(mapDV, staging + half * (kBytesStaging / 2), half * kHalf,
                  row, tile.x);
        storeTile(mapDK, staging + kBytesStaging + half * (kBytesStaging / 2),
                  half * kHalf, row, tile.x);
      }
      commitStores();
    }
    waitBarrier(shared + kOffsetFullKV, ++round & 1);
    tile = loadTileNumber(shared + kOffsetTile);
  } while (tile.x >= 0);
  if (thread == 0)
    waitStoresRead();
}

} // namespace

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

constexpr int kPrepareThreads = 256;

/// For each block of kQueries rows: delta[row] = sum(dO * O), the LSE in base
/// 2, and zeros where dQ is added up. Rows past S get an LSE of infinity, so
/// that their probabilities are zero, and a delta of zero.
extern "C" __global__ void __launch_bounds__(kPrepareThreads)
    mhaBwdCausalPrepare(const __nv_bfloat16 *__restrict__ o,
                        const __nv_bfloat16 *__restrict__ dO,
                        const float *__restrict__ lse, float *__restrict__ lse2,
                        float *__restrict__ delta, float *__restrict__ sumsDQ,
                        unsigned *nextTile, int blocks, int length) {
  if (blockIdx.x == 0 && threadIdx.x == 0)
    *nextTile = 0;

  int64_t head = blockIdx.x / blocks;
  int block = blockIdx.x % blocks;
  int64_t first = head * length;

  float4 *sums = reinterpret_cast<float4 *>(
      sumsDQ + static_cast<int64_t>(blockIdx.x) * (kQueries * kHead));
#pragma unroll
  for (int i = 0; i < kQueries * kHead / 4; i += kPrepareThreads)
    sums[i + threadIdx.x] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);

  // Sixteen threads have a row, eight elements each.
  int part = threadIdx.x % 16;
#pragma unroll
  for (int r = 0; r < kQueries; r += kPrepareThreads / 16) {
    int rowInBlock = r + threadIdx.x / 16;
    int row = block * kQueries + rowInBlock;
    float sum = 0.0f;
    if (row < length) {
      int64_t offset = (first + row) * kHead + 8 * part;
      uint4 x = *reinterpret_cast<const uint4 *>(o + offset);
      uint4 y = *reinterpret_cast<const uint4 *>(dO + offset);
      const auto *xs = reinterpret_cast<const __nv_bfloat162 *>(&x);
      const auto *ys = reinterpret_cast<const __nv_bfloat162 *>(&y);
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        float2 a = __bfloat1622float2(xs[i]);
        float2 b = __bfloat1622float2(ys[i]);
        sum = fmaf(a.x, b.x, sum);
        sum = fmaf(a.y, b.y, sum);
      }
    }
#pragma unroll
    for (int distance = 8; distance; distance /= 2)
      sum += __shfl_xor_sync(0xffffffff, sum, distance);
    if (part == 0) {
      int64_t padded = static_cast<int64_t>(blockIdx.x) * kQueries + rowInBlock;
      delta[padded] = sum;
      lse2[padded] =
          row < length ? lse[first + row] * kLog2E : __int_as_float(0x7f800000);
    }
  }
}

constexpr int kFinishThreads = 256;
constexpr int kFinishPitch = kHead + 8; // Rows begin in different banks.

/// dQ in bf16 from the sums, which lie as the accumulators of the consumers
/// did: for each half of 64 columns and group of 8 queries, four of each
/// thread.
extern "C" __global__ void __launch_bounds__(kFinishThreads)
    mhaBwdCausalFinish(const float *__restrict__ sumsDQ, __nv_bfloat16 *dQ,
                       int blocks, int length) {
  __shared__ __align__(16) __nv_bfloat16 tile[kQueries * kFinishPitch];
  int64_t head = blockIdx.x / blocks;
  int block = blockIdx.x % blocks;
  const float4 *sums = reinterpret_cast<const float4 *>(
      sumsDQ + static_cast<int64_t>(blockIdx.x) * (kQueries * kHead));
#pragma unroll
  for (int i = 0; i < kQueries * kHead / 4; i += kFinishThreads) {
    int index = i + threadIdx.x;
    float4 value = __ldcs(sums + index);
    int half = index / (kQueries * kHead / 8);
    int group = index / 128 % (kQueries / 8);
    int warp = index / 32 % 4;
    int lane = index % 32;
    int query = 8 * group + 2 * (lane % 4);
    int column = kHalf * half + 16 * warp + lane / 4;
    __nv_bfloat16 *place = tile + query * kFinishPitch + column;
    place[0] = __float2bfloat16_rn(value.x * kScale);
    place[kFinishPitch] = __float2bfloat16_rn(value.y * kScale);
    place[8] = __float2bfloat16_rn(value.z * kScale);
    place[kFinishPitch + 8] = __float2bfloat16_rn(value.w * kScale);
  }
  __syncthreads();
#pragma unroll
  for (int r = 0; r < kQueries; r += kFinishThreads / 16) {
    int rowInBlock = r + threadIdx.x / 16;
    int row = block * kQueries + rowInBlock;
    int column = threadIdx.x % 16 * 8;
    if (row < length)
      *reinterpret_cast<uint4 *>(dQ + (head * length + row) * kHead + column) =
          *reinterpret_cast<const uint4 *>(tile + rowInBlock * kFinishPitch +
                                           column);
  }
}

/// C linkage gives the kernel a name that reports can rely on. A block size
/// that is required, and not only bounded, tells the compiler and every reader
/// of the PTX which warps have which role.
extern "C" __global__ void __block_size__((kThreads, 1, 1))
    __maxnreg__(kRegistersAtEntry)
        mhaBwdCausal(const __grid_constant__ CUtensorMap mapQ,
                     const __grid_constant__ CUtensorMap mapK,
                     const __grid_constant__ CUtensorMap mapV,
                     const __grid_constant__ CUtensorMap mapDO,
                     const __grid_constant__ CUtensorMap mapDK,
                     const __grid_constant__ CUtensorMap mapDV,
                     const __grid_constant__ Problem problem) {
  extern __shared__ __align__(1024) uint8_t sharedBytes[];
  uint32_t shared =
      static_cast<uint32_t>(__cvta_generic_to_shared(sharedBytes));

  if (threadIdx.x == 0) {
    initBarrier(shared + kOffsetFullKV, 1);
    initBarrier(shared + kOffsetEmptyKV, kConsumerWarps);
    for (uint32_t stage = 0; stage < kStages; ++stage) {
      initBarrier(shared + kOffsetFullQ + 8 * stage, 1);
      initBarrier(shared + kOffsetEmptyQ + 8 * stage, kConsumerWarps);
      initBarrier(shared + kOffsetFullDO + 8 * stage, 1);
      initBarrier(shared + kOffsetEmptyDO + 8 * stage, kConsumerWarps);
    }
    fenceBarrierInit();
  }
  // Nobody may use a barrier before it is initialised.
  __syncthreads();

  // 168 registers per thread at launch: 24 + 2 * 240 = 3 * 168.
  uint32_t warpgroup = threadIdx.x / 128;
  if (warpgroup == 0) {
    shrinkRegisters<24>();
    if (threadIdx.x < 32 && electLane())
      produce(shared, &mapQ, &mapK, &mapV, &mapDO, problem);
  } else {
    growRegisters<240>();
    consume(shared, &mapDK, &mapDV, problem, warpgroup - 1);
  }
}

//===----------------------------------------------------------------------===//
// Host
//===----------------------------------------------------------------------===//

namespace {

using EncodeFn = CUresult (*)(CUtensorMap *, CUtensorMapDataType, cuuint32_t,
                              void *, const cuuint64_t *, const cuuint64_t *,
                              const cuuint32_t *, const cuuint32_t *,
                              CUtensorMapInterleave, CUtensorMapSwizzle,
                              CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

void check(cudaError_t error, const char *what) {
  if (error != cudaSuccess)
    TVM_FFI_THROW(RuntimeError) << what << ": " << cudaGetErrorString(error);
}

EncodeFn encodeFunction() {
  void *function = nullptr;
  cudaDriverEntryPointQueryResult found;
  check(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function,
                                         12000, cudaEnableDefault, &found),
        "cudaGetDriverEntryPointByVersion");
  if (found != cudaDriverEntryPointSuccess || !function)
    TVM_FFI_THROW(RuntimeError) << "the driver has no cuTensorMapEncodeTiled";
  return reinterpret_cast<EncodeFn>(function);
}

/// The map of a [heads, length, 128] bf16 tensor, read or written in boxes of
/// `boxRows` x 64 elements of one head.
CUtensorMap makeMap(EncodeFn encode, void *data, int64_t heads, int64_t length,
                    uint32_t boxRows) {
  CUtensorMap map;
  cuuint64_t sizes[3] = {kHead, static_cast<cuuint64_t>(length),
                         static_cast<cuuint64_t>(heads)};
  cuuint64_t strides[2] = {kHead * 2,
                           static_cast<cuuint64_t>(length) * kHead * 2};
  cuuint32_t box[3] = {kHalf, boxRows, 1};
  cuuint32_t elementStrides[3] = {1, 1, 1};
  CUresult result = encode(
      &map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 3, data, sizes, strides, box,
      elementStrides, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
      CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS)
    TVM_FFI_THROW(RuntimeError) << "cuTensorMapEncodeTiled: error " << result;
  return map;
}

/// Checks the first `dimensions` sizes against those of Q.
void checkTensor(tvm::ffi::TensorView tensor, const char *name,
                 tvm::ffi::TensorView q, int dimensions) {
  DLDataType type = tensor.dtype();
  bool isLse = dimensions == 3;
  if (tensor.device().device_type != kDLCUDA || tensor.ndim() != dimensions ||
      type.code != (isLse ? kDLFloat : kDLBfloat) ||
      type.bits != (isLse ? 32 : 16) || type.lanes != 1 ||
      !tensor.IsContiguous())
    TVM_FFI_THROW(ValueError)
        << name << ": expected a contiguous CUDA tensor "
        << (isLse ? "[B, H, S] of float32" : "[B, H, S, D] of bfloat16");
  for (int i = 0; i < dimensions; ++i)
    if (tensor.size(i) != (i < 3 ? q.size(i) : kHead))
      TVM_FFI_THROW(ValueError)
          << name << ": size " << i << " is " << tensor.size(i) << ", expected "
          << (i < 3 ? q.size(i) : kHead);
}

void *dataOf(tvm::ffi::TensorView tensor) {
  return static_cast<char *>(tensor.data_ptr()) + tensor.byte_offset();
}

/// At least `bytes` of device memory that lives as long as the process: one
/// buffer per device, which only grows. Only the call that needs more than any
/// before it allocates. Calls on different streams share the buffer.
void *workspace(int device, size_t bytes) {
  constexpr int kDevices = 64;
  static std::mutex mutex;
  static void *buffers[kDevices];
  static size_t sizes[kDevices];
  if (device < 0 || device >= kDevices)
    TVM_FFI_THROW(RuntimeError) << "unexpected device " << device;
  std::lock_guard<std::mutex> lock(mutex);
  if (sizes[device] < bytes) {
    check(cudaFree(buffers[device]), "cudaFree");
    buffers[device] = nullptr;
    sizes[device] = 0;
    check(cudaMalloc(&buffers[device], bytes), "cudaMalloc");
    sizes[device] = bytes;
  }
  return buffers[device];
}

void run(tvm::ffi::TensorView q, tvm::ffi::TensorView k, tvm::ffi::TensorView v,
         tvm::ffi::TensorView o, tvm::ffi::TensorView dO,
         tvm::ffi::TensorView lse, tvm::ffi::TensorView dQ,
         tvm::ffi::TensorView dK, tvm::ffi::TensorView dV) {
  checkTensor(q, "Q", q, 4);
  checkTensor(k, "K", q, 4);
  checkTensor(v, "V", q, 4);
  checkTensor(o, "O", q, 4);
  checkTensor(dO, "dO", q, 4);
  checkTensor(lse, "LSE", q, 3);
  checkTensor(dQ, "dQ", q, 4);
  checkTensor(dK, "dK", q, 4);
  checkTensor(dV, "dV", q, 4);
  int64_t heads = q.size(0) * q.size(1);
  int64_t length = q.size(2);
  if (heads == 0 || length == 0)
    return;
  int64_t blocks = (length + kQueries - 1) / kQueries;
  int64_t keyBlocks = (length + kKeys - 1) / kKeys;
  if (heads * blocks > INT_MAX || length > INT_MAX - kKeys)
    TVM_FFI_THROW(ValueError) << "too many rows for one launch";

  DLDevice device = q.device();
  check(cudaSetDevice(device.device_id), "cudaSetDevice");
  EncodeFn encode = encodeFunction();
  CUtensorMap mapQ = makeMap(encode, dataOf(q), heads, length, kQueries);
  CUtensorMap mapK = makeMap(encode, dataOf(k), heads, length, kKeys);
  CUtensorMap mapV = makeMap(encode, dataOf(v), heads, length, kKeys);
  CUtensorMap mapDO = makeMap(encode, dataOf(dO), heads, length, kQueries);
  CUtensorMap mapDK =
      makeMap(encode, dataOf(dK), heads, length, kWarpgroupKeys);
  CUtensorMap mapDV =
      makeMap(encode, dataOf(dV), heads, length, kWarpgroupKeys);

  int processors = 0;
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount,
                               device.device_id),
        "cudaDeviceGetAttribute");
  int64_t tiles = heads * keyBlocks;
  int64_t grid = std::min<int64_t>(tiles, processors);

  // dQ in f32, then the LSE in base 2 and delta, all padded to whole blocks,
  // and the number of the next tile.
  int64_t rows = heads * blocks * kQueries;
  auto *sums = static_cast<float *>(workspace(
      device.device_id, rows * (kHead + 2) * sizeof(float) + sizeof(unsigned)));
  float *lse2 = sums + rows * kHead;
  float *delta = lse2 + rows;
  auto *nextTile = reinterpret_cast<unsigned *>(delta + rows);

  Problem problem;
  problem.sums = sums;
  problem.lse = lse2;
  problem.delta = delta;
  problem.nextTile = nextTile;
  problem.heads = static_cast<int>(heads);
  problem.length = static_cast<int>(length);
  problem.blocks = static_cast<int>(blocks);
  problem.keyBlocks = static_cast<int>(keyBlocks);
  problem.tiles = static_cast<int>(tiles);

  check(cudaFuncSetAttribute(mhaBwdCausal,
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             kSharedBytes),
        "cudaFuncSetAttribute");
  auto stream = static_cast<cudaStream_t>(
      TVMFFIEnvGetStream(device.device_type, device.device_id));
  auto blocksAll = static_cast<unsigned>(heads * blocks);
  mhaBwdCausalPrepare<<<blocksAll, kPrepareThreads, 0, stream>>>(
      static_cast<const __nv_bfloat16 *>(dataOf(o)),
      static_cast<const __nv_bfloat16 *>(dataOf(dO)),
      static_cast<const float *>(dataOf(lse)), lse2, delta, sums, nextTile,
      static_cast<int>(blocks), static_cast<int>(length));
  check(cudaGetLastError(), "launch of mhaBwdCausalPrepare");
  mhaBwdCausal<<<static_cast<unsigned>(grid), kThreads, kSharedBytes, stream>>>(
      mapQ, mapK, mapV, mapDO, mapDK, mapDV, problem);
  check(cudaGetLastError(), "launch of mhaBwdCausal");
  mhaBwdCausalFinish<<<blocksAll, kFinishThreads, 0, stream>>>(
      sums, static_cast<__nv_bfloat16 *>(dataOf(dQ)), static_cast<int>(blocks),
      static_cast<int>(length));
  check(cudaGetLastError(), "launch of mhaBwdCausalFinish");
}

} // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
