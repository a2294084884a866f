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

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

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

const Tolerance &TaskExtension::toleranceOf(StringRef output) const {
  auto own = outputTolerances.find(output.str());
  return own == outputTolerances.end() ? tolerance : own->second;
}

static constexpr const char *distributionNames[] = {"normal", "outliers",
                                                    "uniform", "positive"};

const char *ptxbench::stringifyDistribution(Distribution distribution) {
  return distributionNames[static_cast<unsigned>(distribution)];
}

std::optional<Distribution> ptxbench::symbolizeDistribution(StringRef name) {
  for (unsigned i = 0; i != std::size(distributionNames); ++i)
    if (name == distributionNames[i])
      return static_cast<Distribution>(i);
  return std::nullopt;
}

const TensorSpec *Definition::findInput(StringRef name) const {
  for (const TensorSpec &input : inputs)
    if (input.name == name)
      return &input;
  return nullptr;
}

const Axis *Definition::findAxis(StringRef name) const {
  for (const Axis &axis : axes)
    if (axis.name == name)
      return &axis;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

std::optional<int64_t> ptxbench::axisValue(const Definition &definition,
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
