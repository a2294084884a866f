//===- TaskFiles.cpp - Where tasks lie, and reading them ------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two layouts: a folder for each task, `<family>/<name>/definition.json` with
// `workloads.jsonl` beside it; and that of FlashInfer-Trace,
// `definitions/<family>/<name>.json` with `workloads/<family>/<name>.jsonl`,
// where the families may be missing and need not be the same.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Support/Spelling.h"
#include "ptxbench/Task/Task.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <algorithm>

using namespace ptxbench;
using llvm::StringRef;
using llvm::Twine;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readFile(StringRef name) {
  auto buffer = llvm::MemoryBuffer::getFile(name);
  if (!buffer)
    return llvm::createStringError(buffer.getError(),
                                   "cannot read " + name + ": " +
                                       buffer.getError().message());
  return std::move(*buffer);
}

/// The folder that has `definitions/`; empty if `definition` is in none.
static std::string dataSetOf(StringRef definition) {
  for (StringRef folder = path::parent_path(definition); !folder.empty();
       folder = path::parent_path(folder))
    if (path::filename(folder) == "definitions") {
      StringRef root = path::parent_path(folder);
      return root.empty() ? "." : root.str();
    }
  return "";
}

/// All files below `folder` whose names end so, sorted.
static llvm::Expected<std::vector<std::string>>
filesBelow(const Twine &folder, StringRef extension) {
  std::vector<std::string> files;
  std::error_code code;
  for (fs::recursive_directory_iterator it(folder, code), end;
       it != end && !code; it.increment(code))
    if (path::extension(it->path()) == extension)
      files.push_back(it->path());
  if (code)
    return llvm::createStringError(code, "cannot read the folder " + folder +
                                             ": " + code.message());
  llvm::sort(files);
  return files;
}

/// The file of workloads for a definition in a data set.
static llvm::Expected<std::string> findWorkloads(StringRef root,
                                                 StringRef definition) {
  StringRef name = path::stem(definition);
  llvm::Expected<std::vector<std::string>> files =
      filesBelow(root + "/workloads", ".jsonl");
  if (!files)
    return files.takeError();
  std::vector<std::string> found;
  for (const std::string &file : *files)
    if (path::stem(file) == name)
      found.push_back(file);
  if (found.size() == 1)
    return found.front();
  return llvm::createStringError(
      definition + ": expected one file \"" + name + ".jsonl\" under " + root +
      "/workloads but there are " + Twine(found.size()));
}

llvm::Expected<Task> ptxbench::loadTask(StringRef taskPath) {
  Task task;
  std::string workloadPath;
  if (path::extension(taskPath) == ".json" && fs::is_regular_file(taskPath)) {
    task.definitionPath = taskPath.str();
    task.directory = path::parent_path(taskPath).str();
    task.root = dataSetOf(taskPath);
    if (task.root.empty())
      return llvm::createStringError(
          taskPath + ": expected the folder of a task, or a definition under "
                     "the folder \"definitions\" of a data set");
    llvm::Expected<std::string> found = findWorkloads(task.root, taskPath);
    if (!found)
      return found.takeError();
    workloadPath = *found;
  } else {
    task.directory = task.root = taskPath.str();
    task.definitionPath = (taskPath + "/definition.json").str();
    workloadPath = (taskPath + "/workloads.jsonl").str();
  }
  auto definitionText = readFile(task.definitionPath);
  if (!definitionText)
    return definitionText.takeError();
  auto workloadText = readFile(workloadPath);
  if (!workloadText)
    return workloadText.takeError();

  llvm::Expected<Definition> definition =
      parseDefinition((*definitionText)->getBuffer(), task.definitionPath);
  if (!definition)
    return definition.takeError();
  llvm::Expected<std::vector<Workload>> workloads =
      parseWorkloads((*workloadText)->getBuffer(), workloadPath, *definition);
  if (!workloads)
    return workloads.takeError();

  const TaskExtension &extension = definition->extension;
  auto refuse = [&](const Twine &message) {
    return llvm::createStringError(task.definitionPath + ": ptxbench." +
                                   message);
  };
  for (const auto &[key, uuid] :
       {std::pair<StringRef, StringRef>("headline_workload",
                                        extension.headlineWorkload),
        std::pair<StringRef, StringRef>("small_workload",
                                        extension.smallWorkload)})
    if (!uuid.empty() &&
        llvm::none_of(*workloads, [&, uuid = uuid](const Workload &it) {
          return it.uuid == uuid;
        }))
      return refuse(key +
                    ": expected the uuid of a line of workloads.jsonl "
                    "but got \"" +
                    uuid + "\"");
  std::string reference = referenceFile(*definition, task.definitionPath);
  if (!reference.empty() && !fs::exists(reference))
    return refuse("reference: expected a file but there is no " + reference);
  if (extension.computed && reference.empty())
    return refuse("computed_inputs: expected a reference in MLIR that computes "
                  "them");
  task.definition = std::move(*definition);
  task.workloads = std::move(*workloads);
  return task;
}

std::string ptxbench::referenceFile(const Definition &definition,
                                    StringRef definitionPath) {
  StringRef folder = path::parent_path(definitionPath);
  llvm::SmallString<128> file(folder);
  if (!definition.extension.reference.file.empty()) {
    path::append(file, definition.extension.reference.file);
    path::remove_dots(file, /*remove_dot_dot=*/true);
    return file.str().str();
  }
  path::append(file, path::filename(definitionPath) == "definition.json"
                         ? "reference.mlir"
                         : definition.name + ".mlir");
  return fs::exists(file) ? file.str().str() : "";
}

//===----------------------------------------------------------------------===//
// Looking for tasks
//===----------------------------------------------------------------------===//

/// Calls `body(family, name, path)` for each task under `root`.
template <typename Fn>
static llvm::Error forEachTask(StringRef root, Fn &&body) {
  llvm::SmallString<128> definitions(root);
  path::append(definitions, "definitions");
  if (fs::is_directory(definitions)) {
    llvm::Expected<std::vector<std::string>> files =
        filesBelow(definitions, ".json");
    if (!files)
      return files.takeError();
    for (StringRef file : *files)
      body(path::filename(path::parent_path(file)), path::stem(file), file);
    return llvm::Error::success();
  }
  std::error_code code;
  fs::directory_iterator family(root, code), end;
  if (code)
    return llvm::createStringError(code, "cannot read the task folder " + root +
                                             ": " + code.message());
  for (; family != end && !code; family.increment(code)) {
    if (!fs::is_directory(family->path()))
      continue;
    std::error_code inner;
    for (fs::directory_iterator it(family->path(), inner); it != end && !inner;
         it.increment(inner)) {
      llvm::SmallString<128> file(it->path());
      path::append(file, "definition.json");
      if (fs::exists(file))
        body(path::filename(family->path()), path::filename(it->path()),
             it->path());
    }
  }
  return llvm::Error::success();
}

llvm::Expected<std::vector<std::string>> ptxbench::listTasks(StringRef root) {
  std::vector<std::string> names;
  if (llvm::Error error =
          forEachTask(root, [&](StringRef, StringRef name, StringRef) {
            names.push_back(name.str());
          }))
    return error;
  llvm::sort(names);
  return names;
}

llvm::Expected<std::string> ptxbench::findTask(StringRef root, StringRef name) {
  auto [wantedFamily, wantedName] =
      name.contains('/') ? name.split('/') : std::pair(StringRef(), name);
  auto isPart = [](StringRef part) {
    return !part.empty() && part.front() != '.' &&
           llvm::all_of(part, [](char c) {
             return llvm::isAlnum(c) || c == '_' || c == '-' || c == '.';
           });
  };
  if (!isPart(wantedName) || (name.contains('/') && !isPart(wantedFamily)))
    return llvm::createStringError(
        "expected a task name, or FAMILY/NAME, but got \"" + name + "\"");

  std::vector<std::string> found, containing;
  std::string nearest;
  size_t tasks = 0;
  // Further apart, a name is another one and not a slip.
  unsigned distance = std::max<size_t>(wantedName.size() / 3, 1) + 1;
  llvm::Error error = forEachTask(
      root, [&, wantedFamily = wantedFamily, wantedName = wantedName](
                StringRef family, StringRef task, StringRef path) {
        if (task == wantedName &&
            (wantedFamily.empty() || family == wantedFamily)) {
          found.push_back(path.str());
          return;
        }
        ++tasks;
        if (task.contains(wantedName))
          containing.push_back(task.str());
        unsigned steps = countEdits(task, wantedName, distance);
        if (steps < distance || (steps == distance && task < nearest)) {
          distance = steps;
          nearest = task.str();
        }
      });
  if (error)
    return error;
  if (found.size() == 1)
    return found.front();
  if (found.empty()) {
    llvm::sort(containing);
    std::string help = "; there are none";
    if (!nearest.empty())
      help = "; the nearest is \"" + nearest + "\"";
    else if (!containing.empty())
      help = "; with that in their names there are " +
             llvm::join(llvm::ArrayRef(containing).take_front(5), ", ") +
             (containing.size() > 5
                  ? " and " + std::to_string(containing.size() - 5) + " more"
                  : "");
    else if (tasks)
      help = "; none of the " + std::to_string(tasks) + " there is like it";
    return llvm::createStringError("expected the name of a task under " + root +
                                   " but got \"" + name + "\"" + help);
  }
  llvm::sort(found);
  return llvm::createStringError("expected one task named \"" + name +
                                 "\" but there are " + Twine(found.size()) +
                                 ": " + llvm::join(found, ", "));
}

llvm::Expected<std::string> ptxbench::findTaskOrPath(StringRef root,
                                                     StringRef text) {
  if ((path::extension(text) == ".json" && fs::is_regular_file(text)) ||
      fs::exists(text + "/definition.json"))
    return text.str();
  return findTask(root, text);
}
