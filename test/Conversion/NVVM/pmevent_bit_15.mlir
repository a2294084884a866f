// RUN: ptxbench-opt %s -convert-nvvm-to-ptx=strict=1 -ptx-export-inline-asm | %mlir-translate --mlir-to-llvmir | %llc -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90a -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %ptxas -arch=sm_90a %t.ptx -o %t.cubin
// RUN: ptxbench-opt %s -convert-nvvm-to-ptx -convert-ptx-to-nvvm -o %t.left.mlir 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s --check-prefix=LEFT < %t.left.mlir
// RUN: %mlir-opt %s --convert-nvvm-to-llvm | %mlir-translate --mlir-to-llvmir | %llc -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90a -o %t.upstream.ptx
// RUN: not %ptxas -arch=sm_90a %t.upstream.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=UPSTREAM
// REQUIRES: ptxas, llc, mlir-opt, mlir-translate

// Upstream's lowering writes a mask with its highest bit as a negative number.

// CHECK: pmevent 15;
// CHECK: pmevent.mask 32769;
// CHECK: pmevent.mask 32767;
// REMARK-COUNT-2: remark: stays PTX: upstream's lowering of 'nvvm.pmevent' writes a mask with bit 15 as a negative number
// REMARK-NOT: remark:
// LEFT: nvvm.pmevent mask = 32767
// UPSTREAM-COUNT-2: error
llvm.func @events() attributes {nvvm.kernel} {
  nvvm.pmevent id = 15
  nvvm.pmevent mask = 32769
  nvvm.pmevent mask = 32767
  llvm.return
}
