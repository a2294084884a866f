//===- StreamApi.cpp - Streams, events and host functions -----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything has ended when its call returns, so waiting is no work. Times
// between events are those of the host that emulates.
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"

using namespace ptxbench;
using namespace ptxbench::emulated;

namespace {

Stream *streamOf(Runtime &runtime, cudaStream_t handle) {
  auto it = runtime.streams.find(reinterpret_cast<Stream *>(handle));
  return it == runtime.streams.end() ? nullptr : *it;
}

Event *eventOf(Runtime &runtime, cudaEvent_t handle) {
  auto it = runtime.events.find(reinterpret_cast<Event *>(handle));
  return it == runtime.events.end() ? nullptr : *it;
}

cudaError_t checkStream(Runtime &runtime, cudaStream_t stream) {
  return runtime.isStream(stream)
             ? cudaSuccess
             : runtime.fail(cudaErrorInvalidResourceHandle);
}

} // namespace

extern "C" {

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags,
                                         int priority) {
  PTXBENCH_ENTER(runtime);
  if (!stream || flags & ~unsigned(cudaStreamNonBlocking))
    return runtime.fail(cudaErrorInvalidValue);
  auto *made = new Stream{flags, priority, runtime.nextStreamId++};
  runtime.streams.insert(made);
  *stream = reinterpret_cast<cudaStream_t>(made);
  return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t *stream) {
  return cudaStreamCreateWithPriority(stream, cudaStreamDefault, 0);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  PTXBENCH_ENTER(runtime);
  Stream *found = streamOf(runtime, stream);
  if (!found)
    return runtime.fail(cudaErrorInvalidResourceHandle);
  runtime.streams.erase(found);
  delete found;
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  PTXBENCH_ENTER(runtime);
  return checkStream(runtime, stream);
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  PTXBENCH_ENTER(runtime);
  return checkStream(runtime, stream);
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags) {
  PTXBENCH_ENTER(runtime);
  if (cudaError_t error = checkStream(runtime, stream))
    return error;
  Stream *found = streamOf(runtime, stream);
  *flags = found ? found->flags : unsigned(cudaStreamDefault);
  return cudaSuccess;
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) {
  PTXBENCH_ENTER(runtime);
  if (cudaError_t error = checkStream(runtime, stream))
    return error;
  Stream *found = streamOf(runtime, stream);
  *priority = found ? found->priority : 0;
  return cudaSuccess;
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id) {
  PTXBENCH_ENTER(runtime);
  if (cudaError_t error = checkStream(runtime, stream))
    return error;
  Stream *found = streamOf(runtime, stream);
  *id = found ? found->id : 0;
  return cudaSuccess;
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device) {
  PTXBENCH_ENTER(runtime);
  if (cudaError_t error = checkStream(runtime, stream))
    return error;
  *device = 0;
  return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream,
                                  cudaStreamCaptureStatus *status) {
  PTXBENCH_ENTER(runtime);
  if (cudaError_t error = checkStream(runtime, stream))
    return error;
  *status = cudaStreamCaptureStatusNone;
  return cudaSuccess;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function,
                               void *data) {
  {
    PTXBENCH_ENTER(runtime);
    if (cudaError_t error = checkStream(runtime, stream))
      return error;
    if (!function)
      return runtime.fail(cudaErrorInvalidValue);
  }
  function(data);
  return cudaSuccess;
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream,
                                  cudaStreamCallback_t callback, void *data,
                                  unsigned) {
  {
    PTXBENCH_ENTER(runtime);
    if (cudaError_t error = checkStream(runtime, stream))
      return error;
    if (!callback)
      return runtime.fail(cudaErrorInvalidValue);
  }
  callback(stream, cudaSuccess, data);
  return cudaSuccess;
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
  PTXBENCH_ENTER(runtime);
  constexpr unsigned known =
      cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
  if (!event || flags & ~known)
    return runtime.fail(cudaErrorInvalidValue);
  auto *made = new Event;
  made->flags = flags;
  runtime.events.insert(made);
  *event = reinterpret_cast<cudaEvent_t>(made);
  return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  PTXBENCH_ENTER(runtime);
  Event *found = eventOf(runtime, event);
  if (!found)
    return runtime.fail(cudaErrorInvalidResourceHandle);
  runtime.events.erase(found);
  delete found;
  return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  PTXBENCH_ENTER(runtime);
  Event *found = eventOf(runtime, event);
  if (!found)
    return runtime.fail(cudaErrorInvalidResourceHandle);
  if (cudaError_t error = checkStream(runtime, stream))
    return error;
  found->recorded = std::chrono::steady_clock::now();
  return cudaSuccess;
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream,
                                     unsigned) {
  return cudaEventRecord(event, stream);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                unsigned) {
  PTXBENCH_ENTER(runtime);
  if (cudaError_t error = checkStream(runtime, stream))
    return error;
  return eventOf(runtime, event) ? cudaSuccess
                                 : runtime.fail(cudaErrorInvalidResourceHandle);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  PTXBENCH_ENTER(runtime);
  return eventOf(runtime, event) ? cudaSuccess
                                 : runtime.fail(cudaErrorInvalidResourceHandle);
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return cudaEventSynchronize(event);
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start,
                                 cudaEvent_t end) {
  PTXBENCH_ENTER(runtime);
  Event *from = eventOf(runtime, start), *to = eventOf(runtime, end);
  if (!ms)
    return runtime.fail(cudaErrorInvalidValue);
  if (!from || !to || !from->recorded || !to->recorded ||
      (from->flags | to->flags) & cudaEventDisableTiming)
    return runtime.fail(cudaErrorInvalidResourceHandle);
  *ms =
      std::chrono::duration<float, std::milli>(*to->recorded - *from->recorded)
          .count();
  return cudaSuccess;
}

} // extern "C"
