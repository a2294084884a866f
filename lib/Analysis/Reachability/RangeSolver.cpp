//===- RangeSolver.cpp - Ranges and live edges for a class ----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Environments of facts, the evaluation of instructions under them, and the
// solver that joins (and, where states keep growing, widens) them over the
// edges.
//
//===----------------------------------------------------------------------===//

#include "RangeSolver.h"
#include "ptxbench/Analysis/FlatMarks.h"

using namespace mlir;
using namespace ptxbench::ptx;

namespace ptxbench::reachability {

//===----------------------------------------------------------------------===//
// Environment
//===----------------------------------------------------------------------===//

Environment &Environment::operator=(const Environment &other) {
  list.clear();
  if (!other.list.empty())
    list.reserve(other.list.size() + 8);
  list.append(other.list.begin(), other.list.end());
  std::copy(std::begin(other.filter), std::end(other.filter), filter);
  return *this;
}

const Fact *Environment::find(unsigned number) const {
  if (!isMarked(number))
    return nullptr;
  auto it =
      llvm::lower_bound(list, number, [](const Fact &fact, unsigned number) {
        return fact.number < number;
      });
  return it != list.end() && it->number == number ? &*it : nullptr;
}

void Environment::set(unsigned number, const CompactRange &range,
                      Operation *by) {
  auto it =
      llvm::lower_bound(list, number, [](const Fact &fact, unsigned number) {
        return fact.number < number;
      });
  if (it != list.end() && it->number == number) {
    if (it->range == range)
      return;
    it->range = range;
    it->by = by;
    return;
  }
  mark(number);
  list.insert(it, Fact{number, range, by});
}

void Environment::kill(unsigned leaf, const Program &program) {
  // Both are in order.
  ArrayRef<unsigned> dependents = program.getDependents(leaf);
  if (list.empty() || dependents.empty() ||
      dependents.back() < list.front().number ||
      llvm::none_of(dependents,
                    [&](unsigned number) { return isMarked(number); }))
    return;
  llvm::erase_if(list, [&](const Fact &fact) {
    dependents = dependents.drop_while(
        [&](unsigned number) { return number < fact.number; });
    return !dependents.empty() && dependents.front() == fact.number;
  });
}

void Environment::dropUnused(unsigned rank, const Program &program) {
  llvm::erase_if(list, [&](const Fact &fact) {
    return program.lastUse[fact.number] < rank;
  });
  std::fill(std::begin(filter), std::end(filter), 0);
  for (const Fact &fact : list)
    mark(fact.number);
}

void Environment::keepThreadConstants(const Program &program) {
  llvm::erase_if(list, [&](const Fact &fact) {
    return !program.numbers[fact.number].threadConstant;
  });
}

bool Environment::join(const Environment &other, bool widen) {
  bool changed = false;
  // Both are in order.
  const Fact *theirs = other.list.begin(), *end = other.list.end();
  llvm::erase_if(list, [&](Fact &fact) {
    while (theirs != end && theirs->number < fact.number)
      ++theirs;
    if (theirs == end || theirs->number != fact.number) {
      changed = true;
      return true;
    }
    CompactRange joined = fact.range;
    joined.unite(theirs->range);
    if (fact.by != theirs->by)
      fact.by = nullptr;
    if (joined == fact.range)
      return false;
    changed = true;
    fact.range = joined;
    return widen;
  });
  return changed;
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

CompactRange Evaluator::lookup(unsigned value, const Environment &env) {
  const Value &info = program.values[value];
  if (info.width == 0)
    return CompactRange();
  onRead(value);
  const std::optional<CompactRange> &own = solution.ranges[value];
  CompactRange range = own ? *own : CompactRange::getFull(info.width);
  if (info.tainted)
    return range;
  const Fact *fact = env.find(info.number);
  if (!fact || fact->range.getWidth() != range.getWidth())
    return range;
  std::optional<CompactRange> both = intersectRanges(range, fact->range);
  return both ? *both : range;
}

CompactRange Evaluator::evaluateResult(const Inst &inst, unsigned result,
                                       ArrayRef<CompactRange> sources,
                                       unsigned width) const {
  Evaluated &last = program.evaluated[inst.results[result]];
  if (last.isValid && ArrayRef<CompactRange>(last.sources) == sources)
    return last.result;
  SmallVector<Ranges, 4> wide;
  for (const CompactRange &source : sources)
    wide.push_back(source.get());
  last.isValid = true;
  last.sources.assign(sources.begin(), sources.end());
  last.result = CompactRange(
      evaluateRange(inst.range, wide, inst.range.outputs[result], width));
  return last.result;
}

std::optional<CompactRange> Evaluator::readNow(const Inst &inst, unsigned index,
                                               const Environment &env,
                                               unsigned depth) {
  const Source &source = inst.sources[index];
  if (source.value == kNone)
    return CompactRange(source.constant);
  std::optional<CompactRange> range = evaluate(source.value, env, depth);
  if (!range)
    return std::nullopt;
  return readSource(source.how, *range);
}

/// The definition of a value joins into its range what the ranges of its
/// operands give, which only grow; so where the facts of now say no more about
/// them, another evaluation says no more about the value.
bool Evaluator::hasNewsBelow(unsigned value, const Environment &env) const {
  std::optional<ArrayRef<unsigned>> below = program.getBelow(value);
  return !below || llvm::any_of(*below, [&](unsigned id) {
    const Fact *fact = env.find(program.values[id].number);
    if (!fact)
      return false;
    if (!solution.ranges[id])
      return true;
    // What its signed and its unsigned bounds say together is news as well.
    CompactRange range = *solution.ranges[id], narrow = range;
    return range.getWidth() != fact->range.getWidth() ||
           !fact->range.contains(range) || !narrow.tighten() ||
           !(narrow == range);
  });
}

std::optional<CompactRange>
Evaluator::evaluate(unsigned value, const Environment &env, unsigned depth) {
  CompactRange range = lookup(value, env);
  if (depth == 0 || !program.isEvaluable(value) || range.getConstant() ||
      !hasNewsBelow(value, env))
    return range;
  const Value &info = program.values[value];
  const Inst &inst = program.insts[info.def];
  std::optional<bool> guard = true;
  if (inst.guard != kNone)
    guard = evaluateGuard(inst.guard, inst.guardNegated, env);
  std::optional<CompactRange> now;
  if (guard != std::optional<bool>(false)) {
    SmallVector<CompactRange, 4> sources;
    for (unsigned i = 0; i < inst.sources.size(); ++i) {
      std::optional<CompactRange> source = readNow(inst, i, env, depth - 1);
      if (!source)
        return std::nullopt;
      sources.push_back(*source);
    }
    now = evaluateResult(inst, info.result, sources, info.width);
  }
  if (guard != std::optional<bool>(true)) {
    std::optional<CompactRange> old =
        evaluate(inst.passthrough[info.result], env, depth - 1);
    if (!old)
      return std::nullopt;
    if (old->getWidth() != info.width)
      return range;
    if (now)
      now->unite(*old);
    else
      now = old;
  }
  return intersectRanges(range, *now);
}

std::optional<bool> Evaluator::evaluateGuard(unsigned guard, bool negated,
                                             const Environment &env) {
  std::optional<CompactRange> range = evaluate(guard, env);
  if (!range || range->getWidth() != 1)
    return std::nullopt;
  std::optional<uint64_t> value = range->getConstant();
  if (!value)
    return std::nullopt;
  return (*value != 0) != negated;
}

//===----------------------------------------------------------------------===//
// The analysis
//===----------------------------------------------------------------------===//

namespace {

class BlockState : public AnalysisState {
public:
  using AnalysisState::AnalysisState;
  void print(raw_ostream &os) const override {
    os << (live ? "live" : "dead") << ", " << env.facts().size() << " facts";
  }

  bool live = false;
  unsigned changes = 0;
  Environment env;
  SmallVector<std::optional<CompactRange>, 4> args;
};

/// Whether a function may return to its callers.
class ReturnState : public AnalysisState {
public:
  using AnalysisState::AnalysisState;
  void print(raw_ostream &os) const override { os << returns; }

  bool returns = false;
};

class RangeAnalysis : public DataFlowAnalysis, public Evaluator {
public:
  RangeAnalysis(DataFlowSolver &solver, const Program &program,
                const ThreadModel &model, const KnownResults &known,
                Solution &solution)
      : DataFlowAnalysis(solver), Evaluator(program, model, solution),
        dataflow(solver), known(known) {}

  LogicalResult initialize(Operation *top) override;
  LogicalResult visit(ProgramPoint *point) override;
  /// Copies the states of the blocks into the solution.
  void finish();

private:
  ProgramPoint *pointOf(unsigned block) {
    return dataflow.getProgramPointBefore(program.blocks[block].block);
  }
  BlockState *stateOf(unsigned block);
  /// Has the block visited (again).
  void markDirty(unsigned block) {
    if (dirty.test(program.rank[block]))
      return;
    dirty.set(program.rank[block]);
    dataflow.enqueue({pointOf(block), this});
  }
  void visitBlock(unsigned block);
  /// Returns false if no thread goes on behind the instruction.
  bool visitInst(unsigned index, Environment &env);
  bool visitCall(unsigned index, Environment &env);
  void visitTerminator(unsigned block, Environment env);
  /// A thread may return from the function.
  void markReturned(unsigned function);
  void enterFunction(unsigned function, Environment env);
  void flow(unsigned from, unsigned successor, Environment env);
  void mergeInto(unsigned block, Environment env, ArrayRef<CompactRange> args);
  CompactRange widen(const CompactRange &old, const CompactRange &now,
                     bool toFull);
  void setRange(unsigned value, const CompactRange &range);
  void onRead(unsigned value) override;

  DataFlowSolver &dataflow;
  const KnownResults &known;
  std::vector<BlockState *> states;
  std::vector<ReturnState *> returnStates;
  /// Blocks that read a value of another block.
  std::vector<SmallVector<unsigned, 2>> readers;
  /// Blocks in which something they depend on changed, by rank.
  llvm::BitVector dirty;
  unsigned current = 0;
};

} // namespace

BlockState *RangeAnalysis::stateOf(unsigned block) {
  BlockState *&state = states[block];
  if (!state) {
    state = getOrCreate<BlockState>(pointOf(block));
    state->args.resize(program.blocks[block].args.size());
  }
  return state;
}

LogicalResult RangeAnalysis::initialize(Operation *) {
  states.resize(program.blocks.size());
  readers.resize(program.values.size());
  dirty.resize(program.blocks.size());
  for (const Function &function : program.functions)
    returnStates.push_back(
        getOrCreate<ReturnState>(dataflow.getProgramPointAfter(function.op)));
  for (auto [i, value] : llvm::enumerate(program.values))
    if (!value.specialReg.empty())
      solution.ranges[i] = CompactRange(
          model.getRange(value.specialReg, value.width, solution.threads));
    else if (value.tainted && value.width && value.def == kNone &&
             value.value && !isa<BlockArgument>(value.value))
      solution.ranges[i] = CompactRange::getFull(value.width);
  enterFunction(0, Environment());
  return success();
}

LogicalResult RangeAnalysis::visit(ProgramPoint *point) {
  // A point was queued for each block that is dirty, so it does not matter
  // which of them is taken now: the first in the order of control flow, so that
  // a block is mostly visited after its predecessors.
  int first = dirty.find_first();
  if (first >= 0) {
    dirty.reset(first);
    visitBlock(program.order[first]);
  }
  return success();
}

void RangeAnalysis::onRead(unsigned value) {
  const Value &info = program.values[value];
  if (info.block == current || info.block == kNone)
    return;
  SmallVector<unsigned, 2> &blocks = readers[value];
  if (!llvm::is_contained(blocks, current))
    blocks.push_back(current);
}

/// The union; what has no range yet takes the other.
static CompactRange joinRanges(const std::optional<CompactRange> &old,
                               const CompactRange &now) {
  CompactRange joined = now;
  if (old)
    joined.unite(*old);
  return joined;
}

void RangeAnalysis::setRange(unsigned value, const CompactRange &range) {
  std::optional<CompactRange> &old = solution.ranges[value];
  CompactRange joined = joinRanges(old, range);
  if (old && joined == *old)
    return;
  old = joined;
  for (unsigned block : readers[value]) {
    if (!stateOf(block)->live)
      continue;
    markDirty(block);
  }
}

CompactRange RangeAnalysis::widen(const CompactRange &old,
                                  const CompactRange &now, bool toFull) {
  if (old == now)
    return now;
  unsigned width = now.getWidth();
  if (width == 0 || toFull)
    return CompactRange::getFull(width);
  Ranges a = old.get(), b = now.get();
  APInt umin = b.umin(), umax = b.umax(), smin = b.smin(), smax = b.smax();
  if (umin != a.umin())
    umin = APInt::getZero(width);
  if (smin != a.smin())
    smin = APInt::getSignedMinValue(width);
  // Growth stops at the constants the code compares with.
  auto next = [&](const APInt &from, bool isSigned) {
    for (uint64_t t : program.thresholds) {
      APInt limit(64, t);
      if (width < 64 && limit.getActiveBits() > width)
        continue;
      limit = limit.trunc(width);
      if (isSigned ? limit.sge(from) : limit.uge(from))
        return limit;
    }
    return isSigned ? APInt::getSignedMaxValue(width)
                    : APInt::getMaxValue(width);
  };
  if (umax != a.umax())
    umax = next(umax, false);
  if (smax != a.smax())
    smax = next(smax, true);
  return CompactRange(Ranges(umin, umax, smin, smax));
}

void RangeAnalysis::mergeInto(unsigned block, Environment env,
                              ArrayRef<CompactRange> args) {
  BlockState *state = stateOf(block);
  bool changed = false;
  if (!state->live) {
    state->live = true;
    state->env = std::move(env);
    state->args.assign(args.begin(), args.end());
    changed = true;
  } else {
    bool inCycle = program.blocks[block].inCycle || state->changes > 64;
    changed = state->env.join(env, inCycle && state->changes > 6);
    for (auto [old, now] : llvm::zip(state->args, args)) {
      CompactRange joined = joinRanges(old, now);
      if (inCycle && state->changes > 2 && old)
        joined = widen(*old, joined, state->changes > 40);
      if (old && joined == *old)
        continue;
      old = joined;
      changed = true;
    }
  }
  if (!changed)
    return;
  ++state->changes;
  markDirty(block);
}

void RangeAnalysis::enterFunction(unsigned function, Environment env) {
  const Function &info = program.functions[function];
  if (info.numBlocks == 0)
    return;
  solution.entered.set(function);
  env.keepThreadConstants(program);
  // Arguments are whatever a caller passes; those of a kernel may be assumed.
  SmallVector<CompactRange> args;
  const BlockInfo &first = program.blocks[info.firstBlock];
  for (auto [arg, number] : llvm::zip(first.args, first.argNumbers)) {
    unsigned width = program.values[arg].width;
    std::optional<uint64_t> value;
    if (function == 0 && width >= 8)
      value = model.getParam(number, 0, width / 8);
    args.push_back(value && width % 8 == 0
                       ? CompactRange(Ranges::constant(APInt(width, *value)))
                       : CompactRange::getFull(width));
  }
  mergeInto(info.firstBlock, std::move(env), args);
}

void RangeAnalysis::visitBlock(unsigned block) {
  const BlockInfo &info = program.blocks[block];
  BlockState *state = stateOf(block);
  current = block;
  for (auto [arg, range] : llvm::zip(info.args, state->args))
    if (program.values[arg].width && range)
      setRange(arg, *range);
  Environment env = state->env;
  solution.stop[block] = kNone;
  for (unsigned i : info.insts) {
    if (!visitInst(i, env)) {
      solution.stop[block] = i;
      return;
    }
  }
  visitTerminator(block, std::move(env));
}

bool RangeAnalysis::visitInst(unsigned index, Environment &env) {
  const Inst &inst = program.insts[index];
  if (inst.role == InstRole::Call && !visitCall(index, env))
    return false;
  if (inst.results.empty())
    return true;
  std::optional<bool> guard = true;
  if (inst.guard != kNone)
    guard = evaluateGuard(inst.guard, inst.guardNegated, env);
  SmallVector<CompactRange, 4> sources;
  if (inst.range.kind != RangeKind::Unknown)
    for (const Source &source : inst.sources)
      sources.push_back(
          source.value == kNone
              ? CompactRange(source.constant)
              : readSource(source.how, lookup(source.value, env)));
  for (auto [i, id] : llvm::enumerate(inst.results)) {
    if (id == kNone)
      continue;
    unsigned width = program.values[id].width;
    CompactRange range = CompactRange::getFull(width);
    auto it = known.find(index);
    if (it != known.end() && it->second.umin().getBitWidth() == width) {
      range = CompactRange(it->second);
    } else if (inst.role == InstRole::LoadParam) {
      std::optional<uint64_t> value = model.getParam(
          inst.index, inst.offset + inst.elements[i] * inst.elementBytes,
          inst.elementBytes);
      unsigned bits = 8 * inst.elementBytes;
      if (value && bits <= width && bits <= 64) {
        APInt bytes(bits, *value);
        range = CompactRange(Ranges::constant(
            inst.isSigned ? bytes.sext(width) : bytes.zext(width)));
      }
    } else if (inst.range.kind != RangeKind::Unknown) {
      range = evaluateResult(inst, i, sources, width);
    }
    if (guard != std::optional<bool>(true) && !inst.passthrough.empty()) {
      CompactRange old = lookup(inst.passthrough[i], env);
      if (old.getWidth() != width)
        old = CompactRange::getFull(width);
      if (guard)
        range = old;
      else
        range.unite(old);
    }
    // A leaf that is defined again: what was known of the old one is gone.
    unsigned number = program.values[id].number;
    if (program.blocks[inst.block].inCycle &&
        llvm::is_contained(program.numbers[number].leaves, number))
      env.kill(number, program);
    setRange(id, range);
  }
  return true;
}

bool RangeAnalysis::visitCall(unsigned index, Environment &env) {
  const Inst &inst = program.insts[index];
  std::optional<bool> guard = true;
  if (inst.guard != kNone)
    guard = evaluateGuard(inst.guard, inst.guardNegated, env);
  if (guard == std::optional<bool>(false))
    return true;
  Environment inside = env;
  if (inst.guard != kNone &&
      !refineGuard(inst.guard, inst.guardNegated, true, inside, inst.op))
    return true;
  solution.liveCalls.set(index);
  if (inst.op->hasAttr(marks::kReturns))
    markReturned(program.blocks[inst.block].function);
  if (inst.callee == CalleeKind::System)
    return true;
  if (inst.callee == CalleeKind::Unknown) {
    for (unsigned f = 1; f < program.functions.size(); ++f)
      if (program.functions[f].exposed)
        enterFunction(f, Environment());
    return true;
  }
  enterFunction(inst.index, inside);
  if (returnStates[inst.index]->returns || inst.op->hasAttr(marks::kGoesOn))
    return true;
  // Only threads that do not call it go on.
  if (guard)
    return false;
  return refineGuard(inst.guard, inst.guardNegated, false, env, inst.op);
}

void RangeAnalysis::flow(unsigned from, unsigned successor, Environment env) {
  solution.edges[from] |= 1u << std::min(successor, 30u);
  unsigned to = program.blocks[from].successors[successor];
  SmallVector<CompactRange> args;
  const BlockInfo &info = program.blocks[to];
  for (auto [i, arg] : llvm::enumerate(info.args)) {
    unsigned width = program.values[arg].width;
    if (width == 0) {
      args.push_back(CompactRange());
      continue;
    }
    unsigned passed = program.getPassedValue(from, successor, i);
    CompactRange full = CompactRange::getFull(width);
    CompactRange range = passed ? lookup(passed, env) : full;
    args.push_back(range.getWidth() == width ? range : full);
  }
  env.dropUnused(program.rank[to], program);
  if (info.inCycle)
    for (unsigned arg : info.args)
      env.kill(program.values[arg].number, program);
  mergeInto(to, std::move(env), args);
}

void RangeAnalysis::markReturned(unsigned function) {
  ReturnState *state = returnStates[function];
  solution.returns.set(function);
  if (std::exchange(state->returns, true))
    return;
  // Call sites depend on it through the points of their blocks.
  for (auto [i, inst] : llvm::enumerate(program.insts))
    if (inst.role == InstRole::Call && inst.index == function &&
        inst.callee == CalleeKind::Known && solution.liveCalls.test(i))
      markDirty(inst.block);
}

void RangeAnalysis::visitTerminator(unsigned block, Environment env) {
  const BlockInfo &info = program.blocks[block];
  Operation *op = program.getTerminator(block);
  auto term = dyn_cast_or_null<TerminatorOpInterface>(op);
  if (!term) {
    // One that no model knows may do anything.
    if (!op || isa_and_nonnull<PTXDialect>(op->getDialect()))
      return;
    solution.edges[block] |= Solution::kEndBit;
    markReturned(info.function);
    for (unsigned i = 0; i < info.successors.size(); ++i)
      flow(block, i, env);
    return;
  }
  std::optional<bool> guard = true;
  if (info.guard != kNone)
    guard = evaluateGuard(info.guard, info.guardNegated, env);
  if (guard != std::optional<bool>(false)) {
    if (std::optional<ThreadEnd> end = term.getThreadEnd()) {
      Environment ending = env;
      bool possible =
          info.guard == kNone ||
          refineGuard(info.guard, info.guardNegated, true, ending, term);
      if (possible && *end != ThreadEnd::Trap)
        solution.edges[block] |= Solution::kEndBit;
      if (possible && *end == ThreadEnd::Ret)
        markReturned(info.function);
    }
  }
  for (unsigned i = 0; i < info.successors.size(); ++i) {
    bool taken = term.isTakenSuccessor(i);
    if (guard && *guard != taken && info.guard != kNone)
      continue;
    // Without a guard every thread does what the instruction says.
    if (info.guard == kNone && !taken)
      continue;
    Environment next = i + 1 == info.successors.size() ? std::move(env) : env;
    if (info.guard != kNone &&
        !refineGuard(info.guard, info.guardNegated, taken, next, term))
      continue;
    if (info.index != kNone) {
      unsigned width = program.values[info.index].width;
      if (width &&
          !refine(info.index, CompactRange(Ranges::constant(APInt(width, i))),
                  next, term))
        continue;
    }
    flow(block, i, std::move(next));
  }
}

void RangeAnalysis::finish() {
  for (unsigned b = 0; b < program.blocks.size(); ++b) {
    if (!states[b] || !states[b]->live)
      continue;
    solution.live.set(b);
    solution.entry[b] = std::move(states[b]->env);
  }
}

Solution solveRanges(const Program &program, const ThreadModel &model,
                     const ThreadClass &threads, const KnownResults &known) {
  Solution solution;
  solution.threads = threads;
  solution.ranges.resize(program.values.size());
  solution.live.resize(program.blocks.size());
  solution.entry.resize(program.blocks.size());
  solution.stop.assign(program.blocks.size(), kNone);
  solution.edges.assign(program.blocks.size(), 0);
  solution.liveCalls.resize(program.insts.size());
  solution.entered.resize(program.functions.size());
  solution.returns.resize(program.functions.size());
  DataFlowSolver solver(DataFlowConfig().setInterprocedural(false));
  auto *analysis = solver.load<RangeAnalysis>(program, model, known, solution);
  // It fails only if a child analysis does, and ours does not.
  (void)solver.initializeAndRun(program.entry);
  analysis->finish();
  return solution;
}

} // namespace ptxbench::reachability
