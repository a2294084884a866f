gpu.module @m [#nvvm.target<chip = "sm_90a">] {

// NVVM-LABEL: llvm.func @wgmma_loop
// NVVM: nvvm.wgmma.mma_async
// NVVM-NOT: nvvm.wgmma.wait
// CHECK-LABEL: .entry wgmma_loop
// CHECK: wgmma.mma_async
// CHECK-NOT: {{(add|mul)\.rn}}
// CHECK: wgmma.wait_group
// CHECK: add.rn.f32
// CHECK: mul.rn.f32
// CHECK: st.global
llvm.func @wgmma_loop(%a: i64, %f: f32, %n: i32, %o: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  llvm.inline_asm has_side_effects "wgmma.fence.sync.aligned;", "~{memory}" : () -> ()
  %0 = llvm.inline_asm has_side_effects "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0, $1, $2, $3}, $4, $5, 1, 1, 1, 0, 0;", "=f,=f,=f,=f,l,l,0,1,2,3,~{memory}" %a, %a, %f, %f, %f, %f : (i64, i64, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  llvm.inline_asm has_side_effects "wgmma.commit_group.sync.aligned;", "~{memory}" : () -> ()
  %1 = llvm.extractvalue %0[0] : !llvm.struct<(f32, f32, f32, f32)>
  %2 = llvm.extractvalue %0[3] : !llvm.struct<(f32, f32, f32, f32)>
  llvm.br ^loop(%c0 : i32)
^loop(%i: i32):
  %3 = llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 0;", "=f,=f,0,1,~{memory}" %1, %2 : (f32, f32) -> !llvm.struct<(f32, f32)>
  %4 = llvm.extractvalue %3[0] : !llvm.struct<(f32, f32)>
  %5 = llvm.extractvalue %3[1] : !llvm.struct<(f32, f32)>
  %6 = llvm.fadd %4, %5 : f32
  %7 = llvm.fmul %6, %5 : f32
  %8 = llvm.getelementptr %o[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  llvm.store %7, %8 : f32, !llvm.ptr<1>
  %9 = llvm.add %i, %c1 : i32
  %10 = llvm.icmp "slt" %9, %n : i32
  llvm.cond_br %10, ^loop(%9 : i32), ^end
^end:
  llvm.return
}

}
