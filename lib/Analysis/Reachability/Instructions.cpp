//===- Instructions.cpp - Instructions of any dialect ---------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An operation of another dialect that no model knows is one whose results may
// be anything. One with regions, which were not made branches, may do anything
// that a call may do.
//
//===----------------------------------------------------------------------===//

#include "Instructions.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace ptxbench::ptx;

namespace ptxbench {

std::optional<OpModel> getOpModel(Operation *op) {
  OpModel model;
  model.range.outputs.assign(op->getNumResults(), 0);
  Dialect *dialect = op->getDialect();
  auto *models =
      dialect ? dialect->getRegisteredInterface<OpModelInterface>() : nullptr;
  if (models && models->describe(op, model))
    return model;
  return std::nullopt;
}

std::optional<KernelModel> getKernelModel(Operation *op) {
  Dialect *dialect = op->getDialect();
  auto *models =
      dialect ? dialect->getRegisteredInterface<OpModelInterface>() : nullptr;
  return models ? models->describeKernel(op) : std::nullopt;
}

LogicalResult checkLaunches(Operation *root) {
  bool ok = true;
  root->walk([&](Operation *op) {
    Dialect *dialect = op->getDialect();
    auto *models =
        dialect ? dialect->getRegisteredInterface<OpModelInterface>() : nullptr;
    if (!models)
      return;
    if (std::string launch = models->checkLaunch(op); !launch.empty())
      op->emitWarning(launch);
    std::optional<KernelModel> kernel = models->describeKernel(op);
    if (kernel && !kernel->contradiction.empty()) {
      op->emitError(kernel->contradiction);
      ok = false;
    }
  });
  return success(ok);
}

namespace reachability {

AnyInst::AnyInst(Operation *op) : op(op), ptx(dyn_cast<InstOpInterface>(op)) {
  bool isText = isa<InlineOp>(op);
  if (ptx || isa<TerminatorOpInterface>(op) ||
      (isa_and_nonnull<PTXDialect>(op->getDialect()) && !isText))
    return;
  if (!isText)
    model = getOpModel(op);
  if (model)
    return;
  model.emplace();
  model->range.outputs.assign(op->getNumResults(), 0);
  if (op->getNumRegions() || isa<CallOpInterface>(op))
    model->role = OpModel::Call;
}

mlir::Value AnyInst::getGuard() const {
  return ptx ? InstOpInterface(ptx).getGuard() : model->guard;
}

bool AnyInst::isCall() const {
  return ptx ? InstOpInterface(ptx).getInfo().flags & IF_Call
             : model->role == OpModel::Call;
}

bool AnyInst::isConvergent() const {
  return ptx ? InstOpInterface(ptx).getInfo().flags & IF_Convergent
             : model->isConvergent;
}

bool AnyInst::isIssuedOnce(bool fullMask) const {
  if (model)
    return model->isConvergent && model->isAligned;
  InstOpInterface inst = ptx;
  if (!(inst.getInfo().flags & (IF_Convergent | IF_Warpgroup)))
    return false;
  if (inst.hasModifier(Mod::aligned))
    return true;
  // Convergent instructions without `.sync` or `.aligned` (barrier.cluster)
  // may be executed in several pieces all the same, and so may those with a
  // mask of some lanes.
  return (inst.hasModifier(Mod::sync) ||
          inst.getInfo().name.contains(".sync")) &&
         fullMask;
}

Family AnyInst::getFamily() const {
  if (model)
    return model->family;
  InstOpInterface inst = ptx;
  return ptxbench::getFamily(inst.getOpcode(), inst.getInst().mods);
}

bool AnyInst::isAlwaysKept() const {
  return isCall() || isConvergent() || getFamily() != Family::None;
}

bool AnyInst::followsOperands() const {
  if (model)
    return model->isPure || model->role == OpModel::Shuffle;
  InstOpInterface inst = ptx;
  return (inst.getInfo().flags & IF_Pure) ||
         inst.getOpcode() == Opcode::shfl_sync;
}

bool AnyInst::isExpression() const {
  auto isFloat = [](Type type) { return isa<FloatType>(type); };
  if (llvm::any_of(op->getOperandTypes(), isFloat) ||
      llvm::any_of(op->getResultTypes(), isFloat))
    return false;
  if (model)
    return model->isPure && model->role == OpModel::Plain;
  InstOpInterface inst = ptx;
  if (!(inst.getInfo().flags & IF_Pure) || !isMemoryEffectFree(op))
    return false;
  // `add.f32` on registers declared `.b32` has operands of integer type.
  for (Mod mod : inst.getInst().mods)
    if (std::optional<DataType> type = getModType(mod))
      if (type->kind == TypeKind::Float)
        return false;
  return true;
}

RangeInst AnyInst::decodeRange() const {
  return model ? model->range : decodeRangeInst(op);
}

std::string AnyInst::getOpcode() const {
  if (!model)
    return InstOpInterface(ptx).getInfo().name.str();
  return model->opcode.empty() ? op->getName().getStringRef().str()
                               : model->opcode;
}

std::string AnyInst::getMnemonic() const {
  if (model)
    return op->getName().getStringRef().str();
  InstOpInterface inst = ptx;
  std::string name = inst.getInfo().name.str();
  for (Mod mod : inst.getInst().mods)
    name += "." + stringifyMod(mod).str();
  return name;
}

bool isUndefined(Operation *op) {
  if (isa_and_nonnull<PTXDialect>(op->getDialect()))
    return isa<UndefOp>(op);
  AnyInst inst(op);
  return inst.getModel() && inst.getModel()->role == OpModel::Undefined;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

bool isKernel(Operation *op) { return isa<EntryOp>(op) || getKernelModel(op); }

static std::optional<Dim3> dimsOf(std::optional<ArrayRef<int64_t>> values) {
  if (!values || values->empty())
    return std::nullopt;
  Dim3 dim;
  dim.x = (*values)[0];
  if (values->size() > 1)
    dim.y = (*values)[1];
  if (values->size() > 2)
    dim.z = (*values)[2];
  return dim;
}

KernelModel getKernel(Operation *op) {
  auto entry = dyn_cast<EntryOp>(op);
  if (!entry)
    return getKernelModel(op).value_or(KernelModel());
  KernelModel model;
  model.block = dimsOf(entry.getDirective("reqntid"));
  model.blockName = ".reqntid";
  model.maxBlock = dimsOf(entry.getDirective("maxntid"));
  model.maxBlockName = ".maxntid";
  model.cluster = dimsOf(entry.getDirective("reqnctapercluster"));
  model.clusterName = ".reqnctapercluster";
  return model;
}

bool isDeviceFunction(Operation *op) {
  if (auto func = dyn_cast<FuncOp>(op))
    return !func.getBody().empty();
  auto func = dyn_cast<FunctionOpInterface>(op);
  return func && !func.isExternal() && !isKernel(op);
}

SmallVector<uint64_t> getParameterSizes(Operation *kernel) {
  SmallVector<uint64_t> sizes;
  if (auto entry = dyn_cast<EntryOp>(kernel)) {
    for (auto param : entry.getParams().getAsRange<VarAttr>())
      sizes.push_back(param.getSizeInBytes());
    return sizes;
  }
  for (Type type : cast<FunctionOpInterface>(kernel).getArgumentTypes()) {
    bool isIndex = isa<IndexType>(type);
    sizes.push_back(isIndex               ? 8
                    : type.isIntOrFloat() ? type.getIntOrFloatBitWidth() / 8
                                          : 0);
  }
  return sizes;
}

} // namespace reachability
} // namespace ptxbench
