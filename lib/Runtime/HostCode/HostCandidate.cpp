//===- HostCandidate.cpp - Host code in LLVM IR, compiled and called ------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Only the functions of the table can be called: the JIT looks nowhere else.
// Constructors load the kernels. They are taken out of the module's list and
// called from here, since a call that fails leaves by a jump.
//
//===----------------------------------------------------------------------===//

#include "../Worker/Candidate.h"
#include "../Worker/WorkScope.h"
#include "HostFunctions.h"
#include "ptxbench/Runtime/HostCode.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

#include <deque>

using namespace llvm;
using namespace ptxbench;

namespace {

/// A parameter of the entry.
struct Parameter {
  /// "memref", or the type of a number.
  std::string type;
  /// -1: any.
  std::vector<int64_t> extents;
};

class HostCandidate : public Candidate {
public:
  Error load(const RunRequest &request, int device, void *stream);
  Error call(ArrayRef<CandidateTensor> tensors) override;

private:
  void readMetadata(const Module &code, hostCode::Settings &settings);
  Error compile(std::unique_ptr<Module> code, orc::ThreadSafeContext context);

  std::vector<Parameter> parameters;
  std::unique_ptr<orc::LLJIT> jit;
  int (*entry)(void **) = nullptr;
};

} // namespace

void HostCandidate::readMetadata(const Module &code,
                                 hostCode::Settings &settings) {
  auto text = [](const MDOperand &operand) {
    auto *string = dyn_cast<MDString>(operand);
    return string ? string->getString().str() : std::string();
  };
  if (NamedMDNode *places = code.getNamedMetadata("ptxbench.places"))
    for (MDNode *node : places->operands())
      settings.places.push_back(text(node->getOperand(0)));
  if (NamedMDNode *types = code.getNamedMetadata("ptxbench.arguments"))
    for (MDNode *node : types->operands()) {
      Parameter &parameter = parameters.emplace_back();
      parameter.type = text(node->getOperand(0));
      for (const MDOperand &operand : drop_begin(node->operands()))
        if (auto *extent = mdconst::dyn_extract<ConstantInt>(operand))
          parameter.extents.push_back(extent->getSExtValue());
    }
}

/// Optimises code as for a program that is compiled ahead of time.
static void optimize(Module &code, TargetMachine &machine) {
  PassBuilder builder(&machine);
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildPerModuleDefaultPipeline(OptimizationLevel::O2)
      .run(code, modules);
}

/// Makes constructors functions that can be looked up, and gives their names.
static std::vector<std::string> takeConstructors(Module &code) {
  std::vector<std::string> names;
  for (auto constructor : orc::getConstructors(code)) {
    Function *function = constructor.Func;
    if (!function)
      continue;
    function->setLinkage(GlobalValue::ExternalLinkage);
    names.push_back(function->getName().str());
  }
  for (StringRef list : {"llvm.global_ctors", "llvm.global_dtors"})
    if (GlobalVariable *variable = code.getGlobalVariable(list))
      variable->eraseFromParent();
  return names;
}

/// Does `body`, in which LLVM may end the process by a message; that is the
/// result then, and what was being done stays as it is.
static std::optional<std::string> catchFatalError(function_ref<void()> body) {
  std::string message;
  install_fatal_error_handler(
      [](void *out, const char *reason, bool) {
        *static_cast<std::string *>(out) = reason;
        if (CrashRecoveryContext *context = CrashRecoveryContext::GetCurrent())
          context->HandleExit(1);
      },
      &message);
  CrashRecoveryContext::Enable();
  bool survived = CrashRecoveryContext().RunSafely(body);
  CrashRecoveryContext::Disable();
  remove_fatal_error_handler();
  if (survived)
    return std::nullopt;
  return message.empty() ? "LLVM crashed" : message;
}

Error HostCandidate::compile(std::unique_ptr<Module> code,
                             orc::ThreadSafeContext context) {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  auto target = orc::JITTargetMachineBuilder::detectHost();
  if (!target)
    return target.takeError();
  auto machine = target->createTargetMachine();
  if (!machine)
    return machine.takeError();
  auto made = orc::LLJITBuilder()
                  .setJITTargetMachineBuilder(*target)
                  .setLinkProcessSymbolsByDefault(false)
                  .setPlatformSetUp(orc::setUpInactivePlatform)
                  .create();
  if (!made)
    return made.takeError();
  jit = std::move(*made);
  code->setDataLayout(jit->getDataLayout());
  code->setTargetTriple(jit->getTargetTriple());
  std::string wrong;
  raw_string_ostream os(wrong);
  if (verifyModule(*code, &os))
    return makeFailure("LOAD_FAILED", "the host code is not valid: " + wrong);
  std::vector<std::string> constructors = takeConstructors(*code);
  optimize(*code, **machine);

  orc::SymbolMap symbols;
  for (const hostCode::HostFunction &function : hostCode::functions())
    if (function.address)
      symbols[jit->mangleAndIntern(function.name)] = {
          orc::ExecutorAddr::fromPtr(function.address),
          JITSymbolFlags::Exported | JITSymbolFlags::Callable};
  if (Error error = jit->getMainJITDylib().define(
          orc::absoluteSymbols(std::move(symbols))))
    return error;
  if (Error error = jit->addIRModule(
          orc::ThreadSafeModule(std::move(code), std::move(context))))
    return error;
  Error missing = Error::success();
  if (std::optional<std::string> fatal = catchFatalError([&] {
        if (auto found = jit->lookup("ptxbenchEntry"))
          entry = found->toPtr<int (*)(void **)>();
        else
          missing = found.takeError();
      })) {
    consumeError(std::move(missing));
    // Its state is unknown.
    (void)jit.release();
    return makeFailure("LOAD_FAILED",
                       "LLVM has no code of this machine for the host code: " +
                           *fatal);
  }
  if (missing)
    return missing;
  for (const std::string &name : constructors) {
    auto constructor = jit->lookup(name);
    if (!constructor)
      return constructor.takeError();
    auto *function = constructor->toPtr<void (*)()>();
    WorkScope scope(WorkOwner::Candidate);
    if (Error error = hostCode::guard([&] { function(); }))
      return error;
  }
  return Error::success();
}

Error HostCandidate::load(const RunRequest &request, int device, void *stream) {
  auto file = MemoryBuffer::getFile(request.library);
  if (!file)
    return makeFailure("LOAD_FAILED", "cannot read '" + request.library +
                                          "': " + file.getError().message());
  auto context = std::make_unique<LLVMContext>();
  Expected<std::unique_ptr<Module>> code = parseBitcodeFile(**file, *context);
  if (!code)
    return makeFailure("LOAD_FAILED", toString(code.takeError()));
  hostCode::Settings settings;
  settings.device = device;
  settings.isOneStream = !request.tensors.empty();
  settings.stream = stream;
  readMetadata(**code, settings);
  hostCode::configure(std::move(settings));
  if (Error error = hostCode::openDriver())
    return error;
  Error error =
      compile(std::move(*code), orc::ThreadSafeContext(std::move(context)));
  if (!error || error.isA<RuntimeFailure>())
    return error;
  return makeFailure("LOAD_FAILED", toString(std::move(error)));
}

/// The value of a number as the type of its parameter.
static void storeScalar(const ArgumentSpec &spec, StringRef type,
                        uint64_t &place) {
  if (type == "f32") {
    float value = float(spec.value);
    std::memcpy(&place, &value, sizeof(value));
  } else if (type == "f64") {
    std::memcpy(&place, &spec.value, sizeof(spec.value));
  } else {
    place = uint64_t(int64_t(spec.value));
  }
}

static std::string shapeText(ArrayRef<int64_t> extents) {
  std::string text;
  for (int64_t extent : extents)
    text += (text.empty() ? "" : "x") +
            (extent < 0 ? std::string("?") : std::to_string(extent));
  return text.empty() ? "no extents" : text;
}

Error HostCandidate::call(ArrayRef<CandidateTensor> tensors) {
  if (tensors.size() != parameters.size())
    return makeFailure("", "the function takes " + Twine(parameters.size()) +
                               " arguments but is called with " +
                               Twine(tensors.size()));
  // Deques keep addresses.
  std::deque<std::vector<int64_t>> descriptors;
  std::deque<uint64_t> values;
  std::vector<void *> arguments;
  for (auto [tensor, parameter] : zip(tensors, parameters)) {
    const ArgumentSpec &spec = *tensor.spec;
    uint64_t &value = values.emplace_back(0);
    arguments.push_back(&value);
    if (spec.isScalar()) {
      storeScalar(spec, parameter.type, value);
      continue;
    }
    bool fits = parameter.extents.size() == spec.shape.size();
    for (size_t axis = 0; fits && axis < spec.shape.size(); ++axis)
      fits &= parameter.extents[axis] < 0 ||
              parameter.extents[axis] == spec.shape[axis];
    if (!fits)
      return makeFailure(
          "", "the function takes '" + spec.name + "' as a memref of " +
                  shapeText(parameter.extents) + " but the workload has " +
                  shapeText(spec.shape));
    // The pointer twice, the offset, the extents, the strides.
    std::vector<int64_t> &descriptor = descriptors.emplace_back();
    auto address = int64_t(reinterpret_cast<uintptr_t>(tensor.data));
    descriptor = {address, address, 0};
    descriptor.insert(descriptor.end(), spec.shape.begin(), spec.shape.end());
    descriptor.resize(descriptor.size() + spec.shape.size(), 1);
    for (size_t axis = spec.shape.size(); axis-- > 1;) {
      size_t stride = 3 + spec.shape.size() + axis;
      descriptor[stride - 1] = descriptor[stride] * spec.shape[axis];
    }
    value = reinterpret_cast<uintptr_t>(descriptor.data());
  }
  WorkScope scope(WorkOwner::Candidate);
  int result = 0;
  if (Error error = hostCode::guard([&] { result = entry(arguments.data()); }))
    return error;
  if (result != 0)
    return makeFailure("EXIT_STATUS",
                       "the program ended with the value " + Twine(result));
  return Error::success();
}

static Expected<std::unique_ptr<Candidate>>
loadHostCode(const RunRequest &request, int device, void *stream) {
  auto candidate = std::make_unique<HostCandidate>();
  if (Error error = candidate->load(request, device, stream))
    return Expected<std::unique_ptr<Candidate>>(std::move(error));
  return std::unique_ptr<Candidate>(std::move(candidate));
}

void ptxbench::enableHostCode() { setHostCodeLoader(&loadHostCode); }
