//===- SafeTensors.cpp - Tensors in safetensors files ---------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Task/SafeTensors.h"

#include "ptxbench/Support/LocatedJSON.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace ptxbench;
using llvm::StringRef;
using llvm::Twine;

static std::optional<ElementType> typeNamed(StringRef name) {
  return llvm::StringSwitch<std::optional<ElementType>>(name)
      .Case("F64", ElementType::Float64)
      .Case("F32", ElementType::Float32)
      .Case("F16", ElementType::Float16)
      .Case("BF16", ElementType::BFloat16)
      .Case("F8_E4M3", ElementType::Float8E4M3)
      .Case("F8_E5M2", ElementType::Float8E5M2)
      .Case("I64", ElementType::Int64)
      .Case("I32", ElementType::Int32)
      .Case("I16", ElementType::Int16)
      .Case("I8", ElementType::Int8)
      .Case("U8", ElementType::UInt8)
      .Case("BOOL", ElementType::Bool)
      .Default(std::nullopt);
}

static bool readTensor(const JSONCursor &cursor, uint64_t dataBytes,
                       StoredTensor &out) {
  JSONFields fields(cursor);
  std::string name;
  std::optional<JSONCursor> type = fields.find("dtype", true);
  if (!type || !type->read(name))
    return false;
  std::optional<ElementType> known = typeNamed(name);
  if (!known)
    return type->fail("expected an element type such as BF16, F32 or F8_E4M3 "
                      "but got \"" +
                      name + "\"");
  out.type = *known;
  std::vector<uint64_t> offsets;
  if (!fields.required("shape", out.shape))
    return false;
  std::optional<JSONCursor> at = fields.find("data_offsets", true);
  if (!at || !at->read(offsets) || !fields.finish())
    return false;
  uint64_t bytes = sizeOf(out.type);
  bool overflow = false;
  for (int64_t extent : out.shape) {
    bool over = extent < 0;
    bytes = llvm::SaturatingMultiply(bytes, uint64_t(extent), &over);
    overflow |= over || extent < 0;
  }
  if (offsets.size() != 2 || offsets[0] > offsets[1] ||
      offsets[1] > dataBytes || overflow || offsets[1] - offsets[0] != bytes)
    return at->fail("expected the beginning and the end of as many bytes as "
                    "the shape needs, within the " +
                    Twine(dataBytes) + " bytes of data");
  out.offset = offsets[0];
  out.bytes = bytes;
  return true;
}

llvm::Expected<StoredTensor> ptxbench::findStoredTensor(StringRef path,
                                                        StringRef key) {
  auto cannotRead = [&](std::error_code code) {
    return llvm::createStringError(code, "cannot read " + path + ": " +
                                             code.message());
  };
  uint64_t size = 0;
  if (std::error_code code = llvm::sys::fs::file_size(path, size))
    return cannotRead(code);
  // The header only: the file may be larger than the memory.
  constexpr uint64_t most = uint64_t(64) << 20;
  uint64_t length = 0;
  if (size >= 8) {
    auto begin = llvm::MemoryBuffer::getFileSlice(path, 8, 0);
    if (!begin)
      return cannotRead(begin.getError());
    length = llvm::support::endian::read64le((*begin)->getBufferStart());
  }
  if (size < 8 || length > size - 8 || length > most)
    return llvm::createStringError(
        path + ": expected the length of a header that fits into the file of " +
        Twine(size) + " bytes");
  auto header = llvm::MemoryBuffer::getFileSlice(path, length, 8);
  if (!header)
    return cannotRead(header.getError());
  JSONSource source((*header)->getBuffer(), path);
  llvm::Expected<llvm::json::Value> root = source.parse();
  if (!root)
    return root.takeError();
  JSONCursor cursor(source, *root);
  StoredTensor tensor;
  const llvm::json::Object *object = cursor.asObject();
  const llvm::json::Value *entry = object ? object->get(key) : nullptr;
  bool read = false;
  if (entry)
    read = readTensor(cursor.field(key, *entry), size - 8 - length, tensor);
  else if (object)
    cursor.fail("expected a tensor \"" + key + "\"");
  if (!read)
    return source.takeError();
  tensor.offset += 8 + length;
  return tensor;
}
