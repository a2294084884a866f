//===- SourceTargets.cpp - Target operations before they are lowered ------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps of the pipeline ptxbench-analyze, on a copy and without a word.
//
//===----------------------------------------------------------------------===//

#include "SourceTargets.h"

#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"
#include "ptxbench/Analysis/OpModels.h"
#include "ptxbench/Analysis/Reachability.h"
#include "ptxbench/Conversion/LowerToPTX.h"
#include "ptxbench/Conversion/Passes.h"

#include <map>

using namespace mlir;

namespace ptxbench {

/// "gemm.mlir:42:7"; empty if nothing is known.
static std::string placeOf(Operation *op) {
  auto at = op->getLoc()->findInstanceOf<FileLineColLoc>();
  if (!at || !at.getLine())
    return "";
  return (at.getFilename().getValue() + ":" + Twine(at.getLine()) + ":" +
          Twine(at.getColumn()))
      .str();
}

std::vector<SourceTarget> findSourceTargets(Operation *module) {
  MLIRContext *context = module->getContext();
  ScopedDiagnosticHandler quiet(context,
                                [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> root = copyAsModule(module);
  // What stands in inline assembly is of the operation that has the string.
  std::map<std::string, std::string> nameAt;
  root->walk([&](Operation *op) {
    if (std::string place = placeOf(op); !place.empty())
      nameAt.try_emplace(place, op->getName().getStringRef().str());
  });
  PassManager passes(context);
  passes.addPass(createGpuLaunchSinkIndexComputationsPass());
  passes.addPass(createGpuKernelOutliningPass());
  passes.addPass(createPTXImportInlineAsm());
  if (failed(passes.run(*root)))
    return {};

  std::vector<SourceTarget> targets;
  std::map<std::string, size_t> known;
  root->walk([&](Operation *kernel) {
    if (!kernel->getNumRegions() || !getKernelModel(kernel))
      return;
    llvm::Expected<EntryReachability> entry =
        analyzeEntryReachability(kernel, ReachabilityOptions());
    if (!entry) {
      llvm::consumeError(entry.takeError());
      return;
    }
    for (auto [verdict, op] :
         llvm::zip(entry->verdicts.targets, entry->operations)) {
      std::string place = placeOf(op);
      if (place.empty())
        continue;
      bool isDead = verdict.reach == Reach::Never;
      auto [at, isNew] = known.try_emplace(place, targets.size());
      if (isNew)
        targets.push_back({place, nameAt[place], verdict.family, isDead,
                           isDead ? verdict.reason : std::string()});
      else if (!isDead)
        targets[at->second].isDead = false;
    }
  });
  return targets;
}

} // namespace ptxbench
