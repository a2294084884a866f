//===- OperandParser.cpp - Operands as they are written -------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands become nodes in preorder, by their form alone; what a name means is
// looked up here, whether it fits is decided by the matcher.
//
//===----------------------------------------------------------------------===//

#include "ParserImpl.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::syntax;

bool ParserImpl::parseOperands(bool isCall) {
  do {
    operandStarts.push_back(nodes.size());
    if (!parseOperand(isCall))
      return false;
  } while (consumeIf(TokenKind::Comma));
  if (!is(TokenKind::Semi) &&
      !buffer.slice(previousEnd, token.offset).contains('\n')) {
    errorHere("expected ',' or ';' but got '" + spelling().take_front(40) +
              "'");
    return false;
  }
  return true;
}

bool ParserImpl::parseOperand(bool isCall) {
  switch (token.kind) {
  case TokenKind::LBracket:
    return parseAddress();
  case TokenKind::LBrace: {
    unsigned start = nodes.size();
    return parseNested(TokenKind::RBrace, OperandKind::Vector) &&
           (!is(TokenKind::Pipe) || parsePair(start));
  }
  case TokenKind::LParen:
    if (isCall)
      return parseNested(TokenKind::RParen, OperandKind::List);
    return parseLiteralOperand();
  case TokenKind::Bang:
  case TokenKind::Identifier: {
    unsigned start = nodes.size();
    return parseNamedOperand() && (!is(TokenKind::Pipe) || parsePair(start)) &&
           (!is(TokenKind::Plus) || isCall || parseSum(start));
  }
  case TokenKind::Minus:
    return parseMinus();
  default:
    return parseLiteralOperand("an operand, like a register or a constant,");
  }
}

/// `d|p`: the pair stands before its parts.
bool ParserImpl::parsePair(unsigned start) {
  consumeIf(TokenKind::Pipe);
  if (!is(TokenKind::Identifier)) {
    errorHere("expected a predicate register behind '|'");
    return false;
  }
  ParsedNode pair;
  pair.node.kind = OperandKind::Pair;
  pair.node.numChildren = 2;
  pair.node.loc = nodes[start].node.loc;
  nodes.insert(nodes.begin() + start, pair);
  return parseNamedOperand();
}

/// `-%r1`, or a constant expression that starts with a minus.
bool ParserImpl::parseMinus() {
  auto [first, second] = lexer.peekBehindSpace();
  if (first != '%' && first != '$' && first != '_' && !isAlpha(first))
    return parseLiteralOperand();
  Token minus = token;
  consumeIf(TokenKind::Minus);
  unsigned start = nodes.size();
  if (!parseNamedOperand())
    return false;
  ParsedNode &parsed = nodes[start];
  if (parsed.node.kind == OperandKind::Int) { // WARP_SZ
    parsed.node.value = -parsed.node.value;
    return true;
  }
  ParsedNode &use =
      parsed.node.kind == OperandKind::Selected ? nodes[start + 1] : parsed;
  if (use.node.kind != OperandKind::Use) {
    error(minus.offset, 1, "only registers and constants can be negated");
    return false;
  }
  use.node.flags |= OperandFlag_Minus;
  return true;
}

bool ParserImpl::parseLiteralOperand(const char *what) {
  if (!startsConstant()) {
    errorHere("expected " + Twine(what) + " but got " + describeToken());
    return false;
  }
  ParsedNode parsed;
  parsed.node.loc = token.offset;
  std::optional<Constant> value = parseConstant();
  if (!value)
    return false;
  parsed.node.value = value->bits;
  parsed.node.kind = value->kind == Constant::Int   ? OperandKind::Int
                     : value->kind == Constant::F32 ? OperandKind::F32
                                                    : OperandKind::F64;
  parsed.decimal = value->kind == Constant::Decimal;
  hasDecimal |= parsed.decimal;
  parsed.signedLiteral = value->isSigned;
  nodes.push_back(parsed);
  return true;
}

/// Puts the node for a part of a register in front of the register's.
void ParserImpl::pushSelected(unsigned at, int64_t selector, SourceOffset loc) {
  ParsedNode selected;
  selected.node.kind = OperandKind::Selected;
  selected.node.numChildren = 1;
  selected.node.value = selector;
  selected.node.loc = loc;
  nodes.insert(nodes.begin() + at, selected);
}

/// Pushes the node for a name, resolved as far as it can be.
void ParserImpl::pushName(Token name) {
  StringRef spelled = text(name);
  ParsedNode parsed;
  parsed.node.loc = name.offset;
  parsed.node.kind = OperandKind::Symbol;
  parsed.node.name = spelled;
  if (spelled == "_") {
    parsed.node.kind = OperandKind::Sink;
    nodes.push_back(parsed);
    return;
  }
  NameTable::Result known = names.lookup(spelled);
  unsigned element = 0;
  bool hasElement = false;
  if (!known.entry) {
    std::optional<SpecialRegister> special;
    if (spelled.front() == '%')
      special = getSpecialRegister(spelled);
    if (special) {
      requireFeature(name, spelled, special->version, special->sm);
      parsed.node.kind = OperandKind::SpecialReg;
      parsed.node.name = special->name;
      if (!special->elements) {
        nodes.push_back(parsed);
        return;
      }
      // The whole vector stands for its elements.
      ParsedNode vector;
      vector.node.kind = OperandKind::Vector;
      vector.node.loc = name.offset;
      vector.node.numChildren = special->elements;
      nodes.push_back(vector);
      for (unsigned i = 0; i < special->elements; ++i) {
        parsed.node.name = getSpecialElement(special->name, i);
        nodes.push_back(parsed);
      }
      return;
    }
    // `%v.x`: an element of a vector register; `%r.b0`: a part of a register.
    auto [base, suffix] = spelled.split('.');
    if (std::optional<int64_t> selector = parseSelector(suffix)) {
      known = names.lookup(base);
      if (known.entry && known.entry->kind == NameEntry::Register &&
          !current->regs[known.entry->index].vector) {
        pushSelected(nodes.size(), *selector, name.offset);
        name.length = base.size();
        pushName(name);
        return;
      }
    }
    size_t index = suffix.size() == 1 ? StringRef("xyzwrgba").find(suffix[0])
                                      : StringRef::npos;
    if (index != StringRef::npos)
      known = names.lookup(base);
    if (!known.entry || known.entry->kind != NameEntry::Register ||
        index % 4 >= current->regs[known.entry->index].vector) {
      parsed.unresolved = true;
      nodes.push_back(parsed);
      return;
    }
    element = index % 4;
    hasElement = true;
  }
  parsed.nameKind = known.entry->kind;
  parsed.decl = known.entry->index;
  switch (known.entry->kind) {
  case NameEntry::Register: {
    const RegDecl &decl = current->regs[parsed.decl];
    unsigned width = std::max<unsigned>(1, decl.vector);
    parsed.node.kind = OperandKind::Use;
    parsed.node.name = {};
    parsed.node.value = decl.first + known.number * width + element;
    if (decl.vector && !hasElement) {
      // The whole vector stands for its elements.
      ParsedNode vector;
      vector.node.kind = OperandKind::Vector;
      vector.node.loc = name.offset;
      vector.node.numChildren = decl.vector;
      nodes.push_back(vector);
      for (unsigned i = 0; i < decl.vector; ++i) {
        nodes.push_back(parsed);
        ++parsed.node.value;
      }
      return;
    }
    break;
  }
  case NameEntry::Local:
    parsed.node.name = current->locals[parsed.decl].name;
    break;
  case NameEntry::Result:
  case NameEntry::Param:
  case NameEntry::Variable:
  case NameEntry::Function:
    break;
  }
  nodes.push_back(parsed);
}

bool ParserImpl::takeNumberedRegister() {
  if (!is(TokenKind::Identifier) || buffer[token.offset] != '%')
    return false;
  NameTable::Result known = names.lookupNumbered(spelling());
  if (!known.entry || known.entry->kind != NameEntry::Register)
    return false;
  const RegDecl &decl = current->regs[known.entry->index];
  if (decl.vector)
    return false;
  ParsedNode &parsed = nodes.emplace_back();
  parsed.node.kind = OperandKind::Use;
  parsed.node.loc = token.offset;
  parsed.node.value = decl.first + known.number;
  parsed.nameKind = NameEntry::Register;
  parsed.decl = known.entry->index;
  previousEnd = token.offset + token.length;
  advance();
  return true;
}

/// A selector behind the register at `start`; a blank may stand before its dot.
void ParserImpl::takeSelector(unsigned start) {
  if (!is(TokenKind::Directive))
    return;
  std::optional<int64_t> selector = parseSelector(spelling().drop_front());
  if (!selector)
    return;
  pushSelected(start, *selector, nodes[start].node.loc);
  consumeIf(TokenKind::Directive);
}

bool ParserImpl::parseNamedOperand() {
  unsigned start = nodes.size();
  if (takeNumberedRegister()) {
    takeSelector(start);
    return true;
  }
  bool negated = consumeIf(TokenKind::Bang);
  if (!is(TokenKind::Identifier)) {
    errorHere("expected a register behind '!'");
    return false;
  }
  if (spelling() == "WARP_SZ")
    return parseLiteralOperand();
  Token name = token;
  // `v.x` without the percent sign: the lexer has not taken the element.
  if (lexer.peek() == '.' && spelling().front() != '%')
    name.length = lexer.extendMnemonic(name);
  pushName(name);
  previousEnd = name.offset + name.length;
  advance();
  if (nodes[start].node.kind == OperandKind::Use)
    takeSelector(start);
  ParsedNode &parsed = nodes[start];
  if (negated) {
    if (parsed.node.kind != OperandKind::Use ||
        current->regs[parsed.decl].type.kind != TypeKind::Predicate) {
      error(name.offset, name.length,
            "only predicate registers can be negated with '!'");
      return false;
    }
    parsed.node.flags |= OperandFlag_Negated;
  }
  if (parsed.node.kind != OperandKind::Symbol || parsed.unresolved)
    return true;
  // `symbol+4`.
  bool hasOffset;
  return parseOffsets(parsed.node.value, hasOffset);
}

bool ParserImpl::parseNested(TokenKind close, OperandKind kind) {
  unsigned start = nodes.size();
  ParsedNode outer;
  outer.node.kind = kind;
  outer.node.loc = token.offset;
  nodes.push_back(outer);
  consumeIf(token.kind);
  bool braces = close == TokenKind::RBrace;
  openBraces += braces;
  unsigned count = 0;
  if (!is(close))
    do {
      bool ok;
      if (is(TokenKind::Bang) || is(TokenKind::Identifier)) {
        ok = parseNamedOperand();
      } else {
        ok = parseLiteralOperand();
      }
      if (!ok)
        return false;
      if (++count > 1024) {
        errorHere("more than 1024 elements");
        return false;
      }
    } while (consumeIf(TokenKind::Comma));
  if (!expect(close, braces ? "',' or '}'" : "',' or ')'"))
    return false;
  openBraces -= braces;
  nodes[start].node.numChildren = count;
  return true;
}

/// `+4+-8-2` behind a base, none at all as well; a minus does not stand first.
bool ParserImpl::parseOffsets(int64_t &value, bool &hasOffset) {
  hasOffset = false;
  while (is(TokenKind::Plus) || is(TokenKind::Minus)) {
    bool minus = is(TokenKind::Minus);
    if (minus && !hasOffset)
      return refuseMinus();
    hasOffset = true;
    consumeIf(token.kind);
    std::optional<Constant> offset = parseConstantUnary();
    if (!offset)
      return false;
    if (offset->kind != Constant::Int) {
      error(previousEnd - 1, 1, "an offset is an integer");
      return false;
    }
    value += minus ? -offset->bits : offset->bits;
  }
  return true;
}

/// At the plus behind an operand: it adds to registers that hold integers.
bool ParserImpl::parseSum(unsigned node) {
  ParsedNode &parsed = nodes[node];
  if (parsed.node.kind != OperandKind::Use || parsed.node.flags)
    return true;
  DataType type = current->regs[parsed.decl].type;
  if (type.kind == TypeKind::Float || type.kind == TypeKind::Predicate ||
      type.width < 16 || type.width > 64) {
    errorHere("a constant can be added to an integer register of 16, 32 or 64 "
              "bits only");
    return false;
  }
  Sum sum = {node, 0};
  bool hasOffset;
  if (!parseOffsets(sum.offset, hasOffset))
    return false;
  parsed.isSum = true;
  sums.push_back(sum);
  return true;
}

/// The name that an address starts with.
bool ParserImpl::parseAddressBase() {
  Token name = token;
  if (lexer.peek() == '.' && spelling().front() != '%')
    name.length = lexer.extendMnemonic(name);
  unsigned start = nodes.size();
  pushName(name);
  ParsedNode &base = nodes[start];
  if (base.unresolved) {
    reportUndeclared(name);
    return false;
  }
  if (base.node.kind != OperandKind::Use &&
      base.node.kind != OperandKind::Symbol) {
    error(name.offset, name.length,
          "an address starts with a register, a symbol or a number");
    return false;
  }
  previousEnd = name.offset + name.length;
  advance();
  return true;
}

/// `[base]`, `[base+offset]`, `[map, {c0, c1}]`.
bool ParserImpl::parseAddress() {
  unsigned start = nodes.size();
  ParsedNode address;
  address.node.kind = OperandKind::Address;
  address.node.loc = token.offset;
  address.node.numChildren = 1;
  nodes.push_back(address);
  consumeIf(TokenKind::LBracket);
  if (is(TokenKind::Identifier) && spelling() != "WARP_SZ") {
    if (!takeNumberedRegister() && !parseAddressBase())
      return false;
    bool hasOffset;
    if (!parseOffsets(nodes[start].node.value, hasOffset))
      return false;
    if (hasOffset && nodes[start].node.value == 0)
      nodes[start].node.flags |= OperandFlag_ZeroOffset;
  } else if (!parseLiteralOperand("a register, a symbol or a number")) {
    return false;
  } else if (nodes[start + 1].node.kind != OperandKind::Int) {
    error(nodes[start + 1].node.loc, 1, "an address is an integer");
    return false;
  }
  if (is(TokenKind::Comma) &&
      (nodes[start].node.value ||
       nodes[start].node.flags & OperandFlag_ZeroOffset)) {
    errorHere("an address with coordinates has no offset");
    return false;
  }
  // Coordinates; a texture may have its sampler before them.
  while (nodes[start].node.numChildren < 3 && consumeIf(TokenKind::Comma)) {
    ++nodes[start].node.numChildren;
    if (is(TokenKind::LBrace)) {
      if (!parseNested(TokenKind::RBrace, OperandKind::Vector))
        return false;
      break;
    }
    if (!(is(TokenKind::Identifier) ? parseNamedOperand()
                                    : parseLiteralOperand()))
      return false;
  }
  if (!expect(TokenKind::RBracket, "']'"))
    return false;
  if (isDirective(".unified")) {
    nodes[start].node.flags |= OperandFlag_Unified;
    hasUnified = true;
    previousEnd = token.offset + token.length;
    advance();
  }
  return true;
}

bool ParserImpl::refuseMinus() {
  errorHere("an offset is added, also a negative one: '+-'");
  return false;
}

/// Suggests what is visible: a plain name, a special register, or one of
/// numbered registers. Where only the number is too large, says which there
/// are.
void ParserImpl::reportUndeclared(Token name, bool isFunction) {
  StringRef spelled = text(name);
  std::string hint;
  StringRef digits = spelled.drop_front(spelled.rtrim("0123456789").size());
  StringRef prefix = spelled.drop_back(digits.size());
  // A percent sign is no sign of likeness, and one letter none, either.
  bool percent = spelled.starts_with("%");
  unsigned distance =
      spelled.size() - percent < 2 ? 0 : std::min(2u, maxEdits(spelled)) + 1;
  unsigned prefixDistance = digits.empty() || prefix.size() - percent < 2
                                ? 0
                                : std::min(2u, maxEdits(prefix)) + 1;
  StringRef best, bestPrefix;
  names.forEach([&](StringRef candidate, NameEntry meaning, uint32_t count) {
    if (isFunction && meaning.kind != NameEntry::Function)
      return;
    if (!count)
      return considerSpelling(spelled, candidate, distance, best);
    if (digits.empty())
      return;
    if (candidate == prefix) {
      hint = ("'" + prefix + "' has the registers '" + prefix + "0' to '" +
              prefix + Twine(count - 1) + "'")
                 .str();
      return;
    }
    uint32_t number;
    if (!digits.getAsInteger(10, number) && number < count)
      considerSpelling(prefix, candidate, prefixDistance, bestPrefix);
  });
  if (percent && !isFunction)
    for (StringRef special : getSpecialRegisterNames())
      considerSpelling(spelled, special, distance, best);
  if (hint.empty() && !bestPrefix.empty() && prefixDistance < distance)
    hint = ("did you mean '" + bestPrefix + digits + "'?").str();
  if (hint.empty() && !best.empty())
    hint = ("did you mean '" + best + "'?").str();
  error(name.offset, name.length,
        Twine(isFunction ? "the function '"
              : percent  ? "the register '"
                         : "the name '") +
            spelled + "' is not declared",
        hint);
}
