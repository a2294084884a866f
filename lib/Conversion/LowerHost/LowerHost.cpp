//===- LowerHost.cpp - Host code of MLIR modules, as LLVM IR --------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//  1. linalg becomes loops, launches with a body become kernels. Each launch
//     leaves a module of its own; these are merged into one.
//  2. In the place of the kernels' module a gpu.binary takes what was compiled
//     of it; the rest goes to the LLVM dialect as in upstream's pipeline.
//  3. In front of each call that may fail stands one of `ptxbenchPlace` with
//     the number of its place, for messages.
//  4. MLIR's translation makes LLVM IR: it loads the binary in a constructor.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Conversion/LowerHost.h"
#include "ptxbench/Analysis/OpModels.h"
#include "ptxbench/Dialect/PTX/IR/KernelFunction.h"
#include "ptxbench/Support/Spelling.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/GPUCommon/GPUCommonPass.h"
#include "mlir/Conversion/GPUCommon/GPUToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/NVGPUToNVVM/NVGPUToNVVM.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace ptxbench;
using llvm::SmallVector;
using llvm::StringRef;

static constexpr llvm::StringLiteral placeFunction = "ptxbenchPlace";

void ptxbench::registerHostDialects(DialectRegistry &registry) {
  gpu::registerConvertGpuToLLVMInterface(registry);
  gpu::registerOffloadingLLVMTranslationInterfaceExternalModels(registry);
}

bool ptxbench::hasHostCode(ModuleOp module) {
  return llvm::any_of(module.getOps<func::FuncOp>(), [](func::FuncOp function) {
    return !function.isExternal();
  });
}

//===----------------------------------------------------------------------===//
// Parting
//===----------------------------------------------------------------------===//

gpu::GPUModuleOp HostModule::kernels() {
  auto modules = module->getOps<gpu::GPUModuleOp>();
  return modules.empty() ? gpu::GPUModuleOp() : *modules.begin();
}

func::FuncOp HostModule::findFunction(StringRef name) {
  auto function = module->lookupSymbol<func::FuncOp>(name);
  if (function && !function.isExternal())
    return function;
  InFlightDiagnostic error = emitError(module->getLoc());
  error << "expected a function '" << name << "' with a body";
  std::string names;
  for (func::FuncOp other : module->getOps<func::FuncOp>())
    if (!other.isExternal())
      names += (names.empty() ? "'" : ", '") + other.getName().str() + "'";
  error << " but the module has " << names;
  return nullptr;
}

/// Kernels get a descriptor of TMA as what host code has of it: a pointer to
/// memory of the device.
static void passTensorMapsAsPointers(ModuleOp module) {
  Type pointer = LLVM::LLVMPointerType::get(module.getContext());
  module.walk([&](gpu::GPUFuncOp function) {
    OpBuilder builder = OpBuilder::atBlockBegin(&function.front());
    SmallVector<Type> types(function.getArgumentTypes());
    for (BlockArgument argument : function.getArguments()) {
      Type old = argument.getType();
      if (!isa<nvgpu::TensorMapDescriptorType>(old))
        continue;
      argument.setType(pointer);
      auto cast = UnrealizedConversionCastOp::create(builder, function.getLoc(),
                                                     old, argument);
      argument.replaceAllUsesExcept(cast.getResult(0), cast);
      types[argument.getArgNumber()] = pointer;
    }
    function.setFunctionType(
        builder.getFunctionType(types, function.getResultTypes()));
  });
  module.walk([&](gpu::LaunchFuncOp launch) {
    OpBuilder builder(launch);
    for (OpOperand &operand : launch.getKernelOperandsMutable())
      if (isa<nvgpu::TensorMapDescriptorType>(operand.get().getType()))
        operand.set(UnrealizedConversionCastOp::create(builder, launch.getLoc(),
                                                       pointer, operand.get())
                        .getResult(0));
  });
}

/// Whether an operation on device memory waits for nothing: only those with a
/// token can be lowered.
static bool isBlocking(Operation *op) {
  if (auto alloc = dyn_cast<gpu::AllocOp>(op))
    return !alloc.getAsyncToken() && !alloc.getHostShared();
  return isa<gpu::DeallocOp, gpu::MemcpyOp, gpu::MemsetOp>(op) &&
         !cast<gpu::AsyncOpInterface>(op).getAsyncToken();
}

LogicalResult HostModule::outline() {
  module->walk([&](Operation *op) {
    StringRef dialect = op->getName().getDialectNamespace();
    if (dialect == gpu::GPUDialect::getDialectNamespace() ||
        dialect == nvgpu::NVGPUDialect::getDialectNamespace())
      operationNames.try_emplace(op->getLoc(),
                                 op->getName().getStringRef().str());
  });
  // Of a function with operations of both kinds none can stay as it is.
  bool hasBlocking = false;
  for (func::FuncOp function : module->getOps<func::FuncOp>())
    function.walk([&](Operation *op) { hasBlocking |= isBlocking(op); });

  PassManager manager(module->getContext());
  manager.addPass(createConvertLinalgToLoopsPass());
  manager.addPass(createGpuLaunchSinkIndexComputationsPass());
  manager.addPass(createGpuKernelOutliningPass());
  if (hasBlocking)
    manager.addNestedPass<func::FuncOp>(createGpuAsyncRegionPass());
  if (failed(manager.run(*module)))
    return failure();
  passTensorMapsAsPointers(*module);
  return success();
}

/// Moves the kernels of all modules into the first; where names meet, those
/// that come later get a number.
void HostModule::mergeKernels() {
  SmallVector<gpu::GPUModuleOp> modules(module->getOps<gpu::GPUModuleOp>());
  if (modules.size() < 2)
    return;
  gpu::GPUModuleOp first = modules.front();
  SymbolTable all(first);
  llvm::DenseMap<SymbolRefAttr, SymbolRefAttr> renamed;
  for (gpu::GPUModuleOp other : llvm::drop_begin(modules)) {
    for (Operation &op : llvm::make_early_inc_range(*other.getBody())) {
      auto symbol = dyn_cast<SymbolOpInterface>(&op);
      if (!symbol)
        continue;
      StringAttr old = symbol.getNameAttr(), name = old;
      for (unsigned number = 0;
           all.lookup(name) ||
           (number && SymbolTable::lookupSymbolIn(other, name));)
        name = StringAttr::get(old.getContext(),
                               old.getValue() + "_" + Twine(number++));
      if (name != old) {
        (void)SymbolTable::replaceAllSymbolUses(old, name, other);
        symbol.setName(name);
      }
      renamed[SymbolRefAttr::get(other.getNameAttr(),
                                 {FlatSymbolRefAttr::get(old)})] =
          SymbolRefAttr::get(first.getNameAttr(),
                             {FlatSymbolRefAttr::get(name)});
      op.remove();
      all.insert(&op);
    }
  }
  module->walk([&](gpu::LaunchFuncOp launch) {
    if (auto found = renamed.find(launch.getKernelAttr());
        found != renamed.end())
      launch.setKernelAttr(found->second);
  });
  for (gpu::GPUModuleOp other : llvm::drop_begin(modules))
    other.erase();
}

/// The names that may be called, sorted by who defines them.
static const llvm::SmallVector<StringRef> &knownFunctions() {
  static const llvm::SmallVector<StringRef> names = {
#define PTXBENCH_HOST_FUNCTION(name) #name,
#define PTXBENCH_LIBC_FUNCTION(name) #name,
#include "ptxbench/Conversion/HostFunctions.def"
  };
  return names;
}

/// Whether a name is taken by what is added here, or by what is called.
static bool isReserved(StringRef name) {
  return name.starts_with("ptxbench") || name.starts_with("mgpu") ||
         name.starts_with("_mlir_ciface_");
}

static bool hasCode(Operation *module) {
  return module
      ->walk([](Operation *op) {
        return isa<gpu::GPUModuleOp, func::FuncOp, LLVM::LLVMFuncOp>(op)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether host code has only what can be code of the host, and runs in sight
/// of whoever calls it; says what is not.
static LogicalResult checkHostCode(ModuleOp module) {
  if (module->hasAttr(LLVM::LLVMDialect::getModuleLevelAsmAttrName()))
    return module.emitError("host code may not have assembly, as '")
           << LLVM::LLVMDialect::getModuleLevelAsmAttrName()
           << "' of the module is";
  constexpr const char *nested =
      "beside host code a module stands in no other one, and kernels in a "
      "'gpu.module' at the top";
  WalkResult result =
      module->walk<WalkOrder::PreOrder>([&](Operation *op) -> WalkResult {
        if (auto kernels = dyn_cast<gpu::GPUModuleOp>(op)) {
          for (Operation &inner : *kernels.getBody())
            if (isa<ModuleOp, gpu::GPUModuleOp>(inner))
              return inner.emitError(nested);
          return WalkResult::skip();
        }
        // One without code, for the transform dialect, takes nothing along.
        if (isa<ModuleOp>(op) && op != module && hasCode(op))
          return op->emitError(nested);
        if (isa<LLVM::InlineAsmOp>(op))
          return op->emitError("host code may not have inline assembly");
        if (isa_and_present<NVVM::NVVMDialect>(op->getDialect()))
          return op->emitError("'")
                 << op->getName() << "' is for kernels but stands in host code";
        auto function = dyn_cast<FunctionOpInterface>(op);
        if (function && function.isExternal())
          return WalkResult::advance();
        if (isKernelFunction(op))
          return op->emitError("beside host code a kernel stands in a "
                               "'gpu.module'");
        if (auto global = dyn_cast<LLVM::GlobalOp>(op);
            global && global.getThreadLocal_())
          return op->emitError("host code may not have a variable of a thread");
        auto symbol = dyn_cast<SymbolOpInterface>(op);
        StringRef name = symbol && symbol.getNameAttr()
                             ? symbol.getNameAttr().getValue()
                             : StringRef();
        if (isReserved(name))
          return op->emitError("the name '")
                 << name
                 << "' is reserved: host code may not define names that begin "
                    "with 'ptxbench', 'mgpu' or '_mlir_ciface_'";
        auto linkage = op->getAttrOfType<LLVM::LinkageAttr>("linkage");
        bool isLocal =
            linkage && (linkage.getLinkage() == LLVM::Linkage::Internal ||
                        linkage.getLinkage() == LLVM::Linkage::Private);
        if (!isLocal && llvm::is_contained(knownFunctions(), name))
          return op->emitError("'")
                 << name
                 << "' may not be defined by host code: there is one, of those "
                    "that docs/MLIRHostCode.md lists";
        return WalkResult::advance();
      });
  return failure(result.wasInterrupted());
}

FailureOr<HostModule> HostModule::create(OwningOpRef<ModuleOp> module) {
  HostModule result;
  result.module = std::move(module);
  if (failed(result.outline()) || failed(checkHostCode(*result.module)) ||
      failed(checkLaunches(*result.module)))
    return failure();
  result.mergeKernels();
  return FailureOr<HostModule>(std::move(result));
}

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

LogicalResult HostModule::lowerToLLVM() {
  PassManager manager(module->getContext());
  manager.addPass(createConvertNVGPUToNVVMPass());
  manager.addPass(createConvertVectorToSCFPass());
  manager.addPass(memref::createExpandOpsPass());
  manager.addPass(createSCFToControlFlowPass());
  manager.addPass(memref::createExpandStridedMetadataPass());
  manager.addPass(createLowerAffinePass());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  manager.addPass(createConvertNVVMToLLVMPass());
  manager.addPass(createConvertFuncToLLVMPass());
  manager.addPass(createArithToLLVMConversionPass());
  manager.addPass(createConvertIndexToLLVMPass());
  manager.addPass(createGpuToLLVMConversionPass());
  manager.addPass(createConvertMathToLLVMPass());
  manager.addPass(createConvertMathToLibmPass());
  manager.addPass(createConvertFuncToLLVMPass());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  manager.addPass(createReconcileUnrealizedCastsPass());
  if (failed(manager.run(*module)))
    return failure();
  // What a pass leaves without a word has no way to LLVM IR. Casts are left
  // around it.
  Operation *cast = nullptr;
  WalkResult left = module->walk([&](Operation *op) {
    if (isa<UnrealizedConversionCastOp>(op)) {
      cast = op;
      return WalkResult::advance();
    }
    if (isa<ModuleOp, gpu::BinaryOp, gpu::LaunchFuncOp>(op) ||
        isa_and_present<LLVM::LLVMDialect, NVVM::NVVMDialect>(op->getDialect()))
      return WalkResult::advance();
    op->emitError("host code cannot be lowered with '")
        << op->getName() << "' in it";
    return WalkResult::interrupt();
  });
  if (cast && !left.wasInterrupted())
    return cast->emitError("host code cannot be lowered: values of types that "
                           "do not fit are left");
  return failure(left.wasInterrupted());
}

/// An intrinsic that every target has.
static bool isHostIntrinsic(StringRef name) {
  llvm::Intrinsic::ID id = llvm::Intrinsic::lookupIntrinsicID(name);
  return id != llvm::Intrinsic::not_intrinsic &&
         !llvm::Intrinsic::isTargetIntrinsic(id);
}

LogicalResult HostModule::checkCalls() {
  WalkResult result = module->walk([&](Operation *op) {
    auto function = dyn_cast<LLVM::LLVMFuncOp>(op);
    auto global = dyn_cast<LLVM::GlobalOp>(op);
    if (global && !global.getValueOrNull() &&
        global.getInitializerRegion().empty() &&
        global.getLinkage() == LLVM::Linkage::External &&
        !SymbolTable::symbolKnownUseEmpty(op, *module)) {
      op->emitError("host code is self-contained but the variable '")
          << global.getSymName() << "' has no initial value";
      return WalkResult::interrupt();
    }
    if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op);
        call && !isHostIntrinsic(call.getIntrin())) {
      op->emitError("host code may not call '") << call.getIntrin() << "'";
      return WalkResult::interrupt();
    }
    if (!function || !function.isExternal())
      return WalkResult::advance();
    StringRef name = function.getSymName();
    if (llvm::is_contained(knownFunctions(), name) || isHostIntrinsic(name) ||
        SymbolTable::symbolKnownUseEmpty(op, *module))
      return WalkResult::advance();
    InFlightDiagnostic error = op->emitError("host code may not call '");
    error << name << "'";
    unsigned distance = maxEdits(name) + 1;
    StringRef best;
    for (StringRef known : knownFunctions())
      considerSpelling(name, known, distance, best);
    if (!best.empty())
      error << "; did you mean '" << best << "'?";
    else
      error << ", only what docs/MLIRHostCode.md lists";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// "gemm.mlir:12:3"; empty if nothing is known.
static std::string placeOf(Location loc) {
  auto at = loc->findInstanceOf<FileLineColLoc>();
  if (!at)
    return "";
  return (at.getFilename().getValue() + ":" + Twine(at.getLine()) + ":" +
          Twine(at.getColumn()))
      .str();
}

void HostModule::addPlaces() {
  SmallVector<Operation *> calls;
  module->walk([&](Operation *op) {
    auto call = dyn_cast<LLVM::CallOp>(op);
    if (isa<gpu::LaunchFuncOp>(op) ||
        (call && call.getCallee() && call.getCallee()->starts_with("mgpu")))
      calls.push_back(op);
  });
  if (calls.empty())
    return;
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  Type i32 = builder.getI32Type();
  auto function = LLVM::LLVMFuncOp::create(
      builder, module->getLoc(), placeFunction,
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(module->getContext()),
                                  {i32}));
  llvm::StringMap<int32_t> numbers;
  for (Operation *op : calls) {
    std::string place = placeOf(op->getLoc());
    auto name = operationNames.find(op->getLoc());
    if (name != operationNames.end())
      place += (place.empty() ? "" : ": ") + name->second;
    auto [entry, isNew] = numbers.try_emplace(place, int32_t(places.size()));
    if (isNew)
      places.push_back(place);
    builder.setInsertionPoint(op);
    Value number = LLVM::ConstantOp::create(
        builder, op->getLoc(), i32, builder.getI32IntegerAttr(entry->second));
    LLVM::CallOp::create(builder, op->getLoc(), function, ValueRange{number});
  }
}

/// A type of an argument, for whoever calls the function.
static llvm::MDNode *describe(llvm::LLVMContext &context, Type type) {
  SmallVector<llvm::Metadata *> parts;
  auto memref = dyn_cast<MemRefType>(type);
  std::string text;
  if (memref)
    text = "memref";
  else
    llvm::raw_string_ostream(text) << type;
  parts.push_back(llvm::MDString::get(context, text));
  if (memref)
    for (int64_t extent : memref.getShape())
      parts.push_back(llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(
          llvm::Type::getInt64Ty(context),
          uint64_t(ShapedType::isDynamic(extent) ? -1 : extent))));
  return llvm::MDNode::get(context, parts);
}

/// Defines `ptxbenchEntry`, which calls `name`.
static void addEntry(llvm::Module &code, StringRef name) {
  llvm::Function *callee = code.getFunction(name);
  llvm::LLVMContext &context = code.getContext();
  llvm::Type *pointer = llvm::PointerType::getUnqual(context);
  auto *entry = llvm::Function::Create(
      llvm::FunctionType::get(llvm::Type::getInt32Ty(context), {pointer},
                              /*isVarArg=*/false),
      llvm::GlobalValue::ExternalLinkage, "ptxbenchEntry", code);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "entry", entry));
  SmallVector<llvm::Value *> arguments;
  for (llvm::Argument &argument : callee->args()) {
    llvm::Value *place = builder.CreateLoad(
        pointer, builder.CreateConstGEP1_64(pointer, entry->getArg(0),
                                            argument.getArgNo()));
    arguments.push_back(builder.CreateLoad(argument.getType(), place));
  }
  llvm::Value *result = builder.CreateCall(callee, arguments);
  builder.CreateRet(result->getType()->isIntegerTy(32) ? result
                                                       : builder.getInt32(0));
}

FailureOr<std::string> HostModule::lower(func::FuncOp function,
                                         StringRef target, StringRef binary) {
  MLIRContext *context = module->getContext();
  SmallVector<Type> arguments(function.getArgumentTypes());
  std::string name = function.getName().str();
  function.setPublic();
  if (!arguments.empty()) {
    function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                      UnitAttr::get(context));
    name = "_mlir_ciface_" + name;
  }
  if (gpu::GPUModuleOp device = kernels()) {
    OpBuilder builder(device);
    auto arch = NVVM::NVVMTargetAttr::get(context, /*optLevel=*/3,
                                          "nvptx64-nvidia-cuda", target);
    auto object = gpu::ObjectAttr::get(
        context, arch, gpu::CompilationTarget::Binary,
        StringAttr::get(context, binary), /*properties=*/nullptr,
        /*kernels=*/nullptr);
    gpu::BinaryOp::create(builder, device.getLoc(), device.getName(),
                          gpu::SelectObjectAttr::get(context, Attribute()),
                          ArrayRef<Attribute>{object});
    device.erase();
  }
  if (failed(lowerToLLVM()) || failed(checkCalls()))
    return failure();
  addPlaces();

  llvm::LLVMContext llvmContext;
  std::unique_ptr<llvm::Module> code =
      translateModuleToLLVMIR(*module, llvmContext, "host");
  if (!code)
    return failure();
  auto string = [&](StringRef text) {
    return llvm::MDNode::get(llvmContext,
                             llvm::MDString::get(llvmContext, text));
  };
  addEntry(*code, name);
  llvm::NamedMDNode *types =
      code->getOrInsertNamedMetadata("ptxbench.arguments");
  for (Type type : arguments)
    types->addOperand(describe(llvmContext, type));
  llvm::NamedMDNode *list = code->getOrInsertNamedMetadata("ptxbench.places");
  for (const std::string &place : places)
    list->addOperand(string(place));
  std::string bitcode;
  llvm::raw_string_ostream os(bitcode);
  llvm::WriteBitcodeToFile(*code, os);
  return bitcode;
}
