//===- StaticPart.h - What is known without running -------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads PTX text (or what becomes PTX text: a module of the ptx dialect,
// kernels of other dialects, LLVM IR), analyses its entries, asks ptxas, and
// puts all that into a report. `analyze` and `run` share it.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_DRIVER_STATICPART_H
#define PTXBENCH_LIB_DRIVER_STATICPART_H

#include "Options.h"
#include "SourceTargets.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "ptxbench/Conversion/LowerToPTX.h"
#include "ptxbench/Dialect/PTX/IR/TextPlace.h"
#include "ptxbench/Report/Report.h"
#include "ptxbench/Support/Toolchain.h"
#include "ptxbench/Target/PTX/Parser.h"
#include "ptxbench/Target/SASS/SassMapping.h"
#include "ptxbench/Trace/Trace.h"

#include <map>

namespace ptxbench {

/// A module, ready to be analysed under any assumptions.
class StaticPart {
public:
  StaticPart();
  ~StaticPart();

  /// Reads `path`; "-" is PTX text on the standard input. A `.mlir` or `.ll`
  /// file is lowered. Errors in it are printed with their places, and kept as
  /// `errors`; false: it could not be read, parsed, lowered or checked,
  /// `refusal` says how in one sentence. There is a `text` then, too, unless
  /// it is the file that could not be read or lowered.
  bool load(llvm::StringRef path, const LoweringOptions &lowering = {});

  /// Errors are kept and not printed.
  void beQuiet() { isQuiet = true; }

  /// What the text was lowered from; absent where it was not.
  const std::optional<LoweredModule> &lowered() const { return loweredModule; }
  /// The text was lowered before: says what it came from, and from which file.
  void setLowered(std::optional<LoweredModule> module, llvm::StringRef path) {
    loweredModule = std::move(module);
    sourcePath = path.str();
  }
  /// The target operations that it was lowered from.
  const std::vector<SourceTarget> &sourceTargets() const { return targets; }
  void setSourceTargets(std::vector<SourceTarget> from) {
    targets = std::move(from);
  }
  /// Says in a report of which of them nothing is left in the text.
  void addRemoved(Report &report);
  /// Puts the places that lines of the text were made of into a report.
  void addSources(Report &report);
  /// Where a line of the text was made: "kernel.cu:42:7", which `.loc` gives,
  /// or the place of an operation; empty: not known.
  ptx::TextPlace findSource(unsigned line);
  /// In words: "inner.h:7:3, inlined at kernel.cu:42:7".
  std::string sourceOf(unsigned line);

  /// The PTX text the lines of verdicts refer to, and its SHA-256 in hex.
  llvm::StringRef text() const { return ptxText; }
  const std::string &refusal() const { return refused; }
  const std::string &errors() const { return printedErrors; }
  const ModuleInfo &info() const { return moduleInfo; }

  std::vector<std::string> entryNames();
  bool hasEntry(llvm::StringRef name);

  /// "file:line:column" of an entry, as far as it is known.
  std::string placeOf(llvm::StringRef entry);

  /// The verdicts of one entry. Fails where the assumptions contradict the
  /// directives or parameters of the entry.
  llvm::Expected<EntryVerdicts> analyze(llvm::StringRef entry,
                                        const LaunchAssumptions &assumptions);

  /// The target instructions of one entry in the order of the text, for the
  /// mapping of machine code.
  llvm::Expected<std::vector<PtxTarget>> getTargets(llvm::StringRef entry);

  /// Byte offset and size of each parameter of an entry.
  struct Param {
    uint64_t offset = 0, size = 0;
    /// "u32", "b64" …; of an array: of its elements.
    std::string type;
  };
  std::vector<Param> getParams(llvm::StringRef entry);
  /// The extents of a directive of an entry ("reqntid"), if it is given.
  std::optional<Dim3> getDirective(llvm::StringRef entry, llvm::StringRef name);

  /// Brings the parameters of a launch from the places that a driver gave them
  /// to those that the PTX ISA gives them; drops them where they are not those
  /// of this PTX's entry.
  void layOutParams(LaunchRecord &launch);

  /// The assumptions that an observed launch fulfils. Its parameters are where
  /// the PTX ISA has them.
  LaunchAssumptions getAssumptions(const LaunchRecord &launch);

  /// Those of the command line, for one entry.
  llvm::Expected<LaunchAssumptions> getAssumptions(const DriverOptions &options,
                                                   llvm::StringRef entry);

private:
  mlir::Operation *findEntry(llvm::StringRef name);
  void print(llvm::StringRef text);
  std::string describe(const syntax::Diagnostic &diagnostic,
                       const syntax::LineTable &lines);
  bool refuse(const llvm::Twine &reason);
  /// Where in the file a line of the text came from, if the text was made of
  /// it: "k.mlir:7:3"; empty if that is not known.
  std::string findOrigin(unsigned line) const;
  std::optional<std::string> readMLIR(std::unique_ptr<llvm::MemoryBuffer> file,
                                      const LoweringOptions &lowering);
  std::optional<std::string> readLLVM(llvm::MemoryBufferRef file,
                                      const LoweringOptions &lowering);

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::string ptxText, refused, printedErrors, sourcePath;
  std::optional<LoweredModule> loweredModule;
  /// Of a text that was exported: the places of operations, from the lines on
  /// that are the keys.
  std::optional<std::map<unsigned, std::string>> exportedFrom;
  std::vector<SourceTarget> targets;
  bool isQuiet = false;
  /// What `.loc` says of each line; made when it is first asked for.
  std::optional<std::map<unsigned, ptx::TextPlace>> sourceOfLine;
  ModuleInfo moduleInfo;
};

/// Runs ptxas on a file. What it says goes into the result; absent where there
/// is no ptxas, and `reason` then says so.
std::optional<PtxasInfo> askPtxas(Toolchain &toolchain, llvm::StringRef ptxPath,
                                  llvm::StringRef target,
                                  llvm::StringRef workDirectory,
                                  std::string &reason);
PtxasInfo toPtxasInfo(const PtxasOutput &output, llvm::StringRef version,
                      bool accepted);

/// The first error of a compiler, as the end of a sentence that begins with who
/// refuses: ": candidate.cu:64: expected a \";\"". Empty if there is none that
/// is known as one.
std::string describeFirstError(const NvccRun &run);

/// SHA-256 in lower-case hex.
std::string sha256Hex(llvm::StringRef text);

} // namespace ptxbench

#endif // PTXBENCH_LIB_DRIVER_STATICPART_H
