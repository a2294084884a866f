//===- InstructionTest.cpp - Tests of the instruction table ---------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptxbench/ISA/Instruction.h"

#include "llvm/ADT/SmallVector.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace ptxbench;

namespace {

/// Splits "wgmma.fence.sync" into its opcode and modifiers.
struct Mnemonic {
  std::optional<Opcode> opcode;
  SmallVector<Mod, 16> mods;
  bool known = true;

  explicit Mnemonic(StringRef text) : opcode(lookupOpcode(text)) {
    if (!opcode)
      return;
    StringRef rest = text.drop_front(getOpcodeInfo(*opcode).name.size());
    SmallVector<StringRef> parts;
    if (!rest.empty())
      rest.drop_front().split(parts, '.');
    for (StringRef part : parts) {
      std::optional<Mod> mod = symbolizeMod(part);
      known &= mod.has_value();
      if (mod)
        mods.push_back(*mod);
    }
  }

  /// The first form that takes the modifiers.
  std::optional<ModMatch> match() const {
    ModMatch result;
    if (opcode && known)
      for (const InstForm &form : getOpcodeInfo(*opcode).forms)
        if (matchModifiers(form, mods, result))
          return result;
    return std::nullopt;
  }
};

/// Elements of the operand `index` of the first form of `text`.
unsigned countOf(StringRef text, unsigned index) {
  Mnemonic mnemonic(text);
  std::optional<ModMatch> match = mnemonic.match();
  EXPECT_TRUE(match) << text.str();
  if (!match)
    return ~0u;
  return getOperandCount(match->form->operands[index], *match, mnemonic.mods);
}

TEST(Opcodes, AreSortedAndFindThemselves) {
  ArrayRef<OpcodeInfo> all = getAllOpcodes();
  ASSERT_GT(all.size(), 150u);
  for (size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i].opcode, static_cast<Opcode>(i));
    EXPECT_EQ(lookupOpcode(all[i].name), all[i].opcode);
    EXPECT_FALSE(all[i].forms.empty());
    EXPECT_FALSE(all[i].section.empty());
    if (i) {
      EXPECT_LT(StringRef(all[i - 1].name), StringRef(all[i].name));
    }
  }
}

TEST(Opcodes, LongestPrefixWins) {
  EXPECT_EQ(lookupOpcode("cp.async.bulk.tensor.2d.shared::cluster.global"),
            Opcode::cp_async_bulk_tensor);
  EXPECT_EQ(lookupOpcode("cp.async.bulk.shared::cluster.global"),
            Opcode::cp_async_bulk);
  EXPECT_EQ(lookupOpcode("cp.async.ca.shared.global"), Opcode::cp_async);
  EXPECT_EQ(lookupOpcode("add.cc.u32"), Opcode::add_cc);
  EXPECT_EQ(lookupOpcode("mad.lo.cc.u32"), Opcode::mad_lo_cc);
  EXPECT_EQ(lookupOpcode("mad.lo.u32"), Opcode::mad);
  EXPECT_EQ(lookupOpcode("madc.hi.cc.u32"), Opcode::madc_hi);
  EXPECT_EQ(lookupOpcode("and.b32"), Opcode::and_);
}

TEST(Opcodes, UnknownOnesAreNotFound) {
  EXPECT_FALSE(lookupOpcode("frobnicate.s32"));
  EXPECT_FALSE(lookupOpcode("ad"));
  EXPECT_FALSE(lookupOpcode(""));
  EXPECT_FALSE(lookupOpcode("wgmma"));
}

TEST(Modifiers, AreAMatchedSet) {
  EXPECT_TRUE(Mnemonic("ldmatrix.sync.aligned.m8n8.x4.shared.b16").match());
  std::optional<ModMatch> swapped =
      Mnemonic("ldmatrix.sync.aligned.x1.m8n8.shared.b16").match();
  ASSERT_TRUE(swapped);
  EXPECT_FALSE(swapped->inOrder);
  EXPECT_TRUE(
      Mnemonic("ldmatrix.sync.aligned.m8n8.x1.shared.b16").match()->inOrder);
}

TEST(Modifiers, TypesAndSpacesKeepTheirOrder) {
  Mnemonic convert("cvt.rn.f32.s32");
  std::optional<ModMatch> match = convert.match();
  ASSERT_TRUE(match);
  std::optional<DataType> result =
      getOperandType(match->form->operands[0], *match, convert.mods);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->kind, TypeKind::Float);
  EXPECT_FALSE(Mnemonic("cp.async.bulk.shared::cta.shared::cluster."
                        "mbarrier::complete_tx::bytes")
                   .match());
  EXPECT_TRUE(Mnemonic("cp.async.bulk.shared::cluster.shared::cta."
                       "mbarrier::complete_tx::bytes")
                  .match());
}

TEST(Modifiers, MissingExcessAndRepeatedOnesDoNotMatch) {
  EXPECT_FALSE(Mnemonic("wgmma.fence").match());
  EXPECT_FALSE(Mnemonic("wgmma.fence.sync.aligned.aligned").match());
  EXPECT_FALSE(Mnemonic("add.ftz.s32").match());
  EXPECT_FALSE(Mnemonic("add").match());
  EXPECT_FALSE(Mnemonic("fma.f32").match());
}

TEST(Counts, FollowShapesAndTypes) {
  EXPECT_EQ(countOf("wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16", 0),
            128u);
  EXPECT_EQ(countOf("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16", 0),
            4u);
  EXPECT_EQ(countOf("wgmma.mma_async.sync.aligned.m64n64k32.f16.e4m3.e5m2", 0),
            16u);
  EXPECT_EQ(countOf("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 0),
            4u);
  EXPECT_EQ(countOf("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 1),
            4u);
  EXPECT_EQ(countOf("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 2),
            2u);
  EXPECT_EQ(countOf("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32", 0), 8u);
  EXPECT_EQ(countOf("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", 0), 2u);
  EXPECT_EQ(countOf("wmma.load.a.sync.aligned.row.m16n16k16.f16", 0), 8u);
  EXPECT_EQ(countOf("wmma.load.b.sync.aligned.col.m8n32k16.bf16", 0), 8u);
  EXPECT_EQ(countOf("ldmatrix.sync.aligned.m8n8.x4.shared.b16", 0), 4u);
  EXPECT_EQ(countOf("tcgen05.ld.sync.aligned.16x256b.x32.b32", 0), 128u);
  EXPECT_EQ(countOf("ld.global.v4.f32", 0), 4u);
  EXPECT_EQ(countOf("tex.1d.v4.f32.f32", 1), 1u);
  EXPECT_EQ(countOf("tex.a1d.v4.f32.f32", 1), 2u);
  EXPECT_EQ(countOf("tex.3d.v4.f32.f32", 1), 4u);
  EXPECT_EQ(countOf("tex.grad.a2d.v4.f32.f32", 2), 2u);
  EXPECT_EQ(countOf("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32", 1), 2u);
  EXPECT_EQ(countOf("ld.global.f32", 0), 0u);
}

TEST(Selectors, SpellingAndKinds) {
  for (StringRef text : {"b0", "h10", "b3210", "b7654"}) {
    std::optional<int64_t> selector = parseSelector(text);
    ASSERT_TRUE(selector) << text.str();
    EXPECT_EQ(stringifySelector(*selector), text);
  }
  for (StringRef bad : {"", "b", "x", "b8", "c0", "b01234", "hx", "0b"})
    EXPECT_FALSE(parseSelector(bad)) << bad.str();
  auto is = [](SelectorKind kind, StringRef text) {
    return isSelectorOf(kind, *parseSelector(text));
  };
  EXPECT_TRUE(is(SelectorKind::Part, "b3"));
  EXPECT_TRUE(is(SelectorKind::Part, "h1"));
  EXPECT_FALSE(is(SelectorKind::Part, "b4"));
  EXPECT_FALSE(is(SelectorKind::Part, "h2"));
  EXPECT_FALSE(is(SelectorKind::Part, "b10"));
  EXPECT_TRUE(is(SelectorKind::HalfMask, "h10"));
  EXPECT_FALSE(is(SelectorKind::HalfMask, "h01"));
  EXPECT_FALSE(is(SelectorKind::HalfMask, "h2"));
  EXPECT_TRUE(is(SelectorKind::Halves, "h33"));
  EXPECT_FALSE(is(SelectorKind::Halves, "h3"));
  EXPECT_FALSE(is(SelectorKind::Halves, "h40"));
  EXPECT_TRUE(is(SelectorKind::ByteMask, "b20"));
  EXPECT_FALSE(is(SelectorKind::ByteMask, "b02"));
  EXPECT_FALSE(is(SelectorKind::ByteMask, "b4"));
  EXPECT_TRUE(is(SelectorKind::Bytes, "b7000"));
  EXPECT_FALSE(is(SelectorKind::Bytes, "b700"));
  EXPECT_FALSE(is(SelectorKind::None, "b0"));
}

TEST(Rules, NameTheModifierThatBreaksThem) {
  auto breach = [](StringRef text) -> StringRef {
    Mnemonic mnemonic(text);
    std::optional<ModMatch> match = mnemonic.match();
    EXPECT_TRUE(match) << text.str();
    if (match)
      for (const ModRule &rule : match->form->rules)
        if (std::optional<Mod> mod = rule.findBreach(mnemonic.mods))
          return stringifyMod(*mod);
    return "";
  };
  EXPECT_EQ(breach("ld.shared.L1::no_allocate.b32"), "L1::no_allocate");
  EXPECT_EQ(breach("ld.global.L1::no_allocate.b32"), "");
  EXPECT_EQ(breach("mbarrier.try_wait.relaxed.b64"), "relaxed");
  EXPECT_EQ(breach("mbarrier.try_wait.cta.b64"), "cta");
  EXPECT_EQ(breach("mbarrier.try_wait.relaxed.cta.b64"), "");
}

TEST(Integers, WgmmaShapesAreThoseOfTheToolchain) {
  EXPECT_TRUE(
      Mnemonic("wgmma.mma_async.sync.aligned.m64n24k32.s32.s8.s8").match());
  EXPECT_FALSE(
      Mnemonic("wgmma.mma_async.sync.aligned.m64n40k32.s32.s8.s8").match());
  EXPECT_TRUE(
      Mnemonic("wgmma.mma_async.sync.aligned.m64n40k32.f32.e4m3.e4m3").match());
}

TEST(Families, ComeFromOpcodeOrModifier) {
  EXPECT_EQ(stringifyFamily(getFamily(Opcode::wgmma_mma_async, {})), "wgmma");
  EXPECT_EQ(stringifyFamily(getFamily(Opcode::add, {})), "");
  EXPECT_EQ(stringifyFamily(getFamily(Opcode::red, {})), "");
  EXPECT_EQ(stringifyFamily(getFamily(Opcode::red, {Mod::add, Mod::v4})),
            "red.v4");
}

TEST(Targets, PlainExactAndFamily) {
  TargetArch sm90a{90, 'a'}, sm90{90, 0}, sm103a{103, 'a'}, sm120{120, 0};
  EXPECT_TRUE(supportsTarget(sm90a, {{90, 0}}));
  EXPECT_TRUE(supportsTarget(sm120, {{90, 0}}));
  EXPECT_FALSE(supportsTarget(sm90, {{90, 'a'}}));
  EXPECT_FALSE(supportsTarget(sm120, {{90, 'a'}}));
  EXPECT_TRUE(supportsTarget(sm103a, {{100, 'f'}}));
  EXPECT_FALSE(supportsTarget({103, 0}, {{100, 'f'}}));
  EXPECT_FALSE(supportsTarget({110, 'a'}, {{100, 'f'}}));
}

TEST(Targets, Spelling) {
  std::optional<TargetArch> arch = parseTargetArch("sm_90a");
  ASSERT_TRUE(arch);
  EXPECT_EQ(arch->sm, 90);
  EXPECT_EQ(arch->suffix, 'a');
  EXPECT_EQ(stringifyTargetArch(*arch), "sm_90a");
  EXPECT_EQ(stringifyTargetArch({100, 0}), "sm_100");
  for (StringRef bad : {"sm_", "sm_a", "90a", "sm_90x", "sm_-90", "sm_90aa"})
    EXPECT_FALSE(parseTargetArch(bad)) << bad.str();
}

TEST(Nearest, SuggestsWhatWasMeant) {
  EXPECT_EQ(nearestOpcode("wgmma.mma_asink.sync.aligned"), "wgmma.mma_async");
  EXPECT_EQ(nearestOpcode("qqqqqqqqqq"), "");
  // Letters in the wrong order, and not the short opcode that is near as well.
  EXPECT_EQ(nearestOpcode("mbarrier.try_wiat.shared.b64"), "mbarrier.try_wait");
  EXPECT_EQ(nearestOpcode("mbarrier.tset_wiat.shared.b64"),
            "mbarrier.test_wait");
  EXPECT_EQ(nearestOpcode("barrrier.sync"), "barrier");
  EXPECT_EQ(nearestOpcode("cp.async.bluk", "cp.async"), "cp.async.bulk");
  EXPECT_EQ(nearestModifier("s23", Opcode::add), "s32");
  EXPECT_EQ(nearestModifier("b23", Opcode::ld), "b32");
  EXPECT_EQ(nearestModifier("f23", Opcode::fma), "f32");
  EXPECT_EQ(nearestModifier("aligend", Opcode::wgmma_fence), "aligned");
  EXPECT_EQ(nearestModifier("zzzzzz", Opcode::wgmma_fence), "");
}

TEST(Types, OfModifiers) {
  EXPECT_EQ(getModType(Mod::f16x2)->width, 32);
  EXPECT_TRUE(getModType(Mod::f16x2)->packed);
  EXPECT_TRUE(getModType(Mod::bf16)->alternate);
  EXPECT_EQ(getModType(Mod::u64)->kind, TypeKind::Unsigned);
  EXPECT_FALSE(getModType(Mod::sync));
}

} // namespace
