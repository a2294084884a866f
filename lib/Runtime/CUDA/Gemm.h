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

  /// Times what the heuristics propose on these operands and keeps the best.
  llvm::Error tune(CUdeviceptr a, CUdeviceptr b, CUdeviceptr out);
  /// Puts one product on the device's stream.
  llvm::Error run(CUdeviceptr a, CUdeviceptr b, CUdeviceptr out) const;

  /// "cuBLASLt 13.1.0".
  std::string name() const { return "cuBLASLt " + lt.version(); }
  /// How many algorithms the heuristics proposed.
  size_t candidates() const { return algorithms.size(); }

private:
  Gemm(const Device &device, const CublasLtApi &lt) : device(device), lt(lt) {}
  llvm::Error launch(const cublasLtMatmulAlgo_t &algorithm, CUdeviceptr a,
                     CUdeviceptr b, CUdeviceptr out) const;

  const Device &device;
  const CublasLtApi &lt;
  cublasLtHandle_t handle = nullptr;
  cublasLtMatmulDesc_t operation = nullptr;
  cublasLtMatrixLayout_t layoutA = nullptr, layoutB = nullptr,
                         layoutOut = nullptr;
  DeviceBuffer workspace;
  std::vector<cublasLtMatmulHeuristicResult_t> algorithms;
  size_t best = 0;
};

} // namespace ptxbench

#endif // PTXBENCH_LIB_RUNTIME_CUDA_GEMM_H
