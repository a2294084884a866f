//===- SSABuilder.h - From registers to SSA values --------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pruned SSA built on the fly (Braun et al., "Simple and Efficient Construction
// of Static Single Assignment Form", CC 2013), in three steps:
//
// 1. While blocks are filled, in their order, `read` walks up to predecessors
//    that stand in front of a block. If all of them do and agree on the value,
//    it is the block's, else the block gets an argument for the register. What
//    its predecessors pass is left open, as if no such block were sealed.
// 2. `finish` reads the register at the end of each predecessor of each block
//    that has an argument for it, which may add arguments further up.
// 3. An argument that receives but one value besides itself is replaced by it.
//
// An argument is made only where a register is read, so the form is pruned.
//
// Most registers of compiled PTX are written in one place, which dominates all
// that read them: that value is taken at once.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_TARGET_PTX_IMPORT_SSABUILDER_H
#define PTXBENCH_LIB_TARGET_PTX_IMPORT_SSABUILDER_H

#include "Dominance.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <vector>

namespace ptxbench {

class SSABuilder {
public:
  /// `entry` is the block that everything begins with. `makeUndef` gives the
  /// value of a register that no definition reaches; it is asked once per
  /// register.
  SSABuilder(llvm::ArrayRef<mlir::Block *> blocks, unsigned entry,
             llvm::ArrayRef<mlir::Type> regTypes, mlir::Location loc,
             llvm::function_ref<mlir::Value(uint32_t)> makeUndef);

  /// Says that something in the block writes the register, once for each that
  /// does. Comes before the first read; of other registers every read is
  /// undefined.
  void setWritten(unsigned block, uint32_t reg) {
    uint32_t &writer = registers[reg].writer;
    writer = writer == nowhere ? block : manywhere;
  }
  /// Adds a control-flow edge. All edges come before the first read.
  void addEdge(unsigned from, unsigned to) { predecessors[to].push_back(from); }

  void write(unsigned block, uint32_t reg, mlir::Value value) {
    define(block, reg, value);
  }
  /// The value of a register at the present end of a block; those in front of
  /// it are complete.
  mlir::Value read(unsigned block, uint32_t reg) {
    mlir::Value known = lookup(block, reg);
    return known ? known : readPredecessors(block, reg);
  }

  /// Completes and simplifies all block arguments. After it, `write` must not
  /// be called.
  void finish();

  /// What `value`, got from `read` before `finish`, has become.
  mlir::Value resolve(mlir::Value value);

  /// After `finish`: the registers of the arguments of a block, and what a
  /// predecessor passes for them.
  llvm::ArrayRef<int32_t> argumentRegs(unsigned block) const {
    return argRegs[block];
  }
  void getPassedValues(unsigned from, unsigned to,
                       llvm::SmallVectorImpl<mlir::Value> &values);

private:
  static constexpr uint32_t nowhere = ~0u, manywhere = ~1u;

  struct Register {
    /// The only block that writes it, and does so once; else no block.
    uint32_t writer = nowhere;
    /// The block that `value` is of: the writer, or the last one of many.
    uint32_t block = nowhere;
    mlir::Value value;
  };

  struct Phi {
    unsigned block;
    uint32_t reg;
    mlir::BlockArgument arg;
    /// Of the values that it receives.
    uint32_t firstReceived = 0;
    /// All before this one are the argument itself or `only`; `other`, if there
    /// is one, is this one.
    uint32_t numSame = 0;
    mlir::Value only, other;
    bool replaced = false;
  };

  /// A block whose predecessors are asked one after the other.
  struct Frame {
    unsigned block;
    unsigned next;
    mlir::Value only;
  };

  static uint64_t key(unsigned block, uint32_t reg) {
    return uint64_t(block) << 32 | reg;
  }
  void define(unsigned block, uint32_t reg, mlir::Value value);
  mlir::Value lookup(unsigned block, uint32_t reg);
  mlir::Value readPredecessors(unsigned block, uint32_t reg);
  mlir::Value getUndef(uint32_t reg);
  mlir::Value addPhi(unsigned block, uint32_t reg);
  /// Whether all predecessors of the block stand in front of it.
  bool isJoined(unsigned block) const;
  void removeTrivialArguments();
  bool isTrivial(Phi &phi);
  void replace(Phi &phi, std::vector<unsigned> &worklist);

  llvm::ArrayRef<mlir::Block *> blocks;
  unsigned entry;
  llvm::ArrayRef<mlir::Type> regTypes;
  mlir::Location loc;
  llvm::function_ref<mlir::Value(uint32_t)> makeUndef;
  std::vector<llvm::SmallVector<unsigned, 2>> predecessors;
  std::optional<Dominance> dominance;
  std::vector<Register> registers;
  /// Values that do not stand in `registers`.
  llvm::DenseMap<uint64_t, mlir::Value> defs;
  llvm::DenseMap<uint32_t, mlir::Value> undefs;
  std::vector<Phi> phis;
  std::vector<mlir::Value> received;
  llvm::DenseMap<mlir::Value, unsigned> phiOf;
  /// The arguments that have the value as `only` or `other`.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<unsigned, 2>> watchers;
  llvm::DenseMap<mlir::Value, mlir::Value> replaced;
  std::vector<llvm::SmallVector<int32_t, 4>> argRegs;
};

} // namespace ptxbench

#endif // PTXBENCH_LIB_TARGET_PTX_IMPORT_SSABUILDER_H
