//===- Decompress.h - The two compressions of fat binaries ------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// nvcc writes LZ4 blocks (without a frame) and Zstandard frames.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_TARGET_SASS_DECOMPRESS_H
#define PTXBENCH_LIB_TARGET_SASS_DECOMPRESS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <vector>

namespace ptxbench {

/// Both fail unless exactly `bytes` bytes come out.
llvm::Expected<std::vector<uint8_t>>
decompressLZ4(llvm::ArrayRef<uint8_t> packed, uint64_t bytes);
llvm::Expected<std::vector<uint8_t>>
decompressZstd(llvm::ArrayRef<uint8_t> packed, uint64_t bytes);

} // namespace ptxbench

#endif // PTXBENCH_LIB_TARGET_SASS_DECOMPRESS_H
