// RUN: ptxbench-opt %s -ptxbench-lower | ptxbench-translate --export-ptx | FileCheck %s

// A predicate that is a constant, as canonicalization makes it, is a register
// in PTX, not an immediate operand of inline assembly.

gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  // CHECK-LABEL: .entry constants
  // CHECK: @%p{{[0-9]+}} mbarrier.init
  // CHECK: @%p{{[0-9]+}} mbarrier.arrive.expect_tx
  // CHECK: @%p{{[0-9]+}} prefetch.tensormap
  llvm.func @constants(%b: !llvm.ptr<3>, %g: !llvm.ptr, %n: i32) attributes {nvvm.kernel} {
    %t = llvm.mlir.constant(true) : i1
    %f = llvm.mlir.constant(false) : i1
    nvvm.mbarrier.init %b, %n, predicate = %t : !llvm.ptr<3>, i32, i1
    nvvm.mbarrier.arrive.expect_tx %b, %n, predicate = %f : !llvm.ptr<3>, i32, i1
    nvvm.prefetch tensormap, %g, predicate = %t : !llvm.ptr, i1
    llvm.return
  }

  // One that is none is the same register as before.
  // CHECK-LABEL: .entry variable
  // CHECK: setp
  // CHECK-NOT: setp
  // CHECK: @%p{{[0-9]+}} mbarrier.init
  llvm.func @variable(%b: !llvm.ptr<3>, %n: i32) attributes {nvvm.kernel} {
    %z = llvm.mlir.constant(0 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %p = llvm.icmp "eq" %t, %z : i32
    nvvm.mbarrier.init %b, %n, predicate = %p : !llvm.ptr<3>, i32, i1
    llvm.return
  }
}
