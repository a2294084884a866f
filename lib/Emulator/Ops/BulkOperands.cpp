//===- BulkOperands.cpp - Operands and completion of bulk copies ----------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA "Data Movement and Conversion Instructions: Asynchronous copy":
// alignment, "Completion Mechanisms for Asynchronous Copy Operations".
//
//===----------------------------------------------------------------------===//

#include "BulkOperands.h"
#include "../Checks/RaceChecker.h"
#include "../Checks/UndefinedValues.h"
#include "AsyncGroups.h"
#include "MBarrier.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

AsyncOp Issuer::makeOp() const {
  const SourceInst &source = warp->launch->program->sourceOf(*inst);
  AsyncOp op;
  // Names of opcodes are literals.
  op.what = source.name.data();
  op.line = source.line;
  return op;
}

void Issuer::watch(AccessKind kind, const uint8_t *bytes,
                   uint32_t count) const {
  if (RaceChecker *races = cta().cluster->races.get())
    races->access(
        *warp, *inst, kind,
        RaceChecker::Run{lane, reinterpret_cast<const char *>(bytes), count},
        count);
}

bool BulkAddress::use(const OperandDesc *operand) {
  if (!operand || operand->kind != OperandDesc::Address ||
      operand->children.empty())
    return false;
  const OperandDesc &base = operand->children[0];
  if (!base.isRow() || (base.bits != 32 && base.bits != 64))
    return false;
  slot = base.slot;
  is32 = base.bits == 32;
  offset = operand->offset;
  return true;
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

static std::string hex(uint64_t address) {
  return "0x" + utohexstr(address, true);
}

bool ptxbench::emulator::checkAlignment(const Issuer &issuer, const char *what,
                                        uint64_t address, uint32_t alignment) {
  return address % alignment == 0 ||
         issuer.fail("misaligned", Twine(what) + ", address " + hex(address) +
                                       ", is not aligned to " +
                                       Twine(alignment) + " bytes");
}

bool ptxbench::emulator::findShared(const Issuer &issuer, const char *what,
                                    uint64_t address, SharedReach reach,
                                    uint64_t bytes, uint32_t alignment,
                                    SharedPlace &place) {
  if (!checkAlignment(issuer, what, address, alignment))
    return false;
  Cta &own = issuer.cta();
  uint32_t rank = uint32_t(address) >> sharedRankShift;
  uint32_t offset = address & ((1u << sharedRankShift) - 1);
  // Addresses of `.shared::cta` may lack the rank.
  Cta *cta = nullptr;
  if (address < windowBytes) {
    if (reach == SharedReach::OwnCta)
      cta = rank == 0 || rank == own.rank ? &own : nullptr;
    else if (rank < own.cluster->ctas.size())
      cta = own.cluster->ctas[rank].get();
  }
  if (!cta && reach == SharedReach::OwnCta && isOfPeer(own, address))
    return issuer.fail("peer-through-shared-cta",
                       Twine(what) + ", address " + hex(address) +
                           ", is that of another CTA of the cluster, which "
                           "only .shared::cluster reaches");
  if (!cta || !isShared(*cta, offset, bytes))
    return issuer.fail(
        "out-of-bounds",
        Twine(what) + ": the " + Twine(bytes) + " bytes at " +
            (reach == SharedReach::OwnCta ? "shared" : "shared::cluster") +
            " address " + hex(address) + " are not in shared memory");
  place = {cta, offset};
  return true;
}

bool ptxbench::emulator::failOutOfGlobal(const Issuer &issuer, const char *what,
                                         uint64_t address, uint64_t bytes) {
  return issuer.fail("out-of-bounds", Twine(what) + ": the " + Twine(bytes) +
                                          " bytes at global address " +
                                          hex(address) +
                                          " are in no allocation");
}

uint8_t *ptxbench::emulator::findGlobal(const Issuer &issuer, const char *what,
                                        uint64_t address, uint64_t bytes,
                                        uint32_t alignment) {
  if (!checkAlignment(issuer, what, address, alignment))
    return nullptr;
  // No bytes may lie behind the last allocation.
  static uint8_t none;
  if (!bytes)
    return &none;
  Warp &warp = *issuer.warp;
  if (!warp.launch->memory->contains(address, address + bytes,
                                     warp.recentAllocation)) {
    failOutOfGlobal(issuer, what, address, bytes);
    return nullptr;
  }
  return reinterpret_cast<uint8_t *>(address);
}

bool ptxbench::emulator::failReadOnly(const Issuer &issuer, const char *what) {
  return issuer.fail("read-only", Twine(what) +
                                      " is a constant or a parameter of the "
                                      "kernel, which are only read");
}

uint8_t *ptxbench::emulator::findWritableGlobal(const Issuer &issuer,
                                                const char *what,
                                                uint64_t address,
                                                uint64_t bytes,
                                                uint32_t alignment) {
  uint8_t *place = findGlobal(issuer, what, address, bytes, alignment);
  if (!place || !bytes || !issuer.warp->recentAllocation.readOnly)
    return place;
  failReadOnly(issuer, what);
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Into shared memory
//===----------------------------------------------------------------------===//

static char *hostPlace(const SharedPlace &place) {
  return reinterpret_cast<char *>(place.data());
}

void ptxbench::emulator::watchAccess(const Issuer &issuer,
                                     const AsyncAccess &access,
                                     const void *place, uint64_t bytes) {
  if (RaceChecker *races = issuer.cta().cluster->races.get())
    races->asyncAccess(*issuer.warp, *issuer.inst, issuer.lane, access,
                       static_cast<const char *>(place), bytes);
}

bool SharedTarget::use(const InstDesc &desc) {
  if (const OperandDesc *operand = desc.find("mask")) {
    if (!operand->isRow() || operand->bits != 16)
      return false;
    mask = operand->slot;
  }
  reach = desc.slot("dst") == Mod::shared__cta ? SharedReach::OwnCta
                                               : SharedReach::Cluster;
  return destination.use(desc.find("dst")) && mbarrier.use(desc.find("mbar"));
}

/// The mbarrier has to be one when the copy is issued: whether it will be when
/// the copy completes nobody can know.
static bool checkInitialised(const Issuer &issuer, const SharedPlace &place) {
  auto *bytes = reinterpret_cast<const char *>(place.data());
  std::string why = whyNoMBarrier(*issuer.cta().cluster, bytes);
  return why.empty() || issuer.fail("mbarrier-uninitialised", why);
}

bool SharedTarget::find(const Issuer &issuer, uint64_t bytes,
                        uint32_t alignment,
                        SmallVectorImpl<Places> &places) const {
  if (!findPlaces(issuer, bytes, alignment, places))
    return false;
  RaceChecker *races = issuer.cta().cluster->races.get();
  if (!races)
    return true;
  for (Places &place : places) {
    races->useBarrier(*issuer.warp, *issuer.inst, issuer.lane,
                      hostPlace(place.mbarrier), /*byOperation=*/true);
    place.stamp = races->begin(place.mbarrier.data());
    watchAccess(issuer, {place.stamp, /*isWrite=*/true},
                place.destination.data(), bytes);
  }
  return true;
}

bool SharedTarget::findPlaces(const Issuer &issuer, uint64_t bytes,
                              uint32_t alignment,
                              SmallVectorImpl<Places> &places) const {
  Places first;
  if (!findShared(issuer, "the destination", destination.of(issuer), reach,
                  bytes, alignment, first.destination) ||
      !findShared(issuer, "the mbarrier", mbarrier.of(issuer), reach, 8, 8,
                  first.mbarrier))
    return false;
  if (mask == noSlot) {
    if (first.destination.cta != first.mbarrier.cta)
      return issuer.fail("bulk-mbarrier",
                         "the mbarrier is in the CTA of rank " +
                             Twine(first.mbarrier.cta->rank) +
                             " but the destination is in that of rank " +
                             Twine(first.destination.cta->rank));
    places.push_back(first);
    return checkInitialised(issuer, first.mbarrier);
  }
  // ".multicast::cluster": the same offsets in each CTA whose bit is set.
  uint32_t ranks = issuer.read<uint16_t>(mask);
  auto &ctas = issuer.cta().cluster->ctas;
  if (ranks >> ctas.size())
    return issuer.fail("multicast-mask",
                       "the mask 0x" + utohexstr(ranks, true) +
                           " names CTAs beyond the " + Twine(ctas.size()) +
                           " of the cluster");
  for (; ranks; ranks &= ranks - 1) {
    Cta *cta = ctas[countr_zero(ranks)].get();
    places.push_back(
        {{cta, first.destination.offset}, {cta, first.mbarrier.offset}, {}});
    if (!checkInitialised(issuer, places.back().mbarrier))
      return false;
  }
  return true;
}

bool ptxbench::emulator::completeAt(const Issuer &issuer,
                                    const SharedTarget::Places &place,
                                    uint64_t bytes) {
  if (RaceChecker *races = issuer.cta().cluster->races.get())
    races->complete(place.mbarrier.data(), place.stamp);
  return completeBytes(*issuer.warp, *issuer.inst, issuer.lane,
                       hostPlace(place.mbarrier), bytes);
}

//===----------------------------------------------------------------------===//
// Into global memory
//===----------------------------------------------------------------------===//

void ptxbench::emulator::issueToGlobal(
    const Issuer &issuer, SharedPlace source, uint32_t bytes,
    std::function<void()> check, std::function<void(const uint8_t *)> write,
    function_ref<void(AsyncAccess)> watch) {
  if (!watchesUndefined(*issuer.warp))
    check = nullptr;
  auto read = std::make_shared<std::vector<uint8_t>>();
  Cluster &cluster = *issuer.cta().cluster;
  WarpAsyncGroups &groups = asyncGroupsOf(*issuer.warp);
  if (RaceChecker *races = cluster.races.get()) {
    AsyncStamp stamp = races->begin(*issuer.warp, AsyncUnit::Bulk);
    watchAccess(issuer, {stamp}, source.data(), bytes);
    watch({races->begin(*issuer.warp, AsyncUnit::BulkWrite), /*isWrite=*/true});
    groups.bulkRead[issuer.lane].open()->lastEpoch = stamp.epoch;
    groups.bulk[issuer.lane].open()->lastEpoch = stamp.epoch;
  }
  AsyncOp reading = issuer.makeOp();
  reading.chain = read.get();
  reading.groups.push_back(groups.bulkRead[issuer.lane].open());
  reading.complete = [read, source, bytes, check = std::move(check), &cluster] {
    if (check)
      check();
    read->assign(source.data(), source.data() + bytes);
    ++cluster.progress;
  };
  AsyncOp writing = issuer.makeOp();
  writing.chain = read.get();
  writing.groups.push_back(groups.bulk[issuer.lane].open());
  writing.complete = [read, write = std::move(write), &cluster] {
    write(read->data());
    ++cluster.progress;
  };
  cluster.async.issue(std::move(reading));
  cluster.async.issue(std::move(writing));
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

std::optional<ReductionOp>
ptxbench::emulator::reductionOpOf(const InstDesc &desc) {
  std::optional<Mod> op = desc.slot("op");
  if (!op)
    return std::nullopt;
  switch (*op) {
  case Mod::add:
    return ReductionOp::Add;
  case Mod::min:
    return ReductionOp::Min;
  case Mod::max:
    return ReductionOp::Max;
  case Mod::inc:
    return ReductionOp::Inc;
  case Mod::dec:
    return ReductionOp::Dec;
  case Mod::and_:
    return ReductionOp::And;
  case Mod::or_:
    return ReductionOp::Or;
  case Mod::xor_:
    return ReductionOp::Xor;
  default:
    return std::nullopt;
  }
}
