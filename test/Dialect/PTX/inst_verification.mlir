// RUN: ptxbench-opt %s -split-input-file -verify-diagnostics

ptx.entry @width attributes {regs = [#ptx.reg<"%r", "b32", 4>]} {
  %0 = ptx.mov ".u32" =0, sreg "tid.x" : () -> i32
  // expected-error @below {{'ptx.add' op operand 'd' is of 64 bits but its register is of type 'i32'}}
  %1 = ptx.add ".s64" =1, %0, 1 : (i32) -> i32
  ptx.ret
}

// -----

ptx.entry @unknown_modifier {
  // expected-error @below {{unknown modifier 's33'; did you mean}}
  %1 = ptx.add ".s33" =1, 1, 1 : () -> i32
  ptx.ret
}

// -----

ptx.entry @modifier_does_not_fit {
  // expected-error @below {{'ptx.add' op modifiers and operands fit no form}}
  %1 = ptx.add ".aligned" =1, 1, 1 : () -> i32
  ptx.ret
}

// -----

ptx.entry @passthrough attributes {regs = [#ptx.reg<"%r", "b32", 4>, #ptx.reg<"%p", "pred">]} {
  %p = ptx.undef : i1
  // expected-error @below {{'ptx.mov' op expected 2 operands (0 of operand trees, a guard and its pass-through) but got 1}}
  %0 = ptx.mov ".u32" if %p =0, 1 : (i1) -> i32
  ptx.ret
}

// -----

ptx.entry @guard_without_next {
  %p = ptx.undef : i1
  // expected-error @below {{expected one successor for the threads whose guard is false but got 0}}
  ptx.exit if %p
}

// -----

// expected-error @below {{'ptx.entry' op 'b33' is no register type}}
ptx.entry @bad_reg attributes {regs = [#ptx.reg<"%r", "b33", 4>]} {
  ptx.ret
}
