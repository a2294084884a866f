//===- Exports.cpp - Results in the forms of other tools ------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTXBench's columns and words, and FlashInfer-Trace's objects.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Evaluation/Exports.h"
#include "JSONMap.h"

#include <cmath>

using namespace llvm;
using namespace ptxbench;

/// RFC 4180.
static std::string quote(StringRef text) {
  if (text.find_first_of(",\"\r\n") == StringRef::npos)
    return text.str();
  std::string quoted = "\"";
  for (char c : text)
    quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

/// PTXBench's word for how right it was.
static StringRef correctness(Status status) {
  switch (status) {
  case Status::Passed:
  case Status::TargetNotExecuted:
    return "Correct";
  case Status::IncorrectNumerical:
  case Status::IncorrectShape:
  case Status::IncorrectDtype:
    return "Numerical error";
  case Status::CompileError:
    return "Compilation error";
  case Status::RuntimeError:
    return "Runtime error";
  case Status::Timeout:
    return "Kernel Execution Timeout";
  case Status::ExtractionError:
    return "Extraction error";
  default:
    return "Other error";
  }
}

/// The fewest digits that read back the same.
static std::string shortest(double value) {
  std::string text;
  raw_string_ostream(text) << json::Value(value);
  return text;
}

void ptxbench::writeTurnsCSV(ArrayRef<Record> records, raw_ostream &os) {
  static constexpr StringLiteral columns[] = {
      "trajectory_id",
      "turn",
      "correctness",
      "speedup",
      "cubin_sass_arch_tag",
      "cubin_gmma_instruction_count",
      "cubin_tma_instruction_count",
      "cubin_tcgen_instruction_count",
      "cubin_container_sha256",
      "sass_arch_tag",
      "sass_gmma_count",
      "sass_tma_count",
      "sass_tcgen_count",
      "sass_gmma_thread_inst_executed_true",
      "sass_tma_thread_inst_executed_true",
      "sass_tcgen_thread_inst_executed_true",
      "sass_profile_task_id",
      "sass_verification_status"};
  for (const auto &column : columns)
    os << (&column == columns ? "" : ",") << column;
  os << '\n';
  for (const Record &record : records) {
    const std::optional<MachineCode> &code = record.machineCode;
    // What could not be judged here reached nothing, but may have been
    // compiled.
    bool compiled =
        code || (record.reached && *record.reached >= Milestone::Compiled);
    // Instructions of a family; empty without machine code.
    auto count = [&](const char *family) -> std::string {
      if (!code)
        return "";
      auto found = code->families.find(family);
      return std::to_string(
          found == code->families.end() ? 0 : found->second.instructions);
    };
    bool profiled = false, executed = false, present = false;
    auto threads = [&](const char *family) -> std::string {
      if (!code)
        return "";
      auto found = code->families.find(family);
      if (found == code->families.end())
        return "";
      present |= found->second.instructions > 0;
      if (!found->second.threads)
        return "";
      profiled = true;
      executed |= *found->second.threads > 0;
      return std::to_string(*found->second.threads);
    };
    auto has = [&](const char *family) {
      std::string number = count(family);
      return !number.empty() && number != "0";
    };
    std::string tag = has("tcgen") ? "B" : has("gmma") || has("tma") ? "H" : "";
    std::string gmma = threads("gmma"), tma = threads("tma"),
                tcgen = threads("tcgen");
    auto stage = record.stages.find("executed-targets");
    bool asked = stage != record.stages.end() && record.backend == "cuda";
    StringRef verified =
        record.status == Status::ExtractionError ? "missing_source"
        : !compiled                              ? ""
        : !code                                  ? "cubin_inspection_error"
        : !present                               ? "cubin_sass_absent"
        : profiled ? executed ? "dynamic_present" : "dynamic_not_executed"
        : asked    ? "profile_error"
                   : "not_requested";
    auto ifProfiled = [&](std::string text) {
      return profiled ? std::move(text) : std::string();
    };
    std::string cells[] = {record.trajectory.value_or(record.key),
                           record.turn ? std::to_string(*record.turn) : "",
                           correctness(record.status).str(),
                           record.speedup ? shortest(*record.speedup) : "",
                           tag,
                           count("gmma"),
                           count("tma"),
                           count("tcgen"),
                           code ? code->sha256 : "",
                           ifProfiled(tag),
                           ifProfiled(count("gmma")),
                           ifProfiled(count("tma")),
                           ifProfiled(count("tcgen")),
                           gmma,
                           tma,
                           tcgen,
                           ifProfiled(record.key),
                           verified.str()};
    static_assert(std::size(cells) == std::size(columns));
    for (const std::string &cell : cells)
      os << (&cell == cells ? "" : ",") << quote(cell);
    os << '\n';
  }
}

static StringRef flashInferStatus(Status status) {
  switch (status) {
  case Status::Passed:
  case Status::IncorrectShape:
  case Status::IncorrectNumerical:
  case Status::IncorrectDtype:
  case Status::RuntimeError:
  case Status::CompileError:
  case Status::Timeout:
    return stringifyStatus(status);
  case Status::ExtractionError:
  case Status::Banned:
    return "COMPILE_ERROR";
  default:
    return "RUNTIME_ERROR";
  }
}

/// A number, or the string that FlashInfer-Trace has for what JSON has not.
static json::Value number(double value) {
  if (std::isnan(value))
    return "NaN";
  if (std::isinf(value))
    return value > 0 ? "Infinity" : "-Infinity";
  return value;
}

/// A trace of one workload; null if it has no form there.
static json::Value toTrace(const Record &record, const OtherWorkload &judged,
                           bool timed, json::Object inputs) {
  // A PASSED must have a time there.
  if (judged.status == Status::Passed && !timed)
    return nullptr;
  StringRef status = flashInferStatus(judged.status);
  std::string log = stringifyStatus(judged.status);
  if (!judged.reason.empty())
    log += ": " + judged.reason;
  json::Object evaluation{
      {"status", status},
      {"environment",
       json::Object{
           {"hardware", record.device.empty() ? "none" : record.device},
           {"libs", toObject(record.versions)}}},
      {"timestamp", record.timestamp},
      {"log", log},
      {"ptxbench", json::Object{{"status", stringifyStatus(judged.status)},
                                {"key", record.key}}}};
  if (status == "PASSED" || status == "INCORRECT_NUMERICAL")
    evaluation["correctness"] = json::Object{
        {"max_relative_error", number(judged.maxRelativeError.value_or(NAN))},
        {"max_absolute_error", number(judged.maxAbsoluteError.value_or(NAN))}};
  if (status == "PASSED")
    evaluation["performance"] =
        json::Object{{"latency_ms", *record.latencyMs},
                     {"reference_latency_ms", *record.baselineMs},
                     {"speedup_factor", *record.speedup}};
  json::Object workload{{"uuid", judged.uuid},
                        {"axes", toObject(judged.axes)},
                        {"inputs", std::move(inputs)}};
  return json::Object{
      {"definition", record.task},
      {"workload", std::move(workload)},
      {"solution", record.name.empty() ? record.key : record.name},
      {"evaluation", std::move(evaluation)}};
}

std::vector<json::Value>
ptxbench::toFlashInferTraces(const Record &record,
                             function_ref<json::Object(StringRef)> inputsOf) {
  std::vector<json::Value> traces;
  // A trace is of a workload; a sample that was not run has none.
  if (!record.reached || record.workload.empty())
    return traces;
  auto add = [&](const OtherWorkload &judged, bool timed) {
    json::Value trace = toTrace(record, judged, timed, inputsOf(judged.uuid));
    if (trace.kind() != json::Value::Null)
      traces.push_back(std::move(trace));
  };
  OtherWorkload first;
  first.uuid = record.workload;
  first.axes = record.axes;
  first.status = record.status;
  first.reason = record.reason;
  first.maxAbsoluteError = record.maxAbsoluteError;
  first.maxRelativeError = record.maxRelativeError;
  // Others are judged only behind one that is right.
  if (any_of(record.otherWorkloads, [](const OtherWorkload &other) {
        return other.status != Status::Passed;
      })) {
    first.status = Status::Passed;
    first.reason.clear();
  }
  add(first, record.latencyMs && record.baselineMs && record.speedup);
  for (const OtherWorkload &other : record.otherWorkloads)
    add(other, /*timed=*/false);
  return traces;
}
