//===- LowerHost.h - Host code of MLIR modules, as LLVM IR ------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A module with host code (func.func that allocates on the device, makes TMA
// descriptors and launches kernels) is parted into its kernels, which others
// compile (LowerToPTX.h), and its host code. That becomes LLVM IR by the passes
// of upstream's gpu-lower-to-nvvm-pipeline: it carries the compiled kernels,
// and calls what HostFunctions.def lists, by the names that upstream's runner
// gives it.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_CONVERSION_LOWERHOST_H
#define PTXBENCH_CONVERSION_LOWERHOST_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/DenseMap.h"

#include <string>
#include <vector>

namespace ptxbench {

/// What the conversion and translation of host code need beside what
/// registerLoweringDialects() adds.
void registerHostDialects(mlir::DialectRegistry &registry);

/// Whether a module has a function of the host: a func.func with a body.
bool hasHostCode(mlir::ModuleOp module);

/// The host code of a module, and its kernels.
class HostModule {
public:
  /// Takes kernels out of the functions and puts them into one gpu.module.
  /// Errors are emitted where the operations are. Launches are compared with
  /// their kernels if registerOpModels() was called.
  static mlir::FailureOr<HostModule>
  create(mlir::OwningOpRef<mlir::ModuleOp> module);

  /// All kernels; null if there are none.
  mlir::gpu::GPUModuleOp kernels();

  /// The function of that name, which has a body; null, with an error at the
  /// module, if there is none.
  mlir::func::FuncOp findFunction(mlir::StringRef name);

  /// Lowers the host code with `function` as its entry, by the C interface of
  /// memrefs. `binary` is what the driver loads for the kernels: machine code,
  /// a fat binary or PTX text. The result is bitcode. A function
  ///
  ///   i32 ptxbenchEntry(ptr arguments)
  ///
  /// calls the entry with what the elements of an array point to (of a memref a
  /// pointer to its descriptor), and gives its result or 0. Metadata:
  ///
  ///   !ptxbench.arguments = {"memref", extents (-1: any) ...} or {type} each
  ///   !ptxbench.places = {"gemm.mlir:12:3: gpu.launch"} each, which the calls
  ///     of `ptxbenchPlace` number
  ///
  /// The module is used up.
  mlir::FailureOr<std::string> lower(mlir::func::FuncOp function,
                                     mlir::StringRef target,
                                     mlir::StringRef binary);

private:
  mlir::LogicalResult outline();
  void mergeKernels();
  mlir::LogicalResult lowerToLLVM();
  mlir::LogicalResult checkCalls();
  void addPlaces();

  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// Operations that call the driver, by their places.
  llvm::DenseMap<mlir::Location, std::string> operationNames;
  std::vector<std::string> places;
};

} // namespace ptxbench

#endif // PTXBENCH_CONVERSION_LOWERHOST_H
