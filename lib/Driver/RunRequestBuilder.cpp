//===- RunRequestBuilder.cpp - From a task to a run request ---------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Resolves the shapes of a workload and names the reference; what a backend
// could not do is refused here.
//
//===----------------------------------------------------------------------===//

#include "RunRequestBuilder.h"
#include "llvm/ADT/STLExtras.h"

namespace ptxbench {

static llvm::Error makeError(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

/// The tensors of one role, in the order of the definition.
static llvm::Error addTensors(const Task &task, const Workload &workload,
                              llvm::ArrayRef<TensorSpec> specs, TensorRole role,
                              RunRequest &request) {
  for (const TensorSpec &spec : specs) {
    auto input = workload.inputs.find(spec.name);
    bool random = role == TensorRole::Output ||
                  input == workload.inputs.end() ||
                  input->second.kind == InputSource::Kind::Random;
    if (spec.isScalar || !random)
      return makeError("input '" + spec.name + "' of '" + task.definition.name +
                       "' is no random tensor, which the cuda backend cannot "
                       "pass");
    llvm::Expected<std::vector<int64_t>> shape =
        resolveShape(task.definition, spec, workload);
    if (!shape)
      return shape.takeError();
    ArgumentSpec tensor;
    tensor.name = spec.name;
    tensor.shape = *shape;
    tensor.type = spec.type;
    tensor.role = role;
    auto distribution = task.definition.extension.distributions.find(spec.name);
    if (distribution != task.definition.extension.distributions.end())
      tensor.distribution = distribution->second;
    request.tensors.push_back(std::move(tensor));
  }
  return llvm::Error::success();
}

/// The one operation that has a reference on the device: C = A·Bᵀ.
static llvm::Error addReference(const Definition &definition,
                                RunRequest &request) {
  if (definition.opType != "gemm" || definition.inputs.size() != 2 ||
      definition.outputs.size() != 1)
    return makeError("no reference for operation '" + definition.opType +
                     "' on the device");
  const auto &a = definition.inputs[0].shape;
  const auto &b = definition.inputs[1].shape;
  const auto &c = definition.outputs[0].shape;
  if (a.size() != 2 || b.size() != 2 || c.size() != 2 || a[0] != c[0] ||
      b[0] != c[1] || a[1] != b[1])
    return makeError("the reference of a gemm takes A[M,K], B[N,K] and C[M,N]");
  request.reference.kind = ReferenceSpec::Kind::GemmNT;
  request.reference.a = definition.inputs[0].name;
  request.reference.b = definition.inputs[1].name;
  request.reference.out = definition.outputs[0].name;
  return llvm::Error::success();
}

llvm::Expected<RunRequest> buildRunRequest(const Task &task,
                                           const Workload &workload,
                                           const DriverOptions &options,
                                           llvm::StringRef library,
                                           llvm::StringRef workDirectory) {
  const Definition &definition = task.definition;
  RunRequest request;
  request.library = library.str();
  if (llvm::Error error = addTensors(task, workload, definition.inputs,
                                     TensorRole::Input, request))
    return llvm::Expected<RunRequest>(std::move(error));
  if (llvm::Error error = addTensors(task, workload, definition.outputs,
                                     TensorRole::Output, request))
    return llvm::Expected<RunRequest>(std::move(error));
  if (llvm::Error error = addReference(definition, request))
    return llvm::Expected<RunRequest>(std::move(error));
  request.tolerance = definition.extension.tolerance;
  request.trials = definition.extension.trials;
  request.seed = options.seed;
  request.timing.calls = options.timedCalls;
  request.candidateSeconds = options.timeoutSeconds;
  request.workDir = workDirectory.str();
  request.cudaPath = options.cudaPath;
  request.tvmFfiPath = options.tvmFfiPath;
  return request;
}

} // namespace ptxbench
