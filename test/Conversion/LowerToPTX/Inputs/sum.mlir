// One thread of a CTA fetches 256 numbers by a bulk copy, whose end all threads
// wait for; each adds up two of them.

llvm.mlir.global internal @numbers() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<256 x f32>
llvm.mlir.global internal @barrier() {addr_space = 3 : i32, alignment = 8 : i64} : i64

llvm.func @sum(%from: !llvm.ptr<1>, %to: !llvm.ptr<1>) attributes {
    nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %ticks = llvm.mlir.constant(10000000 : i32) : i32
  %bytes = llvm.mlir.constant(1024 : i32) : i32
  %half = llvm.mlir.constant(128 : i32) : i32
  %many = llvm.mlir.constant(512 : i32) : i32
  %numbers = llvm.mlir.addressof @numbers : !llvm.ptr<3>
  %barrier = llvm.mlir.addressof @barrier : !llvm.ptr<3>
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %cta = nvvm.read.ptx.sreg.ctaid.x : i32
  %isFirst = llvm.icmp "eq" %tid, %zero : i32
  llvm.cond_br %isFirst, ^init, ^ready
^init:
  nvvm.mbarrier.init %barrier, %one : !llvm.ptr<3>, i32
  llvm.br ^ready
^ready:
  nvvm.barrier0
  llvm.cond_br %isFirst, ^fetch, ^wait
^fetch:
  %words = llvm.mul %cta, %many : i32
  %source = llvm.getelementptr %from[%words] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i16
  %cluster = llvm.addrspacecast %numbers : !llvm.ptr<3> to !llvm.ptr<7>
  nvvm.mbarrier.arrive.expect_tx %barrier, %bytes : !llvm.ptr<3>, i32
  nvvm.cp.async.bulk.shared.cluster.global %cluster, %source, %barrier, %bytes : !llvm.ptr<7>, !llvm.ptr<1>
  llvm.br ^wait
^wait:
  nvvm.mbarrier.try_wait.parity %barrier, %zero, %ticks : !llvm.ptr<3>, i32, i32
  // There are no so many threads.
  %isBeyond = llvm.icmp "uge" %tid, %many : i32
  llvm.cond_br %isBeyond, ^never, ^add
^never:
  nvvm.wgmma.fence.aligned
  llvm.br ^add
^add:
  %place = llvm.getelementptr %numbers[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
  %other = llvm.add %tid, %half : i32
  %otherPlace = llvm.getelementptr %numbers[%other] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
  %x = llvm.load %place : !llvm.ptr<3> -> f32
  %y = llvm.load %otherPlace : !llvm.ptr<3> -> f32
  %sum = llvm.fadd %x, %y : f32
  %row = llvm.mul %cta, %half : i32
  %at = llvm.add %row, %tid : i32
  %target = llvm.getelementptr %to[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  llvm.store %sum, %target : f32, !llvm.ptr<1>
  llvm.return
}
