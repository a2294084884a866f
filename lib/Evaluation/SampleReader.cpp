//===- SampleReader.cpp - Samples from JSON Lines -------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Unknown keys of a completion are the producer's own and are passed over.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Evaluation/Sample.h"
#include "ptxbench/Support/LocatedJSON.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

#include <set>

using namespace llvm;
using namespace ptxbench;

/// Whether a path stays below the folder that it is relative to.
static bool isInside(StringRef path) {
  SmallVector<StringRef, 8> parts;
  path.split(parts, '/');
  return !path.contains('\\') && !path.contains('\0') &&
         all_of(parts, [](StringRef part) {
           return !part.empty() && part != "." && part != "..";
         });
}

static bool readCompletion(JSONFields &fields, Sample &out) {
  std::string completion;
  if (!fields.required("task_id", out.task) ||
      !fields.required("completion", completion) ||
      !fields.optional("turn", out.turn))
    return false;
  if (std::optional<JSONCursor> at = fields.find("trajectory_id", false)) {
    // A number names a trajectory as well as a string does.
    if (std::optional<int64_t> number = at->get().getAsInteger())
      out.trajectory = std::to_string(*number);
    else if (!at->read(out.trajectory))
      return false;
  }
  Expected<CandidateCode> code = extractCode(completion);
  if (code)
    out.code = std::move(*code);
  else
    out.problem = toString(code.takeError());
  return true;
}

/// "file::function" of a solution's specification; empty, with Sample::problem
/// set, if the solution is of a kind that is not run here.
static bool readSpec(const JSONCursor &cursor, Sample &out, std::string &file) {
  JSONFields fields(cursor);
  std::string language, entry;
  std::optional<std::string> binding;
  bool destinationPassing = true;
  if (!fields.required("language", language) ||
      !fields.required("entry_point", entry) ||
      !fields.optional("destination_passing_style", destinationPassing))
    return false;
  if (std::optional<JSONCursor> at = fields.find("binding", false))
    if (at->get().kind() != json::Value::Null && !at->read(binding))
      return false;
  file = StringRef(entry).split("::").first.str();
  if (StringRef(language).lower() != "cuda")
    out.problem = "solutions in '" + language + "' are not run: only 'cuda'";
  else if (binding.value_or("tvm-ffi") != "tvm-ffi")
    out.problem =
        "the binding '" + *binding + "' is not supported: only 'tvm-ffi'";
  else if (!destinationPassing)
    out.problem = "the solution returns its outputs: only destination passing "
                  "is supported";
  else if (StringRef(entry).split("::").second != "run")
    out.problem = "the entry point is '" + entry + "': expected 'FILE::run'";
  return true;
}

static bool readSolution(JSONFields &fields, Sample &out) {
  std::string file;
  std::optional<JSONCursor> spec = fields.find("spec", true);
  std::optional<JSONCursor> sources = fields.find("sources", true);
  if (!spec || !sources || !fields.required("definition", out.task) ||
      !fields.required("name", out.name) ||
      !fields.optional("author", out.author) || !readSpec(*spec, out, file))
    return false;
  CandidateCode code;
  std::set<std::string> paths;
  bool ok = sources->forEach([&](const JSONCursor &item) {
    JSONFields source(item);
    SourceFile read;
    if (!source.required("path", read.path) ||
        !source.required("content", read.text))
      return false;
    if (!isInside(read.path))
      return item.fail("expected a relative path without '..' but got '" +
                       read.path + "'");
    if (!paths.insert(read.path).second)
      return item.fail("the path '" + read.path + "' is there twice");
    code.files.push_back(std::move(read));
    return true;
  });
  if (!ok)
    return false;
  for (SourceFile &source : code.files)
    if (source.path == file)
      std::swap(source, code.files.front());
  if (!out.problem.empty())
    return true;
  if (code.files.empty() || code.files.front().path != file)
    return sources->fail("no source has the path '" + file +
                         "' of the entry point");
  out.code = std::move(code);
  return true;
}

static Expected<Sample> parseSample(StringRef line, StringRef path,
                                    unsigned number) {
  JSONSource source(line, path, number);
  Expected<json::Value> value = source.parse();
  if (!value)
    return value.takeError();
  Sample sample;
  sample.line = number;
  JSONCursor root(source, *value);
  JSONFields fields(root);
  const json::Object *object = root.asObject();
  bool ok = object && (object->get("sources") ? readSolution(fields, sample)
                                              : readCompletion(fields, sample));
  if (!ok || source.failed())
    return source.takeError();
  return sample;
}

Expected<std::vector<Sample>> ptxbench::parseSamples(StringRef text,
                                                     StringRef path) {
  std::vector<Sample> samples;
  for (unsigned number = 1; !text.empty(); ++number) {
    auto [line, rest] = text.split('\n');
    text = rest;
    if (line.trim().empty())
      continue;
    Expected<Sample> sample = parseSample(line, path, number);
    if (!sample)
      return sample.takeError();
    sample->index = samples.size();
    auto digest = SHA256::hash(arrayRefFromStringRef(line.trim()));
    sample->key = std::to_string(sample->index) + "-" +
                  toHex(ArrayRef<uint8_t>(digest).take_front(8), true);
    samples.push_back(std::move(*sample));
  }
  if (samples.empty())
    return createStringError(inconvertibleErrorCode(),
                             path + ": the file has no samples");
  return samples;
}
