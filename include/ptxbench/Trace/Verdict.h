//===- Verdict.h - What was proved about a target instruction ---*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The verdict types that analyses produce and the report and the cross-check
// consume. An instruction is *executed* when it is reached with its guard true
// in at least one lane. The verdicts, in the order in which they are tried:
//
//   never  no thread executes it, whether or not the launch ends;
//   all    in every launch that meets the assumptions and ends normally, every
//          thread that enters the kernel executes it;
//   some   in every such launch at least one thread executes it; the scope is
//          the smallest unit of which every instance has such a thread;
//   maybe  none of these was proved.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_TRACE_VERDICT_H
#define PTXBENCH_TRACE_VERDICT_H

#include "ptxbench/Trace/Launch.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ptxbench {

enum class Reach { Never, All, Some, Maybe };
enum class Scope { CTA, Cluster, Grid };

/// "never", "all", "some", "maybe".
const char *stringifyReach(Reach reach);
std::optional<Reach> symbolizeReach(const std::string &text);
/// "cta", "cluster", "grid".
const char *stringifyScope(Scope scope);
std::optional<Scope> symbolizeScope(const std::string &text);

/// Counts of executions. What is not known is absent, never zero.
struct ExecutionCount {
  /// Executions by warps.
  std::optional<uint64_t> warps;
  /// Executions by threads whose guard was true.
  std::optional<uint64_t> threads;

  bool known() const { return warps || threads; }
  bool operator==(const ExecutionCount &o) const {
    return warps == o.warps && threads == o.threads;
  }
};

/// How often an instruction will execute, where that can be counted.
struct Prediction {
  /// Over one whole launch.
  ExecutionCount launch;
  /// By each CTA, where all CTAs agree.
  ExecutionCount perCTA;
};

/// What was proved about one target instruction of one entry. An instruction
/// is named by its place: `line` and `column`, both 1-based, of the opcode in
/// the PTX text.
struct TargetVerdict {
  /// The target family: "wgmma", "tma", "mbarrier", ... as the ODS record has.
  std::string family;
  /// The opcode without modifiers: "wgmma.mma_async".
  std::string opcode;
  /// The whole mnemonic as written:
  /// "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16".
  std::string mnemonic;
  unsigned line = 0, column = 0;
  /// The 1-based number of the inline-asm region of the file it stands in;
  /// absent for instructions that the compiler wrote.
  std::optional<unsigned> inlineAsm;
  /// Name of the `.func` it stands in; empty: in the entry itself.
  std::string function;
  /// The source place that `.loc` gives ("kernel.cu:42:7"); may be empty.
  std::string source;
  /// Where `source` is in a function that the compiler inlined: the place of
  /// the call in the kernel; else empty.
  std::string inlinedAt;
  /// What stands there, where the PTX was made of MLIR or LLVM IR:
  /// "nvgpu.warpgroup.mma"; else empty.
  std::string sourceOperation;

  Reach reach = Reach::Maybe;
  /// Given with Reach::Some only.
  std::optional<Scope> scope;
  /// Why, in a sentence a person can follow, with line numbers.
  std::string reason;
  std::optional<Prediction> predicted;
};

/// The verdicts of one entry under one set of assumptions.
struct EntryVerdicts {
  std::string name;
  LaunchAssumptions assumptions;
  std::vector<TargetVerdict> targets;
};

} // namespace ptxbench

#endif // PTXBENCH_TRACE_VERDICT_H
