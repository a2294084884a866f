//===- TensorMapOps.cpp - Instructions on tensor maps ---------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA "tensormap.replace", "tensormap.cp_fenceproxy",
// "prefetch.tensormap", and the operand of the instructions that use a map. A
// copy reads the map when it is issued; so what a fence of the tensormap proxy
// would show it is there already.
//
//===----------------------------------------------------------------------===//

#include "../Checks/RaceChecker.h"
#include "../Checks/UndefinedValues.h"
#include "MemoryAccess.h"
#include "TensorMapAccess.h"

#include <cstring>

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

static constexpr const char *mapName = "the tensor map";

const uint8_t *ptxbench::emulator::findTensorMap(const Issuer &issuer,
                                                 uint64_t address) {
  const char *where = isInWindow(sharedWindow, address)  ? "shared"
                      : isInWindow(localWindow, address) ? "local"
                                                         : nullptr;
  if (where) {
    issuer.fail("tensor-map", "the tensor map is in " + Twine(where) +
                                  " memory; it is used from .param, .const or "
                                  ".global");
    return nullptr;
  }
  return findGlobal(issuer, mapName, address, tensorMapBytes,
                    tensorMapAlignment);
}

bool ptxbench::emulator::readTensorMap(const Issuer &issuer, uint64_t address,
                                       TensorMap &map) {
  const uint8_t *bytes = findTensorMap(issuer, address);
  if (!bytes)
    return false;
  if (RaceChecker *races = issuer.cta().cluster->races.get())
    races->useTensorMap(*issuer.warp, *issuer.inst, issuer.lane, bytes,
                        tensorMapBytes);
  Expected<TensorMap> decoded =
      TensorMap::decode(ArrayRef<uint8_t>(bytes, tensorMapBytes));
  if (!decoded)
    return issuer.fail("tensor-map", toString(decoded.takeError()));
  map = *decoded;
  return true;
}

namespace {
struct MapExtra : InstExtra {
  /// The map that is changed, or copied to.
  BulkAddress map;
  BulkAddress source;
  TensorMapField field = TensorMapField::GlobalAddress;
  /// Of `ord`; noSlot without.
  Slot ordinal = noSlot;
  Slot value = noSlot;
  bool valueIs64 = false;
};
} // namespace

static const MapExtra &extraOf(const Inst &inst) {
  return static_cast<const MapExtra &>(*inst.extra);
}

//===----------------------------------------------------------------------===//
// tensormap.replace
//===----------------------------------------------------------------------===//

/// The bytes of a map that is changed in place, in global or own shared
/// memory.
static uint8_t *findChangeable(const Issuer &issuer, Space space,
                               uint64_t address) {
  if (space == Space::Generic && isInWindow(sharedWindow, address)) {
    space = Space::SharedCta;
    address -= sharedWindow;
  }
  if (space != Space::SharedCta)
    return findWritableGlobal(issuer, mapName, address, tensorMapBytes,
                              tensorMapAlignment);
  SharedPlace place;
  return findShared(issuer, mapName, address, SharedReach::OwnCta,
                    tensorMapBytes, tensorMapAlignment, place)
             ? place.data()
             : nullptr;
}

/// flags[0]: the Space.
static void executeReplace(Warp &warp, const Inst &inst, LaneMask mask) {
  const MapExtra &extra = extraOf(inst);
  forEachIssuer(warp, inst, mask, [&](const Issuer &issuer) {
    uint8_t *bytes =
        findChangeable(issuer, Space(inst.flags[0]), extra.map.of(issuer));
    if (!bytes)
      return false;
    issuer.watch(AccessKind::Write, bytes, tensorMapBytes);
    uint64_t value = extra.valueIs64 ? issuer.read<uint64_t>(extra.value)
                                     : issuer.read<uint32_t>(extra.value);
    unsigned ordinal =
        extra.ordinal == noSlot ? 0 : issuer.read<uint32_t>(extra.ordinal);
    if (Error error =
            replaceField({bytes, tensorMapBytes}, extra.field, ordinal, value))
      return issuer.fail("tensor-map", toString(std::move(error)));
    return true;
  });
  ++warp.cta->cluster->progress;
}

static std::optional<TensorMapField> fieldOf(const InstDesc &desc) {
  std::optional<Mod> field = desc.slot("field");
  if (!field)
    return std::nullopt;
  switch (*field) {
  case Mod::global_address:
    return TensorMapField::GlobalAddress;
  case Mod::rank:
    return TensorMapField::Rank;
  case Mod::box_dim:
    return TensorMapField::BoxDim;
  case Mod::global_dim:
    return TensorMapField::GlobalDim;
  case Mod::global_stride:
    return TensorMapField::GlobalStride;
  case Mod::element_stride:
    return TensorMapField::ElementStride;
  case Mod::elemtype:
    return TensorMapField::ElementType;
  case Mod::interleave_layout:
    return TensorMapField::InterleaveLayout;
  case Mod::swizzle_mode:
    return TensorMapField::SwizzleMode;
  case Mod::fill_mode:
    return TensorMapField::FillMode;
  default:
    return std::nullopt;
  }
}

static bool useReplace(const InstDesc &desc, Inst &inst, MapExtra &extra) {
  const OperandDesc *address = desc.find("a"), *value = desc.find("value");
  std::optional<TensorMapField> field = fieldOf(desc);
  if (!field || !extra.map.use(address) || !value || !value->isRow() ||
      (value->bits != 32 && value->bits != 64))
    return false;
  if (const OperandDesc *ordinal = desc.find("ord")) {
    if (!ordinal->isRow() || ordinal->bits != 32)
      return false;
    extra.ordinal = ordinal->slot;
  }
  extra.field = *field;
  extra.value = value->slot;
  extra.valueIs64 = value->bits == 64;
  inst.flags[0] = uint8_t(spaceOf(desc, *address));
  inst.handler = executeReplace;
  return true;
}

//===----------------------------------------------------------------------===//
// tensormap.cp_fenceproxy, prefetch.tensormap
//===----------------------------------------------------------------------===//

/// `.sync.aligned`; all threads of the warp copy the same bytes.
static Step executeCpFenceproxy(Warp &warp, const Inst &inst, LaneMask &mask) {
  if (!mask)
    return Step::Next;
  if (!converge(warp, warp.running()))
    return Step::Retry;
  const MapExtra &extra = extraOf(inst);
  forEachIssuer(warp, inst, mask, [&](const Issuer &issuer) {
    SharedPlace source;
    if (!findShared(issuer, "the source", extra.source.of(issuer),
                    SharedReach::OwnCta, tensorMapBytes, tensorMapAlignment,
                    source))
      return false;
    issuer.watch(AccessKind::Read, source.data(), tensorMapBytes);
    checkLeaving(warp, inst, issuer.lane, source.data(), tensorMapBytes);
    uint8_t *to =
        findWritableGlobal(issuer, "the destination", extra.map.of(issuer),
                           tensorMapBytes, tensorMapAlignment);
    if (!to)
      return false;
    issuer.watch(AccessKind::Write, to, tensorMapBytes);
    std::memcpy(to, source.data(), tensorMapBytes);
    return true;
  });
  // It is a fence of the tensormap proxy that releases.
  if (RaceChecker *races = warp.cta->cluster->races.get())
    races->fenceTensorMap(warp, /*release=*/true,
                          MemoryOrder::unpack(inst.flags[orderFlag]).scope);
  ++warp.cta->cluster->progress;
  return warp.launch->stopped ? Step::Ended : Step::Next;
}

static void executePrefetch(Warp &warp, const Inst &inst, LaneMask mask) {
  forEachIssuer(warp, inst, mask, [&](const Issuer &issuer) {
    return findTensorMap(issuer, extraOf(inst).map.of(issuer)) != nullptr;
  });
}

bool ptxbench::emulator::selectTensorMap(const InstDesc &desc, Inst &inst,
                                         OwnExtra &own) {
  auto extra = std::make_unique<MapExtra>();
  switch (desc.opcode) {
  case Opcode::tensormap_replace:
    if (!useReplace(desc, inst, *extra))
      return false;
    break;
  case Opcode::tensormap_cp_fenceproxy:
    if (!extra->map.use(desc.find("dst")) ||
        !extra->source.use(desc.find("src")))
      return false;
    inst.flags[orderFlag] = memoryOrderOf(desc, Scope::Gpu).pack();
    inst.control = executeCpFenceproxy;
    break;
  case Opcode::prefetch:
    if (!desc.has(Mod::tensormap) || !extra->map.use(desc.find("a")))
      return false;
    inst.handler = executePrefetch;
    break;
  default:
    return false;
  }
  inst.extra = extra.get();
  own.push_back(std::move(extra));
  return true;
}
