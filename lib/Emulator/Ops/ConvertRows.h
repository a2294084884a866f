//===- ConvertRows.h - Conversions of rows, one step each -------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A `cvt` is a few steps from one row to another: its modifiers and types
// would else make thousands of different handlers. A float becomes an integer
// by rounding to an integral double and clamping; .ftz, .sat and .relu are
// steps on the source or on the result.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_OPS_CONVERTROWS_H
#define PTXBENCH_LIB_EMULATOR_OPS_CONVERTROWS_H

#include "InstDesc.h"
#include "Lanes.h"

namespace ptxbench::emulator {

/// Converts 32 lanes; the two rows do not overlap.
using RowStep = void (*)(const void *from, void *to);

template <class Op, class D, class S>
PTXBENCH_VECTOR_CLONES void stepLanes(const void *from, void *to) {
  mapRows<Op, D, S>(~LaneMask(0), static_cast<D *>(to),
                    static_cast<const S *>(from));
}
template <class Op, class D, class S>
void stepScalar(const void *from, void *to) {
  mapActiveRows<Op, D, S>(~LaneMask(0), static_cast<D *>(to),
                          static_cast<const S *>(from));
}
template <class F> struct StepOf;
template <class D, class S> struct StepOf<D (*)(S)> {
  template <auto F> static RowStep lanes() {
    return stepLanes<FunctionOp<F>, D, S>;
  }
  template <auto F> static RowStep scalar() {
    return stepScalar<FunctionOp<F>, D, S>;
  }
};
/// The step that is a function of Numerics.
template <auto F> RowStep step() {
  return StepOf<decltype(F)>::template lanes<F>();
}
/// The same for rare ones, which are not compiled for each kind of host.
template <auto F> RowStep scalarStep() {
  return StepOf<decltype(F)>::template scalar<F>();
}

/// Steps in their order.
using RowSteps = llvm::SmallVector<RowStep, 6>;

/// An integer from one width to another: to `width` bits, extended with the
/// sign of `from`. Null if they are the same bits.
RowStep resizeStep(DataType from, unsigned width);

/// The steps between integers, from integers to floats (`to` is the modifier
/// of the type), and from floats to integers; false for forms that do not
/// exist.
bool integerSteps(const InstDesc &desc, DataType from, DataType to,
                  RowSteps &steps);
bool integerToFloatSteps(const InstDesc &desc, DataType from, Mod to,
                         RowSteps &steps);
bool floatToIntegerSteps(const InstDesc &desc, Mod from, DataType to,
                         RowSteps &steps);

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_OPS_CONVERTROWS_H
