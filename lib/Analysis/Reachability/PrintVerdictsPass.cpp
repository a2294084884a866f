//===- PrintVerdictsPass.cpp - The pass -ptx-print-verdicts ---------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the attributes that -ptx-reachability wrote. A target instruction
// without them was not analysed (another entry was asked for), and is not
// printed.
//
//===----------------------------------------------------------------------===//

#include "Instructions.h"
#include "mlir/Support/FileUtilities.h"
#include "ptxbench/Analysis/OpModels.h"
#include "ptxbench/Analysis/Passes.h"
#include "ptxbench/Dialect/PTX/IR/OptionError.h"
#include "ptxbench/Trace/ReachCount.h"
#include "ptxbench/Trace/Verdict.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

namespace ptxbench {

#define GEN_PASS_DEF_PTXPRINTVERDICTS
#include "ptxbench/Analysis/Passes.h.inc"

namespace {

class PTXPrintVerdictsPass
    : public impl::PTXPrintVerdictsBase<PTXPrintVerdictsPass> {
public:
  using PTXPrintVerdictsBase::PTXPrintVerdictsBase;
  // A tool that has our passes need not have registered our models.
  void getDependentDialects(DialectRegistry &registry) const override {
    PTXPrintVerdictsBase::getDependentDialects(registry);
    registerOpModels(registry);
  }
  void runOnOperation() override;
};

} // namespace

/// "k.mlir:7:3: ", or nothing where no place is known.
static void printPlace(raw_ostream &os, Location location) {
  auto place = location->findInstanceOf<FileLineColLoc>();
  if (place && place.getLine())
    os << place.getFilename().getValue() << ":" << place.getLine() << ":"
       << place.getColumn() << ": ";
}

/// Each function that holds instructions with a verdict, in the order of the
/// text; those of its families likewise.
static void print(raw_ostream &os, Operation *root) {
  llvm::MapVector<Operation *, SmallVector<Operation *>> functions;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->getNumRegions() &&
        (reachability::isKernel(op) || reachability::isDeviceFunction(op)))
      functions[op];
    if (!op->hasAttrOfType<StringAttr>("ptx.reach"))
      return;
    Operation *function = op->getParentOp();
    while (function && !functions.contains(function))
      function = function->getParentOp();
    functions[function].push_back(op);
  });
  bool hasTargets = false;
  for (auto &[function, targets] : functions) {
    if (targets.empty())
      continue;
    hasTargets = true;
    if (function) {
      printPlace(os, function->getLoc());
      os << (reachability::isKernel(function) ? "kernel " : "function ")
         << SymbolTable::getSymbolName(function).getValue() << "\n";
    }
    auto getReach = [](Operation *op) {
      return op->getAttrOfType<StringAttr>("ptx.reach").getValue();
    };
    struct Counts {
      unsigned all = 0, dead = 0, undecided = 0;
    };
    llvm::MapVector<Family, Counts> families;
    for (Operation *op : targets) {
      Counts &counts = families[reachability::AnyInst(op).getFamily()];
      ++counts.all;
      counts.dead += getReach(op) == stringifyReach(Reach::Never);
      counts.undecided += getReach(op) == stringifyReach(Reach::Maybe);
    }
    for (auto [family, counts] : families) {
      unsigned possible = counts.all - counts.dead;
      os << "  " << stringifyFamily(family) << ": "
         << sayPossible(counts.all, possible, possible - counts.undecided)
         << "\n";
    }
    for (Operation *op : targets) {
      os << "  ";
      printPlace(os, op->getLoc());
      os << reachability::AnyInst(op).getMnemonic() << ": " << getReach(op);
      if (auto scope = op->getAttrOfType<StringAttr>("ptx.reach_scope"))
        os << " (" << scope.getValue() << ")";
      if (auto reason = op->getAttrOfType<StringAttr>("ptx.reach_reason"))
        os << ": " << reason.getValue();
      os << "\n";
    }
  }
  if (!hasTargets)
    os << "no target instructions\n";
}

void PTXPrintVerdictsPass::runOnOperation() {
  markAllAnalysesPreserved();
  if (output.empty())
    return print(llvm::errs(), getOperation());
  std::string error;
  std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(output, &error);
  if (!file) {
    emitOptionError(&getContext(), getArgument(), "output") << error;
    return signalPassFailure();
  }
  print(file->os(), getOperation());
  file->keep();
}

} // namespace ptxbench
