//===- DeviceCalls.h - What the host's half of a reference calls ----------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_REFERENCE_DEVICECALLS_H
#define PTXBENCH_LIB_REFERENCE_DEVICECALLS_H

#include "llvm/ADT/StringRef.h"

namespace ptxbench::deviceCalls {

/// void (int64 kernel, int64 x, int64 y, int64 z, void **parameters): so many
/// iterations; the kernel goes on in steps of the grid.
inline constexpr llvm::StringLiteral Launch = "ptxbench_launch";
/// A declaration for each kernel, its number behind the name: x, y and z, then
/// its parameters. Lowering gives it a body that calls the one above.
inline constexpr llvm::StringLiteral LaunchKernel = "ptxbench_launch_kernel_";
/// void (int64 to, int64 from, int64 bytes): from the device to the host, and
/// the other way.
inline constexpr llvm::StringLiteral Read = "ptxbench_read";
inline constexpr llvm::StringLiteral Write = "ptxbench_write";

} // namespace ptxbench::deviceCalls

namespace ptxbench {
/// Kernels are launched with no more.
inline constexpr int threadsOfBlock = 256;
} // namespace ptxbench

#endif // PTXBENCH_LIB_REFERENCE_DEVICECALLS_H
