//===- WorkerProtocol.cpp - How a worker process reports ------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Events are short lines; big results go to files. The reader bounds the length
// of a line, so that junk on the pipe costs no memory.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Runtime/WorkerProtocol.h"
#include "ptxbench/Runtime/WorkerFiles.h"
#include "ptxbench/Support/BoundedJSON.h"
#include "ptxbench/Support/PlainFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <random>
#include <unistd.h>

using namespace llvm;
using namespace ptxbench;

using Clock = std::chrono::steady_clock;

static constexpr size_t maxLineBytes = size_t(16) << 20;
/// A worker reports far fewer; a candidate that writes into the pipe must not
/// fill the memory of the reader.
static constexpr size_t maxStages = 10000, maxResults = 32, maxFiles = 10000;

bool ptxbench::opensCandidate(StringRef job) {
  return job == "check" || job == "trace" || job == "memcheck" ||
         job == "emulate";
}

bool ptxbench::isCandidateStage(StringRef stage) {
  return stage == stages::Load || stage == stages::Candidate ||
         stage == stages::Timing || stage == stages::SassMetrics;
}

//===----------------------------------------------------------------------===//
// Writer
//===----------------------------------------------------------------------===//

/// Digits of a tag: what nobody guesses in the time that a worker has.
static constexpr size_t tagDigits = 32;

static std::string tagOf(StringRef secret, uint64_t number, StringRef event) {
  BLAKE3 hash;
  hash.update(secret);
  hash.update(" " + std::to_string(number) + " ");
  hash.update(event);
  return toHex(hash.final<tagDigits / 2>(), /*LowerCase=*/true);
}

ProtocolWriter::ProtocolWriter(int fd, std::string secret)
    : fd(fd), secret(std::move(secret)) {
  ::fcntl(fd, F_SETFD, FD_CLOEXEC);
}

void ProtocolWriter::send(json::Object event) {
  std::string line;
  raw_string_ostream os(line);
  os << json::Value(std::move(event));
  if (!secret.empty())
    line.insert(0, tagOf(secret, sent++, line) + " ");
  line += "\n";
  const char *at = line.data();
  size_t left = line.size();
  while (left) {
    ssize_t written = ::write(fd, at, left);
    if (written < 0 && errno == EINTR)
      continue;
    // Without a reader there is nobody to tell; the parent judges the end.
    if (written <= 0)
      return;
    at += written;
    left -= size_t(written);
  }
}

void ProtocolWriter::stage(StringRef name) {
  send(json::Object{{"event", "stage"}, {"name", name}});
}

void ProtocolWriter::result(StringRef key, json::Value value) {
  send(json::Object{
      {"event", "result"}, {"key", key}, {"value", std::move(value)}});
}

void ProtocolWriter::failure(StringRef code, StringRef message) {
  send(json::Object{{"event", "failure"},
                    {"code", json::fixUTF8(code)},
                    {"message", json::fixUTF8(message)}});
}

void ProtocolWriter::file(StringRef name, StringRef bytes) {
  send(json::Object{
      {"event", "file"}, {"name", name}, {"blake3", hashOfFile(bytes)}});
}

void ProtocolWriter::done() { send(json::Object{{"event", "done"}}); }

//===----------------------------------------------------------------------===//
// Reader
//===----------------------------------------------------------------------===//

void ProtocolReader::feed(StringRef bytes) {
  while (!bytes.empty()) {
    size_t end = bytes.find('\n');
    StringRef part = bytes.take_front(end);
    bool whole = end != StringRef::npos;
    bytes = bytes.drop_front(whole ? end + 1 : bytes.size());
    if (!skipping && pending.size() + part.size() > maxLineBytes) {
      skipping = true;
      pending.clear();
    }
    if (!skipping)
      pending.append(part.data(), part.size());
    if (!whole)
      return;
    if (skipping)
      ++broken;
    else
      line(pending);
    skipping = false;
    pending.clear();
  }
}

void ProtocolReader::finish() {
  if (skipping || !pending.empty())
    ++broken;
  pending.clear();
  skipping = false;
  ended = Clock::now();
  closed = true;
}

void ProtocolReader::line(StringRef text) {
  if (text.trim().empty())
    return;
  if (!secret.empty()) {
    auto [tag, event] = text.split(' ');
    if (tag != tagOf(secret, authentic, event)) {
      ++broken;
      return;
    }
    ++authentic;
    text = event;
  }
  Expected<json::Value> value = parseBoundedJSON(text);
  if (!value) {
    consumeError(value.takeError());
    ++broken;
    return;
  }
  const json::Object *event = value->getAsObject();
  std::optional<StringRef> kind =
      event ? event->getString("event") : std::nullopt;
  if (!kind) {
    ++broken;
    return;
  }
  if (*kind == "stage") {
    std::optional<StringRef> name = event->getString("name");
    if (name && announced.size() < maxStages) {
      started = Clock::now();
      announced.emplace_back(name->str(), started);
      loaded |= *name == stages::Load;
      return;
    }
  } else if (*kind == "result") {
    std::optional<StringRef> key = event->getString("key");
    const json::Value *result = event->get("value");
    if (key && result && (results.count(*key) || results.size() < maxResults)) {
      results.insert_or_assign(*key, *result);
      return;
    }
  } else if (*kind == "failure") {
    std::optional<StringRef> message = event->getString("message");
    if (message) {
      // The first failure is the cause.
      if (!failed)
        failed = {event->getString("code").value_or("").str(), message->str()};
      return;
    }
  } else if (*kind == "file") {
    std::optional<StringRef> name = event->getString("name"),
                             hash = event->getString("blake3");
    // Nothing is written twice.
    if (name && hash && files.size() < maxFiles) {
      files.try_emplace(*name, hash->str());
      return;
    }
  } else if (*kind == "done") {
    done = true;
    return;
  }
  ++broken;
}

StringRef ProtocolReader::stage() const {
  return announced.empty() ? StringRef() : StringRef(announced.back().first);
}

std::vector<StageTime> ProtocolReader::stageTimes() const {
  std::vector<StageTime> times;
  for (size_t i = 0; i < announced.size(); ++i) {
    Clock::time_point end = i + 1 < announced.size() ? announced[i + 1].second
                            : closed                 ? ended
                                                     : Clock::now();
    times.push_back(
        {announced[i].first,
         std::chrono::duration<double>(end - announced[i].second).count()});
  }
  return times;
}

const json::Value *ProtocolReader::result(StringRef key) const {
  auto found = results.find(key);
  return found == results.end() ? nullptr : &found->second;
}

std::optional<StringRef> ProtocolReader::fileHash(StringRef name) const {
  auto found = files.find(name);
  if (found == files.end())
    return std::nullopt;
  return StringRef(found->second);
}

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

Expected<std::string> ptxbench::writeWorkerRequest(const RunRequest &request,
                                                   StringRef path) {
  std::random_device random;
  std::string secret;
  for (unsigned i = 0; i < 8; ++i)
    secret += utohexstr(uint64_t(random()) | uint64_t(1) << 32);
  std::string text;
  raw_string_ostream(text) << secret << "\n" << toJSON(request);
  if (Error error = writeNewFile(path, text))
    return std::move(error);
  return secret;
}

std::pair<StringRef, StringRef> ptxbench::splitWorkerRequest(StringRef text) {
  return text.split('\n');
}

//===----------------------------------------------------------------------===//
// Supervision
//===----------------------------------------------------------------------===//

namespace {

class WorkerMonitor : public SubprocessMonitor {
public:
  WorkerMonitor(ProtocolReader &events, const WorkerLimits &limits)
      : events(events), limits(limits) {}

  int channelDescriptor() const override { return workerDescriptor; }
  void onChannel(StringRef bytes) override { events.feed(bytes); }
  std::optional<Clock::time_point> deadline() override {
    double seconds = isCandidateStage(events.stage()) ? limits.candidateSeconds
                                                      : limits.machineSeconds;
    return events.stageStart() + std::chrono::duration_cast<Clock::duration>(
                                     std::chrono::duration<double>(seconds));
  }

private:
  ProtocolReader &events;
  const WorkerLimits &limits;
};

std::string signalName(int number) {
  if (const char *name = ::sigabbrev_np(number))
    return std::string("SIG") + name;
  return "signal " + std::to_string(number);
}

} // namespace

void ptxbench::classifyEnd(const SubprocessResult &process,
                           const WorkerLimits &limits, WorkerOutcome &outcome) {
  const ProtocolReader &events = outcome.events;
  StringRef stage = events.stage();
  outcome.stage = stage.str();
  std::string where = stage.empty() ? "before its first stage"
                                    : "in stage '" + stage.str() + "'";
  RunStatus blame = events.candidateLoaded() ? RunStatus::RuntimeError
                                             : RunStatus::InternalError;
  if (const auto &failure = events.failure()) {
    outcome.problem = blame;
    outcome.code = failure->code;
    outcome.reason = failure->message;
    return;
  }
  if (events.isDone()) {
    outcome.problem.reset();
    outcome.stage.clear();
    return;
  }
  raw_string_ostream reason(outcome.reason);
  switch (process.end) {
  case SubprocessResult::End::TimedOut: {
    bool candidate = isCandidateStage(stage);
    outcome.problem = events.candidateLoaded() ? RunStatus::Timeout
                                               : RunStatus::InternalError;
    outcome.code = "TIMEOUT";
    reason << "exceeded the limit of "
           << format("%g", candidate ? limits.candidateSeconds
                                     : limits.machineSeconds)
           << " s " << where;
    return;
  }
  case SubprocessResult::End::Signaled:
    outcome.problem = blame;
    outcome.code = signalName(process.signal);
    reason << "the process was ended by " << process.describeEnd() << " "
           << where;
    return;
  case SubprocessResult::End::Exited:
    outcome.problem = blame;
    outcome.code = "EARLY_EXIT";
    reason << "the process ended with exit code " << process.exitCode << " "
           << where;
    if (!stage.empty())
      reason << " before its work was done";
    return;
  }
}

WorkerOutcome ptxbench::superviseWorker(SubprocessOptions process,
                                        const WorkerLimits &limits) {
  WorkerOutcome outcome;
  outcome.events = ProtocolReader(limits.secret);
  WorkerMonitor monitor(outcome.events, limits);
  process.monitor = &monitor;
  Expected<SubprocessResult> result = runSubprocess(process);
  outcome.events.finish();
  if (!result) {
    outcome.problem = RunStatus::InternalError;
    outcome.reason = toString(result.takeError());
    return outcome;
  }
  outcome.log = result->out + result->err;
  if (limits.signalsAsExitCodes &&
      result->end == SubprocessResult::End::Exited && result->exitCode > 128 &&
      result->exitCode < 128 + NSIG) {
    result->end = SubprocessResult::End::Signaled;
    result->signal = result->exitCode - 128;
  }
  classifyEnd(*result, limits, outcome);
  return outcome;
}
