//===- ArithModels.cpp - Models of arith, func and scf --------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integers of arith; calls of func; scf, which upstream's conversion makes
// branches of.
//
// MLIR takes an operation with regions for one that ends: without effects, it
// is removed, a loop without end, too. So what stands behind a loop may be
// reached by threads that never leave it.
//
//===----------------------------------------------------------------------===//

#include "Helpers.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/DialectConversion.h"
#include "ptxbench/Analysis/FlatMarks.h"
#include "ptxbench/Dialect/PTX/IR/PTXOps.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using ptxbench::ptx::RangeKind;

namespace ptxbench {

namespace {

class ArithModel : public OpModelInterface {
public:
  using OpModelInterface::OpModelInterface;

  bool describe(Operation *op, OpModel &model) const override {
    auto integer = [&](RangeKind kind, bool isSigned = false) {
      return describeInteger(model, op, kind, isSigned);
    };
    return llvm::TypeSwitch<Operation *, bool>(op)
        .Case([&](arith::ConstantOp constant) {
          return describeConstant(model, op, constant.getValue());
        })
        .Case<arith::AddIOp>([&](auto) { return integer(RangeKind::Add); })
        .Case<arith::SubIOp>([&](auto) { return integer(RangeKind::Sub); })
        .Case<arith::MulIOp>([&](auto) { return integer(RangeKind::MulLo); })
        .Case<arith::DivUIOp>([&](auto) { return integer(RangeKind::Div); })
        .Case<arith::DivSIOp>(
            [&](auto) { return integer(RangeKind::Div, true); })
        .Case<arith::RemUIOp>([&](auto) { return integer(RangeKind::Rem); })
        .Case<arith::RemSIOp>(
            [&](auto) { return integer(RangeKind::Rem, true); })
        .Case<arith::AndIOp>([&](auto) { return integer(RangeKind::And); })
        .Case<arith::OrIOp>([&](auto) { return integer(RangeKind::Or); })
        .Case<arith::XOrIOp>([&](auto) { return integer(RangeKind::Xor); })
        .Case<arith::ShLIOp>([&](auto) { return integer(RangeKind::Shl); })
        .Case<arith::ShRUIOp>([&](auto) { return integer(RangeKind::Shr); })
        .Case<arith::ShRSIOp>(
            [&](auto) { return integer(RangeKind::Shr, true); })
        .Case<arith::MinUIOp>([&](auto) { return integer(RangeKind::Min); })
        .Case<arith::MinSIOp>(
            [&](auto) { return integer(RangeKind::Min, true); })
        .Case<arith::MaxUIOp>([&](auto) { return integer(RangeKind::Max); })
        .Case<arith::MaxSIOp>(
            [&](auto) { return integer(RangeKind::Max, true); })
        .Case([&](arith::CmpIOp compare) {
          return describeCompare(model, op, uint64_t(compare.getPredicate()));
        })
        .Case<arith::SelectOp>([&](auto) { return describeSelect(model, op); })
        .Case<arith::ExtUIOp, arith::TruncIOp, arith::IndexCastUIOp>(
            [&](auto) { return describeConversion(model, op, false); })
        .Case<arith::ExtSIOp, arith::IndexCastOp>(
            [&](auto) { return describeConversion(model, op, true); })
        .Default([](Operation *) { return false; });
  }

  LogicalResult flatten(Operation *root) const override {
    root->walk([](Operation *op) {
      if (mayGivePoison(op))
        marks::set(op, marks::kPoison);
    });
    return success();
  }

private:
  static bool mayGivePoison(Operation *op) {
    if (auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
        flags && (flags.hasNoSignedWrap() || flags.hasNoUnsignedWrap()))
      return true;
    return llvm::TypeSwitch<Operation *, bool>(op)
        .Case<arith::DivUIOp, arith::DivSIOp>(
            [](auto division) { return division.getIsExact(); })
        .Case<arith::ShRUIOp, arith::ShRSIOp>([](auto shift) {
          return shift.getIsExact() || mayShiftTooFar(shift);
        })
        .Case([](arith::ShLIOp shift) { return mayShiftTooFar(shift); })
        .Default([](Operation *) { return false; });
  }
};

class FuncModel : public OpModelInterface {
public:
  using OpModelInterface::OpModelInterface;

  bool describe(Operation *op, OpModel &model) const override {
    auto call = dyn_cast<func::CallOp>(op);
    if (!call)
      return false;
    model.role = OpModel::Call;
    model.callee = call.getCallee();
    return true;
  }
};

/// Tests a loop behind its body, as compilers write it, where its constant
/// bounds say that there is an iteration: nothing else would say that its body
/// is executed.
void rotate(scf::ForOp loop) {
  llvm::APInt first, end;
  if (!matchPattern(loop.getLowerBound(), m_ConstantInt(&first)) ||
      !matchPattern(loop.getUpperBound(), m_ConstantInt(&end)))
    return;
  bool isUnsigned = loop.getUnsignedCmp();
  if (isUnsigned ? first.uge(end) : first.sge(end))
    return;
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  SmallVector<Value> inits{loop.getLowerBound()};
  llvm::append_range(inits, loop.getInitArgs());
  SmallVector<Type> types = llvm::to_vector(ValueRange(inits).getTypes());
  auto rotated = scf::WhileOp::create(builder, loc, types, inits);
  rotated.getBefore().takeBody(loop.getRegion());
  Block &body = rotated.getBefore().front();
  auto yield = cast<scf::YieldOp>(body.getTerminator());
  builder.setInsertionPoint(yield);
  Value next =
      arith::AddIOp::create(builder, loc, body.getArgument(0), loop.getStep());
  Value goesOn = arith::CmpIOp::create(builder, loc,
                                       isUnsigned ? arith::CmpIPredicate::ult
                                                  : arith::CmpIPredicate::slt,
                                       next, loop.getUpperBound());
  SmallVector<Value> carried{next};
  llvm::append_range(carried, yield.getResults());
  scf::ConditionOp::create(builder, loc, goesOn, carried);
  yield.erase();
  SmallVector<Location> locs(types.size(), loc);
  Block *after =
      builder.createBlock(&rotated.getAfter(), /*insertPt=*/{}, types, locs);
  scf::YieldOp::create(builder, loc, after->getArguments());
  loop.replaceAllUsesWith(rotated.getResults().drop_front());
  loop.erase();
}

/// Whether the region has, in each pass of it, a target or a barrier that no
/// pass over MLIR removes.
bool isKept(Region &region) {
  return llvm::any_of(region.front(), [](Operation &op) {
    if (auto text = dyn_cast<ptx::InlineOp>(op))
      return text.getSideEffects();
    std::optional<OpModel> model = getOpModel(&op);
    return model && (model->family != Family::None || model->isConvergent) &&
           !wouldOpBeTriviallyDead(&op);
  });
}

bool hasCycle(Region &region) {
  for (auto scc = llvm::scc_begin(&region); !scc.isAtEnd(); ++scc)
    if (scc.hasCycle())
      return true;
  return false;
}

/// Whether the loop has steps that may never come to its end. An index that
/// wraps around is upstream's affair.
bool mayStandStill(scf::ForOp loop) {
  llvm::APInt step;
  return matchPattern(loop.getStep(), m_ConstantInt(&step)) &&
         !step.isStrictlyPositive();
}

/// Puts the operation under a condition that nobody knows.
void makeOptional(Operation *op) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  Value condition = marks::createUnknown(builder, loc, builder.getI1Type());
  auto choice = scf::IfOp::create(builder, loc, op->getResultTypes(), condition,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  op->replaceAllUsesWith(choice);
  op->moveBefore(choice.thenBlock(), choice.thenBlock()->end());
  builder.setInsertionPointToEnd(choice.thenBlock());
  scf::YieldOp::create(builder, loc, op->getResults());
  builder.setInsertionPointToEnd(choice.elseBlock());
  SmallVector<Value> others;
  for (Type type : op->getResultTypes())
    others.push_back(marks::createUnknown(builder, loc, type));
  scf::YieldOp::create(builder, loc, others);
}

/// Finds the loops that may be removed with threads in them. If `opens`, there
/// is a way past each: a thread behind it has not met its condition.
bool openLoops(Operation *root, bool opens) {
  SmallVector<scf::WhileOp> loops;
  SmallVector<Operation *> others;
  root->walk([&](Operation *op) {
    if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      if (!isKept(loop.getBefore()) && !isKept(loop.getAfter()))
        loops.push_back(loop);
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      if (mayStandStill(loop) && !isKept(loop.getRegion()))
        others.push_back(loop);
    } else if (auto region = dyn_cast<scf::ExecuteRegionOp>(op)) {
      if (hasCycle(region.getRegion()))
        others.push_back(region);
    }
  });
  if (opens) {
    for (scf::WhileOp loop : loops) {
      scf::ConditionOp end = loop.getConditionOp();
      OpBuilder builder(end);
      Value stays =
          marks::createUnknown(builder, end.getLoc(), builder.getI1Type());
      end.getConditionMutable().assign(arith::AndIOp::create(
          builder, end.getLoc(), end.getCondition(), stays));
    }
    for (Operation *op : others)
      makeOptional(op);
  }
  return !loops.empty() || !others.empty();
}

class SCFModel : public OpModelInterface {
public:
  using OpModelInterface::OpModelInterface;

  LogicalResult flatten(Operation *root) const override {
    if (openLoops(root, root->hasAttr(marks::kOpened)))
      marks::set(root, marks::kRemovable);
    SmallVector<scf::ForOp> loops;
    root->walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      rotate(loop);
    RewritePatternSet patterns(root->getContext());
    populateSCFToControlFlowConversionPatterns(patterns);
    ConversionTarget target(*root->getContext());
    target.addIllegalOp<scf::ForOp, scf::IfOp, scf::IndexSwitchOp, scf::WhileOp,
                        scf::ExecuteRegionOp>();
    // What may be spread over threads is no loop: its body stays a region.
    target.addLegalOp<scf::ForallOp, scf::ParallelOp>();
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    // Nothing may be removed that has a verdict.
    ConversionConfig config;
    config.foldingMode = DialectConversionFoldingMode::Never;
    return applyPartialConversion(root, target, std::move(patterns), config);
  }
};

} // namespace

void registerArithModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, arith::ArithDialect *dialect) {
    dialect->addInterfaces<ArithModel>();
  });
  registry.addExtension(+[](MLIRContext *, func::FuncDialect *dialect) {
    dialect->addInterfaces<FuncModel>();
  });
  registry.addExtension(+[](MLIRContext *context, scf::SCFDialect *dialect) {
    dialect->addInterfaces<SCFModel>();
    // What its operations become.
    context->loadDialect<arith::ArithDialect, cf::ControlFlowDialect>();
  });
}

} // namespace ptxbench
