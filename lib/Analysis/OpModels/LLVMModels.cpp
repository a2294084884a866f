//===- LLVMModels.cpp - Models of the LLVM dialect ------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integers, calls, and kernels: functions with NVVM's attributes.
//
// Loops without end stay, unless the function or the loop is said to make
// progress: then LLVM may remove them, and what follows is reached by threads
// that would never leave them. So may calls that are said to return.
//
//===----------------------------------------------------------------------===//

#include "Counterparts.h"
#include "Helpers.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "ptxbench/Analysis/FlatMarks.h"
#include "ptxbench/Dialect/PTX/IR/KernelFunction.h"
#include "ptxbench/Dialect/PTX/IR/PTXOps.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using ptxbench::ptx::RangeKind;

namespace ptxbench {

namespace {

class LLVMModel : public OpModelInterface {
public:
  using OpModelInterface::OpModelInterface;

  bool describe(Operation *op, OpModel &model) const override {
    auto integer = [&](RangeKind kind, bool isSigned = false) {
      return describeInteger(model, op, kind, isSigned);
    };
    return llvm::TypeSwitch<Operation *, bool>(op)
        .Case([&](LLVM::ConstantOp constant) {
          return describeConstant(model, op, constant.getValue());
        })
        .Case([&](LLVM::ZeroOp) {
          return describeConstant(
              model, op,
              isa<IntegerType>(op->getResult(0).getType())
                  ? IntegerAttr::get(op->getResult(0).getType(), 0)
                  : Attribute());
        })
        .Case<LLVM::UndefOp, LLVM::PoisonOp>([&](auto) {
          model.role = OpModel::Undefined;
          return true;
        })
        .Case<LLVM::AddOp>([&](auto) { return integer(RangeKind::Add); })
        .Case<LLVM::SubOp>([&](auto) { return integer(RangeKind::Sub); })
        .Case<LLVM::MulOp>([&](auto) { return integer(RangeKind::MulLo); })
        .Case<LLVM::UDivOp>([&](auto) { return integer(RangeKind::Div); })
        .Case<LLVM::SDivOp>([&](auto) { return integer(RangeKind::Div, true); })
        .Case<LLVM::URemOp>([&](auto) { return integer(RangeKind::Rem); })
        .Case<LLVM::SRemOp>([&](auto) { return integer(RangeKind::Rem, true); })
        .Case<LLVM::AndOp>([&](auto) { return integer(RangeKind::And); })
        .Case<LLVM::OrOp>([&](auto) { return integer(RangeKind::Or); })
        .Case<LLVM::XOrOp>([&](auto) { return integer(RangeKind::Xor); })
        .Case<LLVM::ShlOp>([&](auto) { return integer(RangeKind::Shl); })
        .Case<LLVM::LShrOp>([&](auto) { return integer(RangeKind::Shr); })
        .Case<LLVM::AShrOp>([&](auto) { return integer(RangeKind::Shr, true); })
        .Case<LLVM::UMinOp>([&](auto) { return integer(RangeKind::Min); })
        .Case<LLVM::SMinOp>([&](auto) { return integer(RangeKind::Min, true); })
        .Case<LLVM::UMaxOp>([&](auto) { return integer(RangeKind::Max); })
        .Case<LLVM::SMaxOp>([&](auto) { return integer(RangeKind::Max, true); })
        .Case([&](LLVM::ICmpOp compare) {
          return describeCompare(model, op, uint64_t(compare.getPredicate()));
        })
        .Case<LLVM::SelectOp>([&](auto) { return describeSelect(model, op); })
        .Case<LLVM::ZExtOp, LLVM::TruncOp>(
            [&](auto) { return describeConversion(model, op, false); })
        .Case<LLVM::SExtOp>(
            [&](auto) { return describeConversion(model, op, true); })
        .Case([&](LLVM::CallOp call) {
          model.callee = call.getCallee().value_or("");
          if (!describeIntrinsic(model, model.callee))
            model.role = OpModel::Call;
          return true;
        })
        // What has no model may do anything.
        .Case([&](LLVM::CallIntrinsicOp call) {
          if (!describeIntrinsic(model, call.getIntrin()))
            model.role = OpModel::Call;
          return true;
        })
        // Text that was not read may do anything.
        .Case([&](LLVM::InlineAsmOp) {
          model.role = OpModel::Call;
          return true;
        })
        .Default([](Operation *) { return false; });
  }

  LogicalResult flatten(Operation *root) const override {
    SmallVector<Operation *> traps;
    bool removable = false, opens = root->hasAttr(marks::kOpened);
    root->walk([&](Operation *op) {
      if (isa<LLVM::Trap, LLVM::UBSanTrap>(op))
        traps.push_back(op);
      else if (auto func = dyn_cast<LLVM::LLVMFuncOp>(op))
        removable |= isSaidToEnd(func) && openLoops(func, opens);
      else if (auto call = dyn_cast<LLVM::CallOp>(op))
        removable |= openCall(call, opens);
      if (mayGivePoison(op))
        marks::set(op, marks::kPoison);
    });
    if (removable)
      marks::set(root, marks::kRemovable);
    // LLVM knows that nothing is behind them.
    for (Operation *op : traps) {
      op->getBlock()->splitBlock(std::next(op->getIterator()));
      OpBuilder builder(op);
      ptx::TrapOp::create(builder, op->getLoc(), Value(), ValueRange(),
                          ValueRange(), /*negated=*/false, /*uniform=*/false,
                          /*implicit=*/false, 0, ArrayRef<Block *>());
      op->erase();
    }
    return success();
  }

  std::optional<KernelModel> describeKernel(Operation *op) const override {
    if (!isKernelFunction(op))
      return std::nullopt;
    return readLaunchSizes(op, /*isGPUFunc=*/false);
  }

private:
  /// Whether LLVM may take it that the function returns or has an effect.
  static bool isSaidToEnd(LLVM::LLVMFuncOp func) {
    if (func.getWillReturn())
      return true;
    if (std::optional<ArrayAttr> attributes = func.getPassthrough())
      for (auto name : attributes->getAsRange<StringAttr>())
        if (name == "mustprogress" || name == "willreturn")
          return true;
    return func
        .walk([](Operation *op) {
          auto annotation =
              op->getAttrOfType<LLVM::LoopAnnotationAttr>("loop_annotation");
          return annotation && annotation.getMustProgress() &&
                         annotation.getMustProgress().getValue()
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        })
        .wasInterrupted();
  }

  /// Any thread may leave a loop. Returns whether there is one.
  static bool openLoops(LLVM::LLVMFuncOp func, bool opens) {
    bool found = false;
    if (func.isExternal())
      return false;
    for (auto scc = llvm::scc_begin(&func.getBody()); !scc.isAtEnd(); ++scc) {
      if (!scc.hasCycle())
        continue;
      found = true;
      llvm::SmallPtrSet<Block *, 8> loop(scc->begin(), scc->end());
      for (Block *block : *scc) {
        auto branch = dyn_cast<LLVM::CondBrOp>(block->getTerminator());
        if (!branch || !opens)
          continue;
        OpBuilder builder(branch);
        Location loc = branch.getLoc();
        Value condition = branch.getCondition();
        auto unknown = [&] {
          return marks::createUnknown(builder, loc, condition.getType());
        };
        if (!loop.contains(branch.getFalseDest()))
          condition = LLVM::AndOp::create(builder, loc, condition, unknown());
        if (!loop.contains(branch.getTrueDest()))
          condition = LLVM::OrOp::create(builder, loc, condition, unknown());
        branch.getConditionMutable().assign(condition);
      }
    }
    return found;
  }

  static bool openCall(LLVM::CallOp call, bool opens) {
    bool isSaid = call.getWillReturn();
    if (!isSaid)
      if (std::optional<StringRef> name = call.getCallee())
        if (Operation *callee = SymbolTable::lookupNearestSymbolFrom(
                call, StringAttr::get(call.getContext(), *name)))
          if (auto func = dyn_cast<LLVM::LLVMFuncOp>(callee))
            isSaid = isSaidToEnd(func);
    if (isSaid && opens)
      marks::set(call, marks::kGoesOn);
    return isSaid;
  }

  static bool mayGivePoison(Operation *op) {
    if (auto flags = dyn_cast<LLVM::IntegerOverflowFlagsInterface>(op);
        flags && flags.getOverflowFlags() != LLVM::IntegerOverflowFlags::none)
      return true;
    if (auto flag = dyn_cast<LLVM::ExactFlagInterface>(op);
        flag && flag.getIsExact())
      return true;
    if (auto flag = dyn_cast<LLVM::DisjointFlagInterface>(op);
        flag && flag.getIsDisjoint())
      return true;
    if (auto flag = dyn_cast<LLVM::NonNegFlagInterface>(op);
        flag && flag.getNonNeg())
      return true;
    if (isa<LLVM::ShlOp, LLVM::LShrOp, LLVM::AShrOp>(op))
      return mayShiftTooFar(op);
    return isa<LLVM::PoisonOp, LLVM::UndefOp>(op);
  }
};

} // namespace

void registerLLVMModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, LLVM::LLVMDialect *dialect) {
    dialect->addInterfaces<LLVMModel>();
    // Traps become those of PTX.
    context->loadDialect<ptx::PTXDialect>();
  });
}

} // namespace ptxbench
