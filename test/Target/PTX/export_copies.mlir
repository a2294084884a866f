// Values that a transformation has brought together in one register, or that
// cross an edge into another one.
// RUN: ptxbench-translate --export-ptx %s | FileCheck %s

module attributes {ptx.target = #ptx.target<version = 90, arch = "sm_90a", address_size = 64>} {
  // Two values of one register that live together: one moves out.
  // CHECK-LABEL: .entry overlap
  // CHECK: .reg .b32 %fresh_b32_<1>;
  // CHECK: mov.u32 [[A:%.*]], 1;
  // CHECK-NEXT: mov.u32 [[B:%.*]], 2;
  // CHECK-NEXT: add.u32 %r1, [[A]], [[B]];
  ptx.entry @overlap attributes {regs = [#ptx.reg<"%r", "b32", 4>]} {
    %0 = ptx.mov ".u32" =0, 1 : () -> i32
    %1 = ptx.mov ".u32" =0, 2 : () -> i32
    %2 = ptx.add ".u32" =1, %0, %1 : (i32, i32) -> i32
    ptx.st ".shared.u32" [0], %2 : (i32) -> ()
    ptx.ret
  }

  // A definition that nobody reads must not overwrite what is live.
  // CHECK-LABEL: .entry unused
  // CHECK: mov.u32 %r0, 1;
  // CHECK-NEXT: atom.shared.add.u32 %fresh_b32_0, [
  // CHECK: st.shared.u32 [{{.*}}], %r0;
  ptx.entry @unused attributes {regs = [#ptx.reg<"%r", "b32", 4>]} {
    %a = ptx.mov ".u32" =1, 0 : () -> i32
    %0 = ptx.mov ".u32" =0, 1 : () -> i32
    %1 = ptx.atom ".shared.add.u32" =0, [%a], 2 : (i32) -> i32
    ptx.st ".shared.u32" [%a], %0 : (i32, i32) -> ()
    ptx.ret
  }

  // An edge that swaps: the copies are parallel. The taken side of a guarded
  // branch has its copies in a block of its own, so the function cannot end by
  // running into it.
  // CHECK-LABEL: .entry swap
  // CHECK: [[LOOP:.*]]:
  // CHECK-NEXT: setp.lt.u32 %p0, %r0, %r1;
  // CHECK-NEXT: @%p0 bra [[EDGE:.*]];
  // CHECK-NEXT: ret;
  // CHECK-NEXT: [[EDGE]]:
  // CHECK-NEXT: mov.b32 %fresh_b32_0, %r1;
  // CHECK-NEXT: mov.b32 %fresh_b32_1, %r0;
  // CHECK-NEXT: mov.b32 %r0, %fresh_b32_0;
  // CHECK-NEXT: mov.b32 %r1, %fresh_b32_1;
  // CHECK-NEXT: bra [[LOOP]];
  ptx.entry @swap attributes {
      regs = [#ptx.reg<"%r", "b32", 4>, #ptx.reg<"%p", "pred", 2>],
      block_regs = [array<i32>, array<i32: 0, 1>, array<i32>]} {
    %a = ptx.mov ".u32" =0, 1 : () -> i32
    %b = ptx.mov ".u32" =1, 2 : () -> i32
    ptx.br ^loop(%a, %b : i32, i32)
  ^loop(%x: i32, %y: i32):
    %p = ptx.setp ".lt.u32" =4, %x, %y : (i32, i32) -> i1
    ptx.bra if %p ^loop(%y, %x : i32, i32) else ^end
  ^end:
    ptx.ret {implicit}
  }

  // A chain is no cycle: what is overwritten is saved first.
  // CHECK-LABEL: .entry chain
  // CHECK: mov.b32 %fresh_b32_0, %r2;
  // CHECK-NEXT: mov.b32 %r1, %r0;
  // CHECK-NEXT: mov.b32 %r0, %fresh_b32_0;
  ptx.entry @chain attributes {
      regs = [#ptx.reg<"%r", "b32", 4>], block_regs = [array<i32>, array<i32: 0, 1>]} {
    %a = ptx.mov ".u32" =0, 1 : () -> i32
    %c = ptx.mov ".u32" =2, 3 : () -> i32
    ptx.br ^next(%c, %a : i32, i32)
  ^next(%x: i32, %y: i32):
    %s = ptx.sub ".u32" =3, %x, %y : (i32, i32) -> i32
    ptx.st ".shared.u32" [0], %s : (i32) -> ()
    ptx.ret
  }

  // A pass-through in another register is copied in front of the instruction.
  // CHECK-LABEL: .entry passthrough
  // CHECK: mov.b32 %r1, %r0;
  // CHECK-NEXT: @%p0 add.u32 %r1, %r2, 1;
  // The copy must not overwrite what the instruction reads: not the operand
  // CHECK-NEXT: mov.b32 [[D:%fresh_b32_.*]], %r0;
  // CHECK-NEXT: @!%p0 add.u32 [[D]], %r2, 1;
  // CHECK-NEXT: st.shared.v2.u32 [%r3], {%r1, [[D]]};
  // and not the guard.
  // CHECK-NEXT: mov.pred [[Q:%fresh_pred_.*]], %p1;
  // CHECK-NEXT: @%p0 setp.eq.u32 [[Q]], %r0, 0;
  // CHECK-NEXT: @[[Q]] st.shared.u32 [%r3], %r0;
  ptx.entry @passthrough attributes {
      regs = [#ptx.reg<"%r", "b32", 4>, #ptx.reg<"%p", "pred", 2>]} {
    %a = ptx.mov ".u32" =3, 0 : () -> i32
    %0 = ptx.mov ".u32" =0, 1 : () -> i32
    %x = ptx.mov ".u32" =2, 2 : () -> i32
    %p = ptx.setp ".eq.u32" =4, %0, 1 : (i32) -> i1
    %q = ptx.setp ".eq.u32" =5, %0, 2 : (i32) -> i1
    %1 = ptx.add ".u32" if %p else(%0) =1, %x, 1 : (i32, i1, i32) -> i32
    %2 = ptx.add ".u32" if not %p else(%0) =2, %x, 1 : (i32, i1, i32) -> i32
    ptx.st ".shared.v2.u32" [%a], {%1, %2} : (i32, i32, i32) -> ()
    %r = ptx.setp ".eq.u32" if %p else(%q) =4, %0, 0 : (i32, i1, i1) -> i1
    ptx.st ".shared.u32" if %r [%a], %0 : (i32, i32, i1) -> ()
    ptx.ret
  }

  // An undefined value needs no copy.
  // CHECK-LABEL: .entry undefined
  // CHECK-NOT: mov
  // CHECK: @%p0 ld.local.u32 %r1, [0];
  ptx.entry @undefined attributes {
      regs = [#ptx.reg<"%r", "b32", 4>, #ptx.reg<"%p", "pred", 2>]} {
    %u = ptx.undef {reg = 2 : i32} : i32
    %p = ptx.setp ".eq.u32" =4, 0, 1 : () -> i1
    %1 = ptx.ld ".local.u32" if %p else(%u) =1, [0] : (i1, i32) -> i32
    ptx.st ".local.u32" [0], %1 : (i32) -> ()
    ptx.ret
  }

  // Accumulators that are read again later stay as they are.
  // CHECK-LABEL: .entry accumulators
  // CHECK: wgmma.fence.sync.aligned;
  // CHECK-NEXT: mov.f32 [[A:%fresh_f32_.*]], %f0;
  // CHECK-NEXT: mov.f32 [[B:%fresh_f32_.*]], %f1;
  // CHECK-NEXT: wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {[[A]], [[B]], %f2, %f3}, %rd0, %rd0, 1, 1, 1, 0, 0;
  // CHECK: st.shared.v4.f32 [0], {[[A]], [[B]], %f2, %f3};
  // CHECK: st.shared.v2.f32 [0], {%f0, %f1};
  ptx.entry @accumulators attributes {
      regs = [#ptx.reg<"%f", "f32", 4>, #ptx.reg<"%rd", "b64", 2>]} {
    %d = ptx.mov ".b64" =4, 0 : () -> i64
    %0 = ptx.mov ".f32" =0, f32(0) : () -> f32
    %1 = ptx.mov ".f32" =1, f32(0) : () -> f32
    %2 = ptx.mov ".f32" =2, f32(0) : () -> f32
    %3 = ptx.mov ".f32" =3, f32(0) : () -> f32
    ptx.wgmma.fence ".sync.aligned" : () -> ()
    %r:4 = ptx.wgmma.mma_async ".sync.aligned.m64n8k16.f32.bf16.bf16" {+0 %0, +1 %1, +2 %2, +3 %3}, %d, %d, 1, 1, 1, 0, 0 : (f32, f32, f32, f32, i64, i64) -> (f32, f32, f32, f32)
    ptx.wgmma.commit_group ".sync.aligned" : () -> ()
    ptx.wgmma.wait_group ".sync.aligned" 0 : () -> ()
    ptx.st ".shared.v4.f32" [0], {%r#0, %r#1, %r#2, %r#3} : (f32, f32, f32, f32) -> ()
    ptx.st ".shared.v2.f32" [0], {%0, %1} : (f32, f32) -> ()
    ptx.ret
  }

  // Hints of another type, or for blocks that are no more, are no hints: an
  // argument takes the register of what it receives.
  // CHECK-LABEL: .entry stale
  // CHECK: mov.u32 %r1, 1;
  // CHECK-NEXT: st.local.u32 [0], %r1;
  ptx.entry @stale attributes {
      regs = [#ptx.reg<"%r", "b32", 4>, #ptx.reg<"%p", "pred", 2>],
      block_regs = [array<i32>, array<i32: 4>, array<i32: 2, 3>]} {
    %a = ptx.mov ".u32" =1, 1 : () -> i32
    ptx.br ^next(%a : i32)
  ^next(%x: i32):
    ptx.st ".local.u32" [0], %x : (i32) -> ()
    ptx.ret
  }

  // Eight bits have no move.
  // CHECK-LABEL: .entry bytes
  // CHECK: cvt.u8.u8 %b1, %b0;
  ptx.entry @bytes attributes {
      regs = [#ptx.reg<"%b", "b8", 2>], block_regs = [array<i32>, array<i32: 1>]} {
    %a = ptx.ld ".local.u8" =0, [0] : () -> i8
    ptx.br ^next(%a : i8)
  ^next(%x: i8):
    ptx.st ".local.u8" [0], %x : (i8) -> ()
    ptx.ret
  }

  // Results in registers: under a guard only the threads that return have them
  // copied; they are copied at once.
  // CHECK-LABEL: .func (.reg .b32 %o, .reg .b32 %q) results(
  // CHECK: @%p mov.b32 %fresh_b32_0, %q;
  // CHECK-NEXT: @%p mov.b32 %fresh_b32_1, %o;
  // CHECK-NEXT: @%p mov.b32 %o, %fresh_b32_0;
  // CHECK-NEXT: @%p mov.b32 %q, %fresh_b32_1;
  // CHECK-NEXT: @%p ret;
  // CHECK-NEXT: ret;
  ptx.func @results attributes {
      func_results = [#ptx.var<"%o", "reg", "b32" reg = 0>, #ptx.var<"%q", "reg", "b32" reg = 1>],
      params = [#ptx.var<"%a", "reg", "b32" reg = 2>],
      regs = [#ptx.reg<"%o", "b32">, #ptx.reg<"%q", "b32">, #ptx.reg<"%a", "b32">, #ptx.reg<"%p", "pred">],
      block_regs = [array<i32: 2>, array<i32>]} {
  ^entry(%a: i32):
    %p = ptx.setp ".eq.u32" =3, %a, 0 : (i32) -> i1
    %0 = ptx.mov ".u32" =0, 1 : () -> i32
    %1 = ptx.mov ".u32" =1, 2 : () -> i32
    ptx.ret if %p values(%1, %0 : i32, i32) else ^next
  ^next:
    ptx.ret values(%0, %1 : i32, i32)
  }

  // A parameter in a register that something else needs moves at the start.
  // CHECK-LABEL: .func parameter(
  // CHECK: mov.b32 %fresh_b32_0, %a;
  // CHECK-NEXT: mov.u32 %a, 5;
  // CHECK-NEXT: st.local.v2.u32 [0], {%fresh_b32_0, %a};
  // CHECK-NEXT: st.local.u32 [0], %a;
  ptx.func @parameter attributes {
      params = [#ptx.var<"%a", "reg", "b32" reg = 0>],
      regs = [#ptx.reg<"%a", "b32">], block_regs = [array<i32: 0>]} {
  ^entry(%a: i32):
    %0 = ptx.mov ".u32" =0, 5 : () -> i32
    ptx.st ".local.v2.u32" [0], {%a, %0} : (i32, i32) -> ()
    ptx.st ".local.u32" [0], %0 : (i32) -> ()
    ptx.ret
  }
}
