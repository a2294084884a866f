//===- RegisterPool.cpp - setmaxnreg --------------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA "setmaxnreg". A CTA has a pool of registers: `.dec` puts those of the
// warp into it, and `.inc` waits until there are enough. With how many the
// kernel starts is known where its directives say so (Decode/Decoder.cpp); the
// assembler ignores the instruction where it is not, and so do we. All warps of
// a warpgroup are to execute the same ones.
//
//===----------------------------------------------------------------------===//

#include "RegisterPool.h"
#include "InstDesc.h"
#include "llvm/ADT/bit.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

namespace {
/// Of Inst::flags.
enum { Increases };
} // namespace

void ptxbench::emulator::startRegisters(Warp &warp) {
  warp.registers = warp.launch->program->registersAtLaunch;
}

/// imm: the registers per thread.
static uint32_t wantedRegisters(const Warp &warp, const Inst &inst) {
  return (inst.imm - warp.registers) * warpSize;
}

static bool hasRegisters(Warp &warp, const Wait &wait) {
  return warp.cta->freeRegisters >=
         wantedRegisters(warp, warp.launch->program->code[wait.a]);
}

static void explainRegisters(Warp &warp, const Wait &wait, WaitReport &report) {
  const Inst &inst = warp.launch->program->code[wait.a];
  report.id = "setmaxnreg-pool";
  report.detail =
      ": its " + std::to_string(warp.registers) + " per thread are to be " +
      std::to_string(inst.imm) + ", for which the pool of the CTA lacks " +
      std::to_string(wantedRegisters(warp, inst) - warp.cta->freeRegisters) +
      " of " + std::to_string(wantedRegisters(warp, inst));
}

/// The warps of a warpgroup execute the same instructions, one after the other.
static void checkWarpgroup(Warp &warp, const Inst &inst) {
  auto &changes = warp.cta->registerChanges;
  changes.resize((warp.cta->warps.size() + 3) / 4);
  std::vector<const Inst *> &group = changes[warp.index / 4];
  unsigned number = warp.registerChanges++;
  if (number == group.size())
    group.push_back(&inst);
  else if (group[number] != &inst)
    report(warp, inst, countr_zero(warp.active), "setmaxnreg-warpgroup",
           "the warps of a warpgroup execute different setmaxnreg",
           warp.launch->program->sourceOf(*group[number]).line);
}

static Step executeSetmaxnreg(Warp &warp, const Inst &inst, LaneMask &mask) {
  if (!mask)
    return Step::Next;
  if (!converge(warp, warp.running()))
    return Step::Retry;
  uint32_t wanted = inst.imm;
  Cta &cta = *warp.cta;
  bool increases = inst.flags[Increases];
  bool known = warp.registers != 0;
  bool isChange = increases ? wanted > warp.registers : wanted < warp.registers;
  if (known && increases && isChange &&
      cta.freeRegisters < wantedRegisters(warp, inst)) {
    warp.wait = Wait();
    warp.wait.ready = hasRegisters;
    warp.wait.explain = explainRegisters;
    warp.wait.what = "registers";
    warp.wait.a = warp.pc;
    return Step::Retry;
  }
  if (mask != warp.running())
    report(warp, inst, countr_zero(mask), "divergent-sync",
           "all threads of a warp execute setmaxnreg, but the guard is false "
           "in " +
               Twine(popcount(warp.running() & ~mask)) + " of them");
  checkWarpgroup(warp, inst);
  if (!known)
    return Step::Next;
  if (!isChange && wanted != warp.registers)
    report(warp, inst, countr_zero(mask), "setmaxnreg-direction",
           "setmaxnreg" + Twine(increases ? ".inc" : ".dec") + " to " +
               Twine(wanted) + " registers where the warp has " +
               Twine(warp.registers));
  if (!isChange)
    return Step::Next;
  if (increases)
    cta.freeRegisters -= wantedRegisters(warp, inst);
  else
    cta.freeRegisters += (warp.registers - wanted) * warpSize;
  warp.registers = wanted;
  ++cta.cluster->progress;
  return Step::Next;
}

void ptxbench::emulator::checkRegistersAtEnd(Cta &cta) {
  for (unsigned group = 0; group < cta.registerChanges.size(); ++group) {
    const std::vector<const Inst *> &changes = cta.registerChanges[group];
    // A warpgroup that is none, of a CTA with an odd warp, is let be.
    if (group * 4 + 4 > cta.warps.size())
      return;
    Warp *first = nullptr, *lacking = nullptr;
    for (unsigned i = group * 4; i < group * 4 + 4; ++i) {
      Warp &warp = cta.warps[i];
      Warp *&place = warp.registerChanges < changes.size() ? lacking : first;
      if (!place || warp.registerChanges < place->registerChanges)
        place = &warp;
    }
    if (first && lacking)
      report(*first, *changes[lacking->registerChanges], 0,
             "setmaxnreg-warpgroup",
             "all warps of a warpgroup execute setmaxnreg, but warp " +
                 Twine(lacking->index) + " does not");
  }
}

bool ptxbench::emulator::selectRegisterPool(const InstDesc &desc, Inst &inst,
                                            OwnExtra &) {
  if (desc.opcode != Opcode::setmaxnreg)
    return false;
  inst.control = executeSetmaxnreg;
  inst.flags[Increases] = desc.has(Mod::inc);
  inst.imm = desc.operands[0].value;
  return desc.operands[0].kind == OperandDesc::Constant;
}

uint32_t ptxbench::emulator::registersAtLaunch(const Program &program,
                                               uint32_t allowed) {
  constexpr uint32_t most = 256;
  uint32_t largest = 0;
  bool any = false;
  for (const Inst &inst : program.code)
    if (inst.control == executeSetmaxnreg) {
      any = true;
      if (inst.flags[Increases])
        largest = std::max<uint32_t>(largest, inst.imm);
    }
  if (!any || !allowed)
    return 0;
  return std::min(allowed, largest ? largest : most);
}
