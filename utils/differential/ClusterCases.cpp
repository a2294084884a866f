//===- ClusterCases.cpp - Cases of clusters -------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Special registers, barriers, shared memory and mbarriers of the CTAs of a
// cluster. Every kernel ends with a barrier of the cluster, so that no CTA goes
// while others need its shared memory.
//
//===----------------------------------------------------------------------===//

#include "BarrierText.h"

using namespace ptxbench;
using namespace ptxbench::differential;

static void addRegisters(std::vector<Case> &cases) {
  struct Shape {
    Dim3 grid, cluster;
  };
  const Shape shapes[] = {{{2}, {2}},
                          {{8}, {4}},
                          {{4, 2}, {2, 1}},
                          {{2, 4}, {1, 2}},
                          {{4, 4}, {2, 2}},
                          {{2, 2, 2}, {2, 2, 2}},
                          {{3, 2, 4}, {1, 1, 2}},
                          {{3, 2}, {1}}};
  for (const Shape &shape : shapes) {
    const Dim3 &grid = shape.grid, &cluster = shape.cluster;
    KernelText kernel(32, 64);
    kernel.ctas = grid.volume();
    kernel.hasPlanes = true;
    for (const char *name : {"ctaid", "nctaid", "clusterid", "nclusterid",
                             "cluster_ctaid", "cluster_nctaid"})
      for (const char *axis : {"x", "y", "z"}) {
        kernel.add("  mov.u32 %r0, %$0.$1;\n", {name, axis});
        kernel.keep("%r0");
      }
    for (const char *name : {"cluster_ctarank", "cluster_nctarank"}) {
      kernel.add("  mov.u32 %r0, %$0;\n", {name});
      kernel.keep("%r0");
    }
    kernel.add("  mov.pred %p0, %is_explicit_cluster;\n");
    if (cluster.volume() > 1)
      kernel.keepPredicate("%p0");
    // Addresses of peers, and whose they are.
    for (unsigned rank = 0; rank < cluster.volume(); ++rank) {
      kernel.add("  add.s32 %r1, %tile, 12;\n"
                 "  mapa.shared::cluster.u32 %r2, %r1, $0;\n"
                 "  getctarank.shared::cluster.u32 %r3, %r2;\n"
                 "  cvt.u64.u32 %d0, %tile;\n"
                 "  mapa.shared::cluster.u64 %d1, %d0, $0;\n"
                 "  getctarank.shared::cluster.u64 %r4, %d1;\n"
                 "  cvt.u32.u64 %r5, %d1;\n"
                 "  cvta.shared.u64 %d0, %d0;\n"
                 "  mapa.u64 %d2, %d0, $0;\n"
                 "  getctarank.u64 %r6, %d2;\n"
                 "  sub.s64 %d2, %d2, %d0;\n"
                 "  cvt.u32.u64 %r7, %d2;\n",
                 {rank});
      kernel.keep("%r2").keep("%r3").keep("%r4").keep("%r5").keep("%r6");
      // The distance between windows of peers.
      if (rank == 0)
        kernel.keep("%r7");
    }
    kernel.clusterSync();
    std::string name =
        subst("cluster_registers.$0x$1x$2.of$3x$4x$5",
              {grid.x, grid.y, grid.z, cluster.x, cluster.y, cluster.z});
    Case one = makeCase(name, "cluster", kernel, {});
    one.grid = grid;
    one.cluster = cluster;
    cases.push_back(std::move(one));
  }
}

/// Threads write into their own shared memory, meet, and read from or write to
/// a peer's.
static void addSharedMemory(std::vector<Case> &cases) {
  for (unsigned ctas : {2u, 4u, 8u})
    for (const char *access :
         {"load", "load_generic", "store", "atomic", "load_wide"}) {
      std::string kind = access;
      KernelText kernel(64, 2048);
      kernel.ctas = ctas;
      kernel.add("  mad.lo.s32 %r0, %cta, 1000, %t;\n"
                 "  shl.b32 %r1, %t, 4;\n"
                 "  add.s32 %r1, %r1, %tile;\n"
                 "  mov.b32 %r9, 0;\n");
      for (unsigned i = 0; i < 4; ++i)
        kernel.add("  st.shared.b32 [%r1+$0], %r0;\n"
                   "  st.shared.b32 [%r1+$1], %r9;\n"
                   "  mul.lo.s32 %r0, %r0, 17;\n",
                   {4 * i, 1024 + 4 * i});
      kernel.clusterSync();
      kernel.add("  add.s32 %r2, %cta, 1;\n"
                 "  rem.u32 %r2, %r2, $0;\n"
                 "  xor.b32 %r3, %t, 21;\n"
                 "  shl.b32 %r3, %r3, 4;\n"
                 "  add.s32 %r3, %r3, %tile;\n"
                 "  mapa.shared::cluster.u32 %r4, %r3, %r2;\n",
                 {ctas});
      if (kind == "load") {
        kernel.add("  ld.shared::cluster.b32 %r5, [%r4+4];\n"
                   "  ld.shared::cluster.u8 %r6, [%r4+9];\n");
        kernel.keep("%r5").keep("%r6");
      } else if (kind == "load_wide") {
        kernel.add("  ld.shared::cluster.v4.b32 {%r5, %r6, %r7, %r8}, "
                   "[%r4];\n");
        kernel.keep("%r5").keep("%r6").keep("%r7").keep("%r8");
      } else if (kind == "load_generic") {
        kernel.add("  cvt.u64.u32 %d0, %r3;\n"
                   "  cvta.shared.u64 %d0, %d0;\n"
                   "  mapa.u64 %d0, %d0, %r2;\n"
                   "  ld.b32 %r5, [%d0+8];\n"
                   "  ld.v2.b32 {%r6, %r7}, [%d0];\n");
        kernel.keep("%r5").keep("%r6").keep("%r7");
      } else if (kind == "store") {
        kernel.add("  add.s32 %r5, %r0, 3;\n"
                   "  st.shared::cluster.b32 [%r4+1028], %r5;\n"
                   "  st.shared::cluster.v2.b32 [%r4+1032], {%r0, %r5};\n"
                   "  st.shared::cluster.u8 [%r4+1025], %r5;\n");
      } else {
        // From every CTA to every other one.
        for (unsigned peer = 0; peer < ctas; ++peer)
          kernel.add("  mapa.shared::cluster.u32 %r4, %r3, $0;\n"
                     "  atom.shared::cluster.add.u32 %r5, [%r4+1024], %r0;\n"
                     "  red.relaxed.cluster.shared::cluster.max.s32 "
                     "[%r4+1028], %r0;\n"
                     "  atom.acq_rel.cluster.shared::cluster.xor.b32 %r5, "
                     "[%r4+1032], %r0;\n"
                     "  red.shared::cluster.inc.u32 [%r4+1036], 2;\n",
                     {peer});
      }
      kernel.clusterSync();
      kernel.dumpTile(2048);
      cases.push_back(makeCase(subst("cluster_shared.$0.of$1", {kind, ctas}),
                               "cluster", kernel, {}));
    }
}

/// Rounds in which the next CTA reads what this one wrote.
static void addBarriers(std::vector<Case> &cases) {
  struct Form {
    const char *name, *arrive, *wait;
  };
  const Form forms[] = {
      {"plain", "barrier.cluster.arrive;", "barrier.cluster.wait;"},
      {"aligned", "barrier.cluster.arrive.release.aligned;",
       "barrier.cluster.wait.acquire.aligned;"},
      {"release", "barrier.cluster.arrive.release;",
       "barrier.cluster.wait.acquire;"},
      {"relaxed",
       "fence.acq_rel.cluster; barrier.cluster.arrive.relaxed.aligned;",
       "barrier.cluster.wait.aligned; fence.acq_rel.cluster;"}};
  for (const Form &form : forms)
    for (bool diverged : {false, true}) {
      if (diverged && std::string(form.name) != "plain" &&
          std::string(form.name) != "release")
        continue;
      KernelText kernel(64, 512);
      kernel.ctas = 4;
      kernel.add("  shl.b32 %r0, %t, 2;\n"
                 "  add.s32 %r0, %r0, %tile;\n"
                 "  add.s32 %r1, %cta, 3;\n"
                 "  and.b32 %r1, %r1, 3;\n"
                 "  mapa.shared::cluster.u32 %r2, %r0, %r1;\n"
                 "  mad.lo.s32 %r3, %cta, 64, %t;\n"
                 "  and.b32 %r4, %t, 7;\n"
                 "  setp.lt.u32 %p0, %r4, 3;\n");
      for (unsigned round = 0; round < 5; ++round) {
        uint32_t half = round % 2 * 256;
        kernel.add("  mad.lo.s32 %r3, %r3, 31, $0;\n"
                   "  st.shared.b32 [%r0+$1], %r3;\n",
                   {round, half});
        if (diverged) {
          std::string other = kernel.label("Other"), met = kernel.label("Met");
          kernel.add("  @%p0 bra $0;\n"
                     "  $2\n"
                     "  bra $1;\n"
                     "$0:\n"
                     "  $2\n"
                     "$1:\n",
                     {other, met, form.arrive});
        } else {
          kernel.add("  $0\n", {form.arrive});
        }
        // Something of one's own between arriving and waiting.
        kernel.add("  mul.lo.s32 %r5, %r3, 5;\n"
                   "  $0\n"
                   "  ld.shared::cluster.b32 %r3, [%r2+$1];\n",
                   {form.wait, half});
        kernel.keep("%r3").keep("%r5");
      }
      kernel.clusterSync();
      cases.push_back(makeCase(subst("cluster_barrier.$0$1",
                                     {form.name, diverged ? ".diverged" : ""}),
                               "cluster", kernel, {}));
    }
}

/// Arrivals at an mbarrier of CTA 0, or of the next one.
static void addRemoteArrivals(std::vector<Case> &cases) {
  struct Form {
    const char *name, *text;
    unsigned each;
  };
  const Form forms[] = {
      {"arrive",
       "mbarrier.arrive.release.cluster.shared::cluster.b64 _, "
       "[%r1];",
       1},
      {"plain",
       "fence.acq_rel.cluster; mbarrier.arrive.shared::cluster.b64 _, [%r1];",
       1},
      {"count",
       "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r1], "
       "3;",
       3},
      {"relaxed",
       "fence.acq_rel.cluster; "
       "mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, "
       "[%r1];",
       1},
      {"expect",
       "mbarrier.arrive.expect_tx.release.cluster.shared::cluster"
       ".b64 _, [%r1], 24; "
       "mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 "
       "[%r1], 24;",
       1},
      {"expect_apart",
       "mbarrier.expect_tx.relaxed.cluster.shared::cluster.b64 [%r1], 40; "
       "mbarrier.complete_tx.shared::cluster.b64 [%r1], 40; "
       "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r1];",
       1}};
  for (const Form &form : forms)
    for (unsigned ctas : {1u, 2u, 4u}) {
      KernelText kernel(32, 256);
      kernel.ctas = ctas;
      kernel.patternTile();
      kernel.barriers({32 * form.each * ctas}, true);
      kernel.add("  shl.b32 %r4, %t, 2;\n  mov.b32 %r9, %cta;\n");
      for (unsigned round = 0; round < 3; ++round) {
        // Each thread arrives at the mbarrier of every CTA, and adds a number
        // to its memory before.
        kernel.add("  mad.lo.s32 %r3, %cta, $0, %t;\n", {7 * round + 1});
        for (unsigned peer = 0; peer < ctas; ++peer)
          kernel.add("  mapa.shared::cluster.u32 %r1, %bar0, $0;\n"
                     "  add.s32 %r2, %tile, %r4;\n"
                     "  mapa.shared::cluster.u32 %r2, %r2, $0;\n"
                     "  red.relaxed.cluster.shared::cluster.add.u32 [%r2], "
                     "%r3;\n"
                     "  $1\n",
                     {peer, form.text});
        kernel.wait("%bar0", std::to_string(round % 2), ".acquire.cluster");
        kernel.add("  xor.b32 %r5, %r4, 124;\n"
                   "  add.s32 %r5, %r5, %tile;\n"
                   "  ld.shared.b32 %r6, [%r5];\n");
        kernel.keep("%r6");
        kernel.clusterSync();
      }
      Case one = makeCase(subst("cluster_mbarrier.$0.of$1", {form.name, ctas}),
                          "cluster", kernel, {});
      cases.push_back(std::move(one));
    }
  // Who drops out is not waited for in the next phase.
  KernelText kernel(32, 64);
  kernel.ctas = 2;
  kernel.barriers({4}, true);
  kernel.add("  mapa.shared::cluster.u32 %r1, %bar0, 0;\n"
             "  @%first mbarrier.arrive_drop.release.cluster.shared::cluster"
             ".b64 _, [%r1];\n"
             "  @%first mbarrier.arrive.release.cluster.shared::cluster.b64 _, "
             "[%r1];\n"
             "  setp.ne.u32 %p3, %cta, 0;\n"
             "  @%p3 bra Done;\n");
  kernel.wait("%bar0", "0", ".acquire.cluster");
  kernel.add("  @%first mbarrier.arrive.shared::cta.b64 _, [%bar0], 2;\n");
  kernel.wait("%bar0", "1");
  kernel.add("  @%first mbarrier.arrive_drop.expect_tx.shared::cta.b64 _, "
             "[%bar0], 16;\n"
             "  @%first mbarrier.arrive.shared::cta.b64 _, [%bar0];\n"
             "  @%first mbarrier.complete_tx.shared::cta.b64 [%bar0], 16;\n");
  kernel.wait("%bar0", "0");
  for (unsigned parity : {0u, 1u}) {
    kernel.add("  mbarrier.test_wait.parity.shared::cta.b64 %p1, [%bar0], "
               "$0;\n",
               {parity});
    kernel.keepPredicate("%p1");
  }
  kernel.add("Done:\n").clusterSync();
  cases.push_back(makeCase("cluster_mbarrier.drop", "cluster", kernel, {}));
}

//===----------------------------------------------------------------------===//
// st.async, red.async
//===----------------------------------------------------------------------===//

/// Each thread stores or reduces into the next CTA's tile, 16 bytes apart.
static void addAsync(std::vector<Case> &cases, const std::string &name,
                     const std::string &opcode, const std::string &value,
                     unsigned bytes, bool isReduction) {
  for (unsigned ctas : {1u, 2u}) {
    std::string full = subst("$0.of$1", {name, ctas});
    Random draw(full);
    std::vector<uint8_t> input;
    appendElements(input, Element::U8, Fill::Bits, 2048, draw);
    KernelText kernel(32, 1024);
    kernel.ctas = ctas;
    // Without a cluster these are illegal instructions on an H200.
    if (ctas == 1)
      kernel.directives = ".reqnctapercluster 1, 1, 1\n";
    kernel.loadTile(1024);
    kernel.loadWords("%r", 0, 4, 1024);
    kernel.declarations = "  .reg .f32 %v<4>;\n";
    kernel.add("  add.s32 %r0, %r0, %cta;\n"
               "  mov.b64 %d10, {%r0, %r1};\n"
               "  mov.b64 %d11, {%r2, %r3};\n"
               "  mov.b64 %x0, {%r0, %r1};\n"
               "  mov.b64 %x1, {%r2, %r3};\n");
    for (unsigned i = 0; i < 4; ++i)
      kernel.add("  mov.b32 %v$0, %r$0;\n", {i});
    kernel.barriers({1}, true);
    kernel.add("  @%first mbarrier.arrive.expect_tx.shared::cta.b64 _, "
               "[%bar0], $0;\n"
               "  add.s32 %r10, %cta, 1;\n"
               "  rem.u32 %r10, %r10, $1;\n"
               "  mapa.shared::cluster.u32 %r11, %bar0, %r10;\n"
               "  shl.b32 %r12, %t, 4;\n"
               "  add.s32 %r12, %r12, %tile;\n"
               "  mapa.shared::cluster.u32 %r12, %r12, %r10;\n",
               {32 * bytes, ctas});
    // Reductions of several threads meet.
    if (isReduction)
      kernel.add("  and.b32 %r13, %t, 24;\n"
                 "  shl.b32 %r13, %r13, 4;\n"
                 "  add.s32 %r13, %r13, %tile;\n"
                 "  mapa.shared::cluster.u32 %r12, %r13, %r10;\n");
    kernel.add("  $0 [%r12], $1, [%r11];\n", {opcode, value});
    kernel.wait("%bar0", "0", ".acquire.cluster");
    kernel.dumpTile(1024);
    kernel.clusterSync();
    cases.push_back(makeCase(full, ctas == 1 ? "cluster-open" : "cluster",
                             kernel, std::move(input)));
  }
}

static void addAsyncs(std::vector<Case> &cases) {
  struct Type {
    const char *name, *one, *two, *four;
    unsigned bytes;
  };
  const Type types[] = {{"b32", "%r0", "{%r0, %r1}", "{%r0, %r1, %r2, %r3}", 4},
                        {"u32", "%r1", "{%r2, %r1}", "{%r1, %r0, %r3, %r2}", 4},
                        {"s32", "%r2", "{%r3, %r0}", "{%r0, %r2, %r1, %r3}", 4},
                        {"f32", "%v0", "{%v0, %v1}", "{%v0, %v1, %v2, %v3}", 4},
                        {"b64", "%d10", "{%d10, %d11}", nullptr, 8},
                        {"u64", "%d11", "{%d11, %d10}", nullptr, 8},
                        {"s64", "%d10", "{%d10, %d10}", nullptr, 8},
                        {"f64", "%x0", "{%x0, %x1}", nullptr, 8}};
  for (const Type &type : types) {
    auto add = [&](const char *vector, const char *value, unsigned bytes) {
      for (const char *mods : {"", ".weak"})
        addAsync(cases, subst("st_async$0$1.$2", {mods, vector, type.name}),
                 subst("st.async$0.shared::cluster"
                       ".mbarrier::complete_tx::bytes$1.$2",
                       {mods, vector, type.name}),
                 value, bytes, false);
    };
    add("", type.one, type.bytes);
    add(".v2", type.two, 2 * type.bytes);
    if (type.four)
      add(".v4", type.four, 4 * type.bytes);
  }
  for (const char *op : {"inc.u32", "dec.u32", "min.u32", "min.s32", "max.u32",
                         "max.s32", "and.b32", "or.b32", "xor.b32", "add.u32",
                         "add.s32", "add.u64", "add.s64"}) {
    bool isWide = std::string(op).find("64") != std::string::npos;
    addAsync(cases, std::string("red_async.") + op,
             std::string("red.async.relaxed.cluster.shared::cluster"
                         ".mbarrier::complete_tx::bytes.") +
                 op,
             isWide ? "%d10" : "%r0", isWide ? 8 : 4,
             // The order of these would be seen.
             op[0] != 'i' && op[0] != 'd');
  }
}

void differential::addClusterCases(std::vector<Case> &cases) {
  addRegisters(cases);
  addSharedMemory(cases);
  addBarriers(cases);
  addRemoteArrivals(cases);
  addAsyncs(cases);
}
