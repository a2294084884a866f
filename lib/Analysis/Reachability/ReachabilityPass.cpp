//===- ReachabilityPass.cpp - The pass -ptx-reachability ------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns the options of the pass into launch assumptions, runs the analysis on
// each entry and writes its verdicts as attributes or as remarks.
//
//===----------------------------------------------------------------------===//

#include "Instructions.h"
#include "mlir/IR/Builders.h"
#include "ptxbench/Analysis/OpModels.h"
#include "ptxbench/Analysis/Passes.h"
#include "ptxbench/Analysis/Reachability.h"
#include "ptxbench/Dialect/PTX/IR/OptionError.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace ptxbench::ptx;

namespace ptxbench {

#define GEN_PASS_DEF_PTXREACHABILITY
#include "ptxbench/Analysis/Passes.h.inc"

namespace {

class PTXReachabilityPass
    : public impl::PTXReachabilityBase<PTXReachabilityPass> {
public:
  using PTXReachabilityBase::PTXReachabilityBase;
  // A tool that has our passes need not have registered our models.
  void getDependentDialects(DialectRegistry &registry) const override {
    PTXReachabilityBase::getDependentDialects(registry);
    registerOpModels(registry);
  }
  void runOnOperation() override;

private:
  std::optional<Dim3> readDim(ArrayRef<uint32_t> values, StringRef what,
                              bool &failed);
  bool readParam(StringRef text, Operation *kernel, ParamAssumption &param);
  void annotate(const TargetVerdict &verdict, Operation *op);
};

} // namespace

std::optional<Dim3> PTXReachabilityPass::readDim(ArrayRef<uint32_t> values,
                                                 StringRef what, bool &failed) {
  if (values.empty())
    return std::nullopt;
  if (values.size() > 3 || llvm::is_contained(values, 0u)) {
    InFlightDiagnostic error =
        emitOptionError(&getContext(), getArgument(), what);
    error << "expected one to three positive extents but got ";
    llvm::interleave(values, error, ",");
    failed = true;
    return std::nullopt;
  }
  Dim3 dim;
  dim.x = values[0];
  if (values.size() > 1)
    dim.y = values[1];
  if (values.size() > 2)
    dim.z = values[2];
  return dim;
}

bool PTXReachabilityPass::readParam(StringRef text, Operation *kernel,
                                    ParamAssumption &param) {
  auto fail = [&](const Twine &rule) {
    kernel->emitError(rule) << " in the parameter assumption '" << text << "'";
    return false;
  };
  auto [where, value] = text.split('=');
  auto [place, type] = where.split(':');
  auto [index, offset] = place.split('+');
  std::string bytes;
  bool isHex = value.consume_front("hex:");
  if (isHex &&
      (value.empty() || value.size() % 2 || !llvm::tryGetFromHex(value, bytes)))
    return fail("expected an even number of hexadecimal digits behind 'hex:'");
  if (isHex && !type.empty())
    return fail("expected no type where the value is bytes");
  uint64_t number = 0;
  int64_t signedNumber = 0;
  if (!isHex && value.getAsInteger(0, number)) {
    if (value.getAsInteger(0, signedNumber))
      return fail("expected an integer or 'hex:' behind '='");
    number = signedNumber;
  }
  if (index.getAsInteger(10, param.index))
    return fail("expected the index of a parameter");
  if (!offset.empty() && offset.getAsInteger(0, param.offset))
    return fail("expected a byte offset behind '+'");
  SmallVector<uint64_t> sizes = reachability::getParameterSizes(kernel);
  if (param.index >= sizes.size())
    return fail("there are " + Twine(sizes.size()) + " parameters");
  uint64_t size = sizes[param.index];
  if (isHex) {
    param.bytes.assign(bytes.begin(), bytes.end());
    return true;
  }
  if (!type.empty()) {
    std::optional<Mod> mod = symbolizeMod(type);
    std::optional<DataType> data = mod ? getModType(*mod) : std::nullopt;
    if (!data)
      return fail("expected a type behind ':'");
    size = data->width / 8;
  }
  if (size == 0 || size > 8)
    return fail("expected a type of 1 to 8 bytes but got " + Twine(size));
  // As a signed or as an unsigned number.
  if (size < 8 && number >> (8 * size) != 0 &&
      int64_t(number) >> (8 * size - 1) != -1)
    return fail("expected a value of " + Twine(size) + " bytes");
  for (unsigned i = 0; i < size; ++i)
    param.bytes.push_back(number >> (8 * i));
  return true;
}

void PTXReachabilityPass::annotate(const TargetVerdict &verdict,
                                   Operation *op) {
  if (remarks) {
    InFlightDiagnostic diag = op->emitRemark(verdict.mnemonic);
    diag << ": " << stringifyReach(verdict.reach);
    if (verdict.scope)
      diag << " (" << stringifyScope(*verdict.scope) << ")";
    diag << ": " << verdict.reason;
    if (verdict.predicted && verdict.reach != Reach::Never) {
      const ExecutionCount &count = verdict.predicted->perCTA;
      diag << " [per CTA:";
      if (count.warps)
        diag << " " << *count.warps << " by warps";
      if (count.threads)
        diag << (count.warps ? "," : "") << " " << *count.threads
             << " by threads";
      diag << "]";
    }
    return;
  }
  Builder b(op->getContext());
  op->setDiscardableAttr("ptx.reach",
                         b.getStringAttr(stringifyReach(verdict.reach)));
  op->setDiscardableAttr("ptx.reach_reason", b.getStringAttr(verdict.reason));
  auto setOrRemove = [&](StringRef name, Attribute value) {
    if (value)
      op->setDiscardableAttr(name, value);
    else
      op->removeDiscardableAttr(name);
  };
  setOrRemove("ptx.reach_scope",
              verdict.scope ? b.getStringAttr(stringifyScope(*verdict.scope))
                            : Attribute());
  auto count = [&](const std::optional<uint64_t> &n) -> Attribute {
    return n ? b.getI64IntegerAttr(*n) : Attribute();
  };
  ExecutionCount perCTA;
  if (verdict.predicted)
    perCTA = verdict.predicted->perCTA;
  setOrRemove("ptx.reach_warps", count(perCTA.warps));
  setOrRemove("ptx.reach_threads", count(perCTA.threads));
}

void PTXReachabilityPass::runOnOperation() {
  bool failed = false;
  ReachabilityOptions options;
  options.maxClasses = maxClasses;
  options.launch.grid = readDim(grid, "grid", failed);
  options.launch.block = readDim(block, "block", failed);
  options.launch.cluster = readDim(cluster, "cluster", failed);
  if (failed || mlir::failed(checkLaunches(getOperation())))
    return signalPassFailure();
  SmallVector<Operation *> kernels;
  getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->getNumRegions() == 0)
      return WalkResult::advance();
    if (!reachability::isKernel(op))
      return reachability::isDeviceFunction(op) ? WalkResult::skip()
                                                : WalkResult::advance();
    if (entry.empty() || SymbolTable::getSymbolName(op).getValue() == entry)
      kernels.push_back(op);
    return WalkResult::skip();
  });
  for (Operation *op : kernels) {
    options.launch.params.clear();
    for (const std::string &text : params) {
      ParamAssumption param;
      if (!readParam(text, op, param))
        return signalPassFailure();
      options.launch.params.push_back(std::move(param));
    }
    llvm::Expected<EntryReachability> result =
        analyzeEntryReachability(op, options);
    if (!result) {
      op->emitError(llvm::toString(result.takeError()));
      return signalPassFailure();
    }
    for (auto [verdict, target] :
         llvm::zip(result->verdicts.targets, result->operations))
      annotate(verdict, target);
  }
  if (!entry.empty() && kernels.empty()) {
    emitOptionError(&getContext(), getArgument(), "entry")
        << "no entry is called '" << entry << "'";
    return signalPassFailure();
  }
  if (remarks)
    markAllAnalysesPreserved();
}

} // namespace ptxbench
