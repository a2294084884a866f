//===- LowerMLIR.cpp - From kernels in MLIR to PTX text -------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Works on a copy, in the order of upstream's pipeline gpu-lower-to-nvvm:
//
//  1. Every operation gets a number as its location (Places.h).
//  2. `gpu.launch` becomes a kernel, with the constants that it uses; all
//     kernels come into one `gpu.module` (KernelModule.h), and the rest goes.
//  3. MLIR's passes take what is left to the llvm and nvvm dialects.
//  4. Functions get the scopes that LLVM needs to keep locations; LLVM makes
//     PTX of them.
//
// The module has the target as an attribute all the while, so that nvvm's own
// checks of operations against it are made. Diagnostics of the passes are
// emitted again when they are through, at the places that the numbers stand
// for.
//
//===----------------------------------------------------------------------===//

#include "CodeGenerator.h"
#include "KernelModule.h"
#include "Places.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVM.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/NVGPUToNVVM/NVGPUToNVVM.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Transforms/Passes.h"
#include "ptxbench/Analysis/OpModels.h"
#include "ptxbench/Conversion/Passes.h"
#include "ptxbench/Dialect/PTX/IR/TextPlace.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/BinaryFormat/Dwarf.h"

using namespace mlir;
using namespace ptxbench;

void ptxbench::registerLoweringDialects(DialectRegistry &registry) {
  registry
      .insert<affine::AffineDialect, arith::ArithDialect,
              cf::ControlFlowDialect, DLTIDialect, func::FuncDialect,
              gpu::GPUDialect, index::IndexDialect, linalg::LinalgDialect,
              LLVM::LLVMDialect, math::MathDialect, memref::MemRefDialect,
              NVVM::NVVMDialect, nvgpu::NVGPUDialect, scf::SCFDialect,
              tensor::TensorDialect, ub::UBDialect, vector::VectorDialect>();
  arith::registerConvertArithToLLVMInterface(registry);
  cf::registerConvertControlFlowToLLVMInterface(registry);
  registerConvertFuncToLLVMInterface(registry);
  index::registerConvertIndexToLLVMInterface(registry);
  registerConvertMathToLLVMInterface(registry);
  registerConvertMemRefToLLVMInterface(registry);
  registerConvertNVVMToLLVMInterface(registry);
  ub::registerConvertUBToLLVMInterface(registry);
  vector::registerConvertVectorToLLVMInterface(registry);
  NVVM::registerConvertGpuToNVVMInterface(registry);
  registerBuiltinDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
}

//===----------------------------------------------------------------------===//
// Locations and diagnostics
//===----------------------------------------------------------------------===//

namespace {
/// The locations that numbers, from 1, stand for.
class NumberedLocations {
public:
  /// Numbers the operations of a module.
  void replaceLocations(Operation *root);
  /// What LoweredModule shows of them.
  std::vector<LoweredPlace> takePlaces() { return std::move(places); }

  /// The location behind a number, or one that has numbers in it; others as
  /// they are.
  Location restore(Location loc) const;
  Location restore(unsigned number, Location otherwise) const {
    return number && number <= locations.size() ? locations[number - 1]
                                                : otherwise;
  }

private:
  std::vector<Location> locations;
  std::vector<LoweredPlace> places;
};

/// Emits, at its end, the diagnostics of its lifetime.
class DelayedDiagnostics {
public:
  DelayedDiagnostics(MLIRContext *context, const NumberedLocations &numbers)
      : context(context), numbers(numbers),
        printedOps(context->shouldPrintOpOnDiagnostic()) {
    context->printOpOnDiagnostic(false);
    handler.emplace(context, [this](Diagnostic &diagnostic) {
      kept.push_back(std::move(diagnostic));
      return success();
    });
  }
  ~DelayedDiagnostics() {
    handler.reset();
    for (Diagnostic &diagnostic : kept) {
      InFlightDiagnostic again = context->getDiagEngine().emit(
          numbers.restore(diagnostic.getLocation()), diagnostic.getSeverity());
      again << diagnostic.str();
      for (Diagnostic &note : diagnostic.getNotes())
        again.attachNote(numbers.restore(note.getLocation())) << note.str();
    }
    context->printOpOnDiagnostic(printedOps);
  }
  bool hasErrors() const {
    return llvm::any_of(kept, [](const Diagnostic &diagnostic) {
      return diagnostic.getSeverity() == DiagnosticSeverity::Error;
    });
  }

private:
  MLIRContext *context;
  const NumberedLocations &numbers;
  bool printedOps;
  std::vector<Diagnostic> kept;
  std::optional<ScopedDiagnosticHandler> handler;
};
} // namespace

void NumberedLocations::replaceLocations(Operation *root) {
  MLIRContext *context = root->getContext();
  StringAttr file = StringAttr::get(context, placesFileName);
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    Location loc = op->getLoc();
    LoweredPlace place;
    if (auto known = loc->findInstanceOf<FileLineColLoc>()) {
      place.file = known.getFilename().str();
      place.line = known.getLine();
      place.column = known.getColumn();
    }
    place.operation = op->getName().getStringRef().str();
    places.push_back(std::move(place));
    locations.push_back(op == root ? ptxbench::ptx::getModulePlace(op) : loc);
    op->setLoc(FileLineColLoc::get(file, unsigned(locations.size()), 1));
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          argument.setLoc(op->getLoc());
  });
}

Location NumberedLocations::restore(Location loc) const {
  auto found = loc->findInstanceOf<FileLineColLoc>();
  if (!found || found.getFilename() != placesFileName)
    return loc;
  return restore(found.getLine(), UnknownLoc::get(loc.getContext()));
}

//===----------------------------------------------------------------------===//
// What the module says of its target
//===----------------------------------------------------------------------===//

namespace {
struct ModuleTarget {
  std::string chip, features;
};
} // namespace

/// The `#nvvm.target` of all `gpu.module`s.
static FailureOr<ModuleTarget> readTarget(Operation *root) {
  ModuleTarget target;
  WalkResult result = root->walk([&](gpu::GPUModuleOp module) {
    for (Attribute attribute : module.getTargetsAttr()
                                   ? module.getTargetsAttr().getValue()
                                   : ArrayRef<Attribute>()) {
      auto nvvm = dyn_cast<NVVM::NVVMTargetAttr>(attribute);
      if (!nvvm)
        continue;
      if (!target.chip.empty() && target.chip != nvvm.getChip()) {
        module.emitError("expected one target but got ")
            << target.chip << " and " << nvvm.getChip();
        return WalkResult::interrupt();
      }
      target.chip = nvvm.getChip().str();
      target.features = nvvm.getFeatures().str();
    }
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  return target;
}

static void setTarget(gpu::GPUModuleOp module, StringRef chip) {
  MLIRContext *context = module.getContext();
  auto target = NVVM::NVVMTargetAttr::get(
      context, /*optLevel=*/3, "nvptx64-nvidia-cuda", chip, "", nullptr,
      nullptr, /*verifyTarget=*/true);
  module.setTargetsAttr(ArrayAttr::get(context, {target}));
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

static bool usesBarePointers(Operation *root) {
  return root
      ->walk([](Operation *op) {
        return op->hasAttr("llvm.bareptr") ? WalkResult::interrupt()
                                           : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {
/// A parameter of a kernel that is passed by value, which upstream's conversion
/// of functions forgets.
struct ByValue {
  StringAttr kernel;
  unsigned index;
  Attribute type;
  /// A tensor map: the kernel does not write to it. LLVM has to be told, else
  /// it copies the parameter to local memory, where TMA cannot read it.
  bool isConstant;
};
} // namespace

/// How many parameters of LLVM's one of this type becomes.
static unsigned countParameters(Type type, bool barePointers) {
  if (barePointers)
    return 1;
  if (auto memref = dyn_cast<MemRefType>(type))
    return 3 + 2 * unsigned(memref.getRank());
  return isa<UnrankedMemRefType>(type) ? 2 : 1;
}

/// A tensor map as a parameter is a pointer; upstream converts values of that
/// type but not the types of functions.
static SmallVector<ByValue> convertTensorMaps(gpu::GPUModuleOp module,
                                              bool barePointers) {
  SmallVector<ByValue> byValue;
  Type pointer = LLVM::LLVMPointerType::get(module.getContext());
  module.walk([&](gpu::GPUFuncOp function) {
    SmallVector<Type> inputs(function.getFunctionType().getInputs());
    OpBuilder builder = OpBuilder::atBlockBegin(&function.front());
    unsigned index = 0;
    for (unsigned i = 0; i != inputs.size(); ++i) {
      BlockArgument argument = function.getArgument(i);
      bool isMap = isa<nvgpu::TensorMapDescriptorType>(inputs[i]);
      if (Attribute type =
              function.getArgAttr(i, LLVM::LLVMDialect::getByValAttrName()))
        byValue.push_back({function.getNameAttr(), index, type, isMap});
      index += countParameters(inputs[i], barePointers);
      if (!isMap)
        continue;
      auto cast = UnrealizedConversionCastOp::create(builder, argument.getLoc(),
                                                     inputs[i], argument);
      argument.replaceAllUsesExcept(cast.getResult(0), cast);
      argument.setType(pointer);
      inputs[i] = pointer;
    }
    function.setFunctionType(builder.getFunctionType(
        inputs, function.getFunctionType().getResults()));
  });
  return byValue;
}

static void restoreByValue(gpu::GPUModuleOp module,
                           ArrayRef<ByValue> parameters) {
  for (const ByValue &parameter : parameters) {
    auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(parameter.kernel);
    if (!function || parameter.index >= function.getNumArguments())
      continue;
    function.setArgAttr(parameter.index, LLVM::LLVMDialect::getByValAttrName(),
                        parameter.type);
    if (parameter.isConstant)
      function.setArgAttr(parameter.index,
                          NVVM::NVVMDialect::getGridConstantAttrName(),
                          UnitAttr::get(module.getContext()));
  }
}

/// One pointer says nothing of extents, so a memref that is one has to be of
/// static shape, with static strides.
static LogicalResult checkBarePointers(gpu::GPUModuleOp module) {
  bool ok = true;
  module.walk([&](FunctionOpInterface function) {
    auto check = [&](Type type, StringRef what, unsigned number) {
      auto memref = dyn_cast<BaseMemRefType>(type);
      if (!memref || LLVMTypeConverter::canConvertToBarePtr(memref))
        return;
      ok = false;
      function.emitError("expected a memref with static extents, strides and "
                         "offset for ")
          << what << " " << number << " of '" << function.getName()
          << "', which 'llvm.bareptr' makes one pointer, but got " << type
          << "; without 'llvm.bareptr' it is a descriptor";
    };
    for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
      check(type, "parameter", unsigned(i));
    for (auto [i, type] : llvm::enumerate(function.getResultTypes()))
      check(type, "result", unsigned(i));
  });
  return success(ok);
}

/// The conversion to llvm.func makes nvvm's attributes of what a gpu.func
/// knows, also where it has them.
static void dropRepeatedSizes(gpu::GPUModuleOp module) {
  for (auto function : module.getOps<gpu::GPUFuncOp>()) {
    if (function.getKnownBlockSizeAttr())
      function->removeAttr(NVVM::NVVMDialect::getMaxntidAttrName());
    if (function.getKnownClusterSizeAttr())
      function->removeAttr(NVVM::NVVMDialect::getClusterDimAttrName());
  }
}

/// A block that is known is what the kernel has to be launched with, not the
/// most that it may be.
static void requireKnownBlocks(gpu::GPUModuleOp module) {
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (auto known = function->getAttrOfType<DenseI32ArrayAttr>(
            gpu::GPUDialect::KnownBlockSizeAttrHelper(module.getContext())
                .getName())) {
      function->setAttr(NVVM::NVVMDialect::getReqntidAttrName(), known);
      function->removeAttr(NVVM::NVVMDialect::getMaxntidAttrName());
    }
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

namespace {
/// Upstream's lowering writes a predicate that is a constant into the text of
/// an instruction, where PTX has no constants. So none is left.
class DropKnownPredicates
    : public PassWrapper<DropKnownPredicates, OperationPass<gpu::GPUModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DropKnownPredicates)

  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      llvm::TypeSwitch<Operation *>(op)
          .Case<NVVM::MBarrierInitOp, NVVM::MBarrierArriveExpectTxOp,
                NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp,
                NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp, NVVM::PrefetchOp,
                NVVM::InlinePtxOp>([](auto predicated) {
            llvm::APInt known;
            Value predicate = predicated.getPredicate();
            if (!predicate || !matchPattern(predicate, m_ConstantInt(&known)))
              return;
            if (known.isOne())
              predicated.getPredicateMutable().clear();
            else if (predicated->use_empty())
              predicated->erase();
          });
    });
  }
};
} // namespace

static void addEarlyPasses(OpPassManager &kernels) {
  // Inline assembly that was read goes back into its string.
  kernels.addPass(createPTXExportInlineAsm());
  kernels.addPass(createConvertNVGPUToNVVMPass());
  kernels.addPass(memref::createExpandOpsPass());
  kernels.addPass(createConvertVectorToSCFPass());
  kernels.addPass(memref::createExpandStridedMetadataPass());
  kernels.addPass(createLowerAffinePass());
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
  kernels.addPass(createLoopInvariantCodeMotionPass());
  kernels.addPass(std::make_unique<DropKnownPredicates>());
  // As inline assembly, where LLVM has no intrinsic.
  kernels.addPass(createConvertNVVMToLLVMPass());
}

static void addLatePasses(OpPassManager &kernels, bool barePointers) {
  kernels.addPass(createSCFToControlFlowPass());
  ConvertGpuOpsToNVVMOpsOptions options;
  options.useBarePtrCallConv = barePointers;
  options.hasRedux = true;
  kernels.addPass(createConvertGpuOpsToNVVMOps(options));
  kernels.addPass(std::make_unique<DropKnownPredicates>());
  kernels.addPass(createConvertNVVMToLLVMPass());
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
  kernels.addPass(createReconcileUnrealizedCastsPass());
}

/// Whether the module has only what can be translated; says what cannot.
static LogicalResult checkLowered(gpu::GPUModuleOp module) {
  bool ok = true;
  SmallVector<Operation *> casts;
  module.walk([&](Operation *op) {
    if (op == module ||
        isa<LLVM::LLVMDialect, NVVM::NVVMDialect>(op->getDialect()))
      return;
    if (isa<UnrealizedConversionCastOp>(op)) {
      casts.push_back(op);
      return;
    }
    ok = false;
    op->emitError() << "'" << op->getName() << "' has no lowering to PTX";
  });
  // What is between two others is of no help where one of them was named.
  if (ok && !casts.empty()) {
    ok = false;
    casts.front()->emitError()
        << "no lowering to PTX makes a value of type "
        << casts.front()->getResult(0).getType() << " from one of type "
        << casts.front()->getOperand(0).getType();
  }
  return success(ok);
}

/// Upstream's conversion merges equal blocks; operations with an effect have to
/// stay what they are. So each carries its number.
static void keepPlacesApart(gpu::GPUModuleOp module) {
  Builder builder(module.getContext());
  module.walk([&](Operation *op) {
    if (!isa<NVVM::NVVMDialect>(op->getDialect()) &&
        !isa<LLVM::InlineAsmOp>(op))
      return;
    auto number = op->getLoc()->findInstanceOf<FileLineColLoc>();
    if (number && !isMemoryEffectFree(op))
      // A number would become an operand of inline assembly.
      op->setDiscardableAttr(
          "ptxbench.place",
          builder.getStringAttr(std::to_string(number.getLine())));
  });
}

static LogicalResult runPasses(ModuleOp root, gpu::GPUModuleOp &module,
                               StringRef chip, const LoweringOptions &options) {
  bool bare = options.barePointers || usesBarePointers(root);
  // First, while what a launch uses is still constants and not conversions of
  // them. Those go into the kernel: as parameters they would be unknown in it.
  PassManager outlining(root.getContext());
  outlining.addPass(createGpuLaunchSinkIndexComputationsPass());
  outlining.addPass(createGpuKernelOutliningPass());
  if (failed(outlining.run(root)))
    return failure();
  module = mergeKernels(root);
  if (!module)
    return failure();
  setTarget(module, chip);
  if (bare && failed(checkBarePointers(module)))
    return failure();
  SmallVector<ByValue> byValue = convertTensorMaps(module, bare);
  PassManager early(root.getContext()), late(root.getContext());
  addEarlyPasses(early.nest<gpu::GPUModuleOp>());
  addLatePasses(late.nest<gpu::GPUModuleOp>(), bare);
  if (failed(early.run(root)))
    return failure();
  dropRepeatedSizes(module);
  keepPlacesApart(module);
  if (failed(late.run(root)))
    return failure();
  restoreByValue(module, byValue);
  requireKnownBlocks(module);
  return checkLowered(module);
}

//===----------------------------------------------------------------------===//
// Translation
//===----------------------------------------------------------------------===//

/// Leaves one module of LLVM's where each function is one of LLVM's debug
/// information.
static void addScopes(gpu::GPUModuleOp module) {
  MLIRContext *context = module.getContext();
  auto newId = [&] { return DistinctAttr::create(UnitAttr::get(context)); };
  auto file = LLVM::DIFileAttr::get(context, placesFileName, "");
  auto unit = LLVM::DICompileUnitAttr::get(
      newId(), llvm::dwarf::DW_LANG_C, file,
      StringAttr::get(context, "ptxbench"), /*isOptimized=*/true,
      LLVM::DIEmissionKind::DebugDirectivesOnly);
  auto type = LLVM::DISubroutineTypeAttr::get(
      context, llvm::dwarf::DW_CC_normal, ArrayRef<LLVM::DITypeAttr>());
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    if (function.isExternal())
      continue;
    Location loc = function.getLoc();
    auto place = loc->findInstanceOf<FileLineColLoc>();
    unsigned line = place ? place.getLine() : 0;
    auto scope = LLVM::DISubprogramAttr::get(
        context, newId(), unit, file, function.getNameAttr(),
        function.getNameAttr(), file, line, line,
        LLVM::DISubprogramFlags::Definition |
            LLVM::DISubprogramFlags::Optimized,
        type, /*retainedNodes=*/{}, /*annotations=*/{});
    function->setLoc(
        place ? FusedLoc::get(context, {Location(place)}, scope)
              : FusedLoc::get(context, {UnknownLoc::get(context)}, scope));
  }
}

/// Debug information that the module brings along would be of other lines.
static void dropDebugInfo(Operation *root) {
  root->walk([](Operation *op) {
    if (isa<LLVM::DbgDeclareOp, LLVM::DbgValueOp, LLVM::DbgLabelOp>(op))
      op->erase();
    else if (auto global = dyn_cast<LLVM::GlobalOp>(op))
      global.removeDbgExprsAttr();
  });
}

/// Shared memory without a size is that of the launch. MLIR makes a variable of
/// the module of it, which LLVM would give a place among the others. It begins
/// where a tile with the widest swizzle of TMA can begin.
static void takeSharedOfLaunch(llvm::Module &code) {
  constexpr uint64_t alignment = 1024;
  for (llvm::GlobalVariable &variable : code.globals()) {
    if (variable.getAddressSpace() != 3 ||
        code.getDataLayout().getTypeAllocSize(variable.getValueType()) != 0)
      continue;
    variable.setInitializer(nullptr);
    variable.setLinkage(llvm::GlobalValue::ExternalLinkage);
    variable.setAlignment(
        std::max(llvm::Align(alignment), variable.getAlign().valueOrOne()));
  }
}

/// Whether a kernel may use a variable; a function that is none may be called
/// by all.
static bool isUsedBy(const llvm::GlobalVariable &variable,
                     const llvm::Function &kernel) {
  SmallVector<const llvm::User *> users(variable.users());
  while (!users.empty()) {
    const llvm::User *user = users.pop_back_val();
    auto *instruction = dyn_cast<llvm::Instruction>(user);
    if (!instruction)
      users.append(user->user_begin(), user->user_end());
    else if (const llvm::Function *function = instruction->getFunction();
             function == &kernel ||
             function->getCallingConv() != llvm::CallingConv::PTX_Kernel)
      return true;
  }
  return false;
}

/// Shared variables that may be tiles of TMA begin where one can begin, at 128
/// bytes or, for the widest swizzle to be that of its own rows, 1024. Nothing
/// in MLIR says so: a memref.global has the alignment of its elements, and what
/// upstream's lowering puts in front of it, such as an mbarrier, moves it.
/// Those with the widest alignment come first, so that little is lost; where it
/// would be too much for a kernel, variables are as they were.
static void alignSharedTiles(llvm::Module &code) {
  constexpr uint64_t mostShared = 48 * 1024;
  const llvm::DataLayout &layout = code.getDataLayout();
  auto getSize = [&](llvm::GlobalVariable *variable) -> uint64_t {
    return layout.getTypeAllocSize(variable->getValueType());
  };
  SmallVector<llvm::GlobalVariable *> variables;
  for (llvm::GlobalVariable &variable : code.globals())
    if (variable.getAddressSpace() == 3 && getSize(&variable))
      variables.push_back(&variable);
  for (uint64_t widest : {1024, 128}) {
    auto getAlign = [&](llvm::GlobalVariable *variable) {
      uint64_t size = getSize(variable);
      llvm::Align own = variable->getAlign().value_or(
          layout.getPrefTypeAlign(variable->getValueType()));
      return size < 128
                 ? own
                 : std::max(own, llvm::Align(size < 1024 ? 128 : widest));
    };
    llvm::stable_sort(
        variables, [&](auto *a, auto *b) { return getAlign(a) > getAlign(b); });
    bool fits = llvm::all_of(code, [&](llvm::Function &function) {
      uint64_t end = 0;
      if (function.getCallingConv() == llvm::CallingConv::PTX_Kernel)
        for (llvm::GlobalVariable *variable : variables)
          if (isUsedBy(*variable, function))
            end = llvm::alignTo(end, getAlign(variable)) + getSize(variable);
      return end <= mostShared;
    });
    if (!fits)
      continue;
    for (llvm::GlobalVariable *variable : variables) {
      variable->setAlignment(getAlign(variable));
      // To the end, one after the other.
      code.removeGlobalVariable(variable);
      code.insertGlobalVariable(variable);
    }
    return;
  }
}

OwningOpRef<ModuleOp> ptxbench::copyAsModule(Operation *module) {
  if (auto whole = dyn_cast<ModuleOp>(module))
    return whole.clone();
  OwningOpRef<ModuleOp> root = ModuleOp::create(module->getLoc());
  root->push_back(module->clone());
  return root;
}

llvm::Expected<LoweredModule>
ptxbench::lowerToPTX(Operation *module, const LoweringOptions &options) {
  auto fail = [](const llvm::Twine &message) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
  };
  constexpr const char *failed = "the module cannot be lowered to PTX";
  FailureOr<ModuleTarget> says = readTarget(module);
  if (mlir::failed(says) || mlir::failed(checkLaunches(module)))
    return fail(failed);
  llvm::Expected<std::string> chip = chooseTarget(options.target, says->chip);
  if (!chip) {
    std::string message = llvm::toString(chip.takeError());
    mlir::emitError(ptxbench::ptx::getModulePlace(module), message);
    return fail(message);
  }

  MLIRContext *context = module->getContext();
  // A module need not have an operation of them.
  context->loadDialect<gpu::GPUDialect, LLVM::LLVMDialect, NVVM::NVVMDialect>();
  OwningOpRef<ModuleOp> root = copyAsModule(module);
  root->walk([&](gpu::GPUModuleOp kernels) { setTarget(kernels, *chip); });
  dropDebugInfo(*root);

  NumberedLocations numbers;
  numbers.replaceLocations(*root);
  llvm::LLVMContext llvmContext;
  std::unique_ptr<llvm::Module> code;
  std::vector<CodeGenError> errors;
  std::optional<std::string> text;
  {
    DelayedDiagnostics diagnostics(context, numbers);
    gpu::GPUModuleOp kernels;
    if (mlir::failed(verify(*root)) ||
        mlir::failed(runPasses(*root, kernels, *chip, options)))
      return fail(failed);
    addScopes(kernels);
    code = translateModuleToLLVMIR(kernels, llvmContext);
    if (!code) {
      if (!diagnostics.hasErrors())
        kernels.emitError("the module cannot be translated to LLVM IR");
      return fail(failed);
    }
    for (llvm::Function &function : *code)
      if (!function.isDeclaration() &&
          function.getCallingConv() != llvm::CallingConv::PTX_Kernel)
        function.setLinkage(llvm::GlobalValue::InternalLinkage);
    takeSharedOfLaunch(*code);
    alignSharedTiles(*code);
    CodeGenOptions generator;
    generator.target = *chip;
    generator.ptxVersion =
        options.ptxVersion ? options.ptxVersion : ptxVersionOf(says->features);
    generator.optLevel = options.optLevel;
    generator.libdevice = options.libdevice;
    generator.locations = options.locations;
    text = generatePTX(*code, generator, errors);
    if (!text) {
      for (const CodeGenError &error : errors) {
        Operation *function = error.function.empty()
                                  ? nullptr
                                  : kernels.lookupSymbol(error.function);
        Location around = function ? function->getLoc() : kernels.getLoc();
        mlir::emitError(numbers.restore(error.line, numbers.restore(around)))
            << error.message;
      }
      return fail(failed);
    }
  }
  LoweredModule lowered =
      takeText(*text, options.locations ? numbers.takePlaces()
                                        : std::vector<LoweredPlace>());
  lowered.target = *chip;
  return lowered;
}
