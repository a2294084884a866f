// RUN: ptxbench-opt %s -split-input-file -ptx-reachability -verify-diagnostics -o /dev/null
// RUN: ptxbench-opt %s -split-input-file -ptxbench-lower -verify-diagnostics -o /dev/null

// Launches that are others than their kernel says.

module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k() kernel attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 4, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
      gpu.return
    }
    gpu.func @most() kernel attributes {nvvm.maxntid = array<i32: 64>} {
      gpu.return
    }
    llvm.func @lowered() attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 64>} {
      llvm.return
    }
  }
  func.func @host(%n: index) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @m::@k clusters in (%c2, %c1, %c1) blocks in (%c4, %c1, %c1) threads in (%c64, %c1, %c1)
    gpu.launch_func @m::@k blocks in (%n, %c1, %c1) threads in (%n, %c1, %c1)
    // expected-warning @+1 {{the block has 32 along x but 'known_block_size' of 'k' says 64, on which its code may rely}}
    gpu.launch_func @m::@k blocks in (%c4, %c1, %c1) threads in (%c32, %c1, %c1)
    // expected-warning @+1 {{the grid has 2 along y but 'known_grid_size' of 'k' says 1}}
    gpu.launch_func @m::@k blocks in (%c4, %c2, %c1) threads in (%c64, %c1, %c1)
    // expected-warning @+1 {{the cluster has 4 along x but 'known_cluster_size' of 'k' says 2}}
    gpu.launch_func @m::@k clusters in (%c4, %c1, %c1) blocks in (%c4, %c1, %c1) threads in (%c64, %c1, %c1)
    // expected-warning @+1 {{the block has 128 threads but 'nvvm.maxntid' of 'most' allows 64}}
    gpu.launch_func @m::@most blocks in (%n, %c1, %c1) threads in (%c32, %c4, %c1)
    gpu.launch_func @m::@most blocks in (%n, %c1, %c1) threads in (%c32, %c2, %c1)
    // expected-warning @+1 {{the block has 2 along z but 'nvvm.reqntid' of 'lowered' says 1}}
    gpu.launch_func @m::@lowered blocks in (%n, %c1, %c1) threads in (%c64, %c1, %c2)
    return
  }
}
