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

// -----

// expected-error @below {{expected an address size of 32 or 64 but got 24}}
module attributes {ptx.target = #ptx.target<version = 90, arch = "sm_90a", address_size = 24>} {
}

// -----

ptx.var <"g", "global", "b32"[2]> {init = array<i64: 1, 2>}
ptx.var <"h", "global", "u64"[2]> {init = [#ptx.init<"int", 1>, #ptx.init<"generic", 4 symbol = "g">]}
// expected-error @below {{expected at most 2 initial values but got 3}}
ptx.var <"i", "global", "b32"[2]> {init = array<i64: 1, 2, 3>}

// -----

// expected-error @below {{expected #ptx.init in 'init' but got 1 : i32}}
ptx.var <"g", "global", "b32"[2]> {init = [1 : i32]}

// -----

// expected-error @below {{expected an array of initial values but got "x"}}
ptx.var <"g", "global", "b32"[2]> {init = "x"}

// -----

// expected-error @below {{'foo' is no linkage}}
ptx.var <"g", "global", "b32"> {linkage = "foo"}

// -----

// expected-error @below {{'g h;' is no name in PTX}}
ptx.var <"g h;", "global", "b32">

// -----

// expected-error @below {{'globall' is no state space of a variable}}
ptx.var <"g", "globall", "b32">

// -----

// expected-error @below {{'b33' is no type of a variable}}
ptx.var <"g", "global", "b33">

// -----

// expected-error @below {{an array cannot have the extent -4}}
ptx.var <"g", "global", "b32"[-4]>

// -----

// expected-error @below {{an array cannot have the extent 9223372036854775807}}
ptx.var <"g", "global", "b32"[9223372036854775807, 9223372036854775807]>

// -----

// expected-error @below {{expected a power of 2 as alignment but got 3}}
ptx.var <"g", "global", "b32" align = 3>

// -----

// expected-error @below {{expected 2 or 4 elements of a vector but got 3}}
ptx.var <"g", "global", "b32" vec = 3>

// -----

// expected-error @below {{expected at most 16777216 registers but got 4294967295}}
ptx.entry @registers attributes {regs = [#ptx.reg<"%r", "b32", 4294967295>]} {
  ptx.ret
}

// -----

// expected-error @below {{'p' is register 5, but there are 1}}
ptx.func @parameter attributes {params = [#ptx.var<"p", "reg", "b32" reg = 5>], regs = [#ptx.reg<"p", "b32">]} {
  ptx.ret
}

// -----

// expected-error @below {{'.maxntid' and '.reqntid' exclude each other}}
ptx.entry @block attributes {directives = [#ptx.directive<"reqntid"[64]>, #ptx.directive<"maxntid"[64]>]} {
  ptx.ret
}

// -----

// expected-error @below {{'.reqnctapercluster' and '.maxclusterrank' exclude each other}}
ptx.entry @cluster attributes {directives = [#ptx.directive<"reqnctapercluster"[2]>, #ptx.directive<"maxclusterrank"[2]>]} {
  ptx.ret
}

// -----

// expected-error @below {{expected one '.reqntid' but got 2}}
ptx.entry @twice attributes {directives = [#ptx.directive<"reqntid"[64]>, #ptx.directive<"reqntid"[32]>]} {
  ptx.ret
}
