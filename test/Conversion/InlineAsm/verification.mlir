// RUN: ptxbench-opt %s -split-input-file -verify-diagnostics

llvm.func @inputs(%a: i32) {
  // expected-error @+1 {{expected an operand for each of 2 inputs but got 1}}
  ptx.inline "r,r"(%a : i32) {
  ^bb0(%x: i32, %y: i32):
    ptx.yield
  }
  llvm.return
}

// -----

llvm.func @outputs() {
  // expected-error @+1 {{expected a result for each of 1 outputs but got 0}}
  ptx.inline "=r" {
    ptx.yield
  }
  llvm.return
}

// -----

llvm.func @arguments(%a: i32) {
  // expected-error @+1 {{expected the body to have the arguments ('i32') but it has ('i64')}}
  ptx.inline "r"(%a : i32) {
  ^bb0(%x: i64):
    ptx.yield
  }
  llvm.return
}

// -----

llvm.func @values(%a: i32) {
  %0 = ptx.inline "=l,r"(%a : i32) -> i64 {
  ^bb0(%x: i32):
    // expected-error @+1 {{expected values of the types ('i64') but got ('i32')}}
    ptx.yield %x : i32
  }
  llvm.return
}

// -----

llvm.func @constraint(%a: i32) {
  // expected-error @+1 {{no register or constant has the constraint 'z'}}
  ptx.inline "z"(%a : i32) {
  ^bb0(%x: i32):
    ptx.yield
  }
  llvm.return
}

// -----

llvm.func @yield_outside() {
  // expected-error @+1 {{expects parent op 'ptx.inline'}}
  ptx.yield
}
