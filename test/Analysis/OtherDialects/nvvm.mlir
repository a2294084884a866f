// RUN: ptxbench-opt %s -ptx-reachability | FileCheck %s

// The four verdicts on NVVM operations in a kernel of the LLVM dialect.

// CHECK-LABEL: llvm.func @roles
llvm.func @roles(%desc: i64, %bar: !llvm.ptr<3>, %count: i32)
    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 256>} {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c7 = llvm.mlir.constant(7 : i32) : i32
  %c127 = llvm.mlir.constant(127 : i32) : i32
  %c1023 = llvm.mlir.constant(1023 : i32) : i32
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %first = llvm.icmp "eq" %tid, %c0 : i32
  llvm.cond_br %first, ^init, ^sync
^init:
  // CHECK: nvvm.mbarrier.init
  // CHECK-SAME: ptx.reach = "some"
  // CHECK-SAME: ptx.reach_reason = "in every CTA (of nvvm.reqntid 256, 1, 1)
  // CHECK-SAME: ptx.reach_scope = "cta"
  // CHECK-SAME: ptx.reach_threads = 1
  nvvm.mbarrier.init %bar, %count : !llvm.ptr<3>, i32
  llvm.br ^sync
^sync:
  nvvm.barrier0
  %consumer = llvm.icmp "ugt" %tid, %c127 : i32
  llvm.cond_br %consumer, ^consumer, ^maybe
^consumer:
  // CHECK: nvvm.wgmma.fence.aligned {ptx.reach = "some"
  // CHECK-SAME: all threads of warps 4-7
  // CHECK-SAME: ptx.reach_threads = 128 : i64, ptx.reach_warps = 4 : i64
  nvvm.wgmma.fence.aligned
  // CHECK: nvvm.wgmma.commit.group.sync.aligned {ptx.reach = "some"
  nvvm.wgmma.commit.group.sync.aligned
  llvm.br ^maybe
^maybe:
  %some = llvm.icmp "eq" %count, %c7 : i32
  llvm.cond_br %some, ^counted, ^dead_or_not
^counted:
  // CHECK: nvvm.mbarrier.inval
  // CHECK-SAME: ptx.reach = "maybe"
  nvvm.mbarrier.inval %bar : !llvm.ptr<3>
  llvm.br ^dead_or_not
^dead_or_not:
  %dead = llvm.icmp "ugt" %tid, %c1023 : i32
  llvm.cond_br %dead, ^dead, ^end
^dead:
  // CHECK: nvvm.wgmma.wait.group.sync.aligned
  // CHECK-SAME: ptx.reach = "never"
  // CHECK-SAME: 'llvm.cond_br' at line 45 is never taken: 'llvm.icmp' at line 44 is false, since the result of 'nvvm.read.ptx.sreg.tid.x' at line 12 (%tid.x) is in [0, 255]
  nvvm.wgmma.wait.group.sync.aligned 0
  llvm.br ^end
^end:
  // CHECK: nvvm.fence.proxy
  // CHECK-SAME: ptx.reach = "all"
  // CHECK-SAME: ptx.reach_threads = 256
  nvvm.fence.proxy { kind = #nvvm.proxy_kind<async> }
  llvm.return
}

// A parameter that is assumed; without it nothing is known.
// RUN: ptxbench-opt %s -ptx-reachability="entry=roles param=2=7" \
// RUN:   | FileCheck %s --check-prefix=SEVEN
// RUN: ptxbench-opt %s -ptx-reachability="entry=roles param=2=8" \
// RUN:   | FileCheck %s --check-prefix=EIGHT
// RUN: not ptxbench-opt %s -ptx-reachability="entry=roles param=3=8" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=THREE
// RUN: not ptxbench-opt %s -ptx-reachability="entry=roles block=128" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=BLOCK
// SEVEN: nvvm.mbarrier.inval {{.*}}ptx.reach = "all"
// EIGHT: nvvm.mbarrier.inval {{.*}}ptx.reach = "never"
// THREE: error: there are 3 parameters in the parameter assumption '3=8'
// BLOCK: error: the assumed block must be that of 'nvvm.reqntid 256, 1, 1' but is 128, 1, 1 for entry 'roles'

// The elected lane of a warp; a guard of the operation itself.
// CHECK-LABEL: llvm.func @elected
llvm.func @elected(%bar: !llvm.ptr<3>, %bytes: i32)
    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64>} {
  %c32 = llvm.mlir.constant(32 : i32) : i32
  %c99 = llvm.mlir.constant(99 : i32) : i32
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %warp = llvm.udiv %tid, %c32 : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %leader_warp = llvm.icmp "eq" %warp, %zero : i32
  llvm.cond_br %leader_warp, ^elect, ^end
^elect:
  // CHECK: nvvm.elect.sync
  // CHECK-SAME: ptx.reach = "some"
  // CHECK-SAME: all threads of warp 0
  %leader = nvvm.elect.sync -> i1
  // CHECK: nvvm.mbarrier.arrive.expect_tx
  // CHECK-SAME: predicate
  // CHECK-SAME: ptx.reach = "some"
  // CHECK-SAME: the lane that 'elect.sync' elects of warp 0
  // CHECK-SAME: ptx.reach_threads = 1 : i64, ptx.reach_warps = 1 : i64
  nvvm.mbarrier.arrive.expect_tx %bar, %bytes, predicate = %leader : !llvm.ptr<3>, i32, i1
  %none = llvm.icmp "eq" %tid, %c99 : i32
  // CHECK: nvvm.mbarrier.arrive.expect_tx
  // CHECK-SAME: ptx.reach = "never"
  // CHECK-SAME: its guard
  nvvm.mbarrier.arrive.expect_tx %bar, %bytes, predicate = %none : !llvm.ptr<3>, i32, i1
  llvm.br ^end
^end:
  llvm.return
}

// nvvm.exit ends the thread in the middle of a block.
// CHECK-LABEL: llvm.func @exits
llvm.func @exits(%bar: !llvm.ptr<3>) attributes {nvvm.kernel} {
  // CHECK: nvvm.mbarrier.inval
  // CHECK-SAME: ptx.reach = "all"
  nvvm.mbarrier.inval %bar : !llvm.ptr<3>
  nvvm.exit
  // CHECK: nvvm.mbarrier.inval
  // CHECK-SAME: ptx.reach = "never"
  nvvm.mbarrier.inval %bar : !llvm.ptr<3>
  llvm.return
}

// Calls: what only a dead call reaches; what a function that nobody knows may
// do.
// CHECK-LABEL: llvm.func internal @helper
llvm.func internal @helper(%bar: !llvm.ptr<3>) {
  // CHECK: nvvm.mbarrier.inval
  // CHECK-SAME: ptx.reach = "never"
  // CHECK-SAME: helper is called by no call that can execute
  nvvm.mbarrier.inval %bar : !llvm.ptr<3>
  llvm.return
}
llvm.func @calls(%bar: !llvm.ptr<3>) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 32>} {
  %c32 = llvm.mlir.constant(32 : i32) : i32
  %tid = nvvm.read.ptx.sreg.tid.y : i32
  %no = llvm.icmp "uge" %tid, %c32 : i32
  llvm.cond_br %no, ^call, ^end
^call:
  llvm.call @helper(%bar) : (!llvm.ptr<3>) -> ()
  llvm.br ^end
^end:
  llvm.return
}
