//===- LaunchRaces.cpp - What race checkers share -------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pages of cells, objects, and the bounds of both.
//
//===----------------------------------------------------------------------===//

#include "LaunchRaces.h"
#include "RaceChecker.h"

using namespace ptxbench::emulator;

/// No more is kept of global memory than this.
static constexpr size_t maxCellBytes = size_t(1) << 30;
/// Behind so many places all others are one object: what one of them orders,
/// all do.
static constexpr size_t maxObjects = size_t(1) << 18;

SyncObject::Released &SyncObject::entry(uint32_t cluster, uint8_t rank,
                                        Scope scope) {
  for (Released &one : entries)
    if (one.cluster == cluster && one.rank == rank && one.scope == scope)
      return one;
  entries.push_back({cluster, rank, scope, Clocks()});
  return entries.back();
}

void SyncObject::addWriter(const Writer &writer) {
  constexpr size_t maxWriters = 16;
  for (Writer &one : writers)
    if (one.cluster == writer.cluster && one.agent == writer.agent) {
      if (!one.clocks.isSame(writer.clocks))
        one.clocks = writer.clocks;
      return;
    }
  if (writers.size() == maxWriters)
    writers.erase(writers.begin());
  writers.push_back(writer);
}

SyncObject *LaunchRaces::findObject(const void *place) {
  auto it = objects.find(place);
  if (it == objects.end())
    it = objects.find(nullptr);
  return it == objects.end() ? nullptr : &it->second;
}

SyncObject &LaunchRaces::objectAt(const void *place) {
  if (objects.size() < maxObjects)
    return objects[place];
  auto it = objects.find(place);
  return it == objects.end() ? objects[nullptr] : it->second;
}

Cell *LaunchRaces::findLines(uint64_t page) {
  auto it = pages.find(page);
  if (it == pages.end()) {
    if (cells.bytes() + pages.size() * sizeof(Page) > maxCellBytes)
      return nullptr;
    it = pages.insert({page, std::make_unique<Page>()}).first;
  }
  lastPage = page;
  return lastLines = it->second->data();
}

void LaunchRaces::collect() {
  stamps.collect([&](auto use) {
    auto useLine = [&](const Cell &line) {
      cells.forEach(line,
                    [&](const Cell &cell) { use(cell.write, cell.reads); });
    };
    for (const auto &page : pages)
      for (const Cell &line : *page.second)
        useLine(line);
    for (RaceChecker *cluster : clusters)
      cluster->forEachLine(useLine);
  });
  collectAt = std::max(size_t(1) << 20, 2 * stamps.size());
}
