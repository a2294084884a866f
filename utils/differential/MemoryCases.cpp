//===- MemoryCases.cpp - Loads, stores and copies -------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every type and vector in every space, read back as it is and into wider
// registers; the forms of loads and stores that only differ in what caches are
// told, a few for each; parameters; cp.async.
//
//===----------------------------------------------------------------------===//

#include "ThreadKernel.h"
#include "ptxbench/ISA/Combinations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"

#include <map>

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::differential;

static unsigned bitsOfType(StringRef type) {
  unsigned bits = 32;
  type.drop_front(type.starts_with("bf") ? 2 : 1).getAsInteger(10, bits);
  return bits;
}

static constexpr StringLiteral types[] = {"b8",  "b16", "b32", "b64", "u8",
                                          "u16", "u32", "u64", "s8",  "s16",
                                          "s32", "s64", "f32", "f64", "b128"};

static std::string vectorSuffix(unsigned count) {
  return count == 1 ? "" : ".v" + number(count);
}

static void addCase(std::vector<Case> &cases, RecordKernel kernel) {
  kernel.family = "memory";
  cases.push_back(kernel.make());
}

//===----------------------------------------------------------------------===//
// Spaces
//===----------------------------------------------------------------------===//

namespace {
struct Space {
  const char *name;
  /// What stands in front of the kernel and at its beginning: %o gets the
  /// address of the thread's bytes, of which there are `size`.
  std::string globals, setUp;
};
} // namespace

/// Spaces that a kernel can write, with places of `size` bytes for each thread.
static std::vector<Space> makeSpaces(unsigned size, unsigned threads) {
  std::string offset = "  mad.lo.u32 %x, %t, " + number(size) + ", %x;\n";
  std::string array = "[" + number(size * threads) + "];\n";
  std::string shared = "  .shared .align 16 .b8 place" + array +
                       "  mov.u32 %x, place;\n" + offset;
  std::string local = "  .local .align 16 .b8 place[" + number(size) + "];\n";
  std::string global = ".global .align 16 .b8 @place" + array;
  return {
      {"global", global,
       "  mov.u64 %o, @place;\n  mad.wide.u32 %o, %t, " + number(size) +
           ", %o;\n"},
      {"", global,
       "  mov.u64 %o, @place;\n  cvta.global.u64 %o, %o;\n"
       "  mad.wide.u32 %o, %t, " +
           number(size) + ", %o;\n"},
      {"shared", "", shared + "  cvt.u64.u32 %o, %x;\n"},
      {"shared::cta", "", shared + "  cvt.u64.u32 %o, %x;\n"},
      {"shared::cluster", "", shared + "  cvt.u64.u32 %o, %x;\n"},
      {"", "", shared + "  cvt.u64.u32 %o, %x;\n  cvta.shared.u64 %o, %o;\n"},
      {"local", "", local + "  mov.u64 %o, place;\n"},
      {"", "", local + "  mov.u64 %o, place;\n  cvta.local.u64 %o, %o;\n"},
  };
}

/// Stores the record in the space by a type, reads it as that type into
/// registers of its width and of 64 bits.
static void addSpaceCases(std::vector<Case> &cases) {
  for (StringRef type : types) {
    unsigned bits = bitsOfType(type);
    // ptxas 13.0 crashes on vectors of eight elements.
    for (unsigned count = 1; count * bits <= 128 && count <= 4; count *= 2) {
      unsigned bytes = bits * count / 8;
      unsigned index = 0;
      for (const Space &space : makeSpaces(bytes, 128)) {
        std::string where = *space.name ? "." + std::string(space.name) : "";
        std::string full = vectorSuffix(count) + "." + type.str();
        std::string own = operandOf(registerPrefix(bits), count);
        RecordKernel kernel;
        kernel.name = nameOf("access" + where + full) + "-" + number(index++);
        kernel.inputBytes = kernel.outputBytes = bytes;
        kernel.globals = space.globals;
        kernel.body = space.setUp + "  ld.global" + full + " " + own +
                      ", [%in];\n  st" + where + full + " [%o], " + own +
                      ";\n  ld" + where + full + " " + own + ", [%o];\n" +
                      "  st.global" + full + " [%out], " + own + ";\n";
        if (bits < 64) {
          unsigned at = std::max(bytes, 8u);
          kernel.body +=
              "  ld" + where + full + " " + operandOf("d", count) + ", [%o];\n";
          for (unsigned i = 0; i < count; ++i)
            kernel.body += "  st.global.b64 [%out+" + number(at + 8 * i) +
                           "], %d" + number(i) + ";\n";
          kernel.outputBytes = unsigned(PowerOf2Ceil(at + 8 * count));
        }
        addCase(cases, kernel);
      }
    }
  }
}

//===----------------------------------------------------------------------===//
// All forms
//===----------------------------------------------------------------------===//

/// Loads and stores of global memory with what the table has for sm_90a, a few
/// for each type and vector.
static void addFormCases(std::vector<Case> &cases, StringRef opcode) {
  std::optional<Opcode> found = lookupOpcode(opcode);
  if (!found)
    return;
  const OpcodeInfo &info = getOpcodeInfo(*found);
  std::map<std::string, std::string> chosen;
  for (const InstForm &form : info.forms)
    forEachModifierList(form, TargetArch{90, 'a'}, 90, [&](ArrayRef<Mod> mods) {
      std::string mnemonic = mnemonicOf(info, mods);
      StringRef text = mnemonic;
      if (any_of(mods, [](Mod mod) {
            StringRef name = stringifyMod(mod);
            return name == "v8" || name == "const" || name == "local" ||
                   name.starts_with("param") || name.starts_with("shared");
          }))
        return;
      // One for each type, vector, order and cache operation.
      std::string key = stringifyMod(mods.back()).str();
      for (StringRef part :
           {".v2", ".v4", ".acquire", ".relaxed", ".release", ".volatile",
            ".mmio", ".ca", ".cg", ".cs", ".lu", ".cv", ".wb", ".wt", ".nc"})
        if ((text + ".").str().find(part.str() + ".") != std::string::npos)
          key += part;
      std::string &best = chosen[key];
      if (best.empty() || xxh3_64bits(text) < xxh3_64bits(best))
        best = mnemonic;
    });
  for (const auto &entry : chosen) {
    StringRef mnemonic = entry.second;
    StringRef type = mnemonic.rsplit('.').second;
    unsigned bits = bitsOfType(type), count = 1;
    for (unsigned c : {2, 4})
      if ((mnemonic + ".").str().find(".v" + number(c) + ".") !=
          std::string::npos)
        count = c;
    bool isLoad = opcode != "st", hasHint = mnemonic.contains("cache_hint");
    std::string plain = vectorSuffix(count) + "." + type.str();
    std::string own = operandOf(registerPrefix(bits), count);
    RecordKernel kernel;
    kernel.name = "form." + nameOf(mnemonic);
    kernel.inputBytes = kernel.outputBytes = bits * count / 8;
    if (hasHint)
      kernel.body =
          "  createpolicy.fractional.L2::evict_first.b64 %d15, 0.5;\n";
    std::string hint = hasHint ? ", %d15" : "";
    kernel.body += "  " + (isLoad ? mnemonic.str() : "ld.global" + plain) +
                   " " + own + ", [%in]" + (isLoad ? hint : "") + ";\n  " +
                   (isLoad ? "st.global" + plain : mnemonic.str()) +
                   " [%out], " + own + (isLoad ? "" : hint) + ";\n";
    addCase(cases, kernel);
  }
}

//===----------------------------------------------------------------------===//
// Constants, parameters, addresses
//===----------------------------------------------------------------------===//

static void addConstantCases(std::vector<Case> &cases) {
  Random random("constants");
  std::string list;
  for (unsigned i = 0; i < 128; ++i)
    list += (i ? "," : "") + number(random.next() >> 32);
  std::string words = " .align 16 .b32 @words[128] = {" + list + "};\n";
  for (const char *space : {"const", "global"})
    for (StringRef type : types) {
      unsigned bits = bitsOfType(type);
      for (unsigned count = 1; count <= 4 && bits * count <= 128; count *= 2) {
        RecordKernel kernel;
        std::string plain = vectorSuffix(count) + "." + type.str();
        std::string own = operandOf(registerPrefix(bits), count);
        kernel.name = "initialised." + std::string(space) + plain;
        kernel.inputBytes = 4;
        kernel.outputBytes = bits * count / 8;
        kernel.threads = 64;
        kernel.globals = "." + std::string(space) + words;
        // Each thread from a place of its own, by data.
        kernel.body = "  ld.global.u32 %x, [%in];\n  and.b32 %x, %x, " +
                      number(512 / kernel.outputBytes - 1) +
                      ";\n  mov.u64 %o, @words;\n  mad.wide.u32 %o, %x, " +
                      number(kernel.outputBytes) + ", %o;\n  ld." + space +
                      plain + " " + own + ", [%o];\n  st.global" + plain +
                      " [%out], " + own + ";\n";
        addCase(cases, kernel);
      }
    }
}

/// Values as parameters of a kernel and of a function.
static void addParameterCases(std::vector<Case> &cases) {
  for (StringRef type : types) {
    if (type == "b128")
      continue;
    unsigned bits = bitsOfType(type);
    std::string r = registerPrefix(bits), t = "." + type.str();
    // A function that returns its parameter and stores another one.
    RecordKernel kernel;
    kernel.name = "function-parameter" + t;
    kernel.inputBytes = kernel.outputBytes = 16;
    kernel.globals = ".func (.param " + t + " r) @f(.param " + t +
                     " a, .param .align 16 .b8 s[16], .param .b64 p) {\n"
                     "  .reg .b8 %b<4>; .reg .b16 %h<4>; .reg .b32 %r<4>;\n"
                     "  .reg .b64 %d<4>, %p;\n  ld.param" +
                     t + " %" + r +
                     "0, [a];\n  ld.param.b64 %p, [p];\n  ld.param" + t + " %" +
                     r + "1, [s+8];\n  st.global" + t + " [%p], %" + r +
                     "1;\n  st.param" + t + " [r], %" + r + "0;\n  ret;\n}\n";
    kernel.body = "  { .param " + t + " a; .param " + t +
                  " r; .param .align 16 .b8 s[16]; .param .b64 p;\n"
                  "  ld.global" +
                  t + " %" + r +
                  "0, [%in];\n"
                  "  ld.global.v2.b64 {%d0, %d1}, [%in];\n"
                  "  st.param" +
                  t + " [a], %" + r +
                  "0;\n"
                  "  st.param.v2.b64 [s], {%d0, %d1};\n"
                  "  st.param.b64 [p], %out;\n"
                  "  call (r), @f, (a, s, p);\n"
                  "  ld.param" +
                  t + " %" + r +
                  "2, [r]; }\n"
                  "  st.global" +
                  t + " [%out+8], %" + r + "2;\n";
    // Functions take no less than 32 bits.
    if (bits >= 32)
      addCase(cases, kernel);

    // A kernel with a parameter of the type between others.
    Case testCase;
    testCase.name = "kernel-parameter" + t;
    testCase.family = "memory";
    testCase.text =
        ".entry @kernel(.param .b8 x, .param " + t +
        " v, .param .b16 y, .param .u64 out, .param .align 16 .b8 s[20]) {\n"
        "  .reg .b8 %b<4>; .reg .b16 %h<4>; .reg .b32 %r<4>;\n"
        "  .reg .b64 %d<4>, %out;\n  ld.param.u64 %out, [out];\n"
        "  ld.param" +
        t + " %" + r + "0, [v];\n  st.global" + t + " [%out], %" + r +
        "0;\n  ld.param.b8 %b1, [x];\n"
        "  st.global.b8 [%out+8], %b1;\n  ld.param.b16 %h1, [y];\n"
        "  st.global.b16 [%out+10], %h1;\n  ld.param.b32 %r1, [s+16];\n"
        "  st.global.b32 [%out+12], %r1;\n  ld.param.s8 %d1, [s+3];\n"
        "  st.global.b64 [%out+16], %d1;\n  ret;\n}\n";
    Random random(testCase.name);
    auto value = [&](unsigned bytes) {
      ValueParam param;
      for (unsigned i = 0; i < bytes; ++i)
        param.bytes.push_back(uint8_t(random.next() >> 56));
      return param;
    };
    testCase.buffers = {{std::vector<uint8_t>(24, 0xcc), true}};
    testCase.params = {value(1), value(bits / 8), value(2), BufferParam{0, 0},
                       value(20)};
    cases.push_back(std::move(testCase));
  }
}

//===----------------------------------------------------------------------===//
// cp.async
//===----------------------------------------------------------------------===//

static void addAsyncCopyCases(std::vector<Case> &cases) {
  struct Form {
    const char *mods;
    unsigned bytes;
    /// The last operand, and what sets it.
    const char *operand, *setUp;
  };
  static constexpr Form forms[] = {
      {"ca.shared.global", 4, "", ""},
      {"ca.shared.global", 8, "", ""},
      {"ca.shared.global", 16, "", ""},
      {"cg.shared.global", 16, "", ""},
      {"ca.shared::cta.global", 8, "", ""},
      {"cg.shared.global.L2::128B", 16, "", ""},
      {"ca.shared.global", 4, ", %x", "  and.b32 %x, %t, 3;\n"},
      {"ca.shared.global", 8, ", %x", "  and.b32 %x, %t, 7;\n"},
      {"ca.shared.global", 16, ", %x", "  and.b32 %x, %t, 15;\n"},
      {"cg.shared.global", 16, ", %x", "  and.b32 %x, %t, 15;\n"},
      {"cg.shared.global", 16, ", 0", ""},
      {"ca.shared.global", 4, ", %p0",
       "  and.b32 %x, %t, 2;\n  setp.eq.u32 %p0, %x, 0;\n"},
      {"cg.shared.global", 16, ", %p0",
       "  and.b32 %x, %t, 2;\n  setp.eq.u32 %p0, %x, 0;\n"},
      {"ca.shared.global.L2::cache_hint", 16, ", %d15",
       "  createpolicy.fractional.L2::evict_last.b64 %d15, 1.0;\n"},
  };
  unsigned index = 0;
  for (const Form &form : forms)
    for (bool byAll : {false, true}) {
      RecordKernel kernel;
      kernel.name = "cp.async-" + number(index++);
      kernel.inputBytes = kernel.outputBytes = 32;
      std::string copy = "cp.async." + std::string(form.mods) + " [%r1";
      std::string size = ", " + number(form.bytes) + form.operand + ";\n";
      kernel.body =
          "  .shared .align 16 .b8 place[4096];\n  mov.u32 %r1, place;\n"
          "  mad.lo.u32 %r1, %t, 32, %r1;\n"
          "  mov.b32 %r2, 0x5a5a5a5a;\n"
          "  st.shared.v4.b32 [%r1], {%r2, %r2, %r2, %r2};\n"
          "  st.shared.v4.b32 [%r1+16], {%r2, %r2, %r2, %r2};\n" +
          std::string(form.setUp) + "  " + copy + "], [%in]" + size +
          (byAll ? "" : "  cp.async.commit_group;\n") + "  " + copy +
          "+16], [%in+16]" + size +
          (byAll ? "  cp.async.wait_all;\n"
                 : "  cp.async.commit_group;\n  cp.async.wait_group 0;\n") +
          "  bar.sync 0;\n"
          // What the next thread has copied.
          "  add.u32 %r3, %t, 1;\n  and.b32 %r3, %r3, 127;\n"
          "  mov.u32 %r1, place;\n  mad.lo.u32 %r1, %r3, 32, %r1;\n"
          "  ld.shared.v4.b32 {%r4, %r5, %r6, %r7}, [%r1];\n"
          "  st.global.v4.b32 [%out], {%r4, %r5, %r6, %r7};\n"
          "  ld.shared.v4.b32 {%r4, %r5, %r6, %r7}, [%r1+16];\n"
          "  st.global.v4.b32 [%out+16], {%r4, %r5, %r6, %r7};\n";
      addCase(cases, kernel);
    }
}

/// Several stores of a warp to one place, of which the hardware keeps one; here
/// all store the same. Overlapping accesses of different widths by one thread
/// are in order.
static void addOrderCases(std::vector<Case> &cases) {
  for (const char *space : {"shared", "global", "local"}) {
    RecordKernel kernel;
    kernel.name = "widths-in-order." + std::string(space);
    kernel.inputBytes = 32;
    kernel.outputBytes = 32;
    bool isGlobal = StringRef(space) == "global";
    std::string s(space);
    if (isGlobal)
      kernel.body = "  mov.u64 %o, %out;\n";
    else if (s == "shared")
      kernel.body = "  .shared .align 16 .b8 place[4096];\n"
                    "  mov.u32 %x, place;\n  mad.lo.u32 %x, %t, 32, %x;\n"
                    "  cvt.u64.u32 %o, %x;\n";
    else
      kernel.body = "  .local .align 16 .b8 place[32];\n"
                    "  mov.u64 %o, place;\n";
    kernel.body += "  ld.global.v4.b32 {%r0, %r1, %r2, %r3}, [%in];\n"
                   "  ld.global.b64 %d0, [%in+16];\n"
                   "  ld.global.b16 %h0, [%in+24];\n"
                   "  ld.global.b8 %b0, [%in+26];\n"
                   "  st." +
                   s +
                   ".v4.b32 [%o], {%r0, %r1, %r2, %r3};\n"
                   "  st." +
                   s +
                   ".v4.b32 [%o+16], {%r3, %r2, %r1, %r0};\n"
                   "  st." +
                   s +
                   ".b64 [%o+8], %d0;\n"
                   "  st." +
                   s +
                   ".b16 [%o+10], %h0;\n"
                   "  st." +
                   s +
                   ".b8 [%o+13], %b0;\n"
                   "  ld." +
                   s +
                   ".v2.b64 {%d1, %d2}, [%o];\n"
                   "  ld." +
                   s +
                   ".s16 %r4, [%o+12];\n"
                   "  st." +
                   s +
                   ".v2.b32 [%o+16], {%r4, %r0};\n"
                   "  ld." +
                   s +
                   ".v2.b64 {%d3, %d4}, [%o+16];\n"
                   "  st.global.v2.b64 [%out], {%d1, %d2};\n"
                   "  st.global.v2.b64 [%out+16], {%d3, %d4};\n";
    addCase(cases, kernel);
  }
}

void differential::addMemoryCases(std::vector<Case> &cases) {
  addSpaceCases(cases);
  addFormCases(cases, "ld");
  addFormCases(cases, "st");
  addFormCases(cases, "ldu");
  addConstantCases(cases);
  addParameterCases(cases);
  addAsyncCopyCases(cases);
  addOrderCases(cases);
}
