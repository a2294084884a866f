//===- ClassRuns.cpp - The solver on classes of threads -------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A class is solved when it is first asked for and kept under its key. Once the
// budget is spent, a question has no answer.
//
//===----------------------------------------------------------------------===//

#include "ClassRuns.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace ptxbench::ptx;

namespace ptxbench::reachability {

ClassRuns::ClassRuns(const Program &program, const ThreadModel &model,
                     unsigned maxClasses)
    : program(program), model(model), maxClasses(std::max(1u, maxClasses)) {
  for (auto [i, inst] : llvm::enumerate(program.insts)) {
    if (inst.role == InstRole::Elect)
      elects.push_back(i);
    if (inst.role == InstRole::Shuffle)
      shuffles.push_back(i);
  }
  base = run(ThreadClass(), nullptr);
}

ClassRun *ClassRuns::run(const ThreadClass &threads, ClassRun *parent) {
  std::string key = threads.key();
  auto it = runs.find(key);
  if (it != runs.end())
    return it->second.get();
  if (runs.size() >= maxClasses)
    return nullptr;
  auto result = std::make_unique<ClassRun>();
  if (parent)
    result->shuffles = parent->shuffles;
  KnownResults known = result->shuffles;
  // One lane of the warp is the leader of every election in which the whole
  // warp takes part; see docs/Reachability.md.
  if (threads.elected != Elected::Unknown && parent)
    for (unsigned elect : elects)
      if (parent->paths->isExecutedByAll(elect))
        known.try_emplace(elect, Ranges::constant(APInt(
                                     1, threads.elected == Elected::Leader)));
  result->solution = solveRanges(program, model, threads, known);
  result->paths = std::make_unique<Paths>(program, model, result->solution);
  if (threads.wholeWarps && threads.elected == Elected::Unknown)
    findShuffles(*result);
  // A follower need not exist; all other classes are chosen so that they do.
  if (!result->paths->hasNormalEnd() && !stuck &&
      threads.elected != Elected::Follower) {
    std::string who = threads.describe();
    stuck = who.empty() ? "no thread can come to a 'ret' or 'exit'"
                        : "the threads with " + who +
                              " cannot come to a 'ret' or 'exit'";
  }
  ClassRun *raw = result.get();
  runs[key] = std::move(result);
  return raw;
}

std::optional<std::string> ClassRuns::getStuckClass() const { return stuck; }

/// On the blocks that every thread of the class passes one after the other from
/// the entry, lanes of a warp execute the same instructions in the same order,
/// and none has ended: a shuffle gives each lane the operand of its source
/// lane.
void ClassRuns::findShuffles(ClassRun &result) {
  for (unsigned round = 0; round < 4 && !shuffles.empty(); ++round) {
    Solution &solution = result.solution;
    KnownResults found;
    Evaluator evaluator(program, model, solution);
    bool full = model.block && model.block->volume() % 32 == 0;
    unsigned block = program.functions[0].firstBlock;
    for (;;) {
      const BlockInfo &info = program.blocks[block];
      if (info.inCycle || !solution.live.test(block))
        break;
      bool stops = false;
      for (unsigned i : info.insts) {
        const Inst &inst = program.insts[i];
        stops |= inst.role == InstRole::Call && solution.liveCalls.test(i) &&
                 inst.callee != CalleeKind::System;
        // Lanes that skip a guarded instruction of this kind would meet the
        // others at the next one.
        stops |= inst.guard != kNone && AnyInst(inst.op).isConvergent();
        if (stops || inst.role != InstRole::Shuffle)
          continue;
        // Lanes beyond the block's end do not exist; lane 0 does.
        if (inst.lane != 0 && !full)
          continue;
        unsigned source = inst.sources[0].value;
        if (source == kNone || program.values[source].width != 32)
          continue;
        Environment env = result.paths->environmentAt(i);
        found.try_emplace(i, evaluator.lookup(source, env).get());
      }
      uint32_t edges = solution.edges[block];
      // Where lanes may trap the others need not wait for them.
      auto term =
          dyn_cast_or_null<TerminatorOpInterface>(program.getTerminator(block));
      stops |= !term || term.getThreadEnd();
      if (stops || (edges & Solution::kEndBit) || !llvm::isPowerOf2_32(edges) ||
          info.successors.size() > 30)
        break;
      block = info.successors[llvm::Log2_32(edges)];
    }
    bool changed = false;
    for (auto &[inst, range] : found) {
      auto old = result.shuffles.find(inst);
      if (old == result.shuffles.end()) {
        result.shuffles.try_emplace(inst, range);
        changed = true;
      } else if (std::optional<Ranges> both =
                     intersectRanges(old->second, range)) {
        changed |= !(*both == old->second);
        old->second = *both;
      }
    }
    if (!changed)
      return;
    result.solution =
        solveRanges(program, model, solution.threads, result.shuffles);
    result.paths = std::make_unique<Paths>(program, model, result.solution);
  }
}

//===----------------------------------------------------------------------===//
// Warps
//===----------------------------------------------------------------------===//

std::optional<std::pair<uint64_t, uint64_t>>
ClassRuns::boundsAt(ClassRun &run, unsigned index, StringRef name) {
  const Inst &inst = program.insts[index];
  Evaluator evaluator(program, model, run.solution);
  Environment refined;
  const Environment *env = &run.solution.entry[inst.block];
  // Definitions in between change nothing about a special register.
  if (inst.guard != kNone || program.blocks[inst.block].hasCall) {
    refined = run.paths->environmentAt(index);
    env = &refined;
  }
  if (inst.guard != kNone &&
      !evaluator.refineGuard(inst.guard, inst.guardNegated, true, refined,
                             inst.op))
    return std::nullopt;
  // It may be read in several widths; a part of it says less.
  std::optional<std::pair<uint64_t, uint64_t>> bounds;
  for (unsigned i : program.specialValues)
    if (program.values[i].specialReg == name && program.values[i].width >= 32) {
      CompactRange range = evaluator.lookup(i, *env);
      if (!bounds)
        bounds.emplace(0, ~uint64_t(0));
      bounds->first = std::max(bounds->first, range.getUMin());
      bounds->second = std::min(bounds->second, range.getUMax());
    }
  return bounds;
}

WarpVerdict ClassRuns::decideIn(unsigned inst, const ThreadClass &warp,
                                bool isExact, bool partsExist) {
  WarpVerdict verdict;
  auto isNever = [&](ClassRun &run) {
    return !run.paths->isReached(inst) || run.paths->guardAt(inst) == false;
  };
  ClassRun *whole = run(warp, base);
  if (!whole)
    return verdict;
  verdict.run = whole;
  if (isNever(*whole)) {
    verdict.kind = WarpVerdict::Never;
    verdict.exact = true;
    return verdict;
  }
  if (whole->paths->isExecutedByAll(inst)) {
    verdict.kind = WarpVerdict::All;
    verdict.exact = true;
    return verdict;
  }
  // The threads that the ranges at the instruction leave.
  ThreadClass part = warp;
  bool narrower = false, possible = true;
  uint64_t volume = 1;
  static const char *const kTid[] = {"tid.x", "tid.y", "tid.z"};
  for (unsigned i = 0; i < 3; ++i) {
    auto bounds = boundsAt(*whole, inst, kTid[i]);
    if (bounds && part.tid[i]) {
      uint32_t lo = std::max<uint64_t>(part.tid[i]->first, bounds->first);
      uint32_t hi = std::min<uint64_t>(part.tid[i]->second, bounds->second);
      narrower |= lo != part.tid[i]->first || hi != part.tid[i]->second;
      possible &= lo <= hi;
      part.tid[i] = {lo, hi};
    }
    volume *= uint64_t(part.tid[i]->second) - part.tid[i]->first + 1;
  }
  bool isFirst = true;
  for (auto &tid : part.tid)
    isFirst &= tid->first == 0;
  if (possible && narrower && (partsExist || isFirst)) {
    part.wholeWarps = false;
    if (!partsExist) {
      // Only the first thread is known to be there.
      for (auto &tid : part.tid)
        tid = {0, 0};
      volume = 1;
    }
    if (volume == 1)
      part.lane = model
                      .getThread(Dim3{part.tid[0]->first, part.tid[1]->first,
                                      part.tid[2]->first})
                      .lane;
    // A box that holds threads of other warps may not use what was found for
    // this one alone.
    ClassRun *there = run(part, isExact || !partsExist ? whole : base);
    if (there && there->paths->isExecutedByAll(inst)) {
      verdict.kind = WarpVerdict::Part;
      verdict.exact = isExact;
      verdict.threads = volume;
      verdict.run = there;
      ThreadClass shown = part;
      for (auto &ctaid : shown.ctaid)
        ctaid.reset();
      shown.clusterRank.reset();
      for (auto [i, tid] : llvm::enumerate(shown.tid))
        if (tid == warp.tid[i] && i > 0)
          tid.reset();
      verdict.who = (volume == 1 ? "the thread with " : "the threads with ") +
                    shown.describe();
      return verdict;
    }
  }
  // The first lane, where lanes are asked for; another lane may do the same.
  if (partsExist && isExact && uses("laneid")) {
    ThreadClass first = warp;
    for (auto &tid : first.tid)
      tid = {tid->first, tid->first};
    first.wholeWarps = false;
    first.lane = 0;
    ClassRun *there = run(first, whole);
    if (there && there->paths->isExecutedByAll(inst)) {
      verdict.kind = WarpVerdict::Part;
      verdict.run = there;
      verdict.who = "the first lane";
      return verdict;
    }
  }
  bool elected = llvm::any_of(elects, [&](unsigned elect) {
    return whole->paths->isExecutedByAll(elect);
  });
  if (elected) {
    ThreadClass leader = warp;
    leader.elected = Elected::Leader;
    leader.wholeWarps = false;
    ClassRun *there = run(leader, whole);
    if (there && there->paths->isExecutedByAll(inst)) {
      ThreadClass follower = leader;
      follower.elected = Elected::Follower;
      ClassRun *others = run(follower, whole);
      verdict.kind = WarpVerdict::Part;
      // Once the leader has ended another lane may win the next election: that
      // the other lanes lose holds only of elections that happen once.
      bool areSingle = llvm::all_of(elects, [&](unsigned elect) {
        return !whole->paths->isReached(elect) ||
               !whole->paths->isExecutedByAll(elect) ||
               whole->paths->isExecutedOnce(elect);
      });
      verdict.exact = areSingle && others && isNever(*others);
      verdict.threads = 1;
      verdict.run = there;
      verdict.who = "the lane that 'elect.sync' elects";
      return verdict;
    }
  }
  return verdict;
}

WarpVerdict ClassRuns::decideWarp(unsigned inst, unsigned warp) {
  WarpVerdict verdict =
      decideIn(inst, model.getWarp(warp), model.isExactWarp(warp), true);
  if (verdict.kind == WarpVerdict::All)
    verdict.threads = model.getWarpSize(warp);
  if (verdict.kind == WarpVerdict::Never)
    verdict.times = 0;
  else if (verdict.run && verdict.kind != WarpVerdict::Unknown)
    verdict.times = verdict.run->paths->timesPerThread(inst);
  return verdict;
}

//===----------------------------------------------------------------------===//
// CTAs
//===----------------------------------------------------------------------===//

bool ClassRuns::uses(StringRef prefix) const {
  return llvm::any_of(program.specialValues, [&](unsigned id) {
    return program.values[id].specialReg.starts_with(prefix);
  });
}

ClassRun *ClassRuns::findInEveryCTA(unsigned inst, const ThreadClass &cta,
                                    std::string &who) {
  SmallVector<std::pair<ThreadClass, unsigned>, 2> warps;
  if (!model.block) {
    warps.push_back({model.getFirstWarp(), 0});
  } else {
    // The warp of the first thread that may come here, and the first warp.
    uint64_t at[3] = {0, 0, 0};
    static const char *const kTid[] = {"tid.x", "tid.y", "tid.z"};
    for (unsigned i = 0; i < 3; ++i)
      if (auto bounds = boundsAt(*base, inst, kTid[i]))
        at[i] = bounds->first;
    uint64_t linear = at[0] + model.block->x * (at[1] + model.block->y * at[2]);
    if (linear < model.block->volume())
      warps.push_back({model.getWarp(linear / 32), linear / 32});
    if (linear / 32 != 0)
      warps.push_back({model.getWarp(0), 0});
  }
  for (auto &[warp, number] : warps) {
    for (unsigned i = 0; i < 3; ++i)
      warp.ctaid[i] = cta.ctaid[i];
    warp.clusterRank = cta.clusterRank;
    WarpVerdict found =
        decideIn(inst, warp, model.block && model.isExactWarp(number),
                 bool(model.block));
    if (found.kind == WarpVerdict::All)
      who = llvm::formatv("all threads of warp {0}", number);
    else if (found.kind == WarpVerdict::Part)
      who = found.who + llvm::formatv(" in warp {0}", number).str();
    else
      continue;
    return found.run;
  }
  // The first thread is always there, whatever else is known.
  ThreadClass first = model.getThread(Dim3{0, 0, 0});
  for (unsigned i = 0; i < 3; ++i)
    first.ctaid[i] = cta.ctaid[i];
  first.clusterRank = cta.clusterRank;
  ClassRun *there = run(first, nullptr);
  if (!there || !there->paths->isExecutedByAll(inst))
    return nullptr;
  who = "the thread with %tid = (0, 0, 0)";
  return there;
}

void ClassRuns::tryFirstThread() {
  (void)run(model.getThread(Dim3{0, 0, 0}), nullptr);
}

bool ClassRuns::findOneCTA(unsigned inst, Scope scope, std::string &who) {
  ThreadClass cta;
  if (scope == Scope::Cluster) {
    if (!uses("cluster_cta"))
      return false;
    uint64_t rank = 0;
    if (auto bounds = boundsAt(*base, inst, "cluster_ctarank"))
      rank = bounds->first;
    // Rank 0 exists always, others in a cluster of known size.
    if (rank != 0 && (!model.cluster || rank >= model.cluster->volume()))
      return false;
    cta.clusterRank = rank;
  } else {
    if (!uses("ctaid") && !uses("cluster"))
      return false;
    static const char *const kCtaid[] = {"ctaid.x", "ctaid.y", "ctaid.z"};
    uint64_t at[3] = {0, 0, 0};
    bool first = true;
    for (unsigned i = 0; i < 3; ++i) {
      if (auto bounds = boundsAt(*base, inst, kCtaid[i]))
        at[i] = bounds->first;
      first &= at[i] == 0;
      cta.ctaid[i] = at[i];
    }
    if (!first && (!model.grid || at[0] >= model.grid->x ||
                   at[1] >= model.grid->y || at[2] >= model.grid->z))
      return false;
    // The first CTA is the first of its cluster.
    if (first)
      cta.clusterRank = 0;
  }
  std::string thread;
  if (!findInEveryCTA(inst, cta, thread))
    return false;
  who = cta.describe() + ", " + thread;
  return true;
}

} // namespace ptxbench::reachability
