//===- Stubs.cpp - Functions that the emulator does not have --------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every function of the runtime and of the driver that CUDA's headers declare
// is here as a weak symbol that says so when it is called; the ones that the
// emulator has are defined elsewhere and take their place. The variants for the
// per-thread default stream go where the plain ones do, since every operation
// has ended when its call returns.
//
//===----------------------------------------------------------------------===//

namespace ptxbench::emulated {
int unavailableByName(const char *function);
} // namespace ptxbench::emulated

#define CUDA_FUNCTION(name)                                                    \
  extern "C" __attribute__((weak)) int name() {                                \
    return ::ptxbench::emulated::unavailableByName(#name);                     \
  }
#if defined(__x86_64__)
#define JUMP "jmp "
#elif defined(__aarch64__)
#define JUMP "b "
#else
#error "no jump instruction is known for this architecture"
#endif
#define CUDA_FORWARD(name, target)                                             \
  asm(".text\n.weak " #name "\n.type " #name ", %function\n" #name             \
      ":\n\t" JUMP #target "\n");
#include "EmulatedCudaNames.inc"
