//===- TargetArch.cpp - Architectures and what they have ------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `sm_90a` and its like as text, and which of them have what a record asks for:
// plain ones go upwards, `f` stays within a generation, `a` is the one alone.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/ISA/Instruction.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace ptxbench;

bool ptxbench::supportsTarget(TargetArch arch, ArrayRef<TargetArch> targets) {
  // The name of sm_110 before PTX 9.0.
  if (arch.sm == 101)
    arch.sm = 110;
  return any_of(targets, [&](TargetArch target) {
    if (target.suffix == 'a')
      return arch.sm == target.sm && arch.suffix == 'a';
    // A family is the later architectures of the same generation; their `a`
    // targets are in it, too.
    if (target.suffix == 'f')
      return arch.suffix && arch.sm >= target.sm &&
             arch.sm / 10 == target.sm / 10;
    return arch.sm >= target.sm;
  });
}

std::optional<TargetArch> ptxbench::parseTargetArch(StringRef text) {
  TargetArch arch;
  if (!text.consume_front("sm_") || text.empty())
    return std::nullopt;
  if (text.back() == 'a' || text.back() == 'f') {
    arch.suffix = text.back();
    text = text.drop_back();
  }
  if (text.empty() || !all_of(text, isDigit) || text.getAsInteger(10, arch.sm))
    return std::nullopt;
  return arch;
}

std::string ptxbench::stringifyTargetArch(TargetArch arch) {
  std::string text = "sm_" + utostr(arch.sm);
  if (arch.suffix)
    text += arch.suffix;
  return text;
}
