// RUN: ptxbench-opt %s -ptx-import-inline-asm -split-input-file \
// RUN:   | FileCheck %s
// What was read can be read again.
// RUN: ptxbench-opt %s -ptx-import-inline-asm -split-input-file \
// RUN:   | ptxbench-opt -split-input-file | FileCheck %s

// CHECK-LABEL: llvm.func @plain
// CHECK-SAME: (%[[A:.*]]: i32, %[[B:.*]]: i32)
llvm.func @plain(%a: i32, %b: i32) -> i32 {
  // CHECK: %[[R:.*]] = ptx.inline "=r,r,r"(%[[A]], %[[B]] : i32, i32) -> i32
  // CHECK: ^bb0(%[[X:.*]]: i32, %[[Y:.*]]: i32):
  // CHECK: %[[S:.*]] = ptx.add ".s32" =0, %[[X]], %[[Y]]
  // CHECK: ptx.yield %[[S]] : i32
  // CHECK: llvm.return %[[R]]
  %0 = llvm.inline_asm "add.s32 $0, $1, ${2};", "=r,r,r" %a, %b : (i32, i32) -> i32
  llvm.return %0 : i32
}

// -----

// A constant stands in the text; a tied input begins in its output's register.
// CHECK-LABEL: llvm.func @constant_and_tied
llvm.func @constant_and_tied(%a: i32) -> i32 {
  // CHECK: ptx.inline "=r,n,0"({{.*}} : i32, i32) -> i32
  // CHECK: ^bb0(%[[X:.*]]: i32):
  // CHECK-NEXT: %[[S:.*]] = ptx.add ".s32" =0, %[[X]], -7
  // CHECK: ptx.yield %[[S]]
  %c = llvm.mlir.constant(-7 : i32) : i32
  %0 = llvm.inline_asm "add.s32 $0, $0, $1;", "=r,n,0" %c, %a : (i32, i32) -> i32
  llvm.return %0 : i32
}

// -----

// "+r" is what nvcc's form of inline assembly has; LLVM spells it otherwise.
// CHECK-LABEL: llvm.func @read_written
llvm.func @read_written(%a: i32) -> i32 {
  // CHECK: ptx.inline "=r,0"(%{{.*}} : i32) -> i32
  %0 = llvm.inline_asm "add.s32 $0, $0, 1;", "+r" %a : (i32) -> i32
  llvm.return %0 : i32
}

// -----

// As MLIR imports a call without a result.
// CHECK-LABEL: llvm.func @no_result
llvm.func @no_result(%bar: !llvm.ptr<3>) {
  // CHECK: {{^ *}}ptx.inline "r,~{memory}"
  // CHECK: llvm.return
  %0 = llvm.inline_asm has_side_effects asm_dialect = att "mbarrier.inval.shared.b64 [$0];", "r,~{memory}" %bar : (!llvm.ptr<3>) -> !llvm.void
  llvm.return
}

// -----

// Several results; scopes, registers and labels of the text.
// CHECK-LABEL: llvm.func @wait
llvm.func @wait(%bar: !llvm.ptr<3>, %parity: i32) -> i32 {
  // CHECK: %[[R:.*]]:2 = ptx.inline "=r,=r,r,r,~{memory}"
  // CHECK-SAME: side_effects
  // CHECK: ^bb0(%[[BAR:.*]]: i32, %[[PARITY:.*]]: i32):
  // CHECK: ptx.br ^bb1
  // CHECK: ^bb1
  // CHECK: ptx.mbarrier.try_wait ".parity.shared::cta.b64"
  // CHECK: ptx.bra if %{{.*}} ^bb3
  // CHECK: ptx.bra ^bb1
  // CHECK: ptx.yield
  // CHECK: llvm.add %[[R]]#0, %[[R]]#1
  %0 = llvm.inline_asm has_side_effects asm_dialect = att "{\0A.reg .pred p;\0Alab_${:uid}:\0A  mbarrier.try_wait.parity.shared::cta.b64 p, [$2], $3;\0A  @p bra $$done_${:uid};\0A  bra lab_${:uid};\0A$$done_${:uid}:\0A  mov.b32 $0, 1;\0A mov.b32 $1, %laneid;\0A}", "=r,=r,r,r,~{memory}" %bar, %parity : (!llvm.ptr<3>, i32) -> !llvm.struct<(i32, i32)>
  %1 = llvm.extractvalue %0[0] : !llvm.struct<(i32, i32)>
  %2 = llvm.extractvalue %0[1] : !llvm.struct<(i32, i32)>
  %3 = llvm.add %1, %2 : i32
  llvm.return %3 : i32
}

// -----

// The struct as a whole.
// CHECK-LABEL: llvm.func @whole
llvm.func @whole(%a: i32) -> !llvm.struct<(i32, i32)> {
  // CHECK: %[[R:.*]]:2 = ptx.inline
  // CHECK: %[[P:.*]] = llvm.mlir.poison
  // CHECK: %[[Q:.*]] = llvm.insertvalue %[[R]]#0, %[[P]][0]
  // CHECK: %[[S:.*]] = llvm.insertvalue %[[R]]#1, %[[Q]][1]
  // CHECK: llvm.return %[[S]]
  %0 = llvm.inline_asm "mov.b32 $0, $2; mov.b32 $1, $2;", "=&r,=r,r" %a : (i32) -> !llvm.struct<(i32, i32)>
  llvm.return %0 : !llvm.struct<(i32, i32)>
}

// -----

// A guard; `ret` and `exit` of the text are the function's.
// CHECK-LABEL: llvm.func @ends
llvm.func @ends(%p: i1) {
  // CHECK: ptx.ret if
  // CHECK: ptx.exit
  // CHECK-NOT: ptx.yield
  llvm.inline_asm has_side_effects "@$0 ret; exit;", "b" %p : (i1) -> ()
  llvm.return
}

// -----

// The three classes of nvvm.inline_ptx, its numbers with both signs, and a
// guard; behind the operation, what was read and written is the result.
// CHECK-LABEL: llvm.func @inline_ptx
// CHECK-SAME: (%[[A:.*]]: i32, %[[B:.*]]: i32, %[[P:.*]]: i1)
llvm.func @inline_ptx(%a: i32, %b: i32, %p: i1) -> i32 {
  // CHECK: %[[R:.*]]:2 = ptx.inline "=r,=r,r,b,0"(%[[A]], %[[P]], %[[B]] :
  // CHECK: ptx.add ".s32" if %{{.*}} =0,
  // CHECK: ptx.mov ".u32" =1, sreg "tid.x"
  // CHECK: llvm.add %[[R]]#0, %[[R]]#1
  %0 = nvvm.inline_ptx "add.s32 {$rw0}, {$rw0}, {$r0}; mov.u32 {$w0}, %tid.x;" ro(%a : i32) rw(%b : i32), predicate = %p -> i32
  %1 = llvm.add %b, %0 : i32
  // CHECK: ptx.inline "=f,f"
  %c = llvm.mlir.constant(1.0 : f32) : f32
  %2 = nvvm.inline_ptx "ex2.approx.ftz.f32 %0, $1;" ro(%c : f32) -> f32
  llvm.return %1 : i32
}

// -----

// Vectors of operands; the target comes from the module.
// CHECK-LABEL: gpu.func @wgmma
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @wgmma(%a: i64, %b: i64, %c: f32) kernel {
    // CHECK: ptx.wgmma.mma_async ".sync.aligned.m64n8k16.f32.bf16.bf16" {+0 %{{.*}}, +1 %{{.*}}, +2 %{{.*}}, +3 %{{.*}}}
    %0 = llvm.inline_asm has_side_effects "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {$0, $1, $2, $3}, $4, $5, 1, 1, 1, 0, 0;", "=f,=f,=f,=f,l,l,0,1,2,3,~{memory}" %a, %b, %c, %c, %c, %c : (i64, i64, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
    gpu.return
  }
}
