//===- LaunchSizes.cpp - Sizes of blocks, clusters and grids --------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A size has several names: gpu.func has attributes of its own, gpu.launch_func
// and the lowering to llvm.func know those of the gpu dialect, and the lowering
// keeps nvvm's. They have to agree with each other and with the launches.
//
//===----------------------------------------------------------------------===//

#include "Helpers.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <array>

using namespace mlir;
using NVVM::NVVMDialect;

namespace ptxbench {

static std::string print(const Dim3 &dim) {
  return llvm::formatv("{0}, {1}, {2}", int32_t(dim.x), int32_t(dim.y),
                       int32_t(dim.z));
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Reads one to three extents from the first of the attributes that is there,
/// and says which one that was. Two that differ are none but a contradiction.
static void readExtents(Operation *kernel, ArrayRef<StringRef> names,
                        std::optional<Dim3> &dim, std::string &spelling,
                        std::string &contradiction) {
  for (StringRef name : names) {
    auto values = kernel->getAttrOfType<DenseI32ArrayAttr>(name);
    if (!values || values.empty() || values.size() > 3)
      continue;
    Dim3 read;
    read.x = values[0];
    read.y = values.size() > 1 ? values[1] : 1;
    read.z = values.size() > 2 ? values[2] : 1;
    if (dim && *dim != read) {
      if (contradiction.empty())
        contradiction = llvm::formatv("'{0}' is {1} but '{2}' is {3}", spelling,
                                      print(*dim), name, print(read));
      dim.reset();
      return;
    }
    if (!dim)
      spelling = name.str();
    dim = read;
  }
}

/// What `nvvm.cluster_max_blocks` says; 0 is no limit, as for `ptxas`.
static std::optional<uint64_t> getMostInCluster(Operation *kernel) {
  auto most = kernel->getAttrOfType<IntegerAttr>(
      NVVMDialect::getClusterMaxBlocksAttrName());
  if (!most || most.getValue().isZero())
    return std::nullopt;
  return most.getValue().getLimitedValue();
}

/// A number that the lowering would make another one.
static std::string findWrongNumber(Operation *kernel,
                                   const KernelModel &model) {
  for (auto [extents, name] : {std::pair(model.block, model.blockName),
                               std::pair(model.cluster, model.clusterName),
                               std::pair(model.grid, model.gridName),
                               std::pair(model.maxBlock, model.maxBlockName)})
    if (extents && (int32_t(extents->x) < 1 || int32_t(extents->y) < 1 ||
                    int32_t(extents->z) < 1))
      return llvm::formatv("expected positive extents in '{0}' but got {1}",
                           name, print(*extents));
  for (StringRef name :
       {NVVMDialect::getClusterMaxBlocksAttrName(),
        NVVMDialect::getMaxnregAttrName(), NVVMDialect::getMinctasmAttrName()})
    if (auto number = kernel->getAttrOfType<IntegerAttr>(name))
      if (number.getValue().isNegative() || number.getValue().ugt(INT32_MAX))
        return llvm::formatv("expected a number from 0 to {0} in '{1}' but "
                             "got {2}",
                             INT32_MAX, name,
                             llvm::toString(number.getValue(), 10,
                                            /*Signed=*/true));
  return "";
}

/// What `ptxas` refuses together, or no launch fits.
static std::string findConflict(Operation *kernel, const KernelModel &model) {
  StringRef most = NVVMDialect::getClusterMaxBlocksAttrName();
  // The lowering makes nvvm's attribute of the cluster that gpu.func has.
  for (auto [one, other] :
       {std::pair(NVVMDialect::getReqntidAttrName(),
                  NVVMDialect::getMaxntidAttrName()),
        std::pair(NVVMDialect::getClusterDimAttrName(), most),
        std::pair(StringRef("known_cluster_size"), most)})
    if (kernel->hasAttr(one) && kernel->hasAttr(other))
      return llvm::formatv("'{0}' and '{1}' exclude each other", one, other);

  if (model.block && model.maxBlock &&
      model.block->volume() > model.maxBlock->volume())
    return llvm::formatv("'{0}' allows {1} threads but '{2}' has {3}",
                         model.maxBlockName, model.maxBlock->volume(),
                         model.blockName, model.block->volume());
  std::optional<uint64_t> limit = getMostInCluster(kernel);
  if (limit && model.cluster && model.cluster->volume() > *limit)
    return llvm::formatv("'{0}' allows {1} CTAs but '{2}' has {3}", most,
                         *limit, model.clusterName, model.cluster->volume());
  if (model.grid && model.cluster &&
      (model.grid->x % model.cluster->x || model.grid->y % model.cluster->y ||
       model.grid->z % model.cluster->z))
    return llvm::formatv("'{0}' {1} is no multiple of '{2}' {3}",
                         model.gridName, print(*model.grid), model.clusterName,
                         print(*model.cluster));
  return "";
}

KernelModel readLaunchSizes(Operation *kernel, bool isGPUFunc) {
  KernelModel model;
  auto read = [&](ArrayRef<StringRef> names, std::optional<Dim3> &dim,
                  std::string &spelling) {
    SmallVector<StringRef, 3> known;
    for (StringRef name : names)
      // gpu.launch_func and the lowering to llvm.func know those of the gpu
      // dialect.
      if (isGPUFunc || name.contains('.'))
        known.push_back(name);
    readExtents(kernel, known, dim, spelling, model.contradiction);
  };
  read({NVVMDialect::getReqntidAttrName(), "known_block_size",
        "gpu.known_block_size"},
       model.block, model.blockName);
  read({NVVMDialect::getClusterDimAttrName(), "known_cluster_size",
        "gpu.known_cluster_size"},
       model.cluster, model.clusterName);
  // The lowering leaves it out, as ptxas does.
  if (model.cluster && model.cluster->x == 0)
    model.cluster.reset();
  read({"known_grid_size", "gpu.known_grid_size"}, model.grid, model.gridName);
  read({NVVMDialect::getMaxntidAttrName()}, model.maxBlock, model.maxBlockName);
  if (model.contradiction.empty())
    model.contradiction = findWrongNumber(kernel, model);
  if (model.contradiction.empty())
    model.contradiction = findConflict(kernel, model);
  return model;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

namespace {

/// A launch and its kernel. Each of the functions says what is wrong, or
/// nothing.
class LaunchCheck {
public:
  /// Of a grid, a block or a cluster, what is constant.
  using Extents = std::array<std::optional<int64_t>, 3>;

  LaunchCheck(StringRef kernel) : kernel(kernel) {}

  static Extents read(gpu::KernelDim3 dim) {
    Extents extents;
    const Value axes[] = {dim.x, dim.y, dim.z};
    for (auto [i, value] : llvm::enumerate(axes)) {
      llvm::APInt constant;
      if (matchPattern(value, m_ConstantInt(&constant)))
        extents[i] = constant.getSExtValue();
    }
    return extents;
  }

  /// Those that a kernel says.
  static Extents read(const std::optional<Dim3> &dim) {
    return dim ? Extents{dim->x, dim->y, dim->z} : Extents();
  }

  /// What no kernel has, or what this one says another number of.
  std::string compare(StringRef what, const Extents &launch,
                      const std::optional<Dim3> &says,
                      StringRef attribute) const {
    Extents wanted = read(says);
    for (size_t i = 0; i < launch.size(); ++i) {
      if (launch[i] && (*launch[i] < 1 || *launch[i] > INT32_MAX))
        return llvm::formatv("expected an extent of the {0} from 1 to {1} but "
                             "got {2} along {3}",
                             what, INT32_MAX, *launch[i], "xyz"[i]);
      if (launch[i] && wanted[i] && *launch[i] != *wanted[i])
        return llvm::formatv("the {0} has {1} along {2} but '{3}' of '{4}' "
                             "says {5}, on which its code may rely",
                             what, *launch[i], "xyz"[i], attribute, kernel,
                             *wanted[i]);
    }
    return "";
  }

  /// More than `most` together.
  std::string limit(StringRef what, StringRef parts, const Extents &launch,
                    std::optional<uint64_t> most, StringRef attribute) const {
    uint64_t known = 1;
    for (const std::optional<int64_t> &extent : launch)
      known = llvm::SaturatingMultiply<uint64_t>(known, extent.value_or(1));
    if (!most || known <= *most)
      return "";
    return llvm::formatv(
        "the {0} has {1}{2} {3} but '{4}' of '{5}' allows {6}", what,
        llvm::is_contained(launch, std::nullopt) ? "at least " : "", known,
        parts, attribute, kernel, *most);
  }

  /// A grid that clusters, which the launch or its kernel has, do not fill.
  std::string divide(const Extents &grid, const Extents &cluster,
                     const std::optional<Dim3> &says,
                     StringRef attribute) const {
    Extents wanted = read(says);
    for (size_t i = 0; i < grid.size(); ++i) {
      std::optional<int64_t> by = cluster[i] ? cluster[i] : wanted[i];
      if (!grid[i] || !by || *by < 1 || *grid[i] % *by == 0)
        continue;
      std::string of =
          cluster[i]
              ? std::string("its clusters have")
              : llvm::formatv("'{0}' of '{1}' says", attribute, kernel).str();
      return llvm::formatv("the grid has {0} along {1}, which is no multiple "
                           "of the {2} that {3}",
                           *grid[i], "xyz"[i], *by, of);
    }
    return "";
  }

private:
  StringRef kernel;
};

} // namespace

std::string checkLaunchSizes(Operation *op) {
  auto launch = cast<gpu::LaunchFuncOp>(op);
  Operation *callee =
      SymbolTable::lookupNearestSymbolFrom(launch, launch.getKernelAttr());
  std::optional<KernelModel> kernel =
      callee ? getKernelModel(callee) : std::nullopt;
  if (!kernel)
    return "";
  LaunchCheck check(SymbolTable::getSymbolName(callee).getValue());
  LaunchCheck::Extents grid = check.read(launch.getGridSizeOperandValues()),
                       block = check.read(launch.getBlockSizeOperandValues()),
                       cluster;
  if (launch.hasClusterSize())
    cluster = check.read(launch.getClusterSizeOperandValues());
  std::optional<uint64_t> mostThreads;
  if (kernel->maxBlock)
    mostThreads = kernel->maxBlock->volume();
  for (const std::string &found :
       {check.compare("grid", grid, kernel->grid, kernel->gridName),
        check.compare("block", block, kernel->block, kernel->blockName),
        check.compare("cluster", cluster, kernel->cluster, kernel->clusterName),
        check.limit("block", "threads", block, mostThreads,
                    kernel->maxBlockName),
        check.limit("cluster", "CTAs", cluster, getMostInCluster(callee),
                    NVVMDialect::getClusterMaxBlocksAttrName()),
        check.divide(grid, cluster, kernel->cluster, kernel->clusterName)})
    if (!found.empty())
      return found;
  return "";
}

} // namespace ptxbench
