//===- CompiledReference.h - A reference in MLIR, as machine code ---------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a task computes is written in MLIR: a function on tensors (or memrefs)
// of f32 or f64, inputs first, then outputs, all of them arguments. It is
// checked against the definition, lowered by MLIR's own passes and compiled
// for this machine. docs/Tasks.md says what such a function may do.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_REFERENCE_COMPILEDREFERENCE_H
#define PTXBENCH_REFERENCE_COMPILEDREFERENCE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ptxbench {

/// What the definition says of one argument.
struct ReferenceArgument {
  struct Extent {
    std::string axis;
    int64_t size = 0;
    /// The function is called with smaller extents of this axis, too, so it
    /// must not be fixed in the signature.
    bool divided = false;
  };
  std::string name;
  std::vector<Extent> shape;
  bool isScalar = false, isOutput = false;
};

/// Of the elements of an argument, as the function has it.
enum class ReferenceType { F32, F64 };

inline unsigned sizeOf(ReferenceType type) {
  return type == ReferenceType::F32 ? 4 : 8;
}

/// Where a reference runs.
struct ReferenceTarget {
  /// The ordinal of a CUDA device; absent: the CPU.
  std::optional<int> device;
  /// The path of libdevice.10.bc; empty: not there.
  std::string libdevice;
  /// Where the PTX of the kernels is written to; empty: nowhere.
  std::string ptxFile;
};

class CompiledReference {
public:
  virtual ~CompiledReference();

  /// Reads the file, checks it and compiles `function`. What is wrong goes to
  /// `diagnostics` with file, line and column, and the result is null.
  static std::unique_ptr<CompiledReference>
  compile(llvm::StringRef path, llvm::StringRef function,
          llvm::ArrayRef<ReferenceArgument> arguments,
          const ReferenceTarget &target, llvm::raw_ostream &diagnostics);

  /// The name of the device; empty for the CPU.
  virtual std::string device() const = 0;

  /// In the order of the arguments.
  virtual llvm::ArrayRef<ReferenceType> types() const = 0;

  /// Calls the function on contiguous row-major data, of one element for a
  /// scalar. May be called from several threads. What goes wrong in the
  /// function ends the process; see limitReference.
  virtual void call(llvm::ArrayRef<void *> data,
                    llvm::ArrayRef<std::vector<int64_t>> shapes) const = 0;
};

/// Exit statuses of the process: the reference did what it must not; it needs
/// more than the limits allow.
inline constexpr int referenceFailed = 2, referenceTooLarge = 3;

/// From now on compiled references end the process with a message and one of
/// these statuses where they fail at run time, need more than `bytes` at a time
/// in tensors of their own, or `seconds` from now have passed.
void limitReference(uint64_t bytes, double seconds);

} // namespace ptxbench

#endif // PTXBENCH_REFERENCE_COMPILEDREFERENCE_H
