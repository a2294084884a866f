//===- SassModuleTest.cpp - Tests of the cubin reader ---------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads recorded cubins, and damaged ones: every truncation and many flipped
// bytes must end in a result or in an error, never in a crash (the sanitizers
// see the difference).
//
//===----------------------------------------------------------------------===//

#include "SassTestUtils.h"

#include <random>

using namespace ptxbench;
using namespace ptxbench::test;

TEST(SassModuleTest, WholeProgram) {
  SassModule module = readModule(readInput("wgmma_pipeline.cubin"));
  EXPECT_EQ(module.arch(), 90u);
  ASSERT_EQ(module.kernels().size(), 1u);
  const SassKernel &kernel = module.kernels()[0];
  EXPECT_EQ(kernel.name, "pipeline");
  EXPECT_TRUE(kernel.isEntry);
  EXPECT_EQ(module.findKernel("pipeline"), &kernel);
  EXPECT_EQ(module.findKernel("other"), nullptr);
  ASSERT_EQ(kernel.instructions.size(), 80u);
  ASSERT_TRUE(kernel.hasLines());
  const SassInstruction *init = kernel.instructionAt(0x140);
  ASSERT_TRUE(init);
  EXPECT_EQ(init->opcodeClass, SassClass::SyncsExch);
  EXPECT_EQ(init->line, 48u);
  EXPECT_EQ(kernel.lookUpLine(0x140), 48u);
  // Warpgroup matrix instructions inherit the row of something else.
  const SassInstruction *gmma = kernel.instructionAt(0x220);
  ASSERT_TRUE(gmma);
  EXPECT_EQ(gmma->opcodeClass, SassClass::HGMMA);
  EXPECT_TRUE(!gmma->line || gmma->rowPC != gmma->pc);
  EXPECT_EQ(kernel.instructionAt(0x141), nullptr);
  EXPECT_EQ(kernel.instructionAt(80 * 16), nullptr);
}

TEST(SassModuleTest, EveryInstructionAgreesWithTheRows) {
  for (const char *name : {"wgmma_pipeline.cubin", "instructions_sm90a.cubin",
                           "instructions_sm100a.cubin"}) {
    SassModule module = readModule(readInput(name));
    for (const SassKernel &kernel : module.kernels())
      for (const SassInstruction &instruction : kernel.instructions)
        EXPECT_EQ(instruction.line, kernel.lookUpLine(instruction.pc));
  }
}

TEST(SassModuleTest, PtxTextHasTheLinesOfTheInput) {
  SassModule module = readModule(readInput("wgmma_pipeline.cubin"));
  ASSERT_EQ(module.ptxTexts().size(), 1u);
  const SassPtxText &text = *module.ptxTexts()[0];
  ASSERT_GE(text.lines.size(), 54u);
  EXPECT_EQ(text.lines[0], ".version 8.7");
  EXPECT_EQ(text.lines[47], "mbarrier.init.shared::cta.b64 [%r2], 1;");
  EXPECT_EQ(module.kernels()[0].ptxText, module.ptxTexts()[0]);
}

TEST(SassModuleTest, RelocatableForm) {
  SassModule module = readModule(readInput("wgmma_pipeline_rdc.cubin"));
  EXPECT_EQ(module.arch(), 90u);
  const SassKernel *kernel = module.findKernel("pipeline");
  ASSERT_TRUE(kernel);
  EXPECT_TRUE(kernel->isEntry);
  ASSERT_TRUE(kernel->ptxText);
  EXPECT_TRUE(llvm::StringRef(kernel->ptxText->section)
                  .starts_with(".nv_debug_ptx_txt."));
  unsigned onLine = 0;
  for (const SassInstruction &instruction : kernel->instructions)
    onLine += instruction.opcodeClass == SassClass::SyncsExch &&
              instruction.line == 48u;
  EXPECT_EQ(onLine, 1u);
}

TEST(SassModuleTest, BlackwellArchitecture) {
  EXPECT_EQ(readModule(readInput("instructions_sm100a.cubin")).arch(), 100u);
}

// ptxas writes relocations without an addend up to sm_89.
TEST(SassModuleTest, RelocationsWithoutAddend) {
  SassModule module = readModule(readInput("two_kernels_sm80.cubin"));
  EXPECT_EQ(module.arch(), 80u);
  for (auto [name, line] :
       {std::pair("first", 10u), std::pair("second", 14u)}) {
    const SassKernel *kernel = module.findKernel(name);
    ASSERT_TRUE(kernel);
    unsigned onLine = 0;
    for (const SassInstruction &instruction : kernel->instructions)
      onLine += instruction.opcodeClass == SassClass::LDGDEPBAR &&
                instruction.line == line;
    EXPECT_EQ(onLine, 1u);
  }
}

static std::string errorOf(llvm::ArrayRef<uint8_t> bytes) {
  llvm::Expected<SassModule> module = SassModule::create(bytes, "k.cubin");
  return module ? "" : llvm::toString(module.takeError());
}

TEST(SassModuleTest, Errors) {
  EXPECT_EQ(errorOf({}), "k.cubin: expected an ELF64 header of 64 bytes but "
                         "the file has 0");
  std::vector<uint8_t> text(100, 'x');
  EXPECT_EQ(errorOf(text), "k.cubin: expected an ELF file but the first bytes "
                           "are not its mark");
  std::vector<uint8_t> cubin = readInput("wgmma_merged.cubin");
  ASSERT_GT(cubin.size(), 64u);
  std::vector<uint8_t> host = cubin;
  host[18] = 62;
  EXPECT_EQ(errorOf(host), "k.cubin: expected machine code for CUDA (machine "
                           "190) but got machine 62");
  std::vector<uint8_t> small = cubin;
  small[4] = 1;
  EXPECT_NE(errorOf(small).find("expected a little-endian ELF64 file"),
            std::string::npos);
}

TEST(SassModuleTest, LineTableErrors) {
  std::vector<uint8_t> cubin = readInput("wgmma_merged.cubin");
  // The line program starts with its length, version 2 and header length; that
  // of .debug_line, which is alike, stands before it.
  llvm::StringRef bytes(reinterpret_cast<const char *>(cubin.data()),
                        cubin.size());
  const char version[] = {2, 0, 0x10, 0, 0, 0, 1, 1};
  size_t at = bytes.rfind(llvm::StringRef(version, sizeof(version)));
  ASSERT_NE(at, llvm::StringRef::npos);
  cubin[at] = 5;
  EXPECT_NE(errorOf(cubin).find("expected DWARF line version 2 but got 5"),
            std::string::npos);
}

TEST(SassModuleTest, EveryTruncationIsAnError) {
  std::vector<uint8_t> cubin = readInput("wgmma_merged.cubin");
  ASSERT_FALSE(cubin.empty());
  unsigned accepted = 0;
  for (size_t size = 0; size < cubin.size(); ++size) {
    // A buffer of its own, so that a sanitizer sees any byte too many.
    std::vector<uint8_t> prefix(cubin.begin(), cubin.begin() + size);
    prefix.shrink_to_fit();
    accepted += errorOf(prefix).empty();
  }
  // Program headers stand last and are not needed.
  EXPECT_LT(accepted, 400u);
}

TEST(SassModuleTest, FlippedBytesDoNotCrash) {
  std::vector<PtxTarget> targets = listTargets("wgmma_merged.ptx");
  std::mt19937 random(20240607);
  for (const char *name : {"wgmma_merged.cubin", "wgmma_pipeline_rdc.cubin"}) {
    const std::vector<uint8_t> cubin = readInput(name);
    ASSERT_FALSE(cubin.empty());
    unsigned refused = 0;
    for (unsigned round = 0; round < 2000; ++round) {
      std::vector<uint8_t> damaged = cubin;
      for (unsigned flips = 1 + random() % 8; flips > 0; --flips)
        damaged[random() % damaged.size()] = static_cast<uint8_t>(random());
      // The tables at the end are where damage hurts.
      damaged[damaged.size() - 1 - random() % 2048] ^= 1u << (random() % 8);
      llvm::Expected<SassModule> module =
          SassModule::create(damaged, "damaged");
      if (!module) {
        EXPECT_NE(llvm::toString(module.takeError()), "");
        ++refused;
        continue;
      }
      for (const SassKernel &kernel : module->kernels())
        EXPECT_EQ(mapTargets(kernel, targets).size(), targets.size());
    }
    EXPECT_GT(refused, 0u);
  }
}
