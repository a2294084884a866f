//===- FunctionDecoder.cpp - The body of one function ---------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every value has the row of its register (RegisterAssignment), so that an
// imported function runs with the registers of its text; what a transformation
// has moved apart is copied on edges and before instructions.
//
//===----------------------------------------------------------------------===//

#include "FunctionDecoder.h"
#include "../Checks/UndefinedStep.h"
#include "../Ops/Control.h"
#include "../Ops/InstDesc.h"
#include "../Ops/SystemCalls.h"
#include "../Ops/Wgmma.h"
#include "ptxbench/Dialect/PTX/Transforms/RegisterAssignment.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>

using namespace llvm;
using namespace mlir;
using namespace ptxbench;
using namespace ptxbench::emulator;

Slot DecodeContext::getConstant(unsigned bits, uint64_t value) {
  if (bits < 64)
    value &= maskTrailingOnes<uint64_t>(bits);
  auto [it, isNew] = constants.insert({{bits, value}, noSlot});
  if (!isNew)
    return it->second;
  std::vector<char> &rows = program->constants;
  size_t offset = alignTo(rows.size(), 64);
  rows.resize(offset + std::max<size_t>(64, rowBytes(bits)));
  char *place = rows.data() + offset;
  if (bits == 1)
    std::memset(place, value ? 0xff : 0, sizeof(LaneMask));
  else
    for (unsigned lane = 0; lane < warpSize; ++lane)
      std::memcpy(place + lane * (bits / 8), &value, std::min(bits / 8, 8u));
  return it->second = makeSlot(SlotBase::Constant, offset);
}

/// The special registers that are rows, by their name without `%`; clocks are
/// read by an instruction of their own first.
static std::optional<SpecialRow> findSpecialRow(StringRef name) {
  static const StringMap<SpecialRow> rows = [] {
    StringMap<SpecialRow> map;
    auto add3 = [&](StringRef stem, SpecialRow first) {
      static constexpr const char *parts[] = {".x", ".y", ".z"};
      for (unsigned i = 0; i < 3; ++i)
        map[(stem + parts[i]).str()] = SpecialRow(unsigned(first) + i);
      map[(stem + ".w").str()] = SpecialRow::Zero;
    };
    add3("tid", SpecialRow::TidX);
    add3("ntid", SpecialRow::NtidX);
    add3("ctaid", SpecialRow::CtaidX);
    add3("nctaid", SpecialRow::NctaidX);
    add3("clusterid", SpecialRow::ClusteridX);
    add3("nclusterid", SpecialRow::NclusteridX);
    add3("cluster_ctaid", SpecialRow::ClusterCtaidX);
    add3("cluster_nctaid", SpecialRow::ClusterNctaidX);
    map["cluster_ctarank"] = SpecialRow::ClusterCtarank;
    map["cluster_nctarank"] = SpecialRow::ClusterNctarank;
    map["laneid"] = SpecialRow::Laneid;
    map["warpid"] = SpecialRow::Warpid;
    map["nwarpid"] = SpecialRow::Nwarpid;
    map["smid"] = SpecialRow::Smid;
    map["nsmid"] = SpecialRow::Nsmid;
    map["lanemask_eq"] = SpecialRow::LanemaskEq;
    map["lanemask_le"] = SpecialRow::LanemaskLe;
    map["lanemask_lt"] = SpecialRow::LanemaskLt;
    map["lanemask_ge"] = SpecialRow::LanemaskGe;
    map["lanemask_gt"] = SpecialRow::LanemaskGt;
    map["dynamic_smem_size"] = SpecialRow::DynamicSmemSize;
    map["total_smem_size"] = SpecialRow::TotalSmemSize;
    map["aggr_smem_size"] = SpecialRow::AggrSmemSize;
    map["envreg1"] = SpecialRow::Envreg1;
    map["envreg2"] = SpecialRow::Envreg2;
    map["gridid"] = SpecialRow::Gridid;
    map["clock"] = SpecialRow::Clock;
    map["clock_hi"] = SpecialRow::ClockHi;
    map["clock64"] = SpecialRow::Clock64;
    map["globaltimer"] = SpecialRow::Globaltimer;
    map["globaltimer_lo"] = SpecialRow::GlobaltimerLo;
    map["globaltimer_hi"] = SpecialRow::GlobaltimerHi;
    return map;
  }();
  auto it = rows.find(name);
  if (it == rows.end())
    return std::nullopt;
  return it->second;
}

/// PTX ISA "%reserved_smem_offset_begin" and the others. The system's own code
/// has 288 bytes at the last of them.
static std::optional<uint32_t> reservedOffset(StringRef name) {
  if (!name.consume_front("reserved_smem_offset_"))
    return std::nullopt;
  if (name == "begin" || name == "0")
    return 0;
  if (name == "end" || name == "cap")
    return reservedSharedBytes;
  if (name == "1")
    return reservedSharedBytes / 2;
  return std::nullopt;
}

static bool isClock(SpecialRow row) {
  return (row >= SpecialRow::Clock && row <= SpecialRow::GlobaltimerHi) ||
         row >= SpecialRow::Clock64;
}

static std::pair<unsigned, unsigned> lineAndColumn(Location loc) {
  std::pair<unsigned, unsigned> place{0, 0};
  loc->walk([&](Location part) {
    auto file = dyn_cast<FileLineColLoc>(part);
    if (!file)
      return WalkResult::advance();
    // The first is the place in the PTX text, a second that of its source.
    place = {file.getLine(), file.getColumn()};
    return WalkResult::interrupt();
  });
  return place;
}

namespace {

class FunctionDecoder {
public:
  FunctionDecoder(DecodeContext &context, Operation *op, Region &body,
                  ArrayAttr regs, ArrayAttr blockRegs, ArrayAttr params,
                  ArrayAttr results, unsigned index)
      : context(context), program(*context.program), body(body), op(op),
        params(params), results(results), function(program.functions[index]),
        registers(body, regs, blockRegs) {}

  Error run() {
    function.name = SymbolTable::getSymbolName(op).str();
    function.codeBegin = program.code.size();
    placeVariables();
    placeSignature();
    body.walk([&](ptx::InstOpInterface inst) {
      if (inst.getOpcode() == Opcode::wgmma_mma_async)
        wgmmaRegisters.add(describe(inst));
    });
    for (auto it = body.begin(); it != body.end(); ++it) {
      Block &block = *it;
      blockBegins[&block] = program.code.size();
      for (Operation &inst : block) {
        if (inst.hasTrait<OpTrait::IsTerminator>()) {
          decodeTerminator(inst, std::next(it) == body.end() ? nullptr
                                                             : &*std::next(it));
          continue;
        }
        if (auto withShape = dyn_cast<ptx::InstOpInterface>(inst))
          decodeInst(withShape);
      }
    }
    decodeStubs();
    for (auto [inst, block] : branches)
      program.code[inst].target = blockBegins[block];
    for (auto &[targets, blocks] : tables)
      for (Block *block : blocks)
        targets->targets.push_back(blockBegins[block]);
    for (auto &[index, step] : steps)
      attach(std::move(step), program.code[index], program.extras);
    function.codeEnd = program.code.size();
    function.frameBytes = nextRow;
    return std::move(failure);
  }

private:
  //===--------------------------------------------------------------------===//
  // Rows and variables
  //===--------------------------------------------------------------------===//

  Slot takeRow(unsigned bits) {
    nextRow = alignTo(nextRow, std::min(64u, rowBytes(bits)));
    Slot slot = makeSlot(SlotBase::Frame, nextRow);
    nextRow += rowBytes(bits);
    return slot;
  }

  static unsigned bitsOf(Value value) {
    return value.getType().getIntOrFloatBitWidth();
  }

  Slot getRow(Value value) {
    auto [it, isNew] =
        rows.insert({{registers.getReg(value), bitsOf(value)}, noSlot});
    if (isNew)
      it->second = takeRow(bitsOf(value));
    return it->second;
  }

  void placeVariables() {
    body.walk([&](ptx::VarOp var) {
      ptx::VarAttr decl = var.getDecl();
      if (decl.getSpace() == "shared")
        shared[decl.getName()] = context.localShared.lookup(var);
      else if (decl.getSpace() == "local" || decl.getSpace() == "param")
        placeLocal(decl);
    });
  }

  uint32_t placeLocal(ptx::VarAttr decl) {
    function.localBytes = alignTo(function.localBytes, alignmentOf(decl));
    uint32_t offset = function.localBytes;
    locals[decl.getName()] = {offset, uint32_t(decl.getSizeInBytes())};
    function.localBytes += decl.getSizeInBytes();
    // Frames begin aligned.
    function.localBytes = alignTo(function.localBytes, 16);
    return offset;
  }

  /// Parameters and results of a function; those of an entry are constants.
  void placeSignature() {
    if (isa<ptx::EntryOp>(op))
      return;
    unsigned argument = 0;
    auto place = [&](ptx::VarAttr decl) {
      ParamPlace result;
      if (decl.getSpace() != "reg") {
        result.localOffset = placeLocal(decl);
        result.bytes = decl.getSizeInBytes();
      }
      return result;
    };
    for (auto decl : params.getAsRange<ptx::VarAttr>()) {
      ParamPlace param = place(decl);
      if (decl.getSpace() == "reg") {
        Value value = body.front().getArgument(argument++);
        param.slot = getRow(value);
        param.bits = bitsOf(value);
      }
      function.params.push_back(param);
    }
    for (auto decl : results.getAsRange<ptx::VarAttr>()) {
      ParamPlace result = place(decl);
      if (decl.getSpace() == "reg") {
        // Rows of their own, which `ret` fills.
        std::optional<Mod> mod = symbolizeMod(decl.getType());
        std::optional<DataType> type = mod ? getModType(*mod) : std::nullopt;
        result.bits = type ? type->width : 32;
        result.slot = takeRow(result.bits);
      }
      function.results.push_back(result);
    }
  }

  Slot getAddressRow(AddressRow::Space space, uint32_t offset, unsigned bits) {
    auto [it, isNew] = addressRows.insert({{space, offset, bits}, noSlot});
    if (isNew) {
      it->second = takeRow(bits);
      function.addresses.push_back({space, uint8_t(bits), it->second, offset});
    }
    return it->second;
  }

  //===--------------------------------------------------------------------===//
  // Instructions
  //===--------------------------------------------------------------------===//

  /// Appends an instruction; `text`: the operation of which it is the
  /// instruction of the text.
  Inst &emit(Operation *text = nullptr, StringRef name = "") {
    Inst &inst = program.code.emplace_back();
    if (!text)
      return inst;
    inst.source = program.sources.size();
    SourceInst source;
    std::tie(source.line, source.column) = lineAndColumn(text->getLoc());
    source.name = name;
    program.sources.push_back(source);
    return inst;
  }

  void guard(Inst &inst, Value predicate, bool negated) {
    if (!predicate)
      return;
    inst.guard = getRow(predicate);
    inst.guardNegated = negated;
  }

  void emitCopy(unsigned bits, Slot from, Slot to) {
    Inst check;
    if (wgmmaRegisters.selectCheck(from, to, check, program.extras))
      emit() = check;
    Inst &inst = emit();
    inst.ops[0] = to;
    inst.ops[1] = from;
    inst.handler = getCopyHandler(bits);
    if (context.checks)
      selectUndefinedCopy(bits, from, to, emit());
  }

  /// Copies that happen at once: all are read before any is written.
  struct Copy {
    unsigned bits;
    Slot from, to;
  };
  void emitCopies(ArrayRef<Copy> copies) {
    if (copies.size() == 1)
      return emitCopy(copies[0].bits, copies[0].from, copies[0].to);
    SmallVector<Slot> temporaries;
    for (const Copy &copy : copies) {
      temporaries.push_back(takeRow(copy.bits));
      emitCopy(copy.bits, copy.from, temporaries.back());
    }
    for (auto [copy, temporary] : zip(copies, temporaries))
      emitCopy(copy.bits, temporary, copy.to);
  }

  OperandDesc describeSymbol(StringRef name, int64_t offset, unsigned bits) {
    OperandDesc desc;
    desc.bits = bits;
    auto constant = [&](uint64_t value) {
      desc.kind = OperandDesc::Constant;
      desc.value = value + offset;
      desc.slot = context.getConstant(bits, desc.value);
      return desc;
    };
    auto address = [&](AddressRow::Space space, uint32_t at) {
      desc.kind = OperandDesc::Register;
      desc.symbol = space == AddressRow::Local ? OperandDesc::LocalSymbol
                                               : OperandDesc::SharedSymbol;
      desc.bits = bits == 32 ? 32 : 64;
      desc.slot = getAddressRow(space, at + offset, desc.bits);
      return desc;
    };
    if (auto it = locals.find(name); it != locals.end())
      return address(AddressRow::Local, it->second.first);
    if (auto it = shared.find(name); it != shared.end())
      return address(AddressRow::Shared, it->second);
    if (isa<ptx::EntryOp>(op))
      if (auto it = context.entryParams.find(name);
          it != context.entryParams.end())
        return constant(it->second);
    if (auto it = context.shared.find(name); it != context.shared.end())
      return address(AddressRow::Shared, it->second);
    if (auto it = context.image->variables.find(name);
        it != context.image->variables.end())
      return constant(it->second.address);
    if (auto it = context.image->functionNumbers.find(name);
        it != context.image->functionNumbers.end())
      return constant(it->second);
    // Left as Other: whoever needs it refuses the instruction.
    return desc;
  }

  /// Describes the tree at `next`, and moves on.
  OperandDesc describe(ptx::InstOpInterface inst,
                       ArrayRef<ptx::OperandNode> nodes, unsigned &next,
                       unsigned &use, unsigned &def,
                       std::optional<DataType> type, bool isAddress = false) {
    const ptx::OperandNode &node = nodes[next++];
    OperandDesc desc;
    if (type)
      desc.type = *type;
    desc.negated = node.isNegated();
    desc.minus = node.flags & OperandFlag_Minus;
    unsigned width = isAddress ? 64 : type ? type->width : 32;
    auto constant = [&](uint64_t value) {
      desc.kind = OperandDesc::Constant;
      desc.bits = width == 1 ? 1 : std::max(8u, width);
      desc.value = value;
      desc.slot = context.getConstant(desc.bits, value);
    };
    switch (node.kind) {
    case OperandKind::Use:
    case OperandKind::Def:
    case OperandKind::DefUse: {
      Value value = node.definesValue() ? Value(inst->getResult(def))
                                        : inst->getOperand(use);
      use += node.readsValue();
      def += node.definesValue();
      desc.kind = OperandDesc::Register;
      desc.slot = getRow(value);
      desc.bits = bitsOf(value);
      desc.isDef = node.definesValue();
      break;
    }
    case OperandKind::Int:
      constant(node.value);
      break;
    case OperandKind::F32:
      constant(width == 64 ? bit_cast<uint64_t>(
                                 double(bit_cast<float>(uint32_t(node.value))))
                           : uint64_t(node.value));
      break;
    case OperandKind::F64:
      constant(width == 32 ? bit_cast<uint32_t>(
                                 float(bit_cast<double>(uint64_t(node.value))))
                           : uint64_t(node.value));
      break;
    case OperandKind::SpecialReg: {
      StringRef name = node.name.getValue();
      if (name == "is_explicit_cluster") {
        desc.kind = OperandDesc::Register;
        desc.bits = 1;
        desc.slot = makeSlot(SlotBase::Special, explicitClusterOffset);
        break;
      }
      if (std::optional<uint32_t> offset = reservedOffset(name)) {
        program.usesReservedShared = true;
        constant(*offset);
        break;
      }
      std::optional<SpecialRow> row = findSpecialRow(name);
      // PTX ISA "%envreg": the driver's. It sets those of rows only.
      if (!row && name.starts_with("envreg")) {
        constant(0);
        break;
      }
      if (!row)
        break;
      desc.kind = OperandDesc::Register;
      desc.bits = *row >= SpecialRow::First64 ? 64 : 32;
      desc.slot = makeSlot(SlotBase::Special, specialRowOffset(*row));
      if (isClock(*row))
        clocks.push_back(*row);
      break;
    }
    case OperandKind::Symbol: {
      OperandDesc symbol = describeSymbol(node.name.getValue(), node.value,
                                          isAddress ? 64 : width);
      symbol.type = desc.type;
      desc = symbol;
      break;
    }
    case OperandKind::Address:
      desc.kind = OperandDesc::Address;
      desc.offset = node.value;
      for (unsigned i = 0; i < node.numChildren; ++i)
        desc.children.push_back(describe(inst, nodes, next, use, def,
                                         i ? DataType{TypeKind::Signed, 32}
                                           : DataType{TypeKind::Bits, 64},
                                         i == 0));
      break;
    case OperandKind::Vector:
    case OperandKind::Pair:
    case OperandKind::Selected:
    case OperandKind::List:
      desc.kind = node.kind == OperandKind::Vector     ? OperandDesc::Vector
                  : node.kind == OperandKind::Pair     ? OperandDesc::Pair
                  : node.kind == OperandKind::Selected ? OperandDesc::Selected
                                                       : OperandDesc::Other;
      desc.value = node.value;
      for (unsigned i = 0; i < node.numChildren; ++i) {
        bool isPredicate = node.kind == OperandKind::Pair && i == 1;
        desc.children.push_back(describe(
            inst, nodes, next, use, def,
            isPredicate ? DataType{TypeKind::Predicate, 1} : type, isAddress));
      }
      break;
    case OperandKind::Sink:
      desc.kind = OperandDesc::Sink;
      break;
    case OperandKind::Label:
      break;
    }
    return desc;
  }

  InstDesc describe(ptx::InstOpInterface inst) {
    ptx::InstProperties &properties = inst.getInst();
    InstDesc desc;
    desc.opcode = inst.getOpcode();
    desc.mods = properties.mods;
    desc.form = &inst.getInfo().forms[properties.form];
    desc.line = lineAndColumn(inst->getLoc()).first;
    matchModifiers(*desc.form, desc.mods, desc.match);
    unsigned count = ptx::getOperandTrees(properties).size();
    auto patterns = ptx::getPresentOperands(*desc.form, desc.match, count);
    unsigned next = 0, use = 0, def = 0;
    for (unsigned i = 0; i < count; ++i) {
      const OperandPattern *pattern =
          patterns && i < patterns->size() ? (*patterns)[i] : nullptr;
      std::optional<DataType> type;
      if (pattern)
        type = getOperandType(*pattern, desc.match, desc.mods);
      desc.operands.push_back(
          describe(inst, properties.operands, next, use, def, type));
      desc.operands.back().pattern = pattern;
    }
    return desc;
  }

  void decodeInst(ptx::InstOpInterface inst) {
    clocks.clear();
    InstDesc desc = describe(inst);
    for (SpecialRow clock : clocks) {
      Inst &read = emit();
      read.handler = getClockHandler();
      read.flags[0] = uint8_t(clock);
    }
    SmallVector<Copy> copies;
    for (auto [from, to] : getTiedValues(inst))
      if (getRow(from) != getRow(to))
        copies.push_back({bitsOf(to), getRow(from), getRow(to)});
    emitCopies(copies);

    Inst check;
    if (desc.opcode != Opcode::wgmma_mma_async &&
        wgmmaRegisters.selectCheck(desc, check, program.extras)) {
      guard(check, inst.getGuard(), inst.isGuardNegated());
      emit() = check;
    }
    unsigned index = program.code.size();
    emit(inst, inst.getInfo().name);
    program.sources.back().opcode = inst.getOpcode();
    Inst decoded = program.code[index];
    guard(decoded, inst.getGuard(), inst.isGuardNegated());
    bool known = inst.getOpcode() == Opcode::call
                     ? decodeCall(inst, desc, decoded)
                     : selectHandler(desc, decoded, program.extras);
    if (!known) {
      auto extra = std::make_unique<UnsupportedExtra>();
      extra->mnemonic = inst.getInfo().name.str();
      for (Mod mod : desc.mods)
        extra->mnemonic += "." + stringifyMod(mod).str();
      for (const ptx::OperandNode &node : inst.getInst().operands)
        if (inst.getOpcode() == Opcode::call &&
            node.kind == OperandKind::Symbol && node.name) {
          extra->mnemonic += " of '" + node.name.getValue().str() + "'";
          break;
        }
      decoded.handler = nullptr;
      decoded.control = executeUnsupported;
      decoded.extra = extra.get();
      program.extras.push_back(std::move(extra));
    }
    program.code[index] = decoded;
    if (context.checks && known)
      addStep(index, makeUndefinedStep(desc, decoded));
  }

  /// What is to be done around the instruction `index`, once it is complete.
  void addStep(unsigned index, std::unique_ptr<UndefinedStep> step) {
    steps.push_back({index, std::move(step)});
  }
  void addStep(unsigned index) {
    if (context.checks)
      addStep(index, std::make_unique<UndefinedStep>());
  }

  bool decodeCall(ptx::InstOpInterface inst, const InstDesc &desc,
                  Inst &decoded) {
    auto extra = std::make_unique<CallExtra>();
    // The lists of results and arguments stand before and behind the callee.
    auto trees = ptx::getOperandTrees(inst.getInst());
    bool seenCallee = false;
    StringRef systemFunction;
    for (auto [tree, operand] : zip(trees, desc.operands)) {
      if (tree.root().kind == OperandKind::List) {
        auto &places = seenCallee ? extra->args : extra->results;
        unsigned node = 1;
        for (const OperandDesc &element : operand.children) {
          ParamPlace place;
          const ptx::OperandNode &written = tree.nodes[node];
          node = ptx::skipOperandTree(tree.nodes, node);
          auto local = written.kind == OperandKind::Symbol
                           ? locals.find(written.name.getValue())
                           : locals.end();
          if (local != locals.end()) {
            place.localOffset = local->second.first;
            place.bytes = local->second.second;
          } else if (element.isRow()) {
            place.slot = element.slot;
            place.bits = element.bits;
          } else if (element.kind != OperandDesc::Sink) {
            return false;
          }
          places.push_back(place);
        }
        continue;
      }
      if (seenCallee)
        continue; // The prototype or the list of targets.
      seenCallee = true;
      if (tree.root().kind == OperandKind::Symbol) {
        auto it =
            context.image->functionNumbers.find(tree.root().name.getValue());
        if (it != context.image->functionNumbers.end())
          extra->callee = it->second;
        else
          systemFunction = tree.root().name.getValue();
      } else if (operand.kind == OperandDesc::Register && operand.bits == 64) {
        decoded.ops[0] = operand.slot;
      } else {
        return false;
      }
    }
    decoded.control = executeCall;
    if (!systemFunction.empty())
      decoded.control = getSystemCall(systemFunction, *extra);
    if (!decoded.control)
      return false;
    decoded.extra = extra.get();
    program.extras.push_back(std::move(extra));
    return true;
  }

  //===--------------------------------------------------------------------===//
  // Terminators
  //===--------------------------------------------------------------------===//

  SmallVector<Copy> copiesOnEdge(Block *to, OperandRange values) {
    SmallVector<Copy> copies;
    for (auto [value, argument] : zip(values, to->getArguments()))
      if (!value.getDefiningOp<ptx::UndefOp>() &&
          getRow(value) != getRow(argument))
        copies.push_back({bitsOf(value), getRow(value), getRow(argument)});
    return copies;
  }

  void branchTo(unsigned inst, Block *to, OperandRange values) {
    SmallVector<Copy> copies = copiesOnEdge(to, values);
    if (copies.empty())
      branches.push_back({inst, to});
    else
      stubs.push_back({inst, to, std::move(copies)});
  }

  /// Goes on at `to`, which may follow anyway.
  void continueAt(Block *to, OperandRange values, Block *following) {
    emitCopies(copiesOnEdge(to, values));
    if (to == following)
      return;
    emit().control = executeBranch;
    branches.push_back({unsigned(program.code.size() - 1), to});
  }

  void decodeTerminator(Operation &op, Block *following) {
    if (auto br = dyn_cast<ptx::BrOp>(op))
      return continueAt(br.getDest(), br.getDestOperands(), following);
    if (auto bra = dyn_cast<ptx::BraOp>(op)) {
      Inst &inst = emit(&op, "bra");
      inst.control = executeBranch;
      guard(inst, bra.getGuard(), bra.getNegated());
      addStep(program.code.size() - 1);
      branchTo(program.code.size() - 1, bra.getDest(), bra.getDestOperands());
      if (bra.getGuard())
        continueAt(bra.getNext().front(), bra.getNextOperands(), following);
      return;
    }
    if (auto brx = dyn_cast<ptx::BrxIdxOp>(op)) {
      auto extra = std::make_unique<TableExtra>();
      Inst &inst = emit(&op, "brx.idx");
      inst.control = executeTableBranch;
      inst.ops[0] = getRow(brx.getIndex());
      inst.extra = extra.get();
      if (context.checks)
        addStep(program.code.size() - 1,
                makeUseStep({inst.ops[0], 32}, "the index of the branch"));
      std::vector<Block *> blocks(brx.getCases().begin(), brx.getCases().end());
      for (auto [i, block] : enumerate(brx.getCases()))
        if (!copiesOnEdge(block, brx.getCaseOperands()[i]).empty())
          failure = joinErrors(
              std::move(failure),
              createStringError(inconvertibleErrorCode(),
                                "a table branch of '" + function.name +
                                    "' passes values in other registers than "
                                    "those of its targets"));
      tables.push_back({extra.get(), std::move(blocks)});
      program.extras.push_back(std::move(extra));
      return;
    }
    auto end = [&](auto ending, StringRef name, ControlHandler handler) {
      if (ending.getValues().size() == function.results.size()) {
        SmallVector<Copy> copies;
        for (auto [value, place] : zip(ending.getValues(), function.results))
          if (place.slot != noSlot &&
              !value.template getDefiningOp<ptx::UndefOp>())
            copies.push_back({place.bits, getRow(value), place.slot});
        emitCopies(copies);
      }
      Inst &inst = emit(ending.getImplicit() ? nullptr : &op, name);
      inst.control = handler;
      guard(inst, ending.getGuard(), ending.getNegated());
      addStep(program.code.size() - 1);
      if (!ending.getNext().empty())
        continueAt(ending.getNext().front(), ending.getNextOperands(),
                   following);
    };
    if (auto ret = dyn_cast<ptx::RetOp>(op))
      return end(ret, "ret", executeReturn);
    if (auto exit = dyn_cast<ptx::ExitOp>(op))
      return end(exit, "exit", executeExit);
    if (auto trap = dyn_cast<ptx::TrapOp>(op))
      return end(trap, "trap", executeTrap);
    failure =
        joinErrors(std::move(failure),
                   createStringError(inconvertibleErrorCode(),
                                     "unknown terminator '" +
                                         op.getName().getStringRef() + "'"));
  }

  /// Branches whose edge copies go by a piece of code behind the function.
  void decodeStubs() {
    for (Stub &stub : stubs) {
      program.code[stub.inst].target = program.code.size();
      emitCopies(stub.copies);
      emit().control = executeBranch;
      branches.push_back({unsigned(program.code.size() - 1), stub.block});
    }
  }

  DecodeContext &context;
  Program &program;
  Region &body;
  Operation *op;
  ArrayAttr params, results;
  Function &function;
  RegisterAssignment registers;
  /// Bytes of the rows so far.
  uint32_t nextRow = 0;
  std::map<std::pair<RegisterAssignment::Reg, unsigned>, Slot> rows;
  std::map<std::tuple<unsigned, uint32_t, unsigned>, Slot> addressRows;
  /// Offset and size of variables and parameters in local memory; offsets of
  /// shared ones.
  llvm::StringMap<std::pair<uint32_t, uint32_t>> locals;
  llvm::StringMap<uint32_t> shared;
  WgmmaRegisters wgmmaRegisters;
  /// Clocks that the instruction at hand reads.
  SmallVector<SpecialRow, 2> clocks;

  llvm::DenseMap<Block *, uint32_t> blockBegins;
  std::vector<std::pair<unsigned, Block *>> branches;
  std::vector<std::pair<TableExtra *, std::vector<Block *>>> tables;
  struct Stub {
    unsigned inst;
    Block *block;
    SmallVector<Copy> copies;
  };
  std::vector<Stub> stubs;
  std::vector<std::pair<unsigned, std::unique_ptr<UndefinedStep>>> steps;
  Error failure = Error::success();
};

} // namespace

Error ptxbench::emulator::decodeFunction(DecodeContext &context, Operation *op,
                                         unsigned index) {
  if (auto entry = dyn_cast<ptx::EntryOp>(op))
    return FunctionDecoder(context, op, entry.getBody(), entry.getRegs(),
                           entry.getBlockRegs(), entry.getParams(),
                           entry.getFuncResults(), index)
        .run();
  auto function = cast<ptx::FuncOp>(op);
  return FunctionDecoder(context, op, function.getBody(), function.getRegs(),
                         function.getBlockRegs(), function.getParams(),
                         function.getFuncResults(), index)
      .run();
}
