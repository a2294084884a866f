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
#include "ptxbench/Task/Solution.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"

using namespace llvm;
using namespace ptxbench;

/// A field that is there and not null.
static std::optional<JSONCursor> findValue(JSONFields &fields, StringRef key) {
  std::optional<JSONCursor> at = fields.find(key, /*must=*/false);
  if (at && at->get().kind() == json::Value::Null)
    return std::nullopt;
  return at;
}

/// `place` is said where the line has no completion.
static bool readCompletion(JSONFields &fields, const Twine &place,
                           Sample &out) {
  if (!fields.required("task_id", out.task))
    return false;
  if (std::optional<JSONCursor> at = findValue(fields, "turn"))
    if (!at->read(out.turn))
      return false;
  if (std::optional<JSONCursor> at = findValue(fields, "trajectory_id")) {
    // A number names a trajectory as well as a string does.
    if (std::optional<int64_t> number = at->get().getAsInteger())
      out.trajectory = std::to_string(*number);
    else if (!at->read(out.trajectory))
      return false;
  }
  // A model that gave nothing is a sample, too.
  std::optional<JSONCursor> completion = findValue(fields, "completion");
  if (!completion) {
    out.problem = (place + ": the line has no completion").str();
    return true;
  }
  std::string text;
  if (!completion->read(text))
    return false;
  Expected<CandidateCode> code = extractCode(text);
  if (code)
    out.code = std::move(*code);
  else
    out.problem = toString(code.takeError());
  return true;
}

static Sample toSample(Solution solution) {
  Sample sample;
  sample.task = std::move(solution.definition);
  sample.name = std::move(solution.name);
  sample.author = std::move(solution.author);
  auto refuse = [&](const Twine &why) {
    sample.problem = why.str();
    sample.isUnsupported = true;
    return sample;
  };
  StringRef kind = sys::path::extension(solution.entryFile);
  std::string language = StringRef(solution.language).lower();
  StringRef wanted = StringSwitch<StringRef>(language)
                         .Case("cuda", ".cu")
                         .Case("ptx", ".ptx")
                         .Case("mlir", ".mlir")
                         .Cases({"llvm", "llvm ir", "llvm-ir"}, ".ll")
                         .Default("");
  if (wanted.empty())
    return refuse("solutions in '" + solution.language +
                  "' are not run: only 'cuda', 'ptx', 'mlir' and 'llvm'");
  if (!solution.binding.empty() && solution.binding != "tvm-ffi")
    return refuse("the binding '" + solution.binding +
                  "' is not supported: only 'tvm-ffi'");
  if (!solution.destinationPassing)
    return refuse("the solution returns its outputs: only destination passing "
                  "is supported");
  if (!solution.problem.empty()) {
    sample.problem = std::move(solution.problem);
    return sample;
  }
  if (kind != wanted)
    return refuse("the entry point stands in '" + solution.entryFile +
                  "': only " + wanted + " files are compiled");
  CandidateCode code;
  code.function = solution.entryFunction;
  for (Solution::Source &source : solution.sources)
    code.files.push_back({std::move(source.path), std::move(source.content)});
  for (SourceFile &file : code.files)
    if (file.path == solution.entryFile)
      std::swap(file, code.files.front());
  sample.code = std::move(code);
  return sample;
}

static Expected<Sample> parseSample(StringRef line, StringRef path,
                                    unsigned number) {
  JSONSource source(line, path, number);
  Expected<json::Value> value = source.parse();
  if (!value)
    return value.takeError();
  const json::Object *object = value->getAsObject();
  const json::Value *sources = object ? object->get("sources") : nullptr;
  if (sources && sources->kind() != json::Value::Null) {
    Expected<Solution> solution = parseSolution(line, path, number);
    if (!solution)
      return solution.takeError();
    return toSample(std::move(*solution));
  }
  Sample sample;
  JSONCursor root(source, *value);
  JSONFields fields(root);
  if (!root.asObject() ||
      !readCompletion(fields, path + ":" + Twine(number), sample) ||
      source.failed())
    return source.takeError();
  return sample;
}

namespace {
/// Gives samples their places and their keys.
class Places {
public:
  void place(Sample &sample, unsigned line, StringRef text) {
    sample.index = index++;
    sample.line = line;
    auto digest = SHA256::hash(arrayRefFromStringRef(text));
    sample.key = toHex(ArrayRef<uint8_t>(digest).take_front(8), true);
    // The second of two that are the same is another one.
    if (unsigned copy = ++copies[sample.key]; copy > 1)
      sample.key += "-" + std::to_string(copy);
  }

private:
  size_t index = 0;
  StringMap<unsigned> copies;
};
} // namespace

/// What some editors put before UTF-8.
static StringRef dropByteOrderMark(StringRef text) {
  text.consume_front("\xef\xbb\xbf");
  return text;
}

Expected<std::vector<Sample>> ptxbench::parseSamples(StringRef text,
                                                     StringRef path) {
  text = dropByteOrderMark(text);
  std::vector<Sample> samples;
  Places places;
  for (unsigned number = 1; !text.empty(); ++number) {
    auto [line, rest] = text.split('\n');
    text = rest;
    if (line.trim().empty())
      continue;
    Expected<Sample> sample = parseSample(line, path, number);
    if (!sample)
      return sample.takeError();
    places.place(*sample, number, line.trim());
    samples.push_back(std::move(*sample));
  }
  if (samples.empty())
    return createStringError(inconvertibleErrorCode(),
                             path + ": the file has no samples");
  return samples;
}

Expected<std::vector<Sample>> ptxbench::loadSamples(StringRef path) {
  std::vector<Solution> solutions;
  if (sys::fs::is_directory(path)) {
    Expected<std::vector<Solution>> loaded = loadSolutions(path, "");
    if (!loaded)
      return loaded.takeError();
    solutions = std::move(*loaded);
    if (solutions.empty())
      return createStringError(inconvertibleErrorCode(),
                               path + ": the folder has no solutions");
  } else {
    auto file = MemoryBuffer::getFile(path);
    if (!file)
      return createStringError(file.getError(), "cannot read '" + path + "': " +
                                                    file.getError().message());
    StringRef text = (*file)->getBuffer();
    if (sys::path::extension(path) != ".json")
      return parseSamples(text, path);
    Expected<Solution> solution = parseSolution(dropByteOrderMark(text), path);
    if (!solution)
      return solution.takeError();
    solutions.push_back(std::move(*solution));
  }
  std::vector<Sample> samples;
  Places places;
  for (Solution &solution : solutions) {
    std::string text = solution.definition + '\0' + solution.name + '\0' +
                       solution.entryFile + "::" + solution.entryFunction;
    for (const Solution::Source &source : solution.sources)
      text += '\0' + source.path + '\0' + source.content;
    Sample sample = toSample(std::move(solution));
    places.place(sample, 1, text);
    samples.push_back(std::move(sample));
  }
  return samples;
}
