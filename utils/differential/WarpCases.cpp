//===- WarpCases.cpp - Exchange and votes in a warp -----------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// shfl, vote, match, redux, elect, activemask and bar.warp.sync: by whole
// warps, by parts of warps that have gone different ways, and by warps of which
// a part has ended.
//
//===----------------------------------------------------------------------===//

#include "ThreadKernel.h"

#include <cstring>

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::differential;

namespace {
/// Which lanes come to the instruction together.
struct Part {
  const char *name;
  /// Before the instruction: sends the other lanes to `Other`, and sets %r14 to
  /// the mask.
  const char *begin;
  /// Lanes in a warp, where the mask is known.
  uint32_t mask;
  /// Whether the other lanes execute it, too, with the other mask.
  bool hasOther;
};
} // namespace

static constexpr Part parts[] = {
    {"all", "  mov.u32 %r14, -1;\n", 0xffffffff, false},
    {"even",
     "  mov.u32 %r14, 0x55555555;\n  and.b32 %x, %t, 1;\n"
     "  setp.ne.u32 %p15, %x, 0;\n  @%p15 bra Other;\n",
     0x55555555, true},
    {"low",
     "  mov.u32 %r14, 0x000007ff;\n  and.b32 %x, %t, 31;\n"
     "  setp.gt.u32 %p15, %x, 10;\n  @%p15 bra Other;\n",
     0x7ff, true},
    {"one",
     "  mov.u32 %r14, 0x00002000;\n  and.b32 %x, %t, 31;\n"
     "  setp.ne.u32 %p15, %x, 13;\n  @%p15 bra Other;\n",
     0x2000, true},
    {"ended",
     "  mov.u32 %r14, 0xfff0ff00;\n  and.b32 %x, %t, 31;\n"
     "  shr.u32 %x, %r14, %x;\n  and.b32 %x, %x, 1;\n"
     "  setp.eq.u32 %p15, %x, 0;\n  @%p15 exit;\n",
     0xfff0ff00, false},
};

/// A case for each part; `body` is the text that all lanes of a part execute
/// with the mask in %r14.
static void addForParts(
    std::vector<Case> &cases, const std::string &name, const std::string &body,
    function_ref<void(size_t, MutableArrayRef<uint8_t>, Random &)> record,
    unsigned partCount = std::size(parts)) {
  for (const Part &part : ArrayRef<Part>(parts).take_front(partCount)) {
    RecordKernel kernel;
    kernel.name = name + "-" + part.name;
    kernel.family = "warp";
    kernel.inputBytes = kernel.outputBytes = 16;
    kernel.body = "  ld.global.v4.b32 {%r0, %r1, %r2, %r3}, [%in];\n"
                  "  mov.b64 %d0, {%r0, %r1};\n" +
                  std::string(part.begin) + body;
    if (part.hasOther)
      kernel.body +=
          "  bra Done;\nOther:\n  not.b32 %r14, %r14;\n" + body + "Done:\n";
    kernel.body += "  st.global.v4.b32 [%out], {%r8, %r9, %r10, %r11};\n";
    Random random(kernel.name);
    cases.push_back(kernel.make([&](size_t i, MutableArrayRef<uint8_t> bytes) {
      for (uint8_t &byte : bytes)
        byte = uint8_t(random.next() >> 56);
      record(i, bytes, random);
    }));
  }
}

static void setWord(MutableArrayRef<uint8_t> record, unsigned index,
                    uint32_t value) {
  std::memcpy(record.data() + 4 * index, &value, 4);
}

static const char *noResults =
    "  mov.u32 %r8, 0;\n  mov.u32 %r9, 0;\n  mov.u32 %r10, 0;\n"
    "  mov.u32 %r11, 0;\n";

static void addShuffles(std::vector<Case> &cases) {
  for (const char *mode : {"up", "down", "bfly", "idx"})
    for (uint32_t clamp :
         {0x1fu, 0u, 0x1c1fu, 0x1800u, 0x180fu, 0x1003u, 0x101fu, 0x0f1fu}) {
      std::string base = std::string("shfl.") + mode + "-" + number(clamp);
      std::string c = number(clamp), m = mode;
      // Lanes that do not take part are not read from: the source is found
      // first, and asked for only if it takes part.
      std::string first = std::string(noResults) + "  shfl.sync." + m +
                          ".b32 %r8|%p0, %r0, %r1, " + c +
                          ", %r14;\n  selp.u32 %r9, 1, 0, %p0;\n";
      std::string constant = "  shfl.sync." + m + ".b32 %r10|%p1, %r0, 5, " +
                             c + ", -1;\n  selp.u32 %r11, 1, 0, %p1;\n";
      addForParts(
          cases, base, first + constant,
          [](size_t, MutableArrayRef<uint8_t>, Random &) {}, 1);
      addForParts(
          cases, base + "-register",
          std::string(noResults) + "  mov.u32 %r4, " + c + ";\n  shfl.sync." +
              m +
              ".b32 %r8|%p0, %r0, %r1, %r4, %r14;\n"
              "  selp.u32 %r9, 1, 0, %p0;\n"
              "  shfl.sync." +
              m + ".b32 %r0, %r0, %r1, %r4, %r14;\n  mov.b32 %r10, %r0;\n",
          [](size_t, MutableArrayRef<uint8_t> bytes, Random &random) {
            setWord(bytes, 1,
                    uint32_t(random.below(random.oneIn(4) ? 70 : 32)));
          },
          1);
    }
  // Parts of warps, where the source takes part: even distances among the even
  // and the odd lanes, the own lane among others.
  for (unsigned distance : {2u, 4u, 8u, 16u, 0u}) {
    std::string d = number(distance);
    std::string body = std::string(noResults) +
                       "  mov.u32 %r4, %laneid;\n  xor.b32 %r4, %r4, " + d +
                       ";\n  shfl.sync.bfly.b32 %r8, %r0, " + d +
                       ", 31, %r14;\n  shfl.sync.idx.b32 %r9, %r1, %r4, 31, "
                       "%r14;\n  shfl.sync.up.b32 %r10|%p0, %r2, " +
                       d + ", 0, %r14;\n  selp.u32 %r11, 1, 0, %p0;\n";
    addForParts(
        cases, "shfl-distance-" + d, body,
        [](size_t, MutableArrayRef<uint8_t>, Random &) {},
        distance ? 2 : std::size(parts));
  }
}

static void addVotes(std::vector<Case> &cases) {
  // How many lanes say yes: none, few, half, nearly all, all.
  for (unsigned yes : {0u, 1u, 8u, 15u, 16u}) {
    std::string body = std::string(noResults) +
                       "  setp.ne.u32 %p0, %r1, 0;\n"
                       "  vote.sync.all.pred %p1, %p0, %r14;\n"
                       "  vote.sync.any.pred %p2, %p0, %r14;\n"
                       "  vote.sync.uni.pred %p3, %p0, %r14;\n"
                       "  vote.sync.ballot.b32 %r8, %p0, %r14;\n"
                       "  vote.sync.ballot.b32 %r11, !%p0, %r14;\n"
                       "  selp.u32 %r9, 1, 0, %p1;\n"
                       "  @%p2 add.u32 %r9, %r9, 2;\n"
                       "  @%p3 add.u32 %r9, %r9, 4;\n"
                       "  vote.sync.any.pred %p4, !%p0, %r14;\n"
                       "  selp.u32 %r10, 1, 0, %p4;\n";
    addForParts(cases, "vote-" + number(yes), body,
                [&](size_t, MutableArrayRef<uint8_t> bytes, Random &random) {
                  setWord(bytes, 1, random.below(16) < yes);
                });
  }
}

static void addMatches(std::vector<Case> &cases) {
  // Of how many values: one, few, many.
  for (unsigned values : {1u, 2u, 5u, 40u})
    for (bool isWide : {false, true}) {
      std::string type = isWide ? ".b64" : ".b32", a = isWide ? "%d0" : "%r0";
      std::string body = std::string(noResults) + "  match.any.sync" + type +
                         " %r8, " + a + ", %r14;\n  match.all.sync" + type +
                         " %r9|%p0, " + a +
                         ", %r14;\n  selp.u32 %r10, 1, 0, %p0;\n";
      addForParts(cases, "match" + type + "-" + number(values), body,
                  [&](size_t, MutableArrayRef<uint8_t> bytes, Random &random) {
                    uint64_t value = random.below(values);
                    setWord(bytes, 0, uint32_t(value * 2654435761u));
                    setWord(bytes, 1, uint32_t(value ^ value >> 1));
                  });
    }
}

static void addReductions(std::vector<Case> &cases) {
  for (const char *op : {"add.u32", "add.s32", "min.u32", "min.s32", "max.u32",
                         "max.s32", "and.b32", "or.b32", "xor.b32"}) {
    bool isAnd = op[0] == 'a' && op[1] == 'n', isOr = op[0] == 'o';
    std::string body = std::string(noResults) + "  redux.sync." + op +
                       " %r8, %r0, %r14;\n  redux.sync." + op +
                       " %r9, %r1, %r14;\n";
    addForParts(cases, std::string("redux.") + op, body,
                [&](size_t, MutableArrayRef<uint8_t> bytes, Random &random) {
                  for (unsigned k = 0; k < 2; ++k) {
                    auto value = uint32_t(random.next());
                    for (unsigned i = 0; i < 4; ++i)
                      value = isAnd  ? value | uint32_t(random.next())
                              : isOr ? value & uint32_t(random.next())
                                     : value;
                    setWord(bytes, k, value);
                  }
                });
  }
}

static void addGroups(std::vector<Case> &cases) {
  auto any = [](size_t, MutableArrayRef<uint8_t>, Random &) {};
  addForParts(cases, "elect",
              std::string(noResults) + "  elect.sync %r8|%p0, %r14;\n"
                                       "  selp.u32 %r9, 1, 0, %p0;\n"
                                       "  elect.sync _|%p1, %r14;\n"
                                       "  selp.u32 %r10, 1, 0, %p1;\n",
              any);
  addForParts(cases, "activemask",
              std::string(noResults) + "  bar.warp.sync %r14;\n"
                                       "  activemask.b32 %r8;\n",
              any);
  // What each lane has stored before the barrier, the next one reads after it.
  addForParts(cases, "bar.warp.sync",
              std::string(noResults) +
                  "  mov.u32 %r4, place;\n  mad.lo.u32 %r4, %t, 4, %r4;\n"
                  "  st.shared.b32 [%r4], %r0;\n  bar.warp.sync %r14;\n"
                  "  xor.b32 %r5, %r4, 8;\n  ld.shared.b32 %r8, [%r5];\n"
                  "  bar.warp.sync %r14;\n  st.shared.b32 [%r4], %r1;\n"
                  "  bar.warp.sync %r14;\n  ld.shared.b32 %r9, [%r5];\n",
              any, 2);
  for (Case &testCase : cases)
    if (StringRef(testCase.name).starts_with("bar.warp.sync"))
      testCase.text.insert(testCase.text.find("  ld.param"),
                           "  .shared .align 16 .b32 place[128];\n");
}

/// Loops that different lanes leave at different times, then everything at once
/// again.
static void addMeetings(std::vector<Case> &cases) {
  std::string body = std::string(noResults) +
                     "  and.b32 %r4, %r1, 7;\n  mov.u32 %r5, 0;\n"
                     "Round:\n  setp.ge.u32 %p0, %r5, %r4;\n"
                     "  @%p0 bra Left;\n  mad.lo.u32 %r0, %r0, 5, %r5;\n"
                     "  add.u32 %r5, %r5, 1;\n  bra Round;\nLeft:\n"
                     "  bar.warp.sync -1;\n"
                     "  redux.sync.add.u32 %r8, %r5, -1;\n"
                     "  shfl.sync.down.b32 %r9, %r0, 1, 31, -1;\n"
                     "  and.b32 %r6, %r2, 3;\n"
                     "  match.any.sync.b32 %r10, %r6, -1;\n"
                     // Those with one value go on together.
                     "  setp.eq.u32 %p1, %r6, 0;\n  @%p1 bra Zero;\n"
                     "  redux.sync.xor.b32 %r11, %r0, %r10;\n  bra Met;\n"
                     "Zero:\n  redux.sync.max.u32 %r11, %r0, %r10;\nMet:\n";
  addForParts(
      cases, "meet-after-loop", body,
      [](size_t, MutableArrayRef<uint8_t>, Random &) {}, 1);
}

void differential::addWarpCases(std::vector<Case> &cases) {
  addShuffles(cases);
  addVotes(cases);
  addMatches(cases);
  addReductions(cases);
  addGroups(cases);
  addMeetings(cases);
}
