//===- PTXInterfaces.td - Interfaces of PTX operations -----*- tablegen -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_DIALECT_PTX_IR_PTXINTERFACES_TD
#define PTXBENCH_DIALECT_PTX_IR_PTXINTERFACES_TD

include "mlir/IR/OpBase.td"

def InstOpInterface : OpInterface<"InstOpInterface"> {
  let cppNamespace = "::ptxbench::ptx";
  let description = [{
    An operation that is one PTX instruction of the common shape: opcode,
    modifiers, operand trees, an optional guard. Analyses ask it instead of
    listing operations.
  }];
  let methods = [
    StaticInterfaceMethod<"The opcode, an index into the instruction table.",
                          "::ptxbench::Opcode", "getOpcode", (ins)>,
    InterfaceMethod<"Modifiers, operand trees, guard and register hints.",
                    "::ptxbench::ptx::InstProperties &", "getInst", (ins),
                    [{ return $_op.getProperties(); }]>,
  ];
  let extraSharedClassDeclaration = [{
    /// The record of the instruction.
    const ::ptxbench::OpcodeInfo &getInfo() {
      return ::ptxbench::getOpcodeInfo($_op.getOpcode());
    }
    bool hasModifier(::ptxbench::Mod mod) {
      return ::llvm::is_contained($_op.getInst().mods, mod);
    }
    /// The values of Use and DefUse nodes, in the order of the text.
    ::mlir::OperandRange getUses() {
      return $_op->getOperands().take_front($_op.getInst().numUses());
    }
    /// The guard predicate or null.
    ::mlir::Value getGuard() {
      auto &inst = $_op.getInst();
      if (!inst.guarded)
        return {};
      return $_op->getOperand(inst.numUses());
    }
    bool isGuardNegated() { return $_op.getInst().guardNegated; }
    /// What the results are when the guard is false, one per result; empty
    /// without a guard.
    ::mlir::OperandRange getPassthrough() {
      auto &inst = $_op.getInst();
      return $_op->getOperands().drop_front(inst.numUses() + inst.guarded);
    }
  }];
}

def TerminatorOpInterface : OpInterface<"TerminatorOpInterface"> {
  let cppNamespace = "::ptxbench::ptx";
  let description = [{
    An operation that ends a block. With a guard it is a conditional
    terminator: its last successor is where threads go for which the guard is
    false.
  }];
  let methods = [
    InterfaceMethod<"The guard predicate or null.", "::mlir::Value",
                    "getGuardPredicate", (ins)>,
    InterfaceMethod<"Whether the guard is `!p`.", "bool", "isGuardNegated",
                    (ins), [{ return $_op.getNegated(); }]>,
    InterfaceMethod<[{
        Whether a thread for which the guard is true goes on to `successor`
        (an index into the successors).
      }], "bool", "isTakenSuccessor", (ins "unsigned":$successor)>,
    InterfaceMethod<[{
        How a thread for which the guard is true ends, if no successor is
        taken then: by `ret`, `exit` or `trap`.
      }], "::std::optional<::ptxbench::ptx::ThreadEnd>", "getThreadEnd",
      (ins)>,
  ];
}

#endif // PTXBENCH_DIALECT_PTX_IR_PTXINTERFACES_TD
