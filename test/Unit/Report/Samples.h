//===- Samples.h - Reports that the tests share -----------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two GEMM kernels that differ in one guard: in `liveReport` the wgmma run, in
// `deadReport` they stand behind a comparison that is always false.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_UNITTEST_REPORT_SAMPLES_H
#define PTXBENCH_UNITTEST_REPORT_SAMPLES_H

#include "ptxbench/Report/Report.h"

namespace ptxbench::test {

/// A whole run that passed: every field of the model is set.
Report liveReport();
/// A whole run whose wgmma never executed.
Report deadReport();
/// The same two, statically only.
Report staticReport(bool dead);

std::string textOf(const Report &report, bool color = false);
std::string jsonOf(const Report &report);
std::string htmlOf(const Report &report);

} // namespace ptxbench::test

#endif // PTXBENCH_UNITTEST_REPORT_SAMPLES_H
