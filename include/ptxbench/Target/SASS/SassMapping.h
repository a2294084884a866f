//===- SassMapping.h - PTX instructions in machine code ---------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Says for each target instruction of the PTX text where it went in the machine
// code. The model:
//
//  1. Line and class. A machine instruction is accepted for a PTX instruction
//     if the line table gives it the line of the PTX instruction *and* its
//     opcode class is one that the PTX instruction becomes. Neither alone is
//     enough: rows are inherited by whatever is scheduled next, and ptxas makes
//     helpers (ELECT, MEMBAR, NOP) for many instructions.
//
//  2. One line, one candidate. If several PTX target instructions of one line
//     accept one class, nothing tells which is which: all are unobservable.
//
//  3. One run, one instruction. A row covers the machine instructions up to the
//     next row. If one run holds a second instruction of a class, it may be a
//     copy of another line's that has lost its row. It is an orphan then,
//     unless the PTX instruction is one that becomes several.
//
//  4. Orphans. A machine instruction of a target class that no PTX instruction
//     of its line accepts is an orphan: the copy of some PTX instruction that
//     loop rotation or peeling left without a row. It is given back to
//     (a) the only PTX instruction of the kernel that accepts its class, or
//     (b) the PTX instruction that owns the very same operation at the place
//         that the first branch after the orphan goes to (the form that ptxas
//         gives a rotated polling loop).
//     An orphan that stays one makes the mapping of every PTX instruction that
//     accepts its class *incomplete*: counts are lower bounds.
//
//  5. Warpgroup matrix instructions never have rows. They are matched by
//     program order between anchors. An anchor is a WARPGROUP.ARRIVE on the
//     line of a wgmma.fence or a WARPGROUP.DEPBAR on the line of a
//     wgmma.wait_group. ARRIVEs and DEPBARs that ptxas put in are no anchors.
//     The GMMAs between two anchors in address order (dummies on RZ aside) are
//     those of the wgmma.mma_async between the same fences and waits in the
//     order of the text if
//       - there are as many of them,
//       - no branch leaves or enters between the first and the last, and
//       - each has the type and the number of columns that its mnemonic asks
//         for.
//     In a kernel where no group matches, all its GMMAs are tried as one group.
//     All GMMAs between two anchors belong to the only wgmma.mma_async there,
//     if there is only one. Copies of a group (unrolling, peeling) are matched
//     copy by copy and add up. Otherwise, as when ptxas merged or deleted some,
//     the GMMAs are orphans in the sense of 4, with the shape as a part of the
//     class.
//
//  6. Shared code. ptxas merges identical code. If a PTX instruction has no
//     machine instruction, those of another with the same class and mnemonic
//     may be its as well: the mapping of that other one is not *exclusive*.
//
//  7. Absence. A PTX instruction without a machine instruction is absent if no
//     orphan can be its, else unobservable. One of a function that may have a
//     section of its own is never called absent.
//
// It is safe in this sense: of a present instruction, executions at its pcs
// with `exclusive` are executions of the PTX instruction, and no execution at
// its pcs with `complete` means no execution of it. It assumes that a row of
// the line table, where ptxas wrote one for an instruction of a fitting class,
// is right; that ptxas keeps the order of warpgroup matrix instructions (they
// are volatile to it); and that the list holds *every* instruction of the
// target families that the kernel's text and the functions it calls contain.
// Where the mapping has the text that the machine code was made from (it is in
// the cubin beside the line table), a target that is not on its line there is
// unobservable.
// Where warps or threads are counted exactly is said per instruction: not with
// a guard (warps), not on the uniform datapath (threads), and neither where one
// instruction can become several, is retried in a loop, or can be merged or
// moved by ptxas, as repeated wgmma of one group with a loop in it are.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_TARGET_SASS_SASSMAPPING_H
#define PTXBENCH_TARGET_SASS_SASSMAPPING_H

#include "ptxbench/Target/SASS/SassModule.h"
#include "ptxbench/Trace/Trace.h"

namespace ptxbench {

/// One target instruction of the PTX text of an entry, or of a function that
/// the entry calls.
struct PtxTarget {
  /// 1-based place of the opcode. A statement over several lines is known to
  /// the line table by its first line: give that one as `statementLine` if it
  /// differs.
  unsigned line = 0, column = 0;
  unsigned statementLine = 0;
  /// Opcode without modifiers ("wgmma.mma_async").
  std::string opcode;
  /// The whole mnemonic as written, without a guard.
  std::string mnemonic;
  /// Target family ("wgmma").
  std::string family;
  /// Name of the `.func` it stands in; empty: in the entry itself.
  std::string function;
  /// Position in the order of the text. Targets are mapped in this order,
  /// however the list is sorted.
  unsigned index = 0;

  /// The line that the line table uses.
  unsigned tableLine() const { return statementLine ? statementLine : line; }
};

/// Maps the targets of one entry. The result is parallel to `targets`: line,
/// column, opcode, sass, pcs (sorted), warpsExact, threadsExact, complete,
/// exclusive and reason are set, `executed` is absent.
std::vector<TargetCount> mapTargets(const SassKernel &kernel,
                                    llvm::ArrayRef<PtxTarget> targets);

/// A record of the instruction with counts of zero, for a source that fills
/// them in.
SassCount describeInstruction(const SassInstruction &instruction);

/// Sets `executed` of each present target to the sums over its pcs. If `counts`
/// lacks one of them, the target keeps no count and says so in its reason.
void applyCounts(llvm::ArrayRef<SassCount> counts,
                 llvm::MutableArrayRef<TargetCount> targets);

} // namespace ptxbench

#endif // PTXBENCH_TARGET_SASS_SASSMAPPING_H
