//===- FunctionExporter.cpp - Bodies of functions as text -----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks are written in their order. Copies that an edge needs stand before an
// unconditional branch, behind a guarded one for its false side, and in a block
// of their own at the end of the function for its taken side.
//
//===----------------------------------------------------------------------===//

#include "FunctionExporter.h"
#include "ptxbench/Dialect/PTX/Transforms/RegisterAssignment.h"
#include "ptxbench/Target/PTX/Text.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSet.h"

#include <map>

using namespace mlir;

namespace ptxbench {

namespace {

class BodyExporter {
public:
  BodyExporter(Region &body, ArrayAttr regs, ArrayAttr blockRegs,
               const HeaderRegs &header, raw_ostream &os)
      : body(body), regTable(regs), header(header), regs(body, regs, blockRegs),
        out(os), os(text) {}

  LogicalResult run();
  /// By their offsets in `os`.
  std::vector<ExportedPlace> takePlaces() { return std::move(places); }

private:
  using Reg = RegisterAssignment::Reg;
  struct Copy {
    Type type;
    Reg from, to;
  };

  LogicalResult printOp(Operation &op);
  LogicalResult printInst(ptx::InstOpInterface inst);
  LogicalResult nameVectors(ptx::InstOpInterface inst);
  LogicalResult printTerminator(Operation &op, Block *next);
  /// `guard` is what stands before each move: empty, or "@%p ".
  LogicalResult printCopies(ArrayRef<Copy> copies, StringRef guard = "");
  LogicalResult printCopy(Type type, Reg to, Reg from, StringRef guard);
  LogicalResult printReturned(Operation *op, ValueRange values,
                              StringRef guard);
  LogicalResult printParameterCopies();
  void addCopy(SmallVectorImpl<Copy> &copies, Value from, Value to) {
    if (!regs.shareRegister(from, to) && !from.getDefiningOp<ptx::UndefOp>())
      copies.push_back({to.getType(), regs.getReg(from), regs.getReg(to)});
  }
  SmallVector<Copy> getEdgeCopies(Operation &op, unsigned successor);
  std::string getEdgeLabel(Operation &op, unsigned successor);
  std::string takeList(StringRef name, const std::vector<std::string> &labels);
  void setInlineAsm(uint32_t id) {
    text::printInlineAsmMarkers(os, inlineAsm, id);
    inlineAsm = id;
  }
  /// A label that no text of the body declares.
  std::string takeLabel(const Twine &name) {
    std::string label = name.str();
    while (textLabels.contains(label))
      label += "_";
    return label;
  }
  /// The label that the text of a block begins with; empty if there is none.
  /// Debug data names it, so branches had better go there too.
  static StringRef getTextLabel(Block &block) {
    auto verbatim = dyn_cast<ptx::VerbatimOp>(block.front());
    if (!verbatim || !verbatim.getText().ends_with(":"))
      return "";
    return verbatim.getText().drop_back();
  }
  StringRef getLabel(Block *block) {
    auto [it, isNew] = labels.try_emplace(block);
    if (isNew) {
      it->second = getTextLabel(*block).str();
      if (it->second.empty())
        it->second = takeLabel("$L__BB" + Twine(labels.size() - 1));
    }
    return it->second;
  }
  std::string getGuard(Value guard, bool negated) {
    if (!guard)
      return "";
    return ((negated ? "@!" : "@") + regs.getName(guard) + " ").str();
  }

  Region &body;
  ArrayAttr regTable;
  const HeaderRegs &header;
  RegisterAssignment regs;
  raw_ostream &out;
  /// The statements; the declarations are known only when they are written.
  std::string text;
  llvm::raw_string_ostream os;
  std::vector<ExportedPlace> places;
  DenseMap<Block *, std::string> labels;
  llvm::StringSet<> textLabels;
  llvm::SmallPtrSet<Block *, 16> targets;
  uint32_t inlineAsm = 0;
  /// The lists written, by their name in the module and their labels.
  std::map<std::pair<std::string, std::vector<std::string>>, std::string> lists;
  llvm::SmallVector<text::Operand, 16> operands;
  /// Blocks of copies for taken edges, written at the end.
  struct EdgeBlock {
    std::string label;
    SmallVector<Copy> copies;
    Block *target;
  };
  std::vector<EdgeBlock> edgeBlocks;
  /// Of the end of inline assembly, if something branches there.
  std::string endLabel;
};

} // namespace

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

LogicalResult BodyExporter::printCopy(Type type, Reg to, Reg from,
                                      StringRef guard) {
  StringRef regType = getFreshRegisterType(type);
  if (regType.empty())
    return body.getParentOp()->emitOpError("needs a copy of type ")
           << type << ", which no move instruction has";
  // There is no move of 8 bits.
  if (regType == "b8")
    os << "\t" << guard << "cvt.u8.u8 ";
  else
    os << "\t" << guard << "mov." << regType << " ";
  os << regs.getName(to) << ", " << regs.getName(from) << ";\n";
  return success();
}

LogicalResult BodyExporter::printCopies(ArrayRef<Copy> copies,
                                        StringRef guard) {
  // All sources are read before any target is written. The copies whose
  // target is another's source go through a register of their own.
  llvm::SmallDenseSet<Reg, 16> sources;
  for (const Copy &copy : copies)
    sources.insert(copy.from);
  SmallVector<Copy> second;
  for (const Copy &copy : copies) {
    if (!sources.contains(copy.to))
      continue;
    Reg temporary = regs.takeFresh(copy.type);
    if (failed(printCopy(copy.type, temporary, copy.from, guard)))
      return failure();
    second.push_back({copy.type, temporary, copy.to});
  }
  for (const Copy &copy : copies)
    if (!sources.contains(copy.to) &&
        failed(printCopy(copy.type, copy.to, copy.from, guard)))
      return failure();
  for (const Copy &copy : second)
    if (failed(printCopy(copy.type, copy.to, copy.from, guard)))
      return failure();
  return success();
}

SmallVector<BodyExporter::Copy>
BodyExporter::getEdgeCopies(Operation &op, unsigned successor) {
  SmallVector<Copy> copies;
  auto branch = cast<BranchOpInterface>(op);
  SuccessorOperands operands = branch.getSuccessorOperands(successor);
  Block *target = op.getSuccessor(successor);
  for (auto [passed, arg] :
       llvm::zip(operands.getForwardedOperands(), target->getArguments()))
    addCopy(copies, passed, arg);
  return copies;
}

std::string BodyExporter::getEdgeLabel(Operation &op, unsigned successor) {
  SmallVector<Copy> copies = getEdgeCopies(op, successor);
  Block *target = op.getSuccessor(successor);
  if (copies.empty())
    return getLabel(target).str();
  std::string label = takeLabel("$L__edge" + Twine(edgeBlocks.size()));
  edgeBlocks.push_back({label, std::move(copies), target});
  return label;
}

/// Results in `.reg` space stand in their registers when the function returns.
/// Under a guard, only those threads that return have them copied.
LogicalResult BodyExporter::printReturned(Operation *op, ValueRange values,
                                          StringRef guard) {
  if (header.results.size() != values.size())
    return op->emitOpError("returns ")
           << values.size() << " values but the function has "
           << header.results.size() << " results in registers";
  SmallVector<Copy> copies;
  for (auto [value, reg] : llvm::zip(values, header.results))
    if (regs.getReg(value) != reg && !value.getDefiningOp<ptx::UndefOp>())
      copies.push_back({value.getType(), regs.getReg(value), reg});
  return printCopies(copies, guard);
}

/// Parameters in `.reg` space that a transformation has moved elsewhere.
LogicalResult BodyExporter::printParameterCopies() {
  Block &entry = body.front();
  if (header.params.size() != entry.getNumArguments())
    return body.getParentOp()->emitOpError("has ")
           << header.params.size()
           << " parameters in registers but its entry block has "
           << entry.getNumArguments() << " arguments";
  SmallVector<Copy> copies;
  for (auto [reg, arg] : llvm::zip(header.params, entry.getArguments()))
    if (regs.getReg(arg) != reg)
      copies.push_back({arg.getType(), reg, regs.getReg(arg)});
  return printCopies(copies);
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// Calls pass vector registers as a whole, so the elements have to be in the
/// register that they came from.
LogicalResult BodyExporter::nameVectors(ptx::InstOpInterface inst) {
  for (auto [index, vector] : llvm::enumerate(operands)) {
    if (vector.kind != OperandKind::Vector)
      continue;
    StringRef name = regs.getName(operands[index + 1].value);
    vector.name = name.split('.').first;
    for (unsigned i = 0; i < vector.numChildren; ++i) {
      StringRef element = regs.getName(operands[index + 1 + i].value);
      if (element != (vector.name + "." + StringRef("xyzw").substr(i, 1)).str())
        return inst->emitOpError("passes a vector register as a whole, but '")
               << element << "' has taken the place of an element";
    }
  }
  return success();
}

LogicalResult BodyExporter::printInst(ptx::InstOpInterface inst) {
  const ptx::InstProperties &props = inst.getInst();
  os << "\t" << getGuard(inst.getGuard(), inst.isGuardNegated());
  text::printMnemonic(os, inst.getInfo().opcode, props.mods);
  operands.clear();
  unsigned use = 0, def = 0;
  for (const ptx::OperandNode &node : props.operands) {
    text::Operand &operand = operands.emplace_back();
    operand.kind = node.kind;
    operand.flags = node.flags;
    operand.numChildren = node.numChildren;
    operand.value = node.value;
    if (node.name)
      operand.name = node.name.getValue();
    if (node.definesValue())
      operand.value = regs.getReg(inst->getResult(def++));
    else if (node.readsValue())
      operand.value = regs.getReg(inst->getOperand(use));
    use += node.readsValue();
  }
  if (inst.getInfo().opcode == Opcode::call && failed(nameVectors(inst)))
    return failure();
  text::printOperands(os, operands, [&](Reg reg) { os << regs.getName(reg); });
  os << ";\n";
  return success();
}

LogicalResult BodyExporter::printOp(Operation &op) {
  if (isa<ptx::UndefOp>(op))
    return success();
  if (auto inst = dyn_cast<ptx::InstOpInterface>(op)) {
    const ptx::InstProperties &props = inst.getInst();
    setInlineAsm(props.inlineAsm);
    // What is read and written through one operand, or kept when the guard is
    // false, stands in the result's register beforehand.
    SmallVector<Copy> copies;
    if (props.guarded || llvm::any_of(props.operands, [](auto &node) {
          return node.kind == OperandKind::DefUse;
        }))
      for (auto [from, to] : getTiedValues(inst))
        addCopy(copies, from, to);
    if (failed(printCopies(copies)))
      return failure();
    return printInst(inst);
  }
  if (auto loc = dyn_cast<ptx::LocOp>(op)) {
    ArrayRef<int32_t> values = loc.getValues();
    if (values.size() != 3 && values.size() != 6)
      return op.emitOpError("expected 3 or 6 values but got ") << values.size();
    syntax::LocDirective directive;
    directive.file = values[0];
    directive.line = values[1];
    directive.column = values[2];
    directive.inlined = values.size() == 6;
    if (directive.inlined) {
      directive.functionLabel = loc.getFunction().value_or("");
      directive.functionOffset = loc.getOffset();
      directive.atFile = values[3];
      directive.atLine = values[4];
      directive.atColumn = values[5];
    }
    text::printLoc(os, directive);
    return success();
  }
  if (auto pragma = dyn_cast<ptx::PragmaOp>(op)) {
    text::printPragma(os, pragma.getText());
    return success();
  }
  if (auto verbatim = dyn_cast<ptx::VerbatimOp>(op)) {
    os << verbatim.getText() << "\n";
    return success();
  }
  if (auto var = dyn_cast<ptx::VarOp>(op)) {
    os << "\t";
    printVar(os, var.getDecl(), var.getLinkage(), var.getInitAttr());
    os << ";\n";
    return success();
  }
  return op.emitOpError("has no PTX form");
}

//===----------------------------------------------------------------------===//
// Terminators
//===----------------------------------------------------------------------===//

/// The name of a list of these labels, which is written if it has not been.
/// Branches that had one list in the text have it again.
std::string BodyExporter::takeList(StringRef name,
                                   const std::vector<std::string> &labels) {
  auto [it, isNew] = lists.try_emplace({name.str(), labels});
  if (!isNew)
    return it->second;
  std::string list = takeLabel(name.empty() ? "$L__list" : name);
  textLabels.insert(list);
  it->second = list;
  text::printLabelList(os, list,
                       SmallVector<StringRef>(labels.begin(), labels.end()));
  return list;
}

LogicalResult BodyExporter::printTerminator(Operation &op, Block *next) {
  uint32_t asmId = 0;
  if (auto attr = op.getAttrOfType<IntegerAttr>("inline_asm"))
    asmId = attr.getInt();
  if (!isa<ptx::BrOp>(op))
    setInlineAsm(asmId);

  // Control goes on to `block` behind what has been written.
  auto continueTo = [&](unsigned successor) -> LogicalResult {
    if (failed(printCopies(getEdgeCopies(op, successor))))
      return failure();
    if (op.getSuccessor(successor) != next)
      os << "\tbra " << getLabel(op.getSuccessor(successor)) << ";\n";
    return success();
  };

  if (isa<ptx::BrOp>(op))
    return continueTo(0);
  if (auto bra = dyn_cast<ptx::BraOp>(op)) {
    StringRef mnemonic = bra.getUniform() ? "bra.uni " : "bra ";
    if (!bra.getGuard()) {
      if (failed(printCopies(getEdgeCopies(op, 0))))
        return failure();
      os << "\t" << mnemonic << getLabel(bra.getDest()) << ";\n";
      return success();
    }
    std::string label = getEdgeLabel(op, 0);
    os << "\t" << getGuard(bra.getGuard(), bra.getNegated()) << mnemonic
       << label << ";\n";
    return continueTo(1);
  }
  if (auto brx = dyn_cast<ptx::BrxIdxOp>(op)) {
    std::vector<std::string> labels;
    for (unsigned i = 0; i < brx.getCases().size(); ++i)
      labels.push_back(getEdgeLabel(op, i));
    std::string list = takeList(brx.getList(), labels);
    os << "\tbrx.idx" << (brx.getUniform() ? ".uni " : " ")
       << regs.getName(brx.getIndex()) << ", " << list << ";\n";
    return success();
  }
  auto printEnd = [&](auto end, StringRef mnemonic) -> LogicalResult {
    if (end.getImplicit() && !next && !end.getGuard() && edgeBlocks.empty())
      return success();
    os << "\t" << getGuard(end.getGuard(), end.getNegated()) << mnemonic
       << (end.getUniform() ? ".uni" : "") << ";\n";
    return end.getNext().empty() ? success() : continueTo(0);
  };
  if (auto ret = dyn_cast<ptx::RetOp>(op)) {
    // Inside of inline assembly it returns from a function with none.
    if (!isa<ptx::InlineOp>(body.getParentOp()) &&
        failed(printReturned(ret, ret.getValues(),
                             getGuard(ret.getGuard(), ret.getNegated()))))
      return failure();
    return printEnd(ret, "ret");
  }
  if (auto yield = dyn_cast<ptx::YieldOp>(op)) {
    if (failed(printReturned(yield, yield.getValues(), "")))
      return failure();
    if (!next && edgeBlocks.empty())
      return success();
    if (endLabel.empty())
      endLabel = takeLabel("$L__end");
    os << "\tbra " << endLabel << ";\n";
    return success();
  }
  if (auto exit = dyn_cast<ptx::ExitOp>(op))
    return printEnd(exit, "exit");
  if (auto trap = dyn_cast<ptx::TrapOp>(op))
    return printEnd(trap, "trap");
  return op.emitOpError("has no PTX form");
}

//===----------------------------------------------------------------------===//
// Driver
//===----------------------------------------------------------------------===//

LogicalResult BodyExporter::run() {
  for (Block &block : body) {
    for (auto verbatim : block.getOps<ptx::VerbatimOp>())
      textLabels.insert(verbatim.getText().split(':').first.rtrim());
    for (auto var : block.getOps<ptx::VarOp>())
      textLabels.insert(var.getDecl().getName());
  }
  for (Block &block : body) {
    Operation *terminator = block.getTerminator();
    for (auto [i, successor] : llvm::enumerate(terminator->getSuccessors())) {
      bool fallsThrough = block.getNextNode() == successor;
      auto iface = dyn_cast<ptx::TerminatorOpInterface>(terminator);
      bool written =
          iface && iface.isTakenSuccessor(i) && !isa<ptx::BrOp>(terminator);
      if (written || !fallsThrough)
        targets.insert(successor);
    }
  }
  if (failed(printParameterCopies()))
    return failure();
  for (Block &block : body) {
    Block *next = block.getNextNode();
    if (targets.count(&block) && getTextLabel(block).empty())
      os << getLabel(&block) << ":\n";
    for (Operation &op : block) {
      places.push_back({os.tell(), op.getLoc()});
      if (failed(&op == block.getTerminator() ? printTerminator(op, next)
                                              : printOp(op)))
        return failure();
    }
  }
  setInlineAsm(0);
  for (size_t i = 0; i < edgeBlocks.size(); ++i) {
    EdgeBlock edge = edgeBlocks[i];
    os << edge.label << ":\n";
    if (failed(printCopies(edge.copies)))
      return failure();
    os << "\tbra " << getLabel(edge.target) << ";\n";
  }
  if (!endLabel.empty())
    os << endLabel << ":\n";

  out << "\n{\n";
  int64_t first = 0;
  for (auto reg : regTable.getAsRange<ptx::RegAttr>()) {
    bool inHeader = llvm::is_contained(header.params, first) ||
                    llvm::is_contained(header.results, first);
    first += reg.getNumRegisters();
    if (inHeader)
      continue;
    text::printRegisters(out, reg.getType(), reg.getVec(), reg.getName(),
                         reg.getCount());
  }
  for (const RegisterAssignment::FreshDecl &decl : regs.freshDecls())
    text::printRegisters(out, decl.type, 0, decl.prefix, decl.count);
  for (ExportedPlace &place : places)
    place.offset += out.tell();
  out << text << "}\n";
  return success();
}

LogicalResult exportBody(Region &body, ArrayAttr regs, ArrayAttr blockRegs,
                         const HeaderRegs &header, raw_ostream &os,
                         std::vector<ExportedPlace> *places) {
  BodyExporter exporter(body, regs, blockRegs, header, os);
  if (failed(exporter.run()))
    return failure();
  if (places)
    llvm::append_range(*places, exporter.takePlaces());
  return success();
}

} // namespace ptxbench
