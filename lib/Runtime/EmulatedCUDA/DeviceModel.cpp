//===- DeviceModel.cpp - What an emulated device says of itself -----------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reading and checking of the file.
//
//===----------------------------------------------------------------------===//

#include "DeviceModel.h"
#include "ptxbench/Support/LocatedJSON.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulated;

/// Without these nothing can be launched.
static constexpr StringLiteral needed[] = {"ComputeCapabilityMajor",
                                           "MaxBlocksPerMultiprocessor",
                                           "MaxSharedMemoryPerBlock",
                                           "MaxSharedMemoryPerBlockOptin",
                                           "MaxSharedMemoryPerMultiprocessor",
                                           "MaxThreadsPerBlock",
                                           "MaxThreadsPerMultiProcessor",
                                           "MultiProcessorCount",
                                           "WarpSize"};

Expected<DeviceModel> DeviceModel::parse(StringRef json, StringRef path) {
  JSONSource source(json, path);
  Expected<json::Value> value = source.parse();
  if (!value)
    return value.takeError();
  DeviceModel model;
  JSONCursor root(source, *value);
  JSONFields fields(root);
  std::optional<JSONCursor> memory;
  if (!fields.required("name", model.deviceName) ||
      !(memory = fields.find("total_global_memory", /*must=*/true)) ||
      !memory->read(model.memory) ||
      !fields.required("attributes", model.attributes) || !fields.finish())
    return source.takeError();
  if (model.memory == 0) {
    memory->fail("expected memory of one or more bytes but got 0");
    return source.takeError();
  }
  for (StringRef name : needed)
    if (model.attribute(name) <= 0) {
      root.fail("expected attribute '" + name + "' above 0 but got " +
                Twine(model.attribute(name)));
      return source.takeError();
    }
  return model;
}

Expected<DeviceModel> DeviceModel::load(StringRef name, StringRef folder) {
  SmallString<256> path(name);
  if (!name.contains('/')) {
    path = folder;
    sys::path::append(path, name + ".json");
  }
  ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFile(path);
  if (!file)
    return createStringError(file.getError(),
                             "device model '" + name + "': cannot read '" +
                                 path + "': " + file.getError().message());
  return parse((*file)->getBuffer(), path);
}

int64_t DeviceModel::attribute(StringRef name) const {
  auto it = attributes.find(name.str());
  return it == attributes.end() ? 0 : it->second;
}

unsigned DeviceModel::computeCapability() const {
  return unsigned(attribute("ComputeCapabilityMajor") * 10 +
                  attribute("ComputeCapabilityMinor"));
}
