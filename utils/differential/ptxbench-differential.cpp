//===- ptxbench-differential.cpp - The emulator against a GPU -------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cases (Case.h) that a GPU and the emulator both run:
//
//   list                   their names
//   emit DIR               PTX modules; with --ptxas, cubins for sm_90a
//   record --cubins=DIR --output=FILE
//                          runs them on the GPU and writes a recording
//   check FILE             runs those of a recording on the emulator and
//                          compares: a table, and what differs
//
// Exit status: 0, or 1 if something differs or does not work.
//
//===----------------------------------------------------------------------===//

#include "Compare.h"
#include "ptxbench/Support/Subprocess.h"
#include "ptxbench/Support/Version.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/WithColor.h"

#include <map>
#include <mutex>

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::differential;

static cl::SubCommand listCommand("list", "print the names of the cases");
static cl::SubCommand emitCommand("emit", "write the PTX modules");
static cl::SubCommand recordCommand("record", "run the cases on a machine");
static cl::SubCommand checkCommand("check",
                                   "compare the emulator with a recording");

static cl::opt<std::string> family("family", cl::sub(cl::SubCommand::getAll()),
                                   cl::desc("only cases of this family"));
static cl::opt<std::string>
    caseFilter("case", cl::sub(cl::SubCommand::getAll()),
               cl::desc("only cases whose names match this expression"));
static cl::opt<unsigned> jobs("jobs", cl::sub(cl::SubCommand::getAll()),
                              cl::init(0),
                              cl::desc("threads or processes; 0: all cores"));
static cl::opt<std::string> emitFolder(cl::Positional, cl::sub(emitCommand),
                                       cl::Required, cl::desc("DIR"));
static cl::opt<std::string>
    ptxasPath("ptxas", cl::sub(emitCommand), cl::ValueOptional,
              cl::desc("assemble the modules with this ptxas"));
static cl::opt<std::string> cubinFolder("cubins", cl::sub(recordCommand),
                                        cl::desc("folder of the cubins"));
static cl::opt<std::string> outputFile("output", cl::sub(recordCommand),
                                       cl::Required, cl::desc("the recording"));
static cl::opt<std::string>
    fullFile("full", cl::sub(recordCommand),
             cl::desc("a second recording, with all bytes of all outputs"));
static cl::opt<unsigned> secondsPerCase("seconds-per-case",
                                        cl::sub(recordCommand), cl::init(20),
                                        cl::desc("before it counts as hung"));
static cl::opt<std::string>
    machine("machine", cl::sub(recordCommand), cl::init("gpu"),
            cl::desc("gpu, or emulator to try the rest"));
static cl::opt<std::string> recordingFile(cl::Positional, cl::sub(checkCommand),
                                          cl::Required, cl::desc("RECORDING"));
static cl::opt<std::string>
    keepFile("keep", cl::sub(checkCommand),
             cl::desc("write what differs as a recording of its own"));
static cl::opt<unsigned>
    messageCount("messages", cl::sub(checkCommand), cl::init(8),
                 cl::desc("differing elements to print of a case"));
static cl::opt<std::string>
    schedule("schedule", cl::sub(checkCommand), cl::init("eager"),
             cl::desc("eager, lazy, random:SEED or adversarial:SEED"));
static cl::opt<bool>
    misuse("checks", cl::sub(checkCommand),
           cl::desc("look for misuse, too: a finding is a difference"));
static cl::opt<bool>
    errorTable("errors", cl::sub(checkCommand),
               cl::desc("print the largest errors of each case with a bound"));

static int fails(const Twine &message) {
  WithColor::error() << message << "\n";
  return 1;
}

static unsigned jobCount() {
  return jobs ? unsigned(jobs) : hardware_concurrency().compute_thread_count();
}

/// The cases that the options name.
static std::vector<const Case *> selectCases(ArrayRef<Case> all) {
  Regex expression(caseFilter);
  std::vector<const Case *> selected;
  for (const Case &testCase : all)
    if (caseFilter.empty() || expression.match(testCase.name))
      selected.push_back(&testCase);
  return selected;
}

//===----------------------------------------------------------------------===//
// emit
//===----------------------------------------------------------------------===//

/// Writes the text of a module and assembles it: empty, or what ptxas says if
/// it refuses or crashes.
static std::string assemble(const std::string &ptxas, const Module &module) {
  std::string base = emitFolder + "/" + module.name;
  {
    std::error_code error;
    raw_fd_ostream os(base + ".ptx", error);
    if (error)
      return base + ".ptx: " + error.message();
    os << module.text();
  }
  if (ptxas.empty())
    return "";
  SubprocessOptions options;
  options.argv = {ptxas,         "-arch=sm_90a", "-O3",
                  base + ".ptx", "-o",           base + ".cubin"};
  options.timeoutSeconds = 1200;
  Expected<SubprocessResult> result = runSubprocess(options);
  if (!result)
    return toString(result.takeError());
  return result->succeeded()
             ? ""
             : "ptxas: " + result->describeEnd() + "\n" + result->err;
}

/// Names the cases of a refused module that are refused alone.
static void findRefused(const std::string &ptxas, const Module &module,
                        const std::string &reason, std::string &report) {
  if (module.cases.size() == 1) {
    report += module.cases[0]->name + ": " + reason + "\n";
    return;
  }
  size_t middle = module.cases.size() / 2;
  Module halves[2] = {module, module};
  halves[0].cases.resize(middle);
  halves[1].cases.erase(halves[1].cases.begin(),
                        halves[1].cases.begin() + middle);
  for (Module &half : halves) {
    half.name += "-refused";
    std::string refused = assemble(ptxas, half);
    if (!refused.empty())
      findRefused(ptxas, half, refused, report);
    for (const char *suffix : {".ptx", ".cubin"})
      sys::fs::remove(emitFolder + "/" + half.name + suffix);
  }
}

static int emit(ArrayRef<Module> modules) {
  if (std::error_code error = sys::fs::create_directories(emitFolder))
    return fails(emitFolder + ": " + error.message());
  std::string ptxas;
  if (ptxasPath.getNumOccurrences())
    ptxas = ptxasPath.empty() ? "ptxas" : ptxasPath.getValue();
  DefaultThreadPool pool(hardware_concurrency(jobCount()));
  std::mutex mutex;
  int status = 0;
  for (const Module &module : modules)
    pool.async([&] {
      std::string refused = assemble(ptxas, module), report;
      if (refused.empty())
        return;
      findRefused(ptxas, module, refused, report);
      std::lock_guard<std::mutex> lock(mutex);
      status = fails(module.name + " is refused\n" + report);
    });
  pool.wait();
  return status;
}

//===----------------------------------------------------------------------===//
// The emulator, on all cores
//===----------------------------------------------------------------------===//

static bool parseSchedule(StringRef text, emulator::Schedule &out) {
  auto [kind, seed] = text.split(':');
  if (!seed.empty() && seed.getAsInteger(0, out.seed))
    return false;
  if (kind == "eager")
    out.kind = emulator::Schedule::Eager;
  else if (kind == "lazy")
    out.kind = emulator::Schedule::Lazy;
  else if (kind == "random")
    out.kind = emulator::Schedule::Random;
  else if (kind == "adversarial")
    out.kind = emulator::Schedule::Adversarial;
  else
    return false;
  return true;
}

/// The outcomes of each module's cases.
static std::vector<std::vector<Outcome>> emulate(ArrayRef<Module> modules) {
  emulator::EmulatorOptions options;
  parseSchedule(schedule, options.schedule);
  options.maxInstructions = uint64_t(1) << 28;
  options.checks = misuse;
  std::vector<std::vector<Outcome>> outcomes(modules.size());
  DefaultThreadPool pool(hardware_concurrency(jobCount()));
  for (size_t i = 0; i < modules.size(); ++i)
    pool.async([&, i] {
      outcomes[i] = runOnEmulator(modules[i], options, /*checkCounts=*/true);
    });
  pool.wait();
  return outcomes;
}

//===----------------------------------------------------------------------===//
// record
//===----------------------------------------------------------------------===//

static int record(ArrayRef<Module> modules) {
  std::error_code fileError;
  ToolOutputFile output(outputFile, fileError, sys::fs::OF_Text);
  if (fileError)
    return fails(outputFile + ": " + fileError.message());
  std::optional<ToolOutputFile> full;
  if (!fullFile.empty()) {
    full.emplace(fullFile, fileError, sys::fs::OF_Text);
    if (fileError)
      return fails(fullFile + ": " + fileError.message());
  }
  size_t count = 0, failed = 0;
  auto begin = [&](const MachineInfo &info) {
    writeHeader(output.os(), info);
    if (full)
      writeHeader(full->os(), info);
  };
  auto use = [&](const Case &testCase, const Outcome &outcome) {
    ++count;
    if (!outcome.error.empty()) {
      ++failed;
      outs() << testCase.name << ": " << outcome.error << "\n";
    }
    writeCase(output.os(), testCase, outcome, /*full=*/false);
    if (full)
      writeCase(full->os(), testCase, outcome, /*full=*/true);
  };
  if (machine == "emulator") {
    begin({"emulator", "none"});
    std::vector<std::vector<Outcome>> outcomes = emulate(modules);
    for (size_t i = 0; i < modules.size(); ++i)
      for (size_t k = 0; k < outcomes[i].size(); ++k)
        use(*modules[i].cases[k], outcomes[i][k]);
  } else if (machine != "gpu") {
    return fails("expected --machine=gpu or emulator but got '" + machine +
                 "'");
  } else if (Error error =
                 runOnGpu(modules, cubinFolder, secondsPerCase, begin, use)) {
    return fails(toString(std::move(error)));
  }
  output.keep();
  if (full)
    full->keep();
  outs() << count << " cases recorded, " << failed << " of them ended badly\n";
  return 0;
}

//===----------------------------------------------------------------------===//
// check
//===----------------------------------------------------------------------===//

namespace {
/// A line of the table.
struct FamilySum {
  unsigned cases = 0, exact = 0, within = 0, different = 0;
  double relative = 0, ulps = 0;

  void add(const Comparison &comparison) {
    ++cases;
    exact += comparison.result == Comparison::Exact;
    within += comparison.result == Comparison::Within;
    different += comparison.result == Comparison::Different;
    relative = std::max(relative, comparison.relative);
    ulps = std::max(ulps, comparison.ulps);
  }
};
} // namespace

static void printTable(const std::map<std::string, FamilySum> &sums) {
  outs() << formatv("{0,-12} {1,6} {2,6} {3,6} {4,9} {5,13} {6,10}\n", "family",
                    "cases", "exact", "within", "different", "relative error",
                    "ulps");
  for (const auto &entry : sums) {
    const FamilySum &sum = entry.second;
    outs() << formatv("{0,-12} {1,6} {2,6} {3,6} {4,9} ", entry.first,
                      sum.cases, sum.exact, sum.within, sum.different)
           << format("%14.3g %10.0f\n", sum.relative, sum.ulps);
  }
}

static int check(const Recording &recording, ArrayRef<const Case *> selected) {
  emulator::Schedule unused;
  if (!parseSchedule(schedule, unused))
    return fails("expected eager, lazy, random:SEED or adversarial:SEED but "
                 "got '" +
                 schedule + "'");
  StringMap<const RecordedCase *> byName;
  for (const RecordedCase &recorded : recording.cases)
    if (!byName.try_emplace(recorded.name, &recorded).second)
      return fails("case '" + recorded.name + "' is recorded twice");
  std::vector<const Case *> wanted;
  unsigned notRecorded = 0;
  for (const Case *testCase : selected) {
    bool isRecorded = byName.count(testCase->name);
    notRecorded += !isRecorded;
    if (isRecorded)
      wanted.push_back(testCase);
  }
  std::optional<ToolOutputFile> kept;
  if (!keepFile.empty()) {
    std::error_code error;
    kept.emplace(keepFile, error, sys::fs::OF_Text);
    if (error)
      return fails(keepFile + ": " + error.message());
    writeHeader(kept->os(), recording.machine);
    kept->keep();
  }

  std::vector<Module> modules = makeModules(wanted);
  std::vector<std::vector<Outcome>> outcomes = emulate(modules);
  std::map<std::string, FamilySum> sums;
  // What the ISA leaves open may differ.
  FamilySum total, open;
  for (size_t i = 0; i < modules.size(); ++i)
    for (size_t k = 0; k < modules[i].cases.size(); ++k) {
      const Case &testCase = *modules[i].cases[k];
      const RecordedCase &recorded = *byName[testCase.name];
      Comparison comparison =
          compare(testCase, recorded, outcomes[i][k], messageCount);
      sums[testCase.family].add(comparison);
      bool isOpen = StringRef(testCase.family).ends_with("-open");
      (isOpen ? open : total).add(comparison);
      for (const std::string &message : comparison.messages)
        outs() << testCase.name << ": " << message << "\n";
      if (errorTable && comparison.result == Comparison::Within)
        outs() << testCase.name << ": largest error "
               << format("%.3g relative, %.0f ulps, %.3g absolute\n",
                         comparison.relative, comparison.ulps,
                         comparison.absolute);
      if (kept && comparison.result == Comparison::Different)
        writeCase(kept->os(), recorded);
    }
  unsigned unknown = 0;
  if (family.empty() && caseFilter.empty()) {
    StringSet<> known;
    for (const Case *testCase : wanted)
      known.insert(testCase->name);
    for (const RecordedCase &recorded : recording.cases)
      if (!known.contains(recorded.name)) {
        ++unknown;
        outs() << recorded.name << ": recorded, but there is no such case\n";
      }
  }
  outs() << "recorded on " << recording.machine.name << ", driver "
         << recording.machine.driver << "\n";
  printTable(sums);
  outs() << formatv("{0} cases: {1} exact, {2} within their bounds, {3} "
                    "different, {4} unknown, {5} not recorded\n",
                    total.cases, total.exact, total.within, total.different,
                    unknown, notRecorded);
  if (open.cases)
    outs() << formatv("{0} more cases of what the ISA leaves open: {1} "
                      "different\n",
                      open.cases, open.different);
  return total.different || unknown || !(total.cases + open.cases);
}

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  setVersionPrinter();
  cl::ParseCommandLineOptions(argc, argv,
                              "Runs kernels on the emulator and on a GPU.\n");
  std::vector<Case> all = makeCases(family);
  std::vector<const Case *> selected = selectCases(all);
  if (emitCommand)
    return emit(makeModules(selected));
  if (recordCommand)
    return record(makeModules(selected));
  if (checkCommand) {
    Expected<Recording> recording = readRecording(recordingFile);
    if (!recording)
      return fails(toString(recording.takeError()));
    return check(*recording, selected);
  }
  if (!listCommand)
    return fails("expected list, emit, record or check");
  for (const Case *testCase : selected)
    outs() << testCase->name << "\n";
  return 0;
}
