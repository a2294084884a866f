//===- Decoder.cpp - From the ptx dialect to a Program --------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. The functions that the entry reaches, and the shared variables they name,
//    are collected; the variables are laid out.
// 2. Each body is decoded by a FunctionDecoder: every value gets the row of its
//    register, operations follow in the order of the text.
// 3. Targets of branches become indices.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "../Ops/RegisterPool.h"
#include "FunctionDecoder.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace mlir;
using namespace ptxbench;
using namespace ptxbench::emulator;

KernelInfo ptxbench::emulator::layOutParams(ptx::EntryOp entry) {
  KernelInfo info;
  for (auto param : entry.getParams().getAsRange<ptx::VarAttr>()) {
    uint64_t offset = alignTo(info.paramBytes, alignmentOf(param));
    uint64_t bytes = param.getSizeInBytes();
    info.params.push_back({uint32_t(offset), uint32_t(bytes)});
    info.paramBytes = offset + bytes;
  }
  auto dim = [](ArrayRef<int64_t> values) {
    Dim3 result;
    uint32_t *extents[] = {&result.x, &result.y, &result.z};
    for (unsigned i = 0; i < values.size() && i < 3; ++i)
      *extents[i] = values[i];
    return result;
  };
  if (auto block = entry.getDirective("reqntid"))
    info.requiredBlock = dim(*block);
  if (auto cluster = entry.getDirective("reqnctapercluster"))
    info.requiredCluster = dim(*cluster);
  if (auto most = entry.getDirective("maxntid"))
    info.maxThreads = std::min<uint64_t>(1024, dim(*most).volume());
  return info;
}

namespace {

class Decoder {
public:
  Decoder(ptx::EntryOp entry, const ModuleImage &image, uint64_t paramAddress,
          bool checks)
      : entry(entry), image(image) {
    context.checks = checks;
    context.image = &image;
    context.program = std::make_unique<Program>();
    context.program->paramAddress = paramAddress;
    context.program->constVariables = image.constVariables;
    context.program->sources.emplace_back();
  }

  Expected<std::unique_ptr<Program>> run() {
    collect(entry.getBody());
    if (Error error = layOutShared())
      return std::move(error);
    KernelInfo info = layOutParams(entry);
    context.program->paramBytes = info.paramBytes;
    for (auto [param, place] :
         zip(entry.getParams().getAsRange<ptx::VarAttr>(), info.params))
      context.entryParams[param.getName()] = paramAddress() + place.offset;

    context.program->functions.resize(image.functions.size() + 1);
    if (Error error = decodeFunction(context, entry, 0))
      return std::move(error);
    for (unsigned i = 0; i < image.functions.size(); ++i)
      if (reached.count(image.functions[i]))
        if (Error error = decodeFunction(context, image.functions[i], i + 1))
          return std::move(error);
    context.program->registersAtLaunch =
        registersAtLaunch(*context.program, allowedRegisters());
    return std::move(context.program);
  }

private:
  /// The registers per thread that the directives allow, as ptxas takes them; 0
  /// where it ignores `setmaxnreg` because they do not say. `.minnctapersm`
  /// shares the register file out, in warps of whole warpgroups.
  uint32_t allowedRegisters() {
    constexpr uint64_t fileRegisters = 65536, most = 256;
    if (auto maxnreg = entry.getDirective("maxnreg"))
      if (!maxnreg->empty())
        return std::min<uint64_t>(alignTo(maxnreg->front(), 8), most);
    auto ctas = entry.getDirective("minnctapersm");
    auto threads = entry.getDirective("reqntid");
    if (!threads)
      threads = entry.getDirective("maxntid");
    if (!ctas || ctas->empty() || ctas->front() < 1 || !threads)
      return 0;
    uint64_t volume = 1;
    for (int64_t extent : *threads)
      volume *= extent;
    return std::min(
        alignDown(
            fileRegisters / (ctas->front() * alignTo(volume, 4 * warpSize)), 8),
        most);
  }
  uint64_t paramAddress() const { return context.program->paramAddress; }

  /// Follows every name in the body.
  void collect(Region &body) {
    SmallVector<Region *> work{&body};
    auto visit = [&](StringRef name) {
      names.insert(name);
      auto it = image.functionNumbers.find(name);
      if (it == image.functionNumbers.end())
        return;
      ptx::FuncOp function = image.functions[it->second - 1];
      if (reached.insert(function).second)
        work.push_back(&function.getBody());
    };
    bool indirect = false;
    while (!work.empty()) {
      Region *region = work.pop_back_val();
      region->walk([&](ptx::InstOpInterface inst) {
        for (const ptx::OperandNode &node : inst.getInst().operands)
          if (node.kind == OperandKind::Symbol && node.name)
            visit(node.name.getValue());
        // A callee in a register may be any function.
        if (inst.getOpcode() == Opcode::call && !inst.getUses().empty() &&
            !indirect) {
          indirect = true;
          for (ptx::FuncOp function : image.functions)
            if (reached.insert(function).second)
              work.push_back(&function.getBody());
        }
      });
    }
  }

  /// Gives the shared variables of the module that are named their offsets;
  /// those without an extent begin behind all others.
  Error layOutShared() {
    uint32_t next = reservedSharedBytes;
    std::vector<ptx::VarAttr> dynamic;
    uint64_t alignment = 1;
    for (ptx::VarOp var : image.shared) {
      ptx::VarAttr decl = var.getDecl();
      if (!names.count(decl.getName()))
        continue;
      if (decl.getSizeInBytes() == 0) {
        dynamic.push_back(decl);
        alignment = std::max(alignment, alignmentOf(decl));
        continue;
      }
      next = alignTo(next, alignmentOf(decl));
      context.shared[decl.getName()] = next;
      next += decl.getSizeInBytes();
    }
    // Variables inside of functions follow.
    auto place = [&](Region &body) {
      body.walk([&](ptx::VarOp var) {
        ptx::VarAttr decl = var.getDecl();
        if (decl.getSpace() != "shared")
          return;
        next = alignTo(next, alignmentOf(decl));
        context.localShared[var] = next;
        next += decl.getSizeInBytes();
      });
    };
    place(entry.getBody());
    for (ptx::FuncOp function : image.functions)
      if (reached.count(function))
        place(function.getBody());
    next = alignTo(next, std::max<uint64_t>(alignment, 16));
    for (ptx::VarAttr decl : dynamic)
      context.shared[decl.getName()] = next;
    context.program->sharedBytes = next;
    if (next > (1u << sharedRankShift))
      return createStringError(inconvertibleErrorCode(),
                               "the shared variables of '" +
                                   entry.getSymName() + "' have " +
                                   Twine(next) + " bytes");
    return Error::success();
  }

  ptx::EntryOp entry;
  const ModuleImage &image;
  DecodeContext context;
  llvm::StringSet<> names;
  llvm::DenseSet<Operation *> reached;
};

} // namespace

Expected<std::unique_ptr<Program>>
ptxbench::emulator::decodeEntry(ptx::EntryOp entry, const ModuleImage &image,
                                uint64_t paramAddress, bool checks) {
  return Decoder(entry, image, paramAddress, checks).run();
}
