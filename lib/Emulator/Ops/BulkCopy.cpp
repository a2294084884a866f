//===- BulkCopy.cpp - cp.async.bulk, cp.reduce.async.bulk, st.bulk --------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA "cp.async.bulk", "cp.reduce.async.bulk", "cp.async.bulk.prefetch",
// "st.bulk". Each active thread issues a copy of its own.
//
//===----------------------------------------------------------------------===//

#include "../Checks/UndefinedValues.h"
#include "BulkOperands.h"
#include "MemoryAccess.h"

#include <cstring>

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

/// Alignment of both operands, and what the size is a multiple of.
static constexpr uint32_t bulkAlignment = 16;

namespace {
struct BulkExtra : InstExtra {
  /// The destination stands in `target` if it is shared memory, and only then
  /// an mbarrier.
  SharedTarget target;
  BulkAddress destination, source;
  bool fromGlobal = false;
  Slot size = noSlot;
  /// Of `.cp_mask`.
  Slot byteMask = noSlot;
  /// Null: bytes are copied.
  Reduction reduction = nullptr;
};

/// A copy into shared memory that is under way.
struct LoadUnderWay {
  Issuer issuer;
  const uint8_t *source = nullptr;
  uint32_t bytes = 0;
  Reduction reduction = nullptr;
  SmallVector<SharedTarget::Places, 1> places;

  void complete() const {
    for (const SharedTarget::Places &place : places) {
      if (reduction)
        reduction(place.destination.data(), source, bytes);
      else
        std::memmove(place.destination.data(), source, bytes);
      copyUndefined(*issuer.cta().cluster, place.destination.data(), source,
                    bytes, /*combined=*/reduction != nullptr);
      if (!completeAt(issuer, place, bytes))
        return;
    }
  }
};
} // namespace

static const BulkExtra &extraOf(const Inst &inst) {
  return static_cast<const BulkExtra &>(*inst.extra);
}

static bool readSize(const BulkExtra &extra, const Issuer &issuer,
                     uint32_t &size) {
  size = issuer.read<uint32_t>(extra.size);
  return size % bulkAlignment == 0 ||
         issuer.fail("bulk-size",
                     "the size of a bulk copy is a multiple of 16 but is " +
                         Twine(size));
}

static bool issueLoad(const BulkExtra &extra, const Issuer &issuer) {
  auto load = std::make_shared<LoadUnderWay>();
  load->issuer = issuer;
  load->reduction = extra.reduction;
  if (!readSize(extra, issuer, load->bytes))
    return false;
  uint64_t from = extra.source.of(issuer);
  SharedPlace source;
  if (extra.fromGlobal) {
    load->source =
        findGlobal(issuer, "the source", from, load->bytes, bulkAlignment);
    if (!load->source)
      return false;
  } else {
    if (!findShared(issuer, "the source", from, SharedReach::OwnCta,
                    load->bytes, bulkAlignment, source))
      return false;
    load->source = source.data();
  }
  if (!extra.target.find(issuer, load->bytes, bulkAlignment, load->places))
    return false;
  // The source is read until the mbarrier says so, where there is only one.
  if (load->places.size() == 1)
    watchAccess(issuer, {load->places.front().stamp}, load->source,
                load->bytes);
  if (!extra.reduction)
    for (const SharedTarget::Places &place : load->places)
      poison(*issuer.warp, place.destination.data(), load->bytes);
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

/// ".cp_mask": bit i is for byte i of each 16 bytes.
static void copyMasked(uint8_t *to, const uint8_t *from, uint32_t bytes,
                       uint32_t mask) {
  for (uint32_t i = 0; i < bytes; ++i)
    if (mask >> i % 16 & 1)
      to[i] = from[i];
}

static bool issueStore(const BulkExtra &extra, const Issuer &issuer) {
  uint32_t bytes;
  SharedPlace source;
  if (!readSize(extra, issuer, bytes) ||
      !findShared(issuer, "the source", extra.source.of(issuer),
                  SharedReach::OwnCta, bytes, bulkAlignment, source))
    return false;
  uint8_t *to =
      findWritableGlobal(issuer, "the destination",
                         extra.destination.of(issuer), bytes, bulkAlignment);
  if (!to)
    return false;
  uint32_t mask =
      extra.byteMask == noSlot ? 0xffff : issuer.read<uint16_t>(extra.byteMask);
  auto check = [issuer, source, bytes, mask] {
    // Which bytes go is not looked at.
    if (mask == 0xffff)
      checkLeaving(*issuer.warp, *issuer.inst, issuer.lane, source.data(),
                   bytes);
  };
  issueToGlobal(
      issuer, source, bytes, check,
      [to, bytes, mask, reduce = extra.reduction](const uint8_t *from) {
        if (reduce)
          reduce(to, from, bytes);
        else if (mask == 0xffff)
          std::memcpy(to, from, bytes);
        else
          copyMasked(to, from, bytes, mask);
      },
      [&](AsyncAccess access) {
        access.scope = extra.reduction ? Scope::Gpu : Scope::None;
        watchAccess(issuer, access, to, bytes);
      });
  return true;
}

static void executeStore(Warp &warp, const Inst &inst, LaneMask mask) {
  forEachIssuer(warp, inst, mask, [&](const Issuer &issuer) {
    return issueStore(extraOf(inst), issuer);
  });
}

/// Nothing is visible of a prefetch but that its operands are wrong.
static void executePrefetch(Warp &warp, const Inst &inst, LaneMask mask) {
  const BulkExtra &extra = extraOf(inst);
  forEachIssuer(warp, inst, mask, [&](const Issuer &issuer) {
    uint32_t bytes;
    return readSize(extra, issuer, bytes) &&
           findGlobal(issuer, "the source", extra.source.of(issuer), bytes,
                      bulkAlignment);
  });
}

//===----------------------------------------------------------------------===//
// st.bulk
//===----------------------------------------------------------------------===//

/// The address is generic if flags[0] is Space::Generic. Weak writes, which
/// are done at once.
static void executeStBulk(Warp &warp, const Inst &inst, LaneMask mask) {
  const BulkExtra &extra = extraOf(inst);
  forEachIssuer(warp, inst, mask, [&](const Issuer &issuer) {
    auto bytes = issuer.read<uint64_t>(extra.size);
    if (bytes % 8)
      return issuer.fail("bulk-size",
                         "the size of st.bulk is a multiple of 8 but is " +
                             Twine(bytes));
    uint64_t address = extra.destination.of(issuer);
    if (Space(inst.flags[0]) == Space::Generic)
      // What is outside of the window is outside of shared memory, too.
      address -= sharedWindow;
    SharedPlace place;
    if (!findShared(issuer, "the destination", address, SharedReach::OwnCta,
                    bytes, 8, place))
      return false;
    issuer.watch(AccessKind::Write, place.data(), bytes);
    std::memset(place.data(), 0, bytes);
    defineShared(*issuer.cta().cluster, place.data(), bytes);
    return true;
  });
  ++warp.cta->cluster->progress;
}

//===----------------------------------------------------------------------===//
// Selection
//===----------------------------------------------------------------------===//

static std::optional<ReductionType> reductionTypeOf(const InstDesc &desc) {
  std::optional<Mod> type = desc.slot("t");
  if (!type)
    return std::nullopt;
  switch (*type) {
  case Mod::b32:
    return ReductionType::B32;
  case Mod::b64:
    return ReductionType::B64;
  case Mod::u32:
    return ReductionType::U32;
  case Mod::s32:
    return ReductionType::S32;
  case Mod::u64:
    return ReductionType::U64;
  case Mod::s64:
    return ReductionType::S64;
  case Mod::f16:
    return ReductionType::F16;
  case Mod::bf16:
    return ReductionType::BF16;
  case Mod::f32:
    return ReductionType::F32;
  case Mod::f64:
    return ReductionType::F64;
  default:
    return std::nullopt;
  }
}

/// Global memory is reduced into by other host threads at the same time, the
/// shared memory of a cluster is not.
static bool useReduction(const InstDesc &desc, bool toGlobal,
                         BulkExtra &extra) {
  std::optional<ReductionOp> op = reductionOpOf(desc);
  std::optional<ReductionType> type = reductionTypeOf(desc);
  if (!op || !type)
    return false;
  Expected<Reduction> reduction = selectReduction(
      *op, *type,
      toGlobal ? ReductionTarget::Global : ReductionTarget::SharedCluster,
      toGlobal ? ReductionFlavour::Atomic : ReductionFlavour::Plain);
  if (!reduction) {
    consumeError(reduction.takeError());
    return false;
  }
  extra.reduction = *reduction;
  return true;
}

static bool useRow(const OperandDesc *operand, unsigned bits, Slot &slot) {
  if (!operand || !operand->isRow() || operand->bits != bits)
    return false;
  slot = operand->slot;
  return true;
}

bool ptxbench::emulator::selectBulkCopy(const InstDesc &desc, Inst &inst,
                                        OwnExtra &own) {
  auto extra = std::make_unique<BulkExtra>();
  bool toGlobal = desc.slot("dst") == Mod::global;
  bool known = false;
  switch (desc.opcode) {
  case Opcode::cp_reduce_async_bulk:
    if (!useReduction(desc, toGlobal, *extra))
      return false;
    [[fallthrough]];
  case Opcode::cp_async_bulk:
    extra->fromGlobal = desc.slot("src") == Mod::global;
    known = useRow(desc.find("size"), 32, extra->size) &&
            extra->source.use(desc.find("src")) &&
            (toGlobal ? extra->destination.use(desc.find("dst"))
                      : extra->target.use(desc));
    if (desc.has(Mod::cp_mask))
      known &= useRow(desc.find("byteMask"), 16, extra->byteMask);
    inst.handler = toGlobal ? executeStore : executeLoad;
    break;
  case Opcode::cp_async_bulk_prefetch:
    known = useRow(desc.find("size"), 32, extra->size) &&
            extra->source.use(desc.find("src"));
    inst.handler = executePrefetch;
    break;
  case Opcode::st_bulk: {
    const OperandDesc *address = desc.find("a");
    known = useRow(desc.find("size"), 64, extra->size) &&
            extra->destination.use(address);
    if (known)
      inst.flags[0] = uint8_t(spaceOf(desc, *address));
    inst.handler = executeStBulk;
    break;
  }
  default:
    return false;
  }
  if (!known)
    return false;
  inst.extra = extra.get();
  own.push_back(std::move(extra));
  return true;
}
