//===- SafeTensors.h - Tensors in safetensors files -------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A safetensors file is eight bytes with the length of a JSON header (little
// endian), the header, and the data. The header has for each tensor a `dtype`,
// a `shape` and `data_offsets`, counted from the first byte of the data.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_TASK_SAFETENSORS_H
#define PTXBENCH_TASK_SAFETENSORS_H

#include "ptxbench/Task/ElementType.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <vector>

namespace ptxbench {

/// Where the elements of a tensor begin in its file.
struct StoredTensor {
  ElementType type = ElementType::Float32;
  std::vector<int64_t> shape;
  uint64_t offset = 0, bytes = 0;
};

/// Reads the header and finds the tensor. Errors: no such file or tensor, a
/// header that contradicts itself or the size of the file.
llvm::Expected<StoredTensor> findStoredTensor(llvm::StringRef path,
                                              llvm::StringRef key);

} // namespace ptxbench

#endif // PTXBENCH_TASK_SAFETENSORS_H
