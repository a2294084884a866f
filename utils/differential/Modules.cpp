//===- Modules.cpp - Cases as PTX modules ---------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names in a module begin with the hash of their case, so that a cubin of other
// cases than those at hand has no kernel of that name.
//
//===----------------------------------------------------------------------===//

#include "Modules.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include <map>

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::differential;

static constexpr size_t maxCases = 64, maxTextBytes = 400000;

namespace {
/// Collects what is to be hashed.
class Hash {
public:
  void add(uint64_t value) {
    char bytes[8];
    for (unsigned i = 0; i < 8; ++i)
      bytes[i] = char(value >> (8 * i));
    text.append(bytes, 8);
  }
  void add(ArrayRef<uint8_t> bytes) {
    add(bytes.size());
    text.append(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  }
  void add(const Dim3 &dim) { add(dim.x), add(dim.y), add(dim.z); }
  template <class T, size_t N> void addAll(const std::array<T, N> &values) {
    for (T value : values)
      add(static_cast<uint64_t>(value));
  }
  void add(const emulator::TensorRequest &request) {
    add(request.tensorDataType), add(request.tensorRank);
    add(request.globalAddress), addAll(request.globalDim);
    addAll(request.globalStrides), addAll(request.elementStrides);
    add(request.interleave), add(request.swizzle), add(request.l2Promotion);
    add(request.oobFill);
  }
  void add(const Param &param) {
    add(param.index());
    if (auto *buffer = std::get_if<BufferParam>(&param)) {
      add(buffer->buffer), add(buffer->offset);
    } else if (auto *value = std::get_if<ValueParam>(&param)) {
      add(ArrayRef<uint8_t>(value->bytes));
    } else {
      const auto &map = std::get<TensorMapParam>(param);
      add(map.buffer), add(map.request.index());
      if (auto *tiled = std::get_if<emulator::TiledRequest>(&map.request)) {
        add(static_cast<const emulator::TensorRequest &>(*tiled));
        addAll(tiled->boxDim);
      } else {
        const auto &im2col = std::get<emulator::Im2colRequest>(map.request);
        add(static_cast<const emulator::TensorRequest &>(im2col));
        addAll(im2col.pixelBoxLowerCorner), addAll(im2col.pixelBoxUpperCorner);
        add(im2col.channelsPerPixel), add(im2col.pixelsPerColumn);
      }
    }
  }
  uint64_t get() const {
    return xxh3_64bits(ArrayRef<uint8_t>(
        reinterpret_cast<const uint8_t *>(text.data()), text.size()));
  }

private:
  std::string text;
};
} // namespace

static ArrayRef<uint8_t> bytesOf(StringRef text) {
  return ArrayRef<uint8_t>(reinterpret_cast<const uint8_t *>(text.data()),
                           text.size());
}

uint64_t differential::digestOf(const Case &testCase) {
  Hash hash;
  hash.add(bytesOf(testCase.name));
  hash.add(bytesOf(testCase.text));
  hash.add(testCase.buffers.size());
  for (const Buffer &buffer : testCase.buffers) {
    hash.add(buffer.isOutput);
    hash.add(ArrayRef<uint8_t>(buffer.bytes));
  }
  hash.add(testCase.params.size());
  for (const Param &param : testCase.params)
    hash.add(param);
  hash.add(testCase.grid), hash.add(testCase.block);
  hash.add(testCase.cluster), hash.add(testCase.dynamicSharedBytes);
  return hash.get();
}

uint64_t differential::digestOf(ArrayRef<std::vector<uint8_t>> outputs) {
  Hash hash;
  for (const std::vector<uint8_t> &bytes : outputs)
    hash.add(ArrayRef<uint8_t>(bytes));
  return hash.get();
}

std::string differential::hexText(uint64_t digest) {
  std::string text;
  raw_string_ostream(text) << format_hex_no_prefix(digest, 16);
  return text;
}

static std::string prefixOf(const Case &testCase) {
  return "c" + hexText(xxh3_64bits(bytesOf(testCase.name + testCase.text))) +
         "_";
}

std::string differential::kernelName(const Case &testCase) {
  return prefixOf(testCase) + "kernel";
}

std::string Module::text(std::vector<unsigned> *firstLines) const {
  std::string all = ".version 9.0\n.target sm_90a\n.address_size 64\n";
  unsigned line = 4;
  for (const Case *testCase : cases) {
    if (firstLines)
      firstLines->push_back(line);
    std::string prefix = prefixOf(*testCase);
    StringRef rest = testCase->text;
    while (!rest.empty()) {
      size_t at = rest.find('@');
      all += rest.take_front(at);
      line += rest.take_front(at).count('\n');
      if (at == StringRef::npos)
        break;
      rest = rest.drop_front(at + 1);
      if (!rest.empty() && (isAlpha(rest[0]) || rest[0] == '_'))
        all += prefix;
      else
        all += '@';
    }
    if (all.back() != '\n') {
      all += '\n';
      ++line;
    }
  }
  return all;
}

std::vector<Module> differential::makeModules(ArrayRef<const Case *> cases) {
  std::vector<Module> modules;
  struct Open {
    size_t module = 0, textBytes = 0;
    unsigned count = 0;
  };
  std::map<std::string, Open> families;
  for (const Case *testCase : cases) {
    Open &open = families[testCase->family];
    if (!open.count || modules[open.module].cases.size() == maxCases ||
        open.textBytes + testCase->text.size() > maxTextBytes) {
      std::string number = std::to_string(open.count++);
      number.insert(0, number.size() < 3 ? 3 - number.size() : 0, '0');
      open.module = modules.size();
      open.textBytes = 0;
      modules.push_back({testCase->family + "-" + number, {}});
    }
    open.textBytes += testCase->text.size();
    modules[open.module].cases.push_back(testCase);
  }
  return modules;
}
