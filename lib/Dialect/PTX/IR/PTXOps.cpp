//===- PTXOps.cpp - Functions and terminators -----------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operations that are no instructions of a record: verifiers of functions
// and terminators, and how the false side of a guard is read and printed.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Dialect/PTX/IR/PTXOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace ptxbench;
using namespace ptxbench::ptx;

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static LogicalResult verifyFunction(Operation *op, ArrayAttr params,
                                    ArrayAttr results, ArrayAttr directives,
                                    ArrayAttr regs, ArrayAttr blockRegs) {
  auto allOf = [&](ArrayAttr array, auto isa, StringRef what) {
    for (Attribute attr : array)
      if (!isa(attr))
        return op->emitOpError("expected ") << what << " but got " << attr;
    return InFlightDiagnostic();
  };
  auto isVar = [](Attribute a) { return llvm::isa<VarAttr>(a); };
  auto isReg = [](Attribute a) { return llvm::isa<RegAttr>(a); };
  auto isDirective = [](Attribute a) { return llvm::isa<DirectiveAttr>(a); };
  auto isIndices = [](Attribute a) { return llvm::isa<DenseI32ArrayAttr>(a); };
  if (failed(LogicalResult(allOf(params, isVar, "#ptx.var in 'params'"))) ||
      failed(
          LogicalResult(allOf(results, isVar, "#ptx.var in 'func_results'"))) ||
      failed(LogicalResult(
          allOf(directives, isDirective, "#ptx.directive in 'directives'"))) ||
      failed(LogicalResult(allOf(regs, isReg, "#ptx.reg in 'regs'"))) ||
      failed(LogicalResult(
          allOf(blockRegs, isIndices, "dense i32 arrays in 'block_regs'"))))
    return failure();
  uint64_t numRegs = 0;
  for (auto reg : regs.getAsRange<RegAttr>()) {
    if (!getRegisterType(op->getContext(), reg.getType()))
      return op->emitOpError("'") << reg.getType() << "' is no register type";
    numRegs +=
        uint64_t(std::max(1u, reg.getCount())) * std::max(1u, reg.getVec());
  }
  // As many as the parser takes.
  if (numRegs > (1u << 24))
    return op->emitOpError("expected at most 16777216 registers but got ")
           << numRegs;
  // A declaration has parameters in registers, but no table of them.
  if (!op->getRegion(0).empty())
    for (ArrayAttr vars : {params, results})
      for (auto var : vars.getAsRange<VarAttr>())
        if (var.getReg() >= 0 && uint64_t(var.getReg()) >= numRegs)
          return op->emitOpError("'")
                 << var.getName() << "' is register " << var.getReg()
                 << ", but there are " << numRegs;
  // How many blocks and arguments there are is not compared: passes that know
  // nothing of registers remove some, and the exporter copes with it.
  return success();
}

LogicalResult EntryOp::verify() {
  if (!getFuncResults().empty())
    return emitOpError("expected no results");
  if (failed(verifyFunction(*this, getParams(), getFuncResults(),
                            getDirectives(), getRegs(), getBlockRegs())))
    return failure();
  auto count = [&](StringRef name) {
    return llvm::count_if(
        getDirectives().getAsRange<DirectiveAttr>(),
        [&](DirectiveAttr directive) { return directive.getName() == name; });
  };
  for (StringRef name :
       {"reqntid", "maxntid", "reqnctapercluster", "maxclusterrank"})
    if (count(name) > 1)
      return emitOpError("expected one '.")
             << name << "' but got " << count(name);
  for (auto [one, other] : {std::pair("maxntid", "reqntid"),
                            std::pair("reqnctapercluster", "maxclusterrank")})
    if (count(one) && count(other))
      return emitOpError("'.")
             << one << "' and '." << other << "' exclude each other";
  return success();
}

LogicalResult FuncOp::verify() {
  return verifyFunction(*this, getParams(), getFuncResults(), getDirectives(),
                        getRegs(), getBlockRegs());
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

LogicalResult VarOp::verify() {
  if (!llvm::is_contained({"", "extern", "visible", "weak", "common"},
                          getLinkage()))
    return emitOpError("'") << getLinkage() << "' is no linkage";
  Attribute init = getInitAttr();
  if (!init)
    return success();
  uint64_t given;
  if (auto words = dyn_cast<DenseI64ArrayAttr>(init)) {
    given = words.size();
  } else if (auto elements = dyn_cast<ArrayAttr>(init)) {
    given = elements.size();
    for (Attribute element : elements)
      if (!isa<InitAttr>(element))
        return emitOpError("expected #ptx.init in 'init' but got ") << element;
  } else {
    return emitOpError("expected an array of initial values but got ") << init;
  }
  uint64_t count = std::max(1u, getDecl().getVec());
  for (int64_t extent : getDecl().getExtents())
    count *= extent;
  // An array without an extent is as long as its initial value.
  bool isOpen = llvm::is_contained(getDecl().getExtents(), 0);
  if (given > count && !isOpen)
    return emitOpError("expected at most ")
           << count << " initial values but got " << given;
  return success();
}

//===----------------------------------------------------------------------===//
// Terminators
//===----------------------------------------------------------------------===//

/// The constant truth of a guard, if `attr` is one.
static std::optional<bool> guardIsTrue(Attribute attr, bool negated) {
  auto value = dyn_cast_or_null<IntegerAttr>(attr);
  if (!value)
    return std::nullopt;
  return value.getValue().isZero() == negated;
}

SuccessorOperands BrOp::getSuccessorOperands(unsigned index) {
  return SuccessorOperands(getDestOperandsMutable());
}
Block *BrOp::getSuccessorForOperands(ArrayRef<Attribute>) { return getDest(); }
Value BrOp::getGuardPredicate() { return {}; }
bool BrOp::isTakenSuccessor(unsigned) { return true; }
std::optional<ThreadEnd> BrOp::getThreadEnd() { return std::nullopt; }

SuccessorOperands BraOp::getSuccessorOperands(unsigned index) {
  return SuccessorOperands(index == 0 ? getDestOperandsMutable()
                                      : getNextOperandsMutable());
}
Block *BraOp::getSuccessorForOperands(ArrayRef<Attribute> operands) {
  if (!getGuard())
    return getDest();
  std::optional<bool> taken = guardIsTrue(operands.front(), getNegated());
  if (!taken)
    return nullptr;
  return *taken ? getDest() : getNext().front();
}
Value BraOp::getGuardPredicate() { return getGuard(); }
bool BraOp::isTakenSuccessor(unsigned index) { return index == 0; }
std::optional<ThreadEnd> BraOp::getThreadEnd() { return std::nullopt; }

#define PTX_END_OP(Op, End)                                                    \
  SuccessorOperands Op::getSuccessorOperands(unsigned) {                       \
    return SuccessorOperands(getNextOperandsMutable());                        \
  }                                                                            \
  Block *Op::getSuccessorForOperands(ArrayRef<Attribute> operands) {           \
    if (!getGuard())                                                           \
      return nullptr;                                                          \
    std::optional<bool> ends = guardIsTrue(operands.front(), getNegated());    \
    return ends && !*ends ? getNext().front() : nullptr;                       \
  }                                                                            \
  Value Op::getGuardPredicate() { return getGuard(); }                         \
  bool Op::isTakenSuccessor(unsigned) { return false; }                        \
  std::optional<ThreadEnd> Op::getThreadEnd() { return ThreadEnd::End; }
PTX_END_OP(RetOp, Ret)
PTX_END_OP(ExitOp, Exit)
PTX_END_OP(TrapOp, Trap)
#undef PTX_END_OP

SuccessorOperands BrxIdxOp::getSuccessorOperands(unsigned index) {
  return SuccessorOperands(getCaseOperandsMutable()[index]);
}
Block *BrxIdxOp::getSuccessorForOperands(ArrayRef<Attribute> operands) {
  auto value = dyn_cast_or_null<IntegerAttr>(operands.front());
  if (!value || !value.getValue().ult(getCases().size()))
    return nullptr;
  return getCases()[value.getValue().getZExtValue()];
}
Value BrxIdxOp::getGuardPredicate() { return {}; }
bool BrxIdxOp::isTakenSuccessor(unsigned) { return true; }
std::optional<ThreadEnd> BrxIdxOp::getThreadEnd() { return std::nullopt; }

/// A guard and the successor for its false side come together.
static LogicalResult verifyGuard(Operation *op, bool guarded, unsigned numNext,
                                 bool nextWithoutGuard) {
  if (guarded ? numNext != 1 : numNext > (nextWithoutGuard ? 1 : 0))
    return op->emitOpError("expected ")
           << (guarded ? "one successor" : "no successor")
           << " for the threads whose guard is false but got " << numNext;
  return success();
}
LogicalResult BraOp::verify() {
  return verifyGuard(*this, bool(getGuard()), getNext().size(), false);
}
LogicalResult RetOp::verify() {
  return verifyGuard(*this, bool(getGuard()), getNext().size(), false);
}
LogicalResult ExitOp::verify() {
  return verifyGuard(*this, bool(getGuard()), getNext().size(), false);
}
LogicalResult TrapOp::verify() {
  return verifyGuard(*this, bool(getGuard()), getNext().size(), true);
}

//===----------------------------------------------------------------------===//
// Assembly forms
//===----------------------------------------------------------------------===//

/// (`else` ^block (`(` operands `:` types `)`)?)?
static ParseResult
parseFalseSide(OpAsmParser &parser, SmallVectorImpl<Block *> &next,
               SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands,
               SmallVectorImpl<Type> &types) {
  if (failed(parser.parseOptionalKeyword("else")))
    return success();
  if (failed(parser.parseSuccessor(next.emplace_back())))
    return failure();
  if (failed(parser.parseOptionalLParen()))
    return success();
  return failure(parser.parseOperandList(operands) ||
                 parser.parseColonTypeList(types) || parser.parseRParen());
}

static void printFalseSide(OpAsmPrinter &printer, Operation *,
                           SuccessorRange next, OperandRange operands,
                           TypeRange types) {
  if (next.empty())
    return;
  printer << "else ";
  printer.printSuccessor(next.front());
  if (!operands.empty())
    printer << "(" << operands << " : " << types << ")";
}

#define GET_OP_CLASSES
#include "ptxbench/Dialect/PTX/IR/PTXOps.cpp.inc"
