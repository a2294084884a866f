//===- PTXOps.td - Modules, functions and control flow -----*- tablegen -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operations that are not plain instructions. Plain instructions stand in
// Instructions/, one file per family.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_DIALECT_PTX_IR_PTXOPS_TD
#define PTXBENCH_DIALECT_PTX_IR_PTXOPS_TD

include "PTX/IR/PTXAttrs.td"
include "PTX/IR/PTXInterfaces.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class PTX_Op<string mnemonic, list<Trait> traits = []>
    : Op<PTX_Dialect, mnemonic, traits>;

//===----------------------------------------------------------------------===//
// Module level
//===----------------------------------------------------------------------===//

class PTX_FunctionOp<string mnemonic, list<Trait> traits = []>
    : PTX_Op<mnemonic, [Symbol, IsolatedFromAbove] # traits> {
  let description = [{
    `params` and `results` are `#ptx.var` declarations. Those in `.param` space
    are memory, named by symbol; those in `.reg` space are the arguments of the
    entry block and the operands of `ptx.ret`.

    `regs` is the register table, `block_regs` the registers of the arguments
    of each block, in the order of the blocks. Passes that remove blocks or
    arguments know nothing of `block_regs`: where it no longer fits the body,
    the exporter gives an argument the register of a value that it receives.
    A declaration has an empty body.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       DefaultValuedAttr<StrAttr, "\"\"">:$linkage,
                       DefaultValuedAttr<ArrayAttr, "{}">:$params,
                       DefaultValuedAttr<ArrayAttr, "{}">:$func_results,
                       DefaultValuedAttr<ArrayAttr, "{}">:$directives,
                       DefaultValuedAttr<ArrayAttr, "{}">:$regs,
                       DefaultValuedAttr<ArrayAttr, "{}">:$block_regs);
  let regions = (region AnyRegion:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
  let extraClassDeclaration = [{
    bool isExternal() { return getBody().empty(); }
    /// The values of a directive ("reqntid"), if it is given.
    ::std::optional<::llvm::ArrayRef<int64_t>>
    getDirective(::llvm::StringRef name) {
      for (auto attr : getDirectives().getAsRange<DirectiveAttr>())
        if (attr.getName() == name)
          return attr.getValues();
      return ::std::nullopt;
    }
  }];
  let hasVerifier = 1;
}

def PTX_EntryOp : PTX_FunctionOp<"entry"> {
  let summary = "a kernel (.entry)";
}

def PTX_FuncOp : PTX_FunctionOp<"func"> {
  let summary = "a device function (.func)";
}

def PTX_DeclareOp : PTX_Op<"declare"> {
  let summary = "a declaration that precedes the definition in the module";
  let description = [{
    PTX wants a function declared before it is used; the definition that
    follows is the symbol.
  }];
  let arguments = (ins StrAttr:$name,
                       DefaultValuedAttr<StrAttr, "\"\"">:$linkage,
                       DefaultValuedAttr<ArrayAttr, "{}">:$params,
                       DefaultValuedAttr<ArrayAttr, "{}">:$func_results,
                       DefaultValuedAttr<ArrayAttr, "{}">:$directives,
                       UnitAttr:$entry);
  let assemblyFormat = "$name attr-dict";
}

def PTX_VarOp : PTX_Op<"var"> {
  let summary = "a variable, at module level or in a function";
  let description = [{
    Its name is unique in the module or function. `init` is a dense array of
    64-bit words where every element is a plain number, else an array of
    `#ptx.init`.
  }];
  let arguments = (ins PTX_VarAttr:$decl,
                       DefaultValuedAttr<StrAttr, "\"\"">:$linkage,
                       OptionalAttr<AnyAttr>:$init);
  let assemblyFormat = "$decl attr-dict";
  let hasVerifier = 1;
}

def PTX_FileOp : PTX_Op<"file"> {
  let summary = "the .file directive";
  let arguments = (ins I32Attr:$index, StrAttr:$name,
                       OptionalAttr<I64Attr>:$time, OptionalAttr<I64Attr>:$size);
  let assemblyFormat = "$index $name attr-dict";
}

def PTX_VerbatimOp : PTX_Op<"verbatim"> {
  let summary = "text that is kept as it is";
  let description = [{
    `.section` with its contents, `.alias`, `.callprototype`, `.calltargets`, and
    labels that no branch names (debug sections do).
  }];
  let arguments = (ins StrAttr:$text);
  let assemblyFormat = "$text attr-dict";
}

//===----------------------------------------------------------------------===//
// In function bodies
//===----------------------------------------------------------------------===//

def PTX_LocOp : PTX_Op<"loc"> {
  let summary = "the .loc directive";
  let description = [{
    `values` are file, line, column and, for an inlined place, the file, line
    and column of the call; `function` is then the label of the function's name
    and `offset` what is added to it.
  }];
  let arguments = (ins DenseI32ArrayAttr:$values, OptionalAttr<StrAttr>:$function,
                       DefaultValuedAttr<I32Attr, "0">:$offset);
  // Without the keyword the name of a generic operation that follows would be
  // taken for the function.
  let assemblyFormat = "$values (`function` $function^)? attr-dict";
}

def PTX_PragmaOp : PTX_Op<"pragma"> {
  let summary = "the .pragma directive at its place";
  let arguments = (ins StrAttr:$text);
  let assemblyFormat = "$text attr-dict";
}

def PTX_UndefOp : PTX_Op<"undef", [Pure]> {
  let summary = "the value of a register before its first definition";
  let description = [{
    Any value of the type, and not the same one at each use. It is never
    folded: ptxas accepts such reads, and a guarded first definition is common.
  }];
  let arguments = (ins DefaultValuedAttr<I32Attr, "-1">:$reg);
  let results = (outs AnyType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

//===----------------------------------------------------------------------===//
// Terminators
//===----------------------------------------------------------------------===//

class PTX_TerminatorOp<string mnemonic, list<Trait> traits = []>
    : PTX_Op<mnemonic, [Terminator,
                        DeclareOpInterfaceMethods<TerminatorOpInterface>,
                        DeclareOpInterfaceMethods<
                            BranchOpInterface, ["getSuccessorForOperands"]>] # traits>;

def PTX_BrOp : PTX_TerminatorOp<"br"> {
  let summary = "control passes to the next block without an instruction";
  let arguments = (ins Variadic<AnyType>:$destOperands);
  let successors = (successor AnySuccessor:$dest);
  let assemblyFormat =
      "$dest (`(` $destOperands^ `:` type($destOperands) `)`)? attr-dict";
  let extraClassDeclaration = [{ bool getNegated() { return false; } }];
}

def PTX_BraOp : PTX_TerminatorOp<"bra", [AttrSizedOperandSegments]> {
  let summary = "the branch instruction";
  let description = [{
    With a guard it has a second successor, where threads go for which the
    guard is false.
  }];
  let arguments = (ins Optional<I1>:$guard, Variadic<AnyType>:$destOperands,
                       Variadic<AnyType>:$nextOperands, UnitAttr:$negated,
                       UnitAttr:$uniform, DefaultValuedAttr<I32Attr, "0">:$inline_asm);
  let successors = (successor AnySuccessor:$dest,
                              VariadicSuccessor<AnySuccessor>:$next);
  let assemblyFormat = [{
    (`uni` $uniform^)? (`if` $guard^)? (`negated` $negated^)? $dest
    (`(` $destOperands^ `:` type($destOperands) `)`)?
    custom<FalseSide>($next, $nextOperands, type($nextOperands)) attr-dict
  }];
  let hasVerifier = 1;
}

class PTX_EndOp<string mnemonic, list<Trait> traits = []>
    : PTX_TerminatorOp<mnemonic, [AttrSizedOperandSegments] # traits> {
  let successors = (successor VariadicSuccessor<AnySuccessor>:$next);
  let arguments = (ins Optional<I1>:$guard, Variadic<AnyType>:$values,
                       Variadic<AnyType>:$nextOperands, UnitAttr:$negated,
                       UnitAttr:$uniform, UnitAttr:$implicit, DefaultValuedAttr<I32Attr, "0">:$inline_asm);
  let assemblyFormat = [{
    (`uni` $uniform^)? (`if` $guard^)? (`negated` $negated^)?
    (`values` `(` $values^ `:` type($values) `)`)?
    custom<FalseSide>($next, $nextOperands, type($nextOperands)) attr-dict
  }];
  let hasVerifier = 1;
}

def PTX_RetOp : PTX_EndOp<"ret"> {
  let summary = "return from a function; in an entry the thread ends";
  let description = [{
    `values` are the results in `.reg` space. With a guard, `next` is where the
    other threads go. It is `implicit` where the text just ends.
  }];
}

def PTX_ExitOp : PTX_EndOp<"exit"> {
  let summary = "the thread ends";
}

def PTX_TrapOp : PTX_EndOp<"trap"> {
  let summary = "the launch is aborted";
  let description = [{
    What follows in the text is its successor, so that it is kept; no thread
    for which the guard is true goes there.
  }];
}

def PTX_BrxIdxOp : PTX_TerminatorOp<"brx.idx"> {
  let summary = "branch to the index-th label of a list";
  let arguments = (ins AnyType:$index,
                       VariadicOfVariadic<AnyType, "caseSizes">:$caseOperands,
                       DenseI32ArrayAttr:$caseSizes, StrAttr:$list,
                       UnitAttr:$uniform, DefaultValuedAttr<I32Attr, "0">:$inline_asm);
  let successors = (successor VariadicSuccessor<AnySuccessor>:$cases);
  let extraClassDeclaration = [{ bool getNegated() { return false; } }];
}

//===----------------------------------------------------------------------===//
// Inline assembly in other dialects
//===----------------------------------------------------------------------===//

def PTX_InlineOp : PTX_Op<"inline", [IsolatedFromAbove,
                      DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "inline assembly, read, in a function of another dialect";
  let description = [{
    `constraints` are spelled as LLVM's ("=r,r,n,0,~{memory}"). The operands are
    those of the inputs; a constant ("n") stands in the body as a number, each
    other input is an argument of the body, as wide as its register. The results
    are those of the outputs; `ptx.yield` gives them. Values and registers agree
    in their bits, so that a pointer and an f32 may be operands of "l" and "r".

    `side_effects` is LLVM's: the text may not be removed or moved. `regs` and
    `block_regs` are as those of `ptx.func`; the register of an operand is named
    as the text names it (`$0`), a tied input is in the register of its output.
    Threads come in at the entry and go on behind the operation from
    `ptx.yield`.
  }];
  let arguments = (ins Variadic<AnyType>:$inputs, StrAttr:$constraints,
                       UnitAttr:$side_effects,
                       DefaultValuedAttr<ArrayAttr, "{}">:$regs,
                       DefaultValuedAttr<ArrayAttr, "{}">:$block_regs);
  let results = (outs Variadic<AnyType>:$outputs);
  let regions = (region AnyRegion:$body);
  let assemblyFormat = [{
    $constraints (`(` $inputs^ `:` type($inputs) `)`)? (`->` type($outputs)^)?
    attr-dict-with-keyword $body
  }];
  let hasRegionVerifier = 1;
}

def PTX_YieldOp : PTX_Op<"yield", [Terminator, HasParent<"InlineOp">,
                     DeclareOpInterfaceMethods<TerminatorOpInterface>]> {
  let summary = "the end of inline assembly";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let extraClassDeclaration = [{ bool getNegated() { return false; } }];
}

#endif // PTXBENCH_DIALECT_PTX_IR_PTXOPS_TD
