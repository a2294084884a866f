//===- Nvml.cpp - Clocks of the device ------------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The numbers of clock domains, sensors and reason bits are NVML's.
//
//===----------------------------------------------------------------------===//

#include "Nvml.h"
#include "ptxbench/Support/DynamicLibrary.h"

using namespace llvm;
using namespace ptxbench;

Nvml::Nvml(const std::string &pciBusId) {
  Expected<DynamicLibrary> library =
      DynamicLibrary::open("NVML", {"libnvidia-ml.so.1", "libnvidia-ml.so"});
  if (!library) {
    consumeError(library.takeError());
    return;
  }
#define PTXBENCH_NVML(name, result, parameters)                                \
  api.name = reinterpret_cast<result(*) parameters>(library->find(#name));
#include "NvmlSymbols.def"
  if (!api.nvmlInit_v2 || api.nvmlInit_v2() != 0)
    return;
  initialised = true;
  if (!api.nvmlDeviceGetHandleByPciBusId_v2 ||
      api.nvmlDeviceGetHandleByPciBusId_v2(pciBusId.c_str(), &device) != 0)
    device = nullptr;
}

std::string Nvml::driverVersion() const {
  char text[96] = {};
  if (!initialised || !api.nvmlSystemGetDriverVersion ||
      api.nvmlSystemGetDriverVersion(text, sizeof(text) - 1) != 0)
    return "";
  return text;
}

ClockReading Nvml::read() const {
  ClockReading reading;
  if (!device)
    return reading;
  constexpr int smClock = 1, memoryClock = 2, gpuSensor = 0;
  unsigned value = 0;
  if (api.nvmlDeviceGetClockInfo) {
    if (api.nvmlDeviceGetClockInfo(device, smClock, &value) == 0)
      reading.smMHz = value;
    if (api.nvmlDeviceGetClockInfo(device, memoryClock, &value) == 0)
      reading.memoryMHz = value;
  }
  if (api.nvmlDeviceGetTemperature &&
      api.nvmlDeviceGetTemperature(device, gpuSensor, &value) == 0)
    reading.temperatureC = value;
  if (api.nvmlDeviceGetPowerUsage &&
      api.nvmlDeviceGetPowerUsage(device, &value) == 0)
    reading.powerW = value / 1000;
  auto *getReasons = api.nvmlDeviceGetCurrentClocksEventReasons
                         ? api.nvmlDeviceGetCurrentClocksEventReasons
                         : api.nvmlDeviceGetCurrentClocksThrottleReasons;
  unsigned long long reasons = 0;
  if (getReasons && getReasons(device, &reasons) == 0) {
    static constexpr std::pair<unsigned long long, const char *> names[] = {
        {0x1, "gpu-idle"},
        {0x2, "applications-clocks-setting"},
        {0x4, "sw-power-cap"},
        {0x8, "hw-slowdown"},
        {0x10, "sync-boost"},
        {0x20, "sw-thermal-slowdown"},
        {0x40, "hw-thermal-slowdown"},
        {0x80, "hw-power-brake-slowdown"},
        {0x100, "display-clock-setting"},
    };
    reading.throttleReasons.emplace();
    for (auto [bit, name] : names)
      if (reasons & bit)
        reading.throttleReasons->push_back(name);
  }
  return reading;
}
