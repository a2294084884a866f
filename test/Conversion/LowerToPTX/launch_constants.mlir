// Constants that stand around a launch are known in its kernel: what they guard
// has a proof, before and behind the lowering. Other values are parameters.

// RUN: ptxbench-opt %s -o %t.mlir \
// RUN:   --pass-pipeline='builtin.module(ptxbench-lower{target=sm_90a},ptxbench-analyze{output=-})' \
// RUN:   | FileCheck %s
// RUN: ptxbench-opt %s -o %t.mlir \
// RUN:   --pass-pipeline='builtin.module(ptxbench-analyze{output=-})' \
// RUN:   | FileCheck %s --check-prefix=BEFORE
// RUN: ptxbench-opt %s \
// RUN:   --pass-pipeline='builtin.module(ptxbench-lower{target=sm_90a form=binary})' \
// RUN:   | FileCheck %s --check-prefix=BINARY
// RUN: mlir-ptxbench-runner analyze %s --no-ptxas | FileCheck %s --check-prefix=REPORT

// CHECK: kernel host_kernel
// BEFORE: kernel host_kernel
// One parameter for the value that is given and one for that which is computed.
// BINARY: gpu.launch_func @host_kernel::@host_kernel blocks in
// BINARY-SAME: args(%{{[0-9a-z]+}} : index, %{{[0-9a-z]+}} : index)
// BINARY: .entry host_kernel(
// BINARY-NOT: host_kernel_param_2
// REPORT: wgmma: 1 of 1 can execute (proved: every thread does)
func.func @host(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %c200 = arith.constant 200 : index
  %twice = arith.addi %n, %n : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    // Behind the lowering it is gone.
    // BEFORE: launch_constants.mlir:[[#@LINE+4]]:7: nvvm.wgmma.fence.aligned: never
    // CHECK-NOT: wgmma.fence
    %past = arith.cmpi uge, %tx, %c200 : index
    scf.if %past {
      nvvm.wgmma.fence.aligned
    }
    // BEFORE: launch_constants.mlir:[[#@LINE+3]]:7: nvvm.wgmma.commit.group.sync.aligned: all
    // CHECK: launch_constants.mlir:[[#@LINE+2]]:7: wgmma.commit_group.sync.aligned: all
    scf.for %i = %c0 to %c1 step %c1 {
      nvvm.wgmma.commit.group.sync.aligned
    }
    // BEFORE: launch_constants.mlir:[[#@LINE+4]]:7: nvvm.griddepcontrol{{.*}}: maybe: {{.*}} not known
    // CHECK: launch_constants.mlir:[[#@LINE+3]]:7: griddepcontrol.wait: maybe: {{.*}} not known
    %given = arith.cmpi ult, %tx, %n : index
    scf.if %given {
      nvvm.griddepcontrol wait
    }
    // BEFORE: launch_constants.mlir:[[#@LINE+4]]:7: nvvm.cp.async.commit.group: maybe: {{.*}} not known
    // CHECK: launch_constants.mlir:[[#@LINE+3]]:7: cp.async.commit_group: maybe: {{.*}} not known
    %computed = arith.cmpi ult, %tx, %twice : index
    scf.if %computed {
      nvvm.cp.async.commit.group
    }
    gpu.terminator
  }
  return
}
