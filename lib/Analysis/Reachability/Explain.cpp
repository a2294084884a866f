//===- Explain.cpp - Reasons in words -------------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value is shown as its PTX register, a branch or guard with its line and
// with what is known of the values it depends on.
//
//===----------------------------------------------------------------------===//

#include "Explain.h"
#include "FlatCopy.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "ptxbench/Dialect/PTX/IR/TextPlace.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace ptxbench::ptx;
using llvm::formatv;

namespace ptxbench::reachability {

std::string Explainer::lineOf(Operation *op) {
  unsigned line = op ? getTextPlace(op->getLoc()).line : 0;
  return line ? "line " + std::to_string(line) : "an unknown line";
}

std::string Explainer::describe(Operation *op) {
  // What the file calls it.
  if (auto made = op->getAttrOfType<StringAttr>(kMadeFrom))
    return ("'" + made.getValue() + "' at " + lineOf(op)).str();
  AnyInst inst(op);
  std::string name =
      inst.isNone() ? op->getName().stripDialect().str() : inst.getMnemonic();
  if (inst.isNone() && !isa_and_nonnull<PTXDialect>(op->getDialect()))
    name = op->getName().getStringRef().str();
  return "'" + name + "' at " + lineOf(op);
}

/// The name of register `index` of a function.
static std::string registerName(Operation *function, int32_t index) {
  auto regs = function->getAttrOfType<ArrayAttr>("regs");
  if (!regs || index < 0)
    return "";
  for (auto reg : regs.getAsRange<RegAttr>()) {
    unsigned count = reg.getNumRegisters();
    if (unsigned(index) >= count) {
      index -= count;
      continue;
    }
    std::string name = reg.getName().str();
    if (reg.getCount())
      name += std::to_string(index / std::max(1u, reg.getVec()));
    return name;
  }
  return "";
}

std::string Explainer::nameOf(unsigned id) {
  const Value &value = program.values[id];
  if (!value.specialReg.empty())
    return "%" + value.specialReg.str();
  if (!value.value)
    return "a value";
  std::string name;
  if (auto arg = dyn_cast<BlockArgument>(value.value)) {
    Operation *function = arg.getOwner()->getParentOp();
    auto regs = function->getAttrOfType<ArrayAttr>("block_regs");
    unsigned block = std::distance(arg.getOwner()->getParent()->begin(),
                                   arg.getOwner()->getIterator());
    if (regs && block < regs.size()) {
      auto indices = cast<DenseI32ArrayAttr>(regs[block]).asArrayRef();
      if (arg.getArgNumber() < indices.size())
        name = registerName(function, indices[arg.getArgNumber()]);
    }
    if (name.empty() && arg.getOwner() == &program.getBody(0).front())
      return "parameter " + std::to_string(arg.getArgNumber());
    return name.empty() ? "a value that depends on the path" : name;
  }
  Operation *op = value.value.getDefiningOp();
  if (auto inst = dyn_cast<InstOpInterface>(op)) {
    auto &regs = inst.getInst().regs;
    if (value.result < regs.size())
      name = registerName(op->getParentOp(), regs[value.result]);
  }
  if (isa<UnrealizedConversionCastOp>(op) && op->getNumOperands() == 1)
    if (Operation *of = op->getOperand(0).getDefiningOp())
      return "the result of " + describe(of) + ", which may be poison,";
  return name.empty() ? "the result of " + describe(op) : name;
}

/// "[0, 383]", "5".
static std::string print(const Ranges &range) {
  auto text = [](const APInt &value, bool isSigned) {
    SmallString<24> digits;
    value.toString(digits, 10, isSigned);
    return digits.str().str();
  };
  unsigned width = range.umin().getBitWidth();
  if (width == 0)
    return "anything";
  bool wide = range.umin().isZero() && range.umax().isAllOnes();
  bool isSigned = wide && !(range.smin().isMinSignedValue() &&
                            range.smax().isMaxSignedValue());
  const APInt &lo = isSigned ? range.smin() : range.umin();
  const APInt &hi = isSigned ? range.smax() : range.umax();
  if (lo == hi)
    return text(lo, isSigned);
  return "in [" + text(lo, isSigned) + ", " + text(hi, isSigned) + "]";
}

/// The special register that a value is a copy of; empty if none.
StringRef Explainer::findSpecial(unsigned id) const {
  const Value &value = program.values[id];
  if (!value.specialReg.empty() || !value.width || value.tainted)
    return value.specialReg;
  for (unsigned other : program.specialValues)
    if (!program.values[other].tainted &&
        program.values[other].number == value.number)
      return program.values[other].specialReg;
  return "";
}

/// What the value is, behind copies and conversions that keep its bits.
unsigned Explainer::findOrigin(unsigned id) const {
  while (findSpecial(id).empty() && program.values[id].def != kNone) {
    const Inst &def = program.insts[program.values[id].def];
    bool keeps = def.range.kind == RangeKind::Copy ||
                 (def.range.kind == RangeKind::Cvt &&
                  def.range.sourceWidth <= def.range.width);
    if (!keeps || def.role != InstRole::Plain || def.sources.size() != 1 ||
        def.sources[0].value == kNone)
      break;
    id = def.sources[0].value;
  }
  return id;
}

/// Where both ways of a branch meet, what it said of them says together what
/// was known in front of it.
const Fact *Explainer::findNarrowing(unsigned id,
                                     const Environment &env) const {
  const Value &value = program.values[id];
  const Fact *fact =
      value.width && !value.tainted ? env.find(value.number) : nullptr;
  llvm::SmallPtrSet<Operation *, 4> seen;
  while (fact) {
    // The guard has been asked before: a loop.
    if (fact->by && !seen.insert(fact->by).second)
      return fact;
    unsigned block = fact->by ? program.getBlock(fact->by->getBlock()) : kNone;
    const Fact *before =
        fact->by ? solution.entry[block].find(value.number) : nullptr;
    std::optional<CompactRange> start;
    if (before)
      start = before->range;
    else
      start = findStart(id, block);
    if (!start || start->getWidth() != fact->range.getWidth() ||
        !fact->range.contains(*start))
      return fact;
    fact = before;
  }
  return nullptr;
}

/// The range without any fact, at the end of a block, or anywhere; none if the
/// value has its range later, when guards have narrowed what it is computed
/// from.
std::optional<CompactRange> Explainer::findStart(unsigned id,
                                                 unsigned block) const {
  const Value &value = program.values[id];
  for (unsigned other : program.specialValues)
    if (!program.values[other].tainted &&
        program.values[other].number == value.number)
      return solution.ranges[other];
  if (value.block == kNone || block == kNone ||
      program.rank[value.block] <= program.rank[block])
    return solution.ranges[id];
  return std::nullopt;
}

std::string Explainer::explainNumber(const Inst &inst, unsigned index,
                                     const Environment &env) {
  const Source &source = inst.sources[index];
  if (source.value == kNone)
    return print(source.constant);
  const Value &value = program.values[source.value];
  std::optional<CompactRange> now = evaluator.evaluate(source.value, env);
  std::optional<Ranges> range;
  if (now)
    range = now->get();
  std::string text = nameOf(source.value);
  std::string why;
  unsigned origin = findOrigin(source.value);
  StringRef special = findSpecial(origin);
  // A value that has no name is called by what makes it, which is no reason
  // then.
  if (special.empty() && value.def != kNone &&
      !StringRef(text).ends_with(describe(program.insts[value.def].op)))
    origin = source.value;
  if (!special.empty()) {
    if (value.specialReg.empty())
      text += " (%" + special.str() + ")";
    why = model.getBound(special, solution.threads).why;
  } else if (program.values[origin].def != kNone) {
    const Inst &def = program.insts[program.values[origin].def];
    if (def.role == InstRole::LoadParam)
      why = formatv("parameter {0}", def.index);
    else if (def.range.kind != RangeKind::Unknown &&
             !StringRef(text).ends_with(describe(def.op)))
      why = describe(def.op);
  }
  if (const Fact *fact = findNarrowing(source.value, env))
    why = fact->by ? "by the guard of " + describe(fact->by)
                   : "by more than one guard";
  text += range ? " is " + print(*range) : " cannot have any value";
  if (!why.empty())
    text += " (" + why + ")";
  return text;
}

std::string Explainer::explainBool(unsigned id, const Environment &env,
                                   unsigned depth) {
  const Value &value = program.values[id];
  if (depth == 0 || value.def == kNone)
    return "";
  const Inst &inst = program.insts[value.def];
  if (inst.role == InstRole::Elect)
    return describe(inst.op) + " elects one lane of the warp";
  switch (inst.range.kind) {
  case RangeKind::Setp:
  case RangeKind::Set: {
    std::optional<CompactRange> result = evaluator.evaluate(id, env);
    bool isKnown = result && result->getConstant();
    // `selp r, 1, 0, p; setp.ne q, r, 0` is about p, but `setp.eq q, r, 2` is
    // false whatever p is.
    for (unsigned i = 0; i < 2 && i < inst.sources.size(); ++i) {
      unsigned source = inst.sources[i].value;
      if (source == kNone || program.values[source].def == kNone)
        continue;
      const Inst &def = program.insts[program.values[source].def];
      if (def.range.kind == RangeKind::Selp && def.sources.size() == 3 &&
          def.sources[2].value != kNone &&
          (!isKnown ||
           evaluator.evaluateGuard(def.sources[2].value, false, env))) {
        std::string inner = explainBool(def.sources[2].value, env, depth - 1);
        if (!inner.empty())
          return inner;
      }
    }
    if (inst.sources.size() < 2)
      return "";
    std::string truth = " compares";
    if (isKnown)
      truth = result->getUMin() == 0 ? " is false" : " is true";
    return (inst.op->hasAttr(kMadeFrom) ? "the condition of " : "") +
           describe(inst.op) + truth + ", since " +
           explainNumber(inst, 0, env) + " and " +
           (inst.sources[1].value == kNone ? "the other operand is " : "") +
           explainNumber(inst, 1, env);
  }
  case RangeKind::And:
  case RangeKind::Or:
  case RangeKind::Xor:
  case RangeKind::Not:
  case RangeKind::Copy:
    // The operand that decides.
    for (bool needConstant : {true, false})
      for (const Source &source : inst.sources) {
        if (source.value == kNone || program.values[source.value].width != 1)
          continue;
        std::optional<CompactRange> range =
            evaluator.evaluate(source.value, env);
        if (needConstant && (!range || !range->getConstant()))
          continue;
        std::string inner = explainBool(source.value, env, depth - 1);
        if (!inner.empty())
          return inner;
      }
    return "";
  default:
    return "";
  }
}

std::string Explainer::explainGuard(unsigned guard, const Environment &env) {
  std::string text = explainBool(guard, env, 4);
  if (const Fact *fact = findNarrowing(guard, env))
    if (fact->by && fact->range.getConstant()) {
      std::string known = formatv(
          "{0} is {1} by the guard of {2}", nameOf(guard),
          *fact->range.getConstant() ? "true" : "false", describe(fact->by));
      return text.empty() ? known : known + "; " + text;
    }
  return text.empty() ? nameOf(guard) + " is constant" : text;
}

std::string Explainer::explainEdge(unsigned from, unsigned to) {
  Operation *op = program.getTerminator(from);
  const BlockInfo &info = program.blocks[from];
  auto term = dyn_cast<TerminatorOpInterface>(op);
  if (solution.stop[from] != kNone)
    return describe(program.insts[solution.stop[from]].op) + " never returns";
  if (info.index != kNone)
    return "the index " + nameOf(info.index) + " of " + describe(op) +
           " never chooses its label";
  if (info.guard == kNone || !term)
    return "it follows " + describe(op);
  bool taken = false;
  for (auto [i, succ] : llvm::enumerate(info.successors))
    if (succ == to)
      taken |= term.isTakenSuccessor(i);
  Environment env = solution.entry[from];
  std::string guard = explainGuard(info.guard, env);
  return formatv("{0} is {1} taken: {2}", describe(op),
                 taken ? "never" : "always", guard);
}

std::string Explainer::explainDeadBlock(Block *block) {
  unsigned target = program.getBlock(block);
  if (!program.blocks[target].connected) {
    // No way in the text leads here: name what stands before.
    Block *first = block;
    while (first != &first->getParent()->front()) {
      Block *before = first->getPrevNode();
      if (!before->empty() &&
          program.blocks[program.getBlock(before)].connected)
        return "no path leads to it: it follows " +
               describe(before->getTerminator());
      first = before;
    }
    return "no path leads to it";
  }
  // Back to the edges at which live blocks stop.
  SmallVector<unsigned, 16> worklist{target};
  llvm::BitVector seen(program.blocks.size());
  seen.set(target);
  std::string reason;
  unsigned cuts = 0;
  while (!worklist.empty()) {
    unsigned b = worklist.pop_back_val();
    for (unsigned pred : program.blocks[b].predecessors) {
      if (seen.test(pred))
        continue;
      if (!solution.live.test(pred)) {
        seen.set(pred);
        worklist.push_back(pred);
        continue;
      }
      if (cuts++ == 0)
        reason = explainEdge(pred, b);
    }
  }
  if (cuts == 0)
    return "only dead blocks lead to it";
  if (cuts > 1)
    reason += formatv(" (and {0} more such {1})", cuts - 1,
                      cuts == 2 ? "edge" : "edges");
  return reason;
}

} // namespace ptxbench::reachability
