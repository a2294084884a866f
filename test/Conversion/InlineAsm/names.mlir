// RUN: ptxbench-opt %s -ptx-import-inline-asm | FileCheck %s
// RUN: ptxbench-opt %s -ptx-import-inline-asm -ptx-export-inline-asm \
// RUN:   | FileCheck %s --check-prefix=TEXT
// RUN: ptxbench-opt %s -ptxbench-analyze='output=-' -o %t.mlir \
// RUN:   | FileCheck %s --check-prefix=VERDICT

// `$$0` is the name `$0` of PTX, and `$0` the operand; a text may have both.

// CHECK-LABEL: llvm.func @shadow
// TEXT-LABEL: llvm.func @shadow
llvm.func @shadow(%a: i32) -> i32 {
  // CHECK: ptx.inline "=&r,r"
  // CHECK: [[OP:%.*]]: i32):
  // CHECK: [[FIVE:%.*]] = ptx.mov
  // CHECK: ptx.add ".s32" ={{[0-9]+}}, [[OP]], [[FIVE]]
  // TEXT: mov.b32 [[NAME:\$\$1_+]], 5;\0A\09add.s32 $0, $1, [[NAME]];
  %0 = llvm.inline_asm "{ .reg .b32 $$1; mov.b32 $$1, 5; add.s32 $0, $1, $$1; }", "=&r,r" %a : (i32) -> i32
  llvm.return %0 : i32
}

// A name that is longer is told apart by itself; the name that the first one
// would get is taken.
// TEXT-LABEL: llvm.func @longer
llvm.func @longer(%a: i32) -> i32 {
  // TEXT: mov.b32 [[FIRST:\$\$1_+]], 5;\0A\09mov.b32 $$1_, 6;\0A\09mov.b32 a$$1, 7;
  // TEXT-NOT: {{ \$\$1_,.* \$\$1_,.* \$\$1_;}}
  %0 = llvm.inline_asm "{ .reg .b32 $$1, $$1_, a$$1; mov.b32 $$1, 5; mov.b32 $$1_, 6; mov.b32 a$$1, 7; add.s32 $0, $1, $$1; add.s32 $0, $0, $$1_; add.s32 $0, $0, a$$1; }", "=&r,r" %a : (i32) -> i32
  llvm.return %0 : i32
}

// A number that is no operand's, and one with a zero in front.
// TEXT-LABEL: llvm.func @others
llvm.func @others(%a: i32) -> i32 {
  // TEXT-NOT: {{[^$]\$[2-9]}}
  // TEXT-NOT: {{[^$]\$0[0-9]}}
  // TEXT: llvm.return
  %0 = llvm.inline_asm "{ .reg .b32 $$7, $$01; mov.b32 $$7, 5; mov.b32 $$01, 6; add.s32 $0, $1, $$7; add.s32 $0, $0, $$01; }", "=&r,r" %a : (i32) -> i32
  llvm.return %0 : i32
}

// A label.
// CHECK-LABEL: llvm.func @label
// TEXT-LABEL: llvm.func @label
llvm.func @label(%a: i32) -> i32 {
  // CHECK: ptx.bra if
  // TEXT: @p bra $$
  %0 = llvm.inline_asm has_side_effects "{ .reg .pred p; mov.b32 $0, 0; $$0: add.s32 $0, $0, 3; setp.lt.s32 p, $0, $1; @p bra $$0; }", "=&r,r" %a : (i32) -> i32
  llvm.return %0 : i32
}

// VERDICT: kernel k
// VERDICT-NEXT: cp.async: 1 of 1 may execute
// VERDICT-NEXT: cp.async.wait_all: maybe
llvm.func @k() attributes {nvvm.kernel} {
  %t = nvvm.read.ptx.sreg.tid.x : i32
  llvm.inline_asm has_side_effects "{ .reg .pred p; .reg .b32 $$0; mov.b32 $$0, 5; setp.eq.s32 p, $0, 3; @p cp.async.wait_all; }", "r,~{memory}" %t : (i32) -> ()
  llvm.return
}
