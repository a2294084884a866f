//===- KernelModule.cpp - All kernels of a module in one place ------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A `gpu.module` inside of another one goes to the top. Kernels in a module of
// the host get a `gpu.module` of their own, with the functions and variables
// that they reach. Then all of them become one.
//
//===----------------------------------------------------------------------===//

#include "KernelModule.h"

#include "mlir/IR/SymbolTable.h"
#include "ptxbench/Dialect/PTX/IR/KernelFunction.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace ptxbench {

template <typename ModuleTy> static bool hasKernels(ModuleTy module) {
  return llvm::any_of(*module.getBody(),
                      [](Operation &op) { return isKernelFunction(&op); });
}

static bool isModule(Operation &op) {
  return isa<ModuleOp, gpu::GPUModuleOp>(op);
}

/// Puts the kernels of a module of the host, with what they need, into a new
/// `gpu.module` at the end of the root.
static void takeKernels(ModuleOp module, SymbolTable &root) {
  SymbolTable names(module);
  llvm::SetVector<Operation *> taken;
  for (Operation &op : *module.getBody())
    if (isKernelFunction(&op) || isa<LLVM::ModuleFlagsOp>(op))
      taken.insert(&op);
  for (size_t i = 0; i < taken.size(); ++i) {
    std::optional<SymbolTable::UseRange> uses =
        SymbolTable::getSymbolUses(taken[i]);
    if (!uses)
      continue;
    for (const SymbolTable::SymbolUse &use : *uses)
      if (Operation *used = names.lookup(use.getSymbolRef().getRootReference());
          used && !isModule(*used))
        taken.insert(used);
  }
  OpBuilder builder(module.getContext());
  auto kernels = gpu::GPUModuleOp::create(builder, module.getLoc(), "kernels");
  root.insert(kernels);
  for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
    if (taken.contains(&op))
      op.moveBefore(kernels.getBody(), kernels.getBody()->end());
}

/// Moves what is in `from` behind what is in `to`. Functions that are no
/// kernels, and variables, may get other names.
static LogicalResult moveInto(gpu::GPUModuleOp from, gpu::GPUModuleOp to) {
  SymbolTable target(to), source(from);
  for (Operation &op : llvm::make_early_inc_range(*from.getBody())) {
    auto symbol = dyn_cast<SymbolOpInterface>(op);
    if (!symbol)
      continue;
    if (Operation *other = target.lookup(symbol.getNameAttr())) {
      if (isKernelFunction(&op) && isKernelFunction(other)) {
        InFlightDiagnostic diagnostic = op.emitError()
                                        << "expected kernels with different "
                                           "names but got '"
                                        << symbol.getName() << "' twice";
        diagnostic.attachNote(other->getLoc()) << "the other one";
        return diagnostic;
      }
      if (isKernelFunction(&op)) {
        if (failed(target.renameToUnique(other, {&source})))
          return failure();
      } else if (failed(source.renameToUnique(&op, {&target}))) {
        return failure();
      }
    }
    op.remove();
    target.insert(&op);
  }
  from.erase();
  return success();
}

gpu::GPUModuleOp mergeKernels(ModuleOp root) {
  SymbolTable names(root);
  // From the inside out, the root last.
  SmallVector<Operation *> all;
  root->walk([&](Operation *op) {
    if (isModule(*op))
      all.push_back(op);
  });
  for (Operation *op : all) {
    if (auto module = dyn_cast<ModuleOp>(op)) {
      if (hasKernels(module))
        takeKernels(module, names);
      // Nothing but code of the host is left in it.
      if (module != root)
        module.erase();
    } else if (op->getParentOp() != root) {
      op->remove();
      names.insert(op);
    }
  }
  SmallVector<gpu::GPUModuleOp> modules(root.getOps<gpu::GPUModuleOp>());
  llvm::erase_if(modules,
                 [](gpu::GPUModuleOp module) { return !hasKernels(module); });
  if (modules.empty()) {
    root.emitError("expected a kernel: a 'gpu.func' with 'kernel', a "
                   "'gpu.launch', or an 'llvm.func' with 'nvvm.kernel' "
                   "or 'ptx_kernelcc'");
    return nullptr;
  }
  for (gpu::GPUModuleOp module : llvm::drop_begin(modules))
    if (failed(moveInto(module, modules.front())))
      return nullptr;
  for (Operation &op : llvm::make_early_inc_range(*root.getBody()))
    if (&op != modules.front())
      op.erase();
  return modules.front();
}

} // namespace ptxbench
