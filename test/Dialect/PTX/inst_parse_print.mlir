// RUN: ptxbench-opt %s | FileCheck %s
// RUN: ptxbench-opt %s | ptxbench-opt | FileCheck %s
// RUN: ptxbench-opt %s -mlir-print-op-generic | ptxbench-opt | FileCheck %s

module attributes {ptx.target = #ptx.target<version = 90, arch = "sm_90a", address_size = 64>} {
  // CHECK-LABEL: ptx.entry @operands
  ptx.entry @operands attributes {
      params = [#ptx.var<"p", "param", "u64">],
      regs = [#ptx.reg<"%r", "b32", 4>, #ptx.reg<"%p", "pred", 2>,
              #ptx.reg<"%rd", "b64", 2>, #ptx.reg<"%f", "f32", 4>]} {
    // CHECK: %[[TID:.*]] = ptx.mov ".u32" =0, sreg "tid.x" : () -> i32
    %0 = ptx.mov ".u32" =0, sreg "tid.x" : () -> i32
    // CHECK: %[[P:.*]] = ptx.setp ".gt.u32" =4, %[[TID]], 1023 : (i32) -> i1
    %1 = ptx.setp ".gt.u32" =4, %0, 1023 : (i32) -> i1
    // CHECK: %[[RD:.*]] = ptx.ld ".param.u64" =6, [@p] : () -> i64
    %2 = ptx.ld ".param.u64" =6, [@p] : () -> i64
    // CHECK: %[[V:.*]]:2 = ptx.ld ".global.v2.f32" {=8, =9}, [%[[RD]] + 16] : (i64) -> (f32, f32)
    %3:2 = ptx.ld ".global.v2.f32" {=8, =9}, [%2 + 16] : (i64) -> (f32, f32)
    // CHECK: ptx.add ".s32" if not %[[P]] else(%[[TID]]) =1, %[[TID]], -5 : (i32, i1, i32) -> i32
    %4 = ptx.add ".s32" if not %1 else(%0) =1, %0, -5 : (i32, i1, i32) -> i32
    // CHECK: ptx.st ".global.f32" if %[[P]] asm(3) [%[[RD]]], %[[V]]#0 : (i64, f32, i1) -> ()
    ptx.st ".global.f32" if %1 asm(3) [%2], %3#0 : (i64, f32, i1) -> ()
    // CHECK: ptx.fma ".rn.f32" =10, %[[V]]#0, f32(1065353216), %[[V]]#1 : (f32, f32) -> f32
    %5 = ptx.fma ".rn.f32" =10, %3#0, f32(1065353216), %3#1 : (f32, f32) -> f32
    // CHECK: ptx.ret
    ptx.ret
  }
}
