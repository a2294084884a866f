//===- Shadow.h - Who accessed which bytes last --------------- -*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each byte has the last write and the reads since. Both are small numbers: a
// write is that of a *stamp* (who, when, by which instruction), the reads are
// that of a set of stamps, and equal sets have one number. So bytes that had
// the same fate look the same, and what an access makes of a cell is worked out
// once for all cells that look like it.
//
// A cell stands for a line of 128 bytes where all of them had the same fate, or
// else for a word of four, or a byte.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_CHECKS_SHADOW_H
#define PTXBENCH_LIB_EMULATOR_CHECKS_SHADOW_H

#include "Access.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

namespace ptxbench::emulator {

/// An access: the agent at its epoch, and the instruction.
struct Stamp {
  uint32_t cluster = 0, epoch = 0;
  /// Index into Program::sources.
  uint32_t source = 0;
  uint16_t agent = 0;
  /// Of the agent's CTA in the cluster.
  uint8_t rank = 0;
  /// Of the asynchronous proxy; of an operation that completes later.
  bool isProxy : 1, isAsync : 1;
  /// Scope::None: a weak access.
  Scope scope : 2;

  Stamp() : isProxy(false), isAsync(false), scope(Scope::None) {}
  bool isSameAgent(const Stamp &other) const {
    return agent == other.agent && cluster == other.cluster;
  }
  bool operator==(const Stamp &other) const {
    return isSameAgent(other) && epoch == other.epoch &&
           source == other.source && scope == other.scope;
  }
};

using StampId = uint32_t;
/// The number of a set of stamps; 0: the empty one.
using StampSet = uint32_t;

/// All stamps and sets of a launch.
class StampTable {
public:
  StampTable() { clear(); }

  StampId add(const Stamp &stamp);
  const Stamp &operator[](StampId id) const { return stamps[id]; }

  llvm::ArrayRef<StampId> members(const StampSet &set) const {
    if (set & manyBit)
      return sets[set & ~manyBit];
    return llvm::ArrayRef<StampId>(&set, set ? 1 : 0);
  }
  /// The set with `id`, without those that `isObsolete(stamp)`. Large sets
  /// forget what was added first.
  template <class IsObsolete>
  StampSet insert(StampSet set, StampId id, IsObsolete isObsolete) {
    if (!set || llvm::is_contained(members(set), id))
      return set ? set : id;
    Transition &known = transitions[(set * 31 + id) % transitions.size()];
    if (known.from == set && known.id == id)
      return known.to;
    llvm::SmallVector<StampId, maxMembers> left;
    for (StampId member : members(set))
      if (member != id && !isObsolete(stamps[member]))
        left.push_back(member);
    if (left.size() >= maxMembers)
      left.erase(left.begin());
    left.push_back(id);
    known = {set, id, makeSet(left)};
    return known.to;
  }

  /// How many there are, which grows until collect() is called.
  size_t size() const {
    return stamps.size() + sets.size() - freeIds.size() - freeSets.size();
  }
  /// Frees what `mark`, given a function to call with a write and a set, does
  /// not name.
  template <class Mark> void collect(Mark mark) {
    std::vector<bool> usedStamps(stamps.size()), usedSets(sets.size());
    usedStamps[0] = true;
    mark([&](StampId write, StampSet reads) {
      usedStamps[write] = true;
      if (reads & manyBit)
        usedSets[reads & ~manyBit] = true;
      for (StampId member : members(reads))
        usedStamps[member] = true;
    });
    sweep(usedStamps, usedSets);
  }

private:
  static constexpr StampSet manyBit = 1u << 31;
  static constexpr unsigned maxMembers = 24;
  struct Transition {
    StampSet from = 0;
    StampId id = 0;
    StampSet to = 0;
  };

  StampSet makeSet(llvm::ArrayRef<StampId> ids);
  void sweep(const std::vector<bool> &usedStamps,
             const std::vector<bool> &usedSets);
  void clear();

  /// The first stands for none.
  std::vector<Stamp> stamps;
  std::vector<llvm::SmallVector<StampId, 2>> sets;
  std::vector<uint32_t> freeIds, freeSets;
  /// Stamps and transitions that were asked for last, by a hash.
  std::array<StampId, 4096> recent;
  std::array<Transition, 4096> transitions;
};

struct Cell {
  /// Or `expanded`: the parts of the cell have fates of their own, in the block
  /// of cells with the number `reads`.
  StampId write = 0;
  StampSet reads = 0;

  static constexpr StampId expanded = ~0u;
  bool isExpanded() const { return write == expanded; }
  bool operator==(const Cell &other) const {
    return write == other.write && reads == other.reads;
  }
};

constexpr uint32_t lineBytes = 128, wordBytes = 4;

/// The parts of expanded cells.
class CellPool {
public:
  /// Replaces the cells of bytes `begin` to `end` exclusive of the memory that
  /// begins with `lines` by `visit(cell, offset)`.
  template <class Visit>
  void update(Cell *lines, uint64_t begin, uint64_t end, Visit visit) {
    for (uint64_t line = begin / lineBytes; line * lineBytes < end; ++line)
      updateCell<lineBytes>(lines[line], line * lineBytes, begin, end, visit);
  }
  /// Calls `use(cell)` for all cells that the line has.
  template <class Use> void forEach(const Cell &cell, Use use) const {
    forEachPart<lineBytes>(cell, use);
  }
  /// Gives back the blocks of a line.
  void release(Cell &cell) { releaseParts<lineBytes>(cell); }
  size_t bytes() const {
    return lineParts.size() * sizeof(LineParts) +
           wordParts.size() * sizeof(WordParts);
  }

private:
  using LineParts = std::array<Cell, lineBytes / wordBytes>;
  using WordParts = std::array<Cell, wordBytes>;

  template <uint32_t Bytes> auto &partsOf() {
    if constexpr (Bytes == lineBytes)
      return lineParts;
    else
      return wordParts;
  }
  template <uint32_t Bytes> auto &freeOf() {
    return Bytes == lineBytes ? freeLines : freeWords;
  }
  static constexpr uint32_t partBytes(uint32_t bytes) {
    return bytes == lineBytes ? wordBytes : 1;
  }

  template <uint32_t Bytes, class Visit>
  void updateCell(Cell &cell, uint64_t at, uint64_t begin, uint64_t end,
                  Visit &visit) {
    bool isWhole = begin <= at && at + Bytes <= end;
    if (!cell.isExpanded()) {
      Cell changed = visit(cell, std::max(at, begin));
      if (changed == cell)
        return;
      if (isWhole) {
        cell = changed;
        return;
      }
    }
    if constexpr (Bytes > 1) {
      constexpr uint32_t part = partBytes(Bytes);
      if (!cell.isExpanded())
        expand<Bytes>(cell);
      // Blocks stay where they are when there come more.
      auto &parts = partsOf<Bytes>()[cell.reads];
      uint64_t first = std::max(at, begin) - at;
      uint64_t last = std::min(at + Bytes, end) - at;
      for (uint64_t i = first / part; i * part < last; ++i)
        updateCell<part>(parts[i], at + i * part, begin, end, visit);
      if (isWhole)
        collapse<Bytes>(cell);
    }
  }
  template <uint32_t Bytes> void expand(Cell &cell) {
    auto &free = freeOf<Bytes>();
    auto &blocks = partsOf<Bytes>();
    uint32_t block;
    if (free.empty()) {
      block = blocks.size();
      blocks.emplace_back();
    } else {
      block = free.back();
      free.pop_back();
    }
    blocks[block].fill(cell);
    cell.write = Cell::expanded;
    cell.reads = block;
  }
  /// Where all parts are the same, the cell stands for them again.
  template <uint32_t Bytes> void collapse(Cell &cell) {
    const auto &parts = partsOf<Bytes>()[cell.reads];
    for (const Cell &part : parts)
      if (part.isExpanded() || !(part == parts[0]))
        return;
    uint32_t block = cell.reads;
    cell = parts[0];
    freeOf<Bytes>().push_back(block);
  }
  template <uint32_t Bytes> void releaseParts(Cell &cell) {
    if constexpr (Bytes > 1) {
      if (!cell.isExpanded())
        return;
      for (Cell &part : partsOf<Bytes>()[cell.reads])
        releaseParts<partBytes(Bytes)>(part);
      freeOf<Bytes>().push_back(cell.reads);
      cell = Cell();
    }
  }
  template <uint32_t Bytes, class Use>
  void forEachPart(const Cell &cell, Use &use) const {
    if constexpr (Bytes > 1)
      if (cell.isExpanded()) {
        for (const Cell &part :
             const_cast<CellPool *>(this)->partsOf<Bytes>()[cell.reads])
          forEachPart<partBytes(Bytes)>(part, use);
        return;
      }
    use(cell);
  }

  std::deque<LineParts> lineParts;
  std::deque<WordParts> wordParts;
  std::vector<uint32_t> freeLines, freeWords;
};

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_CHECKS_SHADOW_H
