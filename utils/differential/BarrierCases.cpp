//===- BarrierCases.cpp - Cases of mbarriers ------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One thread executes random operations on an mbarrier, which are right ones:
// a model of its counts chooses them. After each the pending count of the last
// state and both parities are kept. Then whole CTAs, where the order of threads
// is open and only sums are kept.
//
//===----------------------------------------------------------------------===//

#include "BarrierText.h"

#include <algorithm>
#include <cmath>

using namespace ptxbench;
using namespace ptxbench::differential;

//===----------------------------------------------------------------------===//
// One thread
//===----------------------------------------------------------------------===//

namespace {
struct Counts {
  unsigned expected, pending;
  uint32_t bytes = 0;
  unsigned phase = 0;

  void finish() {
    if (pending || bytes)
      return;
    ++phase;
    pending = expected;
  }
};

/// Writes random operations, each in one of its forms.
class Operations {
public:
  Operations(KernelText &kernel, Random &draw, unsigned count)
      : kernel(kernel), draw(draw), counts{count, count} {}

  void addOne() {
    bool canArrive = counts.pending > 0;
    switch (canArrive ? draw.below(7) : 6) {
    case 0:
    case 1:
      return arrive("arrive", 1 + draw.below(counts.pending));
    case 2:
      return arrive("arrive", 1);
    case 3:
      if (counts.pending < 2)
        return arrive("arrive", 1);
      return noComplete(1 + draw.below(counts.pending - 1));
    case 4:
      return arriveAndExpect();
    case 5: {
      unsigned most = std::min(counts.pending, counts.expected - 1);
      if (!most)
        return expect();
      return arrive("arrive_drop", 1 + draw.below(most));
    }
    default:
      return counts.bytes ? complete() : expect();
    }
  }

private:
  std::string address(bool isGeneric) {
    return isGeneric ? "[%d20]" : "[%bar0]";
  }
  /// "", ".shared", ".shared::cta", with semantics or without them.
  std::string drawSpace(bool &isGeneric, bool canHaveSemantics = true) {
    static const char *const spaces[] = {"", ".shared", ".shared::cta"};
    static const char *const semantics[] = {"", ".release.cta",
                                            ".release.cluster", ".relaxed.cta",
                                            ".relaxed.cluster"};
    unsigned space = draw.below(3);
    isGeneric = space == 0;
    return std::string(canHaveSemantics ? semantics[draw.below(5)] : "") +
           spaces[space];
  }

  void arrive(const std::string &opcode, unsigned count) {
    bool isGeneric, hasState = draw.below(6) != 0;
    std::string mods = drawSpace(isGeneric);
    std::string state = hasState ? "%d11" : "_";
    if (!hasState && draw.next() & 1) {
      mods = ".release.cluster.shared::cluster";
      isGeneric = false;
    }
    kernel.add("  mbarrier.$0$1.b64 $2, $3$4;\n",
               {opcode, mods, state, address(isGeneric),
                count == 1 && draw.next() & 1 ? std::string()
                                              : ", " + std::to_string(count)});
    arrived(count, hasState);
    if (opcode == "arrive_drop")
      dropped(count);
    counts.finish();
    look();
  }
  void noComplete(unsigned count) {
    unsigned most = std::min(counts.pending - 1, counts.expected - 1);
    bool drops = draw.next() & 1 && most;
    if (drops)
      count = std::min(count, most);
    bool isGeneric;
    std::string space = drawSpace(isGeneric, false);
    static const char *const semantics[] = {"", ".release.cta"};
    kernel.add("  mbarrier.$0.noComplete$1$2.b64 %d11, $3, $4;\n",
               {drops ? "arrive_drop" : "arrive", semantics[draw.below(2)],
                space, address(isGeneric), count});
    arrived(count, true);
    if (drops)
      dropped(count);
    look();
  }
  void arriveAndExpect() {
    bool drops = counts.expected > 1 && draw.below(4) == 0;
    uint32_t bytes = 1 + draw.below(5000);
    bool isGeneric;
    std::string mods = drawSpace(isGeneric);
    kernel.add(
        "  mbarrier.$0.expect_tx$1.b64 %d11, $2, $3;\n",
        {drops ? "arrive_drop" : "arrive", mods, address(isGeneric), bytes});
    counts.bytes += bytes;
    arrived(1, true);
    if (drops)
      dropped(1);
    counts.finish();
    look();
  }
  void expect() {
    uint32_t bytes = 1 + draw.below(5000);
    transfer("expect_tx", bytes);
    counts.bytes += bytes;
    look();
  }
  void complete() {
    uint32_t bytes =
        draw.next() & 1 ? counts.bytes : 1 + draw.below(counts.bytes);
    transfer("complete_tx", bytes);
    counts.bytes -= bytes;
    counts.finish();
    look();
  }
  void transfer(const char *opcode, uint32_t bytes) {
    static const char *const semantics[] = {"", ".relaxed.cta",
                                            ".relaxed.cluster"};
    static const char *const spaces[] = {"", ".shared", ".shared::cta",
                                         ".shared::cluster"};
    unsigned space = draw.below(4);
    kernel.add("  mbarrier.$0$1$2.b64 $3, $4;\n",
               {opcode, semantics[draw.below(3)], spaces[space],
                address(space == 0), bytes});
  }

  void arrived(unsigned count, bool hasState) {
    counts.pending -= count;
    if (hasState)
      statePhase = int(counts.phase);
    keepCount = hasState;
  }
  void dropped(unsigned count) { counts.expected -= count; }

  /// Keeps what can be seen of the mbarrier.
  void look() {
    if (keepCount)
      kernel.add("  mbarrier.pending_count.b64 %r0, %d11;\n").keepOne("%r0");
    keepCount = false;
    static const char *const semantics[] = {"", ".acquire.cta",
                                            ".acquire.cluster", ".relaxed.cta",
                                            ".relaxed.cluster"};
    static const char *const spaces[] = {"", ".shared", ".shared::cta"};
    for (unsigned parity : {0u, 1u}) {
      bool isTrue = counts.phase % 2 != parity;
      unsigned space = draw.below(3);
      // One that waits is tried only where it finds something.
      bool tries = isTrue && draw.next() & 1;
      kernel.add("  mbarrier.$0.parity$1$2.b64 %p1, $3, $4$5;\n"
                 "  selp.b32 %r0, 1, 0, %p1;\n",
                 {tries ? "try_wait" : "test_wait", semantics[draw.below(5)],
                  spaces[space], address(space == 0), parity,
                  tries && draw.next() & 1 ? ", 100" : ""});
      kernel.keepOne("%r0");
    }
    // States of older phases mean nothing.
    if (statePhase < 0 || counts.phase - statePhase > 1)
      return;
    bool isTrue = int(counts.phase) != statePhase;
    bool tries = isTrue && draw.next() & 1;
    unsigned space = draw.below(3);
    kernel.add("  mbarrier.$0$1$2.b64 %p1, $3, %d11$4;\n"
               "  selp.b32 %r0, 1, 0, %p1;\n",
               {tries ? "try_wait" : "test_wait", semantics[draw.below(5)],
                spaces[space], address(space == 0),
                tries && draw.next() & 1 ? ", 100" : ""});
    kernel.keepOne("%r0");
  }

  KernelText &kernel;
  Random &draw;
  Counts counts;
  int statePhase = -1;
  bool keepCount = false;
};
} // namespace

static void addOperations(std::vector<Case> &cases) {
  for (unsigned number = 0; number < 40; ++number) {
    std::string name = subst("mbarrier_operations.$0", {number});
    Random draw(name);
    unsigned count = 1 + draw.below(number % 2 ? 6 : 40);
    KernelText kernel(32);
    kernel.barriers({count});
    std::string skip = kernel.label("Skip");
    kernel.add("  @!%first bra $0;\n"
               "  cvt.u64.u32 %d20, %bar0;\n"
               "  cvta.shared.u64 %d20, %d20;\n",
               {skip});
    Operations operations(kernel, draw, count);
    for (unsigned i = 0; i < 30; ++i)
      operations.addOne();
    kernel.add("$0:\n", {skip});
    cases.push_back(makeCase(name, "mbarrier", kernel, {}));
  }
}

/// Some given operations of one thread; `keep` marks where "%p1" is kept.
static void addSequence(std::vector<Case> &cases, const std::string &name,
                        unsigned count, std::vector<std::string> lines,
                        const char *family = "mbarrier") {
  KernelText kernel(32);
  kernel.barriers({count});
  std::string skip = kernel.label("Skip");
  kernel.add("  @!%first bra $0;\n"
             "  cvt.u64.u32 %d20, %bar0;\n"
             "  cvta.shared.u64 %d20, %d20;\n",
             {skip});
  for (const std::string &line : lines) {
    kernel.add("  " + line + ";\n");
    // Both parities after each.
    for (unsigned parity : {0u, 1u}) {
      kernel.add("  mbarrier.test_wait.parity.shared::cta.b64 %p1, [%bar0], "
                 "$0;\n"
                 "  selp.b32 %r0, 1, 0, %p1;\n",
                 {parity});
      kernel.keepOne("%r0");
    }
  }
  kernel.add("$0:\n", {skip});
  cases.push_back(makeCase("mbarrier." + name, family, kernel, {}));
}

static void addSequences(std::vector<Case> &cases) {
  addSequence(cases, "largest", 1048575,
              {"mbarrier.arrive.shared::cta.b64 _, [%bar0], 1048574",
               "mbarrier.arrive.shared::cta.b64 _, [%bar0]",
               "mbarrier.arrive.shared::cta.b64 _, [%bar0], 1048575",
               "mbarrier.arrive_drop.shared::cta.b64 _, [%bar0], 1048570",
               "mbarrier.arrive.shared::cta.b64 _, [%bar0], 5",
               "mbarrier.arrive.shared::cta.b64 _, [%bar0], 5"});
  addSequence(cases, "largest_bytes", 1,
              {"mbarrier.expect_tx.shared::cta.b64 [%bar0], 1048575",
               "mbarrier.arrive.shared::cta.b64 _, [%bar0]",
               "mbarrier.complete_tx.shared::cta.b64 [%bar0], 1048574",
               "mbarrier.complete_tx.shared::cta.b64 [%bar0], 1"});
  addSequence(cases, "bytes_early", 2,
              {"mbarrier.complete_tx.shared::cta.b64 [%bar0], 512",
               "mbarrier.arrive.shared::cta.b64 _, [%bar0]",
               "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%bar0], 512",
               "mbarrier.complete_tx.shared::cta.b64 [%bar0], 1048575",
               "mbarrier.arrive.shared::cta.b64 _, [%bar0]",
               "mbarrier.expect_tx.shared::cta.b64 [%bar0], 1048575",
               "mbarrier.arrive.shared::cta.b64 _, [%bar0]"});
  addSequence(cases, "init_again", 3,
              {"mbarrier.arrive.shared::cta.b64 _, [%bar0], 3",
               "mbarrier.inval.shared::cta.b64 [%bar0]; "
               "mbarrier.init.shared::cta.b64 [%bar0], 2",
               "mbarrier.arrive.shared::cta.b64 _, [%bar0]",
               "mbarrier.arrive.shared::cta.b64 _, [%bar0]",
               "mbarrier.inval.b64 [%d20]; mbarrier.init.b64 [%d20], 1",
               "mbarrier.arrive.shared::cta.b64 _, [%bar0]"});
  addSequence(cases, "zero_bytes", 1,
              {"mbarrier.expect_tx.shared::cta.b64 [%bar0], 0",
               "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%bar0], 0",
               "mbarrier.complete_tx.shared::cta.b64 [%bar0], 0",
               "mbarrier.arrive.shared::cta.b64 _, [%bar0]"});
  // A phase that all arrived at, with bytes that came before they were
  // expected: whether expecting them ends it.
  addSequence(cases, "expected_last", 1,
              {"mbarrier.complete_tx.shared::cta.b64 [%bar0], 64",
               "mbarrier.arrive.shared::cta.b64 _, [%bar0]",
               "mbarrier.expect_tx.shared::cta.b64 [%bar0], 64",
               "mbarrier.complete_tx.shared::cta.b64 [%bar0], 0"},
              "mbarrier-open");
  // Nobody is expected any more.
  addSequence(cases, "all_dropped", 2,
              {"mbarrier.arrive_drop.shared::cta.b64 _, [%bar0]",
               "mbarrier.arrive_drop.shared::cta.b64 _, [%bar0]",
               "mbarrier.expect_tx.shared::cta.b64 [%bar0], 16",
               "mbarrier.complete_tx.shared::cta.b64 [%bar0], 16"},
              "mbarrier-open");
}

/// The words of an mbarrier and of states, which the ISA calls opaque, as
/// halves in numbers of which any are right: for those who read a recording.
static void addWords(std::vector<Case> &cases) {
  KernelText kernel(32);
  kernel.barriers({5});
  uint32_t room = kernel.reserve(2 * 16 * 16);
  std::string skip = kernel.label("Skip");
  kernel.add("  @!%first bra $0;\n", {skip});
  auto keep = [&](const char *low, const char *high) {
    for (const char *half : {low, high}) {
      kernel.add("  cvt.rn.f64.u32 %x0, $0;\n  st.global.f64 [%out+$1], %x0;\n",
                 {half, room});
      room += 8;
    }
  };
  for (const char *line :
       {"mov.b64 %d11, 0", "mbarrier.arrive.shared::cta.b64 %d11, [%bar0]",
        "mbarrier.arrive.shared::cta.b64 %d11, [%bar0], 2",
        "mbarrier.expect_tx.shared::cta.b64 [%bar0], 48",
        "mbarrier.complete_tx.shared::cta.b64 [%bar0], 49",
        "mbarrier.expect_tx.shared::cta.b64 [%bar0], 1",
        "mbarrier.arrive_drop.shared::cta.b64 %d11, [%bar0], 2",
        "mbarrier.arrive.shared::cta.b64 %d11, [%bar0], 3",
        "mbarrier.arrive.shared::cta.b64 %d11, [%bar0], 1",
        "mbarrier.inval.shared::cta.b64 [%bar0]"}) {
    kernel.add("  $0;\n"
               "  ld.volatile.shared.v2.b32 {%r0, %r1}, [%bar0];\n"
               "  mov.b64 {%r2, %r3}, %d11;\n",
               {line});
    keep("%r0", "%r1");
    keep("%r2", "%r3");
  }
  kernel.add("$0:\n", {skip});
  cases.push_back(makeCase("mbarrier.words", "mbarrier-open", kernel, {},
                           {Format::F64, 0, 1e300, 0}));
}

//===----------------------------------------------------------------------===//
// CTAs
//===----------------------------------------------------------------------===//

/// All threads write, arrive, wait and read what another one wrote, in rounds.
static void addRounds(std::vector<Case> &cases) {
  struct Form {
    const char *name, *arrive;
    unsigned factor;
    const char *waitMods;
  };
  const Form forms[] = {
      {"arrive", "mbarrier.arrive.shared::cta.b64 %d11, [%bar0]", 1, ""},
      {"count", "mbarrier.arrive.shared::cta.b64 %d11, [%bar0], 3", 3,
       ".acquire.cta"},
      {"cluster",
       "mbarrier.arrive.release.cluster.shared::cta.b64 %d11, "
       "[%bar0]",
       1, ".acquire.cluster"},
      {"no_complete",
       "mbarrier.arrive.noComplete.release.cta.shared::cta.b64 %d11, [%bar0], "
       "2; mbarrier.arrive.shared::cta.b64 %d12, [%bar0], 2",
       4, ""},
      {"expect",
       "mbarrier.arrive.expect_tx.shared::cta.b64 %d11, [%bar0], 8; "
       "mbarrier.complete_tx.shared::cta.b64 [%bar0], 8",
       1, ""}};
  for (const Form &form : forms)
    for (unsigned threads : {32u, 96u, 256u}) {
      std::string name = subst("mbarrier_rounds.$0.$1", {form.name, threads});
      KernelText kernel(threads, 4 * threads + 4);
      kernel.barriers({form.factor * threads});
      kernel.add("  shl.b32 %r1, %t, 2;\n"
                 "  add.s32 %r1, %r1, %tile;\n"
                 "  add.s32 %r2, %t, $0;\n"
                 "  rem.u32 %r2, %r2, $1;\n"
                 "  shl.b32 %r2, %r2, 2;\n"
                 "  add.s32 %r2, %r2, %tile;\n"
                 "  mov.b32 %r3, %t;\n"
                 "  mov.b32 %r5, 0;\n"
                 "  @%first st.shared.b32 [%tile+$2], %r5;\n"
                 "  bar.sync 0;\n",
                 {threads / 2 + 1, threads, 4 * threads});
      for (unsigned round = 0; round < 4; ++round) {
        // The order of arrivals is open, their sum is not.
        kernel.add("  mad.lo.s32 %r3, %r3, 77, $0;\n"
                   "  st.shared.b32 [%r1], %r3;\n"
                   "  $1;\n"
                   "  mbarrier.pending_count.b64 %r4, %d11;\n"
                   "  red.shared.add.u32 [%tile+$2], %r4;\n",
                   {round + 1, form.arrive, 4 * threads});
        kernel.wait("%bar0", std::to_string(round % 2), form.waitMods);
        kernel.add("  ld.shared.b32 %r3, [%r2];\n  bar.sync 0;\n");
        kernel.keep("%r3");
      }
      kernel.add("  ld.shared.b32 %r4, [%tile+$0];\n", {4 * threads});
      // With more arrivals than one for each thread the sum depends on the
      // order, too.
      if (form.factor == 1)
        kernel.keep("%r4");
      cases.push_back(makeCase(name, "mbarrier", kernel, {}));
    }
}

static void addCopyArrivals(std::vector<Case> &cases) {
  for (const char *mods : {"", ".noinc"})
    for (const char *space : {".shared", ".shared::cta", ""})
      for (unsigned bytes : {4u, 16u}) {
        std::string name = subst("cp_async_arrive$0.$1.$2",
                                 {mods, *space ? space + 1 : "generic", bytes});
        std::replace(name.begin(), name.end(), ':', '_');
        Random draw(name);
        std::vector<uint8_t> input;
        appendElements(input, Element::U8, Fill::Bits, 4096, draw);
        KernelText kernel(64, 4096);
        kernel.patternTile();
        kernel.barriers({64});
        kernel.add("  shl.b32 %r0, %t, 4;\n"
                   "  add.s32 %r1, %r0, %tile;\n"
                   "  cvt.u64.u32 %d0, %r0;\n"
                   "  add.s64 %d0, %d0, %in;\n"
                   "  cvt.u64.u32 %d20, %bar0;\n");
        if (!*space)
          kernel.add("  cvta.shared.u64 %d20, %d20;\n");
        for (unsigned round = 0; round < 2; ++round) {
          kernel.add("  cp.async.ca.shared.global [%r1+$0], [%d0+$0], $1;\n"
                     "  cp.async.mbarrier.arrive$2$3.b64 [%d20];\n",
                     {1024 * round, bytes, mods, space});
          // Without .noinc it is no arrival that is counted.
          if (!*mods)
            kernel.add("  mbarrier.arrive.shared::cta.b64 _, [%bar0];\n");
          kernel.wait("%bar0", std::to_string(round % 2));
          kernel.add("  xor.b32 %r2, %r0, 16;\n"
                     "  add.s32 %r2, %r2, %tile;\n"
                     "  ld.shared.b32 %r3, [%r2+$0];\n"
                     "  bar.sync 0;\n",
                     {1024 * round});
          kernel.keep("%r3");
        }
        kernel.dumpTile(4096);
        cases.push_back(makeCase(name, "mbarrier", kernel, std::move(input)));
      }
}

void differential::addBarrierCases(std::vector<Case> &cases) {
  addOperations(cases);
  addSequences(cases);
  addWords(cases);
  addRounds(cases);
  addCopyArrivals(cases);
  addNamedBarrierCases(cases);
  addClusterCases(cases);
  addPipelineCases(cases);
}
