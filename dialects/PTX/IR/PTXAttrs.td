//===- PTXAttrs.td - Attributes of the PTX dialect ---------*- tablegen -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_DIALECT_PTX_IR_PTXATTRS_TD
#define PTXBENCH_DIALECT_PTX_IR_PTXATTRS_TD

include "PTX/IR/PTXBase.td"

class PTX_Attr<string attrName, string attrMnemonic>
    : AttrDef<PTX_Dialect, attrName> {
  let mnemonic = attrMnemonic;
}

def PTX_TargetAttr : PTX_Attr<"PTXTarget", "target"> {
  let genVerifyDecl = 1;
  let summary = "the .version, .target and .address_size of a module";
  let description = [{
    `version` is major * 10 + minor; `arch` is spelled as in PTX ("sm_90a");
    `options` are the rest of the `.target` line ("debug",
    "texmode_independent").
  }];
  let parameters = (ins "unsigned":$version, StringRefParameter<"">:$arch,
                        "unsigned":$addressSize,
                        OptionalArrayRefParameter<"::mlir::StringAttr">:$options);
  let assemblyFormat = [{
    `<` `version` `=` $version `,` `arch` `=` $arch `,` `address_size` `=`
    $addressSize (`,` `options` `=` `[` $options^ `]`)? `>`
  }];
}

def PTX_RegAttr : PTX_Attr<"Reg", "reg"> {
  let genVerifyDecl = 1;
  let summary = "one register declaration";
  let description = [{
    `.reg .b32 %r<100>;` is `#ptx.reg<"%r", "b32", 100>`; a plain name has
    count 0. The registers of a function are numbered through in the order of
    the declarations.
  }];
  let parameters = (ins StringRefParameter<"">:$name,
                        StringRefParameter<"">:$type,
                        DefaultValuedParameter<"unsigned", "0">:$count,
                        DefaultValuedParameter<"unsigned", "0">:$vec);
  let assemblyFormat = [{
    `<` $name `,` $type (`,` $count^)? (`vec` `=` $vec^)? `>`
  }];
  let extraClassDeclaration = [{
    unsigned getNumRegisters() const {
      return (getCount() ? getCount() : 1) * (getVec() ? getVec() : 1);
    }
  }];
}

def PTX_VarAttr : PTX_Attr<"Var", "var"> {
  let genVerifyDecl = 1;
  let summary = "the declaration of a variable or parameter";
  let description = [{
    `space` is spelled as in PTX without the dot; `extents` are the array's, 0
    for `[]`; `vec` is 0, 2 or 4; `ptr` holds what follows `.ptr`; `reg` is the
    register's index for `.reg` parameters, else -1; `attribute` is verbatim.
  }];
  let parameters = (ins StringRefParameter<"">:$name,
                        StringRefParameter<"">:$space,
                        StringRefParameter<"">:$type,
                        OptionalArrayRefParameter<"int64_t">:$extents,
                        DefaultValuedParameter<"unsigned", "0">:$vec,
                        DefaultValuedParameter<"unsigned", "0">:$align,
                        DefaultValuedParameter<"::mlir::StringAttr",
                                               "::mlir::StringAttr()">:$ptr,
                        DefaultValuedParameter<"int64_t", "-1">:$reg,
                        DefaultValuedParameter<"::mlir::StringAttr",
                                        "::mlir::StringAttr()">:$attribute);
  let assemblyFormat = [{
    `<` $name `,` $space `,` $type (`[` $extents^ `]`)? (`vec` `=` $vec^)?
    (`align` `=` $align^)? (`ptr` `=` $ptr^)? (`reg` `=` $reg^)?
    (`attribute` `=` $attribute^)? `>`
  }];
  let extraClassDeclaration = [{
    /// Size in bytes; 0 for an unsized array.
    uint64_t getSizeInBytes() const;
  }];
}

def PTX_InitAttr : PTX_Attr<"Init", "init"> {
  let genVerifyDecl = 1;
  let summary = "one element of an initialiser";
  let description = [{
    `kind`: "int", "f32", "f64" (bits in `value`), "symbol" or "generic" (the
    symbol's address plus `value`); `mask` as in `mask(symbol)`.
  }];
  let parameters = (ins StringRefParameter<"">:$kind, "uint64_t":$value,
                        DefaultValuedParameter<"uint64_t", "0">:$mask,
                        DefaultValuedParameter<"::mlir::StringAttr",
                                               "::mlir::StringAttr()">:$symbol);
  let assemblyFormat = [{
    `<` $kind `,` $value (`mask` `=` $mask^)? (`symbol` `=` $symbol^)? `>`
  }];
}

def PTX_DirectiveAttr : PTX_Attr<"Directive", "directive"> {
  let summary = "a performance or cluster directive of a function";
  let parameters = (ins StringRefParameter<"">:$name,
                        OptionalArrayRefParameter<"int64_t">:$values,
                        DefaultValuedParameter<"::mlir::StringAttr",
                                               "::mlir::StringAttr()">:$text);
  let assemblyFormat = [{
    `<` $name (`[` $values^ `]`)? (`text` `=` $text^)? `>`
  }];
}

#endif // PTXBENCH_DIALECT_PTX_IR_PTXATTRS_TD
