// RUN: ptxbench-opt %s -ptx-reachability | FileCheck %s

// Calls of LLVM's intrinsics are the target instructions that their names say,
// and any other may do anything; gpu.subgroup_reduce is redux.sync where
// upstream's lowering makes that of it.

llvm.func @llvm.nvvm.cp.async.wait.all()

// CHECK-LABEL: llvm.func @intrinsics
llvm.func @intrinsics(%global: !llvm.ptr<1>, %shared: !llvm.ptr<3>, %map: !llvm.ptr, %a: i32)
    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64>} {
  %c64 = llvm.mlir.constant(64 : i32) : i32
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %out = llvm.icmp "uge" %tid, %c64 : i32
  // CHECK: "llvm.nvvm.cp.async.commit.group"() {{.*}}ptx.reach = "all"
  llvm.call_intrinsic "llvm.nvvm.cp.async.commit.group"() : () -> ()
  // CHECK: llvm.call @llvm.nvvm.cp.async.wait.all() {{.*}}ptx.reach = "all"
  llvm.call @llvm.nvvm.cp.async.wait.all() : () -> ()
  // CHECK: "llvm.nvvm.wgmma.commit_group.sync.aligned"() {{.*}}ptx.reach = "all"
  llvm.call_intrinsic "llvm.nvvm.wgmma.commit_group.sync.aligned"() : () -> ()
  // CHECK: "llvm.nvvm.redux.sync.umax"{{.*}}ptx.reach = "all"
  %0 = llvm.call_intrinsic "llvm.nvvm.redux.sync.umax"(%a, %a) : (i32, i32) -> i32
  // CHECK: "llvm.nvvm.wmma.m16n16k16.load.a.row.stride.f16.p0"{{.*}}ptx.reach = "all"
  %1 = llvm.call_intrinsic "llvm.nvvm.wmma.m16n16k16.load.a.row.stride.f16.p0"(%map, %a) : (!llvm.ptr, i32) -> !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
  // CHECK: "llvm.nvvm.prefetch.tensormap.p0"{{.*}}ptx.reach = "all"
  llvm.call_intrinsic "llvm.nvvm.prefetch.tensormap.p0"(%map) : (!llvm.ptr) -> ()
  // CHECK: "llvm.nvvm.tcgen05.relinq.alloc.permit.cg1"() {{.*}}ptx.reach = "all"
  llvm.call_intrinsic "llvm.nvvm.tcgen05.relinq.alloc.permit.cg1"() : () -> ()
  llvm.cond_br %out, ^out, ^in
^out:
  // CHECK: "llvm.nvvm.cp.async.cg.shared.global.16"{{.*}}ptx.reach = "never"
  llvm.call_intrinsic "llvm.nvvm.cp.async.cg.shared.global.16"(%shared, %global) : (!llvm.ptr<3>, !llvm.ptr<1>) -> ()
  llvm.br ^in
^in:
  // CHECK: "llvm.nvvm.membar.gl"
  // CHECK-NOT: ptx.reach
  llvm.call_intrinsic "llvm.nvvm.membar.gl"() : () -> ()
  // CHECK: "llvm.nvvm.cp.async.commit.group"() {{.*}}ptx.reach = "maybe"
  llvm.call_intrinsic "llvm.nvvm.cp.async.commit.group"() : () -> ()
  llvm.return
}

gpu.module @m {
  // CHECK-LABEL: gpu.func @reduce
  gpu.func @reduce(%x: i32, %y: i64) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // CHECK: gpu.subgroup_reduce add
    // CHECK-SAME: ptx.reach = "all"
    %0 = gpu.subgroup_reduce add %x uniform : (i32) -> i32
    // CHECK: gpu.subgroup_reduce add
    // CHECK-NOT: ptx.reach
    // CHECK: gpu.return
    %1 = gpu.subgroup_reduce add %x : (i32) -> i32
    %2 = gpu.subgroup_reduce add %y uniform : (i64) -> i64
    %3 = gpu.subgroup_reduce mul %x uniform : (i32) -> i32
    %4 = gpu.subgroup_reduce add %x uniform cluster(size = 8) : (i32) -> i32
    gpu.return
  }
}
