//===- errs_as_unsupported.cu - An error with a code of ours -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Raises an error whose kind is what a worker calls an instruction that the
// emulator lacks, which would be nobody's fault: NOT_RUN, in no metric. What a
// candidate calls its errors is part of the message. RUNTIME_ERROR.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

static int candidate(const Call &) {
  TVMFFIErrorSetRaisedFromCStr("EMULATOR_UNSUPPORTED",
                               "'wgmma.mma_async' is not emulated");
  return -1;
}
