// RUN: ptxbench-opt %s -ptx-import-inline-asm -convert-ptx-to-nvvm -verify-diagnostics | FileCheck %s
// RUN: not ptxbench-opt %s -ptx-import-inline-asm -convert-ptx-to-nvvm=strict=1 2>&1 | FileCheck %s --check-prefix=STRICT

// Inline assembly as kernels have it.

// Spellings that mean the same, integers that are addresses.

// CHECK-LABEL: llvm.func @spellings
// CHECK-SAME: (%[[A:.*]]: i32, %[[N:.*]]: i32)
llvm.func @spellings(%a: i32, %n: i32) -> i64 {
  // CHECK: %[[P:.*]] = llvm.inttoptr %[[A]] : i32 to !llvm.ptr<3>
  // CHECK: nvvm.mbarrier.init %[[P]], %[[N]] : !llvm.ptr<3>, i32
  llvm.inline_asm has_side_effects "mbarrier.init.shared::cta.b64 [$0], $1;", "r,r,~{memory}" %a, %n : (i32, i32) -> ()
  // CHECK: %[[S:.*]] = nvvm.mbarrier.arrive.expect_tx %{{.*}}, %[[N]] : !llvm.ptr<3>, i32 -> i64
  %0 = llvm.inline_asm has_side_effects "mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 $0, [$1], $2;", "=l,r,r,~{memory}" %a, %n : (i32, i32) -> i64
  // CHECK: %[[Q:.*]] = llvm.getelementptr %{{.*}}[16]
  // CHECK: nvvm.mbarrier.arrive.expect_tx %[[Q]], %{{.*}} : !llvm.ptr<3>, i32{{$}}
  llvm.inline_asm has_side_effects "mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0+16], 64;", "r,~{memory}" %a : (i32) -> ()
  // CHECK: nvvm.barrier id = %{{.*}} number_of_threads = %[[N]]
  llvm.inline_asm has_side_effects "barrier.cta.sync.aligned 1, $0;", "r,~{memory}" %n : (i32) -> ()
  // CHECK: llvm.return %[[S]]
  llvm.return %0 : i64
}

// Several instructions, all with an operation.

// CHECK-LABEL: llvm.func @several
// CHECK-NOT: ptx.inline
// CHECK: nvvm.fence.mbarrier.init
// CHECK-NEXT: nvvm.cluster.arrive.relaxed {aligned}
// CHECK-NEXT: nvvm.cluster.wait {aligned}
llvm.func @several() {
  llvm.inline_asm has_side_effects "fence.mbarrier_init.release.cluster; barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.acquire.aligned;", "~{memory}" : () -> ()
  llvm.return
}

// A guard is a predicate where the operation has one.

// CHECK-LABEL: llvm.func @guard
// CHECK-SAME: %[[P:[a-z0-9]*]]: i1
// CHECK: %[[NOT:.*]] = llvm.xor %[[P]], %{{.*}} : i1
// CHECK: nvvm.mbarrier.init %{{.*}}, %{{.*}}, predicate = %[[NOT]]
llvm.func @guard(%p: i1, %a: i32) {
  llvm.inline_asm has_side_effects "@!$0 mbarrier.init.shared::cta.b64 [$1], 1;", "b,r,~{memory}" %p, %a : (i1, i32) -> ()
  // expected-remark @+1 {{stays PTX: the operation of nvvm that is 'mbarrier.inval' has no predicate}}
  llvm.inline_asm has_side_effects "@$0 mbarrier.inval.shared::cta.b64 [$1];", "b,r,~{memory}" %p, %a : (i1, i32) -> ()
  llvm.return
}

// A predicate is given back by a selection, which LLVM has, too.

// CHECK-LABEL: llvm.func @selected
// CHECK: %[[W:.*]] = nvvm.mbarrier.try_wait %{{.*}}, %{{.*}} : !llvm.ptr<3>, i32 -> i1
// CHECK: %[[R:.*]] = llvm.select %[[W]], %{{.*}}, %{{.*}} : i1, i32
// CHECK-NOT: ptx.inline
// CHECK: llvm.return %[[R]]
llvm.func @selected(%a: i32, %phase: i32) -> i32 {
  %0 = llvm.inline_asm has_side_effects "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [$1], $2; selp.b32 $0, 1, 0, p; }", "=r,r,r,~{memory}" %a, %phase : (i32, i32) -> i32
  llvm.return %0 : i32
}

// CHECK-LABEL: llvm.func @compared
// CHECK: %[[P:.*]] = llvm.icmp "sgt" %{{.*}}, %{{.*}} : i32
// CHECK: nvvm.mbarrier.init %{{.*}}, %{{.*}}, predicate = %[[P]]
// CHECK: %[[RANK:.*]] = nvvm.read.ptx.sreg.cluster.ctarank : i32
// CHECK-NOT: ptx.inline
// CHECK: llvm.return %[[RANK]]
llvm.func @compared(%a: i32, %n: i32) -> i32 {
  %0 = llvm.inline_asm has_side_effects "{ .reg .pred p; .reg .b32 r; setp.gt.s32 p, $2, 3; @p mbarrier.init.shared::cta.b64 [$1], 1; mov.u32 r, %cluster_ctarank; mov.b32 $0, r; }", "=r,r,r,~{memory}" %a, %n : (i32, i32) -> i32
  llvm.return %0 : i32
}

// What has no operation stays, around what has one.

// CHECK-LABEL: llvm.func @split
// CHECK: %[[A:.*]] = ptx.inline "=r,r,~{memory}"(%{{.*}} : i32) -> i32
// CHECK: ptx.brev ".b32" =0, %{{.*}}
// CHECK: %[[S:.*]] = nvvm.shfl.sync bfly %{{.*}}, %[[A]], %{{.*}}, %{{.*}} : i32 -> i32
// CHECK: %[[R:.*]] = ptx.inline "=r,r,r,~{memory}"(%[[S]], %[[A]] : i32, i32) -> i32
// CHECK: ptx.lop3
// CHECK: llvm.return %[[R]]
llvm.func @split(%a: i32) -> i32 {
  // expected-remark @+1 {{in part PTX still: no operation of nvvm is 'lop3'}}
  %0 = llvm.inline_asm has_side_effects "{ .reg .b32 t, u; brev.b32 t, $1; shfl.sync.bfly.b32 u, t, 1, 31, -1; lop3.b32 $0, u, t, t, 0x96; }", "=r,r,~{memory}" %a : (i32) -> i32
  llvm.return %0 : i32
}

// A predicate that is a constant is that constant, and its setp goes.

// CHECK-LABEL: llvm.func @wgmma
// CHECK: nvvm.wgmma.mma_async %{{.*}}, %{{.*}}, %{{.*}}, <m = 64, n = 8, k = 16>, D[<f32>, <zero>], A[<bf16>, <one>, <row>], B[<bf16>, <neg>, <row>]
llvm.func @wgmma(%a: i64, %b: i64, %c: !llvm.struct<(f32, f32, f32, f32)>) -> !llvm.struct<(f32, f32, f32, f32)> {
  %c0 = llvm.extractvalue %c[0] : !llvm.struct<(f32, f32, f32, f32)>
  %c1 = llvm.extractvalue %c[1] : !llvm.struct<(f32, f32, f32, f32)>
  %c2 = llvm.extractvalue %c[2] : !llvm.struct<(f32, f32, f32, f32)>
  %c3 = llvm.extractvalue %c[3] : !llvm.struct<(f32, f32, f32, f32)>
  %0 = llvm.inline_asm has_side_effects "{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {$0, $1, $2, $3}, $4, $5, p, 1, -1, 0, 1; }", "=f,=f,=f,=f,l,l,0,1,2,3,~{memory}" %a, %b, %c0, %c1, %c2, %c3 : (i64, i64, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  llvm.return %0 : !llvm.struct<(f32, f32, f32, f32)>
}

// CHECK-LABEL: llvm.func @stays
// CHECK-COUNT-7: ptx.inline
llvm.func @stays(%a: i32, %b: i64, %p: i1, %f: f32, %g: !llvm.ptr<1>) -> i32 {
  // The elected lane is read.
  // STRICT: error: stays PTX: no operation of nvvm is 'elect.sync' with these modifiers and operands
  // expected-remark @+1 {{stays PTX: no operation of nvvm is 'elect.sync' with these modifiers and operands}}
  %0 = llvm.inline_asm has_side_effects "{ .reg .pred p; elect.sync $0|p, -1; }", "=r" : () -> i32
  // expected-remark @+1 {{stays PTX: no operation of nvvm is 'cp.async' with these modifiers and operands}}
  llvm.inline_asm has_side_effects "cp.async.cg.shared.global.L2::128B [$0], [$1], 16;", "r,l,~{memory}" %a, %g : (i32, !llvm.ptr<1>) -> ()
  // A scale-d that is not known, in a register that something in flight shares.
  // expected-remark @+1 {{stays PTX: registers that 'wgmma.mma_async' writes later may not be moved}}
  %1 = llvm.inline_asm has_side_effects "{ .reg .pred p; setp.ne.b32 p, $2, 0; wgmma.fence.sync.aligned; wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {$0, $1}, $3, $3, p, 1, 1, 0, 0; }", "=r,=r,r,l,0,1,~{memory}" %a, %b, %a, %a : (i32, i64, i32, i32) -> !llvm.struct<(i32, i32)>
  // All have operations, but only in one text is the result there behind it.
  // expected-remark @+1 {{stays PTX: registers that 'wgmma.mma_async' writes later may not be moved}}
  %3 = llvm.inline_asm has_side_effects "wgmma.fence.sync.aligned; wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {$0, $1}, $2, $2, 1, 1, 1, 0, 0; wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;", "=r,=r,l,0,1,~{memory}" %b, %a, %a : (i64, i32, i32) -> !llvm.struct<(i32, i32)>
  // A carry goes past the fence.
  // expected-remark @+1 {{stays PTX: an instruction leaves a carry behind for another}}
  %2 = llvm.inline_asm has_side_effects "{ .reg .b32 t; add.cc.u32 t, $1, $1; fence.proxy.async; addc.u32 $0, $1, $1; }", "=r,r,~{memory}" %a : (i32) -> i32
  // expected-remark @+1 {{stays PTX: it has branches that no operation of nvvm has}}
  llvm.inline_asm has_side_effects "{ .reg .pred p; again: mbarrier.try_wait.parity.shared::cta.b64 p, [$0], $0; @!p bra again; }", "r,~{memory}" %a : (i32) -> ()
  // Where a thread ends there is no result.
  // expected-remark @+1 {{stays PTX: it ends the thread}}
  %4 = llvm.inline_asm has_side_effects "fence.proxy.async; mov.u32 $0, $1; exit;", "=r,r,~{memory}" %a : (i32) -> i32
  // expected-remark @+1 {{stays PTX: it ends the thread under a guard, which no operation of nvvm does}}
  llvm.inline_asm has_side_effects "{ .reg .pred p; setp.eq.u32 p, $0, 1; @p exit; }", "r,~{memory}" %a : (i32) -> ()
  llvm.return %2 : i32
}

// The end of a thread is an operation, too.

// CHECK-LABEL: llvm.func @ends
llvm.func @ends(%a: !llvm.ptr<1>, %b: i32) {
  // CHECK-NEXT: nvvm.fence.proxy
  // CHECK-NEXT: nvvm.exit
  llvm.inline_asm has_side_effects "fence.proxy.async; exit;", "~{memory}" : () -> ()
  // CHECK-NEXT: nvvm.exit
  llvm.inline_asm has_side_effects "exit;", "~{memory}" : () -> ()
  // CHECK: ptx.inline
  // CHECK: ptx.st
  // CHECK: nvvm.exit
  // expected-remark @+1 {{in part PTX still}}
  llvm.inline_asm has_side_effects "st.global.b32 [$0], $1; exit;", "l,r,~{memory}" %a, %b : (!llvm.ptr<1>, i32) -> ()
  llvm.return
}

// Which type is whose follows from their order; operands of 8 bits have
// registers of 16 around them.

// CHECK-LABEL: llvm.func @numbers
// CHECK-SAME: %[[A:[^:]*]]: i32, %[[H:[^:]*]]: i16, %[[F:[^:]*]]: f32
llvm.func @numbers(%a: i32, %h: i16, %f: f32) -> !llvm.struct<(i32, i32, i16, i32)> {
  // CHECK: %[[V:.*]] = llvm.bitcast %[[A]] : i32 to vector<4xi8>
  // CHECK: nvvm.dot.accumulate.4way %{{.*}} <unsigned>, %{{.*}} <signed>, %[[A]] : vector<4xi8>, vector<4xi8>
  %0 = llvm.inline_asm "dp4a.u32.s32 $0, $1, $1, $1;", "=r,r" %a : (i32) -> i32
  // CHECK: %[[B:.*]] = llvm.trunc %[[H]] : i16 to i8
  // CHECK: nvvm.convert.f4x2.to.f16x2 %[[B]] : i8(f4E2M1FN) -> vector<2xf16>
  %1 = llvm.inline_asm "{ .reg .b8 t; cvt.u8.u16 t, $1; cvt.rn.f16x2.e2m1x2 $0, t; }", "=r,h" %h : (i16) -> i32
  // CHECK: %[[N:.*]] = nvvm.convert.f32x2.to.f4x2 %[[F]], %[[F]] : i8(f4E2M1FN)
  // CHECK: llvm.zext %[[N]] : i8 to i16
  %2 = llvm.inline_asm "{ .reg .b8 t; cvt.rn.satfinite.e2m1x2.f32 t, $1, $1; cvt.u16.u8 $0, t; }", "=h,f" %f : (f32) -> i16
  // One operand alone is read: another is no operation.
  // expected-remark @+1 {{stays PTX: }}
  %3 = llvm.inline_asm "prmt.b32.rc8 $0, $1, $1, $1;", "=r,r" %a : (i32) -> i32
  %4 = llvm.mlir.poison : !llvm.struct<(i32, i32, i16, i32)>
  %5 = llvm.insertvalue %0, %4[0] : !llvm.struct<(i32, i32, i16, i32)>
  %6 = llvm.insertvalue %1, %5[1] : !llvm.struct<(i32, i32, i16, i32)>
  %7 = llvm.insertvalue %2, %6[2] : !llvm.struct<(i32, i32, i16, i32)>
  %8 = llvm.insertvalue %3, %7[3] : !llvm.struct<(i32, i32, i16, i32)>
  llvm.return %8 : !llvm.struct<(i32, i32, i16, i32)>
}

// A register that a text only passes on orders what reads it: above a wait it
// would not have been written yet.

// CHECK-LABEL: llvm.func @tied
// CHECK: ptx.wgmma.wait_group
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
llvm.func @tied(%x: f32) -> f32 {
  // expected-remark @+1 {{stays PTX: it passes a register on}}
  %0 = llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 0;", "=f,0,~{memory}" %x : (f32) -> f32
  llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 0;", "~{memory}" : () -> ()
  llvm.return %0 : f32
}

// Upstream's lowering writes a constant predicate into the text, where PTX has
// no constants.

// CHECK-LABEL: llvm.func @guards
// CHECK-SAME: %[[S:[^:]*]]: !llvm.ptr<3>, %[[N:[^:]*]]: i32, %[[P:[^:]*]]: i1
llvm.func @guards(%s: !llvm.ptr<3>, %n: i32, %p: i1) {
  %true = llvm.mlir.constant(true) : i1
  // CHECK: nvvm.mbarrier.init %[[S]], %[[N]], predicate = %[[P]]
  llvm.inline_asm has_side_effects "@$2 mbarrier.init.shared.b64 [$0], $1;", "r,r,b,~{memory}" %s, %n, %p : (!llvm.ptr<3>, i32, i1) -> ()
  // CHECK: nvvm.mbarrier.init %[[S]], %[[N]] : !llvm.ptr<3>, i32
  llvm.inline_asm has_side_effects "@$2 mbarrier.init.shared.b64 [$0], $1;", "r,r,b,~{memory}" %s, %n, %true : (!llvm.ptr<3>, i32, i1) -> ()
  // CHECK: ptx.mbarrier.init
  // expected-remark @+1 {{stays PTX: its guard is always false}}
  llvm.inline_asm has_side_effects "@!$2 mbarrier.init.shared.b64 [$0], $1;", "r,r,b,~{memory}" %s, %n, %true : (!llvm.ptr<3>, i32, i1) -> ()
  llvm.return
}

// The destination of TMA, as others write it.

// CHECK-LABEL: llvm.func @tma
// CHECK-COUNT-3: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}} : !llvm.ptr<7>, !llvm.ptr
// An address of .param is not the generic one that the operation has.
// CHECK: ptx.prefetch ".param.tensormap"
llvm.func @tma(%a: i32, %p: !llvm.ptr, %c: !llvm.ptr<7>, %s: !llvm.ptr<3>, %n: i64) {
  llvm.inline_asm has_side_effects "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1, {$2, $3}], [$4];", "r,l,r,r,r,~{memory}" %a, %p, %a, %a, %a : (i32, !llvm.ptr, i32, i32, i32) -> ()
  llvm.inline_asm has_side_effects "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1, {$2, $3}], [$4];", "r,l,r,r,r,~{memory}" %s, %p, %a, %a, %s : (!llvm.ptr<3>, !llvm.ptr, i32, i32, !llvm.ptr<3>) -> ()
  llvm.inline_asm has_side_effects "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1, {$2, $3}], [$4];", "r,l,r,r,r,~{memory}" %c, %p, %a, %a, %s : (!llvm.ptr<7>, !llvm.ptr, i32, i32, !llvm.ptr<3>) -> ()
  // expected-remark @+1 {{stays PTX: no operation of nvvm is 'prefetch' with these modifiers and operands}}
  llvm.inline_asm has_side_effects "prefetch.param.tensormap [$0];", "l,~{memory}" %n : (i64) -> ()
  llvm.return
}
