// RUN: ptxbench-opt %s -ptx-reachability | FileCheck %s

// gpu.func, loops and conditions of scf, indices of type index, nvgpu.

gpu.module @m {
  // CHECK-LABEL: gpu.func @structured
  gpu.func @structured(%n: index, %bar: !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %tid = gpu.thread_id x
    %first = arith.cmpi eq, %tid, %c0 : index
    scf.if %first {
      // CHECK: nvgpu.mbarrier.init
      // CHECK-SAME: ptx.reach = "some"
      // CHECK-SAME: of known_block_size 128, 1, 1) the thread with %tid.x = 0
      nvgpu.mbarrier.init %bar[%c0], %c1 : !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
    }
    // Nothing says that there is an iteration.
    scf.for %i = %c0 to %n step %c1 {
      // CHECK: nvvm.cp.async.commit.group
      // CHECK-SAME: ptx.reach = "maybe"
      nvvm.cp.async.commit.group
    }
    %warp = arith.divui %tid, %c32 : index
    %last = arith.cmpi uge, %warp, %c4 : index
    scf.if %last {
      // CHECK: nvvm.wgmma.fence.aligned
      // CHECK-SAME: ptx.reach = "never"
      nvvm.wgmma.fence.aligned
    } else {
      // CHECK: nvvm.cp.async.wait.group
      // CHECK-SAME: ptx.reach = "all"
      nvvm.cp.async.wait.group 0
    }
    // The result of a condition.
    %limit = scf.if %first -> index {
      scf.yield %c128 : index
    } else {
      scf.yield %c4 : index
    }
    %over = arith.cmpi ugt, %limit, %c128 : index
    scf.if %over {
      // CHECK: nvvm.cp.async.commit.group
      // CHECK-SAME: ptx.reach = "never"
      nvvm.cp.async.commit.group
    }
    gpu.return
  }

  // A loop of a known number of iterations, tested first.
  // CHECK-LABEL: gpu.func @counted
  gpu.func @counted() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    scf.while (%i = %c0) : (index) -> (index) {
      // CHECK: nvvm.wgmma.fence.aligned
      // CHECK-SAME: ptx.reach = "all"
      nvvm.wgmma.fence.aligned
      %next = arith.addi %i, %c1 : index
      %go = arith.cmpi ult, %next, %c8 : index
      scf.condition(%go) %next : index
    } do {
    ^bb0(%j: index):
      scf.yield %j : index
    }
    gpu.return
  }

  // Loops whose bounds say that there is an iteration, and how many; that there
  // is none; that there is one of unsigned numbers only.
  // CHECK-LABEL: gpu.func @constant_bounds
  gpu.func @constant_bounds() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c8 = arith.constant 8 : index
    %none = arith.constant -1 : i32
    %zero = arith.constant 0 : i32
    %some = arith.constant 1 : i32
    %sum = scf.for %i = %c0 to %c8 step %c3 iter_args(%s = %c0) -> (index) {
      // CHECK: nvvm.wgmma.fence.aligned
      // CHECK-SAME: ptx.reach = "all"
      // CHECK-SAME: ptx.reach_threads = 96
      nvvm.wgmma.fence.aligned
      %next = arith.addi %s, %c8 : index
      %small = arith.cmpi ult, %i, %c8 : index
      scf.if %small {
        scf.for %j = %c0 to %c3 step %c1 {
          // CHECK: nvvm.cp.async.commit.group
          // CHECK-SAME: ptx.reach = "all"
          nvvm.cp.async.commit.group
        }
      }
      scf.yield %next : index
    }
    %positive = arith.cmpi uge, %sum, %c8 : index
    scf.if %positive {
      // CHECK: nvvm.cp.async.wait.group
      nvvm.cp.async.wait.group 0
    }
    scf.for %i = %c8 to %c8 step %c1 {
      // CHECK: nvvm.wgmma.fence.aligned
      // CHECK-SAME: ptx.reach = "never"
      nvvm.wgmma.fence.aligned
    }
    // From 0 to 2^32 - 1 in steps of 1: signed, that is -1, and no iteration.
    scf.for %i = %zero to %none step %some : i32 {
      // CHECK: nvvm.cp.async.commit.group
      // CHECK-SAME: ptx.reach = "never"
      nvvm.cp.async.commit.group
    }
    scf.for unsigned %i = %zero to %none step %some : i32 {
      // CHECK: nvvm.cp.async.commit.group
      // CHECK-SAME: ptx.reach = "all"
      nvvm.cp.async.commit.group
    }
    gpu.return
  }

  // A body that nobody knows how often, and whether, it is executed.
  // CHECK-LABEL: gpu.func @unknown_region
  gpu.func @unknown_region(%lane: index) kernel {
    gpu.warp_execute_on_lane_0(%lane)[32] {
      // CHECK: nvvm.cp.async.commit.group
      // CHECK-SAME: ptx.reach = "maybe"
      // CHECK-SAME: what 'gpu.warp_execute_on_lane_0' at line {{[0-9]+}} does with its body is not known
      nvvm.cp.async.commit.group
    }
    gpu.return
  }

  // Iterations that may be those of several threads are no loop.
  // CHECK-LABEL: gpu.func @parallel
  gpu.func @parallel() kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
      scf.for %j = %c0 to %c4 step %c1 {
        // CHECK: nvvm.cp.async.commit.group
        // CHECK-SAME: ptx.reach = "maybe"
        nvvm.cp.async.commit.group
      }
    }
    scf.forall (%i) in (4) {
      // CHECK: nvvm.cp.async.commit.group
      // CHECK-SAME: ptx.reach = "maybe"
      // CHECK-SAME: what 'scf.forall'
      nvvm.cp.async.commit.group
    }
    gpu.return
  }
}

gpu.module @functions {
  // Without a kernel there is no verdict.
  // CHECK-LABEL: gpu.func @device
  gpu.func @device() {
    // CHECK-NOT: ptx.reach
    nvvm.cp.async.commit.group
    gpu.return
  }
}

gpu.module @prefetch {
  // A prefetch of a tensor map is for TMA; others bring data into a cache.
  // CHECK-LABEL: llvm.func @prefetches
  llvm.func @prefetches(%map: !llvm.ptr, %p: i1) attributes {nvvm.kernel} {
    // CHECK: nvvm.prefetch tensormap, %{{[^{]*}} {ptx.reach = "all"
    nvvm.prefetch tensormap, %map : !llvm.ptr
    // CHECK: nvvm.prefetch level = L1
    // CHECK-NOT: ptx.reach
    nvvm.prefetch level = L1, %map : !llvm.ptr
    // CHECK: llvm.return
    llvm.return
  }

  // CHECK-LABEL: gpu.func @descriptor
  gpu.func @descriptor(%map: !nvgpu.tensormap.descriptor<tensor = memref<64x8xf16, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>,
                       %p: i1) kernel {
    // CHECK: nvgpu.tma.prefetch.descriptor
    // CHECK-SAME: ptx.reach = "all"
    nvgpu.tma.prefetch.descriptor %map : !nvgpu.tensormap.descriptor<tensor = memref<64x8xf16, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
    // CHECK: nvgpu.tma.prefetch.descriptor
    // CHECK-SAME: ptx.reach = "maybe"
    nvgpu.tma.prefetch.descriptor %map, predicate = %p : !nvgpu.tensormap.descriptor<tensor = memref<64x8xf16, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
    gpu.return
  }
}
