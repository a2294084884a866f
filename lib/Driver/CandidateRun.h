//===- CandidateRun.h - One candidate in all stages ----------- -*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the stages of `run` share: RunCommand.cpp has them, RunTrace.cpp what is
// made of machine code and traces, RunResults.cpp of the backend's results.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_DRIVER_CANDIDATERUN_H
#define PTXBENCH_LIB_DRIVER_CANDIDATERUN_H

#include "Commands.h"
#include "HostedCandidate.h"
#include "Stages.h"
#include "StaticPart.h"
#include "ptxbench/Inspection/Inspection.h"
#include "ptxbench/Runtime/Backend.h"
#include "ptxbench/Target/SASS/SassModule.h"
#include "ptxbench/Task/Task.h"

#include <chrono>

namespace ptxbench {

/// What the report calls how a run ended.
Status toStatus(RunStatus status);

/// The `run` of one candidate: a report that the stages add to in turn. Each
/// gives an exit status if the run ends with it.
class CandidateRun {
public:
  explicit CandidateRun(const DriverOptions &options);
  ~CandidateRun();
  int run();

private:
  /// Ends with a status: writes the report and gives the exit status. `retry`:
  /// if nothing is known of the candidate, another run may know more.
  int finish(Status status, const llvm::Twine &reason, bool retry = false);
  Stage &startStage(llvm::StringRef name);
  /// Tells whoever started this process what begins.
  void announce(llvm::StringRef stage);
  void endStage(StageVerdict verdict, llvm::StringRef log = "");

  llvm::Error loadTask();
  std::optional<int> inspect();
  std::vector<InspectionFinding> inspectFiles() const;
  std::optional<int> endInspection(llvm::ArrayRef<InspectionFinding> findings);
  std::optional<int> compile();
  std::optional<int> assemble();
  void tryModule();
  bool loadHosted();
  bool chooseFunction();
  std::optional<int> compileHosted();
  llvm::Expected<RunRequest> buildProgramRequest();
  int finishProgram(const RunResult &result, bool sound);
  std::string firstError();
  std::optional<int> finishCompilation(llvm::Expected<NvccRun> result);
  std::optional<int> analyze();
  std::optional<int> sanitize(llvm::StringRef backend,
                              const RunRequest &request);
  /// Whether a workload can be emulated several times, or with checks.
  bool isCheap(const Workload &workload) const;
  /// Whether it works without the instructions that the task requires, as far
  /// as the analysis knows.
  bool isOnCudaCores() const;
  /// SHA-256 of the PTX texts that the library carries; empty: not known.
  std::vector<std::string> hashOwnPtx() const;
  llvm::Expected<SassKernel> findMachineCode(const RunResult &result,
                                             llvm::StringRef name);
  void mapTrace(const RunResult &result, Trace &trace);
  void inspectMachineCode();
  void countMachineCode(const Trace &trace);
  void placeTrace(Trace &trace);
  void chooseWorkload(bool emulated);
  std::optional<int> judgeOthers(Backend &backend, bool emulated);
  void takeToolVersions();
  void takeResults(const RunResult &result);
  MissingUse findMissing(const Report &executed,
                         const std::optional<Trace> &trace, double taskFlops);
  MissingUse findMissingLater(const RunResult &result,
                              const RunRequest &request);
  std::string uncountedKernels(const Trace &trace);
  void takeFindings(const RunResult &result);
  void addNote(const llvm::Twine &text);
  std::string sourceOf(unsigned line) {
    return analyzed ? part.sourceOf(line) : std::string();
  }

  /// CUDA C++, with host code.
  bool isSource() const {
    return llvm::StringRef(options.input).ends_with(".cu");
  }

  /// Without a task a module in MLIR with host code is a program.
  bool isProgram() const { return options.task.empty(); }

  const DriverOptions &options;
  /// Where stages are announced; -1: nowhere.
  int announcements = -1;
  WorkDirectory work;
  std::optional<Toolchain> toolchain;
  /// A candidate in MLIR that launches its kernels itself; else null.
  std::unique_ptr<HostedCandidate> hosted;
  Task task;
  const Workload *workload = nullptr;
  /// Judged, too, but neither timed nor traced.
  std::vector<const Workload *> otherWorkloads;
  NvccRun compiled;
  /// What the sources name, for the places of what the library imports.
  std::vector<InspectionFinding> mentions;
  StaticPart part;
  /// What the emulator's checks found so far, each place once.
  std::vector<TraceFinding> findings;
  /// The emulator with all checks, where the judged calls are made on it.
  std::unique_ptr<Backend> checked;
  /// Of those calls, where they ended.
  std::optional<RunResult> checkedRun;
  /// Why nothing is known of misuse of memory; empty where something is, or
  /// where nobody asked.
  std::string notSanitized;
  /// What the PTX was made of, where it was.
  std::optional<LoweredModule> lowered;
  bool analyzed = false;
  Report report;
  std::chrono::steady_clock::time_point stageStart;
};

} // namespace ptxbench

#endif // PTXBENCH_LIB_DRIVER_CANDIDATERUN_H
