//===- InstDesc.cpp - An instruction to be given a handler ----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Looking things up in an instruction, and the list of families.
//
//===----------------------------------------------------------------------===//

#include "InstDesc.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

std::optional<Mod> InstDesc::slot(StringRef name) const {
  for (unsigned i = 0; i < form->mods.size(); ++i)
    if (form->mods[i].name == name)
      return match.get(mods, i);
  return std::nullopt;
}

std::optional<DataType> InstDesc::slotType(StringRef name) const {
  std::optional<Mod> mod = slot(name);
  return mod ? getModType(*mod) : std::nullopt;
}

const OperandDesc *InstDesc::find(StringRef name) const {
  for (const OperandDesc &operand : operands)
    if (operand.pattern && operand.pattern->name == name)
      return &operand;
  return nullptr;
}

MemoryOrder ptxbench::emulator::memoryOrderOf(const InstDesc &desc,
                                              Scope scope) {
  MemoryOrder order;
  order.scope = desc.has(Mod::cta)       ? Scope::Cta
                : desc.has(Mod::cluster) ? Scope::Cluster
                : desc.has(Mod::gpu) || desc.has(Mod::sys) || desc.has(Mod::gl)
                    ? Scope::Gpu
                    : scope;
  bool both = desc.has(Mod::acq_rel) || desc.has(Mod::sc);
  order.acquires = both || desc.has(Mod::acquire);
  order.releases = both || desc.has(Mod::release);
  return order;
}

bool ptxbench::emulator::useRows(const InstDesc &desc, Inst &inst) {
  if (desc.operands.size() > std::size(inst.ops))
    return false;
  for (unsigned i = 0; i < desc.operands.size(); ++i) {
    if (!desc.operands[i].isRow())
      return false;
    inst.ops[i] = desc.operands[i].slot;
  }
  return true;
}

bool ptxbench::emulator::useTypedRows(const InstDesc &desc, Inst &inst) {
  for (const OperandDesc &operand : desc.operands)
    if (operand.bits != operand.type.width || operand.minus)
      return false;
  return useRows(desc, inst);
}

bool ptxbench::emulator::selectHandler(const InstDesc &desc, Inst &inst,
                                       OwnExtra &own) {
  static constexpr FamilySelector families[] = {
      selectInteger,     selectIntegerBits,  selectCarry,     selectLogic,
      selectFloat,       selectApprox,       selectHalf,      selectCompare,
      selectConvert,     selectMove,         selectMemory,    selectBarrier,
      selectAtomic,      selectWarp,         selectHint,      selectMBarrier,
      selectAsyncGroups, selectCpAsync,      selectWgmma,     selectMma,
      selectMatrixMove,  selectWmma,         selectTensorMap, selectBulkCopy,
      selectTensorCopy,  selectRegisterPool,
  };
  for (FamilySelector family : families) {
    // What a family that refuses has filled in does not stay.
    Inst candidate = inst;
    if (!family(desc, candidate, own))
      continue;
    inst = candidate;
    return true;
  }
  return false;
}
