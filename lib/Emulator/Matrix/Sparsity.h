//===- Sparsity.h - Metadata of a sparse A ----------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA, "Sparse matrix storage" and the metadata figures of mma.sp and
// wgmma.mma_async.sp: which lane's metadata says where the kept elements of a
// row stand. A row has four bits for each chunk (four elements; two of tf32;
// eight of 4 bits), and in each group of four lanes
//
//   16 bits a row  lane `selector` holds rows group and group + 8, in its low
//                  and its high half
//   32 bits a row  lanes 2 selector and 2 selector + 1 hold, of f16, bf16 and
//                  tf32, the first and the second half of K, each of both rows
//                  as above; of integers, one row each
//   64 bits a row  lanes 0 and 1 hold rows group and group + 8 of the first
//   half
//                  of K, lanes 2 and 3 those of the second
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_MATRIX_SPARSITY_H
#define PTXBENCH_LIB_EMULATOR_MATRIX_SPARSITY_H

#include "Panels.h"

namespace ptxbench::emulator {

/// Bits of metadata for one row of `k` elements (of which half are kept).
constexpr unsigned metadataBits(Element element, unsigned k) {
  if (element == Element::TF32)
    return k * 2;
  return bitsOf(element) == 4 ? k / 2 : k;
}

/// Gathers the metadata of 16 rows from a register of a warp.
void gatherMetadata(Element element, unsigned k, unsigned selector,
                    LaneRow lanes, RowMetadata &out);

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_MATRIX_SPARSITY_H
