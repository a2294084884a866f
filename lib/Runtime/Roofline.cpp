//===- Roofline.cpp - How fast a device can be at most --------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The highest clocks are those of the driver's attributes, not those of a data
// sheet, which devices exceed: an H200 reaches 1,980 MHz, so 1,070 TFLOP/s of
// 16-bit elements, and its memory 4.8 TB/s.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Runtime/Roofline.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace ptxbench;

/// A time may be this much below the floor.
static constexpr double margin = 0.03;

namespace {
struct TensorRate {
  int major, minor;
  double ops16, ops8;
};
} // namespace

static constexpr TensorRate tensorRates[] = {
#define PTXBENCH_TENSOR_RATE(major, minor, ops16, ops8)                        \
  {major, minor, ops16, ops8},
#include "TensorRates.def"
};

std::optional<RooflineFloor>
ptxbench::rooflineFloor(const DeviceFacts &device, const RunRequest &request) {
  const TensorRate *rate = find_if(tensorRates, [&](const TensorRate &one) {
    return one.major == device.computeMajor && one.minor == device.computeMinor;
  });
  if (rate == std::end(tensorRates) || device.multiprocessors <= 0 ||
      device.clockKHz <= 0 || device.memoryClockKHz <= 0 ||
      device.memoryBusBits <= 0)
    return std::nullopt;
  uint64_t read = 0, written = 0;
  bool narrow = false;
  for (const ArgumentSpec &tensor : request.tensors) {
    if (tensor.isScalar())
      continue;
    (tensor.role == TensorRole::Input ? read : written) += tensor.bytes();
    narrow |= sizeOf(tensor.type) == 1;
  }
  written -= std::min(written, device.l2Bytes);
  double perSecond = (narrow ? rate->ops8 : rate->ops16) *
                     device.multiprocessors * device.clockKHz * 1e3;
  // Two transfers in a cycle.
  double bytesPerSecond =
      2.0 * device.memoryClockKHz * 1e3 * device.memoryBusBits / 8;
  RooflineFloor floor;
  floor.computeMs = 1e3 * request.reference.flops / perSecond;
  floor.memoryMs = 1e3 * double(read + written) / bytesPerSecond;
  floor.ms = std::max(floor.computeMs, floor.memoryMs);
  return floor;
}

std::optional<Violation> ptxbench::checkFloor(double medianMs,
                                              const RooflineFloor &floor) {
  if (medianMs >= (1 - margin) * floor.ms)
    return std::nullopt;
  std::string text;
  raw_string_ostream os(text);
  os << "a call took " << format("%.4f", medianMs) << " ms (median), but "
     << (floor.computeMs >= floor.memoryMs
             ? "its operations take all tensor cores at the highest clock "
             : "its tensors take the memory at the highest clock ")
     << format("%.4f", floor.ms) << " ms";
  return Violation{"FASTER_THAN_HARDWARE", text};
}

json::Value ptxbench::toJSON(const DeviceFacts &device) {
  return json::Object{{"compute_major", device.computeMajor},
                      {"compute_minor", device.computeMinor},
                      {"multiprocessors", device.multiprocessors},
                      {"clock_khz", device.clockKHz},
                      {"memory_clock_khz", device.memoryClockKHz},
                      {"memory_bus_bits", device.memoryBusBits},
                      {"l2_bytes", device.l2Bytes}};
}

bool ptxbench::fromJSON(const json::Value &value, DeviceFacts &device,
                        json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("compute_major", device.computeMajor) &&
         map.map("compute_minor", device.computeMinor) &&
         map.map("multiprocessors", device.multiprocessors) &&
         map.map("clock_khz", device.clockKHz) &&
         map.map("memory_clock_khz", device.memoryClockKHz) &&
         map.map("memory_bus_bits", device.memoryBusBits) &&
         map.map("l2_bytes", device.l2Bytes);
}
