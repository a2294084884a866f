//===- ThreadKernel.cpp - Kernels whose threads do the same ---------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inputs lie as records of 8 bytes for each operand, results as arrays.
//
//===----------------------------------------------------------------------===//

#include "ThreadKernel.h"

#include <algorithm>
#include <cstring>

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::differential;

std::string differential::registerOf(const Kind &kind, unsigned number) {
  unsigned width = kind.width();
  const char *prefix = width == 1    ? "%p"
                       : width <= 16 ? "%h"
                       : width == 32 ? "%r"
                                     : "%d";
  return prefix + std::to_string(number);
}

/// Bits that a value of the kind takes in memory.
static unsigned storedBits(const Kind &kind) {
  unsigned width = kind.width();
  return width == 1 ? 32 : std::max(width, 16u);
}

Case ThreadKernel::make(
    function_ref<void(size_t, MutableArrayRef<uint64_t>)> operands) const {
  constexpr uint32_t blockThreads = 256;
  Case result;
  result.name = name;
  result.family = family;
  result.tolerance = tolerance;
  result.grid = {(threads + blockThreads - 1) / blockThreads};
  result.block = {std::min(threads, blockThreads)};
  result.perThread.threads = threads;
  result.perThread.inputBytes = uint32_t(8 * inputs.size());

  std::string text =
      ".entry @kernel(.param .u64 in, .param .u64 out) {\n"
      "  .reg .pred %p<36>; .reg .b16 %h<36>; .reg .b32 %r<36>, %t, %s;\n"
      "  .reg .b64 %d<36>, %in, %out, %o;\n"
      "  ld.param.u64 %in, [in];\n  ld.param.u64 %out, [out];\n"
      "  mov.u32 %t, %ctaid.x;\n  mov.u32 %s, %tid.x;\n"
      "  mad.lo.u32 %t, %t, " +
      std::to_string(blockThreads) + ", %s;\n  mad.wide.u32 %in, %t, " +
      std::to_string(8 * inputs.size()) + ", %in;\n";
  for (size_t i = 0; i < inputs.size(); ++i) {
    unsigned bits = storedBits(inputs[i].kind);
    bool isPredicate = inputs[i].kind.base == Kind::Predicate;
    text += "  ld.global.b" + std::to_string(bits) + " " +
            (isPredicate ? "%s" : inputs[i].name) + ", [%in+" +
            std::to_string(8 * i) + "];\n";
    if (isPredicate)
      text += "  setp.ne.u32 " + inputs[i].name + ", %s, 0;\n";
  }
  text += body;
  size_t outputBytes = 0;
  for (const ThreadOperand &output : outputs) {
    unsigned bits = storedBits(output.kind);
    std::string source = output.name;
    if (output.kind.base == Kind::Predicate) {
      text += "  selp.u32 %s, 1, 0, " + source + ";\n";
      source = "%s";
    }
    text += "  mad.wide.u32 %o, %t, " + std::to_string(bits / 8) +
            ", %out;\n  st.global.b" + std::to_string(bits) + " [%o+" +
            std::to_string(outputBytes) + "], " + source + ";\n";
    result.perThread.outputBytes.push_back(bits / 8);
    outputBytes += size_t(threads) * bits / 8;
  }
  result.text = text + "  ret;\n}\n";

  Buffer in, out;
  in.bytes.resize(8 * inputs.size() * threads);
  std::vector<uint64_t> values(inputs.size());
  for (uint32_t i = 0; i < threads; ++i) {
    operands(i, values);
    std::memcpy(in.bytes.data() + 8 * inputs.size() * i, values.data(),
                8 * values.size());
  }
  out.isOutput = true;
  out.bytes.assign(outputBytes, 0xcc);
  result.buffers = {std::move(in), std::move(out)};
  result.params = {BufferParam{0, 0}, BufferParam{1, 0}};
  return result;
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

std::string differential::nameOf(StringRef spelling) {
  std::string name = spelling.str();
  std::replace(name.begin(), name.end(), ':', '_');
  return name;
}

const char *differential::registerPrefix(unsigned bits) {
  switch (bits) {
  case 8:
    return "b";
  case 16:
    return "h";
  case 32:
    return "r";
  case 64:
    return "d";
  default:
    return "q";
  }
}

std::string differential::operandOf(const std::string &prefix, unsigned count,
                                    unsigned first) {
  if (count == 1)
    return "%" + prefix + std::to_string(first);
  std::string text = "{";
  for (unsigned i = 0; i < count; ++i)
    text += (i ? ", %" : "%") + prefix + std::to_string(first + i);
  return text + "}";
}

Case RecordKernel::make() const {
  Random random(name);
  return make([&](size_t, MutableArrayRef<uint8_t> record) {
    for (uint8_t &byte : record)
      byte = uint8_t(random.next() >> 56);
  });
}

Case RecordKernel::make(
    function_ref<void(size_t, MutableArrayRef<uint8_t>)> record) const {
  Case result;
  result.name = name;
  result.family = family;
  result.block = {threads};
  result.perThread = {threads, inputBytes, {outputBytes}};
  result.text =
      globals +
      ".entry @kernel(.param .u64 in, .param .u64 out) {\n"
      "  .reg .pred %p<16>; .reg .b8 %b<16>; .reg .b16 %h<16>;\n"
      "  .reg .b32 %t, %x, %r<16>; .reg .b64 %o, %in, %out, %d<16>;\n"
      "  .reg .b128 %q<16>;\n"
      "  ld.param.u64 %in, [in];\n  ld.param.u64 %out, [out];\n"
      "  mov.u32 %t, %tid.x;\n  mad.wide.u32 %in, %t, " +
      std::to_string(inputBytes) + ", %in;\n  mad.wide.u32 %out, %t, " +
      std::to_string(outputBytes) + ", %out;\n" + body + "  ret;\n}\n";
  Buffer in, out;
  in.bytes.resize(size_t(inputBytes) * threads);
  for (unsigned i = 0; i < threads; ++i)
    record(i, MutableArrayRef<uint8_t>(in.bytes).slice(size_t(i) * inputBytes,
                                                       inputBytes));
  out.isOutput = true;
  out.bytes.assign(size_t(outputBytes) * threads, 0xcc);
  result.buffers = {std::move(in), std::move(out)};
  result.params = {BufferParam{0, 0}, BufferParam{1, 0}};
  return result;
}
