// RUN: ptxbench-opt %s -ptx-reachability | FileCheck %s

// What a kernel says about its launches, in each spelling that counts.

gpu.module @m {
  // CHECK-LABEL: gpu.func @of_the_operation
  gpu.func @of_the_operation() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    // CHECK: griddepcontrol wait {{.*}}never{{.*}}in [0, 127] ({{(of )?}}known_block_size 128, 1, 1)
    %tid = gpu.thread_id x
    %c = arith.constant 200 : index
    %p = arith.cmpi ugt, %tid, %c : index
    scf.if %p {
      nvvm.griddepcontrol wait
    }
    gpu.return
  }
  // CHECK-LABEL: gpu.func @of_the_dialect
  gpu.func @of_the_dialect() kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    // CHECK: griddepcontrol wait {{.*}}never{{.*}}in [0, 127] ({{(of )?}}gpu.known_block_size 128, 1, 1)
    %tid = gpu.thread_id x
    %c = arith.constant 200 : index
    %p = arith.cmpi ugt, %tid, %c : index
    scf.if %p {
      nvvm.griddepcontrol wait
    }
    gpu.return
  }
  // CHECK-LABEL: gpu.func @reqntid
  gpu.func @reqntid() kernel attributes {nvvm.reqntid = array<i32: 128>} {
    // CHECK: griddepcontrol wait {{.*}}never{{.*}}in [0, 127] ({{(of )?}}nvvm.reqntid 128, 1, 1)
    %tid = gpu.thread_id x
    %c = arith.constant 200 : index
    %p = arith.cmpi ugt, %tid, %c : index
    scf.if %p {
      nvvm.griddepcontrol wait
    }
    gpu.return
  }
  // CHECK-LABEL: gpu.func @maxntid
  gpu.func @maxntid() kernel attributes {nvvm.maxntid = array<i32: 128>} {
    // CHECK: griddepcontrol wait {{.*}}never{{.*}}nvvm.maxntid 128, 1, 1
    %tid = gpu.thread_id x
    %c = arith.constant 200 : index
    %p = arith.cmpi ugt, %tid, %c : index
    scf.if %p {
      nvvm.griddepcontrol wait
    }
    gpu.return
  }
  // CHECK-LABEL: gpu.func @grid
  gpu.func @grid() kernel attributes {gpu.known_grid_size = array<i32: 4, 1, 1>} {
    // CHECK: griddepcontrol wait {{.*}}never{{.*}}gpu.known_grid_size 4, 1, 1
    %id = gpu.block_id x
    %c = arith.constant 4 : index
    %p = arith.cmpi uge, %id, %c : index
    scf.if %p {
      nvvm.griddepcontrol wait
    }
    gpu.return
  }
  // CHECK-LABEL: gpu.func @cluster
  gpu.func @cluster() kernel attributes {gpu.known_cluster_size = array<i32: 2, 1, 1>} {
    // CHECK: griddepcontrol wait {{.*}}never{{.*}}gpu.known_cluster_size 2, 1, 1
    %id = gpu.cluster_block_id x
    %c = arith.constant 2 : index
    %p = arith.cmpi uge, %id, %c : index
    scf.if %p {
      nvvm.griddepcontrol wait
    }
    gpu.return
  }
  // CHECK-LABEL: gpu.func @cluster_of_nvvm
  gpu.func @cluster_of_nvvm() kernel attributes {nvvm.cluster_dim = array<i32: 2, 1, 1>} {
    // CHECK: griddepcontrol wait {{.*}}never{{.*}}nvvm.cluster_dim 2, 1, 1
    %id = gpu.cluster_block_id x
    %c = arith.constant 2 : index
    %p = arith.cmpi uge, %id, %c : index
    scf.if %p {
      nvvm.griddepcontrol wait
    }
    gpu.return
  }

  // Two that agree are one. For others see contradicting_sizes.mlir.
  // CHECK-LABEL: gpu.func @both
  gpu.func @both() kernel attributes {known_block_size = array<i32: 128, 1, 1>, gpu.known_block_size = array<i32: 128, 1, 1>} {
    // CHECK: griddepcontrol wait {{.*}}never
    %tid = gpu.thread_id x
    %c = arith.constant 200 : index
    %p = arith.cmpi ugt, %tid, %c : index
    scf.if %p {
      nvvm.griddepcontrol wait
    }
    gpu.return
  }
  // CHECK-LABEL: gpu.func @nothing
  gpu.func @nothing() kernel {
    // CHECK: griddepcontrol wait {{.*}}maybe
    %tid = gpu.thread_id x
    %c = arith.constant 200 : index
    %p = arith.cmpi ugt, %tid, %c : index
    scf.if %p {
      nvvm.griddepcontrol wait
    }
    gpu.return
  }
}
