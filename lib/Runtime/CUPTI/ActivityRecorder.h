//===- ActivityRecorder.h - Work on the device, by CUPTI --------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Records every kernel, copy and fill of all streams and threads (CUPTI's
// activities), every call of the driver with the window and the owner it was
// made for (CUPTI's callbacks), and where kernels come from.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_RUNTIME_CUPTI_ACTIVITYRECORDER_H
#define PTXBENCH_LIB_RUNTIME_CUPTI_ACTIVITYRECORDER_H

#include "Cupti.h"
#include "ptxbench/Runtime/Origin.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

#include <atomic>

namespace ptxbench {

class ActivityRecorder {
public:
  /// Subscribes. To be called once in a process, before the context is made;
  /// what is returned lives as long as the process. `library` is the
  /// candidate's file. An error: there is no CUPTI, or another profiler.
  static llvm::Expected<ActivityRecorder *> start(const CuptiApi &cupti,
                                                  const DriverApi &driver,
                                                  llvm::StringRef library);

  /// Begins to record work, forgetting what was recorded.
  llvm::Error beginTimeline();
  /// Opens the window of a call.
  void openWindow(WorkOwner owner);
  /// The call came back.
  void markReturned();
  /// The device was waited for.
  void closeWindow();
  /// Ends, and sorts what was recorded. The device must be idle. An error:
  /// records were dropped or are missing.
  llvm::Expected<TimelineResult> endTimeline();

  /// Notes which libraries are in the process; those that come in until
  /// `takeLibraries` are the candidate's. Cheap when none came.
  void noteLibraries();
  void takeLibraries();
  OriginRecords origins();

private:
  ActivityRecorder(const CuptiApi &cupti, const DriverApi &driver)
      : cupti(cupti), driver(driver) {}

  static void CUPTIAPI callback(void *self, CUpti_CallbackDomain domain,
                                CUpti_CallbackId id, const void *data);
  static void CUPTIAPI requestBuffer(uint8_t **buffer, size_t *size,
                                     size_t *maxRecords);
  static void CUPTIAPI takeBuffer(CUcontext context, uint32_t stream,
                                  uint8_t *buffer, size_t size,
                                  size_t validSize);

  void codeLoaded(const CUpti_ModuleResourceData &module);
  void enterCall(const CUpti_CallbackData &data);
  void leaveCall(CUpti_CallbackId id, const CUpti_CallbackData &data);
  void fillAllocation(CUdeviceptr address, size_t bytes,
                      std::optional<CUstream> stream);
  void moduleLoaded(uint64_t handle, const void *image, const char *file);
  void launched(CUfunction function, CUstream stream, bool perThread,
                const CUpti_CallbackData &data);
  std::optional<unsigned> moduleOf(CUfunction function);
  bool isCapturing(CUstream stream, bool perThread) const;
  /// Whether the candidate's file has these bytes.
  bool isInLibrary(llvm::StringRef bytes) const;
  uint64_t now() const;

  const CuptiApi &cupti;
  const DriverApi &driver;
  CUpti_SubscriberHandle subscriber = nullptr;
  /// The bytes of the candidate's file.
  std::string library;

  std::mutex mutex;
  std::vector<uint8_t *> buffers;
  std::vector<DeviceWork> works;
  std::vector<DriverCall> calls;
  std::vector<CallWindow> windows;
  /// The index of the open window, -1 without one.
  std::atomic<int> openIndex{-1};
  bool recording = false;

  OriginRecords records;
  /// Modules and libraries by their handles, and kernels by theirs.
  llvm::DenseMap<uint64_t, unsigned> moduleIndex;
  llvm::DenseMap<std::pair<uint64_t, unsigned>, unsigned> kernelIndex;
  std::vector<std::string> knownLibraries;
  uint64_t knownLoads = 0;
};

} // namespace ptxbench

#endif // PTXBENCH_LIB_RUNTIME_CUPTI_ACTIVITYRECORDER_H
