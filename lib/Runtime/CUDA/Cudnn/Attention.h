//===- Attention.h - Attention by cuDNN -------------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plain interface in front of cudnn-frontend, which throws: what is behind it
// is compiled with exceptions, and none gets out. Where cudnn-frontend was not
// there at build time, isBuilt() says so and nothing else works.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_RUNTIME_CUDA_CUDNN_ATTENTION_H
#define PTXBENCH_LIB_RUNTIME_CUDA_CUDNN_ATTENTION_H

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ptxbench::cudnn {

/// Attention of `batch`×`heads` sequences of `length` rows of `depth` elements,
/// scaled by 1/√depth.
struct AttentionProblem {
  enum class Pass {
    /// Q, K, V → O, LSE; bfloat16, LSE float32.
    Forward,
    /// Q, K, V, O, dO, LSE → dQ, dK, dV.
    Backward,
    /// Q, K, V, descale_q, descale_k, descale_v → O, LSE; float8_e4m3fn, the
    /// rest float32.
    ForwardFp8,
  };
  Pass pass = Pass::Forward;
  int64_t batch = 0, heads = 0, length = 0, depth = 0;
  /// Row i sees columns 0 to i.
  bool causal = false;
  /// What probabilities are multiplied by before they are rounded to fp8, and
  /// divided by afterwards.
  float probabilityScale = 1;
};

/// Whether cudnn-frontend was there at build time.
bool isBuilt();

/// The version of the library `dlopen` gave `library` for, "9.19.0"; empty if
/// it is no cuDNN.
std::string version(void *library);

/// The plans that cuDNN's heuristics have for a problem, built.
class Attention {
public:
  virtual ~Attention();

  /// `library` is cuDNN's, `runtime` the file name of the CUDA runtime that is
  /// in use, `stream` that of the current context. Null and `error` on failure.
  static std::unique_ptr<Attention>
  create(void *library, const std::string &runtime, void *stream,
         const AttentionProblem &problem, std::string &error);

  virtual size_t plans() const = 0;
  virtual std::string name(size_t plan) const = 0;
  virtual uint64_t workspaceBytes(size_t plan) const = 0;
  /// Bytes of device memory beside tensors and workspace; initialScalars() go
  /// to its beginning.
  virtual uint64_t scalarBytes() const = 0;
  virtual std::vector<float> initialScalars() const = 0;

  /// Tells where the tensors are (inputs, then outputs, in the order given
  /// above), and the scalars.
  virtual void bind(const std::vector<void *> &tensors, void *scalars) = 0;
  /// Puts one pass on the stream. False and `error` on failure.
  virtual bool run(size_t plan, void *workspace, std::string &error) const = 0;
};

} // namespace ptxbench::cudnn

#endif // PTXBENCH_LIB_RUNTIME_CUDA_CUDNN_ATTENTION_H
