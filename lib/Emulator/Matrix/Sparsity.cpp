//===- Sparsity.cpp - Metadata of a sparse A ------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The three ways that metadata is spread over a group of four lanes.
//
//===----------------------------------------------------------------------===//

#include "Sparsity.h"
#include <cassert>

using namespace ptxbench::emulator;

void ptxbench::emulator::gatherMetadata(Element element, unsigned k,
                                        unsigned selector, LaneRow lanes,
                                        RowMetadata &out) {
  unsigned bits = metadataBits(element, k);
  bool integer = bitsOf(element) <= 8;
  for (unsigned group = 0; group != 8; ++group) {
    LaneRow quad = lanes + group * 4;
    for (unsigned high = 0; high != 2; ++high) {
      uint64_t &row = out[group + high * 8];
      auto half = [&](unsigned lane) {
        return uint64_t(quad[lane] >> high * 16 & 0xffff);
      };
      switch (bits) {
      case 16:
        row = half(selector);
        break;
      case 32:
        // ptxas takes selectors up to 3 for m16n8k32 of f16; there are two.
        row = integer
                  ? quad[selector % 2 * 2 + high]
                  : half(selector % 2 * 2) | half(selector % 2 * 2 + 1) << 16;
        break;
      case 64:
        row = quad[high] | uint64_t(quad[2 + high]) << 32;
        break;
      default:
        assert(false && "no sparse shape has such rows");
      }
    }
  }
}
