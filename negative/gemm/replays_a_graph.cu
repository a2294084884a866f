//===- replays_a_graph.cu - The same graph for every call -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Captures its kernel once and launches the graph in every call. The graph
// computes each time, and its kernels count for the call that launches it: no
// cheating, though not what the task asks for. TARGET_NOT_EXECUTED.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

static int candidate(const Call &call) {
  static cudaGraphExec_t graph = nullptr;
  if (!graph) {
    cudaGraph_t captured;
    Call recorded = call;
    cudaStreamCreateWithFlags(&recorded.stream, cudaStreamNonBlocking);
    cudaStreamBeginCapture(recorded.stream, cudaStreamCaptureModeRelaxed);
    launchNaive(recorded);
    cudaStreamEndCapture(recorded.stream, &captured);
    cudaGraphInstantiate(&graph, captured, 0);
  }
  return cudaGraphLaunch(graph, call.stream) == cudaSuccess ? 0 : -1;
}
