//===- ProbeWorker.cpp - What is there to run on --------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Opens everything that a run could need and reports versions. Only the driver
// and a device are needed; the rest is named where it is missing.
//
//===----------------------------------------------------------------------===//

#include "../CUPTI/Cupti.h"
#include "Baseline.h"
#include "Nvml.h"
#include "Workers.h"

using namespace llvm;
using namespace ptxbench;

Error ptxbench::runProbeWorker(WorkerContext &context) {
  context.out.stage(stages::Init);
  Expected<std::unique_ptr<Device>> device =
      Device::open(context.request.device);
  if (!device)
    return device.takeError();
  std::map<std::string, std::string> facts = (*device)->describe();
  std::string driver = Nvml((*device)->pciBusId()).driverVersion();
  if (!driver.empty())
    facts["driver"] = driver;
  Expected<const CublasLtApi *> cublas = CublasLtApi::get(context.toolchain);
  facts[cublas ? "cublaslt" : "cublaslt_missing"] =
      cublas ? (*cublas)->version() : toString(cublas.takeError());
  Expected<std::string> cudnn = cudnnVersion(context.toolchain);
  facts[cudnn ? "cudnn" : "cudnn_missing"] =
      cudnn ? *cudnn : toString(cudnn.takeError());
  Expected<const CuptiApi *> cupti = CuptiApi::get(context.toolchain);
  uint32_t version = 0;
  if (!cupti)
    facts["cupti_missing"] = toString(cupti.takeError());
  else if ((*cupti)->cuptiGetVersion(&version) == CUPTI_SUCCESS)
    facts["cupti"] = std::to_string(version);
  json::Object object;
  for (const auto &[key, value] : facts)
    object[key] = json::fixUTF8(value);
  context.out.result("device", toJSON((*device)->facts()));
  context.out.result("environment", std::move(object));
  return Error::success();
}

WorkerJob ptxbench::findCudaJob(StringRef name) {
  static constexpr std::pair<StringLiteral, WorkerJob> jobs[] = {
      {"probe", runProbeWorker}, {"baseline", runBaselineWorker},
      {"check", runCheckWorker}, {"memcheck", runMemcheckWorker},
      {"trace", runTraceWorker},
  };
  for (auto [known, job] : jobs)
    if (known == name)
      return job;
  return nullptr;
}
