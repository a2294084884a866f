//===- GPUModels.cpp - Models of gpu and nvgpu ----------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Indices of threads, barriers, and kernels of gpu; target operations of gpu
// and nvgpu, which become one PTX instruction or several of one family.
//
//===----------------------------------------------------------------------===//

#include "Counterparts.h"
#include "Helpers.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "ptxbench/Dialect/PTX/IR/KernelFunction.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace ptxbench {

/// "tid" and a dimension: names of special registers live as long as they are
/// literals.
#define PTXBENCH_AXES(base)                                                    \
  { base ".x", base ".y", base ".z" }

template <typename OpTy>
static bool describeIndex(OpModel &model, OpTy op,
                          const llvm::StringLiteral (&axes)[3]) {
  return describeSpecialRegister(model, op, axes[unsigned(op.getDimension())]);
}

/// Whether upstream's lowering to nvvm has an instruction for it; others it
/// refuses, and other passes make shuffles of them.
static bool isRedux(gpu::SubgroupReduceOp op) {
  switch (op.getOp()) {
  case gpu::AllReduceOperation::ADD:
  case gpu::AllReduceOperation::AND:
  case gpu::AllReduceOperation::OR:
  case gpu::AllReduceOperation::XOR:
  case gpu::AllReduceOperation::MINSI:
  case gpu::AllReduceOperation::MAXSI:
    return op.getUniform() && !op.getClusterSize() &&
           op.getValue().getType().isInteger(32);
  default:
    return false;
  }
}

namespace {

class GPUModel : public OpModelInterface {
public:
  using OpModelInterface::OpModelInterface;

  bool describe(Operation *op, OpModel &model) const override {
    static constexpr llvm::StringLiteral tid[] = PTXBENCH_AXES("tid"),
                                         ntid[] = PTXBENCH_AXES("ntid"),
                                         ctaid[] = PTXBENCH_AXES("ctaid"),
                                         nctaid[] = PTXBENCH_AXES("nctaid"),
                                         cluster[] = PTXBENCH_AXES("clusterid"),
                                         clusters[] =
                                             PTXBENCH_AXES("nclusterid"),
                                         rank[] =
                                             PTXBENCH_AXES("cluster_ctaid"),
                                         ranks[] =
                                             PTXBENCH_AXES("cluster_nctaid");
    return llvm::TypeSwitch<Operation *, bool>(op)
        .Case([&](gpu::ThreadIdOp id) { return describeIndex(model, id, tid); })
        .Case(
            [&](gpu::BlockDimOp id) { return describeIndex(model, id, ntid); })
        .Case(
            [&](gpu::BlockIdOp id) { return describeIndex(model, id, ctaid); })
        .Case(
            [&](gpu::GridDimOp id) { return describeIndex(model, id, nctaid); })
        .Case([&](gpu::ClusterIdOp id) {
          return describeIndex(model, id, cluster);
        })
        .Case([&](gpu::ClusterDimOp id) {
          return describeIndex(model, id, clusters);
        })
        .Case([&](gpu::ClusterBlockIdOp id) {
          return describeIndex(model, id, rank);
        })
        .Case([&](gpu::ClusterDimBlocksOp id) {
          return describeIndex(model, id, ranks);
        })
        .Case<gpu::LaneIdOp>(
            [&](auto) { return describeSpecialRegister(model, op, "laneid"); })
        .Case<gpu::SubgroupSizeOp>([&](auto) {
          return describeConstant(
              model, op, IntegerAttr::get(op->getResult(0).getType(), 32));
        })
        .Case<gpu::BarrierOp, gpu::ShuffleOp, gpu::AllReduceOp>([&](auto) {
          model.isConvergent = true;
          return true;
        })
        .Case([&](gpu::SubgroupReduceOp reduce) {
          // With the mask of all lanes.
          if (isRedux(reduce) && describeCounterpart(model, op))
            model.isAligned = true;
          model.isConvergent = true;
          return true;
        })
        .Default([&](Operation *) { return describeCounterpart(model, op); });
  }

  std::optional<KernelModel> describeKernel(Operation *op) const override {
    auto func = dyn_cast<gpu::GPUFuncOp>(op);
    if (!func || !isKernelFunction(op))
      return std::nullopt;
    return readLaunchSizes(op, /*isGPUFunc=*/true);
  }

  std::string checkLaunch(Operation *op) const override {
    return isa<gpu::LaunchFuncOp>(op) ? checkLaunchSizes(op) : "";
  }
};

class NVGPUModel : public OpModelInterface {
public:
  using OpModelInterface::OpModelInterface;

  bool describe(Operation *op, OpModel &model) const override {
    if (!describeCounterpart(model, op))
      return false;
    if (isa<nvgpu::TmaPrefetchOp>(op))
      describeTarget(model, model.opcode, model.isAligned, {Mod::tensormap});
    llvm::TypeSwitch<Operation *>(op)
        .Case<nvgpu::MBarrierInitOp, nvgpu::MBarrierArriveExpectTxOp,
              nvgpu::TmaAsyncLoadOp, nvgpu::TmaAsyncStoreOp,
              nvgpu::TmaPrefetchOp>(
            [&](auto target) { model.guard = target.getPredicate(); });
    return true;
  }
};

} // namespace

void registerGPUModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, gpu::GPUDialect *dialect) {
    dialect->addInterfaces<GPUModel>();
  });
  registry.addExtension(+[](MLIRContext *, nvgpu::NVGPUDialect *dialect) {
    dialect->addInterfaces<NVGPUModel>();
  });
}

} // namespace ptxbench
