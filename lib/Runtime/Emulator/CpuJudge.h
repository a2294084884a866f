//===- CpuJudge.h - Inputs and outputs by the reference on the CPU --------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A task's reference in MLIR is run by ptxbench-reference. A product without
// one is judged by a product of our own in double precision. Where the whole
// would take long, a sample of the independent axes is computed and compared.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_RUNTIME_EMULATOR_CPUJUDGE_H
#define PTXBENCH_LIB_RUNTIME_EMULATOR_CPUJUDGE_H

#include "ptxbench/Runtime/Run.h"

namespace ptxbench {

class CpuJudge {
public:
  /// `tool` is the path of ptxbench-reference; files go to `folder`, which no
  /// candidate may write to.
  CpuJudge(const RunRequest &request, std::string tool, std::string folder)
      : request(request), tool(std::move(tool)), folder(std::move(folder)) {}

  /// Writes the computed inputs of a trial to where computedFile has them.
  llvm::Error computeInputs(unsigned trial);

  /// Judges the outputs of a trial, which lie in the working folder.
  llvm::Expected<std::vector<OutputCheck>> judge(unsigned trial);

  /// What judged: "fp64 on the CPU, 468 of 8192 M". After a judgement.
  std::string describe() const;

private:
  /// The result of a reference: bytes of float32 or float64.
  struct Expectation {
    ElementType type = ElementType::Float64;
    std::vector<uint8_t> bytes;
  };

  void chooseSample(uint64_t seed);
  llvm::Expected<std::vector<Expectation>> compute(unsigned trial);
  llvm::Expected<std::vector<Expectation>> computeProduct(unsigned trial);
  llvm::Error runTool(std::vector<std::string> arguments, std::string &out);
  /// Writes the inputs that the tool reads; adds its arguments.
  llvm::Error writeInputs(unsigned trial, bool drawnOnly,
                          std::vector<std::string> &arguments);

  const RunRequest &request;
  std::string tool, folder;
  /// Of each independent axis; as long as `request.reference.independentAxes`.
  std::vector<std::vector<int64_t>> sample;
  ElementType precision = ElementType::Float64;
};

} // namespace ptxbench

#endif // PTXBENCH_LIB_RUNTIME_EMULATOR_CPUJUDGE_H
