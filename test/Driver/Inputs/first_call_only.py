#!/usr/bin/env python3
# Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a candidate whose first call is a solution's, and whose others are on
CUDA cores.

usage: first_call_only.py SOLUTION OUT

SOLUTION is solutions/wgmma_tma.cu of gemm_n7168_k5120. Exit status 1 if it does
not look as expected.
"""

import pathlib
import sys

KERNEL = """
__global__ void plainGemm(const __nv_bfloat16 *a, const __nv_bfloat16 *b,
                          __nv_bfloat16 *c, int n, int k) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum = fmaf(float(a[size_t(row) * k + i]), float(b[size_t(column) * k + i]),
               sum);
  c[size_t(row) * n + column] = __float2bfloat16(sum);
}

void run("""
LATER = """  static int calls = 0;
  if (calls++) {
    auto later = static_cast<cudaStream_t>(TVMFFIEnvGetStream(
        a.device().device_type, a.device().device_id));
    plainGemm<<<dim3(kN / 128, unsigned(m)), 128, 0, later>>>(
        static_cast<const __nv_bfloat16 *>(dataOf(a)),
        static_cast<const __nv_bfloat16 *>(dataOf(b)),
        static_cast<__nv_bfloat16 *>(dataOf(c)), kN, kK);
    return;
  }
"""


def main():
    text = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
    for old, new in (
        ("\nvoid run(", KERNEL),
        ('  checkMatrix(a, "A", m, kK);\n', LATER + '  checkMatrix(a, "A", m, kK);\n'),
    ):
        if text.count(old) != 1:
            sys.exit(f"first_call_only.py: {sys.argv[1]} has no single {old!r}")
        text = text.replace(old, new)
    pathlib.Path(sys.argv[2]).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
