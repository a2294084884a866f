// RUN: ptxbench-opt %s -ptx-export-inline-asm | FileCheck %s

// What a pass may have made of a body: the values that are given back are in
// other registers than the outputs, and the end is reached from two places.

// CHECK-LABEL: llvm.func @swap
llvm.func @swap(%a: i32, %b: i32) -> i32 {
  // CHECK: "{\0A\09mov.b32 $0, $3;\0A\09mov.b32 $1, $2;\0A}", "=&r,=&r,r,r"
  %0:2 = ptx.inline "=r,=r,r,r"(%a, %b : i32, i32) -> i32, i32 attributes {regs = [#ptx.reg<"$0", "b32">, #ptx.reg<"$1", "b32">, #ptx.reg<"$2", "b32">, #ptx.reg<"$3", "b32">], block_regs = [array<i32: 2, 3>]} {
  ^bb0(%x: i32, %y: i32):
    ptx.yield %y, %x : i32, i32
  }
  %1 = llvm.add %0#0, %0#1 : i32
  llvm.return %1 : i32
}

// CHECK-LABEL: llvm.func @two_ends
llvm.func @two_ends(%a: i32, %p: i1) -> i32 {
  // CHECK: "{\0A\09@$2 bra $$L__BB0;\0A\09mov.b32 $0, 7;\0A\09bra $$L__end;\0A$$L__BB0:\0A\09mov.b32 $0, $1;\0A$$L__end:\0A}"
  %0 = ptx.inline "=r,r,b"(%a, %p : i32, i1) -> i32 attributes {regs = [#ptx.reg<"$0", "b32">, #ptx.reg<"$1", "b32">, #ptx.reg<"$2", "pred">], block_regs = [array<i32: 1, 2>, array<i32>, array<i32>]} {
  ^bb0(%x: i32, %q: i1):
    ptx.bra if %q ^bb2 else ^bb1
  ^bb1:
    %y = ptx.mov ".b32" =0, 7 : () -> i32
    ptx.yield %y : i32
  ^bb2:
    ptx.yield %x : i32
  }
  llvm.return %0 : i32
}
