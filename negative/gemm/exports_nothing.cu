//===- exports_nothing.cu - no entry point --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exports another name. Expected: RUNTIME_ERROR.
//
//===----------------------------------------------------------------------===//

extern "C" int start() { return 0; }
