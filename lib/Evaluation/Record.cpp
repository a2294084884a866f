//===- Record.cpp - What became of one sample -----------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From a report to a record, and to JSON and back.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Evaluation/Record.h"
#include "JSONMap.h"
#include "ptxbench/Support/LocatedJSON.h"

#include <cmath>

using namespace llvm;
using namespace ptxbench;

static constexpr StringLiteral schema = "ptxbench.evaluation.v1";

static const char *const milestones[milestoneCount] = {
    "none", "extracted", "allowed",          "compiled",
    "ran",  "correct",   "targets-executed", "timed"};

const char *ptxbench::stringifyMilestone(Milestone milestone) {
  return milestones[unsigned(milestone)];
}

std::optional<Milestone> ptxbench::milestoneOf(Status status, bool timed) {
  switch (status) {
  case Status::Passed:
    return timed ? Milestone::Timed : Milestone::TargetsExecuted;
  case Status::TargetNotExecuted:
    return Milestone::Correct;
  case Status::IncorrectShape:
  case Status::IncorrectNumerical:
  case Status::IncorrectDtype:
    return Milestone::Ran;
  case Status::RuntimeError:
  case Status::Timeout:
  case Status::Rejected:
    return Milestone::Compiled;
  case Status::CompileError:
    return Milestone::Allowed;
  case Status::Banned:
    return Milestone::Extracted;
  case Status::ExtractionError:
    return Milestone::None;
  case Status::NotRun:
  case Status::Analyzed:
  case Status::Refuted:
  case Status::Unsupported:
    return std::nullopt;
  }
  return std::nullopt;
}

Record Record::of(const Sample &sample) {
  Record record;
  record.key = sample.key;
  record.index = sample.index;
  record.task = sample.task;
  record.name = sample.name;
  record.author = sample.author;
  record.trajectory = sample.trajectory;
  record.turn = sample.turn;
  return record;
}

void Record::take(const Report &from) {
  status = from.status;
  reason = from.reason;
  retry = from.retry;
  if (from.performance) {
    latencyMs = from.performance->latencyMs;
    baselineMs = from.performance->baselineMs;
    speedup = from.performance->speedupFactor;
  }
  reached = milestoneOf(status, speedup.has_value());
  if (from.correctness) {
    maxAbsoluteError = from.correctness->maxAbsoluteError;
    maxRelativeError = from.correctness->maxRelativeError;
  }
  if (from.dynamic) {
    backend = from.dynamic->backend;
    device = from.dynamic->device;
    versions = from.dynamic->versions;
    workload = from.dynamic->workload;
    axes = from.dynamic->axes;
    otherWorkloads = from.dynamic->otherWorkloads;
  }
  machineCode = from.machineCode;
  for (const Stage &stage : from.stages)
    // Those of processes are parts of others.
    if (!StringRef(stage.name).contains('/'))
      stages[stage.name] = stringifyStageVerdict(stage.verdict);
}

bool Record::wantsAnotherRun() const {
  if (status != Status::NotRun)
    return false;
  if (retry)
    return true;
  if (!report.empty())
    return false;
  // Of what is not run here there never is a report.
  auto extracted = stages.find("extract");
  return extracted != stages.end() &&
         extracted->second == stringifyStageVerdict(StageVerdict::Passed);
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

/// A number, or the string that readers take for what JSON has not.
static json::Value toNumber(double value) {
  if (std::isnan(value))
    return "NaN";
  if (std::isinf(value))
    return value > 0 ? "Infinity" : "-Infinity";
  return value;
}

json::Value ptxbench::toJSON(const Record &record) {
  json::Object out{{"schema", schema},
                   {"key", record.key},
                   {"index", int64_t(record.index)},
                   {"task", record.task},
                   {"status", stringifyStatus(record.status)},
                   {"seconds", record.seconds},
                   {"timestamp", record.timestamp}};
  auto text = [&](const char *key, const std::string &value) {
    if (!value.empty())
      out[key] = value;
  };
  auto number = [&](const char *key, std::optional<double> value) {
    if (value)
      out[key] = toNumber(*value);
  };
  text("name", record.name);
  text("author", record.author);
  if (record.trajectory)
    out["trajectory"] = *record.trajectory;
  if (record.turn)
    out["turn"] = *record.turn;
  text("reason", record.reason);
  if (record.retry)
    out["retry"] = true;
  if (record.reached)
    out["reached"] = stringifyMilestone(*record.reached);
  number("latency_ms", record.latencyMs);
  number("baseline_ms", record.baselineMs);
  number("speedup", record.speedup);
  number("max_absolute_error", record.maxAbsoluteError);
  number("max_relative_error", record.maxRelativeError);
  if (record.machineCode) {
    json::Object families;
    for (const auto &[name, family] : record.machineCode->families) {
      json::Object one{{"instructions", family.instructions}};
      if (family.threads)
        one["threads"] = *family.threads;
      families[name] = std::move(one);
    }
    out["machine_code"] = json::Object{{"sha256", record.machineCode->sha256},
                                       {"families", std::move(families)}};
  }
  if (!record.stages.empty())
    out["stages"] = toObject(record.stages);
  text("backend", record.backend);
  text("device", record.device);
  text("workload", record.workload);
  if (!record.axes.empty())
    out["axes"] = toObject(record.axes);
  json::Array others;
  for (const OtherWorkload &other : record.otherWorkloads) {
    json::Object one{{"uuid", other.uuid},
                     {"axes", toObject(other.axes)},
                     {"status", stringifyStatus(other.status)}};
    if (!other.reason.empty())
      one["reason"] = other.reason;
    if (other.maxAbsoluteError)
      one["max_absolute_error"] = toNumber(*other.maxAbsoluteError);
    if (other.maxRelativeError)
      one["max_relative_error"] = toNumber(*other.maxRelativeError);
    others.push_back(std::move(one));
  }
  if (!others.empty())
    out["other_workloads"] = std::move(others);
  if (!record.versions.empty())
    out["versions"] = toObject(record.versions);
  text("report", record.report);
  return out;
}

static bool readStatus(JSONFields &fields, Status &out) {
  std::string word;
  std::optional<JSONCursor> at = fields.find("status", true);
  if (!at || !at->read(word))
    return false;
  std::optional<Status> known = symbolizeStatus(word);
  if (!known)
    return at->fail("unknown status '" + word + "'");
  out = *known;
  return true;
}

static bool readOther(const JSONCursor &cursor, OtherWorkload &out) {
  JSONFields fields(cursor);
  return fields.required("uuid", out.uuid) &&
         fields.required("axes", out.axes) && readStatus(fields, out.status) &&
         fields.optional("reason", out.reason) &&
         fields.optional("max_absolute_error", out.maxAbsoluteError) &&
         fields.optional("max_relative_error", out.maxRelativeError) &&
         fields.finish();
}

static bool readMachineCode(const JSONCursor &cursor, MachineCode &out) {
  JSONFields fields(cursor);
  std::optional<JSONCursor> families = fields.find("families", true);
  if (!families || !families->asObject() ||
      !fields.required("sha256", out.sha256))
    return false;
  for (const auto &[key, value] : *families->asObject()) {
    JSONFields inner(families->field(key, value));
    MachineFamily &family = out.families[key.str()];
    if (!inner.required("instructions", family.instructions) ||
        !inner.optional("threads", family.threads) || !inner.finish())
      return false;
  }
  return fields.finish();
}

static bool read(const JSONCursor &root, Record &out) {
  JSONFields fields(root);
  std::string version;
  std::optional<std::string> reached;
  uint64_t index = 0;
  if (!fields.required("schema", version))
    return false;
  if (version != schema)
    return root.fail("expected the schema '" + schema + "' but got '" +
                     version + "'");
  if (!fields.required("key", out.key) || !fields.required("index", index) ||
      !fields.required("task", out.task) || !readStatus(fields, out.status) ||
      !fields.required("seconds", out.seconds) ||
      !fields.required("timestamp", out.timestamp) ||
      !fields.optional("name", out.name) ||
      !fields.optional("author", out.author) ||
      !fields.optional("trajectory", out.trajectory) ||
      !fields.optional("turn", out.turn) ||
      !fields.optional("reason", out.reason) ||
      !fields.optional("retry", out.retry) ||
      !fields.optional("reached", reached) ||
      !fields.optional("latency_ms", out.latencyMs) ||
      !fields.optional("baseline_ms", out.baselineMs) ||
      !fields.optional("speedup", out.speedup) ||
      !fields.optional("max_absolute_error", out.maxAbsoluteError) ||
      !fields.optional("max_relative_error", out.maxRelativeError) ||
      !fields.optional("backend", out.backend) ||
      !fields.optional("device", out.device) ||
      !fields.optional("workload", out.workload) ||
      !fields.optional("axes", out.axes) ||
      !fields.optional("versions", out.versions) ||
      !fields.optional("stages", out.stages) ||
      !fields.optional("report", out.report))
    return false;
  if (std::optional<JSONCursor> at = fields.find("other_workloads", false))
    if (!at->forEach([&](const JSONCursor &item) {
          return readOther(item, out.otherWorkloads.emplace_back());
        }))
      return false;
  if (std::optional<JSONCursor> at = fields.find("machine_code", false))
    if (!readMachineCode(*at, out.machineCode.emplace()))
      return false;
  out.index = index;
  if (reached) {
    const auto *found = find(milestones, *reached);
    if (found == std::end(milestones))
      return root.fail("unknown milestone '" + *reached + "'");
    out.reached = Milestone(found - milestones);
  }
  return fields.finish();
}

Expected<Record> ptxbench::parseRecord(StringRef line, StringRef path,
                                       unsigned number) {
  JSONSource source(line, path, number);
  Expected<json::Value> value = source.parse();
  if (!value)
    return value.takeError();
  Record record;
  if (!read(JSONCursor(source, *value), record) || source.failed())
    return source.takeError();
  return record;
}
