//===- LaunchExpression.h - Numbers of launch descriptions ------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "ceildiv(M, 128) * 2": integers and axes of the task with + - * / %, ceildiv,
// min and max (docs/Evaluation.md). What is known before a run is computed
// here, with the rules that the host code has for the rest: 64 bits, and an
// error in place of a number that does not fit or a division by zero.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_DRIVER_LAUNCHEXPRESSION_H
#define PTXBENCH_LIB_DRIVER_LAUNCHEXPRESSION_H

#include "ptxbench/Task/Task.h"

namespace ptxbench {

/// A number, or how host code computes it.
struct LaunchExpression {
  /// If the task fixes it.
  std::optional<int64_t> constant;
  /// C++ of type int64_t, with the functions of launchArithmetic and a variable
  /// `axisI` for the axis I of the definition.
  std::string code;

  static LaunchExpression of(int64_t number);
};

/// What expressions call in host code, and
///
///   template <typename T>
///   bool take(int64_t value, int64_t low, int64_t high, const char *place,
///             T &out);
///
/// which stores a number; outside of its range, or where it could not be
/// computed, it raises an error that begins with `place` and returns false.
extern const char *const launchArithmetic;

/// Reads an expression. Errors say what was expected, without a place.
llvm::Expected<LaunchExpression>
parseLaunchExpression(llvm::StringRef text, const Definition &definition);

/// As a literal of C++.
std::string quoteForHost(llvm::StringRef text);

} // namespace ptxbench

#endif // PTXBENCH_LIB_DRIVER_LAUNCHEXPRESSION_H
