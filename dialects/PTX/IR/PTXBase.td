//===- PTXBase.td - The dialect and the class of its records -*- tablegen -*-=//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One record per PTX opcode is the single source of what the project knows
// about an instruction: mlir-tblgen makes the operation from it,
// ptxbench-tblgen the table that the parser, the verifier, the exporter and
// the target checks read (include/ptxbench/ISA/Instruction.h).
//
// The pattern languages of PTX_Form:
//
//   modifiers   slots, separated by blanks, in the manual's order
//     .sync            this modifier, required
//     .ftz?            optional
//     .{lo|hi}         one of these
//     .{lo|hi}?        at most one of these
//     .$space          one of the PTX_ModSet named `space`
//     .$space?         at most one
//     t=.{u32|u64}     the slot gets the name `t` (a `$set` slot has the set's
//                      name unless another is given)
//
//   operands    separated by commas, in the order of the text
//     =d:t             a result; its type is what slot `t` holds
//     a:t              a value: register or immediate
//     +d:t             read and written (its register must be defined)
//     a:u32            a type by name
//     r/a:t            a register only
//     i/a:u32          an integer immediate only
//     p:pred           a predicate; `!p` may be written
//     [a]              an address
//     [a,c*dim]        a tensor address: map and `dim`-many s32 coordinates
//     =d:t*4           a vector {…} of four; `*vec` as many as slot `vec` says
//                      (absent: a scalar); `*@rule` as many as a named C++
//                      rule says
//     =d:t|p           a second predicate result may follow after `|`
//     =d:t~            a wider register is accepted, too
//     =d:t_            `_` may stand for it
//     x:t?             may be left out (only at the end)
//     i/a:u32(0..255)  a constant of that range; (24..256/8) in steps of 8;
//                      (4|8|16) one of these
//     x:t?hint         stands if and only if the slot `hint` is filled
//     label l / callee f / args a / symbol s   as in branches and calls
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_DIALECT_PTX_IR_PTXBASE_TD
#define PTXBENCH_DIALECT_PTX_IR_PTXBASE_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"

//===----------------------------------------------------------------------===//
// Dialect
//===----------------------------------------------------------------------===//

def PTX_Dialect : Dialect {
  let name = "ptx";
  let cppNamespace = "::ptxbench::ptx";
  let summary = "PTX, NVIDIA's virtual instruction set, in SSA form";
  let description = [{
    Each PTX instruction is one operation. Registers, which PTX may assign
    many times, became SSA values; the register that a value had in the text
    stays with it as a hint, so that an untouched module is exported with the
    registers it came with.
  }];
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerInstructions();
  }];
}

//===----------------------------------------------------------------------===//
// Records of instructions
//===----------------------------------------------------------------------===//

/// A named set of modifiers; `name` is how patterns refer to it.
class PTX_ModSet<string setName, list<string> mods> {
  string name = setName;
  list<string> modifiers = mods;
}

/// A target family as reports name it.
class PTX_Family<string familyName, string text> {
  string name = familyName;
  string summary = text;
}

/// A modifier that puts an instruction into `which` though its opcode is in no
/// family: `red` with `v4`.
class PTX_FamilyModifier<string mod, PTX_Family which> {
  string modifier = mod;
  PTX_Family family = which;
}

/// One form of an instruction. `targets` are architectures, any of which has
/// the form: "sm_90" means that one and all later ones, "sm_90a" itself alone,
/// "sm_100f" its family.
class PTX_Form<string mods, string ops, string version = "1.0",
               list<string> archs = ["sm_50"]> {
  string modifiers = mods;
  string operands = ops;
  string minVersion = version;
  list<string> targets = archs;
}

/// Flags of an instruction; the names are those of `InstFlags`.
class PTX_Flag<string flagName> {
  string name = flagName;
}
def PTX_Terminator : PTX_Flag<"Terminator">;
def PTX_Convergent : PTX_Flag<"Convergent">;
def PTX_MemRead : PTX_Flag<"MemRead">;
def PTX_MemWrite : PTX_Flag<"MemWrite">;
def PTX_Pure : PTX_Flag<"Pure">;
def PTX_Call : PTX_Flag<"Call">;
def PTX_Async : PTX_Flag<"Async">;
def PTX_Warpgroup : PTX_Flag<"Warpgroup">;

/// What every opcode has, whether or not it is an operation of its own.
class PTX_InstRecord<string opcode, list<PTX_Flag> instFlags = []> {
  string ptxOpcode = opcode;
  list<PTX_Flag> ptxFlags = instFlags;
  /// The family it counts for in reports; unset: none.
  PTX_Family ptxFamily = ?;
  list<PTX_FamilyModifier> ptxFamilyModifiers = [];
  /// Title of the section of the PTX ISA manual that defines it.
  string ptxSection = "";
  list<PTX_Form> ptxForms = [];
}

//===----------------------------------------------------------------------===//
// Operations made from the records
//===----------------------------------------------------------------------===//

/// The operation of an instruction. All have one shape, so their C++ classes
/// are made from one template (ptxbench/Dialect/PTX/IR/InstOp.h); this class is
/// what their documentation is made from.
class PTX_InstOpBase<string opcode, list<Trait> traits = []>
    : Op<PTX_Dialect, opcode, traits> {
  let arguments = (ins Variadic<AnyType>:$inputs);
  let results = (outs Variadic<AnyType>:$outputs);
}

/// A plain instruction: record and operation in one.
class PTX_Inst<string opcode, list<PTX_Flag> instFlags = [],
               list<Trait> traits = []>
    : PTX_InstOpBase<opcode, traits>, PTX_InstRecord<opcode, instFlags>;

#endif // PTXBENCH_DIALECT_PTX_IR_PTXBASE_TD
