//===- ConstantExpression.cpp - Literals and constant expressions ---------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands, extents, offsets and initialisers take expressions of literals
// with C's operators. Integers are 64 bits wide; a value is unsigned if it was
// written with `U` or is too large to be signed.
//
//===----------------------------------------------------------------------===//

#include "ParserImpl.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::syntax;

double ParserImpl::Constant::asDouble() const {
  switch (kind) {
  case F32:
    return bit_cast<float>(static_cast<uint32_t>(bits));
  case F64:
  case Decimal:
    return bit_cast<double>(bits);
  case Int:
    return isSigned ? static_cast<double>(static_cast<int64_t>(bits))
                    : static_cast<double>(bits);
  }
  return 0;
}

std::optional<uint64_t> ParserImpl::parseNumber(const char *what) {
  if (!is(TokenKind::Integer)) {
    errorHere("expected " + Twine(what) + " but got '" + spelling() + "'");
    return std::nullopt;
  }
  std::optional<Constant> value = parseLiteral();
  return value ? std::optional<uint64_t>(value->bits) : std::nullopt;
}

std::optional<uint32_t> ParserImpl::parseNumber32(const char *what) {
  Token at = token;
  std::optional<uint64_t> value = parseNumber(what);
  if (!value || isUInt<32>(*value))
    return value;
  error(at.offset, at.length,
        Twine(what) + " has at most 32 bits, got " + text(at));
  return std::nullopt;
}

std::optional<ParserImpl::Constant> ParserImpl::parseLiteral() {
  StringRef spelled = spelling();
  Constant result;
  TokenKind kind = token.kind;
  // `.5`.
  if (kind == TokenKind::Directive && isDigit(spelled[1]))
    kind = TokenKind::Decimal;
  switch (kind) {
  case TokenKind::Integer: {
    // Nearly all are short decimal numbers.
    if (spelled.size() < 10 && (spelled[0] != '0' || spelled.size() == 1) &&
        isDigit(spelled.back())) {
      for (char c : spelled)
        result.bits = result.bits * 10 + (c - '0');
      break;
    }
    bool isUnsigned = spelled.consume_back("U");
    unsigned radix = 10;
    StringRef digits = spelled;
    if (digits.consume_front_insensitive("0x"))
      radix = 16;
    else if (digits.consume_front_insensitive("0b"))
      radix = 2;
    else if (digits.size() > 1 && digits.consume_front("0"))
      radix = 8;
    if (digits.getAsInteger(radix, result.bits)) {
      errorHere("'" + spelled + "' is no integer of 64 bits");
      return std::nullopt;
    }
    result.isSigned = !isUnsigned && static_cast<int64_t>(result.bits) >= 0;
    break;
  }
  case TokenKind::F32:
  case TokenKind::F64:
    result.kind = token.kind == TokenKind::F32 ? Constant::F32 : Constant::F64;
    spelled.drop_front(2).getAsInteger(16, result.bits);
    break;
  case TokenKind::Decimal: {
    result.kind = Constant::Decimal;
    double value;
    if (spelled.getAsDouble(value)) {
      errorHere("'" + spelled + "' is no number");
      return std::nullopt;
    }
    if (std::isinf(value)) {
      errorHere("'" + spelled + "' is too large for double precision");
      return std::nullopt;
    }
    result.bits = bit_cast<uint64_t>(value);
    break;
  }
  default:
    errorHere("expected a constant but got '" + spelled + "'");
    return std::nullopt;
  }
  previousEnd = token.offset + token.length;
  advance();
  return result;
}

bool ParserImpl::startsConstant() const {
  switch (token.kind) {
  case TokenKind::Integer:
  case TokenKind::F32:
  case TokenKind::F64:
  case TokenKind::Decimal:
  case TokenKind::LParen:
  case TokenKind::Minus:
  case TokenKind::Plus:
  case TokenKind::Tilde:
  case TokenKind::Bang:
    return true;
  case TokenKind::Directive:
    return isDigit(spelling()[1]);
  default:
    return is(TokenKind::Identifier) && spelling() == "WARP_SZ";
  }
}

std::optional<ParserImpl::Constant> ParserImpl::parseConstant() {
  // Nearly all are one literal.
  if (is(TokenKind::Integer)) {
    char next = lexer.peekBehindSpace().first;
    if (next == ',' || next == ';' || next == '}' || next == ']')
      return parseLiteral();
  }
  ++constantDepth;
  std::optional<Constant> result = parseConstantConditional();
  --constantDepth;
  return result;
}

std::optional<ParserImpl::Constant> ParserImpl::parseConstantConditional() {
  std::optional<Constant> condition = parseConstantBinary(0);
  if (!condition || !is(TokenKind::Question))
    return condition;
  consumeIf(TokenKind::Question);
  std::optional<Constant> yes = parseConstant();
  if (!yes || !expect(TokenKind::Colon, "':'"))
    return std::nullopt;
  std::optional<Constant> no = parseConstant();
  if (!no)
    return std::nullopt;
  return condition->bits ? yes : no;
}

/// Precedence of a binary operator, as in C; 0: none.
static unsigned precedence(TokenKind kind) {
  switch (kind) {
  case TokenKind::PipePipe:
    return 1;
  case TokenKind::AmpAmp:
    return 2;
  case TokenKind::Pipe:
    return 3;
  case TokenKind::Caret:
    return 4;
  case TokenKind::Amp:
    return 5;
  case TokenKind::EqualEqual:
  case TokenKind::BangEqual:
    return 6;
  case TokenKind::Less:
  case TokenKind::Greater:
  case TokenKind::LessEqual:
  case TokenKind::GreaterEqual:
    return 7;
  case TokenKind::LessLess:
  case TokenKind::GreaterGreater:
    return 8;
  case TokenKind::Plus:
  case TokenKind::Minus:
    return 9;
  case TokenKind::Star:
  case TokenKind::Slash:
  case TokenKind::Percent:
    return 10;
  default:
    return 0;
  }
}

/// The value of `a op b` on 64-bit integers; none for a division by zero.
static std::optional<uint64_t> apply(TokenKind op, uint64_t a, uint64_t b,
                                     bool isSigned) {
  int64_t sa = a, sb = b;
  switch (op) {
  case TokenKind::PipePipe:
    return a || b;
  case TokenKind::AmpAmp:
    return a && b;
  case TokenKind::Pipe:
    return a | b;
  case TokenKind::Caret:
    return a ^ b;
  case TokenKind::Amp:
    return a & b;
  case TokenKind::EqualEqual:
    return a == b;
  case TokenKind::BangEqual:
    return a != b;
  case TokenKind::Less:
    return isSigned ? sa < sb : a < b;
  case TokenKind::Greater:
    return isSigned ? sa > sb : a > b;
  case TokenKind::LessEqual:
    return isSigned ? sa <= sb : a <= b;
  case TokenKind::GreaterEqual:
    return isSigned ? sa >= sb : a >= b;
  case TokenKind::LessLess:
    return b < 64 ? a << b : 0;
  case TokenKind::GreaterGreater:
    if (isSigned)
      return sa >> std::min<uint64_t>(b, 63);
    return b < 64 ? a >> b : 0;
  case TokenKind::Plus:
    return a + b;
  case TokenKind::Minus:
    return a - b;
  case TokenKind::Star:
    return a * b;
  case TokenKind::Slash:
  case TokenKind::Percent:
    if (b == 0)
      return std::nullopt;
    if (op == TokenKind::Slash)
      return isSigned ? (sb == -1 ? -a : uint64_t(sa / sb)) : a / b;
    return isSigned ? (sb == -1 ? 0 : uint64_t(sa % sb)) : a % b;
  default:
    return std::nullopt;
  }
}

/// The value of a comparison; none if `op` is no such.
static std::optional<bool> compareFloats(TokenKind op, double a, double b) {
  switch (op) {
  case TokenKind::Less:
    return a < b;
  case TokenKind::Greater:
    return a > b;
  case TokenKind::LessEqual:
    return a <= b;
  case TokenKind::GreaterEqual:
    return a >= b;
  case TokenKind::EqualEqual:
    return a == b;
  case TokenKind::BangEqual:
    return a != b;
  default:
    return std::nullopt;
  }
}

std::optional<ParserImpl::Constant>
ParserImpl::parseConstantBinary(unsigned minPrecedence) {
  std::optional<Constant> left = parseConstantUnary();
  while (left) {
    TokenKind op = token.kind;
    unsigned level = precedence(op);
    if (level == 0 || level <= minPrecedence)
      return left;
    Token at = token;
    advance();
    std::optional<Constant> right = parseConstantBinary(level);
    if (!right)
      return std::nullopt;
    if ((left->kind == Constant::Int) != (right->kind == Constant::Int)) {
      error(at.offset, at.length,
            "'" + text(at) + "' between an integer and a floating-point value");
      return std::nullopt;
    }
    if (left->kind != Constant::Int) {
      std::optional<bool> holds =
          compareFloats(op, left->asDouble(), right->asDouble());
      if (holds) {
        left = Constant{Constant::Int, *holds, true};
        continue;
      }
      double a = left->asDouble(), b = right->asDouble(), value;
      if (op == TokenKind::Plus)
        value = a + b;
      else if (op == TokenKind::Minus)
        value = a - b;
      else if (op == TokenKind::Star)
        value = a * b;
      else if (op == TokenKind::Slash)
        value = a / b;
      else {
        error(at.offset, at.length,
              "'" + text(at) + "' does not take floating-point values");
        return std::nullopt;
      }
      left = Constant{Constant::Decimal, bit_cast<uint64_t>(value), true};
      continue;
    }
    bool isSigned = left->isSigned && right->isSigned;
    std::optional<uint64_t> bits = apply(op, left->bits, right->bits, isSigned);
    if (!bits) {
      error(at.offset, at.length, "a division by zero");
      return std::nullopt;
    }
    left = Constant{Constant::Int, *bits, isSigned};
  }
  return left;
}

std::optional<ParserImpl::Constant> ParserImpl::parseConstantUnary() {
  // Operators and parentheses nest; this bounds the depth of the recursion.
  if (constantDepth > 200) {
    errorHere("this expression is nested more than 200 levels deep");
    return std::nullopt;
  }
  ++constantDepth;
  auto leave = [&](std::optional<Constant> value) {
    --constantDepth;
    return value;
  };
  TokenKind op = token.kind;
  if (op == TokenKind::Minus || op == TokenKind::Plus ||
      op == TokenKind::Tilde || op == TokenKind::Bang) {
    advance();
    std::optional<Constant> value = parseConstantUnary();
    if (!value || op == TokenKind::Plus)
      return leave(value);
    if (value->kind != Constant::Int) {
      if (op != TokenKind::Minus) {
        error(previousEnd - 1, 1, "this operator takes an integer");
        return leave(std::nullopt);
      }
      value->bits ^= value->kind == Constant::F32 ? 1ull << 31 : 1ull << 63;
      return leave(value);
    }
    value->bits = op == TokenKind::Minus   ? -value->bits
                  : op == TokenKind::Tilde ? ~value->bits
                                           : !value->bits;
    value->isSigned = true;
    return leave(value);
  }
  if (op == TokenKind::LParen) {
    consumeIf(TokenKind::LParen);
    // `(.s64)` and `(.u64)` are casts.
    if (isDirective(".s64") || isDirective(".u64")) {
      bool isSigned = spelling() == ".s64";
      advance();
      if (!expect(TokenKind::RParen, "')'"))
        return leave(std::nullopt);
      std::optional<Constant> value = parseConstantUnary();
      if (value && value->kind == Constant::Int)
        value->isSigned = isSigned;
      return leave(value);
    }
    std::optional<Constant> value = parseConstant();
    if (value && !expect(TokenKind::RParen, "')'"))
      value.reset();
    return leave(value);
  }
  if (is(TokenKind::Identifier) && spelling() == "WARP_SZ") {
    consumeIf(TokenKind::Identifier);
    return leave(Constant{Constant::Int, 32, true});
  }
  return leave(parseLiteral());
}
