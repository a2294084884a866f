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

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::syntax;

/// Bounds of what short text can ask for, far above any real program's.
static constexpr uint32_t maxRegisters = 1u << 24;
static constexpr uint64_t maxInitialValues = 1u << 24;
static constexpr unsigned maxDimensions = 256;
static constexpr uint64_t maxBytes = (uint64_t(1) << 61) - 1;

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
  SourceOffset start = token.offset;
  if (isDirective(".v2") || isDirective(".v4")) {
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
    // Alternate and packed formats name how instructions read bits, not
    // declarations; only f16x2 is both.
    if (!found || found->alternate || (found->packed && name != "f16x2") ||
        (found->width < 8 && found->kind != TypeKind::Predicate)) {
      errorHere("unknown type '" + spelling() + "'",
                suggest({".b32",    ".b8",  ".b16",  ".b64",    ".b128",
                         ".u8",     ".u16", ".u32",  ".u64",    ".s8",
                         ".s16",    ".s32", ".s64",  ".f16",    ".f16x2",
                         ".f32",    ".f64", ".pred", ".texref", ".samplerref",
                         ".surfref"}));
      return false;
    }
    type = *found;
  }
  Token at = token;
  previousEnd = token.offset + token.length;
  advance();
  if (vector && type.kind == TypeKind::Predicate) {
    error(start, previousEnd - start, "predicates have no vectors");
    return false;
  }
  if (vector * type.width > 128) {
    error(start, previousEnd - start,
          "a vector has at most 128 bits but this one has " +
              Twine(vector * type.width));
    return false;
  }
  if (name == "samplerref" &&
      !is_contained(module->targetOptions, "texmode_independent"))
    error(at.offset, at.length,
          "'.samplerref' needs the target option 'texmode_independent'");
  return type.width < 128 || requireFeature(at, ".b128", 83, 70);
}

bool ParserImpl::parseExtents(VarDecl &var) {
  uint64_t total = 1;
  uint64_t elementBytes =
      std::max(1, var.type.width / 8) * std::max(1, +var.vector);
  while (is(TokenKind::LBracket)) {
    SourceOffset at = token.offset;
    if (var.extents.size() == maxDimensions) {
      errorHere("an array of more than " + Twine(maxDimensions) +
                " dimensions");
      return false;
    }
    consumeIf(TokenKind::LBracket);
    if (var.extents.empty() && consumeIf(TokenKind::RBracket)) {
      var.extents.push_back(0);
      continue;
    }
    if (!is(TokenKind::Integer) && spelling() != "WARP_SZ") {
      errorHere("an array extent is a positive integer");
      return false;
    }
    std::optional<Constant> value = parseConstantUnary();
    if (!value || !expect(TokenKind::RBracket, "']'"))
      return false;
    bool tooLarge = false;
    total = SaturatingMultiply(total, std::max<uint64_t>(1, value->bits),
                               &tooLarge);
    if (tooLarge || total > maxBytes / elementBytes) {
      error(at, previousEnd - at,
            "an array has fewer than 2^61 bytes, but this one has more");
      return false;
    }
    var.extents.push_back(value->bits);
  }
  return true;
}

bool ParserImpl::expectName(const Twine &what) {
  if (!is(TokenKind::Identifier)) {
    errorHere("expected the name of " + what + " but got " + describeToken());
    return false;
  }
  // The lexer takes the `.x` of special registers for a part of the name.
  if (spelling() == "_" || spelling() == "WARP_SZ" ||
      spelling().contains('.')) {
    errorHere("'" + spelling() + "' cannot be the name of " + what);
    return false;
  }
  return true;
}

/// Behind `.align`.
bool ParserImpl::parseAlignment(uint32_t &align) {
  std::optional<uint64_t> value = parseNumber("an alignment");
  if (!value)
    return false;
  if (!isPowerOf2_64(*value) || *value > (1u << 30)) {
    error(previousEnd - 1, 1,
          "an alignment is a power of two but is " + Twine(*value));
    return false;
  }
  align = *value;
  return true;
}

/// `.attribute(.managed, .unified(1, 2))`: kept as it is.
bool ParserImpl::parseAttribute(StringRef &written, bool isFunction) {
  SourceOffset start = token.offset;
  requireFeature(token, ".attribute", 40, 30);
  advance();
  if (!expect(TokenKind::LParen, "'('"))
    return false;
  do {
    if (isDirective(".managed") && !isFunction) {
      consumeIf(TokenKind::Directive);
      continue;
    }
    if (!isDirective(".unified")) {
      errorHere(Twine("expected ") + (isFunction ? "" : "'.managed' or ") +
                "'.unified' but got " + describeToken());
      return false;
    }
    requireFeature(token, ".unified", 77, 90);
    consumeIf(TokenKind::Directive);
    if (!expect(TokenKind::LParen, "'('") || !parseNumber("an identifier") ||
        !expect(TokenKind::Comma, "','") || !parseNumber("an identifier") ||
        !expect(TokenKind::RParen, "')'"))
      return false;
  } while (consumeIf(TokenKind::Comma));
  if (!expect(TokenKind::RParen, "')' at the end of the attribute"))
    return false;
  written = buffer.slice(start, previousEnd);
  return true;
}

void ParserImpl::parseVariables(StateSpace space, Linkage linkage,
                                bool inFunction) {
  VarDecl prototype;
  prototype.space = space;
  prototype.linkage = linkage;
  if (space == StateSpace::Tex && module->version >= 15)
    error(previousEnd, 1, "'.tex' is not in PTX from version 1.5 on");
  if (linkage == Linkage::Common && space != StateSpace::Global)
    error(previousEnd, 1, "'.common' variables are in '.global'");
  SourceOffset attributeStart = 0;
  while (isDirective(".align") || isDirective(".attribute")) {
    if (consumeDirective(".align")) {
      if (!parseAlignment(prototype.align))
        return;
      if (space == StateSpace::Param && prototype.align > 128)
        error(previousEnd - 1, 1,
              "a parameter is aligned to 128 bytes at most but to " +
                  Twine(prototype.align) + " here");
      continue;
    }
    attributeStart = token.offset;
    StringRef attribute;
    if (!parseAttribute(attribute, /*isFunction=*/false))
      return;
    prototype.attribute =
        prototype.attribute.empty()
            ? attribute
            : save(StringRef((prototype.attribute + " " + attribute).str()));
  }
  if (prototype.attribute.contains(".managed") && space != StateSpace::Global)
    error(attributeStart, 10, "'.managed' variables are in '.global'");
  if (!parseType(prototype.type, prototype.typeName, prototype.vector))
    return;
  if (prototype.type.kind == TypeKind::Predicate)
    return error(previousEnd - 4, 4, "a variable cannot be a predicate");
  bool isOpaque = prototype.typeName.ends_with("ref");
  if (isOpaque && space != StateSpace::Global)
    return error(previousEnd - prototype.typeName.size() - 1,
                 prototype.typeName.size() + 1,
                 "textures, samplers and surfaces are in '.global'");
  do {
    VarDecl var = prototype;
    if (!expectName("a variable"))
      return;
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
    if (!var.hasInit && linkage != Linkage::Extern &&
        is_contained(var.extents, 0))
      error(loc, name.size(),
            "only an '.extern' array can do without an extent");
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
            linkage == Linkage::Extern ||
            (other.linkage == Linkage::Extern && linkage != Linkage::None);
        if (!external)
          return error(loc, name.size(),
                       "the name '" + plain + "' is declared twice");
        bool sameExtents =
            other.extents.size() == copy.extents.size() &&
            all_of(zip(other.extents, copy.extents), [](const auto &pair) {
              auto [a, b] = pair;
              return a == b || a == 0 || b == 0;
            });
        if (other.typeName != copy.typeName || other.vector != copy.vector ||
            !sameExtents)
          return error(loc, name.size(),
                       "'" + plain + "' is declared with another type before");
        if (other.linkage == Linkage::Extern)
          names.replace(plain, entry);
      } else if ((inFunction && (isHeaderName(plain) || isLabelHere(plain))) ||
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

bool ParserImpl::parseInitializer(VarDecl &var) {
  var.hasInit = true;
  if (var.type.kind == TypeKind::Float && var.type.width == 16) {
    errorHere("a variable of type '." + var.typeName +
              "' has no initial value");
    return false;
  }
  if (!is(TokenKind::LBrace)) {
    if (!var.vector && var.extents.empty())
      return parseInitializerElement(var);
    errorHere("the initial value of an array or vector is a list in braces");
    return false;
  }
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
    strides.push_back(stride);
  }
  std::reverse(strides.begin(), strides.end());
  if (strides.empty()) {
    errorHere("a scalar has no list of initial values");
    return false;
  }
  bool open = dims.front() == 0;
  if (!open)
    var.init.reserve(std::min<uint64_t>(strides.front(), 1 << 16));
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
      if (var.vector && levelStarts.size() + 1 == strides.size() &&
          var.init.size() - start != size) {
        errorHere("expected " + Twine(size) + " values for a vector but got " +
                  Twine(var.init.size() - start));
        return false;
      }
      if (open && levelStarts.empty() && var.init.empty()) {
        errorHere("an array without an extent needs initial values");
        return false;
      }
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
        zero.kind = var.type.width == 64 ? Initializer::F64 : Initializer::F32;
      var.init.resize(start + size, zero);
    } else if (levelStarts.size() != strides.size()) {
      errorHere("expected '{' and the elements of an inner array");
      return false;
    } else if (!parseInitializerElement(var)) {
      return false;
    }
    if (is(TokenKind::RBrace))
      continue;
    if (!expect(TokenKind::Comma, "',' or '}'"))
      return false;
    if (is(TokenKind::RBrace)) {
      errorHere("expected a value behind ','");
      return false;
    }
  }
  if (!open && var.init.size() > strides.front()) {
    error(previousEnd - 1, 1,
          "expected at most " + Twine(strides.front()) +
              " initial values but got " + Twine(var.init.size()));
    return false;
  }
  return true;
}

/// `symbol`, `generic(symbol)`, each also with an offset.
bool ParserImpl::parseInitializerSymbol(VarDecl &var, Initializer &element) {
  bool isGeneric =
      spelling() == "generic" && lexer.peekBehindSpace().first == '(';
  if (isGeneric) {
    consumeIf(TokenKind::Identifier);
    consumeIf(TokenKind::LParen);
    if (!is(TokenKind::Identifier)) {
      errorHere("expected the name of a variable in 'generic'");
      return false;
    }
  }
  element.kind = isGeneric ? Initializer::GenericSymbol : Initializer::Symbol;
  element.symbol = spelling();
  NameTable::Result known = names.lookup(element.symbol);
  if (!known.entry) {
    reportUndeclared(token);
    return false;
  }
  bool isFunction = known.entry->kind == NameEntry::Function;
  if (isFunction && isGeneric) {
    errorHere("'generic' takes a variable");
    return false;
  }
  const VarDecl *target = nullptr;
  if (known.entry->kind == NameEntry::Variable)
    target = &module->vars[known.entry->index];
  else if (known.entry->kind == NameEntry::Local)
    target = &current->locals[known.entry->index];
  if (!isFunction && (!target || (target->space != StateSpace::Global &&
                                  target->space != StateSpace::Const))) {
    errorHere("only functions and variables in .global and .const are initial "
              "values, but '" +
              spelling() + "' is none");
    return false;
  }
  bool fits = var.type.kind == TypeKind::Unsigned &&
              (var.type.width >= 32 || (element.mask && var.type.width == 8));
  if (!fits) {
    errorHere(Twine("the address of '") + spelling() +
              "' needs a variable of " +
              (element.mask ? "type .u8, .u32 or .u64" : "type .u32 or .u64") +
              " but this one is '." + var.typeName + "'");
    return false;
  }
  consumeIf(TokenKind::Identifier);
  if (isGeneric && !expect(TokenKind::RParen, "')'"))
    return false;
  if (is(TokenKind::Minus))
    return refuseMinus();
  if (isFunction && is(TokenKind::Plus)) {
    errorHere("the address of a function has no offset");
    return false;
  }
  if (!consumeIf(TokenKind::Plus))
    return true;
  std::optional<Constant> offset = parseConstant();
  if (!offset)
    return false;
  if (offset->kind != Constant::Int) {
    error(previousEnd - 1, 1, "an offset is an integer");
    return false;
  }
  element.bits = offset->bits;
  return true;
}

bool ParserImpl::parseInitializerElement(VarDecl &var) {
  Initializer element;
  Token start = token;
  if (is(TokenKind::Identifier) && spelling() == "mask" &&
      lexer.peekBehindSpace().first == '(') {
    errorHere("expected a mask like 0xff before '('");
    return false;
  }
  // `0xff00(symbol)` selects a byte of an address.
  if (is(TokenKind::Integer) && lexer.peekBehindSpace().first == '(') {
    requireFeature(token, "a mask of an address", 71, 0);
    std::optional<Constant> mask = parseLiteral();
    if (!mask)
      return false;
    element.mask = mask->bits;
    unsigned shift = 0;
    while (shift < 64 && element.mask != uint64_t(0xff) << shift)
      shift += 8;
    if (shift == 64) {
      error(start.offset, start.length,
            "a mask selects one byte, like 0xff or 0xff00");
      return false;
    }
    consumeIf(TokenKind::LParen);
    if (!is(TokenKind::Identifier)) {
      errorHere("expected the name of a variable behind a mask");
      return false;
    }
    if (!parseInitializerSymbol(var, element) ||
        !expect(TokenKind::RParen, "')'"))
      return false;
    var.init.push_back(element);
    return true;
  }
  if (is(TokenKind::Identifier) && spelling() != "WARP_SZ") {
    if (!parseInitializerSymbol(var, element))
      return false;
    var.init.push_back(element);
    return true;
  }
  std::optional<Constant> value = parseConstant();
  if (!value)
    return false;
  bool isFloat = var.type.kind == TypeKind::Float;
  bool isInt = value->kind == Constant::Int;
  if (isInt ? isFloat : !isFloat && var.type.kind != TypeKind::Bits) {
    error(start.offset, previousEnd - start.offset,
          "a variable of type '." + var.typeName + "' cannot hold " +
              (isInt ? "an integer" : "a floating-point value"));
    return false;
  }
  element.bits = value->bits;
  if (isInt) {
    // What does not fit is cut, as ptxas does.
    unsigned width = std::min<unsigned>(var.type.width, 64);
    element.bits = var.type.kind == TypeKind::Signed
                       ? SignExtend64(value->bits, width)
                       : value->bits & maskTrailingOnes<uint64_t>(width);
  } else {
    // `.b64` keeps the bits of a single-precision literal as they are.
    double number = value->asDouble();
    bool wide = var.type.width >= 64;
    bool keep =
        wide ? value->kind != Constant::Decimal : value->kind == Constant::F32;
    if (isFloat && wide && value->kind == Constant::F32)
      keep = false;
    if (!keep)
      element.bits = wide ? bit_cast<uint64_t>(number)
                          : bit_cast<uint32_t>(static_cast<float>(number));
    if (isFloat)
      element.kind = wide ? Initializer::F64 : Initializer::F32;
    else if (var.type.width < 32)
      element.bits &= (1u << var.type.width) - 1;
  }
  var.init.push_back(element);
  return true;
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

/// Alternate and packed formats (f16x2 excepted) and vectors of eight are for
/// instructions only, opaque types for memory.
bool ParserImpl::isRegisterType(DataType type, StringRef name, uint8_t vector) {
  return !type.alternate && (!type.packed || name == "f16x2") && vector <= 4 &&
         !name.ends_with("ref");
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
                     buffer.slice(typeStart, previousEnd) + "'");
  do {
    RegDecl reg = prototype;
    if (!expectName("a register"))
      return;
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
    if ((!numbered && (isHeaderName(name) || isLabelHere(name))) ||
        (numbered ? !names.declareNumbered(name, reg.count, entry)
                  : !names.declare(name, entry)))
      return error(reg.loc, name.size(),
                   "the register '" + name + "' is declared twice");
    current->numRegs += reg.numRegisters();
    current->regs.push_back(reg);
  } while (consumeIf(TokenKind::Comma));
  expectSemi();
}
