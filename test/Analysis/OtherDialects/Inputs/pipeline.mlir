// A kernel with roles: a thread that sets barriers up, a warp that copies, warps
// that multiply, and code that no thread comes to. The thread index comes from
// inline assembly, so that LLVM cannot remove what is dead.
module attributes {gpu.container_module} {
gpu.module @kernels [#nvvm.target<chip = "sm_90a", features = "+ptx80">] {
  gpu.func @pipeline(%map: !llvm.ptr, %src: !llvm.ptr<1>, %dst: !llvm.ptr<3>, %bar: !llvm.ptr<3>, %n: i32)
      kernel attributes {known_block_size = array<i32: 192, 1, 1>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c5 = arith.constant 5 : i32
    %c32 = arith.constant 32 : i32
    %c1024 = arith.constant 1024 : i32
    %tid = llvm.inline_asm has_side_effects "mov.u32 $0, %tid.x;", "=r" : () -> i32
    %warp = arith.divui %tid, %c32 : i32

    %first = arith.cmpi eq, %tid, %c0 : i32
    scf.if %first {
      nvvm.mbarrier.init %bar, %c1 : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    gpu.barrier

    %copies = arith.cmpi eq, %warp, %c0 : i32
    scf.if %copies {
      %leader = nvvm.elect.sync -> i1
      scf.if %leader {
        nvvm.mbarrier.arrive.expect_tx %bar, %c1024 : !llvm.ptr<3>, i32
        llvm.inline_asm has_side_effects "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1], 1024, [$2];", "r,l,r,~{memory}" %dst, %src, %bar : (!llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<3>) -> ()
      }
    } else {
      nvvm.wgmma.fence.aligned
      scf.for %i = %c0 to %n step %c1 : i32 {
        nvvm.wgmma.commit.group.sync.aligned
      }
      nvvm.wgmma.wait.group.sync.aligned 0
    }
    %far = arith.cmpi ugt, %warp, %c5 : i32
    scf.if %far {
      nvvm.cp.async.commit.group
    }
    nvvm.cp.async.wait.group 0
    nvvm.mbarrier.inval %bar : !llvm.ptr<3>
    gpu.return
  }
}
}
