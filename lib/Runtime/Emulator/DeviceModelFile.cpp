//===- DeviceModelFile.cpp - What the emulator is, as a file -------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds and reads it; what is in it is for those who want to know.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Runtime/DeviceModelFile.h"
#include "ptxbench/Support/PlainFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <cstdlib>

using namespace llvm;
using namespace ptxbench;

/// A model has some dozens of numbers.
static constexpr uint64_t maxModelBytes = uint64_t(1) << 20;

static std::string fileIn(StringRef folder, const Twine &name) {
  SmallString<256> path(folder);
  sys::path::append(path, name);
  return path.str().str();
}

std::string ptxbench::emulatorFolder(StringRef executable) {
  StringRef folder = sys::path::parent_path(executable);
  return fileIn(sys::path::parent_path(folder), "lib/emulator");
}

std::string ptxbench::deviceModelFile(StringRef executable, StringRef wanted) {
  if (wanted.empty())
    if (const char *set = std::getenv("PTXBENCH_EMULATOR_DEVICE"))
      wanted = set;
  if (wanted.empty())
    wanted = "h200";
  if (wanted.contains('/'))
    return wanted.str();
  return fileIn(emulatorFolder(executable), "devices/" + wanted + ".json");
}

/// "'h200'", the names of those that came with the program.
static std::string listModels(StringRef executable) {
  std::vector<std::string> names;
  std::error_code code;
  std::string folder = fileIn(emulatorFolder(executable), "devices");
  for (sys::fs::directory_iterator it(folder, code), end; it != end && !code;
       it.increment(code))
    if (sys::path::extension(it->path()) == ".json")
      names.push_back("'" + sys::path::stem(it->path()).str() + "'");
  sort(names);
  return names.empty() ? "none" : join(names, ", ");
}

Expected<std::unique_ptr<MemoryBuffer>>
ptxbench::readDeviceModel(StringRef executable, StringRef wanted) {
  std::string file = deviceModelFile(executable, wanted);
  if (!isAnythingThere(file))
    return createStringError(
        std::make_error_code(std::errc::no_such_file_or_directory),
        "there is no device model '" + file +
            "'; those that there are by name: " + listModels(executable) +
            " (a file is given by a path with a '/')");
  return readPlainFile(file, maxModelBytes);
}
