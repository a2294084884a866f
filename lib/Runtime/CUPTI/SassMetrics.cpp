//===- SassMetrics.cpp - Executions per machine instruction ---------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The calls come in the one order that CUPTI takes: initialise, name the chip,
// look up the metrics, configure, enable with lazy patching, launch, ask for
// the size of the data, flush, disable.
//
//===----------------------------------------------------------------------===//

#include "Cupti.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <map>

using namespace llvm;
using namespace ptxbench;

static constexpr const char *warpsName = "smsp__sass_inst_executed";
static constexpr const char *threadsName =
    "smsp__sass_thread_inst_executed_pred_on";

static Expected<CuptiApi *> loadCupti(const Toolchain &toolchain) {
  std::vector<std::string> names =
      toolchain.cuptiLibraryNames(cudaSoname("cupti"));
  // CUPTI opens its companion by name alone. The one that stands beside it has
  // to be there before, else it takes that of another version.
  if (StringRef folder = sys::path::parent_path(names.front());
      !folder.empty()) {
    SmallString<256> companion(folder);
    sys::path::append(companion, "libnvperf_host.so");
    if (sys::fs::exists(companion)) {
      Expected<DynamicLibrary> host =
          DynamicLibrary::open("CUPTI's companion", {companion.str().str()});
      if (!host)
        return host.takeError();
    }
  }
  Expected<DynamicLibrary> library = DynamicLibrary::open("CUPTI", names);
  if (!library)
    return library.takeError();
  auto api = std::make_unique<CuptiApi>();
  api->library = *library;
#define PTXBENCH_SYMBOL(name)                                                  \
  if (Expected<void *> address = library->get(#name))                          \
    api->name = reinterpret_cast<decltype(api->name)>(*address);               \
  else                                                                         \
    return address.takeError();
#include "CuptiSymbols.def"
  return api.release();
}

Expected<const CuptiApi *> CuptiApi::get(const Toolchain &toolchain) {
  static CuptiApi *loaded = nullptr;
  if (!loaded) {
    Expected<CuptiApi *> api = loadCupti(toolchain);
    if (!api)
      return api.takeError();
    loaded = *api;
  }
  return loaded;
}

Error CuptiApi::check(CUptiResult result, const Twine &what) const {
  if (result == CUPTI_SUCCESS)
    return Error::success();
  const char *text = nullptr;
  cuptiGetResultString(result, &text);
  return makeFailure(text ? text : "CUPTI error " + Twine(int(result)), what);
}

Error SassMetrics::begin() {
  CUpti_Profiler_Initialize_Params initialize = {
      CUpti_Profiler_Initialize_Params_STRUCT_SIZE};
  if (Error error = cupti.check(cupti.cuptiProfilerInitialize(&initialize),
                                "cuptiProfilerInitialize"))
    return error;
  CUpti_Device_GetChipName_Params chip = {
      CUpti_Device_GetChipName_Params_STRUCT_SIZE};
  chip.deviceIndex = size_t(device.ordinal());
  if (Error error = cupti.check(cupti.cuptiDeviceGetChipName(&chip),
                                "cuptiDeviceGetChipName"))
    return error;
  chipName = chip.pChipName ? chip.pChipName : "";

  CUpti_SassMetrics_Config configs[2] = {};
  const std::pair<const char *, uint64_t *> metrics[] = {
      {warpsName, &warpsMetric}, {threadsName, &threadsMetric}};
  for (unsigned i = 0; i < 2; ++i) {
    CUpti_SassMetrics_GetProperties_Params properties = {
        CUpti_SassMetrics_GetProperties_Params_STRUCT_SIZE};
    properties.pChipName = chipName.c_str();
    properties.pMetricName = metrics[i].first;
    if (Error error = cupti.check(
            cupti.cuptiSassMetricsGetProperties(&properties),
            "metric " + Twine(metrics[i].first) + " on chip " + chipName))
      return error;
    *metrics[i].second = properties.metric.metricId;
    configs[i].metricId = properties.metric.metricId;
    configs[i].outputGranularity = CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU;
  }
  CUpti_SassMetricsSetConfig_Params config = {
      CUpti_SassMetricsSetConfig_Params_STRUCT_SIZE};
  config.pConfigs = configs;
  config.numOfMetricConfig = 2;
  config.deviceIndex = uint32_t(device.ordinal());
  if (Error error = cupti.check(cupti.cuptiSassMetricsSetConfig(&config),
                                "cuptiSassMetricsSetConfig"))
    return error;
  CUpti_SassMetricsEnable_Params enable = {
      CUpti_SassMetricsEnable_Params_STRUCT_SIZE};
  enable.ctx = device.context();
  enable.enableLazyPatching = 1;
  return cupti.check(cupti.cuptiSassMetricsEnable(&enable),
                     "cuptiSassMetricsEnable");
}

Expected<std::vector<SassRecord>> SassMetrics::end() {
  CUpti_SassMetricsGetDataProperties_Params properties = {
      CUpti_SassMetricsGetDataProperties_Params_STRUCT_SIZE};
  properties.ctx = device.context();
  if (Error error =
          cupti.check(cupti.cuptiSassMetricsGetDataProperties(&properties),
                      "cuptiSassMetricsGetDataProperties"))
    return std::move(error);
  size_t count = properties.numOfPatchedInstructionRecords;
  size_t instances = properties.numOfInstances;
  if (!count || !instances)
    return makeFailure("NO_SASS_RECORDS",
                       "CUPTI recorded no instruction of the launch");
  // Each record needs room for every instance of both metrics.
  std::vector<CUpti_SassMetrics_InstanceValue> values(count * instances * 2);
  std::vector<CUpti_SassMetrics_Data> data(count);
  for (size_t i = 0; i < count; ++i) {
    data[i].structSize = sizeof(CUpti_SassMetrics_Data);
    data[i].pInstanceValues = &values[i * instances * 2];
  }
  CUpti_SassMetricsFlushData_Params flush = {
      CUpti_SassMetricsFlushData_Params_STRUCT_SIZE};
  flush.ctx = device.context();
  flush.numOfPatchedInstructionRecords = count;
  flush.numOfInstances = instances;
  flush.pMetricsData = data.data();
  if (Error error = cupti.check(cupti.cuptiSassMetricsFlushData(&flush),
                                "cuptiSassMetricsFlushData"))
    return std::move(error);

  std::map<std::tuple<uint32_t, std::string, uint64_t>,
           std::pair<uint64_t, uint64_t>>
      sums;
  for (const CUpti_SassMetrics_Data &record : data) {
    auto &[warps, threads] =
        sums[{record.cubinCrc, record.functionName ? record.functionName : "",
              record.pcOffset}];
    for (size_t i = 0; i < instances * 2; ++i) {
      const CUpti_SassMetrics_InstanceValue &value = record.pInstanceValues[i];
      if (value.metricId == warpsMetric)
        warps += value.value;
      else if (value.metricId == threadsMetric)
        threads += value.value;
    }
  }

  CUpti_SassMetricsDisable_Params disable = {
      CUpti_SassMetricsDisable_Params_STRUCT_SIZE};
  disable.ctx = device.context();
  if (Error error = cupti.check(cupti.cuptiSassMetricsDisable(&disable),
                                "cuptiSassMetricsDisable"))
    return std::move(error);
  if (disable.numOfDroppedRecords)
    return makeFailure("DROPPED_RECORDS",
                       "CUPTI dropped " + Twine(disable.numOfDroppedRecords) +
                           " records: the counts are not complete");
  CUpti_SassMetricsUnsetConfig_Params unset = {
      CUpti_SassMetricsUnsetConfig_Params_STRUCT_SIZE};
  unset.deviceIndex = uint32_t(device.ordinal());
  if (Error error = cupti.check(cupti.cuptiSassMetricsUnsetConfig(&unset),
                                "cuptiSassMetricsUnsetConfig"))
    return std::move(error);

  std::vector<SassRecord> records;
  for (const auto &[key, sum] : sums)
    records.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key),
                       sum.first, sum.second});
  return records;
}
