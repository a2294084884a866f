//===- Translate.h - The translations of ptxbench-translate -----*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each takes one text and appends another to `output`; diagnostics, which show
// lines of the input, go to the standard error.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_TOOLS_PTXBENCH_TRANSLATE_TRANSLATE_H
#define PTXBENCH_TOOLS_PTXBENCH_TRANSLATE_TRANSLATE_H

#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <string>

namespace ptxbench {

/// How a translation ended; the values are exit statuses.
enum class Outcome {
  Done = 0,
  /// The input was taken, and does not come back as it was.
  Changed = 1,
  /// The input was refused.
  Refused = 2
};

struct TranslateOptions {
  bool verifyRoundTrip = false;
  /// After so many errors PTX text is not read on.
  unsigned maxErrors = 20;
};

/// Between PTX text and the MLIR text of the `ptx` dialect.
Outcome translate(std::unique_ptr<llvm::MemoryBuffer> input, bool import,
                  const TranslateOptions &options, std::string &output);

/// From PTX text to canonical PTX text.
Outcome formatPTX(const llvm::MemoryBuffer &input,
                  const TranslateOptions &options, std::string &output);

} // namespace ptxbench

#endif // PTXBENCH_TOOLS_PTXBENCH_TRANSLATE_TRANSLATE_H
