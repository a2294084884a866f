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
//     [a:b32]          an address whose register has this type
//     [a,c*dim]        a tensor address: map and `dim`-many s32 coordinates
//     [texref a]       the handle of a texture; also `surfref`, `samplerref`
//     [texref a,c:t*n] a texture, perhaps its sampler, and coordinates of the
//                      type `t`; where slot `geom` holds an array (`a2d`), the
//                      first one is an index
//     -a:t             a minus may stand before the register
//     a:t.part         a part of the register may be named (`a.b0`); `part`,
//                      `halves`, `bytes`, and for results `halfmask`,
//                      `bytemask`: the kinds of ptxbench/ISA/Selector.h
//     =d:t*4           a vector {…} of four; `*vec` as many as slot `vec` says
//                      (absent: a scalar); `*@rule` as many as a named C++
//                      rule says
//     a:t*n+           the vector may also be longer, up to four elements
//     a:t*n^           one register or constant may stand for the vector
//     a:t{}            what is no vector may stand in braces: `{a}`
//     =d:t|p           a second predicate result may follow after `|`;
//                      `|p!`: follows, and is not `_`
//     _                nothing but `_`
//     =d:t~            a wider register is accepted, too
//     =d:t_            `_` may stand for it, as for elements of vectors that
//                      are results
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

/// What modifiers need beyond the form that they stand in: a newer version, or
/// other architectures (none: as the form).
class PTX_Needs<list<string> mods, string version, list<string> archs = []> {
  list<string> modifiers = mods;
  string minVersion = version;
  list<string> targets = archs;
}

/// What modifiers need in every form of every instruction.
class PTX_ModifierNeeds<list<string> mods, string version,
                        list<string> archs = []> {
  PTX_Needs needs = PTX_Needs<mods, version, archs>;
}

/// Which modifiers go together, in the forms that have them. Each entry is a
/// modifier or a `$set`.
class PTX_Rule<list<string> some, list<string> others, bit exclude> {
  list<string> when = some;
  list<string> what = others;
  bit excludes = exclude;
}
/// One of `some` needs one of `others` beside it.
class PTX_With<list<string> some, list<string> others>
    : PTX_Rule<some, others, 0>;
/// None of `some` goes with any of `others`.
class PTX_Without<list<string> some, list<string> others>
    : PTX_Rule<some, others, 1>;

/// One form of an instruction. `targets` are architectures, any of which has
/// the form: "sm_90" means that one and all later ones, "sm_90a" itself alone,
/// "sm_100f" its family; none: those of the instruction.
class PTX_Form<string mods, string ops, string version = "1.0",
               list<string> archs = [],
               list<PTX_Needs> modNeeds = []> {
  string modifiers = mods;
  string operands = ops;
  string minVersion = version;
  list<string> targets = archs;
  list<PTX_Needs> needs = modNeeds;
  /// From that version on, architectures from that one on lack the form.
  string removedVersion = "";
  string removedArch = "sm_50";
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
  /// The architectures of forms that name none; the oldest there is: all.
  list<string> ptxTargets = ["sm_10"];
  /// What modifiers need in all forms, and which go together.
  list<PTX_Needs> ptxNeeds = [];
  /// False: the needs of all instructions (PTX_ModifierNeeds) are not these.
  bit ptxCommonNeeds = 1;
  list<PTX_Rule> ptxRules = [];
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
