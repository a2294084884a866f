//===- SourcePhrases.cpp - Where an instruction was written --------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The places in what PTX was made from, beside those in the PTX.
//
//===----------------------------------------------------------------------===//

#include "Digest.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptxbench;

/// A place with what stands there, and where it was inlined.
template <typename Placed>
static std::string sourcePhrase(const Placed &placed) {
  std::string text = digest::clean(placed.source);
  if (!placed.sourceOperation.empty())
    text += (text.empty() ? "" : " (") + digest::clean(placed.sourceOperation) +
            (text.empty() ? "" : ")");
  if (!text.empty() && !placed.inlinedAt.empty())
    text += ", inlined at " + digest::clean(placed.inlinedAt);
  return text;
}

std::string digest::sourceList(const TargetGroup &group) {
  constexpr size_t most = 4;
  // In the order of the lines; operations that became several instructions
  // once.
  std::vector<std::string> sources;
  for (const TargetResult *member : group.members) {
    const TargetVerdict &verdict = member->verdict;
    // Where a compiler from CUDA C++ was at work, lines are many.
    if (verdict.sourceOperation.empty() && group.members.size() > 1)
      return "";
    std::string text = sourcePhrase(verdict);
    if (!text.empty() && !llvm::is_contained(sources, text))
      sources.push_back(text);
  }
  size_t all = sources.size();
  if (all > most)
    sources.resize(most - 1);
  std::string text = llvm::join(sources, ", ");
  if (all > most)
    text += " and " + std::to_string(all - sources.size()) + " more";
  return text;
}

template <typename Diagnostic>
static std::string phraseOfPlace(const Diagnostic &diagnostic) {
  if (!diagnostic.line)
    return "";
  std::string text = "line " + std::to_string(diagnostic.line);
  std::string source = sourcePhrase(diagnostic);
  return source.empty() ? text : text + ", from " + source;
}

std::string digest::placePhrase(const ReportDiagnostic &diagnostic) {
  return phraseOfPlace(diagnostic);
}
std::string digest::placePhrase(const PtxasDiagnostic &diagnostic) {
  return phraseOfPlace(diagnostic);
}
