//===- RegisterAssignment.h - From SSA values to registers ------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each value of an imported function came with a register. As long as no two
// values of one register are live together, all get their own back. Where a
// transformation has made two such values overlap, or a value has no register,
// a fresh one is taken.
//
// 1. Liveness is a backward data flow over blocks; a live set maps a register
//    to the value that it holds.
// 2. Two values that claim a register at one place interfere: the one met
//    second is taken off it, and the data flow starts again. Each round takes
//    at least one value off, an untouched module needs one round.
// 3. What an edge passes to an argument of another register, and what an
//    operation reads and writes through one operand, is copied.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_TARGET_PTX_EXPORT_REGISTERASSIGNMENT_H
#define PTXBENCH_LIB_TARGET_PTX_EXPORT_REGISTERASSIGNMENT_H

#include "ptxbench/Dialect/PTX/IR/PTXOps.h"
#include "llvm/ADT/DenseMap.h"

#include <string>
#include <vector>

namespace ptxbench {

class RegisterAssignment {
public:
  /// `regs` and `blockRegs` are the attributes of the function.
  RegisterAssignment(mlir::Region &body, mlir::ArrayAttr regs,
                     mlir::ArrayAttr blockRegs);

  /// The register of a value, or of an index of the register table.
  std::string getName(mlir::Value value) const;
  std::string getName(unsigned reg) const;

  /// A fresh register for values of a type.
  std::string makeTemporary(mlir::Type type);

  /// Whether two values stand in the same register.
  bool shareRegister(mlir::Value a, mlir::Value b) const {
    return assigned.lookup(a) == assigned.lookup(b);
  }

  /// Declarations for all registers that the table does not declare.
  struct FreshDecl {
    std::string type, prefix;
    unsigned count;
  };
  const std::vector<FreshDecl> &freshDecls() const { return fresh; }

private:
  /// A register of the table, or fresh registers counted behind it.
  using Reg = int64_t;

  void collectHints(mlir::Region &body, mlir::ArrayAttr blockRegs);
  bool findInterference(mlir::Region &body);
  Reg takeFresh(mlir::Type type);

  std::vector<std::string> names;
  llvm::DenseMap<mlir::Value, Reg> assigned;
  std::vector<FreshDecl> fresh;
};

/// The declared register type for values of a builtin type: "pred", "b32",
/// "f32"; null for types that no register has.
llvm::StringRef getFreshRegisterType(mlir::Type type);

} // namespace ptxbench

#endif // PTXBENCH_LIB_TARGET_PTX_EXPORT_REGISTERASSIGNMENT_H
