//===- Trace.cpp - Traces as JSON -----------------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes and reads `ptxbench.trace.v1`. Optional data that is absent has no
// key: it is never written as null or as zero. The reader takes exactly what
// the writer writes: each key it does not know, each one that is missing and
// each value of another type or outside its range is an error that names its
// place. Counts are 64-bit integers in both directions and never pass through
// a floating-point number.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Trace/Trace.h"
#include "ptxbench/Support/LocatedJSON.h"
#include "ptxbench/Trace/ClockReading.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <limits>

using namespace ptxbench;
using llvm::StringRef;
namespace json = llvm::json;

static constexpr const char *schemaName = "ptxbench.trace.v1";

const char *ptxbench::stringifySassState(SassState state) {
  switch (state) {
  case SassState::Present:
    return "present";
  case SassState::Absent:
    return "absent";
  case SassState::Unobservable:
    return "unobservable";
  }
  llvm_unreachable("not a SASS state");
}

std::optional<SassState> ptxbench::symbolizeSassState(const std::string &text) {
  return llvm::StringSwitch<std::optional<SassState>>(text)
      .Case("present", SassState::Present)
      .Case("absent", SassState::Absent)
      .Case("unobservable", SassState::Unobservable)
      .Default(std::nullopt);
}

const KernelTrace *Trace::findKernel(StringRef name) const {
  for (const KernelTrace &kernel : kernels)
    if (kernel.name == name)
      return &kernel;
  return nullptr;
}

bool ptxbench::launchesAccountForCounts(const KernelTrace &kernel) {
  auto first = llvm::find_if(
      kernel.sass, [](const SassCount &count) { return count.pc == 0; });
  if (first == kernel.sass.end())
    return false;
  uint64_t warps = 0;
  for (const LaunchRecord &launch : kernel.launches) {
    uint64_t block = 1, ofLaunch = launch.count;
    for (uint32_t extent : {launch.block.x, launch.block.y, launch.block.z})
      block = llvm::SaturatingMultiply(block, uint64_t(extent));
    for (uint64_t factor :
         {uint64_t(launch.grid.x), uint64_t(launch.grid.y),
          uint64_t(launch.grid.z), block / 32 + !!(block % 32)})
      ofLaunch = llvm::SaturatingMultiply(ofLaunch, factor);
    warps = llvm::SaturatingAdd(warps, ofLaunch);
  }
  // A sum that 64 bits do not hold is not what a counter shows either.
  return warps == first->warps && warps != std::numeric_limits<uint64_t>::max();
}

std::string ClockReading::throttling() const {
  std::string text;
  if (!throttleReasons)
    return text;
  for (const std::string &reason : *throttleReasons)
    if (reason != "gpu-idle" && reason != "applications-clocks-setting" &&
        reason != "display-clock-setting" && reason != "sync-boost")
      text += (text.empty() ? "" : ", ") + reason;
  return text;
}

void ptxbench::layOutParams(
    LaunchRecord &launch,
    llvm::ArrayRef<std::pair<uint64_t, uint64_t>> places) {
  if (!launch.params || launch.paramOffsets.empty())
    return;
  std::vector<uint8_t> bytes;
  bool known = places.size() == launch.paramOffsets.size();
  for (size_t i = 0; known && i < places.size(); ++i) {
    auto [to, size] = places[i];
    uint64_t from = launch.paramOffsets[i], end = launch.params->size();
    known = from <= end && size <= end - from;
    if (!known)
      break;
    bytes.resize(std::max<size_t>(bytes.size(), to + size));
    std::copy_n(launch.params->begin() + from, size, bytes.begin() + to);
  }
  launch.paramOffsets.clear();
  launch.params.reset();
  if (known)
    launch.params = std::move(bytes);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Bytes, as an even number of lower-case hex digits.
static bool readBytes(const JSONCursor &cursor, std::vector<uint8_t> &out) {
  std::string text;
  if (!cursor.read(text))
    return false;
  if (text.size() % 2 || !llvm::all_of(text, [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
      }))
    return cursor.fail("expected an even number of lower-case hex digits but "
                       "got \"" +
                       text + "\"");
  out.clear();
  for (size_t i = 0; i < text.size(); i += 2)
    out.push_back(llvm::hexDigitValue(text[i]) * 16 +
                  llvm::hexDigitValue(text[i + 1]));
  return true;
}

static bool readDim(JSONFields &fields, StringRef key, Dim3 &out) {
  std::optional<JSONCursor> cursor = fields.find(key, /*must=*/true);
  std::vector<unsigned> extents;
  if (!cursor || !cursor->read(extents))
    return false;
  if (extents.size() != 3)
    return cursor->fail("expected three extents but got " +
                        llvm::Twine(extents.size()));
  for (unsigned extent : extents)
    if (extent == 0)
      return cursor->fail("expected extents from 1 to 4294967295 but got 0");
  out = {extents[0], extents[1], extents[2]};
  return true;
}

static bool readLaunch(const JSONCursor &cursor, LaunchRecord &out) {
  JSONFields fields(cursor);
  if (!fields.required("kernel", out.kernel) ||
      !readDim(fields, "grid", out.grid) ||
      !readDim(fields, "block", out.block) ||
      !readDim(fields, "cluster", out.cluster) ||
      !fields.required("dynamic_shared_bytes", out.dynamicSharedBytes))
    return false;
  std::optional<JSONCursor> count = fields.find("count", /*must=*/true);
  if (!count || !count->read(out.count))
    return false;
  if (out.count == 0)
    return count->fail("expected at least one launch but got 0");
  if (std::optional<JSONCursor> params = fields.find("params", /*must=*/false))
    if (!readBytes(*params, out.params.emplace()))
      return false;
  if (std::optional<JSONCursor> offsets =
          fields.find("param_offsets", /*must=*/false)) {
    if (!offsets->forEach([&](const JSONCursor &item) {
          return item.read(out.paramOffsets.emplace_back());
        }))
      return false;
    if (!out.params)
      return offsets->fail("expected \"params\" beside it");
  }
  return fields.finish();
}

static bool readSassCount(const JSONCursor &cursor, SassCount &out) {
  JSONFields fields(cursor);
  if (!fields.required("pc", out.pc))
    return false;
  std::optional<JSONCursor> opcode = fields.find("opcode", /*must=*/true);
  if (!opcode || !opcode->read(out.opcode))
    return false;
  if (out.opcode > 0xfff)
    return opcode->fail("expected at most 12 bits but got " +
                        llvm::Twine(out.opcode));
  return fields.required("name", out.name) &&
         fields.required("guarded", out.guarded) &&
         fields.required("warps", out.warps) &&
         fields.required("threads", out.threads) && fields.finish();
}

static bool readExecuted(const JSONCursor &cursor, ExecutionCount &out) {
  JSONFields fields(cursor);
  if (!fields.optional("warps", out.warps) ||
      !fields.optional("threads", out.threads) || !fields.finish())
    return false;
  return out.known() || cursor.fail("expected warps or threads or both");
}

static bool readTargetCount(const JSONCursor &cursor, TargetCount &out) {
  JSONFields fields(cursor);
  if (!fields.required("line", out.line) ||
      !fields.required("column", out.column) ||
      !fields.required("opcode", out.opcode))
    return false;
  if (std::optional<JSONCursor> sass = fields.find("sass", /*must=*/false)) {
    std::string word;
    if (!sass->read(word))
      return false;
    out.sass = symbolizeSassState(word);
    if (!out.sass)
      return sass->fail("expected \"present\", \"absent\" or "
                        "\"unobservable\" but got \"" +
                        word + "\"");
  }
  if (!fields.required("pcs", out.pcs))
    return false;
  if (std::optional<JSONCursor> count = fields.find("executed", false))
    if (!readExecuted(*count, out.executed.emplace()))
      return false;
  return fields.required("warps_exact", out.warpsExact) &&
         fields.required("threads_exact", out.threadsExact) &&
         fields.required("complete", out.complete) &&
         fields.required("exclusive", out.exclusive) &&
         fields.optional("reason", out.reason) && fields.finish();
}

static bool readFinding(const JSONCursor &cursor, TraceFinding &out) {
  JSONFields fields(cursor);
  return fields.required("kernel", out.kernel) &&
         fields.required("id", out.id) &&
         fields.required("message", out.message) &&
         fields.required("line", out.line) &&
         fields.required("column", out.column) &&
         fields.optional("other_line", out.otherLine) &&
         fields.optional("by", out.by) &&
         fields.optional("launches", out.launches) && fields.finish();
}

/// Reads an array of objects with one of the functions above.
template <typename T>
static bool readAll(JSONFields &fields, StringRef key, std::vector<T> &out,
                    bool (*readOne)(const JSONCursor &, T &),
                    bool must = true) {
  std::optional<JSONCursor> cursor = fields.find(key, must);
  if (!cursor)
    return !must;
  return cursor->forEach([&](const JSONCursor &item) {
    return readOne(item, out.emplace_back());
  });
}

static bool readKernel(const JSONCursor &cursor, KernelTrace &out) {
  JSONFields fields(cursor);
  return fields.required("name", out.name) &&
         fields.required("aborted", out.aborted) &&
         readAll(fields, "launches", out.launches, readLaunch) &&
         fields.required("launches_complete", out.launchesComplete) &&
         readAll(fields, "sass", out.sass, readSassCount) &&
         readAll(fields, "targets", out.targets, readTargetCount) &&
         fields.finish();
}

llvm::Expected<Trace> ptxbench::parseTrace(StringRef text, StringRef path) {
  JSONSource source(text, path);
  llvm::Expected<json::Value> value = source.parse();
  if (!value)
    return value.takeError();
  JSONCursor root(source, *value);
  JSONFields fields(root);
  Trace trace;
  std::string schema;
  std::optional<JSONCursor> name = fields.find("schema", /*must=*/true);
  if (!name || !name->read(schema))
    return source.takeError();
  if (schema != schemaName)
    name->fail(llvm::Twine("expected \"") + schemaName + "\" but got \"" +
               schema + "\"");
  else if (fields.required("source", trace.source) &&
           fields.required("environment", trace.environment) &&
           fields.required("ptx_sha256", trace.ptxSha256) &&
           readAll(fields, "kernels", trace.kernels, readKernel) &&
           readAll(fields, "findings", trace.findings, readFinding,
                   /*must=*/false) &&
           fields.finish())
    return trace;
  return source.takeError();
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

json::Value ptxbench::toJSON(const Dim3 &dim) {
  return json::Array{dim.x, dim.y, dim.z};
}

json::Value ptxbench::toJSON(const LaunchRecord &launch) {
  json::Object object{{"kernel", launch.kernel},
                      {"grid", toJSON(launch.grid)},
                      {"block", toJSON(launch.block)},
                      {"cluster", toJSON(launch.cluster)},
                      {"dynamic_shared_bytes", launch.dynamicSharedBytes},
                      {"count", launch.count}};
  if (launch.params)
    object["params"] = llvm::toHex(*launch.params, /*LowerCase=*/true);
  if (!launch.paramOffsets.empty())
    object["param_offsets"] = json::Array(launch.paramOffsets);
  return object;
}

json::Value ptxbench::toJSON(const ExecutionCount &count) {
  json::Object object;
  if (count.warps)
    object["warps"] = *count.warps;
  if (count.threads)
    object["threads"] = *count.threads;
  return object;
}

json::Value ptxbench::toJSON(const TargetCount &target) {
  json::Object object{{"line", target.line},
                      {"column", target.column},
                      {"opcode", target.opcode},
                      {"pcs", json::Array(target.pcs)},
                      {"warps_exact", target.warpsExact},
                      {"threads_exact", target.threadsExact},
                      {"complete", target.complete},
                      {"exclusive", target.exclusive}};
  if (target.sass)
    object["sass"] = stringifySassState(*target.sass);
  if (target.executed && target.executed->known())
    object["executed"] = toJSON(*target.executed);
  if (!target.reason.empty())
    object["reason"] = target.reason;
  return object;
}

json::Value ptxbench::toJSON(const Trace &trace) {
  json::Object environment;
  for (const auto &[key, text] : trace.environment)
    environment[key] = text;
  json::Array kernels;
  for (const KernelTrace &kernel : trace.kernels) {
    json::Array launches, sass, targets;
    for (const LaunchRecord &launch : kernel.launches)
      launches.push_back(toJSON(launch));
    for (const SassCount &count : kernel.sass)
      sass.push_back(json::Object{{"pc", count.pc},
                                  {"opcode", count.opcode},
                                  {"name", count.name},
                                  {"guarded", count.guarded},
                                  {"warps", count.warps},
                                  {"threads", count.threads}});
    for (const TargetCount &target : kernel.targets)
      targets.push_back(toJSON(target));
    kernels.push_back(
        json::Object{{"name", kernel.name},
                     {"aborted", kernel.aborted},
                     {"launches", std::move(launches)},
                     {"launches_complete", kernel.launchesComplete},
                     {"sass", std::move(sass)},
                     {"targets", std::move(targets)}});
  }
  json::Object object{{"schema", schemaName},
                      {"source", trace.source},
                      {"environment", std::move(environment)},
                      {"ptx_sha256", trace.ptxSha256},
                      {"kernels", std::move(kernels)}};
  if (!trace.findings.empty()) {
    json::Array findings;
    for (const TraceFinding &finding : trace.findings) {
      json::Object one{{"kernel", finding.kernel},
                       {"id", finding.id},
                       {"message", finding.message},
                       {"line", finding.line},
                       {"column", finding.column}};
      if (finding.otherLine)
        one["other_line"] = finding.otherLine;
      if (!finding.by.empty())
        one["by"] = finding.by;
      if (finding.launches != 1)
        one["launches"] = finding.launches;
      findings.push_back(std::move(one));
    }
    object["findings"] = std::move(findings);
  }
  return object;
}
