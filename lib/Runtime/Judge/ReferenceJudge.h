//===- ReferenceJudge.h - Inputs and outputs by the reference ---*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A task's reference in MLIR is run by ptxbench-reference, a process of its
// own, on the CPU or on a CUDA device. A product without one is judged by a
// product of our own in double precision. Where the whole would take long, a
// sample of the independent axes is computed and compared.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_RUNTIME_JUDGE_REFERENCEJUDGE_H
#define PTXBENCH_LIB_RUNTIME_JUDGE_REFERENCEJUDGE_H

#include "ptxbench/Runtime/Run.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>

namespace ptxbench {

class ReferenceJudge {
public:
  /// `tool` is the path of ptxbench-reference, `device` the ordinal of the
  /// device on which it computes (absent: the CPU). The request must outlive
  /// the judge.
  ReferenceJudge(const RunRequest &request, std::string tool,
                 std::optional<int> device = std::nullopt)
      : request(request), tool(std::move(tool)), device(device) {}

  /// Writes the computed inputs of all sets to where computedFile has them.
  /// Other files go to `folder`.
  llvm::Error computeInputs(llvm::StringRef folder);

  /// Judges the outputs of a call, which lie in the working folder, and those
  /// of the baseline for the timed call if they are there. What is expected
  /// goes to `folder` for the time of the call; no candidate may read there.
  llvm::Expected<std::vector<OutputCheck>>
  judge(llvm::StringRef folder, unsigned call,
        std::vector<OutputCheck> *baseline = nullptr);

  /// What judged: "fp64 on the CPU, 468 of 8192 M". After a judgement.
  std::string describe() const;

  /// All of the first and of the second, for a result: computes inputs, with
  /// the stages of `result`; false with the status set if it fails. Judges all
  /// calls and sets status, reason, checks and the reference's name. Both make
  /// a folder that nobody else can read, and remove it.
  bool prepare(RunResult &result);
  void judgeAll(RunResult &result);

private:
  /// The result of a reference: float32 or float64.
  struct Expectation {
    ElementType type = ElementType::Float64;
    std::unique_ptr<llvm::MemoryBuffer> file;
    std::vector<double> product;

    llvm::ArrayRef<uint8_t> bytes() const;
  };

  void chooseSample(uint64_t seed);
  llvm::Expected<std::vector<Expectation>> compute(CallInputs inputs);
  llvm::Expected<std::vector<Expectation>> computeProduct(CallInputs inputs);
  llvm::Error runTool(std::vector<std::string> arguments, std::string &out);
  /// Writes the inputs that the tool reads; adds its arguments.
  llvm::Error writeInputs(CallInputs inputs, bool drawnOnly,
                          std::vector<std::string> &arguments);
  /// An error if a computed input is not what it was made.
  llvm::Error checkComputedInputs(unsigned set);
  llvm::Expected<OutputCheck> compare(const ArgumentSpec &tensor,
                                      const std::string &path,
                                      const Expectation &expected);

  const RunRequest &request;
  std::string tool;
  std::optional<int> device;
  /// Of the present call.
  std::string folder;
  /// Of each independent axis; as long as `request.reference.independentAxes`.
  std::vector<std::vector<int64_t>> sample;
  ElementType precision = ElementType::Float64;
  /// What the device is called.
  std::string deviceName;
  /// Hashes of computed inputs, by file.
  std::map<std::string, uint64_t> hashes;
};

} // namespace ptxbench

#endif // PTXBENCH_LIB_RUNTIME_JUDGE_REFERENCEJUDGE_H
