//===- Decoder.h - From the ptx dialect to a Program ------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An entry, with every function that it may call.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_DECODE_DECODER_H
#define PTXBENCH_LIB_EMULATOR_DECODE_DECODER_H

#include "../Program.h"
#include "ModuleImage.h"

namespace ptxbench::emulator {

/// The layout of the parameter space of an entry.
KernelInfo layOutParams(ptx::EntryOp entry);

/// Decodes `entry`. Instructions that the emulator does not execute end the
/// launch when they are reached. The parameters of launches are put at
/// `paramAddress`. `checks`: undefined values are looked for.
llvm::Expected<std::unique_ptr<Program>> decodeEntry(ptx::EntryOp entry,
                                                     const ModuleImage &image,
                                                     uint64_t paramAddress,
                                                     bool checks);

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_DECODE_DECODER_H
