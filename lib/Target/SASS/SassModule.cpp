//===- SassModule.cpp - Machine code of a cubin ---------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Joins the code sections, the symbols that say which of them are entries, and
// the line table.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Target/SASS/SassModule.h"
#include "ElfFile.h"
#include "LineTable.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/DataExtractor.h"

#include <algorithm>
#include <map>

using namespace ptxbench;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

static constexpr unsigned machineCuda = 190;
/// Set in st_other of an `.entry`.
static constexpr uint8_t otherCudaEntry = 0x10;

std::optional<unsigned> SassKernel::lookUpLine(uint64_t pc) const {
  auto next = std::upper_bound(
      rows.begin(), rows.end(), pc,
      [](uint64_t value, const SassLineRow &row) { return value < row.pc; });
  if (next == rows.begin() || std::prev(next)->endSequence)
    return std::nullopt;
  return std::prev(next)->line;
}

const SassInstruction *SassKernel::instructionAt(uint64_t pc) const {
  if (pc % 16 != 0 || pc / 16 >= instructions.size())
    return nullptr;
  return &instructions[pc / 16];
}

const SassKernel *SassModule::findKernel(StringRef name) const {
  for (const SassKernel &kernel : codeSections)
    if (kernel.name == name)
      return &kernel;
  return nullptr;
}

static Expected<SassModule> refuse(StringRef name, Error error) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), "%s: %s",
                                 name.str().c_str(),
                                 llvm::toString(std::move(error)).c_str());
}

template <typename... Ts>
static Expected<SassModule> refuse(StringRef name, const char *format,
                                   Ts... values) {
  return refuse(name, llvm::createStringError(llvm::inconvertibleErrorCode(),
                                              format, values...));
}

Expected<SassModule> SassModule::create(llvm::ArrayRef<uint8_t> bytes,
                                        StringRef name) {
  Expected<elf::File> file = elf::File::create(bytes);
  if (!file)
    return refuse(name, file.takeError());
  if (file->machine != machineCuda)
    return refuse(name,
                  "expected machine code for CUDA (machine 190) but got "
                  "machine %u",
                  unsigned(file->machine));

  SassModule module;
  // Since ABI version 8 the architecture has moved up by 8 bits.
  module.smArch =
      file->abiVersion >= 8 ? (file->flags >> 8) & 0xff : file->flags & 0xff;

  std::map<size_t, size_t> kernelOfSection;
  for (size_t i = 0; i < file->sections.size(); ++i) {
    const elf::Section &section = file->sections[i];
    StringRef kernelName = section.name;
    if (section.type != llvm::ELF::SHT_PROGBITS ||
        !kernelName.consume_front(".text.") || kernelName.empty())
      continue;
    if (section.contents.size() % 16 != 0)
      return refuse(name,
                    "expected instructions of 16 bytes but section %s "
                    "has %zu bytes",
                    section.name.str().c_str(), section.contents.size());
    SassKernel kernel;
    kernel.name = kernelName.str();
    llvm::DataExtractor words(section.contents, true, 8);
    for (uint64_t at = 0; at < section.contents.size();) {
      SassInstruction instruction;
      instruction.pc = at;
      instruction.word.low = words.getU64(&at);
      instruction.word.high = words.getU64(&at);
      instruction.opcodeClass = classifySass(instruction.word);
      kernel.instructions.push_back(instruction);
    }
    kernelOfSection[i] = module.codeSections.size();
    module.codeSections.push_back(std::move(kernel));
  }
  for (const elf::Symbol &symbol : file->symbols) {
    auto it = kernelOfSection.find(symbol.section);
    if (it != kernelOfSection.end() && symbol.type == llvm::ELF::STT_FUNC &&
        (symbol.other & otherCudaEntry))
      module.codeSections[it->second].isEntry = true;
  }

  std::map<std::string, unsigned> textIndex;
  for (const elf::Section &section : file->sections) {
    if (!section.name.starts_with(".nv_debug_ptx_txt") ||
        section.type != llvm::ELF::SHT_PROGBITS)
      continue;
    SassPtxText text;
    text.section = section.name.str();
    for (StringRef rest = section.contents; !rest.empty();) {
      auto [line, tail] = rest.split('\0');
      text.lines.push_back(line.str());
      rest = tail;
    }
    textIndex.emplace(text.section, module.texts.size());
    module.texts.push_back(
        std::make_shared<const SassPtxText>(std::move(text)));
  }

  Expected<std::vector<LineTableRow>> rows = readLineTable(*file);
  if (!rows)
    return refuse(name, rows.takeError());
  for (const LineTableRow &row : *rows) {
    auto kernel = kernelOfSection.find(row.codeSection);
    if (kernel == kernelOfSection.end())
      return refuse(name,
                    "expected a line table of code but it names section "
                    "%zu",
                    row.codeSection);
    SassLineRow out;
    out.pc = row.address;
    out.line = row.line;
    out.endSequence = row.endSequence;
    if (!row.endSequence) {
      auto text = textIndex.find(row.textSection);
      if (text == textIndex.end())
        return refuse(name,
                      "expected the PTX text in section %s but there is "
                      "none",
                      row.textSection.c_str());
      out.ptxText = text->second;
    }
    SassKernel &code = module.codeSections[kernel->second];
    if (!row.endSequence && !code.ptxText)
      code.ptxText = module.texts[out.ptxText];
    code.rows.push_back(out);
  }
  for (SassKernel &kernel : module.codeSections) {
    std::stable_sort(
        kernel.rows.begin(), kernel.rows.end(),
        [](const SassLineRow &a, const SassLineRow &b) { return a.pc < b.pc; });
    size_t next = 0;
    for (SassInstruction &instruction : kernel.instructions) {
      while (next < kernel.rows.size() &&
             kernel.rows[next].pc <= instruction.pc)
        ++next;
      if (next == 0 || kernel.rows[next - 1].endSequence)
        continue;
      instruction.line = kernel.rows[next - 1].line;
      instruction.rowPC = kernel.rows[next - 1].pc;
    }
  }
  return module;
}
