//===- ThreadKernel.h - Kernels whose threads do the same -------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two shapes of kernels that load what is a thread's own, do something with it
// and store what comes out: operands in registers, and records in memory.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_UTILS_DIFFERENTIAL_THREADKERNEL_H
#define PTXBENCH_UTILS_DIFFERENTIAL_THREADKERNEL_H

#include "Case.h"
#include "Operands.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace ptxbench::differential {

/// An operand of a thread kernel.
struct ThreadOperand {
  Kind kind;
  /// The register: "%h1", "%p0".
  std::string name;
};

/// A kernel in which each thread does the same with operands of its own. The
/// registers %p, %h, %r, %d are of 1, 16, 32 and 64 bits, %t is the number of
/// the thread.
struct ThreadKernel {
  std::string name, family;
  std::vector<ThreadOperand> inputs, outputs;
  /// What is done between loads and stores.
  std::string body;
  uint32_t threads = 1024;
  Tolerance tolerance;

  /// Makes the case; `operands` gives those of a thread, one after the other.
  Case make(llvm::function_ref<void(size_t, llvm::MutableArrayRef<uint64_t>)>
                operands) const;
};

/// A register of a kind with that number.
std::string registerOf(const Kind &kind, unsigned number);

/// A kernel in which %in and %out are the addresses of the thread's records of
/// so many bytes, %t is %tid.x, and %p, %b, %h, %r, %d, %q are
/// 16 registers each of 1, 8, 16, 32, 64 and 128 bits, %x is a free one of 32
/// bits.
struct RecordKernel {
  std::string name, family;
  unsigned inputBytes = 16, outputBytes = 16, threads = 128;
  /// Before the kernel; names begin with "@".
  std::string globals;
  std::string body;

  /// Random inputs.
  Case make() const;
  Case make(llvm::function_ref<void(size_t, llvm::MutableArrayRef<uint8_t>)>
                record) const;
};

/// A spelling as a name: "shared__cta".
std::string nameOf(llvm::StringRef spelling);

inline std::string number(uint64_t value) { return std::to_string(value); }

/// The registers of RecordKernel of so many bits: "h" for 16.
const char *registerPrefix(unsigned bits);

/// `%r0`, or a vector `{%r0, %r1}` of `count` registers from `first` on.
std::string operandOf(const std::string &prefix, unsigned count,
                      unsigned first = 0);

} // namespace ptxbench::differential

#endif // PTXBENCH_UTILS_DIFFERENTIAL_THREADKERNEL_H
