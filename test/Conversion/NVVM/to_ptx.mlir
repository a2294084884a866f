// RUN: ptxbench-opt %s -convert-nvvm-to-ptx | FileCheck %s
// RUN: ptxbench-opt %s -convert-nvvm-to-ptx=only=nvvm.mbarrier | FileCheck %s --check-prefix=ONLY

// Attributes become modifiers, operands are bound, structs are taken apart.

// CHECK-LABEL: llvm.func @predicate
// CHECK: ptx.inline "b,r,r,~{memory}"(%{{.*}}, %{{.*}}, %{{.*}} : i1, !llvm.ptr<3>, i32)
// CHECK: ptx.mbarrier.arrive ".expect_tx.shared.b64" if %{{.*}} _, [%{{.*}}], %{{.*}} : (i32, i32, i1) -> ()
llvm.func @predicate(%bar: !llvm.ptr<3>, %n: i32, %p: i1) {
  nvvm.mbarrier.arrive.expect_tx %bar, %n, predicate = %p : !llvm.ptr<3>, i32, i1
  llvm.return
}

// CHECK-LABEL: llvm.func @constant
// CHECK: ptx.mbarrier.init ".shared.b64" [%{{.*}}], 128 : (i32) -> ()
// ONLY-LABEL: llvm.func @constant
// ONLY: ptx.mbarrier.init
// ONLY: nvvm.barrier
llvm.func @constant(%bar: !llvm.ptr<3>) {
  %n = llvm.mlir.constant(128 : i32) : i32
  nvvm.mbarrier.init %bar, %n : !llvm.ptr<3>, i32
  // CHECK: ptx.bar ".sync" 0 : () -> ()
  nvvm.barrier
  llvm.return
}

// Without side effects: it may be removed.

// CHECK-LABEL: llvm.func @pure
// CHECK: ptx.inline "=r,r,r"
// CHECK-NOT: side_effects
// CHECK: ptx.mapa ".shared::cluster.u32"
// CHECK: llvm.inttoptr %{{.*}} : i32 to !llvm.ptr<7>
llvm.func @pure(%p: !llvm.ptr<3>, %rank: i32) -> !llvm.ptr<7> {
  %0 = nvvm.mapa %p, %rank : !llvm.ptr<3> -> !llvm.ptr<7>
  llvm.return %0 : !llvm.ptr<7>
}

// A chain of accumulators stays one of registers.

// CHECK-LABEL: llvm.func @chain
// CHECK: %[[A:.*]]:2 = ptx.inline "=r,=r,l,l,0,1,~{memory}"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : i64, i64, i32, i32)
// CHECK: ptx.wgmma.mma_async ".sync.aligned.m64n8k16.f16.f16.f16" {+0 %{{.*}}, +1 %{{.*}}}, %{{.*}}, %{{.*}}, 1, 1, -1, 0, 1
// CHECK: %[[B:.*]]:2 = ptx.inline "=r,=r,l,l,0,1,~{memory}"(%{{.*}}, %{{.*}}, %[[A]]#0, %[[A]]#1 : i64, i64, i32, i32)
llvm.func @chain(%a: i64, %b: i64, %c: !llvm.struct<(i32, i32)>) -> !llvm.struct<(i32, i32)> {
  %0 = nvvm.wgmma.mma_async %a, %b, %c, #nvvm.shape<m = 64, n = 8, k = 16>,
         D[#nvvm.wgmma_type<f16>, #nvvm.wgmma_scale_out<one>],
         A[#nvvm.wgmma_type<f16>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<row>],
         B[#nvvm.wgmma_type<f16>, #nvvm.wgmma_scale_in<neg>, #nvvm.mma_layout<row>]
       : !llvm.struct<(i32, i32)> -> !llvm.struct<(i32, i32)>
  %1 = nvvm.wgmma.mma_async %a, %b, %0, #nvvm.shape<m = 64, n = 8, k = 16>,
         D[#nvvm.wgmma_type<f16>, #nvvm.wgmma_scale_out<one>],
         A[#nvvm.wgmma_type<f16>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<row>],
         B[#nvvm.wgmma_type<f16>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<row>]
       : !llvm.struct<(i32, i32)> -> !llvm.struct<(i32, i32)>
  llvm.return %1 : !llvm.struct<(i32, i32)>
}

// The loop around the instruction is one of the operation.

// CHECK-LABEL: llvm.func @loop
// CHECK: ptx.mbarrier.try_wait ".parity.shared.b64"
// CHECK: ptx.bra
llvm.func @loop(%bar: !llvm.ptr<3>, %phase: i32, %ticks: i32) {
  nvvm.mbarrier.try_wait.parity %bar, %phase, %ticks : !llvm.ptr<3>, i32, i32
  llvm.return
}
