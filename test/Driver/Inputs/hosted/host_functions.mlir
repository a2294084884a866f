// A program that is mostly host code: what it prints, copies and computes, and
// events and fills on the device.

func.func private @printMemrefF16(memref<*xf16>) attributes {llvm.emit_c_interface}
func.func private @printMemrefBF16(memref<*xbf16>)
func.func private @printMemrefF64(memref<*xf64>)
func.func private @printMemrefI8(memref<*xi8>) attributes {llvm.emit_c_interface}
func.func private @printMemrefInd(memref<*xindex>)

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c6 = arith.constant 6 : index

  // Values and vectors.
  %third = arith.constant 0.333333343 : f32
  %half = arith.truncf %third : f32 to f16
  %brain = arith.truncf %third : f32 to bf16
  %back = arith.extf %half : f16 to f32
  vector.print %half : f16
  vector.print %brain : bf16
  vector.print %back : f32
  %vector = arith.constant dense<[1, -2, 3]> : vector<3xi64>
  vector.print %vector : vector<3xi64>
  %two = arith.constant 2.0 : f64
  %power = math.powf %two, %two : f64
  %root = math.tanh %power : f64
  vector.print %root : f64

  // Memrefs of each kind, and a copy between two layouts.
  %matrix = memref.alloc() : memref<2x3xf16>
  %other = memref.alloc() : memref<2x3xbf16>
  scf.for %i = %c0 to %c2 step %c1 {
    scf.for %j = %c0 to %c3 step %c1 {
      %0 = arith.muli %i, %c3 : index
      %1 = arith.addi %0, %j : index
      %2 = arith.index_cast %1 : index to i32
      %3 = arith.sitofp %2 : i32 to f16
      %4 = arith.sitofp %2 : i32 to bf16
      memref.store %3, %matrix[%i, %j] : memref<2x3xf16>
      memref.store %4, %other[%i, %j] : memref<2x3xbf16>
    }
  }
  %turned = memref.transpose %matrix (i, j) -> (j, i) : memref<2x3xf16> to memref<3x2xf16, strided<[1, 3]>>
  %copy = memref.alloc() : memref<3x2xf16>
  memref.copy %turned, %copy : memref<3x2xf16, strided<[1, 3]>> to memref<3x2xf16>
  %any0 = memref.cast %copy : memref<3x2xf16> to memref<*xf16>
  func.call @printMemrefF16(%any0) : (memref<*xf16>) -> ()
  %any1 = memref.cast %other : memref<2x3xbf16> to memref<*xbf16>
  func.call @printMemrefBF16(%any1) : (memref<*xbf16>) -> ()
  %one = memref.alloc() : memref<f64>
  memref.store %power, %one[] : memref<f64>
  %any2 = memref.cast %one : memref<f64> to memref<*xf64>
  func.call @printMemrefF64(%any2) : (memref<*xf64>) -> ()
  %cube = memref.alloc() : memref<2x1x2xi8>
  %byte = arith.constant -7 : i8
  scf.for %i = %c0 to %c2 step %c1 {
    memref.store %byte, %cube[%i, %c0, %c0] : memref<2x1x2xi8>
    memref.store %byte, %cube[%i, %c0, %c1] : memref<2x1x2xi8>
  }
  %any3 = memref.cast %cube : memref<2x1x2xi8> to memref<*xi8>
  func.call @printMemrefI8(%any3) : (memref<*xi8>) -> ()

  // Two streams, one of which waits for the other.
  %t0 = gpu.wait async
  %a, %t1 = gpu.alloc async [%t0] () : memref<6xindex>
  %b, %t2 = gpu.alloc async [%t0] () : memref<8xf32>
  %s0 = gpu.wait async [%t1, %t2]
  %pattern = arith.constant 1.5 : f32
  %s1 = gpu.memset async [%s0] %b, %pattern : memref<8xf32>, f32
  %s2 = gpu.launch async [%s1] blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%nx = %c6, %ny = %c1, %nz = %c1) {
    %value = memref.load %b[%tx] : memref<8xf32>
    %four = arith.constant 4.0 : f32
    %product = arith.mulf %value, %four : f32
    %whole = arith.fptosi %product : f32 to i64
    %number = arith.index_cast %whole : i64 to index
    %sum = arith.addi %number, %tx : index
    memref.store %sum, %a[%tx] : memref<6xindex>
    gpu.terminator
  }
  %host = memref.alloc() : memref<6xindex>
  %s3 = gpu.memcpy async [%s2] %host, %a : memref<6xindex>, memref<6xindex>
  %s4 = gpu.dealloc async [%s3] %a : memref<6xindex>
  %s5 = gpu.dealloc async [%s4] %b : memref<8xf32>
  gpu.wait [%s5]
  %any4 = memref.cast %host : memref<6xindex> to memref<*xindex>
  func.call @printMemrefInd(%any4) : (memref<*xindex>) -> ()
  return
}

// Where a script of the transform dialect was: no code of the host.
module attributes {transform.with_named_sequence} {
}
