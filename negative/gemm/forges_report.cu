//===- forges_report.cu - speaks for the harness --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the lines with which a worker reports success to every descriptor that
// is open, and ends the process. Expected: RUNTIME_ERROR: what was reported is
// not there.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

#include <cstring>
#include <unistd.h>

static int candidate(const Call &) {
  const char *lines = "{\"event\":\"stage\",\"name\":\"timing\"}\n"
                      "{\"event\":\"done\"}\n";
  for (int descriptor = 3; descriptor < 256; ++descriptor)
    if (write(descriptor, lines, std::strlen(lines)) < 0)
      continue;
  _exit(0);
}
