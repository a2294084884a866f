//===- ImportInlineAsm.cpp - Inline assembly of LLVM and NVVM -------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each string is made the body of a PTX function whose registers `$0`, `$1`, …
// are the operands, parsed and imported as any other function, and put into a
// `ptx.inline`. The function's parameters are the inputs, its results the
// outputs; a tied operand is both.
//
//===----------------------------------------------------------------------===//

#include "AsmSite.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "ptxbench/Conversion/Passes.h"
#include "ptxbench/Target/PTX/Import.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace ptxbench::ptx;

namespace ptxbench {

#define GEN_PASS_DEF_PTXIMPORTINLINEASM
#include "ptxbench/Conversion/Passes.h.inc"

namespace {

/// The `.version` and `.target` that a text is held against.
struct AsmTarget {
  std::string arch;
  PTXVersion version = 90;
};

class PTXImportInlineAsmPass
    : public impl::PTXImportInlineAsmBase<PTXImportInlineAsmPass> {
public:
  using PTXImportInlineAsmBase::PTXImportInlineAsmBase;
  void runOnOperation() override;

private:
  std::optional<AsmTarget> findTarget(Operation *op) const;
  bool readLLVM(LLVM::InlineAsmOp op, AsmSite &site) const;
  bool readNVVM(NVVM::InlinePtxOp op, AsmSite &site) const;
  /// Null after an error.
  InlineOp import(const AsmSite &site);
  void replace(LLVM::InlineAsmOp op, InlineOp by) const;
  void replace(NVVM::InlinePtxOp op, InlineOp by) const;

  unsigned numSites = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// Sites
//===----------------------------------------------------------------------===//

InFlightDiagnostic AsmSite::report(DiagnosticSeverity severity,
                                   size_t offset) const {
  auto [line, column] = getLineAndColumn(text, offset);
  InFlightDiagnostic diagnostic = severity == DiagnosticSeverity::Error
                                      ? emitError(op->getLoc())
                                      : emitWarning(op->getLoc());
  diagnostic << "in inline asm, line " << line << " column " << column << ": ";
  return diagnostic;
}

Location AsmSite::getLoc(size_t offset) const {
  auto [line, column] = getLineAndColumn(text, offset);
  return NameLoc::get(
      StringAttr::get(op->getContext(), "inline asm, line " + Twine(line) +
                                            " column " + Twine(column)),
      op->getLoc());
}

/// Every field is told apart by its first character in LLVM's text.
static bool readConstraints(Operation *op, StringRef text,
                            AsmConstraints &constraints) {
  llvm::Expected<AsmConstraints> read = parseAsmConstraints(text);
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
  if (Type type = op->getNumResults() ? op.getRes().getType() : Type()) {
    auto all = dyn_cast<LLVM::LLVMStructType>(type);
    if (all && site.constraints.numOutputs != 1)
      llvm::append_range(site.outputTypes, all.getBody());
    else
      site.outputTypes.push_back(type);
  }
  return true;
}

/// The constraint that upstream's lowering gives a value; 0 if it has none.
static char getConstraintLetter(Type type) {
  // Shared memory has addresses of 32 bits.
  if (auto pointer = dyn_cast<LLVM::LLVMPointerType>(type))
    return pointer.getAddressSpace() == unsigned(NVVM::NVVMMemorySpace::Shared)
               ? 'r'
               : 'l';
  if (type.isF32())
    return 'f';
  if (type.isF64())
    return 'd';
  if (auto integer = dyn_cast<IntegerType>(type))
    switch (integer.getWidth()) {
    case 1:
      return 'b';
    case 16:
      return 'h';
    case 32:
      return 'r';
    case 64:
      return 'l';
    }
  return 0;
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

std::optional<AsmTarget>
PTXImportInlineAsmPass::findTarget(Operation *op) const {
  if (!target.empty())
    return AsmTarget{target, 90};
  for (; op; op = op->getParentOp()) {
    if (auto attr = op->getAttrOfType<PTXTargetAttr>(kTargetAttrName))
      return AsmTarget{attr.getArch().str(), PTXVersion(attr.getVersion())};
    auto targets = op->getAttrOfType<ArrayAttr>("targets");
    if (!targets)
      continue;
    for (auto attr : targets.getAsRange<Attribute>()) {
      auto nvvm = dyn_cast<NVVM::NVVMTargetAttr>(attr);
      if (!nvvm)
        continue;
      AsmTarget result{nvvm.getChip().str(), 90};
      // "+ptx80"
      auto [head, version] = nvvm.getFeatures().split("ptx");
      version = version.take_while(llvm::isDigit);
      unsigned number = 0;
      if (!version.getAsInteger(10, number) && number > result.version)
        result.version = number;
      return result;
    }
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Import
//===----------------------------------------------------------------------===//

/// How the operands are spelled in the PTX; empty after an error.
static SmallVector<std::string> spellOperands(const AsmSite &site) {
  SmallVector<std::string> spellings;
  for (auto [i, constraint] : llvm::enumerate(site.constraints.operands)) {
    if (constraint.kind != AsmConstraint::Immediate) {
      spellings.push_back("$" +
                          std::to_string(site.constraints.getRegisterOf(i)));
      continue;
    }
    IntegerAttr number;
    Value value = site.inputs[i - site.constraints.numOutputs];
    if (!matchPattern(value, m_Constant(&number))) {
      site.op->emitError("expected an integer constant for the operand ")
          << site.describe(i);
      return {};
    }
    llvm::APInt bits = number.getValue();
    spellings.push_back(llvm::toString(bits, 10, bits.getBitWidth() > 1));
  }
  return spellings;
}

/// The implicit end of the text gives the results; `ret` in the text returns
/// from the function around it.
static void replaceReturns(Region &body) {
  for (Block &block : body) {
    auto ret = dyn_cast<RetOp>(block.getTerminator());
    if (!ret)
      continue;
    if (!ret.getImplicit() || ret.getGuard()) {
      ret.getValuesMutable().clear();
      continue;
    }
    OpBuilder builder(ret);
    YieldOp::create(builder, ret.getLoc(), ret.getValues());
    ret.erase();
  }
}

InlineOp PTXImportInlineAsmPass::import(const AsmSite &site) {
  const AsmConstraints &constraints = site.constraints;
  Operation *op = site.op;
  if (site.inputs.size() + constraints.numOutputs !=
          constraints.operands.size() ||
      site.outputTypes.size() != constraints.numOutputs) {
    op->emitError("the constraints have ")
        << constraints.numOutputs << " outputs and "
        << constraints.operands.size() - constraints.numOutputs
        << " inputs, but the operation has " << site.outputTypes.size()
        << " and " << site.inputs.size();
    return {};
  }
  checkOperandWidths(site);
  SmallVector<std::string> spellings = spellOperands(site);
  if (spellings.size() != constraints.operands.size())
    return {};

  std::optional<AsmTarget> target = findTarget(op);
  AsmTarget head = target.value_or(AsmTarget{"sm_90a", 90});
  AsmText text;
  std::string preamble = ".version " + std::to_string(head.version / 10) + "." +
                         std::to_string(head.version % 10) + "\n.target " +
                         head.arch + "\n.address_size 64\n.func f()\n{\n";
  for (unsigned i = 0; i < constraints.operands.size(); ++i)
    if (constraints.operands[i].kind == AsmConstraint::Output ||
        constraints.operands[i].kind == AsmConstraint::Input)
      preamble +=
          (".reg ." + constraints.getRegisterType(i) + " $" + Twine(i) + ";\n")
              .str();
  text.append(preamble);
  text.append(site.prefix);
  unsigned uid = numSites++;
  auto reportError = [&](size_t offset, const Twine &message) {
    site.report(DiagnosticSeverity::Error, offset) << message;
  };
  if (!text.appendSource(site.text, spellings,
                         site.classes ? &*site.classes : nullptr, uid,
                         reportError))
    return {};
  text.append("\n}\n");

  // Diagnostics have lines and columns; the text knows offsets.
  llvm::MemoryBufferRef buffer(text.getPTX(), "inline asm");
  syntax::LineTable lines(text.getPTX());
  auto reportText = [&](const syntax::Diagnostic &diagnostic) {
    size_t offset = lines.line(diagnostic.line).data() - text.getPTX().data() +
                    diagnostic.column - 1;
    bool isError = diagnostic.severity == syntax::Severity::Error;
    auto out = site.report(isError ? DiagnosticSeverity::Error
                                   : DiagnosticSeverity::Warning,
                           text.getSourceOffset(offset));
    out << diagnostic.message;
    if (!diagnostic.hint.empty())
      out << "; " << diagnostic.hint;
  };
  syntax::ParseOptions options;
  options.anyTarget = !target;
  std::unique_ptr<syntax::Module> tree =
      syntax::parseModule(buffer, lines, reportText, options);
  if (!tree)
    return {};
  if (tree->functions.size() != 1) {
    site.report(DiagnosticSeverity::Error, 0)
        << "expected instructions but got a function";
    return {};
  }

  // The operands become parameters and results in registers.
  syntax::Function &function = tree->functions.front();
  auto bind = [&](unsigned operand, std::vector<syntax::VarDecl> &vars) {
    for (const syntax::RegDecl &decl : function.regs)
      if (decl.name == spellings[operand]) {
        syntax::VarDecl &var = vars.emplace_back();
        var.name = decl.name;
        var.space = syntax::StateSpace::Reg;
        var.type = decl.type;
        var.reg = decl.first;
        return;
      }
  };
  for (auto [i, constraint] : llvm::enumerate(constraints.operands))
    if (constraint.kind == AsmConstraint::Output)
      bind(i, function.results);
    else if (constraint.kind != AsmConstraint::Immediate)
      bind(i, function.params);

  OpBuilder builder(op);
  auto inlined = InlineOp::create(
      builder, op->getLoc(), site.outputTypes, site.inputs, constraints.str(),
      site.sideEffects, builder.getArrayAttr({}), builder.getArrayAttr({}));
  auto getLoc = [&](syntax::SourceOffset offset) {
    return site.getLoc(text.getSourceOffset(offset));
  };
  BodyRegisters registers =
      importFunctionBody(*tree, function, lines, inlined.getBody(), getLoc);
  inlined.setRegsAttr(registers.regs);
  inlined.setBlockRegsAttr(registers.blockRegs);
  replaceReturns(inlined.getBody());
  checkBody(site, inlined);
  return inlined;
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

void PTXImportInlineAsmPass::runOnOperation() {
  SmallVector<Operation *> found;
  getOperation()->walk([&](Operation *op) {
    if (isa<LLVM::InlineAsmOp, NVVM::InlinePtxOp>(op))
      found.push_back(op);
  });
  if (!target.empty() && !parseTargetArch(target)) {
    getOperation()->emitError("expected an architecture in 'target' but got '")
        << target << "'";
    return signalPassFailure();
  }
  numSites = 0;
  bool failed = false;
  for (Operation *op : found) {
    AsmSite site;
    auto llvmAsm = dyn_cast<LLVM::InlineAsmOp>(op);
    bool ok = llvmAsm ? readLLVM(llvmAsm, site)
                      : readNVVM(cast<NVVM::InlinePtxOp>(op), site);
    InlineOp inlined = ok ? import(site) : InlineOp();
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
