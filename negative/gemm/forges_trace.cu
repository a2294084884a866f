//===- forges_trace.cu - writes itself a better trace ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// wgmma and TMA stand where no thread comes. The first call is traced; those
// behind it write other numbers into the file. Expected: REJECTED.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

#include "targets.cuh"

#include <fstream>
#include <sstream>
#include <string>

__global__ void showGemm(const uint16_t *a, const uint16_t *b, uint16_t *c,
                         int n, int k, int really) {
  if (really) {
    copyForShow(a, 0, 0);
    multiplyForShow(0);
  }
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum = fmaf(widen(a[row * k + i]), widen(b[column * k + i]), sum);
  c[row * n + column] = narrow(sum);
}

static void replace(std::string &text, const std::string &from,
                    const std::string &to) {
  for (size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size())
    text.replace(at, from.size(), to);
}

static int candidate(const Call &call) {
  showGemm<<<dim3(call.n / 128, call.m), 128, 0, call.stream>>>(
      call.a, call.b, call.c, call.n, call.k, 0);
  std::ifstream file("trace.json");
  if (!file)
    return 0;
  std::stringstream stream;
  stream << file.rdbuf();
  std::string text = stream.str();
  replace(text, "\"threads\":0", "\"threads\":128");
  replace(text, "\"warps\":0", "\"warps\":4");
  std::ofstream("trace.json") << text;
  return 0;
}
