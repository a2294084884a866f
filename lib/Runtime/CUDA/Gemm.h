//===- Gemm.h - Matrix products by cuBLASLt ---------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// out[M,N] = a[M,K] · b[N,K]ᵀ, all row-major, accumulated in fp32. With fp32
// output it is the reference, with the output type of the task the baseline.
// The factors may be of fp8 with scales: one for each 128 elements of a row of
// a, and for each 128×128 block of b.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_RUNTIME_CUDA_GEMM_H
#define PTXBENCH_LIB_RUNTIME_CUDA_GEMM_H

#include "Device.h"

#include <memory>

namespace ptxbench {

class Gemm {
public:
  ~Gemm();

  /// Plans a product of `m`×`n`×`k`. `inType` is the type of both factors.
  static llvm::Expected<std::unique_ptr<Gemm>>
  create(const Device &device, const Toolchain &toolchain, uint64_t m,
         uint64_t n, uint64_t k, ElementType inType, ElementType outType);

  /// Plans a product of float8_e4m3fn. `scalesOfA` has K/128 columns of M
  /// factors, `scalesOfB` N/128 rows of K/128 rounded up to four.
  static llvm::Expected<std::unique_ptr<Gemm>>
  createScaled(const Device &device, const Toolchain &toolchain, uint64_t m,
               uint64_t n, uint64_t k, ElementType outType,
               CUdeviceptr scalesOfA, CUdeviceptr scalesOfB);

  /// Puts one product on the device's stream.
  llvm::Error run(CUdeviceptr a, CUdeviceptr b, CUdeviceptr out) const {
    return launch(0, a, b, out);
  }
  /// The same by a certain algorithm.
  llvm::Error launch(size_t algorithm, CUdeviceptr a, CUdeviceptr b,
                     CUdeviceptr out) const;

  /// "cuBLASLt 13.1.0".
  std::string name() const { return "cuBLASLt " + lt.version(); }
  /// How many algorithms the heuristics proposed.
  size_t candidates() const { return algorithms.size(); }

private:
  Gemm(const Device &device, const CublasLtApi &lt) : device(device), lt(lt) {}
  /// Device addresses of the scales, or 0.
  struct Scales {
    CUdeviceptr a = 0, b = 0;
  };
  static llvm::Expected<std::unique_ptr<Gemm>>
  plan(const Device &device, const Toolchain &toolchain, uint64_t m, uint64_t n,
       uint64_t k, ElementType inType, ElementType outType, Scales scales);

  const Device &device;
  const CublasLtApi &lt;
  cublasLtHandle_t handle = nullptr;
  cublasLtMatmulDesc_t operation = nullptr;
  cublasLtMatrixLayout_t layoutA = nullptr, layoutB = nullptr,
                         layoutOut = nullptr;
  DeviceBuffer workspace;
  /// Best first, as the heuristics see it.
  std::vector<cublasLtMatmulHeuristicResult_t> algorithms;
};

} // namespace ptxbench

#endif // PTXBENCH_LIB_RUNTIME_CUDA_GEMM_H
