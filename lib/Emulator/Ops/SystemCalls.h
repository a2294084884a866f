//===- SystemCalls.h - Functions that the device itself has -----*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX Writer's Guide to Interoperability, "System Calls": functions without a
// body that a module calls and the driver has: `vprintf`, `__assertfail`,
// `malloc`, `free`.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_OPS_SYSTEMCALLS_H
#define PTXBENCH_LIB_EMULATOR_OPS_SYSTEMCALLS_H

#include "../Machine/Machine.h"

namespace ptxbench::emulator {

/// The handler of a call of a system function, whose `extra` is a CallExtra;
/// null if the device has no such function, or with other arguments.
ControlHandler getSystemCall(llvm::StringRef name, const CallExtra &call);

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_OPS_SYSTEMCALLS_H
