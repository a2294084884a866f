//===- RunTrace.cpp - Counts of a run, at the instructions of the PTX -----===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which machine code was loaded, what was counted in it, and to which PTX
// instructions the counts belong.
//
//===----------------------------------------------------------------------===//

#include "CandidateRun.h"
#include "Findings.h"
#include "Stages.h"
#include "ptxbench/ISA/Instruction.h"
#include "ptxbench/Report/FamilyUse.h"
#include "ptxbench/Target/SASS/Fatbin.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

#include <set>

namespace ptxbench {

/// A note that was made before is not made again.
void CandidateRun::addNote(const llvm::Twine &text) {
  std::string note = text.str();
  if (!llvm::is_contained(report.dynamic->notes, note))
    report.dynamic->notes.push_back(std::move(note));
}

std::vector<std::string> CandidateRun::hashOwnPtx() const {
  // A candidate in PTX or MLIR has host code of ours, which loads this file.
  std::string path = isSource() ? compiled.library : work.file("kernel.fatbin");
  auto file = llvm::MemoryBuffer::getFile(path);
  std::vector<std::string> hashes;
  if (!file)
    return hashes;
  auto bytes = llvm::arrayRefFromStringRef((*file)->getBuffer());
  llvm::Expected<std::vector<FatbinEntry>> entries =
      isSource() ? extractFatbin(bytes, path) : readFatbins(bytes, path);
  if (!entries) {
    // A library without kernels of its own.
    llvm::consumeError(entries.takeError());
    return hashes;
  }
  for (const FatbinEntry &entry : *entries)
    if (entry.kind == FatbinKind::PTX)
      hashes.push_back(sha256Hex(llvm::toStringRef(entry.bytes)));
  return hashes;
}

/// Whether two pieces of machine code are the same but for what a loader may
/// write into operands: the instructions and the lines they come from.
static bool isSameCode(const SassKernel &a, const SassKernel &b) {
  return llvm::equal(a.instructions, b.instructions,
                     [](const SassInstruction &x, const SassInstruction &y) {
                       return x.pc == y.pc &&
                              x.word.opcode() == y.word.opcode() &&
                              x.line == y.line && x.rowPC == y.rowPC;
                     });
}

/// The machine code of a kernel that was captured while it ran or, if there is
/// none, that was built. An error says why it cannot be told.
llvm::Expected<SassKernel>
CandidateRun::findMachineCode(const RunResult &result, llvm::StringRef name) {
  auto refuse = [](const llvm::Twine &text) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
  };
  auto read = [&](const std::string &path) -> llvm::Expected<SassKernel> {
    auto file = llvm::MemoryBuffer::getFile(path);
    if (!file)
      return refuse("the machine code of '" + name +
                    "' cannot be read: " + file.getError().message());
    llvm::StringRef bytes = (*file)->getBuffer();
    llvm::Expected<SassModule> sass =
        SassModule::create(llvm::arrayRefFromStringRef(bytes), path);
    if (!sass)
      return sass.takeError();
    const SassKernel *code = sass->findKernel(name);
    if (!code)
      return refuse("the machine code has no kernel '" + name + "'");
    return *code;
  };
  llvm::Expected<SassKernel> built = read(compiled.cubin);
  if (!built)
    return built;
  const CapturedCubin *ran = nullptr;
  for (const CapturedCubin &captured : result.cubins)
    if (llvm::is_contained(captured.functions, name)) {
      if (ran)
        return refuse("kernel '" + name + "' ran from several modules");
      ran = &captured;
    }
  if (!ran)
    return built;
  llvm::Expected<SassKernel> code = read(ran->path);
  if (code && !isSameCode(*code, *built))
    return refuse("the kernel '" + name +
                  "' that ran is not the one that was compiled and analysed");
  return code;
}

/// Counts the instructions of the cubin by the families of PTXBench.
void CandidateRun::inspectMachineCode() {
  auto file = llvm::MemoryBuffer::getFile(compiled.cubin);
  if (!file)
    return;
  llvm::StringRef bytes = (*file)->getBuffer();
  llvm::Expected<SassModule> sass =
      SassModule::create(llvm::arrayRefFromStringRef(bytes), compiled.cubin);
  if (!sass) {
    report.dynamic->notes.push_back("the machine code cannot be read: " +
                                    llvm::toString(sass.takeError()));
    return;
  }
  MachineCode &code = report.machineCode.emplace();
  code.sha256 = sha256Hex(bytes);
  code.families = {{"gmma", {}}, {"tcgen", {}}, {"tma", {}}};
  for (const SassKernel &kernel : sass->kernels())
    for (const SassInstruction &instruction : kernel.instructions)
      if (llvm::StringRef family = ptxbenchFamily(instruction.opcodeClass);
          !family.empty())
        ++code.families[family.str()].instructions;
}

/// Adds the threads that executed them.
void CandidateRun::countMachineCode(const Trace &trace) {
  // What a profiler left out is not none.
  if (!report.machineCode ||
      llvm::any_of(trace.kernels, [](const KernelTrace &kernel) {
        return kernel.uncounted();
      }))
    return;
  auto file = llvm::MemoryBuffer::getFile(compiled.cubin);
  if (!file)
    return;
  llvm::Expected<SassModule> sass = SassModule::create(
      llvm::arrayRefFromStringRef((*file)->getBuffer()), compiled.cubin);
  if (!sass) {
    llvm::consumeError(sass.takeError());
    return;
  }
  for (auto &[name, family] : report.machineCode->families)
    family.threads = 0;
  for (const KernelTrace &kernel : trace.kernels) {
    const SassKernel *code = sass->findKernel(kernel.name);
    if (!code)
      continue;
    for (const SassCount &count : kernel.sass)
      if (const SassInstruction *instruction = code->instructionAt(count.pc))
        if (llvm::StringRef family = ptxbenchFamily(instruction->opcodeClass);
            !family.empty())
          *report.machineCode->families[family.str()].threads += count.threads;
  }
}

/// Assigns the executions of machine instructions to PTX instructions.
void CandidateRun::mapTrace(const RunResult &result, Trace &trace) {
  trace.ptxSha256 = part.info().sha256;
  for (KernelTrace &kernel : trace.kernels) {
    for (LaunchRecord &launch : kernel.launches)
      part.layOutParams(launch);
    if (!part.hasEntry(kernel.name)) {
      addNote("kernel '" + kernel.name + "' is not of the candidate's PTX");
      continue;
    }
    llvm::Expected<SassKernel> code = findMachineCode(result, kernel.name);
    if (!code) {
      report.dynamic->notes.push_back(llvm::toString(code.takeError()));
      continue;
    }
    llvm::Expected<std::vector<PtxTarget>> targets =
        part.getTargets(kernel.name);
    if (!targets) {
      addNote(llvm::toString(targets.takeError()));
      continue;
    }
    kernel.targets = mapTargets(*code, *targets);
    // The runtime counts by pc; what stands there is known here.
    for (SassCount &count : kernel.sass)
      if (const SassInstruction *inst = code->instructionAt(count.pc)) {
        SassCount described = describeInstruction(*inst);
        described.warps = count.warps;
        described.threads = count.threads;
        count = described;
      }
    applyCounts(kernel.sass, kernel.targets);
  }
}

/// Brings the places of an emulator's trace to the PTX that was analysed: what
/// a library carries has the same lines, but is stripped of indentation and
/// comments, so that columns differ. On one line the order counts.
void CandidateRun::placeTrace(Trace &trace) {
  trace.ptxSha256 = part.info().sha256;
  for (KernelTrace &kernel : trace.kernels) {
    std::vector<TargetCount> counted = std::move(kernel.targets);
    kernel.targets.clear();
    if (!part.hasEntry(kernel.name)) {
      addNote("kernel '" + kernel.name + "' is not of the candidate's PTX");
      continue;
    }
    llvm::Expected<std::vector<PtxTarget>> targets =
        part.getTargets(kernel.name);
    if (!targets) {
      addNote(llvm::toString(targets.takeError()));
      continue;
    }
    std::map<unsigned, std::vector<TargetCount>> byLine;
    for (TargetCount &count : counted)
      byLine[count.line].push_back(std::move(count));
    std::map<unsigned, unsigned> used;
    size_t placed = 0;
    for (const PtxTarget &target : *targets) {
      std::vector<TargetCount> &here = byLine[target.line];
      unsigned next = used[target.line]++;
      TargetCount count;
      count.warpsExact = count.threadsExact = true;
      if (next < here.size() && here[next].opcode == target.opcode) {
        count = here[next];
        ++placed;
      } else {
        // Of a function that the kernel cannot call: it was not even decoded.
        count.executed = ExecutionCount{0, 0};
      }
      count.line = target.line;
      count.column = target.column;
      count.opcode = target.opcode;
      kernel.targets.push_back(std::move(count));
    }
    if (placed == counted.size())
      continue;
    kernel.targets.clear();
    addNote("kernel '" + kernel.name +
            "': " + std::to_string(counted.size() - placed) + " of " +
            std::to_string(counted.size()) +
            " counted instructions are not where the analysed PTX has them");
  }
}

/// Reports what a run under the emulator's checks found and what is not known
/// from another one.
void CandidateRun::takeFindings(const RunResult &result) {
  for (const TraceFinding &finding : findingsOf(result)) {
    if (llvm::any_of(findings, [&](const TraceFinding &known) {
          return isSamePlace(known, finding);
        }))
      continue;
    findings.push_back(finding);
    report.diagnostics.push_back(toDiagnostic(
        finding, [this](unsigned line) { return sourceOf(line); }));
  }
}

/// What of the families that the task requires is missing, and whether that is
/// known. `taskFlops`: as the task counts them; 0: it does not.
MissingUse CandidateRun::findMissing(const Report &executed,
                                     const std::optional<Trace> &trace,
                                     double taskFlops) {
  std::vector<std::string> launched;
  if (trace)
    for (const KernelTrace &kernel : trace->kernels)
      launched.push_back(kernel.name);
  else
    for (const EntryResult &entry : executed.entries)
      launched.push_back(entry.name);
  MissingUse missing;
  for (const std::string &family :
       task.definition.extension.familiesFor(options.target)) {
    FamilyUse use = findUse(executed, family, launched);
    if (!use.executed) {
      missing.families.push_back(family);
      missing.observed &= use.observed;
    } else if (use.flopsAtMost && taskFlops > 0 &&
               *use.flopsAtMost < leastShare * taskFlops) {
      missing.shares.push_back(llvm::formatv(
          "{0} did {1}{2:f2} % of the task's operations", family,
          use.observed ? "" : "at most ", 1e2 * *use.flopsAtMost / taskFlops));
    }
  }
  return missing;
}

/// The same of the judged calls behind the first, as far as their traces are
/// there: what the first did is no credit for the others. Ends with the call
/// that lacks something.
MissingUse CandidateRun::findMissingLater(const RunResult &result,
                                          const RunRequest &request) {
  for (auto [i, trace] : llvm::enumerate(result.laterTraces)) {
    Report executed = report;
    // Of no launch in particular: those of the first call are not this one's.
    llvm::erase_if(executed.entries, [](const EntryResult &entry) {
      return !entry.assumptions.empty();
    });
    for (EntryResult &entry : executed.entries)
      for (TargetResult &target : entry.targets)
        target.executed.reset();
    std::optional<Trace> placed = trace;
    placeTrace(*placed);
    CrossCheckOptions options;
    options.ptxSha256 = part.info().sha256;
    addCrossCheck(executed, *placed, options);
    MissingUse missing = findMissing(executed, placed, request.reference.flops);
    missing.call = judgedName(request, unsigned(i) + 1);
    if (missing)
      return missing;
  }
  return {};
}

/// The kernels of the candidate's PTX that a profiler did not count although
/// they were launched, as text; empty if there are none.
std::string CandidateRun::uncountedKernels(const Trace &trace) {
  std::string names;
  if (trace.source != "cupti")
    return names;
  for (const KernelTrace &kernel : trace.kernels)
    if (kernel.uncounted() && part.hasEntry(kernel.name))
      names += (names.empty() ? "kernel '" : ", '") + kernel.name + "'";
  return names;
}

} // namespace ptxbench
