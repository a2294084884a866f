//===- DeviceFactsUtils.h - A device that tests are about -------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the driver says of an H200.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_TEST_UNIT_RUNTIME_DEVICEFACTSUTILS_H
#define PTXBENCH_TEST_UNIT_RUNTIME_DEVICEFACTSUTILS_H

#include "ptxbench/Runtime/Roofline.h"

namespace ptxbench {

inline DeviceFacts h200() {
  DeviceFacts device;
  device.computeMajor = 9;
  device.multiprocessors = 132;
  device.clockKHz = 1980000;
  device.memoryClockKHz = 3201000;
  device.memoryBusBits = 6016;
  device.l2Bytes = uint64_t(60) << 20;
  return device;
}

} // namespace ptxbench

#endif // PTXBENCH_TEST_UNIT_RUNTIME_DEVICEFACTSUTILS_H
