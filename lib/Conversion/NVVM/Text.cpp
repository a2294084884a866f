//===- Text.cpp - The texts of PTXConversions.td --------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Text.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace ptxbench::nvvm {

namespace {

class Parser {
public:
  explicit Parser(StringRef source) : source(source), rest(source) {}

  /// Up to one of the characters or the end.
  Expected<Sequence> parseSequence(StringRef end);
  Expected<Sequence> parseRest() { return parseSequence(""); }
  bool isAtEnd() const { return rest.empty(); }

private:
  Error fail(const Twine &message) const {
    return createStringError(inconvertibleErrorCode(), "in '" + source +
                                                           "' before '" + rest +
                                                           "': " + message);
  }
  StringRef takeName() {
    StringRef name = rest.take_while(
        [](char c) { return isAlnum(c) || c == '_' || c == '~'; });
    rest = rest.drop_front(name.size());
    return name;
  }
  Expected<Piece> parsePlace();
  Expected<Piece> parseChoice();
  Error parseCase(Piece &choice, StringRef value);

  StringRef source, rest;
};

} // namespace

Expected<Sequence> Parser::parseSequence(StringRef end) {
  Sequence sequence;
  while (!rest.empty() && !end.contains(rest.front())) {
    if (rest.front() == '$' || rest.front() == '<') {
      Expected<Piece> piece =
          rest.front() == '$' ? parsePlace() : parseChoice();
      if (!piece)
        return piece.takeError();
      sequence.push_back(std::move(*piece));
      continue;
    }
    Piece piece;
    piece.text = rest.take_until(
        [&](char c) { return c == '$' || c == '<' || end.contains(c); });
    rest = rest.drop_front(piece.text.size());
    sequence.push_back(std::move(piece));
  }
  return sequence;
}

Expected<Piece> Parser::parsePlace() {
  rest = rest.drop_front();
  Piece piece;
  piece.kind = rest.consume_front("=")   ? Piece::Constant
               : rest.consume_front("!") ? Piece::Predicate
               : rest.consume_front(":") ? Piece::Word
               : rest.consume_front("#") ? Piece::Number
                                         : Piece::Value;
  piece.isTruth = rest.consume_front("?");
  bool hasBraces = rest.consume_front("{");
  piece.text = takeName();
  if (piece.text.empty())
    return fail("expected a name");
  if (hasBraces && !rest.consume_front("}"))
    return fail("expected '}'");
  if (piece.kind != Piece::Value)
    return piece;
  piece.isList = rest.consume_front("*");
  if (piece.isList && rest.consume_front("="))
    piece.tied = takeName();
  if (rest.consume_front("["))
    if (rest.consumeInteger(10, piece.element) || !rest.consume_front("]"))
      return fail("expected the number of an element");
  return piece;
}

Error Parser::parseCase(Piece &choice, StringRef value) {
  Case &added = choice.cases.emplace_back();
  added.value = value;
  do {
    Expected<Sequence> text = parseSequence("/;>");
    if (!text)
      return text.takeError();
    added.texts.push_back(std::move(*text));
  } while (rest.consume_front("/"));
  return Error::success();
}

Expected<Piece> Parser::parseChoice() {
  rest = rest.drop_front();
  Piece piece;
  if (rest.starts_with(".") || rest.starts_with("/")) {
    piece.kind = Piece::Same;
    if (Error error = parseCase(piece, ""))
      return error;
  } else {
    piece.kind = rest.consume_front("@")   ? Piece::BySpace
                 : rest.consume_front("%") ? Piece::ByType
                                           : Piece::ByAttribute;
    piece.text = takeName();
    if (rest.consume_front("? ")) {
      piece.kind = Piece::IfPresent;
      if (Error error = parseCase(piece, "true"))
        return error;
      if (rest.consume_front(";")) {
        if (Error error = parseCase(piece, "-"))
          return error;
      } else {
        piece.cases.emplace_back();
        piece.cases.back().value = "-";
        piece.cases.back().texts.emplace_back();
      }
    } else {
      if (!rest.consume_front(" "))
        return fail("expected ' '");
      do {
        auto [value, behind] = rest.split(':');
        rest = behind;
        if (Error error = parseCase(piece, value))
          return error;
      } while (rest.consume_front(";"));
    }
  }
  if (!rest.consume_front(">"))
    return fail("expected '>'");
  return piece;
}

/// Puts what stands between two dots into one piece.
static Sequence makeTokens(Sequence from) {
  Sequence result;
  bool isOpen = false;
  auto open = [&] {
    result.emplace_back();
    result.back().kind = Piece::Token;
    isOpen = true;
  };
  for (Piece &piece : from) {
    if (piece.isChoice()) {
      for (Case &one : piece.cases)
        for (Sequence &text : one.texts)
          text = makeTokens(std::move(text));
      result.push_back(std::move(piece));
      isOpen = false;
      continue;
    }
    if (piece.kind != Piece::Literal) {
      if (!isOpen)
        open();
      result.back().parts.push_back(std::move(piece));
      continue;
    }
    for (StringRef rest = piece.text; !rest.empty();) {
      if (rest.consume_front(".") || !isOpen)
        open();
      Piece part;
      part.text = rest.take_until([](char c) { return c == '.'; });
      rest = rest.drop_front(part.text.size());
      if (!part.text.empty())
        result.back().parts.push_back(part);
    }
  }
  return result;
}

Expected<Text> parseText(StringRef source) {
  // No blank of the mnemonic stands outside of choices.
  size_t blank = 0;
  for (unsigned depth = 0; blank < source.size(); ++blank) {
    depth += source[blank] == '<';
    depth -= source[blank] == '>';
    if (!depth && source[blank] == ' ')
      break;
  }
  StringRef mnemonic = source.take_front(blank);
  StringRef fixed =
      mnemonic.take_until([](char c) { return c == '<' || c == '$'; });
  std::optional<Opcode> opcode = lookupOpcode(fixed.rtrim('.'));
  if (!opcode)
    return createStringError(inconvertibleErrorCode(),
                             "in '" + source + "': unknown opcode");
  StringRef name = getOpcodeInfo(*opcode).name;
  Expected<Sequence> first =
      Parser(mnemonic.drop_front(name.size())).parseRest();
  if (!first)
    return first.takeError();
  Expected<Sequence> second =
      Parser(source.drop_front(blank).ltrim()).parseRest();
  if (!second)
    return second.takeError();
  return Text{*opcode, makeTokens(std::move(*first)), std::move(*second)};
}

} // namespace ptxbench::nvvm
