//===- HostedCandidate.cpp - Candidates in MLIR with host code ------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parameters of a task's function are checked against the definition, by
// position: inputs, then outputs. Extents that a memref fixes are checked when
// it is called, since they depend on the workload.
//
//===----------------------------------------------------------------------===//

#include "HostedCandidate.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "ptxbench/Analysis/OpModels.h"
#include "ptxbench/Dialect/PTX/IR/PTXDialect.h"
#include "ptxbench/Support/NestingDepth.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace ptxbench {

static DialectRegistry makeRegistry() {
  DialectRegistry registry;
  registerLoweringDialects(registry);
  registerHostDialects(registry);
  registry.insert<ptx::PTXDialect>();
  registerOpModels(registry);
  return registry;
}

HostedCandidate::HostedCandidate()
    : context(makeRegistry(), MLIRContext::Threading::DISABLED) {
  // Passes make operations of dialects that the file does not have.
  context.loadAllAvailableDialects();
  context.printOpOnDiagnostic(false);
}

namespace {
/// Keeps errors and warnings as text, with their notes.
class ErrorCollector {
public:
  ErrorCollector(MLIRContext &context, std::string &errors,
                 std::vector<std::string> &warnings)
      : handler(&context, [&](Diagnostic &diagnostic) {
          std::string text;
          llvm::raw_string_ostream os(text);
          print(diagnostic, os);
          for (Diagnostic &note : diagnostic.getNotes())
            print(note, os);
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
            errors += text;
          else if (diagnostic.getSeverity() == DiagnosticSeverity::Warning)
            warnings.push_back(llvm::StringRef(text).rtrim('\n').str());
          return success();
        }) {}

private:
  static void print(Diagnostic &diagnostic, llvm::raw_ostream &os) {
    if (auto at = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>())
      // A module without its own line has 0.
      os << at.getFilename().getValue()
         << (at.getLine() ? ":" + std::to_string(at.getLine()) + ":" +
                                std::to_string(at.getColumn())
                          : "")
         << ": ";
    os << (diagnostic.getSeverity() == DiagnosticSeverity::Error ? "error: "
           : diagnostic.getSeverity() == DiagnosticSeverity::Warning
               ? "warning: "
               : "note: ")
       << diagnostic << "\n";
  }

  ScopedDiagnosticHandler handler;
};
} // namespace

std::string HostedCandidate::firstError() const {
  return llvm::StringRef(text).split('\n').first.str();
}

HostedCandidate::Form HostedCandidate::load(llvm::StringRef path) {
  ErrorCollector collector(context, text, warningTexts);
  if (llvm::Error error = checkFileNestingDepth(path, NestedText::MLIR)) {
    text = llvm::toString(std::move(error)) + "\n";
    return Form::Invalid;
  }
  parsed = parseSourceFile<ModuleOp>(path, ParserConfig(&context));
  if (!parsed)
    return Form::Invalid;
  return hasHostCode(*parsed) ? Form::Hosted : Form::KernelsOnly;
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

/// The type that elements of a tensor have in MLIR.
static Type elementType(MLIRContext *context, ElementType type) {
  switch (type) {
  case ElementType::Float64:
    return Float64Type::get(context);
  case ElementType::Float32:
    return Float32Type::get(context);
  case ElementType::Float16:
    return Float16Type::get(context);
  case ElementType::BFloat16:
    return BFloat16Type::get(context);
  case ElementType::Float8E4M3:
    return Float8E4M3FNType::get(context);
  case ElementType::Float8E5M2:
    return Float8E5M2Type::get(context);
  default:
    return IntegerType::get(context, unsigned(8 * sizeOf(type)));
  }
}

bool HostedCandidate::checkArguments(func::FuncOp function,
                                     const Definition &task) {
  std::vector<const TensorSpec *> wanted;
  for (const TensorSpec &spec : task.inputs)
    wanted.push_back(&spec);
  for (const TensorSpec &spec : task.outputs)
    wanted.push_back(&spec);
  if (function.getNumArguments() != wanted.size() ||
      function.getNumResults() != 0) {
    function.emitError("expected ")
        << wanted.size() << " parameters, the inputs and then the outputs of '"
        << task.name << "', and no result, but got "
        << function.getFunctionType();
    return false;
  }
  for (auto [spec, argument] : llvm::zip(wanted, function.getArguments())) {
    Type element = elementType(&context, spec->type), type = argument.getType();
    std::string expected;
    llvm::raw_string_ostream os(expected);
    bool fits;
    if (spec->isScalar) {
      bool isNumber = spec->type == ElementType::Float32 ||
                      spec->type == ElementType::Float64 ||
                      !isFloat(spec->type);
      fits = isNumber &&
             (isFloat(spec->type) ? type == element
                                  : type.isIndex() || type.isInteger());
      os << element;
      if (!isFloat(spec->type))
        os << " or index";
    } else {
      auto memref = dyn_cast<MemRefType>(type);
      fits = memref && memref.getLayout().isIdentity() &&
             !memref.getMemorySpace() &&
             memref.getRank() == int64_t(spec->shape.size()) &&
             memref.getElementType() == element;
      os << "memref<";
      for (size_t axis = 0; axis < spec->shape.size(); ++axis)
        os << "?x";
      os << element << ">";
    }
    if (fits)
      continue;
    mlir::emitError(argument.getLoc(), "expected ")
        << expected << " for '" << spec->name << "' but got " << type;
    return false;
  }
  return true;
}

bool HostedCandidate::choose(llvm::StringRef function, const Definition *task) {
  ErrorCollector collector(context, text, warningTexts);
  FailureOr<HostModule> parted = HostModule::create(std::move(parsed));
  if (failed(parted))
    return false;
  module.emplace(std::move(*parted));
  entry = module->findFunction(function);
  if (!entry)
    return false;
  if (task)
    return checkArguments(entry, *task);
  FunctionType type = entry.getFunctionType();
  if (type.getNumInputs() == 0 &&
      (type.getNumResults() == 0 ||
       (type.getNumResults() == 1 && type.getResult(0).isInteger(32))))
    return true;
  entry.emitError("a program begins with a function of type () -> () or () -> "
                  "i32 but '")
      << function << "' has " << type
      << "; with --task it is a function of the task's tensors";
  return false;
}

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

std::optional<LoweredModule>
HostedCandidate::lowerKernels(llvm::StringRef target,
                              llvm::StringRef libdevice) {
  ErrorCollector collector(context, text, warningTexts);
  gpu::GPUModuleOp kernels = module->kernels();
  if (!kernels) {
    entry.emitError("the module has no kernel");
    return std::nullopt;
  }
  LoweringOptions options;
  options.target = target.str();
  options.libdevice = libdevice.str();
  llvm::Expected<LoweredModule> lowered = lowerToPTX(kernels, options);
  if (lowered)
    return std::move(*lowered);
  std::string message = llvm::toString(lowered.takeError());
  if (text.empty())
    kernels.emitError(message);
  return std::nullopt;
}

std::optional<std::string> HostedCandidate::lowerHost(llvm::StringRef target,
                                                      llvm::StringRef binary) {
  ErrorCollector collector(context, text, warningTexts);
  FailureOr<std::string> bitcode = module->lower(entry, target, binary);
  if (failed(bitcode))
    return std::nullopt;
  return std::move(*bitcode);
}

} // namespace ptxbench
