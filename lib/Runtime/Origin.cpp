//===- Origin.cpp - Whose kernels a candidate launched --------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the plainest to the subtlest: a library that is banned, a kernel out of
// a module that is not the candidate's, machine code that the compiler did not
// make. PTX in the text of the candidate is its own, though the driver compiles
// it; what it compiles it to is known to nobody before.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Runtime/Origin.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"

using namespace llvm;
using namespace ptxbench;

static bool isCandidates(WorkOwner owner) {
  return owner == WorkOwner::Candidate;
}

/// Whether the symbols of machine code have `name`.
static bool hasName(StringRef cubin, StringRef name) {
  std::string zeroed = '\0' + name.str() + '\0';
  return cubin.contains(zeroed);
}

static std::string sha256(StringRef bytes) {
  return toHex(SHA256::hash(arrayRefFromStringRef(bytes)), /*LowerCase=*/true);
}

static Violation foreignKernel(const LaunchedKernel &kernel,
                               const ModuleOrigin &module, StringRef library) {
  std::string what = "kernel '" + kernel.name + "'";
  if (!library.empty())
    return {"BANNED_LIBRARY", what + " is of " + library.str() + " (" +
                                  sys::path::filename(module.file).str() + ")"};
  if (!module.file.empty())
    return {"FOREIGN_KERNEL", what + " is of '" +
                                  sys::path::filename(module.file).str() +
                                  "', not of the candidate"};
  return {"GENERATED_KERNEL",
          what + " is of a module that was made at run time"};
}

std::optional<Violation>
ptxbench::judgeOrigins(const OriginRecords &records,
                       const CompiledCode &compiled,
                       function_ref<StringRef(StringRef)> bannedLibrary) {
  // Libraries unpack their kernels into memory of no file.
  for (const std::string &file : records.libraries)
    if (StringRef library = bannedLibrary(file); !library.empty())
      return Violation{"BANNED_LIBRARY", "'" + sys::path::filename(file).str() +
                                             "' (" + library.str() +
                                             ") was opened at run time"};
  for (const LaunchedKernel &kernel : records.kernels) {
    if (!isCandidates(kernel.owner))
      continue;
    if (!kernel.module)
      return Violation{"FOREIGN_KERNEL", "it is not known where kernel '" +
                                             kernel.name + "' comes from"};
    const ModuleOrigin &module = records.modules[*kernel.module];
    // What was loaded from there is compared below.
    if (compiled.fromMemory && !compiled.cubin.empty() && module.file.empty() &&
        isCandidates(module.owner))
      continue;
    if (!module.own || !isCandidates(module.owner))
      return foreignKernel(kernel, module, bannedLibrary(module.file));
  }
  if (compiled.cubin.empty())
    return std::nullopt;
  for (const std::string &name : records.unseenKernels)
    if (!hasName(compiled.cubin, name))
      return Violation{"FOREIGN_KERNEL",
                       "kernel '" + name +
                           "' ran, which the candidate's machine code has not"};
  // Each module of text may become one piece of machine code.
  auto texts = count_if(records.modules, [](const ModuleOrigin &module) {
    return isCandidates(module.owner) && module.own && module.text;
  });
  std::string own = sha256(compiled.cubin);
  auto others = count_if(records.code, [&](const LoadedCode &code) {
    return isCandidates(code.owner) && code.sha256 != own;
  });
  if (others > texts)
    return Violation{"GENERATED_KERNEL",
                     "machine code was loaded that the compiler did not make "
                     "of the candidate"};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

json::Value ptxbench::toJSON(const OriginRecords &records) {
  json::Array modules, code, kernels;
  for (const ModuleOrigin &module : records.modules)
    modules.push_back(json::Object{{"owner", stringifyWorkOwner(module.owner)},
                                   {"file", json::fixUTF8(module.file)},
                                   {"own", module.own},
                                   {"text", module.text}});
  for (const LoadedCode &loaded : records.code)
    code.push_back(json::Object{{"owner", stringifyWorkOwner(loaded.owner)},
                                {"sha256", loaded.sha256},
                                {"bytes", loaded.bytes}});
  for (const LaunchedKernel &kernel : records.kernels) {
    json::Object object{{"owner", stringifyWorkOwner(kernel.owner)},
                        {"name", json::fixUTF8(kernel.name)},
                        {"launches", kernel.launches}};
    if (kernel.module)
      object["module"] = *kernel.module;
    kernels.push_back(std::move(object));
  }
  auto texts = [](ArrayRef<std::string> list) {
    json::Array array;
    for (const std::string &text : list)
      array.push_back(json::fixUTF8(text));
    return array;
  };
  return json::Object{{"modules", std::move(modules)},
                      {"code", std::move(code)},
                      {"kernels", std::move(kernels)},
                      {"unseen_kernels", texts(records.unseenKernels)},
                      {"libraries", texts(records.libraries)}};
}

static bool fromJSON(const json::Value &value, WorkOwner &owner,
                     json::Path path) {
  for (WorkOwner one :
       {WorkOwner::Candidate, WorkOwner::Baseline, WorkOwner::Tool})
    if (value.getAsString() == stringifyWorkOwner(one)) {
      owner = one;
      return true;
    }
  path.report("expected candidate, baseline or tool");
  return false;
}

namespace {

bool fromJSON(const json::Value &value, ModuleOrigin &module, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("file", module.file) && map.map("own", module.own) &&
         map.map("text", module.text);
}

bool fromJSON(const json::Value &value, LoadedCode &code, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("sha256", code.sha256) && map.map("bytes", code.bytes);
}

bool fromJSON(const json::Value &value, LaunchedKernel &kernel,
              json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("name", kernel.name) &&
         map.map("launches", kernel.launches) &&
         map.mapOptional("module", kernel.module);
}

/// Elements with an owner.
template <typename T>
bool readOwned(const json::Object &object, StringLiteral key,
               std::vector<T> &to, json::Path path) {
  const json::Array *array = object.getArray(key);
  if (!array) {
    path.field(key).report("expected array");
    return false;
  }
  for (size_t i = 0; i < array->size(); ++i) {
    json::Path here = path.field(key).index(i);
    const json::Object *element = (*array)[i].getAsObject();
    const json::Value *owner = element ? element->get("owner") : nullptr;
    if (!owner) {
      here.report("expected an object with an owner");
      return false;
    }
    T &made = to.emplace_back();
    if (!::fromJSON(*owner, made.owner, here.field("owner")) ||
        !fromJSON((*array)[i], made, here))
      return false;
  }
  return true;
}

} // namespace

bool ptxbench::fromJSON(const json::Value &value, OriginRecords &records,
                        json::Path path) {
  json::ObjectMapper map(value, path);
  if (!map || !map.map("unseen_kernels", records.unseenKernels) ||
      !map.map("libraries", records.libraries))
    return false;
  const json::Object &object = *value.getAsObject();
  if (!readOwned(object, "modules", records.modules, path) ||
      !readOwned(object, "code", records.code, path) ||
      !readOwned(object, "kernels", records.kernels, path))
    return false;
  for (size_t i = 0; i < records.kernels.size(); ++i) {
    const LaunchedKernel &kernel = records.kernels[i];
    if (kernel.module && *kernel.module >= records.modules.size()) {
      path.field("kernels").index(i).report("expected the index of a module");
      return false;
    }
  }
  return true;
}
