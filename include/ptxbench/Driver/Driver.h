//===- Driver.h - The commands of mlir-ptxbench-runner ----------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The whole of the runner behind one function, so that its main is three lines.
// The commands themselves are private to lib/Driver.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_DRIVER_DRIVER_H
#define PTXBENCH_DRIVER_DRIVER_H

namespace ptxbench {

/// Runs `mlir-ptxbench-runner`: parses the command line, does what it says,
/// writes the report. Returns the exit status of docs/Tools.md: 0 passed, 1 the
/// candidate failed, 2 bad usage or input, 3 our own or the machine's fault.
int runnerMain(int argc, char **argv);

} // namespace ptxbench

#endif // PTXBENCH_DRIVER_DRIVER_H
