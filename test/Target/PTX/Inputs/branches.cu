// A dense switch, loops with several exits, nested conditions.
extern "C" __global__ void branches(int *out, const int *in, int n) {
  int acc = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    switch (in[i]) {
    case 0: acc += 7; break;
    case 1: acc ^= i; break;
    case 2: acc = acc * 3 + 1; break;
    case 3: continue;
    case 4: acc -= in[i + 1]; break;
    case 5: acc <<= 2; break;
    case 6: out[i] = acc; break;
    case 7: goto done;
    case 8: acc = ~acc; break;
    default:
      while (acc > 100) {
        acc /= 3;
        if (acc == 42)
          return;
      }
    }
  }
done:
  out[threadIdx.x] = acc;
}
