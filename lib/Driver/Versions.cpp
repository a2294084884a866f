//===- Versions.cpp - The versions of everything found --------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each tool and library is asked itself; one that is missing is named as such.
//
//===----------------------------------------------------------------------===//

#include "Versions.h"
#include "ptxbench/Runtime/Backend.h"
#include "ptxbench/Support/Toolchain.h"
#include "ptxbench/Support/Version.h"
#include "llvm/Support/FileSystem.h"

namespace ptxbench {

std::string executablePath() {
  static int anchor;
  return llvm::sys::fs::getMainExecutable(nullptr, &anchor);
}

void printVersions(llvm::raw_ostream &os) {
  printVersion(os);
  ToolchainOptions options;
  options.executable = executablePath();
  Toolchain toolchain(options);
  for (ToolKind kind : {ToolKind::Nvcc, ToolKind::Ptxas, ToolKind::Cuobjdump,
                        ToolKind::Nvdisasm}) {
    llvm::Expected<CudaTool> tool = toolchain.find(kind);
    os << stringifyToolKind(kind) << " ";
    if (tool)
      os << (tool->version.empty() ? "of unknown version" : tool->version)
         << " (" << tool->path << ")\n";
    else {
      llvm::consumeError(tool.takeError());
      os << "not found\n";
    }
  }
  std::unique_ptr<Backend> backend = createCudaBackend(executablePath());
  Usability usable = backend->isUsable();
  if (!usable.usable) {
    os << "GPU not usable: " << usable.reason << "\n";
    return;
  }
  for (auto &[name, version] : backend->versions())
    os << name << " " << version << "\n";
}

} // namespace ptxbench
