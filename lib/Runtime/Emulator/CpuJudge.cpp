//===- CpuJudge.cpp - Inputs and outputs by the reference on the CPU ------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CpuJudge.h"
#include "ptxbench/Runtime/Inputs.h"
#include "ptxbench/Support/Subprocess.h"
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

using namespace llvm;
using namespace ptxbench;

/// How many operations the reference may take; a few seconds on two cores.
static constexpr double maxOperations = double(uint64_t(1) << 35);

static Error fail(const Twine &message) {
  return createStringError(inconvertibleErrorCode(), message);
}

static Expected<std::unique_ptr<MemoryBuffer>> readBytes(StringRef path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFile(
      path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return createStringError(file.getError(), "cannot read '" + path + "': " +
                                                  file.getError().message());
  return std::move(*file);
}

static std::string fileIn(StringRef folder, const Twine &name) {
  SmallString<256> path(folder);
  sys::path::append(path, name);
  return path.str().str();
}

void CpuJudge::chooseSample(uint64_t seed) {
  const ReferenceSpec &reference = request.reference;
  std::vector<int64_t> extents;
  double all = 1;
  for (const std::string &axis : reference.independentAxes) {
    extents.push_back(reference.axes.at(axis));
    all *= double(extents.back());
  }
  uint64_t count = uint64_t(all);
  if (reference.flops > maxOperations)
    count = uint64_t(std::max(1.0, all / reference.flops * maxOperations));
  sample = sampleAxes(extents, count, seed);
}

//===----------------------------------------------------------------------===//
// The reference in MLIR
//===----------------------------------------------------------------------===//

Error CpuJudge::runTool(std::vector<std::string> arguments, std::string &out) {
  SubprocessOptions process;
  process.argv = {tool, request.reference.definition,
                  "--time-limit=" + std::to_string(request.machineSeconds),
                  "--threads=" + std::to_string(hostThreads())};
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

Error CpuJudge::writeInputs(unsigned trial, bool drawnOnly,
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
    std::string path = computed ? computedFile(request, trial, i)
                                : fileIn(folder, "in" + Twine(i) + ".bin");
    if (!computed) {
      std::vector<uint8_t> bytes(tensor.bytes());
      if (Error error = makeTrialInput(request, trial, i, bytes))
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

Error CpuJudge::computeInputs(unsigned trial) {
  std::vector<std::string> arguments = {"--computed-inputs"};
  if (Error error = writeInputs(trial, /*drawnOnly=*/true, arguments))
    return error;
  for (unsigned i = 0; i < request.tensors.size(); ++i)
    if (request.tensors[i].origin == ArgumentSpec::Origin::Computed)
      arguments.push_back("--output=" + request.tensors[i].name + "=" +
                          computedFile(request, trial, i));
  std::string out;
  return runTool(std::move(arguments), out);
}

Expected<std::vector<CpuJudge::Expectation>> CpuJudge::compute(unsigned trial) {
  if (request.reference.definition.empty())
    return computeProduct(trial);
  std::vector<std::string> arguments, files;
  if (Error error = writeInputs(trial, /*drawnOnly=*/false, arguments))
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
  Expected<json::Value> answer = json::parse(out);
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
    ArrayRef<uint8_t> bytes = arrayRefFromStringRef((*file)->getBuffer());
    expectations.push_back({*element, bytes.vec()});
  }
  return expectations;
}

//===----------------------------------------------------------------------===//
// A product without one
//===----------------------------------------------------------------------===//

Expected<std::vector<CpuJudge::Expectation>>
CpuJudge::computeProduct(unsigned trial) {
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
    if (Error error = makeTrialInput(request, trial, index, factors[side]))
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
  ArrayRef<uint8_t> bytes(reinterpret_cast<const uint8_t *>(product->data()),
                          product->size() * sizeof(double));
  return std::vector<Expectation>{{ElementType::Float64, bytes.vec()}};
}

//===----------------------------------------------------------------------===//
// Judging
//===----------------------------------------------------------------------===//

Expected<std::vector<OutputCheck>> CpuJudge::judge(unsigned trial) {
  chooseSample(trialInputs(request, trial).seed);
  Expected<std::vector<Expectation>> expectations = compute(trial);
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
    Expected<std::unique_ptr<MemoryBuffer>> file =
        readBytes(outputFile(request, trial, i));
    if (!file)
      return file.takeError();
    std::vector<std::vector<int64_t>> indices(tensor.shape.size());
    for (auto [dim, axis] : enumerate(tensor.axes)) {
      auto at = find(request.reference.independentAxes, axis);
      if (at != request.reference.independentAxes.end())
        indices[dim] = sample[at - request.reference.independentAxes.begin()];
    }
    Expected<std::vector<uint8_t>> got =
        gather(arrayRefFromStringRef((*file)->getBuffer()), sizeOf(tensor.type),
               tensor.shape, indices);
    if (!got)
      return got.takeError();
    Expected<Comparison> comparison = compareOutputs(
        {tensor.type, *got}, {expected.type, expected.bytes},
        tensor.tolerance.value_or(request.tolerance), hostThreads());
    if (!comparison)
      return comparison.takeError();
    OutputCheck check;
    check.call = "trial " + std::to_string(trial);
    check.output = toReport(tensor.name, *comparison);
    check.undecided = comparison->verdict == Comparison::Verdict::Undecided;
    checks.push_back(std::move(check));
  }
  return checks;
}

std::string CpuJudge::describe() const {
  std::string text =
      precision == ElementType::Float32 ? "fp32 on the CPU" : "fp64 on the CPU";
  for (auto [axis, indices] : zip(request.reference.independentAxes, sample)) {
    int64_t all = request.reference.axes.at(axis);
    if (int64_t(indices.size()) != all)
      text += ", " + std::to_string(indices.size()) + " of " +
              std::to_string(all) + " " + axis;
  }
  return text;
}
