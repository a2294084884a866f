//===- BarrierText.h - Cases of barriers and clusters -----------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parts of addBarrierCases.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_UTILS_DIFFERENTIAL_BARRIERTEXT_H
#define PTXBENCH_UTILS_DIFFERENTIAL_BARRIERTEXT_H

#include "MatrixText.h"

namespace ptxbench::differential {

/// Barriers of CTAs and of warps, elect.sync, setmaxnreg, griddepcontrol.
void addNamedBarrierCases(std::vector<Case> &cases);
/// Clusters: their registers, barriers, shared memory, mbarriers of peers.
void addClusterCases(std::vector<Case> &cases);
/// Producers and consumers around tensor copies and wgmma.
void addPipelineCases(std::vector<Case> &cases);

} // namespace ptxbench::differential

#endif // PTXBENCH_UTILS_DIFFERENTIAL_BARRIERTEXT_H
