//===- Task.cpp - Finding tasks and workloads, resolving shapes -----------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A name that is not found is answered with the nearest one there is.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Task/Task.h"
#include "ptxbench/Support/Spelling.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <algorithm>

using namespace ptxbench;
using llvm::StringRef;
using llvm::Twine;

std::vector<std::string> TaskExtension::familiesFor(StringRef target) const {
  std::vector<std::string> result;
  for (const auto &[key, families] : requiredFamilies)
    if (key.empty() || key == target)
      result.insert(result.end(), families.begin(), families.end());
  return result;
}

const Axis *Definition::findAxis(StringRef name) const {
  for (const Axis &axis : axes)
    if (axis.name == name)
      return &axis;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readFile(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return llvm::createStringError(buffer.getError(),
                                   "cannot read " + path + ": " +
                                       buffer.getError().message());
  return std::move(*buffer);
}

llvm::Expected<Task> ptxbench::loadTask(StringRef directory) {
  llvm::SmallString<128> definitionPath(directory), workloadPath(directory);
  llvm::sys::path::append(definitionPath, "definition.json");
  llvm::sys::path::append(workloadPath, "workloads.jsonl");
  auto definitionText = readFile(definitionPath);
  if (!definitionText)
    return definitionText.takeError();
  auto workloadText = readFile(workloadPath);
  if (!workloadText)
    return workloadText.takeError();

  llvm::Expected<Definition> definition =
      parseDefinition((*definitionText)->getBuffer(), definitionPath);
  if (!definition)
    return definition.takeError();
  llvm::Expected<std::vector<Workload>> workloads =
      parseWorkloads((*workloadText)->getBuffer(), workloadPath, *definition);
  if (!workloads)
    return workloads.takeError();

  for (const auto &[key, uuid] :
       {std::pair<StringRef, StringRef>("headline_workload",
                                        definition->extension.headlineWorkload),
        std::pair<StringRef, StringRef>("small_workload",
                                        definition->extension.smallWorkload)})
    if (!uuid.empty() &&
        llvm::none_of(*workloads, [&, uuid = uuid](const Workload &it) {
          return it.uuid == uuid;
        }))
      return llvm::createStringError(
          definitionPath + ": ptxbench." + key +
          ": expected the uuid of a line of workloads.jsonl but got \"" + uuid +
          "\"");
  return Task{std::move(*definition), std::move(*workloads), directory.str()};
}

/// Calls `body(family, name, path)` for each task folder under `root`.
template <typename Fn>
static llvm::Error forEachTask(StringRef root, Fn &&body) {
  std::error_code code;
  llvm::sys::fs::directory_iterator family(root, code), end;
  if (code)
    return llvm::createStringError(code, "cannot read the task folder " + root +
                                             ": " + code.message());
  for (; family != end && !code; family.increment(code)) {
    if (!llvm::sys::fs::is_directory(family->path()))
      continue;
    std::error_code inner;
    for (llvm::sys::fs::directory_iterator it(family->path(), inner);
         it != end && !inner; it.increment(inner)) {
      llvm::SmallString<128> file(it->path());
      llvm::sys::path::append(file, "definition.json");
      if (llvm::sys::fs::exists(file))
        body(llvm::sys::path::filename(family->path()),
             llvm::sys::path::filename(it->path()), it->path());
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

  std::vector<std::string> found;
  std::string nearest;
  unsigned distance = ~0u;
  llvm::Error error = forEachTask(
      root, [&, wantedFamily = wantedFamily, wantedName = wantedName](
                StringRef family, StringRef task, StringRef path) {
        if (task == wantedName &&
            (wantedFamily.empty() || family == wantedFamily)) {
          found.push_back(path.str());
          return;
        }
        unsigned steps = countEdits(task, wantedName,
                                    std::max(task.size(), wantedName.size()));
        if (steps < distance || (steps == distance && task < nearest)) {
          distance = steps;
          nearest = task.str();
        }
      });
  if (error)
    return error;
  if (found.size() == 1)
    return found.front();
  if (found.empty())
    return llvm::createStringError(
        "expected the name of a task under " + root + " but got \"" + name +
        "\"" +
        (nearest.empty() ? std::string("; there are none")
                         : "; the nearest is \"" + nearest + "\""));
  llvm::sort(found);
  return llvm::createStringError("expected one task named \"" + name +
                                 "\" but there are " + Twine(found.size()) +
                                 ": " + llvm::join(found, ", "));
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

static std::optional<int64_t> axisValue(const Definition &definition,
                                        const Workload &workload,
                                        StringRef name) {
  const Axis *axis = definition.findAxis(name);
  if (axis && axis->value)
    return axis->value;
  auto it = workload.axes.find(name.str());
  if (!axis || it == workload.axes.end())
    return std::nullopt;
  return it->second;
}

llvm::Expected<std::vector<int64_t>>
ptxbench::resolveShape(const Definition &definition, const TensorSpec &tensor,
                       const Workload &workload) {
  constexpr uint64_t most = uint64_t(1) << 40;
  std::vector<int64_t> shape;
  uint64_t volume = 1;
  for (const std::string &name : tensor.shape) {
    std::optional<int64_t> extent = axisValue(definition, workload, name);
    if (!extent)
      return llvm::createStringError("expected a value for axis \"" + name +
                                     "\" of tensor \"" + tensor.name + "\"");
    if (*extent < 1 || static_cast<uint64_t>(*extent) > most / volume)
      return llvm::createStringError(
          "expected tensor \"" + tensor.name +
          "\" to have at most 2^40 elements, but axis \"" + name + "\" is " +
          Twine(*extent));
    volume *= *extent;
    shape.push_back(*extent);
  }
  return shape;
}

uint64_t ptxbench::elementCount(const std::vector<int64_t> &shape) {
  uint64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

llvm::Expected<std::optional<double>>
ptxbench::countFlops(const Definition &definition, const Workload &workload) {
  StringRef text = definition.extension.flops;
  if (text.empty())
    return std::nullopt;
  double result = 1;
  char sign = '*';
  while (true) {
    size_t end = text.find_first_of("*/");
    StringRef factor = text.take_front(end).trim();
    double value = 0;
    if (std::optional<int64_t> extent = axisValue(definition, workload, factor))
      value = static_cast<double>(*extent);
    else if (factor.empty() || factor.getAsDouble(value) || !(value > 0))
      return llvm::createStringError(
          "expected a product of axes and positive numbers such as "
          "\"2*M*N*K\" but got \"" +
          definition.extension.flops + "\"");
    result = sign == '*' ? result * value : result / value;
    if (end == StringRef::npos)
      return result;
    sign = text[end];
    text = text.drop_front(end + 1);
  }
}

//===----------------------------------------------------------------------===//
// Workloads
//===----------------------------------------------------------------------===//

static double volume(const Workload &workload) {
  double product = 1;
  for (const auto &entry : workload.axes)
    product *= static_cast<double>(entry.second);
  return product;
}

static std::string describe(const Workload &workload) {
  std::string text = workload.uuid;
  for (const auto &[axis, extent] : workload.axes)
    text += " " + axis + "=" + std::to_string(extent);
  return text;
}

llvm::Expected<const Workload *> ptxbench::selectWorkload(const Task &task,
                                                          StringRef selector) {
  const std::vector<Workload> &all = task.workloads;
  const TaskExtension &extension = task.definition.extension;
  if (all.empty())
    return llvm::createStringError("task \"" + task.definition.name +
                                   "\" has no workload");
  bool full = selector.empty() || selector == "full";
  if (full || selector == "small") {
    StringRef named =
        full ? extension.headlineWorkload : extension.smallWorkload;
    for (const Workload &workload : all)
      if (workload.uuid == named)
        return &workload;
    StringRef size = full ? "full" : "small";
    bool marked = llvm::any_of(
        all, [&](const Workload &workload) { return workload.size == size; });
    const Workload *best = nullptr;
    for (const Workload &workload : all) {
      if (marked && workload.size != size)
        continue;
      if (!best || (full ? volume(workload) > volume(*best)
                         : volume(workload) < volume(*best)))
        best = &workload;
    }
    return best;
  }

  std::vector<const Workload *> found;
  if (selector.contains('=')) {
    llvm::SmallVector<StringRef> parts;
    selector.split(parts, ',');
    std::vector<std::pair<std::string, int64_t>> wanted;
    for (StringRef part : parts) {
      auto [axis, text] = part.split('=');
      axis = axis.trim();
      int64_t extent = 0;
      if (!task.definition.findAxis(axis) ||
          text.trim().getAsInteger(10, extent))
        return llvm::createStringError(
            "expected AXIS=NUMBER with an axis of task \"" +
            task.definition.name + "\" but got \"" + part + "\"");
      wanted.emplace_back(axis.str(), extent);
    }
    for (const Workload &workload : all)
      if (llvm::all_of(wanted, [&](const auto &pair) {
            return axisValue(task.definition, workload, pair.first) ==
                   pair.second;
          }))
        found.push_back(&workload);
  } else {
    for (const Workload &workload : all) {
      if (workload.uuid == selector)
        return &workload;
      if (StringRef(workload.uuid).starts_with(selector))
        found.push_back(&workload);
    }
  }
  if (found.size() == 1)
    return found.front();
  std::string list;
  for (const Workload &workload : all) {
    if (!found.empty() && !llvm::is_contained(found, &workload))
      continue;
    list += (list.empty() ? "" : "; ") + describe(workload);
  }
  return llvm::createStringError((found.empty() ? "no workload of task \""
                                                : "several workloads of task "
                                                  "\"") +
                                 task.definition.name + "\" fit \"" + selector +
                                 "\": " + (found.empty() ? "there are " : "") +
                                 list);
}
