//===- AsyncQueue.cpp - Operations that complete later --------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The schedules.
//
//===----------------------------------------------------------------------===//

#include "AsyncQueue.h"

#include <algorithm>

using namespace ptxbench::emulator;

void AsyncQueue::issue(AsyncOp op) {
  for (auto &group : op.groups)
    ++group->pending;
  pending.push_back(std::move(op));
  if (schedule.kind == Schedule::Eager)
    complete(pending.size() - 1);
}

void AsyncQueue::complete(size_t index) {
  AsyncOp op = std::move(pending[index]);
  pending.erase(pending.begin() + index);
  op.complete();
  for (auto &group : op.groups)
    --group->pending;
}

bool AsyncQueue::completeOne() {
  if (pending.empty())
    return false;
  size_t index = 0;
  if (schedule.kind == Schedule::Random)
    index = draw(pending.size());
  else if (schedule.kind == Schedule::Adversarial)
    index = pending.size() - 1;
  // The first of its chain goes before it.
  if (const void *chain = pending[index].chain)
    index = std::find_if(pending.begin(), pending.end(),
                         [&](const AsyncOp &op) { return op.chain == chain; }) -
            pending.begin();
  complete(index);
  return true;
}

bool AsyncQueue::turn() {
  return schedule.kind == Schedule::Random && !pending.empty() &&
         draw(4) == 0 && completeOne();
}
