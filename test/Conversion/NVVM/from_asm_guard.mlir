// RUN: ptxbench-opt %s -ptx-import-inline-asm -convert-ptx-to-nvvm -verify-diagnostics | FileCheck %s

// A guard that is a constant. Upstream's lowering of a constant predicate is
// `@-1`, which no assembler takes: one that is true goes.

// CHECK-LABEL: llvm.func @constant
// CHECK-NOT: predicate
// CHECK-COUNT-4: nvvm.mbarrier.init %{{[^,]*}}, %{{[^,]*}} :
// CHECK-COUNT-2: ptx.inline
// CHECK: llvm.return
llvm.func @constant(%b: !llvm.ptr<3>, %n: i32, %g: !llvm.ptr) {
  %t = llvm.mlir.constant(true) : i1
  %f = llvm.mlir.constant(false) : i1
  llvm.inline_asm has_side_effects "@$0 mbarrier.init.shared.b64 [$1], $2;", "b,r,r,~{memory}" %t, %b, %n : (i1, !llvm.ptr<3>, i32) -> ()
  llvm.inline_asm has_side_effects "@!$0 mbarrier.init.shared.b64 [$1], $2;", "b,r,r,~{memory}" %f, %b, %n : (i1, !llvm.ptr<3>, i32) -> ()
  llvm.inline_asm has_side_effects "{ .reg .pred p; setp.ne.b32 p, 1, 0; @p mbarrier.init.shared.b64 [$0], $1; }", "r,r,~{memory}" %b, %n : (!llvm.ptr<3>, i32) -> ()
  llvm.inline_asm has_side_effects "{ .reg .pred p; setp.eq.s32 p, 1, 0; @!p mbarrier.init.shared.b64 [$0], $1; }", "r,r,~{memory}" %b, %n : (!llvm.ptr<3>, i32) -> ()
  // expected-remark @+1 {{stays PTX: its guard is always false}}
  llvm.inline_asm has_side_effects "@$0 mbarrier.init.shared.b64 [$1], $2;", "b,r,r,~{memory}" %f, %b, %n : (i1, !llvm.ptr<3>, i32) -> ()
  // expected-remark @+1 {{stays PTX: its guard is always false}}
  llvm.inline_asm has_side_effects "@!$0 prefetch.tensormap [$1];", "b,l,~{memory}" %t, %g : (i1, !llvm.ptr) -> ()
  llvm.return
}

// What upstream's lowering leaves out where there is a predicate.

// CHECK-LABEL: llvm.func @left_out
// CHECK: nvvm.prefetch tensormap, %{{.*}}, predicate = %{{.*}} : !llvm.ptr, i1
// CHECK: ptx.inline
// CHECK: ptx.prefetch ".const.tensormap"
// CHECK: nvvm.prefetch tensormap, %{{[^,]*}} : !llvm.ptr<4>
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}}predicate =
// CHECK: ptx.inline
// CHECK: cta_group::2
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}}cta_2
llvm.func @left_out(%p: i1, %g: !llvm.ptr, %c: !llvm.ptr<4>, %d: !llvm.ptr<7>, %b: !llvm.ptr<3>, %n: i32) {
  llvm.inline_asm has_side_effects "@$0 prefetch.tensormap [$1];", "b,l,~{memory}" %p, %g : (i1, !llvm.ptr) -> ()
  // expected-remark @+1 {{stays PTX: upstream's lowering of 'nvvm.prefetch' with a predicate leaves out the state space}}
  llvm.inline_asm has_side_effects "@$0 prefetch.const.tensormap [$1];", "b,l,~{memory}" %p, %c : (i1, !llvm.ptr<4>) -> ()
  llvm.inline_asm has_side_effects "prefetch.const.tensormap [$0];", "l,~{memory}" %c : (!llvm.ptr<4>) -> ()
  llvm.inline_asm has_side_effects "@$0 cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [$1], [$2, {$4}], [$3];", "b,l,l,r,r,~{memory}" %p, %d, %g, %b, %n : (i1, !llvm.ptr<7>, !llvm.ptr, !llvm.ptr<3>, i32) -> ()
  // expected-remark @+1 {{with a predicate leaves out .cta_group}}
  llvm.inline_asm has_side_effects "@$0 cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes.cta_group::2 [$1], [$2, {$4}], [$3];", "b,l,l,r,r,~{memory}" %p, %d, %g, %b, %n : (i1, !llvm.ptr<7>, !llvm.ptr, !llvm.ptr<3>, i32) -> ()
  llvm.inline_asm has_side_effects "cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes.cta_group::2 [$0], [$1, {$3}], [$2];", "l,l,r,r,~{memory}" %d, %g, %b, %n : (!llvm.ptr<7>, !llvm.ptr, !llvm.ptr<3>, i32) -> ()
  llvm.return
}

// The instruction has an address of .param, the operation a generic one.

// CHECK-LABEL: llvm.func @param
// CHECK: ptx.prefetch ".param.tensormap"
llvm.func @param(%g: !llvm.ptr) {
  // expected-remark @+1 {{stays PTX: no operation of nvvm is 'prefetch' with these modifiers and operands}}
  llvm.inline_asm has_side_effects "prefetch.param.tensormap [$0];", "l,~{memory}" %g : (!llvm.ptr) -> ()
  llvm.return
}
