//===- LaunchExpression.cpp - Numbers of launch descriptions --------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recursive descent, bounded in depth and in the number of operators, since
// host compilers have bounds of their own.
//
//===----------------------------------------------------------------------===//

#include "LaunchExpression.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace ptxbench {

const char *const launchArithmetic = R"(
/// Why a number could not be computed; null: it could.
static const char *wrong = nullptr;

static inline int64_t plus(int64_t a, int64_t b) {
  int64_t result = 0;
  if (__builtin_add_overflow(a, b, &result))
    wrong = "does not fit in 64 bits";
  return result;
}
static inline int64_t minus(int64_t a, int64_t b) {
  int64_t result = 0;
  if (__builtin_sub_overflow(a, b, &result))
    wrong = "does not fit in 64 bits";
  return result;
}
static inline int64_t times(int64_t a, int64_t b) {
  int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result))
    wrong = "does not fit in 64 bits";
  return result;
}
static inline bool divides(int64_t a, int64_t b) {
  if (b == 0)
    wrong = "divides by zero";
  else if (a == INT64_MIN && b == -1)
    wrong = "does not fit in 64 bits";
  else
    return true;
  return false;
}
static inline int64_t over(int64_t a, int64_t b) {
  return divides(a, b) ? a / b : 0;
}
static inline int64_t modulo(int64_t a, int64_t b) {
  return divides(a, b) ? a % b : 0;
}
static inline int64_t ceildiv(int64_t a, int64_t b) {
  return divides(a, b) ? a / b + (a % b != 0 && (a < 0) == (b < 0)) : 0;
}
static inline int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t greatest(int64_t a, int64_t b) { return a < b ? b : a; }

/// Stores a number; false, with the error raised, if there is none in range.
template <typename T>
static bool take(int64_t value, int64_t low, int64_t high, const char *place,
                 T &out) {
  std::string text = place;
  if (wrong)
    text += std::string("expected a number but the expression ") + wrong;
  else if (value < low || value > high)
    text += "expected a number from " + std::to_string(low) + " to " +
            std::to_string(high) + " but got " + std::to_string(value);
  else {
    out = T(value);
    return true;
  }
  wrong = nullptr;
  TVMFFIErrorSetRaisedFromCStr("ValueError", text.c_str());
  return false;
}
)";

std::string quoteForHost(StringRef text) {
  std::string result = "\"";
  for (char c : text) {
    if (isPrint(c) && c != '"' && c != '\\' && c != '?')
      result += c;
    else
      for (unsigned digit : {6, 3, 0})
        result += (digit == 6 ? "\\" : "") +
                  std::to_string((uint8_t(c) >> digit) & 7);
  }
  return result + "\"";
}

LaunchExpression LaunchExpression::of(int64_t number) {
  return {number, number == INT64_MIN
                      ? "INT64_MIN"
                      : "int64_t(" + std::to_string(number) + ")"};
}

namespace {

class Parser {
public:
  Parser(StringRef text, const Definition &definition)
      : text(text), rest(text), definition(definition) {}

  Expected<LaunchExpression> parse() {
    LaunchExpression result;
    if (text.size() > maxLength)
      fail("expected an expression of at most " + Twine(maxLength) +
           " characters but got " + Twine(text.size()));
    else if (parseSum(result) && !(rest = rest.ltrim()).empty())
      fail("expected an operator but got " + here());
    if (!error.empty())
      return createStringError(error);
    return result;
  }

private:
  static constexpr size_t maxLength = 4096;
  static constexpr unsigned maxDepth = 64, maxOperators = 256;

  bool fail(const Twine &message) {
    if (error.empty())
      error = message.str();
    return false;
  }
  bool expected(const char *what) {
    return fail(Twine("expected ") + what + " but got " + here());
  }
  /// The text on one line, in quotes.
  std::string whole() const {
    std::string result;
    raw_string_ostream(result) << json::Value(json::fixUTF8(text));
    return result;
  }
  /// What stands next, and in what.
  std::string here() const {
    StringRef next = rest.ltrim();
    if (next.empty())
      return "the end of " + whole();
    size_t length = 1;
    if (isWord(next.front()))
      length = next.take_while(isWord).size();
    return "'" + json::fixUTF8(next.take_front(length)) + "' at column " +
           std::to_string(text.size() - next.size() + 1) + " of " + whole();
  }
  static bool isWord(char c) { return isAlnum(c) || c == '_'; }
  bool consume(StringRef what) {
    rest = rest.ltrim();
    return rest.consume_front(what);
  }

  /// Parts with operators of one precedence between them, from the left.
  /// `operators`: spelling and name.
  bool parseChain(
      bool (Parser::*parsePart)(LaunchExpression &),
      llvm::ArrayRef<std::pair<llvm::StringRef, llvm::StringRef>> operators,
      LaunchExpression &out);
  bool parseSum(LaunchExpression &out);
  bool parseProduct(LaunchExpression &out);
  bool parseValue(LaunchExpression &out);
  bool parseNumber(LaunchExpression &out);
  bool parseCall(StringRef function, LaunchExpression &out);
  /// `out` becomes what a function of the host code makes of it and `right`.
  bool apply(StringRef function, LaunchExpression &out,
             const LaunchExpression &right);

  StringRef text, rest;
  const Definition &definition;
  std::string error;
  unsigned depth = 0, operators = 0;
};

} // namespace

bool Parser::apply(StringRef function, LaunchExpression &out,
                   const LaunchExpression &right) {
  if (++operators > maxOperators)
    return fail("expected at most " + Twine(maxOperators) + " operators");
  if (!out.constant || !right.constant) {
    out = {std::nullopt,
           function.str() + "(" + out.code + ", " + right.code + ")"};
    return true;
  }
  int64_t a = *out.constant, b = *right.constant, result = 0;
  bool overflows = false;
  if (function == "plus")
    overflows = AddOverflow(a, b, result);
  else if (function == "minus")
    overflows = SubOverflow(a, b, result);
  else if (function == "times")
    overflows = MulOverflow(a, b, result);
  else if (function == "least")
    result = std::min(a, b);
  else if (function == "greatest")
    result = std::max(a, b);
  else if (b == 0)
    return fail("expected a number but the expression divides by zero: " +
                whole());
  else if (a == INT64_MIN && b == -1)
    overflows = true;
  else if (function == "over")
    result = a / b;
  else if (function == "modulo")
    result = a % b;
  else
    result = a / b + (a % b != 0 && (a < 0) == (b < 0));
  if (overflows)
    return fail(
        "expected a number but the expression does not fit in 64 bits: " +
        whole());
  out = LaunchExpression::of(result);
  return true;
}

bool Parser::parseChain(bool (Parser::*parsePart)(LaunchExpression &),
                        ArrayRef<std::pair<StringRef, StringRef>> operators,
                        LaunchExpression &out) {
  if (!(this->*parsePart)(out))
    return false;
  while (true) {
    const auto *found = find_if(
        operators, [&](const auto &entry) { return consume(entry.first); });
    if (found == operators.end())
      return true;
    LaunchExpression right;
    if (!(this->*parsePart)(right) || !apply(found->second, out, right))
      return false;
  }
}

bool Parser::parseSum(LaunchExpression &out) {
  return parseChain(&Parser::parseProduct, {{"+", "plus"}, {"-", "minus"}},
                    out);
}

bool Parser::parseProduct(LaunchExpression &out) {
  return parseChain(&Parser::parseValue,
                    {{"*", "times"}, {"/", "over"}, {"%", "modulo"}}, out);
}

bool Parser::parseNumber(LaunchExpression &out) {
  StringRef digits = rest.take_while(isWord);
  int64_t number = 0;
  // Other languages would read "0200" as 128.
  if (!all_of(digits, isDigit) || (digits.size() > 1 && digits.front() == '0'))
    return expected("a decimal number without leading zeros");
  if (digits.getAsInteger(10, number))
    return expected("a number below 2^63");
  rest = rest.drop_front(digits.size());
  out = LaunchExpression::of(number);
  return true;
}

/// Both arguments of a function, behind its name.
bool Parser::parseCall(StringRef function, LaunchExpression &out) {
  std::string name = function.str();
  StringRef code = StringSwitch<StringRef>(function)
                       .Case("ceildiv", "ceildiv")
                       .Case("min", "least")
                       .Case("max", "greatest");
  LaunchExpression right;
  if (!parseSum(out))
    return false;
  if (!consume(","))
    return expected((name + "(A, B), with two arguments,").c_str());
  if (!parseSum(right))
    return false;
  if (!consume(")"))
    return expected((name + "(A, B), with two arguments,").c_str());
  return apply(code, out, right);
}

bool Parser::parseValue(LaunchExpression &out) {
  rest = rest.ltrim();
  if (!rest.empty() && isDigit(rest.front()))
    return parseNumber(out);
  StringRef before = rest;
  if (consume("(")) {
    if (++depth > maxDepth)
      return fail("expected an expression nested at most " + Twine(maxDepth) +
                  " deep");
    if (!parseSum(out))
      return false;
    --depth;
    return consume(")") || expected("')'");
  }
  StringRef name = rest.take_while(isWord);
  rest = rest.drop_front(name.size());
  bool isFunction = name == "ceildiv" || name == "min" || name == "max";
  if (isFunction && consume("(")) {
    if (++depth > maxDepth)
      return fail("expected an expression nested at most " + Twine(maxDepth) +
                  " deep");
    if (!parseCall(name, out))
      return false;
    --depth;
    return true;
  }
  for (auto [index, axis] : enumerate(definition.axes)) {
    if (name.empty() || axis.name != name)
      continue;
    out = axis.value
              ? LaunchExpression::of(*axis.value)
              : LaunchExpression{std::nullopt, "axis" + std::to_string(index)};
    return true;
  }
  if (isFunction)
    return expected("'(' behind it");
  rest = before;
  return expected("a number, an axis of the task, '(', ceildiv, min or max");
}

Expected<LaunchExpression> parseLaunchExpression(StringRef text,
                                                 const Definition &definition) {
  return Parser(text, definition).parse();
}

} // namespace ptxbench
