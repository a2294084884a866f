//===- MappingRules.cpp - What a PTX instruction becomes ------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table. Every row was seen in the output of ptxas 13.0.88 (sm_90a or
// sm_100a). More special rows stand before more general ones.
//
//===----------------------------------------------------------------------===//

#include "MappingRules.h"

#include "llvm/ADT/STLExtras.h"

using namespace ptxbench;
using llvm::StringRef;
using C = SassClass;

bool MappingRule::accepts(SassClass opcodeClass) const {
  return llvm::is_contained(classes, opcodeClass);
}

bool MappingRule::helps(SassClass opcodeClass) const {
  return llvm::is_contained(helpers, opcodeClass);
}

namespace {
/// Builds the rows of the table.
struct Row : MappingRule {
  Row(StringRef start, std::initializer_list<SassClass> becomes) {
    prefix = start;
    classes = becomes;
  }
  Row(StringRef start, StringRef why) {
    prefix = start;
    reason = why;
  }
  Row &with(StringRef components) {
    contains = components;
    return *this;
  }
  Row &beside(std::initializer_list<SassClass> others) {
    helpers = others;
    return *this;
  }
  Row &split() {
    oneToOne = false;
    return *this;
  }
  Row &freely() {
    movable = true;
    return *this;
  }
  Row &incomplete() {
    common = true;
    return *this;
  }
};
} // namespace

static std::vector<MappingRule> makeRules() {
  std::vector<MappingRule> rules;
  auto add = [&](const Row &row) { rules.push_back(row); };

  // Warpgroup matrix instructions.
  add(Row("wgmma.mma_async", {C::HGMMA, C::IGMMA, C::BGMMA, C::QGMMA}));
  add(Row("wgmma.fence", {C::WarpgroupArrive}).freely());
  add(Row("wgmma.wait_group", {C::WarpgroupDepbar}).freely());
  add(Row("wgmma.commit_group",
          "folded into the last warpgroup matrix instruction of the group"));

  // mbarrier.
  add(Row("mbarrier.init", {C::SyncsExch}).beside({C::FenceView, C::MEMBAR}));
  add(Row("mbarrier.inval", {C::SyncsCctl}));
  add(Row("mbarrier.test_wait", {C::SyncsPhasechk}));
  add(Row("mbarrier.try_wait", {C::SyncsPhasechk}));
  add(Row("mbarrier.pending_count", "becomes plain integer instructions"));
  for (StringRef name : {"mbarrier.arrive", "mbarrier.arrive_drop",
                         "mbarrier.expect_tx", "mbarrier.complete_tx"})
    add(Row(name, {C::SyncsArrive}).beside({C::MEMBAR, C::ELECT}));

  // Tensor memory accelerator and bulk copies. Non-uniform operands make a
  // loop with ELECT around them.
  auto addBulk = [&](StringRef name, StringRef components, C opcodeClass) {
    add(Row(name, {opcodeClass}).with(components).beside({C::ELECT, C::NOP}));
  };
  addBulk("cp.async.bulk.prefetch.tensor", "", C::UTMAPF);
  addBulk("cp.async.bulk.prefetch", "", C::UBLKPF);
  addBulk("cp.async.bulk.tensor", "global.shared::cta", C::UTMASTG);
  addBulk("cp.async.bulk.tensor", "shared::cluster.global", C::UTMALDG);
  addBulk("cp.async.bulk.tensor", "shared::cta.global", C::UTMALDG);
  add(Row("cp.async.bulk.tensor", {C::UTMALDG, C::UTMASTG}).beside({C::ELECT}));
  addBulk("cp.reduce.async.bulk.tensor", "", C::UTMAREDG);
  addBulk("cp.reduce.async.bulk", "", C::UBLKRED);
  add(Row("cp.async.bulk.commit_group", {C::UTMACMDFLUSH}));
  add(Row("cp.async.bulk.wait_group", {C::DEPBAR}).incomplete());
  addBulk("cp.async.bulk", "", C::UBLKCP);
  add(Row("prefetch", {C::UTMACCTL}).with("tensormap").beside({C::ELECT}));
  add(Row("tensormap.replace", "becomes plain stores"));
  add(Row("tensormap.cp_fenceproxy",
          "becomes a sequence of plain loads, stores and fences"));
  add(Row("fence.proxy.tensormap::generic", {C::UTMACCTL})
          .with("acquire")
          .beside({C::DEPBAR, C::MEMBAR, C::ELECT})
          .split());
  add(Row("fence.proxy.tensormap::generic", {C::MEMBAR})
          .with("release")
          .split()
          .incomplete());

  // Asynchronous copies of sm_80.
  add(Row("cp.async.mbarrier.arrive", {C::ArrivesLdgsts})
          .beside({C::NOP, C::SyncsArrive}));
  add(Row("cp.async.commit_group", {C::LDGDEPBAR}));
  add(Row("cp.async.wait_group", {C::DEPBAR}).incomplete());
  add(Row("cp.async.wait_all", {C::DEPBAR})
          .beside({C::LDGDEPBAR})
          .incomplete());
  add(Row("cp.async", {C::LDGSTS}).split());

  // Matrix loads, stores and multiplications of a warp.
  add(Row("ldmatrix", {C::LDSM}).freely());
  add(Row("stmatrix", {C::STSM}));
  add(Row("movmatrix", {C::MOVM}).freely());
  add(Row("mma.sync.aligned.m16n8k16", {C::HMMA}).with("f16.f16").freely());
  add(Row("mma.sync.aligned.m16n8k16", {C::HMMA}).with("bf16.bf16").freely());
  add(Row("mma", {C::HMMA, C::IMMA, C::BMMA, C::DMMA}).split());

  // Warps, registers, dependent grids.
  add(Row("setmaxnreg", {C::USETMAXREG}).with("dec"));
  add(Row("setmaxnreg", {C::USETMAXREG}).split()); // inc: a spin loop
  add(Row("elect.sync", {C::ELECT}).freely());
  add(Row("redux.sync", {C::REDUX}).split());
  add(Row("griddepcontrol.wait", {C::ACQBULK}));
  add(Row("griddepcontrol.launch_dependents", {C::PREEXIT}));

  // Clusters. Without a cluster of known size a branch leads around the
  // cluster barrier to a barrier of the CTA, so both count.
  add(Row("barrier.cluster.arrive", {C::UcgabarArrive, C::NOP})
          .beside({C::MEMBAR})
          .split()
          .incomplete());
  add(Row("barrier.cluster.wait", {C::UcgabarWait, C::BAR})
          .split()
          .incomplete());
  add(Row("mapa", "becomes plain integer instructions"));
  add(Row("getctarank", "becomes plain integer instructions"));
  add(Row("st.async", {C::STAS}));
  add(Row("red.async", {C::REDAS}));

  // Fences.
  add(Row("fence.mbarrier_init", {C::NOP}).incomplete());
  add(Row("fence.proxy.async", {C::FenceView}).beside({C::MEMBAR}).split());
  add(Row("fence.proxy.alias", {C::MEMBAR}).split().incomplete());

  // Multicast memory and vector reductions.
  add(Row("multimem.ld_reduce", {C::LDGMC}).split());
  add(Row("multimem.red", {C::REDG}).split().incomplete());
  add(Row("red", {C::REDG}).split().incomplete());

  // tcgen05.
  add(Row("tcgen05.mma", {C::UtcMma}).beside({C::ELECT}));
  add(Row("tcgen05.commit", {C::UTCBAR}).beside({C::ELECT}));
  add(Row("tcgen05.cp", {C::UTCCP}).beside({C::ELECT}));
  add(Row("tcgen05.shift", {C::UTCSHIFT}).beside({C::ELECT}));
  add(Row("tcgen05.alloc", {C::UTCATOMSWS})
          .beside({C::ELECT, C::NOP, C::DEPBAR})
          .split());
  add(Row("tcgen05.dealloc", {C::UTCATOMSWS})
          .beside({C::ELECT, C::NOP, C::REDUX})
          .split());
  add(Row("tcgen05.relinquish_alloc_permit", {C::UVIRTCOUNT})
          .beside({C::ELECT}));
  add(Row("tcgen05.ld", {C::LDTM}).split());
  add(Row("tcgen05.st", {C::STTM}).split());
  add(Row("tcgen05.wait::st", {C::FenceView}).split());
  add(Row("tcgen05.wait::ld", {C::NOP}).incomplete());
  add(Row("tcgen05.fence::before_thread_sync", {C::NOP}).incomplete());
  add(Row("tcgen05.fence::after_thread_sync", {C::NOP}).incomplete());
  add(Row("clusterlaunchcontrol.try_cancel", {C::UGETNEXTWORKID})
          .beside({C::ELECT}));
  add(Row("clusterlaunchcontrol.query_cancel",
          "becomes plain integer instructions"));
  return rules;
}

static const std::vector<MappingRule> &allRules() {
  static const std::vector<MappingRule> rules = makeRules();
  return rules;
}

/// Whether `components` is a run of whole components of `mnemonic`.
static bool containsComponents(StringRef mnemonic, StringRef components) {
  for (size_t at = mnemonic.find(components); at != StringRef::npos;
       at = mnemonic.find(components, at + 1)) {
    size_t end = at + components.size();
    if ((at == 0 || mnemonic[at - 1] == '.') &&
        (end == mnemonic.size() || mnemonic[end] == '.'))
      return true;
  }
  return false;
}

const MappingRule *ptxbench::findMappingRule(StringRef mnemonic) {
  for (const MappingRule &rule : allRules()) {
    StringRef rest = mnemonic;
    if (!rest.consume_front(rule.prefix) ||
        !(rest.empty() || rest.front() == '.'))
      continue;
    if (rule.contains.empty() || containsComponents(mnemonic, rule.contains))
      return &rule;
  }
  return nullptr;
}

bool ptxbench::isTargetClass(SassClass opcodeClass) {
  return llvm::any_of(allRules(), [&](const MappingRule &rule) {
    return !rule.common && rule.accepts(opcodeClass);
  });
}
