//===- Modules.h - Cases as PTX modules -------------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ptxas and the driver are quick with some dozen kernels in a module, and slow
// with as many modules as there are kernels.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_UTILS_DIFFERENTIAL_MODULES_H
#define PTXBENCH_UTILS_DIFFERENTIAL_MODULES_H

#include "Case.h"
#include "llvm/ADT/ArrayRef.h"

namespace ptxbench::differential {

/// A hash of all that a result depends on: text, inputs, parameters, launch.
uint64_t digestOf(const Case &testCase);
/// Of the bytes of the outputs.
uint64_t digestOf(llvm::ArrayRef<std::vector<uint8_t>> outputs);
/// "01234567" ... as 16 digits.
std::string hexText(uint64_t digest);

/// Some cases of a family, in their order.
struct Module {
  /// "integer-003".
  std::string name;
  std::vector<const Case *> cases;

  /// The PTX. `firstLines` gets the line of each case's first one.
  std::string text(std::vector<unsigned> *firstLines = nullptr) const;
};
/// The name of a case's kernel in its module.
std::string kernelName(const Case &testCase);

std::vector<Module> makeModules(llvm::ArrayRef<const Case *> cases);

} // namespace ptxbench::differential

#endif // PTXBENCH_UTILS_DIFFERENTIAL_MODULES_H
