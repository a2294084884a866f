//===- ImportSite.cpp - One place with inline assembly --------------------===//
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
#include "mlir/IR/Matchers.h"
#include "ptxbench/Target/PTX/Import.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace ptxbench::ptx;

namespace ptxbench {

//===----------------------------------------------------------------------===//
// Sites
//===----------------------------------------------------------------------===//

InFlightDiagnostic AsmSite::report(DiagnosticSeverity severity,
                                   size_t offset) const {
  auto [line, column] = getLines().getLineAndColumn(offset);
  InFlightDiagnostic diagnostic = severity == DiagnosticSeverity::Error
                                      ? emitError(op->getLoc())
                                      : emitWarning(op->getLoc());
  if (!isGenerated)
    diagnostic << "in inline asm, line " << line << " column " << column
               << ": ";
  return diagnostic;
}

Location AsmSite::getLoc(size_t offset) const {
  if (isGenerated)
    return op->getLoc();
  auto [line, column] = getLines().getLineAndColumn(offset);
  return NameLoc::get(
      StringAttr::get(op->getContext(), "inline asm, line " + Twine(line) +
                                            " column " + Twine(column)),
      op->getLoc());
}

char getConstraintLetter(Type type) {
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

std::optional<AsmTarget> findAsmTarget(Operation *op) {
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
    // LLVM writes 64 bits at most, and true as -1.
    llvm::APInt bits = number.getValue();
    if (bits.getBitWidth() > 64)
      bits = bits.trunc(64);
    spellings.push_back(llvm::toString(bits, 10, /*Signed=*/true));
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

InlineOp importSite(const AsmSite &site, std::optional<AsmTarget> target,
                    unsigned uid) {
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
  if (!site.isGenerated)
    checkOperandWidths(site);
  SmallVector<std::string> spellings = spellOperands(site);
  if (spellings.size() != constraints.operands.size())
    return {};

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
  auto reportError = [&](size_t offset, const Twine &message) {
    site.report(DiagnosticSeverity::Error, offset) << message;
  };
  if (!text.appendSource(site.text, spellings,
                         site.classes ? &*site.classes : nullptr, uid,
                         reportError))
    return {};
  text.append("\n");

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
    std::string message = text.restoreNames(diagnostic.message);
    out << message;
    // A name that is like one that the text does not have is no help.
    if (!diagnostic.hint.empty() && message == diagnostic.message)
      out << "; " << diagnostic.hint;
  };
  syntax::ParseOptions options;
  options.anyTarget = !target;
  options.openBody = true;
  std::unique_ptr<syntax::Module> tree =
      syntax::parseModule(buffer, lines, reportText, options);
  if (!tree)
    return {};

  syntax::Function &function = tree->functions.front();
  bool usesRegisters = llvm::any_of(constraints.operands, [](const auto &one) {
    return one.kind != AsmConstraint::Immediate;
  });
  for (const syntax::RegDecl &decl : function.regs) {
    StringRef prefix = decl.name.rtrim("0123456789");
    if (!usesRegisters || site.isGenerated || !isLLVMPrefix(prefix) ||
        (!decl.count && prefix.size() == decl.name.size()))
      continue;
    site.report(DiagnosticSeverity::Warning, text.getSourceOffset(decl.loc))
        << "LLVM may give the register of an operand the name '" << decl.name
        << (decl.count ? "<" + std::to_string(decl.count) + ">" : std::string())
        << "', which this declaration hides";
  }

  // The operands become parameters and results in registers.
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
  if (!site.isGenerated)
    checkBody(site, inlined);
  return inlined;
}

} // namespace ptxbench
