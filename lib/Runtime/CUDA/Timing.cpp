//===- Timing.cpp - Timing a candidate against a baseline -----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Candidate and baseline are called in turns, so that clocks and temperature
// are the same for both. Before each call: inputs that no call had before, NaN
// bytes in the output, and a write of twice the L2. The device is still busy
// with that while the host prepares the launches, so launch overhead is hidden
// as it is in a running program. A window is open from before the call until
// the whole device has nothing left to do; the time of the call is that of the
// work on record that was asked for in the window, whatever stream or thread it
// came from. The outputs of every call are copied on the
// caller's stream right behind the call: work that this stream does not wait
// for is missing from the copy. Those of one call, chosen by the parent at
// random, go to the judge; all are compared with the baseline's. Events around
// the call are a second opinion.
//
//===----------------------------------------------------------------------===//

#include "../CUPTI/ActivityRecorder.h"
#include "../Worker/WorkScope.h"
#include "Baseline.h"
#include "Nvml.h"
#include "OutputCounter.h"
#include "SignTurner.h"
#include "Workers.h"
#include "ptxbench/Runtime/Inputs.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <set>

using namespace llvm;
using namespace ptxbench;

namespace {

using Clock = std::chrono::steady_clock;

double millisecondsBetween(Clock::time_point a, Clock::time_point b) {
  return std::chrono::duration<double, std::milli>(b - a).count();
}

class TimingRun {
public:
  TimingRun(WorkerContext &context, const Device &device, Candidate &candidate,
            CallTensors &tensors, ActivityRecorder &recorder)
      : context(context), request(context.request), device(device),
        driver(device.api()), candidate(candidate), tensors(tensors),
        recorder(recorder) {}

  Error run();

private:
  Error prepare();
  Error prepareBaseline();
  Error saveBaseline();
  Error poisonBaseline();
  Error beforeCall(unsigned inputsOf);
  bool isJudged(unsigned step) const { return step == request.judgedCall; }
  /// One call of either on the inputs of call number `step`.
  Error timeCandidate(unsigned step, bool timed);
  Error timeBaseline(unsigned step, bool timed);
  /// What the baseline has to do for itself before a call.
  Error prepareCall();
  Error callBaseline();
  /// Copies what the candidate wrote.
  Error copyOutputs(unsigned step);
  /// Compares what the candidate wrote with what the baseline does.
  Error countOutputs(unsigned step, bool candidateFirst);
  Error timeBoth(unsigned step, bool timed);
  /// Waits for the whole device and closes the window of a call.
  Error endWindow(const Twine &what, bool timed);
  Error takeTimes();
  void warnOfDoubts();

  WorkerContext &context;
  const RunRequest &request;
  const Device &device;
  const DriverApi &driver;
  Candidate &candidate;
  CallTensors &tensors;
  ActivityRecorder &recorder;

  CUevent begin = nullptr, end = nullptr;
  DeviceBuffer flush;
  SignTurner turner;
  OutputCounter counter;
  /// What the signs of inputs are turned by in this step.
  uint32_t signs = 0, judgedSigns = 0;
  /// Pristine inputs; empty for outputs. The outputs of the judged call.
  std::vector<DeviceBuffer> pristine, snapshots;
  std::unique_ptr<Baseline> baseline;
  /// What the baseline writes, and a copy of what it wrote in the judged call;
  /// empty for inputs.
  std::vector<DeviceBuffer> baselineOutputs, baselineSnapshots;
  /// For each window, whether it counts.
  std::vector<bool> timedWindows;
  TimeSamples eventTimes;
  RunTiming timing;
};

Error TimingRun::prepare() {
  for (CUevent *event : {&begin, &end})
    if (Error error = driver.check(
            driver.cuEventCreate(event, CU_EVENT_DEFAULT), "cuEventCreate"))
      return error;
  timing.calls = request.timing.calls;
  timing.method = "cupti-activity";
  timing.flushBytes = flushBytes(device);
  Expected<DeviceBuffer> buffer =
      device.allocate(timing.flushBytes, "the L2 flush");
  if (!buffer)
    return buffer.takeError();
  flush = std::move(*buffer);
  if (Error error = turner.load(device))
    return error;
  if (Error error = counter.prepare(device, request))
    return error;

  if (Error error = tensors.setInputs(device, request, timedInputs(request, 0)))
    return error;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const GuardedTensor &tensor = tensors.at(i);
    Expected<DeviceBuffer> copy = device.allocate(
        tensor.spec().bytes(), "a copy of '" + tensor.spec().name + "'");
    if (!copy)
      return copy.takeError();
    bool input = tensor.spec().role == TensorRole::Input;
    if (input)
      if (Error error =
              driver.check(driver.cuMemcpyDtoDAsync_v2(
                               copy->address(), tensor.data(),
                               tensor.spec().bytes(), device.stream()),
                           "copy of an input"))
        return error;
    (input ? pristine : snapshots).push_back(std::move(*copy));
    (input ? snapshots : pristine).emplace_back();
  }
  return prepareBaseline();
}

/// Without a baseline there is still a time.
Error TimingRun::prepareBaseline() {
  if (request.baseline.empty())
    return Error::success();
  context.out.stage(stages::Baseline);
  std::vector<CUdeviceptr> addresses;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const GuardedTensor &tensor = tensors.at(i);
    bool input = tensor.spec().role == TensorRole::Input;
    for (std::vector<DeviceBuffer> *buffers :
         {&baselineOutputs, &baselineSnapshots}) {
      buffers->emplace_back();
      if (input)
        continue;
      Expected<DeviceBuffer> buffer =
          device.allocate(tensor.spec().bytes(), "an output of the baseline");
      if (!buffer)
        return buffer.takeError();
      buffers->back() = std::move(*buffer);
    }
    addresses.push_back(input ? tensor.data()
                              : baselineOutputs.back().address());
  }
  Expected<std::unique_ptr<Baseline>> made =
      Baseline::create(device, context.toolchain, request, addresses);
  Error problem =
      made ? (*made)->choose(request.baselineProposal) : made.takeError();
  if (problem) {
    timing.warnings.push_back("no baseline: " + toString(std::move(problem)));
    return Error::success();
  }
  baseline = std::move(*made);
  timing.baselineName = baseline->name();
  if (std::string what = baseline->preparation(); !what.empty())
    timing.baselineName += " (" + what + ")";
  return Error::success();
}

Error TimingRun::beforeCall(unsigned inputsOf) {
  // A window of persisting lines that someone set would survive the flush, and
  // what was set aside for them the baseline could not use.
  driver.cuCtxResetPersistingL2Cache();
  size_t setAside = 0;
  if (driver.cuCtxGetLimit(&setAside, CU_LIMIT_PERSISTING_L2_CACHE_SIZE) ==
          CUDA_SUCCESS &&
      setAside)
    driver.cuCtxSetLimit(CU_LIMIT_PERSISTING_L2_CACHE_SIZE, 0);
  for (size_t i = 0; i < tensors.size(); ++i) {
    const GuardedTensor &tensor = tensors.at(i);
    if (!pristine[i].address())
      continue;
    uint64_t bytes = tensor.spec().bytes();
    uint64_t cut = rotationCut(tensor.spec(), inputsOf);
    const std::tuple<CUdeviceptr, CUdeviceptr, uint64_t> parts[] = {
        {tensor.data(), pristine[i].address() + cut, bytes - cut},
        {tensor.data() + bytes - cut, pristine[i].address(), cut}};
    for (auto [to, from, count] : parts)
      if (count)
        if (Error error = driver.check(
                driver.cuMemcpyDtoDAsync_v2(to, from, count, device.stream()),
                "copy of inputs"))
          return error;
    if (tensor.spec().turnsSigns)
      if (Error error = turner.turn(tensor, signs))
        return error;
  }
  if (Error error = tensors.poisonOutputs(device))
    return error;
  return device.fill(flush.address(), 0, flush.size());
}

Error TimingRun::endWindow(const Twine &what, bool timed) {
  if (Error error = device.synchronize(what))
    return error;
  recorder.closeWindow();
  timedWindows.push_back(timed);
  return Error::success();
}

/// One copy in each call of what is compared on the device, so that no call is
/// known by another one: those of the judged call stay for the judge, the next
/// call's replace all others. Outputs that only the judge can compare are
/// copied in the judged call alone.
Error TimingRun::copyOutputs(unsigned step) {
  if (!isJudged(step))
    return counter.copy(tensors);
  for (size_t i = 0; i < tensors.size(); ++i)
    if (snapshots[i].address())
      if (Error error =
              driver.check(driver.cuMemcpyDtoDAsync_v2(
                               snapshots[i].address(), tensors.at(i).data(),
                               tensors.at(i).spec().bytes(), device.stream()),
                           "copy of an output"))
        return error;
  return Error::success();
}

Error TimingRun::timeCandidate(unsigned step, bool timed) {
  if (Error error = beforeCall(step))
    return error;
  recorder.openWindow(WorkOwner::Candidate);
  driver.cuEventRecord(begin, device.stream());
  if (Error error = candidate.call(tensors.arguments()))
    return error;
  recorder.markReturned();
  driver.cuEventRecord(end, device.stream());
  if (timed)
    if (Error error = copyOutputs(step))
      return error;
  if (Error error = endWindow("a timed call of the candidate", timed))
    return error;
  recorder.takeLibraries();
  float ms = 0;
  if (timed && driver.cuEventElapsedTime(&ms, begin, end) == CUDA_SUCCESS)
    eventTimes.ms.push_back(double(ms));
  return Error::success();
}

Error TimingRun::poisonBaseline() {
  if (!baseline)
    return Error::success();
  for (size_t i = 0; i < tensors.size(); ++i)
    if (baselineOutputs[i].address())
      if (Error error = device.poison(baselineOutputs[i].address(),
                                      tensors.at(i).spec().type,
                                      tensors.at(i).spec().elements()))
        return error;
  return Error::success();
}

Error TimingRun::prepareCall() {
  if (baseline->preparation().empty())
    return Error::success();
  if (Error error = baseline->prepare())
    return error;
  return device.fill(flush.address(), 0, flush.size());
}

Error TimingRun::callBaseline() {
  WorkScope scope(WorkOwner::Baseline);
  return baseline->run();
}

Error TimingRun::timeBaseline(unsigned step, bool timed) {
  if (!baseline)
    return Error::success();
  if (Error error = poisonBaseline())
    return error;
  if (Error error = beforeCall(step))
    return error;
  if (Error error = prepareCall())
    return error;
  recorder.openWindow(WorkOwner::Baseline);
  if (Error error = callBaseline())
    return error;
  recorder.markReturned();
  // A baseline opens libraries, too, some of them late.
  recorder.noteLibraries();
  if (Error error = endWindow("a timed call of the baseline", timed))
    return error;
  if (timed && isJudged(step))
    for (size_t i = 0; i < tensors.size(); ++i)
      if (baselineSnapshots[i].address())
        if (Error error =
                driver.check(driver.cuMemcpyDtoDAsync_v2(
                                 baselineSnapshots[i].address(),
                                 baselineOutputs[i].address(),
                                 baselineOutputs[i].size(), device.stream()),
                             "copy of an output of the baseline"))
          return error;
  return Error::success();
}

Error TimingRun::countOutputs(unsigned step, bool candidateFirst) {
  auto copies = isJudged(step) ? ArrayRef(snapshots) : ArrayRef<DeviceBuffer>();
  if (!baseline)
    return counter.count(step, copies, {});
  // What the baseline had written was wiped before the candidate's call.
  if (!candidateFirst) {
    if (Error error = beforeCall(step))
      return error;
    if (Error error = prepareCall())
      return error;
    if (Error error = callBaseline())
      return error;
  }
  return counter.count(step, copies, baselineOutputs);
}

Error TimingRun::timeBoth(unsigned step, bool timed) {
  Expected<uint32_t> drawn = drawNumber(), order = drawNumber();
  if (!drawn || !order)
    return joinErrors(drawn.takeError(), order.takeError());
  signs = *drawn;
  // The order is drawn, so that neither always follows the other; but the
  // candidate is judged before the baseline has made anything of these inputs.
  // Nothing tells it which call that is.
  bool judged = timed && isJudged(step);
  if (judged)
    judgedSigns = signs;
  bool candidateFirst = *order % 2 == 0 || judged;
  if (candidateFirst)
    if (Error error = timeCandidate(step, timed))
      return error;
  if (Error error = timeBaseline(step, timed))
    return error;
  if (!candidateFirst) {
    if (Error error = poisonBaseline())
      return error;
    if (Error error = timeCandidate(step, timed))
      return error;
  }
  if (timed)
    if (Error error = countOutputs(step, candidateFirst))
      return error;
  // No later call finds them.
  return poisonBaseline();
}

/// Reads the times of all windows.
Error TimingRun::takeTimes() {
  Expected<TimelineResult> timeline = recorder.endTimeline();
  if (!timeline)
    return timeline.takeError();
  std::vector<WindowTime> ofCandidate;
  std::set<std::set<std::string>> kernels;
  TimeSamples busy, host;
  for (size_t i = 0; i < timedWindows.size(); ++i) {
    if (!timedWindows[i])
      continue;
    const WindowTime &window = timeline->windows[i];
    if (timeline->owners[i] == WorkOwner::Baseline) {
      timing.baseline.ms.push_back(window.spanMs);
      continue;
    }
    ofCandidate.push_back(window);
    kernels.insert(window.names);
    timing.candidate.ms.push_back(window.spanMs);
    busy.ms.push_back(window.busyMs);
    host.ms.push_back(window.hostMs);
    timing.worksPerCall =
        std::max<uint64_t>(timing.worksPerCall, window.works());
  }
  timing.busyMs = busy.median();
  timing.hostMs = host.median();
  timing.eventMs = eventTimes.median();
  std::optional<Violation> violation = timeline->violation;
  if (!violation)
    violation = checkWindows(ofCandidate);
  if (violation)
    context.out.result("violation", toJSON(*violation));
  json::Array ofCalls;
  for (const std::set<std::string> &names : kernels)
    ofCalls.push_back(json::Array(names));
  context.out.result("timed_kernels", std::move(ofCalls));
  return Error::success();
}

void TimingRun::warnOfDoubts() {
  double latency = timing.candidate.median().value_or(0);
  std::string text;
  raw_string_ostream os(text);
  // An event cannot come before the work that its stream waits for.
  if (timing.eventMs && *timing.eventMs < 0.95 * latency - 0.02) {
    os << "events around a call are " << format("%.3f", *timing.eventMs)
       << " ms apart, its work took " << format("%.3f", latency)
       << " ms: the caller's stream does not wait for all of it";
    timing.warnings.push_back(text);
    text.clear();
  }
  if (timing.hostMs && *timing.hostMs > 1.5 * latency + 0.5) {
    os << "a call kept the host for " << format("%.3f", *timing.hostMs)
       << " ms, its work on the device took " << format("%.3f", latency)
       << " ms";
    timing.warnings.push_back(text);
    text.clear();
  }
  if (std::string reasons = timing.clocksAfter.throttling(); !reasons.empty()) {
    os << "the clocks were held down (" << reasons << ")";
    if (timing.clocksAfter.smMHz)
      os << ", to " << *timing.clocksAfter.smMHz << " MHz after the last call";
    timing.warnings.push_back(text);
    text.clear();
  }
  size_t quarter = timing.candidate.ms.size() / 4;
  if (quarter < 2)
    return;
  ArrayRef<double> all = timing.candidate.ms;
  double first = *TimeSamples{all.take_front(quarter).vec()}.median();
  double last = *TimeSamples{all.take_back(quarter).vec()}.median();
  if (std::max(first, last) > 1.05 * std::min(first, last)) {
    os << "calls took " << format("%.3f", first) << " ms at first and "
       << format("%.3f", last)
       << " ms in the end: compare the ratios of pairs of calls, not the "
          "medians";
    timing.warnings.push_back(text);
  }
}

/// Leaves the baseline's outputs of the judged call to the judge.
Error TimingRun::saveBaseline() {
  if (!baseline || !request.judgedCall)
    return Error::success();
  std::vector<uint8_t> bytes;
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (!baselineSnapshots[i].address())
      continue;
    bytes.resize(baselineSnapshots[i].size());
    if (Error error = device.download(bytes, baselineSnapshots[i].address()))
      return error;
    if (Error error =
            saveFile(context.out, baselineFile(request, unsigned(i)), bytes))
      return error;
  }
  return Error::success();
}

Error TimingRun::run() {
  context.out.stage(stages::Inputs);
  recorder.takeLibraries();
  if (Error error = prepare())
    return error;
  recorder.noteLibraries();
  if (Error error = device.synchronize("before the timed calls"))
    return error;
  if (Error error = recorder.beginTimeline())
    return error;
  Nvml nvml(device.pciBusId());
  timing.clocksBefore = nvml.read();
  context.out.stage(stages::Timing);
  Clock::time_point start = Clock::now();
  auto warm = [&] {
    return millisecondsBetween(start, Clock::now()) >=
           1e3 * request.timing.warmupSeconds;
  };
  // Warm-ups have inputs that no timed call has.
  for (timing.warmups = 0; timing.warmups < request.timing.warmups || !warm();
       ++timing.warmups)
    if (Error error = timeBoth(timing.calls + timing.warmups, /*timed=*/false))
      return error;
  for (unsigned call = 0; call < timing.calls; ++call)
    if (Error error = timeBoth(call, /*timed=*/true))
      return error;
  timing.clocksAfter = nvml.read();
  if (Error error = takeTimes())
    return error;
  warnOfDoubts();
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (!request.judgedCall || !snapshots[i].address())
      continue;
    std::vector<uint8_t> bytes(snapshots[i].size());
    if (Error error = device.download(bytes, snapshots[i].address()))
      return error;
    if (Error error =
            saveFile(context.out,
                     outputFile(request, request.trials, unsigned(i)), bytes))
      return error;
  }
  if (Error error = saveBaseline())
    return error;
  Expected<std::vector<TimedOutput>> counted = counter.read();
  if (!counted)
    return counted.takeError();
  json::Array timedOutputs;
  for (const TimedOutput &output : *counted)
    timedOutputs.push_back(toJSON(output));
  context.out.result("timed_outputs", std::move(timedOutputs));
  context.out.result("judged_signs", int64_t(judgedSigns));
  context.out.result("timing", toJSON(timing));
  return Error::success();
}

} // namespace

Error ptxbench::runTiming(WorkerContext &context, const Device &device,
                          Candidate &candidate, CallTensors &tensors,
                          ActivityRecorder &recorder) {
  return TimingRun(context, device, candidate, tensors, recorder).run();
}
