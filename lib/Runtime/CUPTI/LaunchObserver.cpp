//===- LaunchObserver.cpp - Launches and loaded machine code --------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Launches are read when the driver call returns with success, while the
// caller's parameters are still in place. Callbacks may come from any thread.
//
//===----------------------------------------------------------------------===//

#include "Cupti.h"

#include <cupti_driver_cbid.h>

#include <cstring>

using namespace llvm;
using namespace ptxbench;

namespace {

/// The arguments of the launch calls in their order, as callbacks hand them
/// over.
struct LaunchKernelParams {
  CUfunction f;
  unsigned gridDimX, gridDimY, gridDimZ;
  unsigned blockDimX, blockDimY, blockDimZ;
  unsigned sharedMemBytes;
  CUstream hStream;
  void **kernelParams;
  /// Absent from a cooperative launch.
  void **extra;
};

struct LaunchKernelExParams {
  const CUlaunchConfig *config;
  CUfunction f;
  void **kernelParams;
  void **extra;
};

constexpr CUpti_driver_api_trace_cbid launchCalls[] = {
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch,
    CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz,
};

/// Shape of any of the launch calls that take it as separate arguments.
template <typename Params> LaunchRecord shapeOf(const Params &params) {
  LaunchRecord launch;
  launch.grid = {params.gridDimX, params.gridDimY, params.gridDimZ};
  launch.block = {params.blockDimX, params.blockDimY, params.blockDimZ};
  launch.dynamicSharedBytes = params.sharedMemBytes;
  return launch;
}

bool sameLaunch(const LaunchRecord &a, const LaunchRecord &b) {
  return a.kernel == b.kernel && a.grid == b.grid && a.block == b.block &&
         a.cluster == b.cluster &&
         a.dynamicSharedBytes == b.dynamicSharedBytes && a.params == b.params;
}

} // namespace

Error LaunchObserver::start(bool launches) {
  if (Error error = cupti.check(
          cupti.cuptiSubscribe(&subscriber, &LaunchObserver::callback, this),
          "cuptiSubscribe (another profiler in this process?)"))
    return error;
  if (Error error = cupti.check(
          cupti.cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE,
                                    CUPTI_CBID_RESOURCE_MODULE_LOADED),
          "callbacks for loaded modules"))
    return error;
  if (!launches)
    return Error::success();
  for (CUpti_driver_api_trace_cbid id : launchCalls)
    if (Error error =
            cupti.check(cupti.cuptiEnableCallback(
                            1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, id),
                        "callbacks for launches"))
      return error;
  return Error::success();
}

void LaunchObserver::setRecording(bool on) {
  std::lock_guard<std::mutex> lock(mutex);
  recording = on;
}

std::vector<std::string> LaunchObserver::notes() const {
  std::vector<std::string> notes;
  if (graphLaunches)
    notes.push_back(
        std::to_string(graphLaunches) +
        " graph launches were seen; their kernels are recorded once, as "
        "they were captured, or not at all");
  if (failedLaunches)
    notes.push_back(std::to_string(failedLaunches) +
                    " launches were refused by the driver");
  if (unknownParams)
    notes.push_back("the parameters of " + std::to_string(unknownParams) +
                    " launches could not be read");
  return notes;
}

void LaunchObserver::callback(void *self, CUpti_CallbackDomain domain,
                              CUpti_CallbackId id, const void *data) {
  auto &observer = *static_cast<LaunchObserver *>(self);
  if (domain == CUPTI_CB_DOMAIN_RESOURCE &&
      id == CUPTI_CBID_RESOURCE_MODULE_LOADED) {
    auto *resource = static_cast<const CUpti_ResourceData *>(data);
    if (resource->resourceDescriptor)
      observer.moduleLoaded(*static_cast<const CUpti_ModuleResourceData *>(
          resource->resourceDescriptor));
  } else if (domain == CUPTI_CB_DOMAIN_DRIVER_API) {
    auto *call = static_cast<const CUpti_CallbackData *>(data);
    if (call->callbackSite == CUPTI_API_EXIT)
      observer.launched(id, *call);
  }
}

void LaunchObserver::moduleLoaded(const CUpti_ModuleResourceData &module) {
  if (!module.pCubin || !module.cubinSize)
    return;
  Module copy;
  copy.bytes.assign(module.pCubin, module.pCubin + module.cubinSize);
  CUpti_GetCubinCrcParams crc = {};
  crc.size = CUpti_GetCubinCrcParamsSize;
  crc.cubinSize = module.cubinSize;
  crc.cubin = module.pCubin;
  if (cupti.cuptiGetCubinCrc(&crc) == CUPTI_SUCCESS)
    copy.crc = uint32_t(crc.cubinCrc);
  std::lock_guard<std::mutex> lock(mutex);
  loaded.push_back(std::move(copy));
}

void LaunchObserver::launched(CUpti_CallbackId id,
                              const CUpti_CallbackData &data) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!recording)
    return;
  auto *result = static_cast<const CUresult *>(data.functionReturnValue);
  if (!result || *result != CUDA_SUCCESS) {
    ++failedLaunches;
    return;
  }
  LaunchRecord launch;
  CUfunction function = nullptr;
  void **params = nullptr, **extra = nullptr;
  switch (id) {
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel:
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz:
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel:
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz: {
    auto *call = static_cast<const LaunchKernelParams *>(data.functionParams);
    launch = shapeOf(*call);
    function = call->f;
    params = call->kernelParams;
    if (id == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel ||
        id == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz)
      extra = call->extra;
    break;
  }
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx:
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz: {
    auto *call = static_cast<const LaunchKernelExParams *>(data.functionParams);
    const CUlaunchConfig &config = *call->config;
    launch = shapeOf(config);
    for (unsigned i = 0; i < config.numAttrs; ++i)
      if (config.attrs[i].id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
        launch.cluster = {config.attrs[i].value.clusterDim.x,
                          config.attrs[i].value.clusterDim.y,
                          config.attrs[i].value.clusterDim.z};
    function = call->f;
    params = call->kernelParams;
    extra = call->extra;
    break;
  }
  default:
    ++graphLaunches;
    return;
  }
  launch.kernel = data.symbolName ? data.symbolName : "";
  record(std::move(launch), function, params, extra);
}

/// Completes and keeps a launch. The lock is held.
void LaunchObserver::record(LaunchRecord launch, CUfunction function,
                            void **params, void **extra) {
  // What is launched may be a function or a context-free kernel; the handles
  // have one type here and the driver tells them apart.
  CUfunction query = function;
  int width = 0;
  if (driver.cuFuncGetAttribute(&width,
                                CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH,
                                query) != CUDA_SUCCESS &&
      driver.cuKernelGetFunction) {
    if (driver.cuKernelGetFunction(
            &query, reinterpret_cast<CUkernel>(function)) != CUDA_SUCCESS ||
        driver.cuFuncGetAttribute(&width,
                                  CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH,
                                  query) != CUDA_SUCCESS)
      width = 0;
  }
  // A shape that the code fixes at compile time.
  if (width > 0 && launch.cluster == Dim3()) {
    int height = 1, depth = 1;
    driver.cuFuncGetAttribute(&height,
                              CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT, query);
    driver.cuFuncGetAttribute(&depth, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH,
                              query);
    launch.cluster = {uint32_t(width), uint32_t(std::max(height, 1)),
                      uint32_t(std::max(depth, 1))};
  }

  std::vector<uint8_t> bytes;
  bool known = false;
  if (extra) {
    const void *buffer = nullptr;
    size_t size = 0;
    for (void **item = extra; *item != CU_LAUNCH_PARAM_END; item += 2)
      if (*item == CU_LAUNCH_PARAM_BUFFER_POINTER)
        buffer = item[1];
      else if (*item == CU_LAUNCH_PARAM_BUFFER_SIZE)
        size = *static_cast<size_t *>(item[1]);
    if (buffer) {
      bytes.resize(size);
      std::memcpy(bytes.data(), buffer, size);
      known = true;
    }
  } else if (driver.cuFuncGetParamInfo) {
    for (size_t index = 0;; ++index) {
      size_t offset = 0, size = 0;
      CUresult result = driver.cuFuncGetParamInfo(query, index, &offset, &size);
      if (result == CUDA_ERROR_INVALID_HANDLE && driver.cuKernelGetParamInfo)
        result = driver.cuKernelGetParamInfo(
            reinterpret_cast<CUkernel>(function), index, &offset, &size);
      if (result != CUDA_SUCCESS) {
        // Behind the last parameter the index is out of range.
        known = result == CUDA_ERROR_INVALID_VALUE;
        break;
      }
      if (!params || !params[index])
        break;
      launch.paramOffsets.push_back(offset);
      bytes.resize(std::max(bytes.size(), offset + size));
      std::memcpy(bytes.data() + offset, params[index], size);
    }
  }
  if (known) {
    launch.params = std::move(bytes);
  } else {
    launch.paramOffsets.clear();
    ++unknownParams;
  }
  if (!records.empty() && sameLaunch(records.back(), launch))
    ++records.back().count;
  else
    records.push_back(std::move(launch));
}
