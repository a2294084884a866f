//===- ResultStore.h - Results that survive a kill --------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file of records to which lines are appended. A record is on the disk when
// append returns; a line that a kill cut off is removed when the file is opened
// again. Of several records of one sample the last counts: it was run again.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_EVALUATION_RESULTSTORE_H
#define PTXBENCH_EVALUATION_RESULTSTORE_H

#include "ptxbench/Evaluation/Record.h"

#include <memory>
#include <mutex>

namespace ptxbench {

class ResultStore {
public:
  /// Opens or makes the file, which no other process may have open. Fails for a
  /// line that is no record, unless it is the last and incomplete.
  static llvm::Expected<std::unique_ptr<ResultStore>>
  open(llvm::StringRef path);
  ~ResultStore();

  /// Those that were there and those that were appended, one for each sample,
  /// in the order of their first lines.
  const std::vector<Record> &records() const { return all; }
  const Record *find(llvm::StringRef key) const;

  /// Thread-safe.
  llvm::Error append(const Record &record);

private:
  ResultStore(std::string path, int descriptor)
      : path(std::move(path)), descriptor(descriptor) {}
  llvm::Error load();
  /// Puts a record in the place of an earlier one of its sample.
  void keep(Record record);

  std::string path;
  int descriptor;
  std::mutex mutex;
  std::vector<Record> all;
};

} // namespace ptxbench

#endif // PTXBENCH_EVALUATION_RESULTSTORE_H
