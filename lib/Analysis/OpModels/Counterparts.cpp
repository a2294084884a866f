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
// LLVM calls its intrinsics as the instructions are called, with dots for
// underscores or without: "llvm.nvvm.cp.async.bulk.commit.group",
// "llvm.nvvm.wgmma.commit_group.sync.aligned". The few that it calls otherwise
// stand below.
//
//===----------------------------------------------------------------------===//

#include "Counterparts.h"
#include "Helpers.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLExtras.h"
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

/// Of LLVM's name, behind "llvm.nvvm.", with dots alone; empty where that is no
/// target instruction.
static StringRef findOpcode(StringRef name) {
  if (name.consume_front("wmma.")) {
    // "wmma.m16n16k16.load.a.row.f16": the shape stands in front.
    StringRef rest = name.split('.').second;
    return rest.starts_with("load.")    ? "wmma.load"
           : rest.starts_with("store.") ? "wmma.store"
           : rest.starts_with("mma.")   ? "wmma.mma"
                                        : "";
  }
  static const llvm::StringMap<StringRef> byName = [] {
    llvm::StringMap<StringRef> map = {
        {"cp.async.bulk.tensor.prefetch", "cp.async.bulk.prefetch.tensor"},
        {"cp.async.bulk.tensor.reduce", "cp.reduce.async.bulk.tensor"},
        {"tcgen05.relinq.alloc.permit", "tcgen05.relinquish_alloc_permit"},
        {"prefetch.tensormap", "prefetch"}};
    for (const OpcodeInfo &info : getAllOpcodes()) {
      if (info.family == Family::None)
        continue;
      std::string name = info.name.str();
      llvm::replace(name, '_', '.');
      map[name] = info.name;
    }
    return map;
  }();
  for (;;) {
    if (StringRef opcode = byName.lookup(name); !opcode.empty())
      return opcode;
    size_t dot = name.rfind('.');
    if (dot == StringRef::npos)
      return "";
    name = name.take_front(dot);
  }
}

bool describeIntrinsic(OpModel &model, StringRef name) {
  if (!name.consume_front("llvm.nvvm."))
    return false;
  std::string dotted = name.str();
  llvm::replace(dotted, '_', '.');
  StringRef opcode = findOpcode(dotted);
  if (opcode.empty())
    return false;
  // By its name, or because every operation of the instruction is.
  auto isAlike = [&](const Counterpart &counterpart) {
    return counterpart.opcode == opcode;
  };
  bool isAligned =
      (dotted + ".").find(".aligned.") != std::string::npos ||
      (llvm::any_of(kCounterparts, isAlike) &&
       llvm::all_of(kCounterparts, [&](const Counterpart &counterpart) {
         return !isAlike(counterpart) || counterpart.isAligned;
       }));
  if (opcode == "prefetch")
    return describeTarget(model, opcode, isAligned, {Mod::tensormap});
  return describeTarget(model, opcode, isAligned);
}

} // namespace ptxbench
