//===- Baseline.cpp - What a candidate's time is compared with ------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tuning: the device works for a while first, since a loaded GPU lowers its
// clocks; then the proposals take turns, so that what the clocks do meanwhile
// hits all of them.
//
//===----------------------------------------------------------------------===//

#include "Baseline.h"
#include "Cudnn/Attention.h"
#include "Gemm.h"
#include "ptxbench/Task/Baseline.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"

#include <algorithm>
#include <chrono>
#include <cstring>

using namespace llvm;
using namespace ptxbench;

//===----------------------------------------------------------------------===//
// Tuning
//===----------------------------------------------------------------------===//

static constexpr double warmUpSeconds = 0.3, tuningSeconds = 3;
static constexpr unsigned fewestRounds = 3, mostRounds = 15;
/// How much slower than the fastest a proposal is that is not timed further.
static constexpr double hopeless = 1.2;

Error Baseline::timeOnce(size_t proposal, const TuneOptions &options,
                         CUevent begin, CUevent end, double &ms) {
  const DriverApi &driver = device.api();
  if (Error error = prepare())
    return error;
  if (Error error = options.flush())
    return error;
  driver.cuEventRecord(begin, device.stream());
  if (Error error = run(proposal))
    return error;
  driver.cuEventRecord(end, device.stream());
  if (Error error =
          driver.check(driver.cuEventSynchronize(end), proposalName(proposal)))
    return error;
  float value = 0;
  if (Error error = driver.check(driver.cuEventElapsedTime(&value, begin, end),
                                 "cuEventElapsedTime"))
    return error;
  ms = double(value);
  return Error::success();
}

Error Baseline::choose(StringRef name) {
  for (size_t i = 0; i < proposals(); ++i)
    if (proposalName(i) == name) {
      chosen = i;
      return Error::success();
    }
  return makeFailure("", this->name() + " proposes no '" + name + "'");
}

Error Baseline::tune(const TuneOptions &options) {
  using Clock = std::chrono::steady_clock;
  auto secondsSince = [](Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  const DriverApi &driver = device.api();
  CUevent begin = nullptr, end = nullptr;
  for (CUevent *event : {&begin, &end})
    if (Error error = driver.check(
            driver.cuEventCreate(event, CU_EVENT_DEFAULT), "cuEventCreate"))
      return error;
  llvm::scope_exit destroyEvents([&] {
    for (CUevent event : {begin, end})
      driver.cuEventDestroy_v2(event);
  });

  results.assign(proposals(), Tuned());
  // The first call of each may load its code, and shows whether it runs.
  std::vector<size_t> running;
  for (size_t i = 0; i < proposals(); ++i) {
    if (is_contained(options.skip, proposalName(i))) {
      results[i].error = "it ends the process that it runs in";
      continue;
    }
    if (options.trying)
      options.trying(proposalName(i));
    double ms = 0;
    if (Error error = timeOnce(i, options, begin, end, ms))
      results[i].error = toString(std::move(error));
    else
      running.push_back(i);
    // What was refused leaves the context as it was, what failed does not.
    if (Error error = device.synchronize(proposalName(i)))
      return error;
  }
  if (options.trying)
    options.trying("");
  if (running.empty())
    return makeFailure("", name() + " has nothing that runs: " +
                               (results.empty() ? "it proposes nothing"
                                                : results.front().error));
  std::vector<std::vector<double>> times(proposals());
  auto round = [&]() -> Error {
    for (size_t index : running) {
      double ms = 0;
      if (Error error = timeOnce(index, options, begin, end, ms))
        return error;
      times[index].push_back(ms);
    }
    return Error::success();
  };
  auto median = [&](size_t index) {
    return *TimeSamples{times[index]}.median();
  };
  Clock::time_point start = Clock::now();
  while (secondsSince(start) < warmUpSeconds)
    if (Error error = round())
      return error;
  // What is far behind would only let the device cool down.
  double best = median(running.front());
  for (size_t index : running) {
    results[index].ms = median(index);
    best = std::min(best, results[index].ms);
  }
  llvm::erase_if(running, [&](size_t index) {
    return results[index].ms > hopeless * best;
  });
  for (std::vector<double> &measured : times)
    measured.clear();
  start = Clock::now();
  for (unsigned rounds = 0;
       rounds < mostRounds &&
       (rounds < fewestRounds || secondsSince(start) < tuningSeconds);
       ++rounds)
    if (Error error = round())
      return error;
  chosen = running.front();
  for (size_t index : running) {
    results[index].ms = median(index);
    if (results[index].ms < results[chosen].ms)
      chosen = index;
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

namespace {

class GemmBaseline : public Baseline {
public:
  GemmBaseline(const Device &device, std::unique_ptr<Gemm> gemm, CUdeviceptr a,
               CUdeviceptr b, CUdeviceptr out)
      : Baseline(device), gemm(std::move(gemm)), a(a), b(b), out(out) {}

  std::string name() const override { return gemm->name(); }
  size_t proposals() const override { return gemm->candidates(); }
  std::string proposalName(size_t index) const override {
    return "algorithm " + std::to_string(index);
  }
  using Baseline::run;
  Error run(size_t proposal) override {
    return gemm->launch(proposal, a, b, out);
  }

protected:
  std::unique_ptr<Gemm> gemm;

private:
  CUdeviceptr a, b, out;
};

/// The factors of A lie row by row and cuBLASLt takes them column by column;
/// those of B lie as it takes them, but for the padding of a row to four.
class ScaledGemmBaseline : public GemmBaseline {
public:
  ScaledGemmBaseline(const Device &device, std::unique_ptr<Gemm> gemm,
                     ArrayRef<CUdeviceptr> tensors, uint64_t m,
                     uint64_t blocksN, uint64_t blocksK, DeviceBuffer scalesA,
                     DeviceBuffer scalesB)
      : GemmBaseline(device, std::move(gemm), tensors[0], tensors[2],
                     tensors[4]),
        scalesOfA(tensors[1]), scalesOfB(tensors[3]), m(m), blocksN(blocksN),
        blocksK(blocksK), transposedA(std::move(scalesA)),
        paddedB(std::move(scalesB)) {}

  std::string preparation() const override {
    return "the factors of A are transposed before the call";
  }
  Error prepare() override;

private:
  CUdeviceptr scalesOfA, scalesOfB;
  uint64_t m, blocksN, blocksK;
  DeviceBuffer transposedA, paddedB;
};

/// Puts the copy of `rows` runs of `bytes` on the stream.
Error copyRows(const Device &device, CUdeviceptr to, uint64_t toPitch,
               CUdeviceptr from, uint64_t fromPitch, uint64_t bytes,
               uint64_t rows) {
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = from;
  copy.srcPitch = fromPitch;
  copy.dstDevice = to;
  copy.dstPitch = toPitch;
  copy.WidthInBytes = bytes;
  copy.Height = rows;
  const DriverApi &driver = device.api();
  return driver.check(driver.cuMemcpy2DAsync_v2(&copy, device.stream()),
                      "copy of the factors");
}

Error ScaledGemmBaseline::prepare() {
  for (uint64_t block = 0; block < blocksK; ++block)
    if (Error error =
            copyRows(device, transposedA.address() + block * m * sizeof(float),
                     sizeof(float), scalesOfA + block * sizeof(float),
                     blocksK * sizeof(float), sizeof(float), m))
      return error;
  return copyRows(device, paddedB.address(), paddedB.size() / blocksN,
                  scalesOfB, blocksK * sizeof(float), blocksK * sizeof(float),
                  blocksN);
}

Expected<std::unique_ptr<Baseline>>
createScaledGemm(const Device &device, const Toolchain &toolchain,
                 const RunRequest &request, ArrayRef<CUdeviceptr> tensors) {
  const std::vector<int64_t> &a = request.tensors[0].shape,
                             &b = request.tensors[2].shape,
                             &scalesOfB = request.tensors[3].shape;
  uint64_t m = uint64_t(a[0]), n = uint64_t(b[0]), k = uint64_t(a[1]);
  uint64_t blocksN = uint64_t(scalesOfB[0]), blocksK = uint64_t(scalesOfB[1]);
  if (blocksN * 128 != n || blocksK * 128 != k)
    return makeFailure("", "expected a factor for each block of 128 by 128 of "
                           "B but got " +
                               Twine(blocksN) + " by " + Twine(blocksK) +
                               " for a B of " + Twine(n) + " by " + Twine(k));
  Expected<DeviceBuffer> scalesA =
      device.allocate(m * blocksK * sizeof(float), "the factors of A");
  if (!scalesA)
    return scalesA.takeError();
  Expected<DeviceBuffer> scalesB = device.allocate(
      blocksN * alignTo(blocksK, 4) * sizeof(float), "the factors of B");
  if (!scalesB)
    return scalesB.takeError();
  Expected<std::unique_ptr<Gemm>> gemm =
      Gemm::createScaled(device, toolchain, m, n, k, request.tensors[4].type,
                         scalesA->address(), scalesB->address());
  if (!gemm)
    return gemm.takeError();
  return std::make_unique<ScaledGemmBaseline>(
      device, std::move(*gemm), tensors, m, blocksN, blocksK,
      std::move(*scalesA), std::move(*scalesB));
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

class AttentionBaseline : public Baseline {
public:
  AttentionBaseline(const Device &device, std::string version,
                    std::unique_ptr<cudnn::Attention> attention,
                    DeviceBuffer workspace, DeviceBuffer scalars)
      : Baseline(device), version(std::move(version)),
        attention(std::move(attention)), workspace(std::move(workspace)),
        scalars(std::move(scalars)) {}

  std::string name() const override { return "cuDNN " + version; }
  size_t proposals() const override { return attention->plans(); }
  std::string proposalName(size_t index) const override {
    return attention->name(index);
  }
  using Baseline::run;
  Error run(size_t proposal) override {
    std::string error;
    if (attention->run(proposal, reinterpret_cast<void *>(workspace.address()),
                       error))
      return Error::success();
    return makeFailure("", attention->name(proposal) + ": " + error);
  }

private:
  std::string version;
  std::unique_ptr<cudnn::Attention> attention;
  DeviceBuffer workspace, scalars;
};

Expected<DynamicLibrary> openCudnn(const Toolchain &toolchain) {
  return DynamicLibrary::open("cuDNN", toolchain.cudnnLibraryNames());
}

/// Opens what cuDNN will look for by name alone, so that it finds the libraries
/// that belong to this toolkit. What is missing, cuDNN itself will complain of.
void openForCudnn(const Toolchain &toolchain) {
  for (StringRef name : {"nvrtc", "cublasLt"}) {
    Expected<DynamicLibrary> library = DynamicLibrary::open(
        name, toolchain.cudaLibraryNames(cudaSoname(name)));
    if (!library)
      consumeError(library.takeError());
  }
}

Expected<std::unique_ptr<Baseline>>
createAttention(const Device &device, const Toolchain &toolchain,
                const RunRequest &request, const BaselineInfo &info,
                ArrayRef<CUdeviceptr> tensors) {
  if (!cudnn::isBuilt())
    return makeFailure("", "built without cudnn-frontend");
  Expected<DynamicLibrary> runtime = DynamicLibrary::open(
      "the CUDA runtime", toolchain.cudaLibraryNames(cudaSoname("cudart")));
  if (!runtime)
    return runtime.takeError();
  openForCudnn(toolchain);
  Expected<DynamicLibrary> library = openCudnn(toolchain);
  if (!library)
    return library.takeError();

  using Pass = cudnn::AttentionProblem::Pass;
  const std::vector<int64_t> &shape = request.tensors.front().shape;
  cudnn::AttentionProblem problem;
  problem.pass = info.operation == BaselineOperation::AttentionBackward
                     ? Pass::Backward
                 : info.operation == BaselineOperation::Fp8AttentionForward
                     ? Pass::ForwardFp8
                     : Pass::Forward;
  problem.batch = shape[0];
  problem.heads = shape[1];
  problem.length = shape[2];
  problem.depth = shape[3];
  problem.causal = info.causal;
  std::string why;
  std::unique_ptr<cudnn::Attention> attention = cudnn::Attention::create(
      library->native(), runtime->path().str(), device.stream(), problem, why);
  std::string version = cudnn::version(library->native());
  if (!attention)
    return makeFailure("", "cuDNN " + version + ": " + why);

  uint64_t bytes = 1;
  for (size_t i = 0; i < attention->plans(); ++i)
    bytes = std::max(bytes, attention->workspaceBytes(i));
  Expected<DeviceBuffer> workspace =
      device.allocate(bytes, "the workspace of cuDNN");
  if (!workspace)
    return workspace.takeError();
  Expected<DeviceBuffer> scalars = device.allocate(
      std::max<uint64_t>(attention->scalarBytes(), 1), "scalars of cuDNN");
  if (!scalars)
    return scalars.takeError();
  std::vector<float> initial = attention->initialScalars();
  std::vector<uint8_t> raw(initial.size() * sizeof(float));
  std::memcpy(raw.data(), initial.data(), raw.size());
  if (!raw.empty())
    if (Error error = device.upload(scalars->address(), raw))
      return error;
  std::vector<void *> pointers;
  for (CUdeviceptr address : tensors)
    pointers.push_back(reinterpret_cast<void *>(address));
  attention->bind(pointers, reinterpret_cast<void *>(scalars->address()));
  return std::make_unique<AttentionBaseline>(
      device, version, std::move(attention), std::move(*workspace),
      std::move(*scalars));
}

} // namespace

Expected<std::string> ptxbench::cudnnVersion(const Toolchain &toolchain) {
  if (!cudnn::isBuilt())
    return makeFailure("", "built without cudnn-frontend");
  Expected<DynamicLibrary> library = openCudnn(toolchain);
  if (!library)
    return library.takeError();
  return cudnn::version(library->native());
}

Expected<std::unique_ptr<Baseline>>
Baseline::create(const Device &device, const Toolchain &toolchain,
                 const RunRequest &request, ArrayRef<CUdeviceptr> tensors) {
  const BaselineInfo *info = findBaseline(request.baseline);
  if (!info)
    return makeFailure("", "'" + request.baseline + "' is no baseline");
  switch (info->operation) {
  case BaselineOperation::Gemm: {
    const ArgumentSpec &a = request.tensors[0], &b = request.tensors[1],
                       &c = request.tensors[2];
    Expected<std::unique_ptr<Gemm>> gemm = Gemm::create(
        device, toolchain, uint64_t(a.shape[0]), uint64_t(b.shape[0]),
        uint64_t(a.shape[1]), a.type, c.type);
    if (!gemm)
      return gemm.takeError();
    return std::make_unique<GemmBaseline>(device, std::move(*gemm), tensors[0],
                                          tensors[1], tensors[2]);
  }
  case BaselineOperation::Fp8Gemm:
    return createScaledGemm(device, toolchain, request, tensors);
  case BaselineOperation::AttentionForward:
  case BaselineOperation::AttentionBackward:
  case BaselineOperation::Fp8AttentionForward:
    return createAttention(device, toolchain, request, *info, tensors);
  }
  llvm_unreachable("every operation is above");
}
