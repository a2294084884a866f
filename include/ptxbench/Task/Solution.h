//===- Solution.h - Solutions of FlashInfer-Trace data sets -----*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A solution is a candidate as a JSON object: source texts, and how they are
// built and called. Data sets keep them in `solutions/`.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_TASK_SOLUTION_H
#define PTXBENCH_TASK_SOLUTION_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace ptxbench {

struct Solution {
  struct Source {
    /// Relative, in forward slashes, without "." and "..".
    std::string path, content;
  };
  std::string name, definition, author, description;
  /// "cuda", "triton", "python" ...
  std::string language;
  std::vector<std::string> targetHardware, dependencies;
  /// The two parts of "kernel.cu::run"; the file is one of the sources.
  std::string entryFile, entryFunction;
  /// Outputs are arguments, not results.
  bool destinationPassing = true;
  /// "tvm-ffi", "torch"; empty: not said.
  std::string binding;
  std::vector<Source> sources;
  /// Why its sources cannot be written to a folder and compiled, with file,
  /// line and place; empty: they can.
  std::string problem;

  const Source *findSource(llvm::StringRef path) const;
};

/// The name of a unit that includes others, which no source may have.
constexpr llvm::StringRef solutionUnit = "ptxbench-all.cu";

/// Errors name file, line and JSON path. `firstLine` is the line of the file at
/// which the text begins.
llvm::Expected<Solution> parseSolution(llvm::StringRef json,
                                       llvm::StringRef path,
                                       unsigned firstLine = 1);

/// All solutions of a definition in the data set at `root`, sorted by path.
/// Errors: one that cannot be read, or two of one name.
/// An empty `definition`: those of all.
llvm::Expected<std::vector<Solution>> loadSolutions(llvm::StringRef root,
                                                    llvm::StringRef definition);

} // namespace ptxbench

#endif // PTXBENCH_TASK_SOLUTION_H
