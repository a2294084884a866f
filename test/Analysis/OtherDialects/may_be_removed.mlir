// RUN: ptxbench-opt %s -split-input-file -ptx-import-inline-asm \
// RUN:   -ptx-reachability 2> %t.warnings | FileCheck %s
// RUN: FileCheck %s --check-prefix=WARNING < %t.warnings

// What MLIR and LLVM may remove decides nothing about what follows.

gpu.module @loops {
  // A loop without effects is removed, though nobody leaves it.
  // CHECK-LABEL: gpu.func @endless
  gpu.func @endless() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %t = arith.constant true
    // CHECK: nvvm.cp.async.commit.group {ptx.reach = "maybe"
    nvvm.cp.async.commit.group
    scf.while : () -> () {
      scf.condition(%t)
    } do {
      scf.yield
    }
    // CHECK: nvvm.wgmma.fence.aligned {ptx.reach = "maybe"
    // CHECK-SAME: a loop without effects may be removed
    nvvm.wgmma.fence.aligned
    gpu.return
  }

  // One with a target in each pass is not.
  // CHECK-LABEL: gpu.func @kept
  gpu.func @kept() kernel {
    %t = arith.constant true
    scf.while : () -> () {
      nvvm.cp.async.commit.group
      scf.condition(%t)
    } do {
      scf.yield
    }
    // CHECK: nvvm.wgmma.fence.aligned {ptx.reach = "never"
    nvvm.wgmma.fence.aligned
    gpu.return
  }

  // Nor are branches between blocks.
  // CHECK-LABEL: gpu.func @branches
  gpu.func @branches() kernel {
    cf.br ^loop
  ^loop:
    %t = arith.constant true
    cf.cond_br %t, ^loop, ^end
  ^end:
    // CHECK: nvvm.wgmma.fence.aligned {ptx.reach = "never"
    nvvm.wgmma.fence.aligned
    gpu.return
  }

  // Some threads do not leave it; behind it they are, if it is gone. All
  // others come there in any case.
  // CHECK-LABEL: gpu.func @some_stay
  gpu.func @some_stay() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c32 = arith.constant 32 : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %low = arith.cmpi ult, %tid, %c32 : i32
    scf.while : () -> () {
      scf.condition(%low)
    } do {
      scf.yield
    }
    scf.if %low {
      // CHECK: nvvm.wgmma.fence.aligned {ptx.reach = "maybe"
      nvvm.wgmma.fence.aligned
    }
    gpu.return
  }

  // A loop that ends promises what it did.
  // CHECK-LABEL: gpu.func @ends
  gpu.func @ends(%n: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.while (%i = %c0) : (i32) -> i32 {
      %c = arith.cmpi ult, %i, %n : i32
      scf.condition(%c) %i : i32
    } do {
    ^bb0(%i: i32):
      %next = arith.addi %i, %c1 : i32
      scf.yield %next : i32
    }
    // CHECK: nvvm.wgmma.fence.aligned {ptx.reach = "all"
    // CHECK-SAME: ptx.reach_threads = 128
    nvvm.wgmma.fence.aligned
    gpu.return
  }

  // Loops in the regions of others.
  // CHECK-LABEL: gpu.func @nested
  gpu.func @nested(%p: i1) kernel {
    %t = arith.constant true
    scf.execute_region {
      cf.br ^loop
    ^loop:
      cf.cond_br %t, ^loop, ^end
    ^end:
      scf.yield
    }
    // CHECK: nvvm.wgmma.fence.aligned {ptx.reach = "maybe"
    nvvm.wgmma.fence.aligned
    scf.if %t {
      scf.while : () -> () {
        scf.condition(%t)
      } do {
        scf.yield
      }
    }
    // CHECK: nvvm.wgmma.commit.group.sync.aligned {ptx.reach = "maybe"
    nvvm.wgmma.commit.group.sync.aligned
    gpu.return
  }

  // CHECK-LABEL: gpu.func @no_step
  gpu.func @no_step() kernel {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    scf.for %i = %c0 to %c8 step %c0 {
    }
    // CHECK: nvvm.wgmma.fence.aligned {ptx.reach = "maybe"
    nvvm.wgmma.fence.aligned
    gpu.return
  }
}

// -----

// To LLVM loops of functions that make progress end, and calls of functions
// that are said to return do.
// CHECK-LABEL: llvm.func @progress
llvm.func @progress() attributes {nvvm.kernel, passthrough = ["mustprogress"]} {
  %t = llvm.mlir.constant(true) : i1
  llvm.br ^loop
^loop:
  llvm.cond_br %t, ^loop, ^end
^end:
  // CHECK: nvvm.wgmma.fence.aligned {ptx.reach = "maybe"
  nvvm.wgmma.fence.aligned
  llvm.return
}
llvm.func @stays() attributes {will_return} {
  llvm.br ^loop
^loop:
  llvm.br ^loop
}
// CHECK-LABEL: llvm.func @calls
llvm.func @calls() attributes {nvvm.kernel} {
  llvm.call @stays() : () -> ()
  // CHECK: nvvm.wgmma.fence.aligned {ptx.reach = "maybe"
  nvvm.wgmma.fence.aligned
  llvm.return
}

// -----

// Text that is not has_side_effects is removed, and what it ends goes on.
// CHECK-LABEL: llvm.func @exits
llvm.func @exits() attributes {nvvm.kernel} {
  // WARNING: 'exit' ends the thread, but the operation is not 'has_side_effects'
  llvm.inline_asm "exit;", "" : () -> ()
  // CHECK: nvvm.wgmma.fence.aligned {ptx.reach = "maybe"
  nvvm.wgmma.fence.aligned
  // CHECK: ptx.ret
  llvm.inline_asm "ret;", "" : () -> ()
  // CHECK: nvvm.wgmma.fence.aligned {ptx.reach = "maybe"
  nvvm.wgmma.fence.aligned
  llvm.inline_asm has_side_effects "exit;", "" : () -> ()
  // CHECK: nvvm.wgmma.fence.aligned {ptx.reach = "never"
  nvvm.wgmma.fence.aligned
  llvm.return
}
// CHECK-LABEL: llvm.func @traps
llvm.func @traps() attributes {nvvm.kernel} {
  // CHECK: ptx.wgmma.fence
  // CHECK-SAME: ptx.reach = "maybe", ptx.reach_reason = "its text ends threads or loops and is not 'has_side_effects'
  llvm.inline_asm "wgmma.fence.sync.aligned; trap;", "" : () -> ()
  // CHECK: nvvm.wgmma.fence.aligned {ptx.reach = "maybe"
  nvvm.wgmma.fence.aligned
  llvm.return
}
// What a guard in it says is not known behind it, either.
// CHECK-LABEL: llvm.func @loops_in_text
llvm.func @loops_in_text() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>} {
  %c32 = llvm.mlir.constant(32 : i32) : i32
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %low = llvm.icmp "ult" %tid, %c32 : i32
  llvm.inline_asm "here: @$0 bra here;", "b" %low : (i1) -> ()
  llvm.cond_br %low, ^low, ^end
^low:
  // CHECK: nvvm.wgmma.fence.aligned {ptx.reach = "maybe"
  nvvm.wgmma.fence.aligned
  llvm.br ^end
^end:
  llvm.return
}

// -----

// Behind these nothing is left.
// CHECK-LABEL: llvm.func @trap
llvm.func @trap() attributes {nvvm.kernel} {
  llvm.intr.trap
  // CHECK: nvvm.wgmma.fence.aligned {ptx.reach = "never"
  nvvm.wgmma.fence.aligned
  llvm.return
}
// CHECK-LABEL: gpu.func @ubsantrap
gpu.module @traps {
  gpu.func @ubsantrap(%p: i1) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      // CHECK: nvvm.cp.async.commit.group {ptx.reach = "all"
      nvvm.cp.async.commit.group
      scf.if %p {
        "llvm.intr.ubsantrap"() <{failureKind = 1 : i8}> : () -> ()
        // CHECK: nvvm.wgmma.fence.aligned {ptx.reach = "never"
        nvvm.wgmma.fence.aligned
      }
    }
    // A debugger may go on.
    llvm.intr.debugtrap
    // CHECK: nvvm.wgmma.commit.group.sync.aligned {ptx.reach = "all"
    nvvm.wgmma.commit.group.sync.aligned
    gpu.return
  }
}

// -----

// Where LLVM inlines the function, `ret` in its text returns from the caller.
llvm.func @returns() {
  llvm.inline_asm has_side_effects "ret;", "" : () -> ()
  llvm.return
}
llvm.func @between() {
  llvm.call @returns() : () -> ()
  llvm.intr.trap
  llvm.return
}
// CHECK-LABEL: llvm.func @caller
llvm.func @caller() attributes {nvvm.kernel} {
  // CHECK: nvvm.cp.async.commit.group {ptx.reach = "all"
  nvvm.cp.async.commit.group
  llvm.call @returns() : () -> ()
  // CHECK: nvvm.cp.async.wait.group {{.*}}ptx.reach = "maybe"
  nvvm.cp.async.wait.group 1
  llvm.call @between() : () -> ()
  // CHECK: nvvm.cp.async.wait.group {{.*}}ptx.reach = "maybe"
  nvvm.cp.async.wait.group 0
  llvm.return
}

// -----

// Poison is any value where it does no harm: in the guards of operations and in
// text. To branch on it has no meaning.
// CHECK-LABEL: llvm.func @poison
llvm.func @poison(%bar: !llvm.ptr<3>, %n: i32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 1>} {
  %minus = llvm.mlir.constant(-1 : i32) : i32
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %ntid = nvvm.read.ptx.sreg.ntid.x : i32
  %u = llvm.add %ntid, %minus overflow<nuw> : i32
  %p = llvm.icmp "eq" %u, %minus : i32
  // CHECK: nvvm.mbarrier.arrive.expect_tx
  // CHECK-SAME: ptx.reach = "maybe"
  // CHECK-SAME: the result of 'llvm.icmp' at line {{[0-9]+}}, which may be poison, is not known
  nvvm.mbarrier.arrive.expect_tx %bar, %n, predicate = %p : !llvm.ptr<3>, i32, i1
  // CHECK: ptx.mbarrier.inval
  // CHECK-SAME: ptx.reach = "maybe"
  llvm.inline_asm has_side_effects "@$0 mbarrier.inval.shared.b64 [$1];", "b,r,~{memory}" %p, %bar : (i1, !llvm.ptr<3>) -> ()
  %w = llvm.add %ntid, %minus : i32
  %q = llvm.icmp "eq" %w, %minus : i32
  // CHECK: nvvm.mbarrier.arrive.expect_tx
  // CHECK-SAME: ptx.reach = "never"
  nvvm.mbarrier.arrive.expect_tx %bar, %n, predicate = %q : !llvm.ptr<3>, i32, i1
  %undefined = llvm.mlir.poison : i32
  %below = llvm.icmp "ult" %undefined, %c0 : i32
  // CHECK: nvvm.mbarrier.arrive.expect_tx
  // CHECK-SAME: ptx.reach = "maybe"
  nvvm.mbarrier.arrive.expect_tx %bar, %n, predicate = %below : !llvm.ptr<3>, i32, i1
  llvm.cond_br %p, ^then, ^end
^then:
  // CHECK: nvvm.wgmma.fence.aligned {ptx.reach = "never"
  nvvm.wgmma.fence.aligned
  llvm.br ^end
^end:
  llvm.return
}
// CHECK-LABEL: gpu.func @shifted
gpu.module @poison_of_arith {
  gpu.func @shifted(%bar: !llvm.ptr<3>, %n: i32) kernel {
    %c33 = arith.constant 33 : i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %s = arith.shli %tid, %c33 : i32
    %p = arith.cmpi ne, %s, %c0 : i32
    // CHECK: nvvm.mbarrier.arrive.expect_tx
    // CHECK-SAME: ptx.reach = "maybe"
    nvvm.mbarrier.arrive.expect_tx %bar, %n, predicate = %p : !llvm.ptr<3>, i32, i1
    %t = arith.shrui %c0, %c1 : i32
    %q = arith.cmpi ne, %t, %c0 : i32
    // CHECK: nvvm.mbarrier.arrive.expect_tx
    // CHECK-SAME: ptx.reach = "never"
    nvvm.mbarrier.arrive.expect_tx %bar, %n, predicate = %q : !llvm.ptr<3>, i32, i1
    gpu.return
  }
}
