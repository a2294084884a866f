//===- TraceWorker.cpp - Counting the executions of one call --------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A process of its own, so that patched code and callbacks cannot disturb the
// timing. The observer subscribes before the context is made, so it sees every
// module; counting begins right before the traced call, which is one of many.
//
//===----------------------------------------------------------------------===//

#include "../CUDA/Workers.h"
#include "Cupti.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <chrono>
#include <map>

using namespace llvm;
using namespace ptxbench;

namespace {

std::string fileIn(StringRef folder, const Twine &name) {
  SmallString<256> path(folder);
  sys::path::append(path, name);
  return path.str().str();
}

KernelTrace &kernelOf(Trace &trace, StringRef name) {
  for (KernelTrace &kernel : trace.kernels)
    if (kernel.name == name)
      return kernel;
  trace.kernels.emplace_back();
  trace.kernels.back().name = name.str();
  return trace.kernels.back();
}

class TraceRun {
public:
  explicit TraceRun(WorkerContext &context)
      : context(context), request(context.request) {}

  Error run();

private:
  Error callBefore(const Device &device, Candidate &candidate,
                   CallTensors &tensors);
  Error callOnce(const Device &device, Candidate &candidate,
                 CallTensors &tensors, LaunchObserver &observer,
                 SassMetrics &metrics);
  Error saveCubins(const LaunchObserver &observer);

  WorkerContext &context;
  const RunRequest &request;
  Trace trace;
  std::vector<SassRecord> records;
  std::vector<std::string> notes;
};

/// A candidate that did its work with target instructions in its first call
/// only would have that call counted and another one timed.
Error TraceRun::callBefore(const Device &device, Candidate &candidate,
                           CallTensors &tensors) {
  // As many as are made before a timed call, give or take; slow ones less
  // often.
  constexpr unsigned least = 4, most = 40;
  constexpr std::chrono::seconds enough(2);
  Expected<uint32_t> number = drawNumber();
  if (!number)
    return number.takeError();
  unsigned calls = least + *number % (most - least);
  auto start = std::chrono::steady_clock::now();
  for (unsigned call = 0; call < calls; ++call) {
    if (Error error = candidate.call(tensors.arguments()))
      return error;
    if (Error error = device.synchronize("a call before the traced one"))
      return error;
    if (std::chrono::steady_clock::now() - start > enough)
      break;
  }
  return Error::success();
}

Error TraceRun::callOnce(const Device &device, Candidate &candidate,
                         CallTensors &tensors, LaunchObserver &observer,
                         SassMetrics &metrics) {
  context.out.stage(stages::SassMetrics);
  if (!request.isProgram)
    if (Error error = callBefore(device, candidate, tensors))
      return error;
  if (request.trace.sass)
    if (Error error = metrics.begin())
      return error;
  observer.setRecording(true);
  if (Error error = candidate.call(tensors.arguments()))
    return error;
  if (Error error = device.synchronize("after the traced call"))
    return error;
  observer.setRecording(false);
  // Nothing was launched, so there is nothing to count; CUPTI would call that
  // a failure.
  if (!request.trace.sass ||
      (request.trace.launches && observer.launches().empty() &&
       observer.notes().empty()))
    return Error::success();
  Expected<std::vector<SassRecord>> found = metrics.end();
  if (!found)
    return found.takeError();
  records = std::move(*found);
  trace.environment["chip"] = metrics.chip().str();
  return Error::success();
}

/// Writes the modules of which a function executed.
Error TraceRun::saveCubins(const LaunchObserver &observer) {
  std::map<uint32_t, std::vector<std::string>> functions;
  for (const SassRecord &record : records) {
    std::vector<std::string> &names = functions[record.crc];
    if (!is_contained(names, record.function))
      names.push_back(record.function);
  }
  json::Array cubins;
  for (const auto &[crc, names] : functions) {
    const LaunchObserver::Module *module = nullptr;
    for (const LaunchObserver::Module &candidate : observer.modules())
      if (candidate.crc == crc)
        module = &candidate;
    if (!module) {
      notes.push_back("the machine code of " + join(names, ", ") +
                      " was not captured (CRC " + utohexstr(crc) + ")");
      continue;
    }
    CapturedCubin cubin;
    cubin.crc = crc;
    cubin.functions = names;
    cubin.path = fileIn(request.workDir, "loaded-" + utohexstr(crc) + ".cubin");
    if (Error error = saveFile(context.out, cubin.path, module->bytes))
      return error;
    cubins.push_back(toJSON(cubin));
  }
  context.out.result("cubins", std::move(cubins));
  return Error::success();
}

Error TraceRun::run() {
  context.out.stage(stages::Init);
  Expected<const DriverApi *> driver = DriverApi::get();
  if (!driver)
    return driver.takeError();
  Expected<const CuptiApi *> cupti = CuptiApi::get(context.toolchain);
  if (!cupti)
    return cupti.takeError();
  // It is told about the end of the process, too: never destroyed.
  auto *observer = new LaunchObserver(**cupti, **driver);
  if (Error error = observer->start(request.trace.launches))
    return error;
  Expected<std::unique_ptr<Device>> device = Device::open(request.device);
  if (!device)
    return device.takeError();
  trace.source = "cupti";
  trace.environment = (*device)->describe();
  uint32_t version = 0;
  if ((*cupti)->cuptiGetVersion(&version) == CUPTI_SUCCESS)
    trace.environment["cupti"] = std::to_string(version);
  Expected<CallTensors> tensors = CallTensors::allocate(**device, request);
  if (!tensors)
    return tensors.takeError();
  Expected<std::unique_ptr<Candidate>> candidate =
      loadCandidate(context, **device);
  if (!candidate)
    return candidate.takeError();
  context.out.stage(stages::Inputs);
  if (Error error =
          tensors->setInputs(**device, request, trialInputs(request, 0)))
    return error;
  if (Error error = tensors->poisonOutputs(**device))
    return error;
  if (Error error = (*device)->synchronize("before the traced call"))
    return error;

  SassMetrics metrics(**cupti, **device);
  if (Error error =
          callOnce(**device, **candidate, *tensors, *observer, metrics))
    return error;

  for (const LaunchRecord &launch : observer->launches())
    kernelOf(trace, launch.kernel).launches.push_back(launch);
  for (const SassRecord &record : records) {
    SassCount count;
    count.pc = record.pc;
    count.warps = record.warps;
    count.threads = record.threads;
    kernelOf(trace, record.function).sass.push_back(count);
  }
  if (request.trace.sass && request.trace.launches) {
    for (KernelTrace &kernel : trace.kernels) {
      if (kernel.uncounted()) {
        notes.push_back("CUPTI " + trace.environment["cupti"] +
                        " counted no instruction of kernel '" + kernel.name +
                        "', although it was launched" +
                        (version < 130100 ? ": before CUDA 13.1 it counts "
                                            "the first kernel only"
                                          : ""));
      } else if (!launchesAccountForCounts(kernel)) {
        kernel.launchesComplete = false;
        notes.push_back("the recorded launches of kernel '" + kernel.name +
                        "' do not account for its counts: verdicts that "
                        "assume a launch are refuted or confirmed by zero "
                        "only");
      }
    }
  }
  append_range(notes, observer->notes());
  if (Error error = saveCubins(*observer))
    return error;
  std::string text;
  raw_string_ostream(text) << toJSON(trace);
  std::string path = fileIn(request.workDir, "trace.json");
  if (Error error = saveFile(context.out, path, arrayRefFromStringRef(text)))
    return error;
  context.out.result("trace", path);
  context.out.result("notes", json::Array(notes));
  return Error::success();
}

} // namespace

Error ptxbench::runTraceWorker(WorkerContext &context) {
  return TraceRun(context).run();
}
