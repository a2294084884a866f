//===- VariableParser.cpp - Variables, registers, initialisers ------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Variables with their extents and initial values, registers, and the types of
// both. Everything that short text can make large has a bound.
//
//===----------------------------------------------------------------------===//

#include "ParserImpl.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::syntax;

/// Bounds of what short text can ask for, far above any real program's.
static constexpr uint32_t maxRegisters = 1u << 24;
static constexpr uint64_t maxInitialValues = 1u << 24;

StateSpace ParserImpl::getStateSpace(StringRef directive) {
  return StringSwitch<StateSpace>(directive)
      .Case(".reg", StateSpace::Reg)
      .Case(".const", StateSpace::Const)
      .Case(".global", StateSpace::Global)
      .Case(".local", StateSpace::Local)
      .Case(".param", StateSpace::Param)
      .Case(".shared", StateSpace::Shared)
      .Case(".tex", StateSpace::Tex)
      .Default(StateSpace::None);
}

/// `[.v2|.v4] .type`, or an opaque type (texref, samplerref, surfref).
bool ParserImpl::parseType(DataType &type, StringRef &name, uint8_t &vector) {
  if (isDirective(".v2") || isDirective(".v4") || isDirective(".v8")) {
    vector = spelling()[2] - '0';
    advance();
  }
  if (!is(TokenKind::Directive)) {
    errorHere("expected a type but got '" + spelling() + "'");
    return false;
  }
  name = spelling().drop_front();
  if (is_contained({"texref", "samplerref", "surfref"}, name)) {
    type = {TypeKind::Bits, 64, false, false};
  } else {
    std::optional<Mod> mod = symbolizeMod(name);
    std::optional<DataType> found = mod ? getModType(*mod) : std::nullopt;
    // Alternate formats name how instructions read bits, not declarations.
    if (!found || (found->alternate && name != "bf16" && name != "bf16x2") ||
        (found->width < 8 && found->kind != TypeKind::Predicate)) {
      errorHere(
          "unknown type '" + spelling() + "'",
          suggest({".b32",    ".b8",         ".b16",    ".b64",    ".b128",
                   ".u8",     ".u16",        ".u32",    ".u64",    ".s8",
                   ".s16",    ".s32",        ".s64",    ".f16",    ".f16x2",
                   ".f32",    ".f64",        ".bf16",   ".bf16x2", ".pred",
                   ".texref", ".samplerref", ".surfref"}));
      return false;
    }
    type = *found;
  }
  previousEnd = token.offset + token.length;
  advance();
  return true;
}

/// `.attribute(.managed, .unified(1, 2))`, kept as it is.
bool ParserImpl::parseAttribute(StringRef &attribute, bool isFunction) {
  SourceOffset start = token.offset;
  consumeIf(TokenKind::Directive);
  if (!expect(TokenKind::LParen, "'('"))
    return false;
  do {
    bool isUnified = isDirective(".unified");
    if (!isUnified && (isFunction || !isDirective(".managed"))) {
      errorHere(isFunction ? "a function has the attribute '.unified' only"
                           : "unknown attribute '" + spelling() + "'",
                suggest({".unified", ".managed"}));
      return false;
    }
    consumeIf(TokenKind::Directive);
    if (isUnified &&
        (!expect(TokenKind::LParen, "'('") || !parseNumber("a number") ||
         !expect(TokenKind::Comma, "','") || !parseNumber("a number") ||
         !expect(TokenKind::RParen, "')'")))
      return false;
  } while (consumeIf(TokenKind::Comma));
  if (!expect(TokenKind::RParen, "')'"))
    return false;
  attribute = buffer.slice(start, previousEnd);
  return true;
}

bool ParserImpl::parseExtents(VarDecl &var) {
  uint64_t total = 1;
  while (is(TokenKind::LBracket)) {
    SourceOffset at = token.offset;
    consumeIf(TokenKind::LBracket);
    if (consumeIf(TokenKind::RBracket)) {
      var.extents.push_back(0);
      continue;
    }
    std::optional<Constant> value = parseConstant();
    if (!value || !expect(TokenKind::RBracket, "']'"))
      return false;
    if (value->kind != Constant::Int || static_cast<int64_t>(value->bits) < 0) {
      error(at, previousEnd - at, "an array extent is a positive integer");
      return false;
    }
    if (value->bits > UINT32_MAX || total * value->bits > (1ull << 40)) {
      error(at, previousEnd - at, "this array is larger than any memory");
      return false;
    }
    total *= std::max<uint64_t>(1, value->bits);
    var.extents.push_back(value->bits);
  }
  return true;
}

void ParserImpl::parseVariables(StateSpace space, Linkage linkage,
                                bool inFunction) {
  VarDecl prototype;
  prototype.space = space;
  prototype.linkage = linkage;
  auto parsePrefix = [&]() {
    if (isDirective(".align")) {
      advance();
      std::optional<uint64_t> value = parseNumber("an alignment");
      if (!value)
        return false;
      if (!isPowerOf2_64(*value) || *value > (1u << 30)) {
        error(previousEnd - 1, 1,
              "an alignment is a power of two but is " + Twine(*value));
        return false;
      }
      prototype.align = *value;
      return true;
    }
    if (space != StateSpace::Global) {
      errorHere("only '.global' variables have attributes");
      return false;
    }
    StringRef attribute;
    if (!parseAttribute(attribute, /*isFunction=*/false))
      return false;
    prototype.attribute =
        prototype.attribute.empty()
            ? attribute
            : save((prototype.attribute + " " + attribute).str());
    return true;
  };
  while (isDirective(".align") || isDirective(".attribute"))
    if (!parsePrefix())
      return;
  if (!parseType(prototype.type, prototype.typeName, prototype.vector))
    return;
  if (prototype.type.kind == TypeKind::Predicate)
    return error(previousEnd - 4, 4, "a variable cannot be a predicate");
  while (isDirective(".align") || isDirective(".attribute"))
    if (!parsePrefix())
      return;
  do {
    VarDecl var = prototype;
    if (!is(TokenKind::Identifier))
      return errorHere("expected the name of a variable");
    StringRef name = spelling();
    SourceOffset loc = token.offset;
    var.name = name;
    var.loc = loc;
    consumeIf(TokenKind::Identifier);
    // `x<4>` declares x0 … x3.
    uint64_t count = 0;
    if (consumeIf(TokenKind::Less)) {
      std::optional<uint64_t> number = parseNumber("a count");
      if (!number || !expect(TokenKind::Greater, "'>'"))
        return;
      count = *number;
      if (count == 0 || count > 65536)
        return error(loc, name.size(),
                     "a numbered variable has 1 to 65536 elements");
    }
    if (!parseExtents(var))
      return;
    if (is(TokenKind::Equal)) {
      if (space != StateSpace::Const && space != StateSpace::Global)
        return errorHere(
            "only '.const' and '.global' variables have initialisers");
      if (linkage == Linkage::Extern)
        return errorHere("an '.extern' variable has no initialiser");
      consumeIf(TokenKind::Equal);
      if (!parseInitializer(var))
        return;
    }
    std::vector<VarDecl> &list = inFunction ? current->locals : module->vars;
    for (uint64_t i = 0, e = std::max<uint64_t>(1, count); i < e; ++i) {
      StringRef plain = count ? save((name + Twine(i)).str()) : name;
      VarDecl copy = i + 1 == e ? std::move(var) : var;
      NameEntry entry{inFunction ? NameEntry::Local : NameEntry::Variable,
                      static_cast<uint32_t>(list.size())};
      copy.name = inFunction ? uniqueName(plain, false, 0) : plain;
      NameTable::Result known =
          inFunction ? NameTable::Result() : names.lookup(plain);
      if (known.entry && known.entry->kind == NameEntry::Variable) {
        // A declaration and a definition of one variable are both kept.
        VarDecl &other = module->vars[known.entry->index];
        bool external =
            other.linkage == Linkage::Extern || linkage == Linkage::Extern ||
            (other.linkage == linkage &&
             (linkage == Linkage::Weak || linkage == Linkage::Common));
        if (!external || other.space != copy.space)
          return error(loc, name.size(),
                       "the name '" + plain + "' is declared twice");
        if (other.linkage == Linkage::Extern)
          names.replace(plain, entry);
      } else if ((inFunction && isHeaderName(plain)) ||
                 !names.declare(plain, entry)) {
        return error(loc, name.size(),
                     "the name '" + plain + "' is declared twice");
      }
      if (inFunction)
        addStatement(Statement::Var, list.size(), loc, lexer.inlineAsmRegion());
      else
        module->items.push_back(
            {ModuleItem::Var, static_cast<uint32_t>(list.size())});
      list.push_back(std::move(copy));
    }
  } while (consumeIf(TokenKind::Comma));
  expectSemi();
}

//===----------------------------------------------------------------------===//
// Initialisers
//===----------------------------------------------------------------------===//

static Initializer::Kind getFloatKind(DataType type) {
  return type.width == 64 ? Initializer::F64 : Initializer::F32;
}

bool ParserImpl::parseInitializer(VarDecl &var) {
  var.hasInit = true;
  if (!is(TokenKind::LBrace))
    return parseInitializerElement(var);
  // Nested braces follow the extents and are counted, not recursed into; an
  // inner list that is too short is filled up with zeros.
  SmallVector<uint64_t, 4> strides;
  SmallVector<uint64_t, 4> levelStarts;
  uint64_t stride = std::max<uint8_t>(1, var.vector);
  SmallVector<uint64_t, 4> dims(var.extents.begin(), var.extents.end());
  if (var.vector)
    dims.push_back(var.vector), stride = 1;
  for (uint64_t extent : reverse(dims)) {
    stride *= std::max<uint64_t>(1, extent);
    strides.insert(strides.begin(), stride);
  }
  if (strides.empty()) {
    errorHere("a scalar has no list of initial values");
    return false;
  }
  bool open = dims.front() == 0;
  while (true) {
    if (is(TokenKind::LBrace)) {
      if (levelStarts.size() >= strides.size()) {
        errorHere("more braces than the variable has dimensions");
        return false;
      }
      levelStarts.push_back(var.init.size());
      consumeIf(TokenKind::LBrace);
      continue;
    }
    if (is(TokenKind::RBrace)) {
      uint64_t start = levelStarts.pop_back_val();
      uint64_t size = strides[levelStarts.size()];
      consumeIf(TokenKind::RBrace);
      if (levelStarts.empty())
        break;
      if (var.init.size() - start > size) {
        error(previousEnd - 1, 1,
              "more initial values than the array has elements");
        return false;
      }
      if (start + size > maxInitialValues) {
        error(previousEnd - 1, 1,
              "an initialiser of more than " + Twine(maxInitialValues) +
                  " elements, those that are left out included");
        return false;
      }
      Initializer zero;
      if (var.type.kind == TypeKind::Float)
        zero.kind = getFloatKind(var.type);
      var.init.resize(start + size, zero);
    } else if (!parseInitializerElement(var)) {
      return false;
    }
    if (!is(TokenKind::RBrace) && !expect(TokenKind::Comma, "',' or '}'"))
      return false;
  }
  if (!open && var.init.size() > strides.front()) {
    error(previousEnd - 1, 1,
          "expected at most " + Twine(strides.front()) +
              " initial values but got " + Twine(var.init.size()));
    return false;
  }
  return true;
}

bool ParserImpl::parseInitializerElement(VarDecl &var) {
  Initializer element;
  bool closeMask = false, closeGeneric = false;
  // `0xff(symbol)` and `mask`-like forms select bytes of an address.
  Token start = token;
  if (is(TokenKind::Integer) && lexer.peekBehindSpace().first == '(') {
    std::optional<Constant> mask = parseLiteral();
    if (!mask)
      return false;
    element.mask = mask->bits;
    closeMask = consumeIf(TokenKind::LParen);
  }
  if (is(TokenKind::Identifier) && spelling() == "mask" &&
      lexer.peekBehindSpace().first == '(') {
    errorHere("expected a mask like 0xff before '('");
    return false;
  }
  if (is(TokenKind::Identifier) && spelling() == "generic" &&
      lexer.peekBehindSpace().first == '(') {
    consumeIf(TokenKind::Identifier);
    closeGeneric = consumeIf(TokenKind::LParen);
  }
  if (is(TokenKind::Identifier) && spelling() != "WARP_SZ") {
    element.kind =
        closeGeneric ? Initializer::GenericSymbol : Initializer::Symbol;
    element.symbol = spelling();
    NameTable::Result known = names.lookup(element.symbol);
    if (!known.entry && element.symbol != var.name) {
      reportUndeclared(token);
      return false;
    }
    consumeIf(TokenKind::Identifier);
    if (closeGeneric && !expect(TokenKind::RParen, "')'"))
      return false;
    if (is(TokenKind::Plus) || is(TokenKind::Minus)) {
      if (is(TokenKind::Minus))
        return refuseMinus();
      advance();
      std::optional<Constant> offset = parseConstantUnary();
      if (!offset)
        return false;
      element.bits = offset->bits;
    }
  } else {
    if (closeGeneric) {
      errorHere("expected the name of a variable in 'generic'");
      return false;
    }
    std::optional<Constant> value = parseConstant();
    if (!value)
      return false;
    bool isFloat = var.type.kind == TypeKind::Float;
    if (value->kind != Constant::Int) {
      if (!isFloat) {
        error(start.offset, previousEnd - start.offset,
              "a variable of type '." + var.typeName +
                  "' cannot hold a floating-point value");
        return false;
      }
      element.kind = getFloatKind(var.type);
      double number = value->asDouble();
      if (element.kind == Initializer::F64)
        element.bits = value->kind == Constant::F64
                           ? value->bits
                           : bit_cast<uint64_t>(number);
      else
        element.bits = value->kind == Constant::F32
                           ? value->bits
                           : bit_cast<uint32_t>(static_cast<float>(number));
    } else if (isFloat) {
      error(start.offset, previousEnd - start.offset,
            "a variable of type '." + var.typeName +
                "' cannot hold an integer");
      return false;
    } else {
      // What does not fit is cut, as ptxas does.
      unsigned width = std::min<unsigned>(var.type.width, 64);
      element.bits = var.type.kind == TypeKind::Signed
                         ? SignExtend64(value->bits, width)
                         : value->bits & maskTrailingOnes<uint64_t>(width);
    }
  }
  if (closeMask && !expect(TokenKind::RParen, "')'"))
    return false;
  var.init.push_back(element);
  return true;
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

/// Alternate and packed formats (f16x2 excepted) and vectors of eight are for
/// instructions only.
bool ParserImpl::isRegisterType(DataType type, StringRef name, uint8_t vector) {
  return !type.alternate && (!type.packed || name == "f16x2") && vector <= 4;
}

/// Behind `.reg`.
void ParserImpl::parseRegisters() {
  RegDecl prototype;
  if (isDirective(".align")) {
    advance();
    if (!parseNumber("an alignment"))
      return;
  }
  StringRef typeName;
  SourceOffset typeStart = token.offset;
  if (!parseType(prototype.type, typeName, prototype.vector))
    return;
  if (!isRegisterType(prototype.type, typeName, prototype.vector))
    return error(typeStart, previousEnd - typeStart,
                 "a register cannot be of type '" +
                     buffer.slice(typeStart, previousEnd) +
                     "', which only instructions have");
  do {
    RegDecl reg = prototype;
    if (!is(TokenKind::Identifier))
      return errorHere("expected the name of a register");
    StringRef name = spelling();
    reg.loc = token.offset;
    consumeIf(TokenKind::Identifier);
    bool numbered = is(TokenKind::Less);
    if (numbered) {
      consumeIf(TokenKind::Less);
      std::optional<uint64_t> count = parseNumber("the number of registers");
      if (!count || !expect(TokenKind::Greater, "'>'"))
        return;
      if (*count == 0 || *count > (1u << 24))
        return error(reg.loc, name.size(),
                     "expected 1 to 16777216 registers but got " +
                         Twine(*count));
      reg.count = *count;
    }
    if (current->numRegs + uint64_t(reg.numRegisters()) > maxRegisters)
      return error(reg.loc, name.size(),
                   "a function with more than " + Twine(maxRegisters) +
                       " registers");
    reg.first = current->numRegs;
    reg.name = uniqueName(name, numbered, reg.count);
    NameEntry entry{NameEntry::Register,
                    static_cast<uint32_t>(current->regs.size())};
    if ((!numbered && isHeaderName(name)) ||
        (numbered ? !names.declareNumbered(name, reg.count, entry)
                  : !names.declare(name, entry)))
      return error(reg.loc, name.size(),
                   "the register '" + name + "' is declared twice");
    current->numRegs += reg.numRegisters();
    current->regs.push_back(reg);
  } while (consumeIf(TokenKind::Comma));
  expectSemi();
}
