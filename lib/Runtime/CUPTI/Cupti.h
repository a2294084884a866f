//===- Cupti.h - CUPTI: launches, machine code, executions ------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three observers of one process. Callbacks say which kernels were launched
// with which shapes and parameters, and hand over the machine code as the
// driver loaded it; the SASS metrics say how often each instruction executed.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_RUNTIME_CUPTI_CUPTI_H
#define PTXBENCH_LIB_RUNTIME_CUPTI_CUPTI_H

#include "../CUDA/Device.h"
#include "ptxbench/Trace/Launch.h"

#include <cupti_activity.h>
#include <cupti_callbacks.h>
#include <cupti_pcsampling.h>
#include <cupti_profiler_target.h>
#include <cupti_result.h>
#include <cupti_sass_metrics.h>
#include <cupti_target.h>
#include <cupti_version.h>

#include <mutex>
#include <string>
#include <vector>

namespace ptxbench {

struct CuptiApi {
#define PTXBENCH_SYMBOL(name) decltype(&::name) name = nullptr;
#include "CuptiSymbols.def"

  DynamicLibrary library;

  static llvm::Expected<const CuptiApi *> get(const Toolchain &toolchain);

  llvm::Error check(CUptiResult result, const llvm::Twine &what) const;
};

/// Watches module loads and, while `recording`, launches. There can be one in a
/// process; it is never taken down.
class LaunchObserver {
public:
  struct Module {
    uint32_t crc = 0;
    std::vector<uint8_t> bytes;
  };

  LaunchObserver(const CuptiApi &cupti, const DriverApi &driver)
      : cupti(cupti), driver(driver) {}

  /// Subscribes. To be called before the context is made.
  llvm::Error start(bool launches);
  void setRecording(bool on);

  const std::vector<Module> &modules() const { return loaded; }
  const std::vector<LaunchRecord> &launches() const { return records; }
  /// What was seen and could not be recorded.
  std::vector<std::string> notes() const;

private:
  static void CUPTIAPI callback(void *self, CUpti_CallbackDomain domain,
                                CUpti_CallbackId id, const void *data);
  void moduleLoaded(const CUpti_ModuleResourceData &module);
  void launched(CUpti_CallbackId id, const CUpti_CallbackData &data);
  void record(LaunchRecord launch, CUfunction function, void **params,
              void **extra);

  const CuptiApi &cupti;
  const DriverApi &driver;
  CUpti_SubscriberHandle subscriber = nullptr;
  std::mutex mutex;
  bool recording = false;
  std::vector<Module> loaded;
  std::vector<LaunchRecord> records;
  uint64_t graphLaunches = 0, failedLaunches = 0, unknownParams = 0;
};

/// One machine instruction that executed or could have.
struct SassRecord {
  uint32_t crc = 0;
  std::string function;
  uint64_t pc = 0, warps = 0, threads = 0;
};

/// The metrics smsp__sass_inst_executed and
/// smsp__sass_thread_inst_executed_pred_on over one range of launches.
class SassMetrics {
public:
  SassMetrics(const CuptiApi &cupti, const Device &device)
      : cupti(cupti), device(device) {}

  /// Chooses the metrics and begins; launches from here on count.
  llvm::Error begin();
  /// Reads and ends. The device must be idle. Dropped records are an error.
  llvm::Expected<std::vector<SassRecord>> end();

  /// "GH100".
  llvm::StringRef chip() const { return chipName; }

private:
  const CuptiApi &cupti;
  const Device &device;
  std::string chipName;
  uint64_t warpsMetric = 0, threadsMetric = 0;
};

} // namespace ptxbench

#endif // PTXBENCH_LIB_RUNTIME_CUPTI_CUPTI_H
