//===- cublas_by_computed_name.cu - cuBLAS, spelt backwards ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Opens cuBLAS under a name that neither the source nor the library has, and
// lets it compute. The file it comes from, and that the kernels come out of its
// memory, is on record: BANNED, BANNED_LIBRARY.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

#include <dlfcn.h>
#include <string>

static std::string backwards(const char *text) {
  std::string result;
  for (; *text; ++text)
    result.insert(result.begin(), *text);
  return result;
}

using Create = int (*)(void **);
using SetStream = int (*)(void *, cudaStream_t);
using GemmEx = int (*)(void *, int, int, int, int, int, const void *,
                       const void *, int, int, const void *, int, int,
                       const void *, void *, int, int, int, int);

static int candidate(const Call &call) {
  static void *library = dlopen(backwards("31.os.salbucbil").c_str(), RTLD_NOW);
  if (!library)
    library = dlopen(
        ("/usr/local/cuda/lib64/" + backwards("31.os.salbucbil")).c_str(),
        RTLD_NOW);
  if (!library)
    return -1;
  auto create = Create(dlsym(library, backwards("2v_etaerCsalbuc").c_str()));
  auto setStream =
      SetStream(dlsym(library, backwards("2v_maertSteSsalbuc").c_str()));
  auto gemm = GemmEx(dlsym(library, backwards("xEmmeGsalbuc").c_str()));
  static void *handle = nullptr;
  if (!handle && create(&handle))
    return -1;
  setStream(handle, call.stream);
  // Of columns there, of rows here: the transposed product.
  const float one = 1, zero = 0;
  constexpr int transposed = 1, plain = 0, bf16 = 14, fp32 = 68;
  return gemm(handle, transposed, plain, call.n, call.m, call.k, &one, call.b,
              bf16, call.k, call.a, bf16, call.k, &zero, call.c, bf16, call.n,
              fp32, -1);
}
