// RUN: ptxbench-opt %s -convert-nvvm-to-ptx -verify-diagnostics | FileCheck %s
// RUN: not ptxbench-opt %s -convert-nvvm-to-ptx=strict=1 2>&1 | FileCheck %s --check-prefix=STRICT
// RUN: not ptxbench-opt %s -convert-nvvm-to-ptx='strict=1 only=nvvm.inline_ptx' 2>&1 | FileCheck %s --check-prefix=ONLY

// What does not convert stays, and is said.

// STRICT: error: 'nvvm.fence.proxy.acquire' does not become PTX: PTX wants a constant for 'size'
// STRICT: error: 'nvvm.wgmma.fence.aligned' does not become PTX: 'wgmma.fence.sync.aligned' needs sm_90a but the target is sm_90
// ONLY: error: 'nvvm.inline_ptx' does not become PTX: it is no instruction

// CHECK-LABEL: llvm.func @variable
// CHECK: nvvm.fence.proxy.acquire
// CHECK: ptx.fence.proxy ".tensormap::generic.release.gpu"
llvm.func @variable(%p: !llvm.ptr, %n: i32) {
  // expected-remark @+1 {{'nvvm.fence.proxy.acquire' does not become PTX: PTX wants a constant for 'size'}}
  nvvm.fence.proxy.acquire #nvvm.mem_scope<gpu> %p, %n
  nvvm.fence.proxy.release #nvvm.mem_scope<gpu>
  llvm.return
}

// Its address is generic; the instruction's is one of .param.

// CHECK-LABEL: llvm.func @param
// CHECK-COUNT-2: nvvm.prefetch tensormap in_param_space
// CHECK: ptx.prefetch ".tensormap"
llvm.func @param(%p: !llvm.ptr, %b: i1) {
  // expected-remark @+1 {{'nvvm.prefetch' does not become PTX: no instruction has 'in_param_space' with the value 'true'}}
  nvvm.prefetch tensormap in_param_space, %p : !llvm.ptr
  // expected-remark @+1 {{'nvvm.prefetch' does not become PTX: no instruction has 'in_param_space'}}
  nvvm.prefetch tensormap in_param_space, %p, predicate = %b : !llvm.ptr, i1
  nvvm.prefetch tensormap, %p : !llvm.ptr
  llvm.return
}

module attributes {ptx.target = #ptx.target<version = 80, arch = "sm_90", address_size = 64>} {
  // CHECK-LABEL: llvm.func @arch
  // CHECK: nvvm.wgmma.fence.aligned
  // CHECK: ptx.barrier.cluster.arrive
  llvm.func @arch() {
    // expected-remark @+1 {{'nvvm.wgmma.fence.aligned' does not become PTX: 'wgmma.fence}}
    nvvm.wgmma.fence.aligned
    nvvm.cluster.arrive
    llvm.return
  }
}

// No instruction, but a text.

// CHECK-LABEL: llvm.func @none
// CHECK: nvvm.inline_ptx
llvm.func @none(%a: i32) -> i32 {
  %0 = nvvm.inline_ptx "add.s32 $0, $1, $1;" ro (%a : i32) -> i32
  llvm.return %0 : i32
}
