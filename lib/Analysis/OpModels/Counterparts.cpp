//===- Counterparts.cpp - What operations become in PTX -------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names without a counterpart here (descriptors, conversions) are no target
// instructions and compute no guards.
//
//===----------------------------------------------------------------------===//

#include "Counterparts.h"
#include "Helpers.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace ptxbench {

static constexpr Counterpart kCounterparts[] = {
#include "ptxbench/Analysis/Counterparts.inc"
};

ArrayRef<Counterpart> getCounterparts() { return kCounterparts; }

bool describeCounterpart(OpModel &model, Operation *op) {
  static const llvm::StringMap<const Counterpart *> byName = [] {
    llvm::StringMap<const Counterpart *> map;
    for (const Counterpart &counterpart : kCounterparts)
      map[counterpart.operation] = &counterpart;
    return map;
  }();
  const Counterpart *found = byName.lookup(op->getName().getStringRef());
  return found && describeTarget(model, found->opcode, found->isAligned);
}

} // namespace ptxbench
