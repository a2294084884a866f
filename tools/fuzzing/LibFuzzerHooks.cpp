//===- LibFuzzerHooks.cpp - The mutations, as libFuzzer calls them --------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Most inputs are changed as text, a few by libFuzzer's own mutations.
//
//===----------------------------------------------------------------------===//

#include "Mutator.h"

#include <algorithm>
#include <cstring>

using namespace llvm;
using namespace ptxbench;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

static size_t copyOut(const std::string &text, uint8_t *out, size_t maxSize) {
  size_t size = std::min(text.size(), maxSize);
  memcpy(out, text.data(), size);
  return size;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed) {
  if (seed % 16 == 0)
    return LLVMFuzzerMutate(data, size, maxSize);
  StringRef text(reinterpret_cast<const char *>(data), size);
  return copyOut(fuzzing::mutate(text, seed), data, maxSize);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t *data, size_t size,
                                            const uint8_t *otherData,
                                            size_t otherSize, uint8_t *out,
                                            size_t maxSize, unsigned seed) {
  StringRef text(reinterpret_cast<const char *>(data), size);
  StringRef other(reinterpret_cast<const char *>(otherData), otherSize);
  return copyOut(fuzzing::crossOver(text, other, seed), out, maxSize);
}

/// LLVM and MLIR come without instrumentation, and some of their inline
/// functions mark memory of arenas that others then use unmarked.
extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0";
}
