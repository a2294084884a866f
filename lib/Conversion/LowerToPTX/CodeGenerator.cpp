//===- CodeGenerator.cpp - PTX text of an LLVM module ---------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A fatal error comes through LLVM's handler, a crash as a signal; both end in
// CrashRecoveryContext, and what the code generator had allocated is lost then.
// Where the oldest release of PTX that has the target lacks an instruction, the
// newest is tried. LLVM knows of its own instructions; those in inline assembly
// are looked at when the text is there.
//
// LLVM merges equal instructions at the ends of two branches, and what comes of
// them has no place then. Instructions that are looked for in the text are kept
// apart by an attribute of their calls, with or without locations in the text.
//
//===----------------------------------------------------------------------===//

#include "CodeGenerator.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "ptxbench/Dialect/PTX/IR/PTXDialect.h"
#include "ptxbench/ISA/Instruction.h"
#include "ptxbench/Target/PTX/Import.h"

#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/Internalize.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

extern "C" {
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

namespace ptxbench {

static const Triple nvptx("nvptx64-nvidia-cuda");

/// The newest release that this tool reads.
static constexpr unsigned newestVersion = 90;

/// Null if the program that this is in has LLVM twice, and the other one knows
/// NVPTX.
static const llvm::Target *getTarget() {
  static const llvm::Target *target = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    std::string error;
    return TargetRegistry::lookupTarget(nvptx, error);
  }();
  return target;
}

bool isKnownToLLVM(StringRef target) {
  const llvm::Target *backEnd = getTarget();
  if (!backEnd)
    return false;
  std::unique_ptr<MCSubtargetInfo> info(
      backEnd->createMCSubtargetInfo(nvptx, "", ""));
  return info && info->isCPUStringValid(target);
}

/// Whether LLVM can write the release of PTX; one that it does not know it
/// would leave out with a warning on the standard error.
static bool hasVersion(unsigned version) {
  std::unique_ptr<MCSubtargetInfo> info(
      getTarget()->createMCSubtargetInfo(nvptx, "", ""));
  std::string feature = "ptx" + std::to_string(version);
  return info && any_of(info->getAllProcessorFeatures(),
                        [&](const SubtargetFeatureKV &known) {
                          return feature == known.Key;
                        });
}

Expected<std::string> chooseTarget(StringRef option, StringRef module) {
  auto fail = [](const Twine &message) {
    return createStringError(inconvertibleErrorCode(), message);
  };
  if (!option.empty() && !module.empty() && option != module)
    return fail("the target " + option + " contradicts that of the module, " +
                module);
  StringRef target = !option.empty()   ? option
                     : !module.empty() ? module
                                       : StringRef("sm_90a");
  if (!getTarget())
    return fail("this program's LLVM has no target nvptx64; is LLVM linked "
                "into it twice?");
  if (!parseTargetArch(target))
    return fail("expected a target such as sm_90a but got '" + target + "'");
  if (!isKnownToLLVM(target))
    return fail("LLVM has no target " + target);
  return target.str();
}

unsigned ptxVersionOf(StringRef features) {
  SmallVector<StringRef> all;
  features.split(all, ',');
  unsigned version = 0;
  for (StringRef feature : all)
    if (feature.trim().consume_front("+ptx"))
      feature.trim().drop_front(4).getAsInteger(10, version);
  return version;
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

namespace {
/// Keeps what LLVM has to say about a module.
class ErrorKeeper : public DiagnosticHandler {
public:
  explicit ErrorKeeper(std::vector<CodeGenError> &errors) : errors(errors) {}

  bool handleDiagnostics(const DiagnosticInfo &info) override {
    if (info.getSeverity() != DS_Error)
      return true;
    CodeGenError error;
    raw_string_ostream os(error.message);
    if (auto *unsupported = dyn_cast<DiagnosticInfoUnsupported>(&info)) {
      StringRef file;
      unsigned column;
      unsupported->getLocation(file, error.line, column);
      error.function = unsupported->getFunction().getName().str();
      os << unsupported->getMessage();
    } else {
      DiagnosticPrinterRawOStream printer(os);
      info.print(printer);
    }
    errors.push_back(std::move(error));
    return true;
  }

private:
  std::vector<CodeGenError> &errors;
};

/// The message of a fatal error, while the code generator runs.
struct FatalError {
  std::string message;

  static void handle(void *self, const char *reason, bool) {
    static_cast<FatalError *>(self)->message = reason;
    if (CrashRecoveryContext *context = CrashRecoveryContext::GetCurrent())
      context->HandleExit(1);
  }
};
} // namespace

/// Finds out what a fatal error is about.
static CodeGenError explain(StringRef message, const Module &module) {
  CodeGenError error;
  auto [first, rest] = message.split('\n');
  error.message = first.rtrim().str();
  if (size_t at = rest.find("In function: "); at != StringRef::npos)
    error.function = rest.drop_front(at + 13).split('\n').first.trim().str();
  StringRef intrinsic = first;
  if (intrinsic.consume_front("Cannot select: intrinsic %")) {
    error.message = intrinsic.str();
    for (const Function &function : module)
      for (const Instruction &inst : instructions(function)) {
        auto *call = dyn_cast<IntrinsicInst>(&inst);
        if (!call ||
            Intrinsic::getBaseName(call->getIntrinsicID()) != intrinsic)
          continue;
        error.function = function.getName().str();
        if (call->getDebugLoc())
          error.line = call->getDebugLoc().getLine();
        return error;
      }
  }
  if (const Function *function = module.getFunction(error.function))
    if (const DISubprogram *scope = function->getSubprogram())
      error.line = scope->getLine();
  return error;
}

//===----------------------------------------------------------------------===//
// Passes and code
//===----------------------------------------------------------------------===//

static bool isOfLibdevice(const Function &function) {
  return function.isDeclaration() && function.getName().starts_with("__nv_");
}

static bool needsLibdevice(const Module &module) {
  return any_of(module, isOfLibdevice);
}

/// What is wrong with libdevice, said of the first call of it.
static CodeGenError blameCall(const Module &module, std::string message) {
  CodeGenError error;
  error.message = std::move(message);
  for (const Function &function : module)
    for (const Instruction &inst : instructions(function)) {
      auto *call = dyn_cast<CallBase>(&inst);
      const Function *callee = call ? call->getCalledFunction() : nullptr;
      if (!callee || !isOfLibdevice(*callee))
        continue;
      error.function = function.getName().str();
      if (inst.getDebugLoc())
        error.line = inst.getDebugLoc().getLine();
      return error;
    }
  return error;
}

/// Puts the functions of libdevice that are called into the module.
static std::optional<std::string> linkLibdevice(Module &module,
                                                StringRef path) {
  if (path.empty())
    return "a function like exp or log on the device needs libdevice.10.bc of "
           "the CUDA toolkit, which was not found ('--cuda-path' of the "
           "runner, or 'libdevice' of the pass, says where it is)";
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> library =
      parseIRFile(path, diagnostic, module.getContext());
  if (!library)
    return ("cannot read '" + path + "'").str();
  library->setTargetTriple(module.getTargetTriple());
  library->setDataLayout(module.getDataLayout());
  bool failed = Linker(module).linkInModule(
      std::move(library), Linker::Flags::LinkOnlyNeeded,
      [](Module &linked, const StringSet<> &names) {
        internalizeModule(linked, [&](const GlobalValue &value) {
          return !value.hasName() || !names.contains(value.getName());
        });
      });
  if (failed)
    return ("cannot link '" + path + "'").str();
  return std::nullopt;
}

static void runPasses(Module &module, TargetMachine &machine, unsigned level) {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  OptimizationLevel levels[] = {OptimizationLevel::O0, OptimizationLevel::O1,
                                OptimizationLevel::O2, OptimizationLevel::O3};
  ModulePassManager passes =
      level == 0
          ? builder.buildO0DefaultPipeline(levels[0])
          : builder.buildPerModuleDefaultPipeline(levels[std::min(level, 3u)]);
  passes.run(module, modules);
}

/// An instruction without a place would seem to be of the place before it.
static void markUnknownPlaces(Module &module) {
  for (Function &function : module)
    if (DISubprogram *scope = function.getSubprogram())
      for (Instruction &inst : instructions(function))
        if (!inst.getDebugLoc())
          inst.setDebugLoc(DILocation::get(module.getContext(), 0, 0, scope));
}

/// Gives calls that stand for an instruction with an effect their lines as an
/// attribute, so that those of different lines are different.
static void keepPlacesApart(Module &module) {
  for (Function &function : module)
    for (Instruction &inst : instructions(function)) {
      auto *call = dyn_cast<CallBase>(&inst);
      const Function *callee = call ? call->getCalledFunction() : nullptr;
      if (!call || !inst.getDebugLoc() ||
          !(call->isInlineAsm() ||
            (callee && callee->getName().starts_with("llvm.nvvm."))) ||
          (call->doesNotAccessMemory() && !call->isConvergent()))
        continue;
      call->addFnAttr(
          Attribute::get(module.getContext(), "ptxbench-place",
                         std::to_string(inst.getDebugLoc().getLine())));
    }
}

/// One try. The errors of the last one count.
static std::optional<std::string> generate(const Module &original,
                                           const CodeGenOptions &options,
                                           unsigned version,
                                           std::vector<CodeGenError> &errors) {
  std::string features = version ? "+ptx" + std::to_string(version) : "";
  std::unique_ptr<Module> module = CloneModule(original);
  keepPlacesApart(*module);
  if (!options.locations)
    StripDebugInfo(*module);
  LLVMContext &context = module->getContext();
  std::unique_ptr<DiagnosticHandler> before = context.getDiagnosticHandler();
  context.setDiagnosticHandler(std::make_unique<ErrorKeeper>(errors));

  std::unique_ptr<TargetMachine> machine;
  std::string text;
  FatalError fatal;
  install_fatal_error_handler(FatalError::handle, &fatal);
  CrashRecoveryContext::Enable();
  bool survived = CrashRecoveryContext().RunSafely([&] {
    machine.reset(getTarget()->createTargetMachine(
        nvptx, options.target, features, TargetOptions(), std::nullopt,
        std::nullopt, CodeGenOptLevel::Aggressive));
    module->setTargetTriple(nvptx);
    module->setDataLayout(machine->createDataLayout());
    std::optional<unsigned> level = options.optLevel;
    if (needsLibdevice(*module)) {
      if (auto unlinked = linkLibdevice(*module, options.libdevice)) {
        errors.push_back(blameCall(*module, std::move(*unlinked)));
        return;
      }
      level = level.value_or(3);
    }
    if (level)
      runPasses(*module, *machine, *level);
    markUnknownPlaces(*module);
    SmallString<0> buffer;
    raw_svector_ostream os(buffer);
    legacy::PassManager passes;
    if (machine->addPassesToEmitFile(passes, os, nullptr,
                                     CodeGenFileType::AssemblyFile)) {
      errors.push_back({"the target writes no assembly", 0, ""});
      return;
    }
    passes.run(*module);
    text = buffer.str().str();
  });
  CrashRecoveryContext::Disable();
  remove_fatal_error_handler();
  if (!survived) {
    if (fatal.message.empty())
      errors.push_back({"LLVM crashed on this module", 0, ""});
    else
      errors.push_back(explain(fatal.message, *module));
    errors.back().message =
        "LLVM has no PTX for this on " + options.target +
        (version ? " (PTX " + std::to_string(version / 10) + "." +
                       std::to_string(version % 10) + ")"
                 : "") +
        ": " + errors.back().message;
    // Their state is unknown.
    (void)module.release();
    (void)machine.release();
  }
  context.setDiagnosticHandler(std::move(before));
  if (!errors.empty())
    return std::nullopt;
  return text;
}

/// Says what kernels have that LLVM would make no PTX of, or never end with.
static void checkKernels(const Module &module,
                         std::vector<CodeGenError> &errors) {
  // What a launch has room for, whatever the device.
  constexpr uint64_t mostBytes = 32764;
  for (const Function &function : module) {
    if (function.isDeclaration() ||
        function.getCallingConv() != CallingConv::PTX_Kernel)
      continue;
    const DISubprogram *scope = function.getSubprogram();
    auto fail = [&](const Twine &message) {
      errors.push_back(
          {("kernel '" + function.getName() + "': ").str() + message.str(),
           scope ? scope->getLine() : 0, function.getName().str()});
    };
    if (!function.getReturnType()->isVoidTy())
      fail("a kernel has no result");
    uint64_t bytes = 0;
    for (const Argument &argument : function.args()) {
      Type *type = argument.getType();
      if (Type *byValue = argument.getParamByValType())
        type = byValue;
      unsigned bits = type->isIntegerTy() ? type->getIntegerBitWidth() : 0;
      if (bits > 1 && bits < 64 && (bits < 8 || !isPowerOf2_32(bits)))
        fail("parameter " + Twine(argument.getArgNo()) + " has " + Twine(bits) +
             " bits, which no type of PTX has");
      uint64_t size = module.getDataLayout().getTypeAllocSize(type);
      bytes = SaturatingAdd(bytes, size);
    }
    if (bytes > mostBytes)
      fail("the parameters have " + Twine(bytes) +
           " bytes, and a launch has room for " + Twine(mostBytes));
  }
}

/// Whether the text will have lines that LLVM has not read.
static bool hasInlineAsm(const Module &module) {
  return any_of(module, [](const Function &function) {
    return any_of(instructions(function), [](const Instruction &inst) {
      auto *call = dyn_cast<CallBase>(&inst);
      return call && call->isInlineAsm();
    });
  });
}

/// The errors that this tool finds in a text.
static unsigned countErrors(StringRef text) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<ptx::PTXDialect>();
  unsigned errors = 0;
  (void)importPTX(MemoryBufferRef(text, "lowered.ptx"), &context,
                  [&](const syntax::Diagnostic &diagnostic) {
                    errors += diagnostic.severity == syntax::Severity::Error;
                  });
  return errors;
}

std::optional<std::string> generatePTX(const Module &module,
                                       const CodeGenOptions &options,
                                       std::vector<CodeGenError> &errors) {
  if (options.ptxVersion && !hasVersion(options.ptxVersion)) {
    errors.push_back(
        {"LLVM has no release " + std::to_string(options.ptxVersion / 10) +
             "." + std::to_string(options.ptxVersion % 10) +
             " of PTX ('ptx-version=" + std::to_string(options.ptxVersion) +
             "' or '+ptx" + std::to_string(options.ptxVersion) + "')",
         0, ""});
    return std::nullopt;
  }
  checkKernels(module, errors);
  if (!errors.empty())
    return std::nullopt;
  std::optional<std::string> text =
      generate(module, options, options.ptxVersion, errors);
  if (options.ptxVersion)
    return text;
  if (!text) {
    errors.clear();
    return generate(module, options, newestVersion, errors);
  }
  unsigned wrong = hasInlineAsm(module) ? countErrors(*text) : 0;
  if (wrong == 0)
    return text;
  std::vector<CodeGenError> ignored;
  std::optional<std::string> newest =
      generate(module, options, newestVersion, ignored);
  return newest && countErrors(*newest) < wrong ? newest : text;
}

} // namespace ptxbench
