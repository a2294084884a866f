//===- Names.cpp - Names of CUDA's errors and attributes ------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tables are those of CUDA's headers; the sentences are our own, for the
// errors that the emulator gives. Other errors are described by their names.
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"

using namespace ptxbench;
using namespace ptxbench::emulated;

llvm::ArrayRef<EnumName> emulated::errorNames() {
  static constexpr EnumName names[] = {
#define CUDA_ERROR(name, value) {value, #name},
#include "EmulatedCudaNames.inc"
  };
  return names;
}

llvm::ArrayRef<EnumName> emulated::driverErrorNames() {
  static constexpr EnumName names[] = {
#define CUDA_DRIVER_ERROR(name, value) {value, #name},
#include "EmulatedCudaNames.inc"
  };
  return names;
}

llvm::ArrayRef<EnumName> emulated::attributeNames() {
  static constexpr EnumName names[] = {
#define CUDA_ATTRIBUTE(name, value) {value, #name},
#include "EmulatedCudaNames.inc"
  };
  return names;
}

const char *emulated::describeError(int code) {
  static constexpr EnumName sentences[] = {
      {cudaSuccess, "no error"},
      {cudaErrorInvalidValue, "invalid argument"},
      {cudaErrorMemoryAllocation, "out of memory"},
      {cudaErrorInitializationError, "initialization error"},
      {cudaErrorInvalidConfiguration, "invalid configuration argument"},
      {cudaErrorInvalidPitchValue, "invalid pitch argument"},
      {cudaErrorInvalidSymbol, "invalid device symbol"},
      {cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"},
      {cudaErrorMissingConfiguration,
       "__global__ function call is not configured"},
      {cudaErrorInvalidDeviceFunction, "invalid device function"},
      {cudaErrorInvalidDevice, "invalid device ordinal"},
      {cudaErrorNoKernelImageForDevice,
       "no kernel image is available for execution on the device"},
      {cudaErrorInvalidPtx, "a PTX JIT compilation failed"},
      {cudaErrorInvalidResourceHandle, "invalid resource handle"},
      {cudaErrorSymbolNotFound, "named symbol not found"},
      {cudaErrorIllegalAddress, "an illegal memory access was encountered"},
      {cudaErrorMisalignedAddress, "misaligned address"},
      {cudaErrorLaunchTimeout, "the launch timed out and was terminated"},
      {cudaErrorAssert, "device-side assert triggered"},
      {cudaErrorCooperativeLaunchTooLarge,
       "too many blocks in cooperative launch"},
      {cudaErrorLaunchFailure, "unspecified launch failure"},
      {cudaErrorNotSupported, "operation not supported"},
      {cudaErrorInvalidClusterSize, "cluster misconfiguration"},
      {cudaErrorUnknown, "unknown error"},
  };
  for (const EnumName &sentence : sentences)
    if (sentence.value == code)
      return sentence.name;
  return cudaGetErrorName(cudaError_t(code));
}
