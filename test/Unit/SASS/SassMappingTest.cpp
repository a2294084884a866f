//===- SassMappingTest.cpp - Tests of the PTX to SASS mapping -------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On recorded cubins the pcs are those that a disassembly shows. On cubins that
// ptxas makes now only what must hold for any ptxas is checked.
//
//===----------------------------------------------------------------------===//

#include "SassTestUtils.h"

#include <map>

using namespace ptxbench;
using namespace ptxbench::test;
using Pcs = std::vector<uint64_t>;

namespace {
/// One mapped input, by line.
struct Mapped {
  SassModule module;
  std::vector<PtxTarget> targets;
  std::vector<TargetCount> counts;

  const TargetCount &at(unsigned line, unsigned number = 0) const {
    for (const TargetCount &count : counts)
      if (count.line == line && number-- == 0)
        return count;
    ADD_FAILURE() << "no target on line " << line;
    static const TargetCount none;
    return none;
  }
};
} // namespace

static Mapped map(const std::vector<uint8_t> &cubin, const std::string &ptx) {
  Mapped mapped;
  mapped.module = readModule(cubin);
  mapped.targets = listTargets(ptx);
  EXPECT_EQ(mapped.module.kernels().size(), 1u);
  if (!mapped.module.kernels().empty())
    mapped.counts = mapTargets(mapped.module.kernels()[0], mapped.targets);
  EXPECT_EQ(mapped.counts.size(), mapped.targets.size());
  return mapped;
}

static Mapped mapInput(const std::string &name) {
  return map(readInput(name + ".cubin"), name + ".ptx");
}

#define ASSEMBLE_OR_SKIP(mapped, name, arch)                                   \
  std::vector<uint8_t> cubin = assemble(name ".ptx", arch);                    \
  if (cubin.empty())                                                           \
    GTEST_SKIP() << "no ptxas on PATH or in CUDA_HOME";                        \
  Mapped mapped = map(cubin, name ".ptx")

TEST(SassMappingTest, PipelinedLoop) {
  Mapped mapped = mapInput("wgmma_pipeline");
  // Two groups in one loop, each of two wgmma.
  EXPECT_EQ(mapped.at(54).pcs, Pcs({0x220}));
  EXPECT_EQ(mapped.at(55).pcs, Pcs({0x230}));
  EXPECT_EQ(mapped.at(58).pcs, Pcs({0x260}));
  EXPECT_EQ(mapped.at(59).pcs, Pcs({0x2b0}));
  for (unsigned line : {54u, 55u, 58u, 59u}) {
    EXPECT_EQ(mapped.at(line).sass, SassState::Present);
    EXPECT_TRUE(mapped.at(line).warpsExact);
    EXPECT_TRUE(mapped.at(line).threadsExact);
    EXPECT_TRUE(mapped.at(line).complete);
    EXPECT_TRUE(mapped.at(line).exclusive);
    EXPECT_FALSE(mapped.at(line).executed);
  }
  EXPECT_EQ(mapped.at(53).pcs, Pcs({0x1c0}));
  EXPECT_EQ(mapped.at(61).pcs, Pcs({0x2c0}));
  EXPECT_EQ(mapped.at(66).pcs, Pcs({0x300}));
  // The first poll lost its row when the loop was rotated.
  EXPECT_EQ(mapped.at(51).pcs, Pcs({0x1a0, 0x420}));
  EXPECT_TRUE(mapped.at(51).complete);
  // commit_group has no instruction.
  EXPECT_EQ(mapped.at(56).sass, SassState::Unobservable);
  EXPECT_NE(mapped.at(56).reason.find("folded into"), std::string::npos);
}

TEST(SassMappingTest, RelocatableFormMapsAlike) {
  Mapped whole = mapInput("wgmma_pipeline");
  Mapped part =
      map(readInput("wgmma_pipeline_rdc.cubin"), "wgmma_pipeline.ptx");
  ASSERT_EQ(whole.counts.size(), part.counts.size());
  for (size_t i = 0; i < whole.counts.size(); ++i) {
    EXPECT_EQ(whole.counts[i].sass, part.counts[i].sass);
    EXPECT_EQ(whole.counts[i].pcs.size(), part.counts[i].pcs.size());
  }
}

TEST(SassMappingTest, OrderOfTheListDoesNotMatter) {
  Mapped mapped = mapInput("wgmma_pipeline");
  std::vector<PtxTarget> reversed(mapped.targets.rbegin(),
                                  mapped.targets.rend());
  std::vector<TargetCount> counts =
      mapTargets(mapped.module.kernels()[0], reversed);
  ASSERT_EQ(counts.size(), mapped.counts.size());
  for (size_t i = 0; i < counts.size(); ++i)
    EXPECT_EQ(counts[i].pcs, mapped.counts[counts.size() - 1 - i].pcs);
}

TEST(SassMappingTest, EachInstructionOfHopper) {
  Mapped mapped = mapInput("instructions_sm90a");
  std::map<unsigned, Pcs> expected = {
      {18, {0x100}},  {21, {0x1a0}}, {28, {0x520}}, {37, {0x620}},
      {38, {0x630}},  {41, {0x660}}, {42, {0x670}}, {43, {0x690}},
      {46, {0x7a0}},  {47, {0x800}}, {48, {0x880}}, {50, {0x9e0}},
      {51, {0xa80}},  {52, {0xb10}}, {53, {0xba0}}, {55, {0xbd0}},
      {58, {0xbe0}},  {61, {0xc70}}, {63, {0xcf0}}, {64, {0xcc0}},
      {65, {0xd30}},  {66, {0xd00}}, {67, {0xdf0}}, {70, {0xde0, 0xe30}},
      {72, {0xce0}},  {73, {0xd50}}, {74, {0xf00}}, {85, {0x10d0}},
      {86, {0x10e0}}, {90, {0x1180}}};
  for (const auto &[line, pcs] : expected) {
    EXPECT_EQ(mapped.at(line).pcs, pcs) << "line " << line;
    EXPECT_EQ(mapped.at(line).sass, SassState::Present) << "line " << line;
  }
  // Plain arithmetic.
  EXPECT_EQ(mapped.at(27).sass, SassState::Unobservable);
  // ptxas ignored setmaxnreg.
  EXPECT_EQ(mapped.at(87).sass, SassState::Absent);
  // A loop issues it once per thread, on the uniform datapath.
  EXPECT_FALSE(mapped.at(48).warpsExact);
  EXPECT_FALSE(mapped.at(48).threadsExact);
  // No loop around this one, whose operands are uniform.
  EXPECT_TRUE(mapped.at(45).warpsExact);
  EXPECT_FALSE(mapped.at(45).threadsExact);
  // Two machine instructions for one.
  EXPECT_FALSE(mapped.at(70).warpsExact);
}

TEST(SassMappingTest, EachInstructionOfBlackwell) {
  Mapped mapped = mapInput("instructions_sm100a");
  std::map<unsigned, Pcs> expected = {
      {22, {0x190, 0x1f0}}, {23, {0x350}}, {25, {0x3d0}}, {27, {0x410}},
      {30, {0x530}},        {32, {0x5c0}}, {35, {0x6e0}}, {36, {0x750}},
      {37, {0x7b0}},        {39, {0x8b0}}, {40, {0x930}}, {41, {0x970}},
      {43, {0x990}},        {44, {0x9e0}}, {45, {0x9f0}}, {47, {0xb50}}};
  for (const auto &[line, pcs] : expected)
    EXPECT_EQ(mapped.at(line).pcs, pcs) << "line " << line;
}

TEST(SassMappingTest, MergedIsUnobservable) {
  Mapped mapped = mapInput("wgmma_merged");
  for (unsigned line : {49u, 50u}) {
    EXPECT_EQ(mapped.at(line).sass, SassState::Unobservable);
    EXPECT_TRUE(mapped.at(line).pcs.empty());
    EXPECT_NE(mapped.at(line).reason.find("ptxas merged, deleted or copied"),
              std::string::npos);
  }
}

TEST(SassMappingTest, OtherTextIsUnobservable) {
  // Targets of another file than the one that was assembled.
  Mapped mapped = map(readInput("wgmma_merged.cubin"), "wgmma_pipeline.ptx");
  EXPECT_EQ(mapped.at(54).sass, SassState::Unobservable);
  EXPECT_NE(mapped.at(54).reason.find("has no wgmma"), std::string::npos);
}

TEST(SassMappingTest, UnknownInstruction) {
  SassModule module = readModule(readInput("wgmma_merged.cubin"));
  PtxTarget target;
  target.line = 49;
  target.opcode = "wgmma";
  target.mnemonic = "wgmma.invented";
  TargetCount count = mapTargets(module.kernels()[0], target)[0];
  EXPECT_EQ(count.sass, SassState::Unobservable);
  EXPECT_EQ(count.reason, "it is not known which machine instruction "
                          "wgmma.invented becomes");
}

TEST(SassMappingTest, WithoutLineTable) {
  SassModule module = readModule(readInput("wgmma_merged.cubin"));
  SassKernel kernel = module.kernels()[0];
  kernel.rows.clear();
  kernel.ptxText.reset();
  std::vector<TargetCount> counts =
      mapTargets(kernel, listTargets("wgmma_merged.ptx"));
  EXPECT_EQ(counts[1].sass, SassState::Unobservable);
  EXPECT_NE(counts[1].reason.find("no line table"), std::string::npos);
}

TEST(SassMappingTest, AssembledDeadCodeIsAbsent) {
  ASSEMBLE_OR_SKIP(mapped, "wgmma_dead", "sm_90a");
  EXPECT_EQ(mapped.at(53).sass, SassState::Absent);
}

TEST(SassMappingTest, AssembledBranchesKeepTheirOwn) {
  ASSEMBLE_OR_SKIP(mapped, "wgmma_branches", "sm_90a");
  const TargetCount &taken = mapped.at(51), &other = mapped.at(57);
  ASSERT_EQ(taken.pcs.size(), 1u);
  ASSERT_EQ(other.pcs.size(), 1u);
  EXPECT_NE(taken.pcs, other.pcs);
  // Each stands behind its own fence.
  EXPECT_LT(mapped.at(50).pcs.front(), taken.pcs.front());
  EXPECT_LT(taken.pcs.front(), mapped.at(53).pcs.front());
  EXPECT_LT(mapped.at(56).pcs.front(), other.pcs.front());
}

TEST(SassMappingTest, AssembledCopiesOfGroupsAddUp) {
  ASSEMBLE_OR_SKIP(mapped, "wgmma_unrolled_groups", "sm_90a");
  EXPECT_EQ(mapped.at(50).sass, SassState::Present);
  EXPECT_EQ(mapped.at(50).pcs.size(), mapped.at(51).pcs.size());
  EXPECT_TRUE(mapped.at(50).warpsExact);
  for (size_t i = 0; i < mapped.at(50).pcs.size(); ++i)
    EXPECT_LT(mapped.at(50).pcs[i], mapped.at(51).pcs[i]);
}

TEST(SassMappingTest, AssembledLoopInAGroupIsNotCounted) {
  // ptxas merges the identical wgmma of the unrolled loop.
  ASSEMBLE_OR_SKIP(mapped, "wgmma_unrolled_single", "sm_90a");
  EXPECT_EQ(mapped.at(50).sass, SassState::Present);
  EXPECT_FALSE(mapped.at(50).warpsExact);
  EXPECT_FALSE(mapped.at(50).threadsExact);
}

TEST(SassMappingTest, AssembledWaitAtTheTopOfTheLoop) {
  ASSEMBLE_OR_SKIP(mapped, "wgmma_wait_first", "sm_90a");
  // The first group stands before the loop, the second, with copies, in it.
  EXPECT_EQ(mapped.at(49).pcs.size(), 1u);
  EXPECT_EQ(mapped.at(50).pcs.size(), 1u);
  EXPECT_GE(mapped.at(56).pcs.size(), 1u);
  EXPECT_EQ(mapped.at(56).pcs.size(), mapped.at(57).pcs.size());
  for (unsigned line : {49u, 50u, 56u, 57u})
    EXPECT_TRUE(mapped.at(line).warpsExact) << "line " << line;
  EXPECT_LT(mapped.at(49).pcs, mapped.at(50).pcs);
  EXPECT_LT(mapped.at(50).pcs, mapped.at(56).pcs);
}

TEST(SassMappingTest, AssembledWithoutFence) {
  ASSEMBLE_OR_SKIP(mapped, "wgmma_no_fence", "sm_90a");
  for (unsigned line : {48u, 49u, 53u})
    EXPECT_EQ(mapped.at(line).pcs.size(), 1u) << "line " << line;
  EXPECT_LT(mapped.at(48).pcs, mapped.at(49).pcs);
  EXPECT_LT(mapped.at(49).pcs, mapped.at(53).pcs);
}

TEST(SassMappingTest, AssembledSeveralOnOneLine) {
  ASSEMBLE_OR_SKIP(mapped, "one_line", "sm_90a");
  // Classes differ: fence, wgmma, commit and wait can be told apart.
  EXPECT_EQ(mapped.at(48, 0).sass, SassState::Present);
  EXPECT_EQ(mapped.at(48, 1).sass, SassState::Present);
  EXPECT_EQ(mapped.at(48, 3).sass, SassState::Present);
  // Two of one class cannot.
  EXPECT_EQ(mapped.at(49, 0).sass, SassState::Unobservable);
  EXPECT_EQ(mapped.at(49, 1).sass, SassState::Unobservable);
  EXPECT_NE(mapped.at(49, 1).reason.find("another instruction of line 49"),
            std::string::npos);
}

//===----------------------------------------------------------------------===//
// Counts
//===----------------------------------------------------------------------===//

TEST(SassMappingTest, CountsAreSums) {
  Mapped mapped = mapInput("wgmma_pipeline");
  std::vector<SassCount> counts;
  for (const SassInstruction &instruction :
       mapped.module.kernels()[0].instructions) {
    SassCount count = describeInstruction(instruction);
    count.warps = instruction.pc;
    count.threads = instruction.pc * 32;
    counts.push_back(count);
  }
  applyCounts(counts, mapped.counts);
  ASSERT_TRUE(mapped.at(51).executed);
  EXPECT_EQ(mapped.at(51).executed->warps, 0x1a0u + 0x420u);
  EXPECT_EQ(mapped.at(51).executed->threads, (0x1a0u + 0x420u) * 32u);
  // Nothing is known of what has no machine code.
  EXPECT_FALSE(mapped.at(56).executed);
  EXPECT_EQ(counts[0x220 / 16].name, "HGMMA");
  EXPECT_EQ(counts[0x220 / 16].opcode, 0x9f0u);
}

TEST(SassMappingTest, MissingCountIsNotZero) {
  Mapped mapped = mapInput("wgmma_pipeline");
  SassCount one;
  one.pc = 0x1a0;
  one.warps = 4;
  applyCounts(one, mapped.counts);
  EXPECT_FALSE(mapped.at(51).executed);
  EXPECT_NE(mapped.at(51).reason.find("0x420 was not counted"),
            std::string::npos);
}
