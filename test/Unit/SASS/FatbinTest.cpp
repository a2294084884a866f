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

TEST(FatbinTest, CompressedIsAnError) {
  EXPECT_NE(errorOf(readInput("fatbin_compressed.elf"))
                .find("expected plain device code but it is compressed (build "
                      "with nvcc --no-compress)"),
            std::string::npos);
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
