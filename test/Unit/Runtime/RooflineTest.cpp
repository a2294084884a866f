//===- RooflineTest.cpp - Tests of the least times ------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The device is an H200 as its driver describes it.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Runtime/Roofline.h"
#include "DeviceFactsUtils.h"
#include "gtest/gtest.h"

using namespace ptxbench;

namespace {

RunRequest product(int64_t m, int64_t n, int64_t k, ElementType type) {
  RunRequest request;
  request.tensors = {{"a", {m, k}, type, TensorRole::Input},
                     {"b", {n, k}, type, TensorRole::Input},
                     {"c", {m, n}, ElementType::BFloat16, TensorRole::Output}};
  request.reference.flops = 2.0 * double(m) * double(n) * double(k);
  return request;
}

TEST(Roofline, OperationsBoundAProduct) {
  std::optional<RooflineFloor> floor =
      rooflineFloor(h200(), product(8192, 7168, 5120, ElementType::BFloat16));
  ASSERT_TRUE(floor.has_value());
  // 601 G operations at 1,070.5 T/s.
  EXPECT_NEAR(floor->ms, 0.5617, 1e-3);
  EXPECT_EQ(floor->ms, floor->computeMs);
  // cuBLASLt takes 0.74 ms.
  EXPECT_FALSE(checkFloor(0.74, *floor).has_value());
  EXPECT_FALSE(checkFloor(0.55, *floor).has_value());
  std::optional<Violation> found = checkFloor(0.4, *floor);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->code, "FASTER_THAN_HARDWARE");
  EXPECT_NE(found->message.find("operations"), std::string::npos);
}

TEST(Roofline, NarrowElementsAreTwiceAsFast) {
  double wide =
      rooflineFloor(h200(), product(4096, 4096, 4096, ElementType::BFloat16))
          ->computeMs;
  double narrow =
      rooflineFloor(h200(), product(4096, 4096, 4096, ElementType::Float8E4M3))
          ->computeMs;
  EXPECT_DOUBLE_EQ(wide, 2 * narrow);
}

TEST(Roofline, MemoryBoundsWhatComputesLittle) {
  // Reads 256 MiB, writes 128 KiB, which stay in the L2.
  RunRequest request = product(16, 1 << 14, 1 << 13, ElementType::BFloat16);
  std::optional<RooflineFloor> floor = rooflineFloor(h200(), request);
  ASSERT_TRUE(floor.has_value());
  EXPECT_EQ(floor->ms, floor->memoryMs);
  EXPECT_NEAR(floor->ms, 268.7e6 / 4.814e12 * 1e3, 1e-4);
  std::optional<Violation> found = checkFloor(0.01, *floor);
  ASSERT_TRUE(found.has_value());
  EXPECT_NE(found->message.find("memory"), std::string::npos);
  // Output beyond the L2 counts.
  RunRequest big = request;
  big.tensors[2].shape = {1 << 14, 1 << 13};
  EXPECT_GT(rooflineFloor(h200(), big)->memoryMs, floor->memoryMs);
}

TEST(Roofline, ScalarsAreNoTensors) {
  RunRequest request = product(1024, 1024, 1024, ElementType::BFloat16);
  double before = rooflineFloor(h200(), request)->ms;
  ArgumentSpec scalar;
  scalar.name = "flag";
  scalar.type = ElementType::Int8;
  scalar.origin = ArgumentSpec::Origin::Scalar;
  request.tensors.push_back(scalar);
  EXPECT_DOUBLE_EQ(rooflineFloor(h200(), request)->ms, before);
}

TEST(Roofline, UnknownDevicesHaveNone) {
  RunRequest request = product(64, 64, 64, ElementType::BFloat16);
  DeviceFacts device = h200();
  device.computeMajor = 7;
  EXPECT_FALSE(rooflineFloor(device, request).has_value());
  device = h200();
  device.clockKHz = 0;
  EXPECT_FALSE(rooflineFloor(device, request).has_value());
}

TEST(Roofline, WithoutOperationsMemoryCounts) {
  RunRequest request = product(4096, 4096, 4096, ElementType::BFloat16);
  request.reference.flops = 0;
  std::optional<RooflineFloor> floor = rooflineFloor(h200(), request);
  EXPECT_EQ(floor->computeMs, 0);
  EXPECT_GT(floor->ms, 0);
}

TEST(Roofline, RoundTripsDevices) {
  DeviceFacts device = h200(), read;
  llvm::json::Path::Root root("device");
  ASSERT_TRUE(fromJSON(toJSON(device), read, root));
  EXPECT_EQ(read.clockKHz, device.clockKHz);
  EXPECT_EQ(read.l2Bytes, device.l2Bytes);
  EXPECT_EQ(read.memoryBusBits, device.memoryBusBits);
}

} // namespace
