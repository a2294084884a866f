//===- UndefinedStep.h - What goes with an instruction -------- -*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where undefined values are looked for, the decoder wraps instructions: a
// handler of ours looks at the operands that must be defined, executes the
// instruction, and gives the results their undefined bits. Those come from a
// rule for one lane (UndefinedRules.cpp), or from a function for the warp:
// UndefinedMemory.cpp, UndefinedWarp.cpp, UndefinedMatrix.cpp. Instructions
// without either have defined results, so that what is not known here is never
// a false alarm.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_CHECKS_UNDEFINEDSTEP_H
#define PTXBENCH_LIB_EMULATOR_CHECKS_UNDEFINEDSTEP_H

#include "../Ops/InstDesc.h"
#include "UndefinedValues.h"

namespace ptxbench::emulator {

/// A row and the width of its lanes; noSlot: `_`.
struct StepRow {
  Slot slot = noSlot;
  uint8_t bits = 0;
  /// `!p`
  bool negated = false;
};

/// The sources of one lane: their values, and which bits are undefined.
struct StepLane {
  static constexpr unsigned maxSources = 5;
  uint64_t value[maxSources];
  uint64_t undefined[maxSources];
};

struct UndefinedStep;
/// The undefined bits of result number `result`, if any of a source is. Those
/// beyond the width of the result are ignored.
using StepRule = uint64_t (*)(const UndefinedStep &step, const StepLane &lane,
                              unsigned result);
/// Done in front of the instruction: it may be executed again afterwards.
using StepBefore = void (*)(Warp &warp, const UndefinedStep &step,
                            LaneMask mask);
/// Done behind it. The first two sources are as they were in front of it.
struct StepSaved {
  alignas(64) char rows[2][rowBytes(64)];
};
using StepAfter = void (*)(Warp &warp, const UndefinedStep &step, LaneMask mask,
                           const StepSaved &saved);

struct UndefinedStep : InstExtra {
  Inst inst;
  /// Operands that are to be defined.
  struct Use {
    StepRow row;
    const char *what;
  };
  llvm::SmallVector<Use, 2> uses;
  llvm::SmallVector<StepRow, 4> sources, results;
  StepRule rule = nullptr;
  StepBefore before = nullptr;
  StepAfter after = nullptr;

  /// For the rule: the types that count, the width of independent parts, a
  /// comparison or combination, a table or mode.
  DataType type, from;
  uint8_t part = 0;
  Mod comparison{}, combination{};
  uint8_t table = 0;
  bool flag = false;
  /// Whether undefined bits are only moved.
  bool moves = false;
  /// Elements of a vector in memory and bytes of one.
  uint8_t count = 0, bytes = 0;
  /// Of matrices (UndefinedMatrix.cpp).
  std::unique_ptr<InstExtra> matrix;

  const StepRow &source(unsigned index) const { return sources[index]; }
};

/// What goes with an instruction of the text; null: nothing.
std::unique_ptr<UndefinedStep> makeUndefinedStep(const InstDesc &desc,
                                                 const Inst &inst);
/// A step that only wants one row to be defined.
std::unique_ptr<UndefinedStep> makeUseStep(StepRow row, const char *what);
/// Makes `inst`, which is complete, do what `step` says; nothing without one,
/// or if it has nothing to do.
void attach(std::unique_ptr<UndefinedStep> step, Inst &inst, OwnExtra &own);
/// Goes with a move that the decoder makes.
void selectUndefinedCopy(unsigned bits, Slot from, Slot to, Inst &inst);

/// The families; each says whether the opcode is one of its own.
bool useUndefinedRule(const InstDesc &desc, UndefinedStep &step);
bool useUndefinedMemory(const InstDesc &desc, UndefinedStep &step);
bool useUndefinedWarp(const InstDesc &desc, UndefinedStep &step);
bool useUndefinedMatrix(const InstDesc &desc, UndefinedStep &step);

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

inline StepRow stepRow(const OperandDesc &operand) {
  if (!operand.isRow())
    return {};
  return {operand.slot, operand.bits, operand.negated};
}

/// The lanes in which a row has an undefined bit.
LaneMask undefinedLanes(const Warp &warp, const StepRow &row);
/// The undefined bits of a lane.
uint64_t undefinedBitsOf(const Warp &warp, const StepRow &row, unsigned lane);
/// The value of a lane.
uint64_t valueOf(Warp &warp, const StepRow &row, unsigned lane);

/// The row is defined in the lanes of `mask`.
void define(Warp &warp, const StepRow &row, LaneMask mask);
void setUndefined(Warp &warp, const StepRow &row, unsigned lane,
                  uint64_t undefined);
/// The row is undefined, as a whole, in the lanes of `mask` that are in
/// `undefined`, and defined in the others of them.
void setLanes(Warp &warp, const StepRow &row, LaneMask mask,
              LaneMask undefined);
/// Says where the undefined bits of a result come from: from those of
/// `source`, or from what the instruction itself read; and in which lanes they
/// are padding.
void setOrigin(Warp &warp, const UndefinedStep &step, const StepRow &result,
               const StepRow &source = {}, LaneMask padding = 0);
/// The lanes in which all undefined bits of sources are padding.
LaneMask paddingLanes(Warp &warp, const UndefinedStep &step);
/// The row that is undefined in one of `lanes`; none if there is none.
StepRow undefinedSource(const Warp &warp, const UndefinedStep &step,
                        LaneMask lanes);

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_CHECKS_UNDEFINEDSTEP_H
