// RUN: split-file %s %t
// RUN: ptxbench-opt %t/host.mlir -ptx-import-inline-asm | FileCheck %s
// RUN: ptxbench-opt %t/host.mlir -ptxbench-analyze='output=-' -o %t/out.mlir \
// RUN:   | FileCheck %s --check-prefix=VERDICTS
// RUN: ptxbench-opt %t/launch.mlir -ptx-import-inline-asm \
// RUN:   | FileCheck %s --check-prefix=LAUNCH
// RUN: not ptxbench-opt %t/kernel.mlir -ptx-import-inline-asm 2>&1 \
// RUN:   | FileCheck %s --check-prefix=KERNEL
// RUN: not ptxbench-opt %t/device.mlir -ptx-import-inline-asm 2>&1 \
// RUN:   | FileCheck %s --check-prefix=DEVICE

// Beside kernels in a gpu.module, a function is the host's, and its text is not
// PTX.
// CHECK: llvm.inline_asm {{.*}}"movl $$1, %eax"
// CHECK: gpu.func @k
// CHECK: ptx.inline
// VERDICTS: kernel k
// VERDICTS: griddepcontrol.wait: all
//--- host.mlir
func.func @main() {
  llvm.inline_asm has_side_effects "movl $$1, %eax", "~{eax}" : () -> ()
  return
}
gpu.module @m {
  gpu.func @k() kernel {
    llvm.inline_asm has_side_effects "griddepcontrol.wait;", "~{memory}" : () -> ()
    gpu.return
  }
}

// Of the function around a launch, the launch is the device's.
// LAUNCH: llvm.inline_asm {{.*}}"nop"
// LAUNCH: gpu.launch
// LAUNCH: ptx.inline
//--- launch.mlir
func.func @main() {
  %c1 = arith.constant 1 : index
  llvm.inline_asm has_side_effects "nop", "~{memory}" : () -> ()
  gpu.launch blocks(%a, %b, %c) in (%d = %c1, %e = %c1, %f = %c1)
             threads(%g, %h, %i) in (%j = %c1, %k = %c1, %l = %c1) {
    llvm.inline_asm has_side_effects "griddepcontrol.wait;", "~{memory}" : () -> ()
    gpu.terminator
  }
  return
}

// A function in the gpu.module, or beside kernels of the module's own, is not.
//--- kernel.mlir
gpu.module @m {
  llvm.func @f() {
    // KERNEL: kernel.mlir:4:5: error: in inline asm, line 1 column 1: unknown instruction 'movl'
    llvm.inline_asm has_side_effects "movl $$1, %eax", "~{eax}" : () -> ()
    llvm.return
  }
}
//--- device.mlir
llvm.func @f() {
  // DEVICE: device.mlir:3:3: error: in inline asm, line 1 column 1: unknown instruction 'movl'
  llvm.inline_asm has_side_effects "movl $$1, %eax", "~{eax}" : () -> ()
  llvm.return
}
llvm.func @k() attributes {nvvm.kernel} {
  llvm.call @f() : () -> ()
  llvm.return
}
gpu.module @m {
}
