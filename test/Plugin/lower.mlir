// REQUIRES: plugin
// A stock mlir-opt lowers kernels to PTX with the plugin, and says of the
// instructions which operations they come from.

// RUN: mlir-opt %s %plugin_options -o %t.mlir \
// RUN:   --pass-pipeline='builtin.module(ptxbench-lower{target=sm_90a},ptxbench-analyze{output=%t.verdicts})'
// RUN: FileCheck %s --check-prefix=VERDICTS < %t.verdicts
// RUN: ptxbench-translate --export-ptx %t.mlir | FileCheck %s
// The same text as from ptxbench-opt.
// RUN: ptxbench-opt %s -o %t.ours.mlir \
// RUN:   --pass-pipeline='builtin.module(ptxbench-lower{target=sm_90a},ptxbench-analyze{print=false})'
// RUN: diff %t.mlir %t.ours.mlir

// RUN: not mlir-opt %s %plugin_options \
// RUN:   --pass-pipeline='builtin.module(ptxbench-lower{target=sm_70})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TARGET
// TARGET: lower.mlir:{{.*}}: error: {{.*}}sm_70

// VERDICTS: kernel k
// VERDICTS: lower.mlir:[[#@LINE+7]]:5: wgmma.fence.sync.aligned: all
// VERDICTS: lower.mlir:[[#@LINE+11]]:7: griddepcontrol.wait: maybe
// CHECK: .target sm_90a
// CHECK: .entry k(
// CHECK: wgmma.fence.sync.aligned;
gpu.module @m {
  gpu.func @k(%n: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    nvvm.wgmma.fence.aligned
    %tid = gpu.thread_id x
    %i = arith.index_castui %tid : index to i32
    %p = arith.cmpi eq, %i, %n : i32
    scf.if %p {
      nvvm.griddepcontrol wait
    }
    gpu.return
  }
}
