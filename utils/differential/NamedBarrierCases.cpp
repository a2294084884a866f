//===- NamedBarrierCases.cpp - Cases of barriers of a CTA -----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Groups of warps that meet at barriers of their own and see what the others
// wrote before; votes of barriers; barriers that lanes reach by different ways.
//
//===----------------------------------------------------------------------===//

#include "BarrierText.h"

using namespace ptxbench;
using namespace ptxbench::differential;

/// Each thread writes a word, meets the others of its group as `meet` says
/// (with $0 the round, $1 and $2 barriers of the round), and reads that of the
/// thread `distance` further on in its group of `group` threads.
static void addMeeting(std::vector<Case> &cases, const std::string &name,
                       unsigned threads, unsigned group, unsigned distance,
                       const std::string &before, const std::string &meet,
                       const char *family = "barrier") {
  KernelText kernel(threads, 8 * threads);
  kernel.add("  mov.b32 %r20, $0;\n"
             "  div.u32 %r21, %t, %r20;\n"
             "  rem.u32 %r22, %t, %r20;\n"
             "  add.s32 %r23, %r22, $1;\n"
             "  rem.u32 %r23, %r23, %r20;\n"
             "  mad.lo.s32 %r23, %r21, %r20, %r23;\n"
             "  shl.b32 %r23, %r23, 2;\n"
             "  add.s32 %r23, %r23, %tile;\n"
             "  shl.b32 %r24, %t, 2;\n"
             "  add.s32 %r24, %r24, %tile;\n"
             "  mov.b32 %r25, %t;\n",
             {group, distance});
  kernel.add(before);
  for (unsigned round = 0; round < 4; ++round) {
    // Two halves in turns, so that one meeting each round is enough.
    uint32_t half = round % 2 * 4 * threads;
    kernel.add("  mad.lo.s32 %r25, %r25, 13, $0;\n"
               "  st.shared.b32 [%r24+$1], %r25;\n",
               {round, half});
    // Numbers of barriers that no other round has, too.
    std::string text = subst(meet, {round, 4 + 2 * round, 5 + 2 * round});
    // Labels of each round.
    for (size_t at; (at = text.find('#')) != std::string::npos;)
      text.replace(at, 1, std::to_string(round));
    kernel.add(text);
    kernel.add("  ld.shared.b32 %r25, [%r23+$0];\n", {half});
    kernel.keep("%r25");
  }
  cases.push_back(makeCase("barrier." + name, family, kernel, {}));
}

static void addMeetings(std::vector<Case> &cases) {
  for (const char *form :
       {"bar.sync 0", "bar.cta.sync 0", "barrier.sync 0", "barrier.cta.sync 0",
        "barrier.sync.aligned 0", "bar.sync 15, 128", "barrier.sync 7, 128",
        "barrier.cta.sync.aligned 1, 128"}) {
    std::string name = form;
    for (char &c : name)
      c = c == ' ' || c == ',' ? '_' : c;
    addMeeting(cases, name, 128, 128, 45, "", std::string("  ") + form + ";\n");
  }
  // Two groups of two warps, each with a barrier whose number is a register.
  addMeeting(cases, "groups", 128, 64, 33, "  add.s32 %r0, %r21, 3;\n",
             "  barrier.sync %r0, 64;\n");
  addMeeting(cases, "groups_aligned", 192, 96, 50,
             "  add.s32 %r0, %r21, 8;\n  mov.b32 %r1, 96;\n",
             "  bar.sync %r0, %r1;\n");
  addMeeting(cases, "warps", 128, 32, 7, "", "  bar.warp.sync 0xffffffff;\n");
  // Lanes come by two ways.
  addMeeting(cases, "diverged", 96, 96, 41,
             "  and.b32 %r0, %t, 5;\n  setp.ne.u32 %p0, %r0, 0;\n",
             "  @%p0 bra Other#;\n"
             "  barrier.sync 2, 96;\n"
             "  bra Met#;\n"
             "Other#:\n"
             "  barrier.sync 2, 96;\n"
             "Met#:\n");
  // Two instructions with one mask.
  addMeeting(cases, "diverged_warp", 64, 32, 9,
             "  and.b32 %r0, %t, 3;\n  setp.ne.u32 %p0, %r0, 0;\n",
             "  @%p0 bra Other#;\n"
             "  bar.warp.sync 0xffffffff;\n"
             "  bra Met#;\n"
             "Other#:\n"
             "  bar.warp.sync 0xffffffff;\n"
             "Met#:\n",
             "barrier-open");
  // Arrivals, then one that waits for both groups; and back.
  addMeeting(cases, "arrive", 128, 128, 64, "  setp.lt.u32 %p0, %t, 64;\n",
             "  @%p0 bra First#;\n"
             "  bar.arrive $1, 128;\n"
             "  bar.sync $2, 128;\n"
             "  bra Met#;\n"
             "First#:\n"
             "  bar.arrive $2, 128;\n"
             "  bar.sync $1, 128;\n"
             "Met#:\n");
  addMeeting(cases, "arrive_unaligned", 64, 64, 32,
             "  setp.lt.u32 %p0, %t, 32;\n",
             "  @%p0 bra First#;\n"
             "  barrier.cta.arrive $1, 64;\n"
             "  barrier.sync $2, 64;\n"
             "  bra Met#;\n"
             "First#:\n"
             "  barrier.arrive $2, 64;\n"
             "  barrier.cta.sync $1, 64;\n"
             "Met#:\n");
}

static void addVotes(std::vector<Case> &cases) {
  for (const char *opcode : {"bar", "bar.cta", "barrier", "barrier.cta"})
    for (const char *aligned : {"", ".aligned"}) {
      if (opcode[3] != 'r' && *aligned)
        continue;
      KernelText kernel(96);
      // Of warps, of lanes, of all, of none.
      kernel.add("  and.b32 %r0, %t, 3;\n"
                 "  setp.eq.u32 %p0, %r0, 1;\n"
                 "  setp.lt.u32 %p1, %t, 40;\n"
                 "  setp.lt.u32 %p2, %t, 1000;\n"
                 "  setp.gt.u32 %p3, %t, 1000;\n");
      for (const char *predicate : {"%p0", "%p1", "%p2", "%p3", "!%p0"})
        for (const char *barrier : {"2", "3, 96"}) {
          kernel.add("  $0.red.popc$1.u32 %r1, $2, $3;\n",
                     {opcode, aligned, barrier, predicate});
          kernel.keep("%r1");
          for (const char *op : {"and", "or"}) {
            kernel.add("  $0.red.$4$1.pred %p5, $2, $3;\n",
                       {opcode, aligned, barrier, predicate, op});
            kernel.keepPredicate("%p5");
          }
        }
      cases.push_back(makeCase(subst("barrier.red.$0$1", {opcode, aligned}),
                               "barrier", kernel, {}));
    }
  // Of two groups with barriers of their own, at the same time.
  KernelText kernel(128);
  kernel.add("  shr.u32 %r0, %t, 6;\n"
             "  add.s32 %r0, %r0, 1;\n"
             "  and.b32 %r1, %t, %r0;\n"
             "  setp.ne.u32 %p0, %r1, 0;\n"
             "  bar.red.popc.u32 %r2, %r0, 64, %p0;\n"
             "  bar.red.or.pred %p1, %r0, 64, %p0;\n");
  kernel.keep("%r2").keepPredicate("%p1");
  cases.push_back(makeCase("barrier.red.groups", "barrier", kernel, {}));
  // Warps that have ended are not waited for.
  KernelText ended(128, 512);
  ended.add("  setp.ge.u32 %p0, %t, 64;\n"
            "  shl.b32 %r0, %t, 2;\n"
            "  add.s32 %r1, %r0, %tile;\n"
            "  st.shared.b32 [%r1], %r0;\n"
            "  bar.sync 0;\n"
            "  @%p0 ret;\n"
            "  bar.sync 0;\n"
            "  xor.b32 %r1, %r0, 252;\n"
            "  add.s32 %r1, %r1, %tile;\n"
            "  ld.shared.b32 %r2, [%r1+256];\n"
            "  bar.red.popc.u32 %r3, 0, %p0;\n");
  ended.keep("%r2").keep("%r3");
  cases.push_back(makeCase("barrier.ended", "barrier", ended, {}));
}

static void addWarps(std::vector<Case> &cases) {
  // The mask in a register, all its lanes execute it.
  KernelText elect(32);
  for (uint32_t mask : {0xffffffffu, 0xfffffff0u, 0x80000000u, 0x00010100u,
                        0x7ffffffeu, 0x00000001u}) {
    std::string skip = elect.label("Skip");
    elect.add("  mov.b32 %r0, $0;\n"
              "  shr.u32 %r1, %r0, %t;\n"
              "  and.b32 %r1, %r1, 1;\n"
              "  setp.eq.u32 %p0, %r1, 0;\n"
              "  mov.b32 %r2, 99;\n"
              "  setp.ne.u32 %p1, %r1, %r1;\n"
              "  @%p0 bra $1;\n"
              "  elect.sync %r2|%p1, %r0;\n"
              "$1:\n",
              {mask, skip});
    elect.keep("%r2").keepPredicate("%p1");
  }
  elect.add("  elect.sync _|%p1, 0xffffffff;\n");
  elect.keepPredicate("%p1");
  cases.push_back(makeCase("elect", "barrier", elect, {}));
  // Lanes whose guard is false take no part.
  KernelText guarded(32);
  guarded.add("  setp.ge.u32 %p0, %t, 3;\n"
              "  mov.b32 %r2, 99;\n"
              "  setp.ne.u32 %p1, %t, %t;\n"
              "  @%p0 elect.sync %r2|%p1, 0xfffffff8;\n");
  guarded.keep("%r2").keepPredicate("%p1");
  cases.push_back(makeCase("elect.guarded", "barrier", guarded, {}));

  // Registers move from one warpgroup to another; what they hold does not.
  for (const char *counts : {"24_232", "40_216", "96_160"}) {
    std::string text = counts;
    std::string low = text.substr(0, text.find('_')),
                high = text.substr(text.find('_') + 1);
    KernelText kernel(256);
    // The launch has what both want.
    kernel.directives = ".maxnreg 128\n";
    kernel.add("  setp.lt.u32 %p0, %t, 128;\n"
               "  mad.lo.s32 %r0, %t, 0x1234567, 89;\n"
               "  @%p0 bra Low;\n"
               "  setmaxnreg.inc.sync.aligned.u32 $1;\n"
               "  mul.lo.s32 %r1, %r0, 3;\n"
               "  bra Both;\n"
               "Low:\n"
               "  setmaxnreg.dec.sync.aligned.u32 $0;\n"
               "  mul.lo.s32 %r1, %r0, 5;\n"
               "Both:\n"
               "  add.s32 %r1, %r1, %r0;\n",
               {low, high});
    kernel.keep("%r0").keep("%r1");
    cases.push_back(makeCase("setmaxnreg." + text, "barrier", kernel, {}));
  }
  KernelText depends(64);
  depends.add("  griddepcontrol.wait;\n"
              "  mad.lo.s32 %r0, %t, 7, 1;\n"
              "  griddepcontrol.launch_dependents;\n"
              "  griddepcontrol.wait;\n");
  depends.keep("%r0");
  cases.push_back(makeCase("griddepcontrol", "barrier", depends, {}));
}

void differential::addNamedBarrierCases(std::vector<Case> &cases) {
  addMeetings(cases);
  addVotes(cases);
  addWarps(cases);
}
