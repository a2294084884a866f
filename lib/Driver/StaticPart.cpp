//===- StaticPart.cpp - What is known without running ---------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One module is loaded once and asked often: entries, parameters, target
// instructions, verdicts under assumptions.
//
//===----------------------------------------------------------------------===//

#include "StaticPart.h"
#include "ParameterValue.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "ptxbench/Analysis/OpModels.h"
#include "ptxbench/Analysis/Reachability.h"
#include "ptxbench/Dialect/PTX/IR/PTXOps.h"
#include "ptxbench/Support/NestingDepth.h"
#include "ptxbench/Target/PTX/Export.h"
#include "ptxbench/Target/PTX/Import.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/SourceMgr.h"

#include <set>

using namespace mlir;

namespace ptxbench {

std::string sha256Hex(StringRef text) {
  auto digest = llvm::SHA256::hash(llvm::arrayRefFromStringRef(text));
  return llvm::toHex(digest, /*LowerCase=*/true);
}

static DialectRegistry makeRegistry() {
  DialectRegistry registry;
  registerLoweringDialects(registry);
  registry.insert<ptx::PTXDialect>();
  registerOpModels(registry);
  return registry;
}

StaticPart::StaticPart()
    : context(makeRegistry(), MLIRContext::Threading::DISABLED) {
  context.loadDialect<ptx::PTXDialect>();
}
StaticPart::~StaticPart() = default;

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

void StaticPart::print(StringRef text) {
  printedErrors += text;
  if (!isQuiet)
    llvm::errs() << text;
}

bool StaticPart::refuse(const Twine &reason) {
  refused = reason.str();
  return false;
}

/// The places of operations by the lines that their text begins on.
static std::map<unsigned, std::string>
findOrigins(StringRef text, ArrayRef<ExportedPlace> places) {
  std::map<unsigned, std::string> origins;
  size_t done = 0;
  unsigned line = 1;
  for (const ExportedPlace &place : places) {
    line += text.slice(done, place.offset).count('\n');
    done = place.offset;
    auto loc = place.loc->findInstanceOf<FileLineColLoc>();
    // Where an operation has no text, the next one has its line.
    origins[line] =
        loc && loc.getLine()
            ? llvm::formatv("{0}:{1}:{2}", loc.getFilename().getValue(),
                            loc.getLine(), loc.getColumn())
                  .str()
            : "";
  }
  return origins;
}

std::string StaticPart::findOrigin(unsigned line) const {
  if (loweredModule) {
    const LoweredPlace *place = loweredModule->findPlace(line);
    return place ? place->str() : "";
  }
  if (!exportedFrom)
    return "";
  auto next = exportedFrom->upper_bound(line);
  return next == exportedFrom->begin() ? "" : std::prev(next)->second;
}

/// The PTX text of a module of the ptx dialect, or of one with kernels of
/// others.
std::optional<std::string>
StaticPart::readMLIR(std::unique_ptr<llvm::MemoryBuffer> file,
                     const LoweringOptions &lowering) {
  if (llvm::Error error =
          checkNestingDepth(file->getBuffer(), sourcePath, NestedText::MLIR)) {
    print(llvm::toString(std::move(error)) + "\n");
    refuse("the text is nested too deeply");
    return std::nullopt;
  }
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(file), SMLoc());
  std::string text, exported;
  llvm::raw_string_ostream messages(text), os(exported);
  bool ok = false;
  {
    // A kernel of a thousand lines need not be shown for one operation.
    context.printOpOnDiagnostic(false);
    SourceMgrDiagnosticHandler handler(sources, &context, messages);
    OwningOpRef<ModuleOp> parsed = parseSourceFile<ModuleOp>(sources, &context);
    if (!parsed) {
      refuse("the text is no valid module");
    } else if ((*parsed)->hasAttr(ptx::kTargetAttrName)) {
      std::vector<ExportedPlace> places;
      ok = succeeded(exportPTX(*parsed, os, &places));
      if (ok)
        exportedFrom = findOrigins(exported, places);
      else
        refuse("the module could not be read as PTX");
    } else if (llvm::Expected<LoweredModule> module =
                   lowerToPTX(*parsed, lowering)) {
      ok = true;
      exported = module->ptx;
      targets = findSourceTargets(*parsed);
      loweredModule = std::move(*module);
    } else {
      refuse(llvm::toString(module.takeError()));
    }
  }
  print(text);
  return ok ? std::optional(exported) : std::nullopt;
}

/// The PTX text of LLVM IR.
std::optional<std::string>
StaticPart::readLLVM(llvm::MemoryBufferRef file,
                     const LoweringOptions &lowering) {
  llvm::Expected<LoweredModule> module = lowerLLVMToPTX(file, lowering);
  if (!module) {
    print(llvm::toString(module.takeError()) + "\n");
    refuse("the module cannot be lowered to PTX");
    return std::nullopt;
  }
  loweredModule = std::move(*module);
  return loweredModule->ptx;
}

/// Empty: nobody can mend what is said, for LLVM wrote the line.
std::string StaticPart::describe(const syntax::Diagnostic &diagnostic,
                                 const syntax::LineTable &lines) {
  std::string message;
  llvm::raw_string_ostream os(message);
  syntax::printDiagnostic(os, moduleInfo.path, lines, diagnostic);
  if (!loweredModule && !exportedFrom)
    return message;
  // Lines of a text that was made are not those of the file.
  std::string line =
      loweredModule ? loweredModule->describeLine(diagnostic.line)
                    : llvm::formatv("line {0} of the PTX", diagnostic.line);
  if (loweredModule && diagnostic.severity != syntax::Severity::Error &&
      !StringRef(line).starts_with("in inline asm"))
    return "";
  std::string where = findOrigin(diagnostic.line);
  StringRef severity = diagnostic.severity == syntax::Severity::Error ? "error"
                       : diagnostic.severity == syntax::Severity::Warning
                           ? "warning"
                           : "note";
  return llvm::formatv("{0}: {1}: {2}: {3}\n{4}",
                       where.empty() ? moduleInfo.path : where, severity, line,
                       diagnostic.message,
                       StringRef(message).split('\n').second)
      .str();
}

bool StaticPart::load(StringRef path, const LoweringOptions &lowering) {
  auto file = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (path == "-")
    path = "<stdin>";
  moduleInfo.path = sourcePath = path.str();
  if (!file) {
    refuse("cannot read '" + path + "': " + file.getError().message());
    print("mlir-ptxbench-runner: " + refused + "\n");
    return false;
  }
  // Verdicts name lines of the PTX text that would run.
  std::optional<std::string> text;
  if (llvm::sys::path::extension(path) == ".mlir")
    text = readMLIR(std::move(*file), lowering);
  else if (llvm::sys::path::extension(path) == ".ll")
    text = readLLVM(**file, lowering);
  else
    text = (*file)->getBuffer().str();
  if (!text)
    return false;
  ptxText = std::move(*text);
  moduleInfo.sha256 = sha256Hex(ptxText);
  // Lines of a text that was made are not those of the file.
  std::string name = moduleInfo.path + (loweredModule ? ".ptx" : "");
  syntax::LineTable lines(ptxText);
  unsigned errors = 0;
  module = importPTX(llvm::MemoryBufferRef(ptxText, name), &context,
                     [&](const syntax::Diagnostic &diagnostic) {
                       errors += diagnostic.severity == syntax::Severity::Error;
                       print(describe(diagnostic, lines));
                     });
  if (!module)
    return refuse(Twine(errors) + (errors == 1 ? " error in the PTX text"
                                               : " errors in the PTX text"));
  auto target =
      (*module)->getAttrOfType<ptx::PTXTargetAttr>(ptx::kTargetAttrName);
  moduleInfo.ptxVersion = std::to_string(target.getVersion() / 10) + "." +
                          std::to_string(target.getVersion() % 10);
  moduleInfo.target = target.getArch().str();
  return true;
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

Operation *StaticPart::findEntry(StringRef name) {
  for (auto entry : module->getOps<ptx::EntryOp>())
    if (entry.getSymName() == name && !entry.isExternal())
      return entry;
  return nullptr;
}

std::vector<std::string> StaticPart::entryNames() {
  std::vector<std::string> names;
  for (auto entry : module->getOps<ptx::EntryOp>())
    if (!entry.isExternal())
      names.push_back(entry.getSymName().str());
  return names;
}

bool StaticPart::hasEntry(StringRef name) { return findEntry(name); }

std::string StaticPart::placeOf(StringRef entry) {
  auto loc = findEntry(entry)->getLoc()->findInstanceOf<FileLineColLoc>();
  if (loc && (loweredModule || exportedFrom)) {
    std::string origin = findOrigin(loc.getLine());
    return origin.empty() ? moduleInfo.path : origin;
  }
  return loc ? moduleInfo.path + ":" + std::to_string(loc.getLine()) + ":" +
                   std::to_string(loc.getColumn())
             : moduleInfo.path;
}

/// Says of each line that a reason names what it was made of: "at line 12
/// (scf.if at 7:3)". The file is named where it is not `path`.
static std::string nameOperations(StringRef reason, const LoweredModule &module,
                                  StringRef path) {
  constexpr StringLiteral words = " at line ";
  std::string text;
  for (size_t at; (at = reason.find(words)) != StringRef::npos;) {
    text += reason.take_front(at + words.size());
    reason = reason.drop_front(at + words.size());
    StringRef digits = reason.take_while(llvm::isDigit);
    text += digits;
    reason = reason.drop_front(digits.size());
    unsigned line = 0;
    const LoweredPlace *place =
        digits.getAsInteger(10, line) ? nullptr : module.findPlace(line);
    if (!place || place->str().empty())
      continue;
    std::string full = place->str();
    StringRef where = full;
    if (place->file == path)
      where = where.drop_front(path.size() + 1);
    text += (" (" + place->operation + " at " + where + ")").str();
  }
  return text + reason.str();
}

llvm::Expected<EntryVerdicts>
StaticPart::analyze(StringRef entry, const LaunchAssumptions &assumptions) {
  llvm::Expected<EntryVerdicts> verdicts =
      analyzeReachability(findEntry(entry), assumptions);
  if (!verdicts || !loweredModule)
    return verdicts;
  for (TargetVerdict &verdict : verdicts->targets)
    if (const LoweredPlace *place = loweredModule->findPlace(verdict.line)) {
      verdict.source = place->str();
      verdict.sourceOperation = place->operation;
    }
  for (TargetVerdict &verdict : verdicts->targets)
    verdict.reason = nameOperations(verdict.reason, *loweredModule, sourcePath);
  return verdicts;
}

/// The places that `.loc` gives for the lines of a text.
static std::map<unsigned, ptx::TextPlace> findSources(ModuleOp module) {
  std::map<unsigned, ptx::TextPlace> sources;
  module->walk([&](Operation *op) {
    ptx::TextPlace place = ptx::getTextPlace(op->getLoc());
    if (place.line && !place.source.empty())
      sources.try_emplace(place.line, std::move(place));
  });
  return sources;
}

ptx::TextPlace StaticPart::findSource(unsigned line) {
  ptx::TextPlace place;
  if (module) {
    if (!sourceOfLine)
      sourceOfLine = findSources(*module);
    if (auto found = sourceOfLine->find(line); found != sourceOfLine->end())
      place = found->second;
  }
  if (loweredModule) {
    const LoweredPlace *made = line ? loweredModule->findPlace(line) : nullptr;
    place.source = made ? made->str() : "";
  }
  return place;
}

std::string StaticPart::sourceOf(unsigned line) {
  ptx::TextPlace place = findSource(line);
  if (!place.source.empty() && !place.inlinedAt.empty())
    place.source += ", inlined at " + place.inlinedAt;
  return place.source;
}

void StaticPart::addRemoved(Report &report) {
  if (targets.empty() || !module)
    return;
  std::set<std::string> places, families;
  for (const std::string &name : entryNames()) {
    llvm::Expected<EntryVerdicts> verdicts = analyze(name, {});
    if (!verdicts) {
      llvm::consumeError(verdicts.takeError());
      return;
    }
    for (const TargetVerdict &verdict : verdicts->targets) {
      places.insert(verdict.source);
      families.insert(verdict.family);
    }
  }
  for (const SourceTarget &target : targets) {
    // LLVM makes one of equal instructions, which has no place then. So that
    // something is gone is only said of what was dead before, and where there
    // is nothing of its kind.
    if (places.count(target.place) ||
        (!target.isDead && families.count(target.family)))
      continue;
    ReportDiagnostic diagnostic;
    diagnostic.rule = "removed-" + target.family;
    diagnostic.severity = Severity::Remark;
    diagnostic.message =
        target.operation + " at " + target.place + " has nothing in the PTX: ";
    if (!target.isDead)
      diagnostic.message += "passes of MLIR or LLVM removed it";
    else
      diagnostic.message += "no thread can execute it";
    if (!target.reason.empty())
      diagnostic.message += ", for " + target.reason + " (lines of " +
                            llvm::sys::path::filename(sourcePath).str() + ")";
    diagnostic.source = target.place;
    diagnostic.sourceOperation = target.operation;
    report.diagnostics.push_back(std::move(diagnostic));
  }
}

void StaticPart::addSources(Report &report) {
  auto add = [&](auto &diagnostic) {
    if (!diagnostic.line)
      return;
    ptx::TextPlace place = findSource(diagnostic.line);
    diagnostic.source = place.source;
    diagnostic.inlinedAt = place.inlinedAt;
    if (!loweredModule)
      return;
    if (const LoweredPlace *place = loweredModule->findPlace(diagnostic.line))
      diagnostic.sourceOperation = place->operation;
  };
  for (ReportDiagnostic &diagnostic : report.diagnostics)
    add(diagnostic);
  if (report.ptxas)
    for (PtxasDiagnostic &diagnostic : report.ptxas->diagnostics)
      add(diagnostic);
}

llvm::Expected<std::vector<PtxTarget>> StaticPart::getTargets(StringRef entry) {
  // The analysis knows which functions belong to an entry.
  llvm::Expected<EntryVerdicts> verdicts = analyze(entry, {});
  if (!verdicts)
    return verdicts.takeError();
  std::vector<PtxTarget> targets;
  for (const TargetVerdict &verdict : verdicts->targets) {
    PtxTarget target;
    target.line = verdict.line;
    target.column = verdict.column;
    target.opcode = verdict.opcode;
    target.mnemonic = verdict.mnemonic;
    target.family = verdict.family;
    target.function = verdict.function;
    targets.push_back(std::move(target));
  }
  llvm::stable_sort(targets, [](const PtxTarget &a, const PtxTarget &b) {
    return std::tie(a.line, a.column) < std::tie(b.line, b.column);
  });
  for (auto [i, target] : llvm::enumerate(targets))
    target.index = i;
  return targets;
}

//===----------------------------------------------------------------------===//
// Parameters and assumptions
//===----------------------------------------------------------------------===//

std::optional<Dim3> StaticPart::getDirective(StringRef entry, StringRef name) {
  auto values = cast<ptx::EntryOp>(findEntry(entry)).getDirective(name);
  // What begins with 0 says nothing.
  if (!values || values->empty() || values->front() == 0)
    return std::nullopt;
  auto get = [&](size_t i) -> uint32_t {
    return i < values->size() ? (*values)[i] : 1;
  };
  return Dim3{get(0), get(1), get(2)};
}

std::vector<StaticPart::Param> StaticPart::getParams(StringRef name) {
  std::vector<Param> params;
  auto entry = cast<ptx::EntryOp>(findEntry(name));
  uint64_t offset = 0;
  for (auto var : entry.getParams().getAsRange<ptx::VarAttr>()) {
    uint64_t elementBytes = parameterTypeBytes(var.getType());
    uint64_t align =
        var.getAlign() && !var.getPtr()
            ? var.getAlign()
            : std::max<uint64_t>(1, elementBytes) * std::max(1u, var.getVec());
    offset = llvm::alignTo(offset, align);
    params.push_back({offset, var.getSizeInBytes(), var.getType().str()});
    offset += var.getSizeInBytes();
  }
  return params;
}

void StaticPart::layOutParams(LaunchRecord &launch) {
  if (!hasEntry(launch.kernel))
    return;
  std::vector<std::pair<uint64_t, uint64_t>> places;
  for (const Param &param : getParams(launch.kernel))
    places.emplace_back(param.offset, param.size);
  ptxbench::layOutParams(launch, places);
}

LaunchAssumptions StaticPart::getAssumptions(const LaunchRecord &launch) {
  LaunchAssumptions assumptions;
  assumptions.grid = launch.grid;
  assumptions.block = launch.block;
  assumptions.cluster = launch.cluster;
  if (!launch.params || !hasEntry(launch.kernel))
    return assumptions;
  for (auto [i, param] : llvm::enumerate(getParams(launch.kernel))) {
    if (param.offset + param.size > launch.params->size())
      break;
    ParamAssumption known;
    known.index = i;
    known.address = param.offset;
    known.bytes.assign(launch.params->begin() + param.offset,
                       launch.params->begin() + param.offset + param.size);
    assumptions.params.push_back(std::move(known));
  }
  return assumptions;
}

llvm::Expected<LaunchAssumptions>
StaticPart::getAssumptions(const DriverOptions &options, StringRef entry) {
  LaunchAssumptions assumptions;
  assumptions.grid = options.grid;
  assumptions.block = options.block;
  assumptions.cluster = options.cluster;
  std::vector<Param> params = getParams(entry);
  for (const ArgumentOption &argument : options.arguments) {
    auto fail = [&](const llvm::Twine &what) {
      return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                     "--arg=" + llvm::Twine(argument.index) +
                                         ": " + what);
    };
    if (argument.index >= params.size())
      return fail("entry '" + entry + "' has " + llvm::Twine(params.size()) +
                  " parameters");
    const Param &param = params[argument.index];
    ParamAssumption known;
    known.index = argument.index;
    known.address = param.offset;
    known.offset = argument.offset;
    if (argument.bytes) {
      known.bytes = *argument.bytes;
    } else {
      StringRef type = argument.type.empty() ? StringRef(param.type)
                                             : StringRef(argument.type);
      llvm::Expected<std::vector<uint8_t>> bytes =
          encodeParameter(argument.value, type);
      if (!bytes)
        return fail(llvm::toString(bytes.takeError()));
      known.bytes = std::move(*bytes);
    }
    if (known.offset + known.bytes.size() > param.size)
      return fail("byte " + llvm::Twine(known.offset + known.bytes.size() - 1) +
                  " is outside the parameter of " + llvm::Twine(param.size) +
                  " bytes");
    for (const ParamAssumption &other : assumptions.params)
      if (other.index == known.index &&
          known.offset < other.offset + other.bytes.size() &&
          other.offset < known.offset + known.bytes.size())
        return fail("byte " +
                    llvm::Twine(std::max(known.offset, other.offset)) +
                    " is given twice");
    assumptions.params.push_back(std::move(known));
  }
  return assumptions;
}

//===----------------------------------------------------------------------===//
// ptxas
//===----------------------------------------------------------------------===//

static Severity toSeverity(ToolSeverity severity) {
  switch (severity) {
  case ToolSeverity::Info:
    return Severity::Remark;
  case ToolSeverity::Warning:
    return Severity::Warning;
  case ToolSeverity::Error:
  case ToolSeverity::Fatal:
    return Severity::Error;
  }
  return Severity::Error;
}

PtxasInfo toPtxasInfo(const PtxasOutput &output, StringRef version,
                      bool accepted) {
  PtxasInfo info;
  info.version = version.str();
  info.accepted = accepted;
  for (const ToolDiagnostic &diagnostic : output.diagnostics)
    if (diagnostic.source == "ptxas")
      info.diagnostics.push_back({toSeverity(diagnostic.severity),
                                  diagnostic.code, diagnostic.line,
                                  diagnostic.text});
  for (const FunctionResources &function : output.resources) {
    if (!function.isEntry)
      continue;
    PtxasResources resources;
    resources.entry = function.function;
    resources.registers = function.registers;
    resources.barriers = function.barriers;
    resources.stack = function.stackFrame;
    resources.spillStores = function.spillStores;
    resources.spillLoads = function.spillLoads;
    resources.smem = function.staticShared;
    resources.cmem = function.constantBank0;
    resources.lmem = function.localBytes;
    info.resources.push_back(std::move(resources));
  }
  return info;
}

std::string describeFirstError(const NvccRun &run) {
  for (const ToolDiagnostic &diagnostic : run.output.diagnostics) {
    if (diagnostic.severity < ToolSeverity::Error)
      continue;
    std::string text = ": " + diagnostic.source;
    if (diagnostic.line && diagnostic.source == "ptxas")
      text += ", line " + std::to_string(diagnostic.line) + " of the PTX";
    else if (diagnostic.line)
      text += ":" + std::to_string(diagnostic.line);
    return text + ": " + diagnostic.text;
  }
  // Those of the linker have forms of their own.
  SmallVector<StringRef> lines;
  StringRef(run.log).split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines)
    if (line.contains("undefined reference") || line.contains("error"))
      return (": " + line.trim()).str();
  return "";
}

std::optional<PtxasInfo> askPtxas(Toolchain &toolchain, StringRef ptxPath,
                                  StringRef target, StringRef workDirectory,
                                  std::string &reason) {
  llvm::Expected<CudaTool> tool = toolchain.find(ToolKind::Ptxas);
  if (!tool) {
    reason = llvm::toString(tool.takeError());
    return std::nullopt;
  }
  llvm::SmallString<128> cubin(workDirectory);
  llvm::sys::path::append(cubin, "checked.cubin");
  llvm::Expected<PtxasRun> run = toolchain.runPtxas(ptxPath, target, cubin);
  if (!run) {
    reason = llvm::toString(run.takeError());
    return std::nullopt;
  }
  return toPtxasInfo(run->output, tool->version, run->succeeded);
}

} // namespace ptxbench
