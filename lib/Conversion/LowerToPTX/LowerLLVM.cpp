//===- LowerLLVM.cpp - From LLVM IR to PTX text ---------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parser knows the line of each instruction; that takes the place of what
// debug information the module has. The rest is as for MLIR.
//
//===----------------------------------------------------------------------===//

#include "CodeGenerator.h"
#include "Places.h"

#include "ptxbench/Support/NestingDepth.h"
#include "llvm/AsmParser/AsmParserContext.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/SourceMgr.h"

#include <set>

using namespace llvm;

namespace ptxbench {

/// "load", "call @llvm.nvvm.barrier0", "call asm".
static std::string nameOf(const Instruction &inst) {
  std::string name = inst.getOpcodeName();
  if (auto *call = dyn_cast<CallBase>(&inst)) {
    if (const Function *callee = call->getCalledFunction())
      name += " @" + callee->getName().str();
    else if (call->isInlineAsm())
      name += " asm";
  }
  return name;
}

namespace {
/// One module on its way.
class LLVMLowering {
public:
  LLVMLowering(MemoryBufferRef buffer, const LoweringOptions &options)
      : path(buffer.getBufferIdentifier()), text(buffer.getBuffer()),
        options(options) {}

  Expected<LoweredModule> lower(MemoryBufferRef buffer);

private:
  bool parse(MemoryBufferRef buffer);
  bool check();
  bool chooseOptions(CodeGenOptions &out);
  void addPlaces();
  unsigned addPlace(std::optional<FileLocRange> range, std::string operation);

  /// "file:line:column: error: what"; without a place the file alone.
  void fail(const LoweredPlace *place, const Twine &message) {
    std::string where = place ? place->str() : "";
    errors += (errors.empty() ? "" : "\n") +
              (where.empty() ? path.str() : where) +
              ": error: " + message.str();
  }
  LoweredPlace placeOf(std::optional<FileLocRange> range) const;
  /// The first line that begins with `words`.
  LoweredPlace findLine(StringRef words) const;

  StringRef path, text;
  const LoweringOptions &options;
  LLVMContext context;
  AsmParserContext parsed;
  std::unique_ptr<Module> module;
  std::vector<LoweredPlace> places;
  std::string errors;
};
} // namespace

LoweredPlace LLVMLowering::placeOf(std::optional<FileLocRange> range) const {
  LoweredPlace place;
  place.file = path.str();
  if (range) {
    place.line = range->Start.Line + 1;
    place.column = range->Start.Col + 1;
  }
  return place;
}

LoweredPlace LLVMLowering::findLine(StringRef words) const {
  LoweredPlace place;
  place.file = path.str();
  unsigned number = 1;
  for (StringRef rest = text; !rest.empty(); ++number) {
    auto [line, next] = rest.split('\n');
    if (line.starts_with(words)) {
      place.line = number;
      place.column = 1;
      break;
    }
    rest = next;
  }
  return place;
}

bool LLVMLowering::parse(MemoryBufferRef buffer) {
  if (Error error = checkNestingDepth(text, path, NestedText::LLVM)) {
    errors = toString(std::move(error));
    return false;
  }
  SMDiagnostic diagnostic;
  module = parseIR(buffer, diagnostic, context, {}, &parsed);
  if (module)
    return true;
  LoweredPlace place;
  place.file = path.str();
  place.line = std::max(0, diagnostic.getLineNo());
  place.column = unsigned(diagnostic.getColumnNo() + 1);
  fail(&place, diagnostic.getMessage());
  return false;
}

/// Whether it is for this target, and valid.
bool LLVMLowering::check() {
  const Triple &triple = module->getTargetTriple();
  if (!triple.str().empty() && triple.getArch() != Triple::nvptx64) {
    LoweredPlace place = findLine("target triple");
    fail(&place, "expected LLVM IR for nvptx64 but the triple is '" +
                     triple.str() + "'");
    return false;
  }
  for (const Function &function : *module) {
    std::string message;
    raw_string_ostream os(message);
    if (!verifyFunction(function, &os))
      continue;
    LoweredPlace place = placeOf(parsed.getFunctionLocation(&function));
    fail(&place, StringRef(message).rtrim());
  }
  std::string message;
  raw_string_ostream os(message);
  if (errors.empty() && verifyModule(*module, &os))
    fail(nullptr, StringRef(message).rtrim());
  if (!errors.empty())
    return false;
  if (none_of(*module, [](const Function &function) {
        return !function.isDeclaration() &&
               function.getCallingConv() == CallingConv::PTX_Kernel;
      })) {
    fail(nullptr, "expected a kernel: a function with the calling convention "
                  "'ptx_kernel'");
    return false;
  }
  return true;
}

bool LLVMLowering::chooseOptions(CodeGenOptions &out) {
  std::string chip;
  LoweredPlace chipPlace;
  for (Function &function : *module) {
    StringRef has = function.getFnAttribute("target-cpu").getValueAsString();
    unsigned version = ptxVersionOf(
        function.getFnAttribute("target-features").getValueAsString());
    out.ptxVersion = std::max(out.ptxVersion, version);
    // They are the same for all functions of a PTX text.
    function.removeFnAttr("target-cpu");
    function.removeFnAttr("target-features");
    if (has.empty())
      continue;
    LoweredPlace place = placeOf(parsed.getFunctionLocation(&function));
    if (!chip.empty() && chip != has) {
      fail(&place, "expected one target but got " + chip + " and " + has);
      return false;
    }
    if (chip.empty())
      chipPlace = place;
    chip = has.str();
  }
  Expected<std::string> target = chooseTarget(options.target, chip);
  if (!target) {
    fail(chip.empty() ? nullptr : &chipPlace, toString(target.takeError()));
    return false;
  }
  out.target = *target;
  if (options.ptxVersion)
    out.ptxVersion = options.ptxVersion;
  out.libdevice = options.libdevice;
  return true;
}

unsigned LLVMLowering::addPlace(std::optional<FileLocRange> range,
                                std::string operation) {
  places.push_back(placeOf(range));
  places.back().operation = std::move(operation);
  return unsigned(places.size());
}

void LLVMLowering::addPlaces() {
  StripDebugInfo(*module);
  DIBuilder builder(*module);
  DIFile *file = builder.createFile(placesFileName, "");
  DICompileUnit *unit = builder.createCompileUnit(
      DISourceLanguageName(dwarf::DW_LANG_C), file, "ptxbench",
      /*isOptimized=*/true, "", 0, "", DICompileUnit::DebugDirectivesOnly);
  DISubroutineType *type =
      builder.createSubroutineType(builder.getOrCreateTypeArray({}));
  for (Function &function : *module) {
    if (function.isDeclaration())
      continue;
    unsigned line = addPlace(parsed.getFunctionLocation(&function), "define");
    DISubprogram *scope = builder.createFunction(
        unit, function.getName(), function.getName(), file, line, type, line,
        DINode::FlagZero,
        DISubprogram::SPFlagDefinition | DISubprogram::SPFlagOptimized);
    function.setSubprogram(scope);
    for (Instruction &inst : instructions(function))
      inst.setDebugLoc(DILocation::get(
          context, addPlace(parsed.getInstructionLocation(&inst), nameOf(inst)),
          1, scope));
  }
  builder.finalize();
  if (!module->getModuleFlag("Debug Info Version"))
    module->addModuleFlag(Module::Warning, "Debug Info Version",
                          DEBUG_METADATA_VERSION);
}

Expected<LoweredModule> LLVMLowering::lower(MemoryBufferRef buffer) {
  CodeGenOptions generator;
  std::optional<std::string> ptx;
  if (parse(buffer) && check() && chooseOptions(generator)) {
    addPlaces();
    generator.locations = options.locations;
    std::vector<CodeGenError> found;
    ptx = generatePTX(*module, generator, found);
    for (const CodeGenError &error : found)
      fail(error.line && error.line <= places.size() ? &places[error.line - 1]
                                                     : nullptr,
           error.message);
  }
  if (!ptx)
    return createStringError(inconvertibleErrorCode(), errors);
  if (!options.locations)
    places.clear();
  LoweredModule lowered = takeText(*ptx, std::move(places));
  lowered.target = generator.target;
  return lowered;
}

Expected<LoweredModule> lowerLLVMToPTX(MemoryBufferRef buffer,
                                       const LoweringOptions &options) {
  return LLVMLowering(buffer, options).lower(buffer);
}

} // namespace ptxbench
