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

#include <set>

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

/// The column of PTXBench that a target instruction counts in; empty: none.
/// TMA there are the instructions on tensors.
static StringRef sassFamily(const TargetVerdict &verdict) {
  StringRef opcode = verdict.opcode;
  if (opcode.starts_with("wgmma.mma_async"))
    return "wgmma";
  if (opcode.starts_with("cp.async.bulk.tensor") ||
      opcode.starts_with("cp.reduce.async.bulk.tensor"))
    return "tma";
  return opcode.starts_with("tcgen05.") ? "tcgen05" : "";
}

void Record::take(const Report &from) {
  status = from.status;
  reason = from.reason;
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
  }
  // An entry is there once without assumptions and once for each launch; the
  // executions of a launch stand in the latter.
  std::map<std::string, std::set<std::pair<std::string, uint64_t>>> pcs;
  for (const EntryResult &entry : from.entries)
    for (const TargetResult &target : entry.targets) {
      StringRef family = sassFamily(target.verdict);
      if (family.empty() || !target.sass)
        continue;
      for (uint64_t pc : target.sass->pcs)
        pcs[family.str()].insert({entry.name, pc});
      SassFamilyCount &count = sass[family.str()];
      if (target.executed && target.executed->count.threads &&
          !entry.assumptions.empty())
        count.threads =
            count.threads.value_or(0) + *target.executed->count.threads;
    }
  for (auto &[family, count] : sass)
    count.instructions = pcs[family].size();
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

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
      out[key] = *value;
  };
  text("name", record.name);
  text("author", record.author);
  if (record.trajectory)
    out["trajectory"] = *record.trajectory;
  if (record.turn)
    out["turn"] = *record.turn;
  text("reason", record.reason);
  if (record.reached)
    out["reached"] = stringifyMilestone(*record.reached);
  number("latency_ms", record.latencyMs);
  number("baseline_ms", record.baselineMs);
  number("speedup", record.speedup);
  number("max_absolute_error", record.maxAbsoluteError);
  number("max_relative_error", record.maxRelativeError);
  json::Object sass;
  for (const auto &[family, count] : record.sass) {
    json::Object one{{"instructions", int64_t(count.instructions)}};
    if (count.threads)
      one["threads"] = *count.threads;
    sass[family] = std::move(one);
  }
  if (!sass.empty())
    out["sass"] = std::move(sass);
  text("backend", record.backend);
  text("device", record.device);
  text("workload", record.workload);
  if (!record.axes.empty())
    out["axes"] = toObject(record.axes);
  if (!record.versions.empty())
    out["versions"] = toObject(record.versions);
  text("report", record.report);
  return out;
}

static bool readSass(const JSONCursor &cursor, Record &out) {
  const json::Object *object = cursor.asObject();
  if (!object)
    return false;
  for (const auto &[key, value] : *object) {
    JSONFields fields(cursor.field(key, value));
    SassFamilyCount &count = out.sass[key.str()];
    if (!fields.required("instructions", count.instructions) ||
        !fields.optional("threads", count.threads) || !fields.finish())
      return false;
  }
  return true;
}

static bool read(const JSONCursor &root, Record &out) {
  JSONFields fields(root);
  std::string version, status;
  std::optional<std::string> reached;
  uint64_t index = 0;
  if (!fields.required("schema", version))
    return false;
  if (version != schema)
    return root.fail("expected the schema '" + schema + "' but got '" +
                     version + "'");
  if (!fields.required("key", out.key) || !fields.required("index", index) ||
      !fields.required("task", out.task) ||
      !fields.required("status", status) ||
      !fields.required("seconds", out.seconds) ||
      !fields.required("timestamp", out.timestamp) ||
      !fields.optional("name", out.name) ||
      !fields.optional("author", out.author) ||
      !fields.optional("trajectory", out.trajectory) ||
      !fields.optional("turn", out.turn) ||
      !fields.optional("reason", out.reason) ||
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
      !fields.optional("report", out.report))
    return false;
  if (std::optional<JSONCursor> at = fields.find("sass", false))
    if (!readSass(*at, out))
      return false;
  out.index = index;
  std::optional<Status> known = symbolizeStatus(status);
  if (!known)
    return root.fail("unknown status '" + status + "'");
  out.status = *known;
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
