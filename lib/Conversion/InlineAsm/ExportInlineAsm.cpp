//===- ExportInlineAsm.cpp - Back to inline assembly of LLVM --------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The body is written by the exporter of PTX text. Labels are local to its
// scope, so LLVM may write the string as often as it likes.
//
//===----------------------------------------------------------------------===//

#include "AsmText.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "ptxbench/Conversion/Passes.h"
#include "ptxbench/Dialect/PTX/IR/AsmConstraints.h"
#include "ptxbench/Dialect/PTX/IR/PTXOps.h"
#include "ptxbench/Target/PTX/Export.h"

using namespace mlir;
using namespace ptxbench::ptx;

namespace ptxbench {

#define GEN_PASS_DEF_PTXEXPORTINLINEASM
#include "ptxbench/Conversion/Passes.h.inc"

namespace {

class PTXExportInlineAsmPass
    : public impl::PTXExportInlineAsmBase<PTXExportInlineAsmPass> {
public:
  using PTXExportInlineAsmBase::PTXExportInlineAsmBase;
  void runOnOperation() override;
};

} // namespace

/// With several instructions, an output may be written before the last input is
/// read. LLVM must not give the two one register then, not even where they
/// begin with one value.
static void markEarlyClobbers(InlineOp op, AsmConstraints &constraints) {
  Block &block = op.getBody().front();
  if (llvm::hasSingleElement(op.getBody()) &&
      llvm::hasSingleElement(block.without_terminator()))
    return;
  for (AsmConstraint &constraint : constraints.operands)
    if (constraint.kind == AsmConstraint::Output)
      constraint.earlyClobber = true;
}

static LogicalResult exportInline(InlineOp op) {
  std::string ptx;
  llvm::raw_string_ostream os(ptx);
  llvm::Expected<AsmConstraints> constraints =
      parseAsmConstraints(op.getConstraints());
  if (!constraints)
    return op.emitOpError(llvm::toString(constraints.takeError()));
  if (failed(exportInlineBody(op, os)))
    return failure();
  markEarlyClobbers(op, *constraints);
  std::string text =
      escapeAsmText(StringRef(ptx).trim(), constraints->operands.size());

  OpBuilder builder(op);
  Type type;
  if (op.getNumResults() == 1)
    type = op.getResult(0).getType();
  else if (op.getNumResults() > 1)
    type = LLVM::LLVMStructType::getLiteral(
        op.getContext(), SmallVector<Type>(op.getResultTypes()));
  auto result = LLVM::InlineAsmOp::create(
      builder, op.getLoc(), type ? TypeRange(type) : TypeRange(),
      op.getInputs(), text, constraints->str(), op.getSideEffects(),
      /*is_align_stack=*/false, LLVM::TailCallKind::None,
      LLVM::AsmDialectAttr::get(op.getContext(), LLVM::AsmDialect::AD_ATT),
      ArrayAttr());
  if (op.getNumResults() == 1)
    op.getResult(0).replaceAllUsesWith(result.getRes());
  else
    for (auto [i, value] : llvm::enumerate(op.getResults()))
      if (!value.use_empty())
        value.replaceAllUsesWith(LLVM::ExtractValueOp::create(
            builder, op.getLoc(), result.getRes(), int64_t(i)));
  op.erase();
  return success();
}

void PTXExportInlineAsmPass::runOnOperation() {
  SmallVector<InlineOp> found;
  getOperation()->walk([&](InlineOp op) { found.push_back(op); });
  for (InlineOp op : found)
    if (failed(exportInline(op)))
      signalPassFailure();
}

} // namespace ptxbench
