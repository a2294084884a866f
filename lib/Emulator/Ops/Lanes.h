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

#include <tuple>
#include <utility>

// Clang has no clones of templates.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define PTXBENCH_VECTOR_CLONES                                                 \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define PTXBENCH_VECTOR_CLONES
#endif
#define PTXBENCH_INLINE inline __attribute__((always_inline))

namespace ptxbench::emulator {

template <unsigned First, class... S, size_t... I>
PTXBENCH_INLINE std::tuple<const S *...>
sourceRows(Warp &warp, const Inst &inst, std::index_sequence<I...>) {
  return {row<const S>(warp, inst.ops[First + I])...};
}
/// The rows of ops[First]… as arrays of those types.
template <unsigned First, class... S>
PTXBENCH_INLINE std::tuple<const S *...> sourceRows(Warp &warp,
                                                    const Inst &inst) {
  return sourceRows<First, S...>(warp, inst, std::index_sequence_for<S...>());
}

/// `d = Op::apply(a…)`: ops[0] is written, ops[1]… are read. All rows have the
/// widths of the types.
template <class Op, class D, class... S>
PTXBENCH_VECTOR_CLONES void mapLanes(Warp &warp, const Inst &inst,
                                     LaneMask mask) {
  D *d = row<D>(warp, inst.ops[0]);
  auto sources = sourceRows<1, S...>(warp, inst);
  if (mask == ~LaneMask(0)) {
    // Destination and sources are the same row or do not overlap.
#pragma GCC ivdep
    for (unsigned lane = 0; lane < warpSize; ++lane)
      d[lane] = std::apply([&](const S *...s) { return Op::apply(s[lane]...); },
                           sources);
    return;
  }
#pragma GCC ivdep
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    D result = std::apply([&](const S *...s) { return Op::apply(s[lane]...); },
                          sources);
    d[lane] = mask >> lane & 1 ? result : d[lane];
  }
}

/// The same for operations that are too dear to be done for idle lanes, or
/// cannot be vectorised.
template <class Op, class D, class... S>
void mapActiveLanes(Warp &warp, const Inst &inst, LaneMask mask) {
  D *d = row<D>(warp, inst.ops[0]);
  auto sources = sourceRows<1, S...>(warp, inst);
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    unsigned lane = __builtin_ctz(rest);
    d[lane] = std::apply([&](const S *...s) { return Op::apply(s[lane]...); },
                         sources);
  }
}

/// The lanes for which `Op::apply(a…)` holds: ops[First]… are read.
template <class Op, unsigned First, class... S>
PTXBENCH_VECTOR_CLONES LaneMask testLanes(Warp &warp, const Inst &inst) {
  auto sources = sourceRows<First, S...>(warp, inst);
  LaneMask result = 0;
  for (unsigned lane = 0; lane < warpSize; ++lane)
    result |=
        LaneMask(std::apply(
            [&](const S *...s) { return Op::apply(s[lane]...); }, sources))
        << lane;
  return result;
}

/// Writes the lanes of `mask` of a predicate.
inline void setPredicate(Warp &warp, Slot slot, LaneMask value, LaneMask mask) {
  LaneMask &p = predicate(warp, slot);
  p = (p & ~mask) | (value & mask);
}

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_OPS_LANES_H
