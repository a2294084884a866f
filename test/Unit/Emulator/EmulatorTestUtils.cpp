//===- EmulatorTestUtils.cpp - Kernels from text --------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Importing and loading.
//
//===----------------------------------------------------------------------===//

#include "EmulatorTestUtils.h"
#include "ptxbench/Dialect/PTX/IR/PTXDialect.h"
#include "ptxbench/Target/PTX/Import.h"
#include "llvm/Support/MemoryBufferRef.h"

using namespace ptxbench;
using namespace ptxbench::emulator;

TestMachine::TestMachine(const std::string &text) {
  std::string whole = text;
  if (text.rfind(".version", 0) != 0)
    whole = ".version 9.0\n.target sm_90a\n.address_size 64\n" + text;
  context.loadDialect<ptx::PTXDialect>();
  op = importPTX(llvm::MemoryBufferRef(whole, "test.ptx"), &context);
  if (!op) {
    ADD_FAILURE() << "the text is not imported:\n" << whole;
    std::abort();
  }
  llvm::Expected<std::unique_ptr<Device>> made =
      createDevice(uint64_t(1) << 32);
  if (!made) {
    ADD_FAILURE() << llvm::toString(made.takeError());
    std::abort();
  }
  device = std::move(*made);
  auto loaded = device->load(*op);
  if (!loaded) {
    ADD_FAILURE() << llvm::toString(loaded.takeError());
    std::abort();
  }
  module = std::move(*loaded);
  options.maxInstructions = uint64_t(1) << 32;
}

std::string ptxbench::emulator::threadKernel(const std::string &body,
                                             unsigned inShift,
                                             unsigned outShift,
                                             const std::string &module) {
  auto part = [](const std::string &name, unsigned shift) {
    return "  ld.param.u64 %" + name + ", [" + name + "];\n" +
           "  shl.b32 %s, %t, " + std::to_string(shift) + ";\n" +
           "  mov.b64 %o, {%s, 0};\n  add.s64 %" + name + ", %" + name +
           ", %o;\n";
  };
  return module +
         "\n.visible .entry k(.param .u64 in, .param .u64 out) {\n"
         "  .reg .pred %p<20>; .reg .b8 %b<20>; .reg .b16 %h<20>;\n"
         "  .reg .b32 %t, %s, %r<20>; .reg .b64 %o, %in, %out, %d<20>;\n"
         "  .reg .b128 %q<20>;\n"
         "  mov.u32 %t, %tid.x;\n" +
         part("in", inShift) + part("out", outShift) + body + "\n  ret;\n}\n";
}

InstructionCount ptxbench::emulator::countsOfLine(const LaunchOutcome &outcome,
                                                  unsigned line) {
  InstructionCount sum;
  sum.line = line;
  for (const InstructionCount &count : outcome.counts)
    if (count.line == line) {
      sum.opcode = count.opcode;
      sum.warps += count.warps;
      sum.threads += count.threads;
    }
  return sum;
}
