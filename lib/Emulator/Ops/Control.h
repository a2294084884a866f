//===- Control.h - Control flow and copies ----------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the decoder itself puts into programs.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_OPS_CONTROL_H
#define PTXBENCH_LIB_EMULATOR_OPS_CONTROL_H

#include "../Machine/Machine.h"

namespace ptxbench::emulator {

/// The targets of a `brx.idx`, whose index is ops[0].
struct TableExtra : InstExtra {
  std::vector<uint32_t> targets;
};

/// An instruction that the emulator does not execute.
struct UnsupportedExtra : InstExtra {
  std::string mnemonic;
};

/// To Inst::target.
Step executeBranch(Warp &warp, const Inst &inst, LaneMask &mask);
Step executeTableBranch(Warp &warp, const Inst &inst, LaneMask &mask);
Step executeExit(Warp &warp, const Inst &inst, LaneMask &mask);
Step executeTrap(Warp &warp, const Inst &inst, LaneMask &mask);
Step executeUnsupported(Warp &warp, const Inst &inst, LaneMask &mask);

/// ops[0] = ops[1], of that width.
Handler getCopyHandler(unsigned bits);
/// Fills the row of the clock that flags[0], a SpecialRow, names.
Handler getClockHandler();

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_OPS_CONTROL_H
