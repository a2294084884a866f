//===- Digest.cpp - What the readable forms say about targets -------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A headline counts *places*: an instruction of an entry, however many launch
// shapes it was judged under. A place can execute if it can under one of them,
// and has executed if it has in one of them.
//
//===----------------------------------------------------------------------===//

#include "Digest.h"

#include "ptxbench/Support/Printable.h"
#include "ptxbench/Trace/ReachCount.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

using namespace ptxbench;
using namespace ptxbench::digest;
using llvm::StringRef;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Words and numbers
//===----------------------------------------------------------------------===//

std::string digest::grouped(uint64_t number) {
  std::string digits = std::to_string(number);
  for (int i = static_cast<int>(digits.size()) - 3; i > 0; i -= 3)
    digits.insert(i, ",");
  return digits;
}

std::string digest::shortNumber(double value, int digits) {
  char buffer[40];
  std::snprintf(buffer, sizeof(buffer), "%.*g", digits, value);
  return buffer;
}

std::string digest::clean(StringRef text) { return toPrintable(text); }

static std::string dimText(const Dim3 &dim) {
  return llvm::formatv("{0}x{1}x{2}", dim.x, dim.y, dim.z).str();
}

std::string digest::assumptionPhrase(const LaunchAssumptions &assumptions) {
  std::vector<std::string> parts;
  if (assumptions.grid)
    parts.push_back("grid " + dimText(*assumptions.grid));
  if (assumptions.block)
    parts.push_back("block " + dimText(*assumptions.block));
  if (assumptions.cluster && assumptions.cluster->volume() != 1)
    parts.push_back("cluster " + dimText(*assumptions.cluster));
  std::set<unsigned> params;
  for (const ParamAssumption &param : assumptions.params)
    params.insert(param.index);
  if (params.size() == 1)
    parts.push_back("1 parameter known");
  else if (!params.empty())
    parts.push_back(std::to_string(params.size()) + " parameters known");
  return parts.empty() ? "any launch" : llvm::join(parts, ", ");
}

std::string digest::reachPhrase(const TargetVerdict &verdict) {
  switch (verdict.reach) {
  case Reach::All:
    return "every thread executes it";
  case Reach::Never:
    return "no thread can execute it";
  case Reach::Maybe:
    return "undecided";
  case Reach::Some:
    break;
  }
  if (!verdict.scope || *verdict.scope == Scope::Grid)
    return "some thread of the grid executes it";
  return *verdict.scope == Scope::CTA
             ? "some thread of every CTA executes it"
             : "some thread of every cluster executes it";
}

//===----------------------------------------------------------------------===//
// Order and choice
//===----------------------------------------------------------------------===//

const std::vector<std::string> &digest::requiredFamilies(const Report &report) {
  static const std::vector<std::string> none;
  return report.dynamic ? report.dynamic->requiredFamilies : none;
}

/// Required families first, then those people ask about most, then the rest by
/// name.
static std::pair<size_t, std::string>
familyRank(StringRef family, const std::vector<std::string> &required) {
  static const StringRef order[] = {"wgmma",    "tcgen05",  "tma",
                                    "mma.sync", "cp.async", "ldmatrix",
                                    "stmatrix", "mbarrier", "setmaxnreg"};
  auto it = std::find(required.begin(), required.end(), family);
  if (it != required.end())
    return {it - required.begin(), ""};
  const auto *known = std::find(std::begin(order), std::end(order), family);
  return {required.size() + (known - std::begin(order)),
          known == std::end(order) ? family.str() : ""};
}

static bool hasAssumptions(const Report &report, StringRef entry) {
  return llvm::any_of(report.entries, [&](const EntryResult &other) {
    return other.name == entry && !other.assumptions.empty();
  });
}

bool digest::isMain(const Report &report, const EntryResult &entry) {
  return !entry.assumptions.empty() || !hasAssumptions(report, entry.name) ||
         llvm::any_of(entry.targets, [](const TargetResult &target) {
           return target.agreement == "refuted";
         });
}

/// Whether it executed, if that is known.
static std::optional<bool> executedOnce(const TargetResult &target) {
  if (!target.executed || !target.executed->count.known())
    return std::nullopt;
  const ExecutionCount &count = target.executed->count;
  return count.threads ? *count.threads > 0 : *count.warps > 0;
}

/// Whether its kind never has machine code of its own, so that nothing is
/// missing if it was not observed.
static bool isFolded(const TargetResult &target) {
  if (!target.sass || target.sass->state != SassState::Unobservable)
    return false;
  for (StringRef reason : {target.agreementReason, target.sass->reason})
    if (reason.starts_with("folded into ") || reason.starts_with("becomes "))
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Headlines
//===----------------------------------------------------------------------===//

namespace {
/// One instruction of one entry over all main sets of verdicts.
struct Place {
  std::vector<const TargetResult *> results;
  /// The assumptions of each.
  std::vector<const LaunchAssumptions *> launches;
  /// Whether no launch at all can execute it.
  bool isDeadAlways = false;

  bool allAre(Reach reach) const {
    return llvm::all_of(results, [&](const TargetResult *result) {
      return result->verdict.reach == reach;
    });
  }
  bool proved() const {
    return llvm::all_of(results, [](const TargetResult *result) {
      return result->verdict.reach == Reach::All ||
             result->verdict.reach == Reach::Some;
    });
  }
  std::optional<bool> executed() const {
    std::optional<bool> any;
    for (const TargetResult *result : results)
      if (std::optional<bool> once = executedOnce(*result))
        any = any.value_or(false) || *once;
    return any;
  }
  bool folded() const {
    return llvm::all_of(
        results, [](const TargetResult *result) { return isFolded(*result); });
  }
  unsigned line() const { return results.front()->verdict.line; }
};

using Places = std::vector<const Place *>;
} // namespace

/// "line 7 is dead code: REASON", or for several "lines 7, 9 are dead code: …",
/// with the number of further reasons.
static std::string blame(const Places &places, StringRef predicate,
                         bool nameLines) {
  std::set<unsigned> lines;
  std::vector<std::string> reasons;
  for (const Place *place : places) {
    lines.insert(place->line());
    const std::string &reason = place->results.front()->verdict.reason;
    if (!reason.empty() && !llvm::is_contained(reasons, reason))
      reasons.push_back(reason);
  }
  std::string result;
  if (nameLines) {
    TargetGroup group;
    for (const Place *place : places)
      group.members.push_back(place->results.front());
    result = lineList(group);
  } else {
    result = "all";
  }
  bool many = !nameLines || lines.size() > 1;
  result += (many ? " are " : " is ") + predicate.str();
  if (!reasons.empty())
    result += ": " + clean(reasons.front());
  if (reasons.size() > 1)
    result += " (" + std::to_string(reasons.size() - 1) +
              (reasons.size() == 2 ? " more reason" : " more reasons") +
              " below)";
  return result;
}

/// Which places are dead code and why. What holds under the launches that were
/// looked at, and not of any, says so.
static std::string blameDead(const Places &dead, size_t all) {
  Places always, here;
  for (const Place *place : dead)
    (place->isDeadAlways ? always : here).push_back(place);
  std::string text;
  if (!always.empty())
    text = blame(always, "dead code", always.size() != all);
  if (here.empty())
    return text;
  std::vector<std::string> phrases;
  size_t most = 0;
  for (const Place *place : here) {
    most = std::max(most, place->launches.size());
    for (const LaunchAssumptions *launch : place->launches)
      if (std::string phrase = assumptionPhrase(*launch);
          !llvm::is_contained(phrases, phrase))
        phrases.push_back(std::move(phrase));
  }
  std::string under = phrases.size() == 1
                          ? "the launch " + phrases.front()
                          : "each of the " + grouped(most) + " launches";
  return text + (text.empty() ? "" : "; ") +
         blame(here, "dead code under " + under, here.size() != all);
}

/// What is known beforehand of the places that can execute.
static std::string provedPhrase(const Places &live, size_t proved) {
  if (live.empty())
    return "";
  if (proved == live.size()) {
    bool all = true, cta = true;
    for (const Place *place : live) {
      for (const TargetResult *result : place->results) {
        const TargetVerdict &verdict = result->verdict;
        all &= verdict.reach == Reach::All;
        cta &= verdict.reach == Reach::All || verdict.scope == Scope::CTA;
      }
    }
    return all   ? "proved: every thread does"
           : cta ? "proved: some thread of every CTA does"
                 : "proved: some thread does";
  }
  return proved == 0 ? "none is proved to" : "";
}

static Headline describe(StringRef family, const Places &all) {
  // A live instruction that is folded into another one is told by that one; a
  // dead one is known to be idle all the same.
  Places places;
  bool ran = llvm::any_of(
      all, [](const Place *place) { return place->executed().has_value(); });
  for (const Place *place : all)
    if (!ran || !place->folded() || place->allAre(Reach::Never))
      places.push_back(place);
  size_t folded = all.size() - places.size();
  Places dead, live, idle;
  size_t proved = 0, executed = 0, observed = 0;
  std::vector<uint64_t> warps;
  for (const Place *place : places) {
    (place->allAre(Reach::Never) ? dead : live).push_back(place);
    proved += place->proved();
    std::optional<bool> once = place->executed();
    observed +=
        once.has_value() || (place->folded() && place->allAre(Reach::Never));
    executed += once.value_or(false);
    if (once == false && !place->allAre(Reach::Never))
      idle.push_back(place);
    uint64_t sum = 0;
    bool known = once.value_or(false);
    for (const TargetResult *result : place->results) {
      if (!executedOnce(*result))
        continue;
      known &= result->executed->count.warps.has_value();
      sum += result->executed->count.warps.value_or(0);
    }
    if (known)
      warps.push_back(sum);
  }
  Headline head;
  head.family = family.str();
  std::string total = std::to_string(places.size());
  std::string rest;
  if (!dead.empty())
    rest = blameDead(dead, places.size());

  if (!ran) {
    head.sentence = sayPossible(places.size(), live.size(), proved);
    head.tone = live.empty()              ? Tone::Bad
                : proved == places.size() ? Tone::Good
                                          : Tone::Unsure;
    std::string phrase = provedPhrase(live, proved);
    if (!phrase.empty())
      head.sentence += " (" + phrase + ")";
    if (!rest.empty())
      head.sentence += (live.empty() ? " - " : "; ") + rest;
    else if (!proved && !live.empty())
      head.sentence +=
          ": " + clean(live.front()->results.front()->verdict.reason);
    return head;
  }

  head.sentence = std::to_string(executed) + " of " + total + " executed";
  head.tone = executed == places.size() ? Tone::Good
              : executed == 0           ? Tone::Bad
                                        : Tone::Unsure;
  if (executed && warps.size() == executed) {
    auto [low, high] = std::minmax_element(warps.begin(), warps.end());
    if (*low == *high)
      head.sentence += ", by " + grouped(*low) +
                       (*low == 1 ? " warp" : " warps") +
                       (executed > 1 ? " each" : "");
    else
      head.sentence +=
          ", by " + grouped(*low) + " to " + grouped(*high) + " warps each";
  }
  if (executed == places.size() && proved == places.size())
    head.sentence += ", as proved before the run";
  if (folded)
    head.sentence += " (" + std::to_string(folded) + " more " +
                     (folded == 1 ? "has" : "have") + " no machine code of " +
                     (folded == 1 ? "its" : "their") + " own)";
  if (!idle.empty()) {
    TargetGroup group;
    for (const Place *place : idle)
      group.members.push_back(place->results.front());
    head.sentence += (executed ? "; " : " - ") + lineList(group) +
                     " could but did not in this run";
    if (!idle.front()->results.front()->verdict.reason.empty())
      head.sentence +=
          ": " + clean(idle.front()->results.front()->verdict.reason);
  }
  if (!rest.empty())
    head.sentence += (executed || !idle.empty() ? "; " : " - ") + rest;
  if (observed < places.size())
    head.sentence += "; " + std::to_string(places.size() - observed) +
                     " could not be observed";
  return head;
}

/// The rule of a finding about an operation that left no instruction, but for
/// its family.
static constexpr llvm::StringLiteral removedRule = "removed-";

/// Why a file has no instruction of a family: what operations there were.
static std::string describeMissing(const Report &report, StringRef family) {
  std::vector<const ReportDiagnostic *> removed;
  for (const ReportDiagnostic &diagnostic : report.diagnostics) {
    StringRef rule = diagnostic.rule;
    if (rule.consume_front(removedRule) && rule == family)
      removed.push_back(&diagnostic);
  }
  std::string text = "no such instruction in the PTX";
  if (removed.empty())
    return text;
  text += ": " + clean(removed.front()->message);
  if (removed.size() > 1)
    text += " (and " + std::to_string(removed.size() - 1) + " more below)";
  return text;
}

std::vector<Headline> digest::headlines(const Report &report) {
  using Key = std::tuple<std::string, std::string, unsigned, unsigned>;
  std::map<std::string, std::map<Key, Place>> families;
  for (const EntryResult &entry : report.entries) {
    bool any = entry.assumptions.empty();
    bool main = !any || !hasAssumptions(report, entry.name);
    for (const TargetResult &target : entry.targets) {
      Place &place = families[target.verdict.family]
                             [{entry.name, target.verdict.function,
                               target.verdict.line, target.verdict.column}];
      place.isDeadAlways |= any && target.verdict.reach == Reach::Never;
      if (!main)
        continue;
      place.results.push_back(&target);
      place.launches.push_back(&entry.assumptions);
    }
  }

  const std::vector<std::string> &required = requiredFamilies(report);
  std::vector<std::string> chosen = required;
  std::set<std::string> removed;
  for (const ReportDiagnostic &diagnostic : report.diagnostics)
    if (StringRef family = diagnostic.rule; family.consume_front(removedRule))
      removed.insert(family.str());
  if (chosen.empty())
    for (const char *family : {"wgmma", "tcgen05", "tma"})
      if (families.count(family) || removed.count(family))
        chosen.push_back(family);
  if (chosen.empty() && !families.empty()) {
    auto first = std::min_element(
        families.begin(), families.end(), [&](const auto &a, const auto &b) {
          return familyRank(a.first, required) < familyRank(b.first, required);
        });
    chosen.push_back(first->first);
  }
  if (chosen.empty() && !removed.empty())
    chosen.push_back(*removed.begin());

  std::vector<Headline> result;
  if (report.analysis.state != StaticInfo::State::Complete)
    return result;
  for (const std::string &family : chosen) {
    auto it = families.find(family);
    if (it == families.end()) {
      result.push_back({family, describeMissing(report, family), Tone::Bad});
      continue;
    }
    Places places;
    for (const auto &entry : it->second)
      if (!entry.second.results.empty())
        places.push_back(&entry.second);
    result.push_back(describe(family, places));
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

std::vector<FamilyRow>
digest::familyRows(const EntryResult &entry,
                   const std::vector<std::string> &required) {
  std::map<std::string, FamilyRow> rows;
  for (const auto &[family, sum] : summarize(entry)) {
    rows[family].family = family;
    rows[family].verdicts = sum;
  }
  for (const TargetResult &target : entry.targets) {
    FamilyRow &row = rows[target.verdict.family];
    ++row.inPTX;
    row.inlineAsm += target.verdict.inlineAsm.has_value();
    if (target.sass && target.sass->state != SassState::Unobservable)
      row.inSass =
          row.inSass.value_or(0) + (target.sass->state == SassState::Present);
    if (std::optional<bool> once = executedOnce(target)) {
      row.executed = row.executed.value_or(0) + *once;
      ++row.observed;
    }
  }
  std::vector<FamilyRow> result;
  for (auto &entry : rows)
    result.push_back(std::move(entry.second));
  llvm::sort(result, [&](const FamilyRow &a, const FamilyRow &b) {
    return familyRank(a.family, required) < familyRank(b.family, required);
  });
  return result;
}

std::vector<TargetGroup>
digest::groupTargets(const EntryResult &entry,
                     const std::vector<std::string> &required) {
  auto key = [](const TargetResult &target) {
    const TargetVerdict &verdict = target.verdict;
    std::optional<bool> once = executedOnce(target);
    return std::make_tuple(
        verdict.opcode, verdict.function, static_cast<int>(verdict.reach),
        verdict.scope ? static_cast<int>(*verdict.scope) : -1, verdict.reason,
        target.sass ? static_cast<int>(target.sass->state) : -1,
        target.sass ? target.sass->reason : std::string(),
        once ? static_cast<int>(*once) : -1,
        target.agreement.value_or(std::string()), target.agreementReason);
  };
  std::map<decltype(key(entry.targets.front())), size_t> known;
  std::vector<TargetGroup> groups;
  for (const TargetResult &target : entry.targets) {
    auto [it, added] = known.try_emplace(key(target), groups.size());
    if (added)
      groups.emplace_back();
    groups[it->second].members.push_back(&target);
  }
  for (TargetGroup &group : groups)
    std::stable_sort(group.members.begin(), group.members.end(),
                     [](const TargetResult *a, const TargetResult *b) {
                       return std::tie(a->verdict.line, a->verdict.column) <
                              std::tie(b->verdict.line, b->verdict.column);
                     });
  std::stable_sort(groups.begin(), groups.end(),
                   [&](const TargetGroup &a, const TargetGroup &b) {
                     const TargetVerdict &x = a.front().verdict,
                                         &y = b.front().verdict;
                     return std::make_tuple(familyRank(x.family, required),
                                            x.line, x.column) <
                            std::make_tuple(familyRank(y.family, required),
                                            y.line, y.column);
                   });
  return groups;
}

std::string digest::groupName(const TargetGroup &group) {
  const TargetVerdict &verdict = group.front().verdict;
  bool same = llvm::all_of(group.members, [&](const TargetResult *member) {
    return member->verdict.mnemonic == verdict.mnemonic;
  });
  return clean(same && !verdict.mnemonic.empty() ? verdict.mnemonic
                                                 : verdict.opcode);
}

std::string digest::lineList(const TargetGroup &group) {
  std::set<unsigned> lines;
  for (const TargetResult *member : group.members)
    lines.insert(member->verdict.line);
  std::string text;
  for (auto it = lines.begin(); it != lines.end();) {
    unsigned first = *it, last = first;
    while (++it != lines.end() && *it == last + 1)
      last = *it;
    if (!text.empty())
      text += ", ";
    text += std::to_string(first);
    if (last != first)
      text += (last == first + 1 ? ", " : "-") + std::to_string(last);
  }
  return (lines.size() == 1 ? "line " : "lines ") + text;
}

/// One count over all members: "24 warps" or "8 to 24 warps"; empty if a
/// member lacks it.
template <typename Fn>
static std::string rangePhrase(const TargetGroup &group, StringRef unit,
                               Fn &&get) {
  std::optional<uint64_t> low, high;
  for (const TargetResult *member : group.members) {
    std::optional<uint64_t> value = get(*member);
    if (!value)
      return "";
    low = std::min(low.value_or(*value), *value);
    high = std::max(high.value_or(*value), *value);
  }
  std::string text = grouped(*low);
  if (*high != *low)
    text += " to " + grouped(*high);
  return text + " " + unit.str() + (*high == 1 ? "" : "s");
}

static std::string joinCounts(const TargetGroup &group, std::string warps,
                              const std::string &threads) {
  if (!warps.empty() && !threads.empty())
    warps += ", ";
  warps += threads;
  if (!warps.empty() && group.members.size() > 1)
    warps += " each";
  return warps;
}

std::string digest::predictedPhrase(const TargetGroup &group) {
  auto phrase = [&](ExecutionCount Prediction::*part) {
    auto get = [part](std::optional<uint64_t> ExecutionCount::*unit) {
      return [part, unit](const TargetResult &target) {
        const std::optional<Prediction> &it = target.verdict.predicted;
        return it ? (*it).*part.*unit : std::nullopt;
      };
    };
    return joinCounts(
        group, rangePhrase(group, "warp", get(&ExecutionCount::warps)),
        rangePhrase(group, "thread", get(&ExecutionCount::threads)));
  };
  std::string launch = phrase(&Prediction::launch);
  if (!launch.empty())
    return launch;
  std::string cta = phrase(&Prediction::perCTA);
  return cta.empty() ? cta : cta + ", per CTA";
}

std::string digest::executedPhrase(const TargetGroup &group) {
  auto get = [](std::optional<uint64_t> ExecutionCount::*unit) {
    return [unit](const TargetResult &target) {
      return target.executed ? target.executed->count.*unit : std::nullopt;
    };
  };
  std::string text =
      joinCounts(group, rangePhrase(group, "warp", get(&ExecutionCount::warps)),
                 rangePhrase(group, "thread", get(&ExecutionCount::threads)));
  if (!text.empty() && !group.front().executed->source.empty())
    text += " (" + clean(group.front().executed->source) + ")";
  return text;
}

std::string digest::sassPhrase(const TargetGroup &group) {
  const std::optional<SassPlace> &sass = group.front().sass;
  if (!sass)
    return "";
  std::string text = stringifySassState(sass->state);
  if (!sass->reason.empty())
    return text + " (" + clean(sass->reason) + ")";
  std::set<uint64_t> pcs;
  for (const TargetResult *member : group.members)
    pcs.insert(member->sass->pcs.begin(), member->sass->pcs.end());
  size_t shown = 0;
  for (uint64_t pc : pcs) {
    if (++shown > 4) {
      text += ", " + std::to_string(pcs.size() - 4) + " more";
      break;
    }
    text += (shown == 1 ? " at 0x" : ", 0x") + llvm::utohexstr(pc, true);
  }
  return text;
}

std::string digest::agreementPhrase(const TargetGroup &group) {
  const TargetResult &target = group.front();
  if (!target.agreement)
    return "";
  std::string text =
      *target.agreement == "refuted" ? "REFUTED" : clean(*target.agreement);
  if (!target.agreementReason.empty())
    text += " (" + clean(target.agreementReason) + ")";
  return text;
}

Tone digest::groupTone(const TargetGroup &group) {
  const TargetResult &target = group.front();
  if (target.agreement == "refuted" || target.verdict.reach == Reach::Never)
    return Tone::Bad;
  if (std::optional<bool> once = executedOnce(target))
    return *once ? Tone::Good : Tone::Unsure;
  return target.verdict.reach == Reach::Maybe ? Tone::Unsure : Tone::Good;
}
