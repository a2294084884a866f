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
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using NVVM::NVVMDialect;

namespace ptxbench {

static std::string print(const Dim3 &dim) {
  return llvm::formatv("{0}, {1}, {2}", dim.x, dim.y, dim.z);
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
  auto limit = kernel->getAttrOfType<IntegerAttr>(most);
  if (limit && model.cluster &&
      model.cluster->volume() > limit.getValue().getZExtValue())
    return llvm::formatv("'{0}' allows {1} CTAs but '{2}' has {3}", most,
                         limit.getValue().getZExtValue(), model.clusterName,
                         model.cluster->volume());
  auto divides = [](uint32_t cluster, uint32_t grid) {
    return cluster && grid % cluster == 0;
  };
  if (model.grid && model.cluster &&
      !(divides(model.cluster->x, model.grid->x) &&
        divides(model.cluster->y, model.grid->y) &&
        divides(model.cluster->z, model.grid->z)))
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
  read({"known_grid_size", "gpu.known_grid_size"}, model.grid, model.gridName);
  read({NVVMDialect::getMaxntidAttrName()}, model.maxBlock, model.maxBlockName);
  if (model.contradiction.empty())
    model.contradiction = findConflict(kernel, model);
  return model;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// Which extent of a launch is another than its kernel says.
static std::string compareExtents(StringRef what, gpu::KernelDim3 launch,
                                  const std::optional<Dim3> &says,
                                  StringRef attribute, StringRef kernel) {
  if (!says)
    return "";
  const std::pair<Value, uint32_t> axes[] = {
      {launch.x, says->x}, {launch.y, says->y}, {launch.z, says->z}};
  for (auto [axis, extents] : llvm::enumerate(axes)) {
    llvm::APInt value;
    if (matchPattern(extents.first, m_ConstantInt(&value)) &&
        value.getSExtValue() != int64_t(extents.second))
      return llvm::formatv("the {0} has {1} along {2} but '{3}' of '{4}' says "
                           "{5}, on which its code may rely",
                           what, value.getSExtValue(),
                           StringRef("xyz").substr(axis, 1), attribute, kernel,
                           extents.second);
  }
  return "";
}

/// More threads than `nvvm.maxntid` allows.
static std::string compareThreads(gpu::KernelDim3 block,
                                  const KernelModel &model, StringRef kernel) {
  if (!model.maxBlock)
    return "";
  uint64_t threads = 1;
  for (Value value : {block.x, block.y, block.z}) {
    llvm::APInt extent;
    if (!matchPattern(value, m_ConstantInt(&extent)))
      return "";
    threads *= extent.getZExtValue();
  }
  if (threads <= model.maxBlock->volume())
    return "";
  return llvm::formatv(
      "the block has {0} threads but '{1}' of '{2}' allows {3}", threads,
      model.maxBlockName, kernel, model.maxBlock->volume());
}

std::string checkLaunchSizes(Operation *op) {
  auto launch = cast<gpu::LaunchFuncOp>(op);
  Operation *callee =
      SymbolTable::lookupNearestSymbolFrom(launch, launch.getKernelAttr());
  std::optional<KernelModel> kernel =
      callee ? getKernelModel(callee) : std::nullopt;
  if (!kernel)
    return "";
  StringRef name = SymbolTable::getSymbolName(callee).getValue();
  gpu::KernelDim3 block = launch.getBlockSizeOperandValues();
  std::string found = compareExtents("grid", launch.getGridSizeOperandValues(),
                                     kernel->grid, kernel->gridName, name);
  if (found.empty())
    found =
        compareExtents("block", block, kernel->block, kernel->blockName, name);
  if (found.empty() && launch.hasClusterSize())
    found = compareExtents("cluster", launch.getClusterSizeOperandValues(),
                           kernel->cluster, kernel->clusterName, name);
  return found.empty() ? compareThreads(block, *kernel, name) : found;
}

} // namespace ptxbench
