//===- AsmText.cpp - The string of inline assembly as PTX -----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One walk over the string each way.
//
//===----------------------------------------------------------------------===//

#include "AsmText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace ptxbench {

void AsmText::append(StringRef text) {
  startSegment(0, /*replaced=*/true);
  ptx += text;
}

/// The digits at the start of `text` as a number; none if there are none.
static std::optional<unsigned> takeNumber(StringRef &text) {
  unsigned number = 0;
  if (text.empty() || !isDigit(text.front()) || text.consumeInteger(10, number))
    return std::nullopt;
  return number;
}

/// `{$r0}` and its like, without the first two characters; the operand in
/// LLVM's order.
static std::optional<unsigned> takeClassified(StringRef &text,
                                              const OperandClasses &classes) {
  StringRef rest = text;
  const SmallVector<unsigned> *which = nullptr;
  if (rest.consume_front("rw"))
    which = &classes.readWritten;
  else if (rest.consume_front("r"))
    which = &classes.read;
  else if (rest.consume_front("w"))
    which = &classes.written;
  else
    return std::nullopt;
  std::optional<unsigned> number = takeNumber(rest);
  if (!number || !rest.consume_front("}") || *number >= which->size())
    return std::nullopt;
  text = rest;
  return (*which)[*number];
}

/// Whether a character can stand inside of a name.
static bool isNamePart(char c) {
  return isAlnum(c) || c == '_' || c == '$' || c == '%';
}

/// More underscores than stand in a row anywhere in the text.
static std::string findSuffix(StringRef source) {
  size_t longest = 0, run = 0;
  for (char c : source) {
    run = c == '_' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return std::string(longest + 1, '_');
}

std::string AsmText::restoreNames(StringRef message) const {
  if (suffix.empty())
    return message.str();
  std::string restored;
  while (!message.empty()) {
    StringRef token = message.take_while(isNamePart);
    if (token.empty()) {
      restored += message.front();
      message = message.drop_front();
      continue;
    }
    message = message.drop_front(token.size());
    StringRef name = token;
    if (name.starts_with("$") && name.consume_back(suffix) && name.size() > 1 &&
        all_of(name.drop_front(), isDigit))
      token = name;
    restored += token;
  }
  return restored;
}

bool AsmText::appendSource(StringRef source, ArrayRef<std::string> spellings,
                           const OperandClasses *classes, unsigned uid,
                           ErrorFn reportError) {
  StringRef rest = source;
  bool plain = false;
  while (!rest.empty()) {
    size_t at = source.size() - rest.size();
    StringRef piece = rest;
    std::string replacement;
    auto replaceByOperand = [&](unsigned operand) {
      if (operand >= spellings.size()) {
        reportError(at, "there is no operand " + Twine(operand) + "; there " +
                            (spellings.size() == 1 ? "is " : "are ") +
                            Twine(spellings.size()));
        return false;
      }
      replacement = spellings[operand];
      return true;
    };
    auto fail = [&](const Twine &message) {
      reportError(at, message);
      return false;
    };

    if (classes && rest.consume_front("{$")) {
      if (std::optional<unsigned> operand = takeClassified(rest, *classes)) {
        replaceByOperand(*operand);
      } else {
        // A brace in front of an operand.
        rest = piece;
      }
    } else if (rest.consume_front("$")) {
      if (rest.consume_front("$")) {
        replacement = "$";
        StringRef digits = rest.take_while(isDigit);
        StringRef behind = rest.drop_front(digits.size());
        // A name of PTX that is spelled as operands are here.
        if (!digits.empty() && (ptx.empty() || !isNamePart(ptx.back())) &&
            (behind.empty() || !isNamePart(behind.front()))) {
          if (suffix.empty())
            suffix = findSuffix(source);
          replacement += digits.str() + suffix;
          rest = behind;
        }
      } else if (rest.consume_front("{:uid}")) {
        replacement = utostr(uid);
      } else if (rest.consume_front("{:comment}")) {
        replacement = "//";
      } else if (rest.consume_front("{")) {
        std::optional<unsigned> operand = takeNumber(rest);
        if (!operand)
          return fail("expected '${0}' or '${:uid}' behind '$'");
        // The only modifier of LLVM's NVPTX target changes nothing.
        rest.consume_front(":r");
        if (!rest.consume_front("}"))
          return fail("expected '}' behind the number of an operand");
        if (!replaceByOperand(*operand))
          return false;
      } else if (std::optional<unsigned> operand = takeNumber(rest)) {
        if (!replaceByOperand(*operand))
          return false;
      } else {
        return fail("expected the number of an operand behind '$'; a '$' of "
                    "PTX is written '$$'");
      }
    } else if (rest.starts_with("%") && rest.size() > 1 && isDigit(rest[1])) {
      // No register can have this name.
      rest = rest.drop_front();
      unsigned operand = *takeNumber(rest);
      if (!classes)
        return fail("operands are spelled '$" + Twine(operand) +
                    "'; LLVM does not replace '%" + Twine(operand) + "'");
      if (!replaceByOperand(operand))
        return false;
    }

    if (rest.size() == piece.size()) {
      if (!plain)
        startSegment(at, /*replaced=*/false);
      plain = true;
      ptx += rest.front();
      rest = rest.drop_front();
      continue;
    }
    startSegment(at, /*replaced=*/true);
    plain = false;
    ptx += replacement;
  }
  startSegment(source.size(), /*replaced=*/true);
  return true;
}

size_t AsmText::getSourceOffset(size_t offset) const {
  auto it = llvm::upper_bound(
      segments, offset,
      [](size_t at, const Segment &segment) { return at < segment.offset; });
  if (it == segments.begin())
    return 0;
  const Segment &segment = *std::prev(it);
  return segment.source + (segment.replaced ? 0 : offset - segment.offset);
}

TextLines::TextLines(StringRef text) {
  for (size_t at = text.find('\n'); at != StringRef::npos;
       at = text.find('\n', at + 1))
    starts.push_back(at + 1);
}

std::pair<unsigned, unsigned> TextLines::getLineAndColumn(size_t offset) const {
  size_t line = llvm::upper_bound(starts, offset) - starts.begin();
  return {line, offset - starts[line - 1] + 1};
}

bool isLLVMPrefix(StringRef prefix) {
  return prefix == "%p" || prefix == "%rs" || prefix == "%r" ||
         prefix == "%rd" || prefix == "%rq";
}

std::string escapeAsmText(StringRef ptx, unsigned numOperands) {
  std::string text, suffix = findSuffix(ptx);
  while (!ptx.empty()) {
    StringRef token = ptx.take_while(isNamePart);
    if (token.empty()) {
      text += ptx.front();
      ptx = ptx.drop_front();
      continue;
    }
    ptx = ptx.drop_front(token.size());
    StringRef digits = token;
    unsigned operand = 0;
    // "$01" is the name of something else, but LLVM would see an operand in it.
    if (digits.consume_front("$") && !digits.getAsInteger(10, operand) &&
        operand < numOperands && digits == utostr(operand)) {
      text += token;
      continue;
    }
    // "%r<4>" declares "%r0" and others.
    StringRef prefix = token.rtrim("0123456789");
    if (isLLVMPrefix(prefix) &&
        (prefix.size() < token.size() || ptx.starts_with("<"))) {
      text += (prefix + suffix + token.drop_front(prefix.size())).str();
      continue;
    }
    for (char c : token)
      text += c == '$' ? "$$" : std::string(1, c);
  }
  return text;
}

} // namespace ptxbench
