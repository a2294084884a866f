// A predicate that is a constant: upstream's lowering would write it into the
// text, where PTX has no constants.

// RUN: ptxbench-opt %s --pass-pipeline='builtin.module(ptxbench-lower{target=sm_90a})' \
// RUN:   | ptxbench-translate --export-ptx | FileCheck %s
// RUN: ptxbench-opt %s -o %t.mlir \
// RUN:   --pass-pipeline='builtin.module(ptxbench-analyze{output=-},ptxbench-lower{target=sm_90a},ptxbench-analyze{output=-})' \
// RUN:   | FileCheck %s --check-prefix=VERDICTS

// CHECK: {{^[[:space:]]*}}mbarrier.init.shared.b64
// CHECK-NOT: mbarrier.init
// CHECK: @%{{p[0-9]+}} mbarrier.init.shared.b64
// CHECK: {{^[[:space:]]*}}mbarrier.arrive.expect_tx
// CHECK-NOT: mbarrier
gpu.module @m {
  llvm.func @k(%s: !llvm.ptr<3>, %n: i32, %p: i1) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
    %true = llvm.mlir.constant(true) : i1
    %false = llvm.mlir.constant(false) : i1
    // VERDICTS: known_predicates.mlir:[[#@LINE+1]]:5: nvvm.mbarrier.init: all
    nvvm.mbarrier.init %s, %n, predicate = %true : !llvm.ptr<3>, i32, i1
    // VERDICTS: known_predicates.mlir:[[#@LINE+1]]:5: nvvm.mbarrier.init: never
    nvvm.mbarrier.init %s, %n, predicate = %false : !llvm.ptr<3>, i32, i1
    // VERDICTS: known_predicates.mlir:[[#@LINE+1]]:5: nvvm.mbarrier.init: maybe
    nvvm.mbarrier.init %s, %n, predicate = %p : !llvm.ptr<3>, i32, i1
    // VERDICTS: known_predicates.mlir:[[#@LINE+1]]:5: nvvm.mbarrier.arrive.expect_tx: all
    nvvm.mbarrier.arrive.expect_tx %s, %n, predicate = %true : !llvm.ptr<3>, i32, i1
    // And behind the lowering.
    // VERDICTS: known_predicates.mlir:[[#@LINE-8]]:5: mbarrier.init.shared.b64: all
    // VERDICTS: known_predicates.mlir:[[#@LINE-5]]:5: mbarrier.init.shared.b64: maybe
    // VERDICTS: known_predicates.mlir:[[#@LINE-4]]:5: mbarrier.arrive.expect_tx{{.*}}: all
    llvm.return
  }
}
