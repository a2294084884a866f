//===- EmulateJob.cpp - What backend and worker agree on ------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel is known by its name, and a target by its line: both mean something
// in one text only, the one that was analysed.
//
//===----------------------------------------------------------------------===//

#include "EmulateJob.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

#include <iterator>

using namespace llvm;
using namespace ptxbench;

std::string ptxbench::emulatorTraceFile(const RunRequest &request,
                                        unsigned trial, unsigned module) {
  SmallString<256> path(request.workDir);
  if (trial == 0 && module == 0)
    sys::path::append(path, "trace.json");
  else
    sys::path::append(path,
                      "trace-" + Twine(trial) + "-" + Twine(module) + ".json");
  return path.str().str();
}

/// A finding whose lines are those of a text that nobody has.
static TraceFinding withoutPlace(TraceFinding finding) {
  finding.message += " (";
  if (finding.line)
    finding.message += "line " + std::to_string(finding.line) + " of ";
  finding.message += "PTX that was loaded at run time)";
  finding.line = finding.column = finding.otherLine = 0;
  return finding;
}

Trace ptxbench::joinModules(std::vector<Trace> modules,
                            ArrayRef<std::string> own,
                            std::vector<std::string> &notes) {
  Trace joined;
  joined.source = "emulator";
  std::vector<TraceFinding> others;
  for (auto [i, module] : enumerate(modules)) {
    if (i == 0)
      joined.environment = module.environment;
    bool isOwn = own.empty() ? i == 0 : is_contained(own, module.ptxSha256);
    if (isOwn) {
      if (joined.ptxSha256.empty())
        joined.ptxSha256 = module.ptxSha256;
      std::move(module.kernels.begin(), module.kernels.end(),
                std::back_inserter(joined.kernels));
      append_range(joined.findings, module.findings);
      continue;
    }
    std::string names;
    for (const KernelTrace &kernel : module.kernels)
      if (std::string name = "'" + kernel.name + "'";
          !StringRef(names).contains(name))
        names += (names.empty() ? "" : ", ") + name;
    std::string note = "kernel " + names +
                       " is of PTX that was loaded at run time; nothing in it "
                       "counts for a target";
    if (!is_contained(notes, note))
      notes.push_back(note);
    for (TraceFinding &finding : module.findings)
      others.push_back(withoutPlace(std::move(finding)));
  }
  append_range(joined.findings, others);
  return joined;
}
