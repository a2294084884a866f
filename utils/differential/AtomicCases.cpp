//===- AtomicCases.cpp - atom and red -------------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each operation, type and vector in each space, with a few of the orders and
// scopes: by each thread at a place of its own, and by many threads at a few
// places where the order cannot be seen.
//
//===----------------------------------------------------------------------===//

#include "ThreadKernel.h"
#include "ptxbench/ISA/Combinations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/xxhash.h"

#include <cstring>
#include <map>

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::differential;

namespace {
struct Atomic {
  std::string mnemonic, op, type;
  unsigned count = 1;
  bool isVector = false, isShared = false, hasHint = false, hasResult = false;

  Kind kind() const { return kindOfType(type); }
  unsigned bits() const { return type == "b128" ? 128 : kind().width(); }
  bool isFloat() const { return kind().base >= Kind::F16; }
  std::string prefix() const { return registerPrefix(bits()); }
  /// "f32", as loads have it.
  std::string plainType() const { return ".b" + number(bits()); }
  /// Registers from `first` on; of a vector in braces.
  std::string registers(unsigned first) const {
    std::string list = operandOf(prefix(), count, first);
    return isVector && count == 1 ? "{" + list + "}" : list;
  }
  /// With the address and the value registers; `c` of a compare-and-swap.
  std::string text(const std::string &address) const {
    std::string operands = hasResult ? registers(8) + ", " : "";
    operands += "[" + address + "], " + registers(0);
    if (op == "cas")
      operands += ", " + operandOf(prefix(), 1, 4);
    if (hasHint)
      operands += ", %d15";
    return "  " + mnemonic + " " + operands + ";\n";
  }
};
} // namespace

static Atomic describe(const OpcodeInfo &info, ArrayRef<Mod> mods) {
  Atomic atomic;
  atomic.mnemonic = mnemonicOf(info, mods);
  atomic.hasResult = info.name == "atom";
  for (Mod mod : mods) {
    StringRef name = stringifyMod(mod);
    if (name == "v2" || name == "v4" || name == "v8") {
      atomic.isVector = true;
      atomic.count = unsigned(name[1] - '0');
    } else if (name.starts_with("shared")) {
      atomic.isShared = true;
    } else if (name == "L2::cache_hint") {
      atomic.hasHint = true;
    } else if (is_contained({"add", "and", "or", "xor", "exch", "cas", "min",
                             "max", "inc", "dec"},
                            name)) {
      atomic.op = name.str();
    }
  }
  atomic.type = stringifyMod(mods.back()).str();
  return atomic;
}

/// Of the forms that only differ in order and scope, a few.
static std::vector<Atomic> chooseAtomics() {
  constexpr size_t chosenOfEach = 2;
  std::map<std::string, std::map<uint64_t, Atomic>> groups;
  for (StringRef opcode : {"atom", "red"}) {
    const OpcodeInfo &info = getOpcodeInfo(*lookupOpcode(opcode));
    for (const InstForm &form : info.forms)
      forEachModifierList(
          form, TargetArch{90, 'a'}, 90, [&](ArrayRef<Mod> mods) {
            Atomic atomic = describe(info, mods);
            // ptxas 13.0 crashes on vectors of eight elements.
            if (atomic.count == 8)
              return;
            std::string key = opcode.str() + "." + atomic.op + "." +
                              atomic.type + "." + number(atomic.count);
            for (Mod mod : mods) {
              StringRef name = stringifyMod(mod);
              if (name.starts_with("shared") || name == "global")
                key += "." + name.str();
            }
            auto &group = groups[key];
            group.emplace(xxh3_64bits(StringRef(atomic.mnemonic)), atomic);
            if (group.size() > chosenOfEach)
              group.erase(std::prev(group.end()));
          });
  }
  std::vector<Atomic> chosen;
  for (const auto &group : groups)
    for (const auto &entry : group.second)
      chosen.push_back(entry.second);
  return chosen;
}

static bool isNaN(Kind::Base base, uint64_t bits) {
  switch (base) {
  case Kind::F16:
    return (bits & 0x7fff) > 0x7c00;
  case Kind::BF16:
    return (bits & 0x7fff) > 0x7f80;
  case Kind::F32:
    return (bits & 0x7fffffff) > 0x7f800000;
  case Kind::F64:
    return (bits << 1) > 0xffe0000000000000;
  default:
    return false;
  }
}

/// The place of 16 bytes, the value and what a compare-and-swap stores.
static void makeRecord(const Atomic &atomic, bool withNaNs, size_t index,
                       Random &random, MutableArrayRef<uint8_t> record) {
  Kind kind = atomic.kind();
  unsigned bytes = std::min(kind.bits, 64u) / 8;
  Kind pair[2] = {kind, kind};
  pair[0].lanes = pair[1].lanes = 1;
  OperandSource source(pair, random);
  for (unsigned i = 0; i < 16; i += bytes) {
    uint64_t values[2];
    source.fill(index + i * 37 % 256, 1 << 20, values);
    if (atomic.op == "inc" || atomic.op == "dec")
      for (uint64_t &value : values)
        if (!random.oneIn(8))
          value = random.below(4);
    // Some are in the middle of the numbers, and not at the edges.
    if (random.oneIn(2) && kind.base == Kind::F32)
      for (uint64_t &value : values)
        value = bitsOf(Kind::F32, double(random.below(1 << 20)) * 0.37);
    for (uint64_t &value : values)
      if (isNaN(kind.base, value) && !withNaNs)
        value = kind.base == Kind::BF16 ? 0x3f80 : 0x3c00;
    if (withNaNs && random.oneIn(2))
      values[random.below(2)] |= kind.base == Kind::F16    ? 0x7c01
                                 : kind.base == Kind::BF16 ? 0x7f81
                                 : kind.base == Kind::F32  ? 0x7f800001
                                                           : 0x7ff0000000000001;
    std::memcpy(record.data() + i, &values[0], bytes);
    std::memcpy(record.data() + 16 + i, &values[1], bytes);
  }
  for (unsigned i = 32; i < 48; ++i)
    record[i] = uint8_t(random.next() >> 56);
  // A compare-and-swap that finds what it expects.
  if (atomic.op == "cas" && random.oneIn(2))
    std::memcpy(record.data() + 16, record.data(), 16);
}

/// Declares a shared array with 16 bytes for each thread; %r15 is the thread's.
static const char *sharedText =
    "  .shared .align 16 .b8 place[2048];\n  mov.u32 %r15, place;\n"
    "  mad.lo.u32 %r15, %t, 16, %r15;\n";

static void addOwnPlaces(std::vector<Case> &cases, const Atomic &atomic,
                         bool withNaNs) {
  RecordKernel kernel;
  kernel.name = nameOf(atomic.mnemonic) + (withNaNs ? "-nan" : "");
  kernel.family = "atomic";
  kernel.inputBytes = 48;
  kernel.outputBytes = 32;
  std::string vector = atomic.count == 1 ? "" : ".v" + number(atomic.count);
  std::string type = vector + atomic.plainType();
  std::string place = atomic.isShared ? "%r15" : "%out";
  std::string space = atomic.isShared ? ".shared" : ".global";
  kernel.body = atomic.isShared ? sharedText : "";
  kernel.body += "  ld.global.v2.b64 {%d12, %d13}, [%in];\n  st" + space +
                 ".v2.b64 [" + place + "], {%d12, %d13};\n";
  if (atomic.hasHint)
    kernel.body += "  createpolicy.fractional.L2::evict_first.b64 %d15, 1.0;\n";
  kernel.body +=
      "  ld.global" + type + " " + atomic.registers(0) + ", [%in+16];\n";
  if (atomic.op == "cas")
    kernel.body += "  ld.global" + type + " " +
                   operandOf(atomic.prefix(), 1, 4) + ", [%in+32];\n";
  kernel.body += atomic.text(place);
  if (atomic.hasResult)
    kernel.body +=
        "  st.global" + type + " [%out+16], " + atomic.registers(8) + ";\n";
  kernel.body += "  ld" + space + ".v2.b64 {%d12, %d13}, [" + place +
                 "];\n  st.global.v2.b64 [%out], {%d12, %d13};\n";
  Random random(kernel.name);
  cases.push_back(kernel.make([&](size_t i, MutableArrayRef<uint8_t> record) {
    makeRecord(atomic, withNaNs, i, random, record);
  }));
}

//===----------------------------------------------------------------------===//
// Few places
//===----------------------------------------------------------------------===//

/// Whether the order of operations cannot be seen in memory. Sums of floating
/// point are of small whole numbers.
static bool hasNoOrder(const Atomic &atomic) {
  return atomic.op != "exch" && atomic.op != "cas";
}

/// The least value of a format for 1, so that sums stay exact.
static uint64_t oneOf(Kind::Base base) {
  switch (base) {
  case Kind::F16:
    return 0x3c00;
  case Kind::BF16:
    return 0x3f80;
  default:
    return bitsOf(base, 1.0);
  }
}

static void addFewPlaces(std::vector<Case> &cases, const Atomic &atomic) {
  Case testCase;
  testCase.name = nameOf(atomic.mnemonic) + "-contended";
  testCase.family = "atomic";
  testCase.block = {128};
  testCase.grid = {atomic.isShared ? 1u : 4u};
  unsigned threads = 128 * testCase.grid.x;
  std::string vector = atomic.count == 1 ? "" : ".v" + number(atomic.count);
  std::string type = vector + atomic.plainType();
  testCase.text =
      ".entry @kernel(.param .u64 in, .param .u64 out) {\n"
      "  .reg .pred %p; .reg .b16 %h<16>; .reg .b32 %t, %c, %r<16>;\n"
      "  .reg .b64 %in, %out, %o, %d<16>;\n"
      "  ld.param.u64 %in, [in];\n  ld.param.u64 %out, [out];\n"
      "  mov.u32 %t, %tid.x;\n  mov.u32 %c, %ctaid.x;\n"
      "  mad.lo.u32 %c, %c, 128, %t;\n  mad.wide.u32 %in, %c, 16, %in;\n"
      "  and.b32 %c, %t, 3;\n  mad.wide.u32 %o, %c, 16, %out;\n";
  std::string place = "%o";
  if (atomic.isShared) {
    testCase.text += "  .shared .align 16 .b8 place[64];\n"
                     "  mov.u32 %r15, place;\n"
                     "  mad.lo.u32 %r15, %c, 16, %r15;\n"
                     "  setp.lt.u32 %p, %t, 4;\n"
                     "  @%p ld.global.v2.b64 {%d12, %d13}, [%o];\n"
                     "  @%p st.shared.v2.b64 [%r15], {%d12, %d13};\n"
                     "  bar.sync 0;\n";
    place = "%r15";
  }
  if (atomic.hasHint)
    testCase.text +=
        "  createpolicy.fractional.L2::evict_first.b64 %d15, 1.0;\n";
  testCase.text += "  ld.global" + type + " " + atomic.registers(0) +
                   ", [%in];\n" + atomic.text(place);
  // Of inc and dec each old value is seen as often in every order.
  if (atomic.hasResult && (atomic.op == "inc" || atomic.op == "dec"))
    testCase.text += "  red.global.add.u32 [%out+64], %r8;\n";
  if (atomic.isShared)
    testCase.text += "  bar.sync 0;\n"
                     "  @%p ld.shared.v2.b64 {%d12, %d13}, [%r15];\n"
                     "  @%p st.global.v2.b64 [%o], {%d12, %d13};\n";
  testCase.text += "  ret;\n}\n";

  Random random(testCase.name);
  Kind kind = atomic.kind();
  unsigned bytes = kind.bits / 8;
  Buffer in, out;
  in.bytes.resize(16 * size_t(threads));
  out.isOutput = true;
  out.bytes.resize(80);
  bool isSum = atomic.op == "add" && atomic.isFloat();
  uint64_t bound = 1 + random.below(40);
  for (std::vector<uint8_t> *values : {&in.bytes, &out.bytes})
    for (size_t i = 0; i + bytes <= values->size(); i += bytes) {
      uint64_t value = random.next();
      if (isSum)
        value = random.below(2) * oneOf(kind.base);
      else if (isNaN(kind.base, value))
        value = 0;
      else if (atomic.op == "and")
        value |= random.next() | random.next() | random.next();
      else if (atomic.op == "inc" || atomic.op == "dec")
        value = bound; // The same for all, or the order would be seen.
      std::memcpy(values->data() + i, &value, bytes);
    }
  std::memset(out.bytes.data() + 64, 0, 16);
  testCase.buffers = {std::move(in), std::move(out)};
  testCase.params = {BufferParam{0, 0}, BufferParam{1, 0}};
  cases.push_back(std::move(testCase));
}

/// Loops around a compare-and-swap until each thread has added its number.
static void addLoops(std::vector<Case> &cases) {
  struct Width {
    const char *type, *prefix;
    unsigned bytes;
  };
  static constexpr Width widths[] = {
      {"b16", "h", 2}, {"b32", "r", 4}, {"b64", "d", 8}, {"b128", "q", 16}};
  for (const Width &width : widths)
    for (const char *space : {"global", "shared"}) {
      Case testCase;
      std::string s = space, t = width.type, p = width.prefix;
      bool isShared = s == "shared", isWide = width.bytes == 16;
      testCase.name = "cas-loop." + s + "." + t;
      testCase.family = "atomic";
      testCase.block = {96};
      testCase.grid = {isShared ? 1u : 3u};
      std::string add =
          isWide ? "  mov.b128 {%d0, %d1}, %q0;\n  add.u64 %d0, %d0, 3;\n"
                   "  sub.u64 %d1, %d1, 5;\n  mov.b128 %q1, {%d0, %d1};\n"
                 : "  add.u" + number(8 * width.bytes) + " %" + p + "1, %" + p +
                       "0, 3;\n";
      std::string same =
          isWide ? "  mov.b128 {%d2, %d3}, %q2;\n  mov.b128 {%d0, %d1}, %q0;\n"
                   "  setp.eq.u64 %p, %d0, %d2;\n"
                   "  setp.eq.and.u64 %p, %d1, %d3, %p;\n"
                 : "  setp.eq.u" + number(8 * width.bytes) + " %p, %" + p +
                       "0, %" + p + "2;\n";
      testCase.text =
          ".entry @kernel(.param .u64 out) {\n"
          "  .reg .pred %p; .reg .b16 %h<4>; .reg .b32 %t, %r<4>;\n"
          "  .reg .b64 %out, %o, %d<8>; .reg .b128 %q<4>;\n"
          "  ld.param.u64 %out, [out];\n  mov.u32 %t, %tid.x;\n" +
          std::string(isShared ? "  .shared .align 16 .b8 place[16];\n"
                                 "  mov.u64 %o, place;\n"
                                 "  setp.eq.u32 %p, %t, 0;\n"
                                 "  @%p ld.global.v2.b64 {%d0, %d1}, [%out];\n"
                                 "  @%p st.shared.v2.b64 [%o], {%d0, %d1};\n"
                                 "  bar.sync 0;\n"
                               : "  mov.u64 %o, %out;\n") +
          "  ld.volatile." + s + "." +
          (isWide ? "v2.b64 {%d0, %d1}" : t + " %" + p + "0") + ", [%o];\n" +
          (isWide ? "  mov.b128 %q0, {%d0, %d1};\n" : "") + "Again:\n" + add +
          "  atom." + s + ".cas." + t + " %" + p + "2, [%o], %" + p + "0, %" +
          p + "1;\n" + same +
          (isWide ? "  mov.b128 %q0, {%d2, %d3};\n"
                  : "  mov.b" + number(8 * width.bytes) + " %" + p + "0, %" +
                        p + "2;\n") +
          "  @!%p bra Again;\n" +
          (isShared ? "  bar.sync 0;\n"
                      "  ld.shared.v2.b64 {%d0, %d1}, [%o];\n"
                      "  st.global.v2.b64 [%out], {%d0, %d1};\n"
                    : "") +
          "  ret;\n}\n";
      testCase.buffers = {{std::vector<uint8_t>(16, 0x11), true}};
      testCase.params = {BufferParam{0, 0}};
      cases.push_back(std::move(testCase));
    }
}

void differential::addAtomicCases(std::vector<Case> &cases) {
  std::vector<Atomic> atomics = chooseAtomics();
  std::map<std::string, unsigned> seen;
  for (const Atomic &atomic : atomics) {
    addOwnPlaces(cases, atomic, /*withNaNs=*/false);
    // What differs is the operation and the space.
    std::string key = atomic.op + atomic.type + number(atomic.count) +
                      (atomic.isShared ? "s" : "g") +
                      (atomic.hasResult ? "a" : "r");
    unsigned times = seen[key]++;
    if (times == 0 && atomic.isFloat())
      addOwnPlaces(cases, atomic, /*withNaNs=*/true);
    if (times < 2 && hasNoOrder(atomic))
      addFewPlaces(cases, atomic);
  }
  addLoops(cases);
}
