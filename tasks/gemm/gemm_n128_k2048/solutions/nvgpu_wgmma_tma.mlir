// C = A * B^T with the operations of nvgpu, host code and all. A block has one
// warpgroup, which multiplies 64 rows of A with all of B; TMA fills two stages of
// shared memory, each with 64 columns of A and B.

!barrier = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 2>
!mapA = !nvgpu.tensormap.descriptor<tensor = memref<64x64xbf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
!mapB = !nvgpu.tensormap.descriptor<tensor = memref<128x64xbf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
!sum = !nvgpu.warpgroup.accumulator<fragmented = vector<64x128xf32>>
!shared = memref<?xi8, #gpu.address_space<workgroup>>
!tileA = memref<64x64xbf16, #gpu.address_space<workgroup>>
!tileB = memref<128x64xbf16, #gpu.address_space<workgroup>>
!sliceA = memref<64x16xbf16, strided<[64, 1], offset: ?>, #gpu.address_space<workgroup>>
!sliceB = memref<128x16xbf16, strided<[64, 1], offset: ?>, #gpu.address_space<workgroup>>
!factorA = !nvgpu.warpgroup.descriptor<tensor = memref<64x16xbf16, 3>>
!factorB = !nvgpu.warpgroup.descriptor<tensor = memref<16x128xbf16, 3>>
!tileC = memref<64x128xf32, #gpu.address_space<workgroup>>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @gemm(%mapA: !mapA, %mapB: !mapB, %C: memref<?x128xbf16>) kernel
        attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c16 = arith.constant 16 : index
      %c32 = arith.constant 32 : index
      %c64 = arith.constant 64 : index
      %bytesA = arith.constant 8192 : index
      %bytesB = arith.constant 16384 : index
      %bytes = arith.constant 24576 : index
      %ticks = arith.constant 10000000 : index
      %thread = gpu.thread_id x
      %block = gpu.block_id x
      %row = arith.muli %block, %c64 : index
      %isFirst = arith.cmpi eq, %thread, %c0 : index
      %memory = gpu.dynamic_shared_memory : !shared

      %full = nvgpu.mbarrier.create -> !barrier
      scf.if %isFirst {
        nvgpu.mbarrier.init %full[%c0], %c1 : !barrier
        nvgpu.mbarrier.init %full[%c1], %c1 : !barrier
        nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      }
      gpu.barrier
      scf.if %isFirst {
        scf.for %stage = %c0 to %c2 step %c1 {
          %k = arith.muli %stage, %c64 : index
          %toA = arith.muli %stage, %bytesA : index
          %intoA = memref.view %memory[%toA][] : !shared to !tileA
          %skipped = arith.muli %stage, %bytesB : index
          %toB = arith.addi %skipped, %bytesB : index
          %intoB = memref.view %memory[%toB][] : !shared to !tileB
          nvgpu.mbarrier.arrive.expect_tx %full[%stage], %bytes : !barrier
          nvgpu.tma.async.load %mapA[%k, %row], %full[%stage] to %intoA
            : !mapA, !barrier -> !tileA
          nvgpu.tma.async.load %mapB[%k, %c0], %full[%stage] to %intoB
            : !mapB, !barrier -> !tileB
        }
      }

      %zero = nvgpu.warpgroup.mma.init.accumulator -> <fragmented = vector<64x128xf32>>
      %result = scf.for %i = %c0 to %c32 step %c1 iter_args(%before = %zero) -> (!sum) {
        %stage = arith.remui %i, %c2 : index
        %round = arith.divui %i, %c2 : index
        %odd = arith.remui %round, %c2 : index
        %phase = arith.cmpi ne, %odd, %c0 : index
        nvgpu.mbarrier.try_wait.parity %full[%stage], %phase, %ticks : !barrier

        %atA = arith.muli %stage, %bytesA : index
        %a = memref.view %memory[%atA][] : !shared to !tileA
        %behind = arith.muli %stage, %bytesB : index
        %atB = arith.addi %behind, %bytesB : index
        %b = memref.view %memory[%atB][] : !shared to !tileB
        %after = scf.for %column = %c0 to %c64 step %c16 iter_args(%running = %before) -> (!sum) {
          %sliceA = memref.subview %a[0, %column] [64, 16] [1, 1] : !tileA to !sliceA
          %sliceB = memref.subview %b[0, %column] [128, 16] [1, 1] : !tileB to !sliceB
          %factorA = nvgpu.warpgroup.generate.descriptor %sliceA, %mapA : !sliceA, !mapA -> !factorA
          %factorB = nvgpu.warpgroup.generate.descriptor %sliceB, %mapB : !sliceB, !mapB -> !factorB
          %next = nvgpu.warpgroup.mma %factorA, %factorB, %running {waitGroup = 0}
            : !factorA, !factorB, !sum -> !sum
          scf.yield %next : !sum
        }

        // All threads are done with the stage: it is filled again.
        gpu.barrier
        %ahead = arith.addi %i, %c2 : index
        %isLeft = arith.cmpi ult, %ahead, %c32 : index
        %fills = arith.andi %isFirst, %isLeft : i1
        scf.if %fills {
          %k = arith.muli %ahead, %c64 : index
          %toA = arith.muli %stage, %bytesA : index
          %intoA = memref.view %memory[%toA][] : !shared to !tileA
          %skipped = arith.muli %stage, %bytesB : index
          %toB = arith.addi %skipped, %bytesB : index
          %intoB = memref.view %memory[%toB][] : !shared to !tileB
          nvgpu.mbarrier.arrive.expect_tx %full[%stage], %bytes : !barrier
          nvgpu.tma.async.load %mapA[%k, %row], %full[%stage] to %intoA
            : !mapA, !barrier -> !tileA
          nvgpu.tma.async.load %mapB[%k, %c0], %full[%stage] to %intoB
            : !mapB, !barrier -> !tileB
        }
        scf.yield %after : !sum
      }

      // Through shared memory: a thread writes one column of C.
      %sums = memref.view %memory[%c0][] : !shared to !tileC
      nvgpu.warpgroup.mma.store %result, %sums : <fragmented = vector<64x128xf32>> to !tileC
      gpu.barrier
      %rows = memref.dim %C, %c0 : memref<?x128xbf16>
      scf.for %i = %c0 to %c64 step %c1 {
        %to = arith.addi %row, %i : index
        %isInside = arith.cmpi ult, %to, %rows : index
        scf.if %isInside {
          %value = memref.load %sums[%i, %thread] : !tileC
          %rounded = arith.truncf %value : f32 to bf16
          memref.store %rounded, %C[%to, %thread] : memref<?x128xbf16>
        }
      }
      gpu.return
    }
  }

  func.func @run(%A: memref<?x2048xbf16>, %B: memref<128x2048xbf16>, %C: memref<?x128xbf16>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %bytes = arith.constant 49152 : i32
    %anyA = memref.cast %A : memref<?x2048xbf16> to memref<*xbf16>
    %anyB = memref.cast %B : memref<128x2048xbf16> to memref<*xbf16>
    %mapA = nvgpu.tma.create.descriptor %anyA box[%c64, %c64] : memref<*xbf16> -> !mapA
    %mapB = nvgpu.tma.create.descriptor %anyB box[%c128, %c64] : memref<*xbf16> -> !mapB
    %rows = memref.dim %A, %c0 : memref<?x2048xbf16>
    %blocks = arith.ceildivui %rows, %c64 : index
    gpu.launch_func @kernels::@gemm
      blocks in (%blocks, %c1, %c1) threads in (%c128, %c1, %c1)
      dynamic_shared_memory_size %bytes
      args(%mapA : !mapA, %mapB : !mapB, %C : memref<?x128xbf16>)
    return
  }
}
