//===- InstOpRanges.h - Integer semantics of instructions -------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an instruction does to integer ranges, in two steps: an operation is
// decoded once into a RangeInst (what it computes, on which operands), which
// then maps ranges of its sources to ranges of its results as often as an
// analysis wants. inferInstOpRanges (InstOp.h), which upstream's analyses call,
// is made of the same two steps.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_DIALECT_PTX_IR_INSTOPRANGES_H
#define PTXBENCH_DIALECT_PTX_IR_INSTOPRANGES_H

#include "ptxbench/Dialect/PTX/IR/InstOp.h"

namespace ptxbench::ptx {

/// What is computed. The names are those of the instructions; `Copy` is any
/// move of one whole value, `Unknown` everything without integer meaning here.
enum class RangeKind : uint8_t {
  Unknown,
  Copy,
  Pack,
  Unpack,
  Add,
  Sub,
  MulLo,
  MulHi,
  MulWide,
  MadLo,
  MadHi,
  MadWide,
  Div,
  Rem,
  Neg,
  Abs,
  Min,
  Max,
  And,
  Or,
  Xor,
  Not,
  CNot,
  Shl,
  Shr,
  Bfe,
  Bfi,
  Popc,
  Clz,
  Bfind,
  Selp,
  Setp,
  Set,
  Cvt,
  ShfL,
  ShfR,
  Szext,
};

/// Where a source comes from.
struct RangeSource {
  enum Kind : uint8_t { Operand, Constant, SpecialReg, Unknown } kind = Unknown;
  /// `!p`.
  bool negated = false;
  /// Bits that the instruction reads; a register may be wider.
  uint16_t width = 0;
  /// Operand: the index into the operation's operands.
  unsigned operand = 0;
  /// Constant: the value, truncated to `width` when it is used.
  uint64_t constant = 0;
  /// SpecialReg: the spelling without `%`.
  llvm::StringRef specialReg;
};

enum class CompareOp : uint8_t { Eq, Ne, Lt, Le, Gt, Ge };
enum class BoolOp : uint8_t { None, And, Or, Xor };

struct RangeInst {
  RangeKind kind = RangeKind::Unknown;
  /// The instruction's type is signed (for a comparison: it compares signed).
  bool isSigned = false;
  bool saturates = false;
  /// shf, szext: `.wrap`.
  bool wraps = false;
  /// Bits of the instruction's type; for Cvt of the destination type.
  uint16_t width = 0;
  /// Cvt: the type of the source.
  uint16_t sourceWidth = 0;
  bool sourceSigned = false;
  CompareOp compare = CompareOp::Eq;
  BoolOp boolOp = BoolOp::None;
  llvm::SmallVector<RangeSource, 3> sources;
  /// For each result of the operation: which output it is. Outputs are the
  /// elements of an unpacked vector, or value and predicate of a pair.
  llvm::SmallVector<uint8_t, 1> outputs;
};

/// Decodes an instruction. Its kind is Unknown where nothing but the guard has
/// a meaning for ranges; `sources` and `outputs` are filled all the same.
RangeInst decodeRangeInst(mlir::Operation *op);

/// A range of an integer of up to 64 bits without arbitrary precision, which
/// costs more than what is computed with it: for what is done often.
class CompactRange {
public:
  /// Of no integer, or of a wider one: the width is 0.
  CompactRange() = default;
  explicit CompactRange(const mlir::ConstantIntRanges &range) {
    if (range.umin().getBitWidth() - 1 >= 64)
      return;
    umin = range.umin().getZExtValue();
    umax = range.umax().getZExtValue();
    smin = range.smin().getSExtValue();
    smax = range.smax().getSExtValue();
    width = range.umin().getBitWidth();
  }

  static CompactRange getFull(unsigned width) {
    CompactRange range;
    if (width == 0 || width > 64)
      return range;
    range.width = width;
    range.umax = llvm::maskTrailingOnes<uint64_t>(width);
    range.smin = llvm::minIntN(width);
    range.smax = llvm::maxIntN(width);
    return range;
  }
  static CompactRange getBool(bool value) {
    CompactRange range;
    range.width = 1;
    range.umin = range.umax = value;
    range.smin = range.smax = -int64_t(value);
    return range;
  }

  mlir::ConstantIntRanges get() const {
    return {llvm::APInt(width, umin), llvm::APInt(width, umax),
            llvm::APInt(width, smin, true), llvm::APInt(width, smax, true)};
  }
  bool operator==(const CompactRange &other) const {
    return umin == other.umin && umax == other.umax && smin == other.smin &&
           smax == other.smax && width == other.width;
  }
  unsigned getWidth() const { return width; }
  uint64_t getUMin() const { return umin; }
  uint64_t getUMax() const { return umax; }
  int64_t getSMin() const { return smin; }
  int64_t getSMax() const { return smax; }
  void setUnsigned(uint64_t min, uint64_t max) {
    umin = min;
    umax = max;
  }
  void setSigned(int64_t min, int64_t max) {
    smin = min;
    smax = max;
  }
  /// The one value that its unsigned or its signed bounds leave, if they do.
  std::optional<uint64_t> getConstant() const {
    if (umin == umax)
      return umin;
    if (smin == smax)
      return uint64_t(smin) & llvm::maskTrailingOnes<uint64_t>(width);
    return std::nullopt;
  }
  /// Whether each bound of `other`, which has its width, is within its own.
  bool contains(const CompactRange &other) const {
    return umin <= other.umin && umax >= other.umax && smin <= other.smin &&
           smax >= other.smax;
  }
  /// Extends it to the union; both have one width.
  void unite(const CompactRange &other) {
    umin = std::min(umin, other.umin);
    umax = std::max(umax, other.umax);
    smin = std::min(smin, other.smin);
    smax = std::max(smax, other.smax);
  }
  /// Narrows it by each bound of `other`, which has its width. There may be no
  /// value left: tighten tells.
  void intersect(const CompactRange &other) {
    umin = std::max(umin, other.umin);
    umax = std::min(umax, other.umax);
    smin = std::max(smin, other.smin);
    smax = std::min(smax, other.smax);
  }
  /// As tightenRange; returns false if there is no value. It has a width.
  bool tighten();

private:
  uint64_t umin = 0, umax = 0;
  int64_t smin = 0, smax = 0;
  uint32_t width = 0;
};

/// The values in both ranges, as intersectRanges.
std::optional<CompactRange> intersectRanges(const CompactRange &a,
                                            const CompactRange &b);

/// Gives the signed and the unsigned bounds of `range` what each says about the
/// other; none if no value is in both.
std::optional<mlir::ConstantIntRanges>
tightenRange(const mlir::ConstantIntRanges &range);

/// The values in both ranges (an over-approximation); none if there are none.
std::optional<mlir::ConstantIntRanges>
intersectRanges(const mlir::ConstantIntRanges &a,
                const mlir::ConstantIntRanges &b);

/// The range of the result that is output `output` and lives in a register of
/// `resultWidth` bits. `sources` are the ranges of the sources as the
/// instruction reads them: in their width, negation applied.
mlir::ConstantIntRanges
evaluateRange(const RangeInst &inst,
              llvm::ArrayRef<mlir::ConstantIntRanges> sources, unsigned output,
              unsigned resultWidth);

/// A source in the width and with the negation the instruction reads it with.
/// `range` is the register's; its width may be 0 for what is no integer.
mlir::ConstantIntRanges readSource(const RangeSource &source,
                                   const mlir::ConstantIntRanges &range);

/// The same on a compact range.
CompactRange readSource(const RangeSource &source, const CompactRange &range);

/// The range of a special register in that many bits.
using SpecialRegRangeFn = llvm::function_ref<mlir::ConstantIntRanges(
    llvm::StringRef name, unsigned width)>;

/// Whether the comparison holds for all (true) or no (false) pairs of values.
std::optional<bool> evaluateCompare(CompareOp compare, bool isSigned,
                                    const mlir::ConstantIntRanges &a,
                                    const mlir::ConstantIntRanges &b);

/// As inferInstOpRanges, with ranges of special registers. A guard that is not
/// known joins the result with its pass-through.
void inferInstOpRanges(mlir::Operation *op,
                       llvm::ArrayRef<mlir::ConstantIntRanges> argRanges,
                       SpecialRegRangeFn specialReg,
                       mlir::SetIntRangeFn setResultRange);

} // namespace ptxbench::ptx

#endif // PTXBENCH_DIALECT_PTX_IR_INSTOPRANGES_H
