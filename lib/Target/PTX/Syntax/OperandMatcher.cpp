//===- OperandMatcher.cpp - Operands against their patterns ---------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One operand as written against one pattern: whether it fits and, for the form
// that got furthest, why not.
//
// What registers an instruction type takes is as ptxas has it, not as the
// manual does: `.b` registers take every type of their width, signed and
// unsigned ones each other's, floating-point types no integer registers.
//
//===----------------------------------------------------------------------===//

#include "ParserImpl.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::syntax;

static std::string describeType(DataType type) {
  if (type.kind == TypeKind::Predicate)
    return "a predicate";
  StringRef letter = type.kind == TypeKind::Bits       ? "b"
                     : type.kind == TypeKind::Unsigned ? "u"
                     : type.kind == TypeKind::Signed   ? "s"
                     : type.alternate                  ? "b"
                                                       : "f";
  if (type.packed)
    return (Twine("a packed type of ") + Twine(unsigned(type.width)) + " bits")
        .str();
  return ("." + letter + Twine(unsigned(type.width))).str();
}

static bool isHandle(const VarDecl &var) {
  return is_contained({"texref", "samplerref", "surfref"}, var.typeName);
}

/// An operand that is bits whatever the instruction's type: a mask, a
/// descriptor, a cache policy.
static bool isOwnBits(const ResolvedOperand &expected) {
  return expected.typed && expected.type.kind == TypeKind::Bits &&
         expected.pattern->typeSlot < 0;
}

/// "4, 8 or 16", "24 to 256 in steps of 8".
static std::string describeValues(ArrayRef<ImmediateRange> values) {
  std::string text;
  for (auto [index, range] : enumerate(values)) {
    if (index)
      text += index + 1 == values.size() ? " or " : ", ";
    text += itostr(range.first);
    if (range.last != range.first)
      text += " to " + itostr(range.last);
    if (range.step != 1)
      text += " in steps of " + itostr(range.step);
  }
  return text;
}

bool ParserImpl::matchRegister(const ResolvedOperand &expected,
                               ParsedNode &parsed, bool inVector,
                               std::string *why) {
  if (!expected.typed)
    return true;
  DataType want = expected.type;
  if (expected.isFullWidth && want.width == 32) {
    if (why)
      *why = "is .b32, but addresses have 64 bits";
    return false;
  }
  DataType have;
  if (parsed.node.kind == OperandKind::SpecialReg) {
    SpecialRegister special = *getSpecialRegister(parsed.node.name);
    have = special.type;
    if (!inVector && opcode == Opcode::mov && special.isAlsoOf(want.width))
      have.width = want.width;
    if (inVector && have.kind != TypeKind::Predicate)
      have.kind = TypeKind::Bits;
  } else {
    have = getRegisterType(parsed, inVector);
  }
  auto fail = [&](const Twine &reason) {
    if (why)
      *why = ("is " + describeType(want) + ", but " + reason).str();
    return false;
  };
  if ((have.kind == TypeKind::Predicate) != (want.kind == TypeKind::Predicate))
    return fail("the register is " + describeType(have));
  bool wide = expected.pattern->relaxedWidth && !want.alternate;
  if (wide ? have.width < want.width : have.width != want.width)
    return fail("the register is " + describeType(have) +
                ", which has another width");
  // Packed and alternate formats live in `.b` registers, f16x2 also in its
  // own, which on the other hand holds 32-bit integers.
  if (want.packed || want.alternate) {
    bool own = have.packed && want.kind == TypeKind::Float && !want.alternate;
    return have.kind == TypeKind::Bits || own ||
           fail("the register is " + describeType(have) +
                "; only .b registers hold this format");
  }
  if (want.kind == TypeKind::Float) {
    // Vectors of floats that are loaded, stored or coordinates may be integer
    // registers, scalars and the matrices of `mma` may not.
    bool anyRegister = inVector && have.width == want.width &&
                       expected.pattern->typeSlot >= 0 &&
                       (expected.pattern->count.kind != CountRule::Named ||
                        expected.pattern->handle != HandleKind::None);
    if ((have.kind == TypeKind::Unsigned || have.kind == TypeKind::Signed) &&
        !anyRegister)
      return fail("the register is " + describeType(have) +
                  "; only .b and .f registers hold floating-point values");
    if (have.packed ||
        (wide && have.kind == TypeKind::Float && have.width != want.width))
      return fail("the register is " + describeType(have));
    return true;
  }
  // Where an instruction's type is an integer, f16x2 passes; where an operand's
  // own is (shift amounts, positions, counts), it does not.
  // So do descriptors, policies, states and the like, which are bits.
  bool ownBits = isOwnBits(expected) && !inVector;
  bool isInteger =
      want.kind == TypeKind::Unsigned || want.kind == TypeKind::Signed;
  if ((isInteger || ownBits) && have.kind == TypeKind::Float &&
      (!have.packed || expected.pattern->typeSlot < 0))
    return fail("the register is " + describeType(have));
  return true;
}

bool ParserImpl::matchLiteral(const ResolvedOperand &expected,
                              ParsedNode &parsed, std::string *why) {
  if (!expected.typed)
    return true;
  DataType want = expected.type;
  bool isInt = parsed.node.kind == OperandKind::Int;
  auto fail = [&](const Twine &reason) {
    if (why)
      *why = ("is " + describeType(want) + " and cannot be " + reason).str();
    return false;
  };
  switch (want.kind) {
  case TypeKind::Predicate:
    return isInt || fail("a floating-point constant");
  case TypeKind::Unsigned:
  case TypeKind::Signed:
    return isInt || fail("a floating-point constant");
  case TypeKind::Float:
    // Single and double precision convert into each other.
    if (want.width < 32 || want.packed || want.alternate)
      return fail("a constant");
    return !isInt || fail("an integer constant");
  case TypeKind::Bits:
    // Their bits count, so the width has to be the same.
    if (isInt ||
        (!isOwnBits(expected) &&
         want.width == (parsed.node.kind == OperandKind::F32 ? 32 : 64)))
      return true;
    return fail("a floating-point constant");
  }
  return true;
}

bool ParserImpl::matchSymbol(const ResolvedOperand &expected,
                             const ParsedNode &parsed, bool inVector,
                             std::string *why) const {
  auto fail = [&](const Twine &reason) {
    if (why)
      *why = reason.str();
    return false;
  };
  StringRef name = parsed.node.name;
  const VarDecl *var = getVariable(parsed);
  // ptxas has this rule for plain variables; `v+4` and functions stand
  // anywhere.
  bool isPlain = var && parsed.node.value == 0;
  bool isNoAddress = isOwnBits(expected) && opcode != Opcode::isspacep;
  if (((isPlain || isNoAddress) && !expected.takesSymbol) || inVector)
    return fail("cannot be the address of '" + name +
                "', which 'mov' or 'cvta' puts into a register");
  DataType type = expected.type;
  if (var && isHandle(*var) &&
      !(type == DataType{TypeKind::Unsigned, 64, false, false}))
    return fail("cannot be the address of the ." + var->typeName + " '" + name +
                "', which is .u64");
  if (expected.typed && (type.kind == TypeKind::Float ||
                         type.kind == TypeKind::Predicate || type.width < 16))
    return fail("cannot be the address of '" + name + "'");
  if (var && var->space == StateSpace::Param && opcode == Opcode::mov &&
      parsed.nameKind == NameEntry::Local)
    return fail("cannot be the address of '" + name + "' in .param");
  if (isPlain && expected.typed && type.width == 32 &&
      var->space == StateSpace::Global)
    return fail("is .b32, but the address of '" + name + "' has 64 bits");
  if (var && expected.space != StateSpace::None && var->space != expected.space)
    return fail("is in ." + stringifyStateSpace(expected.space) + ", but '" +
                name + "' is in ." + stringifyStateSpace(var->space));
  return true;
}

bool ParserImpl::matchValue(const ResolvedOperand &expected, unsigned node,
                            bool inVector, std::string *why) {
  ParsedNode &parsed = nodes[node];
  const OperandPattern &pattern = *expected.pattern;
  auto fail = [&](const Twine &reason) {
    if (why)
      *why = reason.str();
    return false;
  };
  switch (parsed.node.kind) {
  case OperandKind::Use:
  case OperandKind::Def:
  case OperandKind::DefUse:
    if (pattern.form == OperandForm::Immediate)
      return fail("must be a constant");
    if (parsed.isSum && pattern.form == OperandForm::Register)
      return fail("must be a register, not a sum");
    if (parsed.isSum && pattern.dir != OperandDir::In)
      return fail("is written and cannot be a sum");
    if (parsed.isSum && expected.typed && expected.type.kind == TypeKind::Float)
      return fail("is " + describeType(expected.type) +
                  " and cannot be a sum of integers");
    if (expected.typed) {
      DataType have = getRegisterType(parsed, inVector);
      if (!(have == expected.accepted[inVector])) {
        if (!matchRegister(expected, parsed, inVector, why))
          return false;
        expected.accepted[inVector] = have;
      }
    }
    if (pattern.dir != OperandDir::In && parsed.node.flags)
      return fail("is written and cannot be negated");
    if ((parsed.node.flags & OperandFlag_Minus) && !pattern.minusAllowed)
      return fail("cannot be negated");
    return true;
  case OperandKind::Sink:
    return pattern.sinkAllowed ||
           (inVector && pattern.dir == OperandDir::Out &&
            opcode != Opcode::tcgen05_ld) ||
           fail("cannot be '_'");
  case OperandKind::Int:
  case OperandKind::F32:
  case OperandKind::F64:
    if (pattern.form == OperandForm::Register)
      return fail("must be a register");
    if (pattern.form == OperandForm::Immediate &&
        parsed.node.kind != OperandKind::Int)
      return fail("must be an integer constant");
    if (!matchLiteral(expected, parsed, why))
      return false;
    if (parsed.node.kind == OperandKind::Int && !pattern.values.empty() &&
        none_of(pattern.values, [&](const ImmediateRange &range) {
          return parsed.node.value >= range.first &&
                 parsed.node.value <= range.last &&
                 (parsed.node.value - range.first) % range.step == 0;
        }))
      return fail("is " + Twine(parsed.node.value) + ", but must be " +
                  describeValues(pattern.values));
    return true;
  case OperandKind::SpecialReg:
    if (pattern.dir != OperandDir::In)
      return fail("is written and cannot be a special register");
    if (!inVector && !expected.takesSpecial)
      return fail("cannot be a special register, which only 'mov' and integer "
                  "'cvt' read");
    return matchRegister(expected, parsed, inVector, why);
  case OperandKind::Symbol:
    if (parsed.unresolved)
      return fail("is '" + parsed.node.name + "', which is not declared");
    if (pattern.dir != OperandDir::In)
      return fail("is written and cannot be an address");
    if (pattern.form == OperandForm::Immediate)
      return fail("must be a constant");
    if (pattern.form == OperandForm::Register)
      return fail("must be a register");
    return matchSymbol(expected, parsed, inVector, why);
  case OperandKind::Vector:
    return fail("cannot be a vector");
  case OperandKind::Selected:
    if (pattern.selector == SelectorKind::None)
      return fail("has no parts like '." +
                  stringifySelector(parsed.node.value) + "'");
    if (!isSelectorOf(pattern.selector, parsed.node.value))
      return fail("has no part '." + stringifySelector(parsed.node.value) +
                  "'; it has " + describeSelectors(pattern.selector));
    return matchValue(expected, node + 1, false, why);
  default:
    return fail("has the wrong form");
  }
}

DataType ParserImpl::getRegisterType(const ParsedNode &parsed,
                                     bool inVector) const {
  return inVector && mixedVector ? *mixedVector
                                 : current->regs[parsed.decl].type;
}

/// ptxas gives a vector one type: that of its elements, or their bits where
/// neighbours differ in a way that bits can bridge.
bool ParserImpl::joinElements(unsigned node, unsigned count, std::string *why) {
  const ParsedNode *last = nullptr;
  DataType lastType;
  for (const ParsedNode &parsed :
       ArrayRef<ParsedNode>(nodes).slice(node, count)) {
    DataType type;
    if (parsed.node.kind == OperandKind::Use)
      type = current->regs[parsed.decl].type;
    else if (parsed.node.kind == OperandKind::SpecialReg)
      type = {TypeKind::Bits, getSpecialRegister(parsed.node.name)->type.width,
              false, false};
    else
      continue;
    // Predicates fit or do not fit by themselves.
    if (type.width == 1)
      continue;
    if (last && !(type == lastType)) {
      auto isInteger = [](DataType one) {
        return one.kind == TypeKind::Unsigned || one.kind == TypeKind::Signed;
      };
      bool bridged = type.kind == TypeKind::Bits ||
                     lastType.kind == TypeKind::Bits ||
                     (isInteger(type) && isInteger(lastType));
      if (type.width != lastType.width || !bridged) {
        if (why)
          *why = ("has elements of unequal types: '" + last->node.name +
                  "' is " + describeType(lastType) + ", but '" +
                  parsed.node.name + "' is " + describeType(type))
                     .str();
        return false;
      }
      mixedVector = DataType{TypeKind::Bits, type.width, false, false};
    }
    last = &parsed;
    lastType = type;
  }
  return true;
}

bool ParserImpl::matchVector(const ResolvedOperand &expected, unsigned node,
                             unsigned count, std::string *why) {
  unsigned children = nodes[node].node.numChildren;
  bool longer = expected.pattern->longerAllowed && children > count &&
                (children == 2 || children == 4);
  if (children != count && !longer) {
    if (why)
      *why = "is a vector of " + utostr(count) + " elements, but " +
             utostr(children) + " are given";
    return false;
  }
  bool hasSpecial = false, hasConstant = false, allSinks = true;
  for (unsigned i = 0; i < children; ++i) {
    OperandKind kind = nodes[node + 1 + i].node.kind;
    allSinks &= kind == OperandKind::Sink;
    hasSpecial |= kind == OperandKind::SpecialReg;
    hasConstant |= kind == OperandKind::Int || kind == OperandKind::F32 ||
                   kind == OperandKind::F64;
  }
  if (allSinks) {
    if (why)
      *why = "has no element but '_'";
    return false;
  }
  if (hasSpecial && hasConstant) {
    if (why)
      *why = "has both special registers and constants as elements";
    return false;
  }
  llvm::scope_exit forget([&] { mixedVector.reset(); });
  if (!joinElements(node + 1, children, why))
    return false;
  for (unsigned i = 0; i < children; ++i)
    if (!matchValue(expected, node + 1 + i, true, why)) {
      if (why)
        *why = "has an element " + utostr(i) + " that " + *why;
      return false;
    }
  return true;
}

const VarDecl *ParserImpl::getVariable(const ParsedNode &parsed) const {
  switch (parsed.nameKind) {
  case NameEntry::Local:
    return &current->locals[parsed.decl];
  case NameEntry::Result:
    return &current->results[parsed.decl];
  case NameEntry::Param:
    return &current->params[parsed.decl];
  case NameEntry::Variable:
    return &module->vars[parsed.decl];
  default:
    return nullptr;
  }
}

bool ParserImpl::matchAddress(const Candidate &candidate,
                              const ResolvedOperand &expected, unsigned node,
                              std::string *why) {
  ParsedNode &address = nodes[node];
  auto fail = [&](const Twine &reason) {
    if (why)
      *why = reason.str();
    return false;
  };
  if (address.node.kind != OperandKind::Address)
    return fail("must be an address in brackets");
  if (expected.pattern->handle != HandleKind::None)
    return matchHandle(expected, node, why);
  bool tensor = expected.pattern->form == OperandForm::TensorAddress;
  if (address.node.numChildren != (tensor ? 2 : 1) ||
      (tensor && nodes[node + 2].node.kind != OperandKind::Vector))
    return fail(tensor ? "must have coordinates: [map, {…}]"
                       : "has no coordinates");
  StateSpace space = candidate.space;
  ParsedNode &base = nodes[node + 1];
  if (base.node.kind == OperandKind::Use) {
    DataType type = current->regs[base.decl].type;
    if (type.kind == TypeKind::Float || type.kind == TypeKind::Predicate ||
        type.width > 64)
      return fail("has a base that is " + describeType(type) +
                  ", not an integer");
    if (expected.isFullWidth && type.width == 32)
      return fail("is an address of 64 bits, but its base is " +
                  describeType(type));
    if (!tensor && expected.typed && type.width != expected.type.width)
      return fail("has a base that is " + describeType(type) + ", not " +
                  describeType(expected.type));
  } else if (base.node.kind == OperandKind::Symbol) {
    if (base.nameKind == NameEntry::Function)
      return fail("is a function, not a variable");
    if (!tensor && expected.typed)
      return fail("must have a register as its base");
    const VarDecl &var = *getVariable(base);
    if (!tensor && isHandle(var))
      return fail("is the ." + var.typeName + " '" + base.node.name +
                  "', which is no memory");
    if (opcode == Opcode::ld && base.nameKind == NameEntry::Result)
      return fail("is the result '" + base.node.name +
                  "', which its function only writes");
    if (opcode == Opcode::st && base.nameKind == NameEntry::Param)
      return fail("is the parameter '" + base.node.name +
                  "', which its function only reads");
    StateSpace have = var.space;
    if (space == StateSpace::None)
      space = expected.space;
    if (space != StateSpace::None && have != space)
      return fail("is in ." + stringifyStateSpace(space) + ", but '" +
                  base.node.name + "' is in ." + stringifyStateSpace(have));
    bool isAtomic = opcode == Opcode::atom || opcode == Opcode::red;
    if (expected.isGeneric &&
        (have == StateSpace::Const || have == StateSpace::Param ||
         (isAtomic && have == StateSpace::Local) ||
         (opcode == Opcode::prefetchu && have != StateSpace::Global)))
      return fail("is a generic address, but '" + base.node.name + "' is in ." +
                  stringifyStateSpace(have));
  } else if (space != StateSpace::Local) {
    return fail("is a constant address, which only .local has");
  }
  if (!tensor)
    return true;
  ResolvedOperand coordinate = expected;
  return matchVector(coordinate, node + 2, expected.count, why);
}

bool ParserImpl::matchList(const ResolvedOperand &expected, unsigned node,
                           std::string *why) {
  if (nodes[node].node.kind != OperandKind::List) {
    if (why)
      *why = "must be a list in parentheses";
    return false;
  }
  bool results = expected.pattern->dir != OperandDir::In;
  unsigned next = node + 1;
  for (unsigned i = 0; i < nodes[node].node.numChildren; ++i) {
    ParsedNode &parsed = nodes[next++];
    // A whole vector register.
    if (parsed.node.kind == OperandKind::Vector &&
        nodes[next].node.kind == OperandKind::Use) {
      next += parsed.node.numChildren;
      continue;
    }
    bool fits = parsed.node.kind == OperandKind::Use ||
                parsed.node.kind == OperandKind::Symbol;
    if (results)
      fits |= parsed.node.kind == OperandKind::Sink;
    else
      fits |= parsed.node.kind == OperandKind::Int ||
              parsed.node.kind == OperandKind::F32 ||
              parsed.node.kind == OperandKind::F64;
    if (!fits || parsed.unresolved) {
      if (why)
        *why = parsed.unresolved ? ("has the name '" + parsed.node.name +
                                    "', which is not declared")
                                       .str()
                                 : "takes registers, parameters and constants";
      return false;
    }
  }
  return true;
}

bool ParserImpl::matchOperand(const Candidate &candidate,
                              const ResolvedOperand &expected, unsigned node,
                              std::string *why) {
  ParsedNode &parsed = nodes[node];
  const OperandPattern &pattern = *expected.pattern;
  auto fail = [&](const Twine &reason) {
    if (why)
      *why = reason.str();
    return false;
  };
  switch (pattern.form) {
  case OperandForm::Address:
  case OperandForm::TensorAddress:
    return matchAddress(candidate, expected, node, why);
  case OperandForm::Label:
    if (parsed.node.kind != OperandKind::Symbol)
      return fail("must be a label");
    return true;
  case OperandForm::Symbol: {
    const NamedList *list = parsed.node.kind == OperandKind::Symbol
                                ? findList(parsed.node.name)
                                : nullptr;
    bool isCall = opcode == Opcode::call;
    if (!list || isCall == (list->kind == NamedList::BranchTargets))
      return fail(isCall ? "must be the name of a prototype or a list of call "
                           "targets that stands before"
                         : "must be the name of a list of branch targets that "
                           "stands before");
    return true;
  }
  case OperandForm::Callee:
    if (parsed.node.kind == OperandKind::Use) {
      DataType type = current->regs[parsed.decl].type;
      if (parsed.node.flags)
        return fail("cannot be negated");
      return (type.kind != TypeKind::Float &&
              (type.width == 32 || type.width == 64)) ||
             fail("is a register that cannot hold an address");
    }
    if (parsed.node.kind != OperandKind::Symbol)
      return fail("must be a function");
    if (parsed.unresolved)
      return fail("is '" + parsed.node.name +
                  "', which is no declared function");
    return parsed.nameKind == NameEntry::Function ||
           fail("is '" + parsed.node.name + "', which is no function");
  case OperandForm::ArgumentList:
    return matchList(expected, node, why);
  case OperandForm::Sink:
    return parsed.node.kind == OperandKind::Sink || fail("can only be '_'");
  case OperandForm::Value:
  case OperandForm::Register:
  case OperandForm::Immediate:
    break;
  }
  if (parsed.node.kind == OperandKind::Pair) {
    if (!pattern.optionalPredicatePair)
      return fail("has no second part behind '|'");
    OperandPattern predicate = {"p",
                                OperandDir::Out,
                                OperandForm::Register,
                                -1,
                                {TypeKind::Predicate, 1, false, false},
                                {},
                                false,
                                false,
                                false,
                                !pattern.predicateRequired};
    ResolvedOperand second = {&predicate, predicate.type, true, 0};
    bool vector = nodes[node + 1].node.kind == OperandKind::Vector;
    if (vector != (expected.count != 0))
      return fail(vector ? "cannot be a vector" : "must be a vector");
    unsigned behind =
        node + 2 + (vector ? nodes[node + 1].node.numChildren : 0);
    if (nodes[node + 1].node.kind == OperandKind::Sink &&
        nodes[behind].node.kind == OperandKind::Sink)
      return fail("is '_' on both sides of '|'");
    return (vector ? matchVector(expected, node + 1, expected.count, why)
                   : matchValue(expected, node + 1, false, why)) &&
           matchValue(second, behind, false, why);
  }
  if (pattern.predicateRequired)
    return fail("must have a predicate behind '|'");
  bool isVector = parsed.node.kind == OperandKind::Vector;
  if (expected.count == 0)
    return isVector && pattern.bracesAllowed
               ? matchVector(expected, node, 1, why)
               : matchValue(expected, node, false, why);
  if (isVector)
    return matchVector(expected, node, expected.count, why);
  if (pattern.scalarAllowed)
    return matchValue(expected, node, false, why);
  return fail("must be a vector of " + Twine(expected.count) +
              (expected.count == 1 ? " element: {…}" : " elements"));
}

/// Writes into the nodes of an operand what is known now that its pattern is:
/// which registers are written, what is a label, how wide a decimal literal is.
void ParserImpl::commitOperand(const ResolvedOperand &expected, unsigned node,
                               unsigned end) {
  const OperandPattern &pattern = *expected.pattern;
  ParsedNode &root = nodes[node];
  if (pattern.form == OperandForm::Label) {
    root.node.kind = OperandKind::Label;
    return;
  }
  if (pattern.form == OperandForm::Symbol) {
    root.node.name = findList(root.node.name)->unique;
    return;
  }
  for (unsigned i = node; i < end; ++i) {
    ParsedNode &parsed = nodes[i];
    if (parsed.node.kind == OperandKind::Use) {
      // The predicate behind a bar is only written.
      bool isSecond = root.node.kind == OperandKind::Pair && i + 1 == end;
      if (isSecond || pattern.dir == OperandDir::Out)
        parsed.node.kind = OperandKind::Def;
      else if (pattern.dir == OperandDir::InOut)
        parsed.node.kind = OperandKind::DefUse;
    } else if (parsed.decimal && expected.typed && expected.type.width == 32) {
      parsed.node.kind = OperandKind::F32;
      double value = bit_cast<double>(parsed.node.value);
      parsed.node.value = bit_cast<uint32_t>(static_cast<float>(value));
      parsed.decimal = false;
    }
  }
}
