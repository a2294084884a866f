//===- Attention.cpp - Attention by cuDNN ---------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds cuDNN graphs of scaled dot product attention. cuDNN may have more than
// one implementation of a pass; a graph is made for each, and the plans of all
// are offered. The only file that is compiled with exceptions: every call of
// cudnn-frontend is inside a function that catches them.
//
//===----------------------------------------------------------------------===//

#include "Attention.h"

#include <cmath>
#include <cstdlib>
#include <exception>
#include <set>
#include <unordered_map>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#include <cudnn_frontend.h>
#pragma GCC diagnostic pop

#include <dlfcn.h>

/// Where cudnn-frontend finds the functions of cuDNN.
void *cudnn_frontend::cudnn_dlhandle = nullptr;

namespace fe = cudnn_frontend;
using namespace ptxbench::cudnn;

bool ptxbench::cudnn::isBuilt() { return true; }

Attention::~Attention() = default;

std::string ptxbench::cudnn::version(void *library) {
  auto get = reinterpret_cast<size_t (*)()>(dlsym(library, "cudnnGetVersion"));
  if (!get)
    return "";
  size_t number = get();
  return std::to_string(number / 10000) + "." +
         std::to_string(number % 10000 / 100) + "." +
         std::to_string(number % 100);
}

namespace {

using Pass = AttentionProblem::Pass;
using Graph = fe::graph::Graph;
using TensorAttributes = fe::graph::Tensor_attributes;
using Tensor = std::shared_ptr<TensorAttributes>;

/// Names of tensors in a graph: their places in bind(), and from 100 on the
/// places of scalars.
constexpr int64_t firstScalar = 100;

/// Of an fp8 pass: descale_s, scale_s, scale_o, amax_s, amax_o.
constexpr size_t fp8Scalars = 5;

class GraphBuilder {
public:
  GraphBuilder(const AttentionProblem &problem,
               fe::AttentionImplementation_t implementation)
      : problem(problem), implementation(implementation),
        graph(std::make_shared<Graph>()) {
    elements = problem.pass == Pass::ForwardFp8 ? fe::DataType_t::FP8_E4M3
                                                : fe::DataType_t::BFLOAT16;
    graph->set_io_data_type(elements)
        .set_intermediate_data_type(fe::DataType_t::FLOAT)
        .set_compute_data_type(fe::DataType_t::FLOAT);
  }

  std::shared_ptr<Graph> build() {
    switch (problem.pass) {
    case Pass::Forward:
      forward();
      break;
    case Pass::Backward:
      backward();
      break;
    case Pass::ForwardFp8:
      forwardFp8();
      break;
    }
    return graph;
  }

private:
  /// [B,H,S,D], row-major.
  Tensor input(const char *name) {
    return graph->tensor(TensorAttributes()
                             .set_name(name)
                             .set_uid(next++)
                             .set_dim(dims())
                             .set_stride(strides())
                             .set_data_type(elements));
  }
  /// [B,H,S,1] of float.
  Tensor statistics(const char *name) {
    return graph->tensor(TensorAttributes()
                             .set_name(name)
                             .set_uid(next++)
                             .set_dim(rowDims())
                             .set_stride(rowStrides())
                             .set_data_type(fe::DataType_t::FLOAT));
  }
  Tensor scalar(const char *name, int64_t uid) {
    return graph->tensor(TensorAttributes()
                             .set_name(name)
                             .set_uid(uid)
                             .set_dim({1, 1, 1, 1})
                             .set_stride({1, 1, 1, 1})
                             .set_data_type(fe::DataType_t::FLOAT));
  }
  void output(const Tensor &tensor) {
    tensor->set_output(true)
        .set_uid(next++)
        .set_dim(dims())
        .set_stride(strides())
        .set_data_type(elements);
  }
  void outputStatistics(const Tensor &tensor) {
    tensor->set_output(true)
        .set_uid(next++)
        .set_dim(rowDims())
        .set_stride(rowStrides())
        .set_data_type(fe::DataType_t::FLOAT);
  }

  std::vector<int64_t> dims() const {
    return {problem.batch, problem.heads, problem.length, problem.depth};
  }
  std::vector<int64_t> strides() const {
    int64_t row = problem.depth, head = row * problem.length;
    return {head * problem.heads, head, row, 1};
  }
  std::vector<int64_t> rowDims() const {
    return {problem.batch, problem.heads, problem.length, 1};
  }
  std::vector<int64_t> rowStrides() const {
    return {problem.heads * problem.length, problem.length, 1, 1};
  }
  float scale() const { return float(1 / std::sqrt(double(problem.depth))); }

  fe::graph::SDPA_attributes forwardOptions() const {
    auto options = fe::graph::SDPA_attributes()
                       .set_name("attention")
                       .set_generate_stats(true)
                       .set_attn_scale(scale());
    if (problem.causal)
      options.set_causal_mask(true);
    options.set_implementation(implementation);
    return options;
  }

  void forward() {
    Tensor q = input("Q"), k = input("K"), v = input("V");
    auto [o, lse] = graph->sdpa(q, k, v, forwardOptions());
    output(o);
    outputStatistics(lse);
  }

  void backward() {
    Tensor q = input("Q"), k = input("K"), v = input("V"), o = input("O"),
           dO = input("dO"), lse = statistics("LSE");
    auto options = fe::graph::SDPA_backward_attributes()
                       .set_name("attention_backward")
                       .set_attn_scale(scale());
    if (problem.causal)
      options.set_causal_mask(true);
    auto [dQ, dK, dV] = graph->sdpa_backward(q, k, v, o, dO, lse, options);
    output(dQ);
    output(dK);
    output(dV);
  }

  void forwardFp8() {
    Tensor q = input("Q"), k = input("K"), v = input("V");
    Tensor descaleQ = scalar("descale_q", next++),
           descaleK = scalar("descale_k", next++),
           descaleV = scalar("descale_v", next++);
    int64_t uid = firstScalar;
    Tensor descaleS = scalar("descale_s", uid++),
           scaleS = scalar("scale_s", uid++), scaleO = scalar("scale_o", uid++);
    auto [o, lse, maxS, maxO] =
        graph->sdpa_fp8(q, k, v, descaleQ, descaleK, descaleV, descaleS, scaleS,
                        scaleO, forwardOptions());
    output(o);
    outputStatistics(lse);
    for (const Tensor &largest : {maxS, maxO})
      if (largest)
        largest->set_output(true)
            .set_uid(uid++)
            .set_dim({1, 1, 1, 1})
            .set_stride({1, 1, 1, 1})
            .set_data_type(fe::DataType_t::FLOAT);
  }

  const AttentionProblem &problem;
  fe::AttentionImplementation_t implementation;
  std::shared_ptr<Graph> graph;
  fe::DataType_t elements;
  int64_t next = 0;
};

class CudnnAttention : public Attention {
public:
  ~CudnnAttention() override {
    // No exception leaves a destructor; a handle is all that could be lost.
    try {
      graphs.clear();
      if (handle)
        fe::detail::destroy_handle(handle);
    } catch (...) {
    }
  }

  bool open(void *stream, const AttentionProblem &problem, std::string &error);

  size_t plans() const override { return places.size(); }
  std::string name(size_t plan) const override { return places[plan].name; }
  uint64_t workspaceBytes(size_t plan) const override {
    return places[plan].workspace;
  }
  uint64_t scalarBytes() const override {
    return initial.empty() ? 0 : fp8Scalars * sizeof(float);
  }
  std::vector<float> initialScalars() const override { return initial; }
  void bind(const std::vector<void *> &tensors, void *scalars) override;
  bool run(size_t plan, void *workspace, std::string &error) const override;

private:
  struct Place {
    size_t graph = 0;
    int64_t index = 0;
    uint64_t workspace = 0;
    std::string name;
  };

  /// Adds the plans of one implementation; an error is what it says.
  std::string add(const AttentionProblem &problem,
                  fe::AttentionImplementation_t implementation,
                  const char *label);

  cudnnHandle_t handle = nullptr;
  std::vector<std::shared_ptr<Graph>> graphs;
  std::vector<Place> places;
  std::vector<float> initial;
  std::unordered_map<int64_t, void *> pointers;
};

std::string CudnnAttention::add(const AttentionProblem &problem,
                                fe::AttentionImplementation_t implementation,
                                const char *label) {
  std::shared_ptr<Graph> graph = GraphBuilder(problem, implementation).build();
  fe::error_t status = graph->validate();
  if (status.is_good())
    status = graph->build_operation_graph(handle);
  if (status.is_good())
    status = graph->create_execution_plans(
        {fe::HeurMode_t::A, fe::HeurMode_t::B, fe::HeurMode_t::FALLBACK});
  if (!status.is_good())
    return status.get_message();
  std::string why = "cuDNN proposes no plan";
  size_t before = places.size();
  std::set<std::string> names;
  for (int64_t i = 0; i < graph->get_execution_plan_count(); ++i) {
    Place place;
    int64_t workspace = 0;
    // Engine and settings are the name; the heuristics name some twice.
    status = graph->get_plan_name_at_index(i, place.name);
    if (status.is_good() && !names.insert(place.name).second)
      continue;
    if (status.is_good())
      status = graph->build_plan_at_index(handle, i);
    if (status.is_good())
      status = graph->get_workspace_size_plan_at_index(i, workspace);
    if (!status.is_good()) {
      why = status.get_message();
      continue;
    }
    place.graph = graphs.size();
    place.index = i;
    place.workspace = uint64_t(workspace);
    place.name = std::string(label) + " " + place.name;
    places.push_back(std::move(place));
  }
  if (places.size() == before)
    return why;
  graphs.push_back(std::move(graph));
  return "";
}

bool CudnnAttention::open(void *stream, const AttentionProblem &problem,
                          std::string &error) {
  cudnnStatus_t status = fe::detail::create_handle(&handle);
  if (status == CUDNN_STATUS_SUCCESS)
    status = fe::detail::set_stream(handle, static_cast<cudaStream_t>(stream));
  if (status != CUDNN_STATUS_SUCCESS) {
    error = std::string("cudnnCreate: ") + fe::detail::get_error_string(status);
    return false;
  }
  if (problem.pass == Pass::ForwardFp8)
    initial = {1 / problem.probabilityScale, problem.probabilityScale, 1, 0, 0};
  using Implementation = fe::AttentionImplementation_t;
  error = add(problem, Implementation::COMPOSITE, "composite");
  // Only passes forward have the other one.
  if (problem.pass != Pass::Backward)
    if (std::string why = add(problem, Implementation::UNIFIED, "unified");
        error.empty() && places.empty())
      error = why;
  return !places.empty();
}

void CudnnAttention::bind(const std::vector<void *> &tensors, void *scalars) {
  pointers.clear();
  for (size_t i = 0; i < tensors.size(); ++i)
    pointers[int64_t(i)] = tensors[i];
  for (size_t i = 0; i < initial.size(); ++i)
    pointers[firstScalar + int64_t(i)] = static_cast<float *>(scalars) + i;
}

bool CudnnAttention::run(size_t plan, void *workspace,
                         std::string &error) const {
  try {
    const Place &place = places[plan];
    // The map is taken by reference and only read.
    auto &all = const_cast<std::unordered_map<int64_t, void *> &>(pointers);
    fe::error_t status = graphs[place.graph]->execute_plan_at_index(
        handle, all, workspace, place.index);
    if (status.is_good())
      return true;
    error = status.get_message();
  } catch (const std::exception &exception) {
    error = exception.what();
  }
  return false;
}

} // namespace

std::unique_ptr<Attention>
Attention::create(void *library, const std::string &runtime, void *stream,
                  const AttentionProblem &problem, std::string &error) {
  if (version(library).empty()) {
    error = "the library is not cuDNN";
    return nullptr;
  }
  try {
    // One of several runtimes on a machine is the one that is in use.
    setenv("CUDNN_FRONTEND_CUDART_LIB_NAME", runtime.c_str(), /*replace=*/0);
    fe::cudnn_dlhandle = library;
    auto attention = std::make_unique<CudnnAttention>();
    if (attention->open(stream, problem, error))
      return attention;
  } catch (const std::exception &exception) {
    error = exception.what();
  }
  return nullptr;
}
