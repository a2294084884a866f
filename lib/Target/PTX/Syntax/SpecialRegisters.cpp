//===- SpecialRegisters.cpp - The special registers of the ISA ------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The names with their types. The numbered ones are taken apart; the others are
// a table, which also serves suggestions.
//
//===----------------------------------------------------------------------===//

#include "ParserImpl.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::syntax;

/// The fourth element of a vector is there, and zero.
static constexpr StringLiteral specialNames[] = {"%tid.x",
                                                 "%tid.y",
                                                 "%tid.z",
                                                 "%tid.w",
                                                 "%ntid.x",
                                                 "%ntid.y",
                                                 "%ntid.z",
                                                 "%ntid.w",
                                                 "%ctaid.x",
                                                 "%ctaid.y",
                                                 "%ctaid.z",
                                                 "%ctaid.w",
                                                 "%nctaid.x",
                                                 "%nctaid.y",
                                                 "%nctaid.z",
                                                 "%nctaid.w",
                                                 "%clusterid.x",
                                                 "%clusterid.y",
                                                 "%clusterid.z",
                                                 "%clusterid.w",
                                                 "%nclusterid.x",
                                                 "%nclusterid.y",
                                                 "%nclusterid.z",
                                                 "%nclusterid.w",
                                                 "%cluster_ctaid.x",
                                                 "%cluster_ctaid.y",
                                                 "%cluster_ctaid.z",
                                                 "%cluster_ctaid.w",
                                                 "%cluster_nctaid.x",
                                                 "%cluster_nctaid.y",
                                                 "%cluster_nctaid.z",
                                                 "%cluster_nctaid.w",
                                                 "%cluster_ctarank",
                                                 "%cluster_nctarank",
                                                 "%is_explicit_cluster",
                                                 "%laneid",
                                                 "%warpid",
                                                 "%nwarpid",
                                                 "%smid",
                                                 "%nsmid",
                                                 "%lanemask_eq",
                                                 "%lanemask_le",
                                                 "%lanemask_lt",
                                                 "%lanemask_ge",
                                                 "%lanemask_gt",
                                                 "%clock",
                                                 "%clock_hi",
                                                 "%globaltimer_lo",
                                                 "%globaltimer_hi",
                                                 "%clock64",
                                                 "%globaltimer",
                                                 "%gridid",
                                                 "%current_graph_exec",
                                                 "%total_smem_size",
                                                 "%dynamic_smem_size",
                                                 "%aggr_smem_size"};

static std::optional<DataType> lookUp(StringRef name) {
  constexpr DataType u32{TypeKind::Unsigned, 32, false, false};
  constexpr DataType u64{TypeKind::Unsigned, 64, false, false};
  constexpr DataType pred{TypeKind::Predicate, 1, false, false};
  // `%envreg0` … `%envreg31` and `%pm0` … `%pm7` are numbered.
  StringRef rest = name;
  unsigned number;
  if (rest.consume_front("%envreg") && !rest.getAsInteger(10, number) &&
      number < 32)
    return u32;
  rest = name;
  if (rest.consume_front("%pm")) {
    bool wide = rest.consume_back("_64");
    if (!rest.getAsInteger(10, number) && number < 8)
      return wide ? u64 : u32;
  }
  rest = name;
  if (rest.consume_front("%reserved_smem_offset_") &&
      (rest == "begin" || rest == "end" || rest == "cap" || rest == "0" ||
       rest == "1"))
    return u32;
  if (!is_contained(specialNames, name))
    return std::nullopt;
  if (name == "%is_explicit_cluster")
    return pred;
  if (is_contained(
          {"%clock64", "%globaltimer", "%gridid", "%current_graph_exec"}, name))
    return u64;
  return u32;
}

ArrayRef<StringLiteral> syntax::getSpecialRegisterNames() {
  return specialNames;
}

std::optional<DataType> syntax::getSpecialRegister(StringRef name) {
  return lookUp(name);
}
