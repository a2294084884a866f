//===- SassOpcode.cpp - Classes of machine instructions -------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The opcode table. Bits 9 to 11 of an opcode are its operand form; forms of
// one mnemonic are listed one by one, since an unlisted form may be another
// mnemonic (9a7 is SYNCS.ARRIVE, 5a7 SYNCS.PHASECHK).
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Target/SASS/SassOpcode.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/ErrorHandling.h"

using namespace ptxbench;
using llvm::StringRef;

SassClass ptxbench::classifySass(const SassWord &word) {
  switch (word.opcode()) {
  case 0x9f0:
  case 0xdf0:
    return SassClass::HGMMA;
  case 0x9f1:
  case 0xdf1:
    return SassClass::IGMMA;
  case 0x9f2:
  case 0xdf2:
    return SassClass::BGMMA;
  case 0x9f3:
  case 0xdf3:
    return SassClass::QGMMA;
  case 0x9c5:
    // ARRIVE has no operand; DEPBAR carries its group in bits 40 to 47.
    if ((word.low >> 32) == 0 && (word.high & 0xfffff) == 0)
      return SassClass::WarpgroupArrive;
    if ((word.low >> 47) & 1)
      return SassClass::WarpgroupDepbar;
    return SassClass::WarpgroupOther;
  case 0x3b4:
  case 0x5b4:
    return SassClass::UTMALDG;
  case 0x3b5:
    return SassClass::UTMASTG;
  case 0x3b6:
    return SassClass::UTMAREDG;
  case 0x3b8:
  case 0x5b8:
    return SassClass::UTMAPF;
  case 0x9b9:
    return SassClass::UTMACCTL;
  case 0x9b7:
    return SassClass::UTMACMDFLUSH;
  case 0x3ba:
    return SassClass::UBLKCP;
  case 0x3bb:
    return SassClass::UBLKRED;
  case 0x3bc:
    return SassClass::UBLKPF;
  case 0x5b2:
    return SassClass::SyncsExch;
  case 0x9a7:
    return SassClass::SyncsArrive;
  case 0x5a7:
    return SassClass::SyncsPhasechk;
  case 0x9b1:
    return SassClass::SyncsCctl;
  case 0x9b0:
    return SassClass::ArrivesLdgsts;
  case 0xdae:
  case 0xfae:
    return SassClass::LDGSTS;
  case 0x9af:
    return SassClass::LDGDEPBAR;
  case 0x91a:
    return SassClass::DEPBAR;
  case 0x83b:
    return SassClass::LDSM;
  case 0x844:
    return SassClass::STSM;
  case 0x23a:
    return SassClass::MOVM;
  case 0x23c:
    return SassClass::HMMA;
  case 0x237:
    return SassClass::IMMA;
  case 0x23d:
    return SassClass::BMMA;
  case 0x23f:
    return SassClass::DMMA;
  case 0x3c8:
  case 0x9c8:
    return SassClass::USETMAXREG;
  case 0x82f:
    return SassClass::ELECT;
  case 0x3c4:
    return SassClass::REDUX;
  case 0x82e:
    return SassClass::ACQBULK;
  case 0x82d:
    return SassClass::PREEXIT;
  case 0x9c7:
    return SassClass::UcgabarArrive;
  case 0xdc7:
    return SassClass::UcgabarWait;
  case 0x51d:
  case 0x91d:
  case 0xb1d:
    return SassClass::BAR;
  case 0x3c6:
    return SassClass::FenceView;
  case 0x992:
    return SassClass::MEMBAR;
  case 0xdbd:
    return SassClass::STAS;
  case 0xdbe:
    return SassClass::REDAS;
  case 0x9a5:
    return SassClass::LDGMC;
  case 0x98e:
  case 0x9a6:
    return SassClass::REDG;
  case 0x5ea:
  case 0x9ea:
    return SassClass::UtcMma;
  case 0x3e9:
    return SassClass::UTCBAR;
  case 0x9e7:
    return SassClass::UTCCP;
  case 0x9e6:
    return SassClass::UTCSHIFT;
  case 0x5e3:
  case 0x9e3:
    return SassClass::UTCATOMSWS;
  case 0x84c:
    return SassClass::UVIRTCOUNT;
  case 0x9ee:
    return SassClass::LDTM;
  case 0x9ed:
    return SassClass::STTM;
  case 0x3ca:
    return SassClass::UGETNEXTWORKID;
  case 0x547:
  case 0x947:
    return SassClass::BRA;
  case 0x944: // CALL.REL
  case 0x950: // RET.REL
  case 0x949: // BRX
  case 0x941: // BSYNC
    return SassClass::BranchOther;
  case 0x94d:
    return SassClass::EXIT;
  case 0x918:
    return SassClass::NOP;
  default:
    return SassClass::Other;
  }
}

StringRef ptxbench::stringifySassClass(SassClass opcodeClass) {
  switch (opcodeClass) {
  case SassClass::Other:
  case SassClass::BranchOther:
    return "";
  case SassClass::HGMMA:
    return "HGMMA";
  case SassClass::IGMMA:
    return "IGMMA";
  case SassClass::BGMMA:
    return "BGMMA";
  case SassClass::QGMMA:
    return "QGMMA";
  case SassClass::WarpgroupArrive:
    return "WARPGROUP.ARRIVE";
  case SassClass::WarpgroupDepbar:
    return "WARPGROUP.DEPBAR";
  case SassClass::WarpgroupOther:
    return "WARPGROUP";
  case SassClass::UTMALDG:
    return "UTMALDG";
  case SassClass::UTMASTG:
    return "UTMASTG";
  case SassClass::UTMAREDG:
    return "UTMAREDG";
  case SassClass::UTMAPF:
    return "UTMAPF";
  case SassClass::UTMACCTL:
    return "UTMACCTL";
  case SassClass::UTMACMDFLUSH:
    return "UTMACMDFLUSH";
  case SassClass::UBLKCP:
    return "UBLKCP";
  case SassClass::UBLKRED:
    return "UBLKRED";
  case SassClass::UBLKPF:
    return "UBLKPF";
  case SassClass::SyncsExch:
    return "SYNCS.EXCH";
  case SassClass::SyncsArrive:
    return "SYNCS.ARRIVE";
  case SassClass::SyncsPhasechk:
    return "SYNCS.PHASECHK";
  case SassClass::SyncsCctl:
    return "SYNCS.CCTL";
  case SassClass::ArrivesLdgsts:
    return "ARRIVES.LDGSTSBAR";
  case SassClass::LDGSTS:
    return "LDGSTS";
  case SassClass::LDGDEPBAR:
    return "LDGDEPBAR";
  case SassClass::DEPBAR:
    return "DEPBAR";
  case SassClass::LDSM:
    return "LDSM";
  case SassClass::STSM:
    return "STSM";
  case SassClass::MOVM:
    return "MOVM";
  case SassClass::HMMA:
    return "HMMA";
  case SassClass::IMMA:
    return "IMMA";
  case SassClass::BMMA:
    return "BMMA";
  case SassClass::DMMA:
    return "DMMA";
  case SassClass::USETMAXREG:
    return "USETMAXREG";
  case SassClass::ELECT:
    return "ELECT";
  case SassClass::REDUX:
    return "REDUX";
  case SassClass::ACQBULK:
    return "ACQBULK";
  case SassClass::PREEXIT:
    return "PREEXIT";
  case SassClass::UcgabarArrive:
    return "UCGABAR_ARV";
  case SassClass::UcgabarWait:
    return "UCGABAR_WAIT";
  case SassClass::BAR:
    return "BAR";
  case SassClass::FenceView:
    return "FENCE.VIEW.ASYNC";
  case SassClass::MEMBAR:
    return "MEMBAR";
  case SassClass::STAS:
    return "STAS";
  case SassClass::REDAS:
    return "REDAS";
  case SassClass::LDGMC:
    return "LDGMC";
  case SassClass::REDG:
    return "REDG";
  case SassClass::UtcMma:
    return "UTCMMA";
  case SassClass::UTCBAR:
    return "UTCBAR";
  case SassClass::UTCCP:
    return "UTCCP";
  case SassClass::UTCSHIFT:
    return "UTCSHIFT";
  case SassClass::UTCATOMSWS:
    return "UTCATOMSWS";
  case SassClass::UVIRTCOUNT:
    return "UVIRTCOUNT";
  case SassClass::LDTM:
    return "LDTM";
  case SassClass::STTM:
    return "STTM";
  case SassClass::UGETNEXTWORKID:
    return "UGETNEXTWORKID";
  case SassClass::BRA:
    return "BRA";
  case SassClass::EXIT:
    return "EXIT";
  case SassClass::NOP:
    return "NOP";
  }
  llvm_unreachable("not a SASS class");
}

bool ptxbench::isGmma(SassClass opcodeClass) {
  return opcodeClass == SassClass::HGMMA || opcodeClass == SassClass::IGMMA ||
         opcodeClass == SassClass::BGMMA || opcodeClass == SassClass::QGMMA;
}

bool ptxbench::isDummyGmma(const SassWord &word) {
  // Any guard; both the result and the descriptor register are RZ/URZ.
  constexpr uint64_t guardMask = 0xf000;
  return (word.low & ~guardMask) == (0x000000003fff79f0 & ~guardMask);
}

bool ptxbench::isUniformDatapath(SassClass opcodeClass) {
  switch (opcodeClass) {
  case SassClass::UTMALDG:
  case SassClass::UTMASTG:
  case SassClass::UTMAREDG:
  case SassClass::UTMAPF:
  case SassClass::UTMACCTL:
  case SassClass::UTMACMDFLUSH:
  case SassClass::UBLKCP:
  case SassClass::UBLKRED:
  case SassClass::UBLKPF:
  case SassClass::SyncsExch:
  case SassClass::SyncsArrive:
  case SassClass::SyncsPhasechk:
  case SassClass::SyncsCctl:
  case SassClass::USETMAXREG:
  case SassClass::UcgabarArrive:
  case SassClass::UcgabarWait:
  case SassClass::UtcMma:
  case SassClass::UTCBAR:
  case SassClass::UTCCP:
  case SassClass::UTCSHIFT:
  case SassClass::UTCATOMSWS:
  case SassClass::UVIRTCOUNT:
  case SassClass::UGETNEXTWORKID:
    return true;
  default:
    return false;
  }
}

StringRef ptxbench::ptxbenchFamily(SassClass opcodeClass) {
  switch (opcodeClass) {
  case SassClass::HGMMA:
  case SassClass::IGMMA:
  case SassClass::BGMMA:
  case SassClass::QGMMA:
    return "gmma";
  case SassClass::UTMALDG:
  case SassClass::UTMASTG:
  case SassClass::UTMAREDG:
    return "tma";
  case SassClass::UtcMma:
  case SassClass::UTCBAR:
  case SassClass::UTCCP:
  case SassClass::UTCSHIFT:
  case SassClass::UTCATOMSWS:
  case SassClass::LDTM:
  case SassClass::STTM:
    return "tcgen";
  default:
    return "";
  }
}

uint64_t ptxbench::branchTarget(const SassWord &word, uint64_t pc) {
  // A signed count of 4-byte units after the end of the instruction: its low 8
  // bits are bits 16 to 23, the others start at bit 34 and end at bit 81.
  uint64_t units = ((word.low >> 16) & 0xff) | ((word.low >> 34) << 8) |
                   ((word.high & 0x3ffff) << 38);
  // Sign extension from 56 bits, then times 4.
  int64_t offset = static_cast<int64_t>(units << 8) >> 6;
  return pc + 16 + static_cast<uint64_t>(offset);
}

bool ptxbench::isVotingBranch(const SassWord &word) {
  return word.opcode() == 0x947 && ((word.low >> 32) & 3) == 1;
}

//===----------------------------------------------------------------------===//
// Shapes of warpgroup matrix instructions
//===----------------------------------------------------------------------===//

GmmaShape ptxbench::decodeGmma(const SassWord &word) {
  GmmaShape shape;
  shape.opcodeClass = classifySass(word);
  shape.aInRegisters = (word.low >> 10) & 1;
  // The columns in units of 8, less one. (IGMMA has other bits there.)
  if (shape.opcodeClass != SassClass::IGMMA)
    shape.n = (((word.low >> 53) & 0x1f) + 1) * 8;
  if (shape.opcodeClass == SassClass::HGMMA)
    shape.floatKind = (word.high >> 12) & 3;
  return shape;
}

std::optional<GmmaShape> ptxbench::parseWgmmaShape(StringRef mnemonic) {
  GmmaShape shape;
  llvm::SmallVector<StringRef, 12> parts;
  mnemonic.split(parts, '.');
  for (StringRef part : parts) {
    StringRef rest = part;
    unsigned m, n;
    if (rest.consume_front("m") && !rest.consumeInteger(10, m) &&
        rest.consume_front("n") && !rest.consumeInteger(10, n) &&
        rest.starts_with("k")) {
      shape.n = n;
      continue;
    }
    // The type of the result may be f16 or f32 or s32; the first of the types
    // after it is A's. f32 and s32 are never A's, f16 is overridden.
    if (part == "f16") {
      shape.opcodeClass = SassClass::HGMMA;
      shape.floatKind = 0;
    } else if (part == "bf16") {
      shape.opcodeClass = SassClass::HGMMA;
      shape.floatKind = 1;
    } else if (part == "tf32") {
      shape.opcodeClass = SassClass::HGMMA;
      shape.floatKind = 2;
    } else if (part == "e4m3" || part == "e5m2") {
      shape.opcodeClass = SassClass::QGMMA;
      shape.floatKind.reset();
    } else if (part == "s8" || part == "u8") {
      shape.opcodeClass = SassClass::IGMMA;
    } else if (part == "b1") {
      shape.opcodeClass = SassClass::BGMMA;
    }
  }
  if (!shape.n || shape.opcodeClass == SassClass::Other)
    return std::nullopt;
  return shape;
}

bool ptxbench::fitsShape(const GmmaShape &ptx, const GmmaShape &sass) {
  if (ptx.opcodeClass != sass.opcodeClass)
    return false;
  if (ptx.n && sass.n && *ptx.n != *sass.n)
    return false;
  return !ptx.floatKind || !sass.floatKind || *ptx.floatKind == *sass.floatKind;
}
