//===- FrontEnd.cpp - Times of the front end, phase by phase --------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What frontend.py runs: reads each file into memory and times, on one thread,
// lexing, matching and checking to a syntax tree; the same and building the IR;
// export; and the analysis of all entries. Prints for each the best CPU time of
// some runs, in seconds: other work on the machine counts less than in wall
// time.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/MLIRContext.h"
#include "ptxbench/Analysis/Reachability.h"
#include "ptxbench/Dialect/PTX/IR/PTXOps.h"
#include "ptxbench/Support/Version.h"
#include "ptxbench/Target/PTX/Export.h"
#include "ptxbench/Target/PTX/Import.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <ctime>
#include <limits>

using namespace mlir;
using namespace ptxbench;
namespace cl = llvm::cl;

static cl::list<std::string> files(cl::Positional, cl::desc("FILE..."),
                                   cl::OneOrMore);
static cl::opt<unsigned> runs("runs", cl::init(5),
                              cl::desc("how often each phase is timed"));
static cl::opt<bool> onlyParse("only-parse", cl::desc("no IR"));
static cl::opt<bool> onlyImport("only-import",
                                cl::desc("neither export nor analysis"));

/// The CPU time of this process so far in seconds.
static double now() { return double(std::clock()) / CLOCKS_PER_SEC; }

/// The best CPU time of `body` in seconds.
template <typename Fn> static double best(Fn &&body) {
  double seconds = std::numeric_limits<double>::infinity();
  for (unsigned i = 0; i < std::max(1u, unsigned(runs)); ++i) {
    double start = now();
    body();
    seconds = std::min(seconds, now() - start);
  }
  return seconds;
}

static void print(llvm::StringRef phase, double seconds) {
  llvm::outs() << phase << " " << llvm::format("%.6f", seconds) << "\n";
}

static bool measure(const std::string &path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file) {
    llvm::errs() << "cannot read '" << path
                 << "': " << file.getError().message() << "\n";
    return false;
  }
  llvm::MemoryBufferRef text = (*file)->getMemBufferRef();
  llvm::outs() << "file " << path << "\nbytes " << text.getBufferSize() << "\n";
  bool ok = true;
  auto report = [&](const syntax::Diagnostic &diagnostic) {
    if (diagnostic.severity != syntax::Severity::Error)
      return;
    if (ok)
      llvm::errs() << path << ":" << diagnostic.line << ": "
                   << diagnostic.message << "\n";
    ok = false;
  };
  size_t instructions = 0;
  print("parse", best([&] {
          syntax::LineTable lines(text.getBuffer());
          auto tree = syntax::parseModule(text, lines, report);
          instructions = 0;
          if (tree)
            for (const syntax::Function &function : tree->functions)
              instructions += function.insts.size();
        }));
  llvm::outs() << "instructions " << instructions << "\n";
  if (!ok || onlyParse)
    return ok;
  // A context for each, as in one call of a tool.
  std::unique_ptr<MLIRContext> context;
  OwningOpRef<ModuleOp> module;
  double import = std::numeric_limits<double>::infinity();
  for (unsigned i = 0; i < std::max(1u, unsigned(runs)); ++i) {
    module = {};
    context = std::make_unique<MLIRContext>(MLIRContext::Threading::DISABLED);
    double start = now();
    module = importPTX(text, context.get(), report);
    import = std::min(import, now() - start);
  }
  print("import", import);
  if (!module || onlyImport)
    return ok && module;
  print("export", best([&] {
          std::string exported;
          llvm::raw_string_ostream os(exported);
          ok &= succeeded(exportPTX(*module, os));
        }));
  print("analyze", best([&] {
          for (auto entry : module->getOps<ptx::EntryOp>()) {
            if (entry.getBody().empty())
              continue;
            llvm::Expected<EntryVerdicts> verdicts =
                analyzeReachability(entry, {});
            if (!verdicts) {
              llvm::errs() << llvm::toString(verdicts.takeError()) << "\n";
              ok = false;
            }
          }
        }));
  return ok;
}

int main(int argc, char **argv) {
  setVersionPrinter();
  cl::ParseCommandLineOptions(argc, argv, "times of the PTX front end\n");
  bool ok = true;
  for (const std::string &path : files)
    ok &= measure(path);
  return ok ? 0 : 1;
}
