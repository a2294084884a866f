// 64- and 128-bit integers, carries, constant and local memory, surfaces of
// types.
__constant__ long long weights[3] = {1, -2, 0x7fffffffffffffffll};
__device__ float values[2][3] = {{1, 2}, {3, -0.0f, 1e30f}};
__device__ const char *text = "text";
__device__ __managed__ int managed = 3;
extern "C" __global__ void wide(unsigned __int128 *q, int n, float *f) {
  int local[64];
  for (int i = 0; i < 64; ++i)
    local[(i * n) & 63] = i;
  unsigned __int128 x = q[0] * q[1] + (unsigned __int128)weights[n];
  q[2] = x / 3 + local[n & 63] + text[n] + managed;
  f[0] = values[n][1] + sqrtf(f[1]) / f[2] + sinf(f[3]);
}
