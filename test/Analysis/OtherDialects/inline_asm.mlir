// RUN: ptxbench-opt %s -ptx-import-inline-asm -ptx-reachability | FileCheck %s
// RUN: ptxbench-opt %s -ptx-reachability | FileCheck %s --check-prefix=UNREAD

// Instructions of inline assembly have verdicts in place, and what they compute
// decides what others have.

// CHECK-LABEL: llvm.func @kernel
// UNREAD-LABEL: llvm.func @kernel
llvm.func @kernel(%bar: !llvm.ptr<3>, %x: i32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>} {
  %c63 = llvm.mlir.constant(63 : i32) : i32
  %c128 = llvm.mlir.constant(128 : i32) : i32
  // CHECK: ptx.mov ".u32"
  %tid = llvm.inline_asm "mov.u32 $0, %tid.x;", "=r" : () -> i32
  %high = llvm.icmp "ugt" %tid, %c63 : i32
  llvm.cond_br %high, ^high, ^next
^high:
  // The guard of an instruction; a branch of the text.
  // CHECK: ptx.mbarrier.inval
  // CHECK-SAME: ptx.reach = "some"
  // CHECK-SAME: warps 2-3
  // CHECK: ptx.mbarrier.inval
  // CHECK-SAME: ptx.reach = "never"
  // CHECK: ptx.mbarrier.inval
  // CHECK-SAME: ptx.reach = "maybe"
  llvm.inline_asm has_side_effects "{ .reg .pred p, q; mbarrier.inval.shared.b64 [$0]; setp.lt.u32 p, $1, 64; @p mbarrier.inval.shared.b64 [$0]; setp.eq.u32 q, $2, 5; @q bra done; mbarrier.inval.shared.b64 [$0]; done: }", "r,r,r,~{memory}" %bar, %tid, %x : (!llvm.ptr<3>, i32, i32) -> ()
  llvm.br ^next
^next:
  %never = llvm.icmp "uge" %tid, %c128 : i32
  llvm.cond_br %never, ^exit, ^end
^exit:
  llvm.inline_asm has_side_effects "exit;", "" : () -> ()
  llvm.br ^end
^end:
  // The text that ends threads is dead. Unread, nobody knows that.
  // CHECK: nvvm.wgmma.fence.aligned {ptx.reach = "all"
  // UNREAD: nvvm.wgmma.fence.aligned {ptx.reach = "maybe"
  nvvm.wgmma.fence.aligned
  llvm.return
}

// `ret` in the text returns from the kernel.
// CHECK-LABEL: llvm.func @returns
llvm.func @returns() attributes {nvvm.kernel} {
  // CHECK: ptx.ret
  llvm.inline_asm has_side_effects "ret;", "" : () -> ()
  // CHECK: nvvm.wgmma.fence.aligned {ptx.reach = "never"
  nvvm.wgmma.fence.aligned
  llvm.return
}

// Remarks have the location of the operation.
// RUN: ptxbench-opt %s -ptx-import-inline-asm \
// RUN:   -ptx-reachability="remarks=true entry=kernel" -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK
// REMARK: inline_asm.mlir:25:3: remark: mbarrier.inval.shared.b64: some (cta)
