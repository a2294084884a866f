// A grid whose CTAs wait for each other, twice, with cooperative groups; how it
// is launched is the argument.

#include <cooperative_groups.h>
#include <cstdio>
#include <cstring>

namespace cg = cooperative_groups;

/// Every CTA adds its number + 1; then each reads what all have added.
__global__ void total(unsigned *sum, unsigned *seen) {
  cg::grid_group grid = cg::this_grid();
  for (unsigned round = 0; round < 2; ++round) {
    if (threadIdx.x == 0)
      atomicAdd(sum, blockIdx.x + 1);
    grid.sync();
    if (threadIdx.x == 0)
      seen[2 * blockIdx.x + round] = *sum;
    grid.sync();
  }
}

static cudaError_t launch(const char *how, unsigned ctas, unsigned *sum,
                          unsigned *seen) {
  void *arguments[] = {&sum, &seen};
  if (!strcmp(how, "plain"))
    return cudaLaunchKernel(reinterpret_cast<void *>(total), ctas, 64,
                            arguments, 0, nullptr);
  if (!strcmp(how, "attribute")) {
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = ctas;
    config.blockDim = 64;
    config.attrs = &attribute;
    config.numAttrs = 1;
    return cudaLaunchKernelExC(&config, reinterpret_cast<void *>(total),
                               arguments);
  }
  return cudaLaunchCooperativeKernel(reinterpret_cast<void *>(total), ctas, 64,
                                     arguments, 0, nullptr);
}

int main(int, char **argv) {
  unsigned ctas = !strcmp(argv[1], "large") ? 10000 : 40;
  unsigned *sum, *seen;
  cudaMallocManaged(&sum, 4);
  cudaMallocManaged(&seen, 8 * ctas);
  *sum = 0;
  cudaError_t launched = launch(argv[1], ctas, sum, seen);
  printf("launch: %s\n", cudaGetErrorName(launched));
  printf("wait: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  unsigned right = 0;
  for (unsigned i = 0; i < ctas; ++i)
    right += seen[2 * i] == 820 && seen[2 * i + 1] == 1640;
  printf("right: %u\n", right);
}
