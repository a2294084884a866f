//===- Program.h - A kernel in executable form ------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the interpreter executes: an entry and the functions it reaches, as one
// array of instructions in the order of the text. No MLIR.
//
// A register of a warp is a *row*: 32 lanes of the register's width, side by
// side. A predicate is a row of 32 bits, one per lane. A row lies in the frame
// of the running function, among the constants of the kernel, or among the
// special registers of the warp; a Slot says where.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_PROGRAM_H
#define PTXBENCH_LIB_EMULATOR_PROGRAM_H

#include "ptxbench/ISA/Instruction.h"
#include "llvm/ADT/SmallVector.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ptxbench::emulator {

struct Inst;
struct Warp;

constexpr unsigned warpSize = 32;
/// One bit per lane.
using LaneMask = uint32_t;

/// Where a row lies: a base in the two top bits, a byte offset below.
using Slot = uint32_t;
enum class SlotBase : uint8_t { Frame, Constant, Special };
constexpr Slot noSlot = ~Slot(0);
constexpr Slot makeSlot(SlotBase base, uint32_t offset) {
  return uint32_t(base) << 30 | offset;
}
constexpr unsigned slotBase(Slot slot) { return slot >> 30; }
constexpr uint32_t slotOffset(Slot slot) { return slot & 0x3fffffff; }

/// Bytes of a row of `bits`-wide lanes; 1: a predicate.
constexpr uint32_t rowBytes(unsigned bits) {
  return bits == 1 ? sizeof(LaneMask) : bits / 8 * warpSize;
}

/// What an instruction that is no plain computation did.
enum class Step : uint8_t {
  /// It is done; the next one follows.
  Next,
  /// It has set the place where the warp goes on.
  Jumped,
  /// It cannot be executed yet; the group waits (Warp::wait) and executes it
  /// again afterwards.
  Retry,
  /// It is done, but the group goes on only when its wait is over.
  Wait,
  /// Done; others should have a turn.
  Yield,
  /// The group has ended or the launch is over.
  Ended,
};

/// Executes an instruction for the lanes of `mask`, of which there is one.
using Handler = void (*)(Warp &warp, const Inst &inst, LaneMask mask);
/// `mask` may be empty: the guard is false in all active lanes. A handler that
/// executes the instruction for some of the lanes only says so in `mask`.
using ControlHandler = Step (*)(Warp &warp, const Inst &inst, LaneMask &mask);

/// What a handler needs beyond operands; owned by the program.
struct InstExtra {
  virtual ~InstExtra();
};

/// A decoded instruction. What `ops` and `imm` hold is between the function
/// that selected the handler and the handler.
struct Inst {
  Handler handler = nullptr;
  /// Set instead of `handler` for control flow and what may wait.
  ControlHandler control = nullptr;
  Slot guard = noSlot;
  /// Index into Program::sources; 0: none of the text.
  uint32_t source = 0;
  bool guardNegated = false;
  /// Free for the handler.
  uint8_t flags[7] = {};
  Slot ops[8] = {noSlot, noSlot, noSlot, noSlot,
                 noSlot, noSlot, noSlot, noSlot};
  uint64_t imm = 0;
  /// Target of a branch or callee, as an index into Program::code.
  uint32_t target = 0;
  uint32_t imm2 = 0;
  const InstExtra *extra = nullptr;
};

/// The place of an instruction in the text.
struct SourceInst {
  Opcode opcode{};
  /// The terminators `ret`, `exit` ... and `bra` have no record of their own
  /// as operations; this is the spelling for all.
  llvm::StringRef name;
  unsigned line = 0, column = 0;
};

/// The special registers that are rows of the warp, filled when it starts. All
/// are 32 bits wide but those behind First64.
enum class SpecialRow : uint8_t {
  TidX,
  TidY,
  TidZ,
  NtidX,
  NtidY,
  NtidZ,
  CtaidX,
  CtaidY,
  CtaidZ,
  NctaidX,
  NctaidY,
  NctaidZ,
  ClusteridX,
  ClusteridY,
  ClusteridZ,
  NclusteridX,
  NclusteridY,
  NclusteridZ,
  ClusterCtaidX,
  ClusterCtaidY,
  ClusterCtaidZ,
  ClusterNctaidX,
  ClusterNctaidY,
  ClusterNctaidZ,
  ClusterCtarank,
  ClusterNctarank,
  Laneid,
  Warpid,
  Nwarpid,
  Smid,
  Nsmid,
  LanemaskEq,
  LanemaskLe,
  LanemaskLt,
  LanemaskGe,
  LanemaskGt,
  DynamicSmemSize,
  TotalSmemSize,
  AggrSmemSize,
  Envreg1,
  Envreg2,
  Zero,
  Clock,
  ClockHi,
  GlobaltimerLo,
  GlobaltimerHi,
  First64,
  Gridid = First64,
  Clock64,
  Globaltimer,
  Count,
};
constexpr uint32_t specialRowOffset(SpecialRow row) {
  unsigned index = unsigned(row), first = unsigned(SpecialRow::First64);
  return index < first ? index * rowBytes(32)
                       : first * rowBytes(32) + (index - first) * rowBytes(64);
}
constexpr uint32_t specialRowBytes = specialRowOffset(SpecialRow::Count);
/// The mask of explicit clusters, a predicate row, stands behind them.
constexpr uint32_t explicitClusterOffset = specialRowBytes;
/// PTX ISA "Extended-Precision Integer Arithmetic Instructions": CC.CF of the
/// lanes, another one.
constexpr uint32_t carryFlagOffset = explicitClusterOffset + sizeof(LaneMask);
constexpr uint32_t specialAreaBytes = specialRowBytes + 64;

/// A row that holds the address of a variable, filled when a frame is made:
/// `.local` memory is that of the frame, and addresses of shared memory hold
/// the rank of the CTA.
struct AddressRow {
  enum Space : uint8_t { Local, Shared } space;
  /// Of the row: 32 or 64.
  uint8_t bits;
  Slot slot;
  uint32_t offset;
};

/// A parameter or result of a function.
struct ParamPlace {
  /// In registers: its row, and its width.
  Slot slot = noSlot;
  unsigned bits = 0;
  /// In memory: its offset in the frame's local memory, and its size.
  uint32_t localOffset = 0, bytes = 0;
};

/// A function or the entry.
struct Function {
  std::string name;
  /// Index into Program::code; `codeEnd` is behind it.
  uint32_t codeBegin = 0, codeEnd = 0;
  /// Bytes of the rows of one frame, and of local memory per lane.
  uint32_t frameBytes = 0, localBytes = 0;
  std::vector<AddressRow> addresses;
  std::vector<ParamPlace> params, results;
};

/// Arguments of a call: rows or local memory of the caller.
struct CallExtra : InstExtra {
  std::vector<ParamPlace> args, results;
  /// Index into Program::functions; absent: the callee is a register.
  std::optional<unsigned> callee;
};

/// A decoded entry with all it may call.
struct Program {
  std::vector<Inst> code;
  /// `sources[0]` stands for instructions that are none of the text.
  std::vector<SourceInst> sources;
  std::vector<Function> functions;
  /// Rows of constants.
  std::vector<char> constants;
  std::vector<std::unique_ptr<InstExtra>> extras;
  /// Static shared memory, its reserved beginning included: where dynamic
  /// shared memory begins.
  uint32_t sharedBytes = 0;
  /// Whether the kernel asks where the reserved beginning is, as the system's
  /// own code (cooperative groups) does: then it may use it.
  bool usesReservedShared = false;
  /// Registers per thread with which the kernel starts, where its directives
  /// say so and `setmaxnreg` therefore counts; 0: it does not.
  uint32_t registersAtLaunch = 0;
  /// The address at which the parameters of a launch are to be put.
  uint64_t paramAddress = 0;
  uint32_t paramBytes = 0;
  /// Where the variables of the module in `.const` lie: addresses and sizes.
  std::vector<std::pair<uint64_t, uint64_t>> constVariables;

  const SourceInst &sourceOf(const Inst &inst) const {
    return sources[inst.source];
  }
};

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_PROGRAM_H
