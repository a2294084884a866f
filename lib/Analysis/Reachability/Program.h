//===- Program.h - One entry and what it may call, prepared -----*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything about an entry that does not depend on the threads that run it:
// functions that it may call, blocks and their edges, decoded instructions, and
// numbers for values. The solver runs many times, once per class of threads, on
// this one form.
//
// Value numbers. Two values with one number are equal wherever both are
// current: copies, pure integer instructions on operands with equal numbers,
// and reads of the same constant special register. A *leaf* is a value that is
// no such expression (a load, a block argument, ...). A fact about a number
// must be forgotten when one of its leaves is defined again; since an SSA value
// dominates its uses, at every use the values below it in the expression are
// the ones it was computed from.
//
// Taint. A value that may come from `ptx.undef` may differ from use to use, and
// so may whatever is computed from it: no fact is kept about it.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_ANALYSIS_REACHABILITY_PROGRAM_H
#define PTXBENCH_LIB_ANALYSIS_REACHABILITY_PROGRAM_H

#include "Instructions.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include <map>

namespace ptxbench::reachability {

using Ranges = mlir::ConstantIntRanges;
using ptx::CompactRange;
inline constexpr unsigned kNone = ~0u;
/// How many instructions deep a value is evaluated anew.
inline constexpr unsigned kEvaluationDepth = 6;

/// A source of an instruction: a value, or a constant range.
struct Source {
  unsigned value = kNone;
  /// The range if it is no value.
  Ranges constant = Ranges::maxRange(0);
  ptx::RangeSource how;
};

enum class InstRole : uint8_t {
  /// Its results are computed, or unknown.
  Plain,
  /// A load of `paramBytes` bytes at `paramOffset` of entry parameter `param`.
  LoadParam,
  /// elect.sync with the full mask.
  Elect,
  /// shfl.sync.idx of `sources[0]` from lane `lane`, with the full mask.
  Shuffle,
  Call,
};

enum class CalleeKind : uint8_t {
  /// `callee` is a function with a body.
  Known,
  /// One of the functions the CUDA system provides; it returns or aborts.
  System,
  /// Anything: another module's function or a pointer.
  Unknown,
};

struct Inst {
  mlir::Operation *op = nullptr;
  unsigned block = 0;
  ptx::RangeInst range;
  llvm::SmallVector<Source, 3> sources;
  /// Value numbers of results; kNone: no integer.
  llvm::SmallVector<unsigned, 1> results;
  llvm::SmallVector<unsigned, 1> passthrough;
  /// LoadParam: for each result, which element of the vector it is.
  llvm::SmallVector<uint8_t, 1> elements;
  unsigned guard = kNone;
  bool guardNegated = false;
  InstRole role = InstRole::Plain;
  CalleeKind callee = CalleeKind::Known;
  /// Known calls: the function. LoadParam: the parameter.
  unsigned index = 0;
  uint64_t offset = 0;
  /// LoadParam: bytes per element, and whether wider registers get the sign.
  unsigned elementBytes = 0;
  bool isSigned = false;
  unsigned lane = 0;
  /// Its last operand is a mask of all lanes, if it has a mask.
  bool fullMask = false;
  Family family = Family::None;
};

struct Value {
  mlir::Value value;
  /// Index of the instruction that defines it, or kNone.
  unsigned def = kNone;
  unsigned result = 0;
  unsigned block = kNone;
  unsigned width = 0;
  /// The value number.
  unsigned number = 0;
  bool tainted = false;
  /// Where the values below it are listed, and how many there are; kNone: too
  /// many to list.
  unsigned firstBelow = 0, numBelow = 0;
  /// Of a special register: its name.
  llvm::StringRef specialReg;
};

/// What is known about a value number.
struct Number {
  /// Leaves that can be defined again, as value numbers.
  llvm::SmallVector<unsigned, 2> leaves;
  /// Too many leaves to list: it depends on any.
  bool anyLeaf = false;
  /// The same for a thread wherever it is: special registers, constants.
  bool threadConstant = false;
};

struct BlockInfo {
  mlir::Block *block = nullptr;
  unsigned function = 0;
  /// Instructions that matter, in order.
  llvm::SmallVector<unsigned, 8> insts;
  /// Arguments that matter, and which arguments of the block they are.
  llvm::SmallVector<unsigned, 4> args;
  llvm::SmallVector<unsigned, 4> argNumbers;
  llvm::SmallVector<unsigned, 2> successors;
  llvm::SmallVector<unsigned, 4> predecessors;
  unsigned guard = kNone;
  bool guardNegated = false;
  /// brx.idx: the index.
  unsigned index = kNone;
  bool hasCall = false;
  /// Reached from the entry of its function along any edges.
  bool connected = false;
  bool inCycle = false;
  /// The strongly connected component of the function's graph.
  unsigned component = 0;
};

struct Function {
  mlir::Operation *op = nullptr;
  llvm::StringRef name;
  unsigned firstBlock = 0, numBlocks = 0;
  /// Its address is taken, or another module can call it.
  bool exposed = false;
};

/// What an instruction gave for which sources.
struct Evaluated {
  bool isValid = false;
  llvm::SmallVector<CompactRange, 3> sources;
  CompactRange result;
};

class Program {
public:
  /// Prepares `entry`, a kernel, and every function it may call.
  explicit Program(mlir::Operation *entry);

  mlir::Operation *entry;
  std::vector<Function> functions; // 0: the entry
  std::vector<BlockInfo> blocks;
  /// Blocks of all functions in an order in which definitions precede uses, and
  /// the place of each block in it.
  std::vector<unsigned> order, rank;
  /// By value number: the rank of the last block in which the range of a value
  /// with it may be asked for; in blocks behind it no fact about it is of use.
  std::vector<unsigned> lastUse;
  std::vector<Inst> insts;
  std::vector<Value> values;
  std::vector<Number> numbers;
  /// By value: its last evaluation. Visits of a block and classes of threads
  /// mostly agree about it.
  mutable std::vector<Evaluated> evaluated;
  /// The lists that getBelow gives parts of.
  std::vector<unsigned> valuesBelow;
  /// Values that are special registers.
  llvm::SmallVector<unsigned, 8> specialValues;
  /// Constants in comparisons, ascending, for widening.
  llvm::SmallVector<uint64_t, 16> thresholds;

  /// The value numbers that depend on a leaf, ascending.
  llvm::ArrayRef<unsigned> getDependents(unsigned leaf) const {
    auto it = dependents.find(leaf);
    return it == dependents.end() ? anyDependents : it->second;
  }
  /// Whether evaluating the value means to evaluate an instruction. Beneath a
  /// value that may differ from use to use facts mean nothing new.
  bool isEvaluable(unsigned value) const {
    const Value &info = values[value];
    return info.def != kNone && info.width != 0 && !info.tainted &&
           insts[info.def].range.kind != ptx::RangeKind::Unknown &&
           insts[info.def].role == InstRole::Plain;
  }
  /// The values that an evaluation of this one reads; none if they are not
  /// listed.
  std::optional<llvm::ArrayRef<unsigned>> getBelow(unsigned value) const {
    const Value &info = values[value];
    if (info.numBelow == kNone)
      return std::nullopt;
    return llvm::ArrayRef(valuesBelow).slice(info.firstBelow, info.numBelow);
  }
  unsigned getValue(mlir::Value value) const { return valueIds.lookup(value); }
  unsigned getBlock(mlir::Block *block) const { return blockIds.lookup(block); }
  mlir::Region &getBody(unsigned function) const {
    return functions[function].op->getRegion(0);
  }
  /// The terminator's guard as an instruction sees it is in BlockInfo.
  mlir::Operation *getTerminator(unsigned block) const {
    mlir::Block *b = blocks[block].block;
    return b->empty() ? nullptr : &b->back();
  }
  /// Value id of what `block` passes to argument `arg` (an index into
  /// BlockInfo::args) of its successor `index`.
  unsigned getPassedValue(unsigned block, unsigned index, unsigned arg) const;

private:
  void collectFunctions();
  void addFunction(mlir::Operation *op);
  void collectBlocks(unsigned function);
  void orderBlocks(unsigned function);
  void collectInsts(unsigned block);
  /// `decides`: some result matters; else only guard and role are decoded.
  void decode(Inst &inst, mlir::Operation *op, bool decides);
  void decodeCall(Inst &inst);
  void resolveCallee(Inst &inst, llvm::StringRef name);
  void decodeRole(Inst &inst);
  void decodeModel(Inst &inst, const OpModel &model);
  void numberValues();
  void numberInst(Inst &inst);
  /// What an instruction is apart from the values that it reads, for equal
  /// numbers of equal expressions. False if it is no expression after all.
  bool addIdentity(const Inst &inst, std::vector<uint64_t> &key,
                   Number &derived) const;
  void findDependents();
  void findLastUses();
  void findTaint();
  void findBelow();
  /// Adds what an evaluation to that depth reads. Returns false if there is too
  /// much of it.
  bool addBelow(unsigned value, unsigned depth,
                llvm::SmallVectorImpl<unsigned> &below, unsigned &steps) const;
  unsigned addValue(mlir::Value value, unsigned block);
  unsigned specialRegister(llvm::StringRef name, unsigned width);
  unsigned newNumber(bool leaf, bool inCycle);

  /// Values that some guard depends on; no others have an id.
  llvm::DenseSet<mlir::Value> deciding;
  llvm::DenseMap<mlir::Value, unsigned> valueIds;
  llvm::DenseMap<mlir::Block *, unsigned> blockIds;
  llvm::DenseMap<mlir::Operation *, unsigned> functionIds;
  std::map<std::pair<std::string, unsigned>, unsigned> specialRegs;
  std::map<std::vector<uint64_t>, unsigned> expressions;
  /// By leaf; of those that nothing names: what depends on any leaf.
  llvm::DenseMap<unsigned, std::vector<unsigned>> dependents;
  std::vector<unsigned> anyDependents;
  llvm::StringMap<unsigned> paramIndex;
  llvm::StringMap<llvm::StringRef> aliases;
  llvm::StringMap<mlir::Operation *> symbols;
};

/// Whether a thread always reads the same from the special register.
bool isConstantSpecialReg(llvm::StringRef name);

} // namespace ptxbench::reachability

#endif // PTXBENCH_LIB_ANALYSIS_REACHABILITY_PROGRAM_H
