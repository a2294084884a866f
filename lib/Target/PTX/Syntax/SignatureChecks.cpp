//===- SignatureChecks.cpp - Declarations and calls against functions -----===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function that is declared and then defined has one signature, and a call
// passes what it wants: through the function's name, one of a list of targets,
// or a prototype. What fits is as ptxas has it: bits go with everything of
// their width, signed and unsigned numbers with each other, an array with an
// array of as many bytes and the same alignment.
//
//===----------------------------------------------------------------------===//

#include "ParserImpl.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::syntax;

/// Bytes that a variable takes; 0 for an array without an extent.
static uint64_t getSize(const VarDecl &var) {
  uint64_t size = std::max(1, var.type.width / 8) * std::max(1, +var.vector);
  for (uint64_t extent : var.extents)
    size *= extent;
  return size;
}

static uint64_t getAlignment(const VarDecl &var) {
  if (var.align)
    return var.align;
  return std::max(1, var.type.width / 8) * std::max(1, +var.vector);
}

/// Whether a value of type `a` may be passed as one of type `b`.
static bool isCompatible(DataType a, DataType b) {
  if (a.width != b.width ||
      (a.kind == TypeKind::Predicate) != (b.kind == TypeKind::Predicate))
    return false;
  return a.kind == TypeKind::Bits || b.kind == TypeKind::Bits ||
         (a.kind == TypeKind::Float) == (b.kind == TypeKind::Float);
}

//===----------------------------------------------------------------------===//
// Declarations of one function
//===----------------------------------------------------------------------===//

/// What is different between two parameters; empty: nothing.
static StringRef compareParameters(const VarDecl &a, const VarDecl &b) {
  if ((a.space == StateSpace::Reg) != (b.space == StateSpace::Reg))
    return "state spaces";
  if (a.typeName != b.typeName || a.vector != b.vector ||
      a.extents != b.extents)
    return "types";
  return getAlignment(a) == getAlignment(b) ? "" : "alignments";
}

bool ParserImpl::hasSameSignature(const Function &a, const Function &b) {
  auto isNoReturn = [](const Function &some) {
    return any_of(some.directives, [](const FunctionDirective &directive) {
      return directive.name == "noreturn";
    });
  };
  auto match = [](const std::vector<VarDecl> &some,
                  const std::vector<VarDecl> &other) {
    return some.size() == other.size() &&
           all_of(zip(some, other), [](const auto &pair) {
             return compareParameters(std::get<0>(pair), std::get<1>(pair))
                 .empty();
           });
  };
  return isNoReturn(a) == isNoReturn(b) && match(a.results, b.results) &&
         match(a.params, b.params);
}

void ParserImpl::checkRedeclaration(const Function &first,
                                    const Function &second) {
  auto fail = [&](const Twine &message) {
    error(second.loc, 1,
          "the function '" + second.name + "' is declared before " + message);
  };
  if (first.hasBody)
    return error(second.loc, 1,
                 "the function '" + second.name +
                     "' is declared behind its definition");
  if (second.hasBody &&
      (first.linkage == Linkage::Extern || second.linkage == Linkage::Extern))
    return fail("as '.extern' and cannot have a body");
  // A later declaration may leave the linkage out.
  if (first.linkage != second.linkage &&
      (second.linkage != Linkage::None || first.linkage == Linkage::Extern))
    return fail("with another linkage");
  if (first.isEntry != second.isEntry)
    return fail(first.isEntry ? "as an entry" : "as a device function");
  for (bool results : {true, false})
    for (auto [a, b] : zip(results ? first.results : first.params,
                           results ? second.results : second.params)) {
      StringRef difference = compareParameters(a, b);
      if (!difference.empty())
        return error(b.loc, b.name.size(),
                     "'" + b.name + "' and '" + a.name +
                         "' of the declaration before have different " +
                         difference);
    }
  if (!hasSameSignature(first, second))
    error(second.loc, 1,
          "the function '" + second.name +
              "' is declared with another signature before");
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Says why an argument does not fit a parameter; false if it does not.
bool ParserImpl::checkArgument(const ParsedNode &argument,
                               const VarDecl &formal) {
  auto fail = [&](const Twine &message) {
    error(argument.node.loc, 1, message);
    return false;
  };
  bool isArray = !formal.extents.empty();
  // A vector has no kind, but the width of all its elements.
  auto getWholeType = [](DataType type, unsigned elements) {
    if (elements) {
      type.kind = TypeKind::Bits;
      type.width *= elements;
    }
    return type;
  };
  DataType have;
  switch (argument.node.kind) {
  case OperandKind::Sink:
    return true;
  case OperandKind::Int:
  case OperandKind::F32:
  case OperandKind::F64: {
    bool isInt = argument.node.kind == OperandKind::Int;
    bool fits = formal.type.kind == TypeKind::Float ? !isInt
                : formal.type.kind == TypeKind::Bits
                    ? isInt || formal.type.width >= 32
                    : isInt;
    return (fits && !isArray) ||
           fail("the parameter '" + formal.name + "' of type '." +
                formal.typeName + (isArray ? "[]" : "") +
                "' cannot be this constant");
  }
  case OperandKind::Use:
  case OperandKind::Def:
    have = current->regs[argument.decl].type;
    if (isArray || formal.vector)
      return fail("the parameter '" + formal.name + "' is " +
                  (isArray ? "an array" : "a vector") +
                  ", but the argument is a register");
    if (current->regs[argument.decl].vector)
      return fail("an element of a vector register cannot be passed");
    break;
  case OperandKind::Vector:
    have = getWholeType(current->regs[(&argument + 1)->decl].type,
                        argument.node.numChildren);
    if (isArray)
      return fail("the parameter '" + formal.name +
                  "' is an array, but the argument is a register");
    break;
  default: {
    const VarDecl *var = getVariable(argument);
    if (!var || var->space != StateSpace::Param)
      return fail("an argument is a register, a constant or a variable in "
                  ".param, but '" +
                  argument.node.name + "' is none");
    if (argument.nameKind != NameEntry::Local)
      return fail("the parameter '" + argument.node.name +
                  "' of the function cannot be passed on; copy it to a "
                  "variable in .param");
    have = getWholeType(var->type, var->vector);
    bool incomplete = isArray && getSize(formal) == 0;
    if (isArray != !var->extents.empty() ||
        (isArray && !incomplete && getSize(formal) != getSize(*var)))
      return fail("'" + argument.node.name + "' has " + Twine(getSize(*var)) +
                  " bytes" + (var->extents.empty() ? "" : " as an array") +
                  ", but the parameter '" + formal.name + "' has " +
                  Twine(getSize(formal)) + (isArray ? " as an array" : ""));
    if (getAlignment(*var) != getAlignment(formal))
      return fail("'" + argument.node.name + "' is aligned to " +
                  Twine(getAlignment(*var)) + " bytes, but the parameter '" +
                  formal.name + "' to " + Twine(getAlignment(formal)));
    if (isArray && have.width != formal.type.width)
      return true;
    break;
  }
  }
  return isCompatible(have, getWholeType(formal.type, formal.vector)) ||
         fail("the argument and the parameter '" + formal.name +
              "' of type '." + formal.typeName + "' have different types");
}

/// Checks the lists of a call against one signature.
bool ParserImpl::checkArguments(Token mnemonic, const Function &signature,
                                ArrayRef<unsigned> results,
                                ArrayRef<unsigned> arguments) {
  auto check = [&](ArrayRef<unsigned> given,
                   const std::vector<VarDecl> &expected, StringRef what) {
    if (given.size() != expected.size()) {
      error(mnemonic.offset, mnemonic.length,
            "'" + signature.name + "' has " + Twine(expected.size()) + " " +
                what + " but the call gives " + Twine(given.size()));
      return false;
    }
    for (auto [node, formal] : zip(given, expected)) {
      if (!checkArgument(nodes[node], formal))
        return false;
      bool isNumber = formal.type.kind == TypeKind::Unsigned ||
                      formal.type.kind == TypeKind::Signed ||
                      formal.type.kind == TypeKind::Predicate;
      if (isNumber && formal.type.width < 32 && !formal.vector &&
          formal.extents.empty() && !narrowArgument)
        narrowArgument = {nodes[node].node.loc, formal.name};
    }
    return true;
  };
  return check(results, signature.results, "results") &&
         check(arguments, signature.params, "parameters");
}

bool ParserImpl::checkCall(Token mnemonic) {
  SmallVector<unsigned, 4> results;
  SmallVector<unsigned, 16> arguments;
  const ParsedNode *callee = nullptr, *targets = nullptr;
  for (unsigned start : operandStarts) {
    const ParsedNode &parsed = nodes[start];
    if (parsed.node.kind == OperandKind::List) {
      unsigned next = start + 1;
      for (unsigned i = 0; i < parsed.node.numChildren; ++i) {
        if (callee)
          arguments.push_back(next);
        else
          results.push_back(next);
        bool isVector = nodes[next].node.kind == OperandKind::Vector;
        next += 1 + (isVector ? nodes[next].node.numChildren : 0);
      }
    } else {
      (callee ? targets : callee) = &parsed;
    }
  }
  if (callee->node.kind == OperandKind::Symbol) {
    const Function &function = module->functions[callee->decl];
    if (targets) {
      error(targets->node.loc, targets->node.name.size(),
            "a call of '" + function.name +
                "' itself has no list of targets and no prototype");
      return false;
    }
    if (function.isEntry) {
      error(callee->node.loc, function.name.size(),
            "the entry '" + function.name + "' cannot be called");
      return false;
    }
    return checkArguments(mnemonic, function, results, arguments);
  }
  if (!targets) {
    error(mnemonic.offset, mnemonic.length,
          "a call through a register needs a prototype or a list of targets");
    return false;
  }
  const NamedList *list = findList(targets->node.name);
  if (list->kind == NamedList::Prototype)
    return checkArguments(mnemonic, prototypes[list->index], results,
                          arguments);
  return all_of(callTargets[list->index], [&](uint32_t function) {
    return checkArguments(mnemonic, module->functions[function], results,
                          arguments);
  });
}
