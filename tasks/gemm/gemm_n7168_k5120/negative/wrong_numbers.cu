//===- wrong_numbers.cu - wgmma and TMA with a wrong result ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A small tensor-core GEMM that executes all required instructions and
// forgets the last of 80 k-steps. The relative L2 error is about sqrt(1 / 80) =
// 0.11 for random inputs. Expected: INCORRECT_NUMERICAL.
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
constexpr int kTileM = 64;
constexpr int kTileN = 64;
constexpr int kTileK = 64;
constexpr int kThreads = 128;
constexpr int kSteps = kK / kTileK - 1; // The mistake.

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
/// acc[64 x 64] += A[64 x 16] * B[64 x 16]^T.
__device__ __forceinline__ void multiply(float (&acc)[32], uint64_t a,
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
      "%32, %33, accumulate, 1, 1, 0, 0;\n\t"
      "}"
      : "+f"(acc[0]), "+f"(acc[1]), "+f"(acc[2]), "+f"(acc[3]),
        "+f"(acc[4]), "+f"(acc[5]), "+f"(acc[6]), "+f"(acc[7]),
        "+f"(acc[8]), "+f"(acc[9]), "+f"(acc[10]), "+f"(acc[11]),
        "+f"(acc[12]), "+f"(acc[13]), "+f"(acc[14]), "+f"(acc[15]),
        "+f"(acc[16]), "+f"(acc[17]), "+f"(acc[18]), "+f"(acc[19]),
        "+f"(acc[20]), "+f"(acc[21]), "+f"(acc[22]), "+f"(acc[23]),
        "+f"(acc[24]), "+f"(acc[25]), "+f"(acc[26]), "+f"(acc[27]),
        "+f"(acc[28]), "+f"(acc[29]), "+f"(acc[30]), "+f"(acc[31])
      : "l"(a), "l"(b));
}
// clang-format on

} // namespace

extern "C" __global__ void __launch_bounds__(kThreads)
    gemmWrongNumbers(const __grid_constant__ CUtensorMap mapA,
                     const __grid_constant__ CUtensorMap mapB, __nv_bfloat16 *c,
                     int m) {
  __shared__ __align__(1024) uint8_t tileA[kTileM * kTileK * 2];
  __shared__ __align__(1024) uint8_t tileB[kTileN * kTileK * 2];
  __shared__ __align__(8) uint64_t barrierStorage;
  uint32_t addressA = static_cast<uint32_t>(__cvta_generic_to_shared(tileA));
  uint32_t addressB = static_cast<uint32_t>(__cvta_generic_to_shared(tileB));
  uint32_t barrier =
      static_cast<uint32_t>(__cvta_generic_to_shared(&barrierStorage));
  int row = blockIdx.y * kTileM;
  int column = blockIdx.x * kTileN;

  if (threadIdx.x == 0)
    initBarrier(barrier);
  __syncthreads();

  float acc[32] = {};
#pragma unroll 1
  for (int step = 0; step < kSteps; ++step) {
    if (threadIdx.x == 0) {
      expectBytes(barrier, sizeof(tileA) + sizeof(tileB));
      loadTile(addressA, &mapA, barrier, step * kTileK, row);
      loadTile(addressB, &mapB, barrier, step * kTileK, column);
    }
    waitBarrier(barrier, step & 1);
    uint64_t a = operandDescriptor(addressA);
    uint64_t b = operandDescriptor(addressB);
    fenceWgmma();
    multiply(acc, a, b);
    multiply(acc, a + 2, b + 2);
    multiply(acc, a + 4, b + 4);
    multiply(acc, a + 6, b + 6);
    finishWgmma();
    // All warps have read the tiles before they are loaded again.
    __syncthreads();
  }

  int rowInTile = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4;
#pragma unroll
  for (int i = 0; i < 32; ++i) {
    int outRow = row + rowInTile + (i & 2) * 4;
    int outColumn = column + i / 4 * 8 + threadIdx.x % 4 * 2 + (i & 1);
    if (outRow < m)
      c[static_cast<int64_t>(outRow) * kN + outColumn] =
          __float2bfloat16(acc[i]);
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
  dim3 grid(kN / kTileN, (m + kTileM - 1) / kTileM);
  gemmWrongNumbers<<<grid, kThreads, 0, stream>>>(
      makeMap(dataOf(a), m, kTileM), makeMap(dataOf(b), kN, kTileN),
      static_cast<__nv_bfloat16 *>(dataOf(c)), m);
  check(cudaGetLastError(), "launch of gemmWrongNumbers");
}

} // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
