//===- CpuJudge.cpp - Outputs against a reference on the CPU --------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes the inputs of a call again; the candidate's process had its own.
//
//===----------------------------------------------------------------------===//

#include "CpuJudge.h"
#include "ptxbench/Runtime/Inputs.h"
#include "ptxbench/Task/Compare.h"
#include "ptxbench/Task/ReferenceGEMM.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace ptxbench;

/// Multiplications that a reference may cost; about 10 s on one core.
static constexpr uint64_t maxProducts = uint64_t(1) << 34;

Expected<OutputCheck> ptxbench::judgeOnCpu(const RunRequest &request,
                                           unsigned trial, uint64_t &rows) {
  const ReferenceSpec &reference = request.reference;
  const ArgumentSpec &a = *request.findTensor(reference.a);
  const ArgumentSpec &b = *request.findTensor(reference.b);
  const ArgumentSpec &out = *request.findTensor(reference.out);
  uint64_t m = uint64_t(a.shape[0]), n = uint64_t(b.shape[0]),
           k = uint64_t(a.shape[1]);
  unsigned index = 0;
  while (request.tensors[index].name != out.name)
    ++index;
  std::string path = outputFile(request, trial, index);
  ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFile(
      path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return createStringError(file.getError(), "cannot read '" + path + "': " +
                                                  file.getError().message());

  CallInputs inputs = trialInputs(request, trial);
  std::vector<uint8_t> bytesA(a.bytes()), bytesB(b.bytes());
  generateCallInput(a, inputs, bytesA);
  generateCallInput(b, inputs, bytesB);
  std::vector<uint64_t> chosen =
      sampleRows(m, std::max<uint64_t>(2, maxProducts / (n * k)), inputs.seed);
  rows = chosen.size();
  Expected<std::vector<double>> expected = referenceGEMM(
      {a.type, bytesA}, {b.type, bytesB}, m, n, k, chosen, hostThreads());
  if (!expected)
    return expected.takeError();
  Expected<std::vector<uint8_t>> got =
      gatherRows(arrayRefFromStringRef((*file)->getBuffer()),
                 n * sizeOf(out.type), chosen);
  if (!got)
    return got.takeError();
  ArrayRef<uint8_t> wanted(reinterpret_cast<const uint8_t *>(expected->data()),
                           expected->size() * sizeof(double));
  Expected<Comparison> comparison =
      compareOutputs({out.type, *got}, {ElementType::Float64, wanted},
                     request.tolerance, hostThreads());
  if (!comparison)
    return comparison.takeError();
  OutputCheck check;
  check.call = "trial " + std::to_string(trial);
  check.output = toReport(out.name, *comparison);
  check.undecided = comparison->verdict == Comparison::Verdict::Undecided;
  return check;
}
