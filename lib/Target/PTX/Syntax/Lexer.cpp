//===- Lexer.cpp - Tokens of PTX text -------------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A table gives the class of each byte. The text ends in a NUL byte, so that
// loops over characters need no test for its end.
//
//===----------------------------------------------------------------------===//

#include "Lexer.h"

#include "llvm/ADT/StringExtras.h"

#include <array>
#include <cstring>

using namespace llvm;
using namespace ptxbench::syntax;

namespace {
enum CharClass : uint8_t {
  CC_Space = 1,
  CC_IdentStart = 2,
  CC_Ident = 4,
  CC_Digit = 8,
};
} // namespace

static constexpr std::array<uint8_t, 256> makeClasses() {
  std::array<uint8_t, 256> table{};
  for (char c : {' ', '\t', '\n', '\r', '\v', '\f'})
    table[static_cast<unsigned char>(c)] = CC_Space;
  for (int c = 'a'; c <= 'z'; ++c)
    table[c] = table[c - 'a' + 'A'] = CC_IdentStart | CC_Ident;
  for (int c = '0'; c <= '9'; ++c)
    table[c] = CC_Ident | CC_Digit;
  table['_'] = table['$'] = CC_IdentStart | CC_Ident;
  table['%'] = CC_IdentStart;
  return table;
}
static constexpr std::array<uint8_t, 256> classes = makeClasses();

/// What a character is that begins no longer token; else Error.
static constexpr std::array<TokenKind, 256> makePunctuation() {
  std::array<TokenKind, 256> table{};
  for (TokenKind &kind : table)
    kind = TokenKind::Error;
  table['{'] = TokenKind::LBrace;
  table['}'] = TokenKind::RBrace;
  table['['] = TokenKind::LBracket;
  table[']'] = TokenKind::RBracket;
  table['('] = TokenKind::LParen;
  table[')'] = TokenKind::RParen;
  table[','] = TokenKind::Comma;
  table[';'] = TokenKind::Semi;
  table[':'] = TokenKind::Colon;
  table['@'] = TokenKind::At;
  table['+'] = TokenKind::Plus;
  table['-'] = TokenKind::Minus;
  table['*'] = TokenKind::Star;
  table['/'] = TokenKind::Slash;
  table['~'] = TokenKind::Tilde;
  table['^'] = TokenKind::Caret;
  table['?'] = TokenKind::Question;
  return table;
}
static constexpr std::array<TokenKind, 256> punctuation = makePunctuation();

static bool is(char c, uint8_t mask) {
  return classes[static_cast<unsigned char>(c)] & mask;
}

void Lexer::noteComment(StringRef text) {
  while (!text.empty() && is(text.front(), CC_Space))
    text = text.drop_front();
  if (text.empty() || (text.front() != 'b' && text.front() != 'e'))
    return;
  text = text.rtrim();
  if (text == "begin inline asm") {
    ++regions;
    inRegion = true;
  } else if (text == "end inline asm") {
    inRegion = false;
  }
}

/// At the first slash of `//`. To ptxas a backslash before the end of the line
/// carries nothing on.
void Lexer::skipLineComment() {
  // Half of the lines of a kernel full of inline assembly are these.
  constexpr StringLiteral opening("// begin inline asm\n");
  constexpr StringLiteral closing("// end inline asm\n");
  if (size_t(end - cursor) >= opening.size()) {
    if (cursor[3] == 'b' &&
        memcmp(cursor, opening.data(), opening.size()) == 0) {
      ++regions;
      inRegion = true;
      cursor += opening.size();
      return;
    }
    if (cursor[3] == 'e' &&
        memcmp(cursor, closing.data(), closing.size()) == 0) {
      inRegion = false;
      cursor += closing.size();
      return;
    }
  }
  const char *start = cursor + 2;
  const char *newline =
      static_cast<const char *>(memchr(cursor, '\n', end - cursor));
  cursor = newline ? newline + 1 : end;
  // Only comments of the markers' length are worth a comparison.
  if (cursor - start < 32)
    noteComment(StringRef(start, cursor - start));
}

void Lexer::skipSpace() {
  while (true) {
    while (is(*cursor, CC_Space))
      ++cursor;
    if (*cursor != '/')
      return;
    if (cursor[1] == '/') {
      skipLineComment();
    } else if (cursor[1] == '*') {
      StringRef rest(cursor + 2, end - cursor - 2);
      size_t close = rest.find("*/");
      if (close == StringRef::npos) {
        onError(cursor - begin, 2, "this comment is never closed");
        cursor = end;
        return;
      }
      cursor += close + 4;
    } else {
      return;
    }
  }
}

std::pair<char, char> Lexer::skipAndPeek() {
  if (!is(*cursor, CC_Space) && *cursor != '/')
    return {*cursor, *cursor ? cursor[1] : 0};
  const char *savedCursor = cursor;
  uint32_t savedRegions = regions;
  bool savedInRegion = inRegion;
  skipSpace();
  std::pair<char, char> result = {*cursor, *cursor ? cursor[1] : 0};
  cursor = savedCursor;
  regions = savedRegions;
  inRegion = savedInRegion;
  return result;
}

uint32_t Lexer::extendMnemonic(const Token &identifier) {
  const char *start = begin + identifier.offset;
  while (true) {
    while (is(*cursor, CC_Ident))
      ++cursor;
    if (*cursor == '.' && is(cursor[1], CC_Ident))
      cursor += 2;
    else if (*cursor == ':' && cursor[1] == ':' && is(cursor[2], CC_Ident))
      cursor += 3;
    else
      return cursor - start;
  }
}

Token Lexer::lexNumber(const char *start) {
  StringRef rest(start, end - start);
  auto takeAll = [&](unsigned prefix, auto accepts) {
    cursor = start + prefix;
    while (accepts(*cursor))
      ++cursor;
    return cursor - start - prefix;
  };
  auto finish = [&](TokenKind kind) {
    if (is(*cursor, CC_Ident)) {
      while (is(*cursor, CC_Ident))
        ++cursor;
      onError(start - begin, cursor - start,
              "'" + StringRef(start, cursor - start) + "' is no number");
      return make(TokenKind::Error, start);
    }
    return make(kind, start);
  };
  if (rest.size() > 1 && *start == '0') {
    char c = toLower(start[1]);
    if (c == 'x') {
      takeAll(2, isHexDigit);
      if (cursor - start == 2)
        --cursor; // "0x" alone is no number
      if (*cursor == 'U')
        ++cursor;
      return finish(TokenKind::Integer);
    }
    if (c == 'b' && (start[2] == '0' || start[2] == '1')) {
      takeAll(2, [](char d) { return d == '0' || d == '1'; });
      if (*cursor == 'U')
        ++cursor;
      return finish(TokenKind::Integer);
    }
    if (c == 'f' || c == 'd') {
      unsigned digits = takeAll(2, isHexDigit), expected = c == 'f' ? 8 : 16;
      if (digits != expected) {
        onError(start - begin, cursor - start,
                "expected " + Twine(expected) + " hexadecimal digits behind '" +
                    StringRef(start, 2) + "' but got " + Twine(digits));
        return make(TokenKind::Error, start);
      }
      return finish(c == 'f' ? TokenKind::F32 : TokenKind::F64);
    }
  }
  cursor = start;
  auto digits = [&] {
    while (is(*cursor, CC_Digit))
      ++cursor;
  };
  digits();
  bool decimal = false;
  // Nothing can be read behind the end of the text.
  bool exponent =
      *cursor == '.' && toLower(cursor[1]) == 'e' &&
      (is(cursor[2], CC_Digit) ||
       ((cursor[2] == '+' || cursor[2] == '-') && is(cursor[3], CC_Digit)));
  if (*cursor == '.' && (exponent || !is(cursor[1], CC_IdentStart))) {
    decimal = true;
    ++cursor;
    digits();
  }
  if (toLower(*cursor) == 'e' &&
      (is(cursor[1], CC_Digit) ||
       ((cursor[1] == '+' || cursor[1] == '-') && is(cursor[2], CC_Digit)))) {
    decimal = true;
    cursor += 2;
    digits();
  }
  if (!decimal && *cursor == 'U')
    ++cursor;
  return finish(decimal ? TokenKind::Decimal : TokenKind::Integer);
}

Token Lexer::lexString(const char *start) {
  while (cursor < end && *cursor != '"' && *cursor != '\n') {
    if (*cursor == '\\' && cursor + 1 < end)
      ++cursor;
    ++cursor;
  }
  if (cursor >= end || *cursor != '"') {
    cursor = std::min(cursor, end);
    onError(start - begin, 1, "this string is never closed");
    return make(TokenKind::Error, start);
  }
  ++cursor;
  return make(TokenKind::String, start);
}

void Lexer::next(Token &token) {
  while (is(*cursor, CC_Space))
    ++cursor;
  if (*cursor == '/')
    skipSpace();
  const char *start = cursor;
  char c = *start;
  if (is(c, CC_IdentStart)) {
    const char *at = start + 1;
    if (c == '%' && !is(*at, CC_Ident)) {
      cursor = at;
      return set(token, TokenKind::Percent, start);
    }
    while (is(*at, CC_Ident))
      ++at;
    // `%tid.x`: no blank can stand before the dot.
    if (c == '%' && *at == '.' && is(at[1], CC_IdentStart)) {
      ++at;
      while (is(*at, CC_Ident))
        ++at;
    }
    cursor = at;
    return set(token, TokenKind::Identifier, start);
  }
  if (is(c, CC_Digit)) {
    // Nearly all are decimal integers.
    if (c != '0' || !is(start[1], CC_Ident)) {
      const char *at = start + 1;
      while (is(*at, CC_Digit))
        ++at;
      if (!is(*at, CC_Ident) && *at != '.') {
        cursor = at;
        return set(token, TokenKind::Integer, start);
      }
    }
    token = lexNumber(start);
    return;
  }
  if (c == 0 && cursor >= end)
    return set(token, TokenKind::Eof, start);
  ++cursor;
  TokenKind alone = punctuation[static_cast<unsigned char>(c)];
  if (alone != TokenKind::Error)
    return set(token, alone, start);
  token = lexOther(start);
}

Token Lexer::lexOther(const char *start) {
  char c = *start;
  auto either = [&](char second, TokenKind two, TokenKind one) {
    if (*cursor != second)
      return make(one, start);
    ++cursor;
    return make(two, start);
  };
  switch (c) {
  case '.':
    if (is(*cursor, CC_Ident)) {
      while (is(*cursor, CC_Ident) ||
             (*cursor == ':' && cursor[1] == ':' && is(cursor[2], CC_Ident)))
        cursor += *cursor == ':' ? 2 : 1;
      return make(TokenKind::Directive, start);
    }
    break;
  case '!':
    return either('=', TokenKind::BangEqual, TokenKind::Bang);
  case '=':
    return either('=', TokenKind::EqualEqual, TokenKind::Equal);
  case '|':
    return either('|', TokenKind::PipePipe, TokenKind::Pipe);
  case '&':
    return either('&', TokenKind::AmpAmp, TokenKind::Amp);
  case '<':
    if (*cursor == '<')
      return either('<', TokenKind::LessLess, TokenKind::Less);
    return either('=', TokenKind::LessEqual, TokenKind::Less);
  case '>':
    if (*cursor == '>')
      return either('>', TokenKind::GreaterGreater, TokenKind::Greater);
    return either('=', TokenKind::GreaterEqual, TokenKind::Greater);
  case '"':
    return lexString(start);
  default:
    break;
  }
  if (c == 0)
    onError(start - begin, 1, "a NUL byte stands in the text");
  else if (!isPrint(c))
    onError(start - begin, 1,
            "byte 0x" + utohexstr(static_cast<unsigned char>(c)) +
                " is not printable ASCII");
  else
    onError(start - begin, 1,
            "unexpected character '" + StringRef(start, 1) + "'");
  return make(TokenKind::Error, start);
}
