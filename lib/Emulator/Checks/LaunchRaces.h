//===- LaunchRaces.h - What race checkers share --------------- -*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of race checking that belongs to a launch: the numbers of stamps,
// who accessed global memory, and what synchronises through it. It belongs to
// one host thread.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_CHECKS_LAUNCHRACES_H
#define PTXBENCH_LIB_EMULATOR_CHECKS_LAUNCHRACES_H

#include "Clocks.h"
#include "Shadow.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <memory>

namespace ptxbench::emulator {

class RaceChecker;

/// What a place that threads synchronise through has been told: by CTA and
/// scope, everything that was released there.
class SyncObject {
public:
  struct Released {
    uint32_t cluster = 0;
    uint8_t rank = 0;
    /// Scope::None: it is known in time only.
    Scope scope = Scope::None;
    Clocks clocks;
  };

  Released &entry(uint32_t cluster, uint8_t rank, Scope scope);
  void add(uint32_t cluster, uint8_t rank, Scope scope, const Clocks &clocks) {
    entry(cluster, rank, scope).clocks.join(clocks);
  }
  void add(const SyncObject &other) {
    for (const Released &one : other.entries)
      add(one.cluster, one.rank, one.scope, one.clocks);
  }
  /// Calls `use(clocks, scope)` for what a thread of that CTA that looks in
  /// `scope` may know: the scope that holds both threads, or None if either
  /// does not reach that far.
  template <class Use>
  void forEach(uint32_t cluster, uint8_t rank, Scope scope, Use use) const {
    for (const Released &one : entries) {
      Scope needed = one.cluster == everyone
                         ? scopeOfWriters(cluster, rank)
                         : scopeOf(one.cluster, one.rank, cluster, rank);
      bool reaches = one.scope >= needed && scope >= needed;
      use(one.clocks, reaches ? needed : Scope::None);
    }
  }
  /// Stands for all clusters, where what they released is one.
  static constexpr uint32_t everyone = ~0u;
  bool isEmpty() const { return entries.empty(); }
  void clear() { entries.clear(); }

  /// Who wrote there last, and what each knew, released or not.
  struct Writer {
    uint32_t cluster = 0;
    uint8_t rank = 0;
    unsigned agent = 0;
    Clocks clocks;
  };
  void addWriter(const Writer &writer);
  llvm::ArrayRef<Writer> lastWriters() const { return writers; }

private:
  static Scope scopeOf(uint32_t cluster, uint8_t rank, uint32_t otherCluster,
                       uint8_t otherRank) {
    return cluster != otherCluster ? Scope::Gpu
           : rank != otherRank     ? Scope::Cluster
                                   : Scope::Cta;
  }
  /// The least that holds a thread of that CTA and any of the last writers.
  Scope scopeOfWriters(uint32_t cluster, uint8_t rank) const {
    Scope least = Scope::Gpu;
    for (const Writer &one : writers)
      least = std::min(least, scopeOf(one.cluster, one.rank, cluster, rank));
    return least;
  }

  llvm::SmallVector<Released, 0> entries;
  std::vector<Writer> writers;
};

class LaunchRaces {
public:
  StampTable stamps;
  CellPool cells;
  /// Those of clusters that are there.
  std::vector<RaceChecker *> clusters;
  uint32_t nextCluster = 0;

  /// The object at a place of global memory.
  SyncObject &objectAt(const void *place);
  SyncObject *findObject(const void *place);

  /// Replaces the cells of global memory by `visit(cell, address)`. Nothing
  /// once what is kept of it has grown too large.
  template <class Visit>
  void updateGlobal(uint64_t begin, uint64_t end, Visit visit) {
    while (begin < end) {
      uint64_t page = begin / pageBytes, first = page * pageBytes;
      uint64_t stop = std::min(end, first + pageBytes);
      Cell *lines = linesOf(page);
      if (!lines)
        return;
      cells.update(lines, begin - first, stop - first,
                   [&](Cell cell, uint64_t offset) {
                     return visit(cell, first + offset);
                   });
      begin = stop;
    }
  }

  /// Frees stamps that no byte has any more, once there are many.
  void collectIfDue() {
    if (stamps.size() > collectAt)
      collect();
  }
  /// Whether the pair of instructions is not reported under `id` yet.
  bool isNew(uint32_t source, uint32_t other, const char *id) {
    return reported.insert({{source, other}, id}).second;
  }

private:
  static constexpr uint64_t pageBytes = 1 << 16;
  using Page = std::array<Cell, pageBytes / lineBytes>;

  Cell *linesOf(uint64_t page) {
    return page == lastPage ? lastLines : findLines(page);
  }
  Cell *findLines(uint64_t page);
  void collect();

  llvm::DenseMap<uint64_t, std::unique_ptr<Page>> pages;
  uint64_t lastPage = ~uint64_t(0);
  Cell *lastLines = nullptr;
  llvm::DenseMap<const void *, SyncObject> objects;
  llvm::DenseSet<std::pair<std::pair<uint32_t, uint32_t>, const char *>>
      reported;
  size_t collectAt = size_t(1) << 20;
};

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_CHECKS_LAUNCHRACES_H
