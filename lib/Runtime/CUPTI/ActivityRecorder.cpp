//===- ActivityRecorder.cpp - Work on the device, by CUPTI ----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CUPTI asks for a buffer when a thread first has work and when one is full: in
// the middle of a call, that is. Small ones whose pages are there already keep
// that to some microseconds; fresh memory of a megabyte took up to two
// milliseconds on an H200. Buffers are handed over once, at the end.
//
// The origin of a kernel is read when it is launched, and kept by its handle: a
// second launch costs a look-up.
//
//===----------------------------------------------------------------------===//

#include "ActivityRecorder.h"
#include "../Worker/WorkScope.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SHA256.h"

#include <cupti_driver_cbid.h>

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <link.h>

using namespace llvm;
using namespace ptxbench;

static constexpr size_t bufferBytes = size_t(64) << 10;
static constexpr unsigned readyBuffers = 128;

/// CUPTI's callbacks for buffers have no argument of ours.
static ActivityRecorder *theRecorder = nullptr;

/// Set while a callback asks the driver: those calls are nobody's.
static thread_local bool inCallback = false;

static uint8_t *makeBuffer() {
  void *buffer = std::aligned_alloc(64, bufferBytes);
  if (buffer)
    std::memset(buffer, 1, bufferBytes);
  return static_cast<uint8_t *>(buffer);
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

void CUPTIAPI ActivityRecorder::requestBuffer(uint8_t **buffer, size_t *size,
                                              size_t *maxRecords) {
  std::lock_guard<std::mutex> lock(theRecorder->mutex);
  *maxRecords = 0;
  if (theRecorder->buffers.empty()) {
    *buffer = makeBuffer();
  } else {
    *buffer = theRecorder->buffers.back();
    theRecorder->buffers.pop_back();
  }
  *size = *buffer ? bufferBytes : 0;
}

/// What all three kinds of records have.
template <typename Record>
static DeviceWork toWork(const CUpti_Activity *activity,
                         DeviceWork::Kind kind) {
  const auto *record = reinterpret_cast<const Record *>(activity);
  DeviceWork work;
  work.kind = kind;
  work.begin = record->start;
  work.end = record->end;
  work.correlation = record->correlationId;
  return work;
}

void CUPTIAPI ActivityRecorder::takeBuffer(CUcontext, uint32_t, uint8_t *buffer,
                                           size_t, size_t validSize) {
  ActivityRecorder &self = *theRecorder;
  std::lock_guard<std::mutex> lock(self.mutex);
  CUpti_Activity *activity = nullptr;
  while (self.cupti.cuptiActivityGetNextRecord(buffer, validSize, &activity) ==
         CUPTI_SUCCESS) {
    if (!self.recording)
      continue;
    switch (activity->kind) {
    case CUPTI_ACTIVITY_KIND_KERNEL:
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: {
      self.works.push_back(
          toWork<CUpti_ActivityKernel10>(activity, DeviceWork::Kind::Kernel));
      const char *name =
          reinterpret_cast<const CUpti_ActivityKernel10 *>(activity)->name;
      self.works.back().name = name ? name : "";
      break;
    }
    case CUPTI_ACTIVITY_KIND_MEMCPY:
      self.works.push_back(
          toWork<CUpti_ActivityMemcpy6>(activity, DeviceWork::Kind::Copy));
      break;
    case CUPTI_ACTIVITY_KIND_MEMCPY2:
      self.works.push_back(
          toWork<CUpti_ActivityMemcpyPtoP4>(activity, DeviceWork::Kind::Copy));
      break;
    case CUPTI_ACTIVITY_KIND_MEMSET:
      self.works.push_back(
          toWork<CUpti_ActivityMemset4>(activity, DeviceWork::Kind::Fill));
      break;
    default:
      break;
    }
  }
  self.buffers.push_back(buffer);
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

Expected<ActivityRecorder *> ActivityRecorder::start(const CuptiApi &cupti,
                                                     const DriverApi &driver,
                                                     StringRef library) {
  assert(!theRecorder && "expected one recorder in a process");
  auto recorder =
      std::unique_ptr<ActivityRecorder>(new ActivityRecorder(cupti, driver));
  // Without it every kernel is foreign; the loader will say what is wrong.
  if (auto file = MemoryBuffer::getFile(library, /*IsText=*/false,
                                        /*RequiresNullTerminator=*/false))
    recorder->library = (*file)->getBuffer().str();
  for (unsigned i = 0; i < readyBuffers; ++i)
    if (uint8_t *buffer = makeBuffer())
      recorder->buffers.push_back(buffer);
  theRecorder = recorder.get();
  auto failed = [&](Error error) -> Expected<ActivityRecorder *> {
    theRecorder = nullptr;
    return std::move(error);
  };
  if (Error error = cupti.check(
          cupti.cuptiSubscribe(&recorder->subscriber,
                               &ActivityRecorder::callback, recorder.get()),
          "cuptiSubscribe (another profiler in this process?)"))
    return failed(std::move(error));
  // It is told about the end of the process, too: never destroyed.
  ActivityRecorder &self = *recorder.release();
  if (Error error =
          cupti.check(cupti.cuptiEnableDomain(1, self.subscriber,
                                              CUPTI_CB_DOMAIN_DRIVER_API),
                      "callbacks for calls of the driver"))
    return failed(std::move(error));
  if (Error error =
          cupti.check(cupti.cuptiEnableCallback(
                          1, self.subscriber, CUPTI_CB_DOMAIN_RESOURCE,
                          CUPTI_CBID_RESOURCE_MODULE_LOADED),
                      "callbacks for loaded modules"))
    return failed(std::move(error));
  if (Error error = cupti.check(
          cupti.cuptiActivityRegisterCallbacks(&requestBuffer, &takeBuffer),
          "buffers for activities"))
    return failed(std::move(error));
  return &self;
}

uint64_t ActivityRecorder::now() const {
  uint64_t time = 0;
  cupti.cuptiGetTimestamp(&time);
  return time;
}

Error ActivityRecorder::beginTimeline() {
  for (CUpti_ActivityKind kind :
       {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
        CUPTI_ACTIVITY_KIND_MEMCPY2, CUPTI_ACTIVITY_KIND_MEMSET})
    if (Error error = cupti.check(cupti.cuptiActivityEnable(kind),
                                  "activities of the device"))
      return error;
  std::lock_guard<std::mutex> lock(mutex);
  works.clear();
  calls.clear();
  windows.clear();
  recording = true;
  return Error::success();
}

void ActivityRecorder::openWindow(WorkOwner owner) {
  CallWindow window;
  window.owner = owner;
  std::lock_guard<std::mutex> lock(mutex);
  windows.push_back(window);
  openIndex = int(windows.size()) - 1;
  windows.back().begin = now();
}

void ActivityRecorder::markReturned() {
  std::lock_guard<std::mutex> lock(mutex);
  windows.back().returned = now();
}

void ActivityRecorder::closeWindow() {
  std::lock_guard<std::mutex> lock(mutex);
  windows.back().end = now();
  openIndex = -1;
}

Expected<TimelineResult> ActivityRecorder::endTimeline() {
  if (Error error = cupti.check(
          cupti.cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED),
          "delivery of activities"))
    return std::move(error);
  size_t dropped = 0;
  if (Error error = cupti.check(
          cupti.cuptiActivityGetNumDroppedRecords(nullptr, 0, &dropped),
          "number of dropped records"))
    return std::move(error);
  if (dropped)
    return makeFailure("CUPTI_RECORDS_DROPPED",
                       Twine(dropped) + " records of activities were dropped");
  std::lock_guard<std::mutex> lock(mutex);
  recording = false;
  // Before each window the tool writes to the device. Where that is not on
  // record, the rest is not either.
  DenseMap<uint32_t, bool> ours;
  for (const DriverCall &call : calls)
    if (call.owner == WorkOwner::Tool)
      ours[call.correlation] = true;
  uint64_t recorded = uint64_t(count_if(works, [&](const DeviceWork &work) {
    return ours.count(work.correlation);
  }));
  if (recorded < windows.size())
    return makeFailure("CUPTI_RECORDS_MISSING",
                       "the profiler recorded " + Twine(recorded) +
                           " pieces of the tool's own work but at least " +
                           Twine(windows.size()) + " were done");
  Expected<TimelineResult> result = sortTimeline(works, calls, windows);
  if (!result)
    return makeFailure("CUPTI_RECORDS_MISSING", toString(result.takeError()));
  StringMap<bool> seen;
  for (const LaunchedKernel &kernel : records.kernels)
    seen[kernel.name] = true;
  DenseMap<uint32_t, bool> others;
  for (const DriverCall &call : calls)
    if (call.owner != WorkOwner::Candidate)
      others[call.correlation] = true;
  for (const DeviceWork &work : works)
    if (work.kind == DeviceWork::Kind::Kernel &&
        !others.count(work.correlation) &&
        seen.try_emplace(work.name, true).second)
      records.unseenKernels.push_back(work.name);
  return result;
}

//===----------------------------------------------------------------------===//
// Calls of the driver
//===----------------------------------------------------------------------===//

namespace {

/// The arguments of calls in their order, as callbacks hand them over.
struct LoadImageParams {
  void **handle;
  const void *image;
};

struct LoadFileParams {
  void **handle;
  const char *file;
};

struct AllocateParams {
  CUdeviceptr *address;
  size_t bytes;
};

struct AllocateAsyncParams {
  CUdeviceptr *address;
  size_t bytes;
  CUstream hStream;
};

struct AllocateFromPoolParams {
  CUdeviceptr *address;
  size_t bytes;
  CUmemoryPool pool;
  CUstream hStream;
};

struct LaunchKernelParams {
  CUfunction f;
  unsigned gridDimX, gridDimY, gridDimZ;
  unsigned blockDimX, blockDimY, blockDimZ;
  unsigned sharedMemBytes;
  CUstream hStream;
};

struct LaunchKernelExParams {
  const CUlaunchConfig *config;
  CUfunction f;
};

} // namespace

void CUPTIAPI ActivityRecorder::callback(void *self,
                                         CUpti_CallbackDomain domain,
                                         CUpti_CallbackId id,
                                         const void *data) {
  if (inCallback)
    return;
  inCallback = true;
  auto &recorder = *static_cast<ActivityRecorder *>(self);
  if (domain == CUPTI_CB_DOMAIN_RESOURCE) {
    auto *resource = static_cast<const CUpti_ResourceData *>(data);
    if (id == CUPTI_CBID_RESOURCE_MODULE_LOADED && resource->resourceDescriptor)
      recorder.codeLoaded(*static_cast<const CUpti_ModuleResourceData *>(
          resource->resourceDescriptor));
  } else if (domain == CUPTI_CB_DOMAIN_DRIVER_API) {
    auto *call = static_cast<const CUpti_CallbackData *>(data);
    if (call->callbackSite == CUPTI_API_ENTER)
      recorder.enterCall(*call);
    else
      recorder.leaveCall(id, *call);
  }
  inCallback = false;
}

void ActivityRecorder::enterCall(const CUpti_CallbackData &data) {
  int index = openIndex;
  DriverCall call;
  call.correlation = data.correlationId;
  call.owner = WorkScope::owner();
  if (index >= 0)
    call.window = unsigned(index);
  std::lock_guard<std::mutex> lock(mutex);
  if (recording)
    calls.push_back(call);
}

void ActivityRecorder::leaveCall(CUpti_CallbackId id,
                                 const CUpti_CallbackData &data) {
  auto *result = static_cast<const CUresult *>(data.functionReturnValue);
  if (!result || *result != CUDA_SUCCESS)
    return;
  bool perThread = false;
  switch (id) {
  case CUPTI_DRIVER_TRACE_CBID_cuModuleLoadData:
  case CUPTI_DRIVER_TRACE_CBID_cuModuleLoadDataEx:
  case CUPTI_DRIVER_TRACE_CBID_cuModuleLoadFatBinary:
  case CUPTI_DRIVER_TRACE_CBID_cuLibraryLoadData: {
    auto *call = static_cast<const LoadImageParams *>(data.functionParams);
    moduleLoaded(uint64_t(*call->handle), call->image, nullptr);
    return;
  }
  case CUPTI_DRIVER_TRACE_CBID_cuModuleLoad:
  case CUPTI_DRIVER_TRACE_CBID_cuLibraryLoadFromFile: {
    auto *call = static_cast<const LoadFileParams *>(data.functionParams);
    moduleLoaded(uint64_t(*call->handle), nullptr, call->file);
    return;
  }
  case CUPTI_DRIVER_TRACE_CBID_cuMemAlloc_v2: {
    auto *call = static_cast<const AllocateParams *>(data.functionParams);
    fillAllocation(*call->address, call->bytes, std::nullopt);
    return;
  }
  case CUPTI_DRIVER_TRACE_CBID_cuMemAllocAsync: {
    auto *call = static_cast<const AllocateAsyncParams *>(data.functionParams);
    fillAllocation(*call->address, call->bytes, call->hStream);
    return;
  }
  case CUPTI_DRIVER_TRACE_CBID_cuMemAllocFromPoolAsync: {
    auto *call =
        static_cast<const AllocateFromPoolParams *>(data.functionParams);
    fillAllocation(*call->address, call->bytes, call->hStream);
    return;
  }
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz:
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz:
    perThread = true;
    [[fallthrough]];
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel:
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel: {
    auto *call = static_cast<const LaunchKernelParams *>(data.functionParams);
    launched(call->f, call->hStream, perThread, data);
    return;
  }
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz:
    perThread = true;
    [[fallthrough]];
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx: {
    auto *call = static_cast<const LaunchKernelExParams *>(data.functionParams);
    launched(call->f, call->config->hStream, perThread, data);
    return;
  }
  default:
    return;
  }
}

bool ActivityRecorder::isCapturing(CUstream stream, bool perThread) const {
  if (!driver.cuStreamIsCapturing)
    return false;
  if (perThread && !stream)
    stream = CU_STREAM_PER_THREAD;
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  // The legacy stream cannot be asked while another one is captured.
  return driver.cuStreamIsCapturing(stream, &status) != CUDA_SUCCESS ||
         status != CU_STREAM_CAPTURE_STATUS_NONE;
}

/// What nobody has written is often zero in a new process, and not where the
/// candidate is used: in the trials it is a NaN of every type. Timed calls are
/// left as they are.
void ActivityRecorder::fillAllocation(CUdeviceptr address, size_t bytes,
                                      std::optional<CUstream> stream) {
  if (WorkScope::owner() != WorkOwner::Candidate)
    return;
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (recording)
      return;
  }
  if (isCapturing(stream.value_or(nullptr), /*perThread=*/false))
    return;
  constexpr uint8_t byte = 0xff;
  CUstream on = stream.value_or(nullptr);
  if (driver.cuMemsetD8Async(address, byte, bytes, on) == CUDA_SUCCESS &&
      !stream)
    driver.cuStreamSynchronize(on);
}

void ActivityRecorder::launched(CUfunction function, CUstream stream,
                                bool perThread,
                                const CUpti_CallbackData &data) {
  bool captured = isCapturing(stream, perThread);
  WorkOwner owner = WorkScope::owner();
  std::lock_guard<std::mutex> lock(mutex);
  if (!captured)
    for (DriverCall &call : reverse(calls))
      if (call.correlation == data.correlationId) {
        call.launched = true;
        break;
      }
  auto [entry, isNew] = kernelIndex.try_emplace(
      {uint64_t(function), unsigned(owner)}, unsigned(records.kernels.size()));
  if (isNew) {
    LaunchedKernel kernel;
    kernel.owner = owner;
    kernel.name = data.symbolName ? data.symbolName : "";
    if (owner == WorkOwner::Candidate)
      kernel.module = moduleOf(function);
    records.kernels.push_back(std::move(kernel));
  }
  ++records.kernels[entry->second].launches;
}

//===----------------------------------------------------------------------===//
// Origins
//===----------------------------------------------------------------------===//

/// The module that a kernel or function is of. The lock is held.
std::optional<unsigned> ActivityRecorder::moduleOf(CUfunction function) {
  auto find = [&](uint64_t handle) -> std::optional<unsigned> {
    auto found = moduleIndex.find(handle);
    if (found == moduleIndex.end())
      return std::nullopt;
    return found->second;
  };
  // A context-free kernel knows its library, a function its module.
  CUlibrary ofKernel = nullptr;
  if (driver.cuKernelGetLibrary &&
      driver.cuKernelGetLibrary(
          &ofKernel, reinterpret_cast<CUkernel>(function)) == CUDA_SUCCESS)
    return find(uint64_t(ofKernel));
  CUmodule module = nullptr;
  if (!driver.cuFuncGetModule ||
      driver.cuFuncGetModule(&module, function) != CUDA_SUCCESS)
    return std::nullopt;
  if (std::optional<unsigned> found = find(uint64_t(module)))
    return found;
  // The module of a library in this context.
  if (driver.cuLibraryGetModule)
    for (auto [handle, index] : moduleIndex) {
      CUmodule made = nullptr;
      if (driver.cuLibraryGetModule(
              &made, reinterpret_cast<CUlibrary>(handle)) == CUDA_SUCCESS &&
          made == module)
        return index;
    }
  return std::nullopt;
}

bool ActivityRecorder::isInLibrary(StringRef bytes) const {
  return !bytes.empty() && StringRef(library).contains(bytes);
}

/// The bytes of an image that the driver took: ELF, a container of such, the
/// compiler's wrapper around one, or text.
static StringRef imageBytes(const void *image, bool &text) {
  auto word = [&](size_t offset) {
    return support::endian::read32le(static_cast<const char *>(image) + offset);
  };
  auto wide = [&](size_t offset) {
    return support::endian::read64le(static_cast<const char *>(image) + offset);
  };
  constexpr uint32_t wrapper = 0x466243b1, container = 0xba55ed50,
                     elf = 0x464c457f;
  if (word(0) == wrapper)
    return imageBytes(reinterpret_cast<const void *>(wide(8)), text);
  const char *begin = static_cast<const char *>(image);
  if (word(0) == container)
    return {begin, size_t(word(4) >> 16) + size_t(wide(8))};
  if (word(0) == elf) {
    // Up to the table of sections, which is the last.
    uint64_t sections = wide(0x28);
    uint32_t sizes = word(0x3a);
    return {begin, size_t(sections) + size_t(sizes & 0xffff) * (sizes >> 16)};
  }
  text = true;
  return StringRef(begin);
}

void ActivityRecorder::moduleLoaded(uint64_t handle, const void *image,
                                    const char *file) {
  ModuleOrigin module;
  module.owner = WorkScope::owner();
  if (file)
    module.file = file;
  Dl_info info;
  if (image && dladdr(image, &info) && info.dli_fname)
    module.file = info.dli_fname;
  if (image && module.owner == WorkOwner::Candidate) {
    module.own = isInLibrary(imageBytes(image, module.text));
  }
  std::lock_guard<std::mutex> lock(mutex);
  moduleIndex[handle] = unsigned(records.modules.size());
  records.modules.push_back(std::move(module));
  // A handle may come again after its module went.
  kernelIndex.clear();
}

void ActivityRecorder::codeLoaded(const CUpti_ModuleResourceData &module) {
  LoadedCode code;
  code.owner = WorkScope::owner();
  code.bytes = module.cubinSize;
  // Those of a baseline are big, and nobody asks.
  if (code.owner == WorkOwner::Candidate && module.pCubin)
    code.sha256 = toHex(SHA256::hash(arrayRefFromStringRef(
                            StringRef(module.pCubin, module.cubinSize))),
                        /*LowerCase=*/true);
  std::lock_guard<std::mutex> lock(mutex);
  records.code.push_back(std::move(code));
}

static std::vector<std::string> loadedFiles() {
  std::vector<std::string> files;
  dl_iterate_phdr(
      [](dl_phdr_info *info, size_t, void *to) {
        if (info->dlpi_name && *info->dlpi_name)
          static_cast<std::vector<std::string> *>(to)->push_back(
              info->dlpi_name);
        return 0;
      },
      &files);
  return files;
}

/// How many libraries were ever loaded.
static uint64_t countLoads() {
  uint64_t count = 0;
  dl_iterate_phdr(
      [](dl_phdr_info *info, size_t, void *to) {
        *static_cast<uint64_t *>(to) = info->dlpi_adds;
        return 1;
      },
      &count);
  return count;
}

void ActivityRecorder::noteLibraries() {
  uint64_t loads = countLoads();
  if (loads == knownLoads)
    return;
  knownLoads = loads;
  knownLibraries = loadedFiles();
}

void ActivityRecorder::takeLibraries() {
  uint64_t loads = countLoads();
  if (loads == knownLoads)
    return;
  knownLoads = loads;
  for (std::string &file : loadedFiles())
    if (!is_contained(knownLibraries, file)) {
      knownLibraries.push_back(file);
      records.libraries.push_back(std::move(file));
    }
}

OriginRecords ActivityRecorder::origins() {
  std::lock_guard<std::mutex> lock(mutex);
  return records;
}
