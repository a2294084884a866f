//===- KernelText.cpp - Kernels of a module with host code, as PTX --------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes that upstream's gpu-lower-to-nvvm-pipeline runs on kernels, then
// LLVM's NVPTX target.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Conversion/LowerHost.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVM/ModuleToObject.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"

using namespace mlir;
using namespace ptxbench;
using llvm::SmallVector;
using llvm::StringRef;

extern "C" {
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

namespace {
class TextWriter : public LLVM::ModuleToObject {
public:
  TextWriter(Operation &module, StringRef target, StringRef features,
             StringRef libdevice)
      : ModuleToObject(module, "nvptx64-nvidia-cuda", target, features,
                       /*optLevel=*/3),
        libdevice(libdevice) {}

protected:
  /// Shared memory without a size is that of the launch. MLIR makes a variable
  /// of the module of it, which LLVM would give a place among the others. It
  /// begins where a tile with the widest swizzle of TMA can begin.
  void handleModulePreLink(llvm::Module &code) override {
    for (llvm::GlobalVariable &variable : code.globals())
      if (variable.getAddressSpace() == 3 &&
          code.getDataLayout().getTypeAllocSize(variable.getValueType()) == 0) {
        variable.setInitializer(nullptr);
        variable.setLinkage(llvm::GlobalValue::ExternalLinkage);
        variable.setAlignment(llvm::Align(std::max<uint64_t>(
            1024, variable.getAlign().valueOrOne().value())));
      }
  }
  std::optional<SmallVector<std::unique_ptr<llvm::Module>>>
  loadBitcodeFiles(llvm::Module &code) override {
    SmallVector<std::unique_ptr<llvm::Module>> files;
    if (llvm::none_of(code.functions(), [](llvm::Function &function) {
          return function.isDeclaration() &&
                 function.getName().starts_with("__nv_");
        }))
      return files;
    if (libdevice.empty()) {
      getOperation().emitError("the kernels need libdevice.10.bc of the CUDA "
                               "toolkit, which was not found");
      return std::nullopt;
    }
    auto file = loadBitcodeFile(code.getContext(), libdevice);
    if (!file)
      return std::nullopt;
    files.push_back(std::move(file));
    return files;
  }

  FailureOr<SmallVector<char, 0>> moduleToObject(llvm::Module &code) override {
    FailureOr<llvm::TargetMachine *> machine = getOrCreateTargetMachine();
    if (failed(machine))
      return failure();
    FailureOr<SmallString<0>> text = translateModuleToISA(
        code, **machine, [this] { return getOperation().emitError(); });
    if (failed(text))
      return failure();
    return SmallVector<char, 0>(text->begin(), text->end());
  }

private:
  StringRef libdevice;
};
} // namespace

/// A release of PTX that has the target, of those that LLVM knows.
static StringRef featuresOf(StringRef target) {
  unsigned number = 0;
  target.drop_front(std::min<size_t>(3, target.size()))
      .take_while(llvm::isDigit)
      .getAsInteger(10, number);
  return number >= 100 ? "+ptx86" : number >= 90 ? "+ptx80" : "+ptx71";
}

FailureOr<KernelText> ptxbench::lowerKernels(gpu::GPUModuleOp kernels,
                                             StringRef target,
                                             StringRef libdevice) {
  OwningOpRef<ModuleOp> root = ModuleOp::create(kernels.getLoc());
  root->push_back(kernels->clone());
  PassManager manager(root->getContext());
  manager.addPass(createConvertVectorToSCFPass());
  OpPassManager &inner = manager.nest<gpu::GPUModuleOp>();
  inner.addPass(memref::createExpandOpsPass());
  inner.addPass(createSCFToControlFlowPass());
  inner.addPass(memref::createExpandStridedMetadataPass());
  inner.addPass(createLowerAffinePass());
  inner.addPass(createCanonicalizerPass());
  inner.addPass(createCSEPass());
  inner.addPass(createConvertGpuOpsToNVVMOps());
  inner.addPass(createConvertNVVMToLLVMPass());
  inner.addPass(createArithToLLVMConversionPass());
  inner.addPass(createConvertIndexToLLVMPass());
  inner.addPass(createCanonicalizerPass());
  inner.addPass(createCSEPass());
  inner.addPass(createReconcileUnrealizedCastsPass());
  if (failed(manager.run(*root)))
    return failure();
  static const bool initialized = [] {
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    return true;
  }();
  (void)initialized;
  gpu::GPUModuleOp lowered = *root->getOps<gpu::GPUModuleOp>().begin();
  std::optional<SmallVector<char, 0>> text =
      TextWriter(*lowered, target, featuresOf(target), libdevice).run();
  if (!text)
    return kernels.emitError("the kernels cannot be compiled for ") << target;
  KernelText result;
  result.ptx.assign(text->begin(), text->end());
  // The text may end in a zero.
  while (!result.ptx.empty() && result.ptx.back() == '\0')
    result.ptx.pop_back();
  return result;
}
