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

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <limits>
#include <set>

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

//===----------------------------------------------------------------------===//
// Reading the members of one object
//===----------------------------------------------------------------------===//

namespace {
/// Reads the members of one JSON object and remembers which ones were asked
/// for, so that `finish` can refuse the others.
class ObjectReader {
public:
  ObjectReader(const json::Value &value, json::Path path)
      : object(value.getAsObject()), path(path) {
    if (!object)
      fail(path, "expected an object");
  }

  template <typename T> void required(StringRef key, T &out) {
    if (const json::Value *value = lookup(key)) {
      if (!read(*value, out, path.field(key)))
        failed = true;
    } else if (object) {
      fail(path.field(key), "expected this key but it is missing");
    }
  }

  template <typename T> void optional(StringRef key, std::optional<T> &out) {
    out.reset();
    if (const json::Value *value = lookup(key)) {
      T inner{};
      if (read(*value, inner, path.field(key)))
        out = std::move(inner);
      else
        failed = true;
    }
  }

  /// Whether all went well; false also if the object has other keys.
  bool finish() {
    if (object && !failed)
      for (const auto &member : *object)
        if (!known.count(StringRef(member.first).str()))
          fail(path.field(member.first), "expected no such key");
    return object && !failed;
  }

  void fail(json::Path place, llvm::StringLiteral message) {
    if (!failed)
      place.report(message);
    failed = true;
  }

private:
  const json::Value *lookup(StringRef key) {
    known.insert(key.str());
    return object && !failed ? object->get(key) : nullptr;
  }

  static bool read(const json::Value &value, uint64_t &out, json::Path place) {
    if (std::optional<uint64_t> number = value.getAsUINT64()) {
      out = *number;
      return true;
    }
    place.report("expected an unsigned 64-bit integer");
    return false;
  }
  static bool read(const json::Value &value, uint32_t &out, json::Path place) {
    std::optional<uint64_t> number = value.getAsUINT64();
    if (!number || *number > std::numeric_limits<uint32_t>::max()) {
      place.report("expected an unsigned 32-bit integer");
      return false;
    }
    out = static_cast<uint32_t>(*number);
    return true;
  }
  static bool read(const json::Value &value, bool &out, json::Path place) {
    if (std::optional<bool> flag = value.getAsBoolean()) {
      out = *flag;
      return true;
    }
    place.report("expected true or false");
    return false;
  }
  static bool read(const json::Value &value, std::string &out,
                   json::Path place) {
    if (std::optional<StringRef> text = value.getAsString()) {
      out = text->str();
      return true;
    }
    place.report("expected a string");
    return false;
  }
  static bool read(const json::Value &value, SassState &out, json::Path place) {
    std::optional<StringRef> text = value.getAsString();
    if (std::optional<SassState> state =
            text ? symbolizeSassState(text->str()) : std::nullopt) {
      out = *state;
      return true;
    }
    place.report("expected \"present\", \"absent\" or \"unobservable\"");
    return false;
  }
  /// Bytes, as an even number of lower-case hex digits. (Lists of bytes have
  /// no other form, so this overload does not shadow one of numbers.)
  static bool read(const json::Value &value, std::vector<uint8_t> &out,
                   json::Path place) {
    std::optional<StringRef> text = value.getAsString();
    bool valid =
        text && text->size() % 2 == 0 && llvm::all_of(*text, [](char c) {
          return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
        });
    if (!valid) {
      place.report("expected an even number of lower-case hex digits");
      return false;
    }
    out.clear();
    for (size_t i = 0; i < text->size(); i += 2)
      out.push_back(llvm::hexDigitValue((*text)[i]) * 16 +
                    llvm::hexDigitValue((*text)[i + 1]));
    return true;
  }
  static bool read(const json::Value &value,
                   std::map<std::string, std::string> &out, json::Path place) {
    const json::Object *members = value.getAsObject();
    if (!members) {
      place.report("expected an object of strings");
      return false;
    }
    out.clear();
    for (const auto &member : *members) {
      std::string text;
      if (!read(member.second, text, place.field(member.first)))
        return false;
      out.emplace(StringRef(member.first).str(), std::move(text));
    }
    return true;
  }
  template <typename T>
  static bool read(const json::Value &value, std::vector<T> &out,
                   json::Path place) {
    const json::Array *elements = value.getAsArray();
    if (!elements) {
      place.report("expected an array");
      return false;
    }
    out.clear();
    for (size_t i = 0; i < elements->size(); ++i) {
      T element{};
      if (!read((*elements)[i], element, place.index(i)))
        return false;
      out.push_back(std::move(element));
    }
    return true;
  }
  static bool read(const json::Value &value, Dim3 &out, json::Path place) {
    return fromJSON(value, out, place);
  }
  static bool read(const json::Value &value, LaunchRecord &out,
                   json::Path place) {
    return fromJSON(value, out, place);
  }
  static bool read(const json::Value &value, ExecutionCount &out,
                   json::Path place) {
    return fromJSON(value, out, place);
  }
  static bool read(const json::Value &value, TargetCount &out,
                   json::Path place) {
    return fromJSON(value, out, place);
  }
  static bool read(const json::Value &value, SassCount &out, json::Path place);
  static bool read(const json::Value &value, KernelTrace &out,
                   json::Path place);

  const json::Object *object;
  json::Path path;
  std::set<std::string> known;
  bool failed = false;
};
} // namespace

bool ObjectReader::read(const json::Value &value, SassCount &out,
                        json::Path place) {
  ObjectReader reader(value, place);
  reader.required("pc", out.pc);
  reader.required("opcode", out.opcode);
  reader.required("name", out.name);
  reader.required("guarded", out.guarded);
  reader.required("warps", out.warps);
  reader.required("threads", out.threads);
  if (out.opcode > 0xfff)
    reader.fail(place.field("opcode"), "expected at most 12 bits");
  return reader.finish();
}

bool ObjectReader::read(const json::Value &value, KernelTrace &out,
                        json::Path place) {
  ObjectReader reader(value, place);
  reader.required("name", out.name);
  reader.required("aborted", out.aborted);
  reader.required("launches", out.launches);
  reader.required("launches_complete", out.launchesComplete);
  reader.required("sass", out.sass);
  reader.required("targets", out.targets);
  return reader.finish();
}

//===----------------------------------------------------------------------===//
// Shared pieces
//===----------------------------------------------------------------------===//

json::Value ptxbench::toJSON(const Dim3 &dim) {
  return json::Array{dim.x, dim.y, dim.z};
}

bool ptxbench::fromJSON(const json::Value &value, Dim3 &dim, json::Path path) {
  const json::Array *extents = value.getAsArray();
  if (!extents || extents->size() != 3) {
    path.report("expected an array of three extents");
    return false;
  }
  uint32_t *out[] = {&dim.x, &dim.y, &dim.z};
  for (size_t i = 0; i < 3; ++i) {
    std::optional<uint64_t> extent = (*extents)[i].getAsUINT64();
    if (!extent || *extent == 0 ||
        *extent > std::numeric_limits<uint32_t>::max()) {
      path.index(i).report("expected an extent from 1 to 4294967295");
      return false;
    }
    *out[i] = static_cast<uint32_t>(*extent);
  }
  return true;
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
  return object;
}

bool ptxbench::fromJSON(const json::Value &value, LaunchRecord &launch,
                        json::Path path) {
  ObjectReader reader(value, path);
  reader.required("kernel", launch.kernel);
  reader.required("grid", launch.grid);
  reader.required("block", launch.block);
  reader.required("cluster", launch.cluster);
  reader.required("dynamic_shared_bytes", launch.dynamicSharedBytes);
  reader.required("count", launch.count);
  reader.optional("params", launch.params);
  if (launch.count == 0)
    reader.fail(path.field("count"), "expected at least one launch");
  return reader.finish();
}

json::Value ptxbench::toJSON(const ExecutionCount &count) {
  json::Object object;
  if (count.warps)
    object["warps"] = *count.warps;
  if (count.threads)
    object["threads"] = *count.threads;
  return object;
}

bool ptxbench::fromJSON(const json::Value &value, ExecutionCount &count,
                        json::Path path) {
  ObjectReader reader(value, path);
  reader.optional("warps", count.warps);
  reader.optional("threads", count.threads);
  if (!count.known())
    reader.fail(path, "expected warps or threads or both");
  return reader.finish();
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

bool ptxbench::fromJSON(const json::Value &value, TargetCount &target,
                        json::Path path) {
  ObjectReader reader(value, path);
  std::optional<std::string> reason;
  reader.required("line", target.line);
  reader.required("column", target.column);
  reader.required("opcode", target.opcode);
  reader.optional("sass", target.sass);
  reader.required("pcs", target.pcs);
  reader.optional("executed", target.executed);
  reader.required("warps_exact", target.warpsExact);
  reader.required("threads_exact", target.threadsExact);
  reader.required("complete", target.complete);
  reader.required("exclusive", target.exclusive);
  reader.optional("reason", reason);
  target.reason = reason.value_or("");
  return reader.finish();
}

//===----------------------------------------------------------------------===//
// Whole traces
//===----------------------------------------------------------------------===//

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
  return json::Object{{"schema", schemaName},
                      {"source", trace.source},
                      {"environment", std::move(environment)},
                      {"ptx_sha256", trace.ptxSha256},
                      {"kernels", std::move(kernels)}};
}

llvm::Expected<Trace> ptxbench::parseTrace(StringRef text, StringRef path) {
  auto refuse = [&](llvm::Error error) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(), "%s: %s",
                                   path.str().c_str(),
                                   llvm::toString(std::move(error)).c_str());
  };
  llvm::Expected<json::Value> value = json::parse(text);
  if (!value)
    return refuse(value.takeError());

  json::Path::Root root("trace");
  Trace trace;
  std::string schema;
  ObjectReader reader(*value, root);
  reader.required("schema", schema);
  if (schema != schemaName)
    reader.fail(json::Path(root).field("schema"),
                "expected \"ptxbench.trace.v1\"");
  reader.required("source", trace.source);
  reader.required("environment", trace.environment);
  reader.required("ptx_sha256", trace.ptxSha256);
  reader.required("kernels", trace.kernels);
  if (!reader.finish())
    return refuse(root.getError());
  return trace;
}
