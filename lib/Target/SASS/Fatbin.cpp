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
//                0x8000 Zstandard compression), at 56: u64 size before the
//                compression
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Target/SASS/Fatbin.h"
#include "Decompress.h"
#include "ElfFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/DataExtractor.h"

using namespace ptxbench;
using llvm::Expected;
using llvm::StringRef;

static constexpr uint32_t fatbinMark = 0xba55ed50;
static constexpr uint64_t lz4Flag = 0x2000, zstdFlag = 0x8000;
/// Device code is smaller; a damaged size must not take all memory.
static constexpr uint64_t maxEntryBytes = uint64_t(1) << 30;

static llvm::Error badFatbin(StringRef name, uint64_t offset,
                             const std::string &rule) {
  return llvm::createStringError(
      llvm::inconvertibleErrorCode(), "%s: in .nv_fatbin at offset %llu: %s",
      name.str().c_str(), (unsigned long long)offset, rule.c_str());
}

Expected<uint64_t> ptxbench::fatbinBytes(llvm::ArrayRef<uint8_t> header,
                                         StringRef name) {
  if (header.size() < 16)
    return badFatbin(name, 0, "expected a header of 16 bytes");
  llvm::DataExtractor data(llvm::toStringRef(header), /*IsLittleEndian=*/true,
                           8);
  uint64_t at = 0;
  if (data.getU32(&at) != fatbinMark)
    return badFatbin(name, 0, "expected the mark of a fat binary");
  unsigned version = data.getU16(&at);
  if (version != 1)
    return badFatbin(name, 0,
                     "expected version 1 but got " + std::to_string(version));
  uint64_t headerSize = data.getU16(&at);
  return headerSize + data.getU64(&at);
}

Expected<std::vector<FatbinEntry>>
ptxbench::extractFatbin(llvm::ArrayRef<uint8_t> bytes, StringRef name) {
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

  return readFatbins(
      llvm::arrayRefFromStringRef(file->sections[*index].contents), name);
}

Expected<std::vector<FatbinEntry>>
ptxbench::readFatbins(llvm::ArrayRef<uint8_t> bytes, StringRef name) {
  auto bad = [&](uint64_t offset, const std::string &rule) {
    return badFatbin(name, offset, rule);
  };
  StringRef section = llvm::toStringRef(bytes);
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
      uint64_t compressed = data.getU32(&at);
      at = entry + 28;
      uint32_t arch = data.getU32(&at);
      at = entry + 40;
      uint64_t flags = data.getU64(&at);
      at = entry + 56;
      uint64_t plain = data.getU64(&at);
      if (entryHeader < 64 || entryHeader > end - entry ||
          payload > end - entry - entryHeader)
        return bad(entry, "expected an entry inside its fat binary but its "
                          "header has " +
                              std::to_string(entryHeader) +
                              " bytes and its payload has " +
                              std::to_string(payload));
      StringRef contents = section.substr(entry + entryHeader, payload);
      if (kind == 1 || kind == 2) {
        FatbinEntry out;
        out.kind = kind == 1 ? FatbinKind::PTX : FatbinKind::ELF;
        out.arch = arch;
        std::vector<uint8_t> unpacked;
        if (flags & (lz4Flag | zstdFlag)) {
          if (compressed > payload || plain > maxEntryBytes)
            return bad(entry, "expected compressed device code inside its "
                              "entry but it has " +
                                  std::to_string(compressed) + " bytes of " +
                                  std::to_string(payload) + " and is made of " +
                                  std::to_string(plain));
          llvm::ArrayRef<uint8_t> packed =
              llvm::arrayRefFromStringRef(contents.take_front(compressed));
          Expected<std::vector<uint8_t>> result =
              flags & lz4Flag ? decompressLZ4(packed, plain)
                              : decompressZstd(packed, plain);
          if (!result)
            return bad(entry, llvm::toString(result.takeError()) +
                                  " (nvcc --no-compress leaves device code "
                                  "as it is)");
          unpacked = std::move(*result);
          contents = llvm::toStringRef(llvm::ArrayRef<uint8_t>(unpacked));
        }
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
