//===- NVVMModels.cpp - Models of the NVVM dialect ------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Special registers by their names, target operations by the table, and what
// needs more than a name: elections, shuffles, guards, ends of threads.
//
//===----------------------------------------------------------------------===//

#include "Counterparts.h"
#include "Helpers.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "ptxbench/Dialect/PTX/IR/PTXOps.h"

using namespace mlir;

namespace ptxbench {

/// Of those that the analysis knows more of than that they are any number.
static constexpr llvm::StringLiteral kSpecialRegisters[] = {
    "tid.x",
    "tid.y",
    "tid.z",
    "ntid.x",
    "ntid.y",
    "ntid.z",
    "ctaid.x",
    "ctaid.y",
    "ctaid.z",
    "nctaid.x",
    "nctaid.y",
    "nctaid.z",
    "clusterid.x",
    "clusterid.y",
    "clusterid.z",
    "nclusterid.x",
    "nclusterid.y",
    "nclusterid.z",
    "cluster_ctaid.x",
    "cluster_ctaid.y",
    "cluster_ctaid.z",
    "cluster_nctaid.x",
    "cluster_nctaid.y",
    "cluster_nctaid.z",
    "cluster_ctarank",
    "cluster_nctarank",
    "laneid",
};

/// The operation spells "cluster_ctaid.x" as "cluster.ctaid.x".
static StringRef findSpecialRegister(StringRef operation) {
  if (!operation.consume_front("nvvm.read.ptx.sreg."))
    return "";
  for (StringRef name : kSpecialRegisters) {
    StringRef rest = operation;
    StringRef tail = name;
    if (tail.consume_front("cluster_")
            ? rest.consume_front("cluster.") && rest == tail
            : rest == name)
      return name;
  }
  return "";
}

namespace {

class NVVMModel : public OpModelInterface {
public:
  using OpModelInterface::OpModelInterface;

  bool describe(Operation *op, OpModel &model) const override {
    StringRef name = op->getName().getStringRef();
    if (name == "nvvm.read.ptx.sreg.warpsize")
      return describeConstant(model, op,
                              IntegerAttr::get(op->getResult(0).getType(), 32));
    if (StringRef special = findSpecialRegister(name); !special.empty())
      return describeSpecialRegister(model, op, special);
    // Text that was not read may do anything.
    if (isa<NVVM::InlinePtxOp>(op)) {
      model.role = OpModel::Call;
      return true;
    }
    if (!describeCounterpart(model, op))
      return false;
    // The others bring data into a cache.
    if (auto prefetch = dyn_cast<NVVM::PrefetchOp>(op);
        prefetch && prefetch.getTensormap())
      describeTarget(model, model.opcode, model.isAligned, {Mod::tensormap});
    if (auto builder = dyn_cast<NVVM::BasicPtxBuilderInterface>(op))
      if (std::optional<Value> guard = builder.getPredicate())
        model.guard = *guard;
    // Cluster barriers say so themselves.
    if (op->hasAttr("aligned"))
      model.isAligned = true;
    if (auto elect = dyn_cast<NVVM::ElectSyncOp>(op)) {
      model.isAligned =
          !elect.getMembermask() || isFullMask(elect.getMembermask());
      if (model.isAligned)
        model.role = OpModel::Elect;
    } else if (auto redux = dyn_cast<NVVM::ReduxOp>(op)) {
      model.isAligned = isFullMask(redux.getMaskAndClamp());
    } else if (auto shuffle = dyn_cast<NVVM::ShflOp>(op)) {
      describeShuffle(shuffle, model);
    }
    return true;
  }

  LogicalResult flatten(Operation *root) const override {
    SmallVector<NVVM::Exit> exits;
    root->walk([&](NVVM::Exit op) { exits.push_back(op); });
    for (NVVM::Exit op : exits) {
      op->getBlock()->splitBlock(std::next(op->getIterator()));
      OpBuilder builder(op);
      ptx::ExitOp::create(builder, op.getLoc(), Value(), ValueRange(),
                          ValueRange(), /*negated=*/false, /*uniform=*/false,
                          /*implicit=*/false, 0, ArrayRef<Block *>());
      op.erase();
    }
    return success();
  }

private:
  static void describeShuffle(NVVM::ShflOp op, OpModel &model) {
    model.isAligned = isFullMask(op.getThreadMask());
    llvm::APInt lane, clamp;
    if (!model.isAligned || op.getKind() != NVVM::ShflKind::idx ||
        op.getReturnValueAndIsValid() || !op.getVal().getType().isInteger(32) ||
        !matchPattern(op.getOffset(), m_ConstantInt(&lane)) || lane.uge(32) ||
        !matchPattern(op.getMaskAndClamp(), m_ConstantInt(&clamp)) ||
        clamp != 31)
      return;
    model.role = OpModel::Shuffle;
    model.lane = lane.getZExtValue();
    model.range.sources.push_back(getSource(op, 1));
  }
};

} // namespace

void registerNVVMModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, NVVM::NVVMDialect *dialect) {
    dialect->addInterfaces<NVVMModel>();
    // Ends of threads become those of PTX.
    context->loadDialect<ptx::PTXDialect>();
  });
}

} // namespace ptxbench
