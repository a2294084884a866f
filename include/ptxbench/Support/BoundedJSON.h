//===- BoundedJSON.h - JSON that others wrote -------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's parser recurses, once for each bracket that is open: a text of
// megabytes of them ends the process. Nesting is counted before it begins.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_SUPPORT_BOUNDEDJSON_H
#define PTXBENCH_SUPPORT_BOUNDEDJSON_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <optional>

namespace ptxbench {

/// Brackets that may be open at once.
inline constexpr unsigned maxJSONDepth = 200;

/// The line, counted from 0, where more than `maxJSONDepth` brackets are open;
/// none: nowhere.
std::optional<unsigned> findTooDeepLine(llvm::StringRef text);

/// Parses a text. Errors: not JSON, nested too deep.
llvm::Expected<llvm::json::Value> parseBoundedJSON(llvm::StringRef text);

} // namespace ptxbench

#endif // PTXBENCH_SUPPORT_BOUNDEDJSON_H
