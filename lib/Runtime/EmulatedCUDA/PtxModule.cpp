//===- PtxModule.cpp - Device code on the emulated device -----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only file here that knows MLIR. A module has a context of its own.
//
//===----------------------------------------------------------------------===//

#include "PtxModule.h"
#include "mlir/IR/MLIRContext.h"
#include "ptxbench/Dialect/PTX/IR/PTXOps.h"
#include "ptxbench/Target/PTX/Import.h"
#include "ptxbench/Target/SASS/Fatbin.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

#include <cstring>
#include <set>

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulated;

PtxModule::~PtxModule() = default;

namespace {

class ImportedModule : public PtxModule {
public:
  explicit ImportedModule(std::string source)
      : text(std::move(source)),
        hash(toHex(SHA256::hash(arrayRefFromStringRef(StringRef(text))),
                   /*LowerCase=*/true)),
        context(mlir::MLIRContext::Threading::DISABLED) {
    context.loadDialect<ptx::PTXDialect>();
  }

  Error load(emulator::Device &device) {
    std::string complaints;
    raw_string_ostream os(complaints);
    syntax::LineTable lines(text);
    op = importPTX(MemoryBufferRef(text, "device-code.ptx"), &context,
                   [&](const syntax::Diagnostic &diagnostic) {
                     syntax::printDiagnostic(os, "device-code.ptx", lines,
                                             diagnostic);
                   });
    if (!op)
      return createStringError(inconvertibleErrorCode(),
                               "the PTX text is refused:\n" + complaints);
    Expected<std::unique_ptr<emulator::LoadedModule>> loaded = device.load(*op);
    if (!loaded)
      return loaded.takeError();
    module = std::move(*loaded);
    op->walk([&](ptx::InstOpInterface inst) {
      if (getFamily(inst.getOpcode(), inst.getInst().mods) == Family::None)
        return;
      if (auto place = inst->getLoc()->findInstanceOf<mlir::FileLineColLoc>())
        targets.emplace(place.getLine(), place.getColumn());
    });
    return Error::success();
  }

  emulator::LoadedModule &loaded() override { return *module; }
  const std::string &sha256() const override { return hash; }
  bool isTarget(unsigned line, unsigned column) const override {
    return targets.count({line, column});
  }

private:
  std::string text, hash;
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> op;
  std::unique_ptr<emulator::LoadedModule> module;
  std::set<std::pair<unsigned, unsigned>> targets;
};

} // namespace

Expected<std::unique_ptr<PtxModule>>
PtxModule::create(std::string text, emulator::Device &device) {
  auto module = std::make_unique<ImportedModule>(std::move(text));
  if (Error error = module->load(device))
    return Expected<std::unique_ptr<PtxModule>>(std::move(error));
  return std::unique_ptr<PtxModule>(std::move(module));
}

Expected<std::string> emulated::selectPtx(const void *image,
                                          unsigned computeCapability) {
  const auto *bytes = static_cast<const uint8_t *>(image);
  auto refuse = [](const Twine &text) {
    return createStringError(inconvertibleErrorCode(), text);
  };
  if (std::memcmp(bytes,
                  "\x7f"
                  "ELF",
                  4) == 0)
    return refuse("device code that is machine code only cannot be emulated "
                  "(compile with -gencode "
                  "arch=compute_90a,code=[compute_90a,sm_90a])");
  // The mark's first byte is a letter, its second is none.
  if (bytes[1] < 0x80)
    return std::string(static_cast<const char *>(image));
  Expected<uint64_t> size = fatbinBytes(ArrayRef(bytes, 16), "device code");
  if (!size)
    return size.takeError();
  Expected<std::vector<FatbinEntry>> entries =
      readFatbins(ArrayRef(bytes, *size), "device code");
  if (!entries)
    return entries.takeError();
  const FatbinEntry *best = nullptr;
  std::string there;
  for (const FatbinEntry &entry : *entries) {
    if (!there.empty())
      there += ", ";
    there += (entry.kind == FatbinKind::PTX ? "PTX of sm_"
                                            : "machine code of "
                                              "sm_") +
             std::to_string(entry.arch);
    if (entry.kind == FatbinKind::PTX && entry.arch <= computeCapability &&
        (!best || best->arch < entry.arch))
      best = &entry;
  }
  if (!best)
    return refuse(
        "no PTX for compute capability " + Twine(computeCapability / 10) + "." +
        Twine(computeCapability % 10) + " among the device code (" + there +
        "); compile with -gencode "
        "arch=compute_90a,code=[compute_90a,sm_90a]");
  return std::string(best->bytes.begin(), best->bytes.end());
}
