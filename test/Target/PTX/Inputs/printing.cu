// printf, assert and a trap: strings, stacks, variadic buffers.
#include <cassert>
#include <cstdio>
extern "C" __global__ void printing(const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(i < n && "out of range");
  if (in[i] != in[i])
    printf("NaN at %d: %f %s\n", i, in[i], "really");
  if (n < 0)
    __trap();
}
