//===- CodeGenerator.h - PTX text of an LLVM module -------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's passes and its NVPTX target, kept from ending the process: what LLVM
// calls a fatal error, an instruction that a target does not have among them,
// is an error of the module here.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_CONVERSION_LOWERTOPTX_CODEGENERATOR_H
#define PTXBENCH_LIB_CONVERSION_LOWERTOPTX_CODEGENERATOR_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ptxbench {

struct CodeGenOptions {
  /// "sm_90a".
  std::string target;
  /// 80 for PTX 8.0. 0: the oldest that does.
  unsigned ptxVersion = 0;
  /// Of the passes before the code generator, 0 to 3; none: it gets the module
  /// as it is, unless functions of libdevice have to be put into it.
  std::optional<unsigned> optLevel;
  /// The path of libdevice.10.bc; may be empty.
  std::string libdevice;
  /// Whether the text has the locations that the module has.
  bool locations = true;
};

struct CodeGenError {
  std::string message;
  /// Line of the location in the module's debug information; 0: none.
  unsigned line = 0;
  /// The function it is about; may be empty.
  std::string function;
};

/// Whether LLVM knows a processor.
bool isKnownToLLVM(llvm::StringRef target);

/// Writes the PTX of a module; nothing after errors, of which there is at least
/// one then.
std::optional<std::string> generatePTX(const llvm::Module &module,
                                       const CodeGenOptions &options,
                                       std::vector<CodeGenError> &errors);

/// The target that `option` asks for and `module` says, each possibly empty,
/// or sm_90a. Fails if they differ, or if LLVM does not know it.
llvm::Expected<std::string> chooseTarget(llvm::StringRef option,
                                         llvm::StringRef module);

/// The number behind "+ptx" in a list of features; 0: there is none.
unsigned ptxVersionOf(llvm::StringRef features);

} // namespace ptxbench

#endif // PTXBENCH_LIB_CONVERSION_LOWERTOPTX_CODEGENERATOR_H
