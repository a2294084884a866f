//===- Lanes.h - One operation on the lanes of a warp -----------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Handlers of computations, made from an operation on scalars. The loop over
// the lanes is left to the compiler's vectoriser, once per level of the host's
// vector instructions. An operation is evaluated for lanes that are not active,
// too, and so must be defined for any bits.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_OPS_LANES_H
#define PTXBENCH_LIB_EMULATOR_OPS_LANES_H

#include "../Machine/Machine.h"

#include <utility>

// Clang has no clones of templates.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define PTXBENCH_VECTOR_CLONES                                                 \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define PTXBENCH_VECTOR_CLONES
#endif
// Before a loop over lanes: destination and sources are the same row or do not
// overlap. Clang finds that out when the loop begins.
#if defined(__GNUC__) && !defined(__clang__)
#define PTXBENCH_LANE_LOOP _Pragma("GCC ivdep")
#else
#define PTXBENCH_LANE_LOOP
#endif
#define PTXBENCH_INLINE inline __attribute__((always_inline))

namespace ptxbench::emulator {

/// `d = Op::apply(s…)` in the lanes of `mask`; all rows have the widths of the
/// types. Destination and sources are the same row or do not overlap.
template <class Op, class D, class... S>
PTXBENCH_INLINE void mapRows(LaneMask mask, D *d, const S *...s) {
  if (mask == ~LaneMask(0)) {
    PTXBENCH_LANE_LOOP
    for (unsigned lane = 0; lane < warpSize; ++lane)
      d[lane] = Op::apply(s[lane]...);
    return;
  }
  PTXBENCH_LANE_LOOP
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    D result = Op::apply(s[lane]...);
    d[lane] = mask >> lane & 1 ? result : d[lane];
  }
}
template <class Op, class D, class... S, size_t... I>
PTXBENCH_INLINE void mapOperands(Warp &warp, const Inst &inst, LaneMask mask,
                                 std::index_sequence<I...>) {
  mapRows<Op, D, S...>(mask, row<D>(warp, inst.ops[0]),
                       row<const S>(warp, inst.ops[1 + I])...);
}

/// `d = Op::apply(a…)`: ops[0] is written, ops[1]… are read.
template <class Op, class D, class... S>
PTXBENCH_VECTOR_CLONES void mapLanes(Warp &warp, const Inst &inst,
                                     LaneMask mask) {
  mapOperands<Op, D, S...>(warp, inst, mask, std::index_sequence_for<S...>());
}

template <class Op, class D, class... S>
PTXBENCH_INLINE void mapActiveRows(LaneMask mask, D *d, const S *...s) {
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    unsigned lane = __builtin_ctz(rest);
    d[lane] = Op::apply(s[lane]...);
  }
}
template <class Op, class D, class... S, size_t... I>
PTXBENCH_INLINE void mapActiveOperands(Warp &warp, const Inst &inst,
                                       LaneMask mask,
                                       std::index_sequence<I...>) {
  mapActiveRows<Op, D, S...>(mask, row<D>(warp, inst.ops[0]),
                             row<const S>(warp, inst.ops[1 + I])...);
}

/// The same for operations that are too dear to be done for idle lanes, or
/// cannot be vectorised.
template <class Op, class D, class... S>
void mapActiveLanes(Warp &warp, const Inst &inst, LaneMask mask) {
  mapActiveOperands<Op, D, S...>(warp, inst, mask,
                                 std::index_sequence_for<S...>());
}

//===----------------------------------------------------------------------===//
// Handlers of functions
//===----------------------------------------------------------------------===//

/// An operation that is a function of Numerics: PTXBENCH_LANE D f(S...).
template <auto F> struct FunctionOp;
template <class D, class... S, D (*F)(S...)> struct FunctionOp<F> {
  static PTXBENCH_INLINE D apply(S... s) { return F(s...); }
  static Handler lanes() { return mapLanes<FunctionOp, D, S...>; }
  static Handler activeLanes() { return mapActiveLanes<FunctionOp, D, S...>; }
};
/// mapLanes and mapActiveLanes of a function, whose types are those of the
/// rows.
template <auto F> Handler lanes() { return FunctionOp<F>::lanes(); }
template <auto F> Handler activeLanes() { return FunctionOp<F>::activeLanes(); }

/// The lanes for which `Op::apply(a…)` holds.
template <class Op, class... S>
PTXBENCH_INLINE LaneMask testRows(const S *...s) {
  LaneMask result = 0;
  for (unsigned lane = 0; lane < warpSize; ++lane)
    result |= LaneMask(Op::apply(s[lane]...)) << lane;
  return result;
}

/// Writes the lanes of `mask` of a predicate.
inline void setPredicate(Warp &warp, Slot slot, LaneMask value, LaneMask mask) {
  LaneMask &p = predicate(warp, slot);
  p = (p & ~mask) | (value & mask);
}

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_OPS_LANES_H
