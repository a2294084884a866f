// C = A * B^T, a tile of 64 x 128 for each CTA of one warpgroup: TMA fetches 64
// columns of both operands at a time, wgmma multiplies 16 of them.

!tileA = memref<64x64xbf16, #gpu.address_space<workgroup>>
!tileB = memref<128x64xbf16, #gpu.address_space<workgroup>>
// What wgmma reads of them; of the other operand it is K by N.
!sliceA = memref<64x16xbf16, strided<[64, 1], offset: ?>, #gpu.address_space<workgroup>>
!sliceB = memref<16x128xbf16, strided<[1, 64], offset: ?>, #gpu.address_space<workgroup>>
!operandA = memref<64x16xbf16, #gpu.address_space<workgroup>>
!operandB = memref<16x128xbf16, #gpu.address_space<workgroup>>
!mapA = !nvgpu.tensormap.descriptor<tensor = !tileA, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
!mapB = !nvgpu.tensormap.descriptor<tensor = !tileB, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
!barriers = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
!acc = !nvgpu.warpgroup.accumulator<fragmented = vector<64x128xf32>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @gemm(%mapA : !mapA {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64},
                 %mapB : !mapB {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64},
                 %c : memref<64x128xf32>, %depth : i64)
      workgroup(%a : !tileA {llvm.align = 1024 : i64}, %b : !tileB {llvm.align = 1024 : i64})
      kernel attributes {known_block_size = array<i32: 128, 1, 1>, llvm.bareptr} {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %slice = arith.constant 16 : index
    %width = arith.constant 64 : index
    %bytes = arith.constant 24576 : index
    %patience = arith.constant 10000000 : index
    %false = arith.constant false
    %true = arith.constant true
    %tid = gpu.thread_id x
    %block = gpu.block_id x
    %row = arith.muli %block, %width : index
    %end = arith.index_cast %depth : i64 to index
    %isFirst = arith.cmpi eq, %tid, %zero : index

    %barrier = nvgpu.mbarrier.create -> !barriers
    nvgpu.mbarrier.init %barrier[%zero], %one, predicate = %isFirst : !barriers
    gpu.barrier

    %start = nvgpu.warpgroup.mma.init.accumulator -> !acc
    %sum, %last = scf.for %k = %zero to %end step %width iter_args(%outer = %start, %phase = %false) -> (!acc, i1) {
      scf.if %isFirst {
        nvgpu.mbarrier.arrive.expect_tx %barrier[%zero], %bytes : !barriers
        nvgpu.tma.async.load %mapA[%k, %row], %barrier[%zero] to %a : !mapA, !barriers -> !tileA
        nvgpu.tma.async.load %mapB[%k, %zero], %barrier[%zero] to %b : !mapB, !barriers -> !tileB
      }
      nvgpu.mbarrier.try_wait.parity %barrier[%zero], %phase, %patience : !barriers
      %product = scf.for %i = %zero to %width step %slice iter_args(%acc = %outer) -> (!acc) {
        %sliceA = memref.reinterpret_cast %a to offset: [%i], sizes: [64, 16], strides: [64, 1] : !tileA to !sliceA
        %sliceB = memref.reinterpret_cast %b to offset: [%i], sizes: [16, 128], strides: [1, 64] : !tileB to !sliceB
        %descA = nvgpu.warpgroup.generate.descriptor %sliceA, %mapA : !sliceA, !mapA -> !nvgpu.warpgroup.descriptor<tensor = !operandA>
        %descB = nvgpu.warpgroup.generate.descriptor %sliceB, %mapB : !sliceB, !mapB -> !nvgpu.warpgroup.descriptor<tensor = !operandB>
        %next = nvgpu.warpgroup.mma %descA, %descB, %acc {waitGroup = 0 : i64} :
            <tensor = !operandA>, <tensor = !operandB>, <fragmented = vector<64x128xf32>> -> <fragmented = vector<64x128xf32>>
        scf.yield %next : !acc
      }
      // Nobody reads the tiles any more when they are fetched anew.
      gpu.barrier
      %flipped = arith.xori %phase, %true : i1
      scf.yield %product, %flipped : !acc, i1
    }

    %columns = arith.constant 128 : index
    %first = arith.muli %row, %columns : index
    %tile = memref.reinterpret_cast %c to offset: [%first], sizes: [64, 128], strides: [128, 1]
        : memref<64x128xf32> to memref<64x128xf32, strided<[128, 1], offset: ?>>
    nvgpu.warpgroup.mma.store %sum, %tile : !acc to memref<64x128xf32, strided<[128, 1], offset: ?>>
    gpu.return
  }
}
