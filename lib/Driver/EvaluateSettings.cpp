//===- EvaluateSettings.cpp - What results of a folder depend on ----------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Options that say only how many samples run at a time, what is printed and
// where files lie are left out. Files count by what is in them, so that a data
// set may be moved.
//
//===----------------------------------------------------------------------===//

#include "EvaluateSettings.h"
#include "Commands.h"
#include "Versions.h"
#include "ptxbench/Support/LocatedJSON.h"
#include "ptxbench/Support/Subprocess.h"
#include "ptxbench/Support/Toolchain.h"
#include "ptxbench/Support/Version.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"

#include <cstdlib>
#include <set>

using namespace llvm;

namespace ptxbench {

static constexpr StringLiteral schema = "ptxbench.settings.v1";

static std::string numberText(double value) {
  std::string text;
  raw_string_ostream(text) << format("%.9g", value);
  return text;
}

/// Of the bytes of a file; empty if it cannot be read.
static std::string digestOf(StringRef path) {
  auto file = MemoryBuffer::getFile(path, /*IsText=*/false,
                                    /*RequiresNullTerminator=*/false);
  if (!file)
    return "";
  return toHex(BLAKE3::hash(arrayRefFromStringRef((*file)->getBuffer())),
               /*LowerCase=*/true);
}

/// Models of the GPUs and the driver, as the driver's own tool names them.
static void addDevices(std::map<std::string, std::string> &versions) {
  SubprocessOptions query;
  query.argv = {"nvidia-smi", "--query-gpu=driver_version,name",
                "--format=csv,noheader"};
  query.timeoutSeconds = 30;
  Expected<SubprocessResult> result = runSubprocess(query);
  if (!result)
    return consumeError(result.takeError());
  if (!result->succeeded())
    return;
  std::set<std::string> drivers, devices;
  SmallVector<StringRef, 8> lines;
  StringRef(result->out).split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines) {
    auto [driver, name] = line.split(',');
    drivers.insert(driver.trim().str());
    devices.insert(name.trim().str());
  }
  versions["driver"] = join(drivers, ", ");
  versions["GPU"] = join(devices, ", ");
}

EvaluateSettings EvaluateSettings::of(const DriverOptions &from) {
  EvaluateSettings out;
  out.options = {{"target", from.target},
                 {"backend", from.backend},
                 {"workload", from.workload},
                 {"sanitize", from.sanitize},
                 {"device-model", from.emulator.deviceModel},
                 {"schedule", from.emulator.schedule},
                 {"checks", from.emulator.checks ? "all" : "none"},
                 {"timeout", numberText(from.timeoutSeconds)},
                 {"seed", std::to_string(from.seed)},
                 {"calls", std::to_string(from.timedCalls)}};
  out.versions["ptxbench-mlir"] = getVersion();
  ToolchainOptions tools;
  tools.cudaPath = from.cudaPath;
  tools.tvmFfiPath = from.tvmFfiPath;
  tools.executable = executablePath();
  Toolchain toolchain(tools);
  for (ToolKind kind : {ToolKind::Nvcc, ToolKind::Ptxas})
    if (Expected<CudaTool> tool = toolchain.find(kind))
      out.versions[stringifyToolKind(kind)] = tool->version;
    else
      consumeError(tool.takeError());
  for (const std::string &name : toolchain.tvmFfiLibraryNames())
    if (std::string digest = digestOf(name); !digest.empty()) {
      out.versions["libtvm_ffi.so"] = digest;
      break;
    }
  if (from.backend != "emulator")
    addDevices(out.versions);
  // A name of one may be that of a file in the current folder, too.
  if (StringRef model = from.emulator.deviceModel; model.contains('/'))
    if (std::string digest = digestOf(model); !digest.empty())
      out.versions["the device model"] = digest;
  // These set the emulator where no option does.
  for (const char *name :
       {"PTXBENCH_EMULATOR_CHECKS", "PTXBENCH_EMULATOR_DEVICE",
        "PTXBENCH_EMULATOR_MAX_INSTRUCTIONS", "PTXBENCH_EMULATOR_SCHEDULE"})
    if (const char *value = std::getenv(name))
      out.versions[name] = std::string("'") + value + "'";
  return out;
}

Error EvaluateSettings::addTask(StringRef name, const Task &task) {
  auto file = MemoryBuffer::getFile(task.definitionPath);
  if (!file)
    return createStringError(file.getError(),
                             "cannot read '" + task.definitionPath +
                                 "': " + file.getError().message());
  std::string text = (*file)->getBuffer().str();
  raw_string_ostream os(text);
  // Many workloads take tensors of one file.
  std::map<std::string, std::string> known;
  auto contents = [&](const std::string &path) -> StringRef {
    auto [it, isNew] = known.try_emplace(path);
    if (isNew && !path.empty()) {
      SmallString<256> full(path);
      if (sys::path::is_relative(path)) {
        full = task.root;
        sys::path::append(full, path);
      }
      it->second = digestOf(full);
    }
    return it->second;
  };
  for (const Workload &workload : task.workloads) {
    os << '\0' << workload.uuid << '\0' << workload.size;
    for (const auto &[axis, extent] : workload.axes)
      os << '\0' << axis << '=' << extent;
    for (const auto &[input, source] : workload.inputs)
      os << '\0' << input << '=' << int(source.kind) << ' '
         << json::Value(source.value) << ' ' << source.path << ' '
         << source.tensorKey << ' ' << contents(source.path);
  }
  os << '\0' << digestOf(referenceFile(task.definition, task.definitionPath));
  tasks[name.str()] =
      toHex(SHA256::hash(arrayRefFromStringRef(text)), /*LowerCase=*/true);
  return Error::success();
}

std::string
EvaluateSettings::differences(const EvaluateSettings &earlier) const {
  std::vector<std::string> found;
  auto shown = [](const std::map<std::string, std::string> &values,
                  const std::string &name) {
    auto value = values.find(name);
    return value == values.end() || value->second.empty()
               ? std::string("not given")
               : "'" + value->second + "'";
  };
  std::map<std::string, std::string> names = options;
  names.insert(earlier.options.begin(), earlier.options.end());
  for (const auto &[name, value] : names) {
    std::string was = shown(earlier.options, name), is = shown(options, name);
    if (was != is)
      found.push_back("--" + name + " was " + was + " and is " + is);
  }
  names = versions;
  names.insert(earlier.versions.begin(), earlier.versions.end());
  auto version = [](const std::map<std::string, std::string> &values,
                    const std::string &name) {
    auto value = values.find(name);
    return value == values.end() ? std::string("missing") : value->second;
  };
  for (const auto &[name, value] : names) {
    std::string was = version(earlier.versions, name),
                is = version(versions, name);
    if (was != is)
      found.push_back(name + " was " + was + " and is " + is);
  }
  for (const auto &[name, digest] : tasks) {
    auto was = earlier.tasks.find(name);
    if (was != earlier.tasks.end() && was->second != digest)
      found.push_back("the task '" + name + "' has changed");
  }
  return join(found, "; ");
}

Expected<std::optional<EvaluateSettings>>
EvaluateSettings::read(StringRef path) {
  auto file = MemoryBuffer::getFile(path);
  if (file.getError() == std::errc::no_such_file_or_directory)
    return std::nullopt;
  if (!file)
    return createStringError(file.getError(), "cannot read '" + path + "': " +
                                                  file.getError().message());
  JSONSource source((*file)->getBuffer(), path);
  Expected<json::Value> value = source.parse();
  if (!value)
    return value.takeError();
  JSONCursor root(source, *value);
  JSONFields fields(root);
  EvaluateSettings out;
  std::string version;
  if (fields.required("schema", version) && version != schema)
    root.fail("expected the schema '" + schema + "' but got '" + version + "'");
  if (source.failed() || !fields.required("options", out.options) ||
      !fields.required("versions", out.versions) ||
      !fields.required("tasks", out.tasks) || !fields.finish())
    return source.takeError();
  return out;
}

Error EvaluateSettings::write(StringRef path) const {
  auto object = [](const std::map<std::string, std::string> &values) {
    json::Object out;
    for (const auto &[name, value] : values)
      out[name] = value;
    return out;
  };
  std::string text;
  raw_string_ostream os(text);
  os << formatv("{0:2}\n",
                json::Value(json::Object{{"schema", schema},
                                         {"options", object(options)},
                                         {"versions", object(versions)},
                                         {"tasks", object(tasks)}}));
  return writeFileAtomically(path, text);
}

} // namespace ptxbench
