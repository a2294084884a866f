//===- Deadlock.cpp - Reporting who waits for what ------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is awaited explains itself (Wait::explain). Lanes that wait for others
// of their warp are looked at here: whether those stand at another instruction
// that wants the same lanes.
//
//===----------------------------------------------------------------------===//

#include "Deadlock.h"
#include "llvm/ADT/bit.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

/// Findings of one deadlock, at most, and what its reason names.
static constexpr size_t maxFindings = 16, maxNamed = 4;

namespace {
/// Lanes that cannot go on.
struct Stuck {
  Warp *warp;
  LaneMask lanes;
  uint32_t pc;
  const Wait *wait;
  const Loop *loop;

  unsigned lane() const { return countr_zero(lanes); }
  const Inst &inst() const { return warp->launch->program->code[pc]; }
  unsigned line() const { return warp->launch->program->sourceOf(inst()).line; }
  StringRef name() const {
    return warp->launch->program->sourceOf(inst()).name;
  }
};

/// What is said about them.
struct Account {
  const Stuck *stuck;
  WaitReport report;
  std::string text;
  unsigned alike = 0;
};
} // namespace

/// How much an id tells about what is wrong; the most telling is 0.
static unsigned rankOf(StringRef id) {
  static constexpr StringRef order[] = {"mbarrier-tx-mismatch",
                                        "divergent-barrier",
                                        "divergent-sync",
                                        "setmaxnreg-pool",
                                        "mbarrier-arrivals-missing",
                                        "barrier-incomplete",
                                        "livelock",
                                        "cluster-barrier-incomplete"};
  return std::find(std::begin(order), std::end(order), id) - std::begin(order);
}

static std::vector<Stuck> collect(ArrayRef<Cluster *> clusters,
                                  ArrayRef<RepeatingWarp> repeating) {
  std::vector<Stuck> all;
  for (Cluster *cluster : clusters)
    for (auto &cta : cluster->ctas)
      for (Warp &warp : cta->warps) {
        auto add = [&](LaneMask lanes, uint32_t pc, const Wait &wait) {
          if (wait)
            all.push_back({&warp, lanes, pc, &wait, nullptr});
        };
        if (warp.active)
          add(warp.active, warp.pc, warp.wait);
        for (const Group &group : warp.parked)
          add(group.mask, group.pc, group.wait);
      }
  for (const RepeatingWarp &one : repeating)
    for (const Loop &loop : one.loops)
      all.push_back({one.warp, loop.lanes, loop.pc, nullptr, &loop});
  return all;
}

static bool isBarrier(StringRef name) {
  return name.starts_with("bar") && name != "bar.warp.sync";
}

static std::string lanesText(LaneMask lanes) {
  if (popcount(lanes) == 1)
    return "lane " + std::to_string(countr_zero(lanes));
  return std::to_string(popcount(lanes)) + " lanes";
}

/// `stuck` waits for lanes of its warp: where those are.
static void explainLanes(const Stuck &stuck, ArrayRef<Stuck> all,
                         WaitReport &report) {
  LaneMask missing = stuck.wait->a & stuck.warp->running();
  for (const Stuck &other : all) {
    LaneMask here = other.warp == stuck.warp ? other.lanes & missing : 0;
    if (!here || &other == &stuck)
      continue;
    missing &= ~here;
    report.detail += ", of which " + lanesText(here) + " are at " +
                     other.name().str() + " in line " +
                     std::to_string(other.line());
    if (!other.wait || !other.wait->inWarp || report.otherLine)
      continue;
    report.otherLine = other.line();
    report.id = isBarrier(stuck.name()) && isBarrier(other.name())
                    ? "divergent-barrier"
                    : "divergent-sync";
  }
}

static Account giveAccount(const Stuck &stuck, ArrayRef<Stuck> all) {
  Account account{&stuck, {}, {}, 0};
  if (stuck.loop) {
    account.report.id = "livelock";
    account.report.otherLine = stuck.loop->lastLine;
    account.text = "goes round in lines " +
                   std::to_string(stuck.loop->firstLine) + " to " +
                   std::to_string(stuck.loop->lastLine) +
                   ", which ends only if memory changes, and nobody is left "
                   "to change it";
    return account;
  }
  if (stuck.wait->inWarp)
    explainLanes(stuck, all, account.report);
  if (stuck.wait->explain)
    stuck.wait->explain(*stuck.warp, *stuck.wait, account.report);
  account.text = "waits for " +
                 std::string(stuck.wait->what ? stuck.wait->what : "its turn") +
                 account.report.detail;
  return account;
}

/// "warp 3 of CTA (0, 0, 0) in line 12 for ...".
static std::string nameOf(const Account &account) {
  const Stuck &stuck = *account.stuck;
  const uint32_t *cta = stuck.warp->cta->index;
  std::string text = "warp " + std::to_string(stuck.warp->index) + " of CTA (" +
                     std::to_string(cta[0]) + ", " + std::to_string(cta[1]) +
                     ", " + std::to_string(cta[2]) + ") in line " +
                     std::to_string(stuck.line());
  StringRef rest = account.text;
  if (rest.consume_front("waits "))
    return text + " " + rest.str();
  return text + " " + account.text;
}

std::string
ptxbench::emulator::describeDeadlock(ArrayRef<Cluster *> clusters,
                                     ArrayRef<RepeatingWarp> repeating,
                                     std::vector<Finding> &findings) {
  std::vector<Stuck> all = collect(clusters, repeating);
  // Many wait in the same way: one account for all of them.
  constexpr size_t maxAccounts = 256;
  std::vector<Account> accounts;
  for (const Stuck &stuck : all) {
    Account account = giveAccount(stuck, all);
    auto known = find_if(accounts, [&](const Account &other) {
      return other.stuck->pc == stuck.pc && other.text == account.text;
    });
    if (known != accounts.end())
      ++known->alike;
    else if (accounts.size() < maxAccounts)
      accounts.push_back(std::move(account));
  }
  // Of two that wait for each other one is enough.
  for (size_t i = 0; i < accounts.size(); ++i)
    for (size_t j = i + 1; j < accounts.size(); ++j) {
      const Account &a = accounts[i], &b = accounts[j];
      if (StringRef(a.report.id).starts_with("divergent") &&
          StringRef(a.report.id) == b.report.id &&
          a.stuck->warp == b.stuck->warp &&
          a.report.otherLine == b.stuck->line() &&
          b.report.otherLine == a.stuck->line())
        accounts.erase(accounts.begin() + j--);
    }
  stable_sort(accounts, [](const Account &a, const Account &b) {
    return rankOf(a.report.id) < rankOf(b.report.id);
  });

  std::string reason = repeating.empty()
                           ? "every thread waits for another one: "
                           : "no thread makes progress any more: ";
  size_t named = std::min(maxNamed, accounts.size());
  for (size_t i = 0; i < named; ++i)
    reason += (i ? "; " : "") + nameOf(accounts[i]);
  if (accounts.size() > named)
    reason += "; and " + std::to_string(accounts.size() - named) + " more";

  for (const Account &account :
       ArrayRef(accounts).take_front(std::min(maxFindings, accounts.size()))) {
    const Stuck &stuck = *account.stuck;
    std::string text = account.text;
    if (account.alike)
      text += " (" + std::to_string(account.alike) + " more like it)";
    findings.push_back(makeFinding(*stuck.warp, stuck.inst(), stuck.lane(),
                                   account.report.id, text));
    if (stuck.loop)
      findings.back().line = stuck.loop->firstLine;
    findings.back().otherLine = account.report.otherLine;
  }
  return reason;
}
