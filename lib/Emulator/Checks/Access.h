//===- Access.h - What an access to memory is -------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What instructions tell the race checker of their accesses. PTX ISA "Operation
// Types", "Scope": what the modifiers say about the order of other accesses
// fits in one byte of Inst::flags.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_EMULATOR_CHECKS_ACCESS_H
#define PTXBENCH_LIB_EMULATOR_CHECKS_ACCESS_H

#include <cstdint>

namespace ptxbench::emulator {

/// Which threads an access or a fence with an order reaches.
enum class Scope : uint8_t { None, Cta, Cluster, Gpu };

struct MemoryOrder {
  /// Scope::None: a weak access.
  Scope scope = Scope::None;
  bool acquires = false, releases = false;

  uint8_t pack() const {
    return uint8_t(scope) | uint8_t(acquires) << 2 | uint8_t(releases) << 3;
  }
  static MemoryOrder unpack(uint8_t packed) {
    return {Scope(packed & 3), bool(packed & 4), bool(packed & 8)};
  }
};

/// Which of Inst::flags holds it, in instructions that have one.
constexpr unsigned orderFlag = 4;

/// What belongs to a warp and works on its own; wgmma belong to a warpgroup.
/// The reads and the writes of one bulk copy have the same epoch.
enum class AsyncUnit : uint8_t { Bulk, BulkWrite, CpAsync, Wgmma };

/// An asynchronous operation as an agent at an epoch.
struct AsyncStamp {
  unsigned agent = 0;
  uint32_t epoch = 0;
};

enum class AccessKind : uint8_t {
  Read,
  Write,
  /// A write that leaves the bytes as they are.
  SameWrite,
  /// With an order or a scope, which Inst::flags[orderFlag] has.
  StrongRead,
  StrongWrite,
  StrongSameWrite,
  /// An atomic operation before it is known whether it changes anything, and
  /// then either.
  Atomic,
  AtomicChange,
  AtomicSame,
  /// Whoever locates the bytes says later what was done.
  Deferred,
};

/// An access of an asynchronous operation.
struct AsyncAccess {
  AsyncStamp stamp;
  bool isWrite = false;
  /// By the asynchronous proxy, as all but those of cp.async, st.async.
  bool isProxy = true;
  /// The scope of a reduction; None: the access is weak.
  Scope scope = Scope::None;
};

} // namespace ptxbench::emulator

#endif // PTXBENCH_LIB_EMULATOR_CHECKS_ACCESS_H
