// RUN: ptxbench-opt %s -ptx-import-inline-asm -convert-ptx-to-nvvm \
// RUN:   -ptx-export-inline-asm -o %t.mlir
// RUN: FileCheck %s --check-prefix=NVVM --input-file %t.mlir
// RUN: %mlir-opt %t.mlir --convert-nvvm-to-llvm \
// RUN:   | %mlir-translate --mlir-to-llvmir \
// RUN:   | %llc -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90a -mattr=+ptx88 \
// RUN:   | FileCheck %s
// REQUIRES: llc, mlir-opt, mlir-translate

// What may give another result the second time is executed twice.

// NVVM-LABEL: llvm.func @polls
// NVVM-COUNT-2: nvvm.mbarrier.try_wait
// NVVM-COUNT-2: nvvm.mbarrier.test.wait
// CHECK-LABEL: .entry polls
// CHECK-COUNT-2: mbarrier.try_wait.parity.relaxed
// CHECK-COUNT-2: mbarrier.test_wait.relaxed
llvm.func @polls(%b: !llvm.ptr<3>, %n: i32, %s: i64, %o: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %0 = llvm.inline_asm has_side_effects "mbarrier.try_wait.parity.relaxed.cluster.shared::cta.b64 $0, [$1], $2;", "=b,r,r,~{memory}" %b, %n : (!llvm.ptr<3>, i32) -> i1
  %1 = llvm.inline_asm has_side_effects "mbarrier.try_wait.parity.relaxed.cluster.shared::cta.b64 $0, [$1], $2;", "=b,r,r,~{memory}" %b, %n : (!llvm.ptr<3>, i32) -> i1
  %2 = llvm.inline_asm has_side_effects "mbarrier.test_wait.relaxed.cluster.shared::cta.b64 $0, [$1], $2;", "=b,r,l,~{memory}" %b, %s : (!llvm.ptr<3>, i64) -> i1
  %3 = llvm.inline_asm has_side_effects "mbarrier.test_wait.relaxed.cluster.shared::cta.b64 $0, [$1], $2;", "=b,r,l,~{memory}" %b, %s : (!llvm.ptr<3>, i64) -> i1
  %4 = llvm.zext %0 : i1 to i32
  %5 = llvm.zext %1 : i1 to i32
  %6 = llvm.zext %2 : i1 to i32
  %7 = llvm.zext %3 : i1 to i32
  llvm.store volatile %4, %o : i32, !llvm.ptr<1>
  llvm.store volatile %5, %o : i32, !llvm.ptr<1>
  llvm.store volatile %6, %o : i32, !llvm.ptr<1>
  llvm.store volatile %7, %o : i32, !llvm.ptr<1>
  llvm.return
}

// NVVM-LABEL: llvm.func @sm
// NVVM-NOT: nvvm.read
// CHECK-LABEL: .entry sm
// CHECK-COUNT-2: mov.u32 %{{.*}}, %smid
llvm.func @sm(%o: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %0 = llvm.inline_asm has_side_effects "mov.u32 $0, %smid;", "=r" : () -> i32
  llvm.store volatile %0, %o : i32, !llvm.ptr<1>
  %1 = llvm.inline_asm has_side_effects "mov.u32 $0, %smid;", "=r" : () -> i32
  llvm.store volatile %1, %o : i32, !llvm.ptr<1>
  llvm.return
}
