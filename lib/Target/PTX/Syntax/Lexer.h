//===- Lexer.h - Tokens of PTX text -----------------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A token is a kind and a range of the buffer; nothing is copied. The buffer
// ends in a NUL byte (MemoryBuffer guarantees it), which the lexer uses as its
// sentinel. Comments are skipped, but the markers that compilers write around
// inline assembly are counted on the way.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_TARGET_PTX_SYNTAX_LEXER_H
#define PTXBENCH_LIB_TARGET_PTX_SYNTAX_LEXER_H

#include "ptxbench/Target/PTX/SyntaxTree.h"
#include "llvm/ADT/Twine.h"

#include <functional>
#include <utility>

namespace ptxbench::syntax {

enum class TokenKind : uint8_t {
  Eof,
  /// Already reported.
  Error,
  /// `foo`, `%r1`, `%tid.x`, `_`.
  Identifier,
  /// `.reg`; the range includes the dot.
  Directive,
  Integer,
  /// 0fXXXXXXXX, 0dXXXXXXXXXXXXXXXX, and decimal ones.
  F32,
  F64,
  Decimal,
  String,
  LBrace,
  RBrace,
  LBracket,
  RBracket,
  LParen,
  RParen,
  Comma,
  Semi,
  Colon,
  At,
  Bang,
  Pipe,
  Plus,
  Minus,
  Star,
  Slash,
  Percent,
  Tilde,
  Amp,
  Caret,
  Question,
  Equal,
  Less,
  Greater,
  /// Two characters.
  LessLess,
  GreaterGreater,
  LessEqual,
  GreaterEqual,
  EqualEqual,
  BangEqual,
  AmpAmp,
  PipePipe,
};

struct Token {
  TokenKind kind = TokenKind::Eof;
  SourceOffset offset = 0;
  uint32_t length = 0;
};

class Lexer {
public:
  using ErrorHandler =
      std::function<void(SourceOffset, uint32_t, const llvm::Twine &)>;

  /// `text` must be followed by a NUL byte.
  Lexer(llvm::StringRef text, ErrorHandler onError)
      : begin(text.data()), end(begin + text.size()), cursor(begin),
        onError(std::move(onError)) {}

  /// Reads the next token. Written in place, since a token that is returned is
  /// put together in memory first, and waited for.
  void next(Token &token);

  /// The length of the whole mnemonic that starts with the identifier that was
  /// just read, and takes it: everything up to a character that is neither of
  /// an identifier nor a dot nor a double colon.
  uint32_t extendMnemonic(const Token &identifier);

  /// The first character behind the last token.
  char peek() const { return *cursor; }
  /// The first two characters behind the blanks and comments that follow;
  /// takes nothing.
  std::pair<char, char> peekBehindSpace() {
    // Neither a blank nor a comment.
    if (*cursor > ' ' && *cursor != '/')
      return {*cursor, cursor[1]};
    return skipAndPeek();
  }

  /// Number of the inline-asm region the last token stands in; 0: none.
  uint32_t inlineAsmRegion() const { return inRegion ? regions : 0; }

private:
  void skipSpace();
  std::pair<char, char> skipAndPeek();
  void skipLineComment();
  void noteComment(llvm::StringRef text);
  Token make(TokenKind kind, const char *start) {
    return {kind, SourceOffset(start - begin), uint32_t(cursor - start)};
  }
  void set(Token &token, TokenKind kind, const char *start) {
    token.kind = kind;
    token.offset = start - begin;
    token.length = cursor - start;
  }
  Token lexNumber(const char *start);
  /// A token of several characters that is no name and no number, or an error;
  /// the first character is taken.
  Token lexOther(const char *start);
  Token lexString(const char *start);

  const char *begin, *end, *cursor;
  ErrorHandler onError;
  uint32_t regions = 0;
  bool inRegion = false;
};

} // namespace ptxbench::syntax

#endif // PTXBENCH_LIB_TARGET_PTX_SYNTAX_LEXER_H
