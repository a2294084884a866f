//===- SharedDescriptor.cpp - Matrix descriptors of wgmma -----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA, "Matrix Descriptor Format": three byte counts without their low four
// bits, the base offset and the swizzling mode.
//
//===----------------------------------------------------------------------===//

#include "SharedDescriptor.h"

using namespace ptxbench::emulator;

SharedDescriptor SharedDescriptor::decode(uint64_t bits) {
  SharedDescriptor result;
  result.start = uint32_t(bits & 0x3fff) << 4;
  result.leading = uint32_t(bits >> 16 & 0x3fff) << 4;
  result.stride = uint32_t(bits >> 32 & 0x3fff) << 4;
  result.baseOffset = bits >> 49 & 7;
  result.swizzle = SwizzleMode(bits >> 62);
  return result;
}

uint64_t SharedDescriptor::encode() const {
  auto field = [](uint32_t bytes) {
    return uint64_t(bytes & SharedMatrix::addressMask) >> 4;
  };
  return field(start) | field(leading) << 16 | field(stride) << 32 |
         uint64_t(baseOffset & 7) << 49 | uint64_t(swizzle) << 62;
}
