//===- Api.cpp - The CUDA libraries as tables of functions ----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The symbol lists are read twice: in the header as members, here as look-ups.
//
//===----------------------------------------------------------------------===//

#include "Api.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace ptxbench;

std::string ptxbench::cudaSoname(StringRef name) {
  return ("lib" + name + ".so." + Twine(CUDA_VERSION / 1000)).str();
}

std::string ptxbench::cudaVersionText(int version) {
  return std::to_string(version / 1000) + "." +
         std::to_string(version % 1000 / 10);
}

static Expected<DriverApi *> loadDriver() {
  Expected<DynamicLibrary> library =
      DynamicLibrary::open("the CUDA driver", {"libcuda.so.1", "libcuda.so"});
  if (!library)
    return library.takeError();
  auto api = std::make_unique<DriverApi>();
  api->library = *library;
#define PTXBENCH_SYMBOL(name)                                                  \
  if (Error error = library->lookUp(#name, api->name))                         \
    return std::move(error);
#define PTXBENCH_OPTIONAL_SYMBOL(name)                                         \
  api->name = reinterpret_cast<decltype(api->name)>(library->find(#name));
#include "DriverSymbols.def"
  return api.release();
}

Expected<const DriverApi *> DriverApi::get() {
  static DriverApi *loaded = nullptr;
  if (!loaded) {
    Expected<DriverApi *> api = loadDriver();
    if (!api)
      return api.takeError();
    loaded = *api;
  }
  return loaded;
}

Error DriverApi::check(CUresult result, const Twine &what) const {
  if (result == CUDA_SUCCESS)
    return Error::success();
  const char *name = nullptr, *text = nullptr;
  cuGetErrorName(result, &name);
  cuGetErrorString(result, &text);
  std::string code = name ? name : "CUDA error " + std::to_string(result);
  return makeFailure(code, what + ": " + (text ? text : code.c_str()));
}

static Expected<CublasLtApi *> loadCublasLt(const Toolchain &toolchain) {
  Expected<DynamicLibrary> library = DynamicLibrary::open(
      "cuBLASLt", toolchain.cudaLibraryNames(cudaSoname("cublasLt")));
  if (!library)
    return library.takeError();
  auto api = std::make_unique<CublasLtApi>();
  api->library = *library;
#define PTXBENCH_SYMBOL(name)                                                  \
  if (Error error = library->lookUp(#name, api->name))                         \
    return std::move(error);
#include "CublasLtSymbols.def"
  return api.release();
}

Expected<const CublasLtApi *> CublasLtApi::get(const Toolchain &toolchain) {
  static CublasLtApi *loaded = nullptr;
  if (!loaded) {
    Expected<CublasLtApi *> api = loadCublasLt(toolchain);
    if (!api)
      return api.takeError();
    loaded = *api;
  }
  return loaded;
}

Error CublasLtApi::check(cublasStatus_t status, const Twine &what) const {
  if (status == CUBLAS_STATUS_SUCCESS)
    return Error::success();
  return makeFailure(cublasLtGetStatusName(status), what);
}

std::string CublasLtApi::version() const {
  size_t version = cublasLtGetVersion();
  // Major times 10000 since release 12, major times 1000 before.
  size_t scale = version >= 100000 ? 10000 : 1000;
  return std::to_string(version / scale) + "." +
         std::to_string(version % scale / 100) + "." +
         std::to_string(version % 100);
}
