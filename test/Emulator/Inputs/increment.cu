// One kernel, and what came of it.

#include <cstdio>
#include <cuda_runtime.h>

__device__ int number = 41;
__global__ void increment() { number += 1; }

int main() {
  increment<<<1, 1>>>();
  cudaError_t error = cudaGetLastError();
  int value = 41;
  if (error == cudaSuccess)
    cudaMemcpyFromSymbol(&value, number, sizeof(int));
  std::fflush(stderr);
  std::printf("%s %d\n", cudaGetErrorName(error), value);
}
