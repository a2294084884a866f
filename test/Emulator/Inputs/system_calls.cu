// Device printf, assert, malloc, free. With an argument: what fails.
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void print(int value, const char *text) {
  printf("%d of %u: %5.2f|%-4s|%c|%lld|%%|%*d\n", value + int(threadIdx.x),
         blockDim.x, 1.25, text, 'x', 1ll << 40, 4, 7);
  int printed = printf("%s", "");
  if (threadIdx.x == 0)
    printf("counted %d\n", printed);
}

__global__ void allocate(int *out) {
  int *block = static_cast<int *>(malloc(100 * sizeof(int)));
  block[99] = threadIdx.x;
  out[threadIdx.x] = block[99];
  free(block);
  if (threadIdx.x == 0)
    out[32] = malloc(size_t(1) << 40) == nullptr;
}

__global__ void freeTwice() {
  void *block = malloc(16);
  free(block);
  free(block);
}

__global__ void claim(int n) { assert(n < int(threadIdx.x)); }

__global__ void printNothing() { printf("%s\n", (const char *)16); }

int main(int argc, char **argv) {
  int *out;
  char *text;
  cudaMalloc(&out, 33 * sizeof(int));
  cudaMalloc(&text, 8);
  cudaMemcpy(text, "abc", 4, cudaMemcpyHostToDevice);
  if (argc == 1) {
    print<<<1, 2>>>(3, text);
    allocate<<<1, 32>>>(out);
    int host[33], sum = 0;
    cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; ++i)
      sum += host[i];
    printf("sum %d, refused %d\n", sum, host[32]);
  } else if (!strcmp(argv[1], "assert")) {
    claim<<<1, 4>>>(1);
  } else if (!strcmp(argv[1], "free")) {
    freeTwice<<<1, 1>>>();
  } else {
    printNothing<<<1, 1>>>();
  }
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
