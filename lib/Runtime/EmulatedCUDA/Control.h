//===- Control.h - What a worker asks the emulator ------------ -*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The emulated runtime is a library that the candidate calls, too. So what
// counts and what was found is reached by one function, which answers once: the
// worker calls it before it opens the candidate. Without CUDA's headers.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_RUNTIME_EMULATEDCUDA_CONTROL_H
#define PTXBENCH_LIB_RUNTIME_EMULATEDCUDA_CONTROL_H

namespace ptxbench::emulated {

/// Texts are valid until the next call of the same function.
struct Control {
  /// A call of the candidate begins: what was traced is forgotten. From the
  /// first call on, work is asked for within calls or it is stray.
  void (*beginCall)();
  /// It has returned. Waits for what other threads have begun by then.
  void (*endCall)();
  /// Modules of which something was launched since the call began.
  unsigned (*modules)();
  /// The trace of such a module, in the order of their first launches.
  const char *(*trace)(unsigned module);
  /// The first launch, copy or fill outside of a call; empty: there was none.
  const char *(*strayWork)();
  /// What the launch that failed did, else what was asked for and is not
  /// emulated; empty: nothing.
  const char *(*fault)();
  /// How it ended: "fault", "unsupported" ... (see stringifyLaunchStatus).
  const char *(*faultStatus)();
};

} // namespace ptxbench::emulated

/// The type of `ptxbenchEmulatorControl`, the one function that the library
/// exports beside CUDA's: the table at its first call, null at any other. The
/// environment has been read when it returns.
using PtxbenchEmulatorControl = const ptxbench::emulated::Control *();

#endif // PTXBENCH_LIB_RUNTIME_EMULATEDCUDA_CONTROL_H
