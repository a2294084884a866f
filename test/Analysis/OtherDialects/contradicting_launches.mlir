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
    gpu.func @cluster() kernel attributes {nvvm.cluster_dim = array<i32: 2>} {
      gpu.return
    }
    gpu.func @rank() kernel attributes {nvvm.cluster_max_blocks = 2 : i32} {
      gpu.return
    }
    gpu.func @no_cluster() kernel attributes {nvvm.cluster_dim = array<i32: 0>, nvvm.maxntid = array<i32: 64>} {
      gpu.return
    }
    gpu.func @no_limit() kernel attributes {nvvm.cluster_max_blocks = 0 : i32} {
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
    %c5 = arith.constant 5 : index
    %minus4 = arith.constant -4 : index
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

    // A grid that clusters do not fill.
    // expected-warning @+1 {{the grid has 5 along x, which is no multiple of the 2 that 'nvvm.cluster_dim' of 'cluster' says}}
    gpu.launch_func @m::@cluster blocks in (%c5, %c1, %c1) threads in (%n, %c1, %c1)
    gpu.launch_func @m::@cluster blocks in (%c4, %c5, %c1) threads in (%n, %c1, %c1)
    // expected-warning @+1 {{the grid has 5 along y, which is no multiple of the 2 that its clusters have}}
    gpu.launch_func @m::@rank clusters in (%c1, %c2, %c1) blocks in (%c5, %c5, %c1) threads in (%n, %c1, %c1)
    gpu.launch_func @m::@no_cluster blocks in (%c5, %c1, %c1) threads in (%c64, %c1, %c1)

    // Clusters of too many CTAs, as far as is known.
    // expected-warning @+1 {{the cluster has 5 CTAs but 'nvvm.cluster_max_blocks' of 'rank' allows 2}}
    gpu.launch_func @m::@rank clusters in (%c5, %c1, %c1) blocks in (%c5, %c1, %c1) threads in (%c1, %c1, %c1)
    // expected-warning @+1 {{the cluster has at least 4 CTAs but 'nvvm.cluster_max_blocks' of 'rank' allows 2}}
    gpu.launch_func @m::@rank clusters in (%c4, %n, %c1) blocks in (%c4, %n, %c1) threads in (%c1, %c1, %c1)
    gpu.launch_func @m::@rank clusters in (%c2, %n, %c1) blocks in (%c4, %n, %c1) threads in (%c1, %c1, %c1)
    gpu.launch_func @m::@no_limit clusters in (%c4, %c1, %c1) blocks in (%c4, %c1, %c1) threads in (%c1, %c1, %c1)

    // Extents that no launch has.
    // expected-warning @+1 {{expected an extent of the grid from 1 to 2147483647 but got -4 along x}}
    gpu.launch_func @m::@cluster blocks in (%minus4, %c1, %c1) threads in (%c1, %c1, %c1)
    // expected-warning @+1 {{expected an extent of the block from 1 to 2147483647 but got -4 along y}}
    gpu.launch_func @m::@most blocks in (%n, %c1, %c1) threads in (%c1, %minus4, %c1)
    return
  }
}
