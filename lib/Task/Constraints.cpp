//===- Constraints.cpp - Constraints of definitions -----------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A constraint is a Python expression. Those over axes are comparisons of sums
// and products ("num_rows == 2 * M", "K % 128 == 0", "0 < M <= 64"), and these
// are evaluated; what names anything else, such as the elements of a tensor, is
// not.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Task/Task.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace ptxbench;
using llvm::StringRef;

namespace {
/// A parser that gives up at what it does not know.
class Expression {
public:
  Expression(StringRef text, const Definition &definition,
             const Workload &workload)
      : rest(text), definition(definition), workload(workload) {}

  /// Whether the comparison holds; none if it is not of the kind above.
  std::optional<bool> evaluate() {
    std::optional<int64_t> left = sum();
    bool holds = true, any = false;
    while (left) {
      rest = rest.ltrim();
      if (rest.empty())
        return any ? std::optional<bool>(holds) : std::nullopt;
      StringRef op;
      for (StringRef candidate : {"==", "!=", "<=", ">=", "<", ">"})
        if (op.empty() && rest.consume_front(candidate))
          op = candidate;
      std::optional<int64_t> right = op.empty() ? std::nullopt : sum();
      if (!right)
        return std::nullopt;
      any = true;
      holds &= op == "=="   ? *left == *right
               : op == "!=" ? *left != *right
               : op == "<=" ? *left <= *right
               : op == ">=" ? *left >= *right
               : op == "<"  ? *left < *right
                            : *left > *right;
      left = right;
    }
    return std::nullopt;
  }

private:
  std::optional<int64_t> sum() {
    std::optional<int64_t> value = product();
    while (value) {
      rest = rest.ltrim();
      bool plus = rest.consume_front("+");
      if (!plus && !rest.consume_front("-"))
        break;
      std::optional<int64_t> next = product();
      if (!next)
        return std::nullopt;
      int64_t result;
      if (plus ? llvm::AddOverflow(*value, *next, result)
               : llvm::SubOverflow(*value, *next, result))
        return std::nullopt;
      value = result;
    }
    return value;
  }

  std::optional<int64_t> product() {
    std::optional<int64_t> value = factor();
    while (value) {
      rest = rest.ltrim();
      char op = 0;
      if (rest.starts_with("**"))
        return std::nullopt;
      if (rest.consume_front("*"))
        op = '*';
      else if (rest.consume_front("//"))
        op = '/';
      else if (rest.consume_front("%"))
        op = '%';
      else
        break;
      std::optional<int64_t> next = factor();
      if (!next)
        return std::nullopt;
      if (op == '*') {
        int64_t result;
        if (llvm::MulOverflow(*value, *next, result))
          return std::nullopt;
        value = result;
        continue;
      }
      if (*next <= 0)
        return std::nullopt;
      // Python rounds down, C++ to zero.
      int64_t quotient = llvm::divideFloorSigned(*value, *next);
      value = op == '/' ? quotient : *value - quotient * *next;
    }
    return value;
  }

  std::optional<int64_t> factor() {
    rest = rest.ltrim();
    if (++depth > 100)
      return std::nullopt;
    if (rest.consume_front("-")) {
      std::optional<int64_t> value = factor();
      return value ? std::optional<int64_t>(-*value) : std::nullopt;
    }
    if (rest.consume_front("(")) {
      std::optional<int64_t> value = sum();
      rest = rest.ltrim();
      return rest.consume_front(")") ? value : std::nullopt;
    }
    StringRef word =
        rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    rest = rest.drop_front(word.size());
    int64_t number;
    if (!word.empty() && llvm::isDigit(word.front()))
      return word.getAsInteger(10, number) ? std::nullopt
                                           : std::optional<int64_t>(number);
    return axisValue(definition, workload, word);
  }

  StringRef rest;
  const Definition &definition;
  const Workload &workload;
  unsigned depth = 0;
};
} // namespace

llvm::Error ptxbench::checkConstraints(const Definition &definition,
                                       const Workload &workload) {
  for (const std::string &constraint : definition.constraints) {
    std::optional<bool> holds =
        Expression(constraint, definition, workload).evaluate();
    if (holds && !*holds)
      return llvm::createStringError(
          "expected axes that meet the constraint \"" + constraint + "\"");
  }
  return llvm::Error::success();
}
