// RUN: ptxbench-opt %s -ptx-import-inline-asm -convert-ptx-to-nvvm -verify-diagnostics | FileCheck %s
// RUN: ptxbench-opt %s -ptx-import-inline-asm -convert-ptx-to-nvvm \
// RUN:   -ptx-export-inline-asm -o %t.mlir
// RUN: ptxbench-opt %t.mlir -ptx-import-inline-asm -convert-ptx-to-nvvm 2>&1 | FileCheck %s --check-prefix=AGAIN

// What a text orders beside what its instructions say: registers by its
// operands, memory by `~{memory}`.

// "+r" of a register that an instruction in flight writes: what reads it comes
// behind the wait.

// CHECK-LABEL: llvm.func @passed_on
// CHECK: nvvm.tcgen05.ld
// CHECK-COUNT-4: ptx.inline
// CHECK-NOT: nvvm
llvm.func @passed_on(%a: !llvm.ptr<6>, %f: f32, %h: vector<2xf16>) -> !llvm.struct<(i32, i32)> {
  %0 = llvm.inline_asm has_side_effects "tcgen05.ld.sync.aligned.32x32b.x2.b32 {$0, $1}, [$2];", "=r,=r,r,~{memory}" %a : (!llvm.ptr<6>) -> !llvm.struct<(i32, i32)>
  %1 = llvm.extractvalue %0[0] : !llvm.struct<(i32, i32)>
  %2 = llvm.extractvalue %0[1] : !llvm.struct<(i32, i32)>
  // expected-remark @+1 {{stays PTX: it passes a register on, so that what reads it comes behind}}
  %3 = llvm.inline_asm has_side_effects "tcgen05.wait::ld.sync.aligned;", "=r,=r,0,1,~{memory}" %1, %2 : (i32, i32) -> !llvm.struct<(i32, i32)>
  // expected-remark @+1 {{stays PTX: it passes a register on}}
  %4 = llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 0;", "=f,0,~{memory}" %f : (f32) -> f32
  // expected-remark @+1 {{stays PTX: it passes a register on}}
  %5 = llvm.inline_asm has_side_effects "wgmma.fence.sync.aligned;", "=r,0,~{memory}" %h : (vector<2xf16>) -> vector<2xf16>
  // The time between two reads of the clock.
  // expected-remark @+1 {{stays PTX: it passes a register on}}
  %6 = llvm.inline_asm has_side_effects "mov.u32 $0, %clock;", "=r,=f,1" %f : (f32) -> !llvm.struct<(i32, f32)>
  llvm.return %3 : !llvm.struct<(i32, i32)>
}

// What computes an operand of a fence comes in front of it.

// CHECK-LABEL: llvm.func @unread
// CHECK: ptx.inline
// CHECK: nvvm.wgmma.fence.aligned
// CHECK-NEXT: llvm.return
llvm.func @unread(%f: f32) {
  // expected-remark @+1 {{stays PTX: what computes an operand that no instruction reads belongs in front of the text}}
  llvm.inline_asm has_side_effects "wgmma.fence.sync.aligned;", "f,~{memory}" %f : (f32) -> ()
  // A constant is there at all times.
  %c = llvm.mlir.constant(1 : i32) : i32
  llvm.inline_asm has_side_effects "wgmma.fence.sync.aligned;", "r,~{memory}" %c : (i32) -> ()
  llvm.return
}

// A register that is read behind the wait in the same text, by what is LLVM's
// or touches no memory.

// CHECK-LABEL: llvm.func @read_behind
// CHECK-COUNT-3: ptx.inline
// CHECK: nvvm.tcgen05.wait <load>
// CHECK: nvvm.mbarrier.arrive
// CHECK: nvvm.tcgen05.wait <load>
llvm.func @read_behind(%a: i32, %b: !llvm.ptr<3>, %l: i64) -> i32 {
  // expected-remark @+1 {{stays PTX: a register may be ready only behind 'tcgen05'}}
  %0 = llvm.inline_asm has_side_effects "tcgen05.wait::ld.sync.aligned; mov.b32 $0, $1;", "=r,r,~{memory}" %a : (i32) -> i32
  // expected-remark @+1 {{stays PTX: a register may be ready only behind 'wgmma.wait_group'}}
  %1 = llvm.inline_asm has_side_effects "{ .reg .pred p; wgmma.wait_group.sync.aligned 0; setp.ne.b32 p, $1, 0; selp.b32 $0, 1, 0, p; }", "=r,r,~{memory}" %a : (i32) -> i32
  // expected-remark @+1 {{stays PTX: a register may be ready only behind 'tcgen05'}}
  %2 = llvm.inline_asm has_side_effects "tcgen05.wait::ld.sync.aligned; prmt.b32 $0, $1, $1, 0x3210;", "=r,r,~{memory}" %a : (i32) -> i32
  // An address is none of those registers, nor is one in front of the wait.
  llvm.inline_asm has_side_effects "tcgen05.wait::ld.sync.aligned; mbarrier.arrive.shared::cta.b64 _, [$0];", "r,~{memory}" %b : (!llvm.ptr<3>) -> ()
  %3 = llvm.inline_asm has_side_effects "prmt.b32 $0, $1, $1, 0x3210; tcgen05.wait::ld.sync.aligned;", "=r,r,~{memory}" %a : (i32) -> i32
  llvm.return %0 : i32
}

// Upstream's lowering of these is inline assembly without `~{memory}`, or LLVM
// takes them for less than they are: `~{memory}` stays.

// CHECK-LABEL: llvm.func @memory
// CHECK: llvm.inline_asm has_side_effects "", "~{memory}"
// CHECK-NEXT: nvvm.mbarrier.arrive.expect_tx %{{.*}}, %{{.*}}, predicate =
// CHECK-NOT: llvm.inline_asm
// CHECK: nvvm.mbarrier.arrive.expect_tx %{{[^,]*}}, %{{[^,]*}} :
// CHECK-NEXT: nvvm.mbarrier.init %{{.*}}, predicate =
// CHECK: llvm.inline_asm has_side_effects "", "~{memory}"
// CHECK-NEXT: nvvm.barrier.arrive
// CHECK: llvm.inline_asm has_side_effects "", "~{memory}"
// CHECK-NEXT: nvvm.griddepcontrol wait
// CHECK: llvm.inline_asm has_side_effects "", "~{memory}"
// CHECK-NEXT: nvvm.mbarrier.try_wait %{{.*}}relaxed = true
// Such a text is nothing that stays.
// AGAIN-NOT: no instruction in it
// AGAIN-LABEL: llvm.func @memory
llvm.func @memory(%b: !llvm.ptr<3>, %n: i32, %p: i1) -> i1 {
  llvm.inline_asm has_side_effects "@$0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [$1], $2;", "b,r,r,~{memory}" %p, %b, %n : (i1, !llvm.ptr<3>, i32) -> ()
  // An intrinsic, and a text without it.
  llvm.inline_asm has_side_effects "mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], $1;", "r,r,~{memory}" %b, %n : (!llvm.ptr<3>, i32) -> ()
  // expected-warning @+1 {{accesses memory}}
  llvm.inline_asm has_side_effects "@$0 mbarrier.init.shared::cta.b64 [$1], $2;", "b,r,r" %p, %b, %n : (i1, !llvm.ptr<3>, i32) -> ()
  llvm.inline_asm has_side_effects "bar.arrive 1, 64;", "~{memory}" : () -> ()
  llvm.inline_asm has_side_effects "griddepcontrol.wait;", "~{memory}" : () -> ()
  // expected-warning @+1 {{accesses memory}}
  %0 = llvm.inline_asm has_side_effects "mbarrier.try_wait.parity.relaxed.cluster.shared::cta.b64 $0, [$1], $2;", "=b,r,r" %b, %n : (!llvm.ptr<3>, i32) -> i1
  llvm.return %0 : i1
}

// Two volatile reads of what may change are no two operations for LLVM.

// CHECK-LABEL: llvm.func @changing
// CHECK: ptx.inline
// CHECK: nvvm.read.ptx.sreg.smid
// CHECK: nvvm.read.ptx.sreg.tid.x
llvm.func @changing() -> i32 {
  // expected-remark @+1 {{stays PTX: LLVM takes two of 'nvvm.read.ptx.sreg.smid' for one}}
  %0 = llvm.inline_asm has_side_effects "mov.u32 $0, %smid;", "=r" : () -> i32
  %1 = llvm.inline_asm "mov.u32 $0, %smid;", "=r" : () -> i32
  %2 = llvm.inline_asm has_side_effects "mov.u32 $0, %tid.x;", "=r" : () -> i32
  %3 = llvm.add %0, %1 : i32
  %4 = llvm.add %3, %2 : i32
  llvm.return %4 : i32
}
