//===- JudgeWorker.cpp - Judging outputs in a process of its own ----------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes the inputs of each judged call again, computes the reference on the
// device and compares on the host. The candidate's library is never opened
// here, so it can neither see the reference nor touch the comparison.
//
//===----------------------------------------------------------------------===//

#include "Gemm.h"
#include "Workers.h"
#include "ptxbench/Runtime/Inputs.h"
#include "ptxbench/Task/Compare.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace ptxbench;

/// Compares one output file with `reference`.
static Expected<OutputCheck> judgeFile(const RunRequest &request,
                                       const ArgumentSpec &spec,
                                       const std::string &path,
                                       ArrayRef<uint8_t> reference) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFile(
      path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return createStringError(file.getError(), "cannot read '" + path + "': " +
                                                  file.getError().message());
  TensorView output{spec.type, arrayRefFromStringRef((*file)->getBuffer())};
  Expected<Comparison> comparison =
      compareOutputs(output, {ElementType::Float32, reference},
                     request.tolerance, hostThreads());
  if (!comparison)
    return comparison.takeError();
  OutputCheck check;
  check.output = toReport(spec.name, *comparison);
  check.undecided = comparison->verdict == Comparison::Verdict::Undecided;
  return check;
}

Error ptxbench::runJudgeWorker(WorkerContext &context) {
  const RunRequest &request = context.request;
  if (request.reference.kind != ReferenceSpec::Kind::GemmNT)
    return createStringError(inconvertibleErrorCode(),
                             "there is no reference to judge by");
  context.out.stage(stages::Init);
  Expected<std::unique_ptr<Device>> device = Device::open(request.device);
  if (!device)
    return device.takeError();
  Expected<CallTensors> tensors = CallTensors::allocate(**device, request);
  if (!tensors)
    return tensors.takeError();
  const GuardedTensor *a = tensors->find(request.reference.a);
  const GuardedTensor *b = tensors->find(request.reference.b);
  const GuardedTensor *out = tensors->find(request.reference.out);
  const std::vector<int64_t> &shapeA = a->spec().shape;
  Expected<std::unique_ptr<Gemm>> gemm =
      Gemm::create(**device, context.toolchain, uint64_t(shapeA[0]),
                   uint64_t(b->spec().shape[0]), uint64_t(shapeA[1]),
                   a->spec().type, ElementType::Float32);
  if (!gemm)
    return gemm.takeError();
  std::vector<uint8_t> reference(out->spec().elements() * sizeof(float));
  Expected<DeviceBuffer> buffer =
      (*device)->allocate(reference.size(), "the reference");
  if (!buffer)
    return buffer.takeError();
  unsigned outIndex = 0;
  while (request.tensors[outIndex].name != out->spec().name)
    ++outIndex;

  bool timed = request.timing.enabled && request.judgedCall;
  json::Array checks, baselineChecks;
  for (unsigned call = 0; call < request.trials + timed; ++call) {
    bool isTrial = call < request.trials;
    CallInputs inputs = isTrial ? trialInputs(request, call)
                                : timedInputs(request, *request.judgedCall);
    context.out.stage(stages::Inputs);
    if (Error error = tensors->setInputs(**device, inputs))
      return error;
    context.out.stage(stages::Reference);
    // What the product does not write must not look like a number.
    if (Error error = (*device)->poison(buffer->address(), ElementType::Float32,
                                        out->spec().elements()))
      return error;
    if (Error error = (*gemm)->run(a->data(), b->data(), buffer->address()))
      return error;
    if (Error error = (*device)->synchronize("the reference"))
      return error;
    if (Error error = (*device)->download(reference, buffer->address()))
      return error;
    context.out.stage(stages::Compare);
    Expected<OutputCheck> check = judgeFile(
        request, out->spec(), outputFile(request, call, outIndex), reference);
    if (!check)
      return check.takeError();
    check->call = isTrial ? "trial " + std::to_string(call)
                          : "timed call " + std::to_string(*request.judgedCall);
    checks.push_back(toJSON(*check));
    context.out.result("checks", json::Array(checks));
    std::string baseline = baselineFile(request, outIndex);
    if (isTrial || !sys::fs::exists(baseline))
      continue;
    Expected<OutputCheck> other =
        judgeFile(request, out->spec(), baseline, reference);
    if (!other)
      return other.takeError();
    other->call = check->call;
    baselineChecks.push_back(toJSON(*other));
    context.out.result("baseline_checks", json::Array(baselineChecks));
  }
  context.out.result("reference", "fp32 by " + (*gemm)->name());
  return Error::success();
}
