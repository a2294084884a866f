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
#include "ptxbench/Task/SafeTensors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

namespace ptxbench {

static llvm::Error makeError(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

llvm::Expected<std::vector<const Workload *>>
selectWorkloads(const Task &task, llvm::StringRef names) {
  std::vector<const Workload *> chosen;
  auto add = [&](const Workload *workload) {
    if (!llvm::is_contained(chosen, workload))
      chosen.push_back(workload);
  };
  // "A,B": an axis is AXIS=N, so that commas separate nothing else.
  llvm::SmallVector<llvm::StringRef> parts;
  names.split(parts, ',');
  for (llvm::StringRef name : parts) {
    bool all = name == "all";
    if (!all || chosen.empty()) {
      llvm::Expected<const Workload *> selected =
          selectWorkload(task, all ? "full" : name);
      if (!selected)
        return selected.takeError();
      add(*selected);
    }
    if (all)
      for (const Workload &workload : task.workloads)
        add(&workload);
  }
  return chosen;
}

/// Where the elements of an input come from.
static llvm::Error setOrigin(const Task &task, const Workload &workload,
                             const TensorSpec &spec, ArgumentSpec &tensor) {
  const TaskExtension &extension = task.definition.extension;
  const InputSource &source = workload.inputs.at(spec.name);
  switch (source.kind) {
  case InputSource::Kind::Scalar:
    tensor.origin = ArgumentSpec::Origin::Scalar;
    tensor.value = source.value;
    return llvm::Error::success();
  case InputSource::Kind::SafeTensors: {
    llvm::SmallString<128> path(task.root);
    llvm::sys::path::append(path, source.path);
    llvm::sys::path::remove_dots(path);
    llvm::Expected<StoredTensor> stored =
        findStoredTensor(path, source.tensorKey);
    if (!stored)
      return stored.takeError();
    if (stored->type != spec.type || stored->shape != tensor.shape)
      return makeError(path + ": expected tensor '" + source.tensorKey +
                       "' to be of the type and shape of input '" + spec.name +
                       "'");
    tensor.origin = ArgumentSpec::Origin::File;
    tensor.file = path.str().str();
    tensor.fileOffset = stored->offset;
    return llvm::Error::success();
  }
  case InputSource::Kind::Random:
    break;
  }
  if (extension.computed &&
      llvm::is_contained(extension.computed->outputs, spec.name))
    tensor.origin = ArgumentSpec::Origin::Computed;
  auto distribution = extension.distributions.find(spec.name);
  if (distribution != extension.distributions.end())
    tensor.distribution = distribution->second;
  tensor.turnsSigns =
      tensor.origin == ArgumentSpec::Origin::Drawn && isFloat(spec.type) &&
      (tensor.distribution == Distribution::Normal ||
       tensor.distribution == Distribution::Outliers) &&
      !(extension.computed &&
        llvm::is_contained(extension.computed->inputs, spec.name));
  return llvm::Error::success();
}

/// The tensors of one role, in the order of the definition.
static llvm::Error addTensors(const Task &task, const Workload &workload,
                              llvm::ArrayRef<TensorSpec> specs, TensorRole role,
                              RunRequest &request) {
  const TaskExtension &extension = task.definition.extension;
  for (const TensorSpec &spec : specs) {
    llvm::Expected<std::vector<int64_t>> shape =
        resolveShape(task.definition, spec, workload);
    if (!shape)
      return shape.takeError();
    ArgumentSpec tensor;
    tensor.name = spec.name;
    tensor.shape = *shape;
    tensor.axes = spec.shape;
    tensor.type = spec.type;
    tensor.role = role;
    if (role == TensorRole::Input) {
      if (llvm::Error error = setOrigin(task, workload, spec, tensor))
        return error;
    } else if (spec.isScalar) {
      return makeError("output '" + spec.name + "' of '" +
                       task.definition.name +
                       "' is a scalar, which a candidate cannot write to");
    } else if (extension.outputTolerances.count(spec.name)) {
      tensor.tolerance = extension.toleranceOf(spec.name);
    }
    request.tensors.push_back(std::move(tensor));
  }
  return llvm::Error::success();
}

/// Decides along which leading axes timed calls rotate the inputs. Drawn ones
/// stay as random as they were, whatever is rotated. Inputs that are computed
/// still belong to the others if all are rotated along the same independent
/// axes. What is stored in files may be indices, and is left alone.
static void setRotations(const Task &task, RunRequest &request) {
  const std::vector<std::string> &independent =
      task.definition.extension.independentAxes;
  std::vector<ArgumentSpec *> inputs;
  for (ArgumentSpec &tensor : request.tensors)
    if (tensor.role == TensorRole::Input && !tensor.isScalar())
      inputs.push_back(&tensor);
  bool anyComputed = llvm::any_of(inputs, [](const ArgumentSpec *tensor) {
    return tensor->origin == ArgumentSpec::Origin::Computed;
  });
  unsigned common = 0;
  if (anyComputed)
    while (llvm::all_of(inputs, [&](const ArgumentSpec *tensor) {
      return tensor->axes.size() > common &&
             tensor->axes[common] == inputs.front()->axes[common] &&
             llvm::is_contained(independent, tensor->axes[common]);
    }))
      ++common;
  for (ArgumentSpec *tensor : inputs) {
    unsigned rank = unsigned(tensor->shape.size());
    tensor->rotatedAxes = tensor->origin == ArgumentSpec::Origin::File ? 0
                          : anyComputed                                ? common
                          : rank > 1 ? rank - 1
                                     : rank;
  }
}

/// Whether the task is C[M,N] = A[M,K] * B[N,K]^T of one element type that the
/// product on the device and that on the CPU know.
static bool isProduct(const Definition &definition) {
  if (definition.opType != "gemm" || definition.inputs.size() != 2 ||
      definition.outputs.size() != 1)
    return false;
  const TensorSpec &a = definition.inputs[0], &b = definition.inputs[1],
                   &c = definition.outputs[0];
  if (a.shape.size() != 2 || b.shape.size() != 2 || c.shape.size() != 2 ||
      a.shape[0] != c.shape[0] || b.shape[0] != c.shape[1] ||
      a.shape[1] != b.shape[1] || a.type != b.type)
    return false;
  return llvm::all_of(llvm::ArrayRef<const TensorSpec *>{&a, &b, &c},
                      [](const TensorSpec *tensor) {
                        return tensor->type == ElementType::BFloat16 ||
                               tensor->type == ElementType::Float16 ||
                               tensor->type == ElementType::Float32;
                      });
}

static llvm::Error addReference(const Task &task, const Workload &workload,
                                RunRequest &request) {
  const Definition &definition = task.definition;
  ReferenceSpec &reference = request.reference;
  reference.independentAxes = definition.extension.independentAxes;
  if (isProduct(definition)) {
    reference.kind = ReferenceSpec::Kind::GemmNT;
    reference.a = definition.inputs[0].name;
    reference.b = definition.inputs[1].name;
    reference.out = definition.outputs[0].name;
    reference.independentAxes = {definition.inputs[0].shape[0]};
  }
  if (!referenceFile(definition, task.definitionPath).empty())
    reference.definition = task.definitionPath;
  reference.axes = workload.axes;
  for (const std::string &axis : reference.independentAxes)
    reference.axes[axis] = *axisValue(definition, workload, axis);
  llvm::Expected<std::optional<double>> flops =
      countFlops(definition, workload);
  if (!flops)
    return flops.takeError();
  reference.flops = flops->value_or(0);
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
  request.symbol = "__tvm_ffi_" + options.function;
  if (llvm::Error error = addTensors(task, workload, definition.inputs,
                                     TensorRole::Input, request))
    return llvm::Expected<RunRequest>(std::move(error));
  if (llvm::Error error = addTensors(task, workload, definition.outputs,
                                     TensorRole::Output, request))
    return llvm::Expected<RunRequest>(std::move(error));
  setRotations(task, request);
  if (llvm::Error error = addReference(task, workload, request))
    return llvm::Expected<RunRequest>(std::move(error));
  // A product is one of whoever defines it.
  request.baseline = definition.extension.baseline;
  if (request.baseline.empty() && isProduct(definition))
    request.baseline = "cublaslt_gemm_nt";
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
