//===- PTXInstructions.td - All instruction records ----------*- tablegen -*-=//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_DIALECT_PTX_IR_PTXINSTRUCTIONS_TD
#define PTXBENCH_DIALECT_PTX_IR_PTXINSTRUCTIONS_TD

include "PTX/IR/Instructions/Arith.td"
include "PTX/IR/Instructions/AsyncCopy.td"
include "PTX/IR/Instructions/Barrier.td"
include "PTX/IR/Instructions/Cluster.td"
include "PTX/IR/Instructions/Compare.td"
include "PTX/IR/Instructions/ControlFlow.td"
include "PTX/IR/Instructions/Convert.td"
include "PTX/IR/Instructions/Fence.td"
include "PTX/IR/Instructions/MBarrier.td"
include "PTX/IR/Instructions/MMA.td"
include "PTX/IR/Instructions/Memory.td"
include "PTX/IR/Instructions/Misc.td"
include "PTX/IR/Instructions/TCGen05.td"
include "PTX/IR/Instructions/TMA.td"
include "PTX/IR/Instructions/Texture.td"
include "PTX/IR/Instructions/Video.td"
include "PTX/IR/Instructions/WGMMA.td"
include "PTX/IR/Instructions/Warp.td"

#endif // PTXBENCH_DIALECT_PTX_IR_PTXINSTRUCTIONS_TD
