//===- dead_wgmma.cu - right numbers, wgmma and TMA never execute ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A right GEMM on plain CUDA cores that also holds a TMA load and a wgmma, so
// that a search of the source, of the PTX or of the machine code finds both.
// They stand behind a guard that no launch can pass:
//
//   mov.u32 t, %tid.x;  if (t > 1023) ...
//
// since %tid.x is at most 1023 (and here, by .maxntid, at most 255).
//
// Neither nvcc nor ptxas draws that conclusion. Expected: TARGET_NOT_EXECUTED,
// with the verdict `never` on every instruction behind the guard.
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

constexpr int kN = 7168;
constexpr int kK = 5120;

// A block of 256 threads computes 128 x 128 elements of C, a thread 8 x 8 of
// them: rows and columns 4 * t + {0..3} and 64 more.
constexpr int kTile = 128;
constexpr int kTileK = 16;
constexpr int kThreads = 256;
constexpr int kPitch = kTile + 4; // Padding keeps 16-byte alignment.

/// Loads 8 neighbouring bf16 of a row-major matrix with kK columns and writes
/// them as floats into a column of the transposed tile. Rows past `rows` are 0.
__device__ void loadColumn(float (&tile)[kTileK][kPitch],
                           const __nv_bfloat16 *matrix, int firstRow, int rows,
                           int firstColumn) {
  int row = threadIdx.x / 2;
  int column = threadIdx.x % 2 * 8;
  uint4 raw = make_uint4(0, 0, 0, 0);
  if (firstRow + row < rows)
    raw = *reinterpret_cast<const uint4 *>(
        matrix + static_cast<int64_t>(firstRow + row) * kK + firstColumn +
        column);
  const uint32_t words[4] = {raw.x, raw.y, raw.z, raw.w};
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    // A bf16 is the upper half of a float.
    tile[column + 2 * i][row] = __uint_as_float(words[i] << 16);
    tile[column + 2 * i + 1][row] = __uint_as_float(words[i] & 0xffff0000u);
  }
}

/// Eight values of a row of a tile: 4 at `first` and 4 at `first` + 64.
__device__ void readEight(float (&values)[8], const float (&row)[kPitch],
                          int first) {
  float4 low = *reinterpret_cast<const float4 *>(&row[first]);
  float4 high = *reinterpret_cast<const float4 *>(&row[first + 64]);
  values[0] = low.x, values[1] = low.y, values[2] = low.z, values[3] = low.w;
  values[4] = high.x, values[5] = high.y, values[6] = high.z;
  values[7] = high.w;
}

__device__ __forceinline__ void initBarrier(uint32_t barrier) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\n\t"
               "fence.mbarrier_init.release.cluster;"
               :
               : "r"(barrier)
               : "memory");
}

__device__ __forceinline__ void expectBytes(uint32_t barrier, uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
               :
               : "r"(barrier), "r"(bytes)
               : "memory");
}

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

/// The shared-memory descriptor of a K-major operand with the 128-byte swizzle.
__device__ __forceinline__ uint64_t operandDescriptor(uint32_t address) {
  return static_cast<uint64_t>((address & 0x3ffff) >> 4) | (uint64_t{1} << 16) |
         (uint64_t{1024 >> 4} << 32) | (uint64_t{1} << 62);
}

__device__ __forceinline__ void fenceWgmma() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

__device__ __forceinline__ void finishWgmma() {
  asm volatile("wgmma.commit_group.sync.aligned;\n\t"
               "wgmma.wait_group.sync.aligned 0;" ::
                   : "memory");
}

// clang-format off
/// acc[64 x 16] += A[64 x 16] * B[16 x 16]^T.
__device__ __forceinline__ void multiply(float (&acc)[8], uint64_t a,
                                         uint64_t b) {
  asm volatile(
      "{\n\t"
      ".reg .pred accumulate;\n\t"
      "setp.eq.u32 accumulate, 0, 0;\n\t"
      "wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7}, "
      "%8, %9, accumulate, 1, 1, 0, 0;\n\t"
      "}"
      : "+f"(acc[0]), "+f"(acc[1]), "+f"(acc[2]), "+f"(acc[3]),
        "+f"(acc[4]), "+f"(acc[5]), "+f"(acc[6]), "+f"(acc[7])
      : "l"(a), "l"(b));
}
// clang-format on

/// %tid.x, read so that the compiler knows nothing about its value.
__device__ __forceinline__ uint32_t threadIndex() {
  uint32_t index;
  asm volatile("mov.u32 %0, %%tid.x;" : "=r"(index));
  return index;
}

/// One k-step of a tensor-core GEMM that adds to `c`.
__device__ void neverExecuted(const CUtensorMap *mapA, __nv_bfloat16 *c) {
  // 64 x 64 of A serves as both operands.
  __shared__ __align__(1024) uint8_t tile[64 * 64 * 2];
  __shared__ __align__(8) uint64_t barrierStorage;
  uint32_t address = static_cast<uint32_t>(__cvta_generic_to_shared(tile));
  uint32_t barrier =
      static_cast<uint32_t>(__cvta_generic_to_shared(&barrierStorage));
  if (threadIdx.x == 0) {
    initBarrier(barrier);
    expectBytes(barrier, sizeof(tile));
    loadTile(address, mapA, barrier, 0, 0);
  }
  __syncthreads();
  waitBarrier(barrier, 0);

  __nv_bfloat16 *out = c + 8 * threadIdx.x;
  float acc[8];
#pragma unroll
  for (int i = 0; i < 8; ++i)
    acc[i] = __bfloat162float(out[i]);
  uint64_t operand = operandDescriptor(address);
  fenceWgmma();
  multiply(acc, operand, operand);
  finishWgmma();
#pragma unroll
  for (int i = 0; i < 8; ++i)
    out[i] = __float2bfloat16(acc[i]);
}

} // namespace

extern "C" __global__ void __launch_bounds__(kThreads)
    gemmDeadWgmma(const __grid_constant__ CUtensorMap mapA,
                  const __nv_bfloat16 *a, const __nv_bfloat16 *b,
                  __nv_bfloat16 *c, int m) {
  // Never true: a block has at most 1024 threads.
  if (threadIndex() > 1023)
    neverExecuted(&mapA, c);

  __shared__ __align__(16) float tileA[kTileK][kPitch];
  __shared__ __align__(16) float tileB[kTileK][kPitch];
  int firstRow = blockIdx.y * kTile;
  int firstColumn = blockIdx.x * kTile;
  int threadRow = threadIdx.x / 16 * 4;
  int threadColumn = threadIdx.x % 16 * 4;

  float acc[8][8] = {};
  for (int k = 0; k < kK; k += kTileK) {
    loadColumn(tileA, a, firstRow, m, k);
    loadColumn(tileB, b, firstColumn, kN, k);
    __syncthreads();
#pragma unroll
    for (int step = 0; step < kTileK; ++step) {
      float rowsA[8], rowsB[8];
      readEight(rowsA, tileA[step], threadRow);
      readEight(rowsB, tileB[step], threadColumn);
#pragma unroll
      for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j)
          acc[i][j] = fmaf(rowsA[i], rowsB[j], acc[i][j]);
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < 8; ++i) {
    int row = firstRow + threadRow + (i & 3) + (i / 4) * 64;
    if (row >= m)
      continue;
#pragma unroll
    for (int j = 0; j < 8; ++j)
      c[static_cast<int64_t>(row) * kN + firstColumn + threadColumn + (j & 3) +
        (j / 4) * 64] = __float2bfloat16(acc[i][j]);
  }
}

namespace {

void check(cudaError_t error, const char *what) {
  if (error != cudaSuccess)
    TVM_FFI_THROW(RuntimeError) << what << ": " << cudaGetErrorString(error);
}

void *dataOf(tvm::ffi::TensorView tensor) {
  return static_cast<char *>(tensor.data_ptr()) + tensor.byte_offset();
}

cudaStream_t streamOf(tvm::ffi::TensorView tensor) {
  DLDevice device = tensor.device();
  check(cudaSetDevice(device.device_id), "cudaSetDevice");
  return static_cast<cudaStream_t>(
      TVMFFIEnvGetStream(device.device_type, device.device_id));
}

using EncodeFn = CUresult (*)(CUtensorMap *, CUtensorMapDataType, cuuint32_t,
                              void *, const cuuint64_t *, const cuuint64_t *,
                              const cuuint32_t *, const cuuint32_t *,
                              CUtensorMapInterleave, CUtensorMapSwizzle,
                              CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

/// The map of a row-major bf16 matrix with kK columns, read in boxes of
/// `boxRows` x 64 elements.
CUtensorMap makeMap(void *data, int64_t rows, uint32_t boxRows) {
  void *function = nullptr;
  cudaDriverEntryPointQueryResult found;
  check(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function,
                                         12000, cudaEnableDefault, &found),
        "cudaGetDriverEntryPointByVersion");
  if (found != cudaDriverEntryPointSuccess || !function)
    TVM_FFI_THROW(RuntimeError) << "the driver has no cuTensorMapEncodeTiled";

  CUtensorMap map;
  cuuint64_t sizes[2] = {kK, static_cast<cuuint64_t>(rows)};
  cuuint64_t strides[1] = {2 * kK};
  cuuint32_t box[2] = {64, boxRows};
  cuuint32_t elementStrides[2] = {1, 1};
  CUresult result = reinterpret_cast<EncodeFn>(function)(
      &map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, data, sizes, strides, box,
      elementStrides, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
      CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS)
    TVM_FFI_THROW(RuntimeError) << "cuTensorMapEncodeTiled: error " << result;
  return map;
}

void run(tvm::ffi::TensorView a, tvm::ffi::TensorView b,
         tvm::ffi::TensorView c) {
  int m = static_cast<int>(a.size(0));
  if (m == 0)
    return;
  cudaStream_t stream = streamOf(a);
  dim3 grid(kN / kTile, (m + kTile - 1) / kTile);
  gemmDeadWgmma<<<grid, kThreads, 0, stream>>>(
      makeMap(dataOf(a), m, 64), static_cast<const __nv_bfloat16 *>(dataOf(a)),
      static_cast<const __nv_bfloat16 *>(dataOf(b)),
      static_cast<__nv_bfloat16 *>(dataOf(c)), m);
  check(cudaGetLastError(), "launch of gemmDeadWgmma");
}

} // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
