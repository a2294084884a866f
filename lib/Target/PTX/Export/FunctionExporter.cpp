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
#include "RegisterAssignment.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"

using namespace mlir;

namespace ptxbench {

void printInt(raw_ostream &os, int64_t value) {
  if (value == INT64_MIN)
    os << "0x8000000000000000";
  else
    os << value;
}

namespace {

class BodyExporter {
public:
  BodyExporter(Region &body, ArrayAttr regs, ArrayAttr blockRegs,
               const HeaderRegs &header, raw_ostream &os)
      : body(body), regTable(regs), header(header), regs(body, regs, blockRegs),
        out(os), os(text) {}

  LogicalResult run();

private:
  using Reg = RegisterAssignment::Reg;
  struct Copy {
    Type type;
    Reg from, to;
  };

  LogicalResult printOp(Operation &op);
  void printInst(ptx::InstOpInterface inst);
  void printTree(ptx::InstOpInterface inst, unsigned &node, unsigned &use,
                 unsigned &def);
  LogicalResult printTerminator(Operation &op, Block *next);
  /// `guard` is what stands before each move: empty, or "@%p ".
  LogicalResult printCopies(ArrayRef<Copy> copies, StringRef guard = "");
  LogicalResult printCopy(Type type, Reg to, Reg from, StringRef guard);
  LogicalResult printReturned(ptx::RetOp ret);
  LogicalResult printParameterCopies();
  void addCopy(SmallVectorImpl<Copy> &copies, Value from, Value to) {
    if (!regs.shareRegister(from, to) && !from.getDefiningOp<ptx::UndefOp>())
      copies.push_back({to.getType(), regs.getReg(from), regs.getReg(to)});
  }
  SmallVector<Copy> getEdgeCopies(Operation &op, unsigned successor);
  std::string getEdgeLabel(Operation &op, unsigned successor);
  void setInlineAsm(uint32_t id);
  /// A label that no text of the body declares.
  std::string takeLabel(const Twine &name) {
    std::string label = name.str();
    while (textLabels.contains(label))
      label += "_";
    return label;
  }
  StringRef getLabel(Block *block) {
    auto [it, isNew] = labels.try_emplace(block);
    if (isNew)
      it->second = takeLabel("$L__BB" + Twine(labels.size() - 1));
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
  DenseMap<Block *, std::string> labels;
  llvm::StringSet<> textLabels;
  llvm::SmallPtrSet<Block *, 16> targets;
  uint32_t inlineAsm = 0;
  unsigned numLists = 0;
  /// Blocks of copies for taken edges, written at the end.
  struct EdgeBlock {
    std::string label;
    SmallVector<Copy> copies;
    Block *target;
  };
  std::vector<EdgeBlock> edgeBlocks;
};

} // namespace

void BodyExporter::setInlineAsm(uint32_t id) {
  if (id == inlineAsm)
    return;
  if (inlineAsm)
    os << "\t// end inline asm\n";
  if (id)
    os << "\t// begin inline asm\n";
  inlineAsm = id;
}

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
LogicalResult BodyExporter::printReturned(ptx::RetOp ret) {
  if (header.results.size() != ret.getValues().size())
    return ret.emitOpError("returns ")
           << ret.getValues().size() << " values but the function has "
           << header.results.size() << " results in registers";
  SmallVector<Copy> copies;
  for (auto [value, reg] : llvm::zip(ret.getValues(), header.results))
    if (regs.getReg(value) != reg && !value.getDefiningOp<ptx::UndefOp>())
      copies.push_back({value.getType(), regs.getReg(value), reg});
  return printCopies(copies, getGuard(ret.getGuard(), ret.getNegated()));
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

void BodyExporter::printTree(ptx::InstOpInterface inst, unsigned &index,
                             unsigned &use, unsigned &def) {
  const ptx::OperandNode &node = inst.getInst().operands[index++];
  auto printChildren = [&](StringRef open, StringRef separator,
                           StringRef close) {
    os << open;
    for (unsigned i = 0; i < node.numChildren; ++i) {
      if (i)
        os << separator;
      printTree(inst, index, use, def);
    }
    os << close;
  };
  switch (node.kind) {
  case OperandKind::Use:
    if (node.flags & OperandFlag_Negated)
      os << "!";
    if (node.flags & OperandFlag_Minus)
      os << "-";
    os << regs.getName(inst->getOperand(use++));
    return;
  case OperandKind::DefUse:
    ++use;
    [[fallthrough]];
  case OperandKind::Def:
    os << regs.getName(inst->getResult(def++));
    return;
  case OperandKind::Int:
    printInt(os, node.value);
    return;
  case OperandKind::F32:
    os << "0f" << llvm::format_hex_no_prefix(uint32_t(node.value), 8, true);
    return;
  case OperandKind::F64:
    os << "0d" << llvm::format_hex_no_prefix(uint64_t(node.value), 16, true);
    return;
  case OperandKind::SpecialReg:
    os << "%" << node.name.getValue();
    return;
  case OperandKind::Symbol:
  case OperandKind::Label:
    os << node.name.getValue();
    if (node.value) {
      os << "+";
      printInt(os, node.value);
    }
    return;
  case OperandKind::Address: {
    int64_t offset = node.value;
    unsigned children = node.numChildren;
    bool isUnified = node.flags & OperandFlag_Unified;
    bool isZero = node.flags & OperandFlag_ZeroOffset;
    os << "[";
    printTree(inst, index, use, def);
    if (offset || isZero) {
      os << "+";
      printInt(os, offset);
    }
    for (unsigned i = 1; i < children; ++i) {
      os << ", ";
      printTree(inst, index, use, def);
    }
    os << "]" << (isUnified ? ".unified" : "");
    return;
  }
  case OperandKind::Vector:
    printChildren("{", ", ", "}");
    return;
  case OperandKind::List:
    printChildren("(", ", ", ")");
    return;
  case OperandKind::Pair:
    printChildren("", "|", "");
    return;
  case OperandKind::Sink:
    os << "_";
    return;
  }
}

void BodyExporter::printInst(ptx::InstOpInterface inst) {
  const ptx::InstProperties &props = inst.getInst();
  os << "\t" << getGuard(inst.getGuard(), inst.isGuardNegated())
     << inst.getInfo().name;
  for (Mod mod : props.mods)
    os << "." << stringifyMod(mod);
  unsigned index = 0, use = 0, def = 0;
  for (bool first = true; index < props.operands.size(); first = false) {
    os << (first ? " " : ", ");
    printTree(inst, index, use, def);
  }
  os << ";\n";
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
    printInst(inst);
    return success();
  }
  if (auto loc = dyn_cast<ptx::LocOp>(op)) {
    ArrayRef<int32_t> values = loc.getValues();
    if (values.size() != 3 && values.size() != 6)
      return op.emitOpError("expected 3 or 6 values but got ") << values.size();
    os << "\t.loc\t" << values[0] << " " << values[1] << " " << values[2];
    if (loc.getFunction()) {
      os << ", function_name " << *loc.getFunction();
      if (loc.getOffset())
        os << "+" << loc.getOffset();
    }
    if (values.size() == 6)
      os << ", inlined_at " << values[3] << " " << values[4] << " "
         << values[5];
    os << "\n";
    return success();
  }
  if (auto pragma = dyn_cast<ptx::PragmaOp>(op)) {
    os << "\t.pragma \"" << pragma.getText() << "\";\n";
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
    std::string list = takeLabel("$L__list" + Twine(numLists++));
    os << list << ": .branchtargets ";
    for (unsigned i = 0; i < brx.getCases().size(); ++i)
      os << (i ? ", " : "") << getEdgeLabel(op, i);
    os << ";\n\tbrx.idx" << (brx.getUniform() ? ".uni " : " ")
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
    if (failed(printReturned(ret)))
      return failure();
    return printEnd(ret, "ret");
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
  for (Block &block : body)
    for (auto verbatim : block.getOps<ptx::VerbatimOp>())
      textLabels.insert(verbatim.getText().split(':').first.rtrim());
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
    if (targets.count(&block))
      os << getLabel(&block) << ":\n";
    for (Operation &op : block.without_terminator())
      if (failed(printOp(op)))
        return failure();
    if (failed(printTerminator(*block.getTerminator(), next)))
      return failure();
  }
  setInlineAsm(0);
  for (size_t i = 0; i < edgeBlocks.size(); ++i) {
    EdgeBlock edge = edgeBlocks[i];
    os << edge.label << ":\n";
    if (failed(printCopies(edge.copies)))
      return failure();
    os << "\tbra " << getLabel(edge.target) << ";\n";
  }

  out << "{\n";
  int64_t first = 0;
  for (auto reg : regTable.getAsRange<ptx::RegAttr>()) {
    bool inHeader = llvm::is_contained(header.params, first) ||
                    llvm::is_contained(header.results, first);
    first += reg.getNumRegisters();
    if (inHeader)
      continue;
    out << "\t.reg ";
    if (reg.getVec())
      out << ".v" << reg.getVec() << " ";
    out << "." << reg.getType() << " " << reg.getName();
    if (reg.getCount())
      out << "<" << reg.getCount() << ">";
    out << ";\n";
  }
  for (const RegisterAssignment::FreshDecl &decl : regs.freshDecls())
    out << "\t.reg ." << decl.type << " " << decl.prefix << "<" << decl.count
        << ">;\n";
  out << text << "}\n";
  return success();
}

LogicalResult exportBody(Region &body, ArrayAttr regs, ArrayAttr blockRegs,
                         const HeaderRegs &header, raw_ostream &os) {
  return BodyExporter(body, regs, blockRegs, header, os).run();
}

} // namespace ptxbench
