//===- UndefinedValues.h - What nobody wrote ------------------ -*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds uses of registers, shared and local memory that nobody wrote. Each bit
// has a shadow, which is set while the bit is undefined, and shadows lie as
// what they shadow does: rows of a frame in Frame::undefined, bytes in
// Cta::sharedUndefined and Warp::localUndefined. Constants, special registers,
// parameters of the entry and global memory are defined.
//
// Shadows move with the values. To compute with an undefined value is no fault,
// nor is it to store one in shared or local memory: compilers do that, and drop
// the result. It is reported where it decides what happens (an address, a
// guard, the operands of what synchronises or copies) or leaves the kernel by
// global memory; then it counts as defined, so that it is reported once.
//
// This file has what the machine and single handlers need; the steps that the
// decoder puts around instructions are in UndefinedStep.h.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_CHECKS_UNDEFINEDVALUES_H
#define PTXBENCH_LIB_EMULATOR_CHECKS_UNDEFINEDVALUES_H

#include "../Machine/Machine.h"

#include <cstring>

namespace ptxbench::emulator {

/// Whether undefined values are looked for.
inline bool watchesUndefined(const Cluster &cluster) {
  return !cluster.ctas.front()->sharedUndefined.empty();
}
inline bool watchesUndefined(const Warp &warp) {
  return !warp.cta->sharedUndefined.empty();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// The undefined bits of the bytes at `place`; null if they are not in shared
/// memory of the cluster, or are not watched.
inline char *undefinedShared(const Cluster &cluster, const void *place) {
  for (const auto &cta : cluster.ctas) {
    size_t offset = static_cast<const char *>(place) - cta->shared.data();
    if (offset < cta->sharedUndefined.size())
      return cta->sharedUndefined.data() + offset;
  }
  return nullptr;
}
/// The same for bytes that may also be in the local memory of the warp.
inline char *undefinedBytes(Warp &warp, const void *place) {
  size_t offset = static_cast<const char *>(place) - warp.cta->shared.data();
  if (offset < warp.cta->sharedUndefined.size())
    return warp.cta->sharedUndefined.data() + offset;
  offset = static_cast<const char *>(place) - warp.local.data();
  if (offset < warp.localUndefined.size())
    return warp.localUndefined.data() + offset;
  return undefinedShared(*warp.cta->cluster, place);
}

/// The undefined bits of bytes that are read, and of bytes that are written;
/// false if those are not watched.
inline void readUndefined(Warp &warp, const void *place, void *to,
                          size_t bytes) {
  if (const char *undefined = undefinedBytes(warp, place))
    std::memcpy(to, undefined, bytes);
  else
    std::memset(to, 0, bytes);
}
inline bool writeUndefined(Warp &warp, const void *place, const void *from,
                           size_t bytes) {
  char *undefined = undefinedBytes(warp, place);
  if (undefined)
    std::memcpy(undefined, from, bytes);
  return undefined;
}

/// Bytes of shared memory have been written; others are ignored.
inline void defineShared(const Cluster &cluster, const void *place,
                         size_t bytes) {
  if (!watchesUndefined(cluster))
    return;
  if (char *undefined = undefinedShared(cluster, place))
    std::memset(undefined, 0, bytes);
}
/// Bytes have been copied to shared memory from some place; `combined`: the
/// old bytes were an operand, too.
void copyUndefined(const Cluster &cluster, const void *to, const void *from,
                   size_t bytes, bool combined = false);

/// Reports that `inst` of `lane` takes bytes of shared memory to global memory
/// if one of them is undefined; they then count as defined.
void checkLeaving(Warp &warp, const Inst &inst, unsigned lane,
                  const void *place, size_t bytes);

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// As many zeros as the largest row has bytes.
extern const char noUndefinedBits[];

/// The undefined bits of a row that is read.
template <class T = char>
inline const T *undefinedRow(const Warp &warp, Slot slot) {
  const char *bits = slotBase(slot) == unsigned(SlotBase::Frame)
                         ? warp.frame->undefined.data() + slotOffset(slot)
                         : noUndefinedBits;
  return reinterpret_cast<const T *>(bits);
}
/// The same of a row of the frame, which is written.
template <class T = char> inline T *undefinedResult(Warp &warp, Slot slot) {
  return reinterpret_cast<T *>(warp.frame->undefined.data() + slotOffset(slot));
}
/// The line that the undefined bits of a row of the frame come from; 0: no
/// instruction wrote it.
inline uint32_t &originOf(Frame &frame, Slot slot) {
  return reinterpret_cast<uint32_t *>(
      frame.origins.data())[slotOffset(slot) / 4];
}

/// The lanes whose undefined bits are padding of a structure that is copied:
/// a load found them beside defined ones, and they have only been moved. Not of
/// a predicate.
inline LaneMask &paddingOf(Frame &frame, Slot slot) {
  return reinterpret_cast<uint32_t *>(
      frame.origins.data())[slotOffset(slot) / 4 + 1];
}

/// Reports the use of an undefined value, which `what` calls so.
void reportUndefined(Warp &warp, const Inst &inst, unsigned lane,
                     const llvm::Twine &what, uint32_t origin);

//===----------------------------------------------------------------------===//
// For the machine
//===----------------------------------------------------------------------===//

/// A frame begins: nobody wrote its rows but those of addresses.
void undefineRows(Frame &frame);
/// Lanes enter a function: nobody wrote its local memory.
void undefineLocal(Warp &warp, const Frame &frame, LaneMask lanes);
/// Goes with the copy of arguments or results from one frame to another.
void copyUndefinedParams(Warp &warp, LaneMask lanes,
                         const std::vector<ParamPlace> &from, Frame &fromFrame,
                         const std::vector<ParamPlace> &to, Frame &toFrame);

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_CHECKS_UNDEFINEDVALUES_H
