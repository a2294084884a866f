//===- Lowering.cpp - References down to the llvm dialect -----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's passes do the work: inlining, one-shot bufferisation with its
// deallocation, checks of all indices at run time, loops, llvm. Three steps of
// our own make products fast enough, and leave the rest to LLVM's vectoriser:
//
//  1. Sums over a reduction dimension may be reordered, as linalg says.
//  2. A linalg operation of three or more loops is cut into tiles, so that what
//     its inner loops read stays in the cache.
//  3. A sum that an inner loop keeps in memory is kept in a register.
//
// The loops run in the order in which the operation has its dimensions: the
// last one should be that along which most operands are contiguous.
//
//===----------------------------------------------------------------------===//

#include "ReferenceFile.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/BufferizationToMemRef/BufferizationToMemRef.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/BufferDeallocationOpInterfaceImpl.h"
#include "mlir/Dialect/Arith/Transforms/BufferViewFlowOpInterfaceImpl.h"
#include "mlir/Dialect/Arith/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/FuncBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/ControlFlow/Transforms/BufferDeallocationOpInterfaceImpl.h"
#include "mlir/Dialect/ControlFlow/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Linalg/Transforms/RuntimeOpVerification.h"
#include "mlir/Dialect/Linalg/Transforms/SubsetInsertionOpInterfaceImpl.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/AllocationOpInterfaceImpl.h"
#include "mlir/Dialect/MemRef/Transforms/BufferViewFlowOpInterfaceImpl.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/RuntimeOpVerification.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/BufferDeallocationOpInterfaceImpl.h"
#include "mlir/Dialect/SCF/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/IR/TensorInferTypeOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/Transforms/RuntimeOpVerification.h"
#include "mlir/Dialect/Tensor/Transforms/SubsetInsertionOpInterfaceImpl.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "ptxbench/Conversion/LowerToPTX.h"

using namespace mlir;

void ptxbench::registerReferenceDialects(DialectRegistry &registry) {
  registry.insert<affine::AffineDialect, arith::ArithDialect,
                  bufferization::BufferizationDialect, cf::ControlFlowDialect,
                  func::FuncDialect, gpu::GPUDialect, index::IndexDialect,
                  linalg::LinalgDialect, LLVM::LLVMDialect, math::MathDialect,
                  memref::MemRefDialect, NVVM::NVVMDialect, scf::SCFDialect,
                  tensor::TensorDialect>();
  func::registerInlinerExtension(registry);
  arith::registerBufferizableOpInterfaceExternalModels(registry);
  arith::registerBufferDeallocationOpInterfaceExternalModels(registry);
  arith::registerBufferViewFlowOpInterfaceExternalModels(registry);
  bufferization::func_ext::registerBufferizableOpInterfaceExternalModels(
      registry);
  cf::registerBufferizableOpInterfaceExternalModels(registry);
  cf::registerBufferDeallocationOpInterfaceExternalModels(registry);
  linalg::registerBufferizableOpInterfaceExternalModels(registry);
  linalg::registerRuntimeVerifiableOpInterfaceExternalModels(registry);
  linalg::registerSubsetOpInterfaceExternalModels(registry);
  memref::registerAllocationOpInterfaceExternalModels(registry);
  memref::registerBufferViewFlowOpInterfaceExternalModels(registry);
  memref::registerRuntimeVerifiableOpInterfaceExternalModels(registry);
  scf::registerBufferizableOpInterfaceExternalModels(registry);
  scf::registerBufferDeallocationOpInterfaceExternalModels(registry);
  tensor::registerBufferizableOpInterfaceExternalModels(registry);
  tensor::registerInferTypeOpInterfaceExternalModels(registry);
  tensor::registerRuntimeVerifiableOpInterfaceExternalModels(registry);
  tensor::registerSubsetOpInterfaceExternalModels(registry);
  // For the conversion of kernels, which takes all dialects in one pass.
  registerLoweringDialects(registry);
}

/// Makes memrefs of the tensor arguments, and writes the results into those of
/// the outputs.
static void takeMemrefs(func::FuncOp function) {
  OpBuilder builder(function.getContext());
  Block &entry = function.front();
  unsigned results = function.getNumResults();
  unsigned firstOutput = function.getNumArguments() - results;
  builder.setInsertionPointToStart(&entry);
  for (BlockArgument argument : entry.getArguments()) {
    auto tensor = dyn_cast<RankedTensorType>(argument.getType());
    if (!tensor)
      continue;
    argument.setType(
        MemRefType::get(tensor.getShape(), tensor.getElementType()));
    auto view = bufferization::ToTensorOp::create(
        builder, argument.getLoc(), tensor, argument, /*restrict=*/true,
        /*writable=*/argument.getArgNumber() >= firstOutput);
    argument.replaceAllUsesExcept(view.getResult(), view);
  }
  function.walk([&](func::ReturnOp op) {
    builder.setInsertionPoint(op);
    for (auto [index, value] : llvm::enumerate(op.getOperands()))
      bufferization::MaterializeInDestinationOp::create(
          builder, op.getLoc(), /*result=*/Type(), value,
          entry.getArgument(firstOutput + index), /*restrict=*/true,
          /*writable=*/true);
    op->setOperands({});
  });
  function.setType(
      builder.getFunctionType(entry.getArgumentTypes(), TypeRange()));
}

/// The order of the iterations of a reduction is not defined, so neither is
/// that of its additions.
static void relaxReductions(func::FuncOp function) {
  function.walk([](linalg::LinalgOp op) {
    if (op.getNumReductionLoops() == 0)
      return;
    auto flags = arith::FastMathFlagsAttr::get(
        op.getContext(),
        arith::FastMathFlags::reassoc | arith::FastMathFlags::contract);
    op.getBlock()->walk([&](Operation *inner) {
      auto math = dyn_cast<arith::ArithFastMathInterface>(inner);
      if (!math || !isa<arith::AddFOp, arith::MulFOp>(inner))
        return;
      arith::FastMathFlagsAttr now = math.getFastMathFlagsAttr();
      if (!now || now.getValue() == arith::FastMathFlags::none)
        inner->setAttr(math.getFastMathAttrName(), flags);
    });
  });
}

static LogicalResult tileProducts(func::FuncOp function) {
  llvm::SmallVector<linalg::LinalgOp> ops;
  function.walk([&](linalg::LinalgOp op) {
    if (op.getNumLoops() >= 3 && op.getNumReductionLoops() != 0 &&
        llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) {
          return map.isProjectedPermutation();
        }))
      ops.push_back(op);
  });
  IRRewriter rewriter(function.getContext());
  for (linalg::LinalgOp op : ops) {
    // 16 rows of 512 doubles are 64 KiB: two such blocks and the result stay in
    // the second-level cache, and a row of each in the first.
    llvm::SmallVector<int64_t> sizes(op.getNumLoops(), 16);
    sizes.back() = 512;
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::TiledLinalgOp> tiled = linalg::tileLinalgOp(
        rewriter, op, linalg::LinalgTilingOptions().setTileSizes(sizes));
    if (failed(tiled))
      return op.emitError() << "this operation cannot be tiled";
    rewriter.eraseOp(op);
  }
  return success();
}

/// Copies of strided memrefs need no run-time library as linalg operations.
static void expandCopies(func::FuncOp function) {
  llvm::SmallVector<memref::CopyOp> copies;
  function.walk([&](memref::CopyOp op) { copies.push_back(op); });
  for (memref::CopyOp op : copies) {
    OpBuilder builder(op);
    if (op.getSource() != op.getTarget())
      linalg::makeMemRefCopyOp(builder, op.getLoc(), op.getSource(),
                               op.getTarget());
    op.erase();
  }
}

/// The argument or allocation that a memref is a part of; null if unknown. Two
/// different ones share no memory.
static Value rootOf(Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    memref = view.getViewSource();
  if (memref.getDefiningOp<memref::AllocOp>())
    return memref;
  auto argument = dyn_cast<BlockArgument>(memref);
  if (argument && isa<func::FuncOp>(argument.getOwner()->getParentOp()))
    return memref;
  return nullptr;
}

void ptxbench::carrySums(func::FuncOp function) {
  llvm::SmallVector<std::pair<scf::ForOp, memref::StoreOp>> found;
  function.walk([&](memref::StoreOp store) {
    auto loop = dyn_cast<scf::ForOp>(store->getParentOp());
    if (!loop || loop.getNumResults() != 0 ||
        store->getNextNode() != loop.getBody()->getTerminator())
      return;
    auto isOutside = [&](Value value) {
      return loop.isDefinedOutsideOfLoop(value);
    };
    if (isOutside(store.getMemRef()) &&
        llvm::all_of(store.getIndices(), isOutside))
      found.emplace_back(loop, store);
  });
  for (auto [loop, store] : found) {
    memref::LoadOp load;
    bool hasOther = false;
    Value root = rootOf(store.getMemRef());
    for (Operation &op : *loop.getBody()) {
      auto candidate = dyn_cast<memref::LoadOp>(op);
      if (candidate && candidate.getMemRef() == store.getMemRef() &&
          llvm::equal(candidate.getIndices(), store.getIndices()) && !load) {
        load = candidate;
      } else if (candidate) {
        Value other = rootOf(candidate.getMemRef());
        hasOther |= !other || other == root;
      } else if (&op != store.getOperation()) {
        hasOther |= op.getNumRegions() != 0 || !isMemoryEffectFree(&op);
      }
    }
    if (!load || !root || hasOther)
      continue;
    IRRewriter rewriter(loop);
    auto before = cast<memref::LoadOp>(rewriter.clone(*load));
    Value sum = store.getValueToStore();
    auto result = loop.replaceWithAdditionalYields(
        rewriter, ValueRange(before.getResult()),
        /*replaceInitOperandUsesInLoop=*/false,
        [&](OpBuilder &, Location, llvm::ArrayRef<BlockArgument>) {
          return llvm::SmallVector<Value>{sum};
        });
    auto next = cast<scf::ForOp>(result->getOperation());
    rewriter.replaceOp(load, next.getRegionIterArgs().back());
    rewriter.setInsertionPointAfter(next);
    memref::StoreOp::create(rewriter, store.getLoc(), next.getResults().back(),
                            store.getMemRef(), store.getIndices());
    rewriter.eraseOp(store);
  }
}

LogicalResult ptxbench::bufferizeReference(ModuleOp module,
                                           func::FuncOp function) {
  MLIRContext *context = module.getContext();
  for (func::FuncOp other : module.getOps<func::FuncOp>())
    if (other != function)
      other.setPrivate();
  function.setPublic();
  function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                    UnitAttr::get(context));

  PassManager inlining(context);
  inlining.addPass(createInlinerPass());
  inlining.addPass(createSymbolDCEPass());
  inlining.addNestedPass<func::FuncOp>(createLinalgGeneralizeNamedOpsPass());
  if (failed(inlining.run(module)))
    return failure();
  takeMemrefs(function);
  relaxReductions(function);

  PassManager bufferizing(context);
  bufferizing.addPass(createCanonicalizerPass());
  bufferizing.addPass(createCSEPass());
  bufferizing.addPass(bufferization::createEmptyTensorEliminationPass());
  bufferization::OneShotBufferizePassOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  bufferizing.addPass(bufferization::createOneShotBufferizePass(options));
  bufferizing.addPass(createCanonicalizerPass());
  bufferizing.addPass(createCSEPass());
  bufferizing.addPass(createCanonicalizerPass());
  bufferization::buildBufferDeallocationPipeline(bufferizing);
  bufferizing.addPass(createConvertBufferizationToMemRefPass());
  bufferizing.addPass(createGenerateRuntimeVerificationPass());
  if (failed(bufferizing.run(module)))
    return failure();
  expandCopies(function);
  return success();
}

LogicalResult ptxbench::lowerReferenceToLLVM(ModuleOp module) {
  PassManager lowering(module.getContext());
  lowering.addPass(memref::createExpandOpsPass());
  lowering.addPass(memref::createExpandStridedMetadataPass());
  lowering.addPass(createLowerAffinePass());
  lowering.addPass(createLoopInvariantCodeMotionPass());
  lowering.addPass(createSCFToControlFlowPass());
  // Before constants are converted: a dimension that is a constant needs no
  // memory on the stack.
  FinalizeMemRefToLLVMConversionPassOptions memory;
  memory.useGenericFunctions = true;
  lowering.addPass(createFinalizeMemRefToLLVMConversionPass(memory));
  lowering.addPass(createConvertMathToLLVMPass());
  lowering.addPass(createConvertMathToLibmPass());
  // The checks of indices use the dialect.
  lowering.addPass(createConvertIndexToLLVMPass());
  lowering.addPass(createArithToLLVMConversionPass());
  lowering.addPass(createConvertControlFlowToLLVMPass());
  lowering.addPass(createConvertFuncToLLVMPass());
  lowering.addPass(createReconcileUnrealizedCastsPass());
  return lowering.run(module);
}

LogicalResult ptxbench::lowerReference(ModuleOp module, func::FuncOp function) {
  if (failed(bufferizeReference(module, function)) ||
      failed(tileProducts(function)))
    return failure();
  PassManager looping(module.getContext());
  looping.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  looping.addPass(createCanonicalizerPass());
  looping.addPass(createCSEPass());
  if (failed(looping.run(module)))
    return failure();
  carrySums(function);
  return lowerReferenceToLLVM(module);
}
