//===- PtxasOutput.h - What ptxas says about a kernel -----------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ptxas and nvcc report in lines of text. They are read here into diagnostics
// and, from `-v`, into the resources of each function. Texts are matched rather
// than codes where a decision hangs on it: codes differ between releases.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_SUPPORT_PTXASOUTPUT_H
#define PTXBENCH_SUPPORT_PTXASOUTPUT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ptxbench {

enum class ToolSeverity { Info, Warning, Error, Fatal };
/// "info", "warning", "error", "fatal".
const char *stringifyToolSeverity(ToolSeverity severity);

struct ToolDiagnostic {
  ToolSeverity severity = ToolSeverity::Info;
  /// "ptxas", or the file of a message of the compiler's front end.
  std::string source;
  /// "C7519", or the compiler's "20" for `error #20-D`; may be empty.
  std::string code;
  /// 1-based line: of the PTX text for ptxas ("line N;" or "around line N"),
  /// of `source` for the front end; 0 where the message names none.
  unsigned line = 0;
  /// The function that the message names; may be empty.
  std::string function;
  std::string text;
};

/// A known kind of remark on code that ptxas changed or slowed down.
enum class PtxasRemark {
  None,
  /// "wgmma.mma_async instructions are serialized due to ...".
  WgmmaSerialized,
  /// A missing wgmma.fence or wait_group was added.
  ArriveInjected,
  WaitInjected,
  SetmaxnregIgnored,
  Spill,
};
PtxasRemark classifyRemark(const ToolDiagnostic &diagnostic);
/// "wgmma-serialized", "arrive-injected", ...; "" for None.
const char *stringifyPtxasRemark(PtxasRemark remark);

/// The resources of one function as `ptxas -v` gives them. Absent: not said.
struct FunctionResources {
  std::string function;
  /// "sm_90a".
  std::string target;
  /// `.entry` rather than `.func`.
  bool isEntry = true;
  std::optional<uint64_t> registers;
  /// Named barriers in use.
  std::optional<uint64_t> barriers;
  /// Bytes.
  std::optional<uint64_t> stackFrame, cumulativeStack, spillStores, spillLoads,
      staticShared, constantBank0, localBytes;
};

struct PtxasOutput {
  std::vector<ToolDiagnostic> diagnostics;
  std::vector<FunctionResources> resources;

  bool hasErrors() const;
  const FunctionResources *findResources(llvm::StringRef function) const;
};

/// Reads the output of ptxas, or of an nvcc that ran ptxas. Lines that are not
/// understood are skipped; nothing in the text can make this fail.
PtxasOutput parsePtxasOutput(llvm::StringRef text);

/// The forms of the report: arrays "diagnostics" and "resources".
llvm::json::Value toJSON(const ToolDiagnostic &diagnostic);
llvm::json::Value toJSON(const FunctionResources &resources);

} // namespace ptxbench

#endif // PTXBENCH_SUPPORT_PTXASOUTPUT_H
