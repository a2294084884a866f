//===- Extract.cpp - Code from a completion -------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CommonMark 0.31, "Fenced code blocks", and of "List items" as much as says
// how far a fence in one may be indented. The last block is taken or refused:
// an earlier one is a draft, and is judged only if what follows it are blocks
// that no candidate is written in.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Evaluation/Sample.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace ptxbench;

namespace {

struct Block {
  /// As languageOf gives it; empty: none is named.
  std::string language;
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

/// `extra`: by how much more it may be indented than the text's own fences.
static std::optional<Fence> fenceOf(StringRef line, size_t extra) {
  Fence fence;
  fence.indent = line.find_first_not_of(' ');
  if (fence.indent == StringRef::npos || fence.indent > extra + 3)
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

/// Where the text of a list item begins that a line opens; 0: it opens none.
static size_t itemOffset(StringRef line) {
  size_t indent = line.find_first_not_of(' ');
  if (indent == StringRef::npos)
    return 0;
  StringRef rest = line.drop_front(indent);
  size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
  StringRef mark = rest.drop_front(digits);
  bool bullet = !digits && StringRef("-+*").contains(mark.take_front());
  bool number =
      digits && digits <= 9 && StringRef(".)").contains(mark.take_front());
  if (mark.empty() || !(bullet || number) ||
      !mark.drop_front().starts_with(" "))
    return 0;
  StringRef text = mark.drop_front();
  size_t spaces = text.find_first_not_of(' ');
  // Text that is indented further is code in the item.
  if (spaces == StringRef::npos || spaces > 4)
    spaces = 1;
  return indent + digits + 1 + spaces;
}

/// Whether a language is C++ of some year: "c++17", "cpp20", "gnu++17".
static bool isCxx(StringRef language) {
  for (StringRef name : {"cuda-c++", "cuda-cpp", "gnu++", "c++", "cpp", "cxx"})
    if (language.consume_front(name))
      return all_of(language, isAlnum) &&
             (language.empty() || isDigit(language.front()));
  return false;
}

/// The name of the file that a block becomes whose language is known.
static StringRef fileOfLanguage(StringRef language) {
  if (isCxx(language))
    return "candidate.cu";
  return StringSwitch<StringRef>(language)
      .Cases({"cuda", "cu", "cuh", "cuda-c", "cc", "c"}, "candidate.cu")
      .Cases({"ptx", "nvptx"}, "candidate.ptx")
      .Case("mlir", "candidate.mlir")
      .Cases({"llvm", "llvm-ir", "ll"}, "candidate.ll")
      .Default("");
}

/// What goes with a candidate and is none: how it is built and launched, and
/// what it prints.
static bool isBesides(StringRef language) {
  return StringSwitch<bool>(language)
      .Cases({"json", "text", "txt", "plain", "plaintext", "output", "log"},
             true)
      .Cases({"bash", "sh", "shell", "shell-session", "shellsession", "zsh",
              "console", "terminal"},
             true)
      .Default(false);
}

/// The language that an info string names: its first word without what follows
/// it ("cuda:kernel.cu", "cuda{1,3}", "cuda,linenos") or stands around it
/// ("{.cuda #id}", ".cuda"), or the kind of the file that it names, in lower
/// case.
static std::string languageOf(StringRef info) {
  if (info.consume_front("{")) {
    // Of attributes the first class is the language.
    info = info.split('}').first;
    SmallVector<StringRef, 4> words;
    SplitString(info, words);
    const auto *found =
        find_if(words, [](StringRef word) { return word.starts_with("."); });
    info = found != words.end() ? *found
           : words.empty()      ? StringRef()
                                : words.front();
  }
  info.consume_front(".");
  std::string word =
      info.take_until([](char c) {
            return isSpace(c) || StringRef(":,;={}()").contains(c);
          })
          .lower();
  // The name of a file says it, too.
  StringRef kind = StringRef(word).rsplit('.').second;
  return !fileOfLanguage(kind).empty() || isBesides(kind) ? kind.str() : word;
}

static std::vector<Block> findBlocks(StringRef text) {
  std::vector<Block> blocks;
  std::optional<Fence> open;
  // Where the texts of the list items begin that are open.
  SmallVector<size_t, 4> items;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    line.consume_back("\r");
    if (!open) {
      if (line.trim().empty())
        continue;
      size_t indent = line.find_first_not_of(' ');
      while (!items.empty() && indent < items.back())
        items.pop_back();
      size_t outer = items.empty() ? 0 : items.back();
      if (size_t offset = indent <= outer + 3 ? itemOffset(line) : 0) {
        items.push_back(offset);
        // The fence may stand behind the mark of the item.
        std::string behind(std::min(offset, line.size()), ' ');
        behind += line.drop_front(behind.size());
        std::optional<Fence> fence = fenceOf(behind, offset);
        if (!fence)
          continue;
        blocks.push_back({languageOf(fence->info), ""});
        fence->info = "";
        open = fence;
        continue;
      }
      open = fenceOf(line, outer);
      if (open)
        blocks.push_back({languageOf(open->info), ""});
      continue;
    }
    std::optional<Fence> fence =
        fenceOf(line, items.empty() ? 0 : items.back());
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

/// "!tile = memref<...", "#map = affine_map<...": how a module in MLIR often
/// begins.
static bool isAlias(StringRef text) {
  if (!text.consume_front("!") && !text.consume_front("#"))
    return false;
  StringRef name =
      text.take_while([](char c) { return isAlnum(c) || c == '_'; });
  return !name.empty() &&
         text.drop_front(name.size()).ltrim(' ').starts_with("=");
}

/// The name of the file that a block becomes; empty if it is no candidate.
static StringRef fileName(const Block &block) {
  if (!block.language.empty())
    return fileOfLanguage(block.language);
  // No language: what it begins with.
  StringRef text = StringRef(block.text).ltrim();
  while (text.starts_with("//"))
    text = text.split('\n').second.ltrim();
  if (text.starts_with(".version"))
    return "candidate.ptx";
  if (text.starts_with("module") || text.starts_with("gpu.module") ||
      text.starts_with("func.func") || isAlias(text))
    return "candidate.mlir";
  if (text.starts_with("#include"))
    return "candidate.cu";
  while (text.starts_with(";"))
    text = text.split('\n').second.ltrim();
  if (text.starts_with("source_filename") || text.starts_with("target ") ||
      text.starts_with("define ptx_kernel"))
    return "candidate.ll";
  return StringRef(block.text).contains("__global__") ? "candidate.cu" : "";
}

/// Whether a module in MLIR has a function of the host, which makes the
/// launches itself; comments and strings have none. One that is only declared
/// is for whoever reads the module to tell.
static bool hasHostFunction(StringRef module) {
  constexpr StringLiteral name = "func.func";
  while (!module.empty()) {
    if (module.starts_with("//")) {
      module = module.split('\n').second;
      continue;
    }
    if (module.front() == '"') {
      size_t end = module.find_first_of("\"\\\n", 1);
      while (end != StringRef::npos && module[end] == '\\')
        end = module.find_first_of("\"\\\n", end + 2);
      // In the generic form the name of an operation is quoted.
      if (module.slice(1, end) == name)
        return true;
      module = end == StringRef::npos ? "" : module.drop_front(end + 1);
      continue;
    }
    auto isName = [](char c) { return isAlnum(c) || c == '_' || c == '.'; };
    size_t length = 0;
    while (length < module.size() && isName(module[length]))
      ++length;
    if (module.take_front(length) == name)
      return true;
    module = module.drop_front(std::max<size_t>(length, 1));
  }
  return false;
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
    if (name.empty()) {
      if (block.language.empty() || isBesides(block.language))
        continue;
      return refuse("the last fenced code block is in '" + block.language +
                    "', which is none of CUDA C++, PTX, MLIR and LLVM IR; only "
                    "blocks of shell commands, of plain text and of JSON may "
                    "follow that of the candidate");
    }
    if (StringRef(block.text).trim().empty())
      return refuse("the last fenced code block is empty");
    CandidateCode code;
    code.files.push_back({name.str(), block.text});
    // How it is launched stands in a block of its own, unless it has code of
    // the host that does it.
    if (name != "candidate.cu") {
      for (const Block &other : reverse(blocks))
        if (other.language == "json") {
          code.files.push_back({"candidate.launch.json", other.text});
          return code;
        }
      if (name == "candidate.mlir" && hasHostFunction(block.text))
        return code;
      return refuse("the last fenced code block has no host code, and there is "
                    "no block of JSON that says how it is launched");
    }
    return code;
  }
  return refuse("none of the " + Twine(blocks.size()) +
                " fenced code blocks is CUDA C++, PTX, MLIR or LLVM IR");
}
