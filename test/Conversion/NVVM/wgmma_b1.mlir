// RUN: ptxbench-opt %s -convert-nvvm-to-ptx=strict=1 -ptx-export-inline-asm | %mlir-translate --mlir-to-llvmir | %llc -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90a -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %ptxas -arch=sm_90a %t.ptx -o %t.cubin
// RUN: %mlir-opt %s --convert-nvvm-to-llvm | %mlir-translate --mlir-to-llvmir | %llc -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90a -o %t.upstream.ptx
// RUN: not %ptxas -arch=sm_90a %t.upstream.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=UPSTREAM
// RUN: ptxbench-opt %s -convert-nvvm-to-ptx -convert-ptx-to-nvvm -o %t.left.mlir 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: ptxbench-opt %t.left.mlir -ptx-export-inline-asm | %mlir-opt --convert-nvvm-to-llvm | %mlir-translate --mlir-to-llvmir | %llc -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90a -o %t.left.ptx
// RUN: FileCheck %s < %t.left.ptx
// RUN: %ptxas -arch=sm_90a %t.left.ptx -o %t.cubin
// REQUIRES: ptxas, llc, mlir-opt, mlir-translate

// An instruction of b1 has to say how bits are multiplied and added. Upstream's
// lowering does not, so it stays PTX on the way back; what is around it does not.

// CHECK: wgmma.mma_async.sync.aligned.m64n8k256.s32.b1.b1.and.popc
// REMARK: remark: stays PTX: upstream's lowering of 'nvvm.wgmma.mma_async' of b1 leaves out .and.popc
// UPSTREAM: Boolean operation is required
llvm.func @b1(%a: i64, %b: i64, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %0 = llvm.mlir.zero : !llvm.struct<(i32, i32, i32, i32)>
  nvvm.wgmma.fence.aligned
  %1 = nvvm.wgmma.mma_async %a, %b, %0, #nvvm.shape<m = 64, n = 8, k = 256>,
         D[#nvvm.wgmma_type<s32>, #nvvm.wgmma_scale_out<one>],
         A[#nvvm.wgmma_type<b1>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<row>],
         B[#nvvm.wgmma_type<b1>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<col>]
       : !llvm.struct<(i32, i32, i32, i32)> -> !llvm.struct<(i32, i32, i32, i32)>
  nvvm.wgmma.commit.group.sync.aligned
  nvvm.wgmma.wait.group.sync.aligned 0
  llvm.store %1, %out : !llvm.struct<(i32, i32, i32, i32)>, !llvm.ptr<1>
  llvm.return
}
