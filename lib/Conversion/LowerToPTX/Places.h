//===- Places.h - Operations behind lines of PTX ----------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before a module is lowered each operation gets a number as its location, in a
// file of a name that no file has. LLVM carries numbers as lines into the
// `.loc` directives of the text; there they are replaced by what they stand
// for. So two operations at one place stay apart, and the name of each is kept.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_CONVERSION_LOWERTOPTX_PLACES_H
#define PTXBENCH_LIB_CONVERSION_LOWERTOPTX_PLACES_H

#include "ptxbench/Conversion/LowerToPTX.h"

namespace ptxbench {

/// The file that numbers are lines of.
constexpr llvm::StringLiteral placesFileName = "<ptxbench places>";

/// Makes the result of what LLVM wrote: numbers, from 1, become the places they
/// stand for, and labels that only debug information needs go. Without places
/// the text stays as it is.
LoweredModule takeText(llvm::StringRef text, std::vector<LoweredPlace> places);

} // namespace ptxbench

#endif // PTXBENCH_LIB_CONVERSION_LOWERTOPTX_PLACES_H
