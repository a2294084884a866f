//===- Wgmma.h - Registers of wgmma in flight -------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA "wgmma.mma_async": the accumulators and the registers of A belong to
// the instruction until a wait covers it; whoever accesses them before has an
// undefined result. The assembler puts a wait of its own there, and so do we:
// the decoder puts a check in front of every instruction that names such a
// register, which costs one test while nothing is in flight.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_OPS_WGMMA_H
#define PTXBENCH_LIB_EMULATOR_OPS_WGMMA_H

#include "AsyncGroups.h"
#include "InstDesc.h"
#include "llvm/ADT/DenseSet.h"

namespace ptxbench::emulator {

/// The registers of a function that its wgmma have in flight.
class WgmmaRegisters {
public:
  /// Adds those of a `wgmma.mma_async`.
  void add(const InstDesc &desc);
  bool contains(Slot slot) const { return slots.contains(slot); }
  /// If `desc`, which is no wgmma, names any of them, gives `check` the
  /// handler that is to be executed right in front of it.
  bool selectCheck(const InstDesc &desc, Inst &check, OwnExtra &own) const;
  /// The same for a move that the decoder makes, of which nothing is reported.
  bool selectCheck(Slot from, Slot to, Inst &check, OwnExtra &own) const;

private:
  llvm::DenseSet<Slot> slots;
};

/// Completes what the warp has in flight, whatever the schedule.
void completeWgmma(Warp &warp);

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_OPS_WGMMA_H
