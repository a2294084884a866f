//===- Pipeline.cpp - The pipeline ptxbench-lower -------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pass around lowerToPTX(), with what becomes of the text: a module of the
// ptx dialect, to be analysed, or the binaries that upstream's lowering of
// host code takes. The pass has a name and options of its own, so that a
// pipeline that was printed can be read again.
//
//===----------------------------------------------------------------------===//

#include "CodeGenerator.h"

#include "mlir/Conversion/NVGPUToNVVM/NVGPUToNVVM.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "ptxbench/Analysis/OpModels.h"
#include "ptxbench/Conversion/LowerToPTX.h"
#include "ptxbench/Conversion/ModulePipeline.h"
#include "ptxbench/Dialect/PTX/IR/KernelFunction.h"
#include "ptxbench/Dialect/PTX/IR/OptionError.h"
#include "ptxbench/Dialect/PTX/IR/PTXDialect.h"
#include "ptxbench/Target/PTX/Import.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;

namespace ptxbench {

namespace {
enum class Form { Dialect, Binary };

/// The options of the pass, and those of the pipeline, which are the same but
/// have another owner.
template <template <typename...> class Option, typename OwnerTy>
struct LowerOptions {
  explicit LowerOptions(OwnerTy &owner)
      : target(owner, "target",
               llvm::cl::desc("The architecture (default: that of the module, "
                              "or sm_90a)")),
        ptxVersion(owner, "ptx-version", llvm::cl::init(0),
                   llvm::cl::desc("The release of PTX, 80 for 8.0 (default: "
                                  "the oldest that does)")),
        optLevel(owner, "opt-level", llvm::cl::init(3),
                 llvm::cl::desc("The level of LLVM's passes, 0 to 3")),
        locations(owner, "locations", llvm::cl::init(true),
                  llvm::cl::desc("Keep the places of the operations")),
        barePointers(
            owner, "bare-pointers", llvm::cl::init(false),
            llvm::cl::desc("A memref parameter of a kernel is one pointer")),
        libdevice(owner, "libdevice",
                  llvm::cl::desc("The path of libdevice.10.bc")),
        form(owner, "form", llvm::cl::init(Form::Dialect),
             llvm::cl::desc("What the kernels become"),
             llvm::cl::values(
                 clEnumValN(Form::Dialect, "dialect",
                            "the module becomes one of the ptx dialect"),
                 clEnumValN(Form::Binary, "binary",
                            "each gpu.module becomes a gpu.binary that holds "
                            "PTX; host code stays"))) {}

  template <typename OtherTy> void copyFrom(const OtherTy &other) {
    target = other.target.getValue();
    ptxVersion = other.ptxVersion.getValue();
    optLevel = other.optLevel.getValue();
    locations = other.locations.getValue();
    barePointers = other.barePointers.getValue();
    libdevice = other.libdevice.getValue();
    form = other.form.getValue();
  }

  Option<std::string> target;
  Option<unsigned> ptxVersion, optLevel;
  Option<bool> locations, barePointers;
  Option<std::string> libdevice;
  Option<Form> form;
};

struct PipelineOptions : public PassPipelineOptions<PipelineOptions> {
  LowerOptions<Option, mlir::detail::PassOptions> options{*this};
};

class LowerKernelsPass
    : public PassWrapper<LowerKernelsPass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerKernelsPass)

  LowerKernelsPass() = default;
  // Options are copied by clone().
  LowerKernelsPass(const LowerKernelsPass &other) : PassWrapper(other) {}
  explicit LowerKernelsPass(const PipelineOptions &from) {
    options.copyFrom(from.options);
  }

  StringRef getArgument() const override { return "ptxbench-lower-kernels"; }
  StringRef getDescription() const override {
    return "Lower kernels to PTX by LLVM's NVPTX target";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registerLoweringDialects(registry);
    registry.insert<ptx::PTXDialect>();
    // For checkLaunches().
    registerOpModels(registry);
  }
  void runOnOperation() override;

private:
  LogicalResult makeDialect(const LoweringOptions &lowering);
  LogicalResult makeBinaries(const LoweringOptions &lowering);

  LowerOptions<Option, Pass> options{*this};
};
} // namespace

LogicalResult LowerKernelsPass::makeDialect(const LoweringOptions &lowering) {
  ModuleOp module = getOperation();
  llvm::Expected<LoweredModule> lowered = lowerToPTX(module, lowering);
  if (!lowered) {
    llvm::consumeError(lowered.takeError());
    return failure();
  }
  MLIRContext *context = &getContext();
  constexpr llvm::StringLiteral name = "lowered.ptx";
  // Where a line came from; null if that is not known.
  auto findSource = [&](unsigned line) -> LocationAttr {
    const LoweredPlace *place = lowered->findPlace(line);
    if (!place || place->file.empty() || !place->line)
      return nullptr;
    return NameLoc::get(
        StringAttr::get(context, place->operation),
        FileLineColLoc::get(context, place->file, place->line, place->column));
  };
  OwningOpRef<ModuleOp> imported = importPTX(
      llvm::MemoryBufferRef(lowered->ptx, name), context,
      [&](const syntax::Diagnostic &diagnostic) {
        LocationAttr source = findSource(diagnostic.line);
        std::string where = lowered->describeLine(diagnostic.line);
        // Nobody can mend what LLVM wrote.
        if (diagnostic.severity != syntax::Severity::Error &&
            !llvm::StringRef(where).starts_with("in inline asm"))
          return;
        Location loc = source
                           ? Location(source)
                           : FileLineColLoc::get(context, name, diagnostic.line,
                                                 diagnostic.column);
        InFlightDiagnostic message =
            diagnostic.severity == syntax::Severity::Error ? emitError(loc)
            : diagnostic.severity == syntax::Severity::Warning
                ? emitWarning(loc)
                : emitRemark(loc);
        if (source)
          message << where << ": ";
        message << diagnostic.message;
        if (!diagnostic.hint.empty())
          message << "; " << diagnostic.hint;
      });
  if (!imported)
    return failure();
  // First where it came from, which is what diagnostics show.
  imported->walk([&](Operation *op) {
    auto text = op->getLoc()->findInstanceOf<FileLineColLoc>();
    if (!text || text.getFilename() != name)
      return;
    if (LocationAttr source = findSource(text.getLine()))
      op->setLoc(FusedLoc::get(context, {Location(source), Location(text)}));
  });
  module.getBodyRegion().takeBody(imported->getBodyRegion());
  module->setAttrs(imported->getOperation()->getAttrDictionary());
  return success();
}

/// What host code has of a descriptor of TMA is a pointer, and kernels take it
/// as one; the conversion of nvgpu leaves operands of launches what they were.
static void passDescriptorsAsPointers(ModuleOp module) {
  Type pointer = LLVM::LLVMPointerType::get(module.getContext());
  module.walk([&](gpu::LaunchFuncOp launch) {
    OpBuilder builder(launch);
    for (OpOperand &operand : launch.getKernelOperandsMutable()) {
      Value value = operand.get();
      if (!isa<nvgpu::TensorMapDescriptorType>(value.getType()))
        continue;
      auto cast = value.getDefiningOp<UnrealizedConversionCastOp>();
      if (cast && cast.getNumOperands() == 1 &&
          cast.getOperand(0).getType() == pointer)
        operand.set(cast.getOperand(0));
      else
        operand.set(UnrealizedConversionCastOp::create(builder, launch.getLoc(),
                                                       pointer, value)
                        .getResult(0));
    }
  });
}

LogicalResult LowerKernelsPass::makeBinaries(const LoweringOptions &lowering) {
  ModuleOp module = getOperation();
  MLIRContext *context = &getContext();
  SmallVector<gpu::GPUModuleOp> all;
  WalkResult found =
      module.walk<WalkOrder::PreOrder>([&](Operation *op) -> WalkResult {
        if (isKernelFunction(op))
          return op->emitError("with 'form=binary' a kernel stands in a "
                               "'gpu.module', which becomes a 'gpu.binary'");
        if (auto kernels = dyn_cast<gpu::GPUModuleOp>(op))
          all.push_back(kernels);
        return isa<ModuleOp>(op) ? WalkResult::advance() : WalkResult::skip();
      });
  if (found.wasInterrupted())
    return failure();
  passDescriptorsAsPointers(module);
  for (gpu::GPUModuleOp kernels : all) {
    llvm::Expected<LoweredModule> lowered = lowerToPTX(kernels, lowering);
    if (!lowered) {
      llvm::consumeError(lowered.takeError());
      return failure();
    }
    auto target =
        NVVM::NVVMTargetAttr::get(context, int(lowering.optLevel),
                                  "nvptx64-nvidia-cuda", lowered->target);
    auto object = gpu::ObjectAttr::get(
        context, target, gpu::CompilationTarget::Assembly,
        StringAttr::get(context, lowered->ptx), nullptr, nullptr);
    OpBuilder builder(kernels);
    gpu::BinaryOp::create(builder, kernels.getLoc(), kernels.getName(),
                          /*offloadingHandler=*/nullptr,
                          ArrayAttr::get(context, {object}));
    kernels.erase();
  }
  return success();
}

void LowerKernelsPass::runOnOperation() {
  if (options.optLevel > 3) {
    emitOptionError(&getContext(), getArgument(), "opt-level")
        << "expected 0 to 3 but got " << options.optLevel.getValue();
    return signalPassFailure();
  }
  LoweringOptions lowering;
  lowering.target = options.target;
  lowering.ptxVersion = options.ptxVersion;
  lowering.optLevel = options.optLevel;
  lowering.locations = options.locations;
  lowering.barePointers = options.barePointers;
  lowering.libdevice = options.libdevice;
  if (failed(options.form == Form::Binary ? makeBinaries(lowering)
                                          : makeDialect(lowering)))
    signalPassFailure();
}

static void buildPipeline(OpPassManager &manager,
                          const PipelineOptions &options) {
  if (options.options.form == Form::Binary) {
    // While constants around a launch are not conversions of them.
    manager.addPass(createGpuLaunchSinkIndexComputationsPass());
    manager.addPass(createConvertNVGPUToNVVMPass());
    manager.addPass(createGpuKernelOutliningPass());
  }
  manager.addPass(std::make_unique<LowerKernelsPass>(options));
}

void registerLoweringPipelines() {
  registerPass([]() -> std::unique_ptr<Pass> {
    return std::make_unique<LowerKernelsPass>();
  });
  registerModulePipeline(
      "ptxbench-lower",
      "Lower kernels of gpu, nvgpu and nvvm to PTX: to a module of the ptx "
      "dialect, or to binaries",
      buildPipeline);
}

} // namespace ptxbench
