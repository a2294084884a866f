//===- BulkCases.cpp - Cases of bulk copies -------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `cp.async.bulk` and `cp.reduce.async.bulk` in all directions. The memory
// around the destination is a result, too. Operands of reductions are each
// special value with each other one, then random bits.
//
//===----------------------------------------------------------------------===//

#include "ReductionOperands.h"

using namespace ptxbench;
using namespace ptxbench::differential;

static std::vector<uint8_t> randomBytes(const std::string &name, size_t bytes) {
  Random draw(name);
  std::vector<uint8_t> result;
  appendElements(result, Element::U8, Fill::Bits, bytes, draw);
  return result;
}

//===----------------------------------------------------------------------===//
// Copies between global and shared memory
//===----------------------------------------------------------------------===//

static void addLoads(std::vector<Case> &cases) {
  struct Load {
    uint32_t bytes, to, from;
  };
  const Load loads[] = {{16, 0, 0},      {16, 16, 48},    {32, 80, 16},
                        {48, 0, 16},     {112, 2000, 64}, {128, 128, 128},
                        {240, 1024, 32}, {1024, 16, 16},  {2048, 0, 0},
                        {4096, 0, 0},    {4000, 96, 80}};
  for (const Load &load : loads)
    for (const char *form : {"shared::cluster", "shared::cta"}) {
      std::string name =
          subst("bulk_load.$0.$1_$2_$3",
                {form[8] == 'c' && form[9] == 'l' ? "cluster" : "cta",
                 load.bytes, load.to, load.from});
      for (const char *hint : {"", ".L2::cache_hint"}) {
        KernelText kernel(64, 4096);
        kernel.patternTile();
        kernel.barriers({1});
        if (*hint)
          kernel.add("  createpolicy.fractional.L2::evict_first.b64 %d2, "
                     "0f3F800000;\n");
        // Sizes are constants or registers.
        kernel.add("  mov.b32 %r0, $0;\n"
                   "  @%first mbarrier.arrive.expect_tx.shared::cta.b64 _, "
                   "[%bar0], %r0;\n"
                   "  @%first cp.async.bulk.$1.global"
                   ".mbarrier::complete_tx::bytes$2 [%tile+$3], [%in+$4], $5, "
                   "[%bar0]$6;\n",
                   {load.bytes, form, hint, load.to, load.from,
                    *hint ? "%r0" : std::to_string(load.bytes),
                    *hint ? ", %d2" : ""});
        kernel.wait("%bar0", "0");
        kernel.dumpTile(4096);
        cases.push_back(makeCase(name + (*hint ? ".hint" : ""), "bulk", kernel,
                                 randomBytes(name, 4096 + 256)));
      }
    }
  // Each thread of a warp copies; then one thread many times for one phase.
  for (bool many : {false, true}) {
    std::string name = many ? "bulk_load.many" : "bulk_load.each_lane";
    KernelText kernel(32, 4096);
    kernel.patternTile();
    kernel.barriers({1});
    kernel.add("  mov.b32 %r0, %t;\n"
               "  @%first mbarrier.arrive.expect_tx.shared::cta.b64 _, "
               "[%bar0], 1024;\n"
               "  bar.warp.sync 0xffffffff;\n");
    std::string loop = kernel.label("Next");
    if (many)
      kernel.add("  mov.b32 %r0, 0;\n$0:\n", {loop});
    // Backwards: the last 32 bytes first.
    kernel.add("  sub.s32 %r1, 31, %r0;\n"
               "  shl.b32 %r1, %r1, 5;\n"
               "  mul.wide.u32 %d0, %r0, 48;\n"
               "  add.s64 %d0, %d0, %in;\n"
               "  add.s32 %r1, %r1, %tile;\n"
               "  $0cp.async.bulk.shared::cluster.global"
               ".mbarrier::complete_tx::bytes [%r1+64], [%d0], 32, [%bar0];\n",
               {many ? "@%first " : ""});
    if (many)
      kernel.add("  add.s32 %r0, %r0, 1;\n"
                 "  setp.lt.s32 %p0, %r0, 32;\n"
                 "  @%p0 bra $0;\n",
                 {loop});
    kernel.wait("%bar0", "0");
    kernel.dumpTile(4096);
    cases.push_back(makeCase(name, "bulk", kernel, randomBytes(name, 4096)));
  }
  // Four phases of one mbarrier, each with more bytes.
  {
    std::string name = "bulk_load.phases";
    KernelText kernel(64, 4096);
    kernel.patternTile();
    kernel.barriers({1});
    for (unsigned i = 0; i < 4; ++i) {
      kernel.add("  @%first mbarrier.arrive.expect_tx.shared::cta.b64 _, "
                 "[%bar0], $0;\n"
                 "  @%first cp.async.bulk.shared::cluster.global"
                 ".mbarrier::complete_tx::bytes [%tile+$1], [%in+$2], $0, "
                 "[%bar0];\n",
                 {16u << i, 512 * i, 1024 * (3 - i)});
      kernel.wait("%bar0", std::to_string(i % 2));
      kernel.add("  ld.shared.b32 %r0, [%tile+$0];\n", {512 * i + 12});
      kernel.keep("%r0");
      // Nobody may be two phases behind.
      kernel.add("  bar.sync 0;\n");
    }
    kernel.dumpTile(4096);
    cases.push_back(makeCase(name, "bulk", kernel, randomBytes(name, 4096)));
  }
}

static void addStores(std::vector<Case> &cases) {
  struct Store {
    uint32_t bytes, from, to;
  };
  const Store stores[] = {{16, 0, 0},    {32, 16, 16},  {48, 64, 32},
                          {128, 0, 128}, {1008, 16, 0}, {2048, 0, 64},
                          {4096, 0, 0},  {3904, 96, 16}};
  for (const Store &store : stores)
    for (const char *hint : {"", ".L2::cache_hint"}) {
      std::string name =
          subst("bulk_store.$0_$1_$2$3",
                {store.bytes, store.from, store.to, *hint ? ".hint" : ""});
      KernelText kernel(64, 4096);
      kernel.loadTile(4096);
      if (*hint)
        kernel.add("  createpolicy.fractional.L2::evict_last.b64 %d2, "
                   "0f3F800000;\n");
      kernel.fenceTile();
      uint32_t room = kernel.reserve(4096 + 256);
      kernel.add("  @%first cp.async.bulk.global.shared::cta.bulk_group$0 "
                 "[%out+$1], [%tile+$2], $3$4;\n"
                 "  cp.async.bulk.commit_group;\n"
                 "  cp.async.bulk.wait_group 0;\n",
                 {hint, room + store.to, store.from, store.bytes,
                  *hint ? ", %d2" : ""});
      cases.push_back(makeCase(name, "bulk", kernel, randomBytes(name, 4096)));
    }
  // Shared memory may be written again after `.read`, and groups before the
  // last ones have been read.
  for (bool groups : {false, true}) {
    std::string name = groups ? "bulk_store.groups" : "bulk_store.read";
    KernelText kernel(64, 4096);
    kernel.loadTile(4096);
    kernel.fenceTile();
    uint32_t room = kernel.reserve(4096);
    for (unsigned i = 0; i < (groups ? 4u : 1u); ++i)
      kernel.add("  @%first cp.async.bulk.global.shared::cta.bulk_group "
                 "[%out+$0], [%tile+$1], $2;\n"
                 "  cp.async.bulk.commit_group;\n",
                 {room + 1024 * i, 1024 * i, groups ? 1024 : 4096});
    if (groups) {
      kernel.add("  cp.async.bulk.wait_group.read 2;\n"
                 "  mov.b32 %r0, 0x77777777;\n"
                 "  @%first st.shared.b32 [%tile], %r0;\n"
                 "  @%first st.shared.b32 [%tile+2044], %r0;\n"
                 "  cp.async.bulk.wait_group 0;\n");
    } else {
      kernel.add("  cp.async.bulk.wait_group.read 0;\n  bar.sync 0;\n");
      kernel.patternTile();
      kernel.add("  cp.async.bulk.wait_group 0;\n");
    }
    cases.push_back(makeCase(name, "bulk", kernel, randomBytes(name, 4096)));
  }
  // What was loaded is stored and loaded again.
  std::string name = "bulk_store.round_trip";
  KernelText kernel(64, 8192);
  kernel.patternTile();
  kernel.barriers({1, 1});
  uint32_t room = kernel.reserve(2048);
  auto load = [&](const char *bar, unsigned to, const char *from,
                  uint32_t offset) {
    kernel.add("  @%first mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], "
               "2048;\n"
               "  @%first cp.async.bulk.shared::cluster.global"
               ".mbarrier::complete_tx::bytes [%tile+$1], [$2+$3], 2048, "
               "[$0];\n",
               {bar, to, from, offset});
    kernel.wait(bar, "0");
  };
  load("%bar0", 1024, "%in", 0);
  kernel.add("  @%first cp.async.bulk.global.shared::cta.bulk_group "
             "[%out+$0], [%tile+1024], 2048;\n"
             "  cp.async.bulk.commit_group;\n"
             "  cp.async.bulk.wait_group 0;\n"
             "  fence.proxy.async;\n",
             {room});
  load("%bar1", 4096, "%out", room);
  kernel.dumpTile(8192);
  cases.push_back(makeCase(name, "bulk", kernel, randomBytes(name, 2048)));

  KernelText prefetch(32);
  prefetch.add("  @%first cp.async.bulk.prefetch.L2.global [%in], 1024;\n"
               "  ld.global.b32 %r0, [%in+4];\n");
  prefetch.keep("%r0");
  cases.push_back(
      makeCase("bulk_prefetch", "bulk", prefetch, randomBytes(name, 1024)));
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

namespace {
struct Operation {
  const char *op, *type;
  unsigned bits;
};

constexpr Operation sharedOperations[] = {
    {"and", "b32", 32}, {"or", "b32", 32},  {"xor", "b32", 32},
    {"add", "u32", 32}, {"add", "s32", 32}, {"add", "u64", 64},
    {"inc", "u32", 32}, {"dec", "u32", 32}, {"min", "u32", 32},
    {"min", "s32", 32}, {"max", "u32", 32}, {"max", "s32", 32}};
constexpr Operation globalOperations[] = {
    {"and", "b64", 64},  {"or", "b64", 64},        {"xor", "b64", 64},
    {"add", "f32", 32},  {"add", "f64", 64},       {"min", "u64", 64},
    {"min", "s64", 64},  {"max", "u64", 64},       {"max", "s64", 64},
    {"min", "f16", 16},  {"min", "bf16", 16},      {"max", "f16", 16},
    {"max", "bf16", 16}, {"add.noftz", "f16", 16}, {"add.noftz", "bf16", 16}};
} // namespace

static void addGlobalReduction(std::vector<Case> &cases,
                               const Operation &operation) {
  for (const char *hint : {"", ".L2::cache_hint"}) {
    std::string name =
        subst("bulk_reduce.global.$0.$1$2",
              {operation.op, operation.type, *hint ? ".hint" : ""});
    Random draw(name);
    std::vector<uint8_t> source, old;
    drawOperands(operation.type, operation.bits, draw, source, old);
    uint32_t bytes = source.size();
    // Twice, of different places: the second finds what the first left.
    KernelText kernel(64, bytes);
    kernel.more = 1;
    kernel.loadTile(bytes);
    kernel.fenceTile();
    if (*hint)
      kernel.add("  createpolicy.fractional.L2::evict_first.b64 %d2, "
                 "0f3F800000;\n");
    for (uint32_t part : {uint32_t(0), bytes / 2 / 16 * 16})
      kernel.add("  @%first cp.reduce.async.bulk.global.shared::cta"
                 ".bulk_group$0.$1.$2 [%more0+$3], [%tile+$4], $5$6;\n"
                 "  cp.async.bulk.commit_group;\n"
                 "  cp.async.bulk.wait_group 0;\n",
                 {hint, operation.op, operation.type, part, 0, bytes - part,
                  *hint ? ", %d2" : ""});
    Case one = makeCase(name, "bulk", kernel, std::move(source));
    one.buffers.push_back({std::move(old), true});
    one.params.push_back(BufferParam{2, 0});
    cases.push_back(std::move(one));
  }
}

/// Each CTA of a cluster reduces into the shared memory of the next one.
static void addSharedReduction(std::vector<Case> &cases,
                               const Operation &operation, unsigned ctas) {
  std::string name = subst("bulk_reduce.cluster.$0.$1.of$2",
                           {operation.op, operation.type, ctas});
  Random draw(name);
  std::vector<uint8_t> source, old;
  drawOperands(operation.type, operation.bits, draw, source, old);
  uint32_t bytes = source.size();
  source.insert(source.end(), old.begin(), old.end());
  KernelText kernel(64, 2 * bytes);
  kernel.ctas = ctas;
  // Without a cluster these are illegal instructions on an H200.
  if (ctas == 1)
    kernel.directives = ".reqnctapercluster 1, 1, 1\n";
  kernel.loadTile(2 * bytes);
  kernel.barriers({1}, true);
  kernel.add("  add.s32 %r0, %cta, 1;\n"
             "  rem.u32 %r0, %r0, $0;\n"
             "  add.s32 %r1, %tile, $1;\n"
             "  mapa.shared::cluster.u32 %r1, %r1, %r0;\n"
             "  mapa.shared::cluster.u32 %r2, %bar0, %r0;\n"
             "  @%first mbarrier.arrive.expect_tx.shared::cta.b64 _, [%bar0], "
             "$1;\n"
             "  @%first cp.reduce.async.bulk.shared::cluster.shared::cta"
             ".mbarrier::complete_tx::bytes.$2.$3 [%r1], [%tile], $1, [%r2];\n",
             {ctas, bytes, operation.op, operation.type});
  kernel.wait("%bar0", "0", ".acquire.cluster");
  kernel.dumpTile(bytes, bytes);
  kernel.clusterSync();
  cases.push_back(makeCase(name, ctas == 1 ? "bulk-open" : "bulk", kernel,
                           std::move(source)));
}

//===----------------------------------------------------------------------===//
// Clusters
//===----------------------------------------------------------------------===//

/// Each CTA copies a part of its tile, which no other one has, to a peer.
static void addPeerCopies(std::vector<Case> &cases) {
  struct Peers {
    const char *name;
    unsigned ctas, distance;
    uint32_t bytes, from, to;
  };
  const Peers all[] = {
      {"self", 1, 0, 512, 0, 1024},  {"self2", 2, 0, 992, 16, 1040},
      {"next2", 2, 1, 16, 0, 2032},  {"next2", 2, 1, 1024, 0, 1024},
      {"next4", 4, 1, 96, 32, 1600}, {"across4", 4, 2, 1008, 16, 1024},
      {"next8", 8, 1, 512, 0, 1536}, {"across8", 8, 5, 1024, 0, 1024}};
  for (const Peers &peers : all) {
    std::string name = subst("bulk_peer.$0.$1", {peers.name, peers.bytes});
    KernelText kernel(32, 2048);
    kernel.ctas = peers.ctas;
    if (peers.ctas == 1)
      kernel.directives = ".reqnctapercluster 1, 1, 1\n";
    kernel.loadTile(2048);
    // The CTA's number in every word of its first half.
    kernel.add("  bar.sync 0;\n"
               "  shl.b32 %r0, %t, 5;\n"
               "  add.s32 %r0, %r0, %tile;\n"
               "  mul.lo.s32 %r1, %cta, 0x01010101;\n");
    for (unsigned i = 0; i < 8; ++i)
      kernel.add("  ld.shared.b32 %r2, [%r0+$0];\n"
                 "  add.s32 %r2, %r2, %r1;\n"
                 "  st.shared.b32 [%r0+$0], %r2;\n",
                 {4 * i});
    kernel.barriers({1}, true);
    kernel.add("  add.s32 %r0, %cta, $0;\n"
               "  rem.u32 %r0, %r0, $1;\n"
               "  mapa.shared::cluster.u32 %r1, %tile, %r0;\n"
               "  mapa.shared::cluster.u32 %r2, %bar0, %r0;\n"
               "  @%first mbarrier.arrive.expect_tx.shared::cta.b64 _, "
               "[%bar0], $2;\n"
               "  @%first cp.async.bulk.shared::cluster.shared::cta"
               ".mbarrier::complete_tx::bytes [%r1+$3], [%tile+$4], $2, "
               "[%r2];\n",
               {peers.distance, peers.ctas, peers.bytes, peers.to, peers.from});
    kernel.wait("%bar0", "0", ".acquire.cluster");
    kernel.dumpTile(2048);
    kernel.clusterSync();
    cases.push_back(makeCase(name, peers.ctas == 1 ? "bulk-open" : "bulk",
                             kernel, randomBytes(name, 2048)));
  }
}

static void addMulticasts(std::vector<Case> &cases) {
  struct Multicast {
    unsigned ctas, issuer, mask;
  };
  for (const Multicast &multicast :
       {Multicast{1, 0, 1}, Multicast{2, 0, 1}, Multicast{2, 0, 2},
        Multicast{2, 1, 3}, Multicast{4, 0, 11}, Multicast{4, 3, 5},
        Multicast{4, 2, 15}, Multicast{8, 6, 0xa5}, Multicast{8, 0, 0xff}})
    for (const char *hint : {"", ".L2::cache_hint"}) {
      std::string name = subst("bulk_multicast.of$0.by$1.mask$2$3",
                               {multicast.ctas, multicast.issuer,
                                multicast.mask, *hint ? ".hint" : ""});
      KernelText kernel(32, 2048);
      kernel.ctas = multicast.ctas;
      kernel.patternTile();
      kernel.barriers({1}, true);
      if (*hint)
        kernel.add("  createpolicy.fractional.L2::evict_first.b64 %d2, "
                   "0f3F800000;\n");
      // Who gets nothing expects nothing.
      kernel.add(
          "  mov.b32 %r0, $0;\n"
          "  shr.u32 %r1, %r0, %cta;\n"
          "  and.b32 %r1, %r1, 1;\n"
          "  mul.lo.s32 %r1, %r1, 1040;\n"
          "  @%first mbarrier.arrive.expect_tx.shared::cta.b64 _, "
          "[%bar0], %r1;\n"
          "  cvt.u16.u32 %h0, %r0;\n"
          "  setp.eq.and.u32 %p0, %cta, $1, %first;\n"
          "  @%p0 cp.async.bulk.shared::cluster.global"
          ".mbarrier::complete_tx::bytes.multicast::cluster$2 "
          "[%tile+32], [%in+16], 1040, [%bar0], %h0$3;\n",
          {multicast.mask, multicast.issuer, hint, *hint ? ", %d2" : ""});
      kernel.wait("%bar0", "0");
      kernel.dumpTile(2048);
      kernel.clusterSync();
      cases.push_back(makeCase(name, "bulk", kernel, randomBytes(name, 2048)));
    }
  // Each of four CTAs gives a quarter to all.
  std::string name = "bulk_multicast.quarters";
  KernelText kernel(32, 4096);
  kernel.ctas = 4;
  kernel.patternTile();
  kernel.barriers({1}, true);
  kernel.add("  @%first mbarrier.arrive.expect_tx.shared::cta.b64 _, [%bar0], "
             "4096;\n"
             "  shl.b32 %r0, %cta, 10;\n"
             "  add.s32 %r1, %r0, %tile;\n"
             "  cvt.u64.u32 %d0, %r0;\n"
             "  add.s64 %d0, %d0, %in;\n"
             "  mov.b16 %h0, 15;\n"
             "  @%first cp.async.bulk.shared::cluster.global"
             ".mbarrier::complete_tx::bytes.multicast::cluster [%r1], [%d0], "
             "1024, [%bar0], %h0;\n");
  kernel.wait("%bar0", "0");
  kernel.dumpTile(4096);
  kernel.clusterSync();
  cases.push_back(makeCase(name, "bulk", kernel, randomBytes(name, 4096)));
}

void differential::addBulkCases(std::vector<Case> &cases) {
  addLoads(cases);
  addStores(cases);
  for (const Operation &operation : sharedOperations) {
    addGlobalReduction(cases, operation);
    addSharedReduction(cases, operation, 1);
    addSharedReduction(cases, operation, 2);
  }
  for (const Operation &operation : globalOperations)
    addGlobalReduction(cases, operation);
  addPeerCopies(cases);
  addMulticasts(cases);
}
