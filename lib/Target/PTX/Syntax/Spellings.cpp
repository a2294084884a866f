//===- Spellings.cpp - Spellings of the syntax tree's enumerators ---------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As in PTX, without the dot.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Target/PTX/SyntaxTree.h"

using namespace llvm;
using namespace ptxbench;

StringRef syntax::stringifyStateSpace(StateSpace space) {
  switch (space) {
  case StateSpace::None:
    return "";
  case StateSpace::Reg:
    return "reg";
  case StateSpace::Const:
    return "const";
  case StateSpace::Global:
    return "global";
  case StateSpace::Local:
    return "local";
  case StateSpace::Param:
    return "param";
  case StateSpace::Shared:
    return "shared";
  case StateSpace::Tex:
    return "tex";
  }
  return "";
}

StringRef syntax::stringifyLinkage(Linkage linkage) {
  switch (linkage) {
  case Linkage::None:
    return "";
  case Linkage::Extern:
    return "extern";
  case Linkage::Visible:
    return "visible";
  case Linkage::Weak:
    return "weak";
  case Linkage::Common:
    return "common";
  }
  return "";
}
