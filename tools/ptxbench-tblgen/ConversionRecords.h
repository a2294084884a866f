//===- ConversionRecords.h - nvvm as PTX and back ---------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The records of PTXConversions.td by the names of their operations.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_TOOLS_PTXBENCH_TBLGEN_CONVERSIONRECORDS_H
#define PTXBENCH_TOOLS_PTXBENCH_TBLGEN_CONVERSIONRECORDS_H

#include "llvm/ADT/StringMap.h"
#include "llvm/TableGen/Record.h"

namespace ptxbench::tblgen {

struct ConversionRecords {
  /// Of the class PTX_Conversion, and of PTX_NoConversion.
  llvm::StringMap<const llvm::Record *> converted, left;
  /// Those of PTX_Conversion in the order of the file.
  std::vector<const llvm::Record *> ordered;
};

/// Ends the program where an operation has two records, or where one of nvvm
/// with a counterpart has none.
ConversionRecords collectConversions(const llvm::RecordKeeper &records);

} // namespace ptxbench::tblgen

#endif // PTXBENCH_TOOLS_PTXBENCH_TBLGEN_CONVERSIONRECORDS_H
