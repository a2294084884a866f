// Patterns by which CTAs order what they do, and one that does not.

#include <cstdio>
#include <cstring>

__device__ unsigned count = 0, arrived = 0;
__device__ int lock = 0;

// The last CTA that counts itself adds up what all have written.
__global__ void lastBlock(const float *in, float *parts, float *out) {
  __shared__ bool isLast;
  __shared__ float sums[64];
  sums[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  for (int d = 32; d; d /= 2) {
    if (threadIdx.x < d)
      sums[threadIdx.x] += sums[threadIdx.x + d];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = sums[0];
#ifndef WRONG
    __threadfence();
#endif
    isLast = atomicAdd(&count, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (isLast && threadIdx.x == 0) {
    float sum = 0;
    for (int i = 0; i < gridDim.x; ++i)
      sum += parts[i];
    *out = sum;
  }
}

// All meet; each reads what the next one has written.
__global__ void meet(float *parts, float *out) {
  if (threadIdx.x == 0)
    parts[blockIdx.x] = blockIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(&arrived, 1);
    while (*(volatile unsigned *)&arrived != gridDim.x)
      ;
    __threadfence();
  }
  __syncthreads();
  if (threadIdx.x == 63)
    out[blockIdx.x] = parts[(blockIdx.x + 1) % gridDim.x];
}

__global__ void locked(float *out) {
  if (threadIdx.x)
    return;
  while (atomicCAS(&lock, 0, 1))
    ;
  __threadfence();
  *out += 1;
  __threadfence();
  atomicExch(&lock, 0);
}

// One CTA after the other, as their flag says.
__global__ void chain(float *sums, int *flag) {
  float sum = threadIdx.x;
  if (blockIdx.x) {
    if (threadIdx.x == 0) {
      int seen;
      do
        asm volatile("ld.global.acquire.gpu.b32 %0, [%1];"
                     : "=r"(seen)
                     : "l"(flag)
                     : "memory");
      while (seen != blockIdx.x);
    }
    __syncthreads();
    sum += sums[63 - threadIdx.x];
    __syncthreads();
  }
  sums[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0)
    asm volatile("red.release.gpu.global.add.s32 [%0], 1;" ::"l"(flag)
                 : "memory");
}

int main() {
  float *in, *parts, *out;
  int *flag;
  cudaMallocManaged(&in, 8 * 64 * sizeof(float));
  cudaMallocManaged(&parts, 64 * sizeof(float));
  cudaMallocManaged(&out, 64 * sizeof(float));
  cudaMallocManaged(&flag, sizeof(int));
  *flag = 0;
  for (int i = 0; i < 8 * 64; ++i)
    in[i] = 1;
  lastBlock<<<8, 64>>>(in, parts, out);
  printf("last block: %d, %g\n", cudaDeviceSynchronize(), out[0]);
  meet<<<8, 64>>>(parts, out);
  printf("meet: %d, %g\n", cudaDeviceSynchronize(), out[7] + out[6]);
  out[0] = 0;
  locked<<<8, 64>>>(out);
  printf("locked: %d, %g\n", cudaDeviceSynchronize(), out[0]);
  chain<<<8, 64>>>(parts, flag);
  printf("chain: %d, %g\n", cudaDeviceSynchronize(), parts[0] + parts[63]);
}
