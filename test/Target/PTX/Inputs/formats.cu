// Half precision, bfloat16, eight-bit formats, packed arithmetic.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
extern "C" __global__ void formats(__half2 *h, __nv_bfloat162 *b,
                                   __nv_fp8_e4m3 *q, float *f) {
  int i = threadIdx.x;
  __half2 x = __hfma2(h[i], h[i + 1], __float2half2_rn(0.5f));
  h[i] = __hmax2(x, h2exp2(x));
  b[i] = __hmul2(b[i], __float22bfloat162_rn({f[i], f[i + 1]}));
  q[i] = __nv_fp8_e4m3(f[i] * 2.0f);
  f[i] = float(q[i + 1]) + __half2float(__low2half(x)) + __expf(f[i]);
}
