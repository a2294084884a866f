//===- FuzzTarget.h - What is fuzzed ----------------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_TOOLS_FUZZING_FUZZTARGET_H
#define PTXBENCH_TOOLS_FUZZING_FUZZTARGET_H

#include <cstddef>
#include <cstdint>

/// Each fuzzer defines it. Any input is fine; what must not happen ends the
/// program.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif // PTXBENCH_TOOLS_FUZZING_FUZZTARGET_H
