//===- SassMapping.cpp - PTX instructions in machine code -----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The model is in the header; the numbers in the comments here are its.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Target/SASS/SassMapping.h"
#include "MappingRules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

using namespace ptxbench;
using llvm::ArrayRef;

namespace {
/// A target and what is found out about it.
struct Entry {
  const PtxTarget *target = nullptr;
  const MappingRule *rule = nullptr;
  /// Of a wgmma.mma_async, if its mnemonic has one.
  std::optional<GmmaShape> shape;
  bool isMma = false;
  /// Indices of instructions.
  std::vector<size_t> owned;
  /// Shares its line with another one that accepts the same class.
  bool ambiguous = false;
  /// A pc of an orphan that may be its.
  std::optional<uint64_t> orphan;
  unsigned orphanCount = 0;
  /// Not on its line in the text that the machine code was made from.
  bool otherText = false;
  bool shared = false;
  /// ptxas may have merged executions of it.
  bool merged = false;

  bool accepts(const SassInstruction &instruction) const {
    if (!rule || !rule->accepts(instruction.opcodeClass))
      return false;
    return !isMma || !shape || fitsShape(*shape, decodeGmma(instruction.word));
  }
};

class Mapper {
public:
  Mapper(const SassKernel &kernel, ArrayRef<PtxTarget> targets);
  std::vector<TargetCount> run();

private:
  /// An anchor in the machine code (5).
  struct Anchor {
    size_t instruction, entry;
  };

  bool live(const SassInstruction &instruction) const {
    return !instruction.word.neverOn() &&
           !(isGmma(instruction.opcodeClass) && isDummyGmma(instruction.word));
  }
  void own(size_t entry, size_t instruction) {
    entries[entry].owned.push_back(instruction);
    owner[instruction] = entry;
  }

  void mapByLine();
  void mapGmmas();
  bool matchGroup(ArrayRef<size_t> gmmas, ArrayRef<size_t> mmas);
  bool isStraightText(size_t first, size_t last) const;
  bool hasBranchBetween(size_t first, size_t last) const;
  void adoptOrphans();
  std::optional<size_t> followBranch(size_t orphan) const;
  void findShared();
  TargetCount finish(const Entry &entry) const;

  const SassKernel &kernel;
  ArrayRef<PtxTarget> targets;
  /// In the order of the text.
  std::vector<Entry> entries;
  std::vector<size_t> entryOfTarget;
  /// Per instruction, the entry that owns it.
  std::vector<std::optional<size_t>> owner;
  std::vector<size_t> orphans;
  /// Pcs that branches go to.
  std::set<uint64_t> branchTargets;
};
} // namespace

Mapper::Mapper(const SassKernel &kernel, ArrayRef<PtxTarget> targets)
    : kernel(kernel), targets(targets), entryOfTarget(targets.size()),
      owner(kernel.instructions.size()) {
  std::vector<size_t> order(targets.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return targets[a].index < targets[b].index;
  });
  for (size_t i : order) {
    Entry entry;
    entry.target = &targets[i];
    const std::string &mnemonic = targets[i].mnemonic;
    entry.rule =
        findMappingRule(mnemonic.empty() ? targets[i].opcode : mnemonic);
    entry.isMma = entry.rule && entry.rule->accepts(SassClass::HGMMA);
    if (entry.isMma)
      entry.shape = parseWgmmaShape(mnemonic);
    if (kernel.ptxText) {
      ArrayRef<std::string> lines = kernel.ptxText->lines;
      unsigned line = targets[i].line;
      entry.otherText =
          line == 0 || line > lines.size() ||
          !llvm::StringRef(lines[line - 1]).contains(targets[i].opcode);
      if (entry.otherText)
        entry.rule = nullptr;
    }
    entryOfTarget[i] = entries.size();
    entries.push_back(std::move(entry));
  }
  for (const SassInstruction &instruction : kernel.instructions)
    if (instruction.opcodeClass == SassClass::BRA)
      branchTargets.insert(branchTarget(instruction.word, instruction.pc));
}

//===----------------------------------------------------------------------===//
// Line and class (1 to 3)
//===----------------------------------------------------------------------===//

void Mapper::mapByLine() {
  std::map<unsigned, std::vector<size_t>> entriesOfLine;
  for (size_t i = 0; i < entries.size(); ++i)
    if (entries[i].rule)
      entriesOfLine[entries[i].target->tableLine()].push_back(i);

  // Runs (by the pc of their row) and classes that are taken.
  std::set<std::pair<uint64_t, SassClass>> taken;
  for (size_t i = 0; i < kernel.instructions.size(); ++i) {
    const SassInstruction &instruction = kernel.instructions[i];
    if (instruction.opcodeClass == SassClass::Other || !live(instruction) ||
        isGmma(instruction.opcodeClass))
      continue;
    std::vector<size_t> accepting;
    bool helper = false;
    if (instruction.line) {
      auto it = entriesOfLine.find(*instruction.line);
      if (it != entriesOfLine.end()) {
        for (size_t entry : it->second) {
          if (entries[entry].accepts(instruction))
            accepting.push_back(entry);
          helper |= entries[entry].rule->helps(instruction.opcodeClass);
        }
      }
    }
    if (accepting.size() > 1) {
      for (size_t entry : accepting)
        entries[entry].ambiguous = true;
      continue;
    }
    if (accepting.size() == 1) {
      bool first =
          taken.insert({instruction.rowPC, instruction.opcodeClass}).second;
      if (first || !entries[accepting[0]].rule->oneToOne) {
        own(accepting[0], i);
        continue;
      }
      helper = false;
    }
    if (!helper && isTargetClass(instruction.opcodeClass))
      orphans.push_back(i);
  }
}

//===----------------------------------------------------------------------===//
// Warpgroup matrix instructions (5)
//===----------------------------------------------------------------------===//

bool Mapper::hasBranchBetween(size_t first, size_t last) const {
  for (size_t i = first; i <= last; ++i) {
    const SassInstruction &instruction = kernel.instructions[i];
    if (i > first && branchTargets.count(instruction.pc))
      return true;
    if (instruction.opcodeClass == SassClass::BRA ||
        instruction.opcodeClass == SassClass::BranchOther ||
        instruction.opcodeClass == SassClass::EXIT)
      return true;
  }
  return false;
}

/// Whether no loop lies inside of the group of two mmas, between the fence or
/// wait before and the one after: no branch behind the first mma can lead to a
/// label before the last one. ptxas merges identical wgmma of such a loop when
/// it unrolls it.
bool Mapper::isStraightText(size_t first, size_t last) const {
  if (!kernel.ptxText)
    return false;
  unsigned firstLine = entries[first].target->tableLine();
  unsigned lastLine = entries[last].target->line;
  bool label = false, branch = false;
  auto isBracket = [&](size_t i) {
    const MappingRule *rule = entries[i].rule;
    return rule && (rule->accepts(SassClass::WarpgroupArrive) ||
                    rule->accepts(SassClass::WarpgroupDepbar));
  };
  while (first > 0 && !isBracket(first))
    --first;
  while (last + 1 < entries.size() && !isBracket(last))
    ++last;
  ArrayRef<std::string> lines = kernel.ptxText->lines;
  // Without a fence or a wait the group is open to the whole text.
  unsigned begin = isBracket(first) ? entries[first].target->tableLine() : 1;
  unsigned end = lines.size();
  if (isBracket(last))
    end = std::min(end, entries[last].target->line);
  for (unsigned i = std::max(begin, 1u); i <= end; ++i) {
    // A label may share its line with statements.
    llvm::SmallVector<llvm::StringRef, 4> statements;
    llvm::StringRef(lines[i - 1]).split(statements, ';');
    for (llvm::StringRef statement : statements) {
      statement = statement.ltrim(" \t{}");
      llvm::StringRef rest = statement.drop_while([](char c) {
        return llvm::isAlnum(c) || c == '_' || c == '$' || c == '%';
      });
      if (rest.size() < statement.size() && rest.starts_with(":") &&
          !rest.starts_with("::")) {
        label |= i <= lastLine;
        statement = rest.drop_front().ltrim(" \t{}");
      }
      if (statement.consume_front("@"))
        statement =
            statement.drop_while([](char c) { return c != ' ' && c != '\t'; })
                .ltrim();
      branch |= i >= firstLine &&
                (statement.starts_with("bra") || statement.starts_with("brx") ||
                 statement.starts_with("call"));
    }
  }
  return !label || !branch;
}

bool Mapper::matchGroup(ArrayRef<size_t> gmmas, ArrayRef<size_t> mmas) {
  if (mmas.empty())
    return false;
  if (mmas.size() == 1) {
    bool fits = llvm::all_of(gmmas, [&](size_t i) {
      return entries[mmas[0]].accepts(kernel.instructions[i]);
    });
    if (fits) {
      for (size_t i : gmmas)
        own(mmas[0], i);
      entries[mmas[0]].merged |=
          gmmas.size() > 1 || !isStraightText(mmas[0], mmas[0]);
    }
    return fits;
  }
  if (gmmas.size() != mmas.size() ||
      hasBranchBetween(gmmas.front(), gmmas.back()))
    return false;
  for (size_t i = 0; i < gmmas.size(); ++i)
    if (!entries[mmas[i]].accepts(kernel.instructions[gmmas[i]]))
      return false;
  bool straight = isStraightText(mmas.front(), mmas.back());
  for (size_t i = 0; i < gmmas.size(); ++i) {
    own(mmas[i], gmmas[i]);
    entries[mmas[i]].merged |= !straight;
  }
  return true;
}

void Mapper::mapGmmas() {
  // The text as a sequence of fences and waits ("brackets") and mmas.
  std::vector<size_t> sequence;
  std::map<size_t, size_t> position;
  for (size_t i = 0; i < entries.size(); ++i) {
    const Entry &entry = entries[i];
    bool bracket =
        entry.rule && (entry.rule->accepts(SassClass::WarpgroupArrive) ||
                       entry.rule->accepts(SassClass::WarpgroupDepbar));
    if (!bracket && !entry.isMma)
      continue;
    position[i] = sequence.size();
    sequence.push_back(i);
  }
  auto mmasBetween = [&](size_t begin, size_t end) {
    std::vector<size_t> mmas;
    for (size_t i = begin; i < end; ++i)
      if (entries[sequence[i]].isMma)
        mmas.push_back(sequence[i]);
    return mmas;
  };
  // The mmas after a bracket (skipping brackets that follow it at once) up to
  // the next bracket, and the other way round.
  auto mmasAfter = [&](size_t entry) {
    size_t begin = position[entry] + 1;
    while (begin < sequence.size() && !entries[sequence[begin]].isMma)
      ++begin;
    size_t end = begin;
    while (end < sequence.size() && entries[sequence[end]].isMma)
      ++end;
    return mmasBetween(begin, end);
  };
  auto mmasBefore = [&](size_t entry) {
    size_t end = position[entry];
    while (end > 0 && !entries[sequence[end - 1]].isMma)
      --end;
    size_t begin = end;
    while (begin > 0 && entries[sequence[begin - 1]].isMma)
      --begin;
    return mmasBetween(begin, end);
  };

  std::optional<Anchor> start;
  std::vector<size_t> gmmas;
  auto close = [&](std::optional<Anchor> end) {
    if (!gmmas.empty()) {
      bool matched = false;
      if (start && end && position[start->entry] < position[end->entry])
        matched = matchGroup(
            gmmas, mmasBetween(position[start->entry], position[end->entry]));
      else {
        if (start)
          matched = matchGroup(gmmas, mmasAfter(start->entry));
        if (!matched && end)
          matched = matchGroup(gmmas, mmasBefore(end->entry));
      }
      if (!matched)
        orphans.insert(orphans.end(), gmmas.begin(), gmmas.end());
    }
    gmmas.clear();
    start = end;
  };
  for (size_t i = 0; i < kernel.instructions.size(); ++i) {
    const SassInstruction &instruction = kernel.instructions[i];
    if (isGmma(instruction.opcodeClass)) {
      if (live(instruction))
        gmmas.push_back(i);
    } else if (owner[i] && position.count(*owner[i])) {
      close(Anchor{i, *owner[i]});
    }
  }
  close(std::nullopt);

  // Without any anchor the whole kernel is one group.
  bool anyMatched = false, anyOrphan = false;
  for (size_t i = 0; i < kernel.instructions.size(); ++i)
    if (isGmma(kernel.instructions[i].opcodeClass) &&
        live(kernel.instructions[i])) {
      anyMatched |= owner[i].has_value();
      anyOrphan |= !owner[i];
      gmmas.push_back(i);
    }
  std::vector<size_t> mmas = mmasBetween(0, sequence.size());
  if (anyMatched || !anyOrphan || gmmas.size() != mmas.size() ||
      !matchGroup(gmmas, mmas))
    return;
  for (size_t i : mmas)
    entries[i].merged = true;
  llvm::erase_if(orphans, [&](size_t i) { return owner[i].has_value(); });
}

//===----------------------------------------------------------------------===//
// Orphans (4) and shared code (6)
//===----------------------------------------------------------------------===//

std::optional<size_t> Mapper::followBranch(size_t orphan) const {
  ArrayRef<SassInstruction> code = kernel.instructions;
  size_t branch = orphan + 1;
  while (branch < code.size() && code[branch].opcodeClass != SassClass::BRA) {
    if (code[branch].opcodeClass == SassClass::BranchOther ||
        code[branch].opcodeClass == SassClass::EXIT)
      return std::nullopt;
    ++branch;
  }
  if (branch >= code.size())
    return std::nullopt;
  uint64_t goal = branchTarget(code[branch].word, code[branch].pc);
  if (!kernel.instructionAt(goal))
    return std::nullopt;
  for (size_t i = goal / 16; i < code.size(); ++i) {
    if (owner[i] && code[i].opcodeClass == code[orphan].opcodeClass)
      return code[i].word.sameOperation(code[orphan].word) ? owner[i]
                                                           : std::nullopt;
    if (code[i].opcodeClass == SassClass::BRA ||
        code[i].opcodeClass == SassClass::BranchOther ||
        code[i].opcodeClass == SassClass::EXIT)
      break;
  }
  return std::nullopt;
}

void Mapper::adoptOrphans() {
  // Decide all before any is adopted, so that the order does not matter.
  std::vector<std::pair<size_t, size_t>> adopted;
  for (size_t orphan : orphans) {
    const SassInstruction &instruction = kernel.instructions[orphan];
    std::vector<size_t> accepting;
    for (size_t i = 0; i < entries.size(); ++i)
      if (entries[i].accepts(instruction) && !entries[i].rule->common)
        accepting.push_back(i);
    if (accepting.size() == 1) {
      adopted.push_back({accepting[0], orphan});
      continue;
    }
    if (!isGmma(instruction.opcodeClass)) {
      if (std::optional<size_t> entry = followBranch(orphan)) {
        adopted.push_back({*entry, orphan});
        continue;
      }
    }
    for (size_t i : accepting) {
      if (!entries[i].orphan)
        entries[i].orphan = instruction.pc;
      ++entries[i].orphanCount;
    }
  }
  for (auto [entry, orphan] : adopted) {
    own(entry, orphan);
    entries[entry].merged |= entries[entry].isMma;
  }
}

void Mapper::findShared() {
  for (const Entry &missing : entries) {
    if (!missing.rule || missing.rule->classes.empty() ||
        !missing.owned.empty())
      continue;
    for (Entry &other : entries)
      if (&other != &missing && other.rule == missing.rule &&
          !other.owned.empty() &&
          other.target->mnemonic == missing.target->mnemonic)
        other.shared = true;
  }
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

static std::string classNames(const MappingRule &rule) {
  return llvm::join(
      llvm::map_range(rule.classes,
                      [](SassClass opcodeClass) {
                        return stringifySassClass(opcodeClass).str();
                      }),
      " or ");
}

static std::string hex(uint64_t value) {
  return "0x" + llvm::utohexstr(value, /*LowerCase=*/true);
}

TargetCount Mapper::finish(const Entry &entry) const {
  const PtxTarget &target = *entry.target;
  TargetCount count;
  count.line = target.line;
  count.column = target.column;
  count.opcode = target.opcode;
  count.sass = SassState::Unobservable;
  if (entry.otherText) {
    count.reason = "line " + std::to_string(target.line) +
                   " of the text that the machine code was made from has no " +
                   target.opcode;
    return count;
  }
  if (!entry.rule) {
    count.reason = "it is not known which machine instruction " +
                   (target.mnemonic.empty() ? target.opcode : target.mnemonic) +
                   " becomes";
    return count;
  }
  const MappingRule &rule = *entry.rule;
  if (rule.classes.empty()) {
    count.reason = rule.reason.str();
    return count;
  }

  // Absence needs no lines.
  bool anyInKernel = llvm::any_of(
      kernel.instructions, [&](const SassInstruction &instruction) {
        return live(instruction) && entry.accepts(instruction);
      });
  if (!anyInKernel && target.function.empty()) {
    count.sass = SassState::Absent;
    count.reason =
        "the machine code of the kernel has no " + classNames(rule) +
        (entry.isMma && entry.shape ? " of this type and shape" : "");
    return count;
  }
  if (!kernel.hasLines()) {
    count.reason = "the machine code has no line table (ptxas -lineinfo)";
    return count;
  }
  if (entry.ambiguous) {
    count.reason = "another instruction of line " +
                   std::to_string(target.tableLine()) + " becomes " +
                   classNames(rule) + ", too";
    return count;
  }
  if (entry.owned.empty()) {
    if (entry.orphan) {
      count.reason =
          entry.isMma
              ? "no safe match: ptxas merged, deleted or copied warpgroup "
                "matrix instructions (" +
                    std::to_string(entry.orphanCount) +
                    " of this type and shape are not matched, the first at " +
                    hex(*entry.orphan) + ")"
              : "no " + classNames(rule) + " has its line, but " +
                    std::to_string(entry.orphanCount) +
                    " have lost theirs, the first at " + hex(*entry.orphan);
    } else if (!target.function.empty()) {
      count.reason = "no machine code of the kernel's section is function " +
                     target.function + "'s";
    } else if (rule.common) {
      count.reason = "no " + classNames(rule) + " has its line";
    } else {
      count.sass = SassState::Absent;
      count.reason = entry.isMma
                         ? "ptxas left no warpgroup matrix instruction for it"
                         : "ptxas left no " + classNames(rule) + " for it";
    }
    return count;
  }

  count.sass = SassState::Present;
  bool guarded = false, uniform = false, looped = false;
  for (size_t i : entry.owned) {
    const SassInstruction &instruction = kernel.instructions[i];
    count.pcs.push_back(instruction.pc);
    guarded |= instruction.word.guarded();
    uniform |= isUniformDatapath(instruction.opcodeClass);
  }
  llvm::sort(count.pcs);
  // A loop that issues it once per thread has an ELECT or a vote on its line.
  if (uniform)
    for (const SassInstruction &instruction : kernel.instructions)
      looped |= instruction.line == target.tableLine() &&
                (instruction.opcodeClass == SassClass::ELECT ||
                 isVotingBranch(instruction.word));
  count.complete = !rule.common && !entry.orphan;
  count.exclusive = !entry.shared;
  bool exact =
      count.complete && rule.oneToOne && !rule.movable && !entry.merged;
  count.warpsExact = exact && !guarded && !looped;
  count.threadsExact = exact && !uniform;
  if (entry.orphan)
    count.reason = std::to_string(entry.orphanCount) + " more " +
                   classNames(rule) +
                   " without a line of their own may be its, the first at " +
                   hex(*entry.orphan);
  else if (rule.common)
    count.reason = "copies of " + classNames(rule) +
                   " without a line of their own cannot be told";
  else if (entry.merged)
    count.reason = "ptxas may have merged repeated executions of it";
  else if (entry.shared)
    count.reason = "ptxas may have merged another " + target.opcode +
                   " into its machine code";
  return count;
}

std::vector<TargetCount> Mapper::run() {
  if (kernel.hasLines()) {
    mapByLine();
    mapGmmas();
    adoptOrphans();
    findShared();
  }
  std::vector<TargetCount> counts;
  for (size_t i = 0; i < targets.size(); ++i)
    counts.push_back(finish(entries[entryOfTarget[i]]));
  return counts;
}

std::vector<TargetCount> ptxbench::mapTargets(const SassKernel &kernel,
                                              ArrayRef<PtxTarget> targets) {
  return Mapper(kernel, targets).run();
}

//===----------------------------------------------------------------------===//
// Counts
//===----------------------------------------------------------------------===//

SassCount ptxbench::describeInstruction(const SassInstruction &instruction) {
  SassCount count;
  count.pc = instruction.pc;
  count.opcode = instruction.word.opcode();
  count.name = stringifySassClass(instruction.opcodeClass).str();
  count.guarded = instruction.word.guarded();
  return count;
}

void ptxbench::applyCounts(ArrayRef<SassCount> counts,
                           llvm::MutableArrayRef<TargetCount> targets) {
  std::map<uint64_t, std::pair<uint64_t, uint64_t>> sums;
  for (const SassCount &count : counts) {
    auto &sum = sums[count.pc];
    sum.first = llvm::SaturatingAdd(sum.first, count.warps);
    sum.second = llvm::SaturatingAdd(sum.second, count.threads);
  }
  for (TargetCount &target : targets) {
    target.executed.reset();
    if (target.sass != SassState::Present)
      continue;
    uint64_t warps = 0, threads = 0;
    std::optional<uint64_t> missing;
    for (uint64_t pc : target.pcs) {
      auto it = sums.find(pc);
      if (it == sums.end()) {
        missing = pc;
        break;
      }
      warps = llvm::SaturatingAdd(warps, it->second.first);
      threads = llvm::SaturatingAdd(threads, it->second.second);
    }
    if (missing) {
      if (!target.reason.empty())
        target.reason += "; ";
      target.reason +=
          "the instruction at " + hex(*missing) + " was not counted";
      continue;
    }
    target.executed = ExecutionCount{warps, threads};
  }
}
