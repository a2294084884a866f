//===- ProtocolClusterTest.cpp - Rules between the CTAs of a cluster ------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clusters of two CTAs of one warp that break a rule, each beside one that
// differs only by what was missing.
//
//===----------------------------------------------------------------------===//

#include "CheckTestUtils.h"

using namespace ptxbench;
using namespace ptxbench::emulator;

namespace {

const CheckedLaunch pair{{2, 1, 1}, {32, 1, 1}, {2, 1, 1}};

const std::string clusterSync = R"(
  barrier.cluster.arrive.aligned;
  barrier.cluster.wait.aligned;
)";
/// %r11 and %r12: the buffer and the mbarriers of the other CTA.
const std::string mapPeer = R"(
  xor.b32 %r10, %r5, 1;
  mapa.shared::cluster.u32 %r11, %r1, %r10;
  mapa.shared::cluster.u32 %r12, %r2, %r10;
)";
const std::string init = "  @%p2 mbarrier.init.shared::cta.b64 [%r2], 1;\n"
                         "  @%p2 fence.mbarrier_init.release.cluster;\n";

} // namespace

TEST(ProtocolClusterTest, Rule7ClusterSyncBeforeARemoteMBarrier) {
  expectRule(mapPeer + init + "FIX" + R"(
  @%p2 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r12];
)" + waitFor("%r2", "0", "Full") +
                 clusterSync,
             clusterSync,
             {"race", "mbarrier-uninitialised", "peer-not-started"}, pair);
}

TEST(ProtocolClusterTest, InitIsPublishedByItsFence) {
  // The barrier may be relaxed then.
  const std::string relaxed = R"(
  barrier.cluster.arrive.relaxed.aligned;
  barrier.cluster.wait.aligned;
)";
  auto body = [&](const std::string &first) {
    return checkedKernel(
        mapPeer + first + relaxed +
        "@%p2 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r12];" +
        waitFor("%r2", "0", "Full") + clusterSync);
  };
  expectClean(body(init), pair);
  expectFound(body("@%p2 mbarrier.init.shared::cta.b64 [%r2], 1;"),
              {"missing-release-acquire"}, pair);
}

TEST(ProtocolClusterTest, Rule8RemoteArriveThroughSharedCluster) {
  auto body = [](const std::string &space) {
    return checkedKernel(mapPeer + init + clusterSync +
                         "@!%p3 bra Wait; @%p2 mbarrier.arrive." + space +
                         ".b64 _, [%r12]; Wait: @%p3 bra Behind;" +
                         waitFor("%r2", "0", "Full") + "Behind:" + clusterSync);
  };
  expectFound(body("shared::cta"), {"peer-through-shared-cta"}, pair);
  expectClean(body("release.cluster.shared::cluster"), pair);
}

TEST(ProtocolClusterTest, Rule9HandOffAtTheScopeOfTheCluster) {
  auto body = [](const std::string &arrive, const std::string &wait) {
    return checkedKernel(mapPeer + init + clusterSync + R"(
  @%p3 bra Consumer;
  st.shared::cluster.u32 [%r11], 1;
  @%p2 mbarrier.arrive)" +
                         arrive + R"(.shared::cluster.b64 _, [%r12];
  bra Behind;
Consumer:
  mbarrier.try_wait.parity)" +
                         wait + R"(.shared::cta.b64 %p9, [%r2], 0;
  @!%p9 bra Consumer;
  ld.shared.u32 %r7, [%r1];
Behind:
)" + clusterSync);
  };
  Ids ids{"missing-release-acquire"};
  expectFound(body(".release.cta", ".acquire.cluster"), ids, pair);
  expectFound(body(".release.cluster", ".acquire.cta"), ids, pair);
  expectFound(body(".relaxed.cluster", ".acquire.cluster"), ids, pair);
  expectClean(body(".release.cluster", ".acquire.cluster"), pair);
  // What names no scope is taken to reach.
  expectClean(body("", ""), pair);
}

TEST(ProtocolClusterTest, Rule10PeerHasStarted) {
  expectRule(mapPeer + "FIX" + R"(
  @%p2 st.shared::cluster.u32 [%r11], 1;
)" + clusterSync +
                 "ld.shared.u32 %r7, [%r1];",
             clusterSync, {"peer-not-started"}, pair);
}

TEST(ProtocolClusterTest, Rule11PeerHasNotEnded) {
  // Of a generic access, an arrival, and a multicast.
  expectRule(mapPeer + clusterSync + "ld.shared::cluster.u32 %r7, [%r11];" +
                 "FIX",
             clusterSync, {"exit-before-peer"}, pair);
  expectRule(mapPeer + init + clusterSync +
                 "@%p2 mbarrier.arrive.release.cluster.shared::cluster.b64 _, "
                 "[%r12]; FIX",
             clusterSync, {"exit-before-peer"}, pair);
  // To arrive is not to wait.
  expectRule(mapPeer + clusterSync + "ld.shared::cluster.u32 %r7, [%r11];" +
                 "barrier.cluster.arrive.aligned; FIX",
             "barrier.cluster.wait.aligned;", {"exit-before-peer"}, pair);
}

TEST(ProtocolClusterTest, Multicast) {
  // CTA 0 loads for both; each waits for its own mbarrier and may leave.
  const std::string body = init + R"(
  @%p2 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], 64;
)" + clusterSync + R"(
  and.pred %p5, %p2, %p3;
  mov.u16 %h1, 3;
  @%p5 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster
    [%r1], [%d1], 64, [%r2], %h1;
FIX
)";
  expectRule("  .reg .b16 %h<2>;\n" + body, waitFor("%r2", "0", "Full"),
             {"exit-before-peer"}, pair);
  expectFound(checkedKernel("  .reg .b16 %h<2>;\n" +
                            replaced(body, "FIX",
                                     "ld.shared.u32 %r7, [%r1];" +
                                         waitFor("%r2", "0", "Full"))),
              {"unfinished-destination", "race"}, pair);
}

TEST(ProtocolClusterTest, StAsync) {
  const std::string body = mapPeer + init + R"(
  @%p2 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], 4;
)" + clusterSync + R"(
  @%p2 st.async.shared::cluster.mbarrier::complete_tx::bytes.u32
    [%r11], 1, [%r12];
FIX
  ld.shared.u32 %r7, [%r1];
)" + clusterSync;
  // Nobody waits, until the end of the CTA.
  expectRule(body, waitFor("%r2", "0", "Full"),
             {"unfinished-destination", "race", "exit-before-peer"}, pair);
}
