//===- Reachability.cpp - Which instructions can execute ------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the targets of an entry and the verdict of each. ClassRuns.h runs the
// solver for classes of threads.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Analysis/Reachability.h"
#include "ClassRuns.h"
#include "Explain.h"
#include "FlatCopy.h"
#include "ptxbench/Dialect/PTX/IR/TextPlace.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace ptxbench::ptx;
using namespace ptxbench::reachability;
using llvm::formatv;

namespace ptxbench {

namespace {

class EntryAnalysis {
public:
  /// `targets`: the entry's, without verdicts.
  EntryAnalysis(Operation *entry, const ThreadModel &model, unsigned maxClasses,
                EntryReachability targets)
      : program(entry), model(model), runs(program, this->model, maxClasses),
        result(std::move(targets)) {}

  EntryReachability analyze();

private:
  void decide(TargetVerdict &verdict, Operation *op);
  void decideNever(TargetVerdict &verdict, const std::string &reason);
  /// Per-warp classes of a known block. Returns whether it gave a verdict.
  bool decideByWarps(TargetVerdict &verdict, unsigned inst);
  bool decideByThreads(TargetVerdict &verdict, unsigned inst);
  void explainMaybe(TargetVerdict &verdict, unsigned inst);
  void predict(TargetVerdict &verdict, ExecutionCount perCTA);
  /// Whether the lanes of a warp execute it together, so that executions can be
  /// counted by warps.
  bool isIssuedOnce(unsigned inst) const;
  std::string chainText(ClassRun &run, unsigned inst);
  std::string guardText(ClassRun &run, unsigned inst);

  Program program;
  ThreadModel model;
  ClassRuns runs;
  llvm::DenseMap<Operation *, unsigned> instIds;
  EntryReachability result;
};

} // namespace

//===----------------------------------------------------------------------===//
// Targets
//===----------------------------------------------------------------------===//

static void addTargets(Operation *function, EntryReachability &result) {
  function->walk([&](Operation *op) {
    AnyInst inst(op);
    Family family = inst.isNone() ? Family::None : inst.getFamily();
    if (family == Family::None)
      return;
    TargetVerdict verdict;
    verdict.family = stringifyFamily(family).str();
    verdict.opcode = inst.getOpcode();
    verdict.mnemonic = inst.getMnemonic();
    TextPlace place = getTextPlace(op->getLoc());
    verdict.line = place.line;
    verdict.column = place.column;
    verdict.source = place.source;
    verdict.inlinedAt = place.inlinedAt;
    if (inst.getPTX() && inst.getPTX().getInst().inlineAsm)
      verdict.inlineAsm = inst.getPTX().getInst().inlineAsm;
    if (!isKernel(function))
      verdict.function = SymbolTable::getSymbolName(function).getValue().str();
    result.verdicts.targets.push_back(std::move(verdict));
    result.operations.push_back(op);
  });
}

/// The targets of an entry and of all functions, in the order of the text:
/// functions may stand before the entry.
static void addAllTargets(Operation *entry, EntryReachability &result) {
  Operation *module = entry->getParentOp();
  if (!module)
    return addTargets(entry, result);
  for (Operation &op : module->getRegion(0).front())
    if (&op == entry || isDeviceFunction(&op))
      addTargets(&op, result);
}

EntryReachability EntryAnalysis::analyze() {
  for (auto [i, inst] : llvm::enumerate(program.insts))
    instIds[inst.op] = i;
  for (auto [verdict, op] :
       llvm::zip(result.verdicts.targets, result.operations))
    decide(verdict, op);
  // If one class of threads that exists cannot end normally, no launch does.
  if (llvm::any_of(result.verdicts.targets, [](const TargetVerdict &verdict) {
        return verdict.reach == Reach::All || verdict.reach == Reach::Some;
      }))
    runs.tryFirstThread();
  if (std::optional<std::string> stuck = runs.getStuckClass())
    for (TargetVerdict &verdict : result.verdicts.targets)
      if (verdict.reach == Reach::All || verdict.reach == Reach::Some) {
        verdict.reach = Reach::Maybe;
        verdict.scope.reset();
        verdict.predicted.reset();
        verdict.reason = "no launch ends normally: " + *stuck;
      }
  result.numClasses = runs.size();
  return std::move(result);
}

//===----------------------------------------------------------------------===//
// Verdicts
//===----------------------------------------------------------------------===//

void EntryAnalysis::decideNever(TargetVerdict &verdict,
                                const std::string &reason) {
  verdict.reach = Reach::Never;
  verdict.reason = reason;
  Prediction zero;
  zero.launch.warps = zero.launch.threads = 0;
  zero.perCTA = zero.launch;
  verdict.predicted = zero;
}

bool EntryAnalysis::isIssuedOnce(unsigned inst) const {
  return AnyInst(program.insts[inst].op)
      .isIssuedOnce(program.insts[inst].fullMask);
}

void EntryAnalysis::predict(TargetVerdict &verdict, ExecutionCount perCTA) {
  if (!perCTA.known())
    return;
  Prediction prediction;
  prediction.perCTA = perCTA;
  if (model.grid) {
    if (perCTA.warps)
      prediction.launch.warps = *perCTA.warps * model.grid->volume();
    if (perCTA.threads)
      prediction.launch.threads = *perCTA.threads * model.grid->volume();
  }
  verdict.predicted = prediction;
}

std::string EntryAnalysis::chainText(ClassRun &run, unsigned inst) {
  std::string text;
  for (unsigned call : run.paths->getCallChain(inst))
    text += formatv(
        "{0}{1} calls it at {2}", text.empty() ? "; " : ", then ",
        program.functions[program.blocks[program.insts[call].block].function]
            .name,
        Explainer::lineOf(program.insts[call].op));
  return text;
}

std::string EntryAnalysis::guardText(ClassRun &run, unsigned index) {
  const Inst &inst = program.insts[index];
  if (inst.guard == kNone)
    return "";
  Explainer explainer(program, model, run.solution);
  return "; its guard is always true: " +
         explainer.explainGuard(inst.guard, run.paths->environmentAt(index));
}

void EntryAnalysis::decide(TargetVerdict &verdict, Operation *op) {
  ClassRun &base = runs.getBase();
  Explainer explainer(program, model, base.solution);
  auto it = instIds.find(op);
  Operation *function = op->getBlock()->getParentOp();
  if (isa<InlineOp>(function)) {
    verdict.reach = Reach::Maybe;
    verdict.reason = "its text ends threads or loops and is not "
                     "'has_side_effects', so LLVM may remove it or move it";
    return;
  }
  if (function != program.entry && !isDeviceFunction(function)) {
    verdict.reach = Reach::Maybe;
    verdict.reason = "what " + Explainer::describe(function) +
                     " does with its body is not known";
    return;
  }
  unsigned block = program.getBlock(op->getBlock());
  unsigned functionId = program.blocks[block].function;
  if (function != program.entry && !base.solution.entered.test(functionId)) {
    // A dead call is more telling than no call.
    for (const Inst &inst : program.insts)
      if (inst.role == InstRole::Call && inst.callee == CalleeKind::Known &&
          inst.index == functionId)
        return decideNever(
            verdict, formatv("{0} is called by no call that can execute; the "
                             "call at {1} cannot",
                             verdict.function, Explainer::lineOf(inst.op)));
    return decideNever(verdict,
                       formatv("nothing that {0} reaches calls {1}",
                               result.verdicts.name, verdict.function));
  }
  if (it == instIds.end() || !base.solution.live.test(block))
    return decideNever(verdict, explainer.explainDeadBlock(op->getBlock()));
  unsigned index = it->second;
  if (!base.paths->isReached(index))
    return decideNever(
        verdict,
        "it follows a call that never returns: " +
            Explainer::describe(program.insts[base.solution.stop[block]].op));
  const Inst &inst = program.insts[index];
  if (base.paths->guardAt(index) == false) {
    Environment env = base.paths->environmentAt(index);
    return decideNever(verdict,
                       formatv("its guard {0}{1} is never true: {2}",
                               inst.guardNegated ? "!" : "",
                               explainer.nameOf(inst.guard),
                               explainer.explainGuard(inst.guard, env)));
  }
  if (!base.paths->hasNormalEnd()) {
    verdict.reach = Reach::Maybe;
    verdict.reason = "no thread ends normally, so nothing is promised";
    return;
  }
  if (base.paths->isExecutedByAll(index)) {
    verdict.reach = Reach::All;
    verdict.reason = "every path to a normal end passes it" +
                     chainText(base, index) + guardText(base, index);
    ExecutionCount count;
    std::optional<uint64_t> times = base.paths->timesPerThread(index);
    if (model.block && times) {
      count.threads = *times * model.block->volume();
      if (isIssuedOnce(index))
        count.warps = *times * model.getNumWarps();
    }
    predict(verdict, count);
    return;
  }
  if (model.block ? decideByWarps(verdict, index)
                  : decideByThreads(verdict, index))
    return;
  for (Scope scope : {Scope::Cluster, Scope::Grid}) {
    std::string who;
    if (!runs.findOneCTA(index, scope, who))
      continue;
    verdict.reach = Reach::Some;
    verdict.scope = scope;
    verdict.reason = formatv(
        "the {0} of every {1} with {2}: every path of {3} to a normal end "
        "passes it",
        scope == Scope::Grid ? "thread" : "CTA",
        scope == Scope::Grid ? "launch" : "cluster", who,
        scope == Scope::Grid ? "it" : "such a thread");
    return;
  }
  explainMaybe(verdict, index);
}

/// "0-3, 8"; each element stands for `scale` numbers below `limit`.
static std::string printSet(ArrayRef<unsigned> sorted, unsigned scale,
                            uint64_t limit) {
  std::string text;
  for (size_t i = 0; i < sorted.size();) {
    size_t end = i;
    while (end + 1 < sorted.size() && sorted[end + 1] == sorted[end] + 1)
      ++end;
    if (!text.empty())
      text += ", ";
    uint64_t first = uint64_t(sorted[i]) * scale;
    uint64_t last =
        std::min<uint64_t>(uint64_t(sorted[end]) * scale + scale, limit) - 1;
    text += first == last ? std::to_string(first)
                          : formatv("{0}-{1}", first, last).str();
    i = end + 1;
  }
  return text;
}

bool EntryAnalysis::decideByWarps(TargetVerdict &verdict, unsigned inst) {
  SmallVector<unsigned> whole, part;
  std::string partText;
  uint64_t threads = 0, warps = 0;
  bool countable = true, allNever = true, issuedOnce = true;
  ClassRun *sample = nullptr;
  for (unsigned warp = 0; warp < model.getNumWarps(); ++warp) {
    WarpVerdict found = runs.decideWarp(inst, warp);
    allNever &= found.kind == WarpVerdict::Never;
    countable &= found.kind != WarpVerdict::Unknown && found.exact &&
                 found.times.has_value();
    if (found.kind == WarpVerdict::All)
      whole.push_back(warp);
    else if (found.kind == WarpVerdict::Part) {
      part.push_back(warp);
      if (partText.empty())
        partText = found.who;
    }
    if (found.kind == WarpVerdict::All || found.kind == WarpVerdict::Part) {
      threads += found.threads * found.times.value_or(0);
      warps += found.times.value_or(0);
      issuedOnce &= found.threads == 1 || isIssuedOnce(inst);
      if (!sample)
        sample = found.run;
    }
  }
  if (allNever) {
    decideNever(verdict, "no warp of the block comes to it with its guard "
                         "true: each was analysed alone");
    return true;
  }
  ExecutionCount count;
  if (countable) {
    count.threads = threads;
    if (issuedOnce)
      count.warps = warps;
  }
  if (whole.size() == model.getNumWarps()) {
    verdict.reach = Reach::All;
    verdict.reason = "every path of every warp to a normal end passes it" +
                     chainText(*sample, inst) + guardText(*sample, inst);
    predict(verdict, count);
    return true;
  }
  if (!sample)
    return false;
  verdict.reach = Reach::Some;
  verdict.scope = Scope::CTA;
  std::string who;
  if (!whole.empty())
    who = formatv("all threads of {0} {1} (threads {2})",
                  whole.size() == 1 ? "warp" : "warps",
                  printSet(whole, 1, model.getNumWarps()),
                  printSet(whole, 32, model.block->volume()));
  if (!part.empty())
    who += formatv("{0}{1} of {2} {3}", who.empty() ? "" : ", and ", partText,
                   part.size() == 1 ? "warp" : "warps",
                   printSet(part, 1, model.getNumWarps()));
  verdict.reason = formatv("in every CTA (of {1}) {0}: every path to a normal "
                           "end passes it",
                           who, model.blockWhy)
                       .str() +
                   chainText(*sample, inst) + guardText(*sample, inst);
  predict(verdict, count);
  return true;
}

bool EntryAnalysis::decideByThreads(TargetVerdict &verdict, unsigned inst) {
  std::string who;
  ClassRun *run = runs.findInEveryCTA(inst, {}, who);
  if (!run)
    return false;
  verdict.reach = Reach::Some;
  verdict.scope = Scope::CTA;
  verdict.reason = formatv("in every CTA {0}: every path to a normal end "
                           "passes it",
                           who)
                       .str() +
                   chainText(*run, inst) + guardText(*run, inst);
  return true;
}

void EntryAnalysis::explainMaybe(TargetVerdict &verdict, unsigned index) {
  ClassRun &base = runs.getBase();
  Explainer explainer(program, model, base.solution);
  const Inst &inst = program.insts[index];
  verdict.reach = Reach::Maybe;
  unsigned detour = base.paths->findDetour(index);
  if (base.paths->guardAt(index) != true) {
    verdict.reason =
        formatv("its guard {0}{1} is not known", inst.guardNegated ? "!" : "",
                explainer.nameOf(inst.guard));
  } else if (detour != kNone) {
    const BlockInfo &block = program.blocks[detour];
    Operation *term = program.getTerminator(detour);
    verdict.reason = formatv("{0} may lead past it", Explainer::describe(term));
    if (block.guard != kNone)
      verdict.reason +=
          formatv(": its guard {0}{1} is not known",
                  block.guardNegated ? "!" : "", explainer.nameOf(block.guard));
  } else {
    verdict.reason = "not every way through the calls to it is certain";
  }
  if (!model.block)
    verdict.reason += "; the block's shape is not known";
}

//===----------------------------------------------------------------------===//
// Interface
//===----------------------------------------------------------------------===//

/// Of a kernel whose control flow is branches between blocks.
static llvm::Expected<EntryReachability>
analyzeBranches(Operation *entry, const ReachabilityOptions &options) {
  llvm::Expected<ThreadModel> model =
      ThreadModel::create(entry, options.launch);
  if (!model)
    return model.takeError();
  EntryReachability result;
  result.verdicts.name = SymbolTable::getSymbolName(entry).str();
  result.verdicts.assumptions = options.launch;
  if (entry->getRegion(0).empty())
    return result;
  addAllTargets(entry, result);
  // Many kernels have none, and nothing else is asked about them.
  if (result.verdicts.targets.empty())
    return result;
  return EntryAnalysis(entry, *model, options.maxClasses, std::move(result))
      .analyze();
}

/// How much a verdict promises of executions.
static int getStrength(const TargetVerdict &verdict) {
  if (verdict.reach == Reach::All)
    return 4;
  if (verdict.reach != Reach::Some)
    return 0;
  return verdict.scope == Scope::CTA       ? 3
         : verdict.scope == Scope::Cluster ? 2
                                           : 1;
}

/// Leaves what holds of both: of the kernel as it is, and of the kernel without
/// the loops that may be removed.
static void weaken(TargetVerdict &verdict, TargetVerdict &opened) {
  bool isNever = verdict.reach == Reach::Never;
  if (isNever && opened.reach == Reach::Never)
    return;
  if (isNever) {
    verdict.reach = Reach::Maybe;
    verdict.reason = "a loop without effects may be removed, though threads "
                     "stay in it; as it is, no thread comes here: " +
                     verdict.reason;
    verdict.predicted.reset();
    return;
  }
  bool isSame = verdict.reach == opened.reach && verdict.scope == opened.scope;
  bool sameCounts = verdict.predicted && opened.predicted &&
                    verdict.predicted->perCTA == opened.predicted->perCTA &&
                    verdict.predicted->launch == opened.predicted->launch;
  if (!isSame && getStrength(opened) < getStrength(verdict))
    verdict = std::move(opened);
  if (!sameCounts)
    verdict.predicted.reset();
}

llvm::Expected<EntryReachability>
analyzeEntryReachability(Operation *entry, const ReachabilityOptions &options) {
  if (!isKernel(entry))
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "expected a kernel (.entry)");
  if (isa<EntryOp>(entry))
    return analyzeBranches(entry, options);
  // Of another dialect: a copy is analysed in which loops, conditions and
  // inline assembly have become branches.
  bool hasRemovable = false;
  auto analyzeCopy = [&](bool opened) -> llvm::Expected<EntryReachability> {
    FlatCopy copy(entry, opened);
    if (!copy.getKernel())
      return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                     "its control flow could not be made "
                                     "branches");
    hasRemovable = copy.hasRemovable();
    llvm::Expected<EntryReachability> result =
        analyzeBranches(copy.getKernel(), options);
    if (result)
      copy.restoreOperations(*result);
    return result;
  };
  llvm::Expected<EntryReachability> result = analyzeCopy(/*opened=*/false);
  if (!result || !hasRemovable || result->verdicts.targets.empty())
    return result;
  llvm::Expected<EntryReachability> opened = analyzeCopy(/*opened=*/true);
  if (!opened)
    return opened;
  assert(result->operations == opened->operations && "both are of one kernel");
  for (auto [verdict, other] :
       llvm::zip(result->verdicts.targets, opened->verdicts.targets))
    weaken(verdict, other);
  result->numClasses += opened->numClasses;
  return result;
}

llvm::Expected<EntryVerdicts>
analyzeReachability(Operation *entry, const LaunchAssumptions &launch) {
  ReachabilityOptions options;
  options.launch = launch;
  llvm::Expected<EntryReachability> result =
      analyzeEntryReachability(entry, options);
  if (!result)
    return result.takeError();
  return std::move(result->verdicts);
}

} // namespace ptxbench
