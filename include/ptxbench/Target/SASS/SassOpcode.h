//===- SassOpcode.h - Classes of machine instructions -----------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an instruction word of sm_90 and sm_100 says about itself: the class of
// its opcode (low 12 bits), its guard (bits 12 to 15), the target of a branch
// and the shape of a warpgroup matrix instruction. The opcode numbers were
// established by assembling PTX with ptxas and disassembling the result. Of
// one mnemonic only the operand forms that were seen or that a disassembler
// accepts are listed; any other word is `Other`.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_TARGET_SASS_SASSOPCODE_H
#define PTXBENCH_TARGET_SASS_SASSOPCODE_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace ptxbench {

enum class SassClass : uint8_t {
  Other,
  // Warpgroup matrix instructions and their brackets.
  HGMMA,
  IGMMA,
  BGMMA,
  QGMMA,
  WarpgroupArrive,
  WarpgroupDepbar,
  WarpgroupOther,
  // The tensor memory accelerator and bulk copies.
  UTMALDG,
  UTMASTG,
  UTMAREDG,
  UTMAPF,
  UTMACCTL,
  UTMACMDFLUSH,
  UBLKCP,
  UBLKRED,
  UBLKPF,
  // mbarrier.
  SyncsExch,
  SyncsArrive,
  SyncsPhasechk,
  SyncsCctl,
  ArrivesLdgsts,
  // Older asynchronous copies and matrix instructions.
  LDGSTS,
  LDGDEPBAR,
  DEPBAR,
  LDSM,
  STSM,
  MOVM,
  HMMA,
  IMMA,
  BMMA,
  DMMA,
  // Warp and register control.
  USETMAXREG,
  ELECT,
  REDUX,
  ACQBULK,
  PREEXIT,
  // Clusters, fences, barriers.
  UcgabarArrive,
  UcgabarWait,
  BAR,
  FenceView,
  MEMBAR,
  STAS,
  REDAS,
  LDGMC,
  REDG,
  // tcgen05.
  UtcMma,
  UTCBAR,
  UTCCP,
  UTCSHIFT,
  UTCATOMSWS,
  UVIRTCOUNT,
  LDTM,
  STTM,
  UGETNEXTWORKID,
  // Control flow and filling.
  BRA,
  BranchOther,
  EXIT,
  NOP,
};

/// The 128 bits of an instruction.
struct SassWord {
  uint64_t low = 0, high = 0;

  /// Low 12 bits.
  uint32_t opcode() const { return low & 0xfff; }
  /// The number of the guard: 0 to 6 of a register, 7 of PT; 8 is added if it
  /// is negated.
  unsigned guard() const { return (low >> 12) & 0xf; }
  /// Whether the instruction has a guard other than PT.
  bool guarded() const { return guard() != 7; }
  /// Whether the guard is !PT: it never executes with a lane on.
  bool neverOn() const { return guard() == 0xf; }
  /// Everything but the scheduling bits (105 and above of 128).
  bool sameOperation(const SassWord &other) const {
    constexpr uint64_t mask = (uint64_t(1) << 41) - 1;
    return low == other.low && (high & mask) == (other.high & mask);
  }
};

/// The class of an instruction.
SassClass classifySass(const SassWord &word);
/// The mnemonic as a disassembler spells it, with the modifier that tells
/// classes apart ("HGMMA", "SYNCS.ARRIVE"); empty for `Other`.
llvm::StringRef stringifySassClass(SassClass opcodeClass);

/// The family in which PTXBench counts it: "gmma" (*GMMA*), "tma" (UTMALDG,
/// UTMASTG, UTMAREDG), "tcgen" (UTC*, LDTM, STTM); empty if in none.
llvm::StringRef ptxbenchFamily(SassClass opcodeClass);

/// HGMMA, IGMMA, BGMMA or QGMMA.
bool isGmma(SassClass opcodeClass);
/// Whether it is a GMMA without operands, which ptxas puts in for an empty
/// commit group. It is no PTX instruction's.
bool isDummyGmma(const SassWord &word);
/// Whether one issue of the instruction acts once for the whole warp, so that
/// thread counts say 32 for one.
bool isUniformDatapath(SassClass opcodeClass);

/// The pc that a BRA at `pc` goes to.
uint64_t branchTarget(const SassWord &word, uint64_t pc);

/// Whether it is a BRA.ANY: taken while any lane of the warp wants it, the end
/// of a loop that issues an instruction once per thread.
bool isVotingBranch(const SassWord &word);

/// What a GMMA's word says about its shape. The parts that are not known for a
/// class are absent.
struct GmmaShape {
  SassClass opcodeClass = SassClass::Other;
  /// Columns of the result.
  std::optional<unsigned> n;
  /// Whether A comes from registers.
  bool aInRegisters = false;
  /// Of HGMMA: 0 f16, 1 bf16, 2 tf32.
  std::optional<unsigned> floatKind;
};
GmmaShape decodeGmma(const SassWord &word);
/// The shape that the mnemonic of a `wgmma.mma_async` asks for. Whether A is in
/// registers is not in the mnemonic. Nothing if it has no shape or type.
std::optional<GmmaShape> parseWgmmaShape(llvm::StringRef mnemonic);
/// Whether the machine instruction can be the PTX instruction, as far as both
/// are known.
bool fitsShape(const GmmaShape &ptx, const GmmaShape &sass);

} // namespace ptxbench

#endif // PTXBENCH_TARGET_SASS_SASSOPCODE_H
