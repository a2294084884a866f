// RUN: ptxbench-opt %s -ptx-import-inline-asm | FileCheck %s
// RUN: not ptxbench-opt %s -ptx-import-inline-asm="target=sm_80" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OLD
// RUN: not ptxbench-opt %s -ptx-import-inline-asm="target=hopper" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NONE

// Without a target, instructions of different architectures are taken.

// CHECK: ptx.setmaxnreg
// CHECK: ptx.tcgen05
// OLD: error: in inline asm, line 1 column 1: {{.*}}needs sm_90a{{.*}} but the target is sm_80
// NONE-NOT: :0:0
// NONE: error: option 'target' of -ptx-import-inline-asm: expected an architecture such as sm_90a but got 'hopper'
llvm.func @two_architectures() {
  llvm.inline_asm has_side_effects "setmaxnreg.inc.sync.aligned.u32 240;", "" : () -> ()
  llvm.inline_asm has_side_effects "tcgen05.fence::before_thread_sync;", "~{memory}" : () -> ()
  llvm.return
}
