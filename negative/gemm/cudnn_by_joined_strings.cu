//===- cudnn_by_joined_strings.cu - cuDNN in pieces -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The name of the library is made of two literals and a macro. Expected:
// BANNED, by the strings of the library.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

#include <dlfcn.h>

#define VERSION(number) "dnn.so." #number

static int candidate(const Call &call) {
  launchNaive(call);
  return dlopen("libcu" VERSION(9), RTLD_NOW) ? 0 : -1;
}
