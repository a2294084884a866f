//===- HostedRun.cpp - Running candidates in MLIR with host code ----------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What differs from candidates that a compiler made a library of: the kernels
// are lowered and assembled here, the host code carries the result and is
// compiled by the worker; and a program has no task.
//
//===----------------------------------------------------------------------===//

#include "CandidateRun.h"
#include "Versions.h"
#include "ptxbench/Runtime/HostCode.h"
#include "llvm/Support/MemoryBuffer.h"

namespace ptxbench {

/// Reads a candidate in MLIR; false if it has kernels alone. One that cannot be
/// read does not compile, whatever it was to be.
bool CandidateRun::loadHosted() {
  auto candidate = std::make_unique<HostedCandidate>();
  HostedCandidate::Form form = candidate->load(options.input);
  if (form == HostedCandidate::Form::KernelsOnly)
    return false;
  hosted = std::move(candidate);
  return true;
}

/// All that MLIR and LLVM do for a candidate, for nothing.
void CandidateRun::tryModule() {
  LoweringOptions lowering;
  lowering.target = options.loweringTarget();
  lowering.libdevice = toolchain->findLibdevice();
  bool isHosted =
      llvm::StringRef(options.input).ends_with(".mlir") && loadHosted();
  if (!isHosted) {
    StaticPart module;
    module.beQuiet();
    (void)module.load(options.input, lowering);
    return;
  }
  if (!hosted->errors().empty() || !chooseFunction() ||
      !hosted->lowerKernels(lowering.target, lowering.libdevice))
    return;
  (void)hosted->findTargets();
  (void)hosted->lowerHost(options.target, /*binary=*/"");
}

bool CandidateRun::chooseFunction() {
  bool isNamed = options.function != "run";
  return hosted->choose(isProgram() && !isNamed ? "main" : options.function,
                        isProgram() ? nullptr : &task.definition);
}

/// Compiles kernels and host code; an exit status if that is the end.
std::optional<int> CandidateRun::compileHosted() {
  auto refuse = [&]() -> std::optional<int> {
    llvm::errs() << hosted->errors();
    endStage(StageVerdict::Failed, hosted->errors());
    return finish(Status::CompileError, hosted->firstError());
  };
  if (!hosted->errors().empty() || !chooseFunction())
    return refuse();
  for (const std::string &warning : hosted->warnings()) {
    ReportDiagnostic diagnostic;
    diagnostic.rule = "host-code";
    diagnostic.severity = Severity::Warning;
    diagnostic.message = warning;
    report.diagnostics.push_back(std::move(diagnostic));
  }
  lowered = hosted->lowerKernels(options.loweringTarget(),
                                 toolchain->findLibdevice());
  if (!lowered)
    return refuse();
  part.setLowered(lowered, options.input);
  part.setSourceTargets(hosted->findTargets());
  std::string ptx = work.file("kernel.ptx"), cubin = work.file("kernel.cubin"),
              fatBinary = work.file("kernel.fatbin"),
              host = work.file(("host" + hostCodeEnding).str());
  if (llvm::Error error = writeFileAtomically(ptx, lowered->ptx))
    return fail(llvm::toString(std::move(error)), 3);
  llvm::Expected<PtxasRun> assembled = toolchain->runPtxas(
      ptx, options.target, cubin, /*timeoutSeconds=*/300, {"-v", "-lineinfo"});
  if (!assembled)
    return finishCompilation(assembled.takeError());
  NvccRun made;
  made.succeeded = assembled->succeeded;
  made.output = std::move(assembled->output);
  if (!made.succeeded) {
    made.log = assembled->process.err + assembled->process.out;
    return finishCompilation(std::move(made));
  }
  if (llvm::Error error =
          toolchain->makeFatBinary(options.target, cubin, ptx, fatBinary))
    return finishCompilation(std::move(error));
  auto binary = llvm::MemoryBuffer::getFile(fatBinary);
  if (!binary)
    return fail(
        "cannot read '" + fatBinary + "': " + binary.getError().message(), 3);
  std::optional<std::string> code =
      hosted->lowerHost(options.target, (*binary)->getBuffer());
  if (!code)
    return refuse();
  if (llvm::Error error = writeFileAtomically(host, *code))
    return fail(llvm::toString(std::move(error)), 3);
  made.ptx = ptx;
  made.cubin = cubin;
  made.library = host;
  return finishCompilation(std::move(made));
}

llvm::Expected<RunRequest> CandidateRun::buildProgramRequest() {
  RunRequest request;
  request.isProgram = true;
  request.library = compiled.library;
  request.trials = 1;
  request.timing.enabled = false;
  request.candidateSeconds = options.timeoutSeconds;
  request.workDir = work.file("run");
  request.cudaPath = options.cudaPath;
  request.tvmFfiPath = options.tvmFfiPath;
  return request;
}

/// The end of a program's run, which was neither judged nor timed.
int CandidateRun::finishProgram(const RunResult &result, bool sound) {
  report.dynamic->printed = result.log;
  if (!sound)
    return finish(Status::Refuted, "an execution contradicts a verdict");
  Status status = toStatus(result.status);
  if (status != Status::Passed)
    return finish(status, result.reason);
  return finish(Status::Passed, result.trace
                                    ? "the program ran to its end; no task "
                                      "says what it should compute"
                                    : "the program ran to its end, but what "
                                      "executed could not be observed");
}

} // namespace ptxbench
