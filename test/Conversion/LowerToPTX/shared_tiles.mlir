// Shared variables that may be tiles of TMA begin where one can begin, in
// whatever order upstream's lowering puts them: memref.global asks for the
// alignment of an element, and an mbarrier of 8 bytes comes in front of it.

// RUN: ptxbench-opt %s --pass-pipeline='builtin.module(ptxbench-lower{target=sm_90a})' \
// RUN:   | ptxbench-translate --export-ptx | FileCheck %s
// RUN: sed -e 's/64x64xf16/50x251xf16/g' -e 's/34xf32/5975xf32/g' %s > %t.large.mlir
// RUN: ptxbench-opt %t.large.mlir --pass-pipeline='builtin.module(ptxbench-lower{target=sm_90a})' \
// RUN:   | ptxbench-translate --export-ptx | FileCheck %s --check-prefix=LARGE
// RUN: sed -e 's/64x64xf16/50x251xf16/g' -e 's/34xf32/6000xf32/g' %s > %t.full.mlir
// RUN: ptxbench-opt %t.full.mlir --pass-pipeline='builtin.module(ptxbench-lower{target=sm_90a})' \
// RUN:   | ptxbench-translate --export-ptx | FileCheck %s --check-prefix=FULL

// CHECK: .entry tiles(
// CHECK: .shared .align 1024 .b8 tile[8192];
// CHECK-NEXT: .shared .align 128 .b8 row[136];
// CHECK-NEXT: .shared .align 8 .b8 __mbarrier[8];
// CHECK-NEXT: .shared .align 4 .b8 word[4];
// What another kernel uses takes no room from this one.
// CHECK: .entry others(
// CHECK: .shared .align 1024 .b8 other[48000];
// Of 48 KiB, 1024 would take too much.
// LARGE: .shared .align 128 .b8 row[23900];
// LARGE-NEXT: .shared .align 128 .b8 tile[25100];
// And here 128, too.
// FULL: .entry tiles(
// FULL-NOT: .shared .align {{128|1024}}
// FULL: .entry others(
!barrier = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
gpu.module @m {
  memref.global "private" @word : memref<1xf32, 3>
  memref.global "private" @row : memref<34xf32, 3>
  memref.global "private" @tile : memref<64x64xf16, 3>
  memref.global "private" @other : memref<12000xf32, 3>
  gpu.func @tiles(%x: f16, %y: f32, %outx: memref<1xf16>, %outy: memref<1xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %bar = nvgpu.mbarrier.create -> !barrier
    nvgpu.mbarrier.init %bar[%c0], %c1 : !barrier
    %tile = memref.get_global @tile : memref<64x64xf16, 3>
    %row = memref.get_global @row : memref<34xf32, 3>
    %word = memref.get_global @word : memref<1xf32, 3>
    memref.store %x, %tile[%c0, %t] : memref<64x64xf16, 3>
    memref.store %y, %row[%t] : memref<34xf32, 3>
    memref.store %y, %word[%t] : memref<1xf32, 3>
    gpu.barrier
    %u = memref.load %tile[%c0, %c1] : memref<64x64xf16, 3>
    %v = memref.load %row[%c1] : memref<34xf32, 3>
    %w = memref.load %word[%c0] : memref<1xf32, 3>
    %s = arith.addf %v, %w : f32
    memref.store %u, %outx[%c0] : memref<1xf16>
    memref.store %s, %outy[%c0] : memref<1xf32>
    gpu.return
  }
  gpu.func @others(%y: f32, %out: memref<1xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %other = memref.get_global @other : memref<12000xf32, 3>
    memref.store %y, %other[%t] : memref<12000xf32, 3>
    gpu.barrier
    %v = memref.load %other[%c1] : memref<12000xf32, 3>
    memref.store %v, %out[%c0] : memref<1xf32>
    gpu.return
  }
}
