//===- ImportInlineAsm.cpp - Inline assembly of LLVM and NVVM -------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What llvm.inline_asm and nvvm.inline_ptx say in their own ways is brought
// into LLVM's terms, imported (ImportSite.cpp), and put in their place.
//
//===----------------------------------------------------------------------===//

#include "AsmSite.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "ptxbench/Conversion/Passes.h"
#include "ptxbench/Dialect/PTX/IR/KernelFunction.h"
#include "ptxbench/Dialect/PTX/IR/OptionError.h"

using namespace mlir;
using namespace ptxbench::ptx;

namespace ptxbench {

#define GEN_PASS_DEF_PTXIMPORTINLINEASM
#include "ptxbench/Conversion/Passes.h.inc"

namespace {

class PTXImportInlineAsmPass
    : public impl::PTXImportInlineAsmBase<PTXImportInlineAsmPass> {
public:
  using PTXImportInlineAsmBase::PTXImportInlineAsmBase;
  void runOnOperation() override;

private:
  bool readLLVM(LLVM::InlineAsmOp op, AsmSite &site) const;
  bool readNVVM(NVVM::InlinePtxOp op, AsmSite &site) const;
  void replace(LLVM::InlineAsmOp op, InlineOp by) const;
  void replace(NVVM::InlinePtxOp op, InlineOp by) const;
};

} // namespace

//===----------------------------------------------------------------------===//
// Sites
//===----------------------------------------------------------------------===//

/// Every field is told apart by its first character in LLVM's text.
static bool readConstraints(Operation *op, StringRef text,
                            AsmConstraints &constraints) {
  llvm::Expected<AsmConstraints> read =
      parseAsmConstraints(text, /*takesAny=*/true);
  if (!read) {
    op->emitError("in the constraints \"")
        << text << "\": " << llvm::toString(read.takeError());
    return false;
  }
  constraints = std::move(*read);
  return true;
}

bool PTXImportInlineAsmPass::readLLVM(LLVM::InlineAsmOp op,
                                      AsmSite &site) const {
  site.op = op;
  site.text = op.getAsmString();
  site.sideEffects = op.getHasSideEffects();
  if (!readConstraints(op, op.getConstraints(), site.constraints))
    return false;
  if (op.getAsmDialect() == LLVM::AsmDialect::AD_Intel) {
    op.emitError("expected the dialect att: PTX has no other");
    return false;
  }
  llvm::append_range(site.inputs, op.getOperands());
  // As LLVM resolves it: integer constants stand in the text, all else is in a
  // register of 32 bits.
  auto inputs = MutableArrayRef(site.constraints.operands)
                    .drop_front(site.constraints.numOutputs);
  for (auto [constraint, value] : llvm::zip(inputs, site.inputs)) {
    if (constraint.letter != 'X')
      continue;
    IntegerAttr number;
    bool isConstant = matchPattern(value, m_Constant(&number));
    constraint.kind =
        isConstant ? AsmConstraint::Immediate : AsmConstraint::Input;
    constraint.letter = isConstant ? 'n'
                        : isa<FloatType>(getElementTypeOrSelf(value.getType()))
                            ? 'f'
                            : 'r';
  }
  Type type = op->getNumResults() ? op.getRes().getType() : Type();
  // So MLIR imports a call of LLVM's that has no result.
  if (isa_and_present<LLVM::LLVMVoidType>(type) && op.use_empty())
    type = Type();
  if (type) {
    // As LLVM's verifier has it; one output is no structure, not even one with
    // one element.
    auto all = dyn_cast<LLVM::LLVMStructType>(type);
    unsigned numOutputs = site.constraints.numOutputs;
    if (numOutputs == 0 || (numOutputs == 1) == bool(all)) {
      op.emitError("expected ")
          << (numOutputs == 0   ? "no result"
              : numOutputs == 1 ? "a result that is no structure"
                                : "a structure")
          << " where the constraints have " << numOutputs
          << (numOutputs == 1 ? " output" : " outputs") << " but got " << type;
      return false;
    }
    if (all)
      llvm::append_range(site.outputTypes, all.getBody());
    else
      site.outputTypes.push_back(type);
  }
  return true;
}

bool PTXImportInlineAsmPass::readNVVM(NVVM::InlinePtxOp op,
                                      AsmSite &site) const {
  site.op = op;
  site.text = op.getPtxCode();
  site.sideEffects = true;
  site.hasConstraints = false;
  // The order of LLVM's operands: read and written, written, read, the guard.
  OperandClasses &classes = site.classes.emplace();
  auto &operands = site.constraints.operands;
  bool ok = true;
  auto add = [&](Type type, AsmConstraint::Kind kind) {
    AsmConstraint constraint;
    constraint.kind = kind;
    constraint.letter = getConstraintLetter(type);
    if (!constraint.letter) {
      op.emitError("a value of type ")
          << type << " has no register; expected an integer of 1, 16, 32 or 64 "
          << "bits, f32, f64 or a pointer";
      ok = false;
    }
    operands.push_back(constraint);
    return operands.size() - 1;
  };
  for (Value value : op.getReadWriteArgs()) {
    classes.readWritten.push_back(add(value.getType(), AsmConstraint::Output));
    site.outputTypes.push_back(value.getType());
  }
  for (Value value : op.getWriteOnlyArgs()) {
    classes.written.push_back(add(value.getType(), AsmConstraint::Output));
    site.outputTypes.push_back(value.getType());
  }
  site.constraints.numOutputs = operands.size();
  for (Value value : op.getReadOnlyArgs()) {
    classes.read.push_back(add(value.getType(), AsmConstraint::Input));
    site.inputs.push_back(value);
  }
  if (Value guard = op.getPredicate()) {
    unsigned number = add(guard.getType(), AsmConstraint::Input);
    site.inputs.push_back(guard);
    site.prefix = "@$" + std::to_string(number) + " ";
  }
  for (auto [i, value] : llvm::enumerate(op.getReadWriteArgs())) {
    AsmConstraint constraint;
    constraint.kind = AsmConstraint::Tied;
    constraint.tiedTo = i;
    operands.push_back(constraint);
    site.inputs.push_back(value);
  }
  return ok;
}

//===----------------------------------------------------------------------===//
// Replacement
//===----------------------------------------------------------------------===//

void PTXImportInlineAsmPass::replace(LLVM::InlineAsmOp op, InlineOp by) const {
  if (by.getNumResults() == 1) {
    op->replaceAllUsesWith(by->getResults());
  } else if (by.getNumResults() > 1) {
    for (Operation *user : llvm::make_early_inc_range(op->getUsers())) {
      auto extract = dyn_cast<LLVM::ExtractValueOp>(user);
      if (!extract || extract.getPosition().size() != 1)
        continue;
      extract.replaceAllUsesWith(by.getResult(extract.getPosition().front()));
      extract.erase();
    }
    if (!op->use_empty()) {
      OpBuilder builder(op);
      Value all =
          LLVM::PoisonOp::create(builder, op.getLoc(), op.getRes().getType());
      for (auto [i, value] : llvm::enumerate(by.getResults()))
        all = LLVM::InsertValueOp::create(builder, op.getLoc(), all, value,
                                          int64_t(i));
      op->replaceAllUsesWith(ValueRange(all));
    }
  }
  op.erase();
}

void PTXImportInlineAsmPass::replace(NVVM::InlinePtxOp op, InlineOp by) const {
  // Behind the operation, what was read and written is the result.
  DominanceInfo dominance;
  unsigned numReadWritten = op.getReadWriteArgs().size();
  for (unsigned i = 0; i < numReadWritten; ++i)
    op.getReadWriteArgs()[i].replaceUsesWithIf(
        by.getResult(i), [&](OpOperand &use) {
          Operation *user = use.getOwner();
          return user != op && user != by &&
                 dominance.properlyDominates(op, user);
        });
  for (auto [old, now] : llvm::zip(op.getWriteOnlyArgs(),
                                   by.getResults().drop_front(numReadWritten)))
    old.replaceAllUsesWith(now);
  op.erase();
}

//===----------------------------------------------------------------------===//
// Host code
//===----------------------------------------------------------------------===//

/// Whether the module's kernels all stand in a gpu.module or a gpu.launch, so
/// that its own functions are the host's.
static bool isHostModule(Operation *module) {
  bool hasKernels = false;
  for (Region &region : module->getRegions())
    for (Operation &op : region.getOps()) {
      if (isKernelFunction(&op))
        return false;
      hasKernels |=
          isa<gpu::GPUModuleOp>(op) ||
          (isa<FunctionOpInterface>(op) && op.walk([](gpu::LaunchOp) {
                                               return WalkResult::interrupt();
                                             }).wasInterrupted());
    }
  return hasKernels;
}

/// Whether the operation is the host's. Its text is no PTX.
static bool isHostCode(Operation *op, DenseMap<Operation *, bool> &hosts) {
  Operation *function = op->getParentOp();
  while (function && !isa<FunctionOpInterface>(function)) {
    if (isa<gpu::LaunchOp>(function))
      return false;
    function = function->getParentOp();
  }
  Operation *module = function ? function->getParentOp() : nullptr;
  if (!module || isa<gpu::GPUModuleOp>(module))
    return false;
  auto [it, isNew] = hosts.try_emplace(module, false);
  if (isNew)
    it->second = isHostModule(module);
  return it->second;
}

void PTXImportInlineAsmPass::runOnOperation() {
  SmallVector<Operation *> found;
  DenseMap<Operation *, bool> hosts;
  getOperation()->walk([&](Operation *op) {
    if (isa<LLVM::InlineAsmOp, NVVM::InlinePtxOp>(op) && !isHostCode(op, hosts))
      found.push_back(op);
  });
  if (!target.empty() && !parseTargetArch(target)) {
    emitOptionError(&getContext(), getArgument(), "target")
        << "expected an architecture such as sm_90a but got '" << target << "'";
    return signalPassFailure();
  }
  unsigned numSites = 0;
  bool failed = false;
  for (Operation *op : found) {
    AsmSite site;
    auto llvmAsm = dyn_cast<LLVM::InlineAsmOp>(op);
    bool ok = llvmAsm ? readLLVM(llvmAsm, site)
                      : readNVVM(cast<NVVM::InlinePtxOp>(op), site);
    InlineOp inlined;
    if (ok)
      inlined = importSite(
          site, target.empty() ? findAsmTarget(op) : AsmTarget{target, 90},
          numSites++);
    failed |= !inlined;
    if (!inlined)
      continue;
    if (llvmAsm)
      replace(llvmAsm, inlined);
    else
      replace(cast<NVVM::InlinePtxOp>(op), inlined);
  }
  if (failed)
    signalPassFailure();
}

} // namespace ptxbench
