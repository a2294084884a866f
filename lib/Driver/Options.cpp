//===- Options.cpp - Command line of the runner ---------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The options as LLVM's CommandLine declares them, and the checks of their
// values that need no input file.
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "Versions.h"
#include "ptxbench/ISA/Instruction.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;
using llvm::Expected;
using llvm::StringRef;

namespace ptxbench {

static llvm::Error makeError(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

Expected<Dim3> parseDim3(StringRef text, StringRef option) {
  llvm::SmallVector<StringRef, 3> parts;
  text.split(parts, ',');
  uint32_t values[3] = {1, 1, 1};
  if (parts.size() > 3)
    return makeError("--" + option + " takes up to three extents but got '" +
                     text + "'");
  for (auto [i, part] : llvm::enumerate(parts))
    if (part.getAsInteger(10, values[i]) || values[i] == 0 ||
        values[i] > 0x7fffffffu)
      return makeError("--" + option +
                       " takes extents from 1 to 2147483647 but got '" + text +
                       "'");
  return Dim3{values[0], values[1], values[2]};
}

/// The bytes behind `hex:` or `@`.
static Expected<std::vector<uint8_t>> parseBytes(StringRef text) {
  if (text.consume_front("@")) {
    auto file = llvm::MemoryBuffer::getFile(text);
    if (!file)
      return makeError("--arg cannot read '" + text +
                       "': " + file.getError().message());
    StringRef bytes = (*file)->getBuffer();
    return std::vector<uint8_t>(bytes.bytes_begin(), bytes.bytes_end());
  }
  text.consume_front("hex:");
  std::string bytes;
  if (text.empty() || text.size() % 2 || !llvm::tryGetFromHex(text, bytes))
    return makeError("--arg takes an even number of hexadecimal digits after "
                     "'hex:' but got '" +
                     text + "'");
  return std::vector<uint8_t>(bytes.begin(), bytes.end());
}

Expected<ArgumentOption> parseArgument(StringRef text) {
  ArgumentOption arg;
  auto [place, value] = text.split('=');
  auto [index, rest] = place.split('+');
  auto [offset, type] = rest.split(':');
  bool hasOffset = place.contains('+');
  if (value.empty() || index.getAsInteger(10, arg.index) ||
      (hasOffset && offset.getAsInteger(0, arg.offset)))
    return makeError("--arg takes INDEX=VALUE or INDEX+OFFSET:TYPE=VALUE but "
                     "got '" +
                     text + "'");
  if (value.starts_with("hex:") || value.starts_with("@")) {
    Expected<std::vector<uint8_t>> bytes = parseBytes(value);
    if (!bytes)
      return bytes.takeError();
    arg.bytes = std::move(*bytes);
    return arg;
  }
  if (hasOffset && type.empty())
    return makeError("--arg with an offset takes a type, as in "
                     "INDEX+OFFSET:u32=VALUE, but got '" +
                     text + "'");
  arg.type = type.str();
  arg.value = value.str();
  return arg;
}

namespace {

/// Longer than anybody waits, and short enough for clocks to count.
constexpr unsigned maxSeconds = 1000000;

/// What a request for a run may ask for.
constexpr unsigned maxCalls = 1000000;

cl::OptionCategory category("mlir-ptxbench-runner options");
cl::SubCommand
    analyzeCommand("analyze",
                   "static analysis of a .ptx, .cu, .mlir or .ll file");
cl::SubCommand runCommand("run", "analyse, run, cross-check, judge and time a "
                                 "candidate");
cl::SubCommand
    crosscheckCommand("crosscheck",
                      "repeat a cross-check from a report and a trace");

cl::SubCommand evaluateCommand("evaluate",
                               "run many candidates and sum up what they do");

cl::opt<std::string> analyzeInput(cl::Positional, cl::desc("FILE"),
                                  cl::Required, cl::sub(analyzeCommand));
cl::opt<std::string> runInput(cl::Positional, cl::desc("CANDIDATE"),
                              cl::Required, cl::sub(runCommand));
cl::opt<std::string> crosscheckReport(cl::Positional, cl::desc("REPORT"),
                                      cl::Required, cl::sub(crosscheckCommand));
cl::opt<std::string> crosscheckTrace(cl::Positional, cl::desc("TRACE"),
                                     cl::Required, cl::sub(crosscheckCommand));

cl::opt<std::string> evaluateInput(cl::Positional, cl::desc("SAMPLES"),
                                   cl::Required, cl::sub(evaluateCommand));

// What several commands have.
#define RUN_COMMANDS cl::sub(runCommand), cl::sub(evaluateCommand)
#define ANALYSIS_COMMANDS cl::sub(analyzeCommand), RUN_COMMANDS
#define REPORT_COMMANDS                                                        \
  cl::sub(analyzeCommand), cl::sub(runCommand), cl::sub(crosscheckCommand)

cl::opt<std::string> entry("entry", cl::value_desc("NAME"),
                           cl::desc("only this .entry"),
                           cl::sub(analyzeCommand), cl::cat(category));
cl::opt<std::string> grid("grid", cl::value_desc("X,Y,Z"),
                          cl::desc("assume this grid, in CTAs"),
                          cl::sub(analyzeCommand), cl::cat(category));
cl::opt<std::string> block("block", cl::value_desc("X,Y,Z"),
                           cl::desc("assume this block, in threads"),
                           cl::sub(analyzeCommand), cl::cat(category));
cl::opt<std::string> cluster("cluster", cl::value_desc("X,Y,Z"),
                             cl::desc("assume this cluster, in CTAs"),
                             cl::sub(analyzeCommand), cl::cat(category));
cl::list<std::string>
    args("arg", cl::value_desc("INDEX=VALUE"),
         cl::desc("assume the value of a parameter: INDEX=VALUE, "
                  "INDEX=hex:BYTES, INDEX=@FILE or INDEX+OFFSET:u32=VALUE"),
         cl::sub(analyzeCommand), cl::cat(category));
cl::opt<std::string>
    launchFrom("launch-from", cl::value_desc("TRACE"),
               cl::desc("assume the launches that a trace recorded"),
               cl::sub(analyzeCommand), cl::cat(category));
cl::opt<bool> noPtxas("no-ptxas",
                      cl::desc("do not have ptxas assemble the text, too"),
                      cl::sub(analyzeCommand), cl::cat(category));
cl::opt<std::string> target("target", cl::value_desc("sm_90a"),
                            cl::desc("architecture a .cu is compiled for"),
                            cl::init("sm_90a"), ANALYSIS_COMMANDS,
                            cl::cat(category));
cl::opt<std::string> cudaPath("cuda-path", cl::value_desc("DIR"),
                              cl::desc("the CUDA toolkit to use"),
                              ANALYSIS_COMMANDS, cl::cat(category));
cl::opt<std::string> tvmFfiPath("tvm-ffi-path", cl::value_desc("DIR"),
                                cl::desc("TVM-FFI, with include/ and lib/"),
                                ANALYSIS_COMMANDS, cl::cat(category));
cl::opt<std::string> task("task", cl::value_desc("NAME"),
                          cl::desc("the task, or the folder of one; without, "
                                   "a module in MLIR is a program of its own"),
                          cl::sub(runCommand), cl::cat(category));
cl::opt<std::string>
    workload("workload", cl::value_desc("WHICH,..."),
             cl::desc("the workload: its uuid or the beginning of it, an axis "
                      "(M=8192), 'small', 'full' or 'all'; more of them are "
                      "judged, too (default: full and a small one; on the "
                      "emulator a small one)"),
             RUN_COMMANDS, cl::cat(category));
cl::opt<std::string> tasksDirectory("tasks", cl::value_desc("DIR"),
                                    cl::desc("where tasks are looked for"),
                                    cl::init("tasks"), RUN_COMMANDS,
                                    cl::cat(category));
cl::opt<std::string> backend("backend", cl::value_desc("auto|cuda|emulator"),
                             cl::desc("what runs the candidate; auto takes a "
                                      "GPU or, where there is none, the "
                                      "emulator"),
                             cl::init("auto"), RUN_COMMANDS, cl::cat(category));
cl::opt<std::string>
    deviceModel("device-model", cl::value_desc("NAME|FILE"),
                cl::desc("the device that the emulator is (default: h200)"),
                RUN_COMMANDS, cl::cat(category));
cl::opt<std::string>
    schedule("schedule",
             cl::value_desc("eager|lazy|random:SEED|adversarial:SEED"),
             cl::desc("when asynchronous operations complete on the emulator"),
             RUN_COMMANDS, cl::cat(category));
cl::opt<std::string>
    checks("checks", cl::value_desc("none|all"),
           cl::desc("whether the emulator looks for misuse (default: none)"),
           cl::init("none"), RUN_COMMANDS, cl::cat(category));
cl::opt<std::string> sanitizer(
    "sanitize", cl::value_desc("none|auto|memcheck|emulator"),
    cl::desc("what looks for misuse of memory first, on a small workload: "
             "compute-sanitizer, or the emulator with all checks; auto: that "
             "of the backend"),
    cl::init("auto"), RUN_COMMANDS, cl::cat(category));
cl::opt<std::string> traceOutput("trace", cl::value_desc("FILE"),
                                 cl::desc("also write the trace here"),
                                 cl::sub(runCommand), cl::cat(category));
cl::opt<std::string>
    workDirectory("work-dir", cl::value_desc("DIR"),
                  cl::desc("keep what is built here (default: a temporary "
                           "folder that is removed)"),
                  ANALYSIS_COMMANDS, cl::cat(category));
cl::opt<double> timeoutSeconds("timeout", cl::value_desc("SECONDS"),
                               cl::desc("wall-clock limit of each stage of the "
                                        "candidate; of analyze, what MLIR and "
                                        "LLVM may need for a module"),
                               cl::init(60), ANALYSIS_COMMANDS,
                               cl::cat(category));
cl::opt<uint64_t> seed("seed", cl::desc("seed of the inputs"), cl::init(1),
                       RUN_COMMANDS, cl::cat(category));
cl::opt<std::string> function("function", cl::value_desc("NAME"),
                              cl::desc("the function that the candidate "
                                       "exports (default: run)"),
                              cl::init("run"), cl::sub(runCommand),
                              cl::cat(category));
cl::opt<unsigned> timedCalls("calls", cl::desc("timed calls"), cl::init(50),
                             RUN_COMMANDS, cl::cat(category));
cl::opt<OutputFormat> format(
    "format", cl::desc("form of the report"),
    cl::values(clEnumValN(OutputFormat::Text, "text", "for people"),
               clEnumValN(OutputFormat::JSON, "json", "ptxbench.report.v1"),
               clEnumValN(OutputFormat::HTML, "html", "one page")),
    cl::init(OutputFormat::Text), REPORT_COMMANDS, cl::cat(category));
cl::opt<std::string> output("o", cl::value_desc("FILE"),
                            cl::desc("write the report here; of evaluate the "
                                     "folder of the results"),
                            REPORT_COMMANDS, cl::sub(evaluateCommand),
                            cl::cat(category));
cl::opt<unsigned> jobs("jobs", cl::value_desc("N"),
                       cl::desc("samples that run at the same time, on a GPU "
                                "each where there are GPUs"),
                       cl::init(1), cl::sub(evaluateCommand),
                       cl::cat(category));
cl::opt<bool> quiet("quiet",
                    cl::desc("do not say on the standard error which sample "
                             "and which stage runs"),
                    cl::sub(evaluateCommand), cl::cat(category));
cl::opt<double> progressSeconds("progress", cl::value_desc("SECONDS"),
                                cl::desc("name each stage that takes longer "
                                         "(default: 5)"),
                                cl::init(5), cl::sub(evaluateCommand),
                                cl::cat(category));
cl::opt<std::string>
    sourceFolder("source-folder", cl::value_desc("DIR"), cl::Hidden,
                 cl::desc("the folder that all of the candidate is in, where "
                          "that is not the file's own"),
                 cl::sub(runCommand), cl::cat(category));
cl::opt<int> stagesTo("stages-to", cl::value_desc("DESCRIPTOR"), cl::Hidden,
                      cl::desc("write the name of each stage that begins here"),
                      cl::init(-1), cl::sub(runCommand), cl::cat(category));

} // namespace

/// Whether the emulator has such a schedule; empty: that of the environment.
static bool isSchedule(StringRef text) {
  auto [kind, seed] = text.split(':');
  uint64_t number;
  if (kind == "random" || kind == "adversarial")
    return text == kind || !seed.getAsInteger(10, number);
  return text.empty() || text == "eager" || text == "lazy";
}

/// Whether two paths are those of one regular file, which need not be there.
static bool isSameFile(StringRef a, StringRef b) {
  if (a.empty() || b.empty() || a == "-" || b == "-")
    return false;
  llvm::sys::fs::file_status status;
  bool isThere = !llvm::sys::fs::status(a, status);
  if (isThere && status.type() != llvm::sys::fs::file_type::regular_file)
    return false;
  bool isSame = false;
  if (isThere && !llvm::sys::fs::equivalent(a, b, isSame))
    return isSame;
  llvm::SmallString<256> one(a), other(b);
  if (llvm::sys::fs::make_absolute(one) || llvm::sys::fs::make_absolute(other))
    return false;
  llvm::sys::path::remove_dots(one);
  llvm::sys::path::remove_dots(other);
  return one == other;
}

/// What an option would overwrite; empty if nothing that is of use.
static std::string findOverwritten() {
  if (isSameFile(output, traceOutput))
    return "-o and --trace are both '" + output + "'";
  const std::pair<const char *, StringRef> written[] = {
      {"-o", output}, {"--trace", traceOutput}};
  const StringRef read[] = {analyzeInput,    runInput,   crosscheckReport,
                            crosscheckTrace, launchFrom, evaluateInput};
  for (auto [option, path] : written)
    for (StringRef input : read)
      if (isSameFile(path, input))
        return std::string(option) + " would overwrite '" + input.str() + "'";
  return "";
}

static bool fill(DriverOptions &options) {
  auto complain = [](llvm::Error error) {
    llvm::errs() << "mlir-ptxbench-runner: " << llvm::toString(std::move(error))
                 << "\n";
    return false;
  };
  auto dim = [&](cl::opt<std::string> &text, std::optional<Dim3> &into) {
    if (text.empty())
      return true;
    Expected<Dim3> value = parseDim3(text, text.ArgStr);
    if (!value)
      return complain(value.takeError());
    into = *value;
    return true;
  };
  if (!dim(grid, options.grid) || !dim(block, options.block) ||
      !dim(cluster, options.cluster))
    return false;
  for (const std::string &text : args) {
    Expected<ArgumentOption> arg = parseArgument(text);
    if (!arg)
      return complain(arg.takeError());
    options.arguments.push_back(std::move(*arg));
  }
  if (!launchFrom.empty() && options.hasLaunchOptions())
    return complain(makeError("--launch-from stands for --grid, --block, "
                              "--cluster and --arg: give one or the other"));
  auto lacks = [](const std::string &folder, const char *file) {
    return !llvm::sys::fs::exists(folder + "/" + file);
  };
  if (!cudaPath.empty() && lacks(cudaPath, "bin/nvcc") &&
      lacks(cudaPath, "bin/ptxas"))
    return complain(makeError("--cuda-path takes the folder of a toolkit, with "
                              "bin/nvcc or bin/ptxas, but got '" +
                              cudaPath + "'"));
  if (!tvmFfiPath.empty() && lacks(tvmFfiPath, "include/tvm/ffi/c_api.h"))
    return complain(makeError("--tvm-ffi-path takes a folder with "
                              "include/tvm/ffi/c_api.h but got '" +
                              tvmFfiPath + "'"));
  std::optional<TargetArch> arch = parseTargetArch(target);
  if (!arch || stringifyTargetArch(*arch) != target)
    return complain(makeError("--target takes an architecture such as sm_90a "
                              "or sm_100f but got '" +
                              target + "'"));
  if (backend != "auto" && backend != "cuda" && backend != "emulator")
    return complain(makeError("--backend takes 'auto', 'cuda' or 'emulator' "
                              "but got '" +
                              backend + "'"));
  for (const auto *option : {static_cast<const cl::Option *>(&deviceModel),
                             static_cast<const cl::Option *>(&schedule),
                             static_cast<const cl::Option *>(&checks)})
    if (option->getNumOccurrences() && backend == "cuda")
      return complain(makeError("--" + option->ArgStr.str() +
                                " is of the emulator, which --backend=cuda "
                                "does not take"));
  if (checks != "none" && checks != "all")
    return complain(
        makeError("--checks takes 'none' or 'all' but got '" + checks + "'"));
  if (sanitizer != "none" && sanitizer != "auto" && sanitizer != "memcheck" &&
      sanitizer != "emulator")
    return complain(makeError("--sanitize takes 'none', 'auto', 'memcheck' or "
                              "'emulator' but got '" +
                              sanitizer + "'"));
  if (!isSchedule(schedule))
    return complain(makeError("--schedule takes 'eager', 'lazy', "
                              "'random:SEED' or 'adversarial:SEED' but got '" +
                              schedule + "'"));
  if (!(timeoutSeconds > 0 && timeoutSeconds <= maxSeconds))
    return complain(makeError("--timeout takes seconds above 0, up to " +
                              llvm::Twine(maxSeconds)));
  if (timedCalls == 0 || timedCalls > maxCalls)
    return complain(
        makeError("--calls takes a number from 1 to " + llvm::Twine(maxCalls)));
  if (jobs == 0 || jobs > 1024)
    return complain(makeError("--jobs takes a number from 1 to 1024"));
  if (!(progressSeconds >= 0 && progressSeconds <= maxSeconds))
    return complain(makeError("--progress takes seconds from 0 to " +
                              llvm::Twine(maxSeconds)));
  if (quiet && progressSeconds.getNumOccurrences())
    return complain(makeError("--quiet says nothing and --progress says when: "
                              "give one or the other"));
  if (std::string what = findOverwritten(); !what.empty())
    return complain(makeError(what));
  if (evaluateCommand && output.empty())
    return complain(makeError("evaluate wants a folder for its results: -o"));
  return true;
}

std::optional<DriverOptions> parseCommandLine(int argc, char **argv) {
  // Options of the libraries that are linked in are no part of this tool.
  for (cl::SubCommand *command :
       {&analyzeCommand, &runCommand, &crosscheckCommand, &evaluateCommand})
    cl::HideUnrelatedOptions(category, *command);
  cl::HideUnrelatedOptions(category);
  cl::SetVersionPrinter(printVersions);
  if (!cl::ParseCommandLineOptions(
          argc, argv,
          "mlir-ptxbench-runner: which target instructions of a PTX kernel can "
          "execute, and which did\n",
          &llvm::errs()))
    return std::nullopt;

  DriverOptions options;
  if (analyzeCommand) {
    options.command = Command::Analyze;
    options.input = analyzeInput;
  } else if (runCommand) {
    options.command = Command::Run;
    options.input = runInput;
  } else if (crosscheckCommand) {
    options.command = Command::CrossCheck;
    options.input = crosscheckReport;
    options.trace = crosscheckTrace;
  } else if (evaluateCommand) {
    options.command = Command::Evaluate;
    options.input = evaluateInput;
  } else {
    llvm::errs() << "mlir-ptxbench-runner: expected a command: analyze, run, "
                    "evaluate or crosscheck (see --help)\n";
    return std::nullopt;
  }
  if (!fill(options))
    return std::nullopt;
  options.task = task;
  options.workload = workload;
  options.tasksDirectory = tasksDirectory;
  options.tasksGiven = tasksDirectory.getNumOccurrences() != 0;
  options.entry = entry;
  options.launchFrom = launchFrom;
  options.target = target;
  options.noPtxas = noPtxas;
  options.targetGiven = target.getNumOccurrences() != 0;
  options.format = format;
  options.output = output;
  options.traceOutput = traceOutput;
  options.workDirectory = workDirectory;
  options.backend = backend;
  options.emulator = {deviceModel, schedule, checks == "all"};
  options.cudaPath = cudaPath;
  options.tvmFfiPath = tvmFfiPath;
  options.timeoutSeconds = timeoutSeconds;
  options.seed = seed;
  options.timedCalls = timedCalls;
  options.jobs = jobs;
  options.quiet = quiet;
  options.progressSeconds = progressSeconds;
  options.stagesTo = stagesTo;
  options.sourceFolder = sourceFolder;
  options.sanitize = sanitizer;
  options.function = function;
  return options;
}

} // namespace ptxbench
