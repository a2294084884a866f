// Atomics and fences of all scopes, votes, shuffles, matches.
#include <cuda/atomic>
extern "C" __global__ void atomics(unsigned *u, unsigned long long *l, float *f,
                                   double *d) {
  unsigned i = threadIdx.x;
  atomicAdd(f, 1.0f);
  atomicAdd(d, 2.0);
  unsigned old = atomicCAS(u, i, i + 1);
  old ^= atomicExch_block(u + 1, old);
  l[0] = atomicMax(l + 1, (unsigned long long)old);
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> ref(u[2]);
  ref.fetch_add(1, cuda::memory_order_acq_rel);
  while (ref.load(cuda::memory_order_acquire) < 8)
    __nanosleep(20);
  __threadfence_system();
  unsigned mask = __ballot_sync(~0u, old & 1);
  old += __shfl_xor_sync(~0u, old, 3) + __popc(mask) + __activemask();
  old += __match_any_sync(~0u, old) + __reduce_add_sync(~0u, old);
  u[i] = old + clock() + __fns(mask, 0, 2);
}
