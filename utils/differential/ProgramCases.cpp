//===- ProgramCases.cpp - Random programs ---------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs with nested branches, loops whose trip counts come from data,
// switches, calls, early ends, and regions in which any block may jump to any
// other one. Each basic block adds one to a counter of its own, so that what
// comes out is how often each was executed, beside the values that were
// computed; the emulator's counts of an instruction of the block must be the
// same.
//
// In a uniform program all branches look at values that are the same in a warp.
// There a second counter is for the warps: only the first lane adds to it.
//
//===----------------------------------------------------------------------===//

#include "Case.h"
#include "Operands.h"

#include <cstring>

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::differential;

static constexpr unsigned valueCount = 6;

namespace {
/// What a program is made of.
struct Style {
  const char *name;
  bool isUniform, hasJumps, hasCalls, hasEnds;
};

class ProgramWriter {
public:
  ProgramWriter(const std::string &name, const Style &style)
      : style(style), random(name) {
    testCase.name = name;
    testCase.family = "program";
  }

  Case write();

private:
  void line(const std::string &text) { testCase.text += text + "\n"; }
  std::string number(uint64_t value) { return std::to_string(value); }
  /// "%v3".
  std::string value() { return "%v" + number(random.below(valueCount)); }
  std::string label() { return "L" + number(labels++); }
  std::string predicate() { return "%p" + number(predicates++ % 40); }

  /// The start of a basic block: its counters, and the instruction that the
  /// emulator counts.
  void beginBlock();
  void arithmetic();
  /// Sets a predicate from data and returns it.
  std::string condition();
  /// A value below `bound` that is not zero in most threads, in a register.
  std::string smallNumber(unsigned bound);

  void statements(unsigned depth);
  void statement(unsigned depth);
  void ifElse(unsigned depth);
  void loop(unsigned depth);
  void switchOn(unsigned depth);
  void jumps();
  void callFunction();
  void callByAddress();
  void warpOperation();
  void earlyEnd();
  void storeResults(const std::string &guard);

  void function(unsigned index);

  Style style;
  Random random;
  Case testCase;
  unsigned labels = 0, predicates = 0, temporaries = 0, blocks = 0;
  unsigned callable = 0;
  /// Text is in a function, and how many loops are around.
  bool inFunction = false;
  unsigned loops = 0;
  /// Blocks that may still be begun.
  unsigned budget = 0;
};
} // namespace

static constexpr unsigned maxBlocks = 160;

void ProgramWriter::beginBlock() {
  uint64_t offset = 16 * uint64_t(blocks++);
  line("  red.global.add.u64 [%counts+" + number(offset) + "], 1;");
  line("  add.u32 %steps, %steps, 1;");
  unsigned marker = unsigned(StringRef(testCase.text).count('\n'));
  testCase.counted.push_back({marker, 2, offset, false});
  if (!style.isUniform)
    return;
  line("  @%first red.global.add.u64 [%counts+" + number(offset + 8) + "], 1;");
  testCase.counted.push_back({marker, 2, offset + 8, true});
}

void ProgramWriter::arithmetic() {
  static constexpr StringLiteral twoOperands[] = {
      "add.u32", "sub.u32", "xor.b32",    "and.b32",    "or.b32",
      "min.s32", "max.u32", "mul.lo.u32", "mul.hi.u32", "min.u32"};
  for (uint64_t count = 1 + random.below(4); count; --count) {
    std::string d = value(), a = value(), b = value();
    switch (random.below(8)) {
    case 0:
      line("  shf.l.wrap.b32 " + d + ", " + a + ", " + b + ", " +
           number(random.below(32)) + ";");
      break;
    case 1:
      line("  mad.lo.u32 " + d + ", " + a + ", " +
           number(random.below(1000) * 2 + 1) + ", " + b + ";");
      break;
    case 2: {
      std::string p = condition();
      line("  selp.b32 " + d + ", " + a + ", " + b + ", " + p + ";");
      break;
    }
    case 3: {
      // A guard is no branch.
      std::string p = condition();
      line("  @" + std::string(random.oneIn(2) ? "!" : "") + p + " xor.b32 " +
           d + ", " + a + ", " + number(random.below(1u << 31)) + ";");
      break;
    }
    case 4:
      line("  add.u32 " + d + ", " + a + ", " + number(random.below(1u << 31)) +
           ";");
      break;
    default:
      line("  " + random.pick(ArrayRef<StringLiteral>(twoOperands)).str() +
           " " + d + ", " + a + ", " + b + ";");
    }
  }
}

std::string ProgramWriter::condition() {
  static constexpr StringLiteral comparisons[] = {"eq.u32", "ne.u32", "lt.u32",
                                                  "ge.s32", "gt.s32", "le.u32"};
  std::string p = predicate(), scratch = "%x" + number(temporaries++ % 40);
  StringRef comparison = random.pick(ArrayRef<StringLiteral>(comparisons));
  if (random.oneIn(3)) {
    line("  setp." + comparison.str() + " " + p + ", " + value() + ", " +
         value() + ";");
  } else {
    // A few bits, so that threads disagree.
    unsigned bits = 1 + unsigned(random.below(3));
    line("  bfe.u32 " + scratch + ", " + value() + ", " +
         number(random.below(32 - bits)) + ", " + number(bits) + ";");
    line("  setp." + comparison.str() + " " + p + ", " + scratch + ", " +
         number(random.below(uint64_t(1) << bits)) + ";");
  }
  return p;
}

std::string ProgramWriter::smallNumber(unsigned bound) {
  std::string scratch = "%x" + number(temporaries++ % 40);
  line("  shr.u32 " + scratch + ", " + value() + ", " +
       number(random.below(16)) + ";");
  line("  rem.u32 " + scratch + ", " + scratch + ", " + number(bound) + ";");
  return scratch;
}

void ProgramWriter::statements(unsigned depth) {
  for (uint64_t count = 1 + random.below(3); count && budget; --count)
    statement(depth);
}

void ProgramWriter::statement(unsigned depth) {
  if (!depth || !budget)
    return arithmetic();
  switch (random.below(14)) {
  case 0:
  case 1:
  case 2:
  case 3:
    return ifElse(depth);
  case 4:
  case 5:
  case 6:
    return loop(depth);
  case 7:
  case 8:
    return switchOn(depth);
  case 9:
    return style.hasJumps ? jumps() : ifElse(depth);
  case 10:
  case 11:
    return style.hasCalls && callable       ? callFunction()
           : style.isUniform && !inFunction ? warpOperation()
                                            : arithmetic();
  case 12:
    return style.hasCalls && callable > 1 && !inFunction ? callByAddress()
                                                         : arithmetic();
  default:
    return style.hasEnds ? earlyEnd() : arithmetic();
  }
}

void ProgramWriter::ifElse(unsigned depth) {
  std::string other = label(), end = label(), p = condition();
  bool hasElse = random.oneIn(2);
  std::string guard = random.oneIn(2) ? "@" + p : "@!" + p;
  line("  " + guard + " bra" +
       (style.isUniform && random.oneIn(2) ? ".uni" : "") + " " +
       (hasElse ? other : end) + ";");
  budget -= budget > 0;
  beginBlock();
  arithmetic();
  statements(depth - 1);
  if (hasElse) {
    line("  bra " + end + ";");
    line(other + ":");
    beginBlock();
    arithmetic();
    statements(depth - 1);
  }
  line(end + ":");
  beginBlock();
}

void ProgramWriter::loop(unsigned depth) {
  if (loops == 3)
    return arithmetic();
  ++loops;
  std::string head = label(), next = label(), end = label();
  std::string index = "%i" + number(loops + (inFunction ? 4 : 0));
  std::string trips = "%n" + number(loops + (inFunction ? 4 : 0));
  std::string bound = smallNumber(2 + unsigned(random.below(7)));
  line("  mov.u32 " + index + ", 0;");
  line("  mov.u32 " + trips + ", " + bound + ";");
  bool testsFirst = random.oneIn(2);
  line(head + ":");
  budget -= budget > 0;
  beginBlock();
  std::string p = predicate();
  if (testsFirst) {
    line("  setp.ge.u32 " + p + ", " + index + ", " + trips + ";");
    line("  @" + p + " bra " + end + ";");
    beginBlock();
  }
  line("  add.u32 %v0, %v0, " + index + ";");
  arithmetic();
  statements(depth - 1);
  if (random.oneIn(3)) {
    std::string leaves = condition();
    line("  @" + leaves + " bra " + end + ";");
    beginBlock();
  }
  if (random.oneIn(4)) {
    std::string skips = condition();
    line("  @" + skips + " bra " + next + ";");
    beginBlock();
    arithmetic();
  }
  line(next + ":");
  beginBlock();
  line("  add.u32 " + index + ", " + index + ", 1;");
  if (testsFirst) {
    line("  bra " + head + ";");
  } else {
    line("  setp.lt.u32 " + p + ", " + index + ", " + trips + ";");
    line("  @" + p + " bra " + head + ";");
  }
  line(end + ":");
  beginBlock();
  --loops;
}

void ProgramWriter::switchOn(unsigned depth) {
  unsigned count = 2 + unsigned(random.below(5));
  std::string table = "T" + number(labels++), end = label();
  std::string index = smallNumber(count);
  std::vector<std::string> targets;
  std::string list;
  for (unsigned i = 0; i < count; ++i) {
    // Some share a block.
    targets.push_back(i && random.oneIn(4) ? targets[random.below(i)]
                                           : label());
    list += (i ? ", " : "") + targets.back();
  }
  line("  " + table + ": .branchtargets " + list + ";");
  line("  brx.idx " + index + ", " + table + ";");
  budget -= budget > 0;
  for (unsigned i = 0; i < count; ++i) {
    if (std::find(targets.begin(), targets.begin() + i, targets[i]) !=
        targets.begin() + i)
      continue;
    line(targets[i] + ":");
    beginBlock();
    arithmetic();
    if (budget && random.oneIn(3))
      statements(depth - 1);
    // Or on into the next one.
    if (!random.oneIn(4))
      line("  bra " + end + ";");
  }
  line(end + ":");
  beginBlock();
}

/// Blocks that jump to each other until the thread has no steps left.
void ProgramWriter::jumps() {
  unsigned count = 3 + unsigned(random.below(5));
  std::string end = label(), fuel = inFunction ? "%fuel1" : "%fuel0";
  std::vector<std::string> targets;
  for (unsigned i = 0; i < count; ++i)
    targets.push_back(label());
  std::string steps = smallNumber(24);
  line("  add.u32 " + fuel + ", " + steps + ", 2;");
  budget -= budget > 0;
  for (unsigned i = 0; i < count; ++i) {
    line(targets[i] + ":");
    beginBlock();
    std::string empty = predicate();
    line("  sub.u32 " + fuel + ", " + fuel + ", 1;");
    line("  setp.eq.u32 " + empty + ", " + fuel + ", 0;");
    line("  @" + empty + " bra " + end + ";");
    beginBlock();
    arithmetic();
    std::string p = condition();
    line("  @" + p + " bra " + targets[random.below(count)] + ";");
    beginBlock();
    arithmetic();
    if (random.oneIn(3))
      line("  bra " + (random.oneIn(4) ? end : targets[random.below(count)]) +
           ";");
    else if (random.oneIn(3)) {
      std::string index = smallNumber(3), table = "T" + number(labels++);
      line("  " + table + ": .branchtargets " + targets[random.below(count)] +
           ", " + targets[random.below(count)] + ", " + end + ";");
      line("  brx.idx " + index + ", " + table + ";");
    }
  }
  line(end + ":");
  beginBlock();
}

void ProgramWriter::callFunction() {
  // A function calls those that were defined before it.
  std::string callee = "@f" + number(random.below(callable));
  line("  { .param .b32 a0; .param .b32 a1; .param .b64 a2; .param .b32 r0;");
  line("  st.param.b32 [a0], " + value() + ";");
  line("  st.param.b32 [a1], " + value() + ";");
  line("  st.param.b64 [a2], %counts;");
  line("  call (r0), " + callee + ", (a0, a1, a2);");
  line("  ld.param.b32 " + value() + ", [r0]; }");
  budget -= budget > 0;
  beginBlock();
}

/// Threads may call different functions.
void ProgramWriter::callByAddress() {
  std::string p = condition();
  std::string prototype = "P" + number(labels++);
  line("  { .param .b32 a0; .param .b32 a1; .param .b64 a2; .param .b32 r0;");
  line("  " + prototype +
       ": .callprototype (.param .b32 r) _ (.param .b32 x, .param .b32 y, "
       ".param .b64 z);");
  line("  mov.u64 %f0, @f" + number(random.below(callable)) + ";");
  line("  mov.u64 %f1, @f" + number(random.below(callable)) + ";");
  line("  selp.b64 %f0, %f0, %f1, " + p + ";");
  line("  st.param.b32 [a0], " + value() + ";");
  line("  st.param.b32 [a1], " + value() + ";");
  line("  st.param.b64 [a2], %counts;");
  line("  call (r0), %f0, (a0, a1, a2), " + prototype + ";");
  line("  ld.param.b32 " + value() + ", [r0]; }");
  budget -= budget > 0;
  beginBlock();
}

/// All lanes of a warp take part: branches are uniform.
void ProgramWriter::warpOperation() {
  std::string mine = "%w" + number(random.below(2));
  switch (random.below(5)) {
  case 0:
    line("  shfl.sync.bfly.b32 " + mine + ", " + mine + ", " +
         number(1 + random.below(31)) + ", 31, -1;");
    break;
  case 1:
    line("  redux.sync.add.u32 %x0, " + mine + ", -1;");
    line("  xor.b32 " + value() + ", " + value() + ", %x0;");
    break;
  case 2:
    line("  setp.lt.s32 %q, " + mine + ", 0;");
    line("  vote.sync.ballot.b32 %x0, %q, -1;");
    line("  add.u32 " + value() + ", " + value() + ", %x0;");
    break;
  case 3:
    line("  bar.warp.sync -1;");
    line("  mad.lo.u32 " + mine + ", " + mine + ", 747796405, %lane;");
    break;
  default:
    line("  activemask.b32 %x0;");
    line("  add.u32 " + value() + ", " + value() + ", %x0;");
  }
}

void ProgramWriter::storeResults(const std::string &guard) {
  for (unsigned i = 0; i < valueCount; ++i)
    line("  " + guard + "st.global.u32 [%out+" + number(4 * i) + "], %v" +
         number(i) + ";");
  line("  " + guard + "st.global.u32 [%out+" + number(4 * valueCount) +
       "], %steps;");
  line("  " + guard + "st.global.u32 [%out+" + number(4 * valueCount + 4) +
       "], %w0;");
}

void ProgramWriter::earlyEnd() {
  // Not for all: a few bits decide.
  std::string p = condition();
  if (inFunction) {
    if (random.oneIn(2)) {
      line("  @" + p + " st.param.b32 [result], %v1;");
      line("  @" + p + " ret;");
    } else {
      std::string on = label();
      line("  @" + p + " bra " + on + ";");
      beginBlock();
      line("  st.param.b32 [result], %v2;");
      line("  ret;");
      line(on + ":");
    }
  } else if (random.oneIn(2)) {
    storeResults("@" + p + " ");
    line("  @" + p + (random.oneIn(2) ? " exit;" : " ret;"));
  } else {
    std::string on = label();
    line("  @" + p + " bra " + on + ";");
    beginBlock();
    storeResults("");
    line(random.oneIn(2) ? "  exit;" : "  ret;");
    line(on + ":");
  }
  beginBlock();
}

static const char *registersText =
    "  .reg .pred %p<40>, %q, %first; .reg .b32 %v<6>, %x<40>, %i<8>, %n<8>;\n"
    "  .reg .b32 %t, %s, %steps, %lane, %w<2>, %fuel<2>;\n"
    "  .reg .b64 %in, %out, %counts, %f<2>;\n";

void ProgramWriter::function(unsigned index) {
  inFunction = true;
  labels = 0;
  line(".func (.param .b32 result) @f" + number(index) +
       "(.param .b32 a, .param .b32 b, .param .b64 c) {");
  testCase.text += registersText;
  line("  ld.param.b32 %v0, [a];");
  line("  ld.param.b32 %v1, [b];");
  line("  ld.param.b64 %counts, [c];");
  line("  mov.u32 %steps, 0;");
  line("  not.b32 %v2, %v0;");
  line("  add.u32 %v3, %v0, %v1;");
  line("  shr.u32 %v4, %v1, 3;");
  line("  mov.u32 %v5, " + number(random.below(1u << 31)) + ";");
  line("  mov.u32 %lane, %laneid;");
  line("  setp.eq.u32 %first, %lane, 0;");
  beginBlock();
  budget = 3;
  statements(2);
  line("  add.u32 %v0, %v0, %v3;");
  line("  xor.b32 %v0, %v0, %v5;");
  line("  st.param.b32 [result], %v0;");
  line("  ret;");
  line("}");
  callable = index + 1;
  inFunction = false;
}

Case ProgramWriter::write() {
  unsigned threads = style.isUniform ? 96 : 64 + 32 * unsigned(random.below(3));
  if (!style.isUniform && random.oneIn(4))
    threads -= 9; // Not a whole warp.
  constexpr unsigned ctas = 3;
  if (style.hasCalls)
    for (unsigned i = 0, count = 2 + unsigned(random.below(3)); i < count; ++i)
      function(i);
  labels = 0;
  line(".entry @kernel(.param .u64 in, .param .u64 out, .param .u64 counts) {");
  testCase.text += registersText;
  line("  ld.param.u64 %in, [in];");
  line("  ld.param.u64 %out, [out];");
  line("  ld.param.u64 %counts, [counts];");
  line("  mov.u32 %s, %ctaid.x;");
  line("  mov.u32 %t, %tid.x;");
  line("  mad.lo.u32 %t, %s, " + number(threads) + ", %t;");
  line("  mad.wide.u32 %out, %t, 32, %out;");
  // The same for a warp.
  if (style.isUniform)
    line("  and.b32 %s, %t, -32;");
  else
    line("  mov.u32 %s, %t;");
  line("  mad.wide.u32 %in, %s, 32, %in;");
  line("  ld.global.v4.u32 {%v0, %v1, %v2, %v3}, [%in];");
  line("  ld.global.v2.u32 {%v4, %v5}, [%in+16];");
  line("  mad.lo.u32 %w0, %t, -1640531535, %v0;");
  line("  xor.b32 %w1, %w0, %v1;");
  line("  mov.u32 %lane, %laneid;");
  line("  setp.eq.u32 %first, %lane, 0;");
  line("  mov.u32 %steps, 0;");
  beginBlock();
  budget = 8 + unsigned(random.below(10));
  while (budget && blocks < maxBlocks)
    statements(3);
  storeResults("");
  line("  ret;");
  line("}");

  Buffer in, out, counts;
  in.bytes.resize(size_t(32) * threads * ctas);
  for (size_t i = 0; i < in.bytes.size(); i += 8) {
    uint64_t word = random.next();
    std::memcpy(in.bytes.data() + i, &word, 8);
  }
  out.isOutput = counts.isOutput = true;
  out.bytes.assign(size_t(32) * threads * ctas, 0xcc);
  counts.bytes.resize(16 * size_t(blocks));
  testCase.buffers = {std::move(in), std::move(out), std::move(counts)};
  testCase.params = {BufferParam{0, 0}, BufferParam{1, 0}, BufferParam{2, 0}};
  testCase.grid = {ctas};
  testCase.block = {threads};
  return std::move(testCase);
}

void differential::addProgramCases(std::vector<Case> &cases) {
  static constexpr Style styles[] = {
      {"branches", false, false, false, false},
      {"ends", false, false, false, true},
      {"jumps", false, true, false, true},
      {"calls", false, false, true, true},
      {"everything", false, true, true, true},
      {"uniform", true, true, false, false},
  };
  for (const Style &style : styles)
    for (unsigned i = 0; i < 70; ++i) {
      std::string name =
          "program-" + std::string(style.name) + "-" + std::to_string(i);
      cases.push_back(ProgramWriter(name, style).write());
    }
}
