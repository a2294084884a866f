//===- FunctionImporter.cpp - Bodies of functions -------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A body is imported in three passes over its statements: cut it into blocks
// and find the edges; make an operation of each statement that is no
// terminator; make the terminators, when it is known what they pass on.
//
//===----------------------------------------------------------------------===//

#include "FunctionImporter.h"
#include "SSABuilder.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/Sequence.h"

#include <map>

using namespace mlir;

namespace ptxbench {

namespace {

/// A run of statements that ends with a terminator, a label or the body.
struct TextBlock {
  unsigned begin = 0, end = 0;
  /// Index of the terminating instruction's statement, if there is one.
  std::optional<unsigned> terminator;
  /// A guarded `brx.idx` is imported as a branch around one without a guard:
  /// this block holds only that one.
  bool isIndexedBranch = false;
};

class BodyImporter {
public:
  BodyImporter(ImportContext &context, const syntax::Function &function,
               Region &region)
      : ctx(context), function(function), region(region),
        builder(context.context) {}

  BodyRegisters run();

private:
  void cutIntoBlocks();
  void findEdges();
  void noteOperands();
  void fillBlock(unsigned block);
  void createInst(unsigned block, const syntax::Statement &statement);
  void createTerminator(unsigned block);

  const syntax::Instruction &getInst(unsigned statement) const {
    return function.insts[function.body[statement].index];
  }
  const syntax::Instruction *getTerminator(unsigned block) const {
    if (!ranges[block].terminator)
      return nullptr;
    return &getInst(*ranges[block].terminator);
  }
  /// Whether a label is kept as text, apart from what it is for branches.
  bool isKeptLabel(uint32_t label) const {
    return !isTarget[label] ||
           ctx.sectionNames.contains(function.labels[label]);
  }
  void setSourceLoc(const syntax::LocDirective &loc);
  Location getLoc(syntax::SourceOffset offset);
  SmallVector<Value> passed(unsigned from, unsigned to) {
    SmallVector<Value> values;
    ssa->getPassedValues(from, to, values);
    return values;
  }
  /// The label operand of a branch.
  unsigned targetOf(const syntax::Instruction &inst) const {
    for (const syntax::OperandNode &node : inst.operands)
      if (node.kind == OperandKind::Label)
        return labelBlocks[node.value];
    llvm_unreachable("the parser checks that a branch has a label");
  }
  const syntax::LabelList &labelListOf(const syntax::Instruction &inst) const {
    for (const syntax::OperandNode &node : inst.operands)
      if (node.kind == OperandKind::Symbol)
        return function.labelLists[listIndices.lookup(node.name)];
    llvm_unreachable("the parser checks that brx.idx has a label list");
  }
  const syntax::OperandNode &indexOf(const syntax::Instruction &inst) const {
    return inst.operands.front();
  }

  ImportContext &ctx;
  const syntax::Function &function;
  Region &region;
  OpBuilder builder;

  std::vector<TextBlock> ranges;
  /// Block of each label.
  std::vector<unsigned> labelBlocks;
  /// By their names.
  llvm::DenseMap<StringRef, unsigned> listIndices;
  /// Which labels branches name.
  llvm::BitVector isTarget;
  SmallVector<Block *> blocks;
  std::vector<SmallVector<unsigned, 2>> successors;
  SmallVector<Type> regTypes;
  /// Of the instruction at hand.
  SmallVector<Value> operands;
  SmallVector<Type> types;
  SmallVector<int32_t> defined;
  std::optional<SSABuilder> ssa;
  /// Guard or index of each block's terminator, results of a `ret`.
  std::vector<Value> conditions;
  std::vector<SmallVector<Value, 1>> returned;
  /// The `.loc` in force.
  std::optional<Location> sourceLoc;
  struct InlinedPlace {
    /// The outermost is the place of a call that is not inlined.
    Location loc, outermost;
    /// Of how many calls `loc` tells.
    unsigned depth;
  };
  /// What file, line and column of each `.loc` before said last, for those that
  /// are inlined there.
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, InlinedPlace> placeLocs;
  /// The place of each block's terminator.
  std::vector<std::optional<Location>> terminatorLocs;
};

} // namespace

/// The registers of a parameter or result in `.reg` space: one, or one for each
/// element of a vector.
static auto getHeaderRegs(const syntax::VarDecl &var) {
  uint32_t first = var.reg.value_or(0);
  uint32_t count = var.reg ? std::max<uint32_t>(1, var.vector) : 0;
  return llvm::seq<uint32_t>(first, first + count);
}

void BodyImporter::setSourceLoc(const syntax::LocDirective &loc) {
  sourceLoc.reset();
  StringAttr file = ctx.files.lookup(loc.file);
  if (!file || !loc.line)
    return;
  Location own = FileLineColLoc::get(file, loc.line, loc.column);
  InlinedPlace place{own, own, 0};
  if (loc.inlined) {
    // Where the call is inlined, too, that is said of its place.
    auto found = placeLocs.find({loc.atFile, loc.atLine, loc.atColumn});
    if (found != placeLocs.end()) {
      const InlinedPlace &at = found->second;
      // Locations are walked recursively: of more calls than that the ones in
      // the middle are left out.
      bool isDeep = at.depth >= 64;
      place.loc = CallSiteLoc::get(own, isDeep ? at.outermost : at.loc);
      place.outermost = at.outermost;
      place.depth = isDeep ? 1 : at.depth + 1;
    }
  }
  sourceLoc = place.loc;
  placeLocs.insert_or_assign({loc.file, loc.line, loc.column}, place);
}

Location BodyImporter::getLoc(syntax::SourceOffset offset) {
  Location loc = ctx.getLoc(offset);
  if (sourceLoc)
    return FusedLoc::get(ctx.context, {loc, *sourceLoc});
  return loc;
}

//===----------------------------------------------------------------------===//
// Blocks and edges
//===----------------------------------------------------------------------===//

void BodyImporter::cutIntoBlocks() {
  labelBlocks.assign(function.labels.size(), 0);
  isTarget.resize(function.labels.size());
  for (auto [i, list] : llvm::enumerate(function.labelLists))
    listIndices.try_emplace(list.name, i);
  TextBlock current;
  auto close = [&](unsigned end) {
    current.end = end;
    ranges.push_back(current);
    current = TextBlock();
    current.begin = end;
  };
  bool hasContent = false;
  for (auto [i, statement] : llvm::enumerate(function.body)) {
    if (statement.kind == syntax::Statement::Label) {
      if (hasContent) {
        close(i);
        hasContent = false;
      }
      // A second label has a block of its own: for ptxas 13.0 it is one, too.
      labelBlocks[statement.index] = ranges.size();
      hasContent = true;
      continue;
    }
    // A list is written again where it is used.
    if (statement.kind == syntax::Statement::LabelList)
      continue;
    hasContent = true;
    if (statement.kind != syntax::Statement::Inst)
      continue;
    const syntax::Instruction &inst = function.insts[statement.index];
    if (!getOpcodeInfo(inst.opcode).isTerminator())
      continue;
    current.terminator = i;
    if (inst.opcode == Opcode::brx_idx && inst.guard >= 0) {
      close(i + 1);
      current.terminator = i;
      current.isIndexedBranch = true;
    }
    close(i + 1);
    hasContent = false;
  }
  // What is left, or an empty block that the last terminator falls into.
  bool fallsOff = ranges.empty() || !getTerminator(ranges.size() - 1) ||
                  getTerminator(ranges.size() - 1)->guard >= 0;
  bool hasLabel = llvm::is_contained(labelBlocks, ranges.size());
  if (hasContent || hasLabel || fallsOff)
    close(function.body.size());
}

void BodyImporter::findEdges() {
  successors.resize(ranges.size());
  for (unsigned block = 0; block < ranges.size(); ++block) {
    const syntax::Instruction *inst = getTerminator(block);
    bool hasNext = block + 1 < ranges.size();
    auto &out = successors[block];
    if (!inst) {
      if (hasNext)
        out.push_back(block + 1);
      continue;
    }
    switch (inst->opcode) {
    case Opcode::bra:
      out.push_back(targetOf(*inst));
      if (inst->guard >= 0)
        out.push_back(block + 1);
      break;
    case Opcode::brx_idx:
      if (!ranges[block].isIndexedBranch && inst->guard >= 0) {
        out.push_back(block + 2);
        out.push_back(block + 1);
        break;
      }
      for (uint32_t label : labelListOf(*inst).labels)
        out.push_back(labelBlocks[label]);
      break;
    case Opcode::trap:
      if (hasNext)
        out.push_back(block + 1);
      break;
    default:
      if (inst->guard >= 0)
        out.push_back(block + 1);
      break;
    }
  }
}

/// Which blocks write which registers, and which labels branches name.
void BodyImporter::noteOperands() {
  for (unsigned block = 0; block < ranges.size(); ++block) {
    for (unsigned i = ranges[block].begin; i < ranges[block].end; ++i) {
      if (function.body[i].kind != syntax::Statement::Inst)
        continue;
      const syntax::Instruction &inst = getInst(i);
      for (const syntax::OperandNode &node : inst.operands)
        if (node.kind == OperandKind::Def || node.kind == OperandKind::DefUse)
          ssa->setWritten(block, node.value);
        else if (node.kind == OperandKind::Label)
          isTarget.set(node.value);
      // A list that no branch uses leads nowhere.
      if (inst.opcode == Opcode::brx_idx)
        for (uint32_t label : labelListOf(inst).labels)
          isTarget.set(label);
    }
  }
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

void BodyImporter::createInst(unsigned block,
                              const syntax::Statement &statement) {
  const syntax::Instruction &inst = function.insts[statement.index];
  operands.clear();
  types.clear();
  defined.clear();
  for (const syntax::OperandNode &node : inst.operands) {
    if (node.kind == OperandKind::Use || node.kind == OperandKind::DefUse)
      operands.push_back(ssa->read(block, node.value));
    if (node.kind == OperandKind::Def || node.kind == OperandKind::DefUse) {
      defined.push_back(node.value);
      types.push_back(regTypes[node.value]);
    }
  }
  if (inst.guard >= 0) {
    operands.push_back(ssa->read(block, inst.guard));
    for (int32_t reg : defined)
      operands.push_back(ssa->read(block, reg));
  }
  Operation *op = Operation::create(
      getLoc(statement.loc), ctx.getOpName(inst.opcode), types, operands,
      NamedAttrList(), OpaqueProperties(nullptr), BlockRange(), 0u);
  // Filled in place: they are large.
  auto &props = *op->getPropertiesStorage().as<ptx::InstProperties *>();
  props.mods.assign(inst.mods.begin(), inst.mods.end());
  props.regs.assign(defined.begin(), defined.end());
  props.form = inst.form;
  props.inlineAsm = statement.inlineAsm;
  props.guarded = inst.guard >= 0;
  props.guardNegated = props.guarded && inst.guardNegated;
  props.operands.reserve(inst.operands.size());
  for (const syntax::OperandNode &node : inst.operands) {
    ptx::OperandNode &out = props.operands.emplace_back();
    out.kind = node.kind;
    out.flags = node.flags;
    out.numChildren = node.numChildren;
    switch (node.kind) {
    case OperandKind::Use:
    case OperandKind::DefUse:
    case OperandKind::Def:
      break;
    case OperandKind::SpecialReg:
      out.name = ctx.builder.getStringAttr(node.name.ltrim('%'));
      break;
    case OperandKind::Symbol:
    case OperandKind::Label:
      out.name = ctx.builder.getStringAttr(node.name);
      out.value = node.value;
      break;
    default:
      out.value = node.value;
      break;
    }
  }
  builder.insert(op);
  for (auto [reg, result] : llvm::zip(defined, op->getResults()))
    ssa->write(block, reg, result);
}

void BodyImporter::fillBlock(unsigned block) {
  const TextBlock &range = ranges[block];
  builder.setInsertionPointToEnd(blocks[block]);
  for (unsigned i = range.begin; i < range.end; ++i) {
    const syntax::Statement &statement = function.body[i];
    switch (statement.kind) {
    case syntax::Statement::Label: {
      if (isKeptLabel(statement.index))
        ptx::VerbatimOp::create(builder, ctx.getLoc(statement.loc),
                                (function.labels[statement.index] + ":").str());
      break;
    }
    case syntax::Statement::Inst:
      if (range.terminator != i)
        createInst(block, statement);
      break;
    case syntax::Statement::Loc: {
      const syntax::LocDirective &loc = function.locs[statement.index];
      SmallVector<int32_t, 6> values{int32_t(loc.file), int32_t(loc.line),
                                     int32_t(loc.column)};
      if (loc.inlined)
        values.append(
            {int32_t(loc.atFile), int32_t(loc.atLine), int32_t(loc.atColumn)});
      StringAttr name;
      if (!loc.functionLabel.empty())
        name = builder.getStringAttr(loc.functionLabel);
      ptx::LocOp::create(builder, ctx.getLoc(statement.loc), values, name,
                         int32_t(loc.functionOffset));
      setSourceLoc(loc);
      break;
    }
    case syntax::Statement::Pragma:
      ptx::PragmaOp::create(builder, ctx.getLoc(statement.loc),
                            function.texts[statement.index]);
      break;
    case syntax::Statement::Verbatim:
      ptx::VerbatimOp::create(builder, ctx.getLoc(statement.loc),
                              function.texts[statement.index]);
      break;
    case syntax::Statement::Var:
      ctx.createVar(builder, function.locals[statement.index]);
      break;
    case syntax::Statement::LabelList:
      // Written again in front of the branch that uses it.
      break;
    }
  }
  const syntax::Instruction *inst = getTerminator(block);
  auto readResults = [&] {
    for (const syntax::VarDecl &result : function.results)
      for (uint32_t reg : getHeaderRegs(result))
        returned[block].push_back(ssa->read(block, reg));
  };
  if (!inst) {
    terminatorLocs[block] = ctx.getLoc(function.endLoc);
    // The end of the text returns.
    if (successors[block].empty())
      readResults();
    return;
  }
  terminatorLocs[block] = getLoc(function.body[*range.terminator].loc);
  if (range.isIndexedBranch ||
      (inst->opcode == Opcode::brx_idx && inst->guard < 0)) {
    const syntax::OperandNode &index = indexOf(*inst);
    conditions[block] = ssa->read(block, index.value);
    return;
  }
  if (inst->guard >= 0)
    conditions[block] = ssa->read(block, inst->guard);
  if (inst->opcode == Opcode::ret)
    readResults();
}

//===----------------------------------------------------------------------===//
// Terminators
//===----------------------------------------------------------------------===//

void BodyImporter::createTerminator(unsigned block) {
  builder.setInsertionPointToEnd(blocks[block]);
  Location loc = *terminatorLocs[block];
  const syntax::Instruction *inst = getTerminator(block);
  const auto &out = successors[block];
  SmallVector<Value> results;
  for (Value value : returned[block])
    results.push_back(ssa->resolve(value));
  if (!inst) {
    if (out.empty())
      ptx::RetOp::create(builder, loc, Value(), results, ValueRange(),
                         /*negated=*/false, /*uniform=*/false,
                         /*implicit=*/true, 0, ArrayRef<Block *>());
    else
      ptx::BrOp::create(builder, loc, passed(block, out[0]), blocks[out[0]]);
    return;
  }
  Value condition;
  if (conditions[block])
    condition = ssa->resolve(conditions[block]);
  int32_t inlineAsm = function.body[*ranges[block].terminator].inlineAsm;
  bool uniform = llvm::is_contained(inst->mods, Mod::uni);
  bool negated = inst->guardNegated;

  if (inst->opcode == Opcode::brx_idx) {
    if (!ranges[block].isIndexedBranch && inst->guard >= 0) {
      // The guard's false side goes around the indexed branch.
      ptx::BraOp::create(builder, loc, condition, passed(block, out[0]),
                         passed(block, out[1]), !negated, false, inlineAsm,
                         blocks[out[0]], ArrayRef<Block *>(blocks[out[1]]));
      return;
    }
    SmallVector<SmallVector<Value>> values;
    SmallVector<Block *> cases;
    for (unsigned to : out) {
      values.push_back(passed(block, to));
      cases.push_back(blocks[to]);
    }
    SmallVector<ValueRange> ranges(values.begin(), values.end());
    ptx::BrxIdxOp::create(builder, loc, condition, ranges,
                          labelListOf(*inst).name, uniform, inlineAsm, cases);
    return;
  }

  SmallVector<Block *, 1> next;
  SmallVector<Value> nextValues;
  bool isBranch = inst->opcode == Opcode::bra;
  if (out.size() > (isBranch ? 1 : 0)) {
    next.push_back(blocks[out.back()]);
    nextValues = passed(block, out.back());
  }
  switch (inst->opcode) {
  case Opcode::bra:
    ptx::BraOp::create(builder, loc, condition, passed(block, out[0]),
                       nextValues, negated, uniform, inlineAsm, blocks[out[0]],
                       next);
    break;
  case Opcode::ret:
    ptx::RetOp::create(builder, loc, condition, results, nextValues, negated,
                       uniform, false, inlineAsm, next);
    break;
  case Opcode::exit:
    ptx::ExitOp::create(builder, loc, condition, ValueRange(), nextValues,
                        negated, uniform, false, inlineAsm, next);
    break;
  case Opcode::trap:
    ptx::TrapOp::create(builder, loc, condition, ValueRange(), nextValues,
                        negated, uniform, false, inlineAsm, next);
    break;
  default:
    llvm_unreachable("every terminator opcode is handled");
  }
}

//===----------------------------------------------------------------------===//
// Driver
//===----------------------------------------------------------------------===//

BodyRegisters BodyImporter::run() {
  SmallVector<Attribute> regs;
  for (const syntax::RegDecl &decl : function.regs) {
    std::string type = stringifyDataType(decl.type);
    regs.push_back(ptx::RegAttr::get(ctx.context, decl.name, type, decl.count,
                                     decl.vector));
    regTypes.append(decl.numRegisters(),
                    ptx::getRegisterType(ctx.context, decl.type));
  }
  cutIntoBlocks();
  findEdges();

  // The entry block of a region has no predecessors; where the text branches
  // back to its first statement, a block of its own stands before it.
  Block *entry = new Block;
  region.push_back(entry);
  bool firstIsTarget = llvm::any_of(
      successors, [](auto &out) { return llvm::is_contained(out, 0u); });
  if (!firstIsTarget)
    blocks.push_back(entry);
  while (blocks.size() < ranges.size()) {
    Block *block = new Block;
    region.push_back(block);
    blocks.push_back(block);
  }
  unsigned entryIndex = 0;
  if (firstIsTarget) {
    entryIndex = blocks.size();
    blocks.push_back(entry);
  }

  Location loc = ctx.getLoc(function.loc);
  auto makeUndef = [&](uint32_t reg) -> Value {
    OpBuilder undef(ctx.context);
    undef.setInsertionPointToStart(entry);
    return ptx::UndefOp::create(undef, loc, regTypes[reg], reg);
  };
  ssa.emplace(blocks, entryIndex, regTypes, loc, makeUndef);
  noteOperands();
  for (auto [from, out] : llvm::enumerate(successors))
    for (unsigned to : out)
      ssa->addEdge(from, to);
  if (firstIsTarget)
    ssa->addEdge(entryIndex, 0);

  SmallVector<int32_t> entryRegs;
  for (const syntax::VarDecl &param : function.params)
    for (uint32_t reg : getHeaderRegs(param)) {
      ssa->setWritten(entryIndex, reg);
      ssa->write(entryIndex, reg, entry->addArgument(regTypes[reg], loc));
      entryRegs.push_back(reg);
    }

  conditions.resize(ranges.size());
  returned.resize(ranges.size());
  terminatorLocs.resize(ranges.size());
  for (unsigned block = 0; block < ranges.size(); ++block)
    fillBlock(block);
  ssa->finish();
  for (unsigned block = 0; block < ranges.size(); ++block)
    createTerminator(block);
  if (firstIsTarget) {
    builder.setInsertionPointToEnd(entry);
    ptx::BrOp::create(builder, loc, passed(entryIndex, 0), blocks[0]);
  }

  DenseMap<Block *, unsigned> indices;
  for (auto [i, block] : llvm::enumerate(blocks))
    indices[block] = i;
  SmallVector<Attribute> blockRegs;
  for (Block &block : region) {
    ArrayRef<int32_t> args = &block == entry
                                 ? ArrayRef<int32_t>(entryRegs)
                                 : ssa->argumentRegs(indices[&block]);
    blockRegs.push_back(ctx.builder.getDenseI32ArrayAttr(args));
  }
  return {ctx.builder.getArrayAttr(regs), ctx.builder.getArrayAttr(blockRegs)};
}

BodyRegisters importBody(ImportContext &context,
                         const syntax::Function &function, Region &region) {
  return BodyImporter(context, function, region).run();
}

} // namespace ptxbench
