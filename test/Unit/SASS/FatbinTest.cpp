//===- FatbinTest.cpp - Tests of the fat binary reader --------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The inputs are the `.nv_fatbin` sections of two libraries that nvcc 13.0 made
// of one kernel, with and without --no-compress.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Target/SASS/Fatbin.h"
#include "SassTestUtils.h"

using namespace ptxbench;
using namespace ptxbench::test;

static std::string errorOf(llvm::ArrayRef<uint8_t> bytes) {
  auto entries = extractFatbin(bytes, "lib.so");
  return entries ? "" : llvm::toString(entries.takeError());
}

static size_t findSectionStart(const std::vector<uint8_t> &bytes) {
  llvm::StringRef text(reinterpret_cast<const char *>(bytes.data()),
                       bytes.size());
  return text.find("\x50\xed\x55\xba");
}

TEST(FatbinTest, PlainPtxAndCubins) {
  auto entries = extractFatbin(readInput("fatbin_plain.elf"), "lib.so");
  ASSERT_TRUE(bool(entries)) << llvm::toString(entries.takeError());
  ASSERT_EQ(entries->size(), 3u);
  // The first fat binary is that of the runtime's own, empty, device code.
  EXPECT_EQ((*entries)[0].kind, FatbinKind::ELF);
  const FatbinEntry &ptx = (*entries)[1];
  EXPECT_EQ(ptx.kind, FatbinKind::PTX);
  EXPECT_EQ(ptx.arch, 90u);
  llvm::StringRef text(reinterpret_cast<const char *>(ptx.bytes.data()),
                       ptx.bytes.size());
  EXPECT_TRUE(text.contains(".target sm_90a"));
  EXPECT_TRUE(text.contains(".entry kk("));
  EXPECT_FALSE(text.contains('\0'));
  const FatbinEntry &cubin = (*entries)[2];
  EXPECT_EQ(cubin.kind, FatbinKind::ELF);
  SassModule module = readModule(cubin.bytes);
  const SassKernel *kernel = module.findKernel("kk");
  ASSERT_TRUE(kernel);
  EXPECT_TRUE(kernel->isEntry);
}

TEST(FatbinTest, CompressedIsUnpacked) {
  auto plain = extractFatbin(readInput("fatbin_plain.elf"), "lib.so");
  ASSERT_TRUE(bool(plain)) << llvm::toString(plain.takeError());
  for (const char *file : {"fatbin_compressed.elf", "fatbin_lz4.elf"}) {
    auto entries = extractFatbin(readInput(file), "lib.so");
    ASSERT_TRUE(bool(entries)) << llvm::toString(entries.takeError());
    ASSERT_EQ(entries->size(), plain->size()) << file;
    EXPECT_EQ((*entries)[1].kind, FatbinKind::PTX) << file;
    EXPECT_EQ((*entries)[1].bytes, (*plain)[1].bytes) << file;
  }
}

TEST(FatbinTest, DamagedCompressionIsAnError) {
  for (auto [file, rule] :
       {std::pair("fatbin_compressed.elf",
                  "expected Zstandard compressed device code but it is "
                  "damaged (nvcc --no-compress leaves device code as it is)"),
        std::pair("fatbin_lz4.elf",
                  "expected LZ4 compressed device code but it is damaged (nvcc "
                  "--no-compress leaves device code as it is)")}) {
    std::vector<uint8_t> bytes = readInput(file);
    // The first fat binary is a plain cubin; the PTX is in the second one.
    size_t second = llvm::toStringRef(llvm::ArrayRef<uint8_t>(bytes))
                        .find("\x50\xed\x55\xba", findSectionStart(bytes) + 4);
    ASSERT_NE(second, llvm::StringRef::npos);
    size_t entry = second + 16;
    size_t payload = entry + bytes[entry + 4];
    std::vector<uint8_t> wrong = bytes;
    // A size before the compression that is off by one.
    wrong[entry + 56] ^= 1;
    EXPECT_NE(errorOf(wrong).find(rule), std::string::npos) << errorOf(wrong);
    // Bytes from the middle on.
    wrong = bytes;
    for (size_t i = 100; i < 140; ++i)
      wrong[payload + i] = 0xff;
    EXPECT_NE(errorOf(wrong).find(rule), std::string::npos) << errorOf(wrong);
    // More compressed bytes than the entry has.
    wrong = bytes;
    wrong[entry + 19] = 0x7f;
    EXPECT_NE(errorOf(wrong).find("expected compressed device code inside its "
                                  "entry"),
              std::string::npos)
        << errorOf(wrong);
  }
}

TEST(FatbinTest, Errors) {
  EXPECT_EQ(errorOf(readInput("wgmma_merged.cubin")),
            "lib.so: expected a section .nv_fatbin but there is none");
  std::vector<uint8_t> bytes = readInput("fatbin_plain.elf");
  size_t start = findSectionStart(bytes);
  ASSERT_NE(start, llvm::StringRef::npos);
  std::vector<uint8_t> damaged = bytes;
  damaged[start] ^= 1;
  EXPECT_EQ(errorOf(damaged), "lib.so: in .nv_fatbin at offset 0: expected the "
                              "mark of a fat binary");
  damaged = bytes;
  damaged[start + 4] = 9;
  EXPECT_EQ(errorOf(damaged),
            "lib.so: in .nv_fatbin at offset 0: expected version 1 but got 9");
  damaged = bytes;
  damaged[start + 15] = 0xff; // the size of the entries
  EXPECT_NE(errorOf(damaged).find("expected a fat binary inside the section"),
            std::string::npos);
  damaged = bytes;
  damaged[start + 16 + 15] = 0xff; // the size of the payload
  EXPECT_NE(errorOf(damaged).find("expected an entry inside its fat binary"),
            std::string::npos);
}

TEST(FatbinTest, TruncationsDoNotCrash) {
  std::vector<uint8_t> bytes = readInput("fatbin_plain.elf");
  for (size_t size = 0; size < bytes.size(); size += 3) {
    std::vector<uint8_t> prefix(bytes.begin(), bytes.begin() + size);
    EXPECT_NE(errorOf(prefix), "");
  }
}
