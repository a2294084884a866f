//===- BodyParser.cpp - Statements of a function body ---------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nested scopes are a stack, not recursion. A label is local to its scope and
// may be used before it stands: references wait by name, and when a scope
// closes, each of its labels takes the references made since the scope opened.
//
//===----------------------------------------------------------------------===//

#include "ParserImpl.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::syntax;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// The prefix and the number if `name` is one that numbered registers have.
static std::optional<std::pair<StringRef, uint32_t>>
splitNumber(StringRef name) {
  StringRef prefix = name.rtrim("0123456789");
  uint32_t number;
  if (prefix.size() == name.size() ||
      name.drop_front(prefix.size()).getAsInteger(10, number))
    return std::nullopt;
  return std::make_pair(prefix, number);
}

StringRef ParserImpl::uniqueName(StringRef name, bool numbered,
                                 uint32_t count) {
  // Whether a numbered declaration and another name of the function collide.
  auto isTaken = [&](StringRef candidate) {
    if (numbered) {
      auto it = smallestNumbers.find(candidate);
      return usedPrefixes.count(candidate) ||
             (it != smallestNumbers.end() && it->second < count);
    }
    if (usedNames.contains(candidate))
      return true;
    auto split = splitNumber(candidate);
    if (!split)
      return false;
    auto it = usedPrefixes.find(split->first);
    return it != usedPrefixes.end() && split->second < it->second;
  };
  // A nested scope's name also hides one of the module for a while only.
  bool hides = scopes.size() > 1 && !numbered && names.lookup(name).entry;
  StringRef unique = name;
  if (hides || isTaken(name)) {
    std::string fresh;
    do {
      fresh = (name + "$" + Twine(++freshNames) + (numbered ? "_" : "")).str();
    } while (isTaken(fresh) || names.lookup(fresh).entry);
    unique = save(StringRef(fresh));
  }
  noteName(unique, numbered, count);
  return unique;
}

/// Keeps a name for uniqueName.
void ParserImpl::noteName(StringRef name, bool numbered, uint32_t count) {
  if (numbered) {
    usedPrefixes[name] = count;
    return;
  }
  usedNames.insert(name);
  if (auto split = splitNumber(name)) {
    uint32_t &smallest =
        smallestNumbers.try_emplace(split->first, split->second).first->second;
    smallest = std::min(smallest, split->second);
  }
}

//===----------------------------------------------------------------------===//
// Scopes and labels
//===----------------------------------------------------------------------===//

void ParserImpl::openScope(SourceOffset loc) {
  names.enterScope();
  scopes.emplace_back();
  scopes.back().firstReference = labelSequence;
  scopes.back().loc = loc;
}

void ParserImpl::closeScope() {
  ScopeLabels &scope = scopes.back();
  for (auto &[name, index] : scope.labels) {
    auto it = labelReferences.find(name);
    if (it == labelReferences.end())
      continue;
    std::vector<LabelReference> &references = it->second;
    while (!references.empty() &&
           references.back().sequence >= scope.firstReference) {
      const LabelReference &reference = references.back();
      if (reference.node)
        reference.node->value = index;
      else
        current->labelLists[reference.list].labels[reference.element] = index;
      references.pop_back();
    }
  }
  names.leaveScope();
  scopes.pop_back();
}

/// The name of a label or list in the function; empty and an error if the scope
/// has it already.
StringRef ParserImpl::declareLabel(Token name) {
  StringRef spelled = text(name);
  if (!scopes.back().seen.insert(spelled).second) {
    error(name.offset, name.length,
          "the label '" + spelled + "' is declared twice in this scope");
    return {};
  }
  if (names.isDeclaredHere(spelled) || isHeaderName(spelled)) {
    error(name.offset, name.length,
          "the name '" + spelled + "' is declared twice in this scope");
    return {};
  }
  if (usedLabels.insert(spelled).second)
    return spelled;
  std::string fresh;
  do {
    fresh = (spelled + "$" + Twine(++freshNames)).str();
  } while (!usedLabels.insert(fresh).second);
  return save(StringRef(fresh));
}

void ParserImpl::parseLabel(Token name, uint32_t region) {
  StringRef unique = declareLabel(name);
  if (unique.empty())
    return;
  uint32_t index = current->labels.size();
  current->labels.push_back(unique);
  scopes.back().labels.push_back({text(name), index});
  addStatement(Statement::Label, index, name.offset, region);
}

const ParserImpl::NamedList *ParserImpl::findList(StringRef name) const {
  for (const ScopeLabels &scope : reverse(scopes)) {
    auto it = scope.lists.find(name);
    if (it != scope.lists.end())
      return &it->second;
    // A label of that name hides a list.
    if (scope.seen.contains(name))
      return nullptr;
  }
  return nullptr;
}

/// `name: .branchtargets …;` and its like, behind the colon. False if what
/// follows is none of them.
bool ParserImpl::parseLabelList(Token name, uint32_t region) {
  SourceOffset loc = name.offset;
  StringRef directive = spelling();
  bool isBranch = directive == ".branchtargets";
  bool isCall = directive == ".calltargets";
  if (!isBranch && !isCall && directive != ".callprototype")
    return false;
  if (!requireFeature(token, directive, isBranch ? 60 : 21,
                      isBranch ? 30 : 20)) {
    recover();
    return true;
  }
  NamedList list;
  list.unique = declareLabel(name);
  if (list.unique.empty()) {
    recover();
    return true;
  }
  if (isBranch) {
    parseBranchTargets(name, list, region);
    return true;
  }
  SourceOffset behindName = name.offset + name.length;
  advance();
  list.kind = isCall ? NamedList::CallTargets : NamedList::Prototype;
  list.index = isCall ? callTargets.size() : prototypes.size();
  bool ok = isCall ? parseCallTargets() : parsePrototype(text(name));
  if (ok && !is(TokenKind::Semi)) {
    errorHere("expected ';' but got '" + spelling().take_front(40) + "'");
    ok = false;
  }
  if (!ok) {
    recover();
    return true;
  }
  consumeIf(TokenKind::Semi);
  scopes.back().lists[text(name)] = list;
  uint32_t index = current->texts.size();
  StringRef written = buffer.slice(loc, previousEnd);
  if (list.unique != text(name))
    written = save(
        StringRef((list.unique + buffer.slice(behindName, previousEnd)).str()));
  current->texts.push_back(written);
  addStatement(Statement::Verbatim, index, loc, region);
  return true;
}

/// At `.branchtargets`: its labels may stand later.
void ParserImpl::parseBranchTargets(Token name, NamedList named,
                                    uint32_t region) {
  LabelList list;
  list.name = named.unique;
  uint32_t index = current->labelLists.size();
  named.kind = NamedList::BranchTargets;
  named.index = index;
  do {
    advance();
    if (!is(TokenKind::Identifier)) {
      errorHere("expected a label");
      // References to its elements so far wait for their labels.
      current->labelLists.push_back(std::move(list));
      return recover();
    }
    uint32_t element = list.labels.size();
    list.labels.push_back(~0u);
    labelReferences[spelling()].push_back(
        {labelSequence++, token.offset, nullptr, index, element});
    previousEnd = token.offset + token.length;
    advance();
  } while (is(TokenKind::Comma));
  scopes.back().lists[text(name)] = named;
  current->labelLists.push_back(std::move(list));
  addStatement(Statement::LabelList, index, name.offset, region);
  if (!expectSemi())
    recover();
}

/// The names behind `.calltargets`.
bool ParserImpl::parseCallTargets() {
  SmallVector<uint32_t, 2> functions;
  do {
    NameTable::Result known = is(TokenKind::Identifier)
                                  ? names.lookup(spelling())
                                  : NameTable::Result();
    if (!known.entry || known.entry->kind != NameEntry::Function) {
      errorHere("'" + spelling().take_front(40) +
                "' is not a declared function");
      return false;
    }
    functions.push_back(known.entry->index);
    consumeIf(TokenKind::Identifier);
  } while (consumeIf(TokenKind::Comma));
  callTargets.push_back(std::move(functions));
  return true;
}

/// `(results) _ (parameters) .noreturn`, behind `.callprototype`; all but the
/// `_` may be left out.
bool ParserImpl::parsePrototype(StringRef name) {
  Function prototype;
  prototype.name = name;
  if (is(TokenKind::LParen) && !parseParameterList(prototype, true))
    return false;
  if (!is(TokenKind::Identifier) || spelling() != "_") {
    errorHere("expected '_' in place of a function's name but got '" +
              spelling().take_front(40) + "'");
    return false;
  }
  consumeIf(TokenKind::Identifier);
  if (is(TokenKind::LParen) && !parseParameterList(prototype, false))
    return false;
  while (isDirective(".noreturn") || isDirective(".abi_preserve") ||
         isDirective(".abi_preserve_control"))
    if (!parseFunctionDirective(prototype))
      return false;
  checkFunctionDirectives(prototype);
  prototypes.push_back(std::move(prototype));
  return true;
}

//===----------------------------------------------------------------------===//
// Body
//===----------------------------------------------------------------------===//

/// Skips to the start of the next statement.
void ParserImpl::recover() {
  unsigned depth = openBraces;
  openBraces = 0;
  while (!is(TokenKind::Eof)) {
    if (is(TokenKind::Semi)) {
      advance();
      return;
    }
    if (is(TokenKind::LBrace)) {
      // On a line of its own it opens a scope.
      if (depth == 0 &&
          lines.line(lines.lineAndColumn(token.offset).first).trim() == "{")
        return;
      ++depth;
    } else if (is(TokenKind::RBrace)) {
      if (depth == 0)
        return;
      --depth;
    }
    advance();
  }
}

void ParserImpl::parseBody(Function &function) {
  insts.clear();
  statements.clear();
  labelReferences.clear();
  usedLabels.clear();
  prototypes.clear();
  callTargets.clear();
  labelSequence = 0;
  freshNames = 0;
  scopes.clear();
  SourceOffset start = token.offset;
  openScope(start);
  advance();
  while (true) {
    if (tooManyErrors() || is(TokenKind::Eof)) {
      bool ends = is(TokenKind::Eof) && options.openBody && scopes.size() == 1;
      if (is(TokenKind::Eof) && !ends)
        error(scopes.back().loc, 1,
              options.openBody ? Twine("this '{' is never closed")
                               : "this '{' of the function '" + function.name +
                                     "' is never closed");
      function.endLoc = token.offset;
      while (!scopes.empty())
        closeScope();
      return ends ? finishBody() : void();
    }
    if (is(TokenKind::RBrace)) {
      if (options.openBody && scopes.size() == 1) {
        errorHere("this '}' closes nothing");
        consumeIf(TokenKind::RBrace);
        continue;
      }
      closeScope();
      if (scopes.empty()) {
        function.endLoc = token.offset;
        break;
      }
      consumeIf(TokenKind::RBrace);
      continue;
    }
    if (is(TokenKind::LBrace)) {
      openScope(token.offset);
      consumeIf(TokenKind::LBrace);
      continue;
    }
    parseStatement();
  }
  consumeIf(TokenKind::RBrace);
  finishBody();
}

/// Moves the body into the function, and reports what labels were used and
/// never declared.
void ParserImpl::finishBody() {
  current->insts = std::vector<Instruction>(insts.begin(), insts.end());
  current->body = std::vector<Statement>(statements.begin(), statements.end());
  std::vector<std::pair<SourceOffset, StringRef>> missing;
  for (const auto &entry : labelReferences)
    for (const LabelReference &reference : entry.second)
      missing.push_back({reference.loc, entry.getKey()});
  llvm::sort(missing);
  for (auto [loc, name] : missing) {
    if (tooManyErrors())
      return;
    StringRef best;
    unsigned distance = maxEdits(name) + 1;
    for (StringRef label : current->labels)
      // The same name in a scope that is not visible is no help.
      if (label != name)
        considerSpelling(name, label, distance, best);
    error(loc, name.size(), "no label '" + name + "' is visible here",
          best.empty() ? Twine("") : "did you mean '" + best + "'?");
  }
}

void ParserImpl::parseStatement() {
  switch (token.kind) {
  case TokenKind::Directive:
    parseBodyDirective();
    return;
  case TokenKind::At:
    parseInstruction();
    return;
  case TokenKind::Identifier: {
    auto [c, second] = lexer.peekBehindSpace();
    if (c == ':' && second != ':') {
      Token name = token;
      uint32_t region = lexer.inlineAsmRegion();
      expectName("a label");
      consumeIf(TokenKind::Identifier);
      consumeIf(TokenKind::Colon);
      if (is(TokenKind::Directive) && parseLabelList(name, region))
        return;
      parseLabel(name, region);
      return;
    }
    parseInstruction();
    return;
  }
  default:
    errorHere(is(TokenKind::Semi) ? Twine("an empty statement")
                                  : "expected a statement but got '" +
                                        spelling().take_front(40) + "'");
    recover();
    return;
  }
}

void ParserImpl::parseBodyDirective() {
  StringRef name = spelling();
  unsigned errorsBefore = numErrors;
  SourceOffset start = token.offset;
  StateSpace space = getStateSpace(name);
  if (space == StateSpace::Reg) {
    advance();
    parseRegisters();
  } else if (space != StateSpace::None && space != StateSpace::Tex) {
    advance();
    parseVariables(space, Linkage::None, true);
  } else if (name == ".loc") {
    parseLoc();
    return;
  } else if (name == ".pragma") {
    SourceOffset loc = token.offset;
    uint32_t region = lexer.inlineAsmRegion();
    advance();
    do {
      if (!is(TokenKind::String)) {
        errorHere("expected a string");
        break;
      }
      uint32_t index = current->texts.size();
      current->texts.push_back(spelling().drop_front().drop_back());
      addStatement(Statement::Pragma, index, loc, region);
      consumeIf(TokenKind::String);
    } while (consumeIf(TokenKind::Comma));
    if (numErrors == errorsBefore)
      expectSemi();
  } else {
    errorHere("unknown directive '" + name + "' in a function",
              suggest({".reg", ".local", ".shared", ".param", ".global",
                       ".const", ".loc", ".pragma"}));
  }
  if (numErrors != errorsBefore && !isComplete(start))
    recover();
}

/// `.loc file line column [, function_name label [+ n], inlined_at f l c]`;
/// no semicolon follows.
void ParserImpl::parseLoc() {
  LocDirective loc;
  Token at = token;
  SourceOffset start = token.offset;
  uint32_t region = lexer.inlineAsmRegion();
  advance();
  auto number = [&](uint32_t &value, const char *what) {
    std::optional<uint32_t> parsed = parseNumber32(what);
    if (!parsed)
      return false;
    value = *parsed;
    return true;
  };
  if (!number(loc.file, "the index of a file") || !number(loc.line, "a line") ||
      !number(loc.column, "a column"))
    return;
  if (consumeIf(TokenKind::Comma)) {
    if (!is(TokenKind::Identifier) || spelling() != "function_name")
      return errorHere("expected 'function_name'");
    advance();
    // A label of the debug sections, or the section of the strings itself.
    if (!is(TokenKind::Identifier) && !isDirective(".debug_str"))
      return errorHere("expected a label");
    loc.inlined = true;
    loc.functionLabel = spelling();
    debugLabelUses.push_back({spelling(), token.offset});
    consumeIf(token.kind);
    if (consumeIf(TokenKind::Plus) && !number(loc.functionOffset, "an offset"))
      return;
    if (!expect(TokenKind::Comma, "','"))
      return;
    if (!is(TokenKind::Identifier) || spelling() != "inlined_at")
      return errorHere("expected 'inlined_at'");
    advance();
    if (!number(loc.atFile, "the index of a file") ||
        !number(loc.atLine, "a line") || !number(loc.atColumn, "a column"))
      return;
    requireFeature(at, "function_name", 70, 0);
    if (!locPlaces.contains({loc.atFile, loc.atLine, loc.atColumn}))
      error(start, previousEnd - start,
            "the place " + Twine(loc.atFile) + " " + Twine(loc.atLine) + " " +
                Twine(loc.atColumn) +
                " of 'inlined_at' is that of no '.loc' before");
  }
  locPlaces.insert({loc.file, loc.line, loc.column});
  uint32_t index = current->locs.size();
  current->locs.push_back(loc);
  addStatement(Statement::Loc, index, start, region);
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// Takes the whole mnemonic; blanks may stand before its dots.
StringRef ParserImpl::takeMnemonic(Token &whole) {
  whole.kind = TokenKind::Identifier;
  whole.offset = token.offset;
  whole.length = lexer.extendMnemonic(token);
  StringRef mnemonic = text(whole);
  if (lexer.peekBehindSpace().first != '.')
    return mnemonic;
  std::string joined = mnemonic.str();
  while (lexer.peekBehindSpace().first == '.') {
    Token part;
    lexer.next(part);
    if (part.kind != TokenKind::Directive)
      break;
    joined += text(part);
    whole.length = part.offset + part.length - whole.offset;
  }
  return save(StringRef(joined));
}

/// `st.b32 [%rd1], %r1+4`: to ptxas an `add` into a register of its own.
void ParserImpl::addSum(const Sum &sum, uint32_t region) {
  ParsedNode &use = nodes[sum.node];
  RegDecl reg = current->regs[use.decl];
  MnemonicInfo &add = getMnemonic(reg.type.width == 16   ? "add.u16"
                                  : reg.type.width == 32 ? "add.u32"
                                                         : "add.u64");
  reg.name = uniqueName("%sum", /*numbered=*/false, 0);
  reg.count = 0;
  reg.vector = 0;
  reg.first = current->numRegs;
  reg.loc = use.node.loc;
  auto *operands = module->arena.Allocate<OperandNode>(3);
  for (unsigned i = 0; i < 3; ++i)
    new (&operands[i]) OperandNode(use.node);
  operands[0].kind = OperandKind::Def;
  operands[0].value = reg.first;
  operands[2].kind = OperandKind::Int;
  operands[2].value = sum.offset;
  Instruction inst;
  inst.opcode = add.opcode;
  inst.form = add.candidates.front().form;
  inst.mods = add.mods;
  inst.operands = {operands, 3};
  addInstruction(inst, use.node.loc, region);
  use.node.value = reg.first;
  current->numRegs += reg.numRegisters();
  current->regs.push_back(reg);
}

void ParserImpl::parseInstruction() {
  Instruction inst;
  SourceOffset start = token.offset;
  uint32_t region = lexer.inlineAsmRegion();
  openBraces = 0;
  nodes.clear();
  operandStarts.clear();
  sums.clear();
  hasUnified = hasDecimal = false;
  if (consumeIf(TokenKind::At)) {
    inst.guardNegated = consumeIf(TokenKind::Bang);
    if (!is(TokenKind::Identifier)) {
      errorHere("expected a predicate register behind '@'");
      return recover();
    }
    Token name = token;
    if (!takeNumberedRegister()) {
      pushName(name);
      if (nodes.front().unresolved) {
        reportUndeclared(name);
        return recover();
      }
      consumeIf(TokenKind::Identifier);
    }
    const ParsedNode &guard = nodes.front();
    if (guard.node.kind != OperandKind::Use ||
        current->regs[guard.decl].type.kind != TypeKind::Predicate) {
      error(name.offset, name.length,
            "a guard is a predicate register, but '" + text(name) +
                "' is none");
      return recover();
    }
    inst.guard = guard.node.value;
    nodes.clear();
    if (!is(TokenKind::Identifier)) {
      errorHere("expected an instruction behind the guard");
      return recover();
    }
  }
  Token at;
  StringRef mnemonic = takeMnemonic(at);
  previousEnd = at.offset + at.length;
  advance();
  MnemonicInfo &info = getMnemonic(mnemonic);
  if (!info.known) {
    reportMnemonic(mnemonic, at.offset);
    return recover();
  }
  if (!is(TokenKind::Semi) && !parseOperands(info.opcode == Opcode::call))
    return recover();
  if (!matchInstruction(info, at, inst)) {
    // The operands were read well, so the statement is complete.
    if (!consumeIf(TokenKind::Semi))
      recover();
    return;
  }
  for (const Sum &sum : sums)
    addSum(sum, region);
  OperandNode *copy = module->arena.Allocate<OperandNode>(nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i) {
    new (&copy[i]) OperandNode(nodes[i].node);
    if (copy[i].kind == OperandKind::Label)
      labelReferences[copy[i].name].push_back(
          {labelSequence++, copy[i].loc, &copy[i], 0, 0});
  }
  inst.mods = info.mods;
  inst.operands = {copy, nodes.size()};
  addInstruction(inst, start, region);
  if (!expectSemi())
    recover();
}
