//===- Case.h - A kernel to be run on two machines --------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A case is a kernel with its launch and its inputs, and how the outputs of the
// emulator and of a GPU may differ. Cases are made by code from fixed seeds, so
// that a recording holds what a GPU made of them and nothing else: the machine
// that has the GPU makes the same cases again.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_UTILS_DIFFERENTIAL_CASE_H
#define PTXBENCH_UTILS_DIFFERENTIAL_CASE_H

#include "ptxbench/Emulator/TensorMap.h"
#include "ptxbench/Trace/Launch.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace ptxbench::differential {

/// Global memory that a kernel gets the address of, aligned to 512 bytes.
struct Buffer {
  std::vector<uint8_t> bytes;
  /// Its bytes after the launch are a result.
  bool isOutput = false;
};

/// The address of a buffer as a parameter of 64 bits.
struct BufferParam {
  unsigned buffer = 0;
  uint64_t offset = 0;
};
/// A value, in little-endian bytes; its size is its alignment.
struct ValueParam {
  std::vector<uint8_t> bytes;
};
/// A tensor map of 128 bytes, `.param .align 64 .b8 name[128]`, made by
/// cuTensorMapEncodeTiled or -Im2col. `globalAddress` of the request is an
/// offset in the buffer.
struct TensorMapParam {
  unsigned buffer = 0;
  std::variant<emulator::TiledRequest, emulator::Im2colRequest> request;
};
using Param = std::variant<BufferParam, ValueParam, TensorMapParam>;

/// How outputs are compared, element by element.
enum class Format : uint8_t {
  /// All bits are the same.
  Bits,
  F16,
  BF16,
  F32,
  F64,
};
struct Tolerance {
  Format format = Format::Bits;
  /// Elements may differ by `relative` times the greater magnitude, or by
  /// `absolute`, or by so many units in the last place. Infinities must be the
  /// same; any NaN is like any other one.
  double relative = 0, absolute = 0;
  unsigned ulps = 0;
};

/// An instruction whose executions the kernel counts by itself, too.
struct CountedLine {
  /// The line of Case::text on which it stands alone, 1-based.
  unsigned line = 0;
  /// Where the kernel counts, in 64 bits of an output.
  unsigned buffer = 0;
  uint64_t offset = 0;
  /// Counted are executions by warps and not by threads.
  bool isOfWarps = false;
};

/// Which input and which results belong together, for messages.
struct PerThread {
  /// 0: nothing is known.
  uint32_t threads = 0;
  /// Thread i reads as many bytes of buffer 0, from i times that on.
  uint32_t inputBytes = 0;
  /// Buffer 1 has one array after the other, with an element of so many bytes
  /// for each thread.
  std::vector<uint32_t> outputBytes;
};

struct Case {
  /// Unique, of letters, digits, '.', '_' and '-': "add.sat.s32".
  std::string name;
  /// What the report groups by: "integer", "wgmma".
  std::string family;
  /// `.entry` and what stands beside it in the module, where "@" in front of a
  /// name is replaced by a prefix of the case's own: ".entry @kernel(...)". The
  /// entry is "@kernel". A guard's register begins with "%".
  std::string text;
  std::vector<Buffer> buffers;
  std::vector<Param> params;
  Dim3 grid, block, cluster;
  uint32_t dynamicSharedBytes = 0;
  Tolerance tolerance;
  std::vector<CountedLine> counted;
  PerThread perThread;
};

/// The cases of each file; appended in a fixed order, from fixed seeds.
void addIntegerCases(std::vector<Case> &cases);
void addFloatCases(std::vector<Case> &cases);
void addConvertCases(std::vector<Case> &cases);
void addMoveCases(std::vector<Case> &cases);
void addMemoryCases(std::vector<Case> &cases);
void addAtomicCases(std::vector<Case> &cases);
void addWarpCases(std::vector<Case> &cases);
/// Random programs with branches, loops and calls; they count the executions of
/// their basic blocks by themselves.
void addProgramCases(std::vector<Case> &cases);
void addMatrixCases(std::vector<Case> &cases);
void addWgmmaCases(std::vector<Case> &cases);
void addBulkCases(std::vector<Case> &cases);
void addTensorCases(std::vector<Case> &cases);
/// mbarriers, barriers, clusters.
void addBarrierCases(std::vector<Case> &cases);

/// All of them, or those of a family.
std::vector<Case> makeCases(const std::string &family = "");

} // namespace ptxbench::differential

#endif // PTXBENCH_UTILS_DIFFERENTIAL_CASE_H
