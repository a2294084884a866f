//===- Request.cpp - Requests: checks and JSON ----------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The request file is written by us and read by the worker, but it is checked
// as any input is: a worker can be started by hand.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Runtime/Run.h"
#include "ptxbench/Support/BoundedJSON.h"
#include "ptxbench/Task/Baseline.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace ptxbench;

const ArgumentSpec *RunRequest::findTensor(StringRef name) const {
  for (const ArgumentSpec &tensor : tensors)
    if (tensor.name == name)
      return &tensor;
  return nullptr;
}

CallInputs ptxbench::trialInputs(const RunRequest &request, unsigned trial) {
  return {request.seed * 0x9e3779b97f4a7c15ull + trial + 1, 0, trial};
}

CallInputs ptxbench::timedInputs(const RunRequest &request, unsigned call) {
  CallInputs inputs{request.seed * 0x9e3779b97f4a7c15ull + 1000003, call,
                    request.trials};
  if (call == request.judgedCall)
    inputs.signs = request.judgedSigns;
  return inputs;
}

const Tolerance &ptxbench::toleranceOf(const RunRequest &request,
                                       const ArgumentSpec &output) {
  return output.tolerance ? *output.tolerance : request.tolerance;
}

unsigned ptxbench::judgedCalls(const RunRequest &request) {
  return request.trials +
         (request.timing.enabled && request.judgedCall ? 1 : 0);
}

CallInputs ptxbench::judgedInputs(const RunRequest &request, unsigned call) {
  return call < request.trials
             ? trialInputs(request, call)
             : timedInputs(request, request.judgedCall.value_or(0));
}

std::string ptxbench::judgedName(const RunRequest &request, unsigned call) {
  return call < request.trials
             ? "trial " + std::to_string(call)
             : "timed call " + std::to_string(request.judgedCall.value_or(0));
}

std::string ptxbench::outputFile(const RunRequest &request, unsigned call,
                                 unsigned tensor) {
  SmallString<256> path(request.workDir);
  sys::path::append(path,
                    "call" + Twine(call) + ".arg" + Twine(tensor) + ".bin");
  return path.str().str();
}

std::string ptxbench::baselineFile(const RunRequest &request, unsigned tensor) {
  SmallString<256> path(request.workDir);
  sys::path::append(path, "baseline.arg" + Twine(tensor) + ".bin");
  return path.str().str();
}

std::string ptxbench::computedFile(const RunRequest &request, unsigned set,
                                   unsigned tensor) {
  SmallString<256> path(request.inputsDir);
  sys::path::append(path, "set" + Twine(set) + ".arg" + Twine(tensor) + ".bin");
  return path.str().str();
}

static Error refuse(const Twine &message) {
  return createStringError(inconvertibleErrorCode(), message);
}

static std::string shapeText(const ArgumentSpec &tensor) {
  std::string text = "[";
  for (int64_t extent : tensor.shape) {
    if (text.size() > 1)
      text += ",";
    text += std::to_string(extent);
  }
  return text + "]";
}

static Error validateTensor(const ArgumentSpec &tensor) {
  if (tensor.name.empty())
    return refuse("expected every tensor to have a name");
  uint64_t count = sizeOf(tensor.type);
  bool overflow = false;
  for (int64_t extent : tensor.shape) {
    if (extent <= 0)
      return refuse("expected positive extents in the shape of tensor '" +
                    tensor.name + "' but got " + shapeText(tensor));
    bool over = false;
    count = SaturatingMultiply(count, uint64_t(extent), &over);
    overflow |= over;
  }
  if (overflow || count > (uint64_t(1) << 40))
    return refuse("tensor '" + tensor.name + "' of shape " + shapeText(tensor) +
                  " has more than 2^40 bytes");
  if (tensor.role == TensorRole::Output &&
      tensor.origin != ArgumentSpec::Origin::Drawn)
    return refuse("expected an input where elements come from but '" +
                  tensor.name + "' is an output");
  if (tensor.isScalar() && !tensor.shape.empty())
    return refuse("expected no shape of the scalar '" + tensor.name + "'");
  if (tensor.rotatedAxes > std::max<size_t>(1, tensor.shape.size()))
    return refuse("expected tensor '" + tensor.name +
                  "' to be rotated along axes that it has but got " +
                  Twine(tensor.rotatedAxes));
  if (!tensor.axes.empty() && tensor.axes.size() != tensor.shape.size())
    return refuse("expected an axis for each extent of tensor '" + tensor.name +
                  "'");
  return Error::success();
}

static Error validateGemm(const RunRequest &request) {
  const ReferenceSpec &reference = request.reference;
  const ArgumentSpec *tensors[3];
  const std::string *names[] = {&reference.a, &reference.b, &reference.out};
  for (unsigned i = 0; i < 3; ++i) {
    tensors[i] = request.findTensor(*names[i]);
    if (!tensors[i])
      return refuse("the reference names tensor '" + *names[i] +
                    "', which is not an argument");
    if (tensors[i]->shape.size() != 2)
      return refuse("expected tensor '" + *names[i] +
                    "' of a matrix product to have two axes but got shape " +
                    shapeText(*tensors[i]));
    TensorRole role = i == 2 ? TensorRole::Output : TensorRole::Input;
    if (tensors[i]->role != role)
      return refuse("expected tensor '" + *names[i] + "' to be an " +
                    (i == 2 ? "output" : "input"));
  }
  const auto &a = tensors[0]->shape, &b = tensors[1]->shape,
             &c = tensors[2]->shape;
  if (a[1] != b[1] || c[0] != a[0] || c[1] != b[0])
    return refuse("expected shapes [M,K], [N,K] and [M,N] but got " +
                  shapeText(*tensors[0]) + ", " + shapeText(*tensors[1]) +
                  " and " + shapeText(*tensors[2]));
  if (tensors[0]->type != tensors[1]->type)
    return refuse("expected both factors of a matrix product to have one "
                  "element type but got " +
                  Twine(stringifyElementType(tensors[0]->type)) + " and " +
                  stringifyElementType(tensors[1]->type));
  for (const ArgumentSpec *tensor : tensors)
    if (tensor->type != ElementType::BFloat16 &&
        tensor->type != ElementType::Float16 &&
        tensor->type != ElementType::Float32)
      return refuse("expected element type bfloat16, float16 or float32 of "
                    "tensor '" +
                    tensor->name + "' of a matrix product but got " +
                    stringifyElementType(tensor->type));
  return Error::success();
}

static Error validateBaseline(const RunRequest &request) {
  const BaselineInfo *baseline = findBaseline(request.baseline);
  if (!baseline)
    return refuse("expected the name of a baseline (" + baselineNames() +
                  ") but got '" + request.baseline + "'");
  std::vector<BaselineTensor> tensors;
  for (const ArgumentSpec &argument : request.tensors) {
    tensors.push_back({argument.name,
                       argument.type,
                       argument.role == TensorRole::Output,
                       argument.isScalar(),
                       {}});
    for (int64_t extent : argument.shape)
      tensors.back().shape.push_back(std::to_string(extent));
  }
  std::string wrong = checkBaseline(*baseline, tensors);
  return wrong.empty() ? Error::success() : refuse(wrong);
}

Error ptxbench::validate(const RunRequest &request) {
  if (request.library.empty())
    return refuse("expected a candidate library");
  if (request.isProgram && !request.tensors.empty())
    return refuse("expected no tensor argument of a program");
  if (request.tensors.empty() && !request.isProgram)
    return refuse("expected at least one tensor argument");
  StringSet<> names;
  bool hasOutput = false;
  for (const ArgumentSpec &tensor : request.tensors) {
    if (Error error = validateTensor(tensor))
      return error;
    if (!names.insert(tensor.name).second)
      return refuse("two tensors are named '" + tensor.name + "'");
    hasOutput |= tensor.role == TensorRole::Output;
  }
  if (!hasOutput && !request.isProgram)
    return refuse("expected at least one output tensor");
  if (request.trials == 0)
    return refuse("expected at least one trial");
  if (request.trials > 1000 || request.timing.calls > 1000000 ||
      request.timing.warmups > 1000000)
    return refuse("expected at most 1000 trials and 1000000 calls");
  if (request.timing.enabled && request.timing.calls == 0)
    return refuse("expected at least one timed call");
  if (request.judgedCall && *request.judgedCall >= request.timing.calls)
    return refuse("expected a judged call below " +
                  Twine(request.timing.calls) + " but got " +
                  Twine(*request.judgedCall));
  if (!(request.timing.warmupSeconds >= 0))
    return refuse("expected a warm-up time of zero or more seconds");
  if (!(request.candidateSeconds > 0) || !(request.machineSeconds > 0))
    return refuse("expected time limits above zero");
  for (const std::string &axis : request.reference.independentAxes) {
    auto value = request.reference.axes.find(axis);
    if (value == request.reference.axes.end() || value->second < 1)
      return refuse("expected a value for the independent axis '" + axis + "'");
  }
  if (!request.baseline.empty())
    if (Error error = validateBaseline(request))
      return error;
  if (request.reference.kind == ReferenceSpec::Kind::GemmNT)
    return validateGemm(request);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

/// In the order of the enumeration.
static constexpr StringLiteral originNames[] = {"drawn", "scalar", "file",
                                                "computed"};

static json::Value toJSON(const Tolerance &tolerance) {
  return json::Object{
      {"atol", tolerance.atol},
      {"rtol", tolerance.rtol},
      {"required_matched_ratio", tolerance.requiredMatchedRatio},
      {"max_relative_l2", tolerance.maxRelativeL2},
      {"nan_matches", tolerance.nanMatches}};
}

static json::Value toJSON(const ArgumentSpec &tensor) {
  json::Object object{
      {"name", tensor.name},
      {"shape", json::Array(tensor.shape)},
      {"type", stringifyElementType(tensor.type)},
      {"role", tensor.role == TensorRole::Input ? "in" : "out"},
      {"distribution", stringifyDistribution(tensor.distribution)},
      {"axes", json::Array(tensor.axes)},
      {"rotated_axes", tensor.rotatedAxes},
      {"origin", originNames[unsigned(tensor.origin)]},
      {"value", tensor.value},
      {"file", tensor.file},
      {"file_offset", tensor.fileOffset},
      {"turns_signs", tensor.turnsSigns}};
  if (tensor.tolerance)
    object["tolerance"] = toJSON(*tensor.tolerance);
  return object;
}

static json::Value toJSON(const ReferenceSpec &reference) {
  json::Object axes;
  for (const auto &[axis, value] : reference.axes)
    axes[axis] = value;
  return json::Object{
      {"kind",
       reference.kind == ReferenceSpec::Kind::GemmNT ? "gemm_nt" : "none"},
      {"a", reference.a},
      {"b", reference.b},
      {"out", reference.out},
      {"definition", reference.definition},
      {"axes", std::move(axes)},
      {"independent_axes", json::Array(reference.independentAxes)},
      {"flops", reference.flops}};
}

json::Value ptxbench::toJSON(const RunRequest &request) {
  json::Array tensors;
  for (const ArgumentSpec &tensor : request.tensors)
    tensors.push_back(::toJSON(tensor));
  json::Object object{
      {"library", request.library},
      {"symbol", request.symbol},
      {"program", request.isProgram},
      {"cubin", request.cubin},
      {"ptx_sha256", json::Array(request.ptxSha256)},
      {"tensors", std::move(tensors)},
      {"reference", ::toJSON(request.reference)},
      {"baseline", request.baseline},
      {"baseline_proposal", request.baselineProposal},
      {"baseline_skip", json::Array(request.baselineSkip)},
      {"tolerance", ::toJSON(request.tolerance)},
      {"trials", request.trials},
      {"seed", request.seed},
      {"timing",
       json::Object{{"enabled", request.timing.enabled},
                    {"warmups", request.timing.warmups},
                    {"calls", request.timing.calls},
                    {"warmup_seconds", request.timing.warmupSeconds}}},
      {"trace", json::Object{{"sass", request.trace.sass},
                             {"launches", request.trace.launches}}},
      {"candidate_seconds", request.candidateSeconds},
      {"machine_seconds", request.machineSeconds},
      {"device", request.device},
      {"work_dir", request.workDir},
      {"inputs_dir", request.inputsDir},
      {"cuda_path", request.cudaPath},
      {"tvm_ffi_path", request.tvmFfiPath}};
  if (request.judgedCall)
    object["judged_call"] = *request.judgedCall;
  if (request.judgedSigns)
    object["judged_signs"] = *request.judgedSigns;
  return object;
}

namespace {

bool fromJSON(const json::Value &value, Tolerance &tolerance, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("atol", tolerance.atol) &&
         map.map("rtol", tolerance.rtol) &&
         map.map("required_matched_ratio", tolerance.requiredMatchedRatio) &&
         map.map("max_relative_l2", tolerance.maxRelativeL2) &&
         map.map("nan_matches", tolerance.nanMatches);
}

bool fromJSON(const json::Value &value, ArgumentSpec &tensor, json::Path path) {
  json::ObjectMapper map(value, path);
  std::string type, role, distribution, origin;
  if (!map || !map.map("name", tensor.name) ||
      !map.map("shape", tensor.shape) || !map.map("type", type) ||
      !map.map("role", role) || !map.map("distribution", distribution) ||
      !map.map("axes", tensor.axes) ||
      !map.map("rotated_axes", tensor.rotatedAxes) ||
      !map.map("origin", origin) || !map.map("value", tensor.value) ||
      !map.map("file", tensor.file) ||
      !map.map("file_offset", tensor.fileOffset) ||
      !map.map("turns_signs", tensor.turnsSigns))
    return false;
  std::optional<ElementType> element = symbolizeElementType(type);
  if (!element) {
    path.field("type").report("expected the name of an element type");
    return false;
  }
  tensor.type = *element;
  std::optional<Distribution> known = symbolizeDistribution(distribution);
  if (!known) {
    path.field("distribution").report("expected the name of a distribution");
    return false;
  }
  tensor.distribution = *known;
  const auto *knownOrigin = llvm::find(originNames, origin);
  if (knownOrigin == std::end(originNames)) {
    path.field("origin").report("expected drawn, scalar, file or computed");
    return false;
  }
  tensor.origin = ArgumentSpec::Origin(knownOrigin - std::begin(originNames));
  if (const json::Value *own = value.getAsObject()->get("tolerance"))
    if (!fromJSON(*own, tensor.tolerance.emplace(), path.field("tolerance")))
      return false;
  if (role != "in" && role != "out") {
    path.field("role").report("expected in or out");
    return false;
  }
  tensor.role = role == "in" ? TensorRole::Input : TensorRole::Output;
  return true;
}

bool fromJSON(const json::Value &value, ReferenceSpec &reference,
              json::Path path) {
  json::ObjectMapper map(value, path);
  std::string kind;
  if (!map || !map.map("kind", kind) || !map.map("a", reference.a) ||
      !map.map("b", reference.b) || !map.map("out", reference.out) ||
      !map.map("definition", reference.definition) ||
      !map.map("axes", reference.axes) ||
      !map.map("independent_axes", reference.independentAxes) ||
      !map.map("flops", reference.flops))
    return false;
  if (kind != "none" && kind != "gemm_nt") {
    path.field("kind").report("expected none or gemm_nt");
    return false;
  }
  reference.kind =
      kind == "none" ? ReferenceSpec::Kind::None : ReferenceSpec::Kind::GemmNT;
  return true;
}

bool fromJSON(const json::Value &value, TimingSpec &timing, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("enabled", timing.enabled) &&
         map.map("warmups", timing.warmups) && map.map("calls", timing.calls) &&
         map.map("warmup_seconds", timing.warmupSeconds);
}

bool fromJSON(const json::Value &value, TraceSpec &trace, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("sass", trace.sass) &&
         map.map("launches", trace.launches);
}

/// Reads a member of one of the types above.
template <typename T>
bool mapMember(const json::Object &object, StringLiteral key, T &to,
               json::Path path) {
  const json::Value *value = object.get(key);
  if (!value) {
    path.field(key).report("missing value");
    return false;
  }
  return fromJSON(*value, to, path.field(key));
}

bool readRequest(const json::Value &value, RunRequest &request,
                 json::Path path) {
  json::ObjectMapper map(value, path);
  if (!map || !map.map("library", request.library) ||
      !map.map("symbol", request.symbol) ||
      !map.map("program", request.isProgram) ||
      !map.map("cubin", request.cubin) ||
      !map.map("ptx_sha256", request.ptxSha256) ||
      !map.map("baseline", request.baseline) ||
      !map.map("baseline_proposal", request.baselineProposal) ||
      !map.map("baseline_skip", request.baselineSkip) ||
      !map.map("trials", request.trials) || !map.map("seed", request.seed) ||
      !map.map("candidate_seconds", request.candidateSeconds) ||
      !map.map("machine_seconds", request.machineSeconds) ||
      !map.map("device", request.device) ||
      !map.map("work_dir", request.workDir) ||
      !map.map("inputs_dir", request.inputsDir) ||
      !map.map("cuda_path", request.cudaPath) ||
      !map.map("tvm_ffi_path", request.tvmFfiPath) ||
      !map.mapOptional("judged_call", request.judgedCall) ||
      !map.mapOptional("judged_signs", request.judgedSigns))
    return false;
  const json::Object &object = *value.getAsObject();
  const json::Array *tensors = object.getArray("tensors");
  if (!tensors) {
    path.field("tensors").report("expected array");
    return false;
  }
  for (size_t i = 0; i < tensors->size(); ++i) {
    request.tensors.emplace_back();
    if (!::fromJSON((*tensors)[i], request.tensors.back(),
                    path.field("tensors").index(i)))
      return false;
  }
  return mapMember(object, "reference", request.reference, path) &&
         mapMember(object, "tolerance", request.tolerance, path) &&
         mapMember(object, "timing", request.timing, path) &&
         mapMember(object, "trace", request.trace, path);
}

} // namespace

Expected<RunRequest> ptxbench::parseRunRequest(StringRef text, StringRef path) {
  Expected<json::Value> value = parseBoundedJSON(text);
  if (!value)
    return refuse(path + ": not JSON: " + toString(value.takeError()));
  RunRequest request;
  json::Path::Root root(path);
  if (!readRequest(*value, request, root))
    return root.getError();
  if (Error error = validate(request))
    return refuse(path + ": " + toString(std::move(error)));
  return request;
}
