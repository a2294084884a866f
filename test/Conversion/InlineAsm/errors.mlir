// RUN: ptxbench-opt %s -ptx-import-inline-asm -split-input-file \
// RUN:   -verify-diagnostics -o /dev/null

llvm.func @unknown_instruction(%a: i32) -> i32 {
  // expected-error @+1 {{in inline asm, line 2 column 3: unknown instruction 'ad.s32'}}
  %0 = llvm.inline_asm "{\0A  ad.s32 $0, $1, 1;\0A}", "=r,r" %a : (i32) -> i32
  llvm.return %0 : i32
}

// -----

// A place behind what was replaced: `$$` and `${:uid}` have other lengths.
llvm.func @place(%a: i32) {
  // expected-error @+1 {{in inline asm, line 1 column 30: the name 'nowhere' is not declared}}
  llvm.inline_asm has_side_effects "$$a_b_c_${:uid}: mov.b32 $0, nowhere;", "r" %a : (i32) -> ()
  llvm.return
}

// -----

llvm.func @no_operand(%a: i32) {
  // expected-error @+1 {{in inline asm, line 1 column 9: there is no operand 3; there is 1}}
  llvm.inline_asm has_side_effects "mov.b32 $3, $0;", "r" %a : (i32) -> ()
  llvm.return
}

// -----

llvm.func @percent(%a: i32) -> i32 {
  // expected-error @+1 {{in inline asm, line 1 column 9: operands are spelled '$0'; LLVM does not replace '%0'}}
  %0 = llvm.inline_asm "mov.b32 %0, %1;", "=r,r" %a : (i32) -> i32
  llvm.return %0 : i32
}

// -----

llvm.func @lone_dollar(%a: i32) {
  // expected-error @+1 {{in inline asm, line 1 column 5: expected the number of an operand behind '$'; a '$' of PTX is written '$$'}}
  llvm.inline_asm has_side_effects "bra $L; $$L: mov.b32 $0, 1;", "r" %a : (i32) -> ()
  llvm.return
}

// -----

llvm.func @no_constant(%a: i32) -> i32 {
  // expected-error @+1 {{expected an integer constant for the operand $1 ('n')}}
  %0 = llvm.inline_asm "mov.b32 $0, $1;", "=r,n" %a : (i32) -> i32
  llvm.return %0 : i32
}

// -----

llvm.func @letter(%a: i32) -> i32 {
  // expected-error @+1 {{in the constraints "=r,k": no register or constant has the constraint 'k'}}
  %0 = llvm.inline_asm "mov.b32 $0, $1;", "=r,k" %a : (i32) -> i32
  llvm.return %0 : i32
}

// -----

llvm.func @order(%a: i32) -> i32 {
  // expected-error @+1 {{in the constraints "r,=r": expected outputs in front of all inputs but got '=r' behind one}}
  %0 = llvm.inline_asm "mov.b32 $1, $0;", "r,=r" %a : (i32) -> i32
  llvm.return %0 : i32
}

// -----

llvm.func @tied_to_input(%a: i32) -> i32 {
  // expected-error @+1 {{in the constraints "=r,1": expected the number of an output but got '1'}}
  %0 = llvm.inline_asm "mov.b32 $0, $1;", "=r,1" %a : (i32) -> i32
  llvm.return %0 : i32
}

// -----

llvm.func @count(%a: i32) -> i32 {
  // expected-error @+1 {{the constraints have 1 outputs and 2 inputs, but the operation has 1 and 1}}
  %0 = llvm.inline_asm "mov.b32 $0, $1;", "=r,r,r" %a : (i32) -> i32
  llvm.return %0 : i32
}

// -----

// Registers of a wrong width are what ptxas refuses.
llvm.func @width(%a: i64) -> i32 {
  // expected-error @+1 {{in inline asm, line 1 column 15: operand 'a' of the instruction is .b32, but the register is .b64}}
  %0 = llvm.inline_asm "mov.b32   $0, $1;", "=r,l" %a : (i64) -> i32
  llvm.return %0 : i32
}

// -----

llvm.func @half(%a: f16) {
  // expected-error @+1 {{a value of type 'f16' has no register}}
  nvvm.inline_ptx "mov.b16 $0, $0;" ro(%a : f16)
  llvm.return
}

// -----

llvm.func @brace(%a: i32) {
  // expected-error @+1 {{in inline asm, line 1 column 1: }}
  llvm.inline_asm has_side_effects "} .func g() {", "r" %a : (i32) -> ()
  llvm.return
}

// -----

// The target of the module decides.
gpu.module @m [#nvvm.target<chip = "sm_80">] {
  llvm.func @target(%a: i32) {
    // expected-error @+1 {{needs sm_90 or later but the target is sm_80}}
    llvm.inline_asm has_side_effects "fence.proxy.async;", "r" %a : (i32) -> ()
    llvm.return
  }
}

// -----

// The name of a register, not the operand with that number.
llvm.func @not_the_operand(%a: i32) -> i32 {
  // expected-error-re @+1 {{in inline asm, line 1 column 13: the name '$1' is not declared{{$}}}}
  %0 = llvm.inline_asm "mov.b32 $0, $$1;", "=r,r" %a : (i32) -> i32
  llvm.return %0 : i32
}

// -----

llvm.func @tied_twice(%a: i32, %b: i32) -> i32 {
  // expected-error @+1 {{in the constraints "=r,0,0": expected an output that no other input is tied to but got '0'}}
  %0 = llvm.inline_asm "add.s32 $0, $0, 1;", "=r,0,0" %a, %b : (i32, i32) -> i32
  llvm.return %0 : i32
}

// -----

llvm.func @no_output() -> !llvm.struct<()> {
  // expected-error @+1 {{expected no result where the constraints have 0 outputs but got '!llvm.struct<()>'}}
  %0 = llvm.inline_asm has_side_effects "membar.gl;", "~{memory}" : () -> !llvm.struct<()>
  llvm.return %0 : !llvm.struct<()>
}

// -----

llvm.func @void_output() {
  // expected-error @+1 {{the constraints have 1 outputs and 0 inputs, but the operation has 0 and 0}}
  %0 = llvm.inline_asm has_side_effects "mov.b32 $0, 3;", "=r" : () -> !llvm.void
  llvm.return
}

// -----

llvm.func @one_output() -> !llvm.struct<(i32)> {
  // expected-error @+1 {{expected a result that is no structure where the constraints have 1 output but got '!llvm.struct<(i32)>'}}
  %0 = llvm.inline_asm "mov.b32 $0, 3;", "=r" : () -> !llvm.struct<(i32)>
  llvm.return %0 : !llvm.struct<(i32)>
}

// -----

llvm.func @two_outputs() -> i32 {
  // expected-error @+1 {{expected a structure where the constraints have 2 outputs but got 'i32'}}
  %0 = llvm.inline_asm "mov.b32 $0, 3; mov.b32 $1, 3;", "=r,=r" : () -> i32
  llvm.return %0 : i32
}
