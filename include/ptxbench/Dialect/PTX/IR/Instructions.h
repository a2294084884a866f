//===- Instructions.h - The instruction operations --------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One class per instruction record: ptx::AddOp, ptx::WgmmaMmaAsyncOp, … Most
// code needs no class of one instruction and asks InstOpInterface; include this
// only where one is created or matched by name.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_H
#define PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_H

#include "mlir/IR/Builders.h"
#include "ptxbench/Dialect/PTX/IR/PTXDialect.h"

namespace ptxbench::ptx {

template <typename ConcreteOp>
using InstOpBase =
    mlir::Op<ConcreteOp, mlir::OpTrait::ZeroRegions,
             mlir::OpTrait::VariadicResults, mlir::OpTrait::ZeroSuccessors,
             mlir::OpTrait::VariadicOperands, mlir::OpTrait::OpInvariants,
             mlir::BytecodeOpInterface::Trait, InstOpInterface::Trait,
             mlir::MemoryEffectOpInterface::Trait,
             mlir::InferIntRangeInterface::Trait>;

/// What all instruction operations are made from.
template <typename ConcreteOp> class InstOp : public InstOpBase<ConcreteOp> {
public:
  using Base = InstOpBase<ConcreteOp>;
  using Base::Base;
  using Base::print;
  using Properties = InstProperties;

  static llvm::ArrayRef<llvm::StringRef> getAttributeNames() { return {}; }

  static void build(mlir::OpBuilder &, mlir::OperationState &state,
                    mlir::TypeRange results, mlir::ValueRange operands,
                    InstProperties inst) {
    state.addTypes(results);
    state.addOperands(operands);
    state.getOrAddProperties<InstProperties>() = std::move(inst);
  }

  static mlir::ParseResult parse(mlir::OpAsmParser &parser,
                                 mlir::OperationState &result) {
    return parseInstOp(parser, result, ConcreteOp::getOpcode());
  }
  void print(mlir::OpAsmPrinter &printer) {
    printInstOp(printer, this->getOperation());
  }
  llvm::LogicalResult verifyInvariantsImpl() {
    return verifyInstOp(this->getOperation());
  }

  // The properties are no attributes by name.
  static std::optional<mlir::Attribute> getInherentAttr(mlir::MLIRContext *,
                                                        const InstProperties &,
                                                        llvm::StringRef) {
    return std::nullopt;
  }
  static void setInherentAttr(InstProperties &, llvm::StringRef,
                              mlir::Attribute) {}
  static void populateInherentAttrs(mlir::MLIRContext *, const InstProperties &,
                                    mlir::NamedAttrList &) {}
  static llvm::LogicalResult
  verifyInherentAttrs(mlir::OperationName, mlir::NamedAttrList &,
                      llvm::function_ref<mlir::InFlightDiagnostic()>) {
    return llvm::success();
  }

  static llvm::LogicalResult readProperties(mlir::DialectBytecodeReader &reader,
                                            mlir::OperationState &state) {
    return readInstProperties(reader,
                              state.getOrAddProperties<InstProperties>());
  }
  void writeProperties(mlir::DialectBytecodeWriter &writer) {
    writeInstProperties(writer, this->getContext(), this->getProperties());
  }

  void getEffects(
      llvm::SmallVectorImpl<mlir::MemoryEffects::EffectInstance> &effects) {
    getInstOpEffects(this->getOperation(), effects);
  }
  void inferResultRanges(llvm::ArrayRef<mlir::ConstantIntRanges> argRanges,
                         mlir::SetIntRangeFn setResultRange) {
    inferInstOpRanges(this->getOperation(), argRanges, setResultRange);
  }
};

#define PTX_INST_OP(Class, opcode, name)                                       \
  class Class : public InstOp<Class> {                                         \
  public:                                                                      \
    using InstOp::InstOp;                                                      \
    static constexpr llvm::StringLiteral getOperationName() { return name; }   \
    static constexpr Opcode getOpcode() { return Opcode::opcode; }             \
  };
#include "ptxbench/Dialect/PTX/IR/InstructionOps.inc"
#undef PTX_INST_OP

} // namespace ptxbench::ptx

#define PTX_INST_OP(Class, opcode, name)                                       \
  MLIR_DECLARE_EXPLICIT_TYPE_ID(ptxbench::ptx::Class)
#include "ptxbench/Dialect/PTX/IR/InstructionOps.inc"
#undef PTX_INST_OP

#endif // PTXBENCH_DIALECT_PTX_IR_INSTRUCTIONS_H
