// RUN: ptxbench-opt %s -ptxbench-lower | ptxbench-translate --export-ptx | FileCheck %s

// A known block is one that a launch must have; what it may have at most says
// no more then, and .maxntid beside .reqntid would be refused.

gpu.module @m {
  // CHECK: .entry known()
  // CHECK-NEXT: .reqntid 64, 1, 1
  // CHECK-NEXT: {
  gpu.func @known() kernel attributes {known_block_size = array<i32: 64, 1, 1>, nvvm.maxntid = array<i32: 128>} {
    gpu.return
  }
  // CHECK: .entry lowered()
  // CHECK-NEXT: .reqntid 64, 1, 1
  // CHECK-NEXT: {
  llvm.func @lowered() attributes {nvvm.kernel, gpu.known_block_size = array<i32: 64, 1, 1>, nvvm.maxntid = array<i32: 64, 2, 1>} {
    llvm.return
  }
  // CHECK: .entry most()
  // CHECK-NEXT: .maxntid 128
  // CHECK-NEXT: {
  gpu.func @most() kernel attributes {nvvm.maxntid = array<i32: 128>} {
    gpu.return
  }
  // CHECK: .entry cluster()
  // CHECK: .reqnctapercluster 2, 1, 1
  // CHECK-NEXT: {
  gpu.func @cluster() kernel attributes {known_cluster_size = array<i32: 2, 1, 1>, nvvm.cluster_dim = array<i32: 2>} {
    gpu.return
  }
}
