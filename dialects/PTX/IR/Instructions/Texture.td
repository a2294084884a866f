//===- Texture.td - Textures, samplers and surfaces ----------*- tablegen -*-=//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_TEXTURE_TD
#define PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_TEXTURE_TD

include "PTX/IR/PTXSets.td"

class PTX_TextureInst<string opcode, list<PTX_Flag> instFlags,
                      list<PTX_Form> forms>
    : PTX_Inst<opcode, instFlags> {
  let ptxSection = "Texture Instructions";
  let ptxForms = forms;
}

def PTX_IstypepOp : PTX_TextureInst<"istypep", [PTX_Pure], [
  PTX_Form<".{texref|samplerref|surfref}", "=p:pred, a:b64", "4.0">]>;

#endif // PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_TEXTURE_TD
