//===- ReportReader.cpp - Reports from JSON -------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One function per object of the form, in the order of docs/Report.md. The
// redundant parts (summaries, cross-check totals) are read too and compared
// with what the verdicts give.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Report/ReportIO.h"
#include "ptxbench/Support/LocatedJSON.h"

#include "llvm/ADT/StringExtras.h"

using namespace ptxbench;
using llvm::StringRef;
using llvm::Twine;

namespace {

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

/// Reads a word of an enumeration; `convert` gives std::nullopt for others.
template <typename T, typename Fn>
bool readWord(JSONFields &fields, StringRef key, StringRef words, T &out,
              Fn &&convert) {
  std::optional<JSONCursor> cursor = fields.find(key, true);
  std::string text;
  if (!cursor || !cursor->read(text))
    return false;
  auto value = convert(text);
  if (!value)
    return cursor->fail("expected one of " + words + " but got \"" + text +
                        "\"");
  out = *value;
  return true;
}

/// Reads a 1-based line or column.
bool readPlace(JSONFields &fields, StringRef key, unsigned &out, bool must) {
  std::optional<JSONCursor> cursor = fields.find(key, must);
  if (!cursor)
    return !must;
  if (!cursor->read(out))
    return false;
  return out != 0 || cursor->fail("expected a number from 1 but got 0");
}

bool readHex(const JSONCursor &cursor, std::vector<uint8_t> &out) {
  std::string text, bytes;
  if (!cursor.read(text))
    return false;
  if (text.size() % 2)
    return cursor.fail("expected two hexadecimal digits per byte but got " +
                       Twine(text.size()) + " digits");
  if (!llvm::tryGetFromHex(text, bytes))
    return cursor.fail("expected hexadecimal digits but got \"" + text + "\"");
  out.assign(bytes.begin(), bytes.end());
  return true;
}

bool readDim(const JSONCursor &cursor, Dim3 &out) {
  std::vector<unsigned> extents;
  if (!cursor.read(extents))
    return false;
  if (extents.size() != 3)
    return cursor.fail("expected three extents but got " +
                       Twine(extents.size()));
  for (unsigned extent : extents)
    if (!extent)
      return cursor.fail("expected extents from 1 but got 0");
  out = {extents[0], extents[1], extents[2]};
  return true;
}

bool readDim(JSONFields &fields, StringRef key, std::optional<Dim3> &out) {
  std::optional<JSONCursor> cursor = fields.find(key, false);
  if (!cursor)
    return true;
  Dim3 dim;
  if (!readDim(*cursor, dim))
    return false;
  out = dim;
  return true;
}

/// Runs `body` on the fields of an object if the object is there.
template <typename Fn>
bool readObject(JSONFields &fields, StringRef key, bool must, Fn &&body) {
  std::optional<JSONCursor> cursor = fields.find(key, must);
  if (!cursor)
    return !must;
  JSONFields inner(*cursor);
  return body(inner, *cursor) && inner.finish();
}

/// Runs `body` on the fields of each object of an array.
template <typename Fn>
bool readObjects(JSONFields &fields, StringRef key, bool must, Fn &&body) {
  std::optional<JSONCursor> cursor = fields.find(key, must);
  if (!cursor)
    return !must;
  return cursor->forEach([&](const JSONCursor &item) {
    JSONFields inner(item);
    return body(inner, item) && inner.finish();
  });
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

bool readCount(JSONFields &fields, const JSONCursor &cursor,
               ExecutionCount &out) {
  if (!fields.optional("warps", out.warps) ||
      !fields.optional("threads", out.threads))
    return false;
  return out.known() || cursor.fail("expected \"warps\" or \"threads\"");
}

std::optional<SassState> symbolizeSass(StringRef text) {
  for (SassState state :
       {SassState::Present, SassState::Absent, SassState::Unobservable})
    if (text == stringifySassState(state))
      return state;
  return std::nullopt;
}

bool readPrediction(JSONFields &fields, const JSONCursor &cursor,
                    Prediction &out) {
  if (!fields.optional("warps", out.launch.warps) ||
      !fields.optional("threads", out.launch.threads) ||
      !readObject(fields, "per_cta", false,
                  [&](JSONFields &inner, const JSONCursor &at) {
                    return readCount(inner, at, out.perCTA);
                  }))
    return false;
  return out.launch.known() || out.perCTA.known() ||
         cursor.fail("expected at least one count");
}

bool readTarget(JSONFields &fields, const JSONCursor &cursor,
                TargetResult &out) {
  TargetVerdict &verdict = out.verdict;
  if (!fields.required("family", verdict.family) ||
      !fields.required("opcode", verdict.opcode) ||
      !fields.optional("mnemonic", verdict.mnemonic) ||
      !readPlace(fields, "line", verdict.line, true) ||
      !readPlace(fields, "column", verdict.column, true) ||
      !fields.optional("inline_asm", verdict.inlineAsm) ||
      !fields.optional("function", verdict.function) ||
      !fields.optional("source", verdict.source) ||
      !fields.optional("inlined_at", verdict.inlinedAt) ||
      !fields.optional("source_operation", verdict.sourceOperation) ||
      !readWord(fields, "reach", "all, some, maybe, never", verdict.reach,
                symbolizeReach))
    return false;
  if (fields.find("scope", false)) {
    Scope scope = Scope::Grid;
    if (!readWord(fields, "scope", "cta, cluster, grid", scope, symbolizeScope))
      return false;
    if (verdict.reach != Reach::Some)
      return cursor.fail("expected \"scope\" with reach \"some\" only but got "
                         "reach \"" +
                         Twine(stringifyReach(verdict.reach)) + "\"");
    verdict.scope = scope;
  }
  if (!fields.optional("reason", verdict.reason))
    return false;
  bool ok = readObject(fields, "predicted", false,
                       [&](JSONFields &inner, const JSONCursor &at) {
                         verdict.predicted.emplace();
                         return readPrediction(inner, at, *verdict.predicted);
                       }) &&
            readObject(fields, "sass", false,
                       [&](JSONFields &inner, const JSONCursor &) {
                         out.sass.emplace();
                         return readWord(inner, "state",
                                         "present, absent, unobservable",
                                         out.sass->state, symbolizeSass) &&
                                inner.optional("pcs", out.sass->pcs) &&
                                inner.optional("reason", out.sass->reason);
                       }) &&
            readObject(fields, "executed", false,
                       [&](JSONFields &inner, const JSONCursor &at) {
                         out.executed.emplace();
                         return readCount(inner, at, out.executed->count) &&
                                inner.optional("source", out.executed->source);
                       });
  if (!ok)
    return false;
  if (fields.find("agreement", false) &&
      !readWord(fields, "agreement",
                "confirmed, refuted, undecided-executed, undecided-idle, "
                "unobservable",
                out.agreement, [](StringRef text) {
                  return isAgreement(text)
                             ? std::optional<std::string>(text.str())
                             : std::nullopt;
                }))
    return false;
  return fields.optional("agreement_reason", out.agreementReason);
}

bool readAssumptions(JSONFields &fields, LaunchAssumptions &out) {
  std::optional<JSONCursor> launch = fields.find("launch", true);
  std::optional<JSONCursor> params = fields.find("params", true);
  if (!launch || !params)
    return false;
  if (launch->get().kind() != llvm::json::Value::Null) {
    JSONFields inner(*launch);
    if (!readDim(inner, "grid", out.grid) ||
        !readDim(inner, "block", out.block) ||
        !readDim(inner, "cluster", out.cluster) || !inner.finish())
      return false;
  }
  if (params->get().kind() == llvm::json::Value::Null)
    return true;
  return params->forEach([&](const JSONCursor &item) {
    JSONFields inner(item);
    ParamAssumption param;
    if (!inner.required("index", param.index) ||
        !inner.required("offset", param.offset))
      return false;
    std::optional<JSONCursor> bytes = inner.find("bytes", true);
    if (!bytes || !readHex(*bytes, param.bytes) ||
        !inner.optional("address", param.address) || !inner.finish())
      return false;
    out.params.push_back(std::move(param));
    return true;
  });
}

bool readLaunch(JSONFields &fields, LaunchRecord &out) {
  for (auto [key, dim] :
       {std::pair("grid", &out.grid), std::pair("block", &out.block),
        std::pair("cluster", &out.cluster)}) {
    std::optional<JSONCursor> cursor = fields.find(key, true);
    if (!cursor || !readDim(*cursor, *dim))
      return false;
  }
  if (!fields.required("dynamic_shared_bytes", out.dynamicSharedBytes))
    return false;
  if (std::optional<JSONCursor> params = fields.find("params", false)) {
    out.params.emplace();
    if (!readHex(*params, *out.params))
      return false;
  }
  return fields.required("count", out.count);
}

bool readEntry(JSONFields &fields, const JSONCursor &, EntryResult &out) {
  bool ok = fields.required("name", out.name) &&
            readObject(fields, "assumptions", true,
                       [&](JSONFields &inner, const JSONCursor &) {
                         return readAssumptions(inner, out.assumptions);
                       }) &&
            readObjects(fields, "targets", true,
                        [&](JSONFields &inner, const JSONCursor &at) {
                          out.targets.emplace_back();
                          return readTarget(inner, at, out.targets.back());
                        }) &&
            readObjects(fields, "launches", false,
                        [&](JSONFields &inner, const JSONCursor &) {
                          out.launches.emplace_back();
                          out.launches.back().kernel = out.name;
                          return readLaunch(inner, out.launches.back());
                        });
  if (!ok)
    return false;
  std::optional<JSONCursor> summary = fields.find("summary", true);
  const llvm::json::Object *families = summary ? summary->asObject() : nullptr;
  if (!families)
    return false;
  std::map<std::string, FamilySummary> expected = summarize(out);
  for (const auto &entry : *families) {
    JSONCursor cursor = summary->field(entry.first, entry.second);
    JSONFields inner(cursor);
    FamilySummary sum;
    if (!inner.required("all", sum.all) || !inner.required("some", sum.some) ||
        !inner.required("maybe", sum.maybe) ||
        !inner.required("never", sum.never) || !inner.finish())
      return false;
    auto it = expected.find(entry.first.str());
    if (it == expected.end() || !(it->second == sum))
      return cursor.fail("expected the counts of the verdicts listed in "
                         "\"targets\"");
  }
  if (families->size() != expected.size())
    return summary->fail("expected " + Twine(expected.size()) +
                         " families but got " + Twine(families->size()));
  return true;
}

//===----------------------------------------------------------------------===//
// The other parts
//===----------------------------------------------------------------------===//

bool readSeverity(JSONFields &fields, Severity &out) {
  return readWord(fields, "severity", "error, warning, remark, note", out,
                  [](StringRef text) { return symbolizeSeverity(text); });
}

bool readMachineCode(JSONFields &fields, MachineCode &out) {
  return fields.required("sha256", out.sha256) &&
         readObject(
             fields, "families", true,
             [&](JSONFields &families, const JSONCursor &) {
               for (const char *name : {"gmma", "tcgen", "tma"})
                 if (!readObject(families, name, true,
                                 [&](JSONFields &inner, const JSONCursor &) {
                                   MachineFamily &family = out.families[name];
                                   return inner.required("instructions",
                                                         family.instructions) &&
                                          inner.optional("threads",
                                                         family.threads);
                                 }))
                   return false;
               return true;
             });
}

bool readPtxas(JSONFields &fields, PtxasInfo &out) {
  return fields.optional("version", out.version) &&
         fields.optional("accepted", out.accepted) &&
         readObjects(fields, "diagnostics", true,
                     [&](JSONFields &inner, const JSONCursor &) {
                       PtxasDiagnostic &it = out.diagnostics.emplace_back();
                       return readSeverity(inner, it.severity) &&
                              inner.optional("code", it.code) &&
                              readPlace(inner, "line", it.line, false) &&
                              inner.required("message", it.message) &&
                              inner.optional("source", it.source) &&
                              inner.optional("inlined_at", it.inlinedAt) &&
                              inner.optional("source_operation",
                                             it.sourceOperation);
                     }) &&
         readObjects(fields, "resources", true,
                     [&](JSONFields &inner, const JSONCursor &) {
                       PtxasResources &it = out.resources.emplace_back();
                       return inner.required("entry", it.entry) &&
                              inner.optional("registers", it.registers) &&
                              inner.optional("barriers", it.barriers) &&
                              inner.optional("stack", it.stack) &&
                              inner.optional("spill_stores", it.spillStores) &&
                              inner.optional("spill_loads", it.spillLoads) &&
                              inner.optional("smem", it.smem) &&
                              inner.optional("cmem", it.cmem) &&
                              inner.optional("lmem", it.lmem);
                     });
}

bool readDynamic(JSONFields &fields, DynamicInfo &out) {
  return fields.required("backend", out.backend) &&
         fields.optional("device", out.device) &&
         fields.optional("versions", out.versions) &&
         fields.optional("task", out.task) &&
         readObject(fields, "workload", false,
                    [&](JSONFields &inner, const JSONCursor &) {
                      return inner.optional("uuid", out.workload) &&
                             inner.optional("axes", out.axes);
                    }) &&
         readObjects(
             fields, "other_workloads", false,
             [&](JSONFields &inner, const JSONCursor &) {
               OtherWorkload &it = out.otherWorkloads.emplace_back();
               return inner.required("uuid", it.uuid) &&
                      inner.required("axes", it.axes) &&
                      readWord(inner, "status",
                               "the statuses of docs/Report.md", it.status,
                               [](StringRef text) {
                                 return symbolizeStatus(text);
                               }) &&
                      inner.optional("reason", it.reason) &&
                      inner.optional("max_absolute_error",
                                     it.maxAbsoluteError) &&
                      inner.optional("max_relative_error", it.maxRelativeError);
             }) &&
         fields.optional("required_families", out.requiredFamilies) &&
         fields.optional("seed", out.seed) &&
         fields.optional("notes", out.notes) &&
         fields.optional("printed", out.printed);
}

/// The four numbers that outputs and the whole share.
template <typename T> bool readErrors(JSONFields &fields, T &out) {
  return fields.optional("max_absolute_error", out.maxAbsoluteError) &&
         fields.optional("max_relative_error", out.maxRelativeError) &&
         fields.optional("relative_l2", out.relativeL2) &&
         fields.optional("matched_ratio", out.matchedRatio);
}

bool readCorrectness(JSONFields &fields, Correctness &out) {
  return fields.required("passed", out.passed) && readErrors(fields, out) &&
         fields.optional("atol", out.atol) &&
         fields.optional("rtol", out.rtol) &&
         fields.optional("required_matched_ratio", out.requiredMatchedRatio) &&
         fields.optional("max_relative_l2", out.maxRelativeL2) &&
         fields.optional("trials", out.trials) &&
         fields.optional("reference", out.reference) &&
         fields.optional("reason", out.reason) &&
         readObjects(fields, "outputs", false,
                     [&](JSONFields &inner, const JSONCursor &) {
                       OutputCorrectness &it = out.outputs.emplace_back();
                       return inner.required("name", it.name) &&
                              inner.required("passed", it.passed) &&
                              readErrors(inner, it) &&
                              inner.optional("elements", it.elements) &&
                              inner.optional("mismatched", it.mismatched) &&
                              inner.optional("unwritten", it.unwritten) &&
                              inner.optional("non_finite", it.nonFinite) &&
                              inner.optional("reason", it.reason);
                     });
}

bool readSpread(JSONFields &fields, StringRef key,
                std::optional<TimeSpread> &out) {
  return readObject(fields, key, false,
                    [&](JSONFields &inner, const JSONCursor &) {
                      out.emplace();
                      return inner.optional("min_ms", out->minMs) &&
                             inner.optional("p25_ms", out->p25Ms) &&
                             inner.optional("p75_ms", out->p75Ms) &&
                             inner.optional("max_ms", out->maxMs);
                    });
}

bool readClocks(JSONFields &fields, StringRef key, ClockReading &out) {
  return readObject(
      fields, key, false, [&](JSONFields &inner, const JSONCursor &) {
        std::vector<std::string> reasons;
        bool read = inner.optional("sm_mhz", out.smMHz) &&
                    inner.optional("memory_mhz", out.memoryMHz) &&
                    inner.optional("temperature_c", out.temperatureC) &&
                    inner.optional("power_w", out.powerW);
        bool known = inner.find("throttle_reasons", false).has_value();
        if (!read || !inner.optional("throttle_reasons", reasons))
          return false;
        if (known)
          out.throttleReasons = std::move(reasons);
        return true;
      });
}

bool readPerformance(JSONFields &fields, Performance &out) {
  return fields.optional("latency_ms", out.latencyMs) &&
         fields.optional("baseline_ms", out.baselineMs) &&
         fields.optional("baseline", out.baseline) &&
         fields.optional("speedup_factor", out.speedupFactor) &&
         readSpread(fields, "spread", out.spread) &&
         readSpread(fields, "baseline_spread", out.baselineSpread) &&
         fields.optional("busy_ms", out.busyMs) &&
         fields.optional("event_ms", out.eventMs) &&
         fields.optional("host_ms", out.hostMs) &&
         fields.optional("floor_ms", out.floorMs) &&
         readClocks(fields, "clocks_before", out.clocksBefore) &&
         readClocks(fields, "clocks_after", out.clocksAfter) &&
         fields.optional("runs", out.runs) &&
         fields.optional("warmups", out.warmups) &&
         fields.optional("flops", out.flops) &&
         fields.optional("method", out.method) &&
         fields.optional("warnings", out.warnings);
}

bool readCrossCheck(JSONFields &fields, const JSONCursor &cursor,
                    const std::vector<EntryResult> &entries,
                    CrossCheckTotals &out) {
  if (!fields.required("confirmed", out.confirmed) ||
      !fields.required("refuted", out.refuted) ||
      !fields.required("undecided", out.undecided) ||
      !fields.required("unobservable", out.unobservable))
    return false;
  CrossCheckTotals counted =
      countAgreements(entries).value_or(CrossCheckTotals());
  if (out.confirmed != counted.confirmed || out.refuted != counted.refuted ||
      out.undecided != counted.undecided ||
      out.unobservable != counted.unobservable)
    return cursor.fail("expected the totals of the agreements listed in "
                       "\"entries\"");
  return true;
}

bool readReport(JSONFields &fields, Report &out) {
  std::optional<JSONCursor> schema = fields.find("schema", true);
  std::string name;
  if (!schema || !schema->read(name))
    return false;
  if (name != "ptxbench.report.v1")
    return schema->fail("expected \"ptxbench.report.v1\" but got \"" + name +
                        "\"");
  auto symbolizeStatic =
      [](StringRef text) -> std::optional<StaticInfo::State> {
    for (StaticInfo::State state :
         {StaticInfo::State::Complete, StaticInfo::State::Unsupported,
          StaticInfo::State::NotRun})
      if (text == stringifyStaticState(state))
        return state;
    return std::nullopt;
  };
  return readWord(fields, "status", "the statuses of docs/Report.md",
                  out.status,
                  [](StringRef text) { return symbolizeStatus(text); }) &&
         fields.optional("reason", out.reason) &&
         fields.optional("retry", out.retry) &&
         readObject(fields, "module", true,
                    [&](JSONFields &inner, const JSONCursor &) {
                      ModuleInfo &it = out.module;
                      return inner.required("path", it.path) &&
                             inner.optional("ptx_version", it.ptxVersion) &&
                             inner.optional("target", it.target) &&
                             inner.optional("sha256", it.sha256);
                    }) &&
         readObject(fields, "static", true,
                    [&](JSONFields &inner, const JSONCursor &) {
                      return readWord(inner, "state",
                                      "complete, unsupported, not-run",
                                      out.analysis.state, symbolizeStatic) &&
                             inner.optional("reason", out.analysis.reason);
                    }) &&
         readObjects(fields, "entries", true,
                     [&](JSONFields &inner, const JSONCursor &at) {
                       out.entries.emplace_back();
                       return readEntry(inner, at, out.entries.back());
                     }) &&
         readObjects(fields, "diagnostics", true,
                     [&](JSONFields &inner, const JSONCursor &) {
                       ReportDiagnostic &it = out.diagnostics.emplace_back();
                       return inner.optional("rule", it.rule) &&
                              readSeverity(inner, it.severity) &&
                              readPlace(inner, "line", it.line, false) &&
                              readPlace(inner, "column", it.column, false) &&
                              inner.required("message", it.message) &&
                              inner.optional("fix", it.fix) &&
                              inner.optional("source", it.source) &&
                              inner.optional("inlined_at", it.inlinedAt) &&
                              inner.optional("source_operation",
                                             it.sourceOperation) &&
                              inner.optional("launches", it.launches);
                     }) &&
         readObject(fields, "ptxas", false,
                    [&](JSONFields &inner, const JSONCursor &) {
                      out.ptxas.emplace();
                      return readPtxas(inner, *out.ptxas);
                    }) &&
         readObject(fields, "machine_code", false,
                    [&](JSONFields &inner, const JSONCursor &) {
                      out.machineCode.emplace();
                      return readMachineCode(inner, *out.machineCode);
                    }) &&
         readObject(fields, "dynamic", false,
                    [&](JSONFields &inner, const JSONCursor &) {
                      out.dynamic.emplace();
                      return readDynamic(inner, *out.dynamic);
                    }) &&
         readObject(fields, "crosscheck", false,
                    [&](JSONFields &inner, const JSONCursor &at) {
                      out.crosscheck.emplace();
                      return readCrossCheck(inner, at, out.entries,
                                            *out.crosscheck);
                    }) &&
         readObject(fields, "correctness", false,
                    [&](JSONFields &inner, const JSONCursor &) {
                      out.correctness.emplace();
                      return readCorrectness(inner, *out.correctness);
                    }) &&
         readObject(fields, "performance", false,
                    [&](JSONFields &inner, const JSONCursor &) {
                      out.performance.emplace();
                      return readPerformance(inner, *out.performance);
                    }) &&
         readObjects(fields, "stages", false,
                     [&](JSONFields &inner, const JSONCursor &) {
                       Stage &it = out.stages.emplace_back();
                       return inner.required("name", it.name) &&
                              readWord(inner, "verdict",
                                       "passed, failed, skipped, unsupported",
                                       it.verdict,
                                       [](StringRef text) {
                                         return symbolizeStageVerdict(text);
                                       }) &&
                              inner.optional("seconds", it.seconds) &&
                              inner.optional("log", it.log);
                     });
}

} // namespace

llvm::Expected<Report> ptxbench::parseReport(StringRef json, StringRef path) {
  JSONSource source(json, path);
  llvm::Expected<llvm::json::Value> root = source.parse();
  if (!root)
    return root.takeError();
  JSONFields fields(JSONCursor(source, *root));
  Report report;
  if (!readReport(fields, report) || !fields.finish()) {
    if (llvm::Error error = source.takeError())
      return error;
    return llvm::createStringError(path + ": expected a report");
  }
  return report;
}
