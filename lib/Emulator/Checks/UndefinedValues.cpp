//===- UndefinedValues.cpp - What nobody wrote ----------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shadows of memory and frames, and the reports.
//
//===----------------------------------------------------------------------===//

#include "UndefinedValues.h"
#include "llvm/ADT/bit.h"

#include <algorithm>

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

alignas(64) const char ptxbench::emulator::noUndefinedBits[rowBytes(128)] = {};

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void ptxbench::emulator::copyUndefined(const Cluster &cluster, const void *to,
                                       const void *from, size_t bytes,
                                       bool combined) {
  if (!watchesUndefined(cluster))
    return;
  char *target = undefinedShared(cluster, to);
  if (!target)
    return;
  const char *source = undefinedShared(cluster, from);
  if (!combined) {
    if (source)
      std::memmove(target, source, bytes);
    else
      std::memset(target, 0, bytes);
    return;
  }
  if (source)
    for (size_t i = 0; i < bytes; ++i)
      target[i] |= source[i];
}

void ptxbench::emulator::checkLeaving(Warp &warp, const Inst &inst,
                                      unsigned lane, const void *place,
                                      size_t bytes) {
  const Cluster &cluster = *warp.cta->cluster;
  char *undefined = undefinedShared(cluster, place);
  if (!undefined)
    return;
  size_t count = bytes - std::count(undefined, undefined + bytes, char(0));
  if (!count)
    return;
  size_t first = std::find_if(undefined, undefined + bytes,
                              [](char bits) { return bits != 0; }) -
                 undefined;
  for (const auto &cta : cluster.ctas) {
    size_t offset = undefined - cta->sharedUndefined.data();
    if (offset >= cta->sharedUndefined.size())
      continue;
    report(warp, inst, lane, "undefined-value",
           Twine(count) + " of the " + Twine(bytes) +
               " bytes that go from shared memory to global memory are "
               "undefined, the first at shared address " +
               Twine(sharedAddress(*cta, offset + first)));
  }
  std::memset(undefined, 0, bytes);
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

void ptxbench::emulator::reportUndefined(Warp &warp, const Inst &inst,
                                         unsigned lane, const Twine &what,
                                         uint32_t origin) {
  if (!origin)
    return report(warp, inst, lane, "undefined-value",
                  what + " is undefined: no instruction wrote it");
  report(warp, inst, lane, "undefined-value",
         what + " is undefined: line " + Twine(origin) +
             " reads what nobody wrote",
         origin);
}

//===----------------------------------------------------------------------===//
// Frames
//===----------------------------------------------------------------------===//

void ptxbench::emulator::undefineRows(Frame &frame) {
  uint32_t bytes = frame.function->frameBytes;
  if (!frame.undefined.data()) {
    frame.undefined = RowBuffer(bytes);
    frame.origins = RowBuffer(bytes);
  }
  std::memset(frame.undefined.data(), 0xff, bytes);
  std::memset(frame.origins.data(), 0, bytes);
  for (const AddressRow &address : frame.function->addresses)
    std::memset(frame.undefined.data() + slotOffset(address.slot), 0,
                rowBytes(address.bits));
}

void ptxbench::emulator::undefineLocal(Warp &warp, const Frame &frame,
                                       LaneMask lanes) {
  size_t perLane = warp.localUndefined.size() / warpSize;
  for (; lanes; lanes &= lanes - 1)
    std::memset(warp.localUndefined.data() + countr_zero(lanes) * perLane +
                    frame.localBase,
                0xff, frame.function->localBytes);
}

void ptxbench::emulator::copyUndefinedParams(
    Warp &warp, LaneMask lanes, const std::vector<ParamPlace> &from,
    Frame &fromFrame, const std::vector<ParamPlace> &to, Frame &toFrame) {
  auto rowOf = [](const ParamPlace &place, Frame &frame) {
    return slotBase(place.slot) == unsigned(SlotBase::Frame)
               ? frame.undefined.data() + slotOffset(place.slot)
               : const_cast<char *>(noUndefinedBits);
  };
  size_t perLane = warp.localUndefined.size() / warpSize;
  auto bytesOf = [&](const ParamPlace &place, Frame &frame, unsigned lane) {
    if (place.slot == noSlot)
      return warp.localUndefined.data() + lane * perLane + frame.localBase +
             place.localOffset;
    return rowOf(place, frame) + lane * (place.bits / 8);
  };
  auto sizeOf = [](const ParamPlace &place) {
    return place.slot == noSlot ? place.bytes : place.bits / 8;
  };
  for (size_t i = 0; i < std::min(from.size(), to.size()); ++i) {
    if (from[i].bits == 1 && to[i].bits == 1) {
      auto &mask = *reinterpret_cast<LaneMask *>(rowOf(to[i], toFrame));
      LaneMask bits =
          *reinterpret_cast<const LaneMask *>(rowOf(from[i], fromFrame));
      mask = (mask & ~lanes) | (bits & lanes);
    } else {
      for (LaneMask rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = countr_zero(rest);
        std::memcpy(bytesOf(to[i], toFrame, lane),
                    bytesOf(from[i], fromFrame, lane),
                    std::min(sizeOf(from[i]), sizeOf(to[i])));
      }
    }
    bool fromRow = from[i].slot != noSlot &&
                   slotBase(from[i].slot) == unsigned(SlotBase::Frame);
    if (to[i].slot != noSlot)
      originOf(toFrame, to[i].slot) =
          fromRow ? originOf(fromFrame, from[i].slot) : 0;
    if (to[i].slot != noSlot && to[i].bits != 1)
      paddingOf(toFrame, to[i].slot) =
          fromRow ? paddingOf(fromFrame, from[i].slot) : 0;
  }
}
