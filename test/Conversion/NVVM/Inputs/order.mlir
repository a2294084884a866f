gpu.module @m [#nvvm.target<chip = "sm_100a">] {

// NVVM-LABEL: llvm.func @tcgen05_loop
// NVVM: nvvm.tcgen05.ld
// NVVM-NOT: nvvm.tcgen05.wait
// CHECK-LABEL: .entry tcgen05_loop
// CHECK: tcgen05.ld
// CHECK-NOT: mul.lo
// CHECK: tcgen05.wait::ld
// CHECK: add
// CHECK: mul
// CHECK: st.global
llvm.func @tcgen05_loop(%f: !llvm.ptr<6>, %n: i32, %o: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %0 = llvm.inline_asm has_side_effects "tcgen05.ld.sync.aligned.32x32b.x2.b32 {$0, $1}, [$2];", "=r,=r,r,~{memory}" %f : (!llvm.ptr<6>) -> !llvm.struct<(i32, i32)>
  %1 = llvm.extractvalue %0[0] : !llvm.struct<(i32, i32)>
  %2 = llvm.extractvalue %0[1] : !llvm.struct<(i32, i32)>
  llvm.br ^loop(%c0 : i32)
^loop(%i: i32):
  %3 = llvm.inline_asm has_side_effects "tcgen05.wait::ld.sync.aligned;", "=r,=r,0,1,~{memory}" %1, %2 : (i32, i32) -> !llvm.struct<(i32, i32)>
  %4 = llvm.extractvalue %3[0] : !llvm.struct<(i32, i32)>
  %5 = llvm.extractvalue %3[1] : !llvm.struct<(i32, i32)>
  %6 = llvm.add %4, %5 : i32
  %7 = llvm.mul %6, %5 : i32
  %8 = llvm.getelementptr %o[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  llvm.store %7, %8 : i32, !llvm.ptr<1>
  %9 = llvm.add %i, %c1 : i32
  %10 = llvm.icmp "slt" %9, %n : i32
  llvm.cond_br %10, ^loop(%9 : i32), ^end
^end:
  llvm.return
}

// The same with registers of f32, and a copy behind the wait instead of "+r".

// NVVM-LABEL: llvm.func @copy_loop
// NVVM: nvvm.tcgen05.ld
// NVVM-NOT: nvvm.tcgen05.wait
// CHECK-LABEL: .entry copy_loop
// CHECK: tcgen05.ld
// CHECK-NOT: {{add|mul}}.rn
// CHECK: tcgen05.wait::ld
// CHECK: mul.rn.f32
// CHECK: st.global
llvm.func @copy_loop(%f: !llvm.ptr<6>, %n: i32, %o: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %0 = llvm.inline_asm has_side_effects "tcgen05.ld.sync.aligned.32x32b.x1.b32 {$0}, [$1];", "=f,r,~{memory}" %f : (!llvm.ptr<6>) -> f32
  llvm.br ^loop(%c0 : i32)
^loop(%i: i32):
  %1 = llvm.inline_asm has_side_effects "tcgen05.wait::ld.sync.aligned; mov.b32 $0, $1;", "=f,f,~{memory}" %0 : (f32) -> f32
  %2 = llvm.fmul %1, %1 : f32
  %3 = llvm.getelementptr %o[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  llvm.store %2, %3 : f32, !llvm.ptr<1>
  %4 = llvm.add %i, %c1 : i32
  %5 = llvm.icmp "slt" %4, %n : i32
  llvm.cond_br %5, ^loop(%4 : i32), ^end
^end:
  llvm.return
}

// A load in front of an arrival is done before it, though its value is used
// behind a branch alone.

// NVVM-LABEL: llvm.func @arrive
// NVVM: nvvm.mbarrier.arrive.expect_tx {{.*}}predicate =
// CHECK-LABEL: .entry arrive
// CHECK: ld.shared.{{b|u}}32
// CHECK: mbarrier.arrive.expect_tx
// CHECK: bra
// CHECK: st.global
llvm.func @arrive(%b: !llvm.ptr<3>, %d: !llvm.ptr<3>, %c: i1, %p: i1, %o: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel} {
  %0 = llvm.load %d : !llvm.ptr<3> -> i32
  llvm.inline_asm has_side_effects "@$2 mbarrier.arrive.expect_tx.shared.b64 _, [$0], $1;", "r,r,b,~{memory}" %b, %n, %p : (!llvm.ptr<3>, i32, i1) -> ()
  llvm.cond_br %c, ^then, ^end
^then:
  llvm.store %0, %o : i32, !llvm.ptr<1>
  llvm.br ^end
^end:
  llvm.return
}

// NVVM-LABEL: llvm.func @named
// NVVM: nvvm.barrier.arrive
// CHECK-LABEL: .entry named
// CHECK: ld.shared.{{b|u}}32
// CHECK: bar{{.*}}.arrive
// CHECK: bra
// CHECK: st.global
llvm.func @named(%d: !llvm.ptr<3>, %c: i1, %o: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %0 = llvm.load %d : !llvm.ptr<3> -> i32
  llvm.inline_asm has_side_effects "bar.arrive 1, 64;", "~{memory}" : () -> ()
  llvm.cond_br %c, ^then, ^end
^then:
  llvm.store %0, %o : i32, !llvm.ptr<1>
  llvm.br ^end
^end:
  llvm.return
}

}
