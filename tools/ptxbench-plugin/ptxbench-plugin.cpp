//===- ptxbench-plugin.cpp - Our dialect and passes in mlir-opt -----------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A library that a stock mlir-opt loads, as its dialect plugin and as its pass
// plugin (docs/Tools.md).
//
// It holds our code and no MLIR: it must share libMLIR and libLLVM with the
// tool that loads it, whose types, options and registries would be there twice
// otherwise. ptxbench-plugin.map says what it exports.
//
//===----------------------------------------------------------------------===//

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "ptxbench/InitAll.h"
#include "ptxbench/Support/Version.h"

extern "C" mlir::DialectPluginLibraryInfo mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "ptxbench", ptxbench::getVersion(),
          [](mlir::DialectRegistry *registry) {
            ptxbench::registerPTXDialects(*registry);
          }};
}

extern "C" mlir::PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "ptxbench", ptxbench::getVersion(),
          [] { ptxbench::registerPTXPasses(); }};
}
