//===- Solution.cpp - Solutions of FlashInfer-Trace data sets -------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sources are written to a folder before they are compiled, so their paths
// must not lead out of it.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Task/Solution.h"
#include "ptxbench/Support/LocatedJSON.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <map>

using namespace ptxbench;
using llvm::StringRef;
using llvm::Twine;
namespace fs = llvm::sys::fs;

const Solution::Source *Solution::findSource(StringRef path) const {
  for (const Source &source : sources)
    if (source.path == path)
      return &source;
  return nullptr;
}

/// Characters that mean something to the shell to which nvcc hands names
/// between double quotes, or to an #include.
static constexpr StringRef special = "\"$`\\";

/// Why a file cannot be written to that path and compiled; empty if it can.
static std::string whyNotWritten(StringRef path) {
  constexpr size_t longestPath = 1024, longestName = 200;
  if (path.size() > longestPath)
    return ("expected a path of at most " + Twine(longestPath) +
            " bytes but got " + Twine(path.size()))
        .str();
  llvm::SmallVector<StringRef> parts;
  path.split(parts, '/');
  if (llvm::any_of(parts, [](StringRef part) {
        return part.empty() || part == "." || part == "..";
      }))
    return ("expected a relative path without \".\" and \"..\" but got \"" +
            path + "\"")
        .str();
  for (StringRef part : parts)
    if (part.size() > longestName)
      return ("expected names of at most " + Twine(longestName) +
              " bytes but got one of " + Twine(part.size()) + ", '" +
              part.take_front(40) + "...'")
          .str();
  if (llvm::any_of(path, [](char c) {
        return uint8_t(c) < ' ' || c == '\x7f' || special.contains(c);
      }))
    return ("expected a path without double quotes, '$', '`', backslashes and "
            "control characters but got \"" +
            path + "\"")
        .str();
  if (parts.front() == solutionUnit)
    return ("expected another name than '" + solutionUnit +
            "', which is that of the unit that includes the sources")
        .str();
  return "";
}

/// A source that would have to be a folder, too.
static std::string whyNotBeside(StringRef path, const Solution &solution) {
  for (size_t end = path.find('/'); end != StringRef::npos;
       end = path.find('/', end + 1))
    if (solution.findSource(path.take_front(end)))
      return ("expected a folder but '" + path.take_front(end) +
              "' is a file of the sources")
          .str();
  return "";
}

static bool readSources(const JSONCursor &cursor, Solution &out) {
  bool read = cursor.forEach([&](const JSONCursor &item) {
    JSONFields fields(item);
    Solution::Source source;
    std::optional<JSONCursor> path = fields.find("path", true);
    if (!path || !path->read(source.path))
      return false;
    if (out.findSource(source.path) && out.problem.empty())
      out.problem = path->describe("expected each path once but \"" +
                                   source.path + "\" is there twice");
    if (!fields.required("content", source.content) || !fields.finish())
      return false;
    out.sources.push_back(std::move(source));
    return true;
  });
  if (!read)
    return cursor.fail("expected sources");
  // What is wrong with a name is the candidate's fault and not the file's.
  if (out.sources.empty())
    out.problem = cursor.describe("expected at least one source");
  return cursor.forEach([&](const JSONCursor &item) {
    JSONCursor path = *JSONFields(item).find("path", true);
    StringRef text = *path.get().getAsString();
    std::string why = whyNotWritten(text);
    if (why.empty())
      why = whyNotBeside(text, out);
    if (!why.empty() && out.problem.empty())
      out.problem = path.describe(why);
    return true;
  });
}

/// A string that may be null.
static bool readOptional(JSONFields &fields, StringRef key, std::string &out) {
  std::optional<JSONCursor> at = fields.find(key, false);
  return !at || at->get().kind() == llvm::json::Value::Null || at->read(out);
}

static bool readSpec(const JSONCursor &cursor, Solution &out) {
  JSONFields fields(cursor);
  if (!fields.required("language", out.language) ||
      !fields.required("target_hardware", out.targetHardware))
    return false;
  std::string entry;
  std::optional<JSONCursor> at = fields.find("entry_point", true);
  if (!at || !at->read(entry))
    return false;
  auto [file, function] = StringRef(entry).split("::");
  out.entryFile = file.str();
  out.entryFunction = function.str();
  if (out.problem.empty() && (!out.findSource(file) || function.empty()))
    out.problem = at->describe("expected \"FILE::FUNCTION\" with a file of the "
                               "sources but got \"" +
                               entry + "\"");
  constexpr size_t longestFunction = 4096;
  if (out.problem.empty() && function.size() > longestFunction)
    out.problem = at->describe("expected the name of a function of at most " +
                               Twine(longestFunction) + " bytes but got " +
                               Twine(function.size()));
  if (out.problem.empty() &&
      llvm::any_of(function, [](char c) { return uint8_t(c) <= ' '; }))
    out.problem = at->describe("expected the name of a function without spaces "
                               "and control characters");
  std::optional<JSONCursor> needs = fields.find("dependencies", false);
  if (needs && needs->get().kind() != llvm::json::Value::Null &&
      !needs->read(out.dependencies))
    return false;
  // How others build; we build in our own way.
  fields.ignore("build_commands");
  fields.ignore("compile_options");
  return fields.optional("destination_passing_style", out.destinationPassing) &&
         readOptional(fields, "binding", out.binding) && fields.finish();
}

static bool readSolution(const JSONCursor &cursor, Solution &out) {
  JSONFields fields(cursor);
  if (!fields.required("name", out.name) ||
      !fields.required("definition", out.definition) ||
      !fields.required("author", out.author) ||
      !readOptional(fields, "description", out.description))
    return false;
  std::optional<JSONCursor> sources = fields.find("sources", true);
  if (!sources || !readSources(*sources, out))
    return false;
  std::optional<JSONCursor> spec = fields.find("spec", true);
  return spec && readSpec(*spec, out) && fields.finish();
}

llvm::Expected<Solution> ptxbench::parseSolution(StringRef json, StringRef path,
                                                 unsigned firstLine) {
  JSONSource source(json, path, firstLine);
  llvm::Expected<llvm::json::Value> root = source.parse();
  if (!root)
    return root.takeError();
  Solution solution;
  if (!readSolution(JSONCursor(source, *root), solution)) {
    if (llvm::Error error = source.takeError())
      return error;
    return llvm::createStringError(path + ": expected a solution");
  }
  return solution;
}

llvm::Expected<std::vector<Solution>>
ptxbench::loadSolutions(StringRef root, StringRef definition) {
  std::vector<std::string> files;
  std::error_code code;
  llvm::SmallString<128> folder(root);
  llvm::sys::path::append(folder, "solutions");
  for (fs::recursive_directory_iterator it(folder, code), end;
       it != end && !code; it.increment(code))
    if (llvm::sys::path::extension(it->path()) == ".json")
      files.push_back(it->path());
  if (code)
    return llvm::createStringError(code, "cannot read the folder " + folder +
                                             ": " + code.message());
  llvm::sort(files);
  std::vector<Solution> solutions;
  std::map<std::string, std::string> fileOf;
  for (const std::string &file : files) {
    auto buffer = llvm::MemoryBuffer::getFile(file);
    if (!buffer)
      return llvm::createStringError(buffer.getError(),
                                     "cannot read " + Twine(file) + ": " +
                                         buffer.getError().message());
    llvm::Expected<Solution> solution =
        parseSolution((*buffer)->getBuffer(), file);
    if (!solution)
      return solution.takeError();
    auto [known, isNew] = fileOf.try_emplace(solution->name, file);
    if (!isNew)
      return llvm::createStringError(
          file + Twine(": expected unique names but ") + known->second +
          " has \"" + solution->name + "\", too");
    if (definition.empty() || solution->definition == definition)
      solutions.push_back(std::move(*solution));
  }
  return solutions;
}
