//===- Groups.cpp - What is said once though it is there several times ----===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Entries of which the readable forms would say the same word for word, and
// stages of one name.
//
//===----------------------------------------------------------------------===//

#include "Digest.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxbench;
using namespace ptxbench::digest;

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

/// All that the readable forms say of an entry but its launches.
static std::string contents(const Report &report, const EntryResult &entry) {
  std::string text = entry.name;
  llvm::raw_string_ostream os(text);
  const std::vector<std::string> &required = requiredFamilies(report);
  auto count = [&](std::optional<uint64_t> number) {
    os << ' ' << (number ? std::to_string(*number) : "?");
  };
  for (const FamilyRow &row : familyRows(entry, required)) {
    os << '\n' << row.family;
    for (uint64_t number :
         {row.inPTX, row.inlineAsm, row.verdicts.all, row.verdicts.some,
          row.verdicts.maybe, row.verdicts.never, row.observed})
      count(number);
    count(row.inSass);
    count(row.executed);
  }
  if (!isMain(report, entry))
    return text;
  for (const TargetGroup &group : groupTargets(entry, required)) {
    const TargetVerdict &verdict = group.front().verdict;
    for (const std::string &phrase :
         {groupName(group), lineList(group), verdict.function,
          sourceList(group), reachPhrase(verdict), verdict.reason,
          predictedPhrase(group), executedPhrase(group), sassPhrase(group),
          agreementPhrase(group)})
      os << '\n' << phrase;
  }
  return text;
}

std::vector<EntryGroup> digest::groupEntries(const Report &report, bool main) {
  std::vector<EntryGroup> groups;
  std::map<std::string, size_t> known;
  for (const EntryResult &entry : report.entries) {
    if (isMain(report, entry) != main)
      continue;
    auto [it, added] =
        known.try_emplace(contents(report, entry), groups.size());
    if (added)
      groups.emplace_back();
    groups[it->second].members.push_back(&entry);
  }
  return groups;
}

/// The members of which the same is known of the launch, in their order.
static std::vector<std::pair<std::string, EntryGroup>>
byLaunch(const EntryGroup &group) {
  std::vector<std::pair<std::string, EntryGroup>> kinds;
  for (const EntryResult *member : group.members) {
    std::string phrase = assumptionPhrase(member->assumptions);
    auto same = llvm::find_if(
        kinds, [&](const auto &kind) { return kind.first == phrase; });
    if (same == kinds.end())
      same = kinds.insert(kinds.end(), {phrase, {}});
    same->second.members.push_back(member);
  }
  return kinds;
}

static std::string phraseOf(const std::pair<std::string, EntryGroup> &kind) {
  uint64_t launches = 0;
  for (const EntryResult *member : kind.second.members)
    for (const LaunchRecord &launch : member->launches)
      launches += launch.count;
  std::string text = kind.first;
  if (launches)
    text += ", " + grouped(launches) +
            (launches == 1 ? " launch" : " launches") + " observed";
  if (size_t sets = kind.second.members.size(); sets > 1)
    text += ", the same for " + grouped(sets) + " sets of parameters";
  return text;
}

std::string digest::launchPhrase(const EntryGroup &group) {
  return phraseOf(byLaunch(group).front());
}

std::vector<std::string> digest::otherLaunches(const EntryGroup &group) {
  std::vector<std::string> phrases;
  auto kinds = byLaunch(group);
  for (const auto &kind : llvm::drop_begin(kinds))
    phrases.push_back("the same under " + phraseOf(kind));
  return phrases;
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

std::vector<StageRow> digest::stageRows(const Report &report) {
  std::vector<StageRow> rows;
  for (const Stage &stage : report.stages) {
    auto same = llvm::find_if(rows, [&](const StageRow &row) {
      return row.stage.name == stage.name &&
             row.stage.verdict == StageVerdict::Passed &&
             stage.verdict == StageVerdict::Passed;
    });
    if (same == rows.end()) {
      rows.push_back({stage, 1});
      continue;
    }
    ++same->times;
    if (same->stage.seconds && stage.seconds)
      *same->stage.seconds += *stage.seconds;
    else
      same->stage.seconds.reset();
    if (!stage.log.empty())
      same->stage.log += (same->stage.log.empty() ? "" : "\n") + stage.log;
  }
  return rows;
}

std::string digest::stagePhrase(const StageRow &row) {
  std::string text = stringifyStageVerdict(row.stage.verdict);
  if (row.stage.seconds)
    text += ", " + shortNumber(*row.stage.seconds, 3) + " s";
  if (row.times > 1)
    text += " in " + grouped(row.times) + " times";
  return text;
}
