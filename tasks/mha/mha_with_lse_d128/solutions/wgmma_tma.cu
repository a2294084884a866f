//===- wgmma_tma.cu - bf16 attention with wgmma and TMA -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// O = softmax(Q * K^T / sqrt(128)) * V for Q, K, V [B, H, S, 128] in bf16 with
// f32 accumulation, and LSE [B, H, S], the natural logarithm of the sum of
// exponentials of a row's scaled scores; sm_90a. "Head" below is one of B * H.
//
// A tile is 128 rows of O of one head; it looks at blocks of 128 keys, from the
// last one to the first. A grid of one CTA per SM stays for all tiles; a CTA
// that is done with one takes the next number of a counter in global memory,
// since not all SMs are equally fast. The 384 threads of a CTA have three
// roles, by warpgroup:
//
//   warpgroup 0     producer: one thread of its warp 0 takes tiles and issues
//                   the TMA loads
//   warpgroups 1, 2 consumers: rows 0-63 and rows 64-127 of the tile
//
// Shared memory, all of it in halves of 64 columns with the 128-byte swizzle:
//
//   2 x 32 KiB   Q of this tile and of the next one
//   2 x 32 KiB   ring of blocks of K
//   2 x 32 KiB   ring of blocks of V
//   2 x 16 KiB   O of each consumer warpgroup on its way to a TMA store
//
// Every slot of Q, K and V has two barriers:
//
//   full    1 arrival (the producer's expect_tx) + 32768 bytes
//   empty   8 arrivals: one of each consumer warp
//
// The number of a tile lies beside the slot of its Q and becomes visible with
// the producer's arrival. -1 ends the CTA.
//
// A consumer keeps three things in registers: the scores of one block (S, 64 x
// 128 in f32), the probabilities of the block before (P in bf16, as the A
// operand of a wgmma) and O. Each step issues S = Q * K^T for the next block
// and O += P * V for the present one, then turns the new scores into
// probabilities. Steps go on from one tile to the next without a pause. While
// one warpgroup computes exponentials, the multiplications of the other one
// run.
//
// Exponentials are powers of two relative to a reference of the row: the
// maximum of its first block. The reference moves, and O is scaled accordingly,
// only where the exponential of a later maximum would exceed 2^8: f32 and bf16
// have the range, and the result does not depend on the reference.
//
// Any S >= 1 works: TMA fills rows past S with zeros and does not store them.
// Only the first block that a tile looks at has keys past S; they get a score
// of -inf.
//
// How often the target instructions execute
// -----------------------------------------
// With n = ceil(S / 128) there are T = B * H * n tiles on G = min(T, SMs) CTAs,
// and N = T * n pairs of a tile and a block. Executions of the launch, counted
// in warps:
//
//   instruction                        lines   all lines, launch
//   wgmma.mma_async Q * K^T               24              64 * N
//   wgmma.mma_async P * V                 24              64 * N
//   cp.async.bulk.tensor load of Q         1                   T
//   cp.async.bulk.tensor load of K         1                   N
//   cp.async.bulk.tensor load of V         2                   N
//   cp.async.bulk.tensor store of O        2               2 * T
//   stmatrix x4                           16              64 * T
//   mbarrier.arrive.expect_tx              4           T + 2 * N
//   mbarrier.arrive                        9           16 * N + 8 * T - 7 * G
//   setmaxnreg .dec / .inc               1/1       4 * G / 8 * G
//
// TMA instructions and the arrivals have one active thread per warp, the others
// 32. How often a try_wait executes depends on timing.
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>

namespace {

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

constexpr int kHeadDim = 128;

constexpr int kTileQ = 128; // Rows of Q, and of O, per tile.
constexpr int kTileK = 128; // Keys per block.
constexpr int kHalf = 64;   // Columns in 128 bytes, one row of the swizzle.
constexpr int kStages = 2;

constexpr int kWarpgroupQ = 64; // Rows of a tile per consumer warpgroup.
constexpr int kThreads = 384;
/// What each thread has until setmaxnreg: 384 * 168 of the 65,536 registers.
constexpr int kRegistersAtEntry = 168;
constexpr int kConsumerWarps = 8;

constexpr uint32_t kBytesQ = kTileQ * kHeadDim * 2;
constexpr uint32_t kBytesK = kTileK * kHeadDim * 2;
constexpr uint32_t kHalfBytesQ = kBytesQ / 2;
constexpr uint32_t kHalfBytesK = kBytesK / 2;
constexpr uint32_t kBytesO = kWarpgroupQ * kHeadDim * 2; // Of one warpgroup.

// Offsets in shared memory: tiles, then barriers.
constexpr uint32_t kOffsetK = 2 * kBytesQ;
constexpr uint32_t kOffsetV = kOffsetK + kStages * kBytesK;
constexpr uint32_t kOffsetO = kOffsetV + kStages * kBytesK;
constexpr uint32_t kOffsetFullQ = kOffsetO + 2 * kBytesO;
constexpr uint32_t kOffsetEmptyQ = kOffsetFullQ + 8 * 2;
constexpr uint32_t kOffsetFullK = kOffsetEmptyQ + 8 * 2;
constexpr uint32_t kOffsetEmptyK = kOffsetFullK + 8 * kStages;
constexpr uint32_t kOffsetFullV = kOffsetEmptyK + 8 * kStages;
constexpr uint32_t kOffsetEmptyV = kOffsetFullV + 8 * kStages;
constexpr uint32_t kOffsetTile = kOffsetEmptyV + 8 * kStages;
constexpr uint32_t kSharedBytes = kOffsetTile + 4 * 2;

static_assert((kStages & (kStages - 1)) == 0, "the stage index is a mask");
static_assert(kTileQ == kTileK, "only the first block of a tile is masked");

/// log2(e) / sqrt(128): scores become exponents of two.
constexpr float kScaleLog2 = 0.12751743f;
constexpr float kLn2 = 0.69314718f;
/// A row keeps its reference until a score exceeds it by this: 2^8.
constexpr float kSlack = 8.0f / kScaleLog2;

struct Work {
  int length; // S
  int tilesQ; // Tiles per head.
  int tiles;  // Of all heads.
};

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

/// Rows `row` and up of head `head`, both halves of the columns.
__device__ __forceinline__ void loadTile(uint32_t destination,
                                         const CUtensorMap *map,
                                         uint32_t barrier, int row, int head) {
  asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.tile"
               ".mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %3, %5}], "
               "[%2];"
               :
               : "r"(destination), "l"(map), "r"(barrier), "r"(0), "r"(row),
                 "r"(head)
               : "memory");
}

__device__ __forceinline__ void storeTile(const CUtensorMap *map,
                                          uint32_t source, int row, int head) {
  asm volatile("cp.async.bulk.tensor.4d.global.shared::cta.tile.bulk_group "
               "[%0, {%2, %3, %2, %4}], [%1];"
               :
               : "l"(map), "r"(source), "r"(0), "r"(row), "r"(head)
               : "memory");
}

__device__ __forceinline__ void commitStores() {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

/// Waits until the stores have read their sources.
__device__ __forceinline__ void waitStoresRead() {
  asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}

/// Makes this thread's ordinary writes to shared memory visible to TMA.
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
__device__ __forceinline__ void syncWarpgroup(uint32_t id) {
  asm volatile("bar.sync %0, 128;" ::"r"(id) : "memory");
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

__device__ __forceinline__ int readShared(uint32_t address) {
  int value;
  asm volatile("ld.shared.s32 %0, [%1];"
               : "=r"(value)
               : "r"(address)
               : "memory");
  return value;
}

__device__ __forceinline__ void writeShared(uint32_t address, int value) {
  asm volatile("st.shared.s32 [%0], %1;"
               :
               : "r"(address), "r"(value)
               : "memory");
}

__device__ __forceinline__ float exp2Approx(float x) {
  float result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

__device__ __forceinline__ float log2Approx(float x) {
  float result;
  asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

__device__ __forceinline__ float reciprocalApprox(float x) {
  float result;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

/// Two bf16 in a register, `low` in the low half.
__device__ __forceinline__ uint32_t packBf16(float low, float high) {
  uint32_t packed;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(packed) : "f"(high), "f"(low));
  return packed;
}

/// The shared-memory descriptor of an operand with the 128-byte swizzle, whose
/// groups of 8 rows follow each other at 1024 bytes. Only the low word varies:
/// address and leading byte offset. The latter counts only if rows are the
/// dimension that is summed over: it is the distance between the halves of the
/// columns.
constexpr uint32_t kDescriptorHigh = (1024 >> 4) | (1u << 30);

__device__ __forceinline__ uint32_t descriptorLow(uint32_t address,
                                                  uint32_t leading) {
  return ((address & 0x3ffff) >> 4) | ((leading >> 4) << 16);
}

// clang-format off
#define ACC_8(D, I)                                                            \
  "+f"(D[I]), "+f"(D[I + 1]), "+f"(D[I + 2]), "+f"(D[I + 3]),                  \
  "+f"(D[I + 4]), "+f"(D[I + 5]), "+f"(D[I + 6]), "+f"(D[I + 7])
#define ACC_64(D)                                                              \
  ACC_8(D, 0), ACC_8(D, 8), ACC_8(D, 16), ACC_8(D, 24),                        \
  ACC_8(D, 32), ACC_8(D, 40), ACC_8(D, 48), ACC_8(D, 56)
#define PACKED_8(P, I)                                                         \
  "+r"(P[I]), "+r"(P[I + 1]), "+r"(P[I + 2]), "+r"(P[I + 3]),                  \
  "+r"(P[I + 4]), "+r"(P[I + 5]), "+r"(P[I + 6]), "+r"(P[I + 7])
#define PACKED_32(P)                                                           \
  PACKED_8(P, 0), PACKED_8(P, 8), PACKED_8(P, 16), PACKED_8(P, 24)
#define REGISTERS_64                                                           \
  "{%0, %1, %2, %3, %4, %5, %6, %7, "                                          \
  "%8, %9, %10, %11, %12, %13, %14, %15, "                                     \
  "%16, %17, %18, %19, %20, %21, %22, %23, "                                   \
  "%24, %25, %26, %27, %28, %29, %30, %31, "                                   \
  "%32, %33, %34, %35, %36, %37, %38, %39, "                                   \
  "%40, %41, %42, %43, %44, %45, %46, %47, "                                   \
  "%48, %49, %50, %51, %52, %53, %54, %55, "                                   \
  "%56, %57, %58, %59, %60, %61, %62, %63}, "

/// s[64 x 128] = A[64 x 16] * B[128 x 16]^T, plus s unless `First`.
template <bool First>
__device__ __forceinline__ void multiplyShared(float (&s)[64], uint32_t a,
                                               uint32_t b) {
  asm volatile(
      "{\n\t"
      ".reg .pred accumulate;\n\t"
      ".reg .b64 a, b;\n\t"
      "setp.ne.u32 accumulate, %67, 0;\n\t"
      "mov.b64 a, {%64, %66};\n\t"
      "mov.b64 b, {%65, %66};\n\t"
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 "
      REGISTERS_64
      "a, b, accumulate, 1, 1, 0, 0;\n\t"
      "}"
      : ACC_64(s)
      : "r"(a), "r"(b), "n"(kDescriptorHigh), "n"(First ? 0 : 1));
}

/// o[64 x 128] += A[64 x 16] * B[16 x 128] with A in registers.
__device__ __forceinline__ void multiplyRegisters(float (&o)[64], uint32_t a0,
                                                  uint32_t a1, uint32_t a2,
                                                  uint32_t a3, uint32_t b) {
  asm volatile(
      "{\n\t"
      ".reg .pred accumulate;\n\t"
      ".reg .b64 b;\n\t"
      "mov.b64 b, {%68, %69};\n\t"
      "setp.eq.u32 accumulate, 0, 0;\n\t"
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 "
      REGISTERS_64
      "{%64, %65, %66, %67}, b, accumulate, 1, 1, 1;\n\t"
      "}"
      : ACC_64(o)
      : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b), "n"(kDescriptorHigh));
}

/// Waits until at most `Pending` groups are in flight. Accumulators are
/// operands, so that the compiler reads none of them earlier.
template <int Pending>
__device__ __forceinline__ void waitScores(float (&s)[64]) {
  asm volatile("wgmma.wait_group.sync.aligned %64;"
               : ACC_64(s)
               : "n"(Pending)
               : "memory");
}

/// Waits until all groups are complete. The probabilities are operands too: the
/// multiplication reads their registers until then. So are the scores: what is
/// computed of them stays in front of the wait as far as nvcc is concerned
/// (ptxas still moves it).
__device__ __forceinline__ void waitOutput(float (&o)[64], float (&s)[64],
                                           uint32_t (&p)[32]) {
  asm volatile("wgmma.wait_group.sync.aligned 0;"
               : ACC_64(o), ACC_64(s), PACKED_32(p)
               :
               : "memory");
}

/// Orders accesses to the operands before the multiplications that follow. As
/// operands they are complete before it.
__device__ __forceinline__ void fenceOutput(float (&o)[64],
                                            uint32_t (&p)[32]) {
  asm volatile("wgmma.fence.sync.aligned;"
               : ACC_64(o), PACKED_32(p)
               :
               : "memory");
}
#undef REGISTERS_64
#undef PACKED_32
#undef PACKED_8
#undef ACC_64
#undef ACC_8
// clang-format on

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

struct Tile {
  int row; // First row of Q.
  int head;
  int blocks; // Of keys that the tile looks at.
};

/// Tile number -> tile.
__device__ __forceinline__ Tile tileAt(const Work &work, int number) {
  Tile tile;
  tile.head = number / work.tilesQ;
  tile.row = (number - tile.head * work.tilesQ) * kTileQ;
  tile.blocks = work.tilesQ;
  return tile;
}

//===----------------------------------------------------------------------===//
// Producer
//===----------------------------------------------------------------------===//

/// One thread of the CTA: takes tiles and keeps Q and the rings filled.
__device__ __forceinline__ void
produce(uint32_t shared, const CUtensorMap *mapQ, const CUtensorMap *mapK,
        const CUtensorMap *mapV, const Work &work, uint32_t *counter) {
  uint32_t loadedK = 0;
  uint32_t loadedV = 0;
  auto load = [&](const CUtensorMap *map, uint32_t &loaded, uint32_t slots,
                  uint32_t fulls, uint32_t empties, int row, int head) {
    uint32_t stage = loaded & (kStages - 1);
    uint32_t parity = (loaded / kStages) & 1;
    uint32_t full = shared + fulls + 8 * stage;
    // The phase before the first one counts as complete: the first round of the
    // ring does not wait.
    waitBarrier(shared + empties + 8 * stage, parity ^ 1);
    expectBytes(full, kBytesK);
    loadTile(shared + slots + stage * kBytesK, map, full, row, head);
    ++loaded;
  };

  // The block of V that follows the next one of K; none at first.
  int rowV = 0;
  int headV = -1;
  int number = blockIdx.x;
  for (uint32_t round = 0;; ++round) {
    uint32_t slot = round & 1;
    uint32_t full = shared + kOffsetFullQ + 8 * slot;
    waitBarrier(shared + kOffsetEmptyQ + 8 * slot, ((round >> 1) & 1) ^ 1);
    bool done = number >= work.tiles;
    writeShared(shared + kOffsetTile + 4 * slot, done ? -1 : number);
    if (done) {
      arrive(full);
      break;
    }
    Tile tile = tileAt(work, number);
    expectBytes(full, kBytesQ);
    loadTile(shared + slot * kBytesQ, mapQ, full, tile.row, tile.head);
    // Each CTA is refused once, so a launch asks `tiles` times, after which the
    // counter is at zero again.
    number = gridDim.x + atomicInc(counter, work.tiles - 1);

    // S = Q * K^T runs one block ahead of O += P * V, also from one tile to the
    // next.
#pragma unroll 1
    for (int block = tile.blocks - 1; block >= 0; --block) {
      load(mapK, loadedK, kOffsetK, kOffsetFullK, kOffsetEmptyK, block * kTileK,
           tile.head);
      if (headV >= 0)
        load(mapV, loadedV, kOffsetV, kOffsetFullV, kOffsetEmptyV, rowV, headV);
      rowV = block * kTileK;
      headV = tile.head;
    }
  }
  load(mapV, loadedV, kOffsetV, kOffsetFullV, kOffsetEmptyV, rowV, headV);
}

//===----------------------------------------------------------------------===//
// Consumers
//===----------------------------------------------------------------------===//

/// A thread has two rows of the scores, `lane / 4` and 8 more, of its warp's
/// 16. s[i] belongs to the second one if bit 1 of i is set, and to key
/// 8 * (i / 4) + 2 * (lane % 4) + i % 2.
struct Rows {
  /// What exponents are relative to, as a score.
  float reference[2];
  /// This thread's part of the sum of exponentials.
  float sum[2];
};

/// The maximum over the four threads that share a row.
__device__ __forceinline__ float quadMax(float value) {
  value = fmaxf(value, __shfl_xor_sync(0xffffffff, value, 1));
  return fmaxf(value, __shfl_xor_sync(0xffffffff, value, 2));
}

__device__ __forceinline__ float quadSum(float value) {
  value += __shfl_xor_sync(0xffffffff, value, 1);
  return value + __shfl_xor_sync(0xffffffff, value, 2);
}

/// What one thread of a consumer warpgroup has and does.
struct Consumer {
  const Work &work;
  const CUtensorMap *mapO;
  float *lse;
  uint32_t shared;
  uint32_t index; // Of the warpgroup, 0 or 1.
  uint32_t warp;
  uint32_t lane;
  /// This thread's first row in a tile.
  int rowInTile;

  /// Tiles taken, blocks of K and of V read: places in the rings.
  uint32_t tilesTaken = 0;
  uint32_t stepK = 0;
  uint32_t stepV = 0;

  float s[64]; // Scores, then exponentials.
  float o[64];
  uint32_t p[32]; // Probabilities of the block whose V comes next.
  Rows rows;

  __device__ __forceinline__ Consumer(uint32_t shared, const CUtensorMap *mapO,
                                      float *lse, const Work &work,
                                      uint32_t index)
      : work(work), mapO(mapO), lse(lse), shared(shared), index(index) {
    // The shuffle tells the compiler that all lanes have the same number.
    warp = __shfl_sync(0xffffffff, (threadIdx.x >> 5) & 3, 0);
    lane = threadIdx.x & 31;
    rowInTile = index * kWarpgroupQ + 16 * warp + lane / 4;
  }

  /// Each warp speaks for itself, since wait_group covers only the warp that
  /// executes it.
  __device__ __forceinline__ void release(uint32_t barrier) {
    if (lane == 0)
      arrive(shared + barrier);
  }

  /// Takes the next tile; false if there is none.
  __device__ __forceinline__ bool takeTile(Tile &tile) {
    uint32_t slot = tilesTaken & 1;
    waitBarrier(shared + kOffsetFullQ + 8 * slot, (tilesTaken >> 1) & 1);
    ++tilesTaken;
    int number = readShared(shared + kOffsetTile + 4 * slot);
    number = __shfl_sync(0xffffffff, number, 0);
    if (number < 0)
      return false;
    tile = tileAt(work, number);
    return true;
  }

  __device__ __forceinline__ void waitK() {
    waitBarrier(shared + kOffsetFullK + 8 * (stepK & (kStages - 1)),
                (stepK / kStages) & 1);
  }

  /// s = Q * K^T, one group.
  __device__ __forceinline__ void multiplyQK() {
    uint32_t slot = (tilesTaken - 1) & 1;
    uint32_t q =
        descriptorLow(shared + slot * kBytesQ + index * kWarpgroupQ * 128, 16);
    uint32_t k = descriptorLow(
        shared + kOffsetK + (stepK & (kStages - 1)) * kBytesK, 16);
    fenceWgmma();
    // 16 columns are 32 bytes, two units of the descriptor's address.
    multiplyShared<true>(s, q, k);
#pragma unroll
    for (int i = 1; i < 8; ++i)
      multiplyShared<false>(s, q + (i / 4) * (kHalfBytesQ >> 4) + (i % 4) * 2,
                            k + (i / 4) * (kHalfBytesK >> 4) + (i % 4) * 2);
    commitWgmma();
  }

  __device__ __forceinline__ void releaseK(bool lastOfTile) {
    release(kOffsetEmptyK + 8 * (stepK & (kStages - 1)));
    ++stepK;
    if (lastOfTile)
      release(kOffsetEmptyQ + 8 * ((tilesTaken - 1) & 1));
  }

  /// o += P * V, one group.
  __device__ __forceinline__ void multiplyPV() {
    uint32_t stage = stepV & (kStages - 1);
    waitBarrier(shared + kOffsetFullV + 8 * stage, (stepV / kStages) & 1);
    uint32_t v =
        descriptorLow(shared + kOffsetV + stage * kBytesK, kHalfBytesK);
    fenceOutput(o, p);
    // 16 keys are 2048 bytes.
#pragma unroll
    for (int i = 0; i < 8; ++i)
      multiplyRegisters(o, p[4 * i], p[4 * i + 1], p[4 * i + 2], p[4 * i + 3],
                        v + i * (2048 >> 4));
    commitWgmma();
  }

  __device__ __forceinline__ void finishPV() {
    waitOutput(o, s, p);
    release(kOffsetEmptyV + 8 * (stepV & (kStages - 1)));
    ++stepV;
  }

  /// Hides keys from rows, in the last block.
  __device__ __forceinline__ void maskScores(const Tile &tile) {
    int firstKey = (tile.blocks - 1) * kTileK + 2 * (lane & 3);
    int limit = work.length - firstKey;
#pragma unroll
    for (int i = 0; i < 64; ++i)
      if (8 * (i / 4) + i % 2 >= limit)
        s[i] = -INFINITY;
  }

  __device__ __forceinline__ void rowMaxima(float (&maximum)[2]) {
    float part[4] = {s[0], s[1], s[2], s[3]};
#pragma unroll
    for (int i = 4; i < 64; ++i)
      part[i & 3] = fmaxf(part[i & 3], s[i]);
    maximum[0] = quadMax(fmaxf(part[0], part[1]));
    maximum[1] = quadMax(fmaxf(part[2], part[3]));
  }

  /// Scores -> exponentials, which are added to the sums.
  __device__ __forceinline__ void exponentiate() {
    float bias[2] = {rows.reference[0] * kScaleLog2,
                     rows.reference[1] * kScaleLog2};
#pragma unroll
    for (int i = 0; i < 64; ++i) {
      int row = (i >> 1) & 1;
      s[i] = exp2Approx(fmaf(s[i], kScaleLog2, -bias[row]));
      rows.sum[row] += s[i];
    }
  }

  /// Exponentials -> the A operand of O += P * V: eight times 64 x 16.
  __device__ __forceinline__ void packProbabilities() {
#pragma unroll
    for (int i = 0; i < 32; ++i)
      p[i] = packBf16(s[2 * i], s[2 * i + 1]);
  }

  /// The softmax of the first block of a tile, which is its last one.
  __device__ __forceinline__ void startRows(const Tile &tile) {
    maskScores(tile);
    rowMaxima(rows.reference);
    rows.sum[0] = rows.sum[1] = 0.0f;
    exponentiate();
  }

  /// Multiplies the probabilities of a block with V and computes those of the
  /// next block of the same tile.
  __device__ __forceinline__ void step(bool lastOfTile) {
    waitK();
    multiplyQK();
    multiplyPV();
    waitScores<1>(s);
    releaseK(lastOfTile);

    float maximum[2];
    float correction[2];
    rowMaxima(maximum);
    bool rescale = fmaxf(maximum[0] - rows.reference[0],
                         maximum[1] - rows.reference[1]) > kSlack;
    rescale = __any_sync(0xffffffff, rescale);
    if (rescale) {
#pragma unroll
      for (int row = 0; row < 2; ++row) {
        maximum[row] = fmaxf(maximum[row], rows.reference[row]);
        correction[row] =
            exp2Approx((rows.reference[row] - maximum[row]) * kScaleLog2);
        rows.sum[row] *= correction[row];
        rows.reference[row] = maximum[row];
      }
    }
    exponentiate();
    finishPV();
    packProbabilities();
    if (rescale) {
#pragma unroll
      for (int i = 0; i < 64; ++i)
        o[i] *= correction[(i >> 1) & 1];
    }
  }

  /// The same where the next block is the first one of another tile, `next`.
  __device__ __forceinline__ void stepToNextTile(const Tile &tile,
                                                 const Tile &next) {
    waitK();
    multiplyQK();
    multiplyPV();
    waitScores<1>(s);
    releaseK(next.blocks == 1);
    Rows old = rows;
    startRows(next);
    finishPV();
    packProbabilities();
    writeTile(tile, old);
#pragma unroll
    for (int i = 0; i < 64; ++i)
      o[i] = 0.0f;
  }

  /// Writes O and LSE.
  __device__ __forceinline__ void writeTile(const Tile &tile,
                                            const Rows &rows) {
    float scale[2];
#pragma unroll
    for (int row = 0; row < 2; ++row) {
      float sum = quadSum(rows.sum[row]);
      scale[row] = reciprocalApprox(sum);
      int position = tile.row + rowInTile + 8 * row;
      if ((lane & 3) == 0 && position < work.length)
        lse[static_cast<int64_t>(tile.head) * work.length + position] =
            (rows.reference[row] * kScaleLog2 + log2Approx(sum)) * kLn2;
    }

    // The staging space is free when the store of the tile before has read it.
    uint32_t staging = shared + kOffsetO + index * kBytesO;
    if (warp == 0)
      waitStoresRead();
    syncWarpgroup(1 + index);
    // Two boxes of 64 x 64, swizzled as the tensor map says. stmatrix x4 writes
    // 16 rows x 16 columns; lane l gives the address of row l % 8 of matrix
    // l / 8: rows 0-7, rows 8-15, then the next 8 columns.
    uint32_t row = 16 * warp + (lane & 15);
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      uint32_t packed[4];
#pragma unroll
      for (int j = 0; j < 4; ++j)
        packed[j] = packBf16(o[8 * i + 2 * j] * scale[j & 1],
                             o[8 * i + 2 * j + 1] * scale[j & 1]);
      uint32_t chunk = (2 * (i & 3) + (lane >> 4)) ^ (row & 7);
      storeMatrices(staging + (i / 4) * (kBytesO / 2) + 128 * row + 16 * chunk,
                    packed[0], packed[1], packed[2], packed[3]);
    }
    // Writer's fence, then rendezvous, then the TMA store.
    fenceAsyncProxy();
    syncWarpgroup(1 + index);
    if (warp == 0 && electLane()) {
      storeTile(mapO, staging, tile.row + index * kWarpgroupQ, tile.head);
      commitStores();
    }
  }

  __device__ __forceinline__ void run() {
#pragma unroll
    for (int i = 0; i < 64; ++i)
      s[i] = o[i] = 0.0f;

    // The first tile exists: there are no more CTAs than tiles.
    Tile tile;
    takeTile(tile);
    waitK();
    multiplyQK();
    waitScores<0>(s);
    releaseK(tile.blocks == 1);
    startRows(tile);
    packProbabilities();

    for (;;) {
#pragma unroll 1
      for (int block = tile.blocks - 2; block >= 0; --block)
        step(block == 0);
      Tile next;
      if (!takeTile(next))
        break;
      stepToNextTile(tile, next);
      tile = next;
    }

    multiplyPV();
    waitOutput(o, s, p);
    writeTile(tile, rows);
    if (warp == 0)
      waitStoresRead();
  }
};

/// How many tiles CTAs asked for. Launches take turns with the counters, so
/// that as many may run at the same time; each leaves its own at zero.
constexpr int kCounters = 256;
__device__ uint32_t tileCounters[kCounters];

} // namespace

/// C linkage gives the kernel a name that reports can rely on. A block size
/// that is required, and not only bounded, tells the compiler and every reader
/// of the PTX which warps have which role.
extern "C" __global__ void __block_size__((kThreads, 1, 1))
    __maxnreg__(kRegistersAtEntry)
        mhaForward(const __grid_constant__ CUtensorMap mapQ,
                   const __grid_constant__ CUtensorMap mapK,
                   const __grid_constant__ CUtensorMap mapV,
                   const __grid_constant__ CUtensorMap mapO, float *lse,
                   const __grid_constant__ Work work, int counter) {
  extern __shared__ __align__(1024) uint8_t sharedBytes[];
  uint32_t shared =
      static_cast<uint32_t>(__cvta_generic_to_shared(sharedBytes));

  if (threadIdx.x == 0) {
    for (uint32_t slot = 0; slot < 2; ++slot) {
      initBarrier(shared + kOffsetFullQ + 8 * slot, 1);
      initBarrier(shared + kOffsetEmptyQ + 8 * slot, kConsumerWarps);
    }
    for (uint32_t stage = 0; stage < kStages; ++stage) {
      initBarrier(shared + kOffsetFullK + 8 * stage, 1);
      initBarrier(shared + kOffsetEmptyK + 8 * stage, kConsumerWarps);
      initBarrier(shared + kOffsetFullV + 8 * stage, 1);
      initBarrier(shared + kOffsetEmptyV + 8 * stage, kConsumerWarps);
    }
    fenceBarrierInit();
  }
  // Nobody may use a barrier before it is initialised.
  __syncthreads();

  // 168 registers per thread at launch: 24 + 2 * 240 = 3 * 168.
  uint32_t warpgroup = __shfl_sync(0xffffffff, threadIdx.x / 128, 0);
  if (warpgroup == 0) {
    shrinkRegisters<24>();
    if (threadIdx.x < 32 && electLane())
      produce(shared, &mapQ, &mapK, &mapV, work, tileCounters + counter);
  } else {
    growRegisters<240>();
    Consumer(shared, &mapO, lse, work, warpgroup - 1).run();
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

/// The map of bf16 [heads, length, 128], read or written in boxes of `boxRows`
/// rows of one head. The halves of the columns are a dimension of their own and
/// lie one after the other in shared memory. Rows past `length` are not those
/// of the next head: they read as zeros and are not written.
CUtensorMap makeMap(EncodeFn encode, void *data, int64_t heads, int64_t length,
                    uint32_t boxRows) {
  CUtensorMap map;
  cuuint64_t sizes[4] = {kHalf, static_cast<cuuint64_t>(length), 2,
                         static_cast<cuuint64_t>(heads)};
  cuuint64_t strides[3] = {kHeadDim * 2, kHalf * 2,
                           static_cast<cuuint64_t>(length) * kHeadDim * 2};
  cuuint32_t box[4] = {kHalf, boxRows, 2, 1};
  cuuint32_t elementStrides[4] = {1, 1, 1, 1};
  CUresult result = encode(
      &map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 4, data, sizes, strides, box,
      elementStrides, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
      CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS)
    TVM_FFI_THROW(RuntimeError) << "cuTensorMapEncodeTiled: error " << result;
  return map;
}

void checkTensor(tvm::ffi::TensorView tensor, const char *name, int rank,
                 DLDataTypeCode code, int bits, tvm::ffi::TensorView like) {
  DLDataType type = tensor.dtype();
  if (tensor.device().device_type != kDLCUDA || type.code != code ||
      type.bits != bits || type.lanes != 1 || tensor.ndim() != rank ||
      !tensor.IsContiguous())
    TVM_FFI_THROW(ValueError)
        << name << ": expected a contiguous CUDA tensor of rank " << rank
        << " with elements of " << bits << " bits";
  for (int i = 0; i < rank; ++i)
    if (tensor.size(i) != like.size(i))
      TVM_FFI_THROW(ValueError)
          << name << ": expected extent " << like.size(i) << " of dimension "
          << i << " but got " << tensor.size(i);
}

void *dataOf(tvm::ffi::TensorView tensor) {
  return static_cast<char *>(tensor.data_ptr()) + tensor.byte_offset();
}

void run(tvm::ffi::TensorView q, tvm::ffi::TensorView k, tvm::ffi::TensorView v,
         tvm::ffi::TensorView o, tvm::ffi::TensorView lse) {
  checkTensor(q, "Q", 4, kDLBfloat, 16, q);
  checkTensor(k, "K", 4, kDLBfloat, 16, q);
  checkTensor(v, "V", 4, kDLBfloat, 16, q);
  checkTensor(o, "O", 4, kDLBfloat, 16, q);
  checkTensor(lse, "LSE", 3, kDLFloat, 32, q);
  if (q.size(3) != kHeadDim)
    TVM_FFI_THROW(ValueError)
        << "Q: expected 128 columns but got " << q.size(3);
  int64_t heads = q.size(0) * q.size(1);
  int64_t length = q.size(2);
  int64_t tilesQ = (length + kTileQ - 1) / kTileQ;
  int64_t tiles = heads * tilesQ;
  if (tiles == 0)
    return;
  // Rows, and numbers up to one grid past the last tile, are ints.
  if (length > (1 << 30) || tiles > (1 << 30))
    TVM_FFI_THROW(ValueError) << "Q: too many rows";

  DLDevice device = q.device();
  check(cudaSetDevice(device.device_id), "cudaSetDevice");
  EncodeFn encode = encodeFunction();
  CUtensorMap mapQ = makeMap(encode, dataOf(q), heads, length, kTileQ);
  CUtensorMap mapK = makeMap(encode, dataOf(k), heads, length, kTileK);
  CUtensorMap mapV = makeMap(encode, dataOf(v), heads, length, kTileK);
  CUtensorMap mapO = makeMap(encode, dataOf(o), heads, length, kWarpgroupQ);
  Work work;
  work.length = static_cast<int>(length);
  work.tilesQ = static_cast<int>(tilesQ);
  work.tiles = static_cast<int>(tiles);

  int processors = 0;
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount,
                               device.device_id),
        "cudaDeviceGetAttribute");
  check(cudaFuncSetAttribute(mhaForward,
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             kSharedBytes),
        "cudaFuncSetAttribute");
  auto stream = static_cast<cudaStream_t>(
      TVMFFIEnvGetStream(device.device_type, device.device_id));
  static std::atomic<uint32_t> launches{0};
  int counter = static_cast<int>(launches++ % kCounters);
  dim3 grid(static_cast<unsigned>(std::min<int64_t>(tiles, processors)));
  mhaForward<<<grid, kThreads, kSharedBytes, stream>>>(
      mapQ, mapK, mapV, mapO, static_cast<float *>(dataOf(lse)), work, counter);
  check(cudaGetLastError(), "launch of mhaForward");
}

} // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
