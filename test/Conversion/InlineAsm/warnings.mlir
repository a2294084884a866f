// RUN: ptxbench-opt %s -ptx-import-inline-asm -split-input-file \
// RUN:   -verify-diagnostics -o /dev/null

// Nothing to say about any of these.
llvm.func @clean(%p: !llvm.ptr, %s: !llvm.ptr<3>, %a: i32, %b: i8, %f: f32, %h: f16, %v: vector<2xf16>) {
  %0 = llvm.inline_asm has_side_effects "ld.global.b32 $0, [$1];", "=r,l,~{memory}" %p : (!llvm.ptr) -> i32
  %1 = llvm.inline_asm has_side_effects "ld.shared.u8 $0, [$1];", "=r,r,~{memory}" %s : (!llvm.ptr<3>) -> i32
  %2 = llvm.inline_asm "{ .reg .b32 t; add.s32 t, $1, 1; mov.b32 $0, t; }", "=r,r" %b : (i8) -> i32
  %3 = llvm.inline_asm "add.f32 $0, $1, $1;", "=f,f" %f : (f32) -> f32
  %4 = llvm.inline_asm "add.f16x2 $0, $1, $1;", "=r,r" %v : (vector<2xf16>) -> vector<2xf16>
  %5 = llvm.inline_asm "mov.b16 $0, $1;", "=h,h" %h : (f16) -> f16
  %6 = llvm.inline_asm "mov.b32 $0, $1;", "=r,f" %f : (f32) -> i32
  llvm.return
}

// -----

llvm.func @value_too_wide(%a: i64) {
  // expected-warning @+1 {{the operand $1 ('r') is a register of 32 bits, but its value has the type 'i64'}}
  %0 = llvm.inline_asm "mov.b32 $0, $1;", "=r,r" %a : (i64) -> i32
  llvm.return
}

// -----

llvm.func @never_written(%a: i32) -> i32 {
  // expected-warning @+1 {{the operand $0 ('=r') is an output, but the text never writes it}}
  %0 = llvm.inline_asm has_side_effects "{ .reg .b32 t; mov.b32 t, $1; }", "=r,r" %a : (i32) -> i32
  llvm.return %0 : i32
}

// -----

llvm.func @read_first(%a: i32) -> i32 {
  // expected-warning @+1 {{in inline asm, line 1 column 1: 'add.s32' reads the operand $0 ('=r'), which is only written}}
  %0 = llvm.inline_asm "add.s32 $0, $0, $1;", "=r,r" %a : (i32) -> i32
  llvm.return %0 : i32
}

// -----

llvm.func @guarded_write(%a: i32, %p: i1) -> i32 {
  // expected-warning @+1 {{in inline asm, line 1 column 1: 'mov.b32' leaves the operand $0 ('=r') without a value where its guard is false}}
  %0 = llvm.inline_asm "@$2 mov.b32 $0, $1;", "=r,r,b" %a, %p : (i32, i1) -> i32
  llvm.return %0 : i32
}

// -----

llvm.func @writes_input(%a: i32) -> i32 {
  // expected-warning @+1 {{in inline asm, line 2 column 2: 'add.s32' writes the operand $1 ('r'), which is only read; LLVM takes it for unchanged}}
  %0 = llvm.inline_asm "\0A add.s32 $1, $1, 1;\0A mov.b32 $0, $1;", "=r,r" %a : (i32) -> i32
  llvm.return %0 : i32
}

// -----

llvm.func @no_memory_clobber(%s: !llvm.ptr<3>) -> i32 {
  // expected-warning @+1 {{in inline asm, line 1 column 1: 'ld.shared.b32' accesses memory, but the constraints have no '~{memory}'}}
  %0 = llvm.inline_asm has_side_effects "ld.shared.b32 $0, [$1];", "=r,r" %s : (!llvm.ptr<3>) -> i32
  llvm.return %0 : i32
}

// -----

// Waits and barriers name no address.
llvm.func @no_memory_clobber_of_barrier(%d: i64) {
  // expected-warning @+1 {{'bar.sync' orders accesses to memory, but the constraints have no '~{memory}'}}
  llvm.inline_asm has_side_effects "bar.sync 0;", "" : () -> ()
  // expected-warning @+1 {{'fence.proxy.async' orders accesses to memory, but}}
  llvm.inline_asm has_side_effects "fence.proxy.async;", "" : () -> ()
  // expected-warning @+1 {{'cp.async.bulk.wait_group' orders accesses to memory, but}}
  llvm.inline_asm has_side_effects "cp.async.bulk.wait_group 0;", "" : () -> ()
  // expected-warning @+1 {{'wgmma.wait_group.sync.aligned' orders accesses to memory, but}}
  llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 0;", "" : () -> ()
  // Only later instructions of its kind are concerned with a group.
  llvm.inline_asm has_side_effects "cp.async.commit_group;", "" : () -> ()
  llvm.inline_asm has_side_effects "nanosleep.u32 20;", "" : () -> ()
  llvm.inline_asm has_side_effects "bar.sync 0;", "~{memory}" : () -> ()
  llvm.return
}

// -----

llvm.func @no_memory_clobber_of_mma(%a: i64, %c: f32) {
  // expected-warning @+1 {{'wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16' accesses memory, but}}
  %0 = llvm.inline_asm has_side_effects "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {$0, $1, $2, $3}, $4, $5, 1, 1, 1, 0, 0;", "=f,=f,=f,=f,l,l,0,1,2,3" %a, %a, %c, %c, %c, %c : (i64, i64, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  llvm.return
}

// -----

// What ends threads is an effect.
llvm.func @ends_without_side_effects(%p: i1) {
  // expected-warning @+1 {{in inline asm, line 1 column 1: 'exit' ends the thread, but the operation is not 'has_side_effects'}}
  llvm.inline_asm "exit;", "" : () -> ()
  // expected-warning @+1 {{'exit' ends the thread, but}}
  llvm.inline_asm "@$0 exit;", "b" %p : (i1) -> ()
  // expected-warning @+1 {{'ret' ends the function, but}}
  llvm.inline_asm "ret;", "" : () -> ()
  // expected-warning @+1 {{'trap' ends the launch, but}}
  llvm.inline_asm "trap;", "" : () -> ()
  // expected-warning @+1 {{the text goes on without end from here, but}}
  llvm.inline_asm "here: bra here;", "" : () -> ()
  // expected-warning @+1 {{the text goes on without end from here, but}}
  llvm.inline_asm "@$0 bra end; here: bra here; end:", "b" %p : (i1) -> ()
  // A loop with an end is none of them, nor what is 'has_side_effects'.
  llvm.inline_asm "here: @$0 bra here;", "b" %p : (i1) -> ()
  llvm.inline_asm has_side_effects "exit;", "" : () -> ()
  llvm.inline_asm has_side_effects "@$0 bra end; here: bra here; end:", "b" %p : (i1) -> ()
  llvm.return
}

// -----

llvm.func @no_side_effects(%s: !llvm.ptr<3>, %a: i32) {
  // expected-warning @+1 {{in inline asm, line 1 column 1: 'st.shared.b32' has an effect besides its results, but the operation is not 'has_side_effects'}}
  llvm.inline_asm "st.shared.b32 [$0], $1;", "r,r,~{memory}" %s, %a : (!llvm.ptr<3>, i32) -> ()
  llvm.return
}

// -----

llvm.func @integer_in_f(%a: f32) -> f32 {
  // expected-warning @+2 {{'add.s32' writes the operand $0 ('=f') as an integer}}
  // expected-warning @+1 {{'add.s32' reads the operand $1 ('f') as an integer}}
  %0 = llvm.inline_asm "add.s32 $0, $1, 1;", "=f,f" %a : (f32) -> f32
  llvm.return %0 : f32
}

// -----

llvm.func @wide_register(%p: !llvm.ptr) -> i64 {
  // expected-warning @+1 {{'ld.global.u32' writes 32 bits of the operand $0 ('=l'), which has 64}}
  %0 = llvm.inline_asm has_side_effects "ld.global.u32 $0, [$1];", "=l,l,~{memory}" %p : (!llvm.ptr) -> i64
  llvm.return %0 : i64
}

// -----

// nvvm.inline_ptx has no clobbers to name.
llvm.func @inline_ptx(%s: !llvm.ptr<3>, %a: i32) {
  nvvm.inline_ptx "mbarrier.init.shared.b64 [$0], $1;" ro(%s, %a : !llvm.ptr<3>, i32)
  llvm.return
}

// -----

// One of the two writes it.
llvm.func @opposite_guards(%a: i32, %p: i1) -> i32 {
  %0 = llvm.inline_asm "@!$1 add.s32 $0, $2, 1; @$1 mov.b32 $0, 3;", "=&r,b,r" %p, %a : (i1, i32) -> i32
  llvm.return %0 : i32
}

// -----

// In between it is read, and the second guard is another one.
llvm.func @other_guards(%a: i32, %p: i1, %q: i1) -> i32 {
  // expected-warning @+1 {{in inline asm, line 1 column 1: 'add.s32' leaves the operand $0 ('=&r') without a value where its guard is false}}
  %0 = llvm.inline_asm "@!$1 add.s32 $0, $2, 1; add.s32 $0, $0, 1; @$1 mov.b32 $0, 3;", "=&r,b,r" %p, %a : (i1, i32) -> i32
  // expected-warning @+1 {{in inline asm, line 1 column 1: 'add.s32' leaves the operand $0 ('=&r') without a value where its guard is false}}
  %1 = llvm.inline_asm "@!$1 add.s32 $0, $3, 1; @$2 mov.b32 $0, 3;", "=&r,b,b,r" %p, %q, %0 : (i1, i1, i32) -> i32
  llvm.return %1 : i32
}

// -----

// A carry that stays in the text is no effect; one that comes or goes is.
llvm.func @carry(%a: i32, %b: i32) -> i32 {
  %0 = llvm.inline_asm "{ .reg .b32 t; add.cc.u32 t, $1, $1; madc.lo.cc.u32 t, t, $2, t; addc.u32 $0, $2, t; }", "=&r,r,r" %a, %b : (i32, i32) -> i32
  // expected-warning @+1 {{in inline asm, line 1 column 1: 'add.cc.u32' has an effect besides its results}}
  %1 = llvm.inline_asm "add.cc.u32 $0, $1, $1;", "=r,r" %a : (i32) -> i32
  // expected-warning @+1 {{in inline asm, line 1 column 1: 'addc.cc.u32' has an effect besides its results}}
  %2 = llvm.inline_asm "addc.cc.u32 $0, $1, 0; addc.u32 $0, $0, 0;", "=&r,r" %0 : (i32) -> i32
  %3 = llvm.add %1, %2 : i32
  llvm.return %3 : i32
}

// -----

// LLVM has `%r1`, `%rd2`, ... where it writes `$0`.
llvm.func @name_of_llvm(%a: i32) -> i32 {
  // expected-warning @+1 {{in inline asm, line 1 column 13: LLVM may give the register of an operand the name '%r1', which this declaration hides}}
  %0 = llvm.inline_asm "{ .reg .b32 %r1; mov.b32 %r1, 5; add.s32 $0, $1, %r1; }", "=&r,r" %a : (i32) -> i32
  // expected-warning @+1 {{the name '%r<4>'}}
  %1 = llvm.inline_asm "{ .reg .b32 %r<4>; mov.b32 %r3, 5; add.s32 $0, $1, %r3; }", "=&r,r" %a : (i32) -> i32
  %2 = llvm.inline_asm "{ .reg .b32 %r, %rx, %x1, r1; mov.b32 %r, $1; mov.b32 $0, %r; }", "=r,r" %a : (i32) -> i32
  llvm.inline_asm has_side_effects "{ .reg .b32 %r1; mov.b32 %r1, 5; st.local.b32 [4], %r1; }", "~{memory}" : () -> ()
  llvm.return %2 : i32
}

// -----

// A register of 32 bits, as LLVM has it.
llvm.func @any_too_wide(%a: i64) -> i32 {
  // expected-warning @+1 {{the operand $1 ('r') is a register of 32 bits, but its value has the type 'i64'}}
  %0 = llvm.inline_asm "mov.b32 $0, $1;", "=r,X" %a : (i64) -> i32
  llvm.return %0 : i32
}
