//===- SignTurner.h - Fresh inputs from old ones ----------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Drawing inputs anew for every timed call would take far longer than the
// calls. Turning around half of the signs of normal numbers gives normal
// numbers whose products were never seen.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_RUNTIME_CUDA_SIGNTURNER_H
#define PTXBENCH_LIB_RUNTIME_CUDA_SIGNTURNER_H

#include "Device.h"

namespace ptxbench {

class SignTurner {
public:
  /// Loads the kernel. `device` outlives it.
  llvm::Error load(const Device &device);
  /// Puts on the stream what turnSigns() does on the host.
  llvm::Error turn(const GuardedTensor &tensor, uint32_t signs) const;

private:
  const Device *device = nullptr;
  CUfunction function = nullptr;
};

} // namespace ptxbench

#endif // PTXBENCH_LIB_RUNTIME_CUDA_SIGNTURNER_H
