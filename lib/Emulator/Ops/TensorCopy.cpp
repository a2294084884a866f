//===- TensorCopy.cpp - cp.async.bulk.tensor and its reductions -----------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA "cp.async.bulk.tensor", "cp.reduce.async.bulk.tensor",
// "cp.async.bulk.prefetch.tensor". The map is read and the operands are checked
// when the copy is issued; whether the tensor lies in an allocation is seen
// when its bytes are moved.
//
//===----------------------------------------------------------------------===//

#include "../Checks/UndefinedValues.h"
#include "../TMA/BoxWalk.h"
#include "BulkOperands.h"
#include "MemoryAccess.h"
#include "TensorMapAccess.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

namespace {
struct TensorExtra : InstExtra {
  BulkAddress map;
  /// Of loads.
  SharedTarget target;
  /// Of stores and reductions.
  BulkAddress source;
  unsigned rank = 0;
  TensorAccess access = TensorAccess::Load;
  TensorLoadMode mode = TensorLoadMode::Tile;
  ReductionOp reduction = ReductionOp::Add;
  SmallVector<Slot, maxTensorRank> coordinates;
  SmallVector<Slot, 3> offsets;
};

/// The map and the coordinates of one copy.
struct Box {
  TensorMap map;
  TensorCoordinates at;

  /// Bytes of shared memory from `sharedAddress` on in which the box lies.
  uint64_t sharedBytes(uint32_t sharedAddress) const {
    uint64_t bytes = boxBytes(map);
    unsigned span = swizzleSpan(map.swizzle);
    if (!span || (bytes % span == 0 && boxRowBytes(map) == boxRowPitch(map)))
      return bytes;
    // Where the pieces of the last line go depends on the address.
    uint64_t end = 0;
    forEachRun(map, at, sharedAddress, [&](const TensorRun &run) {
      end = std::max<uint64_t>(end,
                               run.sharedAddress + run.bytes - sharedAddress);
    });
    return end;
  }
};
} // namespace

static const TensorExtra &extraOf(const Inst &inst) {
  return static_cast<const TensorExtra &>(*inst.extra);
}

/// `sharedAddress`: of the destination or source, which `what` calls it.
static bool readBox(const TensorExtra &extra, const Issuer &issuer,
                    const char *what, uint64_t sharedAddress, Box &box) {
  if (!checkAlignment(issuer, what, sharedAddress, tensorSharedAlignment) ||
      !readTensorMap(issuer, extra.map.of(issuer), box.map))
    return false;
  for (unsigned i = 0; i < extra.coordinates.size(); ++i)
    box.at.at[i] = issuer.read<int32_t>(extra.coordinates[i]);
  for (unsigned i = 0; i < extra.offsets.size(); ++i)
    box.at.offsets[i] = issuer.read<uint16_t>(extra.offsets[i]);
  if (Error error = checkTensorAccess(box.map, extra.access, extra.mode,
                                      extra.rank, box.at, sharedAddress))
    return issuer.fail("tensor-copy", toString(std::move(error)));
  return true;
}

/// Calls `use(run)` for the runs of a box; false after a fault because one is
/// outside of all allocations, or is written (`isStore`) where that may not be.
template <class F>
static bool forEachCheckedRun(const Issuer &issuer, const Box &box,
                              uint32_t sharedAddress, bool isStore, F use) {
  const GlobalMemory &memory = *issuer.warp->launch->memory;
  AddressRange allocation;
  bool good = true;
  forEachRun(box.map, box.at, sharedAddress, [&](const TensorRun &run) {
    if (!good)
      return;
    if (run.inBounds &&
        !memory.contains(run.globalAddress, run.globalAddress + run.bytes,
                         allocation)) {
      good =
          failOutOfGlobal(issuer, "the tensor", run.globalAddress, run.bytes);
      return;
    }
    if (run.inBounds && isStore && allocation.readOnly) {
      good = failReadOnly(issuer, "the tensor");
      return;
    }
    use(run);
  });
  return good;
}

/// Tells the race checker of an access to the box. What is outside of all
/// allocations is a fault later.
static void watchTensor(const Issuer &issuer, const Box &box,
                        uint32_t sharedAddress, const AsyncAccess &access) {
  // Pieces that follow each other in global memory are one.
  uint64_t begin = 0, end = 0;
  auto flush = [&] {
    if (begin != end)
      watchAccess(issuer, access, reinterpret_cast<const void *>(begin),
                  end - begin);
  };
  forEachRun(box.map, box.at, sharedAddress, [&](const TensorRun &run) {
    if (!run.inBounds)
      return;
    if (run.globalAddress != end) {
      flush();
      begin = run.globalAddress;
    }
    end = run.globalAddress + run.bytes;
  });
  flush();
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

namespace {
struct TensorLoad {
  Issuer issuer;
  Box box;
  SmallVector<SharedTarget::Places, 1> places;

  void complete() const {
    if (places.empty())
      return;
    // All destinations have the same offset.
    bool good = forEachCheckedRun(
        issuer, box, places[0].destination.offset, /*isStore=*/false,
        [&](const TensorRun &run) {
          for (const SharedTarget::Places &place : places) {
            SharedPlace to{place.destination.cta, run.sharedAddress};
            loadRun(box.map, run, to.data(),
                    reinterpret_cast<const uint8_t *>(run.globalAddress));
            defineShared(*to.cta->cluster, to.data(), run.bytes);
          }
        });
    if (!good)
      return;
    for (const SharedTarget::Places &place : places)
      if (!completeAt(issuer, place, boxBytes(box.map)))
        return;
  }
};
} // namespace

/// Tells the race checker what a load reads, and spoils what it will write.
static void watchLoad(const Issuer &issuer, const TensorLoad &load) {
  if (load.places.empty())
    return;
  // Of several destinations none says that all reads are over.
  if (load.places.size() == 1)
    watchTensor(issuer, load.box, load.places[0].destination.offset,
                {load.places[0].stamp});
  for (const SharedTarget::Places &place : load.places)
    forEachRun(load.box.map, load.box.at, place.destination.offset,
               [&](const TensorRun &run) {
                 SharedPlace to{place.destination.cta, run.sharedAddress};
                 poison(*issuer.warp, to.data(), run.bytes);
               });
}

static bool issueLoad(const TensorExtra &extra, const Issuer &issuer) {
  auto load = std::make_shared<TensorLoad>();
  load->issuer = issuer;
  uint64_t address = extra.target.destination.of(issuer);
  if (!readBox(extra, issuer, "the destination", address, load->box) ||
      !extra.target.find(issuer, load->box.sharedBytes(address),
                         tensorSharedAlignment, load->places))
    return false;
  if (issuer.cta().cluster->races)
    watchLoad(issuer, *load);
  AsyncOp op = issuer.makeOp();
  op.complete = [load] { load->complete(); };
  issuer.cta().cluster->async.issue(std::move(op));
  return true;
}

static void executeLoad(Warp &warp, const Inst &inst, LaneMask mask) {
  forEachIssuer(warp, inst, mask, [&](const Issuer &issuer) {
    return issueLoad(extraOf(inst), issuer);
  });
}

static void executePrefetch(Warp &warp, const Inst &inst, LaneMask mask) {
  forEachIssuer(warp, inst, mask, [&](const Issuer &issuer) {
    Box box;
    return readBox(extraOf(inst), issuer, "", 0, box);
  });
}

//===----------------------------------------------------------------------===//
// Stores and reductions
//===----------------------------------------------------------------------===//

static bool findReduction(const TensorExtra &extra, const Issuer &issuer,
                          const TensorMap &map, Reduction &reduction) {
  Expected<ReductionType> type =
      tensorReductionType(extra.reduction, map.elementType);
  if (!type)
    return issuer.fail("tensor-copy", toString(type.takeError()));
  Expected<Reduction> found =
      selectReduction(extra.reduction, *type, ReductionTarget::Tensor,
                      ReductionFlavour::Atomic);
  if (!found)
    return issuer.fail("tensor-copy", toString(found.takeError()));
  reduction = *found;
  return true;
}

/// What a store writes of a run: no less than 16 bytes, also where the tensor
/// ends within them, as an H200 does, but nothing behind the allocation.
static uint32_t storedBytes(const Issuer &issuer, const TensorRun &run) {
  uint64_t end = run.globalAddress + run.bytes;
  uint64_t whole = alignTo(end, 16);
  AddressRange allocation;
  if (!issuer.warp->launch->memory->contains(run.globalAddress, whole,
                                             allocation))
    whole = end;
  return uint32_t(whole - run.globalAddress);
}

static bool issueStore(const TensorExtra &extra, const Issuer &issuer) {
  Box box;
  SharedPlace source;
  uint64_t address = extra.source.of(issuer);
  if (!readBox(extra, issuer, "the source", address, box) ||
      !findShared(issuer, "the source", address, SharedReach::OwnCta,
                  box.sharedBytes(address), tensorSharedAlignment, source))
    return false;
  Reduction reduction = nullptr;
  if (extra.access == TensorAccess::Reduction &&
      !findReduction(extra, issuer, box.map, reduction))
    return false;
  // What is out of bounds stays.
  auto check = [issuer, box, source] {
    forEachRun(box.map, box.at, source.offset, [&](const TensorRun &run) {
      if (run.inBounds)
        checkLeaving(*issuer.warp, *issuer.inst, issuer.lane,
                     source.data() + (run.sharedAddress - source.offset),
                     run.bytes);
    });
  };
  issueToGlobal(
      issuer, source, box.sharedBytes(address), check,
      [issuer, box, source, reduction](const uint8_t *bytes) {
        forEachCheckedRun(issuer, box, source.offset, /*isStore=*/true,
                          [&](const TensorRun &run) {
                            if (!run.inBounds)
                              return;
                            auto *to =
                                reinterpret_cast<uint8_t *>(run.globalAddress);
                            const uint8_t *from =
                                bytes + (run.sharedAddress - source.offset);
                            if (reduction)
                              reduction(to, from, run.bytes);
                            else
                              copyRun(to, from, storedBytes(issuer, run));
                          });
      },
      [&](AsyncAccess access) {
        access.scope = reduction ? Scope::Gpu : Scope::None;
        watchTensor(issuer, box, source.offset, access);
      });
  return true;
}

static void executeStore(Warp &warp, const Inst &inst, LaneMask mask) {
  forEachIssuer(warp, inst, mask, [&](const Issuer &issuer) {
    return issueStore(extraOf(inst), issuer);
  });
}

//===----------------------------------------------------------------------===//
// Selection
//===----------------------------------------------------------------------===//

/// The rows of a vector, or of the one element that stands for it.
static bool useVector(const OperandDesc &operand, unsigned bits,
                      SmallVectorImpl<Slot> &slots) {
  ArrayRef<OperandDesc> elements = operand;
  if (operand.kind == OperandDesc::Vector)
    elements = operand.children;
  for (const OperandDesc &element : elements) {
    if (!element.isRow() || element.bits != bits)
      return false;
    slots.push_back(element.slot);
  }
  return true;
}

/// The modes of sm_90.
static std::optional<TensorLoadMode> modeOf(const InstDesc &desc) {
  std::optional<Mod> mode = desc.slot("mode");
  if (!mode || *mode == Mod::tile)
    return TensorLoadMode::Tile;
  if (*mode == Mod::im2col)
    return TensorLoadMode::Im2col;
  if (*mode == Mod::im2col_no_offs)
    return TensorLoadMode::Im2colNoOffs;
  return std::nullopt;
}

/// `[map, {c0, …}]`, the mode and the offsets of im2col mode.
static bool useBox(const InstDesc &desc, TensorExtra &extra) {
  const OperandDesc *map = desc.find("map");
  std::optional<TensorLoadMode> mode = modeOf(desc);
  if (!mode || !extra.map.use(map) || map->children.size() != 2 ||
      !useVector(map->children[1], 32, extra.coordinates) ||
      extra.coordinates.size() > maxTensorRank)
    return false;
  extra.mode = *mode;
  extra.rank = extra.coordinates.size();
  const OperandDesc *offsets = desc.find("offsets");
  return !offsets ||
         (useVector(*offsets, 16, extra.offsets) && extra.offsets.size() <= 3);
}

bool ptxbench::emulator::selectTensorCopy(const InstDesc &desc, Inst &inst,
                                          OwnExtra &own) {
  auto extra = std::make_unique<TensorExtra>();
  bool toGlobal = desc.slot("dst") == Mod::global;
  switch (desc.opcode) {
  case Opcode::cp_reduce_async_bulk_tensor: {
    std::optional<ReductionOp> op = reductionOpOf(desc);
    if (!op)
      return false;
    extra->reduction = *op;
    break;
  }
  case Opcode::cp_async_bulk_tensor:
  case Opcode::cp_async_bulk_prefetch_tensor:
    break;
  default:
    return false;
  }
  // Pairs of CTAs came with sm_100.
  if (desc.has(Mod::cta_group__1) || desc.has(Mod::cta_group__2) ||
      !useBox(desc, *extra))
    return false;
  if (desc.opcode == Opcode::cp_async_bulk_prefetch_tensor) {
    inst.handler = executePrefetch;
  } else if (toGlobal) {
    extra->access = desc.opcode == Opcode::cp_reduce_async_bulk_tensor
                        ? TensorAccess::Reduction
                        : TensorAccess::Store;
    inst.handler = executeStore;
    if (!extra->source.use(desc.find("src")))
      return false;
  } else {
    inst.handler = executeLoad;
    if (!extra->target.use(desc))
      return false;
  }
  inst.extra = extra.get();
  own.push_back(std::move(extra));
  return true;
}
