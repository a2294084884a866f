//===- ThreadModel.cpp - Which threads there are --------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Limits are those of the PTX ISA, "Special Registers", and of the CUDA
// programming guide's table of technical specifications.
//
//===----------------------------------------------------------------------===//

#include "ThreadModel.h"
#include "Instructions.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace llvm;
using namespace ptxbench::ptx;

namespace ptxbench::reachability {

static const char *const kAxes[] = {"x", "y", "z"};
static constexpr uint64_t kMaxBlock[] = {1024, 1024, 64};
static constexpr uint64_t kMaxGrid[] = {2147483647, 65535, 65535};
static constexpr uint64_t kMaxThreads = 1024;
static constexpr uint64_t kWarp = 32;

static uint32_t axisOf(const Dim3 &dim, unsigned axis) {
  return axis == 0 ? dim.x : axis == 1 ? dim.y : dim.z;
}

std::string ThreadClass::key() const {
  // Words, behind one that says which of them are there.
  uint32_t words[12] = {}, *next = words + 1;
  auto add = [&](std::optional<uint32_t> word) {
    words[0] = words[0] << 1 | word.has_value();
    if (word)
      *next++ = *word;
  };
  for (const auto &range : tid) {
    add(range ? std::optional(range->first) : std::nullopt);
    if (range)
      *next++ = range->second;
  }
  for (std::optional<uint32_t> id : ctaid)
    add(id);
  add(clusterRank);
  add(lane);
  words[0] = words[0] << 3 | unsigned(elected) << 1 | wholeWarps;
  return std::string(reinterpret_cast<const char *>(words),
                     (next - words) * sizeof(uint32_t));
}

std::string ThreadClass::describe() const {
  SmallVector<std::string> parts;
  for (unsigned i = 0; i < 3; ++i) {
    if (!tid[i])
      continue;
    if (tid[i]->first == tid[i]->second)
      parts.push_back(formatv("%tid.{0} = {1}", kAxes[i], tid[i]->first));
    else
      parts.push_back(formatv("%tid.{0} in [{1}, {2}]", kAxes[i], tid[i]->first,
                              tid[i]->second));
  }
  for (unsigned i = 0; i < 3; ++i)
    if (ctaid[i])
      parts.push_back(formatv("%ctaid.{0} = {1}", kAxes[i], *ctaid[i]));
  if (clusterRank)
    parts.push_back(formatv("%cluster_ctarank = {0}", *clusterRank));
  return llvm::join(parts, " and ");
}

//===----------------------------------------------------------------------===//
// Creation
//===----------------------------------------------------------------------===//

static std::string print(StringRef what, const Dim3 &dim) {
  return formatv("{0} {1}, {2}, {3}", what, dim.x, dim.y, dim.z);
}

template <typename... Ts>
static llvm::Error fail(Operation *entry, const char *format, Ts &&...values) {
  std::string name = SymbolTable::getSymbolName(entry).str();
  return createStringError(inconvertibleErrorCode(),
                           formatv(format, std::forward<Ts>(values)...).str() +
                               " for entry '" + name + "'");
}

Expected<ThreadModel> ThreadModel::create(Operation *op,
                                          const LaunchAssumptions &launch) {
  KernelModel kernel = getKernel(op);
  ThreadModel model;
  model.launch = launch;

  // `.maxntid` bounds the product of the extents only: "does not guarantee
  // that the limit in any particular dimension is not exceeded".
  if (std::optional<Dim3> max = kernel.maxBlock) {
    model.maxThreads = std::min<uint64_t>(kMaxThreads, max->volume());
    model.blockWhy = print(kernel.maxBlockName, *max);
  }
  if (std::optional<Dim3> req = kernel.block) {
    model.block = req;
    model.blockWhy = print(kernel.blockName, *req);
  }
  if (launch.block) {
    if (model.block && *model.block != *launch.block)
      return fail(op, "the assumed block must be that of '{0}' but is {1}",
                  model.blockWhy, print("", *launch.block).substr(1));
    if (!model.block && launch.block->volume() > model.maxThreads)
      return fail(op,
                  "the assumed block has {0} threads but at most {1} are "
                  "allowed{2}",
                  launch.block->volume(), model.maxThreads,
                  model.blockWhy.empty() ? "" : " by '" + model.blockWhy + "'");
    if (!model.block) {
      model.block = launch.block;
      model.blockWhy = print("assumed block", *launch.block);
    }
  }
  if (model.block) {
    for (unsigned i = 0; i < 3; ++i)
      if (axisOf(*model.block, i) == 0 ||
          axisOf(*model.block, i) > kMaxBlock[i])
        return fail(op,
                    "expected 1 to {0} threads in dimension {1} of the "
                    "block but got {2}",
                    kMaxBlock[i], kAxes[i], axisOf(*model.block, i));
    if (model.block->volume() > kMaxThreads)
      return fail(op, "expected at most {0} threads in a block but got {1}",
                  kMaxThreads, model.block->volume());
    model.maxThreads = model.block->volume();
  }

  if (std::optional<Dim3> req = kernel.cluster) {
    model.cluster = req;
    model.clusterWhy = print(kernel.clusterName, *req);
  }
  if (launch.cluster) {
    if (model.cluster && *model.cluster != *launch.cluster)
      return fail(op, "the assumed cluster must be that of '{0}' but is {1}",
                  model.clusterWhy, print("", *launch.cluster).substr(1));
    if (!model.cluster) {
      model.cluster = launch.cluster;
      model.clusterWhy = print("assumed cluster", *launch.cluster);
    }
  }
  if (kernel.grid) {
    model.grid = kernel.grid;
    model.gridWhy = print(kernel.gridName, *kernel.grid);
    if (launch.grid && *launch.grid != *kernel.grid)
      return fail(op, "the assumed grid must be that of '{0}' but is {1}",
                  model.gridWhy, print("", *launch.grid).substr(1));
  } else if (launch.grid) {
    model.grid = launch.grid;
    model.gridWhy = print("assumed grid", *launch.grid);
  }
  if (model.grid) {
    for (unsigned i = 0; i < 3; ++i) {
      uint32_t extent = axisOf(*model.grid, i);
      if (extent == 0 || extent > kMaxGrid[i])
        return fail(op,
                    "expected 1 to {0} CTAs in dimension {1} of the grid "
                    "but got {2}",
                    kMaxGrid[i], kAxes[i], extent);
      if (model.cluster && (axisOf(*model.cluster, i) == 0 ||
                            extent % axisOf(*model.cluster, i)))
        return fail(op,
                    "expected the grid's dimension {0} ({1}) to be a "
                    "multiple of the cluster's ({2})",
                    kAxes[i], extent, axisOf(*model.cluster, i));
    }
  }
  if (model.cluster && model.cluster->volume() == 0)
    return fail(op, "expected at least one CTA in a cluster");

  for (const ParamAssumption &param : launch.params) {
    SmallVector<uint64_t> sizes = getParameterSizes(op);
    if (param.index >= sizes.size())
      return fail(op, "parameter {0} is assumed but there are {1}", param.index,
                  sizes.size());
    uint64_t size = sizes[param.index];
    if (size && param.offset + param.bytes.size() > size)
      return fail(op,
                  "bytes {0} to {1} of parameter {2} are assumed but it "
                  "has {3}",
                  param.offset, param.offset + param.bytes.size(), param.index,
                  size);
  }
  return model;
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

Bound ThreadModel::extent(unsigned axis) const {
  Bound bound;
  if (block) {
    bound.lo = bound.hi = axisOf(*block, axis);
    bound.why = blockWhy;
    return bound;
  }
  bound.lo = 1;
  bound.hi = std::min(kMaxBlock[axis], maxThreads);
  bound.why = bound.hi < kMaxBlock[axis] ? blockWhy : "the limit of the ISA";
  return bound;
}

Bound ThreadModel::getBound(StringRef name, const ThreadClass &threads) const {
  Bound bound;
  auto [base, suffix] = name.split('.');
  unsigned axis = suffix == "y" ? 1 : suffix == "z" ? 2 : 0;
  bool isAxis = suffix == "x" || suffix == "y" || suffix == "z";
  auto exact = [&](uint64_t value, const std::string &why) {
    bound.lo = bound.hi = value;
    bound.why = why;
    return bound;
  };
  auto upTo = [&](uint64_t lo, uint64_t hi, const std::string &why) {
    bound.lo = lo;
    bound.hi = hi;
    bound.why = why;
    return bound;
  };
  const std::string isa = "the limit of the ISA";
  if (base == "ntid" && isAxis)
    return extent(axis);
  if (base == "tid" && isAxis) {
    Bound all = extent(axis);
    if (threads.tid[axis])
      return upTo(threads.tid[axis]->first,
                  std::min<uint64_t>(threads.tid[axis]->second, all.hi - 1),
                  "the class of threads");
    return upTo(0, all.hi - 1, all.why);
  }
  if (name == "laneid") {
    if (threads.lane)
      return exact(*threads.lane, "the class of threads");
    return upTo(0, std::min(kWarp, maxThreads) - 1, isa);
  }
  if (base == "nctaid" && isAxis) {
    if (grid)
      return exact(axisOf(*grid, axis), gridWhy);
    return upTo(1, kMaxGrid[axis], isa);
  }
  if (base == "ctaid" && isAxis) {
    if (threads.ctaid[axis])
      return exact(*threads.ctaid[axis], "the class of CTAs");
    if (grid)
      return upTo(0, axisOf(*grid, axis) - 1, gridWhy);
    return upTo(0, kMaxGrid[axis] - 1, isa);
  }
  if (base == "cluster_nctaid" && isAxis) {
    if (cluster)
      return exact(axisOf(*cluster, axis), clusterWhy);
    return upTo(1, kMaxGrid[axis], isa);
  }
  if (name == "cluster_nctarank" && cluster)
    return exact(cluster->volume(), clusterWhy);
  if (name == "cluster_ctarank") {
    if (threads.clusterRank)
      return exact(*threads.clusterRank, "the class of CTAs");
    if (cluster)
      return upTo(0, cluster->volume() - 1, clusterWhy);
  }
  if (base == "cluster_ctaid" && isAxis) {
    if (threads.clusterRank == std::optional<uint32_t>(0))
      return exact(0, "the class of CTAs");
    if (cluster)
      return upTo(0, axisOf(*cluster, axis) - 1, clusterWhy);
    return upTo(0, kMaxGrid[axis] - 1, isa);
  }
  if ((base == "nclusterid" || base == "clusterid") && isAxis) {
    bool counts = base == "nclusterid";
    if (grid && cluster) {
      uint64_t n = axisOf(*grid, axis) / axisOf(*cluster, axis);
      return counts ? exact(n, gridWhy) : upTo(0, n - 1, gridWhy);
    }
    return upTo(counts ? 1 : 0, kMaxGrid[axis] - (counts ? 0 : 1), isa);
  }
  return bound;
}

ConstantIntRanges ThreadModel::getRange(StringRef name, unsigned width,
                                        const ThreadClass &threads) const {
  if (name == "is_explicit_cluster" || width < 16 || width > 64)
    return ConstantIntRanges::maxRange(width);
  Bound bound = getBound(name, threads);
  bool known = !bound.why.empty();
  if (!known || (width < 32 && bound.hi >> width) || bound.lo > bound.hi)
    return ConstantIntRanges::maxRange(width);
  return ConstantIntRanges::fromUnsigned(APInt(width, bound.lo),
                                         APInt(width, bound.hi));
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

unsigned ThreadModel::getNumWarps() const {
  return block ? (block->volume() + kWarp - 1) / kWarp : 0;
}

unsigned ThreadModel::getWarpSize(unsigned warp) const {
  uint64_t first = warp * kWarp;
  return std::min<uint64_t>(kWarp, block->volume() - first);
}

ThreadClass ThreadModel::getWarp(unsigned warp) const {
  // A warp is 32 threads in a row, x running fastest (programming guide,
  // "Thread Hierarchy"). The box around them:
  ThreadClass threads;
  uint64_t first = warp * kWarp, last = first + getWarpSize(warp) - 1;
  uint64_t plane = uint64_t(block->x) * block->y;
  uint64_t z0 = first / plane, z1 = last / plane;
  uint64_t row0 = first / block->x, row1 = last / block->x;
  threads.tid[2] = {z0, z1};
  threads.tid[1] = z0 == z1 ? std::make_pair(uint32_t(row0 % block->y),
                                             uint32_t(row1 % block->y))
                            : std::make_pair(0u, block->y - 1);
  threads.tid[0] = row0 == row1 ? std::make_pair(uint32_t(first % block->x),
                                                 uint32_t(last % block->x))
                                : std::make_pair(0u, block->x - 1);
  return threads;
}

bool ThreadModel::isExactWarp(unsigned warp) const {
  ThreadClass threads = getWarp(warp);
  uint64_t volume = 1;
  for (auto &tid : threads.tid)
    volume *= tid->second - tid->first + 1;
  return volume == getWarpSize(warp);
}

ThreadClass ThreadModel::getFirstWarp() const {
  // x + y * ntid.x + z * ntid.x * ntid.y < 32 bounds each of them.
  ThreadClass threads;
  for (unsigned i = 0; i < 3; ++i)
    threads.tid[i] = {0,
                      std::min(std::min(kMaxBlock[i], maxThreads), kWarp) - 1};
  return threads;
}

ThreadClass ThreadModel::getThread(Dim3 tid) const {
  ThreadClass threads;
  threads.tid[0] = {tid.x, tid.x};
  threads.tid[1] = {tid.y, tid.y};
  threads.tid[2] = {tid.z, tid.z};
  threads.wholeWarps = false;
  if (tid == Dim3{0, 0, 0})
    threads.lane = 0;
  else if (block)
    threads.lane =
        (tid.x + uint64_t(block->x) * (tid.y + uint64_t(block->y) * tid.z)) %
        kWarp;
  return threads;
}

std::optional<uint64_t> ThreadModel::getParam(unsigned index, uint64_t offset,
                                              unsigned bytes) const {
  uint64_t value = 0;
  for (unsigned i = 0; i < bytes; ++i) {
    std::optional<uint8_t> byte;
    // The last of several assumptions about a byte counts.
    for (const ParamAssumption &param : launch.params)
      if (param.index == index && offset + i >= param.offset &&
          offset + i < param.offset + param.bytes.size())
        byte = param.bytes[offset + i - param.offset];
    if (!byte || bytes > 8)
      return std::nullopt;
    value |= uint64_t(*byte) << (8 * i);
  }
  return value;
}

} // namespace ptxbench::reachability
