// A program: D = A * B, all 128 x 128, f16 to f32, by one warpgroup. TMA brings
// both halves of the 64 columns at a time; B is transposed by wgmma. The host
// makes small whole numbers, so that every sum is exact, and counts what differs.

!barrier = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 2>
!mapA = !nvgpu.tensormap.descriptor<tensor = memref<128x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
!mapB = !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
!shared = memref<?xi8, #gpu.address_space<workgroup>>
!tileA = memref<128x64xf16, #gpu.address_space<workgroup>>
!tileB = memref<64x128xf16, #gpu.address_space<workgroup>>
!halfB = memref<64x64xf16, #gpu.address_space<workgroup>>
!factorA = !nvgpu.warpgroup.descriptor<tensor = memref<128x64xf16, 3>>
!factorB = !nvgpu.warpgroup.descriptor<tensor = memref<64x128xf16, 3>>
!sum = !nvgpu.warpgroup.accumulator<fragmented = vector<128x128xf32>>

// (3 i + 5 j) mod 7 - 3 for A, (2 i + j) mod 5 - 2 for B.
func.func private @fill(%matrix: memref<128x128xf16>, %si: index, %sj: index,
                        %modulus: index, %offset: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  scf.for %i = %c0 to %c128 step %c1 {
    scf.for %j = %c0 to %c128 step %c1 {
      %0 = arith.muli %i, %si : index
      %1 = arith.muli %j, %sj : index
      %2 = arith.addi %0, %1 : index
      %3 = arith.remui %2, %modulus : index
      %4 = arith.index_cast %3 : index to i32
      %5 = arith.subi %4, %offset : i32
      %6 = arith.sitofp %5 : i32 to f16
      memref.store %6, %matrix[%i, %j] : memref<128x128xf16>
    }
  }
  return
}

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %i2 = arith.constant 2 : i32
  %i3 = arith.constant 3 : i32
  %sharedBytes = arith.constant 65536 : i32
  %zero = arith.constant 0.0 : f32
  %hostA = memref.alloc() : memref<128x128xf16>
  %hostB = memref.alloc() : memref<128x128xf16>
  %hostD = memref.alloc() : memref<128x128xf32>
  %wanted = memref.alloc() : memref<128x128xf32>
  func.call @fill(%hostA, %c3, %c5, %c7, %i3) : (memref<128x128xf16>, index, index, index, i32) -> ()
  func.call @fill(%hostB, %c2, %c1, %c5, %i2) : (memref<128x128xf16>, index, index, index, i32) -> ()

  %start = gpu.wait async
  %A, %t0 = gpu.alloc async [%start] () : memref<128x128xf16>
  %B, %t1 = gpu.alloc async [%t0] () : memref<128x128xf16>
  %D, %t2 = gpu.alloc async [%t1] () : memref<128x128xf32>
  %t3 = gpu.memcpy async [%t2] %A, %hostA : memref<128x128xf16>, memref<128x128xf16>
  %t4 = gpu.memcpy async [%t3] %B, %hostB : memref<128x128xf16>, memref<128x128xf16>
  %anyA = memref.cast %A : memref<128x128xf16> to memref<*xf16>
  %anyB = memref.cast %B : memref<128x128xf16> to memref<*xf16>
  %mapA = nvgpu.tma.create.descriptor %anyA box[%c128, %c64] : memref<*xf16> -> !mapA
  %mapB = nvgpu.tma.create.descriptor %anyB box[%c64, %c64] : memref<*xf16> -> !mapB

  %t5 = gpu.launch async [%t4] blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%thread, %ty, %tz) in (%nx = %c128, %ny = %c1, %nz = %c1)
             dynamic_shared_memory_size %sharedBytes {
    %bytesA = arith.constant 16384 : index
    %bytesHalf = arith.constant 8192 : index
    %beginB = arith.constant 32768 : index
    %bytes = arith.constant 32768 : index
    %ticks = arith.constant 10000000 : index
    %phase = arith.constant 0 : i1
    %memory = gpu.dynamic_shared_memory : !shared
    %full = nvgpu.mbarrier.create -> !barrier
    %isFirst = arith.cmpi eq, %thread, %c0 : index
    scf.if %isFirst {
      nvgpu.mbarrier.init %full[%c0], %c1 : !barrier
      nvgpu.mbarrier.init %full[%c1], %c1 : !barrier
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      nvgpu.tma.prefetch.descriptor %mapA : !mapA
      nvgpu.tma.prefetch.descriptor %mapB : !mapB
    }
    gpu.barrier
    scf.if %isFirst {
      scf.for %stage = %c0 to %c2 step %c1 {
        %k = arith.muli %stage, %c64 : index
        %toA = arith.muli %stage, %bytesA : index
        %toB = arith.addi %toA, %beginB : index
        %toRight = arith.addi %toB, %bytesHalf : index
        %a = memref.view %memory[%toA][] : !shared to !tileA
        %left = memref.view %memory[%toB][] : !shared to !halfB
        %right = memref.view %memory[%toRight][] : !shared to !halfB
        nvgpu.mbarrier.arrive.expect_tx %full[%stage], %bytes : !barrier
        nvgpu.tma.async.load %mapA[%k, %c0], %full[%stage] to %a : !mapA, !barrier -> !tileA
        nvgpu.tma.async.load %mapB[%c0, %k], %full[%stage] to %left : !mapB, !barrier -> !halfB
        nvgpu.tma.async.load %mapB[%c64, %k], %full[%stage] to %right : !mapB, !barrier -> !halfB
      }
    }
    %none = nvgpu.warpgroup.mma.init.accumulator -> <fragmented = vector<128x128xf32>>
    %result = scf.for %stage = %c0 to %c2 step %c1 iter_args(%before = %none) -> (!sum) {
      nvgpu.mbarrier.try_wait.parity %full[%stage], %phase, %ticks : !barrier
      %atA = arith.muli %stage, %bytesA : index
      %atB = arith.addi %atA, %beginB : index
      %a = memref.view %memory[%atA][] : !shared to !tileA
      %b = memref.view %memory[%atB][] : !shared to !tileB
      %factorA = nvgpu.warpgroup.generate.descriptor %a, %mapA : !tileA, !mapA -> !factorA
      %factorB = nvgpu.warpgroup.generate.descriptor %b, %mapB : !tileB, !mapB -> !factorB
      %after = nvgpu.warpgroup.mma %factorA, %factorB, %before {transposeB, waitGroup = 0}
        : !factorA, !factorB, !sum -> !sum
      scf.yield %after : !sum
    }
    nvgpu.warpgroup.mma.store %result, %D : <fragmented = vector<128x128xf32>> to memref<128x128xf32>
    gpu.terminator
  }
  %t6 = gpu.memcpy async [%t5] %hostD, %D : memref<128x128xf32>, memref<128x128xf32>
  %t7 = gpu.dealloc async [%t6] %A : memref<128x128xf16>
  %t8 = gpu.dealloc async [%t7] %B : memref<128x128xf16>
  %t9 = gpu.dealloc async [%t8] %D : memref<128x128xf32>
  gpu.wait [%t9]

  linalg.fill ins(%zero : f32) outs(%wanted : memref<128x128xf32>)
  linalg.matmul ins(%hostA, %hostB : memref<128x128xf16>, memref<128x128xf16>) outs(%wanted : memref<128x128xf32>)
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %wrong = scf.for %i = %c0 to %c128 step %c1 iter_args(%rows = %i0) -> (i32) {
    %inRow = scf.for %j = %c0 to %c128 step %c1 iter_args(%count = %rows) -> (i32) {
      %got = memref.load %hostD[%i, %j] : memref<128x128xf32>
      %want = memref.load %wanted[%i, %j] : memref<128x128xf32>
      %differs = arith.cmpf une, %got, %want : f32
      %one = arith.select %differs, %i1, %i0 : i32
      %next = arith.addi %count, %one : i32
      scf.yield %next : i32
    }
    scf.yield %inRow : i32
  }
  %corner = memref.subview %hostD[0, 0] [2, 4] [1, 1] : memref<128x128xf32> to memref<2x4xf32, strided<[128, 1]>>
  %any = memref.cast %corner : memref<2x4xf32, strided<[128, 1]>> to memref<*xf32>
  func.call @printMemrefF32(%any) : (memref<*xf32>) -> ()
  vector.print str "wrong elements: "
  vector.print %wrong : i32
  memref.dealloc %hostA : memref<128x128xf16>
  memref.dealloc %hostB : memref<128x128xf16>
  memref.dealloc %hostD : memref<128x128xf32>
  memref.dealloc %wanted : memref<128x128xf32>
  return %wrong : i32
}

func.func private @printMemrefF32(memref<*xf32>)
