//===- BulkOperands.h - Operands and completion of bulk copies --*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What cp.async.bulk and cp.async.bulk.tensor have in common: addresses and
// the places they stand for, with the checks that are made when a copy is
// issued; the destinations of a multicast; the two ways to complete.
//
// A load is one operation of the cluster's AsyncQueue. A copy to global memory
// is two, the reading of shared memory and the writing, since a thread may wait
// for the first only ("cp.async.bulk.wait_group.read").
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_OPS_BULKOPERANDS_H
#define PTXBENCH_LIB_EMULATOR_OPS_BULKOPERANDS_H

#include "../Machine/Machine.h"
#include "../TMA/Reduction.h"
#include "InstDesc.h"
#include "llvm/ADT/STLExtras.h"

namespace ptxbench::emulator {

/// The thread that issues a copy, and the instruction. Warps and instructions
/// are there until all operations are complete.
struct Issuer {
  Warp *warp = nullptr;
  const Inst *inst = nullptr;
  unsigned lane = 0;

  /// Ends the launch; always false.
  bool fail(llvm::StringRef id, const llvm::Twine &message) const {
    fault(*warp, *inst, lane, id, message);
    return false;
  }
  Cta &cta() const { return *warp->cta; }
  /// Tells the race checker, if there is one, of an access by the thread
  /// itself; memory that is not shared is ignored.
  void watch(AccessKind kind, const uint8_t *bytes, uint32_t count) const;
  /// An operation of this instruction.
  AsyncOp makeOp() const;
  /// The lane of a row.
  template <class T> T read(Slot slot) const {
    return row<T>(*warp, slot)[lane];
  }
};

/// Calls `issue(Issuer)` for the lanes of `mask` until one returns false.
template <class F>
void forEachIssuer(Warp &warp, const Inst &inst, LaneMask mask, F issue) {
  for (; mask; mask &= mask - 1)
    if (!issue(Issuer{&warp, &inst, unsigned(__builtin_ctz(mask))}))
      return;
}

/// An operand `[a]`.
struct BulkAddress {
  Slot slot = noSlot;
  bool is32 = false;
  int64_t offset = 0;

  /// False if the operand is missing or its base is no address.
  bool use(const OperandDesc *operand);
  uint64_t of(const Issuer &issuer) const {
    if (is32)
      return uint32_t(issuer.read<uint32_t>(slot) + offset);
    return issuer.read<uint64_t>(slot) + offset;
  }
};

/// Bytes of the shared memory of a CTA.
struct SharedPlace {
  Cta *cta = nullptr;
  uint32_t offset = 0;

  uint8_t *data() const {
    return reinterpret_cast<uint8_t *>(cta->shared.data()) + offset;
  }
};

/// Which shared memory an address may be of.
enum class SharedReach : uint8_t { OwnCta, Cluster };

/// False, with a fault that calls the address `what`, if it is not aligned.
bool checkAlignment(const Issuer &issuer, const char *what, uint64_t address,
                    uint32_t alignment);
/// The place of an address; false, with a fault that calls it `what`, if it is
/// not aligned or the bytes are not all there.
bool findShared(const Issuer &issuer, const char *what, uint64_t address,
                SharedReach reach, uint64_t bytes, uint32_t alignment,
                SharedPlace &place);
/// The same for global memory; null after a fault.
uint8_t *findGlobal(const Issuer &issuer, const char *what, uint64_t address,
                    uint64_t bytes, uint32_t alignment);
/// The same for bytes that are written.
uint8_t *findWritableGlobal(const Issuer &issuer, const char *what,
                            uint64_t address, uint64_t bytes,
                            uint32_t alignment);
/// The fault for a write to constants or parameters.
bool failReadOnly(const Issuer &issuer, const char *what);
/// The fault for bytes of global memory that are in no allocation.
bool failOutOfGlobal(const Issuer &issuer, const char *what, uint64_t address,
                     uint64_t bytes);

/// Where a copy into shared memory goes and what it signals: operands of the
/// form `[dst], …, [mbar], mask`.
struct SharedTarget {
  BulkAddress destination, mbarrier;
  /// Of `.multicast::cluster`; noSlot without.
  Slot mask = noSlot;
  SharedReach reach = SharedReach::Cluster;

  bool use(const InstDesc &desc);

  struct Places {
    SharedPlace destination, mbarrier;
    /// For the race checker.
    AsyncStamp stamp;
  };
  /// One for each destination CTA, all of whose bytes are written. False after
  /// a fault.
  bool find(const Issuer &issuer, uint64_t bytes, uint32_t alignment,
            llvm::SmallVectorImpl<Places> &places) const;

private:
  bool findPlaces(const Issuer &issuer, uint64_t bytes, uint32_t alignment,
                  llvm::SmallVectorImpl<Places> &places) const;
};

/// Tells the race checker, if there is one, of an access by the operation.
void watchAccess(const Issuer &issuer, const AsyncAccess &access,
                 const void *place, uint64_t bytes);

/// "mbarrier::complete_tx::bytes"; false after a fault.
bool completeAt(const Issuer &issuer, const SharedTarget::Places &place,
                uint64_t bytes);

/// Issues a copy of `bytes` from `source` to global memory, of the thread's
/// Issues a copy of `bytes` from `source` to global memory, of the thread's
/// open bulk group. `check` is called when they are read, if undefined values
/// are looked for; `write` is called with what was read; `watch`, at once, with
/// the write that the race checker is to be told of, if there is one.
void issueToGlobal(const Issuer &issuer, SharedPlace source, uint32_t bytes,
                   std::function<void()> check,
                   std::function<void(const uint8_t *)> write,
                   llvm::function_ref<void(AsyncAccess)> watch);

/// The operation in the slot `op` of a form of cp.reduce.
std::optional<ReductionOp> reductionOpOf(const InstDesc &desc);

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_OPS_BULKOPERANDS_H
