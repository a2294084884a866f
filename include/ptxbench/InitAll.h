//===- InitAll.h - Registration of dialects and passes ----------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one list of what there is. A tool of ours takes all of it: our dialect,
// passes and pipelines, and those of upstream that kernels are written with.
// The plugin takes what is ours; the tool that loads it has the rest. A dialect
// is loaded when a file uses it, so that registration costs nothing.
//
// A program links PTXBenchInitAll for what is ours.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_INITALL_H
#define PTXBENCH_INITALL_H

#include "mlir/Conversion/NVGPUToNVVM/NVGPUToNVVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/Passes.h"
#include "ptxbench/Analysis/OpModels.h"
#include "ptxbench/Analysis/Passes.h"
#include "ptxbench/Conversion/LowerToPTX.h"
#include "ptxbench/Conversion/Passes.h"
#include "ptxbench/Dialect/PTX/IR/PTXDialect.h"
#include "ptxbench/Pipelines/Pipelines.h"

namespace ptxbench {

/// Our dialect, and what analyses ask of other dialects, if these are there.
inline void registerPTXDialects(mlir::DialectRegistry &registry) {
  registry.insert<ptx::PTXDialect>();
  registerOpModels(registry);
}

/// Our passes and named pipelines.
inline void registerPTXPasses() {
  registerAnalysisPasses();
  registerConversionPasses();
  registerPipelines();
  registerLoweringPipelines();
}

inline void registerAllDialects(mlir::DialectRegistry &registry) {
  registerPTXDialects(registry);
  registry.insert<mlir::arith::ArithDialect, mlir::cf::ControlFlowDialect,
                  mlir::func::FuncDialect, mlir::gpu::GPUDialect,
                  mlir::LLVM::LLVMDialect, mlir::memref::MemRefDialect,
                  mlir::nvgpu::NVGPUDialect, mlir::NVVM::NVVMDialect,
                  mlir::scf::SCFDialect, mlir::vector::VectorDialect>();
  registerLoweringDialects(registry);
}

/// Besides ours, those of upstream that our pipelines consist of, without which
/// a pipeline that was printed could not be read again, and a few for use.
inline void registerAllPasses() {
  registerPTXPasses();
  mlir::registerPass([] { return mlir::createConvertNVGPUToNVVMPass(); });
  mlir::registerPass([] { return mlir::createGpuKernelOutliningPass(); });
  mlir::registerPass(
      [] { return mlir::createGpuLaunchSinkIndexComputationsPass(); });
  mlir::registerCSEPass();
  mlir::registerCanonicalizerPass();
  mlir::registerSymbolDCEPass();
}

} // namespace ptxbench

#endif // PTXBENCH_INITALL_H
