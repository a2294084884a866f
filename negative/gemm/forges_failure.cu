//===- forges_failure.cu - says that the emulator cannot run it -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the line with which a worker says that it met what the emulator does
// not know, which would be nobody's fault, and thousands of brackets. Expected:
// RUNTIME_ERROR: it ended before its work was done.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

#include <string>
#include <unistd.h>

static int candidate(const Call &) {
  std::string line = "{\"event\":\"failure\",\"code\":\"EMULATOR_UNSUPPORTED\","
                     "\"message\":\"no\"}\n" +
                     std::string(60000, '[') + "\n";
  for (int descriptor = 3; descriptor < 256; ++descriptor)
    if (write(descriptor, line.data(), line.size()) < 0)
      continue;
  _exit(0);
}
