//===- Decompress.cpp - The two compressions of fat binaries --------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LZ4's block format is a few lines: sequences of a token, literals and a copy
// of what came out before ("LZ4 Block Format Description"). Zstandard is that
// of LLVM's Support library, where it was built with it.
//
//===----------------------------------------------------------------------===//

#include "Decompress.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Compression.h"

using namespace ptxbench;
using llvm::ArrayRef;
using llvm::Expected;

static llvm::Error damaged(const char *what) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 "expected %s compressed device code but it is "
                                 "damaged",
                                 what);
}

Expected<std::vector<uint8_t>> ptxbench::decompressLZ4(ArrayRef<uint8_t> packed,
                                                       uint64_t bytes) {
  std::vector<uint8_t> out;
  out.reserve(bytes);
  size_t at = 0;
  // A length of 15 in the token goes on in bytes up to the first below 255.
  auto length = [&](unsigned nibble) -> std::optional<uint64_t> {
    uint64_t value = nibble;
    if (nibble != 15)
      return value;
    for (;;) {
      if (at == packed.size())
        return std::nullopt;
      uint8_t more = packed[at++];
      value += more;
      if (more != 255)
        return value;
    }
  };
  while (at < packed.size()) {
    uint8_t token = packed[at++];
    std::optional<uint64_t> literals = length(token >> 4);
    if (!literals || *literals > packed.size() - at ||
        *literals > bytes - out.size())
      return damaged("LZ4");
    out.insert(out.end(), packed.begin() + at, packed.begin() + at + *literals);
    at += *literals;
    // The last sequence has literals only.
    if (at == packed.size())
      break;
    if (packed.size() - at < 2)
      return damaged("LZ4");
    size_t distance = packed[at] | packed[at + 1] << 8;
    at += 2;
    std::optional<uint64_t> copied = length(token & 15);
    if (!copied || distance == 0 || distance > out.size() ||
        *copied + 4 > bytes - out.size())
      return damaged("LZ4");
    // The copy may overlap what it writes.
    for (uint64_t i = 0; i < *copied + 4; ++i)
      out.push_back(out[out.size() - distance]);
  }
  if (out.size() != bytes)
    return damaged("LZ4");
  return out;
}

Expected<std::vector<uint8_t>>
ptxbench::decompressZstd(ArrayRef<uint8_t> packed, uint64_t bytes) {
  if (!llvm::compression::zstd::isAvailable())
    return llvm::createStringError(
        llvm::inconvertibleErrorCode(),
        "expected plain device code but it is compressed by Zstandard, which "
        "this program was built without");
  llvm::SmallVector<uint8_t, 0> out;
  if (llvm::Error error =
          llvm::compression::zstd::decompress(packed, out, bytes)) {
    llvm::consumeError(std::move(error));
    return damaged("Zstandard");
  }
  if (out.size() != bytes)
    return damaged("Zstandard");
  return std::vector<uint8_t>(out.begin(), out.end());
}
