//===- wgmma_tma.cu - bf16 GEMM with wgmma and TMA ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C[M,7168] = A[M,5120] * B[7168,5120]^T in bf16 with f32 accumulation, sm_90a.
//
// A CTA computes one tile of 128 x 256 elements of C. Its 384 threads have
// three roles, by warpgroup:
//
//   warpgroup 0     producer: one thread of its warp 0 issues the TMA loads
//   warpgroups 1, 2 consumers: rows 0-63 and rows 64-127 of the tile
//
// A ring of four stages lies between them. A stage holds 128 x 64 of A (16 KiB)
// and 256 x 64 of B (32 KiB), both K-major with the 128-byte swizzle, and has
// two barriers:
//
//   full[s]   1 arrival (the producer's expect_tx) + 49152 bytes
//   empty[s]  8 arrivals: one of each consumer warp
//
// After the last k-step a consumer warpgroup reuses its own rows of A in the
// four stages (4 x 8 KiB) as staging for its 64 x 256 part of C. Nobody else
// reads them, and no load into them is in flight any more.
//
// Any M >= 1 works: TMA fills rows past M with zeros and does not store them.
//
// How often the target instructions execute
// -----------------------------------------
// The launch has T = 28 * ceil(M / 128) CTAs, each with 80 k-steps (5120 / 64).
// Executions, counted in warps:
//
//   instruction                        lines  per line and CTA  lines * launch
//   wgmma.mma_async m64n256k16             4      80 * 8 = 640        2560 * T
//   cp.async.bulk.tensor load of A         1                80          80 * T
//   cp.async.bulk.tensor load of B         1                80          80 * T
//   cp.async.bulk.tensor store of C        4                 2           8 * T
//   stmatrix x4                           16                 8         128 * T
//   mbarrier.arrive.expect_tx              1                80          80 * T
//   mbarrier.arrive (release of a stage)   1      79 * 8 = 632         632 * T
//   setmaxnreg .dec / .inc               1/1             4 / 8       4 / 8 * T
//
// TMA instructions and the arrivals have one active thread per warp, the others
// 32. How often a try_wait executes depends on timing.
//
//===----------------------------------------------------------------------===//

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

constexpr int kN = 7168;
constexpr int kK = 5120;

constexpr int kTileM = 128;
constexpr int kTileN = 256;
constexpr int kTileK = 64; // 128 bytes: one row of the swizzle.
constexpr int kStages = 4;
constexpr int kSteps = kK / kTileK;
constexpr int kTilesN = kN / kTileN;

constexpr int kWarpgroupM = 64; // Rows of C per consumer warpgroup.
constexpr int kThreads = 384;
/// What each thread has until setmaxnreg: 384 * 168 of the 65,536 registers.
constexpr int kRegistersAtEntry = 168;
constexpr int kConsumerWarps = 8;

// CTAs that run at the same time should share rows of A and of B in the L2
// cache, so the tiles are walked in bands of sixteen in M.
constexpr int kBand = 16;

constexpr uint32_t kBytesA = kTileM * kTileK * 2;
constexpr uint32_t kBytesB = kTileN * kTileK * 2;
constexpr uint32_t kBytesStage = kBytesA + kBytesB;
constexpr uint32_t kBytesHalfA = kBytesA / 2;

// Offsets in shared memory: the stages, then the barriers.
constexpr uint32_t kOffsetFull = kStages * kBytesStage;
constexpr uint32_t kOffsetEmpty = kOffsetFull + 8 * kStages;
constexpr uint32_t kSharedBytes = kOffsetEmpty + 8 * kStages;

static_assert(kK % kTileK == 0 && kN % kTileN == 0, "only M may be ragged");
static_assert((kStages & (kStages - 1)) == 0, "the stage index is a mask");
static_assert(kStages * kBytesHalfA == kWarpgroupM * kTileN * 2,
              "C is staged in the rows of A of one warpgroup");

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

__device__ __forceinline__ void loadTile(uint32_t destination,
                                         const CUtensorMap *map,
                                         uint32_t barrier, int column,
                                         int row) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile"
               ".mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];"
               :
               : "r"(destination), "l"(map), "r"(barrier), "r"(column), "r"(row)
               : "memory");
}

__device__ __forceinline__ void
storeTile(const CUtensorMap *map, uint32_t source, int column, int row) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group "
               "[%0, {%2, %3}], [%1];"
               :
               : "l"(map), "r"(source), "r"(column), "r"(row)
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

/// Waits until all groups but the last one are complete.
__device__ __forceinline__ void waitWgmmaBeforeLast() {
  asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
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

/// The shared-memory descriptor of a K-major operand with the 128-byte swizzle:
/// groups of 8 rows follow each other at 1024 bytes; the leading byte offset
/// has no meaning for this layout.
__device__ __forceinline__ uint64_t operandDescriptor(uint32_t address) {
  return static_cast<uint64_t>((address & 0x3ffff) >> 4) | (uint64_t{1} << 16) |
         (uint64_t{1024 >> 4} << 32) | (uint64_t{1} << 62);
}

// clang-format off
#define ACC_8(I)                                                               \
  "+f"(acc[I]), "+f"(acc[I + 1]), "+f"(acc[I + 2]), "+f"(acc[I + 3]),          \
  "+f"(acc[I + 4]), "+f"(acc[I + 5]), "+f"(acc[I + 6]), "+f"(acc[I + 7])
#define ACC_32(I) ACC_8(I), ACC_8(I + 8), ACC_8(I + 16), ACC_8(I + 24)

/// acc[64 x 256] += A[64 x 16] * B[256 x 16]^T.
__device__ __forceinline__ void multiply(float (&acc)[128], uint64_t a,
                                         uint64_t b) {
  asm volatile(
      "{\n\t"
      ".reg .pred accumulate;\n\t"
      "setp.eq.u32 accumulate, 0, 0;\n\t"
      "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, "
      "%8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, "
      "%24, %25, %26, %27, %28, %29, %30, %31, "
      "%32, %33, %34, %35, %36, %37, %38, %39, "
      "%40, %41, %42, %43, %44, %45, %46, %47, "
      "%48, %49, %50, %51, %52, %53, %54, %55, "
      "%56, %57, %58, %59, %60, %61, %62, %63, "
      "%64, %65, %66, %67, %68, %69, %70, %71, "
      "%72, %73, %74, %75, %76, %77, %78, %79, "
      "%80, %81, %82, %83, %84, %85, %86, %87, "
      "%88, %89, %90, %91, %92, %93, %94, %95, "
      "%96, %97, %98, %99, %100, %101, %102, %103, "
      "%104, %105, %106, %107, %108, %109, %110, %111, "
      "%112, %113, %114, %115, %116, %117, %118, %119, "
      "%120, %121, %122, %123, %124, %125, %126, %127}, "
      "%128, %129, accumulate, 1, 1, 0, 0;\n\t"
      "}"
      : ACC_32(0), ACC_32(32), ACC_32(64), ACC_32(96)
      : "l"(a), "l"(b));
}

/// Waits until all groups are complete. The accumulators are operands, so that
/// the compiler reads none of them earlier.
__device__ __forceinline__ void waitWgmma(float (&acc)[128]) {
  asm volatile("wgmma.wait_group.sync.aligned 0;"
               : ACC_32(0), ACC_32(32), ACC_32(64), ACC_32(96)
               :
               : "memory");
}
#undef ACC_32
#undef ACC_8
// clang-format on

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

/// One thread of the CTA: keeps the ring filled.
__device__ __forceinline__ void produce(uint32_t shared,
                                        const CUtensorMap *mapA,
                                        const CUtensorMap *mapB, int row,
                                        int column) {
#pragma unroll 1
  for (int step = 0; step < kSteps; ++step) {
    uint32_t stage = step & (kStages - 1);
    uint32_t parity = (step / kStages) & 1;
    uint32_t full = shared + kOffsetFull + 8 * stage;
    uint32_t slot = shared + stage * kBytesStage;
    // The phase before the first one counts as complete: the first round of the
    // ring does not wait.
    waitBarrier(shared + kOffsetEmpty + 8 * stage, parity ^ 1);
    expectBytes(full, kBytesStage);
    loadTile(slot, mapA, full, step * kTileK, row);
    loadTile(slot + kBytesA, mapB, full, step * kTileK, column);
  }
}

/// The 128 threads of consumer warpgroup `consumer` (0 or 1).
__device__ __forceinline__ void consume(uint32_t shared,
                                        const CUtensorMap *mapC, int row,
                                        int column, uint32_t consumer) {
  uint32_t lane = threadIdx.x & 31;
  uint32_t warp = (threadIdx.x >> 5) & 3;
  uint32_t rowsA = shared + consumer * kBytesHalfA;

  float acc[128];
#pragma unroll
  for (int i = 0; i < 128; ++i)
    acc[i] = 0.0f;

#pragma unroll 1
  for (int step = 0; step < kSteps; ++step) {
    uint32_t stage = step & (kStages - 1);
    uint32_t parity = (step / kStages) & 1;
    waitBarrier(shared + kOffsetFull + 8 * stage, parity);

    uint64_t a = operandDescriptor(rowsA + stage * kBytesStage);
    uint64_t b = operandDescriptor(shared + stage * kBytesStage + kBytesA);
    fenceWgmma();
    // 16 columns of K are 32 bytes, two units of the descriptor's address.
    multiply(acc, a, b);
    multiply(acc, a + 2, b + 2);
    multiply(acc, a + 4, b + 4);
    multiply(acc, a + 6, b + 6);
    commitWgmma();

    // One group stays in flight, so the tensor cores never run dry. The group
    // of the step before is complete: its stage may be overwritten. Each warp
    // speaks for itself, since wait_group covers only the warp that executes
    // it.
    waitWgmmaBeforeLast();
    if (step > 0 && lane == 0)
      arrive(shared + kOffsetEmpty + 8 * ((step - 1) & (kStages - 1)));
  }
  waitWgmma(acc);

  // Every warp of this warpgroup has read its A: the rows become staging space.
  syncWarpgroup(1 + consumer);

  // Four boxes of 64 x 64, one per stage slot, swizzled as the tensor map says.
  // stmatrix x4 writes 16 rows x 16 columns; lane l gives the address of row
  // l % 8 of matrix l / 8: rows 0-7, rows 8-15, then the next 8 columns.
  uint32_t rowInTile = 16 * warp + (lane & 15);
  uint32_t rowAddress = rowsA + 128 * rowInTile;
#pragma unroll
  for (int box = 0; box < kTileN / 64; ++box) {
#pragma unroll
    for (int pair = 0; pair < 4; ++pair) {
      uint32_t packed[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        int index = 32 * box + 8 * pair + 2 * i;
        __nv_bfloat162 value =
            __floats2bfloat162_rn(acc[index], acc[index + 1]);
        packed[i] = reinterpret_cast<uint32_t &>(value);
      }
      uint32_t chunk = (2 * pair + (lane >> 4)) ^ (rowInTile & 7);
      storeMatrices(rowAddress + box * kBytesStage + 16 * chunk, packed[0],
                    packed[1], packed[2], packed[3]);
    }
  }
  // Writer's fence, then rendezvous, then the TMA store.
  fenceAsyncProxy();
  syncWarpgroup(1 + consumer);
  if (warp == 0 && electLane()) {
#pragma unroll
    for (int box = 0; box < kTileN / 64; ++box)
      storeTile(mapC, rowsA + box * kBytesStage, column + 64 * box,
                row + consumer * kWarpgroupM);
    commitStores();
    waitStoresRead();
  }
}

} // namespace

/// C linkage gives the kernel a name that reports can rely on. A block size
/// that is required, and not only bounded, tells the compiler and every reader
/// of the PTX which warps have which role.
extern "C" __global__ void __block_size__((kThreads, 1, 1))
    __maxnreg__(kRegistersAtEntry) gemmWgmmaTma(const __grid_constant__ CUtensorMap mapA,
                 const __grid_constant__ CUtensorMap mapB,
                 const __grid_constant__ CUtensorMap mapC, int tilesM) {
  extern __shared__ __align__(1024) uint8_t sharedBytes[];
  uint32_t shared =
      static_cast<uint32_t>(__cvta_generic_to_shared(sharedBytes));

  // CTA number -> tile.
  int block = blockIdx.x;
  int firstTile = block / (kBand * kTilesN) * kBand;
  int tilesInBand = min(tilesM - firstTile, kBand);
  int inBand = block % (kBand * kTilesN);
  int row = (firstTile + inBand % tilesInBand) * kTileM;
  int column = inBand / tilesInBand * kTileN;

  if (threadIdx.x == 0) {
    for (uint32_t stage = 0; stage < kStages; ++stage) {
      initBarrier(shared + kOffsetFull + 8 * stage, 1);
      initBarrier(shared + kOffsetEmpty + 8 * stage, kConsumerWarps);
    }
    fenceBarrierInit();
  }
  // Nobody may use a barrier before it is initialised.
  __syncthreads();

  // 168 registers per thread at launch: 40 + 2 * 232 = 3 * 168.
  uint32_t warpgroup = threadIdx.x / 128;
  if (warpgroup == 0) {
    shrinkRegisters<40>();
    if (threadIdx.x < 32 && electLane())
      produce(shared, &mapA, &mapB, row, column);
  } else {
    growRegisters<232>();
    consume(shared, &mapC, row, column, warpgroup - 1);
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

/// The map of a row-major bf16 matrix, read or written in boxes of
/// `boxRows` x 64 elements.
CUtensorMap makeMap(EncodeFn encode, void *data, int64_t rows, int64_t columns,
                    uint32_t boxRows) {
  CUtensorMap map;
  cuuint64_t sizes[2] = {static_cast<cuuint64_t>(columns),
                         static_cast<cuuint64_t>(rows)};
  cuuint64_t strides[1] = {static_cast<cuuint64_t>(columns) * 2};
  cuuint32_t box[2] = {kTileK, boxRows};
  cuuint32_t elementStrides[2] = {1, 1};
  CUresult result = encode(
      &map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, data, sizes, strides, box,
      elementStrides, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
      CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS)
    TVM_FFI_THROW(RuntimeError) << "cuTensorMapEncodeTiled: error " << result;
  return map;
}

void checkMatrix(tvm::ffi::TensorView tensor, const char *name, int64_t rows,
                 int64_t columns) {
  DLDataType type = tensor.dtype();
  if (tensor.device().device_type != kDLCUDA || type.code != kDLBfloat ||
      type.bits != 16 || type.lanes != 1 || tensor.ndim() != 2 ||
      !tensor.IsContiguous())
    TVM_FFI_THROW(ValueError)
        << name << ": expected a contiguous bf16 CUDA matrix";
  if (tensor.size(0) != rows || tensor.size(1) != columns)
    TVM_FFI_THROW(ValueError)
        << name << ": expected shape [" << rows << ", " << columns
        << "] but got [" << tensor.size(0) << ", " << tensor.size(1) << "]";
}

void *dataOf(tvm::ffi::TensorView tensor) {
  return static_cast<char *>(tensor.data_ptr()) + tensor.byte_offset();
}

void run(tvm::ffi::TensorView a, tvm::ffi::TensorView b,
         tvm::ffi::TensorView c) {
  int64_t m = a.ndim() == 2 ? a.size(0) : 0;
  checkMatrix(a, "A", m, kK);
  checkMatrix(b, "B", kN, kK);
  checkMatrix(c, "C", m, kN);
  int64_t tilesM = (m + kTileM - 1) / kTileM;
  if (tilesM == 0)
    return;

  DLDevice device = a.device();
  check(cudaSetDevice(device.device_id), "cudaSetDevice");
  EncodeFn encode = encodeFunction();
  CUtensorMap mapA = makeMap(encode, dataOf(a), m, kK, kTileM);
  CUtensorMap mapB = makeMap(encode, dataOf(b), kN, kK, kTileN);
  CUtensorMap mapC = makeMap(encode, dataOf(c), m, kN, kWarpgroupM);

  check(cudaFuncSetAttribute(gemmWgmmaTma,
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             kSharedBytes),
        "cudaFuncSetAttribute");
  auto stream = static_cast<cudaStream_t>(
      TVMFFIEnvGetStream(device.device_type, device.device_id));
  dim3 grid(static_cast<unsigned>(tilesM * kTilesN));
  gemmWgmmaTma<<<grid, kThreads, kSharedBytes, stream>>>(
      mapA, mapB, mapC, static_cast<int>(tilesM));
  check(cudaGetLastError(), "launch of gemmWgmmaTma");
}

} // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
