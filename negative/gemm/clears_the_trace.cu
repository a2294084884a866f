//===- clears_the_trace.cu - Tells the emulator to forget ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Launches a kernel with a race, then asks the emulated runtime to forget what
// it has seen, by the functions that its library once had and by the one it
// has, which answers once and not to a candidate. RUNTIME_ERROR, a race.
//
//===----------------------------------------------------------------------===//

#include "racy.cuh"

#include <dlfcn.h>

static int candidate(const Call &call) {
  launchRacy(call);
  if (void *clear = dlsym(RTLD_DEFAULT, "ptxbenchEmulatorClearTrace"))
    reinterpret_cast<void (*)()>(clear)();
  if (void *get = dlsym(RTLD_DEFAULT, "ptxbenchEmulatorControl")) {
    auto *table = reinterpret_cast<void (*const *(*)())()>(get)();
    // The first entry begins a call.
    if (table)
      table[0]();
  }
  launchNaive(call);
  return 0;
}
