//===- TokenText.cpp - Canonical spacing of text kept as it is ------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether a blank stands between two tokens depends on these two alone.
//
//===----------------------------------------------------------------------===//

#include "TokenText.h"
#include "../Syntax/Lexer.h"
#include "llvm/ADT/STLExtras.h"

#include <string>

using namespace llvm;
using namespace ptxbench::syntax;

namespace {

/// The tokens of a text that the parser has accepted.
class TokenStream {
public:
  explicit TokenStream(StringRef source)
      : text(source),
        lexer(text, [](SourceOffset, uint32_t, const Twine &) {}) {
    advance();
  }

  TokenKind kind() const { return token.kind; }
  bool atEnd() const { return kind() == TokenKind::Eof; }
  StringRef spelling() const {
    return StringRef(text).substr(token.offset, token.length);
  }
  void advance() { lexer.next(token); }

private:
  std::string text;
  Lexer lexer;
  Token token;
};

bool isOperator(TokenKind kind) {
  return kind >= TokenKind::At && kind != TokenKind::Equal;
}

bool needsBlank(TokenKind previous, StringRef previousText, TokenKind kind) {
  switch (kind) {
  case TokenKind::Comma:
  case TokenKind::Semi:
  case TokenKind::Colon:
  case TokenKind::RParen:
  case TokenKind::RBracket:
  case TokenKind::LBracket:
    return false;
  case TokenKind::LParen:
    // `.attribute(`, but `.callprototype (`.
    return previous == TokenKind::Identifier || previous == TokenKind::Comma ||
           previousText == ".callprototype";
  default:
    break;
  }
  if (previous == TokenKind::LParen || previous == TokenKind::LBracket)
    return false;
  if (previous == TokenKind::Comma || previous == TokenKind::Directive)
    return true;
  // A percent sign that touches what follows would begin a name.
  if (previous == TokenKind::Percent || kind == TokenKind::Percent)
    return true;
  return !isOperator(previous) && !isOperator(kind);
}

/// Writes tokens up to one that cannot follow what stands before it.
void printUntil(raw_ostream &os, TokenStream &tokens,
                function_ref<bool(TokenKind previous, TokenKind next)> isEnd) {
  TokenKind previous = TokenKind::Eof;
  std::string previousText;
  while (!tokens.atEnd() && !isEnd(previous, tokens.kind())) {
    if (previous != TokenKind::Eof &&
        needsBlank(previous, previousText, tokens.kind()))
      os << " ";
    os << tokens.spelling();
    previous = tokens.kind();
    previousText = tokens.spelling().str();
    tokens.advance();
  }
}

} // namespace

void ptxbench::syntax::printTokens(raw_ostream &os, StringRef text) {
  TokenStream tokens(text);
  printUntil(os, tokens, [](TokenKind, TokenKind) { return false; });
}

void ptxbench::syntax::printSection(raw_ostream &os, StringRef text) {
  TokenStream tokens(text);
  printUntil(os, tokens, [](TokenKind, TokenKind next) {
    return next == TokenKind::LBrace;
  });
  os << "\n{\n";
  tokens.advance();
  while (!tokens.atEnd() && tokens.kind() != TokenKind::RBrace) {
    if (tokens.kind() != TokenKind::Directive) {
      printUntil(os, tokens, [](TokenKind previous, TokenKind) {
        return previous == TokenKind::Colon;
      });
    } else {
      os << "\t" << tokens.spelling() << " ";
      tokens.advance();
      // Behind a value comes a comma, an operator, or the next row.
      printUntil(os, tokens, [](TokenKind previous, TokenKind next) {
        bool isComplete =
            previous == TokenKind::Identifier ||
            previous == TokenKind::Directive ||
            previous == TokenKind::Integer || previous == TokenKind::F32 ||
            previous == TokenKind::F64 || previous == TokenKind::Decimal ||
            previous == TokenKind::RParen;
        return isComplete &&
               (next == TokenKind::Directive || next == TokenKind::Identifier ||
                next == TokenKind::RBrace);
      });
    }
    os << "\n";
  }
  os << "}";
}
