//===- AsmChecks.cpp - Constraints against instructions -------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM and ptxas take what is warned of here; what it means is seldom what was
// meant.
//
//===----------------------------------------------------------------------===//

#include "AsmSite.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace ptxbench::ptx;

namespace ptxbench {

std::string AsmSite::describe(unsigned operand) const {
  const AsmConstraint &constraint = constraints.operands[operand];
  std::string name = "$" + std::to_string(operand);
  if (!hasConstraints)
    return name;
  std::string text = constraint.kind == AsmConstraint::Output ? "=" : "";
  if (constraint.earlyClobber)
    text += "&";
  text += constraint.kind == AsmConstraint::Tied
              ? std::to_string(constraint.tiedTo)
              : std::string(1, constraint.letter);
  return name + " ('" + text + "')";
}

//===----------------------------------------------------------------------===//
// Values against registers
//===----------------------------------------------------------------------===//

/// The bits of a value; 0 where that depends on more than its type.
static unsigned getBitWidth(Type type) {
  if (auto pointer = dyn_cast<LLVM::LLVMPointerType>(type))
    // Addresses of shared and local memory have 32 bits or 64.
    return pointer.getAddressSpace() < 2 ? 64 : 0;
  if (auto vector = dyn_cast<VectorType>(type))
    return getBitWidth(vector.getElementType()) * vector.getNumElements();
  return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
}

void checkOperandWidths(const AsmSite &site) {
  const AsmConstraints &constraints = site.constraints;
  for (unsigned i = 0; i < constraints.operands.size(); ++i) {
    StringRef name = constraints.getRegisterType(i);
    if (name.empty())
      continue;
    Type type = i < constraints.numOutputs
                    ? site.outputTypes[i]
                    : site.inputs[i - constraints.numOutputs].getType();
    unsigned reg = getBitWidth(ptx::getRegisterType(type.getContext(), name));
    unsigned width = getBitWidth(type);
    // LLVM extends integers and cuts off what has no room.
    if (width > reg)
      site.op->emitWarning("the operand ")
          << site.describe(i) << " is a register of " << reg
          << (reg == 1 ? " bit" : " bits") << ", but its value has the type "
          << type;
    else if (width < reg && isa<FloatType>(type) && width >= 16)
      site.op->emitWarning("the operand ")
          << site.describe(i) << " is a register of " << reg
          << " bits, but its value has the type " << type;
  }
}

//===----------------------------------------------------------------------===//
// The body
//===----------------------------------------------------------------------===//

namespace {

class BodyChecker {
public:
  BodyChecker(const AsmSite &site, InlineOp op);
  void run();

private:
  void checkInst(InstOpInterface inst);
  void checkType(InstOpInterface inst, unsigned operand, DataType type,
                 StringRef verb);
  void checkUndefined(UndefOp undef);
  void checkEffects();
  /// The operand of the text that a register is, if it is one.
  std::optional<unsigned> getOperand(int64_t reg) const {
    auto it = operandOf.find(reg);
    if (it == operandOf.end())
      return std::nullopt;
    return it->second;
  }
  std::optional<unsigned> getOperand(Value value) const;
  InFlightDiagnostic warn(Operation *op) const {
    return site.report(DiagnosticSeverity::Warning, offsetOf(op));
  }
  /// An instruction may have one operand several times.
  void warnOnce(InstOpInterface inst, const Twine &message);
  size_t offsetOf(Operation *op) const;
  static std::string getName(InstOpInterface inst) {
    std::string name = "'" + inst.getInfo().name.str();
    for (Mod mod : inst.getInst().mods)
      name += "." + stringifyMod(mod).str();
    return name + "'";
  }

  const AsmSite &site;
  InlineOp op;
  /// By index into the register table.
  DenseMap<int64_t, unsigned> operandOf;
  DenseMap<Value, int64_t> argRegs;
  /// Of the instruction at hand.
  SmallVector<std::string, 2> said;
  llvm::BitVector written;
};

} // namespace

BodyChecker::BodyChecker(const AsmSite &site, InlineOp op)
    : site(site), op(op), written(site.constraints.operands.size()) {
  int64_t first = 0;
  for (auto reg : op.getRegs().getAsRange<RegAttr>()) {
    StringRef digits = reg.getName();
    unsigned operand = 0;
    if (digits.consume_front("$") && !digits.getAsInteger(10, operand) &&
        operand < site.constraints.operands.size())
      operandOf[first] = operand;
    first += reg.getNumRegisters();
  }
  for (auto [block, regs] : llvm::zip(op.getBody(), op.getBlockRegs()))
    for (auto [arg, reg] : llvm::zip(
             block.getArguments(), cast<DenseI32ArrayAttr>(regs).asArrayRef()))
      argRegs[arg] = reg;
}

std::optional<unsigned> BodyChecker::getOperand(Value value) const {
  if (auto it = argRegs.find(value); it != argRegs.end())
    return getOperand(it->second);
  if (auto inst = value.getDefiningOp<InstOpInterface>())
    return getOperand(
        inst.getInst().regs[cast<OpResult>(value).getResultNumber()]);
  return std::nullopt;
}

/// Whether no end of the text, or of a thread, can be reached from the block.
static bool isEndless(Block &block) {
  return llvm::none_of(llvm::depth_first(&block), [](Block *reached) {
    auto end = dyn_cast<TerminatorOpInterface>(reached->getTerminator());
    return !end || isa<YieldOp>(end) || end.getThreadEnd();
  });
}

/// The importer put the place into the name of the location.
size_t BodyChecker::offsetOf(Operation *inner) const {
  auto name = dyn_cast<NameLoc>(inner->getLoc());
  unsigned line = 1, column = 1;
  if (name) {
    StringRef text = name.getName();
    if (!text.consume_front("inline asm, line ") ||
        text.consumeInteger(10, line) || !text.consume_front(" column ") ||
        text.consumeInteger(10, column))
      line = column = 1;
  }
  return site.getLines().getOffset(line, column);
}

void BodyChecker::checkType(InstOpInterface inst, unsigned operand,
                            DataType type, StringRef verb) {
  if (!site.hasConstraints)
    return;
  char letter =
      site.constraints.operands[site.constraints.getRegisterOf(operand)].letter;
  bool isFloatLetter = letter == 'f' || letter == 'd';
  unsigned width = letter == 'r' || letter == 'f'   ? 32
                   : letter == 'h' || letter == 'c' ? 16
                   : letter == 'b'                  ? 1
                   : letter == 'q'                  ? 128
                                                    : 64;
  // There are no registers of 8 bits.
  if (type.width >= 16 && type.width < width) {
    warnOnce(inst, verb + " " + std::to_string(type.width) +
                       " bits of the operand " + site.describe(operand) +
                       ", which has " + std::to_string(width));
    return;
  }
  bool isFloat =
      type.kind == TypeKind::Float && !type.packed && !type.alternate;
  bool isInteger =
      type.kind == TypeKind::Signed || type.kind == TypeKind::Unsigned;
  if (isFloatLetter ? isInteger : isFloat && type.width >= 32)
    warnOnce(inst, verb + " the operand " + site.describe(operand) + " as " +
                       (isFloat ? "a floating-point number" : "an integer"));
}

void BodyChecker::warnOnce(InstOpInterface inst, const Twine &message) {
  std::string text = message.str();
  if (llvm::is_contained(said, text))
    return;
  warn(inst) << getName(inst) << " " << text;
  said.push_back(std::move(text));
}

void BodyChecker::checkInst(InstOpInterface inst) {
  said.clear();
  const InstProperties &props = inst.getInst();
  for (int32_t reg : props.regs) {
    std::optional<unsigned> operand = getOperand(reg);
    if (!operand)
      continue;
    written.set(*operand);
    if (site.constraints.operands[*operand].kind == AsmConstraint::Input)
      warn(inst) << getName(inst) << " writes the operand "
                 << site.describe(*operand)
                 << ", which is only read; LLVM takes it for unchanged";
  }
  ModMatch match;
  const InstForm &form = inst.getInfo().forms[props.form];
  SmallVector<OperandTree, 6> trees = getOperandTrees(props);
  if (!matchModifiers(form, props.mods, match))
    return;
  auto patterns = getPresentOperands(form, match, trees.size());
  if (!patterns)
    return;
  for (auto [tree, pattern] : llvm::zip(trees, *patterns)) {
    if (pattern->form != OperandForm::Value &&
        pattern->form != OperandForm::Register)
      continue;
    std::optional<DataType> type = getOperandType(*pattern, match, props.mods);
    // A part of a register, or the predicate of a pair, is no whole operand.
    bool isPlain = tree.root().kind == OperandKind::Use ||
                   tree.root().kind == OperandKind::Def ||
                   tree.root().kind == OperandKind::DefUse ||
                   tree.root().kind == OperandKind::Vector;
    if (!type || !isPlain || pattern->selector != SelectorKind::None)
      continue;
    unsigned use = tree.firstUse, def = tree.firstDef;
    for (const OperandNode &node : tree.nodes) {
      std::optional<unsigned> operand;
      if (node.definesValue())
        operand = getOperand(inst->getResult(def++));
      if (node.readsValue()) {
        std::optional<unsigned> read = getOperand(inst->getOperand(use++));
        if (!operand)
          operand = read;
      }
      if (operand)
        checkType(inst, *operand, *type,
                  node.definesValue() ? "writes" : "reads");
    }
  }
}

/// Whether the operand `use` keeps a register as it was where the guard of its
/// instruction is false.
static bool isElse(OpOperand &use) {
  auto inst = dyn_cast<InstOpInterface>(use.getOwner());
  // Behind the guard.
  return inst && use.getOperandNumber() > inst.getUses().size();
}

/// Whether another instruction writes the register where the guard of this one
/// is false: `@p mov …; @!p mov …;`.
static bool isCompleted(InstOpInterface inst, Value result) {
  return !result.use_empty() &&
         llvm::all_of(result.getUses(), [&](OpOperand &use) {
           if (!isElse(use))
             return false;
           auto other = cast<InstOpInterface>(use.getOwner());
           return other.getGuard() == inst.getGuard() &&
                  other.isGuardNegated() != inst.isGuardNegated();
         });
}

/// A register that is read and was not written: that of an output.
void BodyChecker::checkUndefined(UndefOp undef) {
  std::optional<unsigned> operand = getOperand(undef.getReg());
  if (!operand)
    return;
  for (OpOperand &use : undef->getUses()) {
    Operation *user = use.getOwner();
    if (isa<YieldOp>(user)) {
      if (written.test(*operand))
        continue;
      site.op->emitWarning("the operand ")
          << site.describe(*operand)
          << " is an output, but the text never writes it";
      continue;
    }
    auto inst = dyn_cast<InstOpInterface>(user);
    if (inst && isElse(use)) {
      if (llvm::any_of(user->getResults(), [&](Value result) {
            return getOperand(result) == operand && isCompleted(inst, result);
          }))
        continue;
      warn(user) << getName(inst) << " leaves the operand "
                 << site.describe(*operand)
                 << " without a value where its guard is false; a tied input "
                    "would give it one";
    } else if (inst) {
      warn(user) << getName(inst) << " reads the operand "
                 << site.describe(*operand)
                 << ", which is only written; a tied input would give it a "
                    "value";
    }
  }
}

/// What is said of the instruction where the constraints have no '~{memory}';
/// empty if it has nothing to do with memory. Those that wait for accesses, or
/// put them in an order, name no address.
static StringRef describeAccess(InstOpInterface inst) {
  if (!(inst.getInfo().flags & (IF_MemRead | IF_MemWrite)))
    return "";
  if (llvm::any_of(inst.getInst().operands, [](const OperandNode &node) {
        return node.kind == OperandKind::Address;
      }))
    return "accesses memory";
  switch (inst.getOpcode()) {
  case Opcode::wgmma_mma_async:
    return "accesses memory";
  case Opcode::bar:
  case Opcode::bar_warp_sync:
  case Opcode::barrier:
  case Opcode::barrier_cluster_arrive:
  case Opcode::barrier_cluster_wait:
  case Opcode::cp_async_bulk_wait_group:
  case Opcode::cp_async_wait_all:
  case Opcode::cp_async_wait_group:
  case Opcode::fence:
  case Opcode::fence_mbarrier_init:
  case Opcode::fence_proxy:
  case Opcode::griddepcontrol:
  case Opcode::membar:
  case Opcode::tcgen05:
  case Opcode::wgmma_fence:
  case Opcode::wgmma_wait_group:
    return "orders accesses to memory";
  default:
    return "";
  }
}

static bool writesCarry(InstOpInterface inst) {
  return inst.getInfo().name.ends_with(".cc") || inst.hasModifier(Mod::cc);
}

static bool readsCarry(InstOpInterface inst) {
  StringRef name = inst.getInfo().name;
  return name == "addc" || name == "subc" || name.starts_with("madc.");
}

/// Whether no carry comes from outside of the text, and one is read in it, so
/// that no other text is to read it.
static bool keepsCarry(InlineOp op) {
  bool isWritten = false, isRead = false, comesIn = false;
  op.getBody().walk([&](InstOpInterface inst) {
    if (readsCarry(inst)) {
      isRead = true;
      comesIn |= !isWritten;
    }
    isWritten |= writesCarry(inst);
  });
  return isRead && !comesIn;
}

void BodyChecker::checkEffects() {
  bool warnedOfMemory = !site.hasConstraints || site.constraints.clobbersMemory;
  bool warnedOfEffects = site.sideEffects;
  bool ownCarry = keepsCarry(op);
  op.getBody().walk([&](InstOpInterface inst) {
    StringRef access = describeAccess(inst);
    if (!access.empty() && !warnedOfMemory) {
      warnedOfMemory = true;
      warn(inst) << getName(inst) << " " << access << ", but the constraints "
                 << "have no '~{memory}'";
    }
    SmallVector<MemoryEffects::EffectInstance> effects;
    cast<MemoryEffectOpInterface>(inst.getOperation()).getEffects(effects);
    bool hasEffect = llvm::any_of(effects, [](const auto &effect) {
      return isa<MemoryEffects::Write>(effect.getEffect());
    });
    // Of those that only compute, two that read a clock may become one.
    if (ownCarry && (writesCarry(inst) || readsCarry(inst)))
      hasEffect = false;
    if (hasEffect && !(inst.getInfo().flags & IF_Pure) && !warnedOfEffects) {
      warnedOfEffects = true;
      warn(inst) << getName(inst) << " has an effect besides its results, but "
                 << "the operation is not 'has_side_effects': LLVM may remove "
                    "it";
    }
  });
  if (warnedOfEffects)
    return;
  for (Block &block : op.getBody()) {
    Operation *end = block.getTerminator();
    StringRef what = isa<RetOp>(end)    ? "'ret' ends the function"
                     : isa<ExitOp>(end) ? "'exit' ends the thread"
                     : isa<TrapOp>(end) ? "'trap' ends the launch"
                     : isEndless(block) ? "the text goes on without end from "
                                          "here"
                                        : "";
    if (what.empty())
      continue;
    warn(end) << what << ", but the operation is not 'has_side_effects': LLVM "
              << "may remove it";
    return;
  }
}

void BodyChecker::run() {
  op.getBody().walk([&](InstOpInterface inst) { checkInst(inst); });
  op.getBody().walk([&](UndefOp undef) { checkUndefined(undef); });
  checkEffects();
}

void checkBody(const AsmSite &site, InlineOp op) {
  BodyChecker(site, op).run();
}

} // namespace ptxbench
