//===- graph.cu - a kernel that a graph launches -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The capture is seen as one launch, the graph runs it twice: the recorded
// launches do not account for the counts.
//
//===----------------------------------------------------------------------===//

#include <cuda_runtime.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>

/// Every thread executes the first instruction; the second one needs n > 4.
extern "C" __global__ void launched(int n) {
  asm volatile("griddepcontrol.launch_dependents;");
  if (n > 4)
    asm volatile("griddepcontrol.wait;" ::: "memory");
}

namespace {

void check(cudaError_t error, const char *what) {
  if (error != cudaSuccess)
    TVM_FFI_THROW(RuntimeError) << what << ": " << cudaGetErrorString(error);
}

cudaStream_t streamOf(tvm::ffi::TensorView tensor) {
  DLDevice device = tensor.device();
  check(cudaSetDevice(device.device_id), "cudaSetDevice");
  return static_cast<cudaStream_t>(
      TVMFFIEnvGetStream(device.device_type, device.device_id));
}

void run(tvm::ffi::TensorView a, tvm::ffi::TensorView, tvm::ffi::TensorView) {
  cudaStream_t stream = streamOf(a), side;
  launched<<<2, 64, 0, stream>>>(3);
  check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  check(cudaStreamCreate(&side), "cudaStreamCreate");
  check(cudaStreamBeginCapture(side, cudaStreamCaptureModeRelaxed),
        "cudaStreamBeginCapture");
  launched<<<5, 32, 0, side>>>(9);
  cudaGraph_t graph;
  check(cudaStreamEndCapture(side, &graph), "cudaStreamEndCapture");
  cudaGraphExec_t executable;
  check(cudaGraphInstantiate(&executable, graph, 0), "cudaGraphInstantiate");
  for (int i = 0; i < 2; ++i)
    check(cudaGraphLaunch(executable, side), "cudaGraphLaunch");
  check(cudaStreamSynchronize(side), "cudaStreamSynchronize");
  check(cudaGraphExecDestroy(executable), "cudaGraphExecDestroy");
  check(cudaGraphDestroy(graph), "cudaGraphDestroy");
  check(cudaStreamDestroy(side), "cudaStreamDestroy");
}

} // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
