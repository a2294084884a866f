//===- ModuleParser.cpp - Directives of a PTX module ----------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The header, module-level directives, and functions up to their bodies. After
// an error the rest of the item is skipped, and the next one is read.
//
//===----------------------------------------------------------------------===//

#include "ParserImpl.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MemoryBufferRef.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::syntax;

const RegDecl &syntax::Function::getRegDecl(uint32_t index) const {
  auto it = std::upper_bound(
      regs.begin(), regs.end(), index,
      [](uint32_t i, const RegDecl &decl) { return i < decl.first; });
  return *std::prev(it);
}

ParserImpl::ParserImpl(MemoryBufferRef bufferRef, const LineTable &lines,
                       const ParseOptions &options)
    : buffer(bufferRef.getBuffer()), lines(lines), options(options),
      module(std::make_unique<Module>()),
      lexer(buffer,
            [this](SourceOffset offset, uint32_t length, const Twine &message) {
              error(offset, length, message);
            }) {
  module->anyTarget = options.anyTarget;
}

//===----------------------------------------------------------------------===//
// Diagnostics
//===----------------------------------------------------------------------===//

void ParserImpl::error(SourceOffset offset, uint32_t length,
                       const Twine &message, const Twine &hint) {
  if (tooManyErrors())
    return;
  ++numErrors;
  Diagnostic diagnostic;
  std::tie(diagnostic.line, diagnostic.column) = lines.lineAndColumn(offset);
  diagnostic.length = std::max<uint32_t>(1, length);
  diagnostic.message = message.str();
  diagnostic.hint = hint.str();
  diagnostics.push_back({offset, std::move(diagnostic)});
}

void ParserImpl::errorHere(const Twine &message, const Twine &hint) {
  // A token that is an error has been reported already.
  if (!is(TokenKind::Error))
    error(token.offset, token.length, message, hint);
}

void ParserImpl::warning(SourceOffset offset, uint32_t length,
                         const Twine &message) {
  Diagnostic diagnostic;
  diagnostic.severity = Severity::Warning;
  std::tie(diagnostic.line, diagnostic.column) = lines.lineAndColumn(offset);
  diagnostic.length = std::max<uint32_t>(1, length);
  diagnostic.message = message.str();
  diagnostics.push_back({offset, std::move(diagnostic)});
}

StringRef ParserImpl::save(StringRef value) {
  return value.copy(module->arena);
}

std::string ParserImpl::suggest(ArrayRef<StringRef> known) const {
  StringRef best;
  if (spelling().empty())
    return {};
  // The dot in front counts for nothing.
  unsigned distance = maxEdits(spelling().drop_front()) + 1;
  for (StringRef candidate : known)
    considerSpelling(spelling(), candidate, distance, best);
  return best.empty() ? std::string() : ("did you mean '" + best + "'?").str();
}

std::string ParserImpl::describeToken() const {
  if (is(TokenKind::Eof))
    return "the end of the file";
  return ("'" + spelling().take_front(40) + "'").str();
}

bool ParserImpl::expect(TokenKind kind, const char *what) {
  if (consumeIf(kind))
    return true;
  errorHere("expected " + Twine(what) + " but got " + describeToken());
  return false;
}

bool ParserImpl::reportMissingSemi() {
  // What follows on another line is the next statement, most likely.
  if (!is(TokenKind::Error) &&
      buffer.slice(previousEnd, token.offset).contains('\n')) {
    error(previousEnd ? previousEnd - 1 : 0, 1,
          "expected ';' at the end of the statement");
    return true;
  }
  errorHere("expected ';' but got " + describeToken());
  return false;
}

//===----------------------------------------------------------------------===//
// Module
//===----------------------------------------------------------------------===//

std::unique_ptr<Module> ParserImpl::parse() {
  names.enterScope();
  checkASCII();
  advance();
  parseHeader();
  // Without a version and a target nothing can be checked.
  if (module->version && module->target.sm)
    while (!is(TokenKind::Eof) && !tooManyErrors())
      parseModuleItem();
  finishModule();
  if (hadError())
    return nullptr;
  return std::move(module);
}

/// What only the whole module tells.
void ParserImpl::finishModule() {
  for (auto [name, loc] : debugLabelUses)
    if (name != ".debug_str" && !debugLabels.contains(name))
      error(loc, name.size(), "no label '" + name + "' in the debug sections");
  for (const auto &[index, function] : enumerate(module->functions)) {
    if (function.hasBody || function.linkage == Linkage::Extern ||
        aliases.contains(function.name))
      continue;
    NameTable::Result last = names.lookup(function.name);
    // The last declaration, or the definition, is what the name stands for.
    if (last.entry && last.entry->kind == NameEntry::Function &&
        last.entry->index == index)
      error(function.loc, 1,
            "the function '" + function.name +
                "' is declared, but neither '.extern' nor defined");
  }
  // With several results somewhere, ptxas does without the ABI.
  bool hasABI = none_of(module->functions, [](const Function &function) {
    return function.results.size() > 1;
  });
  if (narrowArgument && hasABI)
    error(narrowArgument->first, 1,
          "a call passes no predicates and no numbers of fewer than 32 bits, "
          "but the parameter '" +
              narrowArgument->second + "' is one");
}

void ParserImpl::checkASCII() {
  // 32 bytes a step; nearly no file has one.
  const char *it = buffer.begin();
  for (uint64_t words[4]; buffer.end() - it >= 32; it += 32) {
    memcpy(words, it, 32);
    if ((words[0] | words[1] | words[2] | words[3]) & 0x8080808080808080ull)
      break;
  }
  it = std::find_if(it, buffer.end(), [](char c) { return c & 0x80; });
  if (it != buffer.end())
    error(it - buffer.begin(), 1,
          "byte 0x" + utohexstr(static_cast<unsigned char>(*it)) +
              " is not printable ASCII");
}

void ParserImpl::parseHeader() {
  if (!isDirective(".version")) {
    errorHere("expected '.version' at the start of the module",
              suggest({".version"}));
    return;
  }
  advance();
  auto [major, minor] = spelling().split('.');
  unsigned high = 0, low = 0;
  if (!is(TokenKind::Decimal) || major.getAsInteger(10, high) ||
      minor.getAsInteger(10, low) || low > 9 || high > 99)
    return errorHere("expected a PTX version like '8.0' but got '" +
                     spelling() + "'");
  // The last minor version of each major one up to 9.
  static constexpr uint8_t lastMinor[] = {5, 3, 2, 3, 1, 5, 8, 8, 0};
  if (high * 10 + low > 90)
    return errorHere("this reads PTX up to version 9.0 but got '" + spelling() +
                     "'");
  if (high == 0 || low > lastMinor[high - 1])
    return errorHere("there is no PTX version '" + spelling() + "'");
  module->version = high * 10 + low;
  advance();
  if (!isDirective(".target"))
    return errorHere("expected '.target' behind the version",
                     suggest({".target"}));
  if (!parseTarget())
    return;
  if (isDirective(".address_size")) {
    if (module->version < 23)
      return errorHere("'.address_size' needs PTX ISA version 2.3");
    advance();
    if (!is(TokenKind::Integer) || (spelling() != "32" && spelling() != "64"))
      return errorHere("expected an address size of 32 or 64");
    module->addressSize = spelling() == "64" ? 64 : 32;
    if (module->addressSize == 32)
      errorHere("addresses of 32 bits are no longer supported");
    advance();
  }
}

/// The architectures that ptxas 13.0 takes in `.target`, and the first PTX
/// version with each, also of their `a` and `f` targets; 0: there is none.
namespace {
struct KnownTarget {
  uint16_t sm;
  PTXVersion plain, a, f;
};
} // namespace
static constexpr KnownTarget knownTargets[] = {
    {10, 10, 0, 0},    {11, 10, 0, 0},    {12, 12, 0, 0},    {13, 12, 0, 0},
    {20, 20, 0, 0},    {21, 20, 0, 0},    {30, 30, 0, 0},    {32, 40, 0, 0},
    {35, 31, 0, 0},    {37, 41, 0, 0},    {50, 40, 0, 0},    {52, 41, 0, 0},
    {53, 42, 0, 0},    {60, 50, 0, 0},    {61, 50, 0, 0},    {62, 50, 0, 0},
    {70, 51, 0, 0},    {72, 61, 0, 0},    {75, 63, 0, 0},    {80, 70, 0, 0},
    {86, 71, 0, 0},    {87, 74, 0, 0},    {88, 73, 0, 0},    {89, 78, 0, 0},
    {90, 78, 80, 0},   {100, 86, 86, 88}, {101, 86, 86, 88}, {103, 88, 88, 88},
    {110, 90, 90, 90}, {120, 87, 87, 88}, {121, 88, 88, 88}};

static PTXVersion getFirstVersion(TargetArch arch) {
  for (const KnownTarget &known : knownTargets)
    if (known.sm == arch.sm)
      return arch.suffix == 'a'   ? known.a
             : arch.suffix == 'f' ? known.f
                                  : known.plain;
  return 0;
}

bool ParserImpl::parseTarget() {
  bool haveArch = false;
  do {
    advance();
    if (!is(TokenKind::Identifier)) {
      errorHere("expected a target");
      return false;
    }
    StringRef name = spelling();
    // `compute_90` says the same.
    std::optional<TargetArch> arch = parseTargetArch(
        name.starts_with("compute_")
            ? ("sm_" + name.drop_front(strlen("compute_"))).str()
            : name.str());
    PTXVersion first = arch ? getFirstVersion(*arch) : 0;
    if (first) {
      if (haveArch) {
        errorHere("a second architecture in '.target'");
        return false;
      }
      if (module->version < first)
        errorHere("the target '" + name + "' needs PTX ISA version " +
                  Twine(first / 10) + "." + Twine(first % 10) +
                  " but the module has " + Twine(module->version / 10) + "." +
                  Twine(module->version % 10));
      module->target = *arch;
      haveArch = true;
    } else if (is_contained({"texmode_unified", "texmode_independent", "debug",
                             "map_f64_to_f32"},
                            name)) {
      StringRef other = name == "texmode_unified"       ? "texmode_independent"
                        : name == "texmode_independent" ? "texmode_unified"
                                                        : "";
      if (!haveArch)
        errorHere("expected an architecture like 'sm_90a' in front of '" +
                  name + "'");
      else if (name == "map_f64_to_f32" && module->target.sm >= 13)
        errorHere("'map_f64_to_f32' is for targets before sm_13");
      else if (is_contained(module->targetOptions, other))
        errorHere("'" + name + "' and '" + other + "' exclude each other");
      if (!is_contained(module->targetOptions, name))
        module->targetOptions.push_back(name);
    } else {
      errorHere("unknown target '" + name + "'",
                suggest({"sm_90a",          "sm_90",
                         "sm_50",           "sm_52",
                         "sm_53",           "sm_60",
                         "sm_61",           "sm_62",
                         "sm_70",           "sm_72",
                         "sm_75",           "sm_80",
                         "sm_86",           "sm_87",
                         "sm_89",           "sm_100",
                         "sm_100a",         "sm_120",
                         "sm_120a",         "debug",
                         "texmode_unified", "texmode_independent",
                         "map_f64_to_f32"}));
      return false;
    }
    previousEnd = token.offset + token.length;
    advance();
  } while (is(TokenKind::Comma));
  if (!haveArch)
    error(previousEnd - 1, 1, "the target names no architecture");
  return haveArch;
}

void ParserImpl::skipModuleItem() {
  int depth = 0;
  while (!is(TokenKind::Eof)) {
    if (is(TokenKind::LBrace)) {
      ++depth;
    } else if (is(TokenKind::RBrace)) {
      if (--depth <= 0) {
        advance();
        consumeIf(TokenKind::Semi);
        return;
      }
    } else if (is(TokenKind::Semi) && depth == 0) {
      advance();
      return;
    }
    advance();
  }
}

void ParserImpl::parseModuleItem() {
  SourceOffset loc = token.offset;
  unsigned errorsBefore = numErrors;
  Linkage linkage = Linkage::None;
  while (is(TokenKind::Directive)) {
    Linkage here = StringSwitch<Linkage>(spelling())
                       .Case(".extern", Linkage::Extern)
                       .Case(".visible", Linkage::Visible)
                       .Case(".weak", Linkage::Weak)
                       .Case(".common", Linkage::Common)
                       .Default(Linkage::None);
    if (here == Linkage::None)
      break;
    if (linkage != Linkage::None) {
      errorHere("a second linkage directive");
      return skipModuleItem();
    }
    linkage = here;
    advance();
  }
  if (!is(TokenKind::Directive)) {
    if (is(TokenKind::At)) {
      errorHere("'@@DWARF' directives are those of PTX 1.x; later versions "
                "have '.section'");
      return skipModuleItem();
    }
    errorHere("expected a directive but got " + describeToken());
    advance();
    return skipModuleItem();
  }
  StringRef name = spelling();
  StateSpace space = getStateSpace(name);
  if (name == ".entry" || name == ".func") {
    if (linkage == Linkage::Common) {
      errorHere("a function cannot be '.common'");
      return skipModuleItem();
    }
    parseFunction(linkage, loc);
  } else if (space != StateSpace::None && space != StateSpace::Reg &&
             space != StateSpace::Param && space != StateSpace::Local) {
    advance();
    parseVariables(space, linkage, false);
    if (numErrors != errorsBefore && !isComplete(loc))
      skipModuleItem();
  } else if (linkage != Linkage::None) {
    errorHere("expected a function or a variable behind the linkage",
              suggest({".entry", ".func", ".global", ".const", ".shared"}));
    skipModuleItem();
  } else if (name == ".file") {
    parseFile();
  } else if (name == ".section") {
    parseVerbatimSection();
  } else if (name == ".alias") {
    parseAlias();
  } else if (name == ".pragma") {
    parseModulePragma();
  } else {
    errorHere("unknown directive '" + name + "' at module level",
              suggest({".entry", ".func", ".visible", ".extern", ".weak",
                       ".common", ".global", ".const", ".shared", ".file",
                       ".section", ".alias", ".pragma"}));
    advance();
    skipModuleItem();
  }
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

void ParserImpl::parseFunction(Linkage linkage, SourceOffset loc) {
  uint32_t index = module->functions.size();
  module->functions.emplace_back();
  Function &function = module->functions.back();
  function.isEntry = spelling() == ".entry";
  function.linkage = linkage;
  function.loc = loc;
  advance();
  current = &function;
  usedNames.clear();
  headerNames.clear();
  usedPrefixes.clear();
  smallestNumbers.clear();
  bool ok = parseFunctionHeader(function);
  while (ok && is(TokenKind::Directive))
    ok = parseFunctionDirective(function);
  if (ok)
    checkFunctionDirectives(function);
  if (ok && !is(TokenKind::LBrace) && !is(TokenKind::Semi)) {
    errorHere("expected '{' or ';' behind the head of the function but got " +
              describeToken());
    ok = false;
  }
  if (!ok) {
    current = nullptr;
    return skipModuleItem();
  }
  // What follows is the body all the same.
  if (is(TokenKind::Semi) && lexer.peekBehindSpace().first == '{') {
    errorHere("expected '{' behind the head of the function but got ';' in "
              "front of it");
    consumeIf(TokenKind::Semi);
  }
  function.hasBody = is(TokenKind::LBrace);
  if (!function.hasBody && function.isEntry && !function.directives.empty())
    error(function.directives.front().loc, 1,
          "the declaration of an entry has no directives");
  declareFunction(function, index);
  names.enterScope();
  declareParameters(function);
  module->items.push_back({ModuleItem::Function, index});
  if (function.hasBody)
    parseBody(function);
  else
    consumeIf(TokenKind::Semi);
  names.leaveScope();
  current = nullptr;
}

void ParserImpl::declareFunction(Function &function, uint32_t index) {
  NameTable::Result known = names.lookup(function.name);
  if (known.entry && known.entry->kind == NameEntry::Function) {
    Function &other = module->functions[known.entry->index];
    if (other.hasBody && function.hasBody) {
      error(function.loc, 1,
            "the function '" + function.name + "' is defined twice");
      return;
    }
    checkRedeclaration(other, function);
    if (function.hasBody || !other.hasBody)
      names.replace(function.name, {NameEntry::Function, index});
    return;
  }
  if (known.entry && known.entry->kind == NameEntry::Variable) {
    error(function.loc, 1,
          "the name '" + function.name + "' is declared twice");
    return;
  }
  names.declare(function.name, {NameEntry::Function, index});
  if (function.hasBody && function.linkage == Linkage::Extern)
    error(function.loc, 1,
          "the function '" + function.name + "' is '.extern' but has a body");
}

bool ParserImpl::parseFunctionHeader(Function &function) {
  // `.attribute(…)` may stand before the results.
  if (isDirective(".attribute") && !function.isEntry) {
    FunctionDirective directive;
    directive.name = "attribute";
    directive.loc = token.offset;
    if (!parseAttribute(directive.text, /*isFunction=*/true))
      return false;
    function.directives.push_back(std::move(directive));
  }
  if (is(TokenKind::LParen) &&
      (function.isEntry || !parseParameterList(function, /*results=*/true))) {
    if (function.isEntry)
      errorHere("an entry has no results");
    return false;
  }
  if (!expectName("the function"))
    return false;
  function.name = spelling();
  consumeIf(TokenKind::Identifier);
  return !is(TokenKind::LParen) ||
         parseParameterList(function, /*results=*/false);
}

bool ParserImpl::parseParameterList(Function &function, bool results) {
  consumeIf(TokenKind::LParen);
  if (!is(TokenKind::RParen))
    do {
      if (!parseParameter(function, results))
        return false;
    } while (consumeIf(TokenKind::Comma));
  // Several results are only in registers; an array without an extent ends
  // the parameters.
  std::vector<VarDecl> &list = results ? function.results : function.params;
  for (const VarDecl &var : list) {
    if (results && list.size() > 1 && var.space != StateSpace::Reg) {
      error(var.loc, var.name.size(), "several results are in registers only");
      return false;
    }
    if (is_contained(var.extents, 0) &&
        (function.isEntry || results || &var != &list.back())) {
      error(var.loc, var.name.size(),
            "only the last parameter of a device function can be an array "
            "without an extent");
      return false;
    }
  }
  return expect(TokenKind::RParen, "')' at the end of the parameters") &&
         (!function.isEntry || checkParameterSpace(function));
}

bool ParserImpl::checkParameterSpace(const Function &function) {
  bool isLarge = module->version >= 81 && module->target.sm >= 70;
  uint64_t limit = isLarge ? 32764 : 4352, size = 0;
  for (const VarDecl &var : function.params) {
    uint64_t bytes = var.type.width / 8 * std::max<uint64_t>(1, var.vector);
    size = alignTo(size, std::max<uint64_t>(bytes, var.align));
    for (uint64_t extent : var.extents)
      bytes *= extent;
    size += bytes;
    if (size <= limit)
      continue;
    error(var.loc, var.name.size(),
          "the parameters of an entry have at most " + Twine(limit) +
              " bytes but up to here " + Twine(size) +
              (isLarge ? "" : "; more need PTX 8.1 and sm_70"));
    return false;
  }
  return true;
}

bool ParserImpl::parseParameter(Function &function, bool results) {
  VarDecl var;
  bool isPrototype = &function != current;
  var.space = getStateSpace(is(TokenKind::Directive) ? spelling() : "");
  if (var.space != StateSpace::Param &&
      (var.space != StateSpace::Reg || function.isEntry)) {
    errorHere(Twine("expected '.param'") +
                  (function.isEntry ? "" : " or '.reg'") + " but got " +
                  describeToken(),
              suggest({".param", ".reg"}));
    return false;
  }
  advance();
  auto parseAlign = [&](uint32_t &align) {
    while (consumeDirective(".align"))
      if (!parseAlignment(align))
        return false;
    if (align <= 128 || function.isEntry)
      return true;
    error(previousEnd - 1, 1,
          "a parameter is aligned to 128 bytes at most but to " + Twine(align) +
              " here");
    return false;
  };
  if (!parseAlign(var.align))
    return false;
  SourceOffset typeStart = token.offset;
  if (!parseType(var.type, var.typeName, var.vector))
    return false;
  bool isReg = var.space == StateSpace::Reg;
  if (isReg ? !isRegisterType(var.type, var.typeName, var.vector)
            : var.type.kind == TypeKind::Predicate || var.type.packed ||
                  (var.vector && !isPrototype)) {
    error(typeStart, previousEnd - typeStart,
          Twine(isReg ? "a register" : "a parameter in memory") +
              " cannot be of type '" + buffer.slice(typeStart, previousEnd) +
              "'");
    return false;
  }
  if (var.typeName.ends_with("ref") && !function.isEntry && !isPrototype) {
    error(typeStart, previousEnd - typeStart,
          "textures, samplers and surfaces are parameters of entries only");
    return false;
  }
  if (isDirective(".ptr")) {
    if (!function.isEntry && !isPrototype)
      errorHere("'.ptr' is for parameters of entries only");
    var.isPointer = true;
    advance();
    if (is(TokenKind::Directive) &&
        is_contained({".const", ".global", ".local", ".shared", ".texref",
                      ".samplerref", ".surfref"},
                     spelling())) {
      var.pointee = spelling().drop_front();
      advance();
    }
    if (!parseAlign(var.pointerAlign))
      return false;
  }
  if (!parseAlign(var.align))
    return false;
  // A prototype's parameters have no names.
  if (!(isPrototype && is(TokenKind::Identifier) && spelling() == "_") &&
      !expectName("a parameter"))
    return false;
  var.name = spelling();
  var.loc = token.offset;
  consumeIf(TokenKind::Identifier);
  if (var.space == StateSpace::Reg && is(TokenKind::Less)) {
    errorHere("a register parameter is one register");
    return false;
  }
  if (isReg && is(TokenKind::LBracket)) {
    errorHere("a register parameter is no array");
    return false;
  }
  if (!parseExtents(var))
    return false;
  if (var.extents.size() > 1) {
    error(var.loc, var.name.size(), "an array as a parameter has one extent");
    return false;
  }
  (results ? function.results : function.params).push_back(std::move(var));
  return true;
}

/// Makes the results and parameters known in the function's scope.
void ParserImpl::declareParameters(Function &function) {
  for (bool results : {true, false}) {
    std::vector<VarDecl> &list = results ? function.results : function.params;
    for (auto [index, var] : enumerate(list)) {
      NameEntry entry{results ? NameEntry::Result : NameEntry::Param,
                      static_cast<uint32_t>(index)};
      if (var.space == StateSpace::Reg) {
        entry = {NameEntry::Register,
                 static_cast<uint32_t>(function.regs.size())};
        RegDecl reg;
        reg.name = var.name;
        reg.type = var.type;
        reg.vector = var.vector;
        reg.first = function.numRegs;
        reg.loc = var.loc;
        var.reg = reg.first;
        function.numRegs += reg.numRegisters();
        function.regs.push_back(reg);
      }
      // Any number of parameters may be nameless.
      if (var.name == "_")
        continue;
      if (!names.declare(var.name, entry))
        error(var.loc, var.name.size(),
              "the parameter '" + var.name + "' is declared twice");
      noteName(var.name, /*numbered=*/false, 0);
      headerNames.insert(var.name);
    }
  }
}

//===----------------------------------------------------------------------===//
// Entry point
//===----------------------------------------------------------------------===//

std::unique_ptr<Module>
syntax::parseModule(MemoryBufferRef buffer, const LineTable &lines,
                    function_ref<void(const Diagnostic &)> report,
                    const ParseOptions &options) {
  if (buffer.getBufferSize() >= UINT32_MAX) {
    Diagnostic diagnostic;
    diagnostic.line = diagnostic.column = 1;
    diagnostic.message = "the file is 4 GiB or larger";
    report(diagnostic);
    return nullptr;
  }
  ParserImpl parser(buffer, lines, options);
  std::unique_ptr<Module> module = parser.parse();
  llvm::stable_sort(parser.diagnostics, [](const auto &a, const auto &b) {
    return a.offset < b.offset;
  });
  for (const ParserImpl::PendingDiagnostic &pending : parser.diagnostics)
    report(pending.diagnostic);
  return module;
}
