// Calls: direct, recursive, through pointers, by value, with many parameters.
struct Pair { int a; double b; char c[5]; };
__device__ __noinline__ int twice(int x) { return 2 * x; }
__device__ __noinline__ int thrice(int x) { return 3 * x; }
__device__ __noinline__ Pair make(int a, double b) {
  Pair p{a, b, {1, 2, 3, 4, (char)a}};
  return p;
}
__device__ __noinline__ int sum(Pair p) { return p.a + (int)p.b + p.c[4]; }
__device__ __noinline__ unsigned fib(unsigned n) {
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
typedef int (*Fn)(int);
__device__ Fn table[2] = {twice, thrice};
extern "C" __global__ void calls(int *out, int which) {
  int x = table[which](threadIdx.x);
  x += sum(make(x, 1.5));
  x += fib(which);
  out[threadIdx.x] = x;
}
