// REQUIRES: plugin
// Our passes among those of a stock mlir-opt: a kernel of the gpu dialect is
// lowered, and analysed before and after.

// RUN: mlir-opt %s %plugin_options -o %t.mlir \
// RUN:   --pass-pipeline='builtin.module(ptxbench-analyze{output=%t.before},gpu.module(convert-gpu-to-nvvm),ptxbench-analyze{output=%t.after})'
// RUN: FileCheck %s --check-prefix=BEFORE < %t.before
// RUN: FileCheck %s --check-prefix=AFTER < %t.after
// RUN: FileCheck %s < %t.mlir
// What was written can be read again, as text and as bytecode.
// RUN: mlir-opt %t.mlir %plugin_options --verify-roundtrip | FileCheck %s
// RUN: mlir-opt %t.mlir %plugin_options --emit-bytecode -o %t.mlirbc
// RUN: mlir-opt %t.mlirbc %plugin_options | FileCheck %s

// BEFORE: pipeline.mlir:[[#@LINE+12]]:3: kernel k
// BEFORE-NEXT: mbarrier: 1 of 1 can execute
// BEFORE-NEXT: wgmma: 0 of 1 can execute
// BEFORE-NEXT: pipeline.mlir:[[#@LINE+16]]:5: mbarrier.inval.shared::cta.b64: all
// BEFORE-NEXT: pipeline.mlir:[[#@LINE+22]]:7: nvvm.wgmma.fence.aligned: never
// AFTER: kernel k
// AFTER-NEXT: mbarrier: 1 of 1 can execute
// AFTER-NEXT: wgmma: 0 of 1 can execute
// AFTER-NEXT: mbarrier.inval.shared::cta.b64: all
// AFTER-NEXT: nvvm.wgmma.fence.aligned: never
// CHECK: llvm.func @k(
gpu.module @m {
  gpu.func @k(%bar: !llvm.ptr<3>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %tid = gpu.thread_id x
    %c128 = arith.constant 128 : index
    // CHECK: ptx.inline "r,~{memory}"
    // CHECK: ptx.mbarrier.inval
    // CHECK-SAME: ptx.reach = "all"
    llvm.inline_asm has_side_effects "mbarrier.inval.shared::cta.b64 [$0];",
      "r,~{memory}" %bar : (!llvm.ptr<3>) -> ()
    %past = arith.cmpi uge, %tid, %c128 : index
    cf.cond_br %past, ^fence, ^end
  ^fence:
      // CHECK: nvvm.wgmma.fence.aligned
      // CHECK-SAME: ptx.reach = "never"
      nvvm.wgmma.fence.aligned
      cf.br ^end
  ^end:
    gpu.return
  }
}
