// RUN: ptxbench-opt %s -ptx-import-inline-asm -ptx-export-inline-asm \
// RUN:   | FileCheck %s
// The way there and back again changes nothing more.
// RUN: ptxbench-opt %s -ptx-import-inline-asm -ptx-export-inline-asm \
// RUN:   -ptx-import-inline-asm -ptx-export-inline-asm | FileCheck %s

// CHECK-LABEL: llvm.func @plain
llvm.func @plain(%a: i32, %b: i32) -> i32 {
  // CHECK: llvm.inline_asm asm_dialect = att "{\0A\09add.s32 $0, $1, $2;\0A}", "=r,r,r" %{{.*}}, %{{.*}} : (i32, i32) -> i32
  %0 = llvm.inline_asm "add.s32 $0, $1, $2;", "=r,r,r" %a, %b : (i32, i32) -> i32
  llvm.return %0 : i32
}

// Labels are local to the scope, `$` is escaped, a constant stays an operand.
// CHECK-LABEL: llvm.func @wait
llvm.func @wait(%bar: !llvm.ptr<3>) -> i32 {
  // CHECK: llvm.inline_asm has_side_effects asm_dialect = att "{\0A\09.reg .pred p;\0A$$L__BB0:\0A\09mbarrier.try_wait.parity.shared::cta.b64 p, [$1], 1;\0A\09@p bra $$L__BB1;\0A\09bra $$L__BB0;\0A$$L__BB1:\0A\09mov.b32 $0, %laneid;\0A}", "=&r,r,n,~{memory}"
  %c = llvm.mlir.constant(1 : i32) : i32
  %0 = llvm.inline_asm has_side_effects "{\0A.reg .pred p;\0Alab_${:uid}:\0A  mbarrier.try_wait.parity.shared::cta.b64 p, [$1], $2;\0A  @p bra $$done_${:uid};\0A  bra lab_${:uid};\0A$$done_${:uid}:\0A  mov.b32 $0, %laneid;\0A}", "=r,r,n,~{memory}" %bar, %c : (!llvm.ptr<3>, i32) -> i32
  llvm.return %0 : i32
}

// Several results; a guarded end; a branch to the end of the text.
// CHECK-LABEL: llvm.func @several
llvm.func @several(%a: i32, %p: i1, %q: i1) -> i32 {
  // CHECK: %[[R:.*]] = llvm.inline_asm has_side_effects asm_dialect = att "{\0A\09@$3 exit;\0A\09mov.b32 $1, $2;\0A\09@!$4 bra $$L__BB0;\0A\09add.s32 $1, $1, 1;\0A$$L__BB0:\0A\09mov.b32 $0, 5;\0A}", "=&r,=&r,r,b,b"
  // CHECK: llvm.extractvalue %[[R]][0]
  // CHECK: llvm.extractvalue %[[R]][1]
  %0 = llvm.inline_asm has_side_effects "@$3 exit; mov.b32 $1, $2; @!$4 bra end; add.s32 $1, $1, 1; end: mov.b32 $0, 5;", "=r,=&r,r,b,b" %a, %p, %q : (i32, i1, i1) -> !llvm.struct<(i32, i32)>
  %1 = llvm.extractvalue %0[0] : !llvm.struct<(i32, i32)>
  %2 = llvm.extractvalue %0[1] : !llvm.struct<(i32, i32)>
  %3 = llvm.add %1, %2 : i32
  llvm.return %3 : i32
}

// What upstream's own lowering gives the wrong operands (read before tied).
// CHECK-LABEL: llvm.func @read_written
// CHECK-SAME: (%[[A:.*]]: i32, %[[B:.*]]: i32)
llvm.func @read_written(%a: i32, %b: i32) -> i32 {
  // CHECK: %[[R:.*]] = llvm.inline_asm has_side_effects asm_dialect = att "{\0A\09add.s32 $0, $0, $1;\0A}", "=r,r,0" %[[A]], %[[B]] : (i32, i32) -> i32
  // CHECK: llvm.return %[[R]]
  nvvm.inline_ptx "add.s32 {$rw0}, {$rw0}, {$r0};" ro(%a : i32) rw(%b : i32)
  llvm.return %b : i32
}

// Registers that LLVM may have under these names itself, and scopes are joined.
// CHECK-LABEL: llvm.func @names_of_llvm
llvm.func @names_of_llvm(%a: i32) -> i32 {
  // CHECK: .reg .b32 %r_1;{{.*}}.reg .b32 %rd_<4>;{{.*}}mov.b32 %r_1, 5;{{.*}}mov.b32 %rd_2, %r_1;{{.*}}add.s32 $0, $1, %rd_2;
  %0 = llvm.inline_asm "{ .reg .b32 %r1; .reg .b32 %rd<4>; mov.b32 %r1, 5; mov.b32 %rd2, %r1; add.s32 $0, $1, %rd2; }", "=r,r" %a : (i32) -> i32
  llvm.return %0 : i32
}
