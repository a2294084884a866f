// A program: two clusters of four blocks. Each block fills its shared memory, the
// cluster meets, and each block reads the number of its right neighbour there. A
// second kernel, in a gpu.launch, doubles what the first one wrote.

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @pass_on(%out: memref<8xi32>) workgroup(%mine: memref<1xi32, 3>) kernel {
      %c0 = arith.constant 0 : index
      %i1 = arith.constant 1 : i32
      %i4 = arith.constant 4 : i32
      %i100 = arith.constant 100 : i32
      %block = gpu.block_id x
      %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
      %number = arith.addi %rank, %i100 : i32
      memref.store %number, %mine[%c0] : memref<1xi32, 3>
      nvvm.cluster.arrive
      nvvm.cluster.wait
      %next = arith.addi %rank, %i1 : i32
      %neighbour = arith.remui %next, %i4 : i32
      %index = memref.extract_aligned_pointer_as_index %mine : memref<1xi32, 3> -> index
      %address = arith.index_cast %index : index to i64
      %own = llvm.inttoptr %address : i64 to !llvm.ptr<3>
      %its = nvvm.mapa %own, %neighbour : !llvm.ptr<3> -> !llvm.ptr<7>
      %value = llvm.load %its : !llvm.ptr<7> -> i32
      // Nobody ends while others may still read.
      nvvm.cluster.arrive
      nvvm.cluster.wait
      memref.store %value, %out[%block] : memref<8xi32>
      gpu.return
    }
  }

  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    // Memory that host and device share.
    %out = gpu.alloc host_shared () : memref<8xi32>
    gpu.launch_func @kernels::@pass_on clusters in (%c4, %c1, %c1)
      blocks in (%c8, %c1, %c1) threads in (%c1, %c1, %c1) args(%out : memref<8xi32>)
    %any = memref.cast %out : memref<8xi32> to memref<*xi32>
    func.call @printMemrefI32(%any) : (memref<*xi32>) -> ()
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%nx = %c8, %ny = %c1, %nz = %c1) {
      %value = memref.load %out[%tx] : memref<8xi32>
      %double = arith.addi %value, %value : i32
      memref.store %double, %out[%tx] : memref<8xi32>
      gpu.printf "thread %lld has %d\n", %tx, %double : index, i32
      gpu.terminator
    }
    %last = arith.constant 7 : index
    %value = memref.load %out[%last] : memref<8xi32>
    vector.print str "the last one: "
    vector.print %value : i32
    return
  }

  func.func private @printMemrefI32(memref<*xi32>)
}
