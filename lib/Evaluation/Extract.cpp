//===- Extract.cpp - Code from a completion -------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CommonMark 0.31, "Fenced code blocks".
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Evaluation/Sample.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace ptxbench;

namespace {

struct Block {
  /// First word behind the fence.
  StringRef language;
  std::string text;
};

/// The fence that a line opens or closes.
struct Fence {
  char mark = 0;
  size_t length = 0, indent = 0;
  /// What stands behind it.
  StringRef info;
};

} // namespace

static std::optional<Fence> fenceOf(StringRef line) {
  Fence fence;
  fence.indent = line.find_first_not_of(' ');
  if (fence.indent == StringRef::npos || fence.indent > 3)
    return std::nullopt;
  StringRef rest = line.drop_front(fence.indent);
  fence.mark = rest.front();
  if (fence.mark != '`' && fence.mark != '~')
    return std::nullopt;
  fence.length = std::min(rest.find_first_not_of(fence.mark), rest.size());
  fence.info = rest.drop_front(fence.length).trim();
  if (fence.length < 3 || (fence.mark == '`' && fence.info.contains('`')))
    return std::nullopt;
  return fence;
}

static std::vector<Block> findBlocks(StringRef text) {
  std::vector<Block> blocks;
  std::optional<Fence> open;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    line.consume_back("\r");
    std::optional<Fence> fence = fenceOf(line);
    if (!open) {
      if (!fence)
        continue;
      open = fence;
      blocks.push_back({fence->info.split(' ').first, ""});
      continue;
    }
    if (fence && fence->mark == open->mark && fence->length >= open->length &&
        fence->info.empty()) {
      open.reset();
      continue;
    }
    // The indentation of the fence is none of the code.
    size_t spaces = std::min(line.find_first_not_of(' '), line.size());
    blocks.back().text +=
        line.drop_front(std::min(spaces, open->indent)).str() + "\n";
  }
  return blocks;
}

/// The name of the file that a block becomes; empty if it is no candidate.
static StringRef fileName(const Block &block) {
  std::string language = block.language.lower();
  StringRef known = StringSwitch<StringRef>(language)
                        .Cases({"cuda", "cu", "cuda-cpp", "cuda-c++", "cpp",
                                "c++", "cxx", "cc", "c"},
                               "candidate.cu")
                        .Cases({"ptx", "nvptx"}, "candidate.ptx")
                        .Case("mlir", "candidate.mlir")
                        .Cases({"llvm", "llvm-ir", "ll"}, "candidate.ll")
                        .Default("");
  if (!known.empty() || !language.empty())
    return known;
  // No language: what it begins with.
  StringRef text = StringRef(block.text).ltrim();
  while (text.starts_with("//"))
    text = text.split('\n').second.ltrim();
  if (text.starts_with(".version"))
    return "candidate.ptx";
  if (text.starts_with("module") || text.starts_with("gpu.module") ||
      text.starts_with("func.func"))
    return "candidate.mlir";
  while (text.starts_with(";"))
    text = text.split('\n').second.ltrim();
  if (text.starts_with("source_filename") || text.starts_with("target ") ||
      text.starts_with("define ptx_kernel"))
    return "candidate.ll";
  return StringRef(block.text).contains("__global__") ? "candidate.cu" : "";
}

Expected<CandidateCode> ptxbench::extractCode(StringRef completion) {
  auto refuse = [](const Twine &why) {
    return createStringError(inconvertibleErrorCode(), why);
  };
  std::vector<Block> blocks = findBlocks(completion);
  if (blocks.empty())
    return refuse("the completion has no fenced code block");
  for (const Block &block : reverse(blocks)) {
    StringRef name = fileName(block);
    if (name.empty())
      continue;
    if (StringRef(block.text).trim().empty())
      return refuse("the last fenced code block is empty");
    CandidateCode code;
    code.files.push_back({name.str(), block.text});
    // How it is launched stands in a block of its own.
    if (name != "candidate.cu") {
      for (const Block &other : reverse(blocks))
        if (other.language.lower() == "json") {
          code.files.push_back({"candidate.launch.json", other.text});
          return code;
        }
      return refuse("the last fenced code block has no host code, and there is "
                    "no block of JSON that says how it is launched");
    }
    return code;
  }
  return refuse("none of the " + Twine(blocks.size()) +
                " fenced code blocks is CUDA C++, PTX, MLIR or LLVM IR");
}
