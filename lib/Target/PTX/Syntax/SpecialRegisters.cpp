//===- SpecialRegisters.cpp - The special registers of the ISA ------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParserImpl.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::syntax;

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
  return StringSwitch<std::optional<DataType>>(name)
      .Cases({"%tid.x", "%tid.y", "%tid.z", "%ntid.x", "%ntid.y", "%ntid.z"},
             u32)
      .Cases({"%ctaid.x", "%ctaid.y", "%ctaid.z", "%nctaid.x", "%nctaid.y",
              "%nctaid.z"},
             u32)
      .Cases({"%clusterid.x", "%clusterid.y", "%clusterid.z", "%nclusterid.x",
              "%nclusterid.y", "%nclusterid.z"},
             u32)
      .Cases({"%cluster_ctaid.x", "%cluster_ctaid.y", "%cluster_ctaid.z"}, u32)
      .Cases({"%cluster_nctaid.x", "%cluster_nctaid.y", "%cluster_nctaid.z"},
             u32)
      .Cases({"%cluster_ctarank", "%cluster_nctarank"}, u32)
      .Case("%is_explicit_cluster", pred)
      .Cases({"%laneid", "%warpid", "%nwarpid", "%smid", "%nsmid"}, u32)
      .Cases({"%lanemask_eq", "%lanemask_le", "%lanemask_lt", "%lanemask_ge",
              "%lanemask_gt"},
             u32)
      .Cases({"%clock", "%clock_hi", "%globaltimer_lo", "%globaltimer_hi"}, u32)
      .Cases({"%clock64", "%globaltimer", "%gridid", "%current_graph_exec"},
             u64)
      .Cases({"%total_smem_size", "%dynamic_smem_size", "%aggr_smem_size"}, u32)
      .Default(std::nullopt);
}

std::optional<DataType> syntax::getSpecialRegister(StringRef name) {
  return lookUp(name);
}
