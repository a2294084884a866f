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
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "ptxbench/Dialect/PTX/IR/AsmConstraints.h"

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

FlatCopy::FlatCopy(Operation *original) {
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
  for (Dialect *dialect : original->getContext()->getLoadedDialects())
    if (auto *models = dialect->getRegisteredInterface<OpModelInterface>())
      if (failed(models->flatten(module.get()))) {
        kernel = nullptr;
        return;
      }
  nameMade(module.get(), originals);
  SmallVector<InlineOp> inlines;
  module.get()->walk([&](InlineOp op) { inlines.push_back(op); });
  for (InlineOp op : inlines)
    flattenInline(op);
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
