//===- ptxbench-lsp-server.cpp - A language server for MLIR with PTX ------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's language server with the dialects of ptxbench-opt: diagnostics,
// hovers, definitions and uses in `.mlir` files, for any editor that speaks the
// protocol. It reads the standard input through a filter (DocumentFilter.h),
// which runs in a thread of its own.
//
//===----------------------------------------------------------------------===//

#include "DocumentFilter.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "ptxbench/InitAll.h"
#include "ptxbench/Support/Version.h"

#include <csignal>
#include <thread>
#include <unistd.h>

/// Whether the messages are those of a test (`-lit-test`).
static bool isDelimited(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef argument = llvm::StringRef(argv[i]).ltrim('-');
    if (argument == "lit-test" || argument == "input-style=delimited")
      return true;
  }
  return false;
}

/// Puts the filter before the standard input. False if the system refuses.
static bool filterInput(bool delimited) {
  int ends[2];
  std::FILE *in = fdopen(dup(STDIN_FILENO), "rb");
  if (!in || pipe(ends) || dup2(ends[0], STDIN_FILENO) < 0)
    return false;
  close(ends[0]);
  std::FILE *out = fdopen(ends[1], "wb");
  if (!out)
    return false;
  // A server that has ended reads no more.
  std::signal(SIGPIPE, SIG_IGN);
  std::thread([=] {
    ptxbench::DocumentFilter().run(in, out, delimited);
    std::fclose(out);
  }).detach();
  return true;
}

int main(int argc, char **argv) {
  ptxbench::setVersionPrinter();
  mlir::DialectRegistry registry;
  ptxbench::registerAllDialects(registry);
  if (!filterInput(isDelimited(argc, argv))) {
    llvm::errs() << "ptxbench-lsp-server: cannot filter the standard input\n";
    return 3;
  }
  return failed(mlir::MlirLspServerMain(argc, argv, registry));
}
