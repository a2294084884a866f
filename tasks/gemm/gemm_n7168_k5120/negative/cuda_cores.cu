//===- cuda_cores.cu - right numbers without target instructions ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tiled GEMM on plain CUDA cores. It is right for every M and has none of the
// required instructions: neither wgmma nor TMA in the source, in the PTX or in
// the machine code. Expected: TARGET_NOT_EXECUTED, although the numbers pass.
//
//===----------------------------------------------------------------------===//

#include <cstdint>
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

} // namespace

extern "C" __global__ void __launch_bounds__(kThreads)
    gemmCudaCores(const __nv_bfloat16 *a, const __nv_bfloat16 *b,
                  __nv_bfloat16 *c, int m) {
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

void run(tvm::ffi::TensorView a, tvm::ffi::TensorView b,
         tvm::ffi::TensorView c) {
  int m = static_cast<int>(a.size(0));
  if (m == 0)
    return;
  dim3 grid(kN / kTile, (m + kTile - 1) / kTile);
  gemmCudaCores<<<grid, kThreads, 0, streamOf(a)>>>(
      static_cast<const __nv_bfloat16 *>(dataOf(a)),
      static_cast<const __nv_bfloat16 *>(dataOf(b)),
      static_cast<__nv_bfloat16 *>(dataOf(c)), m);
  check(cudaGetLastError(), "launch of gemmCudaCores");
}

} // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
