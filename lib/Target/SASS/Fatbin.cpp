//===- Fatbin.cpp - Device code embedded in host libraries ----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The section is a sequence of fat binaries, aligned to 8 bytes. As nvcc 13.0
// writes them (little-endian):
//
//   fat binary:  u32 mark 0xba55ed50, u16 version 1, u16 header size,
//                u64 size of the entries
//   entry:       u16 kind (1 PTX, 2 ELF), u16 version, u32 header size,
//                u64 padded size of the payload, u32 compressed size, ...,
//                at 28: u32 architecture, at 40: u64 flags (0x2000 LZ4 and
//                0x8000 Zstandard compression)
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Target/SASS/Fatbin.h"
#include "ElfFile.h"

#include "llvm/Support/DataExtractor.h"

using namespace ptxbench;
using llvm::Expected;
using llvm::StringRef;

static constexpr uint32_t fatbinMark = 0xba55ed50;
static constexpr uint64_t compressedFlags = 0x2000 | 0x8000;

Expected<std::vector<FatbinEntry>>
ptxbench::extractFatbin(llvm::ArrayRef<uint8_t> bytes, StringRef name) {
  auto bad = [&](uint64_t offset, const std::string &rule) {
    return llvm::createStringError(
        llvm::inconvertibleErrorCode(), "%s: in .nv_fatbin at offset %llu: %s",
        name.str().c_str(), (unsigned long long)offset, rule.c_str());
  };
  Expected<elf::File> file = elf::File::create(bytes);
  if (!file)
    return llvm::createStringError(llvm::inconvertibleErrorCode(), "%s: %s",
                                   name.str().c_str(),
                                   llvm::toString(file.takeError()).c_str());
  std::optional<size_t> index = file->findSection(".nv_fatbin");
  if (!index)
    return llvm::createStringError(
        llvm::inconvertibleErrorCode(),
        "%s: expected a section .nv_fatbin but there is none",
        name.str().c_str());

  StringRef section = file->sections[*index].contents;
  llvm::DataExtractor data(section, /*IsLittleEndian=*/true, 8);
  std::vector<FatbinEntry> entries;
  uint64_t offset = 0;
  while (offset < section.size()) {
    if (section.size() - offset < 16) {
      // Nothing but padding may stand behind the last one.
      if (section.substr(offset).find_first_not_of('\0') != StringRef::npos)
        return bad(offset, "expected a header of 16 bytes but the section "
                           "ends");
      break;
    }
    uint64_t at = offset;
    uint32_t mark = data.getU32(&at);
    if (mark == 0 && offset % 8 == 0) {
      offset += 8;
      continue;
    }
    if (mark != fatbinMark)
      return bad(offset, "expected the mark of a fat binary");
    unsigned version = data.getU16(&at);
    uint64_t headerSize = data.getU16(&at);
    uint64_t size = data.getU64(&at);
    if (version != 1)
      return bad(offset,
                 "expected version 1 but got " + std::to_string(version));
    uint64_t left = section.size() - offset;
    if (headerSize < 16 || headerSize > left || size > left - headerSize)
      return bad(offset, "expected a fat binary inside the section but its "
                         "header has " +
                             std::to_string(headerSize) +
                             " bytes and its "
                             "entries have " +
                             std::to_string(size));
    uint64_t end = offset + headerSize + size;
    uint64_t entry = offset + headerSize;
    while (entry < end) {
      if (end - entry < 64)
        return bad(entry, "expected an entry header of 64 bytes but " +
                              std::to_string(end - entry) + " are left");
      at = entry;
      unsigned kind = data.getU16(&at);
      at = entry + 4;
      uint64_t entryHeader = data.getU32(&at);
      uint64_t payload = data.getU64(&at);
      at = entry + 28;
      uint32_t arch = data.getU32(&at);
      at = entry + 40;
      uint64_t flags = data.getU64(&at);
      if (entryHeader < 64 || entryHeader > end - entry ||
          payload > end - entry - entryHeader)
        return bad(entry, "expected an entry inside its fat binary but its "
                          "header has " +
                              std::to_string(entryHeader) +
                              " bytes and its payload has " +
                              std::to_string(payload));
      StringRef contents = section.substr(entry + entryHeader, payload);
      if (kind == 1 || kind == 2) {
        if (flags & compressedFlags)
          return bad(entry, "expected plain device code but it is compressed "
                            "(build with nvcc --no-compress)");
        FatbinEntry out;
        out.kind = kind == 1 ? FatbinKind::PTX : FatbinKind::ELF;
        out.arch = arch;
        if (out.kind == FatbinKind::PTX)
          contents = contents.rtrim('\0');
        out.bytes.assign(contents.bytes_begin(), contents.bytes_end());
        entries.push_back(std::move(out));
      }
      // Other kinds (options, intermediate code) hold nothing to run.
      entry += entryHeader + payload;
    }
    offset = end;
  }
  return entries;
}
