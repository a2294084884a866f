// RUN: ptxbench-opt %s -ptx-reachability | FileCheck %s

// A reason names operations that the file has, also where the analysis made
// branches of them, and no value by itself.

gpu.module @m {
  // CHECK-LABEL: gpu.func @structured
  gpu.func @structured(%n: i32) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c = arith.constant 1023 : index
    %tid = gpu.thread_id x
    %p = arith.cmpi ugt, %tid, %c : index
    scf.if %p {
      // CHECK: cp.async.wait.group 1 {{.*}}"'scf.if' at line [[#@LINE-1]] is never taken: 'arith.cmpi' at line [[#@LINE-2]] is false, since the result of 'gpu.thread_id' at line [[#@LINE-3]] (%tid.x)
      nvvm.cp.async.wait.group 1
    }
    %m = arith.index_cast %n : i32 to index
    scf.for %i = %c0 to %m step %c1 {
      // CHECK: cp.async.wait.group 2 {{.*}}"{{[^"]*}}'scf.for' at line [[#@LINE-1]] may lead past it
      nvvm.cp.async.wait.group 2
    }
    scf.for %i = %c1 to %c1 step %c1 {
      // CHECK: cp.async.wait.group 3 {{.*}}"'scf.for' at line [[#@LINE-1]] is {{never|always}} taken: the condition of 'scf.for' at line [[#@LINE-1]] is false
      nvvm.cp.async.wait.group 3
    }
    // True is -1: it is never 1, whatever %b is.
    %b = arith.cmpi ugt, %tid, %c1 : index
    %number = arith.index_cast %b : i1 to index
    %q = arith.cmpi eq, %number, %c1 : index
    scf.if %q {
      // CHECK: cp.async.wait.group 4 {{.*}}"'scf.if' at line [[#@LINE-1]] is never taken: 'arith.cmpi' at line [[#@LINE-2]] is false, since the result of 'arith.index_cast' at line [[#@LINE-3]] is in [-1, 0] and
      nvvm.cp.async.wait.group 4
    }
    gpu.return
  }
}

// As upstream's lowering leaves it: no circle.
// CHECK-LABEL: llvm.func @lowered
llvm.func @lowered(%n: i32) attributes {nvvm.kernel} {
  %0 = nvvm.read.ptx.sreg.tid.x : i32
  %tid = llvm.sext %0 : i32 to i64
  %c = llvm.mlir.constant(1023 : i64) : i64
  %p = llvm.icmp "ugt" %tid, %c : i64
  llvm.cond_br %p, ^bb1, ^bb2
^bb1:
  // CHECK: cp.async.wait.group 1 {{.*}}since the result of 'llvm.sext' at line [[#@LINE-5]] (%tid.x) is in [0, 1023] (the limit of the ISA) and
  nvvm.cp.async.wait.group 1
  llvm.br ^bb2
^bb2:
  %seven = llvm.mlir.constant(7 : i32) : i32
  %masked = llvm.and %n, %seven : i32
  %wide = llvm.zext %masked : i32 to i64
  %q = llvm.icmp "ugt" %wide, %c : i64
  llvm.cond_br %q, ^bb3, ^bb4
^bb3:
  // CHECK: cp.async.wait.group 2 {{.*}}since the result of 'llvm.zext' at line [[#@LINE-4]] is in [0, 7] ('llvm.and' at line [[#@LINE-5]]) and
  nvvm.cp.async.wait.group 2
  llvm.br ^bb4
^bb4:
  %r = llvm.icmp "ugt" %masked, %seven : i32
  llvm.cond_br %r, ^bb5, ^bb6
^bb5:
  // CHECK: cp.async.wait.group 3 {{.*}}since the result of 'llvm.and' at line [[#@LINE-12]] is in [0, 7] and
  nvvm.cp.async.wait.group 3
  llvm.br ^bb6
^bb6:
  llvm.return
}
