//===- JSONWriter.cpp - Reports as JSON -----------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Streams the model in the order of docs/Report.md. Everything absent is left
// out; the exceptions are `assumptions.launch` and `assumptions.params`, which
// are null when nothing is assumed, because that is a statement.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Report/ReportIO.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

using namespace ptxbench;
using llvm::StringRef;

namespace {
class Writer {
public:
  explicit Writer(llvm::raw_ostream &os) : out(os, /*IndentSize=*/1) {}

  void write(const Report &report);

private:
  void write(const EntryResult &entry);
  void write(const TargetResult &target);
  void write(const PtxasInfo &ptxas);
  void write(const DynamicInfo &dynamic);
  void write(const Correctness &correctness);
  void write(const Performance &performance);
  void write(StringRef key, const ExecutionCount &count);
  void write(StringRef key, const TimeSpread &spread);
  void write(StringRef key, const ClockReading &clocks);
  void write(StringRef key, const Dim3 &dim);
  void writeLaunch(const LaunchRecord &launch);
  void writeAssumptions(const LaunchAssumptions &assumptions);

  void text(StringRef value) {
    if (llvm::json::isUTF8(value))
      out.value(value);
    else
      out.value(llvm::json::fixUTF8(value));
  }
  void field(StringRef key, StringRef value) {
    out.attributeBegin(key);
    text(value);
    out.attributeEnd();
  }
  void fieldUnlessEmpty(StringRef key, StringRef value) {
    if (!value.empty())
      field(key, value);
  }
  void place(StringRef key, unsigned value) {
    if (value)
      out.attribute(key, value);
  }
  void field(StringRef key, std::optional<uint64_t> value) {
    if (value)
      out.attribute(key, *value);
  }
  void field(StringRef key, std::optional<double> value) {
    if (!value)
      return;
    out.attributeBegin(key);
    number(*value);
    out.attributeEnd();
  }
  void number(double value);
  void strings(StringRef key, const std::vector<std::string> &values) {
    if (values.empty())
      return;
    out.attributeArray(key, [&] {
      for (const std::string &value : values)
        text(value);
    });
  }

  llvm::json::OStream out;
};
} // namespace

/// Writes the fewest digits that read back as the same double.
void Writer::number(double value) {
  if (std::isnan(value)) {
    out.value("NaN");
    return;
  }
  if (std::isinf(value)) {
    out.value(value > 0 ? "Infinity" : "-Infinity");
    return;
  }
  char buffer[40];
  for (int digits = 1; digits <= 17; ++digits) {
    std::snprintf(buffer, sizeof(buffer), "%.*g", digits, value);
    if (std::strtod(buffer, nullptr) == value)
      break;
  }
  out.rawValue(buffer);
}

void Writer::write(StringRef key, const Dim3 &dim) {
  out.attributeArray(key, [&] {
    out.value(dim.x);
    out.value(dim.y);
    out.value(dim.z);
  });
}

void Writer::write(StringRef key, const ExecutionCount &count) {
  if (!count.known())
    return;
  out.attributeObject(key, [&] {
    field("warps", count.warps);
    field("threads", count.threads);
  });
}

void Writer::write(StringRef key, const TimeSpread &spread) {
  out.attributeObject(key, [&] {
    field("min_ms", spread.minMs);
    field("p25_ms", spread.p25Ms);
    field("p75_ms", spread.p75Ms);
    field("max_ms", spread.maxMs);
  });
}

void Writer::writeAssumptions(const LaunchAssumptions &assumptions) {
  out.attributeObject("assumptions", [&] {
    if (assumptions.grid || assumptions.block || assumptions.cluster) {
      out.attributeObject("launch", [&] {
        if (assumptions.grid)
          write("grid", *assumptions.grid);
        if (assumptions.block)
          write("block", *assumptions.block);
        if (assumptions.cluster)
          write("cluster", *assumptions.cluster);
      });
    } else {
      out.attribute("launch", nullptr);
    }
    if (assumptions.params.empty()) {
      out.attribute("params", nullptr);
      return;
    }
    out.attributeArray("params", [&] {
      for (const ParamAssumption &param : assumptions.params) {
        out.object([&] {
          out.attribute("index", param.index);
          out.attribute("offset", param.offset);
          out.attribute("bytes", llvm::toHex(param.bytes, /*LowerCase=*/true));
          if (param.address)
            out.attribute("address", *param.address);
        });
      }
    });
  });
}

void Writer::writeLaunch(const LaunchRecord &launch) {
  out.object([&] {
    write("grid", launch.grid);
    write("block", launch.block);
    write("cluster", launch.cluster);
    out.attribute("dynamic_shared_bytes", launch.dynamicSharedBytes);
    if (launch.params)
      out.attribute("params", llvm::toHex(*launch.params, /*LowerCase=*/true));
    out.attribute("count", launch.count);
  });
}

void Writer::write(const TargetResult &target) {
  const TargetVerdict &verdict = target.verdict;
  out.object([&] {
    field("family", StringRef(verdict.family));
    field("opcode", StringRef(verdict.opcode));
    fieldUnlessEmpty("mnemonic", verdict.mnemonic);
    out.attribute("line", verdict.line);
    out.attribute("column", verdict.column);
    if (verdict.inlineAsm)
      out.attribute("inline_asm", *verdict.inlineAsm);
    fieldUnlessEmpty("function", verdict.function);
    fieldUnlessEmpty("source", verdict.source);
    fieldUnlessEmpty("inlined_at", verdict.inlinedAt);
    fieldUnlessEmpty("source_operation", verdict.sourceOperation);
    out.attribute("reach", stringifyReach(verdict.reach));
    if (verdict.scope)
      out.attribute("scope", stringifyScope(*verdict.scope));
    fieldUnlessEmpty("reason", verdict.reason);
    if (verdict.predicted && (verdict.predicted->launch.known() ||
                              verdict.predicted->perCTA.known())) {
      out.attributeObject("predicted", [&] {
        field("warps", verdict.predicted->launch.warps);
        field("threads", verdict.predicted->launch.threads);
        write("per_cta", verdict.predicted->perCTA);
      });
    }
    if (target.sass) {
      out.attributeObject("sass", [&] {
        out.attribute("state", stringifySassState(target.sass->state));
        if (!target.sass->pcs.empty()) {
          out.attributeArray("pcs", [&] {
            for (uint64_t pc : target.sass->pcs)
              out.value(pc);
          });
        }
        fieldUnlessEmpty("reason", target.sass->reason);
      });
    }
    if (target.executed && target.executed->count.known()) {
      out.attributeObject("executed", [&] {
        field("warps", target.executed->count.warps);
        field("threads", target.executed->count.threads);
        fieldUnlessEmpty("source", target.executed->source);
      });
    }
    if (target.agreement)
      field("agreement", StringRef(*target.agreement));
    fieldUnlessEmpty("agreement_reason", target.agreementReason);
  });
}

void Writer::write(const EntryResult &entry) {
  out.object([&] {
    field("name", StringRef(entry.name));
    writeAssumptions(entry.assumptions);
    out.attributeArray("targets", [&] {
      for (const TargetResult &target : entry.targets)
        write(target);
    });
    if (!entry.launches.empty()) {
      out.attributeArray("launches", [&] {
        for (const LaunchRecord &launch : entry.launches)
          writeLaunch(launch);
      });
    }
    out.attributeObject("summary", [&] {
      for (const auto &[family, sum] : summarize(entry)) {
        out.attributeObject(family, [&, &sum = sum] {
          out.attribute("all", sum.all);
          out.attribute("some", sum.some);
          out.attribute("maybe", sum.maybe);
          out.attribute("never", sum.never);
        });
      }
    });
  });
}

void Writer::write(const PtxasInfo &ptxas) {
  fieldUnlessEmpty("version", ptxas.version);
  if (ptxas.accepted)
    out.attribute("accepted", *ptxas.accepted);
  out.attributeArray("diagnostics", [&] {
    for (const PtxasDiagnostic &diagnostic : ptxas.diagnostics) {
      out.object([&] {
        out.attribute("severity", stringifySeverity(diagnostic.severity));
        fieldUnlessEmpty("code", diagnostic.code);
        place("line", diagnostic.line);
        field("message", StringRef(diagnostic.message));
        fieldUnlessEmpty("source", diagnostic.source);
        fieldUnlessEmpty("inlined_at", diagnostic.inlinedAt);
        fieldUnlessEmpty("source_operation", diagnostic.sourceOperation);
      });
    }
  });
  out.attributeArray("resources", [&] {
    for (const PtxasResources &resources : ptxas.resources) {
      out.object([&] {
        field("entry", StringRef(resources.entry));
        field("registers", resources.registers);
        field("barriers", resources.barriers);
        field("stack", resources.stack);
        field("spill_stores", resources.spillStores);
        field("spill_loads", resources.spillLoads);
        field("smem", resources.smem);
        field("cmem", resources.cmem);
        field("lmem", resources.lmem);
      });
    }
  });
}

void Writer::write(const DynamicInfo &dynamic) {
  field("backend", StringRef(dynamic.backend));
  fieldUnlessEmpty("device", dynamic.device);
  if (!dynamic.versions.empty()) {
    out.attributeObject("versions", [&] {
      for (const auto &[name, version] : dynamic.versions)
        field(name, StringRef(version));
    });
  }
  fieldUnlessEmpty("task", dynamic.task);
  if (!dynamic.workload.empty() || !dynamic.axes.empty()) {
    out.attributeObject("workload", [&] {
      fieldUnlessEmpty("uuid", dynamic.workload);
      if (!dynamic.axes.empty()) {
        out.attributeObject("axes", [&] {
          for (const auto &[axis, extent] : dynamic.axes)
            out.attribute(axis, extent);
        });
      }
    });
  }
  if (!dynamic.otherWorkloads.empty())
    out.attributeArray("other_workloads", [&] {
      for (const OtherWorkload &other : dynamic.otherWorkloads)
        out.object([&] {
          field("uuid", StringRef(other.uuid));
          out.attributeObject("axes", [&] {
            for (const auto &[axis, extent] : other.axes)
              out.attribute(axis, extent);
          });
          out.attribute("status", stringifyStatus(other.status));
          fieldUnlessEmpty("reason", other.reason);
          field("max_absolute_error", other.maxAbsoluteError);
          field("max_relative_error", other.maxRelativeError);
        });
    });
  strings("required_families", dynamic.requiredFamilies);
  field("seed", dynamic.seed);
  strings("notes", dynamic.notes);
  if (dynamic.printed)
    field("printed", StringRef(*dynamic.printed));
}

void Writer::write(const Correctness &correctness) {
  out.attribute("passed", correctness.passed);
  field("max_absolute_error", correctness.maxAbsoluteError);
  field("max_relative_error", correctness.maxRelativeError);
  field("relative_l2", correctness.relativeL2);
  field("matched_ratio", correctness.matchedRatio);
  field("atol", correctness.atol);
  field("rtol", correctness.rtol);
  field("required_matched_ratio", correctness.requiredMatchedRatio);
  field("max_relative_l2", correctness.maxRelativeL2);
  field("trials", correctness.trials);
  fieldUnlessEmpty("reference", correctness.reference);
  fieldUnlessEmpty("reason", correctness.reason);
  if (correctness.outputs.empty())
    return;
  out.attributeArray("outputs", [&] {
    for (const OutputCorrectness &output : correctness.outputs) {
      out.object([&] {
        field("name", StringRef(output.name));
        out.attribute("passed", output.passed);
        field("max_absolute_error", output.maxAbsoluteError);
        field("max_relative_error", output.maxRelativeError);
        field("relative_l2", output.relativeL2);
        field("matched_ratio", output.matchedRatio);
        field("elements", output.elements);
        field("mismatched", output.mismatched);
        field("unwritten", output.unwritten);
        field("non_finite", output.nonFinite);
        fieldUnlessEmpty("reason", output.reason);
      });
    }
  });
}

void Writer::write(StringRef key, const ClockReading &clocks) {
  if (clocks.empty())
    return;
  out.attributeObject(key, [&] {
    auto number = [&](StringRef name, std::optional<unsigned> value) {
      if (value)
        out.attribute(name, *value);
    };
    number("sm_mhz", clocks.smMHz);
    number("memory_mhz", clocks.memoryMHz);
    number("temperature_c", clocks.temperatureC);
    number("power_w", clocks.powerW);
    if (clocks.throttleReasons)
      out.attributeArray("throttle_reasons", [&] {
        for (const std::string &reason : *clocks.throttleReasons)
          out.value(reason);
      });
  });
}

void Writer::write(const Performance &performance) {
  field("latency_ms", performance.latencyMs);
  field("baseline_ms", performance.baselineMs);
  fieldUnlessEmpty("baseline", performance.baseline);
  field("speedup_factor", performance.speedupFactor);
  if (performance.spread)
    write("spread", *performance.spread);
  if (performance.baselineSpread)
    write("baseline_spread", *performance.baselineSpread);
  field("busy_ms", performance.busyMs);
  field("event_ms", performance.eventMs);
  field("host_ms", performance.hostMs);
  field("floor_ms", performance.floorMs);
  write("clocks_before", performance.clocksBefore);
  write("clocks_after", performance.clocksAfter);
  field("runs", performance.runs);
  field("warmups", performance.warmups);
  field("flops", performance.flops);
  fieldUnlessEmpty("method", performance.method);
  strings("warnings", performance.warnings);
}

void Writer::write(const Report &report) {
  out.object([&] {
    out.attribute("schema", "ptxbench.report.v1");
    out.attribute("status", stringifyStatus(report.status));
    fieldUnlessEmpty("reason", report.reason);
    if (report.retry)
      out.attribute("retry", true);
    out.attributeObject("module", [&] {
      field("path", StringRef(report.module.path));
      fieldUnlessEmpty("ptx_version", report.module.ptxVersion);
      fieldUnlessEmpty("target", report.module.target);
      fieldUnlessEmpty("sha256", report.module.sha256);
    });
    out.attributeObject("static", [&] {
      out.attribute("state", stringifyStaticState(report.analysis.state));
      fieldUnlessEmpty("reason", report.analysis.reason);
    });
    out.attributeArray("entries", [&] {
      for (const EntryResult &entry : report.entries)
        write(entry);
    });
    out.attributeArray("diagnostics", [&] {
      for (const ReportDiagnostic &diagnostic : report.diagnostics) {
        out.object([&] {
          fieldUnlessEmpty("rule", diagnostic.rule);
          out.attribute("severity", stringifySeverity(diagnostic.severity));
          place("line", diagnostic.line);
          place("column", diagnostic.column);
          field("message", StringRef(diagnostic.message));
          fieldUnlessEmpty("fix", diagnostic.fix);
          fieldUnlessEmpty("source", diagnostic.source);
          fieldUnlessEmpty("inlined_at", diagnostic.inlinedAt);
          fieldUnlessEmpty("source_operation", diagnostic.sourceOperation);
          field("launches", diagnostic.launches);
        });
      }
    });
    if (report.ptxas)
      out.attributeObject("ptxas", [&] { write(*report.ptxas); });
    if (report.machineCode)
      out.attributeObject("machine_code", [&] {
        field("sha256", StringRef(report.machineCode->sha256));
        out.attributeObject("families", [&] {
          for (const auto &[name, family] : report.machineCode->families)
            out.attributeObject(name, [&, &family = family] {
              out.attribute("instructions", family.instructions);
              if (family.threads)
                out.attribute("threads", *family.threads);
            });
        });
      });
    if (report.dynamic)
      out.attributeObject("dynamic", [&] { write(*report.dynamic); });
    if (report.crosscheck) {
      out.attributeObject("crosscheck", [&] {
        out.attribute("confirmed", report.crosscheck->confirmed);
        out.attribute("refuted", report.crosscheck->refuted);
        out.attribute("undecided", report.crosscheck->undecided);
        out.attribute("unobservable", report.crosscheck->unobservable);
      });
    }
    if (report.correctness)
      out.attributeObject("correctness", [&] { write(*report.correctness); });
    if (report.performance)
      out.attributeObject("performance", [&] { write(*report.performance); });
    if (!report.stages.empty()) {
      out.attributeArray("stages", [&] {
        for (const Stage &stage : report.stages) {
          out.object([&] {
            field("name", StringRef(stage.name));
            out.attribute("verdict", stringifyStageVerdict(stage.verdict));
            field("seconds", stage.seconds);
            fieldUnlessEmpty("log", stage.log);
          });
        }
      });
    }
  });
}

void ptxbench::writeJSON(const Report &report, llvm::raw_ostream &os) {
  Writer(os).write(report);
  os << '\n';
}
