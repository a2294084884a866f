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
//    operation reads and writes through one operand, is copied. A copy in front
//    of an instruction must not overwrite what the instruction reads, so a
//    result that needs one shares no register with what is read.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_DIALECT_PTX_TRANSFORMS_REGISTERASSIGNMENT_H
#define PTXBENCH_DIALECT_PTX_TRANSFORMS_REGISTERASSIGNMENT_H

#include "ptxbench/Dialect/PTX/IR/PTXOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"

#include <string>
#include <vector>

namespace ptxbench {

/// What an operation needs to stand in a result's register before it: the
/// pass-through of a guard, and what an operand reads and writes. Undefined
/// values are left out.
llvm::SmallVector<std::pair<mlir::Value, mlir::Value>, 4>
getTiedValues(ptx::InstOpInterface inst);

class RegisterAssignment {
public:
  /// A register of the table, or fresh registers counted behind it.
  using Reg = int64_t;

  /// `regs` and `blockRegs` are the attributes of the function.
  RegisterAssignment(mlir::Region &body, mlir::ArrayAttr regs,
                     mlir::ArrayAttr blockRegs);

  Reg getReg(mlir::Value value) const;
  /// The spelling of a register or of a value's register.
  llvm::StringRef getName(Reg reg) const { return names[reg]; }
  llvm::StringRef getName(mlir::Value value) const {
    return names[getReg(value)];
  }

  /// A fresh register for values of a type.
  Reg takeFresh(mlir::Type type);

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
  void collectHints(mlir::Region &body, mlir::ArrayAttr blockRegs);
  bool findInterference(mlir::Region &body);
  bool fits(int64_t hint, mlir::Type type) const;

  std::vector<std::string> names;
  /// The types of the values of the table's registers.
  std::vector<mlir::Type> types;
  /// Names of the table without their numbers.
  llvm::StringSet<> tableNames;
  llvm::DenseMap<mlir::Value, Reg> assigned;
  std::vector<FreshDecl> fresh;
};

/// The declared register type for values of a builtin type: "pred", "b32",
/// "f32"; empty for types that no register has.
llvm::StringRef getFreshRegisterType(mlir::Type type);

} // namespace ptxbench

#endif // PTXBENCH_DIALECT_PTX_TRANSFORMS_REGISTERASSIGNMENT_H
