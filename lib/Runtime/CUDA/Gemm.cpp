//===- Gemm.cpp - Matrix products by cuBLASLt -----------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cuBLASLt counts in columns, so the row-major product is asked for as its
// transpose: outᵀ[N,M] = b · aᵀ, with b (K×N in columns) transposed.
//
//===----------------------------------------------------------------------===//

#include "Gemm.h"

#include <algorithm>
#include <functional>

using namespace llvm;
using namespace ptxbench;

static constexpr uint64_t workspaceBytes = uint64_t(64) << 20;
static constexpr int requestedAlgorithms = 16;

static cudaDataType_t cudaType(ElementType type) {
  switch (type) {
  case ElementType::Float16:
    return CUDA_R_16F;
  case ElementType::BFloat16:
    return CUDA_R_16BF;
  case ElementType::Float32:
    return CUDA_R_32F;
  case ElementType::Float8E4M3:
    return CUDA_R_8F_E4M3;
  default:
    llvm_unreachable("validate() takes no other type for a product");
  }
}

Gemm::~Gemm() {
  for (cublasLtMatrixLayout_t layout : {layoutA, layoutB, layoutOut})
    if (layout)
      lt.cublasLtMatrixLayoutDestroy(layout);
  if (operation)
    lt.cublasLtMatmulDescDestroy(operation);
}

Expected<std::unique_ptr<Gemm>>
Gemm::create(const Device &device, const Toolchain &toolchain, uint64_t m,
             uint64_t n, uint64_t k, ElementType inType, ElementType outType) {
  return plan(device, toolchain, m, n, k, inType, outType, Scales());
}

Expected<std::unique_ptr<Gemm>>
Gemm::createScaled(const Device &device, const Toolchain &toolchain, uint64_t m,
                   uint64_t n, uint64_t k, ElementType outType,
                   CUdeviceptr scalesOfA, CUdeviceptr scalesOfB) {
  return plan(device, toolchain, m, n, k, ElementType::Float8E4M3, outType,
              {scalesOfA, scalesOfB});
}

Expected<std::unique_ptr<Gemm>> Gemm::plan(const Device &device,
                                           const Toolchain &toolchain,
                                           uint64_t m, uint64_t n, uint64_t k,
                                           ElementType inType,
                                           ElementType outType, Scales scales) {
  Expected<const CublasLtApi *> api = CublasLtApi::get(toolchain);
  if (!api)
    return api.takeError();
  const CublasLtApi &lt = **api;
  std::unique_ptr<Gemm> gemm(new Gemm(device, lt));
  Expected<DeviceBuffer> workspace =
      device.allocate(workspaceBytes, "the workspace of cuBLASLt");
  if (!workspace)
    return workspace.takeError();
  gemm->workspace = std::move(*workspace);

  cublasOperation_t transpose = CUBLAS_OP_T, plain = CUBLAS_OP_N;
  cublasLtMatmulPreference_t preference = nullptr;
  uint64_t limit = workspaceBytes;
  int found = 0;
  // As cuBLASLt sees it, b comes first.
  const std::pair<cublasLtMatmulDescAttributes_t, CUdeviceptr> pointers[] = {
      {CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, scales.b},
      {CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, scales.a}};
  const std::pair<cublasLtMatmulDescAttributes_t, cublasLtMatmulMatrixScale_t>
      modes[] = {{CUBLASLT_MATMUL_DESC_A_SCALE_MODE,
                  CUBLASLT_MATMUL_MATRIX_SCALE_BLK128x128_32F},
                 {CUBLASLT_MATMUL_DESC_B_SCALE_MODE,
                  CUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F}};
  auto setScales = [&] {
    cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
    for (unsigned i = 0; i < 2 && scales.a; ++i) {
      status = lt.cublasLtMatmulDescSetAttribute(
          gemm->operation, modes[i].first, &modes[i].second,
          sizeof(modes[i].second));
      if (status == CUBLAS_STATUS_SUCCESS)
        status = lt.cublasLtMatmulDescSetAttribute(
            gemm->operation, pointers[i].first, &pointers[i].second,
            sizeof(pointers[i].second));
      if (status != CUBLAS_STATUS_SUCCESS)
        break;
    }
    return status;
  };
  gemm->algorithms.resize(requestedAlgorithms);
  struct Step {
    const char *name;
    std::function<cublasStatus_t()> action;
  };
  const Step steps[] = {
      {"cublasLtCreate", [&] { return lt.cublasLtCreate(&gemm->handle); }},
      {"cublasLtMatmulDescCreate",
       [&] {
         return lt.cublasLtMatmulDescCreate(&gemm->operation,
                                            CUBLAS_COMPUTE_32F, CUDA_R_32F);
       }},
      {"cublasLtMatmulDescSetAttribute",
       [&] {
         return lt.cublasLtMatmulDescSetAttribute(
             gemm->operation, CUBLASLT_MATMUL_DESC_TRANSA, &transpose,
             sizeof(transpose));
       }},
      {"cublasLtMatmulDescSetAttribute",
       [&] {
         return lt.cublasLtMatmulDescSetAttribute(gemm->operation,
                                                  CUBLASLT_MATMUL_DESC_TRANSB,
                                                  &plain, sizeof(plain));
       }},
      {"cublasLtMatmulDescSetAttribute", setScales},
      {"cublasLtMatrixLayoutCreate",
       [&] {
         return lt.cublasLtMatrixLayoutCreate(&gemm->layoutB, cudaType(inType),
                                              k, n, int64_t(k));
       }},
      {"cublasLtMatrixLayoutCreate",
       [&] {
         return lt.cublasLtMatrixLayoutCreate(&gemm->layoutA, cudaType(inType),
                                              k, m, int64_t(k));
       }},
      {"cublasLtMatrixLayoutCreate",
       [&] {
         return lt.cublasLtMatrixLayoutCreate(
             &gemm->layoutOut, cudaType(outType), n, m, int64_t(n));
       }},
      {"cublasLtMatmulPreferenceCreate",
       [&] { return lt.cublasLtMatmulPreferenceCreate(&preference); }},
      {"cublasLtMatmulPreferenceSetAttribute",
       [&] {
         return lt.cublasLtMatmulPreferenceSetAttribute(
             preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &limit,
             sizeof(limit));
       }},
      {"cublasLtMatmulAlgoGetHeuristic",
       [&] {
         return lt.cublasLtMatmulAlgoGetHeuristic(
             gemm->handle, gemm->operation, gemm->layoutB, gemm->layoutA,
             gemm->layoutOut, gemm->layoutOut, preference, requestedAlgorithms,
             gemm->algorithms.data(), &found);
       }},
  };
  Error failure = Error::success();
  for (const Step &step : steps) {
    cublasStatus_t status = step.action();
    // The heuristics, which come last, say so of a product without algorithms.
    if (status == CUBLAS_STATUS_NOT_SUPPORTED && &step == std::end(steps) - 1)
      break;
    if ((failure = lt.check(status, step.name)))
      break;
  }
  if (preference)
    lt.cublasLtMatmulPreferenceDestroy(preference);
  if (failure)
    return std::move(failure);
  gemm->algorithms.resize(size_t(std::max(found, 0)));
  llvm::erase_if(gemm->algorithms,
                 [](const cublasLtMatmulHeuristicResult_t &result) {
                   return result.state != CUBLAS_STATUS_SUCCESS ||
                          result.workspaceSize > workspaceBytes;
                 });
  if (gemm->algorithms.empty())
    return makeFailure("", "cuBLASLt has no algorithm for a product of " +
                               Twine(m) + "x" + Twine(n) + "x" + Twine(k));
  return std::move(gemm);
}

Error Gemm::launch(size_t algorithm, CUdeviceptr a, CUdeviceptr b,
                   CUdeviceptr out) const {
  float one = 1, zero = 0;
  void *result = reinterpret_cast<void *>(out);
  return lt.check(
      lt.cublasLtMatmul(
          handle, operation, &one, reinterpret_cast<const void *>(b), layoutB,
          reinterpret_cast<const void *>(a), layoutA, &zero, result, layoutOut,
          result, layoutOut, &algorithms[algorithm].algo,
          reinterpret_cast<void *>(workspace.address()), workspaceBytes,
          reinterpret_cast<cudaStream_t>(device.stream())),
      "cublasLtMatmul");
}
