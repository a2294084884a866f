// Cooperative groups: tiles, blocks, clusters, distributed shared memory.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void __cluster_dims__(2, 1, 1)
    __launch_bounds__(128, 2) groups(float *out) {
  __shared__ float part[4];
  extern __shared__ float dynamic[];
  auto cluster = cg::this_cluster();
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  float v = dynamic[block.thread_rank()];
  for (int i = warp.size() / 2; i > 0; i /= 2)
    v += warp.shfl_down(v, i);
  if (warp.thread_rank() == 0)
    part[warp.meta_group_rank()] = v;
  cluster.sync();
  float *other = cluster.map_shared_rank(part, cluster.block_rank() ^ 1);
  if (block.thread_rank() < 4)
    atomicAdd(out, other[block.thread_rank()]);
  cluster.sync();
}
