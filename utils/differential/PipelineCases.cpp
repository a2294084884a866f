//===- PipelineCases.cpp - Cases of producers and consumers ---------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products of matrices as kernels for sm_90a compute them, in the small: a
// thread of one warpgroup loads tiles of A and B through a ring of stages, the
// other warpgroups wait for them, multiply, and release them; in clusters B is
// loaded once for all CTAs. Each role counts its iterations and what it did in
// them, as the hardware executed it.
//
//===----------------------------------------------------------------------===//

#include "BarrierText.h"

#include "TensorText.h"

using namespace ptxbench;
using namespace ptxbench::differential;

namespace {
struct PipelineSpec {
  unsigned stages, tiles, consumers, ctas;
  unsigned n;
  /// 128, 64 or 32 bytes.
  unsigned swizzle;
  /// wgmmas that may be in flight when a stage is released.
  unsigned inFlight;
  /// Output tiles of a CTA, one after the other.
  unsigned rounds;
};
} // namespace

/// %n9 and %n10 walk through the stages: the stage and the parity.
static void nextStage(KernelText &kernel, unsigned stages) {
  kernel.add("  add.s32 %n9, %n9, 1;\n"
             "  setp.eq.u32 %p14, %n9, $0;\n"
             "  selp.b32 %n9, 0, %n9, %p14;\n"
             "  selp.b32 %n11, 1, 0, %p14;\n"
             "  xor.b32 %n10, %n10, %n11;\n",
             {stages});
}

/// %n12 := the mbarrier of the stage; the full ones come first.
static void stageBarrier(KernelText &kernel, uint32_t offset) {
  kernel.add("  shl.b32 %n12, %n9, 3;\n"
             "  add.s32 %n12, %n12, %ring;\n"
             "  add.s32 %n12, %n12, $0;\n",
             {offset});
}

static void addPipeline(std::vector<Case> &cases, const PipelineSpec &spec) {
  std::string name =
      subst("pipeline.s$0.k$1.c$2.of$3.n$4.w$5.f$6.r$7",
            {spec.stages, spec.tiles, spec.consumers, spec.ctas, spec.n,
             256 >> spec.swizzle, spec.inFlight, spec.rounds});
  unsigned width = 256 >> spec.swizzle, k = width / 2;
  unsigned threads = 128 * (spec.consumers + 1);
  uint32_t bytesA = 64 * spec.consumers * width, bytesB = spec.n * width;
  uint32_t stageBytes = bytesA + bytesB, stages = spec.stages;
  uint32_t emptyAt = 8 * stages;
  bool isShared = spec.ctas > 1;

  // A: a band of 64 rows for each consumer, CTA and round; B: n rows.
  TensorSpec a, b;
  a.type = b.type = TensorBF16;
  a.swizzle = b.swizzle = 4 - spec.swizzle;
  a.dims = {uint64_t(k) * spec.tiles,
            uint64_t(64) * spec.consumers * spec.ctas * spec.rounds};
  b.dims = {uint64_t(k) * spec.tiles, spec.n};
  a.box = {k, 64 * spec.consumers};
  // Each CTA of a cluster loads a part of B for all.
  b.box = {k, spec.n / spec.ctas};

  KernelText kernel(threads, stageBytes * stages);
  kernel.ctas = spec.ctas;
  kernel.declarations = subst("  .shared .align 8 .b64 ring[$0];\n"
                              "  .reg .b32 %ring, %iterations, %events, "
                              "%round, %index;\n",
                              {2 * stages});
  kernel.mapAddress("%d0", 0).mapAddress("%d1", 1);
  // The leader of each consumer warpgroup arrives at the empty mbarrier of
  // every CTA, since every CTA writes to all.
  kernel.add("  mov.u32 %ring, ring;\n"
             "  mov.b32 %iterations, 0;\n"
             "  mov.b32 %events, 0;\n");
  for (unsigned i = 0; i < stages; ++i)
    kernel.add("  @%first mbarrier.init.shared::cta.b64 [%ring+$0], 1;\n"
               "  @%first mbarrier.init.shared::cta.b64 [%ring+$1], $2;\n",
               {8 * i, emptyAt + 8 * i, spec.consumers * spec.ctas});
  kernel.add("  fence.mbarrier_init.release.cluster;\n"
             "  fence.proxy.async;\n");
  isShared ? kernel.clusterSync() : kernel.add("  bar.sync 0;\n");
  kernel.add("  shr.u32 %r0, %t, 7;\n"
             "  mov.b32 %n9, 0;\n"
             "  setp.ne.u32 %p0, %r0, 0;\n"
             "  @%p0 bra Consumer;\n");

  // The producer.
  kernel.add("  mov.b32 %n10, 1;\n"
             "  setp.ne.u32 %p1, %t, 0;\n"
             "  @%p1 bra Meet;\n"
             "  mov.b32 %round, 0;\n"
             "ProducerRound:\n"
             "  mov.b32 %index, 0;\n"
             "Producer:\n"
             "  add.s32 %iterations, %iterations, 1;\n");
  stageBarrier(kernel, emptyAt);
  kernel.wait("%n12", "%n10", isShared ? ".acquire.cluster" : "");
  stageBarrier(kernel, 0);
  kernel.add("  mul.lo.s32 %r1, %n9, $0;\n"
             "  add.s32 %r1, %r1, %tile;\n"
             "  mul.lo.s32 %r2, %index, $1;\n"
             "  mad.lo.s32 %r3, %round, $2, %cta;\n"
             "  mul.lo.s32 %r3, %r3, $3;\n"
             "  mul.lo.s32 %r4, %cta, $4;\n"
             "  mad.lo.s32 %r5, %cta, $5, $6;\n"
             "  add.s32 %r5, %r5, %r1;\n",
             {stageBytes, k, spec.ctas, 64 * spec.consumers, spec.n / spec.ctas,
              bytesB / spec.ctas, bytesA});
  kernel.add("  mbarrier.arrive.expect_tx.shared::cta.b64 _, [%n12], $0;\n"
             "  $1 [%r1], [%d0, {%r2, %r3}], [%n12];\n",
             {stageBytes, loadOpcode(a)});
  if (isShared)
    kernel.add("  mov.b16 %h0, $0;\n"
               "  $1 [%r5], [%d1, {%r2, %r4}], [%n12], %h0;\n",
               {(1u << spec.ctas) - 1, loadOpcode(b, ".multicast::cluster")});
  else
    kernel.add("  $0 [%r5], [%d1, {%r2, %r4}], [%n12];\n", {loadOpcode(b)});
  kernel.add("  add.s32 %events, %events, 2;\n");
  nextStage(kernel, stages);
  kernel.add("  add.s32 %index, %index, 1;\n"
             "  setp.lt.u32 %p1, %index, $0;\n"
             "  @%p1 bra Producer;\n"
             "  add.s32 %round, %round, 1;\n"
             "  setp.lt.u32 %p1, %round, $1;\n"
             "  @%p1 bra ProducerRound;\n"
             "  bra Meet;\n",
             {spec.tiles, spec.rounds});

  // The consumers: warpgroup i has rows 64 (i - 1) and up.
  unsigned count = spec.n / 2;
  std::string d = vectorOf("%f", 0, count);
  std::string opcode =
      subst("wgmma.mma_async.sync.aligned.m64n$0k16.f32.bf16.bf16", {spec.n});
  uint32_t room =
      kernel.reserve(4 * 128 * spec.consumers * count * spec.rounds);
  kernel.add("Consumer:\n"
             "  mov.b32 %n10, 0;\n"
             "  mov.b32 %round, 0;\n"
             "  and.b32 %r6, %t, 127;\n"
             "  setp.eq.u32 %p2, %r6, 0;\n"
             "  sub.s32 %r7, %r0, 1;\n"
             "  mul.lo.s32 %r7, %r7, $0;\n"
             "  add.s32 %r7, %r7, %tile;\n"
             "ConsumerRound:\n"
             "  mov.b32 %index, 0;\n"
             "  setp.lt.s32 %p3, %t, 0;\n"
             "  mov.b32 %r20, -1;\n",
             {64 * width});
  kernel.add("ConsumerTile:\n"
             "  add.s32 %iterations, %iterations, 1;\n");
  stageBarrier(kernel, 0);
  kernel.wait("%n12", "%n10");
  kernel.add("  mad.lo.s32 %r8, %n9, $0, %r7;\n"
             "  mul.lo.s32 %r9, %n9, $0;\n"
             "  add.s32 %r9, %r9, %tile;\n"
             "  add.s32 %r9, %r9, $1;\n",
             {stageBytes, bytesA});
  uint64_t layout = uint64_t(8 * width / 16) << 32 | uint64_t(1) << 16 |
                    uint64_t(spec.swizzle) << 62;
  for (auto [reg, address] : {std::pair("%d2", "%r8"), std::pair("%d3", "%r9")})
    kernel.add("  shr.u32 %n0, $1, 4;\n"
               "  cvt.u64.u32 $0, %n0;\n"
               "  or.b64 $0, $0, $2;\n",
               {reg, address, layout});
  kernel.add("  wgmma.fence.sync.aligned;\n");
  for (unsigned step = 0; step < k / 16; ++step) {
    kernel.add("  add.s64 %d4, %d2, $0;\n"
               "  add.s64 %d5, %d3, $0;\n"
               "  $1 $2, %d4, %d5, %p3, 1, 1, 0, 0;\n"
               "  add.s32 %events, %events, 1;\n",
               {2 * step, opcode, d});
    if (step == 0)
      kernel.add("  setp.ge.s32 %p3, %t, 0;\n");
  }
  kernel.add("  wgmma.commit_group.sync.aligned;\n"
             "  wgmma.wait_group.sync.aligned $0;\n",
             {spec.inFlight});
  // The stage of so many products before is free now.
  auto release = [&](const std::string &guard, const std::string &barrier) {
    for (unsigned peer = 0; peer < spec.ctas; ++peer)
      if (isShared)
        kernel.add("  mapa.shared::cluster.u32 %n13, $0, $1;\n"
                   "  @$2 mbarrier.arrive.release.cluster.shared::cluster.b64 "
                   "_, [%n13];\n",
                   {barrier, peer, guard});
      else
        kernel.add("  @$0 mbarrier.arrive.shared::cta.b64 _, [$1];\n",
                   {guard, barrier});
  };
  stageBarrier(kernel, emptyAt);
  if (spec.inFlight == 0) {
    release("%p2", "%n12");
  } else {
    // %r20: the mbarrier of the tile before, if there is one.
    kernel.add("  setp.ne.and.u32 %p4, %r20, -1, %p2;\n");
    release("%p4", "%r20");
    kernel.add("  mov.b32 %r20, %n12;\n");
  }
  nextStage(kernel, stages);
  kernel.add("  add.s32 %index, %index, 1;\n"
             "  setp.lt.u32 %p1, %index, $0;\n"
             "  @%p1 bra ConsumerTile;\n"
             "  wgmma.wait_group.sync.aligned 0;\n",
             {spec.tiles});
  if (spec.inFlight)
    release("%p2", "%r20");
  kernel.add("  sub.s32 %n0, %t, 128;\n"
             "  mad.lo.s32 %n0, %round, $0, %n0;\n"
             "  mul.wide.u32 %d6, %n0, 4;\n"
             "  add.s64 %d6, %d6, %out;\n",
             {128 * spec.consumers * count});
  for (unsigned i = 0; i < count; ++i)
    kernel.add("  st.global.f32 [%d6+$0], %f$1;\n",
               {room + 4 * 128 * spec.consumers * i, i});
  kernel.add("  add.s32 %round, %round, 1;\n"
             "  setp.lt.u32 %p1, %round, $0;\n"
             "  @%p1 bra ConsumerRound;\n"
             "Meet:\n",
             {spec.rounds});
  kernel.add("  bar.warp.sync 0xffffffff;\n");
  isShared ? kernel.clusterSync() : kernel.add("  bar.sync 0;\n");
  kernel.keep("%iterations").keep("%events");

  Random draw(name);
  std::vector<uint8_t> input, inputB;
  appendElements(input, Element::BF16, Fill::Small, tensorBytesOf(a) / 2, draw);
  appendElements(inputB, Element::BF16, Fill::Small, tensorBytesOf(b) / 2,
                 draw);
  Case one = makeCase(name, "pipeline", kernel, std::move(input));
  one.buffers.push_back({std::move(inputB), false});
  one.params.push_back(mapOf(a, 0));
  one.params.push_back(mapOf(b, 2));
  cases.push_back(std::move(one));
}

void differential::addPipelineCases(std::vector<Case> &cases) {
  for (unsigned stages : {1u, 2u, 3u, 4u})
    for (unsigned tiles : {1u, 3u, 8u})
      addPipeline(cases, {stages, tiles, 1, 1, 16, 1, 0, 1});
  for (unsigned ctas : {2u, 4u})
    for (unsigned stages : {1u, 3u})
      for (unsigned consumers : {1u, 2u})
        addPipeline(cases, {stages, 7, consumers, ctas, 64, 2, 0, 2});
  for (unsigned swizzle : {1u, 2u, 3u})
    for (unsigned inFlight : {0u, 1u})
      addPipeline(cases, {2, 6, 2, 1, 48, swizzle, inFlight, 1});
  addPipeline(cases, {4, 9, 1, 2, 16, 1, 1, 3});
  addPipeline(cases, {3, 5, 2, 2, 112, 2, 1, 2});
  addPipeline(cases, {2, 4, 1, 8, 64, 2, 0, 1});
}
