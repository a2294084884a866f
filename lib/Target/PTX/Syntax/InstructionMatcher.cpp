//===- InstructionMatcher.cpp - Instructions against their records --------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The modifiers of a mnemonic are matched once per spelling; what is left for
// each instruction is to compare its operands with the patterns of the forms
// that fit. The first form that fits in everything is taken. If none does, the
// one that got furthest explains what is wrong.
//
//===----------------------------------------------------------------------===//

#include "ParserImpl.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::syntax;

/// Says so if an operand is a name that is not declared and so fits nowhere;
/// false if there is none. Labels and callees are names of other kinds.
bool ParserImpl::reportUndeclaredOperand() {
  auto report = [&](const ParsedNode &parsed, bool isFunction) {
    Token name;
    name.offset = parsed.node.loc;
    name.length = parsed.node.name.size();
    reportUndeclared(name, isFunction);
    return true;
  };
  if (opcode != Opcode::call) {
    if (!getOpcodeInfo(opcode).isTerminator())
      for (const ParsedNode &parsed : nodes)
        if (parsed.unresolved)
          return report(parsed, false);
    return false;
  }
  bool haveCallee = false;
  for (unsigned start : operandStarts) {
    // A list and what is in it, the callee, or how it is called.
    bool isCallee = nodes[start].node.kind != OperandKind::List;
    if (isCallee && haveCallee) {
      const OperandNode &node = nodes[start].node;
      if (node.kind != OperandKind::Symbol || findList(node.name))
        continue;
      error(node.loc, node.name.size(),
            "no prototype and no list of call targets named '" + node.name +
                "' stands before");
      return true;
    }
    haveCallee |= isCallee;
    for (unsigned i = 0; i <= nodes[start].node.numChildren; ++i)
      if (nodes[start + i].unresolved)
        return report(nodes[start + i], isCallee);
  }
  return false;
}

/// Says what keeps the operands from the form that they fit best; of two, from
/// one that the module can have.
void ParserImpl::reportMismatch(const MnemonicInfo &info, Token mnemonic) {
  Mismatch worst;
  bool have = false, usable = false;
  for (const Candidate &candidate : info.candidates) {
    Mismatch mismatch;
    matchCandidate(candidate, &mismatch);
    bool better = !usable && candidate.requirement.empty();
    if (have && (mismatch.operand < worst.operand ||
                 (mismatch.operand == worst.operand && !better)))
      continue;
    worst = std::move(mismatch);
    have = true;
    usable = candidate.requirement.empty();
  }
  error(worst.offset ? worst.offset : mnemonic.offset, 1, worst.message);
}

/// Where only the value of a constant asks for a form that the module cannot
/// have, says so: false if it is something else that does.
bool ParserImpl::reportValueNeeds(const MnemonicInfo &info,
                                  const Candidate &fits) {
  for (const Candidate &other : info.candidates) {
    if (!other.requirement.empty() ||
        other.operands.size() != fits.operands.size())
      continue;
    Mismatch mismatch;
    matchCandidate(other, &mismatch);
    if (mismatch.operand >= fits.operands.size())
      continue;
    const OperandPattern &here = *other.operands[mismatch.operand].pattern;
    const OperandPattern &there = *fits.operands[mismatch.operand].pattern;
    if (here.values.empty() || there.values.empty() || here.form != there.form)
      continue;
    error(mismatch.offset, 1,
          mismatch.message + "; the form with that value " + fits.requirement);
    return true;
  }
  return false;
}

bool ParserImpl::matchInstruction(MnemonicInfo &info, const Token &mnemonic,
                                  Instruction &inst) {
  opcode = info.opcode;
  const Candidate *fits = nullptr;
  for (const Candidate &candidate : info.candidates) {
    if (!candidate.requirement.empty() && fits)
      continue;
    if (!matchCandidate(candidate, nullptr))
      continue;
    fits = &candidate;
    if (candidate.requirement.empty())
      break;
  }
  if (!fits) {
    if (!reportUndeclaredOperand())
      reportMismatch(info, mnemonic);
    return false;
  }
  if (!fits->requirement.empty()) {
    if (reportValueNeeds(info, *fits))
      return false;
    error(mnemonic.offset, mnemonic.length,
          "'" + text(mnemonic).take_front(120) + "' " + fits->requirement);
    return false;
  }
  if (info.opcode == Opcode::call && !checkCall(mnemonic))
    return false;
  if ((hasUnified && !checkUnified(info.opcode, fits->space)) ||
      !checkMinus(info.opcode))
    return false;
  if (!info.inOrder) {
    warning(mnemonic.offset, mnemonic.length,
            "the modifiers of '" + text(mnemonic).take_front(120) +
                "' stand in another order than the manual's");
    // Once for each spelling.
    info.inOrder = true;
  }
  // Nothing was tried behind a candidate without requirements.
  for (auto [index, expected] : enumerate(matched))
    if (hasDecimal || expected->needsCommit)
      commitOperand(*expected, operandStarts[index],
                    index + 1 < operandStarts.size() ? operandStarts[index + 1]
                                                     : nodes.size());
  inst.opcode = info.opcode;
  inst.form = fits->form;
  return true;
}

/// Only loads from global memory through a register have `.unified`.
bool ParserImpl::checkUnified(Opcode opcode, StateSpace space) {
  for (unsigned start : operandStarts) {
    const OperandNode &node = nodes[start].node;
    if (!(node.flags & OperandFlag_Unified) ||
        node.kind != OperandKind::Address)
      continue;
    bool isLoad = opcode == Opcode::ld || opcode == Opcode::ldu;
    bool isGlobal = space == StateSpace::None || space == StateSpace::Global;
    if (isLoad && isGlobal && nodes[start + 1].node.kind == OperandKind::Use)
      continue;
    error(node.loc, 1,
          "only loads from global memory through a register have '.unified'");
    return false;
  }
  return true;
}

bool ParserImpl::matchCandidate(const Candidate &candidate,
                                Mismatch *mismatch) {
  matched.clear();
  unsigned given = operandStarts.size();
  unsigned required = candidate.operands.size() - candidate.numOptional;
  bool rightCount = given >= required && given <= candidate.operands.size();
  if (!rightCount && !mismatch)
    return false;
  unsigned extra = rightCount ? given - required : candidate.numOptional;
  unsigned index = 0;
  for (const ResolvedOperand &expected : candidate.operands) {
    if (index == given)
      break;
    if (expected.pattern->optional) {
      if (extra == 0)
        continue;
      --extra;
    }
    std::string why;
    unsigned node = operandStarts[index];
    if (!matchOperand(candidate, expected, node, mismatch ? &why : nullptr)) {
      if (mismatch) {
        mismatch->operand = index;
        mismatch->offset = nodes[node].node.loc;
        mismatch->message = ("operand '" + Twine(expected.pattern->name) +
                             "' of the instruction " + why)
                                .str();
      }
      return false;
    }
    matched.push_back(&expected);
    ++index;
  }
  if (rightCount)
    return true;
  mismatch->operand = std::min<unsigned>(given, candidate.operands.size());
  mismatch->offset =
      given > candidate.operands.size()
          ? nodes[operandStarts[candidate.operands.size()]].node.loc
          : 0;
  mismatch->message =
      "expected " + utostr(required) +
      (candidate.numOptional ? " to " + utostr(candidate.operands.size())
                             : std::string()) +
      " operands but got " + utostr(given);
  return false;
}
