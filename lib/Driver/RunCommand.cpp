//===- RunCommand.cpp - One candidate, from source to verdict -------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The stages, in order: inspect, compile, static-targets, sanitize, then those
// of the backend, correctness, executed-targets, performance. Each leaves its
// verdict in the report; the first that ends the run decides the status, and
// what was known by then is reported all the same.
//
//===----------------------------------------------------------------------===//

#include "BackendChoice.h"
#include "CandidateRun.h"
#include "PtxCandidate.h"
#include "RunRequestBuilder.h"
#include "SanitizeStage.h"
#include "Stages.h"
#include "Versions.h"
#include "ptxbench/Runtime/HostCode.h"
#include "ptxbench/Support/ChildTrial.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <fcntl.h>
#include <unistd.h>

namespace ptxbench {

CandidateRun::CandidateRun(const DriverOptions &options) : options(options) {
  if (options.stagesTo <= 2)
    return;
  // Not for what is started from here.
  announcements = ::fcntl(options.stagesTo, F_DUPFD_CLOEXEC, 100);
  ::close(options.stagesTo);
}

CandidateRun::~CandidateRun() {
  if (announcements >= 0)
    ::close(announcements);
}

void CandidateRun::announce(llvm::StringRef stage) {
  if (announcements < 0)
    return;
  std::string line = stage.str() + "\n";
  (void)!::write(announcements, line.data(), line.size());
}

Stage &CandidateRun::startStage(llvm::StringRef name) {
  announce(name);
  stageStart = std::chrono::steady_clock::now();
  report.stages.emplace_back();
  report.stages.back().name = name.str();
  return report.stages.back();
}

void CandidateRun::endStage(StageVerdict verdict, llvm::StringRef log) {
  Stage &stage = report.stages.back();
  stage.verdict = verdict;
  stage.log = log.str();
  stage.seconds = std::chrono::duration<double>(
                      std::chrono::steady_clock::now() - stageStart)
                      .count();
}

/// Says of a line of the PTX that a message names which operation it came from:
/// the text was made here.
static std::string nameOperations(llvm::StringRef message,
                                  const LoweredModule &module) {
  constexpr llvm::StringLiteral begin = " at line ", end = " of the PTX";
  std::string text;
  for (size_t at; (at = message.find(end)) != llvm::StringRef::npos;) {
    llvm::StringRef before = message.take_front(at);
    message = message.drop_front(at + end.size());
    text += (before + end).str();
    size_t from = before.rfind(begin);
    unsigned line = 0;
    if (from == llvm::StringRef::npos || message.starts_with(" (") ||
        before.drop_front(from + begin.size()).consumeInteger(10, line))
      continue;
    const LoweredPlace *place = module.findPlace(line);
    if (place && !place->str().empty())
      text += " (" + place->operation + " at " + place->str() + ")";
  }
  return text + message.str();
}

int CandidateRun::finish(Status status, const llvm::Twine &reason, bool retry) {
  report.status = status;
  report.retry = retry && status == Status::NotRun;
  report.reason =
      lowered ? nameOperations(reason.str(), *lowered) : reason.str();
  // Whatever ended it: only what is right on every workload is compared.
  if (report.performance && status != Status::Passed &&
      status != Status::TargetNotExecuted)
    report.performance->speedupFactor.reset();
  part.addSources(report);
  if (!writeReport(report, options))
    return 3;
  return exitCode(status);
}

//===----------------------------------------------------------------------===//
// Compilation and analysis
//===----------------------------------------------------------------------===//

llvm::Error CandidateRun::loadTask() {
  llvm::Expected<std::string> path =
      findTaskOrPath(options.tasksDirectory, options.task);
  if (!path)
    return path.takeError();
  llvm::Expected<Task> loaded = ptxbench::loadTask(*path);
  if (!loaded)
    return loaded.takeError();
  task = std::move(*loaded);
  llvm::Expected<std::vector<const Workload *>> selected =
      selectWorkloads(task, options.workload);
  if (!selected)
    return selected.takeError();
  workload = selected->front();
  otherWorkloads.assign(selected->begin() + 1, selected->end());
  return llvm::Error::success();
}

/// Takes what an inspection found; an exit status if that is the end.
std::optional<int>
CandidateRun::endInspection(llvm::ArrayRef<InspectionFinding> findings) {
  const InspectionFinding *banned = nullptr;
  std::string bannedText;
  for (const InspectionFinding &finding : findings) {
    // What a source names may be of its own; a library tells. Lookups are known
    // from the source.
    bool inLibrary = finding.line == 0;
    if (!finding.decides &&
        finding.kind !=
            (inLibrary ? InspectionFinding::System : InspectionFinding::Lookup))
      continue;
    ReportDiagnostic diagnostic;
    diagnostic.rule = ruleOf(finding.kind);
    diagnostic.severity = finding.decides ? Severity::Error
                          : inLibrary     ? Severity::Warning
                                          : Severity::Remark;
    diagnostic.message = describe(finding);
    // A name that is only mentioned says where.
    const InspectionFinding *place = &finding;
    if (!finding.line)
      for (const InspectionFinding &mention : mentions)
        if (mention.name == finding.name)
          place = &mention;
    if (place->line)
      diagnostic.message +=
          " (line " + std::to_string(place->line) + " of " +
          (place->file.empty() ? "the source" : "'" + place->file + "'") + ")";
    if (!banned && finding.decides) {
      banned = &finding;
      bannedText = diagnostic.message;
    }
    report.diagnostics.push_back(std::move(diagnostic));
  }
  endStage(banned ? StageVerdict::Failed : StageVerdict::Passed,
           banned ? bannedText : "");
  if (banned)
    return finish(Status::Banned, "it " + bannedText);
  return std::nullopt;
}

/// What is wrong with the files that a compiler read: some are of others, or
/// are headers of a library that is not allowed, however they are asked for.
std::vector<InspectionFinding> CandidateRun::inspectFiles() const {
  llvm::SmallString<128> source(options.input);
  std::vector<InspectionFinding> findings;
  if (llvm::sys::fs::make_absolute(source))
    source = options.input;
  std::string folder = (llvm::sys::path::parent_path(source) + "/").str();
  auto add = [&](InspectionFinding::Kind kind, llvm::StringRef name,
                 const CompiledFile &file) {
    llvm::StringRef from = file.from;
    if (from == source)
      from = "";
    from.consume_front(folder);
    findings.push_back(
        {kind, name.str(), file.line, from.str(), /*decides=*/true});
  };
  llvm::SmallString<128> own;
  if (!options.sourceFolder.empty() &&
      llvm::sys::fs::real_path(options.sourceFolder, own))
    own.clear();
  for (const CompiledFile &file : compiled.foreign)
    if (own.empty() || !isBelow(file.path, std::string(own)))
      add(InspectionFinding::Foreign, file.path, file);
  for (const CompiledFile &file : compiled.files)
    if (llvm::StringRef name = llvm::sys::path::filename(file.path);
        file.line && !bannedLibrary(name).empty())
      add(InspectionFinding::Library, name, file);
  return findings;
}

/// Looks at the source for what the candidate must not use.
std::optional<int> CandidateRun::inspect() {
  startStage("inspect");
  if (!isSource()) {
    if (hosted && !hosted->errors().empty())
      endStage(StageVerdict::Skipped, "the text is no valid module");
    else
      endStage(StageVerdict::Passed,
               hosted ? "host code in MLIR: what it calls is looked at when it "
                        "is compiled"
                      : "there is no host code");
    return std::nullopt;
  }
  llvm::Expected<std::vector<InspectionFinding>> found =
      inspectSourceFile(options.input);
  if (!found)
    return fail(llvm::toString(found.takeError()), 2);
  mentions = *found;
  return endInspection(*found);
}

/// Compiles the candidate; an exit status if that is the end.
std::optional<int> CandidateRun::compile() {
  if (llvm::Error error = toolchain->checkTarget(options.target))
    return fail("--target: " + llvm::toString(std::move(error)), 2);
  takeToolVersions();
  startStage("compile");
  if (hosted)
    return compileHosted();
  if (!isSource())
    return assemble();
  NvccOptions nvcc;
  nvcc.target = options.target;
  return finishCompilation(
      toolchain->runNvcc(options.input, work.path(), nvcc));
}

/// The entries of a module, for the check of the launches.
static std::vector<LaunchedEntry> listEntries(StaticPart &module) {
  std::vector<LaunchedEntry> entries;
  for (const std::string &name : module.entryNames()) {
    LaunchedEntry &entry = entries.emplace_back();
    entry.name = name;
    for (const StaticPart::Param &param : module.getParams(name))
      entry.params.push_back({param.size, param.type});
    entry.reqntid = module.getDirective(name, "reqntid");
    entry.maxntid = module.getDirective(name, "maxntid");
    entry.reqnctapercluster = module.getDirective(name, "reqnctapercluster");
    if (auto rank = module.getDirective(name, "maxclusterrank"))
      entry.maxclusterrank = rank->x;
  }
  return entries;
}

/// Assembles a candidate of kernels alone and makes the host code that launches
/// them; an exit status if that is the end.
std::optional<int> CandidateRun::assemble() {
  llvm::StringRef kind = llvm::sys::path::extension(options.input);
  std::string description = launchDescriptionPath(options.input);
  auto launches = llvm::MemoryBuffer::getFile(description);
  if (!launches)
    return fail(
        "'" + llvm::Twine(options.input) +
            "' has no code of the host, so what launches its kernels "
            "is read from '" +
            description +
            "', which cannot be read: " + launches.getError().message() +
            " (docs/Evaluation.md has the form of that file" +
            (kind == ".mlir" ? "; with a 'func.func' that launches them, "
                               "docs/MLIRHostCode.md, it is not needed)"
                             : ")"),
        2);
  std::string ptx = work.file("kernel.ptx"), cubin = work.file("kernel.cubin"),
              host = work.file("host.cu"),
              fatBinary = work.file("kernel.fatbin");
  // The text of a module in MLIR or LLVM IR is what it becomes.
  StaticPart module;
  if (kind == ".ptx")
    module.beQuiet(); // ptxas has the say.
  LoweringOptions lowering;
  lowering.target = options.loweringTarget();
  lowering.libdevice = toolchain->findLibdevice();
  bool isRead = module.load(options.input, lowering);
  bool hasText = !module.info().sha256.empty();
  if (!hasText && kind == ".ptx")
    return fail(module.refusal(), 2);
  if (!hasText) {
    endStage(StageVerdict::Failed, module.errors());
    return finish(Status::CompileError,
                  "there is no PTX of the candidate: " + module.refusal());
  }
  std::string text = module.text().str();
  lowered = module.lowered();
  part.setLowered(lowered, options.input);
  part.setSourceTargets(module.sourceTargets());
  std::optional<std::vector<LaunchedEntry>> entries;
  if (isRead)
    entries = listEntries(module);
  llvm::Expected<std::string> code =
      writeHostCode((*launches)->getBuffer(), description, task.definition,
                    fatBinary, entries ? &*entries : nullptr);
  if (!code)
    return fail(llvm::toString(code.takeError()), 2);
  llvm::Error written = writeFileAtomically(ptx, text);
  if (!written)
    written = writeFileAtomically(host, *code);
  if (written)
    return fail(llvm::toString(std::move(written)), 3);
  llvm::Expected<PtxasRun> assembled = toolchain->runPtxas(
      ptx, options.target, cubin, /*timeoutSeconds=*/300, {"-v", "-lineinfo"});
  if (!assembled)
    return finishCompilation(assembled.takeError());
  if (!assembled->succeeded) {
    NvccRun refused;
    refused.log = (kind == ".ptx" ? std::string() : module.errors()) +
                  assembled->process.err + assembled->process.out;
    refused.output = std::move(assembled->output);
    return finishCompilation(std::move(refused));
  }
  if (llvm::Error error =
          toolchain->makeFatBinary(options.target, cubin, ptx, fatBinary))
    return finishCompilation(std::move(error));
  NvccOptions nvcc;
  nvcc.target = options.target;
  llvm::Expected<NvccRun> made =
      toolchain->runNvcc(host, work.file("host"), nvcc);
  if (made && !made->succeeded) {
    endStage(StageVerdict::Skipped, made->log);
    return finish(Status::NotRun,
                  "the host code that launches it does not compile here",
                  /*retry=*/true);
  }
  if (made) {
    made->ptx = ptx;
    made->cubin = cubin;
    made->output = std::move(assembled->output);
  }
  return finishCompilation(std::move(made));
}

/// What ptxas said first, with its place, as the end of a sentence; empty if it
/// named no line.
std::string CandidateRun::firstError() {
  for (const PtxasDiagnostic &diagnostic : report.ptxas->diagnostics) {
    if (diagnostic.severity != Severity::Error || !diagnostic.line)
      continue;
    std::string place = part.sourceOf(diagnostic.line);
    if (place.empty())
      place = "line " + std::to_string(diagnostic.line) +
              (lowered ? " of the PTX" : "");
    return ": " + place + ": " + diagnostic.message;
  }
  return "";
}

/// Takes what a compiler made; an exit status if that is the end.
std::optional<int>
CandidateRun::finishCompilation(llvm::Expected<NvccRun> result) {
  if (!result) {
    std::string message = llvm::toString(result.takeError());
    endStage(StageVerdict::Skipped, message);
    return finish(Status::NotRun,
                  "the candidate cannot be compiled here: " + message,
                  /*retry=*/true);
  }
  compiled = std::move(*result);
  std::vector<InspectionFinding> found = inspectFiles();
  // What the compiler says may quote others' files.
  bool isOwn = llvm::none_of(found, [](const InspectionFinding &finding) {
    return finding.kind == InspectionFinding::Foreign;
  });
  endStage(compiled.succeeded ? StageVerdict::Passed : StageVerdict::Failed,
           isOwn ? llvm::StringRef(compiled.log) : llvm::StringRef());
  if (!found.empty()) {
    startStage("inspect-library");
    return endInspection(found);
  }
  std::string version;
  if (llvm::Expected<CudaTool> ptxas = toolchain->find(ToolKind::Ptxas))
    version = ptxas->version;
  else
    llvm::consumeError(ptxas.takeError());
  // Without PTX ptxas saw nothing; with its machine code it refused nothing.
  if (!isSource() || !compiled.ptx.empty())
    report.ptxas = toPtxasInfo(compiled.output, version,
                               compiled.succeeded || !compiled.cubin.empty());
  if (!compiled.succeeded)
    return finish(Status::CompileError,
                  isSource() ? "nvcc refuses the candidate" +
                                   describeFirstError(compiled)
                             : "ptxas refuses the candidate" + firstError());
  if (hosted)
    return std::nullopt;
  // Macros and aliases hide nothing from what the linker was asked for.
  startStage("inspect-library");
  llvm::Expected<std::vector<InspectionFinding>> imported =
      inspectLibrary(compiled.library);
  if (!imported)
    return fail(llvm::toString(imported.takeError()), 3);
  return endInspection(*imported);
}

/// Analyses the PTX that the compiler made.
std::optional<int> CandidateRun::analyze() {
  startStage("static-targets");
  report.analysis = {};
  analyzed = part.load(compiled.ptx);
  part.setLowered(lowered, options.input);
  report.module = part.info();
  report.module.path = options.input;
  if (!analyzed) {
    // ptxas took it, so it is our parser that is wrong; the run goes on.
    report.analysis = {StaticInfo::State::Unsupported, part.refusal()};
    endStage(StageVerdict::Unsupported, part.refusal());
    return std::nullopt;
  }
  for (const std::string &entry : part.entryNames()) {
    llvm::Expected<EntryVerdicts> verdicts = part.analyze(entry, {});
    if (!verdicts) {
      // The directives of the text contradict each other.
      std::string message = llvm::toString(verdicts.takeError());
      report.analysis = {StaticInfo::State::Unsupported, message};
      report.entries.clear();
      analyzed = false;
      endStage(StageVerdict::Unsupported, message);
      return std::nullopt;
    }
    report.entries.emplace_back(*verdicts);
  }
  part.addRemoved(report);
  Stage judged = judgeStaticTargets(report, report.dynamic->requiredFamilies);
  endStage(judged.verdict, judged.log);
  return std::nullopt;
}

/// Looks for misuse of memory; an exit status if that is the end. Where the
/// emulator makes the judged calls and they are cheap, it is they that are
/// watched: `request`.
std::optional<int> CandidateRun::sanitize(llvm::StringRef backend,
                                          const RunRequest &request) {
  if (options.sanitize == "none")
    return std::nullopt;
  startStage("sanitize");
  auto source = [this](unsigned line) { return sourceOf(line); };
  bool emulated = backend == "emulator";
  SanitizeOutcome outcome;
  if (emulated && sanitizesOnEmulator(options, backend) && isCheap(*workload)) {
    EmulatorSettings settings = options.emulator;
    settings.checks = true;
    checked = createEmulatorBackend(
        workerProgram(executablePath(), compiled.library), settings);
    checkedRun = checked->run(request);
    outcome = judgeChecks(*checkedRun, source);
    std::string axes = axesOf(*workload);
    outcome.summary =
        "emulator" + (axes.empty() ? "" : ", " + axes) + ": " + outcome.summary;
    checkedRun->log = withoutFindings(checkedRun->log, outcome.findings);
  } else {
    outcome = ptxbench::sanitize(
        task, *workload, chooseSmallWorkload(task, emulated && isOnCudaCores()),
        options, backend, compiled.library, work.file("run"), *toolchain,
        source);
  }
  for (ReportDiagnostic &diagnostic : outcome.diagnostics)
    report.diagnostics.push_back(std::move(diagnostic));
  findings = std::move(outcome.findings);
  std::string log = outcome.summary;
  if (outcome.verdict == StageVerdict::Failed && !outcome.log.empty())
    log += "\n" + outcome.log;
  endStage(outcome.verdict, log);
  // The processes of the judged calls have times of their own.
  if (checkedRun) {
    double seconds = report.stages.back().seconds.value_or(0);
    for (const StageTime &stage : checkedRun->stages)
      seconds -= stage.seconds;
    report.stages.back().seconds = std::max(0.0, seconds);
  }
  if (outcome.verdict == StageVerdict::Failed)
    return finish(Status::RuntimeError, outcome.summary);
  if (outcome.verdict != StageVerdict::Passed)
    notSanitized = "nothing is known of misuse of memory: " + outcome.summary;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

Status toStatus(RunStatus status) {
  switch (status) {
  case RunStatus::Passed:
    return Status::Passed;
  case RunStatus::IncorrectNumerical:
    return Status::IncorrectNumerical;
  case RunStatus::RuntimeError:
    return Status::RuntimeError;
  case RunStatus::Timeout:
    return Status::Timeout;
  case RunStatus::Banned:
    return Status::Banned;
  case RunStatus::Rejected:
    return Status::Rejected;
  case RunStatus::NotJudged: // a wrong reference, say: not for us to call right
  case RunStatus::NotRun:
  case RunStatus::InternalError:
    return Status::NotRun;
  }
  return Status::NotRun;
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

int CandidateRun::run() {
  llvm::StringRef kind = llvm::sys::path::extension(options.input);
  if (kind != ".cu" && kind != ".ptx" && kind != ".mlir" && kind != ".ll")
    return fail("a candidate is a .cu, .ptx, .mlir or .ll file but got '" +
                    llvm::Twine(options.input) + "'",
                2);
  if (!llvm::sys::fs::exists(options.input))
    return fail(
        "cannot read '" + llvm::Twine(options.input) + "': no such file", 2);
  bool isModule = kind == ".mlir" || (kind == ".ll" && !isProgram());
  if (!isProgram())
    if (llvm::Error error = loadTask())
      return fail(llvm::toString(std::move(error)), 2);
  ToolchainOptions toolchainOptions;
  toolchainOptions.cudaPath = options.cudaPath;
  toolchainOptions.tvmFfiPath = options.tvmFfiPath;
  toolchainOptions.executable = executablePath();
  toolchain.emplace(toolchainOptions);
  std::optional<std::string> crash;
  if (isModule)
    crash = tryInChild([&] { tryModule(); }, options.timeoutSeconds);
  bool isHosted = kind == ".mlir" && !crash && loadHosted();
  if (!isHosted && !crash && isProgram())
    return fail("--task says what a candidate has to compute; without it '" +
                    llvm::Twine(options.input) +
                    "' would have to be a module in MLIR with host code",
                2);
  if (llvm::Error error = work.create(options.workDirectory))
    return fail("cannot make a folder to work in: " +
                    llvm::toString(std::move(error)),
                3);

  report.module.path = options.input;
  report.analysis = {StaticInfo::State::NotRun,
                     "the candidate did not compile"};
  report.dynamic.emplace();
  if (!isProgram()) {
    report.dynamic->task = task.definition.name;
    report.dynamic->workload = workload->uuid;
    report.dynamic->axes = workload->axes;
    report.dynamic->requiredFamilies =
        task.definition.extension.familiesFor(options.target);
    report.dynamic->seed = options.seed;
  }

  if (crash) {
    startStage("compile");
    endStage(StageVerdict::Failed, *crash);
    return finish(Status::CompileError, trialFailed + *crash);
  }
  if (std::optional<int> status = inspect())
    return *status;
  if (std::optional<int> status = compile())
    return *status;
  inspectMachineCode();
  if (std::optional<int> status = analyze())
    return *status;

  BackendChoice choice =
      chooseBackend(options, workerProgram(executablePath(), compiled.library));
  std::unique_ptr<Backend> backend = std::move(choice.backend);
  if (!backend) {
    report.dynamic->backend = "null";
    return finish(Status::NotRun, choice.refusal, choice.isMissing);
  }
  if (!choice.refusal.empty())
    report.dynamic->notes.push_back("the emulator ran the candidate: " +
                                    choice.refusal);
  report.dynamic->backend = backend->name().str();
  bool emulated = backend->name() == "emulator";
  if (!isProgram())
    chooseWorkload(emulated);
  llvm::Expected<RunRequest> request =
      isProgram() ? buildProgramRequest()
                  : buildRunRequest(task, *workload, options, compiled.library,
                                    work.file("run"));
  if (!request)
    return fail(llvm::toString(request.takeError()), 2);
  // On an emulator every call costs as much as the first.
  if (emulated && !isProgram() && !isCheap(*workload))
    request->trials = 1;
  request->cubin = compiled.cubin;
  request->ptxSha256 = hashOwnPtx();
  if (!isProgram())
    if (std::optional<int> status = sanitize(backend->name(), *request))
      return *status;
  announce(emulated ? "run on the emulator" : "run on the device");
  // Checks take time, which is not the candidate's.
  bool tooSlow = checkedRun && checkedRun->status == RunStatus::Timeout;
  RunResult result =
      checkedRun && !tooSlow ? std::move(*checkedRun) : backend->run(*request);
  if (tooSlow)
    refuseStalling(result, *checkedRun, request->candidateSeconds);
  announce("cross-check");
  takeResults(result);
  takeFindings(result);

  bool sound = true;
  if (analyzed && result.trace) {
    Trace trace = *result.trace;
    for (const auto &[key, version] : report.dynamic->versions)
      trace.environment.emplace(key, version);
    if (emulated) {
      placeTrace(trace);
    } else {
      mapTrace(result, trace);
      countMachineCode(trace);
    }
    // Under each launch as it was observed.
    std::vector<EntryResult> observed;
    for (const KernelTrace &kernel : trace.kernels)
      if (part.hasEntry(kernel.name))
        for (const LaunchRecord &launch : kernel.launches) {
          llvm::Expected<EntryVerdicts> verdicts =
              part.analyze(kernel.name, part.getAssumptions(launch));
          if (verdicts)
            observed.emplace_back(*verdicts);
          else
            report.dynamic->notes.push_back(
                "not analysed under an observed launch: " +
                llvm::toString(verdicts.takeError()));
        }
    for (EntryResult &entry : observed)
      report.entries.push_back(std::move(entry));
    CrossCheckOptions checkOptions;
    checkOptions.ptxSha256 = part.info().sha256;
    sound = addCrossCheck(report, trace, checkOptions).sound();
    if (!options.traceOutput.empty()) {
      std::string text;
      llvm::raw_string_ostream os(text);
      os << llvm::formatv("{0:2}", toJSON(trace)) << "\n";
      if (llvm::Error error = writeFileAtomically(options.traceOutput, text))
        return fail(llvm::toString(std::move(error)), 3);
    }
  }

  if (isProgram())
    return finishProgram(result, sound);
  MissingUse missing =
      findMissing(report, result.trace, request->reference.flops);
  if (!missing && analyzed)
    missing = findMissingLater(result, *request);
  report.stages.push_back(judgeCorrectness(result));
  report.stages.push_back(
      judgeExecutedTargets(result, report.dynamic->requiredFamilies, missing));
  report.stages.push_back(judgePerformance(report, result, emulated));
  Status status = toStatus(result.status);
  // Our fault does not excuse the candidate's.
  if (!sound && (status == Status::Passed || status == Status::NotRun))
    return finish(Status::Refuted, "an execution contradicts a verdict");
  if (result.status == RunStatus::NotJudged)
    return finish(status,
                  "it ran, but its numbers cannot be judged: " + result.reason);
  if (status != Status::Passed)
    return finish(status,
                  result.reason + (sound ? ""
                                         : "; and an execution contradicts a "
                                           "verdict of the analysis"),
                  result.status == RunStatus::InternalError);
  if (std::optional<int> ended = judgeOthers(*backend, emulated))
    return *ended;
  if (missing) {
    std::string unknown;
    if (!result.trace)
      unknown = "what executed";
    else if (std::string names = uncountedKernels(*result.trace);
             !names.empty() && !missing.families.empty() && !missing.observed)
      unknown = "what executed in " + names;
    if (!unknown.empty())
      return finish(Status::NotRun,
                    unknown +
                        " could not be observed, so that nothing is "
                        "known of the required " +
                        llvm::join(missing.families, ", "),
                    /*retry=*/true);
    return finish(Status::TargetNotExecuted, missing.describe());
  }
  std::string reason = countFindings(findings);
  if (!notSanitized.empty())
    reason += (reason.empty() ? "" : "; ") + notSanitized;
  return finish(Status::Passed, reason);
}

int runCandidate(const DriverOptions &options) {
  return CandidateRun(options).run();
}

} // namespace ptxbench
