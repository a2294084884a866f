// RUN: split-file %s %t
// RUN: ptxbench-opt %t/kernels.mlir -ptxbench-analyze -o %t/out.mlir 2>&1 \
// RUN:   | FileCheck %s
// RUN: FileCheck %s --check-prefix=MODULE < %t/out.mlir
// On standard output, in place of the module.
// RUN: ptxbench-opt %t/kernels.mlir -o %t/out.mlir \
// RUN:   --pass-pipeline='builtin.module(ptxbench-analyze{output=-})' \
// RUN:   | FileCheck %s
// An option reaches its pass.
// RUN: ptxbench-opt %t/kernels.mlir -o %t/out.mlir \
// RUN:   --pass-pipeline='builtin.module(ptxbench-analyze{entry=open block=32,1,1 param=0=7 output=-})' \
// RUN:   | FileCheck %s --check-prefix=ONE
// RUN: ptxbench-opt %t/kernels.mlir -ptxbench-analyze='print=false' \
// RUN:   -o %t/out.mlir 2>&1 | count 0
// RUN: ptxbench-opt %t/nowhere.mlir -ptxbench-analyze -o %t/out.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NOWHERE
// RUN: ptxbench-opt %t/none.mlir -ptxbench-analyze -o %t/out.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NONE
// The passes by hand.
// RUN: ptxbench-opt %t/kernels.mlir -ptx-import-inline-asm -ptx-reachability \
// RUN:   -ptx-print-verdicts -o %t/out.mlir 2>&1 | FileCheck %s
// Nothing was analysed.
// RUN: ptxbench-opt %t/kernels.mlir -ptx-print-verdicts='output=-' \
// RUN:   -o %t/out.mlir | FileCheck %s --check-prefix=NONE
// PTX text.
// RUN: ptxbench-opt %t/kernel.ptx -ptxbench-analyze -o %t/out.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=PTX

// RUN: not ptxbench-opt %t/kernels.mlir -ptxbench-analyze='entry=other' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ENTRY
// RUN: not ptxbench-opt %t/kernels.mlir -ptxbench-analyze='target=sm_70' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TARGET
// RUN: not ptxbench-opt %t/kernels.mlir -ptxbench-analyze='targets=sm_70' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OPTION
// RUN: not ptxbench-opt %t/kernels.mlir -ptxbench-analyze='output=%t/none/x' \
// RUN:   2>&1 | FileCheck %s --check-prefix=OUTPUT

// CHECK: kernels.mlir:2:1: kernel closed
// CHECK-NEXT: {{^}}  wgmma: 1 of 2 can execute
// CHECK-NEXT: {{^ .*}}kernels.mlir:5:3: nvvm.wgmma.fence.aligned: all: every path
// CHECK-NEXT: {{^ .*}}kernels.mlir:9:3: wgmma.fence.sync.aligned: never: {{.*}}tid.x
// CHECK-NEXT: kernels.mlir:14:1: kernel open
// CHECK-NEXT: {{^}}  griddepcontrol: 1 of 1 may execute
// CHECK-NEXT: {{^ .*}}kernels.mlir:17:3: griddepcontrol.wait: maybe: {{.*}}
// CHECK-NOT: {{.}}

// MODULE: nvvm.wgmma.fence.aligned {ptx.reach = "all"
// MODULE: ptx.wgmma.fence {{.*}}ptx.reach = "never"

// ONE-NOT: closed
// ONE: kernel open
// ONE: griddepcontrol.wait: all
// NONE: no target instructions
// NOWHERE: {{^}}kernel k
// NOWHERE: {{^}}  nvvm.wgmma.fence.aligned: all
// PTX: kernel.ptx:4:1: kernel k
// PTX-NEXT: {{^}}  griddepcontrol: 1 of 1 can execute
// PTX-NEXT: {{^ .*}}kernel.ptx:6:3: griddepcontrol.wait: all: every path

// ENTRY-NOT: :0:0
// ENTRY: error: option 'entry' of -ptx-reachability: no entry is called 'other'
// TARGET: kernels.mlir:9:3: error: in inline asm, line 1 column 1: 'wgmma.fence{{.*}} needs {{.*}}sm_90a
// OPTION: no such option targets
// OUTPUT-NOT: :0:0
// OUTPUT: error: option 'output' of -ptx-print-verdicts: cannot open output file

//--- kernels.mlir
// Two kernels of the LLVM dialect.
llvm.func @closed() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %limit = llvm.mlir.constant(128 : i32) : i32
  nvvm.wgmma.fence.aligned
  %past = llvm.icmp "uge" %tid, %limit : i32
  llvm.cond_br %past, ^fence, ^end
^fence:
  llvm.inline_asm has_side_effects "wgmma.fence.sync.aligned;", "~{memory}" : () -> ()
  llvm.br ^end
^end:
  llvm.return
}
llvm.func @open(%n: i32) attributes {nvvm.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %p = llvm.icmp "ne" %n, %one : i32
  llvm.inline_asm has_side_effects "@$0 griddepcontrol.wait;", "b,~{memory}" %p : (i1) -> ()
  llvm.return
}
//--- nowhere.mlir
// Line 0 is no place.
llvm.func @k() attributes {nvvm.kernel} {
  nvvm.wgmma.fence.aligned loc("model.py":0:0)
  llvm.return
} loc("model.py":0:0)
//--- none.mlir
llvm.func @f() attributes {nvvm.kernel} {
  llvm.return
}
//--- kernel.ptx
.version 8.0
.target sm_90a
.address_size 64
.entry k()
{
  griddepcontrol.wait;
  ret;
}
