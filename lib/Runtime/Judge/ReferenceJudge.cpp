//===- ReferenceJudge.cpp - Inputs and outputs by the reference -----------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The process that judges is never one in which a candidate ran. Files pass
// between it and the tool: inputs in the types of the task, rounded as the
// candidate gets them, and exact outputs. What is expected of a call is
// computed after the candidate has ended, and removed before it runs again.
//
//===----------------------------------------------------------------------===//

#include "ReferenceJudge.h"
#include "ptxbench/Runtime/Inputs.h"
#include "ptxbench/Runtime/WorkerProtocol.h"
#include "ptxbench/Support/BoundedJSON.h"
#include "ptxbench/Support/PlainFile.h"
#include "ptxbench/Support/Subprocess.h"
#include "ptxbench/Support/TemporaryFolder.h"
#include "ptxbench/Task/Compare.h"
#include "ptxbench/Task/ReferenceGEMM.h"
#include "ptxbench/Task/Sample.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include <chrono>

using namespace llvm;
using namespace ptxbench;

/// How many operations the reference may take: a few seconds on two cores, or
/// some ten seconds of a data-centre GPU.
static constexpr double maxOperations = double(uint64_t(1) << 35),
                        maxOperationsOnDevice = double(uint64_t(1) << 43);

/// Streams on a device.
static constexpr unsigned maxStreams = 16;

static Error fail(const Twine &message) {
  return createStringError(inconvertibleErrorCode(), message);
}

/// Files of our own, whose size is what was asked for.
static Expected<std::unique_ptr<MemoryBuffer>> readBytes(StringRef path) {
  return readPlainFile(path, /*maxBytes=*/UINT64_MAX);
}

static std::string fileIn(StringRef folder, const Twine &name) {
  SmallString<256> path(folder);
  sys::path::append(path, name);
  return path.str().str();
}

ArrayRef<uint8_t> ReferenceJudge::Expectation::bytes() const {
  if (file)
    return arrayRefFromStringRef(file->getBuffer());
  return {reinterpret_cast<const uint8_t *>(product.data()),
          product.size() * sizeof(double)};
}

void ReferenceJudge::chooseSample(uint64_t seed) {
  const ReferenceSpec &reference = request.reference;
  std::vector<int64_t> extents;
  double all = 1;
  for (const std::string &axis : reference.independentAxes) {
    extents.push_back(reference.axes.at(axis));
    all *= double(extents.back());
  }
  uint64_t count = uint64_t(all);
  double most = device ? maxOperationsOnDevice : maxOperations;
  if (reference.flops > most)
    count = uint64_t(std::max(1.0, all / reference.flops * most));
  sample = sampleAxes(extents, count, seed);
}

//===----------------------------------------------------------------------===//
// The reference in MLIR
//===----------------------------------------------------------------------===//

Error ReferenceJudge::runTool(std::vector<std::string> arguments,
                              std::string &out) {
  SubprocessOptions process;
  process.argv = {
      tool, request.reference.definition,
      "--time-limit=" + std::to_string(request.machineSeconds),
      "--threads=" + std::to_string(device ? std::min(hostThreads(), maxStreams)
                                           : hostThreads())};
  if (device)
    process.argv.push_back("--device=cuda:" + std::to_string(*device));
  if (!request.cudaPath.empty())
    process.argv.push_back("--cuda-path=" + request.cudaPath);
  for (const auto &[axis, value] : request.reference.axes)
    process.argv.push_back("--axis=" + axis + "=" + std::to_string(value));
  process.argv.insert(process.argv.end(), arguments.begin(), arguments.end());
  // It watches its own time; this is for one that hangs in the compiler.
  process.timeoutSeconds = 2 * request.machineSeconds + 60;
  Expected<SubprocessResult> result = runSubprocess(process);
  if (!result)
    return result.takeError();
  if (!result->succeeded()) {
    StringRef text = StringRef(result->err).trim();
    return fail("the reference cannot be computed: " +
                (text.empty() ? result->describeEnd() : text.str()));
  }
  out = std::move(result->out);
  return Error::success();
}

Error ReferenceJudge::writeInputs(CallInputs inputs, bool drawnOnly,
                                  std::vector<std::string> &arguments) {
  for (unsigned i = 0; i < request.tensors.size(); ++i) {
    const ArgumentSpec &tensor = request.tensors[i];
    if (tensor.role != TensorRole::Input)
      continue;
    if (tensor.isScalar()) {
      SmallString<32> number;
      raw_svector_ostream(number) << format("%.17g", tensor.value);
      arguments.push_back("--scalar=" + tensor.name + "=" + number.str().str());
      continue;
    }
    bool computed = tensor.origin == ArgumentSpec::Origin::Computed;
    if (computed && drawnOnly)
      continue;
    // A computed input is there already, but for a rotation.
    bool isThere = computed && inputs.rotation == 0;
    std::string path = isThere ? computedFile(request, inputs.set, i)
                               : fileIn(folder, "in" + Twine(i) + ".bin");
    if (!isThere) {
      std::vector<uint8_t> bytes(tensor.bytes());
      if (Error error = makeCallInput(request, inputs, i, bytes))
        return error;
      std::error_code code;
      raw_fd_ostream os(path, code);
      if (!code) {
        os << toStringRef(bytes);
        os.close();
        code = os.error();
        os.clear_error();
      }
      if (code)
        return createStringError(code, "cannot write '" + path +
                                           "': " + code.message());
    }
    arguments.push_back("--input=" + tensor.name + "=" + path);
  }
  return Error::success();
}

static uint64_t hashOf(const MemoryBuffer &file) {
  return xxh3_64bits(arrayRefFromStringRef(file.getBuffer()));
}

Error ReferenceJudge::computeInputs(StringRef toFolder) {
  folder = toFolder.str();
  unsigned sets = request.trials + (request.timing.enabled ? 1 : 0);
  for (unsigned set = 0; set != sets; ++set) {
    CallInputs inputs = set < request.trials ? trialInputs(request, set)
                                             : timedInputs(request, 0);
    std::vector<std::string> arguments = {"--computed-inputs"}, files;
    if (Error error = writeInputs(inputs, /*drawnOnly=*/true, arguments))
      return error;
    for (unsigned i = 0; i < request.tensors.size(); ++i) {
      if (request.tensors[i].origin != ArgumentSpec::Origin::Computed)
        continue;
      files.push_back(computedFile(request, set, i));
      arguments.push_back("--output=" + request.tensors[i].name + "=" +
                          files.back());
    }
    std::string out;
    if (Error error = runTool(std::move(arguments), out))
      return error;
    for (const std::string &path : files) {
      Expected<std::unique_ptr<MemoryBuffer>> file = readBytes(path);
      if (!file)
        return file.takeError();
      hashes[path] = hashOf(**file);
    }
  }
  return Error::success();
}

Error ReferenceJudge::checkComputedInputs(unsigned set) {
  for (unsigned i = 0; i < request.tensors.size(); ++i) {
    std::string path = computedFile(request, set, i);
    auto hash = hashes.find(path);
    if (hash == hashes.end())
      continue;
    Expected<std::unique_ptr<MemoryBuffer>> file = readBytes(path);
    if (!file)
      return file.takeError();
    if (hashOf(**file) != hash->second)
      return fail("the file of the computed input '" + request.tensors[i].name +
                  "' is not what it was before the candidate ran");
  }
  return Error::success();
}

Expected<std::vector<ReferenceJudge::Expectation>>
ReferenceJudge::compute(CallInputs inputs) {
  if (request.reference.definition.empty())
    return computeProduct(inputs);
  std::vector<std::string> arguments, files;
  if (Error error = checkComputedInputs(inputs.set))
    return std::move(error);
  if (Error error = writeInputs(inputs, /*drawnOnly=*/false, arguments))
    return std::move(error);
  for (const ArgumentSpec &tensor : request.tensors) {
    if (tensor.role != TensorRole::Output)
      continue;
    files.push_back(fileIn(folder, "out" + Twine(files.size()) + ".bin"));
    arguments.push_back("--output=" + tensor.name + "=" + files.back());
  }
  for (auto [axis, indices] : zip(request.reference.independentAxes, sample)) {
    if (int64_t(indices.size()) == request.reference.axes.at(axis))
      continue;
    std::string list;
    for (int64_t index : indices)
      list += (list.empty() ? "" : ",") + std::to_string(index);
    arguments.push_back("--only=" + axis + "=" + list);
  }
  std::string out;
  if (Error error = runTool(std::move(arguments), out))
    return std::move(error);
  Expected<json::Value> answer = parseBoundedJSON(out);
  if (!answer)
    return answer.takeError();
  const json::Object *object = answer->getAsObject();
  const json::Object *outputs = object ? object->getObject("outputs") : nullptr;
  std::vector<Expectation> expectations;
  for (const ArgumentSpec &tensor : request.tensors) {
    if (tensor.role != TensorRole::Output)
      continue;
    const json::Object *output =
        outputs ? outputs->getObject(tensor.name) : nullptr;
    std::optional<StringRef> type =
        output ? output->getString("type") : std::nullopt;
    std::optional<ElementType> element =
        type ? symbolizeElementType(*type) : std::nullopt;
    if (!element)
      return fail("the reference gave no type of output '" + tensor.name + "'");
    precision = *element;
    Expected<std::unique_ptr<MemoryBuffer>> file =
        readBytes(files[expectations.size()]);
    if (!file)
      return file.takeError();
    expectations.push_back({*element, std::move(*file), {}});
  }
  if (const std::optional<StringRef> name = object->getString("device"))
    deviceName = name->str();
  return std::move(expectations);
}

//===----------------------------------------------------------------------===//
// A product without one
//===----------------------------------------------------------------------===//

Expected<std::vector<ReferenceJudge::Expectation>>
ReferenceJudge::computeProduct(CallInputs inputs) {
  const ReferenceSpec &reference = request.reference;
  std::vector<uint8_t> factors[2];
  const ArgumentSpec *specs[2];
  for (unsigned side = 0; side != 2; ++side) {
    const std::string &name = side == 0 ? reference.a : reference.b;
    unsigned index = 0;
    while (request.tensors[index].name != name)
      ++index;
    specs[side] = &request.tensors[index];
    factors[side].resize(specs[side]->bytes());
    if (Error error = makeCallInput(request, inputs, index, factors[side]))
      return std::move(error);
  }
  uint64_t height = uint64_t(specs[0]->shape[0]);
  std::vector<int64_t> rows =
      sample.empty() ? sampleIndices(height, height, 0) : sample.front();
  Expected<std::vector<double>> product =
      referenceGEMM({specs[0]->type, factors[0]}, {specs[1]->type, factors[1]},
                    height, uint64_t(specs[1]->shape[0]),
                    uint64_t(specs[0]->shape[1]), rows, hostThreads());
  if (!product)
    return product.takeError();
  std::vector<Expectation> expectations(1);
  expectations.front().product = std::move(*product);
  return std::move(expectations);
}

//===----------------------------------------------------------------------===//
// Judging
//===----------------------------------------------------------------------===//

Expected<OutputCheck> ReferenceJudge::compare(const ArgumentSpec &tensor,
                                              const std::string &path,
                                              const Expectation &expected) {
  Expected<std::unique_ptr<MemoryBuffer>> file =
      readPlainFile(path, tensor.bytes());
  if (!file)
    return file.takeError();
  ArrayRef<uint8_t> bytes = arrayRefFromStringRef((*file)->getBuffer());
  std::vector<std::vector<int64_t>> indices(tensor.shape.size());
  bool isSample = false;
  for (auto [dim, axis] : enumerate(tensor.axes)) {
    auto at = find(request.reference.independentAxes, axis);
    if (at == request.reference.independentAxes.end())
      continue;
    indices[dim] = sample[at - request.reference.independentAxes.begin()];
    isSample |= int64_t(indices[dim].size()) != tensor.shape[dim];
  }
  std::vector<uint8_t> part;
  if (isSample) {
    Expected<std::vector<uint8_t>> got =
        gather(bytes, sizeOf(tensor.type), tensor.shape, indices);
    if (!got)
      return got.takeError();
    part = std::move(*got);
    bytes = part;
  }
  Expected<Comparison> comparison =
      compareOutputs({tensor.type, bytes}, {expected.type, expected.bytes()},
                     toleranceOf(request, tensor), hostThreads());
  if (!comparison)
    return comparison.takeError();
  OutputCheck check;
  check.output = toReport(tensor.name, *comparison);
  check.undecided = comparison->verdict == Comparison::Verdict::Undecided;
  return std::move(check);
}

Expected<std::vector<OutputCheck>>
ReferenceJudge::judge(StringRef toFolder, unsigned call,
                      std::vector<OutputCheck> *baseline) {
  folder = toFolder.str();
  CallInputs inputs = judgedInputs(request, call);
  chooseSample(inputs.seed);
  Expected<std::vector<Expectation>> expectations = compute(inputs);
  if (!expectations)
    return expectations.takeError();
  std::vector<OutputCheck> checks;
  size_t next = 0;
  for (unsigned i = 0; i < request.tensors.size(); ++i) {
    const ArgumentSpec &tensor = request.tensors[i];
    if (tensor.role != TensorRole::Output)
      continue;
    if (next == expectations->size())
      return fail("there is no reference for output '" + tensor.name + "'");
    const Expectation &expected = (*expectations)[next++];
    Expected<OutputCheck> check =
        compare(tensor, outputFile(request, call, i), expected);
    if (!check)
      return check.takeError();
    check->call = judgedName(request, call);
    checks.push_back(std::move(*check));
    std::string path = baselineFile(request, i);
    if (!baseline || call < request.trials || !sys::fs::exists(path))
      continue;
    Expected<OutputCheck> ofBaseline = compare(tensor, path, expected);
    if (!ofBaseline)
      return ofBaseline.takeError();
    ofBaseline->call = judgedName(request, call);
    baseline->push_back(std::move(*ofBaseline));
  }
  return std::move(checks);
}

//===----------------------------------------------------------------------===//
// For backends
//===----------------------------------------------------------------------===//

namespace {
/// A stage of a result, with a folder of its own while it lasts.
class JudgeStage {
public:
  JudgeStage(RunResult &result, StringRef name)
      : result(result), name(name), begin(std::chrono::steady_clock::now()) {
    code = own.create("", "ptxbench-judge");
    if (!code)
      code = sys::fs::setPermissions(own.path(), sys::fs::owner_all);
    if (code)
      fail(createStringError(code, "cannot make a folder to work in: " +
                                       code.message()));
  }
  ~JudgeStage() {
    consumeError(own.remove());
    std::chrono::duration<double> seconds =
        std::chrono::steady_clock::now() - begin;
    result.stages.push_back({"judge/" + name.str(), seconds.count()});
  }

  explicit operator bool() const { return !code; }
  StringRef folder() const { return own.path(); }
  void fail(Error error) {
    result.status = RunStatus::InternalError;
    result.stage = name.str();
    result.reason = toString(std::move(error));
    result.correct.reset();
  }

private:
  RunResult &result;
  StringRef name;
  std::chrono::steady_clock::time_point begin;
  TemporaryFolder own;
  std::error_code code;
};
} // namespace

bool ReferenceJudge::prepare(RunResult &result) {
  if (none_of(request.tensors, [](const ArgumentSpec &tensor) {
        return tensor.origin == ArgumentSpec::Origin::Computed;
      }))
    return true;
  JudgeStage stage(result, stages::Inputs);
  if (!stage)
    return false;
  Error error = computeInputs(stage.folder());
  if (!error)
    return true;
  stage.fail(std::move(error));
  return false;
}

void ReferenceJudge::judgeAll(RunResult &result) {
  if (request.reference.isEmpty()) {
    result.status = RunStatus::NotJudged;
    result.reason = "there is no reference to judge by";
    return;
  }
  JudgeStage stage(result, stages::Compare);
  if (!stage)
    return;
  result.correct = true;
  result.status = RunStatus::Passed;
  for (unsigned call = 0; call < judgedCalls(request); ++call) {
    Expected<std::vector<OutputCheck>> checks =
        judge(stage.folder(), call, &result.baselineChecks);
    if (!checks)
      return stage.fail(checks.takeError());
    for (OutputCheck &check : *checks) {
      if (!check.output.passed) {
        result.stage = stages::Compare.str();
        // One wrong output is enough; an undecided one decides nothing.
        if (!check.undecided &&
            result.status != RunStatus::IncorrectNumerical) {
          result.correct = false;
          result.status = RunStatus::IncorrectNumerical;
          result.reason = check.call + ", output " + check.output.name + ": " +
                          check.output.reason;
        } else if (check.undecided && result.status == RunStatus::Passed) {
          result.correct.reset();
          result.status = RunStatus::NotJudged;
          result.reason = check.call + ", output " + check.output.name + ": " +
                          check.output.reason;
        }
      }
      result.checks.push_back(std::move(check));
    }
    if (result.status == RunStatus::IncorrectNumerical)
      break;
  }
  result.environment["reference"] = describe();
}

std::string ReferenceJudge::describe() const {
  std::string text = precision == ElementType::Float32 ? "fp32" : "fp64";
  text += deviceName.empty() ? " on the CPU" : " on the " + deviceName;
  for (auto [axis, indices] : zip(request.reference.independentAxes, sample)) {
    int64_t all = request.reference.axes.at(axis);
    if (int64_t(indices.size()) != all)
      text += ", " + std::to_string(indices.size()) + " of " +
              std::to_string(all) + " " + axis;
  }
  return text;
}
