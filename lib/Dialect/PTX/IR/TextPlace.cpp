//===- TextPlace.cpp - What a location says of PTX ------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Dialect/PTX/IR/TextPlace.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace ptxbench::ptx {

static std::string toString(FileLineColLoc place) {
  return llvm::formatv("{0}:{1}:{2}", place.getFilename().getValue(),
                       place.getLine(), place.getColumn());
}

/// The call that is not itself inlined.
static FileLineColLoc getOutermostCaller(CallSiteLoc site) {
  Location caller = site.getCaller();
  while (auto next = dyn_cast<CallSiteLoc>(caller))
    caller = next.getCaller();
  return caller->findInstanceOf<FileLineColLoc>();
}

TextPlace getTextPlace(Location loc) {
  TextPlace place;
  SmallVector<FileLineColLoc, 2> files;
  loc->walk([&](Location part) {
    if (auto file = dyn_cast<FileLineColLoc>(part))
      files.push_back(file);
    return WalkResult::advance();
  });
  FileLineColLoc text;
  for (FileLineColLoc file : files)
    if (!text && file.getFilename().getValue().ends_with(".ptx"))
      text = file;
  if (!text && !files.empty())
    text = files.front();
  if (!text)
    return place;
  place.line = text.getLine();
  place.column = text.getColumn();
  auto source =
      llvm::find_if(files, [&](FileLineColLoc file) { return file != text; });
  if (source == files.end())
    return place;
  place.source = toString(*source);
  if (auto site = loc->findInstanceOf<CallSiteLoc>())
    if (FileLineColLoc caller = getOutermostCaller(site);
        caller && caller != text && caller != *source)
      place.inlinedAt = toString(caller);
  return place;
}

Location getModulePlace(Operation *module) {
  auto place = module->getLoc()->findInstanceOf<FileLineColLoc>();
  if (!place || place.getLine())
    return module->getLoc();
  return FileLineColLoc::get(place.getFilename(), 1, 1);
}

} // namespace ptxbench::ptx
