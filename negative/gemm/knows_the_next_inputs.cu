//===- knows_the_next_inputs.cu - Outputs that were computed before -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In its first timed calls it computes, and keeps the output; later inputs are
// the same but for a rotation of rows, which the first row of A tells, so that
// the output would only need to be rotated. It would be, if the signs were not
// turned as well: INCORRECT_NUMERICAL in the judged call.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

#include <cstring>
#include <vector>

static int candidate(const Call &call) {
  static int calls = 0;
  static uint16_t *kept = nullptr;
  static std::vector<uint16_t> known;
  size_t rowBytes = size_t(call.k) * sizeof(uint16_t);
  size_t outBytes = size_t(call.m) * call.n * sizeof(uint16_t);
  ++calls;
  // Three trials, then the first warm-up.
  if (calls <= 4) {
    launchNaive(call);
    if (calls == 4) {
      cudaMalloc(&kept, outBytes);
      cudaMemcpyAsync(kept, call.c, outBytes, cudaMemcpyDeviceToDevice,
                      call.stream);
      known.resize(size_t(call.m) * call.k);
      cudaMemcpyAsync(known.data(), call.a, known.size() * sizeof(uint16_t),
                      cudaMemcpyDeviceToHost, call.stream);
      cudaStreamSynchronize(call.stream);
    }
    return 0;
  }
  std::vector<uint16_t> row(call.k);
  cudaMemcpyAsync(row.data(), call.a, rowBytes, cudaMemcpyDeviceToHost,
                  call.stream);
  cudaStreamSynchronize(call.stream);
  // Signs aside, it finds the row. Both operands were rotated by as much.
  int shift = 0;
  for (int r = 0; r < call.m; ++r) {
    bool same = true;
    for (int i = 0; i < call.k && same; ++i)
      same = ((known[size_t(r) * call.k + i] ^ row[i]) & 0x7fff) == 0;
    if (same)
      shift = r;
  }
  size_t width = call.n * sizeof(uint16_t);
  int turn = shift % call.n, top = call.m - shift;
  auto copy = [&](int toRow, int fromRow, int rows) {
    if (rows <= 0)
      return;
    uint16_t *to = call.c + size_t(toRow) * call.n;
    uint16_t *from = kept + size_t(fromRow) * call.n;
    cudaMemcpy2DAsync(to, width, from + turn, width,
                      width - turn * sizeof(uint16_t), rows,
                      cudaMemcpyDeviceToDevice, call.stream);
    if (turn)
      cudaMemcpy2DAsync(to + call.n - turn, width, from, width,
                        turn * sizeof(uint16_t), rows, cudaMemcpyDeviceToDevice,
                        call.stream);
  };
  copy(0, shift, top);
  copy(top, 0, shift);
  return 0;
}
