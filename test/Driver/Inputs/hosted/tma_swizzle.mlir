// A program: TMA loads 64 x 64 elements of f16 with its swizzle of 128 bytes, and
// the threads copy shared memory out as it lies there. The host computes where
// each element has to be: of the eight groups of eight elements in a row, number
// g of row i is at place g xor (i mod 8).

!barrier = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
!map = !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
!tile = memref<64x64xf16, #gpu.address_space<workgroup>>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @load(%map: !map, %out: memref<64x64xf16>)
        workgroup(%tile: !tile {llvm.align = 1024 : i64}) kernel
        attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c64 = arith.constant 64 : index
      %bytes = arith.constant 8192 : index
      %ticks = arith.constant 10000000 : index
      %phase = arith.constant 0 : i1
      %thread = gpu.thread_id x
      %isFirst = arith.cmpi eq, %thread, %c0 : index
      %full = nvgpu.mbarrier.create -> !barrier
      nvgpu.mbarrier.init %full[%c0], %c1, predicate = %isFirst : !barrier
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      gpu.barrier
      nvgpu.mbarrier.arrive.expect_tx %full[%c0], %bytes, predicate = %isFirst : !barrier
      nvgpu.tma.async.load %map[%c0, %c0], %full[%c0] to %tile, predicate = %isFirst : !map, !barrier -> !tile
      nvgpu.mbarrier.try_wait.parity %full[%c0], %phase, %ticks : !barrier
      scf.for %i = %c0 to %c64 step %c1 {
        %value = memref.load %tile[%i, %thread] : !tile
        memref.store %value, %out[%i, %thread] : memref<64x64xf16>
      }
      gpu.return
    }
  }

  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %c1024 = arith.constant 1024 : index
    %host = memref.alloc() : memref<64x64xf16>
    scf.for %i = %c0 to %c64 step %c1 {
      scf.for %j = %c0 to %c64 step %c1 {
        %0 = arith.muli %i, %c64 : index
        %1 = arith.addi %0, %j : index
        %2 = arith.remui %1, %c1024 : index
        %3 = arith.index_cast %2 : index to i32
        %4 = arith.uitofp %3 : i32 to f16
        memref.store %4, %host[%i, %j] : memref<64x64xf16>
      }
    }
    // Without tokens: each operation is waited for.
    %in = gpu.alloc () : memref<64x64xf16>
    %out = gpu.alloc () : memref<64x64xf16>
    gpu.memcpy %in, %host : memref<64x64xf16>, memref<64x64xf16>
    %any = memref.cast %in : memref<64x64xf16> to memref<*xf16>
    %map = nvgpu.tma.create.descriptor %any box[%c64, %c64] : memref<*xf16> -> !map
    gpu.launch_func @kernels::@load blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
      args(%map : !map, %out : memref<64x64xf16>)
    %raw = memref.alloc() : memref<64x64xf16>
    gpu.memcpy %raw, %out : memref<64x64xf16>, memref<64x64xf16>
    gpu.dealloc %in : memref<64x64xf16>
    gpu.dealloc %out : memref<64x64xf16>

    %right = scf.for %i = %c0 to %c64 step %c1 iter_args(%rows = %c0) -> (index) {
      %inRow = scf.for %j = %c0 to %c64 step %c1 iter_args(%count = %rows) -> (index) {
        %group = arith.divui %j, %c8 : index
        %inGroup = arith.remui %j, %c8 : index
        %turn = arith.remui %i, %c8 : index
        %place = arith.xori %group, %turn : index
        %first = arith.muli %place, %c8 : index
        %at = arith.addi %first, %inGroup : index
        %want = memref.load %host[%i, %j] : memref<64x64xf16>
        %got = memref.load %raw[%i, %at] : memref<64x64xf16>
        %isSame = arith.cmpf oeq, %got, %want : f16
        %one = arith.select %isSame, %c1, %c0 : index
        %next = arith.addi %count, %one : index
        scf.yield %next : index
      }
      scf.yield %inRow : index
    }
    vector.print str "in their places: "
    vector.print %right : index
    memref.dealloc %host : memref<64x64xf16>
    memref.dealloc %raw : memref<64x64xf16>
    return
  }
}
