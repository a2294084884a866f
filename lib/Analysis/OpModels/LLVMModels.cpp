//===- LLVMModels.cpp - Models of the LLVM dialect ------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integers, calls, and kernels: functions with NVVM's attributes.
//
//===----------------------------------------------------------------------===//

#include "Helpers.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using ptxbench::ptx::RangeKind;

namespace ptxbench {

namespace {

class LLVMModel : public OpModelInterface {
public:
  using OpModelInterface::OpModelInterface;

  bool describe(Operation *op, OpModel &model) const override {
    auto integer = [&](RangeKind kind, bool isSigned = false) {
      return describeInteger(model, op, kind, isSigned);
    };
    return llvm::TypeSwitch<Operation *, bool>(op)
        .Case([&](LLVM::ConstantOp constant) {
          return describeConstant(model, op, constant.getValue());
        })
        .Case([&](LLVM::ZeroOp) {
          return describeConstant(
              model, op,
              isa<IntegerType>(op->getResult(0).getType())
                  ? IntegerAttr::get(op->getResult(0).getType(), 0)
                  : Attribute());
        })
        .Case<LLVM::UndefOp, LLVM::PoisonOp>([&](auto) {
          model.role = OpModel::Undefined;
          return true;
        })
        .Case<LLVM::AddOp>([&](auto) { return integer(RangeKind::Add); })
        .Case<LLVM::SubOp>([&](auto) { return integer(RangeKind::Sub); })
        .Case<LLVM::MulOp>([&](auto) { return integer(RangeKind::MulLo); })
        .Case<LLVM::UDivOp>([&](auto) { return integer(RangeKind::Div); })
        .Case<LLVM::SDivOp>([&](auto) { return integer(RangeKind::Div, true); })
        .Case<LLVM::URemOp>([&](auto) { return integer(RangeKind::Rem); })
        .Case<LLVM::SRemOp>([&](auto) { return integer(RangeKind::Rem, true); })
        .Case<LLVM::AndOp>([&](auto) { return integer(RangeKind::And); })
        .Case<LLVM::OrOp>([&](auto) { return integer(RangeKind::Or); })
        .Case<LLVM::XOrOp>([&](auto) { return integer(RangeKind::Xor); })
        .Case<LLVM::ShlOp>([&](auto) { return integer(RangeKind::Shl); })
        .Case<LLVM::LShrOp>([&](auto) { return integer(RangeKind::Shr); })
        .Case<LLVM::AShrOp>([&](auto) { return integer(RangeKind::Shr, true); })
        .Case<LLVM::UMinOp>([&](auto) { return integer(RangeKind::Min); })
        .Case<LLVM::SMinOp>([&](auto) { return integer(RangeKind::Min, true); })
        .Case<LLVM::UMaxOp>([&](auto) { return integer(RangeKind::Max); })
        .Case<LLVM::SMaxOp>([&](auto) { return integer(RangeKind::Max, true); })
        .Case([&](LLVM::ICmpOp compare) {
          return describeCompare(model, op, uint64_t(compare.getPredicate()));
        })
        .Case<LLVM::SelectOp>([&](auto) { return describeSelect(model, op); })
        .Case<LLVM::ZExtOp, LLVM::TruncOp>(
            [&](auto) { return describeConversion(model, op, false); })
        .Case<LLVM::SExtOp>(
            [&](auto) { return describeConversion(model, op, true); })
        .Case([&](LLVM::CallOp call) {
          model.role = OpModel::Call;
          model.callee = call.getCallee().value_or("");
          return true;
        })
        // Text that was not read may do anything.
        .Case<LLVM::InlineAsmOp, LLVM::CallIntrinsicOp>([&](auto) {
          model.role = OpModel::Call;
          return true;
        })
        .Default([](Operation *) { return false; });
  }

  std::optional<KernelModel> describeKernel(Operation *op) const override {
    auto func = dyn_cast<LLVM::LLVMFuncOp>(op);
    if (!func || func.isExternal() ||
        !op->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()))
      return std::nullopt;
    KernelModel kernel;
    // Lowering a gpu.func keeps what it says under other names.
    readExtents(
        op, {NVVM::NVVMDialect::getReqntidAttrName(), "gpu.known_block_size"},
        kernel.block, kernel.blockName);
    readExtents(op, {NVVM::NVVMDialect::getMaxntidAttrName()}, kernel.maxBlock,
                kernel.maxBlockName);
    readExtents(
        op,
        {NVVM::NVVMDialect::getClusterDimAttrName(), "gpu.known_cluster_size"},
        kernel.cluster, kernel.clusterName);
    readExtents(op, {"gpu.known_grid_size"}, kernel.grid, kernel.gridName);
    return kernel;
  }
};

} // namespace

void registerLLVMModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, LLVM::LLVMDialect *dialect) {
    dialect->addInterfaces<LLVMModel>();
  });
}

} // namespace ptxbench
