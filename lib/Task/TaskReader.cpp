//===- TaskReader.cpp - Definitions and workloads from JSON ---------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order of a definition's inputs and outputs is the order of the
// candidate's arguments, but LLVM's JSON objects do not keep an order. So the
// keys of these two objects are put back into the order of the text.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/ISA/Instruction.h"
#include "ptxbench/Support/LocatedJSON.h"
#include "ptxbench/Task/Baseline.h"
#include "ptxbench/Task/Task.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

#include <algorithm>
#include <cmath>
#include <set>

using namespace ptxbench;
using llvm::StringRef;
using llvm::Twine;

/// As many as a request for a run may ask for.
static constexpr unsigned maxTrials = 1000;

/// As JSON has it: a message is one line, whatever the text is.
static std::string quoted(StringRef text) {
  std::string result;
  llvm::raw_string_ostream(result) << llvm::json::Value(text);
  return result;
}

/// Names become parts of paths and of expressions.
static bool isName(StringRef name) {
  return !name.empty() &&
         llvm::all_of(name,
                      [](char c) {
                        return llvm::isAlnum(c) || c == '_' || c == '-' ||
                               c == '.';
                      }) &&
         name.front() != '.' && name.front() != '-';
}

static bool readName(const JSONCursor &cursor, std::string &out) {
  if (!cursor.read(out))
    return false;
  return isName(out) || cursor.fail("expected a name of letters, digits, '_', "
                                    "'-' and '.' but got \"" +
                                    out + "\"");
}

//===----------------------------------------------------------------------===//
// Definitions
//===----------------------------------------------------------------------===//

static bool readAxes(const JSONCursor &cursor, Definition &out) {
  const llvm::json::Object *object = cursor.asObject();
  if (!object)
    return false;
  for (const JSONCursor &child : cursor.fieldsInOrder()) {
    Axis axis;
    axis.name = child.key().str();
    if (!isName(axis.name))
      return child.fail("expected an axis name of letters, digits and '_'");
    JSONFields fields(child);
    std::string type;
    std::optional<JSONCursor> at = fields.find("type", true);
    if (!at || !at->read(type))
      return false;
    if (type == "const") {
      std::optional<JSONCursor> value = fields.find("value", true);
      if (!value || !value->read(axis.value))
        return false;
      if (*axis.value < 1)
        return value->fail("expected an extent from 1 but got " +
                           Twine(*axis.value));
    } else if (type != "var") {
      return at->fail("expected \"const\" or \"var\" but got \"" + type + "\"");
    }
    std::string description, parent;
    if (!fields.optional("description", description) ||
        !fields.optional("parent", parent) || !fields.finish())
      return false;
    out.axes.push_back(std::move(axis));
  }
  return true;
}

static bool readTensors(const JSONCursor &cursor, const Definition &definition,
                        std::vector<TensorSpec> &out) {
  const llvm::json::Object *object = cursor.asObject();
  if (!object)
    return false;
  for (const JSONCursor &child : cursor.fieldsInOrder()) {
    TensorSpec tensor;
    tensor.name = child.key().str();
    if (!isName(tensor.name))
      return child.fail("expected a tensor name of letters, digits and '_'");
    JSONFields fields(child);
    std::optional<JSONCursor> shape = fields.find("shape", true);
    if (!shape)
      return false;
    if (shape->get().kind() == llvm::json::Value::Null) {
      tensor.isScalar = true;
    } else {
      bool ok = shape->forEach([&](const JSONCursor &item) {
        std::string name;
        if (!item.read(name))
          return false;
        if (!definition.findAxis(name))
          return item.fail("expected one of the axes of the definition but "
                           "got \"" +
                           name + "\"");
        tensor.shape.push_back(name);
        return true;
      });
      if (!ok)
        return false;
    }
    std::optional<JSONCursor> type = fields.find("dtype", true);
    std::string name, description;
    if (!type || !type->read(name))
      return false;
    std::optional<ElementType> dataType = symbolizeElementType(name);
    if (!dataType)
      return type->fail("expected an element type such as bfloat16, float16, "
                        "float32, float8_e4m3fn or int32 but got \"" +
                        name + "\"");
    tensor.type = *dataType;
    if (!fields.optional("description", description) || !fields.finish())
      return false;
    out.push_back(std::move(tensor));
  }
  return true;
}

static bool readTolerance(const JSONCursor &cursor, Tolerance &out) {
  JSONFields fields(cursor);
  struct Row {
    const char *key;
    double *value;
    double most;
  };
  for (const Row &row :
       {Row{"atol", &out.atol, HUGE_VAL}, Row{"rtol", &out.rtol, HUGE_VAL},
        Row{"required_matched_ratio", &out.requiredMatchedRatio, 1},
        Row{"max_relative_l2", &out.maxRelativeL2, HUGE_VAL}}) {
    std::optional<JSONCursor> at = fields.find(row.key, false);
    if (!at)
      continue;
    if (!at->read(*row.value))
      return false;
    if (!std::isfinite(*row.value) || *row.value < 0 || *row.value > row.most)
      return at->fail(std::isinf(row.most) ? "expected a finite number from 0"
                                           : "expected a number from 0 to 1");
  }
  return fields.optional("nan_matches", out.nanMatches) && fields.finish();
}

static bool readDistributions(const JSONCursor &cursor,
                              const Definition &definition,
                              TaskExtension &out) {
  const llvm::json::Object *object = cursor.asObject();
  if (!object)
    return false;
  for (const auto &entry : *object) {
    JSONCursor input = cursor.field(entry.first, entry.second);
    if (!definition.findInput(entry.first))
      return input.fail("expected the name of an input");
    JSONFields inner(input);
    std::string name;
    std::optional<JSONCursor> kind = inner.find("distribution", true);
    if (!kind || !kind->read(name) || !inner.finish())
      return false;
    std::optional<Distribution> distribution = symbolizeDistribution(name);
    if (!distribution)
      return kind->fail("expected \"normal\", \"outliers\", \"uniform\" or "
                        "\"positive\" but got \"" +
                        name + "\"");
    out.distributions[entry.first.str()] = *distribution;
  }
  return true;
}

/// Names of MLIR functions that need no quotes.
static bool readFunction(const JSONCursor &cursor, std::string &out) {
  if (!cursor.read(out))
    return false;
  if (out.empty() || llvm::isDigit(out.front()) ||
      !llvm::all_of(out, [](char c) { return llvm::isAlnum(c) || c == '_'; }))
    return cursor.fail("expected the name of a function, of letters, digits "
                       "and '_', but got " +
                       quoted(out));
  return true;
}

static bool readReference(const JSONCursor &cursor, ReferenceSource &out) {
  auto readFile = [&](const JSONCursor &at) {
    if (!at.read(out.file))
      return false;
    if (out.file.empty() || out.file.front() == '/' ||
        StringRef(out.file).contains('\0'))
      return at.fail("expected a path relative to the definition but got " +
                     quoted(out.file));
    return true;
  };
  if (cursor.get().kind() == llvm::json::Value::String)
    return readFile(cursor);
  JSONFields fields(cursor);
  if (std::optional<JSONCursor> at = fields.find("file", false))
    if (!readFile(*at))
      return false;
  if (std::optional<JSONCursor> at = fields.find("function", false))
    if (!readFunction(*at, out.function))
      return false;
  return fields.finish();
}

static bool readComputed(const JSONCursor &cursor, const Definition &definition,
                         TaskExtension &extension) {
  ComputedInputs &out = extension.computed.emplace();
  JSONFields fields(cursor);
  std::optional<JSONCursor> function = fields.find("function", true);
  if (!function || !readFunction(*function, out.function))
    return false;
  llvm::StringSet<> seen;
  auto readNames = [&](StringRef key, std::vector<std::string> &names) {
    std::optional<JSONCursor> list = fields.find(key, true);
    return list && list->forEach([&](const JSONCursor &item) {
      std::string name;
      if (!item.read(name))
        return false;
      const TensorSpec *input = definition.findInput(name);
      if (!input)
        return item.fail("expected the name of an input but got \"" + name +
                         "\"");
      if (!seen.insert(name).second)
        return item.fail("expected each input once but \"" + name +
                         "\" is there twice");
      bool isOutput = key == "outputs";
      if (isOutput && input->isScalar)
        return item.fail("expected a tensor but \"" + name + "\" is a scalar");
      if (isOutput && extension.distributions.count(name))
        return item.fail("expected an input without a distribution but \"" +
                         name + "\" has one");
      names.push_back(name);
      return true;
    });
  };
  if (!readNames("inputs", out.inputs) || !readNames("outputs", out.outputs))
    return false;
  if (out.outputs.empty())
    return fields.find("outputs", true)->fail("expected at least one input");
  return fields.finish();
}

static bool readIndependentAxes(const JSONCursor &cursor,
                                const Definition &definition,
                                TaskExtension &extension) {
  return cursor.forEach([&](const JSONCursor &item) {
    std::string name;
    if (!item.read(name))
      return false;
    if (!definition.findAxis(name))
      return item.fail("expected one of the axes of the definition but got "
                       "\"" +
                       name + "\"");
    if (llvm::is_contained(extension.independentAxes, name))
      return item.fail("expected each axis once but \"" + name +
                       "\" is there twice");
    std::vector<std::string> computed;
    if (extension.computed)
      computed = extension.computed->outputs;
    auto check = [&](const TensorSpec &tensor, bool isComputed) {
      auto count = llvm::count(tensor.shape, name);
      if (count > 1 || (isComputed && count == 0))
        return item.fail("expected an axis that every output and computed "
                         "input has, and no tensor twice, but \"" +
                         tensor.name + "\" has \"" + name + "\" " +
                         Twine(count) + " times");
      return true;
    };
    for (const TensorSpec &tensor : definition.inputs)
      if (!check(tensor, llvm::is_contained(computed, tensor.name)))
        return false;
    for (const TensorSpec &tensor : definition.outputs)
      if (!check(tensor, true))
        return false;
    extension.independentAxes.push_back(name);
    return true;
  });
}

static bool readOutputTolerances(const JSONCursor &cursor,
                                 const Definition &definition,
                                 TaskExtension &extension) {
  const llvm::json::Object *object = cursor.asObject();
  if (!object)
    return false;
  for (const auto &entry : *object) {
    JSONCursor output = cursor.field(entry.first, entry.second);
    if (llvm::none_of(definition.outputs, [&](const TensorSpec &tensor) {
          return tensor.name == entry.first.str();
        }))
      return output.fail("expected the name of an output");
    // What it does not say holds as for all outputs.
    Tolerance tolerance = extension.tolerance;
    if (!readTolerance(output, tolerance))
      return false;
    extension.outputTolerances[entry.first.str()] = tolerance;
  }
  return true;
}

static bool readBaseline(const JSONCursor &cursor, const Definition &definition,
                         std::string &out) {
  if (!cursor.read(out))
    return false;
  const BaselineInfo *baseline = findBaseline(out);
  if (!baseline)
    return cursor.fail("expected " + baselineNames() + " but got " +
                       quoted(out));
  std::string wrong = checkBaseline(*baseline, baselineTensors(definition));
  return wrong.empty() || cursor.fail(wrong);
}

/// The families that an instruction has, in the order of their names.
static const std::set<StringRef> &knownFamilies() {
  static const std::set<StringRef> known = [] {
    std::set<StringRef> names;
    for (const OpcodeInfo &info : getAllOpcodes()) {
      names.insert(stringifyFamily(info.family));
      for (const FamilyModifier &modifier : info.familyModifiers)
        names.insert(stringifyFamily(modifier.family));
    }
    names.erase("");
    return names;
  }();
  return known;
}

static bool readFamilies(const JSONCursor &cursor,
                         std::vector<std::string> &out) {
  return cursor.forEach([&](const JSONCursor &item) {
    std::string name;
    if (!item.read(name))
      return false;
    const std::set<StringRef> &known = knownFamilies();
    if (!known.count(name))
      return item.fail("expected one of the families " +
                       llvm::join(known, ", ") + " but got " + quoted(name));
    out.push_back(name);
    return true;
  });
}

/// A list, or one for each target.
static bool
readRequiredFamilies(const JSONCursor &cursor,
                     std::map<std::string, std::vector<std::string>> &out) {
  if (cursor.get().getAsArray())
    return readFamilies(cursor, out[""]);
  if (!cursor.asObject())
    return false;
  return llvm::all_of(cursor.fieldsInOrder(), [&](const JSONCursor &child) {
    // A requirement for a target that nobody has would require nothing.
    if (!parseTargetArch(child.key()))
      return child.fail("expected a target such as sm_90a but got " +
                        quoted(child.key()));
    return readFamilies(child, out[child.key().str()]);
  });
}

static bool readExtension(const JSONCursor &cursor,
                          const Definition &definition, TaskExtension &out) {
  JSONFields fields(cursor);
  if (std::optional<JSONCursor> at = fields.find("required_families", false))
    if (!readRequiredFamilies(*at, out.requiredFamilies))
      return false;
  if (std::optional<JSONCursor> at = fields.find("tolerance", false))
    if (!readTolerance(*at, out.tolerance))
      return false;
  if (!fields.optional("headline_workload", out.headlineWorkload) ||
      !fields.optional("small_workload", out.smallWorkload) ||
      !fields.optional("flops", out.flops))
    return false;
  if (std::optional<JSONCursor> at = fields.find("baseline", false))
    if (!readBaseline(*at, definition, out.baseline))
      return false;
  if (std::optional<JSONCursor> at = fields.find("trials", false)) {
    if (!at->read(out.trials))
      return false;
    if (!out.trials)
      return at->fail("expected at least 1 trial but got 0");
    if (out.trials > maxTrials)
      return at->fail("expected at most " + Twine(maxTrials) +
                      " trials but got " + Twine(out.trials));
  }
  if (std::optional<JSONCursor> at = fields.find("inputs", false))
    if (!readDistributions(*at, definition, out))
      return false;
  if (std::optional<JSONCursor> at = fields.find("reference", false))
    if (!readReference(*at, out.reference))
      return false;
  if (std::optional<JSONCursor> at = fields.find("computed_inputs", false))
    if (!readComputed(*at, definition, out))
      return false;
  if (std::optional<JSONCursor> at = fields.find("independent_axes", false))
    if (!readIndependentAxes(*at, definition, out))
      return false;
  if (std::optional<JSONCursor> at = fields.find("output_tolerance", false))
    if (!readOutputTolerances(*at, definition, out))
      return false;
  return fields.finish();
}

static bool readDefinition(const JSONCursor &cursor, Definition &out) {
  JSONFields fields(cursor);
  std::optional<JSONCursor> name = fields.find("name", true);
  if (!name || !readName(*name, out.name))
    return false;
  if (!fields.required("op_type", out.opType) ||
      !fields.optional("description", out.description))
    return false;
  std::optional<JSONCursor> axes = fields.find("axes", true);
  if (!axes || !readAxes(*axes, out))
    return false;
  std::optional<JSONCursor> inputs = fields.find("inputs", true);
  if (!inputs || !readTensors(*inputs, out, out.inputs))
    return false;
  std::optional<JSONCursor> outputs = fields.find("outputs", true);
  if (!outputs || !readTensors(*outputs, out, out.outputs))
    return false;
  if (out.outputs.empty())
    return outputs->fail("expected at least one output");
  for (const TensorSpec &output : out.outputs)
    if (llvm::any_of(out.inputs, [&](const TensorSpec &input) {
          return input.name == output.name;
        }))
      return outputs->fail("expected names that no input has but got \"" +
                           output.name + "\"");
  if (!fields.optional("reference", out.reference) ||
      !fields.optional("tags", out.tags) ||
      !fields.optional("constraints", out.constraints))
    return false;
  if (std::optional<JSONCursor> extension = fields.find("ptxbench", false)) {
    if (!readExtension(*extension, out, out.extension))
      return false;
    // The expression is checked with every axis at 1.
    Workload unit;
    for (const Axis &axis : out.axes)
      if (!axis.value)
        unit.axes[axis.name] = 1;
    llvm::Expected<std::optional<double>> flops = countFlops(out, unit);
    if (!flops) {
      std::string message = llvm::toString(flops.takeError());
      JSONFields inner(*extension);
      return inner.find("flops", true)->fail(message);
    }
  }
  return fields.finish();
}

llvm::Expected<Definition> ptxbench::parseDefinition(StringRef json,
                                                     StringRef path) {
  JSONSource source(json, path);
  llvm::Expected<llvm::json::Value> root = source.parse();
  if (!root)
    return root.takeError();
  Definition definition;
  if (!readDefinition(JSONCursor(source, *root), definition)) {
    if (llvm::Error error = source.takeError())
      return error;
    return llvm::createStringError(path + ": expected a definition");
  }
  return definition;
}

//===----------------------------------------------------------------------===//
// Workloads
//===----------------------------------------------------------------------===//

static bool readInput(const JSONCursor &cursor, const TensorSpec &tensor,
                      InputSource &out) {
  JSONFields fields(cursor);
  std::string type;
  std::optional<JSONCursor> at = fields.find("type", true);
  if (!at || !at->read(type))
    return false;
  if (type == "random") {
    out.kind = InputSource::Kind::Random;
    if (tensor.isScalar)
      return at->fail("expected \"scalar\" for an input without shape but got "
                      "\"random\"");
  } else if (type == "scalar") {
    out.kind = InputSource::Kind::Scalar;
    if (!tensor.isScalar)
      return at->fail("expected \"random\" or \"safetensors\" for an input "
                      "with a shape but got \"scalar\"");
    std::optional<JSONCursor> value = fields.find("value", true);
    if (!value)
      return false;
    if (std::optional<bool> flag = value->get().getAsBoolean())
      out.value = *flag;
    else if (!value->read(out.value))
      return false;
  } else if (type == "safetensors") {
    out.kind = InputSource::Kind::SafeTensors;
    if (!fields.required("path", out.path) ||
        !fields.required("tensor_key", out.tensorKey))
      return false;
  } else {
    return at->fail("expected \"random\", \"scalar\" or \"safetensors\" but "
                    "got \"" +
                    type + "\"");
  }
  return fields.finish();
}

static bool readWorkload(const JSONCursor &cursor, const Definition &definition,
                         Workload &out) {
  JSONFields line(cursor);
  std::string name;
  std::optional<JSONCursor> at = line.find("definition", true);
  if (!at || !at->read(name))
    return false;
  if (name != definition.name)
    return at->fail("expected the definition \"" + definition.name +
                    "\" but got \"" + name + "\"");
  // A workload line is a trace line without result.
  line.ignore("solution");
  line.ignore("evaluation");
  std::optional<JSONCursor> workload = line.find("workload", true);
  if (!workload || !line.finish())
    return false;

  JSONFields fields(*workload);
  std::optional<JSONCursor> uuid = fields.find("uuid", true);
  if (!uuid || !readName(*uuid, out.uuid))
    return false;
  std::optional<JSONCursor> axes = fields.find("axes", true);
  if (!axes || !axes->read(out.axes))
    return false;
  for (const auto &[axis, value] : out.axes) {
    const Axis *known = definition.findAxis(axis);
    if (!known)
      return axes->fail("expected axes of the definition but got \"" + axis +
                        "\"");
    if (known->value && *known->value != value)
      return axes->fail("expected " + axis + "=" + Twine(*known->value) +
                        ", which the definition fixes, but got " +
                        Twine(value));
    if (value < 1)
      return axes->fail("expected extents from 1 but got " + axis + "=" +
                        Twine(value));
  }
  for (const Axis &axis : definition.axes)
    if (!axis.value && !out.axes.count(axis.name))
      return axes->fail("expected a value for the var axis \"" + axis.name +
                        "\"");

  // Repeated constants say nothing new.
  for (const Axis &axis : definition.axes)
    if (axis.value)
      out.axes.erase(axis.name);
  if (llvm::Error error = checkConstraints(definition, out))
    return axes->fail(llvm::toString(std::move(error)));

  // Recorded results, which some data sets have.
  fields.ignore("outputs");
  std::optional<JSONCursor> inputs = fields.find("inputs", true);
  const llvm::json::Object *object = inputs ? inputs->asObject() : nullptr;
  if (!object)
    return false;
  for (const TensorSpec &tensor : definition.inputs) {
    const llvm::json::Value *value = object->get(tensor.name);
    if (!value)
      return inputs->fail("expected the input \"" + tensor.name + "\"");
    if (!readInput(inputs->field(tensor.name, *value), tensor,
                   out.inputs[tensor.name]))
      return false;
  }
  for (const auto &entry : *object)
    if (!out.inputs.count(entry.first.str()))
      return inputs->field(entry.first, entry.second)
          .fail("expected the name of an input");
  if (std::optional<JSONCursor> extra = fields.find("ptxbench", false)) {
    JSONFields inner(*extra);
    if (std::optional<JSONCursor> size = inner.find("size", false)) {
      if (!size->read(out.size))
        return false;
      if (out.size != "full" && out.size != "small")
        return size->fail("expected \"full\" or \"small\" but got \"" +
                          out.size + "\"");
    }
    if (!inner.finish())
      return false;
  }
  if (!fields.finish())
    return false;
  for (const auto *list : {&definition.inputs, &definition.outputs}) {
    for (const TensorSpec &tensor : *list) {
      llvm::Expected<std::vector<int64_t>> shape =
          resolveShape(definition, tensor, out);
      if (!shape)
        return axes->fail(llvm::toString(shape.takeError()));
    }
  }
  return true;
}

llvm::Expected<std::vector<Workload>>
ptxbench::parseWorkloads(StringRef jsonl, StringRef path,
                         const Definition &definition) {
  std::vector<Workload> workloads;
  llvm::StringMap<unsigned> lines;
  unsigned number = 0;
  for (StringRef rest = jsonl; !rest.empty();) {
    StringRef line;
    std::tie(line, rest) = rest.split('\n');
    ++number;
    if (line.trim().empty())
      continue;
    JSONSource source(line, path, number);
    llvm::Expected<llvm::json::Value> root = source.parse();
    if (!root)
      return root.takeError();
    Workload workload;
    JSONCursor cursor(source, *root);
    if (!readWorkload(cursor, definition, workload)) {
      if (llvm::Error error = source.takeError())
        return error;
      return llvm::createStringError(path + ": expected a workload");
    }
    auto [it, added] = lines.try_emplace(workload.uuid, number);
    if (!added)
      return llvm::createStringError(
          path + ":" + Twine(number) +
          ": workload.uuid: expected unique uuids but line " +
          Twine(it->second) + " has \"" + workload.uuid + "\", too");
    workloads.push_back(std::move(workload));
  }
  if (workloads.empty())
    return llvm::createStringError(path + ": expected at least one workload");
  return workloads;
}
