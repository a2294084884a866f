//===- EvaluateCommand.cpp - Many candidates, and what they say together --===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every sample is a `run` in a process of its own, so that none can harm the
// next one; its outcome is on the disk before the next one begins. The folder
// of the results holds
//
//   settings.json             what these results depend on
//   results.jsonl             a record per sample, appended
//   samples/N/, reports/N.json  the code of sample N and the report of its run
//   turns.csv, traces.jsonl, metrics.json   made from the records at the end
//
// Started again with the same samples and in the same way it goes on where it
// was, also if samples were added anywhere; a sample that could not be judged
// through no fault of its own is run again.
//
//===----------------------------------------------------------------------===//

#include "BackendChoice.h"
#include "Commands.h"
#include "EvaluateProgress.h"
#include "EvaluateSettings.h"
#include "RunRequestBuilder.h"
#include "Versions.h"
#include "ptxbench/Evaluation/Exports.h"
#include "ptxbench/Evaluation/Metrics.h"
#include "ptxbench/Evaluation/ResultStore.h"
#include "ptxbench/Report/ReportIO.h"
#include "ptxbench/Support/Printable.h"
#include "ptxbench/Support/Subprocess.h"
#include "ptxbench/Support/Toolchain.h"
#include "ptxbench/Task/Solution.h"
#include "ptxbench/Task/Task.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <atomic>
#include <chrono>
#include <cmath>
#include <map>
#include <set>
#include <thread>

using namespace llvm;

namespace ptxbench {

namespace {

class Evaluation {
public:
  explicit Evaluation(const DriverOptions &given)
      : options(given), tasksDirectory(given.tasksDirectory) {}
  int run();

private:
  Error prepare();
  /// Loads the tasks of the samples and looks whether the options fit them.
  Error loadTasks(EvaluateSettings &settings);
  Error takeSettings(EvaluateSettings settings);
  /// Decides what `auto` is, once for all samples.
  void chooseBackend();
  /// Holds the samples against the records of earlier ones, and gives numbers
  /// to those that have none.
  Error matchRecords();
  /// Writes the code of a sample; the path of the file to compile.
  Expected<std::string> writeCode(const Sample &sample);
  Record evaluate(const Sample &sample, unsigned job, size_t number);
  void runCode(const std::string &file, StringRef function, unsigned job,
               StageWatch &watch, Record &record);
  Error writeExports(ArrayRef<Record> records);
  json::Object inputsOf(const Record &record, StringRef uuid);
  std::string path(const Twine &name) const;

  DriverOptions options;
  std::string tasksDirectory;
  std::vector<Sample> samples;
  std::unique_ptr<ResultStore> store;
  std::optional<Progress> progress;
  std::map<std::string, Task> tasks;
  /// What CUDA_VISIBLE_DEVICES is for each job; empty: as it is.
  std::vector<std::string> devices;
};

} // namespace

std::string Evaluation::path(const Twine &name) const {
  SmallString<128> path(options.output);
  sys::path::append(path, name);
  return std::string(path);
}

static Error makeFolder(StringRef folder) {
  if (std::error_code error = sys::fs::create_directories(folder))
    return createStringError(error, "cannot make the folder '" + folder +
                                        "': " + error.message());
  return Error::success();
}

/// The devices that CUDA_VISIBLE_DEVICES leaves or, without it, the ordinals of
/// those that have a device file here.
static std::vector<std::string> findDevices() {
  std::vector<std::string> devices;
  if (const char *text = std::getenv("CUDA_VISIBLE_DEVICES")) {
    SmallVector<StringRef, 8> names;
    StringRef(text).split(names, ',', -1, /*KeepEmpty=*/false);
    for (StringRef name : names)
      devices.push_back(name.trim().str());
    return devices;
  }
  std::error_code code;
  for (sys::fs::directory_iterator it("/dev", code), end; it != end && !code;
       it.increment(code)) {
    StringRef name = sys::path::filename(it->path());
    if (name.consume_front("nvidia") && !name.empty() && all_of(name, isDigit))
      devices.push_back(std::to_string(devices.size()));
  }
  return devices;
}

Error Evaluation::loadTasks(EvaluateSettings &settings) {
  ToolchainOptions tools;
  tools.cudaPath = options.cudaPath;
  tools.executable = executablePath();
  if (Error error = Toolchain(tools).checkTarget(options.target))
    return createStringError(inconvertibleErrorCode(),
                             "--target: " + toString(std::move(error)));
  StringSet<> seen;
  for (const Sample &sample : samples) {
    if (tasks.count(sample.task) ||
        (!seen.insert(sample.task).second && !sample.code))
      continue;
    // Tasks that are not there are a mistake in the file, not in a sample.
    auto refuse = [&](Error error) {
      return createStringError(inconvertibleErrorCode(),
                               options.input + ":" + Twine(sample.line) + ": " +
                                   toString(std::move(error)));
    };
    Expected<std::string> found = findTask(tasksDirectory, sample.task);
    if (!found)
      return refuse(found.takeError());
    // A data set has tasks that are not for us, with solutions that are not.
    if (!sample.code)
      continue;
    Expected<Task> task = loadTask(*found);
    if (!task)
      return refuse(task.takeError());
    if (Expected<std::vector<const Workload *>> chosen =
            selectWorkloads(*task, options.workload);
        !chosen)
      return createStringError(inconvertibleErrorCode(),
                               "--workload: " + toString(chosen.takeError()));
    if (Error error = settings.addTask(sample.task, *task))
      return error;
    tasks.emplace(sample.task, std::move(*task));
  }
  return Error::success();
}

/// Results that were made in another way would count as these.
Error Evaluation::takeSettings(EvaluateSettings settings) {
  std::string file = path("settings.json");
  auto refuse = [&](const Twine &why) {
    return createStringError(inconvertibleErrorCode(),
                             "'" + options.output + "' has results that " +
                                 why + ": give another folder");
  };
  Expected<std::optional<EvaluateSettings>> earlier =
      EvaluateSettings::read(file);
  if (!earlier)
    return earlier.takeError();
  if (!store->records().empty()) {
    if (!*earlier)
      return refuse("do not say how they were made (no settings.json)");
    std::string differences = settings.differences(**earlier);
    if (!differences.empty())
      return refuse("were made in another way (" + differences + ")");
  }
  return settings.write(file);
}

void Evaluation::chooseBackend() {
  if (options.backend != "auto")
    return;
  // A resumed evaluation must not go on elsewhere, and half of the samples of
  // one that a GPU is lost to must not be judged on the emulator.
  BackendChoice choice = ptxbench::chooseBackend(options, executablePath());
  options.backend = choice.backend ? choice.backend->name().str() : "emulator";
  errs() << "mlir-ptxbench-runner: --backend=auto is '" << options.backend
         << "' for all samples";
  if (!choice.refusal.empty())
    errs() << ": " << toPrintable(choice.refusal);
  errs() << '\n';
}

/// Keys had the place of the sample before its digest: "3-8f14e45fceea167a".
static bool hasPlace(StringRef key) { return key.split('-').second.size() > 8; }

Error Evaluation::matchRecords() {
  auto refuse = [&](const Twine &why) {
    return createStringError(inconvertibleErrorCode(),
                             "'" + options.output + "' has results " + why +
                                 ": give another folder");
  };
  StringMap<Sample *> byKey;
  for (Sample &sample : samples)
    byKey[sample.key] = &sample;
  std::set<size_t> taken;
  for (const Record &record : store->records()) {
    if (hasPlace(record.key))
      return refuse("of an earlier version, which knew samples by their "
                    "places (" +
                    record.key + ")");
    auto found = byKey.find(record.key);
    // Results of other samples in the same folder would count as these.
    if (found == byKey.end())
      return refuse("of a sample that is not among these, number " +
                    Twine(record.index) + " (" + nameSample(record) + ")");
    found->second->index = record.index;
    if (!taken.insert(record.index).second)
      return refuse("of two samples with the number " + Twine(record.index));
  }
  size_t place = 0, next = 0;
  std::vector<Sample *> displaced;
  for (Sample &sample : samples) {
    size_t wanted = place++;
    if (store->find(sample.key))
      continue;
    if (taken.insert(wanted).second)
      sample.index = wanted;
    else
      displaced.push_back(&sample);
  }
  for (Sample *sample : displaced) {
    while (!taken.insert(next).second)
      ++next;
    sample->index = next;
  }
  return Error::success();
}

Error Evaluation::prepare() {
  Expected<std::vector<Sample>> parsed = loadSamples(options.input);
  if (!parsed)
    return parsed.takeError();
  samples = std::move(*parsed);
  chooseBackend();
  if (options.jobs > 1 && options.backend == "cuda") {
    devices = findDevices();
    if (options.jobs > devices.size())
      return createStringError(inconvertibleErrorCode(),
                               "--jobs=" + Twine(options.jobs) +
                                   " wants a GPU for each job but there are " +
                                   Twine(devices.size()));
  }
  // A data set has the definitions, too.
  if (sys::fs::is_directory(options.input) && !options.tasksGiven)
    tasksDirectory = options.input;
  EvaluateSettings settings = EvaluateSettings::of(options);
  if (Error error = loadTasks(settings))
    return error;
  if (Error error = makeFolder(options.output))
    return error;
  Expected<std::unique_ptr<ResultStore>> opened =
      ResultStore::open(path("results.jsonl"));
  if (!opened)
    return opened.takeError();
  store = std::move(*opened);
  if (Error error = matchRecords())
    return error;
  return takeSettings(std::move(settings));
}

/// The sources that are compiled with the first: those that no other includes.
static std::vector<std::string> findUnits(const CandidateCode &code) {
  std::vector<std::string> units;
  for (const SourceFile &file : ArrayRef(code.files).drop_front()) {
    StringRef kind = sys::path::extension(file.path);
    if (kind != ".cu" && kind != ".cpp" && kind != ".cc")
      continue;
    std::string quoted = sys::path::filename(file.path).str() + "\"";
    if (none_of(code.files, [&](const SourceFile &other) {
          return other.path != file.path &&
                 StringRef(other.text).contains(quoted);
        }))
      units.push_back(file.path);
  }
  return units;
}

Expected<std::string> Evaluation::writeCode(const Sample &sample) {
  SmallString<128> folder(path("samples"));
  sys::path::append(folder, Twine(sample.index));
  std::string first;
  auto write = [&](StringRef name, StringRef text) -> Error {
    SmallString<128> file(folder);
    sys::path::append(file, name);
    if (Error error = makeFolder(sys::path::parent_path(file)))
      return error;
    if (first.empty())
      first = std::string(file);
    return writeFileAtomically(file, text);
  };
  // One file that includes all, so that there is one PTX text.
  std::vector<std::string> units = findUnits(*sample.code);
  if (!units.empty()) {
    std::string all;
    for (const std::string &unit : units)
      all += "#include \"" + unit + "\"\n";
    all += "#include \"" + sample.code->files.front().path + "\"\n";
    if (Error error = write(solutionUnit, all))
      return error;
  }
  for (const SourceFile &source : sample.code->files)
    if (Error error = write(source.path, source.text))
      return error;
  return first;
}

/// Runs the candidate as `run` does and takes its report.
void Evaluation::runCode(const std::string &file, StringRef function,
                         unsigned job, StageWatch &watch, Record &record) {
  if (Error error = makeFolder(path("reports"))) {
    record.reason = toString(std::move(error));
    return;
  }
  std::string name = "reports/" + std::to_string(record.index) + ".json";
  std::string report = path(name);
  (void)sys::fs::remove(report);
  SubprocessOptions process;
  process.argv = {executablePath(),
                  "run",
                  file,
                  "--task=" + record.task,
                  "--tasks=" + tasksDirectory,
                  "--function=" + function.str(),
                  "--backend=" + options.backend,
                  formatv("--timeout={0}", options.timeoutSeconds),
                  "--seed=" + std::to_string(options.seed),
                  "--calls=" + std::to_string(options.timedCalls),
                  "--sanitize=" + options.sanitize,
                  "--stages-to=" + std::to_string(watch.channelDescriptor()),
                  "--format=json",
                  "-o",
                  report};
  SmallString<128> sources(path("samples"));
  sys::path::append(sources, Twine(record.index));
  process.argv.push_back(("--source-folder=" + sources).str());
  process.monitor = &watch;
  // Each stage has a limit of its own, but for the analysis of a text.
  process.timeoutSeconds = 3600 + 20 * options.timeoutSeconds;
  auto forward = [&](const char *option, const std::string &value) {
    if (!value.empty())
      process.argv.push_back(std::string(option) + value);
  };
  forward("--target=", options.loweringTarget());
  forward("--workload=", options.workload);
  forward("--cuda-path=", options.cudaPath);
  forward("--tvm-ffi-path=", options.tvmFfiPath);
  forward("--device-model=", options.emulator.deviceModel);
  forward("--schedule=", options.emulator.schedule);
  if (options.emulator.checks)
    process.argv.push_back("--checks=all");
  if (!devices.empty())
    process.setEnv.push_back(
        {"CUDA_VISIBLE_DEVICES", devices[job % devices.size()]});
  Expected<SubprocessResult> ended = runSubprocess(process);
  if (!ended) {
    record.reason = toString(ended.takeError());
    return;
  }
  auto text = MemoryBuffer::getFile(report);
  if (!text) {
    StringRef said = StringRef(ended->err).trim();
    record.reason = "the run left no report (" + ended->describeEnd() + ")";
    if (!said.empty())
      record.reason += ": " + said.str();
    // Its tasks were found and its options are ours: what is left is how it
    // says that it is launched.
    if (ended->end == SubprocessResult::End::Exited && ended->exitCode == 2 &&
        sys::path::extension(file) != ".cu") {
      record.status = Status::ExtractionError;
      record.reached = Milestone::None;
      record.stages["extract"] = stringifyStageVerdict(StageVerdict::Failed);
    }
    return;
  }
  Expected<Report> parsed = parseReport((*text)->getBuffer(), report);
  if (!parsed) {
    record.reason = toString(parsed.takeError());
    return;
  }
  record.report = name;
  record.take(*parsed);
}

Record Evaluation::evaluate(const Sample &sample, unsigned job, size_t number) {
  StageWatch watch(*progress, sample, number);
  auto begin = std::chrono::steady_clock::now();
  Record record = Record::of(sample);
  if (!sample.code) {
    record.reason = sample.problem;
    if (!sample.isUnsupported) {
      record.status = Status::ExtractionError;
      record.reached = Milestone::None;
    }
    record.stages["extract"] =
        stringifyStageVerdict(sample.isUnsupported ? StageVerdict::Unsupported
                                                   : StageVerdict::Failed);
  } else {
    record.stages["extract"] = stringifyStageVerdict(StageVerdict::Passed);
    Expected<std::string> file = writeCode(sample);
    if (!file)
      record.reason = toString(file.takeError());
    else
      runCode(*file, sample.code->function, job, watch, record);
  }
  record.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
          .count();
  record.timestamp =
      formatv("{0:%Y-%m-%dT%H:%M:%SZ}", sys::toUtcTime(std::time(nullptr)));
  return record;
}

static json::Value toJSON(const InputSource &source) {
  switch (source.kind) {
  case InputSource::Kind::Random:
    return json::Object{{"type", "random"}};
  case InputSource::Kind::Scalar:
    if (source.value == std::floor(source.value) &&
        std::abs(source.value) < 1e15)
      return json::Object{{"type", "scalar"}, {"value", int64_t(source.value)}};
    return json::Object{{"type", "scalar"}, {"value", source.value}};
  case InputSource::Kind::SafeTensors:
    return json::Object{{"type", "safetensors"},
                        {"path", source.path},
                        {"tensor_key", source.tensorKey}};
  }
  return nullptr;
}

/// The inputs of a workload of a record's task in the form of a data set.
json::Object Evaluation::inputsOf(const Record &record, StringRef uuid) {
  json::Object inputs;
  auto task = tasks.find(record.task);
  if (task == tasks.end())
    return inputs;
  for (const Workload &workload : task->second.workloads) {
    if (workload.uuid != uuid)
      continue;
    for (const auto &[name, source] : workload.inputs)
      inputs[name] = toJSON(source);
  }
  return inputs;
}

Error Evaluation::writeExports(ArrayRef<Record> records) {
  auto write = [&](const char *name, function_ref<void(raw_ostream &)> body) {
    std::string text;
    raw_string_ostream os(text);
    body(os);
    return writeFileAtomically(path(name), text);
  };
  if (Error error = write("turns.csv",
                          [&](raw_ostream &os) { writeTurnsCSV(records, os); }))
    return error;
  if (Error error = write("traces.jsonl", [&](raw_ostream &os) {
        for (const Record &record : records)
          for (const json::Value &trace :
               toFlashInferTraces(record, [&](StringRef workload) {
                 return inputsOf(record, workload);
               }))
            os << trace << '\n';
      }))
    return error;
  return write("metrics.json", [&](raw_ostream &os) {
    os << formatv("{0:2}\n", toJSON(computeMetrics(records)));
  });
}

int Evaluation::run() {
  if (Error error = prepare())
    return fail(toString(std::move(error)), 2);
  std::vector<const Sample *> left;
  size_t again = 0;
  for (const Sample &sample : samples) {
    const Record *record = store->find(sample.key);
    if (!record || record->wantsAnotherRun())
      left.push_back(&sample);
    again += record && record->wantsAnotherRun();
  }
  if (left.size() < samples.size())
    outs() << samples.size() - left.size() << " of " << samples.size()
           << " samples were evaluated before\n";
  if (again)
    outs() << again << " of the samples could not be judged before, through "
           << "no fault of "
           << (again == 1 ? "its own, and is"
                          : "their own, "
                            "and are")
           << " run again\n";
  std::atomic<size_t> next{0};
  progress.emplace(left.size(), options.quiet, options.progressSeconds);
  std::string failure;
  auto work = [&](unsigned job) {
    while (true) {
      size_t number = next.fetch_add(1);
      if (number >= left.size())
        return;
      Record record = evaluate(*left[number], job, number + 1);
      Error error = store->append(record);
      std::lock_guard<std::mutex> lock(progress->mutex);
      if (error) {
        failure = toString(std::move(error));
        next = left.size();
        return;
      }
      outs() << record.index << ' ' << toPrintable(record.task) << ' '
             << stringifyStatus(record.status);
      if (record.speedup)
        outs() << formatv(" {0:f3}x", *record.speedup);
      if (!record.reason.empty())
        outs() << ": "
               << toPrintable(StringRef(record.reason).split('\n').first);
      outs() << '\n';
      outs().flush();
    }
  };
  std::vector<std::thread> workers;
  for (unsigned job = 1; job < options.jobs; ++job)
    workers.emplace_back(work, job);
  work(0);
  for (std::thread &worker : workers)
    worker.join();
  if (!failure.empty())
    return fail(failure, 3);

  // In the order of the samples, whichever ended first.
  std::vector<Record> records;
  for (const Sample &sample : samples)
    if (const Record *record = store->find(sample.key))
      records.push_back(*record);
  if (Error error = writeExports(records))
    return fail(toString(std::move(error)), 3);
  writeMetrics(computeMetrics(records), outs());
  bool judged = all_of(
      records, [](const Record &record) { return record.reached.has_value(); });
  return judged ? 0 : 3;
}

int runEvaluation(const DriverOptions &options) {
  return Evaluation(options).run();
}

} // namespace ptxbench
