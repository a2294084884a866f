//===- FlatCopy.cpp - A kernel as blocks and branches ---------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dialects flatten their own operations (OpModelInterface); inline assembly is
// flattened here.
//
//===----------------------------------------------------------------------===//

#include "FlatCopy.h"
#include "Instructions.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "ptxbench/Analysis/FlatMarks.h"
#include "ptxbench/Dialect/PTX/IR/AsmConstraints.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace ptxbench::ptx;

namespace ptxbench::reachability {

/// Numbers the operations of the copy; no operation of any dialect has it.
static constexpr llvm::StringLiteral kNumber = "ptxbench.number";

/// Makes the body of inline assembly part of the function around it. Its values
/// have the types of registers; no operation asks why they are passed others.
static void flattenInline(InlineOp op) {
  llvm::Expected<AsmConstraints> constraints =
      parseAsmConstraints(op.getConstraints());
  if (!constraints) {
    llvm::consumeError(constraints.takeError());
    return;
  }
  Block *before = op->getBlock();
  Block *after = before->splitBlock(std::next(op->getIterator()));
  OpBuilder builder(op);
  // Values of one type are the same inside and outside, so that what is known
  // of one is known of the other; where the text has one end, for results, too.
  SmallVector<YieldOp> yields(op.getBody().getOps<YieldOp>());
  SmallVector<unsigned> joined;
  for (OpResult result : op->getResults()) {
    Value only;
    if (yields.size() == 1)
      only = yields.front().getValues()[result.getResultNumber()];
    if (only && only.getType() == result.getType()) {
      result.replaceAllUsesWith(only);
      continue;
    }
    joined.push_back(result.getResultNumber());
    result.replaceAllUsesWith(
        after->addArgument(result.getType(), result.getLoc()));
  }
  for (YieldOp yield : yields) {
    SmallVector<Value> values;
    for (unsigned number : joined)
      values.push_back(yield.getValues()[number]);
    builder.setInsertionPoint(yield);
    BrOp::create(builder, yield.getLoc(), values, after);
    yield.erase();
  }
  SmallVector<Value> passed;
  unsigned numArgs = 0;
  for (auto [i, value] : llvm::enumerate(op.getInputs())) {
    if (constraints->operands[constraints->numOutputs + i].kind ==
        AsmConstraint::Immediate)
      continue;
    BlockArgument arg = op.getBody().getArgument(numArgs);
    if (arg.getType() != value.getType()) {
      passed.push_back(value);
      ++numArgs;
      continue;
    }
    arg.replaceAllUsesWith(value);
    op.getBody().eraseArgument(numArgs);
  }
  Block *entry = &op.getBody().front();
  before->getParent()->getBlocks().splice(after->getIterator(),
                                          op.getBody().getBlocks());
  builder.setInsertionPoint(op);
  BrOp::create(builder, op.getLoc(), passed, entry);
  op.erase();
}

/// Says of what was made which operation of the text it is of: that with
/// regions at the same place.
static void nameMade(Operation *module, ArrayRef<Operation *> originals) {
  DenseMap<Attribute, Operation *> structured;
  for (Operation *op : originals)
    if (op->getNumRegions() && !isa<FunctionOpInterface>(op) &&
        !isa<UnknownLoc>(op->getLoc()))
      structured.try_emplace(op->getLoc(), op);
  if (structured.empty())
    return;
  module->walk([&](Operation *op) {
    Operation *from =
        op->hasAttr(kNumber) ? nullptr : structured.lookup(op->getLoc());
    if (from)
      op->setDiscardableAttr(
          kMadeFrom,
          StringAttr::get(op->getContext(), from->getName().getStringRef()));
  });
}

//===----------------------------------------------------------------------===//
// What may become of it
//===----------------------------------------------------------------------===//

/// Whether the text has no effect to LLVM, although it ends threads or loops.
static bool mayBeRemoved(InlineOp op) {
  if (op.getSideEffects())
    return false;
  for (auto scc = llvm::scc_begin(&op.getBody()); !scc.isAtEnd(); ++scc)
    if (scc.hasCycle() ||
        isa<RetOp, ExitOp, TrapOp>((*scc).front()->getTerminator()))
      return true;
  return false;
}

/// Whether the operation is inline assembly in which `ret` may stand.
static bool isTextWithRet(Operation *op) {
  if (auto text = dyn_cast<InlineOp>(op))
    return llvm::any_of(text.getBody(), [](Block &block) {
      return isa<RetOp>(block.getTerminator());
    });
  // Text that was not read.
  for (StringRef name : {"asm_string", "ptxCode"})
    if (auto text = dyn_cast_or_null<StringAttr>(
            op->getInherentAttr(name).value_or(Attribute())))
      return text.getValue().contains("ret");
  return false;
}

/// Marks texts and calls that may return from the function around them, and the
/// ends of threads in texts of functions.
static void markReturns(Operation *module) {
  llvm::SmallPtrSet<Operation *, 4> returning;
  SmallVector<CallOpInterface> calls;
  module->walk([&](Operation *op) {
    auto function = op->getParentOfType<FunctionOpInterface>();
    if (!function || isKernel(function))
      return;
    if (isTextWithRet(op)) {
      returning.insert(function);
      if (auto text = dyn_cast<InlineOp>(op))
        for (Block &block : text.getBody())
          if (isa<RetOp>(block.getTerminator()))
            marks::set(block.getTerminator(), marks::kEnds);
      marks::set(op, marks::kReturns);
    } else if (auto call = dyn_cast<CallOpInterface>(op)) {
      calls.push_back(call);
    }
  });
  for (bool changed = !returning.empty(); changed;) {
    changed = false;
    for (CallOpInterface call : calls) {
      auto callee = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
      if (!callee || call->hasAttr(marks::kReturns))
        continue;
      Operation *function =
          SymbolTable::lookupSymbolIn(module, callee.getLeafReference());
      if (!function || !returning.contains(function))
        continue;
      marks::set(call, marks::kReturns);
      changed = true;
      returning.insert(call->getParentOfType<FunctionOpInterface>());
    }
  }
}

/// The values that may be poison, or are computed from what may be.
static DenseSet<Value> findPoison(Operation *module) {
  DenseSet<Value> poison;
  SmallVector<Value> worklist;
  auto add = [&](Value value) {
    if (poison.insert(value).second)
      worklist.push_back(value);
  };
  module->walk([&](Operation *op) {
    if (op->hasAttr(marks::kPoison))
      llvm::for_each(op->getResults(), add);
  });
  while (!worklist.empty())
    for (OpOperand &use : worklist.pop_back_val().getUses()) {
      Operation *op = use.getOwner();
      if (auto branch = dyn_cast<BranchOpInterface>(op)) {
        if (std::optional<BlockArgument> arg =
                branch.getSuccessorBlockArgument(use.getOperandNumber()))
          add(*arg);
        continue;
      }
      // Of the results of others nothing is known, poison or not.
      std::optional<OpModel> model = getOpModel(op);
      if (model && model->isPure)
        llvm::for_each(op->getResults(), add);
    }
  return poison;
}

/// To branch on poison has no meaning. As the guard of an operation and in
/// inline assembly it is some value, which nothing is known of.
static void hidePoison(Operation *module) {
  DenseSet<Value> poison = findPoison(module);
  if (poison.empty())
    return;
  SmallVector<OpOperand *> found;
  module->walk([&](Operation *op) {
    std::optional<OpModel> model = getOpModel(op);
    for (OpOperand &operand : op->getOpOperands()) {
      bool matters = isa<InlineOp>(op);
      if (model)
        matters |=
            operand.get() == model->guard || model->role == OpModel::Shuffle;
      if (matters && poison.contains(operand.get()))
        found.push_back(&operand);
    }
  });
  for (OpOperand *operand : found) {
    Operation *op = operand->getOwner();
    Value value = operand->get();
    // The number that an immediate is stays one.
    if (Operation *def = value.getDefiningOp();
        def && def->hasTrait<OpTrait::ConstantLike>())
      continue;
    OpBuilder builder(op);
    Location loc =
        value.getDefiningOp() ? value.getDefiningOp()->getLoc() : op->getLoc();
    operand->set(marks::createUnknown(builder, loc, value.getType(), value));
  }
}

//===----------------------------------------------------------------------===//
// The copy
//===----------------------------------------------------------------------===//

FlatCopy::FlatCopy(Operation *original, bool opened) {
  Operation *scope = original->getParentOp();
  if (!scope)
    return;
  module = scope->clone();
  std::vector<Operation *> copies;
  scope->walk([&](Operation *op) { originals.push_back(op); });
  module.get()->walk([&](Operation *op) { copies.push_back(op); });
  Builder builder(original->getContext());
  unsigned numInlines = 0;
  for (auto [i, op] : llvm::enumerate(copies)) {
    if (originals[i] == original)
      kernel = op;
    op->setDiscardableAttr(kNumber, builder.getI64IntegerAttr(i));
    // Instructions of inline assembly say which one they stand in.
    if (auto inlined = dyn_cast<InlineOp>(op)) {
      ++numInlines;
      for (Block &block : inlined.getBody())
        for (auto inst : block.getOps<InstOpInterface>())
          inst.getInst().inlineAsm = numInlines;
    }
  }
  if (opened)
    marks::set(module.get(), marks::kOpened);
  // Blocks of structured control flow have one end as long as it is there.
  std::vector<Dialect *> dialects = original->getContext()->getLoadedDialects();
  llvm::stable_sort(dialects, [](Dialect *a, Dialect *b) {
    return a->getNamespace() == "scf" && b->getNamespace() != "scf";
  });
  for (Dialect *dialect : dialects)
    if (auto *models = dialect->getRegisteredInterface<OpModelInterface>())
      if (failed(models->flatten(module.get()))) {
        kernel = nullptr;
        return;
      }
  nameMade(module.get(), originals);
  markReturns(module.get());
  hidePoison(module.get());
  SmallVector<InlineOp> inlines;
  module.get()->walk([&](InlineOp op) {
    if (!mayBeRemoved(op))
      inlines.push_back(op);
  });
  for (InlineOp op : inlines)
    flattenInline(op);
}

bool FlatCopy::hasRemovable() const {
  return module && module.get()->hasAttr(marks::kRemovable);
}

void FlatCopy::restoreOperations(EntryReachability &result) const {
  std::vector<std::pair<uint64_t, unsigned>> order;
  for (auto [i, op] : llvm::enumerate(result.operations)) {
    auto number = op->getAttrOfType<IntegerAttr>(kNumber);
    order.push_back({number ? number.getInt() : originals.size(), i});
  }
  llvm::sort(order);
  EntryReachability sorted;
  for (auto [number, i] : order) {
    // What a dialect made anew has no place in the original.
    if (number >= originals.size())
      continue;
    sorted.operations.push_back(originals[number]);
    sorted.verdicts.targets.push_back(std::move(result.verdicts.targets[i]));
  }
  result.operations = std::move(sorted.operations);
  result.verdicts.targets = std::move(sorted.verdicts.targets);
}

} // namespace ptxbench::reachability
