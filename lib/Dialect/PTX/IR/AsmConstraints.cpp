//===- AsmConstraints.cpp - Constraints of inline assembly ----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which letters there are, and what registers they mean, is what LLVM's NVPTX
// back end takes; floating-point registers are untyped there.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Dialect/PTX/IR/AsmConstraints.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace ptxbench::ptx {

StringRef getConstraintRegisterType(char letter) {
  switch (letter) {
  case 'b':
    return "pred";
  case 'c':
  case 'h':
    return "b16";
  case 'r':
  case 'f':
    return "b32";
  case 'l':
  case 'N':
  case 'd':
    return "b64";
  case 'q':
    return "b128";
  }
  return "";
}

StringRef AsmConstraints::getRegisterType(unsigned operand) const {
  return getConstraintRegisterType(operands[getRegisterOf(operand)].letter);
}

std::string AsmConstraints::str() const {
  SmallVector<std::string> parts;
  for (const AsmConstraint &constraint : operands) {
    std::string part;
    if (constraint.kind == AsmConstraint::Output)
      part += constraint.earlyClobber ? "=&" : "=";
    if (constraint.kind == AsmConstraint::Tied)
      part += utostr(constraint.tiedTo);
    else
      part += constraint.letter;
    parts.push_back(part);
  }
  parts.append(clobbers.begin(), clobbers.end());
  return join(parts, ",");
}

template <typename... Ts> static Error fail(const Ts &...parts) {
  return createStringError(inconvertibleErrorCode(),
                           (Twine() + ... + Twine(parts)));
}

Expected<AsmConstraints> parseAsmConstraints(StringRef text, bool takesAny) {
  AsmConstraints result;
  SmallVector<AsmConstraint, 4> tied;
  SmallVector<StringRef> parts;
  if (!text.empty())
    text.split(parts, ',');
  for (StringRef part : parts) {
    StringRef rest = part;
    if (rest.starts_with("~")) {
      if (!rest.starts_with("~{") || !rest.ends_with("}"))
        return fail("expected a clobber as '~{memory}' but got '", part, "'");
      result.clobbersMemory |= rest == "~{memory}";
      result.clobbers.push_back(part.str());
      continue;
    }
    if (!result.clobbers.empty())
      return fail("expected clobbers behind all operands but got '", part,
                  "' behind one");
    AsmConstraint constraint;
    bool isReadWritten = rest.consume_front("+");
    if (isReadWritten || rest.consume_front("="))
      constraint.kind = AsmConstraint::Output;
    constraint.earlyClobber = rest.consume_front("&");
    if (constraint.kind == AsmConstraint::Output &&
        result.numOutputs < result.operands.size())
      return fail("expected outputs in front of all inputs but got '", part,
                  "' behind one");
    if (constraint.earlyClobber && constraint.kind != AsmConstraint::Output)
      return fail("'&' is for outputs but '", part, "' is none");
    if (rest.starts_with("*"))
      return fail("'", part, "' is indirect, which PTX has no use for");
    if (rest.contains('|'))
      return fail("'", part, "' has alternatives, which PTX has no use for");
    unsigned output = 0;
    if (!rest.empty() && isDigit(rest.front())) {
      if (rest.getAsInteger(10, output) || output >= result.numOutputs)
        return fail("expected the number of an output but got '", part, "'");
      if (constraint.kind == AsmConstraint::Output)
        return fail("expected an output in a register of its own but got '",
                    part, "'");
      auto isTied = [&](const AsmConstraint &other) {
        return other.kind == AsmConstraint::Tied && other.tiedTo == output;
      };
      if (any_of(result.operands, isTied) || any_of(tied, isTied))
        return fail("expected an output that no other input is tied to but "
                    "got '",
                    part, "'");
      constraint.kind = AsmConstraint::Tied;
      constraint.tiedTo = output;
    } else if (rest.size() != 1) {
      return fail("expected one letter or the number of an output but got '",
                  part, "'");
    } else {
      constraint.letter = rest.front();
      bool isImmediate = constraint.letter == 'n' || constraint.letter == 'i';
      if (isImmediate && constraint.kind == AsmConstraint::Input)
        constraint.kind = AsmConstraint::Immediate;
      else if (getConstraintRegisterType(constraint.letter).empty() &&
               !(takesAny && constraint.letter == 'X' &&
                 constraint.kind == AsmConstraint::Input))
        return fail("no register or constant has the constraint '", part, "'");
    }
    if (isReadWritten) {
      AsmConstraint input;
      input.kind = AsmConstraint::Tied;
      input.tiedTo = result.operands.size();
      tied.push_back(input);
    }
    result.numOutputs += constraint.kind == AsmConstraint::Output;
    result.operands.push_back(constraint);
  }
  result.operands.append(tied.begin(), tied.end());
  return result;
}

} // namespace ptxbench::ptx
