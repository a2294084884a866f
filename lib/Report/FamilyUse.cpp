//===- FamilyUse.cpp - Whether a family of instructions was used ----------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Report/FamilyUse.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <algorithm>
#include <set>
#include <tuple>

using namespace llvm;
using namespace ptxbench;

ArrayRef<StringLiteral> ptxbench::workOf(StringRef family) {
  static constexpr StringLiteral wgmma[] = {"wgmma.mma_async"};
  static constexpr StringLiteral tcgen05[] = {"tcgen05.mma"};
  static constexpr StringLiteral tma[] = {"cp.async.bulk.tensor",
                                          "cp.reduce.async.bulk.tensor"};
  return StringSwitch<ArrayRef<StringLiteral>>(family)
      .Case("wgmma", wgmma)
      .Case("tcgen05", tcgen05)
      .Case("tma", tma)
      .Default({});
}

static bool doesWork(const TargetVerdict &verdict) {
  ArrayRef<StringLiteral> work = workOf(verdict.family);
  return work.empty() || is_contained(work, StringRef(verdict.opcode));
}

std::optional<double> ptxbench::flopsOfProduct(StringRef mnemonic) {
  SmallVector<StringRef> parts;
  mnemonic.split(parts, '.');
  for (StringRef part : parts) {
    unsigned m = 0, n = 0, k = 0;
    if (part.consume_front("m") && !part.consumeInteger(10, m) &&
        part.consume_front("n") && !part.consumeInteger(10, n) &&
        part.consume_front("k") && !part.consumeInteger(10, k) && part.empty())
      return 2.0 * m * n * k;
  }
  return std::nullopt;
}

/// The products that all of the machine code computed; none: not known.
static std::optional<double> executedProducts(const Report &report) {
  if (!report.machineCode)
    return std::nullopt;
  auto gmma = report.machineCode->families.find("gmma");
  if (gmma == report.machineCode->families.end() || !gmma->second.threads)
    return std::nullopt;
  return double(*gmma->second.threads) / 128;
}

FamilyUse ptxbench::findUse(const Report &report, StringRef family,
                            ArrayRef<std::string> launched) {
  FamilyUse use;
  // Products that were counted; the largest of those that were not.
  double counted = 0, largestUnknown = 0;
  std::set<std::tuple<StringRef, unsigned, unsigned>> seen;
  for (const EntryResult &entry : report.entries) {
    bool ran = is_contained(launched, entry.name);
    for (const TargetResult &target : entry.targets) {
      const TargetVerdict &verdict = target.verdict;
      if (verdict.family != family || !doesWork(verdict))
        continue;
      if (!target.executed) {
        // Nothing can execute that ptxas made no machine code of.
        bool known = !ran || verdict.reach == Reach::Never ||
                     (target.sass && target.sass->state == SassState::Absent);
        use.observed &= known;
        if (!known)
          largestUnknown = std::max(
              largestUnknown, flopsOfProduct(verdict.mnemonic).value_or(0));
        continue;
      }
      const ExecutionCount &count = target.executed->count;
      use.executed |= count.threads.value_or(0) > 0;
      if (!seen.insert({entry.name, verdict.line, verdict.column}).second)
        continue;
      // A warpgroup of four warps computes one product.
      std::optional<double> product = flopsOfProduct(verdict.mnemonic);
      if (family == "wgmma" && product && count.warps) {
        counted += double(*count.warps) / 4;
        use.flops = use.flops.value_or(0) + *product * double(*count.warps) / 4;
      }
    }
  }
  if (!use.flops)
    return use;
  if (use.observed)
    use.flopsAtMost = use.flops;
  else if (std::optional<double> all = executedProducts(report))
    use.flopsAtMost =
        *use.flops + std::max(0.0, *all - counted) * largestUnknown;
  return use;
}
