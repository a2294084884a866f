//===- OpsGen.cpp - The list of instruction operations --------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes PTX_INST_OP(Class, opcode, "ptx.name") for every record that is an
// operation of the common shape, which is every one but the terminators.
//
//===----------------------------------------------------------------------===//

#include "InstRecords.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TableGen/TableGenBackend.h"

using namespace llvm;
using namespace ptxbench::tblgen;

/// "wgmma.mma_async" -> "WgmmaMmaAsync".
static std::string className(StringRef opcode) {
  std::string name;
  bool upper = true;
  for (char c : opcode) {
    if (c == '.' || c == '_') {
      upper = true;
      continue;
    }
    name += upper ? toUpper(c) : c;
    upper = false;
  }
  return name;
}

static void emitOpList(const RecordKeeper &records, raw_ostream &os) {
  emitSourceFileHeader("The instruction operations of the ptx dialect", os);
  for (const Inst &inst : collectInstructions(records).insts)
    if (!is_contained(inst.flags, "Terminator"))
      os << "PTX_INST_OP(" << className(inst.opcode) << "Op, "
         << enumerator(inst.opcode) << ", \"ptx." << inst.opcode << "\")\n";
}

static TableGen::Emitter::Opt
    registration("gen-ptx-op-list", emitOpList,
                 "Generate the list of instruction operations");
