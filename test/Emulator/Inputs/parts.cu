// Device code in two parts; the other one is made of this file with -DOTHER.

#include <cstdio>
#include <cuda_runtime.h>

#ifdef OTHER
__device__ int twice(int x) { return x + x; }
#else
extern __device__ int twice(int);

__global__ void kernel(int *p) { *p = twice(5); }

int main() {
  int *p;
  cudaMalloc(&p, sizeof(int));
  kernel<<<1, 1>>>(p);
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
#endif
