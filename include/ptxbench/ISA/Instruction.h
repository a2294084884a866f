//===- Instruction.h - The PTX instruction table ----------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The instruction table that ptxbench-tblgen makes from the ODS records in
// dialects/PTX/IR/Instructions. Everything that knows PTX by its spelling asks
// this table: the parser, the verifiers of the dialect, the exporter, the
// target checks. Nothing here depends on MLIR.
//
// An opcode ("wgmma.mma_async") has forms. A form is a list of modifier slots
// and a list of operand patterns. A modifier is what stands between two dots,
// `::` included ("shared::cluster"). Slots are matched as a set: each written
// modifier takes the first free slot that accepts it, in whatever order they
// stand, since real code departs from the order of the manual and ptxas takes
// it.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_ISA_INSTRUCTION_H
#define PTXBENCH_ISA_INSTRUCTION_H

#include "ptxbench/ISA/Selector.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ptxbench {

/// One enumerator per opcode record, named after it: `add`,
/// `wgmma_mma_async`; C++ keywords get a trailing underscore (`and_`).
enum class Opcode : uint16_t {
#define GET_PTX_OPCODES
#include "ptxbench/ISA/Opcodes.inc"
};

/// One enumerator per modifier spelling: `sync`, `shared__cluster` for
/// "shared::cluster", `_2d` for "2d".
enum class Mod : uint16_t {
#define GET_PTX_MODIFIERS
#include "ptxbench/ISA/Opcodes.inc"
};

/// What a family of target instructions is called in reports.
enum class Family : uint8_t {
  None,
#define GET_PTX_FAMILIES
#include "ptxbench/ISA/Opcodes.inc"
};

/// The spelling without the leading dot.
llvm::StringRef stringifyMod(Mod mod);
std::optional<Mod> symbolizeMod(llvm::StringRef spelling);
/// "wgmma", "tma", ...; empty for Family::None.
llvm::StringRef stringifyFamily(Family family);

/// Interpretation of an operand's bits, as instruction types and register
/// declarations name it.
enum class TypeKind : uint8_t { Bits, Unsigned, Signed, Float, Predicate };

/// An operand type: `b32`, `u64`, `f16x2`, `pred`. Packed types count as bits
/// of their whole width with TypeKind::Bits, except those on floating-point
/// elements, which have TypeKind::Float and `packed` set.
struct DataType {
  TypeKind kind = TypeKind::Bits;
  /// Width in bits: 1 (pred), 4, 6, 8, 16, 32, 64, 128.
  uint8_t width = 0;
  /// f16x2, bf16x2, e4m3x2, u16x2 and their like: the register is `.b` (or
  /// `.f16x2` for f16x2).
  bool packed = false;
  /// bf16, tf32, e4m3 ...: a register of `.b` kind holds it.
  bool alternate = false;

  bool operator==(const DataType &o) const {
    return kind == o.kind && width == o.width && packed == o.packed &&
           alternate == o.alternate;
  }
};

/// The type a modifier names, if it names one ("f32", "u16x2").
std::optional<DataType> getModType(Mod mod);
/// The spelling in a register declaration: "b32", "pred", "f16x2".
std::string stringifyDataType(DataType type);

/// A place for one modifier.
struct ModSlot {
  /// Name by which operand patterns refer to it; may be empty.
  llvm::StringLiteral name;
  llvm::ArrayRef<Mod> alternatives;
  bool optional;
};

enum class OperandDir : uint8_t { In, Out, InOut };

/// What may stand at an operand's place.
enum class OperandForm : uint8_t {
  /// A register, or an immediate (and, for `In`, a special register or the
  /// address of a symbol where the type is an integer of 32 or 64 bits).
  Value,
  /// A register only.
  Register,
  /// An integer immediate only.
  Immediate,
  /// `[reg+imm]`, `[symbol+imm]`, `[imm]`.
  Address,
  /// `[map, {c0, c1}]`: an address, then a vector of `count` coordinates.
  TensorAddress,
  /// A label.
  Label,
  /// A function name, or a register that holds a function's address.
  Callee,
  /// `(a, b)`, the arguments or results of a call.
  ArgumentList,
  /// The name of a label list or call prototype.
  Symbol,
  /// `_`, where a result would stand.
  Sink,
};

/// How many registers an operand's vector has.
struct CountRule {
  enum Kind : uint8_t {
    /// No vector: one register.
    Scalar,
    /// `{…}` of exactly `value` elements.
    Fixed,
    /// By the modifier in slot `value`: absent: scalar, v2, v4, v8, x1, x2 …,
    /// 1d…5d: that many; one element (`x1`) is a vector, too.
    Slot,
    /// By the function of that index in the list of named rules, for counts
    /// that a form computes (wgmma accumulators by shape and type).
    Named,
  } kind = Scalar;
  uint8_t value = 0;
};

/// What the base of an address names where it is no memory.
enum class HandleKind : uint8_t { None, Texture, Surface, Sampler };

/// The integers first, first + step, … last.
struct ImmediateRange {
  int64_t first, last, step;
};

struct OperandPattern {
  llvm::StringLiteral name;
  OperandDir dir;
  OperandForm form;
  /// Index of the slot whose modifier names the type, or -1: `type`.
  int8_t typeSlot;
  DataType type;
  CountRule count;
  /// May be left out (only trailing operands).
  bool optional;
  /// `d|p`: a second result of predicate type may follow after a bar.
  bool optionalPredicatePair;
  /// A register wider than the type is accepted (ld, st, cvt, ISA 9.4.1).
  bool relaxedWidth;
  /// `_` may stand here.
  bool sinkAllowed;
  /// Index of a slot: the operand stands if and only if that slot is filled
  /// (`policy` with `.L2::cache_hint`); -1: it always stands.
  int8_t presentSlot = -1;
  /// What a constant may be; empty: anything that fits the type.
  llvm::ArrayRef<ImmediateRange> values;
  /// The base of the address is a variable of such a type or a register that
  /// holds its handle.
  HandleKind handle = HandleKind::None;
  /// The parts of a register that may be named: `a.b0`.
  SelectorKind selector = SelectorKind::None;
  /// A minus may stand before it.
  bool minusAllowed = false;
  /// The vector may also be longer than its count says, up to four.
  bool longerAllowed = false;
  /// One register or constant may stand for the vector.
  bool scalarAllowed = false;
  /// The second result of a pair may not be left out, nor be `_`.
  bool predicateRequired = false;
  /// What is no vector may stand in braces: `{a}`.
  bool bracesAllowed = false;
};

/// `sm_90a` = {90, 'a'}; plain `sm_90` = {90, 0}; family `sm_100f` =
/// {100, 'f'}.
struct TargetArch {
  uint16_t sm = 0;
  char suffix = 0;
};

/// A PTX ISA version as major * 10 + minor.
using PTXVersion = uint16_t;

/// What a modifier needs beyond its form.
struct ModRequirement {
  Mod mod;
  PTXVersion minVersion;
  /// As those of a form; empty: as the form.
  llvm::ArrayRef<TargetArch> targets;
};

/// Which modifiers go together: one of `when` needs one of `what`, or excludes
/// them all.
struct ModRule {
  llvm::ArrayRef<Mod> when, what;
  bool excludes;

  /// The modifier of `mods` that breaks the rule: one of `when`.
  std::optional<Mod> findBreach(llvm::ArrayRef<Mod> mods) const;
};

struct InstForm {
  llvm::ArrayRef<ModSlot> mods;
  llvm::ArrayRef<OperandPattern> operands;
  PTXVersion minVersion;
  /// Any of these has the form. A plain entry {90, 0} stands for every later
  /// architecture, an `a` entry for itself alone, an `f` entry for its family.
  llvm::ArrayRef<TargetArch> targets;
  /// Of the modifiers that are newer than the form.
  llvm::ArrayRef<ModRequirement> requirements;
  llvm::ArrayRef<ModRule> rules;
  /// 0, or the version from which on architectures from `removedArch` on lack
  /// the form.
  PTXVersion removedVersion;
  uint16_t removedArch;
};

/// Properties of an opcode that hold for all its forms.
enum InstFlags : uint32_t {
  IF_None = 0,
  /// Ends a basic block: bra, brx.idx, ret, exit, trap.
  IF_Terminator = 1 << 0,
  /// `.sync.aligned`-like: all threads of the warp execute it together.
  IF_Convergent = 1 << 1,
  IF_MemRead = 1 << 2,
  IF_MemWrite = 1 << 3,
  /// Neither memory nor any other state: may be deleted when unused.
  IF_Pure = 1 << 4,
  IF_Call = 1 << 5,
  /// Completes later than it is issued.
  IF_Async = 1 << 6,
  /// All four warps of a warpgroup execute it together.
  IF_Warpgroup = 1 << 7,
};

/// A modifier that puts an instruction into a family though its opcode is in
/// none: `red` with `v4`.
struct FamilyModifier {
  Mod mod;
  Family family;
};

struct OpcodeInfo {
  Opcode opcode;
  /// "wgmma.mma_async".
  llvm::StringLiteral name;
  Family family;
  uint32_t flags;
  /// Title of the section of the PTX ISA manual.
  llvm::StringLiteral section;
  llvm::ArrayRef<InstForm> forms;
  llvm::ArrayRef<FamilyModifier> familyModifiers;

  bool isTerminator() const { return flags & IF_Terminator; }
};

const OpcodeInfo &getOpcodeInfo(Opcode opcode);
llvm::ArrayRef<OpcodeInfo> getAllOpcodes();

/// The family of an instruction with these modifiers.
Family getFamily(Opcode opcode, llvm::ArrayRef<Mod> mods);

/// Finds the longest opcode that `mnemonic` ("cp.async.bulk.tensor.2d.tile")
/// starts with, at a dot; the rest are modifiers.
std::optional<Opcode> lookupOpcode(llvm::StringRef mnemonic);

/// The known opcode or modifier spelling closest to `text` by edit distance;
/// empty if none is near. With `base`, which `text` begins with, only opcodes
/// that continue it (`base` "cp.async.bulk": "cp.async.bulk.tensor").
llvm::StringRef nearestOpcode(llvm::StringRef text, llvm::StringRef base = {});
llvm::StringRef nearestModifier(llvm::StringRef text, Opcode opcode);

/// How the modifiers of one instruction fill the slots of a form.
struct ModMatch {
  const InstForm *form = nullptr;
  /// For each slot the index into `mods` of the modifier that fills it or -1.
  int8_t slots[24];
  /// False if they were written in another order than the manual's.
  bool inOrder = true;

  /// The modifier in slot `i`, if filled.
  std::optional<Mod> get(llvm::ArrayRef<Mod> mods, unsigned slot) const {
    if (slots[slot] < 0)
      return std::nullopt;
    return mods[slots[slot]];
  }
};

/// Matches modifiers against one form. Returns false if they do not fit.
bool matchModifiers(const InstForm &form, llvm::ArrayRef<Mod> mods,
                    ModMatch &match);

/// The type of an operand under a match; none if its slot is empty.
std::optional<DataType> getOperandType(const OperandPattern &operand,
                                       const ModMatch &match,
                                       llvm::ArrayRef<Mod> mods);

/// The number of vector elements of an operand under a match; 0 for a scalar
/// (no braces).
unsigned getOperandCount(const OperandPattern &operand, const ModMatch &match,
                         llvm::ArrayRef<Mod> mods);

/// Whether an operand of the pattern stands under a match (presentSlot). One
/// that is `optional` may still be left out.
inline bool isOperandPresent(const OperandPattern &operand,
                             const ModMatch &match) {
  return operand.presentSlot < 0 || match.slots[operand.presentSlot] >= 0;
}

/// Whether `arch` has what any of `targets` requires.
bool supportsTarget(TargetArch arch, llvm::ArrayRef<TargetArch> targets);
std::optional<TargetArch> parseTargetArch(llvm::StringRef text);
std::string stringifyTargetArch(TargetArch arch);

} // namespace ptxbench

#endif // PTXBENCH_ISA_INSTRUCTION_H
