//===- Sample.h - Candidates as a model or a person hands them in -*- C++ -*-=//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file of samples has one JSON object per line, of one of two forms:
//
//   {"task_id": "gemm_n7168_k5120", "completion": "...```cuda\n...```"}
//     and, if it is a turn of a conversation, "trajectory_id" and "turn"
//   a solution of FlashInfer-Trace: name, definition, author, spec, sources
//
// Of a completion the last fenced code block counts, but for those that go with
// a candidate and are none. That there is none is no error of the file but of
// the sample. A null is as good as a missing key.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_EVALUATION_SAMPLE_H
#define PTXBENCH_EVALUATION_SAMPLE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ptxbench {

/// A file of a candidate.
struct SourceFile {
  /// Relative, with '/' between its parts and without "..".
  std::string path;
  std::string text;
};

/// What a candidate consists of. The first file is the one to compile; other
/// `.cu`, `.cpp` and `.cc` files that it does not include are compiled with it.
struct CandidateCode {
  std::vector<SourceFile> files;
  /// The exported function, "run".
  std::string function = "run";
};

struct Sample {
  /// Its place in the file, from 0, and the line, from 1.
  size_t index = 0;
  unsigned line = 0;
  /// Tells samples of one file apart and stays the same while the sample does,
  /// wherever it stands: "8f14e45fceea167a"; of several that are the same the
  /// second has "8f14e45fceea167a-2".
  std::string key;
  std::string task;
  /// Of a solution: its name and author.
  std::string name, author;
  std::optional<std::string> trajectory;
  std::optional<int64_t> turn;
  /// Absent: `problem` says why.
  std::optional<CandidateCode> code;
  std::string problem;
  /// There is code, of a kind that is not run here: nothing can be said of it.
  bool isUnsupported = false;
};

/// The last fenced block of a Markdown text, which is CUDA C++, PTX, MLIR or
/// LLVM IR, as `candidate.cu`, `.ptx`, `.mlir` or `.ll`. Blocks of shell
/// commands, plain text and JSON are passed over; a block without a language is
/// judged by its first words, and passed over if they say nothing; one that the
/// text ends in counts, too. What is not CUDA C++ brings the last block of JSON
/// with it, as `candidate.launch.json`. Fails with the reason if there is none,
/// or if the last is in another language.
llvm::Expected<CandidateCode> extractCode(llvm::StringRef completion);

/// Reads the lines of `text`; `path` names it in errors, which say the line.
/// Fails for what is neither form, and for a file without samples.
llvm::Expected<std::vector<Sample>> parseSamples(llvm::StringRef text,
                                                 llvm::StringRef path);

/// The solutions of a data set (a folder with `solutions/`), of a `.json` file
/// with one, or the samples of a file as above.
llvm::Expected<std::vector<Sample>> loadSamples(llvm::StringRef path);

} // namespace ptxbench

#endif // PTXBENCH_EVALUATION_SAMPLE_H
