//===- ModuleImage.cpp - The variables of a loaded module -----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA "Initializers": numbers of the element's type, and addresses of
// variables and functions, whole or a byte of them.
//
//===----------------------------------------------------------------------===//

#include "ModuleImage.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>

using namespace llvm;
using namespace mlir;
using namespace ptxbench;
using namespace ptxbench::emulator;

/// Bytes of one element.
static unsigned elementBytes(ptx::VarAttr var) {
  std::optional<Mod> mod = symbolizeMod(var.getType());
  std::optional<DataType> type = mod ? getModType(*mod) : std::nullopt;
  return type ? std::max(1, type->width / 8) : 1;
}

uint64_t ptxbench::emulator::alignmentOf(ptx::VarAttr var) {
  if (var.getAlign())
    return var.getAlign();
  return elementBytes(var) * std::max(1u, var.getVec());
}

static Error makeError(ptx::VarOp var, const Twine &message) {
  return createStringError(inconvertibleErrorCode(),
                           "the variable '" + var.getDecl().getName() + "' " +
                               message);
}

Expected<std::unique_ptr<ModuleImage>>
ModuleImage::create(ModuleOp module, GlobalMemory &memory) {
  std::unique_ptr<ModuleImage> image(new ModuleImage(memory));
  for (auto function : module.getOps<ptx::FuncOp>()) {
    if (function.isExternal()) {
      if (function.getSymName() == "malloc" && !memory.makeHeap())
        return createStringError(inconvertibleErrorCode(),
                                 "the heap of malloc does not fit into the "
                                 "memory");
      continue;
    }
    image->functions.push_back(function);
    image->functionNumbers[function.getSymName()] = image->functions.size();
  }
  for (auto var : module.getOps<ptx::VarOp>())
    if (Error error = image->place(var))
      return std::move(error);
  for (auto var : module.getOps<ptx::VarOp>())
    if (Error error = image->initialise(var))
      return std::move(error);
  return image;
}

ModuleImage::~ModuleImage() {
  for (uint64_t address : allocations)
    memory.release(address);
}

Error ModuleImage::place(ptx::VarOp var) {
  ptx::VarAttr decl = var.getDecl();
  StringRef space = decl.getSpace();
  if (space == "shared") {
    shared.push_back(var);
    return Error::success();
  }
  if (space != "global" && space != "const")
    return makeError(var, "is in the space '" + space +
                              "', which the emulator has not");
  if (var.getLinkage() == "extern")
    return makeError(var, "is external, and no other module is linked");
  uint64_t bytes = decl.getSizeInBytes();
  // An unsized array has as many elements as its initialiser.
  if (auto words = dyn_cast_or_null<DenseI64ArrayAttr>(var.getInitAttr()))
    bytes = std::max<uint64_t>(bytes, words.size() * elementBytes(decl));
  if (auto list = dyn_cast_or_null<ArrayAttr>(var.getInitAttr()))
    bytes = std::max<uint64_t>(bytes, list.size() * elementBytes(decl));
  uint64_t address = memory.allocate(bytes);
  if (!address)
    return makeError(var, "of " + Twine(bytes) +
                              " bytes does not fit into the memory");
  allocations.push_back(address);
  variables[decl.getName()] = {address, bytes};
  return Error::success();
}

Error ModuleImage::initialise(ptx::VarOp var) {
  ptx::VarAttr decl = var.getDecl();
  auto it = variables.find(decl.getName());
  if (it == variables.end())
    return Error::success();
  char *memory = reinterpret_cast<char *>(it->second.address);
  unsigned size = elementBytes(decl);
  auto store = [&](size_t index, uint64_t value) {
    // Little endian on both sides; elements of 128 bits are zero above.
    std::memcpy(memory + index * size, &value, std::min<size_t>(size, 8));
  };
  if (auto words = dyn_cast_or_null<DenseI64ArrayAttr>(var.getInitAttr())) {
    for (auto [index, word] : enumerate(words.asArrayRef()))
      store(index, word);
    return Error::success();
  }
  auto list = dyn_cast_or_null<ArrayAttr>(var.getInitAttr());
  if (!list)
    return Error::success();
  for (auto [index, init] : enumerate(list.getAsRange<ptx::InitAttr>())) {
    uint64_t value = init.getValue();
    if (init.getKind() == "f32" && size == 8)
      value = bit_cast<uint64_t>(double(bit_cast<float>(uint32_t(value))));
    else if (init.getKind() == "f64" && size == 4)
      value = bit_cast<uint32_t>(float(bit_cast<double>(value)));
    if (StringAttr symbol = init.getSymbol()) {
      auto other = variables.find(symbol.getValue());
      auto function = functionNumbers.find(symbol.getValue());
      if (other != variables.end())
        value += other->second.address;
      else if (function != functionNumbers.end())
        value += function->second;
      else
        return makeError(var, "is initialised with the address of '" +
                                  symbol.getValue() +
                                  "', which has none when the module is "
                                  "loaded");
      // mask(symbol): the bits of the mask, moved down.
      if (uint64_t mask = init.getMask())
        value = (value & mask) >> countr_zero(mask);
    }
    store(index, value);
  }
  return Error::success();
}
