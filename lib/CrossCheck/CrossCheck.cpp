//===- CrossCheck.cpp - Verdicts against what executed --------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// First whether the launches of a kernel can be compared at all, then one
// instruction after the other: did it execute, does that fit the verdict, do
// the numbers fit.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/CrossCheck/CrossCheck.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace ptxbench;

const char *ptxbench::stringifyAgreement(Agreement agreement) {
  switch (agreement) {
  case Agreement::Confirmed:
    return "confirmed";
  case Agreement::Refuted:
    return "refuted";
  case Agreement::UndecidedExecuted:
    return "undecided-executed";
  case Agreement::UndecidedIdle:
    return "undecided-idle";
  case Agreement::Unobservable:
    return "unobservable";
  }
  llvm_unreachable("not an agreement");
}

std::optional<Agreement> ptxbench::symbolizeAgreement(const std::string &text) {
  return llvm::StringSwitch<std::optional<Agreement>>(text)
      .Case("confirmed", Agreement::Confirmed)
      .Case("refuted", Agreement::Refuted)
      .Case("undecided-executed", Agreement::UndecidedExecuted)
      .Case("undecided-idle", Agreement::UndecidedIdle)
      .Case("unobservable", Agreement::Unobservable)
      .Default(std::nullopt);
}

void AgreementTotals::add(Agreement agreement) {
  switch (agreement) {
  case Agreement::Confirmed:
    ++confirmed;
    break;
  case Agreement::Refuted:
    ++refuted;
    break;
  case Agreement::UndecidedExecuted:
    ++undecidedExecuted;
    break;
  case Agreement::UndecidedIdle:
    ++undecidedIdle;
    break;
  case Agreement::Unobservable:
    ++unobservable;
    break;
  }
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static std::string text(const Dim3 &dim) {
  return std::to_string(dim.x) + "x" + std::to_string(dim.y) + "x" +
         std::to_string(dim.z);
}

/// Why a launch does not meet the assumptions, or is not known to; empty if it
/// does.
static std::string launchMismatch(const LaunchAssumptions &assumed,
                                  const LaunchRecord &launch) {
  auto differs = [&](const char *what, const std::optional<Dim3> &expected,
                     const Dim3 &got) -> std::string {
    if (!expected || *expected == got)
      return "";
    return std::string("the trace has a launch with ") + what + " " +
           text(got) + " but the verdicts assume " + text(*expected);
  };
  for (std::string reason :
       {differs("grid", assumed.grid, launch.grid),
        differs("block", assumed.block, launch.block),
        differs("cluster", assumed.cluster, launch.cluster)})
    if (!reason.empty())
      return reason;
  for (const ParamAssumption &param : assumed.params) {
    if (!launch.params || !param.address)
      return "the verdicts assume bytes of parameter " +
             std::to_string(param.index) + " and the trace does not show them";
    uint64_t size = launch.params->size();
    bool same = *param.address <= size && param.offset <= size - *param.address;
    if (same) {
      uint64_t begin = *param.address + param.offset;
      same = param.bytes.size() <= size - begin &&
             std::equal(param.bytes.begin(), param.bytes.end(),
                        launch.params->begin() + begin);
    }
    if (!same)
      return "the trace has a launch with other bytes of parameter " +
             std::to_string(param.index) + " than the verdicts assume";
  }
  return "";
}

namespace {
/// How the launches of one KernelTrace stand to the assumptions of verdicts.
struct LaunchMatch {
  /// Whether a launch is known to meet them.
  bool any = false;
  /// Whether counts may be those of launches that do not.
  bool others = false;
  /// A reason for `others`.
  std::string reason;

  LaunchMatch(const LaunchAssumptions &assumed, const KernelTrace &kernel) {
    for (const LaunchRecord &launch : kernel.launches) {
      std::string mismatch = launchMismatch(assumed, launch);
      if (mismatch.empty()) {
        any = true;
      } else {
        others = true;
        reason = mismatch;
      }
    }
    if (!kernel.launchesComplete && !assumed.empty()) {
      others = true;
      reason = "the trace does not record every launch that it counts";
    }
  }
};

} // namespace

bool ptxbench::mayCover(const KernelTrace &kernel,
                        const LaunchAssumptions &assumed) {
  return !kernel.launchesComplete || LaunchMatch(assumed, kernel).any;
}

namespace {
/// Sums over the launches of a kernel; absent where 64 bits do not hold them.
struct LaunchSums {
  std::optional<uint64_t> launches = 0, ctas = 0, clusters = 0, threads = 0;

  explicit LaunchSums(const KernelTrace &kernel) {
    if (!kernel.launchesComplete) {
      launches = ctas = clusters = threads = std::nullopt;
      return;
    }
    for (const LaunchRecord &launch : kernel.launches) {
      std::optional<uint64_t> grid = product(
          product(uint64_t(launch.grid.x), launch.grid.y), launch.grid.z);
      std::optional<uint64_t> block = product(
          product(uint64_t(launch.block.x), launch.block.y), launch.block.z);
      std::optional<uint64_t> cluster =
          product(product(uint64_t(launch.cluster.x), launch.cluster.y),
                  launch.cluster.z);
      std::optional<uint64_t> all = product(grid, launch.count);
      if (grid && cluster && *cluster && *grid % *cluster == 0)
        clusters = sum(clusters, product(*grid / *cluster, launch.count));
      else
        clusters.reset();
      launches = sum(launches, launch.count);
      ctas = sum(ctas, all);
      threads = sum(threads, product(all, block));
    }
  }

  static std::optional<uint64_t> sum(std::optional<uint64_t> a,
                                     std::optional<uint64_t> b) {
    if (!a || !b)
      return std::nullopt;
    bool overflow = false;
    uint64_t result = llvm::SaturatingAdd(*a, *b, &overflow);
    return overflow ? std::nullopt : std::optional(result);
  }
  static std::optional<uint64_t> product(std::optional<uint64_t> a,
                                         std::optional<uint64_t> b) {
    if (!a || !b)
      return std::nullopt;
    bool overflow = false;
    uint64_t result = llvm::SaturatingMultiply(*a, *b, &overflow);
    return overflow ? std::nullopt : std::optional(result);
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// One instruction
//===----------------------------------------------------------------------===//

/// Whether it executed, as far as the counts tell.
static std::optional<bool> hasExecuted(const TargetCount &count) {
  if (!count.executed)
    return std::nullopt;
  const ExecutionCount &executed = *count.executed;
  std::optional<bool> answer;
  if (executed.threads)
    answer = *executed.threads > 0;
  else if (executed.warps && *executed.warps == 0)
    answer = false;
  else if (executed.warps && count.warpsExact)
    answer = true; // no guard: an issued warp has a lane on
  if (answer == false && !count.complete)
    return std::nullopt;
  return answer;
}

/// The first number that contradicts a verdict; empty if none does.
static std::string numberMismatch(const TargetVerdict &verdict,
                                  const TargetCount &count,
                                  const LaunchSums &sums) {
  if (!count.complete || !count.exclusive || !count.executed)
    return "";
  std::optional<uint64_t> warps, threads;
  if (count.warpsExact)
    warps = count.executed->warps;
  if (count.threadsExact)
    threads = count.executed->threads;

  auto compare = [](const char *unit, std::optional<uint64_t> expected,
                    std::optional<uint64_t> got) -> std::string {
    if (!expected || !got || *expected == *got)
      return "";
    return "predicted " + std::to_string(*expected) + " executions by " + unit +
           " but counted " + std::to_string(*got);
  };
  if (verdict.predicted) {
    const ExecutionCount &launch = verdict.predicted->launch;
    const ExecutionCount &cta = verdict.predicted->perCTA;
    auto times = LaunchSums::product;
    for (std::string reason :
         {compare("warps", times(launch.warps, sums.launches), warps),
          compare("threads", times(launch.threads, sums.launches), threads),
          compare("warps", times(cta.warps, sums.ctas), warps),
          compare("threads", times(cta.threads, sums.ctas), threads)})
      if (!reason.empty())
        return reason;
  }
  // Every thread executes it: at least once each.
  if (verdict.reach == Reach::All && threads && sums.threads &&
      *threads < *sums.threads)
    return "all " + std::to_string(*sums.threads) +
           " threads should have executed it but counted " +
           std::to_string(*threads);
  // Every instance of the scope has a thread, hence a warp, that executes it.
  if (verdict.reach == Reach::Some) {
    Scope scope = verdict.scope.value_or(Scope::Grid);
    std::optional<uint64_t> instances = scope == Scope::CTA ? sums.ctas
                                        : scope == Scope::Cluster
                                            ? sums.clusters
                                            : sums.launches;
    if (warps && instances && *warps < *instances)
      return "a warp of each " + std::string(stringifyScope(scope)) + " (" +
             std::to_string(*instances) +
             " in all) should have executed it but counted " +
             std::to_string(*warps) + (*warps == 1 ? " warp" : " warps");
  }
  return "";
}

/// Why a prediction was not compared with a count that differs from it; empty
/// if they agree or were compared.
static std::string numberNotCompared(const TargetVerdict &verdict,
                                     const TargetCount &count,
                                     const LaunchSums &sums) {
  if (!verdict.predicted || !count.executed)
    return "";
  auto explain = [&](const char *unit, std::optional<uint64_t> perLaunch,
                     std::optional<uint64_t> perCTA,
                     std::optional<uint64_t> got, bool exact) -> std::string {
    std::optional<uint64_t> expected =
        LaunchSums::product(perLaunch, sums.launches);
    if (!expected)
      expected = LaunchSums::product(perCTA, sums.ctas);
    if (!expected || !got || *expected == *got ||
        (exact && count.complete && count.exclusive))
      return "";
    const char *why =
        !count.complete ? "not every place of its machine code is known"
        : !count.exclusive
            ? "its machine code may be that of another instruction too"
        : verdict.opcode == "setmaxnreg" && *got > *expected
            ? "the machine code retries until it gets the registers"
            : "its machine code need not execute once for each execution of "
              "the PTX instruction";
    return "the predicted " + std::to_string(*expected) + " executions by " +
           unit + " and the counted " + std::to_string(*got) +
           " were not compared: " + why;
  };
  const ExecutionCount &launch = verdict.predicted->launch;
  const ExecutionCount &cta = verdict.predicted->perCTA;
  std::string reason = explain("warps", launch.warps, cta.warps,
                               count.executed->warps, count.warpsExact);
  if (reason.empty())
    reason = explain("threads", launch.threads, cta.threads,
                     count.executed->threads, count.threadsExact);
  return reason;
}

static TargetAgreement checkTarget(const TargetVerdict &verdict,
                                   const TargetCount &count,
                                   const KernelTrace &kernel,
                                   const LaunchMatch &match) {
  TargetAgreement result;
  result.executed = count.executed;
  result.sass = count.sass;
  result.pcs = count.pcs;
  result.reason = count.reason;
  auto explain = [&](const std::string &reason) {
    if (!result.reason.empty())
      result.reason += "; ";
    result.reason += reason;
  };
  auto decide = [&](Agreement agreement) {
    result.agreement = agreement;
    return result;
  };

  if (count.sass == SassState::Absent) {
    if (verdict.reach == Reach::Never)
      return decide(Agreement::Confirmed);
    return decide(Agreement::Unobservable);
  }
  std::optional<bool> executed = hasExecuted(count);
  if (!executed) {
    if (result.reason.empty())
      explain("its executions were not counted");
    return decide(Agreement::Unobservable);
  }
  if (*executed && match.others) {
    explain(match.reason);
    return decide(Agreement::Unobservable);
  }
  LaunchSums sums(kernel);

  switch (verdict.reach) {
  case Reach::Never:
    if (!*executed)
      return decide(Agreement::Confirmed);
    if (!count.exclusive)
      return decide(Agreement::Unobservable);
    explain("it executed though no thread can");
    return decide(Agreement::Refuted);
  case Reach::All:
  case Reach::Some: {
    if (kernel.aborted) {
      explain("a launch did not end normally");
      return decide(Agreement::Unobservable);
    }
    if (!*executed && !match.any) {
      explain("no launch is known that should have executed it");
      return decide(Agreement::Unobservable);
    }
    if (!*executed) {
      explain("it did not execute though every launch that ends must");
      return decide(Agreement::Refuted);
    }
    std::string mismatch = numberMismatch(verdict, count, sums);
    if (mismatch.empty()) {
      if (std::string why = numberNotCompared(verdict, count, sums);
          !why.empty())
        explain(why);
      return decide(Agreement::Confirmed);
    }
    explain(mismatch);
    return decide(Agreement::Refuted);
  }
  case Reach::Maybe: {
    std::string mismatch = kernel.aborted || match.others
                               ? ""
                               : numberMismatch(verdict, count, sums);
    if (!mismatch.empty()) {
      explain(mismatch);
      return decide(Agreement::Refuted);
    }
    if (std::string why = kernel.aborted || match.others
                              ? ""
                              : numberNotCompared(verdict, count, sums);
        !why.empty())
      explain(why);
    return decide(*executed ? Agreement::UndecidedExecuted
                            : Agreement::UndecidedIdle);
  }
  }
  llvm_unreachable("not a reach");
}

/// The record of this instruction in one kernel trace, checked.
static TargetAgreement checkRecord(const TargetVerdict &verdict,
                                   const KernelTrace &kernel,
                                   const LaunchMatch &match) {
  const TargetCount *found = nullptr;
  unsigned matches = 0;
  for (const TargetCount &count : kernel.targets)
    if (count.line == verdict.line && count.column == verdict.column &&
        count.opcode == verdict.opcode) {
      found = &count;
      ++matches;
    }
  if (matches == 1)
    return checkTarget(verdict, *found, kernel, match);
  TargetAgreement agreement;
  agreement.reason = matches == 0
                         ? "the trace has no record of this instruction"
                         : "the trace has several records of this instruction";
  return agreement;
}

/// What two traces of one kernel say together.
static TargetAgreement combine(Reach reach, const TargetAgreement &a,
                               const TargetAgreement &b) {
  // The one that decides: what refutes first; then, for `never` and idleness,
  // what is not known, since it may hide an execution.
  auto rank = [&](Agreement agreement) {
    switch (agreement) {
    case Agreement::Refuted:
      return 4;
    case Agreement::UndecidedExecuted:
      return 3;
    case Agreement::Confirmed:
      return reach == Reach::Never ? 1 : 3;
    case Agreement::Unobservable:
      return 2;
    case Agreement::UndecidedIdle:
      return 1;
    }
    llvm_unreachable("not an agreement");
  };
  TargetAgreement result = rank(b.agreement) > rank(a.agreement) ? b : a;
  result.executed.reset();
  if (a.executed && b.executed) {
    ExecutionCount sum;
    sum.warps = LaunchSums::sum(a.executed->warps, b.executed->warps);
    sum.threads = LaunchSums::sum(a.executed->threads, b.executed->threads);
    if (sum.known())
      result.executed = sum;
  }
  return result;
}

CrossCheckResult ptxbench::crossCheck(llvm::ArrayRef<EntryVerdicts> verdicts,
                                      const Trace &trace,
                                      const CrossCheckOptions &options) {
  CrossCheckResult result;
  for (const EntryVerdicts &entry : verdicts) {
    EntryAgreement out;
    out.name = entry.name;

    // The traces of this kernel with a launch that meets the assumptions.
    std::vector<std::pair<const KernelTrace *, LaunchMatch>> kernels;
    std::string obstacle;
    if (!options.ptxSha256.empty() && options.ptxSha256 != trace.ptxSha256) {
      obstacle = "the trace is of another PTX text";
    } else {
      obstacle = "kernel was not launched";
      for (const KernelTrace &kernel : trace.kernels) {
        if (kernel.name != entry.name ||
            (kernel.launches.empty() && kernel.launchesComplete))
          continue;
        LaunchMatch match(entry.assumptions, kernel);
        if (match.any || !kernel.launchesComplete)
          kernels.emplace_back(&kernel, match);
        else
          obstacle = match.reason;
      }
    }

    if (kernels.empty())
      out.obstacle = obstacle;
    for (const TargetVerdict &verdict : entry.targets) {
      TargetAgreement agreement;
      if (kernels.empty())
        agreement.reason = obstacle;
      for (size_t i = 0; i < kernels.size(); ++i) {
        TargetAgreement one =
            checkRecord(verdict, *kernels[i].first, kernels[i].second);
        agreement = i == 0 ? one : combine(verdict.reach, agreement, one);
      }
      result.totals.add(agreement.agreement);
      out.targets.push_back(std::move(agreement));
    }
    result.entries.push_back(std::move(out));
  }
  return result;
}
