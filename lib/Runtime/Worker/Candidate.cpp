//===- Candidate.cpp - A candidate library and its one function -----------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Only TVM-FFI's C interface is used; the library reports errors through it and
// throws nothing over it.
//
//===----------------------------------------------------------------------===//

#include "Candidate.h"
#include "WorkScope.h"
#include "ptxbench/Runtime/HostCode.h"
#include "ptxbench/Support/DynamicLibrary.h"
#include "llvm/Support/Path.h"

#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/c_env_api.h>

#include <deque>

using namespace llvm;
using namespace ptxbench;

Candidate::~Candidate() = default;

static HostCodeLoader hostCodeLoader = nullptr;

void ptxbench::setHostCodeLoader(HostCodeLoader loader) {
  hostCodeLoader = loader;
}

namespace {

/// What is used of libtvm_ffi.
struct TvmFfiApi {
  decltype(&::TVMFFIErrorMoveFromRaised) errorMoveFromRaised = nullptr;
  decltype(&::TVMFFIObjectDecRef) objectDecRef = nullptr;
  decltype(&::TVMFFIEnvSetStream) envSetStream = nullptr;
};

DLDataType dlType(ElementType type) {
  uint8_t bits = uint8_t(8 * sizeOf(type));
  switch (type) {
  case ElementType::Float64:
  case ElementType::Float32:
  case ElementType::Float16:
    return {kDLFloat, bits, 1};
  case ElementType::BFloat16:
    return {kDLBfloat, bits, 1};
  case ElementType::Float8E4M3:
    return {kDLFloat8_e4m3fn, bits, 1};
  case ElementType::Float8E5M2:
    return {kDLFloat8_e5m2, bits, 1};
  case ElementType::Int64:
  case ElementType::Int32:
  case ElementType::Int16:
  case ElementType::Int8:
    return {kDLInt, bits, 1};
  case ElementType::UInt8:
    return {kDLUInt, bits, 1};
  case ElementType::Bool:
    return {kDLBool, bits, 1};
  }
  llvm_unreachable("unknown element type");
}

/// A tensor argument with what it points to.
struct TensorArgument {
  std::vector<int64_t> shape, strides;
  DLTensor tensor = {};
};

class TvmFfiCandidate : public Candidate {
public:
  Error call(ArrayRef<CandidateTensor> tensors) override;

  TvmFfiApi ffi;
  TVMFFISafeCallType function = nullptr;
  /// Of the CUDA runtime; null if the candidate links none.
  int (*cudaGetLastError)() = nullptr;
  const char *(*cudaGetErrorName)(int) = nullptr;
  const char *(*cudaGetErrorString)(int) = nullptr;
  int device = 0;

private:
  Error raisedError() const;
};

/// A number as Python would hand it over.
TVMFFIAny scalarValue(const ArgumentSpec &spec) {
  TVMFFIAny value = {};
  if (isFloat(spec.type)) {
    value.type_index = kTVMFFIFloat;
    value.v_float64 = spec.value;
  } else {
    value.type_index =
        spec.type == ElementType::Bool ? kTVMFFIBool : kTVMFFIInt;
    value.v_int64 = int64_t(spec.value);
  }
  return value;
}

/// Of what the candidate says, as much as somebody reads.
std::string text(const TVMFFIByteArray &bytes) {
  constexpr size_t most = 16 << 10;
  if (!bytes.data)
    return "";
  std::string text(bytes.data, std::min(bytes.size, most));
  if (bytes.size > most)
    text += "... (" + std::to_string(bytes.size - most) + " bytes more)";
  return text;
}

Error TvmFfiCandidate::raisedError() const {
  TVMFFIObjectHandle handle = nullptr;
  ffi.errorMoveFromRaised(&handle);
  if (!handle)
    return makeFailure("CANDIDATE_ERROR",
                       "the candidate returned an error without a message");
  const TVMFFIErrorCell *cell = TVMFFIErrorGetCellPtr(handle);
  std::string kind = text(cell->kind), message = text(cell->message);
  ffi.objectDecRef(handle);
  // Codes are ours: no kind may be one of them.
  if (!kind.empty())
    message = kind + ": " + message;
  return makeFailure("CANDIDATE_ERROR",
                     "the candidate returned an error: " + message);
}

Error TvmFfiCandidate::call(ArrayRef<CandidateTensor> tensors) {
  WorkScope scope(WorkOwner::Candidate);
  // A deque keeps addresses.
  std::deque<TensorArgument> arguments;
  std::vector<TVMFFIAny> values;
  for (const CandidateTensor &given : tensors) {
    const ArgumentSpec &spec = *given.spec;
    if (spec.isScalar()) {
      values.push_back(scalarValue(spec));
      continue;
    }
    TensorArgument &argument = arguments.emplace_back();
    argument.shape = spec.shape;
    argument.strides.resize(spec.shape.size());
    int64_t stride = 1;
    for (size_t axis = spec.shape.size(); axis-- > 0;) {
      argument.strides[axis] = stride;
      stride *= spec.shape[axis];
    }
    argument.tensor.data = given.data;
    argument.tensor.device = {kDLCUDA, device};
    argument.tensor.ndim = int(spec.shape.size());
    argument.tensor.dtype = dlType(spec.type);
    argument.tensor.shape = argument.shape.data();
    argument.tensor.strides = argument.strides.data();
    TVMFFIAny value = {};
    value.type_index = kTVMFFIDLTensorPtr;
    value.v_ptr = &argument.tensor;
    values.push_back(value);
  }
  TVMFFIAny result = {};
  result.type_index = kTVMFFINone;
  int code = function(nullptr, values.data(), int32_t(values.size()), &result);
  if (code != 0)
    return raisedError();
  if (result.type_index >= kTVMFFIStaticObjectBegin && result.v_obj)
    ffi.objectDecRef(result.v_obj);
  if (cudaGetLastError)
    if (int error = cudaGetLastError()) {
      const char *name = cudaGetErrorName ? cudaGetErrorName(error) : nullptr;
      const char *what =
          cudaGetErrorString ? cudaGetErrorString(error) : nullptr;
      return makeFailure(name ? name : "cudaError " + Twine(error),
                         "the CUDA runtime's last error after the call: " +
                             Twine(what ? what : "unknown"));
    }
  return Error::success();
}

} // namespace

Expected<std::unique_ptr<Candidate>>
Candidate::load(WorkerContext &context, ArrayRef<std::string> runtimeNames,
                int device, void *stream) {
  const RunRequest &request = context.request;
  if (StringRef(request.library).ends_with(hostCodeEnding)) {
    if (!hostCodeLoader)
      return makeFailure("", "host code in LLVM IR is run by ptxbench-host");
    context.out.stage(stages::Load);
    return hostCodeLoader(request, device, stream);
  }
  auto candidate = std::make_unique<TvmFfiCandidate>();
  candidate->device = device;
  Expected<DynamicLibrary> ffi = DynamicLibrary::open(
      "TVM-FFI", context.toolchain.tvmFfiLibraryNames(), /*global=*/true);
  if (!ffi)
    return createStringError(inconvertibleErrorCode(),
                             toString(ffi.takeError()) +
                                 " (--tvm-ffi-path says where it is)");
  if (Error error = ffi->lookUp("TVMFFIErrorMoveFromRaised",
                                candidate->ffi.errorMoveFromRaised))
    return std::move(error);
  if (Error error =
          ffi->lookUp("TVMFFIObjectDecRef", candidate->ffi.objectDecRef))
    return std::move(error);
  if (Error error =
          ffi->lookUp("TVMFFIEnvSetStream", candidate->ffi.envSetStream))
    return std::move(error);

  context.out.stage(stages::Load);
  // A candidate names the runtime without a path. Opened before, it is found
  // also where the loader would not look.
  Expected<DynamicLibrary> runtime =
      DynamicLibrary::open("the CUDA runtime", runtimeNames,
                           /*global=*/true);
  if (runtime) {
    candidate->cudaGetLastError =
        reinterpret_cast<int (*)()>(runtime->find("cudaGetLastError"));
    candidate->cudaGetErrorName = reinterpret_cast<const char *(*)(int)>(
        runtime->find("cudaGetErrorName"));
    candidate->cudaGetErrorString = reinterpret_cast<const char *(*)(int)>(
        runtime->find("cudaGetErrorString"));
  } else {
    // Without one the candidate's own need decides.
    consumeError(runtime.takeError());
  }

  WorkScope scope(WorkOwner::Candidate);
  Expected<DynamicLibrary> library =
      DynamicLibrary::open("the candidate", {request.library});
  if (!library)
    return makeFailure("LOAD_FAILED", toString(library.takeError()));
  candidate->function = reinterpret_cast<TVMFFISafeCallType>(
      library->find(request.symbol.c_str()));
  if (!candidate->function)
    return makeFailure("NO_ENTRY_POINT",
                       "the candidate exports no '" + request.symbol + "'");
  if (candidate->ffi.envSetStream(kDLCUDA, device, stream, nullptr) != 0)
    return makeFailure("", "TVM-FFI does not take the stream");
  return std::unique_ptr<Candidate>(std::move(candidate));
}
