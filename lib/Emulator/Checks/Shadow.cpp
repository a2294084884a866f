//===- Shadow.cpp - Who accessed which bytes last -------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The numbers of stamps and sets. The tables of what was asked for last find
// nearly everything; what they miss gets a number of its own, which costs
// memory until the next collection and nothing else.
//
//===----------------------------------------------------------------------===//

#include "Shadow.h"

using namespace llvm;
using namespace ptxbench::emulator;

void StampTable::clear() {
  stamps.assign(1, Stamp());
  recent.fill(0);
  transitions.fill(Transition());
}

StampId StampTable::add(const Stamp &stamp) {
  StampId &known =
      recent[(stamp.agent * 61 + stamp.source * 7 + stamp.cluster * 131) %
             recent.size()];
  if (known && stamps[known] == stamp)
    return known;
  if (freeIds.empty()) {
    known = stamps.size();
    stamps.push_back(stamp);
  } else {
    known = freeIds.back();
    freeIds.pop_back();
    stamps[known] = stamp;
  }
  return known;
}

StampSet StampTable::makeSet(ArrayRef<StampId> ids) {
  if (ids.size() == 1)
    return ids[0];
  uint32_t index;
  if (freeSets.empty()) {
    index = sets.size();
    sets.emplace_back(ids.begin(), ids.end());
  } else {
    index = freeSets.back();
    freeSets.pop_back();
    sets[index].assign(ids.begin(), ids.end());
  }
  return index | manyBit;
}

void StampTable::sweep(const std::vector<bool> &usedStamps,
                       const std::vector<bool> &usedSets) {
  freeIds.clear();
  freeSets.clear();
  for (uint32_t id = stamps.size(); id-- > 1;)
    if (!usedStamps[id])
      freeIds.push_back(id);
  for (uint32_t index = sets.size(); index-- > 0;)
    if (!usedSets[index]) {
      sets[index].clear();
      freeSets.push_back(index);
    }
  recent.fill(0);
  transitions.fill(Transition());
}
