//===- AnalyzeCommand.cpp - Static analysis of a file ---------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Brings the input to PTX text (nvcc for a .cu; export or lowering for a .mlir;
// LLVM for a .ll), analyses each entry under what the options assume, and asks
// ptxas about the same text.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "StaticPart.h"
#include "Versions.h"
#include "ptxbench/Support/ChildTrial.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace ptxbench {

/// Compiles the `.cu` and has `path` be that of its PTX. Gives the status to
/// end with otherwise: what nvcc refuses is bad input, what else goes wrong is
/// no fault of it.
static int compileToPTX(Toolchain &toolchain, const DriverOptions &options,
                        const WorkDirectory &work, std::string &path) {
  NvccOptions nvcc;
  nvcc.target = options.target;
  llvm::Expected<NvccRun> run =
      toolchain.runNvcc(options.input, work.path(), nvcc);
  if (!run)
    return fail(llvm::toString(run.takeError()), 3);
  if (!run->succeeded)
    return fail("nvcc refuses '" + options.input + "':\n" + run->log, 2);
  path = run->ptx;
  return 0;
}

/// The assumptions to analyse under: what the options say, or each distinct
/// launch of a trace.
static llvm::Expected<std::vector<EntryVerdicts>>
analyzeEntries(StaticPart &part, const DriverOptions &options,
               const std::vector<std::string> &entries) {
  std::vector<EntryVerdicts> verdicts;
  if (options.launchFrom.empty()) {
    for (const std::string &entry : entries) {
      llvm::Expected<LaunchAssumptions> assumptions =
          part.getAssumptions(options, entry);
      if (!assumptions)
        return assumptions.takeError();
      llvm::Expected<EntryVerdicts> analyzed =
          part.analyze(entry, *assumptions);
      if (!analyzed)
        return analyzed.takeError();
      verdicts.push_back(std::move(*analyzed));
    }
    return verdicts;
  }
  auto file = llvm::MemoryBuffer::getFile(options.launchFrom);
  if (!file)
    return llvm::createStringError(file.getError(),
                                   "cannot read '" + options.launchFrom + "'");
  llvm::Expected<Trace> trace =
      parseTrace((*file)->getBuffer(), options.launchFrom);
  if (!trace)
    return trace.takeError();
  bool found = false;
  for (const std::string &entry : entries)
    for (const KernelTrace &kernel : trace->kernels) {
      if (kernel.name != entry)
        continue;
      for (const LaunchRecord &launch : kernel.launches) {
        found = true;
        llvm::Expected<EntryVerdicts> analyzed =
            part.analyze(entry, part.getAssumptions(launch));
        if (!analyzed)
          return analyzed.takeError();
        verdicts.push_back(std::move(*analyzed));
      }
    }
  if (!found)
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "'" + options.launchFrom +
                                       "' records no launch of an entry of '" +
                                       options.input + "'");
  return verdicts;
}

int runAnalyze(const DriverOptions &options) {
  WorkDirectory work;
  std::string noFolder;
  if (llvm::Error error = work.create(options.workDirectory)) {
    noFolder =
        "cannot make a folder to work in: " + llvm::toString(std::move(error));
    // Only tools need one; PTX text is analysed without them.
    if (!options.workDirectory.empty() ||
        (options.input != "-" &&
         llvm::sys::path::extension(options.input) != ".ptx"))
      return fail(noFolder, 3);
  }
  ToolchainOptions toolchainOptions;
  toolchainOptions.cudaPath = options.cudaPath;
  toolchainOptions.tvmFfiPath = options.tvmFfiPath;
  toolchainOptions.executable = executablePath();
  Toolchain toolchain(toolchainOptions);

  std::string ptxPath = options.input;
  llvm::StringRef kind = llvm::sys::path::extension(options.input);
  if (kind == ".cu") {
    // A missing tool is no fault of the input.
    llvm::Expected<CudaTool> nvcc = toolchain.find(ToolKind::Nvcc);
    if (!nvcc)
      return fail(llvm::toString(nvcc.takeError()), 3);
    if (llvm::Expected<std::string> found = toolchain.findTvmFfi(); !found)
      return fail(llvm::toString(found.takeError()), 3);
    if (llvm::Error error = toolchain.checkTarget(options.target))
      return fail("--target: " + llvm::toString(std::move(error)), 2);
    for (llvm::StringRef path : {llvm::StringRef(options.input), work.path()})
      if (llvm::Error error = Toolchain::checkPath(path))
        return fail(llvm::toString(std::move(error)), 2);
    if (int status = compileToPTX(toolchain, options, work, ptxPath))
      return status;
  }

  Report report;
  report.status = Status::Analyzed;
  // The process ends with it: to take a large module down first takes time and
  // gives nothing.
  static StaticPart &part = *new StaticPart;
  LoweringOptions lowering;
  lowering.target = options.loweringTarget();
  lowering.libdevice = toolchain.findLibdevice();
  // A pipe can be read once only.
  if ((kind == ".mlir" || kind == ".ll") &&
      llvm::sys::fs::is_regular_file(options.input)) {
    auto load = [&] {
      StaticPart trial;
      trial.beQuiet();
      (void)trial.load(options.input, lowering);
    };
    if (std::optional<std::string> crash =
            tryInChild(load, options.timeoutSeconds))
      return fail(
          "'" + llvm::Twine(options.input) + "': " + trialFailed + *crash, 2);
  }
  bool loaded = part.load(ptxPath, lowering);
  report.module = part.info();
  if (options.input != "-")
    report.module.path = options.input;
  // What a file says is what it is assembled for.
  if (options.targetGiven && loaded && part.info().target != options.target)
    return fail("--target=" + llvm::Twine(options.target) +
                    " contradicts the '.target " + part.info().target +
                    "' of '" + report.module.path + "'",
                2);
  // ptxas is asked about the text that was analysed.
  std::string noPtxas = options.noPtxas ? "" : noFolder;
  bool asks = !options.noPtxas && !part.text().empty() && noFolder.empty();
  if (asks && (options.input == "-" || kind == ".mlir" || kind == ".ll")) {
    ptxPath = work.file(options.input == "-" ? "stdin.ptx"
                        : part.lowered()     ? "lowered.ptx"
                                             : "exported.ptx");
    if (llvm::Error error = writeFileAtomically(ptxPath, part.text()))
      return fail(llvm::toString(std::move(error)), 3);
  }
  if (asks)
    report.ptxas = askPtxas(toolchain, ptxPath,
                            part.info().target.empty() ? options.target
                                                       : part.info().target,
                            work.path(), noPtxas);
  part.addSources(report);
  if (!loaded) {
    bool ptxasTakesIt = report.ptxas && report.ptxas->accepted.value_or(false);
    if (!ptxasTakesIt)
      return 2;
    // Then it is our parser that is wrong.
    report.status = Status::Unsupported;
    report.analysis = {StaticInfo::State::Unsupported, part.refusal()};
    report.reason = "ptxas takes this file and this tool does not";
    return writeReport(report, options) ? exitCode(report.status) : 3;
  }

  std::vector<std::string> entries = part.entryNames();
  if (!options.entry.empty()) {
    if (!part.hasEntry(options.entry))
      return fail(
          "'" + options.input + "' has no entry '" + options.entry + "'", 2);
    entries = {options.entry};
  }
  llvm::Expected<std::vector<EntryVerdicts>> verdicts =
      analyzeEntries(part, options, entries);
  if (!verdicts) {
    // Directives that no launch fits are an error of the file, not of what is
    // assumed; or ours, if ptxas takes them.
    std::string reason = llvm::toString(verdicts.takeError());
    for (const std::string &entry : entries) {
      llvm::Expected<EntryVerdicts> any = part.analyze(entry, {});
      if (any)
        continue;
      std::string what =
          part.placeOf(entry) + ": error: " + llvm::toString(any.takeError());
      if (!report.ptxas || !report.ptxas->accepted.value_or(false)) {
        llvm::errs() << what << "\n";
        return 2;
      }
      report.status = Status::Unsupported;
      report.analysis = {StaticInfo::State::Unsupported, what};
      report.reason = "ptxas takes this file and this tool does not";
      return writeReport(report, options) ? exitCode(report.status) : 3;
    }
    return fail(reason, 2);
  }
  for (const EntryVerdicts &entry : *verdicts)
    report.entries.emplace_back(entry);
  part.addRemoved(report);

  if (report.ptxas && !report.ptxas->accepted.value_or(true)) {
    report.status = Status::CompileError;
    report.reason = "ptxas refuses the PTX text";
  }
  if (!writeReport(report, options))
    return 3;
  if (!noPtxas.empty())
    llvm::errs() << "mlir-ptxbench-runner: ptxas was not asked: " << noPtxas
                 << "\n";
  return exitCode(report.status, /*staticOnly=*/true);
}

} // namespace ptxbench
