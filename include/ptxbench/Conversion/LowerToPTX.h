//===- LowerToPTX.h - From MLIR and LLVM IR to PTX text ---------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels in gpu, nvgpu, nvvm and what stands around them (scf, arith, memref,
// vector, math, llvm ...), or in LLVM IR, become PTX text by MLIR's passes and
// LLVM's NVPTX target. Each line of the text still knows the operation it came
// from: docs/MLIRCandidates.md says how.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_CONVERSION_LOWERTOPTX_H
#define PTXBENCH_CONVERSION_LOWERTOPTX_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <map>
#include <string>
#include <vector>

namespace ptxbench {

/// Where an instruction came from.
struct LoweredPlace {
  /// As in the location of the operation: the path that the file was read by,
  /// or whatever its `loc(...)` says. Empty where nothing is known.
  std::string file;
  /// 1-based.
  unsigned line = 0, column = 0;
  /// "nvgpu.warpgroup.mma"; of LLVM IR "load", "call @llvm.nvvm.barrier0".
  std::string operation;

  /// "gemm.mlir:42:7"; empty if nothing is known.
  std::string str() const;
};

/// PTX text and what is known about it.
struct LoweredModule {
  std::string ptx;
  /// "sm_90a".
  std::string target;
  /// The entries, in the order of the text.
  std::vector<std::string> kernels;
  /// The operations behind the text. From the line that is a key on, up to the
  /// next key, instructions came from the place with this number in `places`;
  /// -1: it is not known from where.
  std::vector<LoweredPlace> places;
  std::map<unsigned, int> placeOfLine;

  /// The place of an instruction by its 1-based line; null if unknown.
  const LoweredPlace *findPlace(unsigned line) const;

  /// What a message about a line says of it behind the place that it came from:
  /// "in inline asm, line 2 (line 24 of the PTX)", or "line 24 of the PTX".
  std::string describeLine(unsigned line) const;
};

struct LoweringOptions {
  /// "sm_90a". Empty: what the module says (`#nvvm.target`, the attribute
  /// "target-cpu"), else sm_90a. One that contradicts the module is an error.
  std::string target;
  /// 80 for PTX 8.0. 0: what the module says ("+ptx80"), else the oldest of the
  /// target, or the newest that this tool reads where that is needed.
  unsigned ptxVersion = 0;
  /// Of LLVM's passes, 0 to 3; LLVM IR is compiled as it is, by the code
  /// generator alone.
  unsigned optLevel = 3;
  /// Whether the text has `.file` and `.loc`. The instructions are the same
  /// without.
  bool locations = true;
  /// A memref parameter is one pointer, not a descriptor. Also where a module
  /// or a kernel has the attribute `llvm.bareptr`.
  bool barePointers = false;
  /// The path of libdevice.10.bc; empty: a module that needs it is an error.
  std::string libdevice;
};

/// A copy of a module for passes over builtin modules: `module` itself, or a
/// builtin module around it.
mlir::OwningOpRef<mlir::ModuleOp> copyAsModule(mlir::Operation *module);

/// Lowers the kernels of a module, which is not changed: a `gpu.module`, or a
/// module with kernels in any number of `gpu.module`s, in `gpu.launch`, or as
/// functions of its own (isKernelFunction() says which). What else is in the
/// module, as host code, is left out. Functions that are no kernels are
/// internal. Errors are emitted as diagnostics at the operations, and come in
/// short as the result. The context needs what registerLoweringDialects() adds.
llvm::Expected<LoweredModule> lowerToPTX(mlir::Operation *module,
                                         const LoweringOptions &options = {});

/// The same for LLVM IR, as text or bitcode. Errors have the form
/// "file:line:column: error: what", one a line.
llvm::Expected<LoweredModule>
lowerLLVMToPTX(llvm::MemoryBufferRef buffer,
               const LoweringOptions &options = {});

/// The dialects that kernels are written with, and what their conversion and
/// translation need; and linalg, which the host's half of a file often has.
void registerLoweringDialects(mlir::DialectRegistry &registry);

/// Registers the pipeline `ptxbench-lower`.
void registerLoweringPipelines();

} // namespace ptxbench

#endif // PTXBENCH_CONVERSION_LOWERTOPTX_H
