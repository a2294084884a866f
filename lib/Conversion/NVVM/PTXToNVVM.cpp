//===- PTXToNVVM.cpp - Instructions to operations of nvvm -----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A body of one block goes out instruction by instruction. First all is tried:
// which instructions have an operation, and which values of the others are
// wanted. Then those that have one become it, in place, and what is between
// them becomes a `ptx.inline` of its own. Bodies with branches are read back as
// a whole, where a record has those branches.
//
//===----------------------------------------------------------------------===//

#include "Convert.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "ptxbench/Conversion/Passes.h"
#include "ptxbench/Dialect/PTX/IR/AsmConstraints.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace ptxbench::ptx;

namespace ptxbench {

#define GEN_PASS_DEF_CONVERTPTXTONVVM
#include "ptxbench/Conversion/Passes.h.inc"

namespace nvvm {

namespace {

class BodyReader : public OpBuilder::Listener {
public:
  explicit BodyReader(InlineOp op) : op(op), builder(op, this) {}

  /// Replaces the operation by those of its instructions, or by smaller ones;
  /// false if it stays. What has no operation is in `left`, with the reason.
  bool read();
  SmallVector<std::pair<Operation *, std::string>> left;

private:
  bool readBlock();
  bool readWhole();
  /// What the text orders by its registers, which its operations would not.
  std::string findTie(const DenseSet<Operation *> &converted);
  /// What keeps instructions from being taken out from between others.
  std::string findBond(ArrayRef<Operation *> staying);
  Value lookup(Value value);
  std::optional<int64_t> getConstant(Value value);
  BodyValues getValues() { return {lookupFn, {constantFn}}; }
  bool writeRun(ArrayRef<Operation *> run, const DenseSet<Value> &wanted);
  bool endsThread();
  bool giveResults();
  void undo() {
    for (Operation *made : llvm::reverse(inserted))
      made->erase();
    inserted.clear();
  }
  void notifyOperationInserted(Operation *made,
                               OpBuilder::InsertPoint) override {
    inserted.push_back(made);
  }
  InlineOp op;
  OpBuilder builder;
  SmallVector<Operation *> inserted;
  /// What values of the body are outside.
  DenseMap<Value, Value> outside;
  /// Those that an operation has asked for.
  DenseSet<Value> asked;
  std::function<Value(Value)> lookupFn = [this](Value v) { return lookup(v); };
  std::function<std::optional<int64_t>(Value)> constantFn = [this](Value v) {
    return getConstant(v);
  };
};

} // namespace

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// The input of an argument of the body, past the constants in the text.
static Value getInput(InlineOp op, unsigned argument) {
  AsmConstraints constraints =
      llvm::cantFail(parseAsmConstraints(op.getConstraints()));
  ArrayRef<AsmConstraint> inputs =
      ArrayRef(constraints.operands).drop_front(constraints.numOutputs);
  for (auto [i, input] : llvm::enumerate(inputs))
    if (input.kind != AsmConstraint::Immediate && argument-- == 0)
      return op.getInputs()[i];
  return {};
}

/// In an outer value's own type, if that has the bits of the register; LLVM
/// cuts off and extends integers.
Value BodyReader::lookup(Value value) {
  asked.insert(value);
  if (Value known = outside.lookup(value))
    return known;
  Value result;
  Type type = value.getType();
  Location loc = op.getLoc();
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Value input = getInput(op, argument.getArgNumber());
    Type from = input.getType();
    if (isa<LLVM::LLVMPointerType>(from) || haveSameBits(from, type))
      result = input;
    else if (from.isInteger() && type.isInteger() &&
             from.getIntOrFloatBitWidth() > type.getIntOrFloatBitWidth())
      result = LLVM::TruncOp::create(builder, loc, type, input);
    else if (from.isInteger() && type.isInteger())
      result = LLVM::ZExtOp::create(builder, loc, type, input);
  } else if (value.getDefiningOp<ptx::UndefOp>()) {
    result = LLVM::UndefOp::create(builder, loc, type);
  }
  if (result)
    outside[value] = result;
  return result;
}

std::optional<int64_t> BodyReader::getConstant(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    llvm::APInt number;
    Value input = getInput(op, argument.getArgNumber());
    if (!input || !matchPattern(input, m_ConstantInt(&number)) ||
        number.getBitWidth() > 64)
      return std::nullopt;
    return number.getBitWidth() == 1 ? number.getZExtValue()
                                     : number.getSExtValue();
  }
  auto inst = value.getDefiningOp<InstOpInterface>();
  if (!inst || inst.getInst().guarded)
    return std::nullopt;
  // The operands: a result, then constants or registers.
  SmallVector<std::optional<int64_t>> numbers;
  unsigned use = 0;
  for (const OperandTree &tree : getOperandTrees(inst.getInst())) {
    const OperandNode &node = tree.root();
    if (node.kind == OperandKind::Int)
      numbers.push_back(node.value);
    else if (node.kind == OperandKind::Use && !node.flags)
      numbers.push_back(getConstant(inst->getOperand(use++)));
    else if (node.kind != OperandKind::Def || tree.nodes.size() != 1)
      return std::nullopt;
  }
  if (inst.getOpcode() == Opcode::mov && numbers.size() == 1)
    return numbers[0];
  if (inst.getOpcode() == Opcode::setp && numbers.size() == 2 && numbers[0] &&
      numbers[1] && inst.getInst().mods.size() == 2) {
    bool isEqual = int32_t(*numbers[0]) == int32_t(*numbers[1]);
    if (!inst.hasModifier(Mod::b32) && !inst.hasModifier(Mod::s32) &&
        !inst.hasModifier(Mod::u32))
      return std::nullopt;
    if (inst.hasModifier(Mod::ne))
      return !isEqual;
    if (inst.hasModifier(Mod::eq))
      return isEqual;
  }
  return std::nullopt;
}

/// Whether the end of the body is one operation: every thread ends there, so
/// that nothing reads a result.
bool BodyReader::endsThread() {
  auto exit = dyn_cast<ptx::ExitOp>(op.getBody().front().getTerminator());
  return exit && !exit.getGuard() && !op->getNumResults();
}

/// The results of the inline assembly are what its body yields.
bool BodyReader::giveResults() {
  if (endsThread()) {
    NVVM::Exit::create(builder, op.getLoc());
    return true;
  }
  auto yield = cast<YieldOp>(op.getBody().front().getTerminator());
  SmallVector<Value> results;
  for (auto [value, old] : llvm::zip(yield.getValues(), op.getOutputs())) {
    Value result = lookup(value);
    if (result)
      result = castBits(builder, op.getLoc(), result, old.getType());
    if (!result) {
      left.push_back({op, "a result is wider or narrower than its register"});
      return false;
    }
    results.push_back(result);
  }
  op.replaceAllUsesWith(results);
  return true;
}

//===----------------------------------------------------------------------===//
// One block
//===----------------------------------------------------------------------===//

static bool usesCarry(Operation *op) {
  auto inst = dyn_cast<InstOpInterface>(op);
  if (!inst)
    return false;
  StringRef name = inst.getInfo().name;
  return name.ends_with(".cc") || inst.hasModifier(Mod::cc) || name == "addc" ||
         name == "subc" || name.starts_with("madc.");
}

/// Whether it waits for what writes registers later.
static bool waitsForRegisters(InstOpInterface inst) {
  return inst.getOpcode() == Opcode::wgmma_wait_group ||
         (inst.getOpcode() == Opcode::tcgen05 &&
          inst.hasModifier(Mod::wait__ld));
}

std::string BodyReader::findTie(const DenseSet<Operation *> &converted) {
  Block &block = op.getBody().front();
  auto isConstant = [&](BlockArgument argument) {
    Value input = getInput(op, argument.getArgNumber());
    return !input || matchPattern(input, m_Constant());
  };
  for (BlockArgument argument : block.getArguments())
    if (argument.use_empty() && !isConstant(argument))
      return "what computes an operand that no instruction reads belongs in "
             "front of the text";
  // Registers in flight have 32 bits; who wrote them is not known here.
  std::string wait;
  for (Operation &inner : block.without_terminator()) {
    auto inst = dyn_cast<InstOpInterface>(inner);
    // LLVM keeps accesses to memory in their order.
    bool isOrdered = converted.count(&inner) &&
                     (inst.getInfo().flags & (IF_MemRead | IF_MemWrite));
    if (!wait.empty() && !isOrdered)
      for (Value operand : inner.getOperands())
        if (auto argument = dyn_cast<BlockArgument>(operand))
          if (Value input = getInput(op, argument.getArgNumber());
              operand.getType().isIntOrFloat() &&
              operand.getType().getIntOrFloatBitWidth() == 32 &&
              !isa<LLVM::LLVMPointerType>(input.getType()) &&
              !isConstant(argument))
            return "a register may be ready only behind '" + wait + "'";
    if (inst && waitsForRegisters(inst))
      wait = inst.getInfo().name.str();
  }
  return "";
}

std::string BodyReader::findBond(ArrayRef<Operation *> staying) {
  // LLVM takes a value for ready as soon as its operation is there. In one text
  // with the wait, it is.
  std::string writer;
  for (Operation &inner : op.getBody().front()) {
    auto inst = dyn_cast<InstOpInterface>(inner);
    if (!inst)
      continue;
    if ((inst.getInfo().flags & IF_Async) && inner.getNumResults())
      writer = inst.getInfo().name.str();
    if (!writer.empty() && (waitsForRegisters(inst) || !staying.empty()))
      return "registers that '" + writer + "' writes later may not be moved";
  }
  if (!isa<YieldOp>(op.getBody().front().getTerminator()) && !endsThread())
    return "it ends the thread";
  // As "+r" in front of a wait: what reads the register comes behind the text.
  if (llvm::any_of(op.getBody().front().getTerminator()->getOperands(),
                   [](Value value) { return isa<BlockArgument>(value); }))
    return "it passes a register on, so that what reads it comes behind";
  if (staying.empty())
    return "";
  if (llvm::any_of(op.getBody().front(), [](Operation &inner) {
        return isa<ptx::VarOp, ptx::VerbatimOp>(inner);
      }))
    return "it declares a variable";
  return llvm::any_of(staying, usesCarry)
             ? "an instruction leaves a carry behind for another"
             : "";
}

/// What is left of a body, from one converted instruction to the next.
bool BodyReader::writeRun(ArrayRef<Operation *> run,
                          const DenseSet<Value> &wanted) {
  if (run.empty())
    return true;
  SetVector<Value> inputs;
  SmallVector<Value> outputs;
  DenseSet<Value> inner;
  for (Operation *one : run) {
    for (Value operand : one->getOperands())
      if (!inner.count(operand) &&
          !isa_and_nonnull<ptx::UndefOp>(operand.getDefiningOp()))
        inputs.insert(operand);
    for (Value result : one->getResults()) {
      inner.insert(result);
      if (wanted.count(result))
        outputs.push_back(result);
    }
  }
  MLIRContext *context = op.getContext();
  AsmConstraints constraints =
      llvm::cantFail(parseAsmConstraints(op.getConstraints()));
  constraints.operands.clear();
  constraints.numOutputs = outputs.size();
  SmallVector<Attribute> regs;
  SmallVector<Type> outputTypes;
  SmallVector<Value> inputValues;
  auto add = [&](Value value, AsmConstraint::Kind kind) {
    AsmConstraint constraint;
    constraint.kind = kind;
    Type type = value.getType();
    constraint.letter = getRegisterOf(type);
    if (constraint.letter)
      regs.push_back(RegAttr::get(context, "$" + std::to_string(regs.size()),
                                  getConstraintRegisterType(constraint.letter),
                                  0, 0));
    constraints.operands.push_back(constraint);
    return type;
  };
  for (Value output : outputs)
    outputTypes.push_back(add(output, AsmConstraint::Output));
  SmallVector<int32_t> argumentRegs;
  for (Value input : inputs) {
    Value value = lookup(input);
    argumentRegs.push_back(regs.size());
    Type type = add(input, AsmConstraint::Input);
    value = value ? castBits(builder, op.getLoc(), value, type) : value;
    if (!value)
      return false;
    inputValues.push_back(value);
  }
  if (regs.size() != constraints.operands.size())
    return false;
  auto piece = InlineOp::create(
      builder, op.getLoc(), outputTypes, inputValues, constraints.str(),
      op.getSideEffects(), builder.getArrayAttr(regs),
      builder.getArrayAttr({builder.getDenseI32ArrayAttr(argumentRegs)}));
  Block *body = new Block();
  piece.getBody().push_back(body);
  IRMapping mapping;
  for (Value input : inputs)
    mapping.map(input, body->addArgument(input.getType(), input.getLoc()));
  OpBuilder inside = OpBuilder::atBlockEnd(body);
  for (Operation *one : run) {
    for (Value operand : one->getOperands())
      if (Operation *undef = operand.getDefiningOp();
          isa_and_nonnull<ptx::UndefOp>(undef) && !mapping.contains(operand))
        inside.clone(*undef, mapping);
    Operation *copy = inside.clone(*one, mapping);
    auto inst = cast<InstOpInterface>(copy);
    for (auto [i, reg] : llvm::enumerate(inst.getInst().regs)) {
      auto *output = llvm::find(outputs, one->getResult(i));
      reg = output == outputs.end() ? -1 : output - outputs.begin();
    }
  }
  SmallVector<Value> yielded;
  for (auto [output, result] : llvm::zip(outputs, piece.getOutputs())) {
    outside[output] = result;
    yielded.push_back(mapping.lookup(output));
  }
  YieldOp::create(inside, op.getLoc(), yielded);
  return true;
}

bool BodyReader::readBlock() {
  Block &block = op.getBody().front();
  auto isReadable = [](Operation &inner) {
    return isa<InstOpInterface>(inner);
  };
  // Which instructions have an operation? A value that none of those computes
  // is any value for now.
  DenseSet<Operation *> converted, glue;
  DenseMap<Operation *, std::string> reasons;
  for (Operation &inner : block.without_terminator()) {
    SmallVector<std::pair<Value, Value>> results;
    std::string reason;
    if (isReadable(inner) &&
        readInstruction(builder, cast<InstOpInterface>(inner), false,
                        getValues(), results, reason)) {
      converted.insert(&inner);
      for (auto [inside, now] : results)
        outside[inside] = now;
      continue;
    }
    reasons[&inner] = reason;
    if (isReadable(inner) &&
        readGlue(builder, cast<InstOpInterface>(inner), getValues(), results)) {
      glue.insert(&inner);
      outside[results.front().first] = results.front().second;
      continue;
    }
    if (!isa<ptx::UndefOp>(inner))
      for (Value result : inner.getResults())
        outside[result] =
            LLVM::PoisonOp::create(builder, op.getLoc(), result.getType());
  }
  undo();
  outside.clear();

  // Of the others, those that nothing needs go.
  DenseSet<Value> wanted = std::move(asked);
  asked.clear();
  wanted.insert(block.getTerminator()->operand_begin(),
                block.getTerminator()->operand_end());
  SmallVector<Operation *> staying;
  for (Operation &inner : llvm::reverse(block.without_terminator())) {
    if (converted.count(&inner) || isa<ptx::UndefOp>(inner))
      continue;
    bool isNeeded = !isMemoryEffectFree(&inner) ||
                    llvm::any_of(inner.getResults(), [&](Value result) {
                      return wanted.count(result);
                    });
    if (!isNeeded)
      continue;
    wanted.insert(inner.operand_begin(), inner.operand_end());
    if (!glue.count(&inner) || (converted.empty() && !endsThread()))
      staying.insert(staying.begin(), &inner);
  }
  for (Operation *inner : staying)
    left.push_back({inner, reasons.lookup(inner)});
  if (converted.empty() && !endsThread()) {
    // An empty text is no PTX.
    if (left.empty() && !block.without_terminator().empty())
      left.push_back({op, "no instruction in it is an operation of nvvm"});
    return false;
  }
  std::string bond = findBond(staying);
  if (bond.empty())
    bond = findTie(converted);
  if (!bond.empty()) {
    left.push_back({op, bond});
    return false;
  }

  SmallVector<Operation *> run;
  for (Operation &inner : block.without_terminator()) {
    bool isGlue = glue.count(&inner);
    if (isGlue && !wanted.count(inner.getResult(0)))
      continue;
    if (!converted.count(&inner) && !isGlue) {
      if (llvm::is_contained(staying, &inner))
        run.push_back(&inner);
      continue;
    }
    SmallVector<std::pair<Value, Value>> results;
    std::string reason;
    auto inst = cast<InstOpInterface>(inner);
    if (!writeRun(run, wanted) ||
        (isGlue ? !readGlue(builder, inst, getValues(), results)
                : !readInstruction(builder, inst, false, getValues(), results,
                                   reason))) {
      left.push_back({op, reason.empty() ? "a value has no register" : reason});
      undo();
      return false;
    }
    run.clear();
    for (auto [inside, now] : results)
      outside[inside] = now;
  }
  if (!writeRun(run, wanted) || !giveResults()) {
    undo();
    return false;
  }
  op.erase();
  return true;
}

//===----------------------------------------------------------------------===//
// Bodies with branches
//===----------------------------------------------------------------------===//

/// Whether two bodies do the same, but for the main instruction of each.
static bool isSameBody(Region &a, Region &b, Operation *mainA,
                       unsigned &numMain) {
  if (a.getBlocks().size() != b.getBlocks().size())
    return false;
  IRMapping mapping;
  for (auto [blockA, blockB] : llvm::zip(a, b)) {
    if (blockA.getArgumentTypes() != blockB.getArgumentTypes() ||
        blockA.getOperations().size() != blockB.getOperations().size())
      return false;
    mapping.map(&blockA, &blockB);
    mapping.map(blockA.getArguments(), blockB.getArguments());
  }
  for (auto [blockA, blockB] : llvm::zip(a, b))
    for (auto [opA, opB] : llvm::zip(blockA, blockB)) {
      if (opA.getName() != opB.getName() ||
          opA.getResultTypes() != opB.getResultTypes() ||
          opA.getOperands().size() != opB.getOperands().size())
        return false;
      mapping.map(opA.getResults(), opB.getResults());
      for (auto [from, to] :
           llvm::zip(opA.getSuccessors(), opB.getSuccessors()))
        if (mapping.lookup(from) != to)
          return false;
      if (&opA == mainA) {
        ++numMain;
        continue;
      }
      for (auto [from, to] : llvm::zip(opA.getOperands(), opB.getOperands()))
        if (mapping.lookupOrNull(from) != to)
          return false;
      if (opA.getPropertiesAsAttribute() != opB.getPropertiesAsAttribute())
        return false;
    }
  return true;
}

bool BodyReader::readWhole() {
  // The instruction that a record has; values of the body are known at its
  // entry alone.
  for (Block &block : op.getBody())
    for (auto inst : block.getOps<InstOpInterface>()) {
      SmallVector<std::pair<Value, Value>> results;
      std::string reason;
      Operation *made =
          readInstruction(builder, inst, true, getValues(), results, reason);
      if (!made)
        continue;
      // Does it become this body again?
      SmallVector<Value> values;
      InlineOp again = writeInline(*findConversion(made), made, values, reason);
      unsigned numMain = 0;
      bool isSame = again &&
                    isSameBody(op.getBody(), again.getBody(), inst, numMain) &&
                    numMain == 1 && op.getNumResults() == 0;
      if (again)
        again.erase();
      if (isSame) {
        op.erase();
        return true;
      }
    }
  undo();
  bool endsUnderGuard = llvm::any_of(op.getBody(), [](Block &block) {
    auto end = dyn_cast<TerminatorOpInterface>(block.getTerminator());
    return end && end.getThreadEnd() && end.getGuardPredicate();
  });
  left.push_back({op, endsUnderGuard
                          ? "it ends the thread under a guard, which no "
                            "operation of nvvm does"
                          : "it has branches that no operation of nvvm has"});
  return false;
}

bool BodyReader::read() {
  return llvm::hasSingleElement(op.getBody()) ? readBlock() : readWhole();
}

} // namespace nvvm

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

class ConvertPTXToNVVMPass
    : public impl::ConvertPTXToNVVMBase<ConvertPTXToNVVMPass> {
public:
  using ConvertPTXToNVVMBase::ConvertPTXToNVVMBase;
  void runOnOperation() override;
};

} // namespace

void ConvertPTXToNVVMPass::runOnOperation() {
  SmallVector<ptx::InlineOp> found;
  getOperation()->walk([&](ptx::InlineOp op) { found.push_back(op); });
  bool failed = false;
  for (ptx::InlineOp op : found) {
    Location loc = op.getLoc();
    nvvm::BodyReader reader(op);
    // Where it was, for what is said.
    bool isGone = reader.read();
    failed |= strict && !reader.left.empty();
    if (reader.left.empty())
      continue;
    auto report = strict ? emitError(loc) : emitRemark(loc);
    report << (isGone ? "in part PTX still: " : "stays PTX: ")
           << reader.left.back().second;
  }
  nvvm::simplifyValues(getOperation());
  if (failed)
    signalPassFailure();
}

} // namespace ptxbench
