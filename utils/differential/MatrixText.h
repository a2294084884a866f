//===- MatrixText.h - Text and inputs of cases of whole CTAs ----*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel that fills a tile of shared memory from an array, executes what a
// case gives it, and writes registers and shared memory to another array; and
// elements of matrices to fill it with. Waits give up after so many tries, so
// that no case hangs: then the first word of the results has their number.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_UTILS_DIFFERENTIAL_MATRIXTEXT_H
#define PTXBENCH_UTILS_DIFFERENTIAL_MATRIXTEXT_H

#include "Case.h"
#include "Operands.h"

#include <initializer_list>

namespace ptxbench::differential {

/// What a pattern's "$0", "$1", ... stand for.
struct Arg {
  std::string text;
  Arg(const char *text) : text(text) {}
  Arg(std::string text) : text(std::move(text)) {}
  Arg(uint64_t value) : text(std::to_string(value)) {}
  Arg(uint32_t value) : text(std::to_string(value)) {}
  Arg(int value) : text(std::to_string(value)) {}
};
std::string subst(const std::string &pattern, std::initializer_list<Arg> args);
/// "{%f4, %f5, %f6}".
std::string vectorOf(const std::string &stem, unsigned first, unsigned count);

/// The kernel has %r<96>, %acc<160> and %n<16> of 32 bits, %f<160>, %d<64> of
/// 64 bits, %p<16>, %h<32> of 16 bits and %x<32> of f64 for the case; %t is
/// %tid.x, %cta the index of the CTA in the grid, %tile
/// the address of the tile, %in and %out the arrays, %out that of the CTA's
/// own results, and %first is true in thread 0.
class KernelText {
public:
  explicit KernelText(unsigned threads, uint32_t tileBytes = 0)
      : threads(threads), tileBytes(tileBytes) {}

  KernelText &add(const std::string &pattern,
                  std::initializer_list<Arg> args = {});
  /// All threads copy `bytes`, a multiple of 4, of the input to the tile.
  KernelText &loadTile(uint32_t bytes, uint32_t tileOffset = 0,
                       uint32_t inOffset = 0);
  /// All threads fill the tile with words that depend on their place.
  KernelText &patternTile();
  /// What threads wrote is there for bulk copies and wgmma of all threads.
  KernelText &fenceTile();
  /// All threads copy a part of the tile to the results.
  KernelText &dumpTile(uint32_t bytes, uint32_t tileOffset = 0);
  /// Each thread adds a register to the results.
  KernelText &keep(const std::string &reg);
  KernelText &keepWide(const std::string &reg);
  KernelText &keepPredicate(const std::string &reg);
  KernelText &keepAll(const std::string &stem, unsigned count);
  /// The thread that comes here adds a register to the results.
  KernelText &keepOne(const std::string &reg);
  /// Each thread loads words of its own from the input: 4 * threads bytes for
  /// each register.
  KernelText &loadWords(const std::string &stem, unsigned first, unsigned count,
                        uint32_t inOffset);
  /// mbarriers `bar0` to `bar<n-1>`, for which %bar0, ... are registers.
  /// Thread 0 initialises them, then the CTA (or cluster) meets.
  KernelText &barriers(std::initializer_list<unsigned> counts,
                       bool cluster = false);
  /// Each thread waits for a phase of an mbarrier to complete.
  KernelText &wait(const std::string &barrier, const std::string &parity,
                   const std::string &mods = "");
  KernelText &clusterSync();
  /// A label that no other place of the kernel has.
  std::string label(const std::string &stem);

  /// The address of parameter `index` of type tensor map, in `reg`.
  KernelText &mapAddress(const std::string &reg, unsigned index);

  /// Room in the results, for what does not store by itself; its offset from
  /// %out.
  uint32_t reserve(uint32_t bytes) {
    nextOut += bytes;
    return nextOut - bytes;
  }
  /// Of one CTA.
  uint32_t outBytes() const { return (nextOut + 15) / 16 * 16; }
  std::string text() const;

  unsigned threads, ctas = 1, maps = 0;
  /// Arrays besides the input and the results; %more0, ... are their addresses.
  unsigned more = 0;
  /// The grid has more than one dimension, and %cta counts through all.
  bool hasPlanes = false;
  uint32_t tileBytes;
  /// In the kernel, and in front of its body.
  std::string declarations, directives;

private:
  std::string body;
  unsigned labels = 0, waits = 0;
  /// Word 0 is for waits that gave up.
  uint32_t nextOut = 16;
};

/// Those of `wmma`, which addMatrixCases has, too.
void addWmmaCases(std::vector<Case> &cases);

/// A case with `kernel`, whose buffers are the input and the results.
Case makeCase(const std::string &name, const std::string &family,
              const KernelText &kernel, std::vector<uint8_t> input,
              Tolerance tolerance = {});

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

enum class Element : uint8_t {
  F16,
  BF16,
  TF32,
  E4M3,
  E5M2,
  S8,
  U8,
  S4,
  U4,
  B1,
  S32,
  F32,
  F64
};
unsigned bitsOf(Element element);
bool isFloat(Element element);
/// "f16", "s8".
const char *nameOf(Element element);

/// What elements are drawn from.
enum class Fill : uint8_t {
  /// Whole numbers from -2 to 2, or all of type b1 and small ones of integers.
  Small,
  /// All integers; of floating-point types numbers from -1 to 1 with all bits.
  Full,
  /// Magnitudes from 2^-6 to 2^6, so that sums lose bits.
  Wide,
  /// Small numbers, and some infinities, NaNs and zeros with a sign.
  Special,
  /// Subnormal numbers and zeros.
  Subnormal,
  /// Any bits.
  Bits
};
uint64_t drawElement(Element element, Fill fill, Random &draw);
/// The bits of a number that the type has.
uint64_t encodeElement(Element element, double value);
void appendElements(std::vector<uint8_t> &bytes, Element element, Fill fill,
                    size_t count, Random &draw);
/// The number that bits of a floating-point type stand for.
double decodeElement(Element element, uint64_t bits);
/// "small", "full".
const char *nameOf(Fill fill);
/// Metadata of a sparse A, in which the places of each group of four (of tf32:
/// two) elements increase, or are any.
uint32_t drawMetadata(Element element, Random &draw, bool anyOrder = false);
void appendWord(std::vector<uint8_t> &bytes, uint32_t word);
/// By how much sums of `k` products and an addend may differ whose magnitudes
/// are `sum` (docs/Emulator.md).
Tolerance sumTolerance(Element element, Element accumulator, unsigned k,
                       double sum);
/// A bound of the magnitudes of Fill::Full and Fill::Wide.
double magnitudeOf(Fill fill);

} // namespace ptxbench::differential

#endif // PTXBENCH_UTILS_DIFFERENTIAL_MATRIXTEXT_H
