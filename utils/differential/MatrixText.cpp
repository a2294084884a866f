//===- MatrixText.cpp - Text and inputs of cases of whole CTAs ------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Results lie behind each other as the kernel keeps them: a register of all
// threads as one word of each, a part of the tile as it is. So no thread needs
// to know how many there are. CTAs have results of the same size, one after the
// other.
//
//===----------------------------------------------------------------------===//

#include "MatrixText.h"

#include <algorithm>
#include <cmath>

using namespace ptxbench;
using namespace ptxbench::differential;

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

std::string differential::subst(const std::string &pattern,
                                std::initializer_list<Arg> args) {
  std::string text;
  for (size_t i = 0; i < pattern.size(); ++i) {
    unsigned index = i + 1 < pattern.size() ? pattern[i + 1] - '0' : 10;
    if (pattern[i] == '$' && index < args.size()) {
      text += args.begin()[index].text;
      ++i;
    } else {
      text += pattern[i];
    }
  }
  return text;
}

std::string differential::vectorOf(const std::string &stem, unsigned first,
                                   unsigned count) {
  std::string text = "{";
  for (unsigned i = 0; i < count; ++i)
    text += (i ? ", " : "") + stem + std::to_string(first + i);
  return text + "}";
}

KernelText &KernelText::add(const std::string &pattern,
                            std::initializer_list<Arg> args) {
  body += subst(pattern, args);
  return *this;
}

std::string KernelText::label(const std::string &stem) {
  return stem + std::to_string(labels++);
}

KernelText &KernelText::loadTile(uint32_t bytes, uint32_t tileOffset,
                                 uint32_t inOffset) {
  std::string loop = label("Load"), done = label("Loaded");
  // Threads take one word after the other in turns.
  return add("  shl.b32 %n0, %t, 2;\n"
             "$0:\n"
             ".pragma \"nounroll\";\n"
             "  setp.ge.u32 %p15, %n0, $2;\n"
             "  @%p15 bra $1;\n"
             "  cvt.u64.u32 %d63, %n0;\n"
             "  add.s64 %d63, %d63, %in;\n"
             "  ld.global.b32 %n1, [%d63+$4];\n"
             "  add.s32 %n2, %n0, %tile;\n"
             "  st.shared.b32 [%n2+$3], %n1;\n"
             "  add.s32 %n0, %n0, $5;\n"
             "  bra $0;\n"
             "$1:\n",
             {loop, done, bytes, tileOffset, inOffset, threads * 4});
}

KernelText &KernelText::patternTile() {
  std::string loop = label("Fill"), done = label("Filled");
  return add("  shl.b32 %n0, %t, 2;\n"
             "$0:\n"
             ".pragma \"nounroll\";\n"
             "  setp.ge.u32 %p15, %n0, $2;\n"
             "  @%p15 bra $1;\n"
             "  add.s32 %n2, %n0, %tile;\n"
             "  mul.lo.s32 %n1, %n0, 0x9e3779b1;\n"
             "  xor.b32 %n1, %n1, 0x5a5a5a5a;\n"
             "  st.shared.b32 [%n2], %n1;\n"
             "  add.s32 %n0, %n0, $3;\n"
             "  bra $0;\n"
             "$1:\n",
             {loop, done, tileBytes, threads * 4});
}

KernelText &KernelText::fenceTile() {
  return add("  fence.proxy.async;\n  bar.sync 0;\n");
}

KernelText &KernelText::dumpTile(uint32_t bytes, uint32_t tileOffset) {
  std::string loop = label("Dump"), done = label("Dumped");
  add("  shl.b32 %n0, %t, 2;\n"
      "$0:\n"
      ".pragma \"nounroll\";\n"
      "  setp.ge.u32 %p15, %n0, $2;\n"
      "  @%p15 bra $1;\n"
      "  add.s32 %n2, %n0, %tile;\n"
      "  ld.shared.b32 %n1, [%n2+$3];\n"
      "  cvt.u64.u32 %d63, %n0;\n"
      "  add.s64 %d63, %d63, %out;\n"
      "  st.global.b32 [%d63+$4], %n1;\n"
      "  add.s32 %n0, %n0, $5;\n"
      "  bra $0;\n"
      "$1:\n",
      {loop, done, bytes, tileOffset, nextOut, threads * 4});
  nextOut += bytes;
  return *this;
}

KernelText &KernelText::keep(const std::string &reg) {
  add("  st.global.b32 [%own+$0], $1;\n", {nextOut, reg});
  nextOut += 4 * threads;
  return *this;
}

KernelText &KernelText::keepOne(const std::string &reg) {
  return add("  st.global.b32 [%out+$0], $1;\n", {reserve(4), reg});
}

KernelText &KernelText::keepWide(const std::string &reg) {
  add("  mov.b64 {%n0, %n1}, $0;\n", {reg});
  return keep("%n0").keep("%n1");
}

KernelText &KernelText::keepPredicate(const std::string &reg) {
  add("  selp.b32 %n0, 1, 0, $0;\n", {reg});
  return keep("%n0");
}

KernelText &KernelText::keepAll(const std::string &stem, unsigned count) {
  for (unsigned i = 0; i < count; ++i)
    keep(stem + std::to_string(i));
  return *this;
}

KernelText &KernelText::loadWords(const std::string &stem, unsigned first,
                                  unsigned count, uint32_t inOffset) {
  add("  mul.wide.u32 %d63, %t, 4;\n  add.s64 %d63, %d63, %in;\n");
  for (unsigned i = 0; i < count; ++i)
    add("  ld.global.b32 $0$1, [%d63+$2];\n",
        {stem, first + i, inOffset + 4 * threads * i});
  return *this;
}

KernelText &KernelText::barriers(std::initializer_list<unsigned> counts,
                                 bool cluster) {
  unsigned index = 0;
  for (unsigned count : counts) {
    declarations += subst("  .shared .align 8 .b64 bar$0;\n"
                          "  .reg .b32 %bar$0;\n",
                          {index});
    add("  mov.u32 %bar$0, bar$0;\n"
        "  @%first mbarrier.init.shared::cta.b64 [%bar$0], $1;\n",
        {index, count});
    ++index;
  }
  add("  fence.mbarrier_init.release.cluster;\n  fence.proxy.async;\n");
  return cluster ? clusterSync() : add("  bar.sync 0;\n");
}

KernelText &KernelText::wait(const std::string &barrier,
                             const std::string &parity,
                             const std::string &mods) {
  std::string loop = label("Wait"), done = label("Waited");
  return add("  mov.b32 %n15, 0;\n"
             "$0:\n"
             ".pragma \"nounroll\";\n"
             "  mbarrier.try_wait.parity$4.shared::cta.b64 %p15, [$2], $3, "
             "1000;\n"
             "  @%p15 bra $1;\n"
             "  add.s32 %n15, %n15, 1;\n"
             "  setp.lt.u32 %p15, %n15, 20000;\n"
             "  @%p15 bra $0;\n"
             "  st.global.b32 [%out], $5;\n"
             "$1:\n",
             {loop, done, barrier, parity, mods, ++waits});
}

KernelText &KernelText::clusterSync() {
  return add("  barrier.cluster.arrive.aligned;\n"
             "  barrier.cluster.wait.aligned;\n");
}

KernelText &KernelText::mapAddress(const std::string &reg, unsigned index) {
  maps = std::max(maps, index + 1);
  return add("  mov.b64 $0, map$1;\n  cvta.param.u64 $0, $0;\n", {reg, index});
}

std::string KernelText::text() const {
  std::string params = ".param .u64 in, .param .u64 out";
  std::string loads;
  for (unsigned i = 0; i < more; ++i) {
    params += subst(", .param .u64 more$0", {i});
    loads += subst("  .reg .b64 %more$0;\n"
                   "  ld.param.u64 %more$0, [more$0];\n"
                   "  cvta.to.global.u64 %more$0, %more$0;\n",
                   {i});
  }
  for (unsigned i = 0; i < maps; ++i)
    params += subst(", .param .align 64 .b8 map$0[128]", {i});
  return subst(".visible .entry @kernel($0)\n"
               ".reqntid $1\n$2{\n"
               "  .reg .b32 %r<96>, %acc<160>, %n<16>, %t, %cta, %tile;\n"
               "  .reg .f32 %f<160>;\n"
               "  .reg .b64 %d<64>, %in, %out, %own;\n"
               "  .reg .pred %p<16>, %first;\n"
               "  .reg .b16 %h<32>;\n"
               "  .reg .f64 %x<32>;\n",
               {params, threads, directives}) +
         (tileBytes
              ? subst("  .shared .align 1024 .b8 tile[$0];\n", {tileBytes})
              : std::string()) +
         declarations + loads +
         subst("  ld.param.u64 %in, [in];\n"
               "  ld.param.u64 %out, [out];\n"
               "  cvta.to.global.u64 %in, %in;\n"
               "  cvta.to.global.u64 %out, %out;\n"
               "  mov.u32 %t, %tid.x;\n"
               "  mov.u32 %cta, %ctaid.x;\n"
               "$1"
               "  setp.eq.u32 %first, %t, 0;\n"
               "  mul.wide.u32 %own, %cta, $0;\n"
               "  add.s64 %out, %out, %own;\n"
               "  mul.wide.u32 %own, %t, 4;\n"
               "  add.s64 %own, %own, %out;\n",
               {outBytes(), hasPlanes ? "  mov.u32 %n0, %ctaid.z;\n"
                                        "  mov.u32 %n1, %nctaid.y;\n"
                                        "  mov.u32 %n2, %ctaid.y;\n"
                                        "  mad.lo.s32 %n0, %n0, %n1, %n2;\n"
                                        "  mov.u32 %n1, %nctaid.x;\n"
                                        "  mad.lo.s32 %cta, %n0, %n1, %cta;\n"
                                      : ""}) +
         (tileBytes ? "  mov.u32 %tile, tile;\n" : "") + body + "  ret;\n}\n";
}

Case differential::makeCase(const std::string &name, const std::string &family,
                            const KernelText &kernel,
                            std::vector<uint8_t> input, Tolerance tolerance) {
  Case one;
  one.name = name;
  one.family = family;
  one.text = kernel.text();
  if (input.empty())
    input.resize(16);
  one.buffers.push_back({std::move(input), false});
  one.buffers.push_back(
      {std::vector<uint8_t>(kernel.outBytes() * kernel.ctas), true});
  one.params = {BufferParam{0, 0}, BufferParam{1, 0}};
  one.block.x = kernel.threads;
  one.grid.x = one.cluster.x = kernel.ctas;
  one.tolerance = tolerance;
  return one;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

namespace {
struct ElementInfo {
  const char *name;
  unsigned bits;
  /// Of floating-point types.
  unsigned fractionBits = 0;
  int bias = 0;
};
} // namespace

static const ElementInfo &infoOf(Element element) {
  static const ElementInfo infos[] = {{"f16", 16, 10, 15},
                                      {"bf16", 16, 7, 127},
                                      {"tf32", 32, 23, 127},
                                      {"e4m3", 8, 3, 7},
                                      {"e5m2", 8, 2, 15},
                                      {"s8", 8},
                                      {"u8", 8},
                                      {"s4", 4},
                                      {"u4", 4},
                                      {"b1", 1},
                                      {"s32", 32},
                                      {"f32", 32, 23, 127},
                                      {"f64", 64, 52, 1023}};
  return infos[unsigned(element)];
}

unsigned differential::bitsOf(Element element) { return infoOf(element).bits; }
bool differential::isFloat(Element element) {
  return infoOf(element).bias != 0;
}
const char *differential::nameOf(Element element) {
  return infoOf(element).name;
}

uint64_t differential::encodeElement(Element element, double value) {
  const ElementInfo &info = infoOf(element);
  if (!info.bias)
    return uint64_t(int64_t(value)) & ((uint64_t(1) << info.bits) - 1);
  uint64_t sign = uint64_t(std::signbit(value)) << (info.bits - 1);
  if (value == 0)
    return sign;
  int exponent;
  double fraction = std::frexp(std::fabs(value), &exponent) * 2 - 1;
  return sign | uint64_t(exponent - 1 + info.bias) << info.fractionBits |
         uint64_t(std::ldexp(fraction, info.fractionBits));
}

/// A number of 2^low to 2^high with a random fraction.
static uint64_t drawMagnitude(const ElementInfo &info, int low, int high,
                              Random &draw) {
  uint64_t exponent = info.bias + low + int(draw.below(high - low));
  uint64_t fraction = draw.next() & ((uint64_t(1) << info.fractionBits) - 1);
  // What a tensor core does not look at.
  if (info.bits == 32)
    fraction &= ~uint64_t(0x1fff);
  return (draw.next() & 1) << (info.bits - 1) | exponent << info.fractionBits |
         fraction;
}

static uint64_t drawSpecial(const ElementInfo &info, Random &draw) {
  uint64_t sign = (draw.next() & 1) << (info.bits - 1);
  uint64_t fractionMask = (uint64_t(1) << info.fractionBits) - 1;
  uint64_t infinity = ((uint64_t(1) << (info.bits - 1)) - 1) & ~fractionMask;
  // e4m3 has no infinity, and one NaN.
  if (info.bits == 8 && info.fractionBits == 3)
    return sign | (draw.below(4) ? 0 : 0x7f);
  switch (draw.below(3)) {
  case 0:
    return sign;
  case 1:
    return sign | infinity;
  default:
    return sign | infinity | (draw.next() & fractionMask) | 1;
  }
}

uint64_t differential::drawElement(Element element, Fill fill, Random &draw) {
  const ElementInfo &info = infoOf(element);
  uint64_t bits = draw.next() >> (64 - info.bits);
  if (fill == Fill::Bits || element == Element::B1)
    return bits;
  if (!info.bias) {
    if (fill != Fill::Small)
      return bits;
    bool isSigned = element == Element::S8 || element == Element::S4;
    return encodeElement(element, isSigned ? int(draw.below(5)) - 2
                                           : int(draw.below(4)));
  }
  switch (fill) {
  case Fill::Full:
    return drawMagnitude(info, -5, 0, draw);
  case Fill::Wide:
    return drawMagnitude(info, -6, 6, draw);
  case Fill::Subnormal:
    return bits & (uint64_t(1) << (info.bits - 1) |
                   ((uint64_t(1) << info.fractionBits) - 1));
  case Fill::Special:
    if (draw.below(64) == 0)
      return drawSpecial(info, draw);
    break;
  default:
    break;
  }
  return encodeElement(element, int(draw.below(5)) - 2);
}

void differential::appendElements(std::vector<uint8_t> &bytes, Element element,
                                  Fill fill, size_t count, Random &draw) {
  unsigned bits = bitsOf(element);
  if (bits >= 8) {
    for (size_t i = 0; i < count; ++i) {
      uint64_t value = drawElement(element, fill, draw);
      for (unsigned byte = 0; byte < bits / 8; ++byte)
        bytes.push_back(uint8_t(value >> 8 * byte));
    }
    return;
  }
  unsigned per = 8 / bits;
  for (size_t i = 0; i < count; i += per) {
    uint8_t byte = 0;
    for (unsigned j = 0; j < per; ++j)
      byte |= drawElement(element, fill, draw) << j * bits;
    bytes.push_back(byte);
  }
}

double differential::magnitudeOf(Fill fill) {
  return fill == Fill::Wide ? 64 : 1;
}

const char *differential::nameOf(Fill fill) {
  static const char *names[] = {"small",   "full",      "wide",
                                "special", "subnormal", "bits"};
  return names[unsigned(fill)];
}

double differential::decodeElement(Element element, uint64_t bits) {
  const ElementInfo &info = infoOf(element);
  uint64_t fractionOne = uint64_t(1) << info.fractionBits;
  uint64_t fraction = bits & (fractionOne - 1);
  int exponent = int(bits >> info.fractionBits &
                     ((1 << (info.bits - 1 - info.fractionBits)) - 1));
  if (exponent)
    fraction |= fractionOne;
  double value =
      std::ldexp(double(fraction),
                 std::max(exponent, 1) - info.bias - int(info.fractionBits));
  return bits >> (info.bits - 1) & 1 ? -value : value;
}

uint32_t differential::drawMetadata(Element element, Random &draw,
                                    bool anyOrder) {
  if (anyOrder)
    return uint32_t(draw.next());
  static const uint32_t pairs[] = {4, 8, 12, 9, 13, 14}, halves[] = {4, 14};
  uint32_t word = 0;
  for (unsigned i = 0; i < 8; ++i)
    word |= (element == Element::TF32 ? halves[draw.below(2)]
                                      : pairs[draw.below(6)])
            << 4 * i;
  return word;
}

void differential::appendWord(std::vector<uint8_t> &bytes, uint32_t word) {
  for (unsigned i = 0; i < 4; ++i)
    bytes.push_back(uint8_t(word >> 8 * i));
}

Tolerance differential::sumTolerance(Element element, Element accumulator,
                                     unsigned k, double sum) {
  double bound =
      (2 * k + 2) * std::ldexp(sum, bitsOf(element) == 8 ? -13 : -23);
  // Rounded once more: one place, or what is below it.
  if (accumulator == Element::F16)
    return {Format::F16, 0, 2 * bound, 1};
  return {Format::F32, 0, bound, 0};
}
