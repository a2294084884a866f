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
            }) {}

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
  // The dot in front counts for nothing.
  unsigned distance = maxEdits(spelling().drop_front()) + 1;
  for (StringRef candidate : known)
    considerSpelling(spelling(), candidate, distance, best);
  return best.empty() ? std::string() : ("did you mean '" + best + "'?").str();
}

/// What the token is, for "expected … but got …".
static std::string describe(TokenKind kind, StringRef spelling) {
  if (kind == TokenKind::Eof)
    return "the end of the file";
  return ("'" + spelling.take_front(40) + "'").str();
}

bool ParserImpl::consumeIf(TokenKind kind) {
  if (!is(kind))
    return false;
  previousEnd = token.offset + token.length;
  advance();
  return true;
}

bool ParserImpl::expect(TokenKind kind, const char *what) {
  if (consumeIf(kind))
    return true;
  errorHere("expected " + Twine(what) + " but got " +
            describe(token.kind, spelling()));
  return false;
}

bool ParserImpl::expectSemi() {
  if (consumeIf(TokenKind::Semi))
    return true;
  // What follows on another line is the next statement, most likely.
  if (!is(TokenKind::Error) &&
      buffer.slice(previousEnd, token.offset).contains('\n')) {
    error(previousEnd ? previousEnd - 1 : 0, 1,
          "expected ';' at the end of the statement");
    return true;
  }
  errorHere("expected ';' but got " + describe(token.kind, spelling()));
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
  if (!hadError())
    while (!is(TokenKind::Eof) && !tooManyErrors())
      parseModuleItem();
  if (hadError())
    return nullptr;
  return std::move(module);
}

void ParserImpl::checkASCII() {
  // Eight bytes a step; nearly no file has one.
  const char *it = buffer.begin();
  for (uint64_t word; buffer.end() - it >= 8; it += 8) {
    memcpy(&word, it, 8);
    if (word & 0x8080808080808080ull)
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
  if (high * 10 + low > 90)
    return errorHere("this reads PTX up to version 9.0 but got '" + spelling() +
                     "'");
  module->version = high * 10 + low;
  advance();
  if (!isDirective(".target"))
    return errorHere("expected '.target' behind the version",
                     suggest({".target"}));
  if (!parseTarget())
    return;
  if (isDirective(".address_size")) {
    advance();
    if (!is(TokenKind::Integer) || (spelling() != "32" && spelling() != "64"))
      return errorHere("expected an address size of 32 or 64");
    module->addressSize = spelling() == "64" ? 64 : 32;
    advance();
  }
}

/// Those that ptxas 13.0 takes in `.target`.
static bool isKnownTarget(TargetArch arch) {
  static constexpr unsigned plain[] = {10, 11, 12, 13, 20, 21, 30, 32, 35,
                                       37, 50, 52, 53, 60, 61, 62, 70, 72,
                                       75, 80, 82, 86, 87, 88, 89, 90};
  static constexpr unsigned families[] = {100, 101, 103, 110, 120, 121};
  return is_contained(families, arch.sm) ||
         (arch.suffix ? arch.suffix == 'a' && arch.sm == 90
                      : is_contained(plain, arch.sm));
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
    std::optional<TargetArch> arch = parseTargetArch(name);
    if (arch && isKnownTarget(*arch)) {
      module->target = *arch;
      haveArch = true;
    } else if (is_contained({"texmode_unified", "texmode_independent", "debug",
                             "map_f64_to_f32"},
                            name)) {
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
      errorHere("'@@DWARF' directives are not part of PTX 2.0 and later");
      return skipModuleItem();
    }
    errorHere("expected a directive but got " +
              describe(token.kind, spelling()));
    advance();
    return skipModuleItem();
  }
  StringRef name = spelling();
  StateSpace space = getStateSpace(name);
  if (name == ".entry" || name == ".func") {
    parseFunction(linkage, loc);
  } else if (space != StateSpace::None && space != StateSpace::Reg &&
             space != StateSpace::Param && space != StateSpace::Local) {
    advance();
    parseVariables(space, linkage, false);
    if (numErrors != errorsBefore)
      skipModuleItem();
  } else if (linkage != Linkage::None) {
    errorHere("expected a function or a variable behind the linkage",
              suggest({".entry", ".func", ".global", ".const", ".shared"}));
    skipModuleItem();
  } else if (name == ".file") {
    parseFile();
  } else if (name == ".section") {
    parseVerbatimSection();
  } else if (name == ".alias" || name == ".pragma") {
    parseVerbatimStatement();
  } else {
    errorHere("unknown directive '" + name + "' at module level",
              suggest({".entry", ".func", ".visible", ".extern", ".weak",
                       ".common", ".global", ".const", ".shared", ".file",
                       ".section", ".alias", ".pragma"}));
    advance();
    skipModuleItem();
  }
}

void ParserImpl::parseFile() {
  FileDirective file;
  file.loc = token.offset;
  advance();
  std::optional<uint64_t> index = parseNumber("the index of the file");
  if (!index)
    return;
  file.index = *index;
  if (!is(TokenKind::String))
    return errorHere("expected the name of the file in quotes");
  file.name = spelling().drop_front().drop_back();
  consumeIf(TokenKind::String);
  if (consumeIf(TokenKind::Comma)) {
    file.time = parseNumber("a time stamp");
    if (!file.time || !expect(TokenKind::Comma, "','"))
      return;
    file.size = parseNumber("a file size");
    if (!file.size)
      return;
  }
  if (!fileIndices.insert(file.index).second)
    return error(file.loc, 5,
                 "the file index " + Twine(file.index) + " is given twice");
  module->items.push_back(
      {ModuleItem::File, static_cast<uint32_t>(module->files.size())});
  module->files.push_back(std::move(file));
}

/// `.section name { … }`: debug data, kept as it is once it is known to be
/// well-formed: labels, and rows of numbers, labels and label differences.
void ParserImpl::parseVerbatimSection() {
  SourceOffset start = token.offset;
  advance();
  if (!is(TokenKind::Directive) && !is(TokenKind::Identifier))
    return errorHere("expected the name of the section");
  advance();
  if (!is(TokenKind::LBrace))
    return errorHere("expected '{' behind the name of the section");
  advance();
  while (!is(TokenKind::RBrace)) {
    if (is(TokenKind::Eof))
      return error(start, 8, "this section is never closed");
    if (!parseSectionRow()) {
      while (!is(TokenKind::RBrace) && !is(TokenKind::Eof))
        advance();
      break;
    }
  }
  SourceOffset end = token.offset + 1;
  consumeIf(TokenKind::RBrace);
  module->items.push_back(
      {ModuleItem::Verbatim, static_cast<uint32_t>(module->verbatim.size())});
  module->verbatim.push_back(buffer.slice(start, end));
  module->verbatimLocs.push_back(start);
}

/// A label, or `.b8`/`.b16`/`.b32`/`.b64` and its values.
bool ParserImpl::parseSectionRow() {
  if (consumeIf(TokenKind::Identifier))
    return expect(TokenKind::Colon, "':' behind the label");
  unsigned bits =
      StringSwitch<unsigned>(is(TokenKind::Directive) ? spelling() : "")
          .Case(".b8", 8)
          .Case(".b16", 16)
          .Case(".b32", 32)
          .Case(".b64", 64)
          .Default(0);
  if (bits == 0) {
    errorHere("expected a label or a row of .b8, .b16, .b32 or .b64 but got " +
              describe(token.kind, spelling()));
    return false;
  }
  advance();
  do {
    Token start = token;
    if (is(TokenKind::Identifier) || is(TokenKind::Directive)) {
      previousEnd = token.offset + token.length;
      advance();
      // `label+4`, `label-label`.
      if (is(TokenKind::Plus) || is(TokenKind::Minus)) {
        advance();
        if (!is(TokenKind::Identifier) && !is(TokenKind::Integer)) {
          errorHere("expected a label or a number");
          return false;
        }
        previousEnd = token.offset + token.length;
        advance();
      }
      continue;
    }
    std::optional<Constant> value = parseConstant();
    if (!value)
      return false;
    int64_t number = value->bits;
    if (bits < 64 && value->kind == Constant::Int &&
        (number >= int64_t(1) << bits ||
         number < -(int64_t(1) << (bits - 1)))) {
      error(start.offset, previousEnd - start.offset,
            "the value " + Twine(number) + " does not fit into .b" +
                Twine(bits));
      return false;
    }
  } while (consumeIf(TokenKind::Comma));
  return true;
}

/// `.alias a, b;` and `.pragma "…";`.
void ParserImpl::parseVerbatimStatement() {
  SourceOffset start = token.offset;
  bool isAlias = spelling() == ".alias";
  advance();
  do {
    if (isAlias) {
      if (!is(TokenKind::Identifier))
        return errorHere("expected the name of a function"), skipModuleItem();
      NameTable::Result known = names.lookup(spelling());
      if (!known.entry || known.entry->kind != NameEntry::Function)
        return errorHere("'" + spelling() + "' is not a declared function"),
               skipModuleItem();
    } else if (!is(TokenKind::String)) {
      return errorHere("expected a string"), skipModuleItem();
    }
    previousEnd = token.offset + token.length;
    advance();
  } while (consumeIf(TokenKind::Comma));
  if (!expectSemi())
    return skipModuleItem();
  module->items.push_back(
      {ModuleItem::Verbatim, static_cast<uint32_t>(module->verbatim.size())});
  module->verbatim.push_back(buffer.slice(start, previousEnd));
  module->verbatimLocs.push_back(start);
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
  bool ok = parseFunctionHeader(function);
  while (ok && is(TokenKind::Directive))
    ok = parseFunctionDirective(function);
  if (ok && !is(TokenKind::LBrace) && !is(TokenKind::Semi)) {
    errorHere("expected '{' or ';' behind the head of the function but got " +
              describe(token.kind, spelling()));
    ok = false;
  }
  if (!ok) {
    current = nullptr;
    return skipModuleItem();
  }
  function.hasBody = is(TokenKind::LBrace);
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
    auto isNoReturn = [](const Function &some) {
      return any_of(some.directives, [](const FunctionDirective &directive) {
        return directive.name == "noreturn";
      });
    };
    if (other.isEntry != function.isEntry ||
        isNoReturn(other) != isNoReturn(function) ||
        other.params.size() != function.params.size() ||
        other.results.size() != function.results.size())
      error(function.loc, 1,
            "the function '" + function.name +
                "' is declared with another signature before");
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
  if (!is(TokenKind::Identifier)) {
    errorHere("expected the name of the function but got " +
              describe(token.kind, spelling()));
    return false;
  }
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
  return expect(TokenKind::RParen, "')' at the end of the parameters");
}

bool ParserImpl::parseParameter(Function &function, bool results) {
  VarDecl var;
  var.space = getStateSpace(is(TokenKind::Directive) ? spelling() : "");
  if (var.space != StateSpace::Param &&
      (var.space != StateSpace::Reg || function.isEntry)) {
    errorHere(Twine("expected '.param'") +
                  (function.isEntry ? "" : " or '.reg'") + " but got " +
                  describe(token.kind, spelling()),
              suggest({".param", ".reg"}));
    return false;
  }
  advance();
  auto parseAlign = [&](uint32_t &align) {
    while (isDirective(".align")) {
      advance();
      std::optional<uint64_t> value = parseNumber("an alignment");
      if (!value)
        return false;
      if (!isPowerOf2_64(*value) || *value > (1u << 30)) {
        error(previousEnd - 1, 1,
              "an alignment is a power of two but is " + Twine(*value));
        return false;
      }
      align = *value;
    }
    return true;
  };
  if (!parseAlign(var.align))
    return false;
  SourceOffset typeStart = token.offset;
  if (!parseType(var.type, var.typeName, var.vector))
    return false;
  bool isReg = var.space == StateSpace::Reg;
  if (isReg ? !isRegisterType(var.type, var.typeName, var.vector)
            : var.type.kind == TypeKind::Predicate) {
    error(typeStart, previousEnd - typeStart,
          Twine(isReg ? "a register" : "a parameter in memory") +
              " cannot be of type '" + buffer.slice(typeStart, previousEnd) +
              "'");
    return false;
  }
  if (isDirective(".ptr")) {
    var.isPointer = true;
    advance();
    if (is(TokenKind::Directive) &&
        getStateSpace(spelling()) != StateSpace::None) {
      var.pointerSpace = getStateSpace(spelling());
      advance();
    }
    if (!parseAlign(var.pointerAlign))
      return false;
  }
  if (!parseAlign(var.align))
    return false;
  if (!is(TokenKind::Identifier)) {
    errorHere("expected the name of a parameter but got " +
              describe(token.kind, spelling()));
    return false;
  }
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
      usedNames.insert(var.name);
      headerNames.insert(var.name);
    }
  }
}

bool ParserImpl::parseFunctionDirective(Function &function) {
  FunctionDirective directive;
  directive.name = spelling().drop_front();
  directive.loc = token.offset;
  struct Known {
    StringLiteral name;
    unsigned minValues, maxValues;
    PTXVersion version;
    uint16_t sm;
  };
  static constexpr Known known[] = {{"maxntid", 1, 3, 13, 0},
                                    {"reqntid", 1, 3, 21, 0},
                                    {"minnctapersm", 1, 1, 20, 0},
                                    {"maxnctapersm", 1, 1, 13, 0},
                                    {"maxnreg", 1, 1, 13, 0},
                                    {"noreturn", 0, 0, 64, 0},
                                    {"explicitcluster", 0, 0, 78, 90},
                                    {"reqnctapercluster", 1, 3, 78, 90},
                                    {"maxclusterrank", 1, 1, 78, 90},
                                    {"blocksareclusters", 0, 0, 90, 90},
                                    {"abi_preserve", 1, 1, 90, 0},
                                    {"abi_preserve_control", 1, 1, 90, 0},
                                    {"pragma", 0, 0, 20, 0}};
  const Known *it = find_if(
      known, [&](const Known &entry) { return entry.name == directive.name; });
  if (it == std::end(known)) {
    StringRef best;
    unsigned distance = directive.name.size() / 3 + 1;
    for (const Known &entry : known) {
      unsigned d = directive.name.edit_distance(entry.name, true, distance);
      if (d < distance) {
        distance = d;
        best = entry.name;
      }
    }
    errorHere("unknown directive '" + spelling() + "' of a function",
              best.empty() ? Twine("")
                           : Twine("did you mean '.") + best + "'?");
    return false;
  }
  Token at = token;
  consumeIf(TokenKind::Directive);
  if (it->version > module->version)
    error(at.offset, at.length,
          "'" + text(at) + "' needs PTX ISA version " +
              Twine(it->version / 10) + "." + Twine(it->version % 10) +
              " but the module has " + Twine(module->version / 10) + "." +
              Twine(module->version % 10));
  if (it->sm > module->target.sm)
    error(at.offset, at.length,
          "'" + text(at) + "' needs sm_" + Twine(it->sm) +
              " but the target is " + stringifyTargetArch(module->target));
  if (directive.name == "pragma") {
    if (!is(TokenKind::String)) {
      errorHere("expected a string");
      return false;
    }
    directive.text = spelling().drop_front().drop_back();
    consumeIf(TokenKind::String);
    function.directives.push_back(std::move(directive));
    return expectSemi();
  }
  if (directive.name == "noreturn" && function.isEntry)
    error(at.offset, at.length, "an entry cannot be '.noreturn'");
  for (unsigned i = 0; i < it->maxValues; ++i) {
    if (i >= it->minValues && !consumeIf(TokenKind::Comma))
      break;
    if (i && i < it->minValues && !expect(TokenKind::Comma, "','"))
      return false;
    std::optional<uint64_t> value = parseNumber("a number");
    if (!value)
      return false;
    if (*value > UINT32_MAX) {
      error(at.offset, at.length,
            "the number " + Twine(*value) + " does not fit into 32 bits");
      return false;
    }
    directive.values.push_back(*value);
  }
  function.directives.push_back(std::move(directive));
  return true;
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
