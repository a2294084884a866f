//===- Baselines.cpp - What the libraries propose, and how fast it is -----===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes the baseline of a task on a GPU as `mlir-ptxbench-runner run` does,
// without a candidate, and prints the time of each way that the library
// proposes. --save leaves the tensors, one raw file each, for a comparison with
// what ptxbench-reference gives. Inputs that a task computes are taken from
// that folder if they are there, and drawn else, which is enough for times.
//
// A plan of cuDNN may end the context; --skip leaves it out, as a run does.
//
//   ptxbench-baselines TASK [--workload=SELECTOR] [--save=FOLDER] [--skip=NAME]
//
// Exit status: 0; 1 where there is no baseline; 2 bad usage; 3 no GPU.
//
//===----------------------------------------------------------------------===//

#include "Runtime/CUDA/Baseline.h"
#include "ptxbench/Runtime/Inputs.h"
#include "ptxbench/Support/PlainFile.h"
#include "ptxbench/Support/Version.h"
#include "ptxbench/Task/Task.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>

using namespace llvm;
using namespace ptxbench;

static cl::opt<std::string> taskPath(cl::Positional, cl::Required,
                                     cl::desc("<folder of a task>"));
static cl::opt<std::string> selector("workload", cl::init("full"),
                                     cl::desc("as of mlir-ptxbench-runner"));
static cl::opt<std::string> saveFolder("save", cl::init(""),
                                       cl::desc("keep inputs and outputs"));
static cl::list<std::string> skip("skip",
                                  cl::desc("a proposal not to be tried"));
static cl::opt<std::string> cudaPath("cuda-path", cl::init(""),
                                     cl::desc("the CUDA toolkit"));
static cl::opt<int> ordinal("device", cl::init(0), cl::desc("its number"));

static int failed(int status, Error error) {
  errs() << "error: " << toString(std::move(error)) << '\n';
  return status;
}

static std::string fileOf(const ArgumentSpec &tensor) {
  SmallString<256> path(saveFolder);
  sys::path::append(path, tensor.name + ".bin");
  return path.str().str();
}

/// Whether `tensor` is in the folder; then `bytes` are its.
static bool takeFile(const ArgumentSpec &tensor, std::vector<uint8_t> &bytes) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFile(
      fileOf(tensor), /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file || (*file)->getBufferSize() != bytes.size())
    return false;
  std::memcpy(bytes.data(), (*file)->getBufferStart(), bytes.size());
  return true;
}

static Expected<RunRequest> makeRequest(const Task &task,
                                        const Workload &workload) {
  const Definition &definition = task.definition;
  RunRequest request;
  request.library = "none";
  request.baseline = definition.extension.baseline;
  auto add = [&](const TensorSpec &spec, TensorRole role) -> Error {
    ArgumentSpec tensor;
    Expected<std::vector<int64_t>> shape =
        resolveShape(definition, spec, workload);
    if (!shape)
      return shape.takeError();
    tensor.name = spec.name;
    tensor.shape = *shape;
    tensor.type = spec.type;
    tensor.role = role;
    auto found = definition.extension.distributions.find(spec.name);
    if (found != definition.extension.distributions.end())
      tensor.distribution = found->second;
    request.tensors.push_back(std::move(tensor));
    return Error::success();
  };
  for (const TensorSpec &spec : definition.inputs)
    if (Error error = add(spec, TensorRole::Input))
      return std::move(error);
  for (const TensorSpec &spec : definition.outputs)
    if (Error error = add(spec, TensorRole::Output))
      return std::move(error);
  if (Error error = validate(request))
    return std::move(error);
  return request;
}

int main(int argc, char **argv) {
  setVersionPrinter();
  cl::ParseCommandLineOptions(argc, argv, "times the baseline of a task\n");
  Expected<Task> task = loadTask(taskPath);
  if (!task)
    return failed(2, task.takeError());
  Expected<const Workload *> workload = selectWorkload(*task, selector);
  if (!workload)
    return failed(2, workload.takeError());
  Expected<RunRequest> request = makeRequest(*task, **workload);
  if (!request)
    return failed(2, request.takeError());
  if (request->baseline.empty())
    return failed(1, createStringError("the task names no baseline"));

  ToolchainOptions options;
  options.cudaPath = cudaPath;
  options.executable = sys::fs::getMainExecutable(argv[0], nullptr);
  Toolchain toolchain(options);
  Expected<std::unique_ptr<Device>> device = Device::open(ordinal);
  if (!device)
    return failed(3, device.takeError());

  std::vector<DeviceBuffer> buffers;
  std::vector<CUdeviceptr> addresses;
  for (const ArgumentSpec &tensor : request->tensors) {
    Expected<DeviceBuffer> buffer =
        (*device)->allocate(tensor.bytes(), tensor.name);
    if (!buffer)
      return failed(3, buffer.takeError());
    if (tensor.role == TensorRole::Input) {
      std::vector<uint8_t> bytes(tensor.bytes());
      if (saveFolder.empty() || !takeFile(tensor, bytes))
        generateCallInput(tensor, trialInputs(*request, 0), bytes);
      if (Error error = (*device)->upload(buffer->address(), bytes))
        return failed(3, std::move(error));
      if (!saveFolder.empty())
        if (Error error = writeNewFile(fileOf(tensor), toStringRef(bytes)))
          return failed(3, std::move(error));
    } else if (Error error = (*device)->poison(buffer->address(), tensor.type,
                                               tensor.elements())) {
      return failed(3, std::move(error));
    }
    addresses.push_back(buffer->address());
    buffers.push_back(std::move(*buffer));
  }
  Expected<DeviceBuffer> flush =
      (*device)->allocate(flushBytes(**device), "the L2 flush");
  if (!flush)
    return failed(3, flush.takeError());

  Expected<std::unique_ptr<Baseline>> made =
      Baseline::create(**device, toolchain, *request, addresses);
  if (!made)
    return failed(1, made.takeError());
  Baseline &baseline = **made;
  outs() << task->definition.name << " (" << (*workload)->uuid << "), "
         << request->baseline << " by " << baseline.name() << '\n';
  if (!baseline.preparation().empty())
    outs() << "  " << baseline.preparation() << '\n';
  TuneOptions tuneOptions;
  tuneOptions.flush = [&] {
    return (*device)->fill(flush->address(), 0, flush->size());
  };
  tuneOptions.skip = skip;
  Error tuning = baseline.tune(tuneOptions);
  Expected<std::optional<double>> flops =
      countFlops(task->definition, **workload);
  if (!flops)
    return failed(2, flops.takeError());
  for (size_t i = 0; i < baseline.tuned().size(); ++i) {
    const Baseline::Tuned &tuned = baseline.tuned()[i];
    outs() << (i == baseline.choice() && tuned.ms >= 0 ? "* " : "  ")
           << baseline.proposalName(i) << ": ";
    if (tuned.ms < 0) {
      outs() << (tuned.error.empty() ? "not timed" : tuned.error) << '\n';
      continue;
    }
    outs() << format("%.4f ms", tuned.ms);
    if (*flops)
      outs() << format(", %.1f TFLOP/s", **flops / tuned.ms * 1e-9);
    outs() << '\n';
  }
  if (tuning)
    return failed(1, std::move(tuning));

  if (saveFolder.empty())
    return 0;
  if (Error error = baseline.prepare())
    return failed(1, std::move(error));
  if (Error error = baseline.run())
    return failed(1, std::move(error));
  if (Error error = (*device)->synchronize("the baseline"))
    return failed(1, std::move(error));
  for (size_t i = 0; i < buffers.size(); ++i) {
    if (request->tensors[i].role != TensorRole::Output)
      continue;
    std::vector<uint8_t> bytes(request->tensors[i].bytes());
    if (Error error = (*device)->download(bytes, buffers[i].address()))
      return failed(3, std::move(error));
    if (Error error =
            writeNewFile(fileOf(request->tensors[i]), toStringRef(bytes)))
      return failed(3, std::move(error));
  }
  return 0;
}
