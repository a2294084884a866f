//===- MatrixOps.h - What the matrix instructions share ---------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shapes, element types and register vectors of mma, wmma and wgmma, and the
// rule that all threads of the warp execute them together.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_OPS_MATRIXOPS_H
#define PTXBENCH_LIB_EMULATOR_OPS_MATRIXOPS_H

#include "../Machine/Machine.h"
#include "../Matrix/Products.h"
#include "InstDesc.h"
#include "llvm/ADT/STLExtras.h"

#include <cstring>

namespace ptxbench::emulator {

/// The numbers of "m16n8k16".
struct MatrixShape {
  unsigned m = 0, n = 0, k = 0;
};
/// The shape that the modifier in slot `shape` names.
std::optional<MatrixShape> shapeOf(const InstDesc &desc);

/// The element type that the modifier in the slot `name` names.
std::optional<Element> elementOf(const InstDesc &desc, llvm::StringRef name);

/// The rounding of a product of f64.
ProductRounding productRounding(const InstDesc &desc);

using RowSlots = llvm::SmallVector<Slot, 8>;
/// The registers of a vector operand, or of one that is a single register;
/// false if one of them is no row of `bits`.
bool useVector(const OperandDesc &operand, unsigned bits, RowSlots &slots);

/// The registers of d = a * b + c.
struct ProductSlots {
  RowSlots d, a, b, c;

  /// Takes the operands of these names; false as useVector.
  bool use(const InstDesc &desc, unsigned bits);
};

/// The rows of `slots`.
template <class T> struct RowPointers {
  RowPointers(Warp &warp, llvm::ArrayRef<Slot> slots) {
    for (Slot slot : slots)
      rows.push_back(row<std::remove_const_t<T>>(warp, slot));
  }
  T *const *data() const { return rows.data(); }
  T *operator[](size_t index) const { return rows[index]; }

  llvm::SmallVector<T *, 32> rows;
};

/// Puts c where d is added to. The registers of c may be some of d in another
/// order.
template <class T>
void copyAccumulators(Warp &warp, const ProductSlots &slots) {
  if (slots.c == slots.d)
    return;
  T values[16][warpSize];
  assert(slots.c.size() <= std::size(values));
  for (auto [value, slot] : llvm::zip(values, slots.c))
    std::memcpy(value, row<T>(warp, slot), sizeof(value));
  for (auto [value, slot] : llvm::zip(values, slots.d))
    std::memcpy(row<T>(warp, slot), value, sizeof(value));
}

/// Products of f64, whose fragments mma and wmma share: `m` rows of a, of `k`
/// elements each.
void multiplyDoubles(Warp &warp, const ProductSlots &slots, unsigned m,
                     unsigned k, ProductRounding rounding);

/// Whether the whole warp is here to execute an instruction that all its
/// threads execute together. If not, `step` says what the handler is to
/// return: the group waits for the others, or the launch has ended because
/// some threads do not take part.
bool isWholeWarp(Warp &warp, const Inst &inst, LaneMask mask, Step &step);

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_OPS_MATRIXOPS_H
