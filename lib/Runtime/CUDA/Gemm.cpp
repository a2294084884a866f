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
  for (const Step &step : steps)
    if ((failure = lt.check(step.action(), step.name)))
      break;
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

Error Gemm::launch(const cublasLtMatmulAlgo_t &algorithm, CUdeviceptr a,
                   CUdeviceptr b, CUdeviceptr out) const {
  float one = 1, zero = 0;
  void *result = reinterpret_cast<void *>(out);
  return lt.check(
      lt.cublasLtMatmul(
          handle, operation, &one, reinterpret_cast<const void *>(b), layoutB,
          reinterpret_cast<const void *>(a), layoutA, &zero, result, layoutOut,
          result, layoutOut, &algorithm,
          reinterpret_cast<void *>(workspace.address()), workspaceBytes,
          reinterpret_cast<cudaStream_t>(device.stream())),
      "cublasLtMatmul");
}

Error Gemm::run(CUdeviceptr a, CUdeviceptr b, CUdeviceptr out) const {
  return launch(algorithms[best].algo, a, b, out);
}

Error Gemm::tune(CUdeviceptr a, CUdeviceptr b, CUdeviceptr out) {
  const DriverApi &driver = device.api();
  CUevent begin, end;
  for (CUevent *event : {&begin, &end})
    if (Error error = driver.check(
            driver.cuEventCreate(event, CU_EVENT_DEFAULT), "cuEventCreate"))
      return error;
  float bestTime = 0;
  bool any = false;
  for (size_t i = 0; i < algorithms.size(); ++i) {
    float fastest = 0;
    bool ran = true;
    // The first call warms up.
    for (int round = 0; round < 4 && ran; ++round) {
      driver.cuEventRecord(begin, device.stream());
      if (Error error = launch(algorithms[i].algo, a, b, out)) {
        // A proposal that does not run is no baseline.
        consumeError(std::move(error));
        ran = false;
        break;
      }
      driver.cuEventRecord(end, device.stream());
      if (Error error = driver.check(driver.cuEventSynchronize(end),
                                     "cuBLASLt's product"))
        return error;
      float ms = 0;
      if (Error error = driver.check(driver.cuEventElapsedTime(&ms, begin, end),
                                     "cuEventElapsedTime"))
        return error;
      if (round == 1 || (round > 1 && ms < fastest))
        fastest = ms;
    }
    if (ran && (!any || fastest < bestTime)) {
      any = true;
      bestTime = fastest;
      best = i;
    }
  }
  if (!any)
    return makeFailure("", "none of cuBLASLt's algorithms runs");
  return Error::success();
}
