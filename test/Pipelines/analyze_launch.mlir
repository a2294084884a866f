// A kernel that stands in the function that launches it, with the loops and the
// nvgpu operations that kernels are written with.
// RUN: ptxbench-opt %s -ptxbench-analyze='output=-' -o %t.mlir | FileCheck %s
// RUN: FileCheck %s --check-prefix=MODULE < %t.mlir

// CHECK: analyze_launch.mlir:[[#@LINE+16]]:3: kernel host_kernel
// CHECK-NEXT: mbarrier: 1 of 1 can execute
// CHECK-NEXT: wgmma: 0 of 1 can execute
// CHECK-NEXT: cp.async: 1 of 1 can execute
// CHECK-NEXT: nvgpu.mbarrier.init: some (cta): {{.*}}known_block_size 128, 1, 1
// CHECK-NEXT: nvvm.wgmma.fence.aligned: never
// CHECK-NEXT: nvvm.cp.async.commit.group: all

// MODULE: gpu.launch_func @host_kernel::@host_kernel
// MODULE: gpu.func @host_kernel
// MODULE: nvgpu.mbarrier.init {{.*}}ptx.reach = "some"
func.func @host() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c4, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%x = %c128, %y = %c1, %z = %c1) {
    %bar = nvgpu.mbarrier.create -> !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
    %first = arith.cmpi eq, %tx, %c0 : index
    scf.if %first {
      nvgpu.mbarrier.init %bar[%c0], %c1 : !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
    }
    %past = arith.cmpi uge, %tx, %c128 : index
    scf.if %past {
      nvvm.wgmma.fence.aligned
    }
    scf.for %i = %c0 to %c4 step %c1 {
      nvvm.cp.async.commit.group
    }
    gpu.terminator
  }
  return
}
