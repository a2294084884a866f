// RUN: ptxbench-opt %s -split-input-file -ptx-reachability -verify-diagnostics -o /dev/null
// RUN: ptxbench-opt %s -split-input-file -ptxbench-analyze='output=%t.out' -verify-diagnostics -o /dev/null
// RUN: ptxbench-opt %s -split-input-file -ptxbench-lower -verify-diagnostics -o /dev/null

// What a kernel says of its launches has to fit together, with nvvm's names,
// which become directives, and with those of the gpu dialect.

gpu.module @m {
  // expected-error @+1 {{'nvvm.reqntid' is 32, 1, 1 but 'known_block_size' is 64, 1, 1}}
  gpu.func @block() kernel attributes {known_block_size = array<i32: 64, 1, 1>, nvvm.reqntid = array<i32: 32>} {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @+1 {{'known_block_size' is 128, 1, 1 but 'gpu.known_block_size' is 256, 1, 1}}
  gpu.func @of_the_dialect() kernel attributes {known_block_size = array<i32: 128, 1, 1>, gpu.known_block_size = array<i32: 256, 1, 1>} {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @+1 {{'nvvm.maxntid' allows 32 threads but 'known_block_size' has 64}}
  gpu.func @most() kernel attributes {known_block_size = array<i32: 64, 1, 1>, nvvm.maxntid = array<i32: 32>} {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @+1 {{'nvvm.reqntid' and 'nvvm.maxntid' exclude each other}}
  gpu.func @both() kernel attributes {nvvm.reqntid = array<i32: 64>, nvvm.maxntid = array<i32: 64>} {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @+1 {{'nvvm.cluster_dim' is 2, 1, 1 but 'known_cluster_size' is 4, 1, 1}}
  gpu.func @cluster() kernel attributes {nvvm.cluster_dim = array<i32: 2, 1, 1>, known_cluster_size = array<i32: 4, 1, 1>} {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @+1 {{'known_cluster_size' and 'nvvm.cluster_max_blocks' exclude each other}}
  gpu.func @rank() kernel attributes {known_cluster_size = array<i32: 4, 1, 1>, nvvm.cluster_max_blocks = 8 : i32} {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @+1 {{'nvvm.cluster_max_blocks' allows 2 CTAs but 'gpu.known_cluster_size' has 4}}
  gpu.func @rank_of_the_dialect() kernel attributes {gpu.known_cluster_size = array<i32: 4, 1, 1>, nvvm.cluster_max_blocks = 2 : i32} {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @+1 {{'known_grid_size' is 4, 1, 1 but 'gpu.known_grid_size' is 8, 1, 1}}
  gpu.func @grid() kernel attributes {known_grid_size = array<i32: 4, 1, 1>, gpu.known_grid_size = array<i32: 8, 1, 1>} {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @+1 {{'known_grid_size' 5, 1, 1 is no multiple of 'nvvm.cluster_dim' 2, 1, 1}}
  gpu.func @grid_of_clusters() kernel attributes {known_grid_size = array<i32: 5, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @+1 {{'nvvm.reqntid' is 32, 1, 1 but 'gpu.known_block_size' is 64, 1, 1}}
  llvm.func @lowered() attributes {nvvm.kernel, gpu.known_block_size = array<i32: 64, 1, 1>, nvvm.reqntid = array<i32: 32>} {
    llvm.return
  }
}

// -----

gpu.module @m {
  // expected-error @+1 {{'nvvm.cluster_dim' and 'nvvm.cluster_max_blocks' exclude each other}}
  llvm.func @lowered_rank() attributes {nvvm.kernel, nvvm.cluster_dim = array<i32: 4>, nvvm.cluster_max_blocks = 2 : i32} {
    llvm.return
  }
}

// -----

gpu.module @m {
  // expected-error @+1 {{expected positive extents in 'known_block_size' but got -1, 1, 1}}
  gpu.func @negative() kernel attributes {known_block_size = array<i32: -1, 1, 1>, nvvm.maxntid = array<i32: 0>} {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @+1 {{'nvvm.reqntid' is 32, 1, 1 but 'known_block_size' is -1, 1, 1}}
  gpu.func @two_of_them_negative() kernel attributes {known_block_size = array<i32: -1, 1, 1>, nvvm.reqntid = array<i32: 32>} {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @+1 {{expected positive extents in 'nvvm.cluster_dim' but got 2, 0, 1}}
  gpu.func @flat_cluster() kernel attributes {nvvm.cluster_dim = array<i32: 2, 0>} {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @+1 {{expected a number from 0 to 2147483647 in 'nvvm.cluster_max_blocks' but got 18446744073709551618}}
  gpu.func @wide() kernel attributes {gpu.known_cluster_size = array<i32: 4, 1, 1>, nvvm.cluster_max_blocks = 18446744073709551618 : i128} {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @+1 {{expected a number from 0 to 2147483647 in 'nvvm.maxnreg' but got -1}}
  gpu.func @registers() kernel attributes {nvvm.maxnreg = -1 : i32} {
    gpu.return
  }
}
