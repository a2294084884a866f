//===- Baseline.h - What a candidate's time is compared with ----*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An operation of a vendor's library on the tensors of a call. A library
// proposes several ways to compute it; all are timed, the fastest is kept.
// Memory that it needs beside the tensors is allocated when it is made.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_RUNTIME_CUDA_BASELINE_H
#define PTXBENCH_LIB_RUNTIME_CUDA_BASELINE_H

#include "Device.h"

#include <algorithm>
#include <functional>
#include <memory>

namespace ptxbench {

struct TuneOptions {
  /// Put on the stream before each call.
  std::function<llvm::Error()> flush;
  /// Told the name of a proposal before its first call, and "" once all of them
  /// had theirs; may be empty.
  std::function<void(llvm::StringRef)> trying;
  /// Names of proposals that are not tried.
  std::vector<std::string> skip;
};

/// Bytes to be written between calls so that nothing of the last one is left in
/// the L2.
inline uint64_t flushBytes(const Device &device) {
  return std::max<uint64_t>(2 * device.l2Bytes(), 1 << 20);
}

class Baseline {
public:
  virtual ~Baseline() = default;

  /// Plans `request.baseline`, which is not empty, on tensors at these
  /// addresses, in the order of the call. The error says what is missing.
  static llvm::Expected<std::unique_ptr<Baseline>>
  create(const Device &device, const Toolchain &toolchain,
         const RunRequest &request, llvm::ArrayRef<CUdeviceptr> tensors);

  /// "cuDNN 9.19.0".
  virtual std::string name() const = 0;
  /// What is put on the stream before the call and not timed, for a reader
  /// ("SF_A is transposed before the call"); empty if nothing is.
  virtual std::string preparation() const { return ""; }
  /// How many ways there are, and a name of each.
  virtual size_t proposals() const = 0;
  virtual std::string proposalName(size_t index) const = 0;

  /// Puts on the stream what goes before a call and is not timed.
  virtual llvm::Error prepare() { return llvm::Error::success(); }
  /// Puts one call on the stream.
  llvm::Error run() { return run(chosen); }
  virtual llvm::Error run(size_t proposal) = 0;

  /// What tuning found for a proposal.
  struct Tuned {
    /// Median; negative if it does not run.
    double ms = -1;
    /// Why it does not.
    std::string error;
  };
  /// Times every proposal on a device under load and keeps the fastest. Fails
  /// where none runs, and where one leaves the context in an error.
  llvm::Error tune(const TuneOptions &options);
  /// Takes the proposal of that name. Fails if there is none.
  llvm::Error choose(llvm::StringRef name);
  llvm::ArrayRef<Tuned> tuned() const { return results; }
  size_t choice() const { return chosen; }

protected:
  explicit Baseline(const Device &device) : device(device) {}

  const Device &device;

private:
  llvm::Error timeOnce(size_t proposal, const TuneOptions &options,
                       CUevent begin, CUevent end, double &ms);

  size_t chosen = 0;
  std::vector<Tuned> results;
};

/// The version of the cuDNN that baselines take, "9.19.0", or why there is
/// none.
llvm::Expected<std::string> cudnnVersion(const Toolchain &toolchain);

} // namespace ptxbench

#endif // PTXBENCH_LIB_RUNTIME_CUDA_BASELINE_H
