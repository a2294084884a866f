//===- Program.cpp - One entry and what it may call, prepared -------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the order of the sections below: functions that calls can reach, their
// blocks, decoded instructions, value numbers. Taint.cpp follows values that
// nobody wrote.
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include "Slice.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SCCIterator.h"

using namespace mlir;
using namespace ptxbench::ptx;

namespace ptxbench::reachability {

bool isConstantSpecialReg(StringRef name) {
  return name.starts_with("tid.") || name.starts_with("ntid.") ||
         name == "laneid" || name.starts_with("lanemask_") ||
         name.starts_with("ctaid.") || name.starts_with("nctaid.") ||
         name.starts_with("clusterid.") || name.starts_with("nclusterid.") ||
         name.starts_with("cluster_");
}

Program::Program(Operation *entry) : entry(entry) {
  if (auto op = dyn_cast<EntryOp>(entry))
    for (auto [i, param] :
         llvm::enumerate(op.getParams().getAsRange<VarAttr>()))
      paramIndex[param.getName()] = i;
  numbers.emplace_back();
  Value none;
  none.tainted = true;
  values.push_back(none);
  collectFunctions();
  for (unsigned f = 0; f < functions.size(); ++f)
    collectBlocks(f);
  for (unsigned f = 0; f < functions.size(); ++f)
    orderBlocks(f);
  SmallVector<Block *> all;
  for (unsigned b : order)
    all.push_back(blocks[b].block);
  deciding = findDecidingValues(all);
  for (auto [b, info] : llvm::enumerate(blocks))
    for (BlockArgument arg : info.block->getArguments())
      if (deciding.contains(arg)) {
        info.args.push_back(addValue(arg, b));
        info.argNumbers.push_back(arg.getArgNumber());
      }
  for (unsigned b : order)
    collectInsts(b);
  findTaint();
  numberValues();
  findDependents();
  findLastUses();
  findBelow();
  evaluated.resize(values.size());
  llvm::sort(thresholds);
  thresholds.erase(llvm::unique(thresholds), thresholds.end());
  if (thresholds.size() > 24)
    thresholds.truncate(24);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

void Program::addFunction(Operation *op) {
  if (!functionIds.try_emplace(op, functions.size()).second)
    return;
  Function function;
  function.op = op;
  function.name = SymbolTable::getSymbolName(op).getValue();
  functions.push_back(function);
}

void Program::collectFunctions() {
  addFunction(entry);
  Operation *module = entry->getParentOp();
  if (!module)
    return;
  // `.alias a, b;` is kept as text: a call of `a` is a call of `b`.
  llvm::SmallVector<StringRef> parts;
  for (Operation &op : module->getRegion(0).front()) {
    if (auto verbatim = dyn_cast<VerbatimOp>(op)) {
      StringRef text = verbatim.getText().trim();
      if (!text.consume_front(".alias"))
        continue;
      auto [name, target] = text.trim("; \t\n").split(',');
      aliases[name.trim()] = target.trim();
    } else if (auto symbol = SymbolTable::getSymbolName(&op)) {
      symbols[symbol.getValue()] = &op;
    }
  }
  auto bodies =
      llvm::make_filter_range(module->getRegion(0).front(), [](Operation &op) {
        return isDeviceFunction(&op);
      });
  if (bodies.empty())
    return;
  // Addresses taken by initialisers and by instructions anywhere.
  llvm::DenseSet<StringRef> taken;
  module->walk([&](Operation *op) {
    if (auto var = dyn_cast<VarOp>(op)) {
      if (auto init = dyn_cast_or_null<ArrayAttr>(var.getInitAttr()))
        for (auto element : init.getAsRange<InitAttr>())
          if (element.getSymbol())
            taken.insert(element.getSymbol().getValue());
      return;
    }
    auto inst = dyn_cast<InstOpInterface>(op);
    if (!inst)
      return;
    if (inst.getInfo().flags & IF_Call) {
      // The callee itself is a root.
      for (const OperandTree &tree : getOperandTrees(inst.getInst()))
        for (const OperandNode &node : tree.nodes.drop_front())
          if (node.kind == OperandKind::Symbol && node.name)
            taken.insert(node.name.getValue());
      return;
    }
    for (const OperandNode &node : inst.getInst().operands)
      if (node.kind == OperandKind::Symbol && node.name)
        taken.insert(node.name.getValue());
  });
  // Every function of the module may turn out to be called: by an indirect
  // call or from another module. Only live calls reach them.
  for (Operation &op : bodies) {
    addFunction(&op);
    Function &function = functions.back();
    auto func = dyn_cast<FuncOp>(op);
    bool aliased = llvm::any_of(aliases, [&](const auto &alias) {
      return alias.second == function.name;
    });
    // Who takes the address of a function of another dialect is not known.
    function.exposed = !func || !func.getLinkage().empty() || aliased ||
                       taken.contains(function.name);
  }
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

unsigned Program::addValue(mlir::Value value, unsigned block) {
  unsigned id = values.size();
  Value info;
  info.value = value;
  info.block = block;
  info.width = getRangeWidth(value.getType());
  values.push_back(info);
  valueIds[value] = id;
  return id;
}

void Program::collectBlocks(unsigned function) {
  Function &info = functions[function];
  info.firstBlock = blocks.size();
  for (Block &block : getBody(function)) {
    blockIds[&block] = blocks.size();
    BlockInfo b;
    b.block = &block;
    b.function = function;
    blocks.push_back(b);
  }
  info.numBlocks = blocks.size() - info.firstBlock;
}

void Program::orderBlocks(unsigned function) {
  Function &info = functions[function];
  if (info.numBlocks == 0)
    return;
  for (unsigned b = info.firstBlock; b < info.firstBlock + info.numBlocks;
       ++b) {
    if (blocks[b].block->empty())
      continue;
    for (Block *succ : blocks[b].block->back().getSuccessors()) {
      unsigned s = blockIds.lookup(succ);
      blocks[b].successors.push_back(s);
      if (!llvm::is_contained(blocks[s].predecessors, b))
        blocks[s].predecessors.push_back(b);
    }
  }
  llvm::ReversePostOrderTraversal<Block *> rpo(blocks[info.firstBlock].block);
  for (Block *block : rpo) {
    unsigned b = blockIds.lookup(block);
    blocks[b].connected = true;
    order.push_back(b);
  }
  unsigned component = 0;
  Region *region = blocks[info.firstBlock].block->getParent();
  for (auto scc = llvm::scc_begin(region); !scc.isAtEnd(); ++scc) {
    for (Block *block : *scc) {
      BlockInfo &b = blocks[blockIds.lookup(block)];
      b.inCycle = scc.hasCycle();
      b.component = component;
    }
    ++component;
  }
}

unsigned Program::getPassedValue(unsigned block, unsigned index,
                                 unsigned arg) const {
  auto branch = dyn_cast<BranchOpInterface>(getTerminator(block));
  if (!branch)
    return 0;
  SuccessorOperands operands = branch.getSuccessorOperands(index);
  unsigned number = blocks[blocks[block].successors[index]].argNumbers[arg];
  if (number >= operands.size())
    return 0;
  mlir::Value value = operands[number];
  return value ? getValue(value) : 0;
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

unsigned Program::specialRegister(StringRef name, unsigned width) {
  auto [it, isNew] =
      specialRegs.try_emplace({name.str(), width}, values.size());
  if (!isNew)
    return it->second;
  Value info;
  info.width = width;
  info.specialReg = it->first.first;
  if (isConstantSpecialReg(name)) {
    info.number = newNumber(false, false);
    numbers[info.number].threadConstant = true;
  } else {
    info.tainted = true; // Any two reads may differ.
  }
  specialValues.push_back(values.size());
  values.push_back(info);
  return values.size() - 1;
}

void Program::decodeCall(Inst &inst) {
  auto iface = cast<InstOpInterface>(inst.op);
  inst.role = InstRole::Call;
  inst.callee = CalleeKind::Unknown;
  // The callee stands behind the list of results.
  StringRef name;
  for (const OperandTree &tree : getOperandTrees(iface.getInst())) {
    if (tree.root().kind == OperandKind::List)
      continue;
    if (tree.root().kind == OperandKind::Symbol)
      name = tree.root().name.getValue();
    break;
  }
  resolveCallee(inst, name);
}

void Program::resolveCallee(Inst &inst, StringRef name) {
  if (name.empty())
    return;
  for (unsigned i = 0; i < 8 && aliases.count(name); ++i)
    name = aliases[name];
  Operation *callee = symbols.lookup(name);
  auto it = functionIds.find(callee);
  if (callee && it != functionIds.end() && callee != entry) {
    inst.callee = CalleeKind::Known;
    inst.index = it->second;
    return;
  }
  // Their contracts are in the CUDA ABI: none ends the calling thread.
  if (name == "vprintf" || name == "malloc" || name == "free" ||
      name == "__assertfail")
    inst.callee = CalleeKind::System;
}

void Program::decodeRole(Inst &inst) {
  auto iface = cast<InstOpInterface>(inst.op);
  InstProperties &props = iface.getInst();
  if (iface.getInfo().flags & IF_Call)
    return decodeCall(inst);
  SmallVector<OperandTree, 6> trees = getOperandTrees(props);
  auto constantOf = [&](unsigned tree) -> std::optional<uint64_t> {
    if (tree >= trees.size())
      return std::nullopt;
    const OperandNode &node = trees[tree].root();
    if (node.kind == OperandKind::Int)
      return uint64_t(node.value);
    if (node.kind != OperandKind::Use)
      return std::nullopt;
    // nvcc puts immediates into registers at times.
    auto def = inst.op->getOperand(trees[tree].firstUse)
                   .getDefiningOp<InstOpInterface>();
    if (!def || def.getOpcode() != Opcode::mov || def.getInst().guarded)
      return std::nullopt;
    SmallVector<OperandTree, 6> from = getOperandTrees(def.getInst());
    if (from.size() != 2 || from[1].root().kind != OperandKind::Int)
      return std::nullopt;
    return uint64_t(from[1].root().value);
  };
  auto isFullMask = [&](unsigned tree) {
    std::optional<uint64_t> mask = constantOf(tree);
    return mask && (*mask & 0xffffffff) == 0xffffffff;
  };
  // The mask is the last operand of instructions that have one.
  inst.fullMask = !trees.empty() && isFullMask(trees.size() - 1);
  switch (iface.getOpcode()) {
  case Opcode::elect_sync:
    if (!props.guarded && trees.size() == 2 && isFullMask(1))
      inst.role = InstRole::Elect;
    return;
  case Opcode::shfl_sync: {
    // d|p, a, lane, clamp, mask
    if (props.guarded || trees.size() != 5 || !isFullMask(4) ||
        !iface.hasModifier(Mod::idx))
      return;
    std::optional<uint64_t> lane = constantOf(2), clamp = constantOf(3);
    if (!lane || *lane > 31 || clamp != std::optional<uint64_t>(31) ||
        trees[1].root().kind != OperandKind::Use)
      return;
    inst.role = InstRole::Shuffle;
    inst.lane = *lane;
    Source source;
    source.value = getValue(inst.op->getOperand(trees[1].firstUse));
    source.how.width = 32;
    inst.sources = {source};
    return;
  }
  case Opcode::ld: {
    if (!iface.hasModifier(Mod::param) && !iface.hasModifier(Mod::param__entry))
      return;
    if (blocks[inst.block].function != 0 || trees.size() < 2 ||
        trees[1].root().kind != OperandKind::Address ||
        trees[1].nodes.size() != 2 ||
        trees[1].nodes[1].kind != OperandKind::Symbol)
      return;
    const OperandNode &symbol = trees[1].nodes[1];
    auto param = paramIndex.find(symbol.name.getValue());
    std::optional<DataType> type;
    for (Mod mod : props.mods)
      if (std::optional<DataType> t = getModType(mod))
        type = t;
    int64_t offset = trees[1].root().value + symbol.value;
    if (param == paramIndex.end() || !type || type->width < 8 || offset < 0)
      return;
    inst.role = InstRole::LoadParam;
    uint8_t element = 0;
    for (const OperandNode &node : trees[0].nodes) {
      if (node.definesValue())
        inst.elements.push_back(element);
      element += node.kind != OperandKind::Vector;
    }
    inst.index = param->second;
    inst.offset = offset;
    inst.elementBytes = type->width / 8;
    inst.isSigned = type->kind == TypeKind::Signed;
    return;
  }
  default:
    return;
  }
}

/// The role of an operation of another dialect.
void Program::decodeModel(Inst &inst, const OpModel &model) {
  inst.fullMask = model.isAligned;
  switch (model.role) {
  case OpModel::Plain:
  case OpModel::Undefined:
    return;
  case OpModel::Elect:
    inst.role = InstRole::Elect;
    return;
  case OpModel::Shuffle: {
    if (model.range.sources.empty() ||
        model.range.sources[0].kind != RangeSource::Operand)
      return;
    inst.role = InstRole::Shuffle;
    inst.lane = model.lane;
    Source source;
    source.how = model.range.sources[0];
    source.value = getValue(inst.op->getOperand(source.how.operand));
    inst.sources = {source};
    return;
  }
  case OpModel::Call:
    inst.role = InstRole::Call;
    inst.callee = CalleeKind::Unknown;
    resolveCallee(inst, model.callee);
    return;
  }
}

void Program::decode(Inst &inst, Operation *op, bool decides) {
  AnyInst any(op);
  inst.op = op;
  inst.family = any.getFamily();
  if (decides)
    inst.range = any.decodeRange();
  for (const RangeSource &how : inst.range.sources) {
    Source source;
    source.how = how;
    switch (how.kind) {
    case RangeSource::Operand:
      source.value = getValue(op->getOperand(how.operand));
      break;
    case RangeSource::Constant:
      source.constant =
          readSource(how, Ranges::constant(APInt(64, how.constant)));
      break;
    case RangeSource::SpecialReg:
      source.value = specialRegister(how.specialReg, how.width);
      break;
    case RangeSource::Unknown:
      source.constant = Ranges::maxRange(how.width);
      break;
    }
    inst.sources.push_back(source);
  }
  InstOpInterface iface = any.getPTX();
  if (mlir::Value guard = any.getGuard())
    inst.guard = getValue(guard);
  if (iface && iface.getInst().guarded) {
    inst.guardNegated = iface.isGuardNegated();
    if (decides)
      for (mlir::Value old : iface.getPassthrough())
        inst.passthrough.push_back(getValue(old));
  }
  if (decides)
    for (OpResult result : op->getResults()) {
      unsigned id = getValue(result);
      inst.results.push_back(id ? id : kNone);
    }
  if (iface)
    decodeRole(inst);
  else
    decodeModel(inst, *any.getModel());
  // Without the guard, results that no pass-through names are anything.
  if (inst.guard != kNone && inst.passthrough.empty())
    inst.range.kind = RangeKind::Unknown;
  if (inst.range.kind == RangeKind::Setp || inst.range.kind == RangeKind::Set)
    for (const RangeSource &how : inst.range.sources)
      if (how.kind == RangeSource::Constant)
        for (uint64_t c : {how.constant - 1, how.constant, how.constant + 1})
          thresholds.push_back(
              how.width < 64 ? c & ((uint64_t(1) << how.width) - 1) : c);
}

void Program::collectInsts(unsigned block) {
  for (Operation &op : *blocks[block].block) {
    if (auto term = dyn_cast<TerminatorOpInterface>(op)) {
      if (mlir::Value guard = term.getGuardPredicate()) {
        blocks[block].guard = getValue(guard);
        blocks[block].guardNegated = term.isGuardNegated();
      }
      if (auto brx = dyn_cast<BrxIdxOp>(op))
        blocks[block].index = getValue(brx.getIndex());
      continue;
    }
    bool decides = false;
    for (OpResult result : op.getResults())
      if (deciding.contains(result)) {
        values[addValue(result, block)].result = result.getResultNumber();
        decides = true;
      }
    AnyInst any(&op);
    if (any.isNone() || (!decides && !any.isAlwaysKept()) || isUndefined(&op))
      continue;
    Inst inst;
    inst.block = block;
    decode(inst, &op, decides);
    for (unsigned id : inst.results)
      if (id != kNone)
        values[id].def = insts.size();
    blocks[block].insts.push_back(insts.size());
    blocks[block].hasCall |= inst.role == InstRole::Call;
    insts.push_back(std::move(inst));
  }
}

//===----------------------------------------------------------------------===//
// Value numbers
//===----------------------------------------------------------------------===//

unsigned Program::newNumber(bool leaf, bool inCycle) {
  unsigned number = numbers.size();
  numbers.emplace_back();
  if (leaf && inCycle)
    numbers.back().leaves.push_back(number);
  return number;
}

bool Program::addIdentity(const Inst &inst, std::vector<uint64_t> &key,
                          Number &derived) const {
  auto iface = dyn_cast<InstOpInterface>(inst.op);
  if (!iface) {
    // Attributes are unique, those that are properties among them.
    key = {~uint64_t(0),
           reinterpret_cast<uintptr_t>(inst.op->getName().getAsOpaquePointer()),
           reinterpret_cast<uintptr_t>(
               inst.op->getPropertiesAsAttribute().getAsOpaquePointer())};
    return llvm::none_of(inst.range.sources, [](const RangeSource &source) {
      return source.kind == RangeSource::SpecialReg &&
             !isConstantSpecialReg(source.specialReg);
    });
  }
  InstProperties &props = iface.getInst();
  key = {uint64_t(iface.getOpcode()), props.mods.size(), props.guarded,
         props.guardNegated};
  for (Mod mod : props.mods)
    key.push_back(uint64_t(mod));
  bool isExpression = true;
  for (const OperandNode &node : props.operands) {
    key.push_back(uint64_t(node.kind));
    key.push_back(node.flags);
    key.push_back(node.numChildren);
    key.push_back(node.value);
    key.push_back(reinterpret_cast<uintptr_t>(node.name.getAsOpaquePointer()));
    if (node.kind == OperandKind::SpecialReg &&
        !isConstantSpecialReg(node.name.getValue()))
      isExpression = false;
    if (node.kind == OperandKind::Symbol)
      derived.threadConstant = false;
  }
  return isExpression;
}

void Program::numberInst(Inst &inst) {
  bool inCycle = blocks[inst.block].inCycle;
  bool isGuarded = inst.guard != kNone;
  bool expression = AnyInst(inst.op).isExpression() ||
                    (inst.role == InstRole::LoadParam && !isGuarded);
  std::vector<uint64_t> key;
  Number derived;
  derived.threadConstant = true;
  auto depend = [&](unsigned number) {
    const Number &n = numbers[number];
    derived.anyLeaf |= n.anyLeaf;
    derived.threadConstant &= n.threadConstant;
    for (unsigned leaf : n.leaves)
      if (!llvm::is_contained(derived.leaves, leaf))
        derived.leaves.push_back(leaf);
    if (derived.leaves.size() > 8)
      derived.anyLeaf = true;
  };
  if (expression) {
    expression = addIdentity(inst, key, derived);
    if (inst.role == InstRole::LoadParam)
      derived.threadConstant = true;
    for (mlir::Value operand : inst.op->getOperands()) {
      unsigned id = getValue(operand);
      // What is no integer of up to 64 bits has no number.
      if (!id || values[id].tainted || values[id].width == 0) {
        expression = false;
        break;
      }
      key.push_back(values[id].number);
      depend(values[id].number);
    }
  }
  // A copy is what it copies.
  bool isCopy =
      expression && inst.range.kind == RangeKind::Copy && !isGuarded &&
      inst.sources.size() == 1 && inst.results.size() == 1 &&
      inst.results[0] != kNone && inst.sources[0].value != kNone &&
      !values[inst.sources[0].value].tainted &&
      values[inst.sources[0].value].width == values[inst.results[0]].width;
  for (auto [i, id] : llvm::enumerate(inst.results)) {
    if (id == kNone)
      continue;
    if (isCopy) {
      values[id].number = values[inst.sources[0].value].number;
      continue;
    }
    if (!expression) {
      values[id].number = newNumber(true, inCycle);
      continue;
    }
    key.push_back(i);
    key.push_back(values[id].width);
    auto [it, isNew] = expressions.try_emplace(key, 0);
    if (isNew) {
      it->second = newNumber(false, false);
      numbers[it->second] = derived;
    }
    values[id].number = it->second;
    key.resize(key.size() - 2);
  }
}

void Program::findDependents() {
  for (auto [i, number] : llvm::enumerate(numbers)) {
    if (number.anyLeaf)
      anyDependents.push_back(i);
    else
      for (unsigned leaf : number.leaves)
        dependents[leaf].push_back(i);
  }
  for (auto &entry : dependents) {
    size_t own = entry.second.size();
    llvm::append_range(entry.second, anyDependents);
    std::inplace_merge(entry.second.begin(), entry.second.begin() + own,
                       entry.second.end());
  }
}

void Program::numberValues() {
  for (unsigned b : order) {
    for (unsigned arg : blocks[b].args)
      values[arg].number = newNumber(true, blocks[b].inCycle);
    for (unsigned i : blocks[b].insts)
      numberInst(insts[i]);
    for (Operation &op : *blocks[b].block)
      if (isUndefined(&op))
        for (OpResult result : op.getResults())
          if (unsigned id = getValue(result))
            values[id].number = newNumber(true, blocks[b].inCycle);
  }
}

/// To evaluate a value is to evaluate what it is computed from, so a use of a
/// result is one of the operands, too. What is used in a cycle is used until
/// the last block of it.
void Program::findLastUses() {
  rank.assign(blocks.size(), 0);
  for (auto [i, block] : llvm::enumerate(order))
    rank[block] = i;
  lastUse.assign(numbers.size(), kNone);
  // Who calls what, and with which facts, is not followed.
  if (llvm::any_of(insts, [](const Inst &inst) {
        return inst.role == InstRole::Call && inst.callee != CalleeKind::System;
      }))
    return;
  std::map<std::pair<unsigned, unsigned>, unsigned> ends;
  for (unsigned b : order) {
    unsigned &end = ends[{blocks[b].function, blocks[b].component}];
    end = std::max(end, rank[b]);
  }
  std::vector<unsigned> last(values.size(), 0);
  auto use = [&](unsigned value, unsigned until) {
    if (value != kNone)
      last[value] = std::max(last[value], until);
  };
  for (unsigned b : llvm::reverse(order)) {
    const BlockInfo &block = blocks[b];
    unsigned end = ends[{block.function, block.component}];
    use(block.guard, end);
    use(block.index, end);
    for (auto [i, succ] : llvm::enumerate(block.successors))
      for (unsigned arg = 0; arg < blocks[succ].args.size(); ++arg)
        use(getPassedValue(b, i, arg), end);
    for (unsigned i : llvm::reverse(block.insts)) {
      const Inst &inst = insts[i];
      unsigned until = end;
      for (unsigned id : inst.results)
        if (id != kNone)
          until = std::max(until, last[id]);
      for (const Source &source : inst.sources)
        use(source.value, until);
      for (unsigned old : inst.passthrough)
        use(old, until);
      use(inst.guard, until);
    }
  }
  std::fill(lastUse.begin(), lastUse.end(), 0);
  for (auto [value, until] : llvm::zip(values, last))
    lastUse[value.number] = std::max(lastUse[value.number], until);
  // What special registers hold is asked for at any target.
  for (unsigned id : specialValues)
    lastUse[values[id].number] = kNone;
}

bool Program::addBelow(unsigned value, unsigned depth,
                       SmallVectorImpl<unsigned> &below,
                       unsigned &steps) const {
  if (depth == 0 || !isEvaluable(value))
    return true;
  const Inst &inst = insts[values[value].def];
  auto add = [&](unsigned id, unsigned left) {
    if (++steps > 40)
      return false;
    // No fact is kept about the others.
    if (values[id].width != 0 && !values[id].tainted &&
        !llvm::is_contained(below, id))
      below.push_back(id);
    return below.size() <= 12 && addBelow(id, left, below, steps);
  };
  for (const Source &source : inst.sources)
    if (source.value != kNone && !add(source.value, depth - 1))
      return false;
  return inst.guard == kNone ||
         (add(inst.guard, kEvaluationDepth) &&
          add(inst.passthrough[values[value].result], depth - 1));
}

void Program::findBelow() {
  SmallVector<unsigned, 16> below;
  for (unsigned id = 0; id < values.size(); ++id) {
    below.clear();
    unsigned steps = 0;
    if (!addBelow(id, kEvaluationDepth, below, steps)) {
      values[id].numBelow = kNone;
      continue;
    }
    values[id].firstBelow = valuesBelow.size();
    values[id].numBelow = below.size();
    llvm::append_range(valuesBelow, below);
  }
}

} // namespace ptxbench::reachability
